//! `conjure-like embed`: an exercise inside another page, in which the browser checks answers.

use super::exercise::Exercise;
use crate::{
    inputs::invocation::Invocation,
    runtime::{Exit, numbers::whole_number},
};
use clap::{Args, ValueEnum};
use conjure_like::visible::markup;
use flate2::{Compression, read::DeflateEncoder};
use serde_json::{Value, json};
use std::{io::Read, path::PathBuf};

#[derive(Args)]
#[command(after_help = "\
Examples:
  conjure-like embed course/1-first-constraints/2-race --pages=https://example.org/essence/ > race.html
  conjure-like embed course/1-first-constraints/2-race --pages=https://example.org/essence/ --as=frame

The output contains the reference, compressed and encoded against accidental reading. It is not secret.")]
pub(crate) struct Embed {
    /// The folder of the exercise
    exercise: PathBuf,
    /// The address of the folder with the pages for the browser, which `make web` builds
    #[arg(long, value_name = "URL")]
    pages: String,
    /// The form to print: an element with its script, or a frame for systems that remove scripts
    #[arg(long = "as", value_name = "FORM", default_value = "element")]
    form: EmbedForm,
    /// The seed for generated instances
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<u32>(0..))]
    seed: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum EmbedForm {
    Element,
    Frame,
}

impl Embed {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let exercise = Exercise::read(&self.exercise, self.seed, invocation)?;
        let statement = self.exercise.join("statement.md");
        let start = if statement.exists() { first_listing(&invocation.read(&statement)?.text) } else { String::new() };
        let packed = packed(&content(&exercise, &start));
        let pages = markup(self.pages.trim_end_matches('/'));
        let title = markup(&exercise.settings.title);
        invocation.print(&match self.form {
            EmbedForm::Element => format!(
                "<script src=\"{pages}/cell.js\" defer></script>\n\
                 <essence-cell name=\"{title}\" exercise=\"{packed}\"></essence-cell>\n"
            ),
            EmbedForm::Frame => format!(
                "<iframe src=\"{pages}/embed.html#exercise={packed}\" title=\"{title}\" width=\"100%\" height=\"520\" \
                 style=\"border: 0\"></iframe>\n"
            ),
        })
    }
}

/// The data with which a page checks answers; `clients/web/page/src/exercise.ts` reads it.
fn content(exercise: &Exercise, start: &str) -> Value {
    let settings = &exercise.settings;
    let instances = exercise.instances.iter().map(|text| json!({ "name": text.name, "text": text.text }));
    json!({
        "title": settings.title,
        "start": start,
        "reference": { "name": "reference.essence", "text": exercise.reference.text },
        "instances": instances.collect::<Value>(),
        "limit": settings.time().as_secs_f64(),
        "hints": settings.hints,
    })
}

/// The first listing of Essence in a statement, which an answer starts with.
fn first_listing(markdown: &str) -> String {
    let mut lines = markdown.lines().skip_while(|line| !line.starts_with("```essence")).skip(1);
    let listing = lines.by_ref().take_while(|line| !line.starts_with("```"));
    listing.map(|line| format!("{line}\n")).collect()
}

/// JSON, deflated, in base64 for URLs, as in the links of the pages.
fn packed(content: &Value) -> String {
    let json = content.to_string();
    let mut deflated = Vec::new();
    let mut encoder = DeflateEncoder::new(json.as_bytes(), Compression::best());
    encoder.read_to_end(&mut deflated).expect("bytes in memory can be read");
    // The first digit is the version of this encoding.
    format!("1.{}", base64_url(&deflated))
}

/// Base64 with the alphabet for URLs and without padding (RFC 4648, section 5).
fn base64_url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().enumerate().fold(0, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        // A group of n bytes becomes n + 1 characters.
        text.extend((0..=group.len()).map(|at| ALPHABET[(bits >> (18 - 6 * at) & 63) as usize] as char));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_has_the_values_of_the_standard() {
        let pairs = [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")];
        for (text, encoded) in pairs {
            assert_eq!(base64_url(text.as_bytes()), encoded);
        }
        assert_eq!(base64_url(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn an_answer_begins_with_the_first_listing_of_essence() {
        let markdown =
            "# Coins\n\n```text\n1\n```\n\n```essence coins\nfind x : int(1..9)\n```\n\n```essence\nother\n```\n";
        assert_eq!(first_listing(markdown), "find x : int(1..9)\n");
        assert_eq!(first_listing("# Coins\n"), "");
    }
}
