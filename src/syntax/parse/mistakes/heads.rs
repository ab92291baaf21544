//! The heads of quantifiers and generators as other languages and mathematics write them.

use super::{
    Mistake, QUANTIFIERS, Stuck,
    extent::{closing, enclosing},
    languages::{after_next, before_last, interval},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::parse::{Rule, is_reserved, is_word_character, reading::words},
};

/// The last quantifier before the place where the grammar got stuck.
fn last_quantifier<'t>(stuck: &Stuck<'t>) -> Option<(usize, &'t str)> {
    words(stuck.before()).filter(|(_, word)| QUANTIFIERS.contains(word)).last()
}

/// `forAll i = 1..n`, `forAll i < n`, `forAll 1 <= i <= n`, `forAll i of s`, `forAll i j : D`, `exists i . …`,
/// `exists! i`
pub(super) fn head_of_others(stuck: &Stuck) -> Option<Mistake> {
    let names = stuck.expects(&[Rule::pattern, Rule::patterns]);
    if !stuck.expects(&[Rule::over]) && !names {
        return None;
    }
    let (start, quantifier) = last_quantifier(stuck)?;
    let from = start + quantifier.len();
    let found = stuck.found();
    if names && found == "!" && quantifier == "exists" {
        let what = stuck.error("Essence has no quantifier for exactly one", "not a quantifier")?;
        let what = what.help("count instead: `(sum i in s . toInt(…)) = 1`");
        return Some(what.into());
    }
    if names && found == "in" || !names && found == "." {
        let what = Diagnostic::error(
            Code::SYNTAX,
            format!(
                "`{quantifier}` needs {}",
                if names { "a name for the members" } else { "a domain or a collection" }
            ),
        )
        .at(stuck.found_span(), "missing before this");
        let help = match names {
            true => format!("write `{quantifier} i in …`"),
            false => format!("write `{quantifier} {} : int(1..9) . …`", stuck.text[from..stuck.at].trim()),
        };
        return Some(what.help(help).into());
    }
    if found == "of" || found == "from" {
        let what =
            stuck.error("a quantifier ranges over a collection with `in`", format!("`{found}` instead of `in`"))?;
        return Some(Mistake::from(what.help("write `in`")).change(stuck.found_range(), "in"));
    }
    if found.starts_with(is_word_character) && !found.starts_with(|c: char| c.is_ascii_digit()) && !is_reserved(found) {
        let end = stuck.before().len();
        let what = stuck.error("a comma is missing between two names", "the next one begins here")?;
        return Some(Mistake::from(what.help("write a `,`")).change(end..stuck.at, ", "));
    }
    // A head by comparisons or with an equals sign, up to what follows it.
    let rest = &stuck.text[from..];
    let end = head_end(rest)?;
    let head = rest[..end].trim();
    let (name, domain) = by_comparison(head).or_else(|| by_equals(head))?;
    let text = format!(" {name} : {domain} ");
    let what = Diagnostic::error(Code::SYNTAX, "a quantifier's names are followed by `:` and a domain")
        .at(
            stuck.span(from + rest.len() - rest.trim_start().len(), from + rest[..end].trim_end().len()),
            "not like this",
        )
        .help(format!("write `{quantifier} {name} : {domain}`"));
    Some(Mistake::from(what).change(from..from + end, text))
}

/// `forAll i : D | c . …`, `forAll i : D where c . …`, `[e | i : D if c]`
pub(super) fn guard_of_others(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    let word = match found {
        "such" if stuck.text[stuck.at + found.len()..].trim_start().starts_with("that") => "such that",
        "where" | "with" | "if" | "when" | "st" | "|" | ";" => found,
        _ => return None,
    };
    let end = match word {
        "such that" => stuck.at + stuck.text[stuck.at..].find("that")? + "that".len(),
        _ => stuck.at + found.len(),
    };
    let in_head = stuck.expects(&[Rule::dot]) && {
        let behind = stuck.text[end..].split('\n').next().unwrap_or_default().replace("..", "");
        // Otherwise the word replaces the dot itself.
        behind.trim_end().ends_with('.') || behind.contains(". ")
    };
    let open = enclosing(stuck.text, stuck.at).filter(|open| stuck.text[*open..].starts_with('['));
    let in_comprehension = open.is_some_and(|open| stuck.text[open..stuck.at].contains(" | "));
    if !in_head && !in_comprehension {
        return None;
    }
    let what = Diagnostic::error(Code::SYNTAX, "a condition on quantified names follows a `,`")
        .at(stuck.span(stuck.at, end), format!("`{word}` instead of `,`"))
        .help("write `,`");
    let end = stuck.text.len() - stuck.text[end..].trim_start().len();
    Some(Mistake::from(what).change(stuck.before().len()..end, ", "))
}

/// `forAll i : D . c . …`, where the first dot should be a comma.
pub(super) fn dot_before_guard(stuck: &Stuck) -> Option<Mistake> {
    let rest = stuck.text[stuck.at..].strip_prefix('.')?;
    if !stuck.after_operand()
        || !stuck.text[..stuck.at].ends_with(char::is_whitespace)
        || rest.trim().is_empty()
        || stuck.bracket().is_some()
        || !rest.starts_with(char::is_whitespace)
    {
        return None;
    }
    let item = stuck.reading.item_at(stuck.at)?;
    let (quantifier, _) = last_quantifier(stuck).filter(|(at, _)| *at >= item.start)?;
    let dot = stuck.text[quantifier..stuck.at].rfind(" . ")? + quantifier;
    if stuck.at >= item.end {
        return None;
    }
    let what = Diagnostic::error(Code::SYNTAX, "a condition on quantified names follows a `,`")
        .at(stuck.span(dot + 1, dot + 2), "`.` instead of `,`")
        .at(stuck.found_span(), "the body begins after this");
    Some(Mistake::from(what.help("write `,`")).change(dot..dot + 3, ", "))
}

/// `forAll i : D { … }`, `forAll i : D do …`
pub(super) fn body_in_braces(stuck: &Stuck) -> Option<Mistake> {
    if !stuck.expects(&[Rule::dot]) {
        return None;
    }
    let what = |label: &str| stuck.error("the body of a quantifier follows a `.`", label);
    match stuck.found() {
        "{" => {
            let close = closing(stuck.text, stuck.at)?;
            let what = what("braces are for sets")?.help("write `. (…)`");
            Some(Mistake::from(what).change(stuck.found_range(), ". (").change(close..close + 1, ")"))
        }
        word @ ("do" | "then" | "holds" | "we" | "have") => {
            let what = what(&format!("`{word}` instead of `.`"))?.help("write `.`");
            Some(Mistake::from(what).change(stuck.found_range(), "."))
        }
        _ => None,
    }
}

/// `[e : i : D]`, `[e || i : D]`, `f(e | i : D)`, `[e, i : D]`, `[e | i = 1..n]`, `[e | forAll i : D]`
pub(super) fn comprehension_of_others(stuck: &Stuck) -> Option<Mistake> {
    let open = enclosing(stuck.text, stuck.at)?;
    let bracket = stuck.text.as_bytes()[open];
    let close = closing(stuck.text, open)?;
    let generates = |text: &str| {
        let (name, rest) = text.trim_start().split_at(text.trim_start().find(|c| !is_word_character(c)).unwrap_or(0));
        !name.is_empty() && (rest.trim_start().starts_with([':', ',', '<']) || rest.trim_start().starts_with("in "))
    };
    match stuck.found() {
        "|" if bracket == b'(' && generates(&stuck.text[stuck.at + 1..close]) => {
            let what = stuck.error("a comprehension is written in square brackets", "not in parentheses")?;
            let what = what.help("write `[x | x <- s]`");
            Some(Mistake::from(what).change(open + 1..open + 1, "[").change(close..close, "]"))
        }
        ":" if bracket == b'[' && !stuck.text[open..stuck.at].contains('|') => {
            let behind = &stuck.text[stuck.at + 1..close];
            let what = stuck.error("a comprehension is written with `|`", "not a comprehension of Essence")?;
            let what = what.help("write `[x | x <- s]`");
            if generates(behind) {
                return Some(Mistake::from(what).change(stuck.found_range(), "|"));
            }
            // `[e, i : D]`
            let comma = stuck.before().rfind(',').filter(|comma| *comma > open)?;
            let name = stuck.text[comma + 1..stuck.at].trim();
            let plain = !name.is_empty() && name.chars().all(is_word_character);
            plain.then(|| Mistake::from(what).change(comma..comma + 1, " |"))
        }
        ":" if bracket == b'[' && stuck.text[open..stuck.at].contains("||") => {
            let bars = stuck.text[open..stuck.at].rfind("||")? + open;
            let what = Diagnostic::error(Code::SYNTAX, "a comprehension is written with one `|`")
                .at(stuck.span(bars, bars + 2), "one is enough")
                .help("write `[x | x <- s]`");
            Some(Mistake::from(what).change(bars..bars + 2, "|"))
        }
        ".." if bracket == b'[' => {
            let bar = stuck.text[open..stuck.at].rfind('|')? + open;
            let end = stuck.text[stuck.at..close].find(',').map_or(close, |comma| stuck.at + comma);
            let (name, domain) = by_equals(stuck.text[bar + 1..end].trim())?;
            let what = Diagnostic::error(Code::SYNTAX, "the names of a generator are followed by `:` and a domain")
                .at(stuck.span(bar + 1, end), "not like this")
                .help(format!("write `{name} : {domain}`"));
            Some(Mistake::from(what).change(bar + 1..end, format!(" {name} : {domain}")))
        }
        "]" if stuck.expects(&[Rule::dot]) => {
            let (at, word) = last_quantifier(stuck).filter(|(at, _)| *at > open)?;
            if !stuck.text[open..at].trim_end().ends_with('|') {
                return None;
            }
            let what = Diagnostic::error(Code::SYNTAX, "a generator has no word before its names")
                .at(stuck.span(at, at + word.len()), "not needed")
                .help("leave it out");
            Some(Mistake::from(what).change(at..at + word.len(), ""))
        }
        _ => None,
    }
}

/// The end of a head: before its dot, its guard or its body.
fn head_end(text: &str) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("..") {
            at += 2;
            continue;
        }
        if rest.starts_with(['.', ',', ':', '(', '\n', '|']) {
            return Some(at);
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    None
}

fn is_term(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| is_word_character(character) || " +-*".contains(character))
}

/// `i < n`, `1 <= i <= n`: a name, and the domain that is meant.
fn by_comparison(head: &str) -> Option<(String, String)> {
    let mut parts = Vec::new();
    let mut rest = head;
    while let Some(at) = rest.find(['<', '≤']) {
        let sign = ["<=", "=<", "<", "≤"].into_iter().find(|sign| rest[at..].starts_with(sign))?;
        parts.push((rest[..at].trim(), sign));
        rest = &rest[at + sign.len()..];
    }
    let last = rest.trim();
    let high = |sign: &str| if sign == "<" { before_last(last) } else { last.to_owned() };
    match parts[..] {
        [(name, sign)] if is_term(last) && name.chars().all(is_word_character) => {
            Some((name.to_owned(), interval("1", &high(sign))))
        }
        [(low, first), (name, second)] if is_term(low) && is_term(last) && name.chars().all(is_word_character) => {
            let low = if first == "<" { after_next(low) } else { low.to_owned() };
            Some((name.to_owned(), interval(&low, &high(second))))
        }
        _ => None,
    }
}

/// `i = 1..n`, `i = 1 to n`
fn by_equals(head: &str) -> Option<(String, String)> {
    let (name, range) = head.split_once('=')?;
    let (low, high) = range.split_once("..").or(range.split_once(" to "))?;
    let name = name.trim();
    (name.chars().all(is_word_character) && !name.is_empty() && is_term(low) && is_term(high))
        .then(|| (name.to_owned(), interval(low, high)))
}
