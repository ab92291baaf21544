//! Dominance relations: finds the solutions that no other solution dominates.
//!
//! Each solution excludes itself and all solutions that it dominates, even if another solution dominates it. Then the
//! solver searches for a solution that dominates it. If there is none, the solution is proved to be wanted and passed
//! on; otherwise the search continues with the dominating one. So no property of the relation is assumed. An
//! incomparability function only determines the order of the search.

use super::Search;
use crate::{
    analysis::model::{DominanceExpr, DominanceForm},
    diagnostic::{Code, Diagnostic},
    halt::Halt,
    instance::{Environment, GroundInstance, SolutionValues, holds},
    language::{Sense, Stop},
    lowering::{self, KnownSide, Lowered},
    problem::{Assignment, Bool, Builder, Int, Role, Variable},
    solver::{EngineOptions, Guidance, KeptSearch, SearchEnd, Solver},
};
use rustc_hash::FxHashSet;
use std::{mem, ops::ControlFlow};

/// The limit on conflicts for each call of the SAT solver that keeps its learnt clauses, before another solver takes
/// over. Chosen.
const CONFLICTS: u64 = 20_000;

/// Passes the solutions that no other solution dominates to `found`.
pub(super) fn search_undominated(
    search: Search,
    dominance: &DominanceExpr,
    solver: &mut dyn Solver,
    keeps: bool,
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchEnd, Halt> {
    let (instance, options) = (search.instance, search.options);
    let mut lowered = search.lowered.clone();
    let order = match &instance.model.incomparability {
        Some(order) => {
            let term = lowered.add_int(&instance.environment, &order.value, options.limits.clone())?;
            Some(SearchOrder { term, order: order.order, reached: None })
        }
        None => None,
    };
    let mut new = DominanceSearch {
        instance,
        dominance,
        lowered,
        options,
        solver,
        kept: keeps.then(KeptSearch::default),
        is_left: Bool::TRUE,
        order,
        env: instance.environment.clone(),
    };
    // All exclusions depend on this literal, because a dominating solution may have been excluded before.
    new.is_left = new.build(|builder| builder.new_bool(Role::Auxiliary))?;
    match new.run(found).map_err(|ended| *ended) {
        Ok(()) => Ok(SearchEnd::Complete),
        // If a limit stops the lowering of a term, the search ends.
        Err(Err(Halt::Stopped(stopped))) => Ok(stopped.into()),
        Err(ended) => ended,
    }
}

struct DominanceSearch<'a> {
    instance: &'a GroundInstance,
    dominance: &'a DominanceExpr,
    lowered: Lowered,
    options: &'a EngineOptions,
    solver: &'a mut dyn Solver,
    /// The search that keeps its learnt clauses, if it may be used.
    kept: Option<KeptSearch>,
    /// A literal that excludes each solution so far and all solutions that it dominates.
    is_left: Bool,
    order: Option<SearchOrder>,
    env: Environment,
}

/// The order in which solutions are searched.
struct SearchOrder {
    term: Int,
    order: Sense,
    /// The value whose solutions are searched now.
    reached: Option<i64>,
}

struct FoundSolution {
    values: SolutionValues,
    assignment: Assignment,
}

/// The early end of a search.
type Ended = Box<Result<SearchEnd, Halt>>;

impl From<Halt> for Ended {
    fn from(halt: Halt) -> Self {
        Box::new(Err(halt))
    }
}

impl DominanceSearch<'_> {
    fn run(&mut self, found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>) -> Result<(), Ended> {
        // Dominance may have cycles, in which the search for dominating solutions would not end.
        let mut seen: FxHashSet<Vec<i64>> = FxHashSet::default();
        let mut next = self.next()?;
        while let Some(solution) = next {
            // Solutions are compared by their decisions: two assignments with the same decisions are one solution.
            seen.insert(self.decisions(&solution).map(|(_, value)| value).collect());
            let is_other = self.leave_out(&solution)?;
            let dominates = self.domination(&solution, KnownSide::IsDominated)?;
            next = match self.ask(&[dominates, is_other])? {
                // If no other solution dominates this one, it is kept.
                None if found(&solution.values).is_break() => return Err(Box::new(Ok(SearchEnd::Enough))),
                None => self.next()?,
                Some(other) => {
                    self.check(&other.values, &solution.values)?;
                    // If the dominating solution was seen before, it has been excluded already.
                    let is_known = seen.contains(&self.decisions(&other).map(|(_, value)| value).collect::<Vec<_>>());
                    // The known solution was excluded with all that it dominates, so this solution is not kept either.
                    if is_known { self.next()? } else { Some(other) }
                }
            };
        }
        Ok(())
    }

    /// A remaining solution, the first one in the order of the search.
    fn next(&mut self) -> Result<Option<FoundSolution>, Ended> {
        let is_left = self.is_left;
        let Some(SearchOrder { term, order, reached }) = self.order else { return self.ask(&[is_left]) };
        if let Some(value) = reached {
            // All solutions with the same value come before those with a later value.
            let has_value = self.build(|builder| builder.equals_constant(term, value))?;
            if let Some(solution) = self.ask(&[is_left, has_value])? {
                return Ok(Some(solution));
            }
        }
        let mut first = self.ask(&[is_left])?;
        // Each improvement moves the bound by one. The solution after which no improvement exists is the first one in
        // the order.
        while let Some(solution) = &first {
            let value = self.lowered.problem.int_value(term, &solution.assignment);
            if let Some(order) = &mut self.order {
                order.reached = Some(value);
            }
            let next = if order == Sense::Minimise { value - 1 } else { value + 1 };
            let is_earlier = self.build(|builder| builder.at_least_as_good(order, term, next))?;
            match self.ask(&[is_left, is_earlier])? {
                Some(earlier) => first = Some(earlier),
                None => break,
            }
        }
        Ok(first)
    }

    /// Excludes a solution and all that it dominates from now on. Returns the condition that a solution is another one.
    fn leave_out(&mut self, solution: &FoundSolution) -> Result<Bool, Ended> {
        let is_dominated = self.domination(solution, KnownSide::Dominates)?;
        let is_left = self.is_left;
        let decisions: Vec<(Variable, i64)> = self.decisions(solution).collect();
        let added = self.build(|builder| {
            let same: Vec<Bool> = decisions.into_iter().map(|(term, value)| builder.has_value(term, value)).collect();
            let is_other = !builder.and(same);
            for required in [is_other, !is_dominated] {
                let implied = builder.or([!is_left, required]);
                builder.require(implied);
            }
            is_other
        });
        Ok(added?)
    }

    /// The decisions of a solution, which distinguish it from all others.
    fn decisions<'s>(&'s self, solution: &'s FoundSolution) -> impl Iterator<Item = (Variable, i64)> + 's {
        let problem = &self.lowered.problem;
        problem.decisions().iter().map(|term| (*term, problem.value(*term, &solution.assignment)))
    }

    fn domination(&mut self, solution: &FoundSolution, known: KnownSide) -> Result<Bool, Ended> {
        let environment = &self.instance.environment;
        let limits = self.options.limits.clone();
        Ok(self.lowered.domination(environment, self.dominance, &solution.values, known, limits)?)
    }

    /// Extends the problem.
    fn build<T>(&mut self, add: impl FnOnce(&mut Builder) -> T) -> Result<T, Halt> {
        let mut builder = Builder::from(mem::take(&mut self.lowered.problem));
        let added = add(&mut builder);
        self.lowered.problem = builder.finish().map_err(|fault| lowering::refused_lowering(fault.into()))?;
        Ok(added)
    }

    /// A solution for which all these literals are true.
    fn ask(&mut self, assumed: &[Bool]) -> Result<Option<FoundSolution>, Ended> {
        // If an assumption is false, there is no solution; if it is true, it need not be assumed.
        if assumed.contains(&Bool::FALSE) {
            return Ok(None);
        }
        let assumed: Vec<Bool> = assumed.iter().copied().filter(|term| *term != Bool::TRUE).collect();
        if let Some(kept) = &mut self.kept {
            let mut answer = None;
            let (guidance, problem) = (Guidance::default(), &self.lowered.problem);
            let searched = kept.search(problem, &assumed, &guidance, CONFLICTS, self.options, &mut |assignment| {
                answer = Some(assignment.clone());
                ControlFlow::Break(())
            });
            let (end, _) = searched.map_err(Halt::from)?;
            match (answer, end) {
                (Some(assignment), _) => {
                    let search = Search::new(self.instance, &self.lowered, self.options);
                    let values = search.checked(&assignment).map_err(Halt::from)?;
                    return Ok(Some(FoundSolution { values, assignment }));
                }
                (None, SearchEnd::Stopped(_)) => {
                    // If the user has set no limit, only the conflicts have run out, and the other solver takes over.
                    if let Some(reached) = self.options.reached() {
                        return Err(Box::new(Ok(reached.into())));
                    }
                }
                (None, _) => return Ok(None),
            }
        }
        // The other solver takes no assumptions, so they become constraints of a copy.
        let mut builder = Builder::from(self.lowered.problem.clone());
        assumed.into_iter().for_each(|term| builder.require(term));
        let part = builder.finish().map_err(|fault| Halt::from(lowering::refused_lowering(fault.into())))?;
        let search = Search { part: Some(&part), ..Search::new(self.instance, &self.lowered, self.options) };
        let mut answer = None;
        let end = search.solutions(self.solver, &mut |values, assignment| {
            answer = Some(FoundSolution { values: values.clone(), assignment: assignment.clone() });
            ControlFlow::Break(())
        })?;
        match (answer, end) {
            (Some(solution), _) => Ok(Some(solution)),
            (None, SearchEnd::Complete | SearchEnd::Enough) => Ok(None),
            (None, stopped) => Err(Box::new(Ok(stopped))),
        }
    }

    /// Checks by evaluation that a solution dominates another one.
    fn check(&mut self, one: &SolutionValues, other: &SolutionValues) -> Result<(), Halt> {
        if dominates(&mut self.env, self.dominance, one, other)? {
            return Ok(());
        }
        let error = Diagnostic::error(Code::WRONG_SOLUTION, "a solution that does not dominate another one");
        Err(error.at(self.dominance.relation.span, "this was said to show that it does").into())
    }
}

/// Returns true if a solution dominates another one, by evaluation.
pub(super) fn dominates(
    env: &mut Environment,
    dominance: &DominanceExpr,
    one: &SolutionValues,
    other: &SolutionValues,
) -> Result<bool, Halt> {
    // `IsKept` describes the dominated solution, and is false if it is dominated.
    let (own, from) = match dominance.form {
        DominanceForm::Dominates => (one, other),
        DominanceForm::IsKept => (other, one),
    };
    for (id, value) in own {
        env.bind_global(*id, value.clone());
    }
    for (id, value) in from {
        if let Some((_, local)) = dominance.others.iter().find(|(find, _)| find == id) {
            env.bind_local(*local, value.clone());
        }
    }
    let holds = match holds(&dominance.relation, env) {
        Ok(holds) => holds,
        Err(Stop::Undefined) => false,
        Err(Stop::Fault(fault)) => return Err(fault.into()),
    };
    Ok(holds == (dominance.form == DominanceForm::Dominates))
}
