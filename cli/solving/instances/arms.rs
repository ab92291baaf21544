//! The sizes and densities of generated data, and the choice of the next ones to try.
//!
//! Each combination is an arm of a bandit: the next one has the highest upper confidence bound on the share of its
//! attempts that were kept (Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit problem",
//! Machine Learning 47, 2002). Only the grades depend on the time.

/// The factors by which sizes differ from the sizes of the examples. Chosen.
const SCALES: [f64; 7] = [1.0, 0.5, 0.75, 1.25, 1.5, 2.0, 3.0];
/// The shares of the possible members that are present, beside the share in the examples. Chosen.
const DENSITIES: [f64; 3] = [0.2, 0.5, 0.8];

/// A combination of a scale and a density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arm {
    pub scale: f64,
    pub density: Option<f64>,
    pub tries: u32,
    /// The sum of the rewards, each between 0 and 1.
    pub reward: f64,
}

/// All arms; with a density that was learnt from the examples, it is the first one.
pub(super) fn arms(learnt: Option<f64>, has_members: bool) -> Vec<Arm> {
    let densities: Vec<Option<f64>> = match (learnt, has_members) {
        (Some(learnt), _) => [learnt, (learnt * 0.6).max(0.02), (learnt * 1.5).min(0.98)].map(Some).to_vec(),
        (None, true) => DENSITIES.map(Some).to_vec(),
        (None, false) => vec![None],
    };
    let arm = |density: &Option<f64>, scale: f64| Arm { scale, density: *density, tries: 0, reward: 0.0 };
    SCALES.iter().flat_map(|scale| densities.iter().map(|density| arm(density, *scale))).collect()
}

/// The arm to try next.
pub(super) fn next(arms: &[Arm]) -> usize {
    let all: u32 = arms.iter().map(|arm| arm.tries).sum();
    let bound = |arm: &Arm| match arm.tries {
        0 => f64::INFINITY,
        tries => arm.reward / f64::from(tries) + (0.5 * f64::from(all.max(1)).ln() / f64::from(tries)).sqrt(),
    };
    let mut best = 0;
    for (number, arm) in arms.iter().enumerate() {
        if bound(arm) > bound(&arms[best]) {
            best = number;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arm_that_pays_is_tried_most() {
        let mut arms = arms(None, false);
        for _ in 0..200 {
            let number = next(&arms);
            arms[number].tries += 1;
            arms[number].reward += if arms[number].scale == 2.0 { 1.0 } else { 0.0 };
        }
        assert!(arms.iter().all(|arm| arm.tries > 0));
        assert!(arms.iter().any(|arm| arm.scale == 2.0 && arm.tries > 100), "{arms:?}");
    }
}
