//! The proof of an unsatisfiable answer in the LRAT format (`crate::proof` checks it), the clauses that it refutes in
//! the DIMACS format, and comments with the meaning of variables and clauses.
//!
//! Clauses may be added after steps of the proof, because the search continues after each assignment. A checker may
//! have all clauses from the start: each derived clause still follows. LRAT numbers the steps after the last clause,
//! but the number of clauses is known only at the end: so the steps are drafted, and numbered after the search. CaDiCaL
//! may remove an original clause and restore it later, so only deletions of derived clauses are written. LRAT has no
//! comments, so they are written before the clauses.

use crate::{
    Sense,
    problem::Variable,
    solver::{
        ProblemWords, ProofDraft, Refutation,
        encoding::{Literal, LiteralMeaning, Section},
    },
};
use cadical_sys::ProofTracer;
use rustc_hash::FxHashMap;
use std::{
    cell::RefCell,
    io::{self, BufRead, BufReader, BufWriter, SeekFrom, Write},
    rc::Rc,
};

/// A proof that is being written. Errors of the writers are left to their owner.
pub(crate) struct ProofWriter {
    trace: Rc<RefCell<ProofSteps>>,
    steps: Box<dyn Write>,
    output: Box<dyn Write>,
    words: Box<dyn ProblemWords>,
    /// The clauses, each followed by a 0.
    clauses: Vec<i32>,
    count: usize,
    variables: u32,
    /// The meaning of the clauses that start at each position.
    sections: Vec<(usize, Section)>,
}

impl ProofWriter {
    pub(crate) fn new(refutation: Refutation) -> Self {
        let trace = ProofSteps {
            draft: BufWriter::new(refutation.draft),
            numbers: FxHashMap::default(),
            given: 0,
            derived: 0,
            concluded: false,
            unclear: false,
        };
        ProofWriter {
            trace: Rc::new(RefCell::new(trace)),
            steps: refutation.steps,
            output: refutation.clauses,
            words: refutation.words,
            clauses: Vec::new(),
            count: 0,
            variables: 0,
            sections: Vec::new(),
        }
    }

    /// Returns the tracer that CaDiCaL reports its steps to.
    pub(crate) fn tracer(&self) -> impl ProofTracer + use<> {
        self.trace.clone()
    }

    pub(crate) fn section(&mut self, section: Section) {
        match self.sections.last_mut() {
            // If the previous section has no clauses, the new one replaces it.
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

    /// Writes the steps and the clauses if the clauses have been refuted.
    pub(crate) fn end(&mut self, legend: &[(Literal, Variable, LiteralMeaning)]) {
        let trace = self.trace.borrow();
        if trace.concluded && !trace.unclear {
            drop(trace);
            // The writers store their errors.
            drop(self.write(legend));
        }
    }

    fn write(&mut self, legend: &[(Literal, Variable, LiteralMeaning)]) -> io::Result<()> {
        let length = self.trace.borrow_mut().write_steps(&mut self.steps)?;
        let mut text = Vec::new();
        writeln!(text, "{}", conjure_like_proof::length_comment(length))?;
        self.comments(legend, &mut text)?;
        let mut output = BufWriter::new(&mut self.output);
        output.write_all(&text)?;
        writeln!(output, "p cnf {} {}", self.variables, self.count)?;
        for number in &self.clauses {
            write!(output, "{number}{}", if *number == 0 { '\n' } else { ' ' })?;
        }
        output.flush()
    }

    fn comments(&self, legend: &[(Literal, Variable, LiteralMeaning)], text: &mut Vec<u8>) -> io::Result<()> {
        writeln!(text, "{}{}", conjure_like_proof::CLAIM, self.claim())?;
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

    /// The claim of all clauses together, which the proof refutes.
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

struct ProofSteps {
    /// The steps, one per line, with the numbers of [`ProofSteps::number`].
    draft: BufWriter<Box<dyn ProofDraft>>,
    /// The clauses by CaDiCaL's numbers: 1 for the first original one, -1 for the first derived one.
    numbers: FxHashMap<i64, i64>,
    given: i64,
    derived: i64,
    /// True if the empty clause has been derived.
    concluded: bool,
    /// True if the steps are not a proof: the format cannot express a step, or the draft cannot be written.
    unclear: bool,
}

impl ProofSteps {
    /// The number of a clause in the draft; `+` marks numbers that count from the last original clause.
    fn number(&mut self, id: i64) -> String {
        match self.numbers.get(&id) {
            Some(number) if *number > 0 => number.to_string(),
            Some(number) => format!("+{}", -number),
            None => {
                self.unclear = true;
                String::new()
            }
        }
    }

    fn step(&mut self, clause: &[i32], antecedents: impl IntoIterator<Item = String>) {
        self.derived += 1;
        let mut line = format!("+{}", self.derived);
        for literal in clause {
            line += &format!(" {literal}");
        }
        line += " 0";
        for antecedent in antecedents {
            line += " ";
            line += &antecedent;
        }
        self.write_line(&format!("{line} 0"));
        self.concluded = clause.is_empty();
    }

    fn write_line(&mut self, line: &str) {
        self.unclear |= writeln!(self.draft, "{line}").is_err();
    }

    /// Writes the steps with their numbers; returns the number of bytes.
    fn write_steps(&mut self, output: &mut dyn Write) -> io::Result<u64> {
        self.draft.flush()?;
        let draft = self.draft.get_mut();
        draft.seek(SeekFrom::Start(0))?;
        let (mut draft, mut output) = (BufReader::new(draft), BufWriter::new(output));
        let (mut line, mut length) = (String::new(), 0);
        while draft.read_line(&mut line)? > 0 {
            let mut numbered = String::with_capacity(line.len() + 16);
            for word in line.split_ascii_whitespace() {
                if !numbered.is_empty() {
                    numbered.push(' ');
                }
                match word.strip_prefix('+').and_then(|position| position.parse::<i64>().ok()) {
                    Some(position) => numbered += &(self.given + position).to_string(),
                    None => numbered += word,
                }
            }
            numbered.push('\n');
            output.write_all(numbered.as_bytes())?;
            length += numbered.len() as u64;
            line.clear();
        }
        output.flush()?;
        Ok(length)
    }
}

impl ProofTracer for ProofSteps {
    fn add_derived_clause(&mut self, id: i64, _: bool, witness: i32, clause: &[i32], antecedents: &[i64]) {
        // A clause with a witness does not follow from other clauses, and LRAT has no other steps.
        self.unclear |= witness != 0;
        if !self.concluded {
            let antecedents: Vec<String> = antecedents.iter().map(|id| self.number(*id)).collect();
            self.step(clause, antecedents);
            self.numbers.insert(id, -self.derived);
        }
    }

    fn delete_clause(&mut self, id: i64, redundant: bool, _: &[i32]) {
        // CaDiCaL may restore an original clause later, so only deletions of derived clauses are written.
        if redundant && !self.concluded && self.numbers.get(&id).is_some_and(|number| *number < 0) {
            let (last, number) = (self.derived, self.number(id));
            self.write_line(&format!("+{last} d {number} 0"));
            self.numbers.remove(&id);
        }
    }

    fn add_original_clause(&mut self, id: i64, _: bool, clause: &[i32], restored: bool) {
        if restored {
            return;
        }
        self.given += 1;
        self.numbers.insert(id, self.given);
        if clause.is_empty() && !self.concluded {
            let empty = self.given.to_string();
            self.step(clause, [empty]);
        }
    }

    super::ignores_assumptions!();
    super::ignores_the_rest!();
}
