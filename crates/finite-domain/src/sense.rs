//! The sense of an objective.

/// The sense of an objective: small or large values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sense {
    Minimise,
    Maximise,
}

impl Sense {
    /// The keyword that starts an objective in Essence.
    pub fn keyword(self) -> &'static str {
        match self {
            Sense::Minimise => "minimising",
            Sense::Maximise => "maximising",
        }
    }

    pub fn is_better<T: Ord + ?Sized>(self, value: &T, than: &T) -> bool {
        match self {
            Sense::Minimise => value < than,
            Sense::Maximise => value > than,
        }
    }

    /// Returns the next better value.
    pub fn step(self, value: i64) -> i64 {
        match self {
            Sense::Minimise => value.saturating_sub(1),
            Sense::Maximise => value.saturating_add(1),
        }
    }

    /// Returns the best of some values.
    #[cfg(test)]
    pub fn best<T: Ord>(self, values: impl IntoIterator<Item = T>) -> Option<T> {
        match self {
            Sense::Minimise => values.into_iter().min(),
            Sense::Maximise => values.into_iter().max(),
        }
    }

    /// Returns the better end of a range.
    pub fn end<T>(self, interval: (T, T)) -> T {
        let (low, high) = interval;
        match self {
            Sense::Minimise => low,
            Sense::Maximise => high,
        }
    }
}
