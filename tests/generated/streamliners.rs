//! Random streamliners of random models: the answer under a portfolio is the answer without it.

use super::{generator, random::Random, setting, show};
use conjure_like::{
    Count, EngineOptions, Limits, Model, PortfolioEntry, SolveOptions, SolveStatus, SolverName, StreamlinerPortfolio,
    Text, syntax::print,
};
use std::{
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    time::{Duration, Instant},
};

/// The number of models in the test suite.
const MODELS: u64 = 300;
/// The number of random combinations for each model.
const ENTRIES: usize = 3;
/// The budget of each combination, which the search of some models exceeds.
const CONFLICTS: u64 = 30;
/// The time limit for a model.
const PATIENCE: Duration = Duration::from_secs(10);

/// The numbers of models that were checked, for which a streamliner found a solution, and without a solution.
#[derive(Default)]
struct Seen {
    checked: usize,
    found: usize,
    refuted: usize,
}

/// The faults of answers under streamliners; a panic is one, too.
pub(crate) fn faults() -> Vec<String> {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_MODELS").unwrap_or(MODELS));
    let numbers = setting("GENERATED_ONLY").map_or(0..count, |only| only..only + 1);
    let (mut seen, mut faults) = (Seen::default(), Vec::new());
    for number in numbers {
        let model = generator::model(Random::new(seed, number));
        let text = Text::new("model", print::print_file(&model.file, 120));
        let data = Some(Text::new("parameters", model.parameters.clone())).filter(|data| !data.text.is_empty());
        let check = AssertUnwindSafe(|| {
            check(&Model::read(&text).ok()?, data.as_slice(), &mut Random::new(seed, number), &mut seen)
        });
        let fault = match panic::catch_unwind(check) {
            Ok(None) | Ok(Some(Ok(()))) => continue,
            Ok(Some(Err(fault))) => fault,
            Err(_) => "a panic".to_owned(),
        };
        faults.push(format!("======== model {number} of seed {seed}: {fault}\n---- model\n{}", show(&model)));
    }
    let Seen { checked, found, refuted } = seen;
    eprintln!("{checked} models, {refuted} without a solution, {found} of the others solved under streamliners");
    assert!(checked > 0 || !faults.is_empty(), "nothing has been checked");
    faults
}

/// The answer of a search: its objective if there is a solution.
#[derive(Debug, PartialEq)]
enum Answer {
    None,
    Found(Option<String>),
}

/// Compares the answers; `None` if the model is not decided in time, or has no answer to compare.
fn check(model: &Model, data: &[Text], random: &mut Random, seen: &mut Seen) -> Option<Result<(), String>> {
    if model.has_several_goals() || model.has_trade_offs() || model.has_dominance() {
        return None;
    }
    let search = EngineOptions::default().limits(Limits::from(Instant::now() + PATIENCE));
    let expected = answer(model, data, None, &search)?.ok()?;
    let all = model.streamliners();
    if all.is_empty() {
        return None;
    }
    // Each streamliner must be well-typed.
    let constraints: Vec<String> = all.iter().map(|streamliner| streamliner.constraint.clone()).collect();
    if let Err(report) = model.requiring(&constraints) {
        return Some(Err(report.to_lines()));
    }
    let entry = |random: &mut Random| {
        let constraints = (0..=random.below(2)).map(|_| random.pick(&all).constraint.clone()).collect();
        PortfolioEntry::new("random", constraints, CONFLICTS)
    };
    let portfolio = StreamlinerPortfolio::new((0..ENTRIES).map(|_| entry(random)).collect());
    let tried = match model.streamlined(data, &portfolio, &search) {
        Ok(tried) => tried,
        Err(report) => return Some(Err(report.to_lines())),
    };
    let start = tried.found.map(|(_, solution)| Text::new("start", solution.to_essence(usize::MAX)));
    seen.checked += 1;
    seen.found += usize::from(start.is_some());
    seen.refuted += usize::from(expected == Answer::None);
    match answer(model, data, start, &search)? {
        Ok(found) if found == expected => Some(Ok(())),
        Ok(found) => Some(Err(format!("{expected:?} without and {found:?} with streamliners"))),
        Err(fault) => Some(Err(fault)),
    }
}

/// The answer of the search of the whole space.
fn answer(model: &Model, data: &[Text], start: Option<Text>, search: &EngineOptions) -> Option<Result<Answer, String>> {
    let instance = model.instance(data).ok()?;
    let options = SolveOptions::default().solver(SolverName::Cadical).solutions(Count::First(1));
    let mut last = None;
    let summary = instance.solve(&options.start(start).search(search.clone()), &mut |solution| {
        last = Some(solution.clone());
        ControlFlow::Continue(())
    });
    let summary = match summary {
        Ok(summary) => summary,
        Err(report) => return Some(Err(report.to_lines())),
    };
    let is_over = !matches!(summary.status, SolveStatus::TimeLimit | SolveStatus::Unknown(_));
    is_over.then(|| {
        let Some(solution) = last else { return Ok(Answer::None) };
        let valid = model.validate(data, &Text::new("solution", solution.to_essence(120)));
        valid.map_err(|report| report.to_lines())?;
        Ok(Answer::Found(solution.objective_shown()))
    })
}
