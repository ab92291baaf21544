//! `--proof`: the files of a proof, which get their names when the proof is complete.

use super::files::{self, Kind, Pending, unwritable};
use conjure_like::{diagnostic::Diagnostic, solver::Refutation};
use std::{
    cell::RefCell,
    io::{self, Write},
    path::{Path, PathBuf},
    rc::Rc,
};

/// A proof and the clauses that it refutes, on their way into files.
pub struct Proof {
    steps: Shared,
    clauses: Shared,
}

impl Proof {
    /// What an earlier run has left under these names goes away, so that nothing old looks new.
    pub fn new(file: &Path) -> Result<Self, Diagnostic> {
        let clauses = clauses(file);
        // Both are looked at before one is touched.
        let proof = Proof { steps: Shared::new(file)?, clauses: Shared::new(&clauses)? };
        for stale in [file, &clauses] {
            files::remove_ours(stale, Kind::Dimacs)?;
        }
        Ok(proof)
    }

    /// Refuses early what [`Proof::new`] would refuse.
    pub fn check(file: &Path) -> Result<(), Diagnostic> {
        [file, &clauses(file)].into_iter().try_for_each(|path| files::check(path, Kind::Dimacs))
    }

    /// Where the solver shall write.
    pub fn refutation(&self) -> Refutation {
        Refutation { steps: Box::new(self.steps.clone()), clauses: Box::new(self.clauses.clone()) }
    }

    /// Where nothing was refuted there is no proof, and no files. Returns what was written, for people.
    pub fn end(self) -> Result<Option<String>, Diagnostic> {
        if self.clauses.0.borrow().empty {
            return Ok(None);
        }
        let (clauses, steps) = (self.clauses.end()?, self.steps.end()?);
        Ok(Some(format!("Wrote {}, a proof that {} is unsatisfiable", steps.display(), clauses.display())))
    }
}

/// The file with the clauses that a proof refutes.
fn clauses(proof: &Path) -> PathBuf {
    let mut name = proof.file_name().unwrap_or_default().to_owned();
    name.push(".cnf");
    proof.with_file_name(name)
}

/// A file that solver and command line share; its first error is kept for the end.
#[derive(Clone)]
struct Shared(Rc<RefCell<Growing>>);

struct Growing {
    file: Pending,
    path: PathBuf,
    empty: bool,
    failure: Option<io::Error>,
}

impl Shared {
    fn new(path: &Path) -> Result<Self, Diagnostic> {
        let file = Pending::new(path, Kind::Dimacs)?;
        Ok(Shared(Rc::new(RefCell::new(Growing { file, path: path.to_owned(), empty: true, failure: None }))))
    }

    /// Gives the file its name.
    fn end(self) -> Result<PathBuf, Diagnostic> {
        let mut growing = self.0.borrow_mut();
        match growing.failure.take() {
            Some(error) => Err(unwritable(&growing.path, error)),
            None => growing.file.complete(),
        }
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut growing = self.0.borrow_mut();
        growing.empty &= bytes.is_empty();
        if growing.failure.is_none()
            && let Err(error) = growing.file.write_all(bytes)
        {
            growing.failure = Some(error);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
