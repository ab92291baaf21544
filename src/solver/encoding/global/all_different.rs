//! AllDifferent is at most one term per value, and exactly one where there are as many values as terms. Where there are
//! somewhat more, as many of the smallest ones are all taken unless a greater one is: this matters if something else bounds
//! the terms, such as the number of colours that is minimised.

use super::*;

impl<S: ClauseSink> Encoder<'_, S> {
    pub(super) fn all_different(&mut self, condition: Literal, AllDifferent { terms }: &AllDifferent) -> Result {
        if terms.iter().any(|term| self.terms.is_log_encoded(EncodedTerm::of(*term))) {
            for (position, one) in terms.iter().enumerate() {
                for other in &terms[position + 1..] {
                    self.different(condition, EncodedTerm::of(*one), EncodedTerm::of(*other))?;
                }
            }
            return Ok(());
        }
        let mut holders: FxHashMap<i64, Vec<Literal>> = FxHashMap::default();
        let mut values = Vec::new();
        for term in terms {
            let term = EncodedTerm::of(*term);
            let domain = self.terms.domain(term);
            // Every value has a pair of clauses' worth of work for every few terms.
            self.out.afford(domain.size().saturating_mul(4))?;
            for value in domain.values() {
                let literal = self.equals(term, value)?;
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
        if values.len() < terms.len() && !self.out.sink.proves() {
            self.out.clause([!condition]);
            return Ok(());
        }
        if somewhat_more {
            let greater = self.out.new_variable();
            let (smallest, others) = values.split_at(terms.len());
            let others = others.iter().flat_map(|value| &holders[value]).copied();
            self.out.clause([!greater].into_iter().chain(others));
            for value in smallest {
                self.out.clause([!condition, greater].into_iter().chain(holders[value].iter().copied()));
            }
        }
        for value in values {
            let literals = &holders[&value];
            self.out.afford(literals.len() as u128 * literals.len().min(40) as u128 / 2)?;
            self.out.at_most_one(condition, literals);
            if exactly {
                self.out.clause([!condition].into_iter().chain(literals.iter().copied()));
            }
        }
        Ok(())
    }

    /// Two of the terms are equal.
    pub(super) fn some_same(&mut self, condition: Literal, AllDifferent { terms }: &AllDifferent) -> Result {
        let mut clause = vec![!condition];
        for (position, one) in terms.iter().enumerate() {
            for other in &terms[position + 1..] {
                let pair = self.out.new_variable();
                self.same(&[!pair], EncodedTerm::of(*one), EncodedTerm::of(*other))?;
                clause.push(pair);
            }
        }
        self.out.clause(clause);
        Ok(())
    }
}
