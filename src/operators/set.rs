//! Sets. Their union, inclusion and the like are in [`super::algebra`].

use super::{
    Operator,
    evaluation::{boolean, check_size, items, length},
    power_set, results,
    symbols::*,
};
use crate::{
    language::{Collection, Evaluated, Value},
    symbolic::{Partial, Repetition, Symbolic, Term, power_set::is_in_power_set},
};

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        IN,
        "(T, set of T) -> bool",
        "the value is a member of the set",
        ("2 in {1, 2}", "true"),
        |args| boolean(items(&args[1]).binary_search(&args[0]).is_ok()),
        lower_in,
    )
    .on_power_sets(power_set::is_member),
    Operator::new(
        BARS,
        "(set of T) -> int",
        "the number of members",
        ("|{4, 5, 6}|", "3"),
        |args| length(&args[0]),
        lower_size,
    )
    .on_power_sets(power_set::power_set_size)
    .resulting_in(results::size_domain),
    Operator::new(
        POWER_SET,
        "(set of T) -> set of set of T",
        "the set of all subsets",
        ("powerSet({1, 2})", "{{}, {1}, {2}, {1, 2}}"),
        power_set,
        |_, args| Term::PowerSet(args[0].clone().into()).into(),
    )
    .resulting_in(results::set_of_subsets),
    Operator::new(
        TO_MSET,
        "(set of T) -> mset of T",
        "the members as a multiset",
        ("toMSet({1, 2})", "mset(1, 2)"),
        |args| match &args[0] {
            Value::Collection(_, members) => Ok(Value::Collection(Collection::MSet, members.clone())),
            other => unreachable!("a set was expected, not {other:?}"),
        },
        |s, args| {
            let members = s.members(&args[0]);
            let members = s.distinct(&args[0], &members);
            s.collection(Collection::MSet, members.members.clone(), Repetition::Possible).into()
        },
    )
    .resulting_in(results::mset_of_members),
];

fn power_set(args: &[Value]) -> Evaluated {
    let members = items(&args[0]);
    // With 128 or more members, the shift fails, and `check_size` refuses this like a large number.
    check_size(1u128.checked_shl(members.len() as u32), "this power set")?;
    let subsets = (0..1u64 << members.len()).map(|chosen| {
        let subset = members.iter().enumerate().filter(|(position, _)| chosen >> position & 1 == 1);
        Value::ascending_set(subset.map(|(_, member)| member.clone()).collect())
    });
    Ok(Value::set(subsets.collect()))
}

/// Membership in a set, multiset, relation or partition.
pub(crate) fn lower_in(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    if let Term::PowerSet(base) = &args[1] {
        return is_in_power_set(symbolic, &args[0], base).into();
    }
    let members = symbolic.members(&args[1]);
    symbolic.contains(&members, &args[0]).into()
}

/// The number of members of a set, multiset, function, sequence or relation.
pub(crate) fn lower_size(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let size = symbolic.size(&args[0]);
    symbolic.int_term(size).into()
}
