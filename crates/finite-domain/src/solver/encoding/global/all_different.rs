//! AllDifferent: at most one term per value, and exactly one if there are as many values as terms. If there are up to
//! twice as many values, extra clauses require that the smallest ones are all taken unless a greater one is. They are
//! implied, and help if something else bounds the terms, such as a number of colours that is minimised
//! (`docs/decisions/pairwise-different-terms.md`).

use super::*;
use crate::solver::tuning::encoding::PAIRS;

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    pub(super) fn all_different(&mut self, AllDifferent { terms }: &AllDifferent) -> Result {
        if terms.iter().any(|term| self.literals.terms.is_log_encoded(EncodedTerm::of(*term))) {
            for (position, one) in terms.iter().enumerate() {
                for other in &terms[position + 1..] {
                    self.different(EncodedTerm::of(*one), EncodedTerm::of(*other))?;
                }
            }
            return Ok(());
        }
        let mut holders: FxHashMap<i64, Vec<Literal>> = FxHashMap::default();
        let mut values = Vec::new();
        for term in terms {
            let term = EncodedTerm::of(*term);
            let domain = self.literals.terms.domain(term);
            // The literals of the values take about four clauses per value.
            self.literals.out.afford(domain.size().saturating_mul(4))?;
            for value in domain.values() {
                let literal = self.literals.equals(term, value)?;
                holders.entry(value).or_insert_with(|| {
                    values.push(value);
                    Vec::new()
                });
                holders.entry(value).or_default().push(literal);
            }
        }
        values.sort_unstable();
        let exactly = values.len() == terms.len();
        let somewhat_more = values.len() > terms.len() && values.len() <= 2 * terms.len();
        // In a proof, this contradiction must be derived from the clauses (pigeonhole principle).
        if values.len() < terms.len() && !self.literals.out.sink.is_traced() {
            self.clause([]);
            return Ok(());
        }
        if somewhat_more {
            let greater = self.literals.out.new_variable();
            let (smallest, others) = values.split_at(terms.len());
            let others = others.iter().flat_map(|value| &holders[value]).copied();
            self.literals.out.clause([!greater].into_iter().chain(others));
            for value in smallest {
                self.clause([greater].into_iter().chain(holders[value].iter().copied()));
            }
        }
        for value in values {
            let literals = &holders[&value];
            self.literals.out.afford(literals.len() as u128 * literals.len().min(PAIRS) as u128 / 2)?;
            self.literals.out.at_most_one(self.condition, literals);
            if exactly {
                self.clause(literals.iter().copied());
            }
        }
        Ok(())
    }

    /// Adds `condition →` two of the terms are equal.
    pub(super) fn some_same(&mut self, AllDifferent { terms }: &AllDifferent) -> Result {
        let mut clause = Vec::new();
        for (position, one) in terms.iter().enumerate() {
            for other in &terms[position + 1..] {
                let pair = self.literals.out.new_variable();
                self.literals.under(pair).same(EncodedTerm::of(*one), EncodedTerm::of(*other))?;
                clause.push(pair);
            }
        }
        self.clause(clause);
        Ok(())
    }
}
