//! Answers as lines of JSON, and the questions that are about no model.

use crate::{
    places::with_positions,
    request::{self, refusal},
};
use conjure_like::{ImportFormat, Report, SolverName, Strategy, Text, import_puzzle, manual_entry, to_json};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// The members of a result, or what is wrong.
pub(crate) type Outcome = Result<Value, Report>;

/// Writes a line of a type with these members, so that it can be seen at once.
pub(crate) fn write(kind: &str, members: &Value) {
    let mut line = Map::from_iter([("type".to_owned(), kind.into())]);
    line.extend(members.as_object().cloned().unwrap_or_default());
    let mut output = io::stdout().lock();
    let written = writeln!(output, "{}", to_json(&line.into())).and_then(|()| output.flush());
    if written.is_err() {
        // Nobody is listening any more.
        std::process::exit(1);
    }
}

/// The diagnostics of a report.
pub(crate) fn diagnostics(report: &Report) -> Value {
    with_positions(report.to_values().into(), &report.sources)
}

/// The text of a manual: what an error code, a word or a sign means.
pub(crate) fn explain(explain: &request::Explain) -> Outcome {
    Ok(json!({"text": manual_entry(&explain.word)?}))
}

pub(crate) fn import(import: &request::Import) -> Outcome {
    let format = import.format.parse().map_err(|_| refusal(format!("there is no format `{}`", import.format)))?;
    Ok(json!({"text": import_puzzle(format, &Text::from(&import.puzzle))?}))
}

/// What this build has.
pub(crate) fn about() -> Value {
    let solvers = SolverName::all().map(|solver| json!({"name": solver.name()}));
    let formats = ImportFormat::ALL
        .map(|format| json!({"name": format.name(), "description": format.description(), "model": format.model()}));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "solvers": solvers.collect::<Value>(),
        "formats": formats,
        "strategies": Strategy::COMPARED,
    })
}
