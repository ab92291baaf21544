//! Checkers of proofs that clauses have no satisfying assignment, in the LRAT and DRAT formats, and of proofs about
//! pseudo-Boolean formulas, in VeriPB's format. `conjure-like proof check`, the certificates and the tests of the
//! solvers use them.
//!
//! The checkers neither share code with the solvers, the encoder and the writer of certificates nor trust these. Any
//! input ends in a verdict or a fault.
//!
//! Certificates rely on these checkers alone, so you may change them only if they still refuse everything that they do
//! not understand.

mod drat;
mod lrat;
mod pseudo_boolean;

pub use pseudo_boolean::{CheckedFormulaProof, ProofConclusion, check_formula_proof};

use std::{
    error::Error,
    fmt,
    io::{self, BufRead},
};

/// The file with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFile {
    /// The file with the clauses.
    Clauses,
    /// The file with the pseudo-Boolean formula.
    Formula,
    /// The file with the proof.
    Proof,
}

/// The reason why a proof is invalid.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProofFault {
    /// The file with the fault.
    pub which: ProofFile,
    /// The number of the line, from 1; 0 if the reason is about the whole file.
    pub line: u64,
    /// The description of the fault.
    pub message: String,
}

impl fmt::Display for ProofFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = match self.which {
            ProofFile::Clauses => "clauses",
            ProofFile::Formula => "formula",
            ProofFile::Proof => "proof",
        };
        match self.line {
            0 => write!(f, "the {file}: {}", self.message),
            line => write!(f, "line {line} of the {file}: {}", self.message),
        }
    }
}

impl Error for ProofFault {}

/// The result of checking a proof.
#[derive(Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedProof {
    /// The number of variables.
    pub variables: u32,
    /// The number of clauses that are refuted.
    pub clauses: u64,
    /// The number of clauses that the proof derived.
    pub steps: u64,
    /// The claims about the clauses: the comments that start with `c claim`.
    pub claims: Vec<String>,
}

/// The first comment about clauses, with the length of their proof in bytes. The program recognises its proofs by this
/// comment, because a proof cannot carry a mark.
pub fn length_comment(length: u64) -> String {
    format!("c The proof has {length} bytes.")
}

/// The start of a comment that states in words what the proof of the clauses shows.
pub const CLAIM: &str = "c claim ";

type ProofResult<T> = std::result::Result<T, ProofFault>;

/// Checks that a proof refutes clauses in the DIMACS format. The first step of the proof shows its format, LRAT or
/// DRAT; DRAT may be binary.
pub fn check(clauses: &mut dyn BufRead, proof: &mut dyn BufRead) -> ProofResult<CheckedProof> {
    let (checked, clauses) = read_clauses(clauses)?;
    if is_binary(proof)? {
        return drat::check_binary(checked, clauses, proof);
    }
    let mut lines = Lines::new(ProofFile::Proof, proof);
    while let Some(line) = lines.next()? {
        if line.is_empty() || line.starts_with('c') {
            continue;
        }
        // In LRAT, a step has two zeros: one after its clause and one after its antecedents.
        let zeros = line.split_ascii_whitespace().filter(|word| *word == "0").count();
        let is_drat = line.starts_with('d') || zeros == 1 && line.split_ascii_whitespace().nth(1) != Some("d");
        lines.again = Some(line);
        return if is_drat { drat::check(checked, clauses, lines) } else { lrat::check(checked, clauses, lines) };
    }
    Err(unfinished())
}

/// Returns true if a proof starts as no text does: with the letter `a`, or with a deletion that no blank follows.
fn is_binary(proof: &mut dyn BufRead) -> ProofResult<bool> {
    let unreadable =
        |error| ProofFault { which: ProofFile::Proof, line: 0, message: format!("cannot be read: {error}") };
    let head = proof.fill_buf().map_err(unreadable)?;
    Ok(matches!(head, [b'a', ..]) || matches!(head, [b'd', second, ..] if *second != b' '))
}

fn unfinished() -> ProofFault {
    let message = "the proof ends before it derives the empty clause: the file may be truncated".to_owned();
    ProofFault { which: ProofFile::Proof, line: 0, message }
}

/// Returns the clauses of a file, and the facts that the file states.
fn read_clauses(input: &mut dyn BufRead) -> ProofResult<(CheckedProof, Vec<Box<[i32]>>)> {
    let mut clauses = Vec::new();
    let mut lines = Lines::new(ProofFile::Clauses, input);
    let mut checked = CheckedProof::default();
    let mut header: Option<(u32, u64)> = None;
    let mut open: Vec<i64> = Vec::new();
    while let Some(line) = lines.next()? {
        if let Some(claim) = line.strip_prefix(CLAIM) {
            checked.claims.push(claim.to_owned());
        }
        let mut words = line.split_ascii_whitespace().peekable();
        match (words.peek().copied(), header) {
            (None | Some("c"), _) => {}
            (Some("p"), None) => {
                let parts: Vec<&str> = words.collect();
                let counts = match parts[..] {
                    ["p", "cnf", variables, clauses] => variables.parse().ok().zip(clauses.parse().ok()),
                    _ => None,
                };
                let Some((variables, clauses)) = counts.filter(|(variables, _)| *variables <= i32::MAX as u32) else {
                    return Err(lines.fault("the header should read `p cnf VARIABLES CLAUSES`"));
                };
                header = Some((variables, clauses));
            }
            (Some("p"), Some(_)) => return Err(lines.fault("there are two headers")),
            (Some(_), None) => return Err(lines.fault("a clause stands before the header `p cnf …`")),
            (Some(_), Some((variables, count))) => {
                for number in lines.numbers(words)? {
                    if number != 0 {
                        open.push(number);
                        continue;
                    }
                    checked.clauses += 1;
                    // If a file is truncated or has additional clauses, it is not the one that was proved.
                    if checked.clauses > count {
                        return Err(lines.fault(format!("the header says {count} clauses, but there are more")));
                    }
                    let clause = lines.literals(&open, variables)?;
                    open.clear();
                    clauses.push(clause);
                }
            }
        }
    }
    let whole = |message: String| Err(ProofFault { which: ProofFile::Clauses, line: 0, message });
    match header {
        None => whole("there is no header `p cnf …`: this is not a file of clauses".to_owned()),
        Some((_, count)) if checked.clauses < count || !open.is_empty() => whole(format!(
            "the header says {count} clauses, but there are {}: the file may be truncated",
            checked.clauses
        )),
        Some((variables, _)) => {
            checked.variables = variables;
            Ok((checked, clauses))
        }
    }
}

/// The lines of a file, with their numbers for messages.
struct Lines<'r> {
    which: ProofFile,
    reader: &'r mut dyn BufRead,
    number: u64,
    /// A line to be read once more.
    again: Option<String>,
}

impl<'r> Lines<'r> {
    fn new(which: ProofFile, reader: &'r mut dyn BufRead) -> Self {
        Lines { which, reader, number: 0, again: None }
    }

    fn fault(&self, message: impl Into<String>) -> ProofFault {
        ProofFault { which: self.which, line: self.number, message: message.into() }
    }

    fn next(&mut self) -> ProofResult<Option<String>> {
        if let Some(line) = self.again.take() {
            return Ok(Some(line));
        }
        self.number += 1;
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(0) => Ok(None),
            Ok(_) => {
                line.truncate(line.trim_end().len());
                Ok(Some(line))
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(self.fault("this is not text")),
            Err(error) => Err(self.fault(format!("cannot be read: {error}"))),
        }
    }

    fn id(&self, word: &str) -> ProofResult<u64> {
        match word.parse() {
            Ok(id) if id > 0 => Ok(id),
            _ => {
                Err(self
                    .fault("a step should start with the number of its clause: is this a proof in the format LRAT?"))
            }
        }
    }

    fn numbers<'w>(&self, words: impl Iterator<Item = &'w str>) -> ProofResult<Vec<i64>> {
        let number =
            |word: &str| word.parse().map_err(|_| self.fault(format!("`{}` is not a number", word.escape_debug())));
        words.map(number).collect()
    }

    /// Reads numbers up to a 0 at the end of the line.
    fn terminated<'w>(&self, words: impl Iterator<Item = &'w str>) -> ProofResult<Vec<i64>> {
        let mut numbers = self.numbers(words)?;
        match numbers.pop() {
            Some(0) => Ok(numbers),
            _ => Err(self.fault("the line does not end with 0: the file may be truncated")),
        }
    }

    fn literals(&self, numbers: &[i64], variables: u32) -> ProofResult<Box<[i32]>> {
        let literal = |number: &i64| match i32::try_from(*number) {
            Ok(literal) if literal.unsigned_abs() <= variables => Ok(literal),
            _ => Err(self.fault(format!("the literal {number} has no variable: there are {variables}"))),
        };
        numbers.iter().map(literal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The four clauses over two Booleans, which have no satisfying assignment.
    const CLAUSES: &str = "c claim nothing is left\np cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
    const PROOF: &str = "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n";

    fn run(clauses: &str, proof: &str) -> std::result::Result<CheckedProof, String> {
        check(&mut clauses.as_bytes(), &mut proof.as_bytes())
            .map_err(|fault| format!("{:?} {}: {}", fault.which, fault.line, fault.message))
    }

    #[test]
    fn a_proof_is_accepted() {
        let checked = run(CLAUSES, PROOF).expect("a proof");
        assert_eq!((checked.variables, checked.clauses, checked.steps), (2, 4, 2));
        assert_eq!(checked.claims, ["nothing is left"]);
    }

    #[test]
    fn what_is_no_proof_is_refused() {
        let cases = [
            (CLAUSES.to_owned(), PROOF.replace("5 3 4", "5 3"), "Proof 3: the clause does not follow"),
            (CLAUSES.to_owned(), PROOF.replace("5 3 4", "3 4 5"), "Proof 3: the step uses clause 3, which is not unit"),
            (
                CLAUSES.to_owned(),
                PROOF.replace("5 3 4", "1 5 3 4"),
                "Proof 3: the step uses clause 1, which does not exist",
            ),
            (CLAUSES.to_owned(), PROOF.replace("6 0", "5 1 0"), "Proof 3: there is a clause 5 already"),
            (CLAUSES.to_owned(), PROOF.replace("6 0 5 3 4 0\n", ""), "Proof 0: the proof ends before"),
            (CLAUSES.to_owned(), PROOF.replace("4 0\n", "4"), "Proof 3: the line does not end with 0"),
            (CLAUSES.to_owned(), PROOF.replace("5 2 0 1 2 0", "5 2"), "Proof 1: the clause does not end with 0"),
            (CLAUSES.to_owned(), PROOF.replace("d 1 2", "d 1 9"), "Proof 2: there is no clause 9"),
            (CLAUSES.to_owned(), PROOF.replace("5 2 0", "5 3 0"), "Proof 1: the literal 3 has no variable"),
            (CLAUSES.to_owned(), PROOF.replace("6 0 5 3 4 0", "6 0"), "Proof 3: the step does not name the clauses"),
            (CLAUSES.to_owned(), PROOF.replace("5 d", "d"), "Proof 2: a step should start with the number"),
            (CLAUSES.to_owned(), "\n".to_owned(), "Proof 0: the proof ends before"),
            (
                CLAUSES.replace("-1 -2 0\n", ""),
                PROOF.to_owned(),
                "Clauses 0: the header says 4 clauses, but there are 3",
            ),
            (CLAUSES.replace("cnf 2 4", "cnf 2 3"), PROOF.to_owned(), "Clauses 6: the header says 3 clauses, but"),
            (CLAUSES.replace("p cnf 2 4\n", ""), PROOF.to_owned(), "Clauses 2: a clause stands before the header"),
            (String::new(), PROOF.to_owned(), "Clauses 0: there is no header"),
        ];
        for (clauses, proof, expected) in cases {
            let fault = run(&clauses, &proof).expect_err(expected);
            assert!(fault.starts_with(expected), "{fault}\ninstead of {expected}");
        }
    }

    #[test]
    fn a_clause_that_is_not_there_proves_nothing() {
        // Without the last clause, an assignment exists, so no proof may be accepted.
        let clauses = CLAUSES.replace("-1 -2 0\n", "").replace("cnf 2 4", "cnf 2 3");
        assert!(run(&clauses, PROOF).is_err());
        assert!(run("p cnf 1 1\n1 0\n", "2 0 0\n").is_err());
        assert!(run("p cnf 1 1\n0\n", "2 0 1 0\n").is_ok());
    }
}
