//! Messages for operands that no row of an operator accepts, with better help for common beginners' mistakes than the
//! list of accepted types.

use super::{
    Signatures,
    model::{Expr, ExprKind},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::Type,
    operators::{self, Notation, Operator, OperatorSymbol, signature::Signature, symbols},
    source::Span,
};
use std::sync::Arc;

/// Returns a type as a noun phrase: "a set (`set of int`)".
pub(crate) fn described_type(ty: &Type) -> String {
    let noun = match ty {
        Type::Any => return "something of an unknown type".to_owned(),
        Type::Bool => return "a Boolean".to_owned(),
        ty if *ty == Type::INT => return "an integer".to_owned(),
        Type::Int(_) => "an integer with a tag",
        Type::Named(_) => return format!("a value of type `{ty}`"),
        Type::Tuple(_) => "a tuple",
        Type::Record(_) => "a record",
        Type::Variant(_) => "a variant",
        Type::Matrix(_) => "a matrix",
        Type::List(_) => "a list",
        Type::Collection(kind, _) => return format!("a {}", kind.row().noun()),
        Type::Domain(_) => return "a domain".to_owned(),
    };
    noun.to_owned()
}

/// Returns help for a function of another language: how Essence writes it.
pub(crate) fn other_name(name: &str) -> Option<String> {
    Some(match name {
        "allDifferent" | "alldifferent" | "all_different" | "alldiff" => "write `allDiff(…)`".to_owned(),
        "abs" | "card" | "cardinality" | "length" | "len" => "write `|…|`".to_owned(),
        "element" => "write `m[i]`".to_owned(),
        "exactlyone" | "exactlyOne" => "write `sum([toInt(b) | b <- …]) = 1`".to_owned(),
        "mod" => "write `a % b`".to_owned(),
        "div" => "write `a / b`, which rounds down".to_owned(),
        "not" => "write `!(…)`".to_owned(),
        "bool2int" => "write `toInt(…)`".to_owned(),
        "any" | "some" => "write `or(…)`".to_owned(),
        "all" => "write `and(…)`".to_owned(),
        "sqrt" => "there is no square root: compare with `x * x`".to_owned(),
        _ => return None,
    })
}

/// Returns mistakes in applications that the table of operators would accept.
pub(crate) fn before_resolution(symbol: OperatorSymbol, operands: &[Expr]) -> Option<Diagnostic> {
    if let (symbols::BARS, [operand]) = (symbol, operands)
        && let Type::Matrix(_) = operand.ty
    {
        let mistake = Diagnostic::error(Code::NO_OVERLOAD, "`|…|` does not count the elements of a matrix")
            .at(operand.span, format!("this is `{}`", operand.ty))
            .help("write `|flatten(m)|` for the number of all elements, or take the size of the index domain");
        let has_rows = operand.ty.member().is_some_and(|row| matches!(row, Type::Matrix(_)));
        return Some(match has_rows {
            true => mistake.note("to count the rows only, write `|[row | row <- …]|`"),
            false => mistake,
        });
    }
    None
}

/// The spelling of an operator in messages.
fn spelling_of(symbol: OperatorSymbol) -> String {
    match symbol.notation {
        Notation::Bars => "`|…|`".to_owned(),
        Notation::Special => symbol.text.to_owned(),
        _ => format!("`{}`", symbol.text),
    }
}

impl Signatures {
    /// Returns the error that no row of the operator fits.
    pub(super) fn no_row(&mut self, symbol: OperatorSymbol, operands: &[Expr], span: Span) -> Diagnostic {
        let rows: Vec<(&'static Operator, Arc<Signature>)> =
            operators::rows_of_symbol(symbol).iter().map(|row| (*row, self.of(row))).collect();
        let name = spelling_of(symbol);
        let counts: Vec<usize> = rows.iter().map(|(_, signature)| signature.operands.len()).collect();
        // If the number of operands is wrong, their types do not matter.
        if !counts.contains(&operands.len()) {
            return wrong_count(symbol, &name, &rows, operands, span);
        }
        let accepted = |position: usize, operand: &Expr| {
            rows.iter().any(|(_, signature)| {
                signature.operands.len() == operands.len() && signature.accepts(position, &operand.ty)
            })
        };
        // If no row accepts an operand at its position, this operand is wrong. If each operand fits some row, only
        // their combination is wrong, so all of them are shown.
        let unfit: Vec<&Expr> = operands
            .iter()
            .enumerate()
            .filter(|(position, operand)| !accepted(*position, operand))
            .map(|(_, operand)| operand)
            .collect();
        let mut mistake = match &unfit[..] {
            [operand] => {
                Diagnostic::error(Code::NO_OVERLOAD, format!("{name} does not accept {}", described_type(&operand.ty)))
                    .at(operand.span, format!("this is `{}`", operand.ty))
            }
            _ => {
                let types: Vec<String> = operands.iter().map(|operand| format!("`{}`", operand.ty)).collect();
                let mistake =
                    Diagnostic::error(Code::NO_OVERLOAD, format!("{name} does not accept {}", types.join(" and ")));
                operands
                    .iter()
                    .fold(mistake, |mistake, operand| mistake.at(operand.span, format!("this is `{}`", operand.ty)))
            }
        };
        match help_for_mistake(symbol, operands) {
            // With precise help, the list of accepted types is superfluous.
            Some(help) => mistake.help.push(help),
            None => mistake.notes.extend(accepted_operands(&name, &rows, operands.len())),
        }
        mistake
    }
}

type Rows = [(&'static Operator, Arc<Signature>)];

/// Lists the types that an operator accepts, if there are at most five rows.
fn accepted_operands(name: &str, rows: &Rows, count: usize) -> Option<String> {
    let fitting = rows.iter().filter(|(_, signature)| signature.operands.len() == count);
    let texts: Vec<String> = fitting.map(|(row, _)| operands_in_words(row.signature)).collect();
    if texts.is_empty() || texts.len() > 5 {
        return None;
    }
    let letters = texts.iter().any(|text| text.contains(|letter: char| letter.is_ascii_uppercase()));
    let ordered = rows.iter().any(|(row, _)| row.signature.ends_with("ordered"));
    let letters = match (letters, ordered) {
        (true, true) => "; a capital letter is bool, int or an enumerated type",
        (true, false) => "; a capital letter is any type",
        _ => "",
    };
    Some(format!("{name} takes {}{letters}", texts.join(", or ")))
}

/// Renders the operands of a signature: "`T` and `set of T`" for `(T, set of T) -> bool`.
fn operands_in_words(signature: &str) -> String {
    let operands = &signature[1..signature.find(") -> ").unwrap_or(signature.len())];
    let mut depth = 0;
    let parts = operands.split(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        c == ',' && depth == 0
    });
    let parts: Vec<String> = parts.map(|part| format!("`{}`", part.trim())).collect();
    parts.join(" and ")
}

fn wrong_count(symbol: OperatorSymbol, name: &str, rows: &Rows, operands: &[Expr], span: Span) -> Diagnostic {
    let mut wanted: Vec<usize> = rows.iter().map(|(_, signature)| signature.operands.len()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let only = wanted.first().copied().filter(|_| wanted.len() == 1);
    let wanted: Vec<String> = wanted.iter().map(usize::to_string).collect();
    let plural = if wanted == ["1"] { "" } else { "s" };
    let mut mistake = Diagnostic::error(
        Code::NO_OVERLOAD,
        format!("{name} takes {} operand{plural}, not {}", wanted.join(" or "), operands.len()),
    )
    .at(span, "the wrong number of operands");
    // In other languages, one writes `max(a, b)`; in Essence, these functions take a single list.
    let folds = ["max", "min", "and", "or", "xor", "sum", "product", "allDiff", "toSet", "toMSet", "concatenate"];
    if folds.contains(&symbol.text) && operands.len() > 1 {
        return mistake.help(format!("write the operands as a list: `{}([a, b])`", symbol.text));
    }
    mistake.notes.extend(only.and_then(|count| accepted_operands(name, rows, count)));
    mistake
}

/// Returns the help for a common mistake with this operator.
fn help_for_mistake(symbol: OperatorSymbol, operands: &[Expr]) -> Option<String> {
    let types: Vec<&Type> = operands.iter().map(|operand| &operand.ty).collect();
    if let Some(domain) = operands.iter().find(|operand| matches!(operand.ty, Type::Domain(_))) {
        return Some(about_domain(symbol, operands, domain));
    }
    let help = operators::mistaken::help_for_operands(symbol, &types);
    let is_comparison = |row: &Operator| row.signature.ends_with("-> bool where T ordered");
    let is_compared = |operand: &Expr| matches!(&operand.kind, ExprKind::Apply(row, _) if is_comparison(row));
    match types[..] {
        // In `1 < x < 3`, one side is already a comparison.
        [Type::Bool, Type::Int(int)] | [Type::Int(int), Type::Bool]
            if int.tag.is_none() && help.is_some() && operands.iter().any(is_compared) =>
        {
            Some("write two comparisons, joined by `/\\`".to_owned())
        }
        _ => help,
    }
}

fn about_domain(symbol: OperatorSymbol, operands: &[Expr], domain: &Expr) -> String {
    let named = matches!(domain.kind, ExprKind::Domain(_));
    match symbol {
        // In `D in s`, the left operand is a domain.
        symbols::IN if operands.first().is_some_and(|first| std::ptr::eq(first, domain)) => {
            "a domain is not one of its values; `forAll` requires a condition of each value, `exists` of at least one"
                .to_owned()
        }
        symbols::IN if named => "`in` needs a collection, not a domain; write `exists y : D . y = x`".to_owned(),
        _ => "a domain is not a value; write `[x | x : D]` for the list of its values".to_owned(),
    }
}
