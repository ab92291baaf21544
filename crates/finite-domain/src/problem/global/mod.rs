//! Global constraints: relations between any number of terms. Each has a file with its normal form, meaning,
//! propagation and printed form; a file of the same name in the encoder has its clauses. To add one, add a variant to
//! [`Global`]; the compiler then requires the rest.

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

    /// Visits the terms of the constraint.
    fn operands(&self, visit: &mut dyn FnMut(Variable));

    /// Replaces the terms; the result need not be in normal form.
    fn map(&self, images: &mut dyn Images) -> Global;

    /// Returns the normal form in a problem, simplified by what is known of the terms.
    fn normal(&self, problem: &mut Builder) -> Bool;

    /// Returns true or false if the constraint holds for all values or for none within these ranges. With one value for
    /// each term, the answer is the truth value; with several, it may be `None` although the ranges decide.
    fn entailed(&self, range: &mut dyn FnMut(Int) -> ValueRange) -> Option<bool>;

    /// Propagates the constraint, which must hold; returns the amount of work.
    fn propagate(&self, root: &mut RootPropagation) -> usize;

    /// Returns the constraint's memory in bytes.
    fn memory(&self) -> usize;

    fn print(&self, terms: &Terms, f: &mut Formatter<'_>) -> fmt::Result;
}
