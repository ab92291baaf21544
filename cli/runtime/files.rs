//! The files of a run: its inputs, and the outputs that it may write.
//!
//! A file of the user is never overwritten or deleted. The program's files start with a mark ([`FileKind::mark`]), and
//! only a file with the mark may be replaced. A file gets its name when it is complete; until then it has a random name
//! in the same folder, and it is removed if the run ends early.

use conjure_like::{Code, Diagnostic, length_comment, visible};
use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
    thread,
    time::Duration,
};
use tempfile::{Builder, NamedTempFile, TempDir};

/// The format of a file, which determines how a file of this program is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Solutions or pictures as text, with comments as in Essence.
    Essence,
    /// SVG or HTML.
    Markup,
    Json,
    /// Clauses or a proof, with comments as in DIMACS.
    Dimacs,
    /// A proof, which has no comments; instead, a comment in the file of its clauses gives its length.
    Proof,
    /// Names with numbers, one per line.
    Numbers,
    /// Grades, separated by commas.
    Grades,
    /// A proof about pseudo-Boolean constraints.
    PseudoBooleanProof,
    /// The statement that a certificate proves, in words.
    Certificate,
    /// Pseudo-Boolean constraints, which start with their sizes.
    Opb,
    SmtLib,
    FlatZinc,
    /// Commands for a shell.
    Script,
    JavaScript,
    /// A page of the manual.
    Manual,
}

/// The maximum length of the first two lines of an OPB file in bytes.
const OPB_HEAD: u64 = 200;

impl FileKind {
    /// The first characters of a file of this program: a comment, or unusual blanks if the format has no comments.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            FileKind::Essence => "$ Written by conjure-like\n",
            FileKind::Markup => "<!-- Written by conjure-like -->\n",
            FileKind::Json => " \t ",
            FileKind::Dimacs => "c Written by conjure-like\n",
            FileKind::Proof | FileKind::PseudoBooleanProof => "",
            FileKind::Certificate => "A certificate of conjure-like\n",
            // Clients expect each line to have exactly one colon.
            FileKind::Numbers => "WrittenBy:conjure-like\n",
            // Without the byte order mark, spreadsheets misread names.
            FileKind::Grades => "\u{feff}submission,points,of,result",
            FileKind::Opb => "* #variable= ",
            FileKind::SmtLib => "; Written by conjure-like\n",
            FileKind::FlatZinc => "% Written by conjure-like\n",
            FileKind::Manual => ".\\\" Written by conjure-like\n",
            FileKind::JavaScript => "// Written by conjure-like\n",
            FileKind::Script => "#!/bin/sh\n# Written by conjure-like\n",
        }
    }

    /// Returns true if this program has written the file.
    fn is_ours(self, path: &Path) -> io::Result<bool> {
        match self {
            // The first line is the same in files of all programs, so the second one is checked.
            FileKind::Opb => {
                let mut head = Vec::new();
                match File::open(path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
                    file => file?.take(OPB_HEAD).read_to_end(&mut head)?,
                };
                // Two lines are enough, even for a huge file.
                let mut lines = head.split(|byte| *byte == b'\n');
                Ok(lines.next().is_some_and(|line| line.starts_with(self.mark().as_bytes()))
                    && lines.next() == Some(b"* Written by conjure-like"))
            }
            FileKind::Proof => {
                // The comment beside the clauses gives the length of the proof, so a proof of another length is not
                // ours.
                let comment = length_comment(path.metadata()?.len());
                begins_with(&clauses_beside(path), &format!("{}{comment}\n", FileKind::Dimacs.mark()))
            }
            FileKind::PseudoBooleanProof => {
                begins_with(path, "pseudo-Boolean proof version 3.0\n% Written by conjure-like\n")
            }
            _ => begins_with(path, self.mark()),
        }
    }
}

/// Returns true if the file exists and starts with this text.
fn begins_with(path: &Path, text: &str) -> io::Result<bool> {
    let mut head = vec![0; text.len()];
    match File::open(path).and_then(|mut file| file.read_exact(&mut head)) {
        // If the file is shorter or missing, this program has not written it.
        Err(error) if [io::ErrorKind::UnexpectedEof, io::ErrorKind::NotFound].contains(&error.kind()) => Ok(false),
        read => read.map(|()| head == text.as_bytes()),
    }
}

/// The file of the clauses that a proof refutes.
pub(crate) fn clauses_beside(proof: &Path) -> PathBuf {
    let mut name = proof.file_name().unwrap_or_default().to_owned();
    name.push(".cnf");
    proof.with_file_name(name)
}

/// The files of this run. They are global, because the watchdog has to clean up, too.
struct RunFiles {
    inputs: Vec<PathBuf>,
    /// The outputs, with canonical folders.
    outputs: BTreeSet<PathBuf>,
    temporaries: Vec<PathBuf>,
    /// The folders that have been cleaned of leftovers from earlier runs.
    tidied: BTreeSet<PathBuf>,
}

static RUN: Mutex<RunFiles> = Mutex::new(RunFiles {
    inputs: Vec::new(),
    outputs: BTreeSet::new(),
    temporaries: Vec::new(),
    tidied: BTreeSet::new(),
});

fn with_run<T>(change: impl FnOnce(&mut RunFiles) -> T) -> T {
    change(&mut RUN.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// Registers an input, so that no output overwrites it.
pub(crate) fn reads(path: &Path) {
    with_run(|run| run.inputs.push(path.to_owned()));
}

/// Removes incomplete files when the run is ended from outside.
pub(crate) fn remove_temporaries() {
    if let Some(run) = run_soon() {
        run.temporaries.iter().for_each(|path| remove_temporary(path));
    }
}

/// The files of the run, once the thread that is creating a file has registered it. There is a timeout, because that
/// thread may be stuck and the program has to end.
fn run_soon() -> Option<MutexGuard<'static, RunFiles>> {
    // Registering a file takes only a few system calls, unless its thread is stuck. Chosen.
    const MILLISECONDS: usize = 100;
    (0..MILLISECONDS).find_map(|_| {
        // A thread that is stuck in a write may hold the lock.
        let run = RUN.try_lock().ok();
        if run.is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        run
    })
}

/// Removes a file or folder. Tries twice, because a process that is ending may add a file to the folder meanwhile.
fn remove_temporary(path: &Path) {
    // The path may be a folder, with files of a child process.
    let removed = || match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    let _ = removed().or_else(|_| removed());
}

/// A folder for files that are not needed after the run.
pub(crate) struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    pub(crate) fn new() -> io::Result<Self> {
        // The folder is created and registered under the lock, so that the watchdog always removes it.
        with_run(|run| {
            let folder = Builder::new().prefix("conjure-like-").tempdir()?;
            run.temporaries.push(folder.path().to_owned());
            Ok(TemporaryFolder(folder))
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Until the folder is removed, the watchdog may have to remove it, so it is forgotten only afterwards.
        remove_temporary(self.path());
        forget(self.path());
    }
}

/// A result, or the reason why a file cannot be written.
type FileResult<T> = std::result::Result<T, Diagnostic>;

pub(crate) fn unwritable(path: &Path, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(Code::FILE_UNWRITABLE, format!("cannot write `{}`: {why}", path.display()))
}

/// An output file that gets its name when it is complete, and is removed otherwise.
pub(crate) struct Pending {
    path: PathBuf,
    kind: FileKind,
    /// True if an earlier run has written a file of this name.
    replaces: bool,
    /// `None` once the file has its name.
    writer: Option<BufWriter<NamedTempFile>>,
}

impl Pending {
    /// Reserves the name of an output. Refuses existing files of others; the name must remain free until the run ends.
    pub(crate) fn new(path: &Path, kind: FileKind) -> FileResult<Self> {
        let replaces = may_be_written(path, kind)?;
        // Two outputs with the same name would overwrite each other.
        if !with_run(|run| run.outputs.insert(resolved(path))) {
            return Err(unwritable(path, "two outputs of this run have the same name"));
        }
        let wrong = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => {
                let help = "make the folder first, or name another one";
                unwritable(path, "there is no such folder").help(help)
            }
            _ => unwritable(path, error),
        };
        // The temporary file is in the same folder, so that it can be renamed without copying.
        let mut writer = BufWriter::new(temporary_beside(path, None).map_err(wrong)?);
        writer.write_all(kind.mark().as_bytes()).map_err(wrong)?;
        Ok(Pending { path: path.to_owned(), kind, replaces, writer: Some(writer) })
    }

    /// Writes a whole file.
    pub(crate) fn whole(path: &Path, kind: FileKind, text: &str) -> FileResult<PathBuf> {
        let mut file = Pending::new(path, kind)?;
        file.add(text)?;
        file.complete()
    }

    /// Adds to the text.
    pub(crate) fn add(&mut self, text: &str) -> FileResult<()> {
        let path = self.path.clone();
        self.write_all(text.as_bytes()).map_err(|error| unwritable(&path, error))
    }

    /// The text written so far.
    pub(crate) fn written(&mut self) -> io::Result<impl Read + '_> {
        let writer = self.writer.as_mut().ok_or_else(|| io::Error::other("the file is complete"))?;
        writer.flush()?;
        let file = writer.get_mut().as_file_mut();
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }

    /// Gives all files their names, or none.
    pub(crate) fn complete_all(mut files: Vec<Pending>) -> FileResult<()> {
        // Flushing all files first reports a full disk before any of them has its name.
        for file in &mut files {
            file.flush().map_err(|error| unwritable(&file.path, error))?;
        }
        for at in 0..files.len() {
            if let Err(refused) = files[at].complete() {
                // Either all files get their names or none does, so the named ones are removed.
                for named in &files[..at] {
                    let _ = fs::remove_file(&named.path);
                }
                return Err(refused);
            }
        }
        Ok(())
    }

    /// Gives the file its name.
    pub(crate) fn complete(&mut self) -> FileResult<PathBuf> {
        let path = &self.path;
        if let Some(writer) = self.writer.take() {
            let file = writer.into_inner().map_err(|error| unwritable(path, error.into_error()))?;
            // Until the rename is done, the watchdog may have to remove the file, so the path is forgotten only
            // afterwards.
            let temporary = file.path().to_owned();
            // If a file has appeared under this name in the meantime, it belongs to another program.
            let named = match self.replaces && self.kind.is_ours(path).unwrap_or(false) {
                true => file.persist(path),
                false => file.persist_noclobber(path),
            };
            forget(&temporary);
            named.map_err(|error| match error.error.kind() {
                io::ErrorKind::AlreadyExists => unwritable(path, "another program has just made a file of this name"),
                _ => unwritable(path, error.error),
            })?;
        }
        Ok(path.clone())
    }

    /// Abandons the output: the file is not written, and an older one of this name is removed.
    pub(crate) fn give_up(mut self) -> FileResult<()> {
        self.discard();
        // An older file would look like an output of this run.
        if self.replaces { remove_ours(&self.path, self.kind) } else { Ok(()) }
    }

    fn discard(&mut self) {
        if let Some(writer) = self.writer.take() {
            forget(writer.get_ref().path());
        }
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Some(writer) => writer.write(bytes),
            None => Err(io::Error::other("the file is complete")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.discard();
    }
}

/// Opens a file of this program to read and append, or a new one.
pub(crate) fn open_to_add(path: &Path, kind: FileKind) -> FileResult<File> {
    if !may_be_written(path, kind)? {
        // Like every file of this program, a new file starts with the mark.
        Pending::whole(path, kind, "")?;
    }
    OpenOptions::new().read(true).append(true).open(path).map_err(|error| unwritable(path, error))
}

/// Deletes a file if this program has written it.
pub(crate) fn remove_ours(path: &Path, kind: FileKind) -> FileResult<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        _ if may_be_written(path, kind)? => fs::remove_file(path).map_err(|error| unwritable(path, error)),
        _ => Ok(()),
    }
}

/// Copies a file of this run.
pub(crate) fn copy(from: &Path, to: &Path, kind: FileKind) -> FileResult<PathBuf> {
    // The copy is written by this program, so it has the mark, too.
    let text = fs::read_to_string(from).map_err(|error| unwritable(to, error))?;
    // `Pending` writes the mark, so it is left out here.
    Pending::whole(to, kind, text.strip_prefix(kind.mark()).unwrap_or(&text))
}

/// Replaces a file of this run.
pub(crate) fn amend(path: &Path, kind: FileKind, text: &str) -> FileResult<()> {
    rewrite(path, &format!("{}{text}", kind.mark())).map_err(|error| unwritable(path, error))
}

/// Replaces a file that the user has asked to change, as a whole; follows links.
pub(crate) fn rewrite(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link, and its target is replaced.
    let path = path.canonicalize()?;
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut file = temporary_beside(&path, Some(metadata.permissions()))?;
    let temporary = file.path().to_owned();
    // Renaming replaces the whole file in one step.
    let done = file.write_all(text.as_bytes()).and_then(|()| file.persist(&path).map_err(|error| error.error));
    forget(&temporary);
    done.map(drop)
}

/// An anonymous file on the same disk as another file.
pub(crate) fn unnamed_beside(path: &Path) -> io::Result<File> {
    tempfile::tempfile_in(folder_of(path))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

const TEMPORARY_PREFIX: &str = ".conjure-like-";
const TEMPORARY_SUFFIX: &str = ".part";

/// Removes the temporary files of killed runs in a folder. A run locks its temporary files, and the system releases the
/// locks when the run ends.
fn tidy(folder: &Path) {
    /// Within this age, a file may not be locked yet by the run that creates it. Chosen.
    const YOUNG: Duration = Duration::from_secs(60);
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    // Each folder is read only once, even if many files are written into it.
    if !with_run(|run| run.tidied.insert(folder.clone())) {
        return;
    }
    let is_left = |path: &Path| -> io::Result<bool> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let age = metadata.modified()?.elapsed().unwrap_or_default();
        Ok(metadata.is_file() && age > YOUNG && file.try_lock().is_ok())
    };
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(TEMPORARY_PREFIX)
            && name.ends_with(TEMPORARY_SUFFIX)
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && is_left(&entry.path()).unwrap_or(false)
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A new file with a random name in the same folder.
fn temporary_beside(path: &Path, permissions: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    tidy(folder_of(path));
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    // Only their owner can read temporary files by default, but outputs should have the usual permissions.
    match permissions {
        Some(_) => {}
        #[cfg(unix)]
        None => {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        #[cfg(not(unix))]
        None => {}
    }
    // The file is created and registered in one step, so that the watchdog cannot miss it.
    let file = with_run(|run| {
        let file = builder.tempfile_in(folder_of(path))?;
        run.temporaries.push(file.path().to_owned());
        // Without a lock, only their age protects temporary files from other runs.
        let _ = file.as_file().try_lock();
        io::Result::Ok(file)
    })?;
    if let Some(permissions) = permissions {
        fs::set_permissions(file.path(), permissions)?;
    }
    Ok(file)
}

fn forget(temporary: &Path) {
    with_run(|run| run.temporaries.retain(|other| other != temporary));
}

/// Refuses early what [`Pending::new`] would refuse.
pub(crate) fn check_writable(path: &Path, kind: FileKind) -> FileResult<()> {
    may_be_written(path, kind).map(drop)
}

/// Returns true if a file of this program exists and may be replaced, and false if there is no file; refuses any other
/// file.
fn may_be_written(path: &Path, kind: FileKind) -> FileResult<bool> {
    // Unlike `metadata`, `symlink_metadata` does not follow links.
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(unwritable(path, error)),
    };
    let refused = |why: &str, help: &str| Err(unwritable(path, why).help(help));
    if metadata.is_symlink() {
        return refused("it is a link", "name a file that does not exist yet");
    }
    if metadata.is_dir() {
        return refused("it is a folder", "name a file in it");
    }
    if !metadata.is_file() {
        return refused("it is a device or a pipe", "name a file that does not exist yet");
    }
    // The input may have been given under another path.
    if with_run(|run| run.inputs.iter().any(|input| are_same_file(input, path))) {
        return refused("it is an input of this run", "name another file");
    }
    match kind.is_ours(path) {
        Ok(true) => Ok(true),
        Ok(false) => Err(unwritable(path, "there is a file of this name that conjure-like has not written")
            .help("name another file, or move this one away first")),
        Err(error) => Err(unwritable(path, error)),
    }
}

/// Returns true if two paths lead to the same existing file.
pub(crate) fn are_same_file(left: &Path, right: &Path) -> bool {
    identity(left).is_some_and(|one| identity(right) == Some(one))
}

/// The identity of a file, which its hard links share.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(windows)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    conjure_like_system::file_identity(&File::open(path).ok()?)
}

/// The path of a file that may not exist yet, with its folder canonical.
fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    // The file may not exist yet, so only its folder is resolved.
    folder.join(path.file_name().unwrap_or_default())
}

/// The message for an option whose value looks like a model.
pub(crate) const FORGOTTEN: &str = "this looks like a model, parameters or a solution; did you forget the file name?";

/// The value parser for an output file. If the value looks like an input, the file name was forgotten.
pub(crate) fn output_file(text: &str) -> std::result::Result<PathBuf, &'static str> {
    unlike(text, &["essence", "eprime", "model", "param", "essence-param", "solution"])
}

/// The value parser for a solution file.
pub(crate) fn solution_file(text: &str) -> std::result::Result<PathBuf, &'static str> {
    if text.to_ascii_lowercase().ends_with(".csv") && !text.contains('=') {
        return Err("a CSV table holds one variable; name it: NAME=FILE");
    }
    unlike(text, &["essence", "eprime", "model"])
}

fn unlike(text: &str, others: &[&str]) -> std::result::Result<PathBuf, &'static str> {
    let path = Path::new(text);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    // A folder may have any extension.
    match others.contains(&&*extension) && !path.is_dir() {
        true => Err(FORGOTTEN),
        false => Ok(path.to_owned()),
    }
}

/// A path for messages; control characters are made visible, so that a terminal does not obey them.
pub(crate) fn shown_path(path: &Path) -> String {
    visible::line(&path.display().to_string()).into_owned()
}

/// The name of a file without folder and extension, but with the number of an instance.
pub(crate) fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // `data.json#2` is the second instance of `data.json`.
    let number = path.extension().and_then(|extension| extension.to_str()?.split_once('#'));
    number.map_or_else(|| stem.to_string(), |(_, number)| format!("{stem}-{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder")
    }

    fn next_run(path: &Path) {
        with_run(|run| run.outputs.remove(&resolved(path)));
    }

    fn refusal(path: &Path, kind: FileKind) -> String {
        let message = Pending::new(path, kind).err().map_or(String::new(), |error| error.message.clone());
        next_run(path);
        message
    }

    #[test]
    fn a_file_that_is_just_being_made_is_removed_too() {
        let (begin, begun) = std::sync::mpsc::channel();
        let making = thread::spawn(move || {
            with_run(|_| {
                begin.send(()).expect("a listener");
                thread::sleep(Duration::from_millis(30));
            });
        });
        begun.recv().expect("the beginning");
        assert!(run_soon().is_some());
        making.join().expect("its end");
    }

    #[test]
    fn only_what_we_have_written_is_replaced() {
        let folder = folder();
        for kind in [FileKind::Essence, FileKind::Markup, FileKind::Json, FileKind::Dimacs, FileKind::Numbers] {
            let path = folder.path().join(format!("{kind:?}"));
            Pending::whole(&path, kind, "one").expect("a new file");
            next_run(&path);
            Pending::whole(&path, kind, "two").expect("a file of ours");
            next_run(&path);
            assert_eq!(fs::read_to_string(&path).expect("a text"), format!("{}two", kind.mark()));
            for theirs in ["", "one", "$ Written by conjure", "{}"] {
                fs::write(&path, theirs).expect("a file");
                assert!(refusal(&path, kind).contains("has not written"), "{kind:?} {theirs}");
                assert!(remove_ours(&path, kind).is_err());
                assert_eq!(fs::read_to_string(&path).expect("a text"), theirs);
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_folders_and_inputs_are_refused() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        let ours = |name: &str| fs::write(at(name), FileKind::Markup.mark()).expect("a file");
        ours("input");
        reads(&at("input"));
        assert!(refusal(&at("input"), FileKind::Markup).contains("an input"));
        assert!(refusal(&at(".").join("input"), FileKind::Markup).contains("an input"));
        fs::hard_link(at("input"), at("hard")).expect("a link");
        assert!(refusal(&at("hard"), FileKind::Markup).contains("an input"));
        ours("other");
        for (target, name) in [("other", "link"), ("nothing", "dangling")] {
            std::os::unix::fs::symlink(at(target), at(name)).expect("a link");
            assert!(refusal(&at(name), FileKind::Markup).contains("it is a link"));
        }
        assert!(refusal(folder.path(), FileKind::Markup).contains("a folder"));
        assert!(refusal(Path::new("/dev/null"), FileKind::Dimacs).contains("a device"));
        assert!(refusal(&at("no/file"), FileKind::Markup).contains("no such folder"));
    }

    #[test]
    fn a_name_is_given_once() {
        let folder = folder();
        let path = folder.path().join("page.html");
        let _first = Pending::new(&path, FileKind::Markup).expect("a new file");
        let again =
            Pending::new(&folder.path().join(".").join("page.html"), FileKind::Markup).err().expect("a refusal");
        assert!(again.message.contains("two outputs"));
    }

    #[test]
    fn what_is_given_up_leaves_nothing() {
        let folder = folder();
        let path = folder.path().join("board.svg");
        Pending::whole(&path, FileKind::Markup, "").expect("a file");
        next_run(&path);
        Pending::new(&path, FileKind::Markup).expect("a file of ours").give_up().expect("nothing left");
        next_run(&path);
        drop(Pending::new(&path, FileKind::Markup).expect("a new file"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn a_formula_of_another_program_is_not_replaced() {
        let folder = folder();
        let path = folder.path().join("formula.opb");
        let head = "* #variable= 1 #constraint= 1\n";
        for theirs in [head.to_owned(), format!("{head}1 x1 >= 1 ;\n"), format!("{head}* Written by somebody\n")] {
            fs::write(&path, theirs).expect("a file");
            assert!(refusal(&path, FileKind::Opb).contains("has not written"));
        }
        fs::write(&path, format!("{head}* Written by conjure-like\n1 x1 >= 1 ;\n")).expect("a file");
        assert_eq!(refusal(&path, FileKind::Opb), "");
    }

    #[test]
    fn files_get_their_names_together() {
        let folder = folder();
        let paths = ["one", "two"].map(|name| folder.path().join(name));
        let files = || paths.iter().map(|path| Pending::new(path, FileKind::Json).expect("a new file")).collect();
        let pending: Vec<Pending> = files();
        fs::create_dir(&paths[1]).expect("something that is in the way");
        assert!(Pending::complete_all(pending).is_err());
        assert!(!paths[0].exists(), "the first file stays alone");
        fs::remove_dir(&paths[1]).expect("the way is free");
        paths.iter().for_each(|path| next_run(path));
        Pending::complete_all(files()).expect("both files");
        assert!(paths.iter().all(|path| path.exists()));
    }

    #[test]
    fn what_a_killed_run_has_left_is_removed() {
        let folder = folder();
        let left = |name: &str, age: u64| {
            let path = folder.path().join(format!("{TEMPORARY_PREFIX}{name}{TEMPORARY_SUFFIX}"));
            let file = File::create(&path).expect("a file");
            let time = std::time::SystemTime::now() - Duration::from_secs(age);
            file.set_modified(time).expect("another time");
            (path, file)
        };
        let (old, young, ours) = (left("old", 1_000), left("young", 1), left("ours", 1_000));
        let theirs = folder.path().join("theirs.part");
        fs::write(&theirs, "").expect("a file");
        drop(old.1);
        ours.1.try_lock().expect("a lock");
        drop(Pending::new(&folder.path().join("new"), FileKind::Json).expect("a new file"));
        assert!(!old.0.exists());
        assert!(young.0.exists() && ours.0.exists() && theirs.exists());
    }

    #[test]
    fn the_name_of_a_model_is_no_output() {
        assert!(output_file("m.essence").is_err() && output_file("data/d.PARAM").is_err());
        assert!(output_file("proof.drat").is_ok() && output_file("out").is_ok());
        assert!(solution_file("m.essence").is_err() && solution_file("s.solution").is_ok());
    }
}
