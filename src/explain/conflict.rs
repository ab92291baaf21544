//! Conflicts: conditions that cannot hold together, shrunk to minimal unsatisfiable subsets.
//!
//! The shrinking is deletion, helped by unsat cores (Marques-Silva, "Minimal unsatisfiability: models, algorithms and
//! applications", 2010): a member is removed for good if the others are refuted without it, and so are all members
//! outside the core. A member that stays is needed, because the others have a solution. A conflict that is minimal by
//! inclusion need not be the smallest one, so several orders are tried.
//!
//! Smallest conflicts are found from the other side (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS
//! extraction with minimal hitting set dualization", CP 2015): a set whose complement can hold (a correction set) has a
//! member in every conflict. A smallest hitting set of the known correction sets is a smallest conflict as soon as it
//! is a conflict at all.

use crate::{
    halt::StopReason,
    problem::{Assignment, Bool, Builder, Int, Problem, Role},
    solver::{AssumptionResult, EngineOptions, Incremental, incremental},
};
use rustc_hash::FxHashSet;

/// The number of deletion orders to try while their work limit lasts. Chosen.
const ORDERS: usize = 4;
/// The work limit of all further orders: a few tenths of a second. Chosen.
const PATIENCE: u64 = 10_000;

/// The work limit of the search for a smallest conflict (a few seconds at most), and the limit on candidates.
const SEARCH: u64 = 40_000;
const MOST_CANDIDATES: usize = 60;
/// The work limit of one hitting set. Chosen.
const HITTING: u64 = 20_000;

/// Conditions that cannot hold together.
#[derive(Clone, Debug)]
pub(crate) struct ConflictingConditions {
    /// The positions, ascending.
    pub members: Vec<usize>,
    /// True if each member is known to be needed.
    pub minimal: bool,
}

/// Questions to an incremental solver about subsets of a list of conditions.
pub(crate) struct Conditions<'a> {
    pub problem: &'a Problem,
    pub solver: &'a mut dyn Incremental,
    pub conditions: &'a [Bool],
    /// Assumptions of every check.
    pub always: &'a [Bool],
    pub engine_options: &'a EngineOptions,
    /// A callback for each smaller conflict on the way.
    pub smaller: &'a mut dyn FnMut(&[usize]),
}

/// Runs a function with a limit on the total work of a solver. The solver's own limit still holds, and the work is
/// deducted from it.
pub(crate) fn within_work<S: ?Sized, T>(
    subject: &mut S,
    solver: impl Fn(&mut S) -> &mut dyn Incremental,
    work: u64,
    run: impl FnOnce(&mut S) -> T,
) -> T {
    let before = solver(subject).allow(Some(work));
    let work = before.map_or(work, |before| before.min(work));
    solver(subject).allow(Some(work));
    let result = run(subject);
    let left = solver(subject).allow(before).unwrap_or(0);
    solver(subject).allow(before.map(|before| before.saturating_sub(work.saturating_sub(left))));
    result
}

impl Conditions<'_> {
    fn ask(&mut self, members: &[usize]) -> Result<AssumptionResult, StopReason> {
        let assumptions = self.assumptions(members);
        self.solver.check(&assumptions)
    }

    fn assumptions(&self, members: &[usize]) -> Vec<Bool> {
        members.iter().map(|position| self.conditions[*position]).chain(self.always.iter().copied()).collect()
    }

    /// The members in an unsat core of these, or `None` if they have a solution.
    pub(crate) fn refute(&mut self, members: &[usize]) -> Result<Option<Vec<usize>>, StopReason> {
        let assumptions = self.assumptions(members);
        Ok(self.solver.refute(&assumptions)?.map(|core| {
            let core: FxHashSet<Bool> = core.into_iter().collect();
            members.iter().copied().filter(|position| core.contains(&self.conditions[*position])).collect()
        }))
    }

    /// A minimal conflict among these; `None` if there is none. If a limit ends the shrinking, the result is not
    /// minimal.
    pub(crate) fn shrink(&mut self, members: &[usize]) -> Result<Option<ConflictingConditions>, StopReason> {
        let Some(core) = self.refute(members)? else { return Ok(None) };
        (self.smaller)(&core);
        let mut best = self.delete(core);
        within_work(self, Conditions::solver, PATIENCE, |this| this.in_other_orders(members, &mut best));
        best.members.sort_unstable();
        Ok(Some(best))
    }

    fn solver(&mut self) -> &mut dyn Incremental {
        self.solver
    }

    /// Deletes in other orders and keeps the smallest conflict.
    fn in_other_orders(&mut self, members: &[usize], best: &mut ConflictingConditions) {
        for order in 1..ORDERS {
            // Another order hardly improves a conflict of one or two members, and a conflict that could not be shrunk
            // has already reached a limit.
            if !best.minimal || best.members.len() <= 2 {
                break;
            }
            // The solver's core depends on the order, and deletion rarely finds a conflict far from that core.
            let mut turned: Vec<usize> = members.to_vec();
            turned.rotate_left(members.len() * order / ORDERS);
            if order % 2 == 1 {
                turned.reverse();
            }
            let Ok(Some(core)) = self.refute(&turned) else { break };
            let other = self.delete(core);
            if other.minimal && other.members.len() < best.members.len() {
                *best = other;
            }
        }
    }

    /// Removes superfluous members, the last ones first.
    fn delete(&mut self, mut open: Vec<usize>) -> ConflictingConditions {
        let mut needed = Vec::new();
        while let Some(candidate) = open.pop() {
            let rest: Vec<usize> = open.iter().chain(&needed).copied().collect();
            match self.refute(&rest) {
                Ok(None) => needed.push(candidate),
                Ok(Some(core)) => {
                    // The core is itself a conflict, so members outside it are not needed. The members in `needed` are
                    // part of every core found here.
                    open.retain(|member| core.contains(member));
                    (self.smaller)(&[&*open, &*needed].concat());
                }
                Err(_) => {
                    needed.push(candidate);
                    needed.extend(open);
                    return ConflictingConditions { members: needed, minimal: false };
                }
            }
        }
        ConflictingConditions { members: needed, minimal: true }
    }

    /// A minimal conflict among these, with the fewest members if a bounded search can prove it.
    pub(crate) fn smallest(&mut self, members: &[usize]) -> Result<Option<ConflictingConditions>, StopReason> {
        let Some(mut best) = self.shrink(members)? else { return Ok(None) };
        if best.minimal {
            let than = best.members.len();
            let smaller = within_work(self, Conditions::solver, SEARCH, |this| this.smaller_than(members, than));
            if let Ok(Some(members)) = smaller {
                best.members = members;
            }
        }
        Ok(Some(best))
    }

    /// A smallest conflict among these members, if it has fewer than `than` members.
    fn smaller_than(&mut self, members: &[usize], than: usize) -> Result<Option<Vec<usize>>, StopReason> {
        let mut corrections: Vec<Vec<usize>> = Vec::new();
        let mut size = 0;
        for _ in 0..MOST_CANDIDATES {
            // If there is no smaller hitting set, the known conflict is the smallest one.
            let Some(candidate) = hitting_set(&corrections, size, than, self.engine_options) else { break };
            // Hitting sets never get smaller as correction sets are added, so the next search starts at this size.
            size = candidate.len();
            match self.ask(&candidate)? {
                AssumptionResult::Refuted(_) => return Ok(Some(candidate)),
                AssumptionResult::Satisfiable(assignment) => corrections.push(self.correction(members, assignment)?),
            }
        }
        Ok(None)
    }

    /// A minimal correction set: without its members the others can hold. The search starts from the members that the
    /// assignment satisfies.
    fn correction(&mut self, members: &[usize], assignment: Assignment) -> Result<Vec<usize>, StopReason> {
        let (problem, conditions) = (self.problem, self.conditions);
        let holds = |position: usize, assignment: &Assignment| problem.bool_value(conditions[position], assignment);
        let (mut kept, mut open): (Vec<usize>, Vec<usize>) =
            members.iter().copied().partition(|position| holds(*position, &assignment));
        let mut left_out = Vec::new();
        // The satisfied set grows. The members that cannot join it are the correction set.
        while let Some(candidate) = open.pop() {
            kept.push(candidate);
            match self.ask(&kept)? {
                AssumptionResult::Satisfiable(assignment) => {
                    kept.extend(open.extract_if(.., |position| holds(*position, &assignment)));
                }
                AssumptionResult::Refuted(_) => left_out.extend(kept.pop()),
            }
        }
        Ok(left_out)
    }
}

/// A smallest set, ascending, with a member of each of these sets; `None` if every one has `fewer_than` members or
/// more, or if none is found within the work limit. The caller knows that there is none with fewer than `size` members.
fn hitting_set(
    sets: &[Vec<usize>],
    size: usize,
    fewer_than: usize,
    engine_options: &EngineOptions,
) -> Option<Vec<usize>> {
    let mut members: Vec<usize> = sets.concat();
    members.sort_unstable();
    members.dedup();
    let mut problem = Builder::new();
    let chosen: Vec<Bool> = members.iter().map(|_| problem.new_bool(Role::Decision)).collect();
    for set in sets {
        let one_of = set.iter().filter_map(|member| members.binary_search(member).ok().map(|place| chosen[place]));
        let hit = problem.or(one_of);
        problem.require(hit);
    }
    let counts: Vec<(i64, Int)> = chosen.iter().map(|chosen| (1, problem.int_of(*chosen))).collect();
    let count = problem.linear(counts, 0);
    // Each size has its own condition, so that all of them share one encoding of the sum.
    let few: Vec<Bool> = (size..fewer_than)
        .map(|size| problem.at_most_constant(count, i64::try_from(size).unwrap_or(i64::MAX)))
        .collect();
    let problem = problem.finish().ok()?;
    let mut solver = incremental(&problem, engine_options);
    solver.allow(Some(HITTING));
    for few in few {
        if let AssumptionResult::Satisfiable(assignment) = solver.check(&[few]).ok()? {
            let is_in = |(_, chosen): &(&usize, &Bool)| problem.bool_value(**chosen, &assignment);
            return Some(members.iter().zip(&chosen).filter(is_in).map(|(member, _)| *member).collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hitting_sets_are_as_small_as_can_be() {
        let sets = [vec![1, 2], vec![2, 3], vec![4, 9]];
        let found = hitting_set(&sets, 0, 3, &EngineOptions::default()).expect("one with two members");
        assert_eq!((found.len(), found.contains(&2)), (2, true), "{found:?}");
        assert_eq!(hitting_set(&sets, 0, 2, &EngineOptions::default()), None);
        assert_eq!(hitting_set(&[], 0, 1, &EngineOptions::default()), Some(vec![]));
    }

    /// Answers a fixed number of checks.
    struct Patience<'p>(Box<dyn Incremental + 'p>, usize);

    impl Incremental for Patience<'_> {
        fn refute(&mut self, assumptions: &[Bool]) -> Result<Option<Vec<Bool>>, StopReason> {
            self.1 = self.1.checked_sub(1).ok_or(StopReason::TimeLimit)?;
            self.0.refute(assumptions)
        }

        fn found(&mut self) -> Result<Assignment, StopReason> {
            self.0.found()
        }

        fn allow(&mut self, work: Option<u64>) -> Option<u64> {
            self.0.allow(work)
        }
    }

    /// Four conditions: the first three contradict each other, and so do the last two.
    fn conflict(checks: usize) -> Result<Option<ConflictingConditions>, StopReason> {
        let mut problem = Builder::new();
        let [a, b] = [0; 2].map(|_| problem.new_bool(Role::Decision));
        let both = problem.and([a, b]);
        let conditions = [a, b, !both, both];
        let problem = problem.finish().expect("few terms");
        let engine_options = EngineOptions::default();
        let mut patience = Patience(incremental(&problem, &engine_options), checks);
        let mut sizes = Vec::new();
        let mut shrinking = Conditions {
            problem: &problem,
            solver: &mut patience,
            conditions: &conditions,
            always: &[],
            engine_options: &engine_options,
            smaller: &mut |members| sizes.push(members.len()),
        };
        let found = shrinking.smallest(&[0, 1, 2, 3]);
        assert_eq!(sizes.is_empty(), checks == 0, "conflicts are told on the way");
        found
    }

    #[test]
    fn work_that_was_not_allowed_is_not_done() {
        let mut problem = Builder::new();
        let a = problem.new_bool(Role::Decision);
        let problem = problem.finish().expect("few terms");
        let engine_options = EngineOptions::default();
        let mut solver = incremental(&problem, &engine_options);
        assert!(within_work(&mut *solver, |solver| solver, 1, |solver| solver.check(&[a]).is_ok()));
        solver.allow(Some(1));
        assert!(solver.check(&[a]).is_ok());
        assert!(matches!(solver.check(&[a]), Err(StopReason::Unknown(_))));
        solver.allow(None);
        assert!(solver.check(&[a]).is_ok());
    }

    #[test]
    fn a_smallest_conflict_is_found() {
        let found = conflict(1000).expect("time").expect("a conflict");
        assert_eq!((found.members, found.minimal), (vec![2, 3], true));
    }

    #[test]
    fn a_conflict_that_could_not_be_shrunk_says_so() {
        assert_eq!(conflict(0).err(), Some(StopReason::TimeLimit));
        let found = conflict(1).expect("time for one check").expect("a conflict");
        assert!(!found.minimal, "{found:?}");
    }
}
