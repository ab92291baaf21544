//! Bounds by linear duality: multipliers of the constraints whose sum bounds the objective, or is a contradiction.
//!
//! The primal-dual hybrid gradient method (Chambolle, Pock, "A first-order primal-dual algorithm for convex problems",
//! 2011) finds multipliers for the relaxation in which a variable is between 0 and 1. They are rounded to integers,
//! with which the bound is computed exactly: any multipliers give a valid bound, and good ones a good bound. The proof
//! adds the constraints up, removes the remaining variables with axioms, and divides.

use super::log::ProofLog;
use crate::{
    reference::{PbConstraint, PbLiteral, PbNumber},
    solver::EngineOptions,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Constraints with larger coefficients are left out, so that sums with the multipliers stay far below 128 bits.
const LARGEST_FACTOR: i64 = 1 << 40;
/// Fewer rounds find nothing.
const LEAST_ROUNDS: usize = 200;
/// Small instances have time for more rounds, but these do not improve the multipliers.
const MOST_ROUNDS: usize = 6_000;
/// The search for multipliers ends after this number of checks without a better bound. Chosen.
const PATIENCE: usize = 20;
/// The number of rounds between two checks of the multipliers. Chosen.
const ROUNDS_BETWEEN_LOOKS: usize = 50;
/// The divisors of the fractions to which multipliers are rounded. Chosen.
const DIVISORS: [i64; 14] = [1, 2, 3, 4, 6, 8, 12, 24, 60, 120, 720, 10_000, 100_000, 1_000_000];

/// A constraint of the relaxation.
struct RelaxedRow {
    /// The number of the constraint in the proof.
    number: u64,
    /// The coefficients by variable.
    factors: Vec<(usize, i64)>,
    least: i64,
    /// The largest coefficient, by which the row is divided during the search for multipliers.
    scale: f64,
}

/// The linear relaxation of constraints, with an objective to minimise, which may be empty.
pub(crate) struct LinearRelaxation {
    rows: Vec<RelaxedRow>,
    costs: Vec<i64>,
    /// The constant that is added to the costs.
    constant: i64,
}

/// Multipliers, with the bound that they give.
pub(crate) struct DualBound {
    /// The lower bound on the objective; without an objective, 1 for a contradiction.
    pub least: PbNumber,
    multipliers: Vec<(usize, i64)>,
    divisor: i64,
}

/// Converts coefficients of literals to coefficients of variables; `None` if one is too large.
fn by_variables(terms: &[(PbNumber, PbLiteral)]) -> Option<(Vec<(usize, i64)>, i64)> {
    let mut constant = 0;
    let mut factors = Vec::with_capacity(terms.len());
    for (factor, literal) in terms {
        // Larger coefficients could overflow the sums below.
        let factor = factor.small().filter(|factor| factor.abs() <= LARGEST_FACTOR)?;
        let variable = literal.number().unsigned_abs() as usize - 1;
        if literal.number() < 0 {
            // The negation of a variable is 1 minus the variable.
            constant += factor;
            factors.push((variable, -factor));
        } else {
            factors.push((variable, factor));
        }
    }
    (constant <= LARGEST_FACTOR).then_some((factors, constant))
}

impl LinearRelaxation {
    /// The relaxation of numbered constraints in normal form, without the constraints whose coefficients are too large.
    /// `None` if a coefficient of the objective is too large.
    pub(crate) fn new<'c>(
        constraints: impl Iterator<Item = (u64, &'c PbConstraint)>,
        objective: &[(PbNumber, PbLiteral)],
        variables: usize,
    ) -> Option<Self> {
        let mut costs = vec![0; variables];
        let (factors, constant) = by_variables(objective)?;
        factors.into_iter().for_each(|(variable, factor)| costs[variable] += factor);
        let row = |(number, constraint): (u64, &PbConstraint)| {
            let (factors, constant) = by_variables(&constraint.terms)?;
            // The constants are moved to the other side, which leaves the constraint the same.
            let least = constraint.least.small().filter(|least| least.abs() <= LARGEST_FACTOR)? - constant;
            let scale = factors.iter().map(|(_, factor)| factor.abs()).max()? as f64;
            Some(RelaxedRow { number, factors, least, scale })
        };
        Some(LinearRelaxation { rows: constraints.filter_map(row).collect(), costs, constant })
    }

    fn is_without_objective(&self) -> bool {
        self.costs.iter().all(|cost| *cost == 0)
    }

    /// The best bound that is found with about this number of multiplications, or the first one that reaches `target`.
    pub(crate) fn bound(&self, target: PbNumber, work: usize, options: &EngineOptions) -> Option<DualBound> {
        let size = self.rows.iter().map(|row| row.factors.len()).sum::<usize>() + self.costs.len();
        // A round needs about six multiplications per coefficient.
        let rounds = (work / (6 * size).max(1)).min(MOST_ROUNDS);
        // Below this number of rounds, the bound would be useless, so the caller keeps the trivial one.
        if rounds < LEAST_ROUNDS {
            return None;
        }
        let mut best: Option<DualBound> = None;
        // The right ratio of the step sizes for multipliers and variables depends on the instance.
        for speed in [1.0, 0.1, 10.0] {
            let mut search = MultiplierSearch::new(self, speed);
            let mut known = f64::MIN / 2.0;
            let mut looks = 0;
            for _ in 0..rounds / ROUNDS_BETWEEN_LOOKS {
                if options.reached().is_some() {
                    return best;
                }
                let value = search.rounds(ROUNDS_BETWEEN_LOOKS);
                looks += 1;
                if looks > PATIENCE {
                    break;
                }
                // Rounding takes time, so it is done only if the bound has grown noticeably.
                if value > known + 1e-9 * known.abs().max(1.0) {
                    known = value;
                    looks = 0;
                    // Only the rounded multipliers are exact, so they decide.
                    if let Some(found) = self.rounded(&search.best)
                        && best.as_ref().is_none_or(|best| found.least > best.least)
                    {
                        let is_enough = found.least >= target;
                        best = Some(found);
                        if is_enough {
                            return best;
                        }
                    }
                }
            }
        }
        best
    }

    /// The numbers of the rows that a bound adds up, with their multipliers.
    pub(crate) fn multiples<'b>(&'b self, bound: &'b DualBound) -> impl Iterator<Item = (u64, i64)> + 'b {
        bound.multipliers.iter().map(|(at, times)| (self.rows[*at].number, *times))
    }

    /// The bound from the signs of the costs alone.
    pub(super) fn trivial_bound(&self) -> DualBound {
        let (sum, _) = self.exact(&[], 1);
        DualBound { least: sum + PbNumber::from(self.constant), multipliers: Vec::new(), divisor: 1 }
    }

    /// The best bound of the multipliers after rounding.
    fn rounded(&self, multipliers: &[f64]) -> Option<DualBound> {
        // If there is no objective, multipliers have no unit.
        let unit = match self.is_without_objective() {
            // Before rounding, the multipliers are scaled so that the largest one is 1.
            true => multipliers.iter().zip(&self.rows).map(|(one, row)| one / row.scale).fold(0.0, f64::max),
            false => 1.0,
        };
        let mut best: Option<DualBound> = None;
        // Smaller divisors make shorter proofs, so they come first.
        for divisor in DIVISORS {
            let times = divisor as f64 / unit;
            let whole = |one: &f64, row: &RelaxedRow| (one * times / row.scale).round();
            let mut chosen = Vec::new();
            for (at, (one, row)) in multipliers.iter().zip(&self.rows).enumerate() {
                let number = whole(one, row);
                // The sums could overflow with larger multipliers.
                if !(0.0..1e12).contains(&number) {
                    return best;
                }
                // Rows with the multiplier 0 do not occur in the proof.
                if number > 0.0 {
                    chosen.push((at, number as i64));
                }
            }
            let (least, divisor) = match self.is_without_objective() {
                // Without an objective, every positive number is a contradiction.
                true => (self.exact(&chosen, 0).0.min(PbNumber::ONE), 1),
                false => {
                    let (sum, _) = self.exact(&chosen, divisor);
                    (sum.divided_up(divisor) + PbNumber::from(self.constant), divisor)
                }
            };
            if best.as_ref().is_none_or(|best| least > best.least) {
                best = Some(DualBound { least, multipliers: chosen, divisor });
            }
        }
        best
    }

    /// The lower bound on the objective times the divisor that these multiples of the rows imply, and the remaining
    /// coefficient of each variable in their sum.
    fn exact(&self, chosen: &[(usize, i64)], divisor: i64) -> (PbNumber, FxHashMap<usize, PbNumber>) {
        // Floating-point numbers only find the multipliers; the proof needs exact integers.
        let mut left: FxHashMap<usize, PbNumber> = FxHashMap::default();
        let mut sum = PbNumber::ZERO;
        for (at, times) in chosen {
            let row = &self.rows[*at];
            let times = PbNumber::from(*times);
            sum += times * PbNumber::from(row.least);
            for (variable, factor) in &row.factors {
                *left.entry(*variable).or_default() += times * PbNumber::from(*factor);
            }
        }
        // The costs are subtracted, so the domains of the variables must bound the remainder.
        for (variable, cost) in self.costs.iter().enumerate().filter(|(_, cost)| **cost != 0) {
            *left.entry(variable).or_default() -= PbNumber::from(divisor) * PbNumber::from(*cost);
        }
        // A variable is at most 1, which matters for a positive coefficient, and at least 0, which matters for a
        // negative one.
        for excess in left.values() {
            sum -= PbNumber::ZERO.max(*excess);
        }
        (sum, left)
    }

    /// Logs the steps that derive a bound. Returns the number of the constraint that states it.
    pub(super) fn derive(&self, bound: &DualBound, log: &mut ProofLog) -> u64 {
        let mut line = "pol".to_owned();
        let mut is_first = true;
        let mut add = |operand: String| {
            line += &format!(" {operand}{}", if std::mem::take(&mut is_first) { "" } else { " +" });
        };
        for (at, times) in &bound.multipliers {
            let number = self.rows[*at].number;
            add(if *times == 1 { number.to_string() } else { format!("{number} {times} *") });
        }
        let divisor = if self.is_without_objective() { 0 } else { bound.divisor };
        let (_, left) = self.exact(&bound.multipliers, divisor);
        // Sorting gives the same formula the same proof.
        let mut left: Vec<_> = left.into_iter().filter(|(_, factor)| *factor != PbNumber::ZERO).collect();
        left.sort_unstable();
        for (variable, factor) in left {
            let literal = PbLiteral::numbered(variable as i32 + 1);
            // The axioms state that a literal is at most 1 and at least 0.
            let literal = if factor > PbNumber::ZERO { !literal } else { literal };
            add(format!("{} {} *", log.name(literal), factor.abs()));
        }
        if is_first {
            // The empty sum is always at least 0.
            return log.step("rup >= 0;");
        }
        // Division with rounding up is a rule of cutting planes.
        if bound.divisor > 1 {
            line += &format!(" {} d", bound.divisor);
        }
        log.step(&format!("{line};"))
    }
}

/// The state of the primal-dual method.
struct MultiplierSearch<'r> {
    relaxation: &'r LinearRelaxation,
    costs: Vec<f64>,
    variables: Vec<f64>,
    multipliers: Vec<f64>,
    /// The step sizes of variables and of multipliers.
    steps: (Vec<f64>, Vec<f64>),
    /// The multipliers with the best bound so far, and this bound.
    best: Vec<f64>,
    value: f64,
}

impl<'r> MultiplierSearch<'r> {
    fn new(relaxation: &'r LinearRelaxation, speed: f64) -> Self {
        let count = relaxation.costs.len();
        let mut weights = vec![0.0; count];
        // Steps are scaled by rows and columns, so the method converges for any coefficients.
        let mut row_steps = Vec::with_capacity(relaxation.rows.len());
        for row in &relaxation.rows {
            let mut weight = 0.0;
            for (variable, factor) in &row.factors {
                let factor = factor.abs() as f64 / row.scale;
                weights[*variable] += factor;
                weight += factor;
            }
            row_steps.push(speed / f64::max(weight, 1e-9));
        }
        let costs: Vec<f64> = relaxation.costs.iter().map(|cost| *cost as f64).collect();
        // The costs determine the size of the steps.
        let largest = costs.iter().fold(1.0, |largest: f64, cost| largest.max(cost.abs()));
        MultiplierSearch {
            relaxation,
            variables: vec![0.5; count],
            multipliers: vec![0.0; relaxation.rows.len()],
            steps: (
                weights.iter().map(|weight| 1.0 / (speed * largest * f64::max(*weight, 1e-9))).collect(),
                row_steps.into_iter().map(|step| step * largest).collect(),
            ),
            best: vec![0.0; relaxation.rows.len()],
            value: f64::NEG_INFINITY,
            costs,
        }
    }

    /// The reduced costs of the variables for these multipliers.
    fn reduced(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut reduced = self.costs.clone();
        // Most multipliers are 0, and their rows add nothing.
        for (row, multiplier) in self.relaxation.rows.iter().zip(multipliers).filter(|(_, one)| **one > 0.0) {
            for (variable, factor) in &row.factors {
                reduced[*variable] -= multiplier * *factor as f64 / row.scale;
            }
        }
        reduced
    }

    /// The bound of these multipliers.
    fn look(&mut self, multipliers: &[f64]) -> f64 {
        let rows = self.relaxation.rows.iter().zip(multipliers);
        let reached: f64 = rows.map(|(row, multiplier)| multiplier * row.least as f64 / row.scale).sum();
        let value = reached + self.reduced(multipliers).iter().map(|cost| cost.min(0.0)).sum::<f64>();
        // The method does not improve in every round, so the best multipliers are kept.
        if value > self.value {
            self.value = value;
            self.best.copy_from_slice(multipliers);
        }
        value
    }

    /// Runs some rounds, restarts at the average if that is better, and returns the best bound.
    fn rounds(&mut self, count: usize) -> f64 {
        let mut averages = (vec![0.0; self.variables.len()], vec![0.0; self.multipliers.len()]);
        for _ in 0..count {
            let reduced = self.reduced(&self.multipliers);
            let mut ahead = vec![0.0; self.variables.len()];
            for (at, value) in self.variables.iter_mut().enumerate() {
                let next = (*value - self.steps.0[at] * reduced[at]).clamp(0.0, 1.0);
                // For the step of the multipliers, the method extrapolates the variables.
                ahead[at] = 2.0 * next - *value;
                *value = next;
                averages.0[at] += next / count as f64;
            }
            for (at, row) in self.relaxation.rows.iter().enumerate() {
                let sum: f64 = row.factors.iter().map(|(variable, factor)| *factor as f64 * ahead[*variable]).sum();
                let missing = (row.least as f64 - sum) / row.scale;
                self.multipliers[at] = (self.multipliers[at] + self.steps.1[at] * missing).max(0.0);
                averages.1[at] += self.multipliers[at] / count as f64;
            }
        }
        let last = self.multipliers.clone();
        // Restarting at the average makes the method converge fast on linear programs.
        if self.look(&averages.1) > self.look(&last) {
            (self.variables, self.multipliers) = averages;
        }
        self.value
    }
}

/// Derives at-most-one constraints on several literals from constraints on two literals each.
pub(super) fn cliques(
    constraints: &[PbConstraint],
    log: &mut ProofLog,
    options: &EngineOptions,
) -> Vec<(u64, PbConstraint)> {
    /// The maximum number of edges: larger graphs take too long. Chosen.
    const MOST_EDGES: usize = 200_000;
    let mut edges: FxHashMap<PbLiteral, FxHashMap<PbLiteral, u64>> = FxHashMap::default();
    let mut order = Vec::new();
    for (number, constraint) in (1..).zip(constraints) {
        if let ([(PbNumber::ONE, one), (PbNumber::ONE, two)], PbNumber::ONE) = (&constraint.terms[..], constraint.least)
        {
            edges.entry(!*one).or_default().insert(!*two, number);
            edges.entry(!*two).or_default().insert(!*one, number);
            order.push((!*one, !*two));
        }
    }
    // A triangle needs at least three edges.
    if order.len() < 3 || order.len() > MOST_EDGES {
        return Vec::new();
    }
    let mut covered: FxHashSet<(PbLiteral, PbLiteral)> = FxHashSet::default();
    let mut found = Vec::new();
    for (one, two) in order {
        if options.reached().is_some() {
            break;
        }
        // Each clique covers a new edge, so there are at most as many cliques as edges.
        if covered.contains(&(one, two)) {
            continue;
        }
        let mut clique = vec![one, two];
        let mut candidates: Vec<PbLiteral> =
            edges[&one].keys().filter(|other| edges[&two].contains_key(other)).copied().collect();
        // The keys of a map have no fixed order, so they are sorted.
        candidates.sort_unstable();
        while let Some(next) = candidates.first().copied() {
            clique.push(next);
            // Every candidate must exclude all members.
            candidates.retain(|other| edges[&next].contains_key(other));
        }
        for left in &clique {
            covered.extend(clique.iter().map(|right| (*left, *right)));
        }
        if clique.len() < 3 {
            continue;
        }
        // At most one of the first literals is true, and none of them together with the next one. These constraints are
        // added up, with the first one repeated so that all coefficients are equal; the sum is divided and rounded up.
        let mut number = edges[&one][&two].to_string();
        let mut text = String::new();
        for (count, next) in clique.iter().enumerate().skip(2) {
            text = format!("{number} {} *", count - 1);
            for before in &clique[..count] {
                text += &format!(" {} +", edges[before][next]);
            }
            text += &format!(" {count} d");
            number = text.clone();
        }
        found.push((log.step(&format!("pol {text};")), PbConstraint::at_most_one(clique)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proof::{ProofConclusion, check_formula_proof};
    use std::{
        cell::RefCell,
        io::{self, Write},
        rc::Rc,
    };

    #[derive(Clone, Default)]
    struct Text(Rc<RefCell<Vec<u8>>>);

    impl Write for Text {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn name(literal: PbLiteral) -> String {
        let number = literal.number();
        format!("{}x{}", if number < 0 { "~" } else { "" }, number.abs())
    }

    /// The bound that the checker accepts from a proof by duality.
    fn shown(constraints: &[PbConstraint], objective: &[(PbNumber, PbLiteral)], variables: usize) -> i128 {
        let mut formula = format!("* #variable= {variables} #constraint= {}\n", constraints.len());
        if !objective.is_empty() {
            let terms: String = objective.iter().map(|(factor, one)| format!(" {factor} {}", name(*one))).collect();
            formula += &format!("min:{terms} ;\n");
        }
        constraints.iter().for_each(|constraint| formula += &format!("{} ;\n", constraint.text(name)));
        let text = Text::default();
        let mut log = ProofLog::new(Box::new(text.clone()), constraints.len(), Box::new(name));
        let options = EngineOptions::default();
        let cliques = cliques(constraints, &mut log, &options);
        let rows = (1..).zip(constraints).chain(cliques.iter().map(|(number, clique)| (*number, clique)));
        let relaxation = LinearRelaxation::new(rows, objective, variables).expect("small numbers");
        let bound = relaxation.bound(PbNumber::from(1_000_000), 20_000_000, &options).expect("a bound");
        let number = relaxation.derive(&bound, &mut log);
        let conclusion = match objective {
            [] => format!("UNSAT : {number}"),
            _ => format!("BOUNDS {} : {number} INF", bound.least),
        };
        log.end(&conclusion).expect("a text");
        let proof = text.0.borrow().clone();
        let checked = check_formula_proof(&mut formula.as_bytes(), &mut &proof[..], &mut || false);
        match checked.map(|checked| checked.expect("nothing stops it").conclusion) {
            Ok(ProofConclusion::Bounds { lower: Some(lower), .. }) => lower,
            Ok(ProofConclusion::Unsatisfiable) => 1,
            other => panic!("{other:?}\n{formula}{}", String::from_utf8_lossy(&proof)),
        }
    }

    /// There are more pigeons than holes, and two pigeons never share a hole.
    #[test]
    fn pigeons_are_counted() {
        for holes in 2..=8 {
            let at = |pigeon: i32, hole: i32| PbLiteral::numbered(pigeon * holes + hole + 1);
            let mut constraints: Vec<_> =
                (0..=holes).map(|pigeon| PbConstraint::clause((0..holes).map(|hole| at(pigeon, hole)))).collect();
            for (one, two) in (0..=holes).flat_map(|one| (0..one).map(move |two| (one, two))) {
                constraints.extend((0..holes).map(|hole| PbConstraint::clause([!at(one, hole), !at(two, hole)])));
            }
            assert_eq!(shown(&constraints, &[], (holes * (holes + 1)) as usize), 1, "{holes} holes");
        }
    }

    /// The bound for a random knapsack is at most the optimum over all subsets, and near it.
    #[test]
    fn bounds_of_knapsacks_are_right_and_near() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..30 {
            let items: Vec<(i64, i64)> = (0..12).map(|_| (random.i64(10..60), random.i64(10..60))).collect();
            let literal = |at: usize| PbLiteral::numbered(at as i32 + 1);
            let total: i64 = items.iter().map(|(weight, _)| *weight).sum();
            // This is a knapsack in reverse: the items that stay must weigh at least half and should be worth little.
            let weights = items.iter().enumerate().map(|(at, (weight, _))| (PbNumber::from(*weight), literal(at)));
            let constraint = PbConstraint::new(weights.collect(), PbNumber::from(total / 2));
            let objective: Vec<_> =
                items.iter().enumerate().map(|(at, (_, value))| (PbNumber::from(*value), literal(at))).collect();
            let best = (0..1 << 12)
                .filter_map(|bits: u32| {
                    let chosen = || items.iter().enumerate().filter(move |(at, _)| bits >> at & 1 == 1);
                    let weight: i64 = chosen().map(|(_, (weight, _))| weight).sum();
                    (weight >= total / 2).then(|| chosen().map(|(_, (_, value))| value).sum::<i64>())
                })
                .min()
                .expect("all of them are enough");
            let lower = shown(&[constraint], &objective, 12);
            assert!(lower <= best.into() && lower + 25 >= best.into(), "round {round}: {lower} and {best}");
        }
    }
}
