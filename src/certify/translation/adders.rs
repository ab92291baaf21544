//! Sums in binary: adders compute the digits of a sum, with a proof that the digits are correct.
//!
//! Each adder turns three literals, or two, of the same weight into a digit of this weight and a carry of twice the
//! weight. Two constraints state that its inputs add up to its outputs. Together, the constraints of all adders
//! determine the digits of the sum.

use super::ClauseTranslation;
use crate::reference::{PbConstraint, PbLiteral, PbNumber};
use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

/// A literal that is true if and only if one of several exclusive literals is. The equation states that the number of
/// true literals is the digit.
#[derive(Clone, Copy)]
pub(super) struct BinaryDigit {
    literal: PbLiteral,
    equation: Option<Equation>,
}

/// The numbers of two constraints: the left side is at least the right side, and at most.
#[derive(Clone, Copy)]
struct Equation {
    at_least: u64,
    at_most: u64,
}

/// A sum as a constant and digits, each with a weight that is a power of two. If nothing was added up, there is no
/// equation.
pub(super) struct BinarySum {
    constant: PbNumber,
    /// The digits with their weights, the largest first; each weight occurs once.
    digits: Vec<(PbNumber, PbLiteral)>,
    equation: Option<Equation>,
}

/// Equations to add up, with their factors.
#[derive(Default)]
struct EquationSum {
    at_least: Vec<(PbNumber, u64)>,
    at_most: Vec<(PbNumber, u64)>,
}

impl EquationSum {
    fn add(&mut self, times: PbNumber, equation: Equation) {
        self.at_least.push((times, equation.at_least));
        self.at_most.push((times, equation.at_most));
    }
}

impl ClauseTranslation<'_> {
    /// Adds the clauses of a constraint on the digits of its sum. A sum and the sum of its negated literals share the
    /// digits.
    pub(super) fn clauses_in_binary(&mut self, constraint: &PbConstraint, number: u64) {
        let negated = constraint.terms[0].1.number() < 0;
        let sign = |literal: PbLiteral| if negated { !literal } else { literal };
        let terms: Vec<_> = constraint.terms.iter().map(|(factor, literal)| (*factor, sign(*literal))).collect();
        let Some(sum) = self.binary_sum(terms) else { return };
        let all: PbNumber = sum.digits.iter().map(|(weight, _)| *weight).sum();
        // The digits, or the negated digits, must reach this number.
        let mut least = match negated {
            false => constraint.least - sum.constant,
            true => constraint.least - (constraint.total() - sum.constant - all),
        };
        let from = match sum.equation {
            Some(equation) => {
                let other = if negated { equation.at_least } else { equation.at_most };
                self.log.borrow_mut().step(&format!("pol {number} {other} +;"))
            }
            None => number,
        };
        let mut left = all;
        let mut clause = Vec::new();
        for (weight, digit) in &sum.digits {
            if least <= PbNumber::ZERO {
                return;
            }
            left -= *weight;
            clause.push(sign(*digit));
            // Without this digit, all lower ones together are too small.
            if left < least {
                self.clause(&clause, from);
                clause.pop();
                least -= *weight;
            }
        }
        if least > PbNumber::ZERO {
            self.clause(&clause, from);
        }
    }

    /// The digits of a sum; `None` if a limit was reached.
    fn binary_sum(&mut self, terms: Vec<(PbNumber, PbLiteral)>) -> Option<Rc<BinarySum>> {
        if let Some(known) = self.binary_sums.get(&terms) {
            return Some(known.clone());
        }
        let mut constant = PbNumber::ZERO;
        let mut equations = EquationSum::default();
        let mut open: BTreeMap<u32, VecDeque<PbLiteral>> = BTreeMap::new();
        for group in self.groups(&terms) {
            let negated = group.is_negated();
            if group.terms.len() > 1 && negated {
                constant += group.total();
            }
            let digits = group.terms.iter().map(|(factor, _)| factor.digits()).max().unwrap_or(0);
            for exponent in 0..digits {
                let weight = PbNumber::power_of_two(exponent);
                let members = group.terms.iter().filter(|(factor, _)| factor.has_digit(exponent));
                let members: Vec<_> = members.map(|(_, literal)| *literal).collect();
                let added = match (members.len(), group.exclusive) {
                    (0, _) => continue,
                    (_, Some(exclusive)) if negated => {
                        // At most one member is false, and its weight is subtracted.
                        constant -= weight;
                        let digit = self.digit(members.into_iter().map(|literal| !literal).collect(), exclusive);
                        if let Some(Equation { at_least, at_most }) = digit.equation {
                            equations.add(weight, Equation { at_least: at_most, at_most: at_least });
                        }
                        !digit.literal
                    }
                    (_, Some(exclusive)) => {
                        let digit = self.digit(members, exclusive);
                        digit.equation.into_iter().for_each(|equation| equations.add(weight, equation));
                        digit.literal
                    }
                    (_, None) => members[0],
                };
                open.entry(exponent).or_default().push_back(added);
            }
        }
        let mut digits = Vec::new();
        while let Some((exponent, mut literals)) = open.pop_first() {
            let weight = PbNumber::power_of_two(exponent);
            if self.options.reached().is_some() {
                return None;
            }
            while literals.len() > 1 {
                let inputs: Vec<_> = literals.drain(..literals.len().min(3)).collect();
                let (digit, carry, equation) = self.adder(&inputs);
                equations.add(weight, equation);
                literals.push_back(digit);
                open.entry(exponent + 1).or_default().push_back(carry);
            }
            digits.extend(literals.into_iter().map(|literal| (weight, literal)));
        }
        // The digits start with the most significant one.
        digits.reverse();
        let equation = (!equations.at_least.is_empty())
            .then(|| Equation { at_least: self.added(&equations.at_least), at_most: self.added(&equations.at_most) });
        let sum = Rc::new(BinarySum { constant, digits, equation });
        self.binary_sums.insert(terms, sum.clone());
        Some(sum)
    }

    fn added(&mut self, equations: &[(PbNumber, u64)]) -> u64 {
        let mut line = "pol".to_owned();
        for (position, (times, number)) in equations.iter().enumerate() {
            line += &format!(" {number} {times} *{}", if position > 0 { " +" } else { "" });
        }
        self.log.borrow_mut().step(&format!("{line};"))
    }

    /// The digit for "one of these literals is true". The constraint with the number `exclusive` states that at most
    /// one is.
    fn digit(&mut self, members: Vec<PbLiteral>, exclusive: u64) -> BinaryDigit {
        if let [literal] = members[..] {
            return BinaryDigit { literal, equation: None };
        }
        if let Some(known) = self.digits.get(&members) {
            return *known;
        }
        let literal = self.variable();
        let (count, one) = (PbNumber::count(members.len()), PbNumber::ONE);
        let ones = members.iter().map(|member| (one, *member)).chain([(one, !literal)]).collect();
        let at_least = self.defined(literal, 0, ones, one);
        let none = members.iter().map(|member| (one, !*member)).chain([(count, literal)]).collect();
        let none = self.defined(literal, 1, none, count);
        let at_most = {
            let mut log = self.log.borrow_mut();
            let others = self.exclusive_sets[&exclusive].iter().filter(|other| !members.contains(other));
            let weakened: String = others.map(|other| format!(" {} +", log.name(*other))).collect();
            log.step(&format!("pol {exclusive}{weakened} {} * {none} + {count} d;", count - one))
        };
        let any: Vec<_> = members.iter().copied().chain([!literal]).collect();
        self.clause(&any, at_least);
        for member in &members {
            self.clause(&[!*member, literal], at_most);
        }
        let digit = BinaryDigit { literal, equation: Some(Equation { at_least, at_most }) };
        self.digits.insert(members, digit);
        digit
    }

    /// The digit and the carry of two or three literals: the number of true literals is the digit plus twice the carry.
    fn adder(&mut self, inputs: &[PbLiteral]) -> (PbLiteral, PbLiteral, Equation) {
        let [carry, digit] = [self.variable(), self.variable()];
        let with = |inputs: Vec<PbLiteral>, outputs: &[(PbNumber, PbLiteral)]| {
            inputs
                .into_iter()
                .map(|literal| (PbNumber::ONE, literal))
                .chain(outputs.iter().copied())
                .collect::<Vec<_>>()
        };
        let ones = inputs.to_vec();
        let zeros: Vec<_> = inputs.iter().map(|literal| !*literal).collect();
        let [two, three, count] = [2, 3, inputs.len()].map(PbNumber::count);
        let most = count - PbNumber::ONE;
        let carried = self.defined(carry, 0, with(ones.clone(), &[(two, !carry)]), two);
        let not_carried = self.defined(carry, 1, with(zeros.clone(), &[(most, carry)]), most);
        let one = with(ones.clone(), &[(two, !carry), (three, !digit)]);
        let one = self.defined(digit, 0, one, three);
        let zero = with(zeros.clone(), &[(two, carry), (count, digit)]);
        let zero = self.defined(digit, 1, zero, count);
        let at_least = self.log.borrow_mut().step(&format!("pol {carried} 2 * {one} + 3 d;"));
        let [times, divisor] = if inputs.len() == 3 { [2, 3] } else { [1, 2] };
        let at_most = self.log.borrow_mut().step(&format!("pol {not_carried} {times} * {zero} + {divisor} d;"));
        for (position, input) in inputs.iter().enumerate() {
            let others = || inputs.iter().enumerate().filter(move |(other, _)| *other != position).map(|(_, one)| *one);
            // If all others are false, there is no carry; if all of them are true, there is one.
            self.clause(&others().chain([!carry]).collect::<Vec<_>>(), carried);
            self.clause(&[!*input, carry, digit], at_most);
            if inputs.len() == 3 {
                self.clause(&others().map(|other| !other).chain([carry]).collect::<Vec<_>>(), not_carried);
                self.clause(&[*input, !carry, !digit], at_least);
            }
        }
        self.clause(&ones.iter().copied().chain([!digit]).collect::<Vec<_>>(), at_least);
        let full = zeros.into_iter().chain([if inputs.len() == 3 { digit } else { carry }]).collect::<Vec<_>>();
        self.clause(&full, if inputs.len() == 3 { at_most } else { not_carried });
        if inputs.len() == 2 {
            self.clause(&[!carry, !digit], at_least);
        }
        (digit, carry, Equation { at_least, at_most })
    }
}

#[cfg(all(test, feature = "cadical"))]
mod tests {
    use super::*;
    use crate::{
        certify::log::ProofLog,
        solver::{EngineOptions, stepwise},
    };
    use std::cell::RefCell;

    /// The first variables belong to one number, so that at most one of them is true; the others are free.
    const VARIABLES: i32 = 9;
    const OF_NUMBER: i32 = 5;

    #[test]
    fn the_clauses_of_binary_digits_say_what_the_sum_says() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..100 {
            let options = EngineOptions::default();
            let name = |literal: PbLiteral| format!("x{}", literal.number());
            let log = Rc::new(RefCell::new(ProofLog::new(Box::new(Vec::new()), 2, Box::new(name))));
            let sat = stepwise(&options, log.clone()).expect("CaDiCaL is here");
            let mut translation = ClauseTranslation::new(log, sat, &options, VARIABLES as usize);
            let exclusive = PbConstraint::at_most_one((1..=OF_NUMBER).map(PbLiteral::numbered));
            translation.constraint(&exclusive, 1);
            let negated = random.bool();
            let terms: Vec<(PbNumber, PbLiteral)> = (1..=VARIABLES)
                .map(|variable| {
                    let turned = if variable <= OF_NUMBER { negated } else { random.bool() };
                    (random.i64(1..40).into(), PbLiteral::numbered(if turned { -variable } else { variable }))
                })
                .collect();
            let total: PbNumber = terms.iter().map(|(factor, _)| *factor).sum();
            let least = random.i64(1..=total.small().expect("a small sum"));
            let sum = PbConstraint::new(terms, least.into());
            translation.clauses_in_binary(&sum, 2);
            for bits in 0..1 << VARIABLES {
                let holds =
                    |literal: &PbLiteral| (bits >> (literal.number().abs() - 1) & 1 == 1) == (literal.number() > 0);
                let values = (1..=VARIABLES).map(PbLiteral::numbered);
                let values: Vec<i32> = values.map(|one| if holds(&one) { one } else { !one }.number()).collect();
                let reached = |constraint: &PbConstraint| {
                    let held = constraint.terms.iter().filter(|(_, literal)| holds(literal));
                    held.map(|(factor, _)| *factor).sum::<PbNumber>() >= constraint.least
                };
                let expected = reached(&exclusive) && reached(&sum);
                assert_eq!(translation.sat.solve(&values), Some(expected), "round {round}: {sum:?} with {values:?}");
            }
        }
    }
}
