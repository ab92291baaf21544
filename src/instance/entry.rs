//! The entry of a literal that a mistake is in: one pair, row, tuple or member of it, however long it is.
//!
//! The typed model has literals of constants as values, which remember the place of the whole alone; the syntax tree
//! has the places of their parts.

use crate::{
    language::{MemberForm, Type, Value, domain::ValueStep, print::MemberNames},
    operators::symbols,
    source::Span,
    syntax::ast::{self, ExprTree, ExprTreeKind},
};

/// The place of the innermost part to which a path into a value leads, as far as the literal writes it out.
pub(crate) fn place(tree: &ExprTree, value: &Value, ty: &Type, path: &[ValueStep], names: &MemberNames) -> Span {
    let Some((step, rest)) = path.split_first() else { return tree.span };
    match (step, &tree.kind, value, ty) {
        (_, ExprTreeKind::Typed(inner, _), ..) => place(inner, value, ty, path, names),
        (ValueStep::Element(index), ExprTreeKind::Matrix(elements, _), Value::Matrix(matrix), Type::Matrix(parts)) => {
            let position = matrix.index.members().position(|member| member == *index);
            match position.and_then(|position| Some((elements.get(position)?, matrix.elements.get(position)?))) {
                Some((element, value)) => place(element, value, &parts[1], rest, names),
                None => tree.span,
            }
        }
        (ValueStep::Component(position), ExprTreeKind::Tuple(items), Value::Tuple(values), Type::Tuple(types)) => {
            match (items.get(*position), values.get(*position), types.get(*position)) {
                (Some(item), Some(value), Some(ty)) => place(item, value, ty, rest, names),
                _ => tree.span,
            }
        }
        // The values of a record are in the order of its fields' names.
        (ValueStep::Component(position), ExprTreeKind::Record(items), Value::Tuple(values), Type::Record(types)) => {
            let (Some((name, ty)), Some(value)) = (types.get(*position), values.get(*position)) else {
                return tree.span;
            };
            let item = items.iter().find(|(field, _)| field.text == *name);
            item.map_or(tree.span, |(_, item)| place(item, value, ty, rest, names))
        }
        (
            ValueStep::Alternative(which),
            ExprTreeKind::Variant(_, inner),
            Value::Variant(_, value),
            Type::Variant(types),
        ) => types.get(*which as usize).map_or(tree.span, |(_, ty)| place(inner, value, ty, rest, names)),
        (
            ValueStep::Argument(argument) | ValueStep::Image(argument),
            ExprTreeKind::Pairs(_, pairs),
            _,
            Type::Collection(_, types),
        ) => {
            let pair = pairs.iter().find(|pair| denotes(&pair.0, argument, &types[0], names));
            pair.map_or(tree.span, |(argument, image)| argument.span.to(image.span))
        }
        (ValueStep::Member(Value::Tuple(wanted)), ExprTreeKind::Pairs(_, pairs), _, Type::Collection(_, types)) => {
            let pair = pairs.iter().find(|(argument, image)| {
                denotes(argument, &wanted[0], &types[0], names) && denotes(image, &wanted[1], &types[1], names)
            });
            pair.map_or(tree.span, |(argument, image)| argument.span.to(image.span))
        }
        (
            ValueStep::Place(position),
            ExprTreeKind::Collection(_, members),
            Value::Collection(_, values),
            Type::Collection(_, inner),
        ) => {
            let position = position.saturating_sub(1);
            match (members.get(position), values.get(position)) {
                (Some(member), Some(value)) => place(member, value, &inner[0], rest, names),
                _ => tree.span,
            }
        }
        (ValueStep::Member(member), ExprTreeKind::Collection(_, members), ..) => {
            let Some(inner) = ty.listed_member() else { return tree.span };
            let written = members.iter().find(|tree| denotes(tree, member, &inner, names));
            // One entry of a relation is a whole tuple.
            let rest = if ty.form() == Some(MemberForm::Tuples) { &[][..] } else { rest };
            written.map_or(tree.span, |written| place(written, member, &inner, rest, names))
        }
        (
            ValueStep::Member(Value::Collection(_, wanted)),
            ExprTreeKind::Grouped(_, parts),
            _,
            Type::Collection(kind, inner),
        ) if kind.form() == MemberForm::Blocks => {
            let part = parts.iter().find(|part| {
                part.len() == wanted.len()
                    && wanted.iter().all(|value| part.iter().any(|item| denotes(item, value, &inner[0], names)))
            });
            part.and_then(|part| Some(part.first()?.span.to(part.last()?.span))).unwrap_or(tree.span)
        }
        (
            ValueStep::Member(value) | ValueStep::Argument(value),
            ExprTreeKind::Grouped(_, groups),
            _,
            Type::Collection(_, points),
        ) => {
            let point = groups.iter().flatten().find(|point| denotes(point, value, &points[0], names));
            point.map_or(tree.span, |point| point.span)
        }
        _ => tree.span,
    }
}

/// Whether a literal denotes a value.
pub(crate) fn denotes(tree: &ExprTree, value: &Value, ty: &Type, names: &MemberNames) -> bool {
    match (&tree.kind, value, ty) {
        (ExprTreeKind::Int(number) | ExprTreeKind::TaggedInt(number, _), Value::Int(value), _) => number == value,
        (ExprTreeKind::Bool(written), Value::Bool(value), _) => written == value,
        (ExprTreeKind::Name(name), Value::Int(value), Type::Named(named)) => *names.member(named, *value) == **name,
        (ExprTreeKind::Apply(operator, operands), Value::Int(value), _) if *operator == symbols::NEGATE => {
            value.checked_neg().is_some_and(|value| denotes(&operands[0], &Value::Int(value), ty, names))
        }
        (ExprTreeKind::Tuple(items), Value::Tuple(values), Type::Tuple(types)) => {
            let parts = items.iter().zip(values.iter()).zip(types.iter());
            items.len() == values.len() && parts.into_iter().all(|((item, value), ty)| denotes(item, value, ty, names))
        }
        (ExprTreeKind::Collection(_, items), Value::Collection(kind, values), Type::Collection(_, ty)) => {
            match kind.form() {
                MemberForm::Values if !kind.row().has_occurrences() => {
                    items.len() == values.len()
                        && values.iter().all(|value| items.iter().any(|item| denotes(item, value, &ty[0], names)))
                }
                MemberForm::Positions => {
                    items.len() == values.len()
                        && items.iter().zip(values.iter()).all(|(item, value)| denotes(item, value, &ty[0], names))
                }
                _ => false,
            }
        }
        (ExprTreeKind::Matrix(items, _), Value::Matrix(matrix), Type::Matrix(parts)) => {
            items.len() == matrix.elements.len()
                && items.iter().zip(&matrix.elements).all(|(item, value)| denotes(item, value, &parts[1], names))
        }
        _ => false,
    }
}

/// The value of the `letting` at a place.
pub(crate) fn written(files: &[ast::File], span: Span) -> Option<&ExprTree> {
    files.iter().flat_map(|file| &file.statements).find_map(|statement| match &statement.kind {
        ast::StatementKind::Letting { value: ast::LettingValue::Expr(value), .. } if value.span == span => Some(value),
        _ => None,
    })
}
