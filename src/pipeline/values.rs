//! Reads texts of parameters and solutions with or without their model. Without it, the values are compared and printed
//! as they are written.

use super::{analyse, data, instance_of, parse_text, phase};
use crate::{
    analysis::{
        self,
        model::{Category, DeclarationId, DeclarationKind, Expr, ExprKind, TypedModel, UnitDirective},
        units::PartUnits,
    },
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::Halt,
    instance::{self, GroundInstance, evaluate},
    language::{
        self, Name, Stop, Type,
        print::{MemberNames, unnamed_member},
        quotation::unquoted,
    },
    solution::Value,
    source::{SourceId, Sources, Span},
    syntax::{
        ast::{self, ExprTree, ExprTreeKind, Identifier, LettingValue, Statement, StatementKind},
        json,
        parts::{add_alternatives, for_each_in_statement},
    },
};
use std::{collections::BTreeSet, sync::Arc};

/// The type of all names that the text does not declare: members of types that only the model knows.
const OTHER_NAMES: &str = "names_of_the_model";

/// The content of a text: the values, types and domains of names, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct TextContent {
    pub values: Vec<(String, Value)>,
    /// Enumerated and unnamed types with their members.
    pub types: Vec<(String, Vec<String>)>,
    pub domains: Vec<String>,
}

/// Evaluates the tree of a text.
pub(crate) fn values_alone(file: &ast::File, warnings: &mut Diagnostics) -> Result<TextContent, Halt> {
    let mut file = file.clone();
    name_members(&mut file);
    let mut alternatives = BTreeSet::new();
    for statement in &file.statements {
        for_each_in_statement(statement, &mut |expr| add_alternatives(expr, &mut alternatives));
    }
    file.alternatives = alternatives.into_iter().collect();
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

/// The tree of a text of values that is read without a model.
pub(crate) fn values_file(sources: &Sources, source: SourceId, warnings: &mut Diagnostics) -> Result<ast::File, Halt> {
    let text = sources.get(source);
    if json::is_json(&text.text) {
        let error = Diagnostic::error(
            Code::JSON,
            format!("the values in `{}` cannot be read without their model", text.name),
        )
        .note("the types of the parameters and variables decide what JSON means: an array can be a set or a matrix")
        .help("name the model: --essence MODEL");
        return Err(error.into());
    }
    let file = parse_text(sources, source, warnings)?;
    let no_value = |statement: &&Statement| !matches!(statement.kind, StatementKind::Letting { .. });
    if let Some(statement) = file.statements.iter().find(no_value) {
        let error = Diagnostic::error(Code::COMMAND_LINE, format!("`{}` holds more than values", text.name))
            .at(statement.span, "only `letting` gives a value")
            .help("name a parameter file or a solution");
        return Err(error.into());
    }
    Ok(file)
}

/// The values of a text for the names of a model: parameters, or an earlier plan.
pub(crate) struct ModelValues {
    pub file: ast::File,
    /// The values with their names and types, in the order of the text.
    pub values: Vec<(Name, Type, language::Value)>,
    /// The names of the members; those that the current types lack come after the others.
    pub names: MemberNames,
}

impl ModelValues {
    /// The values with a unit in the model, with their units.
    pub(crate) fn in_units(&self, units: &[UnitDirective]) -> Vec<(Name, String)> {
        let names = self.names.in_units();
        let shown = |(name, ty, value): &(Name, Type, language::Value)| {
            let mut units = PartUnits::of(units, name);
            (!units.are_none()).then(|| (name.clone(), names.show(value, &units.on(ty))))
        };
        self.values.iter().filter_map(shown).collect()
    }

    /// The content of the text for other programs.
    pub(crate) fn content(&self) -> TextContent {
        let shown = |(name, ty, value): &(Name, Type, language::Value)| {
            (name.to_string(), Value::new(value, ty, &self.names).sorted())
        };
        let mut content = TextContent { values: self.values.iter().map(shown).collect(), ..TextContent::default() };
        for statement in &self.file.statements {
            let StatementKind::Letting { names, value } = &statement.kind else { continue };
            let names = names.iter().map(|name| name.text.to_string());
            match value {
                LettingValue::Enum(members) => {
                    let texts: Vec<String> = members.iter().map(|member| unquoted(&member.text).into_owned()).collect();
                    content.types.extend(names.map(|name| (name, texts.clone())));
                }
                LettingValue::Domain(_) => content.domains.extend(names),
                _ => {}
            }
        }
        content
    }
}

/// Reads values for the names of a model, in Essence, JSON or tables. They have the types of the declarations, but need
/// not be in their domains. The data come from the instance, if there is one.
pub(crate) fn values_of_model(
    sources: &Sources,
    model: &TypedModel,
    instance: Option<&GroundInstance>,
    source: SourceId,
    warnings: &mut Diagnostics,
) -> Result<ModelValues, Halt> {
    let model = Arc::new(given_values(model, instance));
    phase(warnings, |found| {
        let files = data::readable_data(sources, &model, &[source], &[], found)?;
        let parameters = analysis::parameters_of_files(&model, &files, found);
        let (mut environment, mut names) = instance::bound_in_part(&model, &parameters, &files);
        for (id, strangers) in &parameters.strangers {
            names.add_strangers(id.0, strangers);
        }
        let mut values = Vec::with_capacity(parameters.values.len());
        for (id, written) in &parameters.values {
            let declaration = model.declaration(*id);
            match environment.global(*id) {
                Ok(value) => values.push((declaration.name.clone(), declaration.ty.clone(), value)),
                Err(stop) => found.push(without_value(&declaration.name, written.span, stop)),
            }
        }
        for (name, written) in &parameters.undeclared {
            match evaluate(written, &mut environment) {
                Ok(value) => values.push((name.clone(), written.ty.clone(), value)),
                Err(stop) => found.push(without_value(name, written.span, stop)),
            }
        }
        Ok(ModelValues { file: ast::File::joined(files), values, names })
    })
}

fn without_value(name: &str, span: Span, stop: Stop) -> Diagnostic {
    match stop {
        Stop::Undefined => {
            Diagnostic::error(Code::UNDEFINED_VALUE, format!("`{name}` has no value")).at(span, "this is undefined")
        }
        Stop::Fault(fault) => *fault,
    }
}

/// The declarations of a model for a text that gives values to parameters and decision variables. The data of an
/// instance are already known.
fn given_values(model: &TypedModel, instance: Option<&GroundInstance>) -> TypedModel {
    let mut environment = instance.map(|instance| instance.environment.clone());
    let (mut declarations, mut decided) = (model.declarations.clone(), model.decided.clone());
    for (declaration, id) in declarations.iter_mut().zip((0..).map(DeclarationId)) {
        let members = || instance?.parameters.enums.iter().find(|(given, ..)| *given == id);
        let kind = match &declaration.kind {
            DeclarationKind::Find(domain) => {
                decided.insert(declaration.name.clone());
                Some(DeclarationKind::Given(domain.clone()))
            }
            DeclarationKind::Given(_) => environment.as_mut().and_then(|environment| {
                let kind = ExprKind::Constant(environment.global(id).ok()?);
                let (ty, span) = (declaration.ty.clone(), declaration.span);
                Some(DeclarationKind::Letting(Expr { kind, ty, category: Category::Constant, span }))
            }),
            DeclarationKind::GivenEnum => members().map(|(_, members, _)| DeclarationKind::Enum(members.clone())),
            _ => None,
        };
        if let Some(kind) = kind {
            declaration.kind = kind;
        }
    }
    TypedModel {
        decided,
        declarations,
        ids: model.ids.clone(),
        locals: model.locals.clone(),
        local_names: model.local_names.clone(),
        units: model.units.clone(),
        takes_strangers: true,
        ..TypedModel::default()
    }
}

/// Declares the names that a text uses without declaring them.
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
