//! The kinds of the words in a text, for syntax colouring.

use super::{AnalysedText, names::SymbolKind};
use crate::{
    operators::{self, Notation, OperatorSymbol},
    source::Span,
    syntax::{
        ast::{FROM_SOLUTION, PARETO},
        parse::{CONTEXTUAL_WORDS, is_attribute, is_reserved},
        tokens::{TokenKind, is_word_character},
    },
};
use rustc_hash::FxHashMap;

/// A word or sign with its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SemanticToken {
    /// The span of the token; a comment may have several lines.
    pub span: Span,
    /// The kind.
    pub kind: SemanticKind,
    /// True if the token is the name in its declaration.
    pub is_declaration: bool,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticKind {
    /// A declared name.
    Name(SymbolKind),
    /// A word of the language.
    Keyword,
    /// An attribute of a domain.
    Attribute,
    /// An operator that is written as a word before parentheses.
    Function,
    /// An operator.
    Operator,
    /// A number.
    Number,
    /// A comment.
    Comment,
}

/// Returns the tokens of a text, without brackets, separators and undeclared names.
pub(crate) fn semantic_tokens(document: &AnalysedText) -> Vec<SemanticToken> {
    let mut names = document.names.uses.iter().peekable();
    // The kind of each word is cached, because words recur.
    let mut words: FxHashMap<&str, Option<SemanticKind>> = FxHashMap::default();
    let mut found = Vec::new();
    for (position, token) in document.tokens.iter().enumerate() {
        let span = document.span(token.start, token.end);
        let mut is_declaration = false;
        while names.next_if(|name| name.span.start < span.start).is_some() {}
        let text = document.text_of(token);
        let next = document.tokens.get(position + 1).map_or("", |next| document.text_of(next));
        let kind = match (token.kind, names.peek().filter(|name| name.span == span)) {
            (_, Some(name)) => {
                let symbol = &document.names.symbols[name.symbol];
                is_declaration = symbol.span == span;
                SemanticKind::Name(symbol.kind)
            }
            (TokenKind::Comment, _) => SemanticKind::Comment,
            (TokenKind::Number, _) => SemanticKind::Number,
            (TokenKind::Word, _) if next == "(" && operators::function(text).is_some() => SemanticKind::Function,
            (TokenKind::Word | TokenKind::Sign, _) => match words.entry(text).or_insert_with(|| of_word(text)) {
                Some(kind) => *kind,
                None => continue,
            },
            (TokenKind::Quoted, _) => continue,
        };
        found.push(SemanticToken { span, kind, is_declaration });
    }
    found
}

/// Returns the kind of a word or sign that is not a name.
fn of_word(text: &str) -> Option<SemanticKind> {
    if is_attribute(text) {
        return Some(SemanticKind::Attribute);
    }
    let is_operator = |symbol: &OperatorSymbol| {
        symbol.text == text
            && matches!(symbol.notation, Notation::Infix { .. } | Notation::Prefix { .. } | Notation::Postfix)
    };
    if operators::symbols().iter().any(is_operator) {
        return Some(SemanticKind::Operator);
    }
    if [PARETO, FROM_SOLUTION].contains(&text) {
        return Some(SemanticKind::Function);
    }
    let is_word = text.starts_with(is_word_character);
    (is_word && (is_reserved(text) || CONTEXTUAL_WORDS.contains(&text))).then_some(SemanticKind::Keyword)
}
