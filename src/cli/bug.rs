//! What a user sees of a panic.

use std::panic;

/// Replaces Rust's report of a panic by one that says what to do.
pub fn install_hook() {
    panic::set_hook(Box::new(|panic| {
        let what = panic.payload_as_str().unwrap_or("(no message)");
        let place = panic.location().map_or(String::new(), |place| format!(" ({place})"));
        eprintln!("error: this is a bug in conjure-like: {what}{place}");
        eprintln!("    help: please report it with the command line, the model and parameter files, and these lines");
        eprintln!("    note: conjure-like {}", *super::VERSION);
    }));
}
