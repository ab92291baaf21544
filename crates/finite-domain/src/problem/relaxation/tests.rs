//! Compares the bounds of sums with all assignments.

use super::*;
use crate::solver::test_problems::Random;

/// A problem with some variables and constraints, and a sum.
fn random(seed: u64) -> (Problem, Vec<Int>, Vec<(i64, Int)>) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed << 9));
    let mut problem = Builder::new();
    let terms: Vec<Int> = (0..6)
        .map(|_| {
            let low = random.between(-2, 1);
            problem.new_int(IntSet::range(low, low + random.between(1, 2)), Role::Decision)
        })
        .collect();
    for _ in 0..random.between(1, 4) {
        let sum: Vec<(i64, Int)> = terms.iter().map(|term| (random.between(-4, 9), *term)).collect();
        let sum = problem.linear(sum, 0);
        let (low, high) = problem.bounds(sum);
        let bound = random.between(low, (low + high) / 2);
        let constraint = match random.between(0, 3) {
            0 => problem.equals_constant(sum, bound),
            1 => !problem.at_most_constant(sum, bound),
            _ => problem.at_most_constant(sum, bound),
        };
        problem.require(constraint);
    }
    let sum = terms.iter().map(|term| (random.between(-5, 20), *term)).filter(|(factor, _)| *factor != 0).collect();
    (problem.finish().expect("few terms"), terms, sum)
}

fn assignments(problem: &Problem, terms: &[Int]) -> Vec<Assignment> {
    let mut all = vec![Assignment::default()];
    for term in terms {
        let with = |start: &Assignment, value: i64| {
            let mut assignment = start.clone();
            assignment.set_int(*term, value);
            assignment
        };
        all = all.iter().flat_map(|start| problem.values(*term).iter().map(|value| with(start, value))).collect();
    }
    all.retain(|assignment| problem.is_satisfied_by(assignment));
    all
}

#[test]
fn no_assignment_is_lost() {
    let (mut bounds, mut ranges) = (0, 0);
    for seed in 1..=300 {
        let (problem, terms, sum) = random(seed);
        let Some(relaxation) = Relaxation::new(&problem, &sum) else { continue };
        bounds += 1;
        for assignment in assignments(&problem, &terms) {
            let value: i128 =
                sum.iter().map(|(factor, term)| i128::from(factor * problem.int_value(*term, &assignment))).sum();
            assert!(value <= relaxation.most(), "seed {seed}: {value} > {}", relaxation.most());
            for least in value - 3..=value {
                let narrowed = relaxation.narrowed(least).expect("the value is possible");
                ranges += narrowed.len();
                for (term, low, high) in narrowed {
                    let value = problem.int_value(term, &assignment);
                    assert!(low <= value && value <= high, "seed {seed}: {value} is not in {low}..{high}");
                }
            }
        }
    }
    assert!(bounds > 100 && ranges > 1_000, "{bounds} bounds, {ranges} ranges");
}

/// Values 60, 100, 120 and weights 10, 20, 35: with a capacity of 50, the last item would be taken to four sevenths.
#[test]
fn the_bound_of_a_knapsack_is_the_one_of_dantzig() {
    let mut problem = Builder::new();
    let terms: Vec<Int> = (0..3).map(|_| problem.new_int(IntSet::range(0, 1), Role::Decision)).collect();
    let load = problem.linear([10, 20, 35].into_iter().zip(terms.iter().copied()), 0);
    let constraint = problem.at_most_constant(load, 50);
    problem.require(constraint);
    let problem = problem.finish().expect("few terms");
    let sum: Vec<(i64, Int)> = [60, 100, 120].into_iter().zip(terms.iter().copied()).collect();
    let relaxation = Relaxation::new(&problem, &sum).expect("a bound");
    // The optimum is 60 + 100 + 4/7 of 120. Without the first item, it is 25.7 less, and without the second one 31.4.
    assert_eq!(relaxation.most(), 228);
    assert_eq!(relaxation.narrowed(229), None);
    assert_eq!(relaxation.narrowed(210), Some(vec![(terms[0], 1, 1), (terms[1], 1, 1)]));
    assert_eq!(relaxation.narrowed(200), Some(vec![(terms[1], 1, 1)]));
    assert_eq!(relaxation.narrowed(190), Some(vec![]));
    assert!(relaxation.settles(210) && !relaxation.settles(200));
}
