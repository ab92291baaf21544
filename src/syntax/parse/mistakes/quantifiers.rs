//! Quantifiers, generators and comprehensions in the notations of other languages and of mathematics.

use super::{
    QUANTIFIERS, Stuck,
    intervals::{after_next, before_last, domain_of_text},
    row::last_quantifier,
    row::{Found, Row, row},
    uses::is_declared,
    vocabulary::QUANTIFIERS as ALL_QUANTIFIERS,
};
use crate::{
    diagnostic::nearest,
    syntax::parse::{FileParser, Rule, is_name, reading::quantifier_head},
};
use std::ops::Range;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("quantifier in parentheses", "exists(i : int(1..3) . x = i)", "^")
        .with(|m| {
            quantifier_as_call(m)?;
            let inside = m.range("inside")?;
            m.whole.end = inside.start;
            m.tokens.first(inside, &["."]).map(|_| ())
        })
        .says("a quantifier is written without parentheses: `{meant} … . …`", "not like a function").at("call")
        .help(&["write `({meant} i : D . …)`"]).fix("({meant} "),
    row("head in parentheses", "forall(i in 1..3)(i > 0)", "^")
        .with(|m| {
            quantifier_as_call(m)?;
            let tokens = &m.stuck.tokens;
            let close = m.range("inside")?.end;
            let begin = close + 1 + usize::from(tokens.get(close + 1) == ".");
            // The body of a `sum` is one operand, but the body of a `forAll` is a whole clause.
            let whole = matches!(tokens.get(begin), "(" | "{") || matches!(m.value("meant"), "sum" | "product");
            m.whole.end = if whole { tokens.operand_end(begin) } else { tokens.clause_end(begin) };
            m.name("body", begin..m.whole.end)?;
            m.set("head", generators(m)?)
        })
        .says("a quantifier is written without parentheses: `{meant} … . …`", "not like a function").at("call")
        .help(&["write `{meant} i : D . …`"]).fix("({head} . {body})")
        .before(&["range for a collection", "range for a set"]),
    row("quantifier behind the body", "x = i forAll i : int(1..3)", "b=ALL ^h=ALL")
        .when(|m| {
            let quantifies = QUANTIFIERS.contains(&m.found()) && m.after_operand() && m.in_constraints();
            let is_head = |head: Range<usize>| {
                quantifier_head(&m.tokens, head.clone()) && m.tokens.first(head, &[":", "in"]).is_some()
            };
            quantifies && !m.part("b").is_empty() && m.range("h").is_some_and(is_head)
        })
        .says("a quantifier stands before its body", "after the body").fix("{h} . {b}").before(&["conditional"]),
    row("guard", "forAll i : D | i > 1 . x = i", "l=ANY ^w=such|where|with|if|when|st|BAR|; that? r=ANY?")
        .when(|m| (m.found() == "such") == (m.tokens.get(m.here + 1) == "that"))
        .with(|m| {
            let end = m.here + 1 + usize::from(m.found() == "such");
            let tokens = &m.stuck.tokens;
            // If no dot follows, the word itself replaces the dot.
            let has_body = || (end..tokens.line_end(end)).any(|at| tokens.get(at) == "." && !tokens.is_tight(at + 1));
            let sound = m.expects(&[Rule::dot]) && has_body() || m.is_behind_bar();
            m.name("word", m.here..end).filter(|()| sound)
        })
        .says("a condition on quantified names follows a `,`", "`{word}` instead of `,`").at("word")
        .help(&["write `,`"]).fix("{l}, {r}")
        .before(&["semicolon", "expression for a domain", "foreign operator", "single bar"]),
    row("body in braces", "forAll i : D { x = i }", "^{ ~ ALL }").when(|m| m.expects(&[Rule::dot]))
        .with(|m| {
            m.replace(m.tokens.partner(m.here)?, ")");
            Some(())
        })
        .says("the body of a quantifier follows a `.`", "braces are for sets").help(&["write `. (…)`"]).fix(". ("),
    row("word before a body", "forAll i : D do x = i", "^do|then|holds|we|have").when(|m| m.expects(&[Rule::dot]))
        .says("the body of a quantifier follows a `.`", "`{^}` instead of `.`").fix("."),
    row("comprehension with for", "sum([i for i in s if i > 1]) = x OR sum([i for i in s]) = x",
            "f=all|any? o=(|[|{ e=ALL ^for n=SOME in c=SOME if g=ALL )|]|} OR \
             f=all|any? o=(|[|{ e=ALL ^for n=SOME in c=ALL )|]|}")
        .with(comprehension).says("a comprehension is written with `|` and `<-`", "not a word of Essence")
        .help(&["write `[x | x <- s]`"])
        .fix("{open}{e} | {n} {over}, {g}{close} OR {open}{e} | {n} {over}{close}"),
    row("comprehension in parentheses", "sum(i | i : D) = x", "( ~ e=ALL ^BAR g=ALL ~ )").when(generates)
        .says("a comprehension is written in square brackets", "not in parentheses").help(&["write `[x | x <- s]`"])
        .fix("[{e} | {g}]").before(&["single bar"]),
    row("comprehension with a colon", "sum([i : i : D]) = x", "^:")
        .when(|m| m.bracket() == Some('[') && !m.is_behind_bar() && generates(m))
        .says("a comprehension is written with `|`", "not a comprehension of Essence").help(&["write `[x | x <- s]`"])
        .fix("|"),
    row("comprehension with a comma", "sum([2 * i, i : D]) = x", "l=ANY , n=WORD ^ ~ :")
        .when(|m| m.bracket() == Some('[') && !m.is_behind_bar())
        .says("a comprehension is written with `|`", "not a comprehension of Essence").help(&["write `[x | x <- s]`"])
        .fix("{l} | {n}"),
    row("comprehension with two bars", "sum([i || i : D]) = x", "^:")
        .with(|m| {
            let tokens = &m.stuck.tokens;
            let open = tokens.around(m.here).filter(|open| tokens.get(*open) == "[")?;
            let bars = (open..m.here).rev().find(|at| tokens.after(*at, "||").is_some())?;
            m.whole = bars..bars + 2;
            Some(())
        })
        .says("a comprehension is written with one `|`", "one is enough").at("*").help(&["write `[x | x <- s]`"])
        .fix("|"),
    row("generator with an equals sign", "sum([i | i = 1..3]) = x", "BAR ~ n=NAME = low=TERM ^.. high=TERM")
        .when(|m| m.bracket() == Some('['))
        .says("the names of a generator are followed by `:` and a domain", "not like this").at("*")
        .fix("{n} : int({low}..{high})"),
    row("quantifier in a generator", "sum([i | forAll i : D]) = x", "^]").when(|m| m.expects(&[Rule::dot]))
        .with(|m| {
            m.whole = last_quantifier(m)?;
            let bar = m.whole.start.checked_sub(1).filter(|bar| m.tokens.get(*bar) == "|")?;
            (m.tokens.around(bar) == m.tokens.around(m.here)).then_some(())
        })
        .says("a generator has no word before its names", "not needed").at("*").help(&["leave it out"]).fix(""),
    row("misspelt quantifier", "for all i in s . i > 0 OR forall i in s . i > 0",
            "w=for|there ^s=all|each|exists|is OR w=WORD ^")
        .with(|m| {
            let starts = m.found() == "(" || m.tokens.is_word(m.here) || m.tokens.is_number(m.here);
            let similar =
                || nearest(m.part("w"), ["forAll", "exists", "product"]).filter(|meant| *meant != m.part("w"));
            let (start, meant) = match (m.part("w"), m.part("s")) {
                ("for", "all" | "each") => (m.here - 1, "forAll"),
                ("there", "exists" | "is") => (m.here - 1, "exists"),
                (_, "") if m.after_operand() && starts => {
                    let foreign = foreign_quantifier(m, m.here, &ALL_QUANTIFIERS[QUANTIFIERS.len()..]);
                    foreign.or_else(|| Some((m.here - 1, similar()?)))?
                }
                _ => return None,
            };
            m.whole.start = start;
            m.name("written", m.whole.clone())?;
            m.set("meant", meant)
        })
        .says("`{written}` is not a quantifier", "unknown quantifier").at("*").help(&["did you mean `{meant}`?"])
        .fix("{meant}").notation(),
    row("quantifier without names", "forAll in s . x = 1", "^in")
        .when(|m| m.expects(&[Rule::pattern, Rule::patterns])).with(|m| m.name("q", last_quantifier(m)?))
        .says("`{q}` needs a name for the members", "missing before this").help(&["write `{q} i in …`"]),
    row("quantifier without a domain", "exists i . x = i", "^.")
        .when(|m| m.expects(&[Rule::over]) && !m.expects(&[Rule::pattern, Rule::patterns]))
        .with(|m| {
            let quantifier = last_quantifier(m)?;
            m.name("names", quantifier.end..m.here)?;
            m.name("q", quantifier)
        })
        .says("`{q}` needs a domain or a collection", "missing before this")
        .help(&["write `{q} {names} : int(1..9) . …`"]).before(&["dot before a field"]),
    row("of for in", "forAll i of s . i > 0", "^of|from")
        .when(|m| m.expects(&[Rule::over, Rule::pattern, Rule::patterns]) && last_quantifier(m).is_some())
        .says("a quantifier ranges over a collection with `in`", "`{^}` instead of `in`").fix("in"),
    row("missing comma between names", "forAll i j : D . x = i", "l=ANY ^r=NAME")
        .when(|m| m.expects(&[Rule::over, Rule::pattern, Rule::patterns]) && last_quantifier(m).is_some())
        .says("a comma is missing between two names", "the next one starts here").help(&["write a `,`"])
        .fix("{l}, {r}"),
    row("head with a comparison",
            "forAll 1 <= i <= 3 . x = i OR forAll i < 3 . x = i OR forAll i = 1..3 . x = i",
            "^low=TERM a=<|<=|≤ n=NAME b=<|<=|≤ high=TERM OR ^n=NAME b=<|<=|≤ high=TERM OR \
             ^n=NAME = low=TERM ..|to high=TERM")
        .when(|m| m.expects(&[Rule::over, Rule::pattern, Rule::patterns]))
        .with(|m| {
            let (low, high) = (m.part("low"), m.part("high"));
            let first = if m.part("a") == "<" { after_next(low) } else { low.to_owned() };
            m.set("first", if low.is_empty() { "1".to_owned() } else { first })?;
            m.set("last", if m.part("b") == "<" { before_last(high) } else { high.to_owned() })
        })
        .says("a quantifier's names are followed by `:` and a domain", "not like this").at("*")
        .help(&["write `{q} {n} : int({first}..{last})`"]).fix("{n} : int({first}..{last})").at_quantifier(),
    row("second generator", "forAll i : D, j : D . i = j", "^:|,|in").when(|m| m.expects(&[Rule::dot]))
        .with(|m| {
            let (tokens, here) = (&m.stuck.tokens, m.here);
            // The grammar has read the names before this position as a guard: `forAll i : D, j : D . …`.
            let is_listed = |name: &usize| tokens.is_word(*name) && tokens.get(*name - 1) == ",";
            let names = (1..=here / 2).map(|back| here + 1 - 2 * back).take_while(is_listed);
            let first = names.last()?;
            let over = tokens.first(here..tokens.len(), &[":", "in", "."])?;
            if m.found() == "," && tokens.get(over) == "." {
                return None;
            }
            m.whole = first.checked_sub(2)?..first + 1;
            m.name("l", first - 2..first - 1)?;
            m.name("n", first..first + 1)?;
            m.name("q", last_quantifier(m)?)
        })
        .says("a quantifier has one domain", "a second one")
        .help(&["nest the quantifiers: `{q} i : D . {q} j : E . …`"]).fix("{l} . {q} {n}"),
    row("other sign before a body", "forAll i : D : x = i", "l=ANY ^:|in|BAR|;|->").when(|m| m.expects(&[Rule::dot]))
        .with(|m| m.name("q", last_quantifier(m)?))
        .says("the body of a quantifier follows a `.`", "`{^}` instead of `.`").help(&["write `{q} i : D . …`"])
        .fix("{l} .").notation().before(&["semicolon", "single bar"]),
    row("comma before a body", "forAll i : D, x = i", "^")
        .when(|m| m.expects(&[Rule::dot]) && matches!(m.found(), "" | "," | ")" | "]"))
        .with(|m| {
            let (tokens, start) = (&m.stuck.tokens, last_quantifier(m)?.start);
            let over = tokens.first(start..m.here, &[":", "in"])?;
            let comma = tokens.split(over..m.here, ",").first()?.end;
            m.whole = comma - 1..(comma + 1).min(m.here);
            m.name("l", comma - 1..comma)?;
            m.name("comma", comma..comma + 1).filter(|()| comma < m.here)
        })
        .says("the body of a quantifier follows a `.`", "`,` instead of `.`").at("comma")
        .help(&["write `forAll i : D . …`"]).fix("{l} ."),
    row("sum without a blank", "sum(i, j) in R . i = 3", "^:|.")
        .when(|m| {
            let named = m.tokens.is_word(m.here.saturating_sub(1)) && m.tokens.is_word(m.here + 1);
            !(m.found() == "." && m.tokens.is_tight(m.here + 1) && named)
        })
        .with(|m| {
            let tokens = &m.stuck.tokens;
            let glued = |at: &usize| tokens.get(*at) == "(" && tokens.is_tight(*at);
            let is_sum = |open: &usize| matches!(tokens.get(*open - 1), "sum" | "product");
            let open = (1..m.here).rev().filter(glued).find(is_sum)?;
            m.whole = open..open;
            m.name("q", open - 1..open)
        })
        .says("`{q}(` starts a function's arguments", "not in an argument")
        .help(&["write a space after a quantifier's word: `{q} (a, b) in R . …`, `{q} i : D . …`"]).fix(" ")
        .before(&["semicolon", "decimal number"]),
    row("set comprehension", "sum({i | i : D}) = x OR s = {i in t | i > 1} OR s = {i | i <- t}",
            "( ~ { b=ALL ^BAR g=ALL } ~ ) OR { n=NAME in s=SOME ^BAR g=ALL } OR { e=ALL ^BAR g=ALL }")
        .says("a comprehension is written in square brackets", "not in braces")
        .help(&["write `[x | x <- S]`; `toSet([…])` makes it a set"])
        .fix("[{b} | {g}] OR toSet([{n} | {n} <- {s}, {g}]) OR toSet([{e} | {g}])"),
    row("dot before a guard", "forAll i : D . i > 1 . x = i", "^. ANY")
        .when(|m| {
            let apart = !m.tokens.is_tight(m.here) && !m.tokens.is_tight(m.here + 1);
            apart && m.after_operand() && m.outside() && m.item().is_some_and(|item| m.here < item.end)
        })
        .with(|m| {
            let (tokens, item) = (&m.stuck.tokens, m.item()?);
            let quantifier = last_quantifier(m)?.start;
            let dot = tokens.last(quantifier.max(item.start)..m.here, &["."])?;
            m.whole = dot - 1..dot + 2;
            m.name("l", dot - 1..dot)?;
            m.name("dot", dot..dot + 1)?;
            m.name("r", dot + 1..dot + 2).filter(|()| quantifier >= item.start)
        })
        .says("a condition on quantified names follows a `,`", "`.` instead of `,`").at("dot")
        .also("^", "the body starts after this").help(&["write `,`"]).fix("{l}, {r}").before(&["semicolon"]),
];

/// Constraints that the grammar matches with another meaning: `for (i, j) in s, …` is parsed as a call.
#[rustfmt::skip]
pub(super) const MISREAD: &[Row] = &[
    row("quantifier read as a call", "for (i, j) in R: i = j OR for (i, j) in R . i = j",
            "^w=forall|foreach|for ( n=ALL ) in c=SOME s=,|: OR ^w=forall|foreach|for ( n=ALL ) in c=SOME")
        .when(|m| !is_declared(m.parser, m.part("w")) && m.part("n").split(',').all(|name| is_name(name.trim())))
        .with(|m| m.set("dot", if m.part("s").is_empty() { "" } else { " ." }))
        .says("`{w}` is not a quantifier", "unknown quantifier").at("w")
        .help(&["write `forAll (i, j) in s . …`"]).fix("forAll ({n}) in {c}{dot}").notation(),
];

/// Returns the start of the quantifier word that ends before a position, and its meaning.
fn foreign_quantifier<'q>(stuck: &Stuck, end: usize, known: &'q [(&str, &str)]) -> Option<(usize, &'q str)> {
    known.iter().find_map(|(written, meant)| Some((stuck.tokens.before(end, written)?, *meant)))
}

/// Recognises a quantifier with parentheses around its generator, at the position or around it.
fn quantifier_as_call(m: &mut Found) -> Option<()> {
    let tokens = &m.stuck.tokens;
    let open = if m.found() == "(" { m.here } else { tokens.around(m.here)? };
    let (start, meant) = foreign_quantifier(m, open, ALL_QUANTIFIERS)?;
    let inside = open + 1..tokens.partner(open).filter(|_| tokens.get(open) == "(")?;
    let has = |wanted: [&str; 2]| tokens.first(inside.clone(), &wanted).is_some();
    // If `for` or `|` occurs, it is a comprehension: `all(x for x in s)`.
    if !has([":", "in"]) || has(["for", "|"]) {
        return None;
    }
    m.whole = start..inside.end;
    m.name("call", start..open + 1)?;
    m.name("inside", inside)?;
    m.set("meant", meant)
}

/// Returns true if a generator follows the sign at the position.
fn generates(m: &Found) -> bool {
    m.tokens.is_word(m.here + 1) && matches!(m.tokens.get(m.here + 2), ":" | "," | "<" | "<-" | "in")
}

/// Sets the brackets and the generator for a comprehension of Python.
fn comprehension(m: &mut Found) -> Option<()> {
    let over = generator_over(m.parser, m.part("c"));
    m.set("over", over.replacen("in ", "<- ", 1))?;
    let word = match m.part("f") {
        "all" => "and",
        "any" => "or",
        _ => "",
    };
    let (open, close) = match m.part("o") {
        "(" => ("([", "])"),
        "{" => ("toSet([", "])"),
        _ => ("[", "]"),
    };
    if m.part("c").contains(" for ") {
        // With several `for`s there is no fix, so the parts lose their ranges and the text is replaced as a whole.
        m.set("e", m.part("e"))?;
        m.set("n", m.part("n"))?;
    }
    m.set("open", format!("{word}{open}"))?;
    m.set("close", close)
}

/// Converts the generators in the part `inside` to quantifiers. Commas separate them: `i, j in S, k in T`.
fn generators(m: &Found) -> Option<String> {
    let (tokens, quantifier) = (&m.stuck.tokens, m.value("meant"));
    let (mut heads, mut names): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    for part in tokens.split(m.range("inside")?, ",") {
        let find = |wanted: &[&str]| tokens.first(part.clone(), wanted);
        let end = find(&["where"]).unwrap_or(part.end);
        match (find(&["in", ":"]), heads.last_mut()) {
            (Some(sign), _) => {
                let collection = tokens.slice(sign + 1..end);
                let domain = || format!(": {collection}");
                let over = if tokens.get(sign) == "in" { generator_over(m.parser, collection) } else { domain() };
                names.push(tokens.slice(part.start..sign));
                heads.push(format!("{quantifier} {} {over}", names.join(", ")));
                names.clear();
            }
            // A part without a collection, as in `i in S, i > 2`, is a condition.
            (None, Some(last)) if part.len() > 1 => *last += &format!(", {}", tokens.slice(part.clone())),
            // In `i, j in S`, the collection of `i` comes only after `j`.
            _ => names.push(tokens.slice(part.clone())),
        }
        if let Some(last) = heads.last_mut().filter(|_| end < part.end) {
            *last += &format!(", {}", tokens.slice(end + 1..part.end));
        }
    }
    Some(heads.join(" . "))
}

/// Returns `in s`, or `: D` if the text denotes a domain.
fn generator_over(file: &FileParser, collection: &str) -> String {
    domain_of_text(file, collection).map_or(format!("in {collection}"), |domain| format!(": {domain}"))
}
