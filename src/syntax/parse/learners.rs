//! The mistakes that learners are known to make, each a small function. The mistakes that come from another language are in
//! [`super::languages`].

use super::{
    Rule,
    extent::{closing, enclosing, operand_end, operand_start},
    is_attribute, is_reserved, is_word_character,
    mistakes::{Mistake, Stuck},
    reading::words,
    scan::STATEMENT_WORDS,
    vocabulary::STATEMENTS as FOREIGN_STATEMENTS,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::attributes::Attribute,
};

/// The words that begin a domain and cannot begin an expression.
const DOMAIN_WORDS: &[&str] = &["int", "bool", "set", "matrix"];

/// Words that begin a domain or, before a bracket, a literal.
const CONSTRUCTORS: &[&str] =
    &["mset", "function", "sequence", "relation", "partition", "permutation", "tuple", "record", "variant"];

const QUANTIFIERS: [&str; 4] = ["forAll", "exists", "sum", "product"];

/// Whether a text begins with what begins a statement, here or elsewhere.
fn begins_statement(text: &str) -> bool {
    let word = text.split(|character| !is_word_character(character)).next().unwrap_or_default();
    STATEMENT_WORDS.contains(&word)
        || matches!(word, "solve" | "output" | "print" | "include" | "import")
        || FOREIGN_STATEMENTS.iter().any(|(foreign, _)| foreign.eq_ignore_ascii_case(word))
}

impl Stuck<'_> {
    /// The message for the first of these mistakes that is recognised.
    pub(super) fn mistake_of_learners(&self) -> Option<Mistake> {
        let mistakes: [fn(&Self) -> Option<Mistake>; 55] = [
            Self::definition_of_c,
            Self::quantifier_in_parentheses,
            Self::pair_of_others,
            Self::misshapen_type,
            Self::letting_of_others,
            Self::name_with_domain,
            Self::stray_mark,
            Self::guard_of_others,
            Self::body_in_braces,
            Self::implication_backwards,
            Self::foreign_operator,
            Self::word_before_constraint,
            Self::foreign_statement,
            Self::domain_with_indices,
            Self::domain_of_others,
            Self::foreign_domain,
            Self::slice_of_others,
            Self::attributes_of_others,
            Self::comparison_without_left_side,
            Self::assignment_of_others,
            Self::domain_for_expression,
            Self::expression_for_domain,
            Self::sign_in_attribute,
            Self::attribute_outside_parentheses,
            Self::comprehension_of_python,
            Self::comprehension_of_others,
            Self::conditional,
            Self::two_words_for_one,
            Self::misspelt_quantifier,
            Self::head_of_others,
            Self::second_generator,
            Self::body_behind_comma,
            Self::glued_quantifier,
            Self::wrong_arrow,
            Self::wrong_declaration_word,
            Self::no_domain,
            Self::set_comprehension,
            Self::range_of_integers,
            Self::several_objectives,
            Self::decimal_number,
            Self::dotted_access,
            Self::number_sign,
            Self::operator_as_function,
            Self::dot_before_guard,
            Self::stray_semicolon,
            Self::single_bar,
            Self::bar_never_closed,
            Self::operands_without_parentheses,
            Self::character_for_name,
            Self::renamed_word,
            Self::reserved_word,
            Self::argument_without_parentheses,
            Self::missing_comma_in_index,
            Self::missing_operator,
            Self::missing_comma,
        ];
        mistakes.iter().find_map(|mistake| mistake(self))
    }

    fn domain_for_expression(&self) -> Option<Mistake> {
        let found = self.found();
        let literal = self.text[self.at + found.len()..].trim_start().starts_with(['(', '{']);
        let begins_domain = DOMAIN_WORDS.contains(&found) || CONSTRUCTORS.contains(&found) && !literal;
        if !begins_domain || !self.expects_expression() || self.expects_domain() && self.previous_word() != "be" {
            return None;
        }
        if found == "set" && self.text[self.at + found.len()..].starts_with('(') {
            let what = self.error("`set(…)` is not a set of Essence", "not a function of Essence")?;
            let what = what.help("write `toSet(…)`, or `{…}` with the members");
            return Some(Mistake::from(what).change(self.found_range(), "toSet"));
        }
        let what = self.error("a domain is used where an expression is needed", "a domain")?;
        let end = self.before().len();
        let arrow = self.before().ends_with("<-");
        Some(match self.previous_word() {
            "in" if self.in_quantifier_head() => {
                let what = what.help("write `:` before a domain: `forAll i : int(1..9) . …`");
                Mistake::from(what).change(end - 2..end, ":")
            }
            "in" if self.bracket() == Some('[') => {
                let what = what.help("write `:` before a domain: `[i | i : int(1..9)]`");
                Mistake::from(what).change(end - 2..end, ":")
            }
            "in" => {
                let what =
                    what.help("`in` tests membership in a set; the domain of a variable belongs in its declaration");
                let member = operand_start(self.text, end - 2);
                let close = operand_end(self.text, self.at);
                let bounds = self.text[self.at..close].strip_prefix("int(").and_then(|rest| rest.strip_suffix(')'));
                let bounds = bounds.and_then(|bounds| bounds.split_once("..")).filter(|(low, high)| {
                    !low.is_empty() && !high.is_empty() && !low.contains(',') && !high.contains(',')
                });
                let Some((low, high)) = bounds else { return Some(what.into()) };
                let name = self.text[member..end - 2].trim();
                Mistake::from(what).change(member..close, format!("({low} <= {name} /\\ {name} <= {high})"))
            }
            "be" => {
                let what = what.help(format!("write `be domain {found}…`"));
                Mistake::from(what).change(self.at..self.at, "domain ")
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
                let close = operand_end(self.text, self.at);
                Mistake::from(what).change(self.at..self.at, "`").change(close..close, "`")
            }
        })
    }

    fn foreign_domain(&self) -> Option<Mistake> {
        let (found, previous) = (self.found(), self.previous_word());
        if found == "[" && previous == "int" {
            let what = self.error("a domain of integers is written with round parentheses", "a square bracket")?;
            let close = closing(self.text, self.at)?;
            let what = Mistake::from(what.help("write `int(1..9)`"));
            return Some(what.change(self.at..self.at + 1, "(").change(close..close + 1, ")"));
        }
        let bracketed = self.before().strip_suffix('[').is_some_and(|before| before.trim_end().ends_with("matrix"));
        if bracketed || previous == "matrix" || found == "[" && previous == "array" {
            let what = self.error("a matrix domain is written `matrix indexed by […] of …`", "not like this")?;
            let what = what.help("write `matrix indexed by [int(1..3), int(1..3)] of int(1..9)`");
            return Some(self.matrix_of_others(what));
        }
        if self.expects(&[Rule::word_from]) && found == "of" {
            let what = self
                .error("a domain of partitions is written with `from`", "`of` instead of `from`")?
                .help("write `partition from int(1..9)`");
            return Some(Mistake::from(what).change(self.found_range(), "from"));
        }
        if self.expects(&[Rule::word_of]) && found == "from" {
            let what = self
                .error("only a domain of partitions is written with `from`", "`from` instead of `of`")?
                .help("write `of`");
            return Some(Mistake::from(what).change(self.found_range(), "of"));
        }
        None
    }

    /// `matrix [1..3] of D`, `array[1..n, 1..n] of D`
    fn matrix_of_others(&self, what: Diagnostic) -> Mistake {
        let word = ["matrix", "array"].iter().filter_map(|word| self.before().rfind(word)).max();
        let open = word.and_then(|word| self.text[word..].find('[').map(|open| word + open));
        let (Some(word), Some(open)) = (word, open) else { return what.into() };
        let Some(close) = closing(self.text, open) else { return what.into() };
        let indices: Vec<String> = self.text[open + 1..close]
            .split(',')
            .map(|index| match index.trim() {
                range if range.contains("..") && !range.contains('(') => format!("int({range})"),
                number if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("int(1..{number})"),
                domain => domain.to_owned(),
            })
            .collect();
        Mistake::from(what).change(word..close + 1, format!("matrix indexed by [{}]", indices.join(", ")))
    }

    fn expression_for_domain(&self) -> Option<Mistake> {
        let found = self.found();
        let number = found.starts_with(|character: char| character.is_ascii_digit());
        if !self.expects_domain() || !(number || matches!(found, "{" | "[" | "|" | "-" | "..")) {
            return None;
        }
        let what = self.error("an expression is used where a domain is needed", "not a domain")?;
        let set = matches!(found, "{" | "[");
        let generator = self.in_quantifier_head() || self.bracket() == Some('[');
        if set && self.before().ends_with(':') && generator {
            let word = if self.bracket() == Some('[') { "<-" } else { "in" };
            let what = what.help(format!("write `{word}` before a collection, `:` before a domain"));
            let end = self.before().len();
            return Some(Mistake::from(what).change(end - 1..end, format!(" {word}")));
        }
        if set {
            let what = what.help("the domain of the integers 1, 3 and 7 is `int(1, 3, 7)`");
            let close = closing(self.text, self.at)?;
            let inner = self.text[self.at + 1..close].trim();
            if found == "{" && self.is_domain(inner) {
                let text = format!("set of {inner}");
                return Some(Mistake::from(what).change(self.at..close + 1, text));
            }
            return Some(Mistake::from(what).change(self.at..self.at + 1, "int(").change(close..close + 1, ")"));
        }
        let what = what.help("the domain of the integers from 1 to 9 is `int(1..9)`");
        let rest = &self.text[self.at..];
        let end = rest.find([',', '\n', ')', ']', ' ']).map_or(self.text.len(), |end| self.at + end);
        let range = &self.text[self.at..end];
        let is_range = range.split_once("..").is_some_and(|(low, high)| {
            let plain = |text: &str| text.chars().all(|c| is_word_character(c) || "+-*".contains(c));
            plain(low) && plain(high)
        });
        let index = number && self.bracket() == Some('[') && range.bytes().all(|byte| byte.is_ascii_digit());
        Some(match (is_range, index) {
            (true, _) => Mistake::from(what).change(self.at..end, format!("int({range})")),
            (_, true) => Mistake::from(what).change(self.at..end, format!("int(1..{range})")),
            _ => what.into(),
        })
    }

    /// `set (size = 3) of D`, `set (size <= 3) of D`
    fn sign_in_attribute(&self) -> Option<Mistake> {
        let attribute = self.previous_word();
        let rest = &self.text[self.at..];
        let sign = ["<=", ">=", "==", "=", ":", "<", ">"].into_iter().find(|sign| rest.starts_with(sign))?;
        let open = enclosing(self.text, self.at)?;
        let before = self.text[..open].trim_end();
        let word = before.rsplit(|character| !is_word_character(character)).next().unwrap_or_default();
        let domain = CONSTRUCTORS.contains(&word) || DOMAIN_WORDS.contains(&word);
        if !is_attribute(attribute) || !domain {
            return None;
        }
        let start = self.before().len() - attribute.len();
        let end = self.at + sign.len();
        let number = operand_end(self.text, end);
        let number = self.text[end..number].trim();
        let name = attribute.trim_start_matches("min").trim_start_matches("max");
        let capital = name[..1].to_uppercase() + &name[1..];
        let text = match sign {
            "<=" => format!("max{capital} "),
            ">=" => format!("min{capital} "),
            "<" => format!("max{capital} -1 + "),
            ">" => format!("min{capital} 1 + "),
            _ => format!("{attribute} "),
        };
        let end = self.text.len() - self.text[end..].trim_start().len();
        let what = self.error("the number of an attribute follows its word directly", "not needed")?;
        Some(Mistake::from(what.help(format!("write `{text}{number}`"))).change(start..end, text))
    }

    fn attribute_outside_parentheses(&self) -> Option<Mistake> {
        let found = self.found();
        if !is_attribute(found) || !(self.expects_domain() || self.expects(&[Rule::word_of, Rule::word_from])) {
            return None;
        }
        let what = self.error(format!("the attribute `{found}` is outside parentheses"), "an attribute")?;
        let what = Mistake::from(
            what.help("write attributes in parentheses after the word of their domain: `set (size 3) of int(1..9)`"),
        );
        let mut end = self.at;
        let mut before = "";
        for (at, word) in words(&self.text[self.at..]) {
            let attribute = is_attribute(word) || Attribute::named(before).any(Attribute::takes_number);
            if matches!(word, "of" | "from")
                || DOMAIN_WORDS.contains(&word)
                || CONSTRUCTORS.contains(&word)
                || !attribute
            {
                break;
            }
            end = self.at + at + word.len();
            before = word;
        }
        // `total function A --> B`
        let behind = self.text[end..].trim_start();
        let domain = behind.split(|character| !is_word_character(character)).next().unwrap_or_default();
        if CONSTRUCTORS.contains(&domain) || domain == "set" {
            let start = self.text.len() - behind.len();
            let attributes = self.text[self.at..end].split_whitespace().collect::<Vec<_>>().join(" ");
            let text = format!("{domain} ({attributes})");
            return Some(what.change(self.at..start + domain.len(), text));
        }
        let sound = self.text[self.at..end].chars().all(|c| is_word_character(c) || c.is_whitespace() || c == ',');
        Some(if sound { what.change(self.at..self.at, "(").change(end..end, ")") } else { what })
    }

    /// `set (size 1..3) of D`, `function [total] A --> B`, `set (D)`, `function from A to B`
    fn attributes_of_others(&self) -> Option<Mistake> {
        let (found, before) = (self.found(), self.before());
        let message = "the attributes of a domain are written in parentheses";
        let previous = self.previous_word();
        if found == "[" && (CONSTRUCTORS.contains(&previous) || previous == "set") {
            let close = closing(self.text, self.at)?;
            let attributes = words(&self.text[self.at + 1..close]).next().is_some_and(|(_, word)| is_attribute(word));
            let what = self.error(message, "square brackets")?.help("write `(…)`");
            return attributes
                .then(|| Mistake::from(what).change(self.at..self.at + 1, "(").change(close..close + 1, ")"));
        }
        if found == ".." {
            let open = enclosing(self.text, self.at)?;
            let low = operand_start(self.text, before.len());
            let attribute = self.text[open + 1..low].rsplit(',').next().unwrap_or_default().trim();
            let high = operand_end(self.text, self.at + 2);
            let name = ["size", "numParts", "partSize"].into_iter().find(|name| *name == attribute)?;
            let capital = name[..1].to_uppercase() + &name[1..];
            let (least, most) = (before[low..].trim(), self.text[self.at + 2..high].trim());
            let text = format!("min{capital} {least}, max{capital} {most}");
            let what = self.error("an attribute has one number", "a range")?.help(format!("write `{text}`"));
            let start = self.text[..low].rfind(attribute)?;
            return Some(Mistake::from(what).change(start..high, text));
        }
        if found.is_empty() && self.expects(&[Rule::word_of]) && before.ends_with(')') {
            let open = operand_start(self.text, before.len() - 1).min(before.rfind('(')?);
            let open = before[open..].find('(').map(|at| open + at)?;
            let set = before[..open].trim_end().ends_with("set");
            let domain = before[open + 1..before.len() - 1].trim();
            let what = Diagnostic::error(Code::SYNTAX, "the domain of sets is written `set of …`")
                .at(self.span(open, before.len()), "not in parentheses")
                .help(format!("write `set of {domain}`"));
            let attribute = words(domain).next().is_some_and(|(_, word)| is_attribute(word));
            return (set && !attribute).then(|| {
                Mistake::from(what).change(before[..open].trim_end().len()..before.len(), format!(" of {domain}"))
            });
        }
        if found == "from" && self.expects_domain() {
            let behind = &self.text[self.at + found.len()..];
            let what = self.error("a function's domain is written `function A --> B`", "not needed")?;
            let what = what.help("write `function A --> B`");
            let to = behind.find(" to ").map(|to| self.at + found.len() + to);
            let mistake = Mistake::from(what).change(self.found_range(), "");
            return Some(match to {
                Some(to) => mistake.change(to..to + 4, " --> "),
                None => mistake,
            });
        }
        if found == "-" && self.expects(&[Rule::word_be, Rule::colon]) && self.bracket().is_none() {
            let rest = &self.text[self.at + 1..];
            let word = rest.find(|character| !is_word_character(character)).unwrap_or(rest.len());
            let name = format!("{}_{}", previous, &rest[..word]);
            let what = self.error("a name cannot contain `-`", "not part of a name")?.help(format!("write `{name}`"));
            let start = before.len() - previous.len();
            return (word > 0).then(|| Mistake::from(what).change(start..self.at + 1 + word, name));
        }
        None
    }

    /// `forAll i : D, j : E . …`, also over two lines
    fn second_generator(&self) -> Option<Mistake> {
        let found = self.found();
        if !self.expects(&[Rule::dot]) || !matches!(found, ":" | "," | "in" | "|" | ";" | "->") {
            return None;
        }
        let before = self.before();
        let quantifier = words(before).filter(|(_, word)| QUANTIFIERS.contains(word)).last().map(|(_, word)| word)?;
        // The names before it, which were read as a guard.
        let mut start = before.len();
        let mut comma = None;
        loop {
            let name = before[..start].trim_end();
            let word = name.len() - name.rsplit(|c| !is_word_character(c)).next().unwrap_or_default().len();
            let Some(rest) = name[..word].trim_end().strip_suffix(',').filter(|_| word < name.len()) else { break };
            comma = Some(rest.len()..word);
            start = rest.len();
        }
        let head = &self.text[self.at..];
        let generates =
            found != "," || head.split('.').next().is_some_and(|names| names.contains(':') || names.contains(" in "));
        if let Some(comma) = comma.filter(|_| generates && matches!(found, ":" | "," | "in")) {
            let what = self.error("a quantifier has one domain", "a second one")?;
            let what = what.help(format!("nest the quantifiers: `{quantifier} i : D . {quantifier} j : E . …`"));
            let text = format!(" . {quantifier} ");
            return Some(Mistake::from(what).change(comma, text));
        }
        if found == "," {
            return None;
        }
        let what = self.error("the body of a quantifier follows a `.`", format!("`{found}` instead of `.`"))?;
        let what = what.help(format!("write `{quantifier} i : D . …`"));
        Some(Mistake { notation: true, ..Mistake::from(what) }.change(self.found_range(), " ."))
    }

    /// `forAll i : D, m[i] = 1`, of which the body was read as a guard.
    fn body_behind_comma(&self) -> Option<Mistake> {
        if !self.expects(&[Rule::dot]) || !matches!(self.found(), "" | "," | ")" | "]") {
            return None;
        }
        let before = self.before();
        let start = words(before).filter(|(_, word)| QUANTIFIERS.contains(word)).last().map(|(at, _)| at)?;
        let mut depth = 0i32;
        let mut over = false;
        let mut comma = None;
        for (at, character) in before[start..].char_indices() {
            depth += i32::from(matches!(character, '(' | '[' | '{')) - i32::from(matches!(character, ')' | ']' | '}'));
            over |= character == ':' || before[start + at..].starts_with(" in ");
            if character == ',' && depth == 0 && over {
                comma = Some(start + at);
                break;
            }
        }
        let comma = comma?;
        let what = Diagnostic::error(Code::SYNTAX, "the body of a quantifier follows a `.`")
            .at(self.span(comma, comma + 1), "`,` instead of `.`")
            .help("write `forAll i : D . …`");
        Some(Mistake::from(what).change(comma..comma + 1, " ."))
    }

    fn glued_quantifier(&self) -> Option<Mistake> {
        let before = self.before();
        let word = ["sum", "product"].into_iter().find(|word| before.contains(&format!("{word}(")))?;
        let tight = self.found() == "." && self.text[self.at + 1..].starts_with(is_word_character);
        if !matches!(self.found(), ":" | ".") || tight && before.ends_with(is_word_character) {
            return None;
        }
        let what = self.error(format!("`{word}(` begins a function's arguments"), "not in an argument")?;
        let what =
            what.help(format!("write a space after a quantifier's word: `{word} (a, b) in R . …`, `{word} i : D . …`"));
        let at = before.rfind(&format!("{word}("))? + word.len();
        Some(Mistake::from(what).change(at..at, " "))
    }

    /// `function(1 -> 2)`, `function(1 = 2)`, `(1 --> 2)`, `{1 --> 2}`
    pub(super) fn pair_of_others(&self) -> Option<Mistake> {
        let open = enclosing(self.text, self.at).filter(|open| !self.text[*open..].starts_with('['))?;
        let close = closing(self.text, open)?;
        let before = self.text[..open].trim_end();
        if self.found() == "-->" && self.after_operand() {
            let word = before.rsplit(|character| !is_word_character(character)).next().unwrap_or_default();
            let what = self.error("the pairs of a function are written in `function(…)`", "a pair of a function")?;
            let what = Mistake::from(what.help("write `function(1 --> 2, 3 --> 4)`"));
            return match word {
                "be" => Some(what.change(open..open + 1, "function(").change(close..close + 1, ")")),
                "function" => Some(what.change(open..open + 1, "(").change(close..close + 1, ")")),
                _ => None,
            };
        }
        if !before.ends_with("function") {
            return None;
        }
        let start = self.text[open + 1..self.at].rfind(',').map_or(open + 1, |comma| open + 1 + comma + 1);
        let end = self.text[self.at..close].find(',').map_or(close, |comma| self.at + comma);
        let pair = &self.text[start..end];
        let sign = ["=>", "->", ":=", "→", "↦", "=", ":"].into_iter().find(|sign| pair.contains(sign))?;
        let at = start + pair.find(sign)?;
        if pair.contains("-->") || pair.contains(['(', '[', '{']) {
            return None;
        }
        let what = Diagnostic::error(Code::SYNTAX, "the pairs of a function are written with `-->`")
            .at(self.span(at, at + sign.len()), format!("`{sign}` instead of `-->`"))
            .help(format!("write `{} --> {}`", self.text[start..at].trim(), self.text[at + sign.len()..end].trim()));
        let what = Mistake { notation: true, general: true, ..Mistake::from(what) };
        Some(what.change(at..at + sign.len(), " --> "))
    }

    fn wrong_arrow(&self) -> Option<Mistake> {
        match self.found() {
            arrow @ ("->" | "=" | ":") if self.expects(&[Rule::arrow]) || arrow == "->" && self.expects_domain() => {
                let what = self.error("a function is written with `-->`", "another sign")?.help("write `-->`");
                Some(Mistake::from(what).change(self.found_range(), " --> "))
            }
            "-" | "=" | "→" | "↦" | "to" | "," if self.expects(&[Rule::arrow]) && self.bracket().is_none() => {
                let rest = &self.text[self.at..];
                let length = match self.found() {
                    "-" | "=" => rest.find(|character| !"-=>".contains(character)).unwrap_or(rest.len()),
                    word => word.len(),
                };
                let what = self.error("a function is written with `-->`", "another sign")?.help("write `-->`");
                Some(Mistake::from(what).change(self.at..self.at + length, " --> "))
            }
            _ if self.expects(&[Rule::arrow]) => {
                let what = self.error("an arrow `-->` is missing", "no arrow before this")?;
                Some(
                    what.help("a function is written `function(1 --> 2, 3 --> 4)`, its domain `function A --> B`")
                        .into(),
                )
            }
            "-->" if matches!(self.keyword, "find" | "given" | "letting") && self.expects(&[Rule::EOI]) => {
                let what = self.error("a function's domain begins with `function`", "an arrow without it")?;
                let what = what.help("write `function A --> B`");
                let colon = self.before().rfind(" : ").filter(|colon| !self.before()[*colon..].contains(" of "));
                Some(match colon {
                    Some(colon) => Mistake::from(what).change(colon + 3..colon + 3, "function "),
                    None => what.into(),
                })
            }
            "<-" if self.after_operand() => {
                let what = self.error("`<-` belongs to generators of comprehensions", "not a comparison")?;
                let what = what.help("write `< -`, with a space, to compare with a negative number");
                Some(Mistake::from(what).change(self.found_range(), "< -"))
            }
            _ => None,
        }
    }

    fn wrong_declaration_word(&self) -> Option<Mistake> {
        let rest = &self.text[self.at..];
        let found = ["==", ":="].into_iter().find(|sign| rest.starts_with(sign)).unwrap_or(self.found());
        let range = self.at..self.at + found.len();
        if self.expects(&[Rule::word_be]) && matches!(found, "=" | ":" | "in" | "is" | ":=" | "==" | "as") {
            let what = self.error("a letting is written with `be`", format!("`{found}` instead of `be`"))?;
            let what = what.help("write `letting x be 3`, or `letting D be domain int(1..9)`");
            return Some(Mistake::from(what).change(range, " be "));
        }
        if self.expects(&[Rule::colon])
            && matches!(found, "in" | "be" | "=" | "is" | "of" | "as" | "∈")
            && matches!(self.keyword, "find" | "given")
        {
            let what = self.error("a declaration is written with `:`", format!("`{found}` instead of `:`"))?;
            let what = what.help(format!("write `{} x : int(1..9)`", self.keyword));
            let behind = &self.text[range.end..];
            let numbers = [("ℕ", "int(0..)"), ("ℤ", "int")].into_iter().find(|(sign, _)| behind.trim() == *sign);
            return Some(match numbers {
                Some((_, domain)) => Mistake::from(what).change(range.start..self.text.len(), format!(": {domain}")),
                None => Mistake::from(what).change(range, ":"),
            });
        }
        None
    }

    fn no_domain(&self) -> Option<Mistake> {
        let word = self.keyword;
        if !self.expects(&[Rule::colon]) || !self.found().is_empty() || !matches!(word, "find" | "given") {
            return None;
        }
        let what = self.error("this declaration has no domain", "`:` and a domain are missing here")?;
        let names = self.before().strip_prefix(word)?.trim();
        Some(match word {
            "find" => what.help(format!("write `find {names} : int(1..9)`")).into(),
            _ => what.help(format!("write `given {names} : int`, or another domain")).into(),
        })
    }

    fn several_objectives(&self) -> Option<Mistake> {
        let word = self.keyword;
        if self.found() != ","
            || self.bracket().is_some()
            || !(word.starts_with("minimi") || word.starts_with("maximi"))
        {
            return None;
        }
        let what = self.error("a model has one objective", "a second one")?;
        let what =
            what.help(format!("write `{word} (x, y)`, if the first is more important than the second, or a sum"));
        let end = self.text.trim_end().len();
        Some(Mistake::from(what).change(word.len()..word.len() + 1, " (").change(end..end, ")"))
    }

    fn set_comprehension(&self) -> Option<Mistake> {
        if self.found() != "|" || self.bracket() != Some('{') {
            return None;
        }
        let what = self.error("a comprehension is written in square brackets", "not in braces")?;
        let what = what.help("write `[x | x <- S]`; `toSet([…])` makes it a set");
        let open = enclosing(self.text, self.at)?;
        let close = closing(self.text, open)?;
        let mistake = Mistake::from(what).change(close..close + 1, "])");
        // As an operand of a function, as in `sum({…})`, equal elements count.
        if self.text[..open].ends_with('(') && self.text[close + 1..].trim_start().starts_with(')') {
            let what = Mistake { changes: Vec::new(), ..mistake };
            return Some(what.change(open..open + 1, "[").change(close..close + 1, "]"));
        }
        // `{x in S | …}`
        let member = self.text[open + 1..self.at].trim();
        Some(match member.split_once(" in ") {
            Some((name, set)) if name.chars().all(is_word_character) => {
                mistake.change(open..self.at + 1, format!("toSet([{name} | {name} <- {set},"))
            }
            _ => mistake.change(open..open + 1, "toSet(["),
        })
    }

    fn stray_semicolon(&self) -> Option<Mistake> {
        let mark = self.found();
        let behind = &self.text[self.at + mark.len()..];
        let ends = mark == ";" || mark == "." && (behind.is_empty() || behind.starts_with(char::is_whitespace));
        if !ends || self.bracket().is_some() || !(self.after_operand() || self.expects(&[Rule::comma])) {
            return None;
        }
        let what = self.error(format!("statements end without `{mark}`"), "not needed")?.help("leave it out");
        let rest = behind.trim_start();
        let constraints = matches!(self.keyword, "such" | "where") && !rest.is_empty() && !begins_statement(rest);
        if mark == "." && !rest.is_empty() && !constraints {
            return None;
        }
        let mistake = Mistake::from(what).change(self.found_range(), if constraints { "," } else { " " });
        // All of them are one mistake.
        let known = self.parser.renamed.borrow().get(mark).map(|(_, report)| (*report, self.found_span()));
        if known.is_none() {
            let report = self.parser.faults.borrow().len();
            self.parser.renamed.borrow_mut().insert(mark.to_owned(), (String::new(), report));
        }
        Some(Mistake { also: known, ..mistake })
    }

    fn decimal_number(&self) -> Option<Mistake> {
        let digit = |character: char| character.is_ascii_digit();
        let before = self.before();
        let number = before.trim_end_matches(digit);
        let decimal = self.found() == "."
            && number.len() < before.len()
            && !number.ends_with(is_word_character)
            && self.text[self.at + 1..].starts_with(digit);
        if !decimal {
            return None;
        }
        Some(
            self.error("Essence has no decimal numbers", "only integers")?.help("scale the numbers to integers").into(),
        )
    }

    /// A character with which nothing in Essence begins.
    fn character_for_name(&self) -> Option<Mistake> {
        let found = self.found();
        if !(found.starts_with('\'') || matches!(found, "@" | "?" | "€" | "§" | "°" | "√"))
            || !self.expects_expression()
        {
            return None;
        }
        let first = found.chars().next()?;
        let what = self.error(format!("nothing in Essence begins with `{first}`"), "unexpected")?;
        if first == '√' {
            let end = operand_end(self.text, self.at + first.len_utf8());
            let root = self.text[self.at + first.len_utf8()..end].trim();
            return Some(
                what.help(format!("there is no square root: for `√{root} = y`, write `{root} = y * y`")).into(),
            );
        }
        Some(what.help("to name new values, declare a type: `letting colour be new type enum {red, blue}`").into())
    }

    /// A reserved word that has been reported before as a name.
    fn renamed_word(&self) -> Option<Mistake> {
        let (found, previous) = (self.found(), self.previous_word());
        let renamed = self.parser.renamed.borrow();
        let end = self.before().len();
        let (range, (name, report)) = match (renamed.get(found), renamed.get(previous)) {
            (Some(known), _) if !self.text[self.at + found.len()..].starts_with('(') => {
                (self.found_range(), known.clone())
            }
            (_, Some(known)) if self.expected.contains(&Rule::open_parenthesis) => {
                (end - previous.len()..end, known.clone())
            }
            _ => return None,
        };
        let span = self.span(range.start, range.end);
        let what = Diagnostic::error(Code::RESERVED_WORD, "a reserved word").at(span, "used here");
        Some(Mistake { also: Some((report, span)), ..Mistake::from(what).change(range, name) })
    }

    fn reserved_word(&self) -> Option<Mistake> {
        let (found, previous) = (self.found(), self.previous_word());
        let end = self.before().len();
        let as_operator = self.expected.contains(&Rule::open_parenthesis) && is_reserved(previous) && found != "(";
        let name_needed =
            self.expects_expression() || self.expects(&[Rule::name, Rule::names, Rule::pattern, Rule::patterns]);
        let (word, range) = match as_operator {
            true => (previous, end - previous.len()..end),
            false if name_needed && found.starts_with(char::is_alphabetic) && is_reserved(found) => {
                (found, self.found_range())
            }
            false => return None,
        };
        let what = Diagnostic::error(Code::RESERVED_WORD, format!("`{word}` is a reserved word"))
            .at(self.span(range.start, range.end), "cannot be a name");
        let [first, second, third] = self.free_names(word)?;
        let what = what.help(format!("choose another name, such as `{first}`, `{second}` or `{third}`"));
        let what = if as_operator { what.note(format!("as an operator it is written `{word}(…)`")) } else { what };
        let declares =
            matches!(self.keyword, "find" | "given" | "letting") && !as_operator && !self.expects_expression();
        if as_operator || declares || self.in_quantifier_head() {
            let report = self.parser.faults.borrow().len();
            self.parser.renamed.borrow_mut().insert(word.to_owned(), (first.clone(), report));
            return Some(Mistake::from(what).change(range, first));
        }
        Some(Mistake::from(what))
    }

    /// Three names that resemble a word and do not occur in the file.
    fn free_names(&self, word: &str) -> Option<[String; 3]> {
        let capital = word.get(..1)?.to_uppercase() + &word[1..];
        let candidates = [
            format!("{word}_"),
            format!("my{capital}"),
            format!("the{capital}"),
            format!("{word}1"),
            format!("{word}2"),
            format!("{word}__"),
        ];
        let mut free = candidates.into_iter().filter(|name| words(self.parser.text).all(|(_, used)| used != name));
        Some([free.next()?, free.next()?, free.next()?])
    }

    fn missing_comma(&self) -> Option<Mistake> {
        let found = self.found();
        let begins_operand =
            found.starts_with(|character| is_word_character(character) || matches!(character, '{' | '!' | '`'));
        if !begins_operand || !self.after_operand() || self.expects_domain() {
            return None;
        }
        let end = self.before().len();
        let last = self.text[..end].chars().next_back().map_or(0, char::len_utf8);
        let what = |message| {
            Diagnostic::error(Code::SYNTAX, message)
                .at(self.found_span(), "the next one begins here")
                .at(self.span(end - last, end), "the first one ends here")
        };
        if self.expects(&[Rule::dot]) && self.first_on_line() {
            let what = Diagnostic::error(Code::SYNTAX, "a `.` is missing before the body of a quantifier")
                .at(self.found_span(), "the body begins here")
                .at(self.span(end - last, end), "`.` is needed after this")
                .help("write `.`");
            return Some(Mistake::from(what).change(end..end, " ."));
        }
        let what = match (self.keyword, self.bracket()) {
            ("such" | "where", None) if self.first_on_line() => {
                what("a comma is missing between two constraints").help("end every constraint but the last with `,`")
            }
            (_, Some('(' | '[' | '{')) if found.starts_with(|character: char| character.is_ascii_digit()) => {
                what("a comma is missing between two elements").help("write a `,`")
            }
            _ => return None,
        };
        Some(Mistake::from(what).change(end..end, ","))
    }
}
