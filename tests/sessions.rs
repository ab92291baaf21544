//! Commands and what they say, kept as text: every folder in `tests/messages` (what is said about bad input) and
//! `tests/commands` (how the commands work) has a file `session.txt` with commands, each followed by its exit
//! code and by what it wrote. The commands run in a copy of the folder. `docs/tutorial.md` is a session, too: see [`document`].
//!
//! `UPDATE=1 cargo test --test sessions` writes what the commands say now into the files; review it as prose.

use std::{
    env, fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
    thread,
};

const PROMPT: &str = "$ conjure-like";

/// A copy of a case's folder that is gone at the end of the test.
struct Workplace(PathBuf);

impl Workplace {
    fn new(case: &Path) -> Self {
        let place = Workplace::empty(&case.display().to_string().replace('/', "-"));
        copy(case, &place.0);
        place.generate(case);
        place
    }

    fn empty(name: &str) -> Self {
        let place = Workplace(env::temp_dir().join(format!("conjure-like-{}-{name}", std::process::id())));
        fs::create_dir_all(&place.0).expect("a folder");
        place
    }

    /// Files too large or too odd to keep.
    fn generate(&self, case: &Path) {
        let write = |name: &str, text: &[u8]| fs::write(self.0.join(name), text).expect("a file in the copy");
        match case.file_name().and_then(|name| name.to_str()) {
            Some("deep-nesting") => {
                let nested = format!("such that {}true{}\n", "(".repeat(10_000), ")".repeat(10_000));
                write("model.essence", nested.as_bytes());
            }
            Some("binary-file") => write("model.essence", b"\x7fELF\x02\x01\x01\0\xff\xfe"),
            Some("empty-file") => write("model.essence", b""),
            _ => {}
        }
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder for the copy");
    for entry in fs::read_dir(from).expect("a case's folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else if !path.ends_with("session.txt") {
            fs::copy(&path, target).expect("a copied file");
        }
    }
}

/// A command line in a folder; a word may stand in single quotes, and `< FILE` is standard input.
fn command(line: &str, folder: &Path) -> Command {
    let (words, input) = match line.split_once(" < ") {
        Some((command, file)) => {
            let file = fs::File::open(folder.join(file.trim())).expect("the file for standard input");
            (command, Stdio::from(file))
        }
        None => (line, Stdio::null()),
    };
    let words = words.strip_prefix(PROMPT).expect("a command");
    let arguments = words.split('\'').enumerate().flat_map(|(part, text)| match part % 2 {
        0 => text.split_whitespace().collect::<Vec<_>>(),
        _ => vec![text],
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
    command.args(arguments).current_dir(folder).stdin(input).env_remove("NO_COLOR").env_remove("COLUMNS");
    command
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

/// What a command writes to a terminal, without empty lines at the end.
fn on_terminal(line: &str, folder: &Path) -> String {
    let (mut output, input) = io::pipe().expect("a pipe");
    let mut command = command(line, folder);
    command.stdout(input.try_clone().expect("the same pipe")).stderr(input);
    let mut running = command.spawn().expect("the program");
    // Its ends of the pipe, or the output would never end.
    drop(command);
    let mut text = String::new();
    output.read_to_string(&mut text).expect("text");
    let code = running.wait().expect("an end").code();
    let failed = text.starts_with("error");
    assert_eq!(code, Some(if failed { 2 } else { 0 }), "{line}\n{text}");
    format!("{}\n", text.trim_end())
}

/// A text in which all times are nought.
fn untimed(text: &str) -> String {
    let word = |word: &str| match word.split_once('.') {
        Some((seconds, rest)) if rest.len() == 3 && format!("{seconds}{rest}").parse::<u32>().is_ok() => "0.000".into(),
        _ => word.to_owned(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// What is wrong with a document in Markdown: a block that opens with `essence` and a name makes the file, the commands in a block that
/// opens with `console` print what stands below them, and pictures in the folder `tutorial` are what has been written under their names.
fn document(path: &Path) -> Option<String> {
    let expected = fs::read_to_string(path).expect("the document");
    let place = Workplace::empty("document");
    let mut parts: Vec<String> = expected.split("```").map(str::to_owned).collect();
    let mut count = 0;
    for block in parts.iter_mut().skip(1).step_by(2) {
        let (opening, text) = block.split_once('\n').expect("the end of a line");
        if let Some(name) = opening.strip_prefix("essence ") {
            fs::write(place.0.join(name), text).expect("a file in the folder");
        } else if opening == "console" {
            let commands: Vec<&str> = text.lines().filter(|line| line.starts_with(PROMPT)).collect();
            count += commands.len();
            let outputs = commands.into_iter().map(|line| match on_terminal(line, &place.0).as_str() {
                "\n" => format!("{line}\n"),
                text => format!("{line}\n{text}"),
            });
            let found = format!("console\n{}", outputs.collect::<String>());
            if untimed(&found) != untimed(block) {
                *block = found;
            }
        }
    }
    assert!(count > 0, "{}: no command", path.display());
    let folder = path.parent().expect("a folder");
    let pictures = expected.split("](tutorial/").skip(1).filter_map(|rest| rest.split_once(')'));
    let wrong = pictures.filter_map(|(name, _)| {
        let found = fs::read_to_string(place.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let kept = folder.join("tutorial").join(name);
        compared(&kept, &fs::read_to_string(&kept).unwrap_or_default(), &found)
    });
    let wrong: Vec<String> = wrong.chain(compared(path, &expected, &parts.join("```"))).collect();
    (!wrong.is_empty()).then(|| wrong.join("\n"))
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

#[test]
fn the_tutorial_shows_what_the_program_does() {
    none(document(Path::new("docs/tutorial.md")).as_slice());
}
