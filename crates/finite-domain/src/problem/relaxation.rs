//! Upper bounds of sums by the linear constraints, and the domains that a value close to the bound leaves to the terms.
//!
//! This is Lagrangian relaxation (Geoffrion, "Lagrangean relaxation for integer programming", 1974): constraints move
//! into the sum with multipliers, and the maximum of the new sum within the terms' bounds is easy to compute.
//! Multipliers are improved one at a time; with a single constraint, this yields Dantzig's bound of the knapsack
//! problem ("Discrete-variable extremum problems", 1957). A term with a large coefficient in the new sum cannot be far
//! from its better end if the sum must reach a value: reduced-cost fixing (Crowder, Johnson, Padberg, "Solving
//! large-scale zero-one linear programming problems", 1983).
//!
//! Any multipliers that are not negative give a valid bound, so rounding them is harmless; all numbers are integers.

#[cfg(test)]
mod tests;

use super::*;
use crate::problem::tuning::relaxation::{MOST_ENTRIES, ROUNDS};

/// Multipliers are multiples of 1 / `SCALE`.
const SCALE: i128 = 1 << 20;

/// The maximum coefficient and bound that are considered, so that nothing here overflows.
const LARGEST_COEFFICIENT: i64 = 1 << 30;

/// The maximum cost of a column: [`MOST_ENTRIES`] products of a cost and the largest coefficient can be added up.
const LARGEST_COST: i128 = 1 << 76;

/// A bound on a sum.
#[derive(Debug)]
pub(crate) struct Relaxation {
    /// The bound, multiplied by [`SCALE`].
    most: i128,
    /// The remaining coefficients, multiplied by [`SCALE`], and the bounds of the terms.
    columns: Vec<Column>,
    /// The constraints with a positive multiplier: `Σ coefficient · term <= bound`.
    pub rows: Vec<(Vec<(i64, Int)>, i64)>,
}

#[derive(Debug)]
struct Column {
    term: Int,
    cost: i128,
    low: i128,
    high: i128,
}

/// `Σ coefficient · column <= bound`
struct LinearRow {
    entries: Vec<(i128, usize)>,
    bound: i128,
    multiplier: i128,
}

impl Relaxation {
    /// Computes a bound on `Σ coefficient · term`; `None` if the constraints give none.
    pub(crate) fn new(problem: &Problem, sum: &[(i64, Int)]) -> Option<Relaxation> {
        let mut columns = Columns { problem, positions: FxHashMap::default(), columns: Vec::new() };
        for (coefficient, column) in columns.entries(sum, 1)? {
            columns.columns[column].cost = coefficient * SCALE;
        }
        let mut rows = rows(&mut columns);
        let mut columns = columns.columns;
        for _ in 0..ROUNDS {
            let mut changed = false;
            for row in &mut rows {
                changed |= row.improve(&mut columns)?;
            }
            if !changed {
                break;
            }
        }
        rows.retain(|row| row.multiplier > 0);
        if rows.is_empty() {
            return None;
        }
        // With the rows moved into the objective, the terms are independent, so each takes its better end.
        let best = |column: &Column| (column.cost * column.low).max(column.cost * column.high);
        let moved: i128 = rows.iter().map(|row| row.multiplier * row.bound).sum();
        let most = moved + columns.iter().map(best).sum::<i128>();
        let terms = |row: &LinearRow| {
            row.entries.iter().map(|(factor, column)| (*factor as i64, columns[*column].term)).collect()
        };
        let rows = rows.iter().map(|row| (terms(row), row.bound as i64)).collect();
        Some(Relaxation { most, columns, rows })
    }

    /// Returns the upper bound of the sum.
    pub(crate) fn most(&self) -> i128 {
        self.most.div_euclid(SCALE)
    }

    /// Returns the terms with tighter bounds if the sum is at least this value, with these bounds; `None` if the sum
    /// cannot reach it.
    pub(crate) fn narrowed(&self, least: i128) -> Option<Vec<(Int, i64, i64)>> {
        let slack = least.checked_mul(SCALE).and_then(|least| self.most.checked_sub(least))?;
        if slack < 0 {
            return None;
        }
        let narrowed = |column: &Column| {
            let Column { term, cost, low, high } = *column;
            // Each step away from the better end uses `cost` of the slack.
            let most = slack.checked_div(cost.abs()).filter(|most| *most < high - low)?;
            let (low, high) = if cost > 0 { (high - most, high) } else { (low, low + most) };
            Some((term, low as i64, high as i64))
        };
        Some(self.columns.iter().filter_map(narrowed).collect())
    }

    /// Returns true if more than half of the terms are fixed when the sum is at least this value, so that little search
    /// remains.
    pub(crate) fn settles(&self, least: i128) -> bool {
        let fixed = |narrowed: Vec<(Int, i64, i64)>| narrowed.iter().filter(|(_, low, high)| low == high).count();
        self.narrowed(least).is_none_or(|narrowed| fixed(narrowed) * 2 > self.columns.len())
    }
}

/// The terms so far with their positions.
struct Columns<'p> {
    problem: &'p Problem,
    positions: FxHashMap<Int, usize>,
    columns: Vec<Column>,
}

impl Columns<'_> {
    /// Returns the terms of a sum as columns; `None` if the sum has large numbers.
    fn entries(&mut self, terms: &[(i64, Int)], sign: i64) -> Option<Vec<(i128, usize)>> {
        let is_fit = |(factor, term): &(i64, Int)| {
            let (low, high) = self.problem.bounds(*term);
            is_small(*factor) && is_small(low) && is_small(high)
        };
        if !terms.iter().all(is_fit) {
            return None;
        }
        let mut entries = Vec::with_capacity(terms.len());
        for (factor, term) in terms {
            let column = *self.positions.entry(*term).or_insert_with(|| {
                let (low, high) = self.problem.bounds(*term);
                self.columns.push(Column { term: *term, cost: 0, low: low.into(), high: high.into() });
                self.columns.len() - 1
            });
            entries.push((i128::from(sign * factor), column));
        }
        Some(entries)
    }
}

fn is_small(number: i64) -> bool {
    number.unsigned_abs() <= LARGEST_COEFFICIENT.unsigned_abs()
}

/// Returns the linear constraints of a problem, with each equation as two inequalities.
fn rows(columns: &mut Columns) -> Vec<LinearRow> {
    let problem = columns.problem;
    let mut rows = Vec::new();
    let mut room = MOST_ENTRIES;
    for constraint in problem.constraints() {
        let (id, negated) = constraint.node();
        let (terms, ends): (_, &[(i64, i64)]) = match (problem.bool_node(id), negated) {
            (BoolNode::LinearAtMost(terms, bound), false) => (terms, &[(1, *bound)]),
            // For the negation, the bound is `-bound - 1`, which is `!bound`.
            (BoolNode::LinearAtMost(terms, bound), true) => (terms, &[(-1, !bound)]),
            (BoolNode::LinearEquals(terms, bound), false) => (terms, &[(1, *bound), (-1, -bound)]),
            _ => continue,
        };
        for (sign, bound) in ends {
            match room.checked_sub(terms.len()) {
                Some(left) => room = left,
                None => return rows,
            }
            if is_small(*bound)
                && let Some(entries) = columns.entries(terms, *sign)
            {
                rows.push(LinearRow { entries, bound: i128::from(*bound), multiplier: 0 });
            }
        }
    }
    rows
}

impl LinearRow {
    /// Chooses the multiplier that minimises the bound while the others stay as they are; the bound is convex in it.
    /// Returns true if it has changed; `None` if the numbers grow too large.
    fn improve(&mut self, columns: &mut [Column]) -> Option<bool> {
        let mut load = 0;
        // At these multipliers, the better end of a term changes, and the load decreases by the second number.
        let mut turns: Vec<(i128, i128)> = Vec::new();
        for (factor, column) in &self.entries {
            let column = &mut columns[*column];
            column.cost += self.multiplier * factor;
            let ends = (factor * column.low, factor * column.high);
            let (least, most) = (ends.0.min(ends.1), ends.0.max(ends.1));
            if column.cost != 0 && (column.cost > 0) == (*factor > 0) {
                load += most;
                turns.push((column.cost / factor, most - least));
            } else {
                load += least;
            }
        }
        turns.sort_unstable();
        let before = std::mem::replace(&mut self.multiplier, 0);
        let mut turns = turns.into_iter();
        // The bound is minimal at the first multiplier for which the better ends of all terms satisfy the constraint.
        while load > self.bound {
            let (multiplier, less) = turns.next()?;
            load -= less;
            self.multiplier = multiplier;
        }
        for (factor, column) in &self.entries {
            let cost = &mut columns[*column].cost;
            *cost -= self.multiplier * factor;
            if cost.abs() > LARGEST_COST {
                return None;
            }
        }
        Some(self.multiplier != before)
    }
}
