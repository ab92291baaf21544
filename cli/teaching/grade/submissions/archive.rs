//! Zip archives. They are read in memory and never unpacked into files, so a path in an archive cannot escape. Limits
//! bound the cost of an archive.

use super::{
    found::{FileContent, SubmissionFinder, SubmissionKind, is_made_up, without_ending},
    text::{self, Unfit},
};
use std::{
    io::{Cursor, Read, Seek},
    path::Path,
};
use zip::ZipArchive;

/// The maximum depth of nested archives. Chosen.
const DEPTH: usize = 3;

/// The rest of the limits for an archive and the archives inside.
pub(super) struct Budget {
    entries: usize,
    bytes: u64,
    models: usize,
    depth: usize,
}

impl Budget {
    /// The limits for the archive of one student.
    pub(super) fn of_a_student() -> Self {
        Budget { entries: 1_000, bytes: 20_000_000, models: 20, depth: DEPTH }
    }

    /// The limits for the archive of a learning system, which contains archives of students.
    fn of_a_class() -> Self {
        Budget { entries: 100_000, bytes: 1_000_000_000, models: 10_000, depth: DEPTH }
    }

    fn charge(&mut self, bytes: u64) -> Result<(), Unfit> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or_else(|| Unfit::archive("it holds too much"))?;
        Ok(())
    }
}

/// Collects the files in the archive of a class.
pub(super) fn class(finder: &mut SubmissionFinder, archive: impl Read + Seek, path: &Path, steps: &[String]) {
    said_once(finder, path, steps, |finder| {
        add_archive_entries(
            finder,
            archive,
            (path, steps),
            &mut Budget::of_a_class(),
            &mut |finder, bytes, path, steps| {
                read_student_archive(finder, Cursor::new(bytes?), path, steps);
                Ok(())
            },
        )
    });
}

/// Collects the files in the archive of a student.
pub(super) fn read_student_archive(
    finder: &mut SubmissionFinder,
    archive: impl Read + Seek,
    path: &Path,
    steps: &[String],
) {
    said_once(finder, path, steps, |finder| nested(finder, archive, (path, steps), &mut Budget::of_a_student()));
}

fn nested(
    finder: &mut SubmissionFinder,
    archive: impl Read + Seek,
    place: (&Path, &[String]),
    budget: &mut Budget,
) -> Result<(), Unfit> {
    let mut inner: Vec<(Vec<u8>, std::path::PathBuf, Vec<String>)> = Vec::new();
    add_archive_entries(finder, archive, place, budget, &mut |_, bytes, path, steps| {
        inner.push((bytes?, path.to_owned(), steps.to_vec()));
        Ok(())
    })?;
    // `add_archive_entries` borrows the budget, so inner archives are only collected there.
    for (bytes, path, steps) in inner {
        budget.depth = budget
            .depth
            .checked_sub(1)
            .ok_or_else(|| Unfit::archive(&format!("its archives are nested more than {DEPTH} deep")))?;
        nested(finder, Cursor::new(bytes), (&path, &steps), budget)?;
        // Archives beside each other are not nested.
        budget.depth += 1;
    }
    Ok(())
}

/// Reports an archive that cannot be read completely as one unfit file, instead of its first entries.
fn said_once(
    finder: &mut SubmissionFinder,
    path: &Path,
    steps: &[String],
    search: impl FnOnce(&mut SubmissionFinder) -> Result<(), Unfit>,
) {
    let before = finder.found.len();
    if let Err(unfit) = search(finder) {
        finder.found.truncate(before);
        finder.add(path, steps, FileContent::Model(Err(unfit)));
    }
}

/// Handles an archive inside an archive.
type InnerArchive<'a> =
    &'a mut dyn FnMut(&mut SubmissionFinder, Result<Vec<u8>, Unfit>, &Path, &[String]) -> Result<(), Unfit>;

/// Adds the entries of an archive; `inner` handles archives among them.
fn add_archive_entries(
    finder: &mut SubmissionFinder,
    archive: impl Read + Seek,
    (path, steps): (&Path, &[String]),
    budget: &mut Budget,
    inner: InnerArchive,
) -> Result<(), Unfit> {
    let mut archive = ZipArchive::new(archive).map_err(|_| Unfit::archive("it is not a whole zip archive"))?;
    let number = archive.len();
    let too_many = || Unfit::archive(&format!("it has {number} entries"));
    budget.entries = budget.entries.checked_sub(number).ok_or_else(too_many)?;
    finder.add(path, steps, FileContent::Folder);
    for at in 0..number {
        let Some(entry) = Entry::read(&mut archive, at) else { continue };
        let path = entry.below.iter().fold(path.to_owned(), |path, step| path.join(step));
        let mut steps: Vec<String> = steps.iter().chain(&entry.below).cloned().collect();
        let Some(name) = steps.last().cloned() else { continue };
        let kind = SubmissionKind::of(&name);
        let content = match (entry.content, kind) {
            (Some(content), _) => content(kind),
            (None, SubmissionKind::Other) => FileContent::Other,
            (None, _) => match archive.by_index(at) {
                Err(_) => kind.unfit(Unfit::archive("it is packed in an unknown way")),
                Ok(unpacked) => {
                    // Sizes in headers may be wrong, so unpacked bytes are counted.
                    let mut counted = CountingReader { input: unpacked, read: 0 };
                    let content = match kind {
                        SubmissionKind::Archive => {
                            steps.pop();
                            steps.push(without_ending(&name));
                            let bytes = text::bytes(&mut counted, budget.bytes.min(Budget::of_a_student().bytes));
                            // If an inner archive cannot be read, it counts as one unfit file.
                            inner(finder, bytes, &path, &steps).err().map(|unfit| kind.unfit(unfit))
                        }
                        _ => Some(kind.read(&mut counted, finder.cell)),
                    };
                    budget.charge(counted.read)?;
                    let Some(content) = content else { continue };
                    content
                }
            },
        };
        if matches!(content, FileContent::Model(_)) {
            let too_many = || Unfit::archive("it has too many models; name the archive of a class directly");
            budget.models = budget.models.checked_sub(1).ok_or_else(too_many)?;
        }
        finder.add(&path, &steps, content);
    }
    Ok(())
}

/// An entry of an archive.
struct Entry {
    below: Vec<String>,
    /// The content, if the entry need not be unpacked.
    content: Option<fn(SubmissionKind) -> FileContent>,
}

impl Entry {
    /// Reads the header of an entry; `None` if its name is to be skipped.
    fn read(archive: &mut ZipArchive<impl Read + Seek>, at: usize) -> Option<Self> {
        let entry = archive.by_index_raw(at).ok()?;
        // Some programs write UTF-8 names without the flag for UTF-8.
        let name = match str::from_utf8(entry.name_raw()) {
            Ok(name) => name.to_owned(),
            Err(_) => entry.name().ok()?.into_owned(),
        };
        // Steps such as `..` and absolute paths are dropped, so nothing leaves the archive.
        let steps = name.split(['/', '\\']).filter(|step| !matches!(*step, "" | "." | ".."));
        let below: Vec<String> = steps.map(str::to_owned).collect();
        if below.iter().any(|step| is_made_up(step)) {
            return None;
        }
        // In the mode, the file type `S_IFLNK` (within `S_IFMT`) means a link.
        let is_link = entry.unix_mode().is_some_and(|mode| mode & 0o170_000 == 0o120_000);
        let content: Option<fn(SubmissionKind) -> FileContent> = match () {
            () if entry.is_dir() => Some(|_| FileContent::Folder),
            () if is_link => Some(|kind| kind.unfit(Unfit::link())),
            () if entry.encrypted() => Some(|kind| kind.unfit(Unfit::archive("it is encrypted"))),
            () => None,
        };
        Some(Entry { below, content })
    }
}

/// Counts the bytes that are read.
struct CountingReader<R> {
    input: R,
    read: u64,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}
