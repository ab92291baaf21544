//! The numbers of a formula.
//!
//! A certificate must not rest on a number that has overflowed, and release builds do not check that: overflow checks
//! are set for a whole package, and this one also contains the compiler. So the numbers of formulas and proofs have a
//! separate type, whose operators are checked in every build; `reference` and `certify` compute with nothing else.
//!
//! 128 bits are enough. The values of a term are integers of the language, below 2^62, and the parts of a sum add up to
//! at most 2^64 (`bounded` in `operators.rs` refuses larger sums). So a literal adds less than 2^66 to a constraint,
//! and as many literals as memory holds add less than 2^110.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PbNumber(i128);

impl PbNumber {
    pub(crate) const ZERO: PbNumber = PbNumber(0);
    pub(crate) const ONE: PbNumber = PbNumber(1);

    pub(crate) fn power_of_two(exponent: u32) -> Self {
        PbNumber(1).checked(1i128.checked_shl(exponent).filter(|power| *power > 0))
    }

    /// The number of items in a list.
    pub(crate) fn count(count: usize) -> Self {
        PbNumber(count as i128)
    }

    pub(crate) fn abs(self) -> Self {
        if self.0 < 0 { -self } else { self }
    }

    /// Returns true if the binary digit of this power of two is set. The number is not negative.
    pub(crate) fn has_digit(self, exponent: u32) -> bool {
        self.0.checked_shr(exponent).unwrap_or(0) & 1 == 1
    }

    /// The number of binary digits of a number that is not negative.
    pub(crate) fn digits(self) -> u32 {
        i128::BITS - self.0.leading_zeros()
    }

    /// The number as an `i64`, if it fits.
    pub(crate) fn small(self) -> Option<i64> {
        i64::try_from(self.0).ok()
    }

    /// The quotient, rounded up.
    pub(crate) fn divided_up(self, divisor: i64) -> Self {
        let divisor = i128::from(divisor);
        PbNumber(self.0.div_euclid(divisor) + i128::from(self.0.rem_euclid(divisor) != 0))
    }

    pub(crate) fn checked_mul(self, other: Self) -> Option<Self> {
        self.0.checked_mul(other.0).map(PbNumber)
    }

    /// A panic is a bug here; a wrong number would be a false certificate.
    fn checked(self, result: Option<i128>) -> Self {
        PbNumber(result.expect("the numbers of a certificate have at most 128 bits"))
    }
}

impl From<i64> for PbNumber {
    fn from(number: i64) -> Self {
        PbNumber(number.into())
    }
}

impl fmt::Display for PbNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Add for PbNumber {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.checked(self.0.checked_add(other.0))
    }
}

impl Sub for PbNumber {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.checked(self.0.checked_sub(other.0))
    }
}

impl Mul for PbNumber {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.checked(self.0.checked_mul(other.0))
    }
}

impl Neg for PbNumber {
    type Output = Self;

    fn neg(self) -> Self {
        self.checked(self.0.checked_neg())
    }
}

impl AddAssign for PbNumber {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for PbNumber {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for PbNumber {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.fold(PbNumber::ZERO, Add::add)
    }
}
