//! Operators of other languages, and operators in another notation than in Essence.

use super::{
    row::{Found, Row, row},
    vocabulary::{OPERATORS, QUANTIFIERS},
};
use crate::{
    operators,
    syntax::parse::{Rule, is_word_character},
};
use std::ops::Range;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("implication backwards", "x = 1 <- b", "l=ALL ^s=:-|<-|⇐|← r=ALL")
        .when(|m| {
            // In `x <-1`, `x` is compared with -1.
            let arrow = m.part("s") != "<-" || m.after_operand() && !m.tokens.is_number(m.here + 1);
            arrow && m.outside() && m.in_constraints()
        })
        .with(|m| {
            m.set("left", in_parentheses(m, "l"))?;
            m.set("right", in_parentheses(m, "r"))
        })
        .says("`{s}` is not an operator of Essence", "unknown operator").at("s")
        .help(&["write `a -> b` for \"if a, then b\""]).fix("{right} -> {left}").or_before()
        .before(&["arrow for less than minus"]),
    foreign_sign("image under the inverse", "f^-1(2) = 1", "f=OPERAND ^o=^ - 1 ( y=ALL ) = x=CLAUSE")
        .when(|m| m.after_operand()).help(&["write `f(x) = y`"]).fix("{f}({x}) = {y}"),
    foreign_sign("inverse", "s = f^-1(2)", "f=OPERAND ^o=^ - 1 ( y=ALL )").when(|m| m.after_operand())
        .help(&["write `preImage(f, y)` for the set of all `x` with `f(x) = y`"]).fix("preImage({f}, {y})"),
    foreign_sign("negated membership", "x ∉ s", "^")
        .with(|m| {
            foreign_operator(m, &["not in", "notin", "∉"])?;
            let (tokens, sign) = (&m.stuck.tokens, m.whole.clone());
            m.whole = tokens.operand_start(sign.start)..tokens.operand_end(sign.end);
            m.name("l", m.whole.start..sign.start)?;
            m.name("r", sign.end..m.whole.end)
        })
        .help(&["write `!(… in …)`"]).fix("!({l} in {r})").before(&["unknown statement"]),
    foreign_sign("negation", "not x = 2", "^")
        .with(|m| {
            foreign_operator(m, &["not", "¬", "~"])?;
            let (tokens, start) = (&m.stuck.tokens, m.whole.end);
            m.whole.end = tokens.clause_end(start);
            // After `!`, a single operand needs no parentheses.
            let part = if tokens.operand_end(start) >= m.whole.end { "operand" } else { "clause" };
            m.name(part, start..m.whole.end)
        })
        .help(&["write `!`"]).fix("!{operand} OR !({clause})").before(&["matrix without domains", "unknown statement"]),
    foreign_sign("and between lines", "x = 1 and\nz = 2", "^").when(|m| m.in_constraints() && m.outside())
        .with(|m| {
            foreign_operator(m, &["and", "&&"])?;
            let ends_line = m.tokens.starts_line(m.whole.end);
            // The comma is appended to the token before the word, so the match includes that token.
            m.whole.start = m.whole.start.checked_sub(1).filter(|_| ends_line || m.first_on_line())?;
            m.name("l", m.whole.start..m.whole.start + 1)
        })
        .help(&["write `,` between constraints"]).fix("{l},").general(),
    foreign_sign("foreign operator", "x == 2", "^").with(meant).help(&["write `{meant}`"]).fix("{text}")
        .before(&["expression for a domain", "head with a comparison", "matrix without domains",
            "other sign before a body", "range with a colon", "second generator",
            "set comprehension", "sign for a colon", "sum without a blank", "unknown statement"]),
    row("membership", "s contains x", "c=OPERAND ^contains|includes m=CLAUSE").when(|m| m.after_operand())
        .says("`{^}` is not an operator of Essence", "not an operator").fix("{m} in {c}")
        .before(&["definition", "unknown statement"]),
    row("missing left side", "x >= 2 /\\ <= 4", "/\\|\\/ ^<=|>=|<|>|=|!= ANY").when(|m| m.expects_expression())
        .with(|m| {
            let tokens = &m.stuck.tokens;
            let earlier = tokens.last(0..m.here - 1, &COMPARISONS)?;
            let operand = tokens.operand_start(earlier)..earlier;
            m.whole = m.here..m.here + 1;
            m.set("left", tokens.slice(operand)).filter(|()| earlier > 0)
        })
        .says("the left side of `{^}` is missing", "the left operand is missing before this")
        .help(&["write `{left} {^} …`"]).fix("{left} {^}"),
    row("question mark", "x = (b ? 1 : 2)", "^?|if")
        .when(|m| m.after_operand() && (m.found() == "?" || m.bracket() != Some('[')))
        .says(NO_CONDITIONALS, "not an operator of Essence").help(CONDITIONALS).before(&["character for a name"]),
    row("conditional in braces", "if (b) { x = 1 } else { x = 2 } OR if (b) { x = 1 }",
            "k=if ( ALL ) ^{ y=ALL } else { n=ALL } OR k=if ( ALL ) ^{ y=ALL }")
        .with(|m| {
            let close = m.here - 1;
            m.name("c", m.tokens.partner(close)?..close + 1)?;
            conditional(m)
        })
        .says("Essence has no conditional statement", "not an operator of Essence").at("k")
        .help(&["write `(c -> a) /\\ (!c -> b)`"]).fix("({c} -> {y}) /\\ (!{c} -> {n}) OR {c} -> {y}"),
    row("conditional value", "x = if b then 2 else 3", "w=ANY ~ k=if ^ c=SOME then y=SOME else n=ALL")
        .when(|m| m.after_operand() && is_value(m))
        .with(|m| {
            let (yes, no) = (without_end(m.part("y")), without_end(m.part("n")));
            let text = match (yes, no, m.part("c")) {
                ("1", "0", c) => format!("toInt({c})"),
                (_, "0", c) => format!("toInt({c}) * {}", in_parentheses(m, "y")),
                (yes, no, c) => format!("[{no}, {yes}; int(0..1)][toInt({c})]"),
            };
            m.set("text", text)
        })
        .says(NO_CONDITIONALS, "not an operator of Essence").at("k").fix("{text}"),
    row("conditional", "if b then x = 1 else x = 2 OR if b then x = 1 OR if b",
            "k=if ^ c=SOME then y=SOME else n=ALL OR k=if ^ c=SOME then y=ALL OR k=if ^")
        .when(|m| m.after_operand()).with(conditional).says(NO_CONDITIONALS, "not an operator of Essence").at("k")
        .help(CONDITIONALS).fix("({c} -> {y}) /\\ (!{c} -> {n}) OR {c} -> {y}").before(&["range for a set"]),
    row("number of members", "#s = 2", "^# s=OPERAND").when(|m| m.expects_expression())
        .says("the number of members is written between bars", "not an operator of Essence").help(&["write `|s|`"])
        .fix("|{s}|"),
    row("union of the members", "union(s) = t", "^union ( s=ALL )")
        .when(|m| m.expects_expression() && m.tokens.is_tight(m.here + 1) && !m.part("s").contains(','))
        .says("`union` is written between its operands", "not like a function")
        .help(&["write `toSet([x | s <- S, x <- s])` for the union of all sets in `S`"])
        .fix("toSet([x | s <- {s}, x <- s])"),
    row("infix operator as a function", "union(s, t) = s OR subset(s)",
        "^union|intersect|in|subset|subsetEq|supset|supsetEq ( a=ALL )")
        .when(|m| m.expects_expression() && m.tokens.is_tight(m.here + 1))
        .with(|m| {
            if let [left, right] = &m.stuck.tokens.split(m.here + 2..m.whole.end - 1, ",")[..] {
                m.name("l", left.clone())?;
                m.name("r", right.clone())?;
            }
            Some(())
        })
        .says("`{^}` is written between its operands", "not like a function").help(&["write `s {^} t`"])
        .fix("({l} {^} {r})"),
    row("single bar", "x = 1 | z = 2", "^|")
        .when(|m| {
            // An even number of bars means pairs of bars around operands, as in `|x|`.
            let bars = |item: Range<usize>| item.filter(|at| m.tokens.get(*at) == "|").count();
            !matches!(m.bracket(), Some('{' | '[')) && m.item().is_some_and(|item| bars(item) % 2 == 1)
        })
        .says("`|` is not an operator between conditions", "unknown operator").fix("\\/"),
    row("bar never closed", "|x - z > 1 OR |x", "^").when(never_closed)
        .with(|m| {
            let open = m.last_bar()?;
            m.name("bar", open..open + 1)?;
            let Some(comparison) = m.tokens.first(open..m.here, &COMPARISONS) else { return Some(()) };
            m.whole = comparison - 1..comparison;
            m.name("last", m.whole.clone())
        })
        .says("this `|` is never closed", "opened here").at("bar").help(&["close it: `|x|`"]).fix("{last}|"),
    row("and between constraints", "x = 1, and z = 2", ", ~ w=and ^n=ANY").when(is_behind_operator)
        .says("a comma is enough between two constraints", "not needed").at("w").help(&["leave it out"]).fix("{n}"),
    row("brackets for operands", "x = max[z, 1]", "w=WORD ^[ x=ALL ]")
        .when(|m| is_behind_operator(m) && m.part("x").contains([',', '|']))
        .says("the operands of `{w}` are written in parentheses", "`{w}` is an operator").at("w")
        .help(&["write `{w}([…])`"]).fix("{w}([{x}])"),
    row("operand without parentheses", "allDiff[m] OR x = max m", "w=WORD ^[ x=ALL ] OR w=WORD ^x=OPERAND")
        .when(|m| {
            // In `x = 1, or z = 2`, `or` is not intended as a function.
            let named = m.at_name() && !(m.part("w") == "or" && m.tokens.get(m.here - 2) == ",");
            is_behind_operator(m) && (m.found() == "[" || named)
        })
        .says("the operands of `{w}` are written in parentheses", "`{w}` is an operator").at("w")
        .help(&["write `{w}(…)`"]).fix("{w}({x})"),
];

/// A row about a sign or word of another language, which is the part `o`.
const fn foreign_sign(name: &'static str, example: &'static str, tokens: &'static str) -> Row {
    row(name, example, tokens).says("`{o}` is not an operator of Essence", "unknown operator").at("o").notation()
}

const COMPARISONS: [&str; 6] = ["<", ">", "<=", ">=", "=", "!="];

const NO_CONDITIONALS: &str = "Essence has no conditional expression";

const CONDITIONALS: &[&str] = &[
    "between constraints, write `(c -> a) /\\ (!c -> b)`",
    "between values, write `[b, a; int(0..1)][toInt(c)]`, which is `a` if `c` holds",
];

/// Returns true if a bar is open at a position after which nothing can follow.
fn never_closed(m: &Found) -> bool {
    m.expects(&[Rule::close_bar]) && matches!(m.found(), "" | "," | ")" | "]")
}

/// Returns true if the previous word is an operator whose operands must follow in parentheses.
fn is_behind_operator(m: &Found) -> bool {
    m.expects(&[Rule::open_parenthesis]) && operators::function(m.previous()).is_some()
}

/// Returns true if a conditional is an operand, or the body of a sum.
fn is_value(m: &Found) -> bool {
    let quantifiers = |word: &str| QUANTIFIERS.iter().any(|(known, _)| *known == word);
    match m.part("w") {
        "." => {
            // The body of a quantifier is a value only under `sum` or `product`.
            let last = (0..m.here).rev().map(|at| m.tokens.get(at)).find(|word| quantifiers(word));
            matches!(last, Some("sum" | "product"))
        }
        before => before.ends_with(['=', '+', '-', '*', '<', '>', '|']),
    }
}

/// Puts the parts of a conditional in parentheses.
fn conditional(m: &mut Found) -> Option<()> {
    for part in ["c", "y", "n"].into_iter().filter(|part| m.range(part).is_some()).collect::<Vec<_>>() {
        m.set(part, in_parentheses(m, part))?;
    }
    Some(())
}

fn without_end(text: &str) -> &str {
    text.trim_end_matches("endif").trim_end_matches(';').trim()
}

/// Returns a part in parentheses, or without them if the part is a single operand.
fn in_parentheses(m: &Found, part: &str) -> String {
    let text = without_end(m.part(part));
    match m.range(part).is_some_and(|range| m.tokens.operand_end(range.start) == range.end) {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

/// Finds the operator of another language at the position; if `wanted` is not empty, only these operators count. The
/// grammar may have read its first characters as an operator of Essence.
fn foreign_operator(m: &mut Found, wanted: &[&str]) -> Option<()> {
    let tokens = &m.stuck.tokens;
    let (written, meant, range) = OPERATORS.iter().find_map(|(written, meant)| {
        let reaches = |start: usize| Some(start..tokens.after(start, written).filter(|end| *end > m.here)?);
        let range = (m.here.saturating_sub(written.len() - 1)..=m.here).rev().find_map(reaches)?;
        Some((*written, *meant, range))
    })?;
    let infix = written.starts_with(|character: char| character.is_ascii_alphabetic()) && written != "not";
    let declares = m.expects(&[Rule::word_be, Rule::colon]) && m.outside() || m.expects(&[Rule::arrow]);
    if infix && !m.after_operand() || declares || !wanted.is_empty() && !wanted.contains(&written) {
        return None;
    }
    m.whole = range.clone();
    m.set("meant", meant)?;
    m.name("o", range)
}

/// Sets the intended operator, with blanks if it would merge with a word.
fn meant(m: &mut Found) -> Option<()> {
    foreign_operator(m, &[])?;
    let (text, range) = (m.stuck.text, m.stuck.tokens.offsets(m.whole.clone()));
    let meant = m.value("meant");
    let blank = |joins: bool| if joins && meant.starts_with(char::is_alphabetic) { " " } else { "" };
    let before = blank(text[..range.start].ends_with(is_word_character));
    let after = blank(text[range.end..].starts_with(is_word_character));
    let text = format!("{before}{meant}{after}");
    m.set("text", text)
}
