//! From a problem to Booleans and clauses, for any solver that takes them.
//!
//! Integer terms get literals on demand: one per value (direct encoding) for equalities, one per bound
//! (order encoding) for inequalities and sums, both with a channel between them where both are asked for. Terms
//! with thousands of values have bits instead (binary encoding), and literals of values and bounds one by one.
//! Asking for the literals of a term only makes variables, because the values of every term are known
//! beforehand; the clauses that define it wait in a list of tasks, so that nothing here recurses into the
//! problem however deep it is. Conditions are translated by polarity (Plaisted and Greenbaum, "A
//! structure-preserving clause form translation", 1986): of `literal ↔ meaning` only the implications that
//! are used are written.
//!
//! [`Terms`] knows the integer terms and their values, [`IntLiterals`] and [`BoolLiterals`] the literals that exist so far,
//! [`Output`] takes the clauses; the [`Encoder`] makes literals and clauses with them.
//!
//! Every clause is weighed before it is made: a problem with too many values for this way of solving, or whose clauses
//! would take too much memory, is refused ([`Refused`]), and the caller takes another way.

mod adder;
mod at_most_one;
mod binary;
mod bool_literals;
mod choice;
mod conditions;
mod diagram;
mod domain;
mod equality;
mod function;
mod global;
mod int_literals;
mod integers;
mod legend;
mod linear;
mod literal;
mod objective;
mod options;
mod output;
mod terms;

#[cfg(test)]
mod tests;

pub(crate) use legend::LiteralMeaning;
pub(crate) use literal::Literal;
pub(crate) use options::EncodingOptions;
pub(crate) use output::Output;

use crate::{
    language::{IntSet, Sense},
    memory,
    problem::{
        Bool, BoolId, BoolNode, Extreme, Global, Int, IntNode, Operation, Problem, Relaxation, RootPropagation,
        Variable,
    },
};
use bool_literals::BoolLiterals;
use domain::EncodedDomain;
use int_literals::{IntLiterals, LiteralRange};
use objective::Relaxations;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeMap, rc::Rc};
use terms::{EncodedTerm, TermSource, Terms};

/// A receiver of clauses. Variables are numbered from 1 without gaps; variable 1 is true.
pub(crate) trait ClauseSink {
    /// Whether the solver takes pseudo-Boolean constraints; if not, they become clauses, too.
    const SUMS: bool = false;

    /// The largest number of clauses that is accepted: beyond it, another backend may do better.
    const MOST_CLAUSES: u64 = 4_000_000;

    /// The solver's approximate memory use.
    const FOOTPRINT: Footprint = Footprint { variable: 300, clause: 80, literal: 20 };

    /// Adds a clause: at least one of the literals holds.
    fn clause(&mut self, literals: &[Literal]);

    /// Announces the meaning of the clauses that follow.
    fn section(&mut self, _section: Section) {}

    /// Whether the sink wants no more clauses: a limit was reached.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Whether the sink keeps a proof. The clauses then state the problem itself and nothing that was derived from it,
    /// so that the proof refutes the problem.
    fn proves(&self) -> bool {
        false
    }

    /// If the condition holds, then `Σ weight · literal <= bound`; the weights are positive, and neither their sum
    /// nor the bound exceeds [`LARGEST_SUM`]. Called only if there are [`ClauseSink::SUMS`].
    fn at_most(&mut self, _condition: Literal, _terms: &[(i64, Literal)], _bound: i64) {}
}

/// The meaning of a group of clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// That variable 1 is true.
    True,
    /// A constraint of the problem, by its position.
    Constraint(usize),
    /// The relations between the Booleans of a decision variable.
    Decisions,
    /// Definitions of Booleans that the search uses as assumptions; by themselves they exclude no assignment.
    Assumptions,
    /// A blocking clause: excludes a solution that was found.
    Found,
    /// The solution is better than the last one: for each term of the objective, a value that it should be no worse
    /// than, the terms before it being as good.
    Better { sense: Sense, values: Vec<i64> },
}

/// The bytes that a solver takes for a variable, for a clause, and for each literal in it. `benches/growth.py` measures
/// the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    pub variable: u64,
    pub clause: u64,
    pub literal: u64,
}

/// Why a problem does not become clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The numbers have too many values.
    Values,
    /// There would be more clauses than [`ClauseSink::MOST_CLAUSES`].
    Clauses,
    /// The clauses would take more memory than there may be.
    Memory,
    /// The sink wants no more clauses, because a limit was reached.
    Stopped,
}

/// What has been encoded, or why the problem is given up: the sink has then received only a part of the clauses.
type Result<T = (), E = Refused> = std::result::Result<T, E>;

/// The largest sum of weights in a pseudo-Boolean constraint.
pub(crate) const LARGEST_SUM: i64 = 1 << 30;

/// A problem on its way into a sink.
pub(crate) struct Encoder<'p, S> {
    terms: Terms<'p>,
    pub bools: BoolLiterals,
    literals: IntLiterals,
    pub out: Output<S>,
    pub relaxations: Relaxations<'p>,
    /// The divisions (dividend, divisor) that are encoded with bits.
    divisions: FxHashSet<(EncodedTerm, EncodedTerm)>,
    tasks: Tasks,
    /// The number of clauses that each kind of constraint has become.
    by_kind: BTreeMap<&'static str, u64>,
}

enum EncodingTask {
    /// The condition implies the term.
    Imply(Literal, Bool),
    /// The clauses that make the literals of an integer term mean it.
    Define(EncodedTerm),
}

/// The clauses that are still to be written.
#[derive(Default)]
struct Tasks {
    waiting: Vec<EncodingTask>,
    /// The terms whose definition is written or waits.
    defined: FxHashSet<EncodedTerm>,
}

impl Tasks {
    fn imply(&mut self, condition: Literal, term: Bool) {
        self.waiting.push(EncodingTask::Imply(condition, term));
    }

    /// The definition of a term whose literals were just made.
    fn define(&mut self, term: EncodedTerm) {
        if self.defined.insert(term) {
            self.waiting.push(EncodingTask::Define(term));
        }
    }

    fn next(&mut self) -> Option<EncodingTask> {
        self.waiting.pop()
    }
}

impl<'p, S: ClauseSink> Encoder<'p, S> {
    /// Encodes the constraints of a problem, and gives literals to its decision variables and to its objective.
    pub(crate) fn new(problem: &'p Problem, sink: S) -> Result<Self> {
        Encoder::with_options(problem, sink, EncodingOptions::default())
    }

    /// An encoder with these encoding options.
    pub(crate) fn with_options(problem: &'p Problem, sink: S, options: EncodingOptions) -> Result<Self> {
        let out = Output::new(sink);
        let mut encoder = Encoder {
            terms: Terms::new(problem, options, out.share(options.number)),
            bools: BoolLiterals::new(problem),
            literals: IntLiterals::default(),
            relaxations: Relaxations::new(problem, out.sink.proves()),
            out,
            divisions: FxHashSet::default(),
            tasks: Tasks::default(),
            by_kind: BTreeMap::new(),
        };
        if !encoder.out.sink.proves() {
            encoder.narrow();
        }
        for constraint in problem.constraints() {
            let (id, negated) = constraint.node();
            // A proof needs the clause that says that a variable is true (or false).
            if !(encoder.out.sink.proves() && problem.is_variable(Variable::Bool(*constraint))) {
                encoder.bools.fix(id, Literal::from(!negated));
            }
        }
        for (position, constraint) in problem.constraints().iter().enumerate() {
            encoder.out.sink.section(Section::Constraint(position));
            let before = encoder.out.clause_count();
            encoder.tasks.imply(Literal::TRUE, *constraint);
            encoder.work()?;
            *encoder.by_kind.entry(kind(problem, *constraint)).or_default() += encoder.out.clause_count() - before;
        }
        encoder.out.sink.section(Section::Decisions);
        for variable in problem.decisions() {
            match variable {
                Variable::Bool(term) => drop(encoder.literal(*term)?),
                Variable::Int(term) => encoder.touch(EncodedTerm::of(*term))?,
            }
        }
        encoder.work()?;
        encoder.out.sink.section(Section::Assumptions);
        Ok(encoder)
    }

    /// Requires a constraint wherever a condition holds.
    pub(crate) fn require_if(&mut self, condition: Literal, constraint: Bool) -> Result {
        self.tasks.imply(condition, constraint);
        self.work()
    }

    /// Leaves out values that follow from the constraints not to be taken. A function's result is then defined even if
    /// nothing asks for it, since a constraint may be only a bound of it.
    fn narrow(&mut self) {
        let problem = self.terms.problem;
        let Some(root) = RootPropagation::of(problem) else { return self.out.clause([]) };
        for (term, values) in root.narrowed() {
            let (low, high) = (values.min().unwrap_or(0), values.max().unwrap_or(0));
            let values = match problem.int_node(term) {
                IntNode::Variable => values.clone(),
                IntNode::Constant(_) | IntNode::FromBool(_) | IntNode::Linear(..) => continue,
                _ => problem.values(term).intersect(&IntSet::range(low, high)),
            };
            let term = EncodedTerm::of(term);
            self.terms.narrow(term, &values);
            if self.terms.node(term) != Some(&IntNode::Variable) {
                self.tasks.define(term);
            }
        }
    }

    pub(crate) fn problem(&self) -> &'p Problem {
        self.terms.problem
    }

    /// The number of clauses that each kind of constraint has become. A clause that several constraints use counts for
    /// the first.
    pub(crate) fn clauses_by_kind(&self) -> Vec<(&'static str, u64)> {
        self.by_kind.iter().map(|(kind, count)| (*kind, *count)).collect()
    }

    /// Runs the deferred tasks.
    pub(crate) fn work(&mut self) -> Result {
        while let Some(task) = self.tasks.next() {
            self.out.weigh()?;
            self.terms.most_for_sum = self.out.share(self.terms.options.number);
            match task {
                EncodingTask::Imply(condition, term) => self.imply(condition, term)?,
                EncodingTask::Define(term) => self.define(term)?,
            }
        }
        Ok(())
    }
}

/// The kind of a constraint, in the words of the statistics.
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
