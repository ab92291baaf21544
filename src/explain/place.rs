//! Where a part of a literal stands: literals of constants are values in a typed model, which remembers the place of the
//! whole alone, so that the text is read again.

use crate::{
    language::{Type, Value, domain::Step, print::MemberNames},
    operators::symbols,
    source::{Sources, Span},
    syntax::{self, ast},
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What stands before a literal to make a file of it.
const BEGIN: &str = "letting it be ";

/// Literals that have been read again.
#[derive(Default)]
pub struct Literals(FxHashMap<Span, Option<Rc<ast::Expr>>>);

impl Literals {
    /// The place of the part of a literal that a path into its value leads to, if it is written out.
    pub fn place(
        &mut self,
        (sources, names): (&Sources, &MemberNames),
        literal: Span,
        value: &Value,
        ty: &Type,
        path: &[Step],
    ) -> Option<Span> {
        let tree = self.0.entry(literal).or_insert_with(|| {
            let mut diagnostics = Vec::new();
            let text = format!("{BEGIN}{}", sources.text(literal));
            let file = syntax::parse(literal.source, &text, &mut diagnostics);
            let statement = file.statements.into_iter().next()?;
            match statement.kind {
                ast::StatementKind::Letting { value: ast::LettingValue::Expr(value), .. } if diagnostics.is_empty() => {
                    Some(Rc::new(value))
                }
                _ => None,
            }
        });
        let found = part(tree.as_ref()?, value, ty, path, names)?;
        let moved = |offset: u32| (offset as usize + literal.start as usize).checked_sub(BEGIN.len());
        Some(Span::new(literal.source, moved(found.start)?, moved(found.end)?))
    }
}

fn part(tree: &ast::Expr, value: &Value, ty: &Type, path: &[Step], names: &MemberNames) -> Option<Span> {
    let Some((step, rest)) = path.split_first() else { return Some(tree.span) };
    match (step, &tree.kind, value, ty) {
        (Step::Element(index), ast::ExprKind::Matrix(elements, _), Value::Matrix(matrix), Type::Matrix(parts)) => {
            let position = matrix.index.members().position(|member| member == *index)?;
            part(elements.get(position)?, matrix.elements.get(position)?, &parts.1, rest, names)
        }
        (Step::Component(position), ast::ExprKind::Tuple(items), Value::Tuple(values), Type::Tuple(types)) => {
            part(items.get(*position)?, values.get(*position)?, types.get(*position)?, rest, names)
        }
        (Step::Member(member), ast::ExprKind::Function(pairs), _, Type::Function(types)) => {
            let Value::Tuple(wanted) = member else { return None };
            let (argument, image) = pairs.iter().find(|(argument, image)| {
                denotes(argument, &wanted[0], &types.0, names) && denotes(image, &wanted[1], &types.1, names)
            })?;
            Some(argument.span.to(image.span))
        }
        (Step::Image(argument), ast::ExprKind::Function(pairs), _, Type::Function(types)) => {
            let (argument, image) = pairs.iter().find(|pair| denotes(&pair.0, argument, &types.0, names))?;
            Some(argument.span.to(image.span))
        }
        (Step::Place(place), ast::ExprKind::Collection(_, members), ..) => {
            members.get(place.checked_sub(1)?).map(|member| member.span)
        }
        (Step::Member(member), ast::ExprKind::Collection(_, members), ..) => {
            let tuple;
            let ty = match ty {
                Type::Set(ty) | Type::MSet(ty) => &**ty,
                Type::Relation(types) => {
                    tuple = Type::Tuple(types.clone());
                    &tuple
                }
                _ => return None,
            };
            members.iter().find(|tree| denotes(tree, member, ty, names)).map(|member| member.span)
        }
        _ => None,
    }
}

/// Whether a literal is written for a value.
fn denotes(tree: &ast::Expr, value: &Value, ty: &Type, names: &MemberNames) -> bool {
    match (&tree.kind, value, ty) {
        (ast::ExprKind::Int(number), Value::Int(value), _) => number == value,
        (ast::ExprKind::Bool(written), Value::Bool(value), _) => written == value,
        (ast::ExprKind::Name(name), Value::Int(value), Type::Named(named)) => *names.member(named, *value) == **name,
        (ast::ExprKind::Apply(operator, operands), Value::Int(value), _) if *operator == symbols::NEGATE => {
            denotes(&operands[0], &Value::Int(-value), ty, names)
        }
        (ast::ExprKind::Tuple(items), Value::Tuple(values), Type::Tuple(types)) => {
            items.len() == values.len()
                && items
                    .iter()
                    .zip(values.iter())
                    .zip(types.iter())
                    .all(|((item, value), ty)| denotes(item, value, ty, names))
        }
        (ast::ExprKind::Collection(_, items), Value::Set(values), Type::Set(ty)) => {
            items.len() == values.len()
                && values.iter().all(|value| items.iter().any(|item| denotes(item, value, ty, names)))
        }
        _ => false,
    }
}
