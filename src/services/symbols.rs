//! The declarations of a text as an outline.

use super::{AnalysedText, names::SymbolKind};
use crate::{
    source::Span,
    syntax::declared::{Declared, declared},
};

/// A declaration, a constraint or an objective.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutlineItem {
    /// The name; for a statement without names, its keyword.
    pub name: String,
    /// The kind of the declaration; `None` for other statements.
    pub kind: Option<SymbolKind>,
    /// The domain or value, on one line.
    pub detail: String,
    /// The statement.
    pub span: Span,
    /// The name or keyword within the statement.
    pub selection: Span,
    /// The members of an enumerated type.
    pub children: Vec<OutlineItem>,
}

/// Returns the statements of a text, in its order.
pub(crate) fn outline(document: &AnalysedText) -> Vec<OutlineItem> {
    let mut items = Vec::new();
    for statement in &document.file.statements {
        let is_member = |declared: &Declared| declared.kind == SymbolKind::Member;
        let members = declared(statement).filter(is_member).map(|member| item(member, "", member.name.span));
        let members: Vec<OutlineItem> = members.collect();
        let names = declared(statement).filter(|declared| !is_member(declared)).map(|declared| {
            let detail = shortened_detail(&document.on_one_line(declared.of));
            // One keyword may have several declarations, and each has its own span.
            OutlineItem { children: members.clone(), ..item(declared, &detail, declared.name.span.to(declared.of)) }
        });
        let before = items.len();
        items.extend(names);
        if items.len() == before {
            items.push(without_names(document, statement.span));
        }
    }
    items
}

/// Returns the item of a statement without declarations.
fn without_names(document: &AnalysedText, span: Span) -> OutlineItem {
    let text = document.on_one_line(span);
    let name = text.split(' ').next().unwrap_or_default().to_owned();
    let selection = Span { end: span.start + name.len() as u32, ..span };
    let name = if name == "such" { "such that".to_owned() } else { name };
    let detail = shortened_detail(text.strip_prefix(&name).unwrap_or(&text).trim_start());
    OutlineItem { name, kind: None, detail, span, selection, children: Vec::new() }
}

fn item(Declared { name, kind, .. }: Declared, detail: &str, span: Span) -> OutlineItem {
    let (name, selection) = (name.text.to_string(), name.span);
    OutlineItem { name, kind: Some(kind), detail: detail.to_owned(), span, selection, children: Vec::new() }
}

fn shortened_detail(text: &str) -> String {
    // In an outline, each symbol has one line. Chosen.
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}
