//! Global constraints, each encoded in a file of its own.

mod all_different;
mod table;

use super::*;
use crate::problem::global::{AllDifferent, Table};

impl<S: ClauseSink> Encoder<'_, S> {
    /// Adds the clauses of `condition → constraint`.
    pub(super) fn global(&mut self, condition: Literal, constraint: &Global) -> Result {
        match constraint {
            Global::AllDifferent(constraint) => self.all_different(condition, constraint)?,
            Global::Table(constraint) => self.some_row(condition, constraint)?,
        }
        Ok(())
    }

    /// Adds the clauses of `condition → ¬constraint`.
    pub(super) fn not_global(&mut self, condition: Literal, constraint: &Global) -> Result {
        match constraint {
            Global::AllDifferent(constraint) => self.some_same(condition, constraint)?,
            Global::Table(constraint) => self.no_row(condition, constraint)?,
        }
        Ok(())
    }
}
