//! `--certify`: the files of a certificate, which get their names once it is complete.

use super::SolveCommand;
use crate::{
    checking::{
        certificate::{
            CertificateRecord, CertifiedInstance, FORMULA, PROOF, RECORD, RecordedProof, WORDS, bounds, replayed,
            wrong_proof,
        },
        proof::SharedFile,
    },
    inputs::{invocation::Invocation, roles::typed},
    runtime::{
        files::{self, FileKind, Pending},
        interrupt,
    },
};
use conjure_like::{Code, Count, Diagnostic, EngineOptions, Model, SolveOptions, SolveStatus};
use std::{
    ffi::OsString,
    fs,
    io::{BufReader, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The time limit of the replay of a proof. Chosen.
const REPLAY: Duration = Duration::from_secs(60);

/// A certificate that is being written into a folder.
pub(super) struct CertificateFiles {
    folder: PathBuf,
    proof: SharedFile<Pending>,
    formula: Pending,
    record: Pending,
    words: Pending,
}

/// The result of making a certificate, in words.
pub(super) enum CertificateEnd {
    Written(String),
    /// The answer needs no certificate, or there is none.
    None(String),
    /// A limit ended the work on the certificate.
    Limit(String),
}

impl CertificateFiles {
    /// Makes the folder if necessary. Older files of these names are removed, so that no old file looks new.
    pub(super) fn new(folder: &Path) -> Result<Self, Diagnostic> {
        fs::create_dir_all(folder).map_err(|error| files::unwritable(folder, error))?;
        let all = [FORMULA, PROOF, RECORD, WORDS];
        // All names are checked before any old file is removed, so that a refusal leaves the older certificate intact.
        all.iter().try_for_each(|(name, kind)| files::check_writable(&folder.join(name), *kind))?;
        all.iter().try_for_each(|(name, kind)| files::remove_ours(&folder.join(name), *kind))?;
        let pending = |(name, kind): (&str, FileKind)| Pending::new(&folder.join(name), kind);
        Ok(CertificateFiles {
            folder: folder.to_owned(),
            proof: SharedFile::new(&folder.join(PROOF.0), pending(PROOF)?),
            formula: pending(FORMULA)?,
            record: pending(RECORD)?,
            words: pending(WORDS)?,
        })
    }

    /// The writer for the proof.
    pub(super) fn proof(&self) -> Box<dyn Write> {
        Box::new(self.proof.clone())
    }

    /// The reason why there is no certificate.
    pub(super) fn without(status: &SolveStatus) -> CertificateEnd {
        match status {
            SolveStatus::Satisfied => CertificateEnd::None(
                "No certificate was written: a solution is checked against the model, and needs none. With --all, a \
                 certificate says that there are no others."
                    .to_owned(),
            ),
            status if status.is_definite() => {
                CertificateEnd::Limit("No certificate was written: a limit ended the work on it.".to_owned())
            }
            _ => CertificateEnd::None("No certificate was written: the search has no definite answer.".to_owned()),
        }
    }

    /// Replays the proof and completes the files. `inputs` are the words for the model and the data.
    pub(super) fn end(
        self,
        certified: &CertifiedInstance<'_>,
        inputs: impl Iterator<Item = OsString>,
    ) -> Result<CertificateEnd, Diagnostic> {
        let CertificateFiles { folder, proof, mut formula, mut record, mut words } = self;
        let mut proof = proof.alone()?;
        let text = &certified.certificate.formula;
        let unreadable = |error| files::unwritable(&folder.join(PROOF.0), error);
        let recorded = RecordedProof::of(&mut proof.written().map_err(unreadable)?).map_err(unreadable)?;
        let mut reader = BufReader::with_capacity(1 << 16, proof.written().map_err(unreadable)?);
        // Writing the files gets a fifth of the remaining time.
        let left = interrupt::deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()) * 4 / 5);
        let time = left.map_or(REPLAY, |left| left.min(REPLAY));
        let checked = replayed(text, &mut reader, Instant::now().checked_add(time));
        let bug = "this is a bug in conjure-like: the proof of the certificate is wrong, and it was not written";
        let checked = checked.map_err(|fault| wrong_proof(&folder, &fault).note(bug))?;
        if let Some(checked) = &checked
            && checked.conclusion.to_string() != certified.certificate.verdict
        {
            let what = format!("the proof shows `{}`, not `{}`", checked.conclusion, certified.certificate.verdict);
            return Err(Diagnostic::error(Code::PROOF_WRONG, what).note(bug));
        }
        drop(reader);
        let made = CertificateRecord::new(certified, recorded, checked.is_some());
        let json = made.json();
        let said = made.in_words(&json);
        for (file, (_, kind), text) in
            [(&mut formula, FORMULA, text), (&mut record, RECORD, &json), (&mut words, WORDS, &said)]
        {
            // `Pending` has already written the mark.
            file.add(text.strip_prefix(kind.mark()).unwrap_or(text))?;
        }
        // The description comes last, so that it never mentions files that are missing.
        Pending::complete_all(vec![proof, formula, record, words])?;
        let check = ["conjure-like".into(), "certificate".into(), "check".into(), folder.clone().into_os_string()];
        let veripb = ["veripb".into(), folder.join(FORMULA.0).into(), folder.join(PROOF.0).into()];
        let (what, end): (_, fn(String) -> CertificateEnd) = match bounds(certified) {
            Some((found, proved)) => {
                let found = found.unwrap_or_else(|| "nothing".to_owned());
                (format!("bounds ({found} found, {proved} proved)"), CertificateEnd::Limit)
            }
            None => ("this answer".to_owned(), CertificateEnd::Written),
        };
        Ok(end(format!(
            "Wrote a certificate of {what} into {}. {}\nTo check it: {}, or {}",
            typed([folder.into_os_string()]),
            match checked {
                Some(_) => "Its proof was replayed, and is right.".to_owned(),
                None if time < REPLAY => "Its proof was not replayed: the time limit came first.".to_owned(),
                None => format!("Its proof was not replayed: that takes more than {} s.", REPLAY.as_secs()),
            },
            typed(check.into_iter().chain(inputs)),
            typed(veripb),
        )))
    }
}

impl SolveCommand {
    /// The options for the search and for its certificate. With a time limit and an objective, the search gets half of
    /// the time, so that its bounds can be certified, and the replay of the proof gets the rest.
    pub(super) fn with_time_to_certify(&self, options: SolveOptions, model: &Model) -> (SolveOptions, EngineOptions) {
        let certifying = options.search.clone();
        let Some(deadline) = options.search.limits.deadline else { return (options, certifying) };
        if self.certify.is_none() || !model.has_objective() {
            return (options, certifying);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let until = |engine: &EngineOptions, time: Duration| {
            let limits = engine.limits.clone().deadline(Some(Instant::now() + time));
            engine.clone().limits(limits)
        };
        let search = until(&options.search, left / 2);
        (options.search(search), until(&certifying, left * 9 / 10))
    }

    /// Checks the options in combination with `--certify`.
    pub(super) fn check_certify(&self, invocation: &mut Invocation, model: &Model) -> Option<()> {
        let fail = |invocation: &mut Invocation, message: &str, help: &str| {
            invocation.fail(Diagnostic::error(Code::COMMAND_LINE, message).help(help))
        };
        if self.instances.are_several() {
            let help = "run the parameter files one by one";
            return fail(invocation, "--certify works for one instance only", help);
        }
        if self.wanted() != Count::First(1) && model.has_objective() && !model.has_trade_offs() {
            let help = "leave out -n and --number-of-solutions";
            return fail(invocation, "--certify works for one best solution only", help);
        }
        if self.unnamed_symmetry_breaking.0.is_some() {
            let help = "leave out --unnamed-symmetry-breaking";
            return fail(invocation, "--certify is about all solutions, including symmetric ones", help);
        }
        if self.emit.is_some() || !self.goals.are_none(model) {
            let help = "leave out the other options";
            return fail(
                invocation,
                "--certify is for solving the whole instance as it is, with at most one best solution",
                help,
            );
        }
        Some(())
    }
}
