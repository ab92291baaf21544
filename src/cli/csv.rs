//! Comma-separated values, as spreadsheets read them.
//!
//! A spreadsheet takes a text that begins with `=` for a formula and computes it, so a name could do things on the
//! machine of whoever opens the table. Such a text gets an apostrophe in front, which spreadsheets do not show.

use conjure_like::TableCell;
use std::fmt::Display;

/// A cell of a table.
pub(super) struct CsvCell(String);

impl From<&str> for CsvCell {
    /// A text, which stays a text.
    fn from(text: &str) -> Self {
        let begins_formula = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
        let apostrophe = if begins_formula || text.starts_with(['\t', '\r', '\n']) { "'" } else { "" };
        match text.contains(['"', ',', ';', '\t', '\n', '\r']) {
            true => CsvCell(format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))),
            false => CsvCell(format!("{apostrophe}{text}")),
        }
    }
}

/// The lines of a table.
pub(super) fn table(rows: &[Vec<TableCell>]) -> String {
    let cell = |cell: &TableCell| match cell {
        TableCell::Text(text) => CsvCell::from(text.as_str()),
        TableCell::Number(text) => CsvCell(text.clone()),
        _ => CsvCell(String::new()),
    };
    rows.iter().map(|row| line(row.iter().map(cell))).collect()
}

/// A cell with a number; an empty one if there is none.
pub(super) fn number(number: Option<impl Display>) -> CsvCell {
    CsvCell(number.map_or(String::new(), |number| number.to_string()))
}

/// A line of a table.
pub(super) fn line(cells: impl IntoIterator<Item = CsvCell>) -> String {
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
        assert_eq!(line([cell("x = 1").as_str().into(), number(Some(-5)), number(None::<i64>)]), "x = 1,-5,\n");
    }
}
