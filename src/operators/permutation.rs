//! Permutations, which map every value: those that are moved to others, and the rest to themselves.

use super::{
    Lookup, Operator, OperatorSymbol,
    collections::present_count,
    evaluation::{boolean, image, integer_in_range, items, pairs, tuples},
    results,
    symbols::*,
};
use crate::{
    language::{Collection, Evaluated, Value},
    problem::Bool,
    symbolic::{Key, Member, Members, Partial, Repetition, Symbolic, Term},
};
use std::{collections::BTreeMap, sync::Arc};

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        IMAGE,
        "(permutation of T, T) -> T",
        "the image of a value: the value itself unless the permutation moves it",
        ("permutation((1, 2, 3))(3)", "1"),
        |args| Ok(image_of_point(&args[0], &args[1]).clone()),
        lower_permuted,
    )
    .looking_up(Lookup::Image)
    .resulting_in(results::image_domain),
    Operator::new(
        IMAGE_WORD,
        "(permutation of T, T) -> T",
        "the image of a value: the value itself unless the permutation moves it",
        ("image(permutation((1, 2, 3)), 3)", "1"),
        |args| Ok(image_of_point(&args[0], &args[1]).clone()),
        lower_permuted,
    )
    .looking_up(Lookup::Image)
    .resulting_in(results::image_domain),
    Operator::new(
        OperatorSymbol::function("compose"),
        "(permutation of T, permutation of T) -> permutation of T",
        "the permutation that maps x to g(h(x)), where g and h are the operands",
        ("compose(permutation((1, 2)), permutation((2, 3)))", "permutation((1, 2, 3))"),
        compose,
        lower_compose,
    )
    .resulting_in(results::either),
    Operator::new(
        OperatorSymbol::function("permInverse"),
        "(permutation of T) -> permutation of T",
        "the inverse permutation",
        ("permInverse(permutation((1, 2, 3)))", "permutation((1, 3, 2))"),
        |args| Ok(inverse(&args[0])),
        lower_perm_inverse,
    )
    .resulting_in(results::first_domain),
    Operator::new(
        INVERSE,
        "(permutation of T, permutation of T) -> bool",
        "each of the two permutations is the inverse of the other",
        ("inverse(permutation((1, 2, 3)), permutation((1, 3, 2)))", "true"),
        |args| boolean(args[0] == inverse(&args[1])),
        lower_inverse_permutation,
    ),
    Operator::new(
        DEFINED,
        "(permutation of T) -> set of T",
        "the moved values",
        ("defined(permutation((1, 2, 3)))", "{1, 2, 3}"),
        |args| Ok(Value::ascending_set(pairs(&args[0]).iter().map(|pair| pair.0.clone()).collect())),
        |s, args| {
            let points =
                moved_points(s, &args[0]).into_iter().map(|member| Member::new(member.condition, member.term.item(0)));
            s.set(points.collect(), Repetition::Never).into()
        },
    )
    .resulting_in(results::set_of_arguments),
    Operator::new(
        BARS,
        "(permutation of T) -> int",
        "the number of moved values",
        ("|permutation((1, 2, 3))|", "3"),
        |args| integer_in_range(pairs(&args[0]).len() as i128),
        |s, args| {
            let moved = Members::new(moved_points(s, &args[0]), Repetition::Never);
            present_count(s, &moved).into()
        },
    )
    .resulting_in(results::size_domain),
    Operator::new(
        IN,
        "((T, T), permutation of T) -> bool",
        "the permutation moves the first component to the second",
        ("(1, 2) in permutation((1, 2, 3))", "true"),
        |args| {
            let pair = items(&args[0]);
            boolean(image(&args[1], &pair[0]) == Some(&pair[1]))
        },
        lower_in_permutation,
    ),
    Operator::new(
        TO_SET,
        "(permutation of T) -> set of (T, T)",
        "the moved values, each with its image",
        ("toSet(permutation((1, 2)))", "{(1, 2), (2, 1)}"),
        |args| Ok(Value::ascending_set(tuples(&args[0]).into())),
        |s, args| {
            let moved = moved_points(s, &args[0]);
            s.set(moved, Repetition::Never).into()
        },
    )
    .resulting_in(results::set_of_members),
];

fn image_of_point<'a>(permutation: &'a Value, point: &'a Value) -> &'a Value {
    image(permutation, point).unwrap_or(point)
}

fn inverse(permutation: &Value) -> Value {
    let mut pairs: Vec<_> = pairs(permutation).iter().map(|(point, image)| (image.clone(), point.clone())).collect();
    // The pairs are sorted again, because the images are now the arguments.
    pairs.sort_unstable();
    Value::Mapping(Collection::Permutation, pairs.into())
}

fn compose(args: &[Value]) -> Evaluated {
    let mut points: Vec<&Value> = args.iter().flat_map(pairs).map(|pair| &pair.0).collect();
    points.sort_unstable();
    points.dedup();
    let images = points.into_iter().map(|point| (point, image_of_point(&args[0], image_of_point(&args[1], point))));
    // If a point returns to itself, the composition does not move it.
    let moved = images.filter(|(point, image)| point != image);
    Ok(Value::Mapping(Collection::Permutation, moved.map(|(point, image)| (point.clone(), image.clone())).collect()))
}

fn lower_permuted(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let permutation = symbolic.members(&args[0]);
    symbolic.permuted(&permutation, &args[1]).into()
}

/// The pairs of points that are not mapped to themselves.
fn moved_points(symbolic: &mut Symbolic, permutation: &Term) -> Vec<Member> {
    let permutation = symbolic.members(permutation);
    let mut moved = Vec::with_capacity(permutation.members.len());
    for member in &permutation.members {
        let fixed = symbolic.equal(&member.term.item(0), &member.term.item(1));
        moved.push(Member::new(symbolic.problem.and([member.condition, !fixed]), member.term.clone()));
    }
    moved
}

fn lower_in_permutation(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let permutation = symbolic.members(&args[1]);
    let (point, image) = (args[0].item(0), args[0].item(1));
    let mapped = symbolic.permuted(&permutation, &point);
    // A point that does not move is in no pair.
    let (fixed, same) = (symbolic.equal(&point, &image), symbolic.equal(&mapped, &image));
    symbolic.problem.and([!fixed, same]).into()
}

/// Maps every point that one of the two can move by one after the other.
fn lower_compose(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let (outer, inner) = (symbolic.members(&args[0]), symbolic.members(&args[1]));
    let points =
        [&outer, &inner].map(|members| members.positions(Key::Argument).map(|positions| positions.keys().cloned()));
    // If the points depend on decisions, they cannot be listed.
    let [Some(left), Some(right)] = points else { return compose_unknown(symbolic, &outer, &inner).into() };
    let mut points: Vec<Value> = left.chain(right).collect();
    points.sort_unstable();
    points.dedup();
    let pairs = points.into_iter().map(Term::Value).map(|point| {
        let between = symbolic.permuted(&inner, &point);
        let image = symbolic.permuted(&outer, &between);
        Member::always(Term::pair(point, image))
    });
    let pairs: Vec<Member> = pairs.collect();
    symbolic.collection(Collection::Permutation, pairs, Repetition::Never).into()
}

/// Composes permutations whose points depend on decisions: the points of the inner one, mapped by the outer one, and
/// the points of the outer one that the inner one does not mention.
fn compose_unknown(symbolic: &mut Symbolic, outer: &Arc<Members>, inner: &Arc<Members>) -> Term {
    let mut pairs = Vec::with_capacity(inner.members.len() + outer.members.len());
    for member in &inner.members {
        let image = symbolic.permuted(outer, &member.term.item(1));
        pairs.push(Member::new(member.condition, Term::pair(member.term.item(0), image)));
    }
    for member in &outer.members {
        let point = member.term.item(0);
        let mut parts = vec![member.condition];
        for known in &inner.members {
            let same = symbolic.equal(&known.term.item(0), &point);
            parts.push(!symbolic.problem.and([known.condition, same]));
        }
        pairs.push(Member::new(symbolic.problem.and(parts), member.term.clone()));
    }
    symbolic.collection(Collection::Permutation, pairs, Repetition::Never)
}

/// The inverse of a permutation: each possible image is mapped to its argument.
fn lower_perm_inverse(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    // The points of a permutation are also its images, so the inverse has the same points.
    let permutation = symbolic.members(&args[0]);
    // If the points are constant, so are the arguments of the inverse, which can be looked up.
    let Some(positions) = permutation.positions(Key::Argument) else {
        let turned = permutation
            .members
            .iter()
            .map(|member| Member::new(member.condition, Term::pair(member.term.item(1), member.term.item(0))));
        return symbolic.collection(Collection::Permutation, turned.collect(), Repetition::Never).into();
    };
    let points: BTreeMap<&Value, &Member> =
        positions.iter().map(|(point, &position)| (point, &permutation.members[position])).collect();
    let mut pairs = Vec::with_capacity(points.len());
    for image in points.keys() {
        let image = Term::Value(Value::clone(image));
        let mut origins = Vec::with_capacity(points.len());
        for member in points.values() {
            // The inverse maps an image back to its point.
            let same = symbolic.equal(&member.term.item(1), &image);
            origins.push((symbolic.problem.and([member.condition, same]), member.term.item(0)));
        }
        // If all points are present, each of them is an image.
        let mapped = match permutation.members.iter().all(|member| member.condition == Bool::TRUE) {
            true => Bool::TRUE,
            false => symbolic.problem.or(origins.iter().map(|origin| origin.0)),
        };
        let origin = symbolic.choose(origins);
        pairs.push(Member::new(mapped, Term::pair(image, origin)));
    }
    symbolic.collection(Collection::Permutation, pairs, Repetition::Never).into()
}

fn lower_inverse_permutation(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let (one, other) = (symbolic.members(&args[0]), symbolic.members(&args[1]));
    let (forth, back) = (permutes_back(symbolic, &one, &other), permutes_back(symbolic, &other, &one));
    symbolic.problem.and([forth, back]).into()
}

/// The condition that the second permutation maps every image under the first back to its point.
fn permutes_back(symbolic: &mut Symbolic, from: &Arc<Members>, to: &Arc<Members>) -> Bool {
    let mut parts = Vec::with_capacity(from.members.len());
    for member in &from.members {
        let back = symbolic.permuted(to, &member.term.item(1));
        let same = symbolic.equal(&back, &member.term.item(0));
        parts.push(symbolic.problem.implies(member.condition, same));
    }
    symbolic.problem.and(parts)
}
