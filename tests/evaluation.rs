//! Evaluates expressions, binds parameters, and solves whole instances by trying all values.

use super::common::{instantiate, words};
use conjure_like::{
    analysis::model::{DeclarationId, DeclarationKind},
    instance::{GroundInstance, SolutionValues, oracle},
    json,
    language::Stop,
    solution,
};

/// The lines of a table, split at `=>`, without empty lines and comments.
fn rows(table: &str) -> impl Iterator<Item = (&str, &str)> {
    table.lines().filter(|line| !line.starts_with('$')).filter_map(|line| {
        let (left, right) = line.split_once("=>")?;
        Some((left.trim(), right.trim()))
    })
}

#[test]
fn expressions_have_the_values_of_the_table() {
    let prelude = include_str!("evaluation/prelude.essence");
    let mut wrong = Vec::new();
    for (expr, expected) in rows(include_str!("evaluation/values.txt")) {
        let found = match instantiate(&format!("{prelude}letting it be {expr}\n"), "") {
            Err(diagnostics) => words(&diagnostics),
            Ok(mut instance) => {
                // The expression is the last `letting`, after the prelude.
                let last = instance.model.declarations.len() - 1;
                let ty = instance.model.declarations[last].ty.clone();
                match instance.environment.global(DeclarationId(last as u32)) {
                    Ok(value) => instance.names.show(&value, &ty),
                    Err(Stop::Undefined) => "undefined".to_owned(),
                    Err(Stop::Fault(diagnostic)) => words(&[*diagnostic]),
                }
            }
        };
        if found != expected {
            wrong.push(format!("{expr}\n    is {found}\n    but should be {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The solutions of a model without parameters, each as one line of values.
fn solve(model: &str) -> Vec<String> {
    let instance = instantiate(model, "").unwrap_or_else(|diagnostics| panic!("{}", words(&diagnostics)));
    let solutions = oracle::solutions(&instance, 10_000).unwrap();
    for found in &solutions {
        solution::verify(&instance, found).unwrap();
    }
    let show = |(id, value): &(DeclarationId, conjure_like::language::Value)| {
        instance.names.show(value, &instance.model.declarations[id.0 as usize].ty)
    };
    solutions.iter().map(|found| found.iter().map(show).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn the_oracle_finds_all_solutions() {
    assert_eq!(solve("find x, y : int(1..3) such that x < y"), ["1 2", "1 3", "2 3"]);
    assert_eq!(solve("find b : bool"), ["false", "true"]);
    assert_eq!(solve("find x : int(0..1 % 0)"), [""; 0]);
    assert_eq!(solve("find s : set of int(1..3) such that |s| = 2"), ["{1, 2}", "{1, 3}", "{2, 3}"]);
    assert_eq!(solve("find x : int(0..2) such that 4 / x = 2"), ["2"]);
    assert_eq!(solve("find x : int(0..2) such that !(4 / x = 2)"), ["0", "1"]);
    assert_eq!(solve("find x : int(1..5) letting y be x * x such that y > 10"), ["4", "5"]);
    assert_eq!(solve("letting u be new type of size 2 find x : u"), ["u_1", "u_2"]);
    let queens = "letting N be domain int(1..6) find q : matrix indexed by [N] of N
        such that allDiff(q), forAll i, j : N, i < j . |q[i] - q[j]| != j - i";
    assert_eq!(solve(queens).len(), 4);
}

#[test]
fn the_oracle_finds_the_best_solutions() {
    assert_eq!(solve("find x, y : int(1..3) such that x != y maximising x + y"), ["2 3", "3 2"]);
    assert_eq!(solve("find x : int(0..3) minimising 6 / x"), ["3"]);
}

#[test]
fn a_local_decision_variable_is_searched_for() {
    assert_eq!(solve("find x : int(1..9) such that { y * y = x @ find y : int(1..9) }"), ["1", "4", "9"]);
}

#[test]
fn a_wrong_solution_is_found_out() {
    let instance = instantiate("find x, y : int(1..3) such that x < y", "").unwrap();
    let assignment = |x, y| vec![(DeclarationId(0), int(x)), (DeclarationId(1), int(y))];
    fn int(value: i64) -> conjure_like::language::Value {
        conjure_like::language::Value::Int(value)
    }
    assert!(solution::verify(&instance, &assignment(1, 2)).is_ok());
    let reason = solution::verify(&instance, &assignment(2, 2)).unwrap_err();
    assert_eq!(words(&[*reason]), "E0602 a solution that violates a constraint: this is false [x = 2] [y = 2]");
    let reason = solution::verify(&instance, &assignment(1, 4)).unwrap_err();
    assert_eq!(
        words(&[*reason]),
        "E0602 a solution with a value of `y` outside its domain: 4 is not in `int(1..3)` [y = 4]"
    );
}

#[test]
fn mistakes_in_the_data_are_explained() {
    let mut wrong = Vec::new();
    for case in include_str!("evaluation/mistakes.txt").split("\n\n").filter(|case| case.contains("=>")) {
        let case: String = case.lines().filter(|line| !line.starts_with('$')).collect::<Vec<_>>().join("\n");
        let (texts, expected) = case.split_once("=>").unwrap();
        let (model, parameters) = texts.split_once("with").unwrap_or((texts, ""));
        let expected = expected.trim().replace("\n   ", "");
        let found = match instantiate(model, parameters) {
            Ok(_) => "an instance".to_owned(),
            Err(diagnostics) => words(&diagnostics),
        };
        if found != expected {
            wrong.push(format!("{texts}\n    gives {found}\n    but should give {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The only solution of `printed.essence`.
fn printed() -> (GroundInstance, SolutionValues) {
    let model = include_str!("evaluation/printed.essence");
    let instance = instantiate(model, "").unwrap_or_else(|diagnostics| panic!("{}", words(&diagnostics)));
    let solutions = oracle::solutions(&instance, 1).unwrap();
    (instance, solutions.into_iter().next().unwrap())
}

#[test]
fn solutions_are_printed_like_files_of_the_reference_implementation() {
    let (instance, solution) = printed();
    assert_eq!(solution::print(&instance, &solution, 120), include_str!("evaluation/printed.solution"));
}

#[test]
fn solutions_are_printed_as_json() {
    let (instance, solution) = printed();
    let object = solution::json_values::solution_object(&instance, &solution, &|_| true, solution::JsonShape::Conjure);
    assert_eq!(json::spaced(&object), include_str!("evaluation/printed.json").trim());
}

/// As in Conjure, whose own tests have such parameters.
#[test]
fn a_parameter_may_violate_the_attributes_of_a_partition() {
    let model = "given p : partition (regular) from int(1..4) find b : bool";
    assert!(instantiate(model, "letting p be partition({1, 2}, {3})").is_ok());
    assert!(instantiate(model, "letting p be partition({1, 2}, {5, 6})").is_err());
}

#[test]
fn a_large_parameter_file_is_bound_quickly() {
    let pairs: Vec<String> = (1..=100_000).map(|key| format!("({key}, {}) --> {}", key % 7, key % 1000)).collect();
    let parameters = format!("letting f be function({})", pairs.join(", "));
    let model = "given f : function (int(1..100000), int(0..6)) --> int(0..999) find x : int(1..3)";
    let started = std::time::Instant::now();
    let instance = instantiate(model, &parameters).unwrap();
    assert!(started.elapsed().as_secs_f64() < 5.0, "{:?}", started.elapsed());
    println!("parsed, analysed and bound in {:?}", started.elapsed());
    assert!(matches!(instance.model.declarations[0].kind, DeclarationKind::Given(_)));
}
