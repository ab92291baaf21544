//! The rows and cells of a table with their spans in the text: CSV with any of the usual separators, and lists of
//! objects or arrays in JSON.

use super::text::unguarded;
use crate::{
    diagnostic::{Code, Diagnostic},
    source::{Source, SourceId, Span, TableUse},
    syntax::json::{self, Json, JsonKind},
};
use csv_core::{ReadFieldResult, Reader, ReaderBuilder};
use std::{ops::ControlFlow, sync::Arc};

/// A text that is read as a table, and the use of the table.
#[derive(Clone, Debug)]
pub(crate) struct DataTable {
    pub source: SourceId,
    pub name: Arc<str>,
    /// The parameter, and the columns chosen for it.
    pub wanted: TableUse,
    text: Arc<str>,
    form: TableForm,
}

#[derive(Clone, Debug)]
enum TableForm {
    /// Lines, with this character as the separator of cells.
    Separated(u8),
    /// Entries of a list in JSON. If the entries are objects, the cells of the first row are the keys.
    Entries { has_keys: bool, rows: Arc<[CellBuffer]> },
}

/// The cells of a row.
#[derive(Clone, Debug, Default)]
struct CellBuffer {
    text: String,
    /// The end of each cell in `text`.
    ends: Vec<usize>,
    /// The first byte of each cell in the source, and the byte after its last one.
    places: Vec<(u32, u32)>,
    forms: Vec<CellForm>,
}

/// The notation of a cell.
#[derive(Clone, Copy, Debug)]
enum CellForm {
    /// Without quotation marks.
    Bare,
    /// In quotation marks.
    Quoted,
    /// In JSON, where no part of a text has a special meaning.
    Json,
}

impl CellBuffer {
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.places.clear();
        self.forms.clear();
    }

    fn push(&mut self, text: &str, place: (u32, u32), form: CellForm) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.places.push(place);
        self.forms.push(form);
    }
}

/// A row with its number, as a spreadsheet counts rows.
pub(super) struct TableRow<'r> {
    pub number: usize,
    source: SourceId,
    cells: &'r CellBuffer,
}

impl<'r> TableRow<'r> {
    pub(super) fn len(&self) -> usize {
        self.cells.ends.len()
    }

    /// Returns the text of a cell without its quotation marks.
    fn raw(&self, at: usize) -> Option<(&'r str, CellForm)> {
        let ends = &self.cells.ends;
        let start = if at == 0 { 0 } else { *ends.get(at - 1)? };
        Some((&self.cells.text[start..*ends.get(at)?], self.cells.forms[at]))
    }

    /// Returns the text of a cell. Cells beyond the end of a short row are empty, and so is a cell of blanks.
    pub(super) fn cell(&self, at: usize) -> &'r str {
        let text = match self.raw(at) {
            None => "",
            Some((text, CellForm::Bare)) => unguarded(text.trim()),
            // Blanks inside quotation marks belong to the text.
            Some((text, CellForm::Quoted)) => unguarded(text),
            Some((text, CellForm::Json)) => text,
        };
        if text.trim().is_empty() { "" } else { text }
    }

    /// Returns true if a cell has a formula whose value is unknown.
    pub(super) fn is_formula(&self, at: usize) -> bool {
        matches!(self.raw(at), Some((text, CellForm::Bare | CellForm::Quoted)) if text.trim_start().starts_with('='))
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = &'r str> {
        (0..self.len()).map(|at| self.cell(at))
    }

    pub(super) fn span(&self, at: usize) -> Span {
        let (start, end) = match (self.cells.places.get(at), self.cells.places.last()) {
            // A missing cell has its span at the end of the row.
            (Some(place), _) => *place,
            (None, Some((_, end))) => (*end, *end),
            (None, None) => (0, 0),
        };
        Span { source: self.source, start, end }
    }

    /// The span of the whole row.
    pub(super) fn whole(&self) -> Span {
        self.span(0).to(self.span(self.len().saturating_sub(1)))
    }

    fn is_blank(&self) -> bool {
        self.cells().all(str::is_empty)
    }
}

impl DataTable {
    /// Prepares to read a source as a table.
    pub(crate) fn new(id: SourceId, source: &Source, wanted: TableUse) -> Result<DataTable, Box<Diagnostic>> {
        let form = match json::is_json(&source.text) {
            true => rows_of_json(&source.name, &json::documents(id, source)?)?,
            false => TableForm::Separated(separator(&source.text)),
        };
        let table = DataTable { source: id, name: source.name.clone(), wanted, text: source.text.clone(), form };
        match table.unclosed() {
            Some(mistake) => Err(mistake.into()),
            None => Ok(table),
        }
    }

    /// Returns true if the first row must be names, and false if it cannot be; `None` if the form of the table leaves
    /// this open.
    pub(super) fn has_keys(&self) -> Option<bool> {
        match &self.form {
            TableForm::Entries { has_keys, .. } => Some(*has_keys),
            TableForm::Separated(_) => None,
        }
    }

    /// The word for a row in messages.
    pub(super) fn row_word(&self) -> &'static str {
        if matches!(self.form, TableForm::Entries { .. }) { "entry" } else { "row" }
    }

    /// An upper bound on the number of rows, for allocation.
    pub(super) fn most_rows(&self) -> usize {
        match &self.form {
            TableForm::Separated(_) => self.text.bytes().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1,
            TableForm::Entries { rows, .. } => rows.len(),
        }
    }

    /// Calls `each` for the rows that are not blank, in their order.
    pub(super) fn for_each_row(&self, each: &mut dyn FnMut(&TableRow) -> ControlFlow<()>) {
        match &self.form {
            TableForm::Separated(separator) => {
                let mut lines = TableLines::new(&self.text, *separator);
                let mut cells = CellBuffer::default();
                while let Some(number) = lines.next(&mut cells) {
                    let row = TableRow { number, source: self.source, cells: &cells };
                    if !row.is_blank() && each(&row).is_break() {
                        return;
                    }
                }
            }
            TableForm::Entries { has_keys, rows } => {
                // The row of keys has no number, so the first entry is entry 1 in both forms.
                let first = usize::from(!*has_keys);
                for (number, cells) in (first..).zip(rows.iter()) {
                    let row = TableRow { number, source: self.source, cells };
                    if !row.is_blank() && each(&row).is_break() {
                        return;
                    }
                }
            }
        }
    }

    /// Returns the error for a quotation mark that is never closed, which would make the rest of the text one cell.
    fn unclosed(&self) -> Option<Diagnostic> {
        let TableForm::Separated(separator) = self.form else { return None };
        // Quotation marks inside a cell are doubled, so their number in a correct text is even.
        if self.text.bytes().filter(|byte| *byte == b'"').count() % 2 == 0 {
            return None;
        }
        let mut lines = TableLines::new(&self.text, separator);
        let (mut cells, mut last) = (CellBuffer::default(), None);
        while let Some(number) = lines.next(&mut cells) {
            last = cells.places.last().map(|place| (number, *place));
        }
        let (number, (start, end)) = last?;
        let written = &self.text[start as usize..end as usize];
        let is_open = written.starts_with('"') && (written.len() == 1 || !written.ends_with('"'));
        is_open.then(|| {
            let message = format!("`{}`, row {number}: a quotation mark is not closed", self.name);
            let start = start as usize;
            Diagnostic::error(Code::TABLE, message)
                .at(Span::new(self.source, start, start + 1), "opened here")
                .help("write `\"` at the end of the cell, and `\"\"` for a quotation mark in it")
        })
    }
}

/// The lines of a text, split into cells.
struct TableLines<'t> {
    text: &'t str,
    reader: Reader,
    at: usize,
    /// The number of rows before `at`.
    rows: usize,
    field: Vec<u8>,
}

impl<'t> TableLines<'t> {
    fn new(text: &'t str, separator: u8) -> Self {
        let reader = ReaderBuilder::new().delimiter(separator).build();
        TableLines { text, reader, at: 0, rows: 0, field: vec![0; 256] }
    }

    /// Skips one line end; returns false if there is none.
    fn end_of_line(&mut self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let length = match rest {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
        self.at += length;
        length > 0
    }

    /// Reads the next row that is not an empty line, and returns its number.
    fn next(&mut self, cells: &mut CellBuffer) -> Option<usize> {
        cells.clear();
        // Spreadsheets number empty lines, too.
        while self.end_of_line() {
            self.rows += 1;
        }
        self.rows += 1;
        let bytes = self.text.as_bytes();
        let (mut start, mut filled) = (self.at, 0);
        loop {
            let (result, read, written) = self.reader.read_field(&bytes[self.at..], &mut self.field[filled..]);
            self.at += read;
            filled += written;
            match result {
                // The next call has no more input, which completes the last cell.
                ReadFieldResult::InputEmpty => {}
                ReadFieldResult::OutputFull => self.field.resize(self.field.len() * 2, 0),
                ReadFieldResult::Field { record_end } => {
                    let is_ended = |byte: &u8| *byte == b'\r' || *byte == b'\n';
                    let ends = self.at > start && (self.at < bytes.len() || bytes.last().is_some_and(is_ended));
                    // The reader has consumed the separator or the line end, except at the end of the text.
                    let by_separator = self.at > start && !record_end;
                    let end = if ends || by_separator { self.at - 1 } else { self.at };
                    let text = std::str::from_utf8(&self.field[..filled]).unwrap_or_default();
                    let form = if bytes.get(start) == Some(&b'"') { CellForm::Quoted } else { CellForm::Bare };
                    cells.push(text, (start as u32, end as u32), form);
                    if record_end {
                        // The reader consumes only the first byte of `\r\n`.
                        if bytes[..self.at].last() == Some(&b'\r') && bytes.get(self.at) == Some(&b'\n') {
                            self.at += 1;
                        }
                        return Some(self.rows);
                    }
                    (start, filled) = (self.at, 0);
                }
                ReadFieldResult::End => return None,
            }
        }
    }
}

/// Guesses the separator of a text: the one that splits its first rows into the same number of cells. A separator that
/// leaves a quotation mark inside an unquoted cell is considered last.
fn separator(text: &str) -> u8 {
    // The first rows are enough to recognise the separator, and a table may be large. Chosen.
    const ROWS: usize = 12;
    let cut = |separator: u8| -> (Vec<usize>, bool) {
        let mut lines = TableLines::new(text, separator);
        let mut cells = CellBuffer::default();
        let (mut counts, mut is_clean) = (Vec::new(), true);
        while counts.len() < ROWS && lines.next(&mut cells).is_some() {
            counts.push(cells.ends.len());
            is_clean &= cells.places.iter().zip(&cells.forms).all(|((start, end), form)| {
                matches!(form, CellForm::Quoted) || !text[*start as usize..*end as usize].contains('"')
            });
        }
        (counts, is_clean)
    };
    // The first separator that splits evenly wins, so commas come last: texts often contain them, but hardly ever tabs.
    let mut all = [b'\t', b';', b','].map(|separator| (separator, cut(separator))).to_vec();
    if all.iter().any(|(_, (_, is_clean))| *is_clean) {
        all.retain(|(_, (_, is_clean))| *is_clean);
    }
    let even = all.iter().find(|(_, (counts, _))| counts.iter().all(|count| *count > 1 && *count == counts[0]));
    let most = || all.iter().max_by_key(|(_, (counts, _))| counts.first().copied().unwrap_or(0));
    even.or_else(most).map_or(b',', |(separator, _)| *separator)
}

/// Returns the rows of a list in JSON.
fn rows_of_json(name: &str, documents: &[Json]) -> Result<TableForm, Box<Diagnostic>> {
    let list = match documents {
        [Json { kind: JsonKind::Array(items), .. }] => items,
        _ => documents,
    };
    let scalar = |cells: &mut CellBuffer, value: &Json| {
        let text = match &value.kind {
            // A missing key and `null` are both an empty cell.
            JsonKind::Null => "",
            JsonKind::Bool(value) => {
                if *value {
                    "true"
                } else {
                    "false"
                }
            }
            JsonKind::Number(text) | JsonKind::String(text) => text,
            // A cell cannot hold several values. The placeholder causes an error when the cell is read.
            JsonKind::Array(_) => "[…]",
            JsonKind::Object(_) => "{…}",
        };
        cells.push(text, (value.span.start, value.span.end), CellForm::Json);
    };
    // An entry may lack keys, so the columns are the keys of all entries, in the order of their first occurrence.
    let mut keys: Vec<&str> = Vec::new();
    let mut names = CellBuffer::default();
    for (entry, number) in list.iter().zip(1..) {
        let JsonKind::Object(members) = &entry.kind else { continue };
        for ((key, _), at) in members.iter().zip(0..) {
            if let Some((first, _)) = members[..at].iter().find(|(other, _)| other.text == key.text) {
                let message = format!("`{name}`, entry {number}: the key `{}` is given twice", key.text);
                let mistake = Diagnostic::error(Code::TABLE, message).at(key.span, "the second one");
                return Err(mistake.at(first.span, "the first one").into());
            }
            if !keys.contains(&&*key.text) {
                keys.push(&key.text);
                names.push(&key.text, (key.span.start, key.span.end), CellForm::Json);
            }
        }
    }
    let has_keys = !keys.is_empty();
    let mut rows = Vec::from_iter(has_keys.then_some(names));
    for entry in list {
        let mut cells = CellBuffer::default();
        let place = (entry.span.start, entry.span.end);
        match &entry.kind {
            JsonKind::Object(members) => {
                keys.iter().for_each(|key| match members.iter().find(|(found, _)| found.text == *key) {
                    Some((_, value)) => scalar(&mut cells, value),
                    None => cells.push("", place, CellForm::Json),
                })
            }
            JsonKind::Array(items) => items.iter().for_each(|item| scalar(&mut cells, item)),
            _ => scalar(&mut cells, entry),
        }
        rows.push(cells);
    }
    Ok(TableForm::Entries { has_keys, rows: rows.into() })
}

/// Splits one line into cells, for example a list of columns.
pub(super) fn cells_of(line: &str) -> Vec<String> {
    let mut cells = CellBuffer::default();
    let mut lines = TableLines::new(line, b',');
    if lines.next(&mut cells).is_none() {
        return Vec::new();
    }
    let row = TableRow { number: 1, source: SourceId::default(), cells: &cells };
    row.cells().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    /// The rows of a text: the number of each row, its cells, and the source text of each cell.
    fn rows(text: &str) -> Vec<(usize, Vec<String>, Vec<String>)> {
        let mut sources = Sources::default();
        let id = sources.add("t.csv", text);
        let table = DataTable::new(id, sources.get(id), TableUse::default()).expect("a table");
        let mut rows = Vec::new();
        table.for_each_row(&mut |row| {
            let places = (0..row.len()).map(|at| sources.text(row.span(at)).to_owned()).collect();
            rows.push((row.number, row.cells().map(str::to_owned).collect(), places));
            ControlFlow::Continue(())
        });
        rows
    }

    fn row(number: usize, cells: &[&str], places: &[&str]) -> (usize, Vec<String>, Vec<String>) {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        (number, owned(cells), owned(places))
    }

    #[test]
    fn rows_are_counted_as_a_spreadsheet_shows_them() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "a,b\n\n 1 ,\"x, \"\"y\"\"\"\n,,\n\n2,\n3,4".replace('\n', end);
            let expected = [
                row(1, &["a", "b"], &["a", "b"]),
                row(3, &["1", "x, \"y\""], &[" 1 ", "\"x, \"\"y\"\"\""]),
                row(6, &["2", ""], &["2", ""]),
                row(7, &["3", "4"], &["3", "4"]),
            ];
            assert_eq!(rows(&text), expected, "{text:?}");
            assert_eq!(rows(&format!("{text}{end}")), expected, "{text:?} with an end");
        }
    }

    #[test]
    fn a_cell_may_have_several_lines() {
        let found = rows("a,b\n\"1\n2\",3\n4,5\n");
        assert_eq!(found[1], row(2, &["1\n2", "3"], &["\"1\n2\"", "3"]));
        assert_eq!(found[2].0, 3);
    }

    #[test]
    fn the_separator_is_the_one_that_fits() {
        assert_eq!(rows("name;price\nA;12,50\n")[1].1, ["A", "12,50"]);
        assert_eq!(rows("name\tnote\nA\tb, c\n")[1].1, ["A", "b, c"]);
        assert_eq!(rows("name,note\nA,b; c\n")[1].1, ["A", "b; c"]);
        assert_eq!(rows("name\nAnna\n")[1].1, ["Anna"]);
        assert_eq!(rows("name,\"a;\"\n\"b;\",1\n")[1].1, ["b;", "1"]);
        assert_eq!(rows("name,\"a;b;c\"\nAnna\n")[0].1, ["name", "a;b;c"]);
    }

    #[test]
    fn blanks_belong_to_a_text_behind_an_apostrophe() {
        assert_eq!(rows("a,b,c\n\"' x \",\" y \", z \n")[1].1, [" x ", "y", "z"]);
        assert_eq!(rows(r#"[{"a": " x ", "b": "'=1", "c": " "}]"#)[1].1, [" x ", "'=1", ""]);
    }

    #[test]
    fn lists_in_json_are_tables() {
        let text = r#"[{"n": 1, "name": "a"}, {"name": null, "n": [2]}, {"m": true}]"#;
        let found = rows(text);
        assert_eq!(found[0], row(0, &["n", "name", "m"], &["\"n\"", "\"name\"", "\"m\""]));
        assert_eq!((found[1].0, &found[1].1), (1, &vec!["1".to_owned(), "a".into(), String::new()]));
        assert_eq!(found[2].1, ["[…]", "", ""]);
        assert_eq!(rows("[[1, 2], [3, 4]]")[1], row(2, &["3", "4"], &["3", "4"]));
        assert_eq!(rows("{\"n\": 1}\n{\"n\": 2}")[2].1, ["2"]);
    }

    #[test]
    fn an_open_quotation_mark_is_an_error() {
        let mut sources = Sources::default();
        let id = sources.add("t.csv", "a,b\n1,\"2\n3,4\n");
        let mistake = DataTable::new(id, sources.get(id), TableUse::default()).expect_err("a mistake");
        assert!(mistake.message.contains("row 2"), "{}", mistake.message);
    }

    #[test]
    fn what_keeps_a_formula_away_is_not_part_of_the_text() {
        assert_eq!(rows("a\n'=1+1\n'tis\n")[1].1, ["=1+1"]);
        assert_eq!(rows("a\n'=1+1\n'tis\n")[2].1, ["'tis"]);
    }
}
