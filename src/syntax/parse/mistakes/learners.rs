//! The mistakes that learners are known to make, each a small function. The mistakes that come from another language
//! are in [`super::languages`].

use super::{
    CONSTRUCTORS, DOMAIN_WORDS, Mistake, Stuck,
    declarations::{
        definition_of_c, domain_of_others, domain_with_indices, letting_of_others, misshapen_type, name_with_domain,
        values_of_several_names,
    },
    extent::{clause_end, closing, enclosing, operand_end, operand_start},
    languages::{dotted_access, foreign_statement, word_before_constraint},
    row::{Row, row},
    uses::{is_declared, is_domain},
    vocabulary::STATEMENTS as FOREIGN_STATEMENTS,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::attributes::Attribute,
    syntax::parse::{
        Rule, is_attribute, is_name, is_reserved, is_word_character, reading::words, scan::STATEMENT_WORDS, word_length,
    },
};

/// Whether a text begins with what begins a statement, here or elsewhere.
fn begins_statement(text: &str) -> bool {
    let word = text.split(|character| !is_word_character(character)).next().unwrap_or_default();
    STATEMENT_WORDS.contains(&word)
        || matches!(word, "solve" | "output" | "print" | "include" | "import")
        || FOREIGN_STATEMENTS.iter().any(|(foreign, _)| foreign.eq_ignore_ascii_case(word))
}

pub(super) const ROWS: &[Row] = &[
    row("definition_of_c", "", "").by(definition_of_c).was(0),
    row("misshapen_type", "", "").by(misshapen_type).was(4),
    row("values_of_several_names", "", "").by(values_of_several_names).was(5),
    row("letting_of_others", "", "").by(letting_of_others).was(6),
    row("name_with_domain", "", "").by(name_with_domain).was(7),
    row("word_before_constraint", "", "").by(word_before_constraint).was(15),
    row("foreign_statement", "", "").by(foreign_statement).was(16),
    row("domain_with_indices", "", "").by(domain_with_indices).was(17),
    row("domain_of_others", "", "").by(domain_of_others).was(18),
    row("foreign_domain", "", "").by(foreign_domain).was(19),
    row("relation_of_others", "", "").by(relation_of_others).was(20),
    row("attributes_of_others", "", "").by(attributes_of_others).was(22),
    row("domain_for_expression", "", "").by(domain_for_expression).was(25),
    row("expression_for_domain", "", "").by(expression_for_domain).was(26),
    row("sign_in_attribute", "", "").by(sign_in_attribute).was(27),
    row("missing_comma_in_attributes", "", "").by(missing_comma_in_attributes).was(28),
    row("number_for_size", "", "").by(number_for_size).was(29),
    row("attributes_behind_domain", "", "").by(attributes_behind_domain).was(30),
    row("attribute_outside_parentheses", "", "").by(attribute_outside_parentheses).was(31),
    row("wrong_arrow", "", "").by(wrong_arrow).was(41),
    row("wrong_declaration_word", "", "").by(wrong_declaration_word).was(42),
    row("no_domain", "", "").by(no_domain).was(43),
    row("several_objectives", "", "").by(several_objectives).was(46),
    row("dotted_access", "", "").by(dotted_access).was(48),
    row("stray_semicolon", "", "").by(stray_semicolon).was(52),
    row("renamed_word", "", "").by(renamed_word).was(57),
    row("reserved_word", "", "").by(reserved_word).was(58),
    row("missing_comma", "", "").by(missing_comma).was(61),
];

fn domain_for_expression(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    let literal = stuck.text[stuck.at + found.len()..].trim_start().starts_with(['(', '{']);
    let begins_domain = DOMAIN_WORDS.contains(&found) || CONSTRUCTORS.contains(&found) && !literal;
    if !begins_domain || !stuck.expects_expression() || stuck.expects_domain() && stuck.previous_word() != "be" {
        return None;
    }
    if found == "set" && stuck.text[stuck.at + found.len()..].starts_with('(') {
        let what = stuck.error("`set(…)` is not a set of Essence", "not a function of Essence")?;
        let what = what.help("write `toSet(…)`, or `{…}` with the members");
        return Some(Mistake::from(what).change(stuck.found_range(), "toSet"));
    }
    let what = stuck.error("a domain is used where an expression is needed", "a domain")?;
    let end = stuck.before().len();
    let arrow = stuck.before().ends_with("<-");
    Some(match stuck.previous_word() {
        "in" if stuck.in_quantifier_head() => {
            let what = what.help("write `:` before a domain: `forAll i : int(1..9) . …`");
            Mistake::from(what).change(end - 2..end, ":")
        }
        "in" if stuck.bracket() == Some('[') => {
            let what = what.help("write `:` before a domain: `[i | i : int(1..9)]`");
            Mistake::from(what).change(end - 2..end, ":")
        }
        "in" => {
            let what = what.help("`in` tests membership in a set; the domain of a variable belongs in its declaration");
            let member = operand_start(stuck.text, end - 2);
            let close = operand_end(stuck.text, stuck.at);
            let bounds = stuck.text[stuck.at..close].strip_prefix("int(").and_then(|rest| rest.strip_suffix(')'));
            let bounds = bounds
                .and_then(|bounds| bounds.split_once(".."))
                .filter(|(low, high)| !low.is_empty() && !high.is_empty() && !low.contains(',') && !high.contains(','));
            let Some((low, high)) = bounds else { return Some(what.into()) };
            let name = stuck.text[member..end - 2].trim();
            Mistake::from(what).change(member..close, format!("({low} <= {name} /\\ {name} <= {high})"))
        }
        "be" => {
            let what = what.help(format!("write `be domain {found}…`"));
            Mistake::from(what).change(stuck.at..stuck.at, "domain ")
        }
        _ if arrow => {
            let what = what.help("write `:` before a domain: `[i | i : int(1..9)]`");
            Mistake::from(what).change(end - 2..end, ":")
        }
        _ => {
            let what = what.help(format!("write a domain as an operand between backticks: `` `{found}…` ``"));
            if !matches!(found, "int" | "bool") {
                return Some(what.into());
            }
            let close = operand_end(stuck.text, stuck.at);
            Mistake::from(what).change(stuck.at..stuck.at, "`").change(close..close, "`")
        }
    })
}

fn foreign_domain(stuck: &Stuck) -> Option<Mistake> {
    let (found, previous) = (stuck.found(), stuck.previous_word());
    if found == "[" && previous == "int" {
        let what = stuck.error("a domain of integers is written with round parentheses", "a square bracket")?;
        let close = closing(stuck.text, stuck.at)?;
        let what = Mistake::from(what.help("write `int(1..9)`"));
        return Some(what.change(stuck.at..stuck.at + 1, "(").change(close..close + 1, ")"));
    }
    let bracketed = stuck.before().strip_suffix('[').is_some_and(|before| before.trim_end().ends_with("matrix"));
    if bracketed || previous == "matrix" || found == "[" && previous == "array" {
        let what = stuck.error("a matrix domain is written `matrix indexed by […] of …`", "not like this")?;
        let what = what.help("write `matrix indexed by [int(1..3), int(1..3)] of int(1..9)`");
        return Some(matrix_of_others(stuck, what));
    }
    if stuck.expects(&[Rule::word_from]) && found == "of" {
        let what = stuck
            .error("a domain of partitions is written with `from`", "`of` instead of `from`")?
            .help("write `partition from int(1..9)`");
        return Some(Mistake::from(what).change(stuck.found_range(), "from"));
    }
    if stuck.expects(&[Rule::word_of]) && found == "from" {
        let what = stuck
            .error("only a domain of partitions is written with `from`", "`from` instead of `of`")?
            .help("write `of`");
        return Some(Mistake::from(what).change(stuck.found_range(), "of"));
    }
    None
}

/// `relation of (A, B)`, `relation of A * B`
fn relation_of_others(stuck: &Stuck) -> Option<Mistake> {
    let of_relation = |text: &str| {
        let mut words = text.split_whitespace().rev();
        words.next() == Some("of") && words.next().is_some_and(|word| word == "relation" || word.ends_with(')'))
    };
    if stuck.expects(&[Rule::open_parenthesis]) && of_relation(stuck.before()) {
        let what = stuck.error("the columns of a relation are written in parentheses", "without parentheses")?;
        let end = clause_end(stuck.text, stuck.at);
        return Some(Mistake::from(what).change(stuck.at..stuck.at, "(").change(end..end, ")"));
    }
    let open =
        enclosing(stuck.text, stuck.at).filter(|open| stuck.found() == "," && of_relation(&stuck.text[..*open]))?;
    let what = stuck.error("a star stands between the columns of a relation", "instead of `*`")?;
    let mut mistake = Mistake::from(what);
    let close = closing(stuck.text, open)?;
    let mut at = open + 1;
    while at < close {
        match stuck.text.as_bytes()[at] {
            b'(' | b'[' | b'{' => at = closing(stuck.text, at)?,
            b',' => mistake = mistake.change(at..at + 1, " *"),
            _ => {}
        }
        at += 1;
    }
    Some(mistake)
}

/// `matrix [1..3] of D`, `array[1..n, 1..n] of D`
fn matrix_of_others(stuck: &Stuck, what: Diagnostic) -> Mistake {
    let word = ["matrix", "array"].iter().filter_map(|word| stuck.before().rfind(word)).max();
    let open = word.and_then(|word| stuck.text[word..].find('[').map(|open| word + open));
    let (Some(word), Some(open)) = (word, open) else { return what.into() };
    let Some(close) = closing(stuck.text, open) else { return what.into() };
    let indices: Vec<String> = stuck.text[open + 1..close]
        .split(',')
        .map(|index| match index.trim() {
            range if range.contains("..") && !range.contains('(') => format!("int({range})"),
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("int(1..{number})"),
            domain => domain.to_owned(),
        })
        .collect();
    Mistake::from(what).change(word..close + 1, format!("matrix indexed by [{}]", indices.join(", ")))
}

fn expression_for_domain(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    let number = found.starts_with(|character: char| character.is_ascii_digit());
    if !stuck.expects_domain() || !(number || matches!(found, "{" | "[" | "|" | "-" | "..")) {
        return None;
    }
    let what = stuck.error("an expression is used where a domain is needed", "not a domain")?;
    let set = matches!(found, "{" | "[");
    let generator = stuck.in_quantifier_head() || stuck.bracket() == Some('[');
    if set && stuck.before().ends_with(':') && generator {
        let word = if stuck.bracket() == Some('[') { "<-" } else { "in" };
        let what = what.help(format!("write `{word}` before a collection, `:` before a domain"));
        let end = stuck.before().len();
        return Some(Mistake::from(what).change(end - 1..end, format!(" {word}")));
    }
    if set {
        let close = closing(stuck.text, stuck.at)?;
        let inner = stuck.text[stuck.at + 1..close].trim();
        if let Some(mistake) = names_for_domain(stuck, inner) {
            return Some(mistake);
        }
        let what = what.help("the domain of the integers 1, 3 and 7 is `int(1, 3, 7)`");
        if found == "{" && is_domain(stuck.parser.text, inner) {
            let text = format!("set of {inner}");
            return Some(Mistake::from(what).change(stuck.at..close + 1, text));
        }
        return Some(Mistake::from(what).change(stuck.at..stuck.at + 1, "int(").change(close..close + 1, ")"));
    }
    let what = what.help("the domain of the integers from 1 to 9 is `int(1..9)`");
    let rest = &stuck.text[stuck.at..];
    let end = rest.find([',', '\n', ')', ']', ' ']).map_or(stuck.text.len(), |end| stuck.at + end);
    let range = &stuck.text[stuck.at..end];
    let plain = |text: &str| text.chars().all(|c| is_word_character(c) || "+-*".contains(c));
    let of_others = range.split_once(':').filter(|(low, high)| !low.is_empty() && !high.is_empty());
    let bounds = range.split_once("..").or(of_others);
    let is_range = bounds.is_some_and(|(low, high)| plain(low) && plain(high));
    let range = if is_range { &range.replace(':', "..") } else { range };
    let index = number && stuck.bracket() == Some('[') && range.bytes().all(|byte| byte.is_ascii_digit());
    Some(match (is_range, index) {
        (true, _) => Mistake::from(what).change(stuck.at..end, format!("int({range})")),
        (_, true) => Mistake::from(what).change(stuck.at..end, format!("int(1..{range})")),
        _ => what.into(),
    })
}

/// `given person : {"ann", "bob"}`, `find c : {red, green}`, where a type is missing.
fn names_for_domain(stuck: &Stuck, inner: &str) -> Option<Mistake> {
    let members: Vec<&str> = inner.split(',').map(|member| member.trim().trim_matches('"')).collect();
    let file = stuck.parser.text;
    if !members.iter().all(|member| is_name(member) && !is_declared(file, member) && !is_domain(file, member)) {
        return None;
    }
    let strings = inner.contains('"');
    let message = if strings { "Essence has no strings" } else { "new values are the members of a type" };
    let what = stuck.error(message, if strings { "not a domain" } else { "new names" })?;
    let members = members.join(", ");
    let item = stuck.reading.items().into_iter().next().filter(|_| stuck.keyword == "given");
    if let Some(item) = item.filter(|_| stuck.reading.items().len() == 1) {
        let name = stuck.text[item.start..stuck.at].trim_end_matches([':', ' ']);
        let text = format!("letting {name} be new type enum {{{members}}}");
        return Some(Mistake::from(what.help(format!("write `{text}`"))).change(0..item.end, text));
    }
    let what = what
        .help(format!("name them before in a type, which is a domain: `letting value be new type enum {{{members}}}`"));
    Some(what.into())
}

/// `set (size = 3) of D`, `set (size <= 3) of D`
fn sign_in_attribute(stuck: &Stuck) -> Option<Mistake> {
    let attribute = stuck.previous_word();
    let rest = &stuck.text[stuck.at..];
    let sign = ["<=", ">=", "==", "=", ":", "<", ">"].into_iter().find(|sign| rest.starts_with(sign))?;
    let open = enclosing(stuck.text, stuck.at)?;
    let before = stuck.text[..open].trim_end();
    let word = before.rsplit(|character| !is_word_character(character)).next().unwrap_or_default();
    let domain = CONSTRUCTORS.contains(&word) || DOMAIN_WORDS.contains(&word);
    if !is_attribute(attribute) || !domain {
        return None;
    }
    let start = stuck.before().len() - attribute.len();
    let end = stuck.at + sign.len();
    let number = operand_end(stuck.text, end);
    let number = stuck.text[end..number].trim();
    let name = attribute.trim_start_matches("min").trim_start_matches("max");
    let capital = name[..1].to_uppercase() + &name[1..];
    let text = match sign {
        "<=" => format!("max{capital} "),
        ">=" => format!("min{capital} "),
        "<" => format!("max{capital} -1 + "),
        ">" => format!("min{capital} 1 + "),
        _ => format!("{attribute} "),
    };
    let end = stuck.text.len() - stuck.text[end..].trim_start().len();
    let what = stuck.error("the number of an attribute follows its word directly", "not needed")?;
    Some(Mistake::from(what.help(format!("write `{text}{number}`"))).change(start..end, text))
}

/// The word of the domain whose attributes are in the parentheses around a place.
fn word_of_attributes<'t>(stuck: &Stuck<'t>) -> Option<&'t str> {
    let open = enclosing(stuck.text, stuck.at).filter(|open| stuck.text[*open..].starts_with('('))?;
    let word = stuck.text[..open].trim_end().rsplit(|character| !is_word_character(character)).next()?;
    (CONSTRUCTORS.contains(&word) || word == "set").then_some(word)
}

/// `function (total injective) A --> B`
fn missing_comma_in_attributes(stuck: &Stuck) -> Option<Mistake> {
    // The second attribute may have been read as a function that lacks its arguments.
    let (at, attribute) = match stuck.expects(&[Rule::open_parenthesis]) {
        true => (stuck.before().len() - stuck.previous_word().len(), stuck.previous_word()),
        false => (stuck.at, stuck.found()),
    };
    let before = stuck.text[..at].trim_end();
    if !is_attribute(attribute) || before.ends_with(['(', ',']) {
        return None;
    }
    word_of_attributes(stuck)?;
    let what = Diagnostic::error(Code::SYNTAX, "a comma is missing between two attributes")
        .at(stuck.span(at, at + attribute.len()), "the next one begins here")
        .help("write a `,`");
    Some(Mistake::from(what).change(before.len()..at, ", "))
}

/// `set (3) of D`
fn number_for_size(stuck: &Stuck) -> Option<Mistake> {
    let word = word_of_attributes(stuck)?;
    let number = stuck.found().starts_with(|character: char| character.is_ascii_digit());
    let sized = matches!(word, "set" | "mset" | "sequence" | "relation" | "function");
    if !number || !sized || !stuck.before().ends_with('(') || stuck.text[..stuck.at].ends_with("function(") {
        return None;
    }
    let what =
        stuck.error("an attribute has a name", "which attribute?")?.help(format!("write `size {}`", stuck.found()));
    Some(Mistake::from(what).change(stuck.at..stuck.at, "size "))
}

/// `function A --> B total`, `set of D (size 3)`
fn attributes_behind_domain(stuck: &Stuck) -> Option<Mistake> {
    let behind = stuck.text[stuck.at..].trim_start_matches('(');
    let first = words(behind).next().filter(|(at, word)| *at == 0 && is_attribute(word));
    let item = stuck.reading.item_at(stuck.at)?;
    if first.is_none() || !stuck.expects(&[Rule::comma]) || stuck.bracket().is_some() || item.end <= stuck.at {
        return None;
    }
    let mut constructors = words(stuck.before())
        .filter(|(at, word)| *at > item.start && (CONSTRUCTORS.contains(word) || *word == "set"))
        .map(|(at, word)| at + word.len());
    let word = constructors.next()?;
    if stuck.text[word..].trim_start().starts_with('(') || constructors.next().is_some() {
        return None;
    }
    let attributes = stuck.text[stuck.at..item.end].trim_matches(['(', ')', ' ']);
    if attributes.contains(['(', '\n', ':']) {
        return None;
    }
    let what = stuck.error("the attributes of a domain stand behind its word", "attributes")?;
    let what = what.help(format!("write `({attributes})` behind the word"));
    let text = format!(" ({attributes})");
    Some(Mistake::from(what).change(word..word, text).change(stuck.before().len()..item.end, ""))
}

fn attribute_outside_parentheses(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    if !is_attribute(found) || !(stuck.expects_domain() || stuck.expects(&[Rule::word_of, Rule::word_from])) {
        return None;
    }
    let what = stuck.error(format!("the attribute `{found}` is outside parentheses"), "an attribute")?;
    let what = Mistake::from(
        what.help("write attributes in parentheses after the word of their domain: `set (size 3) of int(1..9)`"),
    );
    let mut end = stuck.at;
    let mut before = "";
    for (at, word) in words(&stuck.text[stuck.at..]) {
        let attribute = is_attribute(word) || Attribute::named(before).any(Attribute::takes_number);
        if matches!(word, "of" | "from") || DOMAIN_WORDS.contains(&word) || CONSTRUCTORS.contains(&word) || !attribute {
            break;
        }
        end = stuck.at + at + word.len();
        before = word;
    }
    // `total function A --> B`
    let behind = stuck.text[end..].trim_start();
    let domain = behind.split(|character| !is_word_character(character)).next().unwrap_or_default();
    if CONSTRUCTORS.contains(&domain) || domain == "set" {
        let start = stuck.text.len() - behind.len();
        let attributes = stuck.text[stuck.at..end].split_whitespace().collect::<Vec<_>>().join(" ");
        let text = format!("{domain} ({attributes})");
        return Some(what.change(stuck.at..start + domain.len(), text));
    }
    let sound = stuck.text[stuck.at..end].chars().all(|c| is_word_character(c) || c.is_whitespace() || c == ',');
    let before = stuck.before();
    // `set of size 3 of D`
    let what = match before.strip_suffix(" of") {
        Some(rest) if behind.starts_with("of ") => what.change(rest.len()..before.len(), ""),
        Some(_) => return Some(what),
        None => what,
    };
    Some(if sound { what.change(stuck.at..stuck.at, "(").change(end..end, ")") } else { what })
}

/// `set (size 1..3) of D`, `function [total] A --> B`, `set (D)`, `function from A to B`
fn attributes_of_others(stuck: &Stuck) -> Option<Mistake> {
    let (found, before) = (stuck.found(), stuck.before());
    let message = "the attributes of a domain are written in parentheses";
    let previous = stuck.previous_word();
    if found == "[" && (CONSTRUCTORS.contains(&previous) || previous == "set") {
        let close = closing(stuck.text, stuck.at)?;
        let attributes = words(&stuck.text[stuck.at + 1..close]).next().is_some_and(|(_, word)| is_attribute(word));
        let what = stuck.error(message, "square brackets")?.help("write `(…)`");
        return attributes
            .then(|| Mistake::from(what).change(stuck.at..stuck.at + 1, "(").change(close..close + 1, ")"));
    }
    if found == ".." {
        let open = enclosing(stuck.text, stuck.at)?;
        let low = operand_start(stuck.text, before.len());
        let attribute = stuck.text[open + 1..low].rsplit(',').next().unwrap_or_default().trim();
        let high = operand_end(stuck.text, stuck.at + 2);
        let name = ["size", "numParts", "partSize"].into_iter().find(|name| *name == attribute)?;
        let capital = name[..1].to_uppercase() + &name[1..];
        let (least, most) = (before[low..].trim(), stuck.text[stuck.at + 2..high].trim());
        let text = format!("min{capital} {least}, max{capital} {most}");
        let what = stuck.error("an attribute has one number", "a range")?.help(format!("write `{text}`"));
        let start = stuck.text[..low].rfind(attribute)?;
        return Some(Mistake::from(what).change(start..high, text));
    }
    if found.is_empty() && stuck.expects(&[Rule::word_of]) && before.ends_with(')') {
        let open = operand_start(stuck.text, before.len() - 1).min(before.rfind('(')?);
        let open = before[open..].find('(').map(|at| open + at)?;
        let set = before[..open].trim_end().ends_with("set");
        let domain = before[open + 1..before.len() - 1].trim();
        let what = Diagnostic::error(Code::SYNTAX, "the domain of sets is written `set of …`")
            .at(stuck.span(open, before.len()), "not in parentheses")
            .help(format!("write `set of {domain}`"));
        let attribute = words(domain).next().is_some_and(|(_, word)| is_attribute(word));
        return (set && !attribute).then(|| {
            Mistake::from(what).change(before[..open].trim_end().len()..before.len(), format!(" of {domain}"))
        });
    }
    if found == "from" && stuck.expects_domain() {
        let behind = &stuck.text[stuck.at + found.len()..];
        let what = stuck.error("a function's domain is written `function A --> B`", "not needed")?;
        let what = what.help("write `function A --> B`");
        let to = behind.find(" to ").map(|to| stuck.at + found.len() + to);
        let mistake = Mistake::from(what).change(stuck.found_range(), "");
        return Some(match to {
            Some(to) => mistake.change(to..to + 4, " --> "),
            None => mistake,
        });
    }
    if found == "-" && stuck.expects(&[Rule::word_be, Rule::colon]) && stuck.bracket().is_none() {
        let rest = &stuck.text[stuck.at + 1..];
        let word = word_length(rest);
        let name = format!("{}_{}", previous, &rest[..word]);
        let what = stuck.error("a name cannot contain `-`", "not part of a name")?.help(format!("write `{name}`"));
        let start = before.len() - previous.len();
        return (word > 0).then(|| Mistake::from(what).change(start..stuck.at + 1 + word, name));
    }
    None
}

fn wrong_arrow(stuck: &Stuck) -> Option<Mistake> {
    match stuck.found() {
        arrow @ ("->" | "=" | ":") if stuck.expects(&[Rule::arrow]) || arrow == "->" && stuck.expects_domain() => {
            let what = stuck.error("a function is written with `-->`", "another sign")?.help("write `-->`");
            Some(Mistake::from(what).change(stuck.found_range(), " --> "))
        }
        "-" | "=" | "→" | "↦" | "to" | "," if stuck.expects(&[Rule::arrow]) && stuck.bracket().is_none() => {
            let rest = &stuck.text[stuck.at..];
            let length = match stuck.found() {
                "-" | "=" => rest.find(|character| !"-=>".contains(character)).unwrap_or(rest.len()),
                word => word.len(),
            };
            let what = stuck.error("a function is written with `-->`", "another sign")?.help("write `-->`");
            Some(Mistake::from(what).change(stuck.at..stuck.at + length, " --> "))
        }
        _ if stuck.expects(&[Rule::arrow]) => {
            let what = stuck.error("an arrow `-->` is missing", "no arrow before this")?;
            Some(what.help("a function is written `function(1 --> 2, 3 --> 4)`, its domain `function A --> B`").into())
        }
        "-->" if matches!(stuck.keyword, "find" | "given" | "letting") && stuck.expects(&[Rule::EOI]) => {
            let what = stuck.error("a function's domain begins with `function`", "an arrow without it")?;
            let what = what.help("write `function A --> B`");
            let colon = stuck.before().rfind(" : ").filter(|colon| !stuck.before()[*colon..].contains(" of "));
            Some(match colon {
                Some(colon) => Mistake::from(what).change(colon + 3..colon + 3, "function "),
                None => what.into(),
            })
        }
        "<-" if stuck.after_operand() => {
            let what = stuck.error("`<-` belongs to generators of comprehensions", "not a comparison")?;
            let what = what.help("write `< -`, with a space, to compare with a negative number");
            Some(Mistake::from(what).change(stuck.found_range(), "< -"))
        }
        _ => None,
    }
}

fn wrong_declaration_word(stuck: &Stuck) -> Option<Mistake> {
    let rest = &stuck.text[stuck.at..];
    let found = ["==", ":="].into_iter().find(|sign| rest.starts_with(sign)).unwrap_or(stuck.found());
    let range = stuck.at..stuck.at + found.len();
    if stuck.expects(&[Rule::word_be]) && matches!(found, "=" | ":" | "in" | "is" | ":=" | "==" | "as") {
        let what = stuck.error("a letting is written with `be`", format!("`{found}` instead of `be`"))?;
        let what = what.help("write `letting x be 3`, or `letting D be domain int(1..9)`");
        return Some(Mistake::from(what).change(range, " be "));
    }
    if stuck.expects(&[Rule::colon])
        && matches!(found, "in" | "be" | "=" | "is" | "of" | "as" | "∈")
        && matches!(stuck.keyword, "find" | "given")
    {
        let what = stuck.error("a declaration is written with `:`", format!("`{found}` instead of `:`"))?;
        let what = what.help(format!("write `{} x : int(1..9)`", stuck.keyword));
        let behind = &stuck.text[range.end..];
        let numbers = [("ℕ", "int(0..)"), ("ℤ", "int")].into_iter().find(|(sign, _)| behind.trim() == *sign);
        return Some(match numbers {
            Some((_, domain)) => Mistake::from(what).change(range.start..stuck.text.len(), format!(": {domain}")),
            None => Mistake::from(what).change(range, ":"),
        });
    }
    None
}

fn no_domain(stuck: &Stuck) -> Option<Mistake> {
    let word = stuck.keyword;
    if !stuck.expects(&[Rule::colon]) || !stuck.found().is_empty() || !matches!(word, "find" | "given") {
        return None;
    }
    let what = stuck.error("this declaration has no domain", "`:` and a domain are missing here")?;
    let names = stuck.before().strip_prefix(word)?.trim();
    Some(match word {
        "find" => what.help(format!("write `find {names} : int(1..9)`")).into(),
        _ => what.help(format!("write `given {names} : int`, or another domain")).into(),
    })
}

fn several_objectives(stuck: &Stuck) -> Option<Mistake> {
    let word = stuck.keyword;
    if stuck.found() != "," || stuck.bracket().is_some() || !(word.starts_with("minimi") || word.starts_with("maximi"))
    {
        return None;
    }
    let what = stuck.error("a model has one objective", "a second one")?;
    let what = what.help(format!("write `{word} (x, y)`, if the first is more important than the second, or a sum"));
    let end = stuck.text.trim_end().len();
    Some(Mistake::from(what).change(word.len()..word.len() + 1, " (").change(end..end, ")"))
}

fn stray_semicolon(stuck: &Stuck) -> Option<Mistake> {
    let mark = stuck.found();
    let behind = &stuck.text[stuck.at + mark.len()..];
    let ends = mark == ";" || mark == "." && (behind.is_empty() || behind.starts_with(char::is_whitespace));
    if !ends || stuck.bracket().is_some() || !(stuck.after_operand() || stuck.expects(&[Rule::comma])) {
        return None;
    }
    let what = stuck.error(format!("statements end without `{mark}`"), "not needed")?.help("leave it out");
    let rest = behind.trim_start();
    let constraints = matches!(stuck.keyword, "such" | "where") && !rest.is_empty() && !begins_statement(rest);
    if mark == "." && !rest.is_empty() && !constraints {
        return None;
    }
    let mistake = Mistake::from(what).change(stuck.found_range(), if constraints { "," } else { " " });
    // All of them are one mistake.
    let known = stuck.parser.renamed.borrow().get(mark).map(|(_, report)| (*report, stuck.found_span()));
    if known.is_none() {
        let report = stuck.parser.faults.borrow().len();
        stuck.parser.renamed.borrow_mut().insert(mark.to_owned(), (String::new(), report));
    }
    Some(Mistake { also: known, general: constraints, ..mistake })
}

/// A reserved word that has been reported before as a name.
fn renamed_word(stuck: &Stuck) -> Option<Mistake> {
    let (found, previous) = (stuck.found(), stuck.previous_word());
    let renamed = stuck.parser.renamed.borrow();
    let end = stuck.before().len();
    let (range, (name, report)) = match (renamed.get(found), renamed.get(previous)) {
        (Some(known), _) if !stuck.text[stuck.at + found.len()..].starts_with('(') => {
            (stuck.found_range(), known.clone())
        }
        (_, Some(known)) if stuck.expected.contains(&Rule::open_parenthesis) => {
            (end - previous.len()..end, known.clone())
        }
        _ => return None,
    };
    let span = stuck.span(range.start, range.end);
    let what = Diagnostic::error(Code::RESERVED_WORD, "a reserved word").at(span, "used here");
    Some(Mistake { also: Some((report, span)), ..Mistake::from(what).change(range, name) })
}

fn reserved_word(stuck: &Stuck) -> Option<Mistake> {
    let (found, previous) = (stuck.found(), stuck.previous_word());
    let end = stuck.before().len();
    let as_operator = stuck.expected.contains(&Rule::open_parenthesis) && is_reserved(previous) && found != "(";
    let name_needed =
        stuck.expects_expression() || stuck.expects(&[Rule::name, Rule::names, Rule::pattern, Rule::patterns]);
    let (word, range) = match as_operator {
        true => (previous, end - previous.len()..end),
        false if name_needed && found.starts_with(char::is_alphabetic) && is_reserved(found) => {
            (found, stuck.found_range())
        }
        false => return None,
    };
    let what = Diagnostic::error(Code::RESERVED_WORD, format!("`{word}` is a reserved word"))
        .at(stuck.span(range.start, range.end), "cannot be a name");
    let [first, second, third] = free_names(stuck.parser.text, word)?;
    let what = if as_operator { what.note(format!("as an operator it is written `{word}(…)`")) } else { what };
    let declares = matches!(stuck.keyword, "find" | "given" | "letting") && !as_operator && !stuck.expects_expression();
    if as_operator || declares || stuck.in_quantifier_head() {
        let report = stuck.parser.faults.borrow().len();
        stuck.parser.renamed.borrow_mut().insert(word.to_owned(), (first.clone(), report));
        let what = if as_operator { what } else { what.note(format!("`{second}` and `{third}` are free, too")) };
        let fits_data = stuck.keyword == "given" && first.strip_suffix('_') == Some(word);
        let what = match fits_data {
            true => what.note(format!("in JSON, the key `\"{word}\"` gives `{first}` its value")),
            false => what,
        };
        return Some(Mistake::from(what).change(range, first));
    }
    Some(Mistake::from(what.help(format!("choose another name, such as `{first}`, `{second}` or `{third}`"))))
}

/// Three names that resemble a word and do not occur in the file.
fn free_names(file: &str, word: &str) -> Option<[String; 3]> {
    let capital = word.get(..1)?.to_uppercase() + &word[1..];
    let candidates = [
        format!("{word}_"),
        format!("my{capital}"),
        format!("the{capital}"),
        format!("{word}1"),
        format!("{word}2"),
        format!("{word}__"),
    ];
    let mut free = candidates.into_iter().filter(|name| words(file).all(|(_, used)| used != name));
    Some([free.next()?, free.next()?, free.next()?])
}

/// Whether there is a comparison on either side of a place: `x = 1 y = 2`.
fn between_comparisons(stuck: &Stuck, end: usize) -> bool {
    let compares = |text: &str| {
        let mut depth = 0;
        text.chars().any(|character| {
            match character {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            depth == 0 && matches!(character, '=' | '<' | '>')
        })
    };
    let before = &stuck.text[..end];
    let start = ["such that", "where", ",", " . ", "->", "/\\", "\\/"]
        .iter()
        .filter_map(|mark| before.rfind(mark).map(|at| at + mark.len()))
        .max();
    compares(&before[start.unwrap_or_default()..]) && compares(&stuck.text[stuck.at..clause_end(stuck.text, stuck.at)])
}

fn missing_comma(stuck: &Stuck) -> Option<Mistake> {
    let found = stuck.found();
    let begins_operand =
        found.starts_with(|character| is_word_character(character) || matches!(character, '{' | '!' | '`'));
    if !begins_operand || !stuck.after_operand() || stuck.expects_domain() {
        return None;
    }
    let end = stuck.before().len();
    let last = stuck.text[..end].chars().next_back().map_or(0, char::len_utf8);
    let what = |message| {
        Diagnostic::error(Code::SYNTAX, message)
            .at(stuck.found_span(), "the next one begins here")
            .at(stuck.span(end - last, end), "the first one ends here")
    };
    if stuck.expects(&[Rule::dot]) && stuck.first_on_line() {
        let what = Diagnostic::error(Code::SYNTAX, "a `.` is missing before the body of a quantifier")
            .at(stuck.found_span(), "the body begins here")
            .at(stuck.span(end - last, end), "`.` is needed after this")
            .help("write `.`");
        return Some(Mistake::from(what).change(end..end, " ."));
    }
    let what = match (stuck.keyword, stuck.bracket()) {
        ("such" | "where", None) if stuck.first_on_line() || between_comparisons(stuck, end) => {
            what("a comma is missing between two constraints").help("end every constraint but the last with `,`")
        }
        (_, Some('(' | '[' | '{')) if found.starts_with(|character: char| character.is_ascii_digit()) => {
            what("a comma is missing between two elements").help("write a `,`")
        }
        _ => return None,
    };
    // A general message describes a missing comma best.
    Some(Mistake { general: true, ..Mistake::from(what) }.change(end..end, ","))
}
