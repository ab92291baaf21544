//! Notations of other languages (Python, MiniZinc, Java, Prolog, mathematics), and their counterparts in Essence.

use super::{
    Mistake, Stuck,
    declarations::{other_declaration, typed_declaration},
    extent::{closing, operand_start},
    uses::is_declared_as,
    vocabulary::{QUANTIFIERS, STATEMENTS},
};
use crate::{
    diagnostic::{Code, Diagnostic, nearest},
    syntax::parse::{Rule, is_reserved, is_word_character, scan::STATEMENT_WORDS, word_length},
};
use std::ops::Range;

pub(super) fn foreign_statement(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    let complete = stuck.expects(&[Rule::EOI]) && stuck.bracket().is_none();
    if !found.starts_with(is_word_character) || stuck.at > 0 && !complete {
        return None;
    }
    let first = stuck.at == 0;
    let begins_line = first || stuck.first_on_line();
    if begins_line && let Some(mistake) = typed_declaration(stuck).or_else(|| statement_of_others(stuck)) {
        return Some(mistake);
    }
    let constraints = matches!(stuck.keyword, "such" | "where");
    if begins_line
        && !constraints
        && let Some(mistake) = other_declaration(stuck)
    {
        return Some(mistake);
    }
    let rest = stuck.text[stuck.at + found.len()..].trim_start();
    let phrase = STATEMENTS.iter().find(|(words, _)| {
        let end = stuck.at + words.len();
        stuck.text.get(stuck.at..end).is_some_and(|text| text.eq_ignore_ascii_case(words))
            && !stuck.text[end..].starts_with(is_word_character)
    });
    let (written, meant) = match phrase {
        Some((words, meant)) => (&stuck.text[stuck.at..stuck.at + words.len()], Some(*meant)),
        None => (found, nearest(found, STATEMENT_WORDS.iter().copied())),
    };
    let what = Diagnostic::error(Code::SYNTAX, format!("`{written}` does not begin a statement"))
        .at(stuck.span(stuck.at, stuck.at + written.len()), "unknown statement");
    match meant {
        _ if begins_line && rest.starts_with("be ") => {
            let what = what.help(format!("write `letting {found} be …`"));
            Some(Mistake::from(what).change(stuck.at..stuck.at, "letting "))
        }
        Some(word)
            if begins_line
                && (first || rest.starts_with(char::is_alphabetic) || phrase.is_some() && !rest.starts_with('(')) =>
        {
            let word = if word == "such" && !rest.starts_with("that") { "such that" } else { word };
            let shown = if word == "such" { "such that" } else { word };
            let what = what.help(format!("did you mean `{shown}`?"));
            Some(Mistake::from(what).change(stuck.at..stuck.at + written.len(), word))
        }
        // A constraint without `such that`.
        _ if begins_line
            && !constraints
            && (rest.starts_with('(') && is_reserved(found) || QUANTIFIERS.iter().any(|(word, _)| *word == found)) =>
        {
            let what = Diagnostic::error(Code::SYNTAX, "`such that` is missing before the constraints")
                .at(stuck.found_span(), "the first constraint")
                .help("write `such that` before this");
            Some(Mistake { general: true, ..Mistake::from(what) }.change(stuck.at..stuck.at, "such that "))
        }
        _ if first || begins_line && !constraints => Some(
            what.help("write values as `letting n be 4`, and constraints after `such that`")
                .note(
                    "a statement begins with `given`, `letting`, `find`, `such that`, `where`, `minimising`, \
                    `maximising`, \
                     `branching on` or `heuristic`",
                )
                .into(),
        ),
        _ => None,
    }
}

/// `solve minimize x`, `solve satisfy`, `output […]`, `print(x)`, `include "…"`, `assert c`, `constraint c`
fn statement_of_others(stuck: &Stuck) -> Option<Mistake> {
    let line = stuck.text[stuck.at..].split('\n').next()?.trim_end();
    let (word, rest) = line.split_at(word_length(line));
    let phrase = rest.trim();
    let constraints = matches!(stuck.keyword, "such" | "where");
    let (message, help, length, text) = match word {
        "solve" => {
            let (aim, value) = phrase.split_once(' ').unwrap_or((phrase, ""));
            let word = match aim {
                "minimize" | "minimise" => "minimising",
                "maximize" | "maximise" => "maximising",
                _ => "",
            };
            let value = value.trim().trim_end_matches(';').trim();
            match word {
                "" => (
                    "the solver always runs: no statement is needed",
                    "leave it out".to_owned(),
                    line.len(),
                    String::new(),
                ),
                word => {
                    let length = line.len() - line.split_once(aim)?.1.trim_start().len();
                    let text = format!("{word} ");
                    ("an objective is written without `solve`", format!("write `{word} {value}`"), length, text)
                }
            }
        }
        "output" | "print" | "show" => (
            "solutions are always printed: no statement is needed",
            "leave it out".to_owned(),
            line.len(),
            String::new(),
        ),
        "include" | "import" => ("a model imports nothing", "leave it out".to_owned(), line.len(), String::new()),
        "assert" | "require" | "constraint" if constraints && phrase.starts_with(is_word_character) => {
            let what = Diagnostic::error(Code::SYNTAX, "a constraint has no keyword before it")
                .at(stuck.span(stuck.at, stuck.at + word.len()), "not needed")
                .help("write `,`");
            let comma = if stuck.before().ends_with(',') { " " } else { ", " };
            let what = Mistake { general: true, ..Mistake::from(what) };
            return Some(what.change(stuck.before().len()..stuck.at + word.len() + 1, comma));
        }
        "assert" | "require" if !phrase.is_empty() => (
            "a condition on the parameters follows `where`",
            "write `where`, or `such that` if it is a constraint".to_owned(),
            word.len(),
            "where".to_owned(),
        ),
        "Essence" | "essence" if phrase.starts_with(|c: char| c.is_ascii_digit()) => (
            "the language is named after `language`",
            format!("write `language Essence {phrase}`"),
            word.len(),
            "language Essence".to_owned(),
        ),
        _ => return None,
    };
    if phrase.starts_with([':', '=']) && !phrase.starts_with("==") {
        return None;
    }
    let what = Diagnostic::error(Code::SYNTAX, message)
        .at(stuck.span(stuck.at, stuck.at + word.len()), "not a word of Essence")
        .help(help);
    Some(Mistake { general: true, ..Mistake::from(what) }.change(stuck.at..stuck.at + length, text))
}

/// `constraint c` behind another constraint, where the grammar is stuck at `c`.
pub(super) fn word_before_constraint(stuck: &Stuck) -> Option<Mistake> {
    let previous = stuck.previous_word();
    let start = stuck.before().len() - previous.len();
    let first = stuck.text[..start]
        .rsplit('\n')
        .next()
        .is_some_and(|line| line.trim().is_empty() || line.trim() == "such that");
    if !matches!(previous, "constraint" | "assert" | "require") || !stuck.after_operand() || !first {
        return None;
    }
    let what = Diagnostic::error(Code::SYNTAX, "a constraint has no keyword before it")
        .at(stuck.span(start, start + previous.len()), "not needed")
        .help("leave it out");
    Some(Mistake::from(what).change(start..stuck.at, ""))
}

/// `r.a`, `t.1`
pub(super) fn dotted_access(stuck: &Stuck) -> Option<Mistake> {
    if stuck.found() != "." && !stuck.found().is_empty() && !stuck.after_operand() {
        return None;
    }
    // A dot without blanks, at which a quantifier's head may have ended by mistake.
    let tight = |at: usize| {
        stuck.text[..at].ends_with(|character| is_word_character(character) || matches!(character, ')' | ']'))
            && stuck.text[at + 1..].starts_with(is_word_character)
            && !stuck.text[..at]
                .ends_with(|character: char| character.is_ascii_digit() && is_number_before(stuck.text, at))
    };
    let item = stuck.reading.item_at(stuck.at)?;
    let dots = |range: Range<usize>| stuck.text[range.clone()].match_indices('.').map(move |(at, _)| range.start + at);
    let at = match stuck.found() {
        "." if tight(stuck.at) => stuck.at,
        "." => dots(item.start..stuck.at).find(|at| tight(*at) && !stuck.text[*at..].starts_with(".."))?,
        _ => return None,
    };
    let length =
        stuck.text[at + 1..].find(|character| !is_word_character(character)).unwrap_or(stuck.text.len() - at - 1);
    let field = &stuck.text[at + 1..at + 1 + length];
    if let Some(mistake) = method(stuck, at, field) {
        return Some(mistake);
    }
    let what = Diagnostic::error(Code::SYNTAX, "a field or a component is written in square brackets")
        .at(stuck.span(at, at + 1 + length), "not with a dot")
        .help(format!("write `[{field}]`"));
    Some(Mistake::from(what).change(at..at + 1 + length, format!("[{field}]")))
}

/// `s.size()`, `s.contains(x)`, `x.f` for a function `f`
fn method(stuck: &Stuck, dot: usize, name: &str) -> Option<Mistake> {
    let start = operand_start(stuck.text, dot);
    let object = &stuck.text[start..dot];
    let end = dot + 1 + name.len();
    let arguments = stuck.text[end..].starts_with('(').then(|| closing(stuck.text, end)).flatten();
    let close = arguments.map_or(end, |close| close + 1);
    let argument = arguments.map_or("", |close| stuck.text[end + 1..close].trim());
    let text = match name {
        "size" | "length" | "count" | "cardinality" if arguments.is_some() && argument.is_empty() => {
            format!("|{object}|")
        }
        "length" | "size" if arguments.is_none() => format!("|{object}|"),
        "keys" if arguments.is_some() && argument.is_empty() => format!("defined({object})"),
        "values" if arguments.is_some() && argument.is_empty() => format!("range({object})"),
        "contains" | "includes" | "has" if !argument.is_empty() => format!("({argument} in {object})"),
        name if is_declared_as(stuck.parser.text, name, "function") && argument.is_empty() => {
            format!("{name}({object})")
        }
        _ => return None,
    };
    let what = Diagnostic::error(Code::SYNTAX, "Essence has no methods")
        .at(stuck.span(dot, end), "not an operator of Essence")
        .help(format!("write `{text}`"));
    Some(Mistake::from(what).change(start..close, text))
}

/// Whether the word before a dot is a number, so that both make a decimal one.
fn is_number_before(text: &str, at: usize) -> bool {
    let start = operand_start(text, at);
    text[start..at].bytes().all(|byte| byte.is_ascii_digit())
}
