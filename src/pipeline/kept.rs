//! An instance that is solved repeatedly with different requirements, and the results that are kept between searches.
//!
//! Each requirement is lowered once, with an activation literal that is assumed while the requirement is in force. So
//! its clauses stay, together with the clauses that a SAT solver has learnt from them. Further requirements only remove
//! solutions: a bound that is proved under some requirements also holds under more, so a solution that satisfies all
//! requirements and reaches a proved bound is optimal, and no search is needed. Problems that the SAT solver does not
//! solve quickly go to the portfolio, which starts from the known solutions.

use super::{Search, SearchSummary, analyse, lower_instance};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::{Halt, StopReason},
    instance::{GroundInstance, SolutionValues, holds},
    language::{Sense, Stop},
    lowering::{self, LocalTerms, Lowered, ModelNeighbours, PlanValues},
    problem::{Assignment, Bool, Builder, Int, Problem, Variable},
    solver::{self, EngineOptions, Guidance, KeptSearch, Neighbourhoods, SearchEnd, Solver, SolverName},
    syntax::ast::{self, ExprTree, Statement, StatementKind},
};
use rustc_hash::FxHashSet;
use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

/// The limit on the conflicts of the SAT solver that keeps its learnt clauses, before the portfolio takes over. Chosen.
const CONFLICTS: u64 = 5_000;

/// The largest number of values of a goal for the SAT solver: with more, each bound takes many clauses. Chosen.
const MOST_VALUES: u128 = 5_000;

/// The number of neighbourhoods of the last solution that are searched before the whole space, the time limit for each,
/// and the number of them that may reach their limit. Chosen.
const NEIGHBOURHOODS: usize = 12;
const NEIGHBOURHOOD_TIME: Duration = Duration::from_millis(500);
const MOST_ENDED: usize = 2;

/// The number of solutions that are kept. Chosen.
const MOST_KEPT: usize = 32;

/// The instance of the model with another constraint, the last one. It declares the same names.
pub(crate) fn with_constraint(
    instance: &GroundInstance,
    file: &ast::File,
    constraint: ExprTree,
) -> Result<GroundInstance, Halt> {
    let mut file = file.clone();
    file.statements.push(Statement { span: constraint.span, kind: StatementKind::SuchThat(vec![constraint]) });
    let model = Arc::new(analyse(&file, &mut Diagnostics::new())?);
    Ok(GroundInstance { environment: instance.environment.with_model(model.clone()), model, ..instance.clone() })
}

/// An instance as a problem, with the results of its searches.
pub(crate) struct KeptInstance {
    lowered: Lowered,
    /// The number of constraints of the instance without requirements.
    own: usize,
    search: KeptSearch,
    requirements: Vec<KeptRequirement>,
    found: Vec<KeptSolution>,
    proofs: Vec<KeptProof>,
}

struct KeptRequirement {
    /// The literal that is assumed while the requirement is in force.
    activation: Bool,
    /// The instance of the model with this requirement.
    instance: GroundInstance,
    local_terms: Vec<LocalTerms>,
}

/// A solution of the instance without requirements.
struct KeptSolution {
    values: SolutionValues,
    assignment: Assignment,
    objective: Vec<i64>,
}

/// A proved fact about all solutions under some requirements, given by their activation literals.
struct KeptProof {
    assumed: Vec<Bool>,
    /// The objective values of the best solution; `None` if there are no solutions.
    best: Option<Vec<i64>>,
}

impl KeptInstance {
    pub(crate) fn new(instance: &GroundInstance, options: &EngineOptions) -> Result<Self, Halt> {
        let (lowered, search) = (lower_instance(instance, options)?, KeptSearch::default());
        let own = lowered.problem.constraints().len();
        Ok(KeptInstance { lowered, own, search, requirements: Vec::new(), found: Vec::new(), proofs: Vec::new() })
    }

    /// Adds a requirement, the last constraint of this instance. Returns its number.
    pub(crate) fn add(&mut self, instance: GroundInstance, options: &EngineOptions) -> Result<usize, Halt> {
        let last = &instance.model.constraints[instance.model.constraints.len() - 1..];
        let (activation, local_terms) =
            self.lowered.add_assumable(&instance.environment, last, options.limits.clone())?;
        self.requirements.push(KeptRequirement { activation, instance, local_terms });
        Ok(self.requirements.len() - 1)
    }

    /// Finds a solution with some requirements in force, or better and better ones. The first search starts from a
    /// plan.
    pub(crate) fn solve(
        &mut self,
        instance: &GroundInstance,
        in_force: &[usize],
        plan: Option<&PlanValues>,
        options: &EngineOptions,
        found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
    ) -> Result<SearchSummary, Halt> {
        let mut assumed: Vec<Bool> = in_force.iter().map(|number| self.requirements[*number].activation).collect();
        // The literals are sorted, so that they are compared quickly with earlier proofs.
        assumed.sort_unstable();
        assumed.dedup();
        let optimising = self.lowered.problem.objective().is_some();
        let mut news = KeptNews { best: None, new: Vec::new(), solutions: 0, wrong: None, found };
        let end = self.answered(instance, in_force, &assumed, plan, options, &mut news);
        let KeptNews { best, new, solutions, wrong, .. } = news;
        self.found.extend(new);
        let too_many = self.found.len().saturating_sub(MOST_KEPT);
        self.found.drain(..too_many);
        if let Some(wrong) = wrong {
            return Err(wrong.into());
        }
        let (end, refuted) = end?;
        if end == SearchEnd::Complete {
            // A refutation that uses fewer requirements applies to more searches.
            let assumed = if best.is_none() { refuted.unwrap_or(assumed) } else { assumed };
            // The new proof replaces all with the same result under more requirements.
            self.proofs.retain(|proof| proof.best != best || !are_among_literals(&assumed, &proof.assumed));
            self.proofs.push(KeptProof { assumed, best });
        }
        Ok(SearchSummary { end, solutions, optimising })
    }

    /// The end of the search and, if there is no solution, the refuted assumptions.
    fn answered(
        &mut self,
        instance: &GroundInstance,
        in_force: &[usize],
        assumed: &[Bool],
        plan: Option<&PlanValues>,
        options: &EngineOptions,
        news: &mut KeptNews,
    ) -> Result<(SearchEnd, Option<Vec<Bool>>), Halt> {
        let KeptInstance { lowered, own, search, requirements, found, proofs } = self;
        let proofs = || proofs.iter().filter(|proof| are_among_literals(&proof.assumed, assumed));
        if let Some(refutation) = proofs().find(|proof| proof.best.is_none()) {
            return Ok((SearchEnd::Complete, Some(refutation.assumed.clone())));
        }
        let in_force: Vec<&KeptRequirement> = in_force.iter().map(|number| &requirements[*number]).collect();
        let problem = &lowered.problem;
        let sense = problem.objective().map(|objective| objective.sense);
        let is_better = |one: &[i64], other: &[i64]| sense.is_some_and(|sense| sense.is_better(one, other));
        // A bound for a larger set of solutions also holds here, and the worst of these bounds is the tightest.
        let bounds = proofs().filter_map(|proof| proof.best.as_deref());
        let bound = bounds.reduce(|one, other| if is_better(one, other) { other } else { one });
        let start = best_in_force(found, &in_force, sense)?;
        if let Some(start) = start {
            let reported = news.report(&start.values, &start.objective);
            if reported.is_break() || sense.is_none() {
                return Ok((SearchEnd::Enough, None));
            }
            if bound == Some(&*start.objective) {
                return Ok((SearchEnd::Complete, None));
            }
        }
        let proved = bound;
        let bound = bound.and_then(|bound| bound.first().copied());
        let last = found.last();
        let as_plan = |values: &SolutionValues| PlanValues { values: values.clone(), otherwise: values.clone() };
        let earlier = start.or(last).map(|solution| as_plan(&solution.values));
        let plan = earlier.as_ref().or(plan);
        let hint = match (start.or(last), plan) {
            (Some(solution), _) => decisions(problem, &solution.assignment),
            (None, Some(plan)) => {
                ModelNeighbours::new(instance, lowered, problem, &problem.unsimplified(), Some(&plan.values)).hint(plan)
            }
            (None, None) => Vec::new(),
        };
        let first = start.map(|start| activated(&start.assignment, assumed));
        let guidance = Guidance { start: first.as_ref(), hint: &hint, bound, ..Guidance::default() };
        let checker = Checker { instance, lowered, in_force: &in_force, sense };
        let few = |term: &Int| problem.values(*term).size().is_some_and(|size| size <= MOST_VALUES);
        if problem.objective().is_none_or(|objective| objective.terms.iter().all(few)) {
            let (end, refuted) = search.search(problem, assumed, &guidance, CONFLICTS, options, &mut |assignment| {
                checker.report(assignment, news)
            })?;
            let gave_up = matches!(end, SearchEnd::Stopped(StopReason::Unknown(_)));
            if !gave_up || options.reached().is_some() || news.wrong.is_some() {
                return Ok((end, Some(refuted)));
            }
        }
        let part = required(problem, requirements.iter().map(|requirement| requirement.activation), assumed)?;
        let as_good = found.iter().rev().find(|solution| Some(&*solution.objective) == proved);
        if let (Some(near), Some(proved)) = (as_good.or(start).or(last), proved) {
            let broken = decisions_of_broken(problem, *own, &activated(&near.assignment, assumed));
            if let Some(end) = checker.search_near(&part, &near.assignment, &broken, proved, options, news)? {
                return Ok((end, None));
            }
            if let Some(reached) = options.reached() {
                return Ok((reached.into(), None));
            }
        }
        let best = news.new.last().map(|best| best.values.clone());
        let begin = best.as_ref().or(start.map(|start| &start.values));
        let search = Search {
            part: Some(&part),
            start: begin.filter(|_| sense.is_some()),
            hint: plan,
            bound,
            ..Search::new(instance, lowered, options)
        };
        Ok((checker.search(&search, &mut *solver::together(), news)?, None))
    }
}

/// The best of the solutions that satisfy the requirements in force; the last one of several.
fn best_in_force<'f>(
    found: &'f [KeptSolution],
    in_force: &[&KeptRequirement],
    sense: Option<Sense>,
) -> Result<Option<&'f KeptSolution>, Halt> {
    let is_better = |one: &[i64], other: &[i64]| sense.is_some_and(|sense| sense.is_better(one, other));
    let mut best: Option<&KeptSolution> = None;
    for solution in found.iter().rev() {
        if best.is_none_or(|best| is_better(&solution.objective, &best.objective))
            && holding(in_force, &solution.values, None)?.is_none()
        {
            best = Some(solution);
        }
    }
    Ok(best)
}

/// The results of a search.
struct KeptNews<'a> {
    /// The objective of the best solution so far.
    best: Option<Vec<i64>>,
    new: Vec<KeptSolution>,
    /// The number of solutions that were passed on.
    solutions: usize,
    wrong: Option<Box<Diagnostic>>,
    found: &'a mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
}

impl KeptNews<'_> {
    fn report(&mut self, values: &SolutionValues, objective: &[i64]) -> ControlFlow<()> {
        self.best = Some(objective.to_vec());
        self.solutions += 1;
        (self.found)(values)
    }
}

/// Turns assignments into solutions.
struct Checker<'a> {
    instance: &'a GroundInstance,
    lowered: &'a Lowered,
    in_force: &'a [&'a KeptRequirement],
    sense: Option<Sense>,
}

impl Checker<'_> {
    /// Passes the solution of an assignment to `news` after checking it.
    fn report(&self, assignment: &Assignment, news: &mut KeptNews) -> ControlFlow<()> {
        let options = EngineOptions::default();
        let search = Search::new(self.instance, self.lowered, &options);
        let taken = search.checked(assignment).and_then(|values| self.take(&values, assignment, news));
        taken.unwrap_or_else(|wrong| {
            news.wrong = Some(wrong);
            ControlFlow::Break(())
        })
    }

    /// Passes the solutions that a solver finds to `news`.
    fn search(&self, search: &Search, solver: &mut dyn Solver, news: &mut KeptNews) -> Result<SearchEnd, Halt> {
        let mut wrong = None;
        let end = search.solutions(solver, &mut |values, assignment| {
            self.take(values, assignment, news).unwrap_or_else(|fault| {
                wrong = Some(fault);
                ControlFlow::Break(())
            })
        })?;
        wrong.map_or(Ok(end), |wrong| Err(wrong.into()))
    }

    /// Searches near an earlier solution for one that reaches the proved bound: most decisions keep their values, and
    /// those in broken requirements are free.
    fn search_near(
        &self,
        part: &Problem,
        near: &Assignment,
        broken: &FxHashSet<Variable>,
        proved: &[i64],
        options: &EngineOptions,
        news: &mut KeptNews,
    ) -> Result<Option<SearchEnd>, Halt> {
        let Some(mut solver) = solver::backend(SolverName::CpSat).filter(|_| SolverName::CpSat.is_installed()) else {
            return Ok(None);
        };
        let (instance, lowered) = (self.instance, self.lowered);
        let mut with_families = part.clone();
        with_families.set_families(lowering::decision_families(&instance.model, lowered, &part.unsimplified()));
        let mut neighbourhoods = Neighbourhoods::new(&with_families, options.seed).around(broken);
        let goals = part.objective().map_or(Vec::new(), |objective| objective.terms.clone());
        let goals: Vec<(Variable, i64)> = goals.into_iter().map(Variable::Int).zip(proved.iter().copied()).collect();
        let mut ended = 0;
        for round in 0..NEIGHBOURHOODS {
            let kept = neighbourhoods.next(near).into_iter();
            let kept = kept.filter(|(variable, _)| !broken.contains(&variable.positive()));
            let part = fixed(part, kept.chain(goals.iter().copied()))?;
            let mut options = options.clone();
            // With a time limit, the result would depend on the speed of the machine.
            if !options.repeatable {
                let (soon, deadline) = (Instant::now() + NEIGHBOURHOOD_TIME, options.limits.deadline);
                options.limits.deadline = Some(deadline.map_or(soon, |deadline| deadline.min(soon)));
            }
            let search = Search { part: Some(&part), ..Search::new(instance, lowered, &options) };
            let end = self.search(&search, &mut *solver, news)?;
            if news.best.as_deref() == Some(proved) {
                return Ok(Some(SearchEnd::Complete));
            }
            if end == SearchEnd::Enough {
                return Ok(Some(end));
            }
            ended += usize::from(end != SearchEnd::Complete);
            if ended == MOST_ENDED {
                break;
            }
            if round % 2 == 1 {
                neighbourhoods.widen();
            }
        }
        Ok(None)
    }

    /// Passes a solution of the instance to `news` after checking that the requirements hold. A solution that is not
    /// better than the best one is skipped.
    fn take(
        &self,
        values: &SolutionValues,
        assignment: &Assignment,
        news: &mut KeptNews,
    ) -> Result<ControlFlow<()>, Box<Diagnostic>> {
        if let Some(broken) = holding(self.in_force, values, Some((self.lowered, assignment)))? {
            return Err(broken);
        }
        let problem = &self.lowered.problem;
        let terms = problem.objective().map_or(Vec::new(), |objective| objective.terms.clone());
        let objective: Vec<i64> = terms.iter().map(|term| problem.int_value(*term, assignment)).collect();
        if let (Some(sense), Some(best)) = (self.sense, &news.best)
            && !sense.is_better(&objective, best)
        {
            return Ok(ControlFlow::Continue(()));
        }
        let reported = news.report(values, &objective);
        news.new.push(KeptSolution { values: values.clone(), assignment: assignment.clone(), objective });
        Ok(if self.sense.is_none() { ControlFlow::Break(()) } else { reported })
    }
}

/// The error for the first requirement that a solution violates; `None` if all hold.
fn holding(
    in_force: &[&KeptRequirement],
    values: &SolutionValues,
    assignment: Option<(&Lowered, &Assignment)>,
) -> Result<Option<Box<Diagnostic>>, Box<Diagnostic>> {
    for requirement in in_force {
        let KeptRequirement { instance, local_terms, .. } = requirement;
        let mut environment = instance.environment.clone();
        for (id, value) in values {
            environment.bind_global(*id, value.clone());
        }
        if let Some((lowered, assignment)) = assignment {
            for (first, values) in lowered.witnesses_in(local_terms, assignment) {
                environment.add_witness(first, values);
            }
        }
        let Some(constraint) = instance.model.constraints.last() else { continue };
        match holds(constraint, &mut environment) {
            Ok(true) => {}
            Err(Stop::Fault(fault)) => return Err(fault),
            _ => {
                let error = Diagnostic::error(Code::WRONG_SOLUTION, "a solution that violates a requirement");
                return Ok(Some(Box::new(error.at(constraint.span, "this is false"))));
            }
        }
    }
    Ok(None)
}

/// Returns true if all of some literals are among others; `others` are sorted.
fn are_among_literals(some: &[Bool], others: &[Bool]) -> bool {
    some.iter().all(|literal| others.binary_search(literal).is_ok())
}

/// The values of the decision variables.
fn decisions(problem: &Problem, assignment: &Assignment) -> Vec<(Variable, i64)> {
    problem.decisions().iter().map(|variable| (*variable, problem.value(*variable, assignment))).collect()
}

/// The assignment with these literals set to true.
fn activated(assignment: &Assignment, assumed: &[Bool]) -> Assignment {
    let mut assignment = assignment.clone();
    assumed.iter().for_each(|literal| assignment.set_bool(literal.node().0, true));
    assignment
}

/// The decisions in constraints that an assignment violates, starting at a position.
fn decisions_of_broken(problem: &Problem, first: usize, assignment: &Assignment) -> FxHashSet<Variable> {
    let constraints = problem.constraints()[first..].iter();
    let broken = constraints.filter(|constraint| !problem.bool_value(**constraint, assignment));
    let mut found = FxHashSet::default();
    problem.visit(broken.map(|constraint| Variable::Bool(*constraint)), |term| {
        if problem.is_variable(term) {
            found.insert(term);
        }
        true
    });
    found
}

/// The problem with these variables fixed to values.
fn fixed(problem: &Problem, values: impl Iterator<Item = (Variable, i64)>) -> Result<Problem, Halt> {
    let mut builder = Builder::from(problem.clone());
    for (variable, value) in values {
        let has_value = builder.has_value(variable, value);
        builder.require(has_value);
    }
    Ok(builder.finish().map_err(|fault| lowering::refused_lowering(fault.into()))?)
}

/// The problem in which the assumed activation literals are true and the others false.
fn required(problem: &Problem, activations: impl Iterator<Item = Bool>, assumed: &[Bool]) -> Result<Problem, Halt> {
    let mut builder = Builder::from(problem.clone());
    for activation in activations {
        let is_assumed = assumed.binary_search(&activation).is_ok();
        builder.require(if is_assumed { activation } else { !activation });
    }
    Ok(builder.finish().map_err(|fault| lowering::refused_lowering(fault.into()))?)
}
