//! Integer terms: a literal for each value, for each bound, or both.

use super::*;
use rustc_hash::FxHashMap;

/// Domains up to this size have a literal for each value with pairwise exclusion; in larger ones the order
/// encoding excludes two values.
const PAIRWISE: usize = 40;

/// The literals of an integer term.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoding {
    /// The values that it can take, if they are fewer than the problem says.
    pub values: Option<Vec<i64>>,
    /// For each value whether the term has it.
    direct: Option<FxHashMap<i64, Known>>,
    /// For each value but the last whether the term is at most that value, ascending.
    order: Option<Vec<(i64, Known)>>,
    /// The constraints that tie it to its operands have been stated.
    defined: bool,
}

impl Encoding {
    /// The value under an assignment of the literals.
    pub fn value(&self, holds: &impl Fn(Known) -> bool) -> Option<i64> {
        if let Some(direct) = &self.direct {
            return direct.iter().find(|(_, literal)| holds(**literal)).map(|(value, _)| *value);
        }
        let order = self.order.as_ref()?;
        let position = order.iter().position(|(_, literal)| holds(*literal));
        match position {
            Some(position) => Some(order[position].0),
            None => self.values.as_ref().and_then(|values| values.last().copied()),
        }
    }
}

impl<S: Sink> Encoder<'_, S> {
    /// The values that a term can take, ascending.
    pub(super) fn values(&self, term: Int) -> Vec<i64> {
        match &self.encodings[term.index()].values {
            Some(values) => values.clone(),
            None => self.problem.values(term).iter().collect(),
        }
    }

    /// Makes the literals of a decision variable.
    pub(super) fn ensure(&mut self, term: Int) {
        let encoding = &self.encodings[term.index()];
        if encoding.direct.is_none() && encoding.order.is_none() {
            self.direct(term);
        }
    }

    /// The literal of `term = value`.
    pub(crate) fn equals(&mut self, term: Int, value: i64) -> Known {
        if let IntNode::Constant(constant) = self.problem.int_node(term) {
            return Known::Constant(*constant == value);
        }
        self.direct(term);
        let direct = self.encodings[term.index()].direct.as_ref();
        direct.and_then(|direct| direct.get(&value)).copied().unwrap_or(Known::Constant(false))
    }

    /// The literal of `term <= value`.
    pub(crate) fn at_most(&mut self, term: Int, value: i64) -> Known {
        if let IntNode::Constant(constant) = self.problem.int_node(term) {
            return Known::Constant(*constant <= value);
        }
        self.order(term);
        let Some(order) = &self.encodings[term.index()].order else { return Known::Constant(false) };
        match order.partition_point(|(bound, _)| *bound <= value) {
            0 => {
                // Below the smallest value, or a single value that is not above.
                let least = self.encodings[term.index()].values.as_ref().and_then(|values| values.first());
                Known::Constant(order.is_empty() && least.is_some_and(|least| *least <= value))
            }
            position => {
                let most = self.encodings[term.index()].values.as_ref().and_then(|values| values.last());
                if most.is_some_and(|most| *most <= value) { Known::Constant(true) } else { order[position - 1].1 }
            }
        }
    }

    fn direct(&mut self, term: Int) {
        if self.encodings[term.index()].direct.is_some() {
            return;
        }
        let values = self.values(term);
        let mut literals: FxHashMap<i64, Known> = FxHashMap::default();
        let has_order = self.encodings[term.index()].order.is_some();
        match (self.problem.int_node(term), values.as_slice()) {
            (_, [single]) => {
                literals.insert(*single, Known::Constant(true));
            }
            (IntNode::FromBool(condition), _) => {
                let literal = self.literal(*condition);
                literals.insert(1, literal);
                literals.insert(0, !literal);
            }
            (_, [first, second]) => {
                let literal = match &self.encodings[term.index()].order {
                    Some(order) => order[0].1,
                    None => Known::Literal(self.sink.new_variable()),
                };
                literals.insert(*first, literal);
                literals.insert(*second, !literal);
            }
            _ if has_order || values.len() > PAIRWISE => {
                self.order(term);
                let order = self.encodings[term.index()].order.clone().unwrap_or_default();
                let mut below = Known::Constant(false);
                for (position, value) in values.iter().enumerate() {
                    let up_to = order.get(position).map_or(Known::Constant(true), |(_, literal)| *literal);
                    // The value is taken if the term is at most it and not at most the one before.
                    let literal = match (below, up_to) {
                        (Known::Constant(false), literal) => literal,
                        (before, Known::Constant(true)) => !before,
                        _ => {
                            let literal = Known::Literal(self.sink.new_variable());
                            self.clause(&[!literal, up_to]);
                            self.clause(&[!literal, !below]);
                            self.clause(&[literal, !up_to, below]);
                            literal
                        }
                    };
                    literals.insert(*value, literal);
                    below = up_to;
                }
            }
            _ => {
                let all: Vec<Known> = values.iter().map(|_| Known::Literal(self.sink.new_variable())).collect();
                literals.extend(values.iter().copied().zip(all.iter().copied()));
                self.clause(&all);
                self.at_most_one(&all, Known::Constant(false));
            }
        }
        let encoding = &mut self.encodings[term.index()];
        encoding.values = Some(values);
        encoding.direct = Some(literals);
        self.tie(term);
    }

    fn order(&mut self, term: Int) {
        if self.encodings[term.index()].order.is_some() {
            return;
        }
        let values = self.values(term);
        let mut literals: Vec<(i64, Known)> = Vec::with_capacity(values.len());
        match (self.problem.int_node(term), values.as_slice()) {
            (_, [_]) => {}
            (IntNode::FromBool(condition), _) => literals.push((0, !self.literal(*condition))),
            _ => {
                let direct = self.encodings[term.index()].direct.clone();
                for (position, value) in values.iter().enumerate().take(values.len() - 1) {
                    let at_end = position == 0 || position == values.len() - 2;
                    let literal = match (&direct, at_end) {
                        // The outermost bounds are values themselves.
                        (Some(direct), true) if position == 0 => direct[value],
                        (Some(direct), true) => !direct[&values[position + 1]],
                        _ => Known::Literal(self.sink.new_variable()),
                    };
                    literals.push((*value, literal));
                }
                for two in literals.windows(2) {
                    self.clause(&[!two[0].1, two[1].1]);
                }
                if let Some(direct) = direct {
                    // Channel: a value lies between its bounds. The other direction follows, because one of
                    // the values is taken.
                    for (position, value) in values.iter().enumerate() {
                        let taken = direct[value];
                        if let Some((_, up_to)) = literals.get(position) {
                            self.clause(&[!taken, *up_to]);
                        }
                        if position > 0 {
                            self.clause(&[!taken, !literals[position - 1].1]);
                        }
                    }
                }
            }
        }
        let encoding = &mut self.encodings[term.index()];
        encoding.values = Some(values);
        encoding.order = Some(literals);
        self.tie(term);
    }

    /// States how a compound term follows from its operands, once.
    fn tie(&mut self, term: Int) {
        if !std::mem::replace(&mut self.encodings[term.index()].defined, true) {
            stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.define_operation(term));
        }
    }
}
