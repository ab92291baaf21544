//! Random well-typed models, on which the solvers must agree with trying all values.
//!
//! A model is made as a syntax tree ([`generator`]); its expressions are made by their types, from the table of
//! operators itself ([`operators`]). Its text runs through the whole program ([`check`]). A faulty model is shrunk
//! ([`shrink`]) and printed as a fixture.
//!
//! Models with large numbers are made as text ([`large`]).
//!
//! To run more models by hand:
//!
//! ```text
//! GENERATED_MODELS=100000 GENERATED_SEED=7 cargo test --release --lib inside::generated -- --nocapture
//! GENERATED_MODELS=20000 cargo test --release --lib large_numbers -- --nocapture
//! ```
//!
//! `GENERATED_ONLY=123` makes only the model with this number and prints it. `GENERATED_COVERAGE=1` solves nothing and
//! prints the number of models with each feature ([`coverage`]).

mod bubbles;
mod certificates;
mod check;
mod comprehensions;
mod coverage;
mod cubes;
mod domains;
mod expressions;
mod formulas;
mod generator;
mod large;
mod literals;
mod operators;
mod pairs;
pub(crate) mod random;
mod shrink;
mod statements;
mod streamliners;
mod tree;

use super::explained;
use check::Verdict;
use conjure_like::syntax::print;
use coverage::Coverage;
use generator::Generated;
use random::Random;
use std::{
    collections::BTreeMap,
    env, thread,
    time::{Duration, Instant},
};

/// The number of models in the test suite.
const MODELS: u64 = 150;

/// Deep recursion needs a large stack, as in the program.
const STACK: usize = 256 << 20;

/// A run by hand ends after this many faults.
const MOST_FAULTS: usize = 20;

/// Slower models are printed, because they may show a performance bug.
const SLOW: Duration = Duration::from_secs(5);

fn setting(name: &str) -> Option<u64> {
    env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

/// The model and its parameter file as text.
fn show(model: &Generated) -> String {
    let text = print::print_file(&model.file, 120);
    if model.parameters.is_empty() { text } else { format!("{text}\n---- parameters\n{}", model.parameters) }
}

/// Makes a model from random numbers.
type MakeModel = fn(Random) -> Generated;

fn run(make: MakeModel) -> Vec<String> {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_MODELS").unwrap_or(MODELS));
    let only = setting("GENERATED_ONLY");
    let numbers = only.map_or(0..count, |only| only..only + 1);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults: Vec<String> = Vec::new();
    let mut kinds: Vec<String> = Vec::new();
    let mut coverage = setting("GENERATED_COVERAGE").map(|_| Coverage::new());
    let begin = Instant::now();
    for number in numbers {
        let model = make(Random::new(seed, number));
        if only.is_some() {
            eprintln!("{}", show(&model));
        }
        if let Some(coverage) = &mut coverage {
            coverage.record(&model);
            continue;
        }
        let start = Instant::now();
        let verdict = check::check(&model);
        if start.elapsed() > SLOW {
            eprintln!("model {number} of seed {seed} takes {:.1} s", start.elapsed().as_secs_f64());
        }
        let what = match &verdict {
            Verdict::Agree(0) => "agree, without solutions".to_owned(),
            Verdict::Agree(_) => "agree, with solutions".to_owned(),
            Verdict::Skipped(why) => format!("skipped: {why}"),
            Verdict::Fault(fault) => format!("FAULT: {}", fault.kind),
        };
        *counts.entry(what).or_default() += 1;
        if let Verdict::Fault(fault) = verdict {
            // A few examples of each kind of fault are enough; shrinking is slow.
            let told = kinds.iter().filter(|kind| **kind == fault.kind).count();
            if told >= 4 {
                continue;
            }
            kinds.push(fault.kind.clone());
            let small = shrink::shrink(&model, &fault.kind);
            // The shrunk model has other values in its message.
            let details = match check::check(&small) {
                Verdict::Fault(fault) => fault.details,
                _ => fault.details,
            };
            let report = format!(
                "======== model {number} of seed {seed}: {}\n{details}\n---- model\n{}",
                fault.kind,
                show(&small)
            );
            eprintln!("{report}");
            faults.push(report);
            if faults.len() >= MOST_FAULTS {
                break;
            }
        }
    }
    eprintln!("{} models in {:.1} s", counts.values().sum::<usize>(), begin.elapsed().as_secs_f64());
    for (what, count) in &counts {
        eprintln!("{count:8} {what}");
    }
    if let Some(coverage) = coverage {
        coverage.print();
    }
    faults
}

#[test]
fn solver_and_oracle_agree_on_generated_models() {
    check::remember_panics();
    on_a_large_stack(|| run(generator::model));
}

#[test]
fn solver_and_oracle_agree_on_models_with_large_numbers() {
    check::remember_panics();
    on_a_large_stack(|| run(large::model));
}

fn on_a_large_stack(run: impl FnOnce() -> Vec<String> + Send + 'static) {
    let worker = thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    let faults = worker.join().expect("no panic");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn explanations_of_generated_models_are_true() {
    on_a_large_stack(statements::violations);
}

#[test]
fn contradictions_in_generated_models_are_true() {
    on_a_large_stack(statements::contradictions);
}

#[test]
fn cubes_of_generated_models_hold_each_solution_once() {
    on_a_large_stack(cubes::faults);
}

#[test]
fn streamliners_of_generated_models_change_no_answer() {
    on_a_large_stack(streamliners::faults);
}

#[test]
fn certificates_of_generated_models_say_what_trying_all_values_says() {
    on_a_large_stack(|| certificates::faults(generator::model));
}

#[test]
fn formulas_of_timestamps_are_exact() {
    for text in formulas::TIMESTAMPS {
        match formulas::tried(&large::read(text)) {
            Some(tried) => assert!(tried.is_ok(), "{tried:?}\n{text}"),
            None => panic!("there is no formula\n{text}"),
        }
    }
}

#[test]
fn certificates_of_models_with_large_numbers_say_what_trying_all_values_says() {
    on_a_large_stack(|| certificates::faults(large::model));
}

#[test]
fn pairs_of_models_are_compared_truly() {
    on_a_large_stack(pairs::faults);
}

/// The number of explained models in the test suite.
const EXPLAINED: u64 = 60;

/// Checks the repairs of `why` and the claims of `hint` on random models, most of which have few or no solutions.
#[test]
fn explanations_of_random_models_hold() {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_MODELS").unwrap_or(EXPLAINED));
    let only = setting("GENERATED_ONLY");
    let run = move || {
        let wanted = explained::Wanted { hints: true, most_steps: usize::MAX, most_combinations: Some(2_000) };
        let mut all = explained::Checked::default();
        let mut wrong = Vec::new();
        for number in only.map_or(0..count, |only| only..only + 1) {
            let model = generator::model(Random::new(seed, number));
            match explained::check(&print::print_file(&model.file, 120), &model.parameters, wanted) {
                Ok(checked) => all.add(checked),
                Err(message) => wrong.push(format!("model {number}: {message}\n{}", show(&model))),
            }
        }
        assert!(wrong.is_empty(), "{} explanations are wrong:\n{}", wrong.len(), wrong.join("\n"));
        assert!(only.is_some() || all.inferences > 0, "{all:?}");
        println!("{all:?}");
    };
    thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join().expect("no panic");
}
