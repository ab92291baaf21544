//! Sheets of Excel and LibreOffice and tables of SQLite as CSV, so that everything else reads one form. The rows keep
//! their numbers.

use super::table::TableArgument;
use conjure_like::{Code, Diagnostic, Text, Workbook, nearest};
use std::path::Path;

/// The name and the text of the sheet that is meant in a workbook or a database; `None` if the bytes are a text.
pub(super) fn text(table: &TableArgument, name: &str, bytes: &[u8]) -> Option<Result<(String, String), Diagnostic>> {
    match TableFormat::of(bytes) {
        TableFormat::Text => None,
        TableFormat::Workbook => Some(of_workbook(table, name, bytes.to_vec())),
        TableFormat::Database => Some(of_database(table, name)),
    }
}

/// All tables of a workbook or a database, each for the parameter or the variable that it has the name of; `None` if
/// the bytes are a text.
pub(super) fn all(file: &Path, name: &str, bytes: &[u8]) -> Option<Result<Vec<Text>, Diagnostic>> {
    let names = match TableFormat::of(bytes) {
        TableFormat::Text => return None,
        TableFormat::Workbook => Workbook::open(name, bytes.to_vec()).map(|mut book| {
            let sheets = book.sheets();
            sheets.into_iter().filter(|sheet| !book.is_empty(sheet)).collect()
        }),
        TableFormat::Database => tables_of_database(file, name),
    };
    let table = |sheet: String| {
        let table = TableArgument {
            parameter: sheet.clone(),
            file: file.to_owned(),
            sheet: Some(sheet),
            columns: String::new(),
        };
        let read = text(&table, name, bytes).unwrap_or_else(|| Err(cannot_read(name, "it has changed")));
        read.map(|(name, text)| Text::table(name, text, table.parameter, ""))
    };
    Some(names.and_then(|names: Vec<String>| names.into_iter().map(table).collect()))
}

fn cannot_read(name: &str, why: &str) -> Diagnostic {
    Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{name}`: {why}"))
}

/// The sheet of a workbook as CSV.
fn of_workbook(table: &TableArgument, name: &str, bytes: Vec<u8>) -> Result<(String, String), Diagnostic> {
    let mut book = Workbook::open(name, bytes)?;
    let sheets = book.sheets();
    let sheet = match (&table.sheet, sheets.as_slice()) {
        (Some(sheet), _) if sheets.contains(sheet) => sheet,
        (None, [only]) => only,
        _ => {
            let sheets: Vec<(String, bool)> =
                sheets.into_iter().map(|sheet| (sheet.clone(), book.is_empty(&sheet))).collect();
            return Err(no_sheet(table, name, "sheet", &sheets));
        }
    };
    let text = book.table(sheet)?;
    if text.trim().is_empty() && sheets.len() > 1 {
        let sheets: Vec<(String, bool)> = sheets.iter().map(|sheet| (sheet.clone(), book.is_empty(sheet))).collect();
        return Err(empty_sheet(table, name, sheet, &sheets));
    }
    Ok((format!("{name}#{sheet}"), text))
}

/// The error that there is nothing in the chosen sheet.
fn empty_sheet(table: &TableArgument, name: &str, sheet: &str, sheets: &[(String, bool)]) -> Diagnostic {
    let error = cannot_read(name, &format!("the sheet `{sheet}` is empty"));
    match sheets.iter().find(|(_, is_empty)| !is_empty) {
        Some((filled, _)) => error.help(format!("name another one, as in `{}={name}#{filled}`", table.parameter)),
        None => error,
    }
}

#[cfg(feature = "sqlite")]
fn of_database(table: &TableArgument, name: &str) -> Result<(String, String), Diagnostic> {
    use conjure_like::{TableCell, TableText};
    use rusqlite::types::ValueRef;
    let unreadable = |error: rusqlite::Error| cannot_read(name, &error.to_string());
    let (database, names) = database(&table.file, name)?;
    let chosen = match (&table.sheet, names.as_slice()) {
        (Some(chosen), _) if names.contains(chosen) => chosen,
        (None, [only]) => only,
        _ => {
            let is_empty = |name: &String| {
                let query = format!("select not exists (select * from \"{}\")", name.replace('"', "\"\""));
                database.query_row(&query, [], |row| row.get(0)).unwrap_or(false)
            };
            let names: Vec<(String, bool)> = names.iter().map(|name| (name.clone(), is_empty(name))).collect();
            return Err(no_sheet(table, name, "table", &names));
        }
    };
    let query = format!("select * from \"{}\"", chosen.replace('"', "\"\""));
    let mut statement = database.prepare(&query).map_err(unreadable)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut text = TableText::default();
    text.add_row(columns.iter().map(|name| TableCell::Text(name.clone())));
    let mut rows = statement.query([]).map_err(unreadable)?;
    while let Some(row) = rows.next().map_err(unreadable)? {
        let cell = |at: usize| {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => TableCell::Empty,
                ValueRef::Integer(value) => TableCell::Number(value.to_string()),
                ValueRef::Real(value) => TableCell::Number(TableText::number(value)),
                ValueRef::Text(text) => TableCell::Text(String::from_utf8_lossy(text).trim().to_owned()),
                ValueRef::Blob(_) => TableCell::Text("(bytes)".to_owned()),
            })
        };
        let cells = (0..columns.len()).map(cell).collect::<Result<Vec<_>, rusqlite::Error>>().map_err(unreadable)?;
        text.add_row(cells);
    }
    Ok((format!("{name}#{chosen}"), text.into()))
}

/// A database, and the names of its tables.
#[cfg(feature = "sqlite")]
fn database(file: &Path, name: &str) -> Result<(rusqlite::Connection, Vec<String>), Diagnostic> {
    use rusqlite::{Connection, OpenFlags};
    let opened = || {
        let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let names = "select name from sqlite_schema where type in ('table', 'view') order by name";
        let names = database.prepare(names)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok((database, names))
    };
    opened().map_err(|error: rusqlite::Error| cannot_read(name, &error.to_string()))
}

#[cfg(feature = "sqlite")]
fn tables_of_database(file: &Path, name: &str) -> Result<Vec<String>, Diagnostic> {
    database(file, name).map(|(_, names)| names)
}

#[cfg(not(feature = "sqlite"))]
fn of_database(_: &TableArgument, name: &str) -> Result<(String, String), Diagnostic> {
    Err(without_databases(name))
}

#[cfg(not(feature = "sqlite"))]
fn tables_of_database(_: &Path, name: &str) -> Result<Vec<String>, Diagnostic> {
    Err(without_databases(name))
}

#[cfg(not(feature = "sqlite"))]
fn without_databases(name: &str) -> Diagnostic {
    cannot_read(name, "it is a database of SQLite, which this program was built without")
        .help("build it with `--features sqlite`, or export the table as CSV")
}

/// The error that a sheet is missing or not chosen; each known one is told with whether it is empty.
fn no_sheet(table: &TableArgument, name: &str, noun: &str, known: &[(String, bool)]) -> Diagnostic {
    let listed = known.iter().map(|(known, is_empty)| format!("`{known}`{}", if *is_empty { " (empty)" } else { "" }));
    let listed: Vec<String> = listed.collect();
    let list = format!("the {noun}s are {}", listed.join(", "));
    let TableArgument { parameter, sheet, .. } = table;
    match (sheet, known) {
        (_, []) => cannot_read(name, &format!("there is no {noun} in it")),
        (Some(sheet), _) => {
            let error = cannot_read(name, &format!("it has no {noun} `{sheet}`"));
            match nearest(sheet, known.iter().map(|(known, _)| known.as_str())) {
                Some(near) => error.help(format!("did you mean `{parameter}={name}#{near}`?")),
                None => error.help(list),
            }
        }
        (None, [first, ..]) => {
            let (first, _) = known.iter().find(|(_, is_empty)| !is_empty).unwrap_or(first);
            cannot_read(name, &format!("it has {} {noun}s", known.len()))
                .help(format!("name one of them, as in `{parameter}={name}#{first}`"))
                .note(list)
        }
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
        const SQLITE: &[u8] = b"SQLite format 3\0";
        if Workbook::is_workbook(bytes) {
            TableFormat::Workbook
        } else if bytes.starts_with(SQLITE) {
            TableFormat::Database
        } else {
            TableFormat::Text
        }
    }
}
