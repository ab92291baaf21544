//! Explanations for all of `models`: for the instances in `params`, and for variants with changed numbers, most of
//! which have no solution.

use super::explained::{Checked, Wanted, check};
use std::{
    env, fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// The number of corrupted variants of each parameter file: `CORRUPTED_INSTANCES`, or one.
fn most_corrupted() -> usize {
    env::var("CORRUPTED_INSTANCES").ok().and_then(|count| count.parse().ok()).unwrap_or(1)
}

/// Deep recursion needs a large stack, as in the program.
const STACK: usize = 256 << 20;

/// Slower instances are printed by name.
const SLOW: Duration = Duration::from_secs(2);

/// The number of steps for each instance; on the hard ones, a step takes seconds.
const STEPS: usize = 4;

/// The models with their parameter files; a model without parameter files appears once.
fn instances() -> Vec<(String, String, String)> {
    let names = |folder: &str, ending: &str| -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let names = entries.filter_map(|name| name.into_string().ok()?.strip_suffix(ending).map(str::to_owned));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let read = |folder: &str, name: &str, ending: &str| {
        fs::read_to_string(Path::new(folder).join(format!("{name}{ending}"))).expect("a file")
    };
    let params = names("params", ".param");
    let mut found = Vec::new();
    for model in names("models", ".essence") {
        let text = read("models", &model, ".essence");
        let own: Vec<&String> = params.iter().filter(|name| name.starts_with(&format!("{model}-"))).collect();
        if own.is_empty() {
            found.push((model.clone(), text.clone(), String::new()));
        }
        for name in own {
            found.push((name.clone(), text.clone(), read("params", name, ".param")));
        }
    }
    assert!(found.len() > 40, "the models are not where this test looks for them");
    found
}

/// The ranges of the numbers in a text, outside comments.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split('$').next().unwrap_or_default();
        let mut previous = ' ';
        let mut characters = code.char_indices().peekable();
        while let Some((start, character)) = characters.next() {
            // Digits inside names and after a decimal point are not numbers.
            if character.is_ascii_digit() && !previous.is_alphanumeric() && previous != '_' && previous != '.' {
                let mut end = start + 1;
                while let Some((next, _)) = characters.next_if(|(_, character)| character.is_ascii_digit()) {
                    end = next + 1;
                }
                found.push((at + start, at + end));
            }
            previous = character;
        }
        at += line.len();
    }
    found
}

/// Copies of the text with one number changed in each; the numbers are spread over the text.
fn corrupted(text: &str) -> Vec<String> {
    let places = numbers(text);
    let count = most_corrupted().min(places.len());
    let changed = (0..count).map(|turn| {
        // Evenly spaced, because neighbouring numbers often have the same meaning.
        let (start, end) = places[turn * places.len() / count];
        let number: i64 = text[start..end].parse().unwrap_or(0);
        let other = match turn % 3 {
            0 => number + 1,
            1 => number * 2 + 1,
            _ => number - 1,
        };
        format!("{}{other}{}", &text[..start], &text[end..])
    });
    changed.collect()
}

fn explain_all(instances: impl Iterator<Item = (String, String, String)>, hints: bool) -> Checked {
    let wanted = Wanted { hints, most_steps: STEPS, most_combinations: None };
    let mut all = Checked::default();
    let mut wrong = Vec::new();
    for (name, model, data) in instances {
        let run = thread::Builder::new().stack_size(STACK);
        let begin = Instant::now();
        let checking = run.spawn(move || check(&model, &data, wanted)).expect("a thread");
        match checking.join().expect("no panic") {
            Ok(checked) => all.add(checked),
            Err(message) => wrong.push(format!("{name}: {message}")),
        }
        if begin.elapsed() > SLOW {
            eprintln!("{name} takes {:.1} s", begin.elapsed().as_secs_f64());
        }
    }
    assert!(wrong.is_empty(), "{} explanations are wrong:\n{}", wrong.len(), wrong.join("\n"));
    all
}

#[test]
fn hints_for_the_models_follow_from_what_they_cite() {
    let checked = explain_all(instances().into_iter(), true);
    assert!(checked.steps > 80 && checked.statements > 150, "{checked:?}");
}

/// In this puzzle, single values follow from more requirements than a step should have, and no smaller step prepares
/// them. Such a value is a long step; looking for a smaller one had no end.
#[test]
fn a_value_without_smaller_steps_is_a_step() {
    let (_, model, data) = instances().into_iter().find(|(name, ..)| name == "sudoku-easy").expect("the puzzle");
    let run = move || check(&model, &data, Wanted { hints: true, most_steps: 200, most_combinations: None });
    let checked = thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join().expect("no panic");
    let steps = checked.expect("explanations that hold").steps;
    assert!((40..200).contains(&steps), "{steps} steps");
}

/// Instances without tests of their repairs. Each takes longer than all other instances together: there are many cages,
/// or squares that can be completed are hard to find.
const MANY_CHANGES: [&str; 2] = ["killer-sudoku-1", "magic-square-durer"];

#[test]
fn changes_that_are_offered_for_corrupted_data_help() {
    let few = instances().into_iter().filter(|(name, ..)| !MANY_CHANGES.contains(&&**name));
    let corrupted = few.flat_map(|(name, model, data)| {
        let texts = corrupted(&data).into_iter().enumerate();
        texts.map(move |(turn, data)| (format!("{name}, change {turn}"), model.clone(), data))
    });
    let checked = explain_all(corrupted, false);
    assert!(checked.changes > 15 * most_corrupted(), "{checked:?}");
}

#[test]
fn what_must_be_defined_is_needed() {
    let models = [
        ("f : function int(1..3) --> int(1..3)", "!(1 in defined(f)), f(1) = 2"),
        ("f : function int(1..3) --> int(1..3)", "|defined(f)| < 3, forAll i : int(1..3) . f(i) > 1"),
        ("f : function int(1..5) --> int(1..3)", "|f| < 5, forAll i : int(1..5) . f(i) > 1"),
        ("f : function int(1..3) --> int(1..3)", "!(1 in defined(f)), (sum i : int(1..3) . f(i)) < 9"),
        ("f : function int(1..3) --> int(1..3)", "|f| = 2, allDiff([f(i) * 2 | i : int(1..3)])"),
        ("f : function int(1..3) --> function int(1..2) --> bool", "|f| = 1, |f(1)| = 2, f(2) != f(1)"),
        ("s : sequence (maxSize 4) of int(1..3)", "|s| = 2, s(3) = 1"),
        ("v : variant {a : int(1..3), b : bool}", "active(v, b), v[a] > 1"),
        ("s : set of int(1..3)", "|s| = 0, max(s) < 3"),
        ("x, y : int(0..3)", "y = 0, x % y < 5"),
        ("x : int(0..3)", "x = 0, [5, 6][x] > 3"),
        ("x : int(0..3)", "x > 2, function(1 --> 3, 2 --> 1)(x) > 0"),
    ];
    for (declaration, constraints) in models {
        let model = format!("find {declaration}\nsuch that {constraints}\n");
        let checked = check(&model, "", Wanted { hints: false, most_steps: 0, most_combinations: None });
        assert!(checked.as_ref().is_ok_and(|checked| checked.needs > 0), "{model}: {checked:?}");
    }
    // The next constraints contradict each other by their values, so "must be defined" is not among the reasons.
    for (declaration, constraints) in [
        ("f : function int(1..3) --> int(1..3)", "|f| > 1, f(1) > 1, f(1) < 1"),
        ("f : function int(1..3) --> int(1..3)", "!(1 in defined(f)), f(2) > 1, f(2) < 1"),
        ("x : int(0..3)", "catchUndef(6 / x, 9) < 2, x < 1"),
    ] {
        let model = format!("find {declaration}\nsuch that {constraints}\n");
        let checked = check(&model, "", Wanted { hints: false, most_steps: 0, most_combinations: None });
        assert!(checked.as_ref().is_ok_and(|checked| checked.needs == 0), "{model}: {checked:?}");
    }
}
