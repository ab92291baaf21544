//! Relations: sets of tuples.

use super::*;

pub(super) struct Relations;

impl Constructor for Relations {
    fn keyword(&self) -> &'static str {
        "relation"
    }

    fn form(&self) -> MemberForm {
        MemberForm::Tuples
    }

    fn example(&self) -> &'static str {
        "relation((x, y), …)"
    }

    fn notation(&self) -> (&'static str, &'static str, &'static str) {
        (" of (", " * ", ")")
    }

    fn value(&self, mut members: Vec<Value>) -> Option<Value> {
        members.sort_unstable();
        members.dedup();
        Some(Value::Collection(Collection::Relation, members.into()))
    }

    fn size(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<u128> {
        let pairs = product_of_factors(parts.iter().map(GroundDomain::size));
        if attributes.properties().is_empty() {
            return subset_count_of(pairs, attributes.size());
        }
        match pairs? {
            0..=COUNTED_ONE_BY_ONE => Some(self.members(attributes, parts).count() as u128),
            _ => relations(attributes, parts[0].size()?),
        }
    }

    fn log2_bound(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> f64 {
        log2_subsets(parts.iter().map(GroundDomain::log2).sum(), attributes.size(), 0.0)
    }

    fn members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> ValueIterator {
        let pool = Pool::new(&GroundDomain::Tuple(parts.to_vec()));
        let subsets = SubsetWords { bounds: SizeRange::new(attributes.size()), pool, kind: Collection::Relation };
        if attributes.properties().is_empty() {
            return Box::new(GrammarWords::new(subsets));
        }
        Box::new(GrammarWords::new(RelationWords {
            subsets,
            points: parts[0].members().count(),
            clauses: attributes.properties().iter().filter_map(|property| property.clause()).collect(),
            symmetric: attributes.has(Property::Symmetric),
            one_way: attributes.has(Property::AntiSymmetric) || attributes.has(Property::ASymmetric),
        }))
    }

    fn most_members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<i64> {
        let tuples = parts.iter().try_fold(1i64, |tuples, column| tuples.checked_mul(domain_value_count(column)?));
        least(attributes.size().max, tuples)
    }
}

/// The number of relations on `points` points whose properties are about any two points separately: the pairs between
/// two points can be chosen independently of all others.
fn relations(attributes: &Attributes<i64>, points: u128) -> Option<u128> {
    let clauses: Vec<Clause> = attributes.properties().iter().filter_map(|property| property.clause()).collect();
    if points > LARGEST_TABLE || !clauses.iter().all(Clause::is_local) {
        return None;
    }
    // Each array has the numbers of choices with 0, 1 and 2 pairs: for a point with itself, and for two different
    // points.
    let itself = [false, true].map(|related| clauses.iter().all(|clause| clause.holds_of([0, 0], &|_, _| related)));
    let itself = [itself[0], itself[1], false].map(u128::from);
    let between = |forth: bool, back: bool| {
        let related = |left: usize, _| if left == 0 { forth } else { back };
        let both_ways = |clause: &Clause| clause.holds_of([0, 1], &related) && clause.holds_of([1, 0], &related);
        u128::from(clauses.iter().filter(|clause| clause.points() == 2).all(both_ways))
    };
    let two = [between(false, false), between(true, false) + between(false, true), between(true, true)];
    // by_size[s] counts the relations with s pairs.
    let mut by_size = vec![1u128];
    for choices in std::iter::repeat_n(itself, points as usize)
        .chain(std::iter::repeat_n(two, (points * points.saturating_sub(1) / 2) as usize))
    {
        let mut next = vec![0u128; by_size.len() + 2];
        for (size, count) in by_size.iter().enumerate() {
            for (more, ways) in choices.iter().enumerate() {
                // This is the product of two generating functions, in which `choices` has the coefficients of one more
                // pair of points.
                next[size + more] = next[size + more].checked_add(count.checked_mul(*ways)?)?;
            }
        }
        by_size = next;
    }
    let sizes = size_range(attributes.size(), Some(by_size.len() as u128 - 1));
    sum_of_terms(sizes, |size| by_size.get(size as usize).copied())
}

/// Relations with properties that no formula counts are counted one by one, among the subsets of at most this many
/// pairs: 65,536 subsets.
const COUNTED_ONE_BY_ONE: u128 = 16;

/// Sets of pairs with properties. A word decides all pairs up to its last one, and some properties decide further
/// pairs. If these violate a property already, the walk backtracks.
struct RelationWords {
    subsets: SubsetWords,
    points: usize,
    clauses: Vec<Clause>,
    /// True if a pair is present if and only if its reverse is.
    symmetric: bool,
    one_way: bool,
}

impl RelationWords {
    fn violates(&self, word: &[Letter], is_complete: bool) -> bool {
        let mut present = vec![false; self.points * self.points];
        word.iter().for_each(|letter| present[letter.0] = true);
        let position = |left: usize, right: usize| left * self.points + right;
        let decided = |position: usize| is_complete || word.last().is_some_and(|last| position <= last.0);
        let holds = |left, right| present[position(left, right)];
        // A pair is certainly missing if its position has passed, or if the opposite pair excludes it.
        let missing = |left, right| {
            let back = position(right, left);
            !holds(left, right)
                && (decided(position(left, right))
                    || (self.symmetric && !present[back] && decided(back))
                    || (self.one_way && left != right && present[back]))
        };
        let pairs: Vec<(usize, usize)> =
            word.iter().map(|letter| (letter.0 / self.points, letter.0 % self.points)).collect();
        let points: Vec<usize> = (0..self.points).collect();
        self.clauses.iter().any(|clause| clause.counterexample(&pairs, &points, &holds, &missing).is_some())
    }
}

impl WordGrammar for RelationWords {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        let mut extended = word.to_vec();
        let mut letter = self.subsets.next(word, previous)?;
        loop {
            extended.push(letter);
            if !self.violates(&extended, false) {
                return Some(letter);
            }
            extended.pop();
            letter = self.subsets.next(word, Some(letter))?;
        }
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        self.subsets.accepts(word) && !self.violates(word, true)
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        self.subsets.value(word)
    }
}
