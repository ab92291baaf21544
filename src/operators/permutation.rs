//! Permutations: they map every value, and all but the moved ones to themselves.

use super::{
    Operator, Symbol,
    evaluation::{boolean, image, integer, items, pairs, tuples},
    not_lowered,
    symbols::*,
};
use crate::language::{Evaluated, Value};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        IMAGE,
        "(permutation of T, T) -> T",
        "what the permutation maps a value to: itself unless it is moved",
        |args| Ok(apply(&args[0], &args[1]).clone()),
        not_lowered,
    ),
    Operator::new(
        IMAGE_WORD,
        "(permutation of T, T) -> T",
        "what the permutation maps a value to: itself unless it is moved",
        |args| Ok(apply(&args[0], &args[1]).clone()),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("compose"),
        "(permutation of T, permutation of T) -> permutation of T",
        "the permutation that maps x to g(h(x))",
        compose,
        not_lowered,
    ),
    Operator::new(
        Symbol::function("permInverse"),
        "(permutation of T) -> permutation of T",
        "the permutation that undoes the operand",
        |args| Ok(inverse(&args[0])),
        not_lowered,
    ),
    Operator::new(
        INVERSE,
        "(permutation of T, permutation of T) -> bool",
        "each of the two undoes the other",
        |args| boolean(args[0] == inverse(&args[1])),
        not_lowered,
    ),
    Operator::new(
        DEFINED,
        "(permutation of T) -> set of T",
        "the moved values",
        |args| Ok(Value::Set(pairs(&args[0]).iter().map(|pair| pair.0.clone()).collect())),
        not_lowered,
    ),
    Operator::new(
        BARS,
        "(permutation of T) -> int",
        "number of moved values",
        |args| integer(pairs(&args[0]).len() as i128),
        not_lowered,
    ),
    Operator::new(
        IN,
        "((T, T), permutation of T) -> bool",
        "the permutation moves the first component to the second",
        |args| {
            let pair = items(&args[0]);
            boolean(image(&args[1], &pair[0]) == Some(&pair[1]))
        },
        not_lowered,
    ),
    Operator::new(
        TO_SET,
        "(permutation of T) -> set of (T, T)",
        "the moved values, each with what it is moved to",
        |args| Ok(Value::Set(tuples(&args[0]).into())),
        not_lowered,
    ),
];

fn apply<'a>(permutation: &'a Value, point: &'a Value) -> &'a Value {
    image(permutation, point).unwrap_or(point)
}

fn inverse(permutation: &Value) -> Value {
    let mut pairs: Vec<_> = pairs(permutation).iter().map(|(point, image)| (image.clone(), point.clone())).collect();
    pairs.sort_unstable();
    Value::Permutation(pairs.into())
}

fn compose(args: &[Value]) -> Evaluated {
    let mut points: Vec<&Value> = args.iter().flat_map(pairs).map(|pair| &pair.0).collect();
    points.sort_unstable();
    points.dedup();
    let images = points.into_iter().map(|point| (point, apply(&args[0], apply(&args[1], point))));
    let moved = images.filter(|(point, image)| point != image);
    Ok(Value::Permutation(moved.map(|(point, image)| (point.clone(), image.clone())).collect()))
}
