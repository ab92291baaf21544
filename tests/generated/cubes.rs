//! Cubes of random models: each solution is in exactly one cube, and if one solution is requested, some cube has one.

use super::{generator, random::Random, setting, show};
use conjure_like::{
    Count, Cube, EngineOptions, Instance, Limits, Model, SolveOptions, SolveStatus, SolverName, Text, syntax::print,
};
use std::{
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    time::{Duration, Instant},
};

/// The number of models in the test suite.
const MODELS: u64 = 300;
/// The requested number of cubes.
const CUBES: usize = 6;
/// Models with more solutions are skipped.
const MOST_SOLUTIONS: usize = 300;
/// The time limit for a model.
const PATIENCE: Duration = Duration::from_secs(10);

/// The faults of the cubes; a panic is one, too.
pub(crate) fn faults() -> Vec<String> {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_MODELS").unwrap_or(MODELS));
    let numbers = setting("GENERATED_ONLY").map_or(0..count, |only| only..only + 1);
    let (mut checked, mut refuted) = (0, 0);
    let mut faults = Vec::new();
    for number in numbers {
        let model = generator::model(Random::new(seed, number));
        let text = Text::new("model", print::print_file(&model.file, 120));
        let data = Some(Text::new("parameters", model.parameters.clone())).filter(|data| !data.text.is_empty());
        let check = AssertUnwindSafe(|| {
            let model = Model::read(&text).ok()?;
            check(&model.instance(data.as_slice()).ok()?, model.has_objective())
        });
        let fault = match panic::catch_unwind(check) {
            Ok(None) => continue,
            Ok(Some(Ok(solutions))) => {
                checked += 1;
                refuted += usize::from(solutions == 0);
                continue;
            }
            Ok(Some(Err(fault))) => fault,
            Err(_) => "a panic".to_owned(),
        };
        faults.push(format!("======== model {number} of seed {seed}: {fault}\n---- model\n{}", show(&model)));
    }
    eprintln!("the cubes of {checked} models, {refuted} of them without a solution");
    assert!(checked > 0 || !faults.is_empty(), "nothing has been checked");
    faults
}

/// The number of solutions if the cubes are correct; `None` if that is not decided in time.
fn check(instance: &Instance, optimises: bool) -> Option<Result<usize, String>> {
    let limits = Limits::from(Instant::now() + PATIENCE);
    let search = || EngineOptions::default().limits(limits.clone());
    let one = SolveOptions { solver: SolverName::Cadical, search: search(), ..SolveOptions::default() };
    let all = SolveOptions { solutions: Count::All, search: search(), ..one.clone() };
    // An error is a limit, or a `where` that does not hold.
    let expected = solutions(instance, None, &all)?;
    if !optimises {
        let cubes = instance.cubes(CUBES, &all).ok()?.ok()?.cubes;
        let mut found = Vec::new();
        for cube in &cubes {
            found.extend(solutions(instance, Some(cube), &all)?);
        }
        found.sort();
        if found != expected {
            return Some(Err(format!("{} of {} solutions are in {} cubes", found.len(), expected.len(), cubes.len())));
        }
    }
    let mut is_found = false;
    for cube in instance.cubes(CUBES, &one).ok()?.ok()?.cubes {
        is_found |= !solutions(instance, Some(&cube), &one)?.is_empty();
    }
    Some(if is_found == expected.is_empty() {
        Err("no solution is in any cube".to_owned())
    } else {
        Ok(expected.len())
    })
}

/// The sorted solutions in a cube or in the whole space.
fn solutions(instance: &Instance, cube: Option<&Cube>, options: &SolveOptions) -> Option<Vec<String>> {
    let options = SolveOptions { cube: cube.cloned(), ..options.clone() };
    let mut found = Vec::new();
    let summary = instance.solve(&options, &mut |solution| {
        found.push(solution.to_json());
        if found.len() > MOST_SOLUTIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let is_over = !matches!(summary.ok()?.status, SolveStatus::TimeLimit | SolveStatus::Unknown(_));
    found.sort();
    (is_over && found.len() <= MOST_SOLUTIONS).then_some(found)
}
