//! The spans of parts in values written in JSON.

use crate::{
    language::{Type, Value, domain::ValueStep, print::MemberNames, quotation::unquoted},
    source::Span,
    syntax::json::{Json, JsonKind},
};

/// The span of the part at a path, if it is written out.
pub(super) fn json_span(
    json: &Json,
    value: &Value,
    ty: &Type,
    path: &[ValueStep],
    names: &MemberNames,
) -> Option<Span> {
    let Some((step, rest)) = path.split_first() else { return Some(json.span) };
    match (step, value, ty) {
        (ValueStep::Element(index), Value::Matrix(matrix), Type::Matrix(parts)) => {
            let position = matrix.index.members().position(|member| member == *index)?;
            let element = match &json.kind {
                JsonKind::Array(elements) => elements.get(position)?,
                // The keys of an object may be the indices of a matrix: `{"1": 4, "2": 7}`.
                JsonKind::Object(_) => entry(json, index, &parts[0], names)?.1,
                _ => return None,
            };
            json_span(element, matrix.elements.get(position)?, &parts[1], rest, names)
        }
        (ValueStep::Component(position), Value::Tuple(values), Type::Tuple(types)) => {
            let JsonKind::Array(items) = &json.kind else { return None };
            json_span(items.get(*position)?, values.get(*position)?, types.get(*position)?, rest, names)
        }
        (ValueStep::Component(position), Value::Tuple(values), Type::Record(fields)) => {
            let JsonKind::Object(members) = &json.kind else { return None };
            let (name, ty) = fields.get(*position)?;
            let (_, field) = members.iter().find(|(key, _)| key.text == **name)?;
            json_span(field, values.get(*position)?, ty, rest, names)
        }
        (ValueStep::Image(wanted), Value::Mapping(_, pairs), Type::Collection(_, types)) => {
            let (span, image) = entry(json, wanted, &types[0], names)?;
            let (_, value) = pairs.iter().find(|(known, _)| known == wanted)?;
            if rest.is_empty() { Some(span) } else { json_span(image, value, &types[1], rest, names) }
        }
        (ValueStep::Member(Value::Tuple(pair)), Value::Mapping(..), Type::Collection(_, types)) => {
            Some(entry(json, &pair[0], &types[0], names)?.0)
        }
        (ValueStep::Member(member), ..) => {
            let (JsonKind::Array(members), ty) = (&json.kind, ty.listed_member()?) else { return None };
            members.iter().find(|one| denotes_json(one, member, &ty, names)).map(|one| one.span)
        }
        (ValueStep::Place(place), ..) => {
            let JsonKind::Array(members) = &json.kind else { return None };
            members.get(place.checked_sub(1)?).map(|member| member.span)
        }
        _ => None,
    }
}

/// The entry of an argument, and its image: a member of an object, or a pair in an array.
fn entry<'j>(json: &'j Json, argument: &Value, ty: &Type, names: &MemberNames) -> Option<(Span, &'j Json)> {
    match &json.kind {
        JsonKind::Object(members) => {
            let wanted = squeezed(&names.show(argument, ty));
            let (key, image) = members.iter().find(|(key, _)| squeezed(&key.text) == wanted)?;
            Some((key.span.to(image.span), image))
        }
        JsonKind::Array(pairs) => pairs.iter().find_map(|pair| match &pair.kind {
            JsonKind::Array(parts) => match &parts[..] {
                [key, image] if denotes_json(key, argument, ty, names) => Some((pair.span, image)),
                _ => None,
            },
            _ => None,
        }),
        _ => None,
    }
}

/// A text without the blanks and quotation marks, which JSON and Essence put in different places.
fn squeezed(text: &str) -> String {
    unquoted(text).chars().filter(|character| !character.is_whitespace()).collect()
}

fn denotes_json(json: &Json, value: &Value, ty: &Type, names: &MemberNames) -> bool {
    match (&json.kind, value, ty) {
        (JsonKind::Array(items), Value::Tuple(values), Type::Tuple(types)) => {
            let parts = items.iter().zip(values.iter()).zip(types.iter());
            items.len() == values.len()
                && parts.into_iter().all(|((item, value), ty)| denotes_json(item, value, ty, names))
        }
        (JsonKind::Bool(written), Value::Bool(value), _) => written == value,
        (JsonKind::Number(text) | JsonKind::String(text), Value::Int(_), _) => {
            squeezed(text) == squeezed(&names.show(value, ty))
        }
        _ => false,
    }
}
