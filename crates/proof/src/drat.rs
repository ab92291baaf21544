//! The DRAT format (Wetzler, Heule, Hunt, "DRAT-trim: efficient checking and trimming using expressive clausal proofs",
//! 2014), as text or binary.
//!
//! A step adds a clause or deletes one. An added clause follows by unit propagation: if all its literals are false,
//! propagation in the clauses leads to a contradiction (RUP). Or this holds together with each clause that contains the
//! negation of its first literal (RAT): then the clause need not follow, but each satisfying assignment can be changed
//! so that the clause is true. The proof ends when propagation alone contradicts the clauses.

use super::{CheckedProof, Lines, ProofFault, ProofFile, ProofResult, unfinished};
use std::{
    collections::{HashMap, HashSet},
    io::BufRead,
};

/// Checks the steps of a proof about these clauses.
pub(super) fn check(
    checked: CheckedProof,
    clauses: Vec<Box<[i32]>>,
    mut lines: Lines<'_>,
) -> ProofResult<CheckedProof> {
    let mut checker = DratChecker::new(checked, clauses);
    while !checker.contradiction {
        let Some(line) = lines.next()? else { return Err(unfinished()) };
        let (is_deletion, rest) = match line.strip_prefix("d ") {
            Some(rest) => (true, rest),
            None => (false, line.as_str()),
        };
        if rest.is_empty() || rest.starts_with('c') {
            continue;
        }
        let numbers = lines.terminated(rest.split_ascii_whitespace())?;
        // A proof may define new variables, so the header does not limit their numbers.
        let literals = lines.literals(&numbers, i32::MAX as u32)?;
        if literals.contains(&0) {
            return Err(lines.fault("a clause ends within the line"));
        }
        checker.step(is_deletion, &literals).map_err(|message| lines.fault(message))?;
    }
    Ok(checker.checked)
}

/// Checks a binary proof; messages have the number of a step instead of a line.
pub(super) fn check_binary(
    checked: CheckedProof,
    clauses: Vec<Box<[i32]>>,
    proof: &mut dyn BufRead,
) -> ProofResult<CheckedProof> {
    let mut checker = DratChecker::new(checked, clauses);
    let mut number = 0;
    while !checker.contradiction {
        number += 1;
        let fault = |message: String| ProofFault { which: ProofFile::Proof, line: number, message };
        let is_deletion = match byte(proof).map_err(fault)? {
            None => return Err(unfinished()),
            Some(b'a') => false,
            Some(b'd') => true,
            Some(_) => {
                return Err(fault("a step should start with `a` or `d`: is this a proof in the format DRAT?".into()));
            }
        };
        let mut literals = Vec::new();
        loop {
            match literal(proof).map_err(fault)? {
                0 => break,
                literal => literals.push(literal),
            }
        }
        checker.step(is_deletion, &literals).map_err(fault)?;
    }
    Ok(checker.checked)
}

fn byte(proof: &mut dyn BufRead) -> Result<Option<u8>, String> {
    let first = proof.fill_buf().map_err(|error| format!("cannot be read: {error}"))?.first().copied();
    proof.consume(usize::from(first.is_some()));
    Ok(first)
}

/// Reads a literal: twice its variable, plus one if it is negated, in groups of seven bits, the lowest first. 0 ends a
/// clause.
fn literal(proof: &mut dyn BufRead) -> Result<i32, String> {
    let mut value: u64 = 0;
    for shift in (0..35).step_by(7) {
        let part = byte(proof)?.ok_or("the file is truncated")?;
        value |= u64::from(part & 0x7f) << shift;
        if part & 0x80 == 0 {
            let variable = i32::try_from(value >> 1).map_err(|_| "a variable is too large")?;
            return Ok(if value & 1 == 1 { -variable } else { variable });
        }
    }
    Err("a literal is too large: is this a proof in the format DRAT?".to_owned())
}

/// A literal by the number of its variable among those that occur: twice that number, plus one if it is negated.
type LiteralCode = u32;

#[derive(Default)]
struct DratChecker {
    checked: CheckedProof,
    numbers: HashMap<u32, u32>,
    /// All clauses; deleted ones are empty. The first two literals are watched.
    clauses: Vec<Box<[LiteralCode]>>,
    /// The clauses by the hash of their literals, whatever their order.
    by_hash: HashMap<u64, Vec<u32>>,
    /// The clauses that watch each literal.
    watches: Vec<Vec<u32>>,
    /// True for each true literal.
    holds: Vec<bool>,
    trail: Vec<LiteralCode>,
    /// The number of propagated literals of the trail.
    head: usize,
    /// Clauses that have made a literal true permanently. They are never deleted, as in the checkers of competitions.
    reasons: HashSet<u32>,
    /// True if propagation has contradicted the clauses.
    contradiction: bool,
}

impl DratChecker {
    fn new(checked: CheckedProof, clauses: Vec<Box<[i32]>>) -> Self {
        let mut checker = DratChecker { checked, ..DratChecker::default() };
        for clause in clauses {
            let clause = checker.codes(&clause);
            checker.add(clause);
        }
        checker
    }

    fn codes(&mut self, literals: &[i32]) -> Vec<LiteralCode> {
        let mut codes: Vec<LiteralCode> = Vec::with_capacity(literals.len());
        for literal in literals {
            let next = self.numbers.len() as u32;
            let number = *self.numbers.entry(literal.unsigned_abs()).or_insert(next);
            if number == next {
                self.watches.extend([Vec::new(), Vec::new()]);
                self.holds.extend([false, false]);
            }
            let code = 2 * number + u32::from(*literal < 0);
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        codes
    }

    fn step(&mut self, is_deletion: bool, literals: &[i32]) -> Result<(), String> {
        let clause = self.codes(literals);
        if is_deletion {
            return self.delete(&clause);
        }
        // RUP is tried first, because it is cheaper and holds for nearly all steps.
        if !self.follows(&clause, &[]) && !self.is_redundant(&clause) {
            return Err("the clause does not follow from the clauses so far".to_owned());
        }
        self.checked.steps += 1;
        self.add(clause);
        Ok(())
    }

    /// Returns true if propagation contradicts the clauses when all these literals are false.
    fn follows(&mut self, clause: &[LiteralCode], others: &[LiteralCode]) -> bool {
        let start = self.trail.len();
        let mut contradicts = false;
        for literal in clause.iter().chain(others) {
            if self.holds[*literal as usize] {
                contradicts = true;
                break;
            }
            self.assign(literal ^ 1);
        }
        contradicts = contradicts || !self.propagate(false);
        // Only the assignments that follow from the negated clause are undone.
        for literal in self.trail.drain(start..) {
            self.holds[literal as usize] = false;
        }
        self.head = start;
        contradicts
    }

    /// Returns true if the clause follows together with each clause that contains the negation of its first literal.
    fn is_redundant(&mut self, clause: &[LiteralCode]) -> bool {
        let Some(first) = clause.first().copied() else { return false };
        let negation = first ^ 1;
        (0..self.clauses.len()).all(|index| {
            if !self.clauses[index].contains(&negation) {
                return true;
            }
            let others: Vec<LiteralCode> =
                self.clauses[index].iter().copied().filter(|literal| *literal != negation).collect();
            self.follows(clause, &others)
        })
    }

    fn add(&mut self, mut clause: Vec<LiteralCode>) {
        // Only literals that are not false may be watched, so these come first.
        clause.sort_by_key(|literal| self.holds[(literal ^ 1) as usize]);
        let index = self.clauses.len() as u32;
        let open = clause.iter().filter(|literal| !self.holds[(**literal ^ 1) as usize]).count();
        self.by_hash.entry(hash(&clause)).or_default().push(index);
        if let [first, second, ..] = clause[..] {
            self.watches[first as usize].push(index);
            self.watches[second as usize].push(index);
        }
        let first = clause.first().copied();
        self.clauses.push(clause.into());
        // The trail contains only permanent literals, so the clause is permanently false or unit.
        match (open, first) {
            (0, _) | (_, None) => self.contradiction = true,
            (1, Some(first)) => {
                self.reasons.insert(index);
                self.assign(first);
                self.contradiction |= !self.propagate(true);
            }
            _ => {}
        }
    }

    fn delete(&mut self, clause: &[LiteralCode]) -> Result<(), String> {
        let key = hash(clause);
        let wanted: HashSet<LiteralCode> = clause.iter().copied().collect();
        let same = |index: &u32| {
            let other = &self.clauses[*index as usize];
            other.len() == wanted.len() && other.iter().all(|literal| wanted.contains(literal))
        };
        let found = self.by_hash.get(&key).and_then(|indices| indices.iter().position(same));
        let Some(position) = found else { return Err("there is no such clause to delete".to_owned()) };
        let indices = self.by_hash.get_mut(&key).map_or_else(Default::default, |indices| {
            let index = indices[position];
            // If the reason of a permanent literal were deleted, the literal would have no derivation.
            if !self.reasons.contains(&index) {
                indices.swap_remove(position);
                return Some(index);
            }
            None
        });
        if let Some(index) = indices {
            // Watch lists drop the clause when they find it empty.
            self.clauses[index as usize] = Box::default();
        }
        Ok(())
    }

    fn assign(&mut self, literal: LiteralCode) {
        if !self.holds[literal as usize] {
            self.holds[literal as usize] = true;
            self.trail.push(literal);
        }
    }

    /// Propagates units; returns false if a clause has no literal left.
    fn propagate(&mut self, for_good: bool) -> bool {
        while let Some(literal) = self.trail.get(self.head).copied() {
            self.head += 1;
            let failed = literal ^ 1;
            let mut watching = std::mem::take(&mut self.watches[failed as usize]);
            let mut position = 0;
            while let Some(index) = watching.get(position).copied() {
                let clause = &mut self.clauses[index as usize];
                if clause.is_empty() {
                    watching.swap_remove(position);
                    continue;
                }
                if clause[0] == failed {
                    clause.swap(0, 1);
                }
                if self.holds[clause[0] as usize] {
                    position += 1;
                    continue;
                }
                let other = clause[2..].iter().position(|literal| !self.holds[(literal ^ 1) as usize]);
                if let Some(other) = other {
                    clause.swap(1, other + 2);
                    let watched = clause[1];
                    self.watches[watched as usize].push(index);
                    watching.swap_remove(position);
                    continue;
                }
                let last = clause[0];
                if self.holds[(last ^ 1) as usize] {
                    self.watches[failed as usize].extend(watching);
                    return false;
                }
                if for_good {
                    self.reasons.insert(index);
                }
                self.assign(last);
                position += 1;
            }
            self.watches[failed as usize].extend(watching);
        }
        true
    }
}

/// Returns the hash of a clause, whatever the order of its literals.
fn hash(clause: &[LiteralCode]) -> u64 {
    // Factors near the golden ratio times 2^64 (Knuth) make coinciding sums unlikely.
    clause
        .iter()
        .map(|literal| u64::from(*literal).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .fold(0, |sum, one| sum.wrapping_add(one ^ one >> 29))
}

#[cfg(test)]
mod tests {
    use super::DratChecker;
    use crate::{CheckedProof, check};
    use fastrand::Rng;

    const CLAUSES: &str = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";

    fn run(clauses: &str, proof: impl AsRef<[u8]>) -> Result<CheckedProof, String> {
        check(&mut clauses.as_bytes(), &mut proof.as_ref())
            .map_err(|fault| format!("{}: {}", fault.line, fault.message))
    }

    #[test]
    fn a_proof_is_accepted() {
        assert_eq!(run(CLAUSES, "2 0\nd 1 2 0\n0\n").map(|checked| checked.steps), Ok(1));
        // This example is from the paper on the format: 2 is twice variable 1, and 3 is the negation of variable 1.
        assert_eq!(run(CLAUSES, [b'a', 4, 0, b'd', 2, 4, 0, b'a', 0]).map(|checked| checked.steps), Ok(1));
    }

    #[test]
    fn a_definition_need_not_follow() {
        // The clauses define variable 3 as `1 and 2`.
        let definition = "3 -1 -2 0\n-3 1 0\n-3 2 0\n2 0\n0\n";
        assert_eq!(run(CLAUSES, definition).map(|checked| checked.steps), Ok(4));
        // The first literal is the defined one, so in another order, this is not a definition.
        assert!(run("p cnf 2 1\n1 2 0\n", "-1 0\n-2 0\n0\n").is_err());
    }

    #[test]
    fn what_is_no_proof_is_refused() {
        let satisfiable = "p cnf 2 3\n1 2 0\n-1 2 0\n1 -2 0\n";
        for (clauses, proof, expected) in [
            (satisfiable, "2 0\n-1 0\n0\n", "2: the clause does not follow"),
            (satisfiable, "0\n", "1: the clause does not follow"),
            (satisfiable, "2 0\n", "0: the proof ends before"),
            (CLAUSES, "d 1 2 3 0\n2 0\n", "1: there is no such clause to delete"),
            (CLAUSES, "d 1 2 0\nd 2 1 0\n2 0\n", "2: there is no such clause to delete"),
            (CLAUSES, "d 1 2 0\nd -1 2 0\n0\n", "3: the clause does not follow"),
            (CLAUSES, "2", "1: the"),
        ] {
            let fault = run(clauses, proof).expect_err(expected);
            assert!(fault.starts_with(expected), "{fault}\ninstead of {expected}");
        }
        assert!(run(CLAUSES, [b'a', 4]).is_err_and(|fault| fault.ends_with("truncated")));
        assert!(run(CLAUSES, [b'a', 0x84, 0x80, 0x80, 0x80, 0x80, 0x80, 0]).is_err());
        assert!(run(satisfiable, [b'a', 4, 0, b'x', 0]).is_err());
    }

    /// Random steps, of which the valid ones are accepted, never contradict satisfiable clauses.
    #[test]
    fn what_has_an_assignment_is_never_refuted() {
        let mut refuted = 0;
        for seed in 1..3_000 {
            let mut random = Rng::with_seed(seed);
            let mut clause = |most: i32| -> Box<[i32]> {
                let literal = |random: &mut Rng| random.i32(1..=5) * if random.bool() { 1 } else { -1 };
                (0..random.i32(1..=most)).map(|_| literal(&mut random)).collect()
            };
            let clauses: Vec<Box<[i32]>> = (0..12 + seed % 9).map(|_| clause(3)).collect();
            let holds =
                |assignment: u32, literal: i32| (assignment >> literal.unsigned_abs() & 1 == 1) == (literal > 0);
            let satisfiable = (0..64).any(|assignment| {
                clauses.iter().all(|clause| clause.iter().any(|literal| holds(assignment, *literal)))
            });
            let mut checker = DratChecker::new(CheckedProof::default(), clauses.clone());
            for step in 0..60 {
                if checker.contradiction {
                    break;
                }
                let is_deletion = step % 4 == 3;
                let literals = if is_deletion { clauses[step % clauses.len()].clone() } else { clause(3) };
                let _ = checker.step(is_deletion, &literals);
            }
            assert!(!(checker.contradiction && satisfiable), "seed {seed}: {clauses:?}");
            refuted += u32::from(checker.contradiction);
        }
        assert!(refuted > 500, "{refuted} of 3,000 were refuted");
    }
}
