//! Equality on every type, and the order of Booleans, integers and enumerated types.

use super::{Operator, evaluation::boolean, power_set, symbols::*};
use crate::language::attributes::Limit::*;

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        EQUAL,
        "(T, T) -> bool",
        "the two values are the same; matrices must have the same indices, too",
        ("{1, 2} = {2, 1}", "true"),
        |args| boolean(args[0] == args[1]),
        |s, args| s.equal(&args[0], &args[1]).into(),
    )
    .limiting(Exactly, false)
    .on_power_sets(power_set::equal),
    Operator::new(
        UNEQUAL,
        "(T, T) -> bool",
        "the two values differ",
        ("(1, true) != (1, false)", "true"),
        |args| boolean(args[0] != args[1]),
        |s, args| (!s.equal(&args[0], &args[1])).into(),
    )
    .on_power_sets(power_set::unequal),
    Operator::new(
        LESS,
        "(T, T) -> bool where T ordered",
        "the first is smaller than the second; false is smaller than true",
        ("2 < 2", "false"),
        |args| boolean(args[0] < args[1]),
        |s, args| s.less(&args[0], &args[1]).into(),
    )
    .limiting(AtMost, true),
    Operator::new(
        AT_MOST,
        "(T, T) -> bool where T ordered",
        "the first is smaller than the second, or equal to it",
        ("2 <= 2", "true"),
        |args| boolean(args[0] <= args[1]),
        |s, args| (!s.less(&args[1], &args[0])).into(),
    )
    .limiting(AtMost, false),
    Operator::new(
        GREATER,
        "(T, T) -> bool where T ordered",
        "the first is greater than the second",
        ("3 > 2", "true"),
        |args| boolean(args[0] > args[1]),
        |s, args| s.less(&args[1], &args[0]).into(),
    )
    .limiting(AtLeast, true),
    Operator::new(
        AT_LEAST,
        "(T, T) -> bool where T ordered",
        "the first is greater than the second, or equal to it",
        ("1 >= 2", "false"),
        |args| boolean(args[0] >= args[1]),
        |s, args| (!s.less(&args[0], &args[1])).into(),
    )
    .limiting(AtLeast, false),
];
