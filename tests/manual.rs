//! The words of Essence: their examples are true, and `docs/operators.md` matches the tables.

use super::common::{instantiate, up_to_date};
use conjure_like::{
    analysis::model::{Expr, ExprKind, TypedModel},
    language::attributes::{Attribute, Meaning as Says, Property, rows::ATTRIBUTES},
    manual::{self, WordExample, WordKind, WordMeaning},
    operators::{self, Associativity, Operator},
    syntax::parse::is_attribute,
};
use std::{collections::BTreeMap, fmt::Write};

/// Declarations for the examples.
const PRELUDE: &str = "letting Colour be new type enum {red, green, blue}\n";

/// A model that requires an example to have its value.
fn model(expression: &str, value: &str) -> String {
    format!("{PRELUDE}such that ({expression}) = ({value})\n")
}

#[test]
fn examples_are_true() {
    let mut wrong = Vec::new();
    for (word, meaning) in manual::all_words() {
        let text = match meaning.example {
            WordExample::Value(expression, value) => model(expression, value),
            WordExample::Statements(statements) => statements.to_owned(),
        };
        let parameters = if text.contains("given n") { "letting n be 3" } else { "" };
        match instantiate(&text, parameters) {
            Ok(mut instance) => {
                for constraint in instance.model.constraints.clone() {
                    if let WordExample::Value(..) = meaning.example {
                        let value = conjure_like::instance::evaluate(&constraint, &mut instance.environment);
                        if value != Ok(conjure_like::language::Value::TRUE) {
                            wrong.push(format!("{word}: {text}gives {value:?}"));
                        }
                    }
                }
            }
            Err(diagnostics) => wrong.push(format!("{word}: {text}{diagnostics:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn applies(expr: &Expr, row: &'static Operator) -> bool {
    let mut found = matches!(&expr.kind, ExprKind::Apply(operator, _) if *operator == row);
    expr.for_each_part(&mut |part| found |= applies(part, row));
    found
}

#[test]
fn examples_apply_the_row_that_they_stand_in() {
    let mut wrong = Vec::new();
    let rows = operators::families().flat_map(|(_, rows)| rows);
    for row in rows.filter(|row| row.form.is_none()) {
        let (expression, value) = row.example;
        // `examples_are_true` reports examples that have no instance.
        let Ok(instance) = instantiate(&model(expression, value), "") else { continue };
        let model: &TypedModel = &instance.model;
        if !model.constraints.iter().any(|constraint| applies(constraint, row)) {
            wrong.push(format!("{row:?}: {expression}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn attributes_are_words_of_the_grammar() {
    for row in ATTRIBUTES {
        assert!(is_attribute(row.word), "{}", row.word);
        let numbers: Vec<bool> = Attribute::named(row.word).map(Attribute::takes_number).collect();
        assert!(numbers.iter().all(|takes| *takes == numbers[0]), "{} takes a number sometimes", row.word);
        for kind in row.of {
            let rows = Attribute::named(row.word).filter(|other| other.of.contains(kind)).count();
            assert_eq!(rows, 1, "{} of a {} has {rows} meanings", row.word, kind.keyword());
        }
        if let Says::All(properties) = row.meaning {
            properties.iter().for_each(|property: &Property| assert!(!property.row().word.is_empty()));
        }
    }
}

/// Every keyword in a rule of the grammar has an explanation.
#[test]
fn keywords_are_explained() {
    let grammar = include_str!("../grammar/essence.pest");
    let rules = grammar.lines().filter(|line| line.starts_with("word_")).filter_map(|line| line.split('"').nth(1));
    let words: Vec<&str> = rules.collect();
    assert!(words.len() > 30, "{words:?}");
    let unknown: Vec<&str> = words.into_iter().filter(|word| manual::explain(word).is_none()).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn words_are_explained() {
    let explained = manual::explain("preImage").expect("an operator");
    assert_eq!(explained.meanings.len(), 2);
    assert!(explained.to_string().contains("preImage(function(1 --> 5, 2 --> 5, 3 --> 6), 5) gives {1, 2}"));
    assert_eq!(manual::explain("such").map(|explained| explained.word), Some("such that"));
    assert_eq!(manual::explain("pre_image"), None);
    assert_eq!(manual::nearest_word("preimage"), Some("preImage"));
}

#[test]
fn the_page_says_what_the_tables_say() {
    up_to_date("docs/operators.md", &page(), "manual");
}

const INTRODUCTION: &str = "\
# Operators, attributes and keywords

`conjure-like explain WORD` prints the part of this page that is about one word or sign, such as `preImage` or `'/\\'`.

In the types of operands, a capital letter stands for any type, the same one wherever it occurs. `[T]` is a list or a matrix,
`relation of R` a relation whose tuples are of type `R`, `domain of T` a domain between backticks, and `alternative` the name
of an alternative of the variant. In the examples, `red`, `green` and `blue` are the members of an enumerated type.
";

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    page += "\n## Precedence\n\nFrom the operators that bind tightest to those that bind loosest:\n\n";
    page += "| operators | `a ∘ b ∘ c` |\n|---|---|\n";
    let mut levels: BTreeMap<u16, (Vec<&str>, &str)> = BTreeMap::new();
    for (word, meaning) in manual::all_words() {
        let Some(binding) = meaning.binding else { continue };
        // Prefix operators have no associativity, and may share a level with infix ones.
        let (words, grouping) = levels.entry(binding.precedence).or_insert((Vec::new(), "before its operand"));
        if !words.contains(&word) {
            words.push(word);
        }
        *grouping = match binding.associativity {
            Some(Associativity::Left) => "`(a ∘ b) ∘ c`",
            Some(Associativity::Right) => "`a ∘ (b ∘ c)`",
            Some(Associativity::None) => "needs parentheses",
            None => grouping,
        };
    }
    for (words, grouping) in levels.values().rev() {
        let words: Vec<String> = words.iter().map(|word| code(word)).collect();
        let _ = writeln!(page, "| {} | {grouping} |", words.join(", "));
    }
    for (family, _) in operators::families() {
        let rows = manual::all_words().filter(|(_, meaning)| meaning.kind == WordKind::Operator(family));
        section(&mut page, &capitalised(family), "operands and result", rows);
    }
    section(
        &mut page,
        "Attributes",
        "where it stands",
        manual::all_words().filter(|(_, row)| row.kind == WordKind::Attribute),
    );
    section(
        &mut page,
        "Keywords",
        "how it is written",
        manual::all_words().filter(|(_, row)| row.kind == WordKind::Keyword),
    );
    page
}

fn section(page: &mut String, title: &str, form: &str, rows: impl Iterator<Item = (&'static str, WordMeaning)>) {
    let _ = write!(page, "\n## {title}\n\n| word | {form} | meaning | example | value |\n|---|---|---|---|---|\n");
    for (word, meaning) in rows {
        let (example, value) = match meaning.example {
            WordExample::Value(expression, value) => (expression, code(value)),
            WordExample::Statements(statements) => (statements, String::new()),
        };
        let (word, form, example) = (code(word), code(&meaning.form), code(example));
        let _ = writeln!(page, "| {word} | {form} | {} | {example} | {value} |", meaning.sentence.replace('|', "\\|"));
    }
}

/// A table cell with the text as code. Vertical bars are escaped, and a text with backquotes gets two of them as
/// delimiters.
fn code(text: &str) -> String {
    let text = text.replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

fn capitalised(text: &str) -> String {
    format!("{}{}", text[..1].to_uppercase(), &text[1..])
}
