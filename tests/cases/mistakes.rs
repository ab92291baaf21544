//! Mistakes and their messages: each mistake causes one error, regardless of others, and its help can be pasted.

use crate::{Verdict, comments, files, function, model_of, none, read, text};
use conjure_like::{Diagnostic, Edit, Model, Report, Severity, Text, check};
use libtest_mimic::Trial;

pub(crate) fn tests() -> Vec<Trial> {
    let (declarations, rows) = table();
    assert!(rows.len() > 100);
    let rows = rows.into_iter().map(move |(written, meant)| {
        let declarations = declarations.clone();
        Trial::test(format!("mistakes::table::{written}"), move || is_helped(&declarations, &written, &meant))
    });
    let slips = slips();
    assert!(slips.len() > 200);
    let slips = slips.into_iter().map(|slip| {
        let title = format!("mistakes::models::{}: {:?}", slip.model, slip.wrong);
        Trial::test(title, move || is_mended(&slip))
    });
    let own: [(&str, fn()); 5] = [
        ("a_mistake_in_a_value_has_no_consequences", a_mistake_in_a_value_has_no_consequences),
        ("so_many_mistakes_are_so_many_errors", so_many_mistakes_are_so_many_errors),
        ("a_misspelt_declaration_is_one_error", a_misspelt_declaration_is_one_error),
        ("long_tokens_are_cut", long_tokens_are_cut),
        ("long_numbers_in_data_are_cut", long_numbers_in_data_are_cut),
    ];
    rows.chain(slips).chain(own.map(|(name, test)| function("mistakes", name, test))).collect()
}

/// The errors of a model.
fn errors(text: &str) -> Vec<Diagnostic> {
    let mut errors =
        Model::read(&Text::new("model.essence", text)).err().map_or(Vec::new(), |report| report.diagnostics);
    errors.retain(|error| error.severity == Severity::Error);
    errors
}

fn words(errors: &[Diagnostic]) -> Vec<String> {
    errors.iter().map(|error| format!("{} {} {:?}", error.code, error.message, error.help)).collect()
}

/// The text with all edits applied.
fn edited(text: &str, errors: &[Diagnostic]) -> String {
    let mut edits: Vec<&Edit> = errors.iter().flat_map(|error| &error.edits).collect();
    // Apply edits from the end, so that earlier offsets stay valid.
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.span.start, edit.span.end)));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    text
}

/// The declarations of the table, and its rows.
fn table() -> (String, Vec<(String, String)>) {
    let text = read("tests/mistakes/table.txt");
    let lines = text.lines().skip(1).filter(|line| !line.is_empty());
    let (rows, declarations): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.contains(" => "));
    let row = |line: &str| line.rsplit_once(" => ").map(|(written, meant)| (written.to_owned(), meant.to_owned()));
    (declarations.join("\n"), rows.into_iter().filter_map(row).collect())
}

/// Contexts of a constraint.
const POSITIONS: [&str; 7] = [
    "{}",
    "forAll k : int(1..2) . {}",
    "forAll k : int(1..2) .\n    k = 1 -> ({})",
    "({}) /\\ b",
    "b -> ({})",
    "[({}), b]",
    "x = 1,\n  {},\n  z = 2",
];

/// The help is the intended text. In each context, the mistake causes one error, and its edits repair it.
fn is_helped(declarations: &str, written: &str, meant: &str) -> Verdict {
    let model = |constraint: &str| format!("{declarations}\nsuch that\n  {constraint}\n");
    let mut wrong = Vec::new();
    let found = errors(&model(written));
    if found.len() != 1 || found[0].help.first() != Some(&format!("write `{meant}`")) {
        wrong.push(format!("wanted: write `{meant}`\nfound: {:?}", words(&found)));
    }
    let pasted = errors(&model(meant));
    if !pasted.is_empty() {
        wrong.push(format!("what is pasted is wrong: {:?}", words(&pasted)));
    }
    for position in POSITIONS {
        let constraint = position.replace("{}", written);
        let text = model(&constraint);
        let found = errors(&text);
        let left = errors(&edited(&text, &found));
        if found.len() != 1 || !left.is_empty() {
            wrong.push(format!("{constraint}: {:?}, then {:?}", words(&found), words(&left)));
        }
    }
    none(wrong)
}

/// A mistake in a model of `models`: the original text, its replacement, and the help.
struct Slip {
    model: String,
    right: String,
    wrong: String,
    help: String,
}

fn slips() -> Vec<Slip> {
    let text = read("tests/mistakes/models.txt");
    let mut model = String::new();
    let mut slips = Vec::new();
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("@ ") {
            model = name.to_owned();
            continue;
        }
        let (right, rest) = line.split_once(" ~~> ").expect("what is written instead");
        let (wrong, help) = rest.rsplit_once(" ==> ").expect("the help");
        let unescaped = |text: &str| text.replace("\\n", "\n");
        let (right, wrong, help) = (unescaped(right), unescaped(wrong), help.to_owned());
        slips.push(Slip { model: model.clone(), right, wrong, help });
    }
    slips
}

/// A mistake in a whole model causes one error with the right help, and its edits repair the model.
fn is_mended(Slip { model, right, wrong, help }: &Slip) -> Verdict {
    let text = read(format!("models/{model}"));
    assert!(text.contains(right), "{model} has no {right}");
    let text = text.replacen(right, wrong, 1);
    let found = errors(&text);
    let left = errors(&edited(&text, &found));
    if found.len() != 1 || found[0].help.first() != Some(help) || !left.is_empty() {
        return Err(format!("wanted: {help}\nfound: {:?}, then {:?}", words(&found), words(&left)).into());
    }
    Ok(())
}

/// The statements of a model, each with a broken version.
const STATEMENTS: &[(&str, &str)] = &[
    ("letting n be 3", "letting n bee 3"),
    ("given k : int(1..9)", "given k ; int(1..9)"),
    ("letting E be new type enum {red, green}", "letting E be new type enum {red, green"),
    ("find a : int(1..n)", "find a in int(1..n)"),
    ("find s : set (size 2) of int(1..3)", "find s : set (siz 2) of int(1..3)"),
    ("find f : function (total) int(1..3) --> E", "find f : function (total) int(1..3) -> E"),
    ("find q : sequence (maxSize 3) of E", "find q : sequence (maxSiz 3) of E"),
    ("find c, d : bool", "find c, d : boolean"),
    ("find m : matrix indexed by [int(1..3)] of int(1..3)", "find m : matrix [int(1..3)) of int(1..3)"),
    ("such that a > 1", "such that a > undeclared"),
    ("such that\n  c,\n  a = 2,\n  d", "such that\n  c,\n  (a = 2,\n  d"),
    ("such that forAll i in s . i > 1", "such that forall i in s . i > 1"),
    ("such that f(1) = red, m[1] = 2", "such that f(1) = red, m[1] == 2"),
    ("such that |s| = 2 /\\ c", "such that |s| + (a = 1) = 2"),
    ("such that q(1) = green", "such that q(1) = gren"),
    ("such that c -> d", "such that c ->"),
    ("where k > 2", "where k > true"),
];

/// All single mistakes, all pairs, and some hundred larger combinations.
fn so_many_mistakes_are_so_many_errors() {
    let count = STATEMENTS.len();
    let mut choices: Vec<u32> = (0..count).map(|one| 1 << one).collect();
    choices.extend((0..count).flat_map(|one| (0..one).map(move |other| 1 << one | 1 << other)));
    // A fixed linear congruential generator makes the choices reproducible.
    let mut state = 12345u64;
    choices.extend((0..200).map(|_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32 & ((1 << count) - 1)
    }));
    let right: Vec<&str> = STATEMENTS.iter().map(|(right, _)| *right).collect();
    assert!(errors(&right.join("\n")).is_empty(), "{:?}", words(&errors(&right.join("\n"))));
    for choice in choices {
        let statements = STATEMENTS.iter().enumerate();
        let lines = statements.map(|(number, (right, wrong))| if choice >> number & 1 == 1 { *wrong } else { *right });
        let text = lines.collect::<Vec<_>>().join("\n");
        let found = errors(&text);
        assert_eq!(found.len() as u32, choice.count_ones(), "\n{text}\n{:#?}", words(&found));
    }
}

/// A misspelt declaration is one error, although its name is used often.
fn a_misspelt_declaration_is_one_error() {
    let uses = "such that queens[1] = 2, queens[2] = 4, forAll i : int(1..4) . queens[i] > 0\n".repeat(5);
    let found = errors(&format!("find quens : matrix indexed by [int(1..4)] of int(1..4)\n{uses}"));
    assert_eq!(found.len(), 1, "{:?}", words(&found));
    assert!(found[0].labels.len() > 3);
    assert_eq!(found[0].help, ["did you mean `quens`?"]);
}

/// Replacements for a number: a number that is too large, an undeclared name, and values of other types, some with an
/// error inside.
const SPOILT: [&str; 7] = ["9223372036854775807", "nobody", "true", "{}", "(1, true)", "[1, true]", "mset(1, {2})"];

/// The ranges of the first numbers in a text, outside comments.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    const MOST: usize = 12;
    let (mut found, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let code = line.split('$').next().unwrap_or_default();
        let mut from = 0;
        for word in code.split(|character: char| !character.is_alphanumeric()) {
            if word.parse::<i64>().is_ok() {
                found.push(at + from..at + from + word.len());
            }
            from += word.len() + code[from + word.len()..].chars().next().map_or(0, char::len_utf8);
        }
        at += line.len();
    }
    found.truncate(MOST);
    found
}

/// An error in the data or in the model is reported, and nothing that uses the value panics.
fn a_mistake_in_a_value_has_no_consequences() {
    let mut checked = 0;
    for file in files("params", &["param"]) {
        let data = text(&file);
        let Some(name) = comments(&data.text, "model").next() else { continue };
        // Large files would take most of the time.
        if data.text.len() > 2_000 {
            continue;
        }
        let model = text(model_of(&file, name));
        for spoilt in SPOILT {
            let with = |text: &Text, place: std::ops::Range<usize>| {
                let mut changed = text.text.clone();
                changed.replace_range(place, spoilt);
                Text::new(&*text.name, changed)
            };
            for place in numbers(&data.text) {
                // The check must return; its diagnostics do not matter.
                check(&model, &[vec![with(&data, place)]]);
                checked += 1;
            }
            for place in numbers(&model.text) {
                check(&with(&model, place), &[vec![data.clone()]]);
                checked += 1;
            }
        }
    }
    assert!(checked > 2_000, "{checked} texts were checked");
}

/// Messages do not repeat a token of any length.
fn long_tokens_are_cut() {
    let long = "a".repeat(10_000);
    for text in [
        format!("find x : int(1..3)\nsuch that x = {long}"),
        format!("find x : int(1..3)\nsuch that x {long} 1"),
        format!("find x : int(1..3)\nsuch that {long}(x)"),
        format!("find x : int(1..{})", "9".repeat(10_000)),
        format!("find x : {long}"),
        format!("find x : set ({long} 3) of int(1..3)"),
    ] {
        for error in errors(&text) {
            let said = format!("{} {:?} {:?}", error.message, error.help, error.notes);
            assert!(said.len() < 1000, "{} bytes: {}…", said.len(), said.chars().take(200).collect::<String>());
        }
    }
}

/// Messages about data do not either, in either notation.
fn long_numbers_in_data_are_cut() {
    let digits = "9".repeat(10_000);
    for data in [format!("{{\"n\": {digits}}}"), format!("{{\"n\": -{digits}.5e3}}"), format!("letting n be {digits}")]
    {
        let model = Text::new("model.essence", "given n : int\nfind x : bool");
        let report: Report = check(&model, &[vec![Text::new("data", data)]]);
        assert_eq!(report.diagnostics.len(), 1, "{:?}", words(&report.diagnostics));
        let shown = [report.to_terminal(false), report.to_lines(), report.to_json_lines()];
        for text in shown {
            assert!(text.len() < 2000, "{} bytes: {}…", text.len(), text.chars().take(200).collect::<String>());
            assert!(!text.contains(&digits[..1000]), "{text}");
        }
    }
}
