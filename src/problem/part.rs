//! The part of a problem that some terms depend on, as a problem of its own: a check that concerns few terms is solved there
//! without a thought about the others.

use super::*;

/// Some terms of a problem with all that they are made of.
#[derive(Debug)]
pub(crate) struct SubProblem {
    /// The sub-problem: its decisions are the decisions among the variables of these terms, and it has no constraints.
    pub problem: Problem,
    bools: FxHashMap<BoolId, BoolId>,
    ints: FxHashMap<Int, Int>,
}

impl SubProblem {
    /// The part of a problem that the terms are in. Terms keep their order, and so their normal forms.
    pub(crate) fn of(whole: &Problem, terms: impl IntoIterator<Item = Bool>) -> SubProblem {
        let (mut bools, mut ints) = (FxHashSet::from_iter([BoolId(0)]), FxHashSet::default());
        let mut open: Vec<Variable> = terms.into_iter().map(Variable::Bool).collect();
        while let Some(term) = open.pop() {
            let is_new = match term {
                Variable::Bool(term) => bools.insert(term.node().0),
                Variable::Int(term) => ints.insert(term),
            };
            if is_new {
                whole.operands(term, &mut |part| open.push(part));
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
        let mut part = SubProblem { problem: Problem::default(), bools, ints };
        part.copy(whole);
        part
    }

    fn copy(&mut self, whole: &Problem) {
        let mut bools: Vec<BoolId> = self.bools.keys().copied().collect();
        bools.sort_unstable();
        let mut ints: Vec<Int> = self.ints.keys().copied().collect();
        ints.sort_unstable();
        let mut copier = Copier { bools: &self.bools, ints: &self.ints };
        let terms = &mut self.problem.terms;
        terms.bools = bools.iter().map(|id| whole.bool_node(*id).map(&mut copier)).collect();
        terms.ints = ints
            .iter()
            .map(|term| IntEntry { node: whole.int_node(*term).map(&mut copier), values: whole.values(*term).clone() })
            .collect();
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

    /// The term of the sub-problem that stands for a term of the whole problem, if it is part of it.
    pub(crate) fn term(&self, term: Bool) -> Option<Bool> {
        let (id, negated) = term.node();
        let own = self.bools.get(&id)?.positive();
        Some(if negated { !own } else { own })
    }
}

/// Copies nodes, all of whose operands are there.
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
