//! Every model with each of its parameter files below `exhaustive` has the expected solutions. `CONJURE_FILTER` selects
//! tests by a part of their names, `CONJURE_SOLVER` another solver than the default.

use crate::files::{entries, suite};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// The time limit for an instance.
const SECONDS: u64 = 10;

/// Instances whose expected solutions are wrong, with the reason.
const FAULTS: &[(&str, &str)] = &[(
    "basic/partition_08_param given",
    "the given partition has parts of size 2, its domain says `maxPartSize 1`, and Conjure does not check that",
)];

/// Instances with more solutions than in Conjure, on purpose: their number, and the reason.
const DIFFERENCES: &[(&str, usize, &str)] = &[(
    "autogen/gen12",
    4,
    "the elements of `{true, 8 = -4, true /\\ true}` must differ in Conjure's solver; here repetitions are ignored",
)];

/// An instance: a model, possibly a parameter file, and the folder of its expected solutions.
struct Case {
    name: String,
    essence: PathBuf,
    param: Option<PathBuf>,
    expected: PathBuf,
}

enum Verdict {
    Same,
    Different(String),
}

#[test]
#[ignore = "needs the tests of a checkout of Conjure, which CONJURE_TESTS names"]
fn solutions_equal_those_of_conjure() {
    let folder = suite("exhaustive");
    let wanted = std::env::var("CONJURE_FILTER").unwrap_or_default();
    let mut cases = Vec::new();
    collect(&folder, &mut cases);
    cases.retain(|case| case.name.contains(&wanted) && FAULTS.iter().all(|(fault, _)| case.name != *fault));
    cases.sort_by(|left, right| left.name.cmp(&right.name));
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Verdict::Different(reason) = run(case) {
                        failures.lock().expect("no thread panics").push(format!("{}: {reason}", case.name));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panics");
    failures.sort();
    println!(
        "{} of {} instances are as they should be; {} of them differ on purpose",
        cases.len() - failures.len(),
        cases.len(),
        DIFFERENCES.len()
    );
    assert!(failures.is_empty(), "{}\n{} of {} differ", failures.join("\n"), failures.len(), cases.len());
}

/// Finds the folders with exactly one model and a folder `expected`.
fn collect(folder: &Path, cases: &mut Vec<Case>) {
    let files = entries(folder);
    let with_extension = |extension: &str| -> Vec<PathBuf> {
        files.iter().filter(|file| file.extension().is_some_and(|found| found == extension)).cloned().collect()
    };
    let (models, params) = (with_extension("essence"), with_extension("param"));
    let expected = folder.join("expected");
    if let ([essence], true) = (models.as_slice(), expected.is_dir()) {
        let name = folder.components().rev().take_while(|part| part.as_os_str() != "exhaustive");
        let name: Vec<_> = name.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let name = name.into_iter().rev().collect::<Vec<_>>().join("/");
        let instances = if params.is_empty() { vec![None] } else { params.into_iter().map(Some).collect() };
        for param in instances {
            let suffix = param.as_ref().map(|param| format!(" {}", stem(param))).unwrap_or_default();
            cases.push(Case {
                name: format!("{name}{suffix}"),
                essence: essence.clone(),
                param,
                expected: expected.clone(),
            });
        }
    }
    for file in files {
        if file.is_dir() && file != expected {
            collect(&file, cases);
        }
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The solution without comments and trailing blanks, and with index domains in a canonical notation.
fn normal(text: &str) -> String {
    let lines = text.lines().map(|line| line.split('$').next().unwrap_or("").trim_end());
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    let mut pieces = text.split("; int(");
    let mut result = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (ranges, rest) = piece.split_once(')').unwrap_or((piece, ""));
        result.push_str(&format!("; int({:?}){rest}", index_values(ranges)));
    }
    result
}

/// The members of `1..3, 7`, since the same domain can be written in several ways.
fn index_values(ranges: &str) -> Vec<i64> {
    let number = |text: &str| text.trim().parse::<i64>().expect("an integer in an index domain");
    let bounds = ranges.split(',').map(|range| range.split_once("..").unwrap_or((range, range)));
    bounds.flat_map(|(low, high)| number(low)..=number(high)).collect()
}

/// The expected solutions. Conjure's compiled models of a test have the same solutions, so it is enough to read the
/// files of the first model.
fn expected(case: &Case) -> Option<BTreeSet<String>> {
    let files = entries(&case.expected);
    let model = files
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "eprime"))
        .map(|file| stem(file))
        .min()?;
    let prefix = match &case.param {
        Some(param) => format!("{model}-{}-solution", stem(param)),
        None => format!("{model}-solution"),
    };
    let solutions = files.iter().filter(|file| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.ends_with(".solution")
            && name.strip_prefix(&prefix).is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    });
    solutions.map(|file| fs::read_to_string(file).ok().map(|text| normal(&text))).collect()
}

fn run(case: &Case) -> Verdict {
    let Some(expected) = expected(case) else { return Verdict::Different("no expected solutions".into()) };
    let model = fs::read_to_string(&case.essence).unwrap_or_default();
    let optimises = model.lines().any(|line| line.starts_with("minimising") || line.starts_with("maximising"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
    command.args(["solve", "--error-format=short", "--color=never"]).arg(&case.essence).args(&case.param);
    if let Some(solver) = std::env::var_os("CONJURE_SOLVER") {
        command.arg("--solver").arg(solver);
    }
    if !optimises {
        command.arg("--number-of-solutions=all");
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    let Ok(mut child) = command.spawn() else { return Verdict::Different("cannot be started".into()) };
    // Read both streams while waiting, so that a full pipe does not stop the child.
    let read = |stream: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut text = String::new();
            stream.and_then(|mut stream| stream.read_to_string(&mut text).ok());
            text
        })
    };
    let output = read(child.stdout.take().map(|stream| Box::new(stream) as _));
    let errors = read(child.stderr.take().map(|stream| Box::new(stream) as _));
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            _ if started.elapsed() > Duration::from_secs(SECONDS) => {
                let _ = child.kill();
                let _ = child.wait();
                return Verdict::Different(format!("more than {SECONDS} s"));
            }
            _ => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let (output, errors) = (output.join().unwrap_or_default(), errors.join().unwrap_or_default());
    // Conjure treats an instance whose data are outside their domains as one without solutions.
    if errors.contains("error[E0403]") && expected.is_empty() {
        return Verdict::Same;
    }
    if !status.success() {
        return Verdict::Different(format!("{status}: {}", errors.lines().next().unwrap_or("")));
    }
    let printed: Vec<String> =
        output.split("language Essence").skip(1).map(|part| normal(&format!("language Essence{part}"))).collect();
    let count = printed.len();
    let printed: BTreeSet<String> = printed.into_iter().collect();
    if printed.len() < count {
        return Verdict::Different(format!("{} duplicates", count - printed.len()));
    }
    if let Some((_, number, reason)) = DIFFERENCES.iter().find(|(name, ..)| *name == case.name) {
        return match printed.len() == *number && expected.is_subset(&printed) {
            true => Verdict::Same,
            false => Verdict::Different(format!("{} solutions instead of {number}: {reason}", printed.len())),
        };
    }
    // For optimisation problems, the expected solutions are all feasible ones, whereas ours is optimal.
    if printed == expected || optimises && !printed.is_empty() && printed.is_subset(&expected) {
        return Verdict::Same;
    }
    let (missing, extra) = (expected.difference(&printed), printed.difference(&expected));
    let first = |solution: Option<&String>| solution.map(|text| text.replace('\n', " | ")).unwrap_or_default();
    Verdict::Different(format!(
        "{} missing, {} extra of {}; first missing `{}`, first extra `{}`",
        missing.clone().count(),
        extra.clone().count(),
        expected.len(),
        first(missing.clone().next()),
        first(extra.clone().next()),
    ))
}
