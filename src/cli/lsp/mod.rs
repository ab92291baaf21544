//! `conjure-like lsp`: the protocol of language servers. What is answered comes from the library's
//! [`conjure_like::Document`].
//!
//! One thread reads messages, one answers them in their order, one asks a solver about the open models, and each
//! command that searches has a thread of its own. Texts are read when a request needs them, and what is wrong with
//! them is published when no further message waits.

mod commands;
mod examiner;
mod features;
mod mistakes;
mod positions;
mod transport;
mod workspace;

use super::{Exit, interrupt, report};
use clap::Args;
use commands::{Commands, SearchSettings};
use examiner::{ExaminationResult, Examiner};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, ResponseError};
use lsp_types::{
    CancelParams, DidChangeConfigurationParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, ExecuteCommandParams, InitializeParams, NumberOrString,
    notification::{
        Cancel, DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument,
        DidOpenTextDocument, Exit as ExitNotification, Notification as _, PublishDiagnostics,
    },
    request::{ExecuteCommand, Initialize, Request as _, Shutdown},
};
use positions::Encoding;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, TryRecvError},
    },
};
use transport::{Answered, Event, answer, refusal, refuse, result, send};
use workspace::Workspace;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like lsp

Editors start the server by themselves; docs/editor.md says how to tell yours to.")]
pub(super) struct LspCommand {
    /// Has no effect: the server always uses standard input and output. Some clients add the option
    #[arg(long)]
    stdio: bool,
}

impl LspCommand {
    pub(super) fn run(self) -> Option<Exit> {
        interrupt::doing("waiting for the editor");
        match transport::events() {
            Ok((events, sender)) => Some(Server::new(&sender).run(&events)),
            Err(error) => {
                report::error(&format!("the system refuses a thread: {error}"), &[], &[]);
                Some(Exit::Fault)
            }
        }
    }
}

/// The phase of a session.
#[derive(Clone, Copy, PartialEq)]
enum ServerPhase {
    /// Before the request `initialize`.
    Starting,
    Running,
    /// After the request `shutdown`.
    ShutDown,
}

struct Server {
    phase: ServerPhase,
    workspace: Workspace,
    commands: Commands,
    examiner: Examiner,
    /// Answers the requests about texts.
    about_texts: fn(&mut Workspace, &str, Value) -> Answered,
}

/// The parameters of a message.
fn parameters<T: DeserializeOwned>(params: Value) -> Result<T, ResponseError> {
    serde_json::from_value(params).map_err(|error| refusal(ErrorCode::InvalidParams, error.to_string()))
}

impl Server {
    fn new(events: &Sender<Event>) -> Self {
        let examinations = events.clone();
        Server {
            phase: ServerPhase::Starting,
            workspace: Workspace::new(),
            commands: Commands::new(events.clone()),
            examiner: Examiner::new(Arc::new(move |examined| examinations.send(Event::Examined(examined)).is_ok())),
            about_texts: features::answered,
        }
    }

    /// Reacts to events until the session ends.
    fn run(mut self, events: &Receiver<Event>) -> Exit {
        loop {
            let event = match events.try_recv() {
                Ok(event) => Ok(event),
                Err(TryRecvError::Disconnected) => return Exit::Fault,
                Err(TryRecvError::Empty) => {
                    guarded(|| self.publish());
                    events.recv()
                }
            };
            let ends = match event {
                Ok(Event::Message(Message::Request(Request { id, method, params }))) => {
                    if let Some(result) = self.answered(&id, &method, params) {
                        answer(id, result);
                    }
                    None
                }
                Ok(Event::Message(Message::Notification(notification))) => self.notification(notification),
                // The server asks for nothing.
                Ok(Event::Message(Message::Response(_))) => None,
                Ok(Event::Malformed) => {
                    refuse(ErrorCode::ParseError, "this is not a message of JSON-RPC");
                    None
                }
                Ok(Event::Done(id, result)) => {
                    self.commands.finish(&id, result);
                    None
                }
                Ok(Event::Examined(examined)) => {
                    self.examined(examined);
                    None
                }
                Ok(Event::End) | Err(_) => Some(self.exit()),
            };
            if let Some(exit) = ends {
                self.commands.cancel_all();
                self.examiner.cancel_all();
                return exit;
            }
        }
    }

    /// The exit code: the protocol asks for `shutdown` before `exit`.
    fn exit(&self) -> Exit {
        if self.phase == ServerPhase::ShutDown { Exit::Answer } else { Exit::Fault }
    }

    /// The answer to a request; `None` if it comes later, when a command ends.
    fn answered(&mut self, id: &RequestId, method: &str, params: Value) -> Option<Answered> {
        let result = match (self.phase, method) {
            (ServerPhase::Starting, Initialize::METHOD) => self.initialize(params),
            (ServerPhase::Starting, _) => {
                Err(refusal(ErrorCode::ServerNotInitialized, "the first request is `initialize`"))
            }
            (ServerPhase::ShutDown, _) => Err(refusal(ErrorCode::InvalidRequest, "the server is shut down")),
            (ServerPhase::Running, Initialize::METHOD) => {
                Err(refusal(ErrorCode::InvalidRequest, "a session begins only once"))
            }
            (ServerPhase::Running, Shutdown::METHOD) => {
                self.phase = ServerPhase::ShutDown;
                result(())
            }
            (ServerPhase::Running, ExecuteCommand::METHOD) => return self.execute(id, params).err().map(Err),
            (ServerPhase::Running, _) => guarded(|| (self.about_texts)(&mut self.workspace, method, params))
                .unwrap_or_else(|| Err(refusal(ErrorCode::InternalError, "this is a bug in conjure-like"))),
        };
        Some(result)
    }

    fn initialize(&mut self, params: Value) -> Answered {
        let params: InitializeParams = parameters(params)?;
        let offered = params.capabilities.general.and_then(|general| general.position_encodings);
        self.workspace.encoding = Encoding::negotiated(&offered.unwrap_or_default());
        self.configure(params.initialization_options.as_ref());
        self.phase = ServerPhase::Running;
        result(json!({
            "capabilities": features::capabilities(self.workspace.encoding),
            "serverInfo": { "name": "conjure-like", "version": env!("CARGO_PKG_VERSION") },
        }))
    }

    /// Takes the client's settings: `model` names the model of all data, the others are for commands.
    fn configure(&mut self, settings: Option<&Value>) {
        let Some(settings) = settings else { return };
        let settings = settings.get("conjure-like").unwrap_or(settings);
        let model = settings.get("model").and_then(Value::as_str).filter(|model| !model.is_empty());
        self.workspace.model = model.map(str::to_owned);
        self.commands.settings = SearchSettings::deserialize(settings).unwrap_or_default();
        self.examiner.is_wanted = settings.get("examine").and_then(Value::as_bool) != Some(false);
        if !self.examiner.is_wanted {
            self.workspace.drop_proved();
        }
        self.workspace.forget();
    }

    fn execute(&mut self, id: &RequestId, params: Value) -> Result<(), ResponseError> {
        let params: ExecuteCommandParams = parameters(params)?;
        self.commands.start(id, params, &self.workspace)
    }

    /// Reacts to a notification; returns how the program ends if it is the last one.
    fn notification(&mut self, Notification { method, params }: Notification) -> Option<Exit> {
        if method == ExitNotification::METHOD {
            return Some(self.exit());
        }
        if self.phase == ServerPhase::Running {
            // There is nobody to tell that a notification makes no sense.
            let _ = guarded(|| self.noted(&method, params));
        }
        None
    }

    fn noted(&mut self, method: &str, params: Value) -> Result<(), ResponseError> {
        match method {
            DidOpenTextDocument::METHOD => {
                let text = parameters::<DidOpenTextDocumentParams>(params)?.text_document;
                self.workspace.set(text.uri.as_str(), text.version, text.text);
            }
            DidChangeTextDocument::METHOD => {
                let DidChangeTextDocumentParams { text_document, content_changes } = parameters(params)?;
                let uri = text_document.uri.as_str();
                if let Some(text) = self.workspace.text(uri) {
                    let text = workspace::changed(text, content_changes, self.workspace.encoding);
                    self.workspace.set(uri, text_document.version, text);
                }
            }
            DidCloseTextDocument::METHOD => {
                let uri = parameters::<DidCloseTextDocumentParams>(params)?.text_document.uri;
                self.workspace.close(uri.as_str());
                let nothing = json!({ "uri": uri, "diagnostics": [] });
                send(Notification { method: PublishDiagnostics::METHOD.to_owned(), params: nothing });
            }
            DidChangeConfiguration::METHOD => {
                let settings = parameters::<DidChangeConfigurationParams>(params)?.settings;
                self.configure(Some(&settings));
            }
            DidChangeWatchedFiles::METHOD => self.workspace.forget(),
            Cancel::METHOD => {
                let id = match parameters::<CancelParams>(params)?.id {
                    NumberOrString::Number(number) => RequestId::from(number),
                    NumberOrString::String(text) => RequestId::from(text),
                };
                self.commands.cancel(&id);
            }
            _ => {}
        }
        Ok(())
    }

    /// Tells the client what is wrong with the texts that have changed, and has models examined.
    fn publish(&mut self) {
        for (uri, version) in self.workspace.news() {
            if let Some(subject) = self.workspace.subject(&uri) {
                let diagnostics = features::diagnostics(&self.workspace, &uri, &subject);
                let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
                send(Notification { method: PublishDiagnostics::METHOD.to_owned(), params });
            }
        }
        self.examiner.examine(&mut self.workspace);
        self.workspace.drop_retired();
    }

    /// Takes what an examination has found; it is told with what else is wrong.
    fn examined(&mut self, examined: ExaminationResult) {
        if examined.is_current() {
            self.workspace.prove(&examined.uri, examined.warnings);
        }
    }
}

/// Runs something whose panic must not end the server; the hook has reported it then.
fn guarded<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_panic_in_a_request_is_an_error_and_the_next_request_is_answered() {
        let mut server = Server::new(&channel().0);
        server.phase = ServerPhase::Running;
        server.about_texts = |workspace, method, params| match method {
            "panic" => panic!("a request that panics"),
            _ => features::answered(workspace, method, params),
        };
        let place =
            json!({ "textDocument": { "uri": "file:///m.essence" }, "position": { "line": 0, "character": 5 } });
        let opened = json!({ "textDocument": {
            "uri": "file:///m.essence", "languageId": "essence", "version": 1, "text": "find x : int(1..9)"
        } });
        assert_eq!(server.noted(DidOpenTextDocument::METHOD, opened).map_err(|error| error.message), Ok(()));
        let mut ask = |method: &str| server.answered(&RequestId::from(1), method, place.clone()).expect("an answer");
        let error = ask("panic").expect_err("an error");
        assert_eq!(error.code, ErrorCode::InternalError as i32);
        assert_eq!(error.message, "this is a bug in conjure-like");
        let hover = ask("textDocument/hover").map_err(|error| error.message).expect("a hover");
        assert!(hover.contains("find x : int(1..9)"), "{hover}");
    }
}
