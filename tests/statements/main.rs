//! Every statement that an explanation prints is Essence, has the same meaning for the instance as its source, and has
//! the claimed truth value: on all examples, with randomly spoilt solutions.
//!
//! `STATEMENTS=sudoku` selects cases by name; `SPOILT=100` spoils each solution more often.

pub(crate) mod claims;

use claims::{Claim, Subject, claims, corrupted, solve};
use conjure_like::{explain, solution};
use std::{env, fs, path::Path, thread};

/// Deep recursion needs a large stack, as in the program.
const STACK: usize = 256 << 20;
/// The number of spoilt copies of each solution.
const SPOILT: usize = 6;
/// Skip larger examples: they take longer, and show nothing that smaller ones do not.
const MOST_REQUIREMENTS: usize = 400;

/// Random numbers below a bound (splitmix64).
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |bound| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files(folder: &str, extension: &str) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

/// The examples: models alone, and with each of their parameter files.
fn subjects() -> Vec<Subject> {
    let mut found = Vec::new();
    let wanted = env::var("STATEMENTS").unwrap_or_default();
    for model in files("models", "essence") {
        found.extend(Subject::new(&model.display().to_string(), &read(&model), ""));
    }
    for data in files("params", "param") {
        let text = read(&data);
        let name = text.lines().find_map(|line| line.strip_prefix("$ model: ")).map(str::to_owned);
        let Some(name) = name else { continue };
        let model = Path::new("models").join(name);
        // Data that a `where` rejects have no solutions to spoil.
        found.extend(Subject::new(&data.display().to_string(), &read(&model), &text));
    }
    found.retain(|subject| subject.name.contains(&wanted));
    assert!(!found.is_empty());
    found
}

fn on_a_large_stack(run: impl FnOnce() -> Vec<String> + Send + 'static) {
    let worker = thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    let faults = worker.join().expect("no panic");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n\n"));
}

#[test]
fn what_a_spoilt_solution_breaks_is_said_truly() {
    on_a_large_stack(|| {
        let count = env::var("SPOILT").ok().and_then(|count| count.parse().ok()).unwrap_or(SPOILT);
        let (mut faults, mut broken) = (Vec::new(), 0);
        for (number, subject) in subjects().into_iter().enumerate() {
            // Explaining a violation is cheaper than a conflict, so larger examples are feasible.
            if subject.requirements(5 * MOST_REQUIREMENTS).is_none() {
                continue;
            }
            let Some(solution) = solve(&subject.instance) else { continue };
            let mut numbers = numbers(number as u64);
            for _ in 0..count {
                let values = corrupted(&subject.instance, &solution, &mut numbers);
                match subject.check_expectation(&values) {
                    Ok(found) => broken += found,
                    Err(fault) => {
                        faults.push(format!("{}: {fault}", subject.name));
                        break;
                    }
                }
            }
        }
        assert!(broken > 0 || !faults.is_empty(), "nothing has been broken");
        eprintln!("{broken} violations");
        faults
    });
}

#[test]
fn the_requirements_say_together_what_the_model_says() {
    on_a_large_stack(|| {
        let mut faults = Vec::new();
        for (number, subject) in subjects().into_iter().enumerate() {
            let Some(solution) = solve(&subject.instance) else { continue };
            let Some(statements) = subject.requirements(MOST_REQUIREMENTS) else { continue };
            let mut numbers = numbers(number as u64);
            for round in 0..3 {
                let values = match round {
                    0 => solution.clone(),
                    _ => corrupted(&subject.instance, &solution, &mut numbers),
                };
                let printed = solution::print(&subject.instance, &values, 120);
                let holds = solution::verify(&subject.instance, &values).is_ok();
                let all: Vec<String> = statements.iter().map(|says| format!("({says})")).collect();
                if all.is_empty() {
                    continue;
                }
                let claim = Claim { says: all.join(" /\\ "), holds };
                if let Err(fault) = subject.check(&[claim], &printed) {
                    faults.push(format!("{}: {fault}", subject.name));
                    break;
                }
            }
        }
        faults
    });
}

#[test]
fn what_is_said_to_contradict_itself_does() {
    on_a_large_stack(|| {
        let mut faults = Vec::new();
        for subject in subjects() {
            let Some(all) = subject.requirements(MOST_REQUIREMENTS) else { continue };
            let checked = match (solve(&subject.instance), all.get(all.len() / 2)) {
                (None, _) => subject.check_conflict(),
                (Some(_), Some(fact)) => match subject.check_forced(fact) {
                    Ok(Some(true)) => Ok(()),
                    Ok(_) => Err(format!("`{fact}` is a requirement, but not forced")),
                    Err(fault) => Err(fault),
                },
                (Some(_), None) => Ok(()),
            };
            if let Err(fault) = checked {
                faults.push(format!("{}: {fault}", subject.name));
            }
        }
        faults
    });
}

/// Constraints that are violated deep inside, not in their direct operands.
#[test]
fn odd_shapes_of_constraints_are_told_truly() {
    let model = "\
given colour new type enum
find s : set of int(1..3)
find p : partition (numParts 2) from int(1..4)
find f : function (total) int(1..3) --> int(1..3)
find g : function colour --> int(1..3)
find r : relation of (int(1..3) * int(1..3))
find m : matrix indexed by [int(0..2)] of int(1..4)
find c : colour
find k : sequence (maxSize 3) of int(1..3)
find t : (int(1..3), bool)
letting named be forAll i : int(1..2) . m[i] < m[i - 1]
such that
    forAll j in s . j > 2, $ a comment that ends the line
    forAll b in parts(p) . (sum i in b . i) <= 3 /* and one inside */ /\\ |b| = 2,
    forAll (i, j) in f . i != j,
    forAll (i, _) in r . i > 1,
    forAll (i, j) in r, i < j . f(i) = j,
    and([y > 3 | i : int(1..3), letting y be f(i) + 1]),
    forAll i : int(1..3) . (exists j : int(1..3) . f(j) = i /\\ j > i),
    forAll d : colour . g(d) > 1 -> c = d,
    !(exists i : int(0..2) . m[i] = 2),
    m[3] = 1 \\/ m[0] = 4,
    forAll i : int(0..2) . forAll j : int(0..2), j > i . allDiff([m[i], m[j], 4]),
    named,
    (sum i : int(0..2) . toInt(m[i] = 1)) = 2 -> (forAll i in s . i = 1),
    forAll (i, x) in k . x >= i,
    forAll {a, b} in parts(p) . a + b = 5,
    forAll u subsetEq s . |u| < 2,
    t[2] <-> t[1] = 2,
    exists x in s . forAll y in s . x < y,
    exists d in s, d > 2 . d in s,
    forAll x in m . x > 1
";
    are_told_truly(model, "letting colour be new type enum {red, blue}");
}

/// Checks the explanations of a model for many combinations of values, and that its requirements are equivalent to the
/// model.
fn are_told_truly(model: &'static str, data: &'static str) {
    on_a_large_stack(move || {
        let subject = Subject::new("model", model, data).expect("a model");
        let mut faults = Vec::new();
        let statements = subject.requirements(10_000).expect("requirements");
        for seed in 0..40 {
            let mut numbers = numbers(seed);
            let values = subject.instance.finds.iter().map(|find| {
                let at = numbers(60);
                (find.id, find.domain.members().take(at + 1).last().expect("a value"))
            });
            let values = values.collect();
            faults.extend(subject.check_expectation(&values).err());
            let printed = solution::print(&subject.instance, &values, 120);
            let holds = solution::verify(&subject.instance, &values).is_ok();
            let all: Vec<String> = statements.iter().map(|says| format!("({says})")).collect();
            faults.extend(subject.check(&[Claim { says: all.join(" /\\ "), holds }], &printed).err());
        }
        faults
    });
}

/// Statements in which an inner declaration hides an outer name.
#[test]
fn names_are_not_captured() {
    let model = "\
given colour new type enum
find j : int(1..3)
find s : set (size 2) of set (maxSize 2) of int(1..30)
find f : function (total) int(1..3) --> int(1..3)
find g : function (maxSize 2) int(1..20) --> int(1..20)
find c : colour
find d : function (total) int(1..5) --> colour
letting small be j < 3
letting odd be and([small | j : int(1..2), f(j) = j])
such that
    forAll (i, j) in f . small,
    forAll (i, j) in f . odd /\\ j > 1,
    forAll s in s . forAll t in s . t < 9,
    forAll i in s . forAll i in i . i > 2,
    forAll i in s . forAll k in i . (exists i in s . k in i /\\ |i| = 2),
    forAll i in s . forAll i in s . |i| = 1,
    forAll (j, k) in g . k = j -> (forAll (k, j) in g . k < j),
    forAll (i, red) in d . c = red,
    forAll (i, red) in d . forAll e : colour . e = red -> (exists red : colour . red != e),
    forAll (i, _) in d . c != d(i),
    forAll i : int(1..5) . d(i) = c -> (forAll i : int(2..4) . d(i) = c),
    forAll i in s . i = {} -> (forAll i : int(1..2) . forAll (i, j) in f . i = j)
";
    are_told_truly(model, "letting colour be new type enum {red, blue, j_}");
}

#[test]
fn the_claims_of_a_reason_are_found() {
    let reason = explain::Reason { says: "x = 1".to_owned(), ..Default::default() };
    assert_eq!(claims(&reason).len(), 1);
}
