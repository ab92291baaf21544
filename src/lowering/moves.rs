//! Small changes of a value for local search: two elements of a sequence are exchanged, an element moves to another
//! part, an argument gets another image. The result has the type of the domain but may be outside; the constraints
//! decide.

use crate::language::{
    Collection, GroundDomain, IntSet, MemberForm, Value,
    attributes::{Attributes, Property},
    value::Matrix,
};
use fastrand::Rng;
use std::sync::Arc;

/// The maximum number of attempts to choose two different elements at random. Chosen.
const TRIES: usize = 5;

/// The largest step from an integer to a nearby one. Chosen.
const NEARBY: i64 = 3;

/// The maximum number of elements of a sequence that move together. Chosen.
const LONGEST_MOVE: usize = 3;

/// The maximum number of members by which a random collection exceeds its minimum size. Chosen.
const FEW: i64 = 3;

/// Returns a value similar to this one; `None` if the random choice does not apply.
pub(super) fn near(domain: &GroundDomain, value: &Value, random: &mut Rng) -> Option<Value> {
    match (domain, value) {
        (GroundDomain::Bool, Value::Bool(value)) => Some(Value::Bool(!value)),
        (GroundDomain::Int(values), Value::Int(value)) => near_int(values, *value, random).map(Value::Int),
        (GroundDomain::Tuple(domains), Value::Tuple(items)) => {
            let place = random_position(items.len(), random)?;
            near_item(items, place, &domains[place], random).map(Value::Tuple)
        }
        (GroundDomain::Record(fields), Value::Tuple(items)) => {
            let place = random_position(items.len(), random)?;
            near_item(items, place, &fields[place].1, random).map(Value::Tuple)
        }
        (GroundDomain::Variant(alternatives), Value::Variant(tag, active)) => {
            // Half of the moves change the value of the active alternative; the others choose another alternative.
            if random.bool() {
                let inner = near(&alternatives[*tag as usize].1, active, random)?;
                return Some(Value::Variant(*tag, inner.into()));
            }
            let other = random_position(alternatives.len(), random)?;
            Some(Value::Variant(other as u32, anywhere(&alternatives[other].1, random)?.into()))
        }
        (GroundDomain::Matrix(_, element), Value::Matrix(matrix)) => {
            let elements = near_list(&matrix.elements, element, random)?;
            Some(Value::Matrix(Arc::new(Matrix { elements, index: matrix.index.clone() })))
        }
        (GroundDomain::Collection(kind, attributes, parts), _) => match kind.form() {
            MemberForm::Values | MemberForm::Tuples => near_members(*kind, attributes, parts, value, random),
            MemberForm::Positions => near_sequence(attributes, &parts[0], value.items(), random)
                .map(|items| Value::Collection(*kind, items.into())),
            MemberForm::Pairs => {
                near_function(attributes, parts, value.pairs(), random).map(|pairs| Value::Mapping(*kind, pairs.into()))
            }
            MemberForm::Cycles => near_permutation(&parts[0], value, random),
            MemberForm::Blocks => near_partition(*kind, value.items(), random),
        },
        _ => None,
    }
}

fn random_position(count: usize, random: &mut Rng) -> Option<usize> {
    (count > 0).then(|| random.usize(0..count))
}

/// Chooses two different positions at random.
fn two(count: usize, random: &mut Rng) -> Option<(usize, usize)> {
    let one = random_position(count, random)?;
    let other = random_position(count - 1, random)?;
    Some((one, other + usize::from(other >= one)))
}

fn near_int(values: &IntSet, value: i64, random: &mut Rng) -> Option<i64> {
    // Half of the moves are small steps, which change sums only a little; the others can reach every value.
    if random.bool() {
        let near = value + random.i64(1..=NEARBY) * if random.bool() { 1 } else { -1 };
        if values.contains(near) {
            return Some(near);
        }
    }
    any_int(values, random).filter(|other| *other != value)
}

fn any_int(values: &IntSet, random: &mut Rng) -> Option<i64> {
    let size = u64::try_from(values.size()?).ok().filter(|size| *size > 0)?;
    let mut place = random.u64(0..size);
    for (low, high) in values.ranges() {
        let length = high.abs_diff(*low).saturating_add(1);
        if place < length {
            return low.checked_add_unsigned(place);
        }
        place -= length;
    }
    None
}

fn near_item(items: &[Value], position: usize, domain: &GroundDomain, random: &mut Rng) -> Option<Arc<[Value]>> {
    let changed = near(domain, &items[position], random)?;
    let mut items = items.to_vec();
    items[position] = changed;
    Some(items.into())
}

/// Changes an element of a matrix, the order of the elements, or two elements together.
fn near_list(elements: &[Value], domain: &GroundDomain, random: &mut Rng) -> Option<Vec<Value>> {
    let mut elements = elements.to_vec();
    // The shares are chosen. Exchanges of two elements preserve sums and counts, so they are the most frequent moves.
    match random.u32(0..10) {
        0..4 => {
            let place = random_position(elements.len(), random)?;
            elements[place] = near(domain, &elements[place], random)?;
        }
        4..6 => reordered(&mut elements, random)?,
        _ => between_two(&mut elements, domain, random)?,
    }
    Some(elements)
}

/// Exchanges two elements, or moves a part of one to the other.
fn between_two(elements: &mut [Value], domain: &GroundDomain, random: &mut Rng) -> Option<()> {
    for _ in 0..TRIES {
        let (one, other) = two(elements.len(), random)?;
        if elements[one] == elements[other] {
            continue;
        }
        match transfer(domain, &elements[one], &elements[other], random) {
            Some((first, second)) => (elements[one], elements[other]) = (first, second),
            None => elements.swap(one, other),
        }
        return Some(());
    }
    None
}

/// Reverses a part of a list, rotates a part by a few positions, or exchanges two elements.
fn reordered(elements: &mut [Value], random: &mut Rng) -> Option<()> {
    let (one, other) = two(elements.len(), random)?;
    let (low, high) = (one.min(other), one.max(other));
    let part = &mut elements[low..=high];
    match random.u32(0..5) {
        0..2 => part.reverse(),
        2..4 => {
            let moved = random.usize(1..=LONGEST_MOVE.min(part.len() - 1));
            if random.bool() { part.rotate_left(moved) } else { part.rotate_right(moved) }
        }
        _ => elements.swap(low, high),
    }
    Some(())
}

/// Moves an element of one value to another value of the same domain, or exchanges one element of each.
fn transfer(domain: &GroundDomain, one: &Value, other: &Value, random: &mut Rng) -> Option<(Value, Value)> {
    match (domain, one, other) {
        (GroundDomain::Matrix(_, inner), Value::Matrix(left), Value::Matrix(right)) => {
            // In half of the moves, the positions agree: in a matrix of rows, a move within a column preserves the
            // counts of the columns.
            let (mut first, mut second) = (left.elements.clone(), right.elements.clone());
            let place = random_position(first.len(), random)?;
            let at = if random.bool() { place } else { random_position(second.len(), random)? };
            let (one, other) = (first.get(place)?, second.get(at)?);
            let (one, other) = transfer(inner, one, other, random).unwrap_or((other.clone(), one.clone()));
            (first[place], second[at]) = (one, other);
            let rebuilt =
                |elements, index: &GroundDomain| Value::Matrix(Arc::new(Matrix { elements, index: index.clone() }));
            Some((rebuilt(first, &left.index), rebuilt(second, &right.index)))
        }
        (GroundDomain::Collection(kind, ..), Value::Mapping(_, left), Value::Mapping(_, right))
            if kind.form() == MemberForm::Pairs =>
        {
            let (mut first, mut second) = (left.to_vec(), right.to_vec());
            let place = random_position(first.len(), random)?;
            let key = first[place].0.clone();
            // The pairs of a function are sorted by argument.
            match second.binary_search_by(|(argument, _)| argument.cmp(&key)) {
                Ok(at) => std::mem::swap(&mut first[place].1, &mut second[at].1),
                // If the other function has no image for the argument, the whole pair moves.
                Err(at) => second.insert(at, first.remove(place)),
            }
            Some((Value::Mapping(*kind, first.into()), Value::Mapping(*kind, second.into())))
        }
        (GroundDomain::Collection(kind, ..), Value::Collection(_, left), Value::Collection(_, right))
            if matches!(kind.form(), MemberForm::Values | MemberForm::Tuples | MemberForm::Positions) =>
        {
            let (mut first, mut second) = (left.to_vec(), right.to_vec());
            let is_ordered = kind.form() == MemberForm::Positions;
            let roll = random.u32(0..5);
            if is_ordered && roll == 0 {
                // Exchanging the tails is the move 2-opt* for vehicle routes.
                let (here, there) = (random.usize(0..=first.len()), random.usize(0..=second.len()));
                let rest = first.split_off(here);
                first.extend(second.split_off(there));
                second.extend(rest);
            } else if roll < 3 || second.is_empty() {
                // If the first value has no members, the move fails.
                let moved = first.remove(random_position(first.len(), random)?);
                let at = random.usize(0..=second.len());
                second.insert(at, moved);
            } else {
                let (place, at) = (random_position(first.len(), random)?, random_position(second.len(), random)?);
                std::mem::swap(&mut first[place], &mut second[at]);
            }
            let rebuilt = |items| match is_ordered {
                true => Some(Value::Collection(*kind, Arc::from(items))),
                false => Value::of(*kind, items),
            };
            Some((rebuilt(first)?, rebuilt(second)?))
        }
        _ => None,
    }
}

/// Returns two flags: the number of members may decrease, and it may increase.
fn may_change(attributes: &Attributes<i64>, count: usize) -> (bool, bool) {
    let size = attributes.size();
    (size.min.unwrap_or(0) < count as i64, size.max.is_none_or(|max| max > count as i64))
}

/// Changes a set, a multiset or a relation.
fn near_members(
    kind: Collection,
    attributes: &Attributes<i64>,
    parts: &[GroundDomain],
    value: &Value,
    random: &mut Rng,
) -> Option<Value> {
    let mut members = value.listed().into_owned();
    let (fewer, more) = may_change(attributes, members.len());
    match random.u32(0..10) {
        0..2 if more => members.push(any_member(kind, parts, random)?),
        2 if fewer => {
            members.swap_remove(random_position(members.len(), random)?);
        }
        3 => {
            let place = random_position(members.len(), random)?;
            members[place] = any_member(kind, parts, random)?;
        }
        // In a set of collections, a change that involves two members is better than a new member.
        4..7 if parts[0].has_collection() => between_two(&mut members, &parts[0], random)?,
        _ => {
            let place = random_position(members.len(), random)?;
            members[place] = match kind.form() {
                MemberForm::Tuples => {
                    let items = members[place].components();
                    let column = random_position(items.len(), random)?;
                    Value::Tuple(near_item(items, column, &parts[column], random)?)
                }
                _ => near(&parts[0], &members[place], random)?,
            };
        }
    }
    // If two members become equal, one of them is lost, which is a small change only in a multiset.
    let before = members.len();
    Value::of(kind, members).filter(|changed| kind.row().has_occurrences() || changed.items().len() == before)
}

fn any_member(kind: Collection, parts: &[GroundDomain], random: &mut Rng) -> Option<Value> {
    match kind.form() {
        MemberForm::Tuples => {
            let items: Option<Vec<Value>> = parts.iter().map(|part| anywhere(part, random)).collect();
            items.map(Value::tuple)
        }
        _ => anywhere(&parts[0], random),
    }
}

/// Replaces an element of a list. If elements must differ and the new one already occurs, the two are exchanged.
fn replaced(items: &mut [Value], position: usize, element: Value, differ: bool) {
    match items.iter().position(|item| *item == element).filter(|_| differ) {
        Some(other) => items.swap(position, other),
        None => items[position] = element,
    }
}

fn differ(attributes: &Attributes<i64>) -> bool {
    attributes.has(Property::Injective)
}

fn near_sequence(
    attributes: &Attributes<i64>,
    inner: &GroundDomain,
    items: &[Value],
    random: &mut Rng,
) -> Option<Vec<Value>> {
    let mut items = items.to_vec();
    let (fewer, more) = may_change(attributes, items.len());
    match random.u32(0..12) {
        0 if more => {
            let element = anywhere(inner, random)?;
            if differ(attributes) && items.contains(&element) {
                return None;
            }
            let place = random.usize(0..=items.len());
            items.insert(place, element);
        }
        1 if fewer => {
            items.remove(random_position(items.len(), random)?);
        }
        2..4 => {
            let place = random_position(items.len(), random)?;
            let element = near(inner, &items[place], random)?;
            replaced(&mut items, place, element, differ(attributes));
        }
        4 if inner.has_collection() => between_two(&mut items, inner, random)?,
        _ => reordered(&mut items, random)?,
    }
    Some(items)
}

fn near_function(
    attributes: &Attributes<i64>,
    parts: &[GroundDomain],
    pairs: &[(Value, Value)],
    random: &mut Rng,
) -> Option<Vec<(Value, Value)>> {
    let mut pairs = pairs.to_vec();
    let (fewer, more) = may_change(attributes, pairs.len());
    let total = attributes.has(Property::Total);
    match random.u32(0..10) {
        // A total function cannot gain or lose an argument.
        0 | 1 if more && !total => {
            let pair = (anywhere(&parts[0], random)?, anywhere(&parts[1], random)?);
            // An argument that already has an image cannot get a second one.
            let at = pairs.binary_search_by(|(argument, _)| argument.cmp(&pair.0)).err()?;
            pairs.insert(at, pair);
        }
        2 if fewer && !total => {
            pairs.remove(random_position(pairs.len(), random)?);
        }
        roll => {
            let (keys, mut images): (Vec<Value>, Vec<Value>) = pairs.into_iter().unzip();
            match roll {
                7..10 => between_two(&mut images, &parts[1], random)?,
                _ => {
                    let place = random_position(images.len(), random)?;
                    let image = near(&parts[1], &images[place], random)?;
                    replaced(&mut images, place, image, differ(attributes));
                }
            }
            pairs = keys.into_iter().zip(images).collect();
        }
    }
    Some(pairs)
}

/// Exchanges the images of two points.
fn near_permutation(points: &GroundDomain, value: &Value, random: &mut Rng) -> Option<Value> {
    let (one, other) = (anywhere(points, random)?, anywhere(points, random)?);
    if one == other {
        // An exchange with itself would change nothing.
        return None;
    }
    // A point that is not listed is its own image.
    let image = |point: &Value| {
        let found = value.pairs().iter().find(|(from, _)| from == point);
        found.map_or_else(|| point.clone(), |(_, to)| to.clone())
    };
    let changed = [(one.clone(), image(&other)), (other.clone(), image(&one))];
    let kept = value.pairs().iter().filter(|(from, _)| *from != one && *from != other).cloned();
    // A value in normal form lists only the points that move.
    let mut pairs: Vec<(Value, Value)> = kept.chain(changed).filter(|(from, to)| from != to).collect();
    pairs.sort_unstable();
    Some(Value::Mapping(value.collection()?, pairs.into()))
}

/// Changes a partition: an element moves to another part or becomes a part, two elements are exchanged, or parts are
/// merged or split.
fn near_partition(kind: Collection, blocks: &[Value], random: &mut Rng) -> Option<Value> {
    let mut blocks: Vec<Vec<Value>> = blocks.iter().map(|block| block.items().to_vec()).collect();
    let from = random_position(blocks.len(), random)?;
    let roll = random.u32(0..20);
    match roll {
        // Merging and splitting change many elements at a time, so they are rare.
        0 if blocks.len() > 1 => {
            let (one, other) = two(blocks.len(), random)?;
            let moved = std::mem::take(&mut blocks[one]);
            blocks[other].extend(moved);
        }
        1 => {
            let (moved, kept) = std::mem::take(&mut blocks[from]).into_iter().partition(|_| random.bool());
            blocks[from] = kept;
            blocks.push(moved);
        }
        2 => {
            let place = random_position(blocks[from].len(), random)?;
            let moved = blocks[from].swap_remove(place);
            blocks.push(vec![moved]);
        }
        _ => {
            let (one, other) = two(blocks.len(), random)?;
            let (place, at) =
                (random_position(blocks[one].len(), random)?, random_position(blocks[other].len(), random)?);
            if roll < 11 {
                let moved = blocks[one].swap_remove(place);
                blocks[other].push(moved);
            } else {
                let moved = blocks[other][at].clone();
                blocks[other][at] = std::mem::replace(&mut blocks[one][place], moved);
            }
        }
    }
    // A move may leave a block empty.
    Value::of(kind, blocks.into_iter().filter(|block| !block.is_empty()).map(Value::set).collect())
}

/// Returns a random value of a domain. Collections have only a few members; permutations and partitions are the first
/// ones of their domain.
fn anywhere(domain: &GroundDomain, random: &mut Rng) -> Option<Value> {
    Some(match domain {
        GroundDomain::Bool => Value::Bool(random.bool()),
        GroundDomain::Int(values) => Value::Int(any_int(values, random)?),
        GroundDomain::Tuple(domains) => {
            let items: Option<Vec<Value>> = domains.iter().map(|domain| anywhere(domain, random)).collect();
            Value::tuple(items?)
        }
        GroundDomain::Record(fields) => {
            let items: Option<Vec<Value>> = fields.iter().map(|(_, domain)| anywhere(domain, random)).collect();
            Value::tuple(items?)
        }
        GroundDomain::Variant(alternatives) => {
            let tag = random_position(alternatives.len(), random)?;
            Value::Variant(tag as u32, anywhere(&alternatives[tag].1, random)?.into())
        }
        GroundDomain::Matrix(index, element) => {
            let elements: Option<Vec<Value>> = index.members().map(|_| anywhere(element, random)).collect();
            Value::Matrix(Arc::new(Matrix { elements: elements?, index: (**index).clone() }))
        }
        GroundDomain::Collection(kind, attributes, parts) => {
            let form = kind.form();
            // A random permutation or partition could violate its attributes, but the first one satisfies them.
            if matches!(form, MemberForm::Cycles | MemberForm::Blocks) {
                return domain.members().next();
            }
            if form == MemberForm::Pairs && attributes.has(Property::Total) {
                let pair = |argument| Some((argument, anywhere(&parts[1], random)?));
                let pairs: Option<Vec<(Value, Value)>> = parts[0].members().map(pair).collect();
                return Some(Value::Mapping(*kind, pairs?.into()));
            }
            // Local search grows collections step by step, so the minimum size and a few members more are enough.
            let least = attributes.size().min.unwrap_or(0).max(0);
            let most = attributes.size().max.unwrap_or(i64::MAX).min(least.saturating_add(FEW)).max(least);
            let members: Option<Vec<Value>> = (0..random.i64(least..=most))
                .map(|_| match form {
                    MemberForm::Pairs => {
                        Some(Value::tuple([anywhere(&parts[0], random)?, anywhere(&parts[1], random)?]))
                    }
                    _ => any_member(*kind, parts, random),
                })
                .collect();
            return Value::of(*kind, members?);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        language::attributes::Size,
        problem::{Assignment, Role},
        symbolic::{Symbolic, read, representation::Plan, write::Writing},
    };

    fn ints(low: i64, high: i64) -> GroundDomain {
        GroundDomain::Int(IntSet::range(low, high))
    }

    /// Returns a domain of each form, on its own, in a matrix and in a set.
    fn domains() -> Vec<GroundDomain> {
        let mut found = vec![GroundDomain::Tuple(vec![GroundDomain::Bool, ints(1, 9)]), ints(-5, 5)];
        let some = Attributes::sized(Size { min: Some(1), max: Some(3) });
        for kind in Collection::ALL {
            let is_map = kind.form().open_parts(2).start == 1;
            let parts =
                if is_map || kind.form() == MemberForm::Tuples { vec![ints(1, 4); 2] } else { vec![ints(1, 4)] };
            let bare = matches!(kind.form(), MemberForm::Cycles | MemberForm::Blocks);
            let attributes = if bare { Attributes::default() } else { some.clone() };
            let domain = GroundDomain::Collection(kind, attributes, parts);
            found.push(GroundDomain::Matrix(Box::new(ints(1, 3)), Box::new(domain.clone())));
            found.push(GroundDomain::Collection(Collection::Set, some.clone(), vec![domain.clone()]));
            found.push(domain);
        }
        found
    }

    /// If a move leads to a member of the domain, the member can be written, from scratch or near the previous numbers.
    /// Near them, only the order of slots may be violated. Together, the moves reach many members.
    #[test]
    fn moves_lead_from_member_to_member() {
        let mut random = Rng::with_seed(1);
        let (mut checked, mut disordered) = (0, 0);
        for domain in domains() {
            let mut symbolic = Symbolic::new();
            let term = symbolic.declare_as(&domain, &Plan::default(), Role::Decision).expect("a small domain");
            let order = symbolic.slot_order.clone();
            let Ok(problem) = symbolic.finish() else { continue };
            let unordered = problem.without(&order);
            let (Some(writing), Some(first)) = (Writing::of(&problem, &term, &domain), domain.members().next()) else {
                continue;
            };
            let mut numbers = writing.numbers(&first, &[]).expect("a member");
            let mut value = first;
            for _ in 0..200 {
                let Some(next) = near(&domain, &value, &mut random) else { continue };
                if domain.contains(&next) {
                    assert!(writing.write(&next).is_some(), "{next:?} of {domain:?}");
                    numbers = writing.numbers(&next, &numbers).expect("a member");
                    let mut assignment = Assignment::default();
                    for (variable, number) in
                        writing.variables().iter().zip(writing.assigned(&numbers).expect("a member"))
                    {
                        assignment.set(*variable, number);
                    }
                    assert_eq!(read::value(&problem, &term, &assignment), next, "{domain:?}");
                    assert!(unordered.is_satisfied_by(&assignment), "{next:?}");
                    disordered += usize::from(order.iter().any(|term| !problem.bool_value(*term, &assignment)));
                    value = next;
                    checked += 1;
                }
            }
        }
        assert!(checked > 1_000 && disordered > 100, "{checked}, {disordered}");
    }
}
