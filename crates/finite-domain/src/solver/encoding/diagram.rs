//! `Σ terms <= bound` as a decision diagram: a node for what is left of the bound before each term, nodes with
//! the same meaning shared (Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell, "A new look at BDDs for
//! pseudo-Boolean constraints", 2012; terms of more than two values: Abío and Stuckey, "Encoding linear
//! constraints into SAT", 2014). Unit propagation on it finds all that follows from the constraint alone.
//!
//! Only "the node implies what is left is enough" is written, since the constraint stands under a condition.

use super::*;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq)]
enum DiagramNode {
    /// Nothing is left to be checked.
    True,
    False,
    Inner(usize),
}

/// A term, and the node after it by its excess over its minimum: what begins at each of these excesses.
struct Inner {
    layer: usize,
    children: Vec<(i64, DiagramNode)>,
}

/// The node, for every remainder of the bound between these two.
type NodeInterval = (i64, i64, DiagramNode);

struct Diagram {
    /// The excesses of each term's values over its minimum.
    excesses: Vec<Vec<i64>>,
    /// The greatest sum of the excesses from this term on.
    rest: Vec<i64>,
    nodes: Vec<Inner>,
    /// The nodes of each term, by the lower end of their remainders.
    known: Vec<BTreeMap<i64, NodeInterval>>,
    /// The number of branches that may still be made.
    room: usize,
}

/// A node whose branches are being made: the excesses before `position` have theirs.
struct UnfinishedNode {
    layer: usize,
    left: i64,
    position: usize,
    low: i64,
    high: i64,
    children: Vec<(i64, DiagramNode)>,
}

impl Diagram {
    /// The node before the first term if this much of the bound is left; `None` if there is no room for it. A diagram
    /// is as deep as a sum has terms, too many for the stack of a browser: the open nodes stand in a list.
    fn root(&mut self, left: i64) -> Option<NodeInterval> {
        let mut open: Vec<UnfinishedNode> = Vec::new();
        let (mut layer, mut left) = (0, left);
        loop {
            let Some(mut made) = self.known(layer, left) else {
                let (low, high) = (i64::MIN / 2, i64::MAX / 2);
                open.push(UnfinishedNode { layer, left, position: 0, low, high, children: Vec::new() });
                (layer, left) = (layer + 1, left - self.excesses[layer][0]);
                continue;
            };
            loop {
                let Some(node) = open.last_mut() else { return Some(made) };
                let excesses = &self.excesses[node.layer];
                node.take(excesses[node.position], made);
                if let (Some(next), false) = (excesses.get(node.position), made.2 == DiagramNode::False) {
                    (layer, left) = (node.layer + 1, node.left - next);
                    break;
                }
                made = self.closed(open.pop()?)?;
            }
        }
    }

    /// The node before a term if this much of the bound is left, if it is known.
    fn known(&self, layer: usize, left: i64) -> Option<NodeInterval> {
        if left < 0 {
            return Some((i64::MIN / 2, -1, DiagramNode::False));
        }
        if left >= self.rest[layer] {
            return Some((self.rest[layer], i64::MAX / 2, DiagramNode::True));
        }
        let (_, shared) = self.known[layer].range(..=left).next_back()?;
        (left <= shared.1).then_some(*shared)
    }

    /// The node with all its branches; `None` if there is no room for it.
    fn closed(&mut self, UnfinishedNode { layer, low, high, children, .. }: UnfinishedNode) -> Option<NodeInterval> {
        self.room = self.room.checked_sub(children.len())?;
        let node = match children.as_slice() {
            [(_, only)] => *only,
            _ => {
                self.nodes.push(Inner { layer, children });
                DiagramNode::Inner(self.nodes.len() - 1)
            }
        };
        self.known[layer].insert(low, (low, high, node));
        Some((low, high, node))
    }
}

impl UnfinishedNode {
    /// Takes the node behind the next excess.
    fn take(&mut self, excess: i64, (low, high, node): NodeInterval) {
        self.low = self.low.max(low + excess);
        self.high = self.high.min(high + excess);
        if self.children.last().is_none_or(|last| last.1 != node) {
            self.children.push((excess, node));
        }
        self.position += 1;
    }
}

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    /// Adds a decision diagram for: the sum of the terms' excesses over their minima is at most
    /// `slack`. Does nothing and returns false if that takes more than `most` clauses.
    pub(super) fn diagram(&mut self, terms: &[EncodedTerm], slack: i128, most: u64) -> Result<bool> {
        let Ok(slack) = i64::try_from(slack) else { return Ok(false) };
        let mut spans: Vec<(i128, EncodedTerm)> = Vec::with_capacity(terms.len());
        let mut sum = 0i128;
        for term in terms {
            let domain = self.literals.terms.domain(*term);
            let span = i128::from(domain.max()) - i128::from(domain.min());
            sum += span;
            if sum > i128::from(i64::MAX / 4) || domain.size() > u128::from(most) {
                return Ok(false);
            }
            spans.push((span, *term));
        }
        // Heavy terms first: little is left to be told apart after them.
        spans.sort_by_key(|&(span, term)| (std::cmp::Reverse(span), term));
        let mut diagram = Diagram {
            excesses: Vec::with_capacity(spans.len()),
            rest: vec![0; spans.len() + 1],
            nodes: Vec::new(),
            known: vec![BTreeMap::new(); spans.len()],
            room: most as usize,
        };
        for (_, term) in &spans {
            let domain = self.literals.terms.domain(*term);
            diagram.excesses.push(domain.values().map(|value| value - domain.min()).collect());
        }
        for layer in (0..spans.len()).rev() {
            diagram.rest[layer] = diagram.rest[layer + 1] + spans[layer].0 as i64;
        }
        let Some((_, _, root)) = diagram.root(slack) else { return Ok(false) };
        self.literals.out.afford((most as usize - diagram.room) as u128)?;
        let literals: Vec<Literal> = diagram
            .nodes
            .iter()
            .enumerate()
            // The root is the condition.
            .map(
                |(index, _)| {
                    if root == DiagramNode::Inner(index) { self.condition } else { self.literals.out.new_variable() }
                },
            )
            .collect();
        let literal = |node: DiagramNode| match node {
            DiagramNode::True => Literal::TRUE,
            DiagramNode::False => Literal::FALSE,
            DiagramNode::Inner(index) => literals[index],
        };
        if root == DiagramNode::False {
            self.clause([]);
        }
        for (index, node) in diagram.nodes.iter().enumerate() {
            let term = spans[node.layer].1;
            let min = self.literals.terms.domain(term).min();
            for (excess, child) in &node.children {
                if *child != DiagramNode::True {
                    let below = self.literals.at_most(term, min + excess - 1)?;
                    self.literals.out.clause([!literals[index], below, literal(*child)]);
                }
            }
        }
        Ok(true)
    }
}
