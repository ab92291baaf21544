//! Suffixes of expressions: `m[i]`, `m[.., j]`, `t[1]`, `r[field]`, `f(x)`, `R(x, _)`.

use super::{
    Analysis, Reports, highest,
    mistakes::described_type,
    model::{DeclarationKind, Expr, ExprKind, Index},
};
use crate::{
    diagnostic::{Code, Diagnostic, Edit, nearest},
    language::{Collection, MemberForm, Name, Type, quotation::unquoted},
    operators::symbols,
    source::Span,
    syntax::ast::{self, FROM_SOLUTION},
};
use std::sync::Arc;

/// The largest number of successive indices that a value of this type takes.
fn index_depth(ty: &Type) -> usize {
    match ty {
        Type::Matrix(parts) => index_depth(&parts[1]).saturating_add(1),
        Type::List(item) => index_depth(item).saturating_add(1),
        Type::Tuple(_) | Type::Record(_) | Type::Variant(_) | Type::Any => usize::MAX,
        _ => 0,
    }
}

impl Analysis<'_> {
    pub(super) fn index(&mut self, base: &ast::ExprTree, indices: &[ast::WrittenIndex], span: Span) -> Expr {
        let written = base;
        let base = self.expr(written);
        if index_depth(&base.ty) < indices.len() && self.is_missing_comma(written, indices) {
            return Expr::wrong(span);
        }
        // The indices of a slice decide together which dimensions remain, so they are analysed together; plain indices
        // are applied one by one.
        if indices.iter().any(|index| matches!(index, ast::WrittenIndex::Slice(..))) {
            return self.slice(base, indices, span);
        }
        indices.iter().fold(base, |base, index| match index {
            ast::WrittenIndex::At(index) => self.element(base, index, span),
            ast::WrittenIndex::Slice(..) => base,
        })
    }

    /// Reports a missing comma between two rows of a matrix: `[[1, 2] [3, 4]]`, whose second row was read as indices of
    /// the first.
    fn is_missing_comma(&mut self, base: &ast::ExprTree, indices: &[ast::WrittenIndex]) -> bool {
        let ast::ExprTreeKind::Matrix(row, None) = &base.kind else { return false };
        let is_row = |item: &ast::ExprTree| matches!(item.kind, ast::ExprTreeKind::Matrix(..));
        let (Some(ast::WrittenIndex::At(first)), true) = (indices.first(), indices.len() > 1) else { return false };
        if row.iter().any(is_row) {
            return false;
        }
        let end = base.span.end as usize;
        let after = Span::new(base.span.source, end, end);
        let mistake = Diagnostic::error(Code::NOT_INDEXABLE, "a comma is missing between two rows")
            .at(first.span, "the next row starts here")
            .at(base.span, "the first one")
            .help("write a `,` after the first one");
        self.reports.add(Diagnostic { edits: vec![Edit { span: after, text: ",".to_owned() }], ..mistake });
        true
    }

    fn element(&mut self, base: Expr, index: &ast::ExprTree, span: Span) -> Expr {
        match base.ty.clone() {
            Type::Record(fields) => {
                let Some((position, ty)) = self.reports.field(&fields, index, "record") else {
                    return Expr::wrong(span);
                };
                let category = base.category;
                Expr::new(ExprKind::Component(Box::new(base), position), ty, category, span)
            }
            Type::Variant(_) => {
                let Some((position, ty)) = self.reports.alternative(&base, index) else { return Expr::wrong(span) };
                let category = base.category;
                Expr::new(ExprKind::Alternative(Box::new(base), position), ty, category, span)
            }
            Type::Tuple(items) => self.component(base, &items, index, span),
            Type::Matrix(_) | Type::List(_) => {
                let index = self.expr(index);
                let wanted = match &base.ty {
                    Type::Matrix(parts) => parts[0].clone(),
                    _ => Type::INT,
                };
                if index.ty.join(&wanted).is_some() {
                    return self.resolve(symbols::INDEX, vec![base, index], span);
                }
                let mut mistake = Diagnostic::error(
                    Code::NOT_INDEXABLE,
                    format!("this matrix is indexed by `{wanted}`, not by `{}`", index.ty),
                )
                .at(index.span, format!("this is `{}`", index.ty))
                .at(base.span, format!("this is `{}`", base.ty));
                if let Some(text) = self.member_at(&wanted, &index) {
                    mistake = mistake.help(format!("write `{text}`"));
                    mistake.edits.push(Edit { span: index.span, text });
                }
                // The user may have written `m[(i, j)]`.
                if let Type::Tuple(_) = index.ty {
                    mistake = mistake.help("write `m[i, j]`, without parentheses around the indices");
                }
                self.reports.add(mistake);
                Expr::wrong(span)
            }
            Type::Any => {
                // The unquoted name of a field is not an expression, and looking it up would cause a second error.
                if !matches!(index.kind, ast::ExprTreeKind::Name(_)) {
                    self.expr(index);
                }
                Expr::wrong(span)
            }
            _ => {
                self.reports.not_indexable(&base);
                Expr::wrong(span)
            }
        }
    }

    /// Returns the member of an enumerated type at a position that was written as a number.
    fn member_at(&self, ty: &Type, number: &Expr) -> Option<String> {
        let (Type::Named(named), Some(position @ 1..)) = (ty, self.model.constant_int(number)) else { return None };
        match &self.model.declarations[named.id as usize].kind {
            DeclarationKind::Enum(members) => members.get(position as usize - 1).map(|member| member.to_string()),
            _ => None,
        }
    }

    /// Analyses `t[1]`. Components are counted from 1 in Essence and from 0 in the typed model.
    fn component(&mut self, base: Expr, items: &[Type], index: &ast::ExprTree, span: Span) -> Expr {
        let index = self.expr(index);
        if index.is_wrong() {
            return index;
        }
        let count = items.len();
        let mistake = match self.model.constant_int(&index) {
            Some(position @ 1..) if position as usize <= count => {
                let ty = items[position as usize - 1].clone();
                let category = base.category;
                return Expr::new(ExprKind::Component(Box::new(base), position as u32 - 1), ty, category, span);
            }
            Some(position) => Diagnostic::error(
                Code::NOT_INDEXABLE,
                format!("this tuple has {count} components: there is no component {position}"),
            )
            .at(index.span, "no such component")
            .at(base.span, format!("this is `{}`", base.ty))
            .help(format!("write a number from 1 to {count}")),
            None => Diagnostic::error(Code::NOT_INDEXABLE, "the index of a tuple must be a literal number")
                .at(index.span, "not a literal number")
                .note("the components of a tuple may have different types"),
        };
        self.reports.add(mistake);
        Expr::wrong(span)
    }

    fn slice(&mut self, base: Expr, indices: &[ast::WrittenIndex], span: Span) -> Expr {
        let mut kept: Vec<Type> = Vec::new();
        let mut element = base.ty.clone();
        let mut typed = Vec::with_capacity(indices.len());
        // Sliced dimensions stay in the type; all others disappear.
        for index in indices {
            let (wanted, inner) = match element {
                Type::Matrix(parts) => (parts[0].clone(), parts[1].clone()),
                Type::List(inner) => (Type::INT, (*inner).clone()),
                Type::Any => (Type::Any, Type::Any),
                other => {
                    let mistake = if typed.is_empty() {
                        Diagnostic::error(Code::NOT_INDEXABLE, format!("{} has no slices", described_type(&base.ty)))
                            .at(base.span, format!("this is `{}`", base.ty))
                    } else {
                        Diagnostic::error(
                            Code::NOT_INDEXABLE,
                            format!(
                                "this slice has {} indices, but the matrix has {} dimensions",
                                indices.len(),
                                typed.len()
                            ),
                        )
                        .at(span, format!("after {} indices this is `{other}`", typed.len()))
                        .at(base.span, format!("this is `{}`", base.ty))
                    };
                    self.reports.add(mistake.note("a slice is a part of a matrix: `m[i, ..]`, `m[2..4]`"));
                    return Expr::wrong(span);
                }
            };
            typed.push(match index {
                ast::WrittenIndex::At(index) => {
                    let index = self.expr(index);
                    Index::At(self.reports.expect(index, &wanted, "this index"))
                }
                ast::WrittenIndex::Slice(low, high) => {
                    kept.push(wanted.clone());
                    let mut bound = |bound: &Option<ast::ExprTree>| {
                        bound.as_ref().map(|bound| {
                            let bound = self.expr(bound);
                            self.reports.expect(bound, &wanted, "this bound of a slice")
                        })
                    };
                    Index::Slice(bound(low), bound(high))
                }
            });
            element = inner;
        }
        // The base is checked last, so that mistakes in the indices are reported even if it is wrong.
        if base.is_wrong() {
            return Expr::wrong(span);
        }
        let ty = kept.into_iter().rev().fold(element, |element, index| Type::matrix(index, element));
        let parts = typed.iter().flat_map(|index| match index {
            Index::At(index) => vec![index],
            Index::Slice(low, high) => low.iter().chain(high).collect(),
        });
        let category = base.category.max(highest(parts));
        Expr::new(ExprKind::Slice(Box::new(base), typed), ty, category, span)
    }

    /// Analyses a call `f(x)` of something that is not an operator.
    pub(super) fn call(&mut self, function: &ast::ExprTree, operands: &[ast::ExprTree], span: Span) -> Expr {
        let callee = match &function.kind {
            ast::ExprTreeKind::Name(name) if **name == *FROM_SOLUTION && self.names.get(name).is_none() => {
                return self.in_another_solution(operands, span);
            }
            ast::ExprTreeKind::Name(name) if self.names.get(name).is_none() => {
                self.unknown_function(name, function.span);
                Expr::wrong(function.span)
            }
            _ => self.expr(function),
        };
        match callee.ty.clone() {
            Type::Collection(kind, columns) if kind.form() == MemberForm::Tuples => {
                self.project(callee, kind, &columns, operands, span)
            }
            Type::Collection(kind, _) if kind.form().is_keyed() => self.image(callee, operands, span),
            Type::Any => {
                // A wildcard is not an expression, but if the unknown callee is meant as a relation, it is correct.
                for operand in operands.iter().filter(|operand| operand.kind != ast::ExprTreeKind::Wildcard) {
                    self.expr(operand);
                }
                Expr::wrong(span)
            }
            // A comma may be missing between entries, as in `(1, 2) (3, 4)`.
            _ if matches!(function.kind, ast::ExprTreeKind::Tuple(_) | ast::ExprTreeKind::Collection(..)) => {
                let end = function.span.end;
                let edit = Edit { span: Span { start: end, ..function.span }, text: ",".to_owned() };
                let mistake = Diagnostic::error(Code::NOT_INDEXABLE, "a comma is missing between two entries")
                    .at(Span { start: end, ..span }, "the next one")
                    .at(function.span, "the first one")
                    .help("write a `,` after the first one");
                self.reports.add(Diagnostic { edits: vec![edit], ..mistake });
                Expr::wrong(span)
            }
            other => {
                let mistake = Diagnostic::error(
                    Code::TYPE_MISMATCH,
                    format!("{} cannot be applied to operands", described_type(&other)),
                )
                .at(callee.span, format!("this is `{other}`"));
                self.reports.add(match other {
                    Type::Matrix(_) | Type::List(_) | Type::Tuple(_) | Type::Record(_) | Type::Variant(_) => {
                        mistake.help("write square brackets: `m[i]`")
                    }
                    Type::Collection(kind, _) if kind.form() == MemberForm::Values => {
                        mistake.help("write `x in S` to test whether `x` is a member of `S`")
                    }
                    Type::Int(_) => mistake.help("write `*` to multiply"),
                    _ => mistake,
                });
                Expr::wrong(span)
            }
        }
    }

    fn image(&mut self, function: Expr, operands: &[ast::ExprTree], span: Span) -> Expr {
        if let [operand] = operands {
            let member = function.ty.member();
            // The members of a function are pairs, but a sequence is applied to positions.
            let expected = if let Some(Type::Tuple(sides)) = &member { sides[0].clone() } else { Type::INT };
            let operand = self.expr_expecting(operand, &expected);
            if operand.ty.join(&expected).is_some() {
                return self.resolve(symbols::IMAGE, vec![function, operand], span);
            }
            self.reports.add(
                Diagnostic::error(
                    Code::TYPE_MISMATCH,
                    format!("this function takes an argument of type `{expected}`, not `{}`", operand.ty),
                )
                .at(operand.span, format!("this is `{}`", operand.ty))
                .at(function.span, format!("this is `{}`", function.ty)),
            );
            return Expr::wrong(span);
        }
        let mistake = Diagnostic::error(
            Code::NO_OVERLOAD,
            format!("{} takes one argument, not {}", described_type(&function.ty), operands.len()),
        )
        .at(span, "several arguments")
        .at(function.span, format!("this is `{}`", function.ty));
        self.reports.add(match function.ty.as_map() {
            Some((Type::Tuple(_), _)) => {
                mistake.help("write the arguments as one tuple, with a second pair of parentheses: `f((a, b))`")
            }
            _ => mistake,
        });
        Expr::wrong(span)
    }

    /// Analyses a use of a relation: `R(a, b)` tests membership, `R(a, _)` selects tuples and drops the fixed columns.
    fn project(
        &mut self,
        relation: Expr,
        kind: Collection,
        columns: &Arc<[Type]>,
        operands: &[ast::ExprTree],
        span: Span,
    ) -> Expr {
        // An empty relation literal does not show its columns.
        let known = **columns != [Type::Any];
        if known && operands.len() != columns.len() {
            let mistake = Diagnostic::error(
                Code::NO_OVERLOAD,
                format!("this relation has {} columns; the number of operands is {}", columns.len(), operands.len()),
            )
            .at(span, "the wrong number of operands")
            .at(relation.span, format!("this is `{}`", relation.ty));
            self.reports.add(match operands {
                [ast::ExprTree { kind: ast::ExprTreeKind::Tuple(_), .. }] => {
                    mistake.help("write `R(a, b)`, without parentheses around the operands, or `(a, b) in R`")
                }
                _ => mistake.help("write `_` for a column that may be anything: `R(a, _)`"),
            });
            return Expr::wrong(span);
        }
        let mut typed = Vec::with_capacity(operands.len());
        let mut free = Vec::new();
        for (position, operand) in operands.iter().enumerate() {
            let column = columns.get(position).filter(|_| known).unwrap_or(&Type::Any);
            typed.push(if operand.kind == ast::ExprTreeKind::Wildcard {
                free.push(column.clone());
                None
            } else {
                let operand = self.expr_expecting(operand, column);
                Some(self.reports.expect(operand, column, &format!("column {} of this relation", position + 1)))
            });
        }
        let given: Vec<Expr> = typed.iter().flatten().cloned().collect();
        let category = highest(&given);
        if free.is_empty() {
            let ty = Type::Tuple(given.iter().map(|operand| operand.ty.clone()).collect());
            let tuple = Expr::new(ExprKind::Tuple(given), ty, category, span);
            return self.resolve(symbols::IMAGE, vec![relation, tuple], span);
        }
        let category = category.max(relation.category);
        Expr::new(ExprKind::Projection(Box::new(relation), typed), Type::of(kind, free), category, span)
    }
}

impl Reports<'_> {
    /// Returns the position and type of an alternative of a variant.
    pub(super) fn alternative(&mut self, variant: &Expr, field: &ast::ExprTree) -> Option<(u32, Type)> {
        match &variant.ty {
            Type::Variant(alternatives) => self.field(&alternatives.clone(), field, "variant"),
            Type::Any => None,
            other => {
                self.add(
                    Diagnostic::error(
                        Code::TYPE_MISMATCH,
                        format!("a variant is needed here, not {}", described_type(other)),
                    )
                    .at(variant.span, format!("this is `{other}`")),
                );
                None
            }
        }
    }

    fn field(&mut self, fields: &Arc<[(Name, Type)]>, index: &ast::ExprTree, what: &str) -> Option<(u32, Type)> {
        let names = || fields.iter().map(|(name, _)| &**name);
        let all = || names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let mistake = match &index.kind {
            ast::ExprTreeKind::Name(name) => {
                if let Some(position) = fields.iter().position(|(field, _)| field == name) {
                    return Some((position as u32, fields[position].1.clone()));
                }
                let mistake = Diagnostic::error(Code::NOT_INDEXABLE, format!("this {what} has no field `{name}`"))
                    .at(index.span, "no such field");
                // A field in JSON may have quotes in one place but not in another.
                let meant = names().find(|known| unquoted(known) == unquoted(name));
                match meant.or_else(|| nearest(name, names())) {
                    Some(known) if meant.is_some() && !known.starts_with('"') => {
                        let edits = vec![Edit { span: index.span, text: known.to_owned() }];
                        Diagnostic { edits, ..mistake.help(format!("write `{known}`, without quotes")) }
                    }
                    Some(known) => mistake.help(format!("did you mean `{known}`?")),
                    None => mistake.note(format!("its fields are {}", all())),
                }
            }
            _ => Diagnostic::error(Code::NOT_INDEXABLE, format!("the index of a {what} must be the name of a field"))
                .at(index.span, "not the name of a field")
                .note(format!("its fields are {}", all())),
        };
        self.add(mistake);
        None
    }

    fn not_indexable(&mut self, base: &Expr) {
        let mistake = Diagnostic::error(
            Code::NOT_INDEXABLE,
            format!("{} cannot be indexed with `[…]`", described_type(&base.ty)),
        )
        .at(base.span, format!("this is `{}`", base.ty));
        self.add(match &base.ty {
            Type::Collection(kind, _) if kind.form().is_keyed() => mistake.help("write round parentheses: `f(x)`"),
            ty => match ty.form() {
                Some(MemberForm::Tuples) => mistake.help("write round parentheses: `R(x, y)`"),
                Some(MemberForm::Values) => mistake.note("the members of a set have no order"),
                _ => mistake,
            },
        });
    }
}
