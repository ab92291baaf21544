//! Converts sheets of Excel and LibreOffice and tables of SQLite to CSV, so that all other code reads one form. Row
//! numbers are preserved.

use super::named_table::TableArgument;
use conjure_like::{Code, Diagnostic, Text, Workbook, nearest};
use std::path::Path;

/// The name and the text of the chosen sheet of a workbook or a database; `None` if the bytes are text.
pub(crate) fn sheet_text(
    table: &TableArgument,
    name: &str,
    bytes: &[u8],
) -> Option<Result<(String, String), Diagnostic>> {
    match TableFormat::of(bytes) {
        TableFormat::Text => None,
        TableFormat::Workbook => Some(of_workbook(table, name, bytes.to_vec())),
        TableFormat::Database => Some(of_database(table, name)),
    }
}

/// All tables of a workbook or a database, each for the parameter or variable of its name; `None` if the bytes are
/// text.
pub(crate) fn all_sheets(file: &Path, name: &str, bytes: &[u8]) -> Option<Result<Vec<Text>, Diagnostic>> {
    let tables = match TableFormat::of(bytes) {
        TableFormat::Text => return None,
        TableFormat::Workbook => all_of_workbook(name, bytes.to_vec()),
        TableFormat::Database => all_of_database(file, name),
    };
    let table = |(sheet, text): (String, String)| Text::table(format!("{name}#{sheet}"), text, sheet, "");
    Some(tables.map(|tables| tables.into_iter().map(table).collect()))
}

/// The non-empty sheets with their names.
fn all_of_workbook(name: &str, bytes: Vec<u8>) -> Result<Vec<(String, String)>, Diagnostic> {
    let mut book = Workbook::open(name, bytes)?;
    let sheets = book.sheets().into_iter().map(|sheet| book.table(&sheet).map(|text| (sheet, text)));
    let sheets: Vec<(String, String)> = sheets.collect::<Result<_, _>>()?;
    Ok(sheets.into_iter().filter(|(_, text)| !text.trim().is_empty()).collect())
}

fn unreadable_sheet(name: &str, why: &str) -> Diagnostic {
    Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{name}`: {why}"))
}

/// The chosen sheet of a workbook as CSV.
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
    // An empty sheet is a mistake only if another sheet could have been meant.
    if text.trim().is_empty() && sheets.len() > 1 {
        let sheets: Vec<(String, bool)> = sheets.iter().map(|sheet| (sheet.clone(), book.is_empty(sheet))).collect();
        return Err(empty_sheet(table, name, sheet, &sheets));
    }
    Ok((format!("{name}#{sheet}"), text))
}

/// The error about an empty sheet.
fn empty_sheet(table: &TableArgument, name: &str, sheet: &str, sheets: &[(String, bool)]) -> Diagnostic {
    let error = unreadable_sheet(name, &format!("the sheet `{sheet}` is empty"));
    match sheets.iter().find(|(_, is_empty)| !is_empty) {
        Some((filled, _)) => error.help(format!("name another one, as in `{}={name}#{filled}`", table.parameter)),
        None => error,
    }
}

#[cfg(feature = "sqlite")]
fn of_database(table: &TableArgument, name: &str) -> Result<(String, String), Diagnostic> {
    let unreadable = |error: rusqlite::Error| unreadable_sheet(name, &error.to_string());
    let (database, names) = database(&table.file, name)?;
    let chosen = match (&table.sheet, names.as_slice()) {
        (Some(chosen), _) if names.contains(chosen) => chosen,
        (None, [only]) => only,
        _ => {
            let is_empty = |name: &String| {
                // SQL doubles quotation marks in quoted names.
                let query = format!("select not exists (select * from \"{}\")", name.replace('"', "\"\""));
                database.query_row(&query, [], |row| row.get(0)).unwrap_or(false)
            };
            let names: Vec<(String, bool)> = names.iter().map(|name| (name.clone(), is_empty(name))).collect();
            return Err(no_sheet(table, name, "table", &names));
        }
    };
    let text = table_of_database(&database, chosen).map_err(unreadable)?;
    Ok((format!("{name}#{chosen}"), text))
}

/// All tables of a database with their names.
#[cfg(feature = "sqlite")]
fn all_of_database(file: &Path, name: &str) -> Result<Vec<(String, String)>, Diagnostic> {
    let (database, names) = database(file, name)?;
    let tables = names.into_iter().map(|table| table_of_database(&database, &table).map(|text| (table, text)));
    tables.collect::<Result<_, _>>().map_err(|error| unreadable_sheet(name, &error.to_string()))
}

/// A table of a database as CSV.
#[cfg(feature = "sqlite")]
fn table_of_database(database: &rusqlite::Connection, table: &str) -> rusqlite::Result<String> {
    use conjure_like::{TableCell, TableText};
    use rusqlite::types::ValueRef;
    // SQL doubles quotation marks in quoted names.
    let query = format!("select * from \"{}\"", table.replace('"', "\"\""));
    let mut statement = database.prepare(&query)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut text = TableText::default();
    text.add_row(columns.iter().map(|name| TableCell::Text(name.clone())));
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let cell = |at: usize| {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => TableCell::Empty,
                ValueRef::Integer(value) => TableCell::Number(value.to_string()),
                ValueRef::Real(value) => TableCell::Number(TableText::number(value)),
                ValueRef::Text(text) => TableCell::Text(String::from_utf8_lossy(text).trim().to_owned()),
                ValueRef::Blob(_) => TableCell::Text("(bytes)".to_owned()),
            })
        };
        let cells = (0..columns.len()).map(cell).collect::<Result<Vec<_>, rusqlite::Error>>()?;
        text.add_row(cells);
    }
    Ok(text.into())
}

/// A database, and the names of its tables.
#[cfg(feature = "sqlite")]
fn database(file: &Path, name: &str) -> Result<(rusqlite::Connection, Vec<String>), Diagnostic> {
    use rusqlite::{Connection, OpenFlags};
    let opened = || {
        // By default, SQLite would create the database if it is missing.
        let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let names = "select name from sqlite_schema where type in ('table', 'view') order by name";
        let names = database.prepare(names)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok((database, names))
    };
    opened().map_err(|error: rusqlite::Error| unreadable_sheet(name, &error.to_string()))
}

#[cfg(not(feature = "sqlite"))]
fn of_database(_: &TableArgument, name: &str) -> Result<(String, String), Diagnostic> {
    Err(without_databases(name))
}

#[cfg(not(feature = "sqlite"))]
fn all_of_database(_: &Path, name: &str) -> Result<Vec<(String, String)>, Diagnostic> {
    Err(without_databases(name))
}

#[cfg(not(feature = "sqlite"))]
fn without_databases(name: &str) -> Diagnostic {
    unreadable_sheet(name, "it is an SQLite database, and this program was built without SQLite")
        .help("build conjure-like with `--features sqlite`, or export the table as CSV")
}

/// The error about a sheet that is missing or not chosen; lists the known ones and marks those that are empty.
fn no_sheet(table: &TableArgument, name: &str, noun: &str, known: &[(String, bool)]) -> Diagnostic {
    let listed = known.iter().map(|(known, is_empty)| format!("`{known}`{}", if *is_empty { " (empty)" } else { "" }));
    let listed: Vec<String> = listed.collect();
    let list = format!("the {noun}s are {}", listed.join(", "));
    let TableArgument { parameter, sheet, .. } = table;
    match (sheet, known) {
        (_, []) => unreadable_sheet(name, &format!("there is no {noun} in it")),
        (Some(sheet), _) => {
            let error = unreadable_sheet(name, &format!("it has no {noun} `{sheet}`"));
            match nearest(sheet, known.iter().map(|(known, _)| known.as_str())) {
                Some(near) => error.help(format!("did you mean `{parameter}={name}#{near}`?")),
                None => error.help(list),
            }
        }
        (None, [first, ..]) => {
            let (first, _) = known.iter().find(|(_, is_empty)| !is_empty).unwrap_or(first);
            unreadable_sheet(name, &format!("it has {} {noun}s", known.len()))
                .help(format!("name one of them, as in `{parameter}={name}#{first}`"))
                .note(list)
        }
    }
}

/// The formats of tables, by their first bytes.
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
