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

impl Diagram {
    /// The node before this term if this much of the bound is left; `None` if there is no room for it.
    fn node(&mut self, layer: usize, left: i64) -> Option<NodeInterval> {
        if left < 0 {
            return Some((i64::MIN / 2, -1, DiagramNode::False));
        }
        if left >= self.rest[layer] {
            return Some((self.rest[layer], i64::MAX / 2, DiagramNode::True));
        }
        if let Some((_, shared)) = self.known[layer].range(..=left).next_back()
            && left <= shared.1
        {
            return Some(*shared);
        }
        let (mut low, mut high) = (i64::MIN / 2, i64::MAX / 2);
        let mut children: Vec<(i64, DiagramNode)> = Vec::new();
        for position in 0..self.excesses[layer].len() {
            let excess = self.excesses[layer][position];
            let child = memory::with_stack(64 * 1024, 1024 * 1024, || self.node(layer + 1, left - excess))?;
            low = low.max(child.0 + excess);
            high = high.min(child.1 + excess);
            if children.last().is_none_or(|last| last.1 != child.2) {
                children.push((excess, child.2));
            }
            if child.2 == DiagramNode::False {
                break;
            }
        }
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
        let Some((_, _, root)) = diagram.node(0, slack) else { return Ok(false) };
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
