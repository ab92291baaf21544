//! The changes from one value to another of the same type. Their number is the distance of the two values; users read
//! them as a list.
//!
//! Tuples, records and matrices change in their parts. A collection changes in its members: a set loses and gets
//! them, a function or sequence has another image, and a partition puts two elements together or apart. All other
//! values change as a whole.

use super::{MemberForm, Type, Value, print::MemberNames, value::Matrix};
use std::collections::{BTreeMap, BTreeSet};

/// A step from a value to a part of it.
#[derive(Clone, Debug)]
enum ChangeStep {
    /// A component of a tuple or a field of a record (0-based).
    Part(usize),
    /// The element of a matrix.
    Index(Value),
    /// The image of a function or sequence.
    Argument(Value),
}

/// A change in the part of a value to which the steps lead.
#[derive(Clone, Copy, Debug)]
enum ValueChange<'v> {
    Becomes(&'v Value, &'v Value),
    IsNew(&'v Value),
    IsGone(&'v Value),
    Gets(&'v Value),
    Loses(&'v Value),
    /// Two elements of a partition are in one part now.
    Joins(&'v Value, &'v Value),
    /// Two elements of a partition are no longer in one part.
    Parts(&'v Value, &'v Value),
}

/// The number of changes from a value to another one of the same type.
pub(crate) fn distance(old: &Value, new: &Value) -> usize {
    let mut count = 0;
    each_change(old, new, &mut Vec::new(), &mut |_, _| count += 1);
    count
}

/// The changes of a variable, a line for each.
pub(crate) fn variable_changes(name: &str, old: &Value, new: &Value, ty: &Type, names: &MemberNames) -> Vec<String> {
    let mut lines = Vec::new();
    each_change(old, new, &mut Vec::new(), &mut |steps, change| {
        lines.push(change_line(name, steps, change, ty, names))
    });
    lines
}

/// Calls `visit` for each change, with the steps to the part that changes.
fn each_change<'v>(
    old: &'v Value,
    new: &'v Value,
    steps: &mut Vec<ChangeStep>,
    visit: &mut dyn FnMut(&[ChangeStep], ValueChange<'v>),
) {
    match (old, new) {
        (Value::Tuple(old), Value::Tuple(new)) if old.len() == new.len() => {
            for (at, (old, new)) in old.iter().zip(new.iter()).enumerate() {
                steps.push(ChangeStep::Part(at));
                each_change(old, new, steps, visit);
                steps.pop();
            }
        }
        (Value::Matrix(old), Value::Matrix(new)) => changed_elements(old, new, steps, visit),
        _ => match new.form() {
            Some(MemberForm::Pairs | MemberForm::Positions) => changed_images(old, new, steps, visit),
            Some(MemberForm::Values | MemberForm::Tuples) => changed_members(old, new, steps, visit),
            Some(MemberForm::Blocks) => changed_blocks(old, new, steps, visit),
            // The cycles of a permutation depend on each other, so the permutation changes as a whole.
            Some(MemberForm::Cycles) | None if old != new => visit(steps, ValueChange::Becomes(old, new)),
            Some(MemberForm::Cycles) | None => {}
        },
    }
}

fn changed_elements<'v>(
    old: &'v Matrix,
    new: &'v Matrix,
    steps: &mut Vec<ChangeStep>,
    visit: &mut dyn FnMut(&[ChangeStep], ValueChange<'v>),
) {
    let mut gone: BTreeMap<Value, &Value> = old.index.members().zip(&old.elements).collect();
    for (index, new) in new.index.members().zip(&new.elements) {
        let old = gone.remove(&index);
        steps.push(ChangeStep::Index(index));
        match old {
            Some(old) => each_change(old, new, steps, visit),
            None => visit(steps, ValueChange::IsNew(new)),
        }
        steps.pop();
    }
    for (index, old) in gone {
        steps.push(ChangeStep::Index(index));
        visit(steps, ValueChange::IsGone(old));
        steps.pop();
    }
}

/// The pairs of a function, or the positions and members of a sequence.
fn images_by_argument(value: &Value) -> BTreeMap<Value, &Value> {
    match value {
        Value::Mapping(_, pairs) => pairs.iter().map(|(argument, image)| (argument.clone(), image)).collect(),
        _ => (1..).map(Value::Int).zip(value.items()).collect(),
    }
}

fn changed_images<'v>(
    old: &'v Value,
    new: &'v Value,
    steps: &mut Vec<ChangeStep>,
    visit: &mut dyn FnMut(&[ChangeStep], ValueChange<'v>),
) {
    let mut gone = images_by_argument(old);
    let new = images_by_argument(new).into_iter().map(|(argument, new)| {
        let old = gone.remove(&argument);
        (argument, old, new)
    });
    // The pairs are collected first, because `gone` is complete only after the last new argument.
    let changed: Vec<_> = new.filter(|(_, old, new)| *old != Some(*new)).collect();
    let changed = changed.into_iter().map(|(argument, old, new)| match old {
        Some(old) => (argument, ValueChange::Becomes(old, new)),
        None => (argument, ValueChange::IsNew(new)),
    });
    for (argument, change) in
        changed.chain(gone.into_iter().map(|(argument, old)| (argument, ValueChange::IsGone(old))))
    {
        steps.push(ChangeStep::Argument(argument));
        visit(steps, change);
        steps.pop();
    }
}

fn changed_members<'v>(
    old: &'v Value,
    new: &'v Value,
    steps: &mut [ChangeStep],
    visit: &mut dyn FnMut(&[ChangeStep], ValueChange<'v>),
) {
    let mut left: BTreeMap<&Value, usize> = BTreeMap::new();
    old.items().iter().for_each(|member| *left.entry(member).or_default() += 1);
    for member in new.items() {
        match left.get_mut(member).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => visit(steps, ValueChange::Gets(member)),
        }
    }
    for (member, count) in left {
        (0..count).for_each(|_| visit(steps, ValueChange::Loses(member)));
    }
}

fn changed_blocks<'v>(
    old: &'v Value,
    new: &'v Value,
    steps: &mut [ChangeStep],
    visit: &mut dyn FnMut(&[ChangeStep], ValueChange<'v>),
) {
    let parts = |partition: &'v Value| -> BTreeMap<&'v Value, usize> {
        let parts = partition.items().iter().enumerate();
        parts.flat_map(|(part, block)| block.items().iter().map(move |element| (element, part))).collect()
    };
    let (before, now) = (parts(old), parts(new));
    // If a partition lacks an element, this element shares no part with any other one there.
    let elements: Vec<&Value> = before.keys().chain(now.keys()).copied().collect::<BTreeSet<_>>().into_iter().collect();
    let are_together = |parts: &BTreeMap<&Value, usize>, one: &Value, other: &Value| {
        parts.get(one).is_some_and(|part| parts.get(other) == Some(part))
    };
    for (at, one) in elements.iter().enumerate() {
        for other in &elements[at + 1..] {
            match (are_together(&before, one, other), are_together(&now, one, other)) {
                (false, true) => visit(steps, ValueChange::Joins(one, other)),
                (true, false) => visit(steps, ValueChange::Parts(one, other)),
                _ => {}
            }
        }
    }
}

/// A change of a variable in words.
fn change_line(name: &str, steps: &[ChangeStep], change: ValueChange, ty: &Type, names: &MemberNames) -> String {
    let (mut part, mut ty) = (name.to_owned(), ty.clone());
    for step in steps {
        ty = match (step, &ty) {
            (ChangeStep::Part(at), Type::Record(fields)) => {
                part += &format!("[{}]", fields[*at].0);
                fields[*at].1.clone()
            }
            (ChangeStep::Part(at), Type::Tuple(types)) => {
                part += &format!("[{}]", at + 1);
                types[*at].clone()
            }
            (ChangeStep::Index(index), Type::Matrix(parts)) => {
                part += &format!("[{}]", names.show(index, &parts[0]));
                parts[1].clone()
            }
            (ChangeStep::Argument(argument), ty) => {
                let (from, to) = ty.as_map().map(|(from, to)| (from.clone(), to.clone())).unwrap_or_else(|| {
                    // A sequence is listed by its positions.
                    (Type::INT, ty.listed_member().unwrap_or(Type::Any))
                });
                part += &format!("({})", names.show(argument, &from));
                to
            }
            (_, other) => other.clone(),
        };
    }
    let show = |value: &Value| names.show(value, &ty);
    let member = ty.listed_member().unwrap_or(Type::Any);
    let show_member = |value: &Value| names.show(value, &member);
    match change {
        ValueChange::Becomes(old, new) => format!("{part}: {} becomes {}", show(old), show(new)),
        ValueChange::IsNew(new) => format!("{part} is new: {}", show(new)),
        ValueChange::IsGone(old) => format!("{part} is gone: it was {}", show(old)),
        ValueChange::Gets(value) => format!("{part} gets {}", show_member(value)),
        ValueChange::Loses(value) => format!("{part} loses {}", show_member(value)),
        ValueChange::Joins(one, other) => {
            let [one, other] = [one, other].map(|element| element_of(element, &member, names));
            format!("{part} has {one} and {other} in one part now")
        }
        ValueChange::Parts(one, other) => {
            let [one, other] = [one, other].map(|element| element_of(element, &member, names));
            format!("{part} no longer has {one} and {other} in one part")
        }
    }
}

/// An element of a partition, whose parts have this type.
fn element_of(element: &Value, part: &Type, names: &MemberNames) -> String {
    names.show(element, &part.listed_member().unwrap_or(Type::Any))
}
