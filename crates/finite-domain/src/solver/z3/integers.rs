//! A problem in Z3's integer theory, node by node: for integers with too many values to have a Boolean each.

use super::{Effort, Work, allow_all, ask, ask_once, counters, megabytes, set_up};
use crate::solver::tuning::z3::HINT_UNITS;
use crate::{
    Sense, memory,
    problem::{
        Assignment, Bool, BoolId, BoolNode, Extreme, Global, Int, IntNode, Linear, Operation, Problem, Variable,
    },
    solver::{
        CheckResult, EngineOptions,
        search::{Engine, ObjectiveBound},
    },
};
use ::z3::ast;
use rustc_hash::FxHashMap;
use std::{ops::Not, sync::Once};

pub(crate) struct Integers<'p> {
    problem: &'p Problem,
    solver: ::z3::Solver,
    work: Work,
    options: EngineOptions,
    bools: FxHashMap<BoolId, ast::Bool>,
    ints: FxHashMap<Int, ast::Int>,
    assertions: u64,
    model: Option<::z3::Model>,
}

impl<'p> Integers<'p> {
    pub(super) fn new(problem: &'p Problem, options: &EngineOptions, work: Work) -> Self {
        // The integer theory has no memory limit per solver. This one applies to the whole process, like
        // `memory::limit`, and is set before the first search. Searches give up when they reach it, but building terms
        // does not fail.
        static LIMITED: Once = Once::new();
        LIMITED.call_once(|| ::z3::set_global_param("memory_high_watermark_mb", &megabytes().to_string()));
        let solver = ::z3::Solver::new();
        set_up(&solver, options.seed, |_| {});
        let mut integers = Integers {
            problem,
            solver,
            work,
            options: options.clone(),
            bools: FxHashMap::default(),
            ints: FxHashMap::default(),
            assertions: 0,
            model: None,
        };
        for constraint in problem.constraints().iter().chain(problem.symmetry_breaking()) {
            let constraint = integers.bool(*constraint);
            integers.assert(&constraint);
        }
        for variable in problem.decisions() {
            match variable {
                Variable::Bool(term) => drop(integers.bool(*term)),
                Variable::Int(term) => drop(integers.int(*term)),
            }
        }
        integers
    }

    /// The size of Z3's input.
    pub(crate) fn sizes(&self) -> Vec<(&'static str, u64)> {
        let terms = self.bools.len() + self.ints.len();
        vec![("terms", terms as u64), ("assertions", self.assertions)]
    }

    pub(crate) fn counters(&self) -> Vec<(&'static str, u64)> {
        counters(&self.solver)
    }

    pub(crate) fn solver(&self) -> &::z3::Solver {
        &self.solver
    }

    /// Returns a name that implies a Boolean term, because Z3 takes only literals as assumptions.
    pub(crate) fn assumption(&mut self, term: Bool) -> ast::Bool {
        let (id, negated) = term.node();
        let name = ast::Bool::new_const(format!("a{}.{negated}", id.0));
        let meaning = self.bool(term);
        self.assert(&name.implies(&meaning));
        name
    }

    /// Returns the assignment that the solver has just found.
    pub(crate) fn assignment_found(&mut self) -> Option<Assignment> {
        self.model = self.solver.get_model();
        self.assignment()
    }

    /// Returns the equation of a term and a value; a Boolean counts as 0 or 1.
    fn equal(&mut self, term: Variable, value: i64) -> ast::Bool {
        match term {
            Variable::Bool(term) => self.bool(if value == 1 { term } else { !term }),
            Variable::Int(term) => self.int(term).eq(ast::Int::from_i64(value)),
        }
    }

    fn assert(&mut self, constraint: &ast::Bool) {
        self.assertions += 1;
        self.solver.assert(constraint);
    }

    fn bool(&mut self, term: Bool) -> ast::Bool {
        let (id, negated) = term.node();
        let positive = match self.bools.get(&id) {
            Some(known) => known.clone(),
            None => {
                let made = memory::with_more_stack(|| self.bool_node(id));
                self.bools.insert(id, made.clone());
                made
            }
        };
        if negated { positive.not() } else { positive }
    }

    fn bool_node(&mut self, id: BoolId) -> ast::Bool {
        match self.problem.bool_node(id) {
            BoolNode::True => ast::Bool::from_bool(true),
            BoolNode::Variable => ast::Bool::new_const(format!("b{}", id.0)),
            BoolNode::And(parts) => {
                let parts: Vec<ast::Bool> = parts.iter().map(|part| self.bool(*part)).collect();
                ast::Bool::and(&parts)
            }
            BoolNode::Equivalent(left, right) => self.bool(*left).iff(self.bool(*right)),
            BoolNode::Equals(term, value) => self.int(*term).eq(ast::Int::from_i64(*value)),
            BoolNode::AtMost(term, value) => self.int(*term).le(ast::Int::from_i64(*value)),
            BoolNode::Same(left, right) => self.int(*left).eq(self.int(*right)),
            BoolNode::LinearAtMost(terms, bound) => self.sum(terms, 0).le(ast::Int::from_i64(*bound)),
            BoolNode::LinearEquals(terms, bound) => self.sum(terms, 0).eq(ast::Int::from_i64(*bound)),
            BoolNode::Global(constraint) => self.global(constraint),
        }
    }

    fn global(&mut self, constraint: &Global) -> ast::Bool {
        match constraint {
            Global::AllDifferent(constraint) => {
                let terms: Vec<ast::Int> = constraint.terms.iter().map(|term| self.int(*term)).collect();
                ast::Ast::distinct(&terms)
            }
            Global::Table(constraint) => {
                let terms: Vec<ast::Int> = constraint.terms.iter().map(|term| self.int(*term)).collect();
                let equal = |(term, value): (&ast::Int, &i64)| term.eq(ast::Int::from_i64(*value));
                let holds = |row: &[i64]| ast::Bool::and(&terms.iter().zip(row).map(equal).collect::<Vec<_>>());
                ast::Bool::or(&constraint.rows.iter().map(|row| holds(row)).collect::<Vec<_>>())
            }
        }
    }

    fn sum(&mut self, terms: &Linear, constant: i64) -> ast::Int {
        let mut parts: Vec<ast::Int> =
            terms.iter().map(|(factor, term)| ast::Int::from_i64(*factor) * self.int(*term)).collect();
        parts.push(ast::Int::from_i64(constant));
        ast::Int::add(&parts)
    }

    fn int(&mut self, term: Int) -> ast::Int {
        if let Some(known) = self.ints.get(&term) {
            return known.clone();
        }
        let made = memory::with_more_stack(|| self.int_node(term));
        self.ints.insert(term, made.clone());
        made
    }

    fn int_node(&mut self, term: Int) -> ast::Int {
        let zero = || ast::Int::from_i64(0);
        match self.problem.int_node(term) {
            IntNode::Constant(value) => ast::Int::from_i64(*value),
            IntNode::Variable => {
                let variable = ast::Int::new_const(format!("i{}", term.index()));
                let ranges: Vec<ast::Bool> = self
                    .problem
                    .values(term)
                    .ranges()
                    .iter()
                    .map(|(low, high)| {
                        let above = variable.ge(ast::Int::from_i64(*low));
                        let below = variable.le(ast::Int::from_i64(*high));
                        ast::Bool::and(&[above, below])
                    })
                    .collect();
                self.assert(&ast::Bool::or(&ranges));
                variable
            }
            IntNode::FromBool(condition) => self.bool(*condition).ite(&ast::Int::from_i64(1), &zero()),
            IntNode::Linear(terms, constant) => self.sum(terms, *constant),
            IntNode::Binary(operation, left, right) => self.operation(*operation, *left, *right),
            IntNode::Absolute(term) => {
                let term = self.int(*term);
                term.ge(zero()).ite(&term, &-term.clone())
            }
            IntNode::Extreme(extreme, terms) => self.extreme(*extreme, terms),
            IntNode::Choice(alternatives) => {
                let mut chosen = zero();
                // Alternatives are taken from the last to the first, so the first one becomes the outermost condition.
                for (position, (condition, term)) in alternatives.iter().rev().enumerate() {
                    let term = self.int(*term);
                    chosen = if position == 0 { term } else { self.bool(*condition).ite(&term, &chosen) };
                }
                chosen
            }
        }
    }

    fn operation(&mut self, operation: Operation, left: Int, right: Int) -> ast::Int {
        if operation == Operation::Power {
            return self.power(left, right);
        }
        let (left, right) = (self.int(left), self.int(right));
        let (quotient, remainder) = floor_division(&left, &right);
        let zero = ast::Int::from_i64(0);
        match operation {
            Operation::Quotient => right.eq(&zero).ite(&zero, &quotient),
            Operation::Remainder => right.eq(&zero).ite(&zero, &remainder),
            Operation::Product | Operation::Power => left * right,
        }
    }

    fn extreme(&mut self, extreme: Extreme, terms: &[Int]) -> ast::Int {
        let mut terms = terms.iter().map(|term| self.int(*term)).collect::<Vec<_>>().into_iter();
        let first = terms.next().unwrap_or_else(|| ast::Int::from_i64(0));
        terms.fold(first, |best, term| {
            let better = match extreme {
                Extreme::Minimum => term.lt(&best),
                Extreme::Maximum => term.gt(&best),
            };
            better.ite(&term, &best)
        })
    }

    /// Builds a power by cases over the values of the exponent, each a product. If the exponent is too large for a
    /// power of 2, the base must be −1, 0 or 1, and only the parity of the exponent matters.
    fn power(&mut self, base: Int, exponent: Int) -> ast::Int {
        let values = self.problem.values(exponent).clone();
        let (base, exponent) = (self.int(base), self.int(exponent));
        let even = exponent.modulo(ast::Int::from_i64(2)).eq(ast::Int::from_i64(0));
        let beyond = even.ite(&(&base * &base), &base);
        let mut chosen = exponent.lt(ast::Int::from_i64(0)).ite(&ast::Int::from_i64(0), &beyond);
        // Each power needs all smaller ones, even for exponents outside the domain.
        let mut power = ast::Int::from_i64(1);
        for value in 0..=62 {
            if values.contains(value) {
                chosen = exponent.eq(ast::Int::from_i64(value)).ite(&power, &chosen);
            }
            power *= &base;
        }
        chosen
    }
}

impl Engine for Integers<'_> {
    fn check(&mut self, bounds: &[ObjectiveBound]) -> CheckResult {
        let mut assumptions = Vec::with_capacity(bounds.len());
        for bound in bounds {
            let value = ast::Int::from_i64(bound.value);
            let term = self.int(bound.term);
            assumptions.push(match bound.sense {
                Sense::Maximise => term.ge(value),
                Sense::Minimise => term.le(value),
            });
        }
        let answer = ask(&self.solver, &mut self.work, &self.options, &assumptions);
        self.model = if answer == CheckResult::Satisfiable { self.solver.get_model() } else { None };
        answer
    }

    fn check_hint(&mut self, values: &[(Variable, i64)], conflicts: u64) -> Option<CheckResult> {
        if self.work.left.is_some() {
            return None;
        }
        let assumptions: Vec<ast::Bool> = values.iter().map(|(term, value)| self.equal(*term, *value)).collect();
        let conflicts = conflicts.try_into().unwrap_or(u32::MAX);
        let mut work = Work::limited(Effort { units: HINT_UNITS, conflicts });
        let answer = ask_once(&self.solver, &mut work, &self.options, &assumptions);
        // The solver keeps limits until they are removed.
        allow_all(&self.solver);
        self.model = if answer == CheckResult::Satisfiable { self.solver.get_model() } else { None };
        Some(answer)
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let model = self.model.as_ref()?;
        let mut assignment = Assignment::default();
        for (id, term) in &self.bools {
            if self.problem.is_variable(Variable::Bool(id.positive())) {
                assignment.set_bool(*id, model.eval(term, true)?.as_bool()?);
            }
        }
        for (id, term) in &self.ints {
            if self.problem.is_variable(Variable::Int(*id)) {
                assignment.set_int(*id, model.eval(term, true)?.as_i64()?);
            }
        }
        Some(assignment)
    }

    fn block(&mut self, assignment: &Assignment) -> Result<(), String> {
        let mut different = Vec::new();
        for variable in self.problem.decisions() {
            let value = self.problem.value(*variable, assignment);
            different.push(self.equal(*variable, value).not());
        }
        self.assert(&ast::Bool::or(&different));
        Ok(())
    }
}

/// Returns the quotient rounded down and the remainder with the divisor's sign, from Z3's Euclidean division.
fn floor_division(left: &ast::Int, right: &ast::Int) -> (ast::Int, ast::Int) {
    let (quotient, remainder) = (left.div(right), left.modulo(right));
    let zero = ast::Int::from_i64(0);
    // Z3's remainder is never negative, so for a negative divisor, one more step is needed unless it is zero.
    let adjust = ast::Bool::and(&[right.lt(&zero), remainder.eq(&zero).not()]);
    let one = ast::Int::from_i64(1);
    (adjust.ite(&(&quotient - &one), &quotient), adjust.ite(&(&remainder + right), &remainder))
}
