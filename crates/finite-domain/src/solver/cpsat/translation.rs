//! The translation of a problem to a model of CP-SAT, node by node.
//!
//! A nested Boolean term becomes a literal. The constraints that define it are enforced by the literal or by its
//! negation, depending on the polarity of its uses (Plaisted, Greenbaum, "A structure-preserving clause form
//! translation", 1986): all constraints of CP-SAT can be enforced. An integer term becomes a linear expression; a sum
//! is kept whole in a linear constraint, and gets a variable only where an expression of one variable is needed.

use super::{
    messages::*,
    path::InjectiveSequences,
    schedule::Schedules,
    tour::{PermutedVariables, TourVariables, ToursInSum},
};
use crate::solver::EngineOptions;
use crate::solver::tuning::cpsat::{MODEL_PART, MOST_RANGES, MOST_ROWS, STOP_INTERVAL};
use crate::{
    IntSet, memory,
    problem::{
        Assignment, Bool, BoolId, BoolNode, DefinedSum, DifferenceBounds, Entries, Extreme, Global, Int, IntNode,
        Operation, Problem, SeenThrough, Variable, global::Table,
    },
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// A reference to a variable with the values 0 and 1; `-1 - index` is the negation.
type CpSatLiteral = i32;

/// The bound on the absolute value of a sum.
const LARGEST: u128 = 1 << 61;

/// The bound on the absolute value of a single variable, such as a decision that must differ from its last value.
const LARGEST_ALONE: u128 = 1 << 62;

/// The reason why a problem cannot be translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Untranslatable {
    /// The values of a sum or a power are too large.
    Numbers,
    /// There are too many variables, or the model would take too much memory.
    Memory,
    /// A limit was reached.
    Stopped,
}

/// A model that grows with the terms that are translated.
pub(super) struct Translation<'p> {
    pub problem: &'p Problem,
    options: &'p EngineOptions,
    pub model: ModelProto,
    bools: FxHashMap<BoolId, CpSatLiteral>,
    /// The terms that are implied by their literals.
    implied: FxHashSet<Bool>,
    ints: FxHashMap<Int, LinearExpression>,
    divisions: FxHashMap<(Int, Int), Division>,
    /// The literals of "the term has this value" that represent no term of the problem.
    values: FxHashMap<(Int, i64), CpSatLiteral>,
    /// The variables of sums of two multiples of terms and a number.
    sums: FxHashMap<([(i64, Int); 2], i64), i32>,
    differences: OnceCell<DifferenceBounds>,
    pub permutations: PermutedVariables,
    pub sequences: InjectiveSequences,
    /// The number of steps so far in the search for paths.
    pub steps: usize,
    pub tours: Vec<TourVariables>,
    /// The terms of the objective that are translated.
    objectives: FxHashMap<Int, LinearExpression>,
    /// The first term of the objective as the length of a tour, if only definitions show the tour.
    seen_through: Option<(Int, ToursInSum, i64)>,
    /// The variables that only this length uses. The model lacks them and their definitions.
    private: Vec<DefinedSum>,
    /// An estimate of the size of the model in bytes.
    size: u64,
}

/// `dividend = divisor * quotient + remainder`, rounded towards minus infinity, if the divisor is not 0.
#[derive(Clone)]
struct Division {
    quotient: LinearExpression,
    remainder: LinearExpression,
}

impl<'p> Translation<'p> {
    pub(super) fn new(problem: &'p Problem, options: &'p EngineOptions) -> Result<Self, Untranslatable> {
        let mut translation = Translation {
            problem,
            options,
            model: ModelProto::default(),
            bools: FxHashMap::default(),
            implied: FxHashSet::default(),
            ints: FxHashMap::default(),
            divisions: FxHashMap::default(),
            values: FxHashMap::default(),
            sums: FxHashMap::default(),
            differences: OnceCell::new(),
            permutations: PermutedVariables::of(problem),
            sequences: InjectiveSequences::of(problem),
            steps: 0,
            tours: Vec::new(),
            objectives: FxHashMap::default(),
            seen_through: None,
            private: Vec::new(),
            size: 0,
        };
        translation.see_through();
        // Resources replace some constraints, so schedules are translated first.
        let schedules = Schedules::of(problem);
        translation.schedules(&schedules)?;
        let others = problem.constraints().iter().enumerate().filter(|(at, _)| !schedules.replaced.contains(at));
        let private: FxHashSet<BoolId> = translation.private.iter().map(|sum| sum.constraint).collect();
        for constraint in others.map(|(_, constraint)| constraint).chain(problem.symmetry_breaking()) {
            if !private.contains(&constraint.node().0) {
                translation.post(*constraint, &[])?;
            }
        }
        // Enumeration must see decisions that occur in no constraint, so these need variables, too.
        let private: FxHashSet<Int> = translation.private.iter().map(|sum| sum.variable).collect();
        for variable in problem.decisions() {
            match variable {
                Variable::Bool(term) => drop(translation.literal(*term)?),
                Variable::Int(term) if private.contains(term) => {}
                Variable::Int(term) => drop(translation.affine(*term)?),
            }
        }
        Ok(translation)
    }

    /// Finds the tour whose length the first term of the objective is, if only definitions show it. Legs with variables
    /// and tables beside the circuit took 35 times the propagations of a tour of 12 stops.
    fn see_through(&mut self) {
        let term = self.problem.objective().and_then(|objective| objective.terms.first().copied());
        if let Some(term) = term.filter(|_| !(self.permutations.is_empty() && self.sequences.is_empty()))
            && let Some(SeenThrough { terms, constant, private }) = self.problem.seen_through(term)
            && let Some(tours) = self.tours_in(&terms)
        {
            self.private = private;
            self.seen_through = Some((term, tours, constant));
        }
    }

    /// Returns the values of the problem's variables in a solution.
    pub(super) fn assignment(&self, solution: &[i64]) -> Assignment {
        let mut assignment = Assignment::default();
        let value = |expression: &LinearExpression| {
            let values = expression.vars.iter().map(|variable| solution.get(*variable as usize).copied().unwrap_or(0));
            expression.offset + values.zip(&expression.coeffs).map(|(value, factor)| value * factor).sum::<i64>()
        };
        for variable in self.problem.variables() {
            match variable {
                Variable::Bool(term) => {
                    if let Some(literal) = self.bools.get(&term.node().0) {
                        assignment.set_bool(term.node().0, value(&of_literal(*literal)) == 1);
                    }
                }
                Variable::Int(term) => {
                    if let Some(expression) = self.ints.get(&term) {
                        assignment.set_int(term, value(expression));
                    }
                }
            }
        }
        for DefinedSum { variable, terms, constant, .. } in &self.private {
            let addends = terms.iter().map(|(factor, term)| factor * self.problem.int_value(*term, &assignment));
            let value = constant + addends.sum::<i64>();
            assignment.set_int(*variable, value);
        }
        assignment
    }

    /// Returns the values of the model's variables in an assignment.
    pub(super) fn hint(&self, assignment: &Assignment) -> PartialAssignment {
        let mut hint = PartialAssignment::default();
        let mut set = |variable: i32, value: i64| {
            hint.vars.push(variable);
            hint.values.push(value);
        };
        for (id, literal) in &self.bools {
            set(*literal, self.problem.bool_value(id.positive(), assignment).into());
        }
        for (term, expression) in &self.ints {
            // If an expression consists of literals, `bools` sets its value.
            if let ([variable], [1], IntNode::Variable) =
                (expression.vars.as_slice(), expression.coeffs.as_slice(), self.problem.int_node(*term))
            {
                set(*variable, self.problem.int_value(*term, assignment));
            }
        }
        // CP-SAT uses only complete hints, so auxiliary variables need values, too.
        for ((term, value), literal) in &self.values {
            set(*literal, (self.problem.int_value(*term, assignment) == *value).into());
        }
        for ((terms, number), variable) in &self.sums {
            let addend = |(factor, term): &(i64, Int)| factor * self.problem.int_value(*term, assignment);
            set(*variable, terms.iter().map(addend).sum::<i64>() + number);
        }
        self.tours.iter().for_each(|tour| tour.values(self.problem, assignment, &mut set));
        hint
    }

    /// Returns a hint with the values of some variables; `None` if it is empty.
    pub(super) fn partial_hint(&self, values: &[(Variable, i64)]) -> Option<PartialAssignment> {
        let (mut hint, mut seen) = (PartialAssignment::default(), FxHashSet::default());
        for (variable, value) in values {
            let known = match variable {
                Variable::Bool(term) => self.bools.get(&term.node().0).copied().map(|literal| (literal, *value)),
                Variable::Int(term) => self.ints.get(term).and_then(|expression| match expression.vars[..] {
                    [variable] if expression.coeffs == [1] => Some((variable, value - expression.offset)),
                    _ => None,
                }),
            };
            // A negative number denotes a negated variable.
            if let Some((variable, value)) = known.filter(|(variable, _)| *variable >= 0 && seen.insert(*variable)) {
                hint.vars.push(variable);
                hint.values.push(value);
            }
        }
        (!hint.vars.is_empty()).then_some(hint)
    }

    /// Requires that some decision variable differs from the assignment.
    pub(super) fn block(&mut self, assignment: &Assignment) -> Result<(), Untranslatable> {
        let mut different = Vec::new();
        for variable in self.problem.decisions() {
            match *variable {
                Variable::Bool(term) => {
                    let value = self.problem.bool_value(term, assignment);
                    different.push(self.literal(if value { !term } else { term })?);
                }
                Variable::Int(term) => {
                    let value = self.problem.int_value(term, assignment);
                    let differs = self.new_literal()?;
                    let expression = self.affine(term)?;
                    self.require_in(expression, &IntSet::single(value).gaps(), &[differs])?;
                    different.push(differs);
                }
            }
        }
        self.require(ConstraintKind::BoolOr(BoolArgument { literals: different }), &[])
    }

    /// Requires that a term of the objective is between two values.
    pub(super) fn bound(&mut self, term: Int, low: i64, high: i64) -> Result<(), Untranslatable> {
        let sum = self.objective(term)?;
        self.require_in(sum, &[(low, high)], &[])
    }

    /// Returns a term of the objective as a sum. If it is the length of a tour that constraints define, such as `cost`
    /// in `cost = Σ leg`, the sum is over the arcs of a circuit.
    pub(super) fn objective(&mut self, term: Int) -> Result<LinearExpression, Untranslatable> {
        if let Some(sum) = self.objectives.get(&term) {
            return Ok(sum.clone());
        }
        let sum = match self.seen_through.take_if(|(seen, ..)| *seen == term) {
            Some((_, tours, constant)) => self.length(tours, constant)?,
            None => self.sum(term)?,
        };
        self.objectives.insert(term, sum.clone());
        Ok(sum)
    }

    /// Returns a term as a sum, without a variable for the whole.
    pub(super) fn sum(&mut self, term: Int) -> Result<LinearExpression, Untranslatable> {
        match self.problem.int_node(term) {
            IntNode::Linear(terms, constant) if !self.ints.contains_key(&term) => self.sum_of(terms, *constant),
            _ => self.affine(term),
        }
    }

    fn sum_of(&mut self, terms: &[(i64, Int)], constant: i64) -> Result<LinearExpression, Untranslatable> {
        if let Some(sum) = self.tour(terms, constant)? {
            return Ok(sum);
        }
        let mut sum = SumBuilder::new(constant);
        for (factor, term) in terms {
            sum.add(*factor, &self.affine(*term)?);
        }
        sum.finish()
    }

    pub(super) fn new_variable(&mut self, domain: Vec<i64>) -> Result<i32, Untranslatable> {
        self.grow(50 + 16 * domain.len())?;
        let index = i32::try_from(self.model.variables.len()).map_err(|_| Untranslatable::Memory)?;
        self.model.variables.push(IntegerVariable { domain });
        Ok(index)
    }

    pub(super) fn new_literal(&mut self) -> Result<CpSatLiteral, Untranslatable> {
        self.new_variable(vec![0, 1])
    }

    /// Makes a variable for a term that is a function of others.
    fn new_result(&mut self, values: &IntSet) -> Result<LinearExpression, Untranslatable> {
        // The definition of the term excludes the gaps, so a long list of ranges can be left out.
        let hull = [(values.min().unwrap_or(0), values.max().unwrap_or(0))];
        let ranges = if values.ranges().len() <= MOST_RANGES { values.ranges() } else { &hull };
        Ok(of_variable(self.new_variable(domain(ranges))?))
    }

    fn grow(&mut self, bytes: usize) -> Result<(), Untranslatable> {
        self.size += bytes as u64;
        // The solver needs memory for the model, the presolved model, and the data of each thread.
        if self.size > memory::for_clauses() / MODEL_PART {
            Err(Untranslatable::Memory)
        } else if self.model.constraints.len().is_multiple_of(STOP_INTERVAL) && self.options.reached().is_some() {
            Err(Untranslatable::Stopped)
        } else {
            Ok(())
        }
    }

    pub(super) fn require(&mut self, kind: ConstraintKind, enforced_by: &[CpSatLiteral]) -> Result<(), Untranslatable> {
        let numbers = match &kind {
            ConstraintKind::BoolOr(argument) | ConstraintKind::BoolAnd(argument) => argument.literals.len(),
            ConstraintKind::Linear(linear) => 3 * linear.vars.len() + 2 * linear.domain.len(),
            ConstraintKind::Table(table) => 2 * table.values.len() + 16 * table.exprs.len(),
            ConstraintKind::AllDiff(all) => 16 * all.exprs.len(),
            ConstraintKind::Circuit(circuit) => 3 * circuit.literals.len(),
            ConstraintKind::Interval(_) => 48,
            ConstraintKind::NoOverlap(machine) => machine.intervals.len(),
            ConstraintKind::Cumulative(resource) => 17 * resource.intervals.len(),
            ConstraintKind::Element(element) => 16 * element.exprs.len(),
            ConstraintKind::IntDiv(of)
            | ConstraintKind::IntMod(of)
            | ConstraintKind::IntProd(of)
            | ConstraintKind::LinMax(of) => 16 * of.exprs.len(),
        };
        self.grow(150 + 4 * numbers)?;
        self.model.constraints.push(ConstraintProto { enforcement_literal: enforced_by.to_vec(), kind: Some(kind) });
        Ok(())
    }

    /// Requires that a sum lies in these ranges.
    pub(super) fn require_in(
        &mut self,
        sum: LinearExpression,
        ranges: &[(i64, i64)],
        enforced_by: &[CpSatLiteral],
    ) -> Result<(), Untranslatable> {
        let LinearExpression { vars, coeffs, offset } = sum;
        let mut most = u128::from(offset.unsigned_abs());
        for (variable, factor) in vars.iter().zip(&coeffs) {
            most += u128::from(factor.unsigned_abs()) * self.model.variables[*variable as usize].largest();
        }
        if most > if vars.len() > 1 { LARGEST } else { LARGEST_ALONE } {
            return Err(Untranslatable::Numbers);
        }
        // Unbounded ends must stay unbounded.
        let shifted = |end: i64| {
            if end == IntSet::MINUS_INFINITY || end == IntSet::INFINITY { end } else { end.saturating_sub(offset) }
        };
        let domain = ranges.iter().flat_map(|(low, high)| [shifted(*low), shifted(*high)]).collect();
        self.require(ConstraintKind::Linear(LinearProto { vars, coeffs, domain }), enforced_by)
    }

    /// Requires that two expressions are equal.
    pub(super) fn require_equal(
        &mut self,
        left: &LinearExpression,
        right: &LinearExpression,
        enforced_by: &[CpSatLiteral],
    ) -> Result<(), Untranslatable> {
        let difference = difference(left, right)?;
        self.require_in(difference, &[(0, 0)], enforced_by)
    }

    /// Returns a literal that implies a term.
    fn literal(&mut self, term: Bool) -> Result<CpSatLiteral, Untranslatable> {
        let (id, negated) = term.node();
        let positive = match self.bools.get(&id) {
            Some(known) => *known,
            None => {
                // The literal for `true` is a variable with the value 1.
                let domain = if term.constant().is_some() { vec![1, 1] } else { vec![0, 1] };
                let new = self.new_variable(domain)?;
                self.bools.insert(id, new);
                new
            }
        };
        let literal = if negated { not(positive) } else { positive };
        let node = self.problem.bool_node(id);
        if !matches!(node, BoolNode::True | BoolNode::Variable) && self.implied.insert(term) {
            memory::with_more_stack(|| self.post(term, &[literal]))?;
            // CP-SAT recognises the literal of a value or a bound only if both implications are given.
            if matches!(node, BoolNode::Equals(..) | BoolNode::AtMost(..)) && self.implied.insert(!term) {
                self.post(!term, &[not(literal)])?;
            }
        }
        Ok(literal)
    }

    /// Returns a literal that is equivalent to a term.
    pub(super) fn equivalent(&mut self, term: Bool) -> Result<CpSatLiteral, Untranslatable> {
        self.literal(!term)?;
        self.literal(term)
    }

    /// Returns a literal that is equivalent to "the term has this value".
    pub(super) fn has_value(&mut self, term: Int, value: i64) -> Result<CpSatLiteral, Untranslatable> {
        if let Some(known) = self.values.get(&(term, value)) {
            return Ok(*known);
        }
        let (literal, expression) = (self.new_literal()?, self.affine(term)?);
        self.require_in(expression.clone(), &[(value, value)], &[literal])?;
        self.require_in(expression, &IntSet::single(value).gaps(), &[not(literal)])?;
        self.values.insert((term, value), literal);
        Ok(literal)
    }

    /// Returns an expression of one variable for the sum of two multiples of terms and a number.
    pub(super) fn sum_variable(
        &mut self,
        terms: [(i64, Int); 2],
        number: i64,
    ) -> Result<LinearExpression, Untranslatable> {
        if let Some(known) = self.sums.get(&(terms, number)) {
            return Ok(of_variable(*known));
        }
        let mut sum = SumBuilder::new(number);
        let (mut low, mut high) = (number, number);
        for (factor, term) in terms {
            let (least, most) = self.problem.bounds(term);
            let ends = [least, most].map(|end| factor.saturating_mul(end));
            (low, high) = (low.saturating_add(ends[0].min(ends[1])), high.saturating_add(ends[0].max(ends[1])));
            sum.add(factor, &self.affine(term)?);
        }
        let variable = self.new_variable(vec![low, high])?;
        self.require_equal(&sum.finish()?, &of_variable(variable), &[])?;
        self.sums.insert((terms, number), variable);
        Ok(of_variable(variable))
    }

    fn literals(&mut self, terms: impl IntoIterator<Item = Bool>) -> Result<Vec<CpSatLiteral>, Untranslatable> {
        terms.into_iter().map(|term| self.literal(term)).collect()
    }

    /// Requires a term if all the literals hold.
    fn post(&mut self, term: Bool, enforced_by: &[CpSatLiteral]) -> Result<(), Untranslatable> {
        let (id, negated) = term.node();
        let problem = self.problem;
        // Returns the values in a range, or the values outside it if the constraint is negated.
        let side = |low, high| if negated { IntSet::range(low, high).gaps() } else { vec![(low, high)] };
        match problem.bool_node(id) {
            BoolNode::True | BoolNode::Variable => {
                let literal = self.literal(term)?;
                self.require(ConstraintKind::BoolAnd(BoolArgument { literals: vec![literal] }), enforced_by)
            }
            BoolNode::And(parts) if negated => {
                let literals = self.literals(parts.iter().map(|part| !*part))?;
                self.require(ConstraintKind::BoolOr(BoolArgument { literals }), enforced_by)
            }
            BoolNode::And(parts) => {
                parts.iter().try_for_each(|part| memory::with_more_stack(|| self.post(*part, enforced_by)))
            }
            BoolNode::Equivalent(left, right) => {
                let (left, right) = (self.equivalent(*left)?, self.equivalent(*right)?);
                let right = if negated { not(right) } else { right };
                self.require(ConstraintKind::BoolOr(BoolArgument { literals: vec![not(left), right] }), enforced_by)?;
                self.require(ConstraintKind::BoolOr(BoolArgument { literals: vec![left, not(right)] }), enforced_by)
            }
            BoolNode::Equals(term, value) => {
                let sum = self.sum(*term)?;
                self.require_in(sum, &side(*value, *value), enforced_by)
            }
            BoolNode::AtMost(term, value) => {
                let sum = self.sum(*term)?;
                self.require_in(sum, &side(IntSet::MINUS_INFINITY, *value), enforced_by)
            }
            BoolNode::Same(left, right) => {
                let (left, right) = (self.sum(*left)?, self.sum(*right)?);
                let difference = difference(&left, &right)?;
                self.require_in(difference, &side(0, 0), enforced_by)
            }
            BoolNode::LinearAtMost(terms, bound) => {
                let sum = self.sum_of(terms, 0)?;
                self.require_in(sum, &side(IntSet::MINUS_INFINITY, *bound), enforced_by)
            }
            BoolNode::LinearEquals(terms, value) => {
                let sum = self.sum_of(terms, 0)?;
                self.require_in(sum, &side(*value, *value), enforced_by)
            }
            // CP-SAT can enforce `all_different`, but not its negation, which means that some pair is equal.
            BoolNode::Global(Global::AllDifferent(constraint)) if negated => {
                let exprs = self.affines(&constraint.terms)?;
                let mut literals = Vec::new();
                for (position, left) in exprs.iter().enumerate() {
                    for right in &exprs[..position] {
                        let equal = self.new_literal()?;
                        self.require_equal(left, right, &[equal])?;
                        literals.push(equal);
                    }
                }
                self.require(ConstraintKind::BoolOr(BoolArgument { literals }), enforced_by)
            }
            BoolNode::Global(Global::AllDifferent(constraint)) => {
                let exprs = self.affines(&constraint.terms)?;
                self.require(ConstraintKind::AllDiff(AllDifferentProto { exprs }), enforced_by)
            }
            BoolNode::Global(Global::Table(constraint))
                if !negated && !enforced_by.is_empty() && self.exceed_32_bits(&constraint.terms) =>
            {
                self.row_by_row(constraint, enforced_by)
            }
            BoolNode::Global(Global::Table(constraint)) => {
                let exprs = self.affines(&constraint.terms)?;
                let values = constraint.rows.iter().flat_map(|row| row.iter().copied()).collect();
                self.require(ConstraintKind::Table(TableProto { values, negated, exprs }), enforced_by)
            }
        }
    }

    fn exceed_32_bits(&self, terms: &[Int]) -> bool {
        terms.iter().any(|term| {
            let (low, high) = self.problem.bounds(*term);
            i32::try_from(low).is_err() || i32::try_from(high).is_err()
        })
    }

    /// Requires that terms form one of some rows, without a table constraint: with a condition, a table of CP-SAT 9.15
    /// loses rows if the terms have values beyond 32 bits.
    fn row_by_row(&mut self, table: &Table, enforced_by: &[CpSatLiteral]) -> Result<(), Untranslatable> {
        let mut literals = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let is_row = self.new_literal()?;
            for (term, value) in table.terms.iter().zip(row) {
                let expression = self.affine(*term)?;
                self.require_in(expression, &[(*value, *value)], &[is_row])?;
            }
            literals.push(is_row);
        }
        self.require(ConstraintKind::BoolOr(BoolArgument { literals }), enforced_by)
    }

    fn affines(&mut self, terms: &[Int]) -> Result<Vec<LinearExpression>, Untranslatable> {
        terms.iter().map(|term| self.affine(*term)).collect()
    }

    /// Returns a term as an expression of at most one variable.
    pub(super) fn affine(&mut self, term: Int) -> Result<LinearExpression, Untranslatable> {
        if let Some(known) = self.ints.get(&term) {
            return Ok(known.clone());
        }
        let expression = memory::with_more_stack(|| self.int_node(term))?;
        self.ints.insert(term, expression.clone());
        Ok(expression)
    }

    fn int_node(&mut self, term: Int) -> Result<LinearExpression, Untranslatable> {
        let problem = self.problem;
        let values = problem.values(term);
        match problem.int_node(term) {
            IntNode::Constant(value) => Ok(of_constant(*value)),
            IntNode::Variable => Ok(of_variable(self.new_variable(domain(values.ranges()))?)),
            IntNode::FromBool(condition) => Ok(of_literal(self.equivalent(*condition)?)),
            IntNode::Linear(terms, constant) => {
                let sum = self.sum_of(terms, *constant)?;
                if sum.vars.len() <= 1 {
                    return Ok(sum);
                }
                // Bounds on the difference of two terms narrow the domain of the variable, for example if marks are in
                // ascending order.
                let possible = DifferenceBounds::pair(terms).map(|(first, second)| {
                    let bounds = self.differences.get_or_init(|| DifferenceBounds::of(problem));
                    values.intersect(&bounds.values(first, second, *constant))
                });
                // If the bounds are contradictory, no values are left, and CP-SAT finds the contradiction on its own.
                let result = self.new_result(possible.as_ref().filter(|set| !set.is_empty()).unwrap_or(values))?;
                self.require_equal(&sum, &result, &[])?;
                Ok(result)
            }
            IntNode::Binary(Operation::Quotient, left, right) => Ok(self.division(*left, *right)?.quotient),
            IntNode::Binary(Operation::Remainder, left, right) => Ok(self.division(*left, *right)?.remainder),
            IntNode::Binary(Operation::Product, left, right) => {
                let factors = self.affines(&[*left, *right])?;
                self.product(factors, values)
            }
            IntNode::Binary(Operation::Power, base, exponent) => self.power(*base, *exponent, values),
            IntNode::Absolute(term) => {
                let term = self.affine(*term)?;
                let result = self.new_result(values)?;
                // `|x|` is the maximum of `x` and `-x`.
                let exprs = vec![negated(&term), term];
                self.require(ConstraintKind::LinMax(LinearArgument { target: Some(result.clone()), exprs }), &[])?;
                Ok(result)
            }
            IntNode::Extreme(extreme, terms) => {
                let exprs = self.affines(terms)?;
                let result = self.new_result(values)?;
                let maximum = match extreme {
                    Extreme::Maximum => LinearArgument { target: Some(result.clone()), exprs },
                    // `min(x, y)` is `-max(-x, -y)`.
                    Extreme::Minimum => {
                        LinearArgument { target: Some(negated(&result)), exprs: exprs.iter().map(negated).collect() }
                    }
                };
                self.require(ConstraintKind::LinMax(maximum), &[])?;
                Ok(result)
            }
            IntNode::Choice(alternatives) => self.choice(alternatives, values),
        }
    }

    fn product(&mut self, exprs: Vec<LinearExpression>, values: &IntSet) -> Result<LinearExpression, Untranslatable> {
        let target = self.new_result(values)?;
        self.require(ConstraintKind::IntProd(LinearArgument { target: Some(target.clone()), exprs }), &[])?;
        Ok(target)
    }

    /// Translates a power with a constant exponent to a product, another one to a table.
    fn power(&mut self, base: Int, exponent: Int, values: &IntSet) -> Result<LinearExpression, Untranslatable> {
        if let Some(exponent @ 1..=62) = self.problem.int_constant(exponent) {
            let base = self.affine(base)?;
            return self.product(vec![base; exponent as usize], values);
        }
        let (bases, exponents) = (self.problem.values(base), self.problem.values(exponent));
        let rows = bases.size().zip(exponents.size()).and_then(|(bases, exponents)| bases.checked_mul(exponents));
        if rows.is_none_or(|rows| rows > MOST_ROWS) {
            return Err(Untranslatable::Numbers);
        }
        let mut rows = Vec::new();
        for base in bases.iter() {
            for exponent in exponents.iter() {
                let power = Operation::Power.apply(base.into(), exponent.into());
                let power = power.and_then(|power| i64::try_from(power).ok()).ok_or(Untranslatable::Numbers)?;
                rows.extend([base, exponent, power]);
            }
        }
        let result = self.new_result(values)?;
        let exprs = vec![self.affine(base)?, self.affine(exponent)?, result.clone()];
        self.require(ConstraintKind::Table(TableProto { values: rows, negated: false, exprs }), &[])?;
        Ok(result)
    }

    fn division(&mut self, dividend: Int, divisor: Int) -> Result<Division, Untranslatable> {
        if let Some(known) = self.divisions.get(&(dividend, divisor)) {
            return Ok(known.clone());
        }
        let (dividend_low, dividend_high) = self.problem.bounds(dividend);
        let (divisor_low, divisor_high) = self.problem.bounds(divisor);
        let (left, right) = (self.affine(dividend)?, self.affine(divisor)?);
        // The divisor is at least 1 in absolute value, unless it is 0 and both results are 0.
        let largest = dividend_low.abs().max(dividend_high.abs());
        let quotient = self.new_result(&IntSet::range(-largest, largest))?;
        let remainder = self
            .new_result(&IntSet::range(divisor_low.saturating_add(1).min(0), divisor_high.saturating_sub(1).max(0)))?;
        let division = Division { quotient, remainder };
        self.divisions.insert((dividend, divisor), division.clone());
        let Division { quotient, remainder } = division.clone();
        // CP-SAT rounds towards 0, which is rounding down for numbers that are not negative.
        if dividend_low >= 0 && divisor_low > 0 {
            let of = |target: &LinearExpression| LinearArgument {
                target: Some(target.clone()),
                exprs: vec![left.clone(), right.clone()],
            };
            self.require(ConstraintKind::IntDiv(of(&quotient)), &[])?;
            self.require(ConstraintKind::IntMod(of(&remainder)), &[])?;
            return Ok(division);
        }
        // If the divisor is 0, both results are 0 and the equation does not apply.
        let product = if right.vars.is_empty() {
            scaled(&quotient, right.offset)?
        } else {
            let most = i128::from(largest) * i128::from(divisor_low.abs().max(divisor_high.abs()));
            let most = i64::try_from(most).map_err(|_| Untranslatable::Numbers)?;
            self.product(vec![quotient.clone(), right.clone()], &IntSet::range(-most, most))?
        };
        let sum = added(&product, &remainder)?;
        let (is_zero, is_positive, is_negative) = (self.new_literal()?, self.new_literal()?, self.new_literal()?);
        let cases = vec![is_zero, is_positive, is_negative];
        self.require(ConstraintKind::BoolOr(BoolArgument { literals: cases }), &[])?;
        self.require_in(right.clone(), &[(0, 0)], &[is_zero])?;
        for result in [&quotient, &remainder] {
            self.require_in(result.clone(), &[(0, 0)], &[is_zero])?;
        }
        let least = [(0, IntSet::INFINITY)];
        self.require_in(right.clone(), &[(1, IntSet::INFINITY)], &[is_positive])?;
        self.require_in(remainder.clone(), &least, &[is_positive])?;
        self.require_in(difference(&right, &remainder)?, &[(1, IntSet::INFINITY)], &[is_positive])?;
        self.require_in(right.clone(), &[(IntSet::MINUS_INFINITY, -1)], &[is_negative])?;
        self.require_in(negated(&remainder), &least, &[is_negative])?;
        self.require_in(difference(&remainder, &right)?, &[(1, IntSet::INFINITY)], &[is_negative])?;
        for case in [is_positive, is_negative] {
            self.require_equal(&left, &sum, &[case])?;
        }
        Ok(division)
    }

    /// Translates "the value of the first alternative whose condition holds": an element constraint if the conditions
    /// are about the values of one term.
    fn choice(&mut self, alternatives: &[(Bool, Int)], values: &IntSet) -> Result<LinearExpression, Untranslatable> {
        if let Some(entries) = self.problem.entries_of_choice(alternatives)
            && let Some(result) = self.entry(&entries, values)?
        {
            return Ok(result);
        }
        let results = alternatives.iter().map(|(_, term)| self.affine(*term)).collect::<Result<Vec<_>, _>>()?;
        let target = self.new_result(values)?;
        if let Some(index) = self.problem.index_of_choice(alternatives)
            && let Some(chosen) = self.problem.chosen_by_index(alternatives, index)
        {
            let exprs = chosen.into_iter().map(|chosen| results[chosen].clone()).collect();
            return self.element(exprs, index, target);
        }
        // The literals state that no condition so far holds.
        let mut none_before: Vec<CpSatLiteral> = Vec::new();
        for (position, ((condition, _), result)) in alternatives.iter().zip(&results).enumerate() {
            if position + 1 == alternatives.len() {
                self.require_equal(&target, result, &none_before)?;
                break;
            }
            let condition = self.equivalent(*condition)?;
            self.require_equal(&target, result, &[none_before.as_slice(), &[condition]].concat())?;
            // With at most two literals per alternative, the size of the constraints stays linear.
            none_before = match none_before.as_slice() {
                [] => vec![not(condition)],
                before => {
                    let none = self.new_literal()?;
                    let literals = [before, &[not(condition)]].concat();
                    self.require(ConstraintKind::BoolAnd(BoolArgument { literals: literals.clone() }), &[none])?;
                    self.require(ConstraintKind::BoolAnd(BoolArgument { literals: vec![none] }), &literals)?;
                    vec![none]
                }
            };
        }
        Ok(target)
    }

    /// Translates a lookup by two indices to a table; `None` if it would have too many rows.
    fn entry(&mut self, entries: &Entries, values: &IntSet) -> Result<Option<LinearExpression>, Untranslatable> {
        let [left, right] = entries.indices.map(|index| self.problem.values(index));
        let count = left.size().zip(right.size()).and_then(|(left, right)| left.checked_mul(right));
        if count.is_none_or(|count| count > MOST_ROWS) {
            return Ok(None);
        }
        let mut rows = Vec::new();
        for one in left.iter() {
            for other in right.iter() {
                rows.extend([one, other, entries.number([one, other])]);
            }
        }
        let result = self.new_result(values)?;
        let exprs = vec![self.affine(entries.indices[0])?, self.affine(entries.indices[1])?, result.clone()];
        self.require(ConstraintKind::Table(TableProto { values: rows, negated: false, exprs }), &[])?;
        Ok(Some(result))
    }

    /// Translates a lookup in a list at the position of the index minus its least value.
    fn element(
        &mut self,
        exprs: Vec<LinearExpression>,
        index: Int,
        target: LinearExpression,
    ) -> Result<LinearExpression, Untranslatable> {
        let (low, _) = self.problem.bounds(index);
        let index = added(&self.affine(index)?, &of_constant(-low))?;
        let element = ElementConstraint { linear_index: Some(index), linear_target: Some(target.clone()), exprs };
        self.require(ConstraintKind::Element(element), &[])?;
        Ok(target)
    }
}

/// The constraints of a model that are propagated as a whole, by kind, with their numbers.
pub(super) fn globals(model: &ModelProto) -> Vec<(&'static str, u64)> {
    type Kind = (&'static str, fn(&ConstraintKind) -> bool);
    const KINDS: [Kind; 6] = [
        ("all different", |kind| matches!(kind, ConstraintKind::AllDiff(_))),
        ("circuits", |kind| matches!(kind, ConstraintKind::Circuit(_))),
        ("machines", |kind| matches!(kind, ConstraintKind::NoOverlap(_))),
        ("resources", |kind| matches!(kind, ConstraintKind::Cumulative(_))),
        ("elements", |kind| matches!(kind, ConstraintKind::Element(_))),
        ("tables", |kind| matches!(kind, ConstraintKind::Table(_))),
    ];
    let kinds = || model.constraints.iter().filter_map(|constraint| constraint.kind.as_ref());
    let counts = KINDS.map(|(name, is)| (name, kinds().filter(|kind| is(kind)).count() as u64));
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}

/// Returns true if coefficients may add up to more than 32 bits, even after presolve has replaced a variable by its
/// definition. The product of the largest sum and the largest number is an estimate of that.
pub(super) fn exceeds_32_bits(model: &ModelProto) -> bool {
    let (mut largest_sum, mut largest) = (1, 1);
    let mut count = |vars: &[i32], coeffs: &[i64], numbers: &[i64]| {
        let end = |variable: &i32| model.variables[*variable as usize].largest();
        let addends =
            vars.iter().zip(coeffs).map(|(variable, factor)| u128::from(factor.unsigned_abs()) * end(variable));
        largest_sum = largest_sum.max(addends.sum());
        let numbers = coeffs.iter().chain(numbers).map(|number| u128::from(number.unsigned_abs()));
        largest = numbers.chain([largest]).max().unwrap_or(1);
    };
    for constraint in model.constraints.iter().filter_map(|constraint| constraint.kind.as_ref()) {
        let mut expressions = |exprs: &[LinearExpression]| {
            exprs.iter().for_each(|expression| count(&expression.vars, &expression.coeffs, &[expression.offset]));
        };
        match constraint {
            ConstraintKind::Linear(linear) => count(&linear.vars, &linear.coeffs, &[]),
            ConstraintKind::Table(table) => {
                expressions(&table.exprs);
                count(&[], &[], &table.values);
            }
            ConstraintKind::AllDiff(all) => expressions(&all.exprs),
            ConstraintKind::Element(element) => expressions(&element.exprs),
            ConstraintKind::IntDiv(of)
            | ConstraintKind::IntMod(of)
            | ConstraintKind::IntProd(of)
            | ConstraintKind::LinMax(of) => expressions(&of.exprs),
            ConstraintKind::Cumulative(resource) => expressions(&resource.demands),
            ConstraintKind::BoolOr(_)
            | ConstraintKind::BoolAnd(_)
            | ConstraintKind::Circuit(_)
            | ConstraintKind::Interval(_)
            | ConstraintKind::NoOverlap(_) => {}
        }
    }
    if let Some(objective) = &model.objective {
        count(&objective.vars, &objective.coeffs, &[]);
    }
    let of_variables = model.variables.iter().map(IntegerVariable::largest).max().unwrap_or(1);
    largest_sum.max(of_variables).saturating_mul(largest.max(of_variables)) >= 1 << 31
}

pub(super) fn not(literal: CpSatLiteral) -> CpSatLiteral {
    -1 - literal
}

fn domain(ranges: &[(i64, i64)]) -> Vec<i64> {
    ranges.iter().flat_map(|(low, high)| [*low, *high]).collect()
}

pub(super) fn of_constant(offset: i64) -> LinearExpression {
    LinearExpression { offset, ..LinearExpression::default() }
}

pub(super) fn of_variable(variable: i32) -> LinearExpression {
    LinearExpression { vars: vec![variable], coeffs: vec![1], offset: 0 }
}

pub(super) fn of_literal(literal: CpSatLiteral) -> LinearExpression {
    if literal >= 0 {
        of_variable(literal)
    } else {
        LinearExpression { vars: vec![not(literal)], coeffs: vec![-1], offset: 1 }
    }
}

fn negated(expression: &LinearExpression) -> LinearExpression {
    LinearExpression {
        vars: expression.vars.clone(),
        coeffs: expression.coeffs.iter().map(|factor| -factor).collect(),
        offset: -expression.offset,
    }
}

pub(super) fn scaled(expression: &LinearExpression, factor: i64) -> Result<LinearExpression, Untranslatable> {
    let mut sum = SumBuilder::default();
    sum.add(factor, expression);
    sum.finish()
}

pub(super) fn added(left: &LinearExpression, right: &LinearExpression) -> Result<LinearExpression, Untranslatable> {
    let mut sum = SumBuilder::default();
    sum.add(1, left);
    sum.add(1, right);
    sum.finish()
}

fn difference(left: &LinearExpression, right: &LinearExpression) -> Result<LinearExpression, Untranslatable> {
    added(left, &negated(right))
}

/// A sum under construction, in which each variable occurs once.
#[derive(Default)]
pub(super) struct SumBuilder {
    order: Vec<i32>,
    factors: FxHashMap<i32, i128>,
    offset: i128,
}

impl SumBuilder {
    pub(super) fn new(offset: i64) -> Self {
        SumBuilder { offset: offset.into(), ..SumBuilder::default() }
    }

    pub(super) fn add(&mut self, factor: i64, expression: &LinearExpression) {
        let factor = i128::from(factor);
        self.offset += factor * i128::from(expression.offset);
        for (variable, coefficient) in expression.vars.iter().zip(&expression.coeffs) {
            let more = factor * i128::from(*coefficient);
            self.factors.entry(*variable).and_modify(|sum| *sum += more).or_insert_with(|| {
                self.order.push(*variable);
                more
            });
        }
    }

    pub(super) fn finish(self) -> Result<LinearExpression, Untranslatable> {
        // The coefficients are added up in 128 bits, so only the result must fit into 64 bits.
        let number = |value: i128| i64::try_from(value).map_err(|_| Untranslatable::Numbers);
        let mut expression = of_constant(number(self.offset)?);
        for variable in self.order {
            let factor = number(self.factors[&variable])?;
            if factor != 0 {
                expression.vars.push(variable);
                expression.coeffs.push(factor);
            }
        }
        Ok(expression)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::test_problems::ascending;

    #[test]
    fn differences_of_ascending_terms_are_positive() {
        let (mut problem, marks) = ascending(4, 20);
        let pairs = (0..4).flat_map(|low| (low + 1..4).map(move |high| (low, high)));
        let differences: Vec<Int> =
            pairs.map(|(low, high)| problem.linear([(1, marks[high]), (-1, marks[low])], 0)).collect();
        let differ = problem.all_different(differences);
        problem.require(differ);
        let problem = problem.finish().expect("small numbers");
        let options = EngineOptions::default();
        let Ok(translation) = Translation::new(&problem, &options) else { panic!("a small problem") };
        let least: Vec<i64> = translation.model.variables.iter().skip(marks.len()).map(|of| of.domain[0]).collect();
        assert_eq!(least, [1, 2, 3, 1, 2, 1], "{problem}");
    }
}
