//! The proof of an unsatisfiable answer, in the format LRAT (`crate::proof` checks it), with the clauses that it refutes, in
//! the format DIMACS, and comments that say what their variables and the clauses mean.
//!
//! Clauses may come after steps of the proof, because the search goes on after each assignment. A checker may have these
//! clauses from the start: each derived clause still follows. As nobody knows beforehand how many clauses there will be, derived
//! clauses are numbered from [`FIRST_DERIVED`] on. CaDiCaL may take a clause away and bring it back later, and so only
//! the deletions of derived clauses are told.

use crate::{
    language::Sense,
    problem::Variable,
    solver::{
        ProblemWords, Refutation,
        encoding::{Literal, LiteralMeaning, Section},
    },
};
use cadical_sys::ProofTracer;
use rustc_hash::FxHashMap;
use std::{
    cell::RefCell,
    io::{self, BufWriter, Write},
    rc::Rc,
};

/// The number of the first derived clause: larger than any number of original clauses, which the memory cap limits.
const FIRST_DERIVED: i64 = 1 << 25;

/// A proof on its way out. What cannot be written is the business of whoever has given the writers.
pub(crate) struct ProofWriter {
    trace: Rc<RefCell<Trace>>,
    output: Box<dyn Write>,
    words: Box<dyn ProblemWords>,
    /// The clauses, each with a 0 after it.
    clauses: Vec<i32>,
    count: usize,
    variables: u32,
    /// The meaning of the clauses from each position on.
    sections: Vec<(usize, Section)>,
}

impl ProofWriter {
    pub(crate) fn new(refutation: Refutation) -> Self {
        let steps = BufWriter::new(refutation.steps);
        let trace = Trace { steps, given: FxHashMap::default(), count: 0, concluded: false, unclear: false };
        ProofWriter {
            trace: Rc::new(RefCell::new(trace)),
            output: refutation.clauses,
            words: refutation.words,
            clauses: Vec::new(),
            count: 0,
            variables: 0,
            sections: Vec::new(),
        }
    }

    /// The tracer to which CaDiCaL reports its steps.
    pub(crate) fn tracer(&self) -> impl ProofTracer + use<> {
        self.trace.clone()
    }

    pub(crate) fn section(&mut self, section: Section) {
        match self.sections.last_mut() {
            // The previous section has no clauses.
            Some((start, last)) if *start == self.count => *last = section,
            Some((_, last)) if *last == section => {}
            _ => self.sections.push((self.count, section)),
        }
    }

    pub(crate) fn clause(&mut self, literals: &[Literal]) {
        for literal in literals {
            self.variables = self.variables.max(literal.number().unsigned_abs());
            self.clauses.push(literal.number());
        }
        self.clauses.push(0);
        self.count += 1;
    }

    /// Writes the clauses, if they have been refuted.
    pub(crate) fn end(&mut self, legend: &[(Literal, Variable, LiteralMeaning)]) {
        let mut trace = self.trace.borrow_mut();
        let complete = trace.concluded && !trace.unclear && (self.count as i64) < FIRST_DERIVED;
        if !complete || trace.steps.flush().is_err() {
            return;
        }
        drop(trace);
        let mut text = Vec::new();
        let written = self.comments(legend, &mut text).and_then(|()| {
            let mut output = BufWriter::new(&mut self.output);
            output.write_all(&text)?;
            writeln!(output, "p cnf {} {}", self.variables, self.count)?;
            for number in &self.clauses {
                write!(output, "{number}{}", if *number == 0 { '\n' } else { ' ' })?;
            }
            output.flush()
        });
        // The writer keeps its error.
        drop(written);
    }

    fn comments(&self, legend: &[(Literal, Variable, LiteralMeaning)], text: &mut Vec<u8>) -> io::Result<()> {
        writeln!(text, "{}{}", crate::proof::CLAIM, self.claim())?;
        writeln!(text, "c The variables (a variable that is not listed stands for a part of a constraint):")?;
        for (literal, variable, meaning) in legend {
            let Some(name) = self.words.variable(*variable) else { continue };
            let says = meaning.says(&name, |value| self.words.value(*variable, value));
            writeln!(text, "c variable {}: {says}", literal.number())?;
        }
        writeln!(text, "c The clauses:")?;
        let ends = self.sections.iter().skip(1).map(|(start, _)| *start).chain([self.count]);
        for ((start, section), end) in self.sections.iter().zip(ends) {
            let says = match section {
                Section::True => "variable 1 is true".to_owned(),
                Section::Constraint(position) => self.words.constraint(*position),
                Section::Decisions => "each variable has one of its values".to_owned(),
                Section::Assumptions => "definitions of Booleans that the search assumes".to_owned(),
                Section::Found => "excludes a solution that was found".to_owned(),
                Section::Better { .. } => format!("the solution is better than the last one: {}", self.claimed_bound()),
            };
            match end - start {
                0 => {}
                1 => writeln!(text, "c clause {end}: {says}")?,
                _ => writeln!(text, "c clauses {} to {end}: {says}", start + 1)?,
            }
        }
        Ok(())
    }

    /// The claim that the clauses make together, and that the proof refutes.
    fn claim(&self) -> String {
        let found: usize = self.sections.iter().filter(|(_, section)| *section == Section::Found).count();
        match (found, self.claimed_bound()) {
            (_, bound) if !bound.is_empty() => format!("there is no solution with {bound}"),
            (0, _) => "there is no solution".to_owned(),
            (1, _) => "there is no solution besides the one that was found".to_owned(),
            (found, _) => format!("there is no solution besides the {found} that were found"),
        }
    }

    /// The bounds that a better solution would have to meet.
    fn claimed_bound(&self) -> String {
        let better = self.sections.iter().rev().find_map(|(_, section)| match section {
            Section::Better { sense, values } => Some((*sense, values)),
            _ => None,
        });
        let Some((sense, values)) = better else { return String::new() };
        let side = match sense {
            Sense::Maximise => "at least",
            Sense::Minimise => "at most",
        };
        match values.as_slice() {
            [] => String::new(),
            [value] => format!("an objective of {side} {value}"),
            [value, others @ ..] => {
                let others: String =
                    others.iter().map(|value| format!(", or as good and then {side} {value}")).collect();
                format!("a first objective of {side} {value}{others}")
            }
        }
    }
}

struct Trace {
    steps: BufWriter<Box<dyn Write>>,
    /// The numbers of the clauses that were given, by CaDiCaL's numbers.
    given: FxHashMap<i64, i64>,
    count: i64,
    /// Whether the empty clause has been derived.
    concluded: bool,
    /// Whether a step occurred that the format cannot express.
    unclear: bool,
}

impl Trace {
    fn number(&self, id: i64) -> i64 {
        self.given.get(&id).copied().unwrap_or(FIRST_DERIVED + id)
    }

    fn step(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        if self.concluded {
            return;
        }
        let mut line = self.number(id).to_string();
        for literal in clause {
            line += &format!(" {literal}");
        }
        line += " 0";
        for antecedent in antecedents {
            line += &format!(" {}", self.number(*antecedent));
        }
        let _ = writeln!(self.steps, "{line} 0");
        self.concluded = clause.is_empty();
    }
}

impl ProofTracer for Trace {
    fn add_derived_clause(&mut self, id: i64, _: bool, witness: i32, clause: &[i32], antecedents: &[i64]) {
        self.unclear |= witness != 0;
        self.step(id, clause, antecedents);
    }

    fn delete_clause(&mut self, id: i64, redundant: bool, _: &[i32]) {
        if redundant && !self.concluded && !self.given.contains_key(&id) {
            let number = self.number(id);
            let _ = writeln!(self.steps, "{number} d {number} 0");
        }
    }

    fn add_original_clause(&mut self, id: i64, _: bool, clause: &[i32], restored: bool) {
        if restored {
            return;
        }
        self.count += 1;
        self.given.insert(id, self.count);
        if clause.is_empty() && !self.concluded {
            let _ = writeln!(self.steps, "{} 0 {} 0", FIRST_DERIVED, self.count);
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
