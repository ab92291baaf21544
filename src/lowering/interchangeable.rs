//! Symmetries that are visible in a model: values, rows or columns that can be exchanged.
//!
//! The values of a domain appear in decision variables at several places ([`super::places`]). A candidate exchanges two
//! values at one or more places with the same values. If it maps the problem to itself ([`Automorphisms`]), a
//! lex-leader constraint breaks it: the tuple of decisions must not be greater than its image. All constraints use the
//! same order of the decisions, so the least solution of each class satisfies all of them.

use super::{
    Lowered,
    places::{Place, ProblemVariable, Step, Variables},
};
use crate::{
    analysis::model::TypedModel,
    problem::{Automorphisms, Bool, Exchange, OutOfWork, Problem, Simplified, Variable},
    symbolic::{Symbolic, Term},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of terms that the search for symmetries visits. Chosen.
const WORK: usize = 1_000_000;

/// The maximum number of terms that the search visits without success before it turns to other places. Chosen.
const IN_VAIN: usize = 100_000;

/// The maximum number of places whose values are exchanged together. Chosen.
const TOGETHER: usize = 3;

/// The maximum number of decisions that a lex-leader constraint compares. Comparing only a prefix makes the constraint
/// weaker, but keeps it sound. Chosen.
const COMPARED: usize = 400;

/// The maximum number of decisions that all lex-leader constraints together compare. Chosen.
const COMPARED_IN_ALL: usize = 40_000;

/// Returns the simplified problem of an instance, with constraints that break the symmetries of its model.
pub(crate) fn break_interchangeable(model: &TypedModel, lowered: &Lowered, simplified: &Simplified) -> Problem {
    let images = simplified.images();
    let mut symbolic = Symbolic::from(Problem::clone(&simplified.problem));
    let mut breaking = Vec::new();
    // The exchanges share one budget. When it is used up, the constraints so far are still sound.
    let mut left = COMPARED_IN_ALL;
    let decisions = lowered.problem.decisions();
    // Lex-leader constraints compare the decisions in this order.
    let positions: FxHashMap<Variable, usize> = decisions.iter().copied().zip(0..).collect();
    for exchange in exchanges(model, lowered) {
        let (decisions, moved) = changed_decisions(&mut symbolic, &positions, &exchange, &images);
        left = match left.checked_sub(decisions.len()) {
            Some(left) => left,
            None => break,
        };
        // The image must not be less than the assignment, which leaves the least assignment of each orbit.
        breaking.push(!symbolic.less(&Term::tuple(moved), &Term::tuple(decisions)));
    }
    // If the constraints make the problem too large, it is solved without them.
    match symbolic.finish() {
        Ok(mut problem) => {
            breaking.into_iter().for_each(|constraint| problem.break_symmetry(constraint));
            problem
        }
        Err(_) => Problem::clone(&simplified.problem),
    }
}

/// Returns the exchanges that map the problem to itself.
pub(crate) fn exchanges(model: &TypedModel, lowered: &Lowered) -> Vec<Exchange> {
    let variables = Variables::new(model, lowered);
    let mut found = Vec::new();
    if let Some(automorphisms) = Automorphisms::new(&lowered.problem, WORK) {
        // The exchanges that were found before the work limit are valid.
        let _ = ExchangeSearch { variables: &variables, automorphisms, found: &mut found }.run();
    }
    found
}

/// The search for exchanges that map a problem to itself.
struct ExchangeSearch<'a> {
    variables: &'a Variables,
    automorphisms: Automorphisms<'a>,
    found: &'a mut Vec<Exchange>,
}

impl ExchangeSearch<'_> {
    fn run(mut self) -> Result<(), OutOfWork> {
        let variables = self.variables;
        let mut groups: Vec<Vec<Place>> = Vec::new();
        // Each set of values has its groups, which differ in their types.
        let mut known: FxHashMap<&BTreeSet<i64>, Vec<usize>> = FxHashMap::default();
        for (position, (ty, values)) in variables.values.iter().enumerate() {
            let known = known.entry(values).or_default();
            match known.iter().find(|group| variables.values[groups[**group][0].0].0 == *ty) {
                Some(group) => groups[*group].push(Place(position)),
                None => {
                    known.push(groups.len());
                    groups.push(vec![Place(position)]);
                }
            }
        }
        let mut settled: FxHashSet<Place> = FxHashSet::default();
        // Small subsets come first, because they move fewer variables and have shorter constraints.
        for size in 1..=TOGETHER {
            for group in &groups {
                let open: Vec<Place> = group.iter().copied().filter(|position| !settled.contains(position)).collect();
                self.exchange_subsets(&open, size, &mut Vec::new(), &mut settled)?;
            }
        }
        // A large group has too many subsets, so all of its places are tried together.
        for group in groups.iter().filter(|group| group.len() > TOGETHER) {
            if !group.iter().any(|position| settled.contains(position)) {
                self.exchange_values(group)?;
            }
        }
        Ok(())
    }

    /// Tries to exchange values at the chosen places together with each subset of `others` of this size, in the order
    /// of the places. Places whose values can be exchanged are settled and left out of further subsets.
    fn exchange_subsets(
        &mut self,
        others: &[Place],
        size: usize,
        chosen: &mut Vec<Place>,
        settled: &mut FxHashSet<Place>,
    ) -> Result<(), OutOfWork> {
        if size == 0 {
            // If these places can be exchanged, larger subsets with them add nothing.
            if self.exchange_values(chosen)? {
                settled.extend(chosen.iter());
            }
            return Ok(());
        }
        for (position, place) in others.iter().enumerate() {
            // A chosen place may have been settled in the meantime; larger subsets with it add nothing.
            if chosen.iter().any(|place| settled.contains(place)) {
                break;
            }
            if !settled.contains(place) {
                chosen.push(*place);
                self.exchange_subsets(&others[position + 1..], size - 1, chosen, settled)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    /// Searches for classes of values that can be exchanged at these places; returns true if there is an exchange.
    fn exchange_values(&mut self, places: &[Place]) -> Result<bool, OutOfWork> {
        // The last value of each class is stored, because the exchanges with it generate all permutations of the class.
        let mut classes: Vec<i64> = Vec::new();
        let before = self.found.len();
        // There may be a great number of subsets, so each of them counts as work even without an exchange.
        self.automorphisms.spend(1)?;
        let mut success = self.automorphisms.work();
        // All places of a group have the same values, so the first one represents them.
        for value in &self.variables.values[places[0].0].1 {
            let mut class = None;
            for (position, last) in classes.iter().enumerate() {
                self.automorphisms.spend(1)?;
                let exchange = self.variables.exchange(places, *last, *value);
                if let Some(exchange) = exchange
                    && self.automorphisms.is_automorphism(&exchange)?
                {
                    self.found.push(exchange);
                    success = self.automorphisms.work();
                    class = Some(position);
                    break;
                }
            }
            // Only work without success is limited: a value that finds its class is worth any amount of work.
            if success - self.automorphisms.work() > IN_VAIN {
                break;
            }
            match class {
                Some(position) => classes[position] = *value,
                None => classes.push(*value),
            }
        }
        Ok(self.found.len() > before)
    }
}

impl Variables {
    /// The exchange of two values at some places; `None` if it moves no variable, or moves a variable to a path without
    /// one.
    fn exchange(&self, places: &[Place], one: i64, other: i64) -> Option<Exchange> {
        let mut exchange = Exchange { values: Some((one, other)), ..Exchange::default() };
        let moving = places.iter().flat_map(|place| [one, other].map(|value| self.at.get(&(*place, value))));
        let valued = places.iter().map(|place| self.valued.get(place));
        for steps in moving.chain(valued).flatten().flatten() {
            let leaf = self.leaves[steps];
            let image: Vec<Step> = steps.iter().map(|step| moved_step(*step, places, one, other)).collect();
            // If the image has no variable, the values cannot be exchanged.
            match (leaf, self.leaves.get(&image)?) {
                (ProblemVariable::Bool(term), ProblemVariable::Bool(image)) => {
                    if term != *image {
                        exchange.bools.insert(term, *image);
                    }
                }
                (ProblemVariable::Int(term, place), ProblemVariable::Int(image, _)) => {
                    if term != *image {
                        exchange.ints.insert(term, *image);
                    }
                    if places.contains(&place) {
                        exchange.valued.insert(term);
                    }
                }
                _ => return None,
            }
        }
        let moves = !(exchange.bools.is_empty() && exchange.ints.is_empty() && exchange.valued.is_empty());
        moves.then_some(exchange)
    }
}

fn moved_step(step: Step, places: &[Place], one: i64, other: i64) -> Step {
    match step {
        Step::At(place, value) if places.contains(&place) && value == one => Step::At(place, other),
        Step::At(place, value) if places.contains(&place) && value == other => Step::At(place, one),
        step => step,
    }
}

/// Returns the decisions that an exchange changes, with their images, in the order of their positions. Each pair of
/// exchanged variables is listed once.
fn changed_decisions(
    symbolic: &mut Symbolic,
    positions: &FxHashMap<Variable, usize>,
    exchange: &Exchange,
    images: &FxHashMap<Variable, Variable>,
) -> (Vec<Term>, Vec<Term>) {
    let bools = exchange.bools.keys().map(|term| Variable::Bool(*term));
    let ints = exchange.ints.keys().chain(&exchange.valued).map(|term| Variable::Int(*term));
    let changed: BTreeMap<usize, Variable> =
        bools.chain(ints).filter_map(|variable| Some((*positions.get(&variable)?, variable))).collect();
    let (mut terms, mut moved) = (Vec::new(), Vec::new());
    let mut seen: FxHashSet<Variable> = FxHashSet::default();
    for decision in changed.values() {
        seen.insert(*decision);
        let partner = match decision {
            Variable::Bool(term) => exchange.bools.get(term).copied().map(Variable::Bool),
            Variable::Int(term) => exchange.ints.get(term).copied().map(Variable::Int),
        };
        let values =
            exchange.values.filter(|_| matches!(decision, Variable::Int(term) if exchange.valued.contains(term)));
        // The second comparison of a pair matters only if the two variables are equal, and then it is redundant.
        if partner.is_some_and(|partner| seen.contains(&partner)) {
            continue;
        }
        // If a decision has no image, the comparison stops: a shorter comparison is a weaker constraint.
        let (Some(term), Some(image)) = (images.get(decision), images.get(&partner.unwrap_or(*decision))) else {
            break;
        };
        if terms.len() >= COMPARED {
            break;
        }
        let (term, image) = match (*term, *image, values) {
            // Only the value of the variable changes. The image is less if the variable has the greater of the two
            // values, and greater if it has the smaller one, so two Booleans give the same comparison.
            (Variable::Int(term), _, Some((one, other))) if partner.is_none() => {
                let mut has = |value| symbolic.problem.equals_constant(term, value);
                (Term::from(has(one.max(other))), Term::from(has(one.min(other))))
            }
            (Variable::Int(term), Variable::Int(image), Some((one, other))) => {
                let problem = &mut symbolic.problem;
                let [is_one, is_other] = [one, other].map(|value| problem.equals_constant(image, value));
                let [one, other] = [one, other].map(|value| problem.constant(value));
                (Term::Int(term), Term::Int(problem.choice([(is_one, other), (is_other, one), (Bool::TRUE, image)])))
            }
            (Variable::Int(term), Variable::Int(image), None) => (Term::Int(term), Term::Int(image)),
            (Variable::Bool(term), Variable::Bool(image), _) => (Term::from(term), Term::from(image)),
            _ => break,
        };
        terms.push(term);
        moved.push(image);
    }
    (terms, moved)
}
