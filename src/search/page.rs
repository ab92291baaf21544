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
    filled_in(title, &data)
}

/// The page with a title and JSON. The title comes first: what is put in must not be looked through for the other mark.
fn filled_in(title: &str, json: &str) -> String {
    TEMPLATE.replace("TITLE", &escaped(title)).replace("\"DATA\"", &in_script(json))
}

/// JSON for a script in a page. `</script>` would end the script, `<!--` hide the rest of the page, and the two separators end a line
/// for older browsers. All of them can only stand in strings, where an escape means the same.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
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

/// Text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_can_end_or_hide_the_script() {
        let names = ["</script>", "<!-- <script>", "]]>", "TITLE", "\"DATA\"", "a\u{2028}b\u{2029}c\\"];
        let json = array(names.iter().map(|name| quoted(name)));
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
