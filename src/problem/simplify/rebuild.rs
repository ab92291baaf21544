//! Builds a problem anew with what is known about its terms.
//!
//! Where a term is known to have one value, that value stands in its place; every term with a known value is
//! required to have it, by its definition in terms of the others. So nothing is lost: bottom up, every term of the
//! given problem has the value of what it has become. Where the definition says it anyway, building folds it to true.

use super::{aliases::Aliases, cliques::Cliques, *};

struct Rebuild<'p> {
    old: &'p Problem,
    new: Problem,
    facts: &'p Facts<'p>,
    aliases: &'p Aliases,
    bools: Vec<Option<Bool>>,
    ints: Vec<Option<Int>>,
    decisions: FxHashSet<Variable>,
}

/// `None` if a number would leave the range of integers.
pub(super) fn rebuild(old: &Problem, facts: &Facts, aliases: &Aliases, cliques: Cliques) -> Option<Simplified> {
    let mut rebuild = Rebuild {
        old,
        new: Problem::new(),
        facts,
        aliases,
        bools: vec![None; old.bool_count()],
        ints: vec![None; old.int_count()],
        decisions: FxHashSet::default(),
    };
    // A variable tells solutions apart if it stands for one that does.
    for decision in &old.decisions {
        rebuild.decisions.insert(match *decision {
            Variable::Bool(term) => Variable::Bool(aliases.bool(term).node().0.positive()),
            Variable::Int(term) => Variable::Int(aliases.int(term).1),
        });
    }
    for decision in &old.decisions {
        rebuild.build(*decision);
    }
    let mut done: FxHashSet<BoolId> = FxHashSet::default();
    for constraint in &old.constraints {
        // The order of the constraints stays.
        rebuild.require(constraint.node().0, &cliques, &mut done);
    }
    for id in facts.known_bools() {
        rebuild.require(id, &cliques, &mut done);
    }
    for (term, value) in facts.known_ints() {
        if *old.int_node(term) != IntNode::Variable {
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
        let constraint = rebuild.all_different(terms);
        rebuild.new.require(constraint);
    }
    if let Some((maximising, terms)) = old.objective() {
        let mut built = Vec::with_capacity(terms.len());
        for term in terms {
            rebuild.build(Variable::Int(*term));
            built.push(rebuild.int(*term));
        }
        rebuild.new.set_objective(maximising, built);
    }
    rebuild.domains_of_aliases();
    if rebuild.new.take_overflow() || rebuild.new.exhausted() {
        return None;
    }
    let variables = rebuild.variables();
    Some(Simplified { problem: rebuild.new, variables })
}

pub(super) fn unsatisfiable() -> Simplified {
    let mut problem = Problem::new();
    problem.require(Bool::FALSE);
    Simplified { problem, variables: Vec::new() }
}

pub(super) fn unchanged(problem: &Problem) -> Simplified {
    let bools = (0..problem.bool_count()).map(|id| BoolId(id as u32));
    let bools =
        bools.filter(|id| *problem.bool_node(*id) == BoolNode::Variable).map(|id| Variable::Bool(id.positive()));
    let ints = problem.ints().filter(|term| *problem.int_node(*term) == IntNode::Variable).map(Variable::Int);
    let variables = bools.chain(ints).map(|variable| (variable, variable)).collect();
    Simplified { problem: problem.clone(), variables }
}

impl Rebuild<'_> {
    /// Requires a term with a known value to have it.
    fn require(&mut self, id: BoolId, cliques: &Cliques, done: &mut FxHashSet<BoolId>) {
        let Some(value) = self.facts.bool(id.positive()) else { return };
        if cliques.covered.contains(&id) || *self.old.bool_node(id) == BoolNode::Variable || !done.insert(id) {
            return;
        }
        self.build(Variable::Bool(id.positive()));
        if let Some(image) = self.bools[id.0 as usize] {
            self.new.require(if value { image } else { !image });
        }
    }

    /// What stands for an operand that has been built.
    fn bool(&self, term: Bool) -> Bool {
        let (id, negated) = term.node();
        let image = match self.facts.bool(id.positive()) {
            Some(value) => Bool::from(value),
            None => self.bools[id.0 as usize].unwrap_or(Bool::FALSE),
        };
        if negated { !image } else { image }
    }

    fn int(&mut self, term: Int) -> Int {
        match (self.facts.single(term), self.ints[term.index()]) {
            (Some(value), _) => self.new.constant(value),
            (None, Some(image)) => image,
            (None, None) => self.new.constant(0),
        }
    }

    /// Whether the operand's image is there, or its value known.
    fn is_built(&self, term: Variable) -> bool {
        match term {
            Variable::Bool(term) => self.facts.bool(term).is_some() || self.bools[term.node().0.0 as usize].is_some(),
            Variable::Int(term) => self.facts.single(term).is_some() || self.ints[term.index()].is_some(),
        }
    }

    /// Builds the definition of a term, after those of its operands.
    fn build(&mut self, term: Variable) {
        let old = self.old;
        let mut open = vec![term];
        while let Some(&term) = open.last() {
            let before = open.len();
            match term {
                Variable::Bool(term) => {
                    let id = term.node().0;
                    if self.bools[id.0 as usize].is_none() {
                        let node = old.bool_node(id);
                        node.operands(&mut |operand| {
                            if !self.is_built(operand) {
                                open.push(operand);
                            }
                        });
                        if open.len() == before {
                            self.bools[id.0 as usize] = Some(self.bool_node(id, node));
                        }
                    }
                }
                Variable::Int(term) => {
                    if self.ints[term.index()].is_none() {
                        let node = old.int_node(term);
                        node.operands(&mut |operand| {
                            if !self.is_built(operand) {
                                open.push(operand);
                            }
                        });
                        if open.len() == before {
                            self.ints[term.index()] = Some(self.int_node(term, node));
                        }
                    }
                }
            }
            if open.len() == before {
                open.pop();
            }
        }
    }

    fn bool_node(&mut self, id: BoolId, node: &BoolNode) -> Bool {
        match node {
            BoolNode::True => Bool::TRUE,
            BoolNode::Variable => self.bool_variable(id),
            BoolNode::And(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|part| self.bool(*part)).collect();
                self.new.and(parts)
            }
            BoolNode::Equivalent(left, right) => {
                let (left, right) = (self.bool(*left), self.bool(*right));
                self.new.equivalent(left, right)
            }
            BoolNode::Equals(term, value) => {
                let term = self.int(*term);
                self.new.equals_constant(term, *value)
            }
            BoolNode::AtMost(term, value) => {
                let term = self.int(*term);
                self.new.at_most_constant(term, *value)
            }
            BoolNode::Same(left, right) => {
                let (left, right) = (self.int(*left), self.int(*right));
                self.new.equal(left, right)
            }
            BoolNode::LinearAtMost(terms, bound) => {
                let (terms, constant) = self.sum(terms);
                self.new.linear_at_most(terms, i128::from(*bound) - constant)
            }
            BoolNode::LinearEquals(terms, bound) => {
                let (terms, constant) = self.sum(terms);
                self.new.linear_equals(terms, i128::from(*bound) - constant)
            }
            BoolNode::AllDifferent(terms) => {
                let terms: Vec<Int> = terms.iter().map(|term| self.int(*term)).collect();
                self.all_different(terms)
            }
            BoolNode::Table(terms, rows) => {
                let terms: Vec<Int> = terms.iter().map(|term| self.int(*term)).collect();
                self.new.table(&terms, rows.iter().map(|row| row.to_vec()).collect())
            }
        }
    }

    fn all_different(&mut self, terms: Vec<Int>) -> Bool {
        if self.new.are_too_many(&terms) { Bool::FALSE } else { self.new.all_different(terms) }
    }

    fn sum(&mut self, terms: &Linear) -> (Vec<(i64, Int)>, i128) {
        let terms: Vec<(i64, Int)> = terms.iter().map(|(factor, term)| (*factor, self.int(*term))).collect();
        self.new.collect_terms(terms, 0, usize::MAX)
    }

    fn int_node(&mut self, term: Int, node: &IntNode) -> Int {
        match node {
            IntNode::Constant(value) => self.new.constant(*value),
            IntNode::Variable => self.int_variable(term),
            IntNode::FromBool(condition) => {
                let condition = self.bool(*condition);
                self.new.from_bool(condition)
            }
            IntNode::Linear(terms, constant) => {
                let terms: Vec<(i64, Int)> = terms.iter().map(|(factor, term)| (*factor, self.int(*term))).collect();
                self.new.linear(terms, *constant)
            }
            IntNode::Product(left, right) => {
                let (left, right) = (self.int(*left), self.int(*right));
                self.new.multiply(left, right)
            }
            IntNode::Quotient(left, right) => {
                let (left, right) = (self.int(*left), self.int(*right));
                self.new.quotient(left, right)
            }
            IntNode::Remainder(left, right) => {
                let (left, right) = (self.int(*left), self.int(*right));
                self.new.remainder(left, right)
            }
            IntNode::Power(base, exponent) => {
                let (base, exponent) = (self.int(*base), self.int(*exponent));
                self.new.power(base, exponent)
            }
            IntNode::Absolute(term) => {
                let term = self.int(*term);
                self.new.absolute(term)
            }
            IntNode::Minimum(terms) => {
                let terms: Vec<Int> = terms.iter().map(|term| self.int(*term)).collect();
                self.new.minimum(terms)
            }
            IntNode::Maximum(terms) => {
                let terms: Vec<Int> = terms.iter().map(|term| self.int(*term)).collect();
                self.new.maximum(terms)
            }
            IntNode::Choice(alternatives) => {
                let alternatives: Vec<(Bool, Int)> =
                    alternatives.iter().map(|(condition, term)| (self.bool(*condition), self.int(*term))).collect();
                self.new.choice(alternatives)
            }
        }
    }

    fn bool_variable(&mut self, id: BoolId) -> Bool {
        if let Some(value) = self.facts.bool(id.positive()) {
            return Bool::from(value);
        }
        let (leader, negated) = self.aliases.bool(id.positive()).node();
        let image = match self.bools[leader.0 as usize] {
            Some(image) => image,
            None => {
                let image = self.new.new_bool(self.decisions.contains(&Variable::Bool(leader.positive())));
                self.bools[leader.0 as usize] = Some(image);
                image
            }
        };
        if negated { !image } else { image }
    }

    fn int_variable(&mut self, term: Int) -> Int {
        if let Some(value) = self.facts.single(term) {
            return self.new.constant(value);
        }
        let (factor, leader, offset) = self.aliases.int(term);
        let image = match self.ints[leader.index()] {
            Some(image) => image,
            None => {
                let decision = self.decisions.contains(&Variable::Int(leader));
                let image = self.new.new_int(self.facts.values(leader).clone(), decision);
                self.ints[leader.index()] = Some(image);
                image
            }
        };
        self.new.linear([(factor, image)], offset)
    }

    /// An alias has no domain of its own; what it cannot be must be said of its leader.
    fn domains_of_aliases(&mut self) {
        for term in self.aliases.followers() {
            if let (Some(image), None) = (self.ints[term.index()], self.facts.single(term)) {
                let constraint = self.new.member(image, self.facts.values(term));
                self.new.require(constraint);
            }
        }
    }

    /// What each variable has become.
    fn variables(&mut self) -> Vec<(Variable, Variable)> {
        let mut variables = Vec::new();
        for id in (0..self.old.bool_count()).map(|id| BoolId(id as u32)) {
            if *self.old.bool_node(id) == BoolNode::Variable && self.is_built(Variable::Bool(id.positive())) {
                variables.push((Variable::Bool(id.positive()), Variable::Bool(self.bool(id.positive()))));
            }
        }
        for term in self.old.ints() {
            if *self.old.int_node(term) == IntNode::Variable && self.is_built(Variable::Int(term)) {
                let image = self.int(term);
                variables.push((Variable::Int(term), Variable::Int(image)));
            }
        }
        variables
    }
}
