//! Attributes of terms, as [`crate::language::attributes`] defines them for values.

use super::*;
use crate::language::attributes::{Clause, Measure, Property, PropertyForm, SOME, Size, points_between};

/// The numbers of a measure, each with the condition under which it counts.
pub(crate) fn measured_numbers(symbolic: &mut Symbolic, measure: Measure, term: &Term) -> Vec<(Bool, Int)> {
    let whole = match (measure, term) {
        (Measure::Occurrences, _) => {
            let members = symbolic.members(term);
            let occurrences = MemberCounts::new(&members.members);
            let each = members.members.iter();
            return each.map(|one| (one.condition, occurrences.frequency(symbolic, &one.term))).collect();
        }
        (Measure::PartSize, _) => {
            let parts = symbolic.members(term);
            return parts.members.iter().map(|part| (part.condition, symbolic.size(&part.term))).collect();
        }
        (Measure::Moved, _) => {
            let moved = symbolic.elements(term);
            symbolic.problem.count(moved.iter().map(|member| member.condition))
        }
        (Measure::Size, _) if collection_kind_of(term).is_some_and(|kind| kind.form() == MemberForm::Blocks) => {
            // The size of a partition is the number of its elements, not of its parts.
            let participants = symbolic.participants(term);
            let participants = symbolic.set(participants, Repetition::Possible);
            symbolic.size(&participants)
        }
        (Measure::Size | Measure::Parts, _) => symbolic.size(term),
    };
    vec![(Bool::TRUE, whole)]
}

/// The condition that a number is within bounds.
pub(crate) fn term_within(symbolic: &mut Symbolic, bounds: &Size<i64>, number: Int) -> Bool {
    let few = bounds.max.map_or(Bool::TRUE, |max| symbolic.problem.at_most_constant(number, max));
    let enough = match bounds.min {
        Some(min) => !symbolic.problem.at_most_constant(number, min.saturating_sub(1)),
        None => Bool::TRUE,
    };
    symbolic.problem.and([few, enough])
}

/// The condition that a term has a property. `sides` are the domains of the arguments and images; an infinite one
/// counts as covered.
pub(crate) fn term_has_property(
    symbolic: &mut Symbolic,
    property: Property,
    term: &Term,
    sides: &[&GroundDomain],
) -> Bool {
    match property.form() {
        PropertyForm::Covers(place) if !sides[place].is_finite() => Bool::TRUE,
        PropertyForm::Covers(place) => covers(symbolic, term, place, sides[place]),
        PropertyForm::Injective => has_distinct_images(symbolic, term),
        PropertyForm::Regular => has_equal_parts(symbolic, term),
        PropertyForm::Clause(clause) => {
            let points: Vec<Term> = points_between(sides).into_iter().map(Term::Value).collect();
            has_clause(symbolic, term, &points, clause)
        }
    }
}

/// The condition that every value of a domain is at this position of a pair of a function or a sequence.
fn covers(symbolic: &mut Symbolic, term: &Term, position: usize, side: &GroundDomain) -> Bool {
    let members = symbolic.members(term);
    reaches_all(symbolic, &members.members, position, side)
}

/// The condition that every value of a domain is at this position of a present pair.
pub(super) fn reaches_all(symbolic: &mut Symbolic, pairs: &[Member], position: usize, side: &GroundDomain) -> Bool {
    // Fewer pairs than values cannot cover them.
    if side.size().is_none_or(|size| size > pairs.len() as u128) {
        return Bool::FALSE;
    }
    let mut parts = Vec::new();
    for value in side.members() {
        let value = Term::Value(value);
        let mut reached = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let same = symbolic.equal(&pair.term.item(position), &value);
            reached.push(symbolic.problem.and([pair.condition, same]));
        }
        // If no pair can have this value, the disjunction is empty, and the attribute is false.
        parts.push(symbolic.problem.or(reached));
    }
    symbolic.problem.and(parts)
}

/// The condition that the pairs of a function or a sequence have different images.
fn has_distinct_images(symbolic: &mut Symbolic, term: &Term) -> Bool {
    let members = symbolic.members(term);
    let mut parts = Vec::new();
    for (position, left) in members.members.iter().enumerate() {
        for right in &members.members[position + 1..] {
            let same = symbolic.equal(&left.term.item(1), &right.term.item(1));
            // Two pairs may have the same image unless both are present.
            parts.push(!symbolic.problem.and([left.condition, right.condition, same]));
        }
    }
    symbolic.problem.and(parts)
}

/// The condition that all parts of a partition have the same size.
fn has_equal_parts(symbolic: &mut Symbolic, term: &Term) -> Bool {
    let sizes = measured_numbers(symbolic, Measure::PartSize, term);
    let mut parts = Vec::new();
    for (position, (left, left_size)) in sizes.iter().enumerate() {
        for (right, right_size) in &sizes[position + 1..] {
            let same = symbolic.problem.equal(*left_size, *right_size);
            parts.push(symbolic.problem.or([!*left, !*right, same]));
        }
    }
    symbolic.problem.and(parts)
}

/// The condition that a formula holds for a binary relation on these points, which need not be different.
pub(crate) fn has_clause(symbolic: &mut Symbolic, relation: &Term, points: &[Term], clause: Clause) -> Bool {
    let relation = symbolic.members(relation);
    let size = points.len();
    // The relation becomes a square matrix of conditions.
    let mut related = Vec::with_capacity(size * size);
    for x in points {
        for y in points {
            related.push(symbolic.contains(&relation, &Term::tuple(vec![x.clone(), y.clone()])));
        }
    }
    if size == 0 {
        return Bool::TRUE;
    }
    let mut parts = Vec::new();
    let mut at = vec![0; clause.points()];
    // The loop visits all tuples of points; the last point changes fastest.
    loop {
        let is_in = |(left, right): &(usize, usize)| related[at[*left] * size + at[*right]];
        let given: Vec<Bool> = clause.given.iter().map(is_in).collect();
        // The premises refer to points of the tuple; `SOME` stands for any further point.
        let mut then = Vec::new();
        for pair in clause.then {
            match *pair {
                (left, SOME) => then.extend((0..size).map(|right| related[at[left] * size + right])),
                (SOME, right) => then.extend((0..size).map(|left| related[left * size + at[right]])),
                _ => then.push(is_in(pair)),
            }
        }
        if clause.or_same {
            then.push(symbolic.equal(&points[at[0]], &points[at[1]]));
        }
        let (given, then) = (symbolic.problem.and(given), symbolic.problem.or(then));
        parts.push(symbolic.problem.implies(given, then));
        // As in an odometer, the last point that is not at its end advances, and all points after it restart.
        let Some(next) = at.iter().rposition(|point| point + 1 < size) else { break };
        at[next] += 1;
        at[next + 1..].fill(0);
    }
    symbolic.problem.and(parts)
}
