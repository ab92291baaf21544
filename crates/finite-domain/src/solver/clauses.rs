//! Search for assignments with any SAT solver on the clauses of a problem.
//!
//! A blocking clause excludes each assignment that was found, over the decision variables. Many blocking clauses would
//! make every further call slower, so that the time for all solutions is quadratic. So after some solutions, the search
//! enters a part of the space, given by a literal in which the last two solutions differ (a [`BlockedPart`]). When the
//! part is exhausted, a single clause excludes it, and the blocking clauses in it are retired.

use super::{
    CheckResult, EngineOptions, SearchEnd, Statistics,
    assumptions::{AssumptionEngine, UnsatCore},
    encoding::{ClauseSink, Encoder, EncodingOptions, Literal, LiteralMeaning, Output, Refused, Section},
    incumbent::Incumbent,
    search::{self, Engine, ObjectiveBound},
};
use crate::{
    Sense, SolverError, StopReason, memory,
    problem::{Assignment, Bool, Int, Problem, Variable},
};
use rustc_hash::FxHashSet;
use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// An incremental SAT solver.
pub(crate) trait Sat: ClauseSink {
    /// The number of solutions that are blocked one by one before the search enters a part of the space.
    const MOST_BLOCKED: usize;

    /// True if complete searches for a better assignment are cut into slices, which alternate with searches near the
    /// best one.
    const IN_SLICES: bool = true;

    /// Checks the clauses under assumptions. The answer is "unknown" soon after a limit is reached.
    fn solve(&mut self, assumptions: &[Literal]) -> CheckResult;

    /// Returns the value of a literal in the assignment that was found; `None` if the solver was interrupted.
    fn value(&self, literal: Literal) -> Option<bool>;

    /// Makes an activation literal false for good. It occurs only negated, so its clauses are no longer needed.
    fn retire(&mut self, activation: Literal) {
        self.clause(&[!activation]);
    }

    /// Called when the clauses have no assignment; a solver that writes a proof completes it with the meaning of the
    /// literals.
    fn refuted(&mut self, _legend: &[(Literal, Variable, LiteralMeaning)]) {}

    /// Sets a budget of conflicts for the next call; returns false if the solver has no budgets.
    fn allow(&mut self, _conflicts: u64) -> bool {
        false
    }

    /// The solver's counters so far by name.
    fn counters(&self) -> Vec<(&'static str, u64)>;
}

/// A SAT solver that reports unsat cores.
pub(crate) trait CoreSat: Sat {
    /// Returns true if an assumption is in the unsat core of the last call.
    fn failed(&mut self, assumption: Literal) -> bool;

    /// Sets the limits of the following calls.
    fn watch(&mut self, options: &EngineOptions);
}

/// Solves a problem with a SAT solver of this name.
pub(crate) fn solve<S: Sat>(
    sat: S,
    name: &str,
    problem: &Problem,
    options: &EngineOptions,
    incumbent: &Incumbent,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<(SearchEnd, Statistics), SolverError> {
    let clauses = match Clauses::new(problem, sat) {
        Ok(clauses) => clauses,
        Err(refused) => {
            let status = refusal(refused, name, problem, options, S::MOST_CLAUSES)?;
            return Ok((status, Statistics::default()));
        }
    };
    let (status, statistics) = clauses.search(options, incumbent, found);
    Ok((status, Statistics { method: "clauses".into(), ..statistics }))
}

/// The end of a search, or the error, after the encoder has refused the problem for a SAT solver of this name.
pub(super) fn refusal(
    refused: Refused,
    solver: &str,
    problem: &Problem,
    options: &EngineOptions,
    most_clauses: u64,
) -> Result<SearchEnd, SolverError> {
    let solver = solver.to_owned();
    Err(match refused {
        Refused::Stopped => return Ok(options.limits.at_stop().into()),
        Refused::Values => SolverError::TooManyValues { solver },
        Refused::Clauses => SolverError::TooManyClauses { solver, most: most_clauses },
        Refused::Memory => {
            SolverError::ClausesTooLarge { solver, terms: problem.size(), allowed: memory::for_clauses() }
        }
    })
}

/// A part of the space, inside the part before it, with its own blocking clauses.
struct BlockedPart {
    /// The literal that holds in this part and distinguishes it from the one before.
    literal: Literal,
    /// The activation literal, which implies the blocking clauses of this part.
    activation: Literal,
    found: usize,
}

/// A problem encoded into a SAT solver.
pub(crate) struct Clauses<'p, S> {
    encoder: Encoder<'p, S>,
    /// The activation literal of the constraints that break symmetries, if they are not always required: searches near
    /// an assignment do not assume it.
    pub(super) breaking: Option<Literal>,
    /// The assumptions of every check.
    pub(super) assumed: Vec<Literal>,
    statistics: Statistics,
    parts: Vec<BlockedPart>,
    /// The number of assignments that were blocked outside all parts.
    found: usize,
    /// The literals of the last blocked assignment.
    last: Vec<Literal>,
    /// The error of a bound or a value that could not be encoded. From then on each one is refused, because the
    /// literals of partly encoded terms have no meaning.
    refused: Option<Refused>,
}

impl<'p, S: Sat> Clauses<'p, S> {
    /// Encodes the problem; an error if it has too many values for Booleans, or too many clauses.
    pub(crate) fn new(problem: &'p Problem, sat: S) -> Result<Self, Refused> {
        Clauses::with_options(problem, sat, EncodingOptions::default())
    }

    pub(crate) fn with_options(problem: &'p Problem, sat: S, options: EncodingOptions) -> Result<Self, Refused> {
        let start = Instant::now();
        let mut encoder = Encoder::with_options(problem, sat, options)?;
        let breaks = !problem.symmetry_breaking().is_empty();
        let breaking = (breaks && problem.objective().is_some()).then(|| encoder.literals.out.new_variable());
        for constraint in problem.symmetry_breaking() {
            encoder.require_if(breaking.unwrap_or(Literal::TRUE), *constraint)?;
        }
        let statistics = Statistics { encoding: start.elapsed(), ..Statistics::default() };
        let assumed = Vec::new();
        Ok(Clauses {
            encoder,
            breaking,
            assumed,
            statistics,
            parts: Vec::new(),
            found: 0,
            last: Vec::new(),
            refused: None,
        })
    }

    /// Replaces the problem with one that has its terms and constraints, and maybe more.
    pub(super) fn onto(self, problem: &Problem) -> Clauses<'_, S> {
        let Clauses { encoder, breaking, assumed, statistics, parts, found, last, refused } = self;
        Clauses { encoder: encoder.onto(problem), breaking, assumed, statistics, parts, found, last, refused }
    }

    /// Returns true if there is room for all terms of a problem.
    pub(super) fn has_room_for(&self, problem: &Problem) -> bool {
        self.encoder.has_room_for(problem)
    }

    /// Encodes the constraints of the problem, starting at this position.
    pub(super) fn constraints(&mut self, first: usize) -> Result<(), Refused> {
        self.encoder.constraints(first)
    }

    /// Runs the search to its end.
    pub(crate) fn search(
        mut self,
        options: &EngineOptions,
        incumbent: &Incumbent,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> (SearchEnd, Statistics) {
        let mut bound = None;
        let problem = self.encoder.problem();
        let status = match options.conflicts {
            None => search::run_search(problem, &mut self, options, incumbent, &mut bound, found),
            Some(conflicts) => {
                let spent = Arc::new(AtomicBool::new(false));
                let options = &EngineOptions { spent: Some(spent.clone()), ..options.clone() };
                let mut engine = Frugal::new(&mut self, conflicts, &spent);
                search::run_search(problem, &mut engine, options, incumbent, &mut bound, found)
            }
        };
        if status == SearchEnd::Complete && self.out().sink.is_traced() {
            let legend = self.encoder.literals.legend();
            self.out().sink.refuted(&legend);
        }
        let out = &self.encoder.literals.out;
        let mut sizes = vec![("variables", out.variable_count().into()), ("clauses", out.clause_count())];
        sizes.extend(super::symmetries(self.encoder.problem()));
        let (clauses, counters) = (self.encoder.clauses_by_kind(), out.sink.counters());
        (status, Statistics { sizes, clauses, counters, bound, ..self.statistics })
    }
}

impl<S: Sat> Engine for Clauses<'_, S> {
    fn check(&mut self, bounds: &[ObjectiveBound]) -> CheckResult {
        let Ok(bounds) = self.assumed(bounds, &[]) else {
            return CheckResult::Unknown("the objective has too many values".into());
        };
        loop {
            let parts = self.parts.iter().flat_map(|part| [part.literal, part.activation]);
            let always = self.breaking.iter().chain(&self.assumed).copied();
            let assumptions: Vec<Literal> = bounds.iter().copied().chain(parts).chain(always).collect();
            match self.out().sink.solve(&assumptions) {
                // If a part has no further solutions, the search continues in the enclosing part.
                CheckResult::Unsatisfiable if !self.parts.is_empty() => self.leave_part(),
                answer => return answer,
            }
        }
    }

    fn check_near(
        &mut self,
        bounds: &[ObjectiveBound],
        values: &[(Variable, i64)],
        conflicts: u64,
    ) -> Option<CheckResult> {
        // Without values, the call is a slice of a complete search.
        let is_slice = values.is_empty();
        if self.out().sink.is_traced() || is_slice && !S::IN_SLICES || !self.out().sink.allow(conflicts) {
            return None;
        }
        let mut assumptions = self.assumed(bounds, values).ok()?;
        // Near the best assignment, symmetry breaking may exclude better ones, so only complete searches assume it.
        if is_slice {
            assumptions.extend(self.breaking);
        }
        assumptions.extend(&self.assumed);
        Some(self.out().sink.solve(&assumptions))
    }

    fn conflicts(&self) -> u64 {
        let counters = self.encoder.literals.out.sink.counters();
        counters.iter().filter(|(name, _)| *name == "conflicts").map(|(_, count)| count).sum()
    }

    fn dual_bound(&mut self, term: Int, sense: Sense) -> Option<i64> {
        self.encoder.relaxations.dual_bound(term, sense)
    }

    fn settles(&mut self, bound: ObjectiveBound) -> bool {
        self.encoder.relaxations.settles(bound.term, bound.sense, bound.value)
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let mut complete = true;
        let assignment = self.encoder.assignment(&mut |literal| {
            let value = self.encoder.literals.out.sink.value(literal);
            complete &= value.is_some();
            value.unwrap_or(false)
        });
        complete.then_some(assignment)
    }

    fn block(&mut self, assignment: &Assignment) -> Result<(), String> {
        let literals = self
            .holding(assignment)
            .map_err(|_| "the search for further solutions takes too many clauses".to_owned())?;
        let activation = self.parts.last().map(|part| !part.activation);
        self.out().sink.section(Section::Found);
        self.out().clause(literals.iter().map(|literal| !*literal).chain(activation));
        self.out().sink.section(Section::Assumptions);
        let found = self.parts.last_mut().map_or(&mut self.found, |part| &mut part.found);
        *found += 1;
        // Tests use a small number, so that parts have parts. A proof cannot use parts: it does not contain the answer
        // that a part is exhausted, so the clause that excludes it would have no derivation.
        let most = if cfg!(test) { 3 } else { S::MOST_BLOCKED };
        if *found >= most && !self.out().sink.is_traced() {
            self.enter_part(&literals);
        }
        self.last = literals;
        Ok(())
    }

    fn contradict(&mut self, alternatives: &[Vec<ObjectiveBound>]) {
        if !self.out().sink.is_traced() {
            return;
        }
        // In each alternative, the last bound is strictly better than the best solution and the others are as good, so
        // the solution satisfies no alternative.
        let last: Vec<&ObjectiveBound> = alternatives.iter().filter_map(|bounds| bounds.last()).collect();
        let sense = last.first().map_or(Sense::Minimise, |bound| bound.sense);
        let mut clause = Vec::new();
        for bounds in alternatives {
            let alternative = self.out().new_variable();
            for bound in bounds {
                let Ok(literal) = self.encoder.bounded(bound.term, bound.sense, bound.value) else { return };
                self.out().clause([!alternative, literal]);
            }
            clause.push(alternative);
        }
        let values = last.iter().map(|bound| bound.value).collect();
        self.out().sink.section(Section::Better { sense, values });
        self.out().clause(clause);
        self.out().sink.solve(&[]);
    }
}

impl<S: Sat> Clauses<'_, S> {
    pub(super) fn out(&mut self) -> &mut Output<S> {
        &mut self.encoder.literals.out
    }

    /// Returns a literal for each term, which implies the term.
    pub(super) fn literals(&mut self, terms: &[Bool]) -> Result<Vec<Literal>, Refused> {
        let literals = terms.iter().map(|term| self.encoder.literals.literal(*term)).collect::<Result<Vec<_>, _>>()?;
        self.encoder.literals.work()?;
        Ok(literals)
    }

    /// Returns literals that hold together in this assignment and in no other.
    fn holding(&mut self, assignment: &Assignment) -> Result<Vec<Literal>, Refused> {
        let problem = self.encoder.problem();
        let mut literals = Vec::new();
        for variable in problem.decisions() {
            let value = problem.value(*variable, assignment);
            literals.extend(self.equal(*variable, value)?);
        }
        Ok(literals)
    }

    /// Returns literals that together mean that a term has this value.
    fn equal(&mut self, term: Variable, value: i64) -> Result<Vec<Literal>, Refused> {
        Ok(match term {
            Variable::Bool(term) => {
                // The literal from `literal` only implies its term. A blocking clause contains the negated literal,
                // which must imply the other value.
                let term = if value == 1 { term } else { !term };
                vec![!self.encoder.literals.literal(!term)?]
            }
            Variable::Int(term) => self.encoder.literals.differs(term, value)?.map(|literal| !literal).to_vec(),
        })
    }

    /// Returns assumptions that imply the bounds and the values.
    fn assumed(&mut self, bounds: &[ObjectiveBound], values: &[(Variable, i64)]) -> Result<Vec<Literal>, Refused> {
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        let assumptions = self.encode_assumptions(bounds, values);
        self.refused = assumptions.as_ref().err().copied();
        assumptions
    }

    fn encode_assumptions(
        &mut self,
        bounds: &[ObjectiveBound],
        values: &[(Variable, i64)],
    ) -> Result<Vec<Literal>, Refused> {
        let mut assumptions = Vec::with_capacity(bounds.len() + 2 * values.len());
        for bound in bounds {
            assumptions.push(self.encoder.bounded(bound.term, bound.sense, bound.value)?);
        }
        for (term, value) in values {
            assumptions.extend(self.equal(*term, *value)?);
        }
        self.encoder.literals.work()?;
        Ok(assumptions)
    }

    /// Enters the part of the space where a literal of the last assignment holds that does not hold in the one before.
    fn enter_part(&mut self, assignment: &[Literal]) {
        let before: FxHashSet<Literal> = self.last.iter().copied().collect();
        if let Some(literal) = assignment.iter().copied().find(|literal| !before.contains(literal)) {
            let activation = self.out().new_variable();
            self.parts.push(BlockedPart { literal, activation, found: 0 });
        }
    }

    /// Leaves the innermost part, which is exhausted, and excludes it.
    fn leave_part(&mut self) {
        let Some(left) = self.parts.pop() else { return };
        let part = self.parts.iter().map(|part| !part.literal).chain([!left.literal]);
        // The clause belongs to the surrounding part and is retired with it.
        let activation = self.parts.last().map(|part| !part.activation);
        let clause: Vec<Literal> = part.chain(activation).collect();
        self.out().clause(clause);
        self.out().sink.retire(left.activation);
    }
}

impl<S: CoreSat> AssumptionEngine for Clauses<'_, S> {
    fn refute_under(&mut self, assumptions: &[Bool], conflicts: Option<u64>) -> UnsatCore {
        let literals = self.literals(assumptions).ok()?;
        if let Some(conflicts) = conflicts {
            self.out().sink.allow(conflicts);
        }
        Some(match self.out().sink.solve(&literals) {
            CheckResult::Satisfiable => Ok(None),
            CheckResult::Unsatisfiable => {
                let assumed = assumptions.iter().zip(literals);
                let failed = assumed.filter(|(_, literal)| self.out().sink.failed(*literal)).map(|(term, _)| *term);
                Ok(Some(failed.collect()))
            }
            CheckResult::Unknown(reason) => Err(StopReason::Unknown(reason)),
        })
    }

    fn found(&mut self) -> Option<Assignment> {
        self.assignment()
    }

    fn conflicts(&self) -> u64 {
        Engine::conflicts(self)
    }
}

/// An engine with a budget of conflicts, which is the same on every machine.
pub(super) struct Frugal<'e, 'p, S: Sat> {
    clauses: &'e mut Clauses<'p, S>,
    /// The number of conflicts at which the engine gives up.
    most: u64,
    spent: &'e AtomicBool,
}

impl<'e, 'p, S: Sat> Frugal<'e, 'p, S> {
    /// An engine that gives up after this many further conflicts, and then sets `spent`.
    pub(super) fn new(clauses: &'e mut Clauses<'p, S>, conflicts: u64, spent: &'e AtomicBool) -> Self {
        let most = clauses.conflicts().saturating_add(conflicts);
        Frugal { clauses, most, spent }
    }

    fn left(&self) -> u64 {
        let left = self.most.saturating_sub(self.clauses.conflicts());
        if left == 0 {
            self.spent.store(true, Ordering::Relaxed);
        }
        left
    }
}

impl<S: Sat> Engine for Frugal<'_, '_, S> {
    fn check(&mut self, bounds: &[ObjectiveBound]) -> CheckResult {
        let left = self.left();
        self.clauses.out().sink.allow(left);
        let result = self.clauses.check(bounds);
        // An answer is unknown only if the budget is used up or a limit is reached. Both end the search.
        if let CheckResult::Unknown(_) = result {
            self.spent.store(true, Ordering::Relaxed);
        }
        result
    }

    fn check_near(
        &mut self,
        bounds: &[ObjectiveBound],
        values: &[(Variable, i64)],
        conflicts: u64,
    ) -> Option<CheckResult> {
        let left = self.left();
        let result = self.clauses.check_near(bounds, values, conflicts.min(left))?;
        // This check may have used up the budget.
        self.left();
        Some(result)
    }

    fn conflicts(&self) -> u64 {
        self.clauses.conflicts()
    }

    fn dual_bound(&mut self, term: Int, sense: Sense) -> Option<i64> {
        self.clauses.dual_bound(term, sense)
    }

    fn settles(&mut self, bound: ObjectiveBound) -> bool {
        self.clauses.settles(bound)
    }

    fn assignment(&mut self) -> Option<Assignment> {
        self.clauses.assignment()
    }

    fn block(&mut self, assignment: &Assignment) -> Result<(), String> {
        self.clauses.block(assignment)
    }
}
