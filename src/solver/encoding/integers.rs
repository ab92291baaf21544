//! The literals of integer terms.
//!
//! Direct encoding: a literal per value, exactly one of which holds. Order encoding: a literal `x <= v` for every
//! value but the last, each implying the next (Tamura, Taga, Kitagawa, Banbara, "Compiling finite linear CSP
//! into SAT", 2009). Both are made when first asked for; a second one is channelled to the first. Up to
//! [`PAIRWISE`] values the direct encoding stands alone with a clause per pair of values; up to [`LADDER`] the
//! order encoding carries it (Gent and Nightingale, "A new encoding of AllDifferent into SAT", 2004); beyond that it stands
//! alone again, unless the order encoding is there, with at most one value by products.

use super::*;

/// Up to this many values are told apart by pairs.
pub(super) const PAIRWISE: usize = 24;

/// Beyond this many values, the order encoding is not made for the sake of the direct one. The first solution for 400 queens
/// takes half the time then, while 50 queens and Golomb rulers take longer without it.
const LADDER: usize = 256;

/// Beyond this many values, literals of values are made one by one.
const SPARSE: usize = 512;

/// Whether the literals of this many values are made from the order encoding.
fn is_ordered(size: usize) -> bool {
    size > PAIRWISE && size <= LADDER || size > SPARSE
}

/// An integer term: one of the problem, or made here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct EncodedTerm(u32);

impl EncodedTerm {
    pub(crate) fn of(term: Int) -> EncodedTerm {
        EncodedTerm(term.index() as u32)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The origin of a term that the encoder made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TermSource {
    /// `factor · term + offset`
    View {
        factor: i64,
        term: EncodedTerm,
        offset: i64,
    },
    Sum(EncodedTerm, EncodedTerm),
    Product(EncodedTerm, EncodedTerm),
    /// The quotient or the remainder of a division, rounded down.
    Division {
        operation: Operation,
        left: EncodedTerm,
        right: EncodedTerm,
    },
}

#[derive(Clone, Default)]
pub(super) struct EncodedInt {
    pub domain: Option<Rc<EncodedDomain>>,
    direct: Option<LiteralRange>,
    order: Option<LiteralRange>,
    /// Whether the definition is written or waits as a task.
    defined: bool,
    /// The view that a sum of several terms was found to be, if any.
    sum: Option<Option<TermSource>>,
}

/// The position of the first literal of a term among all literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiteralRange(usize);

impl LiteralRange {
    const NONE: LiteralRange = LiteralRange(usize::MAX);
}

impl<S: Sink> Encoder<'_, S> {
    fn entry(&mut self, term: EncodedTerm) -> &mut EncodedInt {
        &mut self.entries[term.0 as usize]
    }

    pub(super) fn make(&mut self, source: TermSource, domain: EncodedDomain) -> EncodedTerm {
        if let Some(term) = self.made_index.get(&source) {
            return *term;
        }
        let term = EncodedTerm(self.entries.len() as u32);
        self.made.push(source);
        self.made_index.insert(source, term);
        self.entries.push(EncodedInt { domain: Some(Rc::new(domain)), ..EncodedInt::default() });
        term
    }

    /// `factor · term + offset`, the factor not 0.
    pub(super) fn view(&mut self, factor: i64, term: EncodedTerm, offset: i64) -> EncodedTerm {
        if factor == 1 && offset == 0 {
            return term;
        }
        if let Some(TermSource::View { factor: inner, term, offset: shift }) = self.source(term) {
            match (factor.checked_mul(inner), factor.checked_mul(shift).and_then(|shift| shift.checked_add(offset))) {
                (Some(factor), Some(offset)) => return self.view(factor, term, offset),
                _ => self.out.refuse(),
            }
        }
        let domain = self.view_domain(factor, term, offset);
        self.make(TermSource::View { factor, term, offset }, domain)
    }

    fn view_domain(&mut self, factor: i64, term: EncodedTerm, offset: i64) -> EncodedDomain {
        let domain = self.domain(term);
        let image = |value: i64| {
            let limit = i128::from(i64::MAX / 2);
            (i128::from(factor) * i128::from(value) + i128::from(offset)).clamp(-limit, limit) as i64
        };
        let image_of_range = |(low, high)| (image(low).min(image(high)), image(low).max(image(high)));
        if factor.abs() == 1 {
            let mut ranges: Vec<(i64, i64)> = domain.ranges().map(image_of_range).collect();
            if factor < 0 {
                ranges.reverse();
            }
            return EncodedDomain::new(&ranges);
        }
        // A domain that is too large to be written out stays a range.
        if domain.size() > self.style.wide {
            return EncodedDomain::new(&[image_of_range((domain.min(), domain.max()))]);
        }
        let mut values: Vec<i64> = domain.values().map(image).collect();
        if factor < 0 {
            values.reverse();
        }
        EncodedDomain::of_values(&values)
    }

    /// The origin of the term, if its literals are made from the literals of other terms.
    pub(super) fn source(&mut self, term: EncodedTerm) -> Option<TermSource> {
        match (term.0 as usize).checked_sub(self.problem.int_count()) {
            Some(made) => Some(self.made[made]),
            None => match self.problem.int_node(self.problem.int(term.0 as usize)) {
                IntNode::Linear(terms, offset) => match terms[..] {
                    [(factor, inner)] => {
                        Some(TermSource::View { factor, term: EncodedTerm::of(inner), offset: *offset })
                    }
                    _ => self.source_of_sum(term, terms, *offset),
                },
                _ => None,
            },
        }
    }

    fn source_of_sum(&mut self, term: EncodedTerm, terms: &[(i64, Int)], offset: i64) -> Option<TermSource> {
        if let Some(known) = self.entry(term).sum {
            return known;
        }
        let sum = self.sum_of_node(terms);
        let source = sum.and_then(|(sum, constant)| {
            let offset = i64::try_from(i128::from(offset) + constant).ok()?;
            Some(TermSource::View { factor: 1, term: sum, offset })
        });
        self.entry(term).sum = Some(source);
        source
    }

    /// The node of a term of the problem.
    pub(super) fn node(&self, term: EncodedTerm) -> Option<&IntNode> {
        let index = term.0 as usize;
        (index < self.problem.int_count()).then(|| self.problem.int_node(self.problem.int(index)))
    }

    pub(super) fn domain(&mut self, term: EncodedTerm) -> Rc<EncodedDomain> {
        if let Some(domain) = &self.entries[term.0 as usize].domain {
            return domain.clone();
        }
        let domain = match self.source(term) {
            Some(TermSource::View { factor, term, offset }) => self.view_domain(factor, term, offset),
            _ => EncodedDomain::new(self.problem.values(self.problem.int(term.0 as usize)).ranges()),
        };
        let domain = Rc::new(domain);
        self.entry(term).domain = Some(domain.clone());
        domain
    }

    pub(super) fn get(&self, literals: LiteralRange, position: usize) -> Literal {
        literals.0.checked_add(position).and_then(|index| self.literals.get(index)).copied().unwrap_or(Literal::FALSE)
    }

    fn store(&mut self, literals: impl IntoIterator<Item = Literal>) -> LiteralRange {
        let start = self.literals.len();
        self.literals.extend(literals);
        LiteralRange(start)
    }

    /// The literals of values and the literals of bounds, where all of them exist.
    pub(super) fn listed(&self, term: EncodedTerm) -> (Option<LiteralRange>, Option<LiteralRange>) {
        let entry = &self.entries[term.0 as usize];
        (entry.direct, entry.order)
    }

    pub(super) fn has_direct(&self, term: EncodedTerm) -> bool {
        self.entries[term.0 as usize].direct.is_some()
    }

    pub(super) fn has_order(&self, term: EncodedTerm) -> bool {
        self.entries[term.0 as usize].order.is_some()
    }

    /// Makes literals for a term that has none.
    pub(super) fn touch(&mut self, term: EncodedTerm) {
        if self.has_direct(term) || self.has_order(term) {
            return;
        }
        if self.is_wide(term) {
            self.bits(term);
        } else if self.domain(term).size() <= PAIRWISE as u128 {
            self.direct(term);
        } else {
            self.order(term);
        }
    }

    /// Puts off the definition of a term whose literals were just made.
    pub(super) fn put_off(&mut self, term: EncodedTerm) {
        if !std::mem::replace(&mut self.entry(term).defined, true) {
            self.tasks.push(EncodingTask::Define(term));
        }
    }

    /// A literal for each value.
    pub(super) fn direct(&mut self, term: EncodedTerm) -> LiteralRange {
        if let Some(direct) = self.entries[term.0 as usize].direct {
            return direct;
        }
        let domain = self.domain(term);
        if self.out.is_refused() || !self.out.afford(domain.size()) {
            return LiteralRange::NONE;
        }
        let size = domain.len();
        let direct = if size == 1 {
            self.store([Literal::TRUE])
        } else if let Some(TermSource::View { factor, term: inner, offset }) = self.source(term) {
            self.direct(inner);
            let literals: Vec<Literal> = domain
                .values()
                .map(|value| match preimage(value, factor, offset) {
                    Some(value) => self.equals(inner, value),
                    None => Literal::FALSE,
                })
                .collect();
            self.store(literals)
        } else if size == 2 {
            let order = self.order(term);
            let first = self.get(order, 0);
            self.store([first, !first])
        } else if self.has_order(term) || is_ordered(size) {
            let order = self.order(term);
            let mut literals = vec![self.get(order, 0)];
            literals.extend((2..size).map(|_| self.out.new_variable()));
            literals.push(!self.get(order, size - 2));
            let direct = self.store(literals);
            self.channel(direct, order, size);
            direct
        } else {
            let literals: Vec<Literal> = (0..size).map(|_| self.out.new_variable()).collect();
            self.out.at_most_one(Literal::TRUE, &literals);
            self.out.clause(literals.iter().copied());
            self.put_off(term);
            self.store(literals)
        };
        self.entry(term).direct = Some(direct);
        direct
    }

    /// A literal `term <= value` for each value but the last.
    pub(super) fn order(&mut self, term: EncodedTerm) -> LiteralRange {
        if let Some(order) = self.entries[term.0 as usize].order {
            return order;
        }
        let domain = self.domain(term);
        if self.out.is_refused() || !self.out.afford(domain.size()) {
            return LiteralRange::NONE;
        }
        let size = domain.len();
        let order = if size == 1 {
            self.store([])
        } else if let Some(TermSource::View { factor, term: inner, offset }) = self.source(term) {
            let literals: Vec<Literal> = domain
                .values()
                .take(size - 1)
                .map(|value| {
                    let value = i128::from(value) - i128::from(offset);
                    if factor > 0 {
                        self.at_most(inner, value.div_euclid(factor.into()) as i64)
                    } else {
                        // factor · x <= v  ⟺  x >= ⌈v / factor⌉
                        !self.at_most(inner, -value.div_euclid(-i128::from(factor)) as i64 - 1)
                    }
                })
                .collect();
            self.store(literals)
        } else if let Some(IntNode::FromBool(condition)) = self.node(term) {
            let condition = *condition;
            let literal = self.both(condition);
            self.store([!literal])
        } else {
            self.put_off(term);
            match self.entries[term.0 as usize].direct {
                Some(direct) => {
                    let mut literals = vec![self.get(direct, 0)];
                    literals.extend((2..size - 1).map(|_| self.out.new_variable()));
                    literals.push(!self.get(direct, size - 1));
                    let order = self.store(literals);
                    self.channel(direct, order, size);
                    order
                }
                None => {
                    let literals: Vec<Literal> = (1..size).map(|_| self.out.new_variable()).collect();
                    for two in literals.windows(2) {
                        self.out.clause([!two[0], two[1]]);
                    }
                    self.store(literals)
                }
            }
        };
        self.entry(term).order = Some(order);
        order
    }

    /// `x = vᵢ ↔ x <= vᵢ ∧ ¬(x <= vᵢ₋₁)` for a domain of at least 3 values; the first and the last are shared.
    fn channel(&mut self, direct: LiteralRange, order: LiteralRange, size: usize) {
        for position in 1..size - 1 {
            let equal = self.get(direct, position);
            let (below, at_most) = (self.get(order, position - 1), self.get(order, position));
            self.out.clause([!equal, at_most]);
            self.out.clause([!equal, !below]);
            self.out.clause([equal, below, !at_most]);
            self.out.clause([!below, at_most]);
        }
    }

    /// `term = value`
    pub(super) fn equals(&mut self, term: EncodedTerm, value: i64) -> Literal {
        let domain = self.domain(term);
        let Some(position) = domain.position(value) else { return Literal::FALSE };
        if domain.size() == 1 {
            return Literal::TRUE;
        }
        if !self.has_direct(term) {
            if self.is_wide(term) {
                return match self.source(term) {
                    Some(TermSource::View { factor, term, offset }) => {
                        preimage(value, factor, offset).map_or(Literal::FALSE, |value| self.equals(term, value))
                    }
                    _ => self.value_of_bits(term, position, value),
                };
            }
            let last = domain.len() - 1;
            if (position == 0 || position == last) && (self.has_order(term) || is_ordered(domain.len())) {
                let order = self.order(term);
                return if position == 0 { self.get(order, 0) } else { !self.get(order, last - 1) };
            }
            if let Some(TermSource::View { factor, term, offset }) = self.source(term) {
                return preimage(value, factor, offset).map_or(Literal::FALSE, |value| self.equals(term, value));
            }
            if domain.len() > SPARSE {
                return self.sparse(term, position, last);
            }
        }
        let direct = self.direct(term);
        self.get(direct, position)
    }

    /// The literal of one value of a term with many values.
    fn sparse(&mut self, term: EncodedTerm, position: usize, last: usize) -> Literal {
        if let Some(literal) = self.equalities.get(&(term, position)) {
            return *literal;
        }
        let order = self.order(term);
        let equal = match position {
            0 => self.get(order, 0),
            position if position == last => !self.get(order, last - 1),
            position => {
                let equal = self.out.new_variable();
                let (below, at_most) = (self.get(order, position - 1), self.get(order, position));
                self.out.clause([!equal, at_most]);
                self.out.clause([!equal, !below]);
                self.out.clause([equal, below, !at_most]);
                equal
            }
        };
        self.equalities.insert((term, position), equal);
        equal
    }

    /// `term <= value`
    pub(super) fn at_most(&mut self, term: EncodedTerm, value: i64) -> Literal {
        let domain = self.domain(term);
        if value < domain.min() {
            return Literal::FALSE;
        }
        if value >= domain.max() {
            return Literal::TRUE;
        }
        if self.out.is_refused() {
            return Literal::FALSE;
        }
        if self.is_wide(term) {
            return self.bound_of_bits(term, value);
        }
        let rank = domain.rank(value);
        if let (Some(direct), None) = (self.entry(term).direct, self.entry(term).order) {
            if rank == 1 {
                return self.get(direct, 0);
            }
            if rank == domain.len() - 1 {
                return !self.get(direct, rank);
            }
        }
        let order = self.order(term);
        self.get(order, rank - 1)
    }

    /// The value of a variable under a model, if it got as far as to be encoded.
    pub(crate) fn value(&self, term: Int, holds: &mut dyn FnMut(Literal) -> bool) -> Option<i64> {
        let entry = &self.entries[term.index()];
        let domain = entry.domain.as_ref()?;
        let position = match (entry.order, entry.direct) {
            // The first bound that holds, by bisection.
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
            (None, None) => match self.bits.get(&EncodedTerm::of(term)) {
                Some(bits) => {
                    let (sign, low) = bits.split_last()?;
                    let low = (0..).zip(low).map(|(bit, literal)| i64::from(holds(*literal)) << bit).sum::<i64>();
                    return Some(if holds(*sign) { low - (1 << (bits.len() - 1)) } else { low });
                }
                // Whatever value propagation has left.
                None => 0,
            },
        };
        Some(domain.value(position))
    }

    /// Literals at least one of which holds if and only if the term differs from the value.
    pub(crate) fn differs(&mut self, term: Int, value: i64) -> [Literal; 2] {
        let term = EncodedTerm::of(term);
        if self.has_direct(term) || !self.has_order(term) || self.is_wide(term) {
            return [!self.equals(term, value), Literal::FALSE];
        }
        [self.at_most(term, value - 1), !self.at_most(term, value)]
    }
}

/// The x with `factor · x + offset = value`.
fn preimage(value: i64, factor: i64, offset: i64) -> Option<i64> {
    let scaled = i128::from(value) - i128::from(offset);
    (scaled % i128::from(factor) == 0).then(|| (scaled / i128::from(factor)) as i64)
}
