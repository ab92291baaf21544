//! Help for operands that learners often write although no row of an operator accepts them.

use super::{OperatorSymbol, symbols::*};
use crate::language::{MemberForm, Type};

/// An operator with operands that learners write by mistake, and what they should write instead; `{}` is the symbol.
struct MistakenSymbol {
    symbols: &'static [OperatorSymbol],
    operands: fn(&[&Type]) -> bool,
    help: &'static str,
}

/// The mistakes, in the order in which they are tested.
const MISTAKEN: &[MistakenSymbol] = &[
    MistakenSymbol {
        symbols: &[LESS],
        operands: are_collections,
        help: "write `subset` to compare by inclusion, or `|a| {} |b|` for the sizes",
    },
    MistakenSymbol {
        symbols: &[AT_MOST],
        operands: are_collections,
        help: "write `subsetEq` to compare by inclusion, or `|a| {} |b|` for the sizes",
    },
    MistakenSymbol {
        symbols: &[GREATER],
        operands: are_collections,
        help: "write `supset` to compare by inclusion, or `|a| {} |b|` for the sizes",
    },
    MistakenSymbol {
        symbols: &[AT_LEAST],
        operands: are_collections,
        help: "write `supsetEq` to compare by inclusion, or `|a| {} |b|` for the sizes",
    },
    MistakenSymbol { symbols: &[LESS], operands: are_lists, help: "write `<lex` to compare element by element" },
    MistakenSymbol { symbols: &[AT_MOST], operands: are_lists, help: "write `<=lex` to compare element by element" },
    MistakenSymbol { symbols: &[GREATER], operands: are_lists, help: "write `>lex` to compare element by element" },
    MistakenSymbol { symbols: &[AT_LEAST], operands: are_lists, help: "write `>=lex` to compare element by element" },
    MistakenSymbol {
        symbols: &[LESS, AT_MOST, GREATER, AT_LEAST],
        operands: |types| matches!(types, [Type::Named(left), Type::Named(right)] if left == right && left.unnamed),
        help: "the members of an unnamed type have no order; they can be compared with `=`",
    },
    MistakenSymbol {
        symbols: &[LESS, AT_MOST, GREATER, AT_LEAST, EQUAL, UNEQUAL, PLUS, MINUS, TIMES, DIVIDE, MODULO, POWER],
        operands: |types| matches!(types, [Type::Bool, Type::Int(n)] | [Type::Int(n), Type::Bool] if n.tag.is_none()),
        help: "write `toInt(…)` around the Boolean to count true as 1 and false as 0",
    },
    MistakenSymbol {
        symbols: &[EQUAL, UNEQUAL],
        operands: |_| true,
        help: "both sides of `{}` must have the same type",
    },
    MistakenSymbol {
        symbols: &[PLUS, MINUS],
        operands: |types| matches!(types, [Type::Named(_), _] | [_, Type::Named(_)]),
        help: "the members of a type are not numbers; use `succ(x)` and `pred(x)` for the neighbours of `x`",
    },
    MistakenSymbol {
        symbols: &[PLUS],
        operands: are_booleans,
        help: "write `\\/` for \"or\", or `toInt(a) + toInt(b)` for a number",
    },
    MistakenSymbol { symbols: &[TIMES], operands: are_booleans, help: "write `/\\` for \"and\"" },
    MistakenSymbol { symbols: &[PLUS], operands: are_sets, help: "write `union`" },
    MistakenSymbol { symbols: &[TIMES], operands: are_sets, help: "write `intersect`" },
    MistakenSymbol {
        symbols: &[IN],
        operands: are_sets,
        help: "write `subsetEq` to test whether one set contains all members of the other",
    },
    MistakenSymbol {
        symbols: &[UNION, INTERSECT, MINUS],
        operands: |types| match types {
            [set, single] => set.as_set().is_some_and(|member| single.join(member).is_some()),
            _ => false,
        },
        help: "write `{…}` around the member: `s {} {x}`",
    },
    MistakenSymbol {
        symbols: &[ALL, ANY],
        operands: |types| matches!(types, [ty] if ty.form() == Some(MemberForm::Values)),
        help: "write `{}([x | x <- …])`",
    },
    MistakenSymbol {
        symbols: &[SUM, PRODUCT],
        operands: |types| matches!(types, [Type::Bool | Type::List(_) | Type::Matrix(_)]) && !are_nested(types),
        help: "write `toInt(…)` around each Boolean to count true as 1 and false as 0",
    },
    MistakenSymbol {
        symbols: &[TRANSFORM],
        operands: |types| matches!(types, [ty, _] if ty.form() == Some(MemberForm::Cycles)),
        help: "write `transform([g], x)`, with brackets around the permutation",
    },
];

fn are_booleans(types: &[&Type]) -> bool {
    matches!(types, [Type::Bool, Type::Bool])
}

fn are_sets(types: &[&Type]) -> bool {
    types.len() == 2 && types.iter().all(|ty| ty.as_set().is_some())
}

/// Returns true if both operands are collections of one kind that has unions.
fn are_collections(types: &[&Type]) -> bool {
    match types {
        [left, right] if left.collection() == right.collection() => {
            matches!(left.form(), Some(MemberForm::Values | MemberForm::Tuples | MemberForm::Pairs))
        }
        _ => false,
    }
}

fn are_lists(types: &[&Type]) -> bool {
    types.len() == 2
        && types
            .iter()
            .all(|ty| matches!(ty, Type::Matrix(_) | Type::List(_)) || ty.form() == Some(MemberForm::Positions))
}

/// Returns true if the only operand is a matrix of matrices.
fn are_nested(types: &[&Type]) -> bool {
    let inner = |ty: &Type| matches!(ty, Type::Matrix(_) | Type::List(_));
    matches!(types, [ty] if inner(ty) && ty.member().is_some_and(|member| inner(&member)))
}

/// The help for operands of these types that no row of the symbol accepts.
pub(crate) fn help_for_operands(symbol: OperatorSymbol, types: &[&Type]) -> Option<String> {
    if let Some(row) = MISTAKEN.iter().find(|row| row.symbols.contains(&symbol) && (row.operands)(types)) {
        return Some(row.help.replace("{}", symbol.text));
    }
    match types {
        [Type::Matrix(_) | Type::List(_), ty] if ty.form() == Some(MemberForm::Blocks) => {
            Some("write `{…}` instead of `[…]` for a set, or `toSet(…)`".to_owned())
        }
        types if are_nested(types) => Some(format!("write `{}(flatten(m))` for all elements", symbol.text)),
        _ => None,
    }
}
