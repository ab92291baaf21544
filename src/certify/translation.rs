//! From sums of literals to clauses, with a proof that each clause follows.
//!
//! A sum that few clauses say as well becomes these: the checker propagates on the sum where the solver propagates on a
//! clause of it. Any other sum is taken apart literal by literal: a node is a new variable for "what is left of the sum
//! reaches this number", defined in both directions, and two or three literals make a clause. Each clause is the sum of
//! two definitions (Gocht, Martins, Nordström, Oertel, "Certified CNF translations for pseudo-Boolean solving", 2022).

use super::log::ProofLog;
use crate::{
    reference::{PbConstraint, PbLiteral},
    solver::StepwiseSat,
};
use rustc_hash::FxHashMap;
use std::{cell::RefCell, rc::Rc};

/// A sum that at most so many clauses say as well becomes clauses at once.
const MOST_CLAUSES: usize = 200;
/// More nodes are too many.
const MOST_NODES: usize = 1_500_000;

/// What is left of a sum: a literal with its coefficient, and the rest.
#[derive(Clone, Copy)]
struct SumList {
    factor: i64,
    literal: PbLiteral,
    rest: usize,
    total: i64,
}

/// The numbers of the two constraints that define a node: that it makes the sum reach its number, and that without it
/// the sum does not.
#[derive(Clone, Copy)]
struct NodeDefinition {
    forward: u64,
    backward: u64,
}

impl NodeDefinition {
    fn turned(self) -> Self {
        NodeDefinition { forward: self.backward, backward: self.forward }
    }
}

pub(super) struct Translation {
    pub log: Rc<RefCell<ProofLog>>,
    pub sat: Box<dyn StepwiseSat>,
    variables: i32,
    /// The first is empty.
    lists: Vec<SumList>,
    known_lists: FxHashMap<(i64, PbLiteral, usize), usize>,
    nodes: FxHashMap<(usize, i64), PbLiteral>,
    definitions: FxHashMap<i32, NodeDefinition>,
}

impl Translation {
    pub(super) fn new(log: Rc<RefCell<ProofLog>>, sat: Box<dyn StepwiseSat>, variables: usize) -> Self {
        Translation {
            log,
            sat,
            variables: variables as i32,
            lists: vec![SumList { factor: 0, literal: PbLiteral::FALSE, rest: 0, total: 0 }],
            known_lists: FxHashMap::default(),
            nodes: FxHashMap::default(),
            definitions: FxHashMap::default(),
        }
    }

    /// Whether there are so many nodes that the sums are too large.
    pub(super) fn is_too_large(&self) -> bool {
        self.nodes.len() > MOST_NODES
    }

    /// Gives a clause to the solver that follows from this constraint by propagation.
    fn clause(&mut self, literals: &[PbLiteral], from: u64) {
        let mut numbers = Vec::with_capacity(literals.len());
        for literal in literals {
            match *literal {
                PbLiteral::TRUE => return,
                PbLiteral::FALSE => {}
                literal => numbers.push(literal.number()),
            }
        }
        self.log.borrow_mut().next = from;
        self.sat.clause(&numbers);
    }

    /// Gives the clauses of a constraint to the solver. The constraint is in normal form and has this number.
    pub(super) fn constraint(&mut self, constraint: &PbConstraint, number: u64) {
        if let Some(clauses) = clauses_of(constraint) {
            clauses.iter().for_each(|clause| self.clause(clause, number));
            return;
        }
        let mut terms = constraint.terms.clone();
        // What satisfies the constraint alone comes first.
        terms.sort_by_key(|(factor, _)| *factor < constraint.least);
        let list = self.list(&terms);
        self.root(list, constraint.least, number);
    }

    fn list(&mut self, terms: &[(i64, PbLiteral)]) -> usize {
        terms.iter().rev().fold(0, |rest, (factor, literal)| self.cons(*factor, *literal, rest))
    }

    fn cons(&mut self, factor: i64, literal: PbLiteral, rest: usize) -> usize {
        let next = self.lists.len();
        let total = self.lists[rest].total + factor;
        let at = *self.known_lists.entry((factor, literal, rest)).or_insert(next);
        if at == next {
            self.lists.push(SumList { factor, literal, rest, total });
        }
        at
    }

    /// The same sum with each literal negated.
    fn opposite(&mut self, list: usize) -> usize {
        let mut terms = Vec::new();
        let mut at = list;
        while at != 0 {
            let SumList { factor, literal, rest, .. } = self.lists[at];
            terms.push((factor, !literal));
            at = rest;
        }
        self.list(&terms)
    }

    /// The clauses that say that a sum reaches a number, which this constraint says.
    fn root(&mut self, list: usize, least: i64, number: u64) {
        let SumList { factor, literal, rest, .. } = self.lists[list];
        let (high, low) = (self.node(rest, least - factor), self.node(rest, least));
        // Even with the first literal, the rest has to reach what is left.
        if high != PbLiteral::TRUE {
            let from = self.joined(number, high, false, Some((!literal, factor)));
            self.clause(&[high], from);
        }
        let from = self.joined(number, low, false, None);
        self.clause(&[literal, low], from);
    }

    /// The literal that is true if and only if a sum reaches a number.
    fn node(&mut self, list: usize, least: i64) -> PbLiteral {
        let SumList { factor, literal, rest, total } = self.lists[list];
        if least <= 0 {
            return PbLiteral::TRUE;
        }
        if least > total {
            return PbLiteral::FALSE;
        }
        if rest == 0 {
            return literal;
        }
        if let Some(known) = self.nodes.get(&(list, least)) {
            return *known;
        }
        if self.is_too_large() {
            // Whoever has asked for the nodes sees that, and gives up.
            return PbLiteral::FALSE;
        }
        if literal.number() < 0 {
            let opposite = self.opposite(list);
            let node = !self.node(opposite, total - least + 1);
            self.nodes.insert((list, least), node);
            return node;
        }
        let (high, low) = (self.node(rest, least - factor), self.node(rest, least));
        self.variables += 1;
        let node = PbLiteral::numbered(self.variables);
        self.nodes.insert((list, least), node);
        let definition = self.define(node, list, least);
        self.definitions.insert(node.number(), definition);
        let NodeDefinition { forward, backward } = definition;
        if high != PbLiteral::TRUE {
            let from = self.joined(forward, high, false, Some((!literal, factor)));
            self.clause(&[!node, high], from);
        }
        let from = self.joined(forward, low, false, None);
        self.clause(&[!node, literal, low], from);
        if low != PbLiteral::FALSE {
            let from = self.joined(backward, low, true, Some((literal, factor)));
            self.clause(&[node, !low], from);
        }
        let from = self.joined(backward, high, true, None);
        self.clause(&[node, !literal, !high], from);
        node
    }

    /// Writes the two constraints that define a node.
    fn define(&mut self, node: PbLiteral, list: usize, least: i64) -> NodeDefinition {
        let mut terms = Vec::new();
        let mut at = list;
        while at != 0 {
            terms.push((self.lists[at].factor, self.lists[at].literal));
            at = self.lists[at].rest;
        }
        let total = self.lists[list].total;
        let mut log = self.log.borrow_mut();
        let name = log.name(node);
        let opposite: Vec<_> = terms.iter().map(|(factor, literal)| (*factor, !*literal)).collect();
        let without = total - least + 1;
        let mut define = |terms: Vec<(i64, PbLiteral)>, literal: PbLiteral, least: i64, value: u8| {
            let terms = [(least, literal)].into_iter().chain(terms).collect();
            let text = PbConstraint::new(terms, least).text(|literal| log.name(literal));
            log.step(&format!("red {text} : {name} -> {value};"))
        };
        NodeDefinition {
            forward: define(terms, !node, least, 0),
            backward: define(opposite, node, without, 1),
        }
    }

    /// The number of the constraint that a clause with a node below follows from. `up` is true if the clause leads from
    /// the node below to the one above. A literal that the clause does not need goes out by its axiom.
    fn joined(&mut self, above: u64, below: PbLiteral, up: bool, without: Option<(PbLiteral, i64)>) -> u64 {
        let positive = below.number() > 0;
        let Some(definition) = self.definitions.get(&below.number().abs()) else { return above };
        let definition = if positive { *definition } else { definition.turned() };
        let other = if up { definition.forward } else { definition.backward };
        let mut log = self.log.borrow_mut();
        let weakened = match without {
            Some((literal, factor)) => format!(" {} {factor} * +", log.name(literal)),
            None => String::new(),
        };
        log.step(&format!("pol {above} {other} +{weakened} s;"))
    }
}

/// The clauses that say the same as a constraint, if they are few: of each set of literals that must not all be false,
/// the smallest.
fn clauses_of(constraint: &PbConstraint) -> Option<Vec<Vec<PbLiteral>>> {
    let mut terms = constraint.terms.clone();
    terms.sort_by_key(|(factor, _)| std::cmp::Reverse(*factor));
    let mut sums = vec![0; terms.len() + 1];
    for at in (0..terms.len()).rev() {
        sums[at] = sums[at + 1] + terms[at].0;
    }
    let slack = sums[0] - constraint.least;
    let mut search = ClauseSearch { terms: &terms, sums: &sums, slack, chosen: Vec::new(), found: Vec::new(), steps: 0 };
    search.extend(0, 0).then_some(search.found)
}

struct ClauseSearch<'a> {
    /// By coefficient, the largest first.
    terms: &'a [(i64, PbLiteral)],
    /// The sums of the coefficients from each position on.
    sums: &'a [i64],
    /// If literals with a larger sum are false, the constraint is violated.
    slack: i64,
    chosen: Vec<PbLiteral>,
    found: Vec<Vec<PbLiteral>>,
    steps: usize,
}

impl ClauseSearch<'_> {
    /// False if there are too many clauses.
    fn extend(&mut self, from: usize, sum: i64) -> bool {
        for at in from..self.terms.len() {
            self.steps += 1;
            if self.steps > 20 * MOST_CLAUSES || self.found.len() > MOST_CLAUSES.max(2 * self.terms.len()) {
                return false;
            }
            if sum + self.sums[at] <= self.slack {
                return true;
            }
            let (factor, literal) = self.terms[at];
            self.chosen.push(literal);
            let goes_on = if sum + factor > self.slack {
                self.found.push(self.chosen.clone());
                true
            } else {
                self.extend(at + 1, sum + factor)
            };
            self.chosen.pop();
            if !goes_on {
                return false;
            }
        }
        true
    }
}
