//! Writes values as tables, in the layouts that [`super::read`] reads.

use super::{
    columns::is_called,
    layout::{Leaf, RowPlan},
    scalar::{self, CellKind},
    text::TableCell,
};
use crate::{
    analysis::model::UnitDirective,
    language::{Type, Value, print::MemberNames, quotation::unquoted},
};

/// The layouts of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableLayout {
    /// A row for each entry.
    #[default]
    Long,
    /// A row for each value of the first index or argument, and a column for each value of the second one. Other values
    /// are written as in [`TableLayout::Long`].
    Wide,
}

/// Returns a value as a table with the names of the columns in its first row; `None` if tables cannot hold such values.
pub(crate) fn write_table(
    name: &str,
    value: &Value,
    ty: &Type,
    names: &MemberNames,
    units: &[UnitDirective],
    layout: TableLayout,
) -> Option<Vec<Vec<TableCell>>> {
    let plan = RowPlan::of(ty)?;
    let leaves = plan.leaves(name, units)?;
    let writer = TableWriter { names, parameter: [unquoted(name).into_owned()], leaves };
    let grid = plan.as_grid().filter(|_| layout == TableLayout::Wide);
    let grid = grid.and_then(|(row, column, element, _)| writer.grid(value, &row, &column, &element));
    let rows = grid.unwrap_or_else(|| writer.rows(&plan, value));
    // A cell that consists of blanks would be read as empty.
    let is_blank = |cell: &TableCell| matches!(cell, TableCell::Text(text) if text.trim().is_empty());
    (!rows.iter().flatten().any(is_blank)).then_some(rows)
}

struct TableWriter<'a> {
    names: &'a MemberNames,
    parameter: [String; 1],
    leaves: Vec<Leaf>,
}

impl TableWriter<'_> {
    /// Returns names for the columns that cannot be read as values.
    fn header(&self) -> Vec<TableCell> {
        let keys = self.leaves.iter().filter(|leaf| leaf.is_key).count();
        let name = |(at, leaf): (usize, &Leaf)| {
            let general = match (leaf.is_key, keys) {
                (true, 1) => "key".to_owned(),
                (true, _) => format!("key {}", at + 1),
                (false, _) => format!("value {}", at + 1 - keys),
            };
            // Tries `key_`, `key__`, … until the name is not a value.
            let longer = std::iter::successors(Some(general), |name| Some(format!("{name}_")));
            let names = leaf.names.iter().cloned().chain(longer);
            names.into_iter().find(|name| leaf.is_field || !self.is_value(name, &leaf.ty)).unwrap_or_default()
        };
        self.leaves.iter().enumerate().map(name).map(TableCell::Text).collect()
    }

    /// Returns true if a text could be read as a value of a type.
    fn is_value(&self, text: &str, ty: &Type) -> bool {
        match ty {
            Type::Named(named) => self.names.is_member_of(named, text),
            Type::Bool => scalar::parse_boolean(text).is_ok(),
            _ => text.parse::<i64>().is_ok(),
        }
    }

    fn rows(&self, plan: &RowPlan, value: &Value) -> Vec<Vec<TableCell>> {
        let mut rows = vec![self.header()];
        let mut add = |parts: &[(&Value, &Type)]| {
            let mut row = Vec::new();
            parts.iter().for_each(|(value, ty)| self.add(value, ty, &mut row));
            rows.push(row);
        };
        match plan {
            RowPlan::One(ty) => add(&[(value, ty)]),
            RowPlan::Members(_, ty) => value.items().iter().for_each(|member| add(&[(member, ty)])),
            RowPlan::Images(from, to) => value.pairs().iter().for_each(|(key, image)| add(&[(key, from), (image, to)])),
            RowPlan::Groups(from, _, to) => {
                for (key, members) in value.pairs() {
                    members.items().iter().for_each(|member| add(&[(key, from), (member, to)]));
                    // A row without a member is the only trace of an argument with an empty image.
                    if members.items().is_empty() {
                        add(&[(key, from)]);
                    }
                }
            }
            RowPlan::Elements(indices, element) => {
                let mut entries = Vec::new();
                elements(value, indices.len(), &mut Vec::new(), &mut entries);
                for (at, value) in &entries {
                    let keys = at.iter().zip(indices).chain([(value, element)]);
                    add(&keys.collect::<Vec<_>>());
                }
            }
            RowPlan::List(_) | RowPlan::Grid { .. } => {}
        }
        // The row for an empty image is shorter than the others.
        let width = self.leaves.len();
        rows.iter_mut().for_each(|row| row.resize(width, TableCell::Empty));
        rows
    }

    /// Appends the cells of a value to a row.
    fn add(&self, value: &Value, ty: &Type, row: &mut Vec<TableCell>) {
        match (value, ty) {
            (Value::Tuple(items), Type::Tuple(types)) => {
                items.iter().zip(types.iter()).for_each(|(item, ty)| self.add(item, ty, row));
            }
            (Value::Tuple(items), Type::Record(fields)) => {
                items.iter().zip(fields.iter()).for_each(|(item, (_, ty))| self.add(item, ty, row));
            }
            (Value::Variant(chosen, inner), Type::Variant(alternatives)) => {
                for (which, (_, ty)) in (0..).zip(alternatives.iter()) {
                    match which == *chosen {
                        true => self.add(inner, ty, row),
                        false => row.resize(row.len() + super::layout::width(ty), TableCell::Empty),
                    }
                }
            }
            _ => {
                let kind = self.leaves.get(row.len()).map_or(CellKind::Plain, |leaf| leaf.kind);
                row.push(self.cell(value, ty, kind));
            }
        }
    }

    fn cell(&self, value: &Value, ty: &Type, kind: CellKind) -> TableCell {
        match (value, ty, kind) {
            (Value::Int(at), Type::Named(named), _) => {
                TableCell::Text(unquoted(&self.names.member(named, *at)).into_owned())
            }
            (Value::Int(steps), _, CellKind::Unit(unit)) => TableCell::Number(unit.shown(*steps)),
            (Value::Int(value), ..) => TableCell::Number(value.to_string()),
            (Value::Bool(value), ..) => TableCell::Number(value.to_string()),
            _ => TableCell::Empty,
        }
    }

    /// Returns a value as a grid; `None` if the grid would be read as a list of entries.
    fn grid(&self, value: &Value, row: &Type, column: &Type, element: &Type) -> Option<Vec<Vec<TableCell>>> {
        let mut entries: Vec<(Vec<Value>, Value)> = Vec::new();
        match value {
            Value::Mapping(_, pairs) => {
                entries.extend(pairs.iter().map(|(key, image)| (key.components().to_vec(), image.clone())));
            }
            _ => elements(value, 2, &mut Vec::new(), &mut entries),
        }
        let side = |at: usize| {
            let mut values: Vec<Value> = entries.iter().map(|(key, _)| key[at].clone()).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        let kind = self.leaves.last().map(|leaf| leaf.kind).unwrap_or_default();
        let (rows, columns) = (side(0), side(1));
        let labels: Vec<TableCell> = columns.iter().map(|label| self.cell(label, column, CellKind::Plain)).collect();
        let is_parameter =
            |label: &TableCell| matches!(label, TableCell::Text(text) if is_called(text, &self.parameter));
        // If there are two columns and the second one has the name of the parameter, the table looks like a list of
        // keys and values.
        if labels.is_empty() || labels.len() == 2 && is_parameter(&labels[1]) {
            return None;
        }
        let mut table: Vec<Vec<TableCell>> = vec![self.header().into_iter().take(1).chain(labels).collect()];
        let mut rest = entries.iter().peekable();
        for label in &rows {
            let mut line = vec![self.cell(label, row, CellKind::Plain)];
            for other in &columns {
                // Entries and labels are both sorted, so one pass is enough. A function may have no entry here.
                let found = rest.next_if(|(key, _)| key[0] == *label && key[1] == *other);
                line.push(found.map_or(TableCell::Empty, |(_, value)| self.cell(value, element, kind)));
            }
            table.push(line);
        }
        Some(table)
    }
}

/// Collects the elements of a matrix with their indices, in the order of the indices.
fn elements(value: &Value, dimensions: usize, at: &mut Vec<Value>, entries: &mut Vec<(Vec<Value>, Value)>) {
    match value {
        Value::Matrix(matrix) if dimensions > 0 => {
            for (index, element) in matrix.index.members().zip(&matrix.elements) {
                at.push(index);
                elements(element, dimensions - 1, at, entries);
                at.pop();
            }
        }
        _ => entries.push((at.clone(), value.clone())),
    }
}
