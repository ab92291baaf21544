//! Domains as documents.

use super::expressions::{ALONE, expression, interval};
use crate::{
    language::{
        Collection,
        document::LayoutDocument::{self, Concat, Line},
    },
    syntax::ast::{DomainKind, DomainTree, Identifier, WrittenAttribute, WrittenRange},
};

pub(crate) fn domain(domain_: &DomainTree) -> LayoutDocument {
    match &domain_.kind {
        DomainKind::Bool => "bool".into(),
        DomainKind::Int { tag, ranges } => {
            let word = tag.as_ref().map_or("int".to_owned(), |tag| format!("int:{}", tag.text));
            LayoutDocument::from(word).then(in_ranges(ranges))
        }
        DomainKind::Named(name, ranges) => LayoutDocument::from(&*name.text).then(in_ranges(ranges)),
        DomainKind::Tuple(items) => {
            LayoutDocument::list(if items.len() < 2 { "tuple (" } else { "(" }, items.iter().map(domain), ")")
        }
        DomainKind::Record(items) => LayoutDocument::list("record {", items.iter().map(field), "}"),
        DomainKind::Variant(items) => LayoutDocument::list("variant {", items.iter().map(field), "}"),
        DomainKind::Matrix(indices, element) => Concat(vec![
            LayoutDocument::list("matrix indexed by [", indices.iter().map(domain), "]"),
            " of".into(),
            Concat(vec![Line, domain(element)]).nest(4),
        ])
        .group(),
        DomainKind::Collection(kind, attributes, inner) => {
            with_attributes(*kind, attributes).then(kind.row().notation().0).then(domain(inner))
        }
        DomainKind::Function(attributes, from, to) => Concat(vec![
            with_attributes(Collection::Function, attributes),
            " ".into(),
            domain(from),
            " -->".into(),
            Concat(vec![Line, domain(to)]).nest(4),
        ])
        .group(),
        DomainKind::Relation(attributes, items) => {
            let mut parts = Vec::new();
            for item in items {
                if !parts.is_empty() {
                    parts.extend([" *".into(), Line]);
                }
                parts.push(domain(item));
            }
            with_attributes(Collection::Relation, attributes)
                .then(" of (")
                .then(Concat(parts).align().group())
                .then(")")
        }
    }
}

fn in_ranges(ranges: &Option<Vec<WrittenRange>>) -> LayoutDocument {
    match ranges {
        Some(ranges) => LayoutDocument::list("(", ranges.iter().map(range), ")"),
        None => "".into(),
    }
}

fn range(range: &WrittenRange) -> LayoutDocument {
    match range {
        WrittenRange::Single(value) => expression(value, ALONE),
        WrittenRange::Interval(low, high) => interval(low.as_ref(), high.as_ref()),
    }
}

fn field((name, inner): &(Identifier, Option<DomainTree>)) -> LayoutDocument {
    match inner {
        Some(inner) => LayoutDocument::from(format!("{} : ", name.text)).then(domain(inner)),
        None => LayoutDocument::from(&*name.text),
    }
}

fn with_attributes(kind: Collection, attributes: &[WrittenAttribute]) -> LayoutDocument {
    if attributes.is_empty() {
        return kind.keyword().into();
    }
    let attributes = attributes.iter().map(|attribute| match &attribute.value {
        Some(value) => LayoutDocument::from(format!("{} ", attribute.name.text)).then(expression(value, ALONE)),
        None => LayoutDocument::from(&*attribute.name.text),
    });
    LayoutDocument::list(&format!("{} (", kind.keyword()), attributes, ")")
}
