//! Translates sums of literals to clauses, with a proof that each clause follows.
//!
//! A sum that is equivalent to a few clauses becomes these clauses: whatever the solver propagates on one of them, the
//! checker propagates on the sum. A sum of moderate size becomes a decision diagram: a node is a new variable for "the
//! rest of the sum reaches this number", defined in both directions. Literals of which at most one is true, such as the
//! values of one integer, are treated together. Each clause follows from the sum of two definitions (Gocht, Martins,
//! Nordström, Oertel, "Certified CNF translations for pseudo-Boolean solving", 2022). Sums with too many nodes are
//! added up in binary (`adders.rs`), which propagates less, but works for sums of any size.

mod adders;

use super::log::ProofLog;
use crate::{
    halt::Halt,
    reference::{PbConstraint, PbLiteral, PbNumber},
    solver::{EngineOptions, StepwiseSat},
};
use adders::{BinaryDigit, BinarySum};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cell::RefCell, cmp::Reverse, rc::Rc};

/// The maximum number of clauses into which a sum is translated directly. Chosen.
const MOST_CLAUSES: usize = 200;
/// The maximum number of literals in the definitions of a sum's nodes. Chosen.
const MOST_LITERALS: usize = 2_000;

/// The literals of a sum that are treated together, with their coefficients: a single literal, or several of which at
/// most one is true (or false, if they are negations). The constraint with the number `exclusive` states this.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SumGroup {
    terms: Vec<(PbNumber, PbLiteral)>,
    exclusive: Option<u64>,
}

impl SumGroup {
    fn total(&self) -> PbNumber {
        self.terms.iter().map(|(factor, _)| *factor).sum()
    }

    fn is_negated(&self) -> bool {
        self.terms[0].1.number() < 0
    }

    /// The amounts that the literals can add to the sum. Each comes with literals of which at least one is true if the
    /// literals add another amount.
    fn ways(&self) -> Vec<(PbNumber, Vec<PbLiteral>)> {
        let total = self.total();
        let others = self.terms.iter().map(|(_, literal)| *literal);
        match self.is_negated() {
            // Either one variable is true, or none is.
            true => {
                let one = self.terms.iter().map(|(factor, literal)| (total - *factor, vec![*literal]));
                one.chain([(total, others.map(|literal| !literal).collect())]).collect()
            }
            false => {
                let one = self.terms.iter().map(|(factor, literal)| (*factor, vec![!*literal]));
                one.chain([(PbNumber::ZERO, others.collect())]).collect()
            }
        }
    }
}

/// The rest of a sum: its first group, and the list of the other groups.
#[derive(Clone)]
struct SumList {
    group: Rc<SumGroup>,
    rest: usize,
    total: PbNumber,
}

/// The numbers of the two constraints that define a node: if the node is true, the sum reaches its number; if it is
/// false, the sum does not.
#[derive(Clone, Copy)]
struct NodeDefinition {
    forward: u64,
    backward: u64,
}

pub(super) struct ClauseTranslation<'a> {
    pub log: Rc<RefCell<ProofLog>>,
    pub sat: Box<dyn StepwiseSat>,
    /// The clauses so far, each with the constraint from which it follows; `None` if they are not needed.
    pub clauses: Option<Vec<(Vec<i32>, u64)>>,
    options: &'a EngineOptions,
    variables: i32,
    /// The first list is empty.
    lists: Vec<SumList>,
    known_lists: FxHashMap<(Rc<SumGroup>, usize), usize>,
    /// For each literal, the first constraint that at most one of several literals, among them this one, is true.
    exclusive: FxHashMap<PbLiteral, u64>,
    /// The literals of such a constraint.
    exclusive_sets: FxHashMap<u64, Vec<PbLiteral>>,
    nodes: FxHashMap<(usize, PbNumber), PbLiteral>,
    definitions: FxHashMap<i32, NodeDefinition>,
    /// The digits for "one of these literals is true".
    digits: FxHashMap<Vec<PbLiteral>, BinaryDigit>,
    binary_sums: FxHashMap<Vec<(PbNumber, PbLiteral)>, Rc<BinarySum>>,
}

impl<'a> ClauseTranslation<'a> {
    pub(super) fn new(
        log: Rc<RefCell<ProofLog>>,
        sat: Box<dyn StepwiseSat>,
        options: &'a EngineOptions,
        variables: usize,
    ) -> Self {
        ClauseTranslation {
            log,
            sat,
            clauses: None,
            options,
            variables: variables as i32,
            // List 0 is the empty sum.
            lists: vec![SumList {
                group: Rc::new(SumGroup { terms: Vec::new(), exclusive: None }),
                rest: 0,
                total: PbNumber::ZERO,
            }],
            known_lists: FxHashMap::default(),
            exclusive: FxHashMap::default(),
            exclusive_sets: FxHashMap::default(),
            nodes: FxHashMap::default(),
            definitions: FxHashMap::default(),
            digits: FxHashMap::default(),
            binary_sums: FxHashMap::default(),
        }
    }

    /// Returns an error if a limit has ended the translation; the clauses are then incomplete.
    pub(super) fn must_go_on(&self) -> Result<(), Halt> {
        self.options.reached().map_or(Ok(()), |reason| Err(reason.into()))
    }

    fn variable(&mut self) -> PbLiteral {
        self.variables += 1;
        PbLiteral::numbered(self.variables)
    }

    /// Adds to the solver a clause that follows from this constraint by propagation.
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
        if let Some(clauses) = &mut self.clauses {
            clauses.push((numbers, from));
        }
    }

    /// Groups variables of which at most one is true: the values of an integer, for example.
    pub(super) fn exclusive_groups(&self, variables: impl Iterator<Item = i32>) -> Vec<Vec<i32>> {
        let mut groups: Vec<Vec<i32>> = Vec::new();
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        for variable in variables {
            let next = groups.len();
            let place = match self.exclusive.get(&PbLiteral::numbered(variable)) {
                Some(number) => *places.entry(*number).or_insert(next),
                None => next,
            };
            if place == next {
                groups.push(Vec::new());
            }
            groups[place].push(variable);
        }
        groups
    }

    /// Adds the clauses of a constraint to the solver. The constraint is in normal form and has this number.
    pub(super) fn constraint(&mut self, constraint: &PbConstraint, number: u64) {
        let PbConstraint { terms, least } = constraint;
        self.translate(constraint, number);
        // If this were done earlier, the constraint would be missing in its own translation.
        if PbNumber::count(terms.len()) == *least + PbNumber::ONE
            && terms.iter().all(|(factor, _)| *factor == PbNumber::ONE)
        {
            for (_, literal) in terms {
                self.exclusive.entry(!*literal).or_insert(number);
            }
            self.exclusive_sets.insert(number, terms.iter().map(|(_, literal)| !*literal).collect());
        }
    }

    /// The literal that is true if and only if a sum reaches a number; `None` if that takes too many nodes.
    pub(super) fn reaches(&mut self, terms: &[(PbNumber, PbLiteral)], least: PbNumber) -> Option<PbLiteral> {
        let groups = self.groups(terms);
        has_few_literals(&groups, least).then(|| {
            let list = self.list(groups);
            self.node(list, least)
        })
    }

    /// Derives the constraint that a sum reaches a number from a clause with the literal that
    /// [`ClauseTranslation::reaches`] has returned. Returns the number of the constraint.
    pub(super) fn reached(&mut self, literal: PbLiteral, least: PbNumber, clause: u64) -> u64 {
        let definition = self.definitions.get(&literal.number().abs());
        let number = definition.map(|known| if literal.number() > 0 { known.forward } else { known.backward });
        // A sum without a definition is a single literal.
        let added = number.map_or(String::new(), |number| format!(" {number} +"));
        self.log.borrow_mut().step(&format!("pol {clause} {least} *{added};"))
    }

    fn translate(&mut self, constraint: &PbConstraint, number: u64) {
        if let Some(clauses) = clauses_of(constraint) {
            clauses.iter().for_each(|clause| self.clause(clause, number));
            return;
        }
        let groups = self.groups(&constraint.terms);
        if !has_few_literals(&groups, constraint.least) {
            self.clauses_in_binary(constraint, number);
            return;
        }
        let list = self.list(groups);
        let SumList { group, rest, .. } = self.lists[list].clone();
        self.clauses_at((PbLiteral::TRUE, number), &group, rest, constraint.least, false);
    }

    /// Groups the literals of a sum, the largest coefficients first.
    fn groups(&self, terms: &[(PbNumber, PbLiteral)]) -> Vec<SumGroup> {
        let mut groups: Vec<SumGroup> = Vec::new();
        let mut places: FxHashMap<(u64, bool), usize> = FxHashMap::default();
        for (factor, literal) in terms {
            let negated = literal.number() < 0;
            let exclusive = self.exclusive.get(&if negated { !*literal } else { *literal }).copied();
            let next = groups.len();
            let place = match exclusive {
                Some(number) => *places.entry((number, negated)).or_insert(next),
                None => next,
            };
            if place == next {
                groups.push(SumGroup { terms: Vec::new(), exclusive });
            }
            groups[place].terms.push((*factor, *literal));
        }
        for group in &mut groups {
            if group.terms.len() == 1 {
                group.exclusive = None;
            }
        }
        // In decision diagrams, large coefficients usually come first.
        groups.sort_by_key(|group| Reverse(group.terms.iter().map(|(factor, _)| *factor).max()));
        groups
    }

    fn list(&mut self, groups: Vec<SumGroup>) -> usize {
        groups.into_iter().rev().fold(0, |rest, group| self.cons(Rc::new(group), rest))
    }

    fn cons(&mut self, group: Rc<SumGroup>, rest: usize) -> usize {
        let next = self.lists.len();
        let at = *self.known_lists.entry((group.clone(), rest)).or_insert(next);
        if at == next {
            let total = self.lists[rest].total + group.total();
            self.lists.push(SumList { group, rest, total });
        }
        at
    }

    /// The sum with all literals negated.
    fn opposite(&mut self, list: usize) -> usize {
        let mut groups = Vec::new();
        let mut at = list;
        while at != 0 {
            let SumList { group, rest, .. } = &self.lists[at];
            let terms = group.terms.iter().map(|(factor, literal)| (*factor, !*literal)).collect();
            groups.push(SumGroup { terms, exclusive: group.exclusive });
            at = *rest;
        }
        self.list(groups)
    }

    /// The literal that is true if and only if a sum reaches a number.
    fn node(&mut self, list: usize, least: PbNumber) -> PbLiteral {
        let SumList { group, rest, total } = self.lists[list].clone();
        if least <= PbNumber::ZERO {
            return PbLiteral::TRUE;
        }
        if least > total {
            return PbLiteral::FALSE;
        }
        if let (0, [(_, literal)]) = (rest, &group.terms[..]) {
            return *literal;
        }
        if let Some(known) = self.nodes.get(&(list, least)) {
            return *known;
        }
        // The nodes of a single constraint can exceed the limits.
        if self.options.reached().is_some() {
            // The caller notices the limit and stops.
            return PbLiteral::FALSE;
        }
        if group.is_negated() {
            let opposite = self.opposite(list);
            let node = !self.node(opposite, total - least + PbNumber::ONE);
            self.nodes.insert((list, least), node);
            return node;
        }
        // Definitions are needed in order, so the nodes below come first.
        for (added, _) in group.ways() {
            self.node(rest, least - added);
        }
        let node = self.variable();
        self.nodes.insert((list, least), node);
        let definition = self.define(node, list, least);
        self.definitions.insert(node.number(), definition);
        self.clauses_at((node, definition.forward), &group, rest, least, false);
        self.clauses_at((!node, definition.backward), &group, rest, least, true);
        node
    }

    /// Adds the clauses that reduce a constraint on a sum to constraints on the sum without its first group. They apply
    /// only if `above` is true. With `up`, the constraint is that the sum does not reach the number.
    fn clauses_at(&mut self, above: (PbLiteral, u64), group: &SumGroup, rest: usize, least: PbNumber, up: bool) {
        let (above, number) = above;
        let sign = |literal: PbLiteral| if up { !literal } else { literal };
        if let [(factor, literal)] = group.terms[..] {
            // If the literal is true, the rest must reach the remainder; if not, it must reach the whole number.
            let (with, without) = if up { (least, least - factor) } else { (least - factor, least) };
            let helped = sign(self.node(rest, with));
            if helped != PbLiteral::TRUE {
                let from = self.joined(number, helped, Some((sign(!literal), factor)));
                self.clause(&[!above, helped], from);
            }
            let alone = sign(self.node(rest, without));
            let from = self.joined(number, alone, None);
            self.clause(&[!above, sign(literal), alone], from);
            return;
        }
        for (added, unless) in group.ways() {
            let below = sign(self.node(rest, least - added));
            if below == PbLiteral::TRUE {
                continue;
            }
            let mut clause = vec![!above];
            clause.extend(unless);
            clause.push(below);
            clause.retain(|literal| *literal != PbLiteral::FALSE);
            let joined = self.joined(number, below, None);
            let from = match group.exclusive {
                Some(exclusive) => {
                    let mut log = self.log.borrow_mut();
                    let text = PbConstraint::clause(clause.iter().copied()).text(|literal| log.name(literal));
                    log.step(&format!("rup {text} : {joined} {exclusive};"))
                }
                None => joined,
            };
            self.clause(&clause, from);
        }
    }

    /// Logs the two constraints that define a node.
    fn define(&mut self, node: PbLiteral, list: usize, least: PbNumber) -> NodeDefinition {
        let mut terms = Vec::new();
        let mut at = list;
        while at != 0 {
            terms.extend(self.lists[at].group.terms.iter().copied());
            at = self.lists[at].rest;
        }
        let opposite = terms.iter().map(|(factor, literal)| (*factor, !*literal));
        // If the opposite literals reach this number, the sum is below `least`.
        let without = self.lists[list].total - least + PbNumber::ONE;
        let backward = [(without, node)].into_iter().chain(opposite).collect();
        let forward = [(least, !node)].into_iter().chain(terms).collect();
        NodeDefinition {
            forward: self.defined(node, 0, forward, least),
            backward: self.defined(node, 1, backward, without),
        }
    }

    /// Logs a constraint that holds if a new variable has this value.
    fn defined(&mut self, variable: PbLiteral, value: u8, terms: Vec<(PbNumber, PbLiteral)>, least: PbNumber) -> u64 {
        let mut log = self.log.borrow_mut();
        let text = PbConstraint::new(terms, least).text(|literal| log.name(literal));
        let name = log.name(variable);
        log.step(&format!("red {text} : {name} -> {value};"))
    }

    /// Adds a constraint to the definition of the false node below it. The result has the literal of the node in place
    /// of the rest; a literal that does not matter is removed by its axiom.
    fn joined(&mut self, above: u64, below: PbLiteral, without: Option<(PbLiteral, PbNumber)>) -> u64 {
        let Some(definition) = self.definitions.get(&below.number().abs()) else { return above };
        let other = if below.number() > 0 { definition.backward } else { definition.forward };
        let mut log = self.log.borrow_mut();
        let weakened = match without {
            Some((literal, factor)) => format!(" {} {factor} * +", log.name(literal)),
            None => String::new(),
        };
        log.step(&format!("pol {above} {other} +{weakened} s;"))
    }
}

/// Returns true if the definitions of a sum's nodes have few literals.
fn has_few_literals(groups: &[SumGroup], least: PbNumber) -> bool {
    let mut total: PbNumber = groups.iter().map(SumGroup::total).sum();
    let mut length: usize = groups.iter().map(|group| group.terms.len()).sum();
    let mut literals = 0;
    let mut open = FxHashSet::from_iter([least]);
    for group in groups {
        total -= group.total();
        length -= group.terms.len();
        let mut below = FxHashSet::default();
        for (added, _) in group.ways() {
            below.extend(
                open.iter().map(|least| *least - added).filter(|least| (PbNumber::ONE..=total).contains(least)),
            );
        }
        literals += length * below.len();
        if literals > MOST_LITERALS {
            return false;
        }
        open = below;
    }
    true
}

/// The clauses that are equivalent to a constraint, that is, its minimal sets of literals that must not all be false;
/// `None` if there are too many.
fn clauses_of(constraint: &PbConstraint) -> Option<Vec<Vec<PbLiteral>>> {
    let mut terms = constraint.terms.clone();
    terms.sort_by_key(|(factor, _)| Reverse(*factor));
    let mut sums = vec![PbNumber::ZERO; terms.len() + 1];
    for at in (0..terms.len()).rev() {
        sums[at] = sums[at + 1] + terms[at].0;
    }
    let slack = sums[0] - constraint.least;
    // If the constraint cannot hold, its only clause is empty.
    if slack < PbNumber::ZERO {
        return Some(vec![Vec::new()]);
    }
    let mut search =
        ClauseSearch { terms: &terms, sums: &sums, slack, chosen: Vec::new(), found: Vec::new(), steps: 0 };
    search.extend(0, PbNumber::ZERO).then_some(search.found)
}

struct ClauseSearch<'a> {
    /// The terms by coefficient, the largest first.
    terms: &'a [(PbNumber, PbLiteral)],
    /// The sums of the coefficients at each position and after it.
    sums: &'a [PbNumber],
    /// The constraint is violated if false literals have a larger sum.
    slack: PbNumber,
    chosen: Vec<PbLiteral>,
    found: Vec<Vec<PbLiteral>>,
    steps: usize,
}

impl ClauseSearch<'_> {
    /// Extends the chosen literals; returns false if there are too many clauses.
    fn extend(&mut self, from: usize, sum: PbNumber) -> bool {
        for at in from..self.terms.len() {
            self.steps += 1;
            if self.steps > 20 * MOST_CLAUSES || self.found.len() > MOST_CLAUSES.max(2 * self.terms.len()) {
                return false;
            }
            // All remaining literals together stay within the slack.
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
