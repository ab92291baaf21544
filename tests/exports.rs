//! Exports for external solvers. Z3 reads the SMT-LIB export here, and its answers must be solutions of the model.

use conjure_like::{ExportFormat, Model, SolveOptions, SolveStatus, Text};
use std::{fs, ops::ControlFlow};

const FORMATS: [ExportFormat; 5] =
    [ExportFormat::Dimacs, ExportFormat::Wcnf, ExportFormat::Opb, ExportFormat::SmtLib, ExportFormat::FlatZinc];

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
            let mut comments = first.lines().filter(|line| line.starts_with(['c', '*', ';', '%']));
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
