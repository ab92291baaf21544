//! The literals of terms: made on demand, with the clauses that connect them.
//!
//! The clauses that define a compound term are deferred in a list of tasks ([`Tasks`]).

use super::*;

/// The literals of a problem's terms, and the parts that make them.
pub(crate) struct Literals<'p, S> {
    pub(super) terms: EncodedTerms<'p>,
    pub bools: BoolLiterals,
    pub(super) ints: IntLiterals,
    pub out: Output<S>,
    pub(super) tasks: Tasks,
}

impl<'p, S: ClauseSink> Literals<'p, S> {
    pub(super) fn new(problem: &'p Problem, sink: S, options: EncodingOptions) -> Self {
        let out = Output::new(sink, options.clauses);
        Literals {
            terms: EncodedTerms::new(problem, options, out.share(options.number)),
            bools: BoolLiterals::new(problem),
            ints: IntLiterals::default(),
            out,
            tasks: Tasks::default(),
        }
    }

    /// Replaces the problem with one that has its terms.
    pub(super) fn onto(self, problem: &Problem) -> Literals<'_, S> {
        let Literals { terms, mut bools, ints, out, tasks } = self;
        bools.grow(problem);
        Literals { terms: terms.onto(problem), bools, ints, out, tasks }
    }

    /// Removes values that root propagation has excluded. A narrowed function term must be defined even if nothing asks
    /// for its literals, because the constraint that narrowed it may be no more than a bound on it.
    pub(super) fn narrow(&mut self) {
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

    /// Runs the deferred tasks.
    pub(crate) fn work(&mut self) -> Result {
        while let Some(task) = self.tasks.next() {
            self.out.weigh()?;
            // As the budget shrinks, the share of each sum shrinks, too.
            self.terms.most_for_sum = self.out.share(self.terms.options.number);
            match task {
                EncodingTask::Imply(condition, term) => self.under(condition).imply(term)?,
                EncodingTask::Define(term) => self.definition(term).write()?,
            }
        }
        Ok(())
    }

    /// Returns a literal that implies the term, to represent it in a clause.
    pub(crate) fn literal(&mut self, term: Bool) -> Result<Literal> {
        let (id, negated) = term.node();
        let literal = match self.bools.literal(id) {
            Some(literal) => literal,
            None => {
                let literal = match *self.terms.problem.bool_node(id) {
                    BoolNode::True => Literal::TRUE,
                    BoolNode::Equals(term, value) => self.equals(EncodedTerm::of(term), value)?,
                    BoolNode::AtMost(term, value) => self.at_most(EncodedTerm::of(term), value)?,
                    _ => self.out.new_variable(),
                };
                self.bools.set(id, literal);
                literal
            }
        };
        let literal = if negated { !literal } else { literal };
        // The literal of a comparison is equivalent to its term, so it needs no task.
        let compound = !matches!(
            self.terms.problem.bool_node(id),
            BoolNode::True | BoolNode::Variable | BoolNode::Equals(..) | BoolNode::AtMost(..)
        );
        if compound && ![Literal::TRUE, Literal::FALSE].contains(&literal) && self.bools.needs(term) {
            self.tasks.imply(literal, term);
        }
        Ok(literal)
    }

    /// Returns a literal that is equivalent to the term.
    pub(super) fn both(&mut self, term: Bool) -> Result<Literal> {
        self.literal(!term)?;
        self.literal(term)
    }
}

/// A deferred definition.
pub(super) enum EncodingTask {
    /// The condition implies the term.
    Imply(Literal, Bool),
    /// The clauses that define the literals of an integer term.
    Define(EncodedTerm),
}

/// The deferred definitions.
#[derive(Default)]
pub(super) struct Tasks {
    waiting: Vec<EncodingTask>,
    /// The terms whose definition is written or deferred.
    defined: FxHashSet<EncodedTerm>,
}

impl Tasks {
    pub(super) fn imply(&mut self, condition: Literal, term: Bool) {
        self.waiting.push(EncodingTask::Imply(condition, term));
    }

    /// Defers the definition of a term that has just got literals.
    pub(super) fn define(&mut self, term: EncodedTerm) {
        if self.claim(term) {
            self.waiting.push(EncodingTask::Define(term));
        }
    }

    /// Marks the definition of a term as written; returns true if it was neither written nor deferred.
    pub(super) fn claim(&mut self, term: EncodedTerm) -> bool {
        self.defined.insert(term)
    }

    pub(super) fn next(&mut self) -> Option<EncodingTask> {
        self.waiting.pop()
    }
}
