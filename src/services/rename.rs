//! Answers where a name is declared, where a text uses it, and whether it can be renamed, for editors and web pages.
//!
//! `rename` only checks: its callers (`language_server`, `protocol`) then replace the `uses` in each text. You
//! may change the messages. `rename` must refuse a new name that another declaration has in an overlapping scope, and
//! `uses` must be complete. Otherwise the edit breaks the model, or changes its meaning without a word.

use super::{AnalysedText, names::SymbolId};
use crate::{
    source::Span,
    syntax::parse::{is_name, is_reserved},
};

impl AnalysedText {
    /// The symbol at an offset.
    fn symbol_at(&self, offset: usize) -> Option<SymbolId> {
        self.names.at(offset).map(|name| name.symbol)
    }

    /// The declaration of the name at an offset: its name there, which may be in the model that the text belongs to.
    pub(crate) fn declaration(&self, offset: usize) -> Option<Span> {
        self.symbol_at(offset).map(|symbol| self.names.symbols[symbol].span)
    }

    /// The places of the text that name what is declared at a place, the declaration included.
    pub(crate) fn uses(&self, declaration: Span) -> Vec<Span> {
        let names = self.names.uses.iter().filter(|name| self.names.symbols[name.symbol].span == declaration);
        names.map(|name| name.span).collect()
    }

    /// The declaration of the name at an offset, if the name can be changed to another one; otherwise why not.
    pub(crate) fn rename(&self, offset: usize, new: &str) -> Result<Span, String> {
        let symbol = self.symbol_at(offset).ok_or("there is no declared name here")?;
        let symbol = &self.names.symbols[symbol];
        if is_reserved(new)
            && !new.is_empty()
            && !new.contains(char::is_whitespace)
            && new.starts_with(char::is_alphabetic)
        {
            return Err(format!("`{new}` is a word of Essence: choose another name"));
        }
        if !is_name(new) {
            return Err(format!(
                "`{new}` is not a name: a name begins with a letter or `_`, and has letters, digits, `_` and `'`"
            ));
        }
        let overlaps = |other: Option<Span>| match (symbol.scope, other) {
            (Some(scope), Some(other)) => scope.contains(other) || other.contains(scope),
            _ => true,
        };
        let mut others = self.names.symbols.iter();
        match others.find(|other| *other.name == *new && other.span != symbol.span && overlaps(other.scope)) {
            Some(other) => {
                let source = self.sources.get(other.span.source);
                let (line, _) = source.line_and_column(other.span.start as usize);
                Err(format!("`{new}` is declared already, on line {line}"))
            }
            None => Ok(symbol.span),
        }
    }
}
