//! Workbooks of Excel and LibreOffice, sheet by sheet.

use super::text::TableText;
use crate::diagnostic::{Code, Diagnostic};
use calamine::{Data, Reader, Sheets};
use std::io::Cursor;

/// A workbook of Excel or LibreOffice: `.xlsx`, `.xls`, `.xlsb` or `.ods`.
pub struct Workbook {
    /// The name in messages.
    name: String,
    book: Sheets<Cursor<Vec<u8>>>,
}

impl Workbook {
    /// Whether a file begins as workbooks do.
    pub fn is_workbook(bytes: &[u8]) -> bool {
        const ZIP: &[u8] = b"PK\x03\x04";
        const OLD_EXCEL: &[u8] = b"\xd0\xcf\x11\xe0";
        bytes.starts_with(ZIP) || bytes.starts_with(OLD_EXCEL)
    }

    /// Opens the workbook that a file holds.
    ///
    /// # Errors
    ///
    /// The file is broken, or is not a workbook.
    pub fn open(name: &str, bytes: Vec<u8>) -> Result<Workbook, Diagnostic> {
        match calamine::open_workbook_auto_from_rs(Cursor::new(bytes)) {
            Ok(book) => Ok(Workbook { name: name.to_owned(), book }),
            Err(error) => Err(unreadable(name, &error)),
        }
    }

    /// The names of the sheets, in their order.
    pub fn sheets(&self) -> Vec<String> {
        self.book.sheet_names()
    }

    /// A sheet as CSV, for [`crate::Text::table`].
    ///
    /// # Errors
    ///
    /// There is no such sheet, or it is broken.
    pub fn table(&mut self, sheet: &str) -> Result<String, Diagnostic> {
        let range = self.book.worksheet_range(sheet).map_err(|error| unreadable(&self.name, &error))?;
        let (first_row, first_column) = range.start().unwrap_or((0, 0));
        // Rows and columns keep the names that the spreadsheet shows.
        let mut text = TableText::below(first_row);
        for row in range.rows() {
            let empty = (0..first_column).map(|_| String::new());
            text.add_row(empty.chain(row.iter().map(cell)));
        }
        Ok(text.into())
    }
}

fn unreadable(name: &str, error: &calamine::Error) -> Diagnostic {
    Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{name}`: {error}"))
        .help("save the table as CSV in UTF-8, or as `.xlsx`")
}

/// The text that a cell of a sheet stands for.
fn cell(data: &Data) -> String {
    match data {
        Data::Empty => String::new(),
        Data::Int(value) => value.to_string(),
        Data::Float(value) => TableText::number(*value),
        Data::Bool(value) => value.to_string(),
        Data::String(text) => text.clone(),
        Data::DateTime(moment) => {
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            let time = || match second {
                0 => format!("{hour:02}:{minute:02}"),
                _ => format!("{hour:02}:{minute:02}:{second:02}"),
            };
            let days = moment.as_f64();
            if moment.is_duration() {
                // Durations may be longer than a day.
                let minutes = (days * 1440.0).round() as i64;
                format!("{:02}:{:02}", minutes / 60, minutes % 60)
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
    }
}

/// The time that LibreOffice writes as `PT08H30M00S`.
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
