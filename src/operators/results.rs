//! The domains of operators' results, from the domains of the operands.

use crate::language::{Collection, GroundDomain, IntSet, MemberForm, domain::shapes::*};

/// The possible values of an operand.
pub(crate) struct OperandDomain {
    /// A domain with the values that the operand can have, or the operand itself if it is a domain.
    pub domain: GroundDomain,
    /// The largest number of elements of a list whose domain does not show it.
    pub most_elements: Option<i64>,
}

/// A domain that holds all results; `None` if nothing is known.
pub(crate) type Results = fn(Vec<OperandDomain>) -> Option<GroundDomain>;

fn all<const N: usize>(operands: Vec<OperandDomain>) -> Option<[GroundDomain; N]> {
    let domains: Vec<GroundDomain> = operands.into_iter().map(|operand| operand.domain).collect();
    domains.try_into().ok()
}

pub(super) fn first_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    Some(operands.into_iter().next()?.domain)
}

pub(super) fn last(mut operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    Some(operands.pop()?.domain)
}

pub(super) fn either(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    let [left, right] = all(operands)?;
    join(left, right)
}

pub(super) fn union_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    either(operands).map(of_any_size)
}

/// A member of the first operand.
pub(super) fn member_of_first(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    member(first_domain(operands)?)
}

/// A member of the last operand.
pub(super) fn member_of_last(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    member(last(operands)?)
}

/// An element of the first operand, or the second operand itself.
pub(super) fn element_or_index(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    let [matrix, index] = all(operands)?;
    join(member(matrix)?, index)
}

pub(super) fn set_of_members(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    member_of_first(operands).map(GroundDomain::set)
}

pub(super) fn mset_of_members(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    collection_domain(Collection::MSet, member_of_first(operands)?)
}

pub(super) fn relation_of_members(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    collection_domain(Collection::Relation, member_of_first(operands)?)
}

pub(super) fn set_of_subsets(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    first_domain(operands).map(GroundDomain::set)
}

pub(super) fn image_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    let [mapping, argument] = all(operands)?;
    match mapping {
        // A point that does not move is mapped to itself.
        GroundDomain::Collection(kind, _, mut points) if kind.form() == MemberForm::Cycles => {
            join(points.swap_remove(0), argument)
        }
        mapping => mapping.images(),
    }
}

pub(super) fn set_of_images(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    first_domain(operands)?.images().map(GroundDomain::set)
}

pub(super) fn set_of_arguments(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    component(member(first_domain(operands)?)?, 0).map(GroundDomain::set)
}

/// A function on a domain, which is the second operand.
pub(super) fn restricted(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    let [mapping, from] = all(operands)?;
    Some(GroundDomain::function(from, mapping.images()?))
}

/// The list of the elements of a matrix without its first dimensions.
pub(super) fn flattened(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    let levels = match operands.first()?.domain {
        GroundDomain::Int(ref levels) => levels.min()?,
        // If the number is not given, everything is flattened.
        _ => i64::MAX,
    };
    let mut element = last(operands)?;
    for _ in 0..=levels {
        let GroundDomain::Matrix(_, inner) = element else { break };
        element = *inner;
    }
    Some(list_domain(element))
}

pub(super) fn concatenated(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    member(member_of_first(operands)?).map(list_domain)
}

pub(super) fn zero_or_one(_: Vec<OperandDomain>) -> Option<GroundDomain> {
    Some(GroundDomain::Int(IntSet::range(0, 1)))
}

/// The size of the first operand, or a number of its members.
pub(super) fn size_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    Some(GroundDomain::Int(IntSet::range(0, most_members(&first_domain(operands)?)?)))
}

pub(super) fn plus(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    of_ends(operands, |a, b| Some([a.checked_add(b)?; 2]))
}

pub(super) fn minus(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    of_ends(operands, |a, b| Some([a.checked_sub(b)?; 2]))
}

pub(super) fn times_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    of_ends(operands, |a, b| Some([a.checked_mul(b)?; 2]))
}

pub(super) fn quotient_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    // The quotient is not farther from zero than the dividend, whatever the signs are.
    of_ends(operands, |a, _| Some([a, a.checked_neg()?]))
}

pub(super) fn remainder_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    // The remainder is nearer to zero than the divisor and has its sign.
    of_ends(operands, |_, b| Some([0, b - b.signum()]))
}

pub(super) fn negative(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    // Negation exchanges the ends.
    let [low, high] = ends(&first_domain(operands)?)?;
    Some(GroundDomain::Int(IntSet::range(high.checked_neg()?, low.checked_neg()?)))
}

pub(super) fn absolute_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    let [low, high] = ends(&first_domain(operands)?)?;
    let (left, right) = (low.checked_abs()?, high.checked_abs()?);
    let least = if low <= 0 && high >= 0 { 0 } else { left.min(right) };
    Some(GroundDomain::Int(IntSet::range(least, left.max(right))))
}

pub(super) fn power_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    match all(operands)? {
        [base, GroundDomain::Int(exponent)] if exponent.is_finite() => {
            product_of_at_most(IntSet::max(&exponent)?.max(0), &base)
        }
        _ => None,
    }
}

pub(super) fn sum_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    let [OperandDomain { domain, most_elements }] = <[_; 1]>::try_from(operands).ok()?;
    let most = most_elements.or_else(|| most_members(&domain))?;
    let [low, high] = factors(&member(domain)?)?;
    // The sum may have fewer elements, so 0 is always between its ends.
    Some(GroundDomain::Int(IntSet::range(low.checked_mul(most)?.min(0), high.checked_mul(most)?.max(0))))
}

pub(super) fn product_domain(operands: Vec<OperandDomain>) -> Option<GroundDomain> {
    let [OperandDomain { domain, most_elements }] = <[_; 1]>::try_from(operands).ok()?;
    let most = most_elements.or_else(|| most_members(&domain))?;
    product_of_at_most(most, &member(domain)?)
}

fn product_of_at_most(most: i64, factor: &GroundDomain) -> Option<GroundDomain> {
    let [low, high] = factors(factor)?;
    // The magnitude is at least 1, because there may be fewer factors or none.
    let magnitude = low.checked_abs()?.max(high.checked_abs()?).max(1).checked_pow(u32::try_from(most).ok()?)?;
    Some(GroundDomain::Int(IntSet::range(-magnitude, magnitude)))
}

/// The least and the greatest element of a sum or a product; 0 if there are none.
fn factors(domain: &GroundDomain) -> Option<[i64; 2]> {
    match domain {
        GroundDomain::Int(values) if values.is_empty() => Some([0, 0]),
        _ => ends(domain),
    }
}

/// The least and the greatest integer of a domain.
fn ends(domain: &GroundDomain) -> Option<[i64; 2]> {
    match domain {
        GroundDomain::Int(values) if values.is_finite() => Some([values.min()?, values.max()?]),
        _ => None,
    }
}

/// The smallest range with the results of a function for the ends of the operands.
fn of_ends(operands: Vec<OperandDomain>, of: fn(i64, i64) -> Option<[i64; 2]>) -> Option<GroundDomain> {
    let [left, right] = all(operands)?;
    // Sums and products are extreme at the ends of their operands; for other functions, `of` returns bounds.
    let mut results = Vec::with_capacity(8);
    for a in ends(&left)? {
        for b in ends(&right)? {
            results.extend(of(a, b)?);
        }
    }
    Some(GroundDomain::Int(IntSet::range(*results.iter().min()?, *results.iter().max()?)))
}
