//! Commands and what they say, kept as text: every folder in `tests/messages` (what is said about bad input) and
//! `tests/commands` (how the commands work) has a file `session.txt` with commands, each followed by its exit
//! code and by what it wrote. The commands run in a copy of the folder. The pages in `docs` are sessions, too: see
//! [`documents`].
//!
//! `UPDATE=1 cargo test --release --test sessions` writes what the commands say now into the files; review it as prose.

mod documents;
mod workplace;

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};
use workplace::{PROMPT, Workplace, command};

/// Runs one command line in a folder; `; ls` at the end lists the folder after it.
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
        text += &files(folder, folder).iter().map(|name| format!("{name}\n")).collect::<String>();
    }
    text
}

fn files(folder: &Path, top: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            names.extend(files(&path, top));
        } else {
            names.push(path.strip_prefix(top).expect("inside").display().to_string());
        }
    }
    names.sort();
    names
}

/// What is wrong with a case, if something is.
fn check(case: &Path) -> Option<String> {
    let path = case.join("session.txt");
    let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let place = Workplace::new(case);
    let introduction = expected.lines().take_while(|line| !line.starts_with(PROMPT));
    let mut found: String = introduction.map(|line| format!("{line}\n")).collect();
    let commands: Vec<&str> = expected.lines().filter(|line| line.starts_with(PROMPT)).collect();
    assert!(!commands.is_empty(), "{}: no command", path.display());
    let outputs: Vec<String> = commands.into_iter().map(|line| run(line, &place.0)).collect();
    found += &outputs.join("\n");
    compared(&path, &expected, &found)
}

/// What is wrong with what was found, unless it may be written into the file.
fn compared(path: &Path, expected: &str, found: &str) -> Option<String> {
    if found == expected {
        return None;
    }
    if env::var_os("UPDATE").is_some() {
        fs::write(path, found).expect("the updated session");
        return None;
    }
    Some(format!("=== {} ===\n--- expected ---\n{expected}--- found ---\n{found}", path.display()))
}

/// All cases of a folder, two at a time.
fn check_all(folder: &str) {
    let mut cases: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder of cases").map(|entry| entry.expect("an entry").path()).collect();
    cases.sort();
    let cases = Mutex::new(cases);
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = { cases.lock().expect("no panic").pop() } {
                    if let Some(trouble) = check(&case) {
                        wrong.lock().expect("no panic").push(trouble);
                    }
                }
            });
        }
    });
    none(&wrong.into_inner().expect("no panic"));
}

fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}\n`UPDATE=1 cargo test --test sessions` accepts these", wrong.join("\n"));
}

#[test]
fn bad_input_is_answered_helpfully() {
    check_all("tests/messages");
}

#[test]
fn commands_do_what_their_help_says() {
    check_all("tests/commands");
}
