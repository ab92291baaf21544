//! The text of a submission, or the reason why there is none.

use crate::inputs::invocation::{is_utf16, without_mark};
use conjure_like::visible;
use std::io::{self, Read};

/// The maximum size of a model in bytes. Chosen.
const LARGEST: u64 = 1_000_000;

/// The maximum size of a notebook in bytes, including the results of its cells. Chosen.
const LARGEST_NOTEBOOK: u64 = 20_000_000;

/// The reason why a submission has no text.
#[derive(Clone, Debug)]
pub(in crate::teaching::grade) struct Unfit {
    /// The result in tables: `link`.
    pub result: &'static str,
    /// The sentence for the author.
    pub says: String,
}

impl Unfit {
    /// The description of several submissions with this result: `are links`.
    pub(in crate::teaching::grade) fn many(&self) -> &'static str {
        match self.result {
            "link" => "are links",
            "device" => "are not files",
            "too-large" => "are too large",
            "archive" => "are archives that cannot be read",
            "not-text" => "are not plain text",
            "no-model" => "have no model",
            _ => "cannot be opened",
        }
    }

    pub(super) fn link() -> Self {
        Unfit { result: "link", says: "This is a link. Hand in the file itself.".to_owned() }
    }

    pub(super) fn device(kind: &str) -> Self {
        Unfit { result: "device", says: format!("This is {kind}, not a file.") }
    }

    pub(super) fn too_large(most: u64) -> Self {
        let says = format!("The file is too large: at most {} MB are read.", most / 1_000_000);
        Unfit { result: "too-large", says }
    }

    pub(super) fn archive(why: &str) -> Self {
        Unfit { result: "archive", says: format!("The archive cannot be read: {why}.") }
    }

    pub(super) fn unreadable(error: &io::Error) -> Self {
        Unfit { result: "unreadable", says: format!("The file cannot be read: {error}.") }
    }

    pub(super) fn not_text(what: &str) -> Self {
        Unfit { result: "not-text", says: format!("{what} Hand in the model as plain text in UTF-8.") }
    }

    /// A student without a model; `others` are the names of the files.
    pub(super) fn no_model(others: &[String]) -> Self {
        let shown: Vec<String> = others.iter().take(5).map(|name| format!("`{}`", visible::line(name))).collect();
        let says = match others.len() {
            0 => "The folder is empty.".to_owned(),
            1..=5 => format!("There is no file that ends in `.essence`, but there is {}.", shown.join(", ")),
            all => format!("There is no file that ends in `.essence` among {all} files, such as {}.", shown.join(", ")),
        };
        Unfit { result: "no-model", says }
    }
}

/// The text of a model.
pub(super) fn model_of_text(input: impl Read) -> Result<String, Unfit> {
    decoded(bytes(input, LARGEST)?)
}

/// The text of a notebook.
pub(super) fn notebook(input: impl Read) -> Result<String, Unfit> {
    decoded(bytes(input, LARGEST_NOTEBOOK)?)
}

/// All bytes of a file, if there are at most `most`.
pub(super) fn bytes(input: impl Read, most: u64) -> Result<Vec<u8>, Unfit> {
    let mut bytes = Vec::new();
    // If one byte more than the limit can be read, the file is too large.
    input.take(most + 1).read_to_end(&mut bytes).map_err(|error| Unfit::unreadable(&error))?;
    if bytes.len() as u64 > most { Err(Unfit::too_large(most)) } else { Ok(bytes) }
}

fn decoded(bytes: Vec<u8>) -> Result<String, Unfit> {
    if let Some(kind) = foreign(&bytes) {
        return Err(Unfit::not_text(&format!("This is {kind}.")));
    }
    String::from_utf8(without_mark(bytes)).map_err(|error| {
        let (at, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        Unfit::not_text(&format!("Byte 0x{:02x} on line {line} is not UTF-8.", bytes[at]))
    })
}

/// The kind of a file with these first bytes, if models never start with them.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    let beginnings: [(&[u8], &str); 6] = [
        (b"PK\x03\x04", "a Word document or a zip archive"),
        (b"\xd0\xcf\x11\xe0", "an old Word document"),
        (b"{\\rtf", "a document in the Rich Text Format"),
        (b"%PDF", "a PDF document"),
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
    ];
    let begins = beginnings.iter().find(|(beginning, _)| bytes.starts_with(beginning)).map(|(_, kind)| *kind);
    let is_utf16 = is_utf16(bytes).then_some("a text in UTF-16");
    // UTF-16 usually contains zeros, too, so it is recognised first.
    begins.or(is_utf16).or_else(|| bytes.contains(&0).then_some("not a text"))
}
