//! Types: domains without their bounds and attributes.

use super::{Collection, MemberForm, Name, unit::Unit};
use std::{fmt, sync::Arc};

/// An enumerated or unnamed type. Its `id` identifies it. The number of its members is known only in an instance,
/// because a parameter file may contain it.
#[derive(Clone, Debug)]
pub(crate) struct NamedType {
    pub name: Name,
    /// The declaration in the model that introduces it.
    pub id: u32,
    pub unnamed: bool,
}

impl PartialEq for NamedType {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}
impl Eq for NamedType {}

/// The tag and the unit of integers.
#[derive(Clone, Debug)]
pub(crate) struct IntType {
    /// The tag of `int:A`: integers with different tags have different types.
    pub tag: Option<Name>,
    /// The unit in which people read them. It does not distinguish types.
    pub unit: Option<Unit>,
}

impl PartialEq for IntType {
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag
    }
}
impl Eq for IntType {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// The type of an expression that is unknown or already reported as wrong. It fits every type, so that an empty
    /// literal gets its type from its context and a mistake is reported once.
    Any,
    Bool,
    Int(IntType),
    Named(NamedType),
    Tuple(Arc<[Type]>),
    /// Fields sorted by name.
    Record(Arc<[(Name, Type)]>),
    /// Alternatives in the order of their declaration.
    Variant(Arc<[(Name, Type)]>),
    /// Index type and element type.
    Matrix(Arc<[Type]>),
    /// The result of a comprehension. It fits a matrix with any integer index, and a sequence.
    List(Arc<Type>),
    /// A collection, and the types that its constructor is applied to. A relation with unknown tuples has [`Type::Any`]
    /// as its only column.
    Collection(Collection, Arc<[Type]>),
    /// A domain used as an operand, as in `|D|` and `max(D)`.
    Domain(Arc<Type>),
}

impl Type {
    pub(crate) const INT: Type = Type::Int(IntType { tag: None, unit: None });

    /// Integers with this tag.
    pub(crate) fn tagged(tag: Option<Name>) -> Type {
        Type::Int(IntType { tag, unit: None })
    }

    /// Returns true if `<` orders the type: bool, int, enum.
    pub(crate) fn is_ordered(&self) -> bool {
        match self {
            Type::Any | Type::Bool | Type::Int(_) => true,
            Type::Named(named) => !named.unnamed,
            _ => false,
        }
    }

    /// Returns true if the type is Boolean, or a list or matrix of Booleans.
    pub(crate) fn is_boolean(&self) -> bool {
        match self {
            Type::Bool => true,
            Type::List(inner) => inner.is_boolean(),
            Type::Matrix(types) => types[1].is_boolean(),
            _ => false,
        }
    }

    /// A collection type.
    pub(crate) fn of(kind: Collection, parts: impl Into<Arc<[Type]>>) -> Type {
        Type::Collection(kind, parts.into())
    }

    pub(crate) fn matrix(index: Type, element: Type) -> Type {
        Type::Matrix([index, element].into())
    }

    /// The kind of collection of the type's values.
    pub(crate) fn collection(&self) -> Option<Collection> {
        self.as_collection().map(|(kind, _)| kind)
    }

    /// The kind of collection of the type's values, and the types that the constructor is applied to.
    pub(crate) fn as_collection(&self) -> Option<(Collection, &[Type])> {
        match self {
            Type::Collection(kind, parts) => Some((*kind, parts)),
            _ => None,
        }
    }

    /// The form of the members, if the type's values are collections.
    pub(crate) fn form(&self) -> Option<MemberForm> {
        self.collection().map(Collection::form)
    }

    /// The form of the members, and the types that the constructor is applied to, if the type's values are collections.
    pub(crate) fn by_form(&self) -> Option<(MemberForm, &[Type])> {
        self.as_collection().map(|(kind, parts)| (kind.form(), parts))
    }

    /// The types of the columns of a relation.
    pub(crate) fn columns(&self) -> Option<&Arc<[Type]>> {
        match self {
            Type::Collection(kind, parts) if kind.form() == MemberForm::Tuples => Some(parts),
            _ => None,
        }
    }

    /// Returns true if the values are collections of this kind.
    pub(crate) fn is(&self, kind: Collection) -> bool {
        self.collection() == Some(kind)
    }

    /// The common type of two types that fit together: [`Type::Any`] becomes the known type, and a list becomes a
    /// matrix.
    pub(crate) fn join(&self, other: &Type) -> Option<Type> {
        if self == other {
            return Some(self.clone());
        }
        Some(match (self, other) {
            (Type::Any, known) | (known, Type::Any) => known.clone(),
            (Type::Tuple(left), Type::Tuple(right)) => Type::Tuple(join_types(left, right)?),
            (Type::Record(left), Type::Record(right)) => Type::Record(join_fields(left, right)?),
            (Type::Variant(left), Type::Variant(right)) => match (&**left, &**right) {
                // The type of a variant literal has only the alternative of the literal.
                ([(name, ty)], whole) | (whole, [(name, ty)]) if whole.len() != 1 => {
                    let alternative = whole.iter().position(|(other, _)| other == name)?;
                    let mut joined = whole.to_vec();
                    joined[alternative].1 = ty.join(&whole[alternative].1)?;
                    Type::Variant(joined.into())
                }
                _ => Type::Variant(join_fields(left, right)?),
            },
            (Type::Matrix(left), Type::Matrix(right)) => {
                Type::matrix(join_indices(&left[0], &right[0])?, left[1].join(&right[1])?)
            }
            (Type::Matrix(matrix), Type::List(element)) | (Type::List(element), Type::Matrix(matrix)) => {
                Type::matrix(matrix[0].clone(), matrix[1].join(element)?)
            }
            (Type::List(left), Type::List(right)) => Type::List(Arc::new(left.join(right)?)),
            (Type::Collection(kind, left), Type::Collection(other, right)) if kind == other => {
                match (&**left, &**right) {
                    // The type of an empty collection has one open part.
                    ([Type::Any], known) | (known, [Type::Any]) => Type::of(*kind, known),
                    _ => Type::Collection(*kind, join_types(left, right)?),
                }
            }
            (Type::Domain(left), Type::Domain(right)) => Type::Domain(Arc::new(left.join(right)?)),
            _ => return None,
        })
    }

    /// The type of the values that a generator over such a collection yields; `None` if it is not a collection.
    pub(crate) fn member(&self) -> Option<Type> {
        self.member_indexed_by(Type::INT)
    }

    /// The type of the members; the positions of a sequence have type `place`.
    pub(crate) fn member_indexed_by(&self, place: Type) -> Option<Type> {
        Some(match self {
            Type::Any => Type::Any,
            Type::Matrix(parts) => parts[1].clone(),
            Type::List(inner) => Type::clone(inner),
            Type::Collection(kind, parts) => kind.form().member(parts, place),
            _ => return None,
        })
    }

    /// The type of the members as a literal lists them: without the positions of a sequence.
    pub(crate) fn listed_member(&self) -> Option<Type> {
        match self {
            Type::Collection(kind, parts) if kind.form() == MemberForm::Positions => Some(parts[0].clone()),
            _ => self.member(),
        }
    }

    /// The types of the arguments and the images of a function, or of the indices and elements of a matrix.
    pub(crate) fn as_map(&self) -> Option<(&Type, &Type)> {
        match self {
            Type::Matrix(parts) => Some((&parts[0], &parts[1])),
            Type::Collection(kind, parts) if kind.form() == MemberForm::Pairs => Some((&parts[0], &parts[1])),
            _ => None,
        }
    }

    /// The type of a relation's tuples, from the types of its columns.
    pub(crate) fn of_tuple(columns: &Arc<[Type]>) -> Type {
        if let [Type::Any] = **columns { Type::Any } else { Type::Tuple(columns.clone()) }
    }

    /// Returns true if the type contains members of an unnamed type.
    pub(crate) fn mentions_unnamed(&self) -> bool {
        self.mentions(&|ty| matches!(ty, Type::Named(named) if named.unnamed))
    }

    /// Returns true if the type contains a type with this property.
    pub(crate) fn mentions(&self, such: &dyn Fn(&Type) -> bool) -> bool {
        let mut found = such(self);
        self.for_each_part(&mut |part| found = found || part.mentions(such));
        found
    }

    /// Returns true if the type contains integers, as far as it is known.
    pub(crate) fn mentions_number(&self) -> bool {
        self.mentions(&|ty| matches!(ty, Type::Int(_) | Type::Any))
    }

    /// Returns true if the type contains a variant.
    pub(crate) fn mentions_variant(&self) -> bool {
        self.mentions(&|ty| matches!(ty, Type::Variant(_)))
    }

    /// Returns true if the type is a collection or contains one.
    pub(crate) fn mentions_collection(&self) -> bool {
        self.mentions(&|ty| matches!(ty, Type::Collection(..)))
    }

    /// Calls `visit` for the type and for all types in it.
    pub(crate) fn for_each_inside(&self, visit: &mut dyn FnMut(&Type)) {
        visit(self);
        self.for_each_part(&mut |part| part.for_each_inside(visit));
    }

    /// Calls `visit` for each type that is directly a part of this one.
    pub(crate) fn for_each_part(&self, visit: &mut dyn FnMut(&Type)) {
        match self {
            Type::Any | Type::Bool | Type::Int(_) | Type::Named(_) => {}
            Type::Tuple(items) | Type::Matrix(items) | Type::Collection(_, items) => items.iter().for_each(visit),
            Type::Record(fields) | Type::Variant(fields) => fields.iter().for_each(|(_, ty)| visit(ty)),
            Type::List(inner) | Type::Domain(inner) => visit(inner),
        }
    }

    /// The type with each of its direct parts converted.
    pub(crate) fn map_parts(&self, convert: &dyn Fn(&Type) -> Type) -> Type {
        let all = |items: &[Type]| items.iter().map(convert).collect();
        let fields = |fields: &[(Name, Type)]| fields.iter().map(|(name, ty)| (name.clone(), convert(ty))).collect();
        match self {
            Type::Any | Type::Bool | Type::Int(_) | Type::Named(_) => self.clone(),
            Type::Tuple(items) => Type::Tuple(all(items)),
            Type::Matrix(items) => Type::Matrix(all(items)),
            Type::Collection(kind, items) => Type::Collection(*kind, all(items)),
            Type::Record(items) => Type::Record(fields(items)),
            Type::Variant(items) => Type::Variant(fields(items)),
            Type::List(inner) => Type::List(Arc::new(convert(inner))),
            Type::Domain(inner) => Type::Domain(Arc::new(convert(inner))),
        }
    }
}

fn join_types(left: &[Type], right: &[Type]) -> Option<Arc<[Type]>> {
    if left.len() != right.len() {
        return None;
    }
    left.iter().zip(right).map(|(left, right)| left.join(right)).collect()
}

/// Joins the types of two lists of fields, which are in the same order.
fn join_fields(left: &[(Name, Type)], right: &[(Name, Type)]) -> Option<Arc<[(Name, Type)]>> {
    if left.len() != right.len() {
        return None;
    }
    let pairs = left.iter().zip(right);
    pairs.map(|(left, right)| (left.0 == right.0).then_some((left.0.clone(), left.1.join(&right.1)?))).collect()
}

/// A literal without an index domain is indexed by integers, but may be used as a matrix indexed by Booleans.
fn join_indices(left: &Type, right: &Type) -> Option<Type> {
    match (left, right) {
        (Type::Bool, Type::Int(int)) | (Type::Int(int), Type::Bool) if int.tag.is_none() => Some(Type::Bool),
        _ => left.join(right),
    }
}

/// Writes the type as a user would: `function (int, int) --> bool`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list(f: &mut fmt::Formatter<'_>, items: &[Type], separator: &str) -> fmt::Result {
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    f.write_str(separator)?;
                }
                write!(f, "{item}")?;
            }
            Ok(())
        }
        fn fields(f: &mut fmt::Formatter<'_>, word: &str, fields: &[(Name, Type)]) -> fmt::Result {
            write!(f, "{word} {{")?;
            for (position, (name, ty)) in fields.iter().enumerate() {
                write!(f, "{}{name} : {ty}", if position > 0 { ", " } else { "" })?;
            }
            f.write_str("}")
        }
        match self {
            Type::Any => f.write_str("?"),
            Type::Bool => f.write_str("bool"),
            Type::Int(IntType { tag: None, .. }) => f.write_str("int"),
            Type::Int(IntType { tag: Some(tag), .. }) => write!(f, "int:{tag}"),
            Type::Named(named) => f.write_str(&named.name),
            Type::Tuple(items) => {
                f.write_str(if items.len() < 2 { "tuple (" } else { "(" })?;
                list(f, items, ", ")?;
                f.write_str(")")
            }
            Type::Record(items) => fields(f, "record", items),
            Type::Variant(items) => fields(f, "variant", items),
            Type::Matrix(parts) => {
                write!(f, "matrix indexed by [{}", parts[0])?;
                let mut element = &parts[1];
                while let Type::Matrix(inner) = element {
                    write!(f, ", {}", inner[0])?;
                    element = &inner[1];
                }
                write!(f, "] of {element}")
            }
            Type::List(inner) => write!(f, "list of {inner}"),
            Type::Collection(kind, parts) => {
                let (before, separator, after) = kind.row().notation();
                write!(f, "{kind}{before}")?;
                list(f, parts, separator)?;
                f.write_str(after)
            }
            Type::Domain(inner) => write!(f, "domain of {inner}"),
        }
    }
}
