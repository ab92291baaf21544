//! Members with conditions: the only form of collections that depend on decisions.

use super::*;
use std::{collections::hash_map::Entry, sync::OnceLock};

/// A possible element of a collection, and the condition that it is present.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub condition: Bool,
    pub term: Term,
}

impl Member {
    pub(crate) fn always(term: Term) -> Self {
        Member { condition: Bool::TRUE, term }
    }

    pub(crate) fn new(condition: Bool, term: Term) -> Self {
        Member { condition, term }
    }
}

/// The possible repetition of a member: whether equal members can be present at the same time. For functions, sequences
/// and permutations, the arguments count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repetition {
    Never,
    Possible,
}

impl Repetition {
    pub(crate) fn unless(distinct: bool) -> Self {
        if distinct { Repetition::Never } else { Repetition::Possible }
    }
}

/// The possible members of a collection. The terms depend on the kind of collection: elements of sets and multisets;
/// pairs of functions, sequences (index and value, ascending in the index) and permutations (every point that can be
/// moved, with its image); tuples of relations; sets that are the parts of a partition.
#[derive(Debug)]
pub(crate) struct Members {
    pub members: Vec<Member>,
    /// Has no meaning for multisets.
    pub repetition: Repetition,
    /// True if the present members are in ascending order (pairs in the order of their arguments).
    pub ascending: bool,
    /// True if the present members come first, ascending in the order of values.
    pub packed: bool,
    /// The largest number of members present at the same time, if an attribute bounds it.
    most: Option<usize>,
    /// The part numbers of a partition's elements: elements of the same part have the same number.
    numbers: FxHashMap<Value, Int>,
    /// The positions of the members, by the whole element and by the argument of a pair. They are found on demand; the
    /// inner value is `None` if some key is not constant or occurs twice.
    positions: [OnceLock<Option<FxHashMap<Value, usize>>>; 2],
}

/// The key that identifies a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// The whole element.
    Element,
    /// The argument of a pair.
    Argument,
}

impl Key {
    pub(crate) fn of(kind: Collection) -> Key {
        if kind.form().is_keyed() { Key::Argument } else { Key::Element }
    }
}

impl Members {
    pub(crate) fn new(members: Vec<Member>, repetition: Repetition) -> Self {
        Members {
            members,
            repetition,
            ascending: false,
            packed: false,
            most: None,
            numbers: FxHashMap::default(),
            positions: Default::default(),
        }
    }

    /// Bounds the number of members that are present at the same time.
    pub(crate) fn limited(self, most: Option<i64>) -> Self {
        Members { most: most.and_then(|most| usize::try_from(most).ok()), ..self }
    }

    /// The largest number of members that can be present at the same time.
    pub(crate) fn most(&self) -> usize {
        self.most.map_or(self.members.len(), |most| most.min(self.members.len()))
    }

    /// Adds the part numbers of a partition's elements.
    pub(crate) fn numbered(self, numbers: FxHashMap<Value, Int>) -> Self {
        Members { numbers, ..self }
    }

    /// The elements of a partition in ascending order, with their part numbers; empty if they have none.
    pub(crate) fn numbered_elements(&self) -> Vec<(Value, Int)> {
        let mut elements: Vec<(Value, Int)> =
            self.numbers.iter().map(|(element, number)| (element.clone(), *number)).collect();
        elements.sort_unstable();
        elements
    }

    /// The part number of an element of a partition, if the elements have numbers.
    pub(crate) fn number(&self, element: &Value) -> Option<Int> {
        self.numbers.get(element).copied()
    }

    /// Marks the members as ascending under all decisions.
    pub(crate) fn ascending(self) -> Self {
        Members { ascending: true, ..self }
    }

    /// The same members, which are in ascending order and present ones first.
    pub(crate) fn packed(self) -> Self {
        Members { packed: true, ..self.ascending() }
    }

    /// The positions of the members by their keys. `None` if some key is not constant or occurs twice.
    pub(crate) fn positions(&self, key: Key) -> Option<&FxHashMap<Value, usize>> {
        self.positions[key as usize]
            // Most collections are never looked up.
            .get_or_init(|| {
                let mut positions = FxHashMap::default();
                for (position, member) in self.members.iter().enumerate() {
                    let value = match (key, &member.term) {
                        (Key::Argument, Term::Value(Value::Tuple(items))) => items[0].clone(),
                        (Key::Argument, Term::Tuple(items)) => items[0].as_value()?.clone(),
                        (Key::Element, Term::Value(value)) => value.clone(),
                        _ => return None,
                    };
                    // Two members with the same key could not be told apart.
                    if positions.insert(value, position).is_some() {
                        return None;
                    }
                }
                Some(positions)
            })
            .as_ref()
    }
}

/// The kind of collection that a term is; `None` if it is not a collection.
pub(crate) fn collection_kind_of(term: &Term) -> Option<Collection> {
    Some(match term {
        Term::Collection(kind, _) => *kind,
        Term::PowerSet(_) => Collection::Set,
        Term::Value(value) => return value.collection(),
        _ => return None,
    })
}

impl Symbolic {
    /// The members of a collection, constant or not.
    pub(crate) fn members(&mut self, term: &Term) -> Arc<Members> {
        match term {
            Term::Collection(_, members) => members.clone(),
            Term::PowerSet(set) => power_set::subsets(self, set),
            Term::Value(value) => {
                // A parameter may occur in thousands of instances, so constants share their members.
                if let Some(members) = self.constant_members.get(value) {
                    return members.clone();
                }
                let members = value.members().into_iter().map(|value| Member::always(Term::Value(value))).collect();
                let members = Arc::new(Members::new(members, Repetition::Never));
                self.constant_members.insert(value.clone(), members.clone());
                members
            }
            other => unreachable!("a collection was expected, not {other:?}"),
        }
    }

    /// A collection of these members. Impossible members are dropped. Except in multisets, members with the same term
    /// are merged. A collection that does not depend on decisions becomes a value.
    pub(crate) fn collection(&mut self, kind: Collection, members: Vec<Member>, repetition: Repetition) -> Term {
        let mut kept: Vec<Member> = Vec::with_capacity(members.len());
        let mut distinct = repetition == Repetition::Never;
        if kind.row().has_occurrences() || distinct {
            kept.extend(members.into_iter().filter(|member| member.condition != Bool::FALSE));
        } else {
            let mut seen: FxHashMap<TermKey, usize> = FxHashMap::default();
            distinct = true;
            for member in members {
                if member.condition == Bool::FALSE {
                    continue;
                }
                // Different terms may be equal under some decisions; different values never are. Members with the same
                // term become one member, which is present under either condition.
                distinct = distinct && member.term.as_value().is_some();
                match seen.entry(TermKey::of(&member.term)) {
                    Entry::Occupied(same) => {
                        let same = &mut kept[*same.get()].condition;
                        *same = self.problem.or([*same, member.condition]);
                    }
                    Entry::Vacant(new) => {
                        new.insert(kept.len());
                        kept.push(member);
                    }
                }
            }
            // A single member cannot repeat.
            distinct |= kept.len() < 2;
        }
        // A value is evaluated only once, but a term would be compared member by member at each use.
        let fixed = kept.iter().all(|member| member.condition == Bool::TRUE && member.term.as_value().is_some());
        if fixed && let Some(value) = constant_collection(kind, &kept) {
            return Term::Value(value);
        }
        Term::Collection(kind, Arc::new(Members::new(kept, Repetition::unless(distinct))))
    }

    /// A set of these members.
    pub(crate) fn set(&mut self, members: Vec<Member>, repetition: Repetition) -> Term {
        self.collection(Collection::Set, members, repetition)
    }
}

/// The identity of a term while it exists: terms with the same key are equal under all decisions.
#[derive(PartialEq, Eq, Hash)]
enum TermKey {
    Value(Value),
    Bool(Bool),
    Int(Int),
    Tuple(Vec<TermKey>),
    /// The address of the data that copies of the term share.
    Shared(*const ()),
}

impl TermKey {
    fn of(term: &Term) -> TermKey {
        fn shared<T: ?Sized>(part: &Arc<T>) -> TermKey {
            // Two equal terms in different allocations count as different, which only misses a chance to merge them.
            TermKey::Shared(Arc::as_ptr(part).cast())
        }
        match term {
            Term::Value(value) => TermKey::Value(value.clone()),
            Term::Bool(term) => TermKey::Bool(*term),
            Term::Int(term) => TermKey::Int(*term),
            Term::Tuple(items) => TermKey::Tuple(items.iter().map(TermKey::of).collect()),
            Term::Variant(tag, alternatives) => TermKey::Tuple(vec![TermKey::Int(*tag), shared(alternatives)]),
            Term::Matrix(index, elements) => TermKey::Tuple(vec![shared(index), shared(elements)]),
            Term::Slice(index, members) => TermKey::Tuple(vec![shared(index), shared(members)]),
            Term::List(members) => shared(members),
            Term::Collection(_, members) => shared(members),
            Term::PowerSet(set) => shared(set),
        }
    }
}

/// The value of a collection whose members are all constant and present.
pub(super) fn constant_collection(kind: Collection, members: &[Member]) -> Option<Value> {
    let mut values: Vec<Value> = members.iter().filter_map(|member| member.term.as_value()).cloned().collect();
    if kind.form() == MemberForm::Positions {
        // A sequence value lists its members by index, but these may be in any order.
        values.sort_unstable();
        values = values.iter().filter_map(|member| member.components().get(1).cloned()).collect();
    }
    kind.row().value(values)
}
