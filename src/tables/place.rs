//! Finds the cells that the parts of a value came from. For this purpose, the table is read again, so correct tables
//! need no extra memory or time.

use super::{
    cells::TableRow,
    layout::{RowPlan, width},
    read::TableReading,
};
use crate::{
    language::{
        Type, Value,
        domain::ValueStep,
        origin::{ValueOrigin, ValuePlace},
    },
    source::Span,
};
use std::ops::ControlFlow;

impl ValueOrigin for TableReading {
    fn place(&self, value: &Value, path: &[ValueStep]) -> Option<ValuePlace> {
        let mut found = None;
        let mut number = 0;
        self.for_each_row(&mut |row| {
            number += 1;
            match self.columns_of(row, number, value, path) {
                Some((first, count)) => {
                    let columns = &self.found.columns;
                    // In a grid, the leaves are the columns themselves.
                    let at = |leaf: usize| match self.found.labels.is_empty() {
                        true => columns.get(leaf).copied().unwrap_or(leaf),
                        false => leaf,
                    };
                    let last = at(first + count.max(1) - 1);
                    let span: Span = row.span(at(first)).to(row.span(last));
                    let text = self.table.name.to_string();
                    found = Some(ValuePlace { span, words: TableReading::place(self, row, at(first)), text });
                    ControlFlow::Break(())
                }
                None => ControlFlow::Continue(()),
            }
        });
        found
    }
}

impl TableReading {
    /// Returns the leaves of a row to which a path leads: the index of the first one, and their number.
    fn columns_of(&self, row: &TableRow, number: usize, value: &Value, path: &[ValueStep]) -> Option<(usize, usize)> {
        let read = |ty: &Type, leaf: &mut usize| TableReading::value(self, ty, row, leaf, &mut None);
        let (step, rest) = path.split_first()?;
        match (&self.found.plan, step) {
            (RowPlan::One(ty), _) => inside(ty, 0, path),
            (RowPlan::Members(_, ty), ValueStep::Member(wanted)) => {
                // The members of a set are sorted, so a member is found by its value and not by its position.
                (read(ty, &mut 0).as_ref() == Some(wanted)).then(|| inside(ty, 0, rest)).flatten()
            }
            // The members of a sequence are in the order of the rows.
            (RowPlan::Members(_, ty), ValueStep::Place(place)) if *place == number => inside(ty, 0, rest),
            (
                RowPlan::Images(from, to) | RowPlan::Groups(from, _, to),
                ValueStep::Argument(wanted) | ValueStep::Image(wanted),
            ) => {
                let mut leaf = 0;
                if read(from, &mut leaf).as_ref() != Some(wanted) {
                    return None;
                }
                match (step, rest.split_first()) {
                    (ValueStep::Argument(_), _) => inside(from, 0, rest),
                    // The members of an image are in several rows, so only the row with this member fits.
                    (_, Some((ValueStep::Member(member), rest))) if matches!(self.found.plan, RowPlan::Groups(..)) => {
                        let first = leaf;
                        (read(to, &mut leaf).as_ref() == Some(member)).then(|| inside(to, first, rest)).flatten()
                    }
                    _ if matches!(self.found.plan, RowPlan::Groups(..)) => Some((leaf, width(to))),
                    _ => inside(to, leaf, rest),
                }
            }
            (RowPlan::List(ty), ValueStep::Element(index)) => {
                let Value::Matrix(matrix) = value else { return None };
                let at = matrix.index.members().position(|member| member == *index)?;
                (at + 1 == number).then(|| inside(ty, 0, rest)).flatten()
            }
            (RowPlan::Elements(indices, element), ValueStep::Element(_)) => {
                let mut leaf = 0;
                let mut path = path;
                for ty in indices {
                    // If the path has fewer indices than the matrix, it leads to a row of the matrix, which is shown by
                    // its first element.
                    let Some((ValueStep::Element(index), rest)) = path.split_first() else { break };
                    if read(ty, &mut leaf).as_ref() != Some(index) {
                        return None;
                    }
                    path = rest;
                }
                inside(element, indices.len(), path)
            }
            (RowPlan::Grid { labels, .. }, ValueStep::Element(first)) => {
                let labels = labels.as_ref().map(|(ty, _)| ty);
                self.column_of_element(row, number, value, first, rest, labels)
            }
            (RowPlan::Grid { labels: Some((ty, _)), .. }, ValueStep::Argument(wanted) | ValueStep::Image(wanted)) => {
                let [first, second] = wanted.components() else { return None };
                let is_row = self.label_of_row(row, ty).as_ref() == Some(first);
                // The first component of an argument is the label of a row.
                if matches!((step, rest.first()), (ValueStep::Argument(_), Some(ValueStep::Component(0)))) {
                    return is_row.then_some((self.found.offset, 1));
                }
                let at = self.found.labels.iter().position(|label| label == second)?;
                is_row.then_some((at + 1 + self.found.offset, 1))
            }
            _ => None,
        }
    }

    /// Returns the column of an element in the grid of a matrix; `labels` is the type of the row labels.
    fn column_of_element(
        &self,
        row: &TableRow,
        number: usize,
        value: &Value,
        first: &Value,
        rest: &[ValueStep],
        labels: Option<&Type>,
    ) -> Option<(usize, usize)> {
        let is_row = match labels {
            Some(ty) => self.label_of_row(row, ty).as_ref() == Some(first),
            None => {
                let Value::Matrix(matrix) = value else { return None };
                matrix.index.members().position(|member| member == *first) == Some(number - 1)
            }
        };
        let shift = self.found.offset + usize::from(labels.is_some());
        let at = match (rest.first(), value) {
            (Some(ValueStep::Element(second)), _) if labels.is_some() => {
                self.found.labels.iter().position(|label| label == second)?
            }
            (Some(ValueStep::Element(second)), Value::Matrix(matrix)) => match matrix.elements.first()? {
                Value::Matrix(inner) => inner.index.members().position(|member| member == *second)?,
                _ => return None,
            },
            (Some(ValueStep::Element(_)), _) => return None,
            // The path leads to a whole row.
            _ => return is_row.then_some((self.found.offset, 1)),
        };
        is_row.then_some((at + shift, 1))
    }

    /// The label of a row, in the first column of the grid.
    fn label_of_row(&self, row: &TableRow, ty: &Type) -> Option<Value> {
        self.members.value(row.cell(self.found.offset), ty, Default::default()).ok()
    }
}

/// The columns of a part of a value whose first column is `first`.
fn inside(ty: &Type, first: usize, path: &[ValueStep]) -> Option<(usize, usize)> {
    let (at, count) = part_columns(ty, path);
    Some((first + at, count))
}

/// The columns of a part of a value: the offset of the first one, and their number.
fn part_columns(ty: &Type, path: &[ValueStep]) -> (usize, usize) {
    let fields = |types: &[&Type], at: usize, rest: &[ValueStep]| {
        let before: usize = types.iter().take(at).map(|ty| width(ty)).sum();
        let (inner, count) = types.get(at).map_or((0, 1), |ty| part_columns(ty, rest));
        (before + inner, count)
    };
    match (path.split_first(), ty) {
        (Some((ValueStep::Component(at), rest)), Type::Tuple(types)) => {
            fields(&types.iter().collect::<Vec<_>>(), *at, rest)
        }
        (Some((ValueStep::Component(at), rest)), Type::Record(types)) => {
            fields(&types.iter().map(|(_, ty)| ty).collect::<Vec<_>>(), *at, rest)
        }
        (Some((ValueStep::Alternative(at), rest)), Type::Variant(types)) => {
            fields(&types.iter().map(|(_, ty)| ty).collect::<Vec<_>>(), *at as usize, rest)
        }
        _ => (0, width(ty)),
    }
}
