//! A web page about searches: one file, without the network.

use super::{
    engine::{Run, Verdict},
    network::Network,
    strategy::Strategy,
    trace::Event,
};
use crate::diagnostic::json::quoted;

const TEMPLATE: &str = include_str!("page.html");

/// The page for some searches in one network, with the steps that were recorded.
pub fn page(title: &str, network: &Network, runs: &[(Strategy, &Run)]) -> String {
    let variables = network.variables.iter().map(|variable| {
        let values = variable.values.iter().map(|value| quoted(&variable.value_names.show(*value)));
        format!("[{},{}]", quoted(&variable.name), array(values))
    });
    let constraints = network.constraints.iter().map(|constraint| quoted(&constraint.text));
    let runs = runs.iter().map(|(strategy, run)| {
        let counters = &run.counters;
        let verdict = match run.verdict {
            Verdict::Solved => "solved",
            Verdict::Unsatisfiable => "no solution",
            Verdict::Stopped => "stopped",
        };
        format!(
            "{{\"strategy\":{},\"verdict\":\"{verdict}\",\"nodes\":{},\"deadEnds\":{},\"checks\":{},\"pruned\":{},\"truncated\":{},\"events\":{}}}",
            quoted(&strategy.to_string()),
            counters.nodes,
            counters.dead_ends,
            counters.checks,
            counters.prunings,
            run.recorder.truncated,
            array(run.recorder.events.iter().map(event)),
        )
    });
    let data = format!(
        "{{\"title\":{},\"variables\":{},\"constraints\":{},\"runs\":{}}}",
        quoted(title),
        array(variables),
        array(constraints),
        array(runs)
    );
    // Nothing in the data may end the script that holds them.
    TEMPLATE.replace("\"DATA\"", &data.replace("</", "<\\/")).replace("TITLE", &escaped(title))
}

/// A letter and up to three numbers.
fn event(event: &Event) -> String {
    match event {
        Event::Assign(variable, value) => format!("[\"a\",{variable},{value}]"),
        Event::Prune(variable, value, constraint) => format!("[\"p\",{variable},{value},{constraint}]"),
        Event::Violated(constraint) => format!("[\"v\",{constraint}]"),
        Event::WipeOut(variable) => format!("[\"w\",{variable}]"),
        Event::NoBetter => "[\"n\"]".to_owned(),
        Event::Solution => "[\"s\"]".to_owned(),
        Event::Undo(variable, value) => format!("[\"u\",{variable},{value}]"),
    }
}

fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
