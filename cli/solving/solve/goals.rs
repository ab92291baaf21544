//! Goals on the command line: the distance to an earlier plan, and the tolerance of one goal for the benefit of the
//! next.

use crate::{
    inputs::{invocation::Invocation, what_if::WhatIfOptions},
    runtime::{files::solution_file, interrupt, numbers::whole_number},
};
use clap::Args;
use conjure_like::{
    Code, Count, Diagnostic, Goal, Model, Solution, SolveOptions, SolveStatus, Summary, Text, counted, percentage,
};
use std::{
    borrow::Cow, collections::BTreeSet, fmt::Display, num::NonZeroUsize, ops::ControlFlow, path::PathBuf, str::FromStr,
};

#[derive(Args, Clone, Debug)]
pub(super) struct GoalOptions {
    #[command(flatten)]
    pub what_if: WhatIfOptions,
    /// Treat wishes (`$ wish 3: …` above a constraint) as constraints that must hold
    #[arg(long)]
    no_wishes: bool,
    /// Find N solutions (with an objective, best ones, or within --within of the best one) that differ from one another
    /// as much as possible
    #[arg(long, value_name = "N", conflicts_with_all = ["near", "cubes", "number_of_solutions", "all", "proof"])]
    #[arg(conflicts_with_all = ["emit", "read_assignment", "solver_command", "better_than"])]
    #[arg(allow_negative_numbers = true, value_parser = whole_number::<NonZeroUsize>(1..))]
    pub different: Option<NonZeroUsize>,
    /// Find a solution (with an objective, a best one) that differs as little as possible from the one in FILE, which
    /// need not fit the current data, and show the changes
    #[arg(long, value_name = "FILE", value_parser = solution_file, conflicts_with = "cubes")]
    near: Vec<PathBuf>,
    /// With several goals, the amount that each may lose for the next one: a number in the unit of the goal, or a
    /// percentage of its best value; both are rounded down to a whole step
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true, conflicts_with_all = ["cubes", "better_than"])]
    within: Option<Tolerance>,
}

/// The amount by which a goal may be worse than its best value.
#[derive(Clone, Debug, PartialEq)]
enum Tolerance {
    /// A decimal number in the unit of the goal.
    Absolute(String),
    /// A decimal percentage of the best value.
    Relative(String),
}

/// The largest percentage. Chosen.
const MOST_PERCENT: i64 = 1_000_000;

impl FromStr for Tolerance {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "write a number such as 10, or a percentage such as 5%";
        let (number, is_relative) = text.strip_suffix('%').map_or((text, false), |percent| (percent, true));
        match (percentage(number, 100), is_relative) {
            (Some((0..=MOST_PERCENT, _)), true) => Ok(Tolerance::Relative(number.to_owned())),
            (Some((0.., _)), false) => Ok(Tolerance::Absolute(number.to_owned())),
            _ => Err(wrong),
        }
    }
}

impl Tolerance {
    /// The tolerance in steps for the best value of a model's first goal, and true if it was rounded down.
    fn of(&self, best: i64, model: &Model) -> (i64, bool) {
        let amount = match self {
            Tolerance::Absolute(amount) => model.whole_objective_steps(amount),
            Tolerance::Relative(percent) => percentage(percent, best.saturating_abs()),
        };
        // An amount beyond the range of integers allows every value.
        amount.unwrap_or((i64::MAX, false))
    }
}

/// The value of an option in steps of the goal.
pub(super) fn steps_of_goal(model: &Model, option: &str, amount: impl Display) -> Result<i64, Diagnostic> {
    model.objective_steps(&amount.to_string()).ok_or_else(|| {
        let message = format!("{option} {amount} is not a value that the goal can have");
        let step = model.objective_shown(1);
        Diagnostic::error(Code::COMMAND_LINE, message).help(format!("write a multiple of {step}"))
    })
}

/// An earlier plan, and the changes to it.
pub(super) struct EarlierPlan {
    name: String,
    /// The changes in the last solution; `None` before there is one.
    changes: Option<Vec<String>>,
}

impl EarlierPlan {
    /// Records the changes in a solution.
    pub(super) fn compare(&mut self, solution: &Solution) {
        self.changes = Some(solution.changes());
    }

    /// True if there was a solution.
    pub(super) fn was_compared(&self) -> bool {
        self.changes.is_some()
    }

    /// Reports the changes.
    pub(super) fn report(&self, invocation: &Invocation) {
        const MOST: usize = 20;
        let changes = self.changes.as_deref().unwrap_or_default();
        let mut text = format!("{} from `{}`", counted(changes.len(), "change"), self.name);
        for (at, line) in changes.iter().take(MOST).enumerate() {
            text += if at == 0 { ":\n  " } else { "\n  " };
            text += line;
        }
        if changes.len() > MOST {
            text += &format!("\n  and {} more", changes.len() - MOST);
        }
        invocation.reporting.status(&text);
    }
}

/// The model and the data after the options are applied.
pub(super) struct AppliedGoals<'a> {
    pub model: Model,
    pub data: Cow<'a, [Text]>,
    /// The plan that solutions are compared with.
    pub plan: Option<EarlierPlan>,
    /// A plan that may be a solution, to start with.
    pub known: Option<Text>,
    /// The searches before the goals of the model are optimised together.
    pub stages: Option<GoalStages>,
}

impl<'a> AppliedGoals<'a> {
    /// The unchanged model and data.
    pub(super) fn none(model: &Model, data: &'a [Text]) -> Self {
        AppliedGoals { model: model.clone(), data: Cow::Borrowed(data), plan: None, known: None, stages: None }
    }
}

/// A goal with its name in messages.
#[derive(Clone)]
struct NamedGoal {
    goal: Goal,
    name: String,
}

impl NamedGoal {
    /// The goals of a model, after the prices of its wishes if there is a soft model with these levels.
    fn all(own: Vec<Goal>, soft: Option<&Model>, levels: &BTreeSet<u32>) -> Vec<NamedGoal> {
        let prices = soft.map_or(Vec::new(), Model::goals).into_iter().zip(levels);
        let prices = prices.map(|(goal, level)| {
            let name = match levels.len() {
                1 => "the price of the wishes".to_owned(),
                _ => format!("the price of the wishes of level {level}"),
            };
            NamedGoal { goal, name }
        });
        let own = own.into_iter().map(|goal| NamedGoal { name: goal.expression.clone(), goal });
        prices.chain(own).collect()
    }
}

/// Goals to optimise one after the other.
pub(super) struct GoalStages {
    /// The model, without the distance to the plan.
    model: Model,
    goals: Vec<NamedGoal>,
    /// The number of first goals that have a tolerance.
    giving: usize,
    within: Tolerance,
    /// The plan to which the distance is the last goal.
    plan: Option<Text>,
}

/// A model whose goals are bounded by their best values and the tolerances.
pub(super) struct StagedGoals {
    pub model: Model,
    /// The best solution of the stages.
    pub known: Option<Text>,
    /// The result of the last stage if it has reached a limit; then there is no further search. Its bound is about the
    /// last goal.
    pub ended: Option<Summary>,
}

impl GoalOptions {
    /// The soft model, in which wishes may be broken, if there are wishes.
    pub(super) fn soft(&self, invocation: &mut Invocation, model: &Model) -> Option<Option<Model>> {
        if self.no_wishes { Some(None) } else { invocation.accept(model.with_wishes_as_goal()) }
    }

    /// True if wishes come before the goals of a model.
    pub(super) fn has_wishes(&self, model: &Model) -> bool {
        !self.no_wishes && !model.wishes().is_empty()
    }

    /// Reports the wishes that a solution breaks.
    pub(super) fn report_wishes(&self, invocation: &mut Invocation, model: &Model, data: &[Text], solution: &Solution) {
        let wishes = if self.no_wishes { Vec::new() } else { model.wishes() };
        let Some(broken) = invocation.accept(model.broken_wishes(data, solution)) else { return };
        let all = if wishes.len() == 1 { "1 wish".to_owned() } else { format!("{} wishes", wishes.len()) };
        match (wishes.len(), broken.len()) {
            (0, _) => {}
            (_, 0) => invocation.reporting.status(&format!("No wish is broken ({all}).")),
            (_, count) => {
                let levels: BTreeSet<u32> = wishes.iter().map(|wish| wish.level).collect();
                let cost = |level: u32, margin: &str| {
                    let broken = || broken.iter().filter(move |wish| wish.level == level);
                    let price: u64 = broken().map(|wish| u64::from(wish.price)).sum();
                    let lines = broken().map(|wish| format!("\n{margin}  {}: {}", wish.price, wish.name));
                    let lines: String = lines.collect();
                    format!("at a price of {price}{}{lines}", if lines.is_empty() { "" } else { ":" })
                };
                let costs: String = match Vec::from_iter(&levels).as_slice() {
                    // If there is only one level, its number says nothing.
                    [only] => format!(", {}", cost(**only, "")),
                    several => {
                        let line = |level: &&u32| format!("\n  level {level}, {}", cost(**level, "  "));
                        format!(":{}", several.iter().map(line).collect::<String>())
                    }
                };
                invocation.reporting.status(&format!("{count} of {all} broken{costs}"));
            }
        }
    }

    /// The message if an instance has no solution, and the options for the command that explains it. The wishes are
    /// relaxed there, because they may be broken.
    pub(super) fn without_solutions(&self, model: &Model) -> (WhatIfOptions, &'static str) {
        let mut what_if = self.what_if.clone();
        let wishes = if self.no_wishes { Vec::new() } else { model.wishes() };
        what_if.relax.extend(wishes.iter().map(|wish| wish.line));
        // --relax may already contain the line of a wish.
        what_if.relax.sort_unstable();
        what_if.relax.dedup();
        let says = match (wishes.is_empty(), what_if.fix.is_empty()) {
            (true, true) => "No solutions found.",
            (true, false) => "No solutions found with the requirements of --fix.",
            (false, true) => "No solutions found, whatever wishes are broken.",
            (false, false) => "No solutions found with the requirements of --fix, whatever wishes are broken.",
        };
        (what_if, says)
    }

    /// True if the options leave the model unchanged.
    pub(super) fn are_none(&self, model: &Model) -> bool {
        let changes_nothing = !self.has_wishes(model) && self.what_if.is_nothing() && self.different.is_none();
        changes_nothing && self.near.is_empty() && self.within.is_none()
    }

    /// Applies the options to a model and its data.
    pub(super) fn applied(
        &self,
        invocation: &mut Invocation,
        model: &Model,
        data: &[Text],
        options: &SolveOptions,
    ) -> Option<AppliedGoals<'static>> {
        let near = invocation.read_plan("--near", &self.near)?;
        // The options may mention members of types that only the data define. They may mention members of unnamed types
        // only if symmetry breaking cannot exchange these.
        let (mut model, data) = invocation.accept(match options.unnamed_symmetry {
            None => model.with_members(data, near.as_slice()),
            Some(_) => model.with_members_of(data),
        })?;
        model = invocation.accept(self.what_if.applied(model))?;
        // In the soft model, the prices of the wishes precede the model's own goals, so these are taken now.
        let (own, levels) = (model.goals(), model.wishes().iter().map(|wish| wish.level).collect());
        let soft = self.soft(invocation, &model)?;
        let goals = NamedGoal::all(own, soft.as_ref(), &levels);
        model = soft.unwrap_or(model);
        let needs_order = !self.near.is_empty() || self.within.is_some() || self.different.is_some();
        if model.has_dominance() && needs_order {
            let message = "--near, --within and --different do not work with a dominance relation";
            return invocation.fail(Diagnostic::error(Code::COMMAND_LINE, message));
        }
        if model.has_trade_offs() && needs_order {
            let message = "--near, --within and --different need goals in order of importance";
            let error = Diagnostic::error(Code::COMMAND_LINE, message);
            return invocation.fail(error.help("write `minimising (a, b)` instead of `minimising pareto(a, b)`"));
        }
        // `GoalOptions::different` adds the bounds on goals itself.
        if self.different.is_some() {
            return Some(AppliedGoals { model, data: data.into(), plan: None, known: None, stages: None });
        }
        let mut stages = None;
        if let Some(within) = &self.within {
            // The last goal can be relaxed only for the distance to a plan, which comes after it.
            let giving = if near.is_none() { goals.len().saturating_sub(1) } else { goals.len() };
            if giving == 0 {
                return invocation.fail(
                    Diagnostic::error(Code::COMMAND_LINE, "--within needs a goal that may lose and a goal that gains")
                        .help("minimise a tuple, as in `minimising (late, cost)`, or add --near FILE"),
                );
            }
            stages =
                Some(GoalStages { model: model.clone(), goals, giving, within: within.clone(), plan: near.clone() });
        }
        let (mut plan, mut known) = (None, None);
        if let Some(text) = near {
            model = invocation.accept(model.nearest_to(&text))?;
            plan = Some(EarlierPlan { name: text.name.clone(), changes: None });
            // If the earlier plan is still a solution, its distance is 0, so it is a good start.
            if options.start.is_none() {
                known = Some(text);
            }
        }
        Some(AppliedGoals { model, data: data.into(), plan, known, stages })
    }
}

impl GoalStages {
    /// Optimises the goals one after the other within the tolerances of the earlier ones, and then the distance to a
    /// plan. Passes on each solution that is better than the ones before.
    pub(super) fn search(
        &self,
        invocation: &mut Invocation,
        data: &[Text],
        options: &SolveOptions,
        know: &mut dyn FnMut(&Text),
    ) -> Option<StagedGoals> {
        let GoalStages { model, goals, giving, within, plan } = self;
        let mut options = options.clone().solutions(Count::First(1));
        let mut known = None;
        let mut bounded = model.clone();
        let all: Vec<Goal> = goals.iter().map(|named| named.goal.clone()).collect();
        // All goals are optimised again within the bounds; otherwise, a tolerance that helps no later goal would be
        // used up.
        let together = |bounded: &Model| {
            let model = bounded.with_goals(&all)?;
            plan.as_ref().map_or(Ok(model.clone()), |plan| model.nearest_to(plan))
        };
        for (NamedGoal { goal, name }, gives) in goals.iter().zip((0..).map(|at| at < *giving)) {
            let stage = invocation.accept(bounded.with_goals(std::slice::from_ref(goal)))?;
            let (summary, found) = best_of_stage(invocation, &stage, data, &options)?;
            let Some((solution, best)) = found else {
                // If there is no solution at all, the next search reports the reason.
                let is_over = known.is_some() && !summary.status.is_definite();
                let model = invocation.accept(together(&bounded))?;
                return Some(StagedGoals { model, known, ended: is_over.then_some(summary) });
            };
            let text = Text::new("the best solution so far", solution.to_essence(usize::MAX));
            // The best solution of this stage is within the bounds of the next one, so it is a good start.
            options = options.start(Some(text.clone()));
            know(&text);
            known = Some(text);
            let (tolerance, is_rounded) = if gives { within.of(best, &stage) } else { (0, false) };
            if gives || !summary.status.is_definite() {
                let missed = stage.objective_shown(tolerance) + if is_rounded { ", rounded down" } else { "" };
                let says = stage_report(&summary.status, name, &stage.objective_shown(best), &missed);
                invocation.reporting.status(&says);
            }
            bounded = invocation.accept(bounded.requiring(&[goal.at_least_as_good_as(best, tolerance)]))?;
            // A limit has ended this stage, so no time is left for later goals.
            if !summary.status.is_definite() {
                let model = invocation.accept(together(&bounded))?;
                return Some(StagedGoals { model, known, ended: Some(summary) });
            }
        }
        let mut improved = invocation.accept(together(&bounded))?;
        let Some(plan) = plan else { return Some(StagedGoals { model: improved, known, ended: None }) };
        let nearest = invocation.accept(bounded.with_goals(&[]).and_then(|model| model.nearest_to(plan)))?;
        let (summary, found) = best_of_stage(invocation, &nearest, data, &options)?;
        if let Some((solution, changes)) = found {
            let text = Text::new("the best solution so far", solution.to_essence(usize::MAX));
            know(&text);
            known = Some(text);
            // The final search for all goals must not change more than this.
            improved = improved.with_most_changes(changes);
        }
        let ended = (!summary.status.is_definite()).then_some(summary);
        Some(StagedGoals { model: improved, known, ended })
    }
}

/// Searches for the best solution of one stage, and its value.
fn best_of_stage(
    invocation: &mut Invocation,
    stage: &Model,
    data: &[Text],
    options: &SolveOptions,
) -> Option<(Summary, Option<(Solution, i64)>)> {
    interrupt::doing("the best values of the goals were being searched for");
    let instance = invocation.accept(stage.instance(data))?;
    let mut found = None;
    let summary = interrupt::during(options.search.limits.deadline, || {
        instance.solve(options, &mut |solution| {
            found = Some(solution.clone());
            ControlFlow::Continue(())
        })
    });
    let mut summary = invocation.accept(summary)?;
    if let Some(statistics) = &mut summary.statistics {
        // The bound applies to one goal, but the objective of the answer has all goals.
        statistics.bound = None;
    }
    let best = found.as_ref().and_then(|solution| solution.objective()?.as_int());
    Some((summary, found.zip(best)))
}

/// The result of one stage in words.
fn stage_report(status: &SolveStatus, goal: &str, value: &str, missed: &str) -> String {
    match (status.is_optimal(), status.is_definite()) {
        (true, _) => format!("The best value of {goal} is {value}; it may be missed by {missed}."),
        (_, true) => format!("The best known value of {goal} is {value}; it may be missed by {missed}."),
        _ => format!(
            "The best known value of {goal} is {value}, which is not proved to be the best. The limit leaves no time \
             for the goals after it."
        ),
    }
}

impl GoalOptions {
    /// Passes on solutions that differ as much as possible: first a best one, then repeatedly the one with the greatest
    /// distance to its nearest predecessor.
    pub(super) fn different(
        &self,
        invocation: &mut Invocation,
        model: &Model,
        data: &[Text],
        options: &SolveOptions,
        most: NonZeroUsize,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Option<Summary> {
        let options = options.clone().solutions(Count::First(1));
        let last = |invocation: &mut Invocation, model: &Model| {
            let mut last = None;
            let summary = invocation.accept(model.instance(data))?.solve(&options, &mut |solution| {
                last = Some(solution.clone());
                ControlFlow::Continue(())
            });
            Some((invocation.accept(summary)?, last))
        };
        interrupt::doing("the best solution was being searched for");
        let (mut summary, first) = last(invocation, model)?;
        let Some(first) = first else { return Some(summary) };
        let mut bounded = model.clone();
        // Every further solution must be as good as the first one, within the tolerance of --within.
        for (goal, value) in model.goals().iter().zip(model.goal_values(&first)) {
            let alone = invocation.accept(model.with_goals(std::slice::from_ref(goal)))?;
            let (tolerance, _) = self.within.as_ref().map_or((0, false), |within| within.of(value.value, &alone));
            bounded = invocation.accept(bounded.requiring(&[goal.at_least_as_good_as(value.value, tolerance)]))?;
        }
        let mut plans: Vec<Text> = Vec::new();
        let (mut next, mut least) = (first, None);
        // The distance to the nearest predecessor never increases, so the last one is the smallest distance between any
        // two solutions.
        loop {
            let text = Text::new(format!("plan {}", plans.len() + 1), next.to_essence(usize::MAX));
            // This search has other goals, so the solution is read again with the original model.
            let solution = invocation.accept(model.solution(data, &text))?;
            plans.push(text);
            if found(&solution).is_break() || plans.len() >= most.get() || !summary.status.is_definite() {
                break;
            }
            interrupt::doing("a different solution was being searched for");
            let farthest = invocation.accept(bounded.farthest_from(&plans))?;
            let (ended, other) = last(invocation, &farthest)?;
            summary.status = ended.status;
            if let Some(statistics) = &mut summary.statistics {
                // The bound applies to the goal of the model, not to the distance.
                statistics.bound = None;
            }
            let distance = other.as_ref().and_then(|other| other.objective()?.as_int());
            match other.zip(distance) {
                Some((other, distance)) => (next, least) = (other, Some(distance)),
                None => break,
            }
        }
        summary.solutions = plans.len();
        if let Some(least) = least {
            let each = format!("Each of the {} solutions differs from the others in at least", plans.len());
            invocation.reporting.status(&format!("{each} {}.", counted(least as usize, "place")));
        }
        if summary.status.is_definite() {
            // If fewer solutions than requested were found, the last search has proved that there are no more.
            let all = plans.len() < most.get();
            summary.status = if all { SolveStatus::AllSolutions } else { SolveStatus::Satisfied };
        }
        Some(summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_a_number_or_a_percentage() {
        let read = |text: &str| text.parse::<Tolerance>().expect("a tolerance");
        assert!(["-1", "x", "-5%", "", "%", "1e", "1000001%"].iter().all(|text| text.parse::<Tolerance>().is_err()));
        let model = |text: &str| Model::read(&Text::new("m.essence", text)).expect("a model");
        let plain = model("find x : int(1..9) minimising x");
        assert_eq!(read("5%").of(-139, &plain), (6, true));
        assert_eq!(read("9.2%").of(750, &plain), (69, false));
        assert_eq!(read("0.1%").of(4_611_686_018_427_387_000, &plain), (4_611_686_018_427_387, false));
        assert_eq!(read("3").of(100, &plain), (3, false));
        assert_eq!(read("0.5").of(100, &plain), (0, true));
        let cents = model("find x : int(1..9) $ unit x: 0.01\nminimising x");
        assert_eq!(read("0.03").of(100, &cents), (3, false));
        assert_eq!(read("0.035").of(100, &cents), (3, true));
    }
}
