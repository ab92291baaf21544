//! The residuals of terms: their remainders once some Boolean variables have values.

use super::*;
use std::ops::ControlFlow;

/// The residuals of some terms, in a separate problem where equal residuals are the same term.
pub(crate) struct Residuals<'p> {
    old: &'p Problem,
    new: Builder,
    /// The parts of the terms that depend on the Boolean variables, operands first.
    dependent: Vec<Variable>,
    bools: FxHashMap<BoolId, Bool>,
    ints: FxHashMap<Int, Int>,
}

impl<'p> Residuals<'p> {
    /// Prepares the terms for values of these Boolean variables.
    pub(crate) fn of(problem: &'p Problem, terms: &[Int], variables: &FxHashSet<BoolId>) -> Self {
        let residuals = Residuals {
            old: problem,
            new: Builder::new(),
            dependent: Vec::new(),
            bools: FxHashMap::default(),
            ints: FxHashMap::default(),
        };
        let roots = terms.iter().map(|term| Variable::Int(*term));
        let mut state = (residuals, FxHashSet::default());
        let is_done = |(residuals, dependent): &(Self, FxHashSet<Variable>), term: Variable| {
            let is_defined = match term {
                Variable::Bool(term) => residuals.bools.contains_key(&term.node().0),
                Variable::Int(term) => residuals.ints.contains_key(&term),
            };
            is_defined || dependent.contains(&term)
        };
        let _ = problem.operands_first(roots, &mut state, is_done, |(residuals, dependent), term| {
            let mut depends = matches!(term, Variable::Bool(term) if variables.contains(&term.node().0));
            problem.operands(term, &mut |operand| depends |= dependent.contains(&operand.positive()));
            if depends {
                dependent.insert(term);
                residuals.dependent.push(term);
            // Terms that do not depend on the variables never change, so they are built only once.
            } else {
                residuals.define(term, &|_| None);
            }
            ControlFlow::<()>::Continue(())
        });
        state.0
    }

    /// Assigns values to the Boolean variables; those without a value stay variables.
    pub(crate) fn suppose(&mut self, value: impl Fn(BoolId) -> Option<bool>) {
        // `define` borrows the residuals, so the vector is taken out and each term is put back. Operands come first, so
        // each term finds the new images of its operands.
        for term in std::mem::take(&mut self.dependent) {
            self.define(term, &value);
            self.dependent.push(term);
        }
    }

    fn define(&mut self, term: Variable, value: &dyn Fn(BoolId) -> Option<bool>) {
        let old = self.old;
        match term {
            Variable::Bool(term) => {
                let id = term.node().0;
                let image = match old.bool_node(id) {
                    BoolNode::Variable => value(id).map_or_else(|| self.new.new_bool(Role::Auxiliary), Bool::from),
                    node => {
                        let node = node.map(self);
                        self.new.normal_bool(node)
                    }
                };
                self.bools.insert(id, image);
            }
            Variable::Int(term) => {
                let image = match old.int_node(term) {
                    IntNode::Variable => self.new.new_int(old.values(term).clone(), Role::Decision),
                    node => {
                        let node = node.map(self);
                        self.new.normal_int(node)
                    }
                };
                self.ints.insert(term, image);
            }
        }
    }

    /// Returns the residual of a term under the values that were assigned last.
    pub(crate) fn term(&self, term: Int) -> Option<Int> {
        self.ints.get(&term).copied()
    }

    pub(crate) fn terms(&self) -> &Terms {
        &self.new
    }

    /// Returns true if all residual terms could be built.
    pub(crate) fn are_whole(&mut self) -> bool {
        self.new.check().is_ok()
    }
}

impl Images for Residuals<'_> {
    fn bool(&mut self, term: Bool) -> Bool {
        let (id, negated) = term.node();
        let image = self.bools.get(&id).copied().unwrap_or(Bool::TRUE);
        if negated { !image } else { image }
    }

    fn int(&mut self, term: Int) -> Int {
        self.ints[&term]
    }
}
