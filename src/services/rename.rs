//! Answers queries of editors and web pages about the declaration of a name, its uses, and renaming.
//!
//! `rename` only checks the new name; its callers (`language_server`, `protocol`) replace the `uses` in each text. You
//! may change the messages. `rename` must reject a new name that another declaration has in an overlapping scope, and
//! `uses` must be complete. Otherwise the edit breaks the model or silently changes its meaning.

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

    /// The span of the declaration of the name at an offset; it may be in the model that the text belongs to.
    pub(crate) fn declaration(&self, offset: usize) -> Option<Span> {
        self.symbol_at(offset).map(|symbol| self.names.symbols[symbol].span)
    }

    /// The spans in the text and in its comments that name a declaration, including the declaration itself.
    pub(crate) fn uses(&self, declaration: Span) -> Vec<Span> {
        let all = self.names.all_uses().into_iter();
        let names = all.filter(|name| self.names.symbols[name.symbol].span == declaration);
        names.map(|name| name.span).collect()
    }

    /// Returns the declaration of the name at an offset if the name can be changed to `new`, and the reason otherwise.
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
                "`{new}` is not a name: a name starts with a letter or `_`, and has letters, digits, `_` and `'`"
            ));
        }
        let overlaps = |other: Option<Span>| match (symbol.scope, other) {
            (Some(scope), Some(other)) => scope.contains(other) || other.contains(scope),
            // A global name is visible in all texts.
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
