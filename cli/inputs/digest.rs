//! Digests of texts, which show whether a file has changed since something was made from it.

use super::{invocation, named_table::TableArgument};
use serde::{Deserialize, Serialize};
use std::{fmt, path::Path};

/// A digest of texts: 64-bit FNV-1a (Fowler, Noll, Vo), which is the same on every machine. It detects changes, not
/// forgeries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Digest(u64);

impl Digest {
    pub(crate) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut state = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |bytes: &[u8]| {
            bytes.iter().for_each(|byte| {
                state = (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            })
        };
        for text in texts {
            // The lengths distinguish lists of texts that have the same concatenation.
            add(&(text.len() as u64).to_le_bytes());
            add(text.as_bytes());
        }
        Digest(state)
    }

    /// The digest of several files; for a single file, its own digest.
    pub(crate) fn of_files<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Option<Self> {
        let digests: Vec<Digest> = paths.into_iter().map(Digest::of_file).collect::<Option<_>>()?;
        match digests.as_slice() {
            [] => None,
            [only] => Some(*only),
            several => {
                let texts: Vec<String> = several.iter().map(Digest::to_string).collect();
                Some(Digest::of(texts.iter().map(String::as_str)))
            }
        }
    }

    /// The digest of a file, or of one instance in it; `None` if it cannot be read as text.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        if let Some(table) = TableArgument::read(path, Path::new("")) {
            let text = invocation::read(path).ok()?;
            return Some(Digest::of([&*table.word().to_string_lossy(), &*text.text]));
        }
        match invocation::instance_in(path) {
            None => Some(Digest::of([&*invocation::text_if_readable(path)?])),
            Some(_) => Some(Digest::of([&*invocation::read(path).ok()?.alone().text])),
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        u64::from_str_radix(&text, 16).map(Digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_tells_lists_of_texts_apart() {
        let digests =
            [Digest::of([]), Digest::of([""]), Digest::of(["ab"]), Digest::of(["a", "b"]), Digest::of(["b", "a"])];
        for (position, one) in digests.iter().enumerate() {
            assert!(digests[position + 1..].iter().all(|other| one != other));
        }
        // Files contain digests, so digests must never change.
        assert_eq!(Digest::of(["essence"]).to_string(), "dc4af402873ba830");
        assert_eq!(Digest::try_from(String::from(digests[2])), Ok(digests[2]));
    }
}
