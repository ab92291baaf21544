//! The operators of Essence: one row each, one file per family.
//!
//! A row says how the operator is written, what it means in words, which types it accepts, how it is
//! computed on values (`eval`) and how it is expressed by finite-domain constraints (`lower`). The two
//! definitions are written independently and tested against each other on all small operands. The
//! parser's precedences, the type checker, constant folding, lowering and the printer's parentheses all
//! read this table. An overloaded symbol is several rows, and the first row whose signature fits is meant.

use crate::{
    language::{Evaluated, Value, attributes::Limit},
    symbolic::{Partial, Symbolic, Term},
};
pub(crate) use evaluation::LARGEST;
pub(crate) use polarity::Polarity;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

mod aggregate;
mod algebra;
mod arithmetic;
mod collections;
mod comparison;
mod enumeration;
pub(crate) mod evaluation;
mod function;
mod logic;
mod matrix;
mod mset;
mod order;
mod partition;
mod permutation;
mod polarity;
mod relation;
mod sequence;
mod set;
pub(crate) mod symbols;
#[cfg(test)]
mod tests;

pub(crate) mod signature;

/// The spelling of an operator. Two symbols are the same if text and notation agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Symbol {
    pub text: &'static str,
    pub notation: Notation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Notation {
    /// `a + b`; a higher precedence binds tighter.
    Infix { precedence: u16, associativity: Associativity },
    /// `-a`
    Prefix { precedence: u16 },
    /// `a!`
    Postfix,
    /// `|a|`
    Bars,
    /// `allDiff(a)`
    Function,
    /// Written in a form of its own (`m[i]`, `f(x)`); the text is what messages call it.
    Special,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Associativity {
    Left,
    Right,
    None,
}

impl Symbol {
    pub(crate) const fn infix(text: &'static str, precedence: u16, associativity: Associativity) -> Self {
        Symbol { text, notation: Notation::Infix { precedence, associativity } }
    }
    pub(crate) const fn prefix(text: &'static str, precedence: u16) -> Self {
        Symbol { text, notation: Notation::Prefix { precedence } }
    }
    pub(crate) const fn postfix(text: &'static str) -> Self {
        Symbol { text, notation: Notation::Postfix }
    }
    pub(crate) const fn bars() -> Self {
        Symbol { text: "|", notation: Notation::Bars }
    }
    pub(crate) const fn function(text: &'static str) -> Self {
        Symbol { text, notation: Notation::Function }
    }
    pub(crate) const fn special(text: &'static str) -> Self {
        Symbol { text, notation: Notation::Special }
    }

    /// How tight an infix or prefix operator binds.
    pub(crate) const fn precedence(self) -> Option<u16> {
        match self.notation {
            Notation::Infix { precedence, .. } | Notation::Prefix { precedence } => Some(precedence),
            _ => None,
        }
    }
}

/// An operator row: one meaning of one symbol.
pub(crate) struct Operator {
    pub symbol: Symbol,
    /// The description in the manual, one line.
    pub summary: &'static str,
    /// The operands' types and the result's, in the notation of [`signature`].
    pub signature: &'static str,
    /// An expression that shows it, and the expression's value. `red`, `green` and `blue` are an enumerated type.
    pub example: (&'static str, &'static str),
    /// The operator on values. Undefined operands never get here.
    pub eval: fn(&[Value]) -> Evaluated,
    /// The operator on terms, at least one of which is not constant.
    pub lower: fn(&mut Symbolic, &[Term]) -> Partial,
    /// The polarity of each operand of a Boolean operator; unknown for operands that are not listed.
    pub polarity: &'static [Polarity],
    /// The result that one operand, or one element of the operand, can bring about whatever the others are.
    pub absorbing: Option<bool>,
    /// The operand that may be a list in any order.
    pub any_order: Option<usize>,
    /// The side on which the second operand bounds the first, and whether strictly.
    pub limit: Option<(Limit, bool)>,
    /// Whether the operator is defined for all operands.
    pub is_total: bool,
    /// Whether the operator looks up in the first operand the place that the second one gives.
    pub is_lookup: bool,
}

impl Operator {
    const fn new(
        symbol: Symbol,
        signature: &'static str,
        summary: &'static str,
        example: (&'static str, &'static str),
        eval: fn(&[Value]) -> Evaluated,
        lower: fn(&mut Symbolic, &[Term]) -> Partial,
    ) -> Self {
        Operator {
            symbol,
            summary,
            signature,
            example,
            eval,
            lower,
            polarity: &[],
            absorbing: None,
            any_order: None,
            limit: None,
            is_total: false,
            is_lookup: false,
        }
    }

    const fn polarity(self, polarity: &'static [Polarity]) -> Self {
        Operator { polarity, ..self }
    }

    const fn absorbing(self, result: bool) -> Self {
        Operator { absorbing: Some(result), ..self }
    }

    const fn in_any_order(self, operand: usize) -> Self {
        Operator { any_order: Some(operand), ..self }
    }

    const fn limiting(self, limit: Limit, strictly: bool) -> Self {
        Operator { limit: Some((limit, strictly)), ..self }
    }

    const fn total(self, is_total: bool) -> Self {
        Operator { is_total, ..self }
    }

    const fn lookup(self) -> Self {
        Operator { is_lookup: true, ..self }
    }

    /// The result, if an operand with this value brings it about alone.
    pub(crate) fn decided_by(&self, position: usize, value: bool) -> Option<bool> {
        let result = self.absorbing?;
        match self.polarity.get(position)? {
            Polarity::Positive => (value == result).then_some(result),
            Polarity::Negative => (value != result).then_some(result),
            Polarity::Mixed => None,
        }
    }
}

/// The families, in the order of the manual. The rows of an overloaded symbol in several families are tried in this
/// order.
static FAMILIES: [(&str, &[Operator]); 15] = [
    ("logic", logic::OPERATORS),
    ("arithmetic", arithmetic::OPERATORS),
    ("comparison", comparison::OPERATORS),
    ("aggregates", aggregate::OPERATORS),
    ("matrices and lists", matrix::OPERATORS),
    ("set algebra", algebra::OPERATORS),
    ("sets", set::OPERATORS),
    ("multisets", mset::OPERATORS),
    ("functions", function::OPERATORS),
    ("sequences", sequence::OPERATORS),
    ("relations", relation::OPERATORS),
    ("partitions", partition::OPERATORS),
    ("permutations", permutation::OPERATORS),
    ("enumerations and domains", enumeration::OPERATORS),
    ("order", order::OPERATORS),
];

struct OperatorTable {
    symbols: Vec<Symbol>,
    rows: FxHashMap<Symbol, Vec<&'static Operator>>,
}

static TABLE: LazyLock<OperatorTable> = LazyLock::new(|| {
    let mut table = OperatorTable { symbols: Vec::new(), rows: FxHashMap::default() };
    for row in FAMILIES.iter().flat_map(|(_, rows)| rows.iter()) {
        let rows = table.rows.entry(row.symbol).or_default();
        if rows.is_empty() {
            table.symbols.push(row.symbol);
        }
        rows.push(row);
    }
    table
});

/// The families of operators with their titles, in the order of the manual.
pub(crate) fn families() -> impl Iterator<Item = (&'static str, &'static [Operator])> {
    FAMILIES.iter().copied()
}

/// The symbols of all operators, each once, in the order of the manual.
pub(crate) fn symbols() -> &'static [Symbol] {
    &TABLE.symbols
}

/// The meanings of a symbol, in the order in which they are tried; none for the symbols of
/// [`symbols::FORMS`], which the type checker treats itself.
pub(crate) fn rows(symbol: Symbol) -> &'static [&'static Operator] {
    TABLE.rows.get(&symbol).map_or(&[], Vec::as_slice)
}

fn find(text: &str, wanted: impl Fn(Notation) -> bool) -> Option<Symbol> {
    symbols().iter().chain(symbols::FORMS).find(|symbol| symbol.text == text && wanted(symbol.notation)).copied()
}

/// The symbol of `a text b`.
pub(crate) fn infix(text: &str) -> Option<Symbol> {
    find(text, |notation| matches!(notation, Notation::Infix { .. }))
}

/// The symbol of `text a`.
pub(crate) fn prefix(text: &str) -> Option<Symbol> {
    find(text, |notation| matches!(notation, Notation::Prefix { .. }))
}

/// The symbol of `a text`.
pub(crate) fn postfix(text: &str) -> Option<Symbol> {
    find(text, |notation| notation == Notation::Postfix)
}

/// The symbol of `word(a, …)`.
pub(crate) fn function(word: &str) -> Option<Symbol> {
    find(word, |notation| notation == Notation::Function)
}

impl PartialEq for Operator {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl std::fmt::Debug for Operator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} : {}", self.symbol.text, self.signature)
    }
}
