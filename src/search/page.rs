//! A web page about searches: one file, without the network.

use super::{
    engine::{SearchRun, Verdict},
    network::Network,
    strategy::Strategy,
    trace::Event,
};
use crate::{diagnostic::visible, json::compact};
use serde_json::{Value, json};

const TEMPLATE: &str = include_str!("page.html");

/// The page for some searches in one network, with the steps that were recorded.
pub(crate) fn page(title: &str, network: &Network, runs: &[(Strategy, &SearchRun)]) -> String {
    let variables = network.variables.iter().map(|variable| {
        let values: Value = variable.values.iter().map(|value| variable.value_names.show(*value)).collect();
        json!([variable.name, values])
    });
    let runs = runs.iter().map(|(strategy, run)| {
        let verdict = match run.verdict {
            Verdict::Solved => "solved",
            Verdict::Unsatisfiable => "no solution",
            Verdict::Stopped => "stopped",
        };
        json!({
            "strategy": strategy.to_string(),
            "verdict": verdict,
            "nodes": run.counters.nodes,
            "deadEnds": run.counters.dead_ends,
            "checks": run.counters.checks,
            "pruned": run.counters.prunings,
            "truncated": run.recorder.truncated,
            "events": run.recorder.events.iter().map(event).collect::<Value>(),
        })
    });
    let data = json!({
        "title": title,
        "variables": variables.collect::<Value>(),
        "constraints": network.constraints.iter().map(|constraint| constraint.text.as_str()).collect::<Value>(),
        "runs": runs.collect::<Value>(),
    });
    filled_in(title, &compact(&data))
}

/// The page with a title and JSON. The title comes first: what is put in must not be looked through for the other mark.
fn filled_in(title: &str, json: &str) -> String {
    TEMPLATE.replace("TITLE", &visible::markup(title)).replace("\"DATA\"", &in_script(json))
}

/// JSON for a script in a page. `</script>` would end the script, `<!--` hide the rest of the page, and the two separators end a line
/// for older browsers. All of them can only stand in strings, where an escape means the same.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// A letter and up to three numbers.
fn event(event: &Event) -> Value {
    match event {
        Event::Assign(variable, value) => json!(["a", variable, value]),
        Event::Prune(variable, value, constraint) => json!(["p", variable, value, constraint]),
        Event::Violated(constraint) => json!(["v", constraint]),
        Event::WipeOut(variable) => json!(["w", variable]),
        Event::NoBetter => json!(["n"]),
        Event::Solution => json!(["s"]),
        Event::Undo(variable, value) => json!(["u", variable, value]),
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
            let page = filled_in(title, &json);
            assert_eq!(page.matches("<script").count(), 1, "{title}");
            assert_eq!(page.matches("</script").count(), 1, "{title}");
            let (_, script) = page.split_once("<script>").expect("a script");
            assert!(!page.contains("<!--") && !script.contains(['\u{2028}', '\u{2029}']), "{title}");
            assert_eq!(page.matches("TITLE").count(), if title == "TITLE" { 3 } else { 1 }, "{title}");
        }
        assert_eq!(in_script("[\"<\"]"), "[\"\\u003c\"]");
    }
}
