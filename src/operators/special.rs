//! Operators that need more than the values of their operands: their definedness, types or domains.

use super::{Form, Operator, results, symbols::*};

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        CATCH_UNDEFINED,
        "(T, T) -> T",
        "the value of the first operand, or of the second where the first is undefined",
        ("catchUndef(1 / 0, 7)", "7"),
        |args| Ok(args[0].clone()),
        |_, args| args[0].clone().into(),
    )
    .catching_undefined()
    .resulting_in(results::either),
    Operator::form(
        ACTIVE,
        "(variant, alternative) -> bool",
        "the variant has a value of this alternative",
        ("active(variant {a = 1}, a)", "true"),
        Form::Active,
    ),
    Operator::form(
        TRANSFORM,
        "([permutation of P], T) -> T",
        "the value with the permutations applied to every point in it",
        ("transform([permutation((1, 2))], {1, 3})", "{2, 3}"),
        Form::Transform,
    ),
    Operator::form(
        DO_NOT_CARE,
        "(T) -> bool",
        "the expression has the first value of its domain, because its value does not matter",
        ("dontCare(false)", "true"),
        Form::DoesNotCare,
    ),
    Operator::form(
        QUICK_PERMUTATION_ORDER,
        "([permutation of P], T) -> bool",
        "the value is at most its image under the permutations, in the order `.<=`",
        ("quickPermutationOrder([permutation((1, 2))], {1, 3})", "true"),
        Form::PermutationOrder,
    ),
];
