//! Models and parameter files that say in comments what must come out.
//!
//! A text in a suite of `tests/fixtures`, in `tests/conformance` or in `models`, is a case if it has at least one of these comments, each on a line
//! of its own; so is a text with parameters in `params` or beside the fixtures that names its model:
//!
//! - `$ model: NAME` (in a parameter file) the model, in the same folder or in `models`;
//! - `$ solutions: N` how many solutions there are;
//! - `$ optimum: N` the best value of the objective;
//! - `$ solution: letting x be 1 letting y be 2` a solution (again for each further one);
//! - `$ error: E0301` the codes of the errors, in the order of their places, each with its line if the comment says
//!   `E0301:4`.
//!
//! No solution may be found twice. Where the decision variables have few enough values, trying all of them must find
//! the same solutions. So must the other solvers, and solving in the other representations that the variables can have, where
//! that is quick.
//!
//! `UPDATE=1` corrects the numbers and codes in fixtures; examples are for reading, so theirs are corrected by hand.

use crate::{Verdict, comments, conformance, files, is_updated, model_of, name, none, read, suite, text};
use conjure_like::{
    Code, Count, Instance, Model, Report, Severity, Solution, SolveOptions, SolveStatus, SolverName, Span, Text,
};
use libtest_mimic::Trial;
use std::{
    collections::BTreeSet,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Nobody expects more solutions than these.
const MOST_SOLUTIONS: usize = 10_000;

/// All values are tried if there are no more combinations than these.
const MOST_COMBINATIONS: u128 = 5_000;

/// No search needs longer.
const TIME: Duration = Duration::from_secs(180);

/// The most solutions that CP-SAT enumerates.
const MOST_SEARCHES: usize = 20;

/// In other ways, a case is solved if that takes less time, together with the usual way.
const QUICK: Duration = Duration::from_secs(1);

/// What is too large for another representation or another solver.
const REFUSALS: [Code; 2] = [Code::TOO_LARGE, Code::TOO_MANY_BITS];

const KEYS: [&str; 4] = ["solutions", "optimum", "solution", "error"];

pub(crate) fn tests() -> Vec<Trial> {
    let folders = ["tests/fixtures", conformance::FOLDER, "models", "params"];
    let files = folders.into_iter().flat_map(|folder| files(folder, &["essence", "param"]));
    let cases = files.filter(|file| {
        let text = read(file);
        KEYS.iter().any(|key| comments(&text, key).next().is_some())
    });
    cases.map(case).collect()
}

pub(crate) fn case(file: PathBuf) -> Trial {
    Trial::test(name(&file), move || check(&file))
}

/// What came of a case: comparable with the expectations.
#[derive(Default)]
struct Findings {
    solutions: Option<usize>,
    optimum: Option<i64>,
    /// Codes with lines.
    errors: Vec<String>,
    trouble: Vec<String>,
}

fn check(file: &Path) -> Verdict {
    let expected = read(file);
    let findings = run(file, &expected);
    let found = |key: &str, expected: &str| match key {
        "solutions" => findings.solutions.map_or("none, for there are errors".to_owned(), |count| count.to_string()),
        "optimum" => findings.optimum.map_or("none".to_owned(), |value| value.to_string()),
        _ if expected.contains(':') => findings.errors.join(" "),
        _ => findings.errors.iter().filter_map(|error| error.split(':').next()).collect::<Vec<_>>().join(" "),
    };
    let mut trouble = findings.trouble.clone();
    let mut corrected = expected.clone();
    for key in ["solutions", "optimum", "error"] {
        for expected in comments(&expected, key) {
            let found = found(key, expected);
            if found != expected {
                trouble.push(format!("{key}: expected {expected}, found {found}"));
                corrected = corrected.replace(&format!("$ {key}: {expected}\n"), &format!("$ {key}: {found}\n"));
            }
        }
    }
    if is_updated() && corrected != expected && file.starts_with("tests") && findings.trouble.is_empty() {
        suite::write(file, &corrected);
        return Ok(());
    }
    none(trouble).map_err(|failed| format!("{}: {}", suite::place(file), failed.message().unwrap_or_default()).into())
}

fn run(file: &Path, expected: &str) -> Findings {
    let mut findings = Findings::default();
    let (model, data): (PathBuf, Vec<Text>) = match comments(expected, "model").next() {
        None => (file.to_owned(), Vec::new()),
        Some(name) => (model_of(file, name), vec![text(file)]),
    };
    let model = text(model);
    match solve(&model, &data, &mut findings) {
        Ok(found) => {
            let listed = comments(expected, "solution");
            findings.trouble.extend(listed.filter_map(|listed| is_missing(&model, &data, listed, &found)));
        }
        Err(report) => {
            findings.errors = errors(&report);
            if comments(expected, "error").next().is_none() {
                findings.trouble.push(report.to_string());
            }
        }
    }
    findings
}

/// The codes of the errors with their lines, in the order of their places.
fn errors(report: &Report) -> Vec<String> {
    // Warnings have tests of their own; what they warn of is often what a fixture is about.
    let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let mut errors: Vec<_> = errors.map(|error| (error.span(), error.code)).collect();
    errors.sort_by_key(|(span, _)| *span);
    let line = |span: Option<Span>| {
        span.map_or(0, |span| report.sources.get(span.source).line_and_column(span.start as usize).0)
    };
    errors.into_iter().map(|(span, code)| format!("{code}:{}", line(span))).collect()
}

/// All solutions of a case, or the best ones, which must be those that are found in any other way.
fn solve(model: &Text, data: &[Text], findings: &mut Findings) -> Result<Vec<Solution>, Report> {
    let model = Model::read(model)?;
    let instance = model.instance(data)?;
    let started = Instant::now();
    let (found, status) = search(&instance, &SolveOptions::default(), TIME)?;
    if !is_complete(&status) && !are_enough(&model, &found) {
        findings.trouble.push(format!("{status:?}"));
    }
    findings.optimum = optimum(&found);
    findings.solutions = Some(found.len());
    let different = printed(&found).len();
    if different < found.len() {
        findings.trouble.push(format!("{} solutions are printed twice", found.len() - different));
    }
    let combinations = instance.combinations();
    if combinations.is_some_and(|combinations| combinations <= MOST_COMBINATIONS) {
        let brute = SolveOptions::default().solver(SolverName::Brute);
        findings.trouble.extend(differs(&model, &instance, &brute, TIME, &found));
    }
    let patience = QUICK.saturating_sub(started.elapsed());
    // CP-SAT searches anew for each solution.
    let is_quick = |way: &SolveOptions| way.solver != SolverName::CpSat || found.len() <= MOST_SEARCHES;
    for way in other_ways(&instance).into_iter().filter(is_quick) {
        findings.trouble.extend(differs(&model, &instance, &way, patience, &found));
    }
    Ok(found)
}

/// Ways of which each representation that a variable can have, and each solver, is part of at least one.
fn other_ways(instance: &Instance) -> Vec<SolveOptions> {
    let possible = instance.possible_representations();
    let solvers: Vec<SolverName> =
        SolverName::all().filter(|solver| *solver != SolverName::Brute && solver.is_installed()).collect();
    let most = possible.iter().map(|(_, possible)| possible.len()).max().unwrap_or(0);
    let wanted = |round: usize| {
        let several = possible.iter().filter(|(_, possible)| possible.len() > 1);
        several.map(|(name, possible)| format!("{name}={}", possible[round % possible.len()])).collect()
    };
    let way =
        |round: usize| SolveOptions::default().solver(solvers[round % solvers.len()]).representations(wanted(round));
    // The first one is the usual one, apart from variables that are too large for it.
    (1..most.max(solvers.len())).map(way).collect()
}

/// What differs if an instance is solved in another way; nothing if that takes too much.
fn differs(
    model: &Model,
    instance: &Instance,
    way: &SolveOptions,
    patience: Duration,
    found: &[Solution],
) -> Option<String> {
    let different = match search(instance, way, patience) {
        Ok((_, SolveStatus::TimeLimit)) => return None,
        Err(report) if report.diagnostics.iter().all(|error| REFUSALS.contains(&error.code)) => return None,
        Err(report) => report.to_string(),
        Ok((others, status)) if !is_complete(&status) && !are_enough(model, &others) => format!("{status:?}"),
        Ok((others, _)) => {
            let same = match are_enough(model, found) {
                true => optimum(&others) == optimum(found),
                false => others.len() == found.len() && printed(&others) == printed(found),
            };
            if same {
                return None;
            }
            let (found, others) = (printed(found), printed(&others));
            let first = |one: &BTreeSet<String>, other| one.difference(other).next().cloned().unwrap_or_default();
            let (lacking, wrong) = (first(&found, &others), first(&others, &found));
            format!("there are {} solutions: lacking is {lacking}; too many is {wrong}", others.len())
        }
    };
    Some(format!("{} with {}: {different}", way.solver.name(), way.representations.join(", ")))
}

/// The value of the objective in the best solution.
fn optimum(found: &[Solution]) -> Option<i64> {
    found.last()?.objective()?.as_int()
}

fn printed(solutions: &[Solution]) -> BTreeSet<String> {
    solutions.iter().map(Solution::to_string).collect()
}

/// Whether the best solutions are too many to compare them all.
fn are_enough(model: &Model, found: &[Solution]) -> bool {
    model.has_objective() && found.len() == MOST_SOLUTIONS
}

/// Finds the solutions; with an objective, the best ones.
fn search(instance: &Instance, way: &SolveOptions, patience: Duration) -> Result<(Vec<Solution>, SolveStatus), Report> {
    let mut options = way.clone().solutions(Count::First(MOST_SOLUTIONS));
    options.search.limits.deadline = Some(Instant::now() + patience);
    let mut found = Vec::new();
    let summary = instance.solve(&options, &mut |solution| {
        found.push(solution.clone());
        ControlFlow::Continue(())
    })?;
    Ok((found, summary.status))
}

fn is_complete(status: &SolveStatus) -> bool {
    matches!(status, SolveStatus::AllSolutions | SolveStatus::Optimal | SolveStatus::Unsatisfiable)
}

/// The fault that the listed values are not a solution, or are not found.
fn is_missing(model: &Text, data: &[Text], listed: &str, found: &[Solution]) -> Option<String> {
    let solution = Model::read(model).and_then(|model| {
        let solution = model.solution(data, &Text::new("the expected solution", listed))?;
        Ok(are_enough(&model, found) || found.contains(&solution))
    });
    match solution {
        Ok(true) => None,
        Ok(false) => Some(format!("`{listed}` is not found")),
        Err(report) => Some(format!("`{listed}` is not a solution: {report}")),
    }
}
