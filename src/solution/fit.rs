//! Fits values of earlier plans to the current domains: parts that no longer fit are left out or replaced.

use super::Value;
use crate::language::{
    self, Collection, GroundDomain, MemberForm, NamedType, Type,
    attributes::{Attributes, Property},
    print::{MemberNames, unnamed_position},
    quotation::unquoted,
    value::Matrix,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cell::RefCell, collections::BTreeMap};

/// The way in which values are fitted to domains.
pub(crate) struct Fitting<'a> {
    /// The current names of the members.
    names: &'a MemberNames,
    /// The position, in its domain, of the value that replaces a missing one.
    place: usize,
    /// The positions of the members of the types that were mentioned, by their texts.
    positions: RefCell<FxHashMap<u32, FxHashMap<String, i64>>>,
}

impl<'a> Fitting<'a> {
    pub(crate) fn new(names: &'a MemberNames, position: usize) -> Self {
        Fitting { names, place: position, positions: RefCell::default() }
    }

    /// The 1-based position of a member.
    fn position(&self, named: &NamedType, text: &str) -> Option<i64> {
        let mut positions = self.positions.borrow_mut();
        let positions = positions.entry(named.id).or_insert_with(|| {
            let listed = self.names.listed(named).iter().map(|name| unquoted(name).into_owned());
            listed.zip(1..).collect()
        });
        let numbered = || if named.unnamed { unnamed_position(&named.name, text) } else { None };
        positions.get(text).copied().or_else(numbered)
    }
}

impl Value {
    /// The value of a domain that has the most in common with this one in an obvious way; `None` if there is no such
    /// value. A missing part gets the replacement from its domain.
    pub(crate) fn fitted(&self, ty: &Type, domain: &GroundDomain, fitting: &Fitting) -> Option<language::Value> {
        use language::Value as Inner;
        match (self, ty, domain) {
            (Value::Bool(value), _, GroundDomain::Bool) => Some(Inner::Bool(*value)),
            (Value::Int(value), Type::Int(_), GroundDomain::Int(values)) => {
                values.contains(*value).then_some(Inner::Int(*value))
            }
            (Value::Member(name), Type::Named(named), GroundDomain::Int(values)) => {
                fitting.position(named, name).filter(|position| values.contains(*position)).map(Inner::Int)
            }
            (Value::Tuple(items), Type::Tuple(types), GroundDomain::Tuple(domains)) if items.len() == domains.len() => {
                let item = |((item, ty), domain): ((&Value, &Type), &GroundDomain)| item.near(ty, domain, fitting);
                let items: Option<Vec<_>> = items.iter().zip(types.iter()).zip(domains).map(item).collect();
                items.map(Inner::tuple)
            }
            (Value::Record(fields), Type::Record(types), GroundDomain::Record(domains)) => {
                let item = |((name, ty), (_, domain)): (&(language::Name, Type), &(language::Name, GroundDomain))| {
                    let field = fields.iter().find(|(other, _)| unquoted(name) == other.as_str());
                    field.map_or_else(|| filler(domain, fitting.place), |(_, field)| field.near(ty, domain, fitting))
                };
                let items: Option<Vec<_>> = types.iter().zip(domains).map(item).collect();
                items.map(Inner::tuple)
            }
            (Value::Variant(name, inner), Type::Variant(types), GroundDomain::Variant(domains)) => {
                let tag = types.iter().position(|(other, _)| unquoted(other) == name.as_str())?;
                let inner = inner.near(&types[tag].1, &domains.get(tag)?.1, fitting)?;
                Some(Inner::Variant(tag as u32, inner.into()))
            }
            (Value::Matrix(entries), Type::Matrix(types), GroundDomain::Matrix(index, element)) => {
                let mut known: BTreeMap<&Value, &Value> = BTreeMap::new();
                for (at, entry) in entries {
                    // If an index occurs twice, its first entry counts.
                    known.entry(at).or_insert(entry);
                }
                let value = |at: language::Value| match known.get(&Value::new(&at, &types[0], fitting.names)) {
                    Some(entry) => entry.near(&types[1], element, fitting),
                    None => filler(element, fitting.place),
                };
                let elements: Option<Vec<_>> = index.members().map(value).collect();
                let matrix = Matrix { elements: elements?, index: (**index).clone() };
                Some(Inner::Matrix(matrix.into()))
            }
            (_, Type::Collection(kind, types), GroundDomain::Collection(_, attributes, parts)) => {
                self.fitted_collection(*kind, types, domain, attributes, parts, fitting)
            }
            _ => None,
        }
    }

    /// The value fitted to a domain, or the replacement from the domain.
    fn near(&self, ty: &Type, domain: &GroundDomain, fitting: &Fitting) -> Option<language::Value> {
        self.fitted(ty, domain, fitting).or_else(|| filler(domain, fitting.place))
    }

    /// The members that fit, up to the largest size, and others if there are too few. A total function gets an image
    /// for all arguments.
    fn fitted_collection(
        &self,
        kind: Collection,
        types: &[Type],
        domain: &GroundDomain,
        attributes: &Attributes<i64>,
        parts: &[GroundDomain],
        fitting: &Fitting,
    ) -> Option<language::Value> {
        use language::Value as Inner;
        let fit = |value: &Value, part: usize| value.fitted(types.get(part)?, parts.get(part)?, fitting);
        let member = |items: Vec<&Value>| match kind.form() {
            MemberForm::Blocks => Some(Inner::set(items.into_iter().filter_map(|item| fit(item, 0)).collect())),
            MemberForm::Pairs | MemberForm::Tuples => {
                let items: Option<Vec<Inner>> = (0..).zip(items).map(|(at, item)| fit(item, at)).collect();
                items.map(Inner::tuple)
            }
            MemberForm::Values | MemberForm::Positions => fit(items.first()?, 0),
            MemberForm::Cycles => None,
        };
        let mut members: Vec<Inner> = match self {
            Value::Permutation(cycles) => cycles.iter().flat_map(|cycle| moves(cycle, &fit)).collect(),
            _ => self.members().into_iter().filter_map(member).collect(),
        };
        if kind.form() == MemberForm::Pairs && attributes.has(Property::Total) {
            let known: FxHashSet<Inner> =
                members.iter().filter_map(|pair| pair.components().first().cloned()).collect();
            let missing = parts[0].members().filter(|argument| !known.contains(argument));
            let image = filler(&parts[1], fitting.place)?;
            members.extend(missing.map(|argument| Inner::tuple([argument, image.clone()])));
        }
        let fewest = attributes.size().min.and_then(|min| usize::try_from(min).ok()).unwrap_or(0);
        let lacking = fewest.saturating_sub(members.len());
        // In the other forms, an additional member might conflict with the existing ones.
        if lacking > 0 && matches!(kind.form(), MemberForm::Values | MemberForm::Positions) {
            let known: FxHashSet<&Inner> = members.iter().collect();
            let others = parts[0].members().skip(fitting.place).filter(|member| !known.contains(member));
            let others: Vec<Inner> = others.take(lacking).collect();
            members.extend(others);
        }
        members.truncate(attributes.size().max.and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX));
        // If an attribute such as `injective` is still violated, the value does not fit at all.
        Inner::of(kind, members).filter(|value| domain.contains(value))
    }
}

/// The points of a cycle that fit, each with the next one.
fn moves(cycle: &[Value], fit: &dyn Fn(&Value, usize) -> Option<language::Value>) -> Vec<language::Value> {
    let points: Vec<language::Value> = cycle.iter().filter_map(|point| fit(point, 0)).collect();
    let images = points.iter().cycle().skip(1);
    points.iter().zip(images).map(|(point, image)| language::Value::tuple([point.clone(), image.clone()])).collect()
}

/// The value at a position of a domain, or the first one.
fn filler(domain: &GroundDomain, position: usize) -> Option<language::Value> {
    domain.members().nth(position).or_else(|| domain.members().next())
}
