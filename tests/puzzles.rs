//! Puzzles have one solution and no superfluous clue, and generated data fit their model. Brute force counts the
//! solutions.

use conjure_like::{
    Count, DataWish, Model, Puzzle, PuzzleBand, PuzzleOptions, PuzzleSeries, SolveOptions, SolverName, Text,
};
use std::ops::ControlFlow;

const SQUARE: &str = "given n : int(1..)\n\
    letting INDEX be domain int(1..n)\n\
    given hints : function (INDEX, INDEX) --> INDEX\n\
    find square : matrix indexed by [INDEX, INDEX] of INDEX\n\
    such that forAll (cell, number) in hints . square[cell[1], cell[2]] = number,\n\
    forAll i : INDEX . allDiff(square[i, ..]) /\\ allDiff(square[.., i])";

fn puzzles(model: &str, data: &str, options: PuzzleOptions) -> (Vec<Puzzle>, PuzzleSeries) {
    let model = Model::read(&Text::new("m.essence", model)).expect("a model");
    let mut made = Vec::new();
    let series = model.puzzles(&[Text::new("d.param", data)], &options, &mut |puzzle| {
        made.push(puzzle.clone());
        ControlFlow::Continue(())
    });
    (made, series.expect("puzzles"))
}

/// The number of solutions by trying all values, at most two.
fn count(model: &Model, data: &str) -> usize {
    count_by(SolverName::Brute, model, data)
}

fn count_by(solver: SolverName, model: &Model, data: &str) -> usize {
    let options = SolveOptions::default().solver(solver).solutions(Count::First(2));
    let instance = model.instance(&[Text::new("d.param", data)]).expect("data that fit");
    let mut count = 0;
    let summary = instance.solve(&options, &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    assert!(summary.is_ok());
    count
}

/// The data without one of the clues of a function.
fn with_one_less(data: &str, name: &str) -> Vec<String> {
    let start = format!("letting {name} be function(");
    // Long values start on a line of their own.
    let data = data.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, rest) = data.split_once(&start).expect("a function");
    let (clues, after) = rest.rsplit_once(')').expect("the end of the function");
    let clues: Vec<String> =
        clues.split(" --> ").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let mut pairs: Vec<String> = Vec::new();
    let mut argument = clues[0].clone();
    for part in &clues[1..] {
        let (image, next) = part.split_once(", ").unwrap_or((part, ""));
        pairs.push(format!("{argument} --> {image}"));
        argument = next.to_owned();
    }
    let without = |left_out: usize| {
        let kept = pairs.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, pair)| pair.as_str());
        format!("{before}{start}{}){after}", kept.collect::<Vec<_>>().join(", "))
    };
    (0..pairs.len()).map(without).collect()
}

#[test]
fn puzzles_have_one_solution_and_no_superfluous_clue_by_brute_force() {
    let model = Model::read(&Text::new("m.essence", SQUARE)).expect("a model");
    let (made, series) = puzzles(SQUARE, "letting n be 3", PuzzleOptions::default().number(4));
    assert_eq!((made.len(), series.clues.as_slice()), (4, ["hints".to_owned()].as_slice()));
    for puzzle in made {
        assert_eq!(count(&model, &puzzle.data), 1, "{}", puzzle.data);
        let fewer = with_one_less(&puzzle.data, "hints");
        assert_eq!(fewer.len(), puzzle.clues);
        for data in fewer {
            assert_eq!(count(&model, &data), 2, "{data}");
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_puzzles() {
    let data = || {
        let (made, _) = puzzles(SQUARE, "letting n be 4", PuzzleOptions::default().number(2).seed(7));
        made.into_iter().map(|puzzle| puzzle.data).collect::<Vec<_>>()
    };
    assert_eq!(data(), data());
}

#[test]
fn blanks_of_a_matrix_are_found_by_what_they_do() {
    let model = "given clues : matrix indexed by [int(1..4)] of int(-1..4)\n\
        given sums : matrix indexed by [int(1..2)] of int(0..9)\n\
        find order : matrix indexed by [int(1..4)] of int(1..4)\n\
        such that allDiff(order), forAll i : int(1..4) . clues[i] > 0 -> order[i] = clues[i],\n\
        forAll i : int(1..2) . order[i] + order[i + 1] = sums[i]";
    let (made, series) = puzzles(model, "", PuzzleOptions::default());
    assert_eq!(series.clues, ["clues"]);
    assert_eq!(made.len(), 1);
    assert!(made[0].data.contains("letting sums be"), "{}", made[0].data);
}

const CAGES: &str = "letting INDEX be domain int(1..4)\n\
    given cages : function set of (INDEX, INDEX) --> int(1..16)\n\
    find square : matrix indexed by [INDEX, INDEX] of INDEX\n\
    such that forAll i : INDEX . allDiff(square[i, ..]) /\\ allDiff(square[.., i]),\n\
    forAll (cage, amount) in cages . (sum (r, c) in cage . square[r, c]) = amount";

#[test]
fn structures_are_made_up_if_members_cannot_be_listed() {
    let model = Model::read(&Text::new("m.essence", CAGES)).expect("a model");
    let (made, series) = puzzles(CAGES, "", PuzzleOptions::default().number(3));
    assert_eq!((made.len(), series.clues.as_slice()), (3, ["cages".to_owned()].as_slice()));
    for puzzle in made {
        assert_eq!(count_by(SolverName::BatSat, &model, &puzzle.data), 1, "{}", puzzle.data);
        let fewer = with_one_less(&puzzle.data, "cages");
        assert_eq!(fewer.len(), puzzle.clues);
        for data in fewer {
            assert_eq!(count_by(SolverName::BatSat, &model, &data), 2, "{data}");
        }
    }
}

#[test]
fn structures_in_the_data_stay() {
    let pairs = (1..=4).flat_map(|row| [(row, 1), (row, 3)]);
    let cages: Vec<String> =
        pairs.map(|(row, left)| format!("{{({row}, {left}), ({row}, {})}} --> 2", left + 1)).collect();
    let singles = [(1, 1), (2, 2), (3, 3), (4, 4), (1, 3), (2, 4)];
    let singles = singles.map(|(row, column)| format!("{{({row}, {column})}} --> 1"));
    let data = format!("letting cages be function({}, {})", cages.join(", "), singles.join(", "));
    let options = PuzzleOptions::default().clues(vec!["cages".to_owned()]);
    let (made, _) = puzzles(CAGES, &data, options);
    let made = made[0].data.split_whitespace().collect::<Vec<_>>().join(" ");
    for argument in made.split('{').skip(1).filter_map(|rest| rest.split_once('}')) {
        assert!(data.contains(&format!("{{{}}}", argument.0)), "{made}");
    }
}

#[test]
fn bands_have_the_efforts_that_they_name() {
    let options = PuzzleOptions::default().band(Some(PuzzleBand::Easy)).number(3);
    let (made, series) = puzzles(SQUARE, "letting n be 4", options);
    let (least, most) = series.band.expect("a band");
    assert!(made.len() == 3 && made.iter().all(|puzzle| (least..=most).contains(&puzzle.difficulty.effort)));
}

#[test]
fn a_missed_band_is_reported_with_the_efforts() {
    let mut series = PuzzleSeries::default();
    (series.attempts, series.other_band) = (5, 5);
    (series.other_efforts, series.band) = (Some((9, 13)), Some((20, usize::MAX)));
    let options = PuzzleOptions::default().band(Some(PuzzleBand::Hard));
    let report = series.failure(&options).expect("a failure").to_terminal(false);
    assert!(report.contains("5 of another difficulty (an effort of 9 to 13 instead of 20 or more)"), "{report}");
}

#[test]
fn symmetric_clues_map_to_each_other() {
    let model = "given n : int(1..)\n\
        given hints : matrix indexed by [int(1..n)] of int(0..n)\n\
        find order : matrix indexed by [int(1..n)] of int(1..n)\n\
        such that allDiff(order), forAll i : int(1..n), hints[i] != 0 . order[i] = hints[i]";
    let (made, _) = puzzles(model, "letting n be 5", PuzzleOptions::default().symmetric(true).number(3));
    for puzzle in made {
        let (_, hints) = puzzle.data.split_once("hints be [").expect("a matrix");
        let hints: Vec<&str> = hints.split(';').next().expect("elements").split(", ").collect();
        let is_clue: Vec<bool> = hints.iter().map(|hint| *hint != "0").collect();
        assert!((0..5).all(|at| is_clue[at] == is_clue[4 - at]), "{hints:?}");
    }
}

#[test]
fn models_without_clues_are_refused() {
    let model = Model::read(&Text::new("m.essence", "given n : int(1..3)\nfind x : int(1..n)")).expect("a model");
    let refused = model
        .puzzles(&[Text::new("d", "letting n be 1")], &PuzzleOptions::default(), &mut |_| ControlFlow::Continue(()));
    let report = refused.expect_err("nothing to make up").to_terminal(false);
    assert!(report.contains("no parameter of the model holds clues"), "{report}");
}

#[test]
fn data_in_the_manner_of_examples_fit_the_model() {
    let text = "given n : int(1..)\ngiven pairs : relation of (int(1..n) * int(1..n))\n\
        given price : function (total) int(1..n) --> int(0..)\n\
        where forAll (i, j) in pairs . i < j\nfind x : int(1..n)";
    let model = Model::read(&Text::new("m.essence", text)).expect("a model");
    let example = "letting n be 4 letting pairs be relation((1, 2), (2, 4)) \
        letting price be function(1 --> 3, 2 --> 9, 3 --> 5, 4 --> 7)";
    let manner = model.manner(&[vec![Text::new("e.param", example)]]).expect("an example");
    assert_eq!((manner[1].members, manner[1].density), (Some((2, 2)), Some(0.125)));
    let mut sizes = Vec::new();
    for seed in 1..12 {
        let wish = DataWish::default().seed(seed).scale(1.5).density(Some(0.3));
        let data = model.random_data(&manner, &wish).expect("a generator").expect("data");
        let data = Text::new("d.param", data);
        assert!(model.instance(std::slice::from_ref(&data)).is_ok(), "{}", data.text);
        let again = model.manner(&[vec![data]]).expect("data that fit");
        assert!(again[2].numbers.is_some_and(|(least, most)| least >= 0 && most <= 9));
        sizes.extend(again[1].members);
    }
    sizes.dedup();
    assert!(sizes.len() > 1, "all data are alike");
}

#[test]
fn sizes_that_rarely_fit_together_are_found() {
    let text = "given v, b, r, k, lambda : int(1..)\n\
        where v * r = b * k, lambda * (v - 1) = r * (k - 1), k > 1, k < v\nfind x : int(1..v)";
    let model = Model::read(&Text::new("m.essence", text)).expect("a model");
    let manner = model.manner(&[]).expect("no examples");
    let data = model.random_data(&manner, &DataWish::default()).expect("a generator").expect("data");
    assert!(model.instance(&[Text::new("d.param", data)]).is_ok());
}
