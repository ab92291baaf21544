//! At-most-one constraints: a clause per pair for a few literals, otherwise the product encoding (Chen, "A new SAT
//! encoding of the at-most-one constraint", 2010): the literals form a grid, each one implies its row and its column,
//! and at most one row and one column hold.

use super::*;
use crate::solver::tuning::encoding::PAIRS;

impl<S: ClauseSink> Output<S> {
    /// Adds `condition →` at most one of the literals holds.
    pub(super) fn at_most_one(&mut self, condition: Literal, literals: &[Literal]) {
        if literals.len() <= PAIRS {
            for (position, one) in literals.iter().enumerate() {
                for other in &literals[position + 1..] {
                    self.clause([!condition, !*one, !*other]);
                }
            }
            return;
        }
        let width = literals.len().isqrt() + 1;
        let columns: Vec<Literal> = (0..width).map(|_| self.new_variable()).collect();
        let rows: Vec<Literal> = literals.chunks(width).map(|_| self.new_variable()).collect();
        for (chunk, row) in literals.chunks(width).zip(&rows) {
            for (literal, column) in chunk.iter().zip(&columns) {
                // Only the limits on rows and columns restrict anything, so these clauses need no condition.
                self.clause([!*literal, *row]);
                self.clause([!*literal, *column]);
            }
        }
        self.at_most_one(condition, &columns);
        self.at_most_one(condition, &rows);
    }
}
