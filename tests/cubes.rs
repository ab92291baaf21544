//! Cubes partition the solution space, on models of every kind.

use conjure_like::{
    Code, Count, CoverFault, Cube, CubeStep, Cubes, Instance, Model, SolveOptions, SolveStatus, SolverName,
    SymmetryDetection, Text,
};
use std::{collections::BTreeSet, ops::ControlFlow};

fn instance(model: &str, data: &str) -> Instance {
    let model = Model::read(&Text::new("test.essence", model)).expect("a model");
    model.instance(&[Text::new("test.param", data)]).expect("an instance")
}

fn cubes(instance: &Instance, count: usize, options: &SolveOptions) -> Cubes {
    instance.cubes(count, options).expect("cubes").expect("no limit")
}

fn solutions(instance: &Instance, cube: Option<&Cube>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let options = SolveOptions::default().solutions(Count::All).cube(cube.cloned());
    let summary = instance.solve(&options, &mut |solution| {
        assert!(found.insert(solution.to_json()), "twice in a cube");
        ControlFlow::Continue(())
    });
    let status = summary.expect("a search").status;
    assert!([SolveStatus::AllSolutions, SolveStatus::Unsatisfiable].contains(&status), "{status:?}");
    found
}

/// Models with variables of all kinds, and the number of cubes to request.
const MODELS: [(&str, usize); 10] = [
    (
        "find q : matrix indexed by [int(1..6)] of int(1..6) such that allDiff(q), allDiff([q[i] + i | i : int(1..6)])",
        20,
    ),
    ("find x : int(1..100), y : int(1..100) such that x * y = 96, x < y", 7),
    ("find s : set (size 3) of int(1..7) such that sum(s) % 4 = 1", 9),
    ("find s : set (size 2) of set (size 2) of int(1..4) such that forAll t in s . 1 in t", 5),
    ("find m : mset (size 3) of int(1..3), b : bool such that b -> freq(m, 1) = 2", 6),
    ("find f : function int(1..3) --> int(1..4) such that |range(f)| = 2", 12),
    ("find q : sequence (maxSize 3) of int(1..3) such that |q| > 0 -> q(1) = 2", 8),
    ("find r : relation (size 2) of (int(1..2) * int(1..3)) such that (1, 1) in r", 4),
    ("find p : partition (numParts 2) from int(1..5) such that apart({1, 2}, p)", 6),
    (
        "letting E be new type enum {a, b, c} find r : record {x : E, y : tuple (bool, int(1..3))} such that r[y][1] -> r[x] = b",
        5,
    ),
];

#[test]
fn each_solution_is_in_exactly_one_cube() {
    let all = SolveOptions::default().solutions(Count::All);
    for (model, count) in MODELS {
        let instance = instance(model, "");
        let solutions_of_all = solutions(&instance, None);
        assert!(solutions_of_all.len() > 1, "{model}");
        let cubes = cubes(&instance, count, &all).cubes;
        assert!(cubes.len() > 1, "{model}: {} cubes", cubes.len());
        let mut found = BTreeSet::new();
        for cube in &cubes {
            for solution in solutions(&instance, Some(cube)) {
                assert!(found.insert(solution.clone()), "{model}: {solution} is in two cubes, one of them {cube}");
            }
        }
        assert_eq!(found, solutions_of_all, "{model}");
        assert_eq!(instance.check_cubes(&cubes, &all).expect("an answer").expect("no limit"), None, "{model}");
    }
}

#[test]
fn a_symmetric_solution_is_in_a_cube() {
    for (model, count) in MODELS {
        let instance = instance(model, "");
        let cubes = cubes(&instance, count, &SolveOptions::default()).cubes;
        assert_eq!(
            instance.check_cubes(&cubes, &SolveOptions::default()).expect("an answer").expect("no limit"),
            None,
            "{model}"
        );
        // Symmetry breaking may remove every solution of a cube, but not of all cubes.
        let satisfied = cubes.iter().any(|cube| {
            let options = SolveOptions::default().cube(Some(cube.clone()));
            let summary = instance.solve(&options, &mut |_| ControlFlow::Break(())).expect("a search");
            summary.status == SolveStatus::Satisfied
        });
        assert!(satisfied, "{model}");
    }
}

#[test]
fn what_is_missing_or_common_is_found() {
    let options = SolveOptions::default().solutions(Count::All);
    let instance = instance(MODELS[0].0, "");
    let cubes = cubes(&instance, 20, &options).cubes;
    let with_solutions =
        cubes.iter().position(|cube| !solutions(&instance, Some(cube)).is_empty()).expect("a solution");
    let mut fewer = cubes.clone();
    // A missing cube without solutions would not be an error.
    fewer.remove(with_solutions);
    assert_eq!(
        instance.check_cubes(&fewer, &options).expect("an answer").expect("no limit"),
        Some(CoverFault::Missing)
    );
    let mut wider = cubes.clone();
    // Without its last step, a cube contains its neighbour.
    wider[0].steps.pop();
    let fault = instance.check_cubes(&wider, &options).expect("an answer").expect("no limit");
    assert!(matches!(fault, Some(CoverFault::Overlap(0, _))), "{fault:?}");
    wider[0].steps = vec![CubeStep { cell: "z".into(), options: vec!["1".into()], says: "z = 1".into() }];
    let options = SolveOptions::default().cube(Some(wider[0].clone()));
    let refused = instance.solve(&options, &mut |_| ControlFlow::Continue(())).expect_err("another instance's cube");
    assert_eq!(refused.diagnostics[0].code, Code::CUBES);
}

#[test]
fn all_cubes_of_a_refutation_are_refuted() {
    let pigeons = |holes: usize| {
        instance(
            &format!(
                "find p : matrix indexed by [int(1..{})] of int(1..{holes})\nsuch that forAll i, j : int(1..{0}) . i < j -> p[i] != p[j]",
                holes + 1
            ),
            "",
        )
    };
    let options = SolveOptions::default().solver(SolverName::Cadical).symmetry(SymmetryDetection::On);
    let instance = pigeons(6);
    let made = cubes(&instance, 10, &options);
    assert_eq!(instance.check_cubes(&made.cubes, &options).expect("an answer").expect("no limit"), None);
    for cube in made.cubes {
        let options = options.clone().cube(Some(cube));
        let summary = instance.solve(&options, &mut |_| ControlFlow::Continue(())).expect("a search");
        assert_eq!(summary.status, SolveStatus::Unsatisfiable);
    }
    // An instance that is refuted while cubes are made gets a single cube, the whole space.
    let one = cubes(&pigeons(1), 10, &options).cubes;
    assert!(matches!(&one[..], [cube] if cube.steps.is_empty()), "{one:?}");
}

#[test]
fn a_refuted_instance_has_one_cube() {
    let options = SolveOptions::default().solutions(Count::All);
    for (model, data) in [
        ("find x : int(1..3) such that false", ""),
        ("find x, y : int(1..9) such that x * y = 100", ""),
        (
            "given s : set of int find x : int(1..20), y : int(1..20) such that x in s, y in s, x + y = 41",
            "letting s be {1, 2}",
        ),
        ("find s : set (size 3) of int(1..2)", ""),
    ] {
        let instance = instance(model, data);
        let made = cubes(&instance, 10, &options);
        assert!(matches!(&made.cubes[..], [cube] if cube.steps.is_empty()) && made.refuted > 0, "{model}: {made:?}");
        assert!(solutions(&instance, Some(&made.cubes[0])).is_empty(), "{model}");
    }
}

#[test]
fn the_best_of_all_cubes_is_best() {
    let instance =
        instance("find s : set of int(1..9)\nsuch that sum(s) <= 20, |s| >= 2\nmaximising sum([i * i | i <- s])", "");
    let best = |cube: Option<Cube>, better_than: Option<i64>| {
        let options = SolveOptions::default().cube(cube).better_than(better_than);
        let mut best = None;
        let summary = instance.solve(&options, &mut |solution| {
            best = solution.objective().and_then(|value| value.as_int());
            ControlFlow::Continue(())
        });
        (best, summary.expect("a search").status)
    };
    let (Some(optimum), SolveStatus::Optimal) = best(None, None) else { panic!("no optimum") };
    // Each cube gets the best value of the earlier ones as a bound, as in a campaign.
    let mut incumbent = None;
    for cube in cubes(&instance, 12, &SolveOptions::default()).cubes {
        let (found, status) = best(Some(cube), incumbent);
        match found {
            Some(found) => {
                assert_eq!(status, SolveStatus::Optimal);
                assert!(incumbent.is_none_or(|before| found > before));
                incumbent = Some(found);
            }
            None => assert_eq!(status, SolveStatus::Unsatisfiable),
        }
    }
    assert_eq!(incumbent, Some(optimum));
    assert_eq!(best(None, Some(optimum)).1, SolveStatus::Unsatisfiable);
    assert_eq!(best(None, Some(optimum - 1)), (Some(optimum), SolveStatus::Optimal));
}
