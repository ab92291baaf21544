//! Sets. Their union, inclusion and the like stand in [`super::algebra`].

use super::{
    Operator, Symbol,
    evaluation::{boolean, check_size, items, length},
    symbols::*,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::{Collection, Evaluated, Value},
    problem::Bool,
    symbolic::{Member, Partial, Symbolic, Term},
};

/// The most possible members of a set whose subsets are enumerated before the set is known.
const POWER_SET_LIMIT: usize = 16;

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        IN,
        "(T, set of T) -> bool",
        "a member of the set",
        |args| boolean(items(&args[1]).binary_search(&args[0]).is_ok()),
        lower_in,
    ),
    Operator::new(BARS, "(set of T) -> int", "number of members", |args| length(&args[0]), lower_size),
    Operator::new(
        Symbol::function("powerSet"),
        "(set of T) -> set of set of T",
        "the set of all subsets",
        power_set,
        lower_power_set,
    ),
    Operator::new(
        TO_MSET,
        "(set of T) -> mset of T",
        "the members as a multiset",
        |args| match &args[0] {
            Value::Set(members) => Ok(Value::MSet(members.clone())),
            other => unreachable!("a set was expected, not {other:?}"),
        },
        |s, args| {
            let members = s.members(&args[0]);
            let members = s.distinct(&args[0], &members);
            s.collection(Collection::MSet, members.members.clone(), false).into()
        },
    ),
];

fn power_set(args: &[Value]) -> Evaluated {
    let members = items(&args[0]);
    check_size(1u128.checked_shl(members.len() as u32), "this power set")?;
    let subsets = (0..1u64 << members.len()).map(|chosen| {
        let subset = members.iter().enumerate().filter(|(position, _)| chosen >> position & 1 == 1);
        Value::Set(subset.map(|(_, member)| member.clone()).collect())
    });
    Ok(Value::set(subsets.collect()))
}

/// Membership in a set, multiset, relation or partition.
pub fn lower_in(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let members = symbolic.members(&args[1]);
    symbolic.contains(&members, &args[0]).into()
}

/// The number of members of a set, multiset, function, sequence or relation.
pub fn lower_size(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let size = symbolic.size(&args[0]);
    symbolic.int_term(size).into()
}

/// Every choice of members, present where all of them are.
fn lower_power_set(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let members = symbolic.members(&args[0]);
    let members = symbolic.distinct(&args[0], &members);
    let members = &members.members;
    if members.len() > POWER_SET_LIMIT {
        symbolic.refusal.get_or_insert_with(|| {
            Diagnostic::error(
                Code::TOO_LARGE,
                format!("the power set of a set with {} possible members is too large", members.len()),
            )
            .note(format!("at most {POWER_SET_LIMIT} are possible where the set depends on decision variables"))
        });
        return Partial { term: args[0].clone(), defined: Bool::FALSE };
    }
    let mut subsets = Vec::with_capacity(1 << members.len());
    for chosen in 0..1usize << members.len() {
        let chosen = members.iter().enumerate().filter(|(position, _)| chosen >> position & 1 == 1);
        let chosen: Vec<&Member> = chosen.map(|(_, member)| member).collect();
        let present = symbolic.problem.and(chosen.iter().map(|member| member.condition));
        let subset = symbolic.set(chosen.iter().map(|member| Member::always(member.term.clone())).collect(), true);
        subsets.push(Member::new(present, subset));
    }
    symbolic.set(subsets, true).into()
}
