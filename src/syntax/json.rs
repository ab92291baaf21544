//! Parses JSON to a tree with spans. The meaning of the tree depends on a model (`analysis/json.rs`).

use super::parse::DEEPEST;
use crate::{
    diagnostic::{Code, Diagnostic},
    language::quotation::unquoted,
    source::{Source, SourceId, Span},
};
use pest::{Parser, error::InputLocation, iterators::Pair};
use std::ops::Range;

#[derive(pest_derive::Parser)]
#[grammar = "grammar/json.pest"]
struct JsonGrammar;

#[derive(Clone, Debug)]
pub(crate) struct Json {
    pub kind: JsonKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum JsonKind {
    Null,
    Bool(bool),
    /// A number as written.
    Number(String),
    String(String),
    Array(Vec<Json>),
    /// The members of an object; a key may occur twice.
    Object(JsonMembers),
}

#[derive(Clone, Debug)]
pub(crate) struct JsonKey {
    pub text: String,
    pub span: Span,
}

/// The members of an object.
pub(crate) type JsonMembers = Vec<(JsonKey, Json)>;

/// Returns true if a parameter file or a solution is JSON. No statement of Essence starts with a bracket or brace.
pub(crate) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Returns the ranges of the instances in a text: the entries of an array, or a sequence of objects. The list is empty
/// if the text is not JSON.
pub(crate) fn instance_spans(text: &str) -> Vec<Range<usize>> {
    let documents = if is_json(text) { parse_json(SourceId::default(), text, 0).ok() } else { None };
    let range = |json: &Json| json.span.start as usize..json.span.end as usize;
    documents.map_or(Vec::new(), |documents| document_entries(documents).iter().map(range).collect())
}

/// Returns the values in a text, which follow one another.
pub(crate) fn documents(id: SourceId, source: &Source) -> Result<Vec<Json>, Box<Diagnostic>> {
    parse_json(id, &source.text, 0)
}

/// Returns the only object in a source, or in the selected part of the source, with its span.
pub(crate) fn parse_instance(id: SourceId, source: &Source) -> Result<(JsonMembers, Span), Box<Diagnostic>> {
    let part = source.part.clone().unwrap_or(0..source.text.len());
    let found = document_entries(parse_json(id, &source.text[part.clone()], part.start)?);
    let count = found.len();
    Err(Box::new(match found.into_iter().next() {
        Some(Json { kind: JsonKind::Object(members), span }) if count == 1 => return Ok((members, span)),
        // The name `data.json#2` selects an instance in a file with several.
        Some(Json { kind: JsonKind::Object(_), span }) => {
            let message = format!("`{}` holds {count} instances, but one is needed here", source.name);
            Diagnostic::error(Code::JSON, message)
                .at(span, "the first one")
                .help(format!("name one of them, from `{0}#1` to `{0}#{count}`", source.name))
        }
        Some(other) => Diagnostic::error(Code::JSON, "data in JSON are an object with a key for each parameter")
            .at(other.span, "this is not an object")
            .help("write `{\"n\": 4, …}`, or `[{\"n\": 4, …}, {\"n\": 5, …}]` for several instances"),
        None => Diagnostic::error(Code::JSON, "there is no instance in this array")
            .at(Span::new(id, part.start, part.end), "nothing is here")
            .help("write an object for each instance: `[{\"n\": 4}, {\"n\": 5}]`"),
    }))
}

/// Returns the value in a part of a source if the part is JSON.
pub(crate) fn value_at(part: Span, text: &str) -> Option<Json> {
    let mut documents = parse_json(part.source, text, part.start as usize).ok()?;
    if documents.len() == 1 { documents.pop() } else { None }
}

/// Returns the entries of an array of objects, or the documents themselves.
fn document_entries(mut documents: Vec<Json>) -> Vec<Json> {
    let is_object = |json: &Json| matches!(json.kind, JsonKind::Object(_));
    match documents.as_mut_slice() {
        [Json { kind: JsonKind::Array(items), .. }] if items.iter().all(is_object) => std::mem::take(items),
        _ => documents,
    }
}

/// Parses a text that starts at an offset of its source.
fn parse_json(source: SourceId, text: &str, offset: usize) -> Result<Vec<Json>, Box<Diagnostic>> {
    let place = |start: usize, end: usize| Span::new(source, offset + start, offset + end);
    // The grammar is recursive, so the depth must be checked before parsing.
    if let Some(at) = too_deep(text) {
        let message = format!("this is nested more than {DEEPEST} levels deep");
        return Err(Diagnostic::error(Code::TOO_DEEP, message).at(place(at, at + 1), "one level too many").into());
    }
    match JsonGrammar::parse(Rule::document, text) {
        Ok(pairs) => {
            Ok(pairs.filter(|pair| pair.as_rule() != Rule::EOI).map(|pair| json_tree(source, offset, pair)).collect())
        }
        Err(error) => {
            let at = match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
            };
            let found = text[at..].chars().next();
            let (label, end) = match found {
                Some(found) => ("this does not fit here", at + found.len_utf8()),
                None => ("the text ends here", at),
            };
            let mistake = Diagnostic::error(Code::JSON, "the text starts like JSON, but is not JSON");
            let mistake = mistake.at(place(at, end), label);
            let mistake = match help_for_json(text, at) {
                Some(help) => mistake.help(help),
                None => mistake,
            };
            Err(Box::new(mistake.note(
                "JSON has objects `{\"n\": 4}`, arrays `[1, 2]`, strings, numbers, `true` and `false`; put \
                        a comma between two entries and none after the last",
            )))
        }
    }
}

/// Returns help for the position at which a file is no longer JSON.
fn help_for_json(text: &str, at: usize) -> Option<String> {
    let (before, rest) = (text[..at].trim_end(), &text[at..]);
    let word: String = rest.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect();
    // The string itself is valid; the error is in the text after it.
    let behind = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(_, behind)| behind.trim_start());
    let after_value = behind.unwrap_or_else(|| rest[word.len()..].trim_start());
    Some(match rest.chars().next() {
        Some('\'') => "write strings in double quotes: `\"red\"`".to_owned(),
        // `[1, 2,]` has a comma too many.
        Some('}' | ']') if before.ends_with(',') => "leave out the comma before this".to_owned(),
        Some('"' | '[' | '{' | '0'..='9' | '-')
            if before.ends_with(|character: char| character.is_alphanumeric() || "\"]}".contains(character)) =>
        {
            "write a `,` before this".to_owned()
        }
        // In `{"s": [1, 2}`, the list is not closed.
        Some(_) if after_value.len() < rest.len() && after_value.starts_with('}') && is_in_list(before) => {
            "close the list with `]` before the `}`".to_owned()
        }
        Some('"' | '0'..='9') if after_value.is_empty() => "close the open bracket with `}` or `]`".to_owned(),
        // `{"n" = 4}` has the sign of Essence.
        Some('"') if behind.is_some_and(|behind| behind.starts_with('=')) => "write `:` instead of `=`".to_owned(),
        // `{"red", "green"}` is a set in Python.
        Some('"') if behind.is_some_and(|behind| behind.starts_with([',', '}'])) => {
            "write a list in square brackets: `[\"red\", \"green\"]`".to_owned()
        }
        // These are Python's literals, for example from a printed dictionary.
        _ if matches!(&*word, "True" | "False" | "None") => "write `true`, `false` or `null`".to_owned(),
        // `[1 "red"]` lacks a comma.
        Some('0'..='9') if rest[word.len()..].trim_start().starts_with(['"', '[', '{']) => {
            format!("write a `,` after `{}`", crate::diagnostic::shortened_words(word))
        }
        _ if !word.is_empty() => format!("write `\"{}\"`, in double quotes", crate::diagnostic::shortened_words(word)),
        None => "close the open bracket with `}` or `]`".to_owned(),
        _ => return None,
    })
}

/// Returns the brackets of a text with their offsets, without the brackets in strings.
fn brackets(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut in_string, mut escaped) = (false, false);
    text.bytes().enumerate().filter(move |(_, byte)| {
        match byte {
            // An escaped quotation mark does not end the string.
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'{' | b'[' | b'}' | b']' => return !in_string,
            _ => {}
        }
        false
    })
}

/// Returns the offset of the first bracket that exceeds the limit on depth.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0u32;
    brackets(text).find_map(|(at, bracket)| {
        depth = if matches!(bracket, b'{' | b'[') { depth + 1 } else { depth.saturating_sub(1) };
        (depth > DEEPEST).then_some(at)
    })
}

/// Returns true if a list is the innermost open bracket at the end of a text.
fn is_in_list(text: &str) -> bool {
    let mut open = Vec::new();
    for (_, bracket) in brackets(text) {
        match bracket {
            b'{' | b'[' => open.push(bracket),
            _ => drop(open.pop()),
        }
    }
    open.last() == Some(&b'[')
}

fn json_tree(source: SourceId, offset: usize, pair: Pair<'_, Rule>) -> Json {
    let span = pair.as_span();
    let span = Span::new(source, offset + span.start(), offset + span.end());
    let text = pair.as_str();
    let kind = match pair.as_rule() {
        Rule::object => {
            JsonKind::Object(pair.into_inner().map(|member| member_entry(source, offset, member)).collect())
        }
        Rule::array => JsonKind::Array(pair.into_inner().map(|item| json_tree(source, offset, item)).collect()),
        Rule::string => JsonKind::String(unquoted(text).into_owned()),
        Rule::number => JsonKind::Number(text.to_owned()),
        _ if text == "null" => JsonKind::Null,
        _ => JsonKind::Bool(text == "true"),
    };
    Json { kind, span }
}

fn member_entry(source: SourceId, offset: usize, member: Pair<'_, Rule>) -> (JsonKey, Json) {
    let mut parts = member.into_inner().map(|part| json_tree(source, offset, part));
    match (parts.next(), parts.next()) {
        (Some(Json { kind: JsonKind::String(text), span }), Some(value)) => (JsonKey { text, span }, value),
        other => unreachable!("the grammar says that a member is a string and a value: {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_json_is_refused() {
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(1000), "]".repeat(1000));
        for text in ["{", "{\"a\": 01}", "{\"a\": \"\\q\"}", "{\"a\": 1,}", "{} 2", "{\"a\": nul}", &deep] {
            assert!(parse_json(SourceId(0), text, 0).is_err(), "{text:.20}");
        }
    }
}
