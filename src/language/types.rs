//! Types: domains without their bounds and attributes.

use super::Name;
use std::{fmt, rc::Rc};

/// An enumerated or unnamed type. Its `id` tells it from others; the number of its members is known
/// only in an instance, because a parameter file may hold it.
#[derive(Clone, Debug)]
pub struct NamedType {
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// The type of what is not known yet or was wrong already: it fits everything, so that an empty
    /// literal gets its type from its surroundings and one mistake is reported once.
    Any,
    Bool,
    /// Integers, possibly tagged (`int:A`): different tags are different types.
    Int(Option<Name>),
    Named(NamedType),
    Tuple(Rc<[Type]>),
    /// Fields sorted by name.
    Record(Rc<[(Name, Type)]>),
    /// Alternatives in the order of their declaration.
    Variant(Rc<[(Name, Type)]>),
    /// Index type and element type.
    Matrix(Rc<(Type, Type)>),
    /// A comprehension's result: fits a matrix with any integer index, a sequence, too.
    List(Rc<Type>),
    Set(Rc<Type>),
    MSet(Rc<Type>),
    Function(Rc<(Type, Type)>),
    Sequence(Rc<Type>),
    Relation(Rc<[Type]>),
    Partition(Rc<Type>),
    Permutation(Rc<Type>),
    /// A domain used as an operand, as in `|D|` and `max(D)`.
    Domain(Rc<Type>),
}

impl Type {
    pub const INT: Type = Type::Int(None);

    /// Ordered by `<`: bool, int, enum.
    pub fn is_ordered(&self) -> bool {
        match self {
            Type::Any | Type::Bool | Type::Int(_) => true,
            Type::Named(named) => !named.unnamed,
            _ => false,
        }
    }
}

/// As a user would write it: `function (int, int) --> bool`.
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
            Type::Int(None) => f.write_str("int"),
            Type::Int(Some(tag)) => write!(f, "int:{tag}"),
            Type::Named(named) => f.write_str(&named.name),
            Type::Tuple(items) => {
                f.write_str(if items.len() < 2 { "tuple (" } else { "(" })?;
                list(f, items, ", ")?;
                f.write_str(")")
            }
            Type::Record(items) => fields(f, "record", items),
            Type::Variant(items) => fields(f, "variant", items),
            Type::Matrix(parts) => {
                write!(f, "matrix indexed by [{}", parts.0)?;
                let mut element = &parts.1;
                while let Type::Matrix(inner) = element {
                    write!(f, ", {}", inner.0)?;
                    element = &inner.1;
                }
                write!(f, "] of {element}")
            }
            Type::List(inner) => write!(f, "list of {inner}"),
            Type::Set(inner) => write!(f, "set of {inner}"),
            Type::MSet(inner) => write!(f, "mset of {inner}"),
            Type::Function(parts) => write!(f, "function {} --> {}", parts.0, parts.1),
            Type::Sequence(inner) => write!(f, "sequence of {inner}"),
            Type::Relation(items) => {
                f.write_str("relation of (")?;
                list(f, items, " * ")?;
                f.write_str(")")
            }
            Type::Partition(inner) => write!(f, "partition from {inner}"),
            Type::Permutation(inner) => write!(f, "permutation of {inner}"),
            Type::Domain(inner) => write!(f, "domain of {inner}"),
        }
    }
}
