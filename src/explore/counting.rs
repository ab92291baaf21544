//! Estimates the number of solutions, with a confidence, and draws a random sample.
//!
//! The method is ApproxMC (Chakraborty, Meel, Vardi: A scalable approximate model counter, CP 2013; Algorithmic
//! improvements in approximate counting, IJCAI 2016). Random parity constraints cut the space into cells of about equal
//! size; a cell with few solutions is enumerated, and its size times the number of cells is one measurement. The
//! estimate is the median of several measurements. A parity constraint takes a random bit for each value of each
//! decision: this is simple tabulation hashing, which is pairwise independent, as the proof requires.

use super::{Bounds, SolutionPoint, Space};
use crate::{
    halt::{Halt, StopReason},
    problem::{Bool, Builder, Int, Problem, Variable},
    solver::{self, EngineOptions, SearchEnd},
    symbolic::LoweringRefusal,
};
use rustc_hash::FxHashSet;

/// An estimate of the number of solutions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The estimate.
    pub solutions: f64,
    /// The factor within which the estimate is right: at least the estimate divided by it, at most the estimate times
    /// it …
    pub factor: f64,
    /// … with at least this probability.
    pub confidence: f64,
}

/// The tolerance ε: the factor is 1 + ε.
const TOLERANCE: f64 = 0.8;

/// A cell with at most this many solutions is enumerated; the theorem requires 9.84 (1 + ε/(1+ε)) (1 + 1/ε)².
pub(super) const PIVOT: usize = 72;

/// The number of measurements. One of them fails with a probability of at most 0.36, so the median of nine fails with
/// at most 0.2.
const MEASUREMENTS: usize = 9;
const CONFIDENCE: f64 = 0.8;

/// The limit on cells that are enumerated to enlarge the sample. Chosen.
const MOST_CELLS: usize = 60;

/// Decisions with more values cannot be hashed.
const MOST_VALUES: u128 = 4_096;

/// The limit on parity constraints. Chosen.
const MOST_PARITIES: usize = 2_048;

/// The result of the measurements.
#[derive(Default)]
pub(super) struct SampleResult {
    pub estimate: Option<Estimate>,
    /// Distinct solutions from random cells.
    pub sample: Vec<SolutionPoint>,
    pub stopped: Option<StopReason>,
}

/// Estimates the number of solutions of a space with more than [`PIVOT`] solutions.
pub(super) fn estimate(space: &Space, bounds: Bounds, options: &EngineOptions) -> Result<SampleResult, Halt> {
    let problem = &space.problem;
    let mut drawn = SampleResult::default();
    let has_many = |term: &Int| problem.values(*term).size().is_none_or(|size| size > MOST_VALUES);
    let is_large = |one: &Variable| matches!(one, Variable::Int(term) if has_many(term));
    if problem.decisions().iter().any(is_large) {
        return Ok(drawn);
    }
    let mut random = fastrand::Rng::with_seed(bounds.seed);
    let mut measured: Vec<f64> = Vec::new();
    let mut seen: FxHashSet<Vec<i64>> = FxHashSet::default();
    let mut last = None;
    for number in 0..MOST_CELLS {
        // The estimate needs a fixed number of measurements; after these, cells only enlarge the sample.
        if number >= MEASUREMENTS && drawn.sample.len() >= bounds.sample {
            break;
        }
        let mut hash = Hash { seeds: Vec::new(), random: &mut random };
        match measure_cell(space, &mut hash, &mut last, options)? {
            Ok((size, parities, points)) => {
                if measured.len() < MEASUREMENTS {
                    measured.push(size as f64 * (parities as f64).exp2());
                }
                drawn.sample.extend(points.into_iter().filter(|point| seen.insert(point.decisions.clone())));
            }
            Err(status) => {
                drawn.stopped = Some(status);
                break;
            }
        }
    }
    if measured.len() == MEASUREMENTS {
        measured.sort_by(f64::total_cmp);
        let solutions = measured[MEASUREMENTS / 2];
        drawn.estimate = Some(Estimate { solutions, factor: 1.0 + TOLERANCE, confidence: CONFIDENCE });
    }
    Ok(drawn)
}

/// A random hash function to bit sequences of any length; shorter sequences are prefixes of longer ones.
struct Hash<'r> {
    seeds: Vec<u64>,
    random: &'r mut fastrand::Rng,
}

impl Hash<'_> {
    /// The problem restricted to the solutions whose first bits are zero.
    fn cell(&mut self, problem: &Problem, bits: usize) -> Result<Problem, Halt> {
        while self.seeds.len() < bits {
            self.seeds.push(self.random.u64(..));
        }
        let mut builder = Builder::from(problem.clone());
        for seed in &self.seeds[..bits] {
            // With the same seed, parities are the same for each length, so a cell of more bits is a subset of a cell
            // of fewer bits.
            let mut random = fastrand::Rng::with_seed(*seed);
            let mut parity = Bool::from(random.bool());
            for decision in problem.decisions() {
                let bit = match decision {
                    Variable::Bool(term) => {
                        if random.bool() {
                            *term
                        } else {
                            Bool::FALSE
                        }
                    }
                    Variable::Int(term) => {
                        let values: Vec<i64> = problem.values(*term).iter().filter(|_| random.bool()).collect();
                        let equal: Vec<Bool> =
                            values.into_iter().map(|value| builder.equals_constant(*term, value)).collect();
                        builder.or(equal)
                    }
                };
                parity = !builder.equivalent(parity, bit);
            }
            builder.require(!parity);
        }
        builder.finish().map_err(|fault| Halt::from(LoweringRefusal::Unbuildable(fault)))
    }
}

/// The size of a cell, the number of its bits, and its solutions.
type Measurement = (usize, usize, Vec<SolutionPoint>);

/// Measures the largest cell that is small enough. The search for its number of bits starts from the number of the last
/// measurement.
fn measure_cell(
    space: &Space,
    hash: &mut Hash,
    last: &mut Option<usize>,
    options: &EngineOptions,
) -> Result<Result<Measurement, StopReason>, Halt> {
    let (mut low, mut high) = (0, None);
    let mut bits = last.unwrap_or(4).max(1);
    loop {
        let cell = hash.cell(&space.problem, bits)?;
        let (points, end) = space.enumerate(&cell, &mut *solver::alone(), PIVOT + 1, options)?;
        if let SearchEnd::Stopped(stopped) = end {
            return Ok(Err(stopped));
        }
        match points.len() {
            size if size > PIVOT => low = bits,
            size => high = Some((bits, size, points)),
        }
        // The first measurement doubles the number of bits and then bisects. Later ones move by single bits, because
        // the numbers hardly differ between measurements.
        bits = match (&high, *last) {
            (Some((bits, ..)), _) if *bits == low + 1 => break,
            (Some((bits, ..)), None) => (low + bits) / 2,
            (Some((bits, ..)), Some(_)) => bits - 1,
            (None, None) => low * 2,
            (None, Some(_)) => low + 1,
        };
        if bits > MOST_PARITIES {
            return Ok(Err(StopReason::Unknown("the space is too large to be measured".to_owned())));
        }
    }
    let Some((bits, size, points)) = high else {
        return Ok(Err(StopReason::Unknown("no cell is small enough".to_owned())));
    };
    *last = Some(bits);
    Ok(Ok((size, bits, points)))
}
