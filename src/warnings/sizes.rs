//! Constraints on the size of a variable that its domain could state, which leaves fewer values to search.

use super::ModelText;
use crate::{
    analysis::model::{Category, DeclarationId, DeclarationKind, Expr, ExprKind},
    diagnostic::{Code, Diagnostic, Diagnostics, Edit},
    language::attributes::{Attribute, Limit},
    operators::symbols,
    source::Span,
    syntax::ast::{self, DomainKind, StatementKind},
};

/// Warns about `|s| = n`, `|s| <= n` and `|s| >= n` if the domain has no size attribute, unless the constraint is a
/// wish or optional.
pub(super) fn warn_of_sizes(subject: &ModelText, found: &mut Diagnostics) {
    // If a constraint may be violated, it must not become a part of the domain.
    let may_be_broken = |constraint: &&Expr| {
        let wishes = subject.model.wishes.iter().map(|wish| wish.constraint);
        wishes.chain(subject.model.optional.iter().copied()).any(|soft| soft.contains(constraint.span))
    };
    for constraint in subject.model.constraints.iter().filter(|constraint| !may_be_broken(constraint)) {
        found.extend(stated_size(subject, constraint));
    }
}

fn stated_size(subject: &ModelText, constraint: &Expr) -> Option<Diagnostic> {
    let ExprKind::Apply(row, operands) = &constraint.kind else { return None };
    let [left, right] = operands.as_slice() else { return None };
    let (variable, number, is_turned) = match (sized(left), sized(right)) {
        (Some(variable), None) => (variable, right, false),
        (None, Some(variable)) => (variable, left, true),
        _ => return None,
    };
    // No attribute can express `|s| < n`.
    let (side, _) = row.limit.filter(|(_, strictly)| !strictly)?;
    let word = match if is_turned { side.turned() } else { side } {
        Limit::Exactly => "size",
        Limit::AtLeast => "minSize",
        Limit::AtMost => "maxSize",
    };
    let declaration = subject.model.declaration(variable);
    let DeclarationKind::Find(domain) = &declaration.kind else { return None };
    let is_free = domain.as_collection().is_some_and(|(kind, attributes, _)| {
        let could_state = Attribute::find(word, kind).is_some() && !kind.row().has_fixed_size();
        could_state && attributes.size().min.is_none() && attributes.size().max.is_none()
    });
    // A domain can use only names that are declared before it.
    if !is_free || number.category > Category::Parameter || mentions_from(number, variable) {
        return None;
    }
    let attribute = format!("{word} {}", number_text(subject, number));
    let warning = Diagnostic::warning(Code::SIZE_AS_CONSTRAINT, "the domain could state this")
        .at(constraint.span, format!("about the size of `{}`", declaration.name))
        .at(declaration.span, "declared here")
        .help(format!("write `({attribute})` in the domain of `{}` instead of the constraint", declaration.name))
        .note("a domain with a size has fewer values");
    let edits = edits_for_attribute(subject, &declaration.name, &attribute, constraint.span).unwrap_or_default();
    Some(Diagnostic { edits, ..warning })
}

/// The decision variable in `|x|`.
fn sized(expr: &Expr) -> Option<DeclarationId> {
    match &expr.kind {
        ExprKind::Apply(row, operands) if row.symbol == symbols::BARS => match operands.as_slice() {
            [Expr { kind: ExprKind::Global(id), category: Category::Decision, .. }] => Some(*id),
            _ => None,
        },
        _ => None,
    }
}

/// Returns true if an expression mentions this variable or a later declaration.
fn mentions_from(expr: &Expr, variable: DeclarationId) -> bool {
    let mut later = matches!(expr.kind, ExprKind::Global(id) if id >= variable);
    expr.for_each_part(&mut |part| later = later || mentions_from(part, variable));
    later
}

fn number_text(subject: &ModelText, number: &Expr) -> String {
    let text = subject.on_one_line(number.span);
    let is_word = text.chars().all(|character| character.is_alphanumeric() || character == '_');
    if is_word { text } else { format!("({text})") }
}

/// The edits that add the attribute to the domain and remove the constraint.
fn edits_for_attribute(subject: &ModelText, name: &str, attribute: &str, constraint: Span) -> Option<Vec<Edit>> {
    let domain = subject.file.statements.iter().find_map(|statement| match &statement.kind {
        // If the domain is shared with other names, they must not get the attribute.
        StatementKind::Find { names, domain } if names.len() == 1 && *names[0].text == *name => Some(domain),
        _ => None,
    })?;
    Some(vec![with_attribute(subject, domain, attribute)?, without_constraint(subject, constraint)?])
}

fn with_attribute(subject: &ModelText, domain: &ast::DomainTree, attribute: &str) -> Option<Edit> {
    let DomainKind::Collection(_, attributes, _) = &domain.kind else { return None };
    let start = domain.span.start as usize;
    let (at, text) = match attributes.first() {
        Some(first) => (first.name.span.start as usize, format!("{attribute}, ")),
        None => {
            let text = subject.text.get(start..)?;
            (start + text.find(|letter: char| !letter.is_alphabetic())?, format!(" ({attribute})"))
        }
    };
    Some(Edit { span: Span::new(subject.source, at, at), text })
}

/// Removes a constraint from its statement, or the whole statement if there is no other constraint.
fn without_constraint(subject: &ModelText, constraint: Span) -> Option<Edit> {
    let (statement, items) = subject.file.statements.iter().find_map(|statement| match &statement.kind {
        StatementKind::SuchThat(items) if statement.span.contains(constraint) => Some((statement, items)),
        _ => None,
    })?;
    let position = items.iter().position(|item| item.span == constraint)?;
    let span = match (items.get(position + 1), position.checked_sub(1).map(|before| &items[before])) {
        (Some(next), _) => Span { end: next.span.start, ..constraint },
        (None, Some(before)) => Span { start: before.span.end, ..constraint },
        (None, None) => statement.span,
    };
    Some(Edit { span, text: String::new() })
}
