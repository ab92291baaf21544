//! Clauses for Z3's finite-domain solver.

use crate::solver::encoding::{Literal, Sink};
use z3::{Solver, Symbol, ast::Bool};

/// Booleans of Z3 by the numbers of the encoder's variables.
pub struct Finite {
    pub solver: Solver,
    variables: Vec<(Bool, Bool)>,
}

impl Finite {
    pub fn new() -> Self {
        let solver = Solver::new_for_logic("QF_FD").unwrap_or_default();
        Finite { solver, variables: Vec::new() }
    }

    /// The term of a literal.
    pub fn term(&self, literal: Literal) -> &Bool {
        let (positive, negative) = &self.variables[literal.unsigned_abs() as usize - 1];
        if literal > 0 { positive } else { negative }
    }
}

impl Sink for Finite {
    fn new_variable(&mut self) -> Literal {
        let number = self.variables.len() as u32 + 1;
        let positive = Bool::new_const(Symbol::Int(number));
        let negative = (&positive).not();
        self.variables.push((positive, negative));
        number as Literal
    }

    fn clause(&mut self, literals: &[Literal]) {
        let clause = match literals {
            [single] => self.term(*single).clone(),
            _ => Bool::or(&literals.iter().map(|literal| self.term(*literal)).collect::<Vec<_>>()),
        };
        self.solver.assert(&clause);
    }

    fn at_most(&mut self, terms: &[(i64, Literal)], bound: i64, condition: Option<Literal>) {
        let terms: Vec<(&Bool, i32)> =
            terms.iter().map(|(weight, literal)| (self.term(*literal), *weight as i32)).collect();
        let sum = Bool::pb_le(&terms, bound as i32);
        match condition {
            Some(condition) => self.solver.assert(self.term(condition).implies(&sum)),
            None => self.solver.assert(&sum),
        }
    }
}
