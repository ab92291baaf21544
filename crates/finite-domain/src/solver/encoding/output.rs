//! The clauses on their way to a sink, with their number and size: a problem that takes too many clauses is refused.

use super::*;
use crate::solver::tuning::{
    self,
    encoding::{SHARE, STOP_INTERVAL},
};

/// A sink and the size of its clauses.
pub(crate) struct Output<S> {
    pub sink: S,
    /// The number of calls of [`Output::weigh`].
    weighed: u32,
    variables: u32,
    clauses: u64,
    /// The total number of literals in the clauses.
    length: u64,
    /// The number of clauses that may still be made.
    budget: u64,
    /// The bits of sums of weighted literals, to be shared.
    pub(super) adders: FxHashMap<Vec<(u128, Literal)>, Arc<[Literal]>>,
    /// The literals of conjunctions of two literals, to be shared.
    pub(super) gates: FxHashMap<(Literal, Literal), Literal>,
}

impl<S: ClauseSink> Output<S> {
    /// Makes the output; the first clause makes variable 1 true.
    pub(super) fn new(sink: S, most: u64) -> Self {
        let mut output = Output {
            sink,
            weighed: 0,
            variables: 1,
            clauses: 0,
            length: 0,
            budget: S::MOST_CLAUSES.min(most),
            adders: FxHashMap::default(),
            gates: FxHashMap::default(),
        };
        output.sink.section(Section::True);
        output.clause([Literal::TRUE]);
        output
    }

    /// Estimates the memory of the solver for the clauses so far, in bytes.
    fn memory(&self) -> u64 {
        let tuning::Footprint { variable, clause, literal } = S::FOOTPRINT;
        u64::from(self.variables) * variable + self.clauses * clause + self.length * literal
    }

    pub(crate) fn variable_count(&self) -> u32 {
        self.variables
    }

    pub(crate) fn clause_count(&self) -> u64 {
        self.clauses
    }

    pub(crate) fn new_variable(&mut self) -> Literal {
        self.variables += 1;
        Literal::variable(self.variables)
    }

    /// Adds a clause without its constant literals; omits a clause that is always true.
    pub(crate) fn clause(&mut self, literals: impl IntoIterator<Item = Literal>) {
        // Most clauses are short, so they need no allocation.
        let mut kept = [Literal::FALSE; 4];
        let mut length = 0;
        let mut literals = literals.into_iter();
        for literal in literals.by_ref() {
            match literal {
                // The first clause of all states that `TRUE` is true.
                Literal::TRUE if self.clauses > 0 => return,
                Literal::FALSE => {}
                literal if length < kept.len() => {
                    kept[length] = literal;
                    length += 1;
                }
                literal => {
                    let mut long = kept.to_vec();
                    long.push(literal);
                    for literal in literals {
                        match literal {
                            Literal::TRUE => return,
                            Literal::FALSE => {}
                            literal => long.push(literal),
                        }
                    }
                    return self.add(&long);
                }
            }
        }
        self.add(&kept[..length]);
    }

    fn add(&mut self, literals: &[Literal]) {
        self.clauses += 1;
        self.length += literals.len() as u64;
        self.sink.clause(literals);
    }

    /// Returns a literal that is equivalent to "the first literal holds and none of the others does".
    pub(super) fn none_of(&mut self, first: Literal, others: Vec<Literal>) -> Literal {
        let none = self.new_variable();
        self.clause([!none, first]);
        for other in &others {
            self.clause([!none, !*other]);
        }
        self.clause([none, !first].into_iter().chain(others));
        none
    }

    /// Adds `condition → Σ weight · literal <= bound` as a constraint of the solver.
    pub(super) fn at_most(&mut self, condition: Literal, terms: &[(i64, Literal)], bound: i64) {
        self.length += terms.len() as u64;
        self.sink.at_most(condition, terms, bound);
    }

    /// Returns an error if the solver would take more memory than allowed, or if a limit was reached.
    pub(super) fn weigh(&mut self) -> Result {
        self.weighed += 1;
        if self.memory() > memory::for_clauses() {
            Err(Refused::Memory)
        } else if self.weighed.is_multiple_of(STOP_INTERVAL) && self.sink.is_stopped() {
            Err(Refused::Stopped)
        } else {
            Ok(())
        }
    }

    /// Limits a number of clauses to the share of one constraint.
    pub(super) fn share(&self, most: u64) -> u64 {
        most.min(self.budget / SHARE)
    }

    /// Subtracts a number of clauses from the budget; an error if the budget does not suffice.
    pub(super) fn afford(&mut self, clauses: u128) -> Result {
        match u64::try_from(clauses).ok().and_then(|clauses| self.budget.checked_sub(clauses)) {
            Some(left) => self.budget = left,
            // If the number of clauses exceeds any budget, a term has too many values.
            None if clauses > u128::from(S::MOST_CLAUSES) => return Err(Refused::Values),
            None => return Err(Refused::Clauses),
        }
        Ok(())
    }
}
