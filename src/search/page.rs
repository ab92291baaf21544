//! A web page about searches: one file, without the network.

use super::{
    engine::{SearchRun, Verdict},
    network::Network,
    strategy::Strategy,
    trace::TraceEvent,
};
use crate::{
    diagnostic::visible,
    json::{compact, in_script},
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

const TEMPLATE: &str = include_str!("page.html");
const STAGE: &str = "<template id=\"stage\"></template>";

/// Larger networks are not drawn as graphs.
const MOST_NODES: usize = 150;
const MOST_LINES: usize = 6_000;

/// The most entries that the scopes of all constraints may have on the page.
const MOST_SCOPES: usize = 200_000;

/// What a page shows beside the searches.
pub(crate) struct PageFrame<'a> {
    pub title: &'a str,
    /// The command that makes the page; empty if there is none.
    pub command: &'a str,
    /// The picture of the model's variables.
    pub stage: Option<Stage>,
}

/// The page for some searches in one network, with the steps that were recorded.
pub(crate) fn page(frame: &PageFrame, network: &Network, runs: &[(Strategy, &SearchRun)]) -> String {
    let boxes: &[SlotBox] = frame.stage.as_ref().map_or(&[], |stage| &stage.boxes);
    let toned: FxHashSet<&str> =
        boxes.iter().filter(|one| one.mark == Mark::Tone).map(|one| one.slot.part.as_str()).collect();
    let variables = network.variables.iter().map(|variable| {
        let values: Vec<String> = variable.values.iter().map(|value| variable.value_names.show(*value)).collect();
        match toned.contains(&variable.name.as_str()) {
            true => json!([variable.name, values, paints(&values)]),
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
        "title": frame.title,
        "command": frame.command,
        "variables": variables.collect::<Value>(),
        "constraints": constraints.collect::<Value>(),
        "objective": objective,
        "boxes": slots(boxes, network),
        "queen": svg::QUEEN,
        "points": points(network),
        "runs": runs.iter().map(|(strategy, run)| searched(*strategy, run)).collect::<Value>(),
    });
    filled_in(frame, &compact(&data))
}

fn sense(sense: Sense) -> &'static str {
    match sense {
        Sense::Minimise => "minimising",
        Sense::Maximise => "maximising",
    }
}

fn searched(strategy: Strategy, run: &SearchRun) -> Value {
    let verdict = match run.verdict {
        Verdict::Solved => "solved",
        Verdict::Unsatisfiable => "no solution",
        Verdict::Stopped => "stopped",
    };
    let recorder = &run.recorder;
    // The number of checks since the step before: smaller than the number of all.
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

/// The fill and the text colour of each value.
fn paints(values: &[String]) -> Value {
    svg::colours::paints(values).iter().map(|paint| json!([paint.fill, paint.text])).collect()
}

/// For each slot the variable (or the text of its value, if that is known before the search, with its colours), the
/// value that the slot compares with, the mark, the rectangle and the label. Slots of other parts are left out.
fn slots(boxes: &[SlotBox], network: &Network) -> Value {
    let named: FxHashMap<&str, usize> =
        network.variables.iter().enumerate().map(|(id, variable)| (variable.name.as_str(), id)).collect();
    let fixed: FxHashMap<&str, &str> =
        network.fixed.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let one = |SlotBox { slot, corner, size, mark, label }: &SlotBox| {
        let of = match (named.get(slot.part.as_str()), fixed.get(slot.part.as_str())) {
            (Some(id), _) => json!(id),
            (None, Some(value)) => json!(value),
            (None, None) => return None,
        };
        let mark = match mark {
            Mark::Text => "text",
            Mark::Tone => "tone",
            Mark::Dot => "dot",
            Mark::Queen => "queen",
            Mark::Fill => "fill",
        };
        let rectangle = [corner.0, corner.1, size.0, size.1].map(|length| (length * 10.0).round() / 10.0);
        Some(json!([of, slot.value, mark, rectangle, label]))
    };
    boxes.iter().filter_map(one).collect()
}

/// The points of the variables in a drawing of the constraint graph; `null` if it would be too large.
fn points(network: &Network) -> Value {
    let mut edges = Vec::new();
    for constraint in &network.constraints {
        for (position, from) in constraint.scope.iter().enumerate() {
            edges.extend(constraint.scope[position + 1..].iter().map(|to| (*from.min(to), *from.max(to))));
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

/// The page with a title, a picture and JSON. What is put in must not be looked through for the other marks: a title
/// and a picture contain neither `<` nor quotation marks of their own, and JSON comes last.
fn filled_in(frame: &PageFrame, json: &str) -> String {
    let svg = frame.stage.as_ref().map_or("", |stage| &stage.svg);
    page::styled(TEMPLATE)
        .replace("TITLE", &visible::markup(frame.title))
        .replace(STAGE, &format!("<template id=\"stage\">{svg}</template>"))
        .replace("\"DATA\"", &in_script(json))
}

/// A letter and up to three numbers.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_can_end_or_hide_the_script() {
        let names = ["</script>", "<!-- <script>", "]]>", "TITLE", "\"DATA\"", "a\u{2028}b\u{2029}c\\"];
        let json = compact(&json!(names));
        for title in names {
            let frame = PageFrame { title, command: "", stage: None };
            let page = filled_in(&frame, &json);
            assert_eq!(page.matches("<script").count(), 1, "{title}");
            assert_eq!(page.matches("</script").count(), 1, "{title}");
            let (_, script) = page.split_once("<script>").expect("a script");
            assert!(!page.contains("<!--") && !script.contains(['\u{2028}', '\u{2029}']), "{title}");
            assert_eq!(page.matches("TITLE").count(), if title == "TITLE" { 3 } else { 1 }, "{title}");
        }
        assert_eq!(in_script("[\"<\"]"), "[\"\\u003c\"]");
    }
}
