//! The polarity of the parts of a Boolean expression: a choice of auxiliary variables may make an asserted part true,
//! and a denied part false.

use super::Operator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Polarity {
    /// Making the part true can only help to make the whole true.
    Positive,
    /// Making the part false can only help to make the whole true.
    Negative,
    /// Both polarities matter, or the polarity is unknown.
    Mixed,
}

impl Polarity {
    pub(crate) fn negated(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Mixed => Polarity::Mixed,
        }
    }

    /// The polarity of an operand if the result has this polarity.
    pub(crate) fn of_operand(self, operator: &Operator, position: usize) -> Polarity {
        match operator.polarity.get(position) {
            Some(Polarity::Positive) => self,
            Some(Polarity::Negative) => self.negated(),
            Some(Polarity::Mixed) | None => Polarity::Mixed,
        }
    }
}
