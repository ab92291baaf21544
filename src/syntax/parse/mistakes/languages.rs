//! Notations of other languages (Python, MiniZinc, Java, Prolog, mathematics), and their counterparts in Essence.

use super::{
    Mistake, Stuck,
    declarations::{is_plain_name, other_declaration, range_of_python, typed_declaration},
    extent::{clause_end, closing, enclosing, operand_end, operand_start},
    uses::{is_declared, is_declared_as, is_domain},
    vocabulary::{QUANTIFIERS, STATEMENTS},
};
use crate::{
    diagnostic::{Code, Diagnostic, nearest},
    syntax::parse::{Rule, is_reserved, is_word_character, reading::words, scan::STATEMENT_WORDS, word_length},
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
