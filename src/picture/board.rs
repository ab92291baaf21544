//! Grids: matrices, functions of pairs, tables and chessboards.

use super::{
    Directive, Grid, GridCell, GridStyle, Region, Sign, Slot, Sums,
    choose::{MOST_UNDEFINED, Scene, ShownPart, image_of_key, keys, left_out, text_cell},
    roles::PictureRole,
    roles::{cell_types, element_type, map_types, region_key},
};
use crate::language::{GroundDomain, MemberForm, PartName, Type, Value};

/// The text of a cell of a table, and an optional label.
type TableEntry = (String, Option<String>);

impl Scene<'_> {
    /// Draws a two-dimensional value as rows and columns, with the overlays that the directive asks for.
    pub(super) fn grid(&mut self, seen: &ShownPart, directive: &Directive) -> Option<Grid> {
        let (rows, columns) = axes(seen)?;
        let (row_type, column_type) = cell_types(seen.ty)?;
        let hints = self.named(directive.overlay(PictureRole::Hints));
        let element = element_type(seen.ty);
        // Members of a type are numbered from the whole type, so they have the same colours in every solution.
        let legend = self.members(&element);
        let size = legend.len();
        let is_relation = seen.ty.columns().is_some();
        let is_truth = is_relation || element == Type::Bool;
        let draw = |row: &Value, column: &Value| {
            let hint = hints.as_ref().and_then(|(hints, _)| value_in_cell(hints, row, column));
            let given = hint.as_ref().map(|hint| self.instance.names.show(hint, &element));
            let slot = self.slot(seen, row, &row_type, column, &column_type, is_truth.then_some("true"));
            let slot = slot.map(|slot| Slot { given, ..slot });
            let Some(value) = value_in_cell(seen.value, row, column) else {
                return GridCell { slot, ..GridCell::default() };
            };
            let given = hint.as_ref() == Some(&value);
            let lines = self.lines_of_cell(&value, &element, is_relation);
            // If there is only one third component, it colours the cell.
            let only = match value.as_set() {
                Some(items) if is_relation && items.len() == 1 => &items[0],
                _ => &value,
            };
            let tone = match only {
                // Members are numbered from 1, but tones from 0.
                Value::Int(member) if size > 0 && lines.len() == 1 => usize::try_from(*member - 1).ok(),
                _ => None,
            };
            GridCell { lines, given, tone, slot }
        };
        let rows_of_cells: Vec<Vec<GridCell>> =
            rows.iter().map(|row| columns.iter().map(|column| draw(row, column)).collect()).collect();
        let mut grid = Grid::of_rows(rows_of_cells)?;
        grid.legend = legend;
        self.name_axes(&mut grid, directive, &rows, &row_type, &columns, &column_type);
        if let Some((regions, ty)) = self.named(directive.overlay(PictureRole::Regions)) {
            let labels = self.named(directive.overlay(PictureRole::Labels));
            grid.regions = self.regions(seen.ty, &regions, &ty, labels, &rows, &columns);
        }
        if let Some((signs, ty)) = self.named(directive.overlay(PictureRole::Signs))
            && let Some(sides) = ty.columns()
        {
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
        let drawn = [rows.len(), columns.len()];
        // For a large domain, `axes` has left out the unused values.
        if let Some((GroundDomain::Tuple(axes), _)) = seen.domain.as_map()
            && drawn.iter().zip(axes.iter()).any(|(drawn, axis)| axis.size() > Some(*drawn as u128))
        {
            grid.notes.push("rows and columns without any value are left out".to_owned());
        }
        if let Some((Value::Int(size), _)) = self.named(directive.overlay(PictureRole::Blocks)) {
            grid.block = usize::try_from(size).unwrap_or(0);
        }
        if directive.overlay(PictureRole::Sums).is_some() {
            let shown = |sum: i64| self.names.number(sum, &element);
            grid.sums = sums(seen.value, &rows, &columns, &shown);
        }
        Some(grid)
    }

    /// The lines in a cell with this value.
    fn lines_of_cell(&self, value: &Value, element: &Type, is_relation: bool) -> Vec<String> {
        match value {
            Value::Bool(true) => vec!["●".to_owned()],
            Value::Bool(false) => Vec::new(),
            // In a relation of three columns, a cell shows the third components of its row and column.
            set if is_relation && let Some(items) = set.as_set() => {
                items.iter().map(|item| self.show(item, element)).collect()
            }
            // A cell shows the members of a set without braces, to save space.
            set if let (Some(ty), Some(items)) = (element.as_set(), set.as_set()) => {
                let members: Vec<String> = items.iter().map(|item| self.show(item, ty)).collect();
                if members.is_empty() { Vec::new() } else { vec![members.join(", ")] }
            }
            _ => vec![self.show(value, element)],
        }
    }

    /// The members of a named type; empty if they are too many for a legend.
    fn members(&self, ty: &Type) -> Vec<String> {
        const MOST: i64 = 10;
        let Type::Named(named) = ty else { return Vec::new() };
        match self.instance.environment.size_of_type(named.id) {
            Some(size) if size <= MOST => (1..=size).map(|member| self.show(&Value::Int(member), ty)).collect(),
            _ => Vec::new(),
        }
    }

    /// Names the rows and columns. If the directive has clues, they are written instead of numbers.
    fn name_axes(
        &mut self,
        grid: &mut Grid,
        directive: &Directive,
        rows: &[Value],
        row_type: &Type,
        columns: &[Value],
        column_type: &Type,
    ) {
        let beside = self.named(directive.overlay(PictureRole::Beside));
        let above = self.named(directive.overlay(PictureRole::Above));
        grid.row_names = self.axis_names(rows, row_type);
        grid.column_names = self.axis_names(columns, column_type);
        let some = |names: &[String], clues: bool| !names.is_empty() || clues;
        if some(&grid.row_names, beside.is_some()) != some(&grid.column_names, above.is_some()) {
            // If one axis has names, the other one gets names, too.
            if grid.row_names.is_empty() && beside.is_none() {
                grid.row_names = rows.iter().map(|row| self.show(row, row_type)).collect();
            }
            if grid.column_names.is_empty() && above.is_none() {
                grid.column_names = columns.iter().map(|column| self.show(column, column_type)).collect();
            }
        }
        let with_clues = |names: &[String], source: Option<(Value, Type)>, axis: &[Value], ty: &Type, gap: &str| {
            let (clues, clue_type) = source?;
            let (_, clue_type) = map_types(&clue_type)?;
            let named = matches!(ty, Type::Named(_));
            let name = |(number, value): (usize, &Value)| {
                let mut parts: Vec<String> =
                    if named { names.get(number).cloned().into_iter().collect() } else { Vec::new() };
                parts.extend(image_of_key(&clues, value).map(|clue| self.parts(clue, &clue_type)).unwrap_or_default());
                parts.join(gap)
            };
            Some(axis.iter().enumerate().map(name).collect::<Vec<_>>())
        };
        if let Some(names) = with_clues(&grid.row_names, beside, rows, row_type, " ") {
            grid.row_names = names;
        }
        if let Some(names) = with_clues(&grid.column_names, above, columns, column_type, "\n") {
            grid.column_names = names;
        }
    }

    /// Returns the items of a list or a tuple one by one, and any other value as a whole.
    fn parts(&self, value: &Value, ty: &Type) -> Vec<String> {
        match (value, ty) {
            (Value::Collection(kind, items), Type::Collection(_, inner)) if kind.form() == MemberForm::Positions => {
                items.iter().map(|item| self.show(item, &inner[0])).collect()
            }
            (Value::Matrix(matrix), Type::Matrix(sides)) => {
                matrix.elements.iter().map(|item| self.show(item, &sides[1])).collect()
            }
            (Value::Tuple(items), Type::Tuple(types)) => {
                items.iter().zip(types.iter()).map(|(item, ty)| self.show(item, ty)).collect()
            }
            _ => vec![self.show(value, ty)],
        }
    }

    /// The regions of a grid, with their labels.
    fn regions(
        &self,
        grid: &Type,
        regions: &Value,
        ty: &Type,
        labels: Option<(Value, Type)>,
        rows: &[Value],
        columns: &[Value],
    ) -> Vec<Region> {
        let Some(key_type) = region_key(grid, ty) else { return Vec::new() };
        let label_of = |key: &Value| match &labels {
            Some((labels, ty)) if let Some((_, to)) = ty.as_map().filter(|(from, _)| **from == key_type) => {
                image_of_key(labels, key).map_or(String::new(), |label| self.show(label, to))
            }
            _ => String::new(),
        };
        let place = |cell: &Value| match cell {
            Value::Tuple(items) => Some((
                rows.iter().position(|row| *row == items[0])?,
                columns.iter().position(|column| *column == items[1])?,
            )),
            _ => None,
        };
        let region = |cells: &Value, label: String| {
            let mut cells: Vec<(usize, usize)> = cells.items().iter().filter_map(place).collect();
            cells.sort_unstable();
            Region { cells, label }
        };
        let mut found: Vec<Region> = match (regions, ty) {
            (Value::Collection(kind, sets), _) if kind.form().is_plain() => {
                sets.iter().map(|set| region(set, label_of(set))).collect()
            }
            (Value::Collection(kind, pairs), Type::Collection(_, types)) if kind.form() == MemberForm::Tuples => {
                let one = |pair: &Value| match pair {
                    Value::Tuple(items) => region(&items[0], self.show(&items[1], &types[1])),
                    _ => region(pair, String::new()),
                };
                pairs.iter().map(one).collect()
            }
            (Value::Mapping(_, pairs), Type::Collection(_, sides)) if sides[0].as_set().is_some() => {
                pairs.iter().map(|(set, label)| region(set, self.show(label, &sides[1]))).collect()
            }
            _ if cell_types(ty) == cell_types(grid) => {
                // The regions are numbers in cells, so cells with the same number form a region.
                let mut by_key: std::collections::BTreeMap<Value, Vec<(usize, usize)>> = Default::default();
                for (row, y) in rows.iter().zip(0..) {
                    for (column, x) in columns.iter().zip(0..) {
                        if let Some(key) = value_in_cell(regions, row, column) {
                            by_key.entry(key).or_default().push((y, x));
                        }
                    }
                }
                by_key.into_iter().map(|(key, cells)| Region { cells, label: label_of(&key) }).collect()
            }
            (map, _) => {
                // The domain of the keys is unknown here, so only arguments with an image are keys.
                let keys = keys(map, &GroundDomain::Bool).unwrap_or_default();
                keys.iter().filter_map(|key| Some(region(image_of_key(map, key)?, label_of(key)))).collect()
            }
        };
        // A region outside the drawn rows and columns has no cells.
        found.retain(|region| !region.cells.is_empty());
        found.sort_by(|left, right| left.cells.cmp(&right.cells));
        found
    }

    /// Draws each cell as a square, which is filled if the cell is true or not 0; a member of a type has its colour.
    pub(super) fn mosaic(&mut self, seen: &ShownPart, directive: &Directive) -> Option<Grid> {
        let (rows, columns) = axes(seen)?;
        let (row_type, column_type) = cell_types(seen.ty)?;
        let legend = self.members(&element_type(seen.ty));
        let has_names = !legend.is_empty();
        let filled = if has_names { None } else { Some(there(seen.ty)) };
        let square = |row: &Value, column: &Value| {
            let slot = self.slot(seen, row, &row_type, column, &column_type, filled);
            let square = match value_in_cell(seen.value, row, column) {
                Some(Value::Int(member)) if has_names => {
                    // Members are numbered from 1, tones from 0.
                    let tone = usize::try_from(member - 1).ok();
                    let lines = tone.and_then(|tone| legend.get(tone)).cloned().into_iter().collect();
                    GridCell { lines, tone, ..GridCell::default() }
                }
                None | Some(Value::Bool(false) | Value::Int(0)) => GridCell::default(),
                Some(set) if set.as_set().is_some_and(|items| items.is_empty()) => GridCell::default(),
                Some(_) => text_cell("█".to_owned()),
            };
            GridCell { slot, ..square }
        };
        let squares = rows.iter().map(|row| columns.iter().map(|column| square(row, column)).collect()).collect();
        let mut grid = Grid::of_rows(squares)?;
        grid.style = GridStyle::Mosaic;
        grid.legend = legend;
        self.name_axes(&mut grid, directive, &rows, &row_type, &columns, &column_type);
        Some(grid)
    }

    /// Returns the names of rows or columns; empty if they are just 1, 2, 3, …
    fn axis_names(&self, values: &[Value], ty: &Type) -> Vec<String> {
        let counted = values.iter().zip(1..).all(|(value, number)| *value == Value::Int(number));
        match ty {
            Type::Int(int) if counted && int.unit.is_none() => Vec::new(),
            _ => values.iter().map(|value| self.show(value, ty)).collect(),
        }
    }

    /// Draws a list or a function as a single row: the elements or images below their indices or arguments.
    pub(super) fn row(&self, seen: &ShownPart) -> Option<Grid> {
        let (from, to) = map_types(seen.ty)?;
        let entries = self.arguments(seen)?;
        let cell = |(key, value): &(Value, Option<Value>)| GridCell {
            slot: Some(part_alone(self.part_at(seen, key, &from))),
            ..self.cell_of(value.as_ref(), &to)
        };
        let cells = entries.iter().map(cell).collect();
        let mut grid = Grid::of_rows(vec![cells])?;
        grid.column_names = entries.iter().map(|(key, _)| self.show(key, &from)).collect();
        grid.notes = left_out(seen);
        Some(grid)
    }

    /// Draws a line for each argument of a function, with the components of its image.
    pub(super) fn entries(&self, seen: &ShownPart) -> Option<Grid> {
        let (from, to) = map_types(seen.ty)?;
        let entries = self.arguments(seen)?;
        let components: Vec<(String, Type)> = match &to {
            Type::Record(fields) => fields.iter().map(|(name, ty)| (name.to_string(), ty.clone())).collect(),
            Type::Tuple(items) => items.iter().map(|ty| (String::new(), ty.clone())).collect(),
            ty => vec![(String::new(), ty.clone())],
        };
        let line = |(key, value): &(Value, Option<Value>)| {
            let whole = self.part_at(seen, key, &from);
            let component = |(position, (field, ty)): (usize, &(String, Type))| {
                let (value, part) = match (value, &to) {
                    (Some(Value::Tuple(items)), Type::Record(_)) => (items.get(position), whole.component(field)),
                    // Essence counts the components of a tuple from 1.
                    (Some(Value::Tuple(items)), Type::Tuple(_)) => (items.get(position), whole.component(position + 1)),
                    (value, _) => (value.as_ref(), whole.clone()),
                };
                GridCell { slot: Some(part_alone(part)), ..self.cell_of(value, ty) }
            };
            components.iter().enumerate().map(component).collect()
        };
        let mut grid = Grid::of_rows(entries.iter().map(line).collect())?;
        grid.row_names = entries.iter().map(|(key, _)| self.show(key, &from)).collect();
        grid.notes = left_out(seen);
        if matches!(to, Type::Record(_)) {
            grid.column_names = components.into_iter().map(|(name, _)| name).collect();
        }
        Some(grid)
    }

    /// Draws a table by image: the components of the images are rows and columns, and the cells contain the arguments.
    pub(super) fn table(&mut self, seen: &ShownPart, directive: Option<&Directive>) -> Option<Grid> {
        let (from, to) = map_types(seen.ty)?;
        let labels = self.named(directive.and_then(|directive| directive.overlay(PictureRole::Labels)));
        let (_, image_domain) = seen.domain.as_map()?;
        let (types, domains): (Vec<Type>, Vec<&GroundDomain>) = match (&to, image_domain) {
            (Type::Tuple(types), GroundDomain::Tuple(domains)) if types.len() == 2 => {
                (types.to_vec(), domains.iter().collect())
            }
            (ty, domain) => (vec![ty.clone()], vec![domain]),
        };
        let values: Vec<Vec<Value>> = domains.iter().map(|domain| listable_members(domain)).collect::<Option<_>>()?;
        let columns = values.get(1).map_or(1, Vec::len);
        // The legend has the labels of all arguments, so that each label has the same colour in every solution.
        let mut legend: Vec<String> = match &labels {
            Some((labels, ty)) if let Some((_, to)) = ty.as_map() => {
                let mut images: Vec<Value> =
                    self.arguments(seen)?.iter().filter_map(|(key, _)| image_of_key(labels, key).cloned()).collect();
                images.sort_unstable();
                images.dedup();
                images.iter().map(|label| self.show(label, to)).collect()
            }
            _ => Vec::new(),
        };
        legend.dedup();
        let mut entries: Vec<Vec<Vec<TableEntry>>> = vec![vec![Vec::new(); columns]; values[0].len()];
        for (key, place) in self.arguments(seen)? {
            let position = |value: &Value, axis: usize| values[axis].iter().position(|other| other == value);
            let (row, column) = match &place {
                Some(Value::Tuple(items)) if types.len() == 2 => (position(&items[0], 0), position(&items[1], 1)),
                Some(value) => (position(value, 0), Some(0)),
                // A partial function may have no image here.
                None => continue,
            };
            let label = match &labels {
                Some((labels, ty)) if let Some((_, to)) = ty.as_map() => {
                    image_of_key(labels, &key).map(|label| self.show(label, to))
                }
                _ => None,
            };
            entries[row?][column?].push((self.show(&key, &from), label));
        }
        let cell = |entries: &Vec<TableEntry>| match &entries[..] {
            // If there is only one entry, its label colours the cell.
            [(name, Some(label))] => {
                let tone = legend.iter().position(|known| known == label);
                GridCell { lines: vec![name.clone(), label.clone()], tone, ..GridCell::default() }
            }
            several => {
                let line = |(name, label): &TableEntry| match label {
                    Some(label) => format!("{name} ({label})"),
                    None => name.clone(),
                };
                GridCell { lines: several.iter().map(line).collect(), ..GridCell::default() }
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

    /// Draws queens on a board: one in each row, or one in each cell that is true or not 0.
    pub(super) fn chessboard(&self, seen: &ShownPart) -> Option<Grid> {
        let queen = |there: bool| if there { text_cell("♛".to_owned()) } else { GridCell::default() };
        let there_value = there(seen.ty);
        let rows = match axes(seen) {
            Some((rows, columns)) => {
                let (row_type, column_type) = cell_types(seen.ty)?;
                let square = |row: &Value, column: &Value| {
                    let value = value_in_cell(seen.value, row, column);
                    let there = value.is_some_and(|value| !matches!(value, Value::Bool(false) | Value::Int(0)));
                    let slot = self.slot(seen, row, &row_type, column, &column_type, Some(there_value));
                    GridCell { slot, ..queen(there) }
                };
                rows.iter().map(|row| columns.iter().map(|column| square(row, column)).collect()).collect()
            }
            None => {
                let (_, image_domain) = seen.domain.as_map()?;
                // In `function int(1..8) --> int(1..8)`, the arguments are the rows, and each image is the column of
                // the queen in its row.
                let columns = listable_members(image_domain)?;
                let (from, to) = map_types(seen.ty)?;
                let row = |(key, place): (Value, Option<Value>)| {
                    let part = self.part_at(seen, &key, &from).to_string();
                    let square = |column: &Value| {
                        let value = Some(self.instance.names.show(column, &to));
                        let slot = Some(Slot { part: part.clone(), value, given: None });
                        GridCell { slot, ..queen(place.as_ref() == Some(column)) }
                    };
                    columns.iter().map(square).collect()
                };
                self.arguments(seen)?.into_iter().map(row).collect()
            }
        };
        let mut grid = Grid::of_rows(rows)?;
        grid.style = GridStyle::Chessboard;
        Some(grid)
    }

    /// Draws a relation of two columns as a grid with a dot for each pair.
    pub(super) fn incidence(&self, seen: &ShownPart) -> Option<Grid> {
        let (rows, columns) = axes(seen)?;
        let (row_type, column_type) = cell_types(seen.ty)?;
        let dot = |row: &Value, column: &Value| match value_in_cell(seen.value, row, column) {
            Some(Value::Bool(true)) => text_cell("●".to_owned()),
            _ => GridCell::default(),
        };
        let square = |row: &Value, column: &Value| {
            let slot = self.slot(seen, row, &row_type, column, &column_type, Some("true"));
            GridCell { slot, ..dot(row, column) }
        };
        let mut grid =
            Grid::of_rows(rows.iter().map(|row| columns.iter().map(|column| square(row, column)).collect()).collect())?;
        grid.row_names = rows.iter().map(|row| self.show(row, &row_type)).collect();
        grid.column_names = columns.iter().map(|column| self.show(column, &column_type)).collect();
        Some(grid)
    }

    /// Draws a line for each tuple of a relation.
    pub(super) fn tuples(&self, seen: &ShownPart) -> Option<Grid> {
        let types = seen.ty.columns()?;
        let line = |tuple: &Value| {
            tuple.components().iter().zip(types.iter()).map(|(item, ty)| self.cell_of(Some(item), ty)).collect()
        };
        Grid::of_rows(seen.value.items().iter().map(line).collect())
    }

    /// The slot of a cell of a grid; `value` is given if the cell shows only whether the part has this value.
    fn slot(
        &self,
        seen: &ShownPart,
        row: &Value,
        row_type: &Type,
        column: &Value,
        column_type: &Type,
        value: Option<&str>,
    ) -> Option<Slot> {
        let pair = || Value::tuple([row.clone(), column.clone()]);
        let pair_type = || Type::Tuple([row_type.clone(), column_type.clone()].into());
        let part = match (seen.ty.columns(), seen.ty.as_map()) {
            (Some(types), _) => {
                // With three columns, a cell shows several tuples, so no single part of the variable belongs to it.
                let [_, _] = types[..] else { return None };
                seen.part.member(&self.instance.names.show(&pair(), &pair_type()))
            }
            (_, Some((Type::Tuple(_), _))) => {
                self.image_part(&seen.part, seen.value, &pair(), &pair_type()).to_string()
            }
            _ => {
                let line = self.image_part(&seen.part, seen.value, row, row_type);
                self.image_part(&line, image_of_key(seen.value, row)?, column, column_type).to_string()
            }
        };
        Some(Slot { part, value: value.map(str::to_owned), given: None })
    }

    fn cell_of(&self, value: Option<&Value>, ty: &Type) -> GridCell {
        value.map_or_else(GridCell::default, |value| text_cell(self.show(value, ty)))
    }
}

/// The slot of a part that a cell shows as a value.
fn part_alone(part: PartName) -> Slot {
    Slot { part: part.to_string(), value: None, given: None }
}

/// The value of an element that means "present".
fn there(grid: &Type) -> &'static str {
    if grid.columns().is_some() || element_type(grid) == Type::Bool { "true" } else { "1" }
}

/// The maximum number of rows or columns. Chosen.
const MOST_NAMES: usize = 500;

/// The members of a domain; `None` if they are too many for rows or columns.
fn listable_members(domain: &GroundDomain) -> Option<Vec<Value>> {
    domain.size().is_some_and(|size| size <= MOST_NAMES as u128).then(|| domain.members().collect())
}

/// The values that label the rows and the columns.
fn axes(seen: &ShownPart) -> Option<(Vec<Value>, Vec<Value>)> {
    match (seen.value, seen.domain) {
        // Both axes are in the arguments only if the function has pairs as arguments.
        (Value::Mapping(_, pairs), domain) if let Some((GroundDomain::Tuple(items), _)) = domain.as_map() => {
            let used = |axis: usize| {
                let part = |key: &Value| match key {
                    Value::Tuple(items) => items.get(axis).cloned(),
                    _ => None,
                };
                ascending(pairs.iter().filter_map(|(key, _)| part(key)).collect())
            };
            match &items[..] {
                [rows, columns] => Some((all_or_used(rows, used(0))?, all_or_used(columns, used(1))?)),
                _ => None,
            }
        }
        (Value::Matrix(_) | Value::Mapping(..), _) => {
            let (_, inner) = seen.domain.as_map()?;
            let rows = keys(seen.value, seen.domain)?;
            let images: Vec<&Value> = rows.iter().filter_map(|row| image_of_key(seen.value, row)).collect();
            // Rows may have different columns, so the grid has the columns of all rows.
            let used = images.iter().map(|image| keys(image, &GroundDomain::Bool)).collect::<Option<Vec<_>>>()?;
            let used = ascending(used.concat());
            let columns = match inner {
                GroundDomain::Collection(kind, _, sides) if kind.form() == MemberForm::Pairs => {
                    all_or_used(&sides[0], used)?
                }
                _ => used,
            };
            (columns.len() <= MOST_NAMES).then_some((rows, columns))
        }
        (Value::Collection(_, tuples), GroundDomain::Collection(kind, _, columns))
            if kind.form() == MemberForm::Tuples && matches!(columns.len(), 2 | 3) =>
        {
            let used = |axis: usize| {
                let part = |tuple: &Value| match tuple {
                    Value::Tuple(items) => items.get(axis).cloned(),
                    _ => None,
                };
                ascending(tuples.iter().filter_map(part).collect())
            };
            Some((all_or_used(&columns[0], used(0))?, all_or_used(&columns[1], used(1))?))
        }
        _ => None,
    }
}

/// All members of a domain, or only the used ones if most members are unused.
fn all_or_used(domain: &GroundDomain, used: Vec<Value>) -> Option<Vec<Value>> {
    let few = domain.size().is_some_and(|size| size <= (used.len() + MOST_UNDEFINED).max(30) as u128);
    // In a sparse domain, the unused rows would hide the others.
    let values = if few { domain.members().collect() } else { used };
    (values.len() <= MOST_NAMES).then_some(values)
}

fn ascending(mut values: Vec<Value>) -> Vec<Value> {
    values.sort_unstable();
    values.dedup();
    values
}

/// The value in a cell. For a relation of two columns, it is the membership of the pair; for three columns, the set of
/// third components.
fn value_in_cell(grid: &Value, row: &Value, column: &Value) -> Option<Value> {
    let pair = || Value::tuple([row.clone(), column.clone()]);
    match grid {
        Value::Mapping(_, pairs) if matches!(pairs.first(), Some((Value::Tuple(_), _))) => {
            image_of_key(grid, &pair()).cloned()
        }
        Value::Matrix(_) | Value::Mapping(..) => image_of_key(image_of_key(grid, row)?, column).cloned(),
        Value::Collection(kind, _) if kind.form() != MemberForm::Tuples => None,
        Value::Collection(_, tuples) if matches!(tuples.first(), Some(Value::Tuple(items)) if items.len() == 3) => {
            // The first two of three columns are the axes, and the cell shows the third.
            let third = |tuple: &Value| match tuple {
                Value::Tuple(items) if items[0] == *row && items[1] == *column => Some(items[2].clone()),
                _ => None,
            };
            Some(Value::set(tuples.iter().filter_map(third).collect()))
        }
        // The tuples of a value in normal form are sorted.
        Value::Collection(_, tuples) => Some(Value::Bool(tuples.binary_search(&pair()).is_ok())),
        _ => None,
    }
}

/// Returns the comparisons between neighbouring cells as signs, and all other pairs.
fn neighbours<'a>(signs: &'a Value, rows: &[Value], columns: &[Value]) -> (Vec<Sign>, Vec<&'a Value>) {
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
        // A sign is stored with the cell on its left or above it.
        let less = smaller < greater;
        // A sign belongs to the cell on its left or above it.
        let ((row, column), next) = if less { (smaller, greater) } else { (greater, smaller) };
        match next {
            _ if next == (row, column + 1) => Some(Sign { row, column, below: false, less }),
            _ if next == (row + 1, column) => Some(Sign { row, column, below: true, less }),
            _ => None,
        }
    };
    let mut others = Vec::new();
    let mut found = Vec::new();
    for pair in signs.items() {
        match sign(pair) {
            Some(sign) => found.push(sign),
            None => others.push(pair),
        }
    }
    (found, others)
}

fn sums(grid: &Value, rows: &[Value], columns: &[Value], shown: &dyn Fn(i64) -> String) -> Option<Sums> {
    // If a cell has no number, its row has no sum, and then the grid shows no sums.
    let number = |row: &Value, column: &Value| match value_in_cell(grid, row, column) {
        Some(Value::Int(value)) => Some(value),
        Some(Value::Bool(value)) => Some(i64::from(value)),
        _ => None,
    };
    let total = |cells: Vec<(&Value, &Value)>| -> Option<String> {
        // An overflow leaves the sum out.
        let sum = cells.into_iter().try_fold(0i64, |sum, (row, column)| sum.checked_add(number(row, column)?));
        sum.map(shown)
    };
    let of_row = |row| total(columns.iter().map(|column| (row, column)).collect());
    let of_column = |column| total(rows.iter().map(|row| (row, column)).collect());
    let falling = || total(rows.iter().zip(columns).collect());
    let rising = || total(rows.iter().rev().zip(columns).collect());
    Some(Sums {
        // The picture shows the sums of all rows or of none.
        rows: rows.iter().map(of_row).collect::<Option<_>>()?,
        columns: columns.iter().map(of_column).collect::<Option<_>>()?,
        // Only a square grid has two diagonals.
        diagonals: if rows.len() == columns.len() { falling().zip(rising()) } else { None },
    })
}
