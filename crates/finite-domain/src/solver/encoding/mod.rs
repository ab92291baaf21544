//! The encoding of problems as clauses, for any SAT solver.
//!
//! Integer terms get literals on demand: one per value (direct encoding) for equalities, one per bound (order encoding)
//! for inequalities and sums, and channelling clauses if both are needed. Terms with thousands of values have bits
//! instead (log encoding), and literals of single values and bounds on demand. A literal is a new variable at first:
//! the values of every term are known beforehand, and the clauses that define the term are deferred as tasks, so that
//! nothing here recurses into the problem however deep it is. Conditions are translated by polarity (Plaisted and
//! Greenbaum, "A structure-preserving clause form translation", 1986): of `literal ↔ meaning`, only the implications
//! that are used are written.
//!
//! [`EncodedTerms`] has the integer terms and their values, [`IntLiterals`] and [`BoolLiterals`] the literals so far,
//! and [`Output`] receives the clauses. [`Literals`] joins them and makes further literals, [`HalfReified`] writes the
//! clauses of a constraint under a condition, and [`TermDefinition`] the clauses that define an integer term. The
//! [`Encoder`] visits the constraints of the problem.
//!
//! The cost of clauses is estimated before they are made: a problem with too many values for this way of solving, or
//! whose clauses would take too much memory, is refused ([`Refused`]), and the caller tries another way.
//!
//! You may add encodings. All engines on clauses rely on one invariant: in each solution of the clauses, the literals
//! of the decision variables satisfy the problem's constraints (`encoding/tests.rs` tries all small values).

mod adder;
mod at_most_one;
mod binary;
mod bit_functions;
mod bool_literals;
mod by_values;
mod choice;
mod conditions;
mod diagram;
mod domain;
mod equality;
mod global;
mod int_literals;
mod integers;
mod legend;
mod linear;
mod literal;
mod literals;
mod network;
mod objective;
mod options;
mod output;
mod terms;

#[cfg(test)]
mod tests;

use crate::solver::tuning;
pub(crate) use legend::LiteralMeaning;
pub(crate) use literal::Literal;
pub(crate) use options::EncodingOptions;
pub(crate) use output::Output;

use crate::{
    IntSet, Sense, memory,
    problem::{
        Assignment, Bool, BoolId, BoolNode, Extreme, Global, Int, IntNode, Operation, Problem, Relaxation,
        RootPropagation, Variable,
    },
};
use bool_literals::BoolLiterals;
use by_values::TermDefinition;
use conditions::HalfReified;
use domain::EncodedDomain;
use int_literals::{IntLiterals, LiteralRange};
use literals::Literals;
use objective::Relaxations;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeMap, sync::Arc};
use terms::{EncodedTerm, EncodedTerms, TermSource};

/// A receiver of clauses. Variables are numbered from 1 without gaps; variable 1 is always true.
pub(crate) trait ClauseSink {
    /// The maximum number of clauses: beyond it, another backend may do better.
    const MOST_CLAUSES: u64 = tuning::encoding::MOST_CLAUSES;

    /// The solver's approximate memory use.
    const FOOTPRINT: tuning::Footprint = tuning::encoding::FOOTPRINT;

    /// Adds a clause.
    fn clause(&mut self, literals: &[Literal]);

    /// Returns true if the solver supports pseudo-Boolean constraints; otherwise, they become clauses.
    fn takes_sums(&self) -> bool {
        false
    }

    /// Announces the meaning of the clauses that follow.
    fn section(&mut self, _section: Section) {}

    /// Returns true if no more clauses are wanted, because a limit was reached.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Returns true if the sink traces clauses back to the problem. The clauses then state the problem itself and
    /// nothing derived from it.
    fn is_traced(&self) -> bool {
        false
    }

    /// Adds `condition → Σ weight · literal <= bound`. The weights are positive, and neither their sum nor the bound
    /// exceeds [`LARGEST_SUM`]. Called only if the sink [takes sums](ClauseSink::takes_sums).
    fn at_most(&mut self, _condition: Literal, _terms: &[(i64, Literal)], _bound: i64) {}
}

/// The meaning of a group of clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// The unit clause of variable 1, which is true.
    True,
    /// A constraint of the problem, by its position.
    Constraint(usize),
    /// The relations between the Booleans of a decision variable.
    Decisions,
    /// Definitions of Booleans that the search uses as assumptions; by themselves they exclude no assignment.
    Assumptions,
    /// A blocking clause, which excludes a solution that was found.
    Found,
    /// The requirement that a solution is better than the last one: for each term of the objective, the value that it
    /// must reach if the terms before it are as good.
    Better { sense: Sense, values: Vec<i64> },
}

/// The reason why a problem is not encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The numbers have too many values.
    Values,
    /// There would be more clauses than [`ClauseSink::MOST_CLAUSES`] or [`EncodingOptions::clauses`].
    Clauses,
    /// The clauses would take more memory than allowed.
    Memory,
    /// A limit was reached, and the sink wants no more clauses.
    Stopped,
}

/// The result of encoding. After an error, the sink has received only a part of the clauses.
type Result<T = (), E = Refused> = std::result::Result<T, E>;

/// The largest sum of weights in a pseudo-Boolean constraint.
pub(crate) const LARGEST_SUM: i64 = 1 << 30;

/// A problem and its encoding so far.
pub(crate) struct Encoder<'p, S> {
    pub literals: Literals<'p, S>,
    pub relaxations: Relaxations<'p>,
    /// The number of clauses by kind of constraint.
    by_kind: BTreeMap<&'static str, u64>,
}

impl<'p, S: ClauseSink> Encoder<'p, S> {
    /// Encodes the constraints of a problem and gives literals to its decision variables and its objective.
    pub(crate) fn new(problem: &'p Problem, sink: S) -> Result<Self> {
        Encoder::with_options(problem, sink, EncodingOptions::default())
    }

    /// Like [`Encoder::new`], with these options.
    pub(crate) fn with_options(problem: &'p Problem, sink: S, options: EncodingOptions) -> Result<Self> {
        let is_traced = sink.is_traced();
        let mut literals = Literals::new(problem, sink, options);
        // A proof starts from the given domains, so narrowed ones cannot be used.
        if !is_traced {
            literals.narrow();
        }
        // A constraint is true, so every term that contains it sees a constant.
        for constraint in problem.constraints() {
            let (id, negated) = constraint.node();
            // If a constraint is a variable, a proof needs its unit clause.
            if !(is_traced && problem.is_variable(Variable::Bool(*constraint))) {
                literals.bools.fix(id, Literal::from(!negated));
            }
        }
        let relaxations = Relaxations::new(problem, is_traced);
        let mut encoder = Encoder { literals, relaxations, by_kind: BTreeMap::new() };
        encoder.constraints(0)?;
        let literals = &mut encoder.literals;
        literals.out.sink.section(Section::Decisions);
        for variable in problem.decisions() {
            match variable {
                Variable::Bool(term) => drop(literals.literal(*term)?),
                Variable::Int(term) => literals.touch(EncodedTerm::of(*term))?,
            }
        }
        literals.work()?;
        literals.out.sink.section(Section::Assumptions);
        Ok(encoder)
    }

    /// Encodes the constraints of the problem, starting at this position.
    pub(crate) fn constraints(&mut self, first: usize) -> Result {
        let problem = self.problem();
        for (position, constraint) in problem.constraints().iter().enumerate().skip(first) {
            let out = &mut self.literals.out;
            out.sink.section(Section::Constraint(position));
            let before = out.clause_count();
            self.literals.tasks.imply(Literal::TRUE, *constraint);
            self.literals.work()?;
            let clauses = self.literals.out.clause_count() - before;
            *self.by_kind.entry(kind(problem, *constraint)).or_default() += clauses;
        }
        Ok(())
    }

    /// Replaces the problem with one that has its terms and constraints, and maybe more.
    pub(crate) fn onto(self, problem: &Problem) -> Encoder<'_, S> {
        let Encoder { literals, relaxations, by_kind } = self;
        Encoder { literals: literals.onto(problem), relaxations: relaxations.onto(problem), by_kind }
    }

    /// Returns true if there is room for all terms of a problem.
    pub(crate) fn has_room_for(&self, problem: &Problem) -> bool {
        self.literals.terms.has_room_for(problem)
    }

    /// Requires a constraint if a condition holds.
    pub(crate) fn require_if(&mut self, condition: Literal, constraint: Bool) -> Result {
        self.literals.tasks.imply(condition, constraint);
        self.literals.work()
    }

    pub(crate) fn problem(&self) -> &'p Problem {
        self.literals.terms.problem
    }

    /// Returns the assignment of the problem's variables in which these literals are true.
    pub(crate) fn assignment(&self, holds: &mut dyn FnMut(Literal) -> bool) -> Assignment {
        let mut assignment = Assignment::default();
        for variable in self.problem().variables() {
            match variable {
                Variable::Bool(term) => {
                    if let Some(value) = self.literals.bools.value(term, holds) {
                        assignment.set_bool(term.node().0, value);
                    }
                }
                Variable::Int(term) => {
                    if let Some(value) = self.literals.value(term, holds) {
                        assignment.set_int(term, value);
                    }
                }
            }
        }
        assignment
    }

    /// Returns literals for each decision variable that distinguish its values.
    pub(crate) fn decisions(&mut self) -> Result<Vec<Vec<Literal>>> {
        let decisions = self.problem().decisions().iter();
        let literals = decisions.map(|variable| match variable {
            Variable::Bool(term) => Ok(vec![self.literals.both(*term)?]),
            Variable::Int(term) => {
                let term = EncodedTerm::of(*term);
                Ok(self.literals.ints.all_of(term, &self.literals.terms.domain(term)))
            }
        });
        let literals = literals.collect::<Result<_>>()?;
        self.literals.work()?;
        Ok(literals)
    }

    /// Returns the number of clauses by kind of constraint. A clause that several constraints share counts for the
    /// first.
    pub(crate) fn clauses_by_kind(&self) -> Vec<(&'static str, u64)> {
        self.by_kind.iter().map(|(kind, count)| (*kind, *count)).collect()
    }
}

/// The name of a kind of constraint in the statistics.
fn kind(problem: &Problem, constraint: Bool) -> &'static str {
    let (id, negated) = constraint.node();
    match problem.bool_node(id) {
        BoolNode::True | BoolNode::Variable => "literals",
        BoolNode::And(_) if negated => "disjunctions",
        BoolNode::And(_) => "conjunctions",
        BoolNode::Equivalent(..) => "equivalences",
        BoolNode::Equals(..) | BoolNode::AtMost(..) => "comparisons with constants",
        BoolNode::Same(..) => "equalities",
        BoolNode::LinearAtMost(..) | BoolNode::LinearEquals(..) => "linear constraints",
        BoolNode::Global(constraint) => constraint.kind(),
    }
}
