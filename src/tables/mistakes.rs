//! Collects the mistakes in the cells of a table and groups them by help, so that a column with a thousand mistakes
//! gets one report.

use super::cells::{DataTable, TableRow};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    source::Span,
};

/// The mistakes of one table.
pub(super) struct TableMistakes<'t> {
    table: &'t DataTable,
    found: Diagnostics,
    /// The interpretation of the columns, which each report repeats.
    note: String,
}

/// A table with more kinds of mistakes was probably not meant for this parameter. Chosen.
const MOST: usize = 12;

impl<'t> TableMistakes<'t> {
    pub(super) fn new(table: &'t DataTable, note: String) -> Self {
        TableMistakes { table, found: Vec::new(), note }
    }

    /// Reports a mistake in a cell; `place` describes the cell.
    pub(super) fn add(&mut self, span: Span, place: &str, what: &str, help: &str) {
        let is_same =
            |old: &&mut Diagnostic| old.help.first().is_some_and(|old| old == help) && is_like(&old.message, what);
        if let Some(old) = self.found.iter_mut().find(is_same) {
            // A mistake of the same kind with the same help is added to the first report as another position.
            old.also(span, &format!("{place}: {what}"));
            return;
        }
        if self.found.len() < MOST {
            let message = format!("`{}`, {place}: {what}", self.table.name);
            self.found.push(Diagnostic::error(Code::TABLE, message).at(span, what).help(help));
        }
    }

    /// Reports a mistake that does not belong to a single cell.
    pub(super) fn push(&mut self, mistake: Diagnostic) {
        self.found.push(mistake);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns true if no further mistake would be reported.
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

/// Returns true if two messages differ only in the text of the cell: the words after the text are equal.
fn is_like(message: &str, what: &str) -> bool {
    what.rsplit('`').next().is_some_and(|end| message.ends_with(end))
}

/// Describes a cell: `row 14, column hours`.
pub(super) fn words_for_cell(table: &DataTable, row: &TableRow, column: &str) -> String {
    format!("{} {}, column {column}", table.row_word(), row.number)
}
