use super::*;
use crate::{
    diagnostic::Diagnostics,
    source::SourceId,
    syntax::parse::{EssenceGrammar, parse_file, recovery::rule, scan::scan},
};
use pest::Parser;
use std::{fmt::Write, fs};

fn rows() -> impl Iterator<Item = &'static Row> {
    FAMILIES.into_iter().chain([quantifiers::MISREAD]).flatten()
}

/// The rows with each of their examples.
fn examples() -> impl Iterator<Item = (&'static Row, &'static str)> {
    rows().flat_map(|row| row.example.split(" OR ").map(move |example| (row, example)))
}

/// Returns the statement for an example: constraints need a keyword.
fn statement(example: &str) -> String {
    const BEGIN: [&str; 5] = ["find", "given", "letting", "such that", "minimising"];
    let whole = BEGIN.iter().any(|word| example.starts_with(word)) || !is_constraint(example);
    if whole { example.to_owned() } else { format!("such that {example}") }
}

/// Returns true if an example is a constraint. The rows of statements have whole statements as examples.
fn is_constraint(example: &str) -> bool {
    let of_statements = statements::ROWS.iter().any(|row| row.example.split(" OR ").any(|one| one == example));
    !of_statements || ["x = 1", "x = 1;"].iter().any(|begin| example.starts_with(begin))
}

/// Returns the rows that match at the position at which the grammar stops in the last broken statement of a text, in
/// the order in which they are tried.
fn matching(text: &str) -> Vec<&'static Row> {
    let mut names = Vec::new();
    let pieces = scan(SourceId(0), text, &mut Vec::new()).pieces;
    let parser = FileParser { text, ..FileParser::default() };
    for piece in pieces {
        let reading = Reading::new(text, piece.start..piece.end);
        let items = reading.items().into_iter().map(|item| {
            let tokens = Rc::new(Tokenised::new(&reading.text));
            Stuck::new(&parser, &reading, tokens, item.start, Vec::new())
        });
        let misread: Vec<&Row> = items.flat_map(|stuck| recognised(&MISREAD, &stuck)).collect();
        match EssenceGrammar::parse(rule(reading.keyword()), &reading.text) {
            _ if !misread.is_empty() => names = misread,
            Err(error) => names = recognised(&ROWS, &Stuck::at_error(&parser, &reading, &error)),
            Ok(_) => {}
        }
    }
    names
}

fn recognised(rows: &[(&'static Row, Vec<TokenPattern>)], stuck: &Stuck) -> Vec<&'static Row> {
    rows.iter().filter(|(row, patterns)| row.recognise(patterns, stuck).is_some()).map(|(row, _)| *row).collect()
}

/// Returns the text with the edits of its reports, and the reports.
fn mended(text: &str) -> (String, Diagnostics) {
    let mut diagnostics = Vec::new();
    parse_file(SourceId(0), text, &mut diagnostics);
    let mut edits: Vec<_> = diagnostics.iter().flat_map(|diagnostic| &diagnostic.edits).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.span.start, edit.span.end)));
    let mut text = text.to_owned();
    edits.iter().for_each(|edit| text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text));
    (text, diagnostics)
}

#[test]
fn rows_have_names_of_their_own() {
    for row in rows() {
        assert_eq!(rows().filter(|other| other.name == row.name).count(), 1, "{}", row.name);
    }
}

#[test]
fn rows_know_those_before_which_they_are_tried() {
    let position = |name: &str| ROWS.iter().position(|(row, _)| row.name == name);
    let mut wrong = Vec::new();
    for (at, (row, _)) in ROWS.iter().enumerate() {
        wrong.extend(
            row.before
                .iter()
                .filter(|name| position(name).is_none_or(|other| other <= at))
                .map(|name| (row.name, *name)),
        );
    }
    for family in FAMILIES {
        assert!(family.is_sorted_by_key(|row| position(row.name)), "{}", family[0].name);
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn examples_are_recognised_and_mended() {
    let mut wrong = Vec::new();
    for (row, example) in examples() {
        let text = statement(example);
        let found = matching(&text);
        if found.first().map(|row| row.name) != Some(row.name) {
            wrong.push(format!("{}: {text} is {:?}", row.name, found.iter().map(|row| row.name).collect::<Vec<_>>()));
        }
        let (text, reports) = mended(&text);
        let mut left = Vec::new();
        parse_file(SourceId(0), &text, &mut left);
        if reports.iter().any(|report| !report.edits.is_empty()) && !left.is_empty() {
            wrong.push(format!(
                "{}: {text} has {:?}",
                row.name,
                left.iter().map(|left| &left.message).collect::<Vec<_>>()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rows_of_other_families_are_told_apart_by_name() {
    // The last family is tried after all others.
    let families = &FAMILIES[..FAMILIES.len() - 1];
    let family = |row: &Row| families.iter().position(|family| family.iter().any(|other| other.name == row.name));
    let mut wrong = Vec::new();
    for (_, example) in examples() {
        let found = matching(&statement(example));
        let others =
            found.iter().skip(1).filter(|other| family(other).is_some_and(|one| Some(one) != family(found[0])));
        wrong.extend(
            others.filter(|other| !found[0].before.contains(&other.name)).map(|other| (found[0].name, other.name)),
        );
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn the_page_says_what_the_tables_say() {
    let path = "docs/mistakes.md";
    let mut page = INTRODUCTION.to_owned();
    for (family, title) in FAMILIES.into_iter().zip(TITLES) {
        let _ = write!(page, "\n## {title}\n\n| mistake | message | help |\n|---|---|---|\n");
        for example in family.iter().flat_map(|row| row.example.split(" OR ")) {
            let (_, reports) = mended(&statement(example));
            let Some(report) = reports.first() else { continue };
            let help = report.help.first().map_or("", |help| help);
            let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
            let _ = writeln!(page, "| `{}` | {} | {} |", cell(example), cell(&report.message), cell(help));
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, page).expect("the page");
    } else {
        let found = fs::read_to_string(path).unwrap_or_default();
        assert!(found == page, "UPDATE=1 cargo test --lib mistakes:: rewrites {path}");
    }
}

const TITLES: [&str; 6] = [
    "Statements and declarations",
    "Quantifiers and comprehensions",
    "Operators",
    "Domains and attributes",
    "Values and indices",
    "Names, and what is missing between operands",
];

const INTRODUCTION: &str = "\
# Mistakes that are known

This page lists the mistakes for which conjure-like has a message of its own, each with an example.
Where the help says what to write, editors can do so at a click, and the rest of the file is checked as if it had
been written.
";

#[test]
fn names_that_contain_for_are_no_quantifiers() {
    for text in ["such that comfort = 1", "such that forAll i : int(1..2) . x = before(i)"] {
        assert!(!may_be_misread(text), "{text}");
    }
    for text in ["such that forall(i in 1..2)(x = i)", "such that x = 1, for (i, j) in R : i = j"] {
        assert!(may_be_misread(text), "{text}");
    }
}
