//! Domains and attributes in the notations of other languages.

use super::{
    CONSTRUCTORS, DOMAIN_WORDS, Stuck,
    intervals::{after_next, range_of_python},
    is_collection,
    row::{Found, Row, row},
    uses::{is_declared, is_domain},
};
use crate::syntax::parse::{FileParser, Rule, is_attribute, is_name, is_word_character};
use std::ops::Range;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("subset for a colon", "find s subset D", "^subset|subsetEq|⊆|⊂").when(is_declared_here)
        .says("a declaration is written with `:`", "`{^}` instead of `:`").help(&["write `: set of …`"])
        .fix(": set of"),
    row("indices after a name", "find x[D] : bool OR find x[D][D] : bool",
            "n=ANY ^[ ALL ] :|in d=ANY OR n=ANY ^[ ALL ] [ ALL ] :|in d=ANY")
        .when(is_declared_here).with(indices_after_name)
        .says("the indices of a variable belong in its domain", "not after the name").at("group")
        .help(&["write `matrix indexed by [{indices}] of …`"]).fix("{n} : matrix indexed by [{indices}] of {d}"),
    row("arguments after a name", "given f(D) : int", "n=ANY ^( from=ALL ) :|in to=ANY").when(is_declared_here)
        .with(|m| m.name("group", m.here..m.range("to")?.start - 1))
        .says("the indices of a variable belong in its domain", "not after the name").at("group")
        .help(&["write `function (total) {from} --> …`"]).fix("{n} : function (total) {from} --> {to}"),
    row("domain with indices", "find x : int(1..9)[3]", "d=OPERAND ^[")
        .with(|m| {
            let domain = m.part("d");
            let first = m.tokens.get(m.whole.start);
            let known = matches!(first, "int" | "bool") || is_domain(m.parser, domain);
            let (indices, close) = indices(m).filter(|_| known && is_in_declaration(m))?;
            // `int[1..9]` is a domain of integers, not a matrix.
            let one = m.tokens.get(close + 1) != "[" && !indices.contains(',');
            if domain == "int" && one && m.tokens.first(m.here..close, &[".."]).is_some() {
                return None;
            }
            m.whole.end = close + 1;
            m.name("group", m.here..close + 1)?;
            m.set("indices", indices)?;
            m.set("elements", if domain == "int" && m.keyword == "find" { "int(1..9)" } else { domain })
        })
        .says(MATRIX, "indices after a domain").at("group").fix("matrix indexed by [{indices}] of {elements}"),
    row("range of Python", "find x : range(1, 9)", "^range ( a=ALL )")
        .when(|m| m.expects_domain() && m.tokens.is_tight(m.here + 1))
        .with(|m| m.set("domain", range_of_python(m.part("a"))?)).says(INTEGERS, "not like this").at("*")
        .fix("{domain}"),
    row("subset as a domain", "find s : subset of D", "^subset|subsetEq").when(|m| m.expects_domain())
        .says(SETS, "not like this").fix("set"),
    row("int without parentheses", "find x : int 1..9", "int ^low=TERM .. high=TERM")
        .when(|m| m.tokens.is_number(m.here) && !m.expects_expression()).says(INTEGERS, "not like this").at("*")
        .fix("int({low}..{high})"),
    row("int with braces", "find x : int{1, 2}", "int ~ ^{ a=ALL }").says(INTEGERS, "not like this").at("*")
        .fix("({a})"),
    row("range with a colon", "find x : int(1:9)", "^:").when(|m| m.in_int().is_some())
        .with(|m| m.set("inside", m.inside()?.trim().replacen(':', "..", 1)))
        .says("a range of integers is written with `..`", "`:` instead of `..`").at("*")
        .help(&["write `int({inside})`"]).fix("..").or_before(),
    row("range with words", "find x : int(1 to 9) OR find x : int(1...9) OR find x : int(>= 1) OR find x : int(<= 9)",
            "( low=SOME ^to|until high=ALL ) OR ( low=SOME .. ^. high=ALL ) OR ( ^>= low=ALL ) OR ( ^<= high=ALL ) OR \
             ( ^> above=ALL )")
        .when(|m| m.in_int().is_some()).with(|m| m.set("next", after_next(m.part("above"))))
        .says("the integers of a domain are written with `..`", "not like this").at("*")
        .fix("({low}..{high}) OR ({low}..) OR (0..{high}) OR ({next}..)"),
    row("set with other brackets", "find s : set[D] OR find s : Set<D>", "set ^[ d=ALL ] OR set|Set ^< d=SOME >")
        .when(|m| !starts_with_attribute(m, "d")).says(SETS, "not like this").at("*").fix("set of {d}"),
    row("sets of", "find s : sets of D", "w=sets ^ ~ of").says(SETS, "not like this").at("w").fix("set")
        .before(&["sign for a colon"]),
    row("dictionary as a domain", "find d : dict[D, D]", "w=dict|map|Map|dictionary ^[|< a=SOME , b=SOME ]|>")
        .when(|m| is_in_declaration(m)).says("`{w}` is not a domain of Essence", "unknown domain").at("w")
        .fix("function (total) {a} --> {b}"),
    row("var before a domain", "find x : var int(1..9)", "w=var ^d=ANY").when(|m| is_in_declaration(m))
        .says("the word `var` is not needed", "not like this").at("w").help(&["leave it out"]).fix("{d}"),
    row("article before domain", "letting D be a domain int(1..9)", "a ^domain").when(|m| m.keyword == "letting")
        .says("a domain is named with `be domain`", "not like this").at("*").fix("domain"),
    row("matrix indexed by other brackets", "find m : matrix indexed by D of bool", "^")
        .with(|m| {
            let tokens = &m.stuck.tokens;
            let matrix = tokens.last(0..m.here, &["matrix"])?;
            let end = tokens.first(matrix..tokens.len(), &["of"]).unwrap_or(tokens.len());
            if m.here > end || tokens.get(matrix + 1) != "indexed" {
                return None;
            }
            let begin = matrix + 2 + usize::from(tokens.get(matrix + 2) == "by");
            m.whole = matrix..end;
            m.set("indices", listed_indices(m.stuck, begin..end)?)
        })
        .says(MATRIX, "not like this").at("*").fix("matrix indexed by [{indices}]"),
    row("int with square brackets", "find x : int[1..9]", "int ~ ^[ a=ALL ]")
        .says("a domain of integers is written with round parentheses", "a square bracket")
        .help(&["write `int(1..9)`"]).fix("({a})"),
    row("matrix without domains",
            "find m : matrix [1..3] of bool OR find m : array[1..3] of bool OR find m : matrix index by [D] of bool OR \
             find m : matrix of bool",
            "matrix [ ^ i=ALL ] OR matrix|array ^[ i=ALL ] OR matrix ^ SOME [ i=ALL ] OR matrix ^").with(index_domains)
        .says(MATRIX, "not like this").help(&[MATRIX_HELP]).fix("matrix indexed by [{indices}]")
        .before(&["single bar"]),
    row("partition of", "find p : partition of D", "^of").when(|m| m.expects(&[Rule::word_from]))
        .says("a domain of partitions is written with `from`", "`of` instead of `from`")
        .help(&["write `partition from int(1..9)`"]).fix("from"),
    row("set from", "find s : set from D", "^from").when(|m| m.expects(&[Rule::word_of]))
        .says("only a domain of partitions is written with `from`", "`from` instead of `of`").fix("of"),
    row("relation without parentheses", "find r : relation of D * D", "relation|) of ^d=CLAUSE")
        .when(|m| m.expects(&[Rule::open_parenthesis]))
        .says("the columns of a relation are written in parentheses", "without parentheses")
        .with(|m| {
            m.whole.start = m.here;
            Some(())
        })
        .fix("({d})").before(&["single bar"]),
    row("relation with commas", "find r : relation of (D, D)", "relation|) of ( ALL ^, ALL )")
        .with(|m| {
            let open = m.tokens.around(m.here)?;
            let columns = m.tokens.split(open + 1..m.whole.end - 1, ",");
            columns[1..].iter().for_each(|column| m.replace(column.start - 1, " *"));
            m.whole = m.here..m.here;
            Some(())
        })
        .says("a star stands between the columns of a relation", "instead of `*`")
        .help(&["write `relation of (A * B)`"]).fix(""),
    row("attributes in square brackets", "find s : set [size 2] of D", "COLLECTION ~ ^[ a=ALL ]")
        .when(|m| starts_with_attribute(m, "a"))
        .says("the attributes of a domain are written in parentheses", "square brackets").help(&["write `(…)`"])
        .fix("({a})"),
    row("range for an attribute", "find s : set (size 1..2) of D",
            "a=size|numParts|partSize low=OPERAND ^.. high=OPERAND")
        .with(|m| {
        let attribute = m.part("a");
        m.set("capital", attribute[..1].to_uppercase() + &attribute[1..])
    })
        .says("an attribute has one number", "a range").fix("min{capital} {low}, max{capital} {high}"),
    row("set with parentheses", "find s : set (D)", "set ( d=ALL ) ^END")
        .when(|m| m.expects(&[Rule::word_of]) && !starts_with_attribute(m, "d"))
        .with(|m| m.name("group", m.whole.start + 1..m.whole.end)).says(SETS, "not in parentheses").at("group")
        .fix("set of {d}"),
    row("function from", "find f : function from D to D OR find f : function from D --> D",
            "^from a=SOME to b=ANY OR ^from").when(|m| m.expects_domain())
        .says("a function's domain is written `function A --> B`", "not needed").help(&["write `function A --> B`"])
        .fix("{a} --> {b} OR "),
    row("in before a domain", "forAll i in int(1..3) . x = i", "in ^ ~ ANY")
        .when(|m| is_domain_for_expression(m) && m.in_quantifier_head()).says(DOMAIN_FOR_EXPRESSION, "a domain")
        .help(&["write `:` before a domain: `forAll i : int(1..9) . …`"]).fix(":"),
    row("arrow before a domain", "sum([i | i <- int(1..3)]) = x", "w=in|<- ^ ~ ANY")
        .when(|m| is_domain_for_expression(m) && (m.part("w") == "<-" || m.bracket() == Some('[')))
        .says(DOMAIN_FOR_EXPRESSION, "a domain").help(&["write `:` before a domain: `[i | i : int(1..9)]`"]).fix(":"),
    row("membership in a domain", "x in int(1..3) OR x in bool",
            "x=OPERAND in ^int ( low=TERM .. high=TERM ) OR in ^").when(is_domain_for_expression)
        .says(DOMAIN_FOR_EXPRESSION, "a domain")
        .help(&["`in` tests membership in a set; the domain of a variable belongs in its declaration"])
        .fix("({low} <= {x} /\\ {x} <= {high})"),
    row("be without domain", "letting D be int(1..3)", "be ~ ^d=ANY").when(is_domain_for_expression)
        .says(DOMAIN_FOR_EXPRESSION, "a domain").help(&["write `be domain {^}…`"]).fix("domain {d}"),
    row("domain as an operand", "x = int(1..3) OR x = set of int", "^d=OPERAND OR ^").when(is_domain_for_expression)
        .with(|m| (m.part("d").is_empty() || matches!(m.found(), "int" | "bool")).then_some(()))
        .says(DOMAIN_FOR_EXPRESSION, "a domain")
        .help(&["write a domain as an operand between backticks: `` `{^}…` ``"]).fix("`{d}`"),
    row("colon before a collection", "forAll i : {1, 2} . x = i", "l=ANY : ^s={|[")
        .when(|m| m.expects_domain() && (m.in_quantifier_head() || m.bracket() == Some('[')))
        .with(|m| m.set("word", if m.bracket() == Some('[') { "<-" } else { "in" }))
        .says(EXPRESSION_FOR_DOMAIN, "not a domain")
        .help(&["write `{word}` before a collection, `:` before a domain"]).fix("{l} {word} {s}"),
    row("names for a type", "given person : {ann, bob}", "^{|[ ALL }|]")
        .when(|m| m.keyword == "given" && m.has_one_item())
        .with(|m| {
            new_names(m)?;
            m.name("n", m.item()?.start..m.here - 1)?;
            m.whole = 0..m.item()?.end;
            Some(())
        })
        .says("{message}", "{label}").fix("letting {n} be new type enum {{members}}"),
    row("names for a domain", "find c : {red, green}", "^{|[ ALL }|]").with(new_names).says("{message}", "{label}")
        .help(&["first name them in a type, which is a domain: `letting value be new type enum {{members}}`"]),
    row("set for a domain", "letting D be domain int(1..3)\nfind s : {D} OR find x : {1, 3, 7}",
            "^o={|[ d=ALL }|]").when(|m| m.expects_domain())
        .with(|m| {
            let braced = m.part("o") == "{" && is_domain(m.parser, m.part("d"));
            m.set("domain", if braced { format!("set of {}", m.part("d")) } else { format!("int({})", m.part("d")) })
        })
        .says(EXPRESSION_FOR_DOMAIN, "not a domain")
        .help(&["the domain of the integers 1, 3 and 7 is `int(1, 3, 7)`"]).fix("{domain}"),
    row("range for a domain", "find x : 1..9", "^low=TERM? s=..|: high=TERM?")
        .when(|m| {
            let bounded = m.part("s") == ".." || !m.part("low").is_empty() && !m.part("high").is_empty();
            // In `1..f(2)`, the match would end inside the bound.
            let goes_on = m.tokens.is_tight(m.whole.end) && matches!(m.tokens.get(m.whole.end), "." | "(" | "[");
            bounded && is_expression_for_domain(m) && !goes_on
        })
        .says(EXPRESSION_FOR_DOMAIN, "not a domain").help(&["the domain of the integers from 1 to 9 is `int(1..9)`"])
        .fix("int({low}..{high})"),
    row("expression for a domain", "find x : 9", "^").when(is_expression_for_domain)
        .says(EXPRESSION_FOR_DOMAIN, "not a domain").help(&["the domain of the integers from 1 to 9 is `int(1..9)`"])
        .before(&["single bar"]),
    row("sign behind an attribute", "find s : set (size <= 2) of D", "a=ATTRIBUTE ^s=<=|>=|==|=|:|<|> n=OPERAND")
        .when(|m| is_domain_word(m.before_bracket()))
        .with(|m| {
            let attribute = m.part("a");
            let name = attribute.trim_start_matches("min").trim_start_matches("max");
            let capital = name[..1].to_uppercase() + &name[1..];
            m.set(
                "word",
                match m.part("s") {
                    "<=" => format!("max{capital}"),
                    ">=" => format!("min{capital}"),
                    // The fix appends the number, as in `maxSize -1 + n`.
                    "<" => format!("max{capital} -1 +"),
                    ">" => format!("min{capital} 1 +"),
                    _ => attribute.to_owned(),
                },
            )
        })
        .says("the number of an attribute follows its word directly", "not needed").fix("{word} {n}"),
    row("missing comma between attributes",
            "find f : function (total injective) D --> D OR find s : set (minSize 1 maxSize 2) of D",
            "l=ANY a=ATTRIBUTE ^ OR l=ANY ^a=ATTRIBUTE")
        .when(|m| {
            let behind = m.range("a").is_some_and(|attribute| attribute.end == m.here);
            let separated = matches!(m.part("l"), "(" | ",");
            m.expects(&[Rule::open_parenthesis]) == behind && is_collection(m.before_bracket()) && !separated
        })
        .says("a comma is missing between two attributes", "the next one starts here").at("a").help(&["write a `,`"])
        .fix("{l}, {a}"),
    row("number for a size", "find s : set (3) of D", "w=set|mset|sequence|relation|function ( ~ ^n=NUMBER")
        .when(|m| m.part("w") != "function" || !m.tokens.is_tight(m.here - 1))
        .says("an attribute has a name", "which attribute?").fix("size {n}"),
    row("attributes behind a domain", "find f : function D --> D total", "(? ^ (? ATTRIBUTE")
        .when(|m| m.expects(&[Rule::comma]) && m.outside())
        .with(|m| {
            let (tokens, item) = (&m.stuck.tokens, m.item().filter(|item| m.here < item.end)?);
            let mut collections = (item.start + 1..m.here).filter(|at| is_collection(tokens.get(*at)));
            let word = collections.next().filter(|word| tokens.get(*word + 1) != "(")?;
            let inside =
                m.here + usize::from(m.found() == "(")..item.end - usize::from(tokens.get(item.end - 1) == ")");
            let sound = |at: usize| !matches!(tokens.get(at), "(" | ":") && !tokens.starts_line(at);
            // With several collections, the attributes may belong to any of them.
            if collections.next().is_some() || inside.clone().any(|at| !sound(at)) {
                return None;
            }
            m.whole = word..item.end;
            m.name("word", word..word + 1)?;
            m.name("domain", word + 1..m.here)?;
            m.set("attributes", tokens.slice(inside))
        })
        .says("the attributes of a domain follow its word", "attributes")
        .help(&["write `({attributes})` after the word"]).fix("{word} ({attributes}) {domain}"),
    row("attribute without parentheses",
            "find f : total function D --> D OR find s : set of size 3 of D OR find s : set of size 3 OR \
             find s : set size 3 of D",
            "^list=ATTRIBUTES word=COLLECTION OR l=ANY of ^list=ATTRIBUTES ~ of OR of ^ATTRIBUTES OR ^alone=ATTRIBUTES")
        .when(|m| m.expects_domain() || m.expects(&[Rule::word_of, Rule::word_from]))
        .says("the attribute `{^}` is outside parentheses", "an attribute").help(&[ATTRIBUTES])
        .fix("{word} ({list}) OR {l} ({list}) OR ({alone})"),
    row("other arrow", "find f : function D ==> D OR find f : function D -> D",
            "l=ANY ^--->|==>|=>|--|->|-|=|→|↦|to|,|: r=ANY?")
        .when(|m| {
            let arrow = m.expects(&[Rule::arrow]) && (m.outside() || matches!(m.found(), "->" | "=" | ":"));
            arrow || m.found() == "->" && m.expects_domain()
        })
        .says("a function is written with `-->`", "another sign").help(&["write `-->`"]).fix("{l} --> {r}"),
    row("missing arrow", "find f : function D", "^").when(|m| m.expects(&[Rule::arrow]))
        .says("an arrow `-->` is missing", "no arrow before this")
        .help(&["a function is written `function(1 --> 2, 3 --> 4)`, its domain `function A --> B`"]),
    row("arrow without function", "find f : D --> D OR letting D be domain bool --> bool", ": s=SOME ^--> OR ^-->")
        .when(|m| is_in_declaration(m) && m.expects(&[Rule::EOI]))
        .with(|m| {
            let Some(domain) = m.range("s") else { return Some(()) };
            m.whole = domain.start..domain.start + 1;
            m.name("d", m.whole.clone()).filter(|()| domain.into_iter().all(|at| m.tokens.get(at) != "of"))
        })
        .says("a function's domain starts with `function`", "an arrow without it").help(&["write `function A --> B`"])
        .fix("function {d}"),
    row("arrow for less than minus", "x <-1", "^<-").when(|m| m.after_operand())
        .says("`<-` belongs to generators of comprehensions", "not a comparison")
        .help(&["write `< -`, with a space, to compare with a negative number"]).fix("< -"),
];

const INTEGERS: &str = "a domain of integers is written `int(…)`";
const SETS: &str = "the domain of sets is written `set of …`";
const MATRIX: &str = "a matrix domain is written `matrix indexed by […] of …`";
const MATRIX_HELP: &str = "write `matrix indexed by [int(1..3), int(1..3)] of int(1..9)`";
const DOMAIN_FOR_EXPRESSION: &str = "a domain is used where an expression is needed";
const EXPRESSION_FOR_DOMAIN: &str = "an expression is used where a domain is needed";
const ATTRIBUTES: &str = "write attributes in parentheses after the word of their domain: `set (size 3) of int(1..9)`";

fn is_in_declaration(stuck: &Stuck) -> bool {
    matches!(stuck.keyword, "find" | "given" | "letting")
}

fn is_declared_here(m: &Found) -> bool {
    m.expects(&[Rule::colon]) && matches!(m.keyword, "find" | "given")
}

fn is_domain_word(word: &str) -> bool {
    DOMAIN_WORDS.contains(&word) || CONSTRUCTORS.contains(&word)
}

fn starts_with_attribute(m: &Found, part: &str) -> bool {
    m.range(part).is_some_and(|range| is_attribute(m.tokens.get(range.start)))
}

/// Returns true if a domain starts at a position that needs an expression. Before a bracket, most of these words start
/// a literal.
fn is_domain_for_expression(m: &Found) -> bool {
    let found = m.found();
    let literal = matches!(m.tokens.get(m.here + 1), "(" | "{");
    let starts = DOMAIN_WORDS.contains(&found) || CONSTRUCTORS.contains(&found) && !literal;
    starts && m.expects_expression() && (!m.expects_domain() || m.previous() == "be")
}

fn is_expression_for_domain(m: &Found) -> bool {
    m.expects_domain() && (m.tokens.is_number(m.here) || matches!(m.found(), "{" | "[" | "|" | "-" | ".."))
}

/// Recognises undeclared names at a position that needs a domain.
fn new_names(m: &mut Found) -> Option<()> {
    let inside = m.tokens.slice(m.here + 1..m.whole.end - 1);
    // Some languages write members as strings: `{"red", "green"}`.
    let members: Vec<&str> = inside.split(',').map(|member| member.trim().trim_matches('"')).collect();
    let file = m.parser;
    let is_new = |member: &&str| is_name(member) && !is_declared(file, member) && !is_domain(file, member);
    if !m.expects_domain() || !members.iter().all(is_new) {
        return None;
    }
    let (message, label) = match inside.contains('"') {
        true => ("Essence has no strings", "not a domain"),
        false => ("new values are the members of a type", "new names"),
    };
    m.set("members", members.join(", "))?;
    m.set("message", message)?;
    m.set("label", label)
}

/// Recognises the groups of indices after a name, and their domains.
fn indices_after_name(m: &mut Found) -> Option<()> {
    let (indices, close) = indices(m)?;
    m.name("group", m.here..close + 1)?;
    m.set("indices", indices)
}

/// Returns the domains for the indices in the square brackets that start here, such as `[n][1..3]`, and the
/// position of the last bracket.
fn indices(m: &Found) -> Option<(String, usize)> {
    let (tokens, mut open, mut indices) = (&m.stuck.tokens, m.here, Vec::new());
    loop {
        let close = tokens.partner(open)?;
        let written = tokens.split(open + 1..close, ",").into_iter().map(|index| tokens.slice(index));
        indices.extend(written.map(|index| index_domain(m.parser, index)));
        if tokens.get(close + 1) != "[" || !tokens.is_tight(close + 1) {
            return Some((indices.join(", "), close));
        }
        open = close + 1;
    }
}

/// Returns the domain for an index: `int(1..n)` for a number or a range.
fn index_domain(file: &FileParser, index: &str) -> String {
    let is_term = index.chars().all(|character| is_word_character(character) || " +-*".contains(character));
    match index {
        range if range.contains("..") && !range.contains('(') => format!("int({range})"),
        number if is_term && !is_domain_word(number) && !is_domain(file, number) => format!("int(1..{number})"),
        domain => domain.to_owned(),
    }
}

/// Sets the domains for the part `i`, the indices of a matrix, if the pattern has this part.
fn index_domains(m: &mut Found) -> Option<()> {
    let tokens = &m.stuck.tokens;
    let Some(listed) = m.range("i") else { return Some(()) };
    let index = |index: Range<usize>| match tokens.slice(index) {
        range if range.contains("..") && !range.contains('(') => format!("int({range})"),
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("int(1..{number})"),
        domain => domain.to_owned(),
    };
    m.set("indices", tokens.split(listed, ",").into_iter().map(index).collect::<Vec<_>>().join(", "))
}

/// Returns the domains for the indices of a matrix in other brackets or with other separators: `D`, `(D)`, `[D][E]`,
/// `[D * E]`, `[D E]`.
fn listed_indices(stuck: &Stuck, range: Range<usize>) -> Option<String> {
    let tokens = &stuck.tokens;
    let bracketed = matches!(tokens.get(range.start), "[" | "(") && matches!(tokens.get(range.end - 1), "]" | ")");
    let (mut at, end) = if bracketed { (range.start + 1, range.end - 1) } else { (range.start, range.end) };
    let mut indices = Vec::new();
    while at < end {
        // An index is `int(1..n)`, `1..n` or `D`.
        let next = match (tokens.get(at), tokens.get(at + 1)) {
            (",", _) => {
                at += 1;
                continue;
            }
            ("int", "(") => tokens.partner(at + 1).filter(|close| !(at + 1..=*close).contains(&stuck.here))? + 1,
            (_, "..") => at + 3,
            _ => at + 1,
        };
        indices.push(match tokens.slice(at..next) {
            number
                if number.bytes().all(|byte| byte.is_ascii_digit())
                    && !(tokens.is_tight(next) && tokens.is_word(next)) =>
            {
                format!("int(1..{number})")
            }
            domain if domain.starts_with("int(") && !domain.contains([',', ' ', '\n']) => domain.to_owned(),
            range if next == at + 3 && !range.contains(['(', ' ', '\n']) => format!("int({range})"),
            domain if is_name(domain) => domain.to_owned(),
            _ => return None,
        });
        let separator = match (tokens.get(next), tokens.get(next + 1)) {
            // `[D][E]` has one index in each pair of brackets.
            ("]", "[") => 2,
            ("*", _) if next + 1 < end => 1,
            _ => 0,
        };
        at = next + separator;
    }
    Some(indices.join(", ")).filter(|indices| !indices.is_empty())
}
