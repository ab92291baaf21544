//! Conflicts: conditions that cannot hold together, shrunk until none of them is superfluous.
//!
//! The shrinking is deletion, helped by the solver's own refutations (Marques-Silva, "Minimal unsatisfiability: models,
//! algorithms and applications", 2010): a member is left out for good if the others are refuted without it, together
//! with all that this refutation did not use. That each member that stays is needed has been seen then: the others have
//! a solution. A conflict that is minimal by inclusion need not be the smallest one, so that several orders are tried.

use crate::{
    problem::Bool,
    solver::{Answer, Incremental, Outcome},
};
use std::time::{Duration, Instant};

/// How many orders are tried, as long as there is time for it.
const ORDERS: usize = 4;
/// How long other orders are tried.
const PATIENCE: Duration = Duration::from_millis(400);

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
    pub solver: &'a mut dyn Incremental,
    pub conditions: &'a [Bool],
    /// What is assumed in every question.
    pub always: &'a [Bool],
}

impl Conditions<'_> {
    /// The members of a conflict among these, or `None` if they have a solution.
    pub fn refute(&mut self, members: &[usize]) -> Result<Option<Vec<usize>>, Outcome> {
        let mut assumptions: Vec<Bool> = members.iter().map(|position| self.conditions[*position]).collect();
        assumptions.extend(self.always);
        match self.solver.check(&assumptions)? {
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
}
