//! Exports for external solvers. Z3 reads the SMT-LIB export here, and its answers must be solutions of the model.

#[path = "common/suite.rs"]
mod suite;

use conjure_like::{
    Code, Compiled, Count, EngineOptions, ExportFormat, Model, Report, Solution, SolveOptions, SolveStatus, Text,
};
use std::{
    collections::BTreeSet,
    fs,
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

const FORMATS: [ExportFormat; 7] = [
    ExportFormat::Dimacs,
    ExportFormat::Wcnf,
    ExportFormat::Opb,
    ExportFormat::SmtLib,
    ExportFormat::FlatZinc,
    ExportFormat::MiniZinc,
    ExportFormat::EssencePrime,
];

fn file(path: &str) -> Text {
    Text::new(path, fs::read_to_string(path).expect("a file of the project"))
}

/// Models with their data.
fn instances() -> Vec<(Text, Vec<Text>)> {
    let files = [
        ("futoshiki", "futoshiki-4"),
        ("golomb-ruler", "golomb-ruler-4"),
        ("knapsack", "knapsack-12"),
        ("map-colouring", "map-colouring-benelux"),
        ("assignment", "assignment-5"),
        ("job-shop", "job-shop-bakery"),
        ("timetable", "timetable-none"),
    ];
    let texts = [
        "find s : set (size 2) of set (size 2) of int(1..4) such that forAll t in s . 1 in t minimising sum([max(t) | t <- s])",
        "find f : function int(1..3) --> int(-2..4) such that f(1) * f(2) = -6 maximising f(3) / f(1) + f(3) % f(2)",
        "find p : partition (numParts 2) from int(1..5) such that apart({1, 2}, p)",
        "find q : sequence (maxSize 3) of int(1..3) such that |q| > 0 -> q(1) = 2 maximising 2 ** |q| + q(2)",
        "find r : relation (size 2) of (int(1..2) * int(1..3)) such that (1, 1) in r, (1, 2) in r, (2, 2) in r",
        "letting day be new type enum {mon, tue} find d : day, x : int(1..100000) such that d = tue -> x * x = 1522756 maximising (x, toInt(d = mon))",
    ];
    let read = |(model, data): (&str, &str)| {
        (file(&format!("models/{model}.essence")), vec![file(&format!("params/{data}.param"))])
    };
    let inline = |text: &str| (Text::new("test.essence", text), Vec::new());
    files.into_iter().map(read).chain(texts.into_iter().map(inline)).collect()
}

/// The answer of Z3 to a text, in the format of SMT-LIB.
#[cfg(feature = "z3")]
fn answer(text: &str) -> String {
    assert!(conjure_like::SolverName::Z3.is_installed(), "Z3 is missing");
    let solver = z3::Optimize::new();
    solver.from_string(text);
    match solver.check(&[]) {
        z3::SatResult::Unsat => "unsat".to_owned(),
        z3::SatResult::Unknown => "unknown".to_owned(),
        z3::SatResult::Sat => {
            let model = solver.get_model().expect("a model").to_string();
            let values = model.lines().filter_map(|line| line.split_once(" -> "));
            let values: Vec<String> = values.map(|(name, value)| format!("({name} {value})")).collect();
            let objectives = if text.contains("(get-objectives)") { "(objectives)" } else { "" };
            format!("sat {objectives} ({})", values.join(" "))
        }
    }
}

#[cfg(feature = "z3")]
#[test]
fn the_answers_of_an_smt_solver_are_solutions() {
    for (model, data) in instances() {
        let instance = Model::read(&model).expect("a model").instance(&data).expect("an instance");
        let options = SolveOptions::default();
        let compiled = instance.compile(&options).expect("a problem");
        let mut best = None;
        let own = compiled.solve(&options, &mut |solution| {
            best = solution.objective();
            ControlFlow::Continue(())
        });
        let text = compiled.export(ExportFormat::SmtLib, &options).expect("a text");
        let answer = Text::new("answer", answer(&text));
        let mut found = None;
        let read = compiled.read_answer(ExportFormat::SmtLib, &answer, &options, &mut |solution| {
            found = solution.objective();
            ControlFlow::Continue(())
        });
        let (own, read) = (own.expect("a search"), read.unwrap_or_else(|report| panic!("{}: {report}", model.name)));
        assert_eq!(read.status, own.status, "{}", model.text);
        assert_eq!(found, best, "{}", model.text);
    }
}

#[test]
fn texts_are_the_same_each_time_and_name_the_variables() {
    for (model, data) in instances() {
        let text = |format| {
            let instance = Model::read(&model).expect("a model").instance(&data).expect("an instance");
            let options = SolveOptions::default();
            instance.compile(&options).and_then(|compiled| compiled.export(format, &options))
        };
        for format in FORMATS {
            // Some variables have domains that are too large for clauses.
            let (Ok(first), Ok(second)) = (text(format), text(format)) else {
                assert!(model.text.contains("100000") && format != ExportFormat::SmtLib, "{}", model.text);
                continue;
            };
            assert_eq!(first, second);
            let name =
                model.text.split_once("find ").and_then(|(_, rest)| rest.split([' ', ',']).next()).expect("a name");
            // Each format has another mark for comments.
            let mut comments = first.lines().filter(|line| line.starts_with(['c', '*', ';', '%', '$']));
            let is_named = |line: &str| line.split([' ', '(', '[', ')']).any(|word| word == name);
            assert!(comments.any(is_named), "{name} in\n{first}");
        }
    }
}

#[test]
fn an_answer_that_does_not_fit_is_an_error() {
    let model = Text::new("test.essence", "find x : int(1..3) such that x > 1");
    let instance = Model::read(&model).expect("a model").instance(&[]).expect("an instance");
    let options = SolveOptions::default();
    let compiled = instance.compile(&options).expect("a problem");
    let read = |text: &str| {
        let answer = Text::new("answer", text);
        compiled.read_answer(ExportFormat::FlatZinc, &answer, &options, &mut |_| ControlFlow::Break(()))
    };
    let summary = read("i0 = 2;\n----------\n").expect("an answer that fits");
    assert_eq!(summary.status, SolveStatus::Satisfied);
    for wrong in ["i0 = 1;\n----------\n", "i0 = 9;\n----------\n", "", "i0 = two;\n----------\n"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

/// The texts of all solutions, or of a best one, and the best value.
type Found = (BTreeSet<String>, Option<String>);

/// Collects the solutions of a search; none if it was cut short.
fn solutions(
    has_objective: bool,
    solve: impl FnOnce(&SolveOptions, &mut dyn FnMut(&Solution) -> ControlFlow<()>) -> bool,
) -> Option<Found> {
    let count = if has_objective { Count::First(1) } else { Count::All };
    let (mut texts, mut best) = (BTreeSet::new(), None);
    // Some texts take long without the structure of their model, so these are left out.
    let search = EngineOptions::default().limits(Instant::now() + Duration::from_secs(1));
    let is_complete = solve(&SolveOptions::default().solutions(count).search(search), &mut |solution| {
        if has_objective {
            texts.clear();
        }
        texts.insert(solution.to_string());
        best = solution.objective().map(|value| format!("{value:?}"));
        ControlFlow::Continue(())
    });
    is_complete.then_some((texts, best))
}

fn is_complete(status: SolveStatus) -> bool {
    matches!(status, SolveStatus::Optimal | SolveStatus::AllSolutions | SolveStatus::Unsatisfiable)
}

/// Solves the text in Essence′ with the library itself, and reads the answer back.
fn through_essence_prime(compiled: &Compiled, has_objective: bool) -> Option<Found> {
    let text = compiled.export(ExportFormat::EssencePrime, &SolveOptions::default()).ok()?;
    let model = Model::read(&Text::new("prime.essence", text.as_str()));
    // Very long chains of operators are beyond the parser.
    let is_too_long = |report: &Report| report.diagnostics.iter().any(|error| error.code == Code::TOO_DEEP);
    if model.as_ref().is_err_and(is_too_long) {
        return None;
    }
    let instance = model.and_then(|model| model.instance(&[])).unwrap_or_else(|report| panic!("{report}\n{text}"));
    let (answers, _) = solutions(has_objective, |options, found| {
        let summary = instance.compile(options).and_then(|prime| prime.solve(options, found));
        is_complete(summary.unwrap_or_else(|report| panic!("{report}\n{text}")).status)
    })?;
    let answer: String = answers.iter().map(|solution| format!("{solution}----------\n")).collect();
    let answer = Text::new("answer", answer + "==========\n");
    solutions(has_objective, |options, found| {
        let read = compiled.read_answer(ExportFormat::EssencePrime, &answer, options, found);
        read.unwrap_or_else(|report| panic!("{report}\n{text}\n{}", answer.text));
        true
    })
}

#[test]
fn texts_in_essence_prime_are_models_with_the_same_solutions() {
    let mut compared = 0;
    let fixtures = suite::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"), &["essence"]);
    let fixtures = fixtures.iter().filter_map(|path| {
        let text = suite::read(path)?;
        let count: usize = text.lines().find_map(|line| line.strip_prefix("$ solutions: ")?.trim().parse().ok())?;
        (count <= 20).then(|| (Text::new(path.display().to_string(), text), Vec::new()))
    });
    for (model, data) in instances().into_iter().chain(fixtures) {
        // Fixtures may be about mistakes, or have separate data.
        let Ok(read) = Model::read(&model) else { continue };
        let compiled = read.instance(&data).and_then(|instance| instance.compile(&SolveOptions::default()));
        let Ok(compiled) = compiled else { continue };
        let has_objective = read.has_objective();
        let own = solutions(has_objective, |options, found| {
            compiled.solve(options, found).is_ok_and(|summary| is_complete(summary.status))
        });
        let Some(own) = own else { continue };
        let Some(other) = through_essence_prime(&compiled, has_objective) else { continue };
        assert_eq!(own.1, other.1, "{}", model.name);
        // Two searches may find different best solutions.
        let differ = if has_objective { own.0.is_empty() != other.0.is_empty() } else { own.0 != other.0 };
        assert!(!differ, "{}: {:#?} and not {:#?}", model.name, other.0, own.0);
        compared += 1;
    }
    assert!(compared > 100, "{compared} instances");
}
