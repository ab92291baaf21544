//! The language server for editors, which speaks the Language Server Protocol.
//!
//! [`LanguageServer::react`] takes an [`Event`], such as a message of the client, and returns [`Reaction`]s, such as
//! messages to the client. The server does not read files, and has no threads or clock; its host has them:
//! `cli/servers/lsp` in the program, and the extension for Visual Studio Code in a page. A command such as `solve`
//! becomes a request of `protocol`, which the host passes to a `Service` on another thread.
//!
//! You may add requests in `features` and commands in `commands`. The sessions in `tests/lsp` test the program.

mod commands;
mod diagnostics;
mod examiner;
mod features;
mod files;
mod ranges;
mod workspace;

use crate::protocol::{Encoding, Positions, read_diagnostic};
use commands::{Commands, SearchSettings};
use diagnostics::published;
use examiner::Examiner;
pub use files::{DataFile, FileAnswer, FileQuestion, path_of, uri_of};
use ranges::{TextChange, TextDocumentIdentifier};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};
use workspace::Workspace;

/// An event that the server reacts to.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// The client sent a message of JSON-RPC; `null` if it was not JSON.
    Message(Value),
    /// No further message is waiting, so diagnostics can be published.
    Idle,
    /// The answers to the questions of [`Reaction::Read`], in their order.
    Files(Vec<FileAnswer>),
    /// A line of the answer to the request of a task.
    Answer {
        /// The task.
        task: u64,
        /// A line of `protocol`.
        line: Value,
    },
}

/// An action of the host.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "reaction", rename_all = "lowercase")]
pub enum Reaction {
    /// Send a message of JSON-RPC to the client.
    Send {
        /// The text of the message.
        message: String,
    },
    /// Read files. The next event must be [`Event::Files`].
    Read {
        /// The questions.
        questions: Vec<FileQuestion>,
    },
    /// Have a request of `protocol` answered in the background. Its lines arrive as [`Event::Answer`].
    Start {
        /// The number of the task.
        task: u64,
        /// The request.
        request: Value,
        /// True if the task waits until the user pauses; it may be cancelled before.
        after_pause: bool,
    },
    /// End a task, whose lines are no longer needed.
    Cancel {
        /// The number of the task.
        task: u64,
    },
    /// End the session. If the server is shut down, the client followed the protocol.
    Exit,
}

/// The error in the answer to a request.
#[derive(Clone, Debug, Serialize)]
struct RequestError {
    code: i32,
    message: String,
}

/// The answer to a request: its result as JSON text, which is serialised only once, or an error.
type Answered = Result<String, RequestError>;

/// The error codes of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorCode {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    ServerNotInitialized = -32002,
    RequestFailed = -32803,
    RequestCancelled = -32800,
}

fn refused_message(code: ErrorCode, message: impl Into<String>) -> RequestError {
    RequestError { code: code as i32, message: message.into() }
}

/// Reads the parameters of a message.
fn message_parameters<T: DeserializeOwned>(params: &Value) -> Result<T, RequestError> {
    T::deserialize(params).map_err(|error| refused_message(ErrorCode::InvalidParams, error.to_string()))
}

/// Serialises a result or a message.
fn message_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// Returns the answer to a request as a reaction.
fn response(id: &Value, result: Answered) -> Reaction {
    let (member, value) = match result {
        Ok(result) => ("result", result),
        Err(error) => ("error", message_json(&error)),
    };
    Reaction::Send { message: format!(r#"{{"jsonrpc":"2.0","id":{id},"{member}":{value}}}"#) }
}

fn notification(method: &str, params: &Value) -> Reaction {
    Reaction::Send { message: message_json(&json!({ "jsonrpc": "2.0", "method": method, "params": params })) }
}

/// Removes the `null` members of an object.
fn without_nulls(mut object: Value) -> Value {
    object.as_object_mut().into_iter().for_each(|members| members.retain(|_, value| !value.is_null()));
    object
}

/// The phase of a session.
#[derive(Clone, Copy, Default, PartialEq)]
enum ServerPhase {
    /// Before the request `initialize`.
    #[default]
    Starting,
    Running,
    /// After the request `shutdown`.
    ShutDown,
}

/// A session with an editor.
pub struct LanguageServer {
    phase: ServerPhase,
    workspace: Workspace,
    commands: Commands,
    examiner: Examiner,
    /// The number of the last task.
    last_task: u64,
    /// The event that waits for answers about files.
    waiting: Option<Event>,
    /// The handler of requests about texts; tests replace it.
    about_texts: fn(&mut Workspace, &str, &Value) -> Answered,
}

impl Default for LanguageServer {
    fn default() -> Self {
        LanguageServer {
            phase: ServerPhase::default(),
            workspace: Workspace::default(),
            commands: Commands::default(),
            examiner: Examiner::new(),
            last_task: 0,
            waiting: None,
            about_texts: features::answered,
        }
    }
}

impl LanguageServer {
    /// Reacts to an event. After [`Reaction::Read`], the next event must be [`Event::Files`].
    pub fn react(&mut self, event: Event) -> Vec<Reaction> {
        let event = match (event, self.waiting.take()) {
            (Event::Files(answers), Some(waiting)) => {
                self.workspace.files.learn(answers);
                waiting
            }
            (event, _) => event,
        };
        // The panic hook has reported the panic, which must not end the server.
        let reactions = guarded(|| self.reactions(&event)).unwrap_or_default();
        // An event that needs files has changed nothing yet, so it is handled again with the answers.
        let questions = self.workspace.files.unanswered().to_vec();
        if !questions.is_empty() {
            self.waiting = Some(event);
            return vec![Reaction::Read { questions }];
        }
        self.workspace.files.forget();
        reactions
    }

    /// Returns true if the client has sent `shutdown`, as it must before the session ends.
    pub fn is_shut_down(&self) -> bool {
        self.phase == ServerPhase::ShutDown
    }

    fn reactions(&mut self, event: &Event) -> Vec<Reaction> {
        match event {
            Event::Message(message) => self.message(message),
            Event::Idle => self.publish(),
            Event::Answer { task, line } => self.answer(*task, line),
            Event::Files(_) => Vec::new(),
        }
    }

    fn message(&mut self, message: &Value) -> Vec<Reaction> {
        let (id, params) = (message.get("id"), &message["params"]);
        match (id, message["method"].as_str()) {
            (Some(id), Some("workspace/executeCommand")) if self.phase == ServerPhase::Running => {
                let started = self.commands.start(self.last_task + 1, id, params, &mut self.workspace);
                // The number grows even after a refusal, because a number is never used twice.
                self.last_task += 1;
                started.unwrap_or_else(|refused| vec![response(id, Err(refused))])
            }
            (Some(id), Some(method)) => vec![response(id, self.answered(method, params))],
            (None, Some("exit")) => vec![Reaction::Exit],
            // A notification has no response, so its errors cannot be reported.
            (None, Some(method)) if self.phase == ServerPhase::Running => {
                self.noted(method, params).unwrap_or_default()
            }
            (None, Some(_)) => Vec::new(),
            // The server sends no requests, so it expects no responses.
            (Some(_), None) => Vec::new(),
            (None, None) => {
                let wrong = refused_message(ErrorCode::ParseError, "this is not a message of JSON-RPC");
                vec![response(&Value::Null, Err(wrong))]
            }
        }
    }

    /// Answers a request.
    fn answered(&mut self, method: &str, params: &Value) -> Answered {
        match (self.phase, method) {
            (ServerPhase::Starting, "initialize") => self.initialize(params),
            (ServerPhase::Starting, _) => {
                Err(refused_message(ErrorCode::ServerNotInitialized, "the first request is `initialize`"))
            }
            (ServerPhase::ShutDown, _) => Err(refused_message(ErrorCode::InvalidRequest, "the server is shut down")),
            (ServerPhase::Running, "initialize") => {
                Err(refused_message(ErrorCode::InvalidRequest, "a session starts only once"))
            }
            (ServerPhase::Running, "shutdown") => {
                self.phase = ServerPhase::ShutDown;
                Ok(message_json(&()))
            }
            (ServerPhase::Running, _) => guarded(|| (self.about_texts)(&mut self.workspace, method, params))
                .unwrap_or_else(|| Err(refused_message(ErrorCode::InternalError, "this is a bug in conjure-like"))),
        }
    }

    fn initialize(&mut self, params: &Value) -> Answered {
        // The client lists the encodings in order of preference. Without a list, the protocol demands UTF-16.
        let offered = params["capabilities"]["general"]["positionEncodings"].as_array();
        let known = offered.into_iter().flatten().find_map(|encoding| match encoding.as_str() {
            Some("utf-8") => Some(Encoding::Utf8),
            Some("utf-16") => Some(Encoding::Utf16),
            _ => None,
        });
        self.workspace.encoding = known.unwrap_or_default();
        self.configure(&params["initializationOptions"]);
        self.phase = ServerPhase::Running;
        Ok(message_json(&json!({
            "capabilities": features::capabilities(self.workspace.encoding),
            "serverInfo": { "name": "conjure-like", "version": env!("CARGO_PKG_VERSION") },
        })))
    }

    /// Applies the client's settings. `model` is the model of all data, `models` the models of some data; the others
    /// are for commands.
    fn configure(&mut self, settings: &Value) {
        if settings.is_null() {
            return;
        }
        // The client may send the settings of this server alone, or among others under the name of the server.
        let settings = settings.get("conjure-like").unwrap_or(settings);
        let model = settings["model"].as_str().filter(|model| !model.is_empty());
        self.workspace.model = model.map(str::to_owned);
        self.workspace.models = BTreeMap::deserialize(&settings["models"]).unwrap_or_default();
        self.commands.settings = SearchSettings::deserialize(settings).unwrap_or_default();
        self.examiner.is_wanted = settings["examine"].as_bool() != Some(false);
        if !self.examiner.is_wanted {
            self.workspace.drop_proved();
        }
        // The settings may choose another model for any data, so everything is read again.
        self.workspace.forget();
    }

    /// Reacts to a notification.
    fn noted(&mut self, method: &str, params: &Value) -> Result<Vec<Reaction>, RequestError> {
        #[derive(Deserialize)]
        struct Opened {
            uri: String,
            version: i64,
            text: String,
        }
        let subject = &params["textDocument"];
        match method {
            "textDocument/didOpen" => {
                let Opened { uri, version, text } = message_parameters(subject)?;
                self.workspace.set(&uri, version, text);
            }
            "textDocument/didChange" => {
                let uri = message_parameters::<TextDocumentIdentifier>(subject)?.uri;
                let changes: Vec<TextChange> = message_parameters(&params["contentChanges"])?;
                self.workspace.change(&uri, subject["version"].as_i64().unwrap_or_default(), changes);
            }
            "textDocument/didClose" => {
                let uri = message_parameters::<TextDocumentIdentifier>(subject)?.uri;
                self.workspace.close(&uri);
                // An editor keeps diagnostics until they are replaced.
                let nothing = json!({ "uri": uri, "diagnostics": [] });
                return Ok(vec![notification("textDocument/publishDiagnostics", &nothing)]);
            }
            "workspace/didChangeConfiguration" => self.configure(&params["settings"]),
            "workspace/didChangeWatchedFiles" => self.workspace.forget(),
            "$/cancelRequest" => return Ok(self.commands.cancel(&params["id"])),
            _ => {}
        }
        Ok(Vec::new())
    }

    /// Publishes the diagnostics of the changed texts, and starts examinations.
    fn publish(&mut self) -> Vec<Reaction> {
        let unpublished = self.workspace.unpublished();
        let subjects = unpublished.iter().map(|(uri, version)| (uri, version, self.workspace.subject(uri)));
        let subjects: Vec<_> = subjects.filter_map(|(uri, version, subject)| Some((uri, version, subject?))).collect();
        let models = if self.examiner.is_wanted { self.workspace.models_with_data() } else { Vec::new() };
        // All texts are published or none, because the event is repeated when the files are known.
        if !self.workspace.files.unanswered().is_empty() {
            return Vec::new();
        }
        let encoding = self.workspace.encoding;
        let mut reactions = Vec::new();
        for (uri, version, subject) in subjects {
            let positions = Positions::new(subject.document.text(), encoding);
            let found = features::known_of(&self.workspace, uri, &subject);
            let diagnostics = found.iter().map(|one| published(one, &subject, &positions, encoding).1);
            let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics.collect::<Value>() });
            reactions.push(notification("textDocument/publishDiagnostics", &params));
        }
        self.workspace.set_published();
        reactions.extend(self.examiner.turn_to(models, &mut self.last_task));
        reactions
    }

    /// Handles a line of the answer to a task. The warnings of an examination are published with the other diagnostics.
    fn answer(&mut self, task: u64, line: &Value) -> Vec<Reaction> {
        if let Some(examined) = self.examiner.model(task) {
            let warnings = line["diagnostics"].as_array().into_iter().flatten();
            // The places refer to the examined text; if this has changed, `Examiner::model` returns nothing.
            let warnings = warnings.filter_map(|warning| read_diagnostic(warning, &examined.model.text));
            let is_result = line["type"] == "result";
            self.workspace.prove(&examined.uri, warnings.filter(|_| is_result).collect());
        }
        self.commands.take(task, line, &self.workspace)
    }
}

/// Runs a function whose panic must not end the server.
fn guarded<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_a_request_is_an_error_and_the_next_request_is_answered() {
        let mut server = LanguageServer { phase: ServerPhase::Running, ..LanguageServer::default() };
        server.workspace.set("file:///m.essence", 1, "find x : int(1..9)".to_owned());
        server.about_texts = |workspace, method, params| match method {
            "panic" => panic!("a request that panics"),
            _ => features::answered(workspace, method, params),
        };
        let place =
            json!({ "textDocument": { "uri": "file:///m.essence" }, "position": { "line": 0, "character": 5 } });
        let error = server.answered("panic", &place).expect_err("an error");
        assert_eq!((error.code, &*error.message), (-32603, "this is a bug in conjure-like"));
        let hover = server.answered("textDocument/hover", &place).map_err(|error| error.message).expect("a hover");
        assert!(hover.contains("find x : int(1..9)"), "{hover}");
    }
}
