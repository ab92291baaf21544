//! Turns the bounds and attributes of decision variables' domains into requirements: [`widened`] builds a domain
//! without them, and [`BoundRequirements`] states them as terms.
//!
//! A widened domain of integers has finitely many values beyond both bounds. Domains of arguments are not widened: the
//! indices of a matrix, the arguments of a function, the elements of a partition.

use super::{
    requirement::{DomainBound, Requirement, RequirementOrigin, StatedBound},
    *,
};
use crate::{
    analysis::{
        model::{self, Ints, Range},
        units::PartUnits,
    },
    language::{
        IntSet, MemberForm,
        attributes::{Attributes, Limit, Measure, Property, PropertyForm, Size},
        quotation::unquoted,
    },
    operators::LARGEST,
    problem::Int,
    source::Span,
    symbolic::{MemberCounts, attributes},
};

/// The restrictions that are left out of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DomainRelaxation {
    pub bounds: bool,
    pub attributes: bool,
}

/// The number of members by which a widened collection may exceed its maximum size, if its representation needs one.
/// Chosen.
const MORE: i64 = 8;

/// Returns the domain without bounds or attributes. Integers range up to `beyond` past their bounds.
pub(crate) fn widened(
    domain: &GroundDomain,
    written: &model::ExprDomain,
    types: &Environment,
    beyond: i64,
    without: DomainRelaxation,
) -> GroundDomain {
    let widen = |domain: &GroundDomain, written: &model::ExprDomain| widened(domain, written, types, beyond, without);
    let free = |attributes: &Attributes<i64>| match without.attributes {
        true => Attributes::default(),
        false => attributes.clone(),
    };
    // Some kinds need a maximum size to have finitely many slots, so their size is raised and not removed.
    let moved = |attributes: &Attributes<i64>| match without.attributes {
        true => attributes.measures().iter().fold(Attributes::default(), |moved, (measure, size)| {
            let max = size.max.map(|max| max.max(0).saturating_add(MORE));
            moved.bounding(*measure, Size { min: None, max })
        }),
        false => attributes.clone(),
    };
    match (domain, written) {
        (GroundDomain::Int(values), model::ExprDomain::Int(ints)) if without.bounds => match ints {
            Ints::Named(id, _) => GroundDomain::Int(IntSet::range(1, types.size_of_type(id.0).unwrap_or(0))),
            Ints::Ranges(_) | Ints::Members(_) => {
                let (low, high) = match (values.min(), values.max()) {
                    (Some(low), Some(high)) => (low, high),
                    _ => interval_ends(ints, types).unwrap_or((0, 0)),
                };
                // In an empty domain such as `int(5..3)`, the ends are in the wrong order.
                let (low, high) = (low.min(high), low.max(high));
                let wider = IntSet::range(low.saturating_sub(beyond), high.saturating_add(beyond));
                GroundDomain::Int(wider.intersect(&IntSet::range(-LARGEST, LARGEST)))
            }
        },
        (GroundDomain::Tuple(items), model::ExprDomain::Tuple(written)) => {
            GroundDomain::Tuple(items.iter().zip(written).map(|(item, written)| widen(item, written)).collect())
        }
        (GroundDomain::Record(fields), model::ExprDomain::Record(written)) => GroundDomain::Record(
            fields
                .iter()
                .zip(written)
                .map(|((name, field), (_, written))| (name.clone(), widen(field, written)))
                .collect(),
        ),
        (GroundDomain::Matrix(index, element), model::ExprDomain::Matrix(_, written)) => {
            GroundDomain::Matrix(index.clone(), Box::new(widen(element, written)))
        }
        (GroundDomain::Collection(kind, attributes, parts), model::ExprDomain::Collection(_, _, written)) => {
            // `minOccur`, `surjective` and the properties of relations refer to all values of the domain, so a wider
            // domain would change their meaning.
            let asks_of_others = |property: &Property| {
                *property == Property::Surjective || matches!(property.form(), PropertyForm::Clause(_))
            };
            let every_value = attributes.bounds(Measure::Occurrences).min.is_some()
                || attributes.properties().iter().any(asks_of_others);
            let mut parts = parts.clone();
            if !every_value {
                kind.form().open_parts(parts.len()).for_each(|part| parts[part] = widen(&parts[part], &written[part]));
            }
            let attributes = if kind.row().needs_size() { moved(attributes) } else { free(attributes) };
            GroundDomain::Collection(*kind, attributes, parts)
        }
        _ => domain.clone(),
    }
}

/// The bounds of an interval domain, even if it has no values.
fn interval_ends(ints: &Ints, types: &Environment) -> Option<(i64, i64)> {
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

/// Collects the requirements of one decision variable's domain.
pub(super) struct BoundRequirements<'l, 'm> {
    lowering: &'l mut Lowering<'m>,
    variable: DeclarationId,
    /// The units on the path to the current part.
    units: PartUnits,
    parts: Vec<Restriction>,
}

/// One bound or attribute, together with all terms that it restricts.
struct Restriction {
    says: String,
    /// The wording with the bound in its unit.
    reads: String,
    span: Option<Span>,
    word: &'static str,
    what: String,
    conditions: Vec<Bool>,
    /// The number of terms that the bound restricts.
    numbers: usize,
    side: Limit,
    number: i64,
    stated: Option<DomainBound>,
}

/// The term that a bound restricts, with its description and the condition under which the bound applies.
struct BoundedTerm<'a> {
    what: &'a str,
    guard: Bool,
}

impl<'l, 'm> BoundRequirements<'l, 'm> {
    /// Returns the restrictions in `own` that are missing in `other`, for a term that was declared with `other`.
    pub(crate) fn of(
        lowering: &'l mut Lowering<'m>,
        variable: DeclarationId,
        term: &Term,
        own: &GroundDomain,
        other: &GroundDomain,
    ) -> Vec<Requirement> {
        // The domains of parameters are checked when they are bound, so only decision variables are left.
        let declaration = lowering.model.declaration(variable);
        let DeclarationKind::Find(written) = &declaration.kind else { return Vec::new() };
        let what = format!("`{}`", declaration.name);
        let mut bounds = BoundRequirements {
            units: PartUnits::of(&lowering.model.units, &declaration.name),
            lowering,
            variable,
            parts: Vec::new(),
        };
        bounds.domain(written, own, other, term, &BoundedTerm { what: &what, guard: Bool::TRUE });
        bounds.requirements()
    }

    fn requirements(self) -> Vec<Requirement> {
        let BoundRequirements { lowering, variable, parts, .. } = self;
        let problem = &mut lowering.symbolic.problem;
        let mut requirements = Vec::new();
        for part in parts {
            let condition = problem.and(part.conditions);
            if condition == Bool::TRUE {
                continue;
            }
            // Several terms with exact values have several bounds, so no single number can be changed.
            let is_bound = part.numbers == 1 || (part.numbers > 1 && part.side != Limit::Exactly);
            let bound = is_bound.then_some(StatedBound { side: part.side, number: part.number, offset: 0 });
            let origin = RequirementOrigin::Domain {
                variable,
                says: part.says,
                reads: part.reads,
                span: part.span,
                word: part.word,
                what: part.what,
                bound: part.stated,
            };
            requirements.push(Requirement { origin, condition, bound, needs: Vec::new() });
        }
        requirements
    }

    /// Adds a condition to the requirement with this wording and span, or to a new one.
    fn state(
        &mut self,
        subject: &BoundedTerm,
        says: String,
        place: (Option<Span>, &'static str),
        holds: Bool,
    ) -> &mut Restriction {
        let condition = self.lowering.symbolic.problem.implies(subject.guard, holds);
        // Requirements with the same text and span are one restriction on several terms.
        let known = self.parts.iter().position(|part| part.says == says && part.span == place.0);
        let position = known.unwrap_or_else(|| {
            let (span, word) = place;
            self.parts.push(Restriction {
                reads: says.clone(),
                says,
                span,
                word,
                what: subject.what.to_owned(),
                conditions: Vec::new(),
                numbers: 0,
                side: Limit::Exactly,
                number: 0,
                stated: None,
            });
            self.parts.len() - 1
        });
        let part = &mut self.parts[position];
        part.conditions.push(condition);
        part
    }

    fn bound(
        &mut self,
        subject: &BoundedTerm,
        says: String,
        place: (Option<Span>, &'static str),
        term: Int,
        side: Limit,
        number: i64,
    ) -> &mut Restriction {
        let problem = &mut self.lowering.symbolic.problem;
        // The term has the widened domain, so the bound can be violated.
        let holds = match side {
            Limit::AtLeast => !problem.at_most_constant(term, number.saturating_sub(1)),
            Limit::AtMost => problem.at_most_constant(term, number),
            Limit::Exactly => problem.equals_constant(term, number),
        };
        let part = self.state(subject, says, place, holds);
        part.numbers += 1;
        (part.side, part.number) = (side, number);
        part
    }

    fn size(
        &mut self,
        subject: &BoundedTerm,
        size: &Size<i64>,
        written: &Size<Expr>,
        term: Int,
        nouns: [&'static str; 2],
    ) {
        let [verb, counted] = nouns;
        let stated = |side, number: i64| Some(DomainBound { side, number: number.to_string(), counted: Some(counted) });
        let noun = |count: i64| if count == 1 { counted.to_owned() } else { format!("{counted}s") };
        let what = subject.what;
        let span = |expr: &Option<Expr>| expr.as_ref().map(|expr| expr.span);
        match (size.min, size.max) {
            // `size 3` has one expression for both bounds, so it is one restriction; `minSize 3, maxSize 3` are two.
            (Some(min), Some(max)) if min == max && span(&written.min) == span(&written.max) => {
                let says = format!("{what} {verb} exactly {min} {}", noun(min));
                self.bound(subject, says, (span(&written.min), ""), term, Limit::Exactly, min).stated =
                    stated(Limit::Exactly, min);
            }
            (min, max) => {
                if let Some(min) = min {
                    let says = format!("{what} {verb} at least {min} {}", noun(min));
                    self.bound(subject, says, (span(&written.min), ""), term, Limit::AtLeast, min).stated =
                        stated(Limit::AtLeast, min);
                }
                if let Some(max) = max {
                    let says = format!("{what} {verb} at most {max} {}", noun(max));
                    self.bound(subject, says, (span(&written.max), ""), term, Limit::AtMost, max).stated =
                        stated(Limit::AtMost, max);
                }
            }
        }
    }

    fn domain(
        &mut self,
        written: &model::ExprDomain,
        own: &GroundDomain,
        other: &GroundDomain,
        term: &Term,
        subject: &BoundedTerm,
    ) {
        // Equal domains restrict nothing, and under a false guard there is no value to restrict.
        if own == other || subject.guard == Bool::FALSE {
            return;
        }
        let BoundedTerm { what, guard } = *subject;
        if own.attributes() != other.attributes() {
            self.attributes(subject, written, own, term);
        }
        match (written, own, other) {
            (model::ExprDomain::Int(ints), GroundDomain::Int(values), GroundDomain::Int(_)) => {
                let term = self.lowering.symbolic.int(term);
                self.ints(subject, ints, values, term);
            }
            (model::ExprDomain::Tuple(written), GroundDomain::Tuple(own), GroundDomain::Tuple(other)) => {
                for (position, ((written, own), other)) in written.iter().zip(own).zip(other).enumerate() {
                    let what = format!("component {} of {what}", position + 1);
                    let outer = self.units.enter(&(position + 1).to_string());
                    self.domain(written, own, other, &term.item(position), &BoundedTerm { what: &what, guard });
                    self.units.leave(outer);
                }
            }
            (model::ExprDomain::Record(written), GroundDomain::Record(own), GroundDomain::Record(other)) => {
                for (position, (((name, written), (_, own)), (_, other))) in
                    written.iter().zip(own).zip(other).enumerate()
                {
                    let what = format!("the field `{name}` of {what}");
                    let outer = self.units.enter(name);
                    self.domain(written, own, other, &term.item(position), &BoundedTerm { what: &what, guard });
                    self.units.leave(outer);
                }
            }
            (model::ExprDomain::Matrix(_, written), GroundDomain::Matrix(_, own), GroundDomain::Matrix(_, other)) => {
                let what =
                    // In nested matrices, the phrase would be repeated for each dimension.
                    if what.starts_with("each element") { what.to_owned() } else { format!("each element of {what}") };
                for member in term.list_members() {
                    self.domain(written, own, other, &member.term, &BoundedTerm { what: &what, guard });
                }
            }
            (
                model::ExprDomain::Collection(kind, _, written),
                GroundDomain::Collection(_, _, own),
                GroundDomain::Collection(_, _, other),
            ) => {
                let form = kind.form();
                for part in form.open_parts(own.len()) {
                    let noun = match form {
                        MemberForm::Tuples => format!("component {} of each tuple", part + 1),
                        _ => form.part_name(part),
                    };
                    let outer = match form {
                        MemberForm::Tuples => self.units.enter(&(part + 1).to_string()),
                        MemberForm::Pairs if part == 0 => self.units.enter_argument(),
                        _ => self.units.enter_member(),
                    };
                    self.members(subject, &noun, &written[part], &own[part], &other[part], term, form.item(part));
                    self.units.leave(outer);
                }
            }
            _ => {}
        }
    }

    /// States the attributes of a collection.
    fn attributes(&mut self, subject: &BoundedTerm, written: &model::ExprDomain, own: &GroundDomain, term: &Term) {
        let (Some(written), Some(attributes)) = (written.attributes(), own.attributes()) else { return };
        let BoundedTerm { what, guard } = *subject;
        for (measure, size) in attributes.measures() {
            let symbolic = &mut self.lowering.symbolic;
            let numbers: Vec<(Bool, Int)> = match (measure, own) {
                (Measure::Occurrences, GroundDomain::Collection(_, _, parts)) => {
                    let members = symbolic.members(term);
                    // A minimum number of occurrences also applies to absent values.
                    let values: Vec<Term> = match size.min {
                        Some(_) => parts[0].members().map(Term::Value).collect(),
                        None => members.members.iter().map(|member| member.term.clone()).collect(),
                    };
                    let occurrences = MemberCounts::new(&members.members);
                    values.iter().map(|value| (Bool::TRUE, occurrences.frequency(symbolic, value))).collect()
                }
                _ => attributes::measured_numbers(symbolic, *measure, term),
            };
            let what = match measure {
                Measure::Occurrences => format!("each value in {what}"),
                Measure::PartSize => format!("each part of {what}"),
                Measure::Size | Measure::Parts | Measure::Moved => what.to_owned(),
            };
            for (condition, number) in numbers {
                let guard = self.lowering.symbolic.problem.and([guard, condition]);
                self.size(
                    &BoundedTerm { what: &what, guard },
                    size,
                    written.bounds(*measure),
                    number,
                    nouns(*measure, own),
                );
            }
        }
        for property in attributes.properties() {
            let row = property.row();
            let holds = attributes::term_has_property(&mut self.lowering.symbolic, *property, term, &own.sides());
            self.state(subject, format!("{what} is {}: {}", row.word, row.summary), (None, row.word), holds);
        }
    }

    /// States the domain of the members of a collection, or of one component of each member.
    #[expect(clippy::too_many_arguments, reason = "a domain in three forms, a term, and how to speak of it")]
    fn members(
        &mut self,
        subject: &BoundedTerm,
        noun: &str,
        written: &model::ExprDomain,
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
        // The members are copied, because stating a bound adds terms to the problem that owns them.
        for member in self.lowering.symbolic.members(term).members.clone() {
            let guard = self.lowering.symbolic.problem.and([subject.guard, member.condition]);
            let part = item.map_or(member.term.clone(), |item| member.term.item(item));
            self.domain(written, own, other, &part, &BoundedTerm { what: &what, guard });
        }
    }

    /// Returns the name of a member of an enumerated type if the model lists the members.
    fn member(&self, id: DeclarationId, position: i64) -> Option<crate::language::Name> {
        match &self.lowering.model.declaration(id).kind {
            DeclarationKind::Enum(members) => members.get(usize::try_from(position).ok()?.checked_sub(1)?).cloned(),
            _ => None,
        }
    }

    fn ints(&mut self, subject: &BoundedTerm, ints: &Ints, values: &IntSet, term: Int) {
        let what = subject.what;
        let (ranges, named) = match ints {
            Ints::Ranges(ranges) => (ranges.as_slice(), None),
            Ints::Named(id, ranges) => (ranges.as_slice(), Some(*id)),
            Ints::Members(_) => (&[][..], None),
        };
        // In a single interval, each end is a separate restriction.
        if let [Range::Interval(low, high)] = ranges {
            let ends = [(low, Limit::AtLeast), (high, Limit::AtMost)];
            for (written, side) in ends {
                let Some(written) = written else { continue };
                // A parameter without a value has been reported already.
                let Ok(Value::Int(number)) = crate::instance::evaluate(written, &mut self.lowering.environment) else {
                    continue;
                };
                let member = named.and_then(|id| self.member(id, number));
                let number_or_name = member.as_ref().map_or(number.to_string(), |name| format!("`{name}`"));
                let shown = member.map_or(number.to_string(), |name| unquoted(&name).into_owned());
                let word = if side == Limit::AtLeast { "at least" } else { "at most" };
                let says = format!("{what} is {word} {number_or_name}");
                let amount = self.units.unit().map(|unit| unit.shown(number));
                let read = amount.as_ref().map(|amount| format!("{what} is {word} {amount}"));
                let part = self.bound(subject, says, (Some(written.span), ""), term, side, number);
                part.reads = read.unwrap_or_else(|| part.says.clone());
                let number = amount.unwrap_or(shown);
                part.stated = Some(DomainBound { side, number, counted: None });
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

/// Returns the verb and the singular noun for a measure.
fn nouns(measure: Measure, domain: &GroundDomain) -> [&'static str; 2] {
    match (measure, domain) {
        (Measure::Size, GroundDomain::Collection(kind, ..)) => ["has", kind.form().counted()],
        (Measure::Size | Measure::PartSize, _) => ["has", "member"],
        (Measure::Occurrences, _) => ["has", "occurrence"],
        (Measure::Parts, _) => ["has", "part"],
        (Measure::Moved, _) => ["moves", "point"],
    }
}
