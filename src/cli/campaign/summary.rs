//! Tables of results.

use super::{
    cubes::CubesFound,
    plan::{Plan, Task},
    results::{Results, RunResult},
};
use conjure_like::Diagnostic;
use std::{collections::BTreeMap, fmt::Write};

/// How often each status occurs, for each setting, and where settings contradict each other.
pub(super) fn status(plan: &Plan, results: &Results) -> Result<String, Diagnostic> {
    let mut counts: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut done = 0;
    let mut answers = Answers::default();
    let mut cubes = CubesFound::default();
    results.each(plan, |result| {
        done += 1;
        match result.cube {
            Some(_) => cubes.add(plan, &result),
            None => answers.add(&result),
        }
        *counts.entry(result.setting).or_default().entry(result.status).or_default() += 1;
    })?;
    for (first, says, _) in cubes.answers(plan).filter(|(.., definite)| *definite) {
        answers.says(&plan.task(first), says);
    }
    let mut text = String::new();
    for contradiction in answers.contradictions() {
        let _ = writeln!(text, "Contradiction: {contradiction}");
    }
    let needless = (0..plan.len()).filter(|number| cubes.is_settled(plan, *number)).count();
    let needless = match needless.saturating_sub(cubes.in_settled()) {
        0 => String::new(),
        1 => "; 1 is no longer needed".to_owned(),
        more => format!("; {more} are no longer needed"),
    };
    let _ = writeln!(text, "{done} of {} tasks have a result{needless}.", plan.len());
    for setting in plan.settings() {
        let Some(counts) = counts.get(setting) else { continue };
        let counts: Vec<String> = counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
        let _ = writeln!(text, "{setting}: {}", counts.join(", "));
    }
    for (first, says, _) in cubes.answers(plan) {
        let _ = writeln!(text, "{}: {says}", plan.task(first).of_cubes());
    }
    Ok(text)
}

/// What the definite answers say about each instance.
#[derive(Default)]
struct Answers(BTreeMap<(String, Option<String>), BTreeMap<String, String>>);

impl Answers {
    /// Keeps what a definite answer says: that there are solutions or none, and the optimum.
    fn add(&mut self, result: &RunResult) {
        let says = match (result.status.as_str(), result.objective) {
            ("optimal", Some(value)) => format!("the optimum is {value}"),
            ("unsatisfiable", _) => "there is no solution".to_owned(),
            ("satisfied" | "all solutions", _) => "there are solutions".to_owned(),
            _ => return,
        };
        let instance = (result.model.clone(), result.parameters.clone());
        self.0.entry(instance).or_default().entry(says).or_insert_with(|| result.setting.clone());
    }

    /// Keeps what the cubes of an instance say together.
    fn says(&mut self, task: &Task, says: String) {
        let says = if says.starts_with("there is a solution") { "there are solutions".to_owned() } else { says };
        self.0.entry(task.names.clone()).or_default().entry(says).or_insert_with(|| task.setting.clone());
    }

    fn contradictions(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter(|(_, said)| said.len() > 1).map(|((model, parameters), said)| {
            let instance = parameters.as_ref().unwrap_or(model);
            let said: Vec<String> = said.iter().map(|(says, setting)| format!("{setting} says {says}")).collect();
            format!("{instance}: {}", said.join(", "))
        })
    }
}

pub(super) const HEADINGS: &str = "number,family,model,parameters,cube,setting,seed,repeat,status,solved,solutions,objective,seconds,memory,message\n";

/// A line of comma-separated values.
pub(super) fn csv(result: &RunResult) -> String {
    let number = |number: Option<String>| number.unwrap_or_default();
    let fields = [
        result.number.to_string(),
        field(&result.family),
        field(&result.model),
        field(result.parameters.as_deref().unwrap_or_default()),
        number(result.cube.map(|cube| cube.to_string())),
        field(&result.setting),
        number(result.seed.map(|seed| seed.to_string())),
        (result.repeat + 1).to_string(),
        result.status.clone(),
        u8::from(result.is_solved()).to_string(),
        result.solutions.to_string(),
        number(result.objective.map(|value| value.to_string())),
        format!("{:.3}", result.seconds),
        number(result.memory.map(|bytes| bytes.to_string())),
        field(result.message.as_deref().unwrap_or_default()),
    ];
    fields.join(",") + "\n"
}

fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
