//! The rule by which a representation is chosen, as data.
//!
//! [`candidates`] lists the representations that a domain can have, the preferred one first, each with what it
//! needs a lot of and how much of that is allowed; [`choose`] takes the first one that fits.

use super::{MATRIX_LIMIT, OCCURRENCE_LIMIT, SLOT_LIMIT, Size};
use crate::language::{GroundDomain, domain::Amount};
use std::fmt;

/// A way in which finite-domain variables stand for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Representation {
    /// One variable: Booleans and integers.
    Variable,
    /// The components, each by itself: tuples, records, variants, matrices.
    Components,
    /// A Boolean for each possible member: sets, relations.
    Occurrence,
    /// The number of its occurrences for each possible member: multisets.
    Counts,
    /// As many ascending slots as there can be members: sets, multisets, relations.
    Explicit,
    /// An image for each possible argument: functions, permutations.
    Images,
    /// As many slots of an argument and its image as there can be, ascending in the argument: functions.
    Pairs,
    /// A slot for each possible index: sequences.
    Positions,
    /// The number of its part for each element: partitions.
    Parts,
}

use Representation::*;

impl Representation {
    /// All that one can be asked for.
    pub const OF_COLLECTIONS: [Representation; 7] = [Occurrence, Counts, Explicit, Images, Pairs, Positions, Parts];

    pub fn name(self) -> &'static str {
        match self {
            Variable => "variable",
            Components => "components",
            Occurrence => "occurrence",
            Counts => "counts",
            Explicit => "explicit",
            Images => "images",
            Pairs => "pairs",
            Positions => "positions",
            Parts => "parts",
        }
    }

    /// What it needs many of, in the plural.
    pub fn unit(self) -> &'static str {
        match self {
            Variable => "values",
            Components => "components",
            Occurrence => "possible members",
            Counts => "possible occurrences",
            Explicit | Pairs => "slots",
            Images => "possible arguments",
            Positions => "positions",
            Parts => "elements",
        }
    }
}

impl fmt::Display for Representation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A representation that a domain can have.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub representation: Representation,
    /// How many of its units it needs.
    pub needs: Amount,
    pub limit: u128,
}

impl Candidate {
    pub fn fits(&self) -> bool {
        self.needs.number <= self.limit
    }

    /// The number of slots; only of what fits.
    pub(super) fn slots(&self) -> i64 {
        self.needs.number as i64
    }
}

/// The representations that a domain can have, the preferred one first; never none.
pub fn candidates(domain: &GroundDomain) -> Vec<Candidate> {
    let candidate = |representation, needs: Amount, limit| Candidate { representation, needs, limit };
    match domain {
        GroundDomain::Bool | GroundDomain::Int(_) => vec![candidate(Variable, Amount::exactly(1), 1)],
        GroundDomain::Tuple(items) => vec![candidate(Components, Amount::exactly(items.len() as u128), u128::MAX)],
        GroundDomain::Record(items) | GroundDomain::Variant(items) => {
            vec![candidate(Components, Amount::exactly(items.len() as u128), u128::MAX)]
        }
        GroundDomain::Matrix(index, _) => vec![candidate(Components, index.amount(), MATRIX_LIMIT)],
        GroundDomain::Set(size, inner) => {
            let possible = inner.amount();
            vec![
                candidate(Occurrence, possible, OCCURRENCE_LIMIT),
                candidate(Explicit, slots(size, possible), SLOT_LIMIT),
            ]
        }
        GroundDomain::MSet(size, occurrences, inner) => {
            let possible = inner.amount();
            let most = occurrences.max.into_iter().chain(size.max).min().unwrap_or(i64::MAX);
            let occurrences = possible.times(most.max(0) as u128);
            let needed = if occurrences.number < possible.number { possible } else { occurrences };
            vec![candidate(Counts, needed, OCCURRENCE_LIMIT), candidate(Explicit, slots(size, occurrences), SLOT_LIMIT)]
        }
        GroundDomain::Function(attributes, from, to) => {
            let arguments = from.amount();
            let mut pairs = slots(&attributes.size, arguments);
            if attributes.injective {
                pairs = pairs.at_most(to.amount());
            }
            vec![candidate(Images, arguments, OCCURRENCE_LIMIT), candidate(Pairs, pairs, SLOT_LIMIT)]
        }
        GroundDomain::Sequence(attributes, inner) => {
            let most = attributes.size.max.map(|max| Amount::exactly(max.max(0) as u128));
            let different = attributes.injective.then(|| inner.amount());
            let longest = most.into_iter().chain(different).reduce(Amount::at_most);
            // Without either, the only members are those that have no elements.
            vec![candidate(Positions, longest.unwrap_or(Amount::exactly(0)), SLOT_LIMIT)]
        }
        GroundDomain::Relation(attributes, columns) => {
            let possible = GroundDomain::Tuple(columns.clone()).amount();
            // A property is a constraint on all possible pairs, however few there are in the relation.
            let all_pairs = !attributes.properties.is_empty() && columns[0].amount().number > OCCURRENCE_LIMIT;
            let slots = if all_pairs { possible } else { slots(&attributes.size, possible) };
            vec![candidate(Occurrence, possible, OCCURRENCE_LIMIT), candidate(Explicit, slots, SLOT_LIMIT)]
        }
        GroundDomain::Partition(_, inner) => vec![candidate(Parts, inner.amount(), OCCURRENCE_LIMIT)],
        GroundDomain::Permutation(_, inner) => vec![candidate(Images, inner.amount(), OCCURRENCE_LIMIT)],
    }
}

/// The largest size, but no more than there are possible members.
fn slots(size: &Size<i64>, possible: Amount) -> Amount {
    match size.max {
        Some(max) => possible.at_most(Amount::exactly(max.max(0) as u128)),
        None => possible,
    }
}

/// The representation of a domain: the one that is wanted if it can have that, else the first one that fits.
/// If none fits, the candidates.
pub fn choose(domain: &GroundDomain, wanted: Option<Representation>) -> Result<Candidate, Vec<Candidate>> {
    let mut candidates = candidates(domain);
    if candidates.iter().any(|candidate| Some(candidate.representation) == wanted) {
        candidates.retain(|candidate| Some(candidate.representation) == wanted);
    }
    candidates.iter().copied().find(Candidate::fits).ok_or(candidates)
}

/// The representations that all outermost collections of a domain can have; none if there is no collection.
pub fn possible(domain: &GroundDomain) -> Vec<Representation> {
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
