//! Functions that the lowerings of several families share: membership and conversions of collections whose members
//! depend on decisions.

use crate::{
    language::{Collection, IntSet, Value},
    problem::{Bool, Int},
    symbolic::{Key, Member, Members, Repetition, Symbolic, Term},
};
use std::sync::Arc;

/// The maximum number of values of a set of integers with one condition each. Chosen.
const SPREAD_LIMIT: u128 = 256;

/// The members with each term replaced by the part that `part` takes from it.
pub(crate) fn map(members: &Members, part: impl Fn(&Term) -> Term) -> Vec<Member> {
    members.members.iter().map(|member| Member::new(member.condition, part(&member.term))).collect()
}

/// The condition that an element is among the members. Pairs are looked up by their arguments.
pub(crate) fn is_member_of(symbolic: &mut Symbolic, kind: Collection, members: &Arc<Members>, element: &Term) -> Bool {
    // If the keys are constant, only one image is compared instead of all pairs.
    if !kind.form().is_keyed() || members.positions(Key::Argument).is_none() {
        return symbolic.contains(members, element);
    }
    let image = symbolic.image(members, &element.item(0));
    if image.defined == Bool::FALSE {
        return Bool::FALSE;
    }
    let same = symbolic.equal(&image.term, &element.item(1));
    symbolic.problem.and([image.defined, same])
}

/// The number of present members of a collection without repetitions.
pub(crate) fn present_count(symbolic: &mut Symbolic, members: &Members) -> Term {
    let count = symbolic.problem.count(members.members.iter().map(|member| member.condition));
    symbolic.int_term(count)
}

/// The set of the members' terms. Integers that depend on decisions but have few values become one condition for each
/// value, so that the set can be looked up by its values.
pub(crate) fn set_of(symbolic: &mut Symbolic, members: Vec<Member>) -> Term {
    // This works only if all members are integers and together have few values.
    let mut values = IntSet::empty();
    for member in &members {
        values = match &member.term {
            Term::Int(term) => values.union(symbolic.problem.values(*term)),
            Term::Value(Value::Int(value)) => values.union(&IntSet::single(*value)),
            _ => return symbolic.set(members, Repetition::Possible),
        };
        // Each value in the union of the domains needs a condition, so the size of the union is checked first.
        if values.size().is_none_or(|size| size > SPREAD_LIMIT) {
            return symbolic.set(members, Repetition::Possible);
        }
    }
    let terms: Vec<(Bool, Int)> = members.iter().map(|member| (member.condition, symbolic.int(&member.term))).collect();
    // The members become constants, which can be looked up by their values.
    let mut spread = Vec::new();
    for value in values.iter() {
        let mut ways = Vec::new();
        for (condition, term) in &terms {
            let here = symbolic.problem.equals_constant(*term, value);
            ways.push(symbolic.problem.and([*condition, here]));
        }
        spread.push(Member::new(symbolic.problem.or(ways), Term::Value(Value::Int(value))));
    }
    symbolic.set(spread, Repetition::Never)
}
