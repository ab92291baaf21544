//! Schedules: pairs of tasks of which one ends before the other starts, in either order, are tasks of a machine; if
//! this holds only for tasks on the same machine, the tasks are optional. Sums of demands at each time are the use of a
//! resource. CP-SAT has propagation and cuts for both. Resources replace their constraints; machines are added to the
//! disjunctions, without which CP-SAT branches worse.

use super::{
    messages::{ConstraintKind, CumulativeProto, IntervalProto, NoOverlapProto},
    path::value_under,
    translation::{Translation, Untranslatable, added, of_constant, scaled},
};
use crate::solver::tuning::cpsat::{FEWEST_TASKS, SCHEDULE_STEPS};
use crate::{
    IntSet,
    problem::{Bool, BoolNode, Int, IntNode, Problem, Variable, common_divisor},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

#[cfg(test)]
mod tests;

/// The tasks, machines and resources that the constraints of a problem describe.
#[derive(Default)]
pub(super) struct Schedules {
    /// The positions of the constraints that the resources replace.
    pub replaced: FxHashSet<usize>,
    machines: Vec<Machine>,
    resources: Vec<SharedResource>,
}

/// A task that starts at the value of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ScheduledTask {
    start: Int,
    duration: i64,
    /// A multiple of a term that is added to the duration.
    more: Option<(i64, Int)>,
}

/// The condition that a task ends before another one starts: its start plus its duration minus the next start is at
/// most 0.
struct TaskOrder {
    terms: Vec<(i64, Int)>,
    /// The constant part of the duration.
    duration: i64,
}

/// A machine: no two of its tasks overlap.
struct Machine {
    tasks: Vec<(OnMachine, ScheduledTask)>,
    /// The value for this machine if tasks choose their machines.
    value: i64,
}

/// The condition that a task is on a machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum OnMachine {
    Always,
    If(Bool),
    /// True if the value of the term is the machine.
    Chosen(Int),
}

/// A resource: the tasks under way never need more than its capacity.
struct SharedResource {
    capacity: i64,
    /// The tasks with their demands.
    tasks: Vec<(ScheduledTask, i64)>,
}

/// The use of a resource at one time.
#[derive(PartialEq, Eq, Hash)]
struct ResourceUse {
    capacity: i64,
    /// In ascending order of tasks.
    windows: Vec<TaskWindow>,
}

/// A task with its demand, and the range of starts with which it is under way.
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

    /// Finds cliques of tasks that exclude each other, so that they cover all such pairs.
    fn find_machines(&mut self, problem: &Problem) {
        let (pairs, leads) = exclusions(problem);
        let mut covered: FxHashSet<(Task, Task)> = FxHashSet::default();
        let mut steps = 0;
        for (one, other) in &pairs {
            if covered.contains(&(*one, *other)) {
                continue;
            }
            let mut clique = vec![*one, *other];
            let mut candidates: Vec<Task> = leads[one].keys().copied().filter(|task| task != other).collect();
            // Greedy cliques depend on the order, so a fixed order makes the model the same in each run.
            candidates.sort_unstable();
            for candidate in candidates {
                steps += clique.len();
                if clique.iter().all(|task| leads[&candidate].contains_key(task)) {
                    clique.push(candidate);
                }
            }
            let before = covered.len();
            for task in &clique {
                steps += clique.len();
                covered.extend(clique.iter().filter(|member| *member != task).map(|member| (*task, *member)));
            }
            if steps > SCHEDULE_STEPS {
                return;
            }
            if clique.len() >= FEWEST_TASKS {
                self.machines.extend(machines(problem, &clique, &leads, covered.len() - before));
            }
        }
    }

    /// Groups sums that are the use of the same resource at different times.
    fn find_resources(&mut self, problem: &Problem) {
        let mut uses: FxHashMap<ResourceUse, usize> = FxHashMap::default();
        // Each group has the capacity and the known uses of a resource.
        let mut groups: Vec<(i64, FxHashSet<TaskWindow>)> = Vec::new();
        // The demands of the tasks in each group, and the groups by capacity, task and demand.
        let mut demands: Vec<FxHashMap<Int, i64>> = Vec::new();
        let mut groups_of: FxHashMap<(i64, Int, i64), Vec<usize>> = FxHashMap::default();
        for (position, constraint) in problem.constraints().iter().enumerate() {
            if let Some(used) = all_but_one(problem, *constraint) {
                uses.insert(used, position);
            }
            let Some(used) = resource_use(problem, *constraint) else { continue };
            let key = |window: &TaskWindow| (used.capacity, window.task, window.demand);
            // Several resources may have the same capacity; the demands of their tasks distinguish them.
            let mut shared: FxHashMap<usize, usize> = FxHashMap::default();
            for group in used.windows.iter().filter_map(|window| groups_of.get(&key(window))).flatten() {
                *shared.entry(*group).or_default() += 1;
            }
            let needs = |group: usize, window: &TaskWindow| demands[group].get(&window.task).copied();
            shared.retain(|group, _| {
                let agrees = |window: &TaskWindow| needs(*group, window).is_none_or(|needed| needed == window.demand);
                used.windows.iter().all(agrees)
            });
            let most = shared.into_iter().max_by_key(|(group, count)| (*count, Reverse(*group)));
            let group = most.map_or(groups.len(), |(group, _)| group);
            if group == groups.len() {
                groups.push((used.capacity, FxHashSet::default()));
                demands.push(FxHashMap::default());
            }
            for window in &used.windows {
                if demands[group].insert(window.task, window.demand).is_none() {
                    groups_of.entry(key(window)).or_default().push(group);
                }
            }
            groups[group].1.extend(&used.windows);
            uses.insert(used.in_normal_form(), position);
        }
        for ((capacity, windows), demands) in groups.iter().zip(&demands) {
            if let Some(resource) = SharedResource::of(problem, *capacity, windows, demands)
                && let Some(positions) = resource.limited_by(problem, &uses)
            {
                self.replaced.extend(positions);
                self.resources.push(resource);
            }
        }
    }
}

impl OnMachine {
    /// Returns the machines that the task chooses from.
    fn values(self, problem: &Problem) -> IntSet {
        if let OnMachine::Chosen(term) = self { problem.values(term).clone() } else { IntSet::empty() }
    }

    /// Returns the task on this machine. Its duration may be a function of the machine alone.
    fn task_on(self, problem: &Problem, task: ScheduledTask, value: i64) -> ScheduledTask {
        let (OnMachine::Chosen(chosen), Some((factor, more))) = (self, task.more) else { return task };
        let mut follows = problem.is_variable(Variable::Int(chosen));
        problem.visit([Variable::Int(more)], |part| {
            follows &= part == Variable::Int(chosen) || !problem.is_variable(part);
            follows
        });
        let longer = || factor.checked_mul(value_under(problem, more, &[(chosen, value)]))?.checked_add(task.duration);
        match follows.then(longer).flatten() {
            Some(duration) => ScheduledTask { duration, more: None, ..task },
            None => task,
        }
    }
}

impl ResourceUse {
    /// Returns the sum in the normal form of problems: without a common divisor, and as a clause (demands of 1) if only
    /// all tasks together exceed the capacity.
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
    /// Makes the resource with this use; `None` if the use does not determine the duration of each task.
    fn of(
        problem: &Problem,
        capacity: i64,
        windows: &FxHashSet<TaskWindow>,
        demands: &FxHashMap<Int, i64>,
    ) -> Option<SharedResource> {
        let mut durations: FxHashMap<Int, i64> = FxHashMap::default();
        for TaskWindow { task, first, last, .. } in windows {
            let (low, high) = problem.bounds(*task);
            // If the domain of a start has gaps, the windows do not show the duration.
            if problem.values(*task).ranges().len() != 1 {
                return None;
            }
            // If a task can start both earlier and later, the number of its starts under way is its duration.
            if low < *first && *last < high {
                durations.insert(*task, last - first + 1);
            }
        }
        let with_duration = |(start, demand): (&Int, &i64)| {
            Some((ScheduledTask { start: *start, duration: *durations.get(start)?, more: None }, *demand))
        };
        let mut tasks = demands.iter().map(with_duration).collect::<Option<Vec<_>>>()?;
        tasks.sort_unstable_by_key(|(task, _)| task.start);
        (tasks.len() >= FEWEST_TASKS).then_some(SharedResource { capacity, tasks })
    }

    /// Returns the positions of the constraints that limit the use at all times; `None` if the use is not limited at
    /// some time.
    fn limited_by(&self, problem: &Problem, uses: &FxHashMap<ResourceUse, usize>) -> Option<Vec<usize>> {
        let begin = self.tasks.iter().map(|(task, _)| problem.bounds(task.start).0).min()?;
        let ends = self.tasks.iter().map(|(task, _)| problem.bounds(task.start).1.checked_add(task.duration - 1));
        let end = ends.max()??;
        let steps = usize::try_from(end.checked_sub(begin)?).ok()?.checked_mul(self.tasks.len())?;
        if steps > SCHEDULE_STEPS {
            return None;
        }
        let mut positions = Vec::new();
        for time in begin..=end {
            let mut used = ResourceUse { capacity: self.capacity, windows: Vec::new() };
            for (task, demand) in &self.tasks {
                let (low, high) = problem.bounds(task.start);
                let (first, last) = (low.max(time - task.duration + 1), high.min(time));
                // A task that is under way for every possible start is not an addend; it reduces the capacity instead.
                if (first, last) == (low, high) {
                    used.capacity = used.capacity.checked_sub(*demand)?;
                } else if first <= last {
                    used.windows.push(TaskWindow { task: task.start, demand: *demand, first, last });
                }
            }
            let most: i128 = used.windows.iter().map(|window| i128::from(window.demand)).sum();
            // The tasks may need too much at this time, so there must be a constraint for it.
            if most > used.capacity.into() {
                positions.push(*uses.get(&used.in_normal_form())?);
            }
        }
        Some(positions)
    }
}

/// The identity of a task: its condition to be on a machine, its start, and the variable part of its duration.
type Task = (OnMachine, Int, Option<(i64, Int)>);

/// The minimum distance from the start of a task to the start of another one that follows it.
type Leads = FxHashMap<Task, FxHashMap<Task, i64>>;

/// Returns the pairs of tasks that exclude each other, and the distances that follow from them and from fixed orders.
fn exclusions(problem: &Problem) -> (Vec<(Task, Task)>, Leads) {
    let mut leads = Leads::default();
    let mut pairs = Vec::new();
    for constraint in problem.constraints() {
        let Some((both, [one, other])) = either_order(problem, *constraint) else { continue };
        // A constraint does not state which condition belongs to which task, but other pairs do, so both readings are
        // kept for now.
        for [here, there] in [both, [both[1], both[0]]] {
            let (left, right) = ((here, one.start, one.more), (there, other.start, other.more));
            if leads.get(&left).is_some_and(|leads| leads.contains_key(&right)) {
                continue;
            }
            leads.entry(left).or_default().insert(right, one.duration);
            leads.entry(right).or_default().insert(left, other.duration);
            pairs.push((left, right));
        }
    }
    drop_misread(&mut leads);
    pairs.retain(|(left, right)| leads.get(left).is_some_and(|leads| leads.contains_key(right)));
    add_orders(problem, &mut leads);
    (pairs, leads)
}

/// Returns the machines of tasks that all exclude each other; `news` is the number of their pairs on no machine so far.
fn machines(problem: &Problem, clique: &[Task], leads: &Leads, news: usize) -> Vec<Machine> {
    let with_duration = |task: &Task| {
        let (on, start, more) = *task;
        let here = clique.iter().filter_map(|member| leads[task].get(member)).min();
        // If a task starts after all others, its duration does not matter.
        let duration = here.filter(|lead| **lead < i64::MAX).or(leads[task].values().min())?;
        Some((on, ScheduledTask { start, duration: *duration, more }))
    };
    let tasks: Vec<(OnMachine, ScheduledTask)> = clique.iter().filter_map(with_duration).collect();
    let chosen = tasks.iter().fold(IntSet::empty(), |all, (on, _)| all.union(&on.values(problem)));
    if chosen.is_empty() {
        return vec![Machine { tasks, value: 0 }];
    }
    // Machines pay only if there are no more intervals than new pairs; otherwise, the disjunctions are just as good.
    if chosen.size().is_none_or(|size| size * tasks.len() as u128 > news as u128) {
        return Vec::new();
    }
    let on_value = |value: i64| {
        let here = tasks.iter().filter(|(on, _)| on.values(problem).contains(value));
        let tasks: Vec<_> = here.map(|(on, task)| (*on, on.task_on(problem, *task, value))).collect();
        (tasks.len() >= FEWEST_TASKS).then_some(Machine { tasks, value })
    };
    chosen.iter().filter_map(on_value).collect()
}

/// Removes readings that take the condition of one task for the other one: such a reading occurs in a single pair,
/// while the right one occurs in several.
fn drop_misread(leads: &mut Leads) {
    let mut most: FxHashMap<Int, usize> = FxHashMap::default();
    for ((_, start, _), others) in leads.iter() {
        let most = most.entry(*start).or_default();
        *most = others.len().max(*most);
    }
    let is_misread = |(task, others): &(&Task, &FxHashMap<Task, i64>)| others.len() == 1 && most[&task.1] > 1;
    let misread: FxHashSet<Task> = leads.iter().filter(is_misread).map(|(task, _)| *task).collect();
    leads.values_mut().for_each(|others| others.retain(|task, _| !misread.contains(task)));
    leads.retain(|task, others| !misread.contains(task) && !others.is_empty());
}

/// Adds pairs of tasks with a fixed order, which exclude each other, too.
fn add_orders(problem: &Problem, leads: &mut Leads) {
    let mut by_start: FxHashMap<Int, Vec<Task>> = FxHashMap::default();
    leads.keys().for_each(|task| by_start.entry(task.1).or_default().push(*task));
    let of = |term: Int| by_start.get(&term).into_iter().flatten().copied();
    for order in problem.constraints().iter().filter_map(|constraint| before(problem, *constraint)) {
        let with = |sign: i64| order.terms.iter().filter(move |(factor, _)| *factor == sign).map(|(_, term)| *term);
        for (start, next) in with(1).flat_map(|start| with(-1).map(move |next| (start, next))) {
            let Some(task) = order.task(problem, start, next) else { continue };
            for first in of(start).filter(|first| first.2 == task.more) {
                for second in of(next) {
                    leads.entry(first).or_default().entry(second).or_insert(task.duration);
                    leads.entry(second).or_default().entry(first).or_insert(i64::MAX);
                }
            }
        }
    }
}

/// Recognises the constraint that one of two tasks ends before the other starts; returns the conditions of both tasks
/// to be on the machine, and the tasks.
fn either_order(problem: &Problem, constraint: Bool) -> Option<([OnMachine; 2], [ScheduledTask; 2])> {
    // The constraint is a negated conjunction of two negated orders and at most two conditions.
    let (mut orders, mut conditions, mut open) = (Vec::new(), Vec::new(), vec![!constraint]);
    while let Some(part) = open.pop() {
        match problem.bool_node(part.node().0) {
            BoolNode::And(parts) if !part.node().1 && parts.len() <= 4 => open.extend(parts),
            _ => match before(problem, !part) {
                Some(order) => orders.push(order),
                None => conditions.push(part),
            },
        }
        if open.len() + orders.len() + conditions.len() > 4 {
            return None;
        }
    }
    let [one, other] = &orders[..] else { return None };
    let is_start = |(factor, term): &(i64, Int)| *factor == 1 && other.terms.contains(&(-1, *term));
    let is_next = |(factor, term): &(i64, Int)| *factor == -1 && other.terms.contains(&(1, *term));
    let start = one.terms.iter().find(|addend| is_start(addend))?.1;
    let next = one.terms.iter().find(|addend| is_next(addend))?.1;
    let tasks = [one.task(problem, start, next)?, other.task(problem, next, start)?];
    let both = match conditions[..] {
        [] => [OnMachine::Always; 2],
        [same] => {
            let (id, false) = same.node() else { return None };
            let BoolNode::Same(left, right) = problem.bool_node(id) else { return None };
            [OnMachine::Chosen(*left), OnMachine::Chosen(*right)]
        }
        [left, right] => [OnMachine::If(left), OnMachine::If(right)],
        _ => return None,
    };
    Some((both, tasks))
}

fn before(problem: &Problem, condition: Bool) -> Option<TaskOrder> {
    let (id, negated) = condition.node();
    let BoolNode::LinearAtMost(terms, bound) = problem.bool_node(id) else { return None };
    if !(2..=3).contains(&terms.len()) {
        return None;
    }
    let sign = if negated { -1 } else { 1 };
    // The order is `start - next <= -duration`; the negation of `Σ <= bound` is `-Σ <= -bound - 1`.
    let duration = if negated { bound.checked_add(1)? } else { bound.checked_neg()? };
    Some(TaskOrder { terms: terms.iter().map(|(factor, term)| (sign * factor, *term)).collect(), duration })
}

impl TaskOrder {
    /// Returns the task that ends first, if its duration is positive.
    fn task(&self, problem: &Problem, start: Int, next: Int) -> Option<ScheduledTask> {
        let mut others = self.terms.iter().copied().filter(|(_, term)| ![start, next].contains(term));
        let more = others.next();
        let least = more.map_or(Some(0), |(factor, term)| {
            let (low, high) = problem.bounds(term);
            factor.checked_mul(if factor < 0 { high } else { low })
        });
        let task = ScheduledTask { start, duration: self.duration, more };
        (others.next().is_none() && self.duration.checked_add(least?)? > 0).then_some(task)
    }
}

/// Recognises a sum of the demands of tasks at one time.
fn resource_use(problem: &Problem, constraint: Bool) -> Option<ResourceUse> {
    let (id, negated) = constraint.node();
    let BoolNode::LinearAtMost(terms, bound) = problem.bool_node(id) else { return None };
    let sign = if negated { -1 } else { 1 };
    let mut capacity = if negated { bound.checked_add(1)?.checked_neg()? } else { *bound };
    let mut windows = Vec::with_capacity(terms.len());
    for (factor, term) in terms {
        let IntNode::FromBool(condition) = problem.int_node(*term) else { return None };
        // A negative coefficient is the demand of the opposite condition plus a constant.
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

/// Recognises a clause that tasks are not all under way at once, as the use of a resource with demands of 1.
fn all_but_one(problem: &Problem, constraint: Bool) -> Option<ResourceUse> {
    let (id, true) = constraint.node() else { return None };
    let BoolNode::And(parts) = problem.bool_node(id) else { return None };
    let mut windows: FxHashMap<Int, TaskWindow> = FxHashMap::default();
    for part in parts {
        let (task, first, last) = window(problem, *part)?;
        let known = windows.entry(task).or_insert(TaskWindow { task, demand: 1, first, last });
        // Several conditions on the same start form one window.
        (known.first, known.last) = (known.first.max(first), known.last.min(last));
    }
    let windows: Vec<TaskWindow> = windows.into_values().collect();
    Some(ResourceUse { capacity: windows.len() as i64 - 1, windows }.in_normal_form())
}

/// Recognises a condition that a term lies in a range; returns the term and the bounds of the range.
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
    /// Adds the constraints of machines and resources.
    pub(super) fn schedules(&mut self, schedules: &Schedules) -> Result<(), Untranslatable> {
        let mut known = FxHashMap::default();
        for machine in &schedules.machines {
            let mut intervals = Vec::new();
            for (on, task) in &machine.tasks {
                let presence = match *on {
                    OnMachine::Always => None,
                    OnMachine::If(condition) => Some(self.equivalent(condition)?),
                    OnMachine::Chosen(term) => Some(self.has_value(term, machine.value)?),
                };
                intervals.push(self.interval(*task, presence, &mut known)?);
            }
            self.require(ConstraintKind::NoOverlap(NoOverlapProto { intervals }), &[])?;
        }
        for resource in &schedules.resources {
            let intervals = resource.tasks.iter().map(|(task, _)| self.interval(*task, None, &mut known));
            let intervals = intervals.collect::<Result<_, _>>()?;
            let capacity = Some(of_constant(resource.capacity));
            let demands = resource.tasks.iter().map(|(_, demand)| of_constant(*demand)).collect();
            self.require(ConstraintKind::Cumulative(CumulativeProto { capacity, intervals, demands }), &[])?;
        }
        Ok(())
    }

    /// Returns the interval of a task; it is optional if there is a literal.
    fn interval(
        &mut self,
        task: ScheduledTask,
        presence: Option<i32>,
        known: &mut FxHashMap<(ScheduledTask, Option<i32>), i32>,
    ) -> Result<i32, Untranslatable> {
        if let Some(interval) = known.get(&(task, presence)) {
            return Ok(*interval);
        }
        let (start, mut size) = (self.affine(task.start)?, of_constant(task.duration));
        let mut end = added(&start, &size)?;
        if let Some((factor, more)) = task.more {
            size = added(&size, &scaled(&self.affine(more)?, factor)?)?;
            end = self.sum_variable([(1, task.start), (factor, more)], task.duration)?;
        }
        let interval = i32::try_from(self.model.constraints.len()).map_err(|_| Untranslatable::Memory)?;
        let [start, size, end] = [start, size, end].map(Some);
        self.require(ConstraintKind::Interval(IntervalProto { start, end, size }), presence.as_slice())?;
        known.insert((task, presence), interval);
        Ok(interval)
    }
}
