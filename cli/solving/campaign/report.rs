//! `campaign report`: the results as a page with plots.

use super::{plan::CampaignPlan, results::CampaignResults, summary::CampaignSummary};
use conjure_like::{Diagnostic, scripted_page};
use serde_json::{Value, json};

/// The limits on the points of a curve and on the runs in the scatter plot; more would not be visible. Chosen.
const MOST_POINTS: usize = 400;
const MOST_RUNS: usize = 2000;

/// The result of a task, as far as the report needs it.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    /// The task has no result.
    Open,
    Solved,
    TimeLimit,
    MemoryLimit,
    /// The solver gave up, or there was an error.
    Other,
}

/// The results of a plan, one entry for each task.
struct ResultTable {
    outcomes: Vec<Outcome>,
    /// The wall times in seconds.
    seconds: Vec<f32>,
}

/// The page, which is self-contained.
pub(super) fn campaign_page(title: &str, plan: &CampaignPlan, results: &CampaignResults) -> Result<String, Diagnostic> {
    let mut table = ResultTable { outcomes: vec![Outcome::Open; plan.len()], seconds: vec![0.0; plan.len()] };
    let mut summary = CampaignSummary::default();
    let out_of_date = results.each(plan, |result| {
        let at = result.number - 1;
        table.seconds[at] = result.seconds as f32;
        table.outcomes[at] = match result.status.as_str() {
            _ if result.is_solved() => Outcome::Solved,
            "time limit" => Outcome::TimeLimit,
            "memory limit" => Outcome::MemoryLimit,
            _ => Outcome::Other,
        };
        summary.add(plan, &result);
    })?;
    let out_of_date = summary.needed(plan, out_of_date);
    let title = format!("Campaign {title}");
    let data = json!({
        "title": title,
        "summary": format!("{} {}", summary.says(plan), out_of_date.says(plan).unwrap_or_default()).trim_end(),
        "limit": plan.time(),
        "settings": plan.settings().collect::<Vec<_>>(),
        "contradictions": summary.contradictions(plan),
        "cubes": summary.cubes(plan),
        "rows": report_rows(plan, &table),
        "curves": curves(plan, &table),
        "runs": runs(plan, &table),
    });
    Ok(scripted_page(&title, include_str!("report.css"), include_str!("report.js"), &data, &[]))
}

/// One row of the table for each family and setting.
fn report_rows(plan: &CampaignPlan, table: &ResultTable) -> Vec<Value> {
    let mut groups: Vec<((String, String), Vec<usize>)> = Vec::new();
    for number in 0..plan.len() {
        let (family, setting) = plan.family_and_setting(number);
        match groups.iter_mut().find(|((other, of), _)| *other == family && *of == setting) {
            Some((_, numbers)) => numbers.push(number),
            None => groups.push(((family.to_owned(), setting.to_owned()), vec![number])),
        }
    }
    groups.sort_by(|one, other| one.0.0.cmp(&other.0.0));
    let row = |((family, setting), numbers): ((String, String), Vec<usize>)| {
        let count = |outcome| numbers.iter().filter(|number| table.outcomes[**number] == outcome).count();
        // PAR2, as in SAT competitions: a run without an answer counts as twice the time limit.
        let (mut solved, mut par2, mut tried) = (Vec::new(), 0.0, 0);
        for number in &numbers {
            match table.outcomes[*number] {
                Outcome::Open => continue,
                Outcome::Solved => {
                    par2 += f64::from(table.seconds[*number]);
                    solved.push(table.seconds[*number]);
                }
                _ => par2 += 2.0 * plan.time(),
            }
            tried += 1;
        }
        solved.sort_by(f32::total_cmp);
        json!({
            "family": family,
            "setting": setting,
            "tasks": numbers.len(),
            "solved": solved.len(),
            "time": count(Outcome::TimeLimit),
            "memory": count(Outcome::MemoryLimit),
            "other": count(Outcome::Other),
            "open": count(Outcome::Open),
            "par2": (tried > 0).then(|| par2 / f64::from(tried)),
            "median": solved.get(solved.len() / 2),
        })
    };
    groups.into_iter().map(row).collect()
}

/// The number of answered runs over time, for each setting.
fn curves(plan: &CampaignPlan, table: &ResultTable) -> Vec<Value> {
    let curve = |setting: &str| {
        let solved = (0..plan.len()).filter(|number| table.outcomes[*number] == Outcome::Solved);
        let mut times: Vec<f32> = solved
            .filter(|number| plan.family_and_setting(*number).1 == setting)
            .map(|number| table.seconds[number])
            .collect();
        times.sort_by(f32::total_cmp);
        let step = times.len().div_ceil(MOST_POINTS).max(1);
        let last = times.len().saturating_sub(1);
        // The last point shows the number of solved runs, so it is kept.
        let points = times.iter().enumerate().filter(|(at, _)| at % step == 0 || *at == last);
        json!({"setting": setting, "points": points.map(|(at, time)| json!([at + 1, time])).collect::<Value>()})
    };
    plan.settings().map(curve).collect()
}

/// The times of each run, one for each setting; negative without an answer, `null` without a result.
fn runs(plan: &CampaignPlan, table: &ResultTable) -> Vec<Value> {
    let settings = plan.settings().count();
    let all = plan.len() / settings;
    let step = all.div_ceil(MOST_RUNS).max(1);
    let run = |at: usize| {
        let numbers = plan.same_run(at);
        let times = numbers.clone().map(|number| match table.outcomes[number] {
            Outcome::Open => Value::Null,
            Outcome::Solved => json!(table.seconds[number]),
            _ => json!(-1),
        });
        let name = numbers.clone().next().map_or(String::new(), |number| plan.task(number).name_of_run());
        Value::Array([Value::String(name)].into_iter().chain(times).collect())
    };
    (0..all).step_by(step).map(run).collect()
}
