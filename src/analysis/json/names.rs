//! Resolves texts in data to the names of the model and the members of its types.

use super::super::model::{Declaration, DeclarationId, DeclarationKind, TypedModel};
use crate::{
    diagnostic::Suggestions,
    language::{
        Name, NamedType,
        quotation::{quoted, unquoted},
    },
    syntax::{
        ast::{self, LettingValue, StatementKind},
        json::{Json, JsonKey, JsonKind, JsonMembers},
        parse::{self, is_plain_name},
        tokens::is_word_character,
    },
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{borrow::Cow, cell::LazyCell, sync::Arc};

/// The members of the types whose members come from data.
pub(crate) type MembersByType = FxHashMap<DeclarationId, Arc<MemberTexts>>;

/// The members of a type, indexed by their unquoted texts.
#[derive(Debug, Default)]
pub(crate) struct MemberTexts {
    pub(crate) names: Vec<Name>,
    positions: FxHashMap<Arc<str>, usize>,
}

impl MemberTexts {
    fn new(names: Vec<Name>) -> Self {
        // The text of a name without quotation marks is the name, so it is shared instead of copied.
        let text = |name: &Name| if name.starts_with('"') { unquoted(name).into() } else { name.clone() };
        let positions = names.iter().map(text).zip(0..).collect();
        MemberTexts { names, positions }
    }

    /// Returns the members with these texts and positions.
    pub(crate) fn of<'t>(
        model: &TypedModel,
        texts: impl Iterator<Item = &'t Arc<str>>,
        positions: FxHashMap<Arc<str>, usize>,
    ) -> Self {
        let declared = names_of_model(model);
        MemberTexts { names: texts.map(|text| member_name(&declared, text)).collect(), positions }
    }

    /// Returns the position of the member that a text stands for.
    pub(crate) fn position(&self, text: &str) -> Option<usize> {
        let known = self.positions.get(text).copied();
        // `red wine` matches the plain member `red_wine`, but not a quoted member, which could contain the blank
        // itself.
        let plain = || self.positions.get(&*without_strange_characters(text)).copied();
        known.or_else(|| plain().filter(|at| !self.names[*at].starts_with('"')))
    }

    /// Returns the text of the member at a position.
    pub(crate) fn text(&self, at: usize) -> Option<Cow<'_, str>> {
        self.names.get(at).map(|name| unquoted(name))
    }

    /// Returns the texts of the members, in their order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.names.iter().map(|name| unquoted(name))
    }

    /// Returns the member that is most similar to a text.
    pub(crate) fn nearest(&self, text: &str, suggestions: &Suggestions) -> Option<&str> {
        suggestions.nearest(text, self.positions.keys().map(|text| &**text))
    }
}

/// Returns true if a text outside of Essence stands for a name of the model.
pub(crate) fn fits(text: &str, name: &str) -> bool {
    unquoted(name) == text || name == without_strange_characters(text)
}

/// Returns the plain name that is nearest to a text: with `_` for each character that a name cannot have, and a `_`
/// after a reserved word.
fn without_strange_characters(text: &str) -> String {
    let mut name: String =
        text.chars().map(|character| if is_word_character(character) { character } else { '_' }).collect();
    if name.starts_with(|first: char| first.is_numeric() || first == '\'') {
        name.insert(0, '_');
    }
    if parse::is_reserved(&name) {
        name.push('_');
    }
    name
}

/// Returns the names that a model declares, including the members of its types.
fn names_of_model(model: &TypedModel) -> FxHashSet<&str> {
    let mut names = FxHashSet::default();
    for declaration in &model.declarations {
        names.insert(&*declaration.name);
        if let DeclarationKind::Enum(members) = &declaration.kind {
            names.extend(members.iter().map(|member| &**member));
        }
    }
    names
}

/// Returns the name for a member that data call by a text. The text is put in quotation marks if it is not a plain name
/// or if the model has another meaning for it.
fn member_name(declared: &FxHashSet<&str>, text: &Arc<str>) -> Name {
    // Types in data can have millions of members, so their texts are shared and not copied.
    if !declared.contains(&**text) && is_plain_name(text) { text.clone() } else { quoted(text).into() }
}

/// Adds the members that a JSON object lists for types of the model.
pub(crate) fn add_members_of_json(model: &TypedModel, object: &JsonMembers, members: &mut MembersByType) {
    let declared = LazyCell::new(|| names_of_model(model));
    for (id, _, value) in declared_keys(model, object) {
        if let (Some(id), JsonKind::Array(items)) = (id, &value.kind)
            && is_open_type(model.declaration(id))
        {
            let names = items.iter().filter_map(|item| match &item.kind {
                JsonKind::String(text) | JsonKind::Number(text) => Some(member_name(&declared, &text.as_str().into())),
                _ => None,
            });
            members.insert(id, MemberTexts::new(names.collect()).into());
        }
    }
}

/// Adds the members that a file in Essence lists for types of the model.
pub(crate) fn add_members_of_file(model: &TypedModel, file: &ast::File, members: &mut MembersByType) {
    for statement in &file.statements {
        if let StatementKind::Letting { names, value: LettingValue::Enum(written) } = &statement.kind {
            let declared = names
                .iter()
                .filter_map(|name| model.id_of(&name.text).filter(|id| is_open_type(model.declaration(*id))));
            for id in declared {
                let names = written.iter().map(|member| member.text.clone()).collect();
                members.insert(id, MemberTexts::new(names).into());
            }
        }
    }
}

/// Returns true if data list the members of a type.
pub(super) fn is_open_type(declaration: &Declaration) -> bool {
    matches!(declaration.kind, DeclarationKind::GivenEnum | DeclarationKind::Unnamed(_))
}

/// The declarations of a model, indexed by the texts outside of Essence that stand for them.
struct DeclaredTexts<'m> {
    by_name: FxHashMap<&'m str, DeclarationId>,
    by_text: FxHashMap<Cow<'m, str>, DeclarationId>,
}

impl<'m> DeclaredTexts<'m> {
    fn new(model: &'m TypedModel) -> Self {
        let by_name = model.declared().map(|(id, declaration)| (&*declaration.name, id)).collect();
        // If a text fits several declarations, the first one is meant. The last insertion into the map wins, so the
        // order is reversed.
        let by_text = model.declared().map(|(id, declaration)| (unquoted(&declaration.name), id));
        DeclaredTexts { by_name, by_text: by_text.collect::<Vec<_>>().into_iter().rev().collect() }
    }

    fn exact(&self, text: &str) -> Option<DeclarationId> {
        self.by_name.get(text).copied()
    }

    fn fitting(&self, text: &str) -> Option<DeclarationId> {
        let by_name = self.exact(&without_strange_characters(text));
        by_name.into_iter().chain(self.by_text.get(text).copied()).min()
    }
}

/// Returns the keys of an object with the declarations that they stand for. A key that is exactly a name has priority
/// over keys that only fit it.
pub(super) fn declared_keys<'j>(
    model: &TypedModel,
    object: &'j JsonMembers,
) -> impl Iterator<Item = (Option<DeclarationId>, &'j JsonKey, &'j Json)> {
    let declared = DeclaredTexts::new(model);
    let exact: FxHashSet<DeclarationId> = object.iter().filter_map(|(key, _)| declared.exact(&key.text)).collect();
    object.iter().map(move |(key, value)| {
        let near = || declared.fitting(&key.text).filter(|id| !exact.contains(id));
        (declared.exact(&key.text).or_else(near), key, value)
    })
}

/// Returns the declaration that a text outside of Essence stands for. A name that is exactly the text has priority.
pub(crate) fn declared_in_json(model: &TypedModel, text: &str) -> Option<DeclarationId> {
    let declared = DeclaredTexts::new(model);
    declared.exact(text).or_else(|| declared.fitting(text))
}

/// Returns the members of a type, if the model or data list them.
pub(crate) fn known_texts(model: &TypedModel, members: &MembersByType, named: &NamedType) -> Option<Arc<MemberTexts>> {
    match (members.get(&DeclarationId(named.id)), &model.declarations.get(named.id as usize)?.kind) {
        (Some(members), _) => Some(members.clone()),
        (None, DeclarationKind::Enum(members)) => Some(MemberTexts::new(members.clone()).into()),
        _ => None,
    }
}

/// Returns the text of a member of a type, if the model or data list it.
pub(super) fn member_text(model: &TypedModel, members: &MembersByType, named: &NamedType, at: usize) -> Option<String> {
    let text = match (members.get(&DeclarationId(named.id)), &model.declarations.get(named.id as usize)?.kind) {
        (Some(members), _) => members.text(at)?,
        (None, DeclarationKind::Enum(members)) => unquoted(members.get(at)?),
        _ => return None,
    };
    Some(text.into_owned())
}
