//! The forms of the members of collections, and what follows from them.
//!
//! A function belongs here if its result is the same for collections with the same form; what is specific to one
//! collection belongs in that collection's file. A new form is a variant of [`MemberForm`]: the compiler finds most of
//! the matches to extend, but the `matches!` and `_` arms have to be checked by hand.

use super::*;

/// The form of the members of a collection. It determines how values store the members, how literals and data write
/// them, and what a generator over the collection yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberForm {
    /// Values without an order: sets, multisets.
    Values,
    /// Values in an order, each at its position: sequences.
    Positions,
    /// Tuples with a component for each part: relations.
    Tuples,
    /// Pairs of an argument and its image, which have separate parts: functions.
    Pairs,
    /// Pairs of a point that is moved and its image, which literals write as cycles: permutations.
    Cycles,
    /// Disjoint sets of values, the blocks of a partition.
    Blocks,
}

use MemberForm::*;

impl MemberForm {
    /// Returns true if the members are pairs that are looked up by their first item.
    pub(crate) fn is_keyed(self) -> bool {
        matches!(self, Positions | Pairs | Cycles)
    }

    /// Returns true if the members are values themselves, not tuples that the constructor makes.
    pub(crate) fn is_plain(self) -> bool {
        matches!(self, Values | Blocks)
    }

    /// Returns true if values store the members as pairs.
    pub(crate) fn keeps_pairs(self) -> bool {
        matches!(self, Pairs | Cycles)
    }

    /// Returns true if a literal writes each member as an expression.
    pub(crate) fn writes_members(self) -> bool {
        matches!(self, Values | Positions | Tuples)
    }

    /// The types of the components of the members, if these are tuples that the constructor makes. If each member has a
    /// position, the type of the positions is `position`.
    pub(crate) fn components(self, parts: &Arc<[Type]>, position: Type) -> Option<Arc<[Type]>> {
        match self {
            Tuples | Pairs => Some(parts.clone()),
            Positions => Some([position, parts[0].clone()].into()),
            Cycles => Some([parts[0].clone(), parts[0].clone()].into()),
            Values | Blocks => None,
        }
    }

    /// The type of the members.
    pub(crate) fn member(self, parts: &Arc<[Type]>, position: Type) -> Type {
        match self.components(parts, position) {
            Some(types) => Type::of_tuple(&types),
            None if self == Blocks => Type::set(parts[0].clone()),
            None => parts[0].clone(),
        }
    }

    /// The name of a part in sentences and in paths to it.
    pub(crate) fn part_name(self, part: usize) -> String {
        match self {
            Values | Blocks => "member".to_owned(),
            Positions => "element".to_owned(),
            Tuples => (part + 1).to_string(),
            Pairs => ["argument", "image"][part].to_owned(),
            Cycles => "image".to_owned(),
        }
    }

    /// The item of each member whose domain is this part; `None` if the members are not tuples.
    pub(crate) fn item(self, part: usize) -> Option<usize> {
        match self {
            Tuples | Pairs | Cycles => Some(part),
            Positions => Some(part + 1),
            Values | Blocks => None,
        }
    }

    /// The parts to which values can be added without a change to the collections that do not use them.
    pub(crate) fn open_parts(self, parts: usize) -> Range<usize> {
        match self {
            // New images leave existing functions as they are, but total functions would miss images for new arguments.
            Values | Positions | Tuples => 0..parts,
            Pairs => 1..parts,
            // Every permutation and partition covers its whole domain, so more values change all of them.
            Cycles | Blocks => parts..parts,
        }
    }

    /// The nouns for a member and for an argument in sentences.
    pub(crate) fn entry_nouns(self) -> (&'static str, &'static str) {
        match self {
            Blocks => ("part", "argument"),
            Cycles => ("member", "point"),
            _ => ("member", "argument"),
        }
    }

    /// The noun for the members that the size counts.
    pub(crate) fn counted(self) -> &'static str {
        match self {
            Positions => "element",
            Tuples => "tuple",
            Pairs => "argument",
            Values | Cycles | Blocks => "member",
        }
    }

    /// The domain of the members.
    pub(crate) fn member_domain(self, attributes: &Attributes<i64>, mut parts: Vec<GroundDomain>) -> GroundDomain {
        match self {
            Values => return parts.swap_remove(0),
            Blocks => return GroundDomain::set(parts.swap_remove(0)),
            Tuples | Pairs => {}
            // The positions belong to the members, but not to the domain as it is written.
            Positions => parts.insert(0, sequence_indices(attributes)),
            Cycles => parts.push(parts[0].clone()),
        }
        GroundDomain::Tuple(parts)
    }

    /// The domains of the parts of collections with such members; a sequence has no part for its positions. An empty
    /// relation leaves its columns unknown.
    pub(crate) fn parts_of_member(self, member: GroundDomain) -> Option<Vec<GroundDomain>> {
        match self {
            Values | Positions => Some(vec![member]),
            Tuples => Some(components(member).unwrap_or_default()),
            Pairs => components(member).filter(|parts| parts.len() == 2),
            Cycles => {
                let [from, to] = <[GroundDomain; 2]>::try_from(components(member)?).ok()?;
                Some(vec![join(from, to)?])
            }
            Blocks => shapes::member(member).map(|inner| vec![inner]),
        }
    }

    /// The domains on both sides of the pairs or tuples, for attributes. For a sequence, it is the domain of the
    /// elements twice, because no attribute is about positions.
    pub(crate) fn sides(self, parts: &[GroundDomain]) -> Vec<&GroundDomain> {
        match self {
            Tuples | Pairs => parts.iter().collect(),
            Positions => vec![&parts[0], &parts[0]],
            Values | Cycles | Blocks => Vec::new(),
        }
    }

    /// Calls `entry` for each entry of a value whose domain is written, with that domain.
    pub(in crate::language) fn for_each_entry(self, parts: &[GroundDomain], value: &Value, entry: EntryVisitor) {
        match self {
            Values => {
                for member in value.items() {
                    entry(&|| ValueStep::Member(member.clone()), &parts[0], member);
                }
            }
            Positions => {
                for (member, position) in value.items().iter().zip(1..) {
                    entry(&|| ValueStep::Place(position), &parts[0], member);
                }
            }
            Pairs => {
                for (argument, image) in value.pairs() {
                    entry(&|| ValueStep::Argument(argument.clone()), &parts[0], argument);
                    entry(&|| ValueStep::Image(argument.clone()), &parts[1], image);
                }
            }
            Cycles => {
                // The image of a point is another point of its cycle, and is visited as a point.
                for (point, _) in value.pairs() {
                    entry(&|| ValueStep::Argument(point.clone()), &parts[0], point);
                }
            }
            // The domains of tuples and blocks are not written, so `check_member` checks their members.
            Tuples | Blocks => {}
        }
    }

    /// Checks a member whose domain is not written; `None` if it has another shape.
    pub(in crate::language) fn check_member(
        self,
        parts: &[GroundDomain],
        member: &Value,
        role: DomainRole,
    ) -> Option<Checked> {
        match (self, member) {
            (Tuples, Value::Tuple(items)) if items.len() == parts.len() => {
                Some(check_components(parts.iter(), items, role))
            }
            (Blocks, Value::Collection(kind, items)) if kind.form() == Values => {
                Some(check_members(&parts[0], items, role))
            }
            (Tuples | Blocks, _) => None,
            _ => Some(Ok(())),
        }
    }
}

/// A visitor of the entries of a value: the step to the entry, the entry's domain, and the entry.
type EntryVisitor<'a> = &'a mut dyn FnMut(&dyn Fn() -> ValueStep, &GroundDomain, &Value);
