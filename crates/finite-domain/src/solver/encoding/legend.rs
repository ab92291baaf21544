//! The meaning of the literals of a problem's variables, for readers of the clauses.

use super::*;

/// The meaning of a literal of a variable of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LiteralMeaning {
    /// The Boolean variable is true.
    Holds,
    Equals(i64),
    AtMost(i64),
    /// The bit of this weight in two's complement; the last bit is the sign.
    Bit(usize),
}

impl LiteralMeaning {
    /// Returns the meaning in words, with the variable's name and the text of a value.
    pub(crate) fn says(self, name: &str, value: impl Fn(i64) -> String) -> String {
        match self {
            LiteralMeaning::Holds => name.to_owned(),
            LiteralMeaning::Equals(number) => format!("{name} = {}", value(number)),
            LiteralMeaning::AtMost(number) => format!("{name} <= {}", value(number)),
            LiteralMeaning::Bit(bit) => format!("bit {bit} of {name}"),
        }
    }
}

impl<S: ClauseSink> Literals<'_, S> {
    /// Returns the literals of the problem's variables with their meanings.
    pub(crate) fn legend(&self) -> Vec<(Literal, Variable, LiteralMeaning)> {
        let mut legend = Vec::new();
        for variable in self.terms.problem.variables() {
            match variable {
                Variable::Bool(term) => {
                    let literal = self.bools.literal(term.node().0);
                    legend.extend(literal.map(|literal| (literal, variable, LiteralMeaning::Holds)));
                }
                Variable::Int(term) => {
                    let term = EncodedTerm::of(term);
                    if let Some(domain) = self.terms.known_domain(term) {
                        let mut add = |literal, meaning| legend.push((literal, variable, meaning));
                        self.ints.legend(term, domain, &mut add);
                    }
                }
            }
        }
        legend.retain(|(literal, ..)| ![Literal::TRUE, Literal::FALSE].contains(literal));
        legend.sort_by_key(|(literal, ..)| literal.number().unsigned_abs());
        legend
    }
}
