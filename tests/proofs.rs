//! Checks proofs of unsatisfiability, completeness and optimality with an independent checker.
//!
//! The proofs are in the format LRAT, whose hints `conjure-like proof check` follows. The checker here ignores the
//! hints. A step of a proof adds a clause that follows by reverse unit propagation: assuming all its literals false,
//! unit propagation reaches a conflict (Goldberg and Novikov, "Verification of proofs of unsatisfiability for CNF
//! formulas", 2003). The empty clause ends the proof.

#[path = "common/suite.rs"]
mod suite;

use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// Clauses with two watched literals each, and their consequences by unit propagation.
#[derive(Default)]
struct Checker {
    clauses: Vec<Vec<i32>>,
    watches: HashMap<i32, Vec<usize>>,
    /// The assignment, and its literals in the order of propagation.
    value: HashMap<i32, bool>,
    trail: Vec<i32>,
    propagated: usize,
    contradiction: bool,
    /// The clauses by their sorted literals, for deletions.
    known: HashMap<Vec<i32>, Vec<usize>>,
}

impl Checker {
    fn is(&self, literal: i32) -> Option<bool> {
        self.value.get(&literal.abs()).map(|value| *value == (literal > 0))
    }

    fn assign(&mut self, literal: i32) {
        self.value.insert(literal.abs(), literal > 0);
        self.trail.push(literal);
    }

    fn add(&mut self, mut clause: Vec<i32>) {
        let mut key = clause.clone();
        key.sort_unstable();
        clause.sort_unstable();
        clause.dedup();
        // A tautology never propagates.
        if clause.iter().any(|literal| clause.contains(&-literal)) {
            return;
        }
        // Watch literals that are not false, so that a new clause can still propagate.
        clause.sort_by_key(|literal| self.is(*literal) == Some(false));
        let index = self.clauses.len();
        self.known.entry(key).or_default().push(index);
        match clause.iter().filter(|literal| self.is(**literal) != Some(false)).count() {
            0 => self.contradiction = true,
            1 if self.is(clause[0]).is_none() => self.assign(clause[0]),
            _ => {}
        }
        clause.iter().take(2).for_each(|literal| self.watches.entry(*literal).or_default().push(index));
        self.clauses.push(clause);
        self.contradiction |= !self.propagate();
    }

    fn delete(&mut self, mut clause: Vec<i32>) {
        clause.sort_unstable();
        let Some(index) = self.known.get_mut(&clause).and_then(Vec::pop) else { return };
        // Keep a reason clause: its consequences stay on the trail, and undoing them would lose nothing but time.
        let is_reason = self.clauses[index].iter().filter(|literal| self.is(**literal) == Some(true)).count() == 1;
        if !is_reason {
            self.clauses[index].clear();
        }
    }

    /// Propagates all units. Returns false on a conflict.
    fn propagate(&mut self) -> bool {
        while self.propagated < self.trail.len() {
            let falsified = -self.trail[self.propagated];
            self.propagated += 1;
            let watching = self.watches.remove(&falsified).unwrap_or_default();
            let mut kept = Vec::new();
            let mut consistent = true;
            for index in watching {
                let clause = &self.clauses[index];
                if clause.is_empty() {
                    continue;
                }
                let place = usize::from(clause.len() > 1 && clause[1] == falsified);
                // A unit clause has no second watched literal.
                let other = clause.get(1 - place).copied();
                let free = (2..clause.len()).find(|at| self.is(clause[*at]) != Some(false));
                // Keep the watch if the other watched literal is true, move it if there is an unassigned literal, or
                // else propagate or report the conflict.
                match (other.and_then(|other| self.is(other)), free) {
                    (Some(true), _) => kept.push(index),
                    (_, Some(at)) => {
                        self.clauses[index].swap(place, at);
                        let watched = self.clauses[index][place];
                        self.watches.entry(watched).or_default().push(index);
                    }
                    (None, None) if other.is_some() => {
                        kept.push(index);
                        self.assign(other.expect("a second literal"));
                    }
                    _ => {
                        kept.push(index);
                        consistent = false;
                    }
                }
            }
            self.watches.entry(falsified).or_default().extend(kept);
            if !consistent {
                return false;
            }
        }
        true
    }

    /// True if a clause follows by reverse unit propagation.
    fn follows(&mut self, clause: &[i32]) -> bool {
        if self.contradiction {
            return true;
        }
        let (trail, propagated) = (self.trail.len(), self.propagated);
        let mut contradiction = false;
        for literal in clause {
            match self.is(*literal) {
                Some(true) => contradiction = true,
                Some(false) => {}
                None => self.assign(-literal),
            }
        }
        contradiction |= !self.propagate();
        // Undo the assumptions and their consequences.
        for literal in self.trail.drain(trail..) {
            self.value.remove(&literal.abs());
        }
        self.propagated = propagated;
        contradiction
    }
}

fn numbers(line: &str) -> Vec<i32> {
    line.split_whitespace().map(|word| word.parse().expect("a number")).take_while(|number| *number != 0).collect()
}

/// Checks that a proof refutes the clauses; the error names the first wrong step.
fn refutes(clauses: &[Vec<i32>], proof: &str) -> Result<(), String> {
    let mut checker = Checker::default();
    clauses.iter().for_each(|clause| checker.add(clause.clone()));
    let mut derived: HashMap<&str, Vec<i32>> = HashMap::new();
    for (number, line) in proof.lines().enumerate() {
        let (id, step) = line.split_once(' ').expect("the number of a clause");
        if let Some(deleted) = step.strip_prefix("d ") {
            for id in deleted.split_whitespace().take_while(|id| *id != "0") {
                checker.delete(derived.remove(id).expect("a derived clause"));
            }
            continue;
        }
        let clause = numbers(step);
        derived.insert(id, clause.clone());
        if !checker.follows(&clause) {
            return Err(format!("line {}: {line} does not follow", number + 1));
        }
        if clause.is_empty() {
            return Ok(());
        }
        checker.add(clause);
    }
    Err("the empty clause is not derived".to_owned())
}

/// The clauses of a DIMACS file. Asserts that the header states their number.
fn dimacs(text: &str) -> Vec<Vec<i32>> {
    let start = text.find("p cnf").expect("a header");
    let (header, rest) = text[start..].split_once('\n').expect("a header");
    let clauses: Vec<Vec<i32>> = rest.lines().map(numbers).collect();
    let variables = clauses.iter().flatten().map(|literal| literal.abs()).max().expect("a literal");
    assert_eq!(header, format!("p cnf {variables} {}", clauses.len()));
    clauses
}

/// Solves an instance and returns the clauses and the proof.
fn solve(name: &str, arguments: &[&str]) -> (Vec<Vec<i32>>, String) {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("proof");
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args(["solve", "--solver=cadical", "--proof"])
        .arg(&file)
        .args(arguments)
        .output()
        .expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let checked = Command::new(env!("CARGO_BIN_EXE_conjure-like")).args(["proof", "check"]).arg(&file).output();
    let checked = checked.expect("the program");
    assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
    (read(name, &file), fs::read_to_string(&file).expect("a proof"))
}

/// The clauses of a proof. Asserts that the proof has the form of LRAT, and that the external checkers accept it.
fn read(name: &str, file: &Path) -> Vec<Vec<i32>> {
    let clauses_file = file.with_extension("cnf");
    let clauses = dimacs(&fs::read_to_string(&clauses_file).expect("clauses"));
    let proof = fs::read_to_string(file).expect("a proof");
    assert_eq!(is_numbered(clauses.len(), &proof), Ok(()), "{name}");
    for checker in other_checkers() {
        let output = Command::new(&checker).arg(&clauses_file).arg(file).output();
        let said = String::from_utf8_lossy(&output.expect("a checker").stdout).into_owned();
        let accepted = said.contains("VERIFIED") && !said.contains("NOT VERIFIED");
        assert!(accepted, "{name}: {} says {said}", checker.display());
    }
    clauses
}

/// External checkers of LRAT, such as `lrat-check` and `cake_lpr`, from the variable `LRAT_CHECKERS`.
fn other_checkers() -> Vec<PathBuf> {
    env::var_os("LRAT_CHECKERS").map(|checkers| env::split_paths(&checkers).collect()).unwrap_or_default()
}

/// Checks that the steps are numbered consecutively after the last clause, that a deletion has the number of the step
/// before it, and that there are no comments.
fn is_numbered(clauses: usize, proof: &str) -> Result<(), String> {
    let mut last = clauses;
    for line in proof.lines() {
        let numbers = |text: &str| text.split(' ').all(|number| number.parse::<i64>().is_ok());
        let (id, step) = line.split_once(' ').ok_or(line)?;
        let expected = match step.strip_prefix("d ") {
            Some(deleted) if numbers(deleted) => last,
            None if numbers(step) => last + 1,
            _ => return Err(format!("this is not a step: {line}")),
        };
        if id.parse() != Ok(expected) {
            return Err(format!("{expected} is not the number of {line}"));
        }
        last = expected;
    }
    Ok(())
}

fn check(name: &str, arguments: &[&str]) {
    let (clauses, proof) = solve(name, arguments);
    if let Err(objection) = refutes(&clauses, &proof) {
        panic!("{name}: {objection}");
    }
}

#[test]
fn that_there_is_no_solution_is_proved() {
    check("subset-sum", &["models/subset-sum.essence", "params/subset-sum-none.param"]);
    check("timetable", &["models/timetable.essence", "params/timetable-none.param"]);
    check("n-queens", &["models/n-queens.essence", "params/n-queens-3.param"]);
}

/// Simplification refutes these models without search, and the proofs still start from the model's clauses.
#[test]
fn what_simplification_refutes_is_proved_from_the_model() {
    let folder = TempDir::new().expect("a folder");
    let models = [
        ("cycle", "find x, y, z : int(1..5)\nsuch that x < y, y < z, z < x"),
        ("too-few", "find f : matrix indexed by [int(1..4)] of int(1..3)\nsuch that allDiff(f)"),
        ("sum", "find x, y : int(0..9)\nsuch that x + y = 3, 2 * x - y = 4"),
        ("sets", "find s : set of int(1..3)\nsuch that |s| = 3, !(2 in s)"),
        ("function", "find f : function (total) int(1..3) --> int(1..4)\nsuch that f(1) < f(2), f(2) < f(1)"),
    ];
    for (name, model) in models {
        let file = folder.path().join(format!("{name}.essence"));
        fs::write(&file, model).expect("a file");
        let (clauses, proof) = solve(name, &[file.to_str().expect("a plain name")]);
        assert!(clauses.iter().all(|clause| !clause.is_empty()), "{name}: a clause is empty from the start");
        assert_eq!(refutes(&clauses, &proof), Ok(()), "{name}");
    }
}

#[test]
fn steps_are_numbered_one_after_the_other() {
    assert!(is_numbered(4, "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n").is_ok());
    for wrong in ["c comment\n5 0 1 2 0\n", "6 0 1 2 0\n", "5 2 0 1 2 0\n5 0 5 3 4 0\n", "5 2 0 1 2 0\n6 d 1 0\n"] {
        assert!(is_numbered(4, wrong).is_err(), "{wrong}");
    }
}

/// Fixtures with few solutions: the proof shows that there are no others. No proof is written if there is nothing to
/// prove.
#[test]
#[ignore = "needs checkers from elsewhere, which LRAT_CHECKERS names"]
fn fixtures_are_proved() {
    assert!(!other_checkers().is_empty(), "LRAT_CHECKERS does not name checkers");
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("proof");
    let mut proved = 0;
    let model = folder.path().join("model.essence");
    for path in suite::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"), &["essence"]) {
        let text = suite::read(&path).expect("a model");
        let count = text.lines().find_map(|line| line.strip_prefix("$ solutions: ")?.trim().parse::<usize>().ok());
        if count.is_none_or(|count| count > 20) {
            continue;
        }
        fs::write(&model, &text).expect("a file");
        let is_optimum = text.contains("\nminimising") || text.contains("\nmaximising");
        let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(["solve", "--quiet", "--solver=cadical", "--limit-time=20", "--proof"])
            .arg(&file)
            .arg(&model)
            .args((!is_optimum).then_some("--all"))
            .output()
            .expect("the program");
        // Fixtures with data fail here, because their data are not passed.
        if output.status.success() && file.exists() {
            read(&path.display().to_string(), &file);
            proved += 1;
        }
        for stale in [&file, &file.with_extension("cnf")] {
            let _ = fs::remove_file(stale);
        }
    }
    assert!(proved > 200, "{proved}");
}

#[test]
fn that_there_is_no_further_solution_is_proved() {
    check("n-queens-all", &["models/n-queens.essence", "params/n-queens-8.param", "--all"]);
}

#[test]
fn that_there_is_no_better_solution_is_proved() {
    check("golomb-ruler", &["models/golomb-ruler.essence", "params/golomb-ruler-6.param"]);
    check("knapsack", &["models/knapsack.essence", "params/knapsack-12.param"]);
}

#[test]
fn the_checker_rejects_what_is_no_proof() {
    let (mut clauses, proof) = solve("truncated", &["models/golomb-ruler.essence", "params/golomb-ruler-6.param"]);
    let lines: Vec<&str> = proof.lines().collect();
    assert!(lines.len() > 10);
    assert!(refutes(&clauses, "1000 0 0\n").is_err());
    assert!(refutes(&clauses, &lines[..lines.len() / 2].join("\n")).is_err());
    // Without the last clause, which requires a better objective than the best one, the clauses are satisfiable.
    clauses.pop();
    assert!(refutes(&clauses, &proof).is_err());
}

#[test]
fn there_is_no_proof_of_a_solution() {
    let file = std::env::temp_dir().join(format!("conjure-like-no-proof-{}", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args(["solve", "models/n-queens.essence", "params/n-queens-6.param", "--solver=cadical", "--proof"])
        .arg(&file)
        .output()
        .expect("the program");
    assert!(output.status.success() && !file.exists() && !file.with_extension("cnf").exists());
}
