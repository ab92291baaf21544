//! Mutation testing: plants mistakes in a model and checks if its test cases notice them.

use super::{
    find::TestJob,
    run::{TestRun, in_order},
};
use crate::{
    inputs::invocation::Invocation,
    runtime::{Exit, interrupt},
};
use conjure_like::{DifferenceKind, Model, Mutant, MutantDifference, TestOptions, TestVerdict, counted};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

/// The number of small instances on which a mutant is compared with the model.
const INSTANCES: usize = 8;

/// The time limit of a case is this many times the time that it takes with the model, and at least this duration.
const SLOWER: u32 = 10;
const LEAST_TIME: Duration = Duration::from_secs(1);

/// The result for a mutant.
enum MutantStatus {
    Noticed,
    Same,
    Unknown,
    Survives(Box<conjure_like::FoundDifference>),
}

/// The cases of a model with their times.
type TimedCases<'p> = Vec<(&'p TestJob, Duration)>;

/// Runs the cases against the mutants of each model.
pub(super) fn run(run: &TestRun, invocation: &mut Invocation) -> Option<Exit> {
    let mut exit = Exit::Answer;
    let mut models: BTreeMap<&PathBuf, TimedCases> = BTreeMap::new();
    let plan = run.plan;
    let is_whole = interrupt::during(None, || {
        run.each(|job, result| {
            let cases = models.entry(&job.file(&plan.files).model).or_default();
            if result.verdict == TestVerdict::Passed {
                cases.push((job, result.time));
            } else {
                let title = job.title(&plan.files);
                invocation.reporting.status(&format!("{title}: {}, so this case is left out", result.verdict.word()));
                exit = exit.worse(Exit::UserError);
            }
            true
        })
    });
    if !is_whole {
        return Some(Exit::Fault);
    }
    for (path, mut cases) in models {
        // Fast cases come first: if they notice a mutant, slow ones need not run.
        cases.sort_by_key(|(_, time)| *time);
        let Some(model) =
            cases.first().and_then(|(job, _)| plan.model(job).ok()).and_then(|text| Model::read(text).ok())
        else {
            continue;
        };
        exit = exit.worse(of_model(run, invocation, (path, &model), &cases)?);
    }
    Some(exit)
}

fn of_model(
    run: &TestRun,
    invocation: &mut Invocation,
    (path, model): (&Path, &Model),
    cases: &TimedCases,
) -> Option<Exit> {
    let mutants = model.mutants();
    // Generating instances is slow, and they are needed only for mutants that no case notices.
    let made = OnceLock::new();
    let instances = || made.get_or_init(|| model.small_instances(INSTANCES, 1).unwrap_or_default());
    let status = |mutant: &Mutant| {
        if cases.iter().any(|(job, time)| notices(run, job, *time, mutant)) {
            return MutantStatus::Noticed;
        }
        match model.difference_of(mutant, instances(), run.options) {
            MutantDifference::Same => MutantStatus::Same,
            MutantDifference::Found(found) => MutantStatus::Survives(found),
            _ => MutantStatus::Unknown,
        }
    };
    let (mut noticed, mut same, mut unknown, mut survivors) = (0_usize, 0_usize, 0_usize, Vec::new());
    let is_whole = interrupt::during(None, || {
        in_order(mutants.len(), run.at_once, &|at| status(&mutants[at]), |at, status| {
            match status {
                MutantStatus::Noticed => noticed += 1,
                MutantStatus::Same => same += 1,
                MutantStatus::Unknown => unknown += 1,
                MutantStatus::Survives(found) => survivors.push((&mutants[at], found)),
            }
            true
        })
    });
    let name = path.display().to_string();
    for (mutant, found) in &survivors {
        invocation.print(&survivor(&name, mutant, found))?;
    }
    let all = noticed + survivors.len();
    let score = (noticed * 100).checked_div(all).map_or_else(String::new, |score| format!(" ({score} %)"));
    let mut text = format!("{name}: the cases notice {noticed} of {}{score}.", counted(all, "mutant"));
    if same > 0 {
        let mean = if same == 1 { "means" } else { "mean" };
        let small = counted(instances().len(), "small instance");
        text += &format!(" {} {mean} the same as the model on {small}.", counted(same, "further mutant"));
    }
    if unknown > 0 {
        text += &format!(" For {}, no difference was found, which is not certain.", counted(unknown, "further mutant"));
    }
    invocation.print(&(text + "\n"))?;
    let left = mutants.len() - all - same - unknown;
    Some(match (is_whole, left) {
        (false, _) => Exit::Fault,
        (true, 0) => Exit::Answer,
        (true, _) => Exit::Limit,
    })
}

/// True if a case does not pass with a mutant.
fn notices(run: &TestRun, job: &TestJob, time: Duration, mutant: &Mutant) -> bool {
    let found = job.file(&run.plan.files);
    let Ok(data) = &job.data else { return false };
    let time = (time * SLOWER).max(LEAST_TIME).min(run.options.case_time);
    let options: TestOptions = run.options.clone().case_time(time);
    let result = found.file.run(job.case(&run.plan.files), &mutant.text, data, &options);
    // A run that was interrupted says nothing about the mutant.
    result.verdict != TestVerdict::Passed && !interrupt::stopping()
}

/// The text about a mutant that no case notices: a solution that shows the difference, and a case that would notice it.
fn survivor(name: &str, mutant: &Mutant, found: &conjure_like::FoundDifference) -> String {
    let indented = |text: &str| {
        text.lines().map(|line| format!("        {line}").trim_end().to_owned() + "\n").collect::<String>()
    };
    let mut text = format!("not noticed  {name}:{}: {}\n\n", mutant.line, mutant.says);
    let data: String = found
        .data
        .iter()
        .flat_map(|text| text.text.lines())
        .filter(|line| is_data(line))
        .fold(String::new(), |text, line| text + line + "\n");
    if !data.is_empty() {
        text += &format!("    On this instance:\n\n{}\n", indented(&data));
    }
    text += match &found.difference.kind {
        DifferenceKind::Allowed => "    Only the mutant allows this:\n\n",
        DifferenceKind::Refused => "    Only the mutant refuses this:\n\n",
        DifferenceKind::Objective(..) => "    The objective differs for this:\n\n",
    };
    text += &indented(&found.difference.solution);
    if let Some(case) = &found.case {
        text += &format!("\n    This case notices it:\n\n{}", indented(case));
    }
    text + "\n"
}

fn is_data(line: &str) -> bool {
    line.starts_with("letting") || line.starts_with(' ')
}
