//! Reads workbooks of Excel and LibreOffice, sheet by sheet.

use super::{
    columns::letters,
    text::{TableCell, TableText},
};
use crate::diagnostic::{Code, Diagnostic};
use calamine::{Data, DataType, Reader, Sheets, XlsxError};
use std::io::Cursor;

/// A workbook of Excel or LibreOffice: `.xlsx`, `.xls`, `.xlsb` or `.ods`.
pub struct Workbook {
    /// The name in messages.
    name: String,
    book: Sheets<Cursor<Vec<u8>>>,
}

impl Workbook {
    /// Returns true if the contents of a file start like a workbook.
    pub fn is_workbook(bytes: &[u8]) -> bool {
        const ZIP: &[u8] = b"PK\x03\x04";
        const OLD_EXCEL: &[u8] = b"\xd0\xcf\x11\xe0";
        bytes.starts_with(ZIP) || bytes.starts_with(OLD_EXCEL)
    }

    /// Opens a workbook from the contents of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is broken or is not a workbook.
    pub fn open(name: &str, bytes: Vec<u8>) -> Result<Workbook, Diagnostic> {
        match calamine::open_workbook_auto_from_rs(Cursor::new(bytes)) {
            Ok(book) => Ok(Workbook { name: name.to_owned(), book }),
            Err(error) => Err(unreadable_workbook(name, &error)),
        }
    }

    /// The names of the sheets, in their order.
    pub fn sheets(&self) -> Vec<String> {
        self.book.sheet_names()
    }

    /// Returns true if a sheet has no cells.
    pub fn is_empty(&mut self, sheet: &str) -> bool {
        self.cells(sheet).is_ok_and(|cells| cells.is_empty())
    }

    /// Returns a sheet as CSV, for [`crate::Text::table`].
    ///
    /// # Errors
    /// Returns an error if the workbook has no such sheet, or if the sheet is broken.
    pub fn table(&mut self, sheet: &str) -> Result<String, Diagnostic> {
        let mut cells = self.cells(sheet).map_err(|error| unreadable_workbook(&self.name, &error))?;
        // Formulas without values were appended at the end.
        cells.sort_by_key(|cell| cell.place);
        let is_beyond = |cell: &&SheetCell| cell.place.0 >= MOST_ROWS || cell.place.1 >= MOST_COLUMNS;
        if let Some(SheetCell { place: (row, column), .. }) = cells.iter().find(is_beyond) {
            let place = format!("{}{}", letters(*column as usize), row + 1);
            let message = format!("cannot read `{}`: the sheet `{sheet}` has a cell {place}", self.name);
            return Err(Diagnostic::error(Code::FILE_UNREADABLE, message)
                .help("save the table as CSV in UTF-8, or as `.xlsx`")
                .note("a sheet has at most 1048576 rows, and columns up to XFD"));
        }
        // Empty rows and columns are written, too, so that messages name the same cells as the spreadsheet.
        let mut text = TableText::default();
        let mut cells = cells.into_iter().peekable();
        let mut next = 0;
        while let Some(SheetCell { place: (row, _), .. }) = cells.peek() {
            let row = *row;
            (next..row).for_each(|_| text.add_row([]));
            let mut line = Vec::new();
            while let Some(cell) = cells.next_if(|cell| cell.place.0 == row) {
                line.resize(cell.place.1 as usize, TableCell::Empty);
                line.push(cell.cell);
            }
            text.add_row(line);
            next = row + 1;
        }
        Ok(text.into())
    }

    /// The cells of a sheet that are not empty. They are listed, because the rectangle around two distant cells may
    /// exceed any memory.
    fn cells(&mut self, sheet: &str) -> Result<Vec<SheetCell>, calamine::Error> {
        let mut found = Vec::new();
        match &mut self.book {
            Sheets::Xlsx(book) => {
                let mut cells = match book.worksheet_cells_reader(sheet) {
                    // A chart counts as a sheet, but has no cells.
                    Err(XlsxError::NotAWorksheet(_)) => return Ok(found),
                    cells => cells?,
                };
                while let Some(read) = cells.next_cell_with_formula()? {
                    found.extend(SheetCell::new(read.pos, &read.value.into(), read.formula.as_deref()));
                }
            }
            Sheets::Xlsb(book) => {
                let mut cells = book.worksheet_cells_reader(sheet)?;
                while let Some(read) = cells.next_cell()? {
                    found.extend(SheetCell::new(read.get_position(), &read.get_value().clone().into(), None));
                }
            }
            book => {
                let range = book.worksheet_range(sheet)?;
                let (row, column) = range.start().unwrap_or_default();
                let values = range.used_cells();
                let places = values.map(|(y, x, value)| ((row + y as u32, column + x as u32), value));
                found.extend(places.filter_map(|(place, value)| SheetCell::new(place, value, None)));
                // The other formats store a value with each formula, so only OpenDocument needs this.
                if let Sheets::Ods(book) = book {
                    let formulas = book.worksheet_formula(sheet)?;
                    let (row, column) = formulas.start().unwrap_or_default();
                    for (y, x, formula) in formulas.used_cells() {
                        let place = (row + y as u32, column + x as u32);
                        // A formula with a value is already in the list.
                        let is_unknown = range.get_value(place).is_none_or(Data::is_empty);
                        found.extend(SheetCell::new(place, &Data::Empty, Some(formula)).filter(|_| is_unknown));
                    }
                }
            }
        }
        Ok(found)
    }
}

/// The limits of spreadsheets.
const MOST_ROWS: u32 = 1 << 20;
const MOST_COLUMNS: u32 = 1 << 14;

/// A cell of a sheet, with its row and column from 0.
struct SheetCell {
    place: (u32, u32),
    cell: TableCell,
}

impl SheetCell {
    /// Returns a cell with a value, or with a formula whose value was not stored.
    fn new(place: (u32, u32), value: &Data, formula: Option<&str>) -> Option<Self> {
        let cell = match (sheet_cell(value), formula) {
            (TableCell::Empty, Some(formula)) => {
                // LibreOffice writes formulas as `of:=A1`.
                let formula = formula.trim_start_matches("of:").trim_start_matches('=');
                TableCell::Formula(format!("={formula}"))
            }
            (TableCell::Empty, None) => return None,
            (cell, _) => cell,
        };
        Some(SheetCell { place, cell })
    }
}

fn unreadable_workbook(name: &str, error: &calamine::Error) -> Diagnostic {
    Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{name}`: {error}"))
        .help("save the table as CSV in UTF-8, or as `.xlsx`")
}

/// Returns the contents of a cell of a sheet.
fn sheet_cell(data: &Data) -> TableCell {
    TableCell::Number(match data {
        Data::Empty => return TableCell::Empty,
        Data::String(text) => return TableCell::Text(TableText::of_sheet(text).to_owned()),
        Data::Int(value) => value.to_string(),
        Data::Float(value) => TableText::number(*value),
        Data::Bool(value) => value.to_string(),
        Data::DateTime(moment) => {
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            let time = || match second {
                0 => format!("{hour:02}:{minute:02}"),
                _ => format!("{hour:02}:{minute:02}:{second:02}"),
            };
            let days = moment.as_f64();
            if moment.is_duration() {
                // A duration may exceed a day, so the clock time of its end would be wrong.
                let minutes = (days * 1440.0).round() as i64;
                format!("{:02}:{:02}", minutes / 60, minutes % 60)
            // A moment before day 1 is a time without a date.
            } else if days < 1.0 {
                time()
            } else if days.fract() == 0.0 {
                format!("{year:04}-{month:02}-{day:02}")
            } else {
                format!("{year:04}-{month:02}-{day:02} {}", time())
            }
        }
        Data::DateTimeIso(text) => text.trim_end_matches("T00:00:00").to_owned(),
        Data::DurationIso(text) => iso_duration(text).unwrap_or_else(|| text.clone()),
        Data::Error(error) => error.to_string(),
    })
}

/// Parses a duration as LibreOffice writes it: `PT08H30M00S`.
fn iso_duration(text: &str) -> Option<String> {
    let (hours, rest) = text.strip_prefix("PT")?.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.strip_suffix('S')?;
    let is_whole = seconds.bytes().all(|byte| byte == b'0');
    Some(if is_whole { format!("{hours}:{minutes}") } else { format!("{hours}:{minutes}:{seconds}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libreoffice_writes_times_as_durations() {
        assert_eq!(iso_duration("PT08H30M00S").as_deref(), Some("08:30"));
        assert_eq!(iso_duration("P1D"), None);
    }
}
