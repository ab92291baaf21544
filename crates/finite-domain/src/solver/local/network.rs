//! The terms of a problem with their values, updated incrementally when decisions change: only terms that depend on a
//! change are recomputed. Each Boolean term has a distance from true and one from false, so that the search can compare
//! the violations of two assignments.
//!
//! Terms come after their operands, as in the systems of invariants of Comet (Van Hentenryck, Michel, "Constraint-Based
//! Local Search", 2005).

use crate::problem::{
    Assignment, Bool, BoolId, BoolNode, Entries, Extreme, Global, Int, IntNode, Operation, Problem, Variable,
};
use crate::solver::tuning::local::{FEW_COMPARISONS, FEW_ROWS, MOST_TERMS};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The distance of a Boolean variable from its other value.
pub(super) const UNIT: i64 = 64;

/// The maximum distance of a term from true or false, so that the sum of all distances does not overflow.
const FARTHEST: i64 = 1 << 40;

/// A literal: the position of a Boolean, and true if it is negated.
#[derive(Clone, Copy, Debug)]
struct TermLiteral(u32, bool);

/// The definition of a term; operands are given by their positions.
#[derive(Debug)]
enum Rule {
    /// A variable or a constant.
    Free,
    /// Its distances are summed up incrementally. True if its distance from false is needed.
    Conjunction(Box<[TermLiteral]>, bool),
    Equivalence(TermLiteral, TermLiteral),
    Equals(u32, i64),
    AtMost(u32, i64),
    Same(u32, u32),
    /// The bound and the largest coefficient.
    SumAtMost(i64, i64),
    SumEquals(i64, i64),
    /// The number of occurrences of each value among its terms.
    AllDifferent(FxHashMap<i64, u32>),
    Table(Box<[u32]>, FxHashSet<Box<[i64]>>),
    FromBool(TermLiteral),
    /// Its terms are summed up incrementally.
    Sum,
    Binary(Operation, u32, u32),
    Absolute(u32),
    Extreme(Extreme, Box<[u32]>),
    Choice(Box<[(TermLiteral, u32)]>),
    Entry(Box<Entries>, [u32; 2]),
}

/// The value of a term. An integer has its value in `first`. A Boolean has its distance from true in `first` and from
/// false in `second`; exactly one distance is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    first: i64,
    second: i64,
}

impl State {
    fn of_bool(value: bool) -> State {
        if value { State { first: 0, second: UNIT } } else { State { first: UNIT, second: 0 } }
    }

    fn of_int(value: i64) -> State {
        State { first: value, second: 0 }
    }

    /// The distance of a literal from true.
    fn cost(self, negated: bool) -> i64 {
        if negated { self.second } else { self.first }
    }
}

/// The effect of a changed operand on a term.
#[derive(Clone, Copy, Debug)]
enum Link {
    /// The term is recomputed.
    Anew,
    /// The change times this coefficient is added to the term's sum.
    Sum(i64),
    /// The change of the literal's distance from true is added to the term's sum; true if the literal is negated.
    Part(bool),
    /// The term counts values.
    Count,
}

/// The comparisons of a term with numbers.
#[derive(Debug, Default)]
struct Comparisons {
    equals: FxHashMap<i64, u32>,
    /// In ascending order.
    at_most: Vec<(i64, u32)>,
}

/// The terms of the constraints and of the objective.
pub(super) struct TermNetwork {
    places: FxHashMap<Variable, u32>,
    rules: Vec<Rule>,
    states: Vec<State>,
    /// The sums of the operands of sums and conjunctions. The terms of a comparison may add up to more than 2^63 if its
    /// bound is as large.
    sums: Vec<i128>,
    /// The terms that have each term as an operand.
    links: Vec<Vec<(u32, Link)>>,
    comparisons: FxHashMap<u32, Comparisons>,
    /// The weights of the requirements that a term is true and that it is false; 0 if there is no requirement.
    constraints: FxHashMap<u32, [i64; 2]>,
    is_constraint: Vec<bool>,
    objective: Vec<u32>,
    penalty: i128,
    /// The states before the last change.
    trail: Vec<(u32, State)>,
    open: BinaryHeap<Reverse<u32>>,
    is_open: Vec<bool>,
}

impl TermNetwork {
    /// Builds the terms with their values in an assignment; `None` if there are too many.
    pub(super) fn new(problem: &Problem, assignment: &Assignment) -> Option<TermNetwork> {
        let mut network = TermNetwork {
            places: FxHashMap::default(),
            rules: Vec::new(),
            states: Vec::new(),
            sums: Vec::new(),
            links: Vec::new(),
            comparisons: FxHashMap::default(),
            constraints: FxHashMap::default(),
            is_constraint: Vec::new(),
            objective: Vec::new(),
            penalty: 0,
            trail: Vec::new(),
            open: BinaryHeap::new(),
            is_open: Vec::new(),
        };
        let roots = problem.constraints().iter().map(|constraint| Variable::Bool(*constraint));
        let objective = problem.objective().map_or(&[][..], |objective| &objective.terms);
        let terms = objective.iter().map(|term| Variable::Int(*term));
        for root in roots.chain(terms).chain(problem.decisions().iter().copied()) {
            network.add(problem, assignment, root.positive())?;
        }
        network.objective = objective.iter().map(|term| network.places[&Variable::Int(*term)]).collect();
        network.is_constraint = vec![false; network.rules.len()];
        network.is_open = vec![false; network.rules.len()];
        for constraint in problem.constraints() {
            let (id, negated) = constraint.node();
            let place = network.places[&Variable::Bool(id.positive())];
            network.is_constraint[place as usize] = true;
            network.constraints.entry(place).or_default()[usize::from(negated)] = 1;
        }
        network.note_what_falsity_matters();
        network.add_up_all();
        network.weigh(|_| 1);
        Some(network)
    }

    /// Adds a term after its operands.
    fn add(&mut self, problem: &Problem, assignment: &Assignment, root: Variable) -> Option<()> {
        // Terms may be deeply nested, so the stack is explicit. Each term is entered twice: before its operands
        // (`None`) and after them.
        let mut open = vec![(root, None)];
        while let Some((term, entered)) = open.pop() {
            if self.places.contains_key(&term) {
                continue;
            }
            let Some(entries) = entered else {
                let entries = match term {
                    Variable::Int(int) => match problem.int_node(int) {
                        IntNode::Choice(alternatives) => problem.entries_of_choice(alternatives),
                        _ => None,
                    },
                    Variable::Bool(_) => None,
                };
                let mut operands = Vec::new();
                let mut push = |operand: Variable| {
                    let operand = operand.positive();
                    if !self.places.contains_key(&operand) {
                        operands.push((operand, None));
                    }
                };
                // The value of a lookup in a matrix depends only on the indices, not on the conditions of the choice.
                match &entries {
                    Some(entries) => entries.indices.iter().for_each(|index| push(Variable::Int(*index))),
                    None => match term {
                        Variable::Bool(term) => problem.bool_node(term.node().0).operands(&mut push),
                        Variable::Int(term) => problem.int_node(term).operands(&mut push),
                    },
                }
                open.push((term, Some(entries)));
                open.append(&mut operands);
                continue;
            };
            if self.rules.len() >= MOST_TERMS {
                return None;
            }
            let place = self.rules.len() as u32;
            self.places.insert(term, place);
            self.sums.push(0);
            self.links.push(Vec::new());
            let value = problem.value(term, assignment);
            let (rule, state) = match term {
                Variable::Bool(term) => {
                    let rule = self.bool_rule(problem.bool_node(term.node().0), place);
                    (rule, State::of_bool(value == 1))
                }
                Variable::Int(int) => {
                    let rule = match entries {
                        Some(entries) => {
                            let indices = entries.indices.map(|index| self.int(index));
                            indices.iter().for_each(|index| self.link(*index, place, Link::Anew));
                            Rule::Entry(Box::new(entries), indices)
                        }
                        None => self.int_rule(problem.int_node(int), place),
                    };
                    (rule, State::of_int(value))
                }
            };
            self.rules.push(rule);
            self.states.push(state);
        }
        Some(())
    }

    fn literal(&self, term: Bool) -> TermLiteral {
        let (id, negated) = term.node();
        TermLiteral(self.bool(id), negated)
    }

    fn bool(&self, id: BoolId) -> u32 {
        self.places[&Variable::Bool(id.positive())]
    }

    fn int(&self, term: Int) -> u32 {
        self.places[&Variable::Int(term)]
    }

    fn link(&mut self, operand: u32, position: u32, link: Link) {
        let links = &mut self.links[operand as usize];
        // A term that is recomputed needs only one link, even if it has the operand twice.
        if !matches!(link, Link::Anew) || links.last().is_none_or(|(last, _)| *last != position) {
            links.push((position, link));
        }
    }

    fn linked(&mut self, term: Int, position: u32) -> u32 {
        let operand = self.int(term);
        self.link(operand, position, Link::Anew);
        operand
    }

    fn condition(&mut self, term: Bool, position: u32) -> TermLiteral {
        let literal = self.literal(term);
        self.link(literal.0, position, Link::Anew);
        literal
    }

    /// Links the terms of a sum for incremental updates; returns the largest coefficient.
    fn add_up(&mut self, terms: &[(i64, Int)], position: u32) -> i64 {
        for (factor, term) in terms {
            let operand = self.int(*term);
            self.link(operand, position, Link::Sum(*factor));
        }
        terms.iter().map(|(factor, _)| factor.saturating_abs()).max().unwrap_or(1)
    }

    fn bool_rule(&mut self, node: &BoolNode, position: u32) -> Rule {
        match node {
            BoolNode::True | BoolNode::Variable => Rule::Free,
            BoolNode::And(parts) => {
                let parts: Box<[TermLiteral]> = parts.iter().map(|part| self.literal(*part)).collect();
                parts.iter().for_each(|part| self.link(part.0, position, Link::Part(part.1)));
                Rule::Conjunction(parts, false)
            }
            BoolNode::Equivalent(left, right) => {
                Rule::Equivalence(self.condition(*left, position), self.condition(*right, position))
            }
            BoolNode::Equals(term, value) => {
                let operand = self.int(*term);
                self.comparisons.entry(operand).or_default().equals.insert(*value, position);
                Rule::Equals(operand, *value)
            }
            BoolNode::AtMost(term, value) => {
                let operand = self.int(*term);
                let at_most = &mut self.comparisons.entry(operand).or_default().at_most;
                // In sorted order, a change finds all bounds between the old and the new value.
                at_most.insert(at_most.partition_point(|(other, _)| other < value), (*value, position));
                Rule::AtMost(operand, *value)
            }
            BoolNode::Same(left, right) => Rule::Same(self.linked(*left, position), self.linked(*right, position)),
            BoolNode::LinearAtMost(terms, bound) => Rule::SumAtMost(*bound, self.add_up(terms, position)),
            BoolNode::LinearEquals(terms, bound) => Rule::SumEquals(*bound, self.add_up(terms, position)),
            BoolNode::Global(Global::AllDifferent(all)) => {
                for term in &all.terms {
                    let operand = self.int(*term);
                    self.link(operand, position, Link::Count);
                }
                Rule::AllDifferent(FxHashMap::default())
            }
            BoolNode::Global(Global::Table(table)) => {
                let terms = table.terms.iter().map(|term| self.linked(*term, position)).collect();
                Rule::Table(terms, table.rows.iter().cloned().collect())
            }
        }
    }

    fn int_rule(&mut self, node: &IntNode, position: u32) -> Rule {
        match node {
            IntNode::Constant(_) | IntNode::Variable => Rule::Free,
            IntNode::FromBool(condition) => Rule::FromBool(self.condition(*condition, position)),
            IntNode::Linear(terms, constant) => {
                self.add_up(terms, position);
                self.sums[position as usize] = i128::from(*constant);
                Rule::Sum
            }
            IntNode::Binary(operation, left, right) => {
                Rule::Binary(*operation, self.linked(*left, position), self.linked(*right, position))
            }
            IntNode::Absolute(term) => Rule::Absolute(self.linked(*term, position)),
            IntNode::Extreme(extreme, terms) => {
                Rule::Extreme(*extreme, terms.iter().map(|term| self.linked(*term, position)).collect())
            }
            IntNode::Choice(alternatives) => {
                let alternative = |(condition, term): &(Bool, Int)| {
                    (self.condition(*condition, position), self.linked(*term, position))
                };
                Rule::Choice(alternatives.iter().map(alternative).collect())
            }
        }
    }

    /// Marks the conjunctions whose distance from false is needed: those that must be false, and the conjuncts of
    /// negated ones, recursively. The distance is a minimum over the conjuncts, which cannot be updated by differences.
    fn note_what_falsity_matters(&mut self) {
        let required = self.constraints.iter().flat_map(|(position, weights)| {
            [false, true]
                .into_iter()
                .filter(|negated| weights[usize::from(*negated)] > 0)
                .map(|negated| TermLiteral(*position, negated))
        });
        let mut open: Vec<TermLiteral> = required.collect();
        let mut seen = FxHashSet::default();
        while let Some(TermLiteral(position, negated)) = open.pop() {
            if !seen.insert((position, negated)) {
                continue;
            }
            if let Rule::Conjunction(parts, falsity) = &mut self.rules[position as usize] {
                *falsity |= negated;
                open.extend(parts.iter().map(|part| TermLiteral(part.0, part.1 != negated)));
            }
        }
    }

    /// Computes the sums in the initial assignment, from the operands up, and the distances of Booleans.
    fn add_up_all(&mut self) {
        let states = std::mem::take(&mut self.states);
        for (operand, links) in self.links.iter().enumerate() {
            for (position, link) in links {
                let sum = &mut self.sums[*position as usize];
                match link {
                    Link::Anew | Link::Part(_) => {}
                    Link::Sum(factor) => *sum += i128::from(*factor) * i128::from(states[operand].first),
                    Link::Count => {
                        if let Rule::AllDifferent(counts) = &mut self.rules[*position as usize] {
                            let count = counts.entry(states[operand].first).or_default();
                            *sum += i128::from(*count > 0);
                            *count += 1;
                        }
                    }
                }
            }
        }
        self.states = states;
        // Conjunctions add up distances, so the distances of their operands are computed first, in the order of the
        // terms.
        for position in 0..self.rules.len() {
            if !matches!(self.rules[position], Rule::Free) && self.is_bool(position) {
                self.states[position] = self.computed(position);
            }
            let state = self.states[position];
            for (above, link) in &self.links[position] {
                if let Link::Part(negated) = link {
                    self.sums[*above as usize] += i128::from(state.cost(*negated));
                }
            }
        }
    }

    fn is_bool(&self, position: usize) -> bool {
        matches!(
            self.rules[position],
            Rule::Conjunction(..)
                | Rule::Equivalence(..)
                | Rule::Equals(..)
                | Rule::AtMost(..)
                | Rule::Same(..)
                | Rule::SumAtMost(..)
                | Rule::SumEquals(..)
                | Rule::AllDifferent(..)
                | Rule::Table(..)
        )
    }

    fn value(&self, position: u32) -> i64 {
        self.states[position as usize].first
    }

    fn is_true(&self, literal: TermLiteral) -> bool {
        self.states[literal.0 as usize].cost(literal.1) == 0
    }

    /// Computes the state of a term from its operands.
    fn computed(&self, position: usize) -> State {
        let sum = self.sums[position];
        // Distances are in units of the largest coefficient, so a violation by one step of the heaviest term costs one
        // unit.
        let away =
            |distance: i128, largest: i64| (clamped(distance).saturating_mul(UNIT) / largest.max(1)).clamp(1, FARTHEST);
        // The distance grows with the amount by which the operands exceed the bound.
        let graded = |by: i128, largest: i64| match by <= 0 {
            true => State { first: 0, second: away(1 - by, largest) },
            false => State { first: away(by, largest), second: 0 },
        };
        match &self.rules[position] {
            Rule::Free => self.states[position],
            Rule::Conjunction(parts, falsity) => match sum {
                0 if *falsity => {
                    let second = parts.iter().map(|part| self.states[part.0 as usize].cost(!part.1)).min();
                    State { first: 0, second: second.unwrap_or(UNIT) }
                }
                0 => State { first: 0, second: UNIT },
                _ => State { first: sum.min(FARTHEST.into()) as i64, second: 0 },
            },
            Rule::Equivalence(left, right) => {
                // These are the distances of the literals to their other values.
                let states = [left, right].map(|literal| self.states[literal.0 as usize]);
                let [least, other] = states.map(|state| state.first + state.second);
                let least = least.min(other);
                match self.is_true(*left) == self.is_true(*right) {
                    true => State { first: 0, second: least },
                    false => State { first: least, second: 0 },
                }
            }
            Rule::Equals(term, value) => State::of_bool(self.value(*term) == *value),
            Rule::AtMost(term, value) => {
                let by = i128::from(self.value(*term)) - i128::from(*value);
                match self.comparisons[term].at_most.len() <= FEW_COMPARISONS {
                    true => graded(by, 1),
                    false => State::of_bool(by <= 0),
                }
            }
            Rule::Same(left, right) => State::of_bool(self.value(*left) == self.value(*right)),
            Rule::SumAtMost(bound, largest) => graded(sum - i128::from(*bound), *largest),
            Rule::SumEquals(bound, largest) => match sum - i128::from(*bound) {
                0 => State::of_bool(true),
                distance => State { first: away(distance.abs(), *largest), second: 0 },
            },
            Rule::AllDifferent(_) => match sum {
                0 => State::of_bool(true),
                repeated => State { first: repeated as i64 * UNIT, second: 0 },
            },
            Rule::Table(terms, rows) => {
                let row: Box<[i64]> = terms.iter().map(|term| self.value(*term)).collect();
                if rows.contains(&row) {
                    return State::of_bool(true);
                }
                let differing = |other: &[i64]| row.iter().zip(other).filter(|(one, other)| one != other).count();
                let nearest = match rows.len() > FEW_ROWS {
                    true => 1,
                    false => rows.iter().map(|other| differing(other)).min().unwrap_or(1),
                };
                State { first: nearest as i64 * UNIT, second: 0 }
            }
            Rule::FromBool(condition) => State::of_int(self.is_true(*condition).into()),
            Rule::Sum => State::of_int(clamped(sum)),
            Rule::Binary(operation, left, right) => {
                let value = operation.apply(self.value(*left).into(), self.value(*right).into());
                State::of_int(clamped(value.unwrap_or(i128::MAX)))
            }
            Rule::Absolute(term) => State::of_int(self.value(*term).saturating_abs()),
            Rule::Extreme(extreme, terms) => {
                let values = terms.iter().map(|term| i128::from(self.value(*term)));
                State::of_int(clamped(extreme.of(values).unwrap_or(0)))
            }
            Rule::Choice(alternatives) => {
                let chosen = alternatives.iter().find(|(condition, _)| self.is_true(*condition));
                State::of_int(chosen.map_or(0, |(_, term)| self.value(*term)))
            }
            Rule::Entry(entries, indices) => State::of_int(entries.number(indices.map(|index| self.value(index)))),
        }
    }

    /// Gives constraints new weights by their violation.
    pub(super) fn weigh(&mut self, weight: impl Fn((i64, i64)) -> i64) {
        let states = &self.states;
        let mut penalty = 0;
        for (position, weights) in &mut self.constraints {
            let State { first, second } = states[*position as usize];
            for (old, violation) in weights.iter_mut().zip([first, second]).filter(|(old, _)| **old > 0) {
                *old = weight((*old, violation));
                penalty += i128::from(*old) * i128::from(violation);
            }
        }
        self.penalty = penalty;
    }

    /// Changes decision variables and updates all terms that depend on them.
    pub(super) fn change(&mut self, values: &[(Variable, i64)]) {
        self.trail.clear();
        for (variable, value) in values {
            // Simplification may have removed the decision.
            let Some(place) = self.places.get(&variable.positive()).copied() else { continue };
            let state = match variable {
                Variable::Bool(term) => State::of_bool((*value == 1) != term.node().1),
                Variable::Int(_) => State::of_int(*value),
            };
            self.put(place, state);
        }
        // Operands have smaller positions than terms, so taking the smallest position first computes each term at most
        // once.
        while let Some(Reverse(place)) = self.open.pop() {
            self.is_open[place as usize] = false;
            let state = self.computed(place as usize);
            self.put(place, state);
        }
    }

    fn put(&mut self, position: u32, state: State) {
        let old = self.states[position as usize];
        // If the state is unchanged, propagation ends here.
        if old != state {
            self.trail.push((position, old));
            self.notify(position, old, state, true);
        }
    }

    /// Undoes the last change.
    pub(super) fn undo(&mut self) {
        while let Some((place, old)) = self.trail.pop() {
            self.notify(place, self.states[place as usize], old, false);
        }
    }

    /// Stores a state and updates the sums and counts of the terms above; `opens` schedules them to be recomputed.
    fn notify(&mut self, position: u32, old: State, new: State, opens: bool) {
        self.states[position as usize] = new;
        // For most terms, the flag avoids a look-up in the hash map.
        if self.is_constraint[position as usize]
            && let Some([as_true, as_false]) = self.constraints.get(&position)
        {
            let change = |weight: i64, new: i64, old: i64| i128::from(weight) * i128::from(new - old);
            self.penalty += change(*as_true, new.first, old.first) + change(*as_false, new.second, old.second);
        }
        let TermNetwork { links, sums, rules, open, is_open, comparisons, .. } = self;
        let mut reach = |above: u32| {
            if opens && !std::mem::replace(&mut is_open[above as usize], true) {
                open.push(Reverse(above));
            }
        };
        for (above, link) in &links[position as usize] {
            let sum = &mut sums[*above as usize];
            match link {
                Link::Anew => {}
                Link::Sum(factor) => *sum += i128::from(*factor) * (i128::from(new.first) - i128::from(old.first)),
                Link::Part(negated) => *sum += i128::from(new.cost(*negated) - old.cost(*negated)),
                Link::Count => {
                    if let Rule::AllDifferent(counts) = &mut rules[*above as usize] {
                        if let Some(count) = counts.get_mut(&old.first) {
                            *count -= 1;
                            *sum -= i128::from(*count > 0);
                        }
                        let count = counts.entry(new.first).or_default();
                        *sum += i128::from(*count > 0);
                        *count += 1;
                    }
                }
            }
            reach(*above);
        }
        if opens && let Some(Comparisons { equals, at_most }) = comparisons.get(&position) {
            // Only the comparisons with the old and the new value can change.
            [old.first, new.first].iter().filter_map(|value| equals.get(value)).for_each(|above| reach(*above));
            if at_most.len() <= FEW_COMPARISONS {
                at_most.iter().for_each(|(_, above)| reach(*above));
            } else {
                let (low, high) = (old.first.min(new.first), old.first.max(new.first));
                // Only comparisons with a bound between the old and the new value can change.
                let between = at_most.partition_point(|(value, _)| *value < low)..;
                at_most[between].iter().take_while(|(value, _)| *value < high).for_each(|(_, above)| reach(*above));
            }
        }
    }

    /// The sum of the weighted violations; 0 if all constraints hold.
    pub(super) fn penalty(&self) -> i128 {
        self.penalty
    }

    /// The values of the terms of the objective.
    pub(super) fn objective(&self) -> impl Iterator<Item = i64> + '_ {
        self.objective.iter().map(|place| self.value(*place))
    }
}

fn clamped(value: i128) -> i64 {
    value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        IntSet,
        problem::{Builder, Role},
        solver::test_problems::{Random, random_problem, random_tour},
    };

    /// The values after changes agree with evaluation, and changes can be undone.
    #[test]
    fn changes_reach_all_terms() {
        for seed in 1..400 {
            let (problem, variables) = if seed % 4 == 0 { random_tour(seed) } else { random_problem(seed) };
            let mut random = Random(seed);
            let mut any = |variable: &Variable| match variable {
                Variable::Bool(_) => random.between(0, 1),
                Variable::Int(term) => {
                    let values: Vec<i64> = problem.values(*term).iter().collect();
                    values[random.between(0, values.len() as i64 - 1) as usize]
                }
            };
            let mut assignment = Assignment::default();
            let mut set = |assignment: &mut Assignment, variable: &Variable| {
                let value = any(variable);
                assignment.set(*variable, value);
                (*variable, value)
            };
            variables.iter().for_each(|variable| {
                set(&mut assignment, variable);
            });
            let mut network = TermNetwork::new(&problem, &assignment).expect("a small problem");
            for step in 0..20 {
                let before = (network.states.clone(), network.sums.clone(), network.penalty);
                let mut next = assignment.clone();
                let changes: Vec<(Variable, i64)> =
                    variables.iter().skip(step % 3).step_by(2).map(|variable| set(&mut next, variable)).collect();
                network.change(&changes);
                agrees(&network, &problem, &next);
                if step % 2 == 0 {
                    network.undo();
                    assert_eq!(before, (network.states.clone(), network.sums.clone(), network.penalty));
                } else {
                    assignment = next;
                }
            }
        }
    }

    /// Distances add up without overflow even for the largest numbers.
    #[test]
    fn large_numbers_are_far_away() {
        let mut problem = Builder::new();
        let large = (1 << 62) - 1;
        let terms: Vec<Int> =
            (0..6).map(|_| problem.new_int(IntSet::from_values([-large, 0, large]), Role::Decision)).collect();
        for pair in terms.windows(2) {
            let small = problem.at_most(pair[0], pair[1]);
            let equal = problem.equals_constant(pair[1], 0);
            let either = problem.or([small, equal]);
            problem.require(either);
        }
        let least = problem.at_most_constant(terms[0], -large);
        let most = problem.at_most_constant(terms[5], 0);
        let both = problem.and([least, most]);
        problem.require(both);
        let problem = problem.finish().expect("differences fit");
        let assigned = |code: usize| {
            let value = |position: u32| [-large, 0, large][code / 3usize.pow(position) % 3];
            terms
                .iter()
                .zip(0..)
                .map(move |(term, position)| (Variable::Int(*term), value(position)))
                .collect::<Vec<_>>()
        };
        let mut assignment = Assignment::default();
        assigned(0).iter().for_each(|(term, value)| assignment.set(*term, *value));
        let mut network = TermNetwork::new(&problem, &assignment).expect("a small problem");
        for code in (0..3usize.pow(6)).rev() {
            network.change(&assigned(code));
            assigned(code).iter().for_each(|(term, value)| assignment.set(*term, *value));
            agrees(&network, &problem, &assignment);
        }
    }

    fn agrees(network: &TermNetwork, problem: &Problem, assignment: &Assignment) {
        for (term, place) in &network.places {
            let State { first, second } = network.states[*place as usize];
            let value = problem.value(*term, assignment);
            match term {
                Variable::Int(_) => assert_eq!(first, value, "{problem}"),
                Variable::Bool(_) => {
                    assert!(first.min(second) == 0 && first.max(second) > 0);
                    assert_eq!(first == 0, value == 1, "{problem}");
                }
            }
        }
        assert_eq!(network.penalty() == 0, problem.is_satisfied_by(assignment));
        let objective = problem.objective().map_or(&[][..], |objective| &objective.terms);
        let values: Vec<i64> = objective.iter().map(|term| problem.int_value(*term, assignment)).collect();
        assert_eq!(network.objective().collect::<Vec<_>>(), values);
    }
}
