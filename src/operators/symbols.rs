//! The symbols that several families share or that other code refers to, with the precedences of the language.

use super::{Associativity::*, OperatorSymbol};

const fn comparison(text: &'static str) -> OperatorSymbol {
    OperatorSymbol::infix(text, 400, None)
}

pub(crate) const POWER: OperatorSymbol = OperatorSymbol::infix("**", 2001, Right);
pub(crate) const NEGATE: OperatorSymbol = OperatorSymbol::prefix("-", 2000);
pub(crate) const NOT: OperatorSymbol = OperatorSymbol::prefix("!", 2000);
pub(crate) const FACTORIAL: OperatorSymbol = OperatorSymbol::postfix("!");
pub(crate) const TIMES: OperatorSymbol = OperatorSymbol::infix("*", 700, Left);
pub(crate) const DIVIDE: OperatorSymbol = OperatorSymbol::infix("/", 700, Left);
pub(crate) const MODULO: OperatorSymbol = OperatorSymbol::infix("%", 700, Left);
pub(crate) const INTERSECT: OperatorSymbol = OperatorSymbol::infix("intersect", 700, Left);
pub(crate) const PLUS: OperatorSymbol = OperatorSymbol::infix("+", 600, Left);
pub(crate) const MINUS: OperatorSymbol = OperatorSymbol::infix("-", 600, Left);
pub(crate) const UNION: OperatorSymbol = OperatorSymbol::infix("union", 600, Left);
pub(crate) const IN: OperatorSymbol = OperatorSymbol::infix("in", 550, None);
pub(crate) const EQUAL: OperatorSymbol = comparison("=");
pub(crate) const UNEQUAL: OperatorSymbol = comparison("!=");
pub(crate) const LESS: OperatorSymbol = comparison("<");
pub(crate) const AT_MOST: OperatorSymbol = comparison("<=");
pub(crate) const GREATER: OperatorSymbol = comparison(">");
pub(crate) const AT_LEAST: OperatorSymbol = comparison(">=");
pub(crate) const SUBSET: OperatorSymbol = comparison("subset");
pub(crate) const SUBSET_EQ: OperatorSymbol = comparison("subsetEq");
pub(crate) const SUPERSET: OperatorSymbol = comparison("supset");
pub(crate) const SUPERSET_EQ: OperatorSymbol = comparison("supsetEq");
pub(crate) const SUBSEQUENCE: OperatorSymbol = comparison("subsequence");
pub(crate) const SUBSTRING: OperatorSymbol = comparison("substring");
pub(crate) const LEX_LESS: OperatorSymbol = comparison("<lex");
pub(crate) const LEX_AT_MOST: OperatorSymbol = comparison("<=lex");
pub(crate) const LEX_GREATER: OperatorSymbol = comparison(">lex");
pub(crate) const LEX_AT_LEAST: OperatorSymbol = comparison(">=lex");
pub(crate) const DOT_LESS: OperatorSymbol = comparison(".<");
pub(crate) const DOT_AT_MOST: OperatorSymbol = comparison(".<=");
pub(crate) const DOT_GREATER: OperatorSymbol = comparison(".>");
pub(crate) const DOT_AT_LEAST: OperatorSymbol = comparison(".>=");
pub(crate) const TILDE_LESS: OperatorSymbol = comparison("~<");
pub(crate) const TILDE_AT_MOST: OperatorSymbol = comparison("~<=");
pub(crate) const TILDE_GREATER: OperatorSymbol = comparison("~>");
pub(crate) const TILDE_AT_LEAST: OperatorSymbol = comparison("~>=");
pub(crate) const AND: OperatorSymbol = OperatorSymbol::infix("/\\", 120, Left);
pub(crate) const OR: OperatorSymbol = OperatorSymbol::infix("\\/", 110, Left);
pub(crate) const IMPLIES: OperatorSymbol = OperatorSymbol::infix("->", 50, None);
pub(crate) const IFF: OperatorSymbol = OperatorSymbol::infix("<->", 50, None);

pub(crate) const BARS: OperatorSymbol = OperatorSymbol::bars();
pub(crate) const ALL_DIFFERENT: OperatorSymbol = OperatorSymbol::function("allDiff");
/// `m[i]`
pub(crate) const INDEX: OperatorSymbol = OperatorSymbol::special("index");
/// `f(x)`
pub(crate) const IMAGE: OperatorSymbol = OperatorSymbol::special("image");

/// `and(c)`, also for `forAll`.
pub(crate) const ALL: OperatorSymbol = OperatorSymbol::function("and");
/// `or(c)`, also for `exists`.
pub(crate) const ANY: OperatorSymbol = OperatorSymbol::function("or");
pub(crate) const SUM: OperatorSymbol = OperatorSymbol::function("sum");
pub(crate) const PRODUCT: OperatorSymbol = OperatorSymbol::function("product");
pub(crate) const MIN: OperatorSymbol = OperatorSymbol::function("min");
pub(crate) const MAX: OperatorSymbol = OperatorSymbol::function("max");
pub(crate) const TO_SET: OperatorSymbol = OperatorSymbol::function("toSet");
pub(crate) const TO_MSET: OperatorSymbol = OperatorSymbol::function("toMSet");
pub(crate) const POWER_SET: OperatorSymbol = OperatorSymbol::function("powerSet");
pub(crate) const DEFINED: OperatorSymbol = OperatorSymbol::function("defined");
pub(crate) const RANGE: OperatorSymbol = OperatorSymbol::function("range");
/// `image(f, x)`
pub(crate) const IMAGE_WORD: OperatorSymbol = OperatorSymbol::function("image");
pub(crate) const IMAGE_SET: OperatorSymbol = OperatorSymbol::function("imageSet");
pub(crate) const PRE_IMAGE: OperatorSymbol = OperatorSymbol::function("preImage");
pub(crate) const INVERSE: OperatorSymbol = OperatorSymbol::function("inverse");
pub(crate) const FREQUENCY: OperatorSymbol = OperatorSymbol::function("freq");
pub(crate) const HISTOGRAM: OperatorSymbol = OperatorSymbol::function("hist");
/// The symbol of `flatten`. With two operands, the type of its result depends on the value of the first.
pub(crate) const FLATTEN: OperatorSymbol = OperatorSymbol::function("flatten");

pub(crate) const CATCH_UNDEFINED: OperatorSymbol = OperatorSymbol::function("catchUndef");
pub(crate) const ACTIVE: OperatorSymbol = OperatorSymbol::function("active");
pub(crate) const TRANSFORM: OperatorSymbol = OperatorSymbol::function("transform");
pub(crate) const DO_NOT_CARE: OperatorSymbol = OperatorSymbol::function("dontCare");
pub(crate) const QUICK_PERMUTATION_ORDER: OperatorSymbol = OperatorSymbol::function("quickPermutationOrder");
