//! The part of a problem that some terms depend on, as a separate problem, so that a check of few terms is not slowed
//! down by all the others.

use super::*;

/// Some terms of a problem with all their operands.
#[derive(Debug)]
pub struct SubProblem {
    /// The sub-problem. Its decisions are the decisions among the variables of these terms, and it has no constraints.
    pub problem: Problem,
    bools: FxHashMap<BoolId, BoolId>,
    ints: FxHashMap<Int, Int>,
}

impl SubProblem {
    /// Extracts the terms from a problem. Terms keep their order, and therefore their normal forms.
    pub fn of(whole: &Problem, terms: impl IntoIterator<Item = Bool>) -> SubProblem {
        let (mut bools, mut ints) = (vec![BoolId(0)], Vec::new());
        whole.visit(terms.into_iter().map(Variable::Bool), |part| {
            match part {
                Variable::Bool(part) => bools.push(part.node().0),
                Variable::Int(part) => ints.push(part),
            }
            true
        });
        // A term has a larger index than its operands, so ascending order puts operands first.
        bools.sort_unstable();
        bools.dedup();
        ints.sort_unstable();
        let mut part = SubProblem {
            problem: Problem::default(),
            bools: bools.iter().copied().zip((0..).map(BoolId)).collect(),
            ints: ints.iter().copied().zip((0..).map(Int)).collect(),
        };
        part.copy(whole, &bools, &ints);
        part
    }

    fn copy(&mut self, whole: &Problem, bools: &[BoolId], ints: &[Int]) {
        let mut copier = Copier { bools: &self.bools, ints: &self.ints };
        let terms = &mut self.problem.terms;
        terms.bools = bools.iter().map(|id| whole.bool_node(*id).map(&mut copier)).collect();
        terms.ints = ints
            .iter()
            .map(|term| IntEntry { node: whole.int_node(*term).map(&mut copier), values: whole.values(*term).clone() })
            .collect();
        // Two variables with equal domains are different terms, so variables are not in the index.
        for (id, _) in (0..).zip(&terms.bools).filter(|(_, node)| **node != BoolNode::Variable) {
            terms.bool_index.insert(id, |id| &terms.bools[id as usize]);
        }
        for (id, _) in (0..).zip(&terms.ints).filter(|(_, entry)| entry.node != IntNode::Variable) {
            terms.int_index.insert(id, |id| &terms.ints[id as usize].node);
        }
        let decision = |variable: &Variable| match variable {
            Variable::Bool(term) => self.term(*term).map(Variable::Bool),
            Variable::Int(term) => self.ints.get(term).copied().map(Variable::Int),
        };
        self.problem.decisions = whole.decisions.iter().filter_map(decision).collect();
    }

    /// Returns the term of the sub-problem for a term of the whole problem; `None` if the sub-problem does not contain
    /// it.
    pub fn term(&self, term: Bool) -> Option<Bool> {
        let (id, negated) = term.node();
        let own = self.bools.get(&id)?.positive();
        Some(if negated { !own } else { own })
    }

    /// Returns the integer term of the sub-problem for a term of the whole problem; `None` if the sub-problem does not
    /// contain it.
    pub fn int(&self, term: Int) -> Option<Int> {
        self.ints.get(&term).copied()
    }
}

/// Copies nodes whose operands have all been copied.
struct Copier<'p> {
    bools: &'p FxHashMap<BoolId, BoolId>,
    ints: &'p FxHashMap<Int, Int>,
}

impl Images for Copier<'_> {
    fn bool(&mut self, term: Bool) -> Bool {
        let (id, negated) = term.node();
        let own = self.bools[&id].positive();
        if negated { !own } else { own }
    }

    fn int(&mut self, term: Int) -> Int {
        self.ints[&term]
    }
}
