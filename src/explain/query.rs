//! Queries of users as changes of the model, so that every query is about an instance.

use crate::{
    analysis::model::{Expr, TypedModel},
    language::MemberForm,
    source::Span,
    syntax::ast::{self, File, LettingValue, Statement, StatementKind, WrittenIndex},
};

/// The model with its `where` conditions as its only constraints.
pub(crate) fn wheres_as_constraints(model: File) -> File {
    let statements = model.statements.into_iter().filter_map(|statement| {
        let kind = match statement.kind {
            StatementKind::Where(conditions) => StatementKind::SuchThat(conditions),
            StatementKind::SuchThat(_)
            | StatementKind::Objective { .. }
            | StatementKind::Dominance { .. }
            | StatementKind::Incomparability { .. }
            | StatementKind::BranchingOn(_)
            | StatementKind::Heuristic(_) => return None,
            other => other,
        };
        Some(Statement { kind, ..statement })
    });
    File { statements: statements.collect(), ..model }
}

/// Adds the constraints of another text to a model; returns their number.
pub(crate) fn with_constraints(model: &mut File, text: File) -> usize {
    let mut count = 0;
    for statement in text.statements {
        if let StatementKind::SuchThat(conditions) = &statement.kind {
            count += conditions.len();
            model.statements.push(statement);
        }
    }
    count
}

/// Removes the last `count` constraints of a model, and returns them.
pub(crate) fn split_off(model: &mut TypedModel, count: usize) -> Vec<Expr> {
    model.constraints.split_off(model.constraints.len().saturating_sub(count))
}

/// A partial solution: whole variables as `letting`s, and parts of others as constraints.
pub(crate) struct PartialSolution {
    pub lettings: File,
    pub constraints: File,
}

impl PartialSolution {
    /// The contents of a file about decision variables. A `letting` with blanks (`_`) gives the parts that are not
    /// blank; everything without a `letting` is unknown.
    pub(crate) fn of(file: File) -> PartialSolution {
        let (mut lettings, mut constraints) = (Vec::new(), Vec::new());
        let rest = File { statements: Vec::new(), ..file };
        for statement in file.statements {
            let span = statement.span;
            match statement.kind {
                StatementKind::Letting { names, value: LettingValue::Expr(value) } if has_blanks(&value) => {
                    for name in &names {
                        let variable =
                            ast::ExprTree { kind: ast::ExprTreeKind::Name(name.text.clone()), span: name.span };
                        let mut known = Vec::new();
                        equations_of_parts(&variable, &[], &value, &mut known);
                        if !known.is_empty() {
                            constraints.push(Statement { kind: StatementKind::SuchThat(known), span });
                        }
                    }
                }
                kind @ StatementKind::SuchThat(_) => constraints.push(Statement { kind, span }),
                kind => lettings.push(Statement { kind, span }),
            }
        }
        let with = |statements| File { statements, ..rest.clone() };
        PartialSolution { lettings: with(lettings), constraints: with(constraints) }
    }

    /// Returns true if the file gives this name a whole value.
    pub(crate) fn has_value(&self, wanted: &str) -> bool {
        let is_in_table = self.lettings.known.iter().any(|known| *known.name.text == *wanted);
        is_in_table
            || self.lettings.statements.iter().any(|statement| match &statement.kind {
                StatementKind::Letting { names, .. } => names.iter().any(|name| *name.text == *wanted),
                _ => false,
            })
    }

    /// Returns true if every decision variable of a model has a whole value.
    pub(crate) fn is_whole(&self, model: &File) -> bool {
        let known = |names: &[ast::Identifier]| names.iter().all(|name| self.has_value(&name.text));
        // A constraint comes from a value with blanks, so a part is unknown.
        self.constraints.statements.is_empty()
            && model.statements.iter().all(|statement| match &statement.kind {
                StatementKind::Find { names, .. } => known(names),
                _ => true,
            })
    }
}

fn has_blanks(value: &ast::ExprTree) -> bool {
    match &value.kind {
        ast::ExprTreeKind::Wildcard => true,
        ast::ExprTreeKind::Matrix(elements, _) => elements.iter().any(has_blanks),
        ast::ExprTreeKind::Pairs(_, pairs) => pairs.iter().any(|(_, image)| has_blanks(image)),
        ast::ExprTreeKind::Collection(kind, elements) if kind.form() == MemberForm::Positions => {
            elements.iter().any(has_blanks)
        }
        ast::ExprTreeKind::Tuple(items) => items.iter().any(has_blanks),
        _ => false,
    }
}

/// The equations `variable[i, j] = value` for the parts of a literal that are not blank.
fn equations_of_parts(
    variable: &ast::ExprTree,
    indices: &[ast::ExprTree],
    value: &ast::ExprTree,
    known: &mut Vec<ast::ExprTree>,
) {
    let span = value.span;
    let number = |number: i64| ast::ExprTree { kind: ast::ExprTreeKind::Int(number), span };
    match &value.kind {
        ast::ExprTreeKind::Wildcard => {}
        ast::ExprTreeKind::Matrix(elements, index) if has_blanks(value) => {
            // A matrix literal without an index domain is indexed from 1.
            let first = index.as_deref().and_then(first_index).unwrap_or(1);
            for (position, element) in (first..).zip(elements) {
                let indices: Vec<ast::ExprTree> = indices.iter().cloned().chain([number(position)]).collect();
                equations_of_parts(variable, &indices, element, known);
            }
        }
        ast::ExprTreeKind::Tuple(items) if has_blanks(value) => {
            for (position, item) in (1..).zip(items) {
                let part = part_expression(variable, indices, span);
                equations_of_parts(&part, &[number(position)], item, known);
            }
        }
        ast::ExprTreeKind::Pairs(_, pairs) if has_blanks(value) => {
            for (argument, image) in pairs {
                let function = Box::new(part_expression(variable, indices, span));
                let kind = ast::ExprTreeKind::Call(function, vec![argument.clone()]);
                equations_of_parts(&ast::ExprTree { kind, span: argument.span }, &[], image, known);
            }
        }
        ast::ExprTreeKind::Collection(_, elements) if has_blanks(value) => {
            for (position, element) in (1..).zip(elements) {
                // An element of a sequence is written as a call: `s(2)`.
                let kind =
                    ast::ExprTreeKind::Call(Box::new(part_expression(variable, indices, span)), vec![number(position)]);
                equations_of_parts(&ast::ExprTree { kind, span }, &[], element, known);
            }
        }
        _ => {
            known.push(ast::ExprTree::equal(part_expression(variable, indices, span), value.clone()).at(span));
        }
    }
}

fn part_expression(variable: &ast::ExprTree, indices: &[ast::ExprTree], span: Span) -> ast::ExprTree {
    if indices.is_empty() {
        return ast::ExprTree { span, ..variable.clone() };
    }
    let indices = indices.iter().cloned().map(WrittenIndex::At).collect();
    ast::ExprTree { kind: ast::ExprTreeKind::Index(Box::new(variable.clone()), indices), span }
}

/// The first index of `int(a..b)`.
fn first_index(index: &ast::DomainTree) -> Option<i64> {
    let ast::DomainKind::Int { ranges: Some(ranges), .. } = &index.kind else { return None };
    let first = match ranges.first()? {
        ast::WrittenRange::Single(value) | ast::WrittenRange::Interval(Some(value), _) => value,
        ast::WrittenRange::Interval(None, _) => return None,
    };
    match first.kind {
        ast::ExprTreeKind::Int(value) => Some(value),
        _ => None,
    }
}
