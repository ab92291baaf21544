//! Root propagation: the values that integers can still take, and the conditions that hold or do not, from the
//! constraints by propagation to the fixed point.
//!
//! Every node is a propagator between itself and its operands, as in a constraint solver (Schulte and Stuckey,
//! "Efficient constraint propagation engines", 2008): it runs when one of them has changed. The work is bounded by a
//! multiple of the problem's size; everything found by then is valid.

use super::*;
use crate::problem::tuning::simplify::{ALLOWANCE, VISITS};
use std::collections::VecDeque;

/// The values and truth values of a problem's terms that root propagation has found.
pub struct RootPropagation<'p> {
    pub(super) problem: &'p Problem,
    bools: Vec<Option<bool>>,
    /// The remaining values; `None` if no value was removed.
    ints: Vec<Option<IntSet>>,
    pub(in crate::problem) failed: bool,
    parents: Parents,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
}

/// The nodes of which each term is an operand. Boolean nodes are numbered first, then integer nodes.
struct Parents {
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl<'p> RootPropagation<'p> {
    /// Propagates the constraints; `None` if they contradict each other.
    pub fn of(problem: &'p Problem) -> Option<Self> {
        let (bools, ints) = problem.needed();
        let (parents, size) = parents(problem, &bools, &ints);
        let mut root = RootPropagation {
            problem,
            bools: vec![None; problem.bool_count()],
            ints: vec![None; problem.int_count()],
            failed: false,
            parents,
            queue: VecDeque::new(),
            queued: vec![false; problem.bool_count() + problem.int_count()],
        };
        // At first, only constraints are known, so only their nodes notify others.
        for constraint in problem.constraints() {
            root.set(*constraint);
        }
        // The constant allowance lets small problems reach the fixed point.
        let mut work = (size + ALLOWANCE) * VISITS;
        while let Some(node) = root.queue.pop_front() {
            root.queued[node as usize] = false;
            let cost = root.run(node);
            if root.failed {
                return None;
            }
            match work.checked_sub(cost) {
                Some(left) => work = left,
                None => break,
            }
        }
        if root.failed { None } else { Some(root) }
    }

    /// Returns the truth value of the term, if it is known.
    pub fn bool(&self, term: Bool) -> Option<bool> {
        let (id, negated) = term.node();
        match self.problem.bool_node(id) {
            BoolNode::True => Some(!negated),
            _ => self.bools[id.0 as usize].map(|value| value != negated),
        }
    }

    /// Returns the remaining values of the term.
    pub fn values(&self, term: Int) -> &IntSet {
        self.ints[term.index()].as_ref().unwrap_or_else(|| self.problem.values(term))
    }

    /// Returns the only remaining value of the term.
    pub fn single(&self, term: Int) -> Option<i64> {
        let values = self.values(term);
        values.min().filter(|min| values.max() == Some(*min))
    }

    pub(super) fn bounds(&self, term: Int) -> (i64, i64) {
        let values = self.values(term);
        (values.min().unwrap_or(0), values.max().unwrap_or(0))
    }

    /// The Boolean nodes with known values, in ascending order.
    pub(super) fn known_bools(&self) -> impl Iterator<Item = BoolId> {
        (0..).zip(&self.bools).filter(|(_, value)| value.is_some()).map(|(id, _)| BoolId(id))
    }

    /// The integer terms of which propagation has left a single value, in ascending order.
    pub(super) fn known_ints(&self) -> impl Iterator<Item = (Int, i64)> {
        self.narrowed().filter_map(|(term, _)| Some((term, self.single(term)?)))
    }

    /// The integer terms with removed values and their remaining values, in ascending order.
    pub fn narrowed(&self) -> impl Iterator<Item = (Int, &IntSet)> {
        self.ints.iter().enumerate().filter_map(|(index, values)| Some((self.problem.int(index), values.as_ref()?)))
    }

    /// Makes the term true.
    pub(super) fn set(&mut self, term: Bool) {
        match self.bool(term) {
            Some(true) => {}
            Some(false) => self.failed = true,
            None => {
                let (id, negated) = term.node();
                self.bools[id.0 as usize] = Some(!negated);
                self.wake(id.0);
            }
        }
    }

    /// Restricts the term to these values.
    pub(in crate::problem) fn narrow(&mut self, term: Int, allowed: &IntSet) {
        let values = self.values(term);
        let left = values.intersect(allowed);
        if left != *values {
            // An empty set has no bounds, so the old values stay.
            self.failed |= left.is_empty();
            if left.is_empty() {
                return;
            }
            self.ints[term.index()] = Some(left);
            self.wake((self.problem.bool_count() + term.index()) as u32);
        }
    }

    pub(super) fn at_least(&mut self, term: Int, bound: i128) {
        if bound > i128::from(self.bounds(term).0) {
            let bound = i64::try_from(bound).unwrap_or(IntSet::INFINITY);
            self.narrow(term, &IntSet::range(bound, IntSet::INFINITY));
        }
    }

    pub(super) fn at_most(&mut self, term: Int, bound: i128) {
        if bound < i128::from(self.bounds(term).1) {
            let bound = i64::try_from(bound).unwrap_or(IntSet::MINUS_INFINITY);
            self.narrow(term, &IntSet::range(IntSet::MINUS_INFINITY, bound));
        }
    }

    pub(super) fn remove(&mut self, term: Int, value: i64) {
        if self.values(term).contains(value) {
            self.narrow(
                term,
                &IntSet::from_ranges([(IntSet::MINUS_INFINITY, value - 1), (value + 1, IntSet::INFINITY)]),
            );
        }
    }

    /// Enqueues the node and those that have it as an operand.
    fn wake(&mut self, node: u32) {
        let [start, end] = [0, 1].map(|next| self.parents.starts[node as usize + next] as usize);
        for node in std::iter::once(node).chain(self.parents.nodes[start..end].iter().copied()) {
            if !std::mem::replace(&mut self.queued[node as usize], true) {
                self.queue.push_back(node);
            }
        }
    }

    /// Runs the propagator of a node; returns the amount of work.
    fn run(&mut self, node: u32) -> usize {
        let problem = self.problem;
        match (node as usize).checked_sub(problem.bool_count()) {
            None => self.run_bool(BoolId(node), problem.bool_node(BoolId(node))),
            Some(index) => self.run_int(problem.int(index), problem.int_node(problem.int(index))),
        }
    }

    fn run_bool(&mut self, id: BoolId, node: &BoolNode) -> usize {
        let term = id.positive();
        let known = self.bool(term);
        match node {
            BoolNode::True | BoolNode::Variable => 1,
            BoolNode::And(parts) => {
                self.conjunction(term, known, parts);
                parts.len()
            }
            BoolNode::Equivalent(left, right) => {
                match (known, self.bool(*left), self.bool(*right)) {
                    (_, Some(left), Some(right)) => self.set(if left == right { term } else { !term }),
                    (Some(value), Some(left), _) => self.set(if left == value { *right } else { !*right }),
                    (Some(value), _, Some(right)) => self.set(if right == value { *left } else { !*left }),
                    _ => {}
                }
                2
            }
            BoolNode::Equals(inner, value) => {
                match known {
                    Some(true) => self.narrow(*inner, &IntSet::single(*value)),
                    Some(false) => self.remove(*inner, *value),
                    None if !self.values(*inner).contains(*value) => self.set(!term),
                    None if self.single(*inner).is_some() => self.set(term),
                    None => {}
                }
                1
            }
            BoolNode::AtMost(inner, value) => {
                let (low, high) = self.bounds(*inner);
                match known {
                    Some(true) => self.at_most(*inner, (*value).into()),
                    Some(false) => self.at_least(*inner, i128::from(*value) + 1),
                    None if high <= *value => self.set(term),
                    None if low > *value => self.set(!term),
                    None => {}
                }
                1
            }
            BoolNode::Same(left, right) => {
                self.same(term, known, *left, *right);
                2
            }
            BoolNode::LinearAtMost(terms, bound) => {
                self.linear_at_most(term, known, terms, (*bound).into());
                terms.len()
            }
            BoolNode::LinearEquals(terms, bound) => {
                self.linear_equals(term, known, terms, (*bound).into());
                terms.len()
            }
            BoolNode::Global(global) if known == Some(true) => global.propagate(self),
            BoolNode::Global(_) => 1,
        }
    }

    fn conjunction(&mut self, term: Bool, known: Option<bool>, parts: &[Bool]) {
        if known == Some(true) {
            return parts.iter().for_each(|part| self.set(*part));
        }
        let mut open = None;
        for part in parts {
            match (self.bool(*part), open) {
                (Some(true), _) => {}
                (Some(false), _) => return self.set(!term),
                // If two parts are open, nothing follows, unless another part is false.
                (None, Some(_)) if known == Some(false) => return,
                (None, _) => open = Some(*part),
            }
        }
        match open {
            None => self.set(term),
            Some(part) if known == Some(false) => self.set(!part),
            Some(_) => {}
        }
    }

    fn same(&mut self, term: Bool, known: Option<bool>, left: Int, right: Int) {
        match known {
            Some(true) => {
                let common = self.values(left).intersect(self.values(right));
                self.failed |= common.is_empty();
                self.narrow(left, &common);
                self.narrow(right, &common);
            }
            Some(false) => {
                for (one, other) in [(left, right), (right, left)] {
                    if let Some(value) = self.single(one) {
                        self.remove(other, value);
                    }
                }
            }
            None => match (self.single(left), self.single(right)) {
                (Some(left), Some(right)) => self.set(if left == right { term } else { !term }),
                _ if self.values(left).intersect(self.values(right)).is_empty() => self.set(!term),
                _ => {}
            },
        }
    }
}

/// Returns the parents of all needed terms, and the total number of operands.
fn parents(problem: &Problem, bools: &[bool], ints: &[bool]) -> (Parents, usize) {
    let nodes = problem.bool_count() + problem.int_count();
    let position = |term: Variable| match term {
        Variable::Bool(term) => term.node().0.0 as usize,
        Variable::Int(term) => problem.bool_count() + term.index(),
    };
    let bools = bools.iter().enumerate().map(|(id, needed)| (Variable::Bool(BoolId(id as u32).positive()), *needed));
    let ints = ints.iter().zip(problem.ints()).map(|(needed, term)| (Variable::Int(term), *needed));
    let needed: Vec<Variable> = bools.chain(ints).filter(|(_, needed)| *needed).map(|(term, _)| term).collect();
    let each = |visit: &mut dyn FnMut(usize, usize)| {
        for term in &needed {
            problem.operands(*term, &mut |operand| visit(position(*term), position(operand)));
        }
    };
    // A counting sort: first the sizes of all lists, then their starts, then their contents.
    let mut starts = vec![0u32; nodes + 1];
    each(&mut |_, operand| starts[operand + 1] += 1);
    for node in 0..nodes {
        starts[node + 1] += starts[node];
    }
    let mut next = starts.clone();
    let mut list = vec![0u32; starts[nodes] as usize];
    each(&mut |node, operand| {
        list[next[operand] as usize] = node as u32;
        next[operand] += 1;
    });
    let size = list.len();
    (Parents { starts, nodes: list }, size)
}
