//! `conjure-like certificate`, and the parts that `solve --certify` shares: the files of a certificate and the replay
//! of its proof.

mod record;

pub(crate) use record::{CertificateRecord, CertifiedInstance, RecordedProof, bounds};

use crate::{
    inputs::{
        instances,
        invocation::{self, Invocation},
    },
    runtime::{Exit, files::FileKind, interrupt},
};
use clap::{Args, Subcommand};
use conjure_like::{
    CheckedFormulaProof, Code, Diagnostic, Model, ProofFault, ProofFile, Report, Text, check_formula_proof, counted,
    visible,
};
use record::{RecordedText, line, sha256};
use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    time::Instant,
};

/// The names of the files in the folder of a certificate, with their kinds.
pub(crate) const FORMULA: (&str, FileKind) = ("formula.opb", FileKind::Opb);
pub(crate) const PROOF: (&str, FileKind) = ("proof.pbp", FileKind::PseudoBooleanProof);
pub(crate) const RECORD: (&str, FileKind) = ("certificate.json", FileKind::Json);
pub(crate) const WORDS: (&str, FileKind) = ("certificate.txt", FileKind::Certificate);

/// Replays a proof with our checker. `None` if a limit of the run or `deadline` is reached first.
pub(crate) fn replayed(
    formula: &str,
    proof: &mut dyn BufRead,
    deadline: Option<Instant>,
) -> Result<Option<CheckedFormulaProof>, ProofFault> {
    let limits = interrupt::engine_options(None);
    let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    check_formula_proof(&mut formula.as_bytes(), proof, &mut || late() || limits.reached().is_some())
}

/// The error for a wrong proof in a certificate.
pub(crate) fn wrong_proof(folder: &Path, fault: &ProofFault) -> Diagnostic {
    let (name, _) = if fault.which == ProofFile::Proof { PROOF } else { FORMULA };
    let place = folder.join(name);
    let place = match fault.line {
        0 => format!("`{}`", place.display()),
        line => format!("`{}`, line {line}", place.display()),
    };
    Diagnostic::error(Code::PROOF_WRONG, format!("{place}: {}", fault.message))
}

#[derive(Args)]
pub(crate) struct CertificateCommand {
    #[command(subcommand)]
    what: CertificateAction,
}

#[derive(Subcommand)]
enum CertificateAction {
    Check(CertificateCheckCommand),
}

/// Checks a certificate that `solve --certify` has written
///
/// Replays the proof, and compares the files of the certificate with each other. With a model and its data: also makes
/// the formula again and compares it, and checks each solution of the answer against the model.
#[derive(Args)]
#[command(after_help = "\
Example: conjure-like solve models/timetable.essence params/timetable-none.param --certify=none
         conjure-like certificate check none models/timetable.essence params/timetable-none.param

Exit code: 0 if the certificate holds; 2 if it does not, or a file cannot be read; 3 if a limit ended the check.")]
struct CertificateCheckCommand {
    /// The folder of the certificate
    folder: PathBuf,
    /// The model
    model: Option<PathBuf>,
    /// The data given to `solve`
    #[arg(value_name = "PARAM")]
    parameters: Vec<PathBuf>,
    /// Add these statements to the parameters, as for `solve`
    #[arg(short = 'D', value_name = "STATEMENTS", requires = "model")]
    define: Vec<String>,
}

impl CertificateCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let CertificateAction::Check(check) = self.what;
        check.run(invocation)
    }
}

impl CertificateCheckCommand {
    fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        interrupt::doing("the certificate was being checked");
        let read = |invocation: &mut Invocation, (name, _): (&str, FileKind)| invocation.read(&self.folder.join(name));
        let (json, words) = (read(invocation, RECORD)?, read(invocation, WORDS)?);
        let formula = read(invocation, FORMULA)?;
        let record = match self.record(&json.text, &words.text) {
            Ok(record) => record,
            Err(wrong) => return invocation.fail(wrong),
        };
        // First, the record is checked against `certificate.txt`; then the formula and the proof are checked against
        // the digests in the record.
        let is_formula = self.must_have(FORMULA.0, &sha256(formula.text.as_bytes()), &record.formula.sha256);
        invocation.accept(is_formula.map_err(Report::from))?;
        let checked = match self.checked(&formula.text, &record) {
            Ok(Some(checked)) => checked,
            Ok(None) => {
                invocation.reporting.status("A limit ended the check of the certificate.");
                return Some(Exit::Limit);
            }
            Err(wrong) => return invocation.fail(wrong),
        };
        let mut text = format!(
            "The certificate holds: {}\n\
             - The proof was replayed ({}); it shows: {}\n",
            first_lowercase(&record.says),
            counted(checked.steps, "step"),
            line(&checked.conclusion),
        );
        text += &match self.compared(invocation, &formula.text, &record)? {
            Compared::Same(solutions) => format!(
                "- The model and the data give this formula, with {}.\n{}",
                counted(checked.constraints, "constraint"),
                match solutions {
                    0 => String::new(),
                    1 => "- The solution satisfies the model.\n".to_owned(),
                    count => format!("- Each of the {count} solutions satisfies the model.\n"),
                }
            ),
            Compared::NoModel => {
                let missing =
                    "- The formula was not compared with a model: name the model and its data after the folder.\n";
                missing.to_owned()
            }
            Compared::Limit => {
                invocation.reporting.status("A limit ended the check of the certificate.");
                return Some(Exit::Limit);
            }
        };
        invocation.print(&visible::text(&text))
    }

    /// The record, which `certificate.json` and `certificate.txt` must agree on.
    fn record(&self, json: &str, words: &str) -> Result<CertificateRecord, Diagnostic> {
        let unknown = |why: String| {
            let place = self.folder.join(RECORD.0);
            wrong(format!("`{}` cannot be read: {why}", place.display()))
        };
        let record = CertificateRecord::read(json).map_err(unknown)?;
        match record.in_words(json) == words {
            true => Ok(record),
            false => Err(wrong(format!(
                "`{}` and `{}` contradict each other",
                self.folder.join(WORDS.0).display(),
                self.folder.join(RECORD.0).display()
            ))),
        }
    }

    fn must_have(&self, name: &str, digest: &str, expected: &str) -> Result<(), Diagnostic> {
        match digest == expected {
            true => Ok(()),
            false => Err(wrong(format!("`{}` is not the file that was certified", self.folder.join(name).display()))
                .note(digests(digest, expected))),
        }
    }

    /// Replays the proof. `None` if a limit is reached first.
    fn checked(&self, formula: &str, record: &CertificateRecord) -> Result<Option<CheckedFormulaProof>, Diagnostic> {
        let path = self.folder.join(PROOF.0);
        let open = || invocation::open(&path, &path.display().to_string());
        let unreadable =
            |error| Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{}`: {error}", path.display()));
        // The proof may be too large for memory, so it is read twice: for its digest and for the replay.
        let proof = RecordedProof::of(&mut open()?).map_err(unreadable)?;
        self.must_have(PROOF.0, &proof.sha256, &record.proof.sha256)?;
        let checked = replayed(formula, &mut BufReader::with_capacity(1 << 16, open()?), None)
            .map_err(|fault| wrong_proof(&self.folder, &fault).note("so the certificate does not hold"))?;
        match checked {
            // A checker can prove a weaker claim (`NO CONCLUSION`), so the verdict must be the recorded one.
            Some(checked) if line(&checked.conclusion) != record.line => Err(wrong(format!(
                "the proof shows `{}`, and the certificate says `{}`",
                line(&checked.conclusion),
                record.line
            ))),
            checked => Ok(checked),
        }
    }

    /// Compares the certificate with the model and the data: makes it again, and checks each solution.
    fn compared(&self, invocation: &mut Invocation, formula: &str, record: &CertificateRecord) -> Option<Compared> {
        let Some(path) = &self.model else { return Some(Compared::NoModel) };
        let (model, data) = self.inputs(invocation, path, record)?;
        let instance = invocation.accept(model.instance(&data))?;
        let mut solutions = Vec::new();
        for (number, solution) in (1..).zip(&record.solutions) {
            let text = Text::new(format!("solution {number} in {}", RECORD.0), solution.to_string());
            solutions.push(invocation.accept(model.solution(&data, &text))?);
        }
        let (status, options) = (record.status(), interrupt::engine_options(None));
        let made = interrupt::during(options.limits.deadline, || {
            instance.certificate(&status, &solutions, record.proved, &options)
        });
        let Some(certificate) = invocation.accept(made)? else { return Some(Compared::Limit) };
        if let Some(line) = difference(formula, &certificate.formula) {
            let place = self.folder.join(FORMULA.0);
            let what = format!("`{}`, line {line}: the model and the data give another formula", place.display());
            return invocation.fail(wrong(what));
        }
        let certified = CertifiedInstance {
            model: &model,
            data: &data,
            instance: &instance,
            status: &status,
            certificate: &certificate,
        };
        if !record.is_about(&certified) {
            let place = self.folder.join(RECORD.0);
            let what = format!("`{}` does not match the model, the data and the solutions", place.display());
            return invocation.fail(wrong(what));
        }
        Some(Compared::Same(solutions.len()))
    }

    /// The model and the data, if they are the certified ones.
    fn inputs(
        &self,
        invocation: &mut Invocation,
        path: &Path,
        record: &CertificateRecord,
    ) -> Option<(Model, Vec<Text>)> {
        let text = invocation.read(path)?;
        let mut data = Vec::new();
        for file in instances::files_among(&self.parameters) {
            data.push(invocation.read(file)?);
        }
        if data.len() > 1 {
            let error = Diagnostic::error(Code::COMMAND_LINE, "a certificate covers one instance");
            return invocation.fail(error.help("name the parameter file that was certified"));
        }
        data.extend(instances::common(&self.parameters, &self.define, invocation)?);
        let files: Vec<Text> = data.iter().flat_map(|text| text.clone().into_tables()).collect();
        // The comparison in pairs below would ignore texts without a partner.
        if files.len() != record.inputs.len() {
            let names: Vec<String> = record.inputs.iter().map(|input| format!("`{}`", input.name)).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let what = "these are not the data that were certified".to_owned();
            return invocation.fail(wrong(what).note(format!("the data that were certified: {names}")));
        }
        let texts = [&text].into_iter().chain(&files);
        for (text, expected) in texts.zip([&record.model].into_iter().chain(&record.inputs)) {
            let own = RecordedText::of(text);
            if own.sha256 != expected.sha256 {
                let what = format!("`{}` is not the text that was certified as `{}`", text.name, expected.name);
                let help = "to certify the new version, solve it again with --certify";
                return invocation.fail(wrong(what).note(digests(&own.sha256, &expected.sha256)).help(help));
            }
        }
        let model = invocation.accept(Model::read(&text))?;
        Some((model, data))
    }
}

/// The result of comparing a certificate with a model.
enum Compared {
    /// The model gives this certificate, and this many solutions of it satisfy the model.
    Same(usize),
    NoModel,
    Limit,
}

/// The number of the first line in which two formulas differ, ignoring comments.
fn difference(formula: &str, other: &str) -> Option<usize> {
    // The first line looks like a comment, but it contains the sizes.
    let kept = |(at, line): &(usize, &str)| *at == 0 || !line.starts_with('*');
    let mut one = formula.lines().enumerate().filter(kept);
    let mut two = other.lines().enumerate().filter(kept);
    loop {
        match (one.next(), two.next()) {
            (None, None) => return None,
            (Some((_, left)), Some((_, right))) if left == right => {}
            (Some((at, _)), _) => return Some(at + 1),
            (None, Some(_)) => return Some(formula.lines().count()),
        }
    }
}

fn wrong(what: String) -> Diagnostic {
    Diagnostic::error(Code::CERTIFICATE_WRONG, what).note("so the certificate does not hold")
}

fn digests(own: &str, expected: &str) -> String {
    format!("its SHA-256 is {own}, and the certificate says {expected}")
}

fn first_lowercase(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}
