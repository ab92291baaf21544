//! Pictures on a page that does not need a network or another file.

use super::{Sheet, svg};
use std::fmt::Write;

/// A page with the pictures of several solutions.
pub(crate) fn page(title: &str, sheets: &[Sheet]) -> String {
    let title = svg::escaped(title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<main>\n"
    );
    for sheet in sheets {
        let picture = svg::document(std::slice::from_ref(sheet));
        let caption = match sheets.len() {
            1 => String::new(),
            _ => format!("<figcaption>{}</figcaption>\n", svg::escaped(&sheet.heading)),
        };
        let _ = write!(text, "<figure>\n{caption}{picture}</figure>\n");
    }
    text + "</main>\n</body>\n</html>\n"
}

const STYLE: &str = "\
body { margin: 2rem auto; padding: 0 1rem; max-width: 80rem; background: #f4f6f9; color: #1f2937;
  font-family: 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif; }
h1 { font-size: 1.5rem; font-weight: 600; text-align: center; }
main { display: flex; flex-wrap: wrap; justify-content: center; gap: 1.8rem; }
figure { margin: 0; text-align: center; }
figcaption { font-size: 1.05rem; font-weight: 600; color: #6b7280; margin-bottom: 0.6rem; }
svg { max-width: 100%; height: auto; border-radius: 14px; box-shadow: 0 1px 3px #0f172a26, 0 8px 24px #0f172a14; }
@media print { body { background: none; margin: 0; } svg { box-shadow: none; } figure { break-inside: avoid; } }
";
