//! Numbers that are chosen by the values of two terms, such as the distance of two places.

use super::*;

/// The most entries that are written down where they are not there as terms.
const MOST_ENTRIES: u128 = 1_000_000;

/// Numbers by the values of two terms. All pairs of values without an entry have the number `others`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    pub indices: [Int; 2],
    numbers: FxHashMap<[i64; 2], i64>,
    others: i64,
}

impl Entries {
    pub fn number(&self, values: [i64; 2]) -> i64 {
        self.numbers.get(&values).copied().unwrap_or(self.others)
    }
}

impl Terms {
    /// The entries, if a choice is made by the values of two terms and is among constants.
    pub fn entries_of_choice(&self, alternatives: &[(Bool, Int)]) -> Option<Entries> {
        match self.index_of_choice(alternatives) {
            Some(index) => self.entries_of_rows(index, alternatives),
            None => self.entries_of_pairs(alternatives),
        }
    }

    /// Each alternative is a row, in which another term chooses, as in a matrix with two indices.
    fn entries_of_rows(&self, index: Int, alternatives: &[(Bool, Int)]) -> Option<Entries> {
        let mut rows: FxHashMap<i64, Int> = FxHashMap::default();
        for (condition, row) in alternatives {
            if let BoolNode::Equals(_, value) = self.bool_node(condition.node().0) {
                rows.entry(*value).or_insert(*row);
            }
        }
        let (_, last) = alternatives.last()?;
        let column_index = |row: &Int| match self.int_node(*row) {
            IntNode::Choice(columns) => self.index_of_choice(columns),
            _ => None,
        };
        let other = alternatives.iter().find_map(|(_, row)| column_index(row)).filter(|other| *other != index)?;
        let (row_values, column_values) = (self.values(index), self.values(other));
        if row_values.size()?.checked_mul(column_values.size()?)? > MOST_ENTRIES {
            return None;
        }
        let mut numbers = FxHashMap::default();
        for value in row_values.iter() {
            let row = rows.get(&value).unwrap_or(last);
            let columns = match self.int_node(*row) {
                IntNode::Constant(number) => {
                    numbers.extend(column_values.iter().map(|column| ([value, column], *number)));
                    continue;
                }
                IntNode::Choice(columns) if column_index(row) == Some(other) => columns,
                _ => return None,
            };
            let (_, rest) = columns.last()?;
            let rest = self.int_constant(*rest)?;
            numbers.extend(column_values.iter().map(|column| ([value, column], rest)));
            for (condition, term) in columns.iter().rev() {
                let number = self.int_constant(*term)?;
                if let BoolNode::Equals(_, column) = self.bool_node(condition.node().0) {
                    numbers.insert([value, *column], number);
                }
            }
        }
        Some(Entries { indices: [index, other], numbers, others: 0 })
    }

    /// The condition of each alternative is about the values of both terms.
    fn entries_of_pairs(&self, alternatives: &[(Bool, Int)]) -> Option<Entries> {
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
