//! Reads parameters and solutions in JSON as the `letting`s that they stand for. The declared type of a name decides
//! the meaning of its value, by the table of shapes (`shapes.rs`).
//!
//! A string stands for the name that fits it: the name itself, the name in quotation marks, or the name with `_` for
//! each character that a name cannot have ([`names`]).

mod names;

use super::{
    model::{Declaration, DeclarationId, DeclarationKind, TypedModel},
    shapes::{DataShape, Examples, is_key, shape_of_type},
    units::PartUnits,
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, Suggestions, nearest},
    language::{
        Collection, MemberForm, Name, NamedType, Type,
        print::{unnamed_member, unnamed_number, unnamed_position},
        quotation::{quoted, unquoted},
        unit::{Misfit, Unit, between_steps, is_whole, without_exponent},
    },
    operators::LARGEST,
    source::Span,
    syntax::{
        ast::{
            self, DomainKind, DomainTree, ExprTree, ExprTreeKind, Identifier, LettingValue, Positional, StatementKind,
            WrittenRange,
        },
        json::{Json, JsonKey, JsonKind, JsonMembers},
        parse::name_of,
    },
};
pub(crate) use names::{
    MemberTexts, MembersByType, add_members_of_file, add_members_of_json, declared_in_json, fits, known_texts,
};
use names::{declared_keys, is_open_type, member_text};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Returns the `letting`s of a JSON object. Types come before values, because values name their members.
pub(crate) fn lettings_of_object(
    model: &TypedModel,
    object: &JsonMembers,
    span: Span,
    members: &MembersByType,
    diagnostics: &mut Diagnostics,
) -> ast::File {
    let brace = Span { end: span.start + 1, ..span };
    let mut file = ast::File { object: Some(brace), ..ast::File::default() };
    let reported = diagnostics.len();
    let (positional, unneeded) = (Positional::default(), Vec::new());
    let mut reader = JsonReader {
        model,
        members,
        known: FxHashMap::default(),
        suggestions: Suggestions::default(),
        positional,
        reported,
        unneeded,
        strangers: Vec::new(),
        units: PartUnits::default(),
        diagnostics,
    };
    let (mut types, mut values) = (Vec::new(), Vec::new());
    for (id, key, value) in declared_keys(model, object) {
        // The output of `solve` contains statistics, whose keys start with `$`; no name does.
        if key.text.starts_with('$') {
            continue;
        }
        let inside = without_quotes(key.span);
        let Some(id) = id else {
            file.undeclared.push(Identifier { text: key.text.as_str().into(), span: inside });
            continue;
        };
        let declaration = model.declaration(id);
        if let (DeclarationKind::Enum(members), JsonKind::Array(items)) = (&declaration.kind, &value.kind)
            && (model.takes_strangers || are_members(items, members) || are_numbers(model, declaration, items))
        {
            // The model now declares this unnamed type as an enumerated one, so the list of its members in a solution
            // adds nothing, even if it has other names.
            continue;
        }
        let name = Identifier { text: declaration.name.clone(), span: inside };
        // Only mistakes in the same value are merged, so counting starts again.
        (reader.positional, reader.reported) = (Positional::default(), reader.diagnostics.len());
        reader.units = PartUnits::of(&model.units, &declaration.name);
        let value = match is_open_type(declaration) {
            true => reader.members(value, id),
            false => reader.value(value, &declaration.ty).map(LettingValue::Expr),
        };
        let Some(value) = value else {
            // For a broken name, the parser of parameter files assumes a value, so the name is not reported as missing.
            file.broken.push(name);
            continue;
        };
        file.positional.push((declaration.name.clone(), reader.positional));
        let is_type = matches!(value, LettingValue::Enum(_));
        let kind = StatementKind::Letting { names: vec![name], value };
        if is_type { &mut types } else { &mut values }.push(ast::Statement { kind, span: key.span });
    }
    file.unneeded = reader.unneeded;
    file.strangers = reader.strangers;
    types.append(&mut values);
    ast::File { statements: types, ..file }
}

struct JsonReader<'a> {
    model: &'a TypedModel,
    members: &'a MembersByType,
    /// The members of the types that occurred so far; `None` for types whose members are unknown.
    known: FxHashMap<u32, Option<Arc<MemberTexts>>>,
    suggestions: Suggestions,
    /// The matrices of the current value that get their indices from the declaration.
    positional: Positional,
    /// The number of diagnostics before the current value.
    reported: usize,
    /// The keys of records that are not fields.
    unneeded: Vec<Identifier>,
    /// For each type, the indices of matrices that are not among its members.
    strangers: Vec<(Name, Vec<Name>)>,
    /// The units of the integers in the current part.
    units: PartUnits,
    diagnostics: &'a mut Diagnostics,
}

impl JsonReader<'_> {
    /// Runs `read` for a part of a value, which may have its own unit.
    fn part<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.units.enter(name);
        let read = read(self);
        self.units.leave(outer);
        read
    }

    /// Runs `read` for an argument or an index, which has no unit unless it is named.
    fn without_unit<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.units.enter_argument();
        let read = read(self);
        self.units.leave(outer);
        read
    }

    /// Reads the members of a type.
    fn members(&mut self, value: &Json, id: DeclarationId) -> Option<LettingValue> {
        let JsonKind::Array(items) = &value.kind else {
            let wanted = "write the members of a type as an array of strings, as in `[\"red\", \"green\"]`";
            return self.mistake(value, format!("the members of a type are needed here, but {}", is(value)), wanted);
        };
        let mut texts = Vec::new();
        for item in items {
            if !matches!(item.kind, JsonKind::String(_) | JsonKind::Number(_)) {
                let wanted = "write the members of a type as strings, as in `\"red\"`";
                return self.mistake(item, format!("a member of a type is needed here, but {}", is(item)), wanted);
            }
            texts.push(scalar_span(item));
        }
        let names = self.members.get(&id).map_or(&[][..], |members| &members.names);
        let named = names.iter().zip(texts).map(|(name, span)| Identifier { text: name.clone(), span });
        Some(LettingValue::Enum(named.collect()))
    }

    /// Reports a value that does not fit. Mistakes in one value with the same help share a report.
    fn mistake<T>(&mut self, json: &Json, message: String, help: impl Into<String>) -> Option<T> {
        self.mistake_at(json.span, message, &format!("this is {}", described_json(json)), help)
    }

    fn mistake_at<T>(&mut self, span: Span, message: String, label: &str, help: impl Into<String>) -> Option<T> {
        let new = Diagnostic::error(Code::JSON, message).help(help);
        match self.diagnostics[self.reported..].iter_mut().find(|old| old.code == Code::JSON && old.help == new.help) {
            Some(old) => old.also(span, label),
            None => self.diagnostics.push(new.at(span, label)),
        }
        None
    }

    /// Reports that a value of a type is needed, and shows an example. If several shapes are accepted, a note lists
    /// them.
    fn mismatch<T>(&mut self, json: &Json, ty: &Type) -> Option<T> {
        let reported = self.diagnostics.len();
        let none = self.mistake(json, format!("a value of `{ty}` is needed here, but {}", is(json)), self.wanted(ty));
        let DataShape { domain, essence, json, .. } = shape_of_type(ty);
        if let (Some(new), [_, _, ..], false) = (self.diagnostics.get_mut(reported), json, matches!(ty, Type::Int(_))) {
            let shapes: Vec<String> = json.iter().map(|text| format!("`{text}`")).collect();
            new.notes.push(format!("`{essence}` of `{domain}` can be written as {}", one_of(&shapes)));
        }
        none
    }

    /// The help that shows a value of a type.
    fn wanted(&self, ty: &Type) -> String {
        format!("write {}, as in `{}`", shape_of_type(ty).words, json_example(self.model, self.members, ty))
    }

    /// Returns the literal for a JSON value of a type.
    fn value(&mut self, json: &Json, ty: &Type) -> Option<ExprTree> {
        let span = json.span;
        let kind = match (ty, &json.kind) {
            // The wrong type has been reported, so any literal will do.
            (Type::Any, _) => ExprTreeKind::Bool(false),
            (Type::Bool | Type::Int(_) | Type::Named(_), _) => return self.scalar(json, ty),
            (Type::Tuple(types), JsonKind::Array(items)) if items.len() == types.len() => {
                ExprTreeKind::Tuple(self.components(items.iter().zip(types.iter()))?)
            }
            (Type::Collection(kind, parts), _) => self.collection(json, ty, *kind, parts)?,
            (Type::Matrix(types), JsonKind::Array(items)) => {
                // For an array, the indices come from the declaration. Only `bool` must be stated, because the literal
                // would be indexed from 1 otherwise.
                let is_bool = types[0] == Type::Bool && items.len() == 2;
                let index = is_bool.then(|| Box::new(DomainTree { kind: DomainKind::Bool, span: json.span }));
                ExprTreeKind::Matrix(self.all(items, &types[1])?, index)
            }
            (Type::Matrix(types), JsonKind::Object(members)) => {
                let (items, index) = self.elements(json, members, &types[0], &types[1])?;
                ExprTreeKind::Matrix(items, index.map(Box::new))
            }
            (Type::Record(fields), JsonKind::Object(members)) => {
                ExprTreeKind::Record(self.fields(json, members, fields)?)
            }
            (Type::Variant(alternatives), JsonKind::Object(members)) => {
                let chosen = |text: &str| alternatives.iter().find(|(name, _)| fits(text, name));
                match &members[..] {
                    [(key, value)] if let Some((name, inner)) = chosen(&key.text) => {
                        let name = Identifier { text: name.clone(), span: without_quotes(key.span) };
                        let value = self.part(&name.text, |reader| reader.value(value, inner));
                        ExprTreeKind::Variant(name, Box::new(value?))
                    }
                    _ => return self.mismatch(json, ty),
                }
            }
            _ => return self.mismatch(json, ty),
        };
        Some(ExprTree { kind, span })
    }

    /// Returns the literal for a JSON value of a collection type.
    fn collection(&mut self, json: &Json, ty: &Type, kind: Collection, parts: &[Type]) -> Option<ExprTreeKind> {
        Some(match (kind.form(), &json.kind) {
            (MemberForm::Values | MemberForm::Positions, JsonKind::Array(items)) => {
                ExprTreeKind::Collection(kind, self.all(items, &parts[0])?)
            }
            (MemberForm::Positions, JsonKind::Object(members)) => {
                ExprTreeKind::Collection(kind, self.places(json, members, &parts[0])?)
            }
            (MemberForm::Tuples, JsonKind::Array(items)) => {
                ExprTreeKind::Collection(kind, self.all(items, &Type::Tuple(parts.into()))?)
            }
            (MemberForm::Tuples, JsonKind::Object(_)) if parts.len() > 1 => {
                ExprTreeKind::Collection(kind, self.rows(json, ty, parts)?)
            }
            (MemberForm::Blocks | MemberForm::Cycles, JsonKind::Array(groups)) => {
                ExprTreeKind::Grouped(kind, self.lists(groups, ty, &parts[0])?)
            }
            (MemberForm::Pairs, JsonKind::Object(_)) => {
                let (mut pairs, mut complete) = (Vec::new(), true);
                // If the arguments of a function are tuples, objects are nested, with one level per component.
                let arguments =
                    if let Type::Tuple(items) = &parts[0] { &items[..] } else { std::slice::from_ref(&parts[0]) };
                for (mut path, image) in self.branches(json, ty, arguments)? {
                    let argument = match &parts[0] {
                        Type::Tuple(_) => {
                            let span = path[0].span;
                            ExprTree { kind: ExprTreeKind::Tuple(path), span }
                        }
                        _ => path.remove(0),
                    };
                    match self.value(image, &parts[1]) {
                        Some(image) => pairs.push((argument, image)),
                        None => complete = false,
                    }
                }
                ExprTreeKind::Pairs(kind, complete.then_some(pairs)?)
            }
            (MemberForm::Pairs, JsonKind::Array(pairs)) => {
                let pairs: Vec<Option<_>> = pairs.iter().map(|pair| self.pair(pair, ty, parts)).collect();
                ExprTreeKind::Pairs(kind, pairs.into_iter().collect::<Option<_>>()?)
            }
            _ => return self.mismatch(json, ty),
        })
    }

    /// Returns the literals for values with their types. All values are read before the first failure ends the list, so
    /// that each mistake is reported.
    fn each<'j>(&mut self, values: impl Iterator<Item = (&'j Json, &'j Type)>) -> Option<Vec<ExprTree>> {
        let values: Vec<Option<ExprTree>> = values.map(|(value, ty)| self.value(value, ty)).collect();
        values.into_iter().collect()
    }

    /// Returns the literals for the components of a tuple, which may have different units.
    fn components<'j>(&mut self, values: impl Iterator<Item = (&'j Json, &'j Type)>) -> Option<Vec<ExprTree>> {
        let values = (1..).zip(values);
        let read = values.map(|(at, (value, ty))| self.part(&i32::to_string(&at), |reader| reader.value(value, ty)));
        let values: Vec<Option<ExprTree>> = read.collect();
        values.into_iter().collect()
    }

    fn all(&mut self, items: &[Json], ty: &Type) -> Option<Vec<ExprTree>> {
        self.each(items.iter().map(|item| (item, ty)))
    }

    fn lists(&mut self, lists: &[Json], whole: &Type, ty: &Type) -> Option<Vec<Vec<ExprTree>>> {
        let each = lists.iter().map(|list| match &list.kind {
            JsonKind::Array(items) => self.all(items, ty),
            _ => {
                let message = format!("an array is needed in a `{whole}`, but {}", is(list));
                self.mistake(list, message, self.wanted(whole))
            }
        });
        each.collect::<Vec<_>>().into_iter().collect()
    }

    /// Reads an argument with its image: a pair `[argument, image]`, or a row with the components of the argument and
    /// the image.
    fn pair(&mut self, pair: &Json, whole: &Type, types: &[Type]) -> Option<(ExprTree, ExprTree)> {
        match (&pair.kind, &types[0]) {
            (JsonKind::Array(parts), _) if parts.len() == 2 => {
                let argument = self.without_unit(|reader| reader.value(&parts[0], &types[0]));
                let image = self.value(&parts[1], &types[1]);
                Some((argument?, image?))
            }
            (JsonKind::Array(parts), Type::Tuple(components)) if parts.len() == components.len() + 1 => {
                let (last, first) = parts.split_last()?;
                let argument = self.without_unit(|reader| reader.components(first.iter().zip(components.iter())));
                let image = self.value(last, &types[1]);
                Some((ExprTree { kind: ExprTreeKind::Tuple(argument?), span: pair.span }, image?))
            }
            _ => {
                let message = format!("an argument with its image is needed here, but {}", is(pair));
                self.mistake(pair, message, self.wanted(whole))
            }
        }
    }

    /// Returns each path through nested objects, whose keys have the given types, with the value at its end.
    fn branches<'j>(&mut self, json: &'j Json, whole: &Type, types: &[Type]) -> Option<Vec<(Vec<ExprTree>, &'j Json)>> {
        let Some((first, rest)) = types.split_first() else { return Some(vec![(Vec::new(), json)]) };
        let JsonKind::Object(members) = &json.kind else {
            let message = format!("an object is needed here in a `{whole}`, but {}", is(json));
            return self.mistake(json, message, self.wanted(whole));
        };
        // `{}` is an empty function with any type of arguments.
        if !is_key(first) && !members.is_empty() {
            return self.mismatch(json, whole);
        }
        let (mut branches, mut complete) = (Vec::new(), true);
        for (key, value) in members {
            let found = (self.key(key, first), self.branches(value, whole, rest));
            let (Some(key), Some(inner)) = found else {
                complete = false;
                continue;
            };
            branches.extend(inner.into_iter().map(|(path, json)| {
                let whole: Vec<ExprTree> = std::iter::once(key.clone()).chain(path).collect();
                (whole, json)
            }));
        }
        complete.then_some(branches)
    }

    /// Reads the tuples of a relation from an object: the keys lead to arrays of the last components.
    fn rows(&mut self, json: &Json, whole: &Type, types: &[Type]) -> Option<Vec<ExprTree>> {
        let (last, first) = types.split_last()?;
        let (mut rows, mut complete) = (Vec::new(), true);
        for (path, values) in self.branches(json, whole, first)? {
            let JsonKind::Array(values) = &values.kind else {
                let message = format!("an array is needed here in a `{whole}`, but {}", is(values));
                complete = self.mistake(values, message, self.wanted(whole)).unwrap_or(false);
                continue;
            };
            match self.all(values, last) {
                Some(values) => rows.extend(values.into_iter().map(|value| {
                    let span = value.span;
                    let parts = path.iter().cloned().chain([value]).collect();
                    ExprTree { kind: ExprTreeKind::Tuple(parts), span }
                })),
                None => complete = false,
            }
        }
        complete.then_some(rows)
    }

    fn given_twice<T>(&mut self, what: &str, first: Span, second: Span) -> Option<T> {
        self.diagnostics.push(
            Diagnostic::error(Code::JSON, format!("{what} is given twice"))
                .at(second, "the second one")
                .at(first, "the first one"),
        );
        None
    }

    /// Reads the fields of a record. A key that is not a field is only a warning, unless a field is missing: it may be
    /// misspelt.
    fn fields(
        &mut self,
        json: &Json,
        members: &JsonMembers,
        fields: &[(Name, Type)],
    ) -> Option<Vec<(Identifier, ExprTree)>> {
        let key_of = |name: &str| {
            // Two keys may fit one field: both `"a_b"` and `"a b"` fit `a_b`. The exact one wins.
            let exact = members.iter().find(|(key, _)| *key.text == *name);
            exact.or_else(|| members.iter().find(|(key, _)| fits(&key.text, name)))
        };
        let (mut found, mut complete) = (Vec::new(), true);
        for (name, ty) in fields {
            let Some((key, value)) = key_of(name) else {
                let others = members.iter().map(|(key, _)| &*key.text);
                let others = others.filter(|key| !fields.iter().any(|(name, _)| fits(key, name)));
                // Finding similar names is expensive, so after `MOST_KINDS` reports, the help is only general.
                let has_own_help = self.diagnostics.len() - self.reported < MOST_KINDS;
                let misspelt = if has_own_help { nearest(name, others) } else { None };
                let help = match misspelt {
                    Some(near) => format!("write `{}` instead of `{}`", quoted(name), quoted(near)),
                    None => format!("add `{}: {}`", quoted(name), json_example(self.model, self.members, ty)),
                };
                // The whole object is too large for a label, so its opening brace is marked.
                let span = Span { end: json.span.start + 1, ..json.span };
                self.mistake_at::<()>(span, format!("the field `{name}` has no value"), "a field is missing", help);
                complete = false;
                continue;
            };
            let again = members.iter().rfind(|(other, _)| other.text == key.text && other.span != key.span);
            let read = match again {
                Some((again, _)) => self.given_twice(&format!("the field `{name}`"), key.span, again.span),
                None => self.part(name, |reader| reader.value(value, ty)),
            };
            match read {
                Some(value) => found.push((Identifier { text: name.clone(), span: without_quotes(key.span) }, value)),
                None => complete = false,
            }
        }
        if complete {
            let unneeded = members.iter().filter(|(key, _)| !fields.iter().any(|(name, _)| fits(&key.text, name)));
            let name = |key: &JsonKey| Identifier { text: key.text.as_str().into(), span: without_quotes(key.span) };
            self.unneeded.extend(unneeded.map(|(key, _)| name(key)));
        }
        complete.then_some(found)
    }

    /// Reads the members of a sequence from an object with their positions.
    fn places(&mut self, json: &Json, members: &JsonMembers, inner: &Type) -> Option<Vec<ExprTree>> {
        let entries = self.entries(members, &Type::INT, inner)?;
        if entries.iter().zip(1..).any(|((place, _), wanted)| *place != wanted) {
            let count = entries.len();
            let message = format!("the places of a sequence are counted from 1: {count} members need 1 to {count}");
            return self.mistake(json, message, "write the members in their order, as in `[7, 8]`");
        }
        Some(entries.into_iter().map(|(_, value)| value).collect())
    }

    /// Returns the elements of a matrix from an object, sorted by their indices, with the index domain if it is known.
    fn elements(
        &mut self,
        json: &Json,
        members: &JsonMembers,
        index: &Type,
        element: &Type,
    ) -> Option<(Vec<ExprTree>, Option<DomainTree>)> {
        if !is_key(index) {
            return self.mismatch(json, &Type::matrix(index.clone(), element.clone()));
        }
        if let Type::Named(named) = index
            && self.are_positions(members, named)
        {
            return Some((self.each(members.iter().map(|(_, value)| (value, element)))?, None));
        }
        // The keys of the object are indices, so this level does not need the declaration's.
        match index {
            Type::Int(_) => self.positional.integers = false,
            _ => self.positional.names = false,
        }
        let (at, items): (Vec<i64>, Vec<ExprTree>) = self.entries(members, index, element)?.into_iter().unzip();
        let domain = match index {
            // If there are no elements, the index domain comes from the declaration.
            _ if at.is_empty() => None,
            Type::Bool if at == [0, 1] => Some(DomainKind::Bool),
            Type::Bool => {
                let message = "a matrix that is indexed by `bool` needs an element for each of both values".to_owned();
                return self.mistake(json, message, "write it as in `{\"false\": …, \"true\": …}`");
            }
            // The members of an unnamed type have no order, so each of them needs an element.
            Type::Named(named) if named.unnamed => {
                let has_all = match self.known_members(named) {
                    Some(members) => members.names.len() == at.len(),
                    None => at.iter().copied().eq(0..at.len() as i64),
                };
                if !has_all {
                    let message =
                        format!("a matrix that is indexed by `{}` needs an element for each member", named.name);
                    return self.mistake(json, message, "write them all, or an array");
                }
                None
            }
            Type::Named(named) => {
                let texts = self.known_members(named);
                let strangers = self.strangers.iter().find(|(ty, _)| *ty == named.name);
                let strangers = strangers.map_or(&[][..], |(_, names)| names);
                let name = |at: i64| {
                    let members = texts.as_ref()?;
                    members.names.iter().chain(strangers).nth(usize::try_from(at).ok()?).cloned()
                };
                let literal =
                    |at: i64| name(at).map(|name| ExprTree { kind: ExprTreeKind::Name(name), span: json.span });
                let ranges = intervals(at)
                    .into_iter()
                    .map(|(first, last)| Some(WrittenRange::Interval(Some(literal(first)?), Some(literal(last)?))));
                // If the members are missing, which is reported, the order is unknown.
                let ranges = ranges.collect::<Option<Vec<_>>>();
                ranges.map(|ranges| {
                    DomainKind::Named(Identifier { text: named.name.clone(), span: json.span }, Some(ranges))
                })
            }
            _ => {
                let literal = |value: i64| literal_or_negated(value, json.span, ExprTreeKind::Int);
                let range = |(first, last)| WrittenRange::Interval(Some(literal(first)), Some(literal(last)));
                let ranges = intervals(at).into_iter().map(range).collect();
                Some(DomainKind::Int { tag: None, ranges: Some(ranges) })
            }
        };
        Some((items, domain.map(|kind| DomainTree { kind, span: json.span })))
    }

    /// Returns true if the keys are 1, 2, … instead of the members of a type. Conjure writes such keys, because it does
    /// not know the members without the model.
    fn are_positions(&mut self, members: &JsonMembers, named: &NamedType) -> bool {
        let known = self.known_members(named).unwrap_or_default();
        let number = |text: &str| text.parse::<usize>().ok();
        members.len() == known.names.len()
            && members.iter().zip(1..).all(|((key, _), at)| number(&key.text) == Some(at))
            && known.names.iter().all(|member| number(&unquoted(member)).is_none())
    }

    /// Returns the entries of an object whose keys are indices, sorted by index.
    fn entries(&mut self, members: &JsonMembers, index: &Type, element: &Type) -> Option<Vec<(i64, ExprTree)>> {
        let (mut entries, mut complete) = (Vec::with_capacity(members.len()), true);
        for ((key, value), written) in members.iter().zip(0..) {
            let position = match index {
                Type::Named(named) => match self.member(&key.text, without_quotes(key.span), named) {
                    Some((_, Some(at))) => i64::try_from(at).ok(),
                    Some((name, None)) => match self.known_members(named) {
                        // In an earlier plan, an index may no longer be a member of its type. Its position follows the
                        // last member.
                        Some(known) => i64::try_from(known.names.len() + self.stranger(named, name)).ok(),
                        None if named.unnamed => self.foreign(key, named),
                        // Missing members are reported elsewhere, so the order in the text is kept.
                        None => Some(written),
                    },
                    None => None,
                },
                _ => self.key(key, index).and_then(|key| index_literal(&key)),
            };
            match (position, self.value(value, element)) {
                (Some(position), Some(value)) => entries.push((position, key, value)),
                _ => complete = false,
            }
        }
        if !complete {
            return None;
        }
        entries.sort_by_key(|entry| entry.0);
        if let Some(twice) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let (first, second) = (twice[0].1, twice[1].1);
            return self.given_twice(&format!("the index {}", first.text), first.span, second.span);
        }
        Some(entries.into_iter().map(|(position, _, value)| (position, value)).collect())
    }

    /// Returns the position of a name among the indices of this type that are not members.
    fn stranger(&mut self, named: &NamedType, name: Name) -> usize {
        let at = self.strangers.iter().position(|(ty, _)| *ty == named.name).unwrap_or_else(|| {
            self.strangers.push((named.name.clone(), Vec::new()));
            self.strangers.len() - 1
        });
        let names = &mut self.strangers[at].1;
        names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
    }

    /// Reports a name for a member of an unnamed type whose members have no names.
    fn foreign<T>(&mut self, key: &JsonKey, named: &NamedType) -> Option<T> {
        let first = quoted(&unquoted(&unnamed_member(&named.name, 1)));
        let name = quoted(&key.text);
        let help = format!(
            "the members are `{first}` and so on; to name them otherwise, list them: `{}: [{name}, …]`",
            quoted(&named.name)
        );
        let message = format!("`{}` is not a member of `{}`", key.text, named.name);
        self.mistake_at(without_quotes(key.span), message, "not a member", help)
    }

    /// Reads a key of an object as a value.
    fn key(&mut self, key: &JsonKey, ty: &Type) -> Option<ExprTree> {
        let string = Json { kind: JsonKind::String(key.text.clone()), span: key.span };
        self.without_unit(|reader| reader.scalar(&string, ty))
    }

    /// Reads a value without parts.
    fn scalar(&mut self, json: &Json, ty: &Type) -> Option<ExprTree> {
        let span = scalar_span(json);
        let kind = match (ty, &json.kind) {
            (Type::Bool, JsonKind::Bool(value)) => ExprTreeKind::Bool(*value),
            (Type::Bool, JsonKind::Number(text) | JsonKind::String(text)) => match &**text {
                "true" | "1" => ExprTreeKind::Bool(true),
                "false" | "0" => ExprTreeKind::Bool(false),
                _ => return self.mismatch(json, ty),
            },
            (Type::Int(int), JsonKind::Number(text) | JsonKind::String(text)) => {
                let value = self.integer(json, text, ty)?;
                return Some(literal_or_negated(value, span, |value| match &int.tag {
                    Some(tag) => ExprTreeKind::TaggedInt(value, Identifier { text: tag.clone(), span }),
                    None => ExprTreeKind::Int(value),
                }));
            }
            (Type::Named(named), JsonKind::String(text) | JsonKind::Number(text)) => {
                ExprTreeKind::Name(self.member(text, span, named)?.0)
            }
            _ => return self.mismatch(json, ty),
        };
        Some(ExprTree { kind, span })
    }

    /// Reads an integer from a number or a string, in steps of the unit.
    fn integer(&mut self, json: &Json, text: &str, ty: &Type) -> Option<i64> {
        let Some(unit) = self.units.unit() else {
            return match (parse_integer(text), &json.kind) {
                (Some(value), _) => Some(value),
                _ if is_whole(text) => self.too_large(json, text, None),
                (None, JsonKind::Number(_)) => {
                    let message = format!("`{text}` is not an integer of Essence");
                    let help = "write a whole number, as in `12`";
                    self.mistake_at(json.span, message, "a whole number is needed here", help)
                }
                (None, _) => self.mismatch(json, ty),
            };
        };
        match unit.steps(text) {
            Ok(steps) if is_integer(steps) => Some(steps),
            Err(Misfit::BetweenSteps) => {
                let message = between_steps(text, text, unit);
                let help = "round the value, or declare a smaller unit in the model";
                self.mistake_at(json.span, message, "this lies between two steps", help)
            }
            Err(Misfit::NotDecimal) => {
                let message = format!("`{text}` is not a decimal number");
                // The most likely mistake is a decimal comma.
                let pointed = text.replacen(',', ".", 1);
                let help = match unit.steps(&pointed) {
                    Ok(_) => format!("write `{pointed}`, with a point"),
                    Err(_) => format!("write digits with a point, as in `{}`", unit.shown(1234)),
                };
                self.mistake_at(json.span, message, "a decimal number is needed here", help)
            }
            _ => self.too_large(json, text, Some(unit)),
        }
    }

    fn too_large<T>(&mut self, json: &Json, text: &str, unit: Option<Unit>) -> Option<T> {
        let (message, help) = too_large_number(text, unit);
        self.mistake_at(json.span, message, "this is too large", help)
    }

    /// Returns the members of a type, if they are known.
    fn known_members(&mut self, named: &NamedType) -> Option<Arc<MemberTexts>> {
        self.known.entry(named.id).or_insert_with(|| known_texts(self.model, self.members, named)).clone()
    }

    /// Returns the member that a text stands for, and its position if the members are known.
    fn member(&mut self, text: &str, span: Span, named: &NamedType) -> Option<(Name, Option<usize>)> {
        let known = self.known_members(named);
        if let Some(known) = &known
            && let Some(at) = known.position(text)
        {
            return Some((known.names[at].clone(), Some(at)));
        }
        // `T_1` and `1` are members of an unnamed type `T` even if the data use other names.
        if self.model.is_unnamed(named)
            && let Some(at) = unnamed_position(&named.name, text).or_else(|| unnamed_number(text))
            && let Ok(place) = usize::try_from(at - 1)
        {
            match &known {
                None => return Some((unnamed_member(&named.name, at), Some(place))),
                Some(known) if place < known.names.len() => return Some((known.names[place].clone(), Some(place))),
                // The type may have had more members in an earlier plan.
                Some(_) if self.model.takes_strangers => return Some((unnamed_member(&named.name, at), None)),
                Some(_) => {}
            }
        }
        // A missing list of members is reported elsewhere, so here, any name is accepted.
        let Some(known) = known.filter(|_| !self.model.takes_strangers) else { return Some((name_of(text), None)) };
        let is_given = self.members.contains_key(&DeclarationId(named.id));
        let has_own_help = self.diagnostics.len() - self.reported < MOST_KINDS;
        let near = if has_own_help { known.nearest(text, &self.suggestions) } else { None };
        let help = match near {
            Some(near) => format!("did you mean `{}`?", quoted(near)),
            None if is_given && has_own_help => {
                format!("add it to the members: `{}: […, {}]`", quoted(&named.name), quoted(text))
            }
            None if is_given => format!("add what is missing to the members: `{}: […, …]`", quoted(&named.name)),
            None => {
                let listed: Vec<String> = known.texts().take(9).map(|text| format!("`{}`", quoted(&text))).collect();
                let more = if known.names.len() > listed.len() { ", …" } else { "" };
                format!("write one of the members of `{}`: {}{more}", named.name, listed.join(", "))
            }
        };
        let message = format!("`{text}` is not a member of `{}`", named.name);
        self.mistake_at(span, message, "not a member", help)
    }
}

/// Returns true if a list numbers the members of an unnamed type as solutions do.
fn are_numbers(model: &TypedModel, declaration: &Declaration, items: &[Json]) -> bool {
    let is_number = |(item, at): (&Json, i64)| match &item.kind {
        JsonKind::String(text) => unnamed_position(&declaration.name, text) == Some(at),
        _ => false,
    };
    let has_all = matches!(&declaration.kind, DeclarationKind::Enum(members) if members.len() == items.len());
    has_all && model.decided.contains(&declaration.name) && items.iter().zip(1..).all(is_number)
}

/// Returns true if a list consists of the members of a type, in their order.
fn are_members(items: &[Json], members: &[Name]) -> bool {
    let is_member =
        |(item, name): (&Json, &Name)| matches!(&item.kind, JsonKind::String(text) if unquoted(name) == *text);
    items.len() == members.len() && items.iter().zip(members).all(is_member)
}

/// Returns an example in JSON of a value of a type.
pub(crate) fn json_example(model: &TypedModel, members: &MembersByType, ty: &Type) -> String {
    Examples { member: &|named, at| member_text(model, members, named, at) }.value(ty)
}

/// The number of reports about one value after which further reports share general help. Chosen.
const MOST_KINDS: usize = 100;

/// Parses an integer; a fraction of zeros is accepted, as in `3.0`.
pub(crate) fn parse_integer(text: &str) -> Option<i64> {
    let text = &*without_exponent(text.trim());
    let whole = match text.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() && fraction.bytes().all(|digit| digit == b'0') => whole,
        _ => text,
    };
    whole.parse::<i64>().ok().filter(|value| is_integer(*value))
}

/// Returns the message that a number is too large, and the help: the largest number, in its unit.
pub(crate) fn too_large_number(text: &str, unit: Option<Unit>) -> (String, String) {
    let noun = if unit.is_some() { "number" } else { "integer" };
    let (word, limit) = if text.trim().starts_with('-') { ("smallest", -LARGEST) } else { ("largest", LARGEST) };
    let limit = unit.map_or_else(|| limit.to_string(), |unit| unit.shown(limit));
    (format!("`{text}` is too large"), format!("the {word} {noun} is {limit}"))
}

/// Returns true if a number is within the integers of Essence.
pub(crate) fn is_integer(value: i64) -> bool {
    value.unsigned_abs() <= LARGEST as u64
}

/// The number of an index literal.
fn index_literal(expr: &ExprTree) -> Option<i64> {
    match &expr.kind {
        ExprTreeKind::Bool(value) => Some(i64::from(*value)),
        ExprTreeKind::Int(value) | ExprTreeKind::TaggedInt(value, _) => Some(*value),
        ExprTreeKind::Apply(_, operands) => index_literal(operands.first()?).map(|value| -value),
        _ => None,
    }
}

/// Returns a literal for a number. Literals are not negative, so `-3` is the negation of `3`.
fn literal_or_negated(value: i64, span: Span, literal: impl Fn(i64) -> ExprTreeKind) -> ExprTree {
    if value >= 0 {
        return ExprTree { kind: literal(value), span };
    }
    let positive = ExprTree { kind: literal(value.saturating_neg()), span };
    ExprTree::negative(positive).at(span)
}

/// Splits ascending numbers into maximal intervals.
fn intervals(numbers: Vec<i64>) -> Vec<(i64, i64)> {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

/// The span of a string without its quotation marks.
fn without_quotes(span: Span) -> Span {
    Span { start: span.start + 1, end: span.end - 1, ..span }
}

/// The span of a value without parts; of a string, without its quotation marks.
fn scalar_span(json: &Json) -> Span {
    if let JsonKind::String(_) = json.kind { without_quotes(json.span) } else { json.span }
}

/// Joins alternatives: `a`, `b` or `c`.
fn one_of(texts: &[String]) -> String {
    match texts {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => texts.concat(),
    }
}

fn is(json: &Json) -> String {
    format!("this is {}", described_json(json))
}

fn described_json(json: &Json) -> &'static str {
    match json.kind {
        JsonKind::Null => "`null`",
        JsonKind::Bool(_) => "a Boolean",
        JsonKind::Number(_) => "a number",
        JsonKind::String(_) => "a string",
        JsonKind::Array(_) => "an array",
        JsonKind::Object(_) => "an object",
    }
}
