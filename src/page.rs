//! Web pages that the program writes: each is one file that loads nothing. Templates hold their own rules; the look
//! that they share with the pages for the browser is in `page/style.css`.

const STYLE: &str = include_str!("page/style.css");

/// A template with the shared style instead of `/* STYLE */`.
pub fn styled(template: &str) -> String {
    template.replacen("/* STYLE */", STYLE, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_stands_in_its_place_and_holds_no_mark_of_a_template() {
        assert_eq!(styled("<style>/* STYLE */ p {}</style>"), format!("<style>{STYLE} p {{}}</style>"));
        for mark in ["TITLE", "SUMMARY", "ROWS", "DATA", "STYLE", "</style", "<!--", "url("] {
            assert!(!STYLE.contains(mark), "{mark}");
        }
    }
}
