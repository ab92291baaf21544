//! Prints domains as layout documents.

use super::expressions::{ALONE, expression_document, interval};
use crate::{
    language::{
        Collection,
        document::LayoutDocument::{self, Concat, Line},
    },
    syntax::ast::{DomainKind, DomainTree, Identifier, WrittenAttribute, WrittenRange},
};

pub(crate) fn domain_document(domain_: &DomainTree) -> LayoutDocument {
    match &domain_.kind {
        DomainKind::Bool => "bool".into(),
        DomainKind::Int { tag, ranges } => {
            let word = tag.as_ref().map_or("int".to_owned(), |tag| format!("int:{}", tag.text));
            LayoutDocument::from(word).then(in_ranges(ranges))
        }
        DomainKind::Named(name, ranges) => LayoutDocument::from(&*name.text).then(in_ranges(ranges)),
        DomainKind::Tuple(items) => {
            LayoutDocument::list(if items.len() < 2 { "tuple (" } else { "(" }, items.iter().map(domain_document), ")")
        }
        DomainKind::Record(items) => LayoutDocument::list("record {", items.iter().map(field), "}"),
        DomainKind::Variant(items) => LayoutDocument::list("variant {", items.iter().map(field), "}"),
        DomainKind::Matrix(indices, element) => Concat(vec![
            LayoutDocument::list("matrix indexed by [", indices.iter().map(domain_document), "]"),
            " of".into(),
            Concat(vec![Line, domain_document(element)]).nest(4),
        ])
        .group(),
        DomainKind::Collection(kind, attributes, parts) => {
            let (before, separator, after) = kind.row().notation();
            let head = with_attributes(*kind, attributes).then(before);
            let mut parts = parts.iter().map(domain_document);
            let first = parts.next().unwrap_or_else(|| "".into());
            let others: Vec<_> = parts.flat_map(|part| [separator.trim_end().into(), Line, part]).collect();
            match (others.is_empty(), after.is_empty()) {
                // The cases are `set of D`, then `function A --> B`, then constructors with text at the end, such as
                // `relation of (A * B)`.
                (true, true) => head.then(first),
                (false, true) => Concat(vec![head, first, Concat(others).nest(4)]).group(),
                (_, false) => head.then(first.then(Concat(others)).align().group()).then(after),
            }
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
        WrittenRange::Single(value) => expression_document(value, ALONE),
        WrittenRange::Interval(low, high) => interval(low.as_ref(), high.as_ref()),
    }
}

fn field((name, inner): &(Identifier, Option<DomainTree>)) -> LayoutDocument {
    match inner {
        Some(inner) => LayoutDocument::from(format!("{} : ", name.text)).then(domain_document(inner)),
        None => LayoutDocument::from(&*name.text),
    }
}

fn with_attributes(kind: Collection, attributes: &[WrittenAttribute]) -> LayoutDocument {
    if attributes.is_empty() {
        return kind.keyword().into();
    }
    let attributes = attributes.iter().map(|attribute| match &attribute.value {
        Some(value) => {
            LayoutDocument::from(format!("{} ", attribute.name.text)).then(expression_document(value, ALONE))
        }
        None => LayoutDocument::from(&*attribute.name.text),
    });
    LayoutDocument::list(&format!("{} (", kind.keyword()), attributes, ")")
}
