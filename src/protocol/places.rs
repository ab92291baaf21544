//! Spans of texts with positions in UTF-16, in addition to the lines and columns of messages.

use super::{
    positions::{Encoding, Positions},
    shapes::Place,
};
use crate::source::{Sources, Span};
use serde_json::Value;

/// Returns the place of a span.
pub(super) fn place_of_span(sources: &Sources, span: Span) -> Place {
    let source = sources.get(span.source);
    let (line, column) = source.line_and_column(span.start as usize);
    let (end_line, end_column) = source.line_and_column(span.end as usize);
    let (from, to) = Positions::new(&source.text, Encoding::Utf16).of_span(span);
    Place { file: source.name.to_string(), from, to, line, column, end_line, end_column, text: None }
}

/// Adds positions to all places in the library's JSON.
pub(super) fn with_positions(mut value: Value, sources: &Sources) -> Value {
    add_positions(&mut value, sources);
    value
}

fn add_positions(value: &mut Value, sources: &Sources) {
    // An object with `file`, `line` and `column` is a place, wherever it occurs.
    if let Some((from, to)) = positions(value, sources) {
        value["from"] = from.into();
        value["to"] = to.into();
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| add_positions(item, sources)),
        Value::Object(members) => members.values_mut().for_each(|member| add_positions(member, sources)),
        _ => {}
    }
}

/// Returns the positions of a place, if the value is one.
fn positions(value: &Value, sources: &Sources) -> Option<(usize, usize)> {
    let number = |key: &str| value.get(key)?.as_u64().map(|number| number as usize);
    let text = &sources.find(value.get("file")?.as_str()?)?.text;
    let units = Positions::new(text, Encoding::Utf16);
    let from = units.of_character(number("line")?, number("column")?);
    Some((from, units.of_character(number("end_line")?, number("end_column")?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn places_in_the_library_s_answers_get_positions() {
        let mut sources = Sources::default();
        sources.add("m.essence", "$ 😀\nfind x : int");
        let place = json!({"file": "m.essence", "line": 2, "column": 6, "end_line": 2, "end_column": 7, "text": ""});
        let found = with_positions(json!({"labels": [place], "file": "m.essence", "line": 1}), &sources);
        assert_eq!((&found["labels"][0]["from"], &found["labels"][0]["to"]), (&json!(10), &json!(11)));
        assert_eq!(found.get("from"), None);
    }
}
