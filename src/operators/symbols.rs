//! The symbols that several families share, with the precedences of the language, and those that are asked for by name.

use super::{Associativity::*, Symbol};

const fn comparison(text: &'static str) -> Symbol {
    Symbol::infix(text, 400, None)
}

pub(crate) const POWER: Symbol = Symbol::infix("**", 2001, Right);
pub(crate) const NEGATE: Symbol = Symbol::prefix("-", 2000);
pub(crate) const NOT: Symbol = Symbol::prefix("!", 2000);
pub(crate) const FACTORIAL: Symbol = Symbol::postfix("!");
pub(crate) const TIMES: Symbol = Symbol::infix("*", 700, Left);
pub(crate) const DIVIDE: Symbol = Symbol::infix("/", 700, Left);
pub(crate) const MODULO: Symbol = Symbol::infix("%", 700, Left);
pub(crate) const INTERSECT: Symbol = Symbol::infix("intersect", 700, Left);
pub(crate) const PLUS: Symbol = Symbol::infix("+", 600, Left);
pub(crate) const MINUS: Symbol = Symbol::infix("-", 600, Left);
pub(crate) const UNION: Symbol = Symbol::infix("union", 600, Left);
pub(crate) const IN: Symbol = Symbol::infix("in", 550, None);
pub(crate) const EQUAL: Symbol = comparison("=");
pub(crate) const UNEQUAL: Symbol = comparison("!=");
pub(crate) const LESS: Symbol = comparison("<");
pub(crate) const AT_MOST: Symbol = comparison("<=");
pub(crate) const GREATER: Symbol = comparison(">");
pub(crate) const AT_LEAST: Symbol = comparison(">=");
pub(crate) const SUBSET: Symbol = comparison("subset");
pub(crate) const SUBSET_EQ: Symbol = comparison("subsetEq");
pub(crate) const SUPERSET: Symbol = comparison("supset");
pub(crate) const SUPERSET_EQ: Symbol = comparison("supsetEq");
pub(crate) const SUBSEQUENCE: Symbol = comparison("subsequence");
pub(crate) const SUBSTRING: Symbol = comparison("substring");
pub(crate) const LEX_LESS: Symbol = comparison("<lex");
pub(crate) const LEX_AT_MOST: Symbol = comparison("<=lex");
pub(crate) const LEX_GREATER: Symbol = comparison(">lex");
pub(crate) const LEX_AT_LEAST: Symbol = comparison(">=lex");
pub(crate) const DOT_LESS: Symbol = comparison(".<");
pub(crate) const DOT_AT_MOST: Symbol = comparison(".<=");
pub(crate) const DOT_GREATER: Symbol = comparison(".>");
pub(crate) const DOT_AT_LEAST: Symbol = comparison(".>=");
pub(crate) const TILDE_LESS: Symbol = comparison("~<");
pub(crate) const TILDE_AT_MOST: Symbol = comparison("~<=");
pub(crate) const TILDE_GREATER: Symbol = comparison("~>");
pub(crate) const TILDE_AT_LEAST: Symbol = comparison("~>=");
pub(crate) const AND: Symbol = Symbol::infix("/\\", 120, Left);
pub(crate) const OR: Symbol = Symbol::infix("\\/", 110, Left);
pub(crate) const IMPLIES: Symbol = Symbol::infix("->", 50, None);
pub(crate) const IFF: Symbol = Symbol::infix("<->", 50, None);

pub(crate) const BARS: Symbol = Symbol::bars();
pub(crate) const ALL_DIFFERENT: Symbol = Symbol::function("allDiff");
/// `m[i]`
pub(crate) const INDEX: Symbol = Symbol::special("index");
/// `f(x)`
pub(crate) const IMAGE: Symbol = Symbol::special("image");

/// `and(c)`, which is also what `forAll` becomes.
pub(crate) const ALL: Symbol = Symbol::function("and");
/// `or(c)`, which is also what `exists` becomes.
pub(crate) const ANY: Symbol = Symbol::function("or");
pub(crate) const SUM: Symbol = Symbol::function("sum");
pub(crate) const PRODUCT: Symbol = Symbol::function("product");
pub(crate) const MIN: Symbol = Symbol::function("min");
pub(crate) const MAX: Symbol = Symbol::function("max");
pub(crate) const TO_SET: Symbol = Symbol::function("toSet");
pub(crate) const TO_MSET: Symbol = Symbol::function("toMSet");
pub(crate) const POWER_SET: Symbol = Symbol::function("powerSet");
pub(crate) const DEFINED: Symbol = Symbol::function("defined");
pub(crate) const RANGE: Symbol = Symbol::function("range");
/// `image(f, x)`
pub(crate) const IMAGE_WORD: Symbol = Symbol::function("image");
pub(crate) const IMAGE_SET: Symbol = Symbol::function("imageSet");
pub(crate) const PRE_IMAGE: Symbol = Symbol::function("preImage");
pub(crate) const INVERSE: Symbol = Symbol::function("inverse");
pub(crate) const FREQUENCY: Symbol = Symbol::function("freq");
pub(crate) const HISTOGRAM: Symbol = Symbol::function("hist");
/// The symbol of `flatten`. With two operands, the type of its result depends on the value of the first.
pub(crate) const FLATTEN: Symbol = Symbol::function("flatten");

pub(crate) const CATCH_UNDEFINED: Symbol = Symbol::function("catchUndef");
pub(crate) const ACTIVE: Symbol = Symbol::function("active");
pub(crate) const TRANSFORM: Symbol = Symbol::function("transform");
pub(crate) const DO_NOT_CARE: Symbol = Symbol::function("dontCare");
pub(crate) const QUICK_PERMUTATION_ORDER: Symbol = Symbol::function("quickPermutationOrder");
