//! Statements and declarations of other languages, and signs between constraints.

use super::{
    Mistake, Stuck,
    intervals::{domain_of_range, domain_of_text},
    row::{Found, Row, row},
    uses::{is_domain, used_as_set},
    vocabulary::{QUANTIFIERS, STATEMENTS},
};
use crate::{
    diagnostic::nearest,
    syntax::parse::{Rule, is_name, is_reserved, scan::STATEMENT_WORDS},
};
use std::ops::Range;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("macro", "#define n 3", "^k=#define n=NAME v=LINE").with(as_domain)
        .says("a value gets its name with `letting`", "not a word of Essence").at("k").fix("letting {n} be {v}"),
    row("unnamed type without its size", "letting E be new type of size = 3", "^letting|given n=NAME")
        .with(|m| {
            let (has_size, _) = new_type(m)?;
            let size = m.part("members");
            (has_size && (size.starts_with(|c: char| c.is_ascii_digit()) || is_name(size))).then_some(())
        })
        .says("an unnamed type needs its size", "not like this").at("shape")
        .fix("letting {n} be new type of size {members}").at_start(),
    row("type without members", "given E : enum", "^letting|given n=NAME")
        .with(|m| (new_type(m)? == (false, true)).then_some(()))
        .says("a type whose members are in the parameter file is declared with `given`", "not like this").at("shape")
        .fix("given {n} new type enum").at_start().before(&["foreign operator"]),
    row("misshapen type", "letting E be enum {a, b}", "^letting|given n=NAME")
        .with(|m| {
            let is_list =
                new_type(m)? == (false, false) && m.part("members").split(',').all(|one| is_name(one.trim()));
            is_list.then_some(())
        })
        .says("the members of a type are written in braces after `new type enum`", "not like this").at("shape")
        .fix("letting {n} be new type enum {{members}}").at_start(),
    row("numbers for members", "letting E be new type enum {1, 2}", "^letting|given n=NAME")
        .with(|m| {
            let digits = new_type(m)? == (false, false) && m.part("members").starts_with(|c: char| c.is_ascii_digit());
            digits.then_some(())
        })
        .says("the members of a type must be names", "not names").at("members")
        .help(&["write names: `new type enum {monday, tuesday}`",
            "the numbers from 1 to 3 are a domain: `letting {n} be domain int(1..3)`"])
        .at_start(),
    row("values of several names", "letting a, b be 1, 2", "^letting ns=SOME be vs=ALL")
        .with(|m| {
            let tokens = &m.stuck.tokens;
            let names = tokens.split(m.range("ns")?, ",");
            let values = tokens.split(m.range("vs")?, ",");
            let sound = names.iter().all(|name| is_name(tokens.slice(name.clone())))
                && values.iter().all(|value| !value.is_empty());
            let pairs = names.iter().zip(&values);
            let letting = |(name, value): (&Range<usize>, &Range<usize>)| {
                format!("{} be {}", tokens.slice(name.clone()), tokens.slice(value.clone()))
            };
            m.set("pairs", pairs.map(letting).collect::<Vec<_>>().join(", "))?;
            (sound && names.len() > 1 && names.len() == values.len()).then_some(())
        })
        .says("a letting gives all its names the same value", "each of these names needs its own `be`").at("ns")
        .fix("letting {pairs}").general().at_start(),
    row("value for a domain", "letting D be 1..3", "^letting n=NAME be d=domain? v=LINE")
        .when(|m| m.has_one_item())
        .with(|m| {
            m.set("domain", domain_of_text(m.parser, m.part("v")).filter(|domain| domain != m.part("v"))?)?;
            (!m.part("d").is_empty() || !used_as_set(m.parser, m.part("n"))).then_some(())
        })
        .says("a domain of integers is written `int(…)`", "not a domain").at("v")
        .fix("letting {n} be domain {domain}").at_start()
        .before(&["expression for a domain", "list of bounds", "misspelt quantifier", "range for a domain",
            "range for a set", "range of Python", "set for a domain", "set of bounds"]),
    row("letting with a sign", "letting n = 3", "^letting|given n=NAME s=:=|==|= v=LINE").when(|m| m.has_one_item())
        .with(as_domain).says("a letting is written with `be`", "`{s}` instead of `be`").at("s")
        .fix("letting {n} be {v}").at_start().before(&["foreign operator"]),
    row("typed declaration", "var 1..9: x OR int n = 5",
            "^t=SOME : n=NAME e==? v=LINE? ;? OR \
             ^t=int|integer|Integer|float|bool|boolean|Boolean n=NAME e==? v=LINE? ;?")
        .when(|m| starts_line(m) && !m.part("t").contains(['\n', ';'])).with(typed_declaration)
        .says(NO_DECLARATION, "not a declaration of Essence").at("*").fix("{text}"),
    row("array in Java", "int[] x = new int[3]", "^int|integer|bool|boolean [ ] n=NAME = new WORD [ size=ALL ] ;?")
        .when(starts_line).says(NO_DECLARATION, "not a declaration of Essence").at("*")
        .fix("find {n} : matrix indexed by [int(1..{size})] of int(1..9)"),
    row("solve minimise", "solve minimise (x + z) OR solve maximise (x + z)",
            "^w=solve o=minimize|minimise|maximize|maximise v=LINE").when(starts_line)
        .with(|m| m.set("meant", if m.part("o").starts_with("min") { "minimising" } else { "maximising" }))
        .says("an objective is written without `solve`", "not a word of Essence").at("w").fix("{meant} {v}")
        .general(),
    row("solve", "solve satisfy;", "^w=solve LINE? ;?").when(starts_other)
        .says("the solver always runs: no statement is needed", "not a word of Essence").at("w")
        .help(&["leave it out"]).fix("").general(),
    row("output", "print(x)", "^w=output|print|show LINE? ;?").when(starts_other)
        .says("solutions are always printed: no statement is needed", "not a word of Essence").at("w")
        .help(&["leave it out"]).fix("").general(),
    row("import", "include \"globals.mzn\";", "^w=include|import LINE? ;?").when(starts_other)
        .says("a model imports nothing", "not a word of Essence").at("w").help(&["leave it out"]).fix("").general(),
    row("word between constraints", "x = 1\nconstraint z = 2", "l=ANY ^w=assert|require|constraint n=WORD")
        .when(|m| starts_line(m) && m.in_constraints())
        .with(|m| m.set("comma", if m.part("l") == "," { "" } else { "," }))
        .says("a constraint has no keyword before it", "not needed").at("w").help(&["write `,`"])
        .fix("{l}{comma} {n}").general(),
    row("language without its word", "Essence 1.3", "^w=Essence|essence v=NUMBER ~ rest=LINE?").when(starts_other)
        .says("the language is named after `language`", "not a word of Essence").at("w")
        .help(&["write `language Essence {v}{rest}`"]).fix("language Essence {v}").general(),
    row("enumeration", "enum item = {a, b} OR enum item {a, b}", "^enum|type n=NAME =? { m=ALL } ;?").when(declares)
        .says(NO_DECLARATION, "not a declaration of Essence").at("*").fix("letting {n} be new type enum {{m}}"),
    row("enumeration without members", "enum item", "^enum n=NAME ;?").when(|m| declares(m) && stands_at_end_of_line(m))
        .says(NO_DECLARATION, "not a declaration of Essence").at("*").fix("given {n} new type enum"),
    row("domain without a keyword", "x : int(1..3)",
        "^n=NAME : v=int|bool|set|mset|matrix|function|relation|partition|sequence ~ rest=LINE?")
        .when(declares).with(|m| m.name("line", m.here..m.range("rest").unwrap_or(m.whole.clone()).end))
        .says(NO_DECLARATION, "not a declaration of Essence").at("line").help(&["write `find {line}`"])
        .fix("find {n} : {v}"),
    row("definition", "let n = 3 OR n := 3", "^let n=NAME = v=LINE ;? OR ^n=NAME :=|==|=|: v=LINE ;?").when(declares)
        .with(as_domain).says(NO_DECLARATION, "not a declaration of Essence").at("*").fix("letting {n} be {v}"),
    row("letting without its word", "n be 3", "^n=WORD ~ be ANY").when(starts_line)
        .says("`{n}` does not start a statement", "unknown statement").help(&["write `letting {n} be …`"])
        .fix("letting {n}"),
    row("dominance relation in one word", "dominanceRelation s subset fromSolution(s)",
            "^w=dominanceRelation|DominanceRelation|dominancerelation")
        .when(|m| starts_line(m) || m.after_operand())
        .says("`{w}` does not start a statement", "unknown statement").at("w")
        .help(&["write `dominance relation` if the condition says that the solution dominates the other one",
            "write `dominance_relation` if the condition says that the other solution does not dominate this one"])
        .fix("dominance relation").general(),
    row("dominance relation with a hyphen", "dominance-relation s subset fromSolution(s)",
            "^dominance - relation OR dominance ^- relation")
        .when(|m| starts_line(m) || m.found() == "-" && m.here == 1)
        .says("`dominance-relation` does not start a statement", "unknown statement").at("*")
        .help(&["write `dominance relation` if the condition says that the solution dominates the other one",
            "write `dominance_relation` if the condition says that the other solution does not dominate this one"])
        .fix("dominance relation").general(),
    row("incomparability function in another case", "incomparabilityFunction ascending |s|",
            "^w=incomparabilityFunction|IncomparabilityFunction|incomparabilityfunction")
        .when(|m| starts_line(m) || m.after_operand())
        .says("`{w}` does not start a statement", "unknown statement").at("w")
        .help(&["did you mean `incomparability_function`?"]).fix("incomparability_function").general(),
    row("word of another language for a statement", "minimize x", "^").when(starts_line)
        .with(|m| {
            let (tokens, at) = (&m.stuck.tokens, m.here);
            let phrase = statement_word(m);
            let similar = || Some((at + 1, nearest(m.found(), STATEMENT_WORDS.iter().copied())?));
            let (end, meant) = phrase.or_else(similar)?;
            let next = tokens.get(end);
            let named = next.starts_with(char::is_alphabetic) || phrase.is_some() && next != "(";
            (at == 0 || named).then_some(())?;
            m.whole = at..end;
            m.name("written", at..end)?;
            m.set("shown", if meant == "such" { "such that" } else { meant })?;
            m.set("meant", if meant == "such" && next != "that" { "such that" } else { meant })
        })
        .says("`{written}` does not start a statement", "unknown statement").at("*")
        .help(&["did you mean `{shown}`?"]).fix("{meant}"),
    row("constraint without such that", "find x : int(1..3)\nallDiff(m)", "^c=ANY")
        .when(|m| {
            let operator = m.tokens.get(m.here + 1) == "(" && is_reserved(m.found());
            starts_line(m)
                && !m.in_constraints()
                && (operator || QUANTIFIERS.iter().any(|(word, _)| *word == m.found()))
        })
        .says("`such that` is missing before the constraints", "the first constraint")
        .help(&["write `such that` before this"]).fix("such that {c}").general(),
    row("unknown statement", "foo bar", "^")
        .when(|m| starts(m) && (m.at == 0 || m.first_on_line() && !m.in_constraints()))
        .with(|m| m.name("written", m.here..statement_word(m).map_or(m.here + 1, |(end, _)| end)))
        .says("`{written}` does not start a statement", "unknown statement").at("written")
        .help(&["write values as `letting n be 4`, and constraints after `such that`"])
        .note(
            "a statement starts with `given`, `letting`, `find`, `such that`, `where`, `minimising`, `maximising`, \
             `branching on` or `heuristic`",
        )
        .before(&["question mark"]),
    row("sign for be", "letting n, m = 3", "l=ANY ^s===|:=|=|:|in|is|as r=ANY?").when(|m| m.expects(&[Rule::word_be]))
        .says("a letting is written with `be`", "`{s}` instead of `be`").at("s")
        .help(&["write `letting x be 3`, or `letting D be domain int(1..9)`"]).fix("{l} be {r}"),
    row("numbers of mathematics", "given n ∈ ℕ OR given n ∈ ℤ", "^s=in|be|=|is|of|as|∈ d=ℕ|ℤ").when(is_declaration)
        .says("a declaration is written with `:`", "`{s}` instead of `:`").help(&["write `{keyword} x : int(1..9)`"])
        .with(|m| {
            m.set("keyword", m.keyword)?;
            m.set("domain", if m.part("d") == "ℕ" { "int(0..)" } else { "int" })
        })
        .fix(": {domain}"),
    row("sign for a colon", "find x in int(1..3)", "^in|be|=|is|of|as|∈").when(is_declaration)
        .with(|m| m.set("keyword", m.keyword))
        .says("a declaration is written with `:`", "`{^}` instead of `:`")
        .help(&["write `{keyword} x : int(1..9)`"])
        .fix(":"),
    row("declaration without a domain", "find x OR given n", "^END").when(is_declaration)
        .with(|m| {
            m.name("names", 1..m.here)?;
            m.set("help", if m.keyword == "find" { "int(1..9)`" } else { "int`, or another domain" })?;
            m.set("keyword", m.keyword)
        })
        .says("this declaration has no domain", "`:` and a domain are missing here")
        .help(&["write `{keyword} {names} : {help}"]),
    row("several objectives", "minimising x, z", "^w=minimising|minimizing|maximising|maximizing v=ALL")
        .when(|m| m.found() == "," && m.outside()).says("a model has one objective", "a second one")
        .help(&["write `{w} (x, y)`, if the first is more important than the second, or a sum"]).fix("{w} ({v})")
        .at_start(),
    row("semicolon", "x = 1;", "").by(stray_semicolon),
];

const NO_DECLARATION: &str = "a declaration starts with `find`, `given` or `letting`";

/// Returns true if a statement can start at the position.
fn starts(m: &Found) -> bool {
    let complete = m.expects(&[Rule::EOI]) && m.outside();
    (m.tokens.is_word(m.here) || m.tokens.is_number(m.here)) && (m.at == 0 || complete)
}

fn starts_line(m: &Found) -> bool {
    starts(m) && m.first_on_line()
}

/// Returns true if a statement of another language can start here and its word is not a declared name.
fn starts_other(m: &Found) -> bool {
    let next = m.tokens.get(m.here + 1);
    let defined = next == ":" || next == "=" && m.tokens.after(m.here + 1, "==").is_none();
    starts_line(m) && !defined
}

/// Returns the position after a phrase of another language, and the keyword that it means.
fn statement_word(m: &Found) -> Option<(usize, &'static str)> {
    STATEMENTS.iter().find_map(|(words, meant)| {
        let written = m.text[m.at..].get(..words.len()).filter(|written| written.eq_ignore_ascii_case(words))?;
        Some((m.tokens.after(m.here, written)?, *meant))
    })
}

fn declares(m: &Found) -> bool {
    starts_line(m) && !m.in_constraints()
}

fn stands_at_end_of_line(m: &Found) -> bool {
    m.whole.end == m.tokens.len() || m.tokens.starts_line(m.whole.end)
}

fn is_declaration(m: &Found) -> bool {
    m.expects(&[Rule::colon]) && matches!(m.keyword, "find" | "given")
}

/// Turns the value into a domain if it denotes one.
fn as_domain(m: &mut Found) -> Option<()> {
    match domain_of_text(m.parser, m.part("v")) {
        Some(domain) => m.set("v", format!("domain {domain}")),
        None => Some(()),
    }
}

/// Sets the declaration for a type, a name and a value of another language.
fn typed_declaration(m: &mut Found) -> Option<()> {
    let (ty, name, value) = (m.range("t")?, m.part("n"), m.part("v"));
    // `int n` and `int n = 4` are declarations, but `int n =` is not.
    if m.part("e").is_empty() != value.is_empty() || !stands_at_end_of_line(m) {
        return None;
    }
    let variable = m.tokens.first(ty.clone(), &["var"]).is_some();
    let domain = domain_of_type(m, ty, variable)?;
    m.set(
        "text",
        match (variable, value) {
            (true, _) => format!("find {name} : {domain}"),
            (false, "") => format!("given {name} : {domain}"),
            (false, value) => match domain_of_text(m.parser, value) {
                Some(domain) => format!("letting {name} be domain {domain}"),
                None => format!("letting {name} be {value}"),
            },
        },
    )
}

/// Recognises the words of a type declaration after its name, in any order. Returns two flags: a size is among the
/// words, and the members are missing.
fn new_type(m: &mut Found) -> Option<(bool, bool)> {
    const WORDS: [&str; 10] = ["be", "a", "an", "new", "type", "enum", "of", "size", ":", "="];
    let tokens = &m.stuck.tokens;
    let end = (2..tokens.len()).find(|at| !WORDS.contains(&tokens.get(*at))).unwrap_or(tokens.len());
    let has = |word: &str| tokens.first(2..end, &[word]).is_some();
    // A second `be` means that the statement has another declaration.
    let several = (2..tokens.len()).filter(|at| tokens.get(*at) == "be").count() > 1;
    if several || !(has("enum") || has("new") && has("type")) {
        return None;
    }
    // Other languages write members in other brackets or in none.
    let bracketed = matches!(tokens.get(end), "{" | "(" | "[") && tokens.partner(end) == Some(tokens.len() - 1);
    let members = if bracketed { end + 1..tokens.len() - 1 } else { end..tokens.len() };
    m.whole = 0..tokens.len();
    m.name("shape", 1..tokens.len())?;
    m.name("members", members.clone())?;
    Some((has("size"), members.is_empty()))
}

fn stray_semicolon(stuck: &Stuck) -> Option<Mistake> {
    let (mark, tokens) = (stuck.found(), &stuck.tokens);
    // The dot of `s.size()` does not end a constraint.
    let ends = mark == ";" || mark == "." && !tokens.is_tight(stuck.here + 1);
    if !ends || !stuck.outside() || !(stuck.after_operand() || stuck.expects(&[Rule::comma])) {
        return None;
    }
    let what = stuck.error(format!("statements end without `{mark}`"), "not needed")?.help("leave it out");
    let next = tokens.get(stuck.here + 1);
    let starts_statement = STATEMENT_WORDS.contains(&next)
        || matches!(next, "solve" | "output" | "print" | "include" | "import")
        || STATEMENTS.iter().any(|(foreign, _)| foreign.eq_ignore_ascii_case(next));
    let constraints = stuck.in_constraints() && !next.is_empty() && !starts_statement;
    // In other languages, a dot after the last constraint ends a statement; here it needs no comma.
    if mark == "." && !next.is_empty() && !constraints {
        return None;
    }
    let mistake = Mistake::from(what).change(stuck.found_range(), if constraints { "," } else { " " });
    // All stray marks of the same kind share a report.
    let known = stuck.parser.renamed.borrow().get(mark).map(|(_, report)| (*report, stuck.found_span()));
    if known.is_none() {
        // This is the index that the report about this mark will have.
        let report = stuck.parser.faults.borrow().len();
        stuck.parser.renamed.borrow_mut().insert(mark.to_owned(), (String::new(), report));
    }
    Some(Mistake { also: known, general: constraints, ..mistake })
}

/// Returns the domain for a type of MiniZinc or Java.
fn domain_of_type(m: &Found, ty: Range<usize>, variable: bool) -> Option<String> {
    let tokens = &m.stuck.tokens;
    let from = |start: usize, variable: bool| domain_of_type(m, start..ty.end, variable);
    // Without a word, there is no type to translate.
    if ty.is_empty() {
        return None;
    }
    match (tokens.get(ty.start), tokens.get(ty.start + 1)) {
        ("var", _) => from(ty.start + 1, true),
        ("par", _) => from(ty.start + 1, variable),
        ("set", "of") => Some(format!("set of {}", from(ty.start + 2, variable)?)),
        ("array", "[") => {
            // In `array[1..3] of int`, the part after `of` is the type of the elements.
            let close = tokens.partner(ty.start + 1).filter(|close| tokens.get(close + 1) == "of")?;
            let indices = tokens.split(ty.start + 2..close, ",").into_iter().map(|ty| domain_of_type(m, ty, variable));
            let indices: Vec<String> = indices.collect::<Option<_>>()?;
            Some(format!("matrix indexed by [{}] of {}", indices.join(", "), from(close + 2, variable)?))
        }
        _ => match tokens.slice(ty) {
            // A decision variable needs bounds, but MiniZinc and Java have none here, so they are invented.
            "int" | "integer" | "Integer" | "float" => Some(if variable { "int(1..9)" } else { "int" }.to_owned()),
            "bool" | "boolean" | "Boolean" => Some("bool".to_owned()),
            name if is_domain(m.parser, name) => Some(name.to_owned()),
            range => domain_of_range(range),
        },
    }
}
