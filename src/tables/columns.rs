//! Finds the columns of a table that hold a value: the columns that the user chose, columns with matching names, or
//! columns at the expected positions.

use super::{
    cells::{DataTable, TableRow, cells_of},
    layout::{Leaf, RowPlan, width},
    scalar::{CellKind, KnownMembers, shown_column},
};
use crate::{
    analysis::json,
    diagnostic::{Code, Diagnostic, counted, nearest},
    language::{Type, Value},
    source::{Span, TableUse},
};
use std::ops::ControlFlow;

/// The columns that are chosen on the command line.
#[derive(Debug, Default)]
pub(super) struct ChosenColumns {
    /// The names or numbers of columns, each with the kind of its texts.
    pub columns: Vec<(String, Option<CellKind>)>,
    /// True if the first row has names, false if it has values; `None` if not specified.
    pub header: Option<bool>,
}

impl ChosenColumns {
    /// Parses columns as typed: `name,start@time`, `@no-header`.
    pub(super) fn read(wanted: &TableUse) -> Self {
        let mut chosen = ChosenColumns::default();
        for item in cells_of(&wanted.columns) {
            let (name, kind) = match item.rsplit_once('@') {
                Some(("", "header")) => {
                    chosen.header = Some(true);
                    continue;
                }
                Some(("", "no-header")) => {
                    chosen.header = Some(false);
                    continue;
                }
                Some((name, word)) => match CellKind::named(word) {
                    Some(kind) => (name.to_owned(), Some(kind)),
                    // If the word after `@` does not name a kind, the `@` belongs to the name.
                    None => (item, None),
                },
                None => (item, None),
            };
            chosen.columns.push((name, kind));
        }
        chosen
    }
}

/// The interpretation of the columns of a table.
#[derive(Debug)]
pub(super) struct FoundColumns {
    pub plan: RowPlan,
    pub leaves: Vec<Leaf>,
    /// The column of each leaf.
    pub columns: Vec<usize>,
    /// The names of the columns, if the first row has them.
    pub header: Option<Vec<String>>,
    /// The values that label the columns of a grid.
    pub labels: Vec<Value>,
    /// True if the user chose the columns.
    pub are_chosen: bool,
    /// The span of the first row.
    pub first: Span,
    /// The number of empty columns left of a grid.
    pub offset: usize,
}

/// The name of a column in a spreadsheet: `A`, …, `Z`, `AA`.
pub(super) fn letters(at: usize) -> String {
    let mut rest = at + 1;
    let mut text = String::new();
    while rest > 0 {
        rest -= 1;
        text.insert(0, char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    text
}

/// The first rows of a table as they are written.
struct TopRows {
    cells: Vec<String>,
    spans: Vec<Span>,
    whole: Span,
    number: usize,
    /// The next rows with their numbers.
    later: Vec<(usize, Vec<String>)>,
    /// The largest number of cells in one of the first rows.
    width: usize,
    /// The first column that is not empty in the first rows.
    offset: usize,
}

impl TopRows {
    /// The columns from the first non-empty one.
    fn columns(&self) -> impl Iterator<Item = usize> {
        self.offset..self.cells.len()
    }
}

fn top(table: &DataTable) -> Option<TopRows> {
    // Ten rows are enough to distinguish names from values, and a table may have millions.
    const ROWS: usize = 10;
    let mut top: Option<TopRows> = None;
    let mut seen = 0;
    let used =
        |row: &TableRow| row.cells().enumerate().filter(|(_, cell)| !cell.is_empty()).map(|(at, _)| at + 1).last();
    table.for_each_row(&mut |row| {
        seen += 1;
        let offset = row.cells().position(|cell| !cell.is_empty()).unwrap_or(0);
        let width = used(row).unwrap_or(0);
        match &mut top {
            None => {
                top = Some(TopRows {
                    cells: row.cells().map(str::to_owned).collect(),
                    spans: (0..row.len()).map(|at| row.span(at)).collect(),
                    whole: row.whole(),
                    number: row.number,
                    later: Vec::new(),
                    width,
                    offset,
                });
            }
            Some(top) => {
                top.later.push((row.number, row.cells().map(str::to_owned).collect()));
                top.width = top.width.max(width);
                top.offset = top.offset.min(offset);
            }
        }
        if seen < ROWS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if let Some(top) = &mut top {
        let width = top.width.max(1);
        top.cells.truncate(width);
        top.cells.resize(width, String::new());
        top.spans.truncate(width);
        let last = top.spans.last().copied().unwrap_or(top.whole);
        top.spans.resize(width, last);
    }
    top
}

/// Returns true if the name of a column matches one of the names.
pub(super) fn is_called(column: &str, names: &[String]) -> bool {
    names.iter().any(|name| column == name || json::fits(column, name) || column.eq_ignore_ascii_case(name))
}

impl FoundColumns {
    /// Returns the columns of numbers that were found by position alone. A wrong column of texts would cause errors,
    /// but a wrong column of numbers would not.
    pub(super) fn guessed(&self) -> Vec<usize> {
        let Some(header) = self.header.as_ref().filter(|_| !self.are_chosen && self.labels.is_empty()) else {
            return Vec::new();
        };
        let is_guess = |(leaf, at): &(&Leaf, &usize)| {
            let is_named = header.get(**at).is_some_and(|name| is_called(name, &leaf.names));
            !leaf.is_key && !is_named && matches!(leaf.ty, Type::Int(_) | Type::Bool)
        };
        self.leaves.iter().zip(&self.columns).filter(is_guess).map(|(_, at)| *at).collect()
    }
}

/// Finds the columns of a table for a value.
pub(super) fn find_columns(
    table: &DataTable,
    plan: RowPlan,
    leaves: Vec<Leaf>,
    members: &KnownMembers,
) -> Result<FoundColumns, Box<Diagnostic>> {
    let chosen = ChosenColumns::read(&table.wanted);
    let Some(top) = top(table) else {
        let message = format!("there is nothing in the table `{}`", table.name);
        return Err(Diagnostic::error(Code::TABLE, message).at(Span::new(table.source, 0, 0), "no row").into());
    };
    let finder = ColumnFinder { table, top, members, chosen };
    // A grid has labels instead of column names. If it were tried later, the labels would be taken for names.
    if finder.chosen.columns.is_empty()
        && let Some(grid) = finder.grid(&plan, &leaves)
    {
        return Ok(grid);
    }
    finder.columns(plan, leaves)
}

struct ColumnFinder<'a> {
    table: &'a DataTable,
    top: TopRows,
    members: &'a KnownMembers,
    chosen: ChosenColumns,
}

impl ColumnFinder<'_> {
    fn reads(&self, at: usize, ty: &Type, kind: CellKind) -> Option<Value> {
        self.members.value(self.top.cells.get(at)?, ty, kind).ok()
    }

    /// Returns true if a cell of the first row is the name of a wanted column.
    fn is_named(&self, leaves: &[Leaf]) -> bool {
        let cells = self.top.cells.iter().skip(self.top.offset + 1);
        cells.into_iter().any(|cell| leaves.iter().any(|leaf| is_called(cell, &leaf.names)))
    }

    /// Returns true if every later row has elements after its first cell: each cell is empty or an element, and not all
    /// are empty.
    fn holds_elements(&self, element: &Type, kind: CellKind) -> bool {
        let cells = || self.top.later.iter().flat_map(|(_, cells)| cells.iter().skip(self.top.offset + 1));
        let is_element = |text: &String| text.is_empty() || self.members.value(text, element, kind).is_ok();
        cells().any(|text| !text.is_empty()) && cells().all(is_element)
    }

    /// Recognises a grid: a table with a row for each value on one side and a column for each value on the other side.
    fn grid(&self, plan: &RowPlan, leaves: &[Leaf]) -> Option<FoundColumns> {
        let kind = leaves.last().map(|leaf| leaf.kind).unwrap_or_default();
        let (row, column, element, is_function) = plan.as_grid()?;
        let top = &self.top;
        let (count, offset) = (top.cells.len(), top.offset);
        let said = self.chosen.header.or(self.table.has_keys());
        let firsts = top.later.iter().filter_map(|(_, cells)| cells.iter().find(|cell| !cell.is_empty()));
        let below = firsts.into_iter().any(|text| self.members.value(text, &row, CellKind::Plain).is_ok());
        let above = (offset + 1..count).any(|at| self.reads(at, &column, CellKind::Plain).is_some());
        // The labels of an earlier plan may be former members. If one side has no current member, only the elements
        // show that the table is a grid.
        let is_old = self.members.are_of_plan() && self.holds_elements(&element, kind) && !self.is_named(leaves);
        let label = |at: usize| match above || is_old {
            true => self.members.value_or_stranger(top.cells.get(at)?, &column, CellKind::Plain).ok(),
            false => None,
        };
        let labels: Option<Vec<Value>> = (offset + 1..count).map(label).collect();
        let below = below || is_old;
        // The corner of a grid is empty or a caption, but never a label.
        let has_corner = top.cells[offset].is_empty() || self.reads(offset, &row, CellKind::Plain).is_none();
        let found = |labels: Vec<Value>, plan: RowPlan, header: bool, count: usize| {
            let mut leaves = plan.leaves(&self.table.wanted.parameter, &[]).unwrap_or_default();
            leaves.last_mut()?.kind = kind;
            let columns = (0..leaves.len()).collect();
            let header = header.then(|| top.cells[..count].to_vec());
            Some(FoundColumns { plan, leaves, columns, header, labels, are_chosen: false, first: top.whole, offset })
        };
        if let Some(labels) = labels.filter(|labels| !labels.is_empty() && below && has_corner && said != Some(false)) {
            // If the last name of three columns happens to be a member, the rows are still entries of a list.
            let second = |(_, cells): &(usize, Vec<String>)| {
                let text = cells.get(offset + 1).map_or("", |cell| cell);
                self.members.value(text, &column, CellKind::Plain).is_ok()
            };
            let is_list = count - offset == 3
                && is_called(&top.cells[count - 1], std::slice::from_ref(&self.table.wanted.parameter))
                && top.later.iter().all(second);
            if !is_list {
                let plan = RowPlan::Grid { labels: Some((row, column)), element, is_function };
                return found(labels, plan, true, count);
            }
        }
        // Without labels, the positions are the indices, but a function has no indices.
        if is_function {
            return None;
        }
        let elements = (offset..count).filter(|at| self.reads(*at, &element, kind).is_some()).count();
        let plain = |header| {
            let plan = RowPlan::Grid { labels: None, element: element.clone(), is_function };
            found(vec![Value::FALSE; count - offset], plan, header, count)
        };
        match said {
            Some(false) => plain(false),
            Some(true) if count - offset != 3 => plain(true),
            None if elements == count - offset => plain(false),
            // If one cell of the row is an element, all of them should be; otherwise, the row has names.
            None if count - offset != 3 => plain(elements == 0),
            _ => None,
        }
    }

    /// Returns true if the first row has the names of columns.
    fn has_header(&self, leaves: &[Leaf], positions: Option<&[usize]>) -> Result<bool, Box<Diagnostic>> {
        if let Some(said) = self.chosen.header.or(self.table.has_keys()) {
            return Ok(said);
        }
        let is_number = |name: &str| name.parse::<usize>().is_ok_and(|number| number > 0);
        if self.chosen.columns.iter().any(|(name, _)| !is_number(name)) {
            return Ok(true);
        }
        // If every text can be a member, a header cannot be recognised, so only the command line can exclude one.
        if leaves.iter().any(|leaf| leaf.ty == Type::Any) {
            return Ok(true);
        }
        let (mut fit, mut misfit) = (0, None);
        for (at, leaf) in leaves.iter().enumerate() {
            let column = positions.and_then(|positions| positions.get(at).copied()).unwrap_or(at + self.top.offset);
            let kind = self.chosen.columns.get(at).and_then(|(_, kind)| *kind).unwrap_or(leaf.kind);
            match self.reads(column, &leaf.ty, kind) {
                Some(_) => fit += 1,
                None => misfit = misfit.or(Some(column)),
            }
        }
        let is_named = leaves.iter().any(|leaf| self.top.cells.iter().any(|cell| is_called(cell, &leaf.names)));
        match misfit {
            // If every cell can be a value, the row has values, except for fields, which are found only by their names.
            None => Ok(leaves.is_empty() || is_named && leaves.iter().any(|leaf| leaf.is_field)),
            Some(column) if fit > 0 && !is_named => {
                let top = &self.top;
                let message = format!(
                    "`{}`, {} {}, column {}: `{}` is neither the name of a column nor a value",
                    self.table.name,
                    self.table.row_word(),
                    top.number,
                    letters(column),
                    top.cells.get(column).map_or("", |cell| cell)
                );
                let span = top.spans.get(column).copied().unwrap_or(top.whole);
                Err(Diagnostic::error(Code::TABLE, message)
                    .at(span, "the other cells of this row are values")
                    .help("correct the cell; if the row contains names, write `:@header` after the name of the file")
                    .into())
            }
            Some(_) => Ok(true),
        }
    }

    fn columns(self, plan: RowPlan, mut leaves: Vec<Leaf>) -> Result<FoundColumns, Box<Diagnostic>> {
        let (mut plan, table, top) = (plan, self.table, &self.top);
        let count =
            if self.chosen.columns.is_empty() { top.cells.len() - top.offset } else { self.chosen.columns.len() };
        // If there is one column too few, it may be the indices: the rows are then the elements in the order of the
        // indices.
        if let RowPlan::Elements(indices, element) = &plan
            && indices.len() == 1
            && count == width(element)
        {
            plan = RowPlan::List(element.clone());
            leaves.remove(0);
        }
        let positions: Option<Vec<usize>> =
            self.chosen.columns.iter().map(|(name, _)| name.parse::<usize>().ok()?.checked_sub(1)).collect();
        let positions = positions.filter(|positions| !positions.is_empty());
        let has_header = self.has_header(&leaves, positions.as_deref())?;
        let used = top.cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        let header = has_header.then(|| top.cells[..used].to_vec());
        let is_value = |(at, leaf): (usize, &Leaf), cells: &[String]| {
            let text = cells.get(at + top.offset).map_or("", |cell| cell);
            self.members.value(text, &leaf.ty, leaf.kind).is_ok()
        };
        // A row with a value cannot be a row of names.
        let has_value = |cells: &[String]| leaves.iter().enumerate().any(|leaf| is_value(leaf, cells));
        // If the columns do not fit, the likeliest reason is a title above the names.
        if let Some(title) = self.title(&leaves, has_value).filter(|_| has_header && self.chosen.columns.is_empty()) {
            return Err(title);
        }
        let columns = match self.chosen.columns.is_empty() {
            true => self.by_names_and_positions(&leaves, has_header)?,
            false => {
                let chosen = self.chosen_columns(&leaves, has_header)?;
                for (leaf, (_, kind)) in leaves.iter_mut().zip(&chosen) {
                    leaf.kind = kind.unwrap_or(leaf.kind);
                }
                chosen.into_iter().map(|(at, _)| at).collect()
            }
        };
        Ok(FoundColumns {
            plan,
            leaves,
            columns,
            header,
            labels: Vec::new(),
            are_chosen: !self.chosen.columns.is_empty(),
            first: if has_header || table.has_keys().is_some() { top.whole } else { top.spans[0] },
            offset: top.offset,
        })
    }

    /// Returns the columns of the leaves if none were chosen: first by name, then the remaining ones by position.
    fn by_names_and_positions(&self, leaves: &[Leaf], has_header: bool) -> Result<Vec<usize>, Box<Diagnostic>> {
        let cells = &self.top.cells;
        let count = cells.len() - self.top.offset;
        // Further columns are allowed and reported as unused.
        if count < leaves.len() {
            return Err(self.wrong_count(leaves, count, "the table has"));
        }
        let mut columns: Vec<Option<usize>> = match has_header {
            true => self.called(leaves.iter().map(|leaf| &leaf.names[..]).collect())?,
            false => vec![None; leaves.len()],
        };
        // A column has only one meaning, so a second leaf with the same name is found by position.
        for at in 0..columns.len() {
            if columns[..at].contains(&columns[at]) {
                columns[at] = None;
            }
        }
        if let Some(leaf) =
            leaves.iter().zip(&columns).find_map(|(leaf, column)| (leaf.is_field && column.is_none()).then_some(leaf))
        {
            return Err(self.no_column(&leaf.names[0], has_header));
        }
        let mut free = self.top.columns().filter(|at| !columns.contains(&Some(*at))).collect::<Vec<_>>().into_iter();
        Ok(columns.iter().map(|column| column.or_else(|| free.next()).unwrap_or(0)).collect())
    }

    /// Returns the chosen columns in the order of the leaves, with the kinds of their texts.
    fn chosen_columns(
        &self,
        leaves: &[Leaf],
        has_header: bool,
    ) -> Result<Vec<(usize, Option<CellKind>)>, Box<Diagnostic>> {
        let chosen = &self.chosen.columns;
        if chosen.len() != leaves.len() {
            return Err(self.wrong_count(leaves, chosen.len(), "you have chosen"));
        }
        let cells = &self.top.cells;
        let mut found = Vec::new();
        let by_name = match has_header {
            true => self.called(chosen.iter().map(|(name, _)| std::slice::from_ref(name)).collect())?,
            false => vec![None; chosen.len()],
        };
        for ((name, kind), by_name) in chosen.iter().zip(by_name) {
            let by_number = || name.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < cells.len());
            let again = || found.iter().zip(chosen).find(|(_, (other, _))| other == name).map(|((at, _), _)| *at);
            match by_name.or_else(again).or_else(by_number) {
                Some(at) => found.push((at, *kind)),
                None => return Err(self.no_column(name, has_header)),
            }
        }
        // The fields of a record have no order, so their columns must have the right names.
        let mut ordered = Vec::new();
        for (leaf, own) in leaves.iter().zip(&found) {
            let named = || found.iter().find(|(at, _)| cells.get(*at).is_some_and(|cell| is_called(cell, &leaf.names)));
            match (leaf.is_field, leaf.is_field.then(named).flatten()) {
                (false, _) => ordered.push(*own),
                (true, Some(named)) => ordered.push(*named),
                (true, None) => return Err(self.no_column(&leaf.names[0], has_header)),
            }
        }
        Ok(ordered)
    }

    /// Finds columns by names; the alternatives for each column are tried in order. If several wanted columns have the
    /// same name, and the table has as many columns with it, they are matched in order.
    fn called(&self, wanted: Vec<&[String]>) -> Result<Vec<Option<usize>>, Box<Diagnostic>> {
        let cells = &self.top.cells;
        let exactly = |name: &String| (0..cells.len()).filter(|at| cells[*at] == *name).collect::<Vec<_>>();
        let nearly = |names: &[String]| (0..cells.len()).filter(|at| is_called(&cells[*at], names)).collect::<Vec<_>>();
        let called = |names: &&[String]| {
            // An exact match has priority over a similar name.
            let exact = names.iter().map(exactly).find(|columns| !columns.is_empty());
            exact.unwrap_or_else(|| nearly(names))
        };
        let called: Vec<Vec<usize>> = wanted.iter().map(called).collect();
        let mut found = Vec::new();
        for (at, columns) in called.iter().enumerate() {
            let alike = called.iter().filter(|others| *others == columns).count();
            if columns.len() > alike {
                return Err(self.same_name(columns[0], columns[1]));
            }
            let before = called[..at].iter().filter(|others| *others == columns).count();
            found.push(columns.get(before).copied());
        }
        Ok(found)
    }

    /// Returns the error that two columns match the wanted name.
    fn same_name(&self, first: usize, second: usize) -> Box<Diagnostic> {
        let (table, top) = (self.table, &self.top);
        let (first, second) = [first, second].map(|at| (at, &top.cells[at])).into();
        let message = format!("`{}` has two columns `{}`", table.name, shown_column(second.1));
        let name = &table.wanted.parameter;
        Diagnostic::error(Code::TABLE, message)
            .at(top.spans[second.0], format!("column {}", letters(second.0)))
            .at(top.spans[first.0], format!("column {}", letters(first.0)))
            .help(format!(
                "rename one of them, or choose columns by their numbers, as in `{name}=FILE:1,{}`",
                second.0 + 1
            ))
            .into()
    }

    /// Returns the error that a title precedes the names of the columns: a later row has a wanted name, or the first
    /// row has too few names and the next row has no value.
    fn title(&self, leaves: &[Leaf], has_value: impl Fn(&[String]) -> bool) -> Option<Box<Diagnostic>> {
        let filled = |cells: &[String]| cells.iter().filter(|cell| !cell.is_empty()).count();
        let (top, names) = (&self.top, filled(&self.top.cells));
        if self.chosen.header.or(self.table.has_keys()).is_some() {
            return None;
        }
        let place = format!("`{}`, {} {}", self.table.name, self.table.row_word(), top.number);
        let (message, number) = match self.row_of_names(leaves, &has_value) {
            Some(number) => {
                let (name, word) = (&self.table.wanted.parameter, self.table.row_word());
                (format!("{place}: this row does not name a column for `{name}`, but {word} {number} does"), number)
            }
            None => {
                let (number, cells) = top.later.first()?;
                if names >= leaves.len().min(filled(cells)) || has_value(cells) {
                    return None;
                }
                let names = counted(names, "name");
                (format!("{place}: this row has {names}, but the next one has {}", filled(cells)), *number)
            }
        };
        let mistake = Diagnostic::error(Code::TABLE, message).at(top.whole, "taken for the names of the columns");
        Some(mistake.help(self.without_title(number)).into())
    }

    /// Returns the number of a row that names a wanted column and precedes all values, if the first row names none.
    fn row_of_names(&self, leaves: &[Leaf], has_value: &impl Fn(&[String]) -> bool) -> Option<usize> {
        const TITLE: usize = 3;
        let is_name = |cell: &String| leaves.iter().any(|leaf| !cell.is_empty() && is_called(cell, &leaf.names));
        // A single column is often named `name`, whatever its contents are.
        let is_only = |cell: &String| leaves.len() == 1 && cell.trim().eq_ignore_ascii_case("name");
        let is_name = |cell: &String| is_name(cell) || is_only(cell);
        if self.top.cells.iter().any(is_name) {
            return None;
        }
        let later = self.top.later.iter().take(TITLE).take_while(|(_, cells)| !has_value(cells));
        later.into_iter().find(|(_, cells)| cells.iter().any(is_name)).map(|(number, _)| *number)
    }

    fn without_title(&self, number: usize) -> String {
        format!(
            "remove what stands above the names of the columns, so that {} {number} is the first one",
            self.table.row_word()
        )
    }

    fn wrong_count(&self, leaves: &[Leaf], count: usize, who: &str) -> Box<Diagnostic> {
        let wanted: Vec<String> = leaves.iter().map(described_column).collect();
        let message = format!(
            "`{}`: `{}` takes {}, but {who} {}",
            self.table.name,
            self.table.wanted.parameter,
            counted(leaves.len(), "column"),
            counted(count, "column"),
        );
        let name = &self.table.wanted.parameter;
        Diagnostic::error(Code::TABLE, message)
            .at(self.top.whole, "these are the columns")
            .help(format!("choose the columns after the name of the file, as in `{name}=FILE:COLUMN,COLUMN`"))
            .note(format!("a row needs {}", wanted.join(", ")))
            .into()
    }

    fn no_column(&self, name: &str, has_header: bool) -> Box<Diagnostic> {
        let table = self.table;
        if !has_header {
            let message = format!(
                "`{}`: there is no column `{}`, because the first row does not hold names",
                table.name,
                shown_column(name)
            );
            return Diagnostic::error(Code::TABLE, message)
                .at(self.top.whole, "values")
                .help("write the names of the columns into the first row; if they are there, write `:@header`")
                .into();
        }
        let message = format!("`{}` has no column `{}`", table.name, shown_column(name));
        let mistake = Diagnostic::error(Code::TABLE, message).at(self.top.whole, "these are the columns");
        let has_name = |(_, cells): &&(usize, Vec<String>)| cells.iter().any(|cell| cell == name);
        if let Some((number, _)) = self.top.later.iter().find(has_name) {
            return mistake.help(self.without_title(*number)).into();
        }
        // In `price@foo`, the column exists, but `foo` is not a kind.
        let without_kind = name.rsplit_once('@').filter(|(before, _)| self.top.cells.iter().any(|cell| cell == before));
        match (without_kind, nearest(name, self.top.cells.iter().map(String::as_str))) {
            (Some((before, word)), _) => mistake
                .help(format!("write `{before}@time`, `{before}@date` or a unit such as `{before}@0.01`"))
                .note(format!("`{word}` does not say how to read a column")),
            (None, Some(near)) => mistake.help(format!("did you mean `{}`?", shown_column(near))),
            (None, None) => {
                let all: Vec<String> = self.top.cells.iter().map(|cell| format!("`{}`", shown_column(cell))).collect();
                mistake.help(format!("the columns are {}", all.join(", ")))
            }
        }
        .into()
    }
}

/// Describes the purpose of a column in a message.
pub(super) fn described_column(leaf: &Leaf) -> String {
    let what = match &leaf.ty {
        Type::Named(named) => format!("a member of `{}`", named.name),
        Type::Bool => "a truth value".to_owned(),
        _ => leaf.kind.words().replacen("whole numbers", "a whole number", 1),
    };
    match (leaf.is_field, leaf.is_key) {
        (true, _) => format!("{what} named `{}`", leaf.names[0]),
        (false, true) => format!("{what} (a key)"),
        (false, false) => what,
    }
}
