//! The distance to an earlier plan. It has no notation: a model gets it as a goal.

use super::{Operator, OperatorSymbol, evaluation::integer_in_range};
use crate::{language::differences::distance, symbolic::Term};

/// The number of changes from an earlier value, the second operand, which is a constant.
pub(crate) static CHANGES: Operator = Operator::new(
    OperatorSymbol::special("the changes from an earlier plan"),
    "(T, T) -> int",
    "the number of changes from the second value to the first one",
    ("", ""),
    |args| integer_in_range(distance(&args[1], &args[0]) as i128),
    |s, args| match &args[1] {
        Term::Value(old) => {
            let changes = s.changes(old, &args[0]);
            s.int_term(changes).into()
        }
        other => unreachable!("an earlier plan was expected, not {other:?}"),
    },
)
.total(true);
