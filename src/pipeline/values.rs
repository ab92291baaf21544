//! Parameters and solutions without their model: what they say is compared and printed as it stands there.

use super::{analyse, data, instance_of, parse};
use crate::{
    analysis::model::{DeclarationKind, TypedModel},
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::Halt,
    language::{print::unnamed_member, quotation::unquoted},
    solution::Value,
    source::{SourceId, Sources, Span},
    syntax::{
        ast::{self, ExprTree, ExprTreeKind, Identifier, LettingValue, Statement, StatementKind},
        json,
    },
};
use std::{collections::BTreeSet, sync::Arc};

/// The type of all names that the text does not declare: members of types that only the model knows.
const OTHER_NAMES: &str = "names_of_the_model";

/// What a text says about names, in its order.
#[derive(Debug, Default)]
pub(crate) struct TextContent {
    pub values: Vec<(String, Value)>,
    /// Enumerated and unnamed types with their members.
    pub types: Vec<(String, Vec<String>)>,
    pub domains: Vec<String>,
}

/// What the tree of a text says.
pub(crate) fn values_alone(file: &ast::File, warnings: &mut Diagnostics) -> Result<TextContent, Halt> {
    let mut file = file.clone();
    name_members(&mut file);
    let model = Arc::new(analyse(&file, warnings)?);
    let mut instance = instance_of(&model, &[], warnings)?;
    let mut content = TextContent::default();
    for (id, declaration) in model.declared() {
        let name = declaration.name.to_string();
        match &declaration.kind {
            DeclarationKind::Letting(_) => {
                let Ok(value) = instance.environment.global(id) else {
                    let error = Diagnostic::error(Code::UNDEFINED_VALUE, format!("`{name}` has no value"));
                    return Err(error.at(declaration.span, "this is undefined").into());
                };
                content.values.push((name, Value::new(&value, &declaration.ty, &instance.names).sorted()));
            }
            DeclarationKind::Enum(members) if name != OTHER_NAMES => {
                content.types.push((name, members.iter().map(|member| unquoted(member).into_owned()).collect()));
            }
            DeclarationKind::Unnamed(_) => {
                let size = instance.environment.size_of_type(id.0).unwrap_or(0);
                let members =
                    (1..=size).map(|number| unquoted(&unnamed_member(&declaration.name, number)).into_owned());
                content.types.push((name, members.collect()));
            }
            DeclarationKind::LettingDomain(_) => content.domains.push(name),
            _ => {}
        }
    }
    Ok(content)
}

/// The tree of a text of values.
pub(crate) fn values_file(
    sources: &Sources,
    model: Option<&TypedModel>,
    source: SourceId,
    warnings: &mut Diagnostics,
) -> Result<ast::File, Halt> {
    let text = sources.get(source);
    if let Some(model) = model {
        return data::values(sources, model, source, warnings);
    }
    if json::is_json(&text.text) {
        let error = Diagnostic::error(Code::JSON, format!("the values in `{}` need their model", text.name))
            .note("the types of the parameters and variables decide what JSON means: an array can be a set or a matrix")
            .help("name the model: --essence MODEL");
        return Err(error.into());
    }
    let file = parse(sources, source, warnings)?;
    let no_value = |statement: &&Statement| !matches!(statement.kind, StatementKind::Letting { .. });
    if let Some(statement) = file.statements.iter().find(no_value) {
        let error = Diagnostic::error(Code::COMMAND_LINE, format!("`{}` holds more than values", text.name))
            .at(statement.span, "only `letting` gives a value")
            .help("name a parameter file or a solution");
        return Err(error.into());
    }
    Ok(file)
}

/// Declares the names that a text uses and does not declare.
fn name_members(file: &mut ast::File) {
    let (mut declared, mut used) = (BTreeSet::new(), BTreeSet::new());
    for statement in &mut file.statements {
        let StatementKind::Letting { names, value } = &mut statement.kind else { continue };
        declared.extend(names.iter().map(|name| name.text.to_string()));
        match value {
            LettingValue::Enum(members) => declared.extend(members.iter().map(|member| member.text.to_string())),
            LettingValue::Expr(value) => add_names(value, &mut used),
            _ => {}
        }
    }
    let identifier = |text: &str| Identifier { text: text.into(), span: Span::default() };
    let members: Vec<Identifier> = used.difference(&declared).map(|name| identifier(name)).collect();
    if !members.is_empty() {
        let names = vec![identifier(OTHER_NAMES)];
        let kind = StatementKind::Letting { names, value: LettingValue::Enum(members) };
        file.statements.insert(0, Statement { kind, span: Span::default() });
    }
}

fn add_names(expr: &mut ExprTree, names: &mut BTreeSet<String>) {
    if let ExprTreeKind::Name(name) = &expr.kind {
        names.insert(name.to_string());
    }
    expr.parts_mut().into_iter().for_each(|part| add_names(part, names));
}
