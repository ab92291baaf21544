//! Equality on every type, and the order of Booleans, integers and enumerated types.

use super::{Operator, evaluation::boolean, symbols::*};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        EQUAL,
        "(T, T) -> bool",
        "the same value; matrices must have the same indices, too",
        |args| boolean(args[0] == args[1]),
        |s, args| s.equal(&args[0], &args[1]).into(),
    ),
    Operator::new(
        UNEQUAL,
        "(T, T) -> bool",
        "different values",
        |args| boolean(args[0] != args[1]),
        |s, args| (!s.equal(&args[0], &args[1])).into(),
    ),
    Operator::new(
        LESS,
        "(T, T) -> bool where T ordered",
        "smaller; false is smaller than true",
        |args| boolean(args[0] < args[1]),
        |s, args| s.less(&args[0], &args[1]).into(),
    ),
    Operator::new(
        AT_MOST,
        "(T, T) -> bool where T ordered",
        "smaller or equal",
        |args| boolean(args[0] <= args[1]),
        |s, args| (!s.less(&args[1], &args[0])).into(),
    ),
    Operator::new(
        GREATER,
        "(T, T) -> bool where T ordered",
        "greater",
        |args| boolean(args[0] > args[1]),
        |s, args| s.less(&args[1], &args[0]).into(),
    ),
    Operator::new(
        AT_LEAST,
        "(T, T) -> bool where T ordered",
        "greater or equal",
        |args| boolean(args[0] >= args[1]),
        |s, args| (!s.less(&args[0], &args[1])).into(),
    ),
];
