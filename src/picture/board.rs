//! Grids: matrices, functions on pairs, tables, chessboards.

use super::{
    Cell, Directive, Grid, Sign, Style, Sums,
    choose::{Scene, Seen, cell, image},
    comment::{Role, cells},
};
use crate::language::{GroundDomain, Type, Value};

/// What stands in a cell of a table, and what is said of it.
type Entry = (String, Option<String>);

impl Scene<'_> {
    /// Rows and columns of a two-dimensional value, with what is drawn into them.
    pub(super) fn grid(&mut self, seen: &Seen, directive: &Directive) -> Option<Grid> {
        let (rows, columns) = axes(seen)?;
        let (row_type, column_type) = cells(seen.ty)?;
        let hints = self.named(directive.overlay(Role::Hints));
        let element = element_type(seen.ty);
        let draw = |row: &Value, column: &Value| {
            let Some(value) = at(seen.value, row, column) else { return Cell::default() };
            let given = hints.as_ref().is_some_and(|(hints, _)| at(hints, row, column).as_ref() == Some(&value));
            let lines = match (&value, &element) {
                (Value::Bool(true), _) => vec!["●".to_owned()],
                (Value::Bool(false), _) => Vec::new(),
                _ => vec![self.show(&value, &element)],
            };
            Cell { lines, given, tone: None }
        };
        let rows_of_cells = rows.iter().map(|row| columns.iter().map(|column| draw(row, column)).collect()).collect();
        let mut grid = Grid::of_rows(rows_of_cells)?;
        grid.row_names = self.axis_names(&rows, &row_type);
        grid.column_names = self.axis_names(&columns, &column_type);
        if grid.row_names.is_empty() != grid.column_names.is_empty() {
            // Either both axes have names, or none.
            grid.row_names = rows.iter().map(|row| self.show(row, &row_type)).collect();
            grid.column_names = columns.iter().map(|column| self.show(column, &column_type)).collect();
        }
        if let Some((signs, Type::Relation(sides))) = self.named(directive.overlay(Role::Signs)) {
            let (signs, others) = neighbours(&signs, &rows, &columns);
            grid.signs = signs;
            let note = |pair: &&Value| match pair {
                Value::Tuple(cells) => {
                    format!("{} < {}", self.show(&cells[0], &sides[0]), self.show(&cells[1], &sides[1]))
                }
                _ => String::new(),
            };
            grid.notes = others.iter().map(note).collect();
        }
        if let Some((Value::Int(size), _)) = self.named(directive.overlay(Role::Blocks)) {
            grid.block = usize::try_from(size).unwrap_or(0);
        }
        if directive.overlay(Role::Sums).is_some() {
            grid.sums = sums(seen.value, &rows, &columns);
        }
        Some(grid)
    }

    /// The names of rows or columns that are not just counted from 1.
    fn axis_names(&self, values: &[Value], ty: &Type) -> Vec<String> {
        let counted = values.iter().zip(1..).all(|(value, number)| *value == Value::Int(number));
        match ty {
            Type::Int(_) if counted => Vec::new(),
            _ => values.iter().map(|value| self.show(value, ty)).collect(),
        }
    }

    /// One row: the elements of a list, or the images of a function, below their indices.
    pub(super) fn row(&self, seen: &Seen) -> Option<Grid> {
        let (from, to) = map_types(seen.ty)?;
        let entries = self.arguments(seen)?;
        let cells = entries.iter().map(|(_, value)| self.cell_of(value.as_ref(), &to)).collect();
        let mut grid = Grid::of_rows(vec![cells])?;
        grid.column_names = entries.iter().map(|(key, _)| self.show(key, &from)).collect();
        Some(grid)
    }

    /// A line for each argument of a function, with the components of its image.
    pub(super) fn entries(&self, seen: &Seen) -> Option<Grid> {
        let (from, to) = map_types(seen.ty)?;
        let entries = self.arguments(seen)?;
        let components: Vec<(String, Type)> = match &to {
            Type::Record(fields) => fields.iter().map(|(name, ty)| (name.to_string(), ty.clone())).collect(),
            Type::Tuple(items) => items.iter().map(|ty| (String::new(), ty.clone())).collect(),
            ty => vec![(String::new(), ty.clone())],
        };
        let line = |(_, value): &(Value, Option<Value>)| match (value, &to) {
            (Some(Value::Tuple(items)), Type::Tuple(_) | Type::Record(_)) => {
                items.iter().zip(&components).map(|(item, (_, ty))| self.cell_of(Some(item), ty)).collect()
            }
            (value, _) => components.iter().map(|(_, ty)| self.cell_of(value.as_ref(), ty)).collect(),
        };
        let mut grid = Grid::of_rows(entries.iter().map(line).collect())?;
        grid.row_names = entries.iter().map(|(key, _)| self.show(key, &from)).collect();
        if matches!(to, Type::Record(_)) {
            grid.column_names = components.into_iter().map(|(name, _)| name).collect();
        }
        Some(grid)
    }

    /// What stands where: rows and columns are the components of the images, and the arguments stand in the cells.
    pub(super) fn table(&mut self, seen: &Seen, directive: Option<&Directive>) -> Option<Grid> {
        let (from, to) = map_types(seen.ty)?;
        let labels = self.named(directive.and_then(|directive| directive.overlay(Role::Labels)));
        let image_domain = match seen.domain {
            GroundDomain::Function(_, _, to) => to,
            GroundDomain::Matrix(_, element) => element,
            _ => return None,
        };
        let (types, domains): (Vec<Type>, Vec<&GroundDomain>) = match (&to, &**image_domain) {
            (Type::Tuple(types), GroundDomain::Tuple(domains)) if types.len() == 2 => {
                (types.to_vec(), domains.iter().collect())
            }
            (ty, domain) => (vec![ty.clone()], vec![domain]),
        };
        let values: Vec<Vec<Value>> = domains.iter().map(|domain| few_members(domain)).collect::<Option<_>>()?;
        let columns = values.get(1).map_or(1, Vec::len);
        // All labels, so that the same one has the same colour in every solution.
        let mut legend: Vec<String> = match &labels {
            Some((labels @ (Value::Function(_) | Value::Matrix(_)), Type::Function(sides) | Type::Matrix(sides))) => {
                let mut images: Vec<Value> =
                    self.arguments(seen)?.iter().filter_map(|(key, _)| image(labels, key).cloned()).collect();
                images.sort_unstable();
                images.dedup();
                images.iter().map(|label| self.show(label, &sides.1)).collect()
            }
            _ => Vec::new(),
        };
        legend.dedup();
        let mut entries: Vec<Vec<Vec<Entry>>> = vec![vec![Vec::new(); columns]; values[0].len()];
        for (key, place) in self.arguments(seen)? {
            let position = |value: &Value, axis: usize| values[axis].iter().position(|other| other == value);
            let (row, column) = match &place {
                Some(Value::Tuple(items)) if types.len() == 2 => (position(&items[0], 0), position(&items[1], 1)),
                Some(value) => (position(value, 0), Some(0)),
                None => continue,
            };
            let label = match &labels {
                Some((labels, Type::Function(sides) | Type::Matrix(sides))) => {
                    image(labels, &key).map(|label| self.show(label, &sides.1))
                }
                _ => None,
            };
            entries[row?][column?].push((self.show(&key, &from), label));
        }
        let cell = |entries: &Vec<Entry>| match &entries[..] {
            // One alone gets the colour of its label.
            [(name, Some(label))] => {
                let tone = legend.iter().position(|known| known == label);
                Cell { lines: vec![name.clone(), label.clone()], tone, given: false }
            }
            several => {
                let line = |(name, label): &Entry| match label {
                    Some(label) => format!("{name} ({label})"),
                    None => name.clone(),
                };
                Cell { lines: several.iter().map(line).collect(), ..Cell::default() }
            }
        };
        let mut grid = Grid::of_rows(entries.iter().map(|row| row.iter().map(&cell).collect()).collect())?;
        grid.legend = legend;
        let names = |axis: usize| values[axis].iter().map(|value| self.show(value, &types[axis])).collect();
        grid.row_names = names(0);
        if types.len() == 2 {
            grid.column_names = names(1);
        }
        Some(grid)
    }

    /// Queens on a board: one in each row, or wherever a cell is true or not 0.
    pub(super) fn chessboard(&self, seen: &Seen) -> Option<Grid> {
        let queen = |there: bool| if there { cell("♛".to_owned()) } else { Cell::default() };
        let rows = match axes(seen) {
            Some((rows, columns)) => {
                let there = |row: &Value, column: &Value| {
                    at(seen.value, row, column)
                        .is_some_and(|value| !matches!(value, Value::Bool(false) | Value::Int(0)))
                };
                rows.iter().map(|row| columns.iter().map(|column| queen(there(row, column))).collect()).collect()
            }
            None => {
                let image_domain = match seen.domain {
                    GroundDomain::Function(_, _, to) => to,
                    GroundDomain::Matrix(_, element) => element,
                    _ => return None,
                };
                let columns = few_members(image_domain)?;
                let row = |(_, place): (Value, Option<Value>)| {
                    columns.iter().map(|column| queen(place.as_ref() == Some(column))).collect()
                };
                self.arguments(seen)?.into_iter().map(row).collect()
            }
        };
        let mut grid = Grid::of_rows(rows)?;
        grid.style = Style::Chessboard;
        Some(grid)
    }

    /// A relation of two columns, with a dot for each pair that is in it.
    pub(super) fn incidence(&self, seen: &Seen) -> Option<Grid> {
        let (rows, columns) = axes(seen)?;
        let (row_type, column_type) = cells(seen.ty)?;
        let dot = |row: &Value, column: &Value| match at(seen.value, row, column) {
            Some(Value::Bool(true)) => cell("●".to_owned()),
            _ => Cell::default(),
        };
        let mut grid =
            Grid::of_rows(rows.iter().map(|row| columns.iter().map(|column| dot(row, column)).collect()).collect())?;
        grid.row_names = rows.iter().map(|row| self.show(row, &row_type)).collect();
        grid.column_names = columns.iter().map(|column| self.show(column, &column_type)).collect();
        Some(grid)
    }

    /// A line for each tuple of a relation.
    pub(super) fn tuples(&self, seen: &Seen) -> Option<Grid> {
        let (Value::Relation(tuples), Type::Relation(types)) = (seen.value, seen.ty) else { return None };
        let line = |tuple: &Value| match tuple {
            Value::Tuple(items) => {
                items.iter().zip(types.iter()).map(|(item, ty)| self.cell_of(Some(item), ty)).collect()
            }
            _ => Vec::new(),
        };
        Grid::of_rows(tuples.iter().map(line).collect())
    }

    fn cell_of(&self, value: Option<&Value>, ty: &Type) -> Cell {
        value.map_or_else(Cell::default, |value| cell(self.show(value, ty)))
    }
}

/// The types of the arguments and images of a function, a matrix or a sequence.
fn map_types(ty: &Type) -> Option<(Type, Type)> {
    match ty {
        Type::Matrix(types) | Type::Function(types) => Some((types.0.clone(), types.1.clone())),
        Type::Sequence(inner) => Some((Type::INT, Type::clone(inner))),
        _ => None,
    }
}

fn element_type(ty: &Type) -> Type {
    match ty {
        Type::Matrix(rows) => match &rows.1 {
            Type::Matrix(columns) => columns.1.clone(),
            _ => Type::Any,
        },
        Type::Function(sides) => sides.1.clone(),
        _ => Type::Bool,
    }
}

/// The members of a domain, if they are few enough for rows or columns.
fn few_members(domain: &GroundDomain) -> Option<Vec<Value>> {
    domain.size().is_some_and(|size| size <= 500).then(|| domain.members().collect())
}

/// The values of the rows and of the columns.
fn axes(seen: &Seen) -> Option<(Vec<Value>, Vec<Value>)> {
    match (seen.value, seen.domain) {
        (Value::Matrix(rows), _) => match rows.elements.first()? {
            Value::Matrix(first) => Some((rows.index.members().collect(), first.index.members().collect())),
            _ => None,
        },
        (_, GroundDomain::Function(_, from, _)) => match &**from {
            GroundDomain::Tuple(items) if items.len() == 2 => Some((few_members(&items[0])?, few_members(&items[1])?)),
            _ => None,
        },
        (_, GroundDomain::Relation(_, columns)) if columns.len() == 2 => {
            Some((few_members(&columns[0])?, few_members(&columns[1])?))
        }
        _ => None,
    }
}

/// The value in a cell; that of a cell of a relation is whether it is in.
fn at(grid: &Value, row: &Value, column: &Value) -> Option<Value> {
    let pair = || Value::tuple([row.clone(), column.clone()]);
    match grid {
        Value::Matrix(_) => image(image(grid, row)?, column).cloned(),
        Value::Function(_) => image(grid, &pair()).cloned(),
        Value::Relation(tuples) => Some(Value::Bool(tuples.binary_search(&pair()).is_ok())),
        _ => None,
    }
}

/// The pairs of cells that are neighbours, as signs between them, and the other pairs.
fn neighbours<'a>(signs: &'a Value, rows: &[Value], columns: &[Value]) -> (Vec<Sign>, Vec<&'a Value>) {
    let Value::Relation(pairs) = signs else { return Default::default() };
    let place = |cell: &Value| match cell {
        Value::Tuple(items) => Some((
            rows.iter().position(|row| *row == items[0])?,
            columns.iter().position(|column| *column == items[1])?,
        )),
        _ => None,
    };
    let sign = |pair: &Value| {
        let Value::Tuple(sides) = pair else { return None };
        let (smaller, greater) = (place(&sides[0])?, place(&sides[1])?);
        let less = smaller < greater;
        let ((row, column), next) = if less { (smaller, greater) } else { (greater, smaller) };
        match next {
            _ if next == (row, column + 1) => Some(Sign { row, column, below: false, less }),
            _ if next == (row + 1, column) => Some(Sign { row, column, below: true, less }),
            _ => None,
        }
    };
    let mut others = Vec::new();
    let mut found = Vec::new();
    for pair in pairs.iter() {
        match sign(pair) {
            Some(sign) => found.push(sign),
            None => others.push(pair),
        }
    }
    (found, others)
}

fn sums(grid: &Value, rows: &[Value], columns: &[Value]) -> Option<Sums> {
    let number = |row: &Value, column: &Value| match at(grid, row, column) {
        Some(Value::Int(value)) => Some(value),
        Some(Value::Bool(value)) => Some(i64::from(value)),
        _ => None,
    };
    let total = |cells: Vec<(&Value, &Value)>| -> Option<i64> {
        cells.into_iter().try_fold(0i64, |sum, (row, column)| sum.checked_add(number(row, column)?))
    };
    let of_row = |row| total(columns.iter().map(|column| (row, column)).collect());
    let of_column = |column| total(rows.iter().map(|row| (row, column)).collect());
    let falling = || total(rows.iter().zip(columns).collect());
    let rising = || total(rows.iter().rev().zip(columns).collect());
    Some(Sums {
        rows: rows.iter().map(of_row).collect::<Option<_>>()?,
        columns: columns.iter().map(of_column).collect::<Option<_>>()?,
        diagonals: if rows.len() == columns.len() { falling().zip(rising()) } else { None },
    })
}
