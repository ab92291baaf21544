//! Commands and their output as text. A session in `tests/messages` (messages about bad input) or `tests/commands`
//! (behaviour of commands) starts with commands, each followed by its exit code and its output. The files that they
//! read follow as texts of a suite. Files that are not text, or do not end with a line break, are in a folder of the
//! session's name beside it. The commands run in a folder with all of these files.

use crate::{
    Verdict, compare, entries, name, slashed,
    suite::Suite,
    workplace::{PROMPT, Workplace, command},
};
use libtest_mimic::Trial;
use std::{mem, path::Path};

pub(crate) fn tests() -> Vec<Trial> {
    let sessions = ["tests/messages", "tests/commands"].into_iter().flat_map(entries).filter(|path| path.is_file());
    sessions.map(|path| Trial::test(name(&path.with_extension("")), move || check(&path))).collect()
}

/// Runs one command line in a folder; with `; ls` at its end, also lists the folder afterwards.
fn run(line: &str, folder: &Path) -> String {
    let (words, list) = match line.strip_suffix("; ls") {
        Some(words) => (words, true),
        None => (line, false),
    };
    let output = command(words, folder).output().expect("the program");
    let code = output.status.code().map_or("killed".to_owned(), |code| code.to_string());
    let mut text = format!("{line}\n[exit code {code}]\n");
    for (name, bytes) in [("standard error", output.stderr), ("standard output", output.stdout)] {
        let written = String::from_utf8(bytes).expect("text");
        if !written.is_empty() {
            text += &format!("[{name}]\n{written}{}", if written.ends_with('\n') { "" } else { "[no line break]\n" });
        }
    }
    if list {
        text += "[files]\n";
        text += &names(folder, folder).iter().map(|name| format!("{name}\n")).collect::<String>();
    }
    text
}

/// The files below a folder, relative to `top`.
fn names(folder: &Path, top: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for path in entries(folder) {
        match path.is_dir() {
            true => found.extend(names(&path, top)),
            false => found.push(slashed(path.strip_prefix(top).expect("inside"))),
        }
    }
    found.sort();
    found
}

fn check(path: &Path) -> Verdict {
    let mut suite = Suite::read(path);
    let before = suite.to_string();
    let place = Workplace::new(&path.with_extension(""), &suite);
    let expected = mem::take(&mut suite.head);
    // The comments before the first command are kept.
    let introduction = expected.lines().take_while(|line| !line.starts_with(PROMPT));
    let found: String = introduction.map(|line| format!("{line}\n")).collect();
    let commands: Vec<&str> = expected.lines().filter(|line| line.starts_with(PROMPT)).collect();
    assert!(!commands.is_empty(), "{}: no command", path.display());
    let outputs: Vec<String> = commands.into_iter().map(|line| run(line, place.folder())).collect();
    suite.head = found + &outputs.join("\n");
    compare(path, &before, &suite.to_string())
}
