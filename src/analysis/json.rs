//! Parameters and solutions in the simple JSON of the reference implementation, as the `letting`s that they stand for.
//! The type of the name in the model decides the meaning of an array or an object.

use super::model::{Declaration, DeclarationKind, Model};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    language::{Collection, Type},
    operators::LARGEST,
    source::Span,
    syntax::{
        ast::{
            self, Domain, DomainKind, Expr, ExprKind, Identifier, LettingValue, Positional, StatementKind, WrittenRange,
        },
        json::{Json, JsonKey, JsonKind},
        parse,
    },
};

/// The `letting`s of a JSON document. Types come before values, which name their members.
pub(crate) fn file(model: &Model, document: &Json, diagnostics: &mut Diagnostics) -> ast::File {
    let JsonKind::Object(members) = &document.kind else {
        unreachable!("a document that is read as JSON begins with a brace")
    };
    let mut reader = JsonReader { diagnostics, indexed: false };
    let (mut types, mut values, mut positional) = (Vec::new(), Vec::new(), Vec::new());
    let mut broken = Vec::new();
    for (key, value) in members {
        // Statistics in the output of `solve`; no name begins like this.
        if key.text.starts_with('$') {
            continue;
        }
        let declaration = model.declarations.iter().find(|declaration| *declaration.name == *key.text);
        let is_type = declaration.is_some_and(|declaration| {
            matches!(declaration.kind, DeclarationKind::GivenEnum | DeclarationKind::Unnamed(_))
        });
        reader.indexed = false;
        let Some(statement) = reader.statement(declaration, key, value, is_type) else {
            broken.push(Identifier { text: key.text.as_str().into(), span: key.span });
            continue;
        };
        positional
            .push((key.text.as_str().into(), if reader.indexed { Positional::NotByIntegers } else { Positional::All }));
        if is_type { &mut types } else { &mut values }.push(statement);
    }
    types.append(&mut values);
    ast::File { statements: types, positional, broken, ..ast::File::default() }
}

struct JsonReader<'d> {
    /// Whether the value has a matrix whose indices are the keys of an object.
    indexed: bool,
    diagnostics: &'d mut Diagnostics,
}

impl JsonReader<'_> {
    fn statement(
        &mut self,
        declaration: Option<&Declaration>,
        key: &JsonKey,
        value: &Json,
        is_type: bool,
    ) -> Option<ast::Statement> {
        let name = self.identifier(&key.text, key.span)?;
        let value = if is_type {
            let JsonKind::Array(members) = &value.kind else {
                return self.mismatch(value, "the members of a type are an array of names: `[\"red\", \"green\"]`");
            };
            let members: Option<Vec<Identifier>> = members.iter().map(|member| self.member(member)).collect();
            LettingValue::Enum(members?)
        } else {
            let ty = declaration.map_or(&Type::Any, |declaration| &declaration.ty);
            LettingValue::Expr(self.value(value, ty)?)
        };
        let kind = StatementKind::Letting { names: vec![name], value };
        Some(ast::Statement { kind, span: key.span })
    }

    fn member(&mut self, member: &Json) -> Option<Identifier> {
        match &member.kind {
            JsonKind::String(text) => self.identifier(text, inside(member.span)),
            _ => self.mismatch(member, "a member of a type is a name: `\"red\"`"),
        }
    }

    fn identifier(&mut self, text: &str, span: Span) -> Option<Identifier> {
        if !parse::is_name(text) {
            self.diagnostics.push(
                Diagnostic::error(Code::JSON, format!("`{text}` cannot be a name in Essence"))
                    .at(span, "not a name")
                    .note(
                        "a name begins with a letter and goes on with letters, digits and `_`, and is not a reserved word",
                    ),
            );
            return None;
        }
        Some(Identifier { text: text.into(), span })
    }

    fn mismatch<T>(&mut self, json: &Json, wanted: &str) -> Option<T> {
        self.diagnostics.push(
            Diagnostic::error(Code::JSON, format!("{} does not fit here", described(json)))
                .at(json.span, format!("this is {}", described(json)))
                .note(wanted.to_owned()),
        );
        None
    }

    /// The literal for a JSON value of a type.
    fn value(&mut self, json: &Json, ty: &Type) -> Option<Expr> {
        let span = json.span;
        let kind = match (ty, &json.kind) {
            // The model does not know the name, which is reported where the `letting` is read.
            (Type::Any, _) => ExprKind::Bool(false),
            (_, JsonKind::Bool(value)) => ExprKind::Bool(*value),
            (_, JsonKind::Number(text)) => return self.integer(text, span, ty),
            (Type::Int(_), JsonKind::String(text)) => return self.integer(text, span, ty),
            (_, JsonKind::String(text)) => return self.scalar(text, inside(span), ty),
            (Type::Tuple(types), JsonKind::Array(items)) => {
                if items.len() != types.len() {
                    return self.mismatch(json, &format!("a `{ty}` is an array of {} values", types.len()));
                }
                let items = items.iter().zip(types.iter()).map(|(item, ty)| self.value(item, ty));
                ExprKind::Tuple(items.collect::<Option<_>>()?)
            }
            (Type::Set(inner), JsonKind::Array(items)) => {
                ExprKind::Collection(Collection::Set, self.all(items, inner)?)
            }
            (Type::MSet(inner), JsonKind::Array(items)) => {
                ExprKind::Collection(Collection::MSet, self.all(items, inner)?)
            }
            (Type::Sequence(inner), JsonKind::Array(items)) => {
                ExprKind::Collection(Collection::Sequence, self.all(items, inner)?)
            }
            (Type::Sequence(inner), JsonKind::Object(members)) => {
                let items = self.entries(members, &Type::INT, inner)?.into_iter().map(|entry| entry.1);
                ExprKind::Collection(Collection::Sequence, items.collect())
            }
            (Type::Relation(types), JsonKind::Array(items)) => {
                let tuple = Type::Tuple(types.clone());
                ExprKind::Collection(Collection::Relation, self.all(items, &tuple)?)
            }
            (Type::Partition(inner), JsonKind::Array(parts)) => ExprKind::Partition(self.lists(parts, inner)?),
            (Type::Permutation(inner), JsonKind::Array(cycles)) => ExprKind::Permutation(self.lists(cycles, inner)?),
            (Type::Function(types), JsonKind::Object(members)) => {
                let entries = members.iter().map(|(key, value)| {
                    Some((self.scalar(&key.text, inside(key.span), &types.0)?, self.value(value, &types.1)?))
                });
                ExprKind::Function(entries.collect::<Vec<Option<_>>>().into_iter().collect::<Option<_>>()?)
            }
            (Type::Function(types), JsonKind::Array(pairs)) => {
                let entries = pairs.iter().map(|pair| match &pair.kind {
                    JsonKind::Array(parts) if parts.len() == 2 => {
                        Some((self.value(&parts[0], &types.0)?, self.value(&parts[1], &types.1)?))
                    }
                    _ => self.mismatch(pair, "a function is an array of pairs, `[[argument, image], …]`"),
                });
                ExprKind::Function(entries.collect::<Vec<Option<_>>>().into_iter().collect::<Option<_>>()?)
            }
            (Type::Matrix(types), JsonKind::Array(items)) => ExprKind::Matrix(self.all(items, &types.1)?, None),
            (Type::Matrix(types), JsonKind::Object(members)) => {
                self.indexed = true;
                let (indices, items): (Vec<i64>, _) = self.entries(members, &types.0, &types.1)?.into_iter().unzip();
                let index = (!indices.is_empty()).then(|| Box::new(int_domain(indices, span)));
                ExprKind::Matrix(items, index)
            }
            (Type::Record(fields), JsonKind::Object(members)) => {
                let given = members.iter().map(|(key, value)| {
                    let ty = fields.iter().find(|(name, _)| **name == *key.text).map_or(&Type::Any, |field| &field.1);
                    Some((self.identifier(&key.text, key.span)?, self.value(value, ty)?))
                });
                ExprKind::Record(given.collect::<Option<_>>()?)
            }
            (Type::Variant(alternatives), JsonKind::Object(members)) => {
                let [(key, value)] = &members[..] else {
                    return self.mismatch(json, "a variant is an object with one key, the chosen alternative");
                };
                let ty = alternatives.iter().find(|(name, _)| **name == *key.text);
                let name = self.identifier(&key.text, key.span)?;
                ExprKind::Variant(name, Box::new(self.value(value, ty.map_or(&Type::Any, |found| &found.1))?))
            }
            _ => return self.mismatch(json, &format!("a `{ty}` is written as {}", written(ty))),
        };
        Some(Expr { kind, span })
    }

    fn all(&mut self, items: &[Json], ty: &Type) -> Option<Vec<Expr>> {
        // Every entry is looked at, so that each mistake is reported.
        let items: Vec<Option<Expr>> = items.iter().map(|item| self.value(item, ty)).collect();
        items.into_iter().collect()
    }

    fn lists(&mut self, lists: &[Json], ty: &Type) -> Option<Vec<Vec<Expr>>> {
        let each = lists.iter().map(|list| match &list.kind {
            JsonKind::Array(items) => self.all(items, ty),
            _ => self.mismatch(list, "this is an array of arrays, `[[1, 2], [3]]`"),
        });
        each.collect()
    }

    /// The members of an object whose keys are indices, by index.
    fn entries(&mut self, members: &[(JsonKey, Json)], index: &Type, element: &Type) -> Option<Vec<(i64, Expr)>> {
        let mut entries = Vec::with_capacity(members.len());
        for (key, value) in members {
            let Some(position) = key.text.parse::<i64>().ok().filter(|_| matches!(index, Type::Int(_))) else {
                let message = format!("`{}` cannot be an index of this", key.text);
                self.diagnostics.push(
                    Diagnostic::error(Code::JSON, message)
                        .at(key.span, "an integer is needed here")
                        .help("leave the indices out, and write an array in their order: `[…]`"),
                );
                return None;
            };
            entries.push((position, key.span, self.value(value, element)?));
        }
        entries.sort_by_key(|entry| entry.0);
        if let Some(twice) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            self.diagnostics.push(
                Diagnostic::error(Code::JSON, format!("the index {} is given twice", twice[0].0))
                    .at(twice[1].1, "the second one")
                    .at(twice[0].1, "the first one"),
            );
            return None;
        }
        Some(entries.into_iter().map(|(position, _, value)| (position, value)).collect())
    }

    /// A value without parts, as a string or a key holds it.
    fn scalar(&mut self, text: &str, span: Span, ty: &Type) -> Option<Expr> {
        match ty {
            Type::Int(_) => self.integer(text, span, ty),
            Type::Bool if matches!(text, "true" | "false") => Some(Expr { kind: ExprKind::Bool(text == "true"), span }),
            Type::Named(_) => {
                let name = self.identifier(text, span)?;
                Some(Expr { kind: ExprKind::Name(name.text), span })
            }
            _ => {
                self.diagnostics.push(
                    Diagnostic::error(Code::JSON, "a string does not fit here")
                        .at(span, "this is a string")
                        .note(format!("a `{ty}` is written as {}", written(ty))),
                );
                None
            }
        }
    }

    fn integer(&mut self, text: &str, span: Span, ty: &Type) -> Option<Expr> {
        let Some(value) = text.parse::<i64>().ok().filter(|value| value.unsigned_abs() <= LARGEST as u64) else {
            self.diagnostics.push(
                Diagnostic::error(Code::JSON, format!("`{text}` is not an integer"))
                    .at(span, "an integer is needed here")
                    .note("integers have no fraction, no exponent and at most 18 digits"),
            );
            return None;
        };
        let literal = |value: i64| match ty {
            Type::Int(Some(tag)) => ExprKind::TaggedInt(value, Identifier { text: tag.clone(), span }),
            _ => ExprKind::Int(value),
        };
        Some(literal_or_negated(value, span, literal))
    }
}

/// Literals are not negative: `-3` is the negation of one.
fn literal_or_negated(value: i64, span: Span, literal: impl Fn(i64) -> ExprKind) -> Expr {
    if value >= 0 {
        return Expr { kind: literal(value), span };
    }
    let positive = Expr { kind: literal(value.saturating_neg()), span };
    Expr::negative(positive).at(span)
}

/// `int(1..3, 7)` for ascending indices.
fn int_domain(indices: Vec<i64>, span: Span) -> Domain {
    let literal = |value: i64| literal_or_negated(value, span, ExprKind::Int);
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for index in indices {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(index) => *last = index,
            _ => ranges.push((index, index)),
        }
    }
    let interval = |(first, last)| WrittenRange::Interval(Some(literal(first)), Some(literal(last)));
    Domain { kind: DomainKind::Int { tag: None, ranges: Some(ranges.into_iter().map(interval).collect()) }, span }
}

/// A string without its quotes.
fn inside(span: Span) -> Span {
    Span { start: span.start + 1, end: span.end - 1, ..span }
}

fn described(json: &Json) -> &'static str {
    match json.kind {
        JsonKind::Null => "`null`",
        JsonKind::Bool(_) => "a Boolean",
        JsonKind::Number(_) => "a number",
        JsonKind::String(_) => "a string",
        JsonKind::Array(_) => "an array",
        JsonKind::Object(_) => "an object",
    }
}

/// The JSON form of the values of a type.
fn written(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "`true` or `false`",
        Type::Int(_) => "a number",
        Type::Named(_) => "a string, the name of a member",
        Type::Record(_) => "an object with its fields",
        Type::Variant(_) => "an object with one key, the chosen alternative",
        Type::Matrix(_) | Type::List(_) => "an array, or an object from indices to elements",
        Type::Function(_) => "an object from arguments to images, or an array of pairs",
        Type::Relation(_) => "an array of arrays, one for each tuple",
        Type::Partition(_) => "an array of arrays, one for each part",
        Type::Permutation(_) => "an array of arrays, one for each cycle",
        _ => "an array",
    }
}
