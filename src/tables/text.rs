//! Writes answers and tables from other formats as CSV; rows and columns keep their numbers.
//!
//! A spreadsheet evaluates a text that starts with `=` as a formula, so a name could run code on the machine of a user
//! who opens the table. Such a text gets a leading apostrophe, which spreadsheets do not show. A text with outer blanks
//! gets one, too, because readers trim texts. When a table is read, the apostrophe is removed.

use std::borrow::Cow;

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableCell {
    /// A name.
    Text(String),
    /// A number, or `true` or `false`.
    Number(String),
    /// A formula with an unknown value, including its `=`. Answers have none.
    Formula(String),
    /// An empty cell.
    Empty,
}

/// Rows as CSV, for [`crate::Text::table`].
#[derive(Clone, Debug, Default)]
pub struct TableText(String);

/// The mark before a number whose last digits may have been lost.
pub(super) const ABOUT: &str = "≈";

impl TableText {
    /// Adds a row.
    pub fn add_row(&mut self, cells: impl IntoIterator<Item = TableCell>) {
        for (at, cell) in cells.into_iter().enumerate() {
            if at > 0 {
                self.0.push(',');
            }
            match cell {
                TableCell::Text(text) => self.0.push_str(&TableText::cell(&text)),
                // Spreadsheets compute with these cells, so they get no apostrophe.
                TableCell::Number(text) | TableCell::Formula(text) => self.0.push_str(&quoted_cell(text.into())),
                TableCell::Empty => {}
            }
        }
        self.0.push('\n');
    }

    /// Returns a text as a cell of CSV.
    pub fn cell(text: &str) -> String {
        let guarded = if needs_apostrophe(text) { format!("'{text}").into() } else { text.into() };
        quoted_cell(guarded).into_owned()
    }

    /// Returns a text as a cell of a sheet. Only outer blanks need the apostrophe there.
    pub fn in_sheet(text: &str) -> Cow<'_, str> {
        if has_outer_blanks(text) { format!("'{text}").into() } else { text.into() }
    }

    /// Returns the text in a cell of a sheet.
    pub fn of_sheet(cell: &str) -> &str {
        cell.strip_prefix('\'').filter(|text| has_outer_blanks(text)).unwrap_or(cell.trim())
    }

    /// Formats a number without binary noise: spreadsheets and databases store 0.1 + 0.2 in binary and show at most 15
    /// digits. Numbers with more significant digits keep them. Larger whole numbers may have lost their last digits, so
    /// they are marked and are not read as numbers.
    pub fn number(value: f64) -> String {
        const LARGEST_EXACT: f64 = (1_u64 << 53) as f64;
        if value.fract() == 0.0 {
            let sign = if value.abs() < LARGEST_EXACT { "" } else { ABOUT };
            return format!("{sign}{value:.0}");
        }
        // Spreadsheets show 15 significant digits.
        let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
        // Only a difference in the last bits is noise; larger differences are intended digits.
        let is_noise = (rounded - value).abs() <= 2.0 * f64::EPSILON * value.abs();
        if is_noise { rounded.to_string() } else { value.to_string() }
    }
}

/// Puts a cell in quotation marks if necessary.
fn quoted_cell(text: Cow<str>) -> Cow<str> {
    match text.contains(['"', ',', ';', '\t', '\n', '\r']) || text != text.trim() {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text,
    }
}

/// Returns true if a text has outer blanks, ignoring leading apostrophes.
fn has_outer_blanks(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    text != text.trim()
}

/// Returns true if a text is written with a leading apostrophe.
fn needs_apostrophe(text: &str) -> bool {
    // Apostrophes are skipped, so a text such as `'=1` gets a second one and is read back unchanged.
    let formula = text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    formula || has_outer_blanks(text)
}

/// Returns the text in a cell of CSV.
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
        assert_eq!(
            [9_007_199_254_740_991.0, -1_234_567_890_123_456.0, 12_345_678_901_234.56, 9_007_199_254_740_994.0]
                .map(TableText::number),
            ["9007199254740991", "-1234567890123456", "12345678901234.56", "≈9007199254740994"]
        );
    }
}
