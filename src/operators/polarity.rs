//! The polarity of the parts of a Boolean: an asserted part may be made true by a choice of auxiliary variables, and a
//! denied part may be made false by one.

use super::Operator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Polarity {
    /// The whole can only become true by this being true.
    Positive,
    /// The whole can only become true by this being false.
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

    /// The polarity of an operand where the result has this one.
    pub(crate) fn of_operand(self, operator: &Operator, position: usize) -> Polarity {
        match operator.polarity.get(position) {
            Some(Polarity::Positive) => self,
            Some(Polarity::Negative) => self.negated(),
            Some(Polarity::Mixed) | None => Polarity::Mixed,
        }
    }
}
