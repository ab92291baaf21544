//! A checker for proofs that clauses have no assignment, in the format LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann,
//! Schneider-Kamp, "Efficient certified RAT verification", 2017).
//!
//! It shares nothing with the solvers and the encoder, and trusts neither. Each step of a proof adds a clause and lists
//! the clauses that it follows from: if all literals of the new clause were false, each listed clause in turn would
//! have one literal left, which is then true, until one has none. The empty clause ends a proof. Steps that add clauses
//! which do not follow (RAT) are refused: this program does not write them.

use rustc_hash::FxHashMap;
use std::io::{self, BufRead};

/// ProofFile of the two files a fault is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFile {
    Clauses,
    Proof,
}

/// The reason why a proof is invalid.
#[derive(Debug, PartialEq, Eq)]
pub struct ProofFault {
    pub which: ProofFile,
    /// The line, from 1; 0 if the reason is about the whole file.
    pub line: u64,
    pub message: String,
}

/// The result of checking a proof.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CheckedProof {
    pub variables: u32,
    pub clauses: u64,
    /// The number of clauses that the proof derived.
    pub steps: u64,
    /// The claims about the clauses: the comments that begin with `c claim`.
    pub claims: Vec<String>,
}

/// The beginning of a comment that claims in words what is refuted.
pub(crate) const CLAIM: &str = "c claim ";

type ProofResult<T> = std::result::Result<T, ProofFault>;

/// Whether a proof refutes clauses in the format DIMACS.
pub fn check(clauses: &mut dyn BufRead, proof: &mut dyn BufRead) -> ProofResult<CheckedProof> {
    let mut checker = Checker::default();
    let mut checked = checker.read_clauses(clauses)?;
    let mut lines = Lines::new(ProofFile::Proof, proof);
    while let Some(line) = lines.next()? {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        if first == "c" {
            continue;
        }
        let id = lines.id(first)?;
        let second = words.next();
        if second == Some("d") {
            let deleted = lines.terminated(words)?;
            for id in deleted {
                if checker.clauses.remove(&(id.unsigned_abs())).is_none() {
                    return Err(lines.fault(format!("there is no clause {id} to delete")));
                }
            }
            continue;
        }
        let mut numbers = lines.numbers(second.into_iter().chain(words))?;
        let Some(end) = numbers.iter().position(|number| *number == 0) else {
            return Err(lines.fault("the clause does not end with 0: the file may be truncated"));
        };
        if end + 1 == numbers.len() {
            let message = "the step does not name the clauses that it follows from: the file is truncated, or in the format DRAT instead of LRAT";
            return Err(lines.fault(message));
        }
        if numbers.last() != Some(&0) || numbers[end + 1..numbers.len() - 1].contains(&0) {
            return Err(lines.fault("the line does not end with 0: the file may be truncated"));
        }
        numbers.pop();
        let hints = numbers.split_off(end + 1);
        numbers.pop();
        let clause = lines.literals(&numbers, checker.variables)?;
        checker.follows(&clause, &hints).map_err(|message| lines.fault(message))?;
        checked.steps += 1;
        if clause.is_empty() {
            return Ok(checked);
        }
        if checker.clauses.insert(id, clause).is_some() {
            return Err(lines.fault(format!("there is a clause {id} already")));
        }
    }
    Err(ProofFault {
        which: ProofFile::Proof,
        line: 0,
        message: "the proof ends before it derives the empty clause: the file may be truncated".to_owned(),
    })
}

#[derive(Default)]
struct Checker {
    variables: u32,
    clauses: FxHashMap<u64, Box<[i32]>>,
    /// The truth value of each variable: 1, -1, or 0 if it is open.
    values: Vec<i8>,
    /// The variables that are not open.
    assigned: Vec<u32>,
}

impl Checker {
    fn read_clauses(&mut self, input: &mut dyn BufRead) -> ProofResult<CheckedProof> {
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
                    let Some((variables, clauses)) = counts.filter(|(variables, _)| *variables <= i32::MAX as u32)
                    else {
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
                        if checked.clauses > count {
                            return Err(lines.fault(format!("the header says {count} clauses, but there are more")));
                        }
                        let clause = lines.literals(&open, variables)?;
                        open.clear();
                        self.clauses.insert(checked.clauses, clause);
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
                self.variables = variables;
                // The largest variable may be far above those that are used: memory is taken only up to the largest one
                // that occurs.
                let most = self.clauses.values().flat_map(|clause| clause.iter()).map(|literal| literal.unsigned_abs());
                self.values = vec![0; most.max().unwrap_or(0) as usize + 1];
                Ok(checked)
            }
        }
    }

    fn value(&self, literal: i32) -> i8 {
        let value = self.values.get(literal.unsigned_abs() as usize).copied().unwrap_or(0);
        if literal < 0 { -value } else { value }
    }

    fn assign(&mut self, literal: i32) {
        let variable = literal.unsigned_abs();
        if self.values.len() <= variable as usize {
            self.values.resize(variable as usize + 1, 0);
        }
        self.values[variable as usize] = literal.signum() as i8;
        self.assigned.push(variable);
    }

    /// Whether a clause follows from the clauses that its hints name.
    fn follows(&mut self, clause: &[i32], hints: &[i64]) -> std::result::Result<(), String> {
        let result = self.contradicted(clause, hints);
        for variable in self.assigned.drain(..) {
            self.values[variable as usize] = 0;
        }
        result
    }

    fn contradicted(&mut self, clause: &[i32], hints: &[i64]) -> std::result::Result<(), String> {
        for literal in clause {
            match self.value(*literal) {
                0 => self.assign(-literal),
                // The clause contains a literal and its negation, and always holds.
                1 => return Ok(()),
                _ => {}
            }
        }
        for hint in hints {
            if *hint < 0 {
                return Err(
                    "this is a RAT step, which this checker does not accept: each clause must follow by propagation"
                        .to_owned(),
                );
            }
            let Some(used) = self.clauses.get(&hint.unsigned_abs()) else {
                return Err(format!("the step uses clause {hint}, which does not exist at this point"));
            };
            let mut left = None;
            let mut several = false;
            let mut holds = false;
            for literal in used {
                match self.value(*literal) {
                    0 => {
                        several |= left.is_some_and(|left| left != *literal);
                        left = Some(*literal);
                    }
                    1 => holds = true,
                    _ => {}
                }
            }
            match (holds, left, several) {
                (true, ..) => {}
                (_, None, _) => return Ok(()),
                (_, Some(literal), false) => self.assign(literal),
                (_, Some(_), true) => {
                    return Err(format!(
                        "the step uses clause {hint}, which is not unit at this point: several of its literals are unassigned"
                    ));
                }
            }
        }
        Err("the clause does not follow from the clauses that the step names".to_owned())
    }
}

/// The lines of a file, with their numbers for messages.
struct Lines<'r> {
    which: ProofFile,
    reader: &'r mut dyn BufRead,
    number: u64,
}

impl<'r> Lines<'r> {
    fn new(which: ProofFile, reader: &'r mut dyn BufRead) -> Self {
        Lines { which, reader, number: 0 }
    }

    fn fault(&self, message: impl Into<String>) -> ProofFault {
        ProofFault { which: self.which, line: self.number, message: message.into() }
    }

    fn next(&mut self) -> ProofResult<Option<String>> {
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
                    .fault("a step should begin with the number of its clause: is this a proof in the format LRAT?"))
            }
        }
    }

    fn numbers<'w>(&self, words: impl Iterator<Item = &'w str>) -> ProofResult<Vec<i64>> {
        let number =
            |word: &str| word.parse().map_err(|_| self.fault(format!("`{}` is not a number", word.escape_debug())));
        words.map(number).collect()
    }

    /// Numbers up to a 0 at the end of the line.
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

    /// The four clauses over two Booleans, which have no assignment.
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
            (CLAUSES.to_owned(), "2 0\n".to_owned(), "Proof 1: the step does not name the clauses"),
            (CLAUSES.to_owned(), "d 1 0\n".to_owned(), "Proof 1: a step should begin with the number"),
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
        // Without the last clause there is an assignment, whatever the proof says.
        let clauses = CLAUSES.replace("-1 -2 0\n", "").replace("cnf 2 4", "cnf 2 3");
        assert!(run(&clauses, PROOF).is_err());
        assert!(run("p cnf 1 1\n1 0\n", "2 0 0\n").is_err());
        assert!(run("p cnf 1 1\n0\n", "2 0 1 0\n").is_ok());
    }
}
