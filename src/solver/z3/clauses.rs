//! A problem as clauses and pseudo-Boolean constraints on Z3's finite-domain solver.

use super::Translation;
use crate::{
    problem::{Assignment, Problem, Variable},
    solver::encoding::{Encoder, Literal, Sink},
};
use ::z3::ast;

/// What the encoder made and Z3 does not have yet.
#[derive(Default)]
struct Waiting {
    /// The literals of all clauses.
    clauses: Vec<Literal>,
    /// Where each clause ends.
    ends: Vec<usize>,
    sums: Vec<Sum>,
}

/// A condition that implies `Σ weight · literal <= bound`.
struct Sum {
    condition: Literal,
    terms: Vec<(i64, Literal)>,
    bound: i64,
}

impl Sink for Waiting {
    fn clause(&mut self, literals: &[Literal]) {
        self.clauses.extend_from_slice(literals);
        self.ends.push(self.clauses.len());
    }

    fn at_most(&mut self, condition: Literal, terms: &[(i64, Literal)], bound: i64) {
        self.sums.push(Sum { condition, terms: terms.to_vec(), bound });
    }
}

pub struct Clauses<'p> {
    encoder: Encoder<'p, Waiting>,
    solver: ::z3::Solver,
    /// The variables by number and their negations.
    terms: Vec<(ast::Bool, ast::Bool)>,
}

impl<'p> Clauses<'p> {
    /// `None` if the problem has too many values to have Booleans for them.
    pub fn new(problem: &'p Problem) -> Option<Self> {
        let encoder = Encoder::new(problem, Waiting::default());
        if encoder.is_refused() {
            return None;
        }
        let solver = ::z3::Solver::new_for_logic("QF_FD")?;
        // Without this, cardinality constraints (and sums with small weights, as such) become sorting networks,
        // which can be enormous.
        let mut params = ::z3::Params::new();
        params.set_bool("cardinality.solver", true);
        solver.set_params(&params);
        let mut clauses = Clauses { encoder, solver, terms: Vec::new() };
        clauses.flush();
        Some(clauses)
    }

    /// Hands to Z3 what waits.
    fn flush(&mut self) {
        while self.terms.len() <= self.encoder.variable_count() as usize {
            let variable = ast::Bool::new_const(self.terms.len() as u32);
            let negation = !&variable;
            self.terms.push((variable, negation));
        }
        let waiting = std::mem::take(&mut self.encoder.sink);
        let mut start = 0;
        let mut clause: Vec<&ast::Bool> = Vec::new();
        for end in waiting.ends {
            clause.clear();
            clause.extend(waiting.clauses[start..end].iter().map(|literal| self.term(*literal)));
            match clause.as_slice() {
                [single] => self.solver.assert(*single),
                several => self.solver.assert(ast::Bool::or(several)),
            }
            start = end;
        }
        for Sum { condition, terms, bound } in waiting.sums {
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

    fn term(&self, literal: Literal) -> &ast::Bool {
        let (variable, negation) = &self.terms[literal.number().unsigned_abs() as usize];
        if literal.number() > 0 { variable } else { negation }
    }
}

impl Translation for Clauses<'_> {
    fn solver(&self) -> &::z3::Solver {
        &self.solver
    }

    fn assignment(&self, model: &::z3::Model) -> Option<Assignment> {
        let mut complete = true;
        let mut holds = |literal: Literal| {
            let value = model.eval(self.term(literal), true).and_then(|value| value.as_bool());
            complete &= value.is_some();
            value.unwrap_or(false)
        };
        let mut assignment = Assignment::default();
        for variable in self.encoder.variables() {
            match variable {
                Variable::Bool(term) => {
                    if let Some(value) = self.encoder.bool_value(term, &mut holds) {
                        assignment.set_bool(term.node().0, value);
                    }
                }
                Variable::Int(term) => {
                    if let Some(value) = self.encoder.value(term, &mut holds) {
                        assignment.set_int(term, value);
                    }
                }
            }
        }
        complete.then_some(assignment)
    }

    fn block(&mut self, assignment: &Assignment) {
        let problem = self.encoder.problem();
        let mut different = Vec::new();
        for variable in problem.decisions() {
            match *variable {
                Variable::Bool(term) => {
                    let term = if problem.bool_value(term, assignment) { !term } else { term };
                    different.push(self.encoder.literal(term));
                }
                Variable::Int(term) => {
                    different.extend(self.encoder.differs(term, problem.int_value(term, assignment)));
                }
            }
        }
        self.encoder.clause(different);
        self.encoder.work();
        self.flush();
    }

    fn bounded(&mut self, at_least: bool, value: i64) -> ast::Bool {
        let literal = match self.encoder.problem().objective() {
            Some((_, objective)) => self.encoder.bounded(objective, at_least, value),
            None => Literal::TRUE,
        };
        self.flush();
        self.term(literal).clone()
    }
}
