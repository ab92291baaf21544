//! Tables of results.

use super::{
    cubes::{CubesAnswer, CubesFound},
    out_of_date::OutOfDate,
    plan::CampaignPlan,
    results::{CampaignResults, RunResult},
};
use crate::outputs::csv::{self, CsvCell};
use conjure_like::{Decimal, Diagnostic};
use std::{collections::BTreeMap, fmt::Write};

/// The numbers of each status for each setting, the combined answers of cubes, and contradictions between settings.
pub(super) fn status_table(plan: &CampaignPlan, results: &CampaignResults) -> Result<String, Diagnostic> {
    let mut summary = CampaignSummary::default();
    let out_of_date = results.each(plan, |result| summary.add(plan, &result))?;
    let out_of_date = summary.needed(plan, out_of_date);
    let mut text = String::new();
    for contradiction in summary.contradictions(plan) {
        let _ = writeln!(text, "Contradiction: {contradiction}");
    }
    let _ = writeln!(text, "{}", summary.says(plan));
    if let Some(says) = out_of_date.says(plan) {
        let _ = writeln!(text, "{says} `campaign run` runs these tasks again.");
    }
    for setting in plan.settings() {
        let Some(counts) = summary.counts.get(setting) else { continue };
        let counts: Vec<String> = counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
        let _ = writeln!(text, "{setting}: {}", counts.join(", "));
    }
    for line in summary.cubes(plan) {
        let _ = writeln!(text, "{line}");
    }
    Ok(text)
}

/// The summary of results.
#[derive(Default)]
pub(super) struct CampaignSummary {
    done: usize,
    /// The numbers of each status, by the name of the setting.
    counts: BTreeMap<String, BTreeMap<String, usize>>,
    /// The first answer for each instance, by its position, with the task. There may be a million instances.
    first: Vec<Option<(DefiniteAnswer, u32)>>,
    /// Other answers for instances, by their positions.
    others: BTreeMap<usize, Vec<(DefiniteAnswer, u32)>>,
    found: CubesFound,
}

/// The meaning of a definite answer for an instance.
#[derive(Clone, Copy, PartialEq)]
enum DefiniteAnswer {
    Solutions,
    Optimum(Decimal),
    NoSolution,
}

impl CampaignSummary {
    pub(super) fn add(&mut self, plan: &CampaignPlan, result: &RunResult) {
        self.done += 1;
        // There may be a million results, so the names are copied only for the first one with each status.
        match self.counts.get_mut(&result.setting).and_then(|counts| counts.get_mut(&result.status)) {
            Some(count) => *count += 1,
            None => {
                self.counts.entry(result.setting.clone()).or_default().insert(result.status.clone(), 1);
            }
        }
        let number = result.number - 1;
        if result.cube.is_some() {
            self.found.add(plan, result);
            return;
        }
        let says = match (result.status.as_str(), result.objective) {
            ("optimal", Some(value)) => DefiniteAnswer::Optimum(value),
            ("unsatisfiable", _) => DefiniteAnswer::NoSolution,
            ("satisfied" | "all solutions", _) => DefiniteAnswer::Solutions,
            _ => return,
        };
        self.say(plan.instance(number), says, number);
    }

    fn say(&mut self, instance: usize, says: DefiniteAnswer, number: usize) {
        if self.first.len() <= instance {
            self.first.resize(instance + 1, None);
        }
        let said = (says, number as u32);
        let (first, _) = *self.first[instance].get_or_insert(said);
        if first != says {
            let others = self.others.entry(instance).or_default();
            if others.iter().all(|(other, _)| *other != says) {
                others.push(said);
            }
        }
    }

    /// The number of tasks with a result, in words.
    pub(super) fn says(&self, plan: &CampaignPlan) -> String {
        let needless = (0..plan.len()).filter(|number| self.found.is_settled(plan, *number)).count();
        // A task that had a result before its instance was settled is already counted in `done`.
        let needless = match needless.saturating_sub(self.found.in_settled()) {
            0 => String::new(),
            1 => "; 1 is no longer needed".to_owned(),
            more => format!("; {more} are no longer needed"),
        };
        format!("{} of {} tasks have a result{needless}.", self.done, plan.len())
    }

    /// The outdated results whose tasks are still needed.
    pub(super) fn needed(&self, plan: &CampaignPlan, out_of_date: OutOfDate) -> OutOfDate {
        out_of_date.without(|number| self.found.is_settled(plan, number))
    }

    /// The combined answers of the cubes of each instance.
    pub(super) fn cubes(&self, plan: &CampaignPlan) -> Vec<String> {
        let answers = self.found.answers(plan);
        answers.map(|(first, answer)| format!("{}: {answer}", plan.task(first).of_cubes())).collect()
    }

    /// The instances with contradictory answers.
    pub(super) fn contradictions(&self, plan: &CampaignPlan) -> Vec<String> {
        let mut answers = self.others.clone();
        for (instance, said) in &mut answers {
            said.extend(self.first[*instance]);
            // The tasks end in any order, but the message lists them in the order of the plan.
            said.sort_by_key(|(_, number)| *number);
        }
        for (first, answer) in self.found.answers(plan) {
            let says = match answer {
                CubesAnswer::Solution(_) | CubesAnswer::Solutions(_) => DefiniteAnswer::Solutions,
                CubesAnswer::Optimum(value) => DefiniteAnswer::Optimum(value),
                CubesAnswer::NoSolution => DefiniteAnswer::NoSolution,
                // The open cubes may still change the answer.
                CubesAnswer::SoFar { .. } => continue,
            };
            answers.entry(plan.instance(first)).or_default().push((says, first as u32));
        }
        let different = |said: &&Vec<(DefiniteAnswer, u32)>| said.iter().any(|(says, _)| *says != said[0].0);
        let contradiction = |said: &Vec<(DefiniteAnswer, u32)>| {
            let words = said.iter().map(|(says, number)| {
                let says = match says {
                    DefiniteAnswer::Solutions => "there are solutions".to_owned(),
                    DefiniteAnswer::Optimum(value) => format!("the optimum is {value}"),
                    DefiniteAnswer::NoSolution => "there is no solution".to_owned(),
                };
                format!("{} says {says}", plan.family_and_setting(*number as usize).1)
            });
            let (model, parameters) = plan.task(said[0].1 as usize).names;
            let parameters = parameters.map_or(String::new(), |name| format!(" {name}"));
            format!("{model}{parameters}: {}", words.collect::<Vec<_>>().join(", "))
        };
        answers.values().filter(different).map(contradiction).collect()
    }
}

pub(super) const HEADINGS: &str = "number,family,model,parameters,cube,setting,seed,repeat,status,\
    solved,solutions,objective,seconds,memory,message\n";

/// A line of comma-separated values.
pub(super) fn result_as_csv(result: &RunResult) -> String {
    csv::csv_line([
        csv::number(Some(result.number)),
        CsvCell::from(&*result.family),
        CsvCell::from(&*result.model),
        CsvCell::from(result.parameters.as_deref().unwrap_or_default()),
        csv::number(result.cube),
        CsvCell::from(&*result.setting),
        csv::number(result.seed),
        csv::number(Some(result.repeat + 1)),
        CsvCell::from(&*result.status),
        csv::number(Some(u8::from(result.is_solved()))),
        csv::number(Some(result.solutions)),
        csv::number(result.objective),
        csv::number(Some(format!("{:.3}", result.seconds))),
        csv::number(result.memory),
        CsvCell::from(result.message.as_deref().unwrap_or_default()),
    ])
}
