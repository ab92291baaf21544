//! The types of quantified names whose text does not show the type.

use super::{AnalysedText, names::SymbolKind};
use crate::source::Span;

/// A text that is shown within a line without belonging to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InlayHint {
    /// The offset at which it is shown.
    pub at: usize,
    /// The text.
    pub text: String,
}

/// Returns the types of the quantified names in a part of a text that range over the members of a collection, or over a
/// named domain.
pub(crate) fn inlay_hints(document: &AnalysedText, part: Span) -> Vec<InlayHint> {
    let names = &document.names;
    let quantified = names.symbols.iter().enumerate().filter(|(_, symbol)| {
        symbol.kind == SymbolKind::Quantified
            && symbol.span.source == document.source
            && part.start <= symbol.span.start
            && symbol.span.end <= part.end
    });
    let hint = |(id, symbol): (usize, &super::names::Symbol)| {
        let ty = names.type_of(id, &document.model)?.to_string();
        let over = document.on_one_line(symbol.of);
        // A domain after a colon already shows the type, unless the domain is a name.
        let is_said =
            over == ty || document.follows_colon(symbol.of) && !names.symbols.iter().any(|other| *other.name == *over);
        (!is_said).then(|| InlayHint { at: symbol.span.end as usize, text: format!(": {ty}") })
    };
    quantified.filter_map(hint).collect()
}
