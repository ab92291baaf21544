//! "The value of the first alternative whose condition holds".
//!
//! Each alternative, under the condition that it is the one, makes the term equal to its value. An access by
//! index has conditions `x = c` of one term, which exclude each other already; otherwise the condition of an
//! alternative is followed by "no earlier one held".

use super::*;
use rustc_hash::FxHashSet;

/// Up to this many earlier conditions are repeated in the clauses of an alternative.
const REPEATED: usize = 3;

impl<S: Sink> Encoder<'_, S> {
    pub(super) fn choice(&mut self, whole: Term, alternatives: &[(Bool, Int)]) {
        let Some(((_, last), earlier)) = alternatives.split_last() else { return };
        match self.problem.index_of_choice(alternatives) {
            Some(index) => self.indexed(whole, Term::of(index), earlier, *last),
            None => self.guarded(whole, earlier, *last),
        }
    }

    fn indexed(&mut self, whole: Term, index: Term, alternatives: &[(Bool, Int)], last: Int) {
        let domain = self.domain(index);
        let mut known: FxHashSet<i64> = FxHashSet::default();
        let mut cases: Vec<(Literal, Int)> = Vec::new();
        for (condition, term) in alternatives {
            if let BoolNode::Equals(_, value) = self.problem.bool_node(condition.node().0)
                // The index may have lost the value.
                && domain.position(*value).is_some()
                && known.insert(*value)
            {
                cases.push((self.equals(index, *value), *term));
            }
        }
        if domain.size() <= known.len() as u128 + 1 {
            let rest = domain.values().find(|value| !known.contains(value));
            if let Some(value) = rest {
                cases.push((self.equals(index, value), last));
            }
        } else {
            let rest = self.none_of(Literal::TRUE, cases.iter().map(|case| case.0).collect());
            cases.push((rest, last));
        }
        let mut constants: Option<FxHashMap<i64, Vec<Literal>>> = Some(FxHashMap::default());
        for (condition, term) in &cases {
            if *condition != Literal::FALSE {
                self.same(&[!*condition], whole, Term::of(*term));
                match (self.problem.int_constant(*term), &mut constants) {
                    (Some(value), Some(supports)) => supports.entry(value).or_default().push(*condition),
                    _ => constants = None,
                }
            }
        }
        // A value of the whole needs an index that leads to it.
        for (value, support) in constants.into_iter().flatten() {
            let value = self.equals(whole, value);
            self.clause([!value].into_iter().chain(support));
        }
    }

    fn guarded(&mut self, whole: Term, alternatives: &[(Bool, Int)], last: Int) {
        // "No earlier condition held" is this literal and the negation of the conditions after it.
        let mut none = Literal::TRUE;
        let mut since: Vec<Literal> = Vec::new();
        for (condition, term) in alternatives {
            let condition = self.both(*condition);
            let mut unless = vec![!none, !condition];
            unless.extend(since.iter().copied());
            self.same(&unless, whole, Term::of(*term));
            since.push(condition);
            if since.len() > REPEATED {
                none = self.none_of(none, std::mem::take(&mut since));
            }
        }
        let mut unless = vec![!none];
        unless.extend(since);
        self.same(&unless, whole, Term::of(last));
    }

    /// A literal for "the first one holds, and none of the others".
    fn none_of(&mut self, first: Literal, others: Vec<Literal>) -> Literal {
        let none = self.new_variable();
        self.clause([!none, first]);
        for other in &others {
            self.clause([!none, !*other]);
        }
        self.clause([none, !first].into_iter().chain(others));
        none
    }
}
