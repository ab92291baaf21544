//! Terms that differ pairwise.

use super::*;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AllDifferent {
    /// At least three terms in ascending order, no constants.
    pub terms: Box<[Int]>,
}

impl Builder {
    pub fn all_different(&mut self, terms: impl IntoIterator<Item = Int>) -> Bool {
        let mut terms: Vec<Int> = terms.into_iter().collect();
        terms.sort_unstable();
        // The terms are sorted, so a term that occurs twice has itself as a neighbour.
        if terms.windows(2).any(|two| two[0] == two[1]) {
            return Bool::FALSE;
        }
        let (constants, terms): (Vec<Int>, Vec<Int>) =
            terms.into_iter().partition(|term| self.int_constant(*term).is_some());
        let mut parts = Vec::new();
        // All other terms must avoid the value of a constant, which their domains express better than the global
        // constraint.
        for constant in constants {
            for term in &terms {
                parts.push(!self.equal(*term, constant));
            }
        }
        match terms.as_slice() {
            [] | [_] => {}
            [left, right] => parts.push(!self.equal(*left, *right)),
            _ => {
                let global = Global::AllDifferent(AllDifferent { terms: terms.into() });
                parts.push(self.intern_bool(BoolNode::Global(global)));
            }
        }
        self.and(parts)
    }
}

impl GlobalConstraint for AllDifferent {
    fn kind(&self) -> &'static str {
        "allDiff"
    }

    fn operands(&self, visit: &mut dyn FnMut(Variable)) {
        self.terms.iter().for_each(|term| visit(Variable::Int(*term)));
    }

    fn map(&self, images: &mut dyn Images) -> Global {
        Global::AllDifferent(AllDifferent { terms: self.terms.iter().map(|term| images.int(*term)).collect() })
    }

    /// Finds also that there are more terms than values. The builder leaves that to simplification, so that a proof can
    /// derive it.
    fn normal(&self, problem: &mut Builder) -> Bool {
        let ranges = self.terms.iter().flat_map(|term| problem.values(*term).ranges().iter().copied());
        if IntSet::from_ranges(ranges).size().is_some_and(|size| size < self.terms.len() as u128) {
            return Bool::FALSE;
        }
        problem.all_different(self.terms.iter().copied())
    }

    fn entailed(&self, range: &mut dyn FnMut(Int) -> ValueRange) -> Option<bool> {
        let ranges = self.terms.iter().map(|term| range(*term));
        let mut fixed: Vec<i128> = ranges.filter(|(low, high)| low == high).map(|(value, _)| value).collect();
        fixed.sort_unstable();
        if fixed.windows(2).any(|two| two[0] == two[1]) {
            return Some(false);
        }
        (fixed.len() == self.terms.len()).then_some(true)
    }

    /// Removes the value of each fixed term from the other terms (forward checking).
    fn propagate(&self, root: &mut RootPropagation) -> usize {
        let mut taken: Vec<i64> = self.terms.iter().filter_map(|term| root.single(*term)).collect();
        taken.sort_unstable();
        root.failed |= taken.windows(2).any(|two| two[0] == two[1]);
        if !taken.is_empty() {
            // With one set for all terms, the work is linear in their number.
            let free = IntSet::from_ranges(IntSet::from_values(taken).gaps());
            for term in &self.terms {
                if root.single(*term).is_none() {
                    root.narrow(*term, &free);
                }
            }
        }
        self.terms.len()
    }

    fn memory(&self) -> usize {
        size_of_val(&*self.terms)
    }

    fn print(&self, terms: &Terms, f: &mut Formatter<'_>) -> fmt::Result {
        call(f, "allDifferent", self.terms.iter().map(|term| ShownOperand(terms, *term)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_that_are_impossible_are_seen() {
        let mut problem = Builder::new();
        let [x, y, w] = [(); 3].map(|()| problem.new_int(IntSet::range(1, 2), Role::Decision));
        let two = problem.constant(2);
        assert_eq!(problem.all_different([x, x]), Bool::FALSE);
        let (not_x, not_y) = (!problem.equals_constant(x, 2), !problem.equals_constant(y, 2));
        let differ = !problem.equal(x, y);
        assert_eq!(problem.all_different([x, y, two]), problem.and([not_x, not_y, differ]));
        let too_many = AllDifferent { terms: [x, y, w].into() };
        assert_ne!(problem.all_different([x, y, w]), Bool::FALSE);
        assert_eq!(too_many.normal(&mut problem), Bool::FALSE);
    }

    #[test]
    fn entailment_is_known_of_single_values() {
        let mut problem = Builder::new();
        let terms = [(); 3].map(|()| problem.new_int(IntSet::range(1, 9), Role::Decision));
        let constraint = AllDifferent { terms: terms.into() };
        let entailed = |ranges: [ValueRange; 3]| constraint.entailed(&mut |term| ranges[term.index()]);
        assert_eq!(entailed([(1, 1), (2, 2), (3, 3)]), Some(true));
        assert_eq!(entailed([(1, 1), (1, 9), (1, 1)]), Some(false));
        assert_eq!(entailed([(1, 1), (1, 9), (2, 2)]), None);
    }
}
