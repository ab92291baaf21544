//! Domains, in one shape for all phases.
//!
//! In `Domain<I, N>`, `I` is the type of the contents of `int(…)` and
//! `N` the type of a number in an attribute: expressions in a typed model, concrete sets and numbers in an instance
//! ([`GroundDomain`]). The tree of a source file has its own type, which keeps what only a printer needs.

mod contains;
mod count;
mod enumerate;
mod estimate;
mod explain;
mod pool;
pub(crate) mod shapes;
#[cfg(test)]
pub(crate) mod tests;

use super::{
    IntSet, Name,
    attributes::{Attributes, Size},
};
pub(crate) use contains::{DomainRole, OutsideReason, ValueStep, Violation};
pub(crate) use enumerate::{ValueIterator, subsets_of};
pub(crate) use estimate::Amount;

/// A domain whose bounds and attributes are known. Enumerated and unnamed types are integer ranges of positions.
pub(crate) type GroundDomain = Domain<IntSet, i64>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Domain<I, N> {
    Bool,
    /// Integers, or the positions of members of an enumerated or unnamed type.
    Int(I),
    Tuple(Vec<Domain<I, N>>),
    /// Fields sorted by name.
    Record(Vec<(Name, Domain<I, N>)>),
    /// Alternatives in the order of their declaration.
    Variant(Vec<(Name, Domain<I, N>)>),
    /// Index domain (bool or int) and element domain.
    Matrix(Box<Domain<I, N>>, Box<Domain<I, N>>),
    Set(Attributes<N>, Box<Domain<I, N>>),
    MSet(Attributes<N>, Box<Domain<I, N>>),
    Function(Attributes<N>, Box<Domain<I, N>>, Box<Domain<I, N>>),
    Sequence(Attributes<N>, Box<Domain<I, N>>),
    Relation(Attributes<N>, Vec<Domain<I, N>>),
    Partition(Attributes<N>, Box<Domain<I, N>>),
    Permutation(Attributes<N>, Box<Domain<I, N>>),
}

impl<I, N> Domain<I, N> {
    /// The attributes of a collection's domain.
    pub(crate) fn attributes(&self) -> Option<&Attributes<N>> {
        match self {
            Domain::Set(attributes, _)
            | Domain::MSet(attributes, _)
            | Domain::Function(attributes, ..)
            | Domain::Sequence(attributes, _)
            | Domain::Relation(attributes, _)
            | Domain::Partition(attributes, _)
            | Domain::Permutation(attributes, _) => Some(attributes),
            _ => None,
        }
    }

    /// The domains that the pairs of a function or a sequence, or the tuples of a relation, are between; a sequence has
    /// its elements' domain in both places, as no attribute speaks of its indices.
    pub(crate) fn sides(&self) -> Vec<&Domain<I, N>> {
        match self {
            Domain::Function(_, from, to) => vec![from, to],
            Domain::Sequence(_, inner) => vec![inner, inner],
            Domain::Relation(_, columns) => columns.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the domain is of sets, functions and the like, or has such a domain inside.
    pub(crate) fn has_collection(&self) -> bool {
        let mut found = self.attributes().is_some();
        self.for_each_part(&mut |part| found = found || part.has_collection());
        found
    }

    /// Calls `visit` for each domain that is directly a part of this one.
    pub(crate) fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        match self {
            Domain::Bool | Domain::Int(_) => {}
            Domain::Tuple(items) | Domain::Relation(_, items) => items.iter().for_each(visit),
            Domain::Record(fields) | Domain::Variant(fields) => fields.iter().for_each(|(_, item)| visit(item)),
            Domain::Matrix(one, other) | Domain::Function(_, one, other) => {
                visit(one);
                visit(other);
            }
            Domain::Set(_, inner)
            | Domain::MSet(_, inner)
            | Domain::Sequence(_, inner)
            | Domain::Partition(_, inner)
            | Domain::Permutation(_, inner) => visit(inner),
        }
    }

    /// The same domain with every `int(…)` and every number converted; stops at the first error.
    pub(crate) fn try_map<J, M, E>(
        &self,
        ints: &mut impl FnMut(&I) -> Result<J, E>,
        number: &mut impl FnMut(&N) -> Result<M, E>,
    ) -> Result<Domain<J, M>, E> {
        Ok(match self {
            Domain::Bool => Domain::Bool,
            Domain::Int(set) => Domain::Int(ints(set)?),
            Domain::Tuple(items) => {
                Domain::Tuple(items.iter().map(|item| item.try_map(ints, number)).collect::<Result<_, _>>()?)
            }
            Domain::Record(fields) => Domain::Record(
                fields
                    .iter()
                    .map(|(name, item)| Ok((name.clone(), item.try_map(ints, number)?)))
                    .collect::<Result<_, E>>()?,
            ),
            Domain::Variant(fields) => Domain::Variant(
                fields
                    .iter()
                    .map(|(name, item)| Ok((name.clone(), item.try_map(ints, number)?)))
                    .collect::<Result<_, E>>()?,
            ),
            Domain::Matrix(index, element) => {
                Domain::Matrix(Box::new(index.try_map(ints, number)?), Box::new(element.try_map(ints, number)?))
            }
            Domain::Set(attributes, inner) => {
                Domain::Set(attributes.try_map(number)?, Box::new(inner.try_map(ints, number)?))
            }
            Domain::MSet(attributes, inner) => {
                Domain::MSet(attributes.try_map(number)?, Box::new(inner.try_map(ints, number)?))
            }
            Domain::Function(attributes, from, to) => Domain::Function(
                attributes.try_map(number)?,
                Box::new(from.try_map(ints, number)?),
                Box::new(to.try_map(ints, number)?),
            ),
            Domain::Sequence(attributes, inner) => {
                Domain::Sequence(attributes.try_map(number)?, Box::new(inner.try_map(ints, number)?))
            }
            Domain::Relation(attributes, items) => Domain::Relation(
                attributes.try_map(number)?,
                items.iter().map(|item| item.try_map(ints, number)).collect::<Result<_, _>>()?,
            ),
            Domain::Partition(attributes, inner) => {
                Domain::Partition(attributes.try_map(number)?, Box::new(inner.try_map(ints, number)?))
            }
            Domain::Permutation(attributes, inner) => {
                Domain::Permutation(attributes.try_map(number)?, Box::new(inner.try_map(ints, number)?))
            }
        })
    }
}
