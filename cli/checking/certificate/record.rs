//! The record of a certificate: the content of `certificate.json`, and the same in words.
//!
//! The record ties the formula and the proof to the model, the data and the answer. `certificate.txt` says the same in
//! words and ends with the digest of the record, so that a change of either file is noticed.

use crate::runtime::files::FileKind;
use conjure_like::{Certificate, Instance, Model, SolveStatus, SolverName, Text, counted};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{self, Read};

/// The version of the format of the record.
const FORMAT: u32 = 1;

/// A certificate without the texts of its formula and its proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CertificateRecord {
    format: u32,
    answer: CertifiedAnswer,
    /// The answer in words.
    pub says: String,
    /// The claim about the formula that the proof shows.
    pub shows: String,
    /// The line that a checker prints for this proof.
    pub line: String,
    /// The relation between the objective and the function that the formula minimises.
    pub objective: Option<String>,
    /// True if the proof was replayed when the certificate was made.
    pub replayed: bool,
    /// The proved bound of the objective, if the answer has bounds.
    pub proved: Option<i64>,
    pub solutions: Vec<Value>,
    /// The values of the parameters, in Essence.
    pub data: String,
    pub model: RecordedText,
    pub inputs: Vec<RecordedText>,
    pub formula: RecordedFormula,
    pub proof: RecordedProof,
    pub versions: RecordedVersions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CertifiedAnswer {
    #[serde(rename = "none")]
    NoSolution,
    /// The solution is a best one.
    Best,
    /// A limit was reached: the value of the solution, and the bound that is proved.
    Bounds,
    /// There are no other solutions, or no other trade-offs.
    All,
}

/// A file of the model or the data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedText {
    pub name: String,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedFormula {
    variables: usize,
    constraints: usize,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedProof {
    pub bytes: u64,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedVersions {
    #[serde(rename = "conjure-like")]
    program: String,
    cadical: Option<String>,
    proof: String,
}

/// A certificate and its instance.
pub(crate) struct CertifiedInstance<'a> {
    pub model: &'a Model,
    pub data: &'a [Text],
    pub instance: &'a Instance,
    pub status: &'a SolveStatus,
    pub certificate: &'a Certificate,
}

impl CertificateRecord {
    pub(crate) fn new(certified: &CertifiedInstance<'_>, proof: RecordedProof, replayed: bool) -> Self {
        let CertifiedInstance { model, data, instance, status, certificate } = certified;
        let answer = match status {
            _ if certificate.proved.is_some() => CertifiedAnswer::Bounds,
            SolveStatus::Optimal => CertifiedAnswer::Best,
            SolveStatus::AllSolutions => CertifiedAnswer::All,
            _ => CertifiedAnswer::NoSolution,
        };
        CertificateRecord {
            format: FORMAT,
            answer,
            says: said(certified, answer),
            shows: certificate.claim.clone(),
            line: line(&certificate.verdict),
            objective: certificate.objective.clone(),
            replayed,
            proved: certificate.proved,
            solutions: certificate.solutions.iter().map(|solution| solution.to_value()).collect(),
            data: instance.data(),
            model: RecordedText::of(&model.text()),
            inputs: data
                .iter()
                .flat_map(|text| text.clone().into_tables())
                .map(|text| RecordedText::of(&text))
                .collect(),
            formula: RecordedFormula {
                variables: certificate.variables,
                constraints: certificate.constraints,
                sha256: sha256(certificate.formula.as_bytes()),
            },
            proof,
            versions: RecordedVersions {
                program: env!("CARGO_PKG_VERSION").to_owned(),
                cadical: "cadical".parse::<SolverName>().ok().and_then(SolverName::version),
                proof: "pseudo-Boolean proof version 3.0".to_owned(),
            },
        }
    }

    /// True if a certificate that was made again is the recorded one. The model, the inputs and the digest of the
    /// formula are left out: the caller compares the digests of the inputs, and the formula without comments.
    pub(crate) fn is_about(&self, certified: &CertifiedInstance<'_>) -> bool {
        let CertificateRecord { model, inputs, versions, .. } = self.clone();
        let made = CertificateRecord::new(certified, self.proof.clone(), self.replayed);
        // Comments in the formula contain names of files, which may be different now.
        let formula = RecordedFormula { sha256: self.formula.sha256.clone(), ..made.formula };
        CertificateRecord { model, inputs, versions, formula, ..made } == *self
    }

    /// Reads the text of `certificate.json`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let record: CertificateRecord = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match record.format {
            FORMAT => Ok(record),
            other => Err(format!("the format is {other}, and this program knows {FORMAT}")),
        }
    }

    /// The text of `certificate.json`.
    pub(crate) fn json(&self) -> String {
        format!("{}{}\n", FileKind::Json.mark(), serde_json::to_string_pretty(self).unwrap_or_default())
    }

    /// The status of the search whose answer is recorded.
    pub(crate) fn status(&self) -> SolveStatus {
        match self.answer {
            CertifiedAnswer::NoSolution => SolveStatus::Unsatisfiable,
            CertifiedAnswer::Best => SolveStatus::Optimal,
            CertifiedAnswer::Bounds => SolveStatus::TimeLimit,
            CertifiedAnswer::All => SolveStatus::AllSolutions,
        }
    }

    /// The text of `certificate.txt`; `json` is the text of `certificate.json`, whose digest it contains.
    pub(crate) fn in_words(&self, json: &str) -> String {
        let mut text = format!("{}\nThe answer\n\n{}\n", FileKind::Certificate.mark(), self.says);
        match &self.solutions[..] {
            [] => {}
            [only] => text += &format!("\nThe solution:\n\n{}\n", indented(&only.to_string())),
            several => text += &format!("certificate.json lists {}.\n", counted(several.len(), "solution")),
        }
        text += &format!(
            "\nWhat is proved\n\n\
             formula.opb is the reference formula: what the model says about this data, as sums of variables that\n\
             are 0 or 1. Its comments say what each variable means, and from which line of the model each constraint\n\
             comes.\n\
             proof.pbp is a proof in VeriPB's format. It shows: {}\n",
            self.shows
        );
        if let Some(objective) = &self.objective {
            text += &format!("{objective}\n");
        }
        text += match self.replayed {
            true => "conjure-like has replayed the proof with its own checker, and accepts it.\n",
            false => "conjure-like has not replayed the proof: that would have taken too long.\n",
        };
        text += &format!(
            "\nTo check it\n\n    cargo install veripb\n    veripb formula.opb proof.pbp\n\n\
             VeriPB was written by others and knows nothing of Essence. It has to say this line; its exit code is 0\n\
             with other lines, too, such as `s VERIFIED NO CONCLUSION`:\n\n    {}\n\n",
            self.line
        );
        if self.line.contains("INF <= obj") {
            text += "`INF <= obj` means that the formula has no solution: each value of the objective would have to\n\
                     be larger than all numbers.\n\n";
        }
        text += "This line is about formula.opb alone. That the formula belongs to the model, and the model to the\n\
                 answer, is checked by\n\n    conjure-like certificate check FOLDER MODEL [DATA]\n\n\
                 What it is about\n\n";
        let mut files = vec![(&self.model.name[..], &self.model.sha256)];
        files.extend(self.inputs.iter().map(|input| (&input.name[..], &input.sha256)));
        files.extend([("formula.opb", &self.formula.sha256), ("proof.pbp", &self.proof.sha256)]);
        for (name, digest) in files {
            text += &format!("    {digest}  {name}\n");
        }
        if !self.data.is_empty() {
            text += &format!("\nThe values of the parameters:\n\n{}\n", indented(&self.data));
        }
        text += &format!(
            "\nWhat is still believed\n\n\
             - That the reference formula says what the model says: it has {} and {}.\n\
             \x20 It is made by the folder src/reference, from the typed model and the definition of each operator on\n\
             \x20 values, without the code that has found the answer. You can read the formula, and compare its\n\
             \x20 comments.\n\
             - That the model was parsed and typed as you mean it, and that the data were read right.\n\
             - That the checker is right.\n\n\
             What need not be believed\n\n\
             The way by which the answer was found: the translation to clauses, simplification, symmetry breaking,\n\
             and the solvers. If one of them were wrong, there would be no proof that the checker accepts.\n\n\
             Made by\n\n    conjure-like {}{}\n\n\
             The digest (SHA-256) of certificate.json, which says the same to programs:\n\n    {}\n",
            counted(self.formula.variables as u64, "variable"),
            counted(self.formula.constraints as u64, "constraint"),
            self.versions.program,
            self.versions.cadical.as_ref().map_or(String::new(), |version| format!(", {version}")),
            sha256(json.as_bytes()),
        );
        text
    }
}

impl RecordedText {
    pub(crate) fn of(text: &Text) -> Self {
        RecordedText { name: text.name.clone(), sha256: sha256(text.text.as_bytes()) }
    }
}

impl RecordedProof {
    /// Computes the length and the digest of a proof without keeping it in memory.
    pub(crate) fn of(proof: &mut dyn Read) -> io::Result<Self> {
        let mut state = Sha256::new();
        let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
        loop {
            match proof.read(&mut buffer)? {
                0 => return Ok(RecordedProof { bytes, sha256: hexadecimal(&state.finalize()) }),
                count => {
                    state.update(&buffer[..count]);
                    bytes += count as u64;
                }
            }
        }
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The line that a checker prints for a verdict.
pub(crate) fn line(verdict: &impl std::fmt::Display) -> String {
    format!("s VERIFIED {verdict}")
}

/// The answer in words.
fn said(certified: &CertifiedInstance<'_>, answer: CertifiedAnswer) -> String {
    let solutions = &certified.certificate.solutions;
    let count = solutions.len();
    match answer {
        CertifiedAnswer::NoSolution => "There is no solution.".to_owned(),
        CertifiedAnswer::Best => {
            let value = solutions.first().and_then(|best| best.objective_shown()).unwrap_or_default();
            format!("The best value of the objective is {value}: a solution has it, and none has a better one.")
        }
        CertifiedAnswer::Bounds => {
            let (what, whose) = match certified.model.has_several_goals() {
                true => ("the first goal", "of the first goal"),
                false => ("the objective", "of the objective"),
            };
            match bounds(certified) {
                Some((Some(found), proved)) if found == proved => format!("{found} is the best value {whose}."),
                Some((Some(found), proved)) => format!(
                    "{found} found, {proved} proved: in a solution, {what} is {found}, and in none it is better than \
                     {proved}."
                ),
                Some((None, proved)) => {
                    format!("No solution found, {proved} proved: in no solution, {what} is better than {proved}.")
                }
                None => "The objective has bounds.".to_owned(),
            }
        }
        CertifiedAnswer::All if certified.model.has_trade_offs() => match count {
            1 => "No solution is better in one goal than the one that was found.".to_owned(),
            _ => format!("No solution is better in one goal than each of the {count} that were found."),
        },
        CertifiedAnswer::All => match count {
            1 => "There is one solution.".to_owned(),
            _ => format!("There are {count} solutions."),
        },
    }
}

/// The objective (or first goal) of the solution, if one was found, and the bound that is proved, as the user reads
/// them.
pub(crate) fn bounds(certified: &CertifiedInstance<'_>) -> Option<(Option<String>, String)> {
    let CertifiedInstance { model, certificate, .. } = certified;
    Some((certificate.found.map(|found| model.objective_shown(found)), model.objective_shown(certificate.proved?)))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}
