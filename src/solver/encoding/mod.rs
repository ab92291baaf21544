//! From a problem to Booleans and clauses, for any solver that takes those.
//!
//! Every Boolean node becomes a literal when it is needed, with only the implications that its polarity needs
//! (Plaisted & Greenbaum 1986); the disjuncts of a required clause are flattened into it. An integer term gets a
//! literal for each value (direct encoding), for each bound (order encoding, Crawford & Baker 1994), or both
//! with channelling, whatever its uses ask for. Sums that are no small clauses go to the solver as
//! pseudo-Boolean constraints ([`Sink::at_most`]).

mod booleans;
mod cost;
mod integers;
mod linear;
mod operations;

use crate::problem::{Assignment, Bool, BoolId, BoolNode, Int, IntNode, Problem, Variable};
pub use cost::fits;
use integers::Encoding;

/// A literal in the manner of DIMACS: a variable's number from 1, negative if negated.
pub type Literal = i32;

/// What takes the clauses.
pub trait Sink {
    fn new_variable(&mut self) -> Literal;

    /// At least one of the literals holds.
    fn clause(&mut self, literals: &[Literal]);

    /// `Σ coefficient · literal <= bound` if the condition (where there is one) holds. Coefficients and bound
    /// are positive and fit into 31 bits.
    fn at_most(&mut self, terms: &[(i64, Literal)], bound: i64, condition: Option<Literal>);
}

/// A literal that is always true or false, or a real one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Constant(bool),
    Literal(Literal),
}

impl std::ops::Not for Known {
    type Output = Known;
    fn not(self) -> Known {
        match self {
            Known::Constant(value) => Known::Constant(!value),
            Known::Literal(literal) => Known::Literal(-literal),
        }
    }
}

/// The literal of a Boolean node, and which of its two defining implications have been stated.
#[derive(Clone, Copy, Debug, Default)]
struct Definition {
    literal: Option<Literal>,
    positive: bool,
    negative: bool,
}

pub struct Encoder<'p, S> {
    problem: &'p Problem,
    pub sink: S,
    definitions: Vec<Definition>,
    encodings: Vec<Encoding>,
}

impl<'p, S: Sink> Encoder<'p, S> {
    /// Encodes all constraints and decision variables.
    pub fn new(problem: &'p Problem, sink: S) -> Self {
        let mut encoder = Encoder {
            problem,
            sink,
            definitions: vec![Definition::default(); problem.bool_count()],
            encodings: vec![Encoding::default(); problem.int_count()],
        };
        // Facts about single terms first: they shrink what the others are encoded over.
        for constraint in problem.constraints() {
            encoder.note_fact(*constraint);
        }
        for constraint in problem.constraints() {
            encoder.require(*constraint);
        }
        for variable in problem.decisions() {
            match variable {
                Variable::Bool(term) => drop(encoder.literal(*term)),
                Variable::Int(term) => encoder.ensure(*term),
            }
        }
        encoder
    }

    pub(crate) fn clause(&mut self, parts: &[Known]) {
        let mut literals = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Known::Constant(true) => return,
                Known::Constant(false) => {}
                Known::Literal(literal) => literals.push(*literal),
            }
        }
        literals.sort_unstable_by_key(|literal| (literal.abs(), *literal));
        literals.dedup();
        if literals.windows(2).any(|two| two[0] == -two[1]) {
            return;
        }
        self.sink.clause(&literals);
    }

    /// Requires that the objective improves on a value.
    pub fn require_better(&mut self, maximising: bool, objective: Int, value: i64) {
        let (terms, constant) = match self.problem.int_node(objective) {
            IntNode::Linear(terms, constant) => (terms.to_vec(), *constant),
            _ => (vec![(1, objective)], 0),
        };
        if maximising {
            let terms: Vec<(i64, Int)> = terms.into_iter().map(|(factor, term)| (-factor, term)).collect();
            self.require_linear(&terms, i128::from(constant) - i128::from(value) - 1, None);
        } else {
            self.require_linear(&terms, i128::from(value) - i128::from(constant) - 1, None);
        }
    }

    /// Requires that some decision variable differs from the assignment.
    pub fn block(&mut self, assignment: &Assignment) {
        let mut different = Vec::with_capacity(self.problem.decisions().len());
        for variable in self.problem.decisions() {
            different.push(match variable {
                Variable::Bool(term) => {
                    let literal = self.literal(*term);
                    if self.problem.bool_value(*term, assignment) { !literal } else { literal }
                }
                Variable::Int(term) => !self.equals(*term, self.problem.int_value(*term, assignment)),
            });
        }
        self.clause(&different);
    }

    /// The assignment in which the literals have these values.
    pub fn assignment(&self, value: impl Fn(Literal) -> bool) -> Assignment {
        let mut assignment = Assignment::default();
        let holds = |known: Known| match known {
            Known::Constant(value) => value,
            Known::Literal(literal) => value(literal.abs()) == (literal > 0),
        };
        for variable in self.problem.decisions() {
            match variable {
                Variable::Bool(term) => {
                    let (id, _) = term.node();
                    if let Some(literal) = self.definitions[id.0 as usize].literal {
                        assignment.set_bool(id, holds(Known::Literal(literal)));
                    }
                }
                Variable::Int(term) => {
                    if let Some(value) = self.encodings[term.index()].value(&holds) {
                        assignment.set_int(*term, value);
                    }
                }
            }
        }
        assignment
    }

    /// Restricts the values of a term that a required constraint is about alone.
    fn note_fact(&mut self, constraint: Bool) {
        let (id, negated) = constraint.node();
        match *self.problem.bool_node(id) {
            BoolNode::Equals(term, value) => self.restrict(term, |other| (other == value) != negated),
            BoolNode::AtMost(term, value) => self.restrict(term, |other| (other <= value) != negated),
            _ => {}
        }
    }

    /// Keeps those values of a term that fulfil the condition; only before it is encoded.
    fn restrict(&mut self, term: Int, keep: impl Fn(i64) -> bool) {
        if *self.problem.int_node(term) != IntNode::Variable {
            return;
        }
        let encoding = &mut self.encodings[term.index()];
        let values = encoding.values.get_or_insert_with(|| self.problem.values(term).iter().collect());
        values.retain(|value| keep(*value));
        if values.is_empty() {
            // The constraint itself will say that this is impossible.
            *values = self.problem.values(term).iter().collect();
        }
    }
}

/// The node of a Boolean, and its polarity.
fn split(term: Bool) -> (BoolId, bool) {
    let (id, negated) = term.node();
    (id, !negated)
}
