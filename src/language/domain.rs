//! Domains, in one shape for all phases.
//!
//! In `Domain<I, N>`, `I` is the type of the contents of `int(…)` and
//! `N` the type of a number in an attribute: expressions in a typed model, concrete sets and numbers in an instance
//! ([`GroundDomain`]). The tree of a source file has its own type, which keeps what only a printer needs.

pub(super) mod contains;
pub(super) mod count;
pub(super) mod enumerate;
pub(super) mod estimate;
mod explain;
pub(super) mod pool;
pub(crate) mod shapes;
#[cfg(test)]
pub(crate) mod tests;

use super::{
    Collection, IntSet, MemberForm, Name,
    attributes::{Attributes, Size},
};
pub(crate) use contains::{DomainRole, OutsideReason, ValueStep, Violation};
pub(crate) use enumerate::ValueIterator;
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
    /// A collection: its kind, its attributes, and the domains that its constructor is applied to.
    Collection(Collection, Attributes<N>, Vec<Domain<I, N>>),
}

impl<I, N> Domain<I, N> {
    /// A collection domain without attributes.
    pub(crate) fn of(kind: Collection, parts: impl Into<Vec<Domain<I, N>>>) -> Self {
        Domain::Collection(kind, Attributes::default(), parts.into())
    }

    /// The attributes of a collection's domain.
    pub(crate) fn attributes(&self) -> Option<&Attributes<N>> {
        self.as_collection().map(|(_, attributes, _)| attributes)
    }

    /// The kind of collection, its attributes, and the domains that the constructor is applied to.
    pub(crate) fn as_collection(&self) -> Option<(Collection, &Attributes<N>, &[Self])> {
        match self {
            Domain::Collection(kind, attributes, parts) => Some((*kind, attributes, parts)),
            _ => None,
        }
    }

    /// The domains of the arguments and the images of functions, or of the indices and elements of matrices.
    pub(crate) fn as_map(&self) -> Option<(&Self, &Self)> {
        match self {
            Domain::Matrix(index, element) => Some((index, element)),
            Domain::Collection(kind, _, parts) if kind.form() == MemberForm::Pairs => Some((&parts[0], &parts[1])),
            _ => None,
        }
    }

    /// Returns true if the domain is a collection's, or has such a domain inside.
    pub(crate) fn has_collection(&self) -> bool {
        let mut found = self.attributes().is_some();
        self.for_each_part(&mut |part| found = found || part.has_collection());
        found
    }

    /// Calls `visit` for each domain that is directly a part of this one.
    pub(crate) fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        match self {
            Domain::Bool | Domain::Int(_) => {}
            Domain::Tuple(items) | Domain::Collection(_, _, items) => items.iter().for_each(visit),
            Domain::Record(fields) | Domain::Variant(fields) => fields.iter().for_each(|(_, item)| visit(item)),
            Domain::Matrix(one, other) => {
                visit(one);
                visit(other);
            }
        }
    }

    /// Calls `visit` for the contents of each `int(…)`.
    pub(crate) fn for_each_set<'a>(&'a self, visit: &mut dyn FnMut(&'a I)) {
        match self {
            Domain::Int(set) => visit(set),
            _ => self.for_each_part(&mut |part| part.for_each_set(visit)),
        }
    }

    /// The domain with every `int(…)` and every number converted; stops at the first error.
    pub(crate) fn try_map<J, M, E>(
        &self,
        ints: &mut impl FnMut(&I) -> Result<J, E>,
        number: &mut impl FnMut(&N) -> Result<M, E>,
    ) -> Result<Domain<J, M>, E> {
        type Fields<I, N> = Vec<(Name, Domain<I, N>)>;
        Ok(match self {
            Domain::Bool => Domain::Bool,
            Domain::Int(set) => Domain::Int(ints(set)?),
            Domain::Tuple(items) => {
                Domain::Tuple(items.iter().map(|item| item.try_map(ints, number)).collect::<Result<_, _>>()?)
            }
            Domain::Record(fields) | Domain::Variant(fields) => {
                let fields = fields.iter().map(|(name, item)| Ok((name.clone(), item.try_map(ints, number)?)));
                let fields = fields.collect::<Result<Fields<J, M>, E>>()?;
                // Records and variants both have fields, so the constructor is chosen again at the end.
                if let Domain::Record(_) = self { Domain::Record(fields) } else { Domain::Variant(fields) }
            }
            Domain::Matrix(index, element) => {
                Domain::Matrix(Box::new(index.try_map(ints, number)?), Box::new(element.try_map(ints, number)?))
            }
            Domain::Collection(kind, attributes, items) => {
                let attributes = attributes.try_map(number)?;
                let items = items.iter().map(|item| item.try_map(ints, number)).collect::<Result<_, _>>()?;
                Domain::Collection(*kind, attributes, items)
            }
        })
    }
}

impl GroundDomain {
    /// The domain of the images of a function or a sequence.
    pub(crate) fn images(&self) -> Option<GroundDomain> {
        match self {
            Domain::Collection(kind, _, parts) if matches!(kind.form(), MemberForm::Pairs | MemberForm::Positions) => {
                parts.last().cloned()
            }
            _ => None,
        }
    }

    /// The domains on both sides of the pairs of a function or a sequence, or of the tuples of a relation.
    pub(crate) fn sides(&self) -> Vec<&GroundDomain> {
        match self {
            Domain::Collection(kind, _, parts) => kind.form().sides(parts),
            _ => Vec::new(),
        }
    }
}
