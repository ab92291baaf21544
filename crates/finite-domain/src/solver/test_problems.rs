//! Small problems for tests, most of them random, with every kind of node in both polarities.

use crate::{
    IntSet, Sense,
    problem::{Assignment, Bool, Builder, Extreme, Int, Objective, Problem, Role, Variable},
};
use std::{collections::BTreeSet, mem};

/// Xorshift (Marsaglia 2003).
pub(crate) struct Random(pub u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    pub(crate) fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Ascending integers up to a number.
pub(crate) fn ascending(count: usize, most: i64) -> (Builder, Vec<Int>) {
    let mut problem = Builder::new();
    let marks: Vec<Int> = (0..count).map(|_| problem.new_int(IntSet::range(0, most), Role::Decision)).collect();
    for pair in marks.windows(2) {
        let difference = problem.linear([(1, pair[0]), (-1, pair[1])], 0);
        let rises = problem.at_most_constant(difference, -1);
        problem.require(rises);
    }
    (problem, marks)
}

/// A random problem with its variables.
pub(crate) fn random_problem(seed: u64) -> (Problem, Vec<Variable>) {
    let generator = Generator::new(seed);
    (generator.problem.finish().expect("small numbers"), generator.variables)
}

/// Numbers that count the occurrences of values among some terms, which may be the numbers themselves.
pub(crate) fn random_counts(seed: u64) -> (Problem, Vec<Variable>) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut problem = Builder::new();
    let mut terms: Vec<Int> = Vec::new();
    for _ in 0..random.between(3, 4) {
        let low = random.between(-2, 0);
        terms.push(problem.new_int(IntSet::range(low, low + random.between(2, 3)), Role::Decision));
    }
    let other = problem.new_int(IntSet::range(0, 4), Role::Decision);
    for value in random.between(-2, 0)..=random.between(1, 4) {
        let times: Vec<Int> = terms
            .iter()
            .map(|term| {
                let has_value = problem.equals_constant(*term, value);
                problem.int_of(has_value)
            })
            .collect();
        let sum = problem.linear(times.into_iter().map(|one| (1, one)), 0);
        let count = match random.between(0, 4) {
            0 => problem.constant(random.between(0, 2)),
            1 => problem.linear([(random.of(&[-1, 1, 2]), other)], random.between(-1, 1)),
            2 => continue,
            _ => random.of(&terms),
        };
        let counts = problem.equal(sum, count);
        problem.require(counts);
    }
    let variables = terms.into_iter().chain([other]).map(Variable::Int).collect();
    (problem.finish().expect("small numbers"), variables)
}

/// A round trip, or a path, whose stops are variables: the objective is the sum of the costs of neighbours.
pub(crate) fn random_tour(seed: u64) -> (Problem, Vec<Variable>) {
    random_tour_with(seed, Legs::Inline)
}

/// The costs of neighbours in a tour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Legs {
    /// Terms of the objective.
    Inline,
    /// Decisions, as their sum.
    Decisions,
    /// Decisions, as their sum, of which another constraint uses two.
    Used,
    /// Decisions with fewer values than costs.
    Narrow,
}

/// A tour with its legs as these terms.
pub(crate) fn random_tour_with(seed: u64, legs: Legs) -> (Problem, Vec<Variable>) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut problem = Builder::new();
    let count = random.between(4, 5);
    let stops: Vec<Int> = (0..count).map(|_| problem.new_int(IntSet::range(2, count + 1), Role::Decision)).collect();
    let permutation = problem.all_different(stops.iter().copied());
    problem.require(permutation);
    let closed = random.between(0, 1) == 1;
    let measured = random.between(0, 2) == 0;
    let costs: Vec<Vec<i64>> = (0..count).map(|_| (0..count).map(|_| random.between(-3, 9)).collect()).collect();
    let mut addends = Vec::new();
    for place in 0..stops.len() {
        let (left, right) = (stops[place], stops[(place + 1) % stops.len()]);
        if place + 1 == stops.len() && !closed {
            break;
        }
        if measured {
            let difference = problem.linear([(2, left), (-1, right)], 1);
            addends.push((3, problem.absolute(difference)));
        }
        let mut alternatives = Vec::new();
        for (row, one) in costs.iter().zip(2..) {
            for (cost, other) in row.iter().zip(2..) {
                let (here, there) = (problem.equals_constant(left, one), problem.equals_constant(right, other));
                let both = problem.and([here, there]);
                alternatives.push((both, problem.constant(*cost)));
            }
        }
        let mut leg = problem.choice(alternatives);
        if legs != Legs::Inline {
            let most = if legs == Legs::Narrow { 8 } else { 9 };
            let cost = mem::replace(&mut leg, problem.new_int(IntSet::range(-3, most), Role::Decision));
            let is_cost = problem.equal(leg, cost);
            problem.require(is_cost);
        }
        addends.push((1, leg));
    }
    if legs == Legs::Used {
        let last = problem.linear([(1, addends[addends.len() - 1].1)], 10);
        let rises = problem.at_most(addends[0].1, last);
        problem.require(rises);
    }
    // The ends have costs, and one addend does not depend on the tour.
    let squares = [stops[0], stops[stops.len() - 1]].map(|stop| problem.multiply(stop, stop));
    addends.extend([(1, squares[0]), (-1, squares[1])]);
    let other = problem.new_int(IntSet::range(0, 2), Role::Decision);
    addends.push((-1, other));
    let sense = if random.between(0, 1) == 0 { Sense::Minimise } else { Sense::Maximise };
    let mut sum = problem.linear(addends, 0);
    if legs != Legs::Inline {
        let length = mem::replace(&mut sum, problem.new_int(IntSet::range(-1_000, 1_000), Role::Decision));
        let is_length = problem.equal(sum, length);
        problem.require(is_length);
    }
    problem.set_objective(sense, vec![sum]);
    let variables = stops.into_iter().chain([other]).map(Variable::Int).collect();
    (problem.finish().expect("small numbers"), variables)
}

/// A path through some of the places, as many as the sequence reaches; in half of the problems there may be no path.
/// The objective is the sum of the costs of neighbours, of the ends, of each place and of the length.
pub(crate) fn random_path(seed: u64) -> (Problem, Vec<Variable>) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut problem = Builder::new();
    let (count, values) = (3, random.between(3, 4));
    let stops: Vec<Int> = (0..count).map(|_| problem.new_int(IntSet::range(1, values), Role::Decision)).collect();
    let least = random.between(0, 2) as usize;
    let reached: Vec<Bool> =
        (0..count).map(|stop| if stop < least { Bool::TRUE } else { problem.new_bool(Role::Decision) }).collect();
    let exists = if random.between(0, 1) == 0 { Bool::TRUE } else { problem.new_bool(Role::Decision) };
    for (stop, term) in stops.iter().enumerate() {
        let lowest = problem.equals_constant(*term, 1);
        let fixed = problem.implies(!reached[stop], lowest);
        problem.require(fixed);
        for before in 0..stop {
            let same = problem.equal(stops[before], *term);
            let clash = problem.and([reached[stop], same]);
            problem.require(!clash);
            let dense = problem.implies(reached[stop], reached[before]);
            problem.require(dense);
        }
    }
    problem.note_sequence(reached.iter().copied().zip(stops.iter().copied()).collect());
    let mut costs = || (0..values).map(|_| random.between(-3, 9)).collect::<Vec<i64>>();
    let (steps, ends): (Vec<Vec<i64>>, _) = ((0..values).map(|_| costs()).collect(), [costs(), costs(), costs()]);
    let row = |problem: &mut Builder, stop: Int, costs: &[Int]| {
        let here: Vec<Bool> = (1..=values).map(|value| problem.equals_constant(stop, value)).collect();
        problem.choice(here.into_iter().zip(costs.iter().copied()).collect::<Vec<_>>())
    };
    let constants = |problem: &mut Builder, costs: &[i64]| -> Vec<Int> {
        costs.iter().map(|cost| problem.constant(*cost)).collect()
    };
    let zero = problem.constant(0);
    let [first, last, each] = ends.map(|costs| constants(&mut problem, &costs));
    let mut addends = Vec::new();
    for stop in 0..stops.len() {
        let here = problem.and([exists, reached[stop]]);
        let is_last = problem.and([here, reached.get(stop + 1).map_or(Bool::TRUE, |next| !*next)]);
        let mut guarded = |problem: &mut Builder, condition: Bool, term: Int| {
            addends.push((1, problem.choice([(condition, term), (Bool::TRUE, zero)])));
        };
        let visit = row(&mut problem, stops[stop], &each);
        guarded(&mut problem, here, visit);
        let end = row(&mut problem, stops[stop], &last);
        guarded(&mut problem, is_last, end);
        match stop {
            0 => {
                let start = row(&mut problem, stops[0], &first);
                guarded(&mut problem, here, start);
            }
            _ => {
                let rows: Vec<Int> = steps
                    .iter()
                    .map(|costs| {
                        let costs = constants(&mut problem, costs);
                        row(&mut problem, stops[stop], &costs)
                    })
                    .collect();
                let step = row(&mut problem, stops[stop - 1], &rows);
                guarded(&mut problem, here, step);
            }
        }
        let length = problem.int_of(here);
        addends.push((2, length));
    }
    let other = problem.new_int(IntSet::range(0, 2), Role::Decision);
    addends.push((-1, other));
    let sense = if seed.is_multiple_of(2) { Sense::Minimise } else { Sense::Maximise };
    let sum = problem.linear(addends, 5);
    problem.set_objective(sense, vec![sum]);
    let flags = reached.into_iter().chain([exists]).filter(|flag| *flag != Bool::TRUE).map(Variable::Bool);
    let variables = flags.chain(stops.iter().copied().chain([other]).map(Variable::Int)).collect();
    (problem.finish().expect("small numbers"), variables)
}

/// Tasks that share a resource, and perhaps machines.
pub(crate) struct RandomSchedule {
    pub problem: Problem,
    pub variables: Vec<Variable>,
    /// True if the use of the resource is limited at all times.
    pub is_limited_at_all_times: bool,
    /// The number of machines to be found. If there are two, tasks choose between them.
    pub machines: usize,
}

pub(crate) fn random_schedule(seed: u64) -> RandomSchedule {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut problem = Builder::new();
    let end = 8;
    let tasks: Vec<(Int, i64, i64)> = (0..4)
        .map(|task| {
            let values = IntSet::range(random.between(0, 1), random.between(6, 7) - task % 2);
            (problem.new_int(values, Role::Decision), random.between(1, 3), random.between(1, 2))
        })
        .collect();
    // If three tasks can be too many, the clause for "only all addends together exceed the capacity" occurs.
    let demands = || tasks.iter().map(|(.., demand)| *demand);
    let capacity = random.between(2, demands().sum::<i64>() - demands().min().unwrap_or(0) - 1);
    let left_out = Some(random.between(2, 4)).filter(|_| random.between(0, 2) == 0);
    for time in (0..=end + 2).filter(|time| Some(*time) != left_out) {
        let mut addends = Vec::new();
        for (start, duration, demand) in &tasks {
            let begun = problem.at_most_constant(*start, time);
            let ended = problem.at_most_constant(*start, time - duration);
            let under_way = problem.and([begun, !ended]);
            addends.push((*demand, problem.int_of(under_way)));
        }
        let used = problem.linear(addends, 0);
        let limited = problem.at_most_constant(used, capacity);
        problem.require(limited);
    }
    let mut variables: Vec<Variable> = tasks.iter().map(|(start, ..)| Variable::Int(*start)).collect();
    let mut addends: Vec<(i64, Int)> = tasks.iter().map(|(start, ..)| (random.between(-3, 3), *start)).collect();
    // The first task is longer on its machine than on the resource.
    let more = problem.new_int(IntSet::range(0, random.between(0, 2)), Role::Decision);
    let times = if tasks[0].1 > 2 { -1 } else { random.between(1, 2) };
    addends.push((random.between(-2, 0), more));
    variables.push(Variable::Int(more));
    // There are four kinds: no machine, one machine for all tasks, one for the tasks that are made, and several to
    // choose from.
    let (kind, choice) = (random.between(0, 3), random.between(2, 3));
    let on_machine: Vec<(Bool, Int)> = (0..3)
        .map(|_| {
            let is_made = if kind == 2 { problem.new_bool(Role::Decision) } else { Bool::TRUE };
            let values = if kind == 3 { IntSet::range(1, choice) } else { IntSet::single(1) };
            let chosen = problem.new_int(values, Role::Decision);
            (is_made, chosen)
        })
        .collect();
    for (is_made, chosen) in &on_machine {
        addends.push((random.between(-2, 2), problem.int_of(*is_made)));
        addends.push((random.between(-2, 2), *chosen));
        variables.extend((kind == 2).then_some(Variable::Bool(*is_made)));
        variables.extend((kind == 3).then_some(Variable::Int(*chosen)));
    }
    // If two tasks have a fixed order, no constraint about machines is needed.
    let is_ordered = kind > 0 && random.between(0, 3) == 0;
    if is_ordered {
        let end = problem.linear([(1, tasks[1].0)], tasks[1].1);
        let ordered = problem.at_most(end, tasks[2].0);
        problem.require(ordered);
    }
    for (one, other) in [(0, 1), (0, 2), (1, 2)].into_iter().filter(|_| kind > 0) {
        if is_ordered && (one, other) == (1, 2) {
            continue;
        }
        let orders = [(one, other), (other, one)].map(|(first, second)| {
            let longer = if first == 0 { times } else { 0 };
            let end = problem.linear([(1, tasks[first].0), (longer, more)], tasks[first].1);
            problem.at_most(end, tasks[second].0)
        });
        let together = problem.equal(on_machine[one].1, on_machine[other].1);
        let either = problem.or(orders);
        let both = problem.and([on_machine[one].0, on_machine[other].0, together]);
        let either = problem.implies(both, either);
        problem.require(either);
    }
    let sum = problem.linear(addends, 0);
    problem.set_objective(Sense::Minimise, vec![sum]);
    RandomSchedule {
        variables,
        is_limited_at_all_times: left_out.is_none(),
        machines: [0, 1, 1, if choice < 3 { 2 } else { 0 }][kind as usize],
        problem: problem.finish().expect("small numbers"),
    }
}

struct Generator {
    random: Random,
    problem: Builder,
    variables: Vec<Variable>,
    bools: Vec<Bool>,
    ints: Vec<Int>,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut generator = Generator {
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            problem: Builder::new(),
            variables: Vec::new(),
            bools: Vec::new(),
            ints: Vec::new(),
        };
        for _ in 0..10 {
            generator.random.below(2);
        }
        // Sometimes, a domain exceeds the limits of the encodings by pairs and by values.
        let wide = generator.random.below(8) == 0;
        for position in 0..3 {
            let role = if generator.random.below(4) > 0 { Role::Decision } else { Role::Auxiliary };
            let low = generator.random.between(-4, 3);
            let values = match generator.random.below(3) {
                0 => IntSet::from_values((0..4).map(|_| generator.random.between(-4, 7))),
                _ if wide && position == 0 => IntSet::range(low, low + 30),
                _ => IntSet::range(low, low + generator.random.between(0, 4)),
            };
            let term = generator.problem.new_int(values, role);
            generator.ints.push(term);
            generator.variables.push(Variable::Int(term));
            let term = generator.problem.new_bool(role);
            generator.bools.push(term);
            generator.variables.push(Variable::Bool(term));
        }
        let compound = 3 + generator.random.below(10);
        for _ in 0..compound {
            if generator.random.below(2) == 0 {
                let term = generator.make_int();
                // With small values, the integer theory stays fast.
                if generator.problem.values(term).iter().all(|value| value.abs() < 200) {
                    generator.ints.push(term);
                }
            } else {
                let term = generator.make_bool();
                generator.bools.push(term);
            }
        }
        for _ in 0..1 + generator.random.below(3) {
            let constraint = generator.any_bool();
            let other = generator.any_bool();
            let constraint =
                if generator.random.below(2) == 0 { generator.problem.or([constraint, other]) } else { constraint };
            generator.problem.require(constraint);
        }
        if generator.random.below(3) == 0 {
            let sense = if generator.random.below(2) == 0 { Sense::Maximise } else { Sense::Minimise };
            let terms = (0..1 + generator.random.below(3)).map(|_| generator.any_int()).collect();
            generator.problem.set_objective(sense, terms);
        }
        generator
    }

    fn any_bool(&mut self) -> Bool {
        // Later terms are nested more deeply, so half of the choices are among them.
        let from = if self.random.below(2) == 0 { self.bools.len() / 2 } else { 0 };
        let term = self.bools[from + self.random.below(self.bools.len() - from)];
        if self.random.below(2) == 0 { !term } else { term }
    }

    fn any_int(&mut self) -> Int {
        let from = if self.random.below(2) == 0 { self.ints.len() / 2 } else { 0 };
        self.ints[from + self.random.below(self.ints.len() - from)]
    }

    fn some_ints(&mut self) -> Vec<Int> {
        (0..2 + self.random.below(3)).map(|_| self.any_int()).collect()
    }

    fn value_of(&mut self, term: Int) -> i64 {
        let values: Vec<i64> = self.problem.values(term).iter().collect();
        self.random.of(&values)
    }

    fn make_bool(&mut self) -> Bool {
        let (one, other) = (self.any_int(), self.any_int());
        match self.random.below(14) {
            0 | 1 => {
                let parts: Vec<Bool> = (0..2 + self.random.below(3)).map(|_| self.any_bool()).collect();
                self.problem.and(parts)
            }
            2 => {
                let (left, right) = (self.any_bool(), self.any_bool());
                self.problem.equivalent(left, right)
            }
            3 => {
                let (condition, yes, no) = (self.any_bool(), self.any_bool(), self.any_bool());
                self.problem.choose_bool(condition, yes, no)
            }
            4 => {
                let value = self.value_of(one);
                self.problem.equals_constant(one, value)
            }
            5 => {
                let value = self.value_of(one);
                self.problem.at_most_constant(one, value)
            }
            6 => self.problem.equal(one, other),
            7 => self.problem.less(one, other),
            8 => {
                let set = IntSet::from_values([self.value_of(one), self.value_of(one), self.value_of(one)]);
                self.problem.member(one, &set)
            }
            9 | 10 => {
                let sum = self.make_sum();
                let value = self.value_of(sum);
                if self.random.below(2) == 0 {
                    self.problem.equals_constant(sum, value)
                } else {
                    self.problem.at_most_constant(sum, value)
                }
            }
            11 => {
                let terms = self.some_ints();
                self.problem.all_different(terms)
            }
            12 => {
                let terms = self.some_ints();
                let rows: Vec<Vec<i64>> = (0..1 + self.random.below(6))
                    .map(|_| terms.iter().map(|term| self.value_of(*term)).collect())
                    .collect();
                self.problem.table(&terms, rows)
            }
            _ => {
                let (terms, bound) = ((0..4).map(|_| self.any_bool()).collect::<Vec<_>>(), self.random.between(0, 3));
                let count = self.problem.count(terms);
                self.problem.at_most_constant(count, bound)
            }
        }
    }

    fn make_sum(&mut self) -> Int {
        let terms: Vec<(i64, Int)> =
            (0..2 + self.random.below(3)).map(|_| (self.random.between(-3, 3), self.any_int())).collect();
        let constant = self.random.between(-2, 2);
        self.problem.linear(terms, constant)
    }

    fn make_int(&mut self) -> Int {
        let (one, other) = (self.any_int(), self.any_int());
        match self.random.below(11) {
            0 => {
                let condition = self.any_bool();
                self.problem.int_of(condition)
            }
            1 => self.make_sum(),
            2 => self.problem.multiply(one, other),
            3 => self.problem.quotient(one, other),
            4 => self.problem.remainder(one, other),
            5 => {
                let exponent = self.problem.new_int(IntSet::range(-1, self.random.between(0, 2)), Role::Auxiliary);
                self.variables.push(Variable::Int(exponent));
                self.problem.power(one, exponent)
            }
            6 => self.problem.absolute(one),
            7 => {
                let terms = self.some_ints();
                self.problem.extreme(Extreme::Minimum, terms)
            }
            8 => {
                let terms = self.some_ints();
                self.problem.extreme(Extreme::Maximum, terms)
            }
            9 => {
                let terms = self.some_ints();
                let alternatives: Vec<(Bool, Int)> = terms.iter().map(|term| (self.any_bool(), *term)).collect();
                self.problem.choice(alternatives)
            }
            // The remaining kind is a lookup by index.
            _ => {
                let values: Vec<i64> = self.problem.values(one).iter().take(6).collect();
                let alternatives: Vec<(Bool, Int)> =
                    values.iter().map(|value| (self.problem.equals_constant(one, *value), self.any_int())).collect();
                self.problem.choice(alternatives)
            }
        }
    }
}

/// The values of the decision variables.
pub(crate) type DecisionValues = Vec<i64>;

pub(crate) fn key(problem: &Problem, assignment: &Assignment) -> DecisionValues {
    let value = |variable: &Variable| match *variable {
        Variable::Bool(term) => i64::from(problem.bool_value(term, assignment)),
        Variable::Int(term) => problem.int_value(term, assignment),
    };
    problem.decisions().iter().map(value).collect()
}

/// Visits all assignments of the variables.
pub(crate) fn each_assignment(problem: &Problem, variables: &[Variable], visit: &mut dyn FnMut(&Assignment)) {
    let choices: Vec<Vec<i64>> = variables
        .iter()
        .map(|variable| match *variable {
            Variable::Bool(_) => vec![0, 1],
            Variable::Int(term) => problem.values(term).iter().collect(),
        })
        .collect();
    let mut positions = vec![0; variables.len()];
    loop {
        let mut assignment = Assignment::default();
        for ((variable, choices), position) in variables.iter().zip(&choices).zip(&positions) {
            assignment.set(*variable, choices[*position]);
        }
        visit(&assignment);
        let Some(next) = (0..positions.len()).find(|index| positions[*index] + 1 < choices[*index].len()) else {
            return;
        };
        positions[next] += 1;
        positions[..next].fill(0);
    }
}

/// The decisions of all assignments that satisfy the constraints, and the best value of the objective.
pub(crate) fn try_all(problem: &Problem, variables: &[Variable]) -> (BTreeSet<DecisionValues>, Option<Vec<i64>>) {
    let mut found = BTreeSet::new();
    let mut best: Option<Vec<i64>> = None;
    each_assignment(problem, variables, &mut |assignment| {
        if problem.is_satisfied_by(assignment) {
            found.insert(key(problem, assignment));
            if let Some(Objective { sense, terms }) = problem.objective() {
                let value: Vec<i64> = terms.iter().map(|term| problem.int_value(*term, assignment)).collect();
                best = sense.best(best.take().into_iter().chain([value]));
            }
        }
    });
    (found, best)
}
