//! Simplified problems as text, and random problems whose solutions must stay the same.

use super::*;
use crate::solver::test_problems::{DecisionValues, each_assignment, key, random_counts, random_problem, try_all};
use std::collections::BTreeSet;

fn int(problem: &mut Builder, low: i64, high: i64) -> Int {
    problem.new_int(IntSet::range(low, high), Role::Decision)
}

/// The simplified problem as text.
fn simplified(make: impl FnOnce(&mut Builder)) -> String {
    let mut problem = Builder::new();
    make(&mut problem);
    problem.finish().expect("small numbers").simplify().problem.to_string()
}

#[track_caller]
fn becomes(make: impl FnOnce(&mut Builder), expected: &str) {
    let lines: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let found = simplified(make);
    assert_eq!(found.lines().collect::<Vec<_>>(), lines, "\n{found}");
}

#[test]
fn root_propagation_bounds_of_sums() {
    becomes(
        |p| {
            let (x, y) = (int(p, 0, 9), int(p, 0, 9));
            let sum = p.linear([(2, x), (3, y)], 0);
            let (small, large) = (p.at_most_constant(sum, 8), p.at_most_constant(y, 0));
            p.require(small);
            p.require(!large);
        },
        "i0 : int(0..2)  (decision)
         i1 : int(1..2)  (decision)
         b1 = 2*i0 + 3*i1 <= 8
         require b1",
    );
}

#[test]
fn root_propagation_functions() {
    // The constraints are 3 * y = x, x / 4 = 6 and |z| = y.
    becomes(
        |p| {
            let (x, y, z) = (int(p, -100, 100), int(p, -100, 100), int(p, -100, 3));
            let (four, triple, absolute) = (p.constant(4), p.linear([(3, y)], 0), p.absolute(z));
            let quotient = p.quotient(x, four);
            for condition in [p.equal(triple, x), p.equals_constant(quotient, 6), p.equal(absolute, y)] {
                p.require(condition);
            }
        },
        "i0 : int(24, 27)  (decision)
         i1 : int(8..9)  (decision)
         b1 = i0 - 3*i1 = 0
         require b1",
    );
}

#[test]
fn root_propagation_conditions() {
    // The constraints are a, a -> b, b -> x < 3 and c \/ x > 5.
    becomes(
        |p| {
            let x = int(p, 1, 9);
            let (a, b, c) = (p.new_bool(Role::Decision), p.new_bool(Role::Decision), p.new_bool(Role::Decision));
            let (small, large) = (p.at_most_constant(x, 2), p.at_most_constant(x, 5));
            for condition in [a, p.implies(a, b), p.implies(b, small), p.or([c, !large])] {
                p.require(condition);
            }
        },
        "i0 : int(1..2)  (decision)",
    );
}

#[test]
fn root_propagation_element_and_table() {
    becomes(
        |p| {
            let (index, x) = (int(p, 1, 4), int(p, 0, 9));
            let alternatives = [2, 5, 7, 9].into_iter().zip(1..).map(|(value, position)| (position, value));
            let alternatives: Vec<(Bool, Int)> =
                alternatives.map(|(position, value)| (p.equals_constant(index, position), p.constant(value))).collect();
            let element = p.choice(alternatives);
            let condition = p.at_most_constant(element, 5);
            p.require(condition);
            let table = p.table(&[index, x], vec![vec![2, 4], vec![2, 6], vec![3, 1]]);
            p.require(table);
        },
        "i0 : int(4, 6)  (decision)",
    );
}

#[test]
fn contradictions_end_it() {
    becomes(
        |p| {
            let (x, y) = (int(p, 1, 3), int(p, 1, 3));
            let (less, more) = (p.less(x, y), p.less(y, x));
            p.require(less);
            p.require(more);
        },
        "require false",
    );
}

#[test]
fn aliases_integers() {
    becomes(
        |p| {
            let (x, y, z) = (int(p, 0, 9), int(p, 2, 12), int(p, 0, 9));
            let next = p.linear([(1, z)], 3);
            let (same, shifted) = (p.equal(x, z), p.equal(y, next));
            p.require(same);
            p.require(shifted);
            let sum = p.linear([(1, x), (1, y), (2, z)], 0);
            let bounded = p.at_most_constant(sum, 20);
            p.require(bounded);
        },
        "i0 : int(0..4)  (decision)",
    );
}

#[test]
fn aliases_booleans() {
    becomes(
        |p| {
            let (a, b, c) = (p.new_bool(Role::Decision), p.new_bool(Role::Auxiliary), p.new_bool(Role::Decision));
            for condition in [p.equivalent(a, !b), p.or([b, c])] {
                p.require(condition);
            }
        },
        "b1 : bool  (decision)
         b2 : bool  (decision)
         b3 = and(b1, !b2)
         require !b3",
    );
}

#[test]
fn cliques_of_differences() {
    becomes(
        |p| {
            let terms: Vec<Int> = (0..4).map(|_| int(p, 1, 5)).collect();
            for (position, one) in terms.iter().enumerate() {
                for other in &terms[position + 1..] {
                    let same = p.equal(*one, *other);
                    p.require(!same);
                }
            }
            let far = p.linear([(1, terms[0])], 3);
            let same = p.equal(far, terms[1]);
            p.require(!same);
        },
        "i0 : int(1..5)  (decision)
         i1 : int(1..5)  (decision)
         i2 : int(1..5)  (decision)
         i3 : int(1..5)  (decision)
         b1 = i0 - i1 = -3
         b2 = allDifferent(i0, i1, i2, i3)
         require !b1
         require b2",
    );
}

/// The squares of a board of 8 by 8 between which a queen can move: all 8 in a row or in a column form cliques, and not
/// squares of 2 by 2 that come first.
#[test]
fn cliques_are_large() {
    let text = simplified(|p| {
        let squares: Vec<(i32, i32, Int)> = (0..64).map(|square| (square / 8, square % 8, int(p, 1, 9))).collect();
        for (position, (row, column, one)) in squares.iter().enumerate() {
            for (other_row, other_column, other) in &squares[position + 1..] {
                let (down, right) = (other_row - row, other_column - column);
                if down == 0 || right == 0 || down.abs() == right.abs() {
                    let same = p.equal(*one, *other);
                    p.require(!same);
                }
            }
        }
    });
    let of_eight = text.lines().filter(|line| line.contains("allDifferent") && line.matches(',').count() == 7);
    assert!(of_eight.count() >= 16, "{text}");
}

#[test]
fn cliques_of_diagonals() {
    let diagonals = |p: &mut Builder| {
        let terms: Vec<Int> = (0..3).map(|_| int(p, 1, 9)).collect();
        for (i, one) in terms.iter().enumerate() {
            for (j, other) in terms.iter().enumerate().skip(i + 1) {
                let other = p.linear([(1, *other)], (j - i) as i64);
                let same = p.equal(*one, other);
                p.require(!same);
            }
        }
    };
    becomes(
        diagonals,
        "i0 : int(1..9)  (decision)
         i1 : int(1..9)  (decision)
         i2 : int(1..9)  (decision)
         i3 = i2 + 2 : int(3..11)
         i4 = i1 + 1 : int(2..10)
         b1 = allDifferent(i0, i3, i4)
         require b1",
    );
}

#[test]
fn dead_terms_are_left_out() {
    becomes(
        |p| {
            let (x, unused) = (int(p, 1, 3), p.new_int(IntSet::range(1, 5), Role::Auxiliary));
            let product = p.multiply(x, unused);
            let wanted = p.at_most_constant(product, 100);
            p.require(wanted);
            p.multiply(x, x);
        },
        "i0 : int(1..3)  (decision)",
    );
}

#[test]
fn sums_follow_from_numbers_of_occurrences() {
    // The first term counts the zeros among all terms, the second one the ones, and so on; nothing counts the fours.
    let itself = |p: &mut Builder| {
        let terms: Vec<Int> = (0..4).map(|_| int(p, 0, 4)).collect();
        for (value, count) in (0..).zip(&terms) {
            let times: Vec<Bool> = terms.iter().map(|term| p.equals_constant(*term, value)).collect();
            let times: Vec<Int> = times.into_iter().map(|time| p.int_of(time)).collect();
            let sum = p.linear(times.into_iter().map(|time| (1, time)), 0);
            let counts = p.equal(sum, *count);
            p.require(counts);
        }
    };
    let text = simplified(itself);
    // The sum of the counts is at most four, and the sum of the counts times their values is at most the sum of the
    // terms.
    assert!(text.contains("= i0 + i1 + i2 + i3 <= 4") && text.contains("= i0 - i2 - 2*i3 <= -1"), "{text}");
    let mut problem = Builder::new();
    itself(&mut problem);
    assert_eq!(problem.finish().expect("small numbers").cardinalities(), 1);
    let found: Vec<usize> = (1..=200).map(|seed| random_counts(seed).0.cardinalities()).collect();
    assert!(found.iter().filter(|count| **count > 0).count() > 50, "{found:?}");
}

/// One of the counted terms cannot have the value, and one that can is not counted.
#[test]
fn numbers_of_occurrences_among_some_terms_are_no_more_than_that() {
    let mut problem = Builder::new();
    let terms: Vec<Int> = (0..4).map(|_| int(&mut problem, 0, 2)).collect();
    let other = int(&mut problem, 0, 2);
    let counts = [int(&mut problem, 0, 4), int(&mut problem, 0, 5), int(&mut problem, 0, 5)];
    let all: Vec<Int> = terms.iter().copied().chain([other]).collect();
    let impossible = problem.equals_constant(other, 0);
    problem.require(!impossible);
    for (value, (count, among)) in (0..).zip(counts.into_iter().zip([&all[1..], &all[..], &all[..]])) {
        let times: Vec<Bool> = among.iter().map(|term| problem.equals_constant(*term, value)).collect();
        let times: Vec<Int> = times.into_iter().map(|time| problem.int_of(time)).collect();
        let sum = problem.linear(times.into_iter().map(|time| (1, time)), 0);
        let counted = problem.equal(sum, count);
        problem.require(counted);
    }
    let own = all.into_iter().chain(counts).map(Variable::Int).collect();
    same_solutions(0, (problem.finish().expect("small numbers"), own));
}

#[test]
fn solutions_stay_the_same() {
    (1..=1_500).for_each(|seed| same_solutions(seed, random_problem(seed)));
    (1..=300).for_each(|seed| same_solutions(seed, random_counts(seed)));
}

/// Some numbers, then variables that equations define by earlier ones, or by each other, and an objective that is such
/// a variable, or is at least each variable.
fn random_definitions(seed: u64) -> (Problem, Vec<Variable>) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut problem = Builder::new();
    let mut terms: Vec<Int> = (0..2).map(|_| int(&mut problem, 0, random.i64(1..4))).collect();
    let mut variables: Vec<Variable> = terms.iter().copied().map(Variable::Int).collect();
    for _ in 0..2 {
        let low = random.i64(-2..1);
        let defined = int(&mut problem, low, low + random.i64(2..6));
        let mut parts: Vec<(i64, Int)> = terms.iter().map(|term| (random.i64(-1..3), *term)).collect();
        if random.u8(0..4) == 0 {
            // The equation also defines the variable by itself.
            parts.push((random.i64(1..3), defined));
        }
        let sum = problem.linear(parts, random.i64(-1..2));
        let equation = problem.equal(sum, defined);
        problem.require(equation);
        terms.push(defined);
        variables.push(Variable::Int(defined));
    }
    let condition = problem.new_bool(Role::Decision);
    let small = problem.at_most_constant(terms[random.usize(0..terms.len())], random.i64(0..3));
    let channel = problem.equivalent(condition, if random.bool() { small } else { !small });
    problem.require(channel);
    variables.push(Variable::Bool(condition));
    let bounded = problem.less(terms[random.usize(0..2)], terms[3]);
    let bounded = problem.or([bounded, condition]);
    problem.require(bounded);
    let sense = if random.bool() { Sense::Minimise } else { Sense::Maximise };
    let is_extreme = random.bool();
    if is_extreme {
        let extreme = int(&mut problem, -4, 9);
        for term in &terms {
            let end = problem.linear([(1, *term)], random.i64(-1..2));
            let (low, high) = if sense == Sense::Minimise { (end, extreme) } else { (extreme, end) };
            let beyond = problem.at_most(low, high);
            problem.require(beyond);
        }
        variables.push(Variable::Int(extreme));
        terms.push(extreme);
    }
    if random.u8(0..3) > 0 {
        problem.set_objective(sense, vec![*terms.last().expect("terms")]);
    }
    (problem.finish().expect("small numbers"), variables)
}

#[test]
fn defined_variables_are_replaced_by_what_they_stand_for() {
    let (mut replaced, mut refuted) = (0, 0);
    for seed in 1..=1_500 {
        let (problem, own) = random_definitions(seed);
        let groups: Vec<Vec<Variable>> = own.iter().rev().map(|variable| vec![*variable]).collect();
        let Some(without) = problem.without_defined(&groups) else {
            refuted += 1;
            continue;
        };
        replaced += own.len() - without.problem.variables().count();
        let (expected, best) = try_all(&problem, &own);
        let (found, found_best) = restored(seed, &problem, &without);
        // Simplification may remove all values of the objective except the best one.
        let is_right = if best.is_some() { found.is_subset(&expected) } else { found == expected };
        assert!(is_right, "seed {seed}:\n{problem}\nbecame\n{}", without.problem);
        assert_eq!(found_best, best, "seed {seed}:\n{problem}\nbecame\n{}", without.problem);
    }
    assert!(replaced > 2_500 && refuted < 800, "{replaced} {refuted}");
}

/// The variable of a sum as a group, a group with a variable that has no equation, and a cycle of definitions.
#[test]
fn groups_are_defined_as_a_whole_and_without_a_circle() {
    let mut problem = Builder::new();
    let [x, y, total, one, other] = [0; 5].map(|_| int(&mut problem, 0, 9));
    let sum = problem.linear([(1, x), (2, y)], 0);
    let next = problem.linear([(1, other), (2, x)], 0);
    let last = problem.linear([(1, one), (2, y)], 0);
    for equation in [problem.equal(total, sum), problem.equal(one, next), problem.equal(other, last)] {
        problem.require(equation);
    }
    let problem = problem.finish().expect("small numbers");
    let left = |groups: &[Vec<Variable>]| problem.without_defined(groups).map(|left| left.problem.variables().count());
    let [x, total, one, other] = [x, total, one, other].map(Variable::Int);
    assert_eq!(left(&[vec![total]]), Some(4));
    assert_eq!(left(&[vec![total, x]]), None);
    assert_eq!(left(&[vec![one], vec![other]]), Some(4));
    assert_eq!(left(&[vec![total], vec![one]]), Some(3));
}

#[track_caller]
fn same_solutions(seed: u64, (problem, own): (Problem, Vec<Variable>)) {
    let simplified = problem.simplify();
    let found = restored(seed, &problem, &simplified);
    assert_eq!(found, try_all(&problem, &own), "seed {seed}:\n{problem}\nbecame\n{}", simplified.problem);
}

/// The restored solutions of the simplified problem, and the best value of the objective.
fn restored(seed: u64, problem: &Problem, simplified: &Simplified) -> (BTreeSet<DecisionValues>, Option<Vec<i64>>) {
    let variables: Vec<Variable> = simplified.problem.variables().collect();
    let mut found = BTreeSet::new();
    let mut found_best: Option<Vec<i64>> = None;
    each_assignment(&simplified.problem, &variables, &mut |assignment| {
        if simplified.problem.is_satisfied_by(assignment) {
            let restored = simplified.restore(assignment);
            for constraint in problem.constraints() {
                assert!(problem.bool_value(*constraint, &restored), "seed {seed}: {constraint} in\n{problem}");
            }
            found.insert(key(problem, &restored));
            if let Some(Objective { sense, terms }) = problem.objective() {
                let value: Vec<i64> = terms.iter().map(|term| problem.int_value(*term, &restored)).collect();
                found_best = sense.best(found_best.take().into_iter().chain([value]));
            }
        }
    });
    (found, found_best)
}
