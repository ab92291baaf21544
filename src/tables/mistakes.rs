//! Mistakes in the cells of a table, gathered by their remedy, so that a column with a thousand of them is one report.

use super::cells::{DataTable, TableRow};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    source::Span,
};

/// The mistakes of one table.
pub(super) struct TableMistakes<'t> {
    table: &'t DataTable,
    found: Diagnostics,
    /// How the columns are read, which each report says.
    note: String,
}

/// A table with more kinds of mistakes was hardly meant for this parameter.
const MOST: usize = 12;

impl<'t> TableMistakes<'t> {
    pub(super) fn new(table: &'t DataTable, note: String) -> Self {
        TableMistakes { table, found: Vec::new(), note }
    }

    /// Reports a mistake in a cell. `place` are the words for it.
    pub(super) fn add(&mut self, span: Span, place: &str, what: &str, help: &str) {
        let is_same =
            |old: &&mut Diagnostic| old.help.first().is_some_and(|old| old == help) && is_like(&old.message, what);
        if let Some(old) = self.found.iter_mut().find(is_same) {
            old.also(span, &format!("{place}: {what}"));
            return;
        }
        if self.found.len() < MOST {
            let message = format!("`{}`, {place}: {what}", self.table.name);
            self.found.push(Diagnostic::error(Code::TABLE, message).at(span, what).help(help));
        }
    }

    /// Reports a mistake that is not in one cell alone.
    pub(super) fn push(&mut self, mistake: Diagnostic) {
        self.found.push(mistake);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether nothing more would be reported.
    pub(super) fn are_enough(&self) -> bool {
        self.found.len() >= MOST
    }

    pub(super) fn into_diagnostics(self) -> Diagnostics {
        let note = self.note;
        self.found
            .into_iter()
            .map(|mistake| if note.is_empty() { mistake } else { mistake.note(note.clone()) })
            .collect()
    }
}

/// Whether a report is about the same as another one: the words after the text of the cell agree.
fn is_like(message: &str, what: &str) -> bool {
    what.rsplit('`').next().is_some_and(|end| message.ends_with(end))
}

/// The words for a cell: `row 14, column hours`.
pub(super) fn words_for_cell(table: &DataTable, row: &TableRow, column: &str) -> String {
    format!("{} {}, column {column}", table.row_word(), row.number)
}
