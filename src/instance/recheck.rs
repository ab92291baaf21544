//! Checks a constraint repeatedly, for one solution after another.
//!
//! `forAll`, `/\` and implications from data are split into the instances of the constraint, once. Each instance is
//! evaluated with a log of the parts of decisions that it reads; instances that read the same parts are a group. A
//! group is evaluated again only if one of its parts has a value with which it was not evaluated before. The parts that
//! an instance reads may depend on values that it has read; if so, the parts of its group grow.
//!
//! All values come from [`mod@super::evaluate`]. An evaluation of the whole constraint has the same result.

use super::{
    Environment,
    comprehension::{for_each_fixed_binding, junction},
    evaluate,
    reads::DecisionPart,
};
use crate::{
    analysis::model::{Category, Comprehension, DeclarationId, Expr, ExprKind, LocalId, Qualifier},
    language::{Evaluated, Stop, Value},
    operators::symbols,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;

/// The maximum number of parts that are recorded for an instance; with more, it counts as reading the whole values.
/// Chosen.
const MOST_PARTS_OF_INSTANCE: usize = 64;
/// The maximum number of stored numbers for the instances of one constraint (64 MB).
const MOST_NUMBERS: usize = 16_000_000;
/// The maximum number of stored numbers for values with which groups hold; when it is reached, all are dropped. Chosen.
const MOST_REMEMBERED: usize = 8_000_000;
/// The minimum size of a group whose results are stored: a smaller group is evaluated as fast as it is looked up.
/// Chosen.
const SMALLEST_REMEMBERED: usize = 4;

/// Values as small numbers: equal values have the same number.
#[derive(Default)]
struct ValueNumbers {
    numbers: FxHashMap<Option<Value>, u32>,
    values: Vec<Option<Value>>,
}

impl ValueNumbers {
    fn number(&mut self, value: Option<Value>) -> u32 {
        let next = self.values.len() as u32;
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            next
        })
    }
}

/// The values of the parts of decisions that instances read.
#[derive(Default)]
pub(crate) struct PartValues {
    numbers: ValueNumbers,
    /// The number of the value of each part in the environment.
    current: Vec<u32>,
    /// The values of the decisions whose parts are known.
    roots: FxHashMap<DeclarationId, Option<Value>>,
    changed: Vec<u32>,
}

impl PartValues {
    /// Reads the parts again after decisions have changed their values.
    pub(crate) fn update(&mut self, env: &mut Environment) {
        self.changed.clear();
        let mut same = FxHashSet::default();
        for (root, value) in &mut self.roots {
            let now = env.unlogged_global(*root).ok();
            // If the value of a decision is the same, so are its parts, which need not be evaluated.
            if *value == now {
                same.insert(*root);
            }
            *value = now;
        }
        for part in 0..self.current.len() {
            if same.contains(&env.reads.parts[part].root) {
                continue;
            }
            let value = env.reads.parts[part].clone().value(env);
            let number = self.numbers.number(value);
            if std::mem::replace(&mut self.current[part], number) != number {
                self.changed.push(part as u32);
            }
        }
    }

    /// Reads the parts that were added since the last call.
    fn extend(&mut self, env: &mut Environment) {
        for part in self.current.len()..env.reads.parts.len() {
            let part = env.reads.parts[part].clone();
            self.roots.entry(part.root).or_insert_with(|| env.unlogged_global(part.root).ok());
            let value = part.value(env);
            self.current.push(self.numbers.number(value));
        }
    }
}

/// A part of a constraint that has instances.
#[derive(Clone)]
struct ConstraintLeaf<'a> {
    kind: LeafKind<'a>,
    /// The names that each instance binds.
    names: Vec<LocalId>,
}

#[derive(Clone, Copy)]
enum LeafKind<'a> {
    Whole(&'a Expr),
    /// A comprehension under `and` after its first qualifiers are bound.
    Rest(&'a Comprehension, usize),
}

impl LeafKind<'_> {
    fn holds(self, env: &mut Environment) -> Evaluated<bool> {
        env.visited += 1;
        let value = match self {
            LeafKind::Whole(expr) => evaluate(expr, env),
            LeafKind::Rest(comprehension, bound) => junction(comprehension, bound, false, env),
        };
        match value {
            Ok(value) => Ok(value.as_bool()),
            Err(Stop::Undefined) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// The decisions that it mentions as a whole.
    fn decisions(self, found: &mut Vec<DeclarationId>) {
        match self {
            LeafKind::Whole(expr) => decisions_in(expr, found),
            LeafKind::Rest(comprehension, _) => comprehension.for_each_part(&mut |part| decisions_in(part, found)),
        }
    }

    fn address(self) -> (usize, usize) {
        match self {
            LeafKind::Whole(expr) => (std::ptr::from_ref(expr).addr(), 0),
            LeafKind::Rest(comprehension, bound) => (std::ptr::from_ref(comprehension).addr(), bound),
        }
    }
}

fn decisions_in(expr: &Expr, found: &mut Vec<DeclarationId>) {
    match expr.kind {
        ExprKind::Global(id) if expr.category == Category::Decision => found.push(id),
        _ => expr.for_each_part(&mut |part| decisions_in(part, found)),
    }
}

fn depends_on_decisions(qualifier: &Qualifier) -> bool {
    let mut depends = false;
    qualifier.for_each_part(&mut |part| depends |= part.category == Category::Decision);
    depends
}

#[derive(Clone, Copy)]
struct LeafInstance {
    group: u32,
    leaf: u32,
    /// The position of the first of its bindings.
    bindings: u32,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct PartSet {
    parts: Box<[u32]>,
    /// True if the parts are all decisions that the instances mention, so that they cannot grow.
    is_complete: bool,
}

/// The instances of a constraint in groups.
pub(crate) struct Recheck<'a> {
    leaves: Vec<ConstraintLeaf<'a>>,
    bound: ValueNumbers,
    bindings: Vec<u32>,
    /// Sorted by group.
    instances: Vec<LeafInstance>,
    groups: Vec<Group>,
    /// The groups that read each part.
    readers: Vec<Vec<u32>>,
    /// For groups with several instances: a group and the numbers of the values with which all of them hold.
    remembered: FxHashSet<Box<[u32]>>,
    remembered_numbers: usize,
}

struct Group {
    reads: PartSet,
    /// The end of its instances.
    end: u32,
}

impl<'a> Recheck<'a> {
    /// The instances of a constraint, each of which is evaluated and holds; `None` if one does not, or if they take too
    /// much memory.
    pub(crate) fn of(constraint: &'a Expr, parts: &mut PartValues, env: &mut Environment) -> Evaluated<Option<Self>> {
        let mut splitting = Splitting::default();
        if !splitting.split(constraint, env)? {
            return Ok(None);
        }
        parts.extend(env);
        let mut instances = splitting.instances;
        // The instances are sorted by group, so that each group starts where the previous one ends.
        instances.sort_unstable_by_key(|instance| instance.group);
        let mut sets: Vec<(PartSet, u32)> = splitting.groups.into_iter().collect();
        sets.sort_unstable_by_key(|(_, group)| *group);
        let mut groups: Vec<Group> = sets.into_iter().map(|(reads, _)| Group { reads, end: 0 }).collect();
        for (position, instance) in instances.iter().enumerate() {
            groups[instance.group as usize].end = position as u32 + 1;
        }
        let mut readers = vec![Vec::new(); env.reads.parts.len()];
        for (number, group) in groups.iter().enumerate() {
            group.reads.parts.iter().for_each(|part| readers[*part as usize].push(number as u32));
        }
        let Splitting { leaves, bound, bindings, .. } = splitting;
        let (remembered, remembered_numbers) = (FxHashSet::default(), 0);
        let mut recheck =
            Recheck { leaves, bound, bindings, instances, groups, readers, remembered, remembered_numbers };
        (0..recheck.groups.len()).for_each(|group| recheck.remember(group, parts));
        Ok(Some(recheck))
    }

    /// Returns true if the constraint holds for the present values, provided that it held for the values before.
    pub(crate) fn holds(&mut self, parts: &mut PartValues, env: &mut Environment) -> Evaluated<bool> {
        // The truth value can change only for groups that read a changed part.
        let readers = parts.changed.iter().filter_map(|part| self.readers.get(*part as usize));
        let mut touched: Vec<u32> = readers.flatten().copied().collect();
        touched.sort_unstable();
        touched.dedup();
        for group in touched {
            if !self.group_holds(group as usize, parts, env)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn range(&self, group: usize) -> std::ops::Range<usize> {
        let start = group.checked_sub(1).map_or(0, |before| self.groups[before].end);
        start as usize..self.groups[group].end as usize
    }

    /// The group with the values of its parts.
    fn key(&self, group: usize, parts: &PartValues) -> Option<Box<[u32]>> {
        // A lookup costs about as much as the evaluation of a few instances.
        if self.range(group).len() < SMALLEST_REMEMBERED {
            return None;
        }
        let values = self.groups[group].reads.parts.iter().map(|part| parts.current[*part as usize]);
        Some(std::iter::once(group as u32).chain(values).collect())
    }

    fn remember(&mut self, group: usize, parts: &PartValues) {
        let Some(key) = self.key(group, parts) else { return };
        if self.remembered_numbers > MOST_REMEMBERED {
            self.remembered.clear();
            self.remembered_numbers = 0;
        }
        // Besides the key, a box in a table takes about four numbers.
        self.remembered_numbers += key.len() + 4;
        self.remembered.insert(key);
    }

    fn group_holds(&mut self, group: usize, parts: &mut PartValues, env: &mut Environment) -> Evaluated<bool> {
        // The group has held with these values before.
        if self.key(group, parts).is_some_and(|key| self.remembered.contains(&key)) {
            return Ok(true);
        }
        let logs = !self.groups[group].reads.is_complete;
        for position in self.range(group) {
            let LeafInstance { leaf, bindings, .. } = self.instances[position];
            let leaf = &self.leaves[leaf as usize];
            for (name, number) in leaf.names.iter().zip(&self.bindings[bindings as usize..]) {
                match &self.bound.values[*number as usize] {
                    Some(value) => env.bind_local(*name, value.clone()),
                    None => env.unbind_local(*name),
                }
            }
            env.reads.switch(logs);
            let holds = leaf.kind.holds(env);
            env.reads.switch(false);
            if !holds? {
                // The log is emptied, so that the next group does not inherit what this one has read.
                env.reads.take();
                return Ok(false);
            }
        }
        let read = env.reads.take();
        if logs {
            self.grow(group, read, parts, env);
        }
        self.remember(group, parts);
        Ok(true)
    }

    /// Adds the parts that the instances of a group have read.
    fn grow(&mut self, group: usize, mut read: Vec<u32>, parts: &mut PartValues, env: &mut Environment) {
        // Which parts are read depends on the values, so a later check may read more of them.
        let known = &self.groups[group].reads.parts;
        read.retain(|part| known.binary_search(part).is_err());
        if read.is_empty() {
            return;
        }
        parts.extend(env);
        self.readers.resize(env.reads.parts.len(), Vec::new());
        read.iter().for_each(|part| self.readers[*part as usize].push(group as u32));
        read.extend(known);
        read.sort_unstable();
        self.groups[group].reads.parts = read.into();
    }
}

/// The instances of a constraint while they are found.
#[derive(Default)]
struct Splitting<'a> {
    scope: Vec<LocalId>,
    leaves: Vec<ConstraintLeaf<'a>>,
    leaf_numbers: FxHashMap<(usize, usize), u32>,
    bound: ValueNumbers,
    bindings: Vec<u32>,
    instances: Vec<LeafInstance>,
    groups: FxHashMap<PartSet, u32>,
    part_numbers: usize,
}

impl<'a> Splitting<'a> {
    /// Adds the instances of a conjunct; false if one does not hold, or if there are too many.
    fn split(&mut self, expr: &'a Expr, env: &mut Environment) -> Evaluated<bool> {
        // An expression without decisions holds for all values or for none.
        if expr.category < Category::Decision {
            return Ok(evaluate(expr, env)?.as_bool());
        }
        let ExprKind::Apply(operator, operands) = &expr.kind else { return self.add(LeafKind::Whole(expr), env) };
        match (operator.symbol, operands.as_slice()) {
            (symbols::AND, operands) => {
                for operand in operands {
                    if !self.split(operand, env)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (symbols::IMPLIES, [condition, inner]) if condition.category < Category::Decision => {
                Ok(!evaluate(condition, env)?.as_bool() || self.split(inner, env)?)
            }
            (symbols::ALL, [Expr { kind: ExprKind::Comprehension(comprehension), .. }]) => {
                self.split_comprehension(comprehension, env)
            }
            _ => self.add(LeafKind::Whole(expr), env),
        }
    }

    fn split_comprehension(&mut self, comprehension: &'a Comprehension, env: &mut Environment) -> Evaluated<bool> {
        let qualifiers = &comprehension.qualifiers;
        let fixed = qualifiers.iter().position(depends_on_decisions).unwrap_or(qualifiers.len());
        let outer = self.scope.len();
        // The qualifiers before the first one that depends on decisions have the same bindings in every check.
        for qualifier in &qualifiers[..fixed] {
            if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
                pattern.names(&mut |name| self.scope.push(name));
            }
        }
        let mut all_hold = true;
        for_each_fixed_binding(comprehension, fixed, env, &mut |env| {
            all_hold = match fixed == qualifiers.len() {
                true => self.split(&comprehension.body, env)?,
                false => self.add(LeafKind::Rest(comprehension, fixed), env)?,
            };
            Ok(if all_hold { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        self.scope.truncate(outer);
        Ok(all_hold)
    }

    /// Adds an instance with what it reads.
    fn add(&mut self, kind: LeafKind<'a>, env: &mut Environment) -> Evaluated<bool> {
        env.reads.switch(true);
        let holds = kind.holds(env);
        env.reads.switch(false);
        let read = env.reads.take();
        if !holds? {
            return Ok(false);
        }
        // An instance that reads nothing holds whatever is decided.
        if read.is_empty() {
            return Ok(true);
        }
        // Beyond the limit, the whole decisions stand for their parts, which takes less memory.
        let is_complete = read.len() > MOST_PARTS_OF_INSTANCE;
        let parts = if is_complete { whole_parts(kind, env) } else { read.into() };
        let (next, numbers) = (self.groups.len() as u32, parts.len());
        let group = *self.groups.entry(PartSet { parts, is_complete }).or_insert(next);
        if group == next {
            self.part_numbers += numbers;
        }
        let leaf = self.leaf(kind);
        self.instances.push(LeafInstance { group, leaf, bindings: self.bindings.len() as u32 });
        for name in &self.scope {
            self.bindings.push(self.bound.number(env.local(*name).cloned()));
        }
        // Each part is stored in a group and in the list of its readers; a group takes about ten more numbers.
        let taken = 3 * self.instances.len() + self.bindings.len() + 2 * self.part_numbers + 10 * self.groups.len();
        Ok(taken <= MOST_NUMBERS)
    }

    fn leaf(&mut self, kind: LeafKind<'a>) -> u32 {
        let (next, scope) = (self.leaves.len() as u32, &self.scope);
        *self.leaf_numbers.entry(kind.address()).or_insert_with(|| {
            self.leaves.push(ConstraintLeaf { kind, names: scope.clone() });
            next
        })
    }
}

/// The numbers of the whole values of all decisions that a leaf mentions.
fn whole_parts(kind: LeafKind, env: &mut Environment) -> Box<[u32]> {
    let mut decisions = Vec::new();
    kind.decisions(&mut decisions);
    let mut parts: Vec<u32> = decisions.into_iter().map(|id| env.reads.number(DecisionPart::whole(id))).collect();
    parts.sort_unstable();
    parts.dedup();
    parts.into()
}
