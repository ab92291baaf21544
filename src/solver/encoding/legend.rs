//! The meaning of the Booleans of a problem's variables, for the reader of the clauses.

use super::*;

/// The meaning of a literal for a variable of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LiteralMeaning {
    /// A Boolean variable is true.
    Holds,
    Equals(i64),
    AtMost(i64),
    /// The bit of this weight in two's complement; the last bit is the sign.
    Bit(usize),
}

impl<S: Sink> Encoder<'_, S> {
    /// The literals of the problem's variables.
    pub(crate) fn legend(&self) -> Vec<(Literal, Variable, LiteralMeaning)> {
        let mut legend = Vec::new();
        for variable in self.problem.variables() {
            match variable {
                Variable::Bool(term) => {
                    let literal = self.bools[term.node().0.0 as usize].literal;
                    legend.extend(literal.map(|literal| (literal, variable, LiteralMeaning::Holds)));
                }
                Variable::Int(term) => self.legend_of(EncodedTerm::of(term), variable, &mut legend),
            }
        }
        legend.retain(|(literal, ..)| ![Literal::TRUE, Literal::FALSE].contains(literal));
        legend.sort_by_key(|(literal, ..)| literal.number().unsigned_abs());
        legend
    }

    fn legend_of(&self, term: EncodedTerm, variable: Variable, legend: &mut Vec<(Literal, Variable, LiteralMeaning)>) {
        let entry = &self.entries[term.index()];
        let mut add = |literal: Literal, meaning: LiteralMeaning| legend.push((literal, variable, meaning));
        let of_term = |known: &EncodedTerm| *known == term;
        for ((known, position), literal) in &self.equalities {
            if let (true, Some(domain)) = (of_term(known), &entry.domain) {
                add(*literal, LiteralMeaning::Equals(domain.value(*position)));
            }
        }
        for ((known, value), literal) in &self.bounds {
            if of_term(known) {
                add(*literal, LiteralMeaning::AtMost(*value));
            }
        }
        for (position, literal) in self.bits.get(&term).into_iter().flat_map(|bits| bits.iter()).enumerate() {
            add(*literal, LiteralMeaning::Bit(position));
        }
        let Some(domain) = &entry.domain else { return };
        let (direct, order) = self.listed(term);
        if let Some(literals) = direct {
            for (position, value) in domain.values().enumerate() {
                add(self.get(literals, position), LiteralMeaning::Equals(value));
            }
        }
        if let Some(literals) = order {
            for (position, value) in domain.values().enumerate().take(domain.len() - 1) {
                add(self.get(literals, position), LiteralMeaning::AtMost(value));
            }
        }
    }
}
