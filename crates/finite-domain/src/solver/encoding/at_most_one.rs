//! At most one of some literals: by pairs if they are few, else by the product encoding (Chen, "A new SAT
//! encoding of the at-most-one constraint", 2010): the literals stand in a grid, each implies its row and its
//! column, and at most one row and one column hold.

use super::*;

/// Up to this many literals, a clause per pair.
const PAIRS: usize = 40;

impl<S: ClauseSink> Output<S> {
    /// Adds the clauses for: if the condition holds, at most one of the literals does.
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
                self.clause([!*literal, *row]);
                self.clause([!*literal, *column]);
            }
        }
        self.at_most_one(condition, &columns);
        self.at_most_one(condition, &rows);
    }
}
