//! Operators on power sets that are not listed. They compare members with the base set, which may have very many
//! subsets.

use super::evaluation::{boolean, integer_in_range, is_subset, items, overflow};
use crate::language::{Evaluated, Value};

/// A set of sets as an operand.
pub(crate) enum SetOfSets {
    /// A set of sets; for membership, one set.
    Listed(Value),
    /// The set of all subsets of this set.
    Subsets(Value),
}

/// An operator on sets of sets, at least one of which is not listed; `None` if it needs them listed.
pub(crate) type OnPowerSets = fn(&[SetOfSets]) -> Option<Evaluated>;

use SetOfSets::{Listed, Subsets};

pub(super) fn power_set_size(sets: &[SetOfSets]) -> Option<Evaluated> {
    match sets {
        [Subsets(base)] => Some(subset_count(base).ok_or_else(overflow).and_then(integer_in_range)),
        _ => None,
    }
}

pub(super) fn is_member(sets: &[SetOfSets]) -> Option<Evaluated> {
    match sets {
        [Listed(member), Subsets(base)] => Some(boolean(is_subset(items(member), items(base)))),
        _ => None,
    }
}

pub(super) fn equal(sets: &[SetOfSets]) -> Option<Evaluated> {
    Some(boolean(are_subsets_included(&sets[0], &sets[1]) && are_subsets_included(&sets[1], &sets[0])))
}

pub(super) fn unequal(sets: &[SetOfSets]) -> Option<Evaluated> {
    Some(boolean(!(are_subsets_included(&sets[0], &sets[1]) && are_subsets_included(&sets[1], &sets[0]))))
}

pub(super) fn subset(sets: &[SetOfSets]) -> Option<Evaluated> {
    Some(boolean(are_subsets_included(&sets[0], &sets[1]) && !are_subsets_included(&sets[1], &sets[0])))
}

pub(super) fn subset_or_equal(sets: &[SetOfSets]) -> Option<Evaluated> {
    Some(boolean(are_subsets_included(&sets[0], &sets[1])))
}

pub(super) fn superset(sets: &[SetOfSets]) -> Option<Evaluated> {
    Some(boolean(are_subsets_included(&sets[1], &sets[0]) && !are_subsets_included(&sets[0], &sets[1])))
}

pub(super) fn superset_or_equal(sets: &[SetOfSets]) -> Option<Evaluated> {
    Some(boolean(are_subsets_included(&sets[1], &sets[0])))
}

pub(super) fn intersection_of_sets(sets: &[SetOfSets]) -> Option<Evaluated> {
    match sets {
        [Listed(listed), Subsets(base)] | [Subsets(base), Listed(listed)] => {
            Some(Ok(subsets_within(listed, base, true)))
        }
        _ => None,
    }
}

pub(super) fn difference_of_sets(sets: &[SetOfSets]) -> Option<Evaluated> {
    match sets {
        [Listed(listed), Subsets(base)] => Some(Ok(subsets_within(listed, base, false))),
        _ => None,
    }
}

/// The listed sets that are subsets of the base, or the other ones.
fn subsets_within(listed: &Value, base: &Value, wanted: bool) -> Value {
    let kept = items(listed).iter().filter(|set| is_subset(items(set), items(base)) == wanted);
    Value::ascending_set(kept.cloned().collect())
}

fn are_subsets_included(left: &SetOfSets, right: &SetOfSets) -> bool {
    match (left, right) {
        (Listed(left), Listed(right)) | (Subsets(left), Subsets(right)) => is_subset(items(left), items(right)),
        (Listed(sets), Subsets(base)) => items(sets).iter().all(|set| is_subset(items(set), items(base))),
        (Subsets(base), Listed(sets)) => {
            // All subsets are listed if their number is the number of subsets that the base has.
            let inside = items(sets).iter().filter(|set| is_subset(items(set), items(base))).count();
            subset_count(base) == Some(inside as i128)
        }
    }
}

/// The number of subsets of a set, if it can be counted.
fn subset_count(base: &Value) -> Option<i128> {
    let members = u32::try_from(items(base).len()).ok()?;
    // A shift by 127 gives a negative number, and a larger one fails: both mean that there are too many to count.
    1i128.checked_shl(members).filter(|count| *count > 0)
}
