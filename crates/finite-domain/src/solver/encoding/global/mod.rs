//! Global constraints, with a file for each.

mod all_different;
mod table;

use super::*;
use crate::problem::global::{AllDifferent, Table};

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    /// Adds the clauses of `condition → constraint`.
    pub(super) fn global(&mut self, constraint: &Global) -> Result {
        match constraint {
            Global::AllDifferent(constraint) => self.all_different(constraint),
            Global::Table(constraint) => self.some_row(constraint),
        }
    }

    /// Adds the clauses of `condition → ¬constraint`.
    pub(super) fn not_global(&mut self, constraint: &Global) -> Result {
        match constraint {
            Global::AllDifferent(constraint) => self.some_same(constraint),
            Global::Table(constraint) => self.no_row(constraint),
        }
    }
}
