//! How a Boolean depends on its parts: what is asserted may be made true by a choice of auxiliary variables, and what
//! is denied may be made false by one.

use super::Operator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Polarity {
    /// The whole can only become true by this being true.
    Positive,
    /// The whole can only become true by this being false.
    Negative,
    /// Both matter, or it is not known.
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
