//! What a user sees of a panic.

use super::{Exit, files, report, system};
use std::panic;

/// Replaces Rust's report of a panic by one that says what to do.
pub fn install_hook() {
    panic::set_hook(Box::new(|panic| {
        if panic.location().is_some_and(|place| is_for_want_of_memory(place.file())) {
            let help = "make the domains smaller, or use --solver=cadical, which takes less memory than z3";
            report::error("there is not enough memory", &[help.to_owned()], &[]);
            files::remove_temporaries();
            system::quit(Exit::Limit as i32);
        }
        let what = panic.payload_as_str().unwrap_or("(no message)");
        let place = panic.location().map_or(String::new(), |place| format!(" ({place})"));
        report::error(
            &format!("this is a bug in conjure-like: {what}{place}"),
            &["please report it with the command line, the model and parameter files, and these lines".to_owned()],
            &[format!("conjure-like {}", *super::VERSION)],
        );
    }));
}

/// Whether a source file is part of Z3's bindings, which panic where Z3 cannot make a term, or of what makes stacks.
fn is_for_want_of_memory(file: &str) -> bool {
    let is_release = |folder: &str, name: &str| {
        folder.strip_prefix(name).is_some_and(|version| version.starts_with(|first: char| first.is_ascii_digit()))
    };
    file.split(['/', '\\']).any(|folder| is_release(folder, "z3-") || is_release(folder, "stacker-"))
}
