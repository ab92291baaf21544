//! Statements that say less than they seem to: variables without constraints, constraints without variables, constant
//! objectives, hints without a requirement, and texts for explanations that cannot be filled in.

use super::ModelText;
use crate::{
    analysis::model::{Category, DeclarationId, DeclarationKind, Expr, ExprDomain, ExprKind, TypedModel},
    diagnostic::{Code, Diagnostic, Diagnostics, Edit},
    language::{MemberForm, Value},
    operators::symbols,
    syntax::ast::{CommentSubject, StatementKind},
};

/// Warns about these statements.
pub(super) fn warn_of_statements(subject: &ModelText, found: &mut Diagnostics) {
    lost_hints(subject, found);
    found.extend(subject.model.broken_words.iter().cloned());
    unconstrained(subject.model, found);
    without_decision(subject, found);
    if let Some(objective) = &subject.model.objective {
        found.extend(constant_objective(&objective.value, subject.model));
    }
}

/// Warns about comments `$ hint: …` that are never shown: they are empty, or belong to no requirement.
fn lost_hints(subject: &ModelText, found: &mut Diagnostics) {
    for comment in &subject.file.comments {
        let text = comment.text.strip_prefix('$').and_then(|text| text.trim().strip_prefix("hint:"));
        let Some(text) = text else { continue };
        let what = match (&comment.subject, text.is_empty()) {
            (CommentSubject::Constraint(_) | CommentSubject::Other(_), false) if comment.own_line => continue,
            (_, true) => "this hint says nothing",
            (CommentSubject::Several(..), _) => "this hint can belong to several requirements",
            _ if !comment.own_line => "this hint is not alone on its line",
            _ => "this hint belongs to no requirement",
        };
        let help = "write it on the line above a constraint or a declaration, as in `$ hint: May both be equal?`";
        found.push(Diagnostic::warning(Code::LOST_HINT, what).at(comment.span, "this hint is never shown").help(help));
    }
}

/// Warns about decision variables that occur neither in constraints nor in the objective. A model without constraints
/// enumerates a domain, and attributes are constraints, too.
fn unconstrained(model: &TypedModel, found: &mut Diagnostics) {
    if model.constraints.is_empty() && model.preferences().next().is_none() {
        return;
    }
    let mut seen = vec![false; model.declarations.len()];
    model.constraints.iter().for_each(|constraint| mark_mentioned(constraint, model, &mut seen));
    model.preferences().for_each(|expr| mark_mentioned(expr, model, &mut seen));
    for (declaration, seen) in model.declarations.iter().zip(seen) {
        let DeclarationKind::Find(domain) = &declaration.kind else { continue };
        if !seen && !has_attributes(domain) && !declaration.name.starts_with('_') {
            let name = &declaration.name;
            found.push(
                Diagnostic::warning(Code::UNCONSTRAINED, format!("nothing constrains `{name}`"))
                    .at(declaration.span, "in no constraint, and not in the objective")
                    .help("add a constraint about it, or remove it")
                    .note("every value of its domain is as good as any other"),
            );
        }
    }
}

/// Returns true if a domain has attributes.
fn has_attributes(domain: &ExprDomain) -> bool {
    let mut found = domain
        .attributes()
        .is_some_and(|attributes| !attributes.measures().is_empty() || !attributes.properties().is_empty());
    domain.for_each_part(&mut |part| found = found || has_attributes(part));
    found
}

/// Marks the declarations that an expression mentions, directly or through `letting`s.
fn mark_mentioned(expr: &Expr, model: &TypedModel, seen: &mut [bool]) {
    if let ExprKind::Global(DeclarationId(id)) = expr.kind
        && !std::mem::replace(&mut seen[id as usize], true)
        && let DeclarationKind::Letting(value) = &model.declarations[id as usize].kind
    {
        mark_mentioned(value, model, seen);
    }
    expr.for_each_part(&mut |part| mark_mentioned(part, model, seen));
}

/// Warns about constraints that depend on data only.
fn without_decision(subject: &ModelText, found: &mut Diagnostics) {
    for constraint in &subject.model.constraints {
        if constraint.category == Category::Decision || matches!(constraint.kind, ExprKind::Constant(Value::TRUE)) {
            continue;
        }
        let warning = Diagnostic::warning(Code::NO_DECISION, "this constraint does not depend on a decision variable")
            .at(constraint.span, "the same for all values of the decision variables");
        found.push(match constraint.category {
            Category::Constant => warning.help("remove it, or mention a decision variable"),
            _ => Diagnostic { edits: as_where(subject, constraint), ..warning }
                .help("write `where` instead of `such that` to check the data"),
        });
    }
}

/// The edit to `where`, if the constraint is the only one of its `such that`.
fn as_where(subject: &ModelText, constraint: &Expr) -> Vec<Edit> {
    let statement = subject.file.statements.iter().find(|statement| {
        matches!(&statement.kind, StatementKind::SuchThat(items) if items.len() == 1)
            && statement.span.contains(constraint.span)
    });
    let Some(statement) = statement else { return Vec::new() };
    let words = statement.span.start as usize..constraint.span.start as usize;
    // A parenthesis or a comment may stand between the words and the constraint.
    let is_keyword = |text: &str| text.split_whitespace().eq(["such", "that"]);
    match subject.text.get(words.clone()).filter(|text| is_keyword(text)) {
        Some(text) => {
            let keyword = text.trim_end().len();
            let span = crate::source::Span::new(subject.source, words.start, words.start + keyword);
            vec![Edit { span, text: "where".to_owned() }]
        }
        None => Vec::new(),
    }
}

/// The warning about a constant objective.
fn constant_objective(value: &Expr, model: &TypedModel) -> Option<Diagnostic> {
    let warning = Diagnostic::warning(Code::CONSTANT_OBJECTIVE, "the objective is the same for every solution");
    // The parts of a partition contain all elements of the set, so the number of elements is constant.
    if let ExprKind::Apply(row, operands) = &value.kind
        && row.symbol == symbols::BARS
        && let [Expr { ty, span, kind, .. }] = &operands[..]
        && ty.form() == Some(MemberForm::Blocks)
    {
        let name = match kind {
            ExprKind::Global(id) => &*model.declaration(*id).name,
            _ => "p",
        };
        let warning = warning
            .at(value.span, "this counts the elements of all parts together")
            .help(format!("write `|parts({name})|` for the number of parts"));
        let edits = match kind {
            ExprKind::Global(_) => vec![Edit { span: *span, text: format!("parts({name})") }],
            _ => Vec::new(),
        };
        return Some(Diagnostic { edits, ..warning });
    }
    (value.category < Category::Decision).then(|| {
        warning
            .at(value.span, "mentions no decision variable")
            .help("mention a decision variable, or remove the objective")
    })
}
