use super::Schedules;
use crate::{
    IntSet,
    problem::{Builder, Role},
    solver::problems::random_schedule,
};

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
        assert_eq!(found.machines.len(), usize::from(schedule.has_machine), "{seed}: {}", schedule.problem);
        (machines, resources) = (machines + found.machines.len(), resources + found.resources.len());
    }
    assert!(machines > 20 && resources > 20, "{machines} machines, {resources} resources");
}

/// Sums that look like the use of two resources, and one more that has tasks of both.
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
