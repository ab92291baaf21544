//! Choices: "the value of the first alternative whose condition holds".
//!
//! Each alternative makes the term equal to its value if it is the first one that holds. A lookup by index has
//! conditions `x = c` on one term, which exclude each other already, and a lookup by two indices, such as the distance
//! of two towns, conditions `x = c ∧ y = d`; otherwise the condition of an alternative includes that no earlier one
//! holds.

use super::*;
use crate::problem::Entries;
use crate::solver::tuning::encoding::{REPEATED, SUPPORTED};
use rustc_hash::FxHashSet;

impl<S: ClauseSink> TermDefinition<'_, '_, S> {
    pub(super) fn choice(&mut self, alternatives: &[(Bool, Int)]) -> Result {
        let Some(((_, last), earlier)) = alternatives.split_last() else { return Ok(()) };
        match self.literals.terms.problem.index_of_choice(alternatives) {
            Some(index) => self.indexed(EncodedTerm::of(index), earlier, *last),
            None => match self.literals.terms.few_entries(alternatives) {
                Some(entries) => self.by_two_indices(&entries),
                None => self.guarded(earlier, *last),
            },
        }
    }

    /// Bounds the term for each value of one index by the numbers of the remaining values of the other index.
    fn by_two_indices(&mut self, entries: &Entries) -> Result {
        for side in [0, 1] {
            let [index, other] = [side, 1 - side].map(|side| EncodedTerm::of(entries.indices[side]));
            let (of_index, of_other) = (self.literals.terms.domain(index), self.literals.terms.domain(other));
            self.literals.out.afford(of_index.size().saturating_mul(of_other.size()).saturating_mul(4))?;
            for value in of_index.values() {
                let here = self.literals.equals(index, value)?;
                let mut row: Vec<(i64, Literal)> = Vec::with_capacity(of_other.len());
                for second in of_other.values() {
                    let values = if side == 0 { [value, second] } else { [second, value] };
                    let number = entries.number(values);
                    row.push((number, self.literals.equals(other, second)?));
                }
                row.sort_by_key(|entry| entry.0);
                for (position, &(number, second)) in row.iter().enumerate() {
                    let (below, at_most) = self.literals.around(self.whole, number)?;
                    if side == 0 {
                        self.literals.out.clause([!here, !second, !below]);
                        self.literals.out.clause([!here, !second, at_most]);
                    }
                    // If no value with a smaller number remains, the number is at least this one, and vice versa.
                    let (first, last) = (position == 0, position + 1 == row.len());
                    if first || of_other.len() <= SUPPORTED && row[position - 1].0 < number {
                        let smaller = row[..position].iter().map(|entry| entry.1);
                        self.literals.out.clause([!here, !below].into_iter().chain(smaller));
                    }
                    if last || of_other.len() <= SUPPORTED && row[position + 1].0 > number {
                        let greater = row[position + 1..].iter().map(|entry| entry.1);
                        self.literals.out.clause([!here, at_most].into_iter().chain(greater));
                    }
                }
            }
        }
        Ok(())
    }

    fn indexed(&mut self, index: EncodedTerm, alternatives: &[(Bool, Int)], last: Int) -> Result {
        let domain = self.literals.terms.domain(index);
        let mut known: FxHashSet<i64> = FxHashSet::default();
        let mut cases: Vec<(Literal, Int)> = Vec::new();
        for (condition, term) in alternatives {
            if let BoolNode::Equals(_, value) = self.literals.terms.problem.bool_node(condition.node().0)
                // This value of the index may have been removed by narrowing.
                && domain.position(*value).is_some()
                && known.insert(*value)
            {
                cases.push((self.literals.equals(index, *value)?, *term));
            }
        }
        // If at most one value of the index is left, no literal for "none of the conditions" is needed.
        if domain.size() <= known.len() as u128 + 1 {
            let rest = domain.values().find(|value| !known.contains(value));
            if let Some(value) = rest {
                cases.push((self.literals.equals(index, value)?, last));
            }
        } else {
            let rest = self.literals.out.none_of(Literal::TRUE, cases.iter().map(|case| case.0).collect());
            cases.push((rest, last));
        }
        let mut constants: Option<FxHashMap<i64, Vec<Literal>>> = Some(FxHashMap::default());
        for (condition, term) in &cases {
            if *condition != Literal::FALSE {
                self.same(&[!*condition], EncodedTerm::of(*term))?;
                match (self.literals.terms.problem.int_constant(*term), &mut constants) {
                    (Some(value), Some(supports)) => supports.entry(value).or_default().push(*condition),
                    _ => constants = None,
                }
            }
        }
        // A value of the term needs an index whose entry has this value.
        for (value, support) in constants.into_iter().flatten() {
            let value = self.literals.equals(self.whole, value)?;
            self.literals.out.clause([!value].into_iter().chain(support));
        }
        Ok(())
    }

    fn guarded(&mut self, alternatives: &[(Bool, Int)], last: Int) -> Result {
        // This literal, together with the negated conditions after it, means that no earlier condition holds.
        let mut none = Literal::TRUE;
        let mut since: Vec<Literal> = Vec::new();
        for (condition, term) in alternatives {
            let condition = self.literals.both(*condition)?;
            let mut unless = vec![!none, !condition];
            unless.extend(since.iter().copied());
            self.same(&unless, EncodedTerm::of(*term))?;
            since.push(condition);
            // A new literal replaces the conditions so far, which keeps the clauses short.
            if since.len() > REPEATED {
                none = self.literals.out.none_of(none, std::mem::take(&mut since));
            }
        }
        let mut unless = vec![!none];
        unless.extend(since);
        self.same(&unless, EncodedTerm::of(last))
    }
}

impl EncodedTerms<'_> {
    /// Returns the numbers of a lookup by the values of two terms, if it is one with few pairs of values.
    fn few_entries(&mut self, alternatives: &[(Bool, Int)]) -> Option<Entries> {
        let entries = self.problem.entries_of_choice(alternatives)?;
        let sizes = entries.indices.map(|index| self.domain(EncodedTerm::of(index)).size());
        (sizes[0].saturating_mul(sizes[1]) <= self.options.by_pairs).then_some(entries)
    }
}
