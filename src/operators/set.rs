//! Sets. Their union, inclusion and the like stand in [`super::algebra`].

use super::{
    Operator, Symbol,
    evaluation::{boolean, check_size, items, length},
    not_lowered,
    symbols::*,
};
use crate::language::{Evaluated, Value};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        IN,
        "(T, set of T) -> bool",
        "a member of the set",
        |args| boolean(items(&args[1]).binary_search(&args[0]).is_ok()),
        not_lowered,
    ),
    Operator::new(BARS, "(set of T) -> int", "number of members", |args| length(&args[0]), not_lowered),
    Operator::new(
        Symbol::function("powerSet"),
        "(set of T) -> set of set of T",
        "the set of all subsets",
        power_set,
        not_lowered,
    ),
    Operator::new(
        TO_MSET,
        "(set of T) -> mset of T",
        "the members as a multiset",
        |args| match &args[0] {
            Value::Set(members) => Ok(Value::MSet(members.clone())),
            other => unreachable!("a set was expected, not {other:?}"),
        },
        not_lowered,
    ),
];

fn power_set(args: &[Value]) -> Evaluated {
    let members = items(&args[0]);
    check_size(1u128.checked_shl(members.len() as u32), "this power set")?;
    let subsets = (0..1u64 << members.len()).map(|chosen| {
        let subset = members.iter().enumerate().filter(|(position, _)| chosen >> position & 1 == 1);
        Value::Set(subset.map(|(_, member)| member.clone()).collect())
    });
    Ok(Value::set(subsets.collect()))
}
