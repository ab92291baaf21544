//! The proof of an unsatisfiable answer, in the format DRAT (Wetzler, Heule, Hunt, "DRAT-trim: efficient checking and
//! trimming using expressive clausal proofs", 2014), with the clauses that it refutes, in the format DIMACS.
//!
//! Clauses may come after steps of the proof, for the search goes on after each assignment. That is no harm to a checker
//! that has them from the start. But CaDiCaL may take a clause away and bring it back later, and so only
//! the deletions of redundant clauses are told.

use crate::solver::{Refutation, encoding::Literal};
use cadical_sys::ProofTracer;
use std::{
    cell::RefCell,
    io::{BufWriter, Write},
    rc::Rc,
};

/// A proof on its way out. What cannot be written is the business of whoever has given the writers.
pub struct Proof {
    trace: Rc<RefCell<Trace>>,
    output: Box<dyn Write>,
    /// The clauses, each with a 0 after it.
    clauses: Vec<i32>,
    count: usize,
    variables: u32,
}

impl Proof {
    pub fn new(refutation: Refutation) -> Self {
        let trace = Trace { steps: BufWriter::new(refutation.steps), concluded: false };
        Proof {
            trace: Rc::new(RefCell::new(trace)),
            output: refutation.clauses,
            clauses: Vec::new(),
            count: 0,
            variables: 0,
        }
    }

    /// What CaDiCaL tells its steps to.
    pub fn tracer(&self) -> impl ProofTracer + use<> {
        self.trace.clone()
    }

    pub fn clause(&mut self, literals: &[Literal]) {
        for literal in literals {
            self.variables = self.variables.max(literal.number().unsigned_abs());
            self.clauses.push(literal.number());
        }
        self.clauses.push(0);
        self.count += 1;
    }

    /// Writes the clauses, if they have been refuted.
    pub fn end(&mut self) {
        let mut trace = self.trace.borrow_mut();
        if !trace.concluded || trace.steps.flush().is_err() {
            return;
        }
        let mut output = BufWriter::new(&mut self.output);
        let _ = writeln!(output, "p cnf {} {}", self.variables, self.count);
        for number in &self.clauses {
            let _ = write!(output, "{number}{}", if *number == 0 { '\n' } else { ' ' });
        }
        let _ = output.flush();
    }
}

struct Trace {
    steps: BufWriter<Box<dyn Write>>,
    /// Whether the empty clause has been derived.
    concluded: bool,
}

impl Trace {
    fn line(&mut self, prefix: &str, clause: &[i32]) {
        let literals: String = clause.iter().map(|literal| format!("{literal} ")).collect();
        let _ = writeln!(self.steps, "{prefix}{literals}0");
    }
}

impl ProofTracer for Trace {
    fn add_derived_clause(&mut self, _: i64, _: bool, _: i32, clause: &[i32], _: &[i64]) {
        self.line("", clause);
        self.concluded |= clause.is_empty();
    }

    fn delete_clause(&mut self, _: i64, redundant: bool, clause: &[i32]) {
        if redundant {
            self.line("d ", clause);
        }
    }

    fn add_original_clause(&mut self, _: i64, _: bool, clause: &[i32], _: bool) {
        if clause.is_empty() {
            self.line("", clause);
            self.concluded = true;
        }
    }

    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
