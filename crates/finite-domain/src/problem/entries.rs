//! Numbers that are looked up by the values of two terms, such as the distance of two places.

use super::*;
use crate::problem::tuning::terms::MOST_ENTRIES;

/// Numbers by the values of two terms. All other pairs of values have the number `others`.
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

/// The terms that a choice selects by the value of another term.
struct Selection {
    index: Int,
    chosen: FxHashMap<i64, Int>,
    /// The term for all other values of the index.
    rest: Int,
}

impl Selection {
    fn term(&self, value: i64) -> Int {
        self.chosen.get(&value).copied().unwrap_or(self.rest)
    }
}

impl Terms {
    /// Returns the entries if the values of two terms determine the choice and all alternatives are constants.
    pub fn entries_of_choice(&self, alternatives: &[(Bool, Int)]) -> Option<Entries> {
        match self.selection(alternatives) {
            Some(rows) => self.entries_of_rows(&rows),
            None => self.entries_of_pairs(alternatives),
        }
    }

    /// Each alternative is a row, in which another term chooses, as in a matrix with two indices.
    fn entries_of_rows(&self, rows: &Selection) -> Option<Entries> {
        let columns = |row: Int| match self.int_node(row) {
            IntNode::Choice(columns) => self.selection(columns),
            _ => None,
        };
        // Rows that have become constants have no column index, so it comes from the first row that is still a choice.
        let terms = rows.chosen.values().copied().chain([rows.rest]);
        let other = terms.filter_map(columns).map(|columns| columns.index).find(|other| *other != rows.index)?;
        let (row_values, column_values) = (self.values(rows.index), self.values(other));
        // The loop below visits all pairs of values, so their number is checked first.
        if row_values.size()?.checked_mul(column_values.size()?)? > MOST_ENTRIES {
            return None;
        }
        let mut numbers = FxHashMap::default();
        for value in row_values.iter() {
            let row = rows.term(value);
            // A row of equal numbers is already a constant.
            match self.int_constant(row) {
                Some(number) => numbers.extend(column_values.iter().map(|column| ([value, column], number))),
                None => {
                    let columns = columns(row).filter(|columns| columns.index == other)?;
                    for column in column_values.iter() {
                        numbers.insert([value, column], self.int_constant(columns.term(column))?);
                    }
                }
            }
        }
        Some(Entries { indices: [rows.index, other], numbers, others: 0 })
    }

    /// Returns the selection by the value of one term, if the conditions of all alternatives but the last compare that
    /// term with numbers, or are disjunctions of such comparisons.
    fn selection(&self, alternatives: &[(Bool, Int)]) -> Option<Selection> {
        let ((_, rest), earlier) = alternatives.split_last()?;
        let mut selection: Option<Selection> = None;
        for (condition, term) in earlier {
            let (index, values) = self.values_where(*condition)?;
            let none = || Selection { index, chosen: FxHashMap::default(), rest: *rest };
            let selection = selection.get_or_insert_with(none);
            if selection.index != index {
                return None;
            }
            for value in values {
                // If several alternatives have a value, the first one is chosen.
                selection.chosen.entry(value).or_insert(*term);
            }
        }
        selection
    }

    /// Returns the values of a term for which a condition holds, if it depends on nothing else.
    fn values_where(&self, condition: Bool) -> Option<(Int, Vec<i64>)> {
        let (id, negated) = condition.node();
        let filtered = |term: Int, holds: &dyn Fn(i64) -> bool| {
            let values = self.values(term);
            let few = values.size().is_some_and(|size| size <= MOST_ENTRIES);
            few.then(|| (term, values.iter().filter(|value| holds(*value) != negated).collect()))
        };
        match self.bool_node(id) {
            BoolNode::Equals(term, value) if !negated => Some((*term, vec![*value])),
            BoolNode::Equals(term, value) => filtered(*term, &|other| other == *value),
            BoolNode::AtMost(term, value) => filtered(*term, &|other| other <= *value),
            BoolNode::And(parts) if negated => {
                let mut parts = parts.iter().map(|part| self.values_where(!*part));
                let (term, mut values) = parts.next()??;
                for part in parts {
                    let (_, others) = part.filter(|(other, _)| *other == term)?;
                    values.extend(others);
                }
                Some((term, values))
            }
            _ => None,
        }
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

    /// Returns the pairs of values of two terms for which a condition holds, if it depends on nothing else.
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
                // All alternatives must have the indices in the same order.
                if one.0 > other.0 {
                    std::mem::swap(&mut one, &mut other);
                }
                (one.0 != other.0).then(|| vec![([one.0, other.0], [one.1, other.1])])
            }
            // A negated conjunction is a disjunction.
            (BoolNode::And(parts), true) => {
                let pairs: Option<Vec<_>> = parts.iter().map(|part| self.pairs(!*part)).collect();
                Some(pairs?.concat())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal numbers in a row share an alternative, whose condition is a disjunction.
    #[test]
    fn rows_with_equal_numbers_have_entries() {
        let numbers = [[4, 7, 4, 9], [1, 1, 2, 3], [5, 5, 5, 5], [8, 6, 2, 6]];
        let mut problem = Builder::new();
        let [row, column] = [0, 1].map(|_| problem.new_int(IntSet::range(1, 4), Role::Decision));
        let mut rows = Vec::new();
        for (line, value) in numbers.iter().zip(1..) {
            let mut columns = Vec::new();
            for number in line {
                let places = line.iter().zip(1..).filter(|(other, _)| *other == number).map(|(_, place)| place);
                let equations: Vec<Bool> = places.map(|place| problem.equals_constant(column, place)).collect();
                columns.push((problem.or(equations), problem.constant(*number)));
            }
            rows.push((problem.equals_constant(row, value), problem.choice(columns)));
        }
        let chosen = problem.choice(rows);
        let problem = problem.finish().expect("small numbers");
        let IntNode::Choice(alternatives) = problem.int_node(chosen) else { panic!("a choice of rows") };
        let entries = problem.entries_of_choice(alternatives).expect("numbers by two values");
        assert_eq!(entries.indices, [row, column]);
        for (line, value) in numbers.iter().zip(1..) {
            for (number, place) in line.iter().zip(1..) {
                assert_eq!(entries.number([value, place]), *number, "row {value}, column {place}");
            }
        }
    }
}
