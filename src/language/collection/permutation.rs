//! Permutations: the members are pairs of a point that is moved and its image.

use super::*;

pub(super) struct Permutations;

impl Constructor for Permutations {
    fn keyword(&self) -> &'static str {
        "permutation"
    }

    fn form(&self) -> MemberForm {
        MemberForm::Cycles
    }

    fn example(&self) -> &'static str {
        "permutation((x, y), …)"
    }

    fn contradiction(&self) -> &'static str {
        "a point occurs twice"
    }

    /// The members are all pairs of the cycles: the points are different, and the images are the same points.
    fn value(&self, members: Vec<Value>) -> Option<Value> {
        let mut pairs = pairs_of_tuples(&members);
        pairs.sort_unstable();
        let mut images: Vec<&Value> = pairs.iter().map(|pair| &pair.1).collect();
        images.sort_unstable();
        let repeated = pairs.windows(2).any(|two| two[0].0 == two[1].0);
        if repeated || !pairs.iter().map(|pair| &pair.0).eq(images) {
            return None;
        }
        // In normal form, a permutation omits its fixed points.
        pairs.retain(|(point, image)| point != image);
        Some(Value::Mapping(Collection::Permutation, pairs.into()))
    }

    fn print(&self, names: &MemberNames, value: &Value, ty: &Type) -> LayoutDocument {
        let point = ty.as_collection().map_or(&Type::Any, |(_, parts)| &parts[0]);
        let cycle = |cycle: Vec<Value>| {
            LayoutDocument::list("(", cycle.iter().map(|item| names.value(item, point)).collect::<Vec<_>>(), ")")
        };
        LayoutDocument::list("permutation(", cycles(value.pairs()).into_iter().map(cycle), ")")
    }

    fn size(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<u128> {
        let points = parts[0].size()?;
        sum_of_terms(size_range(attributes.bounds(Measure::Moved), Some(points)), |count| {
            binomial(points, count)?.checked_mul(derangements(count)?)
        })
    }

    fn log2_bound(&self, _: &Attributes<i64>, parts: &[GroundDomain]) -> f64 {
        let values = parts[0].log2();
        times(values.exp2(), values)
    }

    fn members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> ValueIterator {
        Box::new(GrammarWords::new(PermutationWords {
            moved: SizeRange::new(attributes.bounds(Measure::Moved)),
            pool: Pool::new(&parts[0]),
        }))
    }

    fn most_members(&self, _: &Attributes<i64>, parts: &[GroundDomain]) -> Option<i64> {
        domain_value_count(&parts[0])
    }
}

/// The number of permutations of `n` elements that move all of them.
fn derangements(n: u128) -> Option<u128> {
    let (mut before, mut current) = (0u128, 1u128);
    for step in 1..=n {
        // D(n) = (n - 1) · (D(n - 1) + D(n - 2))
        (before, current) = (current, (step - 1).checked_mul(current.checked_add(before)?)?);
    }
    Some(current)
}

/// Words of moved points with their images, ascending in the point.
struct PermutationWords {
    moved: SizeRange,
    pool: Pool,
}

impl WordGrammar for PermutationWords {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        if !self.moved.admits_more(word.len()) {
            return None;
        }
        let is_point = |point: usize| word.iter().any(|letter| letter.0 == point);
        let is_image = |point: usize| word.iter().any(|letter| letter.1 == point);
        let first = word.last().map_or(0, |letter| letter.0 + 1);
        // If an image is not yet a point, it must become one, and the points ascend.
        let last = word.iter().map(|letter| letter.1).filter(|image| !is_point(*image)).min().unwrap_or(usize::MAX);
        let (mut point, mut image) = previous.map_or((first, 0), |letter| (letter.0, letter.1 + 1));
        while point <= last && self.pool.has(point) {
            if !self.pool.has(image) {
                (point, image) = (point + 1, 0);
            } else if image == point || is_image(image) || (image < point && !is_point(image)) {
                image += 1;
            } else {
                return Some((point, image));
            }
        }
        None
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        self.moved.contains(word.len()) && word.iter().all(|letter| word.iter().any(|other| other.0 == letter.1))
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        Value::Mapping(
            Collection::Permutation,
            word.iter().map(|letter| (self.pool.get(letter.0), self.pool.get(letter.1))).collect(),
        )
    }
}

/// The cycles of a permutation in ascending order, each from its smallest point.
pub(crate) fn cycles(pairs: &[(Value, Value)]) -> Vec<Vec<Value>> {
    let mut seen = vec![false; pairs.len()];
    let mut cycles = Vec::new();
    for start in 0..pairs.len() {
        let mut cycle = Vec::new();
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            cycle.push(pairs[at].0.clone());
            // The pairs are sorted by their points.
            at = pairs.binary_search_by(|pair| pair.0.cmp(&pairs[at].1)).unwrap_or(start);
        }
        if !cycle.is_empty() {
            cycles.push(cycle);
        }
    }
    cycles
}
