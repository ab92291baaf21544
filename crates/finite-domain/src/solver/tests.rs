//! Random small problems with every kind of node in both polarities: every backend and both theories of Z3 are compared
//! with trying all assignments.

#[cfg(feature = "cpsat")]
mod large_numbers;

use super::{
    EngineOptions, Guidance, SearchEnd, Solver, SolverName, Statistics,
    assumptions::AssumptionEngine,
    batsat::{self, BatSat},
    cadical::{self, Cadical},
    clauses::Clauses,
    cpsat::CpSat,
    enumeration::Enumeration,
    incremental::incremental_within,
    neighbourhood::Neighbourhoods,
    portfolio::{Portfolio, RaceAtOnce},
    test_problems::{
        Legs, Random, key, random_path, random_problem, random_schedule, random_tour, random_tour_with, try_all,
    },
    z3::{Theory, Z3},
};
use crate::{
    IntSet, Sense, SolverError, StopReason, memory,
    problem::{Assignment, Bool, Builder, Int, Problem, Role, Variable},
};
use std::{
    collections::BTreeSet,
    num::NonZeroUsize,
    ops::ControlFlow,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

/// Every backend with its name.
fn ways() -> [(&'static str, Box<dyn Solver>); 5] {
    [
        ("clauses", Box::new(Z3::from(Theory::Clauses))),
        ("integers", Box::new(Z3::from(Theory::Integers))),
        ("cadical", Box::new(Cadical::default())),
        ("batsat", Box::new(BatSat::default())),
        ("auto", Box::new(Portfolio::default())),
    ]
}

fn compare(seed: u64, way: &str, solver: &mut dyn Solver) {
    compare_on(&random_problem(seed), seed, way, solver);
}

fn compare_on((problem, variables): &(Problem, Vec<Variable>), seed: u64, way: &str, solver: &mut dyn Solver) {
    let (expected, best) = try_all(problem, variables);
    let mut found = BTreeSet::new();
    let mut values: Vec<Vec<i64>> = Vec::new();
    let status = solver.solve(problem, &EngineOptions::default(), &mut |assignment| {
        for constraint in problem.constraints() {
            assert!(problem.bool_value(*constraint, assignment), "seed {seed}, {way}: {constraint} in\n{problem}");
        }
        let new = found.insert(key(problem, assignment));
        match problem.objective() {
            Some(objective) => {
                values.push(objective.terms.iter().map(|term| problem.int_value(*term, assignment)).collect())
            }
            None => assert!(new, "seed {seed}, {way}: an assignment was found twice"),
        }
        ControlFlow::Continue(())
    });
    assert_eq!(status, Ok(SearchEnd::Complete), "seed {seed}, {way}");
    match problem.objective() {
        Some(objective) => {
            let improving = values.windows(2).all(|two| objective.sense.is_better(&two[1], &two[0]));
            assert!(improving, "seed {seed}, {way}: {values:?}");
            assert_eq!(values.last().cloned(), best, "seed {seed}, {way}");
        }
        None => assert_eq!(found, expected, "seed {seed}, {way}"),
    }
}

#[test]
fn clauses_find_what_trying_all_assignments_finds() {
    (1..=400).for_each(|seed| compare(seed, "clauses", &mut Z3::from(Theory::Clauses)));
}

#[test]
fn integers_find_what_trying_all_assignments_finds() {
    (1..=100).for_each(|seed| compare(seed, "integers", &mut Z3::from(Theory::Integers)));
}

#[test]
fn cadical_finds_what_trying_all_assignments_finds() {
    (1..=2000).for_each(|seed| compare(seed, "cadical", &mut Cadical::default()));
}

#[cfg(feature = "cpsat")]
#[test]
fn the_best_tours_are_found() {
    for seed in 0..20 {
        for tour in [random_tour(seed), random_path(seed)] {
            compare_on(&tour, seed, "cp-sat", &mut CpSat::default());
            compare_on(&tour, seed, "cadical", &mut Cadical::default());
        }
    }
}

/// With the length and its addends as decisions, which the model for CP-SAT lacks if nothing else uses them.
#[cfg(feature = "cpsat")]
#[test]
fn the_best_tours_are_found_if_their_legs_are_decisions() {
    if !SolverName::CpSat.is_installed() {
        eprintln!("skipped: CP-SAT is not installed");
        return;
    }
    for (seed, legs) in (0..20).flat_map(|seed| [Legs::Decisions, Legs::Used, Legs::Narrow].map(|legs| (seed, legs))) {
        let (problem, _) = random_tour_with(seed, legs);
        let term = problem.objective().expect("a length").terms[0];
        let best = |solver: &mut dyn Solver| {
            let mut best = None;
            let end = solver.solve(&problem, &EngineOptions::default(), &mut |found| {
                assert!(problem.constraints().iter().all(|constraint| problem.bool_value(*constraint, found)));
                best = Some(problem.int_value(term, found));
                ControlFlow::Continue(())
            });
            assert_eq!(end.ok(), Some(SearchEnd::Complete));
            best
        };
        assert_eq!(best(&mut CpSat::default()), best(&mut Cadical::default()), "seed {seed}\n{problem}");
    }
}

#[cfg(feature = "cpsat")]
#[test]
fn schedules_are_searched_as_such() {
    for seed in 0..100 {
        let schedule = random_schedule(seed);
        compare_on(&(schedule.problem, schedule.variables), seed, "cp-sat", &mut CpSat::default());
    }
}

#[test]
fn cp_sat_finds_what_trying_all_assignments_finds() {
    if !SolverName::CpSat.is_installed() {
        eprintln!("skipped: CP-SAT is not installed");
        return;
    }
    // Each assignment takes another search, so there must not be too many.
    let few = |seed: &u64| {
        let (problem, variables) = random_problem(*seed);
        try_all(&problem, &variables).0.len() <= 64
    };
    (1..=150).filter(few).for_each(|seed| compare(seed, "cp-sat", &mut CpSat::default()));
}

#[test]
fn batsat_finds_what_trying_all_assignments_finds() {
    (1..=2000).for_each(|seed| compare(seed, "batsat", &mut BatSat::default()));
}

#[test]
fn a_race_finds_what_trying_all_assignments_finds() {
    (1..=100).for_each(|seed| compare(seed, "race", &mut RaceAtOnce::default()));
}

/// The start and the hint of a search do not change its result; after an assignment that satisfies the constraints,
/// only better ones follow.
#[test]
fn the_beginning_of_a_search_does_not_change_what_is_best() {
    for seed in 1..=60 {
        let (problem, variables) = random_problem(seed);
        let (expected, best) = try_all(&problem, &variables);
        let (problem, mut random) = (Arc::new(problem), Random(seed));
        let mut known: Vec<Assignment> = Vec::new();
        let any = Cadical::default().solve(&problem, &EngineOptions::default(), &mut |assignment| {
            known.push(assignment.clone());
            if known.len() > 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        any.expect("an answer");
        let start = known.first().filter(|_| random.between(0, 1) == 1);
        let hint: Vec<(Variable, i64)> =
            problem.decisions().iter().map(|variable| (*variable, random.between(0, 3))).collect();
        for (way, mut solver) in ways() {
            let guidance = Guidance { start, hint: &hint, ..Guidance::default() };
            let mut found = BTreeSet::new();
            let mut values: Vec<Vec<i64>> = Vec::new();
            let end = solver.solve_with(&problem, guidance, &EngineOptions::default(), &mut |assignment| {
                found.insert(key(&problem, assignment));
                let terms = problem.objective().map_or(&[][..], |objective| &objective.terms);
                values.push(terms.iter().map(|term| problem.int_value(*term, assignment)).collect());
                ControlFlow::Continue(())
            });
            assert_eq!(end, Ok(SearchEnd::Complete), "seed {seed}, {way}");
            let Some(objective) = problem.objective() else {
                assert_eq!(found, expected, "seed {seed}, {way}");
                continue;
            };
            let of_start = start.map(|start| objective.terms.iter().map(|term| problem.int_value(*term, start)));
            let known = of_start.map(Iterator::collect::<Vec<i64>>).into_iter().chain(values).collect::<Vec<_>>();
            let improving = known.windows(2).all(|two| objective.sense.is_better(&two[1], &two[0]));
            assert!(improving, "seed {seed}, {way}: {known:?}");
            assert_eq!(known.last().cloned(), best, "seed {seed}, {way}");
        }
    }
}

/// The part of a hint that fits is kept.
#[test]
fn the_integer_theory_begins_with_a_hint() {
    let mut builder = Builder::new();
    let terms: Vec<Int> =
        (0..6).map(|_| builder.new_int(IntSet::from_ranges([(0, 4_000_000_000)]), Role::Decision)).collect();
    let sum = builder.linear(terms.iter().map(|term| (1, *term)), 0);
    let is_sum = builder.equals_constant(sum, 1_000_000_003);
    builder.require(is_sum);
    let problem = Arc::new(builder.finish().expect("a problem"));
    let values = [1_234_567, 77, 4_000_000, 31, 5, 12];
    let hint: Vec<(Variable, i64)> = terms.iter().map(|term| Variable::Int(*term)).zip(values).collect();
    let guidance = Guidance { hint: &hint, ..Guidance::default() };
    let mut kept = 0;
    let end = Z3::from(Theory::Integers).solve_with(&problem, guidance, &EngineOptions::default(), &mut |found| {
        kept = terms.iter().zip(values).filter(|(term, value)| problem.int_value(**term, found) == *value).count();
        ControlFlow::Break(())
    });
    assert_eq!(end, Ok(SearchEnd::Enough));
    assert!(kept >= 3, "{kept}");
}

/// A race whose engines share a thread.
#[derive(Default)]
struct RaceByTurns(RaceAtOnce);

impl Solver for RaceByTurns {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        self.0.solve(problem, &EngineOptions { threads: NonZeroUsize::new(1), ..options.clone() }, found)
    }

    fn statistics(&self) -> &Statistics {
        self.0.statistics()
    }
}

#[test]
fn engines_that_take_turns_find_what_trying_all_assignments_finds() {
    (1..=60).for_each(|seed| compare(seed, "turns", &mut RaceByTurns::default()));
}

/// The options of a search with this number of threads.
fn with_threads(threads: usize) -> EngineOptions {
    EngineOptions { threads: NonZeroUsize::new(threads), ..EngineOptions::default() }
}

#[test]
fn enumeration_finds_what_trying_all_assignments_finds() {
    for seed in 1..=3000 {
        let (problem, variables) = random_problem(seed);
        if problem.objective().is_some() {
            continue;
        }
        let expected = try_all(&problem, &variables).0;
        for threads in [1, 2] {
            let mut found = BTreeSet::new();
            let status = Enumeration::default().solve(&problem, &with_threads(threads), &mut |assignment| {
                for constraint in problem.constraints() {
                    assert!(problem.bool_value(*constraint, assignment), "seed {seed}: {constraint} in\n{problem}");
                }
                assert!(found.insert(key(&problem, assignment)), "seed {seed}: an assignment was found twice");
                ControlFlow::Continue(())
            });
            assert_eq!((status, &found), (Ok(SearchEnd::Complete), &expected), "seed {seed}, {threads} threads");
        }
    }
}

/// The queens on a board of this size: the column of each, all different.
fn queens(size: i64) -> Problem {
    let mut problem = Builder::new();
    let columns: Vec<Int> = (0..size).map(|_| problem.new_int(IntSet::range(1, size), Role::Decision)).collect();
    for sign in [-1, 0, 1] {
        let shifted: Vec<Int> =
            columns.iter().zip(0..).map(|(column, row)| problem.linear([(1, *column)], sign * row)).collect();
        let differ = problem.all_different(shifted);
        problem.require(differ);
    }
    problem.finish().expect("few terms")
}

#[test]
fn enumeration_by_one_thread_repeats_itself_and_the_seed_changes_its_order() {
    let problem = queens(8);
    let order = |seed| {
        let mut found = Vec::new();
        let options = EngineOptions { seed, ..with_threads(1) };
        let status = Enumeration::default().solve(&problem, &options, &mut |assignment| {
            found.push(key(&problem, assignment));
            ControlFlow::Continue(())
        });
        assert_eq!((status, found.len()), (Ok(SearchEnd::Complete), 92));
        found
    };
    assert_eq!(order(None), order(None));
    assert_ne!(order(None), order(Some(1)));
}

#[test]
fn enumeration_ends_with_the_caller_and_at_the_limits() {
    let problem = queens(12);
    for threads in [1, 3] {
        let mut left = 10;
        let status = Enumeration::default().solve(&problem, &with_threads(threads), &mut |_| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((status, left), (Ok(SearchEnd::Enough), 0));
        let options = with_threads(threads);
        let status = Enumeration::default().solve(&problem, &options, &mut |_| {
            options.limits.interrupted.store(true, Ordering::Relaxed);
            ControlFlow::Continue(())
        });
        assert_eq!(status, Ok(SearchEnd::Stopped(StopReason::Interrupted)));
    }
}

/// More pigeons than holes: the portfolio continues with other engines.
#[test]
fn enumeration_gives_up_where_it_finds_nothing() {
    let mut problem = Builder::new();
    let holes: Vec<Int> = (0..12).map(|_| problem.new_int(IntSet::range(1, 11), Role::Decision)).collect();
    for (position, one) in holes.iter().enumerate() {
        for other in &holes[position + 1..] {
            let same = problem.equal(*one, *other);
            problem.require(!same);
        }
    }
    let problem = problem.finish().expect("few terms");
    for threads in [1, 2] {
        let status = Enumeration::default().solve(&problem, &with_threads(threads), &mut |_| unreachable!());
        assert_eq!(status, Ok(SearchEnd::Stopped(StopReason::Unknown("assignments are rare".into()))));
    }
}

#[test]
fn many_assignments_are_enumerated_by_default() {
    assert_eq!(count(&mut Portfolio::default(), &queens(10)), (724, "enumeration on clauses".into()));
}

/// Checks assumptions about many of a problem's Booleans: an assignment must satisfy them, and an unsat core must be
/// refuted again, alone and after a check without assumptions.
fn check_under(
    seed: u64,
    way: &str,
    engine: &mut dyn AssumptionEngine,
    problem: &Problem,
    assumptions: &[Bool],
) -> bool {
    let refute = |engine: &mut dyn AssumptionEngine, assumptions: &[Bool]| match engine.refute_under(assumptions, None)
    {
        Some(Ok(core)) => core,
        other => panic!("seed {seed}, {way}: {other:?}"),
    };
    match refute(engine, assumptions) {
        None => {
            let assignment = engine.found().expect("values");
            for term in assumptions.iter().chain(problem.constraints()) {
                assert!(problem.bool_value(*term, &assignment), "seed {seed}, {way}: {term} in\n{problem}");
            }
            true
        }
        Some(core) => {
            assert!(core.iter().all(|term| assumptions.contains(term)), "seed {seed}, {way}: {core:?}");
            refute(engine, &[]);
            assert!(refute(engine, &core).is_some(), "seed {seed}, {way}: {core:?}");
            false
        }
    }
}

#[test]
fn refuted_assumptions_contradict_each_other() {
    for seed in 1..=500 {
        let (problem, _) = &random_problem(seed);
        let booleans = problem.decisions().iter().filter_map(|variable| match variable {
            Variable::Bool(term) => Some(*term),
            Variable::Int(_) => None,
        });
        let booleans: Vec<Bool> = booleans.collect();
        let options = EngineOptions::default();
        let mut cadical = Clauses::new(problem, cadical::CadicalEngine::new(&options)).expect("few clauses");
        let mut batsat = Clauses::new(problem, batsat::BatSatEngine::new(&options)).expect("few clauses");
        for round in 0..4_u64 {
            let assumed = booleans.iter().zip(0..);
            let assumed = assumed.map(|(term, place)| if (round >> (place % 2)) & 1 == 1 { !*term } else { *term });
            let assumed: Vec<Bool> = assumed.collect();
            let one = check_under(seed, "cadical", &mut cadical, problem, &assumed);
            assert_eq!(one, check_under(seed, "batsat", &mut batsat, problem, &assumed), "seed {seed}");
        }
    }
}

#[test]
fn a_bounded_solver_refuses_what_takes_too_many_clauses() {
    let mut problem = Builder::new();
    let pigeons: Vec<Int> = (0..5).map(|_| problem.new_int(IntSet::range(1, 4), Role::Decision)).collect();
    let different = problem.all_different(pigeons);
    let problem = problem.finish().expect("few terms");
    let options = EngineOptions::default();
    let refute = |most| incremental_within(&problem, most, &options).refute(&[different]);
    assert_eq!(refute(u64::MAX), Ok(Some(vec![different])));
    assert_eq!(refute(10_000), Ok(Some(vec![different])));
    // The variables alone exceed the first limit, and the assumption exceeds the second.
    for most in [1, 60] {
        assert!(matches!(refute(most), Err(StopReason::Unknown(_))), "{most}: {:?}", refute(most));
    }
}

#[test]
fn a_problem_without_decisions_has_one_assignment() {
    for (way, mut solver) in ways() {
        let mut problem = Builder::new();
        let free = problem.new_int(IntSet::range(1, 3), Role::Auxiliary);
        let large = problem.at_most_constant(free, 1);
        problem.require(!large);
        let problem = problem.finish().expect("few terms");
        let mut found = 0;
        let status = solver.solve(&problem, &EngineOptions::default(), &mut |_| {
            found += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((found, status), (1, Ok(SearchEnd::Complete)), "{way}");
    }
}

/// More than 4,000 small pages for a context would take longer than solving a small problem.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn contexts_of_z3_lie_in_large_pages() {
    let setting = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    if !setting.contains("[always]") && !setting.contains("[madvise]") {
        return eprintln!("skipped: this system has no large pages");
    }
    let pages = || {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let after_name = stat.rsplit(") ").next().unwrap();
        after_name.split(' ').nth(7).unwrap().parse::<usize>().unwrap()
    };
    // If memory is full, large pages may not be available at once.
    let taken = (0..5).map(|_| {
        let solved = std::thread::spawn(move || {
            let before = pages();
            assert_eq!(count(&mut Z3::from(Theory::Clauses), &queens(4)).0, 2);
            pages() - before
        });
        solved.join().unwrap()
    });
    let least = taken.min().unwrap();
    assert!(least < 2_000, "{least} pages");
}

#[test]
fn what_bits_cannot_say_goes_to_the_integer_theory() {
    let mut problem = Builder::new();
    let base = problem.new_int(IntSet::range(2, 1_000_000_000), Role::Decision);
    let exponent = problem.new_int(IntSet::range(0, 2), Role::Decision);
    let power = problem.power(base, exponent);
    let constraint = problem.equals_constant(power, 999_999_937);
    problem.require(constraint);
    let problem = problem.finish().expect("few terms");
    for (way, mut solver) in ways().into_iter().filter(|(way, _)| ["clauses", "cadical", "batsat"].contains(way)) {
        let refused = solver.solve(&problem, &EngineOptions::default(), &mut |_| unreachable!()).expect_err(way);
        assert!(matches!(refused, SolverError::TooManyValues { .. } | SolverError::NoClauses), "{way}: {refused}");
    }
    let others: [(Box<dyn Solver>, &str); 2] = [
        (Box::new(Z3::default()), "the integer theory, because"),
        (Box::new(RaceAtOnce::default()), "a portfolio; Z3 ended first: the integer theory, because"),
    ];
    for (mut solver, method) in others {
        let mut found = Vec::new();
        let status = solver.solve(&problem, &EngineOptions::default(), &mut |assignment| {
            found.push((problem.int_value(base, assignment), problem.int_value(exponent, assignment)));
            ControlFlow::Break(())
        });
        assert_eq!((found, status), (vec![(999_999_937, 1)], Ok(SearchEnd::Enough)));
        assert!(solver.statistics().method.starts_with(method), "{}", solver.statistics().method);
    }
}

/// The error of a single engine would recommend `auto` to users who already have it.
#[test]
fn what_no_engine_takes_is_too_large_for_all() {
    let mut problem = Builder::new();
    let [left, right] = [(); 2].map(|()| problem.new_int(IntSet::range(-(1 << 30), 1 << 30), Role::Decision));
    let product = problem.multiply(left, right);
    let constraint = problem.equals_constant(product, 35);
    problem.require(constraint);
    let problem = problem.finish().expect("few terms");
    let options = EngineOptions { threads: NonZeroUsize::new(1), ..EngineOptions::default() };
    // Each engine gets only a tiny share of the memory.
    let refused = memory::shared(1 << 40, || Portfolio::default().solve(&problem, &options, &mut |_| unreachable!()));
    let refused = refused.expect_err("too large");
    assert_eq!(refused, SolverError::TooLargeForAll { terms: problem.size() });
}

/// The number of assignments that a backend finds, and the method that it reports.
fn count(solver: &mut dyn Solver, problem: &Problem) -> (usize, String) {
    let mut found = 0;
    let status = solver.solve(problem, &EngineOptions::default(), &mut |_| {
        found += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(status, Ok(SearchEnd::Complete), "{problem}");
    (found, solver.statistics().method.clone())
}

/// The trial depends on neither clocks nor threads, so its result is the same on every machine.
#[test]
fn what_is_easy_is_solved_by_z3_alone() {
    let mut problem = Builder::new();
    let [one, other] = [(); 2].map(|()| problem.new_bool(Role::Decision));
    let either = problem.or([one, other]);
    problem.require(either);
    let (found, method) = count(&mut Portfolio::default(), &problem.finish().expect("few terms"));
    assert_eq!(found, 3);
    assert_eq!(method, "clauses on the finite-domain solver");
}

/// No constraint at all, one that cannot hold, and an objective with a single value: Z3 is not started.
#[test]
fn nothing_is_searched_where_nothing_is_left_to_decide() {
    let (empty, mut impossible, mut fixed, mut open) = (Builder::new(), Builder::new(), Builder::new(), Builder::new());
    impossible.new_bool(Role::Decision);
    impossible.require(Bool::FALSE);
    let seven = fixed.constant(7);
    fixed.set_objective(Sense::Maximise, vec![seven]);
    open.new_bool(Role::Decision);
    for (problem, expected, how) in
        [(empty, 1, "no solver"), (impossible, 0, "no solver"), (fixed, 1, "no solver"), (open, 2, "clauses")]
    {
        let problem = problem.finish().expect("few terms");
        let (found, method) = count(&mut Z3::default(), &problem);
        assert_eq!(found, expected, "{problem}");
        assert!(method.starts_with(how), "{method}");
    }
}

#[test]
fn large_numbers_are_multiplied_and_divided() {
    let mut problem = Builder::new();
    let [x, y] = [0, 1].map(|_| problem.new_int(IntSet::range(-5_000, 5_000), Role::Decision));
    let (product, quotient) = (problem.multiply(x, y), problem.quotient(x, y));
    let product = problem.equals_constant(product, -123_480);
    let quotient = problem.equals_constant(quotient, -4);
    problem.require(product);
    problem.require(quotient);
    let problem = problem.finish().expect("few terms");
    for (way, mut solver) in ways() {
        let mut found = Vec::new();
        let status = solver.solve(&problem, &EngineOptions::default(), &mut |assignment| {
            found.push((problem.int_value(x, assignment), problem.int_value(y, assignment)));
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        assert_eq!(status, Ok(SearchEnd::Complete), "{way}");
        assert_eq!(found, [(-686, 180), (-630, 196), (630, -196), (686, -180)], "{way}");
    }
}

/// The relaxation fixes most terms at its bound, and the best value is ten million below that.
#[test]
fn a_best_sum_with_large_gaps_is_proved() {
    let things = [(345_689_143, 350_081_427), (528_616_168, 449_528_275), (419_213_988, 337_511_563)];
    let mut problem = Builder::new();
    let chosen = things.map(|_| problem.new_bool(Role::Decision)).map(|term| problem.int_of(term));
    let weight = problem.linear(things.iter().zip(chosen).map(|((weight, _), term)| (*weight, term)), 0);
    let value = problem.linear(things.iter().zip(chosen).map(|((_, value), term)| (*value, term)), 0);
    let fits = problem.at_most_constant(weight, 544_662_217);
    problem.require(fits);
    problem.set_objective(Sense::Maximise, vec![value]);
    let problem = problem.finish().expect("few terms");
    for (way, mut solver) in ways() {
        let mut found = None;
        let options = EngineOptions::default().limits(Instant::now() + Duration::from_secs(20));
        let end = solver.solve(&problem, &options, &mut |assignment| {
            found = Some(problem.int_value(value, assignment));
            ControlFlow::Continue(())
        });
        assert_eq!((end, found), (Ok(SearchEnd::Complete), Some(449_528_275)), "{way}");
    }
}

/// Weights that are too different for partial sums: with 14 of them, a decision diagram is small enough, with 20 it is
/// not.
#[test]
fn sums_of_unlike_weights_are_found() {
    for count in [14, 20] {
        let mut random = Random(88_172_645_463_325_252);
        let weights: Vec<i64> = (0..count).map(|_| random.between(10_000, 90_000)).collect();
        let sum =
            |chosen: u32| -> i64 { (0..count).filter(|bit| chosen >> bit & 1 == 1).map(|bit| weights[bit]).sum() };
        let mut sums: Vec<i64> = (0..1 << count).map(sum).collect();
        sums.sort_unstable();
        // The bound leaves only a few sums: the smallest ones or, with the other sign, the largest ones.
        for (sign, expected) in [(1, &sums[..50]), (-1, &sums[sums.len() - 50..])] {
            let mut problem = Builder::new();
            let chosen: Vec<Bool> = (0..count).map(|_| problem.new_bool(Role::Decision)).collect();
            let terms: Vec<(i64, Int)> =
                chosen.iter().zip(&weights).map(|(chosen, weight)| (*weight, problem.int_of(*chosen))).collect();
            let total = problem.linear(terms, 0);
            let bound = if sign > 0 { expected[49] } else { expected[0] };
            let constraint = if sign > 0 {
                problem.at_most_constant(total, bound)
            } else {
                let below = problem.at_most_constant(total, bound - 1);
                !below
            };
            problem.require(constraint);
            let problem = problem.finish().expect("few terms");
            for (way, mut solver) in ways() {
                let mut found = Vec::new();
                let status = solver.solve(&problem, &EngineOptions::default(), &mut |assignment| {
                    found.push(problem.int_value(total, assignment));
                    ControlFlow::Continue(())
                });
                found.sort_unstable();
                assert_eq!((status, &found[..]), (Ok(SearchEnd::Complete), expected), "{way}, {count} weights");
            }
        }
    }
}

/// Knapsacks with several items of a kind and several limits: each backend against trying all choices.
#[test]
fn the_best_of_what_limits_allow_is_found() {
    for seed in 1..=60 {
        let mut random = Random(0x2545_f491_4f6c_dd1d ^ (seed << 7));
        let mut problem = Builder::new();
        let counts: Vec<i64> = (0..8).map(|_| random.between(1, 2)).collect();
        let carried: Vec<Int> =
            counts.iter().map(|count| problem.new_int(IntSet::range(0, *count), Role::Decision)).collect();
        let weighted =
            |random: &mut Random, low: i64| -> Vec<i64> { (0..8).map(|_| random.between(low, 30)).collect() };
        let maximising = seed % 2 == 0;
        let mut options: Vec<(Vec<i64>, i64)> = Vec::new();
        for _ in 0..1 + seed % 3 {
            let weights = weighted(&mut random, if maximising { 5 } else { 0 });
            let all: i64 = weights.iter().zip(&counts).map(|(weight, count)| weight * count).sum();
            let sum = problem.linear(weights.iter().copied().zip(carried.iter().copied()), 0);
            // The limit is at most a third of the weight, or at least two thirds.
            let limit = if maximising { all / 3 } else { all - all / 3 };
            let at_most = problem.at_most_constant(sum, if maximising { limit } else { limit - 1 });
            problem.require(if maximising { at_most } else { !at_most });
            options.push((weights, limit));
        }
        let values = weighted(&mut random, -3);
        let objective = problem.linear(values.iter().copied().zip(carried.iter().copied()), 7);
        let sense = if maximising { Sense::Maximise } else { Sense::Minimise };
        problem.set_objective(sense, vec![objective]);
        let problem = problem.finish().expect("few terms");
        let choices = counts.iter().fold(vec![Vec::new()], |choices: Vec<Vec<i64>>, count| {
            choices.iter().flat_map(|choice| (0..=*count).map(|one| [&choice[..], &[one]].concat())).collect()
        });
        let total = |weights: &[i64], choice: &[i64]| -> i64 { weights.iter().zip(choice).map(|(w, c)| w * c).sum() };
        let allowed = |choice: &&Vec<i64>| {
            options.iter().all(|(weights, limit)| {
                if maximising { total(weights, choice) <= *limit } else { total(weights, choice) >= *limit }
            })
        };
        let sums = choices.iter().filter(allowed).map(|choice| total(&values, choice) + 7);
        let best = sense.best(sums);
        for (way, mut solver) in ways() {
            let mut found = None;
            let status = solver.solve(&problem, &EngineOptions::default(), &mut |assignment| {
                found = Some(problem.int_value(objective, assignment));
                ControlFlow::Continue(())
            });
            assert_eq!((status, found), (Ok(SearchEnd::Complete), best), "seed {seed}, {way}");
            assert_eq!(solver.statistics().bound, best, "seed {seed}, {way}");
        }
    }
}

/// A sum divided by itself: a bound on the quotient takes too many clauses.
#[test]
fn a_bound_that_cannot_be_encoded_stays_refused() {
    let mut problem = Builder::new();
    let things: Vec<Bool> = (0..5).map(|_| problem.new_bool(Role::Decision)).collect();
    let weights = [4_294_967_297, 1_500_000_000, 1_700_000_000, 1_073_741_824, -1];
    let weighed: Vec<(i64, Int)> =
        weights.into_iter().zip(&things).map(|(weight, thing)| (weight, problem.int_of(*thing))).collect();
    let sum = problem.linear(weighed, 0);
    let quotient = problem.quotient(sum, sum);
    let either = problem.or([things[0], things[1]]);
    problem.require(either);
    problem.set_objective(Sense::Minimise, vec![quotient]);
    let problem = problem.finish().expect("few terms");
    let solvers: [Box<dyn Solver>; 2] = [Box::new(Cadical::default()), Box::new(BatSat::default())];
    for mut solver in solvers {
        let mut values = Vec::new();
        let limits = std::time::Instant::now() + std::time::Duration::from_secs(5);
        let _ = solver.solve(&problem, &EngineOptions::default().limits(limits), &mut |assignment| {
            values.push(problem.int_value(quotient, assignment));
            ControlFlow::Continue(())
        });
        assert_eq!(values, [1], "{problem}");
    }
}

#[test]
fn a_deadline_ends_the_search() {
    // Contradictory parities on the edges of a graph are hard for clauses and for linear relaxations (Urquhart, "Hard
    // examples for resolution", 1987). The edges form a cycle and a random matching.
    let (mut problem, mut random) = (Builder::new(), Random(7));
    let count = 160;
    let circle: Vec<Bool> = (0..count).map(|_| problem.new_bool(Role::Decision)).collect();
    let mut matched: Vec<Option<Bool>> = vec![None; count];
    for vertex in 0..count {
        if matched[vertex].is_none() {
            let edge = problem.new_bool(Role::Decision);
            let free: Vec<usize> = (vertex + 1..count).filter(|other| matched[*other].is_none()).collect();
            let other = free[random.between(0, free.len() as i64 - 1) as usize];
            (matched[vertex], matched[other]) = (Some(edge), Some(edge));
        }
    }
    for (vertex, edge) in matched.into_iter().flatten().enumerate() {
        let two = problem.equivalent(circle[vertex], circle[(vertex + 1) % count]);
        let odd = problem.equivalent(two, edge);
        problem.require(if vertex == 0 { odd } else { !odd });
    }
    let problem = problem.finish().expect("few terms");
    for (way, mut solver) in ways() {
        let begin = std::time::Instant::now();
        let options = EngineOptions {
            limits: (begin + std::time::Duration::from_millis(300)).into(),
            ..EngineOptions::default()
        };
        let status = solver.solve(&problem, &options, &mut |_| unreachable!());
        assert_eq!(status, Ok(SearchEnd::Stopped(StopReason::TimeLimit)), "{way}");
        assert!(begin.elapsed() < std::time::Duration::from_secs(5), "{way}");
    }
}

#[test]
fn neighbourhoods_are_around_the_decisions_that_are_given() {
    const SIZE: usize = 10;
    let mut problem = Builder::new();
    let cells: Vec<Variable> =
        (0..SIZE * SIZE).map(|_| Variable::Int(problem.new_int(IntSet::range(0, 3), Role::Decision))).collect();
    let group = |row: bool, number: usize| -> Vec<Variable> {
        (0..SIZE).map(|at| if row { cells[number * SIZE + at] } else { cells[at * SIZE + number] }).collect()
    };
    let mut problem = problem.finish().expect("a small problem");
    problem.set_families([true, false].map(|row| (0..SIZE).map(|number| group(row, number)).collect()).to_vec());
    let mut found = None;
    let end = Cadical::default().solve(&problem, &EngineOptions::default(), &mut |assignment| {
        found = Some(assignment.clone());
        ControlFlow::Break(())
    });
    assert_eq!(end, Ok(SearchEnd::Enough));
    let found = found.expect("an assignment");
    let mut neighbourhoods =
        Neighbourhoods::new(&problem, Some(1)).around(&[cells[4 * SIZE + 7]].into_iter().collect());
    let mut wholes = [0; 2];
    for _ in 0..20 {
        let kept: Vec<Variable> = neighbourhoods.next(&found).into_iter().map(|(variable, _)| variable).collect();
        assert_eq!(kept.len(), SIZE * SIZE - SIZE);
        assert!(!kept.contains(&cells[4 * SIZE + 7]));
        for (whole, group) in wholes.iter_mut().zip([group(true, 4), group(false, 7)]) {
            *whole += usize::from(group.iter().all(|cell| !kept.contains(cell)));
        }
    }
    // Every second neighbourhood is a row or a column, and both occur.
    assert_eq!(wholes[0] + wholes[1], 10);
    assert!(wholes[0] > 0 && wholes[1] > 0, "{wholes:?}");
}
