//! Terms that are functions of one or two others, by clauses over their values; minimum and maximum by bounds.

use super::*;

impl<S: ClauseSink> Encoder<'_, S> {
    /// The clauses that make the literals of a term mean it.
    pub(super) fn define(&mut self, term: EncodedTerm) -> Result {
        let problem = self.terms.problem;
        if let Some(TermSource::Sum { left, right, most }) = self.terms.source(term) {
            if !self.terms.is_log_encoded(term) {
                self.define_sum(term, left, right, most)?;
            }
            return Ok(());
        }
        if term.index() >= problem.int_count() {
            return Ok(());
        }
        match problem.int_node(problem.int(term.index())) {
            IntNode::Constant(_) | IntNode::Variable | IntNode::FromBool(_) => {}
            IntNode::Linear(terms, constant) => self.define_linear(term, terms, *constant)?,
            IntNode::Binary(operation, left, right) => self.operation(term, *operation, *left, *right)?,
            IntNode::Absolute(inner) if self.terms.is_log_encoded(EncodedTerm::of(*inner)) => {
                self.absolute_of_bits(term, EncodedTerm::of(*inner))?
            }
            IntNode::Absolute(inner) => self.unary(term, EncodedTerm::of(*inner), |value| Some(value.abs()))?,
            IntNode::Extreme(extreme, terms) => self.extreme(term, *extreme, terms)?,
            IntNode::Choice(alternatives) => self.choice(term, alternatives)?,
        }
        Ok(())
    }

    fn operation(&mut self, whole: EncodedTerm, operation: Operation, left: Int, right: Int) -> Result {
        let (one, other) = (EncodedTerm::of(left), EncodedTerm::of(right));
        match operation {
            Operation::Power => self.power(whole, left, right)?,
            Operation::Product if self.terms.needs_bits(whole, one, other) => {
                self.product_of_bits(whole, one, other)?
            }
            Operation::Quotient | Operation::Remainder if self.terms.needs_bits(whole, one, other) => {
                self.division_of_bits(whole, operation, one, other)?;
            }
            _ => self.function(whole, operation, one, other)?,
        }
        Ok(())
    }

    fn function(&mut self, whole: EncodedTerm, operation: Operation, left: EncodedTerm, right: EncodedTerm) -> Result {
        let (of_left, of_right) = (self.terms.domain(left), self.terms.domain(right));
        if left == right {
            self.unary(whole, left, |value| operation.apply(value, value))?;
        } else if of_right.size() == 1 {
            self.unary(whole, left, |value| operation.apply(value, of_right.min().into()))?;
        } else if of_left.size() == 1 {
            self.unary(whole, right, |value| operation.apply(of_left.min().into(), value))?;
        } else {
            self.binary(whole, operation, left, right)?;
        }
        Ok(())
    }

    /// A constant power of a base with many values by repeated products, others value by value.
    fn power(&mut self, whole: EncodedTerm, base: Int, exponent: Int) -> Result {
        let inner = EncodedTerm::of(base);
        match self.terms.problem.int_constant(exponent) {
            Some(exponent @ 2..=62) if self.terms.needs_bits(whole, inner, inner) => {
                let mut product = inner;
                for step in 2..=exponent {
                    let next = if step == exponent { whole } else { self.terms.product_term(product, inner)? };
                    self.product_of_bits(next, product, inner)?;
                    product = next;
                }
            }
            _ => self.function(whole, Operation::Power, inner, EncodedTerm::of(exponent))?,
        }
        Ok(())
    }

    fn unary(&mut self, whole: EncodedTerm, inner: EncodedTerm, function: impl Fn(i128) -> Option<i128>) -> Result {
        let (domain, results) = (self.terms.domain(inner), self.terms.domain(whole));
        self.out.afford(domain.size().saturating_mul(2))?;
        self.out.afford(results.size())?;
        let mut supports: FxHashMap<i64, Vec<Literal>> = FxHashMap::default();
        for value in domain.values() {
            let argument = self.equals(inner, value)?;
            let result = function(value.into()).and_then(|result| i64::try_from(result).ok());
            let image = self.image(whole, result)?;
            self.out.clause([!argument, image]);
            if let Some(result) = result {
                supports.entry(result).or_default().push(argument);
            }
        }
        if self.terms.is_log_encoded(whole) {
            // Every argument leads to its result; the bits of the result do not tell which one it was.
            return Ok(());
        }
        for value in results.values() {
            let image = self.equals(whole, value)?;
            self.out.clause([!image].into_iter().chain(supports.remove(&value).unwrap_or_default()));
        }
        Ok(())
    }

    /// `x = u ∧ y = v → z = f(u, v)`; and, for each u, `z = w ∧ x = u →` some v that leads to w.
    fn binary(&mut self, whole: EncodedTerm, operation: Operation, left: EncodedTerm, right: EncodedTerm) -> Result {
        let (of_left, of_right) = (self.terms.domain(left), self.terms.domain(right));
        self.out.afford(of_left.size().saturating_mul(of_right.size()).saturating_mul(2))?;
        for (one, of_one, other, of_other, swapped) in
            [(left, &of_left, right, &of_right, false), (right, &of_right, left, &of_left, true)]
        {
            for value in of_one.values() {
                let mut supports: FxHashMap<i64, Vec<Literal>> = FxHashMap::default();
                let argument = self.equals(one, value)?;
                for second in of_other.values() {
                    let (a, b) = if swapped { (second, value) } else { (value, second) };
                    let result = operation.apply(a.into(), b.into()).and_then(|result| i64::try_from(result).ok());
                    let image = self.image(whole, result)?;
                    let second = self.equals(other, second)?;
                    if !swapped {
                        self.out.clause([!argument, !second, image]);
                    }
                    if let Some(result) = result {
                        supports.entry(result).or_default().push(second);
                    }
                }
                for (result, support) in supports {
                    if support.len() < of_other.len() {
                        let image = self.equals(whole, result)?;
                        self.out.clause([!argument, !image].into_iter().chain(support));
                    }
                }
            }
        }
        Ok(())
    }

    /// The term has the result of a function; false where there is none.
    fn image(&mut self, whole: EncodedTerm, result: Option<i64>) -> Result<Literal> {
        result.map_or(Ok(Literal::FALSE), |result| self.equals(whole, result))
    }

    /// Every term bounds the extreme value, and one of them reaches it.
    fn extreme(&mut self, whole: EncodedTerm, extreme: Extreme, terms: &[Int]) -> Result {
        if self.terms.is_log_encoded(whole)
            || terms.iter().any(|inner| self.terms.is_log_encoded(EncodedTerm::of(*inner)))
        {
            return self.extreme_of_bits(whole, extreme, terms);
        }
        let domain = self.terms.domain(whole);
        self.out.afford(domain.size().saturating_mul(terms.len() as u128))?;
        for value in domain.values() {
            let (short, within) = self.reaches(extreme, whole, value)?;
            let mut clause = vec![short];
            for term in terms {
                let (inner_short, inner_within) = self.reaches(extreme, EncodedTerm::of(*term), value)?;
                self.out.clause([!within, inner_within]);
                clause.push(!inner_short);
            }
            self.out.clause(clause);
        }
        Ok(())
    }

    /// Whether a term falls short of a value, and whether it does not go beyond it: upwards for a maximum, else
    /// downwards.
    fn reaches(&mut self, extreme: Extreme, term: EncodedTerm, value: i64) -> Result<(Literal, Literal)> {
        let (below, at_most) = (self.at_most(term, value - 1)?, self.at_most(term, value)?);
        Ok(match extreme {
            Extreme::Minimum => (!at_most, !below),
            Extreme::Maximum => (below, at_most),
        })
    }
}
