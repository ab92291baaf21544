//! Declarations of other languages and misshapen declarations of types, each of which is written anew as a whole.

use super::{
    Mistake, Stuck,
    extent::{closing, operand_start},
    quantifiers::{after_next, before_last, interval},
    uses::{is_domain, used_as_set},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::parse::{
        Rule, is_reserved, is_word_character,
        reading::{commas, words},
    },
};

/// The domain that corresponds to a type's name in another language.
fn foreign_type(text: &str) -> Option<&'static str> {
    Some(match text {
        "int" | "integer" | "Integer" | "float" => "int",
        "bool" | "boolean" | "Boolean" => "bool",
        _ => return None,
    })
}

/// The domain for a type of MiniZinc or Java; `named` tells whether a name stands for a domain.
fn domain_of_type(text: &str, variable: bool, named: &dyn Fn(&str) -> bool) -> Option<String> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix("var ").or(text.strip_prefix("par ")) {
        return domain_of_type(inner, variable || text.starts_with("var "), named);
    }
    if let Some(inner) = text.strip_prefix("set of ") {
        return Some(format!("set of {}", domain_of_type(inner, variable, named)?));
    }
    if let Some(rest) = text.strip_prefix("array").map(str::trim_start).filter(|rest| rest.starts_with('[')) {
        let close = closing(rest, 0)?;
        let indices: Option<Vec<String>> =
            rest[1..close].split(',').map(|index| domain_of_type(index, variable, named)).collect();
        let elements = rest[close + 1..].trim_start().strip_prefix("of ")?;
        let elements = domain_of_type(elements, variable, named)?;
        return Some(format!("matrix indexed by [{}] of {elements}", indices?.join(", ")));
    }
    if let Some((low, high)) = text.split_once("..") {
        let plain = |text: &str| !text.is_empty() && text.chars().all(|c| is_word_character(c) || " +-*".contains(c));
        return (plain(low) && plain(high)).then(|| interval(low, high));
    }
    match foreign_type(text) {
        Some("int") if variable => Some("int(1..9)".to_owned()),
        Some(domain) => Some(domain.to_owned()),
        None if named(text) => Some(text.to_owned()),
        None => None,
    }
}

fn is_domain_word(word: &str) -> bool {
    const WORDS: [&str; 9] = ["int", "bool", "set", "mset", "matrix", "function", "relation", "partition", "sequence"];
    WORDS.contains(&word)
}

pub(super) fn is_plain_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_character) && !is_reserved(text)
}

/// `var 1..9: x`, `array[1..n] of var int: x`, `set of int: S = 1..n`, `int: n`, `int n = 5`, `int[] x = new int[n]`
pub(super) fn typed_declaration(stuck: &Stuck) -> Option<Mistake> {
    let line = stuck.text[stuck.at..].split(['\n', ';']).next()?;
    let length = line.len() + usize::from(stuck.text[stuck.at + line.len()..].starts_with(';'));
    let named = |name: &str| is_domain(stuck.parser.text, name);
    let (ty, declared) = match line.split_once(':').filter(|(_, declared)| !declared.starts_with('=')) {
        Some((ty, declared)) => (ty.trim(), declared.trim()),
        None => line.split_once(' ').filter(|(ty, _)| foreign_type(ty.trim_end_matches("[]")).is_some())?,
    };
    let (name, value) = match declared.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (declared.trim(), None),
    };
    if !is_plain_name(name) {
        return None;
    }
    let array = value.and_then(|value| value.strip_prefix("new ")).filter(|_| ty.ends_with("[]"));
    let variable = words(ty).any(|(_, word)| word == "var");
    let text = if let Some(size) = array.and_then(|array| array.split_once('[')) {
        format!("find {name} : matrix indexed by [int(1..{})] of int(1..9)", size.1.trim_end_matches(']'))
    } else {
        let domain = domain_of_type(ty, variable, &named)?;
        match value {
            Some(value) if !variable => match domain_of_value(value) {
                Some(domain) => format!("letting {name} be domain {domain}"),
                None => format!("letting {name} be {value}"),
            },
            _ if variable => format!("find {name} : {domain}"),
            _ => format!("given {name} : {domain}"),
        }
    };
    declaration(stuck, length, text)
}

/// `#define n 3`
pub(super) fn definition_of_c(stuck: &Stuck) -> Option<Mistake> {
    let line = stuck.text[stuck.at..].split('\n').next()?;
    let definition = line.strip_prefix("#define ")?.trim();
    let (name, value) = definition.split_once(char::is_whitespace).unwrap_or((definition, ""));
    let value = value.trim();
    let what = Diagnostic::error(Code::SYNTAX, "a value gets its name with `letting`")
        .at(stuck.span(stuck.at, stuck.at + "#define".len()), "not a word of Essence");
    let line = stuck.at..stuck.at + line.len();
    if !is_plain_name(name) || value.is_empty() {
        return Some(Mistake::from(what.help("write `letting n be 4`; Essence has no macros")).change(line, ""));
    }
    if let Some(domain) = domain_of_value(value) {
        let text = format!("letting {name} be domain {domain}");
        return Some(Mistake::from(what.help(format!("write `{text}`"))).change(line, text));
    }
    let what = what.help(format!("write `letting {name} be {value}`"));
    // The value keeps its place.
    let start = stuck.at + stuck.text[line].rfind(value)?;
    Some(Mistake::from(what).change(stuck.at..start, format!("letting {name} be ")))
}

/// `enum item`, `enum item = {a, b}`, `type item = {a, b}`, `n := 3`
pub(super) fn other_declaration(stuck: &Stuck) -> Option<Mistake> {
    let line = stuck.text[stuck.at..].split(['\n', ';']).next()?;
    let length = line.len() + usize::from(stuck.text[stuck.at + line.len()..].starts_with(';'));
    let (first, rest) = line.split_once(char::is_whitespace)?;
    let rest = rest.trim();
    let (name, value) = match rest.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (rest, None),
    };
    let text = match (first, value) {
        ("enum" | "type", Some(value)) if value.starts_with('{') => {
            format!("letting {name} be new type enum {value}")
        }
        ("let", Some(value)) if is_plain_name(name) && !value.is_empty() => match domain_of_value(value) {
            Some(domain) => format!("letting {name} be domain {domain}"),
            None => return named_value(stuck, length, (line.find(name)?, name), value),
        },
        ("enum", None) => match rest.split_once('{') {
            Some((name, members)) => format!("letting {} be new type enum {{{members}", name.trim()),
            None => format!("given {name} new type enum"),
        },
        _ => {
            let first = first.trim_end_matches(':');
            let rest = line[first.len()..].trim();
            let value = [":=", "==", "=", ":"].into_iter().find_map(|sign| rest.strip_prefix(sign))?.trim();
            if !is_plain_name(first) || value.is_empty() {
                return None;
            }
            let begins = words(value).next().filter(|(at, _)| *at == 0).map_or("", |(_, word)| word);
            if rest.starts_with(':') && !rest.starts_with(":=") && is_domain_word(begins) {
                let mistake = declaration(stuck, length, format!("find {first} : {value}"))?;
                let mistake = Mistake { changes: Vec::new(), ..mistake };
                return Some(mistake.change(stuck.at..stuck.at, "find "));
            }
            match domain_of_value(value) {
                Some(domain) => format!("letting {first} be domain {domain}"),
                None => return named_value(stuck, length, (0, first), value),
            }
        }
    };
    declaration(stuck, length, text)
}

/// A declaration of this length as the letting of a name, which stands at an offset in the declaration.
fn named_value(stuck: &Stuck, length: usize, (at, name): (usize, &str), value: &str) -> Option<Mistake> {
    let mistake = declaration(stuck, length, format!("letting {name} be {value}"))?;
    let (name_at, end) = (stuck.at + at, stuck.at + length);
    // The value keeps its place.
    let value_at = stuck.at + stuck.text[stuck.at..end].rfind(value)?;
    let mistake = Mistake { changes: Vec::new(), ..mistake }
        .change(stuck.at..name_at, "letting ")
        .change(name_at + name.len()..value_at, " be ");
    Some(match stuck.text[..end].ends_with(';') {
        true => mistake.change(end - 1..end, ""),
        false => mistake,
    })
}

fn declaration(stuck: &Stuck, length: usize, text: String) -> Option<Mistake> {
    let range = stuck.at..stuck.at + stuck.text[stuck.at..stuck.at + length].trim_end().len();
    let what = Diagnostic::error(Code::SYNTAX, "a declaration begins with `find`, `given` or `letting`")
        .at(stuck.span(range.start, range.end), "not a declaration of Essence")
        .help(format!("write `{text}`"));
    Some(Mistake::from(what).change(range, text))
}

/// The domain that a value means as a whole: `1..n`, `{1..n}`, `range(1, n)`, `int(1..n)`.
fn domain_of_value(value: &str) -> Option<String> {
    let inside = |open, close| value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    let value = inside('{', '}').or(inside('[', ']')).unwrap_or(value).trim();
    if value.starts_with("int(") || value.starts_with("int [") {
        return Some(value.to_owned());
    }
    if let Some(arguments) = value.strip_prefix("range(").and_then(|rest| rest.strip_suffix(')')) {
        return range_of_python(arguments);
    }
    let (low, high) = value.split_once("..")?;
    let plain = |text: &str| !text.is_empty() && text.chars().all(|c| is_word_character(c) || " +-*".contains(c));
    (plain(low) && plain(high)).then(|| interval(low, high))
}

/// `letting a, b be 1, 2`
pub(super) fn values_of_several_names(stuck: &Stuck) -> Option<Mistake> {
    let text = stuck.text.trim_end();
    let rest = text.strip_prefix("letting ")?;
    let (names, values) = rest.split_once(" be ")?;
    let begin = text.len() - values.len();
    let ends = commas(text, begin).into_iter().chain([text.len()]);
    let starts = [begin].into_iter().chain(commas(text, begin).into_iter().map(|comma| comma + 1));
    let values: Vec<&str> = starts.zip(ends).map(|(start, end)| text[start..end].trim()).collect();
    let listed: Vec<&str> = names.split(',').map(str::trim).collect();
    let are_plain = listed.iter().all(|name| is_plain_name(name)) && values.iter().all(|value| !value.is_empty());
    if listed.len() < 2 || listed.len() != values.len() || !are_plain {
        return None;
    }
    let lettings: Vec<String> = listed.iter().zip(values).map(|(name, value)| format!("{name} be {value}")).collect();
    let lettings = format!("letting {}", lettings.join(", "));
    let names_at = text.len() - rest.len();
    let what = Diagnostic::error(Code::SYNTAX, "a letting gives all its names the same value")
        .at(stuck.span(names_at, names_at + names.len()), "each of these names needs its own `be`")
        .help(format!("write `{lettings}`"));
    Some(Mistake { general: true, ..Mistake::from(what).change(0..text.len(), lettings) })
}

/// `letting D = int(1..n)`, `letting D be {1..n}`, `letting D be range(1, n)` and the like, if no use of `D` says that
/// it is a set; `given n = 8`.
pub(super) fn letting_of_others(stuck: &Stuck) -> Option<Mistake> {
    if !matches!(stuck.keyword, "letting" | "given") || stuck.reading.items().len() != 1 {
        return None;
    }
    let mut item = stuck.reading.items().into_iter().next()?;
    item.end = item.start + first_lines(&stuck.text[item.clone()]).trim_end().len();
    let text = &stuck.text[item.clone()];
    let (name, rest) = text.split_at(text.find(|character| !is_word_character(character))?);
    let rest = rest.trim_start();
    let sign = [":=", "==", "=", "be domain", "be"].into_iter().find(|sign| rest.starts_with(sign))?;
    let value = rest[sign.len()..].trim();
    if !is_plain_name(name) || value.is_empty() || stuck.keyword == "given" && sign.starts_with("be") {
        return None;
    }
    let domain = domain_of_value(value);
    if sign.starts_with("be") {
        // The rest is right, or another mistake.
        let bare = !value.starts_with("int");
        domain.as_ref().filter(|_| bare && (sign == "be domain" || !used_as_set(stuck.parser.text, name)))?;
    }
    let text = match domain {
        Some(domain) => format!("letting {name} be domain {domain}"),
        None if sign == "be domain" => return None,
        None => format!("letting {name} be {value}"),
    };
    let sign_at = item.start + stuck.text[item.clone()].find(sign)?;
    let (message, label, place) = match sign {
        "be" | "be domain" => {
            let at = item.end - value.len();
            ("a domain of integers is written `int(…)`", "not a domain", at..item.end)
        }
        _ => ("a letting is written with `be`", &*format!("`{sign}` instead of `be`"), sign_at..sign_at + sign.len()),
    };
    let what = Diagnostic::error(Code::SYNTAX, message)
        .at(stuck.span(place.start, place.end), label)
        .help(format!("write `{text}`"));
    let mistake = Mistake::from(what);
    if text.contains(" be domain ") {
        return Some(mistake.change(0..item.end, text));
    }
    // The value keeps its place.
    let mistake = if stuck.keyword == "given" { mistake.change(0.."given".len(), "letting") } else { mistake };
    Some(mistake.change(sign_at..sign_at + sign.len(), " be "))
}

/// `given E : enum`, `given E be new type enum`, `letting E be enum {a, b}`, `letting E be new type {a, b}`,
/// `letting E be new type of size = 3`
pub(super) fn misshapen_type(stuck: &Stuck) -> Option<Mistake> {
    if !matches!(stuck.keyword, "letting" | "given") || stuck.text.matches(" be ").count() > 1 {
        return None;
    }
    let text = stuck.text.trim_end();
    let (name_at, name) = words(text).nth(1)?;
    let behind = &text[name_at + name.len()..];
    let mut rest = behind.trim_start();
    let mut seen = Vec::new();
    while let Some(part) = ["be", "a", "an", "new", "type", "enum", "of", "size", ":", "="].into_iter().find(|part| {
        rest.strip_prefix(part)
            .is_some_and(|after| !part.ends_with(char::is_alphabetic) || !after.starts_with(is_word_character))
    }) {
        seen.push(part);
        rest = rest[part.len()..].trim_start();
    }
    let about_type = seen.contains(&"enum") || seen.contains(&"new") && seen.contains(&"type");
    if !about_type || !is_plain_name(name) {
        return None;
    }
    let bracketed = rest.starts_with(['{', '(', '[']) && closing(rest, 0) == Some(rest.len() - 1);
    let members = if bracketed { rest[1..rest.len() - 1].trim() } else { rest };
    let (message, text) = if seen.contains(&"size") {
        (rest.starts_with(|c: char| c.is_ascii_digit()) || is_plain_name(rest))
            .then(|| ("an unnamed type needs its size", format!("letting {name} be new type of size {rest}")))?
    } else if members.is_empty() {
        (
            "a type whose members are in the parameter file is declared with `given`",
            format!("given {name} new type enum"),
        )
    } else {
        let is_list = members.split(',').all(|member| is_plain_name(member.trim()));
        if !is_list {
            let digits = members.starts_with(|character: char| character.is_ascii_digit());
            let at = name_at + name.len() + behind.find(members)?;
            let what = Diagnostic::error(Code::SYNTAX, "the members of a type must be names")
                .at(stuck.span(at, at + members.len()), "not names")
                .help("write names: `new type enum {monday, tuesday}`")
                .help(format!("the numbers from 1 to 3 are a domain: `letting {name} be domain int(1..3)`"));
            return digits.then(|| what.into());
        }
        (
            "the members of a type are written in braces after `new type enum`",
            format!("letting {name} be new type enum {{{members}}}"),
        )
    };
    let what = Diagnostic::error(Code::SYNTAX, message)
        .at(stuck.span(name_at, text_end(stuck.text)), "not like this")
        .help(format!("write `{text}`"));
    Some(Mistake::from(what).change(0..text_end(stuck.text), text))
}

/// Domains in the words and brackets of other languages: `range(1, n)`, `int 1..n`, `int(1 to n)`, `int(>= 1)`,
/// `set[D]`, `subset of D`, `matrix indexed by D of E`, `D[n]`.
pub(super) fn domain_of_others(stuck: &Stuck) -> Option<Mistake> {
    let (found, previous) = (stuck.found(), stuck.previous_word());
    let start = stuck.before().len() - previous.len();
    let rest = &stuck.text[stuck.at..];
    let mend = |message: &str, range: std::ops::Range<usize>, text: String| {
        let what = Diagnostic::error(Code::SYNTAX, message)
            .at(stuck.span(range.start, range.end), "not like this")
            .help(format!("write `{text}`"));
        Some(Mistake::from(what).change(range, text))
    };
    let declares = matches!(stuck.keyword, "find" | "given" | "letting");
    const INTEGERS: &str = "a domain of integers is written `int(…)`";
    if stuck.expects_domain() && found == "range" && rest["range".len()..].starts_with('(') {
        let close = closing(stuck.text, stuck.at + found.len())?;
        let domain = range_of_python(&stuck.text[stuck.at + found.len() + 1..close])?;
        return mend(INTEGERS, stuck.at..close + 1, domain);
    }
    if stuck.expects_domain() && matches!(found, "ℕ" | "ℤ") {
        return mend(INTEGERS, stuck.found_range(), if found == "ℕ" { "int(0..)" } else { "int" }.to_owned());
    }
    if stuck.expects_domain() && matches!(found, "subset" | "subsetEq") {
        return mend("the domain of sets is written `set of …`", stuck.found_range(), "set".to_owned());
    }
    if previous == "int" && found.starts_with(|c: char| c.is_ascii_digit()) && !stuck.expects_expression() {
        let end = stuck.at + rest.find([' ', ',', '\n', ')', ']']).unwrap_or(rest.len());
        let range = &stuck.text[stuck.at..end];
        return range.contains("..").then(|| mend(INTEGERS, start..end, format!("int({range})")))?;
    }
    if previous == "int" && found == "{" {
        let close = closing(stuck.text, stuck.at)?;
        return mend(INTEGERS, stuck.at..close + 1, format!("({})", &stuck.text[stuck.at + 1..close]));
    }
    let in_int = super::extent::enclosing(stuck.text, stuck.at)
        .is_some_and(|open| stuck.text[..open].ends_with("int") && stuck.text[open..].starts_with('('));
    if in_int {
        let open = super::extent::enclosing(stuck.text, stuck.at)?;
        let close = closing(stuck.text, open)?;
        let inner = stuck.text[open + 1..close].trim();
        // Otherwise the colon was read as the beginning of a tag, or is unexpected.
        let colon = stuck.before().strip_suffix(':').map(str::len).or((found == ":").then_some(stuck.at));
        if let Some(colon) = colon {
            let what = Diagnostic::error(Code::SYNTAX, "a range of integers is written with `..`")
                .at(stuck.span(colon, colon + 1), "`:` instead of `..`");
            let what = what.help(format!("write `int({})`", inner.replacen(':', "..", 1)));
            return Some(Mistake::from(what).change(colon..colon + 1, ".."));
        }
        let bound = |sign: &str| inner.strip_prefix(sign).map(str::trim);
        let text = match inner.split_once(" to ").or(inner.split_once("...")).or(inner.split_once(" until ")) {
            Some((low, high)) => format!("({}..{})", low.trim(), high.trim()),
            None => match (bound(">="), bound("<="), bound(">")) {
                (Some(low), _, _) => format!("({low}..)"),
                (_, Some(high), _) => format!("(0..{high})"),
                (_, _, Some(low)) => format!("({}..)", after_next(low)),
                _ => return None,
            },
        };
        return mend("the integers of a domain are written with `..`", open..close + 1, text);
    }
    if previous == "set" && matches!(found, "[" | "<") {
        let close = match found {
            "[" => closing(stuck.text, stuck.at)?,
            _ => stuck.at + rest.find('>')?,
        };
        let text = format!("set of {}", stuck.text[stuck.at + 1..close].trim());
        return mend("the domain of sets is written `set of …`", start..close + 1, text);
    }
    if previous == "Set" && found == "<" {
        let close = stuck.at + rest.find('>')?;
        let text = format!("set of {}", stuck.text[stuck.at + 1..close].trim());
        return mend("the domain of sets is written `set of …`", start..close + 1, text);
    }
    if previous == "sets" && found == "of" {
        return mend("the domain of sets is written `set of …`", start..start + "sets".len(), "set".to_owned());
    }
    if matches!(previous, "list" | "List" | "vector" | "Vector") && matches!(found, "of" | "<" | "[") && declares {
        let what = Diagnostic::error(Code::SYNTAX, format!("`{previous}` is not a domain of Essence"))
            .at(stuck.span(start, start + previous.len()), "unknown domain")
            .help("write `matrix indexed by [int(1..3)] of …` for a list of 3 elements")
            .help("write `sequence (maxSize 3) of …` for a list whose length is to be found, too");
        return Some(what.into());
    }
    if matches!(previous, "dict" | "map" | "Map" | "dictionary") && matches!(found, "[" | "<" | "of") && declares {
        let what = Diagnostic::error(Code::SYNTAX, format!("`{previous}` is not a domain of Essence"))
            .at(stuck.span(start, start + previous.len()), "unknown domain");
        let inner = rest.strip_prefix(['[', '<']).and_then(|inner| inner.split_once([']', '>']));
        let parts = inner.and_then(|(inner, _)| inner.split_once(','));
        let Some((from, to)) = parts else { return Some(what.help("write `function (total) A --> B`").into()) };
        let text = format!("function (total) {} --> {}", from.trim(), to.trim());
        let end = stuck.at + rest.find([']', '>'])? + 1;
        return Some(Mistake::from(what.help(format!("write `{text}`"))).change(start..end, text));
    }
    if previous == "var" && declares {
        return mend("the word `var` is not needed", start..stuck.at, String::new()).map(|mistake| Mistake {
            diagnostic: Diagnostic { help: vec!["leave it out".to_owned()], ..mistake.diagnostic },
            ..mistake
        });
    }
    if stuck.keyword == "letting" && previous == "a" && found == "domain" {
        return mend("a domain is named with `be domain`", start..stuck.at + found.len(), "domain".to_owned());
    }
    matrix_of_words(stuck)
}

/// `matrix indexed by D of E`, `matrix indexed by (D) of E`, `matrix indexed [D] of E`, `[D][E]`, `[D * E]`, `[D E]`
fn matrix_of_words(stuck: &Stuck) -> Option<Mistake> {
    let matrix = stuck.text[..stuck.at].rfind("matrix")?;
    let head = stuck.text[matrix..].split(" of ").next()?;
    let end = matrix + head.len();
    if stuck.at > end || !head.contains("indexed") {
        return None;
    }
    let indices = head["matrix".len()..].trim_start().strip_prefix("indexed")?.trim_start();
    let indices = indices.strip_prefix("by").unwrap_or(indices).trim();
    let inside = indices.trim_matches(['[', ']', '(', ')']);
    let (open, close) = (indices.matches('(').count(), indices.matches(')').count());
    // `int(1..n)` ends with a bracket of its own.
    let inside = if open == close && indices.ends_with(')') && !indices.starts_with('(') { indices } else { inside };
    let parts: Vec<String> = inside
        .replace("][", ",")
        .replace(" * ", ",")
        .split(',')
        .flat_map(|part| part.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let indices: Option<Vec<String>> = parts
        .iter()
        .map(|part| match part.as_str() {
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => Some(format!("int(1..{number})")),
            range if range.contains("..") && !range.contains('(') => Some(format!("int({range})")),
            domain if is_plain_name(domain) || domain.starts_with("int(") && domain.ends_with(')') => {
                Some(domain.to_owned())
            }
            _ => None,
        })
        .collect();
    let text = format!("matrix indexed by [{}]", indices.filter(|indices| !indices.is_empty())?.join(", "));
    let what = Diagnostic::error(Code::SYNTAX, "a matrix domain is written `matrix indexed by […] of …`")
        .at(stuck.span(matrix, end), "not like this")
        .help(format!("write `{text}`"));
    Some(Mistake::from(what).change(matrix..end, text))
}

/// `int[9][9]`, `int(1..9)[n]`, `bool[4]`, `D[n, n]`
pub(super) fn domain_with_indices(stuck: &Stuck) -> Option<Mistake> {
    if stuck.found() != "[" || !matches!(stuck.keyword, "find" | "given" | "letting") {
        return None;
    }
    let end = stuck.before().len();
    let start = operand_start(stuck.text, end);
    let domain = stuck.text[start..end].trim();
    if !matches!(words(domain).next(), Some((0, "int" | "bool"))) && !is_domain(stuck.parser.text, domain) {
        return None;
    }
    let (indices, close) = indices(stuck)?;
    // `int[1..9]` is a domain of integers.
    if domain == "int" && indices.len() == 1 && stuck.text[stuck.at..close].contains("..") {
        return None;
    }
    let elements = if domain == "int" && stuck.keyword == "find" { "int(1..9)" } else { domain };
    let text = format!("matrix indexed by [{}] of {elements}", indices.join(", "));
    let what = Diagnostic::error(Code::SYNTAX, "a matrix domain is written `matrix indexed by […] of …`")
        .at(stuck.span(stuck.at, close + 1), "indices after a domain")
        .help(format!("write `{text}`"));
    Some(Mistake::from(what).change(start..close + 1, text))
}

/// The domains that the indices in the square brackets from here on mean, and the last bracket: `[n][1..3]`.
fn indices(stuck: &Stuck) -> Option<(Vec<String>, usize)> {
    let mut close = closing(stuck.text, stuck.at)?;
    let mut written = vec![&stuck.text[stuck.at + 1..close]];
    while stuck.text[close + 1..].starts_with('[') {
        let next = closing(stuck.text, close + 1)?;
        written.push(&stuck.text[close + 2..next]);
        close = next;
    }
    let indices = written.iter().flat_map(|index| index.split(','));
    Some((indices.map(|index| index_domain(stuck.parser.text, index.trim())).collect(), close))
}

/// The domain that an index means: `int(1..n)` for a number or a range.
fn index_domain(file: &str, index: &str) -> String {
    let is_term = index.chars().all(|character| is_word_character(character) || " +-*".contains(character));
    match index {
        range if range.contains("..") && !range.contains('(') => format!("int({range})"),
        number if is_term && !is_domain_word(number) && !is_domain(file, number) => format!("int(1..{number})"),
        domain => domain.to_owned(),
    }
}

/// `find x[D] : E`, `given f(D) : E`, `find s subset D`
pub(super) fn name_with_domain(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    if !stuck.expects(&[Rule::colon]) || !matches!(stuck.keyword, "find" | "given") {
        return None;
    }
    let message = "a declaration is written with `:`";
    if matches!(found, "subset" | "subsetEq" | "⊆" | "⊂") {
        let what = stuck.error(message, format!("`{found}` instead of `:`"))?;
        return Some(Mistake::from(what.help("write `: set of …`")).change(stuck.found_range(), ": set of"));
    }
    if !matches!(found, "[" | "(") {
        return None;
    }
    let (indices, close) = match found {
        "[" => indices(stuck)?,
        _ => {
            let close = closing(stuck.text, stuck.at)?;
            (vec![stuck.text[stuck.at + 1..close].trim().to_owned()], close)
        }
    };
    let behind = stuck.text[close + 1..].trim_start();
    let domain = behind.strip_prefix(':').or(behind.strip_prefix("in "))?;
    let start = stuck.text.len() - domain.trim_start().len();
    let text = if found == "[" {
        format!(" : matrix indexed by [{}] of ", indices.join(", "))
    } else {
        format!(" : function (total) {} --> ", indices[0])
    };
    let what = Diagnostic::error(Code::SYNTAX, "the indices of a variable belong in its domain")
        .at(stuck.span(stuck.at, close + 1), "not after the name")
        .help(format!("write `{}`", text.trim_start_matches(" : ").to_owned() + "…"));
    Some(Mistake::from(what).change(stuck.before().len()..start, text))
}

/// The text up to the first line break outside brackets.
fn first_lines(text: &str) -> &str {
    let mut depth = 0i32;
    let end = text.find(|character| {
        depth += i32::from(matches!(character, '(' | '[' | '{')) - i32::from(matches!(character, ')' | ']' | '}'));
        character == '\n' && depth == 0
    });
    &text[..end.unwrap_or(text.len())]
}

fn text_end(text: &str) -> usize {
    text.trim_end().len()
}

/// The domain of Python's `range(…)`, of which these are the arguments.
pub(super) fn range_of_python(arguments: &str) -> Option<String> {
    match arguments.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [high] if !high.is_empty() => Some(interval("0", &before_last(high))),
        [low, high] => Some(interval(low, &before_last(high))),
        _ => None,
    }
}
