//! Web pages that the program generates: each is one file that loads nothing. They share the style of the browser pages
//! (`page/style.css`) and add their own rules. Interactive pages are built by scripts, whose sources are in
//! `clients/web/page/src/reports`.

use crate::{diagnostic::visible, json::compact};
use serde_json::Value;

const STYLE: &str = include_str!("page/style.css");
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// Returns a page without scripts: `title` is text, `style` its own rules, and `body` markup.
pub fn still(title: &str, style: &str, body: &str) -> String {
    html_document(title, style, "", body)
}

/// Returns a page that a script builds from data and named drawings.
pub fn scripted(title: &str, style: &str, script: &str, data: &Value, drawings: &[(String, String)]) -> String {
    let drawings: String =
        drawings.iter().map(|(name, svg)| format!("<div data-name=\"{name}\">{svg}</div>\n")).collect();
    // A `<` in the data could end the element, or start a comment that hides the rest of the page.
    let data = compact(data).replace('<', "\\u003c");
    let body = format!(
        "<noscript><p>This page needs JavaScript. It loads nothing from anywhere.</p></noscript>\n\
         <template id=\"drawings\">{drawings}</template>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n{script}</script>\n"
    );
    html_document(title, style, "; script-src 'unsafe-inline'", &body)
}

fn html_document(title: &str, style: &str, policy: &str, body: &str) -> String {
    let title = visible::markup(&visible::line(title));
    format!(
        "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}{policy}\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>{title}</title>
<style>
{STYLE}
{style}</style>
</head>
<body>
{body}</body>
</html>
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_name_can_end_or_hide_the_script() {
        for name in ["</script>", "<!-- <script>", "]]>", "a\u{2028}b\u{2029}c\\"] {
            let page = scripted(name, "", "run();\n", &json!([name]), &[]);
            assert_eq!(page.matches("<script").count(), 2, "{name}");
            assert_eq!(page.matches("</script").count(), 2, "{name}");
            assert!(!page.contains("<!--") && !page.contains(['\u{2028}', '\u{2029}']), "{name}");
        }
        assert!(scripted("", "", "", &json!("<"), &[]).contains(">\"\\u003c\"<"));
    }

    #[test]
    fn the_style_ends_nowhere_and_loads_nothing() {
        for mark in ["</style", "<!--", "url("] {
            assert!(!STYLE.contains(mark), "{mark}");
        }
    }
}
