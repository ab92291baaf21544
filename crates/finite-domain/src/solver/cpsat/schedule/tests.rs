use super::Schedules;
use crate::{
    IntSet,
    problem::{Builder, Role},
    solver::{
        EngineOptions, Solver,
        batsat::BatSat,
        cpsat::{messages::ConstraintKind, translation::Translation},
        test_problems::random_schedule,
    },
};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

#[test]
fn machines_and_resources_are_found() {
    let (mut machines, mut resources) = (0, 0);
    for seed in 0..100 {
        let schedule = random_schedule(seed);
        let found = Schedules::of(&schedule.problem);
        assert_eq!(
            found.resources.len(),
            usize::from(schedule.is_limited_at_all_times),
            "{seed}: {}",
            schedule.problem
        );
        assert_eq!(found.machines.len(), schedule.machines, "{seed}: {}", schedule.problem);
        (machines, resources) = (machines + found.machines.len(), resources + found.resources.len());
    }
    assert!(machines > 20 && resources > 20, "{machines} machines, {resources} resources");
}

/// Resources with the same capacity differ in the demands of their tasks.
#[test]
fn several_resources_have_the_same_capacity() {
    let mut problem = Builder::new();
    let tasks: Vec<_> = (0..6).map(|_| problem.new_int(IntSet::range(0, 9), Role::Decision)).collect();
    let demands = [[1, 2, 3, 1, 0, 2], [1, 3, 0, 2, 2, 2], [0, 1, 2, 3, 1, 2]];
    for time in 0..=11 {
        for demands in demands {
            let addends: Vec<_> = (tasks.iter().zip(demands))
                .map(|(task, demand)| {
                    let (begun, ended) =
                        (problem.at_most_constant(*task, time), problem.at_most_constant(*task, time - 2));
                    let under_way = problem.and([begun, !ended]);
                    (demand, problem.int_of(under_way))
                })
                .collect();
            let used = problem.linear(addends, 0);
            let limited = problem.at_most_constant(used, 5);
            problem.require(limited);
        }
    }
    let problem = problem.finish().expect("small numbers");
    assert_eq!(Schedules::of(&problem).resources.len(), 3, "{problem}");
}

/// Sums that look like the use of two resources, and another one with tasks of both.
#[test]
fn uses_of_two_resources_may_turn_out_to_be_of_one() {
    let mut problem = Builder::new();
    let tasks: Vec<_> = (0..6).map(|_| problem.new_int(IntSet::range(0, 4), Role::Decision)).collect();
    for (time, users) in [(1, [0, 1, 4]), (2, [2, 3, 5]), (3, [0, 2, 3])] {
        let under_way = users.map(|user| problem.equals_constant(tasks[user], time));
        let used = problem.count(under_way);
        let limited = problem.at_most_constant(used, 1);
        problem.require(limited);
    }
    let problem = problem.finish().expect("small numbers");
    assert!(Schedules::of(&problem).resources.is_empty(), "{problem}");
}

/// CP-SAT starts with a hint only if it is complete, so a hint includes the presence of tasks on machines and their
/// ends, which follow from the other values.
#[test]
fn hints_describe_schedules() {
    let mut checked = 0;
    for seed in 0..100 {
        let problem = random_schedule(seed).problem;
        let (options, mut assignment) = (EngineOptions::default(), None);
        let _ = BatSat::default().solve(&problem, &options, &mut |found| {
            assignment = Some(found.clone());
            ControlFlow::Break(())
        });
        let Some(assignment) = assignment else { continue };
        let Ok(translation) = Translation::new(&problem, &options) else { panic!("a small problem") };
        let hint = translation.hint(&assignment);
        let hinted: FxHashMap<i32, i64> = hint.vars.iter().copied().zip(hint.values.iter().copied()).collect();
        assert_eq!(hinted.len(), hint.vars.len(), "seed {seed}: a variable has two values");
        let value = |literal: i32| if literal < 0 { 1 - hinted[&(-1 - literal)] } else { hinted[&literal] };
        for constraint in &translation.model.constraints {
            let Some(ConstraintKind::Linear(linear)) = &constraint.kind else { continue };
            if constraint.enforcement_literal.iter().all(|literal| value(*literal) == 1) {
                let sum: i64 = linear.vars.iter().zip(&linear.coeffs).map(|(of, factor)| factor * value(*of)).sum();
                let is_in = linear.domain.chunks(2).any(|ends| (ends[0]..=ends[1]).contains(&sum));
                assert!(is_in, "seed {seed}: {linear:?}\n{problem}");
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked}");
}
