//! Mistakes in values, indices and lists.

use super::{
    row::{Found, Row, row},
    uses::is_declared_as,
};
use crate::syntax::parse::Rule;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("record with colons", "letting r be record {a : 2, b : true}", "word=record|variant { ALL ^: ALL }")
        .with(|m| {
            let inside = m.tokens.around(m.here)? + 1..m.whole.end - 1;
            // A colon in inner brackets belongs to another value.
            let is_sign = |at: &usize| m.tokens.get(*at) == ":" && m.tokens.around(*at) == m.tokens.around(m.here);
            let colons: Vec<usize> = inside.clone().filter(is_sign).collect();
            colons.into_iter().for_each(|colon| m.replace(colon, "="));
            m.name("fields", inside)
        })
        .says("the fields of a record value are written with `=`", "`:` instead of `=`")
        .help(&["write `record {a = 1, b = 2}`"]).fix("{word} {{fields}}").before(&["foreign operator"]),
    row("field without a value", "letting r be record {a, b = 3}", "f=NAME ^,|}").when(|m| m.expects(&[Rule::equals]))
        .says("the field `{f}` needs a value", "no value").at("f").help(&["write `{f} = …`"]),
    row("pair without a function", "letting f be (x --> 2)", "w=function|be? o=(|{ a=ALL ^--> b=ALL )|}")
        .when(|m| (m.after_operand() || m.part("o") == "{") && !matches!(m.previous(), "{" | "," | "("))
        .with(|m| {
            m.set(
                "word",
                match (m.part("w"), m.part("o")) {
                    ("be", _) => "be function",
                    ("", "(") => return None,
                    _ => "function",
                },
            )
        })
        .says("the pairs of a function are written in `function(…)`", "a pair of a function")
        .help(&["write `function(1 --> 2, 3 --> 4)`"]).fix("{word}({a} --> {b})"),
    row("dictionary", "letting f be {1: 2, 3: 4}", "function? { ALL ^ ALL }")
        .when(|m| match m.previous() {
            // In `{1: 2`, a colon after a number starts a tag, so the grammar stops only after it.
            ":" => m.expects(&[Rule::name]),
            before => m.found() == ":" && !matches!(before, "{" | ","),
        })
        .with(|m| {
            let inside = m.tokens.around(m.here)? + 1..m.whole.end - 1;
            inside.clone().filter(|at| m.stuck.tokens.get(*at) == ":").for_each(|colon| m.replace(colon, " -->"));
            m.name("pairs", inside)
        })
        .says("the pairs of a function are written in `function(…)`", "a pair of a function")
        .help(&["write `function(1 --> 2, 3 --> 4)`"]).fix("function({pairs})").before(&["foreign operator"]),
    row("pairs in parentheses", "letting f be function((1, 2), (3, 4))", "function ( ALL ^ ALL )")
        .when(|m| m.previous() == ")" && m.expects(&[Rule::arrow])).with(|m| m.set("pairs", pairs_in_parentheses(m)?))
        .says("the pairs of a function are written with `-->`", "no arrow before this").fix("function({pairs})")
        .before(&["missing arrow"]),
    row("arrow between a pair", "letting f be function(1 -> 2)", "function ( ALL ^ ALL )").with(sign_of_pair)
        .says("the pairs of a function are written with `-->`", "`{s}` instead of `-->`").at("s")
        .help(&["write `{l} --> {r}`"]).fix(" --> ").notation().general()
        .before(&["expression for a domain", "foreign operator", "missing arrow", "number for a size",
            "other arrow", "range for a domain"]),
    row("part in brackets", "letting p be partition([1, 2], [3])", "partition ( ALL ~ ^[|( p=ALL ]|)")
        .says("the parts of a partition are sets", "not in braces").help(&["write `{…}`"]).fix("{{p}}").notation(),
    row("superfluous mark", "such that: x = 1 OR x = 1,, y = 2",
            "that|where|minimising|maximising|minimizing|maximizing ~ ^:|, OR , ~ ^,")
        .when(|m| if m.previous() == "," { m.outside() } else { m.expects_expression() && m.here <= 2 })
        .says("a `{^}` is not needed here", "leave this out").help(&["leave it out"]).fix("").general()
        .before(&["foreign operator"]),
    row("missing index", "m[, 2] = x", "^ ~ ,")
        .when(|m| m.expects_expression() && m.in_index() && m.previous() == "[")
        .says("all indices of a dimension are written `..`", "missing before this").fix(".."),
    row("slice", "m[1, :] = x OR m[1, ...] = x", "[|, ~ ^:|*|. ~ ,|] OR .. ^. ~ ,|]").when(|m| m.bracket() == Some('['))
        .says("all indices of a dimension are written `..`", "not like this").at("*").fix("..").notation(),
    row("bounds for members", "forAll i in [1..3] . i > 0", "w=in|<- [|{ low=OPERAND ^s=..|: high=OPERAND ]|}")
        .when(|m| is_range(m) && (m.part("w") == "<-" || m.in_quantifier_head()))
        .says("a range is a part of a domain", "not a member of a collection").fix(": int({low}..{high})").or_before(),
    row("list of bounds", "max([1..3]) = x", "[ low=OPERAND ^s=..|: high=OPERAND ]").when(is_range)
        .says("a range is a part of a domain", "not a member of a collection").help(&[RANGES])
        .fix("[i | i : int({low}..{high})]").or_before(),
    row("set of bounds", "s = {1..3}", "{ low=OPERAND ^s=..|: high=OPERAND }").when(is_range)
        .says("a range is a part of a domain", "not a member of a collection").help(&[RANGES])
        .fix("toSet([i | i : int({low}..{high})])").or_before(),
    row("range for a collection", "forAll i in 1..3 . i > 0", "w=in|<- low=OPERAND ^s=..|: high=OPERAND")
        .when(|m| is_range(m) && (m.part("w") == "<-" || m.in_quantifier_head()))
        .says("a range is a part of a domain", "not a collection").fix(": int({low}..{high})").or_before(),
    row("range for a set", "x in 1..3 OR x in f(1)..f(2)",
            "x=OPERAND in low=TERM ^s=..|: high=TERM OR in OPERAND ^s=..|: OPERAND")
        .when(is_range).says("a range is a part of a domain", "not a set")
        .help(&["write `1 <= x /\\ x <= 9` to require that `x` is in the range"])
        .fix("({low} <= {x} /\\ {x} <= {high})").or_before(),
    row("decimal number", "x = 1.5", "NUMBER ^. NUMBER").when(|m| m.tokens.is_tight(m.here + 1))
        .says("Essence has no decimal numbers", "only integers").help(&["scale the numbers to integers"]),
    row("method", "s.size() = 2", "^.")
        .with(|m| {
            let text = method(m)?;
            m.set("text", text)
        })
        .says("Essence has no methods", "not an operator of Essence").at("call").fix("{text}"),
    row("dot before a field", "r.a = 2", "^.").with(dot)
        .says("a field or a component is written in square brackets", "not with a dot").at("*").fix("[{field}]")
        .before(&["dot before a guard"]),
    row("character for a name", "x = 'red'", "^ANY")
        .when(|m| {
            let found = m.found();
            m.expects_expression() && (found.starts_with('\'') || matches!(found, "@" | "?" | "€" | "§" | "°" | "√"))
        })
        .with(|m| m.set("first", m.found().chars().next()?))
        .says("nothing in Essence starts with `{first}`", "unexpected")
        .help(&["to name new values, declare a type: `letting colour be new type enum {red, blue}`"]),
];

const RANGES: &str =
    "write `toSet([i | i : int(1..9)])` for the set of these integers, or `[i | i : int(1..9)]` for the list";

/// Returns true for a range. If it is written with a colon, its bounds must be numbers.
fn is_range(m: &Found) -> bool {
    let digits = |name| m.part(name).starts_with(|character: char| character.is_ascii_digit());
    m.part("s") == ".." && m.after_operand() || m.part("s") == ":" && digits("low") && digits("high")
}

/// Finds the dot between an operand and a field, without blanks around it. It is at the position, or earlier if the
/// grammar has read it as the dot of a quantifier.
fn dot(m: &mut Found) -> Option<()> {
    let tokens = &m.stuck.tokens;
    let is_dot = |at: &usize| {
        let indexed =
            at.checked_sub(1).is_some_and(|last| tokens.is_word(last) || matches!(tokens.get(last), ")" | "]"));
        let field = tokens.is_word(at + 1) || tokens.is_number(at + 1);
        // The dot of a quantifier usually has a blank beside it.
        tokens.get(*at) == "." && tokens.is_tight(*at) && tokens.is_tight(at + 1) && indexed && field
    };
    let dot = if is_dot(&m.here) { m.here } else { (m.item()?.start..m.here).find(is_dot)? };
    m.whole = dot..dot + 2;
    m.name("call", dot..dot + 2)?;
    m.name("field", dot + 1..dot + 2)
}

/// Returns the meaning of a method call: `s.size()`, `s.contains(x)`, or `x.f` for a function `f`.
fn method(m: &mut Found) -> Option<String> {
    dot(m)?;
    let (tokens, field) = (&m.stuck.tokens, m.part("field"));
    // The object of the call may consist of several tokens, as in `f(x).size()`.
    let start = tokens.operand_start(m.whole.start);
    let object = tokens.slice(start..m.whole.start);
    // A parenthesis after a blank does not belong to a call.
    let open = Some(m.whole.end).filter(|open| tokens.get(*open) == "(" && tokens.is_tight(*open));
    let close = open.and_then(|open| tokens.partner(open));
    let argument = close.map(|close| tokens.slice(m.whole.end + 1..close));
    m.whole = start..close.map_or(m.whole.end, |close| close + 1);
    Some(match (field, argument) {
        // Java has the field `a.length` and the method `s.size()`.
        ("size" | "length" | "count" | "cardinality", Some("")) | ("size" | "length", None) => format!("|{object}|"),
        ("keys", Some("")) => format!("defined({object})"),
        ("values", Some("")) => format!("range({object})"),
        ("contains" | "includes" | "has", Some(argument)) if !argument.is_empty() => {
            format!("({argument} in {object})")
        }
        (name, None | Some("")) if is_declared_as(m.parser, name, "function") => format!("{name}({object})"),
        _ => return None,
    })
}

/// Returns the pairs `a --> 1, b --> 2` for brackets that contain `(a, 1), (b, 2)`.
fn pairs_in_parentheses(m: &Found) -> Option<String> {
    let open = m.tokens.around(m.here)?;
    let pair = |pair: std::ops::Range<usize>| {
        let inside = pair.start + 1..pair.end - 1;
        let [argument, image] = &m.tokens.split(inside, ",")[..] else { return None };
        // Only pairs in parentheses are rewritten; other texts may have another meaning.
        let whole = m.tokens.get(pair.start) == "(" && m.tokens.partner(pair.start) == Some(pair.end - 1);
        whole.then(|| format!("{} --> {}", m.tokens.slice(argument.clone()), m.tokens.slice(image.clone())))
    };
    let pairs = m.tokens.split(open + 1..m.tokens.partner(open)?, ",").into_iter().filter(|pair| !pair.is_empty());
    Some(pairs.map(pair).collect::<Option<Vec<_>>>()?.join(", "))
}

/// Finds the sign in the pair around the position; only this sign is replaced.
fn sign_of_pair(m: &mut Found) -> Option<()> {
    let (tokens, here) = (&m.stuck.tokens, m.here);
    let open = tokens.around(here)?;
    let pairs = tokens.split(open + 1..tokens.partner(open)?, ",");
    // The pair around the position is the last one that starts before it.
    let pair = pairs.into_iter().rev().find(|pair| pair.start <= here)?;
    // `=` and `:` come last, because they are parts of other signs.
    let signs = ["=>", "->", ":=", "→", "↦", "=", ":"];
    let sign = signs.iter().find_map(|sign| {
        let at = pair.clone().find(|at| tokens.after(*at, sign).is_some())?;
        Some(at..tokens.after(at, sign)?)
    })?;
    // The part is already a pair, or it is too complex for a safe fix.
    if tokens.first(pair.clone(), &["-->", "(", "[", "{"]).is_some() {
        return None;
    }
    let (left, right) = (pair.start..sign.start, sign.end..pair.end);
    m.name("l", left)?;
    m.name("r", right)?;
    m.name("s", sign.clone())?;
    m.whole = sign;
    Some(())
}
