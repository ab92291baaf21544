//! Prints values and ground domains in Essence.
//!
//! Values do not know their types, so the printer needs the type, and the names of the members of enumerated and
//! unnamed types.

use super::{
    Domain, GroundDomain, IntSet, IntType, LARGEST_TYPE, Name, NamedType, Type, Value,
    attributes::{Attribute, Attributes, Limit, Property, rows::ATTRIBUTES},
    document::LayoutDocument,
    quotation::{quoted, unquoted},
    value::Matrix,
};
use rustc_hash::FxHashMap;
use std::{cmp::Reverse, sync::Arc};

/// The names of the members of enumerated types; the names of members of unnamed types are made from the type's own
/// name.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemberNames {
    enumerated: FxHashMap<u32, Arc<[Name]>>,
    /// The names for positions after [`LARGEST_TYPE`], of types whose members are not listed.
    unlisted: FxHashMap<u32, Arc<[Name]>>,
    /// True if the index domain of a matrix is written with the names of its type's members, as a model needs it.
    names_indices: bool,
    /// True if integers are written in the units of their types, as people read them. Essence has numbers of steps.
    in_units: bool,
    /// True if positions after the last member of a listed type are written as [`NO_MEMBER`].
    marks_strangers: bool,
}

/// The text for positions without a member, which occurs in no name.
const NO_MEMBER: &str = "\0";

impl MemberNames {
    pub(crate) fn add(&mut self, declaration: u32, members: Arc<[Name]>) {
        self.enumerated.insert(declaration, members);
    }

    /// Adds members that a type does not have, after its own members. If the members of the type are not listed, the
    /// new ones come after all possible positions, because indices from 1 are members whose names are unknown.
    pub(crate) fn add_strangers(&mut self, declaration: u32, strangers: &[Name]) {
        match self.enumerated.get_mut(&declaration) {
            Some(members) => *members = members.iter().chain(strangers).cloned().collect(),
            None => drop(self.unlisted.insert(declaration, strangers.into())),
        }
    }

    /// Returns true if a member of an enumerated type has this name.
    pub(crate) fn is_member(&self, name: &str) -> bool {
        self.enumerated.values().any(|members| members.iter().any(|member| **member == *name))
    }

    /// The type of this member, among the types whose members have names.
    pub(crate) fn type_of_member(&self, name: &str) -> Option<u32> {
        let mut all = self.enumerated.iter().chain(&self.unlisted);
        all.find(|(_, members)| members.iter().any(|member| unquoted(member) == unquoted(name))).map(|(id, _)| *id)
    }

    /// Returns true if a member of a type has this text.
    pub(crate) fn is_member_of(&self, named: &NamedType, text: &str) -> bool {
        match self.enumerated.get(&named.id) {
            Some(members) => members.iter().any(|member| unquoted(member) == text),
            None => text.rsplit_once('_').is_some_and(|(ty, _)| ty == unquoted(&named.name)),
        }
    }

    /// The names of the members of a type, as far as they are listed.
    pub(crate) fn listed(&self, named: &NamedType) -> &[Name] {
        self.enumerated.get(&named.id).map_or(&[], |members| members)
    }

    /// The name of the member at a 1-based position.
    pub(crate) fn member(&self, named: &NamedType, position: i64) -> Name {
        let listed = self.enumerated.get(&named.id);
        let name = |members: &Arc<[Name]>, position: i64| members.get(usize::try_from(position - 1).ok()?).cloned();
        let unlisted = || name(self.unlisted.get(&named.id)?, position - LARGEST_TYPE);
        match listed.and_then(|members| name(members, position)).or_else(unlisted) {
            Some(name) => name,
            None if self.marks_strangers && listed.is_some() => NO_MEMBER.into(),
            None => {
                let numbered = unnamed_member(&named.name, position);
                let first = unnamed_member(&named.name, 1);
                let has_names = listed.is_some_and(|members| members.first() != Some(&first));
                // A position after the last member has no name.
                if has_names && !named.unnamed { position.to_string().into() } else { numbered }
            }
        }
    }

    /// A value on one line.
    pub(crate) fn show(&self, value: &Value, ty: &Type) -> String {
        self.value(value, ty).on_one_line()
    }

    /// A value as a model can write it, with its type; `None` if it mentions a member that a listed type lacks.
    pub(crate) fn known_literal(&self, value: &Value, ty: &Type) -> Option<String> {
        let literal = MemberNames { marks_strangers: true, ..self.clone() }.typed_literal(value, ty);
        (!literal.contains(NO_MEMBER)).then_some(literal)
    }

    /// A value as a model can write it, with its type.
    pub(crate) fn typed_literal(&self, value: &Value, ty: &Type) -> String {
        format!("({} : `{ty}`)", self.with_names_of_indices().show(value, ty))
    }

    /// Returns names that are also used for the indices of matrices.
    pub(crate) fn with_names_of_indices(&self) -> MemberNames {
        MemberNames { names_indices: true, ..self.clone() }
    }

    /// Returns names for people, with integers in the units of their types.
    pub(crate) fn in_units(&self) -> MemberNames {
        MemberNames { in_units: true, ..self.clone() }
    }

    /// A value on one line, cut off if it is too long for a message.
    pub(crate) fn show_briefly(&self, value: &Value, ty: &Type) -> String {
        let text = self.show(value, ty);
        match text.char_indices().nth(60) {
            Some((end, _)) => format!("{} …", &text[..end]),
            None => text,
        }
    }

    pub(crate) fn value(&self, value: &Value, ty: &Type) -> LayoutDocument {
        match (value, ty) {
            (Value::Bool(value), _) => LayoutDocument::from(value.to_string()),
            (Value::Int(value), Type::Named(named)) => LayoutDocument::from(&*self.member(named, *value)),
            (Value::Int(value), ty) => LayoutDocument::from(self.number(*value, ty)),
            (Value::Tuple(items), Type::Record(fields)) => {
                let field = |(item, (name, ty)): (&Value, &(Name, Type))| {
                    LayoutDocument::hang(format!("{name} =").into(), 4, self.value(item, ty))
                };
                LayoutDocument::list("record {", items.iter().zip(fields.iter()).map(field), "}")
            }
            (Value::Tuple(items), Type::Tuple(types)) => self.tuple(items, types),
            (Value::Tuple(items), _) => self.tuple(items, &[]),
            (Value::Variant(which, inner), Type::Variant(alternatives)) => {
                let (name, ty) = &alternatives[*which as usize];
                LayoutDocument::from(format!("variant {{{name} = ")).then(self.value(inner, ty)).then("}")
            }
            (Value::Variant(which, inner), _) => {
                LayoutDocument::from(format!("variant {{{which} = ")).then(self.value(inner, &Type::Any))
            }
            (Value::Matrix(matrix), Type::Matrix(parts)) => self.matrix(matrix, &parts[0], &parts[1]),
            (Value::Matrix(matrix), Type::List(inner)) => self.matrix(matrix, &Type::INT, inner),
            (Value::Matrix(matrix), _) => self.matrix(matrix, &Type::Any, &Type::Any),
            (Value::Collection(kind, _) | Value::Mapping(kind, _), ty) => kind.row().print(self, value, ty),
            (Value::Domain(domain), Type::Domain(ty)) => {
                LayoutDocument::from(format!("`{}`", self.domain(domain, ty).on_one_line()))
            }
            (Value::Domain(domain), _) => {
                LayoutDocument::from(format!("`{}`", self.domain(domain, &Type::Any).on_one_line()))
            }
        }
    }

    /// An integer that is not a member of a type.
    pub(crate) fn number(&self, value: i64, ty: &Type) -> String {
        match ty {
            Type::Int(IntType { unit: Some(unit), .. }) if self.in_units => unit.shown(value),
            _ => value.to_string(),
        }
    }

    fn each<'a>(&'a self, items: &'a [Value], ty: &'a Type) -> impl Iterator<Item = LayoutDocument> + 'a {
        items.iter().map(move |item| self.value(item, ty))
    }

    fn tuple(&self, items: &[Value], types: &[Type]) -> LayoutDocument {
        let types = types.iter().chain(std::iter::repeat(&Type::Any));
        let open = if items.len() < 2 { "tuple (" } else { "(" };
        LayoutDocument::list(open, items.iter().zip(types).map(|(item, ty)| self.value(item, ty)), ")")
    }

    /// Every level of a matrix has its index; enumerated indices are printed as numbers, unless a model needs names.
    fn matrix(&self, matrix: &Matrix, index: &Type, element: &Type) -> LayoutDocument {
        if matrix.elements.is_empty() {
            return LayoutDocument::from("[]");
        }
        let elements = LayoutDocument::filled(self.each(&matrix.elements, element));
        let index = self.domain(&matrix.index, if self.names_indices { index } else { &Type::Any });
        let inner = LayoutDocument::hang(elements.then(";"), 4, index);
        LayoutDocument::from("[").then(inner).then("]")
    }

    /// A domain whose members are of this type.
    pub(crate) fn domain(&self, domain: &GroundDomain, ty: &Type) -> LayoutDocument {
        let before = |text: String, inner: LayoutDocument| LayoutDocument::from(text).then(inner);
        match (domain, ty) {
            (Domain::Bool, _) => LayoutDocument::from("bool"),
            (Domain::Int(set), ty) => self.ints(set, ty),
            (Domain::Tuple(items), ty) => {
                let types: &[Type] = if let Type::Tuple(types) = ty { types } else { &[] };
                let types = types.iter().chain(std::iter::repeat(&Type::Any));
                let open = if items.len() < 2 { "tuple (" } else { "(" };
                LayoutDocument::list(open, items.iter().zip(types).map(|(item, ty)| self.domain(item, ty)), ")")
            }
            (Domain::Record(fields), Type::Record(types)) => self.fields("record {", fields, types),
            (Domain::Variant(fields), Type::Variant(types)) => self.fields("variant {", fields, types),
            (Domain::Record(fields), _) => self.fields("record {", fields, &[]),
            (Domain::Variant(fields), _) => self.fields("variant {", fields, &[]),
            (Domain::Matrix(index, element), ty) => {
                let (index_type, element_type) = match ty {
                    Type::Matrix(parts) => (&parts[0], &parts[1]),
                    _ => (&Type::Any, &Type::Any),
                };
                let index = self.domain(index, index_type).on_one_line();
                before(format!("matrix indexed by [{index}] of "), self.domain(element, element_type))
            }
            (Domain::Collection(kind, attributes, parts), ty) => {
                let types: &[Type] = if let Type::Collection(_, types) = ty { types } else { &[] };
                let types = types.iter().chain(std::iter::repeat(&Type::Any));
                let (open, separator, close) = kind.row().notation();
                let mut text = attributed(kind.keyword(), attributes) + open;
                let mut parts = parts.iter().zip(types).map(|(part, ty)| self.domain(part, ty)).peekable();
                while let Some(part) = parts.next() {
                    // The last part may take several lines if no text follows it.
                    if close.is_empty() && parts.peek().is_none() {
                        return before(text, part);
                    }
                    text += &part.on_one_line();
                    text += if parts.peek().is_some() { separator } else { close };
                }
                LayoutDocument::from(text)
            }
        }
    }

    fn fields(&self, open: &str, fields: &[(Name, GroundDomain)], types: &[(Name, Type)]) -> LayoutDocument {
        let types = types.iter().map(|(_, ty)| ty).chain(std::iter::repeat(&Type::Any));
        let field = |((name, domain), ty): (&(Name, GroundDomain), &Type)| {
            LayoutDocument::from(format!("{name} : ")).then(self.domain(domain, ty))
        };
        LayoutDocument::list(open, fields.iter().zip(types).map(field), "}")
    }

    fn ints(&self, set: &IntSet, ty: &Type) -> LayoutDocument {
        let named = if let Type::Named(named) = ty { Some(named) } else { None };
        let word = named.map_or("int", |named| &*named.name);
        if set.ranges() == IntSet::all().ranges() {
            return LayoutDocument::from(word);
        }
        if let Some(members) = named.and_then(|named| self.enumerated.get(&named.id))
            && set.ranges() == [(1, members.len() as i64)]
        {
            return LayoutDocument::from(word);
        }
        let end = |value: i64| match (value, named) {
            (IntSet::MINUS_INFINITY | IntSet::INFINITY, _) => String::new(),
            (value, Some(named)) => self.member(named, value).to_string(),
            (value, None) => value.to_string(),
        };
        let range = |&(low, high): &(i64, i64)| {
            LayoutDocument::from(if low == high { end(low) } else { format!("{}..{}", end(low), end(high)) })
        };
        let ranges: Vec<LayoutDocument> = match set.ranges() {
            [] => vec![LayoutDocument::from("1..0")],
            ranges => ranges.iter().map(range).collect(),
        };
        LayoutDocument::list(&format!("{word}("), ranges, ")")
    }
}

/// The name of the member of an unnamed type at a 1-based position.
pub(crate) fn unnamed_member(ty: &str, position: i64) -> Name {
    let name = format!("{}_{position}", unquoted(ty));
    if ty.starts_with('"') { quoted(&name).into() } else { name.into() }
}

/// The 1-based position of a member of an unnamed type, from its name in solutions.
pub(crate) fn unnamed_position(ty: &str, member: &str) -> Option<i64> {
    unnamed_number(member.strip_prefix(&*unquoted(ty))?.strip_prefix('_')?)
}

/// The 1-based position of a member of an unnamed type that is written as a number.
pub(crate) fn unnamed_number(number: &str) -> Option<i64> {
    number.parse().ok().filter(|position| (1..=LARGEST_TYPE).contains(position) && !number.starts_with(['0', '+']))
}

/// The attributes as they are written: `size 3`, `bijective`.
fn attribute_words(attributes: &Attributes<i64>) -> Vec<String> {
    let mut words = Vec::new();
    for (measure, size) in attributes.measures() {
        let word = |limit, number: i64| measure.word(limit).map(|word| format!("{word} {number}"));
        let exact = size.min.filter(|_| size.min == size.max).and_then(|number| word(Limit::Exactly, number));
        match exact {
            Some(exact) => words.push(exact),
            None => {
                words.extend(size.min.and_then(|min| word(Limit::AtLeast, min)));
                words.extend(size.max.and_then(|max| word(Limit::AtMost, max)));
            }
        }
    }
    words.extend(rows_for(attributes.properties()).into_iter().map(|row| row.word.to_owned()));
    words
}

/// A few attributes that together have these properties: `equivalence` instead of three others.
fn rows_for(properties: &[Property]) -> Vec<&'static Attribute> {
    let mut left = properties.to_vec();
    let mut rows = Vec::new();
    while !left.is_empty() {
        let fits = |row: &&(usize, &Attribute)| row.1.properties().iter().all(|property| left.contains(property));
        let table: Vec<(usize, &Attribute)> = ATTRIBUTES.iter().enumerate().collect();
        // The choice is greedy: the attribute with the most properties comes first.
        let Some(&row) = table.iter().filter(fits).min_by_key(|(_, row)| Reverse(row.properties().len())) else {
            break;
        };
        left.retain(|property| !row.1.properties().contains(property));
        rows.push(row);
    }
    rows.sort_unstable_by_key(|(position, _)| *position);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Writes a word with its attributes: `set (size 3)`.
fn attributed(word: &str, attributes: &Attributes<i64>) -> String {
    match attribute_words(attributes) {
        words if words.is_empty() => word.to_owned(),
        words => format!("{word} ({})", words.join(", ")),
    }
}
