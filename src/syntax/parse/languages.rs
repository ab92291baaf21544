//! What other languages write (Python, MiniZinc, Java, Prolog, mathematics), and what Essence writes instead.

use super::{
    Rule,
    extent::{clause_end, closing, enclosing, operand_end, operand_start},
    is_word_character,
    mistakes::{Mistake, Stuck},
    reading::words,
    scan::STATEMENT_WORDS,
    vocabulary::{OPERATORS, QUANTIFIERS, STATEMENTS},
};
use crate::diagnostic::{Code, Diagnostic, nearest};
use std::ops::Range;

impl Stuck<'_> {
    pub(super) fn foreign_operator(&self) -> Option<Mistake> {
        let starts_at = |written: &str, start: usize| {
            let is_word = written.starts_with(is_word_character);
            let begins = !is_word || !self.text[..start].ends_with(is_word_character);
            self.text[start..]
                .strip_prefix(written)
                .is_some_and(|rest| begins && (!is_word || !written.is_ascii() || !rest.starts_with(is_word_character)))
        };
        let (written, right, start) = OPERATORS.iter().find_map(|(written, right)| {
            // The grammar may have taken the first characters for an operator of its own.
            let offsets = if written.is_ascii() && !written.starts_with(is_word_character) { written.len() } else { 1 };
            let start = (0..offsets)
                .filter_map(|offset| self.at.checked_sub(offset))
                .find(|start| self.text.is_char_boundary(*start) && starts_at(written, *start))?;
            Some((*written, *right, start))
        })?;
        let infix = written.starts_with(|character: char| character.is_ascii_alphabetic()) && written != "not";
        if infix && !self.after_operand() || written == ":=" && self.expects(&[Rule::word_be]) {
            return None;
        }
        let range = start..start + written.len();
        let what = Diagnostic::error(Code::SYNTAX, format!("`{written}` is not an operator of Essence"))
            .at(self.span(range.start, range.end), "unknown operator");
        let what = Mistake::from(what);
        Some(match written {
            "^" if self.text[range.end..].trim_start().starts_with("-1") => self.inverse(what, range),
            "not in" | "notin" | "∉" => {
                let (left, right) = (operand_start(self.text, start), operand_end(self.text, range.end));
                what.help("write `!(… in …)`").change(left..left, "!(").change(range, "in").change(right..right, ")")
            }
            "not" | "¬" | "~" => self.negation(what, range),
            "and" | "&&" if self.between_constraints(&range) => {
                let end = self.text[..range.start].trim_end().len();
                what.help("write `,` between constraints").change(end..range.end, ",")
            }
            _ => {
                let blank = right.starts_with(char::is_alphabetic);
                let before = blank && self.text[..range.start].ends_with(is_word_character);
                let after = blank && self.text[range.end..].starts_with(is_word_character);
                let text = format!("{}{right}{}", if before { " " } else { "" }, if after { " " } else { "" });
                what.help(format!("write `{right}`")).change(range, text)
            }
        })
    }

    /// `not a = b`, which negates the comparison.
    fn negation(&self, what: Mistake, range: Range<usize>) -> Mistake {
        let operand = self.text.len() - self.text[range.end..].trim_start().len();
        let clause = clause_end(self.text, operand);
        let what = what.help("write `!`");
        if operand_end(self.text, operand) >= clause {
            return what.change(range.start..operand, "!");
        }
        what.change(range.start..operand, "!(").change(clause..clause, ")")
    }

    /// Whether a word stands where one line of constraints ends or the next one begins.
    fn between_constraints(&self, range: &Range<usize>) -> bool {
        let ends = self.text[range.end..].split('\n').next().is_some_and(|rest| rest.trim().is_empty());
        matches!(self.keyword, "such" | "where") && self.bracket().is_none() && (ends || self.first_on_line())
    }

    /// `f^-1(y) = x`
    fn inverse(&self, what: Mistake, caret: Range<usize>) -> Mistake {
        let function = operand_start(self.text, caret.start);
        let exponent = caret.end + self.text[caret.end..].find('1').unwrap_or(0) + 1;
        let end = operand_end(self.text, exponent);
        let name = self.text[function..caret.start].trim();
        let argument = self.text[exponent..end].trim_start_matches('(').trim_end_matches(')');
        let rest = self.text[end..].trim_start();
        if let Some(image) = rest.strip_prefix('=').filter(|rest| !rest.starts_with(['=', '>', '<'])) {
            let start = self.text.len() - image.len();
            let close = clause_end(self.text, start);
            let text = format!("{name}({}) = {argument}", self.text[start..close].trim());
            return what.help("write `f(x) = y`").change(function..close, text);
        }
        what.help("write `preImage(f, y)` for the set of all `x` with `f(x) = y`")
            .change(function..end, format!("preImage({name}, {argument})"))
    }

    pub(super) fn foreign_statement(&self) -> Option<Mistake> {
        let found = self.found();
        let complete = self.expects(&[Rule::EOI]) && self.bracket().is_none();
        if !found.starts_with(is_word_character) || self.at > 0 && !complete {
            return None;
        }
        let first = self.at == 0;
        let begins_line = first || self.first_on_line();
        if begins_line && let Some(mistake) = self.typed_declaration() {
            return Some(mistake);
        }
        let rest = self.text[self.at + found.len()..].trim_start();
        let phrase = STATEMENTS.iter().find(|(words, _)| {
            let end = self.at + words.len();
            self.text.get(self.at..end).is_some_and(|text| text.eq_ignore_ascii_case(words))
                && !self.text[end..].starts_with(is_word_character)
        });
        let (written, meant) = match phrase {
            Some((words, meant)) => (&self.text[self.at..self.at + words.len()], Some(*meant)),
            None => (found, nearest(found, STATEMENT_WORDS.iter().copied())),
        };
        let what = Diagnostic::error(Code::SYNTAX, format!("`{written}` does not begin a statement"))
            .at(self.span(self.at, self.at + written.len()), "unknown statement");
        match meant {
            _ if begins_line && rest.starts_with("be ") => {
                let what = what.help(format!("write `letting {found} be …`"));
                Some(Mistake::from(what).change(self.at..self.at, "letting "))
            }
            None if begins_line && rest.starts_with('=') && !matches!(self.keyword, "such" | "where") => {
                let what = what.help(format!("write `letting {found} be …`"));
                Some(Mistake::from(what).change(self.at..self.at, "letting "))
            }
            Some(word) if begins_line && (first || rest.starts_with(char::is_alphabetic) || phrase.is_some() && !rest.starts_with('(')) => {
                let word = if word == "such" && !rest.starts_with("that") { "such that" } else { word };
                let shown = if word == "such" { "such that" } else { word };
                let what = what.help(format!("did you mean `{shown}`?"));
                Some(Mistake::from(what).change(self.at..self.at + written.len(), word))
            }
            _ if first || begins_line && !matches!(self.keyword, "such" | "where") => Some(
                what.help("values are written `letting n be 4`, constraints follow `such that`")
                    .note(
                        "a statement begins with `given`, `letting`, `find`, `such that`, `where`, `minimising`, `maximising`, \
                         `branching on` or `heuristic`",
                    )
                    .into(),
            ),
            _ => None,
        }
    }

    /// `var 1..9: x`, `var bool: b`, `int: n`, `int n = 5`
    fn typed_declaration(&self) -> Option<Mistake> {
        let line = self.text[self.at..].split(['\n', ';']).next()?;
        let (variable, rest) = match line.strip_prefix("var ") {
            Some(rest) => (true, rest.trim_start()),
            None => (false, line),
        };
        let is_type = |text: &str| matches!(text, "int" | "bool" | "float" | "boolean" | "integer" | "Integer");
        let (domain, declared) = match rest.split_once(':') {
            Some((domain, declared)) => (domain.trim(), declared.trim()),
            None => rest.split_once(' ').filter(|(domain, _)| is_type(domain))?,
        };
        let (name, value) = match declared.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (declared.trim(), None),
        };
        let is_range = domain.contains("..") && !domain.contains(char::is_whitespace);
        if !(is_type(domain) || is_range) || name.is_empty() || !name.chars().all(is_word_character) {
            return None;
        }
        let domain = match domain {
            "bool" | "boolean" => "bool".to_owned(),
            _ if is_range => format!("int({domain})"),
            _ if variable => "int(1..9)".to_owned(),
            _ => "int".to_owned(),
        };
        let text = match (variable, value) {
            (true, _) => format!("find {name} : {domain}"),
            (false, Some(value)) => format!("letting {name} be {value}"),
            (false, None) => format!("given {name} : {domain}"),
        };
        let what = Diagnostic::error(Code::SYNTAX, "a declaration begins with `find`, `given` or `letting`")
            .at(self.span(self.at, self.at + line.trim_end().len()), "not a declaration of Essence")
            .help(format!("write `{text}`"));
        Some(Mistake::from(what).change(self.at..self.at + line.trim_end().len(), text))
    }

    /// `forall i in S …`, `for i in S`
    pub(super) fn misspelt_quantifier(&self) -> Option<Mistake> {
        let word = self.previous_word();
        let found = self.found();
        if !self.after_operand() || !found.starts_with(|character| is_word_character(character) || character == '(') {
            return None;
        }
        let before = self.before();
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
            .at(self.span(start, end), "unknown quantifier")
            .help(format!("did you mean `{meant}`?"));
        Some(Mistake::from(what).change(start..end, meant))
    }

    /// `for all`, of which the first word was read as a name.
    pub(super) fn two_words_for_one(&self) -> Option<Mistake> {
        let (first, second) = (self.previous_word(), self.found());
        if first != "for" || !matches!(second, "all" | "each") {
            return None;
        }
        let start = self.before().len() - first.len();
        let end = self.at + second.len();
        let what = Diagnostic::error(Code::SYNTAX, format!("`for {second}` is not a quantifier"))
            .at(self.span(start, end), "unknown quantifier")
            .help("did you mean `forAll`?");
        Some(Mistake::from(what).change(start..end, "forAll"))
    }

    /// `exists(i : D . …)`, `forall(i in S)(…)`
    pub(super) fn quantifier_in_parentheses(&self) -> Option<Mistake> {
        let open = match self.found() {
            "(" => self.at,
            _ => enclosing(self.text, self.at)?,
        };
        let before = self.text[..open].trim_end();
        let (word, meant) = QUANTIFIERS
            .iter()
            .find(|(word, _)| before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(is_word_character)))?;
        let start = before.len() - word.len();
        let close = closing(self.text, open)?;
        let inner = &self.text[open + 1..close];
        let generates = inner.contains(':') || words(inner).any(|(_, word)| word == "in");
        let python = words(inner).any(|(_, word)| word == "for");
        if !generates || python || self.text.as_bytes().get(open) != Some(&b'(') {
            return None;
        }
        let what =
            Diagnostic::error(Code::SYNTAX, format!("a quantifier is written without parentheses: `{meant} … . …`"))
                .at(self.span(start, open + 1), "not like a function");
        if inner.replace("..", "").contains('.') {
            let what = what.help(format!("write `({meant} i : D . …)`"));
            return Some(Mistake::from(what).change(start..open + 1, format!("({meant} ")));
        }
        // The body follows, in parentheses of its own or behind a dot.
        let behind = self.text[close + 1..].trim_start();
        let dot = behind.starts_with('.') && !behind.starts_with("..");
        let begin = self.text.len() - behind.len() + usize::from(dot);
        let whole = behind.starts_with(['(', '{']) || matches!(*meant, "sum" | "product");
        let end = if whole { operand_end(self.text, begin) } else { clause_end(self.text, begin) };
        let head = generators(inner, meant);
        let what = Mistake::from(what.help(format!("write `{meant} i : D . …`")));
        Some(what.change(start..begin, format!("({head} . ")).change(end..end, ")"))
    }

    /// `[x for x in s]`
    pub(super) fn comprehension_of_python(&self) -> Option<Mistake> {
        if self.found() != "for" {
            return None;
        }
        let open = enclosing(self.text, self.at)?;
        let rest = &self.text[self.at + 3..];
        let (name, _) = words(rest).next().map(|(at, word)| (&rest[..at + word.len()], at))?;
        let after = rest[name.len()..].trim_start().strip_prefix("in")?;
        let collection = self.text.len() - after.len();
        let close = closing(self.text, open)?;
        let condition =
            words(&self.text[collection..close]).find(|(_, word)| *word == "if").map(|(at, _)| collection + at);
        let end = condition.unwrap_or(close);
        let over = over(self.text[collection..end].trim());
        let what = Diagnostic::error(Code::SYNTAX, "a comprehension is written with `|` and `<-`")
            .at(self.found_span(), "not a word of Essence")
            .help("write `[x | x <- s]`");
        let guard = if condition.is_some() { ", " } else { "" };
        let end = condition.map_or(end, |condition| condition + 2);
        let mut what =
            Mistake::from(what).change(self.at..end, format!("|{name} {}{guard}", over.replacen("in ", "<- ", 1)));
        let before = &self.text[..open];
        for (foreign, word) in [("all", "and"), ("any", "or")] {
            if before.strip_suffix(foreign).is_some_and(|rest| !rest.ends_with(is_word_character)) {
                what = what.change(open - foreign.len()..open, word);
            }
        }
        match self.text.as_bytes()[open] {
            b'(' => what = what.change(open + 1..open + 1, "[").change(close..close, "]"),
            b'{' => what = what.change(open..open + 1, "toSet([").change(close..close + 1, "])"),
            _ => {}
        }
        Some(what)
    }

    /// `if a then b else c` and `a ? b : c`
    pub(super) fn conditional(&self) -> Option<Mistake> {
        let previous = self.previous_word();
        let start = self.before().len().saturating_sub(previous.len());
        let question = self.found() == "?" && self.after_operand();
        let span = match self.found() {
            "?" if question => self.found_span(),
            _ if previous == "if" && self.after_operand() => self.span(start, self.before().len()),
            _ => return None,
        };
        let what = Diagnostic::error(Code::SYNTAX, "Essence has no conditional expression")
            .at(span, "not an operator of Essence");
        let general = |what: Diagnostic| {
            what.help("between constraints, write `(c -> a) /\\ (!c -> b)`")
                .help("between values, write `[b, a; int(0..1)][toInt(c)]`, which is `a` where `c` holds")
        };
        if question {
            return Some(general(what).into());
        }
        let limit = enclosing(self.text, start).and_then(|open| closing(self.text, open));
        let limit = limit.or(self.reading.item_at(start).map(|item| item.end)).unwrap_or(self.text.len());
        let word =
            |word: &str| words(&self.text[start..limit]).find(|(_, found)| *found == word).map(|(at, _)| start + at);
        let Some(then) = word("then") else { return Some(general(what).into()) };
        let condition = self.text[start + 2..then].trim();
        let otherwise = word("else");
        let yes = self.text[then + 4..otherwise.unwrap_or(limit)].trim();
        let no = otherwise.map(|at| self.text[at + 4..limit].trim().trim_end_matches("endif").trim());
        let value = self.text[..start].trim_end().ends_with(['=', '+', '-', '*', '<', '>', '|']);
        let (condition, yes, no) = match value {
            true => (condition.to_owned(), yes.to_owned(), no.map(str::to_owned)),
            false => (in_parentheses(condition), in_parentheses(yes), no.map(in_parentheses)),
        };
        let text = match no {
            Some(no) if value => format!("[{no}, {yes}; int(0..1)][toInt({condition})]"),
            Some(no) => format!("({condition} -> {yes}) /\\ (!{condition} -> {no})"),
            None => format!("{condition} -> {yes}"),
        };
        let what = if value { what.help(format!("write `{text}`")) } else { general(what) };
        Some(Mistake::from(what).change(start..limit, text))
    }

    /// `r.a`, `t.1`
    pub(super) fn dotted_access(&self) -> Option<Mistake> {
        if self.found() != "." && !self.found().is_empty() && !self.after_operand() {
            return None;
        }
        // A dot without blanks, at which a quantifier's head may have ended by mistake.
        let tight = |at: usize| {
            self.text[..at].ends_with(|character| is_word_character(character) || matches!(character, ')' | ']'))
                && self.text[at + 1..].starts_with(is_word_character)
                && !self.text[..at].ends_with(|character: char| character.is_ascii_digit() && self.is_number_before(at))
        };
        let item = self.reading.item_at(self.at)?;
        let dots =
            |range: Range<usize>| self.text[range.clone()].match_indices('.').map(move |(at, _)| range.start + at);
        let at = match self.found() {
            "." if tight(self.at) => self.at,
            "." => dots(item.start..self.at).find(|at| tight(*at) && !self.text[*at..].starts_with(".."))?,
            _ => return None,
        };
        let length =
            self.text[at + 1..].find(|character| !is_word_character(character)).unwrap_or(self.text.len() - at - 1);
        let field = &self.text[at + 1..at + 1 + length];
        let what = Diagnostic::error(Code::SYNTAX, "a field or a component is written in square brackets")
            .at(self.span(at, at + 1 + length), "not with a dot")
            .help(format!("write `[{field}]`"));
        Some(Mistake::from(what).change(at..at + 1 + length, format!("[{field}]")))
    }

    /// Whether the word before a dot is a number, so that both make a decimal one.
    fn is_number_before(&self, at: usize) -> bool {
        let start = operand_start(self.text, at);
        self.text[start..at].bytes().all(|byte| byte.is_ascii_digit())
    }

    /// `#s`
    pub(super) fn number_sign(&self) -> Option<Mistake> {
        if self.found() != "#" || !self.expects_expression() {
            return None;
        }
        let end = operand_end(self.text, self.at + 1);
        let operand = self.text[self.at + 1..end].trim();
        if operand.is_empty() {
            return None;
        }
        let what = self.error("the number of members is written between bars", "not an operator of Essence")?;
        Some(Mistake::from(what.help("write `|s|`")).change(self.at..end, format!("|{operand}|")))
    }

    /// `union(s, t)`, `union(s)`
    pub(super) fn operator_as_function(&self) -> Option<Mistake> {
        let found = self.found();
        let open = self.at + found.len();
        let infix = ["union", "intersect", "in", "subset", "subsetEq", "supset", "supsetEq"];
        if !self.expects_expression() || !infix.contains(&found) || !self.text[open..].starts_with('(') {
            return None;
        }
        let close = closing(self.text, open)?;
        let inner = self.text[open + 1..close].trim();
        let mut depth = 0i32;
        let arguments: Vec<&str> = inner
            .split(|character| {
                depth +=
                    i32::from(matches!(character, '(' | '[' | '{')) - i32::from(matches!(character, ')' | ']' | '}'));
                character == ',' && depth == 0
            })
            .map(str::trim)
            .collect();
        let what = self.error(format!("`{found}` stands between its operands"), "not like a function")?;
        let (help, text) = match arguments[..] {
            [left, right] => (format!("write `s {found} t`"), format!("({left} {found} {right})")),
            [sets] if found == "union" => (
                "write `toSet([x | s <- S, x <- s])` for the union of all sets in `S`".to_owned(),
                format!("toSet([x | s <- {sets}, x <- s])"),
            ),
            _ => return Some(what.help(format!("write `s {found} t`")).into()),
        };
        Some(Mistake::from(what.help(help)).change(self.at..close + 1, text))
    }

    /// `i in 1..9`, `i in 1:9`, `[1..9]`, `{1..9}`
    pub(super) fn range_of_integers(&self) -> Option<Mistake> {
        // `1:3` is stuck behind the colon, where the tag of an integer could stand.
        let before = self.before();
        let behind_colon =
            before.ends_with(':') && self.found().starts_with(|character: char| character.is_ascii_digit());
        let at = if behind_colon { before.len() - 1 } else { self.at };
        let found = if behind_colon { ":" } else { self.found() };
        if !matches!(found, ".." | ":") || !self.after_operand() && !behind_colon {
            return None;
        }
        let number = |text: &str| !text.is_empty() && text.chars().all(is_word_character);
        let low = operand_start(self.text, at);
        let high = operand_end(self.text, at + found.len());
        let (from, to) = (self.text[low..at].trim(), self.text[at + found.len()..high].trim());
        let digits = |text: &str| text.starts_with(|character: char| character.is_ascii_digit());
        if found == ":" && !(digits(from) && digits(to)) {
            return None;
        }
        let domain = format!("int({from}..{to})");
        let before = self.text[..low].trim_end();
        let bracket = before.chars().next_back().filter(|character| matches!(character, '{' | '['));
        if let (Some(bracket), Some(open)) = (bracket, enclosing(self.text, self.at))
            && let Some(close) = closing(self.text, open)
            && self.text[high..close].trim().is_empty()
        {
            let what = self.error("a range belongs to a domain", "between the members of a collection")?;
            let list = format!("[i | i : {domain}]");
            let text = if bracket == '{' { format!("toSet({list})") } else { list };
            let what =
                what.help("a set of all of them is `toSet([i | i : int(1..9)])`, a matrix `[i | i : int(1..9)]`");
            return Some(Mistake::from(what).change(open..close + 1, text));
        }
        let word = before.len() - before.strip_suffix("in").or(before.strip_suffix("<-"))?.len();
        let start = before.len() - word;
        let generator = self.in_quantifier_head() || before.ends_with("<-");
        let what = self.error(
            "a range belongs to a domain",
            if generator { "in the place of a collection" } else { "not a set" },
        )?;
        if generator {
            let what = what.help(format!("write `: {domain}`"));
            return Some(Mistake::from(what).change(start..high, format!(": {domain}")));
        }
        let member = operand_start(self.text, start);
        let name = self.text[member..start].trim();
        let what = what.help("that a number is one of them is `1 <= x /\\ x <= 9`");
        if !number(from) || !number(to) {
            return Some(what.into());
        }
        Some(Mistake::from(what).change(member..high, format!("({from} <= {name} /\\ {name} <= {to})")))
    }

    /// `2x`, `2 x`, `3(a + b)`
    pub(super) fn missing_operator(&self) -> Option<Mistake> {
        let before = self.before();
        let start = operand_start(self.text, before.len());
        let number = &before[start..];
        let found = self.found();
        let begins = found.starts_with(|character: char| is_word_character(character) && !character.is_ascii_digit());
        if !self.after_operand()
            || !begins && found != "("
            || number.is_empty()
            || !number.bytes().all(|byte| byte.is_ascii_digit())
            || self.text[before.len()..self.at].contains('\n')
            || super::is_reserved(found)
            || self.expects_domain()
        {
            return None;
        }
        let what =
            self.error("an operator is missing between a number and a name", "an operator is needed before this")?;
        Some(Mistake::from(what.help("write `*` to multiply")).change(before.len()..self.at, " * "))
    }
}

/// The text, in parentheses unless it is one operand.
fn in_parentheses(text: &str) -> String {
    if operand_end(text, 0) == text.len() { text.to_owned() } else { format!("({text})") }
}

/// The generators of other languages, separated by commas, as quantifiers: `i, j in S, k in T`.
fn generators(text: &str, quantifier: &str) -> String {
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
                    Some((name, collection)) => (name.trim(), over(collection.trim())),
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
fn over(collection: &str) -> String {
    if let Some((low, high)) = collection.split_once("..")
        && !collection.contains('(')
    {
        return format!(": int({}..{})", low.trim(), high.trim());
    }
    if let Some(bounds) = collection.strip_prefix("range(").and_then(|rest| rest.strip_suffix(')')) {
        return match bounds.split_once(',') {
            Some((low, high)) => format!(": int({}..{} - 1)", low.trim(), high.trim()),
            None => format!(": int(0..{} - 1)", bounds.trim()),
        };
    }
    let domain = ["int", "bool", "set of", "matrix"].iter().any(|word| collection.starts_with(word));
    format!("{} {collection}", if domain { ":" } else { "in" })
}
