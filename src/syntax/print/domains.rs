//! Domains as documents.

use super::expressions::{ALONE, expression, interval};
use crate::{
    language::{
        Collection,
        document::Document::{self, Line, Sequence},
    },
    syntax::ast::{Domain, DomainKind, Identifier, WrittenAttribute, WrittenRange},
};

pub fn domain(domain_: &Domain) -> Document {
    match &domain_.kind {
        DomainKind::Bool => "bool".into(),
        DomainKind::Int { tag, ranges } => {
            let word = tag.as_ref().map_or("int".to_owned(), |tag| format!("int:{}", tag.text));
            Document::from(word).then(in_ranges(ranges))
        }
        DomainKind::Named(name, ranges) => Document::from(&*name.text).then(in_ranges(ranges)),
        DomainKind::Tuple(items) => {
            Document::list(if items.len() < 2 { "tuple (" } else { "(" }, items.iter().map(domain), ")")
        }
        DomainKind::Record(items) => Document::list("record {", items.iter().map(field), "}"),
        DomainKind::Variant(items) => Document::list("variant {", items.iter().map(field), "}"),
        DomainKind::Matrix(indices, element) => Sequence(vec![
            Document::list("matrix indexed by [", indices.iter().map(domain), "]"),
            " of".into(),
            Sequence(vec![Line, domain(element)]).nest(4),
        ])
        .group(),
        DomainKind::Collection(kind, attributes, inner) => {
            let preposition = if *kind == Collection::Partition { " from " } else { " of " };
            with_attributes(*kind, attributes).then(preposition).then(domain(inner))
        }
        DomainKind::Function(attributes, from, to) => Sequence(vec![
            with_attributes(Collection::Function, attributes),
            " ".into(),
            domain(from),
            " -->".into(),
            Sequence(vec![Line, domain(to)]).nest(4),
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
                .then(Sequence(parts).align().group())
                .then(")")
        }
    }
}

fn in_ranges(ranges: &Option<Vec<WrittenRange>>) -> Document {
    match ranges {
        Some(ranges) => Document::list("(", ranges.iter().map(range), ")"),
        None => "".into(),
    }
}

fn range(range: &WrittenRange) -> Document {
    match range {
        WrittenRange::Single(value) => expression(value, ALONE),
        WrittenRange::Interval(low, high) => interval(low.as_ref(), high.as_ref()),
    }
}

fn field((name, inner): &(Identifier, Option<Domain>)) -> Document {
    match inner {
        Some(inner) => Document::from(format!("{} : ", name.text)).then(domain(inner)),
        None => Document::from(&*name.text),
    }
}

fn with_attributes(kind: Collection, attributes: &[WrittenAttribute]) -> Document {
    if attributes.is_empty() {
        return kind.keyword().into();
    }
    let attributes = attributes.iter().map(|attribute| match &attribute.value {
        Some(value) => Document::from(format!("{} ", attribute.name.text)).then(expression(value, ALONE)),
        None => Document::from(&*attribute.name.text),
    });
    Document::list(&format!("{} (", kind.keyword()), attributes, ")")
}
