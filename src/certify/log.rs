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
    /// Whether the steps are not a proof.
    pub unclear: bool,
    written: u64,
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
            unclear: false,
            written: 0,
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
        self.written += line.len() as u64 + 1;
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

    /// Ends the proof, and returns the number of bytes.
    pub(super) fn end(&mut self, conclusion: &str) -> io::Result<u64> {
        self.line("output NONE;");
        self.line(&format!("conclusion {conclusion};"));
        self.line("end pseudo-Boolean proof;");
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.output.flush().map(|()| self.written),
        }
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
        if self.contradiction.is_some() {
            return;
        }
        self.unclear |= antecedents.is_empty();
        let known: Option<Vec<u64>> = antecedents.iter().map(|id| self.numbers.get(id).copied()).collect();
        match known {
            Some(known) => {
                let number = self.implied(clause, &known);
                self.numbers.insert(id, number);
                self.steps.insert(number);
            }
            None => self.unclear = true,
        }
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
