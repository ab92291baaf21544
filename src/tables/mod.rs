//! Tables as the values of parameters: CSV, sheets and lists of objects.
//!
//! The type of the parameter decides the meaning of the rows. [`cells`] splits a text into rows, [`layout`] lists the
//! columns that a value needs, [`columns`] finds them, [`scalar`] reads a cell, and [`read`] builds the value from all
//! rows. Messages name rows and columns as a spreadsheet shows them. If the domain rejects a part of the value,
//! [`place`] finds its cell again. [`mod@write`] converts in the other direction.
//!
//! You may accept further layouts. Users rely on the strictness: a cell is never guessed, and each value that is read
//! has one meaning.

mod cells;
mod columns;
mod layout;
mod mistakes;
mod place;
mod read;
mod scalar;
mod text;
#[cfg(feature = "workbooks")]
mod workbook;
mod write;

use crate::{
    analysis::{
        json::{self, MemberTexts, MembersByType},
        model::{DeclarationId, DeclarationKind, TypedModel},
    },
    diagnostic::{Code, Diagnostic, Diagnostics, nearest},
    language::{Name, Type, origin::ValueOrigin},
    source::{SourceId, Span},
    syntax::ast::{self, Identifier, KnownValue, LettingValue, Positional, Statement, StatementKind},
};
pub(crate) use cells::DataTable;
use columns::FoundColumns;
use layout::{Leaf, RowPlan};
use rustc_hash::FxHashMap;
use scalar::{CellKind, CellMistake, KnownMembers, Strangers};
use std::{ops::ControlFlow, sync::Arc};
pub use text::{TableCell, TableText};
#[cfg(feature = "workbooks")]
pub use workbook::Workbook;
pub use write::TableLayout;
pub(crate) use write::write_table;

/// The columns of a table that a parameter uses.
#[derive(Debug)]
struct TakenColumns {
    parameter: Name,
    source: SourceId,
    name: Arc<str>,
    header: Vec<String>,
    first: Span,
    taken: Vec<usize>,
    /// The columns of numbers that were found by position alone.
    guessed: Vec<usize>,
    are_chosen: bool,
}

/// The state that all tables of an instance share: the used columns, and the texts in an earlier plan that are no
/// longer members.
#[derive(Debug, Default)]
pub(crate) struct AllTaken {
    columns: Vec<TakenColumns>,
    strangers: Strangers,
}

impl AllTaken {
    /// Adds the columns of a parameter. If two parameters use the same column of numbers and one of them found it by
    /// position alone, this is an error.
    fn add(&mut self, new: TakenColumns, diagnostics: &mut Diagnostics) {
        let same = self.columns.iter().filter(|other| other.name == new.name);
        // Either of the two parameters may have guessed the column.
        let twice = same.filter_map(|other| {
            let [late, early] = [(&new, other), (other, &new)].map(|(guesses, takes)| {
                guesses.guessed.iter().find(|at| takes.taken.contains(at)).map(|at| (guesses, *at))
            });
            late.or(early).map(|(guesses, at)| (other, guesses, at))
        });
        if let Some((other, guesses, at)) = twice.into_iter().next() {
            let column = new.header.get(at).map_or("", |name| name);
            let message = format!(
                "`{}`: `{}` and `{}` take the same column `{column}`",
                new.name, other.parameter, new.parameter
            );
            let name = &guesses.parameter;
            diagnostics.push(
                Diagnostic::error(Code::TABLE, message)
                    .at(Span { source: new.source, ..new.first }, "these are the columns")
                    .help(format!("choose the columns after the name of the file, as in `{name}=FILE:COLUMN,COLUMN`"))
                    .note(format!("no column has the name `{name}`, so this one was chosen by its position")),
            );
        }
        self.columns.push(new);
    }

    /// Adds warnings about the columns that no parameter uses, in tables without chosen columns.
    pub(crate) fn unused(&self, warnings: &mut Diagnostics) {
        const MOST: usize = 5;
        for (at, table) in self.columns.iter().enumerate() {
            // Several parameters may use the same table; only the first one reports its unused columns.
            if self.columns[..at].iter().any(|other| other.name == table.name) {
                continue;
            }
            let same: Vec<&TakenColumns> = self.columns.iter().filter(|other| other.name == table.name).collect();
            // A user who chooses columns knows that the others are unused.
            if same.iter().any(|other| other.are_chosen || other.header.is_empty()) {
                continue;
            }
            let unused: Vec<&String> = table
                .header
                .iter()
                .enumerate()
                .filter(|(at, name)| !name.is_empty() && !same.iter().any(|other| other.taken.contains(at)))
                .map(|(_, name)| name)
                .collect();
            if unused.is_empty() {
                continue;
            }
            let shown: Vec<String> = unused.iter().take(MOST).map(|name| format!("`{name}`")).collect();
            let more = if unused.len() > MOST { ", …" } else { "" };
            let (word, is) = if unused.len() == 1 { ("column", "is") } else { ("columns", "are") };
            let message = format!("`{}`: the {word} {}{more} {is} not used", table.name, shown.join(", "));
            warnings.push(
                Diagnostic::warning(Code::TABLE_SUSPECT, message)
                    .at(Span { source: table.source, ..table.first }, "not used")
                    .help("to avoid this warning, name the columns after the name of the file"),
            );
        }
    }
}

/// Returns the declaration that gets its value from a table.
fn declared_by_table(model: &TypedModel, table: &DataTable, diagnostics: &mut Diagnostics) -> Option<DeclarationId> {
    let name = &table.wanted.parameter;
    if let Some(id) = json::declared_in_json(model, name)
        && matches!(
            model.declaration(id).kind,
            DeclarationKind::Given(_) | DeclarationKind::GivenEnum | DeclarationKind::Unnamed(_)
        )
    {
        return Some(id);
    }
    let message = format!("the model has no parameter `{name}`, for which `{}` has data", table.name);
    let mistake = Diagnostic::error(Code::UNEXPECTED_PARAMETER, message)
        .at(Span::new(table.source, 0, 0), "data for a parameter that is not there");
    let is_given = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Given(_) | DeclarationKind::GivenEnum);
    let known = model.declarations.iter().filter(|declaration| is_given(&declaration.kind));
    let known: Vec<&str> = known.map(|declaration| &*declaration.name).collect();
    diagnostics.push(match nearest(name, known.iter().copied()) {
        Some(near) => mistake.help(format!("did you mean `{near}`?")),
        None => mistake.help("leave the table out, or declare the name in the model with `given`"),
    });
    None
}

/// Returns the members of a type if the table lists them. They must be known before values that mention them are read.
pub(crate) fn add_members_of_table(
    model: &TypedModel,
    table: &DataTable,
    members: &mut MembersByType,
    taken: &mut AllTaken,
    diagnostics: &mut Diagnostics,
) -> Option<ast::File> {
    let id = json::declared_in_json(model, &table.wanted.parameter)?;
    let declaration = model.declaration(id);
    if !matches!(declaration.kind, DeclarationKind::GivenEnum | DeclarationKind::Unnamed(_)) {
        return None;
    }
    let name = declaration.name.clone();
    let mut file = ast::File::default();
    let leaf =
        Leaf { ty: Type::Any, names: vec![name.to_string()], is_field: false, is_key: false, kind: CellKind::Plain };
    let plan = RowPlan::Members(crate::language::Collection::Sequence, Type::Any);
    let found = match columns::find_columns(table, plan, vec![leaf], &KnownMembers::default()) {
        Ok(found) => found,
        Err(mistake) => {
            diagnostics.push(*mistake);
            file.broken.push(Identifier { text: name, span: Span::new(table.source, 0, 0) });
            return Some(file);
        }
    };
    let at = found.columns[0];
    let mut listed: Vec<(Arc<str>, usize, Span)> = Vec::new();
    let mut header = found.header.is_some();
    let mut positions: FxHashMap<Arc<str>, usize> = FxHashMap::default();
    table.for_each_row(&mut |row| {
        let text = row.cell(at);
        // The header is skipped once. A chosen column may be shorter than the table, so its empty cells are skipped,
        // too.
        if std::mem::take(&mut header) || text.is_empty() && found.are_chosen {
            return ControlFlow::Continue(());
        }
        let mistake = |what: &str| {
            let column = found.header.as_ref().and_then(|names| names.get(at)).filter(|name| !name.is_empty());
            let words = mistakes::words_for_cell(table, row, &column.cloned().unwrap_or_else(|| columns::letters(at)));
            let message = format!("`{}`, {words}: {what}", table.name);
            Diagnostic::error(Code::TABLE, message).at(row.span(at), "a member of a type is needed here")
        };
        if row.is_formula(at) {
            let CellMistake { what, help } = CellMistake::formula(text);
            diagnostics.push(mistake(&what).help(help));
        } else if text.is_empty() {
            diagnostics.push(mistake("the cell is empty").help(format!("write the name of a member of `{name}`")));
        } else if let Some(first) = positions.get(text).map(|first| listed[*first].1) {
            // In a chosen column of a larger table, a member may occur several times.
            if !found.are_chosen {
                diagnostics.push(
                    mistake(&format!("`{text}` is a member already, in {} {first}", table.row_word()))
                        .help("remove it, or choose the column by its name to count each member once"),
                );
            }
        } else {
            let text: Arc<str> = text.into();
            positions.insert(text.clone(), listed.len());
            listed.push((text, row.number, row.span(at)));
        }
        ControlFlow::Continue(())
    });
    let known = Arc::new(MemberTexts::of(model, listed.iter().map(|(text, ..)| text), positions));
    let identifier = |(text, (_, _, span)): (&Name, &(_, _, Span))| Identifier { text: text.clone(), span: *span };
    let value = LettingValue::Enum(known.names.iter().zip(&listed).map(identifier).collect());
    members.insert(id, known);
    let span = found.first;
    taken.add(taken_columns(table, &name, &found, vec![at]), diagnostics);
    let kind = StatementKind::Letting { names: vec![Identifier { text: name, span }], value };
    file.statements.push(Statement { kind, span });
    Some(file)
}

fn taken_columns(table: &DataTable, parameter: &Name, found: &FoundColumns, taken: Vec<usize>) -> TakenColumns {
    TakenColumns {
        parameter: parameter.clone(),
        source: table.source,
        name: table.name.clone(),
        header: found.header.clone().unwrap_or_default(),
        first: found.first,
        taken,
        guessed: found.guessed(),
        are_chosen: found.are_chosen,
    }
}

/// Reads the value of a parameter from a table.
pub(crate) fn file_of_table(
    model: &TypedModel,
    table: DataTable,
    members: &MembersByType,
    taken: &mut AllTaken,
    diagnostics: &mut Diagnostics,
) -> ast::File {
    let mut file = ast::File::default();
    let Some(id) = declared_by_table(model, &table, diagnostics) else { return file };
    let declaration = model.declaration(id);
    let name: Name = declaration.name.clone();
    let start = Span::new(table.source, 0, 0);
    let broken = |mut file: ast::File| {
        file.broken.push(Identifier { text: name.clone(), span: start });
        file
    };
    let plan = RowPlan::of(&declaration.ty);
    let leaves = plan.as_ref().and_then(|plan| plan.leaves(&name, &model.units));
    let (Some(plan), Some(leaves)) = (plan, leaves) else {
        let message = format!("`{}`: a table cannot hold a value of `{}`", table.name, declaration.ty);
        diagnostics.push(
            Diagnostic::error(Code::TABLE, message)
                .at(start, format!("data for `{name}`"))
                .at(declaration.span, "declared here")
                .help("give the value in a parameter file, in Essence or JSON")
                .note("a row of a table holds Booleans, integers and members of types, also in tuples and records"),
        );
        return broken(file);
    };
    // A type whose members are unknown has been reported already.
    let known = KnownMembers::of(model, members, &taken.strangers, &declaration.ty);
    let Some(known) = known else { return broken(file) };
    let reading = match read::reading(table, name.clone(), plan, leaves, known) {
        Ok(reading) => reading,
        Err(mistake) => {
            diagnostics.push(*mistake);
            return broken(file);
        }
    };
    let span = reading.found.first;
    let found = &reading.found;
    let used = match found.labels.is_empty() {
        true => found.columns.clone(),
        // A grid uses the column of its row labels, and one column for each label.
        false => (found.offset..=found.offset + found.labels.len()).collect(),
    };
    taken.add(taken_columns(&reading.table, &name, found, used), diagnostics);
    let Some((value, is_positional)) = reading.whole(diagnostics) else { return broken(file) };
    let identifier = Identifier { text: name.clone(), span };
    // The domains of the parts are checked later; the origin then finds the cell of a wrong part.
    let origin: Arc<dyn ValueOrigin> = Arc::new(reading);
    if is_positional {
        file.positional.push((name, Positional::default()));
    }
    file.known.push(KnownValue { name: identifier, value, origin });
    file.strangers = taken.strangers.of_types(model);
    file
}
