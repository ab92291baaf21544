//! Evaluation on the expected solutions of Conjure's exhaustive tests: each satisfies its model, and if there are few
//! candidates, trying all of them finds no other solutions.
//!
//! The environment variable `CONJURE_TESTS` names the folder of the tests; `CONJURE_FILTER` selects tests whose name
//! contains it.

use super::common::{conjure_tests, instantiate_files, read, words};
use conjure_like::{
    diagnostic::Diagnostics,
    instance::{GroundInstance, evaluate, oracle},
    language::{GroundDomain, Value},
    solution,
    syntax::ast,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Hard limit on the candidates that are tried for an instance.
const MOST_TRIED: u128 = 100_000;

/// Instances with more solutions than in Conjure, on purpose: `tests/conjure/solve.rs` explains why.
const DIFFERENCES: [&str; 1] = ["autogen/gen12 "];

fn folders(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut inner: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    inner.sort();
    if folder.join("expected").is_dir() {
        found.push(folder.to_owned());
    }
    inner.iter().filter(|path| path.is_dir()).for_each(|path| folders(path, found));
}

fn with_extension(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    found.sort();
    found
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn tree(text: &str) -> ast::File {
    read(text, 0, &mut Diagnostics::new())
}

/// Solutions here show index domains in normal form, unlike Conjure, which keeps the model's spelling.
fn in_normal_form(text: String) -> String {
    text.replace("int(1, 2, 4, 8, 16, 32)", "int(1..2, 4, 8, 16, 32)")
}

/// The texts of the expected solutions of an instance.
fn expected(folder: &Path, param: Option<&Path>) -> BTreeSet<String> {
    let suffix = param.map(|param| format!("-{}", stem(param))).unwrap_or_default();
    // Each way of compiling the model has its own files with the same solutions, so one of them is enough.
    let mut by_model: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in with_extension(&folder.join("expected"), "solution") {
        let name = stem(&path);
        let Some((model, number)) = name.rsplit_once("-solution") else { continue };
        // The files are called `MODEL-PARAM-solution000001`, or `MODEL-solution000001` without parameters.
        let belongs = if param.is_some() { model.ends_with(&suffix) } else { !model.contains('-') };
        if belongs && number.len() == 6 {
            by_model.entry(model.to_owned()).or_default().insert(in_normal_form(text_of(&path)));
        }
    }
    by_model.into_values().next().unwrap_or_default()
}

/// The model with its decision variables, and the unnamed types that solutions list, turned into parameters.
fn decided(model: &ast::File) -> ast::File {
    let mut file = model.clone();
    for statement in &mut file.statements {
        statement.kind = match statement.kind.clone() {
            ast::StatementKind::Find { names, domain } => ast::StatementKind::Given { names, domain },
            ast::StatementKind::Letting { names, value: ast::LettingValue::Unnamed(_) } => {
                ast::StatementKind::GivenEnum { names }
            }
            // Drop statements that do not restrict the solutions.
            ast::StatementKind::Objective { .. } | ast::StatementKind::BranchingOn(_) => {
                ast::StatementKind::Where(Vec::new())
            }
            kind => kind,
        };
    }
    file
}

fn check_expected(model: &ast::File, param: Option<&ast::File>, text: &str) -> Result<(), String> {
    let parameters: Vec<ast::File> = param.cloned().into_iter().chain([tree(text)]).collect();
    let mut instance = instantiate_files(&decided(model), &parameters, Diagnostics::new()).map_err(|d| words(&d))?;
    let model = instance.model.clone();
    for (position, constraint) in model.constraints.iter().enumerate() {
        match evaluate(constraint, &mut instance.environment) {
            Ok(Value::Bool(true)) => {}
            result => return Err(format!("constraint {} is {result:?} in\n{text}", position + 1)),
        }
    }
    Ok(())
}

/// Compares the solutions found by trying all values with the expected ones. Returns false if there are too many
/// candidates.
fn try_all(instance: &GroundInstance, expected: &BTreeSet<String>) -> Result<bool, String> {
    let domains = instance.finds.iter().map(|find| (*find.domain).clone()).collect();
    let too_many = GroundDomain::Tuple(domains).size().is_none_or(|size| size > MOST_TRIED);
    if too_many || instance.model.objective.is_some() {
        return Ok(false);
    }
    let solutions = oracle::solutions(instance, usize::MAX).map_err(|stop| format!("{stop:?}"))?;
    let found: BTreeSet<String> = solutions.iter().map(|solution| solution::print(instance, solution, 120)).collect();
    if found.len() != solutions.len() {
        return Err(format!("{} solutions, but only {} texts", solutions.len(), found.len()));
    }
    let missing = expected.difference(&found).next().map(|text| format!("not found:\n{text}"));
    let wrong = found.difference(expected).next().map(|text| format!("not expected:\n{text}"));
    match missing.or(wrong) {
        Some(text) => Err(format!("{} found, {} expected, {text}", found.len(), expected.len())),
        None => Ok(true),
    }
}

#[test]
#[ignore = "needs the tests of a checkout of Conjure, which CONJURE_TESTS names"]
fn expected_solutions_are_solutions() {
    let root = conjure_tests().join("exhaustive");
    let filter = std::env::var("CONJURE_FILTER").unwrap_or_default();
    let mut tests = Vec::new();
    folders(&root, &mut tests);
    let (mut checked, mut tried, mut instances) = (0, 0, 0);
    let mut failures = Vec::new();
    for test in tests.iter().filter(|test| test.to_string_lossy().contains(&filter)) {
        let models = with_extension(test, "essence");
        let [model] = models.as_slice() else { continue };
        let mut diagnostics = Diagnostics::new();
        let model = read(&text_of(model), 0, &mut diagnostics);
        let params = with_extension(test, "param");
        let params: Vec<Option<&PathBuf>> =
            if params.is_empty() { vec![None] } else { params.iter().map(Some).collect() };
        for param in params {
            instances += 1;
            let name = format!("{} {}", test.strip_prefix(&root).unwrap().display(), param.map_or("", |_| "with"))
                + &param.map(|param| format!(" {}", stem(param))).unwrap_or_default();
            let expected = expected(test, param.map(PathBuf::as_path));
            let param = param.map(|path| tree(&text_of(path)));
            for text in &expected {
                checked += 1;
                if let Err(reason) = check_expected(&model, param.as_ref(), text) {
                    failures.push(format!("{name}: {reason}"));
                    break;
                }
            }
            let parameters: Vec<ast::File> = param.into_iter().collect();
            match instantiate_files(&model, &parameters, Diagnostics::new()) {
                Err(diagnostics) => failures.push(format!("{name}: {}", words(&diagnostics))),
                Ok(_) if DIFFERENCES.contains(&name.as_str()) => {}
                Ok(instance) => match try_all(&instance, &expected) {
                    Ok(done) => tried += usize::from(done),
                    Err(reason) => failures.push(format!("{name}: {reason}")),
                },
            }
        }
    }
    println!("{instances} instances, {checked} expected solutions checked, all values tried for {tried} instances");
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}
