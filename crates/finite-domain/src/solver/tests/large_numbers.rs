//! Random problems with numbers at the limits of 32-bit integers, floating-point numbers and sums: every engine is
//! compared with trying all assignments.
//!
//! Run these by hand, for as long as you want:
//!
//! ```text
//! GENERATED_PROBLEMS=20000 cargo test -p conjure-like-finite-domain --lib large_numbers -- --nocapture
//! ```
//!
//! `GENERATED_ONLY=123` runs and prints the problem with this number; `GENERATED_ENGINES=cp-sat,auto` runs only these
//! engines.

use super::super::{
    EngineOptions, SearchEnd, Solver, SolverName,
    batsat::BatSat,
    cadical::Cadical,
    cpsat::CpSat,
    portfolio::Portfolio,
    test_problems::{DecisionValues, Random, key, try_all},
    z3::{Theory, Z3},
};
use crate::{
    IntSet, Sense, StopReason,
    problem::{Bool, Builder, Extreme, Int, Objective, Problem, Role, Variable},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    num::NonZeroUsize,
    ops::ControlFlow,
    time::{Duration, Instant},
};

/// The number of problems in the test suite.
const PROBLEMS: u64 = 120;

/// The powers of two that the numbers are near.
const EXPONENTS: [u32; 9] = [28, 31, 32, 40, 52, 53, 55, 59, 62];

/// Problems with more assignments are skipped.
const MOST_ASSIGNMENTS: u128 = 20_000;

/// With more assignments than this, engines that start a new search for each one are skipped.
const MOST_SEARCHES: usize = 40;

/// The time limit of an engine.
const PATIENCE: Duration = Duration::from_secs(5);

fn setting(name: &str) -> Option<u64> {
    env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

/// A problem under construction.
struct LargeNumbers {
    random: Random,
    problem: Builder,
    variables: Vec<Variable>,
    bools: Vec<Bool>,
    ints: Vec<Int>,
    exponent: u32,
}

/// A problem with its variables; `None` if a term exceeds the range of integers.
fn large_problem(seed: u64) -> Option<(Problem, Vec<Variable>)> {
    let mut large = LargeNumbers::new(seed);
    match large.random.between(0, 4) {
        0 => large.tour(),
        1 => large.knapsack(),
        _ => large.mixture(),
    }
    Some((large.problem.finish().ok()?, large.variables))
}

impl LargeNumbers {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..10 {
            random.between(0, 1);
        }
        let exponent = random.of(&EXPONENTS);
        LargeNumbers {
            random,
            problem: Builder::new(),
            variables: Vec::new(),
            bools: Vec::new(),
            ints: Vec::new(),
            exponent,
        }
    }

    /// A fraction of the power of two, with a small deviation; or a round decimal number; or a small one.
    fn number(&mut self) -> i64 {
        let power = 1i128 << self.exponent;
        let least = if self.exponent > 58 { 5 } else { 1 };
        let number = match self.random.between(0, 5) {
            0..=2 => power / i128::from(self.random.between(least, 9)) + i128::from(self.random.between(-2, 2)),
            3 | 4 => {
                let unit = 10i128.pow(power.ilog10());
                unit * i128::from(self.random.between(1, 20)) / i128::from(10 * least)
            }
            _ => self.random.between(0, 3).into(),
        };
        let sign = self.random.of(&[1, 1, 1, -1]);
        sign * number as i64
    }

    fn new_bool(&mut self) {
        let role = if self.random.between(0, 6) > 0 { Role::Decision } else { Role::Auxiliary };
        let term = self.problem.new_bool(role);
        self.bools.push(term);
        self.variables.push(Variable::Bool(term));
    }

    fn new_int(&mut self, values: IntSet) -> Int {
        let term = self.problem.new_int(values, Role::Decision);
        self.ints.push(term);
        self.variables.push(Variable::Int(term));
        term
    }

    fn any_bool(&mut self) -> Bool {
        let term = self.random.of(&self.bools);
        if self.random.between(0, 2) == 0 { !term } else { term }
    }

    fn any_int(&mut self) -> Int {
        match self.ints.is_empty() || self.random.between(0, 4) == 0 {
            true => {
                let term = self.any_bool();
                self.problem.int_of(term)
            }
            false => self.random.of(&self.ints),
        }
    }

    fn some_bools(&mut self) -> Vec<Bool> {
        (0..self.random.between(2, 3)).map(|_| self.any_bool()).collect()
    }

    /// A value of a term, or a number next to one.
    fn value_near(&mut self, term: Int) -> i64 {
        let values = self.problem.values(term).clone();
        let size = values.size().unwrap_or(0).min(1_000) as i64;
        let value = values.iter().nth(self.random.between(0, (size - 1).max(0)) as usize).unwrap_or(0);
        value + self.random.of(&[0, 0, 0, 1, -1])
    }

    /// A sum of some Booleans and integers, most with large coefficients.
    fn sum(&mut self) -> Int {
        let mut addends = Vec::new();
        for term in self.bools.clone() {
            if self.random.between(0, 3) > 0 {
                addends.push((self.number(), self.problem.int_of(term)));
            }
        }
        for term in self.ints.clone() {
            if self.random.between(0, 3) == 0 {
                // Here, the values of the term are large enough.
                addends.push((self.random.of(&[1, -1, 2, 3]), term));
            }
        }
        let constant = if self.random.between(0, 3) == 0 { self.number() } else { 0 };
        self.problem.linear(addends, constant)
    }

    /// A comparison of a sum with one of its values.
    fn comparison(&mut self) -> Bool {
        let term = if self.random.between(0, 3) > 0 { self.sum() } else { self.any_int() };
        let value = self.value_near(term);
        let compared = match self.random.between(0, 4) {
            0 => self.problem.equals_constant(term, value),
            _ => self.problem.at_most_constant(term, value),
        };
        if self.random.between(0, 1) == 0 { !compared } else { compared }
    }

    /// A term that is a function of others.
    fn derived(&mut self) -> Int {
        let (one, other) = (self.any_int(), self.any_int());
        match self.random.between(0, 8) {
            0 | 1 => self.sum(),
            2 => self.problem.multiply(one, other),
            3 => self.problem.quotient(one, other),
            4 => self.problem.remainder(one, other),
            5 => self.problem.absolute(one),
            6 => {
                let extreme = self.random.of(&[Extreme::Minimum, Extreme::Maximum]);
                let terms = [one, other, self.sum()];
                self.problem.extreme(extreme, terms)
            }
            7 => {
                let conditions = self.some_bools();
                let alternatives: Vec<(Bool, Int)> = conditions
                    .into_iter()
                    .map(|condition| {
                        let number = self.number();
                        (condition, self.problem.constant(number))
                    })
                    .chain([(Bool::TRUE, one)])
                    .collect();
                self.problem.choice(alternatives)
            }
            // The remaining kind is an entry of a list.
            _ => {
                let values: Vec<i64> = self.problem.values(one).iter().take(6).collect();
                let alternatives: Vec<(Bool, Int)> = values
                    .into_iter()
                    .map(|value| {
                        let number = self.number();
                        (self.problem.equals_constant(one, value), self.problem.constant(number))
                    })
                    .collect();
                self.problem.choice(alternatives)
            }
        }
    }

    fn condition(&mut self) -> Bool {
        match self.random.between(0, 9) {
            0..=5 => self.comparison(),
            6 => {
                let (one, other) = (self.any_int(), self.sum());
                self.problem.less(one, other)
            }
            7 => {
                let terms = [self.any_int(), self.any_int(), self.any_int()];
                self.problem.all_different(terms)
            }
            8 => {
                let terms = [self.any_int(), self.any_int()];
                let rows: Vec<[i64; 2]> =
                    (0..self.random.between(1, 4)).map(|_| terms.map(|term| self.value_near(term))).collect();
                self.problem.table(&terms, rows)
            }
            _ => {
                let (one, other) = (self.any_int(), self.any_int());
                self.problem.equal(one, other)
            }
        }
    }

    /// Requires a condition as an implication, as an equivalence, in a disjunction, or as it is.
    fn require(&mut self, condition: Bool) {
        let constraint = match self.random.between(0, 5) {
            0..=2 => {
                let enforced_by = self.any_bool();
                self.problem.implies(enforced_by, condition)
            }
            3 => {
                let same = self.any_bool();
                self.problem.equivalent(same, condition)
            }
            4 => {
                let mut alternatives = self.some_bools();
                alternatives.push(condition);
                self.problem.or(alternatives)
            }
            _ => condition,
        };
        self.problem.require(constraint);
    }

    fn mixture(&mut self) {
        for _ in 0..self.random.between(3, 6) {
            self.new_bool();
        }
        for _ in 0..self.random.between(0, 2) {
            let values: Vec<i64> = (0..self.random.between(2, 3)).map(|_| self.number()).chain([0]).collect();
            self.new_int(IntSet::from_values(values));
        }
        for _ in 0..self.random.between(0, 2) {
            let term = self.derived();
            self.ints.push(term);
        }
        if self.random.between(0, 1) == 0 {
            let (terms, most) = (self.some_bools(), self.random.between(1, 2));
            let count = self.problem.count(terms);
            let few = self.problem.at_most_constant(count, most);
            self.problem.require(few);
        }
        for _ in 0..self.random.between(2, 4) {
            let condition = self.condition();
            self.require(condition);
        }
        if self.random.between(0, 1) == 0 {
            let sense = self.random.of(&[Sense::Minimise, Sense::Maximise]);
            let terms = (0..self.random.between(1, 2)).map(|_| self.derived()).collect();
            self.problem.set_objective(sense, terms);
        }
    }

    /// A knapsack with conditions on some of the things.
    fn knapsack(&mut self) {
        for _ in 0..self.random.between(5, 9) {
            self.new_bool();
        }
        let [weights, values] = [(); 2].map(|()| {
            let mut addends = Vec::new();
            for term in self.bools.clone() {
                addends.push((self.number().abs() / 2, self.problem.int_of(term)));
            }
            self.problem.linear(addends, 0)
        });
        let (low, high) = self.problem.bounds(weights);
        let capacity = low + (high - low) / self.random.between(2, 3) + self.random.between(-1, 1);
        let fits = self.problem.at_most_constant(weights, capacity);
        self.problem.require(fits);
        for _ in 0..self.random.between(0, 3) {
            let condition = self.comparison();
            self.require(condition);
        }
        let same = self.random.between(0, 1) == 0;
        self.problem.set_objective(Sense::Maximise, vec![if same { weights } else { values }]);
    }

    /// A tour through all places with a condition on its length.
    fn tour(&mut self) {
        let count = 4;
        let stops: Vec<Int> = (0..count).map(|_| self.new_int(IntSet::range(0, count - 1))).collect();
        let permutation = self.problem.all_different(stops.clone());
        self.problem.require(permutation);
        self.new_bool();
        let lengths: Vec<Vec<i64>> =
            (0..count).map(|_| (0..count).map(|_| self.number().abs() / 3).collect()).collect();
        let closed = self.random.between(0, 1) == 0;
        let factor = self.random.between(1, 3);
        let mut addends = Vec::new();
        for (place, left) in stops.iter().enumerate() {
            if place + 1 == stops.len() && !closed {
                break;
            }
            let right = stops[(place + 1) % stops.len()];
            let mut alternatives = Vec::new();
            for (row, one) in lengths.iter().zip(0..) {
                for (length, other) in row.iter().zip(0..) {
                    let here = self.problem.equals_constant(*left, one);
                    let there = self.problem.equals_constant(right, other);
                    alternatives.push((self.problem.and([here, there]), self.problem.constant(*length)));
                }
            }
            addends.push((factor, self.problem.choice(alternatives)));
        }
        let length = self.problem.linear(addends, 0);
        // The limit is near the middle of the range.
        let (low, high) = self.problem.bounds(length);
        let limit = low + (high - low) / self.random.between(2, 4) + self.random.between(-1, 1);
        let short = self.problem.at_most_constant(length, limit);
        let first = self.problem.equals_constant(stops[0], 0);
        let same = self.random.of(&[first, self.bools[0]]);
        let constraint = match self.random.between(0, 2) {
            0 => self.problem.equivalent(same, short),
            1 => self.problem.implies(same, short),
            _ => self.problem.implies(same, !short),
        };
        self.problem.require(constraint);
        match self.random.between(0, 3) {
            0 => self.problem.set_objective(Sense::Minimise, vec![length]),
            1 => {
                let places: Vec<(i64, Int)> = stops.iter().map(|stop| (self.number() / 8, *stop)).collect();
                let sum = self.problem.linear(places, 0);
                self.problem.set_objective(Sense::Maximise, vec![sum]);
            }
            _ => {}
        }
    }
}

/// The result of an engine's search.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LargeVerdict {
    Agrees,
    /// The engine does not support the problem.
    Refused(String),
    GaveUp(String),
    Wrong(String),
}

fn verdict(
    problem: &Problem,
    (expected, best): &(BTreeSet<DecisionValues>, Option<Vec<i64>>),
    solver: &mut dyn Solver,
    options: &EngineOptions,
) -> LargeVerdict {
    let mut found: BTreeSet<DecisionValues> = BTreeSet::new();
    let mut values: Option<Vec<i64>> = None;
    let mut wrong = None;
    let end = solver.solve(problem, options, &mut |assignment| {
        let broken = problem.constraints().iter().find(|constraint| !problem.bool_value(**constraint, assignment));
        if let Some(broken) = broken {
            wrong.get_or_insert(format!("an assignment breaks {broken}: {:?}", key(problem, assignment)));
        }
        let is_new = found.insert(key(problem, assignment));
        match problem.objective() {
            Some(Objective { sense, terms }) => {
                let value: Vec<i64> = terms.iter().map(|term| problem.int_value(*term, assignment)).collect();
                if values.replace(value.clone()).is_some_and(|before| !sense.is_better(&value, &before)) {
                    wrong.get_or_insert(format!("{value:?} is not better than what was found before"));
                }
            }
            None if !is_new => drop(wrong.get_or_insert("an assignment was found twice".into())),
            None => {}
        }
        ControlFlow::Continue(())
    });
    match (wrong, end) {
        (Some(wrong), _) => LargeVerdict::Wrong(wrong),
        (None, Err(refused)) => LargeVerdict::Refused(refused.to_string()),
        (None, Ok(SearchEnd::Stopped(StopReason::Unknown(reason)))) => LargeVerdict::GaveUp(reason),
        (None, Ok(SearchEnd::Stopped(reason))) => LargeVerdict::GaveUp(reason.to_string()),
        (None, Ok(_)) if problem.objective().is_some() => match values == *best {
            true => match solver.statistics().bound {
                Some(bound) if best.as_ref().is_some_and(|best| best[0] != bound) => {
                    LargeVerdict::Wrong(format!("the bound {bound} is not the best value {best:?}"))
                }
                _ => LargeVerdict::Agrees,
            },
            false => LargeVerdict::Wrong(format!("best {values:?} instead of {best:?}")),
        },
        (None, Ok(_)) if found == *expected => LargeVerdict::Agrees,
        (None, Ok(_)) => LargeVerdict::Wrong(format!("{} assignments instead of {}", found.len(), expected.len())),
    }
}

/// Each engine with its name, and true if it starts a new search for each assignment.
fn engines() -> [(&'static str, bool, Box<dyn Solver>); 6] {
    [
        ("z3, clauses", false, Box::new(Z3::from(Theory::Clauses))),
        ("z3, integers", true, Box::new(Z3::from(Theory::Integers))),
        ("cadical", false, Box::new(Cadical::default())),
        ("batsat", false, Box::new(BatSat::default())),
        ("cp-sat", true, Box::new(CpSat::default())),
        ("auto", false, Box::new(Portfolio::default())),
    ]
}

#[test]
fn engines_agree_on_large_numbers() {
    let (seed, count) = (setting("GENERATED_SEED").unwrap_or(1), setting("GENERATED_PROBLEMS").unwrap_or(PROBLEMS));
    let only = setting("GENERATED_ONLY");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let begin = Instant::now();
    for number in only.map_or(0..count, |only| only..only + 1) {
        let Some((problem, variables)) = large_problem(seed.wrapping_mul(1_000_003).wrapping_add(number)) else {
            *counts.entry("beyond the range of integers".into()).or_default() += 1;
            continue;
        };
        if only.is_some() {
            eprintln!("{problem}");
        }
        let combinations = variables.iter().fold(1u128, |product, variable| match variable {
            Variable::Bool(_) => 2 * product,
            Variable::Int(term) => product.saturating_mul(problem.values(*term).size().unwrap_or(u128::MAX)),
        });
        assert!(combinations <= MOST_ASSIGNMENTS, "problem {number} of seed {seed}: {combinations} assignments");
        let expected = try_all(&problem, &variables);
        for (engine, anew, mut solver) in engines() {
            if engine == "cp-sat" && !SolverName::CpSat.is_installed() {
                continue;
            }
            if env::var("GENERATED_ENGINES").is_ok_and(|engines| !engines.contains(engine)) {
                continue;
            }
            if anew && problem.objective().is_none() && expected.0.len() > MOST_SEARCHES {
                *counts.entry(format!("{engine}: left out, too many assignments")).or_default() += 1;
                continue;
            }
            let threads = NonZeroUsize::new(1 + (number % 2) as usize);
            let options = EngineOptions { threads, ..EngineOptions::default().limits(Instant::now() + PATIENCE) };
            let verdict = verdict(&problem, &expected, &mut *solver, &options);
            let what = match &verdict {
                LargeVerdict::Wrong(what) => {
                    let report = format!("problem {number} of seed {seed}, {engine}: {what}");
                    eprintln!("{report}");
                    wrong.push(report);
                    "WRONG".into()
                }
                LargeVerdict::Agrees => "agrees".into(),
                LargeVerdict::Refused(why) => format!("refuses: {why}"),
                LargeVerdict::GaveUp(why) => format!("gives up: {why}"),
            };
            *counts.entry(format!("{engine}: {what}")).or_default() += 1;
        }
    }
    eprintln!("{:.1} s", begin.elapsed().as_secs_f64());
    for (what, count) in &counts {
        eprintln!("{count:8} {what}");
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
