//! Explains the word or sign under the pointer.

use super::{
    AnalysedText,
    names::{SymbolId, SymbolKind},
    types,
};
use crate::{
    analysis::model::{DeclarationKind, ExprKind},
    diagnostic::counted,
    instance,
    manual::{self, WordExample, WordKind, WordMeaning},
    source::Span,
    syntax::tokens::TokenKind,
};
use std::fmt::Write;

/// An explanation of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hover {
    /// The explained span.
    pub span: Span,
    /// The explanation, in Markdown.
    pub text: String,
}

/// Explains the token at an offset. The values of an instance are shown if there is one.
pub(crate) fn hover(
    document: &AnalysedText,
    offset: usize,
    instance: Option<&instance::GroundInstance>,
) -> Option<Hover> {
    if let Some(name) = document.names.at(offset) {
        return Some(Hover { span: name.span, text: document.describe(name.symbol, instance) });
    }
    let token = *document.token_at(offset)?;
    if !matches!(token.kind, TokenKind::Word | TokenKind::Sign) {
        return None;
    }
    let span = document.span(token.start, token.end);
    // If the operands are known, the sign has one meaning; otherwise, all of its meanings are listed.
    let text = match types::application_of_sign(&document.model, span, document.text_of(&token)) {
        Some(applied) => match &applied.kind {
            ExprKind::Apply(row, _) => {
                let mut text = meaning_in_markdown(row.symbol.text, &manual::of_operator("", row));
                let _ = write!(text, "\n\nHere the result is `{}`.", applied.ty);
                text
            }
            _ => return None,
        },
        None => meanings_in_markdown(document.text_of(&token))?,
    };
    Some(Hover { span, text })
}

/// Returns the meanings of a word or sign of Essence, in Markdown.
fn meanings_in_markdown(word: &str) -> Option<String> {
    // Brackets and separators are explained together with the words that they belong to.
    if word.len() == 1 && "()[]{},.:|".contains(word) {
        return None;
    }
    let explanation = manual::explain(word)?;
    let meanings = explanation.meanings.iter().map(|meaning| meaning_in_markdown(explanation.word, meaning));
    Some(meanings.collect::<Vec<_>>().join("\n\n---\n\n"))
}

/// Returns one meaning of a word, in Markdown.
pub(super) fn meaning_in_markdown(word: &str, meaning: &WordMeaning) -> String {
    let form = match meaning.kind {
        WordKind::Operator(_) => format!("{word} : {}", meaning.form),
        WordKind::Attribute | WordKind::Keyword => meaning.form.clone(),
    };
    let example = match meaning.example {
        WordExample::Value(expression, value) => format!("{expression} $ {value}"),
        WordExample::Statements(statements) => statements.to_owned(),
    };
    format!("```essence\n{form}\n```\n{}\n```essence\n{example}\n```", meaning.sentence)
}

impl AnalysedText {
    /// Describes a symbol in Markdown.
    fn describe(&self, id: SymbolId, instance: Option<&instance::GroundInstance>) -> String {
        let symbol = &self.names.symbols[id];
        let of = self.on_one_line(symbol.of);
        let name = &symbol.name;
        let (declaration, what) = match symbol.kind {
            SymbolKind::Given => (format!("given {name} : {of}"), "a parameter"),
            SymbolKind::Find => (format!("find {name} : {of}"), "a decision variable"),
            SymbolKind::Value => (format!("letting {name} be {of}"), "a name for a value"),
            SymbolKind::Domain => (format!("letting {name} be domain {of}"), "a name for a domain"),
            SymbolKind::Type => (of, "a type"),
            SymbolKind::Member => (of, "a member of the type"),
            SymbolKind::Quantified => (format!("{name} : {of}"), "a quantified name"),
        };
        let declaration = match symbol.kind {
            // A domain follows a `:`; without one, the range is a collection.
            SymbolKind::Quantified if !self.follows_colon(symbol.of) => {
                format!("{name} in {}", self.on_one_line(symbol.of))
            }
            _ => cut_hover(declaration),
        };
        let mut text = format!("```essence\n{declaration}\n```\n`{name}` is {what}");
        match self.names.type_of(id, &self.model) {
            Some(_) if symbol.kind == SymbolKind::Type => text.push('.'),
            Some(ty) if symbol.kind == SymbolKind::Member => {
                let _ = write!(text, " `{ty}`.");
            }
            Some(ty) if symbol.kind == SymbolKind::Domain => {
                let _ = write!(text, "; its members are of type `{ty}`.");
            }
            Some(ty) => {
                let _ = write!(text, " of type `{ty}`.");
            }
            None => text.push('.'),
        }
        if let Some(value) = instance.and_then(|instance| self.value(id, instance)) {
            let _ = write!(text, "\n\nIn this instance: `{value}`");
        }
        text
    }

    pub(super) fn follows_colon(&self, span: Span) -> bool {
        self.sources.get(span.source).text[..span.start as usize].trim_end().ends_with(':')
    }

    /// Returns the value of a parameter or a `letting` in an instance, on one line.
    fn value(&self, id: SymbolId, instance: &instance::GroundInstance) -> Option<String> {
        let symbol = &self.names.symbols[id];
        let mut declarations = instance.model.declarations.iter();
        let position = declarations.position(|declaration| declaration.span == symbol.span)?;
        let declaration = &instance.model.declarations[position];
        let id = crate::analysis::model::DeclarationId(position as u32);
        match &declaration.kind {
            DeclarationKind::Given(_) | DeclarationKind::Letting(_) => {
                let value = instance.environment.clone().global(id).ok()?;
                Some(instance.names.show_briefly(&value, &declaration.ty))
            }
            DeclarationKind::GivenEnum | DeclarationKind::Unnamed(_) | DeclarationKind::Enum(_) => {
                let size = instance.environment.size_of_type(position as u32)?;
                Some(counted(size, "member"))
            }
            DeclarationKind::Find(_) | DeclarationKind::LettingDomain(_) => None,
        }
    }
}

/// Truncates a long text.
fn cut_hover(text: String) -> String {
    // A hover covers the code around it, so it must be short. Chosen.
    const LONGEST: usize = 240;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}
