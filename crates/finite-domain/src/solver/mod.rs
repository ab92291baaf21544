//! Backends, which stream the assignments of a problem.
//!
//! A backend sees only the [`Problem`] and streams assignments of its decision variables. This folder also holds the
//! parts that all backends share: `encoding` turns a problem into clauses, `clauses` joins these to any SAT solver, and
//! `search` enumerates and optimises with any engine that finds one assignment at a time.
//!
//! To add a backend, add a folder and a row in [`BACKENDS`]. The layers above check each assignment; a claim without a
//! proof is confirmed by a second engine (`claims`).

mod assumptions;
mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod claims;
mod clauses;
#[cfg(feature = "cpsat")]
mod cpsat;
mod encoding;
mod enumeration;
mod export;
mod external;
mod incremental;
mod incumbent;
mod kept;
mod local;
#[cfg(feature = "cadical")]
mod lookahead;
mod neighbourhood;
mod portfolio;
mod search;
mod tuning;
mod turns;
#[cfg(any(feature = "z3", feature = "cpsat"))]
mod watch;
#[cfg(feature = "z3")]
mod z3;

#[cfg(test)]
pub(crate) mod test_problems;
#[cfg(all(test, feature = "z3", feature = "cadical"))]
mod tests;

use crate::{
    Limits, SolverError, StopReason,
    problem::{Assignment, Neighbours, Problem, Variable},
};
pub use assumptions::{AssumptionResult, Incremental};
#[cfg(not(feature = "cadical"))]
use batsat::BatSatEngine as ClauseEngine;
#[cfg(feature = "cadical")]
use cadical::CadicalEngine as ClauseEngine;
pub use claims::{Claim, ConfirmationEffort};
pub use export::{Export, ExportFormat, SolverAnswer};
pub use external::{SatAnswer, SatProgram};
pub use incremental::{incremental, incremental_within};
pub use kept::KeptSearch;
pub use local::cliques;
#[cfg(feature = "cadical")]
pub use lookahead::{ImpliedLiterals, LookAhead};
pub use neighbourhood::Neighbourhoods;
use std::{
    cell::RefCell,
    fmt,
    io::{Read, Seek, Write},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
    rc::Rc,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use turns::EngineTurn;
#[cfg(feature = "z3")]
pub use z3::{Theory, Z3};

/// A receiver of the steps of a SAT solver on plain clauses. Clauses are named by the solver's own numbers.
pub trait SatSteps {
    /// Called for each added clause with its number.
    fn given(&mut self, id: i64, clause: &[i32]);
    /// Called for each derived clause: if its literals are false, unit propagation in the antecedents, in this order,
    /// leads to a contradiction (as in LRAT).
    fn derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64]);
    /// Called when assumptions are refuted: the negation of an assumption, or of several, follows in the same way.
    fn refuted(&mut self, clause: &[i32], antecedents: &[i64]);
    /// Called when a clause is no longer needed.
    fn deleted(&mut self, id: i64);
}

/// A SAT solver on plain clauses that reports each step to a [`SatSteps`].
pub trait StepwiseSat {
    /// Adds a clause.
    fn clause(&mut self, literals: &[i32]);
    /// Returns true if the clauses can be satisfied together with the assumptions; `None` if a limit was reached.
    fn solve(&mut self, assumptions: &[i32]) -> Option<bool>;
    /// Returns the value of a variable in the assignment that was found.
    fn is_true(&mut self, variable: i32) -> bool;
    /// Sets the limits of the following searches.
    fn limit(&mut self, options: &EngineOptions);
}

/// Makes a SAT solver that reports its steps; `None` if this build has none.
#[cfg(feature = "cadical")]
pub fn stepwise(options: &EngineOptions, steps: Rc<RefCell<dyn SatSteps>>) -> Option<Box<dyn StepwiseSat>> {
    Some(Box::new(cadical::stepwise::CadicalSteps::new(options, steps)))
}

/// Makes a SAT solver that reports its steps; `None` if this build has none.
#[cfg(not(feature = "cadical"))]
pub fn stepwise(_: &EngineOptions, _: Rc<RefCell<dyn SatSteps>>) -> Option<Box<dyn StepwiseSat>> {
    None
}

/// The options of every solver: when to stop, the seed and the threads.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EngineOptions {
    /// When to stop without an answer.
    pub limits: Limits,
    /// The seed of the random choices; the solver's default if `None`. As long as one engine searches alone, the same
    /// seed gives the same search.
    pub seed: Option<u32>,
    /// The maximum number of threads that search at a time. By default, a single engine uses one thread, CP-SAT as many
    /// as there are processors, and in a race each engine has its own threads.
    pub threads: Option<NonZeroUsize>,
    /// Runs the engines of the portfolio one after the other on one thread, without a race, so that the same input
    /// gives the same solutions.
    pub repeatable: bool,
    /// The effort to confirm claims of engines.
    pub confirmation: ConfirmationEffort,
    /// The budget of conflicts of an engine with clauses; other engines have none.
    pub conflicts: Option<u64>,
    /// The turns of an engine that shares a thread with other engines.
    turn: Option<EngineTurn>,
    /// Set by an engine that has used up its budget of conflicts.
    spent: Option<Arc<AtomicBool>>,
}

impl EngineOptions {
    /// Sets the limits; a deadline alone is also accepted.
    #[must_use]
    pub fn limits(self, limits: impl Into<Limits>) -> Self {
        EngineOptions { limits: limits.into(), ..self }
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(self, seed: Option<u32>) -> Self {
        EngineOptions { seed, ..self }
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn threads(self, threads: Option<NonZeroUsize>) -> Self {
        EngineOptions { threads, ..self }
    }

    /// Sets whether runs are repeatable.
    #[must_use]
    pub fn repeatable(self, repeatable: bool) -> Self {
        EngineOptions { repeatable, ..self }
    }

    /// Sets the effort to confirm claims.
    #[must_use]
    pub fn confirmation(self, confirmation: ConfirmationEffort) -> Self {
        EngineOptions { confirmation, ..self }
    }

    /// Sets the budget of conflicts.
    #[must_use]
    pub fn conflicts(self, conflicts: Option<u64>) -> Self {
        EngineOptions { conflicts, ..self }
    }

    /// Returns the limit that was reached; `None` if the search may continue. Engines that share a thread pass their
    /// turns on here, so this call may block.
    pub fn reached(&self) -> Option<StopReason> {
        if let Some(turn) = &self.turn {
            turn.pass(&self.limits);
        }
        let spent = self.spent.as_ref().filter(|spent| spent.load(Ordering::Relaxed));
        self.limits.reached().or(spent.map(|_| StopReason::Unknown("the budget of conflicts is used up".into())))
    }

    /// Returns true if the engine shares a thread with other engines.
    pub(crate) fn takes_turns(&self) -> bool {
        self.turn.is_some()
    }

    /// The number of threads that may search at a time.
    pub fn thread_count(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}

/// The way a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// There are no further assignments; with an objective, the last one is optimal.
    Complete,
    /// The caller did not want further assignments.
    Enough,
    /// The search stopped before the end.
    Stopped(StopReason),
}

impl From<StopReason> for SearchEnd {
    fn from(stopped: StopReason) -> Self {
        SearchEnd::Stopped(stopped)
    }
}

/// The answer of an engine to one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CheckResult {
    Satisfiable,
    Unsatisfiable,
    /// The check has no result, for this reason, in the solver's words.
    Unknown(String),
}

/// The numbers that a backend reports about its search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The solver that searched, and the reason if there was a choice.
    pub method: String,
    /// The time that encoding the problem for the solver took.
    pub encoding: Duration,
    /// The size of the solver's input by name: "variables", "clauses" and so on.
    pub sizes: Vec<(&'static str, u64)>,
    /// The number of clauses by kind of constraint; empty if the solver has no clauses.
    pub clauses: Vec<(&'static str, u64)>,
    /// The solver's counters by name: "decisions", "conflicts" and so on.
    pub counters: Vec<(&'static str, u64)>,
    /// The dual bound: with an objective, the best value that has not been ruled out.
    pub bound: Option<i64>,
    /// The engines on whose word the end of the search rests; empty if simplification alone has solved the problem.
    pub claimed_by: Vec<&'static str>,
    /// The claim that there is nothing beyond the assignments found, if an engine has made it without a proof.
    pub claim: Option<Claim>,
}

/// Temporary storage for proof steps that have no numbers yet, such as a file that is open for reading and writing.
pub trait ProofDraft: Read + Write + Seek {}

impl<T: Read + Write + Seek> ProofDraft for T {}

/// The outputs for a proof that there is no further assignment, or none that is better than the last one.
pub struct Refutation {
    /// Temporary storage, empty, for the steps until the end of the search.
    pub draft: Box<dyn ProofDraft>,
    /// The steps of the proof in the LRAT format.
    pub steps: Box<dyn Write>,
    /// The clauses that the proof refutes in the DIMACS format: the problem without the assignments that were found.
    pub clauses: Box<dyn Write>,
    /// The names for the comments in the clauses.
    pub words: Box<dyn ProblemWords>,
}

/// The names that the variables, values and constraints of a problem have in its source.
pub trait ProblemWords {
    /// The name of a variable; `None` if it has no name.
    fn variable(&self, variable: Variable) -> Option<String>;

    fn value(&self, variable: Variable, value: i64) -> String;

    /// The text of the constraint at this position and its origin, on one line.
    fn constraint(&self, position: usize) -> String;
}

/// True if engines can run in parallel. A WebAssembly module has no threads.
pub const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// The caller's knowledge of a problem beyond its constraints.
#[derive(Clone, Copy, Default)]
pub struct Guidance<'a> {
    /// Makes the problem with its symmetries broken, if one solution or the best one is wanted.
    pub break_symmetries: Option<&'a dyn Fn() -> Problem>,
    /// The moves of local search.
    pub neighbours: Option<&'a dyn Neighbours>,
    /// With an objective, an assignment that satisfies all constraints, for solvers that can start with one. It counts
    /// as known: only better ones are wanted, although a solver that ignores it may find others.
    pub start: Option<&'a Assignment>,
    /// Values of some variables to start with, for solvers that can. They need not satisfy the constraints.
    pub hint: &'a [(Variable, i64)],
    /// With an objective, a dual bound: the best value of its first term that has not been ruled out.
    pub bound: Option<i64>,
}

/// Streams the best assignments of a problem with an objective, or all assignments of a problem without. A first search
/// finds the best value; then the objective becomes a constraint, and a second search enumerates. Symmetries are broken
/// in the first search only.
pub fn all_best(
    solver: &mut dyn Solver,
    problem: &Arc<Problem>,
    guidance: Guidance,
    options: &EngineOptions,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<SearchEnd, SolverError> {
    if problem.objective().is_none() {
        return solver.solve_with(problem, guidance, options, found);
    }
    let mut best = None;
    let status = solver.solve_with(problem, guidance, options, &mut |assignment| {
        best = Some(assignment.clone());
        ControlFlow::Continue(())
    })?;
    // If there is no assignment at all, the first search already has the answer.
    let Some(best) = best else { return Ok(status) };
    if found(&best).is_break() {
        return Ok(SearchEnd::Enough);
    }
    // If a limit was reached, the assignment may not be the best one.
    let (SearchEnd::Complete, Ok(as_good)) = (&status, problem.as_good_as(&best)) else { return Ok(status) };
    // The caller already has `best`, which the second search finds again.
    let is_best = |assignment: &Assignment| {
        problem
            .decisions()
            .iter()
            .all(|decision| problem.value(*decision, assignment) == problem.value(*decision, &best))
    };
    solver.solve(&as_good, options, &mut |assignment| {
        if is_best(assignment) { ControlFlow::Continue(()) } else { found(assignment) }
    })
}

/// A backend.
pub trait Solver {
    /// Streams assignments of the decision variables that satisfy all constraints, none twice. With an
    /// objective, each one is strictly better than the one before, and the search ends with the best.
    /// Returns an error if this backend does not support the problem.
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError>;

    /// Like `solve`, with additional knowledge of the problem.
    fn solve_with(
        &mut self,
        problem: &Arc<Problem>,
        guidance: Guidance,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        // The guidance refers to variables of `problem`, which also exist in the problem with broken symmetries.
        self.prepare(problem, &guidance);
        match guidance.break_symmetries {
            Some(break_symmetries) => self.solve(&break_symmetries(), options, found),
            None => self.solve(problem, options, found),
        }
    }

    /// Prepares the next search: stores the guidance and forgets earlier searches. It has no effect on a backend that
    /// cannot start with an assignment.
    fn prepare(&mut self, _problem: &Problem, _guidance: &Guidance) {}

    /// The statistics of the last search.
    fn statistics(&self) -> &Statistics;

    /// Requests a proof of the claim of the next search; returns false if this backend writes no proofs.
    fn prove(&mut self, _refutation: Refutation) -> bool {
        false
    }

    /// Requests the costs of the next search; returns false if this backend does not measure them. The constraints are
    /// grouped: the first group ends before the first number, the second one before the second number, and so on.
    fn keep_costs(&mut self, _ends: Vec<usize>) -> bool {
        false
    }

    /// Returns the costs of the parts of the problem in the last search, if they were requested.
    fn costs(&self) -> Option<Costs> {
        None
    }

    /// Returns true if each clause of the next search is traced back to the problem, for a proof or for costs. The
    /// search should then get the problem as it is, because the clauses of a simplified problem have no origin in it.
    fn is_traced(&self) -> bool {
        false
    }
}

/// The costs of the parts of a problem in a SAT solver.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// The costs of the constraints by group.
    pub constraints: Vec<Cost>,
    /// The costs of the relations between the Booleans of decision variables.
    pub decisions: Cost,
    /// The costs of constraints in no group and of all clauses that the search adds.
    pub search: Cost,
    /// The number of clauses that were learnt.
    pub learnt: u64,
}

/// The costs of a part of a problem in a SAT solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// The variables that first occur in a clause of this part.
    pub variables: u64,
    pub clauses: u64,
    /// The learnt clauses that were derived from a clause of this part.
    pub learnt: u64,
}

/// Returns the number of broken symmetries for the statistics.
fn symmetries(problem: &Problem) -> Option<(&'static str, u64)> {
    let broken = problem.symmetry_breaking().len() as u64;
    (broken > 0).then_some(("broken symmetries", broken))
}

/// The names of the solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolverName {
    /// A portfolio: Z3 starts; if it takes longer, the other solvers join it, and the first proof ends the search.
    Auto,
    /// Z3: its finite-domain solver for clauses, its integer theory for large numbers.
    Z3,
    /// The SAT solver CaDiCaL.
    Cadical,
    /// CP-SAT of OR-tools, whose library is loaded at the first use.
    CpSat,
    /// The SAT solver BatSat, which is written in Rust and part of every build.
    BatSat,
    /// Enumeration of all values of all variables, for comparison.
    Brute,
}

impl SolverName {
    /// The solvers that this build has; the first is the default.
    pub fn all() -> impl Iterator<Item = SolverName> {
        BACKENDS.iter().map(|backend| backend.solver).chain([SolverName::Brute])
    }

    /// The solver's name in options and statistics.
    pub const fn name(self) -> &'static str {
        match self {
            SolverName::Z3 => "z3",
            SolverName::Cadical => "cadical",
            SolverName::CpSat => "cp-sat",
            SolverName::BatSat => "batsat",
            SolverName::Auto => "auto",
            SolverName::Brute => "brute",
        }
    }

    /// The SAT solver for assumption-based solving.
    pub const OF_CLAUSES: SolverName = if cfg!(feature = "cadical") { SolverName::Cadical } else { SolverName::BatSat };

    /// The solver's name as its authors write it.
    pub const fn title(self) -> &'static str {
        match self {
            SolverName::Z3 => "Z3",
            SolverName::Cadical => "CaDiCaL",
            SolverName::CpSat => "CP-SAT",
            SolverName::BatSat => "BatSat",
            SolverName::Auto | SolverName::Brute => self.name(),
        }
    }

    /// Returns true if the solver can be used on this machine: its library may be missing.
    pub fn is_installed(self) -> bool {
        SolverName::all().any(|solver| solver == self) && self.library().is_none_or(|library| library.is_ok())
    }

    /// Returns true for a single engine, and false for the portfolio and for the enumeration of all values.
    pub fn is_engine(self) -> bool {
        !matches!(self, SolverName::Auto | SolverName::Brute)
    }

    /// Returns the library of the solver and its version, as the library reports it; `None` if it is not known.
    pub fn version(self) -> Option<String> {
        let version = BACKENDS.iter().find(|backend| backend.solver == self)?.version?;
        self.is_installed().then(version)
    }

    /// The Python package that has the solver's library.
    pub fn python_package(self) -> Option<&'static str> {
        match self {
            SolverName::Z3 => Some("z3-solver"),
            SolverName::CpSat => Some("ortools"),
            _ => None,
        }
    }

    /// The folder where all programs of a user look for the libraries of solvers, including those from Python packages.
    #[cfg(any(feature = "z3", feature = "cpsat"))]
    pub fn library_folder() -> Option<PathBuf> {
        conjure_like_system::user_folder()
    }

    /// Returns true if the program belongs to a Python package, so that it looks for libraries in Python packages.
    #[cfg(any(feature = "z3", feature = "cpsat"))]
    pub fn are_in_python() -> bool {
        conjure_like_system::is_in_python()
    }

    /// No solver of this build needs a library.
    #[cfg(not(any(feature = "z3", feature = "cpsat")))]
    pub fn library_folder() -> Option<PathBuf> {
        None
    }

    #[cfg(not(any(feature = "z3", feature = "cpsat")))]
    pub fn are_in_python() -> bool {
        false
    }

    /// The library that a solver loads at its first use: its file, or the system's message if there is none; `None` if
    /// the solver is part of the program.
    pub fn library(self) -> Option<Result<&'static Path, &'static str>> {
        match self {
            #[cfg(feature = "z3")]
            SolverName::Z3 => conjure_like_system::z3_library(),
            #[cfg(feature = "cpsat")]
            SolverName::CpSat => Some(conjure_like_system::cpsat_library()),
            _ => None,
        }
    }
}

/// The constraints over many variables at once that a problem states, such as `circuits`, each with its number; `None`
/// if this build does not have CP-SAT or if CP-SAT does not support the problem.
pub fn recognised(problem: &Problem, options: &EngineOptions) -> Option<Vec<(&'static str, u64)>> {
    #[cfg(feature = "cpsat")]
    return cpsat::recognised_constraints(problem, options);
    #[cfg(not(feature = "cpsat"))]
    {
        let _ = (problem, options);
        None
    }
}

impl fmt::Display for SolverName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SolverName {
    type Err = String;

    /// Returns the solver with this name, if this build has it.
    fn from_str(name: &str) -> Result<Self, String> {
        SolverName::all().find(|solver| solver.name() == name).ok_or_else(|| {
            let known: Vec<&str> = SolverName::all().map(SolverName::name).collect();
            format!("there is no solver `{name}`; the solvers are {}", known.join(", "))
        })
    }
}

impl Default for SolverName {
    fn default() -> Self {
        BACKENDS[0].solver
    }
}

/// A row of the table of backends.
pub struct Backend {
    pub solver: SolverName,
    /// Returns the library and its version, as the library reports it; `None` if the row of another solver has it.
    version: Option<fn() -> String>,
    pub make: fn() -> Box<dyn Solver>,
}

/// The backends of this build; the first is the default.
pub const BACKENDS: &[Backend] = &[
    Backend { solver: SolverName::Auto, version: None, make: together },
    #[cfg(feature = "z3")]
    Backend {
        solver: SolverName::Z3,
        // Some builds append their commit to the version.
        version: Some(|| format!("Z3 {}", ::z3::full_version().split(' ').next().unwrap_or_default())),
        make: || Box::new(z3::Z3::default()),
    },
    #[cfg(feature = "cadical")]
    Backend {
        solver: SolverName::Cadical,
        version: Some(|| format!("CaDiCaL {}", cadical_sys::CaDiCal::version())),
        make: || Box::new(cadical::Cadical::default()),
    },
    #[cfg(feature = "cpsat")]
    Backend { solver: SolverName::CpSat, version: None, make: || Box::new(cpsat::CpSat::default()) },
    Backend { solver: SolverName::BatSat, version: None, make: || Box::new(batsat::BatSat::default()) },
];

/// Makes a portfolio of backends whose claims are confirmed.
pub fn together() -> Box<dyn Solver> {
    Box::new(claims::Confirming::new(Box::new(portfolio::Portfolio::default())))
}

/// Makes a backend that searches alone, so that it finds the same assignments each time. Its claims are confirmed.
pub fn alone() -> Box<dyn Solver> {
    // The answer of a portfolio depends on the clock, so a single engine is used.
    let has_z3 = cfg!(feature = "z3") && SolverName::Z3.is_installed();
    let name = if has_z3 { SolverName::Z3 } else { SolverName::OF_CLAUSES };
    backend(name).unwrap_or_else(|| Box::new(batsat::BatSat::default()))
}

/// Makes a solver of a program outside of the library. Its claims are confirmed unless it proves them.
pub fn external(program: SatProgram) -> Box<dyn Solver> {
    Box::new(claims::Confirming::new(Box::new(external::External::new(program))))
}

/// Makes a solver that reads the answer of another one to an exported text. Its claims are confirmed.
pub fn answered(format: ExportFormat, answer: SolverAnswer) -> Box<dyn Solver> {
    Box::new(claims::Confirming::new(Box::new(export::AnswerReader::new(format, answer))))
}

/// The error for a library that cannot be loaded.
#[cfg(any(feature = "z3", feature = "cpsat"))]
fn missing_library(solver: SolverName, reason: &str) -> SolverError {
    let in_python = conjure_like_system::is_in_python();
    SolverError::LibraryMissing { solver: solver.to_string(), reason: reason.to_owned(), in_python }
}

/// Returns true if a solver has panicked on this thread because it was refused memory.
pub fn lacks_memory() -> bool {
    #[cfg(feature = "z3")]
    return conjure_like_system::z3_lacks_memory();
    #[cfg(not(feature = "z3"))]
    return false;
}

/// The libraries of the solvers in this build, with their versions.
pub fn versions() -> impl Iterator<Item = String> {
    SolverName::all().filter_map(SolverName::version)
}

/// Makes a backend whose claims are confirmed; `None` for the solver that works without a [`Problem`] (`brute`) and for
/// solvers that this build lacks.
pub fn backend(solver: SolverName) -> Option<Box<dyn Solver>> {
    let backend = BACKENDS.iter().find(|backend| backend.solver == solver)?;
    Some(Box::new(claims::Confirming::new((backend.make)())))
}
