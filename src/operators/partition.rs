//! Partitions: sets of disjoint non-empty sets, the parts.

use super::{
    Operator, Symbol,
    evaluation::{boolean, integer, is_subset, items},
    not_lowered,
    symbols::*,
};
use crate::language::{Evaluated, Value};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        Symbol::function("parts"),
        "(partition from T) -> set of set of T",
        "the set of its parts",
        |args| match &args[0] {
            Value::Partition(parts) => Ok(Value::Set(parts.clone())),
            other => unreachable!("a partition was expected, not {other:?}"),
        },
        not_lowered,
    ),
    Operator::new(
        Symbol::function("participants"),
        "(partition from T) -> set of T",
        "everything that is in some part",
        |args| Ok(Value::set(items(&args[0]).iter().flat_map(items).cloned().collect())),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("party"),
        "(T, partition from T) -> set of T",
        "the part that a value is in; empty if it is in none",
        |args| {
            let part = items(&args[1]).iter().find(|part| items(part).binary_search(&args[0]).is_ok());
            Ok(part.cloned().unwrap_or_else(|| Value::set(Vec::new())))
        },
        not_lowered,
    ),
    Operator::new(
        Symbol::function("together"),
        "(set of T, partition from T) -> bool",
        "all members of the set are in the same part",
        |args| boolean(in_one_part(&args[0], &args[1])),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("apart"),
        "(set of T, partition from T) -> bool",
        "the members of the set are in the partition, but not all in the same part",
        apart,
        not_lowered,
    ),
    Operator::new(
        BARS,
        "(partition from T) -> int",
        "number of values in the parts; |parts(p)| is the number of parts",
        |args| integer(items(&args[0]).iter().map(|part| items(part).len() as i128).sum()),
        not_lowered,
    ),
    Operator::new(
        IN,
        "(set of T, partition from T) -> bool",
        "one of the parts",
        |args| boolean(items(&args[1]).binary_search(&args[0]).is_ok()),
        not_lowered,
    ),
];

fn in_one_part(set: &Value, partition: &Value) -> bool {
    items(partition).iter().any(|part| is_subset(items(set), items(part)))
}

fn apart(args: &[Value]) -> Evaluated {
    let occurs = |member: &Value| items(&args[1]).iter().any(|part| items(part).binary_search(member).is_ok());
    boolean(!in_one_part(&args[0], &args[1]) && items(&args[0]).iter().all(occurs))
}
