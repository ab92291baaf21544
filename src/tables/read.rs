//! Builds one value from the rows of a table.

use super::{
    cells::{DataTable, TableRow},
    columns::{self, FoundColumns, described_column, is_called, letters},
    layout::{Leaf, RowPlan, width},
    mistakes::{TableMistakes, words_for_cell},
    scalar::{CellMistake, KnownMembers},
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, counted},
    language::{Collection, GroundDomain, IntSet, Name, Type, Value, value::Matrix},
    source::Span,
};
use rustc_hash::FxHashSet;
use std::{ops::ControlFlow, sync::Arc};

/// A table that is read as the value of a parameter.
#[derive(Debug)]
pub(super) struct TableReading {
    pub table: DataTable,
    pub parameter: Name,
    pub found: FoundColumns,
    pub members: KnownMembers,
}

/// The maximum number of repeated keys or gaps in a message. Chosen.
const MOST_SHOWN: usize = 3;

/// A key with its value.
type KeyedValue = (Value, Value);

impl TableReading {
    /// The name of a column in messages.
    pub(super) fn column(&self, at: usize) -> String {
        let name = self.found.header.as_ref().and_then(|names| names.get(at)).filter(|name| !name.is_empty());
        name.cloned().unwrap_or_else(|| letters(at))
    }

    /// Describes the cell of a leaf.
    pub(super) fn place(&self, row: &TableRow, at: usize) -> String {
        words_for_cell(&self.table, row, &self.column(at))
    }

    /// Describes the interpretation of the columns.
    fn note(&self) -> String {
        if !self.found.labels.is_empty() {
            return format!("`{}` is read as a grid: a row and a column for each pair of indices", self.parameter);
        }
        let how = match (self.found.are_chosen, &self.found.header) {
            (true, _) => "as you have chosen",
            (false, Some(_)) => "by names and positions",
            (false, None) => "by positions",
        };
        let each = self.found.leaves.iter().zip(&self.found.columns);
        let each: Vec<String> =
            each.map(|(leaf, at)| format!("{} from column {}", described_column(leaf), self.column(*at))).collect();
        format!("`{}` is read {how}: {}", self.parameter, each.join(", "))
    }

    /// Calls `each` for each row with data.
    pub(super) fn for_each_row(&self, each: &mut dyn FnMut(&TableRow) -> ControlFlow<()>) {
        let mut header = self.found.header.is_some();
        self.table.for_each_row(&mut |row| {
            if header {
                header = false;
                return ControlFlow::Continue(());
            }
            each(row)
        });
    }

    /// Returns the value of a type that starts at a leaf of a row. If `mistakes` is `None`, mistakes are not reported.
    pub(super) fn value(
        &self,
        ty: &Type,
        row: &TableRow,
        leaf: &mut usize,
        mistakes: &mut Option<&mut TableMistakes>,
    ) -> Option<Value> {
        match ty {
            Type::Tuple(types) => {
                // All components are read even if one of them fails, so that every wrong cell is reported.
                let each: Vec<Option<Value>> = types.iter().map(|ty| self.value(ty, row, leaf, mistakes)).collect();
                Some(Value::tuple(each.into_iter().collect::<Option<Vec<_>>>()?))
            }
            Type::Record(fields) => {
                let each: Vec<_> = fields.iter().map(|(_, ty)| self.value(ty, row, leaf, mistakes)).collect();
                Some(Value::tuple(each.into_iter().collect::<Option<Vec<_>>>()?))
            }
            Type::Variant(alternatives) => {
                // Only the cells of the chosen alternative are filled in.
                let mut chosen = Vec::new();
                for (which, (_, ty)) in (0..).zip(alternatives.iter()) {
                    let first = *leaf;
                    *leaf += width(ty);
                    if (first..*leaf).any(|leaf| !row.cell(self.found.columns[leaf]).is_empty()) {
                        chosen.push((which, first, ty));
                    }
                }
                if let [(which, first, ty)] = chosen.as_slice() {
                    let inner = self.value(ty, row, &mut first.clone(), mistakes)?;
                    return Some(Value::Variant(*which, Arc::new(inner)));
                }
                if let Some(mistakes) = mistakes {
                    let names: Vec<&str> = alternatives.iter().map(|(name, _)| &**name).collect();
                    let what = format!("{} of the alternatives are filled in", chosen.len());
                    let help = format!("fill in one of the columns {}", names.join(", "));
                    let words = format!("{} {}", self.table.row_word(), row.number);
                    mistakes.add(row.whole(), &words, &what, &help);
                }
                None
            }
            _ => {
                let Leaf { kind, .. } = self.found.leaves[*leaf];
                let at = self.found.columns[*leaf];
                *leaf += 1;
                self.cell(row, at, ty, kind, mistakes)
            }
        }
    }

    fn cell(
        &self,
        row: &TableRow,
        at: usize,
        ty: &Type,
        kind: super::scalar::CellKind,
        mistakes: &mut Option<&mut TableMistakes>,
    ) -> Option<Value> {
        let read = match row.is_formula(at) {
            // A formula without a value could pass for a text, for example in a column of names.
            true => Err(CellMistake::formula(row.cell(at))),
            false => self.members.value_or_stranger(row.cell(at), ty, kind),
        };
        match read {
            Ok(value) => Some(value),
            Err(mistake) => {
                if let Some(mistakes) = mistakes {
                    let help = match self.may_be_name_of_column(row) {
                        true => format!("{}; if row 1 is a title, remove it", mistake.help),
                        false => mistake.help,
                    };
                    mistakes.add(row.span(at), &self.place(row, at), &mistake.what, &help);
                }
                None
            }
        }
    }

    /// Returns true if this row may hold the name of the only column, below a title that was read as the name.
    fn may_be_name_of_column(&self, row: &TableRow) -> bool {
        let ([leaf], Some([name])) = (&*self.found.leaves, self.found.header.as_deref()) else { return false };
        !self.found.are_chosen && !is_called(name, &leaf.names) && row.number == 2
    }

    /// Returns the value of the whole table, and true if its matrices get their indices from the declaration.
    pub(super) fn whole(&self, diagnostics: &mut Diagnostics) -> Option<(Value, bool)> {
        let mut mistakes = TableMistakes::new(&self.table, self.note());
        let value = self.read(&mut mistakes, diagnostics);
        let is_right = mistakes.is_empty();
        diagnostics.extend(mistakes.into_diagnostics());
        // A value from a wrong table would cause misleading errors about its domain.
        value.filter(|_| is_right)
    }

    fn read(&self, mistakes: &mut TableMistakes, warnings: &mut Diagnostics) -> Option<(Value, bool)> {
        let indexed = |value: Value| Some((value, false));
        match &self.found.plan {
            RowPlan::One(ty) => indexed(self.one(ty, mistakes)?),
            RowPlan::List(ty) => Some((Value::list(self.values(ty, mistakes)?), true)),
            RowPlan::Members(kind, ty) => {
                let members = self.values(ty, mistakes)?;
                let count = members.len();
                let value = Value::of(*kind, members)?;
                let what = format!("read as {} {}", kind.row().article(), kind.row().noun());
                // Equal rows became one member, so the difference is the number of repeated rows.
                self.warn_of_repeated(count - value.items().len(), &what, warnings);
                indexed(value)
            }
            RowPlan::Images(from, to) => {
                let entries = self.entries(from, to, mistakes)?;
                let pairs = self.unique(entries, from, to, mistakes, warnings)?;
                self.missing_combinations(&pairs, from, warnings);
                indexed(Value::function(pairs)?)
            }
            RowPlan::Groups(from, kind, member) => indexed(self.groups(from, *kind, member, mistakes)?),
            RowPlan::Elements(indices, element) => {
                let key = Type::Tuple(indices.as_slice().into());
                let entries = self.entries(&key, element, mistakes)?;
                let entries = self.unique(entries, &key, element, mistakes, warnings)?;
                indexed(self.matrix(indices, entries, mistakes)?)
            }
            RowPlan::Grid { labels, element, is_function } => {
                self.grid(labels.as_ref(), element, *is_function, mistakes)
            }
        }
    }

    /// Reports cells to the right of the table, which usually come from a text with an unquoted separator.
    fn check_width(&self, row: &TableRow, mistakes: &mut TableMistakes) {
        let most = match &self.found.header {
            Some(names) => names.len(),
            None => return,
        };
        let is_alone = |at: &usize| !row.cell(*at).is_empty() && !self.found.columns.contains(at);
        if let Some(at) = (most..row.len()).find(is_alone) {
            let what = format!("`{}` stands to the right of the table", row.cell(at));
            let help = format!(
                "the first row names {}: name this one, too, or remove the cell; in CSV, put a cell with a separator \
                 in quotation marks",
                counted(most, "column")
            );
            let words = words_for_cell(&self.table, row, &letters(at));
            mistakes.add(row.span(at), &words, &what, &help);
        }
    }

    fn values(&self, ty: &Type, mistakes: &mut TableMistakes) -> Option<Vec<Value>> {
        let (mut values, mut complete) = (Vec::with_capacity(self.table.most_rows()), true);
        self.for_each_row(&mut |row| {
            self.check_width(row, mistakes);
            match self.value(ty, row, &mut 0, &mut Some(mistakes)) {
                Some(value) => values.push(value),
                None => complete = false,
            }
            // If a large table does not fit at all, the rest of it is not read.
            if mistakes.are_enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        complete.then_some(values)
    }

    fn entries(&self, from: &Type, to: &Type, mistakes: &mut TableMistakes) -> Option<Vec<KeyedValue>> {
        let (mut entries, mut complete) = (Vec::with_capacity(self.table.most_rows()), true);
        self.for_each_row(&mut |row| {
            self.check_width(row, mistakes);
            let mut leaf = 0;
            let key = self.value(from, row, &mut leaf, &mut Some(mistakes));
            let value = self.value(to, row, &mut leaf, &mut Some(mistakes));
            match (key, value) {
                (Some(key), Some(value)) => entries.push((key, value)),
                _ => complete = false,
            }
            if mistakes.are_enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        complete.then_some(entries)
    }

    fn one(&self, ty: &Type, mistakes: &mut TableMistakes) -> Option<Value> {
        let values = self.values(ty, mistakes)?;
        let count = values.len();
        match <[Value; 1]>::try_from(values) {
            Ok([value]) => Some(value),
            Err(_) => {
                let message =
                    format!("`{}` has {}, but `{}` takes one", self.table.name, rows_in_words(count), self.parameter);
                mistakes.push(
                    Diagnostic::error(Code::TABLE, message)
                        .at(self.found.first, format!("a table for a value of `{ty}` has one row")),
                );
                None
            }
        }
    }

    /// Returns the entries sorted by key, or reports keys with several values. Equal rows count once.
    fn unique(
        &self,
        mut entries: Vec<KeyedValue>,
        key: &Type,
        value: &Type,
        mistakes: &mut TableMistakes,
        warnings: &mut Diagnostics,
    ) -> Option<Vec<KeyedValue>> {
        let count = entries.len();
        entries.sort_unstable();
        entries.dedup();
        let twice = match in_order_of_keys(entries) {
            Ok(entries) => {
                self.warn_of_repeated(count - entries.len(), "each key has one value", warnings);
                return Some(entries);
            }
            Err(twice) => twice,
        };
        // The sorted entries no longer have their rows, so the table is read again to find them.
        for wanted in twice.iter().take(MOST_SHOWN) {
            let mut found: Vec<(usize, Span, Value)> = Vec::new();
            self.for_each_row(&mut |row| {
                let mut leaf = 0;
                if self.value(key, row, &mut leaf, &mut None).as_ref() == Some(wanted)
                    && let Some(value) = self.value(value, row, &mut leaf, &mut None)
                    && found.iter().all(|(.., other)| *other != value)
                {
                    let last = self.found.columns[leaf - 1];
                    found.push((row.number, row.span(self.found.columns[0]).to(row.span(last)), value));
                }
                if found.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            let [(first, place, _), (second, again, _)] = found.as_slice() else { continue };
            let word = self.table.row_word();
            let column = self.column(self.found.columns[0]);
            let text = self.members.text(wanted, key);
            let message = format!(
                "`{}`, {word} {second}, column {column}: `{text}` has another value than in {word} {first}",
                self.table.name
            );
            mistakes.push(
                Diagnostic::error(Code::TABLE, message)
                    .at(*again, "the second value")
                    .at(*place, "the first value")
                    .help(format!("remove one of the two, or correct the {word}")),
            );
        }
        if twice.len() > MOST_SHOWN {
            let more = counted(twice.len() - MOST_SHOWN, "more key");
            let message = format!("`{}`: {more} with several values", self.table.name);
            mistakes.push(Diagnostic::error(Code::TABLE, message).at(self.found.first, "a key has one value"));
        }
        None
    }

    /// Warns about repeated rows. If columns of a larger table were chosen, repetitions are normal and cause no
    /// warning.
    fn warn_of_repeated(&self, count: usize, what: &str, warnings: &mut Diagnostics) {
        if count == 0 || self.found.are_chosen {
            return;
        }
        let message = format!("`{}`: {}", self.table.name, repeated_rows(count));
        warnings.push(Diagnostic::warning(Code::TABLE_SUSPECT, message).at(self.found.first, what));
    }

    /// Returns the distinct values of each component of the keys, sorted.
    fn sides(entries: &[KeyedValue], count: usize) -> Vec<Vec<Value>> {
        let side = |at: usize| {
            let distinct: FxHashSet<&Value> = entries.iter().map(|(key, _)| &key.components()[at]).collect();
            let mut values: Vec<Value> = distinct.into_iter().cloned().collect();
            values.sort_unstable();
            values
        };
        (0..count).map(side).collect()
    }

    /// Returns the first missing keys among all combinations, and the number of missing keys. The entries must be
    /// sorted.
    fn gaps(entries: &[KeyedValue], sides: &[Vec<Value>]) -> (Vec<Value>, u128) {
        // The product of the sides may be much larger than any table, so it needs `u128`.
        let all: u128 = sides.iter().map(|side| side.len() as u128).product();
        // The keys are distinct, so the difference is the number of gaps.
        let missing = all - entries.len() as u128;
        let mut shown = Vec::new();
        let mut next = entries.iter().peekable();
        // The loop counts through all combinations in sorted order, like an odometer, and takes the entries in the same
        // order.
        let mut at = vec![0; sides.len()];
        while (shown.len() as u128) < missing.min(MOST_SHOWN as u128) {
            let key: Vec<&Value> = at.iter().zip(sides).map(|(at, side)| &side[*at]).collect();
            match next.next_if(|(found, _)| found.components().iter().eq(key.iter().copied())) {
                Some(_) => {}
                None => shown.push(Value::tuple(key.into_iter().cloned().collect::<Vec<_>>())),
            }
            for (at, side) in at.iter_mut().zip(sides).rev() {
                *at += 1;
                if *at < side.len() {
                    break;
                }
                *at = 0;
            }
        }
        (shown, missing)
    }

    fn shown_gaps(&self, gaps: (Vec<Value>, u128), key: &Type) -> String {
        let (shown, missing) = gaps;
        let list: Vec<String> = shown.iter().map(|value| format!("`{}`", self.members.text(value, key))).collect();
        let more = if missing > list.len() as u128 { ", …" } else { "" };
        format!("{}{more}", list.join("; "))
    }

    /// Warns about missing combinations if at least half of them are present, because such a table was probably meant
    /// to be complete.
    fn missing_combinations(&self, pairs: &[KeyedValue], from: &Type, warnings: &mut Diagnostics) {
        let Type::Tuple(types) = from else { return };
        if pairs.is_empty() {
            return;
        }
        let sides = Self::sides(pairs, types.len());
        let gaps = Self::gaps(pairs, &sides);
        let all = gaps.1 + pairs.len() as u128;
        if gaps.1 > 0 && gaps.1 * 2 <= all {
            let (are, count) = (if gaps.1 == 1 { "is" } else { "are" }, gaps.1);
            let message = format!("`{}`: {count} of {all} combinations {are} missing", self.table.name);
            warnings.push(
                Diagnostic::warning(Code::TABLE_SUSPECT, message)
                    .at(self.found.first, format!("`{}` has no value for them", self.parameter))
                    .note(format!("missing: {}", self.shown_gaps(gaps, from))),
            );
        }
    }

    /// Builds a function to collections from the members of its images.
    fn groups(&self, from: &Type, kind: Collection, member: &Type, mistakes: &mut TableMistakes) -> Option<Value> {
        let mut rows: Vec<(Value, usize, Option<Value>)> = Vec::new();
        let mut complete = true;
        self.for_each_row(&mut |row| {
            self.check_width(row, mistakes);
            let mut leaf = 0;
            let key = self.value(from, row, &mut leaf, &mut Some(mistakes));
            // An argument followed by empty cells has an empty image.
            let is_empty = self.found.columns[leaf..].iter().all(|at| row.cell(*at).is_empty());
            let value = match is_empty {
                true => Some(None),
                false => self.value(member, row, &mut leaf, &mut Some(mistakes)).map(Some),
            };
            match (key, value) {
                (Some(key), Some(value)) => rows.push((key, rows.len(), value)),
                _ => complete = false,
            }
            if mistakes.are_enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if !complete {
            return None;
        }
        // Within a key, the order of the rows is kept, because it is the order of a sequence.
        rows.sort_unstable_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
        let mut pairs: Vec<KeyedValue> = Vec::new();
        let mut rest = rows.into_iter().peekable();
        while let Some((key, _, value)) = rest.next() {
            let mut members = Vec::from_iter(value);
            while let Some((_, _, value)) = rest.next_if(|(next, ..)| *next == key) {
                members.extend(value);
            }
            pairs.push((key, Value::of(kind, members)?));
        }
        Value::function(pairs)
    }

    /// Builds a matrix from its elements and their indices.
    fn matrix(&self, indices: &[Type], entries: Vec<KeyedValue>, mistakes: &mut TableMistakes) -> Option<Value> {
        let sides = Self::sides(&entries, indices.len());
        let gaps = Self::gaps(&entries, &sides);
        if gaps.1 > 0 {
            let elements = counted(u64::try_from(gaps.1).unwrap_or(u64::MAX), "element");
            let message = format!("`{}`: {elements} of the matrix `{}` missing", self.table.name, self.parameter);
            let message = message.replacen(" missing", if gaps.1 == 1 { " is missing" } else { " are missing" }, 1);
            let key = Type::Tuple(indices.into());
            mistakes.push(
                Diagnostic::error(Code::TABLE, message)
                    .at(self.found.first, "a matrix has an element for each combination of indices")
                    .note(format!("missing: {}", self.shown_gaps(gaps, &key))),
            );
            return None;
        }
        let mut elements = entries.into_iter().map(|(_, element)| element);
        Some(nested_matrix(&sides, indices, &mut elements))
    }

    fn grid(
        &self,
        labels: Option<&(Type, Type)>,
        element: &Type,
        is_function: bool,
        mistakes: &mut TableMistakes,
    ) -> Option<(Value, bool)> {
        let columns = &self.found.labels;
        let offset = self.found.offset;
        let shift = offset + usize::from(labels.is_some());
        let kind = self.found.leaves.last().map(|leaf| leaf.kind).unwrap_or_default();
        let (mut entries, mut lists, mut complete) = (Vec::new(), Vec::new(), true);
        self.for_each_row(&mut |row| {
            self.check_width(row, mistakes);
            let label = match labels {
                Some((ty, _)) => self.cell(row, offset, ty, Default::default(), &mut Some(mistakes)),
                // The rows of a grid without labels keep their order, so any label will do.
                None => Some(Value::FALSE),
            };
            let mut elements = Vec::new();
            for at in shift..columns.len() + shift {
                // An empty cell means that the function is undefined there.
                if is_function && row.cell(at).is_empty() {
                    continue;
                }
                let value = self.cell(row, at, element, kind, &mut Some(mistakes));
                match (&label, value) {
                    (Some(label), Some(value)) if labels.is_some() => {
                        entries.push((Value::tuple([label.clone(), columns[at - shift].clone()]), value));
                    }
                    (Some(_), Some(value)) => elements.push(value),
                    _ => complete = false,
                }
            }
            let last = columns.len() + offset;
            if labels.is_none() && row.len() > last && !row.cell(last).is_empty() {
                let what = format!("the row has {}, but others have {}", rows_cells(row.len()), columns.len());
                let words = words_for_cell(&self.table, row, &letters(last));
                mistakes.add(row.span(last), &words, &what, "give all rows the same number of cells");
            }
            lists.push(Value::list(elements));
            if mistakes.are_enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if !complete {
            return None;
        }
        let Some((row, column)) = labels else { return Some((Value::list(lists), true)) };
        let key = Type::Tuple([row.clone(), column.clone()].into());
        let entries = self.unique_labels(entries, &key, mistakes)?;
        match is_function {
            true => Some((Value::function(entries)?, false)),
            false => Some((self.matrix(&[row.clone(), column.clone()], entries, mistakes)?, false)),
        }
    }

    /// Returns the entries of a grid, or reports a label that occurs twice among the rows or the columns.
    fn unique_labels(
        &self,
        entries: Vec<KeyedValue>,
        key: &Type,
        mistakes: &mut TableMistakes,
    ) -> Option<Vec<KeyedValue>> {
        let twice = match in_order_of_keys(entries) {
            Ok(entries) => return Some(entries),
            Err(twice) => twice,
        };
        let (Type::Tuple(types), [row, column]) = (key, twice.first()?.components()) else { return None };
        // If only one column has this label, two rows have the same label.
        let columns = self.found.labels.iter().filter(|label| *label == column).count();
        let (what, text) = match columns {
            1 => ("rows", self.members.text(row, &types[0])),
            _ => ("columns", self.members.text(column, &types[1])),
        };
        let mut last = self.found.first;
        let mut number = 1;
        self.for_each_row(&mut |found| {
            if columns == 1
                && self.members.value(found.cell(self.found.offset), &types[0], Default::default()).as_ref() == Ok(row)
            {
                // The error points at the last row with this label.
                (last, number) = (found.span(self.found.offset), found.number);
            }
            ControlFlow::Continue(())
        });
        let message = match columns {
            1 => format!(
                "`{}`, {} {number}, column {}: `{text}` is the label of two {what}",
                self.table.name,
                self.table.row_word(),
                self.column(self.found.offset)
            ),
            _ => format!("`{}`: `{text}` is the label of two {what}", self.table.name),
        };
        mistakes.push(Diagnostic::error(Code::TABLE, message).at(last, "labels differ"));
        None
    }
}

/// Builds nested matrices over the indices.
fn nested_matrix(sides: &[Vec<Value>], types: &[Type], elements: &mut dyn Iterator<Item = Value>) -> Value {
    let (Some((side, sides)), Some((ty, types))) = (sides.split_first(), types.split_first()) else {
        // `matrix` has checked that no element is missing.
        return elements.next().unwrap_or(Value::FALSE);
    };
    let index = match ty {
        // The index domain `bool` has two members, so a matrix over only one Boolean is indexed by integers, as in
        // JSON.
        Type::Bool if side.len() == 2 => GroundDomain::Bool,
        _ => GroundDomain::Int(IntSet::from_values(side.iter().map(Value::as_int))),
    };
    let elements = side.iter().map(|_| nested_matrix(sides, types, elements)).collect();
    Value::Matrix(Arc::new(Matrix { elements, index }))
}

fn rows_in_words(count: usize) -> String {
    if count == 0 { "no row with values".to_owned() } else { format!("{} with values", counted(count, "row")) }
}

fn rows_cells(count: usize) -> String {
    counted(count, "cell")
}

fn repeated_rows(count: usize) -> String {
    if count == 1 {
        "1 row occurs twice, and counts once".to_owned()
    } else {
        format!("{count} rows occur several times, and count once")
    }
}

/// Reads the columns of a table as a value of a type.
pub(super) fn reading(
    table: DataTable,
    parameter: Name,
    plan: RowPlan,
    leaves: Vec<Leaf>,
    members: KnownMembers,
) -> Result<TableReading, Box<Diagnostic>> {
    let found = columns::find_columns(&table, plan, leaves, &members)?;
    Ok(TableReading { table, parameter, found, members })
}

/// Returns the entries sorted by key. The error lists each key with several values once.
fn in_order_of_keys(mut entries: Vec<KeyedValue>) -> Result<Vec<KeyedValue>, Vec<Value>> {
    entries.sort_unstable();
    let repeated = entries.windows(2).filter(|two| two[0].0 == two[1].0);
    let mut twice: Vec<Value> = repeated.map(|two| two[0].0.clone()).collect();
    twice.dedup();
    if twice.is_empty() { Ok(entries) } else { Err(twice) }
}
