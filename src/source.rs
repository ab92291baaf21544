//! Source files and spans of them.
//!
//! Positions are byte offsets into one file; a [`Span`] names the file. Line and column numbers are computed only for
//! messages.

use std::{ops::Range, sync::Arc};

/// The name of the statements that a command line gives.
pub const COMMAND_LINE: &str = "-D";

/// The name of the requirements that a command line adds to a model.
pub(crate) const FIX: &str = "--fix";

/// The text that joins such a requirement to the text of a model.
pub(crate) const REQUIRED: &str = "\nsuch that ";

/// The name of the data for one call of a tool.
pub const CALL_DATA: &str = "the data";

/// The file of a span: an index into [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A half-open range of bytes in one source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from one offset to another.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Span { source, start: start as u32, end: end as u32 }
    }

    /// Returns true if another span lies in this one.
    pub fn contains(self, other: Span) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }

    /// The empty span at the start of this one.
    pub(crate) fn first(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// The smallest span that covers both. They must lie in the same file.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A text with the name that users know it by.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name in messages: usually the name of a file.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// The selected instance in a text that holds several.
    pub part: Option<Range<usize>>,
    /// The parameter that the text is for, if it is a table.
    pub table: Option<TableUse>,
    /// The tables of a workbook, which has no text itself.
    pub sheets: Vec<SourceId>,
}

/// The parameter for which a table gives the value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableUse {
    /// The name of the parameter.
    pub parameter: String,
    /// The columns for it, as `name,start@time`; empty if their names or positions show them.
    pub columns: String,
}

impl Source {
    /// Returns true if the text was typed for this run, so that unused parts of it are errors.
    pub fn is_typed(&self) -> bool {
        [COMMAND_LINE, CALL_DATA].contains(&&*self.name)
    }

    /// The 1-based line and column (in characters) of a byte offset.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..self.text.floor_char_boundary(offset)];
        let line = before.matches('\n').count() + 1;
        let column = before[before.rfind('\n').map_or(0, |at| at + 1)..].chars().count() + 1;
        (line, column)
    }
}

/// The files of a run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
    /// The requirements of the command line, at the end of the first text: the model to which they are added.
    added: Vec<Range<usize>>,
}

impl Sources {
    /// Adds a text.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceId {
        self.add_part(name, text, None)
    }

    /// Adds a text with one selected part.
    pub fn add_part(
        &mut self,
        name: impl Into<Arc<str>>,
        text: impl Into<Arc<str>>,
        part: Option<Range<usize>>,
    ) -> SourceId {
        self.push(Source { name: name.into(), text: text.into(), part, table: None, sheets: Vec::new() })
    }

    /// Adds a table.
    pub fn add_table(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>, table: TableUse) -> SourceId {
        let table = Some(table);
        self.push(Source { name: name.into(), text: text.into(), part: None, table, sheets: Vec::new() })
    }

    /// Adds a workbook whose tables have been added.
    pub fn add_workbook(&mut self, name: impl Into<Arc<str>>, sheets: Vec<SourceId>) -> SourceId {
        self.push(Source { name: name.into(), text: "".into(), part: None, table: None, sheets })
    }

    fn push(&mut self, source: Source) -> SourceId {
        self.files.push(source);
        SourceId(self.files.len() as u32 - 1)
    }

    /// The text with this id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// The file with this name.
    pub fn find(&self, name: &str) -> Option<&Source> {
        self.files.iter().find(|source| *source.name == *name)
    }

    /// Records that parts of the first text, at its end, are requirements of the command line.
    pub(crate) fn note_added(&mut self, parts: Vec<Range<usize>>) {
        self.added = parts;
    }

    /// The parts of the first text that are requirements of the command line.
    pub(crate) fn added(&self) -> &[Range<usize>] {
        &self.added
    }

    /// The requirement of the command line in which a span lies.
    pub(crate) fn added_around(&self, span: Span) -> Option<&str> {
        let part = self.added.iter().find(|part| part.contains(&(span.start as usize)))?;
        (span.source == SourceId(0)).then(|| &self.files[0].text[part.clone()])
    }

    /// The same files with a separate text for each requirement of the command line, and a function that moves spans
    /// there.
    pub(crate) fn with_added_apart(&self) -> (Sources, impl Fn(&mut Span) + use<>) {
        let (mut sources, mut texts) = (self.clone(), Vec::new());
        let is_end = self.added.last().is_some_and(|last| last.end == self.files[0].text.len());
        for part in std::mem::take(&mut sources.added).into_iter().filter(|_| is_end) {
            let text = &self.files[0].text[part.clone()];
            texts.push((sources.add(FIX, text), part));
        }
        // The text between the model and the requirements is removed with the requirements.
        if let Some((_, first)) = texts.first() {
            let model = &mut sources.files[0];
            let end = model.text[..first.start].rfind('\n').unwrap_or(first.start);
            model.text = model.text[..end].into();
        }
        let moved = move |span: &mut Span| {
            let start = span.start as usize;
            let begins = |(_, part): &&(SourceId, Range<usize>)| start < part.end;
            let Some((_, first)) = texts.first() else { return };
            if span.source != SourceId(0) || start + REQUIRED.len() < first.start {
                return;
            }
            let Some((source, part)) = texts.iter().find(begins).or(texts.last()) else { return };
            let offset = |at: u32| (at as usize).clamp(part.start, part.end) - part.start;
            *span = Span::new(*source, offset(span.start), offset(span.end));
        };
        (sources, moved)
    }

    /// The same files with one span replaced by another text.
    pub fn edited(&self, span: Span, text: &str) -> Sources {
        let mut edited = self.clone();
        let source = &mut edited.files[span.source.0 as usize];
        let (before, after) = (&source.text[..span.start as usize], &source.text[span.end as usize..]);
        source.text = format!("{before}{text}{after}").into();
        edited
    }

    /// Returns true if the first files are these.
    pub fn starts_with(&self, others: &Sources) -> bool {
        let is_same = |(one, other): (&Source, &Source)| one.name == other.name && one.text == other.text;
        self.files.len() >= others.files.len() && self.files.iter().zip(&others.files).all(is_same)
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.source).text[span.start as usize..span.end as usize]
    }
}
