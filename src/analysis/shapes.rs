//! The shapes of data outside of Essence: for each kind of declared domain, the ways to write its values.
//!
//! The rows below are the only table of shapes. `docs/parameters.md` shows them, `json.rs` reads data by them, and its
//! messages quote them.

use crate::language::{Collection, MemberForm, NamedType, Type, quotation::quoted};

/// A row of the table: the ways to write a value of one kind of domain. All of them mean the same value.
pub(crate) struct DataShape {
    /// An example of the domain. `colour` is an enumerated type with the members `red` and `green`.
    pub domain: &'static str,
    /// A value in Essence.
    pub essence: &'static str,
    /// The same value in each accepted shape of JSON; the recommended shape comes first.
    pub json: &'static [&'static str],
    /// A description of the shapes.
    pub words: &'static str,
}

macro_rules! shape {
    ($domain:literal, $essence:literal, [$($json:literal),*], $words:literal) => {
        DataShape { domain: $domain, essence: $essence, json: &[$($json),*], words: $words }
    };
}

const BOOL: DataShape = shape!("bool", "true", ["true", "1", r#""true""#], "`true` or `false`, or 1 or 0");
const INT: DataShape = shape!("int", "-3", ["-3", "-3.0", r#""-3""#], "a whole number");
const MEMBER: DataShape = shape!("colour", "red", [r#""red""#], "a string, a member of the type");
const TUPLE: DataShape = shape!("(int, bool)", "(1, true)", ["[1, true]"], "an array with a value for each component");
const RECORD: DataShape = shape!(
    "record {number : int, painted : colour}",
    "record {number = 7, painted = red}",
    [r#"{"number": 7, "painted": "red"}"#],
    "an object with a key for each field"
);
const VARIANT: DataShape = shape!(
    "variant {euros : int, free : bool}",
    "variant {euros = 3}",
    [r#"{"euros": 3}"#],
    "an object with one key, the chosen alternative"
);
const SET: DataShape = shape!("set of int", "{1, 2}", ["[1, 2]"], "an array of its members");
const MSET: DataShape = shape!("mset of int", "mset(1, 2, 2)", ["[1, 2, 2]"], "an array of its members");
const SEQUENCE: DataShape = shape!(
    "sequence of int",
    "sequence(7, 8)",
    ["[7, 8]", r#"{"1": 7, "2": 8}"#],
    "an array, or an object from places to members"
);
const MATRIX: DataShape = shape!(
    "matrix indexed by [int(0..1)] of int",
    "[5, 6; int(0..1)]",
    ["[5, 6]", r#"{"0": 5, "1": 6}"#],
    "an array, or an object from indices to elements"
);
const MATRIX_BY_NAMES: DataShape = shape!(
    "matrix indexed by [colour, int(1..2)] of bool",
    "[[true, false], [false, true]; colour]",
    [r#"{"red": [1, 0], "green": [0, 1]}"#, "[[true, false], [false, true]]"],
    "an array, or an object from indices to elements"
);
const FUNCTION: DataShape = shape!(
    "function colour --> int",
    "function(red --> 3, green --> 4)",
    [r#"{"red": 3, "green": 4}"#, r#"[["red", 3], ["green", 4]]"#],
    "an object from arguments to images, or an array of pairs"
);
const FUNCTION_OF_TUPLES: DataShape = shape!(
    "function (colour, int) --> int",
    "function((red, 1) --> 10)",
    [r#"{"red": {"1": 10}}"#, r#"[[["red", 1], 10]]"#, r#"[["red", 1, 10]]"#],
    "an object of objects, or an array of arrays, each with the argument and the image"
);
const RELATION: DataShape = shape!(
    "relation of (colour * int)",
    "relation((red, 1), (red, 2))",
    [r#"[["red", 1], ["red", 2]]"#, r#"{"red": [1, 2]}"#],
    "an array of arrays, one for each tuple"
);
const PARTITION: DataShape = shape!(
    "partition from int(1..3)",
    "partition({1, 2}, {3})",
    ["[[1, 2], [3]]"],
    "an array of arrays, one for each part"
);
const PERMUTATION: DataShape = shape!(
    "permutation of int(1..3)",
    "permutation((1, 3, 2))",
    ["[[1, 3, 2]]"],
    "an array of arrays, one for each cycle"
);

/// All rows, in the order of the manual.
#[cfg(test)]
pub(crate) const SHAPES: [&DataShape; 16] = [
    &BOOL,
    &INT,
    &MEMBER,
    &TUPLE,
    &RECORD,
    &VARIANT,
    &SET,
    &MSET,
    &SEQUENCE,
    &MATRIX,
    &MATRIX_BY_NAMES,
    &FUNCTION,
    &FUNCTION_OF_TUPLES,
    &RELATION,
    &PARTITION,
    &PERMUTATION,
];

/// Returns the row of a type.
pub(crate) fn shape_of_type(ty: &Type) -> &'static DataShape {
    match ty {
        Type::Bool => &BOOL,
        Type::Named(_) => &MEMBER,
        Type::Tuple(_) => &TUPLE,
        Type::Record(_) => &RECORD,
        Type::Variant(_) => &VARIANT,
        Type::Collection(Collection::Set, _) => &SET,
        Type::Collection(Collection::MSet, _) => &MSET,
        Type::Collection(Collection::Sequence, _) => &SEQUENCE,
        Type::Matrix(types) if matches!(types[0], Type::Int(_)) => &MATRIX,
        Type::Matrix(_) => &MATRIX_BY_NAMES,
        Type::List(_) => &MATRIX,
        Type::Collection(Collection::Function, types) if matches!(types[0], Type::Tuple(_)) => &FUNCTION_OF_TUPLES,
        Type::Collection(Collection::Function, _) => &FUNCTION,
        Type::Collection(Collection::Relation, _) => &RELATION,
        Type::Collection(Collection::Partition, _) => &PARTITION,
        Type::Collection(Collection::Permutation, _) => &PERMUTATION,
        Type::Int(_) | Type::Any | Type::Domain(_) => &INT,
    }
}

/// Returns true if values of the type can be the keys of an object.
pub(crate) fn is_key(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Int(_) | Type::Named(_))
}

/// Generates examples in JSON; `member` returns the member of a type at a position, if it is known.
pub(crate) struct Examples<'a> {
    pub member: &'a dyn Fn(&NamedType, usize) -> Option<String>,
}

impl Examples<'_> {
    /// Returns an example of a value, in the recommended shape.
    pub(crate) fn value(&self, ty: &Type) -> String {
        let each = |types: &[Type]| types.iter().map(|ty| self.value(ty)).collect::<Vec<_>>().join(", ");
        match ty {
            Type::Bool => "true".to_owned(),
            Type::Int(_) | Type::Any | Type::Domain(_) => "1".to_owned(),
            Type::Named(named) => quoted(&self.member(named, 0)),
            Type::Tuple(types) => format!("[{}]", each(types)),
            Type::Record(fields) => {
                let fields = fields.iter().map(|(name, ty)| format!("{}: {}", quoted(name), self.value(ty)));
                format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
            }
            Type::Variant(fields) => match &fields[..] {
                [(name, ty), ..] => format!("{{{}: {}}}", quoted(name), self.value(ty)),
                [] => "{}".to_owned(),
            },
            Type::List(inner) => self.elements(inner),
            Type::Matrix(types) => match &types[0] {
                Type::Named(named) => {
                    let element = self.value(&types[1]);
                    let entry = |at| format!("{}: {element}", quoted(&self.member(named, at)));
                    format!("{{{}, {}}}", entry(0), entry(1))
                }
                _ => self.elements(&types[1]),
            },
            Type::Collection(kind, types) => match (kind.form(), &types[0]) {
                (MemberForm::Values | MemberForm::Positions, member) => format!("[{}]", self.value(member)),
                (MemberForm::Tuples, _) => format!("[[{}]]", each(types)),
                (MemberForm::Blocks, member) => format!("[[{}]]", self.value(member)),
                (MemberForm::Cycles, Type::Named(named)) => {
                    format!("[[{}, {}]]", quoted(&self.member(named, 0)), quoted(&self.member(named, 1)))
                }
                (MemberForm::Cycles, _) => "[[1, 2]]".to_owned(),
                (MemberForm::Pairs, argument) => {
                    let image = self.value(&types[1]);
                    // Nested objects need a key at each level, so other arguments are written as pairs.
                    match argument {
                        Type::Tuple(parts) if parts.iter().all(is_key) => {
                            parts.iter().rev().fold(image, |image, part| format!("{{{}: {image}}}", self.key(part)))
                        }
                        argument if is_key(argument) => format!("{{{}: {image}}}", self.key(argument)),
                        argument => format!("[[{}, {image}]]", self.value(argument)),
                    }
                }
            },
        }
    }

    fn elements(&self, element: &Type) -> String {
        match element {
            Type::Int(_) => "[1, 2]".to_owned(),
            other => format!("[{0}, {0}]", self.value(other)),
        }
    }

    fn key(&self, ty: &Type) -> String {
        match ty {
            Type::Named(_) => self.value(ty),
            other => format!("\"{}\"", self.value(other)),
        }
    }

    fn member(&self, named: &NamedType, at: usize) -> String {
        let usual = || ["red", "green"][at].to_owned();
        (self.member)(named, at).unwrap_or_else(usual)
    }
}
