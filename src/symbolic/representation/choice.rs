//! The rule by which a representation is chosen, as data.
//!
//! [`candidates`] lists the representations that a domain can have, the preferred one first, each with the units that
//! it needs and the number that is allowed; [`choose`] takes the first one that fits.

use super::kind::Representation::{self, *};
use super::{MATRIX_LIMIT, Plan, Size};
use crate::language::attributes::{Measure, Property};
use crate::language::{GroundDomain, domain::Amount};
use std::cell::OnceCell;

/// The preferred limits: beyond them another representation is taken if one fits.
const MOST_OCCURRENCES: u128 = 10_000;
const MOST_SLOTS: u128 = 1_000;

/// The hard limits of what a representation may need.
const OCCURRENCE_LIMIT: u128 = 1_000_000;
const SLOT_LIMIT: u128 = 100_000;

/// A representation replaces the preferred one only if it has this many times fewer values.
pub(super) const FEWER: u128 = 4;

/// The most combinations of possible members for quantifiers within each other; beyond them slots are preferred if
/// these have a hundredth of the combinations.
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
    pub(crate) fn fits(&self) -> bool {
        self.needs.number <= self.limit
    }

    pub(crate) fn is_small(&self) -> bool {
        self.needs.number <= self.few
    }

    /// The number of slots; only of what fits.
    pub(super) fn slots(&self) -> i64 {
        self.needs.number as i64
    }
}

/// The representations that a domain can have, the preferred one first; never none.
pub(crate) fn candidates(domain: &GroundDomain) -> Vec<Candidate> {
    let candidate = |representation, needs: Amount, few, limit| Candidate { representation, needs, few, limit };
    let by_member = |representation, needs| candidate(representation, needs, MOST_OCCURRENCES, OCCURRENCE_LIMIT);
    let by_slot = |representation, needs| candidate(representation, needs, MOST_SLOTS, SLOT_LIMIT);
    // The cost is quadratic in the number of elements.
    let by_element = |representation, needs| candidate(representation, needs, MOST_OCCURRENCES, MOST_OCCURRENCES);
    match domain {
        GroundDomain::Bool | GroundDomain::Int(_) => vec![candidate(Variable, Amount::exactly(1), 1, 1)],
        GroundDomain::Tuple(items) => {
            vec![candidate(Components, Amount::exactly(items.len() as u128), u128::MAX, u128::MAX)]
        }
        GroundDomain::Record(items) | GroundDomain::Variant(items) => {
            vec![candidate(Components, Amount::exactly(items.len() as u128), u128::MAX, u128::MAX)]
        }
        GroundDomain::Matrix(index, _) => vec![candidate(Components, index.amount(), MATRIX_LIMIT, MATRIX_LIMIT)],
        GroundDomain::Set(attributes, inner) => {
            let possible = inner.amount();
            vec![by_member(Occurrence, possible), by_slot(Explicit, slots(attributes.size(), possible))]
        }
        GroundDomain::MSet(attributes, inner) => {
            let (size, occurrences) = (attributes.size(), attributes.bounds(Measure::Occurrences));
            let possible = inner.amount();
            let most = occurrences.max.into_iter().chain(size.max).min().unwrap_or(i64::MAX);
            let occurrences = possible.times(most.max(0) as u128);
            let needed = if occurrences.number < possible.number { possible } else { occurrences };
            vec![by_member(Counts, needed), by_slot(Explicit, slots(size, occurrences))]
        }
        GroundDomain::Function(attributes, from, to) => {
            let arguments = from.amount();
            let mut pairs = slots(attributes.size(), arguments);
            if attributes.has(Property::Injective) {
                pairs = pairs.at_most(to.amount());
            }
            vec![by_member(Images, arguments), by_slot(Pairs, pairs)]
        }
        GroundDomain::Sequence(attributes, inner) => {
            let most = attributes.size().max.map(|max| Amount::exactly(max.max(0) as u128));
            let different = attributes.has(Property::Injective).then(|| inner.amount());
            let longest = most.into_iter().chain(different).reduce(Amount::at_most);
            // If neither length nor elements are bounded, the only members are those without elements.
            vec![by_slot(Positions, longest.unwrap_or(Amount::exactly(0)))]
        }
        GroundDomain::Relation(attributes, columns) => {
            let possible = GroundDomain::Tuple(columns.clone()).amount();
            // A property is a constraint on all possible pairs, however few there are in the relation.
            let all_pairs = !attributes.properties().is_empty() && columns[0].amount().number > MOST_OCCURRENCES;
            let slots = if all_pairs { possible } else { slots(attributes.size(), possible) };
            vec![by_member(Occurrence, possible), by_slot(Explicit, slots)]
        }
        GroundDomain::Partition(_, inner) => vec![by_element(Parts, inner.amount())],
        GroundDomain::Permutation(_, inner) => vec![by_element(Images, inner.amount())],
    }
}

/// The largest size, but no more than there are possible members.
fn slots(size: &Size<i64>, possible: Amount) -> Amount {
    match size.max {
        Some(max) => possible.at_most(Amount::exactly(max.max(0) as u128)),
        None => possible,
    }
}

/// The representation of a domain: the wanted one if the domain can have it, else the first that is small, or at least
/// fits, unless a later one is much smaller. If none fits, the candidates.
pub(crate) fn choose(domain: &GroundDomain, plan: &Plan) -> Result<Candidate, Vec<Candidate>> {
    choose_with(domain, plan, &PartCosts::default())
}

fn choose_with(domain: &GroundDomain, plan: &Plan, parts: &PartCosts) -> Result<Candidate, Vec<Candidate>> {
    let mut candidates = candidates(domain);
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

/// Whether a representation takes far more values than another one does.
fn is_larger(domain: &GroundDomain, plan: &Plan, parts: &PartCosts, [one, other]: [&Candidate; 2]) -> bool {
    // The values in slots are at least as many as the slots.
    let saves = other.needs.number.saturating_mul(FEWER) <= one.needs.number || one.representation == Images;
    let values = |candidate| measure(domain, plan, candidate, parts).values;
    saves && values(other).saturating_mul(FEWER) <= values(one)
}

/// Whether nested quantifiers have far more combinations in one representation than in another.
pub(super) fn is_crowded(plan: &Plan, one: &Candidate, other: &Candidate) -> bool {
    let combinations = combinations(plan, one);
    plan.depth() > 1
        && combinations > MOST_COMBINATIONS
        && self::combinations(plan, other).saturating_mul(100) <= combinations
}

pub(super) fn combinations(plan: &Plan, candidate: &Candidate) -> u128 {
    candidate.needs.number.saturating_pow(plan.depth())
}

/// The total number of values of the variables that a representation of a domain takes; a Boolean counts as one.
pub(super) fn values_of(domain: &GroundDomain, plan: &Plan, candidate: &Candidate) -> u128 {
    measure(domain, plan, candidate, &PartCosts::default()).values
}

/// The approximate number of variables that a domain takes; `u128::MAX` if it is too large for any representation.
pub(crate) fn variables(domain: &GroundDomain, plan: &Plan) -> u128 {
    chosen_cost(domain, plan).variables
}

/// What a representation takes: variables, and values of these. A Boolean counts as one value.
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

/// The costs of the parts of a domain, found once for all candidates: otherwise the time would grow by a factor with
/// each level of nesting.
#[derive(Default)]
struct PartCosts {
    argument: OnceCell<RepresentationCost>,
    /// Of the only part, or of all of them.
    content: OnceCell<RepresentationCost>,
}

/// The cost of a representation of a domain whose parts have these costs.
fn measure(domain: &GroundDomain, plan: &Plan, candidate: &Candidate, parts: &PartCosts) -> RepresentationCost {
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
        GroundDomain::Set(_, inner) | GroundDomain::MSet(_, inner) if candidate.representation == Explicit => {
            each(content(&|| chosen_cost(inner, &plan.content("member"))))
        }
        GroundDomain::Function(_, from, to) => {
            let images = content(&|| chosen_cost(to, &plan.content("image")));
            match candidate.representation {
                Pairs => {
                    let arguments = parts.argument.get_or_init(|| chosen_cost(from, &plan.content("argument")));
                    each(images.plus(*arguments))
                }
                _ => each(images),
            }
        }
        GroundDomain::Sequence(_, inner) => each(content(&|| chosen_cost(inner, &plan.content("element")))),
        GroundDomain::Relation(_, columns) if candidate.representation == Explicit => {
            each(content(&|| of_items(columns, &plan.tuples())))
        }
        GroundDomain::Partition(..) | GroundDomain::Permutation(..) => {
            RepresentationCost::of(needs.saturating_mul(needs))
        }
        _ => RepresentationCost::of(needs),
    }
}

fn of_items(items: &[GroundDomain], plan: &Plan) -> RepresentationCost {
    let numbered = (1..).zip(items);
    RepresentationCost::sum(numbered.map(|(number, item): (usize, _)| chosen_cost(item, &plan.component(number))))
}

fn chosen_cost(domain: &GroundDomain, plan: &Plan) -> RepresentationCost {
    let parts = PartCosts::default();
    match choose_with(domain, plan, &parts) {
        Ok(chosen) => measure(domain, plan, &chosen, &parts),
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
