//! Commands and what they say, kept as text: every folder in `tests/messages` (what is said about bad input) and
//! `tests/commands` (how the commands work) has a file `session.txt` with commands, each followed by its exit
//! code and by what it wrote. The commands run in a copy of the folder.

use crate::{
    Verdict, compare, entries, name, read, slashed,
    workplace::{PROMPT, Workplace, command},
};
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};

pub(crate) fn tests() -> Vec<Trial> {
    let cases = ["tests/messages", "tests/commands"].into_iter().flat_map(entries);
    cases.map(|case| Trial::test(name(&case), move || check(&case))).collect()
}

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
        text += &names(folder, folder).iter().map(|name| format!("{name}\n")).collect::<String>();
    }
    text
}

/// The files below a folder, as seen from `top`.
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

fn check(case: &Path) -> Verdict {
    let path: PathBuf = case.join("session.txt");
    let expected = read(&path);
    let place = Workplace::new(case);
    let introduction = expected.lines().take_while(|line| !line.starts_with(PROMPT));
    let mut found: String = introduction.map(|line| format!("{line}\n")).collect();
    let commands: Vec<&str> = expected.lines().filter(|line| line.starts_with(PROMPT)).collect();
    assert!(!commands.is_empty(), "{}: no command", path.display());
    let outputs: Vec<String> = commands.into_iter().map(|line| run(line, place.folder())).collect();
    found += &outputs.join("\n");
    compare(&path, &expected, &found)
}
