//! The bounds and attributes of decision variables' domains as requirements: a domain without them, and the terms that
//! say what it lacks.
//!
//! An integer has values on both sides of its bounds then, though not infinitely many; what takes the place of an argument
//! (the indices of a matrix, the arguments of a function, the elements of a partition) stays as it is.

use super::{
    requirements::{Bound, Origin, Requirement, Side},
    *,
};
use crate::{
    analysis::model::{self, Ints, Range},
    language::{
        IntSet,
        domain::{FunctionAttributes, PartitionAttributes, RelationAttributes, Size},
    },
    problem::Int,
    source::Span,
    symbolic::Member,
};

/// What is left out of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Without {
    pub bounds: bool,
    pub attributes: bool,
}

/// How many more members a collection that needs a largest size may have.
const MORE: i64 = 8;

/// A domain without bounds or attributes: integers range this far beyond their bounds.
pub fn widened(
    domain: &GroundDomain,
    written: &model::Domain,
    types: &Environment,
    beyond: i64,
    without: Without,
) -> GroundDomain {
    let widen = |domain: &GroundDomain, written: &model::Domain| widened(domain, written, types, beyond, without);
    let free = |size: &Size<i64>| if without.attributes { Size::default() } else { size.clone() };
    // Where a largest size is needed, it is moved.
    let moved = |size: &Size<i64>| match without.attributes {
        true => Size { min: None, max: size.max.map(|max| max.max(0).saturating_add(MORE)) },
        false => size.clone(),
    };
    match (domain, written) {
        (GroundDomain::Int(values), model::Domain::Int(ints)) if without.bounds => match ints {
            Ints::Named(id, _) => GroundDomain::Int(IntSet::range(1, types.size_of_type(id.0).unwrap_or(0))),
            Ints::Ranges(_) | Ints::Members(_) => {
                // An empty domain has bounds that exclude each other.
                let (low, high) = match (values.min(), values.max()) {
                    (Some(low), Some(high)) => (low, high),
                    _ => ends(ints, types).unwrap_or((0, 0)),
                };
                let (low, high) = (low.min(high), low.max(high));
                GroundDomain::Int(IntSet::range(low.saturating_sub(beyond), high.saturating_add(beyond)))
            }
        },
        (GroundDomain::Tuple(items), model::Domain::Tuple(written)) => {
            GroundDomain::Tuple(items.iter().zip(written).map(|(item, written)| widen(item, written)).collect())
        }
        (GroundDomain::Record(fields), model::Domain::Record(written)) => GroundDomain::Record(
            fields
                .iter()
                .zip(written)
                .map(|((name, field), (_, written))| (name.clone(), widen(field, written)))
                .collect(),
        ),
        (GroundDomain::Matrix(index, element), model::Domain::Matrix(_, written)) => {
            GroundDomain::Matrix(index.clone(), Box::new(widen(element, written)))
        }
        (GroundDomain::Set(size, inner), model::Domain::Set(_, written)) => {
            GroundDomain::Set(free(size), Box::new(widen(inner, written)))
        }
        (GroundDomain::MSet(size, occurrences, inner), model::Domain::MSet(_, _, written)) => GroundDomain::MSet(
            moved(size),
            moved(occurrences),
            Box::new(if occurrences.min.is_some() { GroundDomain::clone(inner) } else { widen(inner, written) }),
        ),
        (GroundDomain::Function(attributes, from, to), model::Domain::Function(_, _, written)) => {
            let to = if attributes.surjective { GroundDomain::clone(to) } else { widen(to, written) };
            let attributes = if without.attributes { FunctionAttributes::default() } else { attributes.clone() };
            GroundDomain::Function(attributes, from.clone(), Box::new(to))
        }
        (GroundDomain::Sequence(attributes, inner), model::Domain::Sequence(_, written)) => {
            let inner = if attributes.surjective { GroundDomain::clone(inner) } else { widen(inner, written) };
            let attributes = match without.attributes {
                true => FunctionAttributes { size: moved(&attributes.size), ..FunctionAttributes::default() },
                false => attributes.clone(),
            };
            GroundDomain::Sequence(attributes, Box::new(inner))
        }
        (GroundDomain::Relation(attributes, columns), model::Domain::Relation(_, written)) => {
            let columns = match attributes.properties.is_empty() {
                true => columns.iter().zip(written).map(|(column, written)| widen(column, written)).collect(),
                false => columns.clone(),
            };
            let attributes = if without.attributes { RelationAttributes::default() } else { attributes.clone() };
            GroundDomain::Relation(attributes, columns)
        }
        (GroundDomain::Partition(attributes, inner), _) => {
            let attributes = if without.attributes { PartitionAttributes::default() } else { attributes.clone() };
            GroundDomain::Partition(attributes, inner.clone())
        }
        (GroundDomain::Permutation(moved, inner), _) => GroundDomain::Permutation(free(moved), inner.clone()),
        _ => domain.clone(),
    }
}

/// The bounds of an interval that has no values.
fn ends(ints: &Ints, types: &Environment) -> Option<(i64, i64)> {
    let value = |bound: &Expr| match crate::instance::evaluate(bound, &mut types.clone()) {
        Ok(Value::Int(value)) => Some(value),
        _ => None,
    };
    match ints {
        Ints::Ranges(ranges) => match ranges.as_slice() {
            [Range::Interval(Some(low), Some(high)), ..] => Some((value(low)?, value(high)?)),
            _ => None,
        },
        _ => None,
    }
}

/// The requirements of one decision variable's domain.
pub(super) struct Bounds<'l, 'm> {
    lowering: &'l mut Lowering<'m>,
    variable: DeclarationId,
    parts: Vec<Bounded>,
}

/// One bound or attribute, for all the terms that it speaks of.
struct Bounded {
    says: String,
    span: Option<Span>,
    word: &'static str,
    conditions: Vec<Bool>,
    /// How many numbers are bounded.
    numbers: usize,
    side: Side,
    number: i64,
}

/// A bound that is being stated: where it is written, and the term that it is about, where a condition holds.
struct Subject<'a> {
    what: &'a str,
    guard: Bool,
}

impl<'l, 'm> Bounds<'l, 'm> {
    /// What a domain has and the other one lacks, of a term that was declared with the other.
    pub fn of(
        lowering: &'l mut Lowering<'m>,
        variable: DeclarationId,
        term: &Term,
        own: &GroundDomain,
        other: &GroundDomain,
    ) -> Vec<Requirement> {
        let declaration = &lowering.model.declarations[variable.0 as usize];
        let DeclarationKind::Find(written) = &declaration.kind else { return Vec::new() };
        let what = format!("`{}`", declaration.name);
        let mut bounds = Bounds { lowering, variable, parts: Vec::new() };
        bounds.domain(written, own, other, term, &Subject { what: &what, guard: Bool::TRUE });
        bounds.requirements()
    }

    fn requirements(self) -> Vec<Requirement> {
        let Bounds { lowering, variable, parts } = self;
        let problem = &mut lowering.symbolic.problem;
        let mut requirements = Vec::new();
        for part in parts {
            let condition = problem.and(part.conditions);
            if condition == Bool::TRUE {
                continue;
            }
            // Several numbers with one value each have no bound in common.
            let is_bound = part.numbers == 1 || (part.numbers > 1 && part.side != Side::Exactly);
            let bound = is_bound.then_some(Bound { side: part.side, number: part.number, offset: 0 });
            let origin = Origin::Domain { variable, says: part.says, span: part.span, word: part.word };
            requirements.push(Requirement { origin, condition, bound });
        }
        requirements
    }

    /// Adds a condition to the requirement of this wording.
    fn state(
        &mut self,
        subject: &Subject,
        says: String,
        place: (Option<Span>, &'static str),
        holds: Bool,
    ) -> &mut Bounded {
        let condition = self.lowering.symbolic.problem.implies(subject.guard, holds);
        let known = self.parts.iter().position(|part| part.says == says && part.span == place.0);
        let position = known.unwrap_or_else(|| {
            let (span, word) = place;
            self.parts.push(Bounded {
                says,
                span,
                word,
                conditions: Vec::new(),
                numbers: 0,
                side: Side::Exactly,
                number: 0,
            });
            self.parts.len() - 1
        });
        let part = &mut self.parts[position];
        part.conditions.push(condition);
        part
    }

    fn bound(
        &mut self,
        subject: &Subject,
        says: String,
        place: (Option<Span>, &'static str),
        term: Int,
        side: Side,
        number: i64,
    ) {
        let problem = &mut self.lowering.symbolic.problem;
        let holds = match side {
            Side::AtLeast => !problem.at_most_constant(term, number.saturating_sub(1)),
            Side::AtMost => problem.at_most_constant(term, number),
            Side::Exactly => problem.equals_constant(term, number),
        };
        let part = self.state(subject, says, place, holds);
        part.numbers += 1;
        (part.side, part.number) = (side, number);
    }

    fn size(&mut self, subject: &Subject, size: &Size<i64>, written: &Size<Expr>, term: Int, nouns: [&str; 2]) {
        let [verb, noun] = nouns;
        let noun = |count: i64| if count == 1 { noun.to_owned() } else { format!("{noun}s") };
        let what = subject.what;
        let span = |expr: &Option<Expr>| expr.as_ref().map(|expr| expr.span);
        match (size.min, size.max) {
            (Some(min), Some(max)) if min == max && span(&written.min) == span(&written.max) => {
                let says = format!("{what} {verb} exactly {min} {}", noun(min));
                self.bound(subject, says, (span(&written.min), ""), term, Side::Exactly, min);
            }
            (min, max) => {
                if let Some(min) = min {
                    let says = format!("{what} {verb} at least {min} {}", noun(min));
                    self.bound(subject, says, (span(&written.min), ""), term, Side::AtLeast, min);
                }
                if let Some(max) = max {
                    let says = format!("{what} {verb} at most {max} {}", noun(max));
                    self.bound(subject, says, (span(&written.max), ""), term, Side::AtMost, max);
                }
            }
        }
    }

    fn domain(
        &mut self,
        written: &model::Domain,
        own: &GroundDomain,
        other: &GroundDomain,
        term: &Term,
        subject: &Subject,
    ) {
        if own == other || subject.guard == Bool::FALSE {
            return;
        }
        let Subject { what, guard } = *subject;
        match (written, own, other) {
            (model::Domain::Int(ints), GroundDomain::Int(values), GroundDomain::Int(_)) => {
                let term = self.lowering.symbolic.int(term);
                self.ints(subject, ints, values, term);
            }
            (model::Domain::Tuple(written), GroundDomain::Tuple(own), GroundDomain::Tuple(other)) => {
                for (position, ((written, own), other)) in written.iter().zip(own).zip(other).enumerate() {
                    let what = format!("component {} of {what}", position + 1);
                    self.domain(written, own, other, &term.item(position), &Subject { what: &what, guard });
                }
            }
            (model::Domain::Record(written), GroundDomain::Record(own), GroundDomain::Record(other)) => {
                for (position, (((name, written), (_, own)), (_, other))) in
                    written.iter().zip(own).zip(other).enumerate()
                {
                    let what = format!("the field `{name}` of {what}");
                    self.domain(written, own, other, &term.item(position), &Subject { what: &what, guard });
                }
            }
            (model::Domain::Matrix(_, written), GroundDomain::Matrix(_, own), GroundDomain::Matrix(_, other)) => {
                let what =
                    if what.starts_with("each element") { what.to_owned() } else { format!("each element of {what}") };
                for member in self.lowering.symbolic.list_members(term) {
                    self.domain(written, own, other, &member.term, &Subject { what: &what, guard });
                }
            }
            (
                model::Domain::Set(size, written),
                GroundDomain::Set(own_size, own),
                GroundDomain::Set(other_size, other),
            ) => {
                if own_size != other_size {
                    let count = self.lowering.symbolic.size(term);
                    self.size(subject, own_size, size, count, ["has", "member"]);
                }
                self.members(subject, "member", written, own, other, term, None);
            }
            (
                model::Domain::MSet(size, occurrences, written),
                GroundDomain::MSet(own_size, own_occurrences, own),
                GroundDomain::MSet(other_size, other_occurrences, other),
            ) => {
                if own_size != other_size {
                    let count = self.lowering.symbolic.size(term);
                    self.size(subject, own_size, size, count, ["has", "member"]);
                }
                if own_occurrences != other_occurrences {
                    let members = self.lowering.symbolic.members(term);
                    let values: Vec<Term> = match own_occurrences.min {
                        Some(_) => own.members().map(Term::Value).collect(),
                        None => members.members.iter().map(|member| member.term.clone()).collect(),
                    };
                    for value in values {
                        let frequency = self.lowering.symbolic.frequency(&members.members, &value);
                        let what = format!("each value in {what}");
                        let subject = Subject { what: &what, guard };
                        self.size(&subject, own_occurrences, occurrences, frequency, ["has", "occurrence"]);
                    }
                }
                self.members(subject, "member", written, own, other, term, None);
            }
            (
                model::Domain::Function(attributes, _, written),
                GroundDomain::Function(own_attributes, from, own),
                GroundDomain::Function(other_attributes, _, other),
            ) => {
                if own_attributes != other_attributes {
                    let count = self.lowering.symbolic.size(term);
                    self.size(subject, &own_attributes.size, &attributes.size, count, ["has", "argument"]);
                    if own_attributes.total {
                        let total = self.lowering.reaches(term, 0, from);
                        self.state(
                            subject,
                            format!("{what} is total: it has an image for each argument"),
                            (None, "total"),
                            total,
                        );
                    }
                    self.images(subject, own_attributes, own, term);
                }
                self.members(subject, "image", written, own, other, term, Some(1));
            }
            (
                model::Domain::Sequence(attributes, written),
                GroundDomain::Sequence(own_attributes, own),
                GroundDomain::Sequence(other_attributes, other),
            ) => {
                if own_attributes != other_attributes {
                    let count = self.lowering.symbolic.size(term);
                    self.size(subject, &own_attributes.size, &attributes.size, count, ["has", "element"]);
                    self.images(subject, own_attributes, own, term);
                }
                self.members(subject, "element", written, own, other, term, Some(1));
            }
            (
                model::Domain::Relation(attributes, written),
                GroundDomain::Relation(own_attributes, own),
                GroundDomain::Relation(other_attributes, other),
            ) => {
                if own_attributes != other_attributes {
                    let count = self.lowering.symbolic.size(term);
                    self.size(subject, &own_attributes.size, &attributes.size, count, ["has", "tuple"]);
                    let members = self.lowering.symbolic.members(term);
                    let points: Vec<Term> = crate::instance::points(own).into_iter().map(Term::Value).collect();
                    for property in &own_attributes.properties {
                        let holds = self.lowering.symbolic.has_property(&members, &points, *property);
                        let says = format!("{what} is `{}`", property.word());
                        self.state(subject, says, (None, property.word()), holds);
                    }
                }
                for (position, ((written, own), other)) in written.iter().zip(own).zip(other).enumerate() {
                    let noun = format!("component {} of each tuple", position + 1);
                    self.members(subject, &noun, written, own, other, term, Some(position));
                }
            }
            (model::Domain::Partition(attributes, _), GroundDomain::Partition(own, _), _) => {
                let parts: Vec<Member> = self.lowering.symbolic.members(term).members.clone();
                let count = self.lowering.symbolic.problem.count(parts.iter().map(|part| part.condition));
                self.size(subject, &own.parts, &attributes.parts, count, ["has", "part"]);
                let sizes: Vec<Int> = parts.iter().map(|part| self.lowering.symbolic.size(&part.term)).collect();
                for (part, size) in parts.iter().zip(&sizes) {
                    let what = format!("each part of {what}");
                    let guard = self.lowering.symbolic.problem.and([guard, part.condition]);
                    let subject = Subject { what: &what, guard };
                    self.size(&subject, &own.part_size, &attributes.part_size, *size, ["has", "member"]);
                }
                if own.regular {
                    for (position, (left, left_size)) in parts.iter().zip(&sizes).enumerate() {
                        for (right, right_size) in parts.iter().zip(&sizes).skip(position + 1) {
                            let problem = &mut self.lowering.symbolic.problem;
                            let same = problem.equal(*left_size, *right_size);
                            let holds = problem.or([!left.condition, !right.condition, same]);
                            let says = format!("{what} is regular: all its parts are of one size");
                            self.state(subject, says, (None, "regular"), holds);
                        }
                    }
                }
            }
            (model::Domain::Permutation(moved, _), GroundDomain::Permutation(own, _), _) => {
                let elements = self.lowering.symbolic.elements(term);
                let count = self.lowering.symbolic.problem.count(elements.iter().map(|member| member.condition));
                self.size(subject, own, moved, count, ["moves", "point"]);
            }
            _ => {}
        }
    }

    fn images(&mut self, subject: &Subject, attributes: &FunctionAttributes<i64>, to: &GroundDomain, term: &Term) {
        let what = subject.what;
        if attributes.injective {
            let holds = self.lowering.injective(term);
            self.state(
                subject,
                format!("{what} is injective: no two of its images are equal"),
                (None, "injective"),
                holds,
            );
        }
        if attributes.surjective {
            let holds = self.lowering.reaches(term, 1, to);
            self.state(subject, format!("{what} is surjective: every value is an image"), (None, "surjective"), holds);
        }
    }

    /// The members of a collection, or one item of each.
    #[expect(clippy::too_many_arguments, reason = "a domain in three forms, a term, and how to speak of it")]
    fn members(
        &mut self,
        subject: &Subject,
        noun: &str,
        written: &model::Domain,
        own: &GroundDomain,
        other: &GroundDomain,
        term: &Term,
        item: Option<usize>,
    ) {
        if own == other {
            return;
        }
        let what = match noun.contains(' ') {
            true => format!("{noun} of {}", subject.what),
            false => format!("each {noun} of {}", subject.what),
        };
        for member in self.lowering.symbolic.members(term).members.clone() {
            let guard = self.lowering.symbolic.problem.and([subject.guard, member.condition]);
            let part = item.map_or(member.term.clone(), |item| member.term.item(item));
            self.domain(written, own, other, &part, &Subject { what: &what, guard });
        }
    }

    /// The name of a member of an enumerated type that the model lists.
    fn member(&self, id: DeclarationId, position: i64) -> Option<crate::language::Name> {
        match &self.lowering.model.declarations[id.0 as usize].kind {
            DeclarationKind::Enum(members) => members.get(usize::try_from(position).ok()?.checked_sub(1)?).cloned(),
            _ => None,
        }
    }

    fn ints(&mut self, subject: &Subject, ints: &Ints, values: &IntSet, term: Int) {
        let what = subject.what;
        let (ranges, named) = match ints {
            Ints::Ranges(ranges) => (ranges.as_slice(), None),
            Ints::Named(id, ranges) => (ranges.as_slice(), Some(*id)),
            Ints::Members(_) => (&[][..], None),
        };
        if let [Range::Interval(low, high)] = ranges {
            let ends = [(low, Side::AtLeast), (high, Side::AtMost)];
            for (written, side) in ends {
                let Some(written) = written else { continue };
                let Ok(Value::Int(number)) = crate::instance::evaluate(written, &mut self.lowering.environment) else {
                    continue;
                };
                let member = named.and_then(|id| self.member(id, number));
                let number_or_name = member.map_or(number.to_string(), |name| format!("`{name}`"));
                let word = if side == Side::AtLeast { "at least" } else { "at most" };
                let says = format!("{what} is {word} {number_or_name}");
                self.bound(subject, says, (Some(written.span), ""), term, side, number);
            }
            return;
        }
        let span = match (ints, ranges.first(), ranges.last()) {
            (Ints::Members(members), ..) => Some(members.span),
            (_, Some(first), Some(last)) => {
                let span = |range: &Range| match range {
                    Range::Single(value) => Some(value.span),
                    Range::Interval(low, high) => low.as_ref().or(high.as_ref()).map(|bound| bound.span),
                };
                span(first).zip(span(last)).map(|(first, last)| first.to(last))
            }
            _ => None,
        };
        let holds = self.lowering.symbolic.problem.member(term, values);
        self.state(subject, format!("{what} has one of the values of its domain"), (span, ""), holds);
    }
}
