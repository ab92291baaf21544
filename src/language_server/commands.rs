//! Commands. Each sends one request of `protocol` to the host, which answers it in the background, so that the server
//! stays responsive.

use super::{
    Answered, ErrorCode, Reaction, RequestError,
    diagnostics::{of_tables, on_lines},
    message_json, message_parameters, notification, refused_message, response,
    workspace::Workspace,
};
use crate::{ModelCommand, SolverName, Text, protocol::takes_member};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The client's settings for commands. 0 and the empty string mean "not set".
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct SearchSettings {
    solver: String,
    /// The limit in seconds.
    limit_time: f64,
    threads: usize,
}

/// The parameters of a request for a command.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CommandRequest {
    command: String,
    #[serde(default)]
    arguments: Vec<Value>,
    work_done_token: Option<Value>,
}

/// The state of commands.
#[derive(Default)]
pub(super) struct Commands {
    pub settings: SearchSettings,
    /// The running commands, by their tasks.
    running: BTreeMap<u64, RunningCommand>,
}

/// A command whose request has not been answered yet.
struct RunningCommand {
    /// The id of the client's request.
    id: Value,
    /// The token with which the client shows the progress.
    token: Option<Value>,
    name: &'static str,
    /// The last solution, which is the first one or the best one so far.
    solution: Option<Value>,
    /// The tables among the data, with the URIs of their files.
    tables: Vec<(Text, String)>,
}

/// The prefix of all commands.
const PREFIX: &str = "conjure-like.";

/// The commands, each with the verb of its request.
const COMMANDS: [(&str, &str); 7] = [
    ("solve", "solve"),
    ("why", "why"),
    ("hint", "hint"),
    ("picture", "solve"),
    ("search", "search"),
    ("form", "form"),
    ("tables", "check"),
];

/// The name of a command in the protocol.
pub(super) fn command_name(command: ModelCommand) -> String {
    format!("{PREFIX}{command}")
}

/// The names of all commands.
pub(super) fn command_names() -> Vec<String> {
    COMMANDS.iter().map(|(name, _)| format!("{PREFIX}{name}")).collect()
}

impl SearchSettings {
    /// Adds the settings that a request accepts.
    fn add_to(&self, question: &mut Value, verb: &str) -> Result<(), RequestError> {
        let mut add = |member: &str, value: Value| {
            if takes_member(verb, member) {
                question[member] = value;
            }
        };
        if !self.solver.is_empty() {
            let solver = self.solver.parse::<SolverName>();
            add("solver", solver.map_err(|unknown| refused_message(ErrorCode::RequestFailed, unknown))?.name().into());
        }
        if self.limit_time > 0.0 {
            add("limit", self.limit_time.into());
        }
        if self.threads > 0 {
            add("threads", self.threads.into());
        }
        Ok(())
    }
}

/// Returns a text as a member of a request.
pub(super) fn named_text(text: &Text) -> Value {
    let mut named = json!({ "name": text.name, "text": text.text });
    if let Some(table) = text.table_use() {
        named["parameter"] = (*table.parameter).into();
        named["columns"] = (*table.columns).into();
    }
    named
}

impl Commands {
    /// Starts a command as the task with this number.
    pub(super) fn start(
        &mut self,
        task: u64,
        id: &Value,
        params: &Value,
        workspace: &mut Workspace,
    ) -> Result<Vec<Reaction>, RequestError> {
        let invalid = |what: &str| refused_message(ErrorCode::InvalidParams, what);
        let CommandRequest { command, arguments, work_done_token: token } = message_parameters(params)?;
        let known = command.strip_prefix(PREFIX).and_then(|name| COMMANDS.iter().find(|(known, _)| *known == name));
        let (name, verb) = known.ok_or_else(|| invalid(&format!("there is no command `{command}`")))?;
        let uri = arguments.first().and_then(Value::as_str).ok_or_else(|| invalid("the model's URI is missing"))?;
        let data: Vec<&str> = match arguments.get(1) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(uris)) => uris.iter().filter_map(Value::as_str).collect(),
            Some(_) => return Err(invalid("the data are a list of URIs and tables")),
        };
        let failed = |why: String| refused_message(ErrorCode::RequestFailed, why);
        let model = workspace.content(uri).ok_or_else(|| failed(format!("cannot read `{uri}`")));
        // All files are requested before an error about the first one is reported, so that one round trip to the client
        // is enough.
        let data: Vec<_> = data.into_iter().map(|named| workspace.data(uri, named)).collect();
        let (model, data) = (model?, data.into_iter().collect::<Result<Vec<_>, _>>().map_err(failed)?);
        let texts: Vec<Value> = data.iter().map(|(text, _)| named_text(text)).collect();
        let mut request = json!({ "verb": verb, "model": named_text(&model), "data": texts });
        self.settings.add_to(&mut request, verb)?;
        if *verb == "solve" {
            request["pictures"] = (*name == "picture").into();
        }
        let mut reactions = vec![Reaction::Start { task, request, after_pause: false }];
        let title = format!("conjure-like {name}");
        reactions.extend(progress(token.as_ref(), &json!({ "kind": "begin", "title": title, "cancellable": true })));
        // Only tables have a URI here, because the client shows their diagnostics in their own files.
        let tables = data.into_iter().filter_map(|(text, uri)| Some((text, uri?))).collect();
        self.running.insert(task, RunningCommand { id: id.clone(), token, name, solution: None, tables });
        Ok(reactions)
    }

    /// Handles a line of the answer to a task, if the task belongs to a command.
    pub(super) fn take(&mut self, task: u64, line: &Value, workspace: &Workspace) -> Vec<Reaction> {
        let Some(running) = self.running.get_mut(&task) else { return Vec::new() };
        let result = match line["type"].as_str() {
            Some("solution") => {
                running.solution = Some(line.clone());
                return Vec::new();
            }
            // For this command, a table with errors is a result and not a failure.
            Some("result" | "failure") if running.name == "tables" => {
                Ok(message_json(&of_tables(&line["diagnostics"], &running.tables, workspace.encoding)))
            }
            Some("result") => Ok(message_json(&running.shown(line))),
            Some("failure") => Err(refused_message(ErrorCode::RequestFailed, on_lines(&line["diagnostics"]))),
            _ => return Vec::new(),
        };
        self.finish(task, result)
    }

    /// Answers the request of a finished command.
    fn finish(&mut self, task: u64, result: Answered) -> Vec<Reaction> {
        let Some(RunningCommand { id, token, .. }) = self.running.remove(&task) else { return Vec::new() };
        progress(token.as_ref(), &json!({ "kind": "end" })).into_iter().chain([response(&id, result)]).collect()
    }

    /// Cancels the command of a request, and answers the request at once.
    pub(super) fn cancel(&mut self, id: &Value) -> Vec<Reaction> {
        let task = self.running.iter().find(|(_, running)| running.id == *id).map(|(task, _)| *task);
        let ended = |task| {
            let answer = self.finish(task, Err(refused_message(ErrorCode::RequestCancelled, "cancelled")));
            [Reaction::Cancel { task }].into_iter().chain(answer).collect()
        };
        task.map(ended).unwrap_or_default()
    }
}

impl RunningCommand {
    /// Returns the result of the command, from the last line of the answer.
    fn shown(&self, line: &Value) -> Value {
        let (text, format) = match (self.name, &self.solution) {
            ("form", _) => return line.clone(),
            ("search", _) => (line["page"].clone(), "html"),
            ("why" | "hint", _) => (line["text"].clone(), "text"),
            (_, None) => (line["says"].clone(), "text"),
            ("picture", Some(solution)) => (solution["svg"].clone(), "svg"),
            (_, Some(solution)) => {
                let remark = match line["stopped_by"].is_null() {
                    true => "",
                    false => "$ The search has ended early: there may be better solutions.\n",
                };
                (format!("{remark}{}", solution["essence"].as_str().unwrap_or_default()).into(), "essence")
            }
        };
        json!({ "text": text, "format": format })
    }
}

fn progress(token: Option<&Value>, value: &Value) -> Option<Reaction> {
    Some(notification("$/progress", &json!({ "token": token?, "value": value })))
}
