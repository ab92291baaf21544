//! `--proof`: the files of a proof, which appear when the proof is complete, and `conjure-like proof check`.

use crate::{
    inputs::invocation::{self, Invocation},
    runtime::{
        Exit,
        files::{self, FileKind, Pending, clauses_beside, shown_path, unwritable},
    },
};
use clap::{Args, Subcommand};
use conjure_like::{Code, Diagnostic, Proof, ProofFault, ProofFile, check_proof, counted, visible};
use std::{
    cell::RefCell,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    rc::Rc,
};

/// A proof and the clauses that it refutes, while they are being written.
pub(crate) struct ProofFiles {
    draft: SharedFile<File>,
    steps: SharedFile<Pending>,
    clauses: SharedFile<Pending>,
}

impl ProofFiles {
    /// Prepares the files of a proof. Older files with these names are removed, so that they cannot be taken for the
    /// new ones.
    pub(crate) fn new(file: &Path) -> Result<Self, Diagnostic> {
        let clauses = clauses_beside(file);
        // Both files are checked before either of the old ones is removed.
        let steps = SharedFile::new(file, Pending::new(file, FileKind::Proof)?);
        let of_clauses = SharedFile::new(&clauses, Pending::new(&clauses, FileKind::Dimacs)?);
        let draft = SharedFile::new(file, files::unnamed_beside(file).map_err(|error| unwritable(file, error))?);
        let proof = ProofFiles { draft, steps, clauses: of_clauses };
        files::remove_ours(file, FileKind::Proof)?;
        files::remove_ours(&clauses, FileKind::Dimacs)?;
        Ok(proof)
    }

    /// Reports early the errors that [`ProofFiles::new`] would report.
    pub(crate) fn check(file: &Path) -> Result<(), Diagnostic> {
        files::check_writable(file, FileKind::Proof)?;
        files::check_writable(&clauses_beside(file), FileKind::Dimacs)
    }

    /// The writers for the solver.
    pub(crate) fn writers(&self) -> Proof {
        Proof {
            draft: Box::new(self.draft.clone()),
            steps: Box::new(self.steps.clone()),
            clauses: Box::new(self.clauses.clone()),
        }
    }

    /// Completes the files and returns a message with their names. Without a refutation there is no proof, and no file.
    pub(crate) fn end(self) -> Result<Option<String>, Diagnostic> {
        self.draft.result()?;
        // Clauses are written only together with a refutation.
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

/// A file that the solver and the command share. It keeps its first error, because solvers do not report errors.
pub(crate) struct SharedFile<F>(Rc<RefCell<Growing<F>>>);

struct Growing<F> {
    file: F,
    path: PathBuf,
    empty: bool,
    failure: Option<io::Error>,
}

impl<F> Clone for SharedFile<F> {
    fn clone(&self) -> Self {
        SharedFile(self.0.clone())
    }
}

impl<F> SharedFile<F> {
    pub(crate) fn new(path: &Path, file: F) -> Self {
        SharedFile(Rc::new(RefCell::new(Growing { file, path: path.to_owned(), empty: true, failure: None })))
    }

    /// The first error.
    pub(crate) fn result(&self) -> Result<(), Diagnostic> {
        let mut growing = self.0.borrow_mut();
        growing.failure.take().map_or(Ok(()), |error| Err(unwritable(&growing.path, error)))
    }
}

impl<F> Growing<F> {
    /// Runs an operation on the file, and keeps a copy of its error.
    fn attempt<T>(&mut self, run: impl FnOnce(&mut F) -> io::Result<T>) -> io::Result<T> {
        run(&mut self.file).inspect_err(|error| {
            // The caller repeats interrupted operations.
            if error.kind() != io::ErrorKind::Interrupted && self.failure.is_none() {
                self.failure = Some(io::Error::new(error.kind(), error.to_string()));
            }
        })
    }
}

impl SharedFile<Pending> {
    /// The file, after the last other owner is gone.
    pub(crate) fn alone(self) -> Result<Pending, Diagnostic> {
        self.result()?;
        match Rc::try_unwrap(self.0) {
            Ok(growing) => Ok(growing.into_inner().file),
            Err(shared) => Err(unwritable(&shared.borrow().path, "it is still being written")),
        }
    }

    /// Completes the file under its name.
    pub(crate) fn end(self) -> Result<PathBuf, Diagnostic> {
        self.result()?;
        self.0.borrow_mut().file.complete()
    }
}

impl<F: Write> Write for SharedFile<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut growing = self.0.borrow_mut();
        growing.empty &= bytes.is_empty();
        growing.attempt(|file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().attempt(Write::flush)
    }
}

impl<F: Read> Read for SharedFile<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().attempt(|file| file.read(bytes))
    }
}

impl<F: Seek> Seek for SharedFile<F> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.0.borrow_mut().attempt(|file| file.seek(position))
    }
}

#[derive(Args)]
pub(crate) struct ProofCommand {
    #[command(subcommand)]
    what: ProofAction,
}

#[derive(Subcommand)]
enum ProofAction {
    Check(ProofCheckCommand),
}

/// Checks that a proof refutes its clauses
///
/// The checker is independent of the solver and of the translation from model to clauses. It reads proofs in the
/// formats LRAT and DRAT (as text or binary), and clauses in the format DIMACS.
#[derive(Args)]
#[command(after_help = "\
Example: conjure-like proof check none.lrat

Exit code: 0 if the proof is right; 2 if it is not, or a file cannot be read.")]
struct ProofCheckCommand {
    /// The proof
    proof: PathBuf,
    /// The clauses. The default is PROOF.cnf, which `solve --proof` writes beside the proof
    clauses: Option<PathBuf>,
}

impl ProofCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let ProofAction::Check(check) = self.what;
        check.run(invocation)
    }
}

impl ProofCheckCommand {
    fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let clauses = self.clauses.unwrap_or_else(|| clauses_beside(&self.proof));
        let mut readers = Vec::new();
        for path in [&clauses, &self.proof] {
            match invocation::open(path, &path.display().to_string()) {
                Ok(file) => readers.push(BufReader::with_capacity(1 << 16, file)),
                Err(unreadable) => return invocation.fail(unreadable),
            }
        }
        let [of_clauses, of_proof] = &mut readers[..] else { return None };
        match check_proof(of_clauses, of_proof) {
            Ok(checked) => {
                let mut text = format!(
                    "The proof is right: the {} clauses in {} contradict each other ({}).\n",
                    checked.clauses,
                    shown_path(&clauses),
                    counted(checked.steps, "step")
                );
                for claim in &checked.claims {
                    text += &format!("According to the comments in the file, they say: {}.\n", visible::line(claim));
                }
                invocation.print(&text)
            }
            Err(fault) => invocation.fail(wrong_proof(fault, &clauses, &self.proof)),
        }
    }
}

fn wrong_proof(fault: ProofFault, clauses: &Path, proof: &Path) -> Diagnostic {
    let path = match fault.which {
        ProofFile::Clauses | ProofFile::Formula => clauses,
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
