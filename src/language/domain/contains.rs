//! Membership of values in domains, with the reason if a value is outside.
//!
//! The reason is data, because values and domains do not know the names of enumerated types; callers that have the
//! names put it into words.

use super::{Attributes, GroundDomain, Size};
use crate::language::{
    IntSet, Value,
    attributes::{Measure, Property, is_within},
};

/// The kind of declaration that the domain belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DomainRole {
    /// A decision variable, or a name that ranges over the domain: its partitions cover their domain, and every
    /// value occurs at least `minOccur` times in its multisets.
    Decision,
    /// A parameter: partitions may leave values out, and `minOccur` applies only to values that occur.
    Parameter,
}

/// The reason why a value is not in a domain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Violation {
    /// The path to the wrong part, from outside to inside.
    pub path: Vec<ValueStep>,
    pub reason: OutsideReason,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueStep {
    /// A 0-based component of a tuple, a record or a tuple of a relation.
    Component(usize),
    /// A 0-based alternative of a variant.
    Alternative(u32),
    /// The element at this index of a matrix.
    Element(Value),
    /// The member at this 1-based position of a sequence.
    Place(usize),
    /// This member of a set, a multiset, a relation; this part of a partition.
    Member(Value),
    /// This argument of a function, or this point of a permutation.
    Argument(Value),
    /// The image of this argument.
    Image(Value),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OutsideReason {
    /// An integer, or the position of a member of a named type, that is not among the allowed ones.
    NotIn(i64, IntSet),
    /// The matrix has the first index domain instead of the second.
    Index(GroundDomain, GroundDomain),
    /// A measure, the part that it counts (unless it is the whole value), its number, and the bounds that it violates.
    Measure(Measure, Option<Value>, usize, Size<i64>),
    /// A property that the value lacks, and the values that show it.
    Property(Property, Vec<Value>),
    /// A partition of a decision variable leaves this value out.
    NotCovered(Value),
    /// A value of another type.
    Shape,
}

pub(in crate::language) type Checked = Result<(), Box<Violation>>;

pub(in crate::language) fn fail(reason: OutsideReason) -> Checked {
    Err(Box::new(Violation { path: Vec::new(), reason }))
}

/// Puts a step before the path of a violation.
fn within_step(step: impl FnOnce() -> ValueStep, checked: Checked) -> Checked {
    checked.map_err(|mut violation| {
        violation.path.insert(0, step());
        violation
    })
}

impl GroundDomain {
    /// Returns true if a decision variable with this domain can have the value.
    pub(crate) fn contains(&self, value: &Value) -> bool {
        self.check(value, DomainRole::Decision).is_ok()
    }

    /// Returns the reason if a value is not a member.
    pub(crate) fn check(&self, value: &Value, role: DomainRole) -> Result<(), Box<Violation>> {
        match (self, value) {
            (GroundDomain::Bool, Value::Bool(_)) => Ok(()),
            (GroundDomain::Int(set), Value::Int(value)) => {
                if set.contains(*value) {
                    Ok(())
                } else {
                    fail(OutsideReason::NotIn(*value, set.clone()))
                }
            }
            (GroundDomain::Tuple(domains), Value::Tuple(items)) if domains.len() == items.len() => {
                check_components(domains.iter(), items, role)
            }
            // The sorted fields of a record make its values tuples.
            (GroundDomain::Record(fields), Value::Tuple(items)) if fields.len() == items.len() => {
                check_components(fields.iter().map(|(_, domain)| domain), items, role)
            }
            (GroundDomain::Variant(alternatives), Value::Variant(which, inner)) => {
                match alternatives.get(*which as usize) {
                    Some((_, domain)) => within_step(|| ValueStep::Alternative(*which), domain.check(inner, role)),
                    None => fail(OutsideReason::Shape),
                }
            }
            (GroundDomain::Matrix(index, element), Value::Matrix(matrix)) => {
                if matrix.index != **index {
                    return fail(OutsideReason::Index(matrix.index.clone(), (**index).clone()));
                }
                // Only a wrong element needs its index, so the index is computed after the search.
                let wrong = matrix.elements.iter().enumerate().find_map(|(position, item)| {
                    element.check(item, role).err().map(|violation| (position, violation))
                });
                let Some((position, violation)) = wrong else { return Ok(()) };
                within_step(
                    || ValueStep::Element(index.members().nth(position).unwrap_or(Value::FALSE)),
                    Err(violation),
                )
            }
            (GroundDomain::Collection(kind, attributes, parts), value) if value.collection() == Some(*kind) => {
                let form = kind.form();
                let mut entries = Ok(());
                form.for_each_entry(parts, value, &mut |step, domain, entry| {
                    // Only the first violation is reported here; `violations` finds all.
                    if entries.is_ok() {
                        entries = within_step(step, domain.check(entry, role));
                    }
                });
                entries?;
                for member in value.items() {
                    let Some(checked) = form.check_member(parts, member, role) else {
                        return fail(OutsideReason::Shape);
                    };
                    within_step(|| ValueStep::Member(member.clone()), checked)?;
                }
                // The entries are checked first, because a wrong member is a better reason than a wrong size.
                self.check_attributes(attributes, value)?;
                kind.row().check_whole((attributes, parts), value, role)
            }
            _ => fail(OutsideReason::Shape),
        }
    }

    fn check_attributes(&self, attributes: &Attributes<i64>, value: &Value) -> Checked {
        for (measure, bounds) in attributes.measures() {
            let wrong = measure.of(value).into_iter().find(|(_, number)| !is_within(bounds, *number as i64));
            if let Some((part, number)) = wrong {
                return fail(OutsideReason::Measure(*measure, part.cloned(), number, bounds.clone()));
            }
        }
        // The properties of relations concern all values of the domain, including those that do not occur.
        let sides = self.sides();
        for property in attributes.properties() {
            if let Some(witness) = property.counterexample(value, &sides) {
                return fail(OutsideReason::Property(*property, witness));
            }
        }
        Ok(())
    }
}

impl GroundDomain {
    /// The reasons why a value is not a member: a violation for each wrong entry, however deep inside, and for the
    /// whole if all its entries are right. Returns the first `most` violations and the number of all.
    pub(crate) fn violations(&self, value: &Value, role: DomainRole, most: usize) -> (Vec<Violation>, usize) {
        let mut found = Violations { shown: Vec::new(), count: 0, most, role };
        // Counting continues after the limit, because messages give the number of violations.
        if self.check(value, role).is_err() {
            found.gather(self, value, &mut Vec::new());
        }
        (found.shown, found.count)
    }

    /// The entries of a value, each with its domain.
    fn for_each_entry(&self, value: &Value, entry: &mut dyn FnMut(ValueStep, &GroundDomain, &Value)) {
        match (self, value) {
            (GroundDomain::Tuple(domains), Value::Tuple(items)) if domains.len() == items.len() => {
                domains
                    .iter()
                    .zip(items.iter())
                    .enumerate()
                    .for_each(|(at, (d, v))| entry(ValueStep::Component(at), d, v));
            }
            (GroundDomain::Record(fields), Value::Tuple(items)) if fields.len() == items.len() => {
                fields
                    .iter()
                    .zip(items.iter())
                    .enumerate()
                    .for_each(|(at, (f, v))| entry(ValueStep::Component(at), &f.1, v));
            }
            (GroundDomain::Variant(alternatives), Value::Variant(which, inner)) => {
                if let Some((_, domain)) = alternatives.get(*which as usize) {
                    entry(ValueStep::Alternative(*which), domain, inner);
                }
            }
            // A wrong index domain is a mistake in the whole matrix and not in its elements.
            (GroundDomain::Matrix(index, element), Value::Matrix(matrix)) if matrix.index == **index => {
                let entries = index.members().zip(matrix.elements.iter());
                entries.for_each(|(index, item)| entry(ValueStep::Element(index), element, item));
            }
            (GroundDomain::Collection(kind, _, parts), value) if value.collection() == Some(*kind) => {
                let mut visit =
                    |step: &dyn Fn() -> ValueStep, domain: &GroundDomain, part: &Value| entry(step(), domain, part);
                kind.form().for_each_entry(parts, value, &mut visit);
            }
            _ => {}
        }
    }
}

/// The violations that are found in a value.
struct Violations {
    shown: Vec<Violation>,
    count: usize,
    most: usize,
    role: DomainRole,
}

impl Violations {
    fn gather(&mut self, domain: &GroundDomain, value: &Value, path: &mut Vec<ValueStep>) {
        let before = self.count;
        domain.for_each_entry(value, &mut |step, domain, entry| {
            path.push(step);
            self.gather(domain, entry, path);
            path.pop();
        });
        // The path to this entry precedes the path inside the entry.
        let mut add = |violation: Violation| {
            if self.shown.len() < self.most {
                let path = path.iter().cloned().chain(violation.path).collect();
                self.shown.push(Violation { path, reason: violation.reason });
            }
            self.count += 1;
        };
        if let GroundDomain::Collection(kind, _, parts) = domain {
            for member in value.items() {
                if let Some(Err(violation)) = kind.form().check_member(parts, member, self.role) {
                    within_step(|| ValueStep::Member(member.clone()), Err(violation)).unwrap_or_else(|v| add(*v));
                }
            }
        }
        // The whole value is wrong only if no entry is.
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

pub(in crate::language) fn check_components<'a>(
    domains: impl Iterator<Item = &'a GroundDomain>,
    items: &[Value],
    role: DomainRole,
) -> Checked {
    for (position, (domain, item)) in domains.zip(items).enumerate() {
        within_step(|| ValueStep::Component(position), domain.check(item, role))?;
    }
    Ok(())
}

pub(in crate::language) fn check_members(inner: &GroundDomain, members: &[Value], role: DomainRole) -> Checked {
    members.iter().try_for_each(|member| within_step(|| ValueStep::Member(member.clone()), inner.check(member, role)))
}
