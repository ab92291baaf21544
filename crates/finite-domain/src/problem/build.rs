//! Construction of terms: every method folds constants, normalises operands and shares equal nodes. This file has the
//! variables, the Boolean terms and the problem as a whole; integer terms and comparisons are in the files next to it.

use super::*;
use crate::memory;
use crate::problem::tuning::terms::{OF_TERM, STOP_INTERVAL};
use std::ops::{ControlFlow, Deref};

impl Default for Terms {
    fn default() -> Self {
        Terms {
            bools: vec![BoolNode::True],
            ints: Vec::new(),
            bool_index: TermIndex::new(),
            int_index: TermIndex::new(),
            memory: 0,
        }
    }
}

impl Deref for Problem {
    type Target = Terms;

    fn deref(&self) -> &Terms {
        &self.terms
    }
}

impl Deref for Builder {
    type Target = Terms;

    fn deref(&self) -> &Terms {
        &self.problem.terms
    }
}

/// Starts a builder with a problem, to extend it.
impl From<Problem> for Builder {
    fn from(problem: Problem) -> Self {
        Builder { problem, ..Builder::default() }
    }
}

impl Builder {
    pub fn new() -> Self {
        Builder::default()
    }

    /// Sets the limits at which the construction stops.
    pub fn stop_at(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sets the number of terms above which the construction stops.
    pub fn stop_above(&mut self, terms: usize) {
        self.most_terms = Some(terms);
    }

    /// Returns the problem if all its terms could be built.
    pub fn finish(self) -> Result<Problem, Fault> {
        match self.fault {
            None => Ok(self.problem),
            Some(fault) => Err(fault),
        }
    }

    /// Returns an error if a term could not be built since the last call, for callers that know the source of a term. A
    /// number that was too large is then forgotten.
    pub fn check(&mut self) -> Result<(), Fault> {
        match self.fault {
            None => Ok(()),
            Some(Fault::Numbers) => {
                self.fault = None;
                Err(Fault::Numbers)
            }
            Some(fault) => Err(fault),
        }
    }

    /// Returns true if no further terms are built, so that the caller can stop: the result would be refused.
    pub fn is_full(&self) -> bool {
        matches!(self.fault, Some(Fault::Terms | Fault::Stopped))
    }

    /// Returns true if the construction was stopped.
    pub fn is_stopped(&self) -> bool {
        self.fault == Some(Fault::Stopped)
    }

    pub(super) fn intern_bool(&mut self, node: BoolNode) -> Bool {
        if let Some(id) = self.bool_index.find(&node, |id| &self.bools[id as usize]) {
            return BoolId(id).positive();
        }
        // The caller needs a term; `finish` returns the fault.
        if !self.has_room() {
            return Bool::FALSE;
        }
        let id = BoolId(self.bools.len() as u32);
        let terms = &mut self.problem.terms;
        terms.memory += OF_TERM + node.memory() as u64;
        terms.bools.push(node);
        terms.bool_index.insert(id.0, |id| &terms.bools[id as usize]);
        id.positive()
    }

    pub(super) fn intern_int(&mut self, node: IntNode, values: IntSet) -> Int {
        if let Some(term) = self.int_index.find(&node, |id| &self.ints[id as usize].node) {
            return Int(term);
        }
        if !self.has_room() && !self.ints.is_empty() {
            return Int(0);
        }
        let values = self.checked(values);
        // The normal form of a term with a single value is a constant.
        if let (Some(value), Some(1), false) =
            (IntSet::min(&values), values.size(), matches!(node, IntNode::Constant(_)))
        {
            return self.constant(value);
        }
        let term = Int(self.ints.len() as u32);
        let terms = &mut self.problem.terms;
        terms.memory += OF_TERM + node.memory() as u64 + values_size(&values);
        terms.ints.push(IntEntry { node, values });
        terms.int_index.insert(term.0, |id| &terms.ints[id as usize].node);
        term
    }

    fn has_room(&mut self) -> bool {
        if self.size() >= memory::most_terms() || self.memory >= memory::for_terms() {
            self.fault = Some(Fault::Terms);
        }
        if self.size().is_multiple_of(STOP_INTERVAL) {
            let are_enough = self.most_terms.is_some_and(|most| self.size() >= most);
            if are_enough || self.limits.reached().is_some() {
                self.fault = Some(Fault::Stopped);
            }
        }
        !self.is_full()
    }

    /// Records a term that may exceed the range of checked integers.
    pub(super) fn leaves_range(&mut self) {
        self.fault.get_or_insert(Fault::Numbers);
    }

    /// Makes a Boolean variable.
    pub fn new_bool(&mut self, role: Role) -> Bool {
        if !self.has_room() {
            return Bool::FALSE;
        }
        let term = BoolId(self.bools.len() as u32).positive();
        self.problem.terms.memory += OF_TERM;
        self.problem.terms.bools.push(BoolNode::Variable);
        if role == Role::Decision {
            self.problem.decisions.push(Variable::Bool(term));
        }
        term
    }

    /// Makes a variable with these values. With a single value, it is that constant; without values, the problem
    /// becomes unsatisfiable, and some constant is returned.
    pub fn new_int(&mut self, values: IntSet, role: Role) -> Int {
        match (IntSet::min(&values), IntSet::max(&values)) {
            (Some(low), Some(high)) if low == high => self.constant(low),
            (Some(low), Some(_)) if !self.has_room() => self.constant(low),
            (Some(_), Some(_)) => {
                let values = self.checked(values);
                let term = Int(self.ints.len() as u32);
                self.problem.terms.memory += OF_TERM + values_size(&values);
                self.problem.terms.ints.push(IntEntry { node: IntNode::Variable, values });
                if role == Role::Decision {
                    self.problem.decisions.push(Variable::Int(term));
                }
                term
            }
            _ => {
                self.require(Bool::FALSE);
                self.constant(0)
            }
        }
    }

    pub fn and(&mut self, operands: impl IntoIterator<Item = Bool>) -> Bool {
        let mut kept: Vec<Bool> = Vec::new();
        for operand in operands {
            match operand {
                Bool::TRUE => {}
                Bool::FALSE => return Bool::FALSE,
                operand => kept.push(operand),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        // In sorted order, a term and its negation are adjacent.
        if kept.windows(2).any(|two| two[0] == !two[1]) {
            return Bool::FALSE;
        }
        match kept.as_slice() {
            [] => Bool::TRUE,
            [single] => *single,
            _ => self.intern_bool(BoolNode::And(kept.into())),
        }
    }

    pub fn or(&mut self, operands: impl IntoIterator<Item = Bool>) -> Bool {
        !self.and(operands.into_iter().map(|operand| !operand))
    }

    pub fn implies(&mut self, condition: Bool, consequence: Bool) -> Bool {
        !self.and([condition, !consequence])
    }

    pub fn equivalent(&mut self, left: Bool, right: Bool) -> Bool {
        match (left.constant(), right.constant()) {
            (Some(true), _) => return right,
            (Some(false), _) => return !right,
            (_, Some(true)) => return left,
            (_, Some(false)) => return !left,
            _ => {}
        }
        let ((left, left_negated), (right, right_negated)) = (left.node(), right.node());
        if left == right {
            return Bool::from(left_negated == right_negated);
        }
        let (first, second) = (left.min(right).positive(), left.max(right).positive());
        let same = self.intern_bool(BoolNode::Equivalent(first, second));
        if left_negated == right_negated { same } else { !same }
    }

    /// Returns `condition ? yes : no`.
    #[cfg(test)]
    pub fn choose_bool(&mut self, condition: Bool, yes: Bool, no: Bool) -> Bool {
        if yes == no {
            return yes;
        }
        if yes == !no {
            return self.equivalent(condition, yes);
        }
        let first = self.implies(condition, yes);
        let second = self.implies(!condition, no);
        self.and([first, second])
    }

    /// Returns the term of a node in normal form, simplified by what is known of the operands. Variables have no normal
    /// form; the caller replaces them.
    pub(super) fn normal_bool(&mut self, node: BoolNode) -> Bool {
        match node {
            BoolNode::True => Bool::TRUE,
            BoolNode::Variable => unreachable!("a variable has no normal form"),
            BoolNode::And(parts) => self.and(parts),
            BoolNode::Equivalent(left, right) => self.equivalent(left, right),
            BoolNode::Equals(term, value) => self.equals_constant(term, value),
            BoolNode::AtMost(term, value) => self.at_most_constant(term, value),
            BoolNode::Same(left, right) => self.equal(left, right),
            BoolNode::LinearAtMost(terms, bound) => {
                let (terms, constant) = self.collect_terms(terms, 0, usize::MAX);
                self.linear_at_most(terms, i128::from(bound) - constant)
            }
            BoolNode::LinearEquals(terms, bound) => {
                let (terms, constant) = self.collect_terms(terms, 0, usize::MAX);
                self.linear_equals(terms, i128::from(bound) - constant)
            }
            BoolNode::Global(global) => global.normal(self),
        }
    }

    /// Returns the integer term of a node in normal form, like [`Builder::normal_bool`].
    pub(super) fn normal_int(&mut self, node: IntNode) -> Int {
        match node {
            IntNode::Constant(value) => self.constant(value),
            IntNode::Variable => unreachable!("a variable has no normal form"),
            IntNode::FromBool(condition) => self.int_of(condition),
            IntNode::Linear(terms, constant) => self.linear(terms, constant),
            IntNode::Binary(Operation::Product, left, right) => self.multiply(left, right),
            IntNode::Binary(Operation::Quotient, left, right) => self.quotient(left, right),
            IntNode::Binary(Operation::Remainder, left, right) => self.remainder(left, right),
            IntNode::Binary(Operation::Power, base, exponent) => self.power(base, exponent),
            IntNode::Absolute(term) => self.absolute(term),
            IntNode::Extreme(extreme, terms) => self.extreme(extreme, terms),
            IntNode::Choice(alternatives) => self.choice(alternatives),
        }
    }

    /// Adds a constraint; the parts of a conjunction become separate constraints.
    pub fn require(&mut self, constraint: Bool) {
        self.problem.require(constraint);
    }

    /// Removes the constraints that start at this position and returns them.
    pub fn take_constraints(&mut self, from: usize) -> Vec<Bool> {
        self.problem.take_constraints(from)
    }

    pub fn set_objective(&mut self, sense: Sense, terms: Vec<Int>) {
        self.problem.objective = Some(Objective { sense, terms });
    }

    /// Records that the constraints make this an injective sequence, see [`Problem::sequences`].
    pub fn note_sequence(&mut self, places: Vec<(Bool, Int)>) {
        self.problem.sequences.push(places);
    }

    pub fn constraints(&self) -> &[Bool] {
        &self.problem.constraints
    }
}

/// Constraints may be added to a problem or removed from it as long as its terms suffice.
impl Problem {
    /// Adds a constraint; the parts of a conjunction become separate constraints.
    pub fn require(&mut self, constraint: Bool) {
        let mut open = vec![constraint];
        while let Some(constraint) = open.pop() {
            match (constraint.node(), &self.terms.bools[constraint.node().0.0 as usize]) {
                ((_, false), BoolNode::True) => {}
                // The stack returns the last part first, so the parts are pushed in reverse to keep the order of
                // constraints.
                ((_, false), BoolNode::And(parts)) => open.extend(parts.iter().rev()),
                _ => self.constraints.push(constraint),
            }
        }
    }

    /// Removes the constraints that start at this position and returns them.
    pub fn take_constraints(&mut self, from: usize) -> Vec<Bool> {
        self.constraints.split_off(from)
    }

    /// Returns the problem without some of its constraints.
    pub fn without(&self, constraints: &[Bool]) -> Problem {
        let left_out: FxHashSet<&Bool> = constraints.iter().collect();
        let mut problem = self.clone();
        problem.constraints.retain(|constraint| !left_out.contains(constraint));
        problem
    }

    pub fn constraints(&self) -> &[Bool] {
        &self.constraints
    }

    /// Adds a constraint that at least one of each class of symmetric solutions satisfies, together with the earlier
    /// ones.
    pub fn break_symmetry(&mut self, constraint: Bool) {
        self.symmetry_breaking.push(constraint);
    }

    pub fn symmetry_breaking(&self) -> &[Bool] {
        &self.symmetry_breaking
    }

    pub fn set_families(&mut self, families: Vec<Vec<Vec<Variable>>>) {
        self.families = families;
    }

    /// The families of decision variables: each family has similar groups of variables in their order, such as the rows
    /// of a matrix, the members of a set or the parts of a partition.
    pub fn families(&self) -> &[Vec<Vec<Variable>>] {
        &self.families
    }

    /// The injective sequences, each as a list of places: the condition that the sequence reaches the place, and the
    /// term at it. The sequence reaches the first places, and their terms differ.
    pub fn sequences(&self) -> &[Vec<(Bool, Int)>] {
        &self.sequences
    }

    pub fn decisions(&self) -> &[Variable] {
        &self.decisions
    }

    /// Returns true if an assignment satisfies all constraints.
    pub fn is_satisfied_by(&self, assignment: &Assignment) -> bool {
        self.constraints().iter().all(|constraint| self.bool_value(*constraint, assignment))
    }

    /// Returns the problem of all assignments that are as good as this one: the objective becomes a constraint.
    pub fn as_good_as(&self, assignment: &Assignment) -> Result<Problem, Fault> {
        let mut builder = Builder::from(self.clone());
        if let Some(objective) = builder.problem.objective.take() {
            for term in objective.terms {
                let good = builder.equals_constant(term, self.int_value(term, assignment));
                builder.require(good);
            }
        }
        builder.finish()
    }

    /// Returns the problem of the assignments beyond these, without an objective: those that are better than the last
    /// one if the problem has an objective, otherwise those that differ from each found one in some decision.
    pub fn beyond_found(&self, found: &[Assignment]) -> Result<Problem, Fault> {
        let mut builder = Builder::from(self.clone());
        match (builder.problem.objective.take(), found.last()) {
            (Some(Objective { sense, terms }), Some(best)) => {
                // A tuple of goals is better if some term is better and all earlier terms are as good.
                let (mut alternatives, mut as_good) = (Vec::new(), Vec::new());
                for term in terms {
                    let value = self.int_value(term, best);
                    let better = builder.at_least_as_good(sense, term, sense.step(value));
                    alternatives.push(builder.and(as_good.iter().copied().chain([better])));
                    as_good.push(builder.equals_constant(term, value));
                }
                let better = builder.or(alternatives);
                builder.require(better);
            }
            _ => {
                for assignment in found {
                    let differences: Vec<Bool> = self
                        .decisions
                        .iter()
                        .map(|decision| match *decision {
                            Variable::Bool(term) if self.bool_value(term, assignment) => !term,
                            Variable::Bool(term) => term,
                            Variable::Int(term) => !builder.equals_constant(term, self.int_value(term, assignment)),
                        })
                        .collect();
                    let differs = builder.or(differences);
                    builder.require(differs);
                }
            }
        }
        builder.finish()
    }

    /// Returns the problem of the assignments that none of these vectors of values of the objective's terms dominates
    /// or equals (Pareto front). Each vector must have been the best remaining one in lexicographic order.
    pub fn beyond(&self, known: &[Vec<i64>]) -> Result<Problem, Fault> {
        let mut builder = Builder::from(self.clone());
        if let (Some(Objective { sense, terms }), Some(last)) = (self.objective(), known.last()) {
            // The first term can only get worse from here, so some other term must be better than in each known vector.
            let others = |values: &Vec<i64>| values[1..].to_vec();
            let covers = |one: &[i64], other: &[i64]| {
                one.iter().zip(other).all(|(one, other)| one == other || sense.is_better(one, other))
            };
            for values in known.iter().map(others) {
                // If another vector dominates this one in the other terms, its clause is stronger.
                if known.iter().map(others).any(|other| other != values && covers(&other, &values)) {
                    continue;
                }
                let better: Vec<Bool> = terms[1..]
                    .iter()
                    .zip(values)
                    .map(|(term, value)| builder.at_least_as_good(*sense, *term, sense.step(value)))
                    .collect();
                let better = builder.or(better);
                builder.require(better);
            }
            if let Some(first) = terms.first() {
                let better = builder.at_least_as_good(*sense, *first, sense.step(last[0]));
                builder.require(!better);
            }
        }
        builder.finish()
    }

    pub fn objective(&self) -> Option<&Objective> {
        self.objective.as_ref()
    }
}

impl Terms {
    /// Visits the operands of a term.
    pub fn operands(&self, term: Variable, visit: &mut impl FnMut(Variable)) {
        match term {
            Variable::Bool(term) => self.bool_node(term.node().0).operands(visit),
            Variable::Int(term) => self.int_node(term).operands(visit),
        }
    }

    /// Visits terms and all their operands, recursively, each term once and Booleans without their signs. The visitor
    /// returns true if the operands of a term should be visited, too.
    pub fn visit(&self, roots: impl IntoIterator<Item = Variable>, mut visitor: impl FnMut(Variable) -> bool) {
        let mut seen = FxHashSet::default();
        let mut open: Vec<Variable> = roots.into_iter().collect();
        while let Some(term) = open.pop() {
            let term = term.positive();
            if seen.insert(term) && visitor(term) {
                self.operands(term, &mut |operand| open.push(operand));
            }
        }
    }

    /// Visits terms after all their operands, Booleans without their signs. Terms that are done are skipped; the
    /// visitor marks a term as done, or ends the walk.
    pub(super) fn operands_first<State, End>(
        &self,
        roots: impl IntoIterator<Item = Variable>,
        state: &mut State,
        is_done: impl Fn(&State, Variable) -> bool,
        mut visitor: impl FnMut(&mut State, Variable) -> ControlFlow<End>,
    ) -> ControlFlow<End> {
        let mut open: Vec<Variable> = roots.into_iter().map(Variable::positive).collect();
        while let Some(&term) = open.last() {
            // A term stays on the stack until its operands are done; it is visited when it is on top again.
            let before = open.len();
            let visits = !is_done(state, term);
            if visits {
                self.operands(term, &mut |operand| {
                    let operand = operand.positive();
                    if !is_done(state, operand) {
                        open.push(operand);
                    }
                });
            }
            if open.len() == before {
                open.pop();
                if visits {
                    visitor(state, term)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns true if a term, or its negation, is a variable.
    pub fn is_variable(&self, term: Variable) -> bool {
        match term {
            Variable::Bool(term) => *self.bool_node(term.node().0) == BoolNode::Variable,
            Variable::Int(term) => *self.int_node(term) == IntNode::Variable,
        }
    }

    /// The variables: Booleans, then integers.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        let bools = (0..self.bools.len() as u32).map(|id| Variable::Bool(BoolId(id).positive()));
        bools.chain(self.ints().map(Variable::Int)).filter(|term| self.is_variable(*term))
    }

    pub fn bool_node(&self, id: BoolId) -> &BoolNode {
        &self.bools[id.0 as usize]
    }

    pub fn int_node(&self, term: Int) -> &IntNode {
        &self.ints[term.index()].node
    }

    /// Returns the possible values of the term: never empty, exact for variables, otherwise a superset.
    pub fn values(&self, term: Int) -> &IntSet {
        &self.ints[term.index()].values
    }

    pub fn int_constant(&self, term: Int) -> Option<i64> {
        match self.ints[term.index()].node {
            IntNode::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The integer term with this index.
    pub fn int(&self, index: usize) -> Int {
        Int(index as u32)
    }

    /// The number of terms.
    pub fn size(&self) -> usize {
        self.bools.len() + self.ints.len()
    }

    /// An estimate of the memory of the terms in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    pub fn bool_count(&self) -> usize {
        self.bools.len()
    }

    pub fn int_count(&self) -> usize {
        self.ints.len()
    }

    /// The terms of all sums and linear constraints.
    pub fn sums(&self) -> impl Iterator<Item = &Linear> + '_ {
        let ints = self.ints.iter().filter_map(|entry| match &entry.node {
            IntNode::Linear(terms, _) => Some(terms),
            _ => None,
        });
        let bools = self.bools.iter().filter_map(|node| match node {
            BoolNode::LinearAtMost(terms, _) | BoolNode::LinearEquals(terms, _) => Some(terms),
            _ => None,
        });
        ints.chain(bools)
    }

    /// The integer terms of the problem.
    pub fn ints(&self) -> impl Iterator<Item = Int> + use<> {
        (0..self.ints.len() as u32).map(Int)
    }
}

fn values_size(values: &IntSet) -> u64 {
    size_of_val(values.ranges()) as u64
}
