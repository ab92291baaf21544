//! Equality, allDifferent and tables.
//!
//! AllDifferent is at most one term per value, and exactly one where there are as many values as terms. Where there are
//! somewhat more, as many of the smallest ones are all taken unless a greater one is: this matters if something else bounds
//! the terms, such as the number of colours that is minimised.
//! A table has a literal for each row that implies its cells, and each value of a column supports itself by
//! the rows that have it (Bacchus, "GAC via unit propagation", 2007).

use super::*;

/// Terms with at most this many values are compared value by value, others by bounds.
pub(super) const BY_VALUE: u128 = 128;

impl<S: Sink> Encoder<'_, S> {
    /// The two terms are equal, or one of the first literals (at most a few) holds.
    pub(super) fn same(&mut self, unless: &[Literal], left: Term, right: Term) {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        for (one, domain, other) in [(left, &of_right, of_left.size()), (right, &of_left, of_right.size())] {
            if domain.size() == 1 {
                return self.fixed(unless, one, domain.min(), other);
            }
        }
        if self.is_wide(left) || self.is_wide(right) {
            return self.same_bits(unless, left, right);
        }
        if !self.afford(of_left.size() + of_right.size()) {
            return;
        }
        let by_value = |encoder: &Self, term: Term, domain: &Domain| {
            domain.size() <= 2 || encoder.has_direct(term) || domain.size() <= BY_VALUE && !encoder.has_order(term)
        };
        let by_value = by_value(self, left, &of_left) && by_value(self, right, &of_right);
        for (one, domain, other) in [(left, &of_left, right), (right, &of_right, left)] {
            for value in domain.values() {
                let (one, other) = if by_value {
                    (self.equals(one, value), self.equals(other, value))
                } else {
                    (self.at_most(one, value), self.at_most(other, value))
                };
                self.clause(unless.iter().copied().chain([!one, other]));
            }
        }
    }

    /// The term has this value, or one of the first literals holds.
    fn fixed(&mut self, unless: &[Literal], term: Term, value: i64, size: u128) {
        if size > BY_VALUE
            && !self.is_wide(term)
            && !self.has_direct(term)
            && self.domain(term).position(value).is_some()
        {
            let (at_most, below) = (self.at_most(term, value), self.at_most(term, value - 1));
            self.clause(unless.iter().copied().chain([at_most]));
            self.clause(unless.iter().copied().chain([!below]));
        } else {
            let equal = self.equals(term, value);
            self.clause(unless.iter().copied().chain([equal]));
        }
    }

    pub(super) fn different(&mut self, condition: Literal, left: Term, right: Term) {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        if self.is_wide(left) && self.is_wide(right) {
            return self.different_bits(condition, left, right);
        }
        let (shorter, other) = if of_left.size() <= of_right.size() { (of_left, right) } else { (of_right, left) };
        let one = if other == right { left } else { right };
        if !self.afford(shorter.size()) {
            return;
        }
        for value in shorter.values() {
            if self.domain(other).position(value).is_some() {
                let (one, other) = (self.equals(one, value), self.equals(other, value));
                self.clause([!condition, !one, !other]);
            }
        }
    }

    pub(super) fn all_different(&mut self, condition: Literal, terms: &[Int]) {
        if terms.iter().any(|term| self.is_wide(Term::of(*term))) {
            for (position, one) in terms.iter().enumerate() {
                for other in &terms[position + 1..] {
                    self.different(condition, Term::of(*one), Term::of(*other));
                }
            }
            return;
        }
        let mut holders: FxHashMap<i64, Vec<Literal>> = FxHashMap::default();
        let mut values = Vec::new();
        for term in terms {
            let term = Term::of(*term);
            let domain = self.domain(term);
            // Every value has a pair of clauses' worth of work for every few terms.
            if !self.afford(domain.size().saturating_mul(4)) {
                return;
            }
            for value in domain.values() {
                let literal = self.equals(term, value);
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
        if values.len() < terms.len() && !self.sink.proves() {
            return self.clause([!condition]);
        }
        if somewhat_more {
            let greater = self.new_variable();
            let (smallest, others) = values.split_at(terms.len());
            let others = others.iter().flat_map(|value| &holders[value]).copied();
            self.clause([!greater].into_iter().chain(others));
            for value in smallest {
                self.clause([!condition, greater].into_iter().chain(holders[value].iter().copied()));
            }
        }
        for value in values {
            let literals = &holders[&value];
            if !self.afford(literals.len() as u128 * literals.len().min(40) as u128 / 2) {
                return;
            }
            self.at_most_one(condition, literals);
            if exactly {
                self.clause([!condition].into_iter().chain(literals.iter().copied()));
            }
        }
    }

    /// Two of the terms are equal.
    pub(super) fn some_same(&mut self, condition: Literal, terms: &[Int]) {
        let mut clause = vec![!condition];
        for (position, one) in terms.iter().enumerate() {
            for other in &terms[position + 1..] {
                let pair = self.new_variable();
                self.same(&[!pair], Term::of(*one), Term::of(*other));
                clause.push(pair);
            }
        }
        self.clause(clause);
    }

    pub(super) fn some_row(&mut self, condition: Literal, terms: &[Int], rows: &[Box<[i64]>]) {
        if !self.afford(rows.len() as u128 * terms.len() as u128 * 2) {
            return;
        }
        let chosen: Vec<Literal> = rows.iter().map(|_| self.new_variable()).collect();
        self.clause([!condition].into_iter().chain(chosen.iter().copied()));
        for (column, term) in terms.iter().enumerate() {
            let term = Term::of(*term);
            let mut supports: FxHashMap<i64, Vec<Literal>> = FxHashMap::default();
            for (row, chosen) in rows.iter().zip(&chosen) {
                supports.entry(row[column]).or_default().push(*chosen);
                let cell = self.equals(term, row[column]);
                self.clause([!*chosen, cell]);
            }
            if self.is_wide(term) {
                continue;
            }
            let domain = self.domain(term);
            if !self.afford(domain.size()) {
                return;
            }
            for value in domain.values() {
                let cell = self.equals(term, value);
                let support = supports.remove(&value).unwrap_or_default();
                self.clause([!condition, !cell].into_iter().chain(support));
            }
        }
    }

    pub(super) fn no_row(&mut self, condition: Literal, terms: &[Int], rows: &[Box<[i64]>]) {
        if !self.afford(rows.len() as u128 * terms.len() as u128) {
            return;
        }
        for row in rows {
            let mut clause = vec![!condition];
            for (term, value) in terms.iter().zip(row.iter()) {
                clause.push(!self.equals(Term::of(*term), *value));
            }
            self.clause(clause);
        }
    }
}
