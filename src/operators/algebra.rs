//! The operators that sets, multisets, functions and relations share: union, intersection, difference and inclusion. A
//! function counts as the set of its pairs. In the union of two multisets, the number of occurrences of a value is the
//! larger one of the two operands, and in the intersection, the smaller one.

use super::{
    Operator,
    collections::is_member_of,
    evaluation::{boolean, difference_of_lists, intersection, is_subset, union},
    power_set, results,
    symbols::*,
};
use crate::{
    language::{Collection, Evaluated, MemberForm, Stop, Value},
    problem::Bool,
    symbolic::{
        Key, Member, Members, Partial, Repetition, Symbolic, Term, collection_kind_of,
        power_set::{are_subsets, has_all_subsets, is_in_power_set},
    },
};
use std::sync::Arc;

/// The same seven operators for each of the types, with operands and results for the examples: `$left` is included in
/// `$right`, and `$union`, `$both` and `$rest` are their union, intersection and difference. `$total` is false if the
/// union can be undefined, as for functions.
macro_rules! rows {
    ($(
        $collection:literal, $total:literal:
        $left:literal, $right:literal, $union:literal, $both:literal, $rest:literal;
    )*) => {
        &[$(
            Operator::new(
                UNION,
                concat!("(", $collection, ", ", $collection, ") -> ", $collection),
                "the members of either operand",
                (concat!($left, " union ", $right), $union),
                eval_union,
                lower_union,
            ).total($total).resulting_in(results::union_domain),
            Operator::new(
                INTERSECT,
                concat!("(", $collection, ", ", $collection, ") -> ", $collection),
                "the members that both operands have",
                (concat!($left, " intersect ", $right), $both),
                eval_intersection,
                lower_intersection,
            ).on_power_sets(power_set::intersection_of_sets).resulting_in(results::first_domain),
            Operator::new(
                MINUS,
                concat!("(", $collection, ", ", $collection, ") -> ", $collection),
                "the members of the first that are not in the second",
                (concat!($right, " - ", $left), $rest),
                eval_difference,
                lower_difference,
            ).on_power_sets(power_set::difference_of_sets).resulting_in(results::first_domain),
            Operator::new(
                SUBSET,
                concat!("(", $collection, ", ", $collection, ") -> bool"),
                "the second has everything that the first has, and more",
                (concat!($left, " subset ", $right), "true"),
                |args| boolean(is_included(&args[0], &args[1]) && args[0] != args[1]),
                |s, args| lower_strictly_included(s, &args[0], &args[1]),
            ).on_power_sets(power_set::subset),
            Operator::new(
                SUBSET_EQ,
                concat!("(", $collection, ", ", $collection, ") -> bool"),
                "the second has everything that the first has",
                (concat!($left, " subsetEq ", $right), "true"),
                |args| boolean(is_included(&args[0], &args[1])),
                |s, args| included(s, &args[0], &args[1]).into(),
            ).on_power_sets(power_set::subset_or_equal),
            Operator::new(
                SUPERSET,
                concat!("(", $collection, ", ", $collection, ") -> bool"),
                "the first has everything that the second has, and more",
                (concat!($left, " supset ", $right), "false"),
                |args| boolean(is_included(&args[1], &args[0]) && args[0] != args[1]),
                |s, args| lower_strictly_included(s, &args[1], &args[0]),
            ).on_power_sets(power_set::superset),
            Operator::new(
                SUPERSET_EQ,
                concat!("(", $collection, ", ", $collection, ") -> bool"),
                "the first has everything that the second has",
                (concat!($right, " supsetEq ", $left), "true"),
                |args| boolean(is_included(&args[1], &args[0])),
                |s, args| included(s, &args[1], &args[0]).into(),
            ).on_power_sets(power_set::superset_or_equal),
        )*]
    };
}

pub(crate) static OPERATORS: &[Operator] = rows! {
    "set of T", true: "{1, 2}", "{1, 2, 3}", "{1, 2, 3}", "{1, 2}", "{3}";
    "mset of T", true: "mset(1, 2)", "mset(1, 1, 2)", "mset(1, 1, 2)", "mset(1, 2)", "mset(1)";
    "function A --> B", false: "function(1 --> 5)",
        "function(1 --> 5, 2 --> 6)", "function(1 --> 5, 2 --> 6)", "function(1 --> 5)", "function(2 --> 6)";
    "relation of R", true: "relation((1, 2))",
        "relation((1, 2), (2, 3))", "relation((1, 2), (2, 3))", "relation((1, 2))", "relation((2, 3))";
};

/// The union; undefined for functions that disagree on an argument.
fn eval_union(args: &[Value]) -> Evaluated {
    Ok(match (&args[0], &args[1]) {
        (Value::Collection(kind, left), Value::Collection(_, right)) => {
            Value::Collection(*kind, union(left, right).into())
        }
        (Value::Mapping(kind, left), Value::Mapping(_, right)) => {
            let pairs = union(left, right);
            // If the functions disagree on an argument, their union is undefined.
            if pairs.windows(2).any(|two| two[0].0 == two[1].0) {
                return Err(Stop::Undefined);
            }
            Value::Mapping(*kind, pairs.into())
        }
        (left, right) => unreachable!("the union of {left:?} and {right:?}"),
    })
}

fn eval_intersection(args: &[Value]) -> Evaluated {
    Ok(match (&args[0], &args[1]) {
        (Value::Collection(kind, left), Value::Collection(_, right)) => {
            Value::Collection(*kind, intersection(left, right).into())
        }
        (Value::Mapping(kind, left), Value::Mapping(_, right)) => {
            Value::Mapping(*kind, intersection(left, right).into())
        }
        (left, right) => unreachable!("the intersection of {left:?} and {right:?}"),
    })
}

fn eval_difference(args: &[Value]) -> Evaluated {
    Ok(match (&args[0], &args[1]) {
        (Value::Collection(kind, left), Value::Collection(_, right)) => {
            Value::Collection(*kind, difference_of_lists(left, right).into())
        }
        (Value::Mapping(kind, left), Value::Mapping(_, right)) => {
            Value::Mapping(*kind, difference_of_lists(left, right).into())
        }
        (left, right) => unreachable!("the difference of {left:?} and {right:?}"),
    })
}

fn is_included(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Collection(_, left), Value::Collection(_, right)) => is_subset(left, right),
        (Value::Mapping(_, left), Value::Mapping(_, right)) => is_subset(left, right),
        (left, right) => unreachable!("inclusion of {left:?} in {right:?}"),
    }
}

/// The kind of both operands, and their members. Occurrences in multisets are numbered, so that multisets are compared
/// like sets.
fn operands(symbolic: &mut Symbolic, left: &Term, right: &Term) -> (Collection, Arc<Members>, Arc<Members>) {
    let kind = collection_kind_of(left).or(collection_kind_of(right)).unwrap_or(Collection::Set);
    let (left, right) = (symbolic.members(left), symbolic.members(right));
    match kind {
        _ if kind.row().has_occurrences() => (kind, symbolic.numbered(&left), symbolic.numbered(&right)),
        _ => (kind, left, right),
    }
}

/// The collection of these members; members of multisets are numbered occurrences.
fn collected(symbolic: &mut Symbolic, kind: Collection, mut members: Vec<Member>, repetition: Repetition) -> Term {
    if kind.row().has_occurrences() {
        for member in &mut members {
            member.term = member.term.item(0);
        }
    }
    symbolic.collection(kind, members, repetition)
}

fn lower_union(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let (kind, left, right) = operands(symbolic, &args[0], &args[1]);
    let mut members = left.members.clone();
    match kind.form() {
        MemberForm::Pairs => lower_function_union(symbolic, kind, &left, &right),
        // `collection` merges equal constants, but other members may be repeated.
        MemberForm::Values | MemberForm::Tuples if !kind.row().has_occurrences() => {
            members.extend(right.members.iter().cloned());
            collected(symbolic, kind, members, Repetition::Possible).into()
        }
        _ => {
            for member in &right.members {
                let there = symbolic.contains(&left, &member.term);
                members.push(Member::new(symbolic.problem.and([member.condition, !there]), member.term.clone()));
            }
            collected(symbolic, kind, members, Repetition::Never).into()
        }
    }
}

/// The union of two functions, defined if they agree. Pairs of the second are added for arguments that the first lacks.
fn lower_function_union(
    symbolic: &mut Symbolic,
    kind: Collection,
    left: &Arc<Members>,
    right: &Arc<Members>,
) -> Partial {
    let mut members = left.members.clone();
    let mut agree = Vec::new();
    for member in &right.members {
        let (argument, value) = (member.term.item(0), member.term.item(1));
        let image = symbolic.image(left, &argument);
        match (left.positions(Key::Argument), &argument) {
            // If the first function has the same constant argument, both share one member, so that the keys stay
            // unique.
            (Some(positions), Term::Value(key)) if positions.contains_key(key) => {
                let position = positions[key];
                let chosen =
                    symbolic.choose(vec![(image.defined, image.term.clone()), (!image.defined, value.clone())]);
                let present = symbolic.problem.or([image.defined, member.condition]);
                members[position] = Member::new(present, Term::pair(argument, chosen));
            }
            _ => {
                let added = symbolic.problem.and([member.condition, !image.defined]);
                members.push(Member::new(added, member.term.clone()));
            }
        }
        // The functions disagree if both map the argument, but to different values.
        if image.defined != Bool::FALSE {
            let same = symbolic.equal(&image.term, &value);
            agree.push(!symbolic.problem.and([member.condition, image.defined, !same]));
        }
    }
    let defined = symbolic.problem.and(agree);
    Partial { term: symbolic.collection(kind, members, Repetition::Never), defined }
}

/// The sets of a collection, kept by the condition that they are in the power set of another one.
fn filtered(symbolic: &mut Symbolic, sets: &Term, base: &Term, keeps: fn(Bool) -> Bool) -> Partial {
    let sets = symbolic.members(sets);
    let mut members = Vec::with_capacity(sets.members.len());
    for member in &sets.members {
        let inside = is_in_power_set(symbolic, &member.term, base);
        let kept = symbolic.problem.and([member.condition, keeps(inside)]);
        members.push(Member::new(kept, member.term.clone()));
    }
    symbolic.set(members, sets.repetition).into()
}

fn lower_intersection(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    match (&args[0], &args[1]) {
        (Term::PowerSet(left), Term::PowerSet(right)) => {
            let common = lower_intersection(symbolic, &[Term::clone(left), Term::clone(right)]).term;
            return Term::PowerSet(common.into()).into();
        }
        (Term::PowerSet(base), sets) | (sets, Term::PowerSet(base)) => {
            return filtered(symbolic, sets, base, |inside| inside);
        }
        _ => {}
    }
    let (kind, mut left, mut right) = operands(symbolic, &args[0], &args[1]);
    // The members come from a constant operand, because constant members can be looked up.
    let is_constant = |members: &Members| members.members.iter().all(|member| member.term.as_value().is_some());
    if is_constant(&right) && !is_constant(&left) {
        std::mem::swap(&mut left, &mut right);
    }
    let mut members = Vec::with_capacity(left.members.len());
    for member in &left.members {
        let there = is_member_of(symbolic, kind, &right, &member.term);
        members.push(Member::new(symbolic.problem.and([member.condition, there]), member.term.clone()));
    }
    collected(symbolic, kind, members, left.repetition).into()
}

fn lower_difference(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    if let Term::PowerSet(base) = &args[1] {
        return filtered(symbolic, &args[0], base, |inside| !inside);
    }
    let (kind, left, right) = operands(symbolic, &args[0], &args[1]);
    let mut members = Vec::with_capacity(left.members.len());
    for member in &left.members {
        let there = is_member_of(symbolic, kind, &right, &member.term);
        members.push(Member::new(symbolic.problem.and([member.condition, !there]), member.term.clone()));
    }
    collected(symbolic, kind, members, left.repetition).into()
}

fn included(symbolic: &mut Symbolic, left: &Term, right: &Term) -> Bool {
    match (left, right) {
        (_, Term::PowerSet(base)) => return are_subsets(symbolic, left, base),
        (Term::PowerSet(base), _) => return has_all_subsets(symbolic, right, base),
        _ => {}
    }
    let (kind, left, right) = operands(symbolic, left, right);
    let mut parts = Vec::with_capacity(left.members.len());
    for member in &left.members {
        let there = is_member_of(symbolic, kind, &right, &member.term);
        parts.push(symbolic.problem.implies(member.condition, there));
    }
    symbolic.problem.and(parts)
}

fn lower_strictly_included(symbolic: &mut Symbolic, left: &Term, right: &Term) -> Partial {
    let (included, same) = (included(symbolic, left, right), symbolic.equal(left, right));
    symbolic.problem.and([included, !same]).into()
}
