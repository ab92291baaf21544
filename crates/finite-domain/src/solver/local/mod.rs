//! Local search by small changes of Essence values, such as an exchange in a sequence. The caller proposes the changes
//! ([`Neighbours`]), which are accepted as in simulated annealing (Kirkpatrick, Gelatt, Vecchi, Science 220, 1983).
//! Violated constraints are penalised by the degree of their violation; the price of a violation follows from how often
//! all constraints hold.
//!
//! Local search proves nothing. Each assignment that it finds is better than all before and satisfies all constraints;
//! the other engines continue from there.
//!
//! You may add moves. Nothing relies on assignments that are not found; each assignment that is found satisfies all
//! constraints.

mod clique;
mod network;

use super::{EngineOptions, SearchEnd, Solver, Statistics, incumbent::Incumbent};
use crate::solver::tuning::local::{
    COOL, COOLING, FIRST_ROUND, GROWTH, HOT, INTERVAL, LAST_PART, LEAST_PRICE, LONGEST_AWAY, LONGEST_ROUND, LOOK,
    OFTEN, PATIENCE, PRICE_STEP, REST, SAMPLE, SELDOM, WARM,
};
use crate::{
    Sense, SolverError, StopReason,
    problem::{Assignment, Neighbours, Objective, Problem, Variable, Walk},
};
pub use clique::cliques;
use network::{TermNetwork, UNIT};
use std::{
    ops::ControlFlow,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

/// The kinds of rounds, which alternate.
const ROUNDS: [RoundKind; 4] = [
    RoundKind { warmth: HOT, settles: false },
    RoundKind { warmth: WARM, settles: true },
    RoundKind { warmth: COOL, settles: false },
    RoundKind { warmth: WARM, settles: true },
];

#[derive(Clone, Copy)]
struct RoundKind {
    /// The temperature at the start, as a fraction of the average cost of a change.
    warmth: f64,
    /// True if its last part should satisfy all constraints. Some problems need that, others a way through violated
    /// constraints: a plan for 62 customers is at 1542 after a minute if both kinds alternate, at 1572 if all rounds
    /// settle.
    settles: bool,
}

/// Local search as a member of the portfolio.
pub(super) struct LocalSearch<'a> {
    pub neighbours: &'a dyn Neighbours,
    pub incumbent: Arc<Incumbent>,
    /// The time that the other engines search alone.
    pub delay: Duration,
    pub statistics: Statistics,
}

impl Solver for LocalSearch<'_> {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        self.statistics.method = "local search".to_owned();
        // While the engine waits, its turns would be wasted.
        if !options.takes_turns() {
            wait(self.delay, options);
        }
        search(problem, self.neighbours, &self.incumbent, options, found);
        let end = options.reached().unwrap_or(StopReason::Unknown("local search proves nothing".to_owned()));
        Ok(end.into())
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// Searches until a limit is reached.
fn search(
    problem: &Problem,
    neighbours: &dyn Neighbours,
    incumbent: &Incumbent,
    options: &EngineOptions,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Option<()> {
    let objective = problem.objective()?;
    let seed = options.seed.unwrap_or(0).into();
    let values = neighbours.walk(None)?.values();
    let network = TermNetwork::new(neighbours.problem(), &assigned(&values))?;
    let random = fastrand::Rng::with_seed(seed);
    let mut annealing = Annealing { problem, objective, network, best: None, price: None, random };
    let mut length = FIRST_ROUND as f64;
    let mut without_success = 0;
    for kind in ROUNDS.into_iter().cycle() {
        // In the meantime, another engine may have found a better assignment.
        annealing.best = incumbent.best();
        let mut walk = neighbours.walk(annealing.best.as_ref())?;
        annealing.network.change(&walk.values());
        match annealing.round(&mut *walk, kind, length as u64, options, found) {
            ControlFlow::Break(()) => break,
            ControlFlow::Continue(true) => without_success = 0,
            ControlFlow::Continue(false) => without_success += 1,
        }
        length = (length * GROWTH).min(LONGEST_ROUND);
        if without_success > PATIENCE && !options.takes_turns() {
            wait(REST, options);
        }
    }
    Some(())
}

/// Waits for this time or until a limit is reached.
fn wait(time: Duration, options: &EngineOptions) {
    let start = Instant::now();
    while start.elapsed() < time && options.reached().is_none() {
        thread::sleep(LOOK);
    }
}

fn assigned(values: &[(Variable, i64)]) -> Assignment {
    let mut assignment = Assignment::default();
    values.iter().for_each(|(variable, value)| assignment.set(*variable, *value));
    assignment
}

struct Annealing<'a> {
    problem: &'a Problem,
    objective: &'a Objective,
    network: TermNetwork,
    best: Option<Assignment>,
    /// The price of a violation by one unit, in units of the objective; it is learnt over all rounds.
    price: Option<f64>,
    random: fastrand::Rng,
}

impl Annealing<'_> {
    /// The energy of the current assignment, which the search minimises.
    fn energy(&self, price: f64) -> f64 {
        let value = self.network.objective().next().unwrap_or(0) as f64;
        let value = if self.objective.sense == Sense::Minimise { value } else { -value };
        value + price * self.network.penalty() as f64 / UNIT as f64
    }

    /// Measures the average cost of a change, good or bad: in the objective and in violations.
    fn average(&mut self, walk: &mut dyn Walk) -> (f64, f64) {
        let (mut costs, mut violations, mut changes) = (0.0, 0.0, 0);
        let before = (self.energy(0.0), self.network.penalty());
        for _ in 0..SAMPLE {
            let Some(values) = walk.propose(&mut self.random) else { continue };
            self.network.change(&values);
            let cost = (self.energy(0.0) - before.0).abs();
            let violation = (self.network.penalty() - before.1).abs() as f64 / UNIT as f64;
            if cost + violation > 0.0 {
                changes += 1;
                costs += cost;
                violations += violation;
            }
            self.network.undo();
        }
        let changes = f64::from(changes.max(1));
        (costs / changes, violations / changes)
    }

    /// Runs one round from hot to cold; returns true if it has found an assignment.
    fn round(
        &mut self,
        walk: &mut dyn Walk,
        kind: RoundKind,
        length: u64,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        let (cost, violation) = self.average(walk);
        let mut price = self.price.unwrap_or_else(|| 1.0f64.max(2.0 * cost));
        let first = kind.warmth * (cost + price * violation).max(1.0);
        let mut energy = self.energy(price);
        let (mut success, mut feasible, mut away) = (false, 0, 0);
        let mut last_price = price;
        for step in 0..length {
            if step % INTERVAL == 0 {
                if options.reached().is_some() {
                    return ControlFlow::Break(());
                }
                // If violations make a much better objective possible, rising prices do not lead back to satisfied
                // constraints.
                away = if feasible > 0 { 0 } else { away + 1 };
                if away > LONGEST_AWAY && self.best.is_some() {
                    // The higher prices during the detour did not help, so the next round starts with twice the price
                    // before it.
                    last_price = price / PRICE_STEP.powi(LONGEST_AWAY as i32) * 2.0;
                    break;
                }
                // All constraints should be satisfied some of the time, and most of the time in the last part of a
                // round that settles.
                let is_last_part = kind.settles && step as f64 > LAST_PART * length as f64;
                match feasible * 100 / INTERVAL {
                    ..SELDOM => price *= PRICE_STEP,
                    ..OFTEN if is_last_part => price *= PRICE_STEP,
                    OFTEN.. if !is_last_part => price = (price / PRICE_STEP).max(LEAST_PRICE),
                    _ => {}
                }
                // Prices from the last part are too high for the next round.
                if !is_last_part {
                    last_price = price;
                }
                feasible = 0;
                energy = self.energy(price);
            }
            let temperature = first * COOLING.powf(-(step as f64) / length as f64);
            let Some(values) = walk.propose(&mut self.random) else { continue };
            self.network.change(&values);
            let next = self.energy(price);
            if next <= energy || self.random.f64() < ((energy - next) / temperature).exp() {
                energy = next;
                walk.accept();
                // The problem of the network may lack constraints, such as the order of interchangeable slots, so the
                // assignment is checked with the problem itself.
                if self.network.penalty() == 0
                    && self.is_best(self.network.objective())
                    && let Some(assignment) = walk.assignment()
                    && self.problem.is_satisfied_by(&assignment)
                    && self.is_best(self.values(&assignment))
                {
                    found(&assignment)?;
                    self.best = Some(assignment);
                    success = true;
                }
            } else {
                self.network.undo();
            }
            feasible += u64::from(self.network.penalty() == 0);
        }
        self.price = Some(last_price);
        if self.best.is_none() {
            // Constraints that are hard to satisfy count more in the next round.
            self.network.weigh(|(weight, violation)| weight + i64::from(violation > 0));
        }
        ControlFlow::Continue(success)
    }

    /// The values of the objective in an assignment.
    fn values(&self, assignment: &Assignment) -> impl Iterator<Item = i64> {
        self.objective.terms.iter().map(|term| self.problem.int_value(*term, assignment))
    }

    /// Returns true if these values of the objective are better than the values in the best assignment.
    fn is_best(&self, values: impl Iterator<Item = i64>) -> bool {
        self.best.as_ref().is_none_or(|best| {
            let known: Vec<i64> = self.values(best).collect();
            self.objective.sense.is_better(&values.collect::<Vec<i64>>(), &known)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        IntSet,
        problem::{Builder, Role},
        solver::test_problems::{random_problem, random_tour, try_all},
    };

    /// Moves that change one variable to any value.
    struct AnyValue<'a>(&'a Problem, &'a [Variable]);

    struct AnyWalk<'a> {
        neighbours: &'a AnyValue<'a>,
        values: Vec<(Variable, i64)>,
        proposed: (usize, i64),
    }

    impl Neighbours for AnyValue<'_> {
        fn problem(&self) -> &Problem {
            self.0
        }

        fn walk(&self, start: Option<&Assignment>) -> Option<Box<dyn Walk + '_>> {
            let first = Assignment::default();
            let value = |variable: &Variable| (*variable, self.0.value(*variable, start.unwrap_or(&first)));
            let values = self.1.iter().map(value).collect();
            Some(Box::new(AnyWalk { neighbours: self, values, proposed: (0, 0) }))
        }
    }

    impl Walk for AnyWalk<'_> {
        fn values(&self) -> Vec<(Variable, i64)> {
            self.values.clone()
        }

        fn propose(&mut self, random: &mut fastrand::Rng) -> Option<Vec<(Variable, i64)>> {
            let place = random.usize(0..self.values.len());
            let variable = self.values[place].0;
            let value = match variable {
                Variable::Bool(_) => random.i64(0..=1),
                Variable::Int(term) => random.choice(self.neighbours.0.values(term).iter().collect::<Vec<_>>())?,
            };
            self.proposed = (place, value);
            Some(vec![(variable, value)])
        }

        fn accept(&mut self) {
            self.values[self.proposed.0].1 = self.proposed.1;
        }

        fn assignment(&self) -> Option<Assignment> {
            Some(assigned(&self.values))
        }
    }

    /// A value that violates a constraint is so good that a round seldom leaves it.
    #[test]
    fn a_round_that_violates_constraints_all_the_time_is_given_up() {
        let mut problem = Builder::new();
        let term = problem.new_int(IntSet::range(0, 1_000), Role::Decision);
        let bait = problem.equals_constant(term, 0);
        problem.require(!bait);
        let bait = problem.int_of(bait);
        let cost = problem.linear([(-1_000_000, bait), (1, term)], 0);
        problem.set_objective(Sense::Minimise, vec![cost]);
        let problem = problem.finish().expect("small numbers");
        let objective = problem.objective().expect("an objective");
        let variables = [Variable::Int(term)];
        let neighbours = AnyValue(&problem, &variables);
        let start = assigned(&[(variables[0], 500)]);
        let network = TermNetwork::new(&problem, &start).expect("a small problem");
        let (best, random) = (Some(start.clone()), fastrand::Rng::with_seed(1));
        let mut annealing = Annealing { problem: &problem, objective, network, best, price: Some(1.0), random };
        let mut walk = neighbours.walk(Some(&start)).expect("a start");
        let (options, mut found) = (EngineOptions::default(), |_: &Assignment| ControlFlow::Continue(()));
        assert!(annealing.round(&mut *walk, ROUNDS[0], 60_000, &options, &mut found).is_continue());
        assert!(annealing.price.is_some_and(|price| price < 10.0), "{:?}", annealing.price);
    }

    /// Assignments satisfy all constraints, each is better than all before, and the last one is nearly always optimal.
    #[test]
    fn small_problems_are_solved() {
        let (mut all, mut best) = (0, 0);
        for seed in 1..120 {
            let (problem, variables) = if seed % 2 == 0 { random_tour(seed) } else { random_problem(seed) };
            let Some(objective) = problem.objective() else { continue };
            let (_, Some(optimum)) = try_all(&problem, &variables) else { continue };
            let options = EngineOptions::default();
            let mut last: Option<Vec<i64>> = None;
            let mut found = |assignment: &Assignment| {
                assert!(problem.is_satisfied_by(assignment), "{problem}");
                let values = objective.terms.iter().map(|term| problem.int_value(*term, assignment)).collect();
                assert!(last.as_ref().is_none_or(|last| objective.sense.is_better(&values, last)), "{problem}");
                let done = values == optimum;
                last = Some(values);
                if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let neighbours = AnyValue(&problem, &variables);
            let values = neighbours.walk(None).map(|walk| walk.values()).unwrap_or_default();
            let network = TermNetwork::new(&problem, &assigned(&values)).expect("a small problem");
            let random = fastrand::Rng::with_seed(seed);
            let mut annealing = Annealing { problem: &problem, objective, network, best: None, price: None, random };
            for kind in ROUNDS {
                let Some(mut walk) = neighbours.walk(annealing.best.as_ref()) else { continue };
                annealing.network.change(&walk.values());
                if annealing.round(&mut *walk, kind, FIRST_ROUND, &options, &mut found).is_break() {
                    break;
                }
            }
            all += 1;
            best += usize::from(last == Some(optimum));
        }
        assert!(all > 50 && best * 100 >= all * 95, "{best} of {all}");
    }
}
