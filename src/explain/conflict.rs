//! Conflicts: conditions that cannot hold together, shrunk until none of them is superfluous.
//!
//! The shrinking is deletion, helped by the solver's own refutations (Marques-Silva, "Minimal unsatisfiability: models,
//! algorithms and applications", 2010): a member is left out for good if the others are refuted without it, together
//! with all that this refutation did not use. That each member that stays is needed has been seen then: the others have
//! a solution. A conflict that is minimal by inclusion need not be the smallest one, so that several orders are tried.
//!
//! Smallest conflicts are found from the other side (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS extraction with
//! minimal hitting set dualization", CP 2015): what is left out where the rest can hold has a member in every conflict. A
//! smallest set that has one of each such is a smallest conflict as soon as it is a conflict at all.

use crate::{
    problem::{Assignment, Bool, Int, Problem},
    solver::{self, Answer, Incremental, Limits, Outcome},
};
use std::time::{Duration, Instant};

/// How many orders are tried, as long as there is time for it.
const ORDERS: usize = 4;
/// How long other orders are tried.
const PATIENCE: Duration = Duration::from_millis(400);

/// How long a smallest conflict is looked for, and through how many candidates.
const SEARCH: Duration = Duration::from_secs(2);
const MOST_CANDIDATES: usize = 60;

/// Conditions that cannot hold together.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// Positions, ascending.
    pub members: Vec<usize>,
    /// Whether the conflict is known to need each member.
    pub minimal: bool,
}

/// Questions about some of a list of conditions.
pub struct Conditions<'a> {
    pub problem: &'a Problem,
    pub solver: &'a mut dyn Incremental,
    pub conditions: &'a [Bool],
    /// What is assumed in every question.
    pub always: &'a [Bool],
}

impl Conditions<'_> {
    fn ask(&mut self, members: &[usize]) -> Result<Answer, Outcome> {
        let mut assumptions: Vec<Bool> = members.iter().map(|position| self.conditions[*position]).collect();
        assumptions.extend(self.always);
        self.solver.check(&assumptions)
    }

    /// The members of a conflict among these, or `None` if they have a solution.
    pub fn refute(&mut self, members: &[usize]) -> Result<Option<Vec<usize>>, Outcome> {
        match self.ask(members)? {
            Answer::Satisfiable(_) => Ok(None),
            Answer::Refuted(core) => {
                let used = |position: &&usize| core.contains(&self.conditions[**position]);
                Ok(Some(members.iter().filter(used).copied().collect()))
            }
        }
    }

    /// A minimal conflict among these; `None` if there is none. A limit ends the shrinking early.
    pub fn shrink(&mut self, members: &[usize]) -> Result<Option<Conflict>, Outcome> {
        let Some(core) = self.refute(members)? else { return Ok(None) };
        let began = Instant::now();
        let mut best = self.delete(core.clone());
        for order in 1..ORDERS {
            if !best.minimal || best.members.len() <= 2 || began.elapsed() > PATIENCE {
                break;
            }
            // From another core, and in another order.
            let mut turned: Vec<usize> = members.to_vec();
            turned.rotate_left(members.len() * order / ORDERS);
            if order % 2 == 1 {
                turned.reverse();
            }
            let Ok(Some(core)) = self.refute(&turned) else { break };
            let other = self.delete(core);
            if other.minimal && other.members.len() < best.members.len() {
                best = other;
            }
        }
        best.members.sort_unstable();
        Ok(Some(best))
    }

    /// Leaves out what is superfluous, the last members first.
    fn delete(&mut self, mut open: Vec<usize>) -> Conflict {
        let mut needed = Vec::new();
        while let Some(candidate) = open.pop() {
            let rest: Vec<usize> = open.iter().chain(&needed).copied().collect();
            match self.refute(&rest) {
                Ok(None) => needed.push(candidate),
                Ok(Some(core)) => open.retain(|member| core.contains(member)),
                Err(_) => {
                    needed.push(candidate);
                    needed.extend(open);
                    return Conflict { members: needed, minimal: false };
                }
            }
        }
        Conflict { members: needed, minimal: true }
    }
    /// A minimal conflict among these, with as few members as there can be if it is found in time.
    pub fn smallest(&mut self, members: &[usize]) -> Result<Option<Conflict>, Outcome> {
        let Some(mut best) = self.shrink(members)? else { return Ok(None) };
        if best.minimal
            && let Ok(Some(members)) = self.smaller(members, best.members.len())
        {
            best.members = members;
        }
        Ok(Some(best))
    }

    /// A smallest conflict among these, if it has fewer members than so many.
    fn smaller(&mut self, members: &[usize], than: usize) -> Result<Option<Vec<usize>>, Outcome> {
        let began = Instant::now();
        let mut corrections: Vec<Vec<usize>> = Vec::new();
        for _ in 0..MOST_CANDIDATES {
            if began.elapsed() > SEARCH {
                break;
            }
            let Some(candidate) = hitting_set(&corrections, than) else { break };
            match self.ask(&candidate)? {
                Answer::Refuted(_) => return Ok(Some(candidate)),
                Answer::Satisfiable(assignment) => corrections.push(self.correction(members, assignment)?),
            }
        }
        Ok(None)
    }

    /// Members without which the others hold, none of them superfluous; the assignment is where to begin.
    fn correction(&mut self, members: &[usize], assignment: Assignment) -> Result<Vec<usize>, Outcome> {
        let (problem, conditions) = (self.problem, self.conditions);
        let holds = |position: usize, assignment: &Assignment| problem.bool_value(conditions[position], assignment);
        let (mut kept, mut open): (Vec<usize>, Vec<usize>) =
            members.iter().copied().partition(|position| holds(*position, &assignment));
        let mut left_out = Vec::new();
        while let Some(candidate) = open.pop() {
            kept.push(candidate);
            match self.ask(&kept)? {
                Answer::Satisfiable(assignment) => {
                    kept.extend(open.extract_if(.., |position| holds(*position, &assignment)));
                }
                Answer::Refuted(_) => left_out.extend(kept.pop()),
            }
        }
        Ok(left_out)
    }
}

/// A smallest set, ascending, that has a member of each of these; `None` if there is none with fewer members than so many.
fn hitting_set(sets: &[Vec<usize>], fewer_than: usize) -> Option<Vec<usize>> {
    let mut members: Vec<usize> = sets.concat();
    members.sort_unstable();
    members.dedup();
    let mut problem = Problem::default();
    let chosen: Vec<Bool> = members.iter().map(|_| problem.new_bool(true)).collect();
    for set in sets {
        let one_of = set.iter().filter_map(|member| members.binary_search(member).ok().map(|place| chosen[place]));
        let hit = problem.or(one_of);
        problem.require(hit);
    }
    let counts: Vec<(i64, Int)> = chosen.iter().map(|chosen| (1, problem.from_bool(*chosen))).collect();
    let count = problem.linear(counts, 0);
    let few = problem.at_most_constant(count, i64::try_from(fewer_than).ok()?.checked_sub(1)?);
    problem.require(few);
    problem.set_objective(false, vec![count]);
    let mut best = None;
    let outcome = (solver::BACKENDS[0].make)().solve(&problem, &Limits::default(), &mut |assignment| {
        let is_in = |(_, chosen): &(&usize, &Bool)| problem.bool_value(**chosen, assignment);
        best = Some(members.iter().zip(&chosen).filter(is_in).map(|(member, _)| *member).collect());
        std::ops::ControlFlow::Continue(())
    });
    best.filter(|_| outcome == Ok(Outcome::Complete))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hitting_sets_are_as_small_as_can_be() {
        let sets = [vec![1, 2], vec![2, 3], vec![4, 9]];
        let found = hitting_set(&sets, 3).expect("one with two members");
        assert_eq!((found.len(), found.contains(&2)), (2, true), "{found:?}");
        assert_eq!(hitting_set(&sets, 2), None);
        assert_eq!(hitting_set(&[], 1), Some(vec![]));
    }

    /// Answers some questions, and no more.
    struct Patience<'p>(Box<dyn Incremental + 'p>, usize);

    impl Incremental for Patience<'_> {
        fn check(&mut self, assumptions: &[Bool]) -> Result<Answer, Outcome> {
            self.1 = self.1.checked_sub(1).ok_or(Outcome::TimeLimit)?;
            self.0.check(assumptions)
        }
    }

    /// Four conditions: the first three contradict each other, and so do the last two.
    fn conflict(questions: usize) -> Result<Option<Conflict>, Outcome> {
        let mut problem = Problem::default();
        let [a, b] = [0; 2].map(|_| problem.new_bool(true));
        let both = problem.and([a, b]);
        let conditions = [a, b, !both, both];
        let limits = Limits::default();
        let mut patience = Patience(solver::incremental(&problem, &limits), questions);
        let mut asked = Conditions { problem: &problem, solver: &mut patience, conditions: &conditions, always: &[] };
        asked.smallest(&[0, 1, 2, 3])
    }

    #[test]
    fn a_smallest_conflict_is_found() {
        let found = conflict(1000).expect("time").expect("a conflict");
        assert_eq!((found.members, found.minimal), (vec![2, 3], true));
    }

    #[test]
    fn a_conflict_that_could_not_be_shrunk_says_so() {
        assert_eq!(conflict(0).err(), Some(Outcome::TimeLimit));
        let found = conflict(1).expect("time for one question").expect("a conflict");
        assert!(!found.minimal, "{found:?}");
    }
}
