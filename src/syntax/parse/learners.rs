//! The mistakes that learners are known to make, each a small function.

use super::{Rule, is_attribute, is_reserved, is_word_character, mistakes::Stuck, scan::STATEMENT_WORDS};
use crate::diagnostic::{Code, Diagnostic, nearest};

/// What other languages write, and what Essence writes instead.
const FOREIGN_OPERATORS: &[(&str, &str)] = &[
    ("==", "="),
    ("&&", "/\\"),
    ("||", "\\/"),
    ("<=>", "<->"),
    ("=>", "->"),
    ("<>", "!="),
    ("/=", "!="),
    ("=<", "<="),
    ("^", "**"),
    ("&", "/\\"),
    ("not in", "!(… in …)"),
    ("notin", "!(… in …)"),
    ("and", "/\\"),
    ("or", "\\/"),
    ("not", "!"),
    ("implies", "->"),
    ("iff", "<->"),
    ("mod", "%"),
    ("div", "/"),
    ("¬", "!"),
    ("∧", "/\\"),
    ("∨", "\\/"),
    ("→", "->"),
    ("⇒", "->"),
    ("↔", "<->"),
    ("⇔", "<->"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("∈", "in"),
    ("∪", "union"),
    ("∩", "intersect"),
    ("⊆", "subsetEq"),
    ("⊂", "subset"),
    ("∀", "forAll"),
    ("∃", "exists"),
    ("∑", "sum"),
    ("×", "*"),
    ("·", "*"),
    ("−", "-"),
    ("–", "-"),
];

/// How other languages begin what a statement's keyword begins here.
const FOREIGN_STATEMENTS: &[(&str, &str)] = &[
    ("let", "letting"),
    ("define", "letting"),
    ("const", "letting"),
    ("var", "find"),
    ("variable", "find"),
    ("decision", "find"),
    ("param", "given"),
    ("parameter", "given"),
    ("constraint", "such that"),
    ("constraints", "such that"),
    ("subject", "such that"),
    ("st", "such that"),
    ("minimise", "minimising"),
    ("minimize", "minimising"),
    ("min", "minimising"),
    ("maximise", "maximising"),
    ("maximize", "maximising"),
    ("max", "maximising"),
];

/// The words that begin a domain and cannot begin an expression.
const DOMAIN_WORDS: &[&str] = &["int", "bool", "set", "matrix"];

/// Words that begin a domain or, before a bracket, a literal.
const CONSTRUCTORS: &[&str] =
    &["mset", "function", "sequence", "relation", "partition", "permutation", "tuple", "record", "variant"];

impl Stuck<'_> {
    /// What is said of the first of these mistakes that is recognised.
    pub(super) fn mistake_of_learners(&self) -> Option<Diagnostic> {
        let mistakes: [fn(&Self) -> Option<Diagnostic>; 20] = [
            Self::foreign_operator,
            Self::foreign_statement,
            Self::foreign_domain,
            Self::domain_for_expression,
            Self::expression_for_domain,
            Self::attribute_outside_parentheses,
            Self::conditional,
            Self::misspelt_quantifier,
            Self::second_generator,
            Self::glued_quantifier,
            Self::spaced_function,
            Self::wrong_arrow,
            Self::wrong_declaration_word,
            Self::no_domain,
            Self::set_comprehension,
            Self::range_in_collection,
            Self::several_objectives,
            Self::stray_punctuation,
            Self::reserved_word,
            Self::missing_comma,
        ];
        mistakes.iter().find_map(|mistake| mistake(self))
    }

    fn foreign_operator(&self) -> Option<Diagnostic> {
        let starts_at = |written: &str, start: usize| {
            let is_word = written.starts_with(|character: char| character.is_ascii_alphabetic());
            self.text[start..self.end]
                .strip_prefix(written)
                .is_some_and(|rest| !is_word || !rest.starts_with(is_word_character))
        };
        FOREIGN_OPERATORS.iter().find_map(|(written, right)| {
            // The grammar may have taken the first characters for an operator of its own.
            let offsets = if written.is_ascii() && !written.starts_with(is_word_character) { written.len() } else { 1 };
            let start = (0..offsets).filter_map(|offset| self.at.checked_sub(offset)).find(|start| {
                *start >= self.start && self.text.is_char_boundary(*start) && starts_at(written, *start)
            })?;
            let what = Diagnostic::error(Code::SYNTAX, format!("`{written}` is no operator of Essence"))
                .at(self.span(start, start + written.len()), "unknown operator");
            Some(what.help(format!("write `{right}`")))
        })
    }

    fn foreign_statement(&self) -> Option<Diagnostic> {
        let found = self.found();
        let complete = self.expects(&[Rule::EOI]) && self.bracket().is_none();
        if !found.starts_with(is_word_character) || self.at > self.start && !complete {
            return None;
        }
        let foreign = FOREIGN_STATEMENTS.iter().find(|(word, _)| word.eq_ignore_ascii_case(found)).map(|pair| pair.1);
        let meant = foreign.or_else(|| nearest(found, STATEMENT_WORDS.iter().copied()));
        let meant = meant.map(|word| if word == "such" { "such that" } else { word });
        let what = Diagnostic::error(Code::SYNTAX, format!("`{found}` does not begin a statement"))
            .at(self.found_span(), "unknown statement");
        let (first, rest) = (self.at == self.start, self.text[self.at + found.len()..self.end].trim_start());
        let begins_line = first || self.first_on_line();
        match meant {
            _ if begins_line && rest.starts_with("be ") => Some(what.help(format!("write `letting {found} be …`"))),
            Some(word) if begins_line && (first || rest.starts_with(char::is_alphabetic)) => {
                Some(what.help(format!("did you mean `{word}`?")))
            }
            _ if first || begins_line && !matches!(self.keyword, "such" | "where") => Some(
                what.help("values are written `letting n be 4`, constraints follow `such that`").note(
                    "a statement begins with `given`, `letting`, `find`, `such that`, `where`, `minimising`, `maximising`, \
                     `branching on` or `heuristic`",
                ),
            ),
            _ => None,
        }
    }

    fn domain_for_expression(&self) -> Option<Diagnostic> {
        let found = self.found();
        let literal = self.text[self.at + found.len()..self.end].trim_start().starts_with(['(', '{']);
        let begins_domain = DOMAIN_WORDS.contains(&found) || CONSTRUCTORS.contains(&found) && !literal;
        if !begins_domain || !self.expects_expression() || self.expects_domain() && self.previous_word() != "be" {
            return None;
        }
        let what = self.error("a domain stands where an expression is needed", "a domain")?;
        Some(match self.previous_word() {
            "in" if self.in_quantifier_head() => what.help("write `:` before a domain: `forAll i : int(1..9) . …`"),
            "in" if self.bracket() == Some('[') => what.help("write `:` before a domain: `[i | i : int(1..9)]`"),
            "in" => what.help("`in` is for members of sets; the domain of a variable stands in its declaration"),
            "be" => what.help(format!("write `be domain {found}…`")),
            _ if self.before().ends_with("<-") => what.help("write `:` before a domain: `[i | i : int(1..9)]`"),
            _ => what.help(format!("write a domain as an operand between backticks: `` `{found}…` ``")),
        })
    }

    fn foreign_domain(&self) -> Option<Diagnostic> {
        let (found, previous) = (self.found(), self.previous_word());
        if found == "[" && previous == "int" {
            let what = self.error("the integers of a domain stand in round parentheses", "a square bracket")?;
            return Some(what.help("write `int(1..9)`"));
        }
        let bracketed = self.before().strip_suffix('[').is_some_and(|before| before.trim_end().ends_with("matrix"));
        if bracketed || previous == "matrix" || found == "[" && previous == "array" {
            let what = self.error("the domain of a matrix says by what it is indexed", "not like this")?;
            return Some(what.help("write `matrix indexed by [int(1..3), int(1..3)] of int(1..9)`"));
        }
        if self.expects(&[Rule::word_from]) && found == "of" {
            return Some(
                self.error("a partition is `from` a domain", "not `of`")?.help("write `partition from int(1..9)`"),
            );
        }
        if self.expects(&[Rule::word_of]) && found == "from" {
            let what = self.error("`from` belongs to partitions; here it is `of`", "not `from`")?;
            return Some(what.help("write `of`"));
        }
        None
    }

    fn expression_for_domain(&self) -> Option<Diagnostic> {
        let found = self.found();
        let number = found.starts_with(|character: char| character.is_ascii_digit());
        if !self.expects_domain() || !(number || matches!(found, "{" | "[" | "|" | "-" | "..")) {
            return None;
        }
        let what = self.error("an expression stands where a domain is needed", "no domain")?;
        let set = matches!(found, "{" | "[");
        Some(match self.keyword {
            _ if set && self.before().ends_with(':') && (self.in_quantifier_head() || self.bracket() == Some('[')) => {
                let word = if self.bracket() == Some('[') { "<-" } else { "in" };
                what.help(format!("write `{word}` before a collection, `:` before a domain"))
            }
            _ if set => what.help("the domain of some integers is written `int(1, 3, 7)`"),
            _ => what.help("the integers from 1 to 9 are the domain `int(1..9)`"),
        })
    }

    fn attribute_outside_parentheses(&self) -> Option<Diagnostic> {
        let found = self.found();
        if !is_attribute(found) || !(self.expects_domain() || self.expects(&[Rule::word_of, Rule::word_from])) {
            return None;
        }
        let what = self.error(format!("the attribute `{found}` stands outside parentheses"), "an attribute")?;
        Some(what.help("attributes follow the word of their domain: `set (size 3) of int(1..9)`"))
    }

    fn misspelt_quantifier(&self) -> Option<Diagnostic> {
        let word = self.previous_word();
        if !self.after_operand()
            || !self.found().starts_with(|character: char| is_word_character(character) || character == '(')
        {
            return None;
        }
        let word = if word == "all" { "for all" } else { word };
        let meant = match word {
            "for" | "foreach" | "for all" => "forAll",
            _ => nearest(word, ["forAll", "exists", "product"]).filter(|meant| *meant != word)?,
        };
        let end = self.start + self.before().len();
        let start = end.checked_sub(word.len()).filter(|start| self.text[*start..end] == *word)?;
        let what = Diagnostic::error(Code::SYNTAX, format!("`{word}` is no quantifier"))
            .at(self.span(start, end), "unknown quantifier");
        Some(what.help(format!("did you mean `{meant}`?")))
    }

    fn second_generator(&self) -> Option<Diagnostic> {
        if !self.expects(&[Rule::dot]) || self.found() != ":" {
            return None;
        }
        let next = self.text[self.at + 1..self.end].split(',').next().unwrap_or_default().trim_start();
        let word = next.find(|character| !is_word_character(character)).map_or(next, |end| &next[..end]);
        if next.contains(" . ") || DOMAIN_WORDS.contains(&word) || CONSTRUCTORS.contains(&word) {
            let what = self.error("a quantifier has one domain", "a second one")?;
            return Some(what.help("nest the quantifiers: `forAll i : D . forAll j : E . …`"));
        }
        let what = self.error("what a quantifier says follows a `.`", "`:` instead of `.`")?;
        Some(what.help("write `forAll i : D . …`"))
    }

    fn glued_quantifier(&self) -> Option<Diagnostic> {
        let before = self.before();
        let word = ["sum", "product"].into_iter().find(|word| before.contains(&format!("{word}(")))?;
        if !matches!(self.found(), ":" | ".") {
            return None;
        }
        let what = self.error(format!("`{word}(` begins a function's arguments"), "not in an argument")?;
        Some(
            what.help(format!("write a space after a quantifier's word: `{word} (a, b) in R . …`, `{word} i : D . …`")),
        )
    }

    fn spaced_function(&self) -> Option<Diagnostic> {
        let before = self.before();
        if !self.expects(&[Rule::over]) || !before.ends_with(')') {
            return None;
        }
        let (word, start) = ["sum", "product"]
            .iter()
            .filter_map(|word| Some((word, before.rfind(word)?)))
            .max_by_key(|found| found.1)?;
        if !before[start + word.len()..].trim_start().starts_with('(') {
            return None;
        }
        let what = Diagnostic::error(Code::SYNTAX, format!("`{word} (` begins a quantifier"))
            .at(self.span(self.start + start, self.start + start + word.len()), "a quantifier without a range");
        Some(what.help(format!("write `{word}(…)`, without a space, for the {word} of a collection")))
    }

    fn wrong_arrow(&self) -> Option<Diagnostic> {
        match self.found() {
            arrow @ ("->" | "=" | ":") if self.expects(&[Rule::arrow]) || arrow == "->" && self.expects_domain() => {
                Some(self.error("a function is written with `-->`", "another sign")?.help("write `-->`"))
            }
            _ if self.expects(&[Rule::arrow]) => Some(
                self.error("an arrow `-->` is missing", "no arrow before this")?
                    .help("a function is written `function(1 --> 2, 3 --> 4)`, its domain `function A --> B`"),
            ),
            "-->" if matches!(self.keyword, "find" | "given" | "letting") && self.expects(&[Rule::EOI]) => Some(
                self.error("a function's domain begins with `function`", "an arrow without it")?
                    .help("write `function A --> B`"),
            ),
            "<-" if self.after_operand() => Some(
                self.error("`<-` belongs to generators of comprehensions", "no comparison")?
                    .help("write `< -`, with a space, to compare with a negative number"),
            ),
            _ => None,
        }
    }

    fn wrong_declaration_word(&self) -> Option<Diagnostic> {
        let found = self.found();
        if self.expects(&[Rule::word_be]) && matches!(found, "=" | ":" | "in" | "is") {
            let what = self.error("a letting is written with `be`", format!("`{found}` instead of `be`"))?;
            return Some(what.help("write `letting x be 3`, or `letting D be domain int(1..9)`"));
        }
        if self.expects(&[Rule::colon])
            && matches!(found, "in" | "be" | "=" | "is" | "of")
            && matches!(self.keyword, "find" | "given")
        {
            let what = self.error("a declaration is written with `:`", format!("`{found}` instead of `:`"))?;
            return Some(what.help(format!("write `{} x : int(1..9)`", self.keyword)));
        }
        None
    }

    fn no_domain(&self) -> Option<Diagnostic> {
        let word = self.keyword;
        if !self.expects(&[Rule::colon]) || !self.found().is_empty() || !matches!(word, "find" | "given") {
            return None;
        }
        let what = self.error("a declaration says from which domain the values are", "no domain")?;
        let names = self.before().strip_prefix(word)?.trim();
        Some(match word {
            "find" => what.help(format!("write `find {names} : int(1..9)`")),
            _ => what.help(format!("write `given {names} : int`, or another domain")),
        })
    }

    /// `if a then b else c` and `a ? b : c`
    fn conditional(&self) -> Option<Diagnostic> {
        let previous = self.previous_word();
        let span = match self.found() {
            "?" if self.after_operand() => self.found_span(),
            _ if previous == "if" && self.after_operand() => {
                let end = self.start + self.before().len();
                self.span(end - previous.len(), end)
            }
            _ => return None,
        };
        let what = Diagnostic::error(Code::SYNTAX, "Essence has no conditional expression").at(span, "no operator");
        Some(
            what.help("between constraints, write `(c -> a) /\\ (!c -> b)`")
                .help("between values, write `[b, a; int(0..1)][toInt(c)]`, which is `a` where `c` holds"),
        )
    }

    fn range_in_collection(&self) -> Option<Diagnostic> {
        if self.found() != ".." || !self.after_operand() || !matches!(self.bracket(), Some('{' | '[')) {
            return None;
        }
        let what = self.error("a range belongs to a domain", "between the members of a collection")?;
        Some(
            what.help("a set of all of them is `toSet([i | i : int(1..9)])`, a matrix `[i | i : int(1..9)]`")
                .help("that a number is one of them is `1 <= x /\\ x <= 9`"),
        )
    }

    fn several_objectives(&self) -> Option<Diagnostic> {
        let word = self.keyword;
        if self.found() != ","
            || self.bracket().is_some()
            || !(word.starts_with("minimi") || word.starts_with("maximi"))
        {
            return None;
        }
        let what = self.error("a model has one objective", "a second one")?;
        Some(what.help(format!("write `{word} (x, y)`, if the first is more important than the second, or a sum")))
    }

    fn set_comprehension(&self) -> Option<Diagnostic> {
        if self.found() != "|" || self.bracket() != Some('{') {
            return None;
        }
        let what = self.error("a comprehension is a list, not a set", "no set comprehension")?;
        Some(what.help("write `[x | x <- S]`; `toSet([…])` makes it a set"))
    }

    fn stray_punctuation(&self) -> Option<Diagnostic> {
        match self.found() {
            ";" if self.bracket().is_none() => {
                Some(self.error("statements end without `;`", "not needed")?.help("leave it out"))
            }
            "." if self.before().ends_with(|character: char| character.is_ascii_digit())
                && self.text[self.at + 1..self.end].starts_with(|character: char| character.is_ascii_digit()) =>
            {
                Some(
                    self.error("Essence has no decimal numbers", "only integers")?
                        .help("scale the numbers to integers"),
                )
            }
            _ => None,
        }
    }

    fn reserved_word(&self) -> Option<Diagnostic> {
        let what = |word: &str, span| {
            Diagnostic::error(Code::RESERVED_WORD, format!("`{word}` is a reserved word")).at(span, "cannot be a name")
        };
        let (found, previous) = (self.found(), self.previous_word());
        if self.expected == [Rule::open_parenthesis] && is_reserved(previous) {
            let end = self.start + self.before().len();
            let what = what(previous, self.span(end - previous.len(), end));
            return Some(
                what.help(format!("as an operator it is written `{previous}(…)`; as a name, choose another one")),
            );
        }
        let name_needed =
            self.expects_expression() || self.expects(&[Rule::name, Rule::names, Rule::pattern, Rule::patterns]);
        if !name_needed || !found.starts_with(char::is_alphabetic) || !is_reserved(found) {
            return None;
        }
        let what = what(found, self.found_span());
        Some(if self.expects_expression() {
            what
        } else {
            what.help(format!("choose another name, such as `{found}_`"))
        })
    }

    fn missing_comma(&self) -> Option<Diagnostic> {
        let found = self.found();
        let begins_operand =
            found.starts_with(|character| is_word_character(character) || matches!(character, '{' | '!' | '`'));
        if !begins_operand || !self.after_operand() || self.expects_domain() {
            return None;
        }
        let end = self.start + self.before().len();
        let last = self.text[..end].chars().next_back().map_or(0, char::len_utf8);
        let what = |message| {
            Diagnostic::error(Code::SYNTAX, message)
                .at(self.found_span(), "begins another one")
                .at(self.span(end - last, end), "ends here")
        };
        match (self.keyword, self.bracket()) {
            ("such" | "where", None) if self.first_on_line() => Some(
                what("a comma is missing between two constraints").help("end every constraint but the last with `,`"),
            ),
            (_, Some('(' | '[' | '{')) if found.starts_with(|character: char| character.is_ascii_digit()) => {
                Some(what("a comma is missing between two elements").help("write a `,`"))
            }
            _ => None,
        }
    }
}
