//! Functions: partial unless their domain says `total`. Their union, inclusion and the like, as sets of
//! pairs, stand in [`super::algebra`].

use super::{
    Operator, Symbol,
    evaluation::{boolean, image, integer, items, pairs, tuples},
    not_lowered,
    symbols::*,
};
use crate::language::{Evaluated, Stop, Value};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        IMAGE,
        "(function A --> B, A) -> B",
        "what the function maps a value to; undefined where the function is",
        eval_image,
        not_lowered,
    ),
    Operator::new(
        IMAGE_WORD,
        "(function A --> B, A) -> B",
        "what the function maps a value to; undefined where the function is",
        eval_image,
        not_lowered,
    ),
    Operator::new(
        IMAGE_SET,
        "(function A --> B, A) -> set of B",
        "the set of what the function maps a value to: one member, or none where it is undefined",
        |args| Ok(Value::Set(image(&args[0], &args[1]).into_iter().cloned().collect())),
        not_lowered,
    ),
    Operator::new(
        PRE_IMAGE,
        "(function A --> B, B) -> set of A",
        "everything that the function maps to a value",
        |args| {
            let points = pairs(&args[0]).iter().filter(|pair| pair.1 == args[1]);
            Ok(Value::Set(points.map(|pair| pair.0.clone()).collect()))
        },
        not_lowered,
    ),
    Operator::new(
        DEFINED,
        "(function A --> B) -> set of A",
        "everything that the function maps to something",
        |args| Ok(Value::Set(pairs(&args[0]).iter().map(|pair| pair.0.clone()).collect())),
        not_lowered,
    ),
    Operator::new(
        RANGE,
        "(function A --> B) -> set of B",
        "everything that the function maps something to",
        |args| Ok(Value::set(pairs(&args[0]).iter().map(|pair| pair.1.clone()).collect())),
        not_lowered,
    ),
    Operator::new(
        INVERSE,
        "(function A --> B, function B --> A) -> bool",
        "each of the two maps back what the other maps",
        |args| {
            let maps_back = |from: &Value, to: &Value| {
                pairs(from).iter().all(|(point, value)| image(to, value).is_some_and(|back| back == point))
            };
            boolean(maps_back(&args[0], &args[1]) && maps_back(&args[1], &args[0]))
        },
        not_lowered,
    ),
    Operator::new(
        Symbol::function("restrict"),
        "(function A --> B, domain of A) -> function A --> B",
        "the function on the values of a domain only",
        restrict,
        not_lowered,
    ),
    Operator::new(
        Symbol::function("toRelation"),
        "(function A --> B) -> relation of (A * B)",
        "the pairs as a relation",
        |args| Ok(Value::Relation(tuples(&args[0]).into())),
        not_lowered,
    ),
    Operator::new(
        TO_SET,
        "(function A --> B) -> set of (A, B)",
        "the pairs as a set of tuples",
        |args| Ok(Value::Set(tuples(&args[0]).into())),
        not_lowered,
    ),
    Operator::new(
        TO_MSET,
        "(function A --> B) -> mset of (A, B)",
        "the pairs as a multiset of tuples",
        |args| Ok(Value::MSet(tuples(&args[0]).into())),
        not_lowered,
    ),
    Operator::new(
        IN,
        "((A, B), function A --> B) -> bool",
        "the function maps the first component to the second",
        |args| {
            let pair = items(&args[0]);
            boolean(image(&args[1], &pair[0]) == Some(&pair[1]))
        },
        not_lowered,
    ),
    Operator::new(
        BARS,
        "(function A --> B) -> int",
        "number of pairs",
        |args| integer(pairs(&args[0]).len() as i128),
        not_lowered,
    ),
];

fn eval_image(args: &[Value]) -> Evaluated {
    image(&args[0], &args[1]).cloned().ok_or(Stop::Undefined)
}

fn restrict(args: &[Value]) -> Evaluated {
    let Value::Domain(domain) = &args[1] else { unreachable!("a domain was expected, not {:?}", args[1]) };
    let kept = pairs(&args[0]).iter().filter(|pair| domain.contains(&pair.0));
    Ok(Value::Function(kept.cloned().collect()))
}
