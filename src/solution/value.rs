//! Values of decision variables for other programs: they own their data, and know the names of members and fields.

use crate::{
    analysis::units::PartUnits,
    json::spaced,
    language::{self, Collection, Type, cycles, print::MemberNames, quotation::unquoted},
};
use serde_json::Value as Json;

/// The shapes of solutions in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonShape {
    /// The simple JSON of the reference implementation: matrices that are indexed by integers are objects, other
    /// matrices are arrays, and functions of tuples are arrays of pairs.
    #[default]
    Conjure,
    /// Matrices that are indexed from 1 are arrays, all other matrices are objects, and functions of tuples are
    /// objects of objects.
    Plain,
}

/// A value of a decision variable. Two solutions are equal if their values are: collections without an order are
/// sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A member of an enumerated or unnamed type, by its name without quotation marks.
    Member(String),
    /// The components of a tuple.
    Tuple(Vec<Value>),
    /// The fields of a record with their names, which they are sorted by.
    Record(Vec<(String, Value)>),
    /// The alternative that a variant has chosen, and its value.
    Variant(String, Box<Value>),
    /// The elements of a matrix, each after its index; the elements of a matrix of two dimensions are matrices.
    Matrix(Vec<(Value, Value)>),
    /// The members of a set, each once.
    Set(Vec<Value>),
    /// The members of a multiset, each as often as it occurs.
    MSet(Vec<Value>),
    /// The arguments of a function with their images.
    Function(Vec<(Value, Value)>),
    /// The members of a sequence, in its order.
    Sequence(Vec<Value>),
    /// The tuples of a relation.
    Relation(Vec<Vec<Value>>),
    /// The parts of a partition.
    Partition(Vec<Vec<Value>>),
    /// The cycles of a permutation; values outside them are mapped to themselves.
    Permutation(Vec<Vec<Value>>),
}

impl Value {
    /// The integer, if the value is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The Boolean, if the value is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn new(value: &language::Value, ty: &Type, names: &MemberNames) -> Self {
        use language::Value as Inner;
        let each = |items: &[Inner], ty: &Type| -> Vec<Value> {
            items.iter().map(|item| Value::new(item, ty, names)).collect()
        };
        let pairs = |pairs: &[(Inner, Inner)], from: &Type, to: &Type| -> Vec<(Value, Value)> {
            pairs.iter().map(|(one, other)| (Value::new(one, from, names), Value::new(other, to, names))).collect()
        };
        match (value, ty) {
            (Inner::Bool(value), _) => Value::Bool(*value),
            (Inner::Int(position), Type::Named(named)) => {
                Value::Member(unquoted(&names.member(named, *position)).into_owned())
            }
            (Inner::Int(value), _) => Value::Int(*value),
            (Inner::Tuple(items), Type::Record(fields)) => {
                let field = |(item, (name, ty)): (&Inner, &(language::Name, Type))| {
                    (unquoted(name).into_owned(), Value::new(item, ty, names))
                };
                Value::Record(items.iter().zip(fields.iter()).map(field).collect())
            }
            (Inner::Tuple(items), Type::Tuple(types)) => Value::Tuple(values_of_components(items, types, names)),
            (Inner::Variant(which, inner), Type::Variant(alternatives)) => {
                let (name, ty) = &alternatives[*which as usize];
                Value::Variant(unquoted(name).into_owned(), Box::new(Value::new(inner, ty, names)))
            }
            (Inner::Matrix(matrix), ty) => {
                let (index, element) = match ty {
                    Type::Matrix(parts) => (&parts[0], &parts[1]),
                    Type::List(inner) => (&Type::INT, &**inner),
                    _ => (&Type::Any, &Type::Any),
                };
                let indices = matrix.index.members().map(|at| Value::new(&at, index, names));
                Value::Matrix(indices.zip(each(&matrix.elements, element)).collect())
            }
            (collection, Type::Collection(kind, types)) => {
                let members = collection.items();
                match kind {
                    Collection::Set => Value::Set(each(members, &types[0])),
                    Collection::MSet => Value::MSet(each(members, &types[0])),
                    Collection::Sequence => Value::Sequence(each(members, &types[0])),
                    Collection::Function => Value::Function(pairs(collection.pairs(), &types[0], &types[1])),
                    Collection::Relation => {
                        let row = |tuple: &Inner| values_of_components(tuple.components(), types, names);
                        Value::Relation(members.iter().map(row).collect())
                    }
                    Collection::Partition => {
                        Value::Partition(members.iter().map(|part| each(part.items(), &types[0])).collect())
                    }
                    Collection::Permutation => {
                        // A permutation is stored as the points that it moves, but shown in cycles.
                        let cycles = cycles(collection.pairs());
                        Value::Permutation(cycles.iter().map(|cycle| each(cycle, &types[0])).collect())
                    }
                }
            }
            (other, _) => unreachable!("a value of another type: {other:?}"),
        }
    }

    /// The members of a collection, each as a list: a single value, the items of a tuple, an argument and its image, or
    /// the elements of a part or a cycle.
    pub(super) fn members(&self) -> Vec<Vec<&Value>> {
        match self {
            Value::Set(items) | Value::MSet(items) | Value::Sequence(items) => {
                items.iter().map(|item| vec![item]).collect()
            }
            Value::Function(pairs) => pairs.iter().map(|(from, to)| vec![from, to]).collect(),
            Value::Relation(rows) | Value::Partition(rows) | Value::Permutation(rows) => {
                rows.iter().map(|row| row.iter().collect()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The value with unordered collections sorted by the names of members, not by their positions in types.
    pub(crate) fn sorted(self) -> Self {
        let each = |values: Vec<Value>| -> Vec<Value> { values.into_iter().map(Value::sorted).collect() };
        let in_order = |values: Vec<Value>| {
            let mut values = each(values);
            values.sort();
            values
        };
        let pairs = |pairs: Vec<(Value, Value)>| -> Vec<(Value, Value)> {
            pairs.into_iter().map(|(one, other)| (one.sorted(), other.sorted())).collect()
        };
        match self {
            Value::Bool(_) | Value::Int(_) | Value::Member(_) => self,
            Value::Tuple(items) => Value::Tuple(each(items)),
            Value::Sequence(items) => Value::Sequence(each(items)),
            Value::Record(fields) => {
                Value::Record(fields.into_iter().map(|(name, field)| (name, field.sorted())).collect())
            }
            Value::Variant(name, inner) => Value::Variant(name, Box::new(inner.sorted())),
            Value::Matrix(entries) => Value::Matrix(pairs(entries)),
            Value::Set(items) => Value::Set(in_order(items)),
            Value::MSet(items) => Value::MSet(in_order(items)),
            Value::Function(items) => {
                let mut items = pairs(items);
                items.sort();
                Value::Function(items)
            }
            Value::Relation(tuples) => {
                let mut tuples: Vec<_> = tuples.into_iter().map(each).collect();
                tuples.sort();
                Value::Relation(tuples)
            }
            Value::Partition(parts) => {
                let mut parts: Vec<_> = parts.into_iter().map(in_order).collect();
                parts.sort();
                Value::Partition(parts)
            }
            Value::Permutation(cycles) => {
                // The order within a cycle has a meaning, so the cycle is rotated and not sorted.
                let mut cycles: Vec<_> = cycles.into_iter().map(smallest_first).collect();
                cycles.sort();
                Value::Permutation(cycles)
            }
        }
    }

    /// The value as JSON on one line, as in [`crate::Solution::to_json`]; integers are as in Essence.
    pub fn to_json(&self) -> String {
        spaced(&self.to_value())
    }

    /// The value in the simple JSON of the reference implementation.
    pub fn to_value(&self) -> Json {
        self.shaped(JsonShape::Conjure)
    }

    /// The value in one of the shapes of JSON. Integers are as in Essence, even those with a unit.
    pub fn shaped(&self, shape: JsonShape) -> Json {
        self.in_units(shape, &mut PartUnits::default())
    }

    /// The value in one of the shapes of JSON, with decimal numbers for integers that have a unit.
    pub(crate) fn in_units(&self, shape: JsonShape, units: &mut PartUnits) -> Json {
        let is_plain = shape == JsonShape::Plain;
        match self {
            Value::Bool(value) => (*value).into(),
            Value::Int(value) => units.unit().map_or_else(|| (*value).into(), |unit| unit.json(*value)),
            Value::Member(name) => name.as_str().into(),
            Value::Tuple(items) => components_in_units(items, shape, units),
            Value::Set(items) | Value::MSet(items) | Value::Sequence(items) => {
                items.iter().map(|item| item.in_units(shape, units)).collect()
            }
            Value::Record(fields) => {
                fields.iter().map(|(name, field)| (name.clone(), field.part_in_units(name, shape, units))).collect()
            }
            Value::Variant(name, inner) => {
                [(name.clone(), inner.part_in_units(name, shape, units))].into_iter().collect()
            }
            Value::Matrix(entries) => {
                // A plain array has no place for indices, so only a matrix with indices from 1 becomes an array. In the
                // shape of Conjure, all integer indices give an object.
                let from_one = || entries.iter().zip(1..).all(|((index, _), at)| *index == Value::Int(at));
                let by_integers = || entries.iter().all(|(index, _)| index.as_int().is_some());
                match if is_plain { !from_one() } else { by_integers() } {
                    true => entries_object(entries, shape, units),
                    false => entries.iter().map(|(_, element)| element.in_units(shape, units)).collect(),
                }
            }
            Value::Function(pairs) if pairs.iter().all(|(argument, _)| argument.is_simple()) => {
                entries_object(pairs, shape, units)
            }
            // In plain JSON, a function from tuples becomes nested objects, with a level for each component.
            Value::Function(pairs) if is_plain && pairs.iter().all(|(argument, _)| argument.is_simple_tuple()) => {
                let mut objects = Json::Object(serde_json::Map::new());
                for (argument, image) in pairs {
                    if let Value::Tuple(parts) = argument {
                        let place = parts.iter().fold(&mut objects, |place, part| &mut place[part.key()]);
                        *place = image.in_units(shape, units);
                    }
                }
                objects
            }
            Value::Function(pairs) => {
                let mut pair = |(argument, image): &(Value, Value)| {
                    // The arguments do not have the unit of the images.
                    let outer = units.enter_argument();
                    let argument = argument.in_units(shape, units);
                    units.leave(outer);
                    Json::from([argument, image.in_units(shape, units)])
                };
                pairs.iter().map(&mut pair).collect()
            }
            Value::Relation(rows) => rows.iter().map(|row| components_in_units(row, shape, units)).collect(),
            Value::Partition(lists) | Value::Permutation(lists) => {
                let mut list =
                    |list: &Vec<Value>| list.iter().map(|item| item.in_units(shape, units)).collect::<Json>();
                lists.iter().map(&mut list).collect()
            }
        }
    }

    fn part_in_units(&self, name: &str, shape: JsonShape, units: &mut PartUnits) -> Json {
        let outer = units.enter(name);
        let part = self.in_units(shape, units);
        units.leave(outer);
        part
    }

    /// The text of a simple value as a key.
    fn key(&self) -> String {
        match self.to_value() {
            Json::String(text) => text,
            other => other.to_string(),
        }
    }

    fn is_simple_tuple(&self) -> bool {
        matches!(self, Value::Tuple(parts) if !parts.is_empty() && parts.iter().all(Value::is_simple))
    }

    fn is_simple(&self) -> bool {
        matches!(self, Value::Bool(_) | Value::Int(_) | Value::Member(_))
    }
}

/// An object whose keys are simple values.
fn entries_object(entries: &[(Value, Value)], shape: JsonShape, units: &mut PartUnits) -> Json {
    entries.iter().map(|(key, value)| (key.key(), value.in_units(shape, units))).collect()
}

fn components_in_units(items: &[Value], shape: JsonShape, units: &mut PartUnits) -> Json {
    (1..).zip(items).map(|(at, item)| item.part_in_units(&i32::to_string(&at), shape, units)).collect()
}

/// The cycle from its smallest value on.
fn smallest_first(cycle: Vec<Value>) -> Vec<Value> {
    let mut cycle: Vec<Value> = cycle.into_iter().map(Value::sorted).collect();
    let smallest = (0..cycle.len()).min_by_key(|at| &cycle[*at]).unwrap_or(0);
    cycle.rotate_left(smallest);
    cycle
}

fn values_of_components(items: &[language::Value], types: &[Type], names: &MemberNames) -> Vec<Value> {
    items.iter().zip(types).map(|(item, ty)| Value::new(item, ty, names)).collect()
}
