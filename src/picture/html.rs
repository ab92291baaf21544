//! Pictures on a page without external files.

use super::{Sheet, front, svg};
use crate::page;
use std::fmt::Write;

/// A page with the pictures of several solutions.
pub(crate) fn pictures_page(title: &str, sheets: &[Sheet]) -> String {
    let front = front::front(sheets);
    let (plots, class) =
        (front.as_deref().unwrap_or_default(), if front.is_some() { "pictures one" } else { "pictures" });
    let mut body =
        format!("<main class=\"sheet\">\n<h1>{}</h1>\n{plots}<div class=\"{class}\">\n", svg::escaped(title));
    for (number, sheet) in (1..).zip(sheets) {
        let picture = svg::svg_document(std::slice::from_ref(sheet));
        let names: Vec<&str> = sheet.pictures.iter().map(|picture| picture.name.as_str()).collect();
        let label = svg::escaped(&format!("Picture of {}", names.join(", ")));
        let caption = match sheets.len() {
            1 => String::new(),
            _ => format!("<figcaption>{}</figcaption>", svg::escaped(&sheet.heading)),
        };
        // The plots link to the pictures, so these need anchors.
        let id = front.as_ref().map_or(String::new(), |_| format!(" id=\"{}\"", front::anchor(number)));
        let _ = write!(
            body,
            "<figure{id}>{caption}<div class=\"surface white\" role=\"img\" \
            aria-label=\"{label}\">\n{picture}</div></figure>\n"
        );
    }
    page::still(title, include_str!("page.css"), &(body + "</div>\n</main>\n"))
}
