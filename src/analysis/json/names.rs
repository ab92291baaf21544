//! What the texts of data stand for: the names of the model, and the members of its types.

use super::super::model::{Declaration, DeclarationId, DeclarationKind, TypedModel};
use crate::{
    language::{
        Name, NamedType,
        quotation::{quoted, unquoted},
    },
    syntax::{
        ast::{self, LettingValue, StatementKind},
        json::{Json, JsonKey, JsonKind, JsonMembers},
        parse::{self, name_of},
        tokens::is_word_character,
    },
};
use rustc_hash::FxHashMap;

/// The members of the types that data give members to.
pub(crate) type MembersByType = FxHashMap<DeclarationId, MemberTexts>;

/// The members of a type, and where each of them is found by the text that people know it by.
#[derive(Debug, Default)]
pub(crate) struct MemberTexts {
    pub(super) names: Vec<Name>,
    positions: FxHashMap<String, usize>,
}

impl MemberTexts {
    fn new(names: Vec<Name>) -> Self {
        let positions = names.iter().zip(0..).map(|(name, at)| (unquoted(name).into_owned(), at)).collect();
        MemberTexts { names, positions }
    }

    /// The position of the member that a text stands for.
    pub(super) fn position(&self, text: &str) -> Option<usize> {
        let known = self.positions.get(text).copied();
        known.or_else(|| self.names.iter().position(|name| **name == *without_strange_characters(text)))
    }

    fn texts(&self) -> Vec<String> {
        self.names.iter().map(|name| unquoted(name).into_owned()).collect()
    }
}

/// Whether a text outside of Essence stands for a name of the model.
pub(super) fn fits(text: &str, name: &str) -> bool {
    unquoted(name) == text || name == without_strange_characters(text)
}

/// The name that is nearest to a text: `_` instead of each character that a name cannot have, and a `_` after a
/// reserved word.
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

/// The members that an object gives to the types of a model.
pub(crate) fn add_members(model: &TypedModel, object: &JsonMembers, members: &mut MembersByType) {
    let known = |name: &str| {
        model.declarations.iter().any(|declaration| {
            let members = match &declaration.kind {
                DeclarationKind::Enum(members) => &members[..],
                _ => &[],
            };
            *declaration.name == *name || members.iter().any(|other| **other == *name)
        })
    };
    for (id, _, value) in keys(model, object) {
        if let (Some(id), JsonKind::Array(items)) = (id, &value.kind)
            && is_open_type(&model.declarations[id.0 as usize])
        {
            let name = |item: &Json| match &item.kind {
                // The model has another meaning for the plain name.
                JsonKind::String(text) | JsonKind::Number(text) if known(text) => Some(quoted(text).into()),
                JsonKind::String(text) | JsonKind::Number(text) => Some(name_of(text)),
                _ => None,
            };
            members.insert(id, MemberTexts::new(items.iter().filter_map(name).collect()));
        }
    }
}

/// The members that a file in Essence gives to the types of a model.
pub(crate) fn add_members_of_file(model: &TypedModel, file: &ast::File, members: &mut MembersByType) {
    for statement in &file.statements {
        if let StatementKind::Letting { names, value: LettingValue::Enum(written) } = &statement.kind {
            let declared = names.iter().filter_map(|name| {
                let at = model.declarations.iter().position(|declaration| declaration.name == name.text)?;
                is_open_type(&model.declarations[at]).then_some(DeclarationId(at as u32))
            });
            for id in declared {
                members.insert(id, MemberTexts::new(written.iter().map(|member| member.text.clone()).collect()));
            }
        }
    }
}

/// Whether data list the members of a type.
pub(super) fn is_open_type(declaration: &Declaration) -> bool {
    matches!(declaration.kind, DeclarationKind::GivenEnum | DeclarationKind::Unnamed(_))
}

/// The keys of an object with the declarations that they stand for. A key that is a name exactly goes before others
/// that fit it.
pub(super) fn keys<'j>(
    model: &TypedModel,
    object: &'j JsonMembers,
) -> impl Iterator<Item = (Option<DeclarationId>, &'j JsonKey, &'j Json)> {
    let find = |stands_for: &dyn Fn(&str) -> bool| {
        let at = model.declarations.iter().position(|declaration| stands_for(&declaration.name));
        at.map(|at| DeclarationId(at as u32))
    };
    let exact: Vec<Option<DeclarationId>> = object.iter().map(|(key, _)| find(&|name| name == key.text)).collect();
    object.iter().enumerate().map(move |(at, (key, value))| {
        let near = || find(&|name| fits(&key.text, name)).filter(|id| !exact.contains(&Some(*id)));
        (exact[at].or_else(near), key, value)
    })
}

/// The members of a type as people know them, as far as the model or data list them.
pub(super) fn texts(model: &TypedModel, members: &MembersByType, named: &NamedType) -> Vec<String> {
    match (members.get(&DeclarationId(named.id)), model.declarations.get(named.id as usize)) {
        (Some(members), _) => members.texts(),
        (None, Some(Declaration { kind: DeclarationKind::Enum(members), .. })) => {
            members.iter().map(|name| unquoted(name).into_owned()).collect()
        }
        _ => Vec::new(),
    }
}
