//! Boolean variables and their negations, numbered as in DIMACS files.

/// A Boolean variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Literal(i32);

impl Literal {
    pub(crate) const TRUE: Literal = Literal(1);
    pub(crate) const FALSE: Literal = Literal(-1);

    /// The variable with this number, which is at least 1.
    pub(crate) fn variable(number: u32) -> Literal {
        Literal(number as i32)
    }

    /// The number of the variable, negative for a negated literal.
    pub(crate) fn number(self) -> i32 {
        self.0
    }
}

impl From<bool> for Literal {
    fn from(value: bool) -> Self {
        if value { Literal::TRUE } else { Literal::FALSE }
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(-self.0)
    }
}
