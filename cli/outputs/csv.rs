//! Comma-separated values for spreadsheets.

use conjure_like::{TableCell, TableText};
use std::fmt::Display;

/// A cell of a table.
pub(crate) struct CsvCell(String);

impl From<&str> for CsvCell {
    /// A text that a spreadsheet does not interpret as a formula or a number.
    fn from(text: &str) -> Self {
        CsvCell(TableText::cell(text.trim_end()))
    }
}

/// The lines of a table.
pub(crate) fn csv_lines(rows: &[Vec<TableCell>]) -> String {
    let mut text = TableText::default();
    rows.iter().for_each(|row| text.add_row(row.iter().cloned()));
    text.into()
}

/// A cell with a number; empty for `None`.
pub(crate) fn number(number: Option<impl Display>) -> CsvCell {
    CsvCell(number.map_or(String::new(), |number| number.to_string()))
}

/// A line of a table.
pub(crate) fn csv_line(cells: impl IntoIterator<Item = CsvCell>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| cell.0).collect();
    cells.join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_not_a_formula() {
        let cell = |text: &str| CsvCell::from(text).0;
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", " =1+1", "＝1", "\t=1", "\r=1", "\n=1"] {
            assert!(cell(formula).trim_start_matches('"').starts_with('\''), "{formula:?}");
        }
        assert_eq!(cell("=a,b"), "\"'=a,b\"");
        assert_eq!(cell("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(cell("anna"), "anna");
        assert_eq!(csv_line([cell("x = 1").as_str().into(), number(Some(-5)), number(None::<i64>)]), "x = 1,-5,\n");
    }
}
