//! `Σ terms <= bound` as a decision diagram: before each term, a node for each remainder of the bound, and nodes with
//! the same meaning are shared (Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell, "A new look at BDDs for
//! pseudo-Boolean constraints", 2012; terms of more than two values: Abío and Stuckey, "Encoding linear constraints
//! into SAT", 2014). Unit propagation on the diagram achieves domain consistency.
//!
//! Only the implications from a node to its meaning are written, because the constraint is half-reified.

use super::*;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq)]
enum DiagramNode {
    /// Any remaining values satisfy the constraint.
    True,
    False,
    Inner(usize),
}

/// A term, and its children by the excess of its value over its minimum: each child applies to its excess and larger
/// ones.
struct Inner {
    layer: usize,
    children: Vec<(i64, DiagramNode)>,
}

/// A node and the interval of remainders for which it has this meaning.
type NodeInterval = (i64, i64, DiagramNode);

struct Diagram {
    /// The excesses of each term's values over its minimum.
    excesses: Vec<Vec<i64>>,
    /// The greatest sum of the excesses of each term and the terms after it.
    rest: Vec<i64>,
    nodes: Vec<Inner>,
    /// The nodes of each term by the lower end of their intervals.
    known: Vec<BTreeMap<i64, NodeInterval>>,
    /// The number of children that may still be made.
    room: usize,
}

/// A node under construction: it has the children of the excesses before `position`.
struct UnfinishedNode {
    layer: usize,
    left: i64,
    position: usize,
    low: i64,
    high: i64,
    children: Vec<(i64, DiagramNode)>,
}

impl Diagram {
    /// Returns the node before the first term for this remainder of the bound; `None` if there is no room for it. Open
    /// nodes are kept in a list, because a diagram is as deep as a sum has terms, too deep for the stack of a browser.
    fn root(&mut self, left: i64) -> Option<NodeInterval> {
        let mut open: Vec<UnfinishedNode> = Vec::new();
        let (mut layer, mut left) = (0, left);
        loop {
            let Some(mut made) = self.known(layer, left) else {
                // Half of the range leaves room to add an excess without overflow.
                let (low, high) = (i64::MIN / 2, i64::MAX / 2);
                open.push(UnfinishedNode { layer, left, position: 0, low, high, children: Vec::new() });
                (layer, left) = (layer + 1, left - self.excesses[layer][0]);
                continue;
            };
            loop {
                let Some(node) = open.last_mut() else { return Some(made) };
                let excesses = &self.excesses[node.layer];
                node.take(excesses[node.position], made);
                // A larger excess leaves a smaller bound, so after a false child, all further children are false.
                if let (Some(next), false) = (excesses.get(node.position), made.2 == DiagramNode::False) {
                    (layer, left) = (node.layer + 1, node.left - next);
                    break;
                }
                made = self.closed(open.pop()?)?;
            }
        }
    }

    /// Returns the known node before a term for this remainder of the bound.
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

    /// Completes a node; `None` if there is no room for it.
    fn closed(&mut self, UnfinishedNode { layer, low, high, children, .. }: UnfinishedNode) -> Option<NodeInterval> {
        self.room = self.room.checked_sub(children.len())?;
        let node = match children.as_slice() {
            // If there is only one child, the node does not depend on its term.
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
    /// Adds the child of the next excess.
    fn take(&mut self, excess: i64, (low, high, node): NodeInterval) {
        // The node can be reused only for remainders that do not change any of its children.
        self.low = self.low.max(low + excess);
        self.high = self.high.min(high + excess);
        if self.children.last().is_none_or(|last| last.1 != node) {
            self.children.push((excess, node));
        }
        self.position += 1;
    }
}

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    /// Adds a decision diagram for "the sum of the terms' excesses over their minima is at most `slack`". Returns false
    /// and adds nothing if that takes more than `most` clauses.
    pub(super) fn diagram(&mut self, terms: &[EncodedTerm], slack: i128, most: u64) -> Result<bool> {
        let Ok(slack) = i64::try_from(slack) else { return Ok(false) };
        let mut spans: Vec<(i128, EncodedTerm)> = Vec::with_capacity(terms.len());
        let mut sum = 0i128;
        for term in terms {
            let domain = self.literals.terms.domain(*term);
            let span = i128::from(domain.max()) - i128::from(domain.min());
            sum += span;
            // Intervals reach half of the range, so sums may use a quarter of it.
            if sum > i128::from(i64::MAX / 4) || domain.size() > u128::from(most) {
                return Ok(false);
            }
            spans.push((span, *term));
        }
        // Terms with large spans come first, because they leave only a few remainders.
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
            // The literal of the root is the condition itself.
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
                // From this excess on, the child applies unless the term is smaller.
                if *child != DiagramNode::True {
                    let below = self.literals.at_most(term, min + excess - 1)?;
                    self.literals.out.clause([!literals[index], below, literal(*child)]);
                }
            }
        }
        Ok(true)
    }
}
