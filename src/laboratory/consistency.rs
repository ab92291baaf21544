//! Current domains, and the evaluation of conditions over them.
//!
//! A condition is evaluated over ranges: each variable may take any value of its current domain, and the result says
//! whether the condition can be true and whether it can be false. With single values, this is plain evaluation.
//! Otherwise "can be true" may be an overestimate, never an underestimate, so no solution is lost.

use super::network::{Network, VariableId};
use crate::problem::{Bool, BoolNode, Int, IntNode, Linear, Operation, ValueRange, Variable};

/// The current domains of all variables.
#[derive(Clone, Debug)]
pub(crate) struct CurrentDomains {
    /// One bit for each value of each variable.
    words: Vec<u64>,
    /// The position in `words` of the first bits of each variable.
    starts: Vec<usize>,
    counts: Vec<u32>,
    /// The undo trail: variable, word, and its bits before the change.
    trail: Vec<(VariableId, usize, u64)>,
}

impl CurrentDomains {
    pub(crate) fn new(network: &Network) -> Self {
        let mut domains =
            CurrentDomains { words: Vec::new(), starts: Vec::new(), counts: Vec::new(), trail: Vec::new() };
        for variable in &network.variables {
            domains.starts.push(domains.words.len());
            let size = variable.values.len();
            domains.words.extend((0..size.div_ceil(64)).map(|word| match size - 64 * word {
                // A shift by 64 bits would overflow, so a full word is a separate case.
                rest if rest >= 64 => u64::MAX,
                rest => (1 << rest) - 1,
            }));
            domains.counts.push(size as u32);
        }
        domains
    }

    pub(crate) fn count(&self, variable: VariableId) -> u32 {
        self.counts[variable]
    }

    /// Returns true if a value, given by its position in the original domain, remains.
    pub(crate) fn has(&self, variable: VariableId, position: usize) -> bool {
        self.words[self.starts[variable] + position / 64] >> (position % 64) & 1 == 1
    }

    /// The positions of the remaining values.
    pub(crate) fn positions(&self, variable: VariableId) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let end = self.starts.get(variable + 1).copied().unwrap_or(self.words.len());
        let words = &self.words[self.starts[variable]..end];
        words
            .iter()
            .enumerate()
            .flat_map(|(word, bits)| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * word + bit))
    }

    /// The positions of the smallest and the largest remaining value.
    fn ends(&self, variable: VariableId) -> Option<(usize, usize)> {
        let end = self.starts.get(variable + 1).copied().unwrap_or(self.words.len());
        let words = &self.words[self.starts[variable]..end];
        let first = words.iter().position(|bits| *bits != 0)?;
        let last = words.iter().rposition(|bits| *bits != 0)?;
        let low = 64 * first + words[first].trailing_zeros() as usize;
        Some((low, 64 * last + 63 - words[last].leading_zeros() as usize))
    }

    pub(crate) fn remove(&mut self, variable: VariableId, position: usize) {
        let word = self.starts[variable] + position / 64;
        self.trail.push((variable, word, self.words[word]));
        self.words[word] &= !(1 << (position % 64));
        self.counts[variable] -= 1;
    }

    pub(crate) fn keep_only(&mut self, variable: VariableId, position: usize) {
        let removed: Vec<usize> = self.positions(variable).filter(|other| *other != position).collect();
        removed.into_iter().for_each(|other| self.remove(variable, other));
    }

    /// A point of the trail to undo to.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    pub(crate) fn undo(&mut self, mark: usize) {
        // A word may have changed several times, so the log is read from its end, and the oldest bits are restored
        // last.
        for (variable, word, bits) in self.trail.drain(mark..).rev() {
            self.counts[variable] += bits.count_ones() - self.words[word].count_ones();
            self.words[word] = bits;
        }
    }
}

/// The possible truth values of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Truth {
    yes: bool,
    no: bool,
}

impl Truth {
    const TRUE: Truth = Truth { yes: true, no: false };
    const FALSE: Truth = Truth { yes: false, no: true };
    const OPEN: Truth = Truth { yes: true, no: true };

    fn known(value: Option<bool>) -> Truth {
        value.map_or(Truth::OPEN, Truth::of)
    }

    fn of(value: bool) -> Truth {
        if value { Truth::TRUE } else { Truth::FALSE }
    }
}

/// Evaluates conditions, and caches results within one check.
pub(crate) struct Evaluator {
    check: u32,
    bools: Vec<(u32, Truth)>,
    ints: Vec<(u32, ValueRange)>,
}

/// Values for some variables that replace their current domains.
pub(crate) type TrialValues<'a> = &'a [(VariableId, i64)];

impl Evaluator {
    pub(crate) fn new(network: &Network) -> Self {
        let problem = network.problem;
        Evaluator {
            check: 0,
            bools: vec![(0, Truth::OPEN); problem.bool_count()],
            ints: vec![(0, (0, 0)); problem.int_count()],
        }
    }

    /// Returns true if a condition can be true.
    pub(crate) fn possible(
        &mut self,
        network: &Network,
        domains: &CurrentDomains,
        condition: Bool,
        tried: TrialValues,
    ) -> bool {
        // With a new number, all cached results are out of date.
        self.check += 1;
        SupportCheck { network, domains, tried, evaluator: self }.truth(condition).yes
    }

    /// Returns true if two terms can differ.
    pub(crate) fn can_differ(
        &mut self,
        network: &Network,
        domains: &CurrentDomains,
        left: Int,
        right: Int,
        tried: TrialValues,
    ) -> bool {
        self.check += 1;
        let mut check = SupportCheck { network, domains, tried, evaluator: self };
        let (left, right) = (check.range(left), check.range(right));
        are_equal(left, right).no
    }

    /// The bounds of a term.
    pub(crate) fn range(
        &mut self,
        network: &Network,
        domains: &CurrentDomains,
        term: Int,
        tried: TrialValues,
    ) -> ValueRange {
        self.check += 1;
        SupportCheck { network, domains, tried, evaluator: self }.range(term)
    }
}

struct SupportCheck<'q> {
    network: &'q Network<'q>,
    domains: &'q CurrentDomains,
    tried: TrialValues<'q>,
    evaluator: &'q mut Evaluator,
}

impl SupportCheck<'_> {
    fn variable(&self, term: Variable) -> VariableId {
        self.network.by_term[&term]
    }

    fn tried(&self, variable: VariableId) -> Option<i64> {
        self.tried.iter().find(|(tried, _)| *tried == variable).map(|(_, value)| *value)
    }

    /// The range of a variable; for an empty domain, any range is sound.
    fn ends(&self, variable: VariableId) -> ValueRange {
        if let Some(value) = self.tried(variable) {
            return (value.into(), value.into());
        }
        let values = &self.network.variables[variable].values;
        let (low, high) = self.domains.ends(variable).unwrap_or((0, 0));
        (values[low].into(), values[high].into())
    }

    fn truth(&mut self, condition: Bool) -> Truth {
        let (id, negated) = condition.node();
        let at = id.0 as usize;
        let (check, known) = self.evaluator.bools[at];
        let truth = if check == self.evaluator.check {
            known
        } else {
            let truth = self.node(id.positive());
            self.evaluator.bools[at] = (self.evaluator.check, truth);
            truth
        };
        if negated { Truth { yes: truth.no, no: truth.yes } } else { truth }
    }

    fn node(&mut self, term: Bool) -> Truth {
        let network = self.network;
        match network.problem.bool_node(term.node().0) {
            BoolNode::True => Truth::TRUE,
            BoolNode::Variable => {
                let (low, high) = self.ends(self.variable(Variable::Bool(term)));
                Truth { yes: high == 1, no: low == 0 }
            }
            BoolNode::And(parts) => {
                let mut all = Truth::TRUE;
                for part in parts {
                    let truth = self.truth(*part);
                    all = Truth { yes: all.yes && truth.yes, no: all.no || truth.no };
                    // One false conjunct makes the conjunction false.
                    if !all.yes {
                        return Truth::FALSE;
                    }
                }
                all
            }
            BoolNode::Equivalent(left, right) => {
                let (left, right) = (self.truth(*left), self.truth(*right));
                Truth {
                    yes: left.yes && right.yes || left.no && right.no,
                    no: left.yes && right.no || left.no && right.yes,
                }
            }
            BoolNode::Equals(inner, value) => self.equals(*inner, *value),
            BoolNode::AtMost(inner, value) => {
                let (low, high) = self.range(*inner);
                Truth { yes: low <= (*value).into(), no: high > (*value).into() }
            }
            BoolNode::Same(left, right) => {
                let (left, right) = (self.range(*left), self.range(*right));
                are_equal(left, right)
            }
            BoolNode::LinearAtMost(terms, bound) => {
                let (low, high) = self.sum(terms);
                Truth { yes: low <= (*bound).into(), no: high > (*bound).into() }
            }
            BoolNode::LinearEquals(terms, bound) => {
                let sum = self.sum(terms);
                are_equal(sum, ((*bound).into(), (*bound).into()))
            }
            BoolNode::Global(constraint) => Truth::known(constraint.entailed(&mut |term| self.range(term))),
        }
    }

    /// The truth of an equation; exact for a variable, whose domain may have holes.
    fn equals(&mut self, term: Int, value: i64) -> Truth {
        if self.network.problem.is_variable(Variable::Int(term)) {
            let variable = self.variable(Variable::Int(term));
            if let Some(tried) = self.tried(variable) {
                return Truth::of(tried == value);
            }
            let position = self.network.variables[variable].values.binary_search(&value);
            let has = position.is_ok_and(|position| self.domains.has(variable, position));
            // If another value remains, the equation can be false.
            return Truth { yes: has, no: !has || self.domains.count(variable) > 1 };
        }
        let range = self.range(term);
        are_equal(range, (value.into(), value.into()))
    }

    fn sum(&mut self, terms: &Linear) -> ValueRange {
        let mut sum = (0, 0);
        for (factor, term) in terms {
            let (low, high) = self.range(*term);
            let factor = i128::from(*factor);
            let (low, high) = if factor >= 0 { (factor * low, factor * high) } else { (factor * high, factor * low) };
            sum = (sum.0 + low, sum.1 + high);
        }
        sum
    }

    fn range(&mut self, term: Int) -> ValueRange {
        let (check, known) = self.evaluator.ints[term.index()];
        if check == self.evaluator.check {
            return known;
        }
        let computed = self.int_node(term);
        // The bounds at the root still hold, and may be tighter than the computed ones.
        let (least, greatest) = self.network.problem.bounds(term);
        let range = (computed.0.max(least.into()), computed.1.min(greatest.into()));
        // While a domain is empty, the two ranges may be disjoint, and then any range is sound.
        let range = if range.0 <= range.1 { range } else { computed };
        self.evaluator.ints[term.index()] = (self.evaluator.check, range);
        range
    }

    fn int_node(&mut self, term: Int) -> ValueRange {
        let network = self.network;
        let (least, greatest) = network.problem.bounds(term);
        let anything = (i128::from(least), i128::from(greatest));
        match network.problem.int_node(term) {
            IntNode::Constant(value) => ((*value).into(), (*value).into()),
            IntNode::Variable => self.ends(self.variable(Variable::Int(term))),
            IntNode::FromBool(condition) => {
                let truth = self.truth(*condition);
                (i128::from(!truth.no), i128::from(truth.yes))
            }
            IntNode::Linear(terms, constant) => {
                let (low, high) = self.sum(terms);
                (low + i128::from(*constant), high + i128::from(*constant))
            }
            IntNode::Binary(Operation::Product, left, right) => {
                let (left, right) = (self.range(*left), self.range(*right));
                // A product of intervals has its extremes at the corners.
                let corners = [left.0 * right.0, left.0 * right.1, left.1 * right.0, left.1 * right.1];
                (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
            }
            IntNode::Binary(operation, left, right) => match (self.range(*left), self.range(*right)) {
                (left, right) if left.0 == left.1 && right.0 == right.1 => {
                    let value = operation.apply(left.0, right.0).unwrap_or(i128::from(i64::MAX));
                    (value, value)
                }
                // Only products have bounds here; the other operations are evaluated on single values.
                _ => anything,
            },
            IntNode::Absolute(inner) => {
                let (low, high) = self.range(*inner);
                let largest = low.abs().max(high.abs());
                let smallest = if low <= 0 && high >= 0 { 0 } else { low.abs().min(high.abs()) };
                (smallest, largest)
            }
            IntNode::Extreme(extreme, terms) => {
                let ranges: Vec<ValueRange> = terms.iter().map(|term| self.range(*term)).collect();
                let of = |end: fn(&ValueRange) -> i128| extreme.of(ranges.iter().map(end)).unwrap_or(0);
                (of(|range| range.0), of(|range| range.1))
            }
            IntNode::Choice(alternatives) => {
                let mut range: Option<ValueRange> = None;
                for (condition, term) in alternatives {
                    let truth = self.truth(*condition);
                    if truth.yes {
                        let (low, high) = self.range(*term);
                        range = Some(range.map_or((low, high), |(least, most)| (least.min(low), most.max(high))));
                    }
                    // A later alternative counts only if this condition can be false.
                    if !truth.no {
                        break;
                    }
                }
                range.unwrap_or((0, 0))
            }
        }
    }
}

fn are_equal(left: ValueRange, right: ValueRange) -> Truth {
    let overlap = left.0 <= right.1 && right.0 <= left.1;
    let fixed = left.0 == left.1 && right.0 == right.1;
    Truth { yes: overlap, no: !overlap || !fixed }
}
