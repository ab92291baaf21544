//! Checks explanations with an independent solver: requirements reported as contradictory have no solution, and every
//! smaller subset has one.

use super::*;
use super::{
    ExplainedCase,
    proof::{clues, refuted},
    propagate::{Fact, PropagationInput, Single, Singles},
    refutation::{RefutationStep, supposition_depth, unfounded},
    steps_page::{StepsHeading, steps_page},
    why::{ConflictResult, minimal_contradiction, why_unsatisfiable},
};
use crate::{
    halt::{Halt, Limits, StopReason},
    inside::suite,
    instance::GroundInstance,
    lowering::{Requirement, RequirementOrigin},
    picture::stage::stage,
    pipeline,
    problem::Problem,
    solver::{EngineOptions, Solver, Theory, Z3},
    source::Sources,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

fn instance(model: &str, data: &str) -> (GroundInstance, Sources) {
    let mut sources = Sources::default();
    let mut diagnostics = Vec::new();
    let text = |path: &str| suite::read(Path::new(path)).expect(path);
    let source = sources.add("model", if model.ends_with(".essence") { text(model) } else { model.to_owned() });
    let data = sources.add("data", if data.ends_with(".param") { text(data) } else { data.to_owned() });
    let read = pipeline::read_model_text(&sources, source, &mut diagnostics).expect("a model");
    let instance = pipeline::read_instance(&read.model, &sources, &[data], &mut diagnostics);
    (instance.expect("an instance"), sources)
}

/// Returns true if requirements have a solution, by another theory than explanations use.
fn is_solvable(problem: &Problem, requirements: &[&Requirement]) -> bool {
    let mut problem = problem.clone();
    requirements.iter().for_each(|requirement| problem.require(requirement.condition));
    let mut found = false;
    let mut solver = Z3::from(Theory::Integers);
    let status = solver.solve(&problem, &EngineOptions::default(), &mut |_| {
        found = true;
        ControlFlow::Break(())
    });
    assert!(found || status == Ok(crate::solver::SearchEnd::Complete), "{status:?}");
    found
}

/// Models without solutions, and their data.
const CASES: [(&str, &str); 20] = [
    ("tests/commands/why/pigeons.essence", ""),
    ("tests/commands/why/latin.essence", "tests/commands/why/latin.param"),
    ("tests/commands/why/bound.essence", ""),
    ("tests/commands/why/empty.essence", "letting n be 3"),
    ("tests/commands/why/nested.essence", ""),
    ("tests/commands/why/set.essence", ""),
    ("tests/commands/why/function.essence", ""),
    ("tests/commands/why/relation.essence", ""),
    ("tests/commands/why/partition.essence", ""),
    ("tests/commands/why/sequence.essence", ""),
    ("tests/commands/why/mset.essence", ""),
    ("tests/commands/why/permutation.essence", ""),
    ("tests/commands/why/tuple.essence", ""),
    ("models/futoshiki.essence", "params/futoshiki-3-none.param"),
    ("models/n-queens.essence", "params/n-queens-3.param"),
    ("models/timetable.essence", "params/timetable-none.param"),
    ("models/subset-sum.essence", "params/subset-sum-none.param"),
    // This instance is solved with symmetry breaking.
    ("models/social-golfers.essence", "letting weeks be 4 letting groups be 2 letting size_of_group be 2"),
    ("find x : int(1..3) such that x * x = 100, x != 4", ""),
    ("find x, y : int(0..5) such that x + y > 3, x + y < 3, x != y", ""),
];

#[test]
fn explanations_contradict_themselves_and_nothing_less_does() {
    let engine_options = EngineOptions::default();
    for (model, data) in CASES {
        let (instance, _) = instance(model, data);
        let found = minimal_contradiction(&ExplainedCase::of(&instance, &engine_options), &mut |_| {});
        let Ok(ConflictResult::Yes(found)) = found else { panic!("{model} has a solution") };
        assert!(found.minimal, "{model}");
        let problem = found.widened.as_ref().map_or(&found.plain.lowered.problem, |widened| &widened.lowered.problem);
        let members: Vec<&Requirement> = found.members.iter().collect();
        assert!(!is_solvable(problem, &members), "{model}: the explanation has a solution");
        for position in 0..members.len() {
            let mut less = members.clone();
            less.remove(position);
            assert!(is_solvable(problem, &less), "{model}: requirement {position} is superfluous");
        }
    }
}

/// The changes proposed for a model.
fn changes(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let source = sources.add("model", text);
    let again = |sources: &Sources| {
        let mut diagnostics = Vec::new();
        let read = pipeline::read_model_text(sources, source, &mut diagnostics).ok()?;
        pipeline::read_instance(&read.model, sources, &[], &mut diagnostics).ok().map(PartlySolved::from)
    };
    let known = again(&sources).expect(text);
    let engine_options = EngineOptions::default();
    match why_unsatisfiable(&ExplainedCase { again: Some(&again), ..known.case(&engine_options) }, &sources) {
        Ok(WhyVerdict::Conflict(explanation)) => explanation.changes.into_iter().map(|change| change.says).collect(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn bounds_are_moved_to_the_nearest_number_that_works() {
    assert_eq!(
        changes("find x : int(1..3) such that x >= 7"),
        ["change 3 to 7 in line 1 (1)", "leave out (2)", "change 7 to 3 in line 1 (2)"]
    );
    assert_eq!(
        changes("find x : int(4..9) such that x < 3"),
        ["change 4 to 2 in line 1 (1)", "leave out (2)", "change 3 to 5 in line 1 (2)"]
    );
    assert_eq!(
        changes("find s : set (size 2) of int(1..9) such that |s| > 3"),
        [
            "leave out `size 2` in line 1 (1)",
            "change 2 to 4 in line 1 (1)",
            "leave out (2)",
            "change 3 to 1 in line 1 (2)"
        ]
    );
}

#[test]
fn entries_of_data_in_json_are_changed_as_in_essence() {
    let model = "given crop new type enum\n\
                 given wanted : function (total) crop --> int(-9..9)\n\
                 given beds : int(1..9)\n\
                 find n : function (total) crop --> int(-9..9)\n\
                 such that forAll c : crop . n(c) >= wanted(c), (sum c : crop . n(c)) <= beds\n";
    let model = crate::Model::read(&crate::Text::new("beds.essence", model)).expect("a model");
    let changes = |data: &str| {
        let data = [crate::Text::new("data", data)];
        let answer = model.why(&data, &crate::ExplainOptions::default()).expect("an answer");
        let text = answer.to_text(false);
        text.lines().filter_map(|line| Some(line.strip_prefix("  - change the entry ")?.to_owned())).collect::<Vec<_>>()
    };
    let rest = "\"crop\": [\"tomato\", \"bean\"], \"beds\": 3";
    let essence = "letting crop be new type enum {tomato, bean}\nletting beds be 3\n\
                   letting wanted be function(tomato --> 4, bean --> 7)";
    assert_eq!(
        changes(essence),
        [
            "`tomato --> 4` to `tomato --> (-4)` in line 3 of data (1)",
            "`bean --> 7` to `bean --> (-1)` in line 3 of data (2)"
        ]
    );
    assert_eq!(
        changes(&format!("{{{rest}, \"wanted\": {{\"tomato\": 4, \"bean\": 7}}}}")),
        [
            "`\"tomato\": 4` to `\"tomato\": -4` in line 1 of data (1)",
            "`\"bean\": 7` to `\"bean\": -1` in line 1 of data (2)"
        ]
    );
    assert_eq!(
        changes(&format!("{{{rest}, \"wanted\": [[\"tomato\", 4], [\"bean\", 7]]}}")),
        [
            "`[\"tomato\", 4]` to `[\"tomato\", -4]` in line 1 of data (1)",
            "`[\"bean\", 7]` to `[\"bean\", -1]` in line 1 of data (2)"
        ]
    );
}

#[test]
fn a_number_is_changed_in_all_instances() {
    let model = |requirement: &str| {
        format!("find p : partition (numParts 2) from int(1..4)\nsuch that forAll b in parts(p) . {requirement}")
    };
    assert_eq!(
        changes(&model("(sum i in b . i) <= 3")),
        [
            "leave out `(sum i in b . i) <= 3` in line 2 (all instances of (1))",
            "change 3 to 5 in line 2 (all instances of (1))"
        ]
    );
    assert_eq!(changes(&model("|b| >= 5"))[1..], ["change 5 to 2 in line 2 (all instances of (1))"]);
    let names = changes("find x, y : int(1..3) such that x + y >= 8");
    assert!(names.iter().any(|change| change.starts_with("change 3 to 4")), "{names:?}");
}

#[test]
fn one_instance_can_be_left_out_alone() {
    assert_eq!(
        changes("find x : int(1..9)\nsuch that forAll i : int(1..3) . x != i * i, x <= 1"),
        ["change 1 to 0 in line 1 (1)", "leave out (2) for i = 1 only", "leave out (3)", "change 1 to 2 in line 2 (3)"]
    );
}

#[test]
fn the_explanation_so_far_is_told_on_the_way() {
    let (instance, sources) = instance("tests/commands/why/latin.essence", "tests/commands/why/latin.param");
    let engine_options = EngineOptions::default();
    let sizes = RefCell::new(Vec::new());
    let size = |explanation: &Explanation| -> usize {
        explanation.reasons.iter().map(|reason| reason.instances.len().max(1)).sum()
    };
    let so_far = |explanation: Explanation| sizes.borrow_mut().push(size(&explanation));
    let case = ExplainedCase { so_far: Some(&so_far), ..ExplainedCase::of(&instance, &engine_options) };
    let Ok(WhyVerdict::Conflict(explanation)) = why_unsatisfiable(&case, &sources) else { panic!("it has a solution") };
    let sizes = sizes.into_inner();
    assert!(sizes.len() >= 2 && sizes[0] > size(&explanation), "{sizes:?}");
    assert_eq!(sizes.last(), Some(&size(&explanation)));
}

#[test]
fn an_end_while_changes_are_tried_is_told() {
    let (instance, sources) = instance("tests/commands/why/latin.essence", "tests/commands/why/latin.param");
    let engine_options = EngineOptions::default();
    let so_far = |explanation: Explanation| {
        engine_options.limits.interrupted.fetch_or(explanation.minimal, std::sync::atomic::Ordering::SeqCst);
    };
    let case = ExplainedCase { so_far: Some(&so_far), ..ExplainedCase::of(&instance, &engine_options) };
    assert!(matches!(why_unsatisfiable(&case, &sources), Err(Halt::Stopped(StopReason::Interrupted))));
}

#[test]
fn few_constraints_of_the_source_are_preferred_to_few_instances() {
    let model = "find y : int(1..2) find h : matrix indexed by [int(1..3)] of int(1..2)
        such that y = 1, y = 2, forAll i, j : int(1..3), i < j . h[i] != h[j]";
    let (instance, _) = instance(model, "");
    let engine_options = EngineOptions::default();
    let found = minimal_contradiction(&ExplainedCase::of(&instance, &engine_options), &mut |_| {});
    let Ok(ConflictResult::Yes(found)) = found else { panic!("it has a solution") };
    let constraint = |requirement: &Requirement| match &requirement.origin {
        RequirementOrigin::Constraint { expr, bindings, .. } => Some((expr.span, bindings.clone())),
        _ => None,
    };
    let instances: Vec<_> = found.members.iter().filter_map(constraint).collect();
    assert!(found.minimal && instances.len() == 3, "{instances:?}");
    assert!(instances.iter().all(|(span, bindings)| *span == instances[0].0 && !bindings.is_empty()), "{instances:?}");
}

#[test]
fn symmetries_of_unnamed_types_do_not_stand_in_the_way() {
    let data = "letting weeks be 5 letting groups be 3 letting size_of_group be 3";
    let (instance, _) = instance("models/social-golfers.essence", data);
    // Without symmetry breaking, the refutation would take hours.
    let enough = Arc::new(AtomicBool::new(false));
    let deadline = Some(Instant::now() + Duration::from_secs(120));
    let engine_options =
        EngineOptions::default().limits(Limits::default().deadline(deadline).interrupted(enough.clone()));
    let mut smallest = usize::MAX;
    let _ = minimal_contradiction(&ExplainedCase::of(&instance, &engine_options), &mut |members| {
        smallest = smallest.min(members.len());
        enough.store(true, Ordering::Relaxed);
    });
    assert!(smallest < usize::MAX, "there is no explanation within two minutes");
}

#[test]
fn no_change_is_promised_where_another_contradiction_is_left() {
    assert!(changes("find x, y : int(1..3) such that x != x, y != y").is_empty());
}

/// All hint steps for a model, and their end.
fn steps(model: &str, data: &str) -> (Vec<HintStep>, NextStep) {
    let (instance, sources) = instance(model, data);
    let engine_options = EngineOptions::default();
    let case = ExplainedCase::of(&instance, &engine_options);
    let Ok(WhyVerdict::Solvable(solution)) = why_unsatisfiable(&case, &sources) else {
        panic!("{model} has no solution")
    };
    let board = RequirementBoard::new(&case, Some(&solution), &sources).expect("a board");
    let mut steps = Vec::new();
    let end = guided(&case, &board, &sources, |guide| {
        guide.given()?;
        loop {
            match guide.next_step()? {
                NextStep::Step(step) => steps.push(step),
                end => return Ok(end),
            }
        }
    });
    (steps, end.expect("an end"))
}

#[test]
fn hints_lead_to_the_solution() {
    for (model, data) in [
        ("models/futoshiki.essence", "params/futoshiki-4-greater.param"),
        ("models/futoshiki.essence", "params/futoshiki-5-less.param"),
        ("find s : set (size 2) of int(1..4) such that forAll x in s . x > 2", ""),
        ("find f : function (total, injective) int(1..2) --> int(1..3) such that f(1) = 3, f(2) > 1", ""),
    ] {
        let (steps, end) = steps(model, data);
        assert!(matches!(end, NextStep::Solved), "{model} {data}: {end:?}");
        assert!(steps.iter().all(|step| !step.says.is_empty()), "{model} {data}: {steps:?}");
    }
}

#[test]
fn hints_claim_nothing_of_what_they_cannot_speak_of() {
    let (steps, end) = steps("find x : int(1..100000) find y : int(1..2) such that y != 1, x > 99990", "");
    assert!(matches!(&end, NextStep::Open(names) if names == &["x"]), "{steps:?} {end:?}");
    let (_, end) = self::steps("find x : int(7) find y : int(1..100000) such that y >= 100000", "");
    assert!(matches!(end, NextStep::Solved), "{end:?}");
}

#[test]
fn hints_end_where_solutions_differ() {
    let (_, end) = steps("find x, y : int(1..3) such that x < y, y < 3 find z : int(1..2)", "");
    assert!(matches!(end, NextStep::Open(names) if names == ["z"]));
}

/// The board of a model without solutions, and its refutation.
fn refutation(model: &str, data: &str) -> Option<(RequirementBoard, Vec<RefutationStep>, BTreeSet<usize>)> {
    let (instance, sources) = instance(model, data);
    let engine_options = EngineOptions::default();
    let case = ExplainedCase::of(&instance, &engine_options);
    let Ok(ConflictResult::Yes(conflict)) = minimal_contradiction(&case, &mut |_| {}) else { return None };
    let board = RequirementBoard::new(&case, None, &sources).expect("a board");
    let mut describer = Describer::new(&instance, &sources);
    let puzzle = PropagationInput::new(&board.problem, &board.cells, &board.requirements);
    let clues = clues(&puzzle, &mut describer);
    let symmetries = |rules: &[usize]| board.symmetries(&case, rules);
    let steps = refuted(&case, &puzzle, &clues, &conflict.members, &symmetries).expect("a refutation");
    drop(puzzle);
    Some((board, steps, clues))
}

/// Checks each step of a refutation with another theory than the search used.
fn assert_sound(board: &RequirementBoard, puzzle: &PropagationInput, steps: &[RefutationStep], model: &str) {
    for step in steps {
        match &step.supposed {
            Some((_, inside)) => assert_sound(board, puzzle, inside, model),
            // A choice without loss of generality does not follow from the constraints.
            None if step.alike.is_some() => {}
            None => {
                let mut problem = board.problem.clone();
                step.rules.iter().for_each(|rule| problem.require(board.requirements[*rule].condition));
                step.premises.iter().for_each(|premise| problem.require(puzzle.term(*premise)));
                for denied in
                    step.facts.iter().map(|fact| Some(!puzzle.term(*fact))).chain(step.facts.is_empty().then_some(None))
                {
                    let mut problem = problem.clone();
                    denied.into_iter().for_each(|denied| problem.require(denied));
                    assert!(!is_solvable(&problem, &[]), "{model}: {step:?} does not follow");
                }
            }
        }
    }
}

#[test]
fn each_step_of_a_refutation_follows_from_what_it_uses() {
    for (model, data) in CASES {
        let (board, steps, _) = refutation(model, data).expect("no solution");
        let puzzle = PropagationInput::new(&board.problem, &board.cells, &board.requirements);
        assert_eq!(unfounded(&steps, &BTreeSet::new()), None, "{model}: this uses what is not known before");
        assert!(steps.last().is_some_and(|last| last.facts.is_empty()), "{model}: there is no contradiction");
        assert_sound(&board, &puzzle, &steps, model);
        // Every conclusion must be used.
        let used = super::refutation::fact_uses(&steps);
        let (_, before) = steps.split_last().expect("a contradiction");
        for fact in before.iter().flat_map(|step| &step.facts) {
            assert!(used.contains_key(fact), "{model}: {fact:?} is not needed");
        }
    }
}

#[test]
fn what_must_be_supposed_is_supposed() {
    let sums = "find c : matrix indexed by [int(1..4)] of int(1..3)
        such that c[1] + 2 * c[3] != 7, c[1] + c[3] != 4, c[1] + c[2] != 4, c[4] + 2 * c[1] != 5, c[3] + c[1] != 3,
        c[3] + 2 * c[2] != 5, c[2] + c[4] != 7, c[3] + c[2] != 6, c[2] + 2 * c[3] != 3, c[1] + 2 * c[2] != 7,
        c[3] + 2 * c[1] != 6";
    let (_, steps, _) = refutation(sums, "").expect("no solution");
    assert!(supposition_depth(&steps) > 0 && steps.iter().all(|step| step.rules.len() <= 1), "{steps:?}");
    let chain = "find a, b, c : int(1..3) such that a < b, b < c, c < 3";
    let (_, steps, _) = refutation(chain, "").expect("no solution");
    assert_eq!((supposition_depth(&steps), steps.len()), (0, 3), "{steps:?}");
}

/// The number of steps to the contradiction of a model.
fn length(model: &str, data: &str) -> usize {
    let (instance, sources) = instance(model, data);
    let engine_options = EngineOptions::default();
    match proof(&ExplainedCase::of(&instance, &engine_options), &sources, &mut |_| {}) {
        Ok(ProofVerdict::Refuted(proof, _)) => proof.length(),
        Ok(ProofVerdict::Solvable(_)) => panic!("{model} has a solution"),
        Err(halt) => panic!("{model}: {halt:?}"),
    }
}

#[test]
fn what_people_count_takes_few_steps() {
    for n in [4, 7, 12] {
        let fewer = n - 1;
        let pairs = format!("forAll i, j : int(1..{n}), i < j .");
        let cells = |values: String| format!("find c : matrix indexed by [int(1..{n})] of int({values}) such that");
        let models = [
            format!("{} {pairs} c[i] != c[j]", cells(format!("1..{fewer}"))),
            format!("{} allDiff(c), forAll i : int(1..{n}) . c[i] < {n}", cells(format!("1..{n}"))),
            format!("find f : function (total, injective) int(1..{n}) --> int(1..{fewer})"),
            format!("{} {pairs} c[i] + 3 <= c[j] \\/ c[j] + 3 <= c[i]", cells(format!("0..{}", 3 * n - 4))),
            format!(
                "find s : set (size {n}) of (int(1..{n}), int(1..{fewer}))
                 such that forAll a, b in s . a != b -> a[1] != b[1] /\\ a[2] != b[2]"
            ),
            format!(
                "{} forAll v : int(1..{fewer}) . (sum i : int(1..{n}) . toInt(c[i] = v)) <= 1",
                cells(format!("1..{fewer}"))
            ),
        ];
        for model in models {
            let length = length(&model, "");
            assert!(length <= n * n, "{model}: {length} steps");
        }
    }
    for golfers in [
        "letting weeks be 4 letting groups be 2 letting size_of_group be 2",
        "letting weeks be 6 letting groups be 2 letting size_of_group be 3",
        "letting weeks be 5 letting groups be 3 letting size_of_group be 3",
    ] {
        assert_eq!(length("models/social-golfers.essence", golfers), 1, "{golfers}");
    }
}

#[test]
fn a_long_equation_is_taken_apart() {
    let model = "letting letter be new type enum {T, W, O, F, U, R}
        find d : function (total, injective) letter --> int(0..9) such that
        2 * (100 * d(T) + 10 * d(W) + d(O)) = 1000 * d(F) + 100 * d(O) + 10 * d(U) + d(R), d(F) = 1, d(O) = 9";
    assert_eq!(length(model, ""), 2);
}

#[test]
fn a_page_shows_each_step_with_a_picture() {
    let (instance, sources) = instance("models/futoshiki.essence", "params/futoshiki-3-none.param");
    let engine_options = EngineOptions::default();
    let found = proof(&ExplainedCase::of(&instance, &engine_options), &sources, &mut |_| {});
    let Ok(ProofVerdict::Refuted(proof, Some(board))) = found else { panic!("no steps") };
    let heading = StepsHeading { title: "a < b", says: "No.", given: &proof.given, ending: "" };
    let page = steps_page(&heading, &proof.steps, Some(&board), stage(&instance, &[]).as_ref());
    assert!(page.contains("<h1>a &lt; b</h1>"), "{page}");
    assert_eq!(page.matches("<figure").count(), proof.length());
    assert!(page.contains("class=\"new\"") && page.contains("class=\"used\""), "{page}");
    let without = super::steps_page::steps_page(&heading, &proof.steps, None, None);
    assert_eq!((without.matches("<li").count(), without.contains("<figure")), (proof.length(), false));
}

/// The options left in each cell.
type Left = Vec<Vec<bool>>;

/// The fewest conclusions, each from one requirement about one cell, that lead to a contradiction, found by
/// breadth-first search; `None` if there are too many states. A conclusion excludes all options that it can.
fn fewest_steps(board: &RequirementBoard, clues: &BTreeSet<usize>, most_states: usize) -> Option<usize> {
    let puzzle = PropagationInput::new(&board.problem, &board.cells, &board.requirements);
    let engine_options = EngineOptions::default();
    let mut singles = Singles::new(&puzzle, &engine_options);
    let mut known: BTreeMap<(usize, Vec<Vec<bool>>), Option<Left>> = BTreeMap::new();
    // Returns the options that a rule leaves to the cells in its scope; `None` if the rule cannot hold.
    let mut narrowed = |left: &Left, rule: usize| -> Option<Left> {
        let scope = &puzzle.scopes[rule];
        let own: Vec<Vec<bool>> = scope.iter().map(|cell| left[*cell].clone()).collect();
        let asked = || {
            let closed = scope.iter().flat_map(|cell| {
                let closed = left[*cell].iter().enumerate().filter(|(_, open)| !**open);
                closed.map(|(option, _)| Fact::Not(*cell, option))
            });
            let closed: Vec<Fact> = closed.collect();
            let mut possible = |with: Option<Fact>| {
                let facts: Vec<Fact> = closed.iter().copied().chain(with).collect();
                matches!(singles.ask(rule, &facts, Some(puzzle.condition(rule))), Ok(Single::Possible(_)))
            };
            possible(None).then(|| {
                let cell = |cell: &usize| {
                    let options = left[*cell].iter().enumerate();
                    options.map(|(option, open)| *open && possible(Some(Fact::Is(*cell, option)))).collect()
                };
                scope.iter().map(cell).collect()
            })
        };
        known.entry((rule, own)).or_insert_with(asked).clone()
    };
    let mut start: Left = puzzle.cells.iter().map(|cell| vec![true; cell.options.len()]).collect();
    for rule in clues {
        for (cell, left) in puzzle.scopes[*rule].iter().zip(narrowed(&start, *rule)?) {
            start[*cell] = left;
        }
    }
    let mut states = BTreeSet::from([start]);
    for steps in 1.. {
        let mut next = BTreeSet::new();
        for state in &states {
            for rule in (0..puzzle.scopes.len()).filter(|rule| !clues.contains(rule)) {
                let Some(left) = narrowed(state, rule) else { return Some(steps) };
                for (cell, left) in puzzle.scopes[rule].iter().zip(left) {
                    if left != state[*cell] {
                        let mut other = state.clone();
                        other[*cell] = left;
                        next.insert(other);
                    }
                }
            }
            if next.len() > most_states {
                return None;
            }
        }
        states = next;
    }
    None
}

/// A small futoshiki, usually without a solution, or a few sums and comparisons: a model and its data.
fn small_contradiction(number: u64) -> (String, String) {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    if number.is_multiple_of(2) {
        let mut signs = BTreeSet::new();
        for _ in 0..6 {
            let (row, column, turned) = (random(4) + 1, random(3) + 1, random(2) == 0);
            let (one, other) = ((row, column), (row, column + 1));
            signs.insert(if turned { (other, one) } else { (one, other) });
        }
        let hints: BTreeMap<(u64, u64), u64> =
            (0..4).map(|_| ((random(4) + 1, random(4) + 1), random(4) + 1)).collect();
        let hints: Vec<String> = hints.iter().map(|(cell, value)| format!("{cell:?} --> {value}")).collect();
        let signs: Vec<String> = signs.iter().map(|sign| format!("{sign:?}")).collect();
        let data = format!(
            "letting n be 4 letting hints be function ({}) letting less_than be relation ({})",
            hints.join(", "),
            signs.join(", ")
        );
        return ("models/futoshiki.essence".to_owned(), data);
    }
    let names = ["v", "w", "x", "y", "z"];
    let mut constraints = Vec::new();
    for _ in 0..6 {
        let [one, other, third] = [0; 3].map(|_| names[random(5) as usize]);
        let (few, many) = (random(4) + 2, random(3) + 7);
        constraints.push(match random(4) {
            0 => format!("{one} + {other} <= {few}"),
            1 => format!("{one} + {other} >= {many}"),
            2 => format!("{one} != {other} \\/ {third} = {few}"),
            _ => format!("{one} + 1 < {other}"),
        });
    }
    (format!("find {} : int(1..6) such that {}", names.join(", "), constraints.join(", ")), String::new())
}

#[test]
fn refutations_are_nearly_as_short_as_they_can_be() {
    // Most contradictions take three steps, so 600 small ones are refuted and the longest are compared.
    let mut lengths: Vec<(usize, usize)> = Vec::new();
    for number in 0..600 {
        let (model, data) = small_contradiction(number);
        let Some((board, steps, clues)) = refutation(&model, &data) else { continue };
        if supposition_depth(&steps) > 0 || steps.iter().any(|step| step.rules.len() > 1) {
            continue;
        }
        let is_clue = |step: &&RefutationStep| !matches!(step.rules.as_slice(), [rule] if clues.contains(rule));
        let cells = |step: &RefutationStep| step.facts.iter().map(|fact| fact.cell()).collect::<BTreeSet<_>>().len();
        let own: usize = steps.iter().filter(is_clue).map(|step| cells(step).max(1)).sum();
        if own < 4 {
            continue;
        }
        if let Some(fewest) = fewest_steps(&board, &clues, 10_000) {
            assert!(fewest <= own, "{model} {data}: {fewest} steps are said to be the fewest, but {own} are enough");
            lengths.push((fewest, own));
        }
    }
    lengths.sort_unstable_by(|one, other| other.cmp(one));
    lengths.truncate(20);
    println!("fewest steps, and steps: {lengths:?}");
    assert!(lengths.len() == 20 && lengths[19].0 >= 3, "there are too few contradictions: {lengths:?}");
    let mut ratios: Vec<f64> = lengths.iter().map(|(fewest, own)| *own as f64 / *fewest as f64).collect();
    ratios.sort_by(f64::total_cmp);
    assert!((ratios[9] + ratios[10]) / 2.0 <= 1.5, "{ratios:?}");
}
