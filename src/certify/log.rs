//! The text of a proof in VeriPB's format, line by line.

use crate::{reference::PbLiteral, solver::SatSteps};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::{self, BufWriter, Write};

/// A proof on its way out. The checker numbers the constraints in the order in which they come, the formula's first.
pub(super) struct ProofLog {
    output: BufWriter<Box<dyn Write>>,
    /// The number of the last constraint.
    last: u64,
    /// The names of literals.
    name: Box<dyn Fn(PbLiteral) -> String>,
    /// The constraint that each clause follows from, by the solver's number of the clause.
    numbers: FxHashMap<i64, u64>,
    /// The constraint that the next clause follows from.
    pub next: u64,
    /// The constraints that are steps of the solver, which it may delete.
    steps: FxHashSet<u64>,
    /// The empty clause.
    pub contradiction: Option<u64>,
    /// The clause by which the last assumption failed.
    pub refuted: Option<u64>,
    /// Whether the steps are not a proof.
    pub unclear: bool,
    failed: Option<io::Error>,
}

impl ProofLog {
    pub(super) fn new(output: Box<dyn Write>, constraints: usize, name: Box<dyn Fn(PbLiteral) -> String>) -> Self {
        let mut log = ProofLog {
            output: BufWriter::new(output),
            last: constraints as u64,
            name,
            numbers: FxHashMap::default(),
            next: 0,
            steps: FxHashSet::default(),
            contradiction: None,
            refuted: None,
            unclear: false,
            failed: None,
        };
        log.line("pseudo-Boolean proof version 3.0");
        log.line("% Written by conjure-like");
        log.line(&format!("f {constraints};"));
        log
    }

    pub(super) fn name(&self, literal: PbLiteral) -> String {
        (self.name)(literal)
    }

    pub(super) fn line(&mut self, line: &str) {
        if self.failed.is_none() {
            self.failed = writeln!(self.output, "{line}").err();
        }
    }

    /// Writes a step that adds a constraint, and returns its number.
    pub(super) fn step(&mut self, line: &str) -> u64 {
        self.line(line);
        self.last += 1;
        self.last
    }

    /// Ends the proof.
    pub(super) fn end(&mut self, conclusion: &str) -> io::Result<()> {
        self.line("output NONE;");
        self.line(&format!("conclusion {conclusion};"));
        self.line("end pseudo-Boolean proof;");
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.output.flush(),
        }
    }

    /// Writes a clause of the solver, and returns its number; `None` if it is not needed, or nothing is clear any more.
    fn follows(&mut self, clause: &[i32], antecedents: &[i64]) -> Option<u64> {
        if self.contradiction.is_some() {
            return None;
        }
        let known: Option<Vec<u64>> = antecedents.iter().map(|id| self.numbers.get(id).copied()).collect();
        self.unclear |= known.as_ref().is_none_or(Vec::is_empty);
        Some(self.implied(clause, &known?))
    }

    fn implied(&mut self, clause: &[i32], antecedents: &[u64]) -> u64 {
        let mut line = "rup ".to_owned();
        for literal in clause {
            line += &format!("1 {} ", self.name(PbLiteral::numbered(*literal)));
        }
        line += ">= 1 :";
        for antecedent in antecedents {
            line += &format!(" {antecedent}");
        }
        let number = self.step(&format!("{line};"));
        if clause.is_empty() && self.contradiction.is_none() {
            self.contradiction = Some(number);
        }
        number
    }
}

impl SatSteps for ProofLog {
    fn given(&mut self, id: i64, clause: &[i32]) {
        let number = self.next;
        self.numbers.insert(id, number);
        if clause.is_empty() {
            self.implied(&[], &[number]);
        }
    }

    fn derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        if let Some(number) = self.follows(clause, antecedents) {
            self.numbers.insert(id, number);
            self.steps.insert(number);
        }
    }

    fn refuted(&mut self, clause: &[i32], antecedents: &[i64]) {
        self.refuted = self.follows(clause, antecedents);
    }

    fn deleted(&mut self, id: i64) {
        if self.contradiction.is_none()
            && let Some(number) = self.numbers.get(&id).copied()
            && self.steps.remove(&number)
        {
            self.numbers.remove(&id);
            self.line(&format!("del id {number};"));
        }
    }
}
