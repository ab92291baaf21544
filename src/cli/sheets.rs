//! Sheets of Excel and LibreOffice and tables of SQLite as CSV, so that everything else reads one form. The rows keep
//! their numbers.

use super::{csv, table::TableArgument};
use calamine::{Data, Reader};
use conjure_like::{Code, Diagnostic, nearest};
use std::io::Cursor;

/// The name and the text of the sheet that is meant in a workbook or a database; `None` if the bytes are a text.
pub(super) fn text(table: &TableArgument, name: &str, bytes: &[u8]) -> Option<Result<(String, String), Diagnostic>> {
    match TableFormat::of(bytes) {
        TableFormat::Text => None,
        TableFormat::Workbook => Some(of_workbook(table, name, bytes.to_vec())),
        TableFormat::Database => Some(of_database(table, name)),
    }
}

fn cannot_read(name: &str, why: &str) -> Diagnostic {
    Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{name}`: {why}"))
}

/// The sheet of a workbook as CSV.
fn of_workbook(table: &TableArgument, name: &str, bytes: Vec<u8>) -> Result<(String, String), Diagnostic> {
    let unreadable = |error: calamine::Error| {
        cannot_read(name, &error.to_string()).help("save the table as CSV in UTF-8, or as `.xlsx`")
    };
    let mut book = calamine::open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(unreadable)?;
    let sheets = book.sheet_names();
    let sheet = match (&table.sheet, sheets.as_slice()) {
        (Some(sheet), _) if sheets.contains(sheet) => sheet.clone(),
        (None, [only]) => only.clone(),
        _ => return Err(no_sheet(table, name, "sheet", &sheets)),
    };
    let range = book.worksheet_range(&sheet).map_err(unreadable)?;
    let (first_row, first_column) = range.start().unwrap_or((0, 0));
    // Rows and columns keep the names that the spreadsheet shows.
    let mut text = "\n".repeat(first_row as usize);
    for row in range.rows() {
        let empty = (0..first_column).map(|_| String::new());
        let cells = empty.chain(row.iter().map(cell)).map(|cell| csv::plain(&cell));
        text += &csv::line(cells);
    }
    Ok((format!("{name}#{sheet}"), text))
}

#[cfg(feature = "sqlite")]
fn of_database(table: &TableArgument, name: &str) -> Result<(String, String), Diagnostic> {
    use rusqlite::{Connection, OpenFlags, types::ValueRef};
    let unreadable = |error: rusqlite::Error| cannot_read(name, &error.to_string());
    let database = Connection::open_with_flags(&table.file, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(unreadable)?;
    let mut names = database
        .prepare("select name from sqlite_schema where type in ('table', 'view') order by name")
        .map_err(unreadable)?;
    let names: Vec<String> = names.query_map([], |row| row.get(0)).and_then(Iterator::collect).map_err(unreadable)?;
    let chosen = match (&table.sheet, names.as_slice()) {
        (Some(chosen), _) if names.contains(chosen) => chosen,
        (None, [only]) => only,
        _ => return Err(no_sheet(table, name, "table", &names)),
    };
    let query = format!("select * from \"{}\"", chosen.replace('"', "\"\""));
    let mut statement = database.prepare(&query).map_err(unreadable)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut text = csv::line(columns.iter().map(|name| csv::plain(name)));
    let mut rows = statement.query([]).map_err(unreadable)?;
    while let Some(row) = rows.next().map_err(unreadable)? {
        let cell = |at: usize| {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => String::new(),
                ValueRef::Integer(value) => value.to_string(),
                ValueRef::Real(value) => number(value),
                ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                ValueRef::Blob(_) => "(bytes)".to_owned(),
            })
        };
        let cells = (0..columns.len()).map(cell).collect::<Result<Vec<_>, rusqlite::Error>>().map_err(unreadable)?;
        text += &csv::line(cells.iter().map(|cell| csv::plain(cell)));
    }
    Ok((format!("{name}#{chosen}"), text))
}

#[cfg(not(feature = "sqlite"))]
fn of_database(_: &TableArgument, name: &str) -> Result<(String, String), Diagnostic> {
    Err(cannot_read(name, "it is a database of SQLite, which this program was built without")
        .help("build it with `--features sqlite`, or export the table as CSV"))
}

fn no_sheet(table: &TableArgument, name: &str, noun: &str, known: &[String]) -> Diagnostic {
    let listed: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    let list = format!("the {noun}s are {}", listed.join(", "));
    let TableArgument { parameter, sheet, .. } = table;
    match (sheet, known) {
        (_, []) => cannot_read(name, &format!("there is no {noun} in it")),
        (Some(sheet), _) => {
            let error = cannot_read(name, &format!("it has no {noun} `{sheet}`"));
            match nearest(sheet, known.iter().map(String::as_str)) {
                Some(near) => error.help(format!("did you mean `{parameter}={name}#{near}`?")),
                None => error.help(list),
            }
        }
        (None, [first, ..]) => cannot_read(name, &format!("it has {} {noun}s", known.len()))
            .help(format!("name one of them, as in `{parameter}={name}#{first}`"))
            .note(list),
    }
}

/// The forms of tables, told by their first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableFormat {
    Text,
    Workbook,
    Database,
}

impl TableFormat {
    fn of(bytes: &[u8]) -> Self {
        const ZIP: &[u8] = b"PK\x03\x04";
        const OLD_EXCEL: &[u8] = b"\xd0\xcf\x11\xe0";
        const SQLITE: &[u8] = b"SQLite format 3\0";
        if bytes.starts_with(ZIP) || bytes.starts_with(OLD_EXCEL) {
            TableFormat::Workbook
        } else if bytes.starts_with(SQLITE) {
            TableFormat::Database
        } else {
            TableFormat::Text
        }
    }
}

/// The text that a cell of a sheet stands for.
fn cell(data: &Data) -> String {
    match data {
        Data::Empty => String::new(),
        Data::Int(value) => value.to_string(),
        Data::Float(value) => number(*value),
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

/// A number as people write it: spreadsheets and databases keep 0.1 + 0.2 in binary, and show at most 15 digits.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{value:.0}");
    }
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_see_them() {
        assert_eq!([3.0, 0.1 + 0.2, 12.5, -0.07, 1e-7].map(number), ["3", "0.3", "12.5", "-0.07", "0.0000001"]);
    }

    #[test]
    fn libreoffice_writes_times_as_durations() {
        assert_eq!(iso_duration("PT08H30M00S").as_deref(), Some("08:30"));
        assert_eq!(iso_duration("P1D"), None);
    }
}
