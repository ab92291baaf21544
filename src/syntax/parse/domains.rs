//! Converts matches of domains to trees.

use super::{MatchedText, Rule, expressions::collection_kind, is_attribute, is_expression, statements::child};
use crate::{
    diagnostic::{Code, Diagnostic, Edit, nearest},
    language::{
        Collection,
        attributes::{self, rows::ATTRIBUTES},
    },
    source::Span,
    syntax::ast::{DomainKind, DomainTree, Identifier, WrittenAttribute, WrittenRange},
};
use pest::iterators::{Pair, Pairs};

impl MatchedText<'_, '_> {
    pub(crate) fn domain(&self, pair: Pair<'_, Rule>) -> DomainTree {
        let span = self.span(&pair);
        let Some(inner) = pair.into_inner().next() else { unreachable!("a domain has one form") };
        let rule = inner.as_rule();
        let text = inner.as_str();
        let mut parts = inner.into_inner();
        let kind = match rule {
            Rule::bool_domain => DomainKind::Bool,
            Rule::int_domain => {
                let (mut tag, mut ranges) = (None, None);
                for part in parts {
                    match part.as_rule() {
                        Rule::name => tag = Some(self.identifier(part)),
                        Rule::ranges => ranges = Some(self.ranges(part)),
                        _ => {}
                    }
                }
                DomainKind::Int { tag, ranges }
            }
            Rule::named_domain => {
                let name = self.identifier(child(&mut parts, Rule::name));
                DomainKind::Named(name, parts.next().map(|ranges| self.ranges(ranges)))
            }
            Rule::parenthesised_domain => {
                let mut domains = self.domains(parts);
                match domains.pop() {
                    // `(D)` is the domain `D`, and `(D, E)` is a tuple.
                    Some(only) if domains.is_empty() => return DomainTree { span, ..only },
                    last => {
                        domains.extend(last);
                        DomainKind::Tuple(domains)
                    }
                }
            }
            Rule::tuple_domain => DomainKind::Tuple(self.domains(parts)),
            Rule::record_domain => DomainKind::Record(self.fields(parts)),
            Rule::variant_domain => DomainKind::Variant(self.fields(parts)),
            Rule::matrix_domain => {
                let mut indices = self.domains(parts);
                match indices.pop() {
                    Some(element) => DomainKind::Matrix(indices, Box::new(element)),
                    None => unreachable!("a matrix has elements"),
                }
            }
            other => match collection_kind(text) {
                Some(kind) => DomainKind::Collection(kind, self.attributes(&parts, kind, span), self.domains(parts)),
                None => unreachable!("{other:?} is not a domain"),
            },
        };
        DomainTree { kind, span }
    }

    fn domains(&self, parts: Pairs<'_, Rule>) -> Vec<DomainTree> {
        parts.filter(|part| part.as_rule() == Rule::domain).map(|part| self.domain(part)).collect()
    }

    fn ranges(&self, pair: Pair<'_, Rule>) -> Vec<WrittenRange> {
        pair.into_inner().map(|range| self.range(range)).collect()
    }

    /// Parses `a`, `a..b`, `a..`, `..b` or `..`.
    pub(crate) fn range(&self, pair: Pair<'_, Rule>) -> WrittenRange {
        let (mut low, mut high, mut interval) = (None, None, false);
        for part in pair.into_inner() {
            if part.as_rule() == Rule::dots {
                interval = true;
            } else if interval {
                high = Some(self.expression(part));
            } else {
                low = Some(self.expression(part));
            }
        }
        match low {
            Some(single) if !interval => WrittenRange::Single(single),
            low => WrittenRange::Interval(low, high),
        }
    }

    fn fields(&self, parts: Pairs<'_, Rule>) -> Vec<(Identifier, Option<DomainTree>)> {
        parts
            .filter(|part| part.as_rule() == Rule::field)
            .map(|field| {
                let mut parts = field.into_inner();
                let name = self.identifier(child(&mut parts, Rule::name));
                (name, parts.find(|part| part.as_rule() == Rule::domain).map(|domain| self.domain(domain)))
            })
            .collect()
    }

    fn attributes(&self, parts: &Pairs<'_, Rule>, kind: Collection, span: Span) -> Vec<WrittenAttribute> {
        let Some(list) = parts.clone().find(|part| part.as_rule() == Rule::attributes) else { return Vec::new() };
        let attributes = list.into_inner().map(|attribute| {
            let mut parts = attribute.into_inner();
            let name = self.identifier(child(&mut parts, Rule::any_word));
            WrittenAttribute { name, value: parts.find(is_expression).map(|value| self.expression(value)) }
        });
        let (known, unknown): (Vec<_>, Vec<_>) =
            attributes.partition(|attribute| attributes::Attribute::find(&attribute.name.text, kind).is_some());
        let mut known = known;
        for attribute in unknown {
            let mistake = unknown_attribute(kind, &attribute.name);
            let meant = mistake.edits.first().map(|edit| edit.text.clone());
            self.file.report(mistake);
            match meant {
                // With the intended word, the domain keeps its meaning.
                Some(word) => {
                    let text = self.file.intern(&word);
                    known.push(WrittenAttribute { name: Identifier { text, ..attribute.name }, ..attribute });
                }
                // The unknown attribute may have bounded the domain, so the domain is a guess.
                None => self.file.guessed.borrow_mut().push(span),
            }
        }
        known
    }
}

fn unknown_attribute(kind: Collection, name: &Identifier) -> Diagnostic {
    let (word, domain) = (&*name.text, kind.keyword());
    let article = kind.row().article();
    let diagnostic =
        Diagnostic::error(Code::UNKNOWN_ATTRIBUTE, format!("{article} {domain} has no attribute `{word}`"))
            .at(name.span, if is_attribute(word) { "belongs to another kind of domain" } else { "unknown attribute" });
    let rows = ATTRIBUTES.iter().filter(|row| row.of.contains(&kind));
    let words: Vec<&str> = rows.map(|row| row.word).collect();
    let meant = match word {
        "max" | "maximum" | "atMost" => Some("maxSize"),
        "min" | "minimum" | "atLeast" => Some("minSize"),
        "length" | "card" | "cardinality" | "count" => Some("size"),
        _ => None,
    };
    match meant.filter(|meant| words.contains(meant)).or_else(|| nearest(word, words.iter().copied())) {
        Some(known) => {
            let edits = vec![Edit { span: name.span, text: known.to_owned() }];
            Diagnostic { edits, ..diagnostic.help(format!("did you mean `{known}`?")) }
        }
        None => diagnostic.note(format!("the attributes of {article} {domain} are {}", words.join(", "))),
    }
}
