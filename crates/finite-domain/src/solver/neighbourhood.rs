//! Large neighbourhood search (Shaw, "Using constraint programming and local search methods to solve vehicle routing
//! problems", 1998): most decision variables keep their values in the incumbent, and the solver searches for a better
//! assignment of the others.
//!
//! A member, an image or an entry of an Essence value is a group of decision variables, and the groups of one
//! collection are a family ([`Problem::families`]). One way to choose the free variables takes some groups of a family:
//! a window of a sequence, some members of a set, two parts of a partition, a few rows of a matrix. Other ways follow
//! the constraints, or free all variables with one of two values.

use super::CheckResult;
use crate::problem::{Assignment, BoolNode, Int, IntNode, Problem, Variable};
use crate::solver::tuning::neighbourhood::{FEWEST, FIRST_PART, GROWTH, MOST_VISITS};
use rustc_hash::{FxHashMap, FxHashSet};

/// The ways to choose the free variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Decisions that occur together in constraints.
    Linked,
    /// Neighbours in the order of the model.
    Window,
    /// Groups of one family.
    Groups,
    /// Integers that have one of two values.
    Values,
    Any,
}

const WAYS: [Way; 5] = [Way::Linked, Way::Groups, Way::Window, Way::Values, Way::Any];

/// The number of ways, at the start of [`WAYS`], that can be restricted to the surroundings of some variables.
const CENTRAL: usize = 2;

/// Chooses the variables that keep their values.
pub struct Neighbourhoods<'p> {
    problem: &'p Problem,
    random: fastrand::Rng,
    /// The decision variables except those that follow from others: these are always free, because `find cost` would
    /// otherwise keep the value that is to be improved.
    decisions: Vec<Variable>,
    /// The positions of the variables in each constraint and in each addend of a constrained sum.
    scopes: Vec<Vec<u32>>,
    /// The scopes of each variable.
    scopes_of: Vec<Vec<u32>>,
    /// The positions of the variables in each group of each family.
    families: Vec<Vec<Vec<usize>>>,
    /// The number of variables that each way frees.
    sizes: [f64; WAYS.len()],
    turn: usize,
    /// The positions of the variables around which all neighbourhoods lie; empty if they may be anywhere.
    centre: FxHashSet<usize>,
}

impl<'p> Neighbourhoods<'p> {
    /// Neighbourhoods of assignments of this problem.
    pub fn new(problem: &'p Problem, seed: Option<u32>) -> Self {
        let following = following(problem);
        let decisions: Vec<Variable> =
            problem.decisions().iter().copied().filter(|decision| !following.contains(decision)).collect();
        let scopes = scopes(problem, &decisions);
        let mut scopes_of = vec![Vec::new(); decisions.len()];
        for (scope, places) in (0..).zip(&scopes) {
            places.iter().for_each(|place| scopes_of[*place as usize].push(scope));
        }
        let families = families(problem, &decisions);
        let size = (decisions.len() as f64 / FIRST_PART).max(FEWEST);
        Neighbourhoods {
            problem,
            random: fastrand::Rng::with_seed(seed.unwrap_or(0).into()),
            decisions,
            scopes,
            scopes_of,
            families,
            sizes: [size; WAYS.len()],
            turn: 0,
            centre: FxHashSet::default(),
        }
    }

    /// Restricts the neighbourhoods to the surroundings of some variables: groups with such a variable come first, and
    /// links start at one.
    #[must_use]
    pub fn around(mut self, centre: &FxHashSet<Variable>) -> Self {
        let is_central = |place: &usize| centre.contains(&self.decisions[*place].positive());
        self.centre = (0..self.decisions.len()).filter(is_central).collect();
        let has_central = |family: &Vec<Vec<usize>>| family.iter().flatten().any(|place| self.centre.contains(place));
        let (central, others): (Vec<_>, Vec<_>) = self.families.into_iter().partition(has_central);
        self.families = if central.is_empty() { others } else { central };
        self
    }

    /// Returns the variables that keep their values in the next neighbourhood, with these values.
    pub fn next(&mut self, best: &Assignment) -> Vec<(Variable, i64)> {
        let ways = if self.centre.is_empty() { WAYS.len() } else { CENTRAL };
        self.turn = (self.turn + 1) % ways;
        let size = (self.sizes[self.turn] as usize).min(self.decisions.len());
        let values: Vec<i64> = self.decisions.iter().map(|decision| self.problem.value(*decision, best)).collect();
        let mut free = vec![false; self.decisions.len()];
        let mut left = size;
        // Frees a variable, and returns true while more variables may be freed.
        let mut release = |position: usize| {
            left = left.saturating_sub(usize::from(!std::mem::replace(&mut free[position], true)));
            left > 0
        };
        if size > 0 {
            match WAYS[self.turn] {
                Way::Linked => self.linked(&mut release),
                Way::Groups => self.groups(&mut release),
                Way::Window => self.window(size, &mut release),
                Way::Values => self.with_two_values(&values, &mut release),
                Way::Any => {
                    self.shuffled(0..self.decisions.len()).into_iter().all(release);
                }
            }
        }
        let kept = self.decisions.iter().zip(values).zip(free).filter(|(_, free)| !free);
        kept.map(|((decision, value), _)| (*decision, value)).collect()
    }

    /// Doubles the sizes of the next neighbourhoods.
    pub fn widen(&mut self) {
        let most = self.decisions.len() as f64;
        self.sizes.iter_mut().for_each(|size| *size = (*size * 2.0).min(most));
    }

    /// Adapts the size of the neighbourhoods of this kind to the result of the last one.
    pub(super) fn learn(&mut self, result: &CheckResult) {
        let size = &mut self.sizes[self.turn];
        match result {
            CheckResult::Satisfiable => {}
            CheckResult::Unsatisfiable => *size = (*size * GROWTH).min(self.decisions.len() as f64),
            CheckResult::Unknown(_) => *size = (*size / GROWTH).max(FEWEST),
        }
    }

    fn shuffled(&mut self, places: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut places: Vec<usize> = places.into_iter().collect();
        self.random.shuffle(&mut places);
        places
    }

    /// Frees a variable, then those in a scope with it, then those in a scope with one of these, and so on.
    fn linked(&mut self, release: &mut impl FnMut(usize) -> bool) {
        let mut linked: Vec<usize> = Vec::new();
        let mut seen = FxHashSet::default();
        let central = self.random.choice(&self.centre).copied();
        let mut next = central.map_or_else(|| self.any(), |place| vec![place]);
        while next.iter().all(|place| release(*place)) {
            linked.extend(next);
            let at = linked[self.random.usize(0..linked.len())];
            let fresh: Vec<u32> = self.scopes_of[at].iter().copied().filter(|scope| !seen.contains(scope)).collect();
            // If a variable has no further scopes, the walk continues with any other variable.
            next = match fresh.as_slice() {
                [] => self.any(),
                fresh => {
                    let scope = fresh[self.random.usize(0..fresh.len())];
                    seen.insert(scope);
                    let places: Vec<usize> = self.scopes[scope as usize].iter().map(|place| *place as usize).collect();
                    self.shuffled(places)
                }
            };
        }
    }

    /// One variable.
    fn any(&mut self) -> Vec<usize> {
        vec![self.random.usize(0..self.decisions.len())]
    }

    /// Frees whole groups of one family, adjacent or random ones.
    fn groups(&mut self, release: &mut impl FnMut(usize) -> bool) {
        if self.families.is_empty() {
            return self.linked(release);
        }
        let family = self.random.usize(0..self.families.len());
        let count = self.families[family].len();
        let start = self.random.usize(0..count);
        let mut order: Vec<usize> = (0..count).map(|step| (start + step) % count).collect();
        // Half of the neighbourhoods consist of adjacent groups, for example a window of a sequence.
        if self.random.bool() {
            self.random.shuffle(&mut order);
        }
        // The sort is stable, so central groups keep their order, and so do the others.
        if !self.centre.is_empty() {
            let is_central = |group: &usize| self.families[family][*group].iter().any(|it| self.centre.contains(it));
            order.sort_by_cached_key(|group| !is_central(group));
        }
        // A group is freed completely, even if that exceeds the size.
        let mut is_room = true;
        for group in order {
            for place in &self.families[family][group] {
                is_room = release(*place);
            }
            if !is_room {
                return;
            }
        }
    }

    /// Frees one or two windows.
    fn window(&mut self, size: usize, release: &mut impl FnMut(usize) -> bool) {
        let count = self.decisions.len();
        let windows = 1 + self.random.usize(0..2);
        for _ in 0..windows {
            let start = self.random.usize(0..count);
            for step in 0..size.div_ceil(windows) {
                if !release((start + step) % count) {
                    return;
                }
            }
        }
    }

    /// Frees integers that have one of two values, up to the size.
    fn with_two_values(&mut self, values: &[i64], release: &mut impl FnMut(usize) -> bool) {
        let is_int = |place: &usize| matches!(self.decisions[*place], Variable::Int(_));
        let ints: Vec<usize> = (0..values.len()).filter(is_int).collect();
        let ints = self.shuffled(ints);
        let Some(first) = ints.first() else { return self.linked(release) };
        let other = ints.iter().find(|place| values[**place] != values[*first]).unwrap_or(first);
        let two = [values[*first], values[*other]];
        ints.iter().copied().filter(|place| two.contains(&values[*place])).all(release);
    }
}

/// Returns the variables that follow from others, because a constraint defines them by an equation. For each equation,
/// this is the variable with the most values, such as a cost among quantities.
fn following(problem: &Problem) -> FxHashSet<Variable> {
    let decisions: FxHashSet<Variable> = problem.decisions().iter().copied().collect();
    let mut following = FxHashSet::default();
    for constraint in problem.constraints() {
        let equal: Vec<Int> = match problem.bool_node(constraint.node().0) {
            BoolNode::Same(left, right) => vec![*left, *right],
            BoolNode::LinearEquals(terms, _) => {
                terms.iter().filter(|(factor, _)| factor.abs() == 1).map(|(_, term)| *term).collect()
            }
            // Negated equations define nothing.
            _ => continue,
        };
        let is_decision = |term: &Int| decisions.contains(&Variable::Int(*term));
        let equal = equal.into_iter().filter(is_decision);
        if !constraint.node().1
            && let Some(largest) = equal.max_by_key(|term| problem.values(*term).size())
            && problem.values(largest).size() > Some(2)
        {
            following.insert(Variable::Int(largest));
        }
    }
    following
}

/// Returns the positions of the decision variables in the families of a problem.
fn families(problem: &Problem, decisions: &[Variable]) -> Vec<Vec<Vec<usize>>> {
    let places: FxHashMap<Variable, usize> = decisions.iter().map(|decision| decision.positive()).zip(0..).collect();
    let group =
        |group: &Vec<Variable>| -> Vec<usize> { group.iter().filter_map(|term| places.get(term).copied()).collect() };
    let families = problem.families().iter().map(|family| {
        let groups = family.iter().map(group).filter(|group| !group.is_empty());
        groups.collect::<Vec<_>>()
    });
    families.filter(|family| family.len() > 1).collect()
}

/// Returns the positions of variables that occur together: at least two, and at most half of all.
fn scopes(problem: &Problem, decisions: &[Variable]) -> Vec<Vec<u32>> {
    let places: FxHashMap<Variable, u32> = decisions.iter().map(|decision| decision.positive()).zip(0..).collect();
    let mut roots: Vec<Variable> = Vec::new();
    // Decisions in the same addend of the objective belong together.
    for objective in problem.objective().iter().flat_map(|objective| &objective.terms) {
        if let IntNode::Linear(terms, _) = problem.int_node(*objective) {
            roots.extend(terms.iter().map(|(_, term)| Variable::Int(*term)));
        }
    }
    for constraint in problem.constraints() {
        roots.push(Variable::Bool(*constraint));
        match problem.bool_node(constraint.node().0) {
            BoolNode::LinearAtMost(terms, _) | BoolNode::LinearEquals(terms, _) => {
                roots.extend(terms.iter().map(|(_, term)| Variable::Int(*term)));
            }
            _ => {}
        }
    }
    let mut visits = 0;
    let scope = |root| {
        let mut scope = Vec::new();
        problem.visit([root], |term| {
            visits += 1;
            if visits <= MOST_VISITS {
                scope.extend(places.get(&term));
            }
            visits <= MOST_VISITS
        });
        scope.sort_unstable();
        scope
    };
    let mut scopes: Vec<Vec<u32>> = roots.into_iter().map(scope).collect();
    scopes.retain(|scope| scope.len() > 1 && scope.len() <= decisions.len() / 2);
    scopes.sort_unstable();
    scopes.dedup();
    scopes
}
