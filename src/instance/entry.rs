//! The entry of a literal that a mistake is in: one pair, row, tuple or member, however long the literal is.
//!
//! The typed model has literals of constants as values, which keep only the span of the whole; the syntax tree has the
//! spans of their parts.

use crate::{
    language::{MemberForm, Type, Value, domain::ValueStep, print::MemberNames},
    operators::symbols,
    source::Span,
    syntax::ast::{self, ExprTree, ExprTreeKind},
};

/// The span of the innermost part that a path into a value leads to, as far as the literal writes it out.
pub(crate) fn place_of_entry(
    tree: &ExprTree,
    value: &Value,
    ty: &Type,
    path: &[ValueStep],
    names: &MemberNames,
) -> Span {
    let Some((step, rest)) = path.split_first() else { return tree.span };
    match (step, &tree.kind, value, ty) {
        // A type annotation takes no step of the path.
        (_, ExprTreeKind::Typed(inner, _), ..) => place_of_entry(inner, value, ty, path, names),
        (ValueStep::Element(index), ExprTreeKind::Matrix(elements, _), Value::Matrix(matrix), Type::Matrix(parts)) => {
            let position = matrix.index.members().position(|member| member == *index);
            match position.and_then(|position| Some((elements.get(position)?, matrix.elements.get(position)?))) {
                Some((element, value)) => place_of_entry(element, value, &parts[1], rest, names),
                None => tree.span,
            }
        }
        (ValueStep::Component(position), ExprTreeKind::Tuple(items), Value::Tuple(values), Type::Tuple(types)) => {
            match (items.get(*position), values.get(*position), types.get(*position)) {
                (Some(item), Some(value), Some(ty)) => place_of_entry(item, value, ty, rest, names),
                _ => tree.span,
            }
        }
        // The values of a record are sorted by the names of their fields.
        (ValueStep::Component(position), ExprTreeKind::Record(items), Value::Tuple(values), Type::Record(types)) => {
            let (Some((name, ty)), Some(value)) = (types.get(*position), values.get(*position)) else {
                return tree.span;
            };
            let item = items.iter().find(|(field, _)| field.text == *name);
            item.map_or(tree.span, |(_, item)| place_of_entry(item, value, ty, rest, names))
        }
        (
            ValueStep::Alternative(which),
            ExprTreeKind::Variant(_, inner),
            Value::Variant(_, value),
            Type::Variant(types),
        ) => types.get(*which as usize).map_or(tree.span, |(_, ty)| place_of_entry(inner, value, ty, rest, names)),
        (
            ValueStep::Argument(_) | ValueStep::Image(_) | ValueStep::Member(Value::Tuple(_)),
            ExprTreeKind::Pairs(_, pairs),
            _,
            Type::Collection(_, types),
        ) => place_of_pair(pairs, step, types, names).unwrap_or(tree.span),
        (
            ValueStep::Place(position),
            ExprTreeKind::Collection(_, members),
            Value::Collection(_, values),
            Type::Collection(_, inner),
        ) => {
            // The places in a path count from 1.
            match (members.get(position.wrapping_sub(1)), values.get(position.wrapping_sub(1))) {
                (Some(member), Some(value)) => place_of_entry(member, value, &inner[0], rest, names),
                _ => tree.span,
            }
        }
        (ValueStep::Member(member), ExprTreeKind::Collection(_, members), ..) => {
            let Some(inner) = ty.listed_member() else { return tree.span };
            let written = members.iter().find(|tree| denotes(tree, member, &inner, names));
            // The path into a relation ends at a whole tuple.
            let rest = if ty.form() == Some(MemberForm::Tuples) { &[][..] } else { rest };
            written.map_or(tree.span, |written| place_of_entry(written, member, &inner, rest, names))
        }
        (
            ValueStep::Member(value) | ValueStep::Argument(value),
            ExprTreeKind::Grouped(_, groups),
            _,
            Type::Collection(kind, types),
        ) => {
            // In a partition, a member is a whole part; in a permutation, an argument is a point of a cycle.
            let is_block = matches!(step, ValueStep::Member(_)) && kind.form() == MemberForm::Blocks;
            let place = match value {
                Value::Collection(_, block) if is_block => place_of_block(groups, block, &types[0], names),
                _ => place_of_point(groups, value, &types[0], names),
            };
            place.unwrap_or(tree.span)
        }
        _ => tree.span,
    }
}

/// The place of the pair with an argument, or of the pair that is a member.
fn place_of_pair(
    pairs: &[(ExprTree, ExprTree)],
    step: &ValueStep,
    types: &[Type],
    names: &MemberNames,
) -> Option<Span> {
    let is_meant = |argument: &ExprTree, image: &ExprTree| match step {
        ValueStep::Argument(wanted) | ValueStep::Image(wanted) => denotes(argument, wanted, &types[0], names),
        ValueStep::Member(Value::Tuple(wanted)) => {
            denotes(argument, &wanted[0], &types[0], names) && denotes(image, &wanted[1], &types[1], names)
        }
        _ => false,
    };
    let (argument, image) = pairs.iter().find(|(argument, image)| is_meant(argument, image))?;
    Some(argument.span.to(image.span))
}

/// The place of a point in a partition or a permutation.
fn place_of_point(groups: &[Vec<ExprTree>], point: &Value, ty: &Type, names: &MemberNames) -> Option<Span> {
    groups.iter().flatten().find(|item| denotes(item, point, ty, names)).map(|item| item.span)
}

/// The place of a block of a partition.
fn place_of_block(blocks: &[Vec<ExprTree>], wanted: &[Value], ty: &Type, names: &MemberNames) -> Option<Span> {
    let has = |block: &[ExprTree], value| block.iter().any(|item| denotes(item, value, ty, names));
    let is_meant = |block: &&Vec<ExprTree>| block.len() == wanted.len() && wanted.iter().all(|value| has(block, value));
    let block = blocks.iter().find(is_meant)?;
    Some(block.first()?.span.to(block.last()?.span))
}

/// Returns true if a literal denotes a value.
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
                // The members of a set may be written in any order, so each one is looked for among all values.
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

/// The value of the `letting` with this span.
pub(crate) fn written_letting(files: &[ast::File], span: Span) -> Option<&ExprTree> {
    files.iter().flat_map(|file| &file.statements).find_map(|statement| match &statement.kind {
        ast::StatementKind::Letting { value: ast::LettingValue::Expr(value), .. } if value.span == span => Some(value),
        _ => None,
    })
}
