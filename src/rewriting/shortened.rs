//! Texts with the same meaning, but with other names or fewer statements.

use crate::{
    services::{
        AnalysedText,
        names::{SymbolId, SymbolKind, Use},
    },
    source::Span,
    syntax::ast::{File, LettingValue, Statement, StatementKind},
};
use rustc_hash::FxHashSet;

impl AnalysedText {
    /// The text with the quantified names `q1`, `q2` and so on, numbered from the outside in. A number is skipped if
    /// the text has another name like that.
    pub(crate) fn with_normalised_names(&self) -> String {
        let symbols = &self.names.symbols;
        let is_quantified = |name: &&Use| symbols[name.symbol].kind == SymbolKind::Quantified;
        let all = self.names.all_uses();
        let renamed: Vec<&Use> = all.iter().filter(is_quantified).collect();
        let places: FxHashSet<usize> = renamed.iter().map(|name| name.span.start as usize).collect();
        let others = self.tokens.iter().filter(|token| !places.contains(&token.start));
        let taken: FxHashSet<&str> = others.map(|token| &self.text()[token.start..token.end]).collect();
        let (mut text, mut end) = (String::new(), 0);
        for name in renamed {
            let number = self.number(name.symbol);
            let mut free = (1..).map(|number| format!("q{number}")).filter(|name| !taken.contains(&**name));
            text += &self.text()[end..name.span.start as usize];
            text += &free.nth(number).unwrap_or_default();
            end = name.span.end as usize;
        }
        text + &self.text()[end..]
    }

    /// The number of names that are quantified around a quantified name, or before it in the same expression.
    fn number(&self, symbol: SymbolId) -> usize {
        let scope = |id: SymbolId| self.names.symbols[id].scope.unwrap_or_default();
        let own = scope(symbol);
        let precedes = |other: &SymbolId| {
            let around = scope(*other);
            match around == own {
                true => *other < symbol,
                false => around.contains(own),
            }
        };
        let symbols = (0..self.names.symbols.len()).filter(|id| self.names.symbols[*id].kind == SymbolKind::Quantified);
        symbols.filter(precedes).count()
    }

    /// The statements without the declarations of names that no other remaining statement uses. Using a member uses its
    /// type.
    pub(crate) fn without_unused(&self) -> File {
        let mut used: FxHashSet<Span> = FxHashSet::default();
        let mut kept = Vec::new();
        // The uses of a name follow its declaration, so the statements are visited from the last to the first.
        for statement in self.file.statements.iter().rev() {
            let Some(statement) = without_unused_names(statement, &used) else { continue };
            let within = self.names.uses.iter().filter(|name| statement.span.contains(name.span));
            let symbols = within.map(|name| (name.span, &self.names.symbols[name.symbol]));
            used.extend(symbols.filter(|(position, symbol)| *position != symbol.span).map(|(_, symbol)| symbol.span));
            kept.push(statement);
        }
        kept.reverse();
        File { statements: kept, ..self.file.clone() }
    }
}

/// A statement without the names that it declares and that are not used; `None` if no name is left.
fn without_unused_names(statement: &Statement, used: &FxHashSet<Span>) -> Option<Statement> {
    let mut statement = statement.clone();
    let names = match &mut statement.kind {
        StatementKind::Letting { value: LettingValue::Enum(members), .. }
            if members.iter().any(|member| used.contains(&member.span)) =>
        {
            return Some(statement);
        }
        StatementKind::Given { names, .. }
        | StatementKind::GivenEnum { names }
        | StatementKind::Find { names, .. }
        | StatementKind::Letting { names, .. } => names,
        _ => return Some(statement),
    };
    names.retain(|name| used.contains(&name.span));
    (!names.is_empty()).then_some(statement)
}
