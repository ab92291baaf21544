//! The texts that callers hand in: models, data, solutions and earlier plans.

use crate::{
    source::{SourceId, Sources, TableUse},
    syntax,
};
use std::ops::Range;

/// A text with the name that people know it by, which messages show: a file's name, as a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The name of the text in messages.
    pub name: String,
    /// The text itself.
    pub text: String,
    /// The instance that is meant, in a text that holds several.
    part: Option<Range<usize>>,
    /// What the text is read for, if it is a table.
    table: Option<TableUse>,
    /// The tables of a workbook, which has no text of its own.
    sheets: Vec<Text>,
}

impl Text {
    /// A text with a name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Text { name: name.into(), text: text.into(), part: None, table: None, sheets: Vec::new() }
    }

    /// A table that gives a parameter its value: CSV with any of the usual separators, or a list of objects in JSON.
    /// The columns are chosen as `name,start@time`, or found by their names and positions if the text is empty.
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

    /// Tables that are read together, such as a workbook. An earlier plan or a solution may be one.
    pub fn workbook(name: impl Into<String>, sheets: Vec<Text>) -> Self {
        Text { sheets, ..Text::new(name, "") }
    }

    /// The tables of a workbook.
    pub fn sheets(&self) -> &[Text] {
        &self.sheets
    }

    /// What the text is read for, if it is a table.
    pub fn table_use(&self) -> Option<&TableUse> {
        self.table.as_ref()
    }

    /// The instances in a text of data: JSON may hold several, in an array or one after the other. The second one in
    /// `data.json` is named `data.json#2`. Any other text is one instance.
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
        let parts = if self.part.is_none() && self.table.is_none() {
            syntax::json::instance_spans(&self.text)
        } else {
            Vec::new()
        };
        // A single instance is the whole text.
        let parts: Vec<_> = if parts.len() > 1 { parts.into_iter().map(Some).collect() } else { vec![None] };
        parts.into_iter().enumerate().map(|(at, part)| match part {
            None => self.clone(),
            Some(part) => Text { name: format!("{}#{}", self.name, at + 1), part: Some(part), ..self.clone() },
        })
    }

    /// The instance that is meant as a text of its own.
    pub fn alone(self) -> Self {
        match self.part {
            Some(part) => Text { text: self.text[part].to_owned(), part: None, ..self },
            None => self,
        }
    }

    /// The tables of a workbook, or else the instance that is meant as the only text.
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
