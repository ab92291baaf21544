//! Applies a [`Pruning`]: checks conditions before all names are bound, and reduces the values of a name to the few
//! that an equation or comparisons allow. A condition that cannot be evaluated here cuts nothing; it is evaluated again
//! at its own position.

use super::{Environment, comprehension::members_of, evaluate};
use crate::{
    analysis::model::{Expr, GeneratorBound, LocalId, Narrowing, Pruning, SignedSummand},
    language::{IntSet, Stop, Value},
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The minimum number of values of a domain that is narrowed. Chosen.
const FEW_VALUES: u128 = 4;
/// The maximum number of values of a name for which sums are kept. Chosen.
const MOST_SUMS: u128 = 2_000_000;
/// The maximum number of values within bounds that are listed. Chosen.
const MOST_LISTED: u128 = 100_000;

/// A pruning with the tables that a walk over the bindings of its comprehension has built.
pub(crate) struct PruningRun {
    pruning: Arc<Pruning>,
    /// The tables of the qualifiers: the values of their names by sum or row.
    tables: Vec<NarrowingTable>,
}

struct NarrowingTable {
    /// The values of the name, in order, by the sum that they make or by the other items of their tuples.
    values: FxHashMap<Value, Vec<i64>>,
    /// The values of the name whose sums are known.
    known: IntSet,
    /// True if the tuples of a collection are in the table.
    is_listed: bool,
}

impl PruningRun {
    pub(crate) fn new(pruning: &Arc<Pruning>) -> Self {
        let tables = pruning.narrowings.iter().map(|_| NarrowingTable::empty()).collect();
        PruningRun { pruning: pruning.clone(), tables }
    }

    /// Returns true if a condition can leave fewer values for the name that a qualifier binds.
    pub(crate) fn narrows(&self, position: usize) -> bool {
        self.pruning.narrowings[position].is_some() || !self.pruning.bounds[position].is_empty()
    }

    /// Returns true if the fixed conditions at a position hold; `None` if there are none.
    pub(crate) fn holds(
        &self,
        position: usize,
        env: &mut Environment,
        is_fixed: impl Fn(&Expr) -> bool,
    ) -> Option<bool> {
        let mut known = None;
        for condition in self.pruning.checks[position].iter().filter(|condition| is_fixed(condition)) {
            // A condition that cannot be evaluated excludes nothing; the walk reports it at its own position.
            if !evaluate(condition, env).map_or(true, |value| value.as_bool()) {
                return Some(false);
            }
            known = Some(true);
        }
        known
    }

    /// The values of the domain that a condition leaves for the name that a qualifier binds, in order; `None` if
    /// nothing is known.
    pub(crate) fn values(
        &mut self,
        position: usize,
        name: LocalId,
        domain: &IntSet,
        env: &mut Environment,
        is_fixed: impl Fn(&Expr) -> bool,
    ) -> Option<Vec<i64>> {
        // For few values, trying them is faster than building a table.
        if domain.size().is_some_and(|size| size < FEW_VALUES) {
            return None;
        }
        let pruning = self.pruning.clone();
        let within = within_bounds(&pruning.bounds[position], domain, env, &is_fixed);
        let narrowed = match &pruning.narrowings[position] {
            Some(narrowing) => self.narrowed(position, narrowing, (name, domain), &within, env, is_fixed),
            None => None,
        };
        // A list of all values within the bounds is made only if it is worth its memory.
        let shrinks = || within.size().is_some_and(|size| size <= MOST_LISTED) && within != *domain;
        narrowed.or_else(|| shrinks().then(|| within.iter().collect()))
    }

    /// The values that a narrowing leaves among those within bounds.
    fn narrowed(
        &mut self,
        position: usize,
        narrowing: &Narrowing,
        (name, domain): (LocalId, &IntSet),
        within: &IntSet,
        env: &mut Environment,
        is_fixed: impl Fn(&Expr) -> bool,
    ) -> Option<Vec<i64>> {
        let table = &mut self.tables[position];
        match narrowing {
            Narrowing::Equation { own, others } => {
                if !own.iter().chain(others).all(|summand| is_fixed(&summand.value)) {
                    return None;
                }
                let wanted = sum_of_summands(others, env).ok()?;
                // If the name is alone on its side, its value is the sum of the others.
                if let [SignedSummand { value, .. }] = own.as_slice()
                    && value.is_local(name)
                {
                    return Some(integers_within(within, [wanted]));
                }
                table.add_sums(own, name, domain, env)?;
                Some(table.found(&wanted, within))
            }
            Narrowing::Row { items, at, collection } => {
                if !items.iter().chain([collection]).all(|part| part.is_local(name) || is_fixed(part)) {
                    return None;
                }
                let mut others = items.iter().enumerate().filter(|(position, _)| position != at);
                let wanted: Option<Vec<Value>> = others.try_fold(Vec::new(), |mut found, (_, item)| {
                    found.push(evaluate(item, env).ok()?);
                    Some(found)
                });
                let wanted = Value::tuple(wanted?);
                if !table.is_listed {
                    table.add_rows(*at, &evaluate(collection, env).ok()?);
                }
                Some(table.found(&wanted, within))
            }
            Narrowing::Member(collection) => {
                let collection = is_fixed(collection).then(|| evaluate(collection, env).ok())??;
                let members = members_of(&collection);
                // If the list of members is longer than the domain, it narrows nothing.
                let is_less = within.size().is_none_or(|size| (members.len() as u128) < size);
                is_less.then(|| integers_within(within, members.iter()))
            }
        }
    }
}

impl NarrowingTable {
    fn empty() -> Self {
        NarrowingTable { values: FxHashMap::default(), known: IntSet::empty(), is_listed: false }
    }

    /// Adds the sums of the values that have none yet.
    fn add_sums(&mut self, own: &[SignedSummand], name: LocalId, domain: &IntSet, env: &mut Environment) -> Option<()> {
        if domain.is_subset(&self.known) {
            return Some(());
        }
        // The table grows with the domains that are looked up, because outer names change them.
        let all = self.known.union(domain);
        if all.size().is_none_or(|size| size > MOST_SUMS) {
            return None;
        }
        for value in domain.iter().filter(|value| !self.known.contains(*value)) {
            env.bind_local(name, Value::Int(value));
            match sum_of_summands(own, env) {
                Ok(sum) => self.values.entry(sum).or_default().push(value),
                // If a side is undefined, the equation does not hold.
                Err(Stop::Undefined) => {}
                Err(Stop::Fault(_)) => return None,
            }
        }
        self.known = all;
        Some(())
    }

    /// Adds the tuples of a collection, each by all of its items except one.
    fn add_rows(&mut self, at: usize, collection: &Value) {
        for row in members_of(collection).iter() {
            let Value::Tuple(items) = row else { continue };
            let Some(Value::Int(value)) = items.get(at) else { continue };
            let others = items.iter().enumerate().filter(|(position, _)| *position != at);
            let others: Vec<Value> = others.map(|(_, item)| item.clone()).collect();
            self.values.entry(Value::tuple(others)).or_default().push(*value);
        }
        self.is_listed = true;
    }

    fn found(&self, wanted: &Value, domain: &IntSet) -> Vec<i64> {
        let found = self.values.get(wanted).into_iter().flatten();
        integers_within(domain, found.map(|value| Value::Int(*value)))
    }
}

/// The values of a domain within the bounds that are known.
fn within_bounds(
    bounds: &[GeneratorBound],
    domain: &IntSet,
    env: &mut Environment,
    is_fixed: &impl Fn(&Expr) -> bool,
) -> IntSet {
    let (mut low, mut high) = (IntSet::MINUS_INFINITY, IntSet::INFINITY);
    for GeneratorBound { is_upper, is_strict, others } in bounds {
        if !others.iter().all(|summand| is_fixed(&summand.value)) {
            continue;
        }
        let Ok(Value::Int(bound)) = sum_of_summands(others, env) else { continue };
        let slack = i64::from(*is_strict);
        match is_upper {
            true => high = high.min(bound.saturating_sub(slack)),
            false => low = low.max(bound.saturating_add(slack)),
        }
    }
    domain.intersect(&IntSet::range(low, high))
}

/// The integers among some values that are in a domain, in order.
fn integers_within(domain: &IntSet, values: impl IntoIterator<Item = Value>) -> Vec<i64> {
    let int = |value| if let Value::Int(value) = value { Some(value) } else { None };
    let mut found: Vec<i64> = values.into_iter().filter_map(int).filter(|value| domain.contains(*value)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The value of a sum. A single summand may have any type.
fn sum_of_summands(summands: &[SignedSummand], env: &mut Environment) -> Result<Value, Stop> {
    if let [SignedSummand { value, is_negative: false }] = summands {
        return evaluate(value, env);
    }
    let mut sum = 0i64;
    for SignedSummand { value, is_negative } in summands {
        let value = evaluate(value, env)?.as_int();
        let next = if *is_negative { sum.checked_sub(value) } else { sum.checked_add(value) };
        // The sum is too large for an integer, so it is undefined.
        let Some(next) = next else { return Err(Stop::Undefined) };
        sum = next;
    }
    Ok(Value::Int(sum))
}
