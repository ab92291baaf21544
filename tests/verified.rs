//! Checks proofs with formally verified checkers: CakeML's `cake_lpr` for `solve --proof`, and `cake_pb` for
//! certificates, which VeriPB translates for it.
//!
//! The variables CAKE_LPR, CAKE_PB and VERIPB name the programs; without them, PATH is searched. A test whose programs
//! are not installed prints so and checks nothing.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

const PIGEONS: &str = "find hole : matrix indexed by [int(1..5)] of int(1..4)\n\
                       such that forAll i, j : int(1..5), i < j . hole[i] != hole[j]\n";
const SUMS: &str = "find m : matrix indexed by [int(1..3), int(1..3)] of int(0..4)\n\
                    such that forAll i : int(1..3) . (sum j : int(1..3) . m[i, j]) = 5,\n\
                    forAll i : int(1..3) . (sum j : int(1..3) . m[j, i]) = 4\n";
const KNAPSACK: &str = "find taken : set of int(1..5)\n\
                        such that (sum i in taken . i) <= 8\n\
                        maximising sum i in taken . i * i\n";

/// The program that a variable names, or else the one in PATH.
fn installed(variable: &str, name: &str) -> Option<PathBuf> {
    let in_path = || {
        let path = env::var_os("PATH")?;
        env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
    };
    let found = env::var_os(variable).map(PathBuf::from).or_else(in_path);
    if found.is_none() {
        eprintln!("nothing is checked, because `{name}` is not installed and {variable} is not set");
    }
    found
}

/// The output of a program.
fn printed(program: &Path, words: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(words).current_dir(folder).output().expect("the program");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn solve(model: &str, words: &[&str]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("m.essence"), model).expect("a file");
    let program = Path::new(env!("CARGO_BIN_EXE_conjure-like"));
    let said = printed(program, &[&["solve", "m.essence"], words].concat(), folder.path());
    assert!(!said.contains("error"), "{said}");
    folder
}

#[test]
fn cake_lpr_accepts_proofs_of_clauses() {
    let Some(checker) = installed("CAKE_LPR", "cake_lpr") else { return };
    for model in [PIGEONS, SUMS, KNAPSACK] {
        let folder = solve(model, &["--solver=cadical", "--proof", "p.lrat"]);
        let said = printed(&checker, &["p.lrat.cnf", "p.lrat"], folder.path());
        assert!(said.lines().any(|line| line == "s VERIFIED UNSAT"), "{model}: {said}");
    }
}

#[test]
fn cake_lpr_refuses_a_proof_without_its_end() {
    let Some(checker) = installed("CAKE_LPR", "cake_lpr") else { return };
    let folder = solve(PIGEONS, &["--solver=cadical", "--proof", "p.lrat"]);
    let proof = fs::read_to_string(folder.path().join("p.lrat")).expect("a proof");
    let steps: Vec<&str> = proof.lines().collect();
    fs::write(folder.path().join("p.lrat"), steps[..steps.len() / 2].join("\n") + "\n").expect("a file");
    let said = printed(&checker, &["p.lrat.cnf", "p.lrat"], folder.path());
    assert!(!said.contains("s VERIFIED"), "{said}");
}

#[test]
fn cake_pb_accepts_certificates() {
    let (Some(veripb), Some(checker)) = (installed("VERIPB", "veripb"), installed("CAKE_PB", "cake_pb")) else {
        return;
    };
    for (model, verdict) in [(PIGEONS, "s VERIFIED UNSAT"), (SUMS, "s VERIFIED UNSAT"), (KNAPSACK, "s VERIFIED BOUNDS")]
    {
        let folder = solve(model, &["--certify=c"]);
        let said = printed(&veripb, &["c/formula.opb", "c/proof.pbp", "--elaborate", "c/kernel.pbp"], folder.path());
        assert!(said.contains("s VERIFIED"), "{model}: {said}");
        // The exit code is 0 in either case, so read the verdict.
        let said = printed(&checker, &["c/formula.opb", "c/kernel.pbp"], folder.path());
        assert!(said.lines().any(|line| line.starts_with(verdict)), "{model}: {said}");
    }
}

#[test]
fn veripb_accepts_certificates() {
    let Some(veripb) = installed("VERIPB", "veripb") else { return };
    for (model, verdict) in [
        (PIGEONS, "s VERIFIED UNSATISFIABLE"),
        (SUMS, "s VERIFIED UNSATISFIABLE"),
        (KNAPSACK, "s VERIFIED BOUNDS 21 <= obj <= 21"),
    ] {
        let folder = solve(model, &["--certify=c"]);
        let said = printed(&veripb, &["c/formula.opb", "c/proof.pbp"], folder.path());
        assert!(said.lines().any(|line| line == verdict), "{model}: {said}");
    }
}
