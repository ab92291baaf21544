//! The text of a table as CSV: of an answer, or of a table that another program holds in another form, whose rows and
//! columns keep their numbers.
//!
//! A spreadsheet takes a text that begins with `=` for a formula and computes it, so a name could do things on the
//! machine of whoever opens the table. Such a text gets an apostrophe in front, which spreadsheets do not show. So
//! does a text with blanks at its ends: reading takes blanks for no part of a text otherwise. Reading removes the
//! apostrophe.

use std::borrow::Cow;

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableCell {
    /// A name.
    Text(String),
    /// A number, or `true` or `false`.
    Number(String),
    /// A formula whose value is not known, with its `=`. Answers have none.
    Formula(String),
    /// Nothing.
    Empty,
}

/// Rows as CSV, for [`crate::Text::table`].
#[derive(Clone, Debug, Default)]
pub struct TableText(String);

impl TableText {
    /// Adds a row.
    pub fn add_row(&mut self, cells: impl IntoIterator<Item = TableCell>) {
        for (at, cell) in cells.into_iter().enumerate() {
            if at > 0 {
                self.0.push(',');
            }
            match cell {
                TableCell::Text(text) => self.0.push_str(&TableText::cell(&text)),
                TableCell::Number(text) | TableCell::Formula(text) => self.0.push_str(&quoted(text.into())),
                TableCell::Empty => {}
            }
        }
        self.0.push('\n');
    }

    /// A text as a cell.
    pub fn cell(text: &str) -> String {
        let guarded = if needs_apostrophe(text) { format!("'{text}").into() } else { text.into() };
        quoted(guarded).into_owned()
    }

    /// A text as it is written into a sheet, where nothing but blanks at its ends needs the apostrophe.
    pub fn in_sheet(text: &str) -> Cow<'_, str> {
        if has_outer_blanks(text) { format!("'{text}").into() } else { text.into() }
    }

    /// The text that a cell of a sheet holds.
    pub fn of_sheet(cell: &str) -> &str {
        cell.strip_prefix('\'').filter(|text| has_outer_blanks(text)).unwrap_or(cell.trim())
    }

    /// A number as people write it: spreadsheets and databases keep 0.1 + 0.2 in binary, and show at most 15 digits.
    pub fn number(value: f64) -> String {
        if value.fract() == 0.0 && value.abs() < 1e15 {
            return format!("{value:.0}");
        }
        let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
        rounded.to_string()
    }
}

/// A cell in quotation marks, if it needs them.
fn quoted(text: Cow<str>) -> Cow<str> {
    match text.contains(['"', ',', ';', '\t', '\n', '\r']) || text != text.trim() {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text,
    }
}

/// Whether a text has blanks at its ends, but for apostrophes in front.
fn has_outer_blanks(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    text != text.trim()
}

/// Whether a text is written with an apostrophe in front.
fn needs_apostrophe(text: &str) -> bool {
    let formula = text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    formula || has_outer_blanks(text)
}

/// The text that a cell of CSV holds.
pub(super) fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| needs_apostrophe(text)).unwrap_or(cell.trim())
}

impl From<TableText> for String {
    fn from(text: TableText) -> String {
        text.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_in_as_they_went_out() {
        let texts =
            ["a", "'a", "=1", "'=1", "''=1", " a", "a ", "' a", "'a ", "''", "＝1", "-", "\"a\"", "a;b", "\ta", "a\n"];
        for text in texts {
            let cell = TableText::cell(text);
            let inside = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
            let raw = inside.map_or(cell.clone(), |inside| inside.replace("\"\"", "\""));
            assert_eq!(unguarded(&raw), text, "{cell:?}");
            assert_eq!(TableText::of_sheet(&TableText::in_sheet(text)), text);
        }
        assert_eq!(["'tis", " 'tis ", "5 "].map(unguarded), ["'tis", "'tis", "5"]);
    }

    #[test]
    fn numbers_are_written_as_people_see_them() {
        assert_eq!(
            [3.0, 0.1 + 0.2, 12.5, -0.07, 1e-7].map(TableText::number),
            ["3", "0.3", "12.5", "-0.07", "0.0000001"]
        );
    }
}
