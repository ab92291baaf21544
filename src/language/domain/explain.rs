//! Describes violations in words.

use super::{GroundDomain, OutsideReason, Size, ValueStep, Violation};
use crate::diagnostic::counted;
use crate::language::{
    Type, Value,
    attributes::{Clause, Measure, PropertyForm, SOME},
    print::MemberNames,
};

impl Violation {
    /// The reason in the user's words, given the type of the whole value: `7 is not in int(1..4), in the image of 2`.
    pub(crate) fn describe(&self, ty: &Type, names: &MemberNames) -> String {
        let mut types = vec![ty.clone()];
        for step in &self.path {
            let inner = types.last().map_or(Type::Any, |outer| type_inside(outer, step));
            types.push(inner);
        }
        let mut text = reason(&self.reason, types.last().unwrap_or(&Type::Any), names);
        // The description does not repeat what the reason mentions.
        let spoken_of = matches!(
            (self.path.last(), &self.reason),
            (Some(ValueStep::Member(Value::Int(_))), OutsideReason::NotIn(..))
        );
        let steps = self.path.iter().zip(&types).rev().skip(usize::from(spoken_of));
        for (position, (step, outer)) in steps.enumerate() {
            text += if position == 0 { ", in " } else { " of " };
            text += &words_for_step(step, outer, names);
        }
        text
    }
}

fn words_for_step(step: &ValueStep, outer: &Type, names: &MemberNames) -> String {
    let show = |value: &Value, ty: &Type| names.show_briefly(value, ty);
    let source = match outer {
        Type::Matrix(parts) | Type::Collection(_, parts) => parts.first().cloned().unwrap_or(Type::Any),
        _ => Type::Any,
    };
    let words = outer.collection().map_or(("member", "argument"), |kind| kind.form().entry_nouns());
    match (step, outer) {
        (ValueStep::Component(position), Type::Record(fields)) => format!("field `{}`", fields[*position].0),
        (ValueStep::Component(position), _) => format!("component {}", position + 1),
        (ValueStep::Alternative(which), Type::Variant(alternatives)) => {
            format!("alternative `{}`", alternatives[*which as usize].0)
        }
        (ValueStep::Alternative(which), _) => format!("alternative {}", which + 1),
        (ValueStep::Element(index), _) => format!("the element at {}", show(index, &source)),
        (ValueStep::Place(position), _) => format!("the member at position {position}"),
        (ValueStep::Member(member), _) => format!("the {} {}", words.0, show(member, &type_inside(outer, step))),
        (ValueStep::Argument(argument), _) => format!("the {} {}", words.1, show(argument, &source)),
        (ValueStep::Image(argument), _) => format!("the image of {}", show(argument, &source)),
    }
}

/// The type of the part of a value that a step leads to.
fn type_inside(outer: &Type, step: &ValueStep) -> Type {
    match (step, outer) {
        (ValueStep::Component(position), Type::Tuple(types)) => types.get(*position).cloned().unwrap_or(Type::Any),
        (ValueStep::Component(position), Type::Record(fields)) => {
            fields.get(*position).map_or(Type::Any, |f| f.1.clone())
        }
        (ValueStep::Alternative(which), Type::Variant(alternatives)) => {
            alternatives.get(*which as usize).map_or(Type::Any, |alternative| alternative.1.clone())
        }
        (ValueStep::Element(_), Type::Matrix(parts)) | (ValueStep::Image(_), Type::Collection(_, parts)) => {
            parts[1].clone()
        }
        (ValueStep::Argument(_), Type::Collection(_, parts)) => parts[0].clone(),
        (ValueStep::Member(_) | ValueStep::Place(_), Type::Collection(..)) => {
            outer.listed_member().unwrap_or(Type::Any)
        }
        _ => Type::Any,
    }
}

/// The reason in words, for a value of type `ty`.
fn reason(reason: &OutsideReason, ty: &Type, names: &MemberNames) -> String {
    let any = Type::Any;
    let sides = match ty {
        Type::Matrix(parts) => parts.clone(),
        Type::Collection(kind, parts) => kind.form().components(parts, Type::INT).unwrap_or_else(|| parts.clone()),
        _ => [].into(),
    };
    let (source, image) = (sides.first().unwrap_or(&any), sides.get(1).unwrap_or(&any));
    let show = |value: &Value, ty: &Type| names.show_briefly(value, ty);
    let part = |value: &Value| show(value, &Type::set(source.clone()));
    match reason {
        OutsideReason::NotIn(value, set) => {
            let allowed = names.domain(&GroundDomain::Int(set.clone()), ty).on_one_line();
            format!("{} is not in `{allowed}`", show(&Value::Int(*value), ty))
        }
        OutsideReason::Index(found, wanted) => {
            let index = |domain: &GroundDomain, ty: &Type| names.domain(domain, ty).on_one_line();
            match (found.size(), wanted.size()) {
                (Some(found), Some(size)) if found != size => {
                    format!(
                        "{found} elements, but there should be {size}: one for each value of `{}`",
                        index(wanted, source)
                    )
                }
                _ => format!("the index is `{}`, but should be `{}`", index(found, &any), index(wanted, source)),
            }
        }
        OutsideReason::Measure(measure, whose, count, bounds) => {
            let (whose, wanted) = (whose.as_ref(), wanted_size(bounds));
            let are = if *count == 1 { "is" } else { "are" };
            match (measure, whose) {
                (Measure::Occurrences, Some(value)) => {
                    let times = counted(*count, "time");
                    let plural = if bounds.max.or(bounds.min) == Some(1) { "" } else { "s" };
                    format!("{} occurs {times}, but should occur {wanted} time{plural}", show(value, source))
                }
                (Measure::PartSize, Some(value)) => {
                    format!("the part {} has {}, but should have {wanted}", part(value), counted(*count, "member"))
                }
                (Measure::Moved, _) => {
                    format!("{} {are} moved, but there should be {wanted}", counted(*count, "point"))
                }
                (Measure::Parts, _) => format!("there {are} {}, but there should be {wanted}", counted(*count, "part")),
                _ => format!("there {are} {}, but there should be {wanted}", counted(*count, "member")),
            }
        }
        OutsideReason::Property(property, witness) => {
            let wrong = match (property.form(), witness.as_slice()) {
                (PropertyForm::Covers(0), [argument]) => format!("{} has no image", show(argument, source)),
                (PropertyForm::Covers(_), [value]) => format!("nothing is mapped to {}", show(value, image)),
                (PropertyForm::Injective, [first, second, value]) => format!(
                    "{} and {} have the same image {}",
                    show(first, source),
                    show(second, source),
                    show(value, image)
                ),
                (PropertyForm::Regular, [first, second]) => {
                    format!("the parts {} and {} differ in size", part(first), part(second))
                }
                (PropertyForm::Clause(clause), points) => {
                    let points: Vec<String> = points.iter().map(|value| show(value, source)).collect();
                    counterexample(clause, &points)
                }
                (form, witness) => unreachable!("{witness:?} does not show anything about {form:?}"),
            };
            format!("it should be `{}`, but {wrong}", property.row().word)
        }
        OutsideReason::NotCovered(value) => format!("{} is in no part", show(value, source)),
        OutsideReason::Shape => "it is of another type".to_owned(),
    }
}

fn wanted_size(bounds: &Size<i64>) -> String {
    match (bounds.min, bounds.max) {
        (Some(min), Some(max)) if min == max => format!("{min}"),
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "any number".to_owned(),
    }
}

/// The counterexample in words: the related pairs, and the pairs of which one should be related.
fn counterexample(clause: Clause, points: &[String]) -> String {
    let pair = |(left, right): &(usize, usize)| format!("({}, {})", points[*left], points[*right]);
    let given: Vec<String> = clause.given.iter().map(pair).collect();
    let given = match given.as_slice() {
        [] => None,
        [only] => Some(format!("{only} is in it")),
        several => Some(format!("{} are in it", several.join(" and "))),
    };
    match (given, clause.then) {
        (_, [(left, SOME)]) => format!("nothing is related from {}", points[*left]),
        (_, [(SOME, right)]) => format!("nothing is related to {}", points[*right]),
        (None, [then]) => format!("{} is missing", pair(then)),
        (None, then) => {
            let then: Vec<String> = then.iter().map(pair).collect();
            format!("neither {} is in it", then.join(" nor "))
        }
        (Some(given), []) => given,
        (Some(given), then) => {
            let then: Vec<String> = then.iter().map(pair).collect();
            format!("{given} and {} is not", then.join(" nor "))
        }
    }
}
