//! Notations of other languages (Python, MiniZinc, Java, Prolog, mathematics), and their counterparts in Essence.

use super::{
    Rule,
    declarations::{is_plain_name, other_declaration, range_of_python, typed_declaration},
    extent::{clause_end, closing, enclosing, operand_end, operand_start},
    is_reserved, is_word_character,
    mistakes::{Mistake, Stuck},
    reading::words,
    scan::STATEMENT_WORDS,
    uses::{is_declared, is_declared_as, is_domain},
    vocabulary::{OPERATORS, QUANTIFIERS, STATEMENTS},
    word_length,
};
use crate::{
    diagnostic::{Code, Diagnostic, nearest},
    operators,
};
use std::ops::Range;

pub(super) fn foreign_operator(stuck: &Stuck) -> Option<Mistake> {
    let starts_at = |written: &str, start: usize| {
        let is_word = written.starts_with(is_word_character);
        let begins = !is_word || !stuck.text[..start].ends_with(is_word_character);
        stuck.text[start..]
            .strip_prefix(written)
            .is_some_and(|rest| begins && (!is_word || !written.is_ascii() || !rest.starts_with(is_word_character)))
    };
    let (written, right, start) = OPERATORS.iter().find_map(|(written, right)| {
        // The grammar may have taken the first characters for an operator of its own.
        let offsets = if written.is_ascii() && !written.starts_with(is_word_character) { written.len() } else { 1 };
        let start = (0..offsets)
            .filter_map(|offset| stuck.at.checked_sub(offset))
            .find(|start| stuck.text.is_char_boundary(*start) && starts_at(written, *start))?;
        Some((*written, *right, start))
    })?;
    let infix = written.starts_with(|character: char| character.is_ascii_alphabetic()) && written != "not";
    let declares = stuck.expects(&[Rule::word_be, Rule::colon]) && stuck.bracket().is_none();
    if infix && !stuck.after_operand() || declares || stuck.expects(&[Rule::arrow]) {
        return None;
    }
    let range = start..start + written.len();
    let what = Diagnostic::error(Code::SYNTAX, format!("`{written}` is not an operator of Essence"))
        .at(stuck.span(range.start, range.end), "unknown operator");
    let what = Mistake { notation: true, ..Mistake::from(what) };
    Some(match written {
        "^" if stuck.text[range.end..].trim_start().starts_with("-1") => inverse(stuck.text, what, range),
        "not in" | "notin" | "∉" => {
            let (left, right) = (operand_start(stuck.text, start), operand_end(stuck.text, range.end));
            what.help("write `!(… in …)`").change(left..left, "!(").change(range, "in").change(right..right, ")")
        }
        "not" | "¬" | "~" => negation(stuck.text, what, range),
        "and" | "&&" if between_constraints(stuck, &range) => {
            let end = stuck.text[..range.start].trim_end().len();
            what.help("write `,` between constraints").change(end..range.end, ",")
        }
        _ => {
            let blank = right.starts_with(char::is_alphabetic);
            let before = blank && stuck.text[..range.start].ends_with(is_word_character);
            let after = blank && stuck.text[range.end..].starts_with(is_word_character);
            let text = format!("{}{right}{}", if before { " " } else { "" }, if after { " " } else { "" });
            what.help(format!("write `{right}`")).change(range, text)
        }
    })
}

/// `not a = b`, which negates the comparison.
fn negation(text: &str, what: Mistake, range: Range<usize>) -> Mistake {
    let operand = text.len() - text[range.end..].trim_start().len();
    let clause = clause_end(text, operand);
    let what = what.help("write `!`");
    if operand_end(text, operand) >= clause {
        return what.change(range.start..operand, "!");
    }
    what.change(range.start..operand, "!(").change(clause..clause, ")")
}

/// Whether a word stands where one line of constraints ends or the next one begins.
fn between_constraints(stuck: &Stuck, range: &Range<usize>) -> bool {
    let ends = stuck.text[range.end..].split('\n').next().is_some_and(|rest| rest.trim().is_empty());
    matches!(stuck.keyword, "such" | "where") && stuck.bracket().is_none() && (ends || stuck.first_on_line())
}

/// `f^-1(y) = x`
fn inverse(text: &str, what: Mistake, caret: Range<usize>) -> Mistake {
    let function = operand_start(text, caret.start);
    let exponent = caret.end + text[caret.end..].find('1').unwrap_or(0) + 1;
    let end = operand_end(text, exponent);
    let name = text[function..caret.start].trim();
    let argument = text[exponent..end].trim_start_matches('(').trim_end_matches(')');
    let rest = text[end..].trim_start();
    if let Some(image) = rest.strip_prefix('=').filter(|rest| !rest.starts_with(['=', '>', '<'])) {
        let start = text.len() - image.len();
        let close = clause_end(text, start);
        let text = format!("{name}({}) = {argument}", text[start..close].trim());
        return what.help("write `f(x) = y`").change(function..close, text);
    }
    what.help("write `preImage(f, y)` for the set of all `x` with `f(x) = y`")
        .change(function..end, format!("preImage({name}, {argument})"))
}

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

/// `forall i in S …`, `for i in S`
pub(super) fn misspelt_quantifier(stuck: &Stuck) -> Option<Mistake> {
    let word = stuck.previous_word();
    let found = stuck.found();
    if !stuck.after_operand() || !found.starts_with(|character| is_word_character(character) || character == '(') {
        return None;
    }
    let before = stuck.before();
    let two = ["for all", "for each"].into_iter().find(|two| before.ends_with(two));
    let word = match (two, word, found) {
        (Some(two), ..) => two,
        // Stuck between the two words.
        (None, "for", "all" | "each") => return None,
        (None, word, _) => word,
    };
    let foreign = QUANTIFIERS[4..].iter().find(|(foreign, _)| *foreign == word).map(|pair| pair.1);
    let known = ["forAll", "exists", "product"];
    let meant = foreign.or_else(|| nearest(word, known).filter(|meant| *meant != word))?;
    let end = before.len();
    let start = end.checked_sub(word.len()).filter(|start| before[*start..] == *word)?;
    let what = Diagnostic::error(Code::SYNTAX, format!("`{word}` is not a quantifier"))
        .at(stuck.span(start, end), "unknown quantifier")
        .help(format!("did you mean `{meant}`?"));
    Some(Mistake { notation: true, ..Mistake::from(what) }.change(start..end, meant))
}

/// `for (i, j) in S, …` and `for (i, j) in S: …`, of which the head is read as a call.
pub(super) fn quantifier_read_as_call(stuck: &Stuck, item: Range<usize>) -> Option<Mistake> {
    let text = &stuck.text[item.clone()];
    let word = ["forall", "foreach", "for"].into_iter().find(|word| {
        text.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('('))
            && !is_declared(stuck.parser.text, word)
    })?;
    let open = item.start + text.find('(')?;
    let close = closing(stuck.text, open)?;
    let mut names = stuck.text[open + 1..close].split(',').map(str::trim);
    let over = stuck.text.get(close + 1..item.end)?;
    if !over.trim_start().starts_with("in ") || !names.all(is_plain_name) {
        return None;
    }
    // The sign before the body; a comma at the end of a line ends the constraint.
    let mut depth = 0i32;
    let sign = over.find(|character| {
        depth += i32::from(matches!(character, '(' | '[' | '{')) - i32::from(matches!(character, ')' | ']' | '}'));
        depth == 0 && matches!(character, ',' | ':' | '.')
    });
    let sign = sign.map_or(item.end, |sign| close + 1 + sign);
    let start = item.start..item.start + word.len();
    let what = Diagnostic::error(Code::SYNTAX, format!("`{word}` is not a quantifier"))
        .at(stuck.span(start.start, start.end), "unknown quantifier")
        .help("write `forAll (i, j) in s . …`");
    let mistake = Mistake { notation: true, ..Mistake::from(what) }.change(start, "forAll");
    Some(match stuck.text[sign..].starts_with([',', ':']) {
        true => mistake.change(sign..sign + 1, " ."),
        false => mistake,
    })
}

/// `for all`, of which the first word was read as a name.
pub(super) fn two_words_for_one(stuck: &Stuck) -> Option<Mistake> {
    let (first, second) = (stuck.previous_word(), stuck.found());
    let meant = match (first, second) {
        ("for", "all" | "each") => "forAll",
        ("there", "exists" | "is") => "exists",
        _ => return None,
    };
    let start = stuck.before().len() - first.len();
    let end = stuck.at + second.len();
    let what = Diagnostic::error(Code::SYNTAX, format!("`{first} {second}` is not a quantifier"))
        .at(stuck.span(start, end), "unknown quantifier")
        .help(format!("did you mean `{meant}`?"));
    Some(Mistake { notation: true, ..Mistake::from(what) }.change(start..end, meant))
}

/// `exists(i : D . …)`, `forall(i in S)(…)`
pub(super) fn quantifier_in_parentheses(stuck: &Stuck) -> Option<Mistake> {
    let open = match stuck.found() {
        "(" => stuck.at,
        _ => enclosing(stuck.text, stuck.at)?,
    };
    let before = stuck.text[..open].trim_end();
    let (word, meant) = QUANTIFIERS
        .iter()
        .find(|(word, _)| before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(is_word_character)))?;
    let start = before.len() - word.len();
    let close = closing(stuck.text, open)?;
    let inner = &stuck.text[open + 1..close];
    let generates = inner.contains(':') || words(inner).any(|(_, word)| word == "in");
    let python = words(inner).any(|(_, word)| word == "for") || inner.contains(" | ");
    if !generates || python || stuck.text.as_bytes().get(open) != Some(&b'(') {
        return None;
    }
    let what = Diagnostic::error(Code::SYNTAX, format!("a quantifier is written without parentheses: `{meant} … . …`"))
        .at(stuck.span(start, open + 1), "not like a function");
    if inner.replace("..", "").contains('.') {
        let what = what.help(format!("write `({meant} i : D . …)`"));
        return Some(Mistake::from(what).change(start..open + 1, format!("({meant} ")));
    }
    // The body follows, in parentheses of its own or behind a dot.
    let behind = stuck.text[close + 1..].trim_start();
    let dot = behind.starts_with('.') && !behind.starts_with("..");
    let begin = stuck.text.len() - behind.len() + usize::from(dot);
    let whole = behind.starts_with(['(', '{']) || matches!(*meant, "sum" | "product");
    let end = if whole { operand_end(stuck.text, begin) } else { clause_end(stuck.text, begin) };
    let head = generators(stuck.parser.text, inner, meant);
    let what = Mistake::from(what.help(format!("write `{meant} i : D . …`")));
    Some(what.change(start..begin, format!("({head} . ")).change(end..end, ")"))
}

/// `[x for x in s]`
pub(super) fn comprehension_of_python(stuck: &Stuck) -> Option<Mistake> {
    if stuck.found() != "for" {
        return None;
    }
    let open = enclosing(stuck.text, stuck.at)?;
    let rest = &stuck.text[stuck.at + 3..];
    let (name, _) = words(rest).next().map(|(at, word)| (&rest[..at + word.len()], at))?;
    let after = rest[name.len()..].trim_start().strip_prefix("in")?;
    let collection = stuck.text.len() - after.len();
    let close = closing(stuck.text, open)?;
    let condition =
        words(&stuck.text[collection..close]).find(|(_, word)| *word == "if").map(|(at, _)| collection + at);
    let end = condition.unwrap_or(close);
    let over = over(stuck.parser.text, stuck.text[collection..end].trim());
    let what = Diagnostic::error(Code::SYNTAX, "a comprehension is written with `|` and `<-`")
        .at(stuck.found_span(), "not a word of Essence")
        .help("write `[x | x <- s]`");
    let guard = if condition.is_some() { ", " } else { "" };
    let end = condition.map_or(end, |condition| condition + 2);
    let mut what =
        Mistake::from(what).change(stuck.at..end, format!("|{name} {}{guard}", over.replacen("in ", "<- ", 1)));
    let before = &stuck.text[..open];
    for (foreign, word) in [("all", "and"), ("any", "or")] {
        if before.strip_suffix(foreign).is_some_and(|rest| !rest.ends_with(is_word_character)) {
            what = what.change(open - foreign.len()..open, word);
        }
    }
    match stuck.text.as_bytes()[open] {
        b'(' => what = what.change(open + 1..open + 1, "[").change(close..close, "]"),
        b'{' => what = what.change(open..open + 1, "toSet([").change(close..close + 1, "])"),
        _ => {}
    }
    Some(what)
}

/// `if a then b else c`, `if (a) { b }`, `b if a else c` and `a ? b : c`
pub(super) fn conditional(stuck: &Stuck) -> Option<Mistake> {
    let previous = stuck.previous_word();
    let start = stuck.before().len().saturating_sub(previous.len());
    let found = stuck.found();
    let what = |span| {
        Diagnostic::error(Code::SYNTAX, "Essence has no conditional expression").at(span, "not an operator of Essence")
    };
    let general = |what: Diagnostic| {
        what.help("between constraints, write `(c -> a) /\\ (!c -> b)`")
            .help("between values, write `[b, a; int(0..1)][toInt(c)]`, which is `a` where `c` holds")
    };
    if found == "?" && stuck.after_operand() || found == "if" && stuck.after_operand() && stuck.bracket() != Some('[') {
        return Some(general(what(stuck.found_span())).into());
    }
    if found == "{" {
        return conditional_in_braces(stuck);
    }
    if previous != "if" || !stuck.after_operand() {
        return None;
    }
    let what = what(stuck.span(start, stuck.before().len()));
    let limit = enclosing(stuck.text, start).and_then(|open| closing(stuck.text, open));
    let limit = limit.or(stuck.reading.item_at(start).map(|item| item.end)).unwrap_or(stuck.text.len());
    let word = |from: usize, word: &str| {
        words(&stuck.text[from..limit]).find(|(_, found)| *found == word).map(|(at, _)| from + at)
    };
    let Some(then) = word(start, "then") else { return Some(general(what).into()) };
    let condition = stuck.text[start + 2..then].trim();
    let otherwise = word(then, "else");
    let whole = |text: &'_ str| text.trim().trim_end_matches("endif").trim().to_owned();
    let yes = whole(&stuck.text[then + 4..otherwise.unwrap_or(limit)]);
    let no = otherwise.map(|at| whole(&stuck.text[at + 4..limit]));
    let before = stuck.text[..start].trim_end();
    let summed = before.ends_with('.')
        && words(before)
            .filter(|(_, word)| QUANTIFIERS.iter().any(|(known, _)| known == word))
            .last()
            .is_some_and(|(_, word)| matches!(word, "sum" | "product"));
    let value = summed || before.ends_with(['=', '+', '-', '*', '<', '>', '|']);
    let (condition, yes, no) = match value {
        true => (condition.to_owned(), yes, no),
        false => (in_parentheses(condition), in_parentheses(&yes), no.as_deref().map(in_parentheses)),
    };
    let text = match no.as_deref() {
        Some("0") if value && yes == "1" => format!("toInt({condition})"),
        Some("0") if value => format!("toInt({condition}) * {}", in_parentheses(&yes)),
        Some(no) if value => format!("[{no}, {yes}; int(0..1)][toInt({condition})]"),
        Some(no) => format!("({condition} -> {yes}) /\\ (!{condition} -> {no})"),
        None => format!("{condition} -> {yes}"),
    };
    let what = if value { what.help(format!("write `{text}`")) } else { general(what) };
    Some(Mistake::from(what).change(start..limit, text))
}

/// `if (a) { b }`, `if (a) { b } else { c }`
fn conditional_in_braces(stuck: &Stuck) -> Option<Mistake> {
    let before = stuck.before();
    let mut open = before.ends_with(')').then(|| operand_start(stuck.text, before.len()))?;
    if stuck.text[open..].starts_with("if") {
        open += "if".len();
    }
    let start = stuck.text[..open].trim_end().strip_suffix("if")?.len();
    let condition = stuck.text[open..before.len()].trim();
    let close = closing(stuck.text, stuck.at)?;
    let inside = |open: usize, close: usize| stuck.text[open + 1..close].trim().trim_end_matches(';').trim();
    let yes = in_parentheses(inside(stuck.at, close));
    let behind = stuck.text[close + 1..].trim_start();
    let braces = behind.strip_prefix("else").map(str::trim_start).filter(|rest| rest.starts_with('{'));
    let (end, text) = match braces {
        Some(rest) => {
            let open = stuck.text.len() - rest.len();
            let end = closing(stuck.text, open)?;
            let no = in_parentheses(inside(open, end));
            (end + 1, format!("({condition} -> {yes}) /\\ (!{condition} -> {no})"))
        }
        None => (close + 1, format!("{condition} -> {yes}")),
    };
    let what = Diagnostic::error(Code::SYNTAX, "Essence has no conditional statement")
        .at(stuck.span(start, start + 2), "not an operator of Essence")
        .help("write `(c -> a) /\\ (!c -> b)`");
    Some(Mistake::from(what).change(start..end, text))
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

/// `a :- b`, `a <- b`
pub(super) fn implication_backwards(stuck: &Stuck) -> Option<Mistake> {
    let before = stuck.before();
    let at = if stuck.found() == "-" && before.ends_with(':') { before.len() - 1 } else { stuck.at };
    let sign = [":-", "<-", "⇐", "←", "<="].into_iter().find(|sign| stuck.text[at..].starts_with(sign))?;
    let behind = stuck.text[at + sign.len()..].trim_start();
    if sign == "<=" || stuck.bracket().is_some() || !matches!(stuck.keyword, "such" | "where") {
        return None;
    }
    if sign == "<-" && (behind.starts_with(|c: char| c.is_ascii_digit()) || !stuck.after_operand()) {
        return None;
    }
    let item = stuck.reading.item_at(at)?;
    let left = in_parentheses(stuck.text[item.start..at].trim());
    let right = in_parentheses(stuck.text[at + sign.len()..item.end].trim());
    let what = Diagnostic::error(Code::SYNTAX, format!("`{sign}` is not an operator of Essence"))
        .at(stuck.span(at, at + sign.len()), "unknown operator")
        .help("write `a -> b` for \"if a, then b\"");
    Some(Mistake::from(what).change(item, format!("{right} -> {left}")))
}

/// `a | b` between conditions
pub(super) fn single_bar(stuck: &Stuck) -> Option<Mistake> {
    if stuck.found() != "|" || stuck.bracket() == Some('{') || stuck.bracket() == Some('[') {
        return None;
    }
    let item = stuck.reading.item_at(stuck.at)?;
    if stuck.text[item].matches('|').count().is_multiple_of(2) {
        return None;
    }
    let what = stuck.error("`|` is not an operator between conditions", "unknown operator")?;
    Some(Mistake::from(what.help("write `\\/`")).change(stuck.found_range(), "\\/"))
}

/// `|x - y > 1`, of which the second bar is missing.
pub(super) fn bar_never_closed(stuck: &Stuck) -> Option<Mistake> {
    if !stuck.expects(&[Rule::close_bar]) || !matches!(stuck.found(), "" | "," | ")" | "]") {
        return None;
    }
    let open = stuck.before().rfind('|')?;
    let what = Diagnostic::error(Code::SYNTAX, "this `|` is never closed")
        .at(stuck.span(open, open + 1), "opened here")
        .help("close it: `|x|`");
    let comparison = ["<=", ">=", "!=", "=", "<", ">"]
        .iter()
        .filter_map(|sign| stuck.text[open..stuck.at].find(sign).map(|at| open + at))
        .min();
    let Some(at) = comparison else { return Some(what.into()) };
    let end = stuck.text[..at].trim_end().len();
    Some(Mistake::from(what).change(end..end, "|"))
}

/// `max queen`, `allDiff[queen]`: an operator that takes its operands in parentheses.
pub(super) fn operands_without_parentheses(stuck: &Stuck) -> Option<Mistake> {
    let (found, previous) = (stuck.found(), stuck.previous_word());
    if !stuck.expected.contains(&Rule::open_parenthesis) || operators::function(previous).is_none() {
        return None;
    }
    let start = stuck.before().len();
    // `a, and b`
    let word = start - previous.len();
    if matches!(previous, "and" | "or") && stuck.text[..word].trim_end().ends_with(',') {
        let what = Diagnostic::error(Code::SYNTAX, "a comma is enough between two constraints")
            .at(stuck.span(word, start), "not needed")
            .help("leave it out");
        return (previous == "and").then(|| Mistake::from(what).change(word..stuck.at, ""));
    }
    let what = Diagnostic::error(Code::SYNTAX, format!("the operands of `{previous}` are written in parentheses"))
        .at(stuck.span(start - previous.len(), start), format!("`{previous}` is an operator"));
    if found == "[" {
        let close = closing(stuck.text, stuck.at)?;
        let inner = &stuck.text[stuck.at + 1..close];
        if inner.contains([',', '|']) {
            let what = what.help(format!("write `{previous}([…])`"));
            return Some(Mistake::from(what).change(start..stuck.at, "(").change(close + 1..close + 1, ")"));
        }
        let what = what.help(format!("write `{previous}(…)`"));
        return Some(Mistake::from(what).change(start..stuck.at + 1, "(").change(close..close + 1, ")"));
    }
    if !found.starts_with(is_word_character) || is_reserved(found) {
        return None;
    }
    let end = operand_end(stuck.text, stuck.at);
    let what = what.help(format!("write `{previous}(…)`"));
    Some(Mistake::from(what).change(start..stuck.at, "(").change(end..end, ")"))
}

/// `such that:`, `such that,`, `where:`, `a,, b`
pub(super) fn stray_mark(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    let before = stuck.before();
    let behind_word = matches!(found, ":" | ",")
        && stuck.expects_expression()
        && (before == stuck.keyword || before.split_whitespace().eq(["such", "that"]));
    let twice = found == "," && before.ends_with(',') && stuck.bracket().is_none();
    if !behind_word && !twice {
        return None;
    }
    let what = stuck.error(format!("a `{found}` is not needed here"), "leave this out")?.help("leave it out");
    Some(Mistake { general: true, ..Mistake::from(what) }.change(stuck.found_range(), ""))
}

/// `m[i, :]`, `m[i, *]`, `m[i, ...]`
pub(super) fn slice_of_others(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    // `m[, j]`
    let empty = found == "," && stuck.expects_expression() && !stuck.text[..stuck.at].trim_end().ends_with(',');
    if stuck.bracket() != Some('[') || !(matches!(found, ":" | "*" | ".") || empty) {
        return None;
    }
    if empty {
        let what =
            stuck.error("all indices of a dimension are written `..`", "missing before this")?.help("write `..`");
        let index = stuck
            .before()
            .trim_end_matches('[')
            .ends_with(|character| is_word_character(character) || character == ')');
        return index.then(|| Mistake::from(what).change(stuck.at..stuck.at, ".."));
    }
    let end = stuck.at + found.len();
    let ends = stuck.text[end..].trim_start().starts_with([',', ']']);
    let before = stuck.before();
    let begins = before.ends_with([',', '[']) || found == "." && before.ends_with("..");
    if !ends || !begins {
        return None;
    }
    let start = if found == "." { before.len() - 2 } else { stuck.at };
    let what = Diagnostic::error(Code::SYNTAX, "all indices of a dimension are written `..`")
        .at(stuck.span(start, end), "not like this")
        .help("write `..`");
    Some(Mistake { notation: true, ..Mistake::from(what) }.change(start..end, ".."))
}

/// `m[i; j]`, `m[i j]`
pub(super) fn missing_comma_in_index(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    let open = enclosing(stuck.text, stuck.at).filter(|open| stuck.text[*open..].starts_with('['))?;
    let index =
        stuck.text[..open].ends_with(|character| is_word_character(character) || matches!(character, ']' | ')'));
    let word = found.starts_with(is_word_character) && !is_reserved(found);
    if !index || !stuck.after_operand() || !(word || found == ";") {
        return None;
    }
    let end = stuck.before().len();
    let what = stuck.error("a comma is missing between two indices", "the next one begins here")?.help("write a `,`");
    let behind = if found == ";" { stuck.at + 1 } else { stuck.at };
    let behind = stuck.text.len() - stuck.text[behind..].trim_start().len();
    Some(Mistake::from(what).change(end..behind, ", "))
}

/// `x++`, `x += 1`
pub(super) fn assignment_of_others(stuck: &Stuck) -> Option<Mistake> {
    let before = stuck.before();
    let sign = before.chars().next_back().filter(|sign| "+-*/".contains(*sign))?;
    let twice = stuck.found().starts_with(sign) && "+-".contains(sign);
    if !twice && stuck.found() != "=" {
        return None;
    }
    let written = if twice { format!("{sign}{sign}") } else { format!("{sign}=") };
    let what = Diagnostic::error(Code::SYNTAX, "a decision variable has one value, which never changes")
        .at(stuck.span(before.len() - 1, stuck.at + 1), format!("`{written}` is not an operator of Essence"))
        .help("declare another variable for the new value, and relate the two: `y = x + 1`");
    Some(what.into())
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

/// `f x` for a function `f`
pub(super) fn argument_without_parentheses(stuck: &Stuck) -> Option<Mistake> {
    let (found, previous) = (stuck.found(), stuck.previous_word());
    let end = stuck.before().len();
    let sound = found.starts_with(is_word_character) && !is_reserved(found) && stuck.after_operand();
    if !sound || stuck.text[end..stuck.at].contains('\n') {
        return None;
    }
    // `(a, b) R`
    let start = operand_start(stuck.text, end);
    if stuck.text[start..end].starts_with('(') && stuck.text[start..end].contains(',') {
        let what = stuck.error("an operator is missing", "no operator before this")?;
        let tuple = &stuck.text[start..end];
        return Some(Mistake::from(what.help(format!("write `{tuple} in {found}`"))).change(end..stuck.at, " in "));
    }
    // `x R y`
    if is_declared_as(stuck.parser.text, found, "relation") {
        let close = operand_end(stuck.text, stuck.at + found.len());
        let (left, right) = (&stuck.text[start..end], stuck.text[stuck.at + found.len()..close].trim());
        let what = stuck.error("a relation stands before its operands", "not between them")?;
        let text = format!("{found}({left}, {right})");
        return (!right.is_empty())
            .then(|| Mistake::from(what.help(format!("write `{text}`"))).change(start..close, text));
    }
    if previous.is_empty() || !is_declared_as(stuck.parser.text, previous, "function") {
        return None;
    }
    let what = stuck.error("the argument of a function is written in parentheses", "not in parentheses")?;
    let close = operand_end(stuck.text, stuck.at);
    let what = what.help(format!("write `{previous}({})`", stuck.text[stuck.at..close].trim()));
    Some(Mistake::from(what).change(end..stuck.at, "(").change(close..close, ")"))
}

/// `x >= 2 /\\ <= 4`
pub(super) fn comparison_without_left_side(stuck: &Stuck) -> Option<Mistake> {
    let sign = stuck.found();
    if !matches!(sign, "<=" | ">=" | "<" | ">" | "=" | "!=") || !stuck.expects_expression() {
        return None;
    }
    let before = stuck.before();
    let joint = ["/\\", "\\/"].into_iter().find(|joint| before.ends_with(joint))?;
    let left = &before[..before.len() - joint.len()];
    let earlier = left.rfind(['<', '>', '=', '!'])?;
    let earlier = left[..earlier].trim_end_matches(['<', '>', '=', '!']).len();
    let operand = stuck.text[operand_start(stuck.text, earlier)..earlier].trim();
    let what =
        stuck.error(format!("the left side of `{sign}` is missing"), "the left operand is missing before this")?;
    if operand.is_empty() {
        return Some(what.into());
    }
    Some(
        Mistake::from(what.help(format!("write `{operand} {sign} …`")))
            .change(stuck.at..stuck.at, format!("{operand} ")),
    )
}

/// Whether the word before a dot is a number, so that both make a decimal one.
fn is_number_before(text: &str, at: usize) -> bool {
    let start = operand_start(text, at);
    text[start..at].bytes().all(|byte| byte.is_ascii_digit())
}

/// `#s`
pub(super) fn number_sign(stuck: &Stuck) -> Option<Mistake> {
    if stuck.found() != "#" || !stuck.expects_expression() {
        return None;
    }
    let end = operand_end(stuck.text, stuck.at + 1);
    let operand = stuck.text[stuck.at + 1..end].trim();
    if operand.is_empty() {
        return None;
    }
    let what = stuck.error("the number of members is written between bars", "not an operator of Essence")?;
    Some(Mistake::from(what.help("write `|s|`")).change(stuck.at..end, format!("|{operand}|")))
}

/// `union(s, t)`, `union(s)`
pub(super) fn operator_as_function(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    let open = stuck.at + found.len();
    let infix = ["union", "intersect", "in", "subset", "subsetEq", "supset", "supsetEq"];
    if !stuck.expects_expression() || !infix.contains(&found) || !stuck.text[open..].starts_with('(') {
        return None;
    }
    let close = closing(stuck.text, open)?;
    let inner = stuck.text[open + 1..close].trim();
    let mut depth = 0i32;
    let arguments: Vec<&str> = inner
        .split(|character| {
            depth += i32::from(matches!(character, '(' | '[' | '{')) - i32::from(matches!(character, ')' | ']' | '}'));
            character == ',' && depth == 0
        })
        .map(str::trim)
        .collect();
    let what = stuck.error(format!("`{found}` is written between its operands"), "not like a function")?;
    let (help, text) = match arguments[..] {
        [left, right] => (format!("write `s {found} t`"), format!("({left} {found} {right})")),
        [sets] if found == "union" => (
            "write `toSet([x | s <- S, x <- s])` for the union of all sets in `S`".to_owned(),
            format!("toSet([x | s <- {sets}, x <- s])"),
        ),
        _ => return Some(what.help(format!("write `s {found} t`")).into()),
    };
    Some(Mistake::from(what.help(help)).change(stuck.at..close + 1, text))
}

/// `i in 1..9`, `i in 1:9`, `[1..9]`, `{1..9}`
pub(super) fn range_of_integers(stuck: &Stuck) -> Option<Mistake> {
    // `1:3` is stuck behind the colon, where the tag of an integer could stand.
    let before = stuck.before();
    let behind_colon = before.ends_with(':') && stuck.found().starts_with(|character: char| character.is_ascii_digit());
    let at = if behind_colon { before.len() - 1 } else { stuck.at };
    let found = if behind_colon { ":" } else { stuck.found() };
    if !matches!(found, ".." | ":") || !stuck.after_operand() && !behind_colon {
        return None;
    }
    let number = |text: &str| !text.is_empty() && text.chars().all(is_word_character);
    let low = operand_start(stuck.text, at);
    let high = operand_end(stuck.text, at + found.len());
    let (from, to) = (stuck.text[low..at].trim(), stuck.text[at + found.len()..high].trim());
    let digits = |text: &str| text.starts_with(|character: char| character.is_ascii_digit());
    if found == ":" && !(digits(from) && digits(to)) {
        return None;
    }
    let domain = format!("int({from}..{to})");
    let before = stuck.text[..low].trim_end();
    let bracket = before.chars().next_back().filter(|character| matches!(character, '{' | '['));
    if let (Some(bracket), Some(open)) = (bracket, enclosing(stuck.text, stuck.at))
        && let Some(close) = closing(stuck.text, open)
        && stuck.text[high..close].trim().is_empty()
    {
        let what = stuck.error("a range is a part of a domain", "not a member of a collection")?;
        let outside = stuck.text[..open].trim_end();
        let word = outside.strip_suffix("in").or(outside.strip_suffix("<-")).map(str::len);
        if let Some(start) = word.filter(|_| outside.ends_with("<-") || stuck.in_quantifier_head()) {
            let what = what.help(format!("write `: {domain}`"));
            return Some(Mistake::from(what).change(start..close + 1, format!(": {domain}")));
        }
        let list = format!("[i | i : {domain}]");
        let text = if bracket == '{' { format!("toSet({list})") } else { list };
        let what = what.help(
            "write `toSet([i | i : int(1..9)])` for the set of these integers, or `[i | i : int(1..9)]` for the list",
        );
        return Some(Mistake::from(what).change(open..close + 1, text));
    }
    let word = before.len() - before.strip_suffix("in").or(before.strip_suffix("<-"))?.len();
    let start = before.len() - word;
    let generator = stuck.in_quantifier_head() || before.ends_with("<-");
    let what =
        stuck.error("a range is a part of a domain", if generator { "not a collection" } else { "not a set" })?;
    if generator {
        let what = what.help(format!("write `: {domain}`"));
        return Some(Mistake::from(what).change(start..high, format!(": {domain}")));
    }
    let member = operand_start(stuck.text, start);
    let name = stuck.text[member..start].trim();
    let what = what.help("write `1 <= x /\\ x <= 9` to require that `x` is in the range");
    if !number(from) || !number(to) {
        return Some(what.into());
    }
    Some(Mistake::from(what).change(member..high, format!("({from} <= {name} /\\ {name} <= {to})")))
}

/// `2x`, `2 x`, `3(a + b)`
pub(super) fn missing_operator(stuck: &Stuck) -> Option<Mistake> {
    let before = stuck.before();
    let start = operand_start(stuck.text, before.len());
    let number = &before[start..];
    let found = stuck.found();
    let begins = found.starts_with(|character: char| is_word_character(character) && !character.is_ascii_digit());
    if !stuck.after_operand()
        || !begins && found != "("
        || number.is_empty()
        || !number.bytes().all(|byte| byte.is_ascii_digit())
        || stuck.text[before.len()..stuck.at].contains('\n')
        || super::is_reserved(found)
        || stuck.expects_domain()
    {
        return None;
    }
    let what =
        stuck.error("an operator is missing between a number and a name", "an operator is needed before this")?;
    Some(Mistake::from(what.help("write `*` to multiply")).change(before.len()..stuck.at, " * "))
}

/// The text, in parentheses unless it is one operand.
fn in_parentheses(text: &str) -> String {
    if operand_end(text, 0) == text.len() { text.to_owned() } else { format!("({text})") }
}

/// The generators of other languages, separated by commas, as quantifiers: `i, j in S, k in T`.
fn generators(file: &str, text: &str, quantifier: &str) -> String {
    let mut heads: Vec<String> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for part in text.split(',') {
        let (part, guard) = match part.split_once(" where ") {
            Some((part, guard)) => (part, Some(guard)),
            None => (part, None),
        };
        let generates = part.contains(':') || words(part).any(|(_, word)| word == "in");
        match (generates, heads.last_mut()) {
            (true, _) => {
                let (name, collection) = match part.split_once(" in ") {
                    Some((name, collection)) => (name.trim(), over(file, collection.trim())),
                    None => part
                        .split_once(':')
                        .map_or((part, String::new()), |(name, domain)| (name.trim(), format!(": {}", domain.trim()))),
                };
                names.push(name);
                heads.push(format!("{quantifier} {} {collection}", names.join(", ")));
                names.clear();
            }
            (false, Some(last)) if words(part).count() > 1 => *last += &format!(",{part}"),
            _ => names.push(part.trim()),
        }
        if let (Some(guard), Some(last)) = (guard, heads.last_mut()) {
            *last += &format!(", {guard}");
        }
    }
    heads.join(" . ")
}

/// `in s`, or `: int(a..b)` for `a..b`, `range(a, b)` and domains.
fn over(file: &str, collection: &str) -> String {
    if let Some((low, high)) = collection.split_once("..")
        && !collection.contains('(')
    {
        return format!(": {}", interval(low, high));
    }
    let range = collection.strip_prefix("range(").and_then(|rest| rest.strip_suffix(')')).and_then(range_of_python);
    if let Some(domain) = range {
        return format!(": {domain}");
    }
    let word = ["int", "bool", "set of", "matrix"].iter().any(|word| collection.starts_with(word));
    format!("{} {collection}", if word || is_domain(file, collection) { ":" } else { "in" })
}

/// The integers between two bounds.
pub(super) fn interval(low: &str, high: &str) -> String {
    format!("int({}..{})", low.trim(), high.trim())
}

/// The number before a bound that is itself not meant.
pub(super) fn before_last(bound: &str) -> String {
    let bound = bound.trim();
    match (bound.parse::<i64>(), bound.strip_suffix('1').map(str::trim_end).and_then(|rest| rest.strip_suffix('+'))) {
        (Ok(number), _) if number > i64::MIN => (number - 1).to_string(),
        (_, Some(rest)) if !rest.trim().is_empty() => rest.trim().to_owned(),
        _ => format!("{bound} - 1"),
    }
}

/// The number after a bound that is itself not meant.
pub(super) fn after_next(bound: &str) -> String {
    match bound.trim().parse::<i64>() {
        Ok(number) if number < i64::MAX => (number + 1).to_string(),
        _ => format!("{} + 1", bound.trim()),
    }
}
