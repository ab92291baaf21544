//! The texts that callers provide: models, data, solutions and earlier plans.

use crate::{
    source::{SourceId, Sources, TableUse},
    syntax,
};
use std::{collections::BTreeSet, ops::Range};

/// A text with the name that users know it by, which messages show: usually the name of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The name of the text in messages.
    pub name: String,
    /// The text itself.
    pub text: String,
    /// The selected instance in a text that holds several.
    part: Option<Range<usize>>,
    /// The parameter that the text is for, if it is a table.
    table: Option<TableUse>,
    /// The tables of a workbook, which has no text itself.
    sheets: Vec<Text>,
}

/// The part of a text that is an instance.
enum InstancePart {
    Whole,
    Json(Range<usize>),
    Essence(Range<usize>),
    /// The sheets of the solution with this number.
    Sheets(usize),
}

impl Text {
    /// A text with a name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Text { name: name.into(), text: text.into(), part: None, table: None, sheets: Vec::new() }
    }

    /// A table that gives a parameter its value: CSV with any of the usual separators, or a list of objects in JSON.
    /// The columns are chosen as `name,start@time`, or found by their names and positions if `columns` is empty.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let text = "given cost : function int --> int\nfind x : int(1..9)\nsuch that x in defined(cost)";
    /// let model = Model::read(&Text::new("m.essence", text))?;
    /// let table = Text::table("cost.csv", "item,cost\n1,30\n2,20\n", "cost", "");
    /// assert!(model.instance(&[table]).is_ok());
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn table(
        name: impl Into<String>,
        text: impl Into<String>,
        parameter: impl Into<String>,
        columns: impl Into<String>,
    ) -> Self {
        let table = TableUse { parameter: parameter.into(), columns: columns.into() };
        Text { table: Some(table), ..Text::new(name, text) }
    }

    /// Tables that are read together, as a workbook. A workbook can also be an earlier plan or a solution.
    pub fn workbook(name: impl Into<String>, sheets: Vec<Text>) -> Self {
        Text { sheets, ..Text::new(name, "") }
    }

    /// The tables of a workbook.
    pub fn sheets(&self) -> &[Text] {
        &self.sheets
    }

    /// The parameter that the text is for, if it is a table.
    pub fn table_use(&self) -> Option<&TableUse> {
        self.table.as_ref()
    }

    /// The instances in a text of data. JSON may hold several, in an array or one after the other; Essence and
    /// workbooks hold the solutions that were written to them. The second instance in `data.json` is named
    /// `data.json#2`. Any other text is one instance.
    ///
    /// ```
    /// use conjure_like::Text;
    ///
    /// let names = |text: &str| -> Vec<String> {
    ///     Text::new("data.json", text).instances().map(|instance| instance.name).collect()
    /// };
    /// assert_eq!(names(r#"{"n": 4}"#), ["data.json"]);
    /// assert_eq!(names(r#"[{"n": 4}, {"n": 5}]"#), ["data.json#1", "data.json#2"]);
    /// ```
    pub fn instances(&self) -> impl ExactSizeIterator<Item = Text> {
        // If a text was selected from another one, it is one instance.
        let is_whole = self.part.is_none() && self.table.is_none();
        let spans = |spans: fn(&str) -> Vec<Range<usize>>| if is_whole { spans(&self.text) } else { Vec::new() };
        let sheets = self.sheets.iter().filter_map(|sheet| Some(&*sheet.table_use()?.parameter));
        let mut parts: Vec<InstancePart> =
            spans(syntax::json::instance_spans).into_iter().map(InstancePart::Json).collect();
        parts.extend(spans(solution_spans).into_iter().map(InstancePart::Essence));
        parts.extend((1..=numbered_solutions(sheets)).map(InstancePart::Sheets));
        // If there is only one instance, it is the whole text.
        if parts.len() < 2 {
            parts = vec![InstancePart::Whole];
        }
        parts.into_iter().enumerate().map(|(at, part)| {
            let name = || format!("{}#{}", self.name, at + 1);
            match part {
                InstancePart::Whole => self.clone(),
                InstancePart::Json(part) => Text { name: name(), part: Some(part), ..self.clone() },
                InstancePart::Essence(part) => {
                    // The blank lines keep the line numbers of the part.
                    let lines = self.text[..part.start].matches('\n').count();
                    Text::new(name(), "\n".repeat(lines) + &self.text[part])
                }
                InstancePart::Sheets(number) => Text::workbook(name(), self.sheets_of_solution(number)),
            }
        })
    }

    /// The tables of one of several solutions in a workbook.
    fn sheets_of_solution(&self, number: usize) -> Vec<Text> {
        let sheet = |sheet: &Text| {
            let wanted = sheet.table.as_ref()?;
            let (parameter, _) = numbered_sheet(&wanted.parameter).filter(|(_, own)| *own == number)?;
            Some(Text { table: Some(TableUse { parameter: parameter.into(), ..wanted.clone() }), ..sheet.clone() })
        };
        self.sheets.iter().filter_map(sheet).collect()
    }

    /// The selected instance as a separate text.
    pub fn alone(self) -> Self {
        match self.part {
            Some(part) => Text { text: self.text[part].to_owned(), part: None, ..self },
            None => self,
        }
    }

    /// The tables of a workbook, or else the selected instance as the only text.
    pub fn into_tables(self) -> Vec<Text> {
        if self.sheets.is_empty() { vec![self.alone()] } else { self.sheets }
    }

    /// The same text with another name.
    pub fn named(self, name: impl Into<String>) -> Self {
        Text { name: name.into(), ..self }
    }

    pub(crate) fn add_to(&self, sources: &mut Sources) -> SourceId {
        if !self.sheets.is_empty() {
            let sheets = self.sheets.iter().map(|sheet| sheet.add_to(sources)).collect();
            return sources.add_workbook(self.name.as_str(), sheets);
        }
        match &self.table {
            Some(table) => sources.add_table(self.name.as_str(), self.text.as_str(), table.clone()),
            None => sources.add_part(self.name.as_str(), self.text.as_str(), self.part.clone()),
        }
    }
}

/// The ranges of the solutions in a text of Essence, each after a comment with its number; none if there are fewer than
/// two.
pub(super) fn solution_spans(text: &str) -> Vec<Range<usize>> {
    let (mut starts, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let number = line.strip_prefix("$ Solution: ").map(str::trim_end);
        if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())) {
            starts.push(at);
        }
        at += line.len();
    }
    if starts.len() < 2 {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// The name of a variable and the number of the solution in the name of a sheet.
fn numbered_sheet(name: &str) -> Option<(&str, usize)> {
    let (variable, number) = name.rsplit_once(' ')?;
    Some((variable, number.parse().ok()?))
}

/// The number of solutions in the sheets of a workbook, by their names; 0 if they hold one solution or something else.
pub(super) fn numbered_solutions<'n>(sheets: impl Iterator<Item = &'n str>) -> usize {
    let numbers: BTreeSet<usize> = sheets.filter_map(|name| Some(numbered_sheet(name)?.1)).collect();
    if numbers.len() > 1 && numbers.iter().copied().eq(1..=numbers.len()) { numbers.len() } else { 0 }
}
