use super::Schedules;
use crate::solver::problems::random_schedule;

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
