//! Reads messages from standard input and writes them to standard output.

use crate::runtime::{Exit, interrupt};
use conjure_like::language_server::Event;
use std::{
    io::{self, BufRead, Read, Write},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Duration,
};

/// The time limit for an orderly end after the client has gone. Chosen.
const PATIENCE: Duration = Duration::from_secs(1);

/// An input of the server's host.
pub(super) enum Input {
    Event(Event),
    /// The client has gone.
    End,
}

/// The inputs, and a sender for other threads.
pub(super) fn inputs() -> io::Result<(Receiver<Input>, Sender<Input>)> {
    let (sender, receiver) = channel();
    let inputs = sender.clone();
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(message)) = read_message(&mut input) {
            // The server reports a message that is not JSON, which is null here. The next message may be valid.
            let message = serde_json::from_slice(&message).unwrap_or_default();
            if inputs.send(Input::Event(Event::Message(message))).is_err() {
                break;
            }
        }
        let _ = inputs.send(Input::End);
        // The server may be busy with an answer for a reader that is gone.
        thread::sleep(PATIENCE);
        interrupt::quit(Exit::Fault as i32)
    })?;
    Ok((receiver, sender))
}

/// Reads a message with its headers; `None` at the end of the input. A message without a length is empty.
fn read_message(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = 0;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        // The headers end with an empty line.
        let Some((name, value)) = line.trim().split_once(':') else { break };
        // The names of headers are case-insensitive.
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or_default();
        }
    }
    let mut message = Vec::new();
    // Reading stops at the announced length, because the next message follows.
    input.take(length).read_to_end(&mut message)?;
    Ok(Some(message))
}

/// Sends a message. Errors are ignored: if the client has gone, the input ends, too.
pub(super) fn send(text: &str) {
    // Several threads send answers, so the lock is held for the whole message.
    let mut output = io::stdout().lock();
    let _ = write!(output, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| output.flush());
}
