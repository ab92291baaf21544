//! Reports panics to users.

use crate::runtime::{Exit, interrupt, report};
use std::panic;

/// Replaces Rust's report of a panic with our own, which has instructions.
pub(crate) fn install_hook() {
    panic::set_hook(Box::new(|panic| {
        if conjure_like::lacks_memory() {
            let help = "make the domains smaller, or use --solver=cadical, which takes less memory than z3";
            report::report_error("there is not enough memory", &[help.to_owned()], &[]);
            interrupt::quit(Exit::Limit as i32);
        }
        let what = panic.payload_as_str().unwrap_or("(no message)");
        let place = panic.location().map_or(String::new(), |place| format!(" ({place})"));
        report::report_error(
            &format!("this is a bug in conjure-like: {what}{place}"),
            &["please report it with the command line, the model and parameter files, and these lines".to_owned()],
            &[format!("conjure-like {}", *crate::runtime::VERSION)],
        );
    }));
}
