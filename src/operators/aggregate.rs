//! Operators that fold a list or another collection into one value. Quantifiers are `and`, `or`, `sum` and
//! `product` of a comprehension.

use super::{
    Operator, Symbol,
    arithmetic::multiply,
    evaluation::{boolean, integer, items},
    not_lowered,
    symbols::*,
};
use crate::language::{Evaluated, Stop, Value};

pub static OPERATORS: &[Operator] = &[
    Operator::new(ALL, "([bool]) -> bool", "all hold; true if there are none", all, not_lowered),
    Operator::new(ALL, "(mset of bool) -> bool", "all hold; true if there are none", all, not_lowered),
    Operator::new(ANY, "([bool]) -> bool", "at least one holds; false if there are none", any, not_lowered),
    Operator::new(ANY, "(mset of bool) -> bool", "at least one holds; false if there are none", any, not_lowered),
    Operator::new(Symbol::function("xor"), "([bool]) -> bool", "an odd number of them holds", odd, not_lowered),
    Operator::new(Symbol::function("xor"), "(mset of bool) -> bool", "an odd number of them holds", odd, not_lowered),
    Operator::new(SUM, "([int]) -> int", "sum of the elements; 0 if there are none", sum, not_lowered),
    Operator::new(SUM, "(set of int) -> int", "sum of the members; 0 if there are none", sum, not_lowered),
    Operator::new(
        SUM,
        "(mset of int) -> int",
        "sum of the members, each as often as it occurs; 0 if there are none",
        sum,
        not_lowered,
    ),
    Operator::new(PRODUCT, "([int]) -> int", "product of the elements; 1 if there are none", product, not_lowered),
    Operator::new(PRODUCT, "(set of int) -> int", "product of the members; 1 if there are none", product, not_lowered),
    Operator::new(
        PRODUCT,
        "(mset of int) -> int",
        "product of the members, each as often as it occurs; 1 if there are none",
        product,
        not_lowered,
    ),
    Operator::new(MIN, "([T]) -> T where T ordered", "smallest element; undefined if there is none", min, not_lowered),
    Operator::new(
        MIN,
        "(set of T) -> T where T ordered",
        "smallest member; undefined if there is none",
        min,
        not_lowered,
    ),
    Operator::new(
        MIN,
        "(mset of T) -> T where T ordered",
        "smallest member; undefined if there is none",
        min,
        not_lowered,
    ),
    Operator::new(MAX, "([T]) -> T where T ordered", "largest element; undefined if there is none", max, not_lowered),
    Operator::new(
        MAX,
        "(set of T) -> T where T ordered",
        "largest member; undefined if there is none",
        max,
        not_lowered,
    ),
    Operator::new(
        MAX,
        "(mset of T) -> T where T ordered",
        "largest member; undefined if there is none",
        max,
        not_lowered,
    ),
    Operator::new(
        Symbol::function("allDiff"),
        "([T]) -> bool",
        "no two elements are equal",
        |args| boolean(all_different(items(&args[0]).iter())),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("alldifferent_except"),
        "([T], T) -> bool",
        "no two elements are equal, apart from those equal to the second operand",
        |args| boolean(all_different(items(&args[0]).iter().filter(|item| **item != args[1]))),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("gcc"),
        "([T], [T], [int]) -> bool",
        "each of the values (second) occurs among the elements (first) as often as the third says",
        |args| counts(&args[0], &args[1], &args[2], |count, wanted| count == wanted),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("atleast"),
        "([T], [int], [T]) -> bool",
        "each of the values (third) occurs among the elements (first) at least as often as the second says",
        |args| counts(&args[0], &args[2], &args[1], |count, wanted| count >= wanted),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("atmost"),
        "([T], [int], [T]) -> bool",
        "each of the values (third) occurs among the elements (first) at most as often as the second says",
        |args| counts(&args[0], &args[2], &args[1], |count, wanted| count <= wanted),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("table"),
        "([T], [[T]]) -> bool",
        "the elements (first), in order, are one of the rows (second)",
        |args| boolean(items(&args[1]).iter().any(|row| items(row) == items(&args[0]))),
        not_lowered,
    ),
];

fn all(args: &[Value]) -> Evaluated {
    boolean(items(&args[0]).iter().all(Value::as_bool))
}

fn any(args: &[Value]) -> Evaluated {
    boolean(items(&args[0]).iter().any(Value::as_bool))
}

fn odd(args: &[Value]) -> Evaluated {
    boolean(items(&args[0]).iter().filter(|item| item.as_bool()).count() % 2 == 1)
}

fn sum(args: &[Value]) -> Evaluated {
    integer(items(&args[0]).iter().map(|item| i128::from(item.as_int())).sum())
}

fn product(args: &[Value]) -> Evaluated {
    let factors = items(&args[0]);
    if factors.contains(&Value::Int(0)) { Ok(Value::Int(0)) } else { multiply(factors.iter().map(Value::as_int)) }
}

fn min(args: &[Value]) -> Evaluated {
    items(&args[0]).iter().min().cloned().ok_or(Stop::Undefined)
}

fn max(args: &[Value]) -> Evaluated {
    items(&args[0]).iter().max().cloned().ok_or(Stop::Undefined)
}

fn all_different<'a>(values: impl Iterator<Item = &'a Value>) -> bool {
    let mut sorted: Vec<&Value> = values.collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|two| two[0] != two[1])
}

/// Whether the number of occurrences of each value compares with the wanted number.
fn counts(elements: &Value, values: &Value, wanted: &Value, compare: fn(i64, i64) -> bool) -> Evaluated {
    boolean(items(values).iter().zip(items(wanted)).all(|(value, wanted)| {
        let count = items(elements).iter().filter(|element| *element == value).count();
        compare(count as i64, wanted.as_int())
    }))
}
