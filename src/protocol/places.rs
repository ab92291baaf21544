//! Positions: the library counts bytes, or lines and characters; most editors count units of UTF-16.

use super::shapes::Place;
use crate::source::{Sources, Span};
use serde_json::Value;

/// A text whose positions are translated.
pub(super) struct Units<'t> {
    text: &'t str,
    /// The position of each byte in units of UTF-16, and of the end; empty where a byte is a unit.
    units: Vec<u32>,
}

impl<'t> Units<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut units = Vec::new();
        if !text.is_ascii() {
            let mut unit = 0;
            for character in text.chars() {
                units.extend(std::iter::repeat_n(unit, character.len_utf8()));
                unit += character.len_utf16() as u32;
            }
            units.push(unit);
        }
        Units { text, units }
    }

    /// The position of a byte.
    pub(super) fn of_byte(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        if self.units.is_empty() { byte } else { self.units[byte] as usize }
    }

    /// The byte at a position; inside a character, the first one after it.
    pub(super) fn byte(&self, at: usize) -> usize {
        match self.units.is_empty() {
            true => at.min(self.text.len()),
            false => self.units.partition_point(|unit| (*unit as usize) < at).min(self.text.len()),
        }
    }

    /// The first position of a span, and the one after it.
    pub(super) fn of_span(&self, span: Span) -> (usize, usize) {
        (self.of_byte(span.start as usize), self.of_byte(span.end as usize))
    }

    /// The position of a character in a line, both counted from 1.
    fn of_character(&self, line: usize, column: usize) -> usize {
        let start: usize = self.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let before = self.text[start..].chars().take(column.saturating_sub(1)).map(char::len_utf8).sum::<usize>();
        self.of_byte(start + before)
    }
}

/// The place of a part of a text.
pub(super) fn place(sources: &Sources, span: Span) -> Place {
    let source = sources.get(span.source);
    let (line, column) = source.line_and_column(span.start as usize);
    let (end_line, end_column) = source.line_and_column(span.end as usize);
    let (from, to) = Units::new(&source.text).of_span(span);
    Place { file: source.name.to_string(), from, to, line, column, end_line, end_column, text: None }
}

/// What the library says in JSON, with positions in all places.
pub(super) fn with_positions(mut value: Value, sources: &Sources) -> Value {
    add_positions(&mut value, sources);
    value
}

fn add_positions(value: &mut Value, sources: &Sources) {
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

/// The positions of a place, if the value is one.
fn positions(value: &Value, sources: &Sources) -> Option<(usize, usize)> {
    let number = |key: &str| value.get(key)?.as_u64().map(|number| number as usize);
    let units = Units::new(&sources.find(value.get("file")?.as_str()?)?.text);
    let from = units.of_character(number("line")?, number("column")?);
    Some((from, units.of_character(number("end_line")?, number("end_column")?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn positions_count_units_of_utf_16() {
        let text = "é 😀x\ny😀\nz";
        let units = Units::new(text);
        for (byte, character) in text.char_indices() {
            let at = text[..byte].encode_utf16().count();
            assert_eq!((units.of_byte(byte), units.byte(at)), (at, byte), "{character}");
        }
        assert_eq!((units.of_byte(text.len()), units.byte(99)), (text.encode_utf16().count(), text.len()));
        // Within a character of two units.
        assert_eq!(units.byte(3), text.find('x').unwrap_or_default());
        assert_eq!(units.of_character(1, 4), 4);
        assert_eq!(units.of_character(2, 2), 7);
        assert_eq!(units.of_character(3, 1), 10);
        assert_eq!(Units::new("abc").byte(9), 3);
    }

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
