//! Shows invisible characters, and characters that a terminal interprets, as text: a source or a file name must not
//! move the cursor, change the direction of the text, or hide a part of itself.

use std::{borrow::Cow, fmt::Write};

/// Replaces ESC with `\u{1b}`, and all other invisible characters likewise; line breaks and tabs stay.
pub fn text(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    text.chars().fold(String::with_capacity(text.len()), |shown, character| shown + &shown_as(character)).into()
}

/// Escapes text for XML and HTML; invisible characters are shown as in [`text`].
pub fn markup(text: &str) -> String {
    self::text(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the visible text on one line.
pub fn line(text: &str) -> Cow<'_, str> {
    let breaks = |character| matches!(character, '\n' | '\t');
    if !text.contains(|character| is_hidden(character) || breaks(character)) {
        return text.into();
    }
    let escaped = |character: char| match character {
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        other => shown_as(other),
    };
    text.chars().fold(String::with_capacity(text.len()), |shown, character| shown + &escaped(character)).into()
}

/// Returns the visible form of a character.
pub fn shown_as(character: char) -> Cow<'static, str> {
    match character {
        hidden if is_hidden(hidden) => format!("\\u{{{:x}}}", hidden as u32).into(),
        other => String::from(other).into(),
    }
}

/// Returns visible text in which the escape sequences for bold and coloured letters stay active, but no others.
pub fn styled(styled: &str) -> Cow<'_, str> {
    if !styled.contains(is_hidden) {
        return styled.into();
    }
    let mut shown = String::with_capacity(styled.len());
    let mut rest = styled;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, sequence) = rest.split_at(at);
        shown += &text(before);
        match style(sequence) {
            // A complete style sequence stays; every other use of ESC becomes text.
            Some(length) => {
                shown += &sequence[..length];
                rest = &sequence[length..];
            }
            None => {
                let _ = write!(shown, "{}", shown_as('\u{1b}'));
                rest = &sequence[1..];
            }
        }
    }
    shown += &text(rest);
    shown.into()
}

/// The length of the escape sequence for a style at the start of a text.
fn style(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let length = parameters.find(|character: char| !character.is_ascii_digit() && character != ';')?;
    parameters[length..].starts_with('m').then_some(length + 3)
}

/// Returns true for control characters except line breaks and tabs, for marks that change the direction of text, for
/// characters without width, and for noncharacters, which XML forbids.
pub fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        other if other.is_control() => true,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'
        | '\u{ffff}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_shown() {
        assert_eq!(text("a\u{1b}[2Jb\n\tc"), "a\\u{1b}[2Jb\n\tc");
        assert_eq!(text("\0\u{7f}\u{9b}\u{202e}\u{200b}\r"), "\\u{0}\\u{7f}\\u{9b}\\u{202e}\\u{200b}\\u{d}");
        assert_eq!(line("a\nb\tc"), "a\\nb\\tc");
        assert_eq!(text("Müller 数独 ×"), "Müller 数独 ×");
    }

    #[test]
    fn styles_stay() {
        assert_eq!(styled("\u{1b}[1mbold\u{1b}[0m"), "\u{1b}[1mbold\u{1b}[0m");
        assert_eq!(styled("\u{1b}[38;5;9mred\u{1b}[2J\u{1b}"), "\u{1b}[38;5;9mred\\u{1b}[2J\\u{1b}");
    }
}
