//! The text of a proof in VeriPB's format, line by line.
//!
//! Lines are held back until the proof ends, and only those that the conclusion needs are written: the solver learns
//! clauses that its refutation does not use, and some translated constraints turn out to be unnecessary. If a proof is
//! too long to be held back, each line is written at once.

use crate::{reference::PbLiteral, solver::SatSteps};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    io::{self, BufWriter, Write},
    ops::Range,
};

/// The maximum number of bytes that are held back. Chosen.
const MOST_HELD: usize = 400_000_000;

/// A proof that is being written. The checker numbers the constraints in their order, starting with the constraints of
/// the formula.
pub(super) struct ProofLog {
    output: BufWriter<Box<dyn Write>>,
    /// The lines that are held back; `None` if each line is written at once.
    held: Option<HeldLines>,
    /// The number of the last constraint.
    last: u64,
    /// The names of literals.
    name: Box<dyn Fn(PbLiteral) -> String>,
    /// The constraint for each clause of the solver, by the solver's number for the clause.
    numbers: FxHashMap<i64, u64>,
    /// The constraint from which the next clause follows.
    pub next: u64,
    /// The constraints that the solver derived, which it may delete.
    steps: FxHashSet<u64>,
    /// The number of the empty clause.
    pub contradiction: Option<u64>,
    /// The number of the clause that refutes the last assumption.
    pub refuted: Option<u64>,
    /// True if the steps are not a complete proof.
    pub unclear: bool,
    failed: Option<io::Error>,
}

impl ProofLog {
    pub(super) fn new(output: Box<dyn Write>, constraints: usize, name: Box<dyn Fn(PbLiteral) -> String>) -> Self {
        let mut log = ProofLog {
            output: BufWriter::new(output),
            held: Some(HeldLines { constraints: constraints as u64, ..HeldLines::default() }),
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

    /// The number of the last constraint.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    pub(super) fn name(&self, literal: PbLiteral) -> String {
        (self.name)(literal)
    }

    pub(super) fn line(&mut self, line: &str) {
        self.add(line, false);
    }

    fn add(&mut self, line: &str, is_step: bool) {
        if let Some(held) = &mut self.held {
            held.add(line, is_step);
            // A held proof is reduced to the lines that are needed. If it gets too long for memory, it is written
            // unreduced.
            if held.text.len() > MOST_HELD {
                self.write_held(&|held| held.text.clone());
            }
        } else if self.failed.is_none() {
            self.failed = writeln!(self.output, "{line}").err();
        }
    }

    fn write_held(&mut self, text: &dyn Fn(&HeldLines) -> String) {
        // After `held` is taken, each further line is written at once.
        if let Some(held) = self.held.take()
            && self.failed.is_none()
        {
            self.failed = self.output.write_all(text(&held).as_bytes()).err();
        }
    }

    /// Adds a step that derives a constraint; returns the constraint's number.
    pub(super) fn step(&mut self, line: &str) -> u64 {
        self.add(line, true);
        self.last += 1;
        self.last
    }

    /// Logs that a derived constraint is no longer needed.
    pub(super) fn delete(&mut self, number: u64) {
        self.line(&format!("del id {number};"));
    }

    /// Adds a step that uses all earlier steps of this kind without referring to them: the proof keeps those before it.
    pub(super) fn linked_step(&mut self, line: &str) -> u64 {
        let number = self.step(line);
        if let Some(held) = &mut self.held {
            held.linked.push(number as usize);
        }
        number
    }

    /// Ends the proof.
    pub(super) fn end(&mut self, conclusion: &str) -> io::Result<()> {
        self.line("output NONE;");
        self.line(&format!("conclusion {conclusion};"));
        self.line("end pseudo-Boolean proof;");
        // The conclusion must be among the lines, because the reduction starts there.
        self.write_held(&HeldLines::needed);
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.output.flush(),
        }
    }

    /// Logs a clause of the solver and returns its number; `None` if it is not needed, or if an antecedent is unknown.
    fn follows(&mut self, clause: &[i32], antecedents: &[i64]) -> Option<u64> {
        // After the contradiction, no line is needed.
        if self.contradiction.is_some() {
            return None;
        }
        let known: Option<Vec<u64>> = antecedents.iter().map(|id| self.numbers.get(id).copied()).collect();
        // If its antecedents are unknown, the clause could not be checked.
        self.unclear |= known.as_ref().is_none_or(Vec::is_empty);
        Some(self.implied(clause, &known?))
    }

    /// Logs a clause that follows from constraints by propagation; returns its number.
    pub(super) fn implied(&mut self, clause: &[i32], antecedents: &[u64]) -> u64 {
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

/// The lines of a proof.
#[derive(Default)]
struct HeldLines {
    text: String,
    /// The end of each line, and true if the line adds a constraint.
    lines: Vec<(usize, bool)>,
    /// The number of constraints of the formula.
    constraints: u64,
    /// The steps that use all earlier ones of these, ascending.
    linked: Vec<usize>,
}

impl HeldLines {
    fn add(&mut self, line: &str, is_step: bool) {
        self.text += line;
        self.text.push('\n');
        self.lines.push((self.text.len(), is_step));
    }

    /// The lines that the conclusion needs, with renumbered constraints.
    fn needed(&self) -> String {
        let starts = || std::iter::once(0).chain(self.lines.iter().map(|(end, _)| *end));
        let lines: Vec<(&str, bool)> =
            starts().zip(&self.lines).map(|(start, (end, is_step))| (&self.text[start..*end], *is_step)).collect();
        // The constraints of the formula are the first ones and keep their numbers.
        let first = self.constraints as usize + 1;
        let steps = lines.iter().filter(|(_, is_step)| *is_step).count();
        // The index is the number of the constraint.
        let mut is_needed = vec![false; first + steps];
        let definitions = definitions(&lines, first);
        let mut number = first + steps;
        let mut is_before_solution = false;
        let mut is_linked = false;
        // A step is needed if a needed line refers to it, so the loop runs backwards.
        for (line, is_step) in lines.iter().rev() {
            number -= usize::from(*is_step);
            // The conclusion needs the solution, but does not mention its number.
            if line.starts_with("soli ") {
                is_needed[number] = true;
                is_before_solution = true;
            }
            if *is_step && self.linked.binary_search(&number).is_ok() {
                is_needed[number] |= is_linked;
                is_linked |= is_needed[number];
            }
            if is_deletion(line) || *is_step && !is_needed[number] {
                continue;
            }
            for (_, other) in references(line) {
                is_needed[other] = true;
            }
            // The checker completes a solution by propagation, for which it needs the whole definition of each
            // variable.
            if is_before_solution && line.starts_with("red ") {
                let variables = words(line, 0).map(|range| line[range].trim_start_matches('~'));
                for definition in variables.filter_map(|variable| definitions.get(variable)).flatten() {
                    is_needed[*definition] = true;
                }
            }
        }
        // The constraints of the formula keep their numbers.
        let mut numbers: Vec<usize> = (0..first).collect();
        let mut next = first;
        // Nothing refers to the other steps, so only needed ones get a number.
        for needed in &is_needed[first..] {
            numbers.push(next);
            next += usize::from(*needed);
        }
        let mut text = String::new();
        let mut number = first;
        for (line, is_step) in &lines {
            let mut own = references(line);
            let is_kept = match (is_step, is_deletion(line)) {
                (true, _) => is_needed[number],
                // If one of the constraints is not kept, neither is their deletion.
                (false, true) => own.all(|(_, other)| other < first || is_needed[other]),
                (false, false) => true,
            };
            number += usize::from(*is_step);
            if !is_kept {
                continue;
            }
            // Only the numbers are replaced; the text between them stays the same.
            let mut from = 0;
            for (range, other) in references(line) {
                text += &line[from..range.start];
                text += &numbers[other].to_string();
                from = range.end;
            }
            text += &line[from..];
        }
        text
    }
}

/// The numbers of the constraints that define each new variable.
fn definitions<'l>(lines: &[(&'l str, bool)], first: usize) -> FxHashMap<&'l str, Vec<usize>> {
    let mut found: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let steps = lines.iter().filter(|(_, is_step)| *is_step).map(|(line, _)| *line);
    for (number, line) in (first..).zip(steps).filter(|(_, line)| line.starts_with("red ")) {
        if let Some(range) = line.rfind(':').and_then(|from| words(line, from + 1).next()) {
            found.entry(&line[range]).or_default().push(number);
        }
    }
    found
}

fn is_deletion(line: &str) -> bool {
    line.starts_with("del ")
}

/// The constraints that a line refers to, with their positions: the numbers in a sum except factors and divisors, and
/// the numbers after the colon of a step by propagation or of the conclusion.
fn references(line: &str) -> impl Iterator<Item = (Range<usize>, usize)> + '_ {
    let (rule, _) = line.split_once(' ').unwrap_or((line, ""));
    let from = match rule {
        "pol" | "del" => rule.len(),
        "rup" => line.rfind(':').unwrap_or(line.len()),
        "conclusion" => line.find(':').unwrap_or(line.len()),
        _ => line.len(),
    };
    // In a conclusion, the second number is a bound.
    let most = if rule == "conclusion" { 1 } else { usize::MAX };
    let mut words = words(line, from).peekable();
    std::iter::from_fn(move || {
        loop {
            let range = words.next()?;
            let is_factor = words.peek().is_some_and(|next| matches!(&line[next.clone()], "*" | "d"));
            if !is_factor && let Ok(number) = line[range.clone()].parse() {
                return Some((range, number));
            }
        }
    })
    .take(most)
}

/// The words of a line, starting at a position, without the semicolon at its end.
fn words(line: &str, from: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = from;
    std::iter::from_fn(move || {
        let is_between = |letter: char| letter.is_whitespace() || letter == ';';
        at += line[at..].find(|letter| !is_between(letter))?;
        let end = line[at..].find(is_between).map_or(line.len(), |length| at + length);
        let range = at..end;
        at = end;
        Some(range)
    })
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
            self.delete(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_conclusion_needs_is_written() {
        let mut held = HeldLines { constraints: 2, ..HeldLines::default() };
        for (line, is_step) in [
            ("f 2;", false),
            ("pol 1 2 +;", true),
            ("rup 1 ~x_1 >= 1 : 1 3;", true),
            ("red 1 node_1 1 x_1 >= 1 : node_1 -> 1;", true),
            ("red 1 ~node_1 1 ~x_1 >= 1 : node_1 -> 0;", true),
            ("red 1 node_2 1 x_1 >= 1 : node_2 -> 1;", true),
            ("soli x_1 ~x_2;", true),
            ("rup 1 x_2 >= 1 : 3 5;", true),
            ("del id 4;", false),
            ("del id 5;", false),
            ("pol 9 2 * ~x_1 3 * + 2 d;", true),
            ("conclusion BOUNDS 3 : 10 5;", false),
        ] {
            held.add(line, is_step);
        }
        // The solution needs both parts of a variable's definition.
        let expected = "f 2;\npol 1 2 +;\nred 1 node_1 1 x_1 >= 1 : node_1 -> 1;\n\
                        red 1 ~node_1 1 ~x_1 >= 1 : node_1 -> 0;\nsoli x_1 ~x_2;\n\
                        rup 1 x_2 >= 1 : 3 4;\ndel id 4;\npol 7 2 * ~x_1 3 * + 2 d;\n\
                        conclusion BOUNDS 3 : 8 5;\n";
        assert_eq!(held.needed(), expected);
    }

    #[test]
    fn a_linked_step_keeps_the_linked_steps_before_it() {
        let mut held = HeldLines { constraints: 1, linked: vec![2, 4, 5], ..HeldLines::default() };
        for (line, is_step) in [
            ("red 1 x_1 1 ~x_2 >= 1 : x_1 -> x_2 x_2 -> x_1;", true),
            ("pol 1 2 +;", true),
            ("red 1 x_1 1 ~x_3 >= 1 : x_1 -> x_3 x_3 -> x_1;", true),
            ("red 1 x_1 1 ~x_4 >= 1 : x_1 -> x_4 x_4 -> x_1;", true),
            ("rup >= 1 : 1 4;", true),
            ("conclusion UNSAT : 6;", false),
        ] {
            held.add(line, is_step);
        }
        let expected = "red 1 x_1 1 ~x_2 >= 1 : x_1 -> x_2 x_2 -> x_1;\n\
                        red 1 x_1 1 ~x_3 >= 1 : x_1 -> x_3 x_3 -> x_1;\nrup >= 1 : 1 3;\nconclusion UNSAT : 4;\n";
        assert_eq!(held.needed(), expected);
    }
}
