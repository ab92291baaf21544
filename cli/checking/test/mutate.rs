//! Mutation testing: plants mistakes in a model and checks that its test cases notice them.

use super::{
    find::TestJob,
    run::{TestRun, in_order},
};
use crate::{
    inputs::invocation::Invocation,
    runtime::{Exit, interrupt},
};
use conjure_like::{DifferenceKind, Model, Mutant, MutantDifference, TestVerdict, Text, counted};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

/// The number of small instances on which a mutant is compared with the model.
const INSTANCES: usize = 8;

/// The result for a mutant.
enum MutantStatus {
    Noticed,
    /// The number of instances on which the mutant is equivalent.
    Same(usize),
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
        // If a fast case notices a mutant, slow cases need not run, so fast ones come first.
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
    // Generating instances is slow, and only mutants that no case notices need them.
    let made = OnceLock::new();
    // With a fixed seed, the score of a model changes only with its cases.
    let instances = || made.get_or_init(|| model.small_instances(INSTANCES, 1).unwrap_or_default());
    let of_cases = instances_of_cases(run, cases);
    let status = |mutant: &Mutant| {
        if cases.iter().any(|(job, time)| notices(run, job, *time, mutant)) {
            return MutantStatus::Noticed;
        }
        match model.difference_of(mutant, instances(), &of_cases, run.options) {
            MutantDifference::Same(compared) => MutantStatus::Same(compared),
            MutantDifference::Found(found) => MutantStatus::Survives(found),
            _ => MutantStatus::Unknown,
        }
    };
    let (mut noticed, mut same, mut unknown, mut survivors) = (0_usize, Vec::new(), Vec::new(), Vec::new());
    let is_whole = interrupt::during(None, || {
        in_order(mutants.len(), run.at_once, &|at| status(&mutants[at]), |at, status| {
            match status {
                MutantStatus::Noticed => noticed += 1,
                MutantStatus::Same(compared) => same.push((&mutants[at], compared)),
                MutantStatus::Unknown => unknown.push(&mutants[at]),
                MutantStatus::Survives(found) => survivors.push((&mutants[at], found)),
            }
            true
        })
    });
    let name = path.display().to_string();
    for (mutant, found) in &survivors {
        invocation.print(&survivor(&name, mutant, found))?;
    }
    if !same.is_empty() || !unknown.is_empty() {
        let tried = instances().len() + of_cases.len();
        for (mutant, compared) in &same {
            let number = counted(tried, "instance");
            let on = if *compared == tried { number } else { format!("{compared} of {number}") };
            let says = format!("all solutions were compared on {on}");
            invocation.print(&uncounted("means the same", &name, mutant, &says))?;
        }
        let says = format!("no difference on {}, but there are too many solutions for all", counted(tried, "instance"));
        for mutant in &unknown {
            invocation.print(&uncounted("not certain", &name, mutant, &says))?;
        }
        invocation.print("\n")?;
    }
    let all = noticed + survivors.len();
    let score = (noticed * 100).checked_div(all).map_or_else(String::new, |score| format!(" ({score} %)"));
    let mut text = format!("{name}: the cases notice {noticed} of {}{score}.", counted(all, "mutant"));
    if !same.is_empty() {
        let mean = if same.len() == 1 { "means" } else { "mean" };
        text += &format!(" {} {mean} the same as the model.", counted(same.len(), "further mutant"));
    }
    if !unknown.is_empty() {
        let number = counted(unknown.len(), "further mutant");
        text += &format!(" For {number}, no difference was found, which is not certain.");
    }
    invocation.print(&(text + "\n"))?;
    let left = mutants.len() - all - same.len() - unknown.len();
    Some(match (is_whole, left) {
        (false, _) => Exit::Fault,
        (true, 0) => Exit::Answer,
        (true, _) => Exit::Limit,
    })
}

/// A line about a mutant that does not count.
fn uncounted(status: &str, name: &str, mutant: &Mutant, says: &str) -> String {
    format!("{status}  {name}:{}: {} ({says})\n", mutant.line, mutant.says)
}

/// The data of the cases, each once.
fn instances_of_cases(run: &TestRun, cases: &TimedCases) -> Vec<Vec<Text>> {
    let mut instances: Vec<Vec<Text>> = Vec::new();
    for (job, _) in cases {
        let Ok(files) = &job.data else { continue };
        let data = job.file(&run.plan.files).file.data_of(job.case(&run.plan.files), files);
        if !data.is_empty() && !instances.contains(&data) {
            instances.push(data);
        }
    }
    instances
}

/// True if a case does not pass with a mutant.
fn notices(run: &TestRun, job: &TestJob, time: Duration, mutant: &Mutant) -> bool {
    let found = job.file(&run.plan.files);
    let Ok(data) = &job.data else { return false };
    // A run that was interrupted shows nothing about the mutant.
    found.file.notices(job.case(&run.plan.files), mutant, data, time, run.options) && !interrupt::stopping()
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
