//! Combines domains and takes them apart: the domain of the members of a collection, of collections of members, and of
//! all values of two domains.

use crate::language::{
    Collection, GroundDomain, IntSet, MemberForm, Name, Type,
    attributes::{Attributes, Measure, Size},
};

pub(crate) fn component(domain: GroundDomain, position: usize) -> Option<GroundDomain> {
    match domain {
        GroundDomain::Tuple(mut items) => Some(items.swap_remove(position)),
        GroundDomain::Record(mut fields) => Some(fields.swap_remove(position).1),
        _ => None,
    }
}

/// The domain of variants with only this alternative.
pub(crate) fn alternative(ty: &Type, tag: u32, domain: GroundDomain) -> Option<GroundDomain> {
    let GroundDomain::Variant(mut alternatives) = nothing(ty) else { return None };
    alternatives[tag as usize].1 = domain;
    Some(GroundDomain::Variant(alternatives))
}

/// A list of unknown length.
pub(crate) fn list_domain(element: GroundDomain) -> GroundDomain {
    GroundDomain::Matrix(Box::new(GroundDomain::Int(IntSet::range(1, IntSet::INFINITY))), Box::new(element))
}

/// The indices of a sequence.
pub(crate) fn sequence_indices(attributes: &Attributes<i64>) -> GroundDomain {
    GroundDomain::Int(IntSet::range(1, attributes.size().max.unwrap_or(IntSet::INFINITY)))
}

/// Returns true if all integers in a domain have bounds; collections and lists may have any size.
pub(crate) fn is_bounded(domain: &GroundDomain) -> bool {
    match domain {
        GroundDomain::Int(set) => set.is_finite(),
        GroundDomain::Matrix(_, inner) => is_bounded(inner),
        _ => {
            let mut bounded = true;
            domain.for_each_part(&mut |part| bounded = bounded && is_bounded(part));
            bounded
        }
    }
}

/// The number of values; `None` if it does not fit in an `i64`.
pub(crate) fn domain_value_count(domain: &GroundDomain) -> Option<i64> {
    domain.size().and_then(|size| i64::try_from(size).ok())
}

/// The largest number of members of a collection.
pub(crate) fn most_members(domain: &GroundDomain) -> Option<i64> {
    match domain {
        GroundDomain::Matrix(index, _) => domain_value_count(index),
        GroundDomain::Collection(kind, attributes, parts) => kind.row().most_members(attributes, parts),
        _ => None,
    }
}

/// The smaller of two bounds, either of which may be missing.
pub(in crate::language) fn least(bound: Option<i64>, other: Option<i64>) -> Option<i64> {
    bound.into_iter().chain(other).min()
}

/// The domain of the values that a generator over a collection yields.
pub(crate) fn member(domain: GroundDomain) -> Option<GroundDomain> {
    Some(match domain {
        GroundDomain::Matrix(_, element) => *element,
        GroundDomain::Collection(kind, attributes, parts) => kind.form().member_domain(&attributes, parts),
        _ => return None,
    })
}

/// The domain of the members as a literal lists them: without the positions of a sequence.
pub(crate) fn listed_member(domain: &GroundDomain) -> Option<GroundDomain> {
    match domain {
        GroundDomain::Collection(kind, _, parts) if kind.form() == MemberForm::Positions => parts.first().cloned(),
        _ => member(domain.clone()),
    }
}

/// The domain of collections with these members: pairs of functions, parts of partitions, and so on.
pub(crate) fn collection_domain(kind: Collection, members: GroundDomain) -> Option<GroundDomain> {
    Some(GroundDomain::of(kind, kind.form().parts_of_member(members)?))
}

/// The components of a tuple.
pub(in crate::language) fn components(domain: GroundDomain) -> Option<Vec<GroundDomain>> {
    match domain {
        GroundDomain::Tuple(items) => Some(items),
        _ => None,
    }
}

/// The domain restricted to collections with at most this many members.
pub(crate) fn of_at_most(members: usize, mut domain: GroundDomain) -> GroundDomain {
    if let GroundDomain::Collection(kind, attributes, _) = &mut domain
        && matches!(kind.form(), MemberForm::Values | MemberForm::Positions)
    {
        let size = Size { min: None, max: i64::try_from(members).ok() };
        *attributes = std::mem::take(attributes).bounding(Measure::Size, size);
    }
    domain
}

/// The domain of collections with any number of such members.
pub(crate) fn of_any_size(domain: GroundDomain) -> GroundDomain {
    match domain {
        GroundDomain::Collection(kind, _, parts) => GroundDomain::of(kind, parts),
        other => other,
    }
}

/// A domain with the values of both, without attributes if they differ, except that multisets and sequences keep a
/// largest size.
pub(crate) fn join(left: GroundDomain, right: GroundDomain) -> Option<GroundDomain> {
    use crate::language::Domain::*;
    if left == right {
        return Some(left);
    }
    let both = |left: Box<GroundDomain>, right: Box<GroundDomain>| join(*left, *right).map(Box::new);
    let most = |left: Attributes<i64>, right: Attributes<i64>| {
        let max = left.size().max.zip(right.size().max).map(|(left, right)| left.max(right));
        Attributes::sized(Size { min: None, max })
    };
    let all = |left: Vec<GroundDomain>, right: Vec<GroundDomain>| {
        left.into_iter().zip(right).map(|(left, right)| join(left, right)).collect::<Option<Vec<_>>>()
    };
    type Fields = Vec<(Name, GroundDomain)>;
    let fields = |left: Fields, right: Fields| {
        let pairs = left.into_iter().zip(right);
        pairs.map(|((name, left), (_, right))| Some((name, join(left, right)?))).collect::<Option<Fields>>()
    };
    Some(match (left, right) {
        (Int(left), Int(right)) => Int(left.union(&right)),
        // An empty literal gets the shape of the other operand.
        (Int(nothing), known) | (known, Int(nothing)) if nothing.is_empty() => known,
        (Collection(_, _, nothing), known) | (known, Collection(_, _, nothing)) if nothing.is_empty() => known,
        (Tuple(left), Tuple(right)) => Tuple(all(left, right)?),
        (Record(left), Record(right)) => Record(fields(left, right)?),
        (Variant(left), Variant(right)) => Variant(fields(left, right)?),
        (Matrix(left, one), Matrix(right, other)) => Matrix(both(left, right)?, both(one, other)?),
        (Collection(kind, one, left), Collection(same, other, right)) if kind == same => {
            // Without a size, the domain would be infinite.
            let attributes = if kind.row().needs_size() { most(one, other) } else { Attributes::default() };
            Collection(kind, attributes, all(left, right)?)
        }
        _ => return None,
    })
}

/// A domain for empty collections, without integers and without indices.
pub(crate) fn nothing(ty: &Type) -> GroundDomain {
    of_type(ty, &|ty| left_open(ty)).unwrap_or(GroundDomain::Int(IntSet::empty()))
}

/// The domains of the parts of a type that an empty literal leaves open.
pub(crate) fn left_open(ty: &Type) -> Option<GroundDomain> {
    let none = GroundDomain::Int(IntSet::empty());
    match ty {
        Type::Bool => Some(GroundDomain::Bool),
        Type::Int(_) | Type::Named(_) | Type::Any | Type::Domain(_) => Some(none),
        Type::Matrix(_) | Type::List(_) => Some(GroundDomain::Matrix(Box::new(none), Box::new(nothing(&ty.member()?)))),
        _ => None,
    }
}

/// The domain without attributes of a type whose parts have the given domains.
pub(crate) fn of_type(ty: &Type, given: &dyn Fn(&Type) -> Option<GroundDomain>) -> Option<GroundDomain> {
    if let Some(domain) = given(ty) {
        return Some(domain);
    }
    let field = |(name, ty): &(Name, Type)| Some((name.clone(), of_type(ty, given)?));
    match ty {
        Type::Tuple(items) => {
            items.iter().map(|item| of_type(item, given)).collect::<Option<_>>().map(GroundDomain::Tuple)
        }
        Type::Record(fields) => fields.iter().map(field).collect::<Option<_>>().map(GroundDomain::Record),
        Type::Variant(fields) => fields.iter().map(field).collect::<Option<_>>().map(GroundDomain::Variant),
        Type::Matrix(_) | Type::List(_) => of_type(&ty.member()?, given).map(list_domain),
        _ => collection_domain(ty.collection()?, of_type(&ty.listed_member()?, given)?),
    }
}
