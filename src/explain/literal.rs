//! Values as syntax trees, so that a statement whose names are replaced by values is still Essence.

use crate::{
    language::{GroundDomain, MemberForm, Type, Value, print::MemberNames},
    source::{SourceId, Span},
    syntax::{
        self,
        ast::{DomainKind, DomainTree, ExprTree, ExprTreeKind, Identifier, WrittenRange},
    },
};

/// The literal of a value.
pub(crate) fn literal(value: &Value, ty: &Type, names: &MemberNames) -> ExprTree {
    let each = |items: &[Value], ty: &Type| items.iter().map(|item| literal(item, ty, names)).collect::<Vec<_>>();
    ExprTree::made(match (value, ty) {
        (Value::Bool(value), _) => ExprTreeKind::Bool(*value),
        (Value::Int(value), Type::Named(named)) => ExprTreeKind::Name(names.member(named, *value)),
        (Value::Int(value), _) => ExprTreeKind::Int(*value),
        (Value::Tuple(items), Type::Tuple(types)) => {
            ExprTreeKind::Tuple(items.iter().zip(types.iter()).map(|(item, ty)| literal(item, ty, names)).collect())
        }
        (Value::Tuple(items), Type::Record(fields)) => ExprTreeKind::Record(
            items
                .iter()
                .zip(fields.iter())
                .map(|(item, (name, ty))| {
                    (Identifier { text: name.clone(), span: Span::default() }, literal(item, ty, names))
                })
                .collect(),
        ),
        (Value::Matrix(matrix), Type::Matrix(_) | Type::List(_)) => {
            let element = match ty {
                Type::Matrix(parts) => &parts[1],
                Type::List(element) => element,
                _ => &Type::Any,
            };
            // Some index domains cannot be written, such as a domain with holes in another type. The matrix is then
            // printed as a value.
            let Some(index) = index(&matrix.index, ty) else { return tree_of_value(value, ty, names) };
            ExprTreeKind::Matrix(each(&matrix.elements, element), index)
        }
        (Value::Collection(kind, items), Type::Collection(..)) if kind.form().writes_members() => {
            ExprTreeKind::Collection(*kind, each(items, &ty.listed_member().unwrap_or(Type::Any)))
        }
        (Value::Mapping(kind, pairs), Type::Collection(_, types)) if kind.form() == MemberForm::Pairs => {
            ExprTreeKind::Pairs(
                *kind,
                pairs
                    .iter()
                    .map(|(argument, image)| (literal(argument, &types[0], names), literal(image, &types[1], names)))
                    .collect(),
            )
        }
        _ => return tree_of_value(value, ty, names),
    })
}

/// The index domain of a matrix literal: `Some(None)` if the indices count from 1; `None` if the domain cannot be
/// written.
fn index(domain: &GroundDomain, ty: &Type) -> Option<Option<Box<DomainTree>>> {
    let GroundDomain::Int(values) = domain else { return None };
    let ranges = values.ranges();
    // Indices of a named type are not integers in the text.
    let is_named = matches!(ty, Type::Matrix(parts) if matches!(parts[0], Type::Named(_)));
    if ranges.is_empty() || matches!(ranges, [(1, _)]) || is_named {
        return Some(None);
    }
    let number = |value: i64| ExprTree::made(ExprTreeKind::Int(value));
    let range = |(low, high): &(i64, i64)| match low == high {
        true => WrittenRange::Single(number(*low)),
        false => WrittenRange::Interval(Some(number(*low)), Some(number(*high))),
    };
    let kind = DomainKind::Int { tag: None, ranges: Some(ranges.iter().map(range).collect()) };
    Some(Some(Box::new(DomainTree { kind, span: Span::default() })))
}

/// The literal of a value as it is printed in solutions.
fn tree_of_value(value: &Value, ty: &Type, names: &MemberNames) -> ExprTree {
    let text = names.show(value, ty);
    parsed(&text).unwrap_or_else(|| ExprTree::made(ExprTreeKind::Name(text.into())))
}

/// The tree of an expression's text.
pub(crate) fn parsed(text: &str) -> Option<ExprTree> {
    syntax::parse_expression(SourceId::default(), text).ok()
}
