//! Pseudo-Boolean constraints as clauses, for solvers that have nothing but clauses.
//!
//! Where it stays small, a decision diagram over the terms: a node for a position and the slack that is left there means
//! "the terms from here on exceed their minima by at most the slack", and one clause for each value of the term
//! leads to the next node. Only the implication from node to meaning is written (Abío, Nieuwenhuis, Oliveras,
//! Rodríguez-Carbonell, Mayer-Eichberger, "A new look at BDDs for pseudo-Boolean constraints", 2012; with a level for
//! each integer, Abío and Stuckey, "Encoding linear constraints into SAT", 2014). Unit propagation then finds all that follows.
//!
//! Where that is too large, the sum in binary by full adders (Eén and Sörensson, "Translating pseudo-Boolean constraints
//! into SAT", 2006), whose size does not depend on the weights, but which propagates less.

use super::*;

/// A diagram may have this many edges.
const EDGES: usize = 200_000;

impl<S: Sink> Encoder<'_, S> {
    /// If the condition holds, the terms exceed their minima by at most the slack in sum. Makes nothing and returns
    /// false if the diagram is too large.
    pub(super) fn decision_diagram(&mut self, condition: Literal, terms: &[Term], slack: i128) -> bool {
        let mut excesses: Vec<(Term, Vec<i64>)> = Vec::with_capacity(terms.len());
        for term in terms {
            let domain = self.domain(*term);
            let span = i128::from(domain.max()) - i128::from(domain.min());
            if domain.len() > EDGES || span > LARGEST_SUM.into() {
                return false;
            }
            excesses.push((*term, domain.values().map(|value| value - domain.min()).collect()));
        }
        let largest = |excesses: &[i64]| excesses.last().copied().unwrap_or(0);
        excesses.sort_by_key(|(_, excesses)| std::cmp::Reverse(largest(excesses)));
        // What the terms from a position on can exceed their minima by.
        let mut rest: Vec<i64> = vec![0];
        for (_, excesses) in excesses.iter().rev() {
            rest.push(rest[rest.len() - 1] + largest(excesses));
        }
        rest.reverse();
        let Some(levels) = slacks(&excesses, &rest, slack as i64) else { return false };
        let edges: usize =
            levels.iter().zip(&excesses).map(|(level, (_, excesses))| level.len() * excesses.len()).sum();
        if !self.afford(edges as u128) {
            return true;
        }
        // From the last level to the first, so that the nodes that edges lead to are there.
        let mut next: Vec<(i64, Literal)> = Vec::new();
        for (position, level) in levels.iter().enumerate().rev() {
            let (term, excesses) = &excesses[position];
            let minimum = self.domain(*term).min();
            let mut nodes: Vec<(i64, Literal)> = Vec::with_capacity(level.len());
            let mut before: Vec<Literal> = Vec::new();
            for slack in level {
                let children: Vec<Literal> =
                    excesses.iter().map(|excess| node(&next, rest[position + 1], slack - excess)).collect();
                // Neighbours that lead to the same nodes are one.
                if before != children {
                    let literal = if position == 0 { condition } else { self.new_variable() };
                    for (place, child) in children.iter().enumerate() {
                        if place == 0 || children[place - 1] != *child {
                            let below = self.at_most(*term, minimum + excesses[place] - 1);
                            self.clause([!literal, below, *child]);
                        }
                    }
                    nodes.push((*slack, literal));
                    before = children;
                } else if let Some(&(_, literal)) = nodes.last() {
                    nodes.push((*slack, literal));
                }
            }
            next = nodes;
        }
        true
    }

    /// If the condition holds, then `Σ weight · literal <= bound`, by adding up in binary.
    pub(super) fn adder(&mut self, condition: Literal, terms: &[(i64, Literal)], bound: i64) {
        let mut columns: Vec<Vec<Literal>> = vec![Vec::new(); 64];
        for (weight, literal) in terms {
            for (bit, column) in columns.iter_mut().enumerate() {
                if weight >> bit & 1 == 1 {
                    column.push(*literal);
                }
            }
        }
        if !self.afford(columns.iter().map(|column| 28 * column.len() as u128).sum()) {
            return;
        }
        let mut digits = Vec::new();
        for bit in 0..columns.len() {
            let mut column = std::mem::take(&mut columns[bit]);
            // First in, first out, so that the network is balanced.
            let mut start = 0;
            while column.len() - start > 1 {
                let third = if column.len() - start > 2 { column[start + 2] } else { Literal::FALSE };
                let (sum, carry) = self.full_adder([column[start], column[start + 1], third]);
                start = column.len().min(start + 3);
                column.push(sum);
                columns[bit + 1].push(carry);
            }
            digits.push(column.get(start).copied().unwrap_or(Literal::FALSE));
        }
        // Where the sum has a digit that the bound does not have, it must lack one above that the bound has.
        for (bit, digit) in digits.iter().enumerate() {
            if bound >> bit & 1 == 0 {
                let above = (bit + 1..digits.len()).filter(|above| bound >> above & 1 == 1).map(|above| !digits[above]);
                self.clause([!condition, !*digit].into_iter().chain(above));
            }
        }
    }

    /// Sum and carry of three literals.
    fn full_adder(&mut self, [a, b, c]: [Literal; 3]) -> (Literal, Literal) {
        let (sum, carry) = (self.new_variable(), self.new_variable());
        for signs in 0..8u32 {
            let [a, b, c] =
                [(a, 0), (b, 1), (c, 2)].map(|(literal, bit)| if signs >> bit & 1 == 1 { !literal } else { literal });
            // The literals that are negated here are those that are true.
            let odd = signs.count_ones() % 2 == 1;
            self.clause([a, b, c, if odd { sum } else { !sum }]);
        }
        for [one, other] in [[a, b], [a, c], [b, c]] {
            self.clause([!one, !other, carry]);
            self.clause([one, other, !carry]);
        }
        (sum, carry)
    }
}

/// The slacks that can be left at each position and that matter: neither too small for anything nor large enough for
/// everything; ascending. `None` if they are too many.
fn slacks(excesses: &[(Term, Vec<i64>)], rest: &[i64], slack: i64) -> Option<Vec<Vec<i64>>> {
    let mut levels = Vec::with_capacity(excesses.len());
    let mut level = vec![slack];
    let mut edges = 0;
    for (position, (_, excesses)) in excesses.iter().enumerate() {
        edges += level.len() * excesses.len();
        if edges > EDGES {
            return None;
        }
        let mut next: Vec<i64> = level
            .iter()
            .flat_map(|slack| excesses.iter().map(move |excess| slack - excess))
            .filter(|slack| (0..rest[position + 1]).contains(slack))
            .collect();
        next.sort_unstable();
        next.dedup();
        levels.push(std::mem::replace(&mut level, next));
    }
    Some(levels)
}

/// The literal of the node with so much slack.
fn node(level: &[(i64, Literal)], rest: i64, slack: i64) -> Literal {
    if slack < 0 {
        return Literal::FALSE;
    }
    if slack >= rest {
        return Literal::TRUE;
    }
    level.binary_search_by_key(&slack, |node| node.0).map_or(Literal::FALSE, |place| level[place].1)
}
