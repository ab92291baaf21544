//! Pictures on a page that does not need a network or another file.

use super::{Sheet, svg};
use crate::page;
use std::fmt::Write;

/// A page with the pictures of several solutions.
pub(crate) fn page(title: &str, sheets: &[Sheet]) -> String {
    let mut body = format!("<main class=\"sheet\">\n<h1>{}</h1>\n<div class=\"pictures\">\n", svg::escaped(title));
    for sheet in sheets {
        let picture = svg::document(std::slice::from_ref(sheet));
        let names: Vec<&str> = sheet.pictures.iter().map(|picture| picture.name.as_str()).collect();
        let label = svg::escaped(&format!("Picture of {}", names.join(", ")));
        let caption = match sheets.len() {
            1 => String::new(),
            _ => format!("<figcaption>{}</figcaption>", svg::escaped(&sheet.heading)),
        };
        let _ = write!(
            body,
            "<figure>{caption}<div class=\"surface white\" role=\"img\" \
            aria-label=\"{label}\">\n{picture}</div></figure>\n"
        );
    }
    page::still(title, include_str!("page.css"), &(body + "</div>\n</main>\n"))
}
