//! Building terms: every method folds constants, brings operands into normal form and shares equal nodes.

use super::*;

impl Default for Problem {
    fn default() -> Self {
        Problem::new()
    }
}

#[allow(unused_variables)]
impl Problem {
    pub fn new() -> Self {
        todo!()
    }

    // Variables. The `decision` ones tell solutions apart.

    pub fn new_bool(&mut self, decision: bool) -> Bool {
        todo!()
    }

    /// A variable with these values. With one value it is that constant; with none, the problem becomes
    /// unsatisfiable and some constant is returned.
    pub fn new_int(&mut self, values: IntSet, decision: bool) -> Int {
        todo!()
    }

    // Booleans.

    pub fn and(&mut self, operands: impl IntoIterator<Item = Bool>) -> Bool {
        todo!()
    }
    pub fn or(&mut self, operands: impl IntoIterator<Item = Bool>) -> Bool {
        todo!()
    }
    pub fn implies(&mut self, condition: Bool, consequence: Bool) -> Bool {
        todo!()
    }
    pub fn equivalent(&mut self, left: Bool, right: Bool) -> Bool {
        todo!()
    }
    /// `condition ? yes : no`
    pub fn choose_bool(&mut self, condition: Bool, yes: Bool, no: Bool) -> Bool {
        todo!()
    }

    // Comparisons.

    pub fn equals_constant(&mut self, term: Int, value: i64) -> Bool {
        todo!()
    }
    pub fn at_most_constant(&mut self, term: Int, value: i64) -> Bool {
        todo!()
    }
    /// The term's value is in the set.
    pub fn member(&mut self, term: Int, set: &IntSet) -> Bool {
        todo!()
    }
    pub fn equal(&mut self, left: Int, right: Int) -> Bool {
        todo!()
    }
    pub fn at_most(&mut self, left: Int, right: Int) -> Bool {
        todo!()
    }
    pub fn less(&mut self, left: Int, right: Int) -> Bool {
        todo!()
    }
    pub fn all_different(&mut self, terms: impl IntoIterator<Item = Int>) -> Bool {
        todo!()
    }
    /// The terms, as a tuple, are one of the rows.
    pub fn table(&mut self, terms: &[Int], rows: Vec<Vec<i64>>) -> Bool {
        todo!()
    }

    // Integers.

    pub fn constant(&mut self, value: i64) -> Int {
        todo!()
    }
    pub fn from_bool(&mut self, term: Bool) -> Int {
        todo!()
    }
    /// `Σ coefficient · term + constant`
    pub fn linear(&mut self, terms: impl IntoIterator<Item = (i64, Int)>, constant: i64) -> Int {
        todo!()
    }
    pub fn add(&mut self, left: Int, right: Int) -> Int {
        todo!()
    }
    pub fn subtract(&mut self, left: Int, right: Int) -> Int {
        todo!()
    }
    pub fn negate(&mut self, term: Int) -> Int {
        todo!()
    }
    pub fn multiply(&mut self, left: Int, right: Int) -> Int {
        todo!()
    }
    pub fn quotient(&mut self, left: Int, right: Int) -> Int {
        todo!()
    }
    pub fn remainder(&mut self, left: Int, right: Int) -> Int {
        todo!()
    }
    pub fn power(&mut self, base: Int, exponent: Int) -> Int {
        todo!()
    }
    pub fn absolute(&mut self, term: Int) -> Int {
        todo!()
    }
    /// Of at least one term.
    pub fn minimum(&mut self, terms: impl IntoIterator<Item = Int>) -> Int {
        todo!()
    }
    /// Of at least one term.
    pub fn maximum(&mut self, terms: impl IntoIterator<Item = Int>) -> Int {
        todo!()
    }
    /// The value of the first alternative whose condition holds. If none holds, any of the values: the
    /// caller sees to it that one does, or that it does not matter. At least one alternative.
    pub fn choice(&mut self, alternatives: impl IntoIterator<Item = (Bool, Int)>) -> Int {
        todo!()
    }
    /// How many of the terms hold.
    pub fn count(&mut self, terms: impl IntoIterator<Item = Bool>) -> Int {
        todo!()
    }

    // The whole.

    pub fn require(&mut self, constraint: Bool) {
        todo!()
    }
    pub fn set_objective(&mut self, maximising: bool, value: Int) {
        todo!()
    }

    // Looking at it.

    pub fn bool_node(&self, id: BoolId) -> &BoolNode {
        &self.bools[id.0 as usize]
    }
    pub fn int_node(&self, term: Int) -> &IntNode {
        &self.ints[term.index()].node
    }
    /// The values that the term can take: never empty, exact for variables, else a superset.
    pub fn values(&self, term: Int) -> &IntSet {
        &self.ints[term.index()].values
    }
    pub fn int_constant(&self, term: Int) -> Option<i64> {
        todo!()
    }
    pub fn constraints(&self) -> &[Bool] {
        &self.constraints
    }
    pub fn decisions(&self) -> &[Variable] {
        &self.decisions
    }
    /// Whether it is maximised, and what.
    pub fn objective(&self) -> Option<(bool, Int)> {
        self.objective
    }
    /// Whether a term built since the last call can leave the range ±(2^62 − 1).
    pub fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflow)
    }
    pub fn bool_count(&self) -> usize {
        self.bools.len()
    }
    pub fn int_count(&self) -> usize {
        self.ints.len()
    }
}
