//! The spans of parts in written literals. A typed model keeps constant literals as values with the span of the whole,
//! so the text is parsed again.

use super::written_json;
use crate::{
    analysis::model::{Declaration, TypedModel},
    instance::entry::denotes,
    language::{Type, Value, domain::ValueStep, print::MemberNames},
    source::{Sources, Span},
    syntax::{
        self, ast,
        json::{self, Json},
    },
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Literals that have been parsed again.
#[derive(Default)]
pub(crate) struct ReadLiterals {
    essence: FxHashMap<Span, Option<Arc<ast::ExprTree>>>,
    json: FxHashMap<Span, Option<Json>>,
}

impl ReadLiterals {
    /// The span of the part of a literal at a path into its value, if that part is written out.
    pub(crate) fn span_of(
        &mut self,
        sources: &Sources,
        names: &MemberNames,
        literal: Span,
        value: &Value,
        ty: &Type,
        path: &[ValueStep],
    ) -> Option<Span> {
        if json::is_json(&sources.get(literal.source).text) {
            let read = || json::value_at(literal, sources.text(literal));
            return written_json::json_span(
                self.json.entry(literal).or_insert_with(read).as_ref()?,
                value,
                ty,
                path,
                names,
            );
        }
        let read = || syntax::parse_expression(literal.source, sources.text(literal)).ok().map(Arc::new);
        let tree = self.essence.entry(literal).or_insert_with(read);
        let found = written_span(tree.as_ref()?, value, ty, path, names)?;
        // The literal was parsed on its own, so its spans start at 0.
        let moved = |offset: u32| (offset + literal.start) as usize;
        Some(Span::new(literal.source, moved(found.start), moved(found.end)))
    }
}

fn written_span(
    tree: &ast::ExprTree,
    value: &Value,
    ty: &Type,
    path: &[ValueStep],
    names: &MemberNames,
) -> Option<Span> {
    let Some((step, rest)) = path.split_first() else { return Some(tree.span) };
    match (step, &tree.kind, value, ty) {
        (
            ValueStep::Element(index),
            ast::ExprTreeKind::Matrix(elements, _),
            Value::Matrix(matrix),
            Type::Matrix(parts),
        ) => {
            let position = matrix.index.members().position(|member| member == *index)?;
            written_span(elements.get(position)?, matrix.elements.get(position)?, &parts[1], rest, names)
        }
        (ValueStep::Component(position), ast::ExprTreeKind::Tuple(items), Value::Tuple(values), Type::Tuple(types)) => {
            written_span(items.get(*position)?, values.get(*position)?, types.get(*position)?, rest, names)
        }
        (ValueStep::Member(member), ast::ExprTreeKind::Pairs(_, pairs), _, Type::Collection(_, types)) => {
            let Value::Tuple(wanted) = member else { return None };
            let (argument, image) = pairs.iter().find(|(argument, image)| {
                denotes(argument, &wanted[0], &types[0], names) && denotes(image, &wanted[1], &types[1], names)
            })?;
            Some(argument.span.to(image.span))
        }
        (
            ValueStep::Image(wanted),
            ast::ExprTreeKind::Pairs(_, pairs),
            Value::Mapping(_, values),
            Type::Collection(_, types),
        ) => {
            let (argument, image) = pairs.iter().find(|pair| denotes(&pair.0, wanted, &types[0], names))?;
            let (_, value) = values.iter().find(|(known, _)| known == wanted)?;
            match rest {
                // Without a part, the span is the whole entry, such as `1 --> 3`.
                [] => Some(argument.span.to(image.span)),
                rest => written_span(image, value, &types[1], rest, names),
            }
        }
        (ValueStep::Place(place), ast::ExprTreeKind::Collection(_, members), ..) => {
            // Essence counts the places in a sequence from 1.
            members.get(place.checked_sub(1)?).map(|member| member.span)
        }
        (ValueStep::Member(member), ast::ExprTreeKind::Collection(_, members), ..) => {
            let ty = &ty.listed_member()?;
            members.iter().find(|tree| denotes(tree, member, ty, names)).map(|member| member.span)
        }
        _ => None,
    }
}

/// The first span of a word between a declaration and the next one.
pub(super) fn span_of_word(sources: &Sources, model: &TypedModel, declaration: Span, word: &str) -> Option<Span> {
    let text = &sources.get(declaration.source).text;
    let next = |declared: &Declaration| {
        let span = declared.span;
        (span.source == declaration.source && span.start > declaration.end).then_some(span.start as usize)
    };
    let end = model.declarations.iter().filter_map(next).min().unwrap_or(text.len());
    let after = &text[declaration.end as usize..end];
    let letter = |character: Option<char>| character.is_some_and(|character| character.is_alphanumeric());
    let (at, _) = after.match_indices(word).find(|(at, _)| {
        !word.is_empty()
            && !letter(after[..*at].chars().next_back())
            && !letter(after[at + word.len()..].chars().next())
    })?;
    let start = declaration.end as usize + at;
    Some(Span::new(declaration.source, start, start + word.len()))
}
