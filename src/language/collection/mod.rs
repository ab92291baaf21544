//! The constructors of collections: sets, functions and the like.
//!
//! Each constructor has a file here that says all that the language knows about it: its words, the type of its members,
//! and how its values and domains are made, counted, listed and checked. Types, domains and values have one variant for
//! all collections and ask the constructor.

mod function;
mod mset;
mod partition;
mod permutation;
mod relation;
mod sequence;
mod set;

use super::{
    GroundDomain, Type, Value,
    attributes::{Attributes, Clause, Measure, Property, Size},
    document::LayoutDocument,
    domain::{
        DomainRole, OutsideReason, ValueIterator, ValueStep,
        contains::{Checked, check_components, check_members, fail},
        count::{LARGEST_TABLE, choose, falling, power, product, range, sum},
        enumerate::{GrammarWords, Letter, SizeRange, WordGrammar, following},
        estimate::{log2_subsets, log2_sum, times},
        pool::Pool,
        shapes::{self, components, join, least, places, values},
    },
    print::MemberNames,
};
use function::{distinct_images, maps, targets};
pub(crate) use permutation::cycles;
use rustc_hash::FxHashSet;
pub(crate) use set::subsets_of;
use set::{SubsetWords, subsets};
use std::{fmt, ops::Range, sync::Arc};

/// A collection constructor: what kind of collection a literal, a value or a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Collection {
    Set,
    MSet,
    Function,
    Sequence,
    Relation,
    Partition,
    Permutation,
}

impl Collection {
    pub(crate) const ALL: [Collection; 7] = [
        Collection::Set,
        Collection::MSet,
        Collection::Function,
        Collection::Sequence,
        Collection::Relation,
        Collection::Partition,
        Collection::Permutation,
    ];

    /// What the language knows about collections of this kind.
    pub(crate) fn row(self) -> &'static dyn Constructor {
        match self {
            Collection::Set => &set::Sets,
            Collection::MSet => &mset::Multisets,
            Collection::Function => &function::Functions,
            Collection::Sequence => &sequence::Sequences,
            Collection::Relation => &relation::Relations,
            Collection::Partition => &partition::Partitions,
            Collection::Permutation => &permutation::Permutations,
        }
    }

    /// Whether the members are pairs that are looked up by their first item.
    pub(crate) fn is_keyed(self) -> bool {
        self.row().has_pairs() || self.row().has_places()
    }

    /// Whether the members are values of their own, not tuples that the constructor makes.
    pub(crate) fn has_plain_members(self) -> bool {
        self.row().item(0).is_none()
    }

    /// The word that begins a literal and a domain of this kind.
    pub(crate) fn keyword(self) -> &'static str {
        self.row().keyword()
    }
}

/// The keyword.
impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword())
    }
}

/// What the language knows about a constructor. In types and domains, the constructor is applied to *parts*.
pub(crate) trait Constructor: Sync {
    /// The word that begins a literal and a domain.
    fn keyword(&self) -> &'static str;

    /// The word in sentences.
    fn noun(&self) -> &'static str {
        self.keyword()
    }

    /// An example of a literal.
    fn example(&self) -> &'static str;

    /// A value of a type as it is written.
    fn print(&self, names: &MemberNames, value: &Value, ty: &Type) -> LayoutDocument {
        let member = ty.listed_member().unwrap_or(Type::Any);
        let members: Vec<LayoutDocument> = value.listed().iter().map(|item| names.value(item, &member)).collect();
        let (open, close) = self.brackets();
        LayoutDocument::list(&open, members, close)
    }

    /// What is written around the members in a literal.
    fn brackets(&self) -> (String, &'static str) {
        (format!("{}(", self.keyword()), ")")
    }

    /// What is written before, between and after the parts.
    fn notation(&self) -> (&'static str, &'static str, &'static str) {
        (" of ", "", "")
    }

    /// The types of the components of the members, where these are tuples that the constructor makes; if each member
    /// has a place, its type is `place`.
    fn components(&self, _parts: &Arc<[Type]>, _place: Type) -> Option<Arc<[Type]>> {
        None
    }

    /// The type of the members.
    fn member(&self, parts: &Arc<[Type]>, place: Type) -> Type {
        match self.components(parts, place) {
            Some(types) => Type::of_tuple(&types),
            None => parts[0].clone(),
        }
    }

    /// The name of a part in sentences and in paths to it.
    fn part_name(&self, _position: usize) -> String {
        "member".to_owned()
    }

    /// The item of each member that a part is the domain of; `None` if the members are not tuples.
    fn item(&self, _position: usize) -> Option<usize> {
        None
    }

    /// The noun for what the size counts.
    fn counted(&self) -> &'static str {
        "member"
    }

    /// The parts of which a collection takes some values, whatever other values there are.
    fn open_parts(&self, parts: usize) -> Range<usize> {
        0..parts
    }

    /// The nouns for a member and for an argument in sentences.
    fn entry_nouns(&self) -> (&'static str, &'static str) {
        ("member", "argument")
    }

    /// Whether values keep the members as pairs.
    fn has_pairs(&self) -> bool {
        false
    }

    /// Whether each member has a place, which literals do not write.
    fn has_places(&self) -> bool {
        false
    }

    /// Whether a member may occur several times, wherever it is.
    fn has_occurrences(&self) -> bool {
        false
    }

    /// The number that `|x|` and `size` speak of.
    fn size_of(&self, value: &Value) -> usize {
        value.items().len() + value.pairs().len()
    }

    /// Whether there is a member for each value of the domain, of which values keep only those that differ from their
    /// images.
    fn has_fixed_points(&self) -> bool {
        false
    }

    /// Whether a literal writes each member as an expression.
    fn writes_members(&self) -> bool {
        !self.has_pairs()
    }

    /// Why members in a literal may contradict each other.
    fn contradiction(&self) -> &'static str {
        "a member occurs twice"
    }

    /// The collection of members in the order of a literal; `None` if they contradict each other. Repetitions are
    /// ignored if the collection cannot have any.
    fn value(&self, members: Vec<Value>) -> Option<Value>;

    /// The domain of the members.
    fn member_domain(&self, _attributes: &Attributes<i64>, mut parts: Vec<GroundDomain>) -> GroundDomain {
        parts.swap_remove(0)
    }

    /// The domains of the parts of collections with such members, of which a sequence has no places.
    fn parts_of_member(&self, member: GroundDomain) -> Option<Vec<GroundDomain>> {
        Some(vec![member])
    }

    /// The domains that the pairs or tuples are between, for attributes.
    fn sides<'d>(&self, _parts: &'d [GroundDomain]) -> Vec<&'d GroundDomain> {
        Vec::new()
    }

    /// The number of collections in a domain; `None` if it is infinite or cannot be told.
    fn size(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<u128>;

    /// Whether only a bound on its size makes a domain of finite parts finite.
    fn needs_size(&self) -> bool {
        false
    }

    /// Whether the number of collections in a domain is finite.
    fn is_finite(&self, _attributes: &Attributes<i64>, parts: &[GroundDomain]) -> bool {
        parts.iter().all(GroundDomain::is_finite)
    }

    /// The binary logarithm of a bound on the number of collections in a domain.
    fn log2_bound(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> f64;

    /// The collections in a finite domain, ascending.
    fn members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> ValueIterator;

    /// The largest number of members of a collection in a domain.
    fn most_members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<i64>;

    /// Calls `entry` for each entry of a value with the domain that it should lie in, if such a domain is written.
    fn for_each_entry(&self, parts: &[GroundDomain], value: &Value, entry: EntryVisitor) {
        for member in value.items() {
            entry(&|| ValueStep::Member(member.clone()), &parts[0], member);
        }
    }

    /// Checks a member whose domain is not written; `None` if it has another shape.
    fn check_member(&self, _parts: &[GroundDomain], _member: &Value, _role: DomainRole) -> Option<Checked> {
        Some(Ok(()))
    }

    /// Checks what is not about single entries.
    fn check_whole(&self, _: (&Attributes<i64>, &[GroundDomain]), _value: &Value, _role: DomainRole) -> Checked {
        Ok(())
    }
}

/// A visitor of the entries of a value: the step to the entry, the entry's domain, and the entry.
type EntryVisitor<'a> = &'a mut dyn FnMut(&dyn Fn() -> ValueStep, &GroundDomain, &Value);

/// The pairs that these tuples are.
fn pairs(members: &[Value]) -> Vec<(Value, Value)> {
    members
        .iter()
        .filter_map(|member| <&[Value; 2]>::try_from(member.components()).ok().cloned())
        .map(Into::into)
        .collect()
}
