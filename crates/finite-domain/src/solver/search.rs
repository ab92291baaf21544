//! Search with any engine that finds one assignment at a time: enumerates assignments with blocking clauses, or finds
//! the best one by tightening a bound on the objective.

use super::{CheckResult, EngineOptions, SearchEnd, incumbent::Incumbent, neighbourhood::Neighbourhoods};
use crate::solver::tuning::search::{FIRST_SLICE, NEAR_CONFLICTS, NEAR_WORK, RELEASED};
use crate::{
    Sense, StopReason,
    problem::{Assignment, Int, Objective, Problem, Variable},
};
use std::ops::ControlFlow;

/// A bound on a term of the objective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectiveBound {
    pub term: Int,
    /// The side of the bound: at least the value if maximising, else at most.
    pub sense: Sense,
    pub value: i64,
}

/// A solver with a problem, as the search sees it.
pub(crate) trait Engine {
    /// Looks for an assignment whose objective is within the bounds.
    fn check(&mut self, bounds: &[ObjectiveBound]) -> CheckResult;

    /// Like `check`, but only among the assignments in which these terms have these values, and with a budget of
    /// conflicts; `None` if the engine does not count its work.
    fn check_near(
        &mut self,
        _: &[ObjectiveBound],
        _values: &[(Variable, i64)],
        _conflicts: u64,
    ) -> Option<CheckResult> {
        None
    }

    /// Looks for an assignment in which these terms have these values, with a budget of conflicts; `None` if the engine
    /// cannot start with a hint.
    fn check_hint(&mut self, values: &[(Variable, i64)], conflicts: u64) -> Option<CheckResult> {
        self.check_near(&[], values, conflicts)
    }

    /// Returns the number of conflicts so far.
    fn conflicts(&self) -> u64 {
        0
    }

    /// Returns a dual bound for a term of the objective: the best value that the engine has not ruled out before the
    /// search.
    fn dual_bound(&mut self, _term: Int, _sense: Sense) -> Option<i64> {
        None
    }

    /// Returns true if this bound fixes most of the variables, so that the next check is easy.
    fn settles(&mut self, _bound: ObjectiveBound) -> bool {
        false
    }

    /// Returns the assignment that the last check has found; `None` if the solver was interrupted.
    fn assignment(&mut self) -> Option<Assignment>;

    /// Adds a blocking clause: some decision variable must differ from the assignment. The error is the reason if this
    /// is impossible.
    fn block(&mut self, assignment: &Assignment) -> Result<(), String>;

    /// Requires that all bounds of one of the alternatives hold, after the search has ruled out all alternatives. This
    /// gives a proof its last contradiction.
    fn contradict(&mut self, _alternatives: &[Vec<ObjectiveBound>]) {}
}

/// Runs the search to its end. With an objective, `bound` is updated to the best value of its first term that has not
/// been ruled out.
pub(crate) fn run_search(
    problem: &Problem,
    engine: &mut dyn Engine,
    options: &EngineOptions,
    incumbent: &Incumbent,
    bound: &mut Option<i64>,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> SearchEnd {
    let status = match problem.objective() {
        Some(objective) => {
            let dual_bound = bound;
            let fixed = Vec::with_capacity(objective.terms.len());
            Optimisation {
                problem,
                objective,
                engine,
                options,
                incumbent,
                dual_bound,
                found,
                fixed,
                neighbourhoods: None,
                slice: FIRST_SLICE,
            }
            .run()
        }
        None => all(engine, options, incumbent, found),
    };
    match status {
        Ok(status) | Err(status) => status,
    }
}

fn all(
    engine: &mut dyn Engine,
    options: &EngineOptions,
    incumbent: &Incumbent,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<SearchEnd, SearchEnd> {
    let mut next = first(engine, options, incumbent)?;
    while let Some(assignment) = next {
        if found(&assignment).is_break() {
            return Ok(SearchEnd::Enough);
        }
        engine.block(&assignment).map_err(|reason| options.reached().unwrap_or(StopReason::Unknown(reason)))?;
        next = check_assignment(engine, &[], options)?;
    }
    Ok(SearchEnd::Complete)
}

/// A search for the best assignment.
struct Optimisation<'a> {
    problem: &'a Problem,
    objective: &'a Objective,
    engine: &'a mut dyn Engine,
    options: &'a EngineOptions,
    incumbent: &'a Incumbent,
    /// The best value of the first term of the objective that has not been ruled out.
    dual_bound: &'a mut Option<i64>,
    found: &'a mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    /// The bounds that keep the terms before the current one at their best values.
    fixed: Vec<ObjectiveBound>,
    neighbourhoods: Option<Neighbourhoods<'a>>,
    /// The budget of conflicts of the next complete search, and of the search near the best assignment that follows it.
    slice: u64,
}

/// The result of a complete search with a budget.
enum Progress {
    Better(Assignment),
    /// There is nothing better within the bounds.
    Nothing,
    Undecided,
}

impl Optimisation<'_> {
    /// Optimises the terms lexicographically: the first one, then the second one among the best values of the first,
    /// and so on.
    fn run(mut self) -> Result<SearchEnd, SearchEnd> {
        let Objective { sense, terms } = self.objective;
        *self.dual_bound = terms.first().map(|first| sense.end(self.range(*first)));
        // The bound follows from the domains and the linear relaxation, so it does not depend on any engine.
        if let Some(bound) = *self.dual_bound {
            self.incumbent.derive(*sense, bound);
        }
        let Some(mut assignment) = self.first()? else { return Ok(SearchEnd::Complete) };
        for &term in terms {
            assignment = self.best(term, assignment)?;
            let value = self.problem.int_value(term, &assignment);
            self.fixed.push(ObjectiveBound { term, sense: *sense, value });
        }
        // A proof ends with a contradiction of all improvements together.
        let improvements: Vec<Vec<ObjectiveBound>> = (0..terms.len()).map(|place| self.improvement(place)).collect();
        self.engine.contradict(&improvements);
        Ok(SearchEnd::Complete)
    }

    /// The least and the greatest value of a term that the engine has not ruled out.
    fn range(&mut self, term: Int) -> (i64, i64) {
        let values = self.problem.values(term);
        let (low, high) = (values.min().unwrap_or(0), values.max().unwrap_or(0));
        let bound = self.engine.dual_bound(term, self.objective.sense);
        self.cut((low, high), bound)
    }

    /// Cuts a range to the part that a dual bound leaves.
    fn cut(&self, interval: (i64, i64), bound: Option<i64>) -> (i64, i64) {
        let (low, high) = interval;
        match (bound, self.objective.sense) {
            (Some(bound), Sense::Maximise) => (low, high.min(bound)),
            (Some(bound), Sense::Minimise) => (low.max(bound), high),
            (None, _) => (low, high),
        }
    }

    /// The assignment to start with: the incumbent if there is one.
    fn first(&mut self) -> Result<Option<Assignment>, SearchEnd> {
        if let Some(best) = self.incumbent.best() {
            return Ok(Some(best));
        }
        let first = first(self.engine, self.options, self.incumbent)?;
        first.iter().try_for_each(|first| self.report(first))?;
        Ok(first)
    }

    fn report(&mut self, assignment: &Assignment) -> Result<(), SearchEnd> {
        if (self.found)(assignment).is_break() { Err(SearchEnd::Enough) } else { Ok(()) }
    }

    /// Returns the best assignment by a term of the objective.
    fn best(&mut self, term: Int, mut assignment: Assignment) -> Result<Assignment, SearchEnd> {
        let sense = self.objective.sense;
        let (mut low, mut high) = self.range(term);
        let (mut step, mut reach) = (1i64, 0i64);
        loop {
            // In the meantime, another engine may have found a better assignment or proved a bound.
            if let Some(better) = self.incumbent.better(self.problem, self.objective, &assignment) {
                assignment = better;
            }
            let value = self.problem.int_value(term, &assignment);
            match sense {
                Sense::Maximise => low = value,
                Sense::Minimise => high = value,
            }
            // The shared dual bound is only about the first term, and it does not apply under assumptions about other
            // terms.
            if self.fixed.is_empty() {
                (low, high) = self.cut((low, high), self.incumbent.bound());
                let bound = sense.end((low, high));
                *self.dual_bound = Some(bound);
                self.incumbent.prove(sense, bound);
            }
            // A better assignment must be between the incumbent and the dual bound.
            if low >= high {
                return Ok(assignment);
            }
            // If the dual bound decides most of the search, it is tried first, followed by worse bounds at doubling
            // distances, because there may be large gaps between values.
            let settled = self.settled((low, high), term, &mut reach);
            let aim = settled.unwrap_or(match sense {
                Sense::Maximise => low.saturating_add(step).min(high),
                Sense::Minimise => high.saturating_sub(step).max(low),
            });
            self.fixed.push(ObjectiveBound { term, sense, value: aim });
            let progress = self.search();
            self.fixed.pop();
            match progress? {
                Progress::Better(better) => {
                    self.report(&better)?;
                    assignment = better;
                    // Doubling steps take about as long as steps of one and as bisection (within 10 %), and half as
                    // long as bisection for a round trip (`docs/decisions/best-solution-search.md`).
                    (step, reach) = (step.saturating_mul(2), 0);
                }
                Progress::Nothing => {
                    reach = reach.saturating_mul(2).saturating_add(1);
                    // No assignment is at `aim` or beyond it.
                    match sense {
                        Sense::Maximise => high = aim - 1,
                        Sense::Minimise => low = aim + 1,
                    }
                    step = 1;
                }
                Progress::Undecided => {
                    assignment = self.near(term, assignment)?;
                    // A bound nearer to the incumbent may be reached, or refuted, within the budget.
                    step = (step / 2).max(1);
                }
            }
        }
    }

    /// Returns a bound that settles most of the search, at most `reach` from the dual bound and better than the
    /// incumbent.
    fn settled(&mut self, interval: (i64, i64), term: Int, reach: &mut i64) -> Option<i64> {
        let (low, high) = interval;
        let sense = self.objective.sense;
        loop {
            let value = match sense {
                Sense::Maximise => high.saturating_sub(*reach).max(low + 1),
                Sense::Minimise => low.saturating_add(*reach).min(high - 1),
            };
            if self.engine.settles(ObjectiveBound { term, sense, value }) {
                return Some(value);
            }
            if *reach == 0 {
                return None;
            }
            // A bound nearer to the dual bound fixes more variables, so half of the distance may succeed.
            *reach /= 2;
        }
    }

    /// Runs a complete search for a better assignment, limited by the slice.
    fn search(&mut self) -> Result<Progress, SearchEnd> {
        if let Some(stopped) = self.options.reached() {
            return Err(stopped.into());
        }
        let answer = match self.engine.check_near(&self.fixed, &[], self.slice) {
            // Only this slice is used up.
            Some(CheckResult::Unknown(_)) if self.options.reached().is_none() => return Ok(Progress::Undecided),
            Some(result) => found(self.engine, result, self.options)?,
            None => check_assignment(self.engine, &self.fixed, self.options)?,
        };
        Ok(answer.map_or(Progress::Nothing, Progress::Better))
    }

    /// Searches for better assignments near the best one. If there are none, the slices double: a search that has to
    /// prove the optimum loses at most half of its time to neighbourhoods.
    fn near(&mut self, term: Int, mut best: Assignment) -> Result<Assignment, SearchEnd> {
        let (problem, seed) = (self.problem, self.options.seed);
        let mut neighbourhoods = self.neighbourhoods.take().unwrap_or_else(|| Neighbourhoods::new(problem, seed));
        let (mut spent, mut improved) = (0, false);
        while spent < self.slice {
            if let Some(better) = self.incumbent.better(problem, self.objective, &best) {
                best = better;
            }
            let value = problem.int_value(term, &best);
            let sense = self.objective.sense;
            let values = neighbourhoods.next(&best);
            // In a neighbourhood, every improvement counts, so the bound is only one step better.
            self.fixed.push(ObjectiveBound { term, sense, value: sense.step(value) });
            let before = self.engine.conflicts();
            let result = self.engine.check_near(&self.fixed, &values, NEAR_CONFLICTS);
            self.fixed.pop();
            spent += NEAR_WORK + self.engine.conflicts().saturating_sub(before);
            if let Some(status) = self.options.reached() {
                return Err(status.into());
            }
            let Some(result) = result else { break };
            neighbourhoods.learn(&result);
            if result == CheckResult::Satisfiable
                && let Some(better) = found(self.engine, result, self.options)?
            {
                self.report(&better)?;
                (best, improved) = (better, true);
            }
        }
        self.neighbourhoods = Some(neighbourhoods);
        if !improved {
            self.slice = self.slice.saturating_mul(2);
        }
        Ok(best)
    }

    /// The bounds of one way to be better: the terms before this position are as good, and this one is better.
    fn improvement(&self, position: usize) -> Vec<ObjectiveBound> {
        let ObjectiveBound { term, sense, value } = self.fixed[position];
        let value = sense.step(value);
        [&self.fixed[..position], &[ObjectiveBound { term, sense, value }]].concat()
    }
}

/// Returns the first assignment: one near the hint, if there is a hint and the engine finds one there soon.
fn first(
    engine: &mut dyn Engine,
    options: &EngineOptions,
    incumbent: &Incumbent,
) -> Result<Option<Assignment>, StopReason> {
    let hint = incumbent.hint();
    if !hint.is_empty() {
        let mut random = fastrand::Rng::with_seed(options.seed.unwrap_or(0).into());
        // The whole hint is tried first; parts are dropped only if it does not fit.
        for part in RELEASED {
            let kept: Vec<(Variable, i64)> = hint.iter().copied().filter(|_| random.f64() >= part).collect();
            match engine.check_hint(&kept, NEAR_CONFLICTS) {
                Some(CheckResult::Satisfiable) => return found(engine, CheckResult::Satisfiable, options),
                Some(_) if options.reached().is_none() => {}
                _ => break,
            }
        }
    }
    check_assignment(engine, &[], options)
}

/// Returns an assignment, `None` if there is none, or an error if the check was stopped.
fn check_assignment(
    engine: &mut dyn Engine,
    bounds: &[ObjectiveBound],
    options: &EngineOptions,
) -> Result<Option<Assignment>, StopReason> {
    if let Some(stopped) = options.reached() {
        return Err(stopped);
    }
    let result = engine.check(bounds);
    found(engine, result, options)
}

/// Returns the assignment that a check has found.
fn found(
    engine: &mut dyn Engine,
    result: CheckResult,
    options: &EngineOptions,
) -> Result<Option<Assignment>, StopReason> {
    match result {
        CheckResult::Unsatisfiable => Ok(None),
        CheckResult::Satisfiable => match engine.assignment() {
            Some(assignment) => Ok(Some(assignment)),
            None => Err(options.reached().unwrap_or(StopReason::Unknown("no model".into()))),
        },
        CheckResult::Unknown(reason) => Err(options.reached().unwrap_or(StopReason::Unknown(reason))),
    }
}
