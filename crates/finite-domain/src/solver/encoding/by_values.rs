//! Terms that are functions of one or two others, with clauses over their values; minimum and maximum over their
//! bounds.

use super::*;

/// The definition of an integer term: the clauses that give its literals their meaning.
pub(super) struct TermDefinition<'l, 'p, S> {
    pub whole: EncodedTerm,
    pub literals: &'l mut Literals<'p, S>,
}

impl<'p, S: ClauseSink> Literals<'p, S> {
    pub(super) fn definition(&mut self, whole: EncodedTerm) -> TermDefinition<'_, 'p, S> {
        TermDefinition { whole, literals: self }
    }
}

impl<S: ClauseSink> TermDefinition<'_, '_, S> {
    pub(super) fn write(&mut self) -> Result {
        let terms = &mut self.literals.terms;
        let problem = terms.problem;
        match terms.source(self.whole) {
            Some(TermSource::Sum { left, right, most }) if !terms.is_log_encoded(self.whole) => {
                return self.partial_sum(left, right, most);
            }
            // Views and other terms made by the encoder are defined when they are made.
            _ if self.whole.index() >= problem.int_count() => return Ok(()),
            _ => {}
        }
        match problem.int_node(problem.int(self.whole.index())) {
            IntNode::Constant(_) | IntNode::Variable | IntNode::FromBool(_) => Ok(()),
            IntNode::Linear(terms, constant) => self.linear(terms, *constant),
            IntNode::Binary(operation, left, right) => self.operation(*operation, *left, *right),
            IntNode::Absolute(inner) if terms.is_log_encoded(EncodedTerm::of(*inner)) => {
                self.absolute_of_bits(EncodedTerm::of(*inner))
            }
            IntNode::Absolute(inner) => self.unary(EncodedTerm::of(*inner), |value| Some(value.abs())),
            IntNode::Extreme(extreme, terms) => self.extreme(*extreme, terms),
            IntNode::Choice(alternatives) => self.choice(alternatives),
        }
    }

    /// Adds "one of the literals `unless` holds, or the term is equal to another one".
    pub(super) fn same(&mut self, unless: &[Literal], other: EncodedTerm) -> Result {
        equality::same(self.literals, unless, self.whole, other)
    }

    /// Defines the sum of two terms, or `most` if the sum is larger.
    fn partial_sum(&mut self, left: EncodedTerm, right: EncodedTerm, most: i64) -> Result {
        let Literals { terms, out, .. } = &mut *self.literals;
        let (of_left, of_right) = (terms.domain(left), terms.domain(right));
        out.afford(of_left.size().saturating_mul(of_right.size()).saturating_mul(2))?;
        let ints = &self.literals.ints;
        let few = of_left.len().max(of_right.len()) <= tuning::encoding::PAIRWISE;
        // Until a bound of the sum is needed, equalities only need clauses value by value.
        if few && ints.has_direct(self.whole) && !ints.has_order(self.whole) {
            return self.sum_of_values(left, right, most);
        }
        for u in of_left.values() {
            let (below_u, at_most_u) = self.literals.around(left, u)?;
            for v in of_right.values() {
                let (below_v, at_most_v) = self.literals.around(right, v)?;
                let value = (u + v).min(most);
                let (below, at_most) = self.literals.around(self.whole, value)?;
                self.literals.out.clause([below_u, below_v, !below]);
                self.literals.out.clause([!at_most_u, !at_most_v, at_most]);
                if value == most {
                    // With larger values of the right term, the clauses would only be weaker.
                    break;
                }
            }
        }
        Ok(())
    }

    /// Like [`Self::partial_sum`], value by value, if nothing has asked for a bound of the sum: with 11 Costas marks,
    /// this takes a quarter of the propagations and no more conflicts.
    fn sum_of_values(&mut self, left: EncodedTerm, right: EncodedTerm, most: i64) -> Result {
        let (of_left, of_right) = (self.literals.terms.domain(left), self.literals.terms.domain(right));
        for u in of_left.values() {
            let is_u = self.literals.equals(left, u)?;
            for v in of_right.values() {
                let is_v = self.literals.equals(right, v)?;
                let sum = self.literals.equals(self.whole, (u + v).min(most))?;
                self.literals.out.clause([!is_u, !is_v, sum]);
            }
        }
        Ok(())
    }

    /// Defines a sum that has too many values for partial sums.
    fn linear(&mut self, terms: &[(i64, Int)], constant: i64) -> Result {
        let (mut terms, fixed) = self.literals.terms.free_terms(terms, 1)?;
        terms.push(self.literals.terms.opposite(self.whole, 0)?);
        self.literals.under(Literal::TRUE).sum_equals(terms, -i128::from(constant) - fixed)
    }

    fn operation(&mut self, operation: Operation, left: Int, right: Int) -> Result {
        let (one, other) = (EncodedTerm::of(left), EncodedTerm::of(right));
        let terms = &mut self.literals.terms;
        match operation {
            Operation::Power => self.power(left, right),
            Operation::Product if terms.needs_bits(self.whole, one, other) => self.product_of_bits(one, other),
            Operation::Quotient | Operation::Remainder if terms.needs_bits(self.whole, one, other) => {
                self.division_of_bits(operation, one, other)
            }
            _ => self.function(operation, one, other),
        }
    }

    fn function(&mut self, operation: Operation, left: EncodedTerm, right: EncodedTerm) -> Result {
        let (of_left, of_right) = (self.literals.terms.domain(left), self.literals.terms.domain(right));
        if left == right {
            self.unary(left, |value| operation.apply(value, value))
        } else if of_right.size() == 1 {
            self.unary(left, |value| operation.apply(value, of_right.min().into()))
        } else if of_left.size() == 1 {
            self.unary(right, |value| operation.apply(of_left.min().into(), value))
        } else {
            self.binary(operation, left, right)
        }
    }

    /// Defines a constant power of a base with many values by repeated products, other powers value by value.
    fn power(&mut self, base: Int, exponent: Int) -> Result {
        let inner = EncodedTerm::of(base);
        match self.literals.terms.problem.int_constant(exponent) {
            Some(exponent @ 2..=62) if self.literals.terms.needs_bits(self.whole, inner, inner) => {
                let mut product = inner;
                for step in 2..=exponent {
                    let next =
                        if step == exponent { self.whole } else { self.literals.terms.product_term(product, inner)? };
                    self.literals.definition(next).product_of_bits(product, inner)?;
                    product = next;
                }
            }
            _ => self.function(Operation::Power, inner, EncodedTerm::of(exponent))?,
        }
        Ok(())
    }

    fn unary(&mut self, inner: EncodedTerm, function: impl Fn(i128) -> Option<i128>) -> Result {
        let (domain, results) = (self.literals.terms.domain(inner), self.literals.terms.domain(self.whole));
        self.literals.out.afford(domain.size().saturating_mul(2))?;
        self.literals.out.afford(results.size())?;
        let mut supports: FxHashMap<i64, Vec<Literal>> = FxHashMap::default();
        for value in domain.values() {
            let argument = self.literals.equals(inner, value)?;
            let result = function(value.into()).and_then(|result| i64::try_from(result).ok());
            let image = self.image(result)?;
            self.literals.out.clause([!argument, image]);
            if let Some(result) = result {
                supports.entry(result).or_default().push(argument);
            }
        }
        if self.literals.terms.is_log_encoded(self.whole) {
            // Each argument implies its result. A log-encoded result has no literal per value that needs support.
            return Ok(());
        }
        // A value of the result that no argument gives must be excluded.
        for value in results.values() {
            let image = self.literals.equals(self.whole, value)?;
            self.literals.out.clause([!image].into_iter().chain(supports.remove(&value).unwrap_or_default()));
        }
        Ok(())
    }

    /// Adds `x = u ∧ y = v → z = f(u, v)`, and for each `u`: `z = w ∧ x = u` implies some `v` with the result `w`.
    fn binary(&mut self, operation: Operation, left: EncodedTerm, right: EncodedTerm) -> Result {
        let (of_left, of_right) = (self.literals.terms.domain(left), self.literals.terms.domain(right));
        self.literals.out.afford(of_left.size().saturating_mul(of_right.size()).saturating_mul(2))?;
        // The supports are written from both sides, but the function itself only once.
        for (one, of_one, other, of_other, swapped) in
            [(left, &of_left, right, &of_right, false), (right, &of_right, left, &of_left, true)]
        {
            for value in of_one.values() {
                let mut supports: FxHashMap<i64, Vec<Literal>> = FxHashMap::default();
                let argument = self.literals.equals(one, value)?;
                for second in of_other.values() {
                    let (a, b) = if swapped { (second, value) } else { (value, second) };
                    let result = operation.apply(a.into(), b.into()).and_then(|result| i64::try_from(result).ok());
                    let image = self.image(result)?;
                    let second = self.literals.equals(other, second)?;
                    if !swapped {
                        self.literals.out.clause([!argument, !second, image]);
                    }
                    if let Some(result) = result {
                        supports.entry(result).or_default().push(second);
                    }
                }
                for (result, support) in supports {
                    // If all values of the other argument give this result, the clause says nothing.
                    if support.len() < of_other.len() {
                        let image = self.literals.equals(self.whole, result)?;
                        self.literals.out.clause([!argument, !image].into_iter().chain(support));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the literal of a result of a function; false if there is no result.
    fn image(&mut self, result: Option<i64>) -> Result<Literal> {
        result.map_or(Ok(Literal::FALSE), |result| self.literals.equals(self.whole, result))
    }

    /// Adds clauses so that each term bounds the extreme value and some term reaches it.
    fn extreme(&mut self, extreme: Extreme, terms: &[Int]) -> Result {
        if self.literals.terms.is_log_encoded(self.whole)
            || terms.iter().any(|inner| self.literals.terms.is_log_encoded(EncodedTerm::of(*inner)))
        {
            return self.extreme_of_bits(extreme, terms);
        }
        let domain = self.literals.terms.domain(self.whole);
        self.literals.out.afford(domain.size().saturating_mul(terms.len() as u128))?;
        for value in domain.values() {
            let (short, within) = self.reaches(extreme, self.whole, value)?;
            let mut clause = vec![short];
            for term in terms {
                let (inner_short, inner_within) = self.reaches(extreme, EncodedTerm::of(*term), value)?;
                self.literals.out.clause([!within, inner_within]);
                clause.push(!inner_short);
            }
            self.literals.out.clause(clause);
        }
        Ok(())
    }

    /// Returns a literal for "the term falls short of a value" and one for "it does not go beyond it": upwards for a
    /// maximum, downwards for a minimum.
    fn reaches(&mut self, extreme: Extreme, term: EncodedTerm, value: i64) -> Result<(Literal, Literal)> {
        let (below, at_most) = self.literals.around(term, value)?;
        Ok(match extreme {
            Extreme::Minimum => (!at_most, !below),
            Extreme::Maximum => (below, at_most),
        })
    }
}
