//! Connectives.

use super::{Operator, Symbol, evaluation::boolean, not_lowered, symbols::*};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        AND,
        "(bool, bool) -> bool",
        "both hold",
        |args| boolean(args[0].as_bool() && args[1].as_bool()),
        not_lowered,
    ),
    Operator::new(
        OR,
        "(bool, bool) -> bool",
        "at least one of the two holds",
        |args| boolean(args[0].as_bool() || args[1].as_bool()),
        not_lowered,
    ),
    Operator::new(
        IMPLIES,
        "(bool, bool) -> bool",
        "the second holds if the first does",
        |args| boolean(!args[0].as_bool() || args[1].as_bool()),
        not_lowered,
    ),
    Operator::new(
        IFF,
        "(bool, bool) -> bool",
        "both hold or neither does",
        |args| boolean(args[0].as_bool() == args[1].as_bool()),
        not_lowered,
    ),
    Operator::new(NOT, "(bool) -> bool", "the operand does not hold", |args| boolean(!args[0].as_bool()), not_lowered),
    Operator::new(
        Symbol::function("true"),
        "(T) -> bool",
        "true, whatever the operand",
        |_| boolean(true),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("makeTable"),
        "(bool) -> bool",
        "the operand itself; a hint to solve it as a table",
        |args| Ok(args[0].clone()),
        not_lowered,
    ),
];
