//! Backends: from a problem to its assignments.
//!
//! A backend sees only the
//! [`Problem`], and streams assignments of its decision variables. This folder also holds what all backends share:
//! `encoding` turns a problem into clauses, `clauses` searches with any SAT solver on them, and `search` finds all or
//! the best assignments with any engine that finds one at a time.
//!
//! To add a backend, add a folder and its row in [`BACKENDS`]. The layers above check each assignment; a claim without
//! a proof is confirmed by a second engine (`claims`).

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
pub use external::{External, SatAnswer, SatProgram};
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

/// Who is told each step of a SAT solver on plain clauses, by the solver's own numbers of the clauses.
pub trait SatSteps {
    /// The clause that was added last has this number.
    fn given(&mut self, id: i64, clause: &[i32]);
    /// A clause follows from others: if its literals were false, units in these clauses, one after the other, would
    /// lead to a contradiction.
    fn derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64]);
    /// The negation of an assumption, or of several, follows from clauses in the same way.
    fn refuted(&mut self, clause: &[i32], antecedents: &[i64]);
    /// A clause is not needed any more.
    fn deleted(&mut self, id: i64);
}

/// A SAT solver on plain clauses whose steps are told.
pub trait StepwiseSat {
    /// Adds a clause.
    fn clause(&mut self, literals: &[i32]);
    /// Whether the clauses can be satisfied together with these literals; `None` if a limit was reached.
    fn solve(&mut self, assumptions: &[i32]) -> Option<bool>;
    /// Whether a variable is true in the assignment that was found.
    fn is_true(&mut self, variable: i32) -> bool;
    /// From now on, searches keep to these limits.
    fn limit(&mut self, options: &EngineOptions);
}

/// A SAT solver that tells its steps; `None` if this build has none.
#[cfg(feature = "cadical")]
pub fn stepwise(options: &EngineOptions, steps: Rc<RefCell<dyn SatSteps>>) -> Option<Box<dyn StepwiseSat>> {
    Some(Box::new(cadical::stepwise::CadicalSteps::new(options, steps)))
}

/// A SAT solver that tells its steps; `None` if this build has none.
#[cfg(not(feature = "cadical"))]
pub fn stepwise(_: &EngineOptions, _: Rc<RefCell<dyn SatSteps>>) -> Option<Box<dyn StepwiseSat>> {
    None
}

/// Options of every solver: when to stop, the seed and the threads.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EngineOptions {
    /// When to end before there is an answer.
    pub limits: Limits,
    /// The seed of the random choices; by default the solver's own. The same seed gives the same search, as long as one
    /// engine searches alone.
    pub seed: Option<u32>,
    /// The most threads that search at a time. By default, one engine alone uses one thread, and CP-SAT as many as
    /// there are processors; in a race, each engine has threads of its own, which share the processors.
    pub threads: Option<NonZeroUsize>,
    /// Whether the engines of the portfolio work one after the other on one thread, without a race: so that the same
    /// input gives the same solutions.
    pub repeatable: bool,
    /// How much is done to confirm what an engine claims.
    pub confirmation: ConfirmationEffort,
    /// The turns of an engine that shares a thread with others.
    turn: Option<EngineTurn>,
    /// Set by an engine that has used up the conflicts that it may take.
    spent: Option<Arc<AtomicBool>>,
}

impl EngineOptions {
    /// These options with other limits; a deadline alone will do, too.
    #[must_use]
    pub fn limits(self, limits: impl Into<Limits>) -> Self {
        EngineOptions { limits: limits.into(), ..self }
    }

    /// These options with this seed.
    #[must_use]
    pub fn seed(self, seed: Option<u32>) -> Self {
        EngineOptions { seed, ..self }
    }

    /// These options with this number of threads.
    #[must_use]
    pub fn threads(self, threads: Option<NonZeroUsize>) -> Self {
        EngineOptions { threads, ..self }
    }

    /// These options for runs that can be repeated, or not.
    #[must_use]
    pub fn repeatable(self, repeatable: bool) -> Self {
        EngineOptions { repeatable, ..self }
    }

    /// These options with this effort to confirm claims.
    #[must_use]
    pub fn confirmation(self, confirmation: ConfirmationEffort) -> Self {
        EngineOptions { confirmation, ..self }
    }

    /// The limit that has been reached; `None` if there is time left. Engines that share a thread go on one after the
    /// other from here.
    pub fn reached(&self) -> Option<StopReason> {
        if let Some(turn) = &self.turn {
            turn.pass(&self.limits);
        }
        let spent = self.spent.as_ref().filter(|spent| spent.load(Ordering::Relaxed));
        self.limits.reached().or(spent.map(|_| StopReason::Unknown("the budget of conflicts is used up".into())))
    }

    /// Whether the engine shares a thread with others.
    pub(crate) fn takes_turns(&self) -> bool {
        self.turn.is_some()
    }

    /// The number of threads that may search at a time.
    pub fn thread_count(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// There are no further assignments; with an objective, the last one is optimal.
    Complete,
    /// The receiver of assignments wanted no more.
    Enough,
    /// Before the end.
    Stopped(StopReason),
}

impl From<StopReason> for SearchEnd {
    fn from(stopped: StopReason) -> Self {
        SearchEnd::Stopped(stopped)
    }
}

/// What an engine answers when it is asked for one assignment.
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
    /// The size of the solver's input: "variables", "clauses" and the like, with their numbers.
    pub sizes: Vec<(&'static str, u64)>,
    /// The number of clauses that each kind of constraint has become, if there are clauses.
    pub clauses: Vec<(&'static str, u64)>,
    /// The solver's counters: "decisions", "conflicts" and the like, with their numbers.
    pub counters: Vec<(&'static str, u64)>,
    /// The dual bound: with an objective, the best value that has not been ruled out.
    pub bound: Option<i64>,
    /// The engines on whose word the end of the search rests; empty if simplification alone has solved the problem.
    pub claimed_by: Vec<&'static str>,
    /// The claim that there is nothing beyond what was found, if an engine has made it without a proof.
    pub claim: Option<Claim>,
}

/// Room for the steps of a proof that have no numbers yet, such as a file that is open for reading and writing.
pub trait ProofDraft: Read + Write + Seek {}

impl<T: Read + Write + Seek> ProofDraft for T {}

/// The destination of a proof that there is no further assignment, or none that is better than the last one.
pub struct Refutation {
    /// Room for the steps until the end of the search. It is empty.
    pub draft: Box<dyn ProofDraft>,
    /// The steps of the proof, in the format LRAT.
    pub steps: Box<dyn Write>,
    /// The clauses that the proof refutes, in the format DIMACS: the problem, without the assignments that were found.
    pub clauses: Box<dyn Write>,
    /// The words for the comments in the clauses.
    pub words: Box<dyn ProblemWords>,
}

/// The names that the parts of a problem have in its source.
pub trait ProblemWords {
    /// The name of a variable; `None` if it has no name.
    fn variable(&self, variable: Variable) -> Option<String>;

    fn value(&self, variable: Variable, value: i64) -> String;

    /// The text of the constraint in this position and where it comes from, on one line.
    fn constraint(&self, position: usize) -> String;
}

/// Whether engines can run beside each other. A WebAssembly module has no threads.
pub const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// What the caller knows of a problem apart from its constraints.
#[derive(Clone, Copy, Default)]
pub struct Guidance<'a> {
    /// The problem with its symmetries broken, where one solution or the best one is wanted.
    pub break_symmetries: Option<&'a dyn Fn() -> Problem>,
    /// How to change an assignment in local search.
    pub neighbours: Option<&'a dyn Neighbours>,
    /// With an objective, an assignment that satisfies all constraints, for those that can begin with one. It counts as
    /// known: only better ones are wanted, though a solver that ignores it may find others.
    pub start: Option<&'a Assignment>,
    /// Values of some variables with which to begin, for those that can. They need not satisfy the constraints.
    pub hint: &'a [(Variable, i64)],
    /// With an objective, a dual bound: the best value of its first term that has not been ruled out.
    pub bound: Option<i64>,
}

/// Streams the best assignments of a problem with an objective, or all assignments of another one: once it is known
/// how good the best ones are, the objective is a constraint. Symmetries are broken until then.
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
    let Some(best) = best else { return Ok(status) };
    if found(&best).is_break() {
        return Ok(SearchEnd::Enough);
    }
    // What was found before a limit was reached need not be best.
    let (SearchEnd::Complete, Ok(as_good)) = (&status, problem.as_good_as(&best)) else { return Ok(status) };
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
    /// An error says that this backend cannot take the problem.
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError>;

    /// As `solve`, with what else is known of the problem.
    fn solve_with(
        &mut self,
        problem: &Arc<Problem>,
        guidance: Guidance,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        self.begin(problem, &guidance);
        match guidance.break_symmetries {
            Some(break_symmetries) => self.solve(&break_symmetries(), options, found),
            None => self.solve(problem, options, found),
        }
    }

    /// Takes what the next search begins with, and forgets earlier ones; without effect for a backend that always
    /// begins anew.
    fn begin(&mut self, _problem: &Problem, _guidance: &Guidance) {}

    /// The statistics of the last search.
    fn statistics(&self) -> &Statistics;

    /// Asks for a proof of what the next search does not find; false if this backend has none.
    fn prove(&mut self, _refutation: Refutation) -> bool {
        false
    }

    /// Asks for the costs of the next search; false if this backend does not know them. Constraints belong together:
    /// the first ones up to the first number, those from there up to the second one, and so on.
    fn keep_costs(&mut self, _ends: Vec<usize>) -> bool {
        false
    }

    /// What the parts of the problem have cost in the last search, if that was asked for.
    fn costs(&self) -> Option<Costs> {
        None
    }

    /// Whether each clause of the next search is traced back to the problem, for a proof or for costs. The search
    /// should then get the problem as it is: nobody could say what a clause of a simpler one is for.
    fn is_traced(&self) -> bool {
        false
    }
}

/// What the parts of a problem cost a SAT solver.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// The costs of the constraints, for each group.
    pub constraints: Vec<Cost>,
    /// The costs of the relations between the Booleans of decision variables.
    pub decisions: Cost,
    /// The costs of constraints in no group, and of all that the search adds.
    pub search: Cost,
    /// The number of clauses that were learnt.
    pub learnt: u64,
}

/// What a part of a problem costs a SAT solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// The variables that first occur in a clause of this part.
    pub variables: u64,
    pub clauses: u64,
    /// The learnt clauses that were derived from a clause of this part.
    pub learnt: u64,
}

/// The number of symmetries that are broken, for the statistics.
fn symmetries(problem: &Problem) -> Option<(&'static str, u64)> {
    let broken = problem.symmetry_breaking().len() as u64;
    (broken > 0).then_some(("broken symmetries", broken))
}

/// The solvers by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolverName {
    /// A portfolio: Z3 begins; where it takes longer, the other solvers join it, and the first proof ends the search.
    Auto,
    /// Z3: its finite-domain solver for clauses, its integer theory for large numbers.
    Z3,
    /// The SAT solver CaDiCaL.
    Cadical,
    /// CP-SAT of OR-tools, whose library is loaded when it is asked for.
    CpSat,
    /// The SAT solver BatSat, which is written in Rust and part of every build.
    BatSat,
    /// Trying all values of all variables, to compare with.
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

    /// The engine for clauses that one program asks again and again.
    const OF_CLAUSES: SolverName = if cfg!(feature = "cadical") { SolverName::Cadical } else { SolverName::BatSat };

    /// The name of the engine as its authors write it.
    pub const fn title(self) -> &'static str {
        match self {
            SolverName::Z3 => "Z3",
            SolverName::Cadical => "CaDiCaL",
            SolverName::CpSat => "CP-SAT",
            SolverName::BatSat => "BatSat",
            SolverName::Auto | SolverName::Brute => self.name(),
        }
    }

    /// Whether the solver can be used on this machine: its library may be missing.
    pub fn is_installed(self) -> bool {
        SolverName::all().any(|solver| solver == self) && self.library().is_none_or(|library| library.is_ok())
    }

    /// Whether the solver is an engine of its own, with which models are solved.
    pub fn is_engine(self) -> bool {
        !matches!(self, SolverName::Auto | SolverName::Brute)
    }

    /// What the solver is made of, with its version as that says itself; `None` if this is not known.
    pub fn version(self) -> Option<String> {
        let version = BACKENDS.iter().find(|backend| backend.solver == self)?.version?;
        self.is_installed().then(version)
    }

    /// The package of Python that has the library of a solver.
    pub fn python_package(self) -> Option<&'static str> {
        match self {
            SolverName::Z3 => Some("z3-solver"),
            SolverName::CpSat => Some("ortools"),
            _ => None,
        }
    }

    /// The folder in which all programs of one user find the libraries of solvers, also in Python's packages there.
    #[cfg(any(feature = "z3", feature = "cpsat"))]
    pub fn library_folder() -> Option<PathBuf> {
        conjure_like_system::user_folder()
    }

    /// Whether the program belongs to a package of Python, so that libraries are looked for among these.
    #[cfg(any(feature = "z3", feature = "cpsat"))]
    pub fn are_in_python() -> bool {
        conjure_like_system::is_in_python()
    }

    /// No solver of this build is a library.
    #[cfg(not(any(feature = "z3", feature = "cpsat")))]
    pub fn library_folder() -> Option<PathBuf> {
        None
    }

    #[cfg(not(any(feature = "z3", feature = "cpsat")))]
    pub fn are_in_python() -> bool {
        false
    }

    /// The library that a solver loads when it is asked for: its file, or why there is none, in the system's words;
    /// `None` if the solver is a part of the program.
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

/// The constraints on many variables at once that a problem states, such as `circuits`, each with how many there are;
/// `None` if this is not known: this build does not have CP-SAT, or CP-SAT cannot take the problem.
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

    /// The solver with this name, if this build has it.
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
    /// The library that it is made of, with its version as that says itself; `None` if others have it, too.
    version: Option<fn() -> String>,
    pub make: fn() -> Box<dyn Solver>,
}

/// The backends of this build; the first is the default.
pub const BACKENDS: &[Backend] = &[
    Backend { solver: SolverName::Auto, version: None, make: together },
    #[cfg(feature = "z3")]
    Backend {
        solver: SolverName::Z3,
        // Some builds add the commit that they were made of.
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

/// A new portfolio of backends, whose claims are confirmed.
pub fn together() -> Box<dyn Solver> {
    Box::new(claims::Confirming::new(Box::new(portfolio::Portfolio::default())))
}

/// A new backend that searches alone, and so finds the same each time. Its claims are confirmed.
pub fn alone() -> Box<dyn Solver> {
    let has_z3 = cfg!(feature = "z3") && SolverName::Z3.is_installed();
    let name = if has_z3 { SolverName::Z3 } else { SolverName::OF_CLAUSES };
    backend(name).unwrap_or_else(|| Box::new(batsat::BatSat::default()))
}

/// The library of a solver cannot be loaded, for this reason.
#[cfg(any(feature = "z3", feature = "cpsat"))]
fn missing_library(solver: SolverName, reason: &str) -> SolverError {
    let in_python = conjure_like_system::is_in_python();
    SolverError::LibraryMissing { solver: solver.to_string(), reason: reason.to_owned(), in_python }
}

/// Whether a solver has panicked on this thread because it was refused memory.
pub fn lacks_memory() -> bool {
    #[cfg(feature = "z3")]
    return conjure_like_system::z3_lacks_memory();
    #[cfg(not(feature = "z3"))]
    return false;
}

/// The libraries that this build solves with, each with its version.
pub fn versions() -> impl Iterator<Item = String> {
    SolverName::all().filter_map(SolverName::version)
}

/// A new backend whose claims are confirmed; `None` for the solver that needs no problem, and for solvers that this
/// build lacks.
pub fn backend(solver: SolverName) -> Option<Box<dyn Solver>> {
    let backend = BACKENDS.iter().find(|backend| backend.solver == solver)?;
    Some(Box::new(claims::Confirming::new((backend.make)())))
}
