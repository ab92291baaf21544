//! Evaluation of one expression with a model, its data and, if given, a solution: for `Workbench` (notebooks, `eval`).
//!
//! The expression becomes the last `letting` of the model, under a name that no text can contain; with a solution, each
//! `find` becomes a `given`. The model is analysed twice: first to read the data, then with the expression. You may
//! change the messages. Keep the `letting` last, because its declaration is found by its position. Drop a parameter
//! without a value only if the expression does not need it. The constraints of the model are not checked here.

use super::{analyse, bound_instance, parse_text, read_parameters, with_known_members, with_named_members};
use crate::{
    analysis::model::{Category, DeclarationId, DeclarationKind, Expr, ExprKind, ExprSearch, TypedModel},
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::Halt,
    instance::{GroundInstance, domain_of, report_of_undefined},
    language::{GroundDomain, Name, Stop, Type, Value},
    solution,
    source::{SourceId, Sources, Span},
    syntax::{
        self,
        ast::{File, Identifier, LettingValue, Statement, StatementKind},
        declared::declared,
        tokens::{Token, TokenKind, tokens},
    },
};
use rustc_hash::FxHashSet;
use std::{ops::Range, sync::Arc};

/// An expression, and the texts that define its names.
pub(crate) struct ExpressionTexts<'a> {
    pub sources: &'a Sources,
    /// The texts whose statements form the model.
    pub model: &'a [SourceId],
    pub data: &'a [SourceId],
    pub solution: Option<SourceId>,
    pub expression: SourceId,
}

/// A typed expression with its model, and the files with the parameters.
pub(crate) struct TypedExpression {
    model: Arc<TypedModel>,
    files: Vec<File>,
    id: DeclarationId,
}

/// An expression in an instance of its model.
pub(crate) struct BoundExpression {
    pub instance: GroundInstance,
    id: DeclarationId,
}

/// The name of the expression, which no text can contain.
const NAME: &str = " ";

/// Reads an expression and the texts that define its names.
pub(crate) fn read_expression(texts: &ExpressionTexts, warnings: &mut Diagnostics) -> Result<TypedExpression, Halt> {
    let ExpressionTexts { sources, model, data, solution, expression } = *texts;
    let mut file = File::default();
    for text in model {
        let text = parse_text(sources, *text, warnings)?;
        file.statements.extend(text.statements);
        file.comments.extend(text.comments);
    }
    if solution.is_some() {
        file = solution::with_finds_given(file, |_| true);
    }
    let text = File { statements: vec![statement(sources, expression)?], ..File::default() };
    let typed = Arc::new(analyse(&file, warnings)?);
    // The comments declare the units of the data, and `typed` has these units already.
    file.comments.clear();
    let data: Vec<SourceId> = data.iter().copied().chain(solution).collect();
    let mut files = read_parameters(&typed, sources, &data, warnings)?;
    // A parameter may lack a value if the expression does not mention it.
    without_what_lacks_data(&mut file, &mut files, sources, expression);
    if solution.is_some() {
        with_named_members(&mut file, &typed, &files, None, &text);
    }
    with_known_members(&mut file, &mut files, &text);
    file.statements.extend(text.statements);
    let model = Arc::new(analyse(&file, warnings)?);
    // The last declaration is the one made for the expression.
    let id = DeclarationId(model.declarations.len() as u32 - 1);
    Ok(TypedExpression { model, files, id })
}

/// The `letting` that names the expression.
fn statement(sources: &Sources, expression: SourceId) -> Result<Statement, Halt> {
    let value = syntax::parse_expression(expression, &sources.get(expression).text)?;
    let names = vec![Identifier { text: NAME.into(), span: Span::default() }];
    Ok(Statement { span: value.span, kind: StatementKind::Letting { names, value: LettingValue::Expr(value) } })
}

/// An expression in an instance of a model whose decision variables have these values, which need not be in their
/// domains.
pub(crate) fn with_decided_values(
    file: &File,
    instance: &GroundInstance,
    values: &[(Name, Type, Value)],
    sources: &Sources,
    expression: SourceId,
    warnings: &mut Diagnostics,
) -> Result<BoundExpression, Halt> {
    let mut file = solution::with_finds_given(file.clone(), |_| true);
    file.statements.push(statement(sources, expression)?);
    let model = Arc::new(analyse(&file, warnings)?);
    let mut environment = instance.environment.with_model(model.clone());
    for (name, _, value) in values {
        if let Some(id) = model.id_of(name) {
            environment.bind_global(id, value.clone());
        }
    }
    let id = DeclarationId(model.declarations.len() as u32 - 1);
    Ok(BoundExpression { instance: GroundInstance { environment, model, ..instance.clone() }, id })
}

/// Removes the parameters without a value that the expression does not need, all statements that mention them, and the
/// values of the names that these statements declare.
fn without_what_lacks_data(file: &mut File, files: &mut [File], sources: &Sources, expression: SourceId) {
    let given: FxHashSet<&str> = files.iter().flat_map(|file| &file.statements).flat_map(names_of_statement).collect();
    // Comparing words is exact enough here: a name in a string or a comment only keeps more than is needed.
    let words = |source: SourceId, range: Range<usize>| -> FxHashSet<String> {
        let text = &sources.get(source).text[range];
        let is_name = |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Quoted);
        let tokens = tokens(text, &[]).into_iter().filter(is_name);
        tokens.map(|token| text[token.start..token.end].to_owned()).collect()
    };
    // For each statement, these are the names that it mentions besides those that it declares.
    let mentioned: Vec<FxHashSet<String>> = file
        .statements
        .iter()
        .map(|statement| {
            let span = statement.span;
            let mut words = words(span.source, span.start as usize..span.end as usize);
            words.retain(|word| !names_of_statement(statement).any(|name| name == word));
            words
        })
        .collect();
    let mut needed = words(expression, 0..sources.get(expression).text.len());
    let mut before = 0;
    // If a name is needed, so are the names in its declaration.
    while needed.len() > before {
        // Declarations may refer to each other in any order, so the loop runs to a fixed point.
        before = needed.len();
        for (statement, words) in file.statements.iter().zip(&mentioned) {
            if names_of_statement(statement).any(|name| needed.contains(name)) {
                needed.extend(words.iter().cloned());
            }
        }
    }
    let is_parameter =
        |kind: &StatementKind| matches!(kind, StatementKind::Given { .. } | StatementKind::GivenEnum { .. });
    let parameters =
        file.statements.iter().filter(|statement| is_parameter(&statement.kind)).flat_map(names_of_statement);
    let mut gone: FxHashSet<String> =
        parameters.filter(|name| !given.contains(name) && !needed.contains(*name)).map(str::to_owned).collect();
    if gone.is_empty() {
        return;
    }
    let mut before = 0;
    // If a statement mentions a removed name, it is removed as well, with the names that it declares.
    while gone.len() > before {
        before = gone.len();
        for (statement, words) in file.statements.iter().zip(&mentioned) {
            if !words.is_disjoint(&gone) {
                gone.extend(names_of_statement(statement).map(str::to_owned));
            }
        }
    }
    let mut mentioned = mentioned.iter();
    file.statements.retain(|_| mentioned.next().is_none_or(|words| words.is_disjoint(&gone)));
    for file in std::iter::once(file).chain(files) {
        file.statements.retain_mut(|statement| match &mut statement.kind {
            StatementKind::Given { names, .. }
            | StatementKind::GivenEnum { names }
            | StatementKind::Find { names, .. }
            | StatementKind::Letting { names, .. } => {
                names.retain(|name| !gone.contains(&*name.text));
                !names.is_empty()
            }
            _ => true,
        });
    }
}

/// The names that a statement declares, including the members of an enumerated type.
fn names_of_statement(statement: &Statement) -> impl Iterator<Item = &str> {
    declared(statement).map(|declared| &*declared.name.text)
}

impl TypedExpression {
    pub(crate) fn ty(&self) -> &Type {
        &self.model.declaration(self.id).ty
    }

    /// Binds the expression in the instance of the data, despite errors in values that it does not need.
    pub(crate) fn bind(&self, diagnostics: &mut Diagnostics) -> Result<BoundExpression, Halt> {
        Ok(BoundExpression { instance: bound_instance(&self.model, &self.files, diagnostics)?, id: self.id })
    }
}

impl BoundExpression {
    pub(crate) fn ty(&self) -> &Type {
        &self.instance.model.declaration(self.id).ty
    }

    pub(crate) fn expr(&self) -> &Expr {
        expr_of_letting(&self.instance.model, self.id)
    }

    /// A domain that contains all possible values of the expression.
    pub(crate) fn domain(&mut self) -> GroundDomain {
        let model = self.instance.model.clone();
        domain_of(expr_of_letting(&model, self.id), &mut self.instance.environment)
    }

    pub(crate) fn value(&mut self) -> Result<Value, Halt> {
        let model = self.instance.model.clone();
        let expr = expr_of_letting(&model, self.id);
        // This is checked first, because evaluation would report a missing value instead.
        if expr.category == Category::Decision {
            return Err(without_solution(&model, expr).into());
        }
        if let Type::Domain(_) = expr.ty {
            let error = Diagnostic::error(Code::TYPE_MISMATCH, "a domain is not a value")
                .at(expr.span, "this is a domain")
                .help("put bars around it to count its members, or ask for a list of them: `[i | i : int(1..3)]`");
            return Err(error.into());
        }
        match self.instance.environment.global(self.id) {
            Ok(value) => Ok(value),
            Err(Stop::Undefined) => {
                Err(report_of_undefined("the expression", expr, &mut self.instance.environment).into())
            }
            Err(Stop::Fault(fault)) => Err(fault.into()),
        }
    }
}

/// The expression of a `letting`.
fn expr_of_letting(model: &TypedModel, id: DeclarationId) -> &Expr {
    match &model.declaration(id).kind {
        DeclarationKind::Letting(value) => value,
        other => unreachable!("the expression was declared with `letting`: {other:?}"),
    }
}

/// An error that an expression mentions a decision variable, which has no value here.
fn without_solution(model: &TypedModel, expr: &Expr) -> Diagnostic {
    let (name, span) = decision(model, expr).unwrap_or(("this", expr.span));
    Diagnostic::error(Code::UNDEFINED_VALUE, format!("`{name}` is a decision variable, which has no value here"))
        .at(span, "this is decided by solving the model")
        .help("give a solution that contains its value")
}

/// The name of a decision variable in an expression, and its span.
fn decision<'a>(model: &'a TypedModel, expr: &'a Expr) -> Option<(&'a str, Span)> {
    let declared = |id: DeclarationId| model.declaration(id);
    let is_find = |id: DeclarationId| matches!(declared(id).kind, DeclarationKind::Find(_));
    let is_decision = |part: &Expr| matches!(part.kind, ExprKind::Global(id) if is_find(id));
    let found = ExprSearch::new(model).first(expr, &mut { is_decision })?;
    let ExprKind::Global(id) = found.kind else { return None };
    Some((&declared(id).name, found.span))
}
