//! The operators of Essence: one row each, one file per family.
//!
//! A row says how the operator is written, what it means in words, which types it accepts, how it is
//! computed on values (`eval`) and how it is expressed by finite-domain constraints (`lower`). The two
//! definitions are written independently and tested against each other on all small operands. The
//! parser's precedences, the type checker, constant folding, lowering and the printer's parentheses all
//! read this table. An overloaded symbol is several rows, and the first row whose signature fits is meant.

use crate::{
    language::{Evaluated, Value},
    symbolic::{Partial, Symbolic, Term},
};

pub mod signature;

/// How an operator is written. Two symbols are the same if text and notation agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    pub text: &'static str,
    pub notation: Notation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
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
    pub const fn infix(text: &'static str, precedence: u16, associativity: Associativity) -> Self {
        Symbol { text, notation: Notation::Infix { precedence, associativity } }
    }
    pub const fn prefix(text: &'static str, precedence: u16) -> Self {
        Symbol { text, notation: Notation::Prefix { precedence } }
    }
    pub const fn postfix(text: &'static str) -> Self {
        Symbol { text, notation: Notation::Postfix }
    }
    pub const fn bars() -> Self {
        Symbol { text: "|", notation: Notation::Bars }
    }
    pub const fn function(text: &'static str) -> Self {
        Symbol { text, notation: Notation::Function }
    }
    pub const fn special(text: &'static str) -> Self {
        Symbol { text, notation: Notation::Special }
    }
}

/// One meaning of one symbol.
pub struct Operator {
    pub symbol: Symbol,
    /// One line for a reader of the manual.
    pub summary: &'static str,
    /// The operands' types and the result's, in the notation of [`signature`].
    pub signature: &'static str,
    /// The operator on values. Undefined operands never get here.
    pub eval: fn(&[Value]) -> Evaluated,
    /// The operator on terms, at least one of which is not constant.
    pub lower: fn(&mut Symbolic, &[Term]) -> Partial,
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
