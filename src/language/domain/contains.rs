//! Whether a value lies in a domain, and why not.
//!
//! The reason is data, because values and domains do not know the names of enumerated types; whoever
//! has them puts it into words.

use super::{BinaryProperty, FunctionAttributes, GroundDomain, PartitionAttributes, Size};
use crate::language::{IntSet, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// What kind of declaration the domain belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A decision variable, or a name that ranges over the domain: its partitions cover their domain, and every
    /// value occurs at least `minOccur` times in its multisets.
    Decision,
    /// A parameter: partitions may leave values out, and `minOccur` is about the values that occur at all.
    Parameter,
}

/// Why a value does not lie in a domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The way to the part that is wrong, from outside to inside.
    pub path: Vec<Step>,
    pub reason: Reason,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A 0-based component of a tuple, a record or a tuple of a relation.
    Component(usize),
    /// A 0-based alternative of a variant.
    Alternative(u32),
    /// The element at this index of a matrix.
    Element(Value),
    /// The member at this 1-based place of a sequence.
    Place(usize),
    /// This member of a set, a multiset, a relation; this part of a partition.
    Member(Value),
    /// This argument of a function, or this point of a permutation.
    Argument(Value),
    /// The image of this argument.
    Image(Value),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// An integer, or the position of a member of a named type, that is not one of those allowed.
    NotIn(i64, IntSet),
    /// A matrix indexed by something else: what it has, and what it should have.
    Index(GroundDomain, GroundDomain),
    /// So many members, where the bounds allow another number.
    Size(usize, Size<i64>),
    /// The number of parts of a partition.
    Parts(usize, Size<i64>),
    /// A part of a partition and the bounds on its size.
    PartSize(Value, Size<i64>),
    /// The number of points that a permutation moves.
    Moved(usize, Size<i64>),
    /// A value, how often it occurs in a multiset, and how often it may.
    Occurrences(Value, usize, Size<i64>),
    /// A function is total, but this argument has no image.
    NotTotal(Value),
    /// Two arguments (or places of a sequence) with the same image.
    NotInjective(Value, Value, Value),
    /// Nothing is mapped to this.
    NotSurjective(Value),
    /// Two parts of different size of a regular partition.
    NotRegular(Value, Value),
    /// A partition of a decision variable leaves this value out.
    NotCovered(Value),
    /// A relation without one of its properties, and the points that show it.
    Property(BinaryProperty, Vec<Value>),
    /// A value of another type.
    Shape,
}

type Checked = Result<(), Box<Violation>>;

fn fail(reason: Reason) -> Checked {
    Err(Box::new(Violation { path: Vec::new(), reason }))
}

/// Puts a step before the path of a violation.
fn within(step: impl FnOnce() -> Step, checked: Checked) -> Checked {
    checked.map_err(|mut violation| {
        violation.path.insert(0, step());
        violation
    })
}

fn allowed(bounds: &Size<i64>, count: usize) -> bool {
    let count = count as i64;
    bounds.min.is_none_or(|min| min <= count) && bounds.max.is_none_or(|max| count <= max)
}

fn check_size(bounds: &Size<i64>, count: usize) -> Checked {
    if allowed(bounds, count) { Ok(()) } else { fail(Reason::Size(count, bounds.clone())) }
}

impl GroundDomain {
    /// Whether the value is a member, as a value of a decision variable would be.
    pub fn contains(&self, value: &Value) -> bool {
        self.check(value, Role::Decision).is_ok()
    }

    /// Tells why a value is not a member.
    pub fn check(&self, value: &Value, role: Role) -> Result<(), Box<Violation>> {
        match (self, value) {
            (GroundDomain::Bool, Value::Bool(_)) => Ok(()),
            (GroundDomain::Int(set), Value::Int(value)) => {
                if set.contains(*value) {
                    Ok(())
                } else {
                    fail(Reason::NotIn(*value, set.clone()))
                }
            }
            (GroundDomain::Tuple(domains), Value::Tuple(items)) if domains.len() == items.len() => {
                check_components(domains.iter(), items, role)
            }
            (GroundDomain::Record(fields), Value::Tuple(items)) if fields.len() == items.len() => {
                check_components(fields.iter().map(|(_, domain)| domain), items, role)
            }
            (GroundDomain::Variant(alternatives), Value::Variant(which, inner)) => {
                match alternatives.get(*which as usize) {
                    Some((_, domain)) => within(|| Step::Alternative(*which), domain.check(inner, role)),
                    None => fail(Reason::Shape),
                }
            }
            (GroundDomain::Matrix(index, element), Value::Matrix(matrix)) => {
                if matrix.index != **index {
                    return fail(Reason::Index(matrix.index.clone(), (**index).clone()));
                }
                let wrong = matrix.elements.iter().enumerate().find_map(|(position, item)| {
                    element.check(item, role).err().map(|violation| (position, violation))
                });
                let Some((position, violation)) = wrong else { return Ok(()) };
                within(|| Step::Element(index.members().nth(position).unwrap_or(Value::FALSE)), Err(violation))
            }
            (GroundDomain::Set(size, inner), Value::Set(members)) => {
                check_members(inner, members, role)?;
                check_size(size, members.len())
            }
            (GroundDomain::MSet(size, occurrences, inner), Value::MSet(members)) => {
                check_members(inner, members, role)?;
                check_size(size, members.len())?;
                check_occurrences(occurrences, inner, members, role)
            }
            (GroundDomain::Function(attributes, from, to), Value::Function(pairs)) => {
                for (argument, image) in pairs.iter() {
                    within(|| Step::Argument(argument.clone()), from.check(argument, role))?;
                    within(|| Step::Image(argument.clone()), to.check(image, role))?;
                }
                check_size(&attributes.size, pairs.len())?;
                if attributes.total && from.is_finite() && from.size() != Some(pairs.len() as u128) {
                    let mut arguments = from.members().zip(pairs.iter().map(Some).chain(std::iter::repeat(None)));
                    let missing = arguments.find(|(argument, pair)| pair.is_none_or(|(given, _)| given != argument));
                    return missing.map_or(Ok(()), |(argument, _)| fail(Reason::NotTotal(argument)));
                }
                check_images(attributes, to, pairs.iter().map(|(argument, image)| (argument.clone(), image)))
            }
            (GroundDomain::Sequence(attributes, inner), Value::Sequence(members)) => {
                for (position, member) in members.iter().enumerate() {
                    within(|| Step::Place(position + 1), inner.check(member, role))?;
                }
                check_size(&attributes.size, members.len())?;
                let places = (1..).map(Value::Int);
                check_images(attributes, inner, places.zip(members.iter()))
            }
            (GroundDomain::Relation(attributes, domains), Value::Relation(tuples)) => {
                for tuple in tuples.iter() {
                    let Value::Tuple(items) = tuple else { return fail(Reason::Shape) };
                    if items.len() != domains.len() {
                        return fail(Reason::Shape);
                    }
                    within(|| Step::Member(tuple.clone()), check_components(domains.iter(), items, role))?;
                }
                check_size(&attributes.size, tuples.len())?;
                if attributes.properties.is_empty() {
                    return Ok(());
                }
                let points: Vec<Value> = domains[0].members().collect();
                for property in &attributes.properties {
                    if let Some(witness) = property.counterexample(tuples, &points) {
                        return fail(Reason::Property(*property, witness));
                    }
                }
                Ok(())
            }
            (GroundDomain::Partition(attributes, inner), Value::Partition(parts)) => {
                check_partition(attributes, inner, parts, role)
            }
            (GroundDomain::Permutation(moved, inner), Value::Permutation(pairs)) => {
                for (point, _) in pairs.iter() {
                    within(|| Step::Argument(point.clone()), inner.check(point, role))?;
                }
                if allowed(moved, pairs.len()) { Ok(()) } else { fail(Reason::Moved(pairs.len(), moved.clone())) }
            }
            _ => fail(Reason::Shape),
        }
    }
}

impl GroundDomain {
    /// Why a value is not a member: a violation for each entry that is wrong, however deep inside, and for the whole if
    /// all its entries are right. The first `most` of them, and how many there are.
    pub fn violations(&self, value: &Value, role: Role, most: usize) -> (Vec<Violation>, usize) {
        let mut found = Violations { shown: Vec::new(), count: 0, most, role };
        if self.check(value, role).is_err() {
            found.gather(self, value, &mut Vec::new());
        }
        (found.shown, found.count)
    }

    /// The entries of a value, each with the domain that it should lie in.
    fn for_each_entry<'v>(&'v self, value: &'v Value, entry: &mut dyn FnMut(Step, &GroundDomain, &'v Value)) {
        match (self, value) {
            (GroundDomain::Tuple(domains), Value::Tuple(items)) if domains.len() == items.len() => {
                domains.iter().zip(items.iter()).enumerate().for_each(|(at, (d, v))| entry(Step::Component(at), d, v));
            }
            (GroundDomain::Record(fields), Value::Tuple(items)) if fields.len() == items.len() => {
                fields
                    .iter()
                    .zip(items.iter())
                    .enumerate()
                    .for_each(|(at, (f, v))| entry(Step::Component(at), &f.1, v));
            }
            (GroundDomain::Variant(alternatives), Value::Variant(which, inner)) => {
                if let Some((_, domain)) = alternatives.get(*which as usize) {
                    entry(Step::Alternative(*which), domain, inner);
                }
            }
            (GroundDomain::Matrix(index, element), Value::Matrix(matrix)) if matrix.index == **index => {
                let entries = index.members().zip(matrix.elements.iter());
                entries.for_each(|(index, item)| entry(Step::Element(index), element, item));
            }
            (GroundDomain::Set(_, inner), Value::Set(members))
            | (GroundDomain::MSet(_, _, inner), Value::MSet(members)) => {
                members.iter().for_each(|member| entry(Step::Member(member.clone()), inner, member));
            }
            (GroundDomain::Function(_, from, to), Value::Function(pairs)) => {
                for (argument, image) in pairs.iter() {
                    entry(Step::Argument(argument.clone()), from, argument);
                    entry(Step::Image(argument.clone()), to, image);
                }
            }
            (GroundDomain::Sequence(_, inner), Value::Sequence(members)) => {
                members.iter().zip(1..).for_each(|(member, place)| entry(Step::Place(place), inner, member));
            }
            (GroundDomain::Permutation(_, inner), Value::Permutation(pairs)) => {
                pairs.iter().for_each(|(point, _)| entry(Step::Argument(point.clone()), inner, point));
            }
            // The tuples of a relation and the parts of a partition have domains that are not written.
            _ => {}
        }
    }
}

/// The violations that are found in a value.
struct Violations {
    shown: Vec<Violation>,
    count: usize,
    most: usize,
    role: Role,
}

impl Violations {
    fn gather(&mut self, domain: &GroundDomain, value: &Value, path: &mut Vec<Step>) {
        let before = self.count;
        domain.for_each_entry(value, &mut |step, domain, entry| {
            path.push(step);
            self.gather(domain, entry, path);
            path.pop();
        });
        let mut add = |violation: Violation| {
            if self.shown.len() < self.most {
                let path = path.iter().cloned().chain(violation.path).collect();
                self.shown.push(Violation { path, reason: violation.reason });
            }
            self.count += 1;
        };
        match (domain, value) {
            (GroundDomain::Relation(_, domains), Value::Relation(tuples)) => {
                for tuple in tuples.iter() {
                    if let Value::Tuple(items) = tuple
                        && let Err(violation) = check_components(domains.iter(), items, self.role)
                    {
                        within(|| Step::Member(tuple.clone()), Err(violation)).unwrap_or_else(|v| add(*v));
                    }
                }
            }
            (GroundDomain::Partition(_, inner), Value::Partition(parts)) => {
                for part in parts.iter() {
                    if let Value::Set(members) = part
                        && let Err(violation) = check_members(inner, members, self.role)
                    {
                        within(|| Step::Member(part.clone()), Err(violation)).unwrap_or_else(|v| add(*v));
                    }
                }
            }
            _ => {}
        }
        if self.count == before
            && let Err(violation) = domain.check(value, self.role)
        {
            let path = path.iter().cloned().chain(violation.path).collect();
            self.count += 1;
            if self.shown.len() < self.most {
                self.shown.push(Violation { path, reason: violation.reason });
            }
        }
    }
}

fn check_components<'a>(domains: impl Iterator<Item = &'a GroundDomain>, items: &[Value], role: Role) -> Checked {
    for (position, (domain, item)) in domains.zip(items).enumerate() {
        within(|| Step::Component(position), domain.check(item, role))?;
    }
    Ok(())
}

fn check_members(inner: &GroundDomain, members: &[Value], role: Role) -> Checked {
    members.iter().try_for_each(|member| within(|| Step::Member(member.clone()), inner.check(member, role)))
}

fn check_occurrences(bounds: &Size<i64>, inner: &GroundDomain, members: &[Value], role: Role) -> Checked {
    if *bounds == Size::default() {
        return Ok(());
    }
    let mut runs = members.chunk_by(|left, right| left == right);
    if let Some(run) = runs.find(|run| !allowed(bounds, run.len())) {
        return fail(Reason::Occurrences(run[0].clone(), run.len(), bounds.clone()));
    }
    if role == Role::Decision && bounds.min.is_some_and(|min| min > 0) {
        let missing = inner.members().find(|value| members.binary_search(value).is_err());
        return missing.map_or(Ok(()), |value| fail(Reason::Occurrences(value, 0, bounds.clone())));
    }
    Ok(())
}

fn check_images<'a>(
    attributes: &FunctionAttributes<i64>,
    to: &GroundDomain,
    pairs: impl Iterator<Item = (Value, &'a Value)>,
) -> Checked {
    if !attributes.injective && !attributes.surjective {
        return Ok(());
    }
    let mut sources: FxHashMap<&Value, Value> = FxHashMap::default();
    for (argument, image) in pairs {
        let again = argument.clone();
        if let Some(other) = sources.insert(image, argument)
            && attributes.injective
        {
            return fail(Reason::NotInjective(other, again, image.clone()));
        }
    }
    if attributes.surjective && to.is_finite() && to.size() != Some(sources.len() as u128) {
        let missing = to.members().find(|value| !sources.contains_key(value));
        return missing.map_or(Ok(()), |value| fail(Reason::NotSurjective(value)));
    }
    Ok(())
}

fn check_partition(
    attributes: &PartitionAttributes<i64>,
    inner: &GroundDomain,
    parts: &[Value],
    role: Role,
) -> Checked {
    let mut covered: FxHashSet<&Value> = FxHashSet::default();
    let mut first: Option<(&Value, usize)> = None;
    for part in parts {
        let Value::Set(members) = part else { return fail(Reason::Shape) };
        within(|| Step::Member(part.clone()), check_members(inner, members, role))?;
        if !allowed(&attributes.part_size, members.len()) {
            return fail(Reason::PartSize(part.clone(), attributes.part_size.clone()));
        }
        match first {
            Some((other, size)) if attributes.regular && size != members.len() => {
                return fail(Reason::NotRegular(other.clone(), part.clone()));
            }
            _ => first = first.or(Some((part, members.len()))),
        }
        covered.extend(members.iter());
    }
    if !allowed(&attributes.parts, parts.len()) {
        return fail(Reason::Parts(parts.len(), attributes.parts.clone()));
    }
    if role == Role::Decision && inner.size() != Some(covered.len() as u128) {
        let missing = inner.members().find(|value| !covered.contains(value));
        return missing.map_or(Ok(()), |value| fail(Reason::NotCovered(value)));
    }
    Ok(())
}

impl BinaryProperty {
    /// Whether it asks something of points that are in no pair.
    pub fn is_about_all_points(self) -> bool {
        use BinaryProperty::*;
        matches!(self, Reflexive | Total | LeftTotal | RightTotal | Connex)
    }

    /// Points that show that a relation, given by its pairs, does not have this property on a set of points.
    pub fn counterexample(self, pairs: &[Value], points: &[Value]) -> Option<Vec<Value>> {
        let related: FxHashSet<(&Value, &Value)> = pairs.iter().filter_map(both).collect();
        let pairs: Vec<(&Value, &Value)> = pairs.iter().filter_map(both).collect();
        let points: Vec<&Value> = points.iter().collect();
        let holds = |left, right| related.contains(&(left, right));
        let witness = self.witness(&pairs, &points, &holds, &|left, right| !holds(left, right))?;
        Some(witness.into_iter().cloned().collect())
    }

    /// Points that show that a relation with these pairs does not have this property, and cannot get it by
    /// more pairs unless these are `missing` for good.
    pub(super) fn witness<P: Copy + Eq + Hash>(
        self,
        pairs: &[(P, P)],
        points: &[P],
        holds: &dyn Fn(P, P) -> bool,
        missing: &dyn Fn(P, P) -> bool,
    ) -> Option<Vec<P>> {
        use BinaryProperty::*;
        let reversed = |pair: &(P, P)| holds(pair.1, pair.0);
        let pair = |found: Option<(P, P)>| found.map(|(left, right)| vec![left, right]);
        let point = |found: Option<&P>| found.map(|point| vec![*point]);
        let neither = |pair: &(P, P)| missing(pair.0, pair.1) && missing(pair.1, pair.0);
        let mut pairs_of_points = points.iter().flat_map(|left| points.iter().map(move |right| (*left, *right)));
        let mut given = pairs.iter().copied();
        match self {
            Reflexive => point(points.iter().find(|point| missing(**point, **point))),
            Irreflexive => given.find(|(left, right)| left == right).map(|(left, _)| vec![left]),
            Coreflexive => pair(given.find(|(left, right)| left != right)),
            Symmetric => pair(given.find(|(left, right)| missing(*right, *left))),
            AntiSymmetric => pair(given.find(|pair| pair.0 != pair.1 && reversed(pair))),
            ASymmetric => pair(given.find(reversed)),
            Total => pair(pairs_of_points.find(neither)),
            Connex => pair(pairs_of_points.find(|pair| pair.0 != pair.1 && neither(pair))),
            LeftTotal => point(points.iter().find(|left| points.iter().all(|right| missing(**left, *right)))),
            RightTotal => point(points.iter().find(|right| points.iter().all(|left| missing(*left, **right)))),
            Transitive | Euclidean => {
                let mut images: FxHashMap<P, Vec<P>> = FxHashMap::default();
                pairs.iter().for_each(|(left, right)| images.entry(*left).or_default().push(*right));
                given.find_map(|(left, middle)| {
                    let (from, to) = if self == Transitive { (middle, left) } else { (left, middle) };
                    let right = images.get(&from)?.iter().find(|right| missing(to, **right))?;
                    Some(vec![left, middle, *right])
                })
            }
        }
    }
}

/// The components of a pair.
fn both(tuple: &Value) -> Option<(&Value, &Value)> {
    match tuple {
        Value::Tuple(items) if items.len() == 2 => Some((&items[0], &items[1])),
        _ => None,
    }
}
