//! Schedules: pairs of tasks of which one ends before the other begins, in either order, are the tasks of a machine;
//! sums of what is used at each time are the use of a resource. CP-SAT has propagation and cuts for both, which replace
//! the constraints that they stand for.

use super::{
    messages::{ConstraintKind, CumulativeProto, IntervalProto, NoOverlapProto},
    translation::{Translation, Untranslatable, added, of_constant},
};
use crate::problem::{Bool, BoolNode, Int, IntNode, Problem, common_divisor};
use rustc_hash::{FxHashMap, FxHashSet};

#[cfg(test)]
mod tests;

/// The most steps that it takes to compare tasks with each other, or with each time.
const MOST_STEPS: usize = 20_000_000;

/// The fewest tasks of a machine or a resource that pay.
const FEWEST_TASKS: usize = 3;

/// What the constraints of a problem say about tasks that take time.
#[derive(Default)]
pub(super) struct Schedules {
    /// The positions of the constraints that the resources stand for.
    pub replaced: FxHashSet<usize>,
    /// The tasks of each machine, of which no two overlap.
    machines: Vec<Vec<ScheduledTask>>,
    resources: Vec<SharedResource>,
}

/// A task that begins at the value of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ScheduledTask {
    start: Int,
    duration: i64,
}

/// At no time do the tasks that are under way need more than there is.
struct SharedResource {
    capacity: i64,
    /// Tasks with what they need.
    tasks: Vec<(ScheduledTask, i64)>,
}

/// The use of a resource at one time.
#[derive(PartialEq, Eq, Hash)]
struct ResourceUse {
    capacity: i64,
    /// Ascending by tasks.
    windows: Vec<TaskWindow>,
}

/// A task with what it needs and the starts with which it is under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct TaskWindow {
    task: Int,
    demand: i64,
    first: i64,
    last: i64,
}

impl Schedules {
    pub(super) fn of(problem: &Problem) -> Self {
        let mut schedules = Schedules::default();
        schedules.find_machines(problem);
        schedules.find_resources(problem);
        schedules
    }

    /// Covers pairs of tasks that exclude each other by sets of tasks that all do.
    fn find_machines(&mut self, problem: &Problem) {
        // For each task and each other one, how long before the other one it begins if it begins first.
        let mut leads: FxHashMap<Int, FxHashMap<Int, i64>> = FxHashMap::default();
        let mut pairs = Vec::new();
        for constraint in problem.constraints() {
            let Some([(one, other, lead), (_, _, lead_of_other)]) = either_order(problem, *constraint) else {
                continue;
            };
            if leads.get(&one).is_some_and(|leads| leads.contains_key(&other)) {
                continue;
            }
            leads.entry(one).or_default().insert(other, lead);
            leads.entry(other).or_default().insert(one, lead_of_other);
            pairs.push((one, other));
        }
        let mut covered: FxHashSet<(Int, Int)> = FxHashSet::default();
        let mut steps = 0;
        for (one, other) in &pairs {
            if covered.contains(&(*one, *other)) {
                continue;
            }
            let mut clique = vec![*one, *other];
            let mut candidates: Vec<Int> = leads[one].keys().copied().filter(|task| task != other).collect();
            candidates.sort_unstable();
            for candidate in candidates {
                steps += clique.len();
                if clique.iter().all(|task| leads[&candidate].contains_key(task)) {
                    clique.push(candidate);
                }
            }
            for task in &clique {
                steps += clique.len();
                covered.extend(clique.iter().map(|member| (*task, *member)));
            }
            if steps > MOST_STEPS {
                return;
            }
            if clique.len() < FEWEST_TASKS {
                continue;
            }
            let duration = |task: &Int| clique.iter().filter_map(|member| leads[task].get(member)).min().copied();
            let tasks: Vec<ScheduledTask> = clique
                .iter()
                .filter_map(|task| Some(ScheduledTask { start: *task, duration: duration(task)? }))
                .collect();
            self.machines.push(tasks);
        }
    }

    /// Puts sums together that are the use of one resource at different times.
    fn find_resources(&mut self, problem: &Problem) {
        let mut uses: FxHashMap<ResourceUse, usize> = FxHashMap::default();
        // What each resource has, and what is known of its use.
        let mut groups: Vec<(i64, FxHashSet<TaskWindow>)> = Vec::new();
        // The group by capacity and one of its tasks.
        let mut group_of: FxHashMap<(i64, Int, i64), usize> = FxHashMap::default();
        for (position, constraint) in problem.constraints().iter().enumerate() {
            if let Some(used) = all_but_one(problem, *constraint) {
                uses.insert(used, position);
            }
            let Some(used) = resource_use(problem, *constraint) else { continue };
            let key = |window: &TaskWindow| (used.capacity, window.task, window.demand);
            let known = used.windows.iter().find_map(|window| group_of.get(&key(window)));
            let group = known.copied().unwrap_or(groups.len());
            if group == groups.len() {
                groups.push((used.capacity, FxHashSet::default()));
            }
            group_of.extend(used.windows.iter().map(|window| (key(window), group)));
            groups[group].1.extend(&used.windows);
            uses.insert(used.in_normal_form(), position);
        }
        for (capacity, windows) in &groups {
            if let Some(resource) = SharedResource::of(problem, *capacity, windows)
                && let Some(positions) = resource.limited_by(problem, &uses)
            {
                self.replaced.extend(positions);
                self.resources.push(resource);
            }
        }
    }
}

impl ResourceUse {
    /// The form in which a problem keeps such a sum: what only all addends exceed is a clause, and the factors have no
    /// common divisor.
    fn in_normal_form(mut self) -> Self {
        let divisor = common_divisor(self.windows.iter().map(|window| window.demand));
        self.windows.iter_mut().for_each(|window| window.demand /= divisor);
        self.capacity = self.capacity.div_euclid(divisor);
        let most: i128 = self.windows.iter().map(|window| i128::from(window.demand)).sum();
        if i128::from(self.capacity) == most - 1 {
            self.windows.iter_mut().for_each(|window| window.demand = 1);
            self.capacity = self.windows.len() as i64 - 1;
        }
        self.windows.sort_unstable();
        self
    }
}

impl SharedResource {
    /// The resource that is used like this; `None` if that does not tell how long each task is.
    fn of(problem: &Problem, capacity: i64, windows: &FxHashSet<TaskWindow>) -> Option<SharedResource> {
        let mut demands: FxHashMap<Int, i64> = FxHashMap::default();
        let mut durations: FxHashMap<Int, i64> = FxHashMap::default();
        for TaskWindow { task, demand, first, last } in windows {
            let (low, high) = problem.bounds(*task);
            let is_range = problem.values(*task).ranges().len() == 1;
            if !is_range || demands.insert(*task, *demand).is_some_and(|known| known != *demand) {
                return None;
            }
            // A task that could begin earlier and later is under way at a time with as many starts as it is long.
            if low < *first && *last < high {
                durations.insert(*task, last - first + 1);
            }
        }
        let with_duration = |(start, demand): (&Int, &i64)| {
            Some((ScheduledTask { start: *start, duration: *durations.get(start)? }, *demand))
        };
        let mut tasks = demands.iter().map(with_duration).collect::<Option<Vec<_>>>()?;
        tasks.sort_unstable_by_key(|(task, _)| task.start);
        (tasks.len() >= FEWEST_TASKS).then_some(SharedResource { capacity, tasks })
    }

    /// The positions of the constraints that limit the use at all times; `None` if there are times when nothing does.
    fn limited_by(&self, problem: &Problem, uses: &FxHashMap<ResourceUse, usize>) -> Option<Vec<usize>> {
        let begin = self.tasks.iter().map(|(task, _)| problem.bounds(task.start).0).min()?;
        let ends = self.tasks.iter().map(|(task, _)| problem.bounds(task.start).1.checked_add(task.duration - 1));
        let end = ends.max()??;
        let steps = usize::try_from(end.checked_sub(begin)?).ok()?.checked_mul(self.tasks.len())?;
        if steps > MOST_STEPS {
            return None;
        }
        let mut positions = Vec::new();
        for time in begin..=end {
            let mut used = ResourceUse { capacity: self.capacity, windows: Vec::new() };
            for (task, demand) in &self.tasks {
                let (low, high) = problem.bounds(task.start);
                let (first, last) = (low.max(time - task.duration + 1), high.min(time));
                if (first, last) == (low, high) {
                    used.capacity = used.capacity.checked_sub(*demand)?;
                } else if first <= last {
                    used.windows.push(TaskWindow { task: task.start, demand: *demand, first, last });
                }
            }
            let most: i128 = used.windows.iter().map(|window| i128::from(window.demand)).sum();
            if most > used.capacity.into() {
                positions.push(*uses.get(&used.in_normal_form())?);
            }
        }
        Some(positions)
    }
}

/// For a constraint that one task ends before another one begins, in either order: both orders.
fn either_order(problem: &Problem, constraint: Bool) -> Option<[(Int, Int, i64); 2]> {
    let (id, true) = constraint.node() else { return None };
    let BoolNode::And(parts) = problem.bool_node(id) else { return None };
    let [one, other] = **parts else { return None };
    let [one, other] = [before(problem, !one)?, before(problem, !other)?];
    let is_pair = (one.0, one.1) == (other.1, other.0) && one.2 > 0 && other.2 > 0;
    is_pair.then_some([one, other])
}

/// The terms and the number of `first + number <= second`.
fn before(problem: &Problem, condition: Bool) -> Option<(Int, Int, i64)> {
    let (id, negated) = condition.node();
    let BoolNode::LinearAtMost(terms, bound) = problem.bool_node(id) else { return None };
    let (plus, minus) = match **terms {
        [(1, plus), (-1, minus)] | [(-1, minus), (1, plus)] => (plus, minus),
        _ => return None,
    };
    Some(if negated { (minus, plus, bound.checked_add(1)?) } else { (plus, minus, bound.checked_neg()?) })
}

/// A sum of what tasks need at one time.
fn resource_use(problem: &Problem, constraint: Bool) -> Option<ResourceUse> {
    let (id, negated) = constraint.node();
    let BoolNode::LinearAtMost(terms, bound) = problem.bool_node(id) else { return None };
    let sign = if negated { -1 } else { 1 };
    let mut capacity = if negated { bound.checked_add(1)?.checked_neg()? } else { *bound };
    let mut windows = Vec::with_capacity(terms.len());
    for (factor, term) in terms {
        let IntNode::FromBool(condition) = problem.int_node(*term) else { return None };
        // What a task does not need because it is not under way counts as what it needs.
        let demand = factor.checked_mul(sign)?;
        let under_way = if demand < 0 { !*condition } else { *condition };
        capacity = capacity.checked_sub(demand.min(0))?;
        let (task, first, last) = window(problem, under_way)?;
        windows.push(TaskWindow { task, demand: demand.checked_abs()?, first, last });
    }
    windows.sort_unstable();
    let is_once = windows.windows(2).all(|two| two[0].task != two[1].task);
    is_once.then_some(ResourceUse { capacity, windows })
}

/// A clause that tasks are not under way all together, each of which needs 1.
fn all_but_one(problem: &Problem, constraint: Bool) -> Option<ResourceUse> {
    let (id, true) = constraint.node() else { return None };
    let BoolNode::And(parts) = problem.bool_node(id) else { return None };
    let mut windows: FxHashMap<Int, TaskWindow> = FxHashMap::default();
    for part in parts {
        let (task, first, last) = window(problem, *part)?;
        let known = windows.entry(task).or_insert(TaskWindow { task, demand: 1, first, last });
        (known.first, known.last) = (known.first.max(first), known.last.min(last));
    }
    let windows: Vec<TaskWindow> = windows.into_values().collect();
    Some(ResourceUse { capacity: windows.len() as i64 - 1, windows }.in_normal_form())
}

/// The term and the least and the greatest value of a condition that a term lies in a range.
fn window(problem: &Problem, condition: Bool) -> Option<(Int, i64, i64)> {
    let (id, negated) = condition.node();
    match problem.bool_node(id) {
        BoolNode::AtMost(term, value) => {
            let (low, high) = problem.bounds(*term);
            Some(if negated { (*term, value + 1, high) } else { (*term, low, *value) })
        }
        BoolNode::Equals(term, value) => match (negated, problem.bounds(*term)) {
            (false, _) => Some((*term, *value, *value)),
            (true, (low, high)) if *value == low => Some((*term, low + 1, high)),
            (true, (low, high)) if *value == high => Some((*term, low, high - 1)),
            _ => None,
        },
        BoolNode::And(parts) if !negated => {
            let [one, other] = **parts else { return None };
            let ((term, first, last), (same, low, high)) = (window(problem, one)?, window(problem, other)?);
            (term == same).then_some((term, first.max(low), last.min(high)))
        }
        _ => None,
    }
}

impl Translation<'_> {
    /// Says that machines and resources do not have to do more than they can.
    pub(super) fn schedules(&mut self, schedules: &Schedules) -> Result<(), Untranslatable> {
        let mut intervals = FxHashMap::default();
        for machine in &schedules.machines {
            let intervals = self.intervals(machine.iter().copied(), &mut intervals)?;
            self.require(ConstraintKind::NoOverlap(NoOverlapProto { intervals }), &[])?;
        }
        for resource in &schedules.resources {
            let intervals = self.intervals(resource.tasks.iter().map(|(task, _)| *task), &mut intervals)?;
            let capacity = Some(of_constant(resource.capacity));
            let demands = resource.tasks.iter().map(|(_, demand)| of_constant(*demand)).collect();
            self.require(ConstraintKind::Cumulative(CumulativeProto { capacity, intervals, demands }), &[])?;
        }
        Ok(())
    }

    /// The constraints that are the intervals of tasks.
    fn intervals(
        &mut self,
        tasks: impl Iterator<Item = ScheduledTask>,
        known: &mut FxHashMap<ScheduledTask, i32>,
    ) -> Result<Vec<i32>, Untranslatable> {
        tasks
            .map(|task| match known.get(&task) {
                Some(interval) => Ok(*interval),
                None => {
                    let (start, size) = (self.affine(task.start)?, of_constant(task.duration));
                    let end = added(&start, &size)?;
                    let interval = i32::try_from(self.model.constraints.len()).map_err(|_| Untranslatable::Memory)?;
                    let [start, size, end] = [start, size, end].map(Some);
                    self.require(ConstraintKind::Interval(IntervalProto { start, end, size }), &[])?;
                    known.insert(task, interval);
                    Ok(interval)
                }
            })
            .collect()
    }
}
