//! The operators of Essence: one row each, one file per family.
//!
//! A row has the notation of the operator, its meaning in words, the types that it accepts, its definition on values
//! (`eval`) and its definition by finite-domain constraints (`lower`). The two definitions are written independently
//! and tested against each other on all small operands. The parser's precedences, the type checker, constant folding,
//! lowering and the printer's parentheses all read this table. An overloaded symbol has several rows, and the first row
//! whose signature fits is taken.
//!
//! To add an operator, add a row ([CONTRIBUTING](../../CONTRIBUTING.md) has the steps). Printed models and files of
//! other people rely on the symbols and precedences that exist.

use crate::{
    language::{Evaluated, Value, attributes::Limit},
    symbolic::{Partial, Symbolic, Term},
};
pub(crate) use evaluation::LARGEST;
pub(crate) use polarity::Polarity;
use power_set::OnPowerSets;
use results::Results;
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
pub(crate) mod mistaken;
mod mset;
mod order;
mod partition;
mod permutation;
pub(crate) mod plan_distance;
mod polarity;
pub(crate) mod power_set;
mod relation;
pub(crate) mod results;
mod sequence;
mod set;
mod special;
pub(crate) mod symbols;
#[cfg(test)]
mod tests;

pub(crate) mod signature;

/// The spelling of an operator. Two symbols are the same if text and notation agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OperatorSymbol {
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
    /// A special form, such as `m[i]` or `f(x)`; messages use the text as its name.
    Special,
}

/// The grouping of `a ∘ b ∘ c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Associativity {
    /// As `(a ∘ b) ∘ c`.
    Left,
    /// As `a ∘ (b ∘ c)`.
    Right,
    /// Parentheses are needed.
    None,
}

impl OperatorSymbol {
    pub(crate) const fn infix(text: &'static str, precedence: u16, associativity: Associativity) -> Self {
        OperatorSymbol { text, notation: Notation::Infix { precedence, associativity } }
    }
    pub(crate) const fn prefix(text: &'static str, precedence: u16) -> Self {
        OperatorSymbol { text, notation: Notation::Prefix { precedence } }
    }
    pub(crate) const fn postfix(text: &'static str) -> Self {
        OperatorSymbol { text, notation: Notation::Postfix }
    }
    pub(crate) const fn bars() -> Self {
        OperatorSymbol { text: "|", notation: Notation::Bars }
    }
    pub(crate) const fn function(text: &'static str) -> Self {
        OperatorSymbol { text, notation: Notation::Function }
    }
    pub(crate) const fn special(text: &'static str) -> Self {
        OperatorSymbol { text, notation: Notation::Special }
    }

    /// The precedence of an infix or prefix operator.
    pub(crate) const fn precedence(self) -> Option<u16> {
        match self.notation {
            Notation::Infix { precedence, .. } | Notation::Prefix { precedence } => Some(precedence),
            _ => None,
        }
    }
}

/// An operator row: one meaning of one symbol.
pub(crate) struct Operator {
    pub symbol: OperatorSymbol,
    /// The description in the manual, one line.
    pub summary: &'static str,
    /// The operands' types and the result's, in the notation of [`signature`].
    pub signature: &'static str,
    /// An example and its value. `red`, `green` and `blue` are an enumerated type.
    pub example: (&'static str, &'static str),
    /// The operator on values. Undefined operands never get here.
    pub eval: fn(&[Value]) -> Evaluated,
    /// The operator on terms, at least one of which is not constant.
    pub lower: fn(&mut Symbolic, &[Term]) -> Partial,
    /// The polarity of each operand of a Boolean operator; unknown for operands that are not listed.
    pub polarity: &'static [Polarity],
    /// The result that one operand, or one element of the operand, forces whatever the others are.
    pub absorbing: Option<bool>,
    /// The operand that may be a list in any order.
    pub any_order: Option<usize>,
    /// The side on which the second operand bounds the first, and true if the bound is strict.
    pub limit: Option<(Limit, bool)>,
    /// True if the second operand replaces an undefined first operand.
    pub catches_undefined: bool,
    /// The node of the typed model, if the operands' values are not enough. `eval` and `lower` are not called then.
    pub form: Option<Form>,
    /// True if the operator compares members of its operands, so that their type needs an order.
    pub orders_members: bool,
    /// True if the operator is defined for all operands.
    pub is_total: bool,
    /// The kind of lookup in the first operand, at the place that the second one gives.
    pub lookup: Option<Lookup>,
    /// The operator on sets of sets, at least one of which is not listed; `None` if it needs them listed.
    pub on_power_sets: Option<OnPowerSets>,
    /// A domain that holds all results, from the operands' domains; `None` if nothing is known.
    pub results: Option<Results>,
    /// True if the result is the list of the innermost elements, or of all elements of the lists in a list.
    pub is_flattening: bool,
}

/// Operators that have their own nodes in the typed model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Active,
    Transform,
    DoesNotCare,
    /// `x .<= transform([g, …], x)`
    PermutationOrder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// `m[i]`
    Element,
    /// `f(x)`
    Image,
}

impl Operator {
    const fn new(
        symbol: OperatorSymbol,
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
            catches_undefined: false,
            form: None,
            orders_members: false,
            is_total: false,
            lookup: None,
            on_power_sets: None,
            results: None,
            is_flattening: false,
        }
    }

    const fn form(
        symbol: OperatorSymbol,
        signature: &'static str,
        summary: &'static str,
        example: (&'static str, &'static str),
        form: Form,
    ) -> Self {
        let row = Operator::new(
            symbol,
            signature,
            summary,
            example,
            |args| unreachable!("a form is evaluated as such, here with {args:?}"),
            |_, args| unreachable!("a form is lowered as such, here with {args:?}"),
        );
        Operator { form: Some(form), ..row }
    }

    const fn ordering_members(self) -> Self {
        Operator { orders_members: true, ..self }
    }

    const fn catching_undefined(self) -> Self {
        Operator { catches_undefined: true, ..self }
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

    const fn looking_up(self, lookup: Lookup) -> Self {
        Operator { lookup: Some(lookup), ..self }
    }

    const fn on_power_sets(self, result: OnPowerSets) -> Self {
        Operator { on_power_sets: Some(result), ..self }
    }

    const fn resulting_in(self, results: Results) -> Self {
        Operator { results: Some(results), ..self }
    }

    const fn flattening(self) -> Self {
        Operator { is_flattening: true, ..self }
    }

    /// Returns true if the operator requires all of its operands, or all elements of its operand.
    pub(crate) fn is_conjunction(&self) -> bool {
        self.absorbing == Some(false)
    }

    /// Returns true if the second operand matters only if the first one holds, and may be undefined otherwise.
    pub(crate) fn is_implication(&self) -> bool {
        self.polarity == [Polarity::Negative, Polarity::Positive]
    }

    pub(crate) fn is_negation(&self) -> bool {
        self.absorbing.is_none() && self.polarity == [Polarity::Negative]
    }

    /// Returns true if the result is the set of all subsets, which need not be listed.
    pub(crate) fn is_power_set(&self) -> bool {
        self.symbol == symbols::POWER_SET
    }

    /// The result, if an operand with this value decides it alone.
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
static FAMILIES: [(&str, &[Operator]); 16] = [
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
    ("special forms", special::OPERATORS),
];

struct OperatorTable {
    symbols: Vec<OperatorSymbol>,
    rows: FxHashMap<OperatorSymbol, Vec<&'static Operator>>,
}

static TABLE: LazyLock<OperatorTable> = LazyLock::new(|| {
    let rows = FxHashMap::with_capacity_and_hasher(FAMILIES.len() * 16, Default::default());
    let mut table = OperatorTable { symbols: Vec::new(), rows };
    for row in FAMILIES.iter().flat_map(|(_, rows)| rows.iter()) {
        // The rows keep the order of the families, because overloads are tried in this order.
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
pub(crate) fn symbols() -> &'static [OperatorSymbol] {
    &TABLE.symbols
}

/// The meanings of a symbol, in the order in which they are tried.
pub(crate) fn rows_of_symbol(symbol: OperatorSymbol) -> &'static [&'static Operator] {
    TABLE.rows.get(&symbol).map_or(&[], Vec::as_slice)
}

fn find_symbol(text: &str, wanted: impl Fn(Notation) -> bool) -> Option<OperatorSymbol> {
    symbols().iter().find(|symbol| symbol.text == text && wanted(symbol.notation)).copied()
}

/// The symbol of `a text b`.
pub(crate) fn infix(text: &str) -> Option<OperatorSymbol> {
    find_symbol(text, |notation| matches!(notation, Notation::Infix { .. }))
}

/// The symbol of `text a`.
pub(crate) fn prefix(text: &str) -> Option<OperatorSymbol> {
    find_symbol(text, |notation| matches!(notation, Notation::Prefix { .. }))
}

/// The symbol of `a text`.
pub(crate) fn postfix(text: &str) -> Option<OperatorSymbol> {
    find_symbol(text, |notation| notation == Notation::Postfix)
}

/// The symbol of `word(a, …)`.
pub(crate) fn function(word: &str) -> Option<OperatorSymbol> {
    find_symbol(word, |notation| notation == Notation::Function)
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
