//! Connectives.

use super::{Operator, OperatorSymbol, Polarity::*, evaluation::boolean, symbols::*};
use crate::problem::Bool;

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        AND,
        "(bool, bool) -> bool",
        "both hold",
        ("true /\\ false", "false"),
        |args| boolean(args[0].as_bool() && args[1].as_bool()),
        |s, args| s.problem.and([args[0].bool(), args[1].bool()]).into(),
    )
    .polarity(&[Positive, Positive])
    .absorbing(false),
    Operator::new(
        OR,
        "(bool, bool) -> bool",
        "at least one of the two holds",
        ("true \\/ false", "true"),
        |args| boolean(args[0].as_bool() || args[1].as_bool()),
        |s, args| s.problem.or([args[0].bool(), args[1].bool()]).into(),
    )
    .polarity(&[Positive, Positive])
    .absorbing(true),
    Operator::new(
        IMPLIES,
        "(bool, bool) -> bool",
        "the second holds if the first does",
        ("false -> true", "true"),
        |args| boolean(!args[0].as_bool() || args[1].as_bool()),
        |s, args| s.problem.implies(args[0].bool(), args[1].bool()).into(),
    )
    .polarity(&[Negative, Positive])
    .absorbing(true),
    Operator::new(
        IFF,
        "(bool, bool) -> bool",
        "both hold or neither does",
        ("false <-> false", "true"),
        |args| boolean(args[0].as_bool() == args[1].as_bool()),
        |s, args| s.problem.equivalent(args[0].bool(), args[1].bool()).into(),
    ),
    Operator::new(
        NOT,
        "(bool) -> bool",
        "the operand does not hold",
        ("!false", "true"),
        |args| boolean(!args[0].as_bool()),
        |_, args| (!args[0].bool()).into(),
    )
    .polarity(&[Negative]),
    Operator::new(
        OperatorSymbol::function("true"),
        "(T) -> bool",
        "it holds whatever the operand is",
        ("true(5)", "true"),
        |_| boolean(true),
        |_, _| Bool::TRUE.into(),
    ),
    Operator::new(
        OperatorSymbol::function("makeTable"),
        "(bool) -> bool",
        "the operand itself; a hint to solve it as a table",
        ("makeTable(1 < 2)", "true"),
        |args| Ok(args[0].clone()),
        |_, args| args[0].clone().into(),
    ),
];
