//! `--proof`: the files of a proof, which get their names when the proof is complete.

use super::output::Pending;
use conjure_like::solver::Refutation;
use std::{
    cell::RefCell,
    fs,
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
    /// What an earlier run has left under these names goes away.
    pub fn new(file: &Path) -> io::Result<Self> {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(".cnf");
        let clauses = file.with_file_name(name);
        for stale in [file, &clauses] {
            match fs::remove_file(stale) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(Proof { steps: Shared::new(file.to_owned())?, clauses: Shared::new(clauses)? })
    }

    /// Where the solver shall write.
    pub fn refutation(&self) -> Refutation {
        Refutation { steps: Box::new(self.steps.clone()), clauses: Box::new(self.clauses.clone()) }
    }

    /// Where nothing was refuted there is no proof, and no files. Returns what was written, for people.
    pub fn end(self) -> io::Result<Option<String>> {
        if self.clauses.0.borrow().empty {
            return Ok(None);
        }
        let (clauses, steps) = (self.clauses.end()?, self.steps.end()?);
        Ok(Some(format!("Wrote {}, a proof that {} is unsatisfiable", steps.display(), clauses.display())))
    }
}

/// A file that solver and command line share; its first error is kept for the end.
#[derive(Clone)]
struct Shared(Rc<RefCell<Growing>>);

struct Growing {
    file: Pending,
    empty: bool,
    failure: Option<io::Error>,
}

impl Shared {
    fn new(path: PathBuf) -> io::Result<Self> {
        Ok(Shared(Rc::new(RefCell::new(Growing { file: Pending::new(path)?, empty: true, failure: None }))))
    }

    /// Gives the file its name.
    fn end(self) -> io::Result<PathBuf> {
        let mut growing = self.0.borrow_mut();
        match growing.failure.take() {
            Some(error) => Err(error),
            None => growing.file.complete(),
        }
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut growing = self.0.borrow_mut();
        growing.empty &= bytes.is_empty();
        if growing.failure.is_none()
            && let Err(error) = growing.file.writer.write_all(bytes)
        {
            growing.failure = Some(error);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
