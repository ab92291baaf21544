//! Any SAT solver outside of the program as a backend. It gets the clauses as text in the DIMACS format, and its
//! answers are not trusted.

use super::{
    CheckResult, EngineOptions, ExportFormat, SearchEnd, Solver, SolverAnswer, Statistics,
    clauses::{self, Sat},
    encoding::{ClauseSink, Literal},
    export::truth_values,
    incumbent::Incumbent,
};
use crate::solver::tuning;
use crate::{
    SolverError,
    problem::{Assignment, Problem},
};
use conjure_like_proof as proof;
use std::{
    cell::{Cell, RefCell},
    fmt::Write,
    ops::ControlFlow,
    rc::Rc,
};

/// The answer of a SAT solver outside of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SatAnswer {
    /// An assignment: the literals that hold, as in DIMACS. Variables without a literal may have either value.
    Satisfiable(Vec<i32>),
    /// There is no assignment. A proof in the DRAT or LRAT format is checked.
    Unsatisfiable(Option<Vec<u8>>),
    /// No answer, with the reason.
    Unknown(String),
}

impl SatAnswer {
    /// Reads the output of a solver in the format of SAT competitions: `s SATISFIABLE` with lines `v 1 -2 0`, or `s
    /// UNSATISFIABLE`.
    ///
    /// # Errors
    ///
    /// Returns an error if the status is missing, or if a word is not a literal where one is expected.
    pub fn read(text: &str) -> Result<SatAnswer, String> {
        let answer = SolverAnswer::read(ExportFormat::Dimacs, text)?;
        Ok(match (answer.literals(), &answer.unknown) {
            (Some(literals), _) => SatAnswer::Satisfiable(literals.to_vec()),
            (None, Some(reason)) => SatAnswer::Unknown(reason.clone()),
            (None, None) => SatAnswer::Unsatisfiable(None),
        })
    }
}

/// A SAT solver outside of the library, as a function from clauses in the DIMACS format to an answer.
pub type SatProgram = Box<dyn FnMut(&str) -> SatAnswer>;

/// The backend for such a solver.
pub(super) struct External {
    program: Rc<RefCell<SatProgram>>,
    statistics: Statistics,
}

impl External {
    pub(super) fn new(program: SatProgram) -> Self {
        External { program: Rc::new(RefCell::new(program)), statistics: Statistics::default() }
    }
}

impl Solver for External {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        let lacks_proof = Rc::new(Cell::new(false));
        let engine = ExternalEngine {
            program: self.program.clone(),
            lacks_proof: lacks_proof.clone(),
            options: options.clone(),
            clauses: String::new(),
            count: 0,
            variables: 0,
            values: Vec::new(),
            calls: 0,
            proofs: 0,
        };
        let (status, statistics) = clauses::solve(engine, "external", problem, options, &Incumbent::default(), found)?;
        // If the claim has a proof, no second engine need confirm it.
        let claimed_by = if lacks_proof.get() { vec!["the external solver"] } else { Vec::new() };
        self.statistics = Statistics { claimed_by, ..statistics };
        Ok(status)
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// The clauses so far and the last answer.
struct ExternalEngine {
    program: Rc<RefCell<SatProgram>>,
    /// Set if the program has answered "unsatisfiable" without a proof.
    lacks_proof: Rc<Cell<bool>>,
    options: EngineOptions,
    /// The clauses in the DIMACS format, one per line.
    clauses: String,
    count: usize,
    variables: u32,
    /// The values of the variables in the last assignment, indexed by the number of the variable.
    values: Vec<bool>,
    calls: u64,
    proofs: u64,
}

impl ExternalEngine {
    /// The clauses with the assumptions as unit clauses.
    fn text(&self, assumptions: &[Literal]) -> String {
        // The DIMACS format has no assumptions, so they are written as clauses.
        let mut text = format!("p cnf {} {}\n{}", self.variables, self.count + assumptions.len(), self.clauses);
        for assumption in assumptions {
            let _ = writeln!(text, "{} 0", assumption.number());
        }
        text
    }

    /// Stores an assignment and returns true if it satisfies the clauses.
    fn keep(&mut self, literals: &[i32], text: &str) -> bool {
        self.values = truth_values(literals, self.variables);
        let holds = |word: &str| {
            let literal: i32 = word.parse().unwrap_or(0);
            literal != 0 && self.values[literal.unsigned_abs() as usize] == (literal > 0)
        };
        // The first line is the header.
        text.lines().skip(1).all(|clause| clause.split(' ').any(holds))
    }
}

impl ClauseSink for ExternalEngine {
    const MOST_CLAUSES: u64 = tuning::export::MOST_CLAUSES;

    fn is_stopped(&self) -> bool {
        self.options.reached().is_some()
    }

    fn clause(&mut self, literals: &[Literal]) {
        for literal in literals {
            self.variables = self.variables.max(literal.number().unsigned_abs());
            let _ = write!(self.clauses, "{} ", literal.number());
        }
        self.clauses += "0\n";
        self.count += 1;
    }
}

impl Sat for ExternalEngine {
    /// Each call starts afresh, so entering parts of the space would gain nothing.
    const MOST_BLOCKED: usize = usize::MAX;

    fn solve(&mut self, assumptions: &[Literal]) -> CheckResult {
        self.calls += 1;
        let text = self.text(assumptions);
        let answer = (self.program.borrow_mut())(&text);
        match answer {
            SatAnswer::Satisfiable(literals) if self.keep(&literals, &text) => CheckResult::Satisfiable,
            SatAnswer::Satisfiable(_) => {
                CheckResult::Unknown("the assignment of the external solver does not satisfy the clauses".into())
            }
            SatAnswer::Unsatisfiable(None) => {
                self.lacks_proof.set(true);
                CheckResult::Unsatisfiable
            }
            SatAnswer::Unsatisfiable(Some(steps)) => match proof::check(&mut text.as_bytes(), &mut &steps[..]) {
                Ok(_) => {
                    self.proofs += 1;
                    CheckResult::Unsatisfiable
                }
                Err(fault) => CheckResult::Unknown(format!(
                    "the proof of the external solver is wrong: in line {} of the proof, {}",
                    fault.line, fault.message
                )),
            },
            SatAnswer::Unknown(why) => CheckResult::Unknown(why),
        }
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        let value = self.values.get(literal.number().unsigned_abs() as usize)?;
        Some(*value == (literal.number() > 0))
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        vec![("calls", self.calls), ("checked proofs", self.proofs)]
    }
}
