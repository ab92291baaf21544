//! The folder in which the commands of a case run, and command lines as processes.

use crate::suite::Suite;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};
#[cfg(not(unix))]
use std::{path::PathBuf, sync::LazyLock};
use tempfile::TempDir;

/// The prefix of a command line in a session, for the program's names `conjure-like` and `conjure`.
pub(crate) const PROMPT: &str = "$ conjure";

/// A folder that is removed at the end of the test.
pub(crate) struct Workplace(TempDir);

impl Workplace {
    pub(crate) fn empty() -> Self {
        Workplace(TempDir::new().expect("a folder"))
    }

    /// The files of a session: its texts, and those in the folder of its name, if there is one.
    pub(crate) fn new(case: &Path, suite: &Suite) -> Self {
        let place = Workplace::empty();
        if case.is_dir() {
            copy(case, place.folder());
        }
        for section in &suite.sections {
            let path = place.folder().join(&section.name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder in the copy");
            fs::write(path, &section.text).expect("a file in the copy");
        }
        place.generate(case);
        place
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Files that are too large or too odd for the repository.
    fn generate(&self, case: &Path) {
        let write = |name: &str, text: &[u8]| fs::write(self.folder().join(name), text).expect("a file in the copy");
        match case.file_name().and_then(|name| name.to_str()) {
            Some("deep-nesting") => {
                let nested = format!("such that {}true{}\n", "(".repeat(10_000), ")".repeat(10_000));
                write("model.essence", nested.as_bytes());
            }
            Some("binary-file") => {
                write("model.essence", b"\x7fELF\x02\x01\x01\0\xff\xfe");
                let utf16 = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
                    "find x : int(1..3)\n".encode_utf16().flat_map(to_bytes).collect()
                };
                write("utf-16.essence", &utf16(u16::to_le_bytes));
                write("with-mark.essence", &[&[0xfe, 0xff], &*utf16(u16::to_be_bytes)].concat());
            }
            Some("empty-file") => write("model.essence", b""),
            Some("terminal-escapes") => {
                write(
                    "excerpt.essence",
                    "find x : int(1..3) such that x = y $ \u{1b}[2J\u{202e}\u{9b}\0\u{200b}\r\n".as_bytes(),
                );
                write("name.essence", "letting E be new type enum {\"a\u{1b}[31m\"}\nfind x : E\n".as_bytes());
                write("direction.essence", "letting E be new type enum {a, \"\u{202e}b\"}\nfind x : E\n".as_bytes());
                write("line.essence", b"letting E be new type enum {\"a\nb\"}\nfind x : E\n");
                write("open.essence", b"letting E be new type enum {\"a}\nfind x : E\nfind y : F\n");
                write("parameters.essence", b"given E new type enum\nfind x : E\n");
                write("parameters.json", br#"{"E": ["a\u001b[2J", "b\nc", "d\u202ee"]}"#);
            }
            Some("file-names") => write("a\u{1b}[31mb.param", b"letting n be 4\n"),
            _ => {}
        }
    }
}

/// Copies a folder with its contents.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder for the copy");
    for entry in fs::read_dir(from).expect("a case's folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, target).expect("a copied file");
        }
    }
}

/// A command line in a folder. A word may be in single quotes, and `< FILE` is standard input.
pub(crate) fn command(line: &str, folder: &Path) -> Command {
    let (words, input) = match line.split_once(" < ") {
        Some((command, file)) => {
            let file = fs::File::open(folder.join(file.trim())).expect("the file for standard input");
            (command, Stdio::from(file))
        }
        None => (line, Stdio::null()),
    };
    let words = words.strip_prefix("$ ").expect("a command");
    let (name, words) = words.split_once(' ').unwrap_or((words, ""));
    let arguments = words.split('\'').enumerate().flat_map(|(part, text)| match part % 2 {
        0 => text.split_whitespace().collect::<Vec<_>>(),
        _ => vec![text],
    });
    let mut command = program(name);
    // The environment of the test must not change the output.
    command.args(arguments).current_dir(folder).stdin(input).env_remove("NO_COLOR").env_remove("COLUMNS");
    command
}

/// The program under a given name.
#[cfg(unix)]
fn program(name: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
    std::os::unix::process::CommandExt::arg0(&mut command, name);
    command
}

/// The program's name is its file's name on Windows.
#[cfg(not(unix))]
fn program(name: &str) -> Command {
    static CONJURE: LazyLock<PathBuf> = LazyLock::new(|| {
        let ours = Path::new(env!("CARGO_BIN_EXE_conjure-like"));
        let conjure = ours.with_file_name("conjure.exe");
        // The file may exist from an earlier build, or be in use.
        let _ = fs::remove_file(&conjure);
        let linked = fs::hard_link(ours, &conjure);
        assert!(linked.is_ok() || conjure.exists(), "a second name for the program: {linked:?}");
        conjure
    });
    Command::new(if name == "conjure" { &**CONJURE } else { Path::new(env!("CARGO_BIN_EXE_conjure-like")) })
}
