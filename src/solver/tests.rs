//! Random small problems: the backend's assignments are those that trying all of them finds.

use super::{encoding, *};
use crate::{
    language::IntSet,
    problem::{Bool, Int, Variable},
};

/// A small generator of pseudo-random numbers (xorshift64*, Vigna 2016).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A problem over a few variables with every kind of node.
fn random_problem(random: &mut Random) -> Problem {
    let mut problem = Problem::new();
    let mut bools: Vec<Bool> = (0..2).map(|_| problem.new_bool(true)).collect();
    let mut ints: Vec<Int> = Vec::new();
    for _ in 0..2 + random.below(2) {
        let low = random.below(5) as i64 - 2;
        let gap = random.below(3) as i64;
        let values = IntSet::from_ranges([(low, low + random.below(3) as i64), (low + 4 + gap, low + 4 + gap)]);
        ints.push(problem.new_int(values, true));
    }
    for _ in 0..8 {
        let (a, b, c) = (random.pick(&ints), random.pick(&ints), random.pick(&ints));
        let (p, q) = (random.pick(&bools), random.pick(&bools));
        let (p, q) = (if random.below(2) == 0 { p } else { !p }, if random.below(2) == 0 { q } else { !q });
        let value = random.below(9) as i64 - 3;
        let factor = random.below(5) as i64 - 2;
        let made = match random.below(24) {
            0 => Ok(problem.and([p, q])),
            1 => Ok(problem.or([p, q])),
            2 => Ok(problem.equivalent(p, q)),
            3 => Ok(problem.equals_constant(a, value)),
            4 => Ok(problem.at_most_constant(a, value)),
            5 => Ok(problem.equal(a, b)),
            6 => Ok(problem.less(a, b)),
            7 => Ok(problem.at_most(a, b)),
            8 => Ok(problem.all_different([a, b, c])),
            9 => {
                let rows = (0..4).map(|_| vec![random.below(6) as i64 - 2, random.below(6) as i64 - 2]).collect();
                Ok(problem.table(&[a, b], rows))
            }
            10 => Ok(problem.member(a, &IntSet::from_ranges([(value, value + 1), (value + 3, value + 4)]))),
            11 => {
                let sum = problem.linear([(factor, a), (1, b), (2, c)], value);
                Ok(problem.at_most_constant(sum, value + 2))
            }
            12 => {
                let sum = problem.linear([(factor, a), (1, b), (-1, c)], value);
                Ok(problem.equals_constant(sum, value + 1))
            }
            13 => Ok(problem.choose_bool(p, q, !p)),
            14 => Err(problem.from_bool(p)),
            15 => Err(problem.linear([(factor, a), (1, b)], value)),
            16 => Err(problem.multiply(a, b)),
            17 => Err(problem.quotient(a, b)),
            18 => Err(problem.remainder(a, b)),
            19 => {
                let three = problem.constant(3);
                let base = problem.remainder(a, three);
                let exponent = problem.remainder(b, three);
                Err(problem.power(base, exponent))
            }
            20 => Err(problem.absolute(a)),
            21 => Err(problem.minimum([a, b, c])),
            22 => Err(problem.maximum([a, b])),
            _ => Err(problem.choice([(p, a), (q, b), (Bool::TRUE, c)])),
        };
        match made {
            Ok(term) => bools.push(term),
            Err(term) => ints.push(term),
        }
    }
    for _ in 0..2 {
        let (p, q) = (random.pick(&bools), random.pick(&bools));
        let constraint = match random.below(3) {
            0 => p,
            1 => problem.or([p, !q]),
            _ => problem.or([!p, q]),
        };
        problem.require(constraint);
    }
    problem
}

/// All assignments of the decision variables, as lists of values.
fn by_trying(problem: &Problem) -> Vec<Vec<i64>> {
    let mut assignments = vec![(Assignment::default(), Vec::new())];
    for variable in problem.decisions() {
        let mut next = Vec::new();
        for (assignment, values) in assignments {
            match variable {
                Variable::Bool(term) => {
                    for value in [false, true] {
                        let mut assignment = assignment.clone();
                        assignment.set_bool(term.node().0, value);
                        next.push((assignment, [values.clone(), vec![i64::from(value)]].concat()));
                    }
                }
                Variable::Int(term) => {
                    for value in problem.values(*term).iter() {
                        let mut assignment = assignment.clone();
                        assignment.set_int(*term, value);
                        next.push((assignment, [values.clone(), vec![value]].concat()));
                    }
                }
            }
        }
        assignments = next;
    }
    let holds =
        |assignment: &Assignment| problem.constraints().iter().all(|term| problem.bool_value(*term, assignment));
    let mut solutions: Vec<Vec<i64>> =
        assignments.into_iter().filter(|(assignment, _)| holds(assignment)).map(|(_, values)| values).collect();
    solutions.sort();
    solutions
}

fn read(problem: &Problem, assignment: &Assignment) -> Vec<i64> {
    let value = |variable: &Variable| match variable {
        Variable::Bool(term) => i64::from(problem.bool_value(*term, assignment)),
        Variable::Int(term) => problem.int_value(*term, assignment),
    };
    problem.decisions().iter().map(value).collect()
}

#[test]
fn both_forms_of_z3_find_the_assignments_that_trying_finds() {
    let mut random = Random(0x5EED);
    for round in 0..400 {
        let mut problem = random_problem(&mut random);
        if problem.take_overflow() {
            continue;
        }
        let expected = by_trying(&problem);
        assert!(encoding::fits(&problem));
        for finite in [true, false] {
            let mut found = Vec::new();
            let outcome = z3::solve_as(finite, &problem, &Limits::default(), &mut |assignment| {
                found.push(read(&problem, assignment));
                ControlFlow::Continue(())
            });
            found.sort();
            assert_eq!(outcome, Outcome::Complete);
            assert_eq!(found, expected, "round {round}, finite {finite}:\n{problem:?}");
        }
    }
}

#[test]
fn the_last_assignment_has_the_best_value() {
    let mut random = Random(0xBE57);
    for round in 0..200 {
        let mut problem = random_problem(&mut random);
        let terms: Vec<Int> = problem.ints().collect();
        let (objective, maximising) = (random.pick(&terms), random.below(2) == 0);
        let all = by_trying(&problem);
        problem.set_objective(maximising, objective);
        let value = |values: &Vec<i64>| {
            let mut assignment = Assignment::default();
            for (variable, value) in problem.decisions().iter().zip(values) {
                match variable {
                    Variable::Bool(term) => assignment.set_bool(term.node().0, *value != 0),
                    Variable::Int(term) => assignment.set_int(*term, *value),
                }
            }
            problem.int_value(objective, &assignment)
        };
        let best = if maximising { all.iter().map(value).max() } else { all.iter().map(value).min() };
        for finite in [true, false] {
            let mut last = None;
            let outcome = z3::solve_as(finite, &problem, &Limits::default(), &mut |assignment| {
                let value = problem.int_value(objective, assignment);
                assert!(last.is_none_or(|last| if maximising { value > last } else { value < last }));
                last = Some(value);
                ControlFlow::Continue(())
            });
            assert_eq!((outcome, last), (Outcome::Complete, best), "round {round}, finite {finite}:\n{problem:?}");
        }
    }
}
