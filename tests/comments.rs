//! Comments survive formatting at any position.
//!
//! Comments are inserted between any two tokens of all models, parameter files and fixtures. The formatted text must
//! have the same tree and the same comments in the same order. Formatting it again must change nothing, and each
//! comment must keep one of its two neighbours.

#[path = "common/tokens.rs"]
mod tokens;

use super::suite;
use conjure_like::{
    diagnostic::Diagnostics,
    source::SourceId,
    syntax::{self, ast::File},
};
use std::path::Path;
use tokens::tokens;

/// The number of commented texts for each file.
const SAMPLES: usize = 6;

fn parse(text: &str) -> Option<File> {
    let mut diagnostics = Diagnostics::new();
    let file = syntax::parse_file(SourceId(0), text, &mut diagnostics);
    diagnostics.is_empty().then_some(file)
}

fn is_comment(token: &str) -> bool {
    token.starts_with('$') || token.starts_with("/*")
}

/// A text with a comment before each `step`-th token from `first` on.
fn commented(text: &str, first: usize, step: usize) -> String {
    // Line and block comments, with and without line breaks around them.
    let forms = ["$ c#\n", "/* c# */", "\n$ c#\n", "/* c#\n   d */", "\n\n$ c#\n\n", "\n/* c# */ ", " $c# \u{e9}\r\n"];
    let mut result = String::new();
    let mut end = 0;
    for (number, token) in tokens(text).into_iter().enumerate() {
        let at = token.start;
        result.push_str(&text[end..at]);
        end = at;
        if number % step == first {
            result.push(' ');
            result.push_str(&forms[(number / step + first) % forms.len()].replace('#', &number.to_string()));
        }
    }
    result + &text[end..]
}

/// The comments, each with its neighbouring tokens, as far as every layout keeps these.
fn neighbours(text: &str) -> Vec<(String, Option<String>, Option<String>)> {
    // The printer adds and removes parentheses and commas, and the keyword of a list of declarations.
    let passing = ["(", ")", ",", ";", "given", "find", "letting", "set"];
    let tokens: Vec<&str> =
        tokens(text).into_iter().map(|token| text[token].trim_end()).filter(|token| !passing.contains(token)).collect();
    let beside = |mut tokens: Box<dyn Iterator<Item = &&str> + '_>| {
        // The printer has only one spelling for a quoted name.
        let unquoted = |token: &&str| serde_json::from_str::<String>(token).unwrap_or_else(|_| (*token).to_owned());
        tokens.find(|token| !is_comment(token)).map(unquoted)
    };
    let found = tokens.iter().enumerate().filter(|(_, token)| is_comment(token));
    found
        .map(|(at, token)| {
            let before = beside(Box::new(tokens[..at].iter().rev()));
            ((*token).to_owned(), before, beside(Box::new(tokens[at + 1..].iter())))
        })
        .collect()
}

fn check(text: &str, width: usize) -> Result<(), String> {
    let Some(file) = parse(text) else { return Ok(()) };
    let printed = syntax::print::print_with_comments(&file, text, width);
    let Some(again) = parse(&printed) else { return Err(format!("does not parse:\n{printed}")) };
    if file != again {
        return Err(format!("another tree:\n{printed}"));
    }
    if file.comments.len() != again.comments.len() {
        return Err(format!("other comments:\n{printed}"));
    }
    for ((comment, before, after), (now, now_before, now_after)) in neighbours(text).iter().zip(neighbours(&printed)) {
        if *comment != now {
            return Err(format!("`{now}` instead of `{comment}`:\n{printed}"));
        }
        if *before != now_before && *after != now_after {
            return Err(format!(
                "`{comment}` stood between {before:?} and {after:?}, now {now_before:?} and {now_after:?}:\n{printed}"
            ));
        }
    }
    let twice = syntax::print::print_with_comments(&again, &printed, width);
    if printed != twice {
        return Err(format!("formatted once:\n{printed}\nand twice:\n{twice}"));
    }
    if let Some(line) = printed.lines().find(|line| !line.contains(['$', '/', '*', 'd']) && line.ends_with(' ')) {
        return Err(format!("white space at the end of `{line}`"));
    }
    Ok(())
}

#[test]
fn comments_survive_wherever_they_stand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["models", "params", "tests"].into_iter();
    let paths = folders.flat_map(|folder| suite::files(&root.join(folder), &["essence", "param", "solution"]));
    let (mut checked, mut failed) = (0, Vec::new());
    for (number, path) in paths.enumerate() {
        let Some(text) = suite::read(&path) else { continue };
        // Large files would take most of the time and show the same faults.
        if text.len() > 20_000 || parse(&text).is_none() {
            continue;
        }
        for sample in 0..SAMPLES {
            // Sparse and dense comments, starting at another token in each file.
            let step = [1, 2, 3, 5, 8, 13][sample % 6];
            let changed = commented(&text, (number + sample) % step, step);
            // In narrow lines, most comments end up beside a line break.
            let width = if sample % 2 == 0 { 120 } else { 30 };
            checked += usize::from(parse(&changed).is_some());
            if let Err(fault) = check(&changed, width) {
                failed
                    .push(format!("{} with a comment at every {step}th token, width {width}: {fault}", path.display()));
            }
        }
        if let Err(fault) = check(&text, 120) {
            failed.push(format!("{}: {fault}", path.display()));
        }
    }
    assert!(checked > 5_000, "{checked} texts only");
    // The shortest failures are the easiest to understand.
    failed.sort_by_key(String::len);
    assert!(
        failed.is_empty(),
        "{} of {checked} fail, for example\n{}",
        failed.len(),
        failed[..failed.len().min(4)].join("\n")
    );
}
