//! The search laboratory finds the same optimum as `solve`, with every strategy.

use conjure_like::{
    diagnostic::Diagnostics,
    instance::GroundInstance,
    laboratory::{self, Arity, Inference, Network, Recorder, Strategy, TraceEvent, ValueOrder, VariableOrder, Verdict},
    lowering::Lowered,
    picture::stage::{Stage, stage},
    pipeline,
    problem::Assignment,
    solution,
    solver::{self, EngineOptions},
    source::Sources,
};
use std::{fs, ops::ControlFlow};

fn strategies() -> Vec<Strategy> {
    let mut strategies = Vec::new();
    for inference in [Inference::None, Inference::ForwardChecking, Inference::Mac] {
        for preprocess in [false, true] {
            for variables in
                [VariableOrder::AsWritten, VariableOrder::Mrv, VariableOrder::MrvDegree, VariableOrder::DomWdeg]
            {
                for values in [ValueOrder::AsWritten, ValueOrder::Lcv] {
                    strategies.push(Strategy { inference, preprocess, variables, values });
                }
            }
        }
    }
    strategies
}

/// The picture of an instance, by the directives in its model.
fn stage_of(model: &str, instance: &GroundInstance) -> Stage {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("model", model);
    let read = pipeline::read_model_text(&sources, source, &mut diagnostics).expect("a model");
    let directives = pipeline::pictures(&read, &mut diagnostics).expect("comments that fit");
    stage(instance, &directives).expect("a picture with cells")
}

#[test]
fn every_cell_of_a_picture_is_a_variable_or_known() {
    let read = |path: &str| fs::read_to_string(path).expect("an example");
    for (model, parameters, cells) in [
        ("sudoku", "sudoku-easy", 81),
        ("futoshiki", "futoshiki-4", 16),
        ("n-queens", "n-queens-6", 36),
        ("map-colouring", "map-colouring-australia", 7),
        ("nonogram", "nonogram-heart", 72),
        ("magic-square", "magic-square-3", 9),
        ("golomb-ruler", "golomb-ruler-4", 4),
        ("killer-sudoku", "killer-sudoku-1", 81),
    ] {
        let text = read(&format!("models/{model}.essence"));
        let (instance, lowered) = prepare(&text, Some(&read(&format!("params/{parameters}.param"))));
        let network = Network::new(&instance, &lowered, Arity::Any).expect("a small instance");
        let stage = stage_of(&text, &instance);
        for found in &stage.boxes {
            let part = &found.slot.part;
            let is_variable = network.variables.iter().any(|variable| variable.name == *part);
            assert!(is_variable || network.fixed.iter().any(|(name, _)| name == part), "{model}: {part}");
        }
        let shown = stage.boxes.iter().filter(|found| network.variables.iter().any(|one| one.name == found.slot.part));
        assert!(shown.count() > 0, "{model}");
        assert!(stage.boxes.len() >= cells, "{model}: {} cells", stage.boxes.len());
    }
}

#[test]
fn the_recorded_bounds_meet_in_the_best_solution() {
    let model = "find x, y : int(1..5) minimising 10 * x - y such that x + y > 5, x != y";
    let (instance, lowered) = prepare(model, None);
    let network = Network::new(&instance, &lowered, Arity::Any).expect("a small instance");
    for strategy in strategies() {
        let run = laboratory::run_strategy(&network, strategy, &EngineOptions::default(), Recorder::new(100_000));
        let Recorder { events, checks, bounds, .. } = &run.recorder;
        assert_eq!(events.len(), checks.len());
        assert!(checks.is_sorted() && checks.last() <= Some(&run.counters.checks), "{strategy}");
        let after = |step: usize| bounds.iter().rev().find(|(at, _)| *at <= step).map(|(_, bound)| bound[0]);
        let steps = (1..).zip(events);
        let found: Vec<i128> = steps
            .clone()
            .filter(|(_, event)| matches!(event, TraceEvent::Solution))
            .filter_map(|(step, _)| after(step))
            .collect();
        assert_eq!(found.last(), Some(&5), "{strategy}: {found:?}");
        assert!(found.is_sorted_by(|left, right| left > right), "{strategy}: {found:?}");
        // A branch is abandoned only if its bound is not better than the best solution.
        for (step, _) in steps.filter(|(_, event)| matches!(event, TraceEvent::NoBetter)) {
            let best = found_before(events, step, &found);
            assert!(after(step) >= best, "{strategy}: {:?} {best:?}", after(step));
        }
    }
}

/// The objective of the last solution before a step.
fn found_before(events: &[TraceEvent], step: usize, found: &[i128]) -> Option<i128> {
    let count = events[..step].iter().filter(|event| matches!(event, TraceEvent::Solution)).count();
    count.checked_sub(1).map(|last| found[last])
}

/// An instance with its problem.
fn prepare(model: &str, parameters: Option<&str>) -> (GroundInstance, Lowered) {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("model", model);
    let data: Vec<_> = parameters.map(|text| sources.add("parameters", text)).into_iter().collect();
    let model = pipeline::read_model_text(&sources, source, &mut diagnostics).expect("a model").model;
    let instance = pipeline::read_instance(&model, &sources, &data, &mut diagnostics).expect("an instance");
    let lowered = pipeline::lower_instance(&instance, &EngineOptions::default()).expect("a problem");
    (instance, lowered)
}

/// The values of the objective in the best solution (empty without an objective), or `None` if there is no solution.
fn solved(instance: &GroundInstance, lowered: &Lowered) -> Option<Vec<i64>> {
    let mut best = None;
    let mut solver = solver::backend(solver::SolverName::Z3).expect("Z3 is there");
    let optimising = lowered.problem.objective();
    let status = solver.solve(&lowered.problem, &Default::default(), &mut |assignment| {
        best = Some(objective(lowered, assignment));
        if optimising.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let _ = (status, instance);
    best
}

fn objective(lowered: &Lowered, assignment: &Assignment) -> Vec<i64> {
    let terms = lowered.problem.objective().into_iter().flat_map(|objective| &objective.terms);
    terms.map(|term| lowered.problem.int_value(*term, assignment)).collect()
}

fn agrees(name: &str, model: &str, parameters: Option<&str>, strategies: &[Strategy]) {
    let (instance, lowered) = prepare(model, parameters);
    let expected = solved(&instance, &lowered);
    for arity in [Arity::Any, Arity::Binary] {
        let network = Network::new(&instance, &lowered, arity).expect("small domains");
        for strategy in strategies {
            let run = laboratory::run_strategy(&network, *strategy, &EngineOptions::default(), Recorder::default());
            let found = run.solution.as_ref().map(|assignment| {
                let solution = lowered.read_back(assignment);
                assert!(solution::verify(&instance, &solution).is_ok(), "{name} with {strategy}: a wrong solution");
                objective(&lowered, assignment)
            });
            assert_eq!(found, expected, "{name} with {strategy}");
            assert_eq!(run.verdict == Verdict::Solved, expected.is_some(), "{name} with {strategy}");
        }
    }
}

#[test]
fn every_strategy_agrees_with_solve_on_small_models() {
    let models = [
        "find x, y : int(1..3) such that x > y, x + y = 5",
        "find x, y : int(1..3) such that x > y, x + y = 9",
        "find x : int(-3..3) find b : bool such that b <-> x * x = 4, x % 3 = 1",
        "find s : set (minSize 1) of int(1..4) such that (sum i in s . i) = 6, !(2 in s)",
        "find s : set (size 2) of int(1..100) such that forAll i in s . i > 97 \\/ i = 7",
        "find f : function (total, injective) int(1..3) --> int(1..4) such that f(1) > f(2), f(3) = 2 * f(2)",
        "find f : function int(1..3) --> int(1..2) such that |defined(f)| = 2, f(1) = 2, !(3 in defined(f))",
        "find r : relation (size 2) of (int(1..2) * int(1..3)) such that forAll (a, b) in r . a < b",
        "find p : partition (numParts 2) from int(1..4) such that together({1, 2}, p), apart({2, 3}, p)",
        "find q : sequence (maxSize 3, injective) of int(1..3) such that |q| = 2, q(1) > q(2)",
        "find m : matrix indexed by [int(1..2), int(0..2)] of int(0..2) such that allDiff(m[1, ..]), sum(flatten(m)) = 9",
        "find x, y : int(0..5) such that x + y <= 6, x - y <= 2 maximising 3 * x + 2 * y",
        "find s : set of int(1..5) such that (sum i in s . i) >= 7 minimising |s|",
        "find x, y : int(0..5) such that x + y <= 6, x != 5 maximising (x, -y)",
        "letting E be new type enum {a, b, c} find f : function (total) E --> E such that forAll x : E . f(f(x)) != x",
        "find x : int(1..3) such that x / (x - 1) = 2",
        "find x, y : int(-2..2) such that allDiff([x + 1, 3 - y, 2 * x, x * y, 4])",
        "find x, y, z : int(1..4) such that allDiff([|x - y|, |y - z|, |x - z|]), x + y != 5, 2 * x != z",
        "find b, c : bool find x : int(0..2) such that allDiff([toInt(b), 2 - toInt(c), x])",
        "find v : variant {n : int(1..3), t : bool} such that active(v, n) -> v[n] = 2, !active(v, t)",
    ];
    for model in models {
        agrees(model, model, None, &strategies());
    }
}

#[test]
fn good_strategies_solve_the_examples() {
    let examples = [
        ("futoshiki", Some("futoshiki-4")),
        ("futoshiki", Some("futoshiki-3-none")),
        ("n-queens", Some("n-queens-6")),
        ("n-queens", Some("n-queens-3")),
        ("latin-square", Some("latin-square-7")),
        ("send-more-money", None),
        ("map-colouring", Some("map-colouring-benelux")),
        ("golomb-ruler", Some("golomb-ruler-4")),
        ("knapsack", Some("knapsack-5")),
        ("four-houses", None),
        ("sudoku", Some("sudoku-easy")),
    ];
    let good: Vec<Strategy> = ["mac", "ac3+mac+mrv", "mac+dom/wdeg"].map(|words| words.parse().expect("words")).into();
    for (model, parameters) in examples {
        let text = fs::read_to_string(format!("models/{model}.essence")).expect("a model");
        let data = parameters.map(|name| fs::read_to_string(format!("params/{name}.param")).expect("parameters"));
        agrees(parameters.unwrap_or(model), &text, data.as_deref(), &good);
    }
}

#[test]
fn counts_are_those_of_a_search_by_hand() {
    // By hand: x = 1: y = 1, 2, 3 violate x > y. x = 2: so do 2 and 3, and 2 + 1 is not 5. x = 3: 3 + 1 is not 5, but 3
    // + 2 is.
    let (instance, lowered) = prepare("find x, y : int(1..3) such that x > y, x + y = 5", None);
    let network = Network::new(&instance, &lowered, Arity::Any).expect("small domains");
    let count = |words: &str| {
        let strategy = words.parse().expect("words");
        let counters =
            laboratory::run_strategy(&network, strategy, &EngineOptions::default(), Recorder::default()).counters;
        (counters.nodes, counters.dead_ends, counters.checks, counters.prunings)
    };
    assert_eq!(count("bt"), (11, 7, 11, 0));
    // x = 1 leaves no value for y (3 checks). x = 2 leaves 1 (3), which 2 + y = 5 forbids (1). x = 3 leaves 1 and 2
    // (3), and then 2 (2).
    assert_eq!(count("fc"), (4, 2, 12, 8));
    // Before the search, x > y removes 1 from x and 3 from y; x + y = 5 then leaves 3 and 2.
    let (nodes, dead_ends, ..) = count("ac3");
    assert_eq!((nodes, dead_ends), (2, 0));
    assert_eq!(count("mac").0, 2);
}

/// The number of nodes that a strategy visits.
fn nodes(model: &str, arity: Arity, words: &str) -> u64 {
    let (instance, lowered) = prepare(model, None);
    let network = Network::new(&instance, &lowered, arity).expect("small domains");
    laboratory::run_strategy(&network, words.parse().expect("words"), &EngineOptions::default(), Recorder::default())
        .counters
        .nodes
}

/// Textbooks give 876 and 88 nodes up to the first solution of the eight queens, for backtracking and forward checking.
#[test]
fn the_eight_queens_take_as_many_nodes_as_in_the_textbooks() {
    let ways = [
        "allDiff(q), allDiff([q[i] + i | i : D]), allDiff([q[i] - i | i : D])",
        "allDiff(q), allDiff([i - q[i] | i : D]), allDiff([-q[i] - i | i : D])",
        "allDiff([2 * q[i] | i : D]), allDiff([3 - 2 * (q[i] + i) | i : D]), allDiff([q[i] - i | i : D])",
        "forAll i, j : D . i < j -> q[i] != q[j] /\\ q[i] + i != q[j] + j /\\ q[i] - q[j] != i - j",
        "forAll i, j : D . i < j -> q[i] != q[j] /\\ |q[i] - q[j]| != j - i",
        "forAll i, j : D . i < j -> allDiff([q[i], q[j]]) /\\ !(|q[i] - q[j]| = |i - j|)",
    ];
    for way in ways {
        let model = format!("letting D be domain int(1..8) find q : matrix indexed by [D] of D such that {way}");
        for arity in [Arity::Any, Arity::Binary] {
            assert_eq!((nodes(&model, arity, "bt"), nodes(&model, arity, "fc")), (876, 88), "{way}, {arity:?}");
        }
    }
}

/// `allDiff` is searched like the inequalities of all pairs of its terms.
#[test]
fn all_different_terms_are_searched_like_their_pairs() {
    let terms = [
        ("D", "m[k] * m[1 + k % 4]"),
        ("D", "|m[k] - 2 * m[1 + k % 4]|"),
        ("D", "v[m[k]] + k"),
        ("int(1..2)", "m[k] - m[k + 2]"),
        ("D", "m[1 + k / 2] + k"),
    ];
    for (domain, term) in terms {
        let head = "letting D be domain int(1..4) letting v be [4, 1, 3, 3, 2, 7, 1]
            find m : matrix indexed by [D] of int(1..7) such that m[1] + m[4] > 9,";
        let together = format!("{head} allDiff([{term} | k : {domain}])");
        let other = term.replace('k', "l");
        let pairwise = format!("{head} forAll k, l : {domain} . k < l -> {term} != {other}");
        for words in ["bt", "fc", "fc+mrv", "mac"] {
            assert_eq!(nodes(&together, Arity::Any, words), nodes(&pairwise, Arity::Any, words), "{term}, {words}");
        }
    }
}

/// The limits are checked during the preparation and inside a node, too.
#[test]
fn an_ended_search_does_not_go_on_to_the_next_node() {
    let model = "find x, y, z : int(1..20000) such that x * y = z + 7, x + y + z = 40000, x < y";
    let (instance, lowered) = prepare(model, None);
    let network = Network::new(&instance, &lowered, Arity::Any).expect("small domains");
    let late = EngineOptions::default().limits(std::time::Instant::now());
    let interrupted = EngineOptions::default();
    interrupted.limits.interrupted.store(true, std::sync::atomic::Ordering::Relaxed);
    for engine_options in [late, interrupted] {
        for words in ["bt", "fc", "mac", "ac3+lcv", "bt+mrv", "bt+lcv"] {
            let run =
                laboratory::run_strategy(&network, words.parse().expect("words"), &engine_options, Recorder::default());
            assert_eq!(run.verdict, Verdict::Stopped, "{words}");
            // The limits are not checked at every step, so a few more are allowed.
            assert!(run.counters.checks <= 64 && run.counters.nodes <= 64, "{words}: {:?}", run.counters);
        }
    }
}

/// A condition on a pair of values.
type Rule = fn(i64, i64) -> bool;

/// Textbook search in the order of the variables, with conditions on pairs. Returns the number of nodes up to the first
/// solution, and true if there is one. With `forward`, an assignment removes the forbidden values of later variables.
fn textbook(
    rules: &[(usize, usize, Rule)],
    domains: &mut Vec<Vec<i64>>,
    values: &mut Vec<i64>,
    forward: bool,
) -> (u64, bool) {
    let variable = values.len();
    if variable == domains.len() {
        return (0, true);
    }
    let mut nodes = 0;
    for value in domains[variable].clone() {
        nodes += 1;
        values.push(value);
        let holds = |(one, other, rule): &(usize, usize, Rule), values: &[i64]| rule(values[*one], values[*other]);
        // Forward checking is undone when the value is given up.
        let before = domains.clone();
        let hopeful = match forward {
            false => rules.iter().filter(|(one, other, _)| *one.max(other) == variable).all(|rule| holds(rule, values)),
            true => {
                for (one, other, rule) in rules.iter().filter(|(one, other, _)| *one.min(other) == variable) {
                    let later = *one.max(other);
                    domains[later].retain(|next| if one < other { rule(value, *next) } else { rule(*next, value) });
                }
                domains.iter().all(|domain| !domain.is_empty())
            }
        };
        if hopeful {
            let (below, found) = textbook(rules, domains, values, forward);
            nodes += below;
            if found {
                return (nodes, true);
            }
        }
        *domains = before;
        values.pop();
    }
    (nodes, false)
}

/// Conditions on two variables take the same number of nodes as in the textbooks, however they are written.
#[test]
fn conditions_on_two_variables_take_as_many_nodes_as_in_the_textbooks() {
    let rules: [(&str, Rule); 14] = [
        ("X != Y + 1", |x, y| x != y + 1),
        ("7 - X != Y", |x, y| 7 - x != y),
        ("2 * X + Y = 9", |x, y| 2 * x + y == 9),
        ("2 * X - 3 * Y != 1", |x, y| 2 * x - 3 * y != 1),
        ("|X - Y| = 2", |x, y| (x - y).abs() == 2),
        ("|X - Y| != 1", |x, y| (x - y).abs() != 1),
        ("|2 * X - Y| > 3", |x, y| (2 * x - y).abs() > 3),
        ("X * Y > 6", |x, y| x * y > 6),
        ("X % 3 = Y % 2", |x, y| x % 3 == y % 2),
        ("v[X] = Y + 1", |x, y| [4, 2, 7, 1, 5, 3][x as usize - 1] == y + 1),
        ("v[X] != v[Y]", |x, y| x != y),
        ("allDiff([X + 1, 2 * Y, 4 - X])", |x, y| x + 1 != 2 * y && 4 - x != 2 * y),
        ("(X = 3 \\/ Y < 4)", |x, y| x == 3 || y < 4),
        ("max([X, Y]) - min([X, Y]) >= 2", |x, y| (x - y).abs() >= 2),
    ];
    let names = ["a", "b", "c", "d"];
    let pairs = [(0, 1), (2, 1), (0, 3), (2, 3), (3, 1), (0, 2)];
    for start in 0..rules.len() {
        for step in [1, 3, 5] {
            let chosen: Vec<(usize, usize, &str, Rule)> = (0..4 + start % 3)
                .map(|number| {
                    let ((one, other), (text, rule)) = (pairs[number], rules[(start + step * number) % rules.len()]);
                    (one, other, text, rule)
                })
                .collect();
            let texts =
                chosen.iter().map(|(one, other, text, _)| text.replace('X', names[*one]).replace('Y', names[*other]));
            let texts = texts.collect::<Vec<_>>().join(", ");
            let model = format!("letting v be [4, 2, 7, 1, 5, 3] find a, b, c, d : int(1..6) such that {texts}");
            let rules: Vec<(usize, usize, Rule)> =
                chosen.iter().map(|(one, other, _, rule)| (*one, *other, *rule)).collect();
            for (words, forward) in [("bt", false), ("fc", true)] {
                let (expected, _) = textbook(&rules, &mut vec![(1..=6).collect(); 4], &mut Vec::new(), forward);
                assert_eq!(nodes(&model, Arity::Any, words), expected, "{words}: {texts}");
            }
        }
    }
}

/// The parts of a partition, the counts of a multiset, and the variables of `exists` have no names in the model.
#[test]
fn variables_are_named_after_what_they_stand_for() {
    let model = "\
find p : partition (numParts 2) from int(1..3)
find m : mset (size 2) of int(1..2)
find x : int(1..2)
such that
    together({1, 2}, p),
    freq(m, 1) = 2,
    exists (a, b) : (int(1..1001), int(1..1001)) . a = 1000 /\\ b + x = 1001,
    forAll i : int(1..2) . exists c, d : int(1001..2002) . c + d = 2002 + x /\\ d != 1000 + i,
    { y + x @ find y : int(1..2) such that y != x } = 3
";
    let (instance, lowered) = prepare(model, None);
    let network = Network::new(&instance, &lowered, Arity::Any).expect("small domains");
    let names: Vec<&str> = network.variables.iter().map(|variable| &*variable.name).collect();
    let parts = ["part of 2 in p", "part of 3 in p", "freq(m, 1)", "freq(m, 2)", "x"];
    let others = ["a", "b", "instance 1 of c", "instance 1 of d", "instance 2 of c", "instance 2 of d", "y"];
    assert_eq!(names, [&parts[..], &others[..]].concat());
}
