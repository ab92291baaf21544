//! Certain fixes: corrections of mistakes that have only one, which are made without asking.

use super::{Text, check};
use crate::diagnostic::{Diagnostic, Edit, Severity};

/// The number of rounds: a fix may reveal further mistakes, which the next round fixes. Chosen.
const ROUNDS: usize = 10;

/// Help that starts with these words is a guess and not a fix.
const GUESS: &str = "did you mean";

/// A text after all certain fixes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FixedText {
    /// The text.
    pub text: Text,
    /// The fixes, in the order in which they were made.
    pub fixes: Vec<Fix>,
}

/// A fix of a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The line of the mistake when it was fixed, counted from 1.
    pub line: usize,
    /// The mistake.
    pub message: String,
    /// The fix in words.
    pub help: String,
}

/// Applies all certain fixes to a model. A fix is certain if it is the only correction of an error, does not guess a
/// misspelt name, and leaves fewer errors, or only errors further down.
///
/// ```
/// use conjure_like::{Text, fix};
///
/// let fixed = fix(&Text::new("m.essence", "find x : int(1..9)\nsuch that x == 3 && x != 4"));
/// assert_eq!(fixed.text.text, "find x : int(1..9)\nsuch that x = 3 /\\ x != 4");
/// ```
pub fn fix(model: &Text) -> FixedText {
    let mut fixed = FixedText { text: model.clone(), fixes: Vec::new() };
    let mut errors = errors_of(&fixed.text);
    for _ in 0..ROUNDS {
        let Some((text, fixes, left)) = fixed_once(&fixed.text, &errors) else { break };
        fixed.text = text;
        fixed.fixes.extend(fixes);
        errors = left;
    }
    fixed
}

/// Returns the text after all fixes that can be made together, or else after the first single fix that helps.
fn fixed_once(text: &Text, errors: &[Diagnostic]) -> Option<(Text, Vec<Fix>, Vec<Diagnostic>)> {
    let certain: Vec<&Diagnostic> = errors.iter().filter(|error| is_certain(error)).collect();
    let mut together: Vec<&Diagnostic> = Vec::new();
    for error in &certain {
        let overlaps = |edit: &Edit| {
            let mut known = together.iter().flat_map(|other| &other.edits);
            // Two insertions at the same position have no order, so edits that merely touch count as overlapping.
            known.any(|other| edit.span.start <= other.span.end && other.span.start <= edit.span.end)
        };
        if !error.edits.iter().any(overlaps) {
            together.push(error);
        }
    }
    let alone = certain.iter().map(|error| vec![*error]);
    let tried = [together.clone()].into_iter().filter(|all| all.len() > 1).chain(alone);
    tried.into_iter().find_map(|chosen| {
        let edited = edited_text(text, chosen.iter().flat_map(|error| &error.edits))?;
        let left = errors_of(&edited);
        // A syntax error hides later errors, so a fix is useful even if it reveals several of them.
        let has_helped = left.len() < errors.len() || first_place(&left) > first_place(errors);
        let fixes = chosen.iter().map(|error| Fix {
            line: text.text[..error.span().map_or(0, |span| span.start as usize)].matches('\n').count() + 1,
            message: error.message.clone(),
            help: error.help.first().cloned().unwrap_or_default(),
        });
        has_helped.then(|| (edited, fixes.collect(), left))
    })
}

fn errors_of(text: &Text) -> Vec<Diagnostic> {
    let mut errors = check(text, &[]).diagnostics;
    errors.retain(|diagnostic| diagnostic.severity == Severity::Error);
    errors
}

fn is_certain(error: &Diagnostic) -> bool {
    // If there are several sentences of help, they are alternatives, so the fix is a choice.
    !error.edits.is_empty() && error.help.len() <= 1 && !error.help.iter().any(|help| help.starts_with(GUESS))
}

/// The place of the first error; after all positions if there is none.
fn first_place(errors: &[Diagnostic]) -> u32 {
    let places = errors.iter().map(|error| error.span().map_or(0, |span| span.start));
    places.min().unwrap_or(u32::MAX)
}

fn edited_text<'e>(text: &Text, edits: impl Iterator<Item = &'e Edit>) -> Option<Text> {
    let mut edits: Vec<&Edit> = edits.collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits.dedup();
    let (mut edited, mut end) = (String::new(), 0);
    for edit in edits {
        edited += text.text.get(end..edit.span.start as usize)?;
        edited += &edit.text;
        end = edit.span.end as usize;
    }
    edited += text.text.get(end..)?;
    Some(Text::new(text.name.as_str(), edited))
}
