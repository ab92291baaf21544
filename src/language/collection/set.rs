//! Sets.

use super::*;

pub(super) struct Sets;

impl Constructor for Sets {
    fn keyword(&self) -> &'static str {
        "set"
    }

    fn form(&self) -> MemberForm {
        MemberForm::Values
    }

    fn example(&self) -> &'static str {
        "{x, y, …}"
    }

    fn value(&self, members: Vec<Value>) -> Option<Value> {
        Some(Value::set(members))
    }

    fn brackets(&self) -> (String, &'static str) {
        ("{".to_owned(), "}")
    }

    fn size(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<u128> {
        subset_count_of(parts[0].size(), attributes.size())
    }

    fn log2_bound(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> f64 {
        log2_subsets(parts[0].log2(), attributes.size(), 0.0)
    }

    fn members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> ValueIterator {
        Box::new(subset_words(Pool::new(&parts[0]), attributes.size(), Collection::Set))
    }

    fn most_members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<i64> {
        least(attributes.size().max, domain_value_count(&parts[0]))
    }
}

impl Value {
    pub(crate) fn set(mut members: Vec<Value>) -> Value {
        members.sort_unstable();
        members.dedup();
        Value::ascending_set(members.into())
    }

    /// The set of these members, which are in ascending order.
    pub(crate) fn ascending_set(members: Arc<[Value]>) -> Value {
        Value::Collection(Collection::Set, members)
    }

    /// The members of a set.
    pub(crate) fn as_set(&self) -> Option<&Arc<[Value]>> {
        if let Value::Collection(Collection::Set, members) = self { Some(members) } else { None }
    }
}

impl Type {
    /// The type of sets with members of this type.
    pub(crate) fn set(member: Type) -> Type {
        Type::of(Collection::Set, [member])
    }

    /// The type of the members of sets.
    pub(crate) fn as_set(&self) -> Option<&Type> {
        if let Type::Collection(Collection::Set, parts) = self { Some(&parts[0]) } else { None }
    }
}

impl GroundDomain {
    /// The domain of sets of such members.
    pub(crate) fn set(member: GroundDomain) -> GroundDomain {
        GroundDomain::of(Collection::Set, [member])
    }

    /// The domain of sets with members of this domain, and their number within bounds.
    pub(crate) fn set_of_size(size: Size<i64>, member: GroundDomain) -> GroundDomain {
        GroundDomain::Collection(Collection::Set, Attributes::sized(size), vec![member])
    }
}

pub(super) fn subset_count_of(members: Option<u128>, size: &Size<i64>) -> Option<u128> {
    sum_of_terms(size_range(size, members), |count| if count == 0 { Some(1) } else { binomial(members?, count) })
}

fn subset_words(pool: Pool, size: &Size<i64>, kind: Collection) -> GrammarWords<SubsetWords> {
    GrammarWords::new(SubsetWords { bounds: SizeRange::new(size), pool, kind })
}

/// Ascending words without repetition.
pub(super) struct SubsetWords {
    pub bounds: SizeRange,
    pub pool: Pool,
    pub kind: Collection,
}

impl WordGrammar for SubsetWords {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        let letter = following(previous.or(word.last().copied()), 0);
        // A word that cannot reach the minimum size is not started.
        let missing = self.bounds.min.saturating_sub(word.len()).max(1);
        (self.bounds.admits_more(word.len()) && self.pool.has_at_least(letter.saturating_add(missing)))
            .then_some((letter, 0))
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        self.bounds.contains(word.len())
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        Value::Collection(self.kind, word.iter().map(|letter| self.pool.get(letter.0)).collect())
    }
}

/// The subsets of a set with a size within bounds. The members are given in ascending order.
pub(crate) fn subsets_of(members: Vec<Value>, size: &Size<i64>) -> impl Iterator<Item = Value> + use<> {
    subset_words(Pool::listed(members), size, Collection::Set)
}
