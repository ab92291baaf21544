//! The clauses of half-reified constraints.

use super::{linear::PartialSums, *};
use crate::solver::tuning::encoding::INLINE;

/// A half-reified constraint: the clauses of `condition → constraint`.
pub(super) struct HalfReified<'l, 'p, S> {
    pub condition: Literal,
    pub literals: &'l mut Literals<'p, S>,
}

impl<'p, S: ClauseSink> Literals<'p, S> {
    /// Constraints under this condition.
    pub(super) fn under(&mut self, condition: Literal) -> HalfReified<'_, 'p, S> {
        HalfReified { condition, literals: self }
    }
}

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    /// Adds `condition →` the clause.
    pub(super) fn clause(&mut self, literals: impl IntoIterator<Item = Literal>) {
        self.literals.out.clause([!self.condition].into_iter().chain(literals));
    }

    /// Adds the clauses of `condition → term`, expanding the term even if it has a literal.
    pub(super) fn imply(&mut self, term: Bool) -> Result {
        let problem = self.literals.terms.problem;
        let (id, negated) = term.node();
        match problem.bool_node(id) {
            BoolNode::True if negated => self.clause([]),
            BoolNode::True => {}
            BoolNode::Variable => {
                let variable = match self.literals.bools.literal(id) {
                    Some(literal) => literal,
                    None => self.literals.literal(id.positive())?,
                };
                self.clause([if negated { !variable } else { variable }]);
            }
            BoolNode::Equals(term, value) => {
                let literal = self.literals.equals(EncodedTerm::of(*term), *value)?;
                self.clause([if negated { !literal } else { literal }]);
            }
            BoolNode::AtMost(term, value) => {
                let literal = self.literals.at_most(EncodedTerm::of(*term), *value)?;
                self.clause([if negated { !literal } else { literal }]);
            }
            BoolNode::And(parts) if negated => {
                let clause = self.one_fails(parts)?;
                self.clause(clause);
            }
            BoolNode::And(parts) => parts.iter().try_for_each(|part| self.imply_part(*part))?,
            BoolNode::Equivalent(left, right) => {
                let right = if negated { !*right } else { *right };
                let (left, not_left) = (self.literals.literal(*left)?, self.literals.literal(!*left)?);
                let (right, not_right) = (self.literals.literal(right)?, self.literals.literal(!right)?);
                self.clause([not_left, right]);
                self.clause([left, not_right]);
            }
            BoolNode::Same(left, right) => {
                let (left, right) = (EncodedTerm::of(*left), EncodedTerm::of(*right));
                if negated { self.different(left, right)? } else { self.same(left, right)? }
            }
            BoolNode::LinearAtMost(terms, bound) => {
                let sign = if negated { -1 } else { 1 };
                let bound = i128::from(*bound);
                let bound = if negated { -bound - 1 } else { bound };
                self.linear_at_most(terms, sign, bound, PartialSums::UpToBound)?;
            }
            BoolNode::LinearEquals(terms, bound) if negated => self.linear_differs(terms, (*bound).into())?,
            BoolNode::LinearEquals(terms, bound) => self.linear_equals(terms, (*bound).into())?,
            BoolNode::Global(constraint) if negated => self.not_global(constraint)?,
            BoolNode::Global(constraint) => self.global(constraint)?,
        }
        Ok(())
    }

    /// Adds `condition → part`, expanding the part if nothing else needs its literal.
    fn imply_part(&mut self, part: Bool) -> Result {
        let (id, _) = part.node();
        let bools = &self.literals.bools;
        if bools.literal(id).is_none() && (self.condition == Literal::TRUE || !bools.is_shared(id)) {
            self.literals.tasks.imply(self.condition, part);
        } else {
            let literal = self.literals.literal(part)?;
            self.clause([literal]);
        }
        Ok(())
    }

    /// Returns the literals of "one of the parts is false".
    fn one_fails(&mut self, parts: &[Bool]) -> Result<Vec<Literal>> {
        let mut clause = Vec::new();
        let mut open: Vec<Bool> = parts.to_vec();
        while let Some(part) = open.pop() {
            let (id, negated) = part.node();
            match self.literals.terms.problem.bool_node(id) {
                // A nested disjunction can join this clause, so it needs no variable.
                BoolNode::And(parts)
                    if !negated
                        && parts.len() <= INLINE
                        && !self.literals.bools.is_shared(id)
                        && self.literals.bools.literal(id).is_none() =>
                {
                    open.extend(parts.iter());
                }
                _ => clause.push(self.literals.literal(!part)?),
            }
        }
        Ok(clause)
    }
}
