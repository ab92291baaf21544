//! Table constraints: a literal for each row implies its cells, and each value of a column implies one of the rows that
//! have it (Bacchus, "GAC via unit propagation", 2007).

use super::*;

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    pub(super) fn some_row(&mut self, Table { terms, rows }: &Table) -> Result {
        self.literals.out.afford(rows.len() as u128 * terms.len() as u128 * 2)?;
        let chosen: Vec<Literal> = rows.iter().map(|_| self.literals.out.new_variable()).collect();
        self.clause(chosen.iter().copied());
        for (column, term) in terms.iter().enumerate() {
            let term = EncodedTerm::of(*term);
            let mut supports: FxHashMap<i64, Vec<Literal>> = FxHashMap::default();
            for (row, chosen) in rows.iter().zip(&chosen) {
                supports.entry(row[column]).or_default().push(*chosen);
                let cell = self.literals.equals(term, row[column])?;
                self.literals.out.clause([!*chosen, cell]);
            }
            // A log-encoded term has no literals that need support.
            if self.literals.terms.is_log_encoded(term) {
                continue;
            }
            let domain = self.literals.terms.domain(term);
            self.literals.out.afford(domain.size())?;
            for value in domain.values() {
                let cell = self.literals.equals(term, value)?;
                let support = supports.remove(&value).unwrap_or_default();
                self.clause([!cell].into_iter().chain(support));
            }
        }
        Ok(())
    }

    pub(super) fn no_row(&mut self, Table { terms, rows }: &Table) -> Result {
        self.literals.out.afford(rows.len() as u128 * terms.len() as u128)?;
        for row in rows {
            let mut clause = Vec::with_capacity(terms.len());
            for (term, value) in terms.iter().zip(row.iter()) {
                clause.push(!self.literals.equals(EncodedTerm::of(*term), *value)?);
            }
            self.clause(clause);
        }
        Ok(())
    }
}
