//! Boolean nodes: required at the top level, or as literals with the implications that their polarity needs.

use super::*;

impl<S: Sink> Encoder<'_, S> {
    /// Requires a term.
    pub(super) fn require(&mut self, term: Bool) {
        let (id, positive) = split(term);
        match (self.problem.bool_node(id), positive) {
            (BoolNode::And(parts), true) => parts.iter().for_each(|part| self.require(*part)),
            (BoolNode::And(parts), false) => {
                let mut clause = Vec::new();
                for part in parts {
                    self.disjunct(!*part, &mut clause);
                }
                self.clause(&clause);
            }
            (BoolNode::AllDifferent(terms), true) => self.all_different(terms, None),
            (BoolNode::LinearAtMost(terms, bound), true) => self.require_linear(terms, i128::from(*bound), None),
            (BoolNode::LinearAtMost(terms, bound), false) => {
                let negated: Vec<(i64, Int)> = terms.iter().map(|(factor, term)| (-factor, *term)).collect();
                self.require_linear(&negated, -i128::from(*bound) - 1, None);
            }
            (BoolNode::LinearEquals(terms, bound), true) => self.require_sum(terms, *bound, None),
            (BoolNode::Same(left, right), positive) => self.same(*left, *right, positive, None),
            (BoolNode::Table(terms, rows), true) => self.table(terms, rows, None),
            _ => {
                let literal = self.literal_of(term, true);
                self.clause(&[literal]);
            }
        }
    }

    /// Adds a disjunct to a clause; a disjunction adds its own.
    fn disjunct(&mut self, term: Bool, clause: &mut Vec<Known>) {
        let (id, positive) = split(term);
        match self.problem.bool_node(id) {
            BoolNode::And(parts) if !positive && self.definitions[id.0 as usize].literal.is_none() => {
                for part in parts {
                    self.disjunct(!*part, clause);
                }
            }
            _ => clause.push(self.literal_of(term, true)),
        }
    }

    /// A literal that is equivalent to the term.
    pub(crate) fn literal(&mut self, term: Bool) -> Known {
        self.literal_of(term, true);
        self.literal_of(term, false)
    }

    /// A literal for the term: it implies the term (`implies`), or it is implied by the term.
    pub(super) fn literal_of(&mut self, term: Bool, implies: bool) -> Known {
        let (id, positive) = split(term);
        let known = match *self.problem.bool_node(id) {
            BoolNode::True => Known::Constant(true),
            BoolNode::Equals(term, value) => self.equals(term, value),
            BoolNode::AtMost(term, value) => self.at_most(term, value),
            _ => {
                let literal = match self.definitions[id.0 as usize].literal {
                    Some(literal) => literal,
                    None => {
                        let literal = self.sink.new_variable();
                        self.definitions[id.0 as usize].literal = Some(literal);
                        literal
                    }
                };
                // The node's literal implies the node, or the node's negation follows from the literal's.
                let definition = &mut self.definitions[id.0 as usize];
                let stated = if implies == positive { &mut definition.positive } else { &mut definition.negative };
                if !std::mem::replace(stated, true) {
                    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.define(id, literal, implies == positive));
                }
                Known::Literal(literal)
            }
        };
        if positive { known } else { !known }
    }

    /// States that the literal implies the node (`forward`), or that its negation implies the node's.
    fn define(&mut self, id: BoolId, literal: Literal, forward: bool) {
        let condition = Known::Literal(if forward { literal } else { -literal });
        match (self.problem.bool_node(id), forward) {
            (BoolNode::True | BoolNode::Variable | BoolNode::Equals(..) | BoolNode::AtMost(..), _) => {}
            (BoolNode::And(parts), true) => {
                for part in parts {
                    let mut clause = vec![!condition];
                    self.disjunct(*part, &mut clause);
                    self.clause(&clause);
                }
            }
            (BoolNode::And(parts), false) => {
                let mut clause = vec![!condition];
                for part in parts {
                    self.disjunct(!*part, &mut clause);
                }
                self.clause(&clause);
            }
            (BoolNode::Equivalent(left, right), forward) => {
                let (left, right) = (self.literal(*left), self.literal(*right));
                let right = if forward { right } else { !right };
                self.clause(&[!condition, !left, right]);
                self.clause(&[!condition, left, !right]);
            }
            (BoolNode::Same(left, right), forward) => self.same(*left, *right, forward, Some(condition)),
            (BoolNode::LinearAtMost(terms, bound), true) => {
                self.require_linear(terms, i128::from(*bound), Some(condition));
            }
            (BoolNode::LinearAtMost(terms, bound), false) => {
                let negated: Vec<(i64, Int)> = terms.iter().map(|(factor, term)| (-factor, *term)).collect();
                self.require_linear(&negated, -i128::from(*bound) - 1, Some(condition));
            }
            (BoolNode::LinearEquals(terms, bound), true) => self.require_sum(terms, *bound, Some(condition)),
            (BoolNode::LinearEquals(terms, bound), false) => {
                // Either below or above.
                let below = Known::Literal(self.sink.new_variable());
                let above = Known::Literal(self.sink.new_variable());
                self.clause(&[!condition, below, above]);
                self.require_linear(terms, i128::from(*bound) - 1, Some(below));
                let negated: Vec<(i64, Int)> = terms.iter().map(|(factor, term)| (-factor, *term)).collect();
                self.require_linear(&negated, -i128::from(*bound) - 1, Some(above));
            }
            (BoolNode::AllDifferent(terms), true) => self.all_different(terms, Some(condition)),
            (BoolNode::AllDifferent(terms), false) => {
                let mut clause = vec![!condition];
                for (position, left) in terms.iter().enumerate() {
                    for right in &terms[position + 1..] {
                        let equal = Known::Literal(self.sink.new_variable());
                        self.same(*left, *right, true, Some(equal));
                        clause.push(equal);
                    }
                }
                self.clause(&clause);
            }
            (BoolNode::Table(terms, rows), true) => self.table(terms, rows, Some(condition)),
            (BoolNode::Table(terms, rows), false) => {
                for row in rows {
                    let mut clause = vec![!condition];
                    clause.extend(terms.iter().zip(row.iter()).map(|(term, value)| !self.equals(*term, *value)));
                    self.clause(&clause);
                }
            }
        }
    }

    /// The terms are equal (or differ), if the condition holds.
    fn same(&mut self, left: Int, right: Int, equal: bool, condition: Option<Known>) {
        let unless = condition.map_or(Known::Constant(false), |condition| !condition);
        let mut values = self.values(left);
        if equal {
            values.extend(self.values(right));
            values.sort_unstable();
            values.dedup();
        }
        for value in values {
            let (one, other) = (self.equals(left, value), self.equals(right, value));
            if equal {
                self.clause(&[unless, !one, other]);
                self.clause(&[unless, one, !other]);
            } else {
                self.clause(&[unless, !one, !other]);
            }
        }
    }

    /// No value is taken twice; where there are as many values as terms, each one is taken.
    fn all_different(&mut self, terms: &[Int], condition: Option<Known>) {
        let mut values: Vec<i64> = terms.iter().flat_map(|term| self.values(*term)).collect();
        values.sort_unstable();
        values.dedup();
        let tight = values.len() == terms.len();
        let unless = condition.map_or(Known::Constant(false), |condition| !condition);
        for value in values {
            let takers: Vec<Known> = terms
                .iter()
                .map(|term| self.equals(*term, value))
                .filter(|taker| *taker != Known::Constant(false))
                .collect();
            self.at_most_one(&takers, unless);
            if tight {
                let mut clause = takers;
                clause.push(unless);
                self.clause(&clause);
            }
        }
    }

    /// At most one of the literals holds, unless `unless` does: pairwise for few, else by a ladder of prefixes
    /// (sequential counter, Sinz 2005).
    pub(super) fn at_most_one(&mut self, literals: &[Known], unless: Known) {
        if literals.len() <= 40 {
            for (position, left) in literals.iter().enumerate() {
                for right in &literals[position + 1..] {
                    self.clause(&[unless, !*left, !*right]);
                }
            }
            return;
        }
        // `seen` holds if one of the literals so far does.
        let mut seen = Known::Constant(false);
        for literal in literals {
            self.clause(&[unless, !seen, !*literal]);
            let next = Known::Literal(self.sink.new_variable());
            self.clause(&[!seen, next]);
            self.clause(&[!*literal, next]);
            seen = next;
        }
    }

    /// One of the rows is taken: a literal for each row (Bacchus 2007).
    fn table(&mut self, terms: &[Int], rows: &[Box<[i64]>], condition: Option<Known>) {
        let unless = condition.map_or(Known::Constant(false), |condition| !condition);
        let taken: Vec<Known> = rows.iter().map(|_| Known::Literal(self.sink.new_variable())).collect();
        let mut clause = taken.clone();
        clause.push(unless);
        self.clause(&clause);
        for (column, term) in terms.iter().enumerate() {
            for (row, taken) in rows.iter().zip(&taken) {
                let cell = self.equals(*term, row[column]);
                self.clause(&[!*taken, cell]);
            }
            // A value needs a row that has it.
            for value in self.values(*term) {
                let mut clause = vec![unless, !self.equals(*term, value)];
                clause.extend(rows.iter().zip(&taken).filter(|(row, _)| row[column] == value).map(|(_, taken)| *taken));
                self.clause(&clause);
            }
        }
    }
}
