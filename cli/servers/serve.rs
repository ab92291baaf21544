//! `conjure-like serve`: the protocol of the library over standard input and output, a request on each line.

use super::request_lines::{RequestLine, request_lines};
use crate::{
    inputs::invocation::{self, Invocation},
    runtime::{Exit, interrupt, stdout},
};
use clap::Args;
use conjure_like::{
    Diagnostic, Limits,
    protocol::{Line, Service, read_request},
};
use serde_json::{Map, Value, json};
use std::{
    env,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

#[derive(Args)]
#[command(after_help = "\
Example: echo '{\"verb\": \"solve\", \"model\": {\"path\": \"MODEL\"}}' | conjure-like serve

Exit code: 0 when standard input ends, whatever the answers were.")]
pub(crate) struct ServeCommand {}

impl ServeCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        answer_requests(invocation, Service::default(), |_| {})
    }
}

/// Answers the requests on standard input. `complete` adds members that a request may leave out.
pub(crate) fn answer_requests(
    invocation: &mut Invocation,
    mut service: Service,
    complete: impl Fn(&mut Map<String, Value>),
) -> Option<Exit> {
    interrupt::doing("a request was being answered");
    for RequestLine { line, cancelled } in request_lines() {
        service.limits = Limits::default().deadline(interrupt::deadline()).interrupted(cancelled.clone());
        let (mut request, malformed) = match read_request(&line) {
            Ok(request) => (request, None),
            // Even a malformed request may have an `id`, which the answer must repeat.
            Err(report) => (serde_json::from_str(&line).unwrap_or_default(), Some(report)),
        };
        if let Some(members) = request.as_object_mut() {
            complete(members);
        }
        let mut take = |member: &str| request.as_object_mut().and_then(|request| request.remove(member));
        let (id, folder) = (take("id"), take("folder"));
        let mut failure = None;
        let mut send = |answer: Line| {
            if failure.is_none()
                && let Err(refused) = stdout::write_line(&with_id(&id, &answer))
            {
                // If the reader is gone, the rest of the answer is useless.
                cancelled.store(true, Ordering::Relaxed);
                failure = Some(refused);
            }
        };
        let entered = || folder.as_ref().and_then(Value::as_str).map_or(Ok(()), enter);
        let read = malformed.map_or(Ok(()), Err).and_then(|()| Ok(entered().and_then(|()| with_files(&mut request))?));
        match read {
            Ok(()) => service.answer(request, &mut send),
            Err(report) => send(Line::failure(&report)),
        }
        match failure {
            None => {}
            Some(stdout::Failure::NoReader) => break,
            Some(stdout::Failure::Refused(refused)) => return invocation.fail(refused),
        }
    }
    Some(Exit::Answer)
}

/// Changes to the folder of the client, which can differ from request to request.
fn enter(folder: &str) -> Result<(), Diagnostic> {
    let unreadable = |error| invocation::unreadable(Path::new(folder), folder, &error);
    env::set_current_dir(folder).map_err(unreadable)
}

/// Replaces named files with their texts: `{"path": "costs.csv"}`, or `{"path": "cost=costs.csv"}` for a table.
fn with_files(value: &mut Value) -> Result<(), Diagnostic> {
    match value {
        Value::Array(items) => {
            let mut texts = Vec::new();
            for mut item in items.drain(..) {
                match path_in_request(&item) {
                    // A workbook becomes several texts, so texts are appended instead of replaced one by one.
                    Some(path) => texts.extend(read_texts(&path)?),
                    None => {
                        with_files(&mut item)?;
                        texts.push(item);
                    }
                }
            }
            *items = texts;
        }
        Value::Object(members) => {
            for member in members.values_mut() {
                match path_in_request(member) {
                    Some(path) => *member = read_texts(&path)?.swap_remove(0),
                    None => with_files(member)?,
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn path_in_request(text: &Value) -> Option<PathBuf> {
    let members = text.as_object().filter(|members| members.len() == 1)?;
    members.get("path")?.as_str().map(PathBuf::from)
}

/// The texts of a file: one, or a table for each sheet of a workbook.
fn read_texts(path: &Path) -> Result<Vec<Value>, Diagnostic> {
    let texts = invocation::read(path)?.into_tables();
    Ok(texts
        .into_iter()
        .map(|text| {
            let mut named = json!({"name": text.name, "text": text.text});
            if let Some(table) = text.table_use() {
                named["parameter"] = (*table.parameter).into();
                named["columns"] = (*table.columns).into();
            }
            named
        })
        .collect())
}

/// A line of the reply with the `id` of its request.
fn with_id(id: &Option<Value>, line: &Line) -> Value {
    match (id, json!(line)) {
        (Some(id), Value::Object(members)) => [("id".to_owned(), id.clone())].into_iter().chain(members).collect(),
        (_, line) => line,
    }
}
