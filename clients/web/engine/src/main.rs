//! The engine of the web pages: answers the request on standard input with lines on standard output.
//!
//! It is an ordinary program. Each request gets a fresh process, which is a new instance of the WebAssembly module in a
//! page; an instance with a session or a language server is called again. The requests are documented in the rooms
//! `protocol` and `language_server` of the library.

use conjure_like::{
    language_server::{Event, LanguageServer},
    protocol::Service,
    to_json,
};
use serde_json::{Value, json};
use std::{
    cell::RefCell,
    io::{self, Write},
    num::NonZeroUsize,
};

thread_local! {
    static SERVICE: RefCell<Service> = RefCell::default();
    static SERVER: RefCell<LanguageServer> = RefCell::default();
}

fn main() {
    conjure_like_system::export_again(answer);
    answer();
}

/// Answers the request on standard input. A request with the member `event` is for the language server: the lines are
/// its reactions, followed by an empty result.
fn answer() {
    let mut request: Value = serde_json::from_reader(io::stdin()).unwrap_or_default();
    match request.get_mut("event").map(Value::take) {
        Some(event) => SERVER.with_borrow_mut(|server| {
            // An invalid event gets the same response as an invalid message.
            let event = serde_json::from_value(event).unwrap_or(Event::Message(Value::Null));
            server.react(event).iter().for_each(|reaction| write(&json!(reaction)));
            write(&json!({ "type": "result" }));
        }),
        None => SERVICE.with_borrow_mut(|service| {
            // A page has no other threads.
            service.threads = Some(NonZeroUsize::MIN);
            service.answer(request, &mut |line| write(&json!(line)));
        }),
    }
}

/// Writes a line and flushes it, so that the page sees it at once.
fn write(line: &Value) {
    let mut output = io::stdout().lock();
    let written = writeln!(output, "{}", to_json(line)).and_then(|()| output.flush());
    if written.is_err() {
        // The reader of the output is gone.
        std::process::exit(1);
    }
}
