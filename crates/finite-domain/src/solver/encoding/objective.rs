//! Bounds of the objective as literals.
//!
//! The literal of a bound on a sum also implies the domains that the bound and the linear constraints leave to its
//! terms ([`Relaxation`]). Terms that are fixed in this way drop out of the sum; if most are, the constraints are added
//! again without them, and are then small enough for an encoding that propagates well.

use super::{linear::PartialSums, *};

impl<S: ClauseSink> Encoder<'_, S> {
    /// Returns a literal that implies that a term of the problem is at least as good as a value.
    pub(crate) fn bounded(&mut self, term: Int, sense: Sense, value: i64) -> Result<Literal> {
        let literals = &mut self.literals;
        // Nothing implies the new literal, so it has no effect once its bound is no longer assumed.
        let bound = literals.out.new_variable();
        let encoded = EncodedTerm::of(term);
        match self.relaxations.problem.int_node(term) {
            // In an order encoding, each bound already has a literal.
            IntNode::Linear(terms, constant) if terms.len() > 1 && !literals.ints.has_order(encoded) => {
                let relaxation = self.relaxations.get(term, sense);
                let value = i128::from(value) - i128::from(*constant);
                let sign = -sign(sense);
                literals.under(bound).sum_bounded(terms, sign, i128::from(sign) * value, relaxation.as_deref())?;
            }
            _ => {
                let literal = match sense {
                    Sense::Maximise => !literals.at_most(encoded, value - 1)?,
                    Sense::Minimise => literals.at_most(encoded, value)?,
                };
                literals.under(bound).clause([literal]);
            }
        }
        literals.work()?;
        Ok(bound)
    }
}

impl<S: ClauseSink> Encoder<'_, S> {
    /// Returns a multiple of a term as a constant and a sum of literals with positive weights.
    pub(crate) fn weighted(&mut self, factor: i128, term: Int) -> Result<(Vec<(i128, Literal)>, i128)> {
        let terms = match self.relaxations.problem.int_node(term) {
            IntNode::Linear(terms, offset) => {
                let parts = terms.iter().map(|(inner, term)| (factor * i128::from(*inner), EncodedTerm::of(*term)));
                (parts.collect(), factor * i128::from(*offset))
            }
            _ => (vec![(factor, EncodedTerm::of(term))], 0),
        };
        let (weighted, constant) = self.literals.weighted(terms.0)?.with_positive_weights();
        self.literals.work()?;
        let weighted = weighted.into_iter().map(|(weight, literal)| (weight as i128, literal));
        Ok((weighted.collect(), constant + terms.1))
    }
}

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    /// Adds `condition → sign · Σ <= bound`.
    fn sum_bounded(&mut self, terms: &[(i64, Int)], sign: i64, bound: i128, relaxation: Option<&Relaxation>) -> Result {
        let Some(relaxation) = relaxation else {
            return self.linear_at_most(terms, sign, bound, PartialSums::Shared);
        };
        let Some(narrowed) = relaxation.narrowed(-bound) else {
            self.clause([]);
            return Ok(());
        };
        let mut fixed: FxHashMap<Int, i64> = FxHashMap::default();
        for (term, low, high) in narrowed {
            let encoded = EncodedTerm::of(term);
            let (below, at_most) = (self.literals.at_most(encoded, low - 1)?, self.literals.at_most(encoded, high)?);
            self.clause([!below]);
            self.clause([at_most]);
            if low == high {
                fixed.insert(term, low);
            }
        }
        self.without_fixed(terms, sign, bound, &fixed)?;
        if relaxation.settles(-bound) {
            for (terms, bound) in &relaxation.rows {
                self.without_fixed(terms, 1, i128::from(*bound), &fixed)?;
            }
        }
        Ok(())
    }

    /// Adds `condition → sign · Σ <= bound`, given the values of some terms that the condition implies.
    fn without_fixed(
        &mut self,
        terms: &[(i64, Int)],
        sign: i64,
        mut bound: i128,
        fixed: &FxHashMap<Int, i64>,
    ) -> Result {
        let mut free = Vec::with_capacity(terms.len());
        for (factor, term) in terms {
            match fixed.get(term) {
                Some(value) => bound -= i128::from(sign) * i128::from(*factor) * i128::from(*value),
                None => free.push((*factor, *term)),
            }
        }
        self.linear_at_most(&free, sign, bound, PartialSums::Shared)
    }
}

/// The relaxations of the linear constraints with a bound on a sum.
pub(crate) struct Relaxations<'p> {
    problem: &'p Problem,
    /// True if a proof is written, which has no clauses for derived facts.
    is_traced: bool,
    known: FxHashMap<(Int, Sense), Option<Arc<Relaxation>>>,
}

impl<'p> Relaxations<'p> {
    pub(super) fn new(problem: &'p Problem, is_traced: bool) -> Self {
        Relaxations { problem, is_traced, known: FxHashMap::default() }
    }

    /// Replaces the problem with one that has its terms and constraints.
    pub(super) fn onto(self, problem: &Problem) -> Relaxations<'_> {
        let Relaxations { problem: _, is_traced, known } = self;
        Relaxations { problem, is_traced, known }
    }

    /// Returns the best value of a sum that the linear constraints allow.
    pub(crate) fn dual_bound(&mut self, term: Int, sense: Sense) -> Option<i64> {
        let IntNode::Linear(_, constant) = self.problem.int_node(term) else { return None };
        let most = self.get(term, sense)?.most();
        i64::try_from(i128::from(*constant) + i128::from(sign(sense)) * most).ok()
    }

    /// Returns true if a bound on a sum fixes most terms by the linear constraints.
    pub(crate) fn settles(&mut self, term: Int, sense: Sense, value: i64) -> bool {
        let IntNode::Linear(_, constant) = self.problem.int_node(term) else { return false };
        let least = i128::from(value) - i128::from(*constant);
        let relaxation = self.get(term, sense);
        relaxation.is_some_and(|relaxation| relaxation.settles(i128::from(sign(sense)) * least))
    }

    /// Returns the relaxation for a sum, computed once.
    fn get(&mut self, term: Int, sense: Sense) -> Option<Arc<Relaxation>> {
        if let Some(known) = self.known.get(&(term, sense)) {
            return known.clone();
        }
        let relaxation = match self.problem.int_node(term) {
            IntNode::Linear(terms, _) if !self.is_traced => {
                let terms = terms.iter().map(|(factor, term)| (sign(sense) * factor, *term)).collect::<Vec<_>>();
                Relaxation::new(self.problem, &terms).map(Arc::new)
            }
            _ => None,
        };
        self.known.insert((term, sense), relaxation.clone());
        relaxation
    }
}

/// The factor that turns the best value of a sum into its largest one.
fn sign(sense: Sense) -> i64 {
    match sense {
        Sense::Maximise => 1,
        Sense::Minimise => -1,
    }
}
