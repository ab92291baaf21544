//! Domains, in one shape for all phases.
//!
//! `Domain<I, N>` says `I` for what stands in `int(…)` and `N` for a number in an attribute: expressions in
//! a typed model, concrete sets and numbers in an instance ([`GroundDomain`]). The tree of a source file has
//! its own type, which keeps what only a printer needs.

mod contains;
mod count;
mod enumerate;
mod estimate;
mod explain;
mod pool;
#[cfg(test)]
mod tests;

use super::{IntSet, Name};
pub use contains::{Reason, Role, Step, Violation};
pub use enumerate::{Members, subsets_of};
pub use estimate::Amount;

/// A domain whose bounds and attributes are known. Enumerated and unnamed types are integer ranges of positions.
pub type GroundDomain = Domain<IntSet, i64>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Domain<I, N> {
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
    Set(Size<N>, Box<Domain<I, N>>),
    /// Size, and how often a value occurs.
    MSet(Size<N>, Size<N>, Box<Domain<I, N>>),
    Function(FunctionAttributes<N>, Box<Domain<I, N>>, Box<Domain<I, N>>),
    /// `total` is never set.
    Sequence(FunctionAttributes<N>, Box<Domain<I, N>>),
    Relation(RelationAttributes<N>, Vec<Domain<I, N>>),
    Partition(PartitionAttributes<N>, Box<Domain<I, N>>),
    /// The number of moved points.
    Permutation(Size<N>, Box<Domain<I, N>>),
}

/// Bounds on a number: `size k` sets both.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size<N> {
    pub min: Option<N>,
    pub max: Option<N>,
}

impl<N> Default for Size<N> {
    fn default() -> Self {
        Size { min: None, max: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionAttributes<N> {
    pub size: Size<N>,
    pub total: bool,
    pub injective: bool,
    pub surjective: bool,
}

impl<N> Default for FunctionAttributes<N> {
    fn default() -> Self {
        FunctionAttributes { size: Size::default(), total: false, injective: false, surjective: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationAttributes<N> {
    pub size: Size<N>,
    /// Sorted; only on binary relations over one domain.
    pub properties: Vec<BinaryProperty>,
}

impl<N> Default for RelationAttributes<N> {
    fn default() -> Self {
        RelationAttributes { size: Size::default(), properties: Vec::new() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartitionAttributes<N> {
    pub parts: Size<N>,
    pub part_size: Size<N>,
    pub regular: bool,
}

impl<N> Default for PartitionAttributes<N> {
    fn default() -> Self {
        PartitionAttributes { parts: Size::default(), part_size: Size::default(), regular: false }
    }
}

/// An elementary property of a binary relation on one domain. The compound ones (`equivalence`,
/// `partialOrder`, …) are several of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryProperty {
    /// ∀x R(x,x)
    Reflexive,
    /// ∀x ¬R(x,x)
    Irreflexive,
    /// R(x,y) → x = y
    Coreflexive,
    /// R(x,y) → R(y,x)
    Symmetric,
    /// R(x,y) ∧ R(y,x) → x = y
    AntiSymmetric,
    /// R(x,y) → ¬R(y,x)
    ASymmetric,
    /// R(x,y) ∧ R(y,z) → R(x,z)
    Transitive,
    /// ∀x,y R(x,y) ∨ R(y,x)
    Total,
    /// ∀x ∃y R(x,y)
    LeftTotal,
    /// ∀y ∃x R(x,y)
    RightTotal,
    /// R(x,y) ∨ R(y,x) ∨ x = y
    Connex,
    /// R(x,y) ∧ R(x,z) → R(y,z)
    Euclidean,
}

impl BinaryProperty {
    /// The elementary properties that an attribute word of Essence stands for; `None` for other words.
    pub fn of_attribute(word: &str) -> Option<&'static [BinaryProperty]> {
        use BinaryProperty::*;
        Some(match word {
            "reflexive" => &[Reflexive],
            "irreflexive" => &[Irreflexive],
            "coreflexive" => &[Coreflexive],
            "symmetric" => &[Symmetric],
            "antiSymmetric" => &[AntiSymmetric],
            "aSymmetric" => &[ASymmetric],
            "transitive" => &[Transitive],
            "total" => &[Total],
            "leftTotal" | "serial" => &[LeftTotal],
            "rightTotal" => &[RightTotal],
            "connex" => &[Connex],
            "Euclidean" => &[Euclidean],
            "equivalence" => &[Reflexive, Symmetric, Transitive],
            "partialOrder" => &[Reflexive, AntiSymmetric, Transitive],
            "linearOrder" => &[Total, AntiSymmetric, Transitive],
            "weakOrder" => &[Total, Transitive],
            "preOrder" => &[Reflexive, Transitive],
            "strictPartialOrder" => &[Irreflexive, ASymmetric, Transitive],
            _ => return None,
        })
    }

    /// The attribute that stands for this property alone.
    pub fn word(self) -> &'static str {
        use BinaryProperty::*;
        match self {
            Reflexive => "reflexive",
            Irreflexive => "irreflexive",
            Coreflexive => "coreflexive",
            Symmetric => "symmetric",
            AntiSymmetric => "antiSymmetric",
            ASymmetric => "aSymmetric",
            Transitive => "transitive",
            Total => "total",
            LeftTotal => "leftTotal",
            RightTotal => "rightTotal",
            Connex => "connex",
            Euclidean => "Euclidean",
        }
    }
}

impl<I, N> Domain<I, N> {
    /// Whether it is a domain of sets, functions and the like, or has one inside.
    pub fn has_collection(&self) -> bool {
        match self {
            Domain::Bool | Domain::Int(_) => false,
            Domain::Tuple(items) => items.iter().any(Domain::has_collection),
            Domain::Record(items) | Domain::Variant(items) => items.iter().any(|(_, item)| item.has_collection()),
            Domain::Matrix(_, element) => element.has_collection(),
            _ => true,
        }
    }

    /// The same shape with every `int(…)` and every number converted; stops at the first error.
    pub fn try_map<J, M, E>(
        &self,
        ints: &mut impl FnMut(&I) -> Result<J, E>,
        number: &mut impl FnMut(&N) -> Result<M, E>,
    ) -> Result<Domain<J, M>, E> {
        fn size<N, M, E>(size: &Size<N>, number: &mut impl FnMut(&N) -> Result<M, E>) -> Result<Size<M>, E> {
            Ok(Size {
                min: size.min.as_ref().map(&mut *number).transpose()?,
                max: size.max.as_ref().map(&mut *number).transpose()?,
            })
        }
        fn function<N, M, E>(
            attributes: &FunctionAttributes<N>,
            number: &mut impl FnMut(&N) -> Result<M, E>,
        ) -> Result<FunctionAttributes<M>, E> {
            Ok(FunctionAttributes {
                size: size(&attributes.size, number)?,
                total: attributes.total,
                injective: attributes.injective,
                surjective: attributes.surjective,
            })
        }
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
            Domain::Set(bounds, inner) => Domain::Set(size(bounds, number)?, Box::new(inner.try_map(ints, number)?)),
            Domain::MSet(bounds, occurrences, inner) => {
                Domain::MSet(size(bounds, number)?, size(occurrences, number)?, Box::new(inner.try_map(ints, number)?))
            }
            Domain::Function(attributes, from, to) => Domain::Function(
                function(attributes, number)?,
                Box::new(from.try_map(ints, number)?),
                Box::new(to.try_map(ints, number)?),
            ),
            Domain::Sequence(attributes, inner) => {
                Domain::Sequence(function(attributes, number)?, Box::new(inner.try_map(ints, number)?))
            }
            Domain::Relation(attributes, items) => Domain::Relation(
                RelationAttributes { size: size(&attributes.size, number)?, properties: attributes.properties.clone() },
                items.iter().map(|item| item.try_map(ints, number)).collect::<Result<_, _>>()?,
            ),
            Domain::Partition(attributes, inner) => Domain::Partition(
                PartitionAttributes {
                    parts: size(&attributes.parts, number)?,
                    part_size: size(&attributes.part_size, number)?,
                    regular: attributes.regular,
                },
                Box::new(inner.try_map(ints, number)?),
            ),
            Domain::Permutation(moved, inner) => {
                Domain::Permutation(size(moved, number)?, Box::new(inner.try_map(ints, number)?))
            }
        })
    }
}
