//! Lowers power sets of sets that depend on decisions. Membership, inclusion, equality and size become conditions on
//! the base set; `subsets` lists all possible subsets, only for operators that need each subset.
//!
//! You may change `MOST_MEMBERS`: it only decides which sets are refused as too large. Each condition must agree with
//! `operators/power_set.rs`, which computes the same on values. A condition that is too strong loses solutions, which
//! no check finds; one that is too weak gives wrong solutions, which `solution/verify.rs` reports.

use super::*;

/// The maximum number of possible members of a set whose subsets are listed: 65,536 subsets.
const MOST_MEMBERS: usize = 16;

/// The largest exponent of two within the range of integers of the language.
const LARGEST_EXPONENT: i64 = 61;

/// Lists all subsets of a set. A subset is present if all of its members are.
pub(super) fn subsets(symbolic: &mut Symbolic, set: &Term) -> Arc<Members> {
    let members = symbolic.members(set);
    let members = symbolic.distinct(set, &members);
    let members = &members.members;
    if members.len() > MOST_MEMBERS {
        symbolic.refuse(|| {
            let size = crate::language::domain::Amount { number: u128::MAX, log2: members.len() as f64 };
            Diagnostic::error(
                Code::TOO_LARGE,
                format!(
                    "this power set can have {size} members, because the set has {} possible members",
                    members.len()
                ),
            )
            .note(format!("the limit is {MOST_MEMBERS} possible members of the set"))
            .help("test membership in the power set with `in`, or range over it with `s <- powerSet(…)`")
        });
        return Arc::new(Members::new(Vec::new(), Repetition::Never));
    }
    let mut subsets = Vec::with_capacity(1 << members.len());
    for chosen in 0..1usize << members.len() {
        let chosen = members.iter().enumerate().filter(|(position, _)| chosen >> position & 1 == 1);
        let chosen: Vec<&Member> = chosen.map(|(_, member)| member).collect();
        let present = symbolic.problem.and(chosen.iter().map(|member| member.condition));
        let subset =
            symbolic.set(chosen.iter().map(|member| Member::always(member.term.clone())).collect(), Repetition::Never);
        subsets.push(Member::new(present, subset));
    }
    Arc::new(Members::new(subsets, Repetition::Never))
}

/// The condition that a set is in the power set of another one.
pub(crate) fn is_in_power_set(symbolic: &mut Symbolic, set: &Term, base: &Term) -> Bool {
    let (set, base) = (symbolic.members(set), symbolic.members(base));
    symbolic.subset(&set, &base)
}

/// The condition that all members of a collection of sets are in the power set of a set.
pub(crate) fn are_subsets(symbolic: &mut Symbolic, sets: &Term, base: &Term) -> Bool {
    if let Term::PowerSet(set) = sets {
        return is_in_power_set(symbolic, set, base);
    }
    let members = symbolic.members(sets);
    let mut parts = Vec::with_capacity(members.members.len());
    for member in &members.members {
        let inside = is_in_power_set(symbolic, &member.term, base);
        parts.push(symbolic.problem.implies(member.condition, inside));
    }
    symbolic.problem.and(parts)
}

/// The condition that a set of sets has all subsets of a base set: the number of its members that are subsets equals
/// the number of all subsets.
pub(crate) fn has_all_subsets(symbolic: &mut Symbolic, sets: &Term, base: &Term) -> Bool {
    if let Term::PowerSet(set) = sets {
        return is_in_power_set(symbolic, base, set);
    }
    let members = symbolic.members(sets);
    let members = symbolic.distinct(sets, &members);
    let mut inside = Vec::with_capacity(members.members.len());
    for member in &members.members {
        let subset = is_in_power_set(symbolic, &member.term, base);
        inside.push(symbolic.problem.and([member.condition, subset]));
    }
    // If the base set is larger, it has more subsets than `sets` can have members.
    let most = inside.len().checked_ilog2();
    let inside = symbolic.problem.count(inside);
    let size = symbolic.size(base);
    let mut ways = Vec::new();
    for exponent in most.map_or(0..0, |most| 0..i64::from(most) + 1) {
        let here = symbolic.problem.equals_constant(size, exponent);
        let all = symbolic.problem.equals_constant(inside, 1 << exponent);
        ways.push(symbolic.problem.and([here, all]));
    }
    symbolic.problem.or(ways)
}

/// The number of subsets of a set.
pub(super) fn count_subsets(symbolic: &mut Symbolic, base: &Term) -> Int {
    let size = symbolic.size(base);
    let most = symbolic.members(base).most();
    let sizes = symbolic.problem.values(size).intersect(&IntSet::range(0, most as i64));
    if IntSet::max(&sizes).is_some_and(|most| most > LARGEST_EXPONENT) {
        symbolic.refuse(|| {
            Diagnostic::error(Code::OVERFLOW, "the size of this power set can be too large to compute with")
                .note("integers must be between -(2**62 - 1) and 2**62 - 1")
        });
        return symbolic.problem.constant(0);
    }
    let mut alternatives = Vec::new();
    for exponent in sizes.iter() {
        let here = symbolic.problem.equals_constant(size, exponent);
        alternatives.push((here, symbolic.problem.constant(1 << exponent)));
    }
    symbolic.problem.choice(alternatives)
}
