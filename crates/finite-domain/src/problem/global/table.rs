//! A tuple of terms that must be one of some rows.

use super::*;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// At least two terms, no constants.
    pub terms: Box<[Int]>,
    /// The rows in ascending order, each as long as the terms.
    pub rows: Box<[Box<[i64]>]>,
}

impl Builder {
    pub fn table<R: AsRef<[i64]>>(&mut self, terms: &[Int], rows: impl IntoIterator<Item = R>) -> Bool {
        let possible = |row: &[i64]| terms.iter().zip(row).all(|(term, value)| self.values(*term).contains(*value));
        // Columns of constants have filtered the rows, so they are no longer needed.
        let free: Vec<usize> = (0..terms.len()).filter(|column| self.int_constant(terms[*column]).is_none()).collect();
        let mut kept: Vec<Box<[i64]>> = Vec::new();
        for row in rows {
            let row = row.as_ref();
            if row.len() == terms.len() && possible(row) {
                kept.push(free.iter().map(|column| row[*column]).collect());
            }
        }
        kept.sort_unstable();
        kept.dedup();
        if kept.is_empty() {
            return Bool::FALSE;
        }
        match free.as_slice() {
            // A table with one free column is a domain.
            [] => Bool::TRUE,
            [column] => self.member(terms[*column], &IntSet::from_values(kept.iter().map(|row| row[0]))),
            _ => {
                let terms = free.iter().map(|column| terms[*column]).collect();
                self.intern_bool(BoolNode::Global(Global::Table(Table { terms, rows: kept.into() })))
            }
        }
    }
}

impl GlobalConstraint for Table {
    fn kind(&self) -> &'static str {
        "tables"
    }

    fn operands(&self, visit: &mut dyn FnMut(Variable)) {
        self.terms.iter().for_each(|term| visit(Variable::Int(*term)));
    }

    fn map(&self, images: &mut dyn Images) -> Global {
        let terms = self.terms.iter().map(|term| images.int(*term)).collect();
        Global::Table(Table { terms, rows: self.rows.clone() })
    }

    fn normal(&self, problem: &mut Builder) -> Bool {
        problem.table(&self.terms, &self.rows)
    }

    fn entailed(&self, range: &mut dyn FnMut(Int) -> ValueRange) -> Option<bool> {
        let ranges: Vec<ValueRange> = self.terms.iter().map(|term| range(*term)).collect();
        let fits = |row: &[i64]| {
            row.iter().zip(&ranges).all(|(value, (low, high))| (*low..=*high).contains(&i128::from(*value)))
        };
        // The caller may use wider ranges than the domains, so this function narrows none.
        match self.rows.iter().any(|row| fits(row)) {
            // Some values in the ranges may fit no row.
            true if ranges.iter().any(|(low, high)| low < high) => None,
            any => Some(any),
        }
    }

    /// Keeps the values of a column that have a row within all domains (domain consistency).
    fn propagate(&self, root: &mut RootPropagation) -> usize {
        let mut columns: Vec<Vec<i64>> = vec![Vec::new(); self.terms.len()];
        for row in &self.rows {
            if self.terms.iter().zip(row.iter()).all(|(term, value)| root.values(*term).contains(*value)) {
                columns.iter_mut().zip(row.iter()).for_each(|(column, value)| column.push(*value));
            }
        }
        for (term, column) in self.terms.iter().zip(columns) {
            // If no row fits, the constraint fails, although it must hold.
            if column.is_empty() {
                root.failed = true;
                break;
            }
            root.narrow(*term, &IntSet::from_values(column));
        }
        self.terms.len() * self.rows.len()
    }

    fn memory(&self) -> usize {
        size_of_val(&*self.terms) + self.rows.iter().map(|row| 32 + size_of_val(&**row)).sum::<usize>()
    }

    fn print(&self, terms: &Terms, f: &mut Formatter<'_>) -> fmt::Result {
        call(f, "", self.terms.iter().map(|term| ShownOperand(terms, *term)))?;
        f.write_str(" in {")?;
        for (position, row) in self.rows.iter().enumerate() {
            call(f, if position > 0 { ", " } else { "" }, row)?;
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_one_column_is_membership() {
        let mut problem = Builder::new();
        let (x, two) = (problem.new_int(IntSet::range(1, 5), Role::Decision), problem.constant(2));
        let table = problem.table(&[two, x], [[2, 5], [1, 4], [2, 1], [2, 9]]);
        assert_eq!(table, problem.member(x, &IntSet::from_values([1, 5])));
        assert_eq!(problem.table(&[two, x], [[1, 4]]), Bool::FALSE);
    }

    #[test]
    fn entailment_is_known_of_single_values_and_of_impossible_rows() {
        let mut problem = Builder::new();
        let terms = [(); 2].map(|()| problem.new_int(IntSet::range(1, 9), Role::Decision));
        let rows = [[1, 2], [3, 4]].map(Box::from);
        let table = Table { terms: terms.into(), rows: rows.into() };
        let entailed = |ranges: [ValueRange; 2]| table.entailed(&mut |term| ranges[term.index()]);
        assert_eq!(entailed([(3, 3), (4, 4)]), Some(true));
        assert_eq!(entailed([(1, 3), (5, 9)]), Some(false));
        assert_eq!(entailed([(1, 3), (4, 9)]), None);
    }
}
