//! A run of a command: its input files, its diagnostics, and the way to report them.

use super::{named_table::TableArgument, roles::Files, sheets};
use crate::runtime::{
    Exit, files,
    report::{self, MOST},
    stdin, stdout,
};
use conjure_like::{
    Code, Diagnostic, Report, Severity, Text, nearest,
    protocol::{Line, Reply, TextResult},
};
use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Read},
    mem,
    path::{Path, PathBuf},
};

/// The mark that some editors write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

pub(crate) struct Invocation {
    /// The diagnostics about the files so far.
    pub report: Report,
    pub reporting: report::ReportOptions,
    /// The files on the command line, until they have been checked for a wrong order.
    files: Option<Files>,
    /// The text result so far, if the command answers in lines of JSON.
    text: String,
    /// The messages about earlier instances in the current file.
    pub instances: Option<InstanceMessages>,
}

/// The messages about the instances in one file; each message is shown once.
#[derive(Default)]
pub(crate) struct InstanceMessages {
    /// The current instance.
    name: String,
    earlier: HashSet<MessageKey>,
    own: HashSet<MessageKey>,
    shown: usize,
    /// The instances with omitted messages, and true if one of these messages was an error.
    left_out: Vec<String>,
    are_errors: bool,
}

/// The code, the message and the help of a diagnostic.
type MessageKey = (Code, String, Vec<String>);

impl InstanceMessages {
    /// Starts the next instance.
    pub(crate) fn start(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        self.earlier.extend(self.own.drain());
    }

    /// Removes the messages shown for earlier instances, and those above the limit.
    fn leave_out(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain(|diagnostic| {
            let key = (diagnostic.code, diagnostic.message.clone(), diagnostic.help.clone());
            // A message is left out only if an earlier instance had it; an instance may repeat its own.
            let is_shown = !self.earlier.contains(&key) && self.shown < MOST;
            self.own.insert(key);
            if is_shown {
                self.shown += 1;
            } else {
                self.are_errors |= diagnostic.severity == Severity::Error;
                if self.left_out.last() != Some(&self.name) {
                    self.left_out.push(self.name.clone());
                }
            }
            is_shown
        });
    }
}

impl Invocation {
    pub(crate) fn new(reporting: report::ReportOptions, files: Option<Files>) -> Self {
        Invocation { report: Report::default(), reporting, files, text: String::new(), instances: None }
    }

    /// Runs a command and reports its errors; the command returns `None` if there are errors among the diagnostics.
    pub(crate) fn run(mut self, command: impl FnOnce(&mut Invocation) -> Option<Exit>) -> Exit {
        let files = self.files.as_ref();
        let wrong = files.and_then(|files| files.twice().or_else(|| files.lone_table(|path| read(path).ok())));
        let exit = match wrong {
            Some(wrong) => self.fail(wrong),
            None => command(&mut self),
        };
        let exit = exit.unwrap_or_else(|| self.failure());
        if !self.text.is_empty() {
            let text = mem::take(&mut self.text);
            // If this fails, there is no reader to report it to.
            let _ = stdout::write_line(&Line::Result(Reply::Text(TextResult { text })));
        }
        self.report();
        exit
    }

    /// The exit code for the errors so far.
    pub(crate) fn failure(&self) -> Exit {
        let is_fault = |code| [Code::WRONG_SOLUTION, Code::FALSE_CLAIM].contains(&code);
        let fault = self.report.diagnostics.iter().any(|diagnostic| is_fault(diagnostic.code));
        if fault { Exit::Fault } else { Exit::UserError }
    }

    /// Prints and clears the diagnostics. If the files are in the wrong order, only that is reported.
    pub(crate) fn report(&mut self) {
        // If the files are in the wrong order, these errors would be misleading.
        if self.report.has_errors()
            && self.failure() == Exit::UserError
            && let Some(error) = self.files.take().and_then(|files| files.wrong_order(|path| read(path).ok()))
        {
            self.report.diagnostics = vec![error];
        }
        if let Some(messages) = self.instances.as_mut().filter(|_| self.reporting.is_for_people()) {
            messages.leave_out(&mut self.report.diagnostics);
        }
        self.reporting.diagnostics(&self.report);
        self.report.diagnostics.clear();
    }

    /// Reports the omission of messages about instances of a file.
    pub(crate) fn end_of_instances(&mut self) {
        const LISTED: usize = 3;
        let Some(InstanceMessages { left_out, are_errors, .. }) = self.instances.take() else { return };
        if left_out.is_empty() {
            return;
        }
        let listed: Vec<String> = left_out.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
        let more = if left_out.len() > LISTED { ", …" } else { "" };
        let count = conjure_like::counted(left_out.len(), "more instance");
        let text = format!("Messages about {count} like those above were left out: {}{more}", listed.join(", "));
        if are_errors { report::say(&text) } else { self.reporting.status(&text) }
    }

    /// Reads the earlier plan that an option names. The last of several files counts, but two tables are refused,
    /// because each is about one variable.
    pub(crate) fn read_plan(&mut self, option: &str, files: &[PathBuf]) -> Option<Option<Text>> {
        let is_table = |path: &&PathBuf| TableArgument::read(path, Path::new("")).is_some();
        if files.iter().filter(is_table).count() > 1 {
            let error = Diagnostic::error(Code::COMMAND_LINE, format!("{option} takes one plan"));
            let help = "name a workbook with a sheet for each variable, or a file in JSON or Essence";
            return self.fail(error.help(help));
        }
        files.last().map_or(Some(None), |path| self.read(path).map(Some))
    }

    /// Reads a text file, or standard input for `-`.
    pub(crate) fn read(&mut self, path: &Path) -> Option<Text> {
        match read(path) {
            Ok(text) => Some(text),
            Err(diagnostic) => {
                self.report.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// The result of a phase; keeps its errors for the report.
    pub(crate) fn accept<T>(&mut self, made: Result<T, impl Into<Report>>) -> Option<T> {
        made.map_err(|wrong| self.keep(wrong.into())).ok()
    }

    /// Keeps a report about texts. Earlier messages about other texts are printed first, because spans belong to one
    /// set of texts.
    pub(crate) fn keep(&mut self, report: Report) {
        // Earlier messages refer to the old texts, so an empty report must not replace them.
        if report.diagnostics.is_empty() {
            return;
        }
        if !self.report.diagnostics.is_empty() && !report.sources.starts_with(&self.report.sources) {
            self.report();
        }
        self.report.sources = report.sources;
        self.report.diagnostics.extend(report.diagnostics);
    }

    /// Writes a result to standard output. A reader that has closed the pipe (`| head`) is not an error.
    pub(crate) fn print(&mut self, text: &str) -> Option<Exit> {
        // In the mode with lines, the text is one result, which is printed at the end.
        if self.reporting.lines {
            self.text += text;
            return Some(Exit::Answer);
        }
        self.written(stdout::write(text))
    }

    /// The exit code after a result was written.
    pub(crate) fn written(&mut self, written: Result<(), stdout::Failure>) -> Option<Exit> {
        match written {
            Ok(()) | Err(stdout::Failure::NoReader) => Some(Exit::Answer),
            Err(stdout::Failure::Refused(refused)) => self.fail(refused),
        }
    }

    /// Keeps an error; returns `None`, so that a command can end with it.
    pub(crate) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        debug_assert!(diagnostic.severity == Severity::Error);
        self.report.diagnostics.push(diagnostic);
        None
    }
}

/// The text of a file that the user has not named, if it is a regular file that can be read. Reading a pipe could
/// block.
pub(crate) fn text_if_readable(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let name = path.display().to_string();
    read_file_bytes(path, &name).and_then(|bytes| utf8(&name, bytes)).ok()
}

/// Reads an input: a file, standard input for `-`, or a table such as `cost=costs.csv`.
pub(crate) fn read(path: &Path) -> Result<Text, Diagnostic> {
    if let Some(table) = TableArgument::read(path, Path::new("")) {
        let is_input = table.file == Path::new("-");
        let name = if is_input { "standard input".to_owned() } else { table.file.display().to_string() };
        return self::read_table(&table, &name);
    }
    if let Some((file, number)) = instance_in(path) {
        let text = read(&file)?;
        let name = path.display().to_string();
        let count = text.instances().len();
        let found = number.checked_sub(1).and_then(|at| text.instances().nth(at));
        return found.map(|text| text.named(&*name)).ok_or_else(|| {
            cannot_read(&name, &format!("the file holds {}", conjure_like::counted(count, "instance")))
                .help(format!("the last one is `{}#{count}`", file.display()))
        });
    }
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = read_bytes(path, &name)?;
    match sheets::all_sheets(path, &name, &bytes) {
        Some(sheets) => Ok(Text::workbook(name, sheets?)),
        None => Ok(Text::new(&*name, utf8(&name, bytes)?)),
    }
}

/// Reads a table, with a name for messages.
pub(crate) fn read_table(table: &TableArgument, name: &str) -> Result<Text, Diagnostic> {
    let bytes = read_bytes(&table.file, name)?;
    let (name, text) = match sheets::sheet_text(table, name, &bytes) {
        Some(sheet) => sheet?,
        None => {
            has_no_part(table, name)?;
            let text = utf8(name, bytes).map_err(|mut error| {
                if error.code == Code::FILE_NOT_TEXT {
                    error.help = vec![format!("save `{name}` as CSV in UTF-8, or as `.xlsx`")];
                }
                error
            });
            (name.to_owned(), text?)
        }
    };
    Ok(Text::table(name, text, &*table.parameter, &*table.columns))
}

/// Refuses a sheet name for a text file.
fn has_no_part(table: &TableArgument, name: &str) -> Result<(), Diagnostic> {
    let Some(part) = &table.sheet else { return Ok(()) };
    let help = "leave out `#` and what follows it: only workbooks and databases have several tables";
    Err(cannot_read(name, &format!("it is a text, which has no part `{part}`")).help(help))
}

/// Reads the bytes of an input.
fn read_bytes(path: &Path, name: &str) -> Result<Vec<u8>, Diagnostic> {
    files::reads(path);
    if path == Path::new("-") { within_bound(stdin::read_stdin(), name) } else { read_file_bytes(path, name) }
}

/// The instances in a parameter file: the file itself, or the names of several instances in JSON. A file that cannot be
/// read counts as one instance; the error is reported when that is solved.
pub(crate) fn instances_of_file(path: &Path) -> Vec<PathBuf> {
    let Some(text) = text_if_readable(path) else { return vec![path.to_owned()] };
    let text = Text::new(path.display().to_string(), text);
    let names = text.instances();
    match names.len() {
        1 => vec![path.to_owned()],
        _ => names.map(|instance| instance.name.into()).collect(),
    }
}

/// The file and the number in the name of an instance, such as `data.json#2`.
pub(crate) fn instance_in(path: &Path) -> Option<(PathBuf, usize)> {
    let (file, number) = path.to_str()?.rsplit_once('#')?;
    let number = number.parse().ok()?;
    // There may be a file with the name `data.json#2`.
    (!path.exists() && Path::new(file).is_file()).then(|| (file.into(), number))
}

/// Opens a file for reading. Refuses devices, which may never end.
pub(crate) fn open(path: &Path, name: &str) -> Result<File, Diagnostic> {
    let unreadable = |error: &io::Error| unreadable(path, name, error);
    let kind = fs::metadata(path).map_err(|error| unreadable(&error))?.file_type();
    // The system reports folders itself. A pipe is allowed, because a shell's `<(…)` is one.
    if is_device(kind) {
        let help = "name a text file; `-` stands for standard input";
        return Err(cannot_read(name, "it is a device").help(help));
    }
    File::open(path).map_err(|error| unreadable(&error))
}

fn read_file_bytes(path: &Path, name: &str) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    // Reading one byte more than the limit shows if the file is too large.
    let read = open(path, name)?.take(stdin::LARGEST_INPUT + 1).read_to_end(&mut bytes);
    within_bound(read.map(|_| bytes), name)
}

#[cfg(unix)]
fn is_device(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: fs::FileType) -> bool {
    false
}

fn within_bound(read: io::Result<Vec<u8>>, name: &str) -> Result<Vec<u8>, Diagnostic> {
    let bytes = read.map_err(|error| unreadable(Path::new(name), name, &error))?;
    if bytes.len() as u64 > stdin::LARGEST_INPUT {
        let why = format!("it has more than {} MB", stdin::LARGEST_INPUT / 1_000_000);
        return Err(cannot_read(name, &why).note("conjure-like does not read larger inputs"));
    }
    Ok(bytes)
}

fn cannot_read(name: &str, why: &str) -> Diagnostic {
    Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{name}`: {why}"))
}

/// The error about a file that cannot be read.
pub(crate) fn unreadable(path: &Path, name: &str, error: &io::Error) -> Diagnostic {
    let report = |why: &str| cannot_read(name, why);
    match error.kind() {
        io::ErrorKind::NotFound if fs::symlink_metadata(path).is_ok() => {
            let target = fs::read_link(path).map_or(String::new(), |target| format!(" to `{}`", target.display()));
            report(&format!("it is a link{target}, and there is no such file"))
        }
        io::ErrorKind::NotFound => {
            let report = report("there is no such file");
            match neighbour(path) {
                Some(name) => report.help(format!("there is `{name}` in the same folder")),
                None => report,
            }
        }
        // Windows reports missing permission when a folder is opened as a file.
        io::ErrorKind::IsADirectory | io::ErrorKind::PermissionDenied if path.is_dir() => {
            report("it is a folder").help("name a file in it")
        }
        io::ErrorKind::PermissionDenied => report("permission denied"),
        _ => report(&error.to_string()),
    }
}

/// A file in the same folder with a similar name.
fn neighbour(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> =
        fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    // In `plans.json#2`, the part before `#` is the name of a file.
    let whole = names.iter().find(|name| wanted.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('#')));
    whole.map(String::as_str).or_else(|| nearest(wanted, names.iter().map(String::as_str))).map(str::to_owned)
}

fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    if is_utf16(&bytes) {
        let error = Diagnostic::error(Code::FILE_NOT_TEXT, format!("`{name}` is encoded in UTF-16"));
        return Err(error.help("save the file as UTF-8"));
    }
    String::from_utf8(without_mark(bytes)).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        Diagnostic::error(Code::FILE_NOT_TEXT, format!("`{name}` is not a text file"))
            .note(format!("on line {line}, byte {} of the file, 0x{:02x}, is not valid UTF-8", at + 1, bytes[at]))
            .help("name an Essence file; if this file is one, save it as UTF-8")
    })
}

/// Removes the byte order mark of a UTF-8 text.
pub(crate) fn without_mark(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    bytes
}

/// Returns true for UTF-16: the text has a mark, or every other byte in its first part is zero.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    let halves = |at: usize| bytes.iter().take(40).skip(at).step_by(2);
    // In UTF-16, one of the two bytes of each ASCII character is zero.
    let is_half_zero = |at: usize| halves(at).count() > 1 && halves(at).all(|byte| *byte == 0);
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || is_half_zero(0) != is_half_zero(1)
}
