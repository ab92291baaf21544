//! Numbers that are chosen by the values of two terms, such as the distance of two places.

use super::*;

/// Numbers by the values of two terms. All pairs of values without an entry have the number `others`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entries {
    pub indices: [Int; 2],
    numbers: FxHashMap<[i64; 2], i64>,
    others: i64,
}

impl Entries {
    pub(crate) fn number(&self, values: [i64; 2]) -> i64 {
        self.numbers.get(&values).copied().unwrap_or(self.others)
    }
}

impl Terms {
    /// The entries, if a choice is made by the values of two terms and is among constants.
    pub(crate) fn entries_of_choice(&self, alternatives: &[(Bool, Int)]) -> Option<Entries> {
        let ((_, last), earlier) = alternatives.split_last()?;
        let others = self.int_constant(*last)?;
        let mut entries: Option<Entries> = None;
        for (condition, term) in earlier {
            let number = self.int_constant(*term)?;
            for (indices, values) in self.pairs(*condition)? {
                let entries = entries.get_or_insert_with(|| Entries { indices, numbers: FxHashMap::default(), others });
                if entries.indices != indices {
                    return None;
                }
                entries.numbers.entry(values).or_insert(number);
            }
        }
        entries
    }

    /// The pairs of values of two terms for which a condition holds, if it says nothing else.
    fn pairs(&self, condition: Bool) -> Option<Vec<([Int; 2], [i64; 2])>> {
        let (id, negated) = condition.node();
        match (self.bool_node(id), negated) {
            (BoolNode::And(parts), false) => {
                let equation = |part: Bool| match (self.bool_node(part.node().0), part.node().1) {
                    (BoolNode::Equals(term, value), false) => Some((*term, *value)),
                    _ => None,
                };
                let [one, other] = **parts else { return None };
                let (mut one, mut other) = (equation(one)?, equation(other)?);
                if one.0 > other.0 {
                    std::mem::swap(&mut one, &mut other);
                }
                (one.0 != other.0).then(|| vec![([one.0, other.0], [one.1, other.1])])
            }
            // A disjunction.
            (BoolNode::And(parts), true) => {
                let pairs: Option<Vec<_>> = parts.iter().map(|part| self.pairs(!*part)).collect();
                Some(pairs?.concat())
            }
            _ => None,
        }
    }
}
