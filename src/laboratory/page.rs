//! A self-contained web page about searches.

use super::{
    engine::{SearchRun, Verdict},
    network::Network,
    strategy::Strategy,
    trace::TraceEvent,
};
use crate::{
    diagnostic::visible,
    language::Sense,
    page,
    picture::{
        self, Edge, Graph, GraphNode,
        stage::Stage,
        svg::{self, Mark, SlotBox},
    },
};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

/// The maximum size of a network that is drawn as a graph. Chosen.
const MOST_NODES: usize = 150;
const MOST_LINES: usize = 6_000;

/// The limit on entries of all scopes on the page. Chosen.
const MOST_SCOPES: usize = 200_000;

/// The contents of a page besides the searches.
pub(crate) struct PageFrame<'a> {
    pub title: &'a str,
    /// The command that makes the page; empty if there is none.
    pub command: &'a str,
    /// The picture of the model's variables.
    pub stage: Option<Stage>,
}

/// The page for searches in one network, with the recorded steps.
pub(crate) fn search_page(frame: &PageFrame, network: &Network, runs: &[(Strategy, &SearchRun)]) -> String {
    let boxes: &[SlotBox] = frame.stage.as_ref().map_or(&[], |stage| &stage.boxes);
    let toned: FxHashSet<&str> =
        boxes.iter().filter(|one| one.mark == Mark::Tone).map(|one| one.slot.part.as_str()).collect();
    let variables = network.variables.iter().map(|variable| {
        let values: Vec<String> = variable.values.iter().map(|value| variable.value_names.show(*value)).collect();
        match toned.contains(&variable.name.as_str()) {
            true => json!([variable.name, values, value_paints(&values)]),
            false => json!([variable.name, values]),
        }
    });
    let scopes: usize = network.constraints.iter().map(|constraint| constraint.scope.len()).sum();
    let constraints = network.constraints.iter().map(|constraint| {
        let scope: &[usize] = if scopes <= MOST_SCOPES { &constraint.scope } else { &[] };
        json!([constraint.text, scope])
    });
    let objective =
        network.objective.map(|objective| json!({ "sense": sense(objective.sense), "text": network.objective_text }));
    let data = json!({
        "title": visible::line(frame.title),
        "command": frame.command,
        "variables": variables.collect::<Value>(),
        "constraints": constraints.collect::<Value>(),
        "objective": objective,
        "boxes": slots_of_network(boxes, network),
        "queen": svg::QUEEN,
        "points": points(network),
        "runs": runs.iter().map(|(strategy, run)| searched(*strategy, run)).collect::<Value>(),
    });
    let drawings: Vec<(String, String)> =
        frame.stage.iter().map(|stage| ("stage".to_owned(), stage.svg.clone())).collect();
    let title = format!("Search: {}", frame.title);
    page::scripted(&title, include_str!("page.css"), include_str!("page.js"), &data, &drawings)
}

fn sense(sense: Sense) -> &'static str {
    match sense {
        Sense::Minimise => "minimising",
        Sense::Maximise => "maximising",
    }
}

fn searched(strategy: Strategy, run: &SearchRun) -> Value {
    let recorder = &run.recorder;
    let verdict = match run.verdict {
        _ if recorder.truncated => "Only the first steps are kept; the search went on.",
        Verdict::Solved => "The search is over: solved.",
        Verdict::Unsatisfiable => "The search is over: there is no solution.",
        Verdict::Stopped => "The search was stopped here.",
    };
    // The differences are smaller numbers than the totals, which keeps the page small.
    let before = std::iter::once(&0).chain(&recorder.checks);
    let checks = recorder.checks.iter().zip(before).map(|(now, before)| now - before);
    json!({
        "strategy": strategy.to_string(),
        "verdict": verdict,
        "checks": run.counters.checks,
        "truncated": recorder.truncated,
        "events": recorder.events.iter().map(event).collect::<Value>(),
        "checksBefore": checks.collect::<Value>(),
        "bounds": recorder.bounds.iter().map(|(step, bound)| {
            json!([step, bound.iter().map(i128::to_string).collect::<Vec<_>>().join(", ")])
        }).collect::<Value>(),
    })
}

/// The fill and text colour of each value.
fn value_paints(values: &[String]) -> Value {
    svg::colours::paints(values).iter().map(|paint| json!([paint.fill, paint.text])).collect()
}

/// The slots with their variables, or with the texts of values known before the search. Slots of other parts are left
/// out.
fn slots_of_network(boxes: &[SlotBox], network: &Network) -> Value {
    let variables = network.variables.iter().enumerate().map(|(id, variable)| (variable.name.as_str(), json!(id)));
    let fixed = network.fixed.iter().map(|(name, value)| (name.as_str(), json!(value)));
    let known: FxHashMap<&str, Value> = fixed.chain(variables).collect();
    let one = |one: &SlotBox| Some(one.on_page(known.get(one.slot.part.as_str())?.clone(), json!(one.slot.value)));
    boxes.iter().filter_map(one).collect()
}

/// The points of the variables in a drawing of the constraint graph; `null` if it would be too large.
fn points(network: &Network) -> Value {
    let mut edges = Vec::new();
    for constraint in &network.constraints {
        for (position, from) in constraint.scope.iter().enumerate() {
            edges.extend(constraint.scope[position + 1..].iter().map(|to| (*from.min(to), *from.max(to))));
            // Several constraints may give the same edge; these are not merged yet, hence the higher limit.
            if edges.len() > 4 * MOST_LINES {
                return Value::Null;
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    if network.variables.len() > MOST_NODES || edges.len() > MOST_LINES {
        return Value::Null;
    }
    let node = |_| GraphNode { label: String::new(), tone: None, slot: None };
    let edge = |(from, to): (usize, usize)| Edge { from, to, directed: false, strong: false };
    let graph = Graph {
        nodes: network.variables.iter().map(node).collect(),
        edges: edges.into_iter().map(edge).collect(),
        ..Graph::default()
    };
    picture::arrange(&graph)
        .into_iter()
        .map(|(x, y)| [x, y].map(|at| (at * 100.0).round() / 100.0))
        .map(|point| json!(point))
        .collect()
}

/// The event as a letter and up to three numbers.
fn event(event: &TraceEvent) -> Value {
    match event {
        TraceEvent::Assign(variable, value) => json!(["a", variable, value]),
        TraceEvent::Prune(variable, value, constraint) => json!(["p", variable, value, constraint]),
        TraceEvent::Violated(constraint) => json!(["v", constraint]),
        TraceEvent::WipeOut(variable) => json!(["w", variable]),
        TraceEvent::NoBetter => json!(["n"]),
        TraceEvent::Solution => json!(["s"]),
        TraceEvent::Undo(variable, value) => json!(["u", variable, value]),
    }
}
