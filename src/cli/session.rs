//! One run of a command: the files it has read, the diagnostics so far, the way to report them.

use super::{Exit, report};
use conjure_like::{
    diagnostic::{Code, Diagnostic, Diagnostics, Severity, nearest},
    source::{SourceId, Sources},
};
use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

/// What some editors put before a UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

pub struct Session {
    pub sources: Sources,
    pub diagnostics: Diagnostics,
    pub reporting: report::Options,
}

impl Session {
    pub fn new(reporting: report::Options) -> Self {
        Session { sources: Sources::default(), diagnostics: Vec::new(), reporting }
    }

    /// Runs a command and reports what was wrong; `None` from it stands for errors among the diagnostics.
    pub fn run(mut self, command: impl FnOnce(&mut Session) -> Option<Exit>) -> Exit {
        let exit = command(&mut self).unwrap_or_else(|| self.failure());
        self.report();
        exit
    }

    /// The exit code for the errors so far.
    pub fn failure(&self) -> Exit {
        let fault = self.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::WRONG_SOLUTION);
        if fault { Exit::Fault } else { Exit::UserError }
    }

    /// Prints the diagnostics so far and forgets them.
    pub fn report(&mut self) {
        self.reporting.diagnostics(&self.diagnostics, &self.sources);
        self.diagnostics.clear();
    }

    /// Reads a text file, or standard input for `-`.
    pub fn read(&mut self, path: &Path) -> Option<SourceId> {
        let standard_input = path == Path::new("-");
        let name = if standard_input { "standard input".to_owned() } else { path.display().to_string() };
        let bytes = if standard_input {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        let text = bytes.map_err(|error| unreadable(path, &name, &error)).and_then(|bytes| utf8(&name, bytes));
        match text {
            Ok(text) => Some(self.sources.add(name, text)),
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// Writes a result to standard output. A reader that has gone away (`| head`) is no error.
    pub fn print(&mut self, text: &str) -> Option<Exit> {
        let mut output = io::stdout().lock();
        match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.fail(Diagnostic::error(Code::FILE_UNWRITABLE, format!("cannot write to standard output: {error}")))
            }
            _ => Some(Exit::Answer),
        }
    }

    /// The text of a file that has been read.
    pub fn text(&self, source: SourceId) -> std::rc::Rc<str> {
        self.sources.get(source).text.clone()
    }

    /// Keeps a diagnostic; `None`, so that a command can end with it.
    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        debug_assert!(diagnostic.severity == Severity::Error);
        self.diagnostics.push(diagnostic);
        None
    }
}

fn unreadable(path: &Path, name: &str, error: &io::Error) -> Diagnostic {
    let report = |why: &str| Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{name}`: {why}"));
    match error.kind() {
        io::ErrorKind::NotFound => {
            let report = report("there is no such file");
            match neighbour(path) {
                Some(name) => report.help(format!("there is `{name}` in the same folder")),
                None => report,
            }
        }
        io::ErrorKind::IsADirectory => report("it is a folder").help("name a file in it"),
        io::ErrorKind::PermissionDenied => report("permission denied"),
        _ => report(&error.to_string()),
    }
}

/// A file beside the missing one with nearly its name.
fn neighbour(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> =
        fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    nearest(wanted, names.iter().map(String::as_str)).map(str::to_owned)
}

fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    let without_mark = bytes.strip_prefix(BYTE_ORDER_MARK).map(<[u8]>::to_vec);
    String::from_utf8(without_mark.unwrap_or(bytes)).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        Diagnostic::error(Code::FILE_NOT_TEXT, format!("`{name}` is not a text file"))
            .note(format!(
                "on line {line}, byte {} of the file, 0x{:02x}, is not part of UTF-8 text",
                at + 1,
                bytes[at]
            ))
            .help("name an Essence file; if it is one, save it in the encoding UTF-8")
    })
}
