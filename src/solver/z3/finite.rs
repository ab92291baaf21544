//! Z3's finite-domain solver as a SAT solver that has pseudo-Boolean constraints, too.

use super::{ask, counters, set_up};
use crate::solver::{
    Limits,
    clauses::Sat,
    encoding::{Footprint, Literal, Sink},
    search::Answer,
};
use ::z3::{Model, Solver, ast};

/// A condition that implies `Σ weight · literal <= bound`.
struct Sum {
    condition: Literal,
    terms: Vec<(i64, Literal)>,
    bound: i64,
}

/// What was encoded. Z3 gets it when it is asked a question, and so nothing of a problem that is refused half-way.
pub struct Finite {
    /// The literals of all clauses that Z3 does not have yet.
    clauses: Vec<Literal>,
    /// Where each of them ends.
    ends: Vec<usize>,
    sums: Vec<Sum>,
    solver: Solver,
    model: Option<Model>,
    /// The variables by number and their negations.
    terms: Vec<(ast::Bool, ast::Bool)>,
}

impl Finite {
    pub fn new(limits: &Limits) -> Self {
        // `None` is for names of logics that Z3 does not know.
        let solver = Solver::new_for_logic("QF_FD").unwrap_or_default();
        set_up(&solver, limits, |params| {
            // Without this, cardinality constraints (and sums with small weights, as such) become sorting networks,
            // which can be enormous.
            params.set_bool("cardinality.solver", true);
        });
        Finite { clauses: Vec::new(), ends: Vec::new(), sums: Vec::new(), solver, model: None, terms: Vec::new() }
    }

    /// Hands to Z3 what waits.
    fn flush(&mut self) {
        let (clauses, sums) = (std::mem::take(&mut self.clauses), std::mem::take(&mut self.sums));
        let in_sums = sums.iter().flat_map(|sum| sum.terms.iter().map(|(_, literal)| literal).chain([&sum.condition]));
        let largest = clauses.iter().chain(in_sums).map(|literal| literal.number().unsigned_abs()).max().unwrap_or(0);
        self.reach(largest);
        let mut start = 0;
        let mut clause: Vec<&ast::Bool> = Vec::new();
        for end in std::mem::take(&mut self.ends) {
            clause.clear();
            clause.extend(clauses[start..end].iter().map(|literal| self.term(*literal)));
            match clause.as_slice() {
                [single] => self.solver.assert(*single),
                several => self.solver.assert(ast::Bool::or(several)),
            }
            start = end;
        }
        for Sum { condition, terms, bound } in sums {
            let terms: Vec<(&ast::Bool, i32)> =
                terms.iter().map(|(weight, literal)| (self.term(*literal), *weight as i32)).collect();
            let sum = ast::Bool::pb_le(&terms, bound as i32);
            if condition == Literal::TRUE {
                self.solver.assert(sum);
            } else {
                self.solver.assert(ast::Bool::or(&[self.term(!condition), &sum]));
            }
        }
    }

    /// Makes the terms of the variables up to this number.
    fn reach(&mut self, number: u32) {
        while self.terms.len() <= number as usize {
            let variable = ast::Bool::new_const(self.terms.len() as u32);
            let negation = !&variable;
            self.terms.push((variable, negation));
        }
    }

    fn term(&self, literal: Literal) -> &ast::Bool {
        let (variable, negation) = &self.terms[literal.number().unsigned_abs() as usize];
        if literal.number() > 0 { variable } else { negation }
    }
}

impl Sink for Finite {
    const SUMS: bool = true;

    /// Each variable is two terms, and each clause is another one before it is a clause.
    const FOOTPRINT: Footprint = Footprint { variable: 2000, clause: 200, literal: 50 };

    fn clause(&mut self, literals: &[Literal]) {
        self.clauses.extend_from_slice(literals);
        self.ends.push(self.clauses.len());
    }

    fn at_most(&mut self, condition: Literal, terms: &[(i64, Literal)], bound: i64) {
        self.sums.push(Sum { condition, terms: terms.to_vec(), bound });
    }
}

impl Sat for Finite {
    /// All 32,768 subsets of 15 things took 6 s instead of the 17 s that they took without layers.
    const IN_ONE_LAYER: usize = 500;

    fn solve(&mut self, assumptions: &[Literal]) -> Answer {
        self.flush();
        for literal in assumptions {
            self.reach(literal.number().unsigned_abs());
        }
        let assumptions: Vec<ast::Bool> = assumptions.iter().map(|literal| self.term(*literal).clone()).collect();
        let answer = ask(&self.solver, &assumptions);
        self.model = if answer == Answer::Satisfiable { self.solver.get_model() } else { None };
        answer
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        let model = self.model.as_ref()?;
        match self.terms.get(literal.number().unsigned_abs() as usize) {
            Some(_) => model.eval(self.term(literal), true)?.as_bool(),
            // A variable that stands in no clause.
            None => Some(false),
        }
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        counters(&self.solver)
    }
}
