//! The integer terms of the encoder: the terms of the problem, and terms made of them here, such as partial sums. The
//! values of a term and its definition are known before it has any literals.

use super::*;
use crate::problem::{floor_quotient, floor_remainder};
use crate::solver::tuning::encoding::LOG_LITERAL;
use std::{cmp::Reverse, collections::BinaryHeap};

/// The largest value of a term.
const LARGEST: i128 = (i64::MAX / 2) as i128;

/// An integer term of the problem or of the encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct EncodedTerm(u32);

impl EncodedTerm {
    pub(crate) fn of(term: Int) -> EncodedTerm {
        EncodedTerm(term.index() as u32)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The definition of a term of the encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TermSource {
    /// `factor · term + offset`
    View {
        factor: i64,
        term: EncodedTerm,
        offset: i64,
    },
    /// The sum of two terms, or `most` if the sum is larger.
    Sum {
        left: EncodedTerm,
        right: EncodedTerm,
        most: i64,
    },
    Product(EncodedTerm, EncodedTerm),
    /// The quotient or the remainder of a division with floor rounding.
    Division {
        operation: Operation,
        left: EncodedTerm,
        right: EncodedTerm,
    },
}

/// The state of a term.
#[derive(Clone, Default)]
struct TermEntry {
    domain: Option<Arc<EncodedDomain>>,
    /// The view of a partial sum that a sum of the problem has become, if it has been examined.
    sum: Option<Option<TermSource>>,
}

/// The integer terms.
pub(super) struct EncodedTerms<'p> {
    pub problem: &'p Problem,
    pub options: EncodingOptions,
    /// The maximum number of clauses for the partial sums of a sum that is used as a number, by the options and the
    /// remaining budget.
    pub most_for_sum: u64,
    /// The integer terms of the problem, room for further ones, then the terms of the encoder.
    entries: Vec<TermEntry>,
    /// The index of the first term of the encoder.
    first_made: usize,
    /// The definitions of the terms of the encoder.
    made: Vec<TermSource>,
    made_index: FxHashMap<TermSource, EncodedTerm>,
}

impl<'p> EncodedTerms<'p> {
    pub(super) fn new(problem: &'p Problem, options: EncodingOptions, most_for_sum: u64) -> Self {
        // Indices are reserved, so the encoder's terms keep theirs when the problem gets further terms.
        let first_made = problem.int_count() + options.reserved;
        EncodedTerms {
            problem,
            options,
            most_for_sum,
            entries: vec![TermEntry::default(); first_made],
            first_made,
            made: Vec::new(),
            made_index: FxHashMap::default(),
        }
    }

    /// Replaces the problem with one that has its terms.
    pub(super) fn onto(self, problem: &Problem) -> EncodedTerms<'_> {
        let EncodedTerms { problem: _, options, most_for_sum, entries, first_made, made, made_index } = self;
        EncodedTerms { problem, options, most_for_sum, entries, first_made, made, made_index }
    }

    /// Returns true if there is room for all terms of a problem.
    pub(super) fn has_room_for(&self, problem: &Problem) -> bool {
        problem.int_count() <= self.first_made
    }

    /// Removes values of a term that the constraints exclude.
    pub(super) fn narrow(&mut self, term: EncodedTerm, values: &IntSet) {
        self.entries[term.index()].domain = Some(Arc::new(EncodedDomain::new(values.ranges())));
    }

    /// Returns the values of a term, if they have been computed.
    pub(super) fn known_domain(&self, term: EncodedTerm) -> Option<&EncodedDomain> {
        self.entries[term.index()].domain.as_deref()
    }

    fn make(&mut self, source: TermSource, domain: EncodedDomain) -> EncodedTerm {
        if let Some(term) = self.made_index.get(&source) {
            return *term;
        }
        let term = EncodedTerm(self.entries.len() as u32);
        self.made.push(source);
        self.made_index.insert(source, term);
        self.entries.push(TermEntry { domain: Some(Arc::new(domain)), sum: None });
        term
    }

    /// Returns `factor · term + offset`; the factor is not 0.
    pub(super) fn view(&mut self, factor: i64, term: EncodedTerm, offset: i64) -> Result<EncodedTerm> {
        if factor == 1 && offset == 0 {
            return Ok(term);
        }
        // A view of a view becomes a single view, so equal terms are shared.
        if let Some(TermSource::View { factor: inner, term, offset: shift }) = self.source(term) {
            let offset = factor.checked_mul(shift).and_then(|shift| shift.checked_add(offset));
            let (factor, offset) = factor.checked_mul(inner).zip(offset).ok_or(Refused::Values)?;
            return self.view(factor, term, offset);
        }
        let domain = self.view_domain(factor, term, offset);
        Ok(self.make(TermSource::View { factor, term, offset }, domain))
    }

    fn view_domain(&mut self, factor: i64, term: EncodedTerm, offset: i64) -> EncodedDomain {
        let domain = self.domain(term);
        let image =
            |value: i64| (i128::from(factor) * i128::from(value) + i128::from(offset)).clamp(-LARGEST, LARGEST) as i64;
        let image_of_range = |(low, high)| (image(low).min(image(high)), image(low).max(image(high)));
        if factor.abs() == 1 {
            let mut ranges: Vec<(i64, i64)> = domain.ranges().map(image_of_range).collect();
            if factor < 0 {
                ranges.reverse();
            }
            return EncodedDomain::new(&ranges);
        }
        // A domain that is too large to enumerate is approximated by a range; the term is log-encoded.
        if domain.size() > self.options.log_above {
            return EncodedDomain::new(&[image_of_range((domain.min(), domain.max()))]);
        }
        let mut values: Vec<i64> = domain.values().map(image).collect();
        if factor < 0 {
            values.reverse();
        }
        EncodedDomain::of_values(&values)
    }

    /// Returns the definition of a term whose literals are made from the literals of other terms.
    pub(super) fn source(&mut self, term: EncodedTerm) -> Option<TermSource> {
        match term.index().checked_sub(self.first_made) {
            Some(made) => Some(self.made[made]),
            None => match self.problem.int_node(self.problem.int(term.index())) {
                IntNode::Linear(terms, offset) => match terms[..] {
                    [(factor, inner)] => {
                        Some(TermSource::View { factor, term: EncodedTerm::of(inner), offset: *offset })
                    }
                    _ => self.source_of_sum(term, terms, *offset),
                },
                _ => None,
            },
        }
    }

    fn source_of_sum(&mut self, term: EncodedTerm, terms: &[(i64, Int)], offset: i64) -> Option<TermSource> {
        // The budget shrinks, but a term must keep its definition, so the first decision is kept.
        if let Some(known) = self.entries[term.index()].sum {
            return known;
        }
        let sum = self.sum_of_node(terms);
        let source = sum.and_then(|(sum, constant)| {
            let offset = i64::try_from(i128::from(offset) + constant).ok()?;
            Some(TermSource::View { factor: 1, term: sum, offset })
        });
        self.entries[term.index()].sum = Some(source);
        source
    }

    /// Returns the node of a term of the problem.
    pub(super) fn node(&self, term: EncodedTerm) -> Option<&IntNode> {
        let index = term.index();
        (index < self.problem.int_count()).then(|| self.problem.int_node(self.problem.int(index)))
    }

    /// Returns the values of a term.
    pub(super) fn domain(&mut self, term: EncodedTerm) -> Arc<EncodedDomain> {
        if let Some(domain) = &self.entries[term.index()].domain {
            return domain.clone();
        }
        let domain = match self.source(term) {
            Some(TermSource::View { factor, term, offset }) => self.view_domain(factor, term, offset),
            _ => EncodedDomain::new(self.problem.values(self.problem.int(term.index())).ranges()),
        };
        let domain = Arc::new(domain);
        self.entries[term.index()].domain = Some(domain.clone());
        domain
    }

    /// Returns true if the term has bits only (log encoding).
    pub(super) fn is_log_encoded(&mut self, term: EncodedTerm) -> bool {
        match self.source(term) {
            Some(TermSource::View { term, .. }) => self.is_log_encoded(term),
            _ => self.domain(term).size() > self.options.log_above,
        }
    }

    pub(super) fn any_wide(&mut self, terms: &[EncodedTerm]) -> bool {
        terms.iter().any(|term| self.is_log_encoded(*term))
    }

    /// Returns true if adders define the bits of the term: it is a view, or a sum without other literals.
    pub(super) fn is_sum(&mut self, term: EncodedTerm) -> bool {
        match self.source(term) {
            Some(TermSource::View { .. }) => true,
            Some(TermSource::Sum { .. }) => self.is_log_encoded(term),
            Some(_) => false,
            None => self.is_log_encoded(term) && matches!(self.node(term), Some(IntNode::Linear(..))),
        }
    }

    /// Returns true if a function of two terms has too many pairs of values to be written value by value.
    pub(super) fn needs_bits(&mut self, whole: EncodedTerm, left: EncodedTerm, right: EncodedTerm) -> bool {
        if self.is_log_encoded(left) || self.is_log_encoded(right) {
            return true;
        }
        let (one, other) = (self.domain(left).size(), self.domain(right).size());
        // If both operands are the same term, only pairs of equal values occur.
        let pairs = if left == right { one } else { one.saturating_mul(other) };
        // If a value consists of bits, its literal needs clauses of its own.
        pairs.saturating_mul(if self.is_log_encoded(whole) { LOG_LITERAL } else { 1 }) > self.options.by_pairs
    }

    /// Multiplies terms by their coefficients; terms with a single value are summed up separately.
    pub(super) fn free_terms(&mut self, terms: &[(i64, Int)], sign: i64) -> Result<(Vec<EncodedTerm>, i128)> {
        let mut constant = 0;
        let mut free = Vec::with_capacity(terms.len());
        for &(coefficient, term) in terms {
            let term = EncodedTerm::of(term);
            let domain = self.domain(term);
            if domain.size() == 1 {
                constant += i128::from(sign) * i128::from(coefficient) * i128::from(domain.min());
            } else {
                free.push(self.view(sign * coefficient, term, 0)?);
            }
        }
        Ok((free, constant))
    }

    pub(super) fn sum_bounds(&mut self, terms: &[EncodedTerm]) -> (i128, i128) {
        terms.iter().fold((0, 0), |(low, high), term| {
            let domain = self.domain(*term);
            (low + i128::from(domain.min()), high + i128::from(domain.max()))
        })
    }

    /// Returns `constant − term`.
    pub(super) fn opposite(&mut self, term: EncodedTerm, constant: i128) -> Result<EncodedTerm> {
        let constant = i64::try_from(constant).map_err(|_| Refused::Values)?;
        self.view(-1, term, constant)
    }

    /// Returns the negations of terms.
    pub(super) fn opposites(&mut self, terms: &[EncodedTerm]) -> Result<Vec<EncodedTerm>> {
        terms.iter().map(|term| self.opposite(*term, 0)).collect()
    }

    /// Estimates the number of clauses for partial sums down to `keep` terms, including the last constraint. All sums
    /// that exceed the least one by more than the slack count as one value.
    pub(super) fn partial_sums_cost(&mut self, terms: &[EncodedTerm], keep: usize, slack: Option<i128>) -> u128 {
        let most = slack.map_or(u128::MAX, |slack| slack as u128 + 2);
        let mut sizes: BinaryHeap<Reverse<(u128, u128)>> = BinaryHeap::new();
        for term in terms {
            let domain = self.domain(*term);
            sizes.push(Reverse((domain.size(), (i128::from(domain.max()) - i128::from(domain.min())) as u128)));
        }
        let mut cost = 0u128;
        // The smallest domains come first, as in `partial_sums`, but no sums are made.
        while sizes.len() > keep {
            let (Some(Reverse(one)), Some(Reverse(other))) = (sizes.pop(), sizes.pop()) else { break };
            let pairs = one.0.saturating_mul(other.0);
            cost = cost.saturating_add(pairs.saturating_mul(2));
            let span = one.1.saturating_add(other.1);
            // The number of values is bounded by the pairs, by the range of the sum and by the slack.
            let values = pairs.min(span.saturating_add(1)).min(most);
            if values > self.options.log_above {
                return u128::MAX;
            }
            sizes.push(Reverse((values, span)));
        }
        let mut last = 1u128;
        for _ in 1..keep {
            last = last.saturating_mul(sizes.pop().map_or(1, |Reverse(size)| size.0));
        }
        cost.saturating_add(last)
    }

    /// Adds up the terms with the fewest values until `keep` terms are left. All sums that exceed the least one by more
    /// than the slack are the same.
    pub(super) fn partial_sums(
        &mut self,
        terms: Vec<EncodedTerm>,
        keep: usize,
        slack: Option<i128>,
    ) -> Vec<EncodedTerm> {
        let mut heap: BinaryHeap<Reverse<(u128, EncodedTerm)>> = BinaryHeap::new();
        for term in terms {
            heap.push(Reverse((self.domain(term).size(), term)));
        }
        while heap.len() > keep {
            let (Some(Reverse((_, one))), Some(Reverse((_, other)))) = (heap.pop(), heap.pop()) else { break };
            let sum = self.sum(one, other, slack);
            heap.push(Reverse((self.domain(sum).size(), sum)));
        }
        heap.into_iter().map(|Reverse((_, term))| term).collect()
    }

    fn sum(&mut self, left: EncodedTerm, right: EncodedTerm, slack: Option<i128>) -> EncodedTerm {
        // Addition is commutative, so ordered operands let equal sums share one term.
        let (left, right) = (left.min(right), left.max(right));
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        let most = slack
            .and_then(|slack| i64::try_from(i128::from(of_left.min()) + i128::from(of_right.min()) + slack + 1).ok())
            .filter(|most| *most < of_left.max() + of_right.max())
            .unwrap_or(i64::MAX);
        let mut values: Vec<i64> =
            of_left.values().flat_map(|one| of_right.values().map(move |other| (one + other).min(most))).collect();
        values.sort_unstable();
        values.dedup();
        self.make(TermSource::Sum { left, right, most }, EncodedDomain::of_values(&values))
    }

    /// Defines a sum that is used as a number by partial sums, if they are affordable.
    fn sum_of_node(&mut self, terms: &[(i64, Int)]) -> Option<(EncodedTerm, i128)> {
        let (terms, constant) = self.free_terms(terms, 1).ok()?;
        if self.partial_sums_cost(&terms, 1, None) > self.most_for_sum.into() {
            return None;
        }
        match self.partial_sums(terms, 1, None).as_slice() {
            [sum] => Some((*sum, constant)),
            _ => None,
        }
    }

    /// Makes the term of the quotient or the remainder of a division.
    pub(super) fn division(
        &mut self,
        left: EncodedTerm,
        right: EncodedTerm,
        operation: Operation,
    ) -> Result<EncodedTerm> {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        let (a, b) = (i128::from(of_left.min()), i128::from(of_left.max()));
        let (c, d) = (i128::from(of_right.min()), i128::from(of_right.max()));
        let mut values = vec![0];
        if operation == Operation::Remainder {
            // A remainder has the sign of the divisor and lies strictly between the divisor and 0, or is 0.
            values.extend([(c + 1).min(0), (d - 1).max(0)]);
            if c == d {
                values.retain(|value| floor_remainder(*value, c) == *value);
            }
        } else {
            // A quotient is extreme at the ends of the dividend and the divisor, or at the divisors nearest to 0.
            let divisors = [c, d, 1, -1];
            for divisor in divisors.into_iter().filter(|divisor| (c..=d).contains(divisor)) {
                values.extend([floor_quotient(a, divisor), floor_quotient(b, divisor)]);
            }
        }
        let domain =
            range(values.iter().copied().fold((0, 0), |(low, high), value| (low.min(value), high.max(value))))?;
        Ok(self.make(TermSource::Division { operation, left, right }, domain))
    }

    /// Makes the term of `quotient · right`, which differs from `left` by less than the absolute value of the divisor.
    pub(super) fn quotient_product(
        &mut self,
        left: EncodedTerm,
        right: EncodedTerm,
        quotient: EncodedTerm,
    ) -> Result<EncodedTerm> {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        let most = i128::from(of_right.min()).abs().max(i128::from(of_right.max()).abs());
        let low = (i128::from(of_left.min()) - most).min(0);
        let high = (i128::from(of_left.max()) + most).max(0);
        Ok(self.make(TermSource::Product(quotient, right), range((low, high))?))
    }

    /// Makes the term of the product of two others.
    pub(super) fn product_term(&mut self, left: EncodedTerm, right: EncodedTerm) -> Result<EncodedTerm> {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        let ends = [of_left.min(), of_left.max()].map(i128::from);
        let products = ends
            .iter()
            .flat_map(|one| [of_right.min(), of_right.max()].map(|other| one.saturating_mul(i128::from(other))));
        let (low, high) = products.fold((0, 0), |(low, high), product| (low.min(product), high.max(product)));
        if low < -LARGEST || high > LARGEST {
            return Err(Refused::Values);
        }
        Ok(self.make(TermSource::Product(left, right), range((low, high))?))
    }
}

/// The domain of all values between two.
fn range(bounds: (i128, i128)) -> Result<EncodedDomain> {
    let (low, high) = bounds;
    match (i64::try_from(low), i64::try_from(high)) {
        (Ok(low), Ok(high)) => Ok(EncodedDomain::new(&[(low, high)])),
        _ => Err(Refused::Values),
    }
}
