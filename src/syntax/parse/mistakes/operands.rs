//! Reserved words that are used as names, and missing operators or commas between two operands.

use super::{
    Mistake, Stuck,
    row::{Found, Row, row},
    uses::{has_tokens, is_declared_as},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::parse::{FileParser, Rule, is_reserved},
};
use std::ops::Range;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("reserved word again", "find max : bool\nsuch that max", "").by(renamed_word)
        .before(&["in before a domain", "arrow before a domain", "membership in a domain", "be without domain",
            "domain as an operand"]),
    row("reserved word", "find max : bool", "").by(reserved_word),
    row("tuple without an operator", "(x, z) R", "t=OPERAND ^n=NAME")
        .when(|m| m.after_operand() && m.same_line() && m.part("t").starts_with('(') && m.part("t").contains(','))
        .says("an operator is missing", "no operator before this").fix("{t} in {n}"),
    row("relation between its operands", "find R : relation of (D * D)\nsuch that 1 R 2",
            "l=OPERAND ^f=NAME r=OPERAND")
        .when(|m| m.after_operand() && m.same_line() && is_declared_as(m.parser, m.found(), "relation"))
        .says("a relation stands before its operands", "not between them").fix("{f}({l}, {r})"),
    row("argument without parentheses", "find f : function D --> D\nsuch that f x = 1", "f=NAME ^x=OPERAND")
        .when(|m| {
            let sound = m.after_operand() && m.same_line() && m.at_name();
            sound && is_declared_as(m.parser, m.part("f"), "function")
        })
        .says("the argument of a function is written in parentheses", "not in parentheses").fix("{f}({x})"),
    row("missing comma between indices", "m[x; z] = 1 OR m[x z] = 1", "l=ANY ^; r=ANY OR l=ANY ^r=ANY")
        .when(|m| m.in_index() && m.after_operand() && (m.found() == ";" || m.at_name()))
        .says("a comma is missing between two indices", "the next one starts here").help(&["write a `,`"])
        .fix("{l}, {r}"),
    row("missing dot", "forAll i in s\nx = i", "l=ANY ^ ~")
        .when(|m| starts_operand(m) && m.expects(&[Rule::dot]) && m.first_on_line())
        .says("a `.` is missing before the body of a quantifier", "the body starts here")
        .also("<", "`.` is needed after this").help(&["write `.`"]).fix("{l} ."),
    row("missing comma between constraints", "x = 1\nz = 2", "l=ANY ^ ~")
        .when(|m| {
            let next = m.in_constraints() && m.outside() && (m.first_on_line() || between_comparisons(m));
            starts_operand(m) && next
        })
        .says("a comma is missing between two constraints", "the next one starts here")
        .also("<", "the first one ends here").help(&["end every constraint but the last with `,`"]).fix("{l},")
        .general(),
    row("missing comma between elements", "s = {1 2}", "l=ANY ^ ~")
        .when(|m| starts_operand(m) && !m.outside() && m.tokens.is_number(m.here))
        .says("a comma is missing between two elements", "the next one starts here")
        .also("<", "the first one ends here").help(&["write a `,`"]).fix("{l},").general(),
    row("missing sign of multiplication", "2x = 4", "l=NUMBER ^r=ANY")
        .when(|m| {
            let starts = m.found() == "(" || m.at_name();
            starts && m.after_operand() && m.same_line() && !m.expects_domain()
        })
        .says("an operator is missing between a number and a name", "an operator is needed before this")
        .help(&["write `*` to multiply"]).fix("{l} * {r}"),
];

/// Recognises a reserved word that has already been reported as a name.
fn renamed_word(stuck: &Stuck) -> Option<Mistake> {
    let (found, previous) = (stuck.found(), stuck.previous_word());
    let renamed = stuck.parser.renamed.borrow();
    let end = stuck.before().len();
    let (range, (name, report)) = match (renamed.get(found), renamed.get(previous)) {
        // Before parentheses, the word is meant as an operator: `max(s)`.
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
    // The grammar reads `max` in an expression as an operator, so it stops after the word.
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
    let [first, second, third] = free_names(stuck.parser, word)?;
    let what = if as_operator { what.note(format!("as an operator it is written `{word}(…)`")) } else { what };
    let declares = matches!(stuck.keyword, "find" | "given" | "letting") && !as_operator && !stuck.expects_expression();
    // This is the index that the report about this word will have.
    let report = stuck.parser.faults.borrow().len();
    stuck.parser.renamed.borrow_mut().insert(word.to_owned(), (first.clone(), report));
    if as_operator || declares || stuck.in_quantifier_head() {
        let what = if as_operator { what } else { what.note(format!("`{second}` and `{third}` are free, too")) };
        let fits_data = stuck.keyword == "given" && first.strip_suffix('_') == Some(word);
        let what = match fits_data {
            true => what.note(format!("in JSON, the key `\"{word}\"` gives `{first}` its value")),
            false => what,
        };
        return Some(Mistake::from(what).change(range, first));
    }
    let what = what.help(format!("choose another name, such as `{first}`, `{second}` or `{third}`"));
    Some(Mistake { general: true, ..Mistake::from(what).change(range, first) })
}

/// Returns three names that resemble a word and do not occur in the file.
fn free_names(file: &FileParser, word: &str) -> Option<[String; 3]> {
    let capital = word.get(..1)?.to_uppercase() + &word[1..];
    let candidates = [
        format!("{word}_"),
        format!("my{capital}"),
        format!("the{capital}"),
        format!("{word}1"),
        format!("{word}2"),
        format!("{word}__"),
    ];
    let mut free = candidates.into_iter().filter(|name| !has_tokens(file, &[name]));
    Some([free.next()?, free.next()?, free.next()?])
}

/// Returns true if an operand directly follows another one.
fn starts_operand(m: &Found) -> bool {
    let starts = m.tokens.is_word(m.here) || m.tokens.is_number(m.here) || matches!(m.found(), "{" | "!" | "`");
    starts && m.after_operand() && !m.expects_domain()
}

/// Returns true if there is a comparison on both sides of the position: `x = 1 y = 2`.
fn between_comparisons(m: &Found) -> bool {
    let tokens = &m.stuck.tokens;
    let compares = |range: Range<usize>| {
        // Comparisons in brackets do not count.
        let outside = |at: &usize| tokens.around(*at).is_none_or(|open| open < range.start);
        range.clone().filter(outside).any(|at| tokens.get(at).contains(['=', '<', '>']))
    };
    let starts = ["that", "where", ",", ".", "->", "/\\", "\\/"];
    let start = tokens.last(0..m.here, &starts).map_or(0, |at| at + 1);
    compares(start..m.here) && compares(m.here..tokens.clause_end(m.here))
}
