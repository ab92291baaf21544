//! Comments that silence warnings:
//!
//! ```essence
//! forAll i : int(1..n) . x > 0 $ allow: W0203
//! ```
//!
//! `$ allow:` at the end of a line applies to the warnings on this line. On a separate line, it applies to the next
//! line that is not a comment. `$ allow in file:` applies to the whole file. Codes are separated by commas or blanks;
//! other words after them give the reason.

use super::ModelText;
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, Severity, nearest},
    source::Span,
    syntax::ast::Comment,
};
use std::ops::Range;

/// A code that a comment allows.
struct AllowedCode<'a> {
    word: &'a str,
    code: Option<Code>,
    span: Span,
    /// The bytes of the line that it applies to; `None` for the whole file.
    line: Option<Range<usize>>,
}

impl AllowedCode<'_> {
    fn covers(&self, diagnostic: &Diagnostic) -> bool {
        let Some(place) = diagnostic.span() else { return false };
        diagnostic.severity == Severity::Warning
            && self.code == Some(diagnostic.code)
            && place.source == self.span.source
            && (self.line.as_ref()).is_none_or(|line| {
                // If the span is empty, it counts as one character.
                (place.start as usize) < line.end && line.start < (place.end as usize).max(place.start as usize + 1)
            })
    }
}

/// Removes the warnings that comments of the model allow.
pub(crate) fn silence(subject: &ModelText, diagnostics: &mut Diagnostics) {
    let allowed = allowed(subject);
    diagnostics.retain(|diagnostic| !allowed.iter().any(|allowed| allowed.covers(diagnostic)));
}

/// The warnings about unknown codes, and about codes of warnings that the model does not cause.
pub(super) fn without_effect(subject: &ModelText, warnings: &[Diagnostic]) -> Diagnostics {
    let unread = subject.file.comments.iter().filter_map(|comment| unread_allowance(subject, comment));
    allowed(subject).iter().filter_map(|allowed| unused_allowance(allowed, warnings)).chain(unread).collect()
}

/// The warning about a comment such as `$ allow W0203` or `$ Allow: W0203`, which has no effect as written.
fn unread_allowance(subject: &ModelText, comment: &Comment) -> Option<Diagnostic> {
    let text = comment.text.strip_prefix('$')?.trim();
    let (word, rest) = text.split_at(text.find(|letter: char| !letter.is_alphabetic())?);
    if !["allow", "allows"].contains(&&*word.to_ascii_lowercase()) || !of_comment(subject, comment).is_empty() {
        return None;
    }
    let mut words = rest.split([',', ' ', ':', '\t']).filter(|word| !word.is_empty()).peekable();
    let in_file = words.next_if_eq(&"in").and_then(|_| words.next_if_eq(&"file")).is_some();
    let code =
        words.next().filter(|word| word.len() == 5 && looks_like_a_code(word) && word.starts_with(['W', 'w']))?;
    let form = if in_file { "allow in file" } else { "allow" };
    let warning = Diagnostic::warning(Code::ALLOWS_NOTHING, "this comment allows nothing");
    Some(warning.at(comment.span, "without effect").help(format!("write `$ {form}: {}`", code.to_uppercase())))
}

fn unused_allowance(allowed: &AllowedCode, warnings: &[Diagnostic]) -> Option<Diagnostic> {
    let word = allowed.word;
    match allowed.code {
        Some(code) if code.severity == Severity::Error => {
            let message = format!("`{code}` is an error, and an error cannot be allowed");
            Some(Diagnostic::warning(Code::ALLOWS_NOTHING, message).at(allowed.span, "not a warning"))
        }
        // For other data, the warning may appear.
        Some(code) if depends_on_data(code) || warnings.iter().any(|warning| allowed.covers(warning)) => None,
        Some(code) => Some(
            Diagnostic::warning(Code::ALLOWS_NOTHING, format!("nothing here causes `{code}`"))
                .at(allowed.span, "without effect")
                .help("remove the code from the comment"),
        ),
        None => {
            let message = format!("`{word}` is not the code of a warning");
            let warning = Diagnostic::warning(Code::ALLOWS_NOTHING, message).at(allowed.span, "without effect");
            let known: Vec<String> = warnings_codes().map(|code| code.to_string()).collect();
            Some(match nearest(&word.to_uppercase(), known.iter().map(String::as_str)) {
                Some(known) => warning.help(format!("did you mean `{known}`?")),
                None => warning.help("write codes such as `$ allow: W0203`"),
            })
        }
    }
}

fn warnings_codes() -> impl Iterator<Item = Code> {
    Code::ALL.iter().copied().filter(|code| code.severity == Severity::Warning)
}

/// Returns true if the warning may appear for some data and not for others.
fn depends_on_data(code: Code) -> bool {
    code.number >= 400 || code == Code::CONSTANT_OBJECTIVE
}

/// Returns true if a warning says that something can be removed.
pub(crate) fn is_unneeded(code: Code) -> bool {
    [Code::ALLOWS_NOTHING, Code::UNUSED_PARAMETER, Code::UNUSED_LETTING, Code::UNUSED_LOCAL].contains(&code)
}

fn allowed<'a>(subject: &ModelText<'a>) -> Vec<AllowedCode<'a>> {
    subject.file.comments.iter().flat_map(|comment| of_comment(subject, comment)).collect()
}

fn of_comment<'a>(subject: &ModelText<'a>, comment: &Comment) -> Vec<AllowedCode<'a>> {
    let (start, end) = (comment.span.start as usize, comment.span.end as usize);
    let Some(text) = subject.text.get(start..end).and_then(|text| text.strip_prefix('$')) else { return Vec::new() };
    let text = text.trim_start();
    let (line, list) = match (text.strip_prefix("allow:"), text.strip_prefix("allow in file:")) {
        (Some(list), _) => (Some(line_of(subject, comment)), list),
        (_, Some(list)) => (None, list),
        _ => return Vec::new(),
    };
    let begins = end - list.len();
    let mut codes: Vec<AllowedCode> = Vec::new();
    for word in list.split([',', ' ', '\t', '\r']).filter(|word| !word.is_empty()) {
        // The rest of the comment after the codes is a remark.
        if !codes.is_empty() && !looks_like_a_code(word) {
            break;
        }
        let at = begins + (word.as_ptr() as usize - list.as_ptr() as usize);
        let span = Span::new(subject.source, at, at + word.len());
        codes.push(AllowedCode {
            word,
            code: Code::named(word).filter(|_| looks_like_a_code(word)),
            span,
            line: line.clone(),
        });
    }
    codes
}

fn looks_like_a_code(word: &str) -> bool {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    digits.len() + 1 == word.len() && !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// The line that a comment applies to.
fn line_of(subject: &ModelText, comment: &Comment) -> Range<usize> {
    let text = subject.text;
    let mut at = comment.span.start as usize;
    if comment.own_line {
        at = comment.span.end as usize;
        let first = subject.file.comments.partition_point(|other| other.span.start < comment.span.end);
        // There may be other comments between this one and its line.
        for other in &subject.file.comments[first..] {
            if !text[at..other.span.start as usize].trim().is_empty() {
                break;
            }
            at = other.span.end as usize;
        }
        at += text[at..].len() - text[at..].trim_start().len();
    }
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    start..text[at..].find('\n').map_or(text.len(), |end| at + end)
}
