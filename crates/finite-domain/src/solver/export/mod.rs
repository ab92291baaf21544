//! Problems as texts for external solvers, and the answers of these.
//!
//! A text starts with comments about its variables in the words of the model. To read an answer, the same text is made
//! again: the same problem gives the same variables.

mod answer;
mod clauses;
mod flatzinc;
mod infix;
mod smt_lib;

#[cfg(test)]
mod tests;

pub use answer::SolverAnswer;
pub(crate) use answer::truth_values;

use super::{
    EngineOptions, ProblemWords, SearchEnd, Solver, Statistics, clauses::refusal, encoding::Refused,
    tuning::export::MOST_CLAUSES,
};
use crate::{
    SolverError, StopReason,
    problem::{Assignment, Problem, Variable},
};
use answer::AnswerValues;
use infix::Dialect;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{fmt::Write, ops::ControlFlow};

/// The name of the solver in messages about problems that do not fit.
const NAME: &str = "external";

/// The format of a text for an external solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportFormat {
    /// Clauses, as in SAT competitions. The objective is left out.
    Dimacs,
    /// Clauses, and the objective as soft clauses with weights, as in MaxSAT evaluations since 2022.
    Wcnf,
    /// Pseudo-Boolean constraints and an objective, as in pseudo-Boolean competitions.
    Opb,
    /// Terms over integers and Booleans, for SMT solvers: SMT-LIB 2.6, and an objective as in Z3 and OptiMathSAT.
    SmtLib,
    /// Constraints of standard FlatZinc, for constraint solvers that work with MiniZinc.
    FlatZinc,
    /// Constraints as expressions of MiniZinc, with its global constraints.
    MiniZinc,
    /// Constraints as expressions of Essence′, for Savile Row.
    EssencePrime,
}

impl ExportFormat {
    /// Encodes a problem, if the format consists of clauses.
    fn encoded(self, problem: &Problem) -> Option<Result<clauses::Encoded<'_>, Refused>> {
        match self {
            ExportFormat::Dimacs | ExportFormat::Wcnf | ExportFormat::Opb => Some(clauses::Encoded::new(problem, self)),
            ExportFormat::SmtLib | ExportFormat::FlatZinc | ExportFormat::MiniZinc | ExportFormat::EssencePrime => None,
        }
    }

    /// The prefix of a comment.
    fn comment(self) -> &'static str {
        match self {
            ExportFormat::Dimacs | ExportFormat::Wcnf => "c",
            ExportFormat::Opb => "*",
            ExportFormat::SmtLib => ";",
            ExportFormat::FlatZinc | ExportFormat::MiniZinc => "%",
            ExportFormat::EssencePrime => "$",
        }
    }

    /// The maximum number of objectives in a text. The weights that would order two of them are too large for most
    /// solvers.
    fn objectives(self) -> usize {
        match self {
            ExportFormat::Dimacs => 0,
            ExportFormat::Wcnf
            | ExportFormat::Opb
            | ExportFormat::FlatZinc
            | ExportFormat::MiniZinc
            | ExportFormat::EssencePrime => 1,
            ExportFormat::SmtLib => usize::MAX,
        }
    }
}

/// The backend that writes a text.
pub struct Export {
    format: ExportFormat,
    words: Box<dyn ProblemWords>,
    /// The text, after the search.
    pub text: String,
    statistics: Statistics,
}

impl Export {
    pub fn new(format: ExportFormat, words: Box<dyn ProblemWords>) -> Self {
        Export { format, words, text: String::new(), statistics: Statistics::default() }
    }
}

impl Solver for Export {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        _: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        let refused = |refused| refusal(refused, NAME, problem, options, MOST_CLAUSES);
        let encoded = match self.format.encoded(problem).transpose() {
            Ok(encoded) => encoded,
            Err(error) => return refused(error),
        };
        let body = match (&encoded, self.format) {
            (Some(encoded), _) => Ok(encoded.text(self.format)),
            (None, ExportFormat::SmtLib) => Ok(smt_lib::smt_lib_text(problem)),
            (None, ExportFormat::MiniZinc) => Ok(infix::infix_text(problem, Dialect::MiniZinc)),
            (None, ExportFormat::EssencePrime) => Ok(infix::infix_text(problem, Dialect::EssencePrime)),
            (None, _) => flatzinc::flatzinc_text(problem).map(|body| (String::new(), body)),
        };
        match body {
            Ok((head, body)) => self.text = format!("{head}{}{body}", self.legend(problem, encoded.as_ref())),
            Err(error) => return refused(error),
        }
        Ok(SearchEnd::Enough)
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The words are about the problem as it is, so it must not be simplified.
    fn is_traced(&self) -> bool {
        true
    }
}

/// The backend that reads an answer to a text.
pub(super) struct AnswerReader {
    format: ExportFormat,
    answer: SolverAnswer,
    statistics: Statistics,
}

impl AnswerReader {
    pub(super) fn new(format: ExportFormat, answer: SolverAnswer) -> Self {
        let statistics = Statistics { claimed_by: vec!["the other solver"], ..Statistics::default() };
        AnswerReader { format, answer, statistics }
    }
}

impl Solver for AnswerReader {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        match self.format.encoded(problem).transpose() {
            Ok(encoded) => read(problem, self.format, encoded.as_ref(), &self.answer, found),
            Err(error) => refusal(error, NAME, problem, options, MOST_CLAUSES),
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The answer is about the problem as it is, so it must not be simplified.
    fn is_traced(&self) -> bool {
        true
    }
}

impl Export {
    /// Returns the comments about the variables.
    fn legend(&self, problem: &Problem, encoded: Option<&clauses::Encoded<'_>>) -> String {
        let comment = self.format.comment();
        let mut text = format!("{comment} A variable that is not listed stands for a part of a constraint.\n");
        match encoded {
            Some(encoded) => {
                let x = if self.format == ExportFormat::Opb { "x" } else { "" };
                for (literal, variable, meaning) in &encoded.legend {
                    let Some(name) = self.words.variable(*variable) else { continue };
                    let says = meaning.says(&name, |value| self.words.value(*variable, value));
                    let sign = if literal.number() < 0 { "not " } else { "" };
                    let _ = writeln!(text, "{comment} {sign}{x}{}: {says}", literal.number().unsigned_abs());
                }
            }
            None => {
                for variable in problem.variables() {
                    let Some(name) = self.words.variable(variable) else { continue };
                    let _ =
                        writeln!(text, "{comment} {}: {name}{}", term_name(variable), self.members(problem, variable));
                }
            }
        }
        let left_out =
            problem.objective().map_or(0, |objective| objective.terms.len()).saturating_sub(self.format.objectives());
        if left_out > 0 {
            let which =
                if self.format.objectives() == 0 { "The objective is" } else { "All objectives but the first one are" };
            let _ = writeln!(text, "{comment} {which} left out.");
        }
        text
    }

    /// Returns the meanings of the numbers of a variable whose values are not numbers.
    fn members(&self, problem: &Problem, variable: Variable) -> String {
        let Variable::Int(term) = variable else { return String::new() };
        let named = |value: i64| (value, self.words.value(variable, value));
        let is_word = |(value, word): &(i64, String)| *word != value.to_string();
        // Numbers stand for themselves, so the list ends at the first one.
        let words = problem.values(term).iter().map(named).take_while(is_word);
        let words: Vec<String> = words.map(|(value, word)| format!("{value} = {word}")).collect();
        if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
    }
}

/// The name of a variable in a text made of terms.
fn term_name(variable: Variable) -> String {
    match variable.positive() {
        Variable::Bool(term) => term.to_string(),
        Variable::Int(term) => term.to_string(),
    }
}

/// Passes on the solutions of an answer that satisfy the constraints.
fn read(
    problem: &Problem,
    format: ExportFormat,
    encoded: Option<&clauses::Encoded<'_>>,
    answer: &SolverAnswer,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<SearchEnd, SolverError> {
    if let Some(reason) = &answer.unknown {
        return Ok(StopReason::Unknown(reason.clone()).into());
    }
    // Solvers list assignments of all variables, including auxiliary ones.
    let mut seen = FxHashSet::default();
    for values in &answer.solutions {
        let assignment = match (values, encoded) {
            (AnswerValues::Literals(literals), Some(encoded)) => encoded.assignment(literals),
            (AnswerValues::Terms(terms), None) => assignment(problem, terms),
            _ => None,
        };
        let Some(assignment) = assignment.filter(|assignment| problem.is_satisfied_by(assignment)) else {
            return Err(SolverError::WrongAnswer);
        };
        // Solutions count as equal if they differ only in auxiliary variables.
        let decisions: Vec<i64> = problem.decisions().iter().map(|term| problem.value(*term, &assignment)).collect();
        if seen.insert(decisions) && found(&assignment).is_break() {
            return Ok(SearchEnd::Enough);
        }
    }
    let objectives = problem.objective().map_or(0, |objective| objective.terms.len());
    // A text without the objective has a solution if the problem has one, but this may not be the best.
    if answer.is_complete && (answer.solutions.is_empty() || objectives <= format.objectives()) {
        return Ok(SearchEnd::Complete);
    }
    let others = if objectives > 0 { "better" } else { "other" };
    Ok(StopReason::Unknown(format!("the answer does not say that there are no {others} solutions")).into())
}

/// Returns the assignment of variables given by name; `None` if a value is not in its domain.
fn assignment(problem: &Problem, values: &FxHashMap<String, i64>) -> Option<Assignment> {
    let mut assignment = Assignment::default();
    for variable in problem.variables() {
        let Some(value) = values.get(&term_name(variable)).copied() else { continue };
        match variable {
            Variable::Bool(term) => assignment.set_bool(term.node().0, value != 0),
            Variable::Int(term) if problem.values(term).contains(value) => assignment.set_int(term, value),
            Variable::Int(_) => return None,
        }
    }
    Some(assignment)
}
