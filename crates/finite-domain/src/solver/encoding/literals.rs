//! The literals of terms: made when they are first asked for, with the clauses that connect them.
//!
//! The clauses that define a compound term wait in a list of tasks ([`Tasks`]).

use super::*;

/// The literals of a problem's terms, and what makes them.
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

    /// The same literals with another problem, which has the terms of this one.
    pub(super) fn onto(self, problem: &Problem) -> Literals<'_, S> {
        let Literals { terms, mut bools, ints, out, tasks } = self;
        bools.grow(problem);
        Literals { terms: terms.onto(problem), bools, ints, out, tasks }
    }

    /// Leaves out values that follow from the constraints not to be taken. A function's result is then defined even if
    /// nothing asks for it, since a constraint may be only a bound of it.
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
            self.terms.most_for_sum = self.out.share(self.terms.options.number);
            match task {
                EncodingTask::Imply(condition, term) => self.under(condition).imply(term)?,
                EncodingTask::Define(term) => self.definition(term).write()?,
            }
        }
        Ok(())
    }

    /// A literal that implies the term: what stands for it in a clause.
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
        let compound = !matches!(
            self.terms.problem.bool_node(id),
            BoolNode::True | BoolNode::Variable | BoolNode::Equals(..) | BoolNode::AtMost(..)
        );
        if compound && ![Literal::TRUE, Literal::FALSE].contains(&literal) && self.bools.needs(term) {
            self.tasks.imply(literal, term);
        }
        Ok(literal)
    }

    /// A literal equivalent to the term.
    pub(super) fn both(&mut self, term: Bool) -> Result<Literal> {
        self.literal(!term)?;
        self.literal(term)
    }
}

/// A definition that is still to be written.
pub(super) enum EncodingTask {
    /// The condition implies the term.
    Imply(Literal, Bool),
    /// The clauses that make the literals of an integer term mean it.
    Define(EncodedTerm),
}

/// The clauses that are still to be written.
#[derive(Default)]
pub(super) struct Tasks {
    waiting: Vec<EncodingTask>,
    /// The terms whose definition is written or waits.
    defined: FxHashSet<EncodedTerm>,
}

impl Tasks {
    pub(super) fn imply(&mut self, condition: Literal, term: Bool) {
        self.waiting.push(EncodingTask::Imply(condition, term));
    }

    /// Defers the definition of a term whose literals were just made.
    pub(super) fn define(&mut self, term: EncodedTerm) {
        if self.claim(term) {
            self.waiting.push(EncodingTask::Define(term));
        }
    }

    /// Whether the definition of a term is neither written nor waiting; from now on it counts as written.
    pub(super) fn claim(&mut self, term: EncodedTerm) -> bool {
        self.defined.insert(term)
    }

    pub(super) fn next(&mut self) -> Option<EncodingTask> {
        self.waiting.pop()
    }
}
