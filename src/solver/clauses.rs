//! A problem as clauses, searched by a SAT solver.

use super::{
    Limits, Outcome, Report,
    encoding::{Encoder, Literal, Sink},
    search::{self, Answer, Bound, Engine},
};
use crate::problem::{Assignment, Problem, Variable};
use std::{ops::ControlFlow, time::Instant};

/// An incremental SAT solver.
pub trait Sat: Sink {
    /// Whether all clauses and assumptions can be true together. Soon after a limit is reached the answer is
    /// "unknown".
    fn solve(&mut self, assumptions: &[Literal]) -> Answer;

    /// Whether a literal is true in the assignment that was found; `None` if the solver was interrupted.
    fn value(&self, literal: Literal) -> Option<bool>;

    /// What it did so far, in numbers.
    fn counters(&self) -> Vec<(&'static str, u64)>;
}

/// A problem encoded into a SAT solver.
pub struct Clauses<'p, S> {
    encoder: Encoder<'p, S>,
    report: Report,
}

impl<'p, S: Sat> Clauses<'p, S> {
    /// `None` if the problem has too many values to have Booleans for them.
    pub fn new(problem: &'p Problem, sat: S) -> Option<Self> {
        let start = Instant::now();
        let encoder = Encoder::new(problem, sat);
        let report = Report { encoding: start.elapsed(), ..Report::default() };
        (!encoder.is_refused()).then_some(Clauses { encoder, report })
    }

    /// Searches to the end.
    pub fn search(
        mut self,
        limits: &Limits,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> (Outcome, Report) {
        let mut bound = None;
        let outcome = search::run(self.encoder.problem(), &mut self, limits, &mut bound, found);
        let sizes = vec![("variables", self.encoder.variable_count().into()), ("clauses", self.encoder.clause_count())];
        let counters = self.encoder.sink.counters();
        (outcome, Report { sizes, counters, bound, ..self.report })
    }
}

impl<S: Sat> Engine for Clauses<'_, S> {
    fn check(&mut self, bounds: &[Bound]) -> Answer {
        let bounds = bounds.iter().map(|bound| self.encoder.bounded(bound.term, bound.at_least, bound.value));
        let assumptions: Vec<Literal> = bounds.collect();
        self.encoder.sink.solve(&assumptions)
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let mut complete = true;
        let mut holds = |literal: Literal| {
            let value = self.encoder.sink.value(literal);
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
    }
}
