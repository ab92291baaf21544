//! The LRAT format (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, "Efficient certified RAT verification", 2017).
//!
//! Each step adds a clause and lists its antecedents: if all literals of the new clause are false, each antecedent in
//! turn has a single literal left, which is then true, until one has none. The empty clause ends a proof. Steps that
//! add clauses that do not follow (RAT) are refused.

use super::{CheckedProof, Lines, ProofResult, unfinished};
use std::collections::HashMap;

/// Checks the steps of a proof about these clauses.
pub(super) fn check(
    mut checked: CheckedProof,
    clauses: Vec<Box<[i32]>>,
    mut lines: Lines<'_>,
) -> ProofResult<CheckedProof> {
    // The header may announce far more variables than the clauses use, so memory is allocated only for the largest one
    // that occurs.
    let most = clauses.iter().flatten().map(|literal| literal.unsigned_abs()).max().unwrap_or(0);
    let mut checker = LratChecker {
        variables: checked.variables,
        clauses: (1..).zip(clauses).collect(),
        values: vec![0; most as usize + 1],
        assigned: Vec::new(),
    };
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
            return Err(
                lines.fault("the step does not name the clauses that it follows from: the file may be truncated")
            );
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
        // The empty clause ends the refutation, so the rest of the proof does not matter.
        if clause.is_empty() {
            return Ok(checked);
        }
        if checker.clauses.insert(id, clause).is_some() {
            return Err(lines.fault(format!("there is a clause {id} already")));
        }
    }
    Err(unfinished())
}

struct LratChecker {
    variables: u32,
    clauses: HashMap<u64, Box<[i32]>>,
    /// The value of each variable: 1, -1, or 0 if it is unassigned.
    values: Vec<i8>,
    /// The assigned variables.
    assigned: Vec<u32>,
}

impl LratChecker {
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

    /// Checks that a clause follows from the antecedents in its hints.
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
                // A clause that contains a literal and its negation is always true.
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
                // A true antecedent is harmless: it is skipped, because nothing follows from it.
                (true, ..) => {}
                (_, None, _) => return Ok(()),
                (_, Some(literal), false) => self.assign(literal),
                (_, Some(_), true) => {
                    return Err(format!(
                        "the step uses clause {hint}, which is not unit at this point: several of its literals are \
                        unassigned"
                    ));
                }
            }
        }
        Err("the clause does not follow from the clauses that the step names".to_owned())
    }
}
