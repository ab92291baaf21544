//! Messages from standard input and to standard output.

use lsp_server::{Message, RequestId, Response, ResponseError};
use serde_json::{Value, json};
use std::{
    io::{self, Write},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

/// Something that the server reacts to.
pub(super) enum Event {
    Message(Message),
    /// The input is not a message.
    Malformed,
    /// The client has gone away.
    End,
    /// A command has its result.
    Done(RequestId, Result<Value, ResponseError>),
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
                return;
            }
        }
    })?;
    Ok((receiver, sender))
}

/// Sends a message. A client that has gone away is noticed by the end of the input.
pub(super) fn send(message: impl Into<Message>) {
    let mut output = io::stdout().lock();
    let _ = message.into().write(&mut output).and_then(|()| output.flush());
}

/// Answers a request.
pub(super) fn answer(id: RequestId, result: Result<Value, ResponseError>) {
    send(Response { id, response_result: result });
}

/// Answers something that is not even a request: without an id.
pub(super) fn refuse(code: i32, message: &str) {
    let text = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } }).to_string();
    let mut output = io::stdout().lock();
    let _ = write!(output, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| output.flush());
}
