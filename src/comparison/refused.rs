//! Writes a model whose solutions are the solutions of `first` that `second` refuses, or for which it has another
//! objective.
//!
//! The text consists of the statements of `first`, the renamed `letting`s of `second`, and the negation of the
//! constraints of `second`. If the text has no solution, `differences.rs` reports "no difference" without another
//! check, so the text must not be too strong. A text that is too weak only costs time, because each solution is judged
//! again. Statements that cannot be written exactly must give `None`; the solutions are then compared one by one.

use crate::{
    rewriting::value_required,
    services::{
        AnalysedText,
        names::{Symbol, SymbolKind},
    },
    source::Span,
    syntax::{
        ast::{Identifier, Statement, StatementKind},
        tokens::TokenKind,
    },
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The wanted solutions of the first model.
pub(crate) enum WantedSolutions {
    /// The solutions that the second model refuses.
    Refused,
    /// The solutions for which the two objectives differ.
    OtherObjective,
}

/// The relation between the values of a variable and its domain in the second model.
pub(crate) enum Membership {
    /// All values in the first model are members.
    Certain,
    /// The domain is small enough to list its members.
    Listed,
    /// The first model has no such variable, or the domain is too large.
    Unknown,
}

/// The text of a model whose solutions are solutions of `first` that `second` refuses, or for which it has another
/// objective. `None` if it cannot be written: `second` has a variable that neither `first` nor `mapping` knows, or a
/// type with the same name as another type, or local variables (`@`) in statements to be negated.
pub(crate) fn text_of_refused(
    first: &AnalysedText,
    second: &AnalysedText,
    mapping: &[(String, String)],
    membership: &dyn Fn(&str) -> Membership,
    wanted: WantedSolutions,
) -> Option<String> {
    let is_denied = |statement: &Statement| match statement.kind {
        StatementKind::Objective { .. } | StatementKind::Letting { .. } => true,
        _ => matches!(wanted, WantedSolutions::Refused),
    };
    // Local variables (after `@`) are existential, so a negation would have to quantify over all their values.
    let mut denied = second.file.statements.iter().filter(|statement| is_denied(statement));
    if denied.any(|statement| second.has_local_variables(statement.span)) {
        return None;
    }
    let (mut text, own) = first.without_objective();
    let second = Renamed::new(first, second, mapping);
    if second.has_another_type(first) {
        return None;
    }
    let mut conditions = Vec::new();
    let mut objective = None;
    for statement in &second.document.file.statements {
        match &statement.kind {
            StatementKind::Letting { names, .. } if !second.is_shared(&names[0]) => {
                let _ = writeln!(text, "{}", second.text(statement.span));
            }
            StatementKind::Find { names, domain } => {
                let domain = second.text(domain.span);
                for name in names {
                    let mapped = mapping.iter().find(|(mapped, _)| **mapped == *name.text);
                    let value = second.new_name(&name.text);
                    if let Some((_, expression)) = mapped {
                        let _ = writeln!(text, "letting {value} be ({expression})");
                    }
                    match membership(&name.text) {
                        Membership::Certain => {}
                        Membership::Listed => {
                            let member = format!("{}{}", name.text, second.member_suffix());
                            conditions.push(format!("exists {member} : {domain} . {member} = {value}"));
                        }
                        Membership::Unknown => return None,
                    }
                }
            }
            StatementKind::SuchThat(constraints) => {
                conditions.extend(constraints.iter().map(|constraint| second.text(constraint.span)));
            }
            StatementKind::Objective { value, .. } => {
                let value = second.text(value.span);
                // If its objective is undefined, `second` refuses the solution. In that case, this condition is
                // undefined, too, and therefore false.
                conditions.push(format!("({value}) = ({value})"));
                objective = Some(value);
            }
            _ => {}
        }
    }
    match wanted {
        WantedSolutions::Refused => {
            let conditions: Vec<String> = conditions.iter().map(|condition| format!("    ({condition})")).collect();
            let _ = writeln!(text, "such that !(and([\n{}]))", conditions.join(",\n"));
            // Without conditions, `second` refuses nothing.
            if conditions.is_empty() {
                text += "such that false\n";
            }
        }
        WantedSolutions::OtherObjective => {
            // If the second objective is undefined, the negation holds, too.
            let _ = writeln!(text, "such that !(({}) = ({}))", own?, objective?);
        }
    }
    Some(text)
}

impl AnalysedText {
    /// The statements without the objective and the search heuristics; the objective is only required to be defined.
    fn without_objective(&self) -> (String, Option<&str>) {
        let (mut text, mut objective) = (String::new(), None);
        for statement in &self.file.statements {
            match &statement.kind {
                StatementKind::BranchingOn(_) | StatementKind::Heuristic(_) => {}
                StatementKind::Objective { value, .. } => {
                    objective = Some(self.text_at(value.span));
                    let _ = writeln!(text, "{}", value_required(self.text_at(value.span)));
                }
                _ => {
                    let _ = writeln!(text, "{}", self.text_at(statement.span));
                }
            }
        }
        (text, objective)
    }

    fn text_at(&self, span: Span) -> &str {
        &self.text()[span.start as usize..span.end as usize]
    }

    fn has_local_variables(&self, span: Span) -> bool {
        let mut tokens =
            self.tokens.iter().filter(|token| span.start as usize <= token.start && token.end <= span.end as usize);
        tokens.any(|token| token.kind == TokenKind::Sign && self.text_of(token) == "@")
    }
}

/// A model with new names for everything whose name has another meaning in the other model.
struct Renamed<'a> {
    document: &'a AnalysedText,
    /// The suffix of all new names.
    suffix: String,
    /// The declarations of the renamed names, by their spans.
    changed: FxHashSet<Span>,
    new_names: FxHashMap<String, String>,
}

impl<'a> Renamed<'a> {
    fn new(first: &AnalysedText, document: &'a AnalysedText, mapping: &[(String, String)]) -> Self {
        // Neither text contains a name with this suffix.
        let suffix = (1..).map(|number| format!("_{number}")).find(|suffix| {
            let is_free = |text: &str| !text.contains(suffix.as_str());
            is_free(first.text()) && is_free(document.text())
        });
        let mut renamed = Renamed {
            document,
            suffix: suffix.unwrap_or_default(),
            changed: FxHashSet::default(),
            new_names: FxHashMap::default(),
        };
        for symbol in &document.names.symbols {
            let is_mapped = mapping.iter().any(|(mapped, _)| **mapped == *symbol.name);
            let changes = match symbol.kind {
                SymbolKind::Find => is_mapped,
                SymbolKind::Value | SymbolKind::Domain | SymbolKind::Type | SymbolKind::Member => {
                    !renamed.is_same(first, symbol)
                }
                SymbolKind::Given | SymbolKind::Quantified => false,
            };
            if changes && symbol.scope.is_none() {
                renamed.changed.insert(symbol.span);
                renamed.new_names.insert(symbol.name.to_string(), format!("{}{}", symbol.name, renamed.suffix));
            }
        }
        renamed
    }

    /// True if the other model declares this name with the same meaning.
    fn is_same(&self, first: &AnalysedText, symbol: &Symbol) -> bool {
        let declaration = |document: &AnalysedText, span: Span| {
            document.file.statements.iter().find(|statement| statement.span.contains(span)).cloned()
        };
        let same = first.names.symbols.iter().find(|other| other.name == symbol.name && other.scope.is_none());
        let Some(same) = same else { return false };
        let own = declaration(self.document, symbol.span);
        // Declarations with the same text have different meanings if they mention names with different meanings.
        own.is_some() && own == declaration(first, same.span) && !self.is_changed_in(symbol.of)
    }

    /// True if the two models have different types with the same name.
    fn has_another_type(&self, first: &AnalysedText) -> bool {
        let types = |document: &AnalysedText| {
            let symbols = document.names.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Type);
            symbols.map(|symbol| (symbol.name.clone(), symbol.span)).collect::<Vec<_>>()
        };
        let others = types(first);
        let changed = types(self.document).into_iter().filter(|(_, span)| self.changed.contains(span));
        changed.into_iter().any(|(name, _)| others.iter().any(|(other, _)| *other == name))
    }

    /// True if a part of the text uses a renamed name.
    fn is_changed_in(&self, span: Span) -> bool {
        let names = &self.document.names;
        let mut uses = names.uses.iter().filter(|name| span.contains(name.span));
        uses.any(|name| self.changed.contains(&names.symbols[name.symbol].span))
    }

    fn is_shared(&self, name: &Identifier) -> bool {
        !self.changed.contains(&name.span)
    }

    /// The suffix of names that range over the members of domains.
    fn member_suffix(&self) -> String {
        format!("{}_", self.suffix)
    }

    fn new_name(&self, name: &str) -> String {
        self.new_names.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// A part of the text after renaming.
    fn text(&self, span: Span) -> String {
        let (mut text, mut end) = (String::new(), span.start as usize);
        let names = &self.document.names;
        for name in names.uses.iter().filter(|name| span.contains(name.span)) {
            let symbol = &names.symbols[name.symbol];
            if self.changed.contains(&symbol.span) {
                text += &self.document.text()[end..name.span.start as usize];
                text += &self.new_name(&symbol.name);
                end = name.span.end as usize;
            }
        }
        text + &self.document.text()[end..span.end as usize]
    }
}
