//! Sums of weighted literals as binary numbers, by networks of full and half adders (Warners, "A linear-time
//! transformation of linear inequalities into conjunctive normal form", 1998; Eén and Sörensson, "Translating
//! pseudo-Boolean constraints into SAT", 2006), and their comparison with constants.
//!
//! Networks are small however large the weights are, but unit propagation on them is weak.

use super::*;
use std::collections::VecDeque;

/// The sum of the weights must be below this power of two, so that sums fit into 128 bits with a sign.
const MOST_BITS: u32 = 120;

/// A constant and `Σ weight · literal` without negated literals.
#[derive(Default)]
pub(super) struct WeightedSum {
    weights: FxHashMap<Literal, i128>,
    pub constant: i128,
}

impl WeightedSum {
    pub(super) fn add(&mut self, weight: i128, literal: Literal) {
        match literal {
            Literal::FALSE => {}
            Literal::TRUE => self.constant += weight,
            literal if literal.number() > 0 => *self.weights.entry(literal).or_default() += weight,
            // `weight · ¬x` is replaced by `weight − weight · x`.
            literal => {
                self.constant += weight;
                *self.weights.entry(!literal).or_default() -= weight;
            }
        }
    }

    /// Adds a multiple of a number in two's complement.
    pub(super) fn add_number(&mut self, factor: i128, bits: &[Literal]) {
        let Some((sign, low)) = bits.split_last() else { return };
        for (bit, literal) in low.iter().enumerate() {
            self.add(factor << bit, *literal);
        }
        self.add(-(factor << low.len()), *sign);
    }

    /// Returns the constant and the sum with positive weights, in the order of the variables; literals may be negated.
    pub(super) fn with_positive_weights(self) -> (Vec<(u128, Literal)>, i128) {
        let mut constant = self.constant;
        let mut weighted = Vec::with_capacity(self.weights.len());
        for (literal, weight) in self.weights {
            match weight {
                0 => {}
                1.. => weighted.push((weight as u128, literal)),
                _ => {
                    constant += weight;
                    weighted.push((weight.unsigned_abs(), !literal));
                }
            }
        }
        weighted.sort_unstable_by_key(|(weight, literal)| (literal.number().abs(), *weight));
        (weighted, constant)
    }
}

impl<S: ClauseSink> Output<S> {
    /// Returns the bits of `Σ weight · literal`, the lowest first; the weights are positive. Equal sums share their
    /// bits.
    pub(super) fn add_up(&mut self, mut terms: Vec<(u128, Literal)>) -> Result<Arc<[Literal]>> {
        terms.sort_unstable();
        if let Some(known) = self.adders.get(&terms) {
            return Ok(known.clone());
        }
        let total = terms.iter().try_fold(0u128, |sum, term| sum.checked_add(term.0));
        let bits = match total {
            Some(total) if total < 1 << MOST_BITS => 128 - total.leading_zeros(),
            _ => return Err(Refused::Values),
        };
        let mut columns: Vec<VecDeque<Literal>> = vec![VecDeque::new(); bits as usize + 1];
        for (weight, literal) in &terms {
            for bit in 0..bits {
                if weight >> bit & 1 == 1 && *literal != Literal::FALSE {
                    columns[bit as usize].push_back(*literal);
                }
            }
        }
        let mut sum = Vec::with_capacity(bits as usize);
        for bit in 0..bits as usize {
            // A queue keeps the network shallow.
            let digit = loop {
                let (a, b) = match (columns[bit].pop_front(), columns[bit].pop_front()) {
                    (None, _) => break Literal::FALSE,
                    (Some(single), None) => break single,
                    (Some(a), Some(b)) => (a, b),
                };
                // A full adder needs 14 clauses: 8 for the sum and 6 for the carry.
                self.afford(14)?;
                let (digit, carry) = match columns[bit].pop_front() {
                    Some(c) => (self.xor3(a, b, c), self.majority(a, b, c)),
                    None => (self.xor3(a, b, Literal::FALSE), self.majority(a, b, Literal::FALSE)),
                };
                if digit != Literal::FALSE {
                    columns[bit].push_back(digit);
                }
                if carry != Literal::FALSE {
                    columns[bit + 1].push_back(carry);
                }
            };
            sum.push(digit);
        }
        let sum: Arc<[Literal]> = sum.into();
        self.adders.insert(terms, sum.clone());
        Ok(sum)
    }

    /// Returns the bits of `Σ weight · literal + constant`, which fits into `width` bits and a sign.
    pub(super) fn add_up_to(
        &mut self,
        mut weighted: Vec<(u128, Literal)>,
        constant: i128,
        width: usize,
    ) -> Result<Arc<[Literal]>> {
        // Adding 2^width makes the sum nonnegative, so the sign of the original sum is the negation of the highest bit.
        // The carry out of that bit is dropped, so the constant is reduced modulo 2^(width + 1).
        let shifted = (constant + (1i128 << width)).rem_euclid(1 << (width + 1));
        if shifted > 0 {
            weighted.push((shifted as u128, Literal::TRUE));
        }
        let sum = self.add_up(weighted)?;
        let digit = |bit: usize| sum.get(bit).copied().unwrap_or(Literal::FALSE);
        Ok((0..width).map(digit).chain([!digit(width)]).collect())
    }

    /// Returns a literal that is equivalent to the conjunction.
    pub(super) fn both_hold(&mut self, one: Literal, other: Literal) -> Literal {
        let (one, other) = (one.min(other), one.max(other));
        match (one, other) {
            (Literal::FALSE, _) | (_, Literal::FALSE) => Literal::FALSE,
            (Literal::TRUE, literal) | (literal, Literal::TRUE) => literal,
            (one, other) if one == other => one,
            (one, other) if one == !other => Literal::FALSE,
            (one, other) => {
                if let Some(both) = self.gates.get(&(one, other)) {
                    return *both;
                }
                let both = self.new_variable();
                self.clause([!both, one]);
                self.clause([!both, other]);
                self.clause([both, !one, !other]);
                self.gates.insert((one, other), both);
                both
            }
        }
    }

    fn xor3(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let mut odd = false;
        let mut open: Vec<Literal> = Vec::with_capacity(3);
        // Equal literals cancel out, and so do complementary ones.
        for literal in [a, b, c] {
            match literal {
                Literal::TRUE => odd = !odd,
                Literal::FALSE => {}
                literal => match open.iter().position(|other| *other == literal || *other == !literal) {
                    Some(position) => odd ^= open.swap_remove(position) != literal,
                    None => open.push(literal),
                },
            }
        }
        let xor = match *open.as_slice() {
            [] => Literal::FALSE,
            [single] => single,
            [a, b] => {
                let xor = self.new_variable();
                self.clause([!a, !b, !xor]);
                self.clause([a, b, !xor]);
                self.clause([!a, b, xor]);
                self.clause([a, !b, xor]);
                xor
            }
            _ => {
                let (a, b, c) = (open[0], open[1], open[2]);
                let xor = self.new_variable();
                for (p, q, r) in [(a, b, c), (a, !b, !c), (!a, b, !c), (!a, !b, c)] {
                    // An odd number of literals is true: one or all three.
                    self.clause([!p, !q, !r, xor]);
                    self.clause([p, q, r, !xor]);
                }
                xor
            }
        };
        if odd { !xor } else { xor }
    }

    fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        for (one, two, other) in [(a, b, c), (a, c, b), (b, c, a)] {
            if one == two {
                return one;
            }
            if one == !two {
                return other;
            }
        }
        let constant = |literal: &Literal| *literal == Literal::TRUE || *literal == Literal::FALSE;
        let majority = self.new_variable();
        for (one, two) in [(a, b), (a, c), (b, c)] {
            self.clause([!one, !two, majority]);
            // If one of two literals is a constant, the clauses of the other pairs are enough.
            if !constant(&one) || !constant(&two) {
                self.clause([one, two, !majority]);
            }
        }
        majority
    }

    /// Adds the clauses of "`unless` holds, or the number is at most the bound".
    pub(super) fn bits_at_most(&mut self, unless: Literal, bits: &[Literal], bound: u128) {
        if bound.checked_shr(bits.len() as u32).unwrap_or(0) != 0 {
            return;
        }
        let one = |bit: usize| bound.checked_shr(bit as u32).unwrap_or(0) & 1 == 1;
        for bit in 0..bits.len() {
            if !one(bit) {
                // If this bit is 1 but the bound has 0, some higher bit must be 0 where the bound has 1.
                let higher = (bit + 1..bits.len()).filter(|bit| one(*bit)).map(|bit| !bits[bit]);
                let clause: Vec<Literal> = [unless, !bits[bit]].into_iter().chain(higher).collect();
                self.clause(clause);
            }
        }
    }

    /// Adds the clauses of "`unless` holds, or the number is at least the bound".
    pub(super) fn bits_at_least(&mut self, unless: Literal, bits: &[Literal], bound: u128) {
        if bound.checked_shr(bits.len() as u32).unwrap_or(0) != 0 {
            return self.clause([unless]);
        }
        let one = |bit: usize| bound.checked_shr(bit as u32).unwrap_or(0) & 1 == 1;
        for bit in 0..bits.len() {
            if one(bit) {
                let higher = (bit + 1..bits.len()).filter(|bit| !one(*bit)).map(|bit| bits[bit]);
                let clause: Vec<Literal> = [unless, bits[bit]].into_iter().chain(higher).collect();
                self.clause(clause);
            }
        }
    }

    /// Returns literals that all hold if and only if the number is this value; `None` if it has too few bits.
    pub(super) fn bits_equal(&self, bits: &[Literal], value: u128) -> Option<Vec<Literal>> {
        if value.checked_shr(bits.len() as u32).unwrap_or(0) != 0 {
            return None;
        }
        let digit = |(bit, literal): (usize, &Literal)| if value >> bit & 1 == 1 { *literal } else { !*literal };
        Some(bits.iter().enumerate().map(digit).collect())
    }
}
