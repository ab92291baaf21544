//! Messages from standard input and to standard output.

use super::examiner::ExaminationResult;
use crate::cli::{Exit, interrupt};
use lsp_server::{ErrorCode, Message, RequestId, Response, ResponseError};
use serde::Serialize;
use serde_json::json;
use std::{
    io::{self, Write},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Duration,
};

/// What a request is answered with: the text of its result, in JSON. Large results are written only once.
pub(super) type Answered = Result<String, ResponseError>;

/// A result of a request.
pub(super) fn result(result: impl Serialize) -> Answered {
    serde_json::to_string(&result).map_err(|error| refusal(ErrorCode::InternalError, error.to_string()))
}

pub(super) fn refusal(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

/// The time that the server has to end in order when the client has gone away.
const PATIENCE: Duration = Duration::from_secs(1);

/// Something that the server reacts to.
pub(super) enum Event {
    Message(Message),
    /// The input is not a message.
    Malformed,
    /// The client has gone away.
    End,
    /// A command has its result.
    Done(RequestId, Answered),
    /// A solver has been asked about a model.
    Examined(ExaminationResult),
}

/// The events of a run, and a sender with which other threads add some.
pub(super) fn events() -> io::Result<(Receiver<Event>, Sender<Event>)> {
    let (sender, receiver) = channel();
    let events = sender.clone();
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let event = match Message::read(&mut input) {
                Ok(Some(message)) => Event::Message(message),
                Ok(None) => Event::End,
                // What follows may be a message again.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => Event::Malformed,
                Err(_) => Event::End,
            };
            let ends = matches!(event, Event::End);
            if events.send(event).is_err() || ends {
                break;
            }
        }
        // The server may be at work on something that nobody waits for any more.
        thread::sleep(PATIENCE);
        interrupt::quit(Exit::Fault as i32)
    })?;
    Ok((receiver, sender))
}

/// Sends a message. A client that has gone away is noticed by the end of the input.
pub(super) fn send(message: impl Into<Message>) {
    let mut output = io::stdout().lock();
    let _ = message.into().write(&mut output).and_then(|()| output.flush());
}

/// Answers a request.
pub(super) fn answer(id: RequestId, result: Answered) {
    match result {
        Ok(result) => write(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, json!(id))),
        Err(error) => send(Response { id, response_result: Err(error) }),
    }
}

/// Answers something that is not even a request: without an id.
pub(super) fn refuse(code: ErrorCode, message: &str) {
    write(&json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code as i32, "message": message } }).to_string());
}

/// Writes a message of this text.
fn write(text: &str) {
    let mut output = io::stdout().lock();
    let _ = write!(output, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| output.flush());
}
