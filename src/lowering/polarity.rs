//! Where a Boolean stands: what is asserted may be made true by a choice of auxiliary variables, and what is denied
//! may be made false by one.

use crate::operators::{Symbol, symbols};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polarity {
    /// The whole can only become true by this being true.
    Positive,
    /// The whole can only become true by this being false.
    Negative,
    /// Both matter, or it is not known.
    Mixed,
}

impl Polarity {
    pub(super) fn negated(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Mixed => Polarity::Mixed,
        }
    }

    /// That of an operand.
    pub(super) fn of_operand(self, symbol: Symbol, position: usize) -> Polarity {
        match symbol {
            symbols::AND | symbols::OR | symbols::ALL | symbols::ANY => self,
            symbols::NOT => self.negated(),
            symbols::IMPLIES if position == 0 => self.negated(),
            symbols::IMPLIES => self,
            _ => Polarity::Mixed,
        }
    }
}
