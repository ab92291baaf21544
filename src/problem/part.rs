//! The part of a problem that some terms depend on, as a problem of its own: questions about few terms are answered there
//! without a thought about the others.

use super::*;

/// Some terms of a problem with all that they are made of.
#[derive(Debug)]
pub struct Part {
    /// It has the decisions among the variables of these terms, and no constraints.
    pub problem: Problem,
    bools: FxHashMap<BoolId, BoolId>,
    ints: FxHashMap<Int, Int>,
}

impl Part {
    /// The part of a problem that the terms are in. Terms keep their order, and so their normal forms.
    pub fn of(whole: &Problem, terms: impl IntoIterator<Item = Bool>) -> Part {
        let (mut bools, mut ints) = (FxHashSet::from_iter([BoolId(0)]), FxHashSet::default());
        let mut open: Vec<Variable> = terms.into_iter().map(Variable::Bool).collect();
        while let Some(term) = open.pop() {
            match term {
                Variable::Bool(term) if bools.insert(term.node().0) => {
                    whole.bool_node(term.node().0).operands(&mut |part| open.push(part));
                }
                Variable::Int(term) if ints.insert(term) => {
                    whole.int_node(term).operands(&mut |part| open.push(part));
                }
                _ => {}
            }
        }
        let numbered = |ids: FxHashSet<BoolId>| {
            let mut ids: Vec<BoolId> = ids.into_iter().collect();
            ids.sort_unstable();
            ids.into_iter().zip((0..).map(BoolId)).collect::<FxHashMap<_, _>>()
        };
        let bools = numbered(bools);
        let mut ids: Vec<Int> = ints.into_iter().collect();
        ids.sort_unstable();
        let ints = ids.into_iter().zip((0..).map(Int)).collect();
        let mut part = Part { problem: Problem::default(), bools, ints };
        part.copy(whole);
        part
    }

    fn copy(&mut self, whole: &Problem) {
        let mut bools: Vec<BoolId> = self.bools.keys().copied().collect();
        bools.sort_unstable();
        let mut ints: Vec<Int> = self.ints.keys().copied().collect();
        ints.sort_unstable();
        self.problem.bools = bools.iter().map(|id| self.bool_node(whole.bool_node(*id))).collect();
        self.problem.ints = ints
            .iter()
            .map(|term| IntEntry { node: self.int_node(whole.int_node(*term)), values: whole.values(*term).clone() })
            .collect();
        let problem = &mut self.problem;
        for (id, _) in (0..).zip(&problem.bools).filter(|(_, node)| **node != BoolNode::Variable) {
            problem.bool_index.insert(id, |id| &problem.bools[id as usize]);
        }
        for (id, _) in (0..).zip(&problem.ints).filter(|(_, entry)| entry.node != IntNode::Variable) {
            problem.int_index.insert(id, |id| &problem.ints[id as usize].node);
        }
        let decision = |variable: &Variable| match variable {
            Variable::Bool(term) => self.term(*term).map(Variable::Bool),
            Variable::Int(term) => self.ints.get(term).copied().map(Variable::Int),
        };
        self.problem.decisions = whole.decisions.iter().filter_map(decision).collect();
    }

    /// What a term of the whole problem is here, if it is here.
    pub fn term(&self, term: Bool) -> Option<Bool> {
        let (id, negated) = term.node();
        let own = self.bools.get(&id)?.positive();
        Some(if negated { !own } else { own })
    }

    fn bool(&self, term: Bool) -> Bool {
        let (id, negated) = term.node();
        let own = self.bools[&id].positive();
        if negated { !own } else { own }
    }

    fn linear(&self, terms: &Linear) -> Linear {
        terms.iter().map(|(factor, term)| (*factor, self.ints[term])).collect()
    }

    fn all(&self, terms: &[Int]) -> Box<[Int]> {
        terms.iter().map(|term| self.ints[term]).collect()
    }

    fn bool_node(&self, node: &BoolNode) -> BoolNode {
        let int = |term: &Int| self.ints[term];
        match node {
            BoolNode::True => BoolNode::True,
            BoolNode::Variable => BoolNode::Variable,
            BoolNode::And(parts) => BoolNode::And(parts.iter().map(|part| self.bool(*part)).collect()),
            BoolNode::Equivalent(left, right) => BoolNode::Equivalent(self.bool(*left), self.bool(*right)),
            BoolNode::Equals(term, value) => BoolNode::Equals(int(term), *value),
            BoolNode::AtMost(term, value) => BoolNode::AtMost(int(term), *value),
            BoolNode::Same(left, right) => BoolNode::Same(int(left), int(right)),
            BoolNode::LinearAtMost(terms, bound) => BoolNode::LinearAtMost(self.linear(terms), *bound),
            BoolNode::LinearEquals(terms, bound) => BoolNode::LinearEquals(self.linear(terms), *bound),
            BoolNode::AllDifferent(terms) => BoolNode::AllDifferent(self.all(terms)),
            BoolNode::Table(terms, rows) => BoolNode::Table(self.all(terms), rows.clone()),
        }
    }

    fn int_node(&self, node: &IntNode) -> IntNode {
        let int = |term: &Int| self.ints[term];
        match node {
            IntNode::Constant(value) => IntNode::Constant(*value),
            IntNode::Variable => IntNode::Variable,
            IntNode::FromBool(condition) => IntNode::FromBool(self.bool(*condition)),
            IntNode::Linear(terms, constant) => IntNode::Linear(self.linear(terms), *constant),
            IntNode::Product(left, right) => IntNode::Product(int(left), int(right)),
            IntNode::Quotient(left, right) => IntNode::Quotient(int(left), int(right)),
            IntNode::Remainder(left, right) => IntNode::Remainder(int(left), int(right)),
            IntNode::Power(left, right) => IntNode::Power(int(left), int(right)),
            IntNode::Absolute(term) => IntNode::Absolute(int(term)),
            IntNode::Minimum(terms) => IntNode::Minimum(self.all(terms)),
            IntNode::Maximum(terms) => IntNode::Maximum(self.all(terms)),
            IntNode::Choice(alternatives) => IntNode::Choice(
                alternatives.iter().map(|(condition, term)| (self.bool(*condition), int(term))).collect(),
            ),
        }
    }
}
