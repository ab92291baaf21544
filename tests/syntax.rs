//! The parser and the printer. The cases in `tests/syntax` are run elsewhere.

use conjure_like::{
    diagnostic::{Code, Diagnostics},
    source::SourceId,
    syntax::{
        self,
        ast::{ExprTreeKind, File, LettingValue, StatementKind},
    },
};
use std::fs;

fn parse(text: &str) -> (File, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let tree = syntax::parse_file(SourceId(0), text, &mut diagnostics);
    (tree, diagnostics)
}

fn parse_cleanly(text: &str) -> File {
    let (tree, diagnostics) = parse(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    tree
}

#[test]
fn every_symbol_of_the_operator_table_parses() {
    use conjure_like::operators::{self, Notation};
    for symbol in operators::symbols() {
        let text = match symbol.notation {
            Notation::Infix { .. } => format!("a {} b", symbol.text),
            Notation::Prefix { .. } => format!("{}a", symbol.text),
            Notation::Postfix => format!("a{}", symbol.text),
            Notation::Bars => "|a|".to_owned(),
            Notation::Function => format!("{}(a)", symbol.text),
            Notation::Special => continue,
        };
        let tree = parse_cleanly(&format!("letting x be {text}"));
        let StatementKind::Letting { value: LettingValue::Expr(value), .. } = &tree.statements[0].kind else {
            panic!("{text} is no expression");
        };
        let ExprTreeKind::Apply(found, _) = &value.kind else { panic!("{text} is {value:?}") };
        assert_eq!(found, symbol, "{text}");
    }
}

/// Any two infix operators are grouped by their precedences in the table.
#[test]
fn rows_group_as_the_operator_table_says() {
    use conjure_like::operators::{self, Associativity, Notation};
    let infix: Vec<_> = operators::symbols()
        .iter()
        .filter_map(|symbol| match symbol.notation {
            Notation::Infix { precedence, associativity } => Some((symbol.text, precedence, associativity)),
            _ => None,
        })
        .collect();
    assert!(infix.len() > 30);
    for (first, left, associativity) in &infix {
        for (second, right, _) in &infix {
            let (tree, diagnostics) = parse(&format!("letting x be a {first} b {second} c"));
            if left == right && *associativity == Associativity::None {
                let codes: Vec<Code> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
                assert_eq!(codes, [Code::NON_ASSOCIATIVE], "a {first} b {second} c");
                continue;
            }
            let to_the_left = left > right || left == right && *associativity == Associativity::Left;
            let grouped =
                if to_the_left { format!("(a {first} b) {second} c") } else { format!("a {first} (b {second} c)") };
            assert_eq!(tree, parse_cleanly(&format!("letting x be {grouped}")), "{grouped}");
        }
    }
}

fn codes(text: &str) -> Vec<Code> {
    parse(text).1.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn deep_nesting_is_refused_and_shallower_nesting_is_not() {
    let nested: &[(&str, &str)] = &[
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("!", ""),
        ("-", ""),
        ("- ", ""),
        ("a ** ", ""),
        ("a ** -", ""),
        ("forAll i : D . ", ""),
        ("forAll i : D . !", ""),
        ("sum i in S . -", ""),
        ("|", "|"),
        ("f(", ")"),
        ("m[", "]"),
        ("(1, ", ")"),
        ("[i | i <- ", "]"),
        ("(a -> ", ")"),
    ];
    for (open, close) in nested {
        let text = |depth: usize| format!("letting x be {}a{}\nfind y : bool", open.repeat(depth), close.repeat(depth));
        assert_eq!(codes(&text(10_000)), [Code::TOO_DEEP], "{open}…{close}");
        // Some of the forms nest two levels each, and the limit is a thousand levels.
        let tree = parse_cleanly(&text(480));
        assert_eq!(tree.statements.len(), 2);
        assert_eq!(tree, parse_cleanly(&syntax::print::print_file(&tree, 80)), "{open}…{close}");
    }
    for (open, close) in [("set of ", ""), ("(", ")"), ("function int --> ", ""), ("matrix indexed by [bool] of ", "")]
    {
        let text = |depth: usize| format!("find x : {}int{}", open.repeat(depth), close.repeat(depth));
        assert_eq!(codes(&text(10_000)), [Code::TOO_DEEP], "{open}…{close}");
        parse_cleanly(&text(480));
    }
    assert_eq!(codes(&format!("find x : {}", "function ".repeat(10_000))), [Code::SYNTAX]);
    assert_eq!(codes(&format!("such that a{}", " = a".repeat(5_000))), [Code::NON_ASSOCIATIVE]);
}

#[test]
fn long_rows_are_no_nesting() {
    for operator in ["+", "/\\", "- -", "/\\ !", "* 2 **", "in {1} \\/ 2 ="] {
        let row = format!(" {operator} a").repeat(3_000);
        let tree = parse_cleanly(&format!("letting x be a{row}"));
        assert_eq!(tree, parse_cleanly(&syntax::print::print_file(&tree, 80)), "{operator}");
    }
    for repeated in ["[1]", "(1)", "!"] {
        let tree = parse_cleanly(&format!("letting x be a{}", repeated.repeat(3_000)));
        assert_eq!(tree, parse_cleanly(&syntax::print::print_file(&tree, 80)), "{repeated}");
    }
    assert_eq!(codes(&format!("letting x be a{}", " + a".repeat(20_000))), [Code::TOO_DEEP]);
    let negated = format!("such that {}", vec!["|a| + |b| = -c, forAll i : D . !x"; 3_000].join(", "));
    parse_cleanly(&negated);
}

#[test]
fn whatever_the_text_nothing_panics() {
    let text =
        fs::read_to_string(format!("{}/tests/syntax/layout.essence", env!("CARGO_MANIFEST_DIR"))).expect("the cases");
    // Try every prefix, and every text without one of its characters.
    let text: String = text.chars().filter(|character| *character != '$').take(3_000).collect();
    for (at, character) in text.char_indices() {
        parse(&text[..at]);
        parse(&format!("{}{}", &text[..at], &text[at + character.len_utf8()..]));
    }
}

#[test]
fn spans_cover_what_they_name() {
    let text = "language Essence 1.3\nfind x : int(1..3), y : bool $ comment\nsuch that (x + 1) = 2,\n    |y|";
    let tree = parse_cleanly(text);
    let spans: Vec<&str> = tree
        .statements
        .iter()
        .map(|statement| &text[statement.span.start as usize..statement.span.end as usize])
        .collect();
    assert_eq!(spans, ["find x : int(1..3)", "y : bool", "such that (x + 1) = 2,\n    |y|"]);
    let StatementKind::SuchThat(constraints) = &tree.statements[2].kind else { panic!("no constraints") };
    let ExprTreeKind::Apply(_, operands) = &constraints[0].kind else { panic!("no equation") };
    assert_eq!(&text[operands[0].span.start as usize..operands[0].span.end as usize], "(x + 1)");
    assert_eq!(&*tree.comments[0].text, "$ comment");
}
