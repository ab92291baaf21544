//! The constructors of collections: sets, functions and the like.
//!
//! Each constructor has a file with everything that is specific to it: its words, the form of its members, and how its
//! values and domains are made, counted and listed. Properties of the form are in `form.rs`. Types, domains and values
//! have one variant for all collections and call the constructor.

mod form;
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
        count::{LARGEST_TABLE, binomial, checked_power, falling, product_of_factors, size_range, sum_of_terms},
        enumerate::{GrammarWords, Letter, SizeRange, WordGrammar, following},
        estimate::{log2_subsets, log2_sum, times},
        pool::Pool,
        shapes::{self, components, domain_value_count, join, least, sequence_indices},
    },
    print::MemberNames,
};
pub(crate) use form::MemberForm;
use function::{distinct_images, maps, targets};
pub(crate) use permutation::cycles;
use rustc_hash::FxHashSet;
pub(crate) use set::subsets_of;
use set::{SubsetWords, subset_count_of};
use std::{fmt, ops::Range, sync::Arc};

/// A collection constructor: the kind of a collection literal, value or term.
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

    /// The constructor of this kind, with everything that is specific to it.
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

    /// The constructor with this keyword.
    pub(crate) fn named(word: &str) -> Option<Collection> {
        Collection::ALL.into_iter().find(|kind| kind.keyword() == word)
    }

    /// The form of the members.
    pub(crate) fn form(self) -> MemberForm {
        self.row().form()
    }

    /// The word between the keyword and the parts of a domain, if there is one.
    pub(crate) fn word_before_parts(self) -> Option<&'static str> {
        self.row().notation().0.split_whitespace().next()
    }

    /// The word at the start of a literal and a domain of this kind.
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

/// The properties of a constructor. In types and domains, the constructor is applied to *parts*.
pub(crate) trait Constructor: Sync {
    /// The word at the start of a literal and a domain.
    fn keyword(&self) -> &'static str;

    /// The word in sentences.
    fn noun(&self) -> &'static str {
        self.keyword()
    }

    /// The indefinite article before the keyword.
    fn article(&self) -> &'static str {
        "a"
    }

    /// The form of the members.
    fn form(&self) -> MemberForm;

    /// An example of a literal.
    fn example(&self) -> &'static str;

    /// Prints a value of this type.
    fn print(&self, names: &MemberNames, value: &Value, ty: &Type) -> LayoutDocument {
        let member = ty.listed_member().unwrap_or(Type::Any);
        let members: Vec<LayoutDocument> = value.listed().iter().map(|item| names.value(item, &member)).collect();
        let (open, close) = self.brackets();
        LayoutDocument::list(&open, members, close)
    }

    /// The brackets around the members in a literal.
    fn brackets(&self) -> (String, &'static str) {
        (format!("{}(", self.keyword()), ")")
    }

    /// The texts before, between and after the parts.
    fn notation(&self) -> (&'static str, &'static str, &'static str) {
        (" of ", "", "")
    }

    /// Returns true if a member may occur several times without a position.
    fn has_occurrences(&self) -> bool {
        false
    }

    /// The number that `|x|` and `size` refer to.
    fn size_of(&self, value: &Value) -> usize {
        value.items().len() + value.pairs().len()
    }

    /// The reason why members of a literal may contradict each other.
    fn contradiction(&self) -> &'static str {
        "a member occurs twice"
    }

    /// The collection of members in the order of a literal; `None` if they contradict each other. Repeated members are
    /// ignored if the collection does not count them.
    fn value(&self, members: Vec<Value>) -> Option<Value>;

    /// The number of collections in a domain; `None` if it is infinite or unknown.
    fn size(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<u128>;

    /// The help for a domain that is infinite although its parts are finite; `None` if there are no such domains.
    fn size_advice(&self) -> Option<&'static str> {
        None
    }

    /// Returns true if a domain of finite parts is finite only with a bound on its size.
    fn needs_size(&self) -> bool {
        self.size_advice().is_some()
    }

    /// Returns true if all collections in a domain have the same size, so that attributes of the size have no effect.
    fn has_fixed_size(&self) -> bool {
        false
    }

    /// Returns true if the number of collections in a domain is finite.
    fn is_finite(&self, _attributes: &Attributes<i64>, parts: &[GroundDomain]) -> bool {
        parts.iter().all(GroundDomain::is_finite)
    }

    /// The binary logarithm of a bound on the number of collections in a domain.
    fn log2_bound(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> f64;

    /// The collections in a finite domain in ascending order.
    fn members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> ValueIterator;

    /// The largest number of members of a collection in a domain.
    fn most_members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<i64>;

    /// Checks the conditions that are not about single entries.
    fn check_whole(&self, _: (&Attributes<i64>, &[GroundDomain]), _value: &Value, _role: DomainRole) -> Checked {
        Ok(())
    }
}

/// The pairs of items in tuples of two.
fn pairs_of_tuples(members: &[Value]) -> Vec<(Value, Value)> {
    members
        .iter()
        .filter_map(|member| <&[Value; 2]>::try_from(member.components()).ok().cloned())
        .map(Into::into)
        .collect()
}
