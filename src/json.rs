//! JSON in the style of the program: members in the order of insertion, and escapes for characters that are invisible
//! or control a terminal.

use crate::diagnostic::visible::is_hidden;
use serde_json::{
    Serializer, Value,
    ser::{CompactFormatter, Formatter},
};
use std::io::{Result, Write};

/// A value as JSON on one line, without blanks; invisible characters are escaped.
pub fn compact(value: &Value) -> String {
    escaped_json(value, Escaping { blank: "" })
}

/// A value as JSON on one line, with blanks after commas and colons.
pub fn spaced(value: &Value) -> String {
    escaped_json(value, Escaping { blank: " " })
}

fn escaped_json(value: &Value, escaping: Escaping) -> String {
    let mut text = Vec::new();
    serde::Serialize::serialize(value, &mut Serializer::with_formatter(&mut text, escaping))
        .expect("memory to write to");
    String::from_utf8(text).expect("text")
}

/// The usual notation, with escapes for invisible characters.
struct Escaping {
    /// The text after commas and colons.
    blank: &'static str,
}

impl Escaping {
    fn separator<W: ?Sized + Write>(&self, writer: &mut W, first: bool) -> Result<()> {
        if first { Ok(()) } else { write!(writer, ",{}", self.blank) }
    }
}

impl Formatter for Escaping {
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.separator(writer, first)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.separator(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        write!(writer, ":{}", self.blank)
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> Result<()> {
        for part in fragment.split_inclusive(is_hidden) {
            let hidden = part.chars().next_back().filter(|last| is_hidden(*last));
            let seen = &part[..part.len() - hidden.map_or(0, char::len_utf8)];
            CompactFormatter.write_string_fragment(writer, seen)?;
            for unit in hidden.map(|hidden| hidden.encode_utf16(&mut [0; 2]).to_vec()).unwrap_or_default() {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_escaped() {
        let text = Value::from("a\u{1b}\u{9b}b\u{202e}\u{e0001}\n\"ä\"");
        assert_eq!(compact(&text), r#""a\u001b\u009bb\u202e\udb40\udc01\n\"ä\"""#);
    }

    #[test]
    fn members_keep_their_order() {
        let value = serde_json::json!({"b": [1, 2], "a": {}});
        assert_eq!(compact(&value), r#"{"b":[1,2],"a":{}}"#);
        assert_eq!(spaced(&value), r#"{"b": [1, 2], "a": {}}"#);
    }
}
