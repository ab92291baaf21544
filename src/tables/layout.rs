//! The columns that the rows of a table need for a value of a type.

use super::scalar::CellKind;
use crate::{
    analysis::{model::UnitDirective, units::PartUnits},
    language::{Collection, Type, quotation::unquoted},
};

/// A column that a value needs.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub ty: Type,
    /// The accepted names of the column; the first one is the name of the field.
    pub names: Vec<String>,
    /// True if only a column with one of these names is accepted: the fields of records have no order.
    pub is_field: bool,
    /// True if the column is an argument or an index.
    pub is_key: bool,
    pub kind: CellKind,
}

/// The meaning of the rows of a table for a value.
#[derive(Clone, Debug)]
pub(super) enum RowPlan {
    /// The value is the only row.
    One(Type),
    /// Each row is a member.
    Members(Collection, Type),
    /// Each row is an argument with its image.
    Images(Type, Type),
    /// Each row is an argument with a member of its image.
    Groups(Type, Collection, Type),
    /// Each row has the indices of an element and the element.
    Elements(Vec<Type>, Type),
    /// Each row is an element of a matrix; the indices come from its declaration.
    List(Type),
    /// Each row has the elements for one index, one element per column.
    Grid { labels: Option<(Type, Type)>, element: Type, is_function: bool },
}

/// The type of a member of a collection in a row.
pub(super) fn member_of_rows(kind: Collection, parts: &[Type]) -> Type {
    if kind == Collection::Relation { Type::Tuple(parts.into()) } else { parts[0].clone() }
}

/// Returns true if the members of a collection can be rows.
fn has_rows(kind: Collection) -> bool {
    matches!(kind, Collection::Set | Collection::MSet | Collection::Sequence | Collection::Relation)
}

impl RowPlan {
    /// Returns the plan for values of a type, with a row for each entry; `None` if tables cannot hold such values.
    pub(super) fn of(ty: &Type) -> Option<RowPlan> {
        let plan = match ty {
            Type::Collection(Collection::Function, parts) => match &parts[1] {
                // In a function to collections, each row is a member of an image, so an argument may take several rows.
                Type::Collection(kind, inner) if has_rows(*kind) => {
                    RowPlan::Groups(parts[0].clone(), *kind, member_of_rows(*kind, inner))
                }
                image => RowPlan::Images(parts[0].clone(), image.clone()),
            },
            Type::Collection(kind, parts) if has_rows(*kind) => RowPlan::Members(*kind, member_of_rows(*kind, parts)),
            Type::Matrix(_) => {
                let (mut indices, mut element) = (Vec::new(), ty);
                // The indices of nested matrices form one list.
                while let Type::Matrix(parts) = element {
                    indices.push(parts[0].clone());
                    element = &parts[1];
                }
                RowPlan::Elements(indices, element.clone())
            }
            other => RowPlan::One(other.clone()),
        };
        // Parameter names and units cannot change whether a value fits, so they may be empty.
        plan.leaves("", &[]).is_some().then_some(plan)
    }

    /// Returns the columns of a row; `None` if a part of the value does not fit into cells.
    pub(super) fn leaves(&self, parameter: &str, units: &[UnitDirective]) -> Option<Vec<Leaf>> {
        let mut columns = LeafList { leaves: Vec::new(), parameter, units: PartUnits::of(units, parameter) };
        let fits = match self {
            RowPlan::One(ty) | RowPlan::Members(_, ty) | RowPlan::List(ty) => columns.add_value(ty),
            RowPlan::Images(from, to) | RowPlan::Groups(from, _, to) => columns.add_key(from) && columns.add_value(to),
            RowPlan::Elements(indices, element) => {
                indices.iter().all(|index| columns.add_key(index)) && columns.add_value(element)
            }
            RowPlan::Grid { labels, element, .. } => {
                labels.as_ref().is_none_or(|(row, _)| columns.add_key(row)) && columns.add_value(element)
            }
        };
        fits.then_some(columns.leaves)
    }

    /// Returns the types of the row labels, the column labels and the cells, if the value can be a grid.
    pub(super) fn as_grid(&self) -> Option<(Type, Type, Type, bool)> {
        let scalar = |ty: &Type| matches!(ty, Type::Bool | Type::Int(_) | Type::Named(_));
        let (row, column, element, is_function) = match self {
            RowPlan::Elements(indices, element) => match indices.as_slice() {
                [row, column] => (row, column, element, false),
                _ => return None,
            },
            RowPlan::Images(Type::Tuple(arguments), image) => match &arguments[..] {
                [row, column] => (row, column, image, true),
                _ => return None,
            },
            _ => return None,
        };
        let are_scalar = [row, column, element].into_iter().all(scalar);
        are_scalar.then(|| (row.clone(), column.clone(), element.clone(), is_function))
    }
}

struct LeafList<'a> {
    leaves: Vec<Leaf>,
    parameter: &'a str,
    units: PartUnits,
}

impl LeafList<'_> {
    fn add_key(&mut self, ty: &Type) -> bool {
        let outer = self.units.enter_argument();
        let fits = self.add(ty, &[], false, true);
        self.units.leave(outer);
        fits
    }

    /// Adds the columns of the value itself. A single column may have the name of the parameter.
    fn add_value(&mut self, ty: &Type) -> bool {
        self.add(ty, &[self.parameter.to_owned()], false, false)
    }

    fn add(&mut self, ty: &Type, names: &[String], is_field: bool, is_key: bool) -> bool {
        let mut names = names.to_vec();
        match ty {
            Type::Bool | Type::Int(_) | Type::Named(_) => {
                if let (Type::Named(named), false) = (ty, is_field) {
                    // A column of members is often named after their type.
                    names.push(named.name.to_string());
                }
                let kind = match (ty, self.units.unit()) {
                    (Type::Int(_), Some(unit)) => CellKind::Unit(unit),
                    _ => CellKind::Plain,
                };
                self.leaves.push(Leaf { ty: ty.clone(), names, is_field, is_key, kind });
                true
            }
            Type::Tuple(types) => {
                // The number of a component only selects a unit. A column name such as `1` could also be a value in the
                // first row.
                (1..).zip(types.iter()).all(|(at, ty)| self.part(&i32::to_string(&at), ty, &[], false, is_key))
            }
            Type::Record(fields) | Type::Variant(fields) => fields.iter().all(|(name, ty)| {
                let name = unquoted(name).into_owned();
                self.part(&name, ty, std::slice::from_ref(&name), true, is_key)
            }),
            _ => false,
        }
    }

    fn part(&mut self, part: &str, ty: &Type, names: &[String], is_field: bool, is_key: bool) -> bool {
        let outer = self.units.enter(part);
        let fits = self.add(ty, names, is_field, is_key);
        self.units.leave(outer);
        fits
    }
}

/// The number of columns for a value of a type.
pub(super) fn width(ty: &Type) -> usize {
    match ty {
        Type::Tuple(types) => types.iter().map(width).sum(),
        Type::Record(fields) | Type::Variant(fields) => fields.iter().map(|(_, ty)| width(ty)).sum(),
        _ => 1,
    }
}
