//! The declarations of a text as an outline.

use super::{AnalysedText, names::SymbolKind};
use crate::{
    source::Span,
    syntax::ast::{Identifier, LettingValue, StatementKind},
};

/// A declaration, a constraint or an objective.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutlineItem {
    /// The name; the keyword of a statement without names.
    pub name: String,
    /// The kind of what is declared; `None` for other statements.
    pub kind: Option<SymbolKind>,
    /// The domain or the value, on one line.
    pub detail: String,
    /// The statement.
    pub span: Span,
    /// The name or the keyword in it.
    pub selection: Span,
    /// The members of an enumerated type.
    pub children: Vec<OutlineItem>,
}

/// The statements of a text, in its order.
pub(crate) fn outline(document: &AnalysedText) -> Vec<OutlineItem> {
    let mut items = Vec::new();
    for statement in &document.file.statements {
        let whole = statement.span;
        let (names, kind, of) = match &statement.kind {
            StatementKind::Given { names, domain } => (names, SymbolKind::Given, domain.span),
            StatementKind::GivenEnum { names } => (names, SymbolKind::Type, whole),
            StatementKind::Find { names, domain } => (names, SymbolKind::Find, domain.span),
            StatementKind::Letting { names, value } => match value {
                LettingValue::Expr(value) => (names, SymbolKind::Value, value.span),
                LettingValue::Domain(domain) => (names, SymbolKind::Domain, domain.span),
                LettingValue::Enum(_) | LettingValue::Unnamed(_) => (names, SymbolKind::Type, whole),
            },
            StatementKind::SuchThat(_)
            | StatementKind::Where(_)
            | StatementKind::Objective { .. }
            | StatementKind::BranchingOn(_)
            | StatementKind::Heuristic(_) => {
                let text = document.on_one_line(whole);
                let name = text.split(' ').next().unwrap_or_default().to_owned();
                let selection = Span { end: whole.start + name.len() as u32, ..whole };
                let name = if name == "such" { "such that".to_owned() } else { name };
                let detail = shortened(text.strip_prefix(&name).unwrap_or(&text).trim_start());
                items.push(OutlineItem { name, kind: None, detail, span: whole, selection, children: Vec::new() });
                continue;
            }
        };
        let members = match &statement.kind {
            StatementKind::Letting { value: LettingValue::Enum(members), .. } => &members[..],
            _ => &[],
        };
        let detail = shortened(&document.on_one_line(of));
        for name in names {
            let member = |member: &Identifier| item(member, SymbolKind::Member, String::new(), member.span);
            let children = members.iter().map(member).collect();
            // A keyword may have several declarations: each has its own place.
            let span = Span { start: name.span.start.min(of.start), ..name.span.to(of) };
            items.push(OutlineItem { children, ..item(name, kind, detail.clone(), span) });
        }
    }
    items
}

fn item(name: &Identifier, kind: SymbolKind, detail: String, span: Span) -> OutlineItem {
    let name = (name.text.to_string(), name.span);
    OutlineItem { name: name.0, kind: Some(kind), detail, span, selection: name.1, children: Vec::new() }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}
