//! Names in quotation marks, with which any text can be a name. In Essence, such a name is written like a string in
//! JSON, with the same escapes, and keeps its quotation marks; people and other programs see the text itself.

use crate::json::compact;
use std::borrow::Cow;

/// The name in quotation marks for a text.
pub(crate) fn quoted(text: &str) -> String {
    // Most texts need no escapes.
    match text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
        true => format!("\"{text}\""),
        false => compact(&text.into()),
    }
}

/// The text of a name, without quotation marks if it has some.
pub(crate) fn unquoted(name: &str) -> Cow<'_, str> {
    match name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inside) if inside.contains('\\') => Cow::Owned(unescaped(inside)),
        Some(inside) => Cow::Borrowed(inside),
        None => Cow::Borrowed(name),
    }
}

/// The number of bytes of the quoted name at the start of a text, if the name ends on its line.
pub(crate) fn quoted_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return None,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The text with the escapes of JSON resolved; half a surrogate pair becomes U+FFFD.
pub(crate) fn unescaped(text: &str) -> String {
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut letters = text.chars();
    let mut buffer = [0; 2];
    while let Some(letter) = letters.next() {
        let letter = match letter {
            '\\' => match letters.next() {
                Some('u') => {
                    let digits: String = letters.by_ref().take(4).collect();
                    // JSON escapes UTF-16 units, so a character may take two escapes.
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
    use crate::syntax::parse::is_name;

    #[test]
    fn escapes_stand_for_characters() {
        assert_eq!(unescaped(r#"a\n\"b\u00e9\ud83d\ude00\ud83d"#), "a\n\"b\u{e9}\u{1f600}\u{fffd}");
    }

    #[test]
    fn any_text_can_be_a_name() {
        for text in
            ["big tent", "2024-05-01", "", "set", "a \"b\" \\", "a\nb\u{202e}\u{e0001}", "\u{9b}\u{feff}", "ä ☂"]
        {
            let name = quoted(text);
            assert!(is_name(&name), "{name}");
            assert_eq!(unquoted(&name), text);
            assert_eq!(quoted_length(&format!("{name}, x\"")), Some(name.len()));
        }
        assert_eq!(unquoted("red"), "red");
        assert_eq!(quoted_length("\"a\\\""), None);
    }
}
