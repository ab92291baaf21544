//! Partitions: sets of disjoint non-empty sets, the parts.

use super::{
    Operator, OperatorSymbol,
    evaluation::{boolean, integer_in_range, is_subset, items},
    results,
    set::{lower_in, lower_size},
    symbols::*,
};
use crate::{
    language::{Evaluated, Value},
    problem::{Bool, Int},
    symbolic::{Member, Partial, Repetition, Symbolic, Term},
};

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        OperatorSymbol::function("parts"),
        "(partition from T) -> set of set of T",
        "the set of its parts",
        ("parts(partition({1, 2}, {3}))", "{{1, 2}, {3}}"),
        |args| match &args[0] {
            Value::Collection(_, parts) => Ok(Value::ascending_set(parts.clone())),
            other => unreachable!("a partition was expected, not {other:?}"),
        },
        |s, args| {
            let parts = s.members(&args[0]);
            s.set(parts.members.clone(), Repetition::Never).into()
        },
    )
    .resulting_in(results::set_of_members),
    Operator::new(
        OperatorSymbol::function("participants"),
        "(partition from T) -> set of T",
        "the set of the members of all parts",
        ("participants(partition({1, 2}, {3}))", "{1, 2, 3}"),
        |args| Ok(Value::set(items(&args[0]).iter().flat_map(items).cloned().collect())),
        |s, args| {
            let members = s.participants(&args[0]);
            s.set(members, Repetition::Possible).into()
        },
    )
    .resulting_in(results::member_of_first),
    Operator::new(
        OperatorSymbol::function("party"),
        "(T, partition from T) -> set of T",
        "the part that a value is in; empty if it is in none",
        ("party(2, partition({1, 2}, {3}))", "{1, 2}"),
        |args| {
            let part = items(&args[1]).iter().find(|part| items(part).binary_search(&args[0]).is_ok());
            Ok(part.cloned().unwrap_or_else(|| Value::set(Vec::new())))
        },
        lower_party,
    )
    .resulting_in(results::member_of_last),
    Operator::new(
        OperatorSymbol::function("together"),
        "(set of T, partition from T) -> bool",
        "all members of the set are in the same part",
        ("together({1, 2}, partition({1, 2}, {3}))", "true"),
        |args| boolean(in_one_part(&args[0], &args[1])),
        |s, args| in_some_part(s, &args[0], &args[1]).into(),
    ),
    Operator::new(
        OperatorSymbol::function("apart"),
        "(set of T, partition from T) -> bool",
        "the members of the set are in the partition, but not all in the same part",
        ("apart({1, 3}, partition({1, 2}, {3}))", "true"),
        apart,
        lower_apart,
    ),
    Operator::new(
        BARS,
        "(partition from T) -> int",
        "the number of values in the parts; `|parts(p)|` is the number of parts",
        ("|partition({1, 2}, {3})|", "3"),
        |args| integer_in_range(items(&args[0]).iter().map(|part| items(part).len() as i128).sum()),
        |s, args| {
            let members = s.participants(&args[0]);
            let participants = s.set(members, Repetition::Possible);
            lower_size(s, &[participants])
        },
    )
    .resulting_in(results::size_domain),
    Operator::new(
        IN,
        "(set of T, partition from T) -> bool",
        "the set is one of the parts",
        ("{1, 2} in partition({1, 2}, {3})", "true"),
        |args| boolean(items(&args[1]).binary_search(&args[0]).is_ok()),
        lower_in,
    ),
];

fn in_one_part(set: &Value, partition: &Value) -> bool {
    items(partition).iter().any(|part| is_subset(items(set), items(part)))
}

fn apart(args: &[Value]) -> Evaluated {
    let occurs = |member: &Value| items(&args[1]).iter().any(|part| items(part).binary_search(member).is_ok());
    boolean(!in_one_part(&args[0], &args[1]) && items(&args[0]).iter().all(occurs))
}

/// The members of the parts that a value is in. There is at most one such part.
fn lower_party(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let parts = symbolic.members(&args[1]);
    // If elements have part numbers, two of them are in the same part if their numbers are equal, so no sums over parts
    // are needed.
    let elements = parts.numbered_elements();
    if !elements.is_empty() {
        return party_by_numbers(symbolic, &args[0], &elements).into();
    }
    let mut members = Vec::new();
    for part in &parts.members {
        let inner = symbolic.members(&part.term);
        let inside = symbolic.contains(&inner, &args[0]);
        let here = symbolic.problem.and([part.condition, inside]);
        for member in &inner.members {
            let condition = symbolic.problem.and([here, member.condition]);
            members.push(Member::new(condition, member.term.clone()));
        }
    }
    symbolic.set(members, Repetition::Possible).into()
}

/// The elements with the same part number as this one.
fn party_by_numbers(symbolic: &mut Symbolic, one: &Term, elements: &[(Value, Int)]) -> Term {
    let alternatives: Vec<(Bool, Int)> = elements
        .iter()
        .map(|(element, number)| (symbolic.equal(one, &Term::Value(element.clone())), *number))
        .filter(|(same, _)| *same != Bool::FALSE)
        .collect();
    // Outside the partition, the number of a value is unspecified, so each member also needs `inside`.
    let inside = symbolic.problem.or(alternatives.iter().map(|(same, _)| *same));
    if inside == Bool::FALSE {
        return symbolic.set(Vec::new(), Repetition::Never);
    }
    let number = symbolic.problem.choice(alternatives);
    let mut members = Vec::with_capacity(elements.len());
    for (element, other) in elements {
        let same = symbolic.problem.equal(*other, number);
        members.push(Member::new(symbolic.problem.and([inside, same]), Term::Value(element.clone())));
    }
    symbolic.set(members, Repetition::Never)
}

fn in_some_part(symbolic: &mut Symbolic, set: &Term, partition: &Term) -> Bool {
    let (set, parts) = (symbolic.members(set), symbolic.members(partition));
    // Elements with part numbers are in one part if their numbers are equal. If the presence of an element depends on
    // decisions, the general way is needed.
    let number = |member: &Member| match member.condition {
        Bool::TRUE => parts.number(member.term.as_value()?),
        _ => None,
    };
    if let Some(numbers) = set.members.iter().map(number).collect::<Option<Vec<_>>>()
        && !numbers.is_empty()
    {
        // All numbers are equal if each equals the next one.
        let same: Vec<Bool> = numbers.windows(2).map(|two| symbolic.problem.equal(two[0], two[1])).collect();
        return symbolic.problem.and(same);
    }
    let mut ways = Vec::new();
    for part in &parts.members {
        let inner = symbolic.members(&part.term);
        let inside = symbolic.subset(&set, &inner);
        ways.push(symbolic.problem.and([part.condition, inside]));
    }
    symbolic.problem.or(ways)
}

fn lower_apart(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let members = symbolic.participants(&args[1]);
    // The partition of a parameter may leave values out, so membership is a separate condition.
    let participants = symbolic.set(members, Repetition::Possible);
    let (set, participants) = (symbolic.members(&args[0]), symbolic.members(&participants));
    let occur = symbolic.subset(&set, &participants);
    let together = in_some_part(symbolic, &args[0], &args[1]);
    symbolic.problem.and([occur, !together]).into()
}
