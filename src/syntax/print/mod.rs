//! Printing: tree to text, in the layout of Conjure.
//!
//! Parsing the printed text gives the same tree. Comments stay between the same tokens (`comments`). Several blank
//! lines between statements, constraints and their comments become one.
//!
//! You may change the layout. `fmt` relies on two properties, which tests check: printing preserves the tree, and
//! printing twice changes nothing.

mod comments;
pub(crate) mod conjure;
mod domains;
mod expressions;

use super::ast::{Comment, DomainTree, ExprTree, File, Identifier, LettingValue, Statement, StatementKind, order_word};
use crate::{
    language::document::{
        Blank,
        LayoutDocument::{self, Concat, Line},
    },
    memory,
};
use comments::FilePart;

/// Prints a file in canonical layout without its comments, in lines of at most `width` characters if possible.
pub(crate) fn print_file(file: &File, width: usize) -> String {
    laid_out(file, &[], "", width)
}

/// Prints a file in canonical layout with the comments and blank lines of the `source` that it was parsed from.
pub(crate) fn print_with_comments(file: &File, source: &str, width: usize) -> String {
    laid_out(file, &file.comments, source, width)
}

fn laid_out(file: &File, comments: &[Comment], source: &str, width: usize) -> String {
    // Documents have the depth of their trees.
    memory::with_deep_stack(|| {
        let document = comments::with_comments(file_parts(file, source), comments, source);
        let text = document.render(0, 0, width);
        text.trim_end_matches([' ', '\n']).to_owned() + "\n"
    })
}

/// Prints an expression, on several lines if needed.
pub(crate) fn expr(expr: &ExprTree, width: usize) -> String {
    memory::with_deep_stack(|| expressions::expression_document(expr, expressions::ALONE).render(0, 0, width))
}

/// Prints a domain, on several lines if needed.
pub(crate) fn print_domain(domain: &DomainTree, width: usize) -> String {
    memory::with_deep_stack(|| domains::domain_document(domain).render(0, 0, width))
}

/// Returns the header and the statements, each of them on a new line.
fn file_parts(file: &File, source: &str) -> Vec<FilePart> {
    let header = file.effective_header();
    let version: Vec<String> = header.version.iter().map(u64::to_string).collect();
    let words = format!("language {} {}", header.language, version.join("."));
    let mut parts = vec![FilePart { document: words.trim_end().into(), span: header.span }];
    for (number, statement) in file.statements.iter().enumerate() {
        let before_text = comments::blank_line_before(source, statement.span.start);
        // The header is always followed by a blank line.
        let new_line = LayoutDocument::Break(Blank { before_text, first: (number == 0).then_some(true) });
        let document = new_line.then(whole_statement(statement, source));
        parts.push(FilePart { document, span: statement.span });
    }
    parts
}

fn whole_statement(statement: &Statement, source: &str) -> LayoutDocument {
    match &statement.kind {
        StatementKind::SuchThat(items) => constraints("such that", items, source),
        StatementKind::Where(items) => constraints("where", items, source),
        kind => simple_statement(kind),
    }
}

/// Prints constraints: a single one on the line of its keyword if it fits, and several ones below each other.
fn constraints(keyword: &str, constraints: &[ExprTree], source: &str) -> LayoutDocument {
    if let [only] = constraints {
        let rest = Concat(vec![Line, expressions::expression_document(only, expressions::ALONE)]).nest(4);
        return LayoutDocument::from(keyword).then(rest).group();
    }
    let mut parts = vec![LayoutDocument::from(keyword)];
    for (number, constraint) in constraints.iter().enumerate() {
        if number > 0 {
            parts.push(",".into());
        }
        let before_text = comments::blank_line_before(source, constraint.span.start);
        // A blank line after the keyword is removed.
        let new_line = LayoutDocument::Break(Blank { before_text, first: (number == 0).then_some(false) });
        parts.push(new_line.then(expressions::expression_document(constraint, expressions::ALONE)).nest(4));
    }
    Concat(parts)
}

/// Prints a statement that is not a list of constraints.
fn simple_statement(kind: &StatementKind) -> LayoutDocument {
    let continued =
        |head: String, rest: LayoutDocument| LayoutDocument::from(head).then(Concat(vec![Line, rest])).nest(8).group();
    match kind {
        StatementKind::Given { names, domain } => {
            continued(format!("given {}:", listed_identifiers(names)), domains::domain_document(domain))
        }
        StatementKind::Find { names, domain } => {
            continued(format!("find {}:", listed_identifiers(names)), domains::domain_document(domain))
        }
        StatementKind::GivenEnum { names } => {
            LayoutDocument::from(format!("given {} new type enum", listed_identifiers(names))).nest(8)
        }
        StatementKind::Letting { names, value } => {
            let head = format!("letting {} be", listed_identifiers(names));
            match value {
                LettingValue::Expr(value) => {
                    continued(head, expressions::expression_document(value, expressions::ALONE))
                }
                LettingValue::Domain(value) => continued(head + " domain", domains::domain_document(value)),
                LettingValue::Enum(members) => {
                    let members = members.iter().map(|member| LayoutDocument::from(&*member.text));
                    let members = LayoutDocument::filled(members);
                    LayoutDocument::from(head + " new type enum {").then(members).then("}").nest(8)
                }
                LettingValue::Unnamed(size) => {
                    continued(head + " new type of size", expressions::expression_document(size, expressions::ALONE))
                }
            }
        }
        StatementKind::Objective { value, directions, .. } if !directions.is_empty() => {
            let goals = value.trade_offs().unwrap_or_default().iter().zip(directions);
            let goals = goals.map(|(goal, direction)| {
                let goal = expressions::expression_document(goal, expressions::ALONE);
                LayoutDocument::from(format!("{} ", direction.keyword())).then(goal)
            });
            LayoutDocument::from("dominance relation pareto(").then(LayoutDocument::filled(goals)).then(")").nest(8)
        }
        StatementKind::Objective { sense, value, .. } => {
            continued(sense.keyword().to_owned(), expressions::expression_document(value, expressions::ALONE))
        }
        StatementKind::Dominance { form, relation } => {
            continued(form.keyword().to_owned(), expressions::expression_document(relation, expressions::ALONE))
        }
        StatementKind::Incomparability { order, value } => {
            let head = format!("incomparability_function {}", order_word(*order));
            continued(head, expressions::expression_document(value, expressions::ALONE))
        }
        StatementKind::BranchingOn(items) => list_of("branching on [", items).then("]"),
        StatementKind::Heuristic(name) => LayoutDocument::from(format!("heuristic {}", name.text)).nest(8),
        StatementKind::SuchThat(items) => list_of("such that ", items),
        StatementKind::Where(items) => list_of("where ", items),
    }
}

fn list_of(head: &str, items: &[ExprTree]) -> LayoutDocument {
    let items = items.iter().map(|item| expressions::expression_document(item, expressions::ALONE));
    LayoutDocument::from(head).then(LayoutDocument::filled(items)).nest(8)
}

fn listed_identifiers(names: &[Identifier]) -> String {
    names.iter().map(|name| &*name.text).collect::<Vec<_>>().join(", ")
}
