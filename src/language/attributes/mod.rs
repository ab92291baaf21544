//! The attributes of domains: their meaning, and the table that lists them.
//!
//! Each word in the parentheses of a domain is a row of [`rows::ATTRIBUTES`]. A row bounds a measure of the value
//! (`minSize 2`), or requires a property (`injective`) or several (`bijective`). The parser, the type checker, the
//! printer, membership of values and of terms, counting and explanations read the rows. A property is checked on values
//! here and on terms in `symbolic/attributes.rs`, both by its [`PropertyForm`].

mod check;
mod clause;
pub(crate) mod rows;

use super::Collection;
pub(crate) use check::{is_within, points_between};
pub(crate) use clause::{Clause, SOME};

/// An attribute: one word, with its meaning.
pub(crate) struct Attribute {
    pub word: &'static str,
    /// The constructors that accept it, in domains and as a constraint (`injective(f)`).
    pub of: &'static [Collection],
    pub meaning: Meaning,
    /// The description in the manual, one line.
    pub summary: &'static str,
    /// An expression that shows it, and the expression's value.
    pub example: (&'static str, &'static str),
}

/// The meaning of an attribute.
pub(crate) enum Meaning {
    /// The attribute's number bounds a measure.
    Bound(Measure, Limit),
    Property(Property, PropertyForm),
    /// Several properties at once.
    All(&'static [Property]),
}

/// A number that a value has, or several numbers: one for each value in it, one for each part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Measure {
    /// The number of members.
    Size,
    /// The number of times that each value occurs in a multiset.
    Occurrences,
    /// The number of parts of a partition.
    Parts,
    /// The number of members of each part of a partition.
    PartSize,
    /// The number of points that a permutation moves.
    Moved,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Exactly,
    AtLeast,
    AtMost,
}

impl Limit {
    /// The same limit for exchanged operands: `x >= 3` is `3 <= x`.
    pub(crate) fn turned(self) -> Limit {
        match self {
            Limit::Exactly => Limit::Exactly,
            Limit::AtLeast => Limit::AtMost,
            Limit::AtMost => Limit::AtLeast,
        }
    }
}

/// A property that is not a combination of others. Domains are printed with their properties in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Property {
    Total,
    Injective,
    Surjective,
    Regular,
    Reflexive,
    Irreflexive,
    Coreflexive,
    Symmetric,
    AntiSymmetric,
    ASymmetric,
    Transitive,
    /// `total` of a relation.
    StronglyConnex,
    LeftTotal,
    RightTotal,
    Connex,
    Euclidean,
}

/// The definition of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyForm {
    /// Every value of the first (0) or the second (1) domain occurs at that position of a pair.
    Covers(usize),
    /// Different arguments have different images.
    Injective,
    /// All parts have the same number of members.
    Regular,
    /// A formula about the points of a binary relation on one domain.
    Clause(Clause),
}

impl Attribute {
    /// The row of a word for a constructor.
    pub(crate) fn find(word: &str, of: Collection) -> Option<&'static Attribute> {
        Self::named(word).find(|row| row.of.contains(&of))
    }

    /// The rows of a word.
    pub(crate) fn named(word: &str) -> impl Iterator<Item = &'static Attribute> {
        rows::ATTRIBUTES.iter().filter(move |row| row.word == word)
    }

    pub(crate) fn takes_number(&self) -> bool {
        matches!(self.meaning, Meaning::Bound(..))
    }

    /// The properties that it requires.
    pub(crate) fn properties(&self) -> &[Property] {
        match &self.meaning {
            Meaning::Bound(..) => &[],
            Meaning::Property(property, _) => std::slice::from_ref(property),
            Meaning::All(properties) => properties,
        }
    }

    /// Returns true if the property is about binary relations on one domain.
    pub(crate) fn is_of_binary_relations(&self) -> bool {
        self.properties().iter().any(|property| property.clause().is_some())
    }
}

impl std::fmt::Debug for Attribute {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word)
    }
}

impl Property {
    /// The row of the attribute that means only this property.
    pub(crate) fn row(self) -> &'static Attribute {
        let mut rows = rows::ATTRIBUTES.iter();
        let is_its = |row: &&Attribute| matches!(row.meaning, Meaning::Property(property, _) if property == self);
        match rows.find(is_its) {
            Some(row) => row,
            None => unreachable!("{self:?} has no row"),
        }
    }

    pub(crate) fn form(self) -> PropertyForm {
        match self.row().meaning {
            Meaning::Property(_, form) => form,
            _ => unreachable!("the row of {self:?} is another one's"),
        }
    }

    /// The formula of a property of binary relations.
    pub(crate) fn clause(self) -> Option<Clause> {
        match self.form() {
            PropertyForm::Clause(clause) => Some(clause),
            _ => None,
        }
    }
}

impl Measure {
    /// The word of the attribute that sets this limit; `None` for an exact number of occurrences.
    pub(crate) fn word(self, limit: Limit) -> Option<&'static str> {
        let is_its =
            |row: &&Attribute| matches!(row.meaning, Meaning::Bound(measure, its) if (measure, its) == (self, limit));
        rows::ATTRIBUTES.iter().find(is_its).map(|row| row.word)
    }
}

/// Bounds on a number: `size k` sets both.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Size<N> {
    pub min: Option<N>,
    pub max: Option<N>,
}

impl<N> Default for Size<N> {
    fn default() -> Self {
        Size { min: None, max: None }
    }
}

impl<N> Size<N> {
    /// The bounds that a limit sets.
    pub(crate) fn of(limit: Limit, number: N) -> Self
    where
        N: Clone,
    {
        match limit {
            Limit::Exactly => Size { min: Some(number.clone()), max: Some(number) },
            Limit::AtLeast => Size { min: Some(number), max: None },
            Limit::AtMost => Size { min: None, max: Some(number) },
        }
    }

    fn try_map<M, E>(&self, number: &mut impl FnMut(&N) -> Result<M, E>) -> Result<Size<M>, E> {
        Ok(Size {
            min: self.min.as_ref().map(&mut *number).transpose()?,
            max: self.max.as_ref().map(number).transpose()?,
        })
    }
}

/// The attributes of one domain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Attributes<N> {
    /// The bounds by measure, ascending; a measure without bounds is not listed.
    bounds: Vec<(Measure, Size<N>)>,
    /// The properties in ascending order, each once.
    properties: Vec<Property>,
}

impl<N> Default for Attributes<N> {
    fn default() -> Self {
        Attributes { bounds: Vec::new(), properties: Vec::new() }
    }
}

impl<N> Attributes<N> {
    /// Attributes that only bound the number of members.
    pub(crate) fn sized(size: Size<N>) -> Self {
        Attributes::default().bounding(Measure::Size, size)
    }

    /// These attributes with other bounds on a measure.
    pub(crate) fn bounding(mut self, measure: Measure, size: Size<N>) -> Self {
        self.bounds.retain(|(other, _)| *other != measure);
        if size.min.is_some() || size.max.is_some() {
            // The bounds are sorted, so that domains with the same bounds are equal.
            let position = self.bounds.partition_point(|(other, _)| *other < measure);
            self.bounds.insert(position, (measure, size));
        }
        self
    }

    /// These attributes with more properties.
    pub(crate) fn with(mut self, properties: &[Property]) -> Self {
        self.properties.extend(properties);
        self.properties.sort_unstable();
        self.properties.dedup();
        self
    }

    /// The bounds on a measure.
    pub(crate) fn bounds(&self, measure: Measure) -> &Size<N> {
        let bounds = self.bounds.iter().find(|(other, _)| *other == measure);
        bounds.map_or(&Size { min: None, max: None }, |(_, bounds)| bounds)
    }

    /// The bounds on the number of members.
    pub(crate) fn size(&self) -> &Size<N> {
        self.bounds(Measure::Size)
    }

    /// The measures that have bounds.
    pub(crate) fn measures(&self) -> &[(Measure, Size<N>)] {
        &self.bounds
    }

    pub(crate) fn has(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }

    pub(crate) fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// These attributes with every number converted; stops at the first error.
    pub(crate) fn try_map<M, E>(&self, number: &mut impl FnMut(&N) -> Result<M, E>) -> Result<Attributes<M>, E> {
        let bounds = self.bounds.iter().map(|(measure, size)| Ok((*measure, size.try_map(number)?)));
        Ok(Attributes { bounds: bounds.collect::<Result<_, E>>()?, properties: self.properties.clone() })
    }
}
