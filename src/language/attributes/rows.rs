//! The table of attributes.

use super::{
    Attribute, Clause,
    Limit::*,
    Meaning,
    Measure::{self, *},
    Property::{self, *},
    PropertyForm::{self, *},
    SOME,
};
use crate::language::Collection::{self, *};

/// The collections that have a number of members. The sizes of a partition's domain are accepted, but have no effect.
const SIZED: &[Collection] = &[Set, MSet, Function, Sequence, Relation, Collection::Partition];
const PARTITION: &[Collection] = &[Collection::Partition];
const PERMUTATION: &[Collection] = &[Permutation];
const MAPS: &[Collection] = &[Function, Sequence];
const RELATION: &[Collection] = &[Relation];

const fn bound_row(
    word: &'static str,
    of: &'static [Collection],
    row: (Measure, super::Limit),
    summary: &'static str,
    example: (&'static str, &'static str),
) -> Attribute {
    Attribute { word, of, meaning: Meaning::Bound(row.0, row.1), summary, example }
}

const fn property(
    word: &'static str,
    of: &'static [Collection],
    row: (Property, PropertyForm),
    summary: &'static str,
    example: (&'static str, &'static str),
) -> Attribute {
    Attribute { word, of, meaning: Meaning::Property(row.0, row.1), summary, example }
}

const fn several(
    word: &'static str,
    of: &'static [Collection],
    properties: &'static [Property],
    summary: &'static str,
    example: (&'static str, &'static str),
) -> Attribute {
    Attribute { word, of, meaning: Meaning::All(properties), summary, example }
}

/// The clause: if all `given` pairs of points are related, at least one of `then` is related.
const fn clause(given: &'static [(usize, usize)], then: &'static [(usize, usize)]) -> PropertyForm {
    PropertyForm::Clause(Clause { given, then, or_same: false })
}

/// A clause that also holds if the first two points are equal.
const fn clause_or_same(given: &'static [(usize, usize)], then: &'static [(usize, usize)]) -> PropertyForm {
    PropertyForm::Clause(Clause { given, then, or_same: true })
}

/// The attributes in the order of the manual.
pub(crate) static ATTRIBUTES: &[Attribute] = &[
    bound_row(
        "size",
        SIZED,
        (Size, Exactly),
        "it has exactly this many members",
        ("|`set (size 2) of int(1..4)`|", "6"),
    ),
    bound_row(
        "minSize",
        SIZED,
        (Size, AtLeast),
        "it has at least this many members",
        ("|`set (minSize 2) of int(1..3)`|", "4"),
    ),
    bound_row(
        "maxSize",
        SIZED,
        (Size, AtMost),
        "it has at most this many members",
        ("|`sequence (maxSize 2) of int(1..3)`|", "13"),
    ),
    bound_row(
        "minOccur",
        &[MSet],
        (Occurrences, AtLeast),
        "each value occurs at least this many times",
        ("|`mset (minOccur 1, size 4) of int(1..3)`|", "3"),
    ),
    bound_row(
        "maxOccur",
        &[MSet],
        (Occurrences, AtMost),
        "each value occurs at most this many times",
        ("|`mset (maxOccur 2) of int(1..2)`|", "9"),
    ),
    property(
        "total",
        &[Function],
        (Total, Covers(0)),
        "it has an image for each argument",
        ("|`function (total) int(1..2) --> int(1..3)`|", "9"),
    ),
    property(
        "injective",
        MAPS,
        (Property::Injective, PropertyForm::Injective),
        "no two of its images are equal",
        ("|`function (total, injective) int(1..2) --> int(1..3)`|", "6"),
    ),
    property(
        "surjective",
        MAPS,
        (Surjective, Covers(1)),
        "every value is an image",
        ("|`function (total, surjective) int(1..3) --> int(1..2)`|", "6"),
    ),
    several(
        "bijective",
        MAPS,
        &[Property::Injective, Surjective],
        "every value is the image of exactly one argument",
        ("|`function (total, bijective) int(1..3) --> int(1..3)`|", "6"),
    ),
    property(
        "reflexive",
        RELATION,
        (Reflexive, clause(&[], &[(0, 0)])),
        "it relates every value to itself",
        ("|`relation (reflexive) of (int(1..2) * int(1..2))`|", "4"),
    ),
    property(
        "irreflexive",
        RELATION,
        (Irreflexive, clause(&[(0, 0)], &[])),
        "it relates no value to itself",
        ("|`relation (irreflexive) of (int(1..2) * int(1..2))`|", "4"),
    ),
    property(
        "coreflexive",
        RELATION,
        (Coreflexive, clause_or_same(&[(0, 1)], &[])),
        "it relates values only to themselves",
        ("|`relation (coreflexive) of (int(1..2) * int(1..2))`|", "4"),
    ),
    property(
        "symmetric",
        RELATION,
        (Symmetric, clause(&[(0, 1)], &[(1, 0)])),
        "if it relates a to b, it relates b to a",
        ("|`relation (symmetric) of (int(1..2) * int(1..2))`|", "8"),
    ),
    property(
        "antiSymmetric",
        RELATION,
        (AntiSymmetric, clause_or_same(&[(0, 1), (1, 0)], &[])),
        "it does not relate two different values both ways",
        ("|`relation (antiSymmetric) of (int(1..2) * int(1..2))`|", "12"),
    ),
    property(
        "aSymmetric",
        RELATION,
        (ASymmetric, clause(&[(0, 1), (1, 0)], &[])),
        "if it relates a to b, it does not relate b to a",
        ("|`relation (aSymmetric) of (int(1..2) * int(1..2))`|", "3"),
    ),
    property(
        "transitive",
        RELATION,
        (Transitive, clause(&[(0, 1), (1, 2)], &[(0, 2)])),
        "if it relates a to b and b to c, it relates a to c",
        ("|`relation (transitive) of (int(1..2) * int(1..2))`|", "13"),
    ),
    property(
        "total",
        RELATION,
        (StronglyConnex, clause(&[], &[(0, 1), (1, 0)])),
        "it relates any two values at least one way, and every value to itself",
        ("|`relation (total) of (int(1..2) * int(1..2))`|", "3"),
    ),
    property(
        "leftTotal",
        RELATION,
        (LeftTotal, clause(&[], &[(0, SOME)])),
        "it relates every value to something",
        ("|`relation (leftTotal) of (int(1..2) * int(1..2))`|", "9"),
    ),
    property(
        "rightTotal",
        RELATION,
        (RightTotal, clause(&[], &[(SOME, 0)])),
        "it relates something to every value",
        ("|`relation (rightTotal) of (int(1..2) * int(1..2))`|", "9"),
    ),
    property(
        "connex",
        RELATION,
        (Connex, clause_or_same(&[], &[(0, 1), (1, 0)])),
        "it relates any two different values at least one way",
        ("|`relation (connex) of (int(1..2) * int(1..2))`|", "12"),
    ),
    property(
        "Euclidean",
        RELATION,
        (Euclidean, clause(&[(0, 1), (0, 2)], &[(1, 2)])),
        "if it relates a to b and to c, it relates b to c",
        ("|`relation (Euclidean) of (int(1..2) * int(1..2))`|", "7"),
    ),
    several(
        "serial",
        RELATION,
        &[LeftTotal],
        "it relates every value to something; the same as `leftTotal`",
        ("|`relation (serial) of (int(1..2) * int(1..2))`|", "9"),
    ),
    several(
        "equivalence",
        RELATION,
        &[Reflexive, Symmetric, Transitive],
        "it is reflexive, symmetric and transitive",
        ("|`relation (equivalence) of (int(1..3) * int(1..3))`|", "5"),
    ),
    several(
        "partialOrder",
        RELATION,
        &[Reflexive, AntiSymmetric, Transitive],
        "it is reflexive, antisymmetric and transitive",
        ("|`relation (partialOrder) of (int(1..3) * int(1..3))`|", "19"),
    ),
    several(
        "linearOrder",
        RELATION,
        &[StronglyConnex, AntiSymmetric, Transitive],
        "it is total, antisymmetric and transitive",
        ("|`relation (linearOrder) of (int(1..3) * int(1..3))`|", "6"),
    ),
    several(
        "weakOrder",
        RELATION,
        &[StronglyConnex, Transitive],
        "it is total and transitive",
        ("|`relation (weakOrder) of (int(1..3) * int(1..3))`|", "13"),
    ),
    several(
        "preOrder",
        RELATION,
        &[Reflexive, Transitive],
        "it is reflexive and transitive",
        ("|`relation (preOrder) of (int(1..3) * int(1..3))`|", "29"),
    ),
    several(
        "strictPartialOrder",
        RELATION,
        &[Irreflexive, ASymmetric, Transitive],
        "it is irreflexive, asymmetric and transitive",
        ("|`relation (strictPartialOrder) of (int(1..3) * int(1..3))`|", "19"),
    ),
    bound_row(
        "numParts",
        PARTITION,
        (Parts, Exactly),
        "it has exactly this many parts",
        ("|`partition (numParts 2) from int(1..4)`|", "7"),
    ),
    bound_row(
        "minNumParts",
        PARTITION,
        (Parts, AtLeast),
        "it has at least this many parts",
        ("|`partition (minNumParts 2) from int(1..3)`|", "4"),
    ),
    bound_row(
        "maxNumParts",
        PARTITION,
        (Parts, AtMost),
        "it has at most this many parts",
        ("|`partition (maxNumParts 2) from int(1..3)`|", "4"),
    ),
    bound_row(
        "partSize",
        PARTITION,
        (PartSize, Exactly),
        "each of its parts has exactly this many members",
        ("|`partition (partSize 2) from int(1..4)`|", "3"),
    ),
    bound_row(
        "minPartSize",
        PARTITION,
        (PartSize, AtLeast),
        "each of its parts has at least this many members",
        ("|`partition (minPartSize 2) from int(1..4)`|", "4"),
    ),
    bound_row(
        "maxPartSize",
        PARTITION,
        (PartSize, AtMost),
        "each of its parts has at most this many members",
        ("|`partition (maxPartSize 2) from int(1..4)`|", "10"),
    ),
    property(
        "regular",
        PARTITION,
        (Property::Regular, PropertyForm::Regular),
        "all its parts have the same size",
        ("|`partition (regular) from int(1..4)`|", "5"),
    ),
    bound_row(
        "numMoved",
        PERMUTATION,
        (Moved, Exactly),
        "it moves exactly this many values",
        ("|`permutation (numMoved 2) of int(1..4)`|", "6"),
    ),
    bound_row(
        "minNumMoved",
        PERMUTATION,
        (Moved, AtLeast),
        "it moves at least this many values",
        ("|`permutation (minNumMoved 3) of int(1..3)`|", "2"),
    ),
    bound_row(
        "maxNumMoved",
        PERMUTATION,
        (Moved, AtMost),
        "it moves at most this many values",
        ("|`permutation (maxNumMoved 2) of int(1..3)`|", "4"),
    ),
];
