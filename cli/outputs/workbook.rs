//! Workbooks for spreadsheets, with a sheet for each table.

use conjure_like::{Code, Diagnostic, TableCell, TableText};
use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

/// A table with its name.
pub(crate) struct NamedTable {
    pub name: String,
    /// The first row holds the names of the columns.
    pub rows: Vec<Vec<TableCell>>,
}

/// Spreadsheets store numbers in binary with this many decimal digits.
const MOST_DIGITS: usize = 15;

/// The maximum length of the name of a sheet: spreadsheet programs refuse longer ones.
const LONGEST_NAME: usize = 31;

/// The file of a workbook with these tables.
pub(crate) fn workbook_file(tables: &[NamedTable]) -> Result<Vec<u8>, Diagnostic> {
    workbook_bytes(tables)
        .map_err(|error| Diagnostic::error(Code::FILE_UNWRITABLE, format!("cannot make a workbook: {error}")))
}

fn workbook_bytes(tables: &[NamedTable]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let mut names: Vec<String> = Vec::new();
    for table in tables {
        let name = sheet_name(&table.name, &names);
        let sheet = book.add_worksheet();
        sheet.set_name(&name)?;
        names.push(name);
        let heading = Format::new().set_bold();
        for (row, cells) in (0..).zip(&table.rows) {
            for (column, cell) in (0..).zip(cells) {
                match cell {
                    TableCell::Text(text) if row == 0 => {
                        sheet.write_string_with_format(row, column, TableText::in_sheet(text), &heading)?;
                    }
                    TableCell::Text(text) => {
                        sheet.write_string(row, column, TableText::in_sheet(text))?;
                    }
                    TableCell::Number(text) => write_number(sheet, row, column, text)?,
                    _ => {}
                }
            }
        }
        // In a long table, the headings stay visible.
        sheet.set_freeze_panes(1, 0)?;
        sheet.autofit();
    }
    book.save_to_buffer()
}

fn write_number(sheet: &mut Worksheet, row: u32, column: u16, text: &str) -> Result<(), XlsxError> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    match (text, text.parse::<f64>()) {
        ("true" | "false", _) => sheet.write_boolean(row, column, text == "true")?,
        // All decimal places are shown, even zeros at the end: 1.50 stays 1.50.
        (_, Ok(number)) if digits <= MOST_DIGITS => match text.split_once('.') {
            Some((_, places)) => {
                let format = Format::new().set_num_format(format!("0.{}", "0".repeat(places.len())));
                sheet.write_number_with_format(row, column, number, &format)?
            }
            None => sheet.write_number(row, column, number)?,
        },
        // As a number, a longer value would lose digits.
        _ => sheet.write_string(row, column, text)?,
    };
    Ok(())
}

/// A valid name for a sheet that differs from the others.
fn sheet_name(name: &str, others: &[String]) -> String {
    let allowed = |letter: char| if "[]:*?/\\'".contains(letter) { '_' } else { letter };
    let plain: String = name.chars().map(allowed).collect();
    let cut = |room: usize| plain.chars().take(room).collect::<String>();
    // Spreadsheets do not distinguish upper and lower case in the names of sheets.
    let is_new = |name: &String| !others.iter().any(|other| other.to_lowercase() == name.to_lowercase());
    // The number must fit after the name.
    let numbered = (2..).map(|number: usize| format!("{} ({number})", cut(LONGEST_NAME - 8)));
    std::iter::once(cut(LONGEST_NAME)).chain(numbered).find(is_new).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{named_table::TableArgument, sheets};

    #[test]
    fn what_goes_out_comes_in_again() {
        let text = |text: &str| TableCell::Text(text.to_owned());
        let number = |text: &str| TableCell::Number(text.to_owned());
        let rows = vec![
            vec![text("name"), text("price"), text("free")],
            vec![text("Zoë, Ø"), number("12.50"), number("true")],
            vec![text("=1+1"), number("-3"), number("false")],
            vec![text(" x "), number("-4"), number("true")],
            // This number has too many digits for a spreadsheet.
            vec![text("08:30"), number("9007199254740993"), TableCell::Empty],
        ];
        let name = "plan".to_owned();
        let other = NamedTable { name: "other".to_owned(), rows: vec![vec![text("x")]] };
        let bytes = workbook_file(&[NamedTable { name, rows }, other]).expect("a workbook");
        let (parameter, sheet) = ("p".to_owned(), Some("plan".to_owned()));
        let table = TableArgument { parameter, file: "plan.xlsx".into(), sheet, columns: String::new() };
        let lines = [
            "name,price,free",
            "\"Zoë, Ø\",12.5,true",
            "'=1+1,-3,false",
            "\"' x \",-4,true",
            "08:30,9007199254740993",
            "",
        ];
        let read = sheets::sheet_text(&table, "plan.xlsx", &bytes).expect("a workbook").expect("a sheet");
        assert_eq!(read, ("plan.xlsx#plan".to_owned(), lines.join("\n")));
    }

    #[test]
    fn empty_sheets_are_told_apart() {
        let named = |name: &str, rows| NamedTable { name: name.to_owned(), rows };
        let filled = vec![vec![TableCell::Text("x".to_owned())], vec![TableCell::Number("1".to_owned())]];
        let bytes = workbook_file(&[named("notes", Vec::new()), named("plan", filled)]).expect("a workbook");
        let error = |sheet: Option<&str>| {
            let (parameter, sheet) = ("p".to_owned(), sheet.map(str::to_owned));
            let table = TableArgument { parameter, file: "plan.xlsx".into(), sheet, columns: String::new() };
            sheets::sheet_text(&table, "plan.xlsx", &bytes).expect("a workbook").expect_err("an error")
        };
        let open = error(None);
        assert_eq!(open.help, ["name one of them, as in `p=plan.xlsx#plan`"]);
        assert_eq!(open.notes, ["the sheets are `notes` (empty), `plan`"]);
        let empty = error(Some("notes"));
        assert!(empty.message.ends_with("the sheet `notes` is empty"), "{}", empty.message);
        assert_eq!(empty.help, ["name another one, as in `p=plan.xlsx#plan`"]);
    }

    #[test]
    fn sheets_have_names_of_their_own() {
        let long = "a".repeat(40);
        assert_eq!(sheet_name(&long, &[]).len(), 31);
        assert_eq!(sheet_name(&long, &["A".repeat(31)]), format!("{} (2)", "a".repeat(23)));
        assert_eq!(sheet_name("x/y", &["x_y".to_owned(), "x_y (2)".to_owned()]), "x_y (3)");
    }
}
