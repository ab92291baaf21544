//! Values of earlier plans in the domains of today: what no longer fits is left out or replaced, the rest stays.

use super::Value;
use crate::language::{
    self, Collection, GroundDomain, MemberForm, Type,
    attributes::{Attributes, Property},
    print::MemberNames,
    quotation::unquoted,
    value::Matrix,
};

impl Value {
    /// The value of a domain that has the most in common with this one in an obvious way; `None` if there is no such
    /// value. What is missing is the value in this place of its domain.
    pub(crate) fn fitted(
        &self,
        ty: &Type,
        domain: &GroundDomain,
        (names, place): (&MemberNames, usize),
    ) -> Option<language::Value> {
        use language::Value as Inner;
        match (self, ty, domain) {
            (Value::Bool(value), _, GroundDomain::Bool) => Some(Inner::Bool(*value)),
            (Value::Int(value), Type::Int(_), GroundDomain::Int(values)) => {
                values.contains(*value).then_some(Inner::Int(*value))
            }
            (Value::Member(name), Type::Named(named), GroundDomain::Int(values)) => {
                let is_it = |position: &i64| unquoted(&names.member(named, *position)) == name.as_str();
                values.iter().find(is_it).map(Inner::Int)
            }
            (Value::Tuple(items), Type::Tuple(types), GroundDomain::Tuple(domains)) if items.len() == domains.len() => {
                let item =
                    |((item, ty), domain): ((&Value, &Type), &GroundDomain)| item.near(ty, domain, (names, place));
                let items: Option<Vec<_>> = items.iter().zip(types.iter()).zip(domains).map(item).collect();
                items.map(Inner::tuple)
            }
            (Value::Record(fields), Type::Record(types), GroundDomain::Record(domains)) => {
                let item = |((name, ty), (_, domain)): (&(language::Name, Type), &(language::Name, GroundDomain))| {
                    let field = fields.iter().find(|(other, _)| unquoted(name) == other.as_str());
                    field.map_or_else(|| filler(domain, place), |(_, field)| field.near(ty, domain, (names, place)))
                };
                let items: Option<Vec<_>> = types.iter().zip(domains).map(item).collect();
                items.map(Inner::tuple)
            }
            (Value::Variant(name, inner), Type::Variant(types), GroundDomain::Variant(domains)) => {
                let tag = types.iter().position(|(other, _)| unquoted(other) == name.as_str())?;
                let inner = inner.near(&types[tag].1, &domains.get(tag)?.1, (names, place))?;
                Some(Inner::Variant(tag as u32, inner.into()))
            }
            (Value::Matrix(entries), Type::Matrix(types), GroundDomain::Matrix(index, element)) => {
                let value = |at: language::Value| {
                    let at = Value::new(&at, &types[0], names);
                    let entry = entries.iter().find(|(other, _)| *other == at);
                    entry.map_or_else(
                        || filler(element, place),
                        |(_, entry)| entry.near(&types[1], element, (names, place)),
                    )
                };
                let elements: Option<Vec<_>> = index.members().map(value).collect();
                let matrix = Matrix { elements: elements?, index: (**index).clone() };
                Some(Inner::Matrix(matrix.into()))
            }
            (_, Type::Collection(kind, types), GroundDomain::Collection(_, attributes, parts)) => {
                self.fitted_collection(*kind, types, (domain, attributes, parts), (names, place))
            }
            _ => None,
        }
    }

    /// The value, fitted to a domain, or the one in a place of the domain.
    fn near(&self, ty: &Type, domain: &GroundDomain, (names, place): (&MemberNames, usize)) -> Option<language::Value> {
        self.fitted(ty, domain, (names, place)).or_else(|| filler(domain, place))
    }

    /// The members that fit, as many as there may be, and others if these are too few. A total function gets an image
    /// for all arguments.
    fn fitted_collection(
        &self,
        kind: Collection,
        types: &[Type],
        (domain, attributes, parts): (&GroundDomain, &Attributes<i64>, &[GroundDomain]),
        (names, place): (&MemberNames, usize),
    ) -> Option<language::Value> {
        use language::Value as Inner;
        let fit = |value: &Value, part: usize| value.fitted(types.get(part)?, parts.get(part)?, (names, place));
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
            let known: Vec<Inner> = members.iter().filter_map(|pair| pair.components().first().cloned()).collect();
            let missing = parts[0].members().filter(|argument| !known.contains(argument));
            let image = filler(&parts[1], place)?;
            members.extend(missing.map(|argument| Inner::tuple([argument, image.clone()])));
        }
        let fewest = attributes.size().min.and_then(|min| usize::try_from(min).ok()).unwrap_or(0);
        let lacking = fewest.saturating_sub(members.len());
        if lacking > 0 && matches!(kind.form(), MemberForm::Values | MemberForm::Positions) {
            let others = parts[0].members().skip(place).filter(|member| !members.contains(member));
            let others: Vec<Inner> = others.take(lacking).collect();
            members.extend(others);
        }
        members.truncate(attributes.size().max.and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX));
        Inner::of(kind, members).filter(|value| domain.contains(value))
    }
}

/// The points of a cycle that fit, each with the next one.
fn moves(cycle: &[Value], fit: &dyn Fn(&Value, usize) -> Option<language::Value>) -> Vec<language::Value> {
    let points: Vec<language::Value> = cycle.iter().filter_map(|point| fit(point, 0)).collect();
    let images = points.iter().cycle().skip(1);
    points.iter().zip(images).map(|(point, image)| language::Value::tuple([point.clone(), image.clone()])).collect()
}

/// The value in a place of a domain, or the first one.
fn filler(domain: &GroundDomain, place: usize) -> Option<language::Value> {
    domain.members().nth(place).or_else(|| domain.members().next())
}
