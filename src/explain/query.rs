//! Queries of users as changes of the model, so that every query is about an instance.

use crate::{
    analysis::model::{DeclarationKind, Expr, TypedModel},
    instance::{self, Environment},
    language::{Domain, GroundDomain, MemberForm, Name, Type, print::MemberNames},
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

/// The domains of the decision variables that a partial solution is about, as far as they are known.
pub(crate) struct VariableDomains<'a> {
    pub model: &'a TypedModel,
    pub environment: Environment,
    pub names: MemberNames,
}

/// The domain of a part of a decision variable, and its type.
type PartDomain<'a> = Option<(&'a GroundDomain, &'a Type)>;

impl VariableDomains<'_> {
    fn of(&mut self, name: &Name) -> Option<(GroundDomain, &Type)> {
        let declaration = self.model.declarations.iter().find(|declared| declared.name == *name)?;
        let (DeclarationKind::Given(domain) | DeclarationKind::Find(domain)) = &declaration.kind else { return None };
        Some((instance::ground(domain, &mut self.environment).ok()?, &declaration.ty))
    }
}

/// The index at a position of a literal, counted from 0, if it is not an integer.
fn index_at(position: usize, domain: PartDomain, names: &MemberNames) -> Option<ast::ExprTreeKind> {
    let Some((Domain::Matrix(index, _), Type::Matrix(types))) = domain else { return None };
    match (&**index, &types[0]) {
        (Domain::Bool, _) => Some(ast::ExprTreeKind::Bool(position > 0)),
        (Domain::Int(set), Type::Named(named)) => {
            Some(ast::ExprTreeKind::Name(names.member(named, set.iter().nth(position)?)))
        }
        _ => None,
    }
}

/// A partial solution: whole variables as `letting`s, and parts of others as constraints.
pub(crate) struct PartialSolution {
    pub lettings: File,
    pub constraints: File,
}

impl PartialSolution {
    /// The contents of a file about decision variables. A `letting` with blanks (`_`) gives the parts that are not
    /// blank; everything without a `letting` is unknown.
    pub(crate) fn of(file: File, mut domains: Option<VariableDomains>) -> PartialSolution {
        let (mut lettings, mut constraints) = (Vec::new(), Vec::new());
        let rest = File { statements: Vec::new(), ..file };
        for statement in file.statements {
            let span = statement.span;
            match statement.kind {
                StatementKind::Letting { names, value: LettingValue::Expr(value) } if has_blanks(&value) => {
                    for name in &names {
                        let variable =
                            ast::ExprTree { kind: ast::ExprTreeKind::Name(name.text.clone()), span: name.span };
                        let names = domains.as_ref().map(|domains| domains.names.clone()).unwrap_or_default();
                        let domain = domains.as_mut().and_then(|domains| domains.of(&name.text));
                        let domain = domain.as_ref().map(|(domain, ty)| (domain, *ty));
                        let mut parts = KnownParts { names: &names, known: Vec::new() };
                        parts.add_equations(&variable, &[], &value, domain);
                        if !parts.known.is_empty() {
                            constraints.push(Statement { kind: StatementKind::SuchThat(parts.known), span });
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
        // The constraints stand for values with blanks, which are not whole.
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

/// Equations for the known parts of a variable.
struct KnownParts<'a> {
    names: &'a MemberNames,
    known: Vec<ast::ExprTree>,
}

impl KnownParts<'_> {
    /// Adds `variable[i, j] = value` for each part of a literal that is not blank. `domain` is the domain of the part
    /// that the literal stands for.
    fn add_equations(
        &mut self,
        variable: &ast::ExprTree,
        indices: &[ast::ExprTree],
        value: &ast::ExprTree,
        domain: PartDomain,
    ) {
        let span = value.span;
        let number = |number: i64| ast::ExprTree { kind: ast::ExprTreeKind::Int(number), span };
        match &value.kind {
            ast::ExprTreeKind::Wildcard => {}
            ast::ExprTreeKind::Matrix(elements, index) if has_blanks(value) => {
                // Indices start at 1 unless the literal or its type says otherwise.
                let first = index.as_deref().and_then(first_index).unwrap_or(1);
                let inside: PartDomain = match domain {
                    Some((Domain::Matrix(_, element), Type::Matrix(types))) => Some((element, &types[1])),
                    _ => None,
                };
                for (position, element) in elements.iter().enumerate() {
                    let index = match index_at(position, domain, self.names) {
                        Some(kind) => ast::ExprTree { kind, span },
                        None => number(first + position as i64),
                    };
                    let indices: Vec<ast::ExprTree> = indices.iter().cloned().chain([index]).collect();
                    self.add_equations(variable, &indices, element, inside);
                }
            }
            ast::ExprTreeKind::Tuple(items) if has_blanks(value) => {
                for (position, item) in items.iter().enumerate() {
                    let inside: PartDomain = match domain {
                        Some((Domain::Tuple(domains), Type::Tuple(types))) => {
                            domains.get(position).zip(types.get(position))
                        }
                        _ => None,
                    };
                    // These indices end here: `m[1, 2][1]` is the first component of an element of `m`.
                    let part = part_expression(variable, indices, span);
                    self.add_equations(&part, &[number(position as i64 + 1)], item, inside);
                }
            }
            ast::ExprTreeKind::Pairs(_, pairs) if has_blanks(value) => {
                for (argument, image) in pairs {
                    let function = Box::new(part_expression(variable, indices, span));
                    let kind = ast::ExprTreeKind::Call(function, vec![argument.clone()]);
                    self.add_equations(
                        &ast::ExprTree { kind, span: argument.span },
                        &[],
                        image,
                        last_part_domain(domain),
                    );
                }
            }
            ast::ExprTreeKind::Collection(_, elements) if has_blanks(value) => {
                // The members of a sequence are its images at 1, 2, and so on.
                for (position, element) in (1..).zip(elements) {
                    let sequence = Box::new(part_expression(variable, indices, span));
                    let kind = ast::ExprTreeKind::Call(sequence, vec![number(position)]);
                    self.add_equations(&ast::ExprTree { kind, span }, &[], element, last_part_domain(domain));
                }
            }
            _ => {
                let part = part_expression(variable, indices, span);
                self.known.push(ast::ExprTree::equal(part, value.clone()).at(span));
            }
        }
    }
}

/// The domain of the images of a function, or of the members of a sequence.
fn last_part_domain(domain: PartDomain) -> PartDomain {
    match domain {
        Some((Domain::Collection(_, _, domains), Type::Collection(_, types))) => domains.last().zip(types.last()),
        _ => None,
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
