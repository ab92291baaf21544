//! Pairs of models that differ in constraints, variables, local variables or the objective: compares the answer of
//! `compare` with trying all values of both models.

use super::{SLOW, generator, random::Random, setting, show, tree::statement};
use conjure_like::{
    CompareOptions, DifferenceKind, Model, Text,
    diagnostic::Diagnostics,
    instance::oracle,
    language::{Sense, Stop, Value},
    pipeline,
    source::Sources,
    syntax::{
        ast::{ExprTree, File, StatementKind},
        print,
    },
};
use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    time::{Duration, Instant},
};

/// The number of pairs in the test suite.
const PAIRS: u64 = 300;
const MOST_COMBINATIONS: u128 = 2_000;

/// The solutions by the values of the shared variables, each with its best objective.
struct Meaning {
    sense: Option<Sense>,
    solutions: BTreeMap<BTreeMap<String, Value>, Option<Value>>,
}

impl Meaning {
    /// Tries all values. `None` if there are too many, or if the model has errors.
    fn of(text: &str, data: &str, shared: &dyn Fn(&str) -> bool) -> Option<Meaning> {
        let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
        let source = sources.add("model", text);
        let data = if data.is_empty() { Vec::new() } else { vec![sources.add("data", data)] };
        let model = pipeline::read_model_text(&sources, source, &mut diagnostics).ok()?.model;
        let instance = pipeline::read_instance(&model, &sources, &data, &mut diagnostics).ok()?;
        oracle::combinations(&instance).filter(|combinations| *combinations <= MOST_COMBINATIONS)?;
        let sense = instance.model.objective.as_ref().map(|objective| objective.sense);
        let mut solutions: BTreeMap<BTreeMap<String, Value>, Option<Value>> = BTreeMap::new();
        let until = Instant::now() + SLOW;
        let step = || if Instant::now() > until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let end = oracle::try_all_values(&instance, step, |solution, value| {
            let named = solution
                .iter()
                .map(|(id, value)| (instance.model.declarations[id.0 as usize].name.to_string(), value.clone()));
            let best = solutions.entry(named.filter(|(name, _)| shared(name)).collect()).or_insert(value.cloned());
            if let (Some(sense), Some(value), Some(known)) = (sense, value, &best)
                && sense.is_better(value, known)
            {
                *best = Some(value.clone());
            }
            Ok::<_, Stop>(ControlFlow::Continue(()))
        });
        end.ok().filter(|end| end.is_continue()).map(|_| Meaning { sense, solutions })
    }
}

/// A model with some of the constraints of another one, and with additional ones.
fn variant(file: &File, random: &mut Random) -> String {
    let mut file = file.clone();
    let mut constraints: Vec<ExprTree> = Vec::new();
    file.statements.retain_mut(|statement| match &mut statement.kind {
        StatementKind::SuchThat(some) => {
            constraints.append(some);
            false
        }
        StatementKind::Objective { .. } | StatementKind::BranchingOn(_) | StatementKind::Heuristic(_) => false,
        _ => true,
    });
    let text_of = |constraint: &ExprTree| {
        let statements = vec![statement(StatementKind::SuchThat(vec![constraint.clone()]))];
        let text = print::print_file(&File { statements, ..File::default() }, 100_000);
        text.trim_start().trim_start_matches("such that").trim().to_owned()
    };
    let mut texts: Vec<String> = constraints.iter().map(text_of).collect();
    let cost = random.pick(&texts).clone();
    texts.retain(|_| random.percent(80));
    let mut text = print::print_file(&file, 120);
    let has_more = random.percent(40);
    if has_more {
        text += "\nfind more : int(0..2)\n";
        texts.push(random.pick(&["more = 1", "more >= 1", "more + 1 >= more"]).to_string());
        if random.percent(50) {
            texts.push(format!("more = toInt({cost})"));
        }
    }
    if random.percent(30) {
        texts.push("{v @ find v : int(0..3) such that v >= 2} = 2".to_owned());
    }
    if !texts.is_empty() {
        text += &format!("\nsuch that {}\n", texts.join(",\n"));
    }
    let sense = random.pick(&["minimising", "minimising", "minimising", "maximising"]).to_string();
    let more = if has_more { "more" } else { "1" };
    match random.weighted(&[(25, 0), (35, 1), (15, 2), (15, 3), (10, 4)]) {
        0 => {}
        1 => text += &format!("\n{sense} toInt({cost})\n"),
        2 => text += &format!("\n{sense} {more} + toInt({cost})\n"),
        3 => text += &format!("\n{sense} {{v @ find v : int(0..2) such that v >= toInt({cost})}}\n"),
        _ => text += &format!("\n{sense} 2 / toInt({cost})\n"),
    }
    text
}

/// Checks the answer about two models. Returns true if the answer was certain, and `None` if nothing could be compared.
fn check(own: &str, reference: &str, data: &str) -> Result<Option<bool>, String> {
    let name = |text: &str| text.contains("find more");
    let both = name(own) && name(reference);
    // A variable that only one of the models has is projected away.
    let shared = |name: &str| both || name != "more";
    let (Some(one), Some(two)) = (Meaning::of(own, data, &shared), Meaning::of(reference, data, &shared)) else {
        return Ok(None);
    };
    let texts = if data.is_empty() { Vec::new() } else { vec![Text::new("data", data)] };
    let mut options = CompareOptions::default();
    options.search.limits.deadline = Some(Instant::now() + Duration::from_secs(20));
    let compared = Model::read(&Text::new("own", own)).and_then(|model| {
        Model::read(&Text::new("reference", reference))
            .and_then(|reference| model.compare(&reference, &texts, &options))
    });
    let Ok(compared) = compared else { return Ok(None) };
    let lacks = |one: &Meaning, two: &Meaning| one.solutions.keys().any(|key| !two.solutions.contains_key(key));
    let objectives = || one.sense != two.sense && !one.solutions.is_empty() || one.solutions != two.solutions;
    let found = compared.difference.as_ref().map(|difference| &difference.kind);
    let is_true = match found {
        Some(DifferenceKind::Allowed) => lacks(&one, &two),
        Some(DifferenceKind::Refused) => lacks(&two, &one),
        Some(DifferenceKind::Objective(..)) => objectives(),
        None => !compared.complete || !lacks(&one, &two) && !lacks(&two, &one) && !objectives(),
    };
    match is_true {
        true => Ok(Some(compared.complete)),
        false => Err(format!("{found:?} is said, complete: {}", compared.complete)),
    }
}

/// Wrong answers about pairs of models.
pub(crate) fn faults() -> Vec<String> {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_MODELS").unwrap_or(PAIRS));
    let numbers = setting("GENERATED_ONLY").map_or(0..count, |only| only..only + 1);
    let (mut faults, mut certain, mut open) = (Vec::new(), 0, 0);
    for number in numbers {
        let model = generator::model(Random::new(seed, number));
        let mut random = Random::new(seed ^ 0xc0, number);
        if !model.file.statements.iter().any(|one| matches!(one.kind, StatementKind::SuchThat(_))) {
            continue;
        }
        let (own, reference) = (variant(&model.file, &mut random), variant(&model.file, &mut random));
        match check(&own, &reference, &model.parameters) {
            Ok(Some(true)) => certain += 1,
            Ok(Some(false)) => open += 1,
            Ok(None) => {}
            Err(fault) => faults.push(format!(
                "======== pair {number} of seed {seed}: {fault}\n---- own\n{own}\n---- reference\n{reference}\n---- from\n{}",
                show(&model)
            )),
        }
    }
    eprintln!("{certain} certain answers, {open} open ones");
    // Most answers must be certain; otherwise the test would show little.
    assert!(certain > 10 * open, "{certain} certain answers, {open} open ones");
    faults
}
