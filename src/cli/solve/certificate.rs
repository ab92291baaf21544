//! `--certify`: the files of a certificate, which get their names when it is complete.

use super::SolveCommand;
use crate::cli::{
    files::{self, FileKind, Pending},
    proof::SharedFile,
    session::Session,
};
use conjure_like::{Certificate, Code, Count, Diagnostic, Model, SolveStatus};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// The names of the files in the folder, with their kinds.
const FILES: [(&str, FileKind); 3] = [
    ("formula.opb", FileKind::Opb),
    ("proof.pbp", FileKind::PseudoBooleanProof),
    ("certificate.txt", FileKind::Certificate),
];

/// A certificate on its way into a folder.
pub(super) struct CertificateFiles {
    folder: PathBuf,
    proof: SharedFile<Pending>,
}

impl CertificateFiles {
    /// Makes the folder, unless it is there. Older files of these names are removed, so that nothing old looks new.
    pub(super) fn new(folder: &Path) -> Result<Self, Diagnostic> {
        fs::create_dir_all(folder).map_err(|error| files::unwritable(folder, error))?;
        FILES.iter().try_for_each(|(name, kind)| files::check(&folder.join(name), *kind))?;
        FILES.iter().try_for_each(|(name, kind)| files::remove_ours(&folder.join(name), *kind))?;
        let (name, kind) = FILES[1];
        let path = folder.join(name);
        let proof = SharedFile::new(&path, Pending::new(&path, kind)?);
        Ok(CertificateFiles { folder: folder.to_owned(), proof })
    }

    /// The destination of the proof.
    pub(super) fn proof(&self) -> Box<dyn Write> {
        Box::new(self.proof.clone())
    }

    /// Completes the files, and returns what people are told about them.
    pub(super) fn end(self, made: Option<&Certificate>, status: &SolveStatus) -> Result<String, Diagnostic> {
        let Some(certificate) = made else {
            return Ok(match status {
                SolveStatus::Satisfied => "No certificate was written: a solution is checked against the model, and \
                     needs none. With --all, a certificate says that there are no others."
                    .to_owned(),
                status if status.is_definite() => {
                    "No certificate was written: a limit ended the work on it.".to_owned()
                }
                _ => "No certificate was written: the search has no definite answer.".to_owned(),
            });
        };
        self.proof.end()?;
        for ((name, kind), text) in [FILES[0], FILES[2]].iter().zip([&certificate.formula, &certificate.explanation]) {
            Pending::whole(&self.folder.join(name), *kind, text.strip_prefix(kind.mark()).unwrap_or(text))?;
        }
        let folder = self.folder.display();
        Ok(format!(
            "Wrote a certificate of this answer into {folder}. To check it: \
             veripb {folder}/formula.opb {folder}/proof.pbp"
        ))
    }
}

impl SolveCommand {
    /// Checks what else is asked for together with `--certify`.
    pub(super) fn check_certify(&self, session: &mut Session, model: &Model) -> Option<()> {
        let fail = |session: &mut Session, message: &str, help: &str| {
            session.fail(Diagnostic::error(Code::COMMAND_LINE, message).help(help))
        };
        if self.instances.are_several() {
            let help = "run the parameter files one by one";
            return fail(session, "--certify works for one instance only", help);
        }
        if self.wanted() != Count::First(1) && model.has_objective() && !model.has_trade_offs() {
            let help = "leave out -n and --number-of-solutions";
            return fail(session, "--certify works for one best solution only", help);
        }
        if self.unnamed_symmetry_breaking.0.is_some() {
            let help = "leave out --unnamed-symmetry-breaking";
            return fail(session, "--certify is about all solutions, also symmetric ones", help);
        }
        if self.emit.is_some() || !self.goals.are_none(model) {
            let help = "leave out the other options";
            return fail(
                session,
                "--certify is for solving the whole instance as it is, with at most one best solution",
                help,
            );
        }
        Some(())
    }
}
