//! Makes cubes by look-ahead.
//!
//! At each node, unit propagation tries the options of several cells. Kullmann's τ function ("Fundaments of branching
//! heuristics", Handbook of Satisfiability, 2009) measures a cell: τ is the number for which the sum of `τ^-gain` over
//! the branches is 1, and the cell with the smallest τ is best. These summands are also the shares of the branches in
//! the work below the node.
//!
//! The shares alone would leave most of the work in a few leaves. So random dives estimate the work of each leaf
//! (Knuth, "Estimating the efficiency of backtrack programs", 1975): a dive takes a random branch at each node, until a
//! brief search refutes it. The leaf with the most work is split next. A leaf that a brief search refutes does not
//! become a cube.
//!
//! You may change the estimates: they only decide where to split, and the order and shares of the cubes. A branch may
//! be left out only if it is refuted; otherwise solutions are lost. The random numbers have a fixed seed, and dives are
//! limited by conflicts and not by time, so that equal inputs give equal cubes.

use super::{CellProblem, Split};
use crate::{
    explain::{Cell, CellOption},
    halt::{Halt, StopReason},
    instance::GroundInstance,
    lowering::{self, Lowered},
    pipeline::{Cube, CubeStep},
    problem::{Bool, Builder, Role, Variable},
    solver::{EngineOptions, ImpliedLiterals, LookAhead},
    source::Sources,
    symbolic::LoweringRefusal,
};
use std::{cmp::Ordering, collections::BinaryHeap, ops::Range, sync::Arc};

/// A cell with more options is split into two halves and not into single options. Chosen.
const MOST_BRANCHES: usize = 8;
/// The number of cells that are tried at a node, the ones that were best at other nodes. Chosen.
const TRIED: usize = 16;
/// The number of cells that are tried at the root. Chosen.
const TRIED_AT_ROOT: usize = 2000;
/// The limit on the conflicts of a brief search. Chosen.
const BRIEF: u64 = 100;
/// The number of dives for a leaf. Chosen.
const DIVES: usize = 2;
/// The limit on the conflicts of all dives. Afterwards, the shares alone are the estimate. Chosen.
const MOST_CONFLICTS: u64 = 300_000;
/// The number of brief searches with a solution after which there are no more dives. Chosen.
const MOST_SATISFIED: usize = 20;
/// The weight of the latest trial in the running mean of a cell's measure. Chosen.
const LEARNING: f64 = 0.5;

/// Splits the space of solutions into about `count` cubes. Set `up_to_symmetry` if one solution of each class is
/// enough.
pub(crate) fn split(
    instance: &GroundInstance,
    sources: &Sources,
    lowered: &Lowered,
    up_to_symmetry: bool,
    count: usize,
    options: &EngineOptions,
) -> Result<Split, Halt> {
    let mut board = CellProblem::new(instance, sources, lowered);
    let problem = &mut board.symbolic.problem;
    // Simplification reports only the images of decisions, so each option is made a decision.
    let mut requirements = Vec::new();
    let mut named = |option: &CellOption| {
        let variable = problem.new_bool(Role::Decision);
        requirements.push(problem.equivalent(variable, option.term));
        variable
    };
    let terms: Vec<Vec<Bool>> = board.cells.iter().map(|cell| cell.options.iter().map(&mut named).collect()).collect();
    let CellProblem { symbolic, cells } = board;
    let mut problem = symbolic.finish()?;
    requirements.into_iter().for_each(|requirement| problem.require(requirement));
    let simplified = problem.simplify();
    if simplified.is_refuted() {
        return Ok(Split { cubes: vec![whole_space(up_to_symmetry)], refuted: 1 });
    }
    let images = simplified.images();
    let mut problem = Builder::from(match up_to_symmetry {
        true => lowering::break_interchangeable(&instance.model, lowered, &simplified),
        false => Arc::unwrap_or_clone(simplified.problem),
    });
    let image = |variable: Bool| match images.get(&Variable::Bool(variable)) {
        Some(Variable::Bool(image)) => Ok(*image),
        _ => Err(StopReason::Unknown("simplification has lost a part of the instance".into())),
    };
    let mut choices = Vec::with_capacity(terms.len());
    for terms in terms {
        let options = terms.into_iter().map(image).collect::<Result<Vec<Bool>, StopReason>>()?;
        choices.push(Choice::new(options, &mut problem));
    }
    let problem = problem.finish().map_err(LoweringRefusal::Unbuildable)?;
    let watched = choices.iter().flat_map(|choice| &choice.options).copied().collect::<Vec<_>>();
    let ahead = LookAhead::new(&problem, &watched, options)?;
    let measures = vec![0.0; cells.len()];
    let random = fastrand::Rng::with_seed(1);
    Splitter { cells: &cells, choices, ahead, measures, random, refuted: 0, satisfied: 0, up_to_symmetry }
        .run(count, options)
}

/// The whole space as a cube, for a refuted instance: its search refutes the instance again.
fn whole_space(up_to_symmetry: bool) -> Cube {
    Cube { steps: Vec::new(), share: 1.0, up_to_symmetry }
}

/// The conditions of a cell.
struct Choice {
    /// The conditions that the cell has each option.
    options: Vec<Bool>,
    /// For each position, the condition that the cell has an option before it; empty unless there are many options.
    before: Vec<Bool>,
    /// For each position, the condition that the cell has an option at or after it; empty unless there are many
    /// options.
    after: Vec<Bool>,
}

impl Choice {
    fn new(options: Vec<Bool>, problem: &mut Builder) -> Self {
        let (mut before, mut after) = (vec![Bool::FALSE], vec![Bool::FALSE]);
        if options.len() > MOST_BRANCHES {
            // Each prefix or suffix adds one disjunction to the previous one.
            for (first, last) in options.iter().zip(options.iter().rev()) {
                for (any, option) in [(&mut before, first), (&mut after, last)] {
                    let next = problem.or(any.last().into_iter().chain([option]).copied());
                    any.push(next);
                }
            }
            after.reverse();
        }
        Choice { options, before, after }
    }

    /// The conditions that the cell has one of these options.
    fn among(&self, options: &[usize]) -> Vec<Bool> {
        match options {
            [only] => vec![self.options[*only]],
            // All options in the range that are not among these are refuted, so two bounds are enough.
            [first, .., last] => vec![!self.before[*first], !self.after[*last + 1]],
            [] => vec![Bool::FALSE],
        }
    }
}

/// A node of the tree: its assumptions and their consequences.
#[derive(Clone, Debug)]
struct Node {
    /// The conditions of the branches taken, and the literals that propagation has added.
    assumptions: Vec<Bool>,
    implied: ImpliedLiterals,
}

/// A node without branches.
#[derive(Debug)]
struct OpenNode {
    steps: Vec<(usize, Vec<usize>)>,
    node: Node,
    /// The estimated work below the leaf.
    work: f64,
    /// The position of the leaf in the order in which leaves are made.
    number: usize,
}

impl PartialEq for OpenNode {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for OpenNode {}

impl PartialOrd for OpenNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OpenNode {
    /// Leaves with more work are greater.
    fn cmp(&self, other: &Self) -> Ordering {
        self.work.total_cmp(&other.work).then(other.number.cmp(&self.number))
    }
}

/// A branch that propagation does not refute, with the remaining options of a cell.
struct Branch {
    options: Vec<usize>,
    node: Node,
}

/// The result of an attempt to split a node.
enum SplitResult {
    Refuted,
    /// No cell has several options left.
    Settled,
    /// The cell, and its branches with their shares.
    Split(usize, Vec<(Branch, f64)>),
}

/// The result of dives from a node.
enum DiveResult {
    Refuted,
    /// The estimated number of conflicts below the node.
    Work(f64),
    /// No estimate: a dive has found a solution or cannot branch, or the limits of dives are reached.
    Unknown,
}

struct Splitter<'a> {
    cells: &'a [Cell],
    choices: Vec<Choice>,
    ahead: LookAhead<'a>,
    /// The running means of the cells' τ; 0 for a cell that has not been tried.
    measures: Vec<f64>,
    random: fastrand::Rng,
    /// The number of refuted branches.
    refuted: usize,
    /// The number of brief searches that found a solution.
    satisfied: usize,
    up_to_symmetry: bool,
}

impl Splitter<'_> {
    fn run(mut self, count: usize, options: &EngineOptions) -> Result<Split, Halt> {
        let mut open = BinaryHeap::new();
        let mut settled = Vec::new();
        match self.ahead.propagate(&[])? {
            Some(implied) => {
                let node = Node { assumptions: Vec::new(), implied };
                open.push(OpenNode { steps: Vec::new(), node, work: 1.0, number: 0 });
            }
            None => self.refuted += 1,
        }
        let mut number = 0;
        while open.len() + settled.len() < count
            && let Some(mut leaf) = open.pop()
        {
            if let Some(status) = options.reached() {
                return Err(status.into());
            }
            let tried = if leaf.steps.is_empty() { TRIED_AT_ROOT } else { TRIED };
            match self.split(&mut leaf.node, tried)? {
                SplitResult::Refuted => self.refuted += 1,
                SplitResult::Settled => settled.push(leaf),
                SplitResult::Split(cell, branches) => {
                    for (Branch { options, node }, share) in branches {
                        let expected = leaf.work * share;
                        let work = match self.dives(&node)? {
                            DiveResult::Refuted => {
                                self.refuted += 1;
                                continue;
                            }
                            DiveResult::Work(work) => (work + expected) / 2.0,
                            DiveResult::Unknown => expected,
                        };
                        number += 1;
                        let mut steps = leaf.steps.clone();
                        steps.push((cell, options));
                        open.push(OpenNode { steps, node, work, number });
                    }
                }
            }
        }
        let mut leaves: Vec<OpenNode> = open.into_iter().chain(settled).collect();
        if leaves.is_empty() {
            // Every branch has been refuted.
            return Ok(Split { cubes: vec![whole_space(self.up_to_symmetry)], refuted: self.refuted });
        }
        // The cube with the most work comes first, so that no worker starts a long one last.
        leaves.sort_by(|left, right| right.cmp(left));
        let work: f64 = leaves.iter().map(|leaf| leaf.work).sum();
        let cubes = leaves.into_iter().map(|leaf| self.cube(leaf, work)).collect();
        Ok(Split { cubes, refuted: self.refuted })
    }

    /// The mean estimate of some dives from a node.
    fn dives(&mut self, node: &Node) -> Result<DiveResult, Halt> {
        let mut sum = 0.0;
        for _ in 0..DIVES {
            if self.satisfied >= MOST_SATISFIED || self.ahead.conflicts() >= MOST_CONFLICTS {
                return Ok(DiveResult::Unknown);
            }
            match self.dive(node.clone())? {
                DiveResult::Work(work) => sum += work,
                other => return Ok(other),
            }
        }
        Ok(DiveResult::Work(sum / DIVES as f64))
    }

    /// Takes a random branch at each node until a brief search ends. Each branch stands for its whole node.
    fn dive(&mut self, mut node: Node) -> Result<DiveResult, Halt> {
        let mut weight = 1.0;
        loop {
            let before = self.ahead.conflicts();
            match self.ahead.probe(&node.assumptions, BRIEF)? {
                // No branch has been taken, so the refuted node is the start of the dive.
                Some(true) if weight == 1.0 => return Ok(DiveResult::Refuted),
                Some(true) => return Ok(DiveResult::Work(weight * (1 + self.ahead.conflicts() - before) as f64)),
                Some(false) => {
                    self.satisfied += 1;
                    return Ok(DiveResult::Unknown);
                }
                None => {}
            }
            let mut branches = match self.split(&mut node, 1)? {
                // Propagation refutes the node only when a brief search has used up its conflicts.
                SplitResult::Refuted => return Ok(DiveResult::Work(weight * BRIEF as f64)),
                SplitResult::Settled => return Ok(DiveResult::Unknown),
                SplitResult::Split(_, branches) => branches,
            };
            let mut left = self.random.f64();
            let taken = branches.iter().position(|(_, share)| {
                left -= share;
                left < 0.0
            });
            let (branch, share) = branches.swap_remove(taken.unwrap_or(0));
            // A branch taken with probability `share` represents 1 / `share` branches.
            weight /= share;
            node = branch.node;
        }
    }

    /// Splits a node by the best of some cells. If a cell has only one branch left, the node becomes that branch.
    fn split(&mut self, node: &mut Node, tried: usize) -> Result<SplitResult, Halt> {
        let mut options = usize::MAX;
        loop {
            let mut left = self.left(node)?;
            let candidates = self.candidates(&left, tried);
            // Each round must leave fewer options than the previous one.
            let fewer = left.iter().map(Vec::len).sum();
            if candidates.is_empty() || fewer >= options {
                return Ok(SplitResult::Settled);
            }
            options = fewer;
            let mut best: Option<(f64, usize)> = None;
            for cell in candidates {
                if left[cell].len() < 2 {
                    continue;
                }
                let mut branches = self.branches(node, cell, &left[cell])?;
                if branches.len() < 2 {
                    let Some(only) = branches.pop() else { return Ok(SplitResult::Refuted) };
                    *node = only.node;
                    left = self.left(node)?;
                    continue;
                }
                let tau = tau(&gains(node, &branches));
                let measure = &mut self.measures[cell];
                *measure = if *measure == 0.0 { tau } else { *measure * (1.0 - LEARNING) + tau * LEARNING };
                if best.is_none_or(|(least, _)| tau < least) {
                    best = Some((tau, cell));
                }
            }
            // Since the cell was measured, the node may have gained assumptions.
            let Some((_, cell)) = best.filter(|(_, cell)| left[*cell].len() > 1) else { continue };
            let mut branches = self.branches(node, cell, &left[cell])?;
            if branches.len() < 2 {
                let Some(only) = branches.pop() else { return Ok(SplitResult::Refuted) };
                *node = only.node;
                continue;
            }
            let gains = gains(node, &branches);
            let tau = tau(&gains);
            let shares = gains.iter().map(|gain| tau.powf(-gain)).collect::<Vec<_>>();
            return Ok(SplitResult::Split(cell, branches.into_iter().zip(shares).collect()));
        }
    }

    /// The cells with several options to try: those that have not been tried, then those that were best at other nodes.
    fn candidates(&self, left: &[Vec<usize>], tried: usize) -> Vec<usize> {
        let mut candidates: Vec<usize> = (0..left.len()).filter(|cell| left[*cell].len() > 1).collect();
        // Untried cells have the measure 0, so they come first.
        candidates.sort_by(|one, other| {
            let order = self.measures[*one].total_cmp(&self.measures[*other]);
            order.then(left[*one].len().cmp(&left[*other].len()))
        });
        candidates.truncate(tried);
        candidates
    }

    /// The options of each cell that remain at a node.
    fn left(&mut self, node: &Node) -> Result<Vec<Vec<usize>>, Halt> {
        let options = self.choices.iter().flat_map(|choice| &choice.options);
        let terms: Vec<Bool> = options.flat_map(|option| [*option, !*option]).collect();
        let follows = self.ahead.follow(&terms, &node.implied)?;
        let mut follows = follows.chunks(2);
        let mut left = Vec::with_capacity(self.cells.len());
        for cell in self.cells {
            // Each option has two results: it follows, or its negation follows.
            let known: Vec<&[bool]> = follows.by_ref().take(cell.options.len()).collect();
            left.push(match known.iter().position(|known| known[0]) {
                Some(only) => vec![only],
                None => (0..known.len()).filter(|option| !known[*option][1]).collect(),
            });
        }
        Ok(left)
    }

    /// The branches of a cell that propagation does not refute.
    fn branches(&mut self, node: &Node, cell: usize, left: &[usize]) -> Result<Vec<Branch>, Halt> {
        let mut branches = Vec::new();
        for group in option_ranges(left.len()) {
            let group = &left[group];
            let mut assumptions = node.assumptions.clone();
            assumptions.extend(self.choices[cell].among(group));
            if let Some(implied) = self.ahead.propagate(&assumptions)? {
                branches.push(Branch { options: group.to_vec(), node: Node { assumptions, implied } });
            }
        }
        Ok(branches)
    }

    fn cube(&self, leaf: OpenNode, all: f64) -> Cube {
        let steps = leaf.steps.iter().map(|(cell, options)| {
            let cell = &self.cells[*cell];
            let shown = |option: &usize| cell.options[*option].shown.clone();
            let says = match options[..] {
                [only] => cell.options[only].is.clone(),
                _ => format!("{} in {{{}}}", cell.name, options.iter().map(shown).collect::<Vec<_>>().join(", ")),
            };
            CubeStep { cell: cell.name.clone(), options: options.iter().map(shown).collect(), says }
        });
        Cube { steps: steps.collect(), share: leaf.work / all, up_to_symmetry: self.up_to_symmetry }
    }
}

/// The options of each branch of a cell: one each, or a half each.
fn option_ranges(count: usize) -> Vec<Range<usize>> {
    match count > MOST_BRANCHES {
        true => vec![0..count / 2, count / 2..count],
        false => (0..count).map(|option| option..option + 1).collect(),
    }
}

/// The number of literals that each branch implies beyond its node, at least 1.
fn gains(node: &Node, branches: &[Branch]) -> Vec<f64> {
    let gain = |branch: &Branch| branch.node.implied.count().saturating_sub(node.implied.count()).max(1);
    branches.iter().map(|branch| gain(branch) as f64).collect()
}

/// The number above 1 for which the sum of `τ^-gain` is 1; 1 for a single gain. Newton's method finds its logarithm.
fn tau(gains: &[f64]) -> f64 {
    let mean = gains.iter().sum::<f64>() / gains.len() as f64;
    // The start is the solution for equal gains. By convexity, it is not above the root, and Newton's steps increase
    // towards the root.
    let mut logarithm = (gains.len() as f64).ln() / mean;
    for _ in 0..50 {
        let (mut sum, mut slope) = (-1.0, 0.0);
        for gain in gains {
            let summand = (-gain * logarithm).exp();
            sum += summand;
            slope -= gain * summand;
        }
        let step = sum / slope;
        logarithm = (logarithm - step).max(0.0);
        if step.abs() < 1e-12 {
            break;
        }
    }
    logarithm.exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tau_balances_gains() {
        assert!((tau(&[1.0, 1.0]) - 2.0).abs() < 1e-9);
        // The result is the golden ratio.
        assert!((tau(&[1.0, 2.0]) - 1.618_033_988_7).abs() < 1e-9);
        assert!(tau(&[3.0, 3.0]) < tau(&[2.0, 4.0]), "balanced gains are better");
        assert!((tau(&[5.0]) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn many_options_are_halved() {
        assert_eq!(option_ranges(3), [0..1, 1..2, 2..3]);
        assert_eq!(option_ranges(9), [0..4, 4..9]);
    }
}
