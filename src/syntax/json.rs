//! JSON to a tree with places; what the tree means depends on a model (`analysis/json.rs`).

use super::parse::DEEPEST;
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    source::{SourceId, Span},
};
use pest::{Parser, error::InputLocation, iterators::Pair};

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
    /// A number as it is written.
    Number(String),
    String(String),
    Array(Vec<Json>),
    /// An object: keys with their places; a key may occur twice.
    Object(Vec<(JsonKey, Json)>),
}

#[derive(Clone, Debug)]
pub(crate) struct JsonKey {
    pub text: String,
    pub span: Span,
}

/// Whether a file of parameters or a solution is JSON: no statement of Essence begins with a brace.
pub(crate) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The tree of a text, or `None` if it is not JSON, which goes to `diagnostics`.
pub(crate) fn parse(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Option<Json> {
    let place = |start: usize, end: usize| Span::new(source, start, end);
    if let Some(at) = too_deep(text) {
        let message = format!("this nests deeper than {DEEPEST} levels");
        diagnostics.push(Diagnostic::error(Code::TOO_DEEP, message).at(place(at, at + 1), "one level too many"));
        return None;
    }
    match JsonGrammar::parse(Rule::document, text) {
        Ok(mut pairs) => pairs.next().map(|pair| tree(source, pair)),
        Err(error) => {
            let at = match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
            };
            let found = text[at..].chars().next();
            let (label, end) = match found {
                Some(found) => ("this does not fit here", at + found.len_utf8()),
                None => ("the text ends here", at),
            };
            let mistake = Diagnostic::error(Code::JSON, "the text begins like JSON, but is not JSON");
            let mistake = mistake.at(place(at, end), label);
            let mistake = match help(text, at) {
                Some(help) => mistake.help(help),
                None => mistake,
            };
            diagnostics.push(
                mistake
                    .note("JSON has objects `{\"n\": 4}`, arrays `[1, 2]`, strings, numbers, `true` and `false`; put a comma between two entries and none after the last"),
            );
            None
        }
    }
}

/// The text to write where a file stops being JSON.
fn help(text: &str, at: usize) -> Option<String> {
    let (before, rest) = (text[..at].trim_end(), &text[at..]);
    let word: String = rest.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect();
    // A string here fits, but not what follows it.
    let behind = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(_, behind)| behind.trim_start());
    Some(match rest.chars().next() {
        Some('\'') => "write strings in double quotes: `\"red\"`".to_owned(),
        Some('}' | ']') if before.ends_with(',') => "leave out the comma before this".to_owned(),
        Some('"' | '[' | '{' | '0'..='9' | '-')
            if before.ends_with(|character: char| character.is_alphanumeric() || "\"]}".contains(character)) =>
        {
            "write a `,` before this".to_owned()
        }
        Some('"') if behind.is_some_and(|behind| behind.starts_with('=')) => "write `:` instead of `=`".to_owned(),
        Some('"') if behind.is_some_and(|behind| behind.starts_with([',', '}'])) => {
            "write a list in square brackets: `[\"red\", \"green\"]`".to_owned()
        }
        _ if matches!(&*word, "True" | "False" | "None") => "write `true`, `false` or `null`".to_owned(),
        Some('0'..='9') if rest[word.len()..].trim_start().starts_with(['"', '[', '{']) => {
            format!("write a `,` after `{}`", crate::diagnostic::shortened(word))
        }
        _ if !word.is_empty() => format!("write `\"{}\"`, in double quotes", crate::diagnostic::shortened(word)),
        None => "close the open bracket with `}` or `]`".to_owned(),
        _ => return None,
    })
}

/// The place where a text opens one bracket too many, outside strings.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0u32, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                if depth > DEEPEST {
                    return Some(at);
                }
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn tree(source: SourceId, pair: Pair<'_, Rule>) -> Json {
    let span = pair.as_span();
    let span = Span::new(source, span.start(), span.end());
    let text = pair.as_str();
    let kind = match pair.as_rule() {
        Rule::object => JsonKind::Object(pair.into_inner().map(|member| entry(source, member)).collect()),
        Rule::array => JsonKind::Array(pair.into_inner().map(|item| tree(source, item)).collect()),
        Rule::string => JsonKind::String(unescaped(text)),
        Rule::number => JsonKind::Number(text.to_owned()),
        _ if text == "null" => JsonKind::Null,
        _ => JsonKind::Bool(text == "true"),
    };
    Json { kind, span }
}

fn entry(source: SourceId, member: Pair<'_, Rule>) -> (JsonKey, Json) {
    let mut parts = member.into_inner().map(|part| tree(source, part));
    match (parts.next(), parts.next()) {
        (Some(Json { kind: JsonKind::String(text), span }), Some(value)) => (JsonKey { text, span }, value),
        other => unreachable!("the grammar says that a member is a string and a value: {other:?}"),
    }
}

/// The text of a string literal; half a surrogate pair becomes U+FFFD.
fn unescaped(literal: &str) -> String {
    let mut units: Vec<u16> = Vec::with_capacity(literal.len());
    let mut letters = literal[1..literal.len() - 1].chars();
    let mut buffer = [0; 2];
    while let Some(letter) = letters.next() {
        let letter = match letter {
            '\\' => match letters.next() {
                Some('u') => {
                    let digits: String = letters.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&digits, 16).unwrap_or(0xfffd));
                    continue;
                }
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some(other) => other,
                None => break,
            },
            other => other,
        };
        units.extend_from_slice(letter.encode_utf16(&mut buffer));
    }
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_characters() {
        assert_eq!(unescaped(r#""a\n\"b\u00e9\ud83d\ude00\ud83d""#), "a\n\"b\u{e9}\u{1f600}\u{fffd}");
    }

    #[test]
    fn what_is_not_json_is_refused() {
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(1000), "]".repeat(1000));
        for text in ["{", "{\"a\": 01}", "{\"a\": \"\\q\"}", "{\"a\": 1,}", "{} 2", "{\"a\": nul}", &deep] {
            let mut diagnostics = Diagnostics::new();
            assert!(parse(SourceId(0), text, &mut diagnostics).is_none(), "{text:.20}");
            assert_eq!(diagnostics.len(), 1, "{text:.20}");
        }
    }
}
