//! The engine of the web pages: answers the request on standard input with lines on standard output.
//!
//! It is an ordinary program, so that each request gets a process of its own: in a page, a new instance of the
//! WebAssembly module. The instance that has begun a session is asked again. What can be asked is in the room
//! `protocol` of the library.

use conjure_like::{
    protocol::{Line, Service},
    to_json,
};
use std::{
    cell::RefCell,
    io::{self, Write},
    num::NonZeroUsize,
};

thread_local! {
    static SERVICE: RefCell<Service> = RefCell::default();
}

fn main() {
    conjure_like_system::export_again(answer);
    answer();
}

/// Answers the request on standard input.
fn answer() {
    let request = serde_json::from_reader(io::stdin()).unwrap_or_default();
    SERVICE.with_borrow_mut(|service| {
        // There are no other threads in a page.
        service.threads = Some(NonZeroUsize::MIN);
        service.answer(request, &mut |line| write(&line));
    });
}

/// Writes a line, so that it can be seen at once.
fn write(line: &Line) {
    let line = serde_json::to_value(line).unwrap_or_default();
    let mut output = io::stdout().lock();
    let written = writeln!(output, "{}", to_json(&line)).and_then(|()| output.flush());
    if written.is_err() {
        // Nobody is listening any more.
        std::process::exit(1);
    }
}
