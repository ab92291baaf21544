//! The texts of parameter files and solutions, in Essence or JSON.

use super::{
    bound_instance,
    given_texts::{numbered_solutions, solution_spans},
    phase,
};
use crate::{
    analysis::{self, json::MembersByType, model::TypedModel},
    diagnostic::{Code, Diagnostic, Diagnostics, Severity},
    halt::{Halt, reported},
    instance,
    language::{Name, print::unnamed_member},
    source::{SourceId, Sources, Span},
    syntax::{
        self,
        ast::{self, File, Identifier, LettingValue, Statement, StatementKind},
        json::{self, JsonMembers},
        parts::{for_each_in_statement, for_each_part},
    },
    tables::{self, AllTaken, DataTable},
};
use std::{cell::LazyCell, collections::BTreeSet, sync::Arc};

/// Reads the texts of parameters into trees.
pub(crate) fn read_parameters(
    model: &TypedModel,
    sources: &Sources,
    data: &[SourceId],
    warnings: &mut Diagnostics,
) -> Result<Vec<ast::File>, Halt> {
    phase(warnings, |found| readable_data(sources, model, data, &[], found))
}

/// Reads a parameter file or a solution into a tree. The meaning of JSON and tables depends on the model, and on the
/// members of types that `data` list.
pub(crate) fn read_values(
    sources: &Sources,
    model: &TypedModel,
    source: SourceId,
    data: &[SourceId],
    warnings: &mut Diagnostics,
) -> Result<ast::File, Halt> {
    Ok(File::joined(phase(warnings, |found| readable_data(sources, model, &[source], data, found))?))
}

/// Data that are read without the model.
enum UntypedData {
    Essence(Box<ast::File>),
    /// An object with its position, and true if it was typed for this run.
    Json(JsonMembers, Span, bool),
    Table(Box<DataTable>),
}

/// The readable parts of the texts of an instance, tables first. Essence is read despite errors; a text that starts
/// like JSON is read as a whole or not at all. The strings of JSON may be members of types that another text lists,
/// even a text `beside` them, which is read only for its members.
pub(super) fn readable_data(
    sources: &Sources,
    model: &TypedModel,
    data: &[SourceId],
    beside: &[SourceId],
    diagnostics: &mut Diagnostics,
) -> Result<Vec<ast::File>, Halt> {
    let before = diagnostics.len();
    let (mut texts, are_all) = untyped(sources, data, diagnostics);
    // Members come first in all texts, because the values of one text may name members that another one lists.
    let (mut members, mut taken) = (MembersByType::default(), AllTaken::default());
    // An error in these texts is not an error in the data that are read.
    let (mut others, _) = untyped(sources, beside, &mut Diagnostics::new());
    add_members_of_texts(model, &mut others, &mut members, &mut AllTaken::default(), &mut Diagnostics::new());
    add_members_of_texts(model, &mut texts, &mut members, &mut taken, diagnostics);
    let file = |text: UntypedData| match text {
        UntypedData::Essence(file) => *file,
        UntypedData::Json(object, span, is_typed) => {
            let file = analysis::json::lettings_of_object(model, &object, span, &members, diagnostics);
            ast::File { is_typed, ..file }
        }
        UntypedData::Table(table) => tables::file_of_table(model, *table, &members, &mut taken, diagnostics),
    };
    let files = texts.into_iter().map(file).collect();
    taken.unused(diagnostics);
    if are_all { Ok(files) } else { Err(Halt::Wrong(diagnostics.split_off(before))) }
}

/// Texts that are read without the model, tables first, and true if all could be read.
fn untyped(sources: &Sources, data: &[SourceId], diagnostics: &mut Diagnostics) -> (Vec<UntypedData>, bool) {
    let sheets = |id: &SourceId| match sources.get(*id).sheets.as_slice() {
        [] => vec![*id],
        sheets => sheets.to_vec(),
    };
    let several = data.iter().filter_map(|id| several_solutions(sources, *id));
    let several: Vec<Diagnostic> = several.collect();
    if !several.is_empty() {
        diagnostics.extend(several);
        return (Vec::new(), false);
    }
    let data: Vec<SourceId> = data.iter().flat_map(sheets).collect();
    let mut texts = Vec::new();
    for id in &data {
        let source = sources.get(*id);
        if let Some(wanted) = &source.table {
            match DataTable::new(*id, source, wanted.clone()) {
                Ok(table) => texts.push(UntypedData::Table(table.into())),
                Err(wrong) => diagnostics.push(*wrong),
            }
        } else if json::is_json(&source.text) {
            match json::parse_instance(*id, source) {
                Ok((members, span)) => texts.push(UntypedData::Json(members, span, source.is_typed())),
                Err(wrong) => diagnostics.push(*wrong),
            }
        } else {
            let file = syntax::parse_file(*id, &source.text, diagnostics);
            texts.push(UntypedData::Essence(Box::new(ast::File { is_typed: source.is_typed(), ..file })));
        }
    }
    let are_all = texts.len() == data.len();
    // The tables come first, because all other texts may use the members that they list.
    texts.sort_by_key(|text| !matches!(text, UntypedData::Table(_)));
    (texts, are_all)
}

/// An error if a text holds several solutions.
fn several_solutions(sources: &Sources, id: SourceId) -> Option<Diagnostic> {
    let source = sources.get(id);
    let parts = if source.table.is_none() { solution_spans(&source.text) } else { Vec::new() };
    let sheets = source.sheets.iter().filter_map(|sheet| Some(&*sources.get(*sheet).table.as_ref()?.parameter));
    let count = parts.len().max(numbered_solutions(sheets));
    if count < 2 {
        return None;
    }
    let message = format!("`{}` holds {count} solutions, but one is needed here", source.name);
    let error = Diagnostic::error(Code::DUPLICATE_NAME, message);
    let error = match parts.get(1) {
        Some(second) => error.at(Span::new(id, second.start, second.start + 1), "the second one"),
        None => error,
    };
    Some(error.help(format!("name one of them, from `{0}#1` to `{0}#{count}`", source.name)))
}

/// Adds the members of types that texts list. A table that does nothing else becomes a list.
fn add_members_of_texts(
    model: &TypedModel,
    texts: &mut [UntypedData],
    members: &mut MembersByType,
    taken: &mut AllTaken,
    diagnostics: &mut Diagnostics,
) {
    for text in texts {
        match text {
            UntypedData::Essence(file) => analysis::json::add_members_of_file(model, file, members),
            UntypedData::Json(object, ..) => analysis::json::add_members_of_json(model, object, members),
            UntypedData::Table(table) => {
                if let Some(file) = tables::add_members_of_table(model, table, members, taken, diagnostics) {
                    *text = UntypedData::Essence(file.into());
                }
            }
        }
    }
}

/// Adds the errors in the data of a model that has errors. If the declarations of the model are intact, the data are
/// checked against them. Otherwise their syntax is checked, and the types of the parameters whose declarations can be
/// read.
pub(crate) fn data_of_broken_model(
    sources: &Sources,
    model: SourceId,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
) {
    let file = syntax::parse_file(model, &sources.get(model).text, &mut Diagnostics::new());
    let declares = |statement: &&ast::Statement| {
        use ast::StatementKind::*;
        matches!(statement.kind, Given { .. } | GivenEnum { .. } | Find { .. } | Letting { .. })
    };
    let statements = file.statements.iter().filter(declares).cloned().collect();
    let declarations = ast::File { statements, ..file.clone() };
    let mut mistakes = Diagnostics::new();
    let typed = Arc::new(analysis::analyse_file(&declarations, &mut mistakes));
    let spans = declarations.statements.iter().map(|statement| statement.span);
    // If the parser mended a statement, some of its names may be lost, so the file does not count as intact.
    let intact = file.broken.is_empty()
        && mistakes.iter().all(|mistake| mistake.severity != Severity::Error)
        && spans.into_iter().all(|span| !file.mended.iter().any(|mended| span.contains(*mended)));
    // The errors in the data are collected separately, because mistakes in the model may cause some of them.
    let mut found = Diagnostics::new();
    let files = readable_data(sources, &typed, data, &[], &mut found);
    match reported(files, &mut found) {
        Some(files) if intact => {
            let bound = bound_instance(&typed, &files, &mut found);
            reported(bound, &mut found);
        }
        Some(files) => {
            let mut about_values = Diagnostics::new();
            analysis::parameters_of_files(&typed, &files, &mut about_values);
            // An error in the model may cause these errors.
            let unsure =
                [Code::UNEXPECTED_PARAMETER, Code::UNNEEDED_VALUES, Code::MISSING_PARAMETER, Code::UNKNOWN_NAME];
            let guessed = |mistake: &Diagnostic| {
                mistake.labels.iter().any(|label| file.mended.iter().any(|mended| mended.contains(label.span)))
            };
            about_values.retain(|mistake| !unsure.contains(&mistake.code) && !guessed(mistake));
            found.append(&mut about_values);
        }
        None => {}
    }
    // The errors in the model have been reported already.
    found.retain(|mistake| !diagnostics.contains(mistake));
    diagnostics.append(&mut found);
}

/// Gives the model the types whose members only the data list, if a text mentions one of these members; the data lose
/// these types.
pub(crate) fn with_known_members(model: &mut File, data: &mut [File], text: &File) {
    let mentioned = mentioned(text);
    for statement in &mut model.statements {
        let StatementKind::GivenEnum { names } = &statement.kind else { continue };
        // If one statement declares several names, their types cannot be separated.
        let [name] = names.as_slice() else { continue };
        let is_about = |statement: &Statement| {
            members_in_statement(statement, &name.text)
                .is_some_and(|members| members.iter().any(|member| mentioned.contains(&member.text)))
        };
        for file in &mut *data {
            if let Some(position) = file.statements.iter().position(is_about) {
                let known = file.statements.remove(position);
                statement.kind = known.kind;
                break;
            }
        }
    }
}

/// Turns the unnamed types whose members a text mentions into enumerated types, which symmetry breaking leaves alone.
/// The members get their names from the first text that lists them, or else the names of printed solutions, such as
/// `T_1`. The data have been read for the typed model, and determine the sizes of the types.
pub(crate) fn with_named_members(
    model: &mut File,
    typed: &Arc<TypedModel>,
    data: &[File],
    solution: Option<&File>,
    text: &File,
) {
    // Without unnamed types, no sizes are needed, so the environment is made only on demand.
    let environment = LazyCell::new(|| {
        let parameters = analysis::parameters_of_files(typed, data, &mut Diagnostics::new());
        instance::bound_in_part(typed, &parameters, data).0
    });
    let mentioned = mentioned(text);
    let mut decided = Vec::new();
    let named = |name: &Identifier| {
        // If the declaration has an error, the typed model may lack the name.
        let size = environment.size_of_type(typed.id_of(&name.text)?.0)?;
        let mut statements = data.iter().chain(solution).flat_map(|file| &file.statements);
        let listed = statements.find_map(|statement| members_in_statement(statement, &name.text));
        let made = |number| Identifier { text: unnamed_member(&name.text, number), span: name.span };
        let members = match listed {
            // If the number of members differs, the list belongs to another instance.
            Some(members) if i64::try_from(members.len()) == Ok(size) => members.to_vec(),
            _ => (1..=size).map(made).collect::<Vec<_>>(),
        };
        members.iter().any(|member| mentioned.contains(&member.text)).then_some(LettingValue::Enum(members))
    };
    let statements = std::mem::take(&mut model.statements).into_iter().flat_map(|statement| {
        let StatementKind::Letting { names, value: value @ LettingValue::Unnamed(_) } = statement.kind else {
            return vec![statement];
        };
        let one = |name: Identifier| {
            let known = named(&name);
            decided.extend(known.is_some().then(|| name.text.clone()));
            let value = known.unwrap_or_else(|| value.clone());
            Statement { span: statement.span, kind: StatementKind::Letting { names: vec![name], value } }
        };
        names.into_iter().map(one).collect()
    });
    model.statements = statements.collect();
    model.decided.append(&mut decided);
}

/// The members of a type that a statement lists.
fn members_in_statement<'s>(statement: &'s Statement, name: &str) -> Option<&'s [Identifier]> {
    match &statement.kind {
        StatementKind::Letting { names, value: LettingValue::Enum(members) } => {
            matches!(names.as_slice(), [only] if *only.text == *name).then_some(members)
        }
        _ => None,
    }
}

/// The names in the expressions of a text.
fn mentioned(text: &File) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    for statement in &text.statements {
        for_each_in_statement(statement, &mut |expr| names_in_expression(expr, &mut found));
    }
    found
}

/// The names in an expression.
fn names_in_expression(expr: &ast::ExprTree, found: &mut BTreeSet<Name>) {
    if let ast::ExprTreeKind::Name(name) = &expr.kind {
        found.insert(name.clone());
    }
    for_each_part(expr, &mut |part| names_in_expression(part, found));
}
