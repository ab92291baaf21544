//! The rule by which a representation is chosen, as data.
//!
//! [`candidates`] lists the representations that a domain can have, the preferred one first, each with the units that
//! it needs and the number that is allowed; [`choose`] takes the first one that fits.

use super::kind::Representation::{self, *};
use super::{MATRIX_LIMIT, Plan, Size, representation_row};
use crate::language::{GroundDomain, domain::Amount};
use std::cell::OnceCell;

/// The preferred limits: above them, another representation is taken if it fits. Chosen.
pub(super) const MOST_OCCURRENCES: u128 = 10_000;
const MOST_SLOTS: u128 = 1_000;

/// The hard limits on the needs of a representation. Chosen.
const OCCURRENCE_LIMIT: u128 = 1_000_000;
const SLOT_LIMIT: u128 = 100_000;

/// A representation replaces the preferred one only if it has this many times fewer values. Chosen.
pub(super) const FEWER: u128 = 4;

/// The maximum number of combinations of possible members in nested quantifiers. Above it, slots are preferred if they
/// have at most a hundredth of the combinations. Chosen.
pub(super) const MOST_COMBINATIONS: u128 = 500_000;

/// A representation that a domain can have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub representation: Representation,
    /// The number of units that it needs.
    pub needs: Amount,
    /// At or below this number, prefer this representation.
    pub few: u128,
    /// Hard limit: above it the representation is rejected.
    pub limit: u128,
}

impl Candidate {
    fn new(representation: Representation, needs: Amount, few: u128, limit: u128) -> Self {
        Candidate { representation, needs, few, limit }
    }

    fn of_components(count: usize) -> Self {
        Candidate::new(Components, Amount::exactly(count as u128), u128::MAX, u128::MAX)
    }

    pub(super) fn by_member(representation: Representation, needs: Amount) -> Self {
        Candidate::new(representation, needs, MOST_OCCURRENCES, OCCURRENCE_LIMIT)
    }

    pub(super) fn by_slot(representation: Representation, needs: Amount) -> Self {
        Candidate::new(representation, needs, MOST_SLOTS, SLOT_LIMIT)
    }

    /// The cost is quadratic in the number of elements.
    pub(super) fn by_element(representation: Representation, needs: Amount) -> Self {
        Candidate::new(representation, needs, MOST_OCCURRENCES, MOST_OCCURRENCES)
    }

    pub(crate) fn fits(&self) -> bool {
        self.needs.number <= self.limit
    }

    pub(crate) fn is_small(&self) -> bool {
        self.needs.number <= self.few
    }

    /// The number of slots of a candidate that fits.
    pub(super) fn slots(&self) -> i64 {
        self.needs.number as i64
    }
}

/// The representations that a domain can have, the preferred one first. The list is never empty.
pub(crate) fn candidates(domain: &GroundDomain) -> Vec<Candidate> {
    match domain {
        GroundDomain::Bool | GroundDomain::Int(_) => vec![Candidate::new(Variable, Amount::exactly(1), 1, 1)],
        GroundDomain::Tuple(items) => vec![Candidate::of_components(items.len())],
        GroundDomain::Record(items) | GroundDomain::Variant(items) => vec![Candidate::of_components(items.len())],
        GroundDomain::Matrix(index, _) => vec![Candidate::new(Components, index.amount(), MATRIX_LIMIT, MATRIX_LIMIT)],
        GroundDomain::Collection(kind, attributes, parts) => representation_row(*kind).candidates(attributes, parts),
    }
}

/// The largest size, but at most the number of possible members.
pub(super) fn slot_count(size: &Size<i64>, possible: Amount) -> Amount {
    match size.max {
        Some(max) => possible.at_most(Amount::exactly(max.max(0) as u128)),
        None => possible,
    }
}

/// Returns the representation of a domain: the wanted one if the domain can have it; otherwise the first one that is
/// small, or at least fits, unless a later one is much smaller. If none fits, returns the candidates.
pub(crate) fn choose(domain: &GroundDomain, plan: &Plan) -> Result<Candidate, Vec<Candidate>> {
    choose_with(domain, plan, &PartCosts::default())
}

fn choose_with(domain: &GroundDomain, plan: &Plan, parts: &PartCosts) -> Result<Candidate, Vec<Candidate>> {
    let mut candidates = candidates(domain);
    if let Some(members) = &plan.members {
        // The first candidate of a set, a relation or a function has a condition for each member or argument.
        return Ok(Candidate { needs: Amount::exactly(members.len() as u128), ..candidates[0] });
    }
    if candidates.iter().any(|candidate| Some(candidate.representation) == plan.wanted) {
        candidates.retain(|candidate| Some(candidate.representation) == plan.wanted);
    }
    let suits = match candidates.iter().any(Candidate::is_small) {
        true => Candidate::is_small,
        false => Candidate::fits,
    };
    let mut fitting = candidates.iter().copied().filter(suits);
    let Some(mut best) = fitting.next() else { return Err(candidates) };
    for other in fitting {
        if is_larger(domain, plan, parts, [&best, &other]) || is_crowded(plan, &best, &other) {
            best = other;
        }
    }
    Ok(best)
}

/// Returns true if a representation takes far more values than another one.
fn is_larger(domain: &GroundDomain, plan: &Plan, parts: &PartCosts, [one, other]: [&Candidate; 2]) -> bool {
    // Each slot has at least one value, so fewer values need fewer slots.
    let saves = other.needs.number.saturating_mul(FEWER) <= one.needs.number || one.representation == Images;
    let values = |candidate| representation_cost(domain, plan, candidate, parts).values;
    saves && values(other).saturating_mul(FEWER) <= values(one)
}

/// Returns true if nested quantifiers have far more combinations in one representation than in another.
pub(super) fn is_crowded(plan: &Plan, one: &Candidate, other: &Candidate) -> bool {
    let combinations = combinations_of_parts(plan, one);
    plan.depth() > 1
        && combinations > MOST_COMBINATIONS
        && self::combinations_of_parts(plan, other).saturating_mul(100) <= combinations
}

/// Returns true if nested quantifiers over the members would have more combinations than `most`, or no representation
/// fits.
pub(crate) fn has_more_combinations(domain: &GroundDomain, plan: &Plan, most: u128) -> bool {
    choose(domain, plan).map_or(true, |chosen| {
        // Combinations that differ only in their order are often equivalent.
        let orders: u128 = (1..=u128::from(plan.depth())).product();
        combinations_of_parts(plan, &chosen) / orders > most
    })
}

pub(super) fn combinations_of_parts(plan: &Plan, candidate: &Candidate) -> u128 {
    candidate.needs.number.saturating_pow(plan.depth())
}

/// The sum of the sizes of the domains of the variables in a representation of a domain; a Boolean counts as one.
pub(super) fn total_values(domain: &GroundDomain, plan: &Plan, candidate: &Candidate) -> u128 {
    representation_cost(domain, plan, candidate, &PartCosts::default()).values
}

/// The approximate number of variables that a domain takes; `u128::MAX` if it is too large for any representation.
pub(crate) fn variable_count(domain: &GroundDomain, plan: &Plan) -> u128 {
    chosen_cost(domain, plan).variables
}

/// The cost of a representation: variables, and the values of these variables. A Boolean counts as one value.
#[derive(Clone, Copy, Default)]
struct RepresentationCost {
    variables: u128,
    values: u128,
}

impl RepresentationCost {
    const TOO_MUCH: RepresentationCost = RepresentationCost { variables: u128::MAX, values: u128::MAX };

    fn plus(self, other: RepresentationCost) -> RepresentationCost {
        RepresentationCost {
            variables: self.variables.saturating_add(other.variables),
            values: self.values.saturating_add(other.values),
        }
    }

    fn times(self, factor: u128) -> RepresentationCost {
        RepresentationCost {
            variables: self.variables.saturating_mul(factor),
            values: self.values.saturating_mul(factor),
        }
    }

    fn of(number: u128) -> RepresentationCost {
        RepresentationCost { variables: number, values: number }
    }

    fn sum(costs: impl Iterator<Item = RepresentationCost>) -> RepresentationCost {
        costs.fold(RepresentationCost::default(), RepresentationCost::plus)
    }
}

/// The costs of the parts of a domain. All candidates share them; otherwise, the time would be multiplied at each level
/// of nesting.
#[derive(Default)]
struct PartCosts {
    /// The cost of all components together.
    content: OnceCell<RepresentationCost>,
    /// The cost of each part of a collection.
    parts: OnceCell<Vec<OnceCell<RepresentationCost>>>,
}

/// The cost of a representation of a domain whose parts have these costs.
fn representation_cost(
    domain: &GroundDomain,
    plan: &Plan,
    candidate: &Candidate,
    parts: &PartCosts,
) -> RepresentationCost {
    let needs = candidate.needs.number;
    let each = |inside: RepresentationCost| inside.plus(RepresentationCost::of(1)).times(needs);
    let content = |find: &dyn Fn() -> RepresentationCost| *parts.content.get_or_init(find);
    match domain {
        GroundDomain::Bool => RepresentationCost::of(1),
        GroundDomain::Int(values) => RepresentationCost { variables: 1, values: values.size().unwrap_or(u128::MAX) },
        GroundDomain::Tuple(items) => content(&|| of_items(items, plan)),
        GroundDomain::Record(items) | GroundDomain::Variant(items) => content(&|| {
            RepresentationCost::sum(items.iter().map(|(name, item)| chosen_cost(item, &plan.component(name))))
        }),
        GroundDomain::Matrix(_, element) => content(&|| chosen_cost(element, &plan.component("element"))).times(needs),
        GroundDomain::Collection(kind, _, _) if representation_row(*kind).is_quadratic() => {
            RepresentationCost::of(needs.saturating_mul(needs))
        }
        GroundDomain::Collection(kind, _, inner) => {
            let costs = parts.parts.get_or_init(|| vec![OnceCell::new(); inner.len()]);
            let cost = |part: usize| *costs[part].get_or_init(|| chosen_cost(&inner[part], &plan.inside(*kind, part)));
            let has_variables = |part: &usize| representation_row(*kind).has_variables(*part, candidate.representation);
            let mut variable = (0..inner.len()).filter(has_variables).map(cost).peekable();
            if variable.peek().is_some() {
                each(RepresentationCost::sum(variable))
            } else {
                RepresentationCost::of(needs)
            }
        }
    }
}

fn of_items(items: &[GroundDomain], plan: &Plan) -> RepresentationCost {
    let numbered = (1..).zip(items);
    RepresentationCost::sum(numbered.map(|(number, item): (usize, _)| chosen_cost(item, &plan.component(number))))
}

fn chosen_cost(domain: &GroundDomain, plan: &Plan) -> RepresentationCost {
    let parts = PartCosts::default();
    match choose_with(domain, plan, &parts) {
        Ok(chosen) => representation_cost(domain, plan, &chosen, &parts),
        Err(_) => RepresentationCost::TOO_MUCH,
    }
}

/// The representations that all outermost collections of a domain can have; none if there is no collection.
pub(crate) fn possible(domain: &GroundDomain) -> Vec<Representation> {
    let mut found: Option<Vec<Representation>> = None;
    outermost(domain, &mut |collection| {
        let own: Vec<Representation> =
            candidates(collection).iter().map(|candidate| candidate.representation).collect();
        match &mut found {
            Some(found) => found.retain(|representation| own.contains(representation)),
            None => found = Some(own),
        }
    });
    found.unwrap_or_default()
}

fn outermost(domain: &GroundDomain, visit: &mut impl FnMut(&GroundDomain)) {
    match domain {
        GroundDomain::Bool | GroundDomain::Int(_) => {}
        GroundDomain::Tuple(items) => items.iter().for_each(|item| outermost(item, visit)),
        GroundDomain::Record(items) | GroundDomain::Variant(items) => {
            items.iter().for_each(|(_, item)| outermost(item, visit));
        }
        GroundDomain::Matrix(_, element) => outermost(element, visit),
        collection => visit(collection),
    }
}
