//! The extent of an operand or a clause in text that the grammar does not match.

/// The bracket that closes the one at an offset.
pub(in crate::syntax::parse) fn closing(text: &str, open: usize) -> Option<usize> {
    partner(text.bytes().enumerate().skip(open))
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
