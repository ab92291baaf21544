//! `conjure-like session`: a session of the library over standard input and output, a request and an answer on each
//! line.

use super::{
    Exit,
    instances::Instances,
    interrupt,
    request_lines::{RequestLine, request_lines},
    session,
    session::Session,
    stdout,
};
use clap::Args;
use conjure_like::{
    COMMAND_LINE, Code, Diagnostic, EngineOptions, JsonShape, Limits, Report, SolveSession, Text, to_spaced_json,
};
use serde_json::{Map, Value, json};
use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

#[derive(Args)]
#[command(after_help = "\
Example: printf '{\"solve\": {}}\\n{\"require\": \"x > 3\"}\\n{\"solve\": {}}\\n' | conjure-like session MODEL PARAM

Exit code: 0 when standard input ends, whatever the answers were; 2 for a mistake in the command line, the files, the
model or the data.")]
pub(super) struct SessionCommand {
    #[command(flatten)]
    instances: Instances,
}

/// What is wrong with a request.
enum RefusedRequest {
    Request(String),
    Report(Report),
}

impl From<Report> for RefusedRequest {
    fn from(report: Report) -> Self {
        RefusedRequest::Report(report)
    }
}

impl From<Diagnostic> for RefusedRequest {
    fn from(wrong: Diagnostic) -> Self {
        RefusedRequest::Report(wrong.into())
    }
}

impl From<&str> for RefusedRequest {
    fn from(wrong: &str) -> Self {
        RefusedRequest::Request(wrong.to_owned())
    }
}

/// The members that a request can have, one of them beside `id`.
const REQUESTS: &str = "`require`, `set`, `undo`, `solve` or `cancel`";

impl SessionCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        if self.instances.model == Path::new("-") {
            let error = Diagnostic::error(Code::COMMAND_LINE, "a session reads its requests from standard input");
            return session.fail(error.help("name a file with the model"));
        }
        if self.instances.are_several() {
            let error = Diagnostic::error(Code::COMMAND_LINE, "a session is about one instance");
            return session.fail(error.help("name one parameter file, and tables if you like"));
        }
        let model = self.instances.read_model(session)?;
        self.instances.each(session, |session, data, _| {
            let mut solving = session.accept(SolveSession::new(&model, data))?;
            interrupt::doing("the session was at work");
            for RequestLine { line, cancelled } in request_lines("cancel") {
                let answer = answered(&mut solving, &line, cancelled);
                match stdout::write(&(to_spaced_json(&answer) + "\n")) {
                    Ok(()) => {}
                    Err(stdout::Failure::NoReader) => break,
                    Err(stdout::Failure::Refused(refused)) => return session.fail(refused),
                }
            }
            Some(Exit::Answer)
        })
    }
}

/// The answer to a request: what has become of it, or what is wrong.
fn answered(session: &mut SolveSession, line: &str, cancelled: Arc<AtomicBool>) -> Value {
    let request = serde_json::from_str::<Map<String, Value>>(line);
    let id = request.as_ref().ok().and_then(|request| request.get("id").cloned());
    let answer = match &request {
        Ok(request) => answer(session, request, &id, cancelled),
        Err(_) => Err("a request is an object in JSON on one line".into()),
    };
    with_id(
        &id,
        answer.unwrap_or_else(|refused| match refused {
            RefusedRequest::Request(error) => json!({ "error": error }),
            RefusedRequest::Report(report) => json!({ "error": report.to_string(), "diagnostics": report.to_values() }),
        }),
    )
}

fn with_id(id: &Option<Value>, answer: Value) -> Value {
    match (id, answer) {
        (Some(id), Value::Object(members)) => {
            Value::Object([("id".to_owned(), id.clone())].into_iter().chain(members).collect())
        }
        (_, answer) => answer,
    }
}

fn answer(
    session: &mut SolveSession,
    request: &Map<String, Value>,
    id: &Option<Value>,
    cancelled: Arc<AtomicBool>,
) -> Result<Value, RefusedRequest> {
    let mut members = request.iter().filter(|(name, _)| *name != "id");
    let (Some((name, value)), None) = (members.next(), members.next()) else {
        return Err(RefusedRequest::Request(format!("a request has one of {REQUESTS}")));
    };
    match (name.as_str(), value) {
        ("require", Value::String(requirement)) => session.require(&[requirement])?,
        ("require", Value::Array(requirements)) => {
            let texts: Option<Vec<&str>> = requirements.iter().map(Value::as_str).collect();
            session.require(&texts.ok_or("`require` takes expressions in Essence")?)?;
        }
        ("require", _) => return Err("`require` takes an expression in Essence, or a list of them".into()),
        ("set", Value::Object(_)) => session.set(&[Text::new(COMMAND_LINE, value.to_string())])?,
        ("set", Value::String(statements)) => session.set(&[Text::new(COMMAND_LINE, statements.as_str())])?,
        ("set", Value::Array(words)) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            let words = words.ok_or("`set` takes a list of parameter files and tables")?;
            let texts = words.into_iter().map(|word| session::read(Path::new(word)));
            session.set(&texts.collect::<Result<Vec<Text>, Diagnostic>>()?)?;
        }
        ("set", _) => return Err("`set` takes an object with values, statements in Essence, or a list of files".into()),
        ("undo", value) => {
            let steps = if *value == Value::Bool(true) { Some(1) } else { value.as_u64() };
            let steps = steps.ok_or("`undo` takes the number of steps, or `true` for the last one")?;
            if steps > session.steps() as u64 {
                let error = format!("there are {} to take back, not {steps}", session.steps());
                return Err(RefusedRequest::Request(error));
            }
            for _ in 0..steps {
                session.undo();
            }
        }
        ("solve", Value::Object(options)) => return solved(session, options, id, cancelled),
        ("solve", _) => return Err("`solve` takes an object with options, such as `{}`".into()),
        (other, _) => {
            return Err(RefusedRequest::Request(format!("`{other}` is unknown; a request has one of {REQUESTS}")));
        }
    }
    Ok(json!({ "steps": session.steps() }))
}

/// Solves, and says on a line each what was found on the way if that is wanted.
fn solved(
    session: &mut SolveSession,
    options: &Map<String, Value>,
    id: &Option<Value>,
    cancelled: Arc<AtomicBool>,
) -> Result<Value, RefusedRequest> {
    let (mut limit, mut engine, mut says_progress) = (None, EngineOptions::default(), false);
    for (name, value) in options {
        match name.as_str() {
            "limit-time" => {
                let seconds = value.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                limit = Some(seconds.ok_or("`limit-time` takes seconds")?);
            }
            "seed" => {
                let seed = value.as_u64().and_then(|seed| u32::try_from(seed).ok());
                engine = engine.seed(Some(seed.ok_or("`seed` takes a number from 0 on")?));
            }
            "threads" => {
                let threads = value.as_u64().and_then(|threads| NonZeroUsize::new(threads as usize));
                engine = engine.threads(Some(threads.ok_or("`threads` takes a number from 1 on")?));
            }
            "progress" => says_progress = value.as_bool().ok_or("`progress` takes `true` or `false`")?,
            other => return Err(RefusedRequest::Request(format!("`solve` has no option `{other}`"))),
        }
    }
    let start = Instant::now();
    let deadlines = limit.map(|limit| start + limit).into_iter().chain(interrupt::deadline());
    let limits = Limits::default().deadline(deadlines.min()).interrupted(cancelled);
    let engine = engine.limits(limits);
    let mut best = Map::new();
    let summary = session.solve(&engine, &mut |solution| {
        let found = json!({ "solution": solution.shaped(JsonShape::Conjure) });
        let mut found = if let Value::Object(found) = found { found } else { Map::new() };
        if let Some(objective) = solution.objective_json() {
            found.insert("objective".to_owned(), objective);
        }
        if says_progress {
            let mut progress = found.clone();
            progress.insert("seconds".to_owned(), seconds(start));
            let line = with_id(id, json!({ "progress": progress }));
            if stdout::write(&(to_spaced_json(&line) + "\n")).is_err() {
                return ControlFlow::Break(());
            }
        }
        best = found;
        ControlFlow::Continue(())
    })?;
    let mut answer = Map::new();
    answer.insert("status".to_owned(), summary.status.to_string().into());
    if let Some(reason) = summary.status.reason() {
        answer.insert("reason".to_owned(), reason.into());
    }
    answer.extend(best);
    Ok(Value::Object(answer))
}

/// The seconds since then, in thousandths.
fn seconds(start: Instant) -> Value {
    json!((start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0)
}
