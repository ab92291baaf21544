//! The types of expressions in a document.

use super::AnalysedText;
use crate::{
    analysis::{
        self,
        model::{DeclarationKind, Expr, ExprKind, TypedModel, expressions_in_domain},
    },
    diagnostic::Diagnostics,
    language::Type,
    source::{SourceId, Span},
    syntax::{
        self,
        ast::{File, Statement, StatementKind},
    },
};
use rustc_hash::FxHashMap;

/// Calls `visit` for the outermost expressions of a model.
fn for_each_outermost<'a>(model: &'a TypedModel, visit: &mut dyn FnMut(&'a Expr)) {
    for declaration in &model.declarations {
        match &declaration.kind {
            DeclarationKind::Given(domain) | DeclarationKind::Find(domain) | DeclarationKind::LettingDomain(domain) => {
                expressions_in_domain(domain, visit);
            }
            DeclarationKind::Letting(value) | DeclarationKind::Unnamed(value) => visit(value),
            DeclarationKind::Enum(_) | DeclarationKind::GivenEnum => {}
        }
    }
    model.wheres.iter().chain(&model.constraints).chain(&model.branching).for_each(&mut *visit);
    model.preferences().for_each(visit);
}

/// Returns the types of all expressions of a model that have a span.
pub(super) fn types_by_place(model: &TypedModel) -> FxHashMap<Span, &Type> {
    fn within<'a>(expr: &'a Expr, types: &mut FxHashMap<Span, &'a Type>) {
        if expr.ty != Type::Any {
            // Analysis may turn one expression of the text into several typed ones with the same span. The outermost
            // has the type of the text, and it is visited first.
            types.entry(expr.span).or_insert(&expr.ty);
        }
        expr.for_each_part(&mut |part| within(part, types));
    }
    let mut types = FxHashMap::default();
    for_each_outermost(model, &mut |expr| within(expr, &mut types));
    types
}

/// Returns the smallest expression around a span that satisfies a condition.
pub(super) fn expression_around<'a>(
    model: &'a TypedModel,
    span: Span,
    wanted: &dyn Fn(&Expr) -> bool,
) -> Option<&'a Expr> {
    fn within<'a>(expr: &'a Expr, span: Span, wanted: &dyn Fn(&Expr) -> bool, found: &mut Option<&'a Expr>) {
        // An expression without a span was generated.
        if expr.span != Span::default() && !expr.span.contains(span) {
            return;
        }
        let smaller = |found: &Expr| expr.span.end - expr.span.start <= found.span.end - found.span.start;
        if expr.span.contains(span) && wanted(expr) && found.is_none_or(smaller) {
            *found = Some(expr);
        }
        expr.for_each_part(&mut |part| within(part, span, wanted, found));
    }
    let mut found = None;
    for_each_outermost(model, &mut |expr| within(expr, span, wanted, &mut found));
    found
}

/// Returns the application of the operator with this sign.
pub(super) fn application_of_sign<'a>(model: &'a TypedModel, sign: Span, text: &str) -> Option<&'a Expr> {
    let outside = |operand: &Expr| !operand.span.contains(sign);
    expression_around(model, sign, &|expr| match &expr.kind {
        ExprKind::Apply(row, operands) => row.symbol.text == text && operands.iter().all(outside),
        _ => false,
    })
}

impl AnalysedText {
    /// Returns the type of an expression in a text, in the scope of generators such as `i : int(1..3)`.
    pub(super) fn type_of_text(&self, expression: &str, generators: &[String]) -> Option<Type> {
        // In a list, the expression is in the scope of the generators.
        let list = match generators {
            [] => format!("[{expression}]"),
            generators => format!("[{expression} | {}]", generators.join(", ")),
        };
        let mut ignored = Diagnostics::new();
        let probe = syntax::parse_file(SourceId(u32::MAX), &format!("letting _probe be {list}"), &mut ignored);
        if !ignored.is_empty() {
            return None;
        }
        // Only declarations are kept, because the types of names depend on nothing else.
        let declares = |statement: &&Statement| {
            use StatementKind::*;
            matches!(statement.kind, Given { .. } | GivenEnum { .. } | Find { .. } | Letting { .. })
        };
        let declarations = self.file.statements.iter().filter(declares).cloned();
        let file = File { statements: declarations.chain(probe.statements).collect(), ..File::default() };
        let model = analysis::analyse_file(&file, &mut ignored);
        // The type of a comprehension is a list, the type of a literal a matrix.
        match &model.declarations.last()?.ty {
            Type::List(element) => Some((**element).clone()),
            Type::Matrix(parts) => Some(parts[1].clone()),
            _ => None,
        }
        .filter(|ty| *ty != Type::Any)
    }
}
