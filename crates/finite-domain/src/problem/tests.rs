//! Compares the normal forms of random terms with the definitions of the operations.

use super::*;

fn range(problem: &mut Builder, low: i64, high: i64) -> Int {
    problem.new_int(IntSet::range(low, high), Role::Decision)
}

#[test]
fn conjunctions_fold_constants_repetitions_and_contradictions() {
    let mut problem = Builder::new();
    let (a, b) = (problem.new_bool(Role::Decision), problem.new_bool(Role::Decision));
    assert_eq!(problem.and([]), Bool::TRUE);
    assert_eq!(problem.and([a, Bool::TRUE, a]), a);
    assert_eq!(problem.and([a, b, !a]), Bool::FALSE);
    assert_eq!(problem.or([a, !a]), Bool::TRUE);
    assert_eq!(problem.and([a, b]), problem.and([b, a]));
    assert_eq!(problem.equivalent(!a, b), !problem.equivalent(b, a));
    assert_eq!(problem.choose_bool(a, b, b), b);
}

#[test]
fn linear_comparisons_share_one_form() {
    let mut problem = Builder::new();
    let (x, y) = (range(&mut problem, 1, 9), range(&mut problem, 1, 9));
    assert_eq!(problem.less(x, y), !problem.at_most(y, x));
    let (double, triple) = (problem.linear([(2, x), (2, y)], 0), problem.linear([(3, y), (3, x)], 1));
    assert_eq!(problem.at_most_constant(double, 11), problem.at_most_constant(triple, 16));
    assert_eq!(problem.equals_constant(double, 7), Bool::FALSE);
    let difference = problem.subtract(x, y);
    assert_eq!(problem.equals_constant(difference, 0), problem.equal(x, y));
    assert_eq!(problem.at_most_constant(double, 36), Bool::TRUE);
    assert_eq!(problem.at_most_constant(double, 3), Bool::FALSE);
}

#[test]
fn counts_that_are_clauses_become_clauses() {
    let mut problem = Builder::new();
    let terms: Vec<Bool> = (0..4).map(|_| problem.new_bool(Role::Decision)).collect();
    let count = problem.count(terms.iter().copied());
    assert_eq!(!problem.at_most_constant(count, 0), problem.or(terms.clone()));
    assert_eq!(problem.equals_constant(count, 4), problem.and(terms.clone()));
    assert_eq!(problem.at_most_constant(count, 3), !problem.and(terms));
}

#[test]
fn access_to_constants_is_membership() {
    let mut problem = Builder::new();
    let x = range(&mut problem, 1, 4);
    let alternatives: Vec<(Bool, Int)> = [5, 7, 5, 8]
        .iter()
        .zip(1..)
        .map(|(value, index)| (problem.equals_constant(x, index), problem.constant(*value)))
        .collect();
    let element = problem.choice(alternatives);
    let (one, three) = (problem.equals_constant(x, 1), problem.equals_constant(x, 3));
    assert_eq!(problem.equals_constant(element, 5), problem.or([one, three]));
    assert_eq!(problem.equals_constant(element, 8), problem.equals_constant(x, 4));
    assert_eq!(problem.at_most_constant(element, 7), !problem.equals_constant(x, 4));
}

#[test]
fn leaving_the_range_of_checked_integers_is_noted() {
    let mut problem = Builder::new();
    let x = range(&mut problem, 0, LARGEST);
    assert_eq!(problem.check(), Ok(()));
    problem.add(x, x);
    assert_eq!(problem.check(), Err(Fault::Numbers));
    assert_eq!(problem.check(), Ok(()));
    let y = range(&mut problem, 2, 100);
    problem.power(y, y);
    assert_eq!(problem.finish().err(), Some(Fault::Numbers));
}

/// Sums near the ends of the range, and their comparisons, are exact or refused.
#[test]
fn large_sums_are_exact_or_refused() {
    let mut random = LinearRandom(1);
    let mut exact = 0;
    for _ in 0..3_000 {
        let mut problem = Builder::new();
        let terms: Vec<Int> = (0..3).map(|_| range(&mut problem, 0, 1)).collect();
        let mut sum = || {
            let mut number = |most: usize| (random.below(2 * most + 1) as i64 - most as i64) << 60;
            let factors = [number(7), number(7), number(1)];
            // About half of the values are below 0, and half above.
            (factors, random.below(3) as i64 - 1 - factors.iter().map(|factor| factor / 2).sum::<i64>())
        };
        let sums = [sum(), sum()];
        let [left, right] =
            sums.map(|(factors, constant)| problem.linear(factors.into_iter().zip(terms.clone()), constant));
        let comparisons = [problem.at_most(left, right), problem.less(left, right), problem.equal(left, right)];
        let Ok(problem) = problem.finish() else { continue };
        exact += 1;
        for bits in 0..8 {
            let mut assignment = Assignment::default();
            let values = [0, 1, 2].map(|place| bits >> place & 1);
            terms.iter().zip(values).for_each(|(term, value)| assignment.set(Variable::Int(*term), value));
            let [left, right] = sums.map(|(factors, constant)| {
                let products =
                    factors.iter().zip(values).map(|(factor, value)| i128::from(*factor) * i128::from(value));
                i128::from(constant) + products.sum::<i128>()
            });
            let holds = comparisons.map(|comparison| problem.bool_value(comparison, &assignment));
            assert_eq!(holds, [left <= right, left < right, left == right], "{sums:?} with {values:?}");
        }
    }
    assert!(exact > 100, "{exact}");
}

#[test]
fn a_deep_chain_is_built_printed_and_evaluated() {
    let mut problem = Builder::new();
    let mut term = problem.new_bool(Role::Decision);
    for _ in 0..100_000 {
        let (one, other) = (problem.new_bool(Role::Auxiliary), problem.new_bool(Role::Auxiliary));
        let either = problem.or([term, one]);
        term = problem.and([either, other]);
    }
    problem.require(term);
    let problem = problem.finish().expect("few terms");
    assert!(!problem.bool_value(term, &Assignment::default()));
    assert_eq!(problem.to_string().lines().count(), 1 + 4 * 100_000 + 1);
}

/// A term with its expected value in each of some assignments.
struct ExpectedTerm<T, V> {
    term: T,
    values: Vec<V>,
}

/// A linear congruential generator (Knuth).
struct LinearRandom(u64);

impl LinearRandom {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

const ASSIGNMENTS: usize = 12;

/// Terms built from terms have the values that the definitions of their operations give.
#[test]
fn random_terms_have_the_values_of_their_definitions() {
    for seed in 0..300 {
        let mut random = LinearRandom(seed);
        (0..4).for_each(|_| assert!(random.below(2) < 2));
        let mut problem = Builder::new();
        let mut assignments = vec![Assignment::default(); ASSIGNMENTS];
        let mut ints: Vec<ExpectedTerm<Int, i64>> = Vec::new();
        let mut bools: Vec<ExpectedTerm<Bool, bool>> = Vec::new();
        for _ in 0..3 {
            let low = random.below(7) as i64 - 4;
            let set = IntSet::from_ranges([(low, low + random.below(4) as i64), (low + 6, low + 6)]);
            let term = problem.new_int(set.clone(), Role::Decision);
            let choices: Vec<i64> = set.iter().collect();
            let values: Vec<i64> = (0..ASSIGNMENTS).map(|_| choices[random.below(choices.len())]).collect();
            assignments.iter_mut().zip(&values).for_each(|(assignment, value)| assignment.set_int(term, *value));
            ints.push(ExpectedTerm { term, values });
            let term = problem.new_bool(Role::Decision);
            let values: Vec<bool> = (0..ASSIGNMENTS).map(|_| random.below(2) == 0).collect();
            assignments.iter_mut().zip(&values).for_each(|(assignment, value)| {
                assignment.set_bool(term.node().0, *value);
            });
            bools.push(ExpectedTerm { term, values });
        }
        for _ in 0..40 {
            step(&mut random, &mut problem, &mut ints, &mut bools);
            for known in &ints {
                for (assignment, value) in assignments.iter().zip(&known.values) {
                    assert_eq!(problem.int_value(known.term, assignment), *value, "seed {seed}: {}", known.term);
                    assert!(problem.values(known.term).contains(*value), "seed {seed}: values of {}", known.term);
                }
            }
            for known in &bools {
                for (assignment, value) in assignments.iter().zip(&known.values) {
                    assert_eq!(problem.bool_value(known.term, assignment), *value, "seed {seed}: {}", known.term);
                }
            }
        }
    }
}

fn step(
    random: &mut LinearRandom,
    problem: &mut Builder,
    ints: &mut Vec<ExpectedTerm<Int, i64>>,
    bools: &mut Vec<ExpectedTerm<Bool, bool>>,
) {
    let operands: Vec<usize> = (0..4).map(|_| random.below(ints.len())).collect();
    let terms: Vec<Int> = operands.iter().map(|index| ints[*index].term).collect();
    let (a, b) = (terms[0], terms[1]);
    let at = |index: usize, position: usize| ints[operands[index]].values[position];
    let conditions: Vec<usize> = (0..3).map(|_| random.below(bools.len())).collect();
    let negated: Vec<bool> = (0..3).map(|_| random.below(2) == 0).collect();
    let condition = |index: usize| {
        let term = bools[conditions[index]].term;
        if negated[index] { !term } else { term }
    };
    let holds = |index: usize, position: usize| bools[conditions[index]].values[position] != negated[index];
    let factors: Vec<i64> = (0..3).map(|_| random.below(7) as i64 - 3).collect();
    let value = at(2, random.below(ASSIGNMENTS)) + random.below(3) as i64 - 1;
    let sum = |position: usize| (0..3).map(|index| factors[index] * at(index, position)).sum::<i64>() + value;
    let all = 0..ASSIGNMENTS;
    let mut new_int: Option<(Int, Vec<i64>)> = None;
    let mut new_bool: Option<(Bool, Vec<bool>)> = None;
    match random.below(24) {
        0 => {
            let term = problem.and((0..3).map(condition));
            new_bool = Some((term, all.map(|p| (0..3).all(|index| holds(index, p))).collect()));
        }
        1 => {
            let term = problem.or((0..3).map(condition));
            new_bool = Some((term, all.map(|p| (0..3).any(|index| holds(index, p))).collect()));
        }
        2 => {
            let term = problem.equivalent(condition(0), condition(1));
            new_bool = Some((term, all.map(|p| holds(0, p) == holds(1, p)).collect()));
        }
        3 => {
            let term = problem.choose_bool(condition(0), condition(1), condition(2));
            new_bool = Some((term, all.map(|p| if holds(0, p) { holds(1, p) } else { holds(2, p) }).collect()));
        }
        4 => {
            let term = problem.equals_constant(a, value);
            new_bool = Some((term, all.map(|p| at(0, p) == value).collect()));
        }
        5 => {
            let term = problem.at_most_constant(a, value);
            new_bool = Some((term, all.map(|p| at(0, p) <= value).collect()));
        }
        6 => {
            let set = IntSet::from_ranges([(value, value + 2), (value + 4, value + 4), (value - 7, value - 3)]);
            let term = problem.member(a, &set);
            new_bool = Some((term, all.map(|p| set.contains(at(0, p))).collect()));
        }
        7 => new_bool = Some((problem.equal(a, b), all.map(|p| at(0, p) == at(1, p)).collect())),
        8 => new_bool = Some((problem.less(a, b), all.map(|p| at(0, p) < at(1, p)).collect())),
        9 => new_bool = Some((problem.at_most(a, b), all.map(|p| at(0, p) <= at(1, p)).collect())),
        10 => {
            let term = problem.all_different(terms[..3].to_vec());
            let differ = |p| at(0, p) != at(1, p) && at(0, p) != at(2, p) && at(1, p) != at(2, p);
            new_bool = Some((term, all.map(differ).collect()));
        }
        11 => {
            let rows: Vec<Vec<i64>> =
                (0..4).map(|_| (0..3).map(|index| at(index, random.below(ASSIGNMENTS))).collect()).collect();
            let term = problem.table(&terms[..3], rows.clone());
            let in_rows = |p| rows.contains(&(0..3).map(|index| at(index, p)).collect());
            new_bool = Some((term, all.map(in_rows).collect()));
        }
        12 => {
            let term = problem.int_of(condition(0));
            new_int = Some((term, all.map(|p| i64::from(holds(0, p))).collect()));
        }
        13..=15 => {
            let term = problem.linear((0..3).map(|index| (factors[index], terms[index])), value);
            new_int = Some((term, all.map(sum).collect()));
        }
        16 => new_int = Some((problem.multiply(a, b), all.map(|p| at(0, p) * at(1, p)).collect())),
        17 => {
            let floor = |a: i64, b: i64| if b == 0 { 0 } else { (a as f64 / b as f64).floor() as i64 };
            new_int = Some((problem.quotient(a, b), all.map(|p| floor(at(0, p), at(1, p))).collect()));
        }
        18 => {
            let modulo = |a: i64, b: i64| if b == 0 { 0 } else { a - b * (a as f64 / b as f64).floor() as i64 };
            new_int = Some((problem.remainder(a, b), all.map(|p| modulo(at(0, p), at(1, p))).collect()));
        }
        19 => {
            let five = problem.constant(5);
            let exponent = problem.remainder(b, five);
            let power = |p: usize| at(0, p).pow(at(1, p).rem_euclid(5) as u32);
            if all.clone().all(|p| at(0, p).abs() < 100) {
                new_int = Some((problem.power(a, exponent), all.map(power).collect()));
            }
        }
        20 => new_int = Some((problem.absolute(a), all.map(|p| at(0, p).abs()).collect())),
        21 => {
            let term = problem.extreme(Extreme::Minimum, terms.clone());
            new_int = Some((term, all.map(|p| (0..4).map(|index| at(index, p)).fold(i64::MAX, i64::min)).collect()));
        }
        22 => {
            let term = problem.extreme(Extreme::Maximum, terms.clone());
            new_int = Some((term, all.map(|p| (0..4).map(|index| at(index, p)).fold(i64::MIN, i64::max)).collect()));
        }
        _ => {
            let conditions = [condition(0), condition(1), Bool::TRUE];
            let term = problem.choice(conditions.into_iter().zip(terms.iter().copied()));
            let chosen = |p| {
                if holds(0, p) {
                    at(0, p)
                } else if holds(1, p) {
                    at(1, p)
                } else {
                    at(2, p)
                }
            };
            new_int = Some((term, all.map(chosen).collect()));
        }
    }
    let _ = problem.check();
    if let Some((term, values)) = new_int
        && values.iter().all(|value| value.abs() < 10_000)
    {
        ints.push(ExpectedTerm { term, values });
    }
    if let Some((term, values)) = new_bool {
        bools.push(ExpectedTerm { term, values });
    }
}

#[test]
fn what_terms_are_made_of_takes_memory() {
    let mut problem = Builder::new();
    let parts: Vec<Bool> = (0..1000).map(|_| problem.new_bool(Role::Decision)).collect();
    let before = problem.memory();
    let all = problem.and(parts.iter().copied());
    let after = problem.memory();
    assert!(after - before >= 4000, "{before}, {after}");
    problem.and(parts);
    assert_eq!(problem.memory(), after, "an equal term is shared");
    problem.require(all);
    assert!(!problem.is_full());
}

#[test]
fn steps_over_all_values_of_a_term_are_the_term() {
    let mut problem = Builder::new();
    let count = problem.new_int(IntSet::range(2, 6), Role::Decision);
    let steps: Vec<Bool> = (2..6).map(|value| !problem.at_most_constant(count, value)).collect();
    let addends: Vec<(i64, Int)> = steps.iter().map(|step| (3, problem.int_of(*step))).collect();
    let sum = problem.linear(addends.iter().copied(), 0);
    assert_eq!(sum, problem.linear([(3, count)], -6));
    let other = problem.linear(addends.iter().copied().chain([(-3, count)]), 6);
    assert_eq!(problem.int_constant(other), Some(0));
    // Either a step is missing, or one has another weight.
    for part in [&addends[1..], &[addends.clone(), vec![addends[2]]].concat()] {
        let sum = problem.linear(part.iter().copied(), 0);
        let IntNode::Linear(terms, _) = problem.int_node(sum) else { panic!("a sum") };
        assert!(terms.iter().all(|(_, term)| *term != count), "{terms:?}");
    }
}
