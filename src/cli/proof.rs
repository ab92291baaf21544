//! `--proof`: the files of a proof, which get their names when the proof is complete, and `conjure-like proof check`.

use super::{
    Exit,
    files::{self, FileKind, Pending, unwritable},
    session::Session,
};
use clap::{Args, Subcommand};
use conjure_like::{Code, Diagnostic, Proof, ProofFault, ProofFile, check_proof, counted, visible};
use std::{
    cell::RefCell,
    fs,
    io::{self, BufReader, Write},
    path::{Path, PathBuf},
    rc::Rc,
};

/// A proof and the clauses that it refutes, on their way into files.
pub(super) struct ProofFiles {
    steps: SharedFile,
    clauses: SharedFile,
}

impl ProofFiles {
    /// Prepares the files of a proof. Older files of these names are removed, so that nothing old looks new.
    pub(super) fn new(file: &Path) -> Result<Self, Diagnostic> {
        let clauses = beside(file);
        // Both files are checked before one is removed.
        let proof = ProofFiles { steps: SharedFile::new(file)?, clauses: SharedFile::new(&clauses)? };
        for stale in [file, &clauses] {
            files::remove_ours(stale, FileKind::Dimacs)?;
        }
        Ok(proof)
    }

    /// Refuses early what [`ProofFiles::new`] would refuse.
    pub(super) fn check(file: &Path) -> Result<(), Diagnostic> {
        [file, &beside(file)].into_iter().try_for_each(|path| files::check(path, FileKind::Dimacs))
    }

    /// The destinations for the solver.
    pub(super) fn writers(&self) -> Proof {
        Proof { steps: Box::new(self.steps.clone()), clauses: Box::new(self.clauses.clone()) }
    }

    /// Completes the files; without a refutation there is no proof, and no files. Returns their names, for people.
    pub(super) fn end(self) -> Result<Option<String>, Diagnostic> {
        if self.clauses.0.borrow().empty {
            return Ok(None);
        }
        let (clauses, steps) = (self.clauses.end()?, self.steps.end()?);
        Ok(Some(format!(
            "Wrote {}, a proof that the clauses in {} contradict each other",
            steps.display(),
            clauses.display()
        )))
    }
}

/// A file that solver and command line share; its first error is kept for the end.
#[derive(Clone)]
struct SharedFile(Rc<RefCell<Growing>>);

struct Growing {
    file: Pending,
    path: PathBuf,
    empty: bool,
    failure: Option<io::Error>,
}

impl SharedFile {
    fn new(path: &Path) -> Result<Self, Diagnostic> {
        let file = Pending::new(path, FileKind::Dimacs)?;
        Ok(SharedFile(Rc::new(RefCell::new(Growing { file, path: path.to_owned(), empty: true, failure: None }))))
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

impl Write for SharedFile {
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

#[derive(Args)]
pub(super) struct ProofCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Check(Check),
}

/// Checks that a proof refutes its clauses
///
/// The checker is independent of the solver and of the translation from model to clauses. It reads proofs in the formats
/// LRAT and DRAT (as text or binary), and clauses in the format DIMACS.
#[derive(Args)]
#[command(after_help = "\
Example: conjure-like proof check none.lrat

Exit code: 0 if the proof is right; 2 if it is not, or a file cannot be read.")]
struct Check {
    /// The proof
    proof: PathBuf,
    /// The clauses. The default is PROOF.cnf, which `solve --proof` writes beside the proof
    clauses: Option<PathBuf>,
}

impl ProofCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let What::Check(check) = self.what;
        check.run(session)
    }
}

impl Check {
    fn run(self, session: &mut Session) -> Option<Exit> {
        let clauses = self.clauses.unwrap_or_else(|| beside(&self.proof));
        let mut readers = Vec::new();
        for path in [&clauses, &self.proof] {
            match fs::File::open(path) {
                Ok(file) => readers.push(BufReader::with_capacity(1 << 16, file)),
                Err(error) => {
                    let message = format!("cannot read `{}`: {error}", path.display());
                    return session.fail(Diagnostic::error(Code::FILE_UNREADABLE, message));
                }
            }
        }
        let [of_clauses, of_proof] = &mut readers[..] else { return None };
        match check_proof(of_clauses, of_proof) {
            Ok(checked) => {
                let mut text = format!(
                    "The proof is right: the {} clauses in {} contradict each other ({}).\n",
                    checked.clauses,
                    clauses.display(),
                    counted(checked.steps, "step")
                );
                for claim in &checked.claims {
                    text += &format!("According to the comments in the file, they say: {}.\n", visible::line(claim));
                }
                session.print(&text)
            }
            Err(fault) => session.fail(wrong(fault, &clauses, &self.proof)),
        }
    }
}

fn wrong(fault: ProofFault, clauses: &Path, proof: &Path) -> Diagnostic {
    let path = match fault.which {
        ProofFile::Clauses => clauses,
        ProofFile::Proof => proof,
    };
    let place = match fault.line {
        0 => format!("`{}`", path.display()),
        line => format!("`{}`, line {line}", path.display()),
    };
    Diagnostic::error(Code::PROOF_WRONG, format!("{place}: {}", fault.message)).note(format!(
        "so `{}` does not prove that the clauses in `{}` contradict each other",
        proof.display(),
        clauses.display()
    ))
}

/// The file of the clauses that a proof refutes.
fn beside(proof: &Path) -> PathBuf {
    let mut name = proof.file_name().unwrap_or_default().to_owned();
    name.push(".cnf");
    proof.with_file_name(name)
}
