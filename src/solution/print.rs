//! Prints solutions in Essence, with the layout of the reference implementation's files.

use super::objective_value;
use crate::{
    analysis::model::{Declaration, DeclarationId, DeclarationKind},
    instance::GroundInstance,
    language::{MemberForm, Name, Type, Value, document::LayoutDocument, print::MemberNames},
};
use std::fmt::Write;

/// A solution as a file: the unnamed types with their members, then a `letting` for each decision variable, sorted by
/// name, in lines of at most `width` characters if the values can be broken; and the value of the objective, if there
/// is one.
pub(crate) fn print(instance: &GroundInstance, solution: &[(DeclarationId, Value)], width: usize) -> String {
    print_some(instance, solution, &|_| true, width)
}

/// A solution as a file with the decision variables that `shown` accepts.
pub(crate) fn print_some(
    instance: &GroundInstance,
    solution: &[(DeclarationId, Value)],
    shown: &dyn Fn(&str) -> bool,
    width: usize,
) -> String {
    let mut text = String::from("language Essence 1.3\n\n");
    // The values are collected separately, because types must be declared before the values that use their members.
    let mut values = String::new();
    for (declaration, content) in contents(instance, solution, shown) {
        match content {
            DeclarationContent::Members(members) => {
                let members = members.iter().map(|member| LayoutDocument::from(&**member));
                let head = format!("letting {} be new type enum", declaration.name);
                let document = LayoutDocument::hang(head.into(), 8, LayoutDocument::list("{", members, "}"));
                let _ = writeln!(text, "{}", document.render(0, 0, width));
            }
            DeclarationContent::Value(value) => {
                values += &print_value(&declaration.name, value, &declaration.ty, &instance.names, width);
            }
        }
    }
    text += &values;
    if let Ok(Some(value)) = objective_value(instance, solution)
        && let Some(shown) = instance.model.goals_read(&value, &instance.names)
    {
        let _ = writeln!(text, "$ Objective: {shown}");
    }
    text
}

/// The content of a solution for a declaration.
pub(super) enum DeclarationContent<'a> {
    /// The members of an unnamed type.
    Members(Vec<Name>),
    Value(&'a Value),
}

/// The contents of a solution, sorted by the names of the declarations. Of the decision variables, only those that
/// `shown` accepts.
pub(super) fn contents<'a>(
    instance: &'a GroundInstance,
    solution: &'a [(DeclarationId, Value)],
    shown: &dyn Fn(&str) -> bool,
) -> Vec<(&'a Declaration, DeclarationContent<'a>)> {
    let content = |(id, declaration): (DeclarationId, &'a Declaration)| {
        let is_unnamed = match declaration.kind {
            DeclarationKind::Unnamed(_) => true,
            // The members of an unnamed type are named in the data.
            DeclarationKind::Enum(_) => instance.model.decided.contains(&declaration.name),
            _ => false,
        };
        if let (true, Type::Named(named)) = (is_unnamed, &declaration.ty) {
            let size = instance.environment.size_of_type(id.0)?;
            let members = (1..=size).map(|position| instance.names.member(named, position));
            return Some((declaration, DeclarationContent::Members(members.collect())));
        }
        let (_, value) = solution.iter().find(|(found, _)| *found == id)?;
        shown(&declaration.name).then_some((declaration, DeclarationContent::Value(value)))
    };
    let mut contents: Vec<_> = instance.model.declared().filter_map(content).collect();
    contents.sort_by(|left, right| left.0.name.cmp(&right.0.name));
    contents
}

/// Prints `letting x be …`, with a picture of the value if there is one.
pub(crate) fn print_value(name: &Name, value: &Value, ty: &Type, names: &MemberNames, width: usize) -> String {
    let document = LayoutDocument::hang(format!("letting {name} be").into(), 8, names.value(value, ty));
    let mut text = document.render(0, 0, width) + "\n";
    if let Some(planes) = visualisation(value, ty, names) {
        let _ = writeln!(text, "$ Visualisation for {name}");
        text += &planes;
        text.push('\n');
    }
    text
}

/// A cell of a picture.
enum PrintedCell {
    Bool(bool),
    Int(i64),
    Member(Name),
}

type PrintedRow = Vec<PrintedCell>;

/// The lines of a two- or three-dimensional collection of simple values.
fn visualisation(value: &Value, ty: &Type, names: &MemberNames) -> Option<String> {
    let (planes, separated) = match printed_table(value, ty, names) {
        Some(rows) => (vec![rows], false),
        None => (
            row_parts(value, ty)?
                .into_iter()
                .map(|(part, ty)| printed_table(part, ty, names))
                .collect::<Option<_>>()?,
            true,
        ),
    };
    let planes: Vec<Vec<PrintedRow>> = planes;
    let cells = || planes.iter().flatten().flatten();
    cells().next()?;
    let width = cells()
        .map(|cell| match cell {
            // A Boolean is always one character, so it needs no padding.
            PrintedCell::Bool(_) => 0,
            PrintedCell::Int(value) => value.to_string().len(),
            PrintedCell::Member(name) => name.chars().count(),
        })
        .max()
        .unwrap_or(0);
    let show = |cell: &PrintedCell| match cell {
        PrintedCell::Bool(value) => if *value { "T" } else { "_" }.to_owned(),
        PrintedCell::Int(value) => format!("{value:>width$}"),
        PrintedCell::Member(name) => format!("{name:<width$}"),
    };
    let mut text = String::new();
    for plane in &planes {
        for row in plane {
            let _ = writeln!(text, "$ {}", row.iter().map(show).collect::<Vec<_>>().join(" "));
        }
        if separated {
            text += "$ \n";
        }
    }
    Some(text)
}

fn printed_table(value: &Value, ty: &Type, names: &MemberNames) -> Option<Vec<PrintedRow>> {
    let row = |items: &[Value], ty: &dyn Fn(usize) -> Type| -> Option<PrintedRow> {
        items.iter().enumerate().map(|(position, item)| printed_cell(item, &ty(position), names)).collect()
    };
    match (ty, ty.form()) {
        (Type::Collection(_, types), Some(MemberForm::Tuples)) => {
            value.items().iter().map(|tuple| row(tuple.components(), &|position| types[position].clone())).collect()
        }
        (Type::Collection(_, types), Some(MemberForm::Blocks)) => {
            value.items().iter().map(|block| row(block.items(), &|_| types[0].clone())).collect()
        }
        _ => {
            let line = |(part, ty): (&Value, &Type)| -> Option<PrintedRow> {
                row_parts(part, ty)?.into_iter().map(|(item, ty)| printed_cell(item, ty, names)).collect()
            };
            row_parts(value, ty)?.into_iter().map(line).collect()
        }
    }
}

fn printed_cell(value: &Value, ty: &Type, names: &MemberNames) -> Option<PrintedCell> {
    match (value, ty) {
        (Value::Bool(value), _) => Some(PrintedCell::Bool(*value)),
        (Value::Int(position), Type::Named(named)) => Some(PrintedCell::Member(names.member(named, *position))),
        (Value::Int(value), _) => Some(PrintedCell::Int(*value)),
        _ => None,
    }
}

/// The parts of a collection that form a row, with their types.
fn row_parts<'a>(value: &'a Value, ty: &'a Type) -> Option<Vec<(&'a Value, &'a Type)>> {
    match (value, ty) {
        (Value::Matrix(matrix), Type::Matrix(types)) => Some(matrix.elements.iter().map(|e| (e, &types[1])).collect()),
        (Value::Matrix(matrix), Type::List(inner)) => Some(matrix.elements.iter().map(|e| (e, &**inner)).collect()),
        (Value::Tuple(items), Type::Tuple(types)) => Some(items.iter().zip(types.iter()).collect()),
        (Value::Collection(kind, items), Type::Collection(_, inner))
            if matches!(kind.form(), MemberForm::Values | MemberForm::Positions) =>
        {
            Some(items.iter().map(|item| (item, &inner[0])).collect())
        }
        (Value::Mapping(kind, pairs), Type::Collection(_, types)) if kind.form() == MemberForm::Pairs => {
            Some(pairs.iter().map(|(_, image)| (image, &types[1])).collect())
        }
        _ => None,
    }
}
