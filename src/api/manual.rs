//! Entries of the manual.

use super::Report;
use crate::{
    diagnostic::{Code, Diagnostic},
    manual::{self, OperatorMeaning},
    syntax::help_for_foreign_word,
};

/// The rows of the table of operators, in the order of the manual.
pub fn operators() -> Vec<OperatorMeaning> {
    manual::operator_rows().collect()
}

/// Returns the entry of the manual about a code, such as `E0301` or `W0203`, or about a word or sign of Essence, as
/// text for people.
///
/// ```
/// use conjure_like::manual_entry;
///
/// assert!(manual_entry("E0301")?.starts_with("E0301"));
/// assert!(manual_entry("preImage")?.contains("function"));
/// assert!(manual_entry("preimages").unwrap_err().to_string().contains("there is no operator"));
/// # Ok::<(), conjure_like::Report>(())
/// ```
///
/// # Errors
///
/// Returns an error if there is no such entry; it names the word that was probably meant.
pub fn manual_entry(wanted: &str) -> Result<String, Report> {
    if let Some(code) = Code::named(wanted) {
        return Ok(code.explanation());
    }
    if let Some(explanation) = manual::explain(wanted) {
        return Ok(explanation.to_string());
    }
    let number = wanted.trim_start_matches(['E', 'e', 'W', 'w']).parse::<u16>();
    // A word from another language has an exact answer, which is better than a similar word.
    let help = help_for_foreign_word(wanted)
        .or_else(|| manual::nearest_word(wanted).map(|known| format!("did you mean `{known}`?")));
    let (what, help) = match (number, help) {
        (Ok(_), _) => (
            "error or warning",
            "name the code in brackets after the word `error` or `warning`, such as E0301".to_owned(),
        ),
        (_, Some(help)) => ("operator, attribute or keyword", help),
        (_, None) => (
            "operator, attribute or keyword",
            "docs/operators.md lists all operators, attributes and keywords".to_owned(),
        ),
    };
    let message = format!("there is no {what} `{wanted}`");
    Err(Diagnostic::error(Code::COMMAND_LINE, message).help(help).into())
}
