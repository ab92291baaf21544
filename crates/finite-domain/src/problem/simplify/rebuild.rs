//! Rebuilds a problem with the known facts about its terms.
//!
//! A term with a known value is replaced by that value, and is required to have it, by its definition in terms of its
//! operands. So nothing is lost: bottom up, every term of the given problem has the value of its image. If the
//! definition is trivial, construction folds it to true.

use super::{
    aliases::Aliases,
    cliques::Cliques,
    definitions::{Definitions, Substitute},
    global::AllDifferent,
    occurrences::ImpliedSum,
    *,
};
use std::ops::ControlFlow;

struct Rebuild<'p> {
    old: &'p Problem,
    new: Builder,
    root: &'p RootPropagation<'p>,
    aliases: &'p Aliases,
    bools: Vec<Option<Bool>>,
    ints: Vec<Option<Int>>,
    decisions: FxHashSet<Variable>,
}

/// Returns the new problem, and true if it has new sums; `None` if it would be too large.
pub(super) fn rebuild(
    old: &Problem,
    root: &RootPropagation,
    aliases: &Aliases,
    cliques: Cliques,
    sums: &[ImpliedSum],
    definitions: &Definitions,
) -> Option<(Simplified, bool)> {
    let mut rebuild = Rebuild {
        old,
        new: Builder::new(),
        root,
        aliases,
        bools: vec![None; old.bool_count()],
        ints: vec![None; old.int_count()],
        decisions: FxHashSet::default(),
    };
    // If an alias distinguishes solutions, its leader does, too.
    for decision in &old.decisions {
        rebuild.decisions.insert(match *decision {
            Variable::Bool(term) => Variable::Bool(aliases.bool(term).node().0.positive()),
            Variable::Int(term) => Variable::Int(aliases.int(term).1),
        });
    }
    let defined = definitions.variables();
    // Decisions are built first, so that they keep their order.
    for decision in old.decisions.iter().filter(|decision| !defined.contains(decision)) {
        rebuild.build(*decision);
    }
    for (variable, definition) in &definitions.ordered {
        rebuild.replace(*variable, &definition.substitute);
    }
    let mut done: FxHashSet<BoolId> = definitions.covered.clone();
    for constraint in &old.constraints {
        rebuild.require(constraint.node().0, &cliques, &mut done);
    }
    // Propagation has found values of other conditions, too, and their definitions must have these values.
    for id in root.known_bools() {
        rebuild.require(id, &cliques, &mut done);
    }
    for (term, value) in root.known_ints() {
        if !old.is_variable(Variable::Int(term)) {
            rebuild.build(Variable::Int(term));
            if let Some(image) = rebuild.ints[term.index()] {
                let constraint = rebuild.new.equals_constant(image, value);
                rebuild.new.require(constraint);
            }
        }
    }
    for clique in cliques.cliques {
        let mut terms = Vec::with_capacity(clique.len());
        for (term, offset) in clique {
            rebuild.build(Variable::Int(term));
            let term = rebuild.int(term);
            terms.push(rebuild.new.linear([(1, term)], offset));
        }
        let constraint = AllDifferent { terms: terms.into() }.normal(&mut rebuild.new);
        rebuild.new.require(constraint);
    }
    let has_new_sums = rebuild.implied(sums);
    if let Some(Objective { sense, terms }) = old.objective() {
        let mut built = Vec::with_capacity(terms.len());
        for term in terms {
            rebuild.build(Variable::Int(*term));
            built.push(rebuild.int(*term));
        }
        rebuild.new.set_objective(*sense, built);
    }
    rebuild.domains_of_aliases();
    definitions.ordered.iter().for_each(|(variable, _)| rebuild.domain(*variable));
    rebuild.sequences();
    let variables = rebuild.variables();
    Some((Simplified { problem: rebuild.new.finish().ok()?.into(), variables }, has_new_sums))
}

pub(super) fn unsatisfiable() -> Simplified {
    let mut problem = Problem::default();
    problem.require(Bool::FALSE);
    Simplified { problem: problem.into(), variables: Vec::new() }
}

pub(super) fn unchanged(problem: &Problem) -> Simplified {
    let variables = problem.variables().map(|variable| (variable, variable)).collect();
    Simplified { problem: problem.clone().into(), variables }
}

/// The images of operands that have been built.
impl Images for Rebuild<'_> {
    fn bool(&mut self, term: Bool) -> Bool {
        let (id, negated) = term.node();
        let image = match self.root.bool(id.positive()) {
            Some(value) => Bool::from(value),
            None => self.bools[id.0 as usize].unwrap_or(Bool::FALSE),
        };
        if negated { !image } else { image }
    }

    fn int(&mut self, term: Int) -> Int {
        match (self.root.single(term), self.ints[term.index()]) {
            // A known value replaces the term everywhere, except in the term's own definition.
            (Some(value), _) => self.new.constant(value),
            (None, Some(image)) => image,
            (None, None) => self.new.constant(0),
        }
    }
}

impl Rebuild<'_> {
    /// Requires a term with a known value to have it.
    fn require(&mut self, id: BoolId, cliques: &Cliques, done: &mut FxHashSet<BoolId>) {
        let Some(value) = self.root.bool(id.positive()) else { return };
        if cliques.covered.contains(&id) || self.old.is_variable(Variable::Bool(id.positive())) || !done.insert(id) {
            return;
        }
        self.build(Variable::Bool(id.positive()));
        if let Some(image) = self.bools[id.0 as usize] {
            self.new.require(if value { image } else { !image });
        }
    }

    /// Requires the sums, which may be there from an earlier round; returns true if any sum is new.
    fn implied(&mut self, sums: &[ImpliedSum]) -> bool {
        let known: FxHashSet<Bool> = match sums {
            [] => return false,
            _ => self.new.constraints().iter().copied().collect(),
        };
        let mut has_new = false;
        for ImpliedSum { terms, bound, is_equation } in sums {
            let mut images = Vec::with_capacity(terms.len());
            for (factor, term) in terms {
                self.build(Variable::Int(*term));
                images.push((*factor, self.int(*term)));
            }
            let (terms, constant) = self.new.collect_terms(images, 0, usize::MAX);
            let bound = i128::from(*bound) - constant;
            let constraint = match is_equation {
                true => self.new.linear_equals(terms, bound),
                false => self.new.linear_at_most(terms, bound),
            };
            if constraint != Bool::TRUE && !known.contains(&constraint) {
                self.new.require(constraint);
                has_new = true;
            }
        }
        has_new
    }

    /// Returns true if a term has an image or a known value.
    fn is_built(&self, term: Variable) -> bool {
        let is_known = match term {
            Variable::Bool(term) => self.root.bool(term).is_some(),
            Variable::Int(term) => self.root.single(term).is_some(),
        };
        is_known || self.is_defined(term)
    }

    fn is_defined(&self, term: Variable) -> bool {
        match term {
            Variable::Bool(term) => self.bools[term.node().0.0 as usize].is_some(),
            Variable::Int(term) => self.ints[term.index()].is_some(),
        }
    }

    /// Builds the definition of a term after the definitions of its operands.
    fn build(&mut self, term: Variable) {
        // Even if the value of the term is known, its definition must be built to require it.
        let is_done = |rebuild: &Self, part: Variable| match part == term.positive() {
            true => rebuild.is_defined(part),
            false => rebuild.is_built(part),
        };
        let _ = self.old.operands_first([term], self, is_done, |rebuild, part| {
            rebuild.define(part);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Builds the definition of a term whose operands have images.
    fn define(&mut self, term: Variable) {
        let old = self.old;
        match term {
            Variable::Bool(term) => {
                let id = term.node().0;
                let image = match old.bool_node(id) {
                    BoolNode::Variable => self.bool_variable(id),
                    node => {
                        let node = node.map(self);
                        self.new.normal_bool(node)
                    }
                };
                self.bools[id.0 as usize] = Some(image);
            }
            Variable::Int(term) => {
                let image = match old.int_node(term) {
                    IntNode::Variable => self.int_variable(term),
                    node => {
                        let node = node.map(self);
                        self.new.normal_int(node)
                    }
                };
                self.ints[term.index()] = Some(image);
            }
        }
    }

    fn role(&self, variable: Variable) -> Role {
        if self.decisions.contains(&variable) { Role::Decision } else { Role::Auxiliary }
    }

    fn bool_variable(&mut self, id: BoolId) -> Bool {
        if let Some(value) = self.root.bool(id.positive()) {
            return Bool::from(value);
        }
        let (leader, negated) = self.aliases.bool(id.positive()).node();
        let image = match self.bools[leader.0 as usize] {
            Some(image) => image,
            None => {
                let role = self.role(Variable::Bool(leader.positive()));
                let image = self.new.new_bool(role);
                self.bools[leader.0 as usize] = Some(image);
                image
            }
        };
        if negated { !image } else { image }
    }

    fn int_variable(&mut self, term: Int) -> Int {
        if let Some(value) = self.root.single(term) {
            return self.new.constant(value);
        }
        let (factor, leader, offset) = self.aliases.int(term);
        let image = match self.ints[leader.index()] {
            Some(image) => image,
            None => {
                let role = self.role(Variable::Int(leader));
                let image = self.new.new_int(self.root.values(leader).clone(), role);
                self.ints[leader.index()] = Some(image);
                image
            }
        };
        self.new.linear([(factor, image)], offset)
    }

    /// Replaces a variable with its definition.
    fn replace(&mut self, variable: Variable, definition: &Substitute) {
        definition.operands(&mut |operand| self.build(operand));
        match (variable, definition) {
            (Variable::Bool(term), Substitute::Condition(condition)) => {
                self.bools[term.node().0.0 as usize] = Some(self.bool(*condition));
            }
            (Variable::Int(term), Substitute::Sum(terms, constant)) => {
                let image = self.sum(terms, *constant);
                self.ints[term.index()] = Some(image);
            }
            (Variable::Int(term), Substitute::Extreme(extreme, sums, end)) => {
                let mut images: Vec<Int> = sums.iter().map(|(terms, constant)| self.sum(terms, *constant)).collect();
                images.push(self.new.constant(*end));
                let image = self.new.extreme(*extreme, images);
                self.ints[term.index()] = Some(image);
            }
            _ => {}
        }
    }

    fn sum(&mut self, terms: &[(i64, Int)], constant: i64) -> Int {
        let images: Vec<(i64, Int)> = terms.iter().map(|(factor, term)| (*factor, self.int(*term))).collect();
        self.new.linear(images, constant)
    }

    /// Keeps the domain of a variable that was replaced.
    fn domain(&mut self, variable: Variable) {
        if let Variable::Int(term) = variable
            && let (Some(image), None) = (self.ints[term.index()], self.root.single(term))
        {
            let constraint = self.new.member(image, self.root.values(term));
            self.new.require(constraint);
        }
    }

    /// Requires the leaders to keep the domains of their aliases, which no longer have a variable.
    fn domains_of_aliases(&mut self) {
        for term in self.aliases.followers() {
            self.domain(Variable::Int(term));
        }
    }

    /// Copies the sequences whose terms are needed.
    fn sequences(&mut self) {
        for places in self.old.sequences() {
            let is_built = |(reached, term): &(Bool, Int)| {
                self.is_built(Variable::Bool(*reached)) && self.is_built(Variable::Int(*term))
            };
            if places.iter().all(is_built) {
                let images = places.iter().map(|(reached, term)| (self.bool(*reached), self.int(*term))).collect();
                self.new.note_sequence(images);
            }
        }
    }

    /// Returns the images of the variables.
    fn variables(&mut self) -> Vec<(Variable, Variable)> {
        let old = self.old;
        // A variable that nothing needs has no image.
        let built: Vec<Variable> = old.variables().filter(|variable| self.is_built(*variable)).collect();
        let image = |variable: Variable| match variable {
            Variable::Bool(term) => Variable::Bool(self.bool(term)),
            Variable::Int(term) => Variable::Int(self.int(term)),
        };
        built.iter().copied().zip(built.iter().copied().map(image)).collect()
    }
}
