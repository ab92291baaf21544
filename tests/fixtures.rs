//! Models and parameter files that say in comments what must come out.
//!
//! A file in `tests/fixtures`, or in `models`, is a case if it has at least one of these comments, each on a line
//! of its own; so is a parameter file in `params` or beside the fixtures that names its model:
//!
//! - `$ model: NAME` (in a parameter file) the model, in the same folder or in `models`;
//! - `$ solutions: N` how many solutions there are;
//! - `$ optimum: N` the best value of the objective;
//! - `$ solution: letting x be 1 letting y be 2` values of a solution (again for each further one);
//! - `$ error: E0301` the codes of the errors, in the order of their places, each with its line if the comment says
//!   `E0301:4`.
//!
//! No solution may be found twice. Where the decision variables have few enough values, trying all of them must find
//! the same solutions. So must solving in the other representations that the variables can have, where that is quick.
//!
//! `UPDATE=1 cargo test --lib inside::fixtures` corrects the numbers and codes in fixtures; examples are for reading, so
//! theirs are corrected by hand. `FIXTURES=sets/` runs only the cases whose paths contain that.

use conjure_like::{
    analysis::{self, model::DeclarationId},
    diagnostic::{Code, Diagnostic, Diagnostics, Severity, short},
    instance::{Instance, Solution, oracle},
    language::Value,
    lowering::Representations,
    pipeline, solution,
    solver::{BACKENDS, Limits, Outcome},
    source::{SourceId, Sources},
    symbolic::representation::possible,
    syntax::ast::StatementKind,
};
use std::{
    collections::BTreeSet,
    env, fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

/// Deep recursion needs a large stack, as in the program.
const STACK: usize = 256 << 20;

/// Nobody expects more solutions than these.
const MOST_SOLUTIONS: usize = 10_000;

/// All values are tried if there are no more combinations than these.
const MOST_COMBINATIONS: u128 = 5_000;

/// No search needs longer.
const TIME: Duration = Duration::from_secs(180);

/// In other ways, a case is solved if that takes less time, together with the usual way.
const QUICK: Duration = Duration::from_secs(1);

/// What is too large for another representation or another solver.
const REFUSALS: [Code; 2] = [Code::TOO_LARGE, Code::TOO_MANY_BITS];

/// Cases that take longer are named on standard error.
const SLOW: Duration = Duration::from_secs(2);

struct Case {
    /// The file with the expectations.
    file: PathBuf,
    model: PathBuf,
    parameters: Option<PathBuf>,
}

/// The comments `$ key: value`.
fn expectations<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| line.strip_prefix("$ ")?.strip_prefix(key)?.strip_prefix(": "))
}

const KEYS: [&str; 4] = ["solutions", "optimum", "solution", "error"];

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The cases below a folder.
fn cases(folder: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let file = entry.expect("an entry").path();
            if file.is_dir() {
                folders.push(file);
                continue;
            }
            if !file.extension().is_some_and(|extension| extension == "essence" || extension == "param") {
                continue;
            }
            let text = read(&file);
            if KEYS.iter().all(|key| expectations(&text, key).next().is_none()) {
                continue;
            }
            let case = match expectations(&text, "model").next() {
                None => Case { model: file.clone(), parameters: None, file },
                Some(name) => {
                    let beside = file.with_file_name(name);
                    let model = if beside.exists() { beside } else { Path::new("models").join(name) };
                    Case { model, parameters: Some(file.clone()), file }
                }
            };
            cases.push(case);
        }
    }
    cases.sort_by(|left, right| right.file.cmp(&left.file));
    cases
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

fn run(case: &Case, text: &str) -> Findings {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::new();
    let mut findings = Findings::default();
    let model = sources.add(case.model.display().to_string(), read(&case.model));
    let data: Vec<SourceId> =
        case.parameters.iter().map(|path| sources.add(path.display().to_string(), read(path))).collect();
    let found = solve(&sources, model, &data, &mut diagnostics, &mut findings);
    // Warnings have tests of their own; what they warn of is often what a fixture is about.
    diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span());
    findings.errors = diagnostics.iter().map(|diagnostic| code_and_line(diagnostic, &sources)).collect();
    if !diagnostics.is_empty() && expectations(text, "error").next().is_none() {
        findings.trouble.push(shown(&diagnostics, &sources));
    }
    let found = found.unwrap_or_default();
    for listed in expectations(text, "solution") {
        let mut diagnostics = Diagnostics::new();
        let solution = sources.add("the expected solution", listed);
        if !is_found(&found, &sources, model, &data, solution, &mut diagnostics).unwrap_or(false) {
            findings.trouble.push(format!("`{listed}` is not found {}", shown(&diagnostics, &sources)));
        }
    }
    findings
}

fn code_and_line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let line = diagnostic.span().map_or(0, |span| sources.get(span.source).line_and_column(span.start as usize).0);
    format!("{}:{line}", diagnostic.code)
}

fn shown(diagnostics: &Diagnostics, sources: &Sources) -> String {
    diagnostics.iter().map(|diagnostic| short::render(diagnostic, sources)).collect::<Vec<_>>().join("; ")
}

/// Finds the solutions of a case.
fn solve(
    sources: &Sources,
    model: SourceId,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
    findings: &mut Findings,
) -> Option<Vec<Solution>> {
    let model = pipeline::model(sources, model, diagnostics)?;
    let instance = pipeline::instance(&model, sources, data, diagnostics)?;
    let started = Instant::now();
    let (found, outcome) = search(&instance, &Way::default(), started + TIME, MOST_SOLUTIONS, diagnostics)?;
    if outcome != Outcome::Complete {
        findings.trouble.push(format!("{outcome:?}"));
    }
    findings.optimum = optimum(&instance, &found);
    findings.solutions = Some(found.len());
    findings.trouble.extend(differs_from_oracle(&instance, &found));
    let different = printed(&instance, &found).len();
    if different < found.len() {
        findings.trouble.push(format!("{} solutions are printed twice", found.len() - different));
    }
    let patience = QUICK.saturating_sub(started.elapsed());
    for way in other_ways(&instance) {
        findings.trouble.extend(differs_otherwise(&instance, &way, patience, &found));
    }
    Some(found)
}

/// A way to solve an instance.
#[derive(Default)]
struct Way {
    /// One of the backends, by its position.
    solver: usize,
    representations: Representations,
}

/// Ways of which each representation that a variable can have, and each solver, is part of at least one.
fn other_ways(instance: &Instance) -> Vec<Way> {
    let possible: Vec<_> = instance.finds.iter().map(|find| (find.id, possible(&find.domain))).collect();
    let most = possible.iter().map(|(_, possible)| possible.len()).max().unwrap_or(0);
    // The first one is the usual one, apart from variables that are too large for it.
    let rounds = most.max(BACKENDS.len());
    let representations = |round: usize| {
        let wanted = possible.iter().filter(|(_, possible)| possible.len() > 1);
        wanted.map(|(id, possible)| ((*id, Vec::new()), possible[round % possible.len()])).collect()
    };
    let way = |round| Way { solver: round % BACKENDS.len(), representations: representations(round) };
    (1..rounds).map(way).collect()
}

/// What differs if an instance is solved in another way; nothing if that takes too much.
fn differs_otherwise(instance: &Instance, way: &Way, patience: Duration, found: &[Solution]) -> Option<String> {
    let mut diagnostics = Diagnostics::new();
    let deadline = Instant::now() + patience;
    let result = search(instance, way, deadline, MOST_SOLUTIONS, &mut diagnostics);
    let different = match result {
        Some((_, Outcome::TimeLimit)) => return None,
        None if diagnostics.iter().all(|diagnostic| REFUSALS.contains(&diagnostic.code)) => return None,
        None => diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>().join("; "),
        Some((_, outcome)) if outcome != Outcome::Complete => format!("{outcome:?}"),
        Some((others, _)) => {
            let same = match instance.model.objective {
                Some(_) => optimum(instance, &others) == optimum(instance, found),
                None => others.len() == found.len() && printed(instance, &others) == printed(instance, found),
            };
            if same {
                return None;
            }
            format!("there are {} solutions", others.len())
        }
    };
    let name = |id: DeclarationId| instance.model.declarations[id.0 as usize].name.to_string();
    let representations =
        way.representations.iter().map(|((id, _), representation)| format!("{} as {representation}", name(*id)));
    let with = BACKENDS[way.solver].solver.name();
    Some(format!("{with} with {}: {different}", representations.collect::<Vec<_>>().join(", ")))
}

/// The value of the objective in the best solution.
fn optimum(instance: &Instance, found: &[Solution]) -> Option<i64> {
    match solution::objective_value(instance, found.last()?) {
        Ok(Some(Value::Int(value))) => Some(value),
        _ => None,
    }
}

fn printed(instance: &Instance, solutions: &[Solution]) -> BTreeSet<String> {
    solutions.iter().map(|one| solution::print(instance, one, 120)).collect()
}

/// Trying all values, if they are few, must give the same solutions.
fn differs_from_oracle(instance: &Instance, found: &[Solution]) -> Option<String> {
    let combinations = instance.finds.iter().try_fold(1u128, |all, find| all.checked_mul(find.domain.size()?));
    if combinations.is_none_or(|combinations| combinations > MOST_COMBINATIONS) {
        return None;
    }
    let tried = match oracle::solutions(instance, MOST_SOLUTIONS) {
        Ok(tried) => tried,
        Err(stop) => return Some(format!("trying all values: {stop:?}")),
    };
    let (tried, found) = (printed(instance, &tried), printed(instance, found));
    // With an objective, trying finds all the best solutions.
    let same = if instance.model.objective.is_some() { found.is_subset(&tried) } else { found == tried };
    (!same).then(|| {
        let first = |mut difference: std::collections::btree_set::Difference<String>| {
            difference.next().cloned().unwrap_or_else(|| "nothing".to_owned())
        };
        let (lacking, wrong) = (first(tried.difference(&found)), first(found.difference(&tried)));
        format!("trying all values finds {} solutions: lacking is {lacking}; wrong is {wrong}", tried.len())
    })
}

/// Finds the solutions, at most so many; with an objective, only the best one.
fn search(
    instance: &Instance,
    way: &Way,
    deadline: Instant,
    most: usize,
    diagnostics: &mut Diagnostics,
) -> Option<(Vec<Solution>, Outcome)> {
    let mut found = Vec::new();
    let lowered = pipeline::lower(instance, &way.representations, diagnostics)?;
    let mut solver = (BACKENDS[way.solver].make)();
    let limits = Limits { deadline: Some(deadline), ..Limits::default() };
    let outcome = pipeline::search(instance, &lowered, &mut *solver, &limits, diagnostics, &mut |solution| {
        if instance.model.objective.is_some() {
            found.clear();
        }
        found.push(solution.clone());
        if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Some((found, outcome))
}

/// Whether one of the solutions has the listed values, which need not be those of all decision variables. The best
/// solution that is found of many may have others; then there must be some solution that has them.
fn is_found(
    found: &[Solution],
    sources: &Sources,
    model: SourceId,
    data: &[SourceId],
    listed: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<bool> {
    let values = pipeline::parse(sources, listed, diagnostics)?;
    let has_value = |name: &str| {
        values.statements.iter().any(|statement| match &statement.kind {
            StatementKind::Letting { names, .. } => names.iter().any(|known| &*known.text == name),
            _ => false,
        })
    };
    let file = solution::with_finds_given(pipeline::parse(sources, model, diagnostics)?, has_value);
    let model = Rc::new(analysis::analyse(&file, diagnostics));
    if !diagnostics.is_empty() {
        return None;
    }
    let mut instance = pipeline::instance(&model, sources, &[data, &[listed]].concat(), diagnostics)?;
    if model.objective.is_some() {
        let (found, _) = search(&instance, &Way::default(), Instant::now() + TIME, 1, diagnostics)?;
        return Some(!found.is_empty());
    }
    let has_listed_values = |solution: &&Solution| {
        let mut values = solution.iter();
        values.all(|(id, value)| {
            !has_value(&model.declarations[id.0 as usize].name)
                || instance.environment.global(*id).is_ok_and(|listed| listed == *value)
        })
    };
    Some(found.iter().find(has_listed_values).is_some())
}

/// What is wrong with a case, if something is.
fn check(case: &Case) -> Option<String> {
    let text = read(&case.file);
    let findings = run(case, &text);
    let found = |key: &str, expected: &str| match key {
        "solutions" => findings.solutions.map_or("none, for there are errors".to_owned(), |count| count.to_string()),
        "optimum" => findings.optimum.map_or("none".to_owned(), |value| value.to_string()),
        _ if expected.contains(':') => findings.errors.join(" "),
        _ => findings.errors.iter().filter_map(|error| error.split(':').next()).collect::<Vec<_>>().join(" "),
    };
    let mut trouble = findings.trouble.clone();
    let mut corrected = text.clone();
    for key in ["solutions", "optimum", "error"] {
        for expected in expectations(&text, key) {
            let found = found(key, expected);
            if found != expected {
                trouble.push(format!("{key}: expected {expected}, found {found}"));
                corrected = corrected.replace(&format!("$ {key}: {expected}\n"), &format!("$ {key}: {found}\n"));
            }
        }
    }
    if trouble.is_empty() {
        return None;
    }
    if env::var_os("UPDATE").is_some() && case.file.starts_with("tests") && findings.trouble.is_empty() {
        fs::write(&case.file, corrected).expect("the updated fixture");
        return None;
    }
    Some(format!("{}:\n    {}", case.file.display(), trouble.join("\n    ")))
}

fn check_all(folders: &[&str]) {
    let mut cases: Vec<Case> = folders.iter().flat_map(|folder| cases(folder)).collect();
    assert!(!cases.is_empty(), "no cases in {folders:?}");
    if let Ok(wanted) = env::var("FIXTURES") {
        cases.retain(|case| case.file.to_string_lossy().contains(&wanted));
    }
    let cases = Mutex::new(cases);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(case) = { cases.lock().expect("no panic").pop() } {
            let started = Instant::now();
            if let Some(trouble) = check(&case) {
                wrong.lock().expect("no panic").push(trouble);
            }
            if started.elapsed() > SLOW {
                eprintln!("{} took {:.1?}", case.file.display(), started.elapsed());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread");
        }
    });
    let mut wrong = wrong.into_inner().expect("no panic");
    wrong.sort();
    assert!(wrong.is_empty(), "{} cases fail\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn fixtures_have_the_outcome_that_they_state() {
    check_all(&["tests/fixtures"]);
}

#[test]
fn examples_have_the_outcome_that_they_state() {
    check_all(&["models", "params"]);
}
