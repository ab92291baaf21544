//! Certificates of random models. The reference formula has exactly the solutions that trying all values finds
//! ([`formulas`]), and our checker accepts each proof. If the variable `VERIPB` names the other checker, that has to
//! accept each proof, too, with the same conclusion.

use super::{MakeModel, formulas, random::Random, setting, show};
use conjure_like::{
    Code, Count, EngineOptions, Instance, Limits, Model, SolveOptions, SolveStatus, SolverName, Text,
    check_formula_proof, syntax::print,
};
use std::{
    collections::BTreeMap,
    env, fs,
    io::{self, Write},
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    process::Command,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The number of models in the test suite.
const MODELS: u64 = 300;
/// Models with more solutions are skipped.
const MOST_SOLUTIONS: usize = 2_000;
/// The time limit of the search for the solutions of a model.
const PATIENCE: Duration = Duration::from_secs(2);

/// A buffer for a proof, which is written in one place and read in another.
#[derive(Clone, Default)]
struct SharedText(Arc<Mutex<Vec<u8>>>);

impl Write for SharedText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().map_err(|_| io::Error::other("poisoned"))?.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The faults of the certificates; a panic is one, too.
pub(crate) fn faults(make: MakeModel) -> Vec<String> {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_MODELS").unwrap_or(MODELS));
    let numbers = setting("GENERATED_ONLY").map_or(0..count, |only| only..only + 1);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut faults, mut exact) = (Vec::new(), 0);
    for number in numbers {
        let model = make(Random::new(seed, number));
        let text = Text::new("model", print::print_file(&model.file, 120));
        let data = Some(Text::new("parameters", model.parameters.clone())).filter(|data| !data.text.is_empty());
        let started = Instant::now();
        let check = AssertUnwindSafe(|| {
            match formulas::tried(&model) {
                Some(Ok(_)) => exact += 1,
                Some(Err(fault)) => return Some(Err(fault)),
                None => {}
            }
            let model = Model::read(&text).ok()?;
            check(&model.instance(data.as_slice()).ok()?, model.has_objective())
        });
        let checked = panic::catch_unwind(check).unwrap_or_else(|_| Some(Err("a panic".to_owned())));
        if started.elapsed() > 5 * PATIENCE {
            eprintln!("model {number} of seed {seed} takes {:.1} s", started.elapsed().as_secs_f64());
        }
        match checked {
            None => {}
            Some(Ok(what)) => *counts.entry(what).or_default() += 1,
            Some(Err(fault)) => {
                faults.push(format!("======== model {number} of seed {seed}: {fault}\n---- model\n{}", show(&model)));
            }
        }
    }
    eprintln!("{exact:8} formulas accept exactly the solutions");
    for (what, count) in &counts {
        eprintln!("{count:8} {what}");
    }
    assert!(
        counts.keys().any(|what| what.starts_with("certified")) || !faults.is_empty(),
        "nothing has been certified"
    );
    faults
}

/// The result for a model; `None` if it is not decided in time.
fn check(instance: &Instance, optimises: bool) -> Option<Result<String, String>> {
    let solutions = if optimises { Count::First(1) } else { Count::All };
    // The oracle searches, so that a fault of a solver cannot hide one of the certificate.
    let search = EngineOptions::default().limits(Limits::from(Instant::now() + PATIENCE));
    let options = SolveOptions { solver: SolverName::Brute, solutions, search, ..SolveOptions::default() };
    let mut found = Vec::new();
    let summary = instance.solve(&options, &mut |solution| {
        found.push(solution.clone());
        if found.len() > MOST_SOLUTIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let status = summary.ok()?.status;
    let what = match status {
        SolveStatus::Unsatisfiable => "no solution",
        SolveStatus::Optimal => "the best solution",
        SolveStatus::AllSolutions => "all solutions",
        _ => return None,
    };
    let proof = SharedText::default();
    let limits = EngineOptions::default().limits(Limits::from(Instant::now() + 2 * PATIENCE));
    let certificate = match instance.certify(&status, &found, Box::new(proof.clone()), &limits) {
        Ok(certificate) => certificate?,
        Err(report) => {
            let code = report.diagnostics.first().map(|first| (first.code, first.message.clone()));
            return match code {
                // These are limits of certificates, not faults.
                Some((Code::NOT_CERTIFIED | Code::TOO_LARGE | Code::OVERFLOW, message)) => {
                    let end = message.find(':').unwrap_or(message.len());
                    Some(Ok(format!("refused: {}", &message[..end])))
                }
                _ => Some(Err(report.to_string())),
            };
        }
    };
    let proof = proof.0.lock().ok()?.clone();
    Some(accepted(&certificate.formula, &proof).map(|()| format!("certified: {what}")))
}

/// Checks a proof with our checker, and with VeriPB if it is installed.
fn accepted(formula: &str, proof: &[u8]) -> Result<(), String> {
    let checked = check_formula_proof(&mut formula.as_bytes(), &mut &*proof, &mut || false);
    let checked = checked.map_err(|fault| format!("our checker rejects the proof: {fault}"))?;
    let conclusion = checked.expect("nothing stops it").conclusion;
    let Some(checker) = env::var_os("VERIPB") else { return Ok(()) };
    let folder = TempDir::new().expect("a folder");
    let [first, second] = ["formula.opb", "proof.pbp"].map(|name| folder.path().join(name));
    fs::write(&first, formula).expect("the formula");
    fs::write(&second, proof).expect("the proof");
    let output = Command::new(checker).args([&first, &second]).output().expect("the checker runs");
    match output.status.success()
        && String::from_utf8_lossy(&output.stdout).contains(&format!("s VERIFIED {conclusion}\n"))
    {
        true => Ok(()),
        false => Err(format!("the checker rejects the proof: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
