//! Functions, which are partial unless their domain is `total`. Their union, inclusion and so on, as sets of pairs, are
//! in [`super::algebra`].

use super::{
    Lookup, Operator, OperatorSymbol,
    collections::{is_member_of, map, set_of},
    evaluation::{boolean, image, integer_in_range, items, pairs, tuples},
    results,
    set::lower_size,
    symbols::*,
};
use crate::{
    language::{Collection, Evaluated, Stop, Value},
    problem::Bool,
    symbolic::{Member, Members, Partial, Repetition, Symbolic, Term},
};

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        IMAGE,
        "(function A --> B, A) -> B",
        "the image of a value; undefined if the function does not map the value",
        ("function(1 --> 5, 2 --> 5, 3 --> 6)(3)", "6"),
        eval_image,
        lower_image,
    )
    .looking_up(Lookup::Image)
    .resulting_in(results::image_domain),
    Operator::new(
        IMAGE_WORD,
        "(function A --> B, A) -> B",
        "the image of a value; undefined if the function does not map the value",
        ("image(function(1 --> 5, 2 --> 5, 3 --> 6), 3)", "6"),
        eval_image,
        lower_image,
    )
    .looking_up(Lookup::Image)
    .resulting_in(results::image_domain),
    Operator::new(
        IMAGE_SET,
        "(function A --> B, A) -> set of B",
        "the set that contains the image of a value; empty if there is no image",
        ("imageSet(function(1 --> 5, 2 --> 5, 3 --> 6), 4)", "{}"),
        |args| Ok(Value::ascending_set(image(&args[0], &args[1]).into_iter().cloned().collect())),
        lower_image_set,
    )
    .resulting_in(results::set_of_images),
    Operator::new(
        PRE_IMAGE,
        "(function A --> B, B) -> set of A",
        "the set of arguments that the function maps to a value",
        ("preImage(function(1 --> 5, 2 --> 5, 3 --> 6), 5)", "{1, 2}"),
        |args| {
            let points = pairs(&args[0]).iter().filter(|pair| pair.1 == args[1]);
            Ok(Value::ascending_set(points.map(|pair| pair.0.clone()).collect()))
        },
        lower_pre_image,
    )
    .resulting_in(results::set_of_arguments),
    Operator::new(
        DEFINED,
        "(function A --> B) -> set of A",
        "the set of arguments for which the function is defined",
        ("defined(function(1 --> 5, 2 --> 5, 3 --> 6))", "{1, 2, 3}"),
        |args| Ok(Value::ascending_set(pairs(&args[0]).iter().map(|pair| pair.0.clone()).collect())),
        lower_defined,
    )
    .resulting_in(results::set_of_arguments),
    Operator::new(
        RANGE,
        "(function A --> B) -> set of B",
        "the set of images",
        ("range(function(1 --> 5, 2 --> 5, 3 --> 6))", "{5, 6}"),
        |args| Ok(Value::set(pairs(&args[0]).iter().map(|pair| pair.1.clone()).collect())),
        lower_range,
    )
    .resulting_in(results::set_of_images),
    Operator::new(
        INVERSE,
        "(function A --> B, function B --> A) -> bool",
        "each of the two functions is the inverse of the other",
        ("inverse(function(1 --> 5), function(5 --> 1))", "true"),
        |args| {
            let maps_back = |from: &Value, to: &Value| {
                // If an image is not an argument of the other function, it is not mapped back.
                pairs(from).iter().all(|(point, value)| image(to, value).is_some_and(|back| back == point))
            };
            boolean(maps_back(&args[0], &args[1]) && maps_back(&args[1], &args[0]))
        },
        lower_inverse,
    ),
    Operator::new(
        OperatorSymbol::function("restrict"),
        "(function A --> B, domain of A) -> function A --> B",
        "the function on the values of a domain only",
        ("restrict(function(1 --> 5, 2 --> 5, 3 --> 6), `int(1..2)`)", "function(1 --> 5, 2 --> 5)"),
        restrict,
        lower_restrict,
    )
    .resulting_in(results::restricted),
    Operator::new(
        OperatorSymbol::function("toRelation"),
        "(function A --> B) -> relation of (A * B)",
        "the pairs as a relation",
        ("toRelation(function(1 --> 5, 2 --> 5))", "relation((1, 5), (2, 5))"),
        |args| Ok(Value::Collection(Collection::Relation, tuples(&args[0]).into())),
        |s, args| lower_pairs(s, &args[0], Collection::Relation),
    )
    .resulting_in(results::relation_of_members),
    Operator::new(
        TO_SET,
        "(function A --> B) -> set of (A, B)",
        "the pairs as a set of tuples",
        ("toSet(function(1 --> 5, 2 --> 5))", "{(1, 5), (2, 5)}"),
        |args| Ok(Value::ascending_set(tuples(&args[0]).into())),
        |s, args| lower_pairs(s, &args[0], Collection::Set),
    )
    .resulting_in(results::set_of_members),
    Operator::new(
        TO_MSET,
        "(function A --> B) -> mset of (A, B)",
        "the pairs as a multiset of tuples",
        ("toMSet(function(1 --> 5, 2 --> 5))", "mset((1, 5), (2, 5))"),
        |args| Ok(Value::Collection(Collection::MSet, tuples(&args[0]).into())),
        |s, args| lower_pairs(s, &args[0], Collection::MSet),
    )
    .resulting_in(results::mset_of_members),
    Operator::new(
        IN,
        "((A, B), function A --> B) -> bool",
        "the function maps the first component to the second",
        ("(1, 5) in function(1 --> 5)", "true"),
        |args| {
            let pair = items(&args[0]);
            boolean(image(&args[1], &pair[0]) == Some(&pair[1]))
        },
        lower_in_function,
    ),
    Operator::new(
        BARS,
        "(function A --> B) -> int",
        "the number of pairs",
        ("|function(1 --> 5, 2 --> 5, 3 --> 6)|", "3"),
        |args| integer_in_range(pairs(&args[0]).len() as i128),
        lower_size,
    )
    .resulting_in(results::size_domain),
];

fn eval_image(args: &[Value]) -> Evaluated {
    image(&args[0], &args[1]).cloned().ok_or(Stop::Undefined)
}

fn restrict(args: &[Value]) -> Evaluated {
    let Value::Domain(domain) = &args[1] else { unreachable!("a domain was expected, not {:?}", args[1]) };
    // Filtering keeps the arguments in order.
    let kept = pairs(&args[0]).iter().filter(|pair| domain.contains(&pair.0));
    Ok(Value::Mapping(Collection::Function, kept.cloned().collect()))
}

/// The image under a function or sequence.
pub(crate) fn lower_image(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let function = symbolic.members(&args[0]);
    symbolic.image(&function, &args[1])
}

/// A set with one possible member: the image, if it is defined.
pub(crate) fn lower_image_set(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    // If the image is undefined, it is an absent member, so the set is always defined.
    let image = lower_image(symbolic, args);
    // A single member cannot be repeated.
    symbolic.set(vec![Member::new(image.defined, image.term)], Repetition::Never).into()
}

/// The arguments of the pairs whose images are equal to the operand.
pub(crate) fn lower_pre_image(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let function = symbolic.members(&args[0]);
    let mut points = Vec::with_capacity(function.members.len());
    for member in &function.members {
        let same = symbolic.equal(&member.term.item(1), &args[1]);
        points.push(Member::new(symbolic.problem.and([member.condition, same]), member.term.item(0)));
    }
    symbolic.set(points, Repetition::Never).into()
}

pub(crate) fn lower_defined(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let function = symbolic.members(&args[0]);
    symbolic.set(map(&function, |pair| pair.item(0)), Repetition::Never).into()
}

pub(crate) fn lower_range(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let function = symbolic.members(&args[0]);
    set_of(symbolic, map(&function, |pair| pair.item(1))).into()
}

/// The condition that a pair is in a function or sequence.
pub(crate) fn lower_in_function(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let function = symbolic.members(&args[1]);
    is_member_of(symbolic, Collection::Function, &function, &args[0]).into()
}

/// The pairs as the members of another collection.
fn lower_pairs(symbolic: &mut Symbolic, function: &Term, kind: Collection) -> Partial {
    let function = symbolic.members(function);
    symbolic.collection(kind, function.members.clone(), Repetition::Never).into()
}

fn lower_inverse(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let (one, other) = (symbolic.members(&args[0]), symbolic.members(&args[1]));
    let (forth, back) = (maps_back(symbolic, &one, &other), maps_back(symbolic, &other, &one));
    symbolic.problem.and([forth, back]).into()
}

/// The condition that the second function maps every image under the first back to its argument: if `f(a) = b`, then
/// `g(b) = a`. It consists of equalities between images and arguments only, which both directions share.
fn maps_back(symbolic: &mut Symbolic, from: &Members, to: &Members) -> Bool {
    let mut parts = Vec::new();
    for member in &from.members {
        let (point, image) = (member.term.item(0), member.term.item(1));
        let mut inside = Vec::new();
        for target in &to.members {
            // The other direction builds the same equation, so the two share it.
            let same = symbolic.equal(&image, &target.term.item(0));
            let here = symbolic.problem.and([target.condition, same]);
            // If the image cannot be this argument, no implication is needed.
            if here != Bool::FALSE {
                let back = symbolic.equal(&target.term.item(1), &point);
                let mapped = symbolic.problem.and([member.condition, here]);
                parts.push(symbolic.problem.implies(mapped, back));
                inside.push(here);
            }
        }
        let inside = symbolic.problem.or(inside);
        // Each image must be an argument of the other function.
        parts.push(symbolic.problem.implies(member.condition, inside));
    }
    symbolic.problem.and(parts)
}

fn lower_restrict(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let Some(Value::Domain(domain)) = args[1].as_value() else { unreachable!("domains do not depend on decisions") };
    let function = symbolic.members(&args[0]);
    let mut kept = Vec::with_capacity(function.members.len());
    for member in &function.members {
        let inside = symbolic.in_domain(domain, &member.term.item(0));
        kept.push(Member::new(symbolic.problem.and([member.condition, inside]), member.term.clone()));
    }
    symbolic.collection(Collection::Function, kept, Repetition::Never).into()
}
