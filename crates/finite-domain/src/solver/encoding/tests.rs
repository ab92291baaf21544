//! Every kind of constraint in every encoding: compares all solutions of the clauses with all assignments that the
//! evaluation of [`Problem`] accepts.

use super::*;
use crate::{
    IntSet,
    problem::{Assignment, Builder, Role},
    solver::{SolverName, test_problems::random_problem},
};
use ::z3::{SatResult, ast};
use std::{cell::Cell, collections::BTreeSet};

/// A sink that collects the clauses, without pseudo-Boolean constraints.
#[derive(Default)]
struct CollectedClauses(Vec<Vec<Literal>>);

impl ClauseSink for CollectedClauses {
    fn clause(&mut self, literals: &[Literal]) {
        self.0.push(literals.to_vec());
    }
}

/// Encoding options by name, most with small thresholds, so that three values count as many.
fn encodings() -> [(&'static str, EncodingOptions); 6] {
    let usual = EncodingOptions::default();
    [
        ("usual", usual),
        ("bits", EncodingOptions { log_above: 2, by_pairs: 0, ..usual }),
        ("bits of what has more than 6 values", EncodingOptions { log_above: 6, by_pairs: 8, ..usual }),
        ("diagrams", EncodingOptions { partial_sums: 0, number: 0, ..usual }),
        ("adders", EncodingOptions { partial_sums: 0, number: 0, diagram: 0, ..usual }),
        (
            "values by bits, sums by adders",
            EncodingOptions { log_above: 12, by_pairs: 0, partial_sums: 0, number: 0, diagram: 0, ..usual },
        ),
    ]
}

/// The values of the decision variables in all models of the clauses.
fn solutions(problem: &Problem, name: &str, options: EncodingOptions) -> BTreeSet<Vec<i64>> {
    let mut encoder = Encoder::with_options(problem, CollectedClauses::default(), options).expect("few clauses");
    assert!(SolverName::Z3.is_installed(), "Z3 is missing");
    let solver = ::z3::Solver::new_for_logic("QF_FD").expect("Z3 knows the logic");
    let mut variables: Vec<ast::Bool> = Vec::new();
    let mut found = BTreeSet::new();
    loop {
        while variables.len() <= encoder.literals.out.variable_count() as usize {
            variables.push(ast::Bool::new_const(variables.len() as u32));
        }
        let term = |literal: Literal| {
            let variable = &variables[literal.number().unsigned_abs() as usize];
            if literal.number() > 0 { variable.clone() } else { !variable }
        };
        for clause in std::mem::take(&mut encoder.literals.out.sink.0) {
            solver.assert(ast::Bool::or(&clause.into_iter().map(term).collect::<Vec<_>>()));
        }
        if solver.check() != SatResult::Sat {
            return found;
        }
        let model = solver.get_model().expect("there is a model");
        let mut holds =
            |literal: Literal| model.eval(&term(literal), true).and_then(|value| value.as_bool()) == Some(true);
        let mut values = Vec::new();
        let mut assignment = Assignment::default();
        for variable in problem.variables() {
            match variable {
                Variable::Bool(term) => {
                    if let Some(value) = encoder.literals.bools.value(term, &mut holds) {
                        assignment.set_bool(term.node().0, value);
                    }
                }
                Variable::Int(term) => {
                    if let Some(value) = encoder.literals.value(term, &mut holds) {
                        assignment.set_int(term, value);
                    }
                }
            }
        }
        for constraint in problem.constraints() {
            assert!(problem.bool_value(*constraint, &assignment), "{constraint} in\n{problem}");
        }
        let mut different = Vec::new();
        for decision in problem.decisions() {
            match *decision {
                Variable::Bool(term) => {
                    let value = problem.bool_value(term, &assignment);
                    values.push(i64::from(value));
                    different.push(encoder.literals.literal(if value { !term } else { term }).expect("few clauses"));
                }
                Variable::Int(term) => {
                    let value = problem.int_value(term, &assignment);
                    values.push(value);
                    different.extend(encoder.literals.differs(term, value).expect("few clauses"));
                }
            }
        }
        assert!(found.insert(values), "{name}: found twice in\n{problem}");
        encoder.literals.out.clause(different);
        encoder.literals.work().expect("few clauses");
    }
}

/// All assignments of some variables that satisfy the constraints.
fn accepted(problem: &Problem, variables: &[Int]) -> BTreeSet<Vec<i64>> {
    let mut values: Vec<Vec<i64>> = vec![Vec::new()];
    for variable in variables {
        let choices: Vec<i64> = problem.values(*variable).iter().collect();
        values = values
            .iter()
            .flat_map(|start| choices.iter().map(move |value| [start.as_slice(), &[*value]].concat()))
            .collect();
    }
    let accepts = |values: &Vec<i64>| {
        let mut assignment = Assignment::default();
        for (variable, value) in variables.iter().zip(values) {
            assignment.set_int(*variable, *value);
        }
        problem.is_satisfied_by(&assignment)
    };
    values.into_iter().filter(accepts).collect()
}

type MakeConstraint = fn(&mut Builder, [Int; 3]) -> Bool;

/// A constraint of each kind on three terms.
const KINDS: [(&str, MakeConstraint); 25] = [
    ("x = 3", |p, [x, ..]| p.equals_constant(x, 3)),
    ("x <= 2", |p, [x, ..]| p.at_most_constant(x, 2)),
    ("x = y", |p, [x, y, _]| p.equal(x, y)),
    ("x < y", |p, [x, y, _]| p.less(x, y)),
    ("2x + 3y <= 7", |p, [x, y, _]| {
        let sum = p.linear([(2, x), (3, y)], 0);
        p.at_most_constant(sum, 7)
    }),
    ("3x - 2y + 5z <= 4", |p, [x, y, z]| {
        let sum = p.linear([(3, x), (-2, y), (5, z)], 0);
        p.at_most_constant(sum, 4)
    }),
    ("x - 2y + 3z = 1", |p, [x, y, z]| {
        let sum = p.linear([(1, x), (-2, y), (3, z)], 0);
        p.equals_constant(sum, 1)
    }),
    ("5x + y - z + 4|x| <= 9", |p, [x, y, z]| {
        let absolute = p.absolute(x);
        let sum = p.linear([(5, x), (1, y), (-1, z), (4, absolute)], 0);
        p.at_most_constant(sum, 9)
    }),
    ("5x + 7y - 11z + 4|x| = 3", |p, [x, y, z]| {
        let absolute = p.absolute(x);
        let sum = p.linear([(5, x), (7, y), (-11, z), (4, absolute)], 0);
        p.equals_constant(sum, 3)
    }),
    ("allDifferent(x, y, z)", |p, terms| p.all_different(terms)),
    ("allDifferent(max(x, 0), max(y, 0), z), with twice as many values as terms", |p, [x, y, z]| {
        let zero = p.constant(0);
        let (x, y) = (p.extreme(Extreme::Maximum, [x, zero]), p.extreme(Extreme::Maximum, [y, zero]));
        p.all_different([x, y, z])
    }),
    ("table", |p, terms| p.table(&terms, vec![vec![0, 1, 2], vec![-3, 4, 5], vec![2, 2, 2], vec![0, 4, 1]])),
    ("x * y = z", |p, [x, y, z]| {
        let product = p.multiply(x, y);
        p.equal(product, z)
    }),
    ("x * x <= y + 2", |p, [x, y, _]| {
        let (square, sum) = (p.multiply(x, x), p.linear([(1, y)], 2));
        p.at_most(square, sum)
    }),
    ("x / y = z", |p, [x, y, z]| {
        let quotient = p.quotient(x, y);
        p.equal(quotient, z)
    }),
    ("x % y = z", |p, [x, y, z]| {
        let remainder = p.remainder(x, y);
        p.equal(remainder, z)
    }),
    ("x / -3 + x % -3 <= y", |p, [x, y, _]| {
        let three = p.constant(-3);
        let (quotient, remainder) = (p.quotient(x, three), p.remainder(x, three));
        let sum = p.add(quotient, remainder);
        p.at_most(sum, y)
    }),
    ("x ** 3 < 2y", |p, [x, y, _]| {
        let three = p.constant(3);
        let (cube, double) = (p.power(x, three), p.linear([(2, y)], 0));
        p.less(cube, double)
    }),
    ("|x - y| = z", |p, [x, y, z]| {
        let difference = p.subtract(x, y);
        let absolute = p.absolute(difference);
        p.equal(absolute, z)
    }),
    ("min(x, y, z) = 1", |p, terms| {
        let minimum = p.extreme(Extreme::Minimum, terms);
        p.equals_constant(minimum, 1)
    }),
    ("max(x, y) <= z", |p, [x, y, z]| {
        let maximum = p.extreme(Extreme::Maximum, [x, y]);
        p.at_most(maximum, z)
    }),
    ("an access by index", |p, [x, y, z]| {
        let conditions = [0, 1, 2].map(|value| p.equals_constant(x, value));
        let element = p.choice(conditions.into_iter().zip([y, z, x]));
        p.at_most_constant(element, 3)
    }),
    ("an access by two indices", |p, [x, y, z]| {
        let mut alternatives = Vec::new();
        for (i, j) in (-2..=4).flat_map(|i| (0..=4).map(move |j| (i, j))) {
            let (first, second) = (p.equals_constant(x, i), p.equals_constant(y, j));
            alternatives.push((p.and([first, second]), p.constant((3 * i + 5 * j * j) % 7 - 2)));
        }
        alternatives.push((Bool::TRUE, p.constant(1)));
        let element = p.choice(alternatives);
        p.at_most(element, z)
    }),
    ("if x < y then y else z, = 4", |p, [x, y, z]| {
        let less = p.less(x, y);
        let choice = p.choice([(less, y), (Bool::TRUE, z)]);
        p.equals_constant(choice, 4)
    }),
    ("(x <= 1) + (y <= 2) + 2(z <= 3) <= 2", |p, [x, y, z]| {
        let bounds = [(x, 1), (y, 2), (z, 3)].map(|(term, bound)| p.at_most_constant(term, bound));
        let terms = bounds.map(|bound| p.int_of(bound));
        let sum = p.linear([(1, terms[0]), (1, terms[1]), (2, terms[2])], 0);
        p.at_most_constant(sum, 2)
    }),
];

#[test]
fn each_kind_of_constraint_means_the_same_in_each_encoding() {
    for (name, constraint) in KINDS {
        for (options_name, options) in encodings() {
            // The constraint is required, forbidden, or equivalent to another condition.
            for way in 0..3 {
                let mut problem = Builder::new();
                let domains = [IntSet::range(-3, 4), IntSet::from_ranges([(-1, 2), (4, 5)]), IntSet::range(0, 4)];
                let terms = domains.map(|domain| problem.new_int(domain, Role::Decision));
                let condition = constraint(&mut problem, terms);
                let required = match way {
                    0 => condition,
                    1 => !condition,
                    _ => {
                        let other = problem.less(terms[2], terms[1]);
                        problem.equivalent(condition, other)
                    }
                };
                problem.require(required);
                let problem = problem.finish().expect("few terms");
                let (expected, found) = (accepted(&problem, &terms), solutions(&problem, options_name, options));
                assert_eq!(found, expected, "{name}, {options_name}, way {way}, in\n{problem}");
            }
        }
    }
}

#[test]
fn random_problems_have_the_same_solutions_in_each_encoding() {
    for seed in 1..=30 {
        let (problem, _) = random_problem(seed);
        let mut expected = None;
        for (name, options) in encodings() {
            let found = solutions(&problem, name, options);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert_eq!(&found, expected, "seed {seed}, {name}, in\n{problem}");
        }
    }
}

/// Some bounds exceed the largest number of the bits: if values are removed from the terms of a sum after the sum was
/// made, the bound may have more bits than the sum.
#[test]
fn bits_are_compared_with_constants_of_any_size() {
    for (count, bound) in (0..=3u32).flat_map(|count| (0..=20u128).map(move |bound| (count, bound))) {
        for number in 0..1u128 << count {
            let holds = |clauses: fn(&mut Output<CollectedClauses>, &[Literal], u128)| {
                let mut out = Output::new(CollectedClauses::default(), u64::MAX);
                let bits: Vec<Literal> = (0..count).map(|_| out.new_variable()).collect();
                clauses(&mut out, &bits, bound);
                let is_true = |literal: &Literal| match bits.iter().position(|bit| bit == literal || *bit == !*literal)
                {
                    Some(bit) => (number >> bit & 1 == 1) == (literal.number() > 0),
                    None => *literal == Literal::TRUE,
                };
                out.sink.0.iter().all(|clause| clause.iter().any(is_true))
            };
            let at_most = holds(|out, bits, bound| out.bits_at_most(Literal::FALSE, bits, bound));
            assert_eq!(at_most, number <= bound, "{number} <= {bound}, {count} bits");
            let at_least = holds(|out, bits, bound| out.bits_at_least(Literal::FALSE, bits, bound));
            assert_eq!(at_least, number >= bound, "{number} >= {bound}, {count} bits");
            let equal = holds(|out, bits, bound| match out.bits_equal(bits, bound) {
                Some(digits) => digits.into_iter().for_each(|digit| out.clause([digit])),
                None => out.clause([]),
            });
            assert_eq!(equal, number == bound, "{number} = {bound}, {count} bits");
        }
    }
}

/// A sink whose solver takes 1 GB for each clause.
struct Greedy<'c>(&'c Cell<u64>);

impl ClauseSink for Greedy<'_> {
    const FOOTPRINT: tuning::Footprint = tuning::Footprint { variable: 0, clause: 1_000_000_000, literal: 0 };

    fn clause(&mut self, _: &[Literal]) {
        self.0.update(|count| count + 1);
    }
}

/// Clauses of plain conditions count, too, although no budget is charged for them.
#[test]
fn clauses_that_take_too_much_memory_are_refused() {
    let either = |count: usize| {
        let mut problem = Builder::new();
        let terms: Vec<Bool> = (0..=count).map(|_| problem.new_bool(Role::Decision)).collect();
        for two in terms.windows(2) {
            let constraint = problem.or(two.iter().copied());
            problem.require(constraint);
        }
        problem.finish().expect("few terms")
    };
    let (small, large) = (either(3), either(100));
    let count = Cell::new(0);
    assert!(Encoder::new(&small, Greedy(&count)).is_ok());
    count.set(0);
    assert_eq!(Encoder::new(&large, Greedy(&count)).err(), Some(Refused::Memory));
    assert!(count.get() < 10, "the solver was given {} clauses", count.get());
}
