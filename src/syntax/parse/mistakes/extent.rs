//! The extent of an operand or a clause in text that the grammar does not match.

use crate::syntax::parse::{is_word_character, word_length};

/// The bracket that closes the one at an offset.
pub(in crate::syntax::parse) fn closing(text: &str, open: usize) -> Option<usize> {
    partner(text.bytes().enumerate().skip(open))
}

/// The bracket that opens what the one at an offset closes.
fn opening(text: &str, close: usize) -> Option<usize> {
    partner(text.as_bytes()[..=close].iter().copied().enumerate().rev())
}

/// The other end of the brackets that begin with the first byte; the bytes may come in either direction.
fn partner(mut bytes: impl Iterator<Item = (usize, u8)>) -> Option<usize> {
    let mut depth = 0i32;
    let (at, _) = bytes.find(|(_, byte)| {
        depth += match byte {
            b'(' | b'[' | b'{' => 1,
            b')' | b']' | b'}' => -1,
            _ => return false,
        };
        depth == 0
    })?;
    Some(at)
}

/// The innermost bracket that is open at an offset.
pub(in crate::syntax::parse) fn enclosing(text: &str, at: usize) -> Option<usize> {
    let mut open = Vec::new();
    for (at, byte) in text.bytes().enumerate().take(at) {
        match byte {
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

/// Whether two offsets are inside the same brackets: the bars of `|x|` are, the bar of a comprehension and one outside
/// are not.
fn beside(text: &str, first: usize, second: usize) -> bool {
    enclosing(text, first) == enclosing(text, second)
}

/// The end of the operand that begins at an offset: a word, a number or brackets, with the brackets that follow.
pub(in crate::syntax::parse) fn operand_end(text: &str, start: usize) -> usize {
    let blanks = text[start..].len() - text[start..].trim_start().len();
    let mut at = start + blanks;
    if text[at..].starts_with(['-', '!']) {
        return operand_end(text, at + 1);
    }
    if text[at..].starts_with('|') {
        return text[at + 1..]
            .find('|')
            .map(|end| at + 1 + end)
            .filter(|end| beside(text, at, *end))
            .map_or(at, |end| end + 1);
    }
    at += text[at..].find(|character| !is_word_character(character)).unwrap_or(text.len() - at);
    while text[at..].starts_with(['(', '[', '{']) {
        match closing(text, at) {
            Some(close) => at = close + 1,
            None => return text.len(),
        }
    }
    at
}

/// The start of the operand that ends at an offset.
pub(in crate::syntax::parse) fn operand_start(text: &str, end: usize) -> usize {
    let mut at = text[..end].trim_end().len();
    loop {
        match text[..at].chars().next_back() {
            Some(')' | ']' | '}') => match opening(text, at - 1) {
                Some(open) => at = open,
                None => return at,
            },
            Some('|') => return text[..at - 1].rfind('|').filter(|start| beside(text, *start, at - 1)).unwrap_or(at),
            Some(character) if is_word_character(character) => {
                let word = text[..at].rfind(|character| !is_word_character(character));
                return word.map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
            }
            _ => return at,
        }
    }
}

/// The end of a condition that begins at an offset: before the next logical operator, comma or closing bracket.
pub(in crate::syntax::parse) fn clause_end(text: &str, start: usize) -> usize {
    const ENDS: [&str; 8] = ["/\\", "\\/", "->", "<->", "&&", "||", "=>", ","];
    let mut at = start;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(['(', '[', '{']) {
            at = closing(text, at).map_or(text.len(), |close| close + 1);
            continue;
        }
        let word = &rest[..word_length(rest)];
        if rest.starts_with([')', ']', '}', '\n'])
            || !rest.starts_with("-->") && ENDS.iter().any(|end| rest.starts_with(end))
            || matches!(word, "and" | "or" | "then" | "else" | "implies" | "iff")
        {
            break;
        }
        at += word.len().max(rest.chars().next().map_or(1, char::len_utf8));
    }
    start + text[start..at].trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_end_with_their_brackets() {
        let text = "f(x)[1] + |s| * (a, b) - m";
        assert_eq!(&text[..operand_end(text, 0)], "f(x)[1]");
        assert_eq!(&text[10..operand_end(text, 9)], "|s|");
        assert_eq!(&text[operand_start(text, 7)..7], "f(x)[1]");
        assert_eq!(&text[operand_start(text, 13)..13], "|s|");
        assert_eq!(&text[operand_start(text, 22)..22], "(a, b)");
    }

    #[test]
    fn clauses_end_at_logical_operators() {
        let text = "x = (a /\\ b) /\\ c";
        assert_eq!(&text[..clause_end(text, 0)], "x = (a /\\ b)");
        assert_eq!(clause_end("x = 1 and y", 0), 5);
    }

    #[test]
    fn bars_of_other_brackets_are_no_partners() {
        assert_eq!(operand_start("|x + y|", 7), 0);
        assert_eq!(operand_start("[a | b <- [c | ", 15), 14);
        assert_eq!(operand_end("|x| + 1", 0), 3);
        assert_eq!(operand_end("[a |b], |c", 3), 3);
    }
}
