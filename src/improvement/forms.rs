//! Simpler types for decision variables: a multiset without repeated members becomes a set, and a relation with one
//! image for each argument becomes a function. Each use of the variable converts it back, so the meaning of the model
//! is unchanged.

use super::{
    Basis, EditProposal, ImprovementKind,
    edits::ModelEdit,
    view::{Conjunct, ModelView},
};
use crate::{
    api::Model,
    operators::symbols,
    source::Span,
    syntax::{
        ast::{DomainKind, ExprTree, ExprTreeKind, WrittenAttribute},
        print,
        tokens::{TokenKind, tokens_from},
    },
};

/// A proposal that changes the type of a variable.
pub(super) struct Converted {
    pub proposal: EditProposal,
    /// The original variable as an expression over the new one.
    pub mapping: (String, String),
}

/// Adds the simpler types that decision variables can have.
pub(super) fn propose<'a>(view: &ModelView<'a>, requirements: &[Conjunct<'a>], found: &mut Vec<Converted>) {
    for (name, domain) in &view.finds {
        let DomainKind::Collection(_, attributes, inner) = &domain.kind else { continue };
        // Only multisets have `maxOccur`.
        let is_one = |attribute: &&WrittenAttribute| {
            *attribute.name.text == *"maxOccur"
                && matches!(&attribute.value, Some(ExprTree { kind: ExprTreeKind::Int(1), .. }))
        };
        let sizes = attributes.iter().filter(|attribute| !is_one(attribute));
        let is_size = |attribute: &&WrittenAttribute| ["size", "minSize", "maxSize"].contains(&&*attribute.name.text);
        if !attributes.iter().any(|attribute| is_one(&attribute)) || !sizes.clone().all(|attribute| is_size(&attribute))
        {
            continue;
        }
        let sizes: Vec<String> = sizes.map(shown_attribute).collect();
        let sizes = if sizes.is_empty() { String::new() } else { format!("({}) ", sizes.join(", ")) };
        let new = format!("set {sizes}of {}", view.shown_domain(&inner[0]));
        let because = "no member occurs twice".to_owned();
        found.push(converted(view, name, domain.span, new, "toMSet", because, None));
    }
    for requirement in requirements {
        found.extend(function(view, requirement));
    }
}

fn shown_attribute(attribute: &WrittenAttribute) -> String {
    let value = attribute.value.as_ref().map_or(String::new(), |value| format!(" {}", print::expr(value, usize::MAX)));
    format!("{}{value}", attribute.name.text)
}

/// Finds a relation that is a function: `forAll x : A . |r(x, _)| = 1`.
fn function<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>) -> Option<Converted> {
    let (symbol, left, right) = requirement.comparison()?;
    let ExprTreeKind::Apply(symbols::BARS, operands) = &left.kind else { return None };
    let ExprTreeKind::Call(relation, arguments) = &operands.first()?.kind else { return None };
    let (ExprTreeKind::Name(name), ExprTreeKind::Int(1)) = (&relation.kind, &right.kind) else { return None };
    let [ExprTree { kind: ExprTreeKind::Name(argument), .. }, ExprTree { kind: ExprTreeKind::Wildcard, .. }] =
        &arguments[..]
    else {
        return None;
    };
    let [(bound, over)] = requirement.domain_binders()?[..] else { return None };
    let domain = view.finds.get(&**name)?;
    let DomainKind::Collection(_, attributes, inner) = &domain.kind else { return None };
    let [from, to] = &inner[..] else { return None };
    // The function could not keep an attribute of the relation, such as its size.
    let is_about_all = **argument == *bound && view.are_same(over, from) && requirement.guards.is_empty();
    if !is_about_all || !attributes.is_empty() || !requirement.is_whole {
        return None;
    }
    let total = match symbol {
        symbols::EQUAL => " (total)",
        symbols::AT_MOST => "",
        _ => return None,
    };
    let new = format!("function{total} {} --> {}", view.shown_domain(from), view.shown_domain(to));
    let because = format!("this follows from `{}`", view.line(requirement.item.span));
    Some(converted(view, name, domain.span, new, "toRelation", because, Some(requirement.item.span)))
}

/// Gives a variable another domain, and converts it wherever it is used.
fn converted(
    view: &ModelView,
    name: &str,
    domain: Span,
    new: String,
    conversion: &'static str,
    because: String,
    dropped: Option<Span>,
) -> Converted {
    let says = format!("`{name}` becomes a `{new}`");
    let mut edits = vec![ModelEdit::Replace(domain, new)];
    edits.extend(dropped.map(ModelEdit::Drop));
    // Only in its declaration is the name followed by nothing but a colon.
    let is_declared = |start: usize| match view.text.get(start..domain.start as usize).and_then(|text| text.find(':')) {
        Some(colon) => view.text[start + name.len()..start + colon].trim().is_empty(),
        None => false,
    };
    for token in tokens_from(view.text, 0).filter(|token| token.kind == TokenKind::Word) {
        let span = Span::new(Model::SOURCE, token.start, token.end);
        if &view.text[token.start..token.end] == name
            && !is_declared(token.start)
            && !dropped.is_some_and(|dropped| dropped.contains(span))
        {
            edits.push(ModelEdit::Replace(span, format!("{conversion}({name})")));
        }
    }
    let proposal = EditProposal { kind: ImprovementKind::Form, says, because, basis: Basis::OtherForm, edits };
    Converted { proposal, mapping: (name.to_owned(), format!("{conversion}({name})")) }
}
