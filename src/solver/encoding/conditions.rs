//! Boolean terms: their literals, and the clauses of "a condition implies a term".

use super::{linear::PartialSums, *};

/// A disjunction of at most this many operands that stands in one place only becomes part of the clause around it.
const INLINE: usize = 12;

impl<S: ClauseSink> Encoder<'_, S> {
    /// A literal that implies the term: what stands for it in a clause.
    pub(crate) fn literal(&mut self, term: Bool) -> Result<Literal> {
        let (id, negated) = term.node();
        let literal = match self.bools.literal(id) {
            Some(literal) => literal,
            None => {
                let literal = match *self.terms.problem.bool_node(id) {
                    BoolNode::True => Literal::TRUE,
                    BoolNode::Equals(term, value) => self.equals(EncodedTerm::of(term), value)?,
                    BoolNode::AtMost(term, value) => self.at_most(EncodedTerm::of(term), value)?,
                    _ => self.out.new_variable(),
                };
                self.bools.set(id, literal);
                literal
            }
        };
        let literal = if negated { !literal } else { literal };
        let compound = !matches!(
            self.terms.problem.bool_node(id),
            BoolNode::True | BoolNode::Variable | BoolNode::Equals(..) | BoolNode::AtMost(..)
        );
        if compound && ![Literal::TRUE, Literal::FALSE].contains(&literal) && self.bools.needs(term) {
            self.tasks.imply(literal, term);
        }
        Ok(literal)
    }

    /// A literal equivalent to the term.
    pub(super) fn both(&mut self, term: Bool) -> Result<Literal> {
        self.literal(!term)?;
        self.literal(term)
    }

    /// Adds the clauses of `condition → term`, opening the term even where it has a literal.
    pub(super) fn imply(&mut self, condition: Literal, term: Bool) -> Result {
        let problem = self.terms.problem;
        let (id, negated) = term.node();
        match problem.bool_node(id) {
            BoolNode::True => {
                if negated {
                    self.out.clause([!condition]);
                }
            }
            BoolNode::Variable => {
                let variable = match self.bools.literal(id) {
                    Some(literal) => literal,
                    None => self.literal(id.positive())?,
                };
                self.out.clause([!condition, if negated { !variable } else { variable }]);
            }
            BoolNode::Equals(term, value) => {
                let literal = self.equals(EncodedTerm::of(*term), *value)?;
                self.out.clause([!condition, if negated { !literal } else { literal }]);
            }
            BoolNode::AtMost(term, value) => {
                let literal = self.at_most(EncodedTerm::of(*term), *value)?;
                self.out.clause([!condition, if negated { !literal } else { literal }]);
            }
            BoolNode::And(parts) if negated => {
                let clause = self.disjunction(!condition, parts)?;
                self.out.clause(clause);
            }
            BoolNode::And(parts) => parts.iter().try_for_each(|part| self.imply_part(condition, *part))?,
            BoolNode::Equivalent(left, right) => {
                let right = if negated { !*right } else { *right };
                let (left, not_left) = (self.literal(*left)?, self.literal(!*left)?);
                let (right, not_right) = (self.literal(right)?, self.literal(!right)?);
                self.out.clause([!condition, not_left, right]);
                self.out.clause([!condition, left, not_right]);
            }
            BoolNode::Same(left, right) => {
                let (left, right) = (EncodedTerm::of(*left), EncodedTerm::of(*right));
                if negated {
                    self.different(condition, left, right)?;
                } else {
                    self.same(&[!condition], left, right)?;
                }
            }
            BoolNode::LinearAtMost(terms, bound) => {
                let sign = if negated { -1 } else { 1 };
                let bound = i128::from(*bound);
                let bound = if negated { -bound - 1 } else { bound };
                self.linear_at_most(condition, terms, sign, bound, PartialSums::UpToBound)?;
            }
            BoolNode::LinearEquals(terms, bound) => {
                if negated {
                    self.linear_differs(condition, terms, (*bound).into())?;
                } else {
                    self.linear_equals(condition, terms, (*bound).into())?;
                }
            }
            BoolNode::Global(constraint) if negated => self.not_global(condition, constraint)?,
            BoolNode::Global(constraint) => self.global(condition, constraint)?,
        }
        Ok(())
    }

    /// `condition → part`, where the part is opened if nothing else needs its literal.
    fn imply_part(&mut self, condition: Literal, part: Bool) -> Result {
        let (id, _) = part.node();
        if self.bools.literal(id).is_none() && (condition == Literal::TRUE || !self.bools.is_shared(id)) {
            self.tasks.imply(condition, part);
        } else {
            let literal = self.literal(part)?;
            self.out.clause([!condition, literal]);
        }
        Ok(())
    }

    /// The literals of "the first one, or one of the parts is false".
    fn disjunction(&mut self, first: Literal, parts: &[Bool]) -> Result<Vec<Literal>> {
        let mut clause = vec![first];
        let mut open: Vec<Bool> = parts.to_vec();
        while let Some(part) = open.pop() {
            let (id, negated) = part.node();
            match self.terms.problem.bool_node(id) {
                BoolNode::And(parts)
                    if !negated
                        && parts.len() <= INLINE
                        && !self.bools.is_shared(id)
                        && self.bools.literal(id).is_none() =>
                {
                    open.extend(parts.iter());
                }
                _ => clause.push(self.literal(!part)?),
            }
        }
        Ok(clause)
    }
}
