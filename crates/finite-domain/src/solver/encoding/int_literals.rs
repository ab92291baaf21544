//! The literals of integer terms so far.

use super::*;

/// The position of a term's first literal among all literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiteralRange(usize);

/// The literals of a term that has one for each value or for each bound.
#[derive(Clone, Default)]
struct TermLiterals {
    direct: Option<LiteralRange>,
    order: Option<LiteralRange>,
}

/// The literals of integer terms.
#[derive(Default)]
pub(super) struct IntLiterals {
    terms: Vec<TermLiterals>,
    /// The literals of all terms.
    all: Vec<Literal>,
    /// Literals of single values, for terms with too many values to have one for each.
    pub equalities: FxHashMap<(EncodedTerm, usize), Literal>,
    /// Literals `term <= value`, for terms with bits only.
    pub bounds: FxHashMap<(EncodedTerm, i64), Literal>,
    /// Bits in two's complement.
    pub bits: FxHashMap<EncodedTerm, Arc<[Literal]>>,
}

impl IntLiterals {
    pub(super) fn get(&self, literals: LiteralRange, position: usize) -> Literal {
        self.all[literals.0 + position]
    }

    /// Returns the literals of values, if a term has one for each.
    pub(super) fn direct(&self, term: EncodedTerm) -> Option<LiteralRange> {
        self.terms.get(term.index())?.direct
    }

    /// Returns the literals of bounds, if a term has one for each.
    pub(super) fn order(&self, term: EncodedTerm) -> Option<LiteralRange> {
        self.terms.get(term.index())?.order
    }

    pub(super) fn has_direct(&self, term: EncodedTerm) -> bool {
        self.direct(term).is_some()
    }

    pub(super) fn has_order(&self, term: EncodedTerm) -> bool {
        self.order(term).is_some()
    }

    /// Adds a literal for each value of a term.
    pub(super) fn add_direct(&mut self, term: EncodedTerm, literals: &[Literal]) -> LiteralRange {
        let range = self.add(literals);
        self.of(term).direct = Some(range);
        range
    }

    /// Adds a literal for each bound of a term.
    pub(super) fn add_order(&mut self, term: EncodedTerm, literals: &[Literal]) -> LiteralRange {
        let range = self.add(literals);
        self.of(term).order = Some(range);
        range
    }

    fn add(&mut self, literals: &[Literal]) -> LiteralRange {
        let start = self.all.len();
        self.all.extend(literals);
        LiteralRange(start)
    }

    fn of(&mut self, term: EncodedTerm) -> &mut TermLiterals {
        if term.index() >= self.terms.len() {
            self.terms.resize(term.index() + 1, TermLiterals::default());
        }
        &mut self.terms[term.index()]
    }

    /// Returns literals that distinguish the values of a term.
    pub(super) fn all_of(&self, term: EncodedTerm, domain: &EncodedDomain) -> Vec<Literal> {
        match (self.direct(term), self.order(term), self.bits.get(&term)) {
            // One kind of literals is enough, because the others are functions of it.
            (Some(direct), ..) => self.all[direct.0..][..domain.len()].to_vec(),
            (None, Some(order), _) => self.all[order.0..][..domain.len() - 1].to_vec(),
            (None, None, bits) => bits.map_or(Vec::new(), |bits| bits.to_vec()),
        }
    }

    /// Returns the value of a term in a model.
    pub(super) fn value(
        &self,
        term: EncodedTerm,
        domain: &EncodedDomain,
        holds: &mut dyn FnMut(Literal) -> bool,
    ) -> Option<i64> {
        let position = match (self.order(term), self.direct(term)) {
            // Each bound implies the next one, so the first bound that holds is found by bisection.
            (Some(order), _) => {
                let (mut low, mut high) = (0, domain.len() - 1);
                while low < high {
                    let middle = (low + high) / 2;
                    if holds(self.get(order, middle)) {
                        high = middle;
                    } else {
                        low = middle + 1;
                    }
                }
                low
            }
            (None, Some(direct)) => (0..domain.len()).find(|position| holds(self.get(direct, *position)))?,
            (None, None) => match self.bits.get(&term) {
                Some(bits) => {
                    let (sign, low) = bits.split_last()?;
                    let low = (0..).zip(low).map(|(bit, literal)| i64::from(holds(*literal)) << bit).sum::<i64>();
                    return Some(if holds(*sign) { low - (1 << (bits.len() - 1)) } else { low });
                }
                // A term that was never encoded may have any of its values.
                None => 0,
            },
        };
        Some(domain.value(position))
    }

    /// Visits the literals of a term with their meanings.
    pub(super) fn legend(
        &self,
        term: EncodedTerm,
        domain: &EncodedDomain,
        add: &mut dyn FnMut(Literal, LiteralMeaning),
    ) {
        for ((known, position), literal) in &self.equalities {
            if *known == term {
                add(*literal, LiteralMeaning::Equals(domain.value(*position)));
            }
        }
        for ((known, value), literal) in &self.bounds {
            if *known == term {
                add(*literal, LiteralMeaning::AtMost(*value));
            }
        }
        for (position, literal) in self.bits.get(&term).into_iter().flat_map(|bits| bits.iter()).enumerate() {
            add(*literal, LiteralMeaning::Bit(position));
        }
        if let Some(literals) = self.direct(term) {
            for (position, value) in domain.values().enumerate() {
                add(self.get(literals, position), LiteralMeaning::Equals(value));
            }
        }
        if let Some(literals) = self.order(term) {
            for (position, value) in domain.values().enumerate().take(domain.len() - 1) {
                add(self.get(literals, position), LiteralMeaning::AtMost(value));
            }
        }
    }
}
