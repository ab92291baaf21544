//! Streamliners: each kind is well-typed, the choice is repeatable, and files are bound to their model.

use crate::{
    Code, EngineOptions, Limits, Model, PortfolioEntry, Report, SolveStatus, StreamlineOptions, StreamlinerPortfolio,
    Text, Training, TrainingUse,
};
use std::{collections::BTreeSet, time::Instant};

/// All types of decision variables, with parameters in their domains.
const TYPES: &str = "
given n : int(1..5)
given E new type enum
letting C be new type enum {red, green, blue}
letting U be new type of size 3
letting D be domain int(1..n)
find b : bool
find i : D
find k : int(1, 3, 5)
find c : C
find e : E
find u : U
find t : (D, C)
find r : record {a : D, b : C}
find m : matrix indexed by [D, int(0..2)] of int(0..n - 1)
find deep : matrix indexed by [D, D, C, bool] of bool
find mb : matrix indexed by [U] of bool
find s : set of D
find ss : set of set of D
find ms : mset (maxSize 3) of D
find f : function (total) D --> D
find p : function D --> int(1..3)
find g : function (total) (D, D) --> D
find h : function (D, D) --> D
find ff : function (total) C --> set of D
find seq : sequence (maxSize 3) of D
find rel : relation of (D * D)
find rel3 : relation (size 2) of (D * C * bool)
find parts1 : partition from D
find parts2 : partition (regular) from C
find perm : permutation of D
find v : variant {a : D, b : C}
";

/// A model for which a SAT solver takes hundreds of conflicts.
const GOLFERS: &str = "
given weeks, groups, players : int(1..)
letting GOLFER be domain int(1..groups * players)
letting WEEK be domain int(1..weeks)
letting GROUP be domain int(1..groups)
find group : matrix indexed by [WEEK, GOLFER] of GROUP
such that
    forAll w : WEEK . forAll g : GROUP . (sum p : GOLFER . toInt(group[w, p] = g)) = players,
    forAll p, q : GOLFER, p < q . (sum w : WEEK . toInt(group[w, p] = group[w, q])) <= 1
";

fn read(text: &str) -> Model {
    Model::read(&Text::new("model.essence", text)).unwrap_or_else(|report| panic!("{}", report.to_lines()))
}

#[test]
fn each_kind_is_well_typed_for_each_type() {
    let model = read(TYPES);
    let found = model.streamliners();
    let constraints: Vec<String> = found.iter().map(|found| found.constraint.clone()).collect();
    if let Err(report) = model.requiring(&constraints) {
        panic!("{}", report.to_lines());
    }
    let names: BTreeSet<&str> = found.iter().map(|found| &*found.says).collect();
    assert_eq!(names.len(), found.len(), "two streamliners have the same name");
    for name in [
        "b: true",
        "i: odd",
        "k: in the upper half",
        "c: in the first half",
        "t: component 2 in the second half",
        "r: field a even",
        "m: every row at most one element odd",
        "m: half of the rows every element in the lower half",
        "m: every row increasing",
        "m: every row every element of the first half even",
        "mb: at least half of the elements true",
        "s: at most half of the values",
        "ss: every member about half of the members odd",
        "ms: at most one member even",
        "f: every image of the second half odd",
        "f: smallest first",
        "p: largest last",
        "p: every argument odd",
        "g: commutative",
        "h: never commutative",
        "h: associative",
        "ff: every image at most half of the values",
        "seq: decreasing",
        "rel: at least a quarter of all tuples",
        "rel: symmetric",
        "rel3: every tuple component 3 true",
        "parts1: parts of about the same size",
    ] {
        assert!(names.contains(name), "{name}");
    }
    // All parts of a regular partition have the same size, and the members of unnamed types have no properties.
    assert!(!names.contains("parts2: parts of about the same size"));
    assert!(!names.iter().any(|name| name.starts_with("u:") || name.starts_with("e:")));
}

#[test]
fn quantified_names_differ_from_those_of_the_model() {
    let model = read("find q1 : set of int(1..4)");
    assert!(model.streamliners().iter().any(|found| found.constraint == "forAll qq1 in q1 . qq1 % 2 = 0"));
}

fn train(model: &Model, data: &[&str], options: &StreamlineOptions) -> Training {
    let instances: Vec<_> = data.iter().map(|data| vec![Text::new("data", *data)]).collect();
    model.train_streamliners(&instances, options).unwrap_or_else(|report| panic!("{}", report.to_lines()))
}

#[test]
fn a_choice_is_repeatable() {
    let model = read(GOLFERS);
    let options = StreamlineOptions::default().combinations(40).conflicts(3_000);
    let size = |weeks, groups, players| {
        format!("letting weeks be {weeks} letting groups be {groups} letting players be {players}")
    };
    let [hard, none] = [size(5, 5, 3), size(4, 2, 2)];
    let [one, other] = [1, 2].map(|_| train(&model, &[&*hard, &*none], &options));
    assert_eq!(one.tried, other.tried);
    assert_eq!(one.conflicts, other.conflicts);
    assert_eq!(one.instances[1].use_for, TrainingUse::NoSolution);
    assert!(one.training() == 1, "{:?}", one.instances);
    if let Some(portfolio) = one.portfolio() {
        assert!(portfolio.entries.iter().all(|entry| !entry.constraints.is_empty()));
    }
}

#[test]
fn nothing_is_chosen_where_nothing_can_be_saved() {
    let model = read("given n : int(1..9)\nfind x : int(1..n)\nsuch that x > n");
    let options = StreamlineOptions::default();
    let training = train(&model, &["letting n be 3"], &options);
    assert_eq!(training.instances[0].use_for, TrainingUse::NoSolution);
    assert!(training.portfolio().is_none());
    // No decision variable has a streamliner.
    let training = train(&read("given n : int\nfind v : permutation of int(1..4)"), &["letting n be 3"], &options);
    assert!(training.streamliners.is_empty() && training.portfolio().is_none());
}

fn portfolio_text(model: &Model) -> String {
    let entry = PortfolioEntry::new("group: odd", vec!["group[1, 1] % 2 = 1".to_owned()], 500);
    model.portfolio_text(&StreamlinerPortfolio::new(vec![entry]), "a comment").expect("a text")
}

fn refused(model: &Model, text: &str) -> Report {
    model.read_portfolio(&Text::new("portfolio.essence", text)).expect_err("an error")
}

#[test]
fn a_portfolio_is_read_as_it_was_written() {
    let model = read(GOLFERS);
    let text = portfolio_text(&model);
    let portfolio = model.read_portfolio(&Text::new("portfolio.essence", &*text)).expect("a portfolio");
    assert_eq!(model.portfolio_text(&portfolio, "a comment").expect("a text"), text);
    // The constraints of the model may change.
    let changed = read(&GOLFERS.replace("= players", ">= players"));
    assert_eq!(changed.read_portfolio(&Text::new("portfolio.essence", text)).expect("a portfolio"), portfolio);
}

#[test]
fn a_portfolio_for_another_model_is_refused() {
    let text = portfolio_text(&read(GOLFERS));
    for (old, new) in
        [("indexed by [WEEK, GOLFER]", "indexed by [GOLFER, WEEK]"), ("find group", "find x : bool\nfind group")]
    {
        let changed = GOLFERS.split("such that").next().expect("declarations").replace(old, new);
        let report = refused(&read(&changed), &text);
        assert_eq!(report.diagnostics[0].code, Code::STREAMLINERS);
        assert!(report.to_string().contains("another model"), "{report}");
    }
}

#[test]
fn a_broken_portfolio_is_refused() {
    let model = read(GOLFERS);
    let text = portfolio_text(&model);
    let broken = refused(&model, &text.replace("group[1, 1] % 2 = 1", "group[1, 1] % 2"));
    assert_eq!(broken.diagnostics[0].code, Code::TYPE_MISMATCH);
    assert!(broken.to_string().contains("conjure-like streamline"), "{broken}");
    assert_eq!(refused(&model, "nothing here").diagnostics[0].code, Code::SYNTAX);
    let without_entry = text.split("$ streamliner:").next().expect("the declarations").to_owned();
    for text in [text.replace("$ conflicts: 500", "$ conflicts: many"), without_entry] {
        assert_eq!(refused(&model, &text).diagnostics[0].code, Code::STREAMLINERS);
    }
}

/// Simplification refutes the entry although no time is left; the answer must not be that the model has no solution.
#[test]
fn a_refuted_entry_at_the_time_limit_refutes_nothing() {
    for objective in ["", "minimising x\n"] {
        let model = read(&format!("find x : int(1..3)\n{objective}"));
        let portfolio = StreamlinerPortfolio::new(vec![PortfolioEntry::new("x: none", vec!["x > 3".to_owned()], 100)]);
        let over = Limits::default().deadline(Some(Instant::now()));
        let searched = model.streamlined(&[], &portfolio, &EngineOptions::default().limits(over));
        let answer = searched.unwrap_or_else(|report| panic!("{}", report.to_lines())).answer;
        let answer = answer.expect("an end by the time limit");
        assert_eq!((answer.status, answer.solutions), (SolveStatus::TimeLimit, 0), "{objective}");
    }
}
