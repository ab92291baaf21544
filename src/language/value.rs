//! Values: the results of expressions, in normal form, so that equal values are equal data.
//!
//! Values do not know their types: a member of an enumerated or unnamed type is the 1-based position in its
//! declaration, a record is the tuple of its fields sorted by name. Code that prints or checks a value has the type at
//! hand. The derived order is Essence's `.<` on every type.

use super::{Collection, GroundDomain, IntSet, MemberForm};
use std::{borrow::Cow, sync::Arc};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    Bool(bool),
    /// An integer, or the 1-based position of a member of an enumerated or unnamed type.
    Int(i64),
    /// A tuple, or a record: the fields' values in the order of the fields' names.
    Tuple(Arc<[Value]>),
    /// The alternative of a variant (0-based, in the order of the declaration), and its value.
    Variant(u32, Arc<Value>),
    Matrix(Arc<Matrix>),
    /// A collection that stores its members, in the normal form of its constructor.
    Collection(Collection, Arc<[Value]>),
    /// A collection of pairs of an argument and its image: ascending, each argument once.
    Mapping(Collection, Arc<[(Value, Value)]>),
    /// A domain used as an operand.
    Domain(Arc<GroundDomain>),
}

/// A one-dimensional matrix (its elements may be matrices) with its index domain, in which
/// enumerated indices are integers. A list is a matrix indexed from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Matrix {
    /// Compared before the index domain, so that lists are ordered lexicographically.
    pub elements: Vec<Value>,
    /// The index domain, `Bool` or `Int`, with as many values as there are elements.
    pub index: GroundDomain,
}

impl Value {
    pub(crate) const TRUE: Value = Value::Bool(true);
    pub(crate) const FALSE: Value = Value::Bool(false);

    pub(crate) fn tuple(items: impl Into<Arc<[Value]>>) -> Value {
        Value::Tuple(items.into())
    }

    /// A matrix indexed from 1.
    pub(crate) fn list(elements: Vec<Value>) -> Value {
        let index = GroundDomain::Int(IntSet::range(1, elements.len() as i64));
        Value::Matrix(Arc::new(Matrix { index, elements }))
    }

    /// The collection without members.
    pub(crate) fn empty(kind: Collection) -> Value {
        if kind.form().keeps_pairs() { Value::Mapping(kind, [].into()) } else { Value::Collection(kind, [].into()) }
    }

    /// A collection of members in the order of a literal; `None` if they contradict each other.
    pub(crate) fn of(kind: Collection, members: Vec<Value>) -> Option<Value> {
        kind.row().value(members)
    }

    /// The kind of collection that the value is.
    pub(crate) fn collection(&self) -> Option<Collection> {
        match self {
            Value::Collection(kind, _) | Value::Mapping(kind, _) => Some(*kind),
            _ => None,
        }
    }

    /// The form of the members of the collection that the value is.
    pub(crate) fn form(&self) -> Option<MemberForm> {
        self.collection().map(Collection::form)
    }

    /// The members of a collection as stored, unless they are stored as pairs.
    pub(crate) fn items(&self) -> &[Value] {
        if let Value::Collection(_, items) = self { items } else { &[] }
    }

    /// The components of a tuple, or the fields of a record.
    pub(crate) fn components(&self) -> &[Value] {
        if let Value::Tuple(items) = self { items } else { &[] }
    }

    /// The pairs of a function or a permutation.
    pub(crate) fn pairs(&self) -> &[(Value, Value)] {
        if let Value::Mapping(_, pairs) = self { pairs } else { &[] }
    }

    /// The members of a collection, with pairs as tuples; the members of a sequence without their positions.
    pub(crate) fn listed(&self) -> Cow<'_, [Value]> {
        match self {
            Value::Collection(_, items) => Cow::Borrowed(items),
            Value::Mapping(_, pairs) => {
                pairs.iter().map(|(from, to)| Value::tuple([from.clone(), to.clone()])).collect()
            }
            _ => Cow::Borrowed(&[]),
        }
    }

    /// The members of a collection, with pairs as tuples.
    pub(crate) fn members(&self) -> Vec<Value> {
        let numbered = |(position, item): (i64, &Value)| Value::tuple([Value::Int(position), item.clone()]);
        match self {
            Value::Collection(kind, items) if kind.form() == MemberForm::Positions => {
                (1..).zip(items.iter()).map(numbered).collect()
            }
            _ => self.listed().into_owned(),
        }
    }

    /// Returns true if the value has more parts than this, counting a shared part each time: sharing saves memory, but
    /// a traversal visits the part at every occurrence.
    pub(crate) fn has_more_parts_than(&self, most: usize) -> bool {
        self.parts_left(most).is_none()
    }

    /// Subtracts the number of parts from a number; `None` if there are more parts.
    fn parts_left(&self, number: usize) -> Option<usize> {
        // The count stops early, because the number of all parts could overflow or take too long.
        let left = number.checked_sub(1)?;
        let all = |items: &[Value]| items.iter().try_fold(left, |left, item| item.parts_left(left));
        match self {
            Value::Bool(_) | Value::Int(_) | Value::Domain(_) => Some(left),
            Value::Variant(_, inner) => inner.parts_left(left),
            Value::Matrix(matrix) => all(&matrix.elements),
            Value::Tuple(items) | Value::Collection(_, items) => all(items),
            Value::Mapping(_, pairs) => {
                pairs.iter().try_fold(left, |left, (from, to)| to.parts_left(from.parts_left(left)?))
            }
        }
    }

    pub(crate) fn as_bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => unreachable!("a Boolean was expected, not {other:?}"),
        }
    }

    pub(crate) fn as_int(&self) -> i64 {
        match self {
            Value::Int(value) => *value,
            Value::Bool(value) => i64::from(*value),
            other => unreachable!("an integer was expected, not {other:?}"),
        }
    }
}
