//! Tables as data: correct tables of every shape in every format, and broken ones, whose errors name row and column.

use conjure_like::{
    Code, Count, JsonShape, Model, Report, Severity, SolveOptions, TableCell, TableLayout, TableText, Text, Values,
    Workbook,
};
use serde_json::json;
use std::{collections::BTreeSet, fs, io::Write, ops::ControlFlow, path::Path, process::Command};

/// A model with one parameter, and a correct table for it as rows of cells.
struct Shape {
    name: &'static str,
    declaration: &'static str,
    /// The names of the columns, if the table has a header.
    header: Option<&'static [&'static str]>,
    rows: &'static [&'static [&'static str]],
    /// The contents of each column.
    columns: &'static [Holds],
    /// The same value in Essence.
    essence: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum Holds {
    /// An integer from 0 to 50.
    Int,
    Bool,
    /// A member of `staff`: Anna, Ben or Zoë Ø.
    Member,
}
use Holds::{Bool, Int, Member};

const SHAPES: &[Shape] = &[
    Shape {
        name: "function",
        declaration: "p : function staff --> int(0..50)",
        header: Some(&["name", "hours"]),
        rows: &[&["Anna", "8"], &["Ben", "7"], &["Zoë Ø", "0"]],
        columns: &[Member, Int],
        essence: "function(Anna --> 8, Ben --> 7, \"Zoë Ø\" --> 0)",
    },
    Shape {
        name: "function of two arguments",
        declaration: "p : function (staff, int(0..50)) --> bool",
        header: Some(&["name", "day", "free"]),
        rows: &[&["Anna", "1", "true"], &["Anna", "2", "no"], &["Ben", "1", "1"], &["Ben", "2", "false"]],
        columns: &[Member, Int, Bool],
        essence: "function((Anna, 1) --> true, (Anna, 2) --> false, (Ben, 1) --> true, (Ben, 2) --> false)",
    },
    Shape {
        // The rows of `Anna` make one set.
        name: "function to sets",
        declaration: "p : function staff --> set of int(0..50)",
        header: Some(&["name", "skill"]),
        rows: &[&["Anna", "8"], &["Ben", "7"], &["Anna", "3"]],
        columns: &[Member, Int],
        essence: "function(Anna --> {3, 8}, Ben --> {7})",
    },
    Shape {
        name: "relation",
        declaration: "p : relation of (staff * int(0..50) * bool)",
        header: None,
        rows: &[&["Ben", "1", "yes"], &["Anna", "2", "0"]],
        columns: &[Member, Int, Bool],
        essence: "relation((Ben, 1, true), (Anna, 2, false))",
    },
    Shape {
        name: "set",
        declaration: "p : set of int(0..50)",
        header: Some(&["number"]),
        rows: &[&["4"], &["2"], &["50"]],
        columns: &[Int],
        essence: "{2, 4, 50}",
    },
    Shape {
        name: "set of tuples",
        declaration: "p : set of (staff, int(0..50))",
        header: Some(&["who", "when"]),
        rows: &[&["Ben", "4"], &["Anna", "2"]],
        columns: &[Member, Int],
        essence: "{(Ben, 4), (Anna, 2)}",
    },
    Shape {
        name: "mset",
        declaration: "p : mset of staff",
        header: Some(&["who"]),
        rows: &[&["Ben"], &["Anna"], &["Zoë Ø"]],
        columns: &[Member],
        essence: "mset(Anna, Ben, \"Zoë Ø\")",
    },
    Shape {
        // The fields are found by the names of the columns, in any order.
        name: "sequence of records",
        declaration: "p : sequence of record {length : int(0..50), who : staff, done : bool}",
        header: Some(&["who", "done", "length"]),
        rows: &[&["Ben", "no", "4"], &["Anna", "yes", "2"]],
        columns: &[Member, Bool, Int],
        essence: "sequence(record {length = 4, who = Ben, done = false}, record {length = 2, who = Anna, done = true})",
    },
    Shape {
        name: "record",
        declaration: "p : record {low : int(0..50), who : staff}",
        header: Some(&["who", "low"]),
        rows: &[&["Ben", "4"]],
        columns: &[Member, Int],
        essence: "record {low = 4, who = Ben}",
    },
    Shape {
        // Without a header, the columns are the components in order.
        name: "tuple",
        declaration: "p : (int(0..50), bool)",
        header: None,
        rows: &[&["7", "true"]],
        columns: &[Int, Bool],
        essence: "(7, true)",
    },
    Shape {
        name: "matrix of one dimension",
        declaration: "p : matrix indexed by [int(0..2)] of int(0..50)",
        header: Some(&["weight"]),
        rows: &[&["4"], &["5"], &["6"]],
        columns: &[Int],
        essence: "[4, 5, 6; int(0..2)]",
    },
    Shape {
        // The first column has the indices, so the rows may be in any order.
        name: "matrix by names",
        declaration: "p : matrix indexed by [staff] of int(0..50)",
        header: Some(&["name", "weight"]),
        rows: &[&["Ben", "5"], &["Anna", "4"], &["Zoë Ø", "6"]],
        columns: &[Member, Int],
        essence: "[4, 5, 6; staff]",
    },
    Shape {
        name: "matrix of two dimensions, an element in each row",
        declaration: "p : matrix indexed by [staff, int(1..2)] of bool",
        header: Some(&["name", "day", "free"]),
        rows: &[
            &["Anna", "1", "true"],
            &["Anna", "2", "false"],
            &["Ben", "1", "true"],
            &["Ben", "2", "true"],
            &["Zoë Ø", "1", "false"],
            &["Zoë Ø", "2", "false"],
        ],
        columns: &[Member, Int, Bool],
        essence: "[[true, false], [true, true], [false, false]; staff]",
    },
    Shape {
        name: "grid",
        declaration: "p : matrix indexed by [int(1..2), int(0..3)] of int(0..50)",
        header: None,
        rows: &[&["1", "2", "3", "4"], &["5", "6", "7", "8"]],
        columns: &[Int, Int, Int, Int],
        essence: "[[1, 2, 3, 4; int(0..3)], [5, 6, 7, 8; int(0..3)]; int(1..2)]",
    },
    Shape {
        // The header has the indices of the second dimension.
        name: "grid with labels",
        declaration: "p : matrix indexed by [staff, int(1..3)] of int(0..50)",
        header: Some(&["name", "1", "2", "3"]),
        rows: &[&["Ben", "5", "6", "7"], &["Anna", "1", "2", "3"], &["Zoë Ø", "9", "9", "9"]],
        columns: &[Member, Int, Int, Int],
        essence: "[[1, 2, 3], [5, 6, 7], [9, 9, 9]; staff]",
    },
    Shape {
        // The function is not defined at an empty cell.
        name: "function as a grid",
        declaration: "p : function (int(0..50), staff) --> int(0..50)",
        header: Some(&["day", "Anna", "Ben"]),
        rows: &[&["1", "5", "6"], &["2", "", "2"]],
        columns: &[Int, Int, Int],
        essence: "function((1, Anna) --> 5, (1, Ben) --> 6, (2, Ben) --> 2)",
    },
    Shape {
        // The alternative of a row is its only column with a value.
        name: "variant",
        declaration: "p : sequence of variant {hours : int(0..50), who : staff}",
        header: Some(&["hours", "who"]),
        rows: &[&["5", ""], &["", "Ben"]],
        columns: &[Int, Member],
        essence: "sequence(variant {hours = 5}, variant {who = Ben})",
    },
];

/// The formats of tables.
#[derive(Clone, Copy, Debug)]
enum Form {
    Csv,
    Semicolons,
    Tabs,
    Quoted,
    /// With empty lines, and lines of separators, which spreadsheets may append.
    Gaps,
    Windows,
}

const FORMS: [Form; 6] = [Form::Csv, Form::Semicolons, Form::Tabs, Form::Quoted, Form::Gaps, Form::Windows];

impl Form {
    /// The text of a table, and the number of each row as a spreadsheet shows it.
    fn write(self, rows: &[Vec<String>]) -> (String, Vec<usize>) {
        let (separator, end) = match self {
            // Spreadsheets write these where the comma is the decimal mark.
            Form::Semicolons => (";", "\n"),
            Form::Tabs => ("\t", "\n"),
            Form::Windows => (",", "\r\n"),
            _ => (",", "\n"),
        };
        let cell = |cell: &String| match self {
            Form::Quoted => format!("\"{}\"", cell.replace('"', "\"\"")),
            _ => cell.clone(),
        };
        let (mut text, mut numbers, mut number) = (String::new(), Vec::new(), 0);
        for (at, row) in rows.iter().enumerate() {
            // An empty line and a line of separators count as rows.
            if matches!(self, Form::Gaps) && at % 2 == 1 {
                text += &format!("\n{}\n", ",".repeat(row.len() - 1));
                number += 2;
            }
            number += 1;
            numbers.push(number);
            text += &(row.iter().map(cell).collect::<Vec<_>>().join(separator) + end);
        }
        if matches!(self, Form::Gaps) {
            text += "\n,,\n";
        }
        (text, numbers)
    }
}

impl Shape {
    fn cells(&self) -> Vec<Vec<String>> {
        let owned = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        self.header.iter().chain(self.rows).map(owned).collect()
    }

    fn model(&self) -> String {
        let declaration = self.declaration;
        format!(
            "given staff new type enum\ngiven {declaration}\ngiven q : {}\nfind x : bool\nwhere p = q",
            declaration.split_once(" : ").expect("a name").1
        )
    }

    /// The name of a column in messages.
    fn column(&self, at: usize) -> String {
        match self.header {
            Some(names) => names[at].to_owned(),
            None => String::from_utf8(vec![b'A' + at as u8]).expect("a letter"),
        }
    }
}

const STAFF: &str = "letting staff be new type enum {Anna, Ben, \"Zoë Ø\"}";

/// The diagnostics about a table as the value of the parameter `p`.
fn said(model: &str, table: &Text, others: &str) -> Report {
    let model = Model::read(&Text::new("m.essence", model)).expect("a model");
    match model.instance(&[Text::new("staff.param", STAFF), Text::new("-D", others), table.clone()]) {
        Ok(instance) => instance.warnings(),
        Err(report) => report,
    }
}

#[test]
fn a_table_in_any_form_is_the_value_that_it_looks_like() {
    for shape in SHAPES {
        for form in FORMS {
            let (text, _) = form.write(&shape.cells());
            let table = Text::table("t.csv", text.clone(), "p", "");
            let report = said(&shape.model(), &table, &format!("letting q be {}", shape.essence));
            assert!(!report.has_errors(), "{} as {form:?}:\n{text}\n{report}", shape.name);
        }
    }
}

#[test]
fn lists_of_objects_are_tables() {
    for shape in SHAPES {
        let Some(names) = shape.header else { continue };
        let object = |row: &&[&str]| {
            let members: Vec<String> =
                names.iter().zip(*row).map(|(name, cell)| format!("{name:?}: {cell:?}")).collect();
            format!("{{{}}}", members.join(", "))
        };
        let objects: Vec<String> = shape.rows.iter().map(object).collect();
        for text in [format!("[{}]", objects.join(",\n")), objects.join("\n")] {
            let table = Text::table("t.json", text.clone(), "p", "");
            let report = said(&shape.model(), &table, &format!("letting q be {}", shape.essence));
            assert!(!report.has_errors(), "{}:\n{text}\n{report}", shape.name);
        }
    }
}

/// Texts that do not fit a cell of this kind, each for another reason.
fn wrong(holds: Holds) -> &'static [&'static str] {
    match holds {
        Int => &[
            "abc",
            "1.5",
            "1,5x",
            "08:30",
            "2026-11-02",
            "1e",
            "--1",
            "99999999999999999999",
            "51",
            "-1",
            "5 kg",
            "#N/A",
        ],
        Bool => &["maybe", "2", "t", "tru"],
        Member => &["Anne", "Zoe", "7", "Ben, Anna", "benjamin"],
    }
}

/// A correct table with one broken cell.
struct BrokenTable {
    shape: &'static Shape,
    /// The index of the row, not counting the header.
    row: usize,
    column: usize,
    text: &'static str,
}

/// Each text that does not fit, in each cell of each shape.
fn broken_tables() -> Vec<BrokenTable> {
    let mut found = Vec::new();
    for shape in SHAPES {
        for (column, holds) in shape.columns.iter().enumerate() {
            for text in wrong(*holds) {
                // Any integer is a valid index of a matrix; the error is about missing indices then.
                let is_index = shape.declaration.contains("matrix") && column + 1 < shape.columns.len();
                let is_number = ["51", "-1"].contains(text);
                if is_index && *holds == Int && is_number && shape.name.starts_with("matrix") {
                    continue;
                }
                for row in 0..shape.rows.len() {
                    // If there is no header and no cell of the first row is a value, that row is taken for a header.
                    let is_header = shape.header.is_none() && row == 0 && shape.columns.len() < 3;
                    // The corner of a labelled grid may contain any text.
                    let is_corner = shape.name == "grid" && (row, column) == (0, 0);
                    if !shape.rows[row][column].is_empty() && !is_header && !is_corner {
                        found.push(BrokenTable { shape, row, column, text });
                    }
                }
            }
        }
    }
    // The conditions above must not exclude most of the tables.
    let kinds: BTreeSet<(&str, usize, &str)> =
        found.iter().map(|broken| (broken.shape.name, broken.column, broken.text)).collect();
    assert!(kinds.len() >= 200, "{} kinds", kinds.len());
    found
}

impl BrokenTable {
    /// All cells, including the header, with this text in the broken one.
    fn cells(&self, text: &str) -> Vec<Vec<String>> {
        let mut cells = self.shape.cells();
        cells[usize::from(self.shape.header.is_some()) + self.row][self.column] = text.to_owned();
        cells
    }

    /// The model; the table is its only error.
    fn model(&self) -> String {
        format!("given staff new type enum\ngiven {}\nfind x : bool", self.shape.declaration)
    }

    /// Asserts that an error message starts with this place.
    fn assert_named(&self, place: &str, report: &Report, written: &str) {
        let is_named = report.diagnostics.iter().any(|diagnostic| {
            diagnostic.severity == Severity::Error && diagnostic.message.starts_with(&format!("{place}: "))
        });
        assert!(is_named, "{}, {}: {place} is not named\n{written}\n{report}", self.shape.name, self.text);
    }
}

/// In each format, the first error names row and column as a spreadsheet shows them, and the text in the cell.
#[test]
fn a_broken_cell_is_named_by_row_and_column() {
    for broken in broken_tables() {
        let BrokenTable { shape, row, column, text } = broken;
        let first = usize::from(shape.header.is_some());
        for form in FORMS {
            // Only quoted cells may contain the separator.
            let cells = broken.cells(&match form {
                Form::Quoted => text.to_owned(),
                _ => text.replace(',', "."),
            });
            let (written, numbers) = form.write(&cells);
            let report = said(&broken.model(), &Text::table("t.csv", written.clone(), "p", ""), "");
            let place = format!("`t.csv`, row {}, column {}", numbers[first + row], shape.column(column));
            broken.assert_named(&place, &report, &written);
        }
    }
}

/// In lists of objects, objects on separate lines, and lists of lists, the first error names entry and column.
#[test]
fn a_broken_cell_in_json_is_named_by_entry_and_column() {
    for broken in broken_tables() {
        let BrokenTable { shape, row, column, text } = broken;
        // Try the broken text, and for each column also values that only JSON has.
        let mut values = vec![json!(text)];
        if wrong(shape.columns[column])[0] == text {
            values.extend([json!([1, 2]), json!({"a": 1}), json!(null)]);
        }
        for value in values {
            let first = usize::from(shape.header.is_some());
            let cells = broken.cells("");
            let value = |(at, cells): (usize, &Vec<String>), of: usize| match (at, of) == (row, column) {
                true => value.clone(),
                false => json!(cells[of]),
            };
            let rows = || cells[first..].iter().enumerate();
            let (texts, name) = match shape.header {
                Some(names) => {
                    let members = |row| names.iter().enumerate().map(move |(of, name)| (*name, value(row, of)));
                    let object = |row| {
                        let members = members(row).map(|(name, value)| format!("{}: {value}", json!(name)));
                        format!("{{{}}}", members.collect::<Vec<String>>().join(", "))
                    };
                    let objects: Vec<String> = rows().map(object).collect();
                    (vec![format!("[{}]", objects.join(",\n")), objects.join("\n")], names[column].to_owned())
                }
                None => {
                    let list = |row: (usize, &Vec<String>)| {
                        (0..shape.columns.len()).map(|of| value(row, of)).collect::<serde_json::Value>()
                    };
                    (vec![rows().map(list).collect::<serde_json::Value>().to_string()], shape.column(column))
                }
            };
            for written in texts {
                if may_be_empty(shape) && written.contains("null") {
                    continue;
                }
                let report = said(&broken.model(), &Text::table("t.json", written.clone(), "p", ""), "");
                broken.assert_named(&format!("`t.json`, entry {}, column {name}", row + 1), &report, &written);
            }
        }
    }
}

/// True if empty cells are valid in a table of this shape. A row without any value is skipped.
fn may_be_empty(shape: &Shape) -> bool {
    shape.columns.len() == 1 || ["function to sets", "function as a grid", "variant"].contains(&shape.name)
}

/// A broken table of each kind, for formats that need a process or a sheet for each table.
fn one_of_each_kind() -> Vec<BrokenTable> {
    let mut seen = BTreeSet::new();
    let is_new = |broken: &BrokenTable| seen.insert((broken.shape.name, broken.column, broken.text));
    let tables: Vec<BrokenTable> = broken_tables().into_iter().filter(is_new).collect();
    assert!(tables.len() >= 200, "{} kinds", tables.len());
    tables
}

/// The offset of the table with this number in its sheet: empty rows above it, and empty columns before it.
fn beginning(number: usize) -> (u32, u16) {
    if number.is_multiple_of(2) { (0, 0) } else { (3, 1) }
}

impl BrokenTable {
    /// The place that starts a message about the sheet with this number.
    fn place_in_sheet(&self, file: &str, number: usize) -> String {
        let (down, right) = beginning(number);
        let row = down as usize + usize::from(self.shape.header.is_some()) + self.row + 1;
        let column = match self.shape.header {
            Some(names) => names[self.column].to_owned(),
            None => char::from(b'A' + right as u8 + self.column as u8).to_string(),
        };
        format!("`{file}#s{number}`, row {row}, column {column}")
    }

    /// The program's messages about a file with the table.
    fn said_by_program(&self, folder: &Path, word: &str) -> String {
        std::fs::write(folder.join("staff.param"), STAFF).expect("a file");
        std::fs::write(folder.join("m.essence"), self.model()).expect("a file");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(["type-check", "m.essence", "staff.param", word])
            .current_dir(folder)
            .output()
            .expect("the program");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

/// In a sheet with an offset, the first error names row and column as the workbook shows them.
#[test]
fn a_broken_cell_in_a_workbook_is_named_by_row_and_column() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = one_of_each_kind();
    let mut workbook = rust_xlsxwriter::Workbook::new();
    for (number, broken) in tables.iter().enumerate() {
        let (down, right) = beginning(number);
        let sheet = workbook.add_worksheet().set_name(format!("s{number}")).expect("a name");
        for (row, cells) in (down..).zip(broken.cells(broken.text)) {
            for (column, text) in (right..).zip(cells) {
                match text.parse::<f64>() {
                    Ok(value) => sheet.write_number(row, column, value),
                    // A formula with an error as its value.
                    Err(_) if text == "#N/A" => {
                        sheet.write_formula(row, column, rust_xlsxwriter::Formula::new("=NA()").set_result("#N/A"))
                    }
                    Err(_) if text == "true" || text == "false" => sheet.write_boolean(row, column, text == "true"),
                    Err(_) if text.is_empty() => continue,
                    Err(_) => sheet.write_string(row, column, text),
                }
                .expect("a cell");
            }
        }
    }
    workbook.save(folder.path().join("t.xlsx")).expect("a workbook");
    for (number, broken) in tables.iter().enumerate() {
        let said = broken.said_by_program(folder.path(), &format!("p=t.xlsx#s{number}"));
        let place = broken.place_in_sheet("t.xlsx", number);
        assert!(said.contains(&format!("{place}: ")), "{}, {}: {place}\n{said}", broken.shape.name, broken.text);
    }
}

/// A workbook as LibreOffice writes it, with a sheet for each table, at the offsets of [`beginning`].
fn open_document(sheets: &[Vec<Vec<String>>]) -> Vec<u8> {
    const MIME: &str = "application/vnd.oasis.opendocument.spreadsheet";
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let cell = |text: &String| match text.parse::<f64>() {
        Ok(value) => format!(
            "<table:table-cell office:value-type=\"float\" office:value=\"{value}\"><text:p>{text}</text:p>\
             </table:table-cell>"
        ),
        _ if text.is_empty() => "<table:table-cell/>".to_owned(),
        _ if text.starts_with('=') => format!("<table:table-cell table:formula=\"of:{text}\"/>"),
        _ if text == "true" || text == "false" => format!(
            "<table:table-cell office:value-type=\"boolean\" office:boolean-value=\"{text}\"><text:p>{}</text:p>\
             </table:table-cell>",
            text.to_uppercase()
        ),
        _ => format!(
            "<table:table-cell office:value-type=\"string\"><text:p>{}</text:p></table:table-cell>",
            escaped(text)
        ),
    };
    let sheet = |(number, rows): (usize, &Vec<Vec<String>>)| {
        let (down, right) = beginning(number);
        let above = match down {
            0 => String::new(),
            _ => {
                format!("<table:table-row table:number-rows-repeated=\"{down}\"><table:table-cell/></table:table-row>")
            }
        };
        let left = match right {
            0 => String::new(),
            _ => format!("<table:table-cell table:number-columns-repeated=\"{right}\"/>"),
        };
        let row = |cells: &Vec<String>| {
            let cells: String = cells.iter().map(cell).collect();
            format!("<table:table-row>{left}{cells}</table:table-row>")
        };
        let rows: String = rows.iter().map(row).collect();
        // LibreOffice pads sheets with repeated empty rows, which must not be expanded.
        let below = "<table:table-row table:number-rows-repeated=\"1048000\">\
                     <table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>";
        format!("<table:table table:name=\"s{number}\">{above}{rows}{below}</table:table>")
    };
    let sheets: String = sheets.iter().enumerate().map(sheet).collect();
    let names = ["office", "table", "text"]
        .map(|name| format!("xmlns:{name}=\"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0\""));
    let content = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document-content {} office:version=\"1.3\"><office:body>\
         <office:spreadsheet>{sheets}</office:spreadsheet></office:body></office:document-content>",
        names.join(" ")
    );
    let manifest = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\">\
         <manifest:file-entry manifest:full-path=\"/\" manifest:media-type=\"{MIME}\"/>\
         <manifest:file-entry manifest:full-path=\"content.xml\" manifest:media-type=\"text/xml\"/></manifest:manifest>"
    );
    zipped(&[("mimetype", MIME), ("META-INF/manifest.xml", &manifest), ("content.xml", &content)])
}

fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a file");
        archive.write_all(text.as_bytes()).expect("a text");
    }
    archive.finish().expect("an archive").into_inner()
}

/// A workbook with one sheet, whose rows are given as XML.
fn xlsx(rows: &str) -> Vec<u8> {
    const MAIN: &str = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
    const RELATED: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"";
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships {PACKAGE}><Relationship Id=\"rId1\" Type=\"{RELATED}/{kind}\" Target=\"{target}\"/>\
             </Relationships>"
        )
    };
    let book = format!(
        "<workbook {MAIN} xmlns:r=\"{RELATED}\"><sheets><sheet name=\"s\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    zipped(&[
        ("[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>"),
        ("_rels/.rels", &related("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", &book),
        ("xl/_rels/workbook.xml.rels", &related("worksheet", "worksheets/sheet1.xml")),
        ("xl/worksheets/sheet1.xml", &format!("<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>")),
    ])
}

/// The XML of a text cell.
fn text_in(place: &str, text: &str) -> String {
    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

/// A formula has a value only if the program that saved the workbook has computed it.
#[test]
fn a_formula_without_a_value_is_named() {
    let rows = format!(
        "<row r=\"1\">{}{}</row><row r=\"2\">{}<c r=\"B2\"><f>1+1</f><v>2</v></c></row>\
         <row r=\"3\">{}<c r=\"B3\"><f>1+1</f></c></row>",
        text_in("A1", "name"),
        text_in("B1", "n"),
        text_in("A2", "Anna"),
        text_in("A3", "Ben")
    );
    let cells = [["name", "n"], ["Anna", "2"], ["Ben", "=1+1"]].map(|row| row.map(str::to_owned).to_vec());
    for (name, bytes) in [("t.xlsx", xlsx(&rows)), ("t.ods", open_document(&[cells.to_vec()]))] {
        let mut book = Workbook::open(name, bytes).expect("a workbook");
        let sheet = book.sheets().swap_remove(0);
        let text = book.table(&sheet).expect("a sheet");
        let model = "given staff new type enum\ngiven p : function staff --> int\nfind x : bool";
        let report = said(model, &Text::table(name, text.clone(), "p", ""), "");
        let named = report.diagnostics.iter().filter(|one| one.message.contains("the value of the formula `=1+1`"));
        let named: Vec<&str> = named.map(|one| one.message.split(": ").next().expect("a place")).collect();
        assert!(matches!(&named[..], [place] if place.ends_with("row 3, column n")), "{text}\n{report}");
        let counts = said("given q : int\nfind x : bool", &Text::table(name, text, "q", "n"), "");
        assert!(counts.to_string().contains("=1+1"), "{counts}");
    }
}

#[test]
fn a_sheet_is_not_larger_than_its_cells() {
    let table = |rows: &str| {
        let mut book = Workbook::open("t.xlsx", xlsx(rows)).expect("a workbook");
        book.table("s")
    };
    // Two cells in opposite corners of the largest sheet: most of its rows are empty.
    let far = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row>";
    let text = table(far).expect("a table");
    assert_eq!((text.lines().next(), text.lines().last().map(str::len)), (Some("1"), Some(16384)));
    assert_eq!(text.lines().count(), 1 << 20);
    for place in ["ABCDEF1", "XFE1", "A1048577"] {
        let rows = format!("<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row><c r=\"{place}\"><v>2</v></c></row>");
        let error = table(&rows).expect_err("an error");
        assert!(error.message.ends_with(&format!("has a cell {place}")), "{}", error.message);
    }
}

#[test]
fn a_broken_cell_in_an_open_document_is_named_by_row_and_column() {
    let tables = one_of_each_kind();
    let sheets: Vec<Vec<Vec<String>>> = tables.iter().map(|broken| broken.cells(broken.text)).collect();
    let mut book = Workbook::open("t.ods", open_document(&sheets)).expect("a workbook");
    for (number, broken) in tables.iter().enumerate() {
        let written = book.table(&format!("s{number}")).expect("a sheet");
        let table = Text::table(format!("t.ods#s{number}"), written.clone(), "p", "");
        broken.assert_named(&broken.place_in_sheet("t.ods", number), &said(&broken.model(), &table, ""), &written);
    }
}

/// In a database, the names of the columns count as row 1.
#[cfg(feature = "sqlite")]
#[test]
fn a_broken_cell_in_a_database_is_named_by_row_and_column() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = rusqlite::Connection::open(folder.path().join("t.sqlite")).expect("a database");
    let tables: Vec<BrokenTable> =
        one_of_each_kind().into_iter().filter(|broken| broken.shape.header.is_some()).collect();
    database.execute_batch("begin").expect("a transaction");
    for (number, broken) in tables.iter().enumerate() {
        let cells = broken.cells(broken.text);
        let quoted = |text: &String| match text.parse::<i64>() {
            Ok(value) => value.to_string(),
            Err(_) if text.is_empty() => "null".to_owned(),
            Err(_) => format!("'{}'", text.replace('\'', "''")),
        };
        let names: Vec<String> = cells[0].iter().map(|name| format!("\"{name}\"")).collect();
        let rows = cells[1..].iter().map(|row| format!("({})", row.iter().map(quoted).collect::<Vec<_>>().join(", ")));
        let rows = rows.collect::<Vec<_>>().join(", ");
        let names = names.join(", ");
        let made = format!("create table s{number} ({names}); insert into s{number} values {rows}");
        database.execute_batch(&made).expect("a table");
    }
    database.execute_batch("commit").expect("a transaction");
    for (number, broken) in tables.iter().enumerate() {
        let said = broken.said_by_program(folder.path(), &format!("p=t.sqlite#s{number}"));
        let names = broken.shape.header.expect("names");
        let place = format!("`t.sqlite#s{number}`, row {}, column {}: ", broken.row + 2, names[broken.column]);
        assert!(said.contains(&place), "{}, {}: {place}\n{said}", broken.shape.name, broken.text);
    }
}

/// Tables that are broken as a whole: declaration, chosen columns, text, code, and a part of the first message.
const BROKEN: &[(&str, &str, &str, Code, &str)] = &[
    ("p : function staff --> int", "", "", Code::TABLE, "there is nothing in the table"),
    ("p : function staff --> int", "", "name\nAnna\n", Code::TABLE, "takes 2 columns, but the table has 1"),
    ("p : function staff --> int", "name", "name,n\nAnna,1\n", Code::TABLE, "takes 2 columns, but you have chosen 1"),
    ("p : function staff --> int", "name,nn", "name,n\nAnna,1\n", Code::TABLE, "has no column `nn`"),
    ("p : function staff --> int", "name,n@tim", "name,n\nAnna,1\n", Code::TABLE, "has no column `n@tim`"),
    ("p : function staff --> int", "", "name,n\nAnna,1\nBen,2\nAnna,3\n", Code::TABLE, "row 4, column name: `Anna`"),
    (
        "p : function staff --> int",
        "",
        "name,n\nAnna,1\nAnna,1\nAnna,3\n",
        Code::TABLE,
        "row 4, column name: `Anna` has another value than in row 2",
    ),
    ("p : function staff --> int", "", "name,p,p\nAnna,1,2\n", Code::TABLE, "has two columns `p`"),
    ("p : function staff --> int", "name,m", "name,m,m\nAnna,1,2\n", Code::TABLE, "has two columns `m`"),
    ("p : function staff --> int", "", "Our people\nname,n\nAnna,1\n", Code::TABLE, "row 1: this row has 1 name"),
    ("p : function staff --> int", "name,n", "Our people\nname,n\nAnna,1\n", Code::TABLE, "has no column `name`"),
    ("p : function staff --> int", "", "name,n\nAnna,=1+1\n", Code::TABLE, "row 2, column n: the value of the formula"),
    ("p : set of staff", "", "[{\"a\": \"Anna\", \"a\": \"Ben\"}]", Code::TABLE, "entry 1: the key `a` is given twice"),
    ("p : function staff --> int", "", "name,n\nAnna,1\nBen,2,3\n", Code::TABLE, "row 3, column C: `3`"),
    ("p : function staff --> int", "", "name,n\nAnna,1\n\"Ben,2\n", Code::TABLE, "row 3: a quotation mark"),
    ("p : function staff --> int", "", "Anna,x\nBen,2\n", Code::TABLE, "row 1, column B: `x` is neither"),
    ("p : function staff --> int", "", "name,n\nAnna,\nBen,2\n", Code::TABLE, "row 2, column n: the cell is empty"),
    ("p : function staff --> int", "", "name,n\n,5\nBen,2\n", Code::TABLE, "row 2, column name: the cell is empty"),
    // The table can be read, but its value is outside the domain.
    ("p : function (total) staff --> int", "", "name,n\nAnna,1\n", Code::OUTSIDE_DOMAIN, "outside its domain"),
    ("p : set (size 3) of int", "", "n\n1\n2\n", Code::OUTSIDE_DOMAIN, "outside its domain"),
    ("p : (int, int)", "", "1,2\n3,4\n", Code::TABLE, "has 2 rows with values, but `p` takes one"),
    ("p : int", "", "n\n", Code::TABLE, "has no row with values"),
    ("p : record {a : int, b : int}", "", "a,c\n1,2\n", Code::TABLE, "has no column `b`"),
    ("p : record {a : int, b : int}", "", "1,2\n", Code::TABLE, "there is no column `a`"),
    ("p : sequence of variant {a : int, b : int}", "", "a,b\n1,2\n", Code::TABLE, "row 2: 2 of the alternatives"),
    ("p : matrix indexed by [staff, int] of int", "", "n,d,v\nAnna,1,1\nAnna,2,1\nBen,1,1\n", Code::TABLE, "1 element"),
    ("p : matrix indexed by [int, int] of int", "", "1,2\n3,4,5\n", Code::TABLE, "row 1, column C"),
    (
        "p : matrix indexed by [int, int] of int",
        "",
        "1,2,3,4\n3,4\n",
        Code::TABLE,
        "row 2, column C: the cell is empty",
    ),
    (
        "p : matrix indexed by [staff, int] of int",
        "",
        "n,1,2\nAnna,1,2\nAnna,3,4\n",
        Code::TABLE,
        "row 3, column n: `Anna`",
    ),
    (
        "p : matrix indexed by [staff, int] of int",
        "",
        "n,1,1\nAnna,1,2\nBen,3,4\n",
        Code::TABLE,
        "label of two columns",
    ),
    // Domains without a form as a table.
    ("p : set of set of int", "", "n\n1\n", Code::TABLE, "a table cannot hold"),
    ("p : partition from int(1..3)", "", "n\n1\n", Code::TABLE, "a table cannot hold"),
    (
        "p : function staff --> int",
        "name,n@time",
        "name,n\nAnna,8\n",
        Code::TABLE,
        "row 2, column n: `8` is not a time",
    ),
    (
        "p : function staff --> int",
        "name,n@date",
        "name,n\nAnna,8\n",
        Code::TABLE,
        "row 2, column n: `8` is not a date",
    ),
    (
        "p : function staff --> int",
        "name,n@0.05",
        "name,n\nAnna,8.12\n",
        Code::TABLE,
        "`8.12` is not a multiple of 0.05",
    ),
    (
        "p : function staff --> int",
        "name,n@0.05",
        "name,n\nAnna,\"8,100\"\n",
        Code::TABLE,
        "row 2, column n: the comma of `8,100`",
    ),
    ("p : function staff --> int", "3,1", "name,n\nAnna,1\n", Code::TABLE, "no column `3`"),
    ("p : function staff --> int", "@no-header", "name,n\nAnna,1\n", Code::TABLE, "row 1, column A: `name`"),
    ("p : function staff --> int", "", "[{\"name\": \"Anna\", \"n\": [1]}]", Code::TABLE, "entry 1, column n: `[…]`"),
    (
        "p : function staff --> int",
        "",
        "[{\"name\": \"Anna\", \"n\": null}]",
        Code::TABLE,
        "entry 1, column n: the cell is empty",
    ),
    ("p : function staff --> int", "", "[{\"name\": \"Anna\"", Code::JSON, "not JSON"),
];

#[test]
fn a_broken_table_is_refused_with_the_reason() {
    for (declaration, columns, text, code, message) in BROKEN {
        let model = format!("given staff new type enum\ngiven {declaration}\nfind x : bool");
        let report = said(&model, &Text::table("t.csv", *text, "p", *columns), "");
        let first = report.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        let first = first.unwrap_or_else(|| panic!("{declaration}: nothing is wrong with\n{text}"));
        assert_eq!(first.code, *code, "{declaration}:\n{text}\n{report}");
        assert!(first.message.contains(message), "{declaration}:\n{text}\n{report}");
    }
}

/// If a header has none of the model's names, two parameters must not take the same column by position.
#[test]
fn no_two_parameters_take_the_same_numbers_by_position() {
    let model = "given staff new type enum given hours, wage : function staff --> int find x : bool";
    let model = Model::read(&Text::new("m.essence", model)).unwrap_or_else(|report| panic!("{report}"));
    let errors = |text: &str, columns: [&str; 2], order: [usize; 2]| {
        let tables = ["hours", "wage"].map(|name| (name, columns[usize::from(name == "wage")]));
        let tables = order.map(|at| Text::table("t.csv", text, tables[at].0, tables[at].1));
        let data = [Text::new("staff.param", STAFF), tables[0].clone(), tables[1].clone()];
        model.instance(&data).err().map(|report| report.to_lines())
    };
    for order in [[0, 1], [1, 0]] {
        for (text, columns) in [
            ("Name;Std.;Lohn\nAnna;8;9\n", ["", ""]),
            ("name,hours,Lohn\nAnna,8,9\n", ["", ""]),
            ("name,Std.,Lohn\nAnna,8,9\n", ["name,Std.", ""]),
        ] {
            let said = errors(text, columns, order).unwrap_or_else(|| panic!("nothing is wrong with {text}"));
            assert!(said.contains("take the same column"), "{text}\n{said}");
        }
        for (text, columns) in [
            ("name,hours,wage\nAnna,8,9\n", ["", ""]),
            ("Name;Std.;Lohn\nAnna;8;9\n", ["Name,Std.", "Name,Lohn"]),
            ("Name;Std.;wage\nAnna;8;9\n", ["", ""]),
        ] {
            assert_eq!(errors(text, columns, order), None, "{text}");
        }
    }
}

#[test]
fn several_mistakes_are_reported_at_once() {
    let text = "name,n,m\nAnna,a,1\nBem,2,b\nZoë Ø,c,3\n";
    let model = "given staff new type enum\ngiven p : function staff --> (int, int)\nfind x : bool";
    let report = said(model, &Text::table("t.csv", text, "p", ""), "");
    let lines: Vec<&str> = report.diagnostics.iter().map(|diagnostic| &*diagnostic.message).collect();
    assert_eq!(report.diagnostics.len(), 2, "{lines:?}");
    let all = report.to_string();
    for place in ["row 2, column n", "row 3, column name", "row 3, column m", "row 4, column n"] {
        assert!(all.contains(place), "{place} is missing in\n{all}");
    }
}

#[test]
fn members_come_from_a_column() {
    let model =
        "given staff new type enum\ngiven room new type enum\ngiven p : function staff --> room\nfind x : staff";
    let model = Model::read(&Text::new("m.essence", model)).expect("a model");
    let text = "name,room,age\nAnna-Lena Ø,Room 3.14,7\n08:30,\"big, red\",8\n\"set\",Room 3.14,9\n";
    let table = |parameter: &str, columns: &str| Text::table("t.csv", text, parameter, columns);
    let tables = [table("p", "name,room"), table("staff", "name"), table("room", "room")];
    let instance = model.instance(&tables).unwrap_or_else(|report| panic!("{report}"));
    let mut found = Vec::new();
    let options = SolveOptions::default().solutions(Count::All);
    instance
        .solve(&options, &mut |solution| {
            found.push(solution.to_json());
            ControlFlow::Continue(())
        })
        .expect("solutions");
    found.sort();
    assert_eq!(found, [r#"{"x": "08:30"}"#, r#"{"x": "Anna-Lena Ø"}"#, r#"{"x": "set"}"#]);
}

#[test]
fn a_member_that_is_listed_twice_is_an_error() {
    let model = "given staff new type enum\nfind x : staff";
    let model = Model::read(&Text::new("m.essence", model)).expect("a model");
    let report = model.instance(&[Text::table("t.csv", "name\nAnna\nBen\nAnna\n", "staff", "")]).expect_err("an error");
    assert!(
        report.diagnostics[0].message.contains("row 4, column name: `Anna` is a member already, in row 2"),
        "{report}"
    );
}

#[test]
fn unused_columns_missing_combinations_and_repeated_rows_are_warnings() {
    let cases = [
        ("p : function staff --> int", "name,n,m,k\nAnna,1,2,3\n", "the columns `m`, `k` are not used"),
        (
            "p : function (staff, int) --> int",
            "name,d,n\nAnna,1,5\nAnna,2,5\nBen,1,5\n",
            "1 of 4 combinations is missing",
        ),
        ("p : relation of (staff * int)", "name,d\nAnna,1\nAnna,1\n", "1 row occurs twice"),
        ("p : function staff --> int", "name,n\nAnna,1\nBen,2\nAnna,1\n", "1 row occurs twice"),
        ("p : matrix indexed by [bool] of int", "a,n\nno,1\nyes,2\nno,1\n", "1 row occurs twice"),
    ];
    for (declaration, text, message) in cases {
        let model = format!("given staff new type enum\ngiven {declaration}\nfind x : bool");
        let report = said(&model, &Text::table("t.csv", text, "p", ""), "");
        assert!(!report.has_errors(), "{report}");
        let about = report.diagnostics.iter().find(|diagnostic| diagnostic.message.contains(message));
        assert_eq!(about.map(|diagnostic| diagnostic.code), Some(Code::TABLE_SUSPECT), "{declaration}: {report}");
    }
}

/// Columns chosen from a larger table may contain repeated rows.
#[test]
fn rows_that_agree_are_right_in_chosen_columns() {
    let model = "given staff new type enum\ngiven p : function staff --> int\ngiven r : set of staff\nfind x : bool";
    let text = "day,name,n\n1,Anna,8\n2,Anna,8\n2,Ben,7\n";
    let model = Model::read(&Text::new("m.essence", model)).expect("a model");
    let table = |parameter: &str, columns: &str| Text::table("t.csv", text, parameter, columns);
    let data = [Text::new("staff.param", STAFF), table("p", "name,n"), table("r", "name")];
    let instance = model.instance(&data).unwrap_or_else(|report| panic!("{report}"));
    assert!(instance.warnings().diagnostics.is_empty(), "{}", instance.warnings());
}

#[test]
fn units_make_decimals_exact() {
    let model = "
        given staff new type enum
        given wage : function staff --> int $ unit wage: 0.05
        given n : int
        $ unit q.price: 0.01
        given q : set of record {price : int, count : int}
        find x : bool
        where sum([w | (_, w) <- wage]) = n, forAll r in q . r[price] = 1250 /\\ r[count] = 3
    ";
    let model = Model::read(&Text::new("m.essence", model)).unwrap_or_else(|report| panic!("{report}"));
    let staff = Text::new("staff.param", STAFF);
    let tables = [
        Text::table("w.csv", "name,wage\nAnna,8.10\nBen,7.95\n", "wage", ""),
        Text::table("q.csv", "price,count\n12.50,3\n", "q", ""),
    ];
    let json = Text::new("d.json", r#"{"wage": {"Anna": 8.1, "Ben": "7.95"}, "q": [{"price": 12.5, "count": 3}]}"#);
    let n = Text::new("-D", "letting n be 321");
    let comma = Text::table("w.csv", "Name;Lohn\nAnna;8,10\nBen;7,95\n", "wage", "");
    for data in [
        vec![staff.clone(), n.clone(), tables[0].clone(), tables[1].clone()],
        vec![staff.clone(), n.clone(), comma, tables[1].clone()],
        vec![staff.clone(), n, json],
    ] {
        model.instance(&data).unwrap_or_else(|report| panic!("{report}"));
    }
    let grid =
        "given p : matrix indexed by [int(1..2), int(1..4)] of int $ unit p: 0.5\nfind x : bool\nwhere p[2, 3] = 15";
    let grid = Model::read(&Text::new("m.essence", grid)).unwrap_or_else(|report| panic!("{report}"));
    for text in ["1,2,3,4\n5,6,7.5,8\n", "p,1,2,3,4\n1,1,2,3,4\n2,5,6,7.5,8\n"] {
        grid.instance(&[Text::table("p.csv", text, "p", "")]).unwrap_or_else(|report| panic!("{report}"));
    }
    let wrong = Text::new("d.json", r#"{"wage": {"Anna": 8.12}, "q": [], "n": 1}"#);
    let report = model.instance(&[staff, wrong]).expect_err("a mistake");
    assert!(report.diagnostics[0].message.contains("`8.12` is not a multiple of 0.05"), "{report}");
}

#[test]
fn a_unit_that_fits_nothing_is_an_error() {
    for (comment, message) in [
        ("$ unit prise: 0.01", "`prise` has no unit"),
        ("$ unit price: cheap", "`cheap` is not a unit"),
        ("$ unit price: 0", "`0` is not a unit"),
        ("$ unit price.cost: 0.1", "`price.cost` has no unit"),
    ] {
        let report = Model::read(&Text::new("m.essence", format!("given price : int {comment}\nfind x : bool")));
        let report = report.expect_err("a mistake");
        assert_eq!(report.diagnostics[0].code, Code::UNIT);
        assert!(report.diagnostics[0].message.contains(message), "{report}");
    }
    let comment = "$ unit tests: see below\nfind x : bool";
    assert!(Model::read(&Text::new("m.essence", comment)).is_ok());
}

/// Members whose names a table could misread as variables, blanks, formulas, marks or separators.
#[test]
fn members_with_odd_names_come_in_again() {
    let odd = ["q;", " a", "a ", "'b", "'=c", "=d", "-1", "\u{ff1d}e", "f,g", "h\"i", "yes", "key", "value 1", "p"];
    let quoted = |name: &str| json!(name).to_string();
    let names = odd.map(quoted).join(", ");
    let member = |at: usize| quoted(odd[at % odd.len()]);
    let mut values: Vec<(&str, String)> = Vec::new();
    for at in 0..odd.len() {
        let (one, other) = (member(at), member(at + 1));
        values.push(("p : set of E", format!("{{{one}, {other}}}")));
        values.push(("p : function E --> int(0..9)", format!("function({one} --> 1, {other} --> 2)")));
        values.push(("p : function (E, E) --> E", format!("function(({one}, {other}) --> {one})")));
        if at + 1 < odd.len() {
            let pairs = format!("({one}, {one}) --> {one}, ({one}, \"p\") --> {other}");
            values.push(("p : function (E, E) --> E", format!("function({pairs})")));
        }
        values.push((
            "p : function (int(0..3), E) --> int(0..9)",
            format!("function((1, {one}) --> 1, (2, {other}) --> 2)"),
        ));
        values.push((
            "p : sequence (maxSize 2) of record {p : E, q : E}",
            format!("sequence(record {{p = {one}, q = {other}}})"),
        ));
        values.push(("p : E", one));
    }
    values.push(("p : function (E, E) --> int(0..9)", "function()".to_owned()));
    for (declaration, essence) in values {
        let domain = declaration.split_once(" : ").expect("a name").1;
        let members = Text::new("E.param", format!("letting E be new type enum {{{names}}}"));
        let data = [members.clone(), Text::new("q.param", format!("letting r be {essence}"))];
        let model = format!("given E new type enum\ngiven r : {domain}\nfind {declaration}\nsuch that p = r");
        let model = Model::read(&Text::new("m.essence", model)).unwrap_or_else(|report| panic!("{report}"));
        let instance = model.instance(&data).unwrap_or_else(|report| panic!("{declaration}: {report}"));
        let again =
            format!("given E new type enum\ngiven {declaration}\ngiven r : {domain}\nfind x : bool\nwhere p = r");
        let again = Model::read(&Text::new("m.essence", again)).unwrap_or_else(|report| panic!("{report}"));
        for layout in [TableLayout::Long, TableLayout::Wide] {
            let mut written = TableText::default();
            let found = instance.solve(&SolveOptions::default(), &mut |solution| {
                let rows = solution.table("p", layout).expect("a table");
                rows.into_iter().for_each(|row| written.add_row(row));
                ControlFlow::Continue(())
            });
            found.unwrap_or_else(|report| panic!("{declaration}: {report}"));
            let written = String::from(written);
            let table = Text::table("t.csv", written.clone(), "p", "");
            let read = again.instance(&[members.clone(), data[1].clone(), table]);
            assert!(read.is_ok(), "{declaration}, {layout:?}, {essence}:\n{written}\n{}", read.expect_err("a report"));
        }
    }
}

/// Integers with a unit survive writing and reading: as steps in Essence, as decimals in JSON and tables.
#[test]
fn numbers_with_units_come_in_as_they_go_out() {
    let declarations = [
        ("int(0..99999)", "x: 0.01", "1000", r#"{"x": 10.0}"#),
        ("int(0..99999)", "x: 5", "7", r#"{"x": 35}"#),
        ("int(0..4611686018427387903)", "x: 0.01", "4611686018427387903", r#"{"x": "46116860184273879.03"}"#),
        ("set of int(0..99999)", "x: 0.01", "{9648, 5}", r#"{"x": [0.05, 96.48]}"#),
        (
            "function int(1..9) --> int(0..999)",
            "x: 0.5",
            "function(1 --> 3, 2 --> 4)",
            r#"{"x": {"1": 1.5, "2": 2.0}}"#,
        ),
        (
            "function (int(1..9), int(0..9)) --> int(0..9)",
            "x.2: 0.5",
            "function((1, 3) --> 4)",
            r#"{"x": [[[1, 1.5], 4]]}"#,
        ),
        (
            "matrix indexed by [int(0..1)] of int(0..99)",
            "x: 0.1",
            "[1, 2; int(0..1)]",
            r#"{"x": {"0": 0.1, "1": 0.2}}"#,
        ),
        ("relation of (int(0..9) * int(0..9))", "x.2: 0.1", "relation((1, 2))", r#"{"x": [[1, 0.2]]}"#),
        ("sequence (maxSize 3) of (int(0..9), int(0..9))", "x.1: 0.1", "sequence((1, 2))", r#"{"x": [[0.1, 2]]}"#),
        ("partition from int(0..1)", "x: 0.5", "partition({0}, {1})", r#"{"x": [[0.0], [0.5]]}"#),
        ("variant {a : int(0..9), b : bool}", "x.a: 0.1", "variant {a = 3}", r#"{"x": {"a": 0.3}}"#),
        (
            "set of record {cost : int(0..9), startup : record {cost : int(0..9), hours : int(0..9)}}",
            "x.cost: 0.1\n$ unit x.startup.cost: 10\n$ unit x.hours: 0.25",
            "{record {cost = 1, startup = record {cost = 2, hours = 3}}}",
            r#"{"x": [{"cost": 0.1, "startup": {"cost": 20, "hours": 0.75}}]}"#,
        ),
    ];
    for (domain, unit, essence, json) in declarations {
        let text = format!("find x : {domain}\n$ unit {unit}\n");
        let model = Model::read(&Text::new("m.essence", text)).unwrap_or_else(|report| panic!("{report}"));
        let solution = model.solution(&[], &Text::new("s", format!("letting x be {essence}")));
        let solution = solution.unwrap_or_else(|report| panic!("{domain}: {report}"));
        assert_eq!(solution.to_json(), json);
        let outputs = [
            Text::new("s.solution", solution.to_essence(120)),
            Text::new("s.json", solution.to_json()),
            Text::new("p.json", solution.shaped(JsonShape::Plain).to_string()),
        ];
        let given = format!("given x : {domain}\n$ unit {unit}\nfind b : bool\nwhere x = {essence}");
        let given = Model::read(&Text::new("d.essence", given)).unwrap_or_else(|report| panic!("{report}"));
        // A table with two columns of the same name is ambiguous.
        let is_readable = |rows: &Vec<Vec<TableCell>>| rows[0].iter().zip(rows[0].iter().skip(1)).all(|(a, b)| a != b);
        let table = solution.table("x", TableLayout::Long).filter(is_readable).map(|rows| {
            let mut written = TableText::default();
            rows.into_iter().for_each(|row| written.add_row(row));
            Text::table("x.csv", String::from(written), "x", "")
        });
        for output in &outputs {
            model.validate(&[], output).unwrap_or_else(|report| panic!("{domain}: {report}"));
            assert_eq!(model.solution(&[], output).unwrap_or_else(|report| panic!("{report}")), solution);
            let values = Values::read(Some(&model), output).unwrap_or_else(|report| panic!("{domain}: {report}"));
            assert_eq!(values.to_json(), json);
        }
        for data in outputs.into_iter().chain(table) {
            given.instance(&[data]).unwrap_or_else(|report| panic!("{domain}: {report}"));
        }
        // Programs without units exchange steps.
        let steps = model
            .in_steps()
            .and_then(|model| Ok((model.solution(&[], &Text::new("s", format!("letting x be {essence}")))?, model)));
        let (plain, steps) = steps.unwrap_or_else(|report| panic!("{report}"));
        assert!(!plain.to_json().contains('.') && plain.to_json() != json, "{}", plain.to_json());
        steps.validate(&[], &Text::new("s.json", plain.to_json())).unwrap_or_else(|report| panic!("{report}"));
    }
}

/// Values of each shape survive writing as a table and reading, in both layouts.
#[test]
fn what_goes_out_comes_in_again() {
    let further = [
        ("p : relation of (int(0..3) * int(0..3))", "relation((0, 1), (3, 2))"),
        ("p : relation of (int(0..3) * int(0..3))", "relation()"),
        ("p : function staff --> set of int(0..3)", "function(Anna --> {}, Ben --> {1, 3})"),
        ("p : function (staff, staff) --> staff", "function((Anna, Ben) --> Anna, (Ben, Ben) --> Ben)"),
        ("p : set of (staff, staff)", "{(Anna, Ben), (Ben, \"Zoë Ø\")}"),
        (
            "p : matrix indexed by [int(0..1), staff, bool] of int(0..9)",
            "[[[1, 2; bool], [3, 4; bool], [5, 6; bool]; staff], \
             [[7, 8; bool], [9, 0; bool], [1, 2; bool]; staff]; int(0..1)]",
        ),
        ("p : matrix indexed by [int(3, 5)] of bool", "[true, false; int(3, 5)]"),
        ("p : int(0..9)", "7"),
        ("p : bool", "false"),
        ("p : staff", "\"Zoë Ø\""),
    ];
    let shapes = SHAPES.iter().map(|shape| (shape.declaration, shape.essence));
    for (declaration, essence) in shapes.chain(further) {
        let finite =
            declaration.replace("sequence of", "sequence (maxSize 4) of").replace("mset of", "mset (maxSize 4) of");
        let domain = finite.split_once(" : ").expect("a name").1;
        let model = format!("given staff new type enum\ngiven q : {domain}\nfind {finite}\nsuch that p = q");
        let model = Model::read(&Text::new("m.essence", model)).unwrap_or_else(|report| panic!("{report}"));
        let data = [Text::new("s.param", STAFF), Text::new("q.param", format!("letting q be {essence}"))];
        let instance = model.instance(&data).unwrap_or_else(|report| panic!("{declaration}: {report}"));
        for layout in [TableLayout::Long, TableLayout::Wide] {
            let mut written = None;
            let found = instance.solve(&SolveOptions::default(), &mut |solution| {
                written = solution.table("p", layout).map(|rows| {
                    let mut text = TableText::default();
                    rows.into_iter().for_each(|row| text.add_row(row));
                    String::from(text)
                });
                ControlFlow::Continue(())
            });
            found.unwrap_or_else(|report| panic!("{declaration}: {report}"));
            let written = written.unwrap_or_else(|| panic!("{declaration} is not written"));
            let again = format!(
                "given staff new type enum\ngiven {declaration}\ngiven q : {domain}\nfind x : bool\nwhere p = q"
            );
            let report =
                said(&again, &Text::table("t.csv", written.clone(), "p", ""), &format!("letting q be {essence}"));
            assert!(!report.has_errors(), "{declaration}, {layout:?}:\n{written}\n{report}");
        }
    }
}

/// A workbook without a parameter's name contains a table for each name.
#[test]
fn a_whole_workbook_is_a_plan_a_solution_or_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |words: &[&str]| {
        let program = Command::new(env!("CARGO_BIN_EXE_conjure-like")).args(words).current_dir(folder.path()).output();
        let output = program.expect("the program");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {errors}");
        (output.stdout, errors)
    };
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("a file");
    let data = "find staff : set of bool, cost : function int(1..2) --> int(0..9)\n\
                such that staff = {true}, cost = function(1 --> 7, 2 --> 3)";
    write("data.essence", data.as_bytes());
    let model = "given staff : set of bool\ngiven cost : function int(1..2) --> int(0..9)\n\
                 find x : function (total) int(1..2) --> set of int(1..3), y : int(0..40)\n\
                 such that y = sum([|x(p)| * i | (p, i) <- cost]), y >= 13, true in staff";
    write("m.essence", model.as_bytes());
    let (book, _) = run(&["solve", "data.essence", "--output-format=xlsx"]);
    write("book.xlsx", &book);
    let (plan, _) = run(&["solve", "m.essence", "book.xlsx", "--output-format=xlsx"]);
    write("plan.xlsx", &plan);
    let (text, _) = run(&["solve", "m.essence", "book.xlsx"]);
    let text = String::from_utf8(text).expect("a text");
    write("plan.solution", text.as_bytes());
    let (_, said) = run(&["validate-solution", "m.essence", "book.xlsx", "plan.xlsx"]);
    assert!(said.contains("satisfies the model"), "{said}");
    for option in ["--near", "--start"] {
        let (found, said) = run(&["solve", "m.essence", "book.xlsx", option, "plan.xlsx"]);
        let found = String::from_utf8(found).expect("a text").replace("$ Objective: 0\n", "");
        assert_eq!(found.trim(), text.trim(), "{option}: {said}");
    }
    let (answer, _) = run(&["why", "m.essence", "book.xlsx", "--expect", "plan.xlsx"]);
    assert!(String::from_utf8_lossy(&answer).contains("it breaks no requirement"));
    let (answer, said) = run(&["hint", "m.essence", "book.xlsx", "--partial", "plan.xlsx"]);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.contains("There is nothing left to find."), "{answer}{said}");
    let (several, _) = run(&["solve", "m.essence", "book.xlsx", "-n", "2", "--output-format=xlsx"]);
    write("several.xlsx", &several);
    for plan in ["several.xlsx#1", "several.xlsx#2"] {
        let (_, said) = run(&["solve", "m.essence", "book.xlsx", "--near", plan]);
        assert!(said.contains(&format!("0 changes from `{plan}`")), "{said}");
    }
    let program = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
    let words = ["solve", "m.essence", "book.xlsx", "--near", "several.xlsx"];
    let output = { program }.args(words).current_dir(folder.path()).output();
    let said = String::from_utf8_lossy(&output.expect("the program").stderr).into_owned();
    assert!(said.contains("`several.xlsx` holds 2 solutions, but one is needed here"), "{said}");
    // Some of the sheets are not names of the model.
    let other = model.replace("staff", "people").replace("cost", "price");
    write("other.essence", other.as_bytes());
    let program = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
    let output = { program }.args(["solve", "other.essence", "book.xlsx"]).current_dir(folder.path()).output();
    let said = String::from_utf8_lossy(&output.expect("the program").stderr).into_owned();
    assert!(said.contains("which does not name the parameter that it is for"), "{said}");
}

#[test]
fn what_tables_do_not_hold_is_not_written() {
    let model = Model::read(&Text::new("m.essence", "find p : set of set (size 1) of int(1..1)")).expect("a model");
    let instance = model.instance(&[]).expect("an instance");
    let mut seen = 0;
    let found = instance.solve(&SolveOptions::default(), &mut |solution| {
        seen += 1;
        assert_eq!(solution.table("p", TableLayout::Long), None);
        ControlFlow::Continue(())
    });
    assert!(found.is_ok() && seen == 1);
}

/// A title above the header is not mistaken for the header, unless the command line says so.
#[test]
fn a_title_above_the_names_of_the_columns_is_a_mistake() {
    let text = "given person new type enum\ngiven hours : function person --> int(0..50)\nfind boss : person";
    let model = Model::read(&Text::new("m.essence", text)).expect("a model");
    let bound = |person: Text, hours: Text| model.instance(&[person, hours]).map(|_| ());
    let hours = || Text::table("hours.csv", "person,hours\nAnn,8\nBob,7\n", "hours", "");
    let refused = |person: Text, hours: Text| {
        let report = bound(person, hours).expect_err("a mistake");
        let codes: Vec<Code> = report.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, [Code::TABLE], "{report}");
        report.diagnostics[0].help.join(", ")
    };
    for title in ["People in May\n", "People in May\n\nof the ward\n", "People in May,\n"] {
        let help = refused(Text::table("p.csv", format!("{title}person\nAnn\nBob\n"), "person", ""), hours());
        assert!(help.starts_with("remove what stands above the names of the columns"), "{help}");
    }
    let person = || Text::table("p.csv", "name\nAnn\nBob\n", "person", "");
    assert!(bound(person(), hours()).is_ok());
    let titled = Text::table("hours.csv", "Hours in May,,\nname,hours,pay\nAnn,8,3\nBob,7,4\n", "hours", "");
    let help = refused(person(), titled);
    assert!(help.starts_with("remove what stands above the names of the columns"), "{help}");
    // `@header` is needed for a member with the name of its type.
    let own = || Text::table("p.csv", "name\nperson\nAnn\nBob\n", "person", "@header");
    assert!(bound(own(), hours()).is_ok());
}
