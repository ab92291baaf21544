//! The symbols that several families share, with the precedences of the language, and those that the type
//! checker treats itself.

use super::{Associativity::*, Symbol};

const fn comparison(text: &'static str) -> Symbol {
    Symbol::infix(text, 400, None)
}

pub const POWER: Symbol = Symbol::infix("**", 2001, Right);
pub const NEGATE: Symbol = Symbol::prefix("-", 2000);
pub const NOT: Symbol = Symbol::prefix("!", 2000);
pub const FACTORIAL: Symbol = Symbol::postfix("!");
pub const TIMES: Symbol = Symbol::infix("*", 700, Left);
pub const DIVIDE: Symbol = Symbol::infix("/", 700, Left);
pub const MODULO: Symbol = Symbol::infix("%", 700, Left);
pub const INTERSECT: Symbol = Symbol::infix("intersect", 700, Left);
pub const PLUS: Symbol = Symbol::infix("+", 600, Left);
pub const MINUS: Symbol = Symbol::infix("-", 600, Left);
pub const UNION: Symbol = Symbol::infix("union", 600, Left);
pub const IN: Symbol = Symbol::infix("in", 550, None);
pub const EQUAL: Symbol = comparison("=");
pub const UNEQUAL: Symbol = comparison("!=");
pub const LESS: Symbol = comparison("<");
pub const AT_MOST: Symbol = comparison("<=");
pub const GREATER: Symbol = comparison(">");
pub const AT_LEAST: Symbol = comparison(">=");
pub const SUBSET: Symbol = comparison("subset");
pub const SUBSET_EQ: Symbol = comparison("subsetEq");
pub const SUPERSET: Symbol = comparison("supset");
pub const SUPERSET_EQ: Symbol = comparison("supsetEq");
pub const SUBSEQUENCE: Symbol = comparison("subsequence");
pub const SUBSTRING: Symbol = comparison("substring");
pub const LEX_LESS: Symbol = comparison("<lex");
pub const LEX_AT_MOST: Symbol = comparison("<=lex");
pub const LEX_GREATER: Symbol = comparison(">lex");
pub const LEX_AT_LEAST: Symbol = comparison(">=lex");
pub const DOT_LESS: Symbol = comparison(".<");
pub const DOT_AT_MOST: Symbol = comparison(".<=");
pub const DOT_GREATER: Symbol = comparison(".>");
pub const DOT_AT_LEAST: Symbol = comparison(".>=");
pub const TILDE_LESS: Symbol = comparison("~<");
pub const TILDE_AT_MOST: Symbol = comparison("~<=");
pub const TILDE_GREATER: Symbol = comparison("~>");
pub const TILDE_AT_LEAST: Symbol = comparison("~>=");
pub const AND: Symbol = Symbol::infix("/\\", 120, Left);
pub const OR: Symbol = Symbol::infix("\\/", 110, Left);
pub const IMPLIES: Symbol = Symbol::infix("->", 50, None);
pub const IFF: Symbol = Symbol::infix("<->", 50, None);

pub const BARS: Symbol = Symbol::bars();
/// `m[i]`
pub const INDEX: Symbol = Symbol::special("index");
/// `f(x)`
pub const IMAGE: Symbol = Symbol::special("image");

/// `and(c)`, which is also what `forAll` becomes.
pub const ALL: Symbol = Symbol::function("and");
/// `or(c)`, which is also what `exists` becomes.
pub const ANY: Symbol = Symbol::function("or");
pub const SUM: Symbol = Symbol::function("sum");
pub const PRODUCT: Symbol = Symbol::function("product");
pub const MIN: Symbol = Symbol::function("min");
pub const MAX: Symbol = Symbol::function("max");
pub const TO_SET: Symbol = Symbol::function("toSet");
pub const TO_MSET: Symbol = Symbol::function("toMSet");
pub const POWER_SET: Symbol = Symbol::function("powerSet");
pub const DEFINED: Symbol = Symbol::function("defined");
pub const RANGE: Symbol = Symbol::function("range");
/// `image(f, x)`
pub const IMAGE_WORD: Symbol = Symbol::function("image");
pub const IMAGE_SET: Symbol = Symbol::function("imageSet");
pub const PRE_IMAGE: Symbol = Symbol::function("preImage");
pub const INVERSE: Symbol = Symbol::function("inverse");
pub const FREQUENCY: Symbol = Symbol::function("freq");
pub const HISTOGRAM: Symbol = Symbol::function("hist");
/// Its result type depends on the value of the first operand where there are two.
pub const FLATTEN: Symbol = Symbol::function("flatten");

pub const CATCH_UNDEFINED: Symbol = Symbol::function("catchUndef");
pub const ACTIVE: Symbol = Symbol::function("active");
pub const TRANSFORM: Symbol = Symbol::function("transform");
pub const DO_NOT_CARE: Symbol = Symbol::function("dontCare");
pub const QUICK_PERMUTATION_ORDER: Symbol = Symbol::function("quickPermutationOrder");

/// Written like functions, but nodes of their own in the typed model: they do not compute with their
/// operands' values alone.
pub const FORMS: &[Symbol] = &[CATCH_UNDEFINED, ACTIVE, TRANSFORM, DO_NOT_CARE, QUICK_PERMUTATION_ORDER];
