//! Chooses members for parameters whose domains have too many to list, such as functions of sets of cells.
//!
//! A set or a relation is then restricted to some of these members, and a function to some of these arguments. This is
//! the structure of a puzzle, which its clues fill in. Sets of values that can be listed divide these values among
//! themselves. If the values are positions, the sets grow from neighbours, so that they look like regions of a board.

use crate::{
    explain::MOST_CANDIDATES,
    halt::Halt,
    instance::GroundInstance,
    language::{Collection, GroundDomain, MemberForm, Name, Value},
    lowering::{self, Lowered, PossibleMembers},
    solver::EngineOptions,
};

/// The maximum number of possible arguments of a function that are all used.
const MOST_ARGUMENTS: u128 = 5_000;
/// The maximum number of values that sets divide among themselves.
const MOST_ELEMENTS: u128 = 2_000;
/// The number of randomly drawn members.
const DRAWN: usize = 200;
/// The maximum sizes of sets, used in turn: small sets give more information than large ones.
const LARGEST: [u64; 3] = [4, 3, 2];

/// The members of open parameters that are considered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pools {
    members: PossibleMembers,
    /// True if another number gives other pools.
    pub is_random: bool,
}

impl Pools {
    /// The pools of open parameters. The members of `known` parameters stay.
    pub(crate) fn new(
        instance: &GroundInstance,
        open: &[String],
        known: &dyn Fn(&str) -> Option<Value>,
        number: u64,
    ) -> Self {
        let mut random = fastrand::Rng::with_seed(number);
        let largest = LARGEST[(number % LARGEST.len() as u64) as usize];
        let mut pools = Pools::default();
        for find in &instance.finds {
            let name: &Name = &instance.model.declaration(find.id).name;
            let Some(inner) = unlisted(&find.domain).filter(|_| open.iter().any(|open| **open == **name)) else {
                continue;
            };
            let stays = known(name).map(|value| match &value {
                Value::Mapping(_, pairs) => pairs.iter().map(|(argument, _)| argument.clone()).collect(),
                value => value.items().to_vec(),
            });
            let is_known = stays.as_ref().is_some_and(|members| !members.is_empty());
            let mut members = stays.filter(|_| is_known).unwrap_or_else(|| drawn_members(&inner, largest, &mut random));
            members.sort();
            members.dedup();
            if !members.is_empty() {
                pools.is_random |= !is_known;
                pools.members.insert(find.id, members.into());
            }
        }
        pools
    }

    /// Lowers an instance whose open parameters get their members from the pools.
    pub(crate) fn lower(&self, instance: &GroundInstance, options: &EngineOptions) -> Result<Lowered, Halt> {
        lowering::lower_with_members(&instance.environment, &self.members, options.limits.clone())
    }
}

/// Returns true if a domain has too many members to list, or its functions too many arguments.
fn unlisted(domain: &GroundDomain) -> Option<GroundDomain> {
    let (kind, _, parts) = domain.as_collection()?;
    let (inner, most) = match kind.form() {
        MemberForm::Values if has_members(kind) => (parts[0].clone(), MOST_CANDIDATES as u128),
        MemberForm::Tuples => (GroundDomain::Tuple(parts.to_vec()), MOST_CANDIDATES as u128),
        MemberForm::Pairs => (parts[0].clone(), MOST_ARGUMENTS),
        _ => return None,
    };
    (inner.amount().number > most).then_some(inner)
}

/// Returns true if a collection consists of its members alone, without an order or repetitions.
fn has_members(kind: Collection) -> bool {
    kind.form() == MemberForm::Values && !kind.row().has_occurrences()
}

fn drawn_members(inner: &GroundDomain, largest: u64, random: &mut fastrand::Rng) -> Vec<Value> {
    match inner.as_collection() {
        Some((kind, attributes, [elements])) if has_members(kind) && elements.amount().number <= MOST_ELEMENTS => {
            let least = attributes.size().min.map_or(1, |least| least.max(1) as u64);
            let largest = attributes.size().max.map_or(largest, |most| largest.min(most.max(1) as u64)).max(least);
            groups(elements.members().collect(), least, largest, random)
                .into_iter()
                .filter_map(|group| Value::of(kind, group))
                .collect()
        }
        _ => (0..DRAWN).filter_map(|_| drawn(inner, largest, random)).collect(),
    }
}

/// Divides values among groups. If groups have a minimum size, a few values may be left over.
fn groups(mut values: Vec<Value>, least: u64, largest: u64, random: &mut fastrand::Rng) -> Vec<Vec<Value>> {
    super::shuffle(&mut values, random);
    let mut groups = Vec::new();
    while let Some(first) = values.pop() {
        let wanted = random.u64(least..=largest) as usize;
        let mut group = vec![first];
        while group.len() < wanted
            && let Some(next) = values.iter().position(|value| group.iter().any(|member| are_near(member, value)))
        {
            group.push(values.swap_remove(next));
        }
        if group.len() as u64 >= least {
            groups.push(group);
        }
    }
    groups
}

/// Returns true if two positions are neighbours, or if the values are not positions.
fn are_near(one: &Value, other: &Value) -> bool {
    let distance = |(one, other): (&Value, &Value)| match (one, other) {
        (Value::Int(one), Value::Int(other)) => Some(one.abs_diff(*other)),
        _ => None,
    };
    let distances: Option<Vec<u64>> = one.components().iter().zip(other.components()).map(distance).collect();
    distances.is_none_or(|distances| distances.is_empty() || distances.into_iter().sum::<u64>() == 1)
}

/// A random value of a domain; `None` if values of such domains are not drawn.
fn drawn(domain: &GroundDomain, largest: u64, random: &mut fastrand::Rng) -> Option<Value> {
    Some(match domain {
        GroundDomain::Bool => Value::Bool(random.bool()),
        GroundDomain::Int(values) => {
            let position = random.u64(..u64::try_from(values.size()?).ok().filter(|size| *size > 0)?);
            let mut left = position;
            let (low, _) =
                values.ranges().iter().find(|(low, high)| match left.checked_sub(low.abs_diff(*high) + 1) {
                    Some(rest) => {
                        left = rest;
                        false
                    }
                    None => true,
                })?;
            Value::Int(low + left as i64)
        }
        GroundDomain::Tuple(items) => {
            Value::tuple(items.iter().map(|item| drawn(item, largest, random)).collect::<Option<Vec<_>>>()?)
        }
        GroundDomain::Collection(kind, attributes, parts) if has_members(*kind) => {
            let least = attributes.size().min.map_or(1, |least| least.max(0) as u64);
            let most = attributes.size().max.map_or(largest, |most| largest.min(most.max(0) as u64)).max(least);
            let members = (0..random.u64(least..=most)).map(|_| drawn(&parts[0], largest, random));
            Value::of(*kind, members.collect::<Option<_>>()?)?
        }
        _ => return None,
    })
}
