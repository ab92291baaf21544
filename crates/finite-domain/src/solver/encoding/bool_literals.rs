//! The literals of Boolean terms so far, and the implications that are written for them.

use super::*;

/// The literal of a Boolean node, and a flag for each of its two implications, set if it is needed.
#[derive(Clone, Copy, Default)]
struct Definition {
    literal: Option<Literal>,
    positive: bool,
    negative: bool,
}

/// The literals of Boolean nodes.
pub(crate) struct BoolLiterals {
    definitions: Vec<Definition>,
    /// The number of occurrences of each node, counted up to 2.
    uses: Vec<u8>,
}

impl BoolLiterals {
    pub(super) fn new(problem: &Problem) -> Self {
        BoolLiterals { definitions: vec![Definition::default(); problem.bool_count()], uses: count_uses(problem) }
    }

    /// Adds the new nodes of a problem.
    pub(super) fn grow(&mut self, problem: &Problem) {
        if problem.bool_count() > self.definitions.len() {
            self.definitions.resize(problem.bool_count(), Definition::default());
            self.uses = count_uses(problem);
        }
    }

    pub(super) fn literal(&self, id: BoolId) -> Option<Literal> {
        self.definitions[id.0 as usize].literal
    }

    pub(super) fn set(&mut self, id: BoolId, literal: Literal) {
        self.definitions[id.0 as usize].literal = Some(literal);
    }

    /// Gives a node this literal, unless it already has one.
    pub(super) fn fix(&mut self, id: BoolId, literal: Literal) {
        self.definitions[id.0 as usize].literal.get_or_insert(literal);
    }

    /// Marks the implication from the literal of a term to the term as needed; returns true if it was not needed
    /// before.
    pub(super) fn needs(&mut self, term: Bool) -> bool {
        let (id, negated) = term.node();
        let definition = &mut self.definitions[id.0 as usize];
        let side = if negated { &mut definition.negative } else { &mut definition.positive };
        !std::mem::replace(side, true)
    }

    /// Returns true if a node occurs several times or with both implications.
    pub(super) fn is_shared(&self, id: BoolId) -> bool {
        self.uses[id.0 as usize] > 1
    }

    /// Returns the value of a variable in a model, if the variable has a literal.
    pub(crate) fn value(&self, variable: Bool, holds: &mut dyn FnMut(Literal) -> bool) -> Option<bool> {
        let (id, negated) = variable.node();
        self.literal(id).map(|literal| negated != holds(literal))
    }
}

/// Counts the occurrences of each Boolean node up to 2.
fn count_uses(problem: &Problem) -> Vec<u8> {
    let mut uses = vec![0u8; problem.bool_count()];
    let mut count = |operand: Variable, times: u8| {
        if let Variable::Bool(term) = operand {
            let uses = &mut uses[term.node().0.0 as usize];
            *uses = (*uses + times).min(2);
        }
    };
    for id in 0..problem.bool_count() {
        let node = problem.bool_node(BoolId(id as u32));
        // All nodes except conjunctions use their operands in both directions.
        let times = if matches!(node, BoolNode::And(_)) { 1 } else { 2 };
        node.operands(&mut |operand| count(operand, times));
    }
    for term in problem.ints() {
        problem.int_node(term).operands(&mut |operand| count(operand, 2));
    }
    uses
}
