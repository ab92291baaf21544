//! Pictures on a page that does not need a network or another file.

use super::{Sheet, svg};
use crate::page;
use std::fmt::Write;

/// A page with the pictures of several solutions.
pub(crate) fn page(title: &str, sheets: &[Sheet]) -> String {
    let title = svg::escaped(title);
    let (head, end) = TEMPLATE.split_once("FIGURES").unwrap_or_default();
    // The title comes last, as it may contain any word.
    let mut text = page::styled(head).replace("TITLE", &title);
    for sheet in sheets {
        let picture = svg::document(std::slice::from_ref(sheet));
        let names: Vec<&str> = sheet.pictures.iter().map(|picture| picture.name.as_str()).collect();
        let label = svg::escaped(&format!("Picture of {}", names.join(", ")));
        let caption = match sheets.len() {
            1 => String::new(),
            _ => format!("<figcaption>{}</figcaption>", svg::escaped(&sheet.heading)),
        };
        let _ = write!(
            text,
            "<figure>{caption}<div class=\"surface white\" role=\"img\" \
            aria-label=\"{label}\">\n{picture}</div></figure>\n"
        );
    }
    text + end
}

const TEMPLATE: &str = "\
<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>TITLE</title>
<style>
/* STYLE */
.pictures { display: flex; flex-wrap: wrap; justify-content: center; gap: 28px; }
figure { text-align: center; }
figcaption { font-weight: 600; color: var(--soft); margin-bottom: 8px; }
figure > div { overflow: hidden; }
svg { display: block; max-width: 100%; height: auto; }
@media print { figure { break-inside: avoid; } }
</style>
</head>
<body>
<main class=\"sheet\">
<h1>TITLE</h1>
<div class=\"pictures\">
FIGURES</div>
</main>
</body>
</html>
";
