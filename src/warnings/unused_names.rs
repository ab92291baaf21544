//! Names that are never used, and names that hide others.

use super::ModelText;
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, Edit},
    language::Name,
    services::names::{Names, Symbol, SymbolId, SymbolKind},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Warns about parameters, `letting`s and quantified names that occur only in their declarations.
pub(super) fn unused(subject: &ModelText, names: &Names, found: &mut Diagnostics) {
    let mut uses = vec![0_usize; names.symbols.len()];
    names.uses.iter().for_each(|place| uses[place.symbol] += 1);
    let has_data = names.symbols.iter().any(|symbol| symbol.kind == SymbolKind::Given);
    let in_comments = words_of_comments(subject);
    let is_used = |id: SymbolId, symbol: &Symbol| {
        // The declaration counts as one use.
        uses[id] > 1 || in_comments.contains(&*symbol.name) || symbol.name.starts_with('_')
    };
    // If a member is used, so is its type.
    let used_types: FxHashSet<_> = (names.symbols.iter().enumerate())
        .filter(|(id, symbol)| symbol.kind == SymbolKind::Member && is_used(*id, symbol))
        .map(|(_, symbol)| symbol.of)
        .collect();
    for (id, symbol) in names.symbols.iter().enumerate() {
        if is_used(id, symbol) || symbol.span.source != subject.source {
            continue;
        }
        let name = &symbol.name;
        let warning = match symbol.kind {
            SymbolKind::Given => {
                Diagnostic::warning(Code::UNUSED_PARAMETER, format!("nothing uses the parameter `{name}`"))
                    .at(symbol.span, "not used")
                    .help("remove it, or use it in a constraint")
            }
            SymbolKind::Type if is_given(subject, name) => {
                Diagnostic::warning(Code::UNUSED_PARAMETER, format!("nothing uses the type `{name}`"))
                    .at(symbol.span, "not used")
                    .help("remove it, or use it in a domain")
            }
            SymbolKind::Type if used_types.contains(&symbol.of) => continue,
            // The data of a model may use its types and domains.
            SymbolKind::Type | SymbolKind::Domain if has_data => continue,
            SymbolKind::Value | SymbolKind::Domain | SymbolKind::Type => {
                Diagnostic::warning(Code::UNUSED_LETTING, format!("nothing uses `{name}`"))
                    .at(symbol.span, "not used")
                    .help("remove it")
            }
            SymbolKind::Quantified => {
                let warning =
                    Diagnostic::warning(Code::UNUSED_LOCAL, format!("nothing uses the quantified name `{name}`"))
                        .at(symbol.span, "not used")
                        .help("write `_` if the value does not matter");
                Diagnostic { edits: vec![Edit { span: symbol.span, text: "_".to_owned() }], ..warning }
            }
            SymbolKind::Find if symbol.scope.is_some() => {
                Diagnostic::warning(Code::UNUSED_LOCAL, format!("nothing uses the local variable `{name}`"))
                    .at(symbol.span, "not used")
                    .help("remove it")
            }
            _ => continue,
        };
        found.push(warning);
    }
}

fn is_given(subject: &ModelText, name: &str) -> bool {
    use crate::analysis::model::DeclarationKind::GivenEnum;
    subject.model.declarations.iter().any(|other| matches!(other.kind, GivenEnum) && *other.name == *name)
}

/// The words of comments that describe pictures, map variables of another model or word explanations; these use names,
/// too.
fn words_of_comments<'a>(subject: &ModelText<'a>) -> FxHashSet<&'a str> {
    let comments = subject.file.comments.iter();
    let texts = comments.filter_map(|comment| subject.text.get(comment.span.start as usize..comment.span.end as usize));
    let is_used = |text: &&str| {
        let text = text.trim_start_matches('$').trim_start();
        ["picture:", "map:", "why:"].iter().any(|word| text.starts_with(word))
    };
    texts.filter(is_used).flat_map(name_words).collect()
}

/// The words of a text that can be names.
fn name_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_' && character != '\'')
}

/// Warns about quantified names that hide another name in scope.
pub(super) fn shadows(names: &Names, found: &mut Diagnostics) {
    let mut locals: FxHashMap<&Name, Vec<&Symbol>> = FxHashMap::default();
    for symbol in &names.symbols {
        let Some(scope) = symbol.scope else { continue };
        let around = locals.entry(&symbol.name).or_default();
        // The names of a generator are not in scope in its own range.
        let outer =
            around.iter().rev().copied().find(|outer| {
                outer.scope.is_some_and(|outer| outer.contains(scope)) && !outer.of.contains(symbol.span)
            });
        let hidden = outer.or_else(|| names.global(&symbol.name).map(|global| &names.symbols[global]));
        if let Some(hidden) = hidden {
            let name = &symbol.name;
            found.push(
                Diagnostic::warning(Code::SHADOWS, format!("the quantified name `{name}` hides another `{name}`"))
                    .at(symbol.span, "from here on, the name means this")
                    .at(hidden.span, "hidden")
                    .help("choose another name for one of them"),
            );
        }
        around.push(symbol);
    }
}
