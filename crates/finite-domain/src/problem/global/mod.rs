//! Global constraints: relations between any number of terms, each in a file of its own that holds its normal form, its
//! meaning, its propagation, and how it is printed. A file of the same name in the encoder holds its clauses. To add
//! one, add a variant to [`Global`]; the compiler then asks for the rest.

mod all_different;
mod table;

pub use all_different::AllDifferent;
pub use table::Table;

use super::*;
use print::{ShownOperand, call};
use std::{
    fmt::{self, Formatter},
    ops::Deref,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Global {
    AllDifferent(AllDifferent),
    Table(Table),
}

impl Deref for Global {
    type Target = dyn GlobalConstraint;

    fn deref(&self) -> &Self::Target {
        match self {
            Global::AllDifferent(constraint) => constraint,
            Global::Table(constraint) => constraint,
        }
    }
}

/// The smallest and the largest value of a term.
pub type ValueRange = (i128, i128);

/// The methods of every global constraint.
pub trait GlobalConstraint {
    /// The name of this kind of constraint in statistics.
    fn kind(&self) -> &'static str;

    /// Visits the terms that it is about.
    fn operands(&self, visit: &mut dyn FnMut(Variable));

    /// The constraint about other terms, which may have another normal form.
    fn map(&self, images: &mut dyn Images) -> Global;

    /// The normal form in a problem, simplified by what is known of the terms.
    fn normal(&self, problem: &mut Builder) -> Bool;

    /// Whether the constraint holds for all values within these ranges, or for none of them. With one value for each
    /// term, the answer is its meaning; with more, it may be `None` though the ranges decide.
    fn entailed(&self, range: &mut dyn FnMut(Int) -> ValueRange) -> Option<bool>;

    /// Draws the conclusions from its being true; returns how much work that was.
    fn propagate(&self, root: &mut RootPropagation) -> usize;

    /// The constraint's memory in bytes.
    fn memory(&self) -> usize;

    fn print(&self, terms: &Terms, f: &mut Formatter<'_>) -> fmt::Result;
}
