//! The number of changes from an earlier value to a term; [`crate::language::differences`] defines a change.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// The summands of a number of changes.
#[derive(Default)]
struct ChangeCount {
    /// The conditions of single changes.
    conditions: Vec<Bool>,
    /// Numbers of changes, with their factors.
    numbers: Vec<(i64, Int)>,
    constant: i64,
}

impl Symbolic {
    /// The number of changes from an earlier value to a term.
    pub(crate) fn changes(&mut self, old: &Value, term: &Term) -> Int {
        let mut changes = ChangeCount::default();
        self.add_changes(old, term, &mut changes);
        let ChangeCount { conditions, mut numbers, constant } = changes;
        numbers.extend(conditions.into_iter().map(|condition| (1, self.problem.int_of(condition))));
        self.problem.linear(numbers, constant)
    }

    fn add_changes(&mut self, old: &Value, term: &Term, changes: &mut ChangeCount) {
        match (old, term.as_matrix()) {
            (Value::Tuple(old), _) => {
                for (at, old) in old.iter().enumerate() {
                    self.add_changes(old, &term.item(at), changes);
                }
            }
            (Value::Matrix(old), Some((index, elements))) => {
                // An index that only one of the two matrices has counts as one change, whatever its element is.
                let mut gone: BTreeMap<Value, &Value> = old.index.members().zip(&old.elements).collect();
                for (index, element) in index.members().zip(&elements) {
                    match gone.remove(&index) {
                        Some(old) => self.add_changes(old, element, changes),
                        None => changes.constant += 1,
                    }
                }
                changes.constant += gone.len() as i64;
            }
            _ => match old.form() {
                Some(MemberForm::Pairs | MemberForm::Positions) => self.add_changed_images(old, term, changes),
                Some(MemberForm::Values | MemberForm::Tuples) => self.add_changed_members(old, term, changes),
                Some(MemberForm::Blocks) => self.add_changed_blocks(old, term, changes),
                Some(MemberForm::Cycles) | None => {
                    let stays = self.equal(term, &Term::Value(old.clone()));
                    changes.conditions.push(!stays);
                }
            },
        }
    }

    /// Adds the images that change or disappear, and the arguments that are new. The argument of a sequence is the
    /// index.
    fn add_changed_images(&mut self, old: &Value, term: &Term, changes: &mut ChangeCount) {
        let members = self.members(term);
        let members = self.distinct(term, &members);
        let mut kept = Vec::new();
        for pair in old.members() {
            let (argument, image) = (Term::Value(pair.components()[0].clone()), pair.components()[1].clone());
            let Partial { term, defined } = self.image(&members, &argument);
            let same = if defined == Bool::FALSE { Bool::FALSE } else { self.equal(&term, &Term::Value(image)) };
            changes.conditions.push(!self.problem.and([defined, same]));
            kept.push(defined);
        }
        self.add_size_without(&members, kept, changes);
    }

    /// Adds the members that disappear, and the new ones.
    fn add_changed_members(&mut self, old: &Value, term: &Term, changes: &mut ChangeCount) {
        let members = self.members(term);
        let mut counts: BTreeMap<&Value, i64> = BTreeMap::new();
        old.items().iter().for_each(|member| *counts.entry(member).or_default() += 1);
        if collection_kind_of(term).is_some_and(|kind| kind.row().has_occurrences()) {
            // The number of new members is the size minus the occurrences of the old members.
            let size = self.size(term);
            changes.numbers.push((1, size));
            let every = MemberCounts::new(&members.members);
            for (member, count) in counts {
                let now = every.frequency(self, &Term::Value(member.clone()));
                changes.numbers.push((-1, now));
                let more = self.problem.linear([(1, now)], -count);
                let changed = self.problem.absolute(more);
                changes.numbers.push((1, changed));
            }
            return;
        }
        let members = self.distinct(term, &members);
        let mut kept = Vec::new();
        for member in counts.into_keys() {
            let stays = self.contains(&members, &Term::Value(member.clone()));
            changes.conditions.push(!stays);
            kept.push(stays);
        }
        self.add_size_without(&members, kept, changes);
    }

    /// Adds the number of present members except `some`.
    fn add_size_without(&mut self, members: &Members, some: Vec<Bool>, changes: &mut ChangeCount) {
        let size = self.problem.count(members.members.iter().map(|member| member.condition));
        let some = self.problem.count(some);
        changes.numbers.extend([(1, size), (-1, some)]);
    }

    /// Adds the pairs of elements that are in one part either before or now, but not both.
    fn add_changed_blocks(&mut self, old: &Value, term: &Term, changes: &mut ChangeCount) {
        let parts = self.members(term);
        let mut elements: BTreeSet<Value> = old.items().iter().flat_map(|part| part.items().to_vec()).collect();
        let blocks: Vec<(Bool, Arc<Members>)> =
            parts.members.iter().map(|part| (part.condition, self.members(&part.term))).collect();
        // If a partition depends on decisions, its elements are still constants.
        let members = blocks.iter().flat_map(|(_, block)| &block.members);
        elements.extend(members.filter_map(|member| member.term.as_value()).cloned());
        let elements: Vec<Value> = elements.into_iter().collect();
        let inside: Vec<Vec<Bool>> = elements
            .iter()
            .map(|element| {
                let element = Term::Value(element.clone());
                let inside = blocks.iter().map(|(condition, block)| {
                    let inside = self.contains(block, &element);
                    self.problem.and([*condition, inside])
                });
                inside.collect()
            })
            .collect();
        for (at, one) in elements.iter().enumerate() {
            for (other_at, other) in elements.iter().enumerate().skip(at + 1) {
                // Elements with part numbers are in the same part if the numbers are equal.
                let together = match (parts.number(one), parts.number(other)) {
                    (Some(one), Some(other)) => self.problem.equal(one, other),
                    _ => {
                        let both = inside[at].iter().zip(&inside[other_at]);
                        let both: Vec<Bool> = both.map(|(one, other)| self.problem.and([*one, *other])).collect();
                        self.problem.or(both)
                    }
                };
                let were = old.items().iter().any(|part| part.items().contains(one) && part.items().contains(other));
                changes.conditions.push(if were { !together } else { together });
            }
        }
    }
}
