//! The formats of SAT, MaxSAT and pseudo-Boolean solvers: clauses, and sums of literals.

use super::{ExportFormat, answer::truth_values};
use crate::solver::tuning;
use crate::{
    Sense,
    problem::{Assignment, Problem, Variable},
    solver::encoding::{ClauseSink, Encoder, Literal, LiteralMeaning, Refused},
};
use std::{fmt::Write, mem};

/// A condition that implies `Σ weight · literal <= bound`.
type BoundedSum = (Literal, Vec<(i64, Literal)>, i64);

/// A sum to be minimised: literals with positive weights, and a constant.
type Weighted = (Vec<(i128, Literal)>, i128);

/// Returns the assignment of a problem's variables for the values of literals.
type Decode<'p> = Box<dyn Fn(&mut dyn FnMut(Literal) -> bool) -> Assignment + 'p>;

/// A problem as clauses and sums.
pub(super) struct Encoded<'p> {
    clauses: Vec<Vec<Literal>>,
    sums: Vec<BoundedSum>,
    variables: u32,
    objective: Option<(Sense, Weighted)>,
    pub legend: Vec<(Literal, Variable, LiteralMeaning)>,
    decode: Decode<'p>,
}

impl<'p> Encoded<'p> {
    /// Encodes a problem.
    pub(super) fn new(problem: &'p Problem, format: ExportFormat) -> Result<Self, Refused> {
        let sink = TextSink { takes_sums: format == ExportFormat::Opb, ..TextSink::default() };
        let mut encoder = Encoder::new(problem, sink)?;
        let objective = match problem.objective() {
            Some(objective) if format.objectives() > 0 => {
                let sign = if objective.sense == Sense::Maximise { -1 } else { 1 };
                let weighted = objective.terms.first().map(|term| encoder.weighted(sign, *term)).transpose()?;
                weighted.map(|weighted| (objective.sense, weighted))
            }
            _ => None,
        };
        let legend = encoder.literals.legend();
        let variables = encoder.literals.out.variable_count();
        let TextSink { clauses, sums, .. } = mem::take(&mut encoder.literals.out.sink);
        let decode = Box::new(move |holds: &mut dyn FnMut(Literal) -> bool| encoder.assignment(holds));
        Ok(Encoded { clauses, sums, variables, objective, legend, decode })
    }

    /// Returns the first lines, and the text after the comments.
    pub(super) fn text(&self, format: ExportFormat) -> (String, String) {
        let mut head = String::new();
        let mut text = String::new();
        let count = self.clauses.len() + self.sums.len();
        if let Some((sense, (_, constant))) = &self.objective {
            let is = match sense {
                Sense::Minimise => format!("{constant} plus"),
                Sense::Maximise => format!("{} minus", -constant),
            };
            let _ = writeln!(text, "{} The objective is {is} the sum of the weights.", format.comment());
        }
        let weighted = self.objective.iter().flat_map(|(_, (weighted, _))| weighted);
        match format {
            ExportFormat::Wcnf => {
                self.clauses.iter().for_each(|clause| line(&mut text, "h ", clause));
                weighted.for_each(|(weight, literal)| line(&mut text, &format!("{weight} "), &[!*literal]));
            }
            ExportFormat::Opb => {
                let _ = writeln!(head, "* #variable= {} #constraint= {count}", self.variables);
                // All files in this format start with the line above, so this line identifies our files.
                let _ = writeln!(head, "* Written by conjure-like");
                if self.objective.is_some() {
                    text += "min:";
                    weighted.for_each(|(weight, literal)| {
                        let _ = write!(text, " +{weight} {}", operand(*literal));
                    });
                    text += " ;\n";
                }
                for clause in &self.clauses {
                    // Some solvers do not accept a constraint without addends.
                    let (literals, bound) =
                        if clause.is_empty() { (&[Literal::TRUE][..], 2) } else { (&clause[..], 1) };
                    literals.iter().for_each(|literal| {
                        let _ = write!(text, "+1 {} ", operand(*literal));
                    });
                    let _ = writeln!(text, ">= {bound} ;");
                }
                self.sums.iter().for_each(|sum| at_most(&mut text, sum));
            }
            _ => {
                let _ = writeln!(text, "p cnf {} {count}", self.variables);
                self.clauses.iter().for_each(|clause| line(&mut text, "", clause));
            }
        }
        (head, text)
    }

    /// Returns the assignment in which only these literals are positive; `None` if it does not satisfy the text.
    pub(super) fn assignment(&self, literals: &[i32]) -> Option<Assignment> {
        let values = truth_values(literals, self.variables);
        let holds = |literal: Literal| values[literal.number().unsigned_abs() as usize] == (literal.number() > 0);
        let sum = |(condition, terms, bound): &BoundedSum| {
            let weights = terms.iter().filter(|(_, literal)| holds(*literal)).map(|(weight, _)| weight);
            !holds(*condition) || weights.sum::<i64>() <= *bound
        };
        let clause = |clause: &Vec<Literal>| clause.iter().any(|literal| holds(*literal));
        if !self.clauses.iter().all(clause) || !self.sums.iter().all(sum) {
            return None;
        }
        Some((self.decode)(&mut |literal| holds(literal)))
    }
}

/// Writes a clause in the DIMACS format.
fn line(text: &mut String, before: &str, clause: &[Literal]) {
    *text += before;
    for literal in clause {
        let _ = write!(text, "{} ", literal.number());
    }
    *text += "0\n";
}

/// A literal in a pseudo-Boolean constraint.
fn operand(literal: Literal) -> String {
    format!("{}x{}", if literal.number() < 0 { "~" } else { "" }, literal.number().unsigned_abs())
}

/// Writes a sum with an upper bound as one with a lower bound.
fn at_most(text: &mut String, (condition, terms, bound): &BoundedSum) {
    for (weight, literal) in terms {
        let _ = write!(text, "-{weight} {} ", operand(*literal));
    }
    // If the condition is false, its weight outweighs all others.
    let most: i64 = terms.iter().map(|(weight, _)| weight).sum();
    if *condition != Literal::TRUE && most > *bound {
        let _ = write!(text, "+{} {} ", most - bound, operand(!*condition));
    }
    let _ = writeln!(text, ">= {} ;", -bound);
}

/// A sink that collects the constraints.
#[derive(Default)]
struct TextSink {
    /// True if the format has pseudo-Boolean constraints.
    takes_sums: bool,
    clauses: Vec<Vec<Literal>>,
    sums: Vec<BoundedSum>,
}

impl ClauseSink for TextSink {
    const MOST_CLAUSES: u64 = tuning::export::MOST_CLAUSES;

    fn clause(&mut self, literals: &[Literal]) {
        self.clauses.push(literals.to_vec());
    }

    fn takes_sums(&self) -> bool {
        self.takes_sums
    }

    fn at_most(&mut self, condition: Literal, terms: &[(i64, Literal)], bound: i64) {
        self.sums.push((condition, terms.to_vec(), bound));
    }
}
