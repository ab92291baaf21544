//! Confirmation of the claims of engines.
//!
//! An assignment can be checked. An engine's claim that no assignment is left, or none that is better, cannot be
//! checked unless the engine writes a proof. So the same question goes to an engine on whose word the claim does not
//! rest: is there an assignment beyond those that were found? The second engine gets nothing that others have found or
//! proved. If it finds an assignment, the search ends with [`SolverError::FalseClaim`].

use super::{
    Costs, EngineOptions, Guidance, Refutation, SearchEnd, Solver, SolverName, Statistics, batsat::BatSat,
    incumbent::false_claim, portfolio::Portfolio,
};
use crate::solver::tuning::claims::{BRIEF_PART, LEAST_TIME, MOST_BLOCKED, TERM_TIME};
use crate::{
    SolverError,
    problem::{Assignment, Bool, Problem},
};
use std::{
    cell::OnceCell,
    fmt,
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

/// The effort to confirm a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConfirmationEffort {
    /// No confirmation.
    None,
    /// Up to a small fraction of the search time.
    #[default]
    Brief,
    /// As long as it takes, up to the limits of the search.
    Full,
}

/// The claim of an engine about the assignments that it has not found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claim {
    /// The engines that make the claim.
    pub by: Vec<&'static str>,
    /// The second engine, if it has the same answer.
    pub confirmed_by: Option<&'static str>,
    /// The reason why the claim is not confirmed; empty if it is.
    pub open: String,
    /// The time that the confirmation took.
    pub time: Duration,
}

/// The engines that make the claim and the one that confirms it, for users.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "claimed by {}; ", self.by.join(", "))?;
        match self.confirmed_by {
            Some(engine) => write!(f, "confirmed by {engine} in {:.3} s", self.time.as_secs_f64()),
            None => write!(f, "not confirmed, because {}", self.open),
        }
    }
}

/// A backend whose claims are confirmed.
pub(super) struct Confirming {
    engine: Box<dyn Solver>,
    statistics: Statistics,
}

/// The assignments that an engine has found: with an objective the best one, else the first ones.
#[derive(Default)]
struct FoundAssignments {
    kept: Vec<Assignment>,
    count: usize,
}

impl Confirming {
    pub(super) fn new(engine: Box<dyn Solver>) -> Self {
        Confirming { engine, statistics: Statistics::default() }
    }
}

impl Solver for Confirming {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        self.solve_with(&Arc::new(problem.clone()), Guidance::default(), options, found)
    }

    fn solve_with(
        &mut self,
        problem: &Arc<Problem>,
        guidance: Guidance,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        let start = Instant::now();
        let broken = OnceCell::new();
        let break_symmetries = || {
            let make = || guidance.break_symmetries.map(|break_symmetries| break_symmetries()).unwrap_or_default();
            Problem::clone(broken.get_or_init(make))
        };
        let wants_one = guidance.break_symmetries.is_some();
        // The confirmation searches the same problem, so the problem is built only once.
        let memoised = wants_one.then_some(&break_symmetries as &dyn Fn() -> Problem);
        let most = match options.confirmation {
            ConfirmationEffort::None => 0,
            ConfirmationEffort::Brief => 1 + MOST_BLOCKED / problem.decisions().len().max(1),
            ConfirmationEffort::Full => usize::MAX,
        };
        let mut known = FoundAssignments::default();
        // The starting plan counts as known, so only a better assignment refutes a claim.
        if let Some(plan) = guidance.start.filter(|plan| problem.objective().is_some() && problem.is_satisfied_by(plan))
        {
            known.add(problem, plan, most);
        }
        let guidance = Guidance { break_symmetries: memoised, ..guidance };
        let end = self.engine.solve_with(problem, guidance, options, &mut |assignment| {
            known.add(problem, assignment, most);
            found(assignment)
        })?;
        self.statistics = self.engine.statistics().clone();
        if end != SearchEnd::Complete || options.confirmation == ConfirmationEffort::None {
            return Ok(end);
        }
        let by = self.statistics.claimed_by.clone();
        // Without such engines, simplification has solved the problem, or the claim has a proof.
        if by.is_empty() {
            return Ok(end);
        }
        let asked = Instant::now();
        // Without symmetry breaking, a second proof may take much longer.
        let is_about_one = problem.objective().is_some() || known.count == 0;
        let problem = broken.get().filter(|_| is_about_one).unwrap_or(problem);
        let second = SecondOpinion { problem, known: &known, by: &by, options, time: brief_time(start.elapsed()) };
        let (confirmed_by, open) = match second.ask() {
            SecondAnswer::Same(engine) => (Some(engine), String::new()),
            SecondAnswer::Unknown(reason) => (None, reason),
            SecondAnswer::Refuted(assignment, error) => {
                // The caller gets the assignment as usual.
                let _ = found(&assignment);
                return Err(error);
            }
        };
        self.statistics.claim = Some(Claim { by, confirmed_by, open, time: asked.elapsed() });
        Ok(end)
    }

    fn prepare(&mut self, problem: &Problem, guidance: &Guidance) {
        self.engine.prepare(problem, guidance);
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn prove(&mut self, refutation: Refutation) -> bool {
        self.engine.prove(refutation)
    }

    fn keep_costs(&mut self, ends: Vec<usize>) -> bool {
        self.engine.keep_costs(ends)
    }

    fn costs(&self) -> Option<Costs> {
        self.engine.costs()
    }

    fn is_traced(&self) -> bool {
        self.engine.is_traced()
    }
}

impl FoundAssignments {
    fn add(&mut self, problem: &Problem, assignment: &Assignment, most: usize) {
        self.count += 1;
        // With an objective, only assignments better than the last one can refute a claim.
        if problem.objective().is_some() {
            self.kept.clear();
        }
        if self.kept.len() < most {
            self.kept.push(assignment.clone());
        }
    }
}

/// Returns the time for a brief confirmation after a search that took this long.
fn brief_time(searched: Duration) -> Duration {
    LEAST_TIME.max(searched / BRIEF_PART)
}

/// The total time of searches of one kind and the total time of their confirmations.
#[derive(Default)]
pub(super) struct ConfirmationAccount {
    searched: Duration,
    confirming: Duration,
}

impl ConfirmationAccount {
    /// Confirms the claim of a search since `start` that, under these assumptions, no assignment is better than the
    /// best known one. All confirmations together take the fraction of the time that a single one may take, so that
    /// many small searches are not doubled.
    pub(super) fn confirm(
        &mut self,
        problem: &Problem,
        assumed: &[Bool],
        best: Option<&Assignment>,
        by: &'static str,
        options: &EngineOptions,
        start: Instant,
    ) -> Result<(), SolverError> {
        let asked = Instant::now();
        self.searched += asked - start;
        let time = brief_time(self.searched).saturating_sub(self.confirming);
        let is_brief = options.confirmation == ConfirmationEffort::Brief;
        if options.confirmation == ConfirmationEffort::None || is_brief && handing_over(problem) > time {
            return Ok(());
        }
        let mut required = problem.clone();
        assumed.iter().for_each(|term| required.require(*term));
        let mut known = FoundAssignments::default();
        if let Some(best) = best {
            known.add(problem, best, 1);
        }
        let second = SecondOpinion { problem: &required, known: &known, by: &[by], options, time };
        let answer = second.ask();
        self.confirming += asked.elapsed();
        if let SecondAnswer::Refuted(_, error) = answer { Err(error) } else { Ok(()) }
    }
}

/// Estimates the time to translate a problem for an engine.
fn handing_over(problem: &Problem) -> Duration {
    TERM_TIME.saturating_mul(u32::try_from(problem.size()).unwrap_or(u32::MAX))
}

/// A question to a second engine about a claim.
struct SecondOpinion<'a> {
    problem: &'a Problem,
    known: &'a FoundAssignments,
    by: &'a [&'static str],
    options: &'a EngineOptions,
    /// The time that a brief confirmation may take.
    time: Duration,
}

/// The answer of a second engine to a claim.
enum SecondAnswer {
    /// This engine has the same answer.
    Same(&'static str),
    /// There is no answer, for this reason.
    Unknown(String),
    /// The engine has found an assignment that the claim rules out.
    Refuted(Assignment, SolverError),
}

impl SecondOpinion<'_> {
    /// Asks an engine on whose word the claim does not rest.
    fn ask(&self) -> SecondAnswer {
        let unknown = |reason: &str| SecondAnswer::Unknown(reason.to_owned());
        let brief = (self.options.confirmation == ConfirmationEffort::Brief).then_some(self.time);
        if brief.is_some_and(|time| handing_over(self.problem) > time) {
            return unknown("asking again would take too long");
        }
        // Assignments that were not kept cannot be blocked.
        if self.problem.objective().is_none() && self.known.kept.len() < self.known.count {
            return unknown("there are too many solutions to ask for another one");
        }
        let Ok(beyond) = self.problem.beyond_found(&self.known.kept) else {
            return unknown("the numbers are too large to ask again");
        };
        let mut options = self.options.clone();
        if let Some(time) = brief {
            let until = Instant::now() + time;
            options.limits.deadline = Some(options.limits.deadline.map_or(until, |deadline| deadline.min(until)));
        }
        let mut engine: Box<dyn Solver> = match brief {
            Some(_) => match self.quick_engine() {
                Some(engine) => engine,
                None => return unknown("no other engine starts quickly"),
            },
            // A full confirmation may use all engines except the ones that make the claim.
            None => Box::new(Portfolio::without(self.by.to_vec())),
        };
        let mut other = None;
        let answer = engine.solve(&beyond, &options, &mut |assignment| {
            other = Some(assignment.clone());
            ControlFlow::Break(())
        });
        let second = engine.statistics().claimed_by.first().copied().unwrap_or("simplification");
        let Some(assignment) = other else {
            return match answer {
                Ok(SearchEnd::Complete) => SecondAnswer::Same(second),
                Ok(SearchEnd::Stopped(_)) if brief.is_some() => unknown("a second proof would take longer"),
                Ok(SearchEnd::Stopped(reason)) => SecondAnswer::Unknown(reason.to_string()),
                Ok(SearchEnd::Enough) => unknown("the second engine was stopped"),
                Err(error) => SecondAnswer::Unknown(error.to_string()),
            };
        };
        // The second engine may be faulty, so its assignment is checked before it refutes the claim.
        if !beyond.is_satisfied_by(&assignment) {
            return unknown("the second engine answered with values that do not satisfy the constraints");
        }
        let claim = false_claim(self.problem, self.known.kept.last(), &assignment);
        let error = SolverError::FalseClaim { claimed_by: self.by.join(", "), claim, refuted_by: second.to_owned() };
        SecondAnswer::Refuted(assignment, error)
    }

    /// Returns an engine that needs no library, because loading one takes too long.
    fn quick_engine(&self) -> Option<Box<dyn Solver>> {
        #[cfg(feature = "cadical")]
        if !self.by.contains(&SolverName::Cadical.title()) {
            return Some(Box::new(super::cadical::Cadical::default()));
        }
        (!self.by.contains(&SolverName::BatSat.title())).then(|| Box::new(BatSat::default()) as Box<dyn Solver>)
    }
}

#[cfg(all(test, feature = "cadical"))]
mod tests {
    use super::*;
    use crate::{
        FalseClaim, IntSet, Sense,
        problem::{Builder, Int, Role},
        solver::test_problems::{random_problem, try_all},
    };

    /// An engine that finds these values of the first decision variable and claims that there are no others.
    struct Liar {
        values: Vec<i64>,
        statistics: Statistics,
    }

    impl Solver for Liar {
        fn solve(
            &mut self,
            problem: &Problem,
            _: &EngineOptions,
            found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
        ) -> Result<SearchEnd, SolverError> {
            for value in &self.values {
                let mut assignment = Assignment::default();
                assignment.set(problem.decisions()[0], *value);
                if found(&assignment).is_break() {
                    return Ok(SearchEnd::Enough);
                }
            }
            Ok(SearchEnd::Complete)
        }

        fn statistics(&self) -> &Statistics {
            &self.statistics
        }
    }

    /// A number from 1 to 5 other than 3, with or without an objective.
    fn numbers(sense: Option<Sense>) -> (Problem, Int) {
        let mut problem = Builder::new();
        let number = problem.new_int(IntSet::range(1, 5), Role::Decision);
        let three = problem.equals_constant(number, 3);
        problem.require(!three);
        if let Some(sense) = sense {
            problem.set_objective(sense, vec![number]);
        }
        (problem.finish().expect("small numbers"), number)
    }

    /// The answer of an engine that claims to have found everything with these values, and the values that were passed
    /// on.
    fn answer(
        problem: &(Problem, Int),
        values: &[i64],
        by: &'static str,
        confirmation: ConfirmationEffort,
    ) -> (Result<SearchEnd, SolverError>, Vec<i64>, Option<Claim>) {
        let statistics = Statistics { claimed_by: vec![by], ..Statistics::default() };
        let mut engine = Confirming::new(Box::new(Liar { values: values.to_vec(), statistics }));
        let (problem, number) = problem;
        let options = EngineOptions::default().confirmation(confirmation);
        let mut handed_on = Vec::new();
        let end = engine.solve(problem, &options, &mut |assignment| {
            handed_on.push(problem.int_value(*number, assignment));
            ControlFlow::Continue(())
        });
        (end, handed_on, engine.statistics().claim.clone())
    }

    #[test]
    fn false_claims_are_refuted() {
        let (any, least, most) = (numbers(None), numbers(Some(Sense::Minimise)), numbers(Some(Sense::Maximise)));
        for (problem, values, expected) in [
            (&any, &[][..], FalseClaim::NoAssignment),
            (&any, &[1, 2, 5], FalseClaim::NoFurther),
            (&least, &[4, 2], FalseClaim::NoBetter(2, 1)),
            (&most, &[1, 4], FalseClaim::NoBetter(4, 5)),
            (&most, &[], FalseClaim::NoAssignment),
        ] {
            // Another engine confirms the claims of CaDiCaL.
            for by in [SolverName::CpSat, SolverName::Cadical] {
                let (end, handed_on, _) = answer(problem, values, by.title(), ConfirmationEffort::Full);
                let Err(SolverError::FalseClaim { claimed_by, claim, refuted_by }) = end else {
                    panic!("{by}, {values:?}: {end:?}")
                };
                assert_eq!((claimed_by.as_str(), claim), (by.title(), expected), "{values:?}");
                assert_ne!(refuted_by, claimed_by);
                assert_eq!(handed_on.len(), values.len() + 1, "the solution that refutes the claim is handed on");
            }
        }
    }

    #[test]
    fn true_claims_are_confirmed_by_another_engine() {
        let (any, most) = (numbers(None), numbers(Some(Sense::Maximise)));
        for (problem, values) in [(&any, &[1, 2, 4, 5][..]), (&most, &[2, 5])] {
            for by in [SolverName::CpSat, SolverName::Cadical, SolverName::Z3] {
                let (end, _, claim) = answer(problem, values, by.title(), ConfirmationEffort::Full);
                let claim = claim.expect("a claim");
                assert_eq!((end, claim.by), (Ok(SearchEnd::Complete), vec![by.title()]));
                assert!(claim.confirmed_by.is_some_and(|engine| engine != by.title()), "{}", claim.open);
            }
        }
        let (_, _, claim) = answer(&any, &[1], "CP-SAT", ConfirmationEffort::None);
        assert_eq!(claim, None, "nobody is asked");
    }

    #[test]
    fn false_claims_under_assumptions_are_refuted_within_the_time_for_all() {
        let mut problem = Builder::new();
        let number = problem.new_int(IntSet::range(1, 5), Role::Decision);
        let [five, six] = [5, 6].map(|value| problem.equals_constant(number, value));
        let problem = problem.finish().expect("small numbers");
        let now = Instant::now;
        let mut account = ConfirmationAccount::default();
        let mut confirm = |assumed: &[_], effort| {
            let options = EngineOptions::default().confirmation(effort);
            account.confirm(&problem, assumed, None, "CP-SAT", &options, now())
        };
        assert_eq!(confirm(&[six], ConfirmationEffort::Full), Ok(()));
        let Err(SolverError::FalseClaim { claim, .. }) = confirm(&[five], ConfirmationEffort::Full) else {
            panic!("a number is 5")
        };
        assert_eq!(claim, FalseClaim::NoAssignment);
        assert_eq!(confirm(&[five], ConfirmationEffort::None), Ok(()), "nobody is asked");
        let options = EngineOptions::default();
        account.confirming = Duration::from_secs(60);
        assert_eq!(account.confirm(&problem, &[five], None, "CP-SAT", &options, now()), Ok(()), "no time is left");
    }

    #[test]
    fn the_claims_of_all_engines_about_random_problems_are_confirmed() {
        let options = EngineOptions::default().confirmation(ConfirmationEffort::Full);
        let mut confirmed = 0;
        for seed in 0..8 {
            let (problem, variables) = random_problem(seed);
            let (all, best) = try_all(&problem, &variables);
            for name in SolverName::all().filter(|name| name.is_engine() && name.is_installed()) {
                let mut engine = super::super::backend(name).expect("a backend");
                let (mut count, mut last) = (0, None);
                let end = engine.solve(&problem, &options, &mut |assignment| {
                    count += 1;
                    last = Some(assignment.clone());
                    ControlFlow::Continue(())
                });
                assert_eq!(end, Ok(SearchEnd::Complete), "{name}, seed {seed}");
                match (problem.objective(), last) {
                    (Some(objective), Some(last)) => {
                        let values = objective.terms.iter().map(|term| problem.int_value(*term, &last)).collect();
                        assert_eq!(Some(values), best, "{name}, seed {seed}");
                    }
                    _ => assert_eq!(count, all.len(), "{name}, seed {seed}"),
                }
                confirmed +=
                    usize::from(engine.statistics().claim.as_ref().is_some_and(|claim| claim.confirmed_by.is_some()));
            }
        }
        assert!(confirmed > 12, "{confirmed}");
    }
}
