//! Certificates with one changed place, which `certificate check` must refuse.
//!
//! `CERTIFICATE_CHANGES=2000` tries more changes, `CERTIFICATE_SEED=2` different ones.

use conjure_like::{Count, EngineOptions, Instance, Model, Solution, SolveOptions, SolveStatus, Text};
use std::{
    collections::BTreeMap,
    env,
    fs::{self, File},
    io,
    ops::ControlFlow,
    path::PathBuf,
    process::{Command, Output},
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

/// A folder with a model, its data and a certificate.
struct Certified {
    folder: TempDir,
    data: Vec<&'static str>,
}

const FILES: [&str; 4] = ["formula.opb", "proof.pbp", "certificate.json", "certificate.txt"];

impl Certified {
    fn new(model: &str, data: &str, flags: &[&str]) -> Self {
        let folder = TempDir::new().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        write("m.essence", model);
        write("d.param", data);
        let certified = Certified { folder, data: if data.is_empty() { Vec::new() } else { vec!["d.param"] } };
        let solved = certified.solve(flags, "c");
        assert_eq!(solved.status.code(), Some(0), "{}", errors(&solved));
        assert!(errors(&solved).contains("Its proof was replayed, and is right."), "{}", errors(&solved));
        certified
    }

    fn solve(&self, flags: &[&str], folder: &str) -> Output {
        let certify = format!("--certify={folder}");
        self.run(&[&["solve", "m.essence", &certify][..], &self.data, flags].concat())
    }

    fn check(&self, inputs: &[&str]) -> Output {
        self.run(&[&["certificate", "check", "c"][..], inputs].concat())
    }

    fn inputs(&self) -> Vec<&'static str> {
        [&["m.essence"][..], &self.data].concat()
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
        command.current_dir(&self.folder).args(words).output().expect("the program")
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The graph of Grötzsch, which has no triangle and is not 3-colourable.
const EDGES: &str = "(1, 2), (2, 3), (3, 4), (4, 5), (1, 5), (1, 7), (1, 10), (2, 6), (2, 8), (3, 7), (3, 9), \
                     (4, 8), (4, 10), (5, 6), (5, 9), (6, 11), (7, 11), (8, 11), (9, 11), (10, 11)";

#[test]
fn a_proof_swaps_interchangeable_values() {
    let model = |constraint: &str| {
        format!(
            "letting edges be relation({EDGES})\nfind c : matrix indexed by [int(1..11)] of int(1..3)\n\
             such that forAll (i, j) in edges . c[i] != c[j]{constraint}\n"
        )
    };
    let swaps = |constraint: &str| {
        let certified = Certified::new(&model(constraint), "", &[]);
        let proof = fs::read_to_string(certified.at("c/proof.pbp")).expect("a text");
        // Definitions of new variables map only these.
        proof.lines().filter(|line| line.starts_with("red ") && line.contains(" : x_")).count()
    };
    assert_eq!(swaps(""), 3);
    // Colour 1 differs from the others, so only the others can be swapped.
    assert!(swaps(", c[1] = 1") <= 1);
    // No two colours are interchangeable.
    assert_eq!(swaps(", c[1] <= c[6], c[2] <= c[7], c[3] <= c[8]"), 0);
}

/// One certificate of each kind, with the verdict that the check prints.
fn certificates() -> Vec<(Certified, &'static str)> {
    let pigeons = "given n : int(1..9)\nfind hole : matrix indexed by [int(1..n + 1)] of int(1..n)\n\
                   $ No two in one hole.\nsuch that allDiff(hole)\n";
    let knapsack = "given most : int(1..99)\nfind taken : set of int(1..5)\n\
                    such that (sum i in taken . i) <= most\nmaximising sum i in taken . i * i\n";
    let ways = "find shirts, socks : int(0..5)\nsuch that 3 * shirts + 2 * socks = 5 \\/ shirts = 5 /\\ socks = 0\n";
    let front = "find price : int(1..5)\nfind quality : int(0..9)\nsuch that quality <= 3 * price, \
                 quality + price <= 10\nminimising pareto(price, -quality)\n";
    // The colours can be swapped, so the proof contains steps with swaps.
    let colouring = "letting colour be new type of size 3\ngiven edges : relation of (int(1..11) * int(1..11))\n\
                     find c : matrix indexed by [int(1..11)] of colour\n\
                     such that forAll (i, j) in edges . c[i] != c[j]\n";
    let edges = format!("letting edges be relation({EDGES})\n");
    vec![
        (Certified::new(colouring, &edges, &[]), "there is no solution"),
        (Certified::new(pigeons, "letting n be 2 $ holes\n", &[]), "there is no solution"),
        (Certified::new(knapsack, "letting most be 8\n", &[]), "the best value of the objective is 34"),
        (Certified::new(ways, "", &["--all"]), "there are 2 solutions"),
        (Certified::new(front, "", &[]), "no solution is better in one goal than each of the 3 that were found"),
    ]
}

/// All permutations whose neighbouring differences differ, too.
const DIFFERENCES: &str = "find c : matrix indexed by [int(1..7)] of int(1..7)\n\
                           such that allDiff(c), forAll d : int(1..5) . allDiff([c[i + d] - c[i] | i : int(1..7 - d)])\n";

#[test]
fn the_proof_for_all_solutions_visits_each_solution_once() {
    let certified = Certified::new(DIFFERENCES, "", &["--all"]);
    let proof = fs::read_to_string(certified.at("c/proof.pbp")).expect("a text");
    let steps = proof.lines().filter(|line| line.starts_with("rup ")).count();
    // There are 200 solutions. Without visiting them, a refutation of their exclusions took 4,600 steps.
    assert!((200..2_500).contains(&steps), "{steps}");
}

fn solutions(model: &str) -> (Instance, Vec<Solution>) {
    let model = Model::read(&Text::new("m.essence", model)).expect("a model");
    let instance = model.instance(&[]).expect("an instance");
    let mut solutions = Vec::new();
    let options = SolveOptions::default().solutions(Count::All);
    let solved = instance.solve(&options, &mut |solution| {
        solutions.push(solution.clone());
        ControlFlow::Continue(())
    });
    assert_eq!(solved.expect("an answer").status, SolveStatus::AllSolutions);
    (instance, solutions)
}

#[test]
fn a_wrong_list_of_all_solutions_is_refused() {
    let (instance, mut listed) = solutions(DIFFERENCES);
    assert_eq!(listed.len(), 200);
    let certify = |solutions: &[Solution]| {
        let proof = Box::new(io::sink());
        instance.certify(&SolveStatus::AllSolutions, solutions, proof, &EngineOptions::default())
    };
    assert!(certify(&listed).is_ok_and(|made| made.is_some()));
    let removed = listed.remove(77);
    let refused = certify(&listed).expect_err("a solution is missing");
    assert!(refused.to_string().contains("the reference formula has others"), "{refused}");
    // A permutation with two equal differences is not a solution.
    let others = solutions(&DIFFERENCES.replace("1..5", "1..1")).1;
    let foreign = others.into_iter().find(|other| {
        let same = |one: &Solution| one.to_string() == other.to_string();
        !same(&removed) && !listed.iter().any(same)
    });
    listed.push(removed);
    listed.push(foreign.expect("another permutation"));
    let refused = certify(&listed).expect_err("a solution is wrong");
    assert!(refused.to_string().contains("does not satisfy the reference formula"), "{refused}");
}

fn setting(name: &str) -> Option<u64> {
    env::var(name).ok().map(|value| value.parse().expect("a number"))
}

#[test]
fn a_change_in_one_place_of_any_file_is_refused() {
    let changes = setting("CERTIFICATE_CHANGES").unwrap_or(400);
    let mut random = fastrand::Rng::with_seed(setting("CERTIFICATE_SEED").unwrap_or(1));
    let certificates = certificates();
    for (certified, answer) in &certificates {
        let checked = certified.check(&certified.inputs());
        assert_eq!(checked.status.code(), Some(0), "{}", errors(&checked));
        assert!(said(&checked).starts_with(&format!("The certificate holds: {answer}")), "{}", said(&checked));
        assert!(said(&checked).contains("The model and the data give this formula"), "{}", said(&checked));
        let checked = certified.check(&[]);
        assert_eq!(checked.status.code(), Some(0), "{}", errors(&checked));
        assert!(said(&checked).contains("was not compared with a model"), "{}", said(&checked));
    }
    // Characters of the formats, so that many changed files can still be parsed.
    let letters: Vec<char> = "0123456789~ ;:x-+*\"{}[],abc=_\n".chars().collect();
    let mut refused: BTreeMap<&str, u64> = BTreeMap::new();
    for _ in 0..changes {
        let (certified, _) = &certificates[random.usize(..certificates.len())];
        let inputs = certified.inputs();
        let files: Vec<String> =
            FILES.iter().map(|name| format!("c/{name}")).chain(inputs.iter().map(|name| (*name).to_owned())).collect();
        let name = &files[random.usize(..files.len())];
        let path = certified.at(name);
        let text = fs::read_to_string(&path).expect("a text");
        let mut changed = text.clone();
        let at = random.usize(..text.len());
        let new = letters[random.usize(..letters.len())].to_string();
        // Delete, insert or replace a character.
        match random.u8(..3) {
            0 => changed.replace_range(at..=at, ""),
            1 => changed.insert_str(at, &new),
            _ => changed.replace_range(at..=at, &new),
        }
        // The new character may be the old one.
        if changed == text {
            continue;
        }
        fs::write(&path, &changed).expect("a file");
        let checked = certified.check(&inputs);
        assert_eq!(checked.status.code(), Some(2), "{name} at {at}: {}{}\n{changed}", said(&checked), errors(&checked));
        fs::write(&path, text).expect("a file");
        *refused.entry(FILES.iter().find(|file| name.ends_with(**file)).unwrap_or(&"inputs")).or_default() += 1;
    }
    eprintln!("refused: {refused:?}");
    // Each file was changed at least once, and few changes had no effect.
    assert!(refused.len() == 5 && refused.values().sum::<u64>() > changes * 4 / 5, "{refused:?}");
}

/// The formula and the record, apart from the proof, do not depend on the solver.
#[test]
fn all_solvers_give_the_same_formula() {
    let text = "find s : set of int(1..4)\nsuch that (sum i in s . i) % 3 = 1\n";
    let certified = Certified::new(text, "", &["--all"]);
    let formula = fs::read_to_string(certified.at("c/formula.opb")).expect("a text");
    for solver in ["cadical", "batsat", "brute"] {
        let solved = certified.solve(&["--all", &format!("--solver={solver}")], solver);
        assert_eq!(solved.status.code(), Some(0), "{}", errors(&solved));
        let other = fs::read_to_string(certified.at(&format!("{solver}/formula.opb"))).expect("a text");
        assert!(formula == other, "{solver} gives another formula");
    }
}

#[test]
fn other_data_of_the_same_model_are_refused() {
    let (certified, _) = certificates().remove(2);
    fs::write(certified.at("e.param"), "letting most be 7\n").expect("a file");
    for inputs in [&["m.essence"][..], &["m.essence", "e.param"], &["m.essence", "d.param", "-D", "letting x be 1"]] {
        let checked = certified.check(inputs);
        assert_eq!(checked.status.code(), Some(2), "{inputs:?}: {}", said(&checked));
        assert!(errors(&checked).contains("certified"), "{}", errors(&checked));
    }
}

/// The search reasons with divisors and refutes this at once, but its proof takes longer than the limit.
const REMAINDER: &str = "find s : set of int(1..24)\n\
                         such that sum([3 * (i * i * 7919 % 10007) | i <- s]) = 3 * 40000 + 1\n";

/// A knapsack whose proof takes longer than the limit.
const KNAPSACK: &str = "letting w be [200 + i * i * 7919 % 1009 | i : int(1..36)]\n\
                        find taken : set of int(1..36)\n\
                        such that (sum i in taken . w[i]) <= 9000\n\
                        maximising sum i in taken . w[i] + i * 31 % 17\n";

#[test]
fn a_limit_leaves_bounds() {
    let certified = Certified::new("find x : bool\nsuch that x, !x\n", "", &[]);
    fs::write(certified.at("m.essence"), KNAPSACK).expect("a file");
    let solved = certified.solve(&["--limit-time=6"], "c");
    assert_eq!(solved.status.code(), Some(3), "{}", errors(&solved));
    assert!(errors(&solved).contains("Wrote a certificate of bounds ("), "{}", errors(&solved));
    let checked = certified.check(&["m.essence"]);
    assert_eq!(checked.status.code(), Some(0), "{}", errors(&checked));
    let text = said(&checked);
    let number = |after: &str, before: &str| -> i64 {
        let begin = text.find(after).expect(after) + after.len();
        let word = &text[begin..begin + text[begin..].find(before).expect(before)];
        word.parse().unwrap_or_else(|_| panic!("{word} in {text}"))
    };
    let (found, proved) = (number("The certificate holds: ", " found"), number("found, ", " proved"));
    // Even the bound by duality alone is close: it exceeds the optimum by a fraction of the last item that fits.
    assert!(found <= proved && proved <= found + 20, "{text}");
}

#[test]
fn a_limit_leaves_no_file_and_shows_in_the_exit_code() {
    let certified = Certified::new("find x : bool\nsuch that x, !x\n", "", &[]);
    fs::write(certified.at("m.essence"), REMAINDER).expect("a file");
    let solved = certified.solve(&["--limit-time=1.5", "-q"], "c");
    assert_eq!(solved.status.code(), Some(3), "{}", errors(&solved));
    assert!(
        errors(&solved).contains("No certificate was written: a limit ended the work on it."),
        "{}",
        errors(&solved)
    );
    assert_eq!(fs::read_dir(certified.at("c")).expect("a folder").count(), 0);
}

#[test]
fn what_a_killed_run_has_left_goes_away_with_the_next_run() {
    let certified = Certified::new("find x : bool\nsuch that x, !x\n", "", &[]);
    let left = certified.at("c/.conjure-like-abc.part");
    let file = File::create(&left).expect("a file");
    // A recent file would be kept, because it may belong to a running process.
    file.set_modified(SystemTime::now() - Duration::from_secs(1_000)).expect("another time");
    drop(file);
    assert_eq!(certified.solve(&[], "c").status.code(), Some(0));
    assert!(!left.exists());
}

#[test]
fn a_bound_needs_no_solution_and_is_about_the_first_goal() {
    let text = "find x, y : int(0..9)\nsuch that x + 2 * y >= 7\nminimising (3 * x + y, y)\n";
    let model = Model::read(&Text::new("m.essence", text)).expect("a model");
    let (instance, options) = (model.instance(&[]).expect("an instance"), EngineOptions::default());
    let proof = Box::new(io::sink());
    let made = instance.certify(&SolveStatus::TimeLimit, &[], proof, &options).expect("no error").expect("no limit");
    assert_eq!((made.verdict.as_str(), made.proved, made.found), ("BOUNDS 4 <= obj <= INF", Some(4), None));
    assert!(made.formula.contains("The first goal of the model is"), "{}", made.formula);
    let again = instance.certificate(&SolveStatus::TimeLimit, &[], made.proved, &options).expect("no error");
    assert_eq!(again.map(|again| again.formula), Some(made.formula));
}
