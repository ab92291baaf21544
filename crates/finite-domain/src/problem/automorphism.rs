//! Checks if a permutation of variables maps a problem to itself (an *automorphism*): the image of each constraint is a
//! constraint, and the objective is its own image. Callers must pass a permutation that is its own inverse.
//!
//! Lowering breaks the symmetries that are accepted here, so a wrong `true` loses solutions, and no check finds that. A
//! wrong `false` costs only time: images are compared in normal form, and different forms of the same meaning count as
//! different. You may change the work limit, and accept more only with a proof that the image means the same.

use super::*;
use crate::problem::tuning::automorphism::EXCHANGE;
use std::ops::ControlFlow;

/// A permutation of the variables of a problem that is its own inverse.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    /// The Boolean variables that move, with their images.
    pub bools: FxHashMap<Bool, Bool>,
    /// The integer variables that move, with their images.
    pub ints: FxHashMap<Int, Int>,
    /// Two values that are exchanged in some integer variables, whatever their images.
    pub values: Option<(i64, i64)>,
    /// The integer variables whose values are exchanged.
    pub valued: FxHashSet<Int>,
}

/// The image of an integer term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Image {
    /// The image has the term's value.
    Equal(Int),
    /// The image has the term's value after the exchange of values.
    Exchanged(Int),
}

/// Checks exchanges of one problem.
pub struct Automorphisms<'p> {
    problem: &'p Problem,
    /// The terms of the problem, and images that are not among them.
    scratch: Builder,
    constraints: FxHashSet<Bool>,
    /// The constraints with each variable: their sizes and positions, in ascending order.
    occurrences: FxHashMap<Variable, Vec<(usize, usize)>>,
    /// The number of terms that may still be visited.
    work: usize,
}

/// The work limit was reached.
pub struct OutOfWork;

impl<'p> Automorphisms<'p> {
    /// Prepares a problem; `None` if it is too large for this amount of work, which counts visited terms.
    pub fn new(problem: &'p Problem, mut work: usize) -> Option<Self> {
        let mut occurrences: FxHashMap<Variable, Vec<(usize, usize)>> = FxHashMap::default();
        for (position, constraint) in problem.constraints.iter().enumerate() {
            let (mut variables, mut size, mut operands) = (Vec::new(), 0, 0);
            problem.visit([Variable::Bool(*constraint)], |term| {
                size += 1;
                problem.operands(term, &mut |_| operands += 1);
                variables.extend(problem.is_variable(term).then_some(term));
                // A problem beyond the budget is given up, so its exact size does not matter and counting stops.
                size + operands <= work
            });
            work = work.checked_sub(size + operands)?;
            for variable in variables {
                occurrences.entry(variable).or_default().push((size, position));
            }
        }
        occurrences.values_mut().for_each(|constraints| constraints.sort_unstable());
        let constraints = problem.constraints.iter().copied().collect();
        Some(Automorphisms { problem, scratch: Builder::from(problem.clone()), constraints, occurrences, work })
    }

    /// Returns the number of terms that may still be visited.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Subtracts work of the caller from the number of terms that may still be visited.
    pub fn spend(&mut self, work: usize) -> Result<(), OutOfWork> {
        self.work = self.work.checked_sub(work).ok_or(OutOfWork)?;
        Ok(())
    }

    /// Returns true if the exchange maps the problem to itself.
    pub fn is_automorphism(&mut self, exchange: &Exchange) -> Result<bool, OutOfWork> {
        let moved = exchange.bools.len() + exchange.ints.len() + exchange.valued.len();
        // The cost is charged before the visit, so that the search ends even if thousands of exchanges fail at once.
        self.work = self.work.checked_sub(EXCHANGE + moved).ok_or(OutOfWork)?;
        if !self.fits_domains(exchange) {
            return Ok(false);
        }
        let problem = self.problem;
        let mut images = Imaging { exchange, problem, scratch: &mut self.scratch, done: FxHashMap::default() };
        let bools = exchange.bools.keys().map(|term| Variable::Bool(*term));
        let ints = exchange.ints.keys().chain(&exchange.valued).map(|term| Variable::Int(*term));
        let occurrences = || bools.clone().chain(ints.clone()).filter_map(|variable| self.occurrences.get(&variable));
        // Most exchanges fail, and small constraints show that sooner.
        let smallest = occurrences().filter_map(|constraints| constraints.first()).min().copied();
        if let Some((_, position)) = smallest
            && !images.is_constraint(position, &self.constraints, &mut self.work)?
        {
            return Ok(false);
        }
        let mut constraints: Vec<(usize, usize)> = occurrences().flatten().copied().collect();
        self.work = self.work.checked_sub(constraints.len()).ok_or(OutOfWork)?;
        // A constraint with several moved variables is in the list several times.
        constraints.sort_unstable();
        constraints.dedup();
        for (_, position) in constraints {
            if !images.is_constraint(position, &self.constraints, &mut self.work)? {
                return Ok(false);
            }
        }
        for term in problem.objective.iter().flat_map(|objective| &objective.terms) {
            images.build(Variable::Int(*term), &mut self.work)?;
            // An exchanged objective may mean the same, but it would have another value.
            if images.of_int(*term) != Some(Image::Equal(*term)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the images of terms under an exchange; `None` for terms without an image.
    pub fn images(&mut self, exchange: &Exchange, terms: &[Bool]) -> Result<Vec<Option<Bool>>, OutOfWork> {
        let problem = self.problem;
        let mut images = Imaging { exchange, problem, scratch: &mut self.scratch, done: FxHashMap::default() };
        let image = |term: &Bool| {
            images.build(Variable::Bool(*term), &mut self.work)?;
            Ok(images.of_bool(*term))
        };
        terms.iter().map(image).collect()
    }

    /// Returns true if the image of each variable can take exactly the images of its values.
    fn fits_domains(&self, exchange: &Exchange) -> bool {
        let others = exchange.values.map(|(one, other)| without(&[one, other]));
        let fits = |term: &Int| {
            let image = exchange.ints.get(term).unwrap_or(term);
            let (values, of_image) = (self.problem.values(*term), self.problem.values(*image));
            match (exchange.values, &others) {
                // The two exchanged values swap their membership in the domain; all other values must agree.
                (Some((one, other)), Some(others)) if exchange.valued.contains(term) => {
                    values.contains(one) == of_image.contains(other)
                        && values.contains(other) == of_image.contains(one)
                        && (values == of_image || values.intersect(others) == of_image.intersect(others))
                }
                _ => values == of_image,
            }
        };
        exchange.ints.keys().chain(&exchange.valued).all(fits)
    }
}

/// All values except these.
fn without(values: &[i64]) -> IntSet {
    IntSet::from_ranges(IntSet::from_values(values.iter().copied()).gaps())
}

/// The images of terms under an exchange.
struct Imaging<'a> {
    exchange: &'a Exchange,
    problem: &'a Problem,
    scratch: &'a mut Builder,
    /// The images of positive terms; `None` if a term has none.
    done: FxHashMap<Variable, Option<NodeImage>>,
}

#[derive(Clone, Copy)]
enum NodeImage {
    Bool(Bool),
    Int(Image),
}

/// The strongest effect of an exchange on the operands of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Operands {
    Unchanged,
    /// Some operands have other images.
    Moved,
    /// Some operands have images with exchanged values.
    Exchanged,
}

impl Imaging<'_> {
    /// Returns true if the image of the constraint at a position is a constraint.
    fn is_constraint(
        &mut self,
        position: usize,
        constraints: &FxHashSet<Bool>,
        work: &mut usize,
    ) -> Result<bool, OutOfWork> {
        let constraint = self.problem.constraints[position];
        self.build(Variable::Bool(constraint), work)?;
        Ok(self.of_bool(constraint).is_some_and(|image| constraints.contains(&image)))
    }

    /// Builds the image of a term after the images of its operands, as long as these exist.
    fn build(&mut self, term: Variable, work: &mut usize) -> Result<(), OutOfWork> {
        let problem = self.problem;
        let is_done = |images: &Self, term: Variable| images.done.contains_key(&term);
        let end = problem.operands_first([term], self, is_done, |images, term| {
            let mut operands = 0;
            problem.operands(term, &mut |_| operands += 1);
            match work.checked_sub(1 + operands) {
                Some(left) => *work = left,
                None => return ControlFlow::Break(Err(OutOfWork)),
            }
            let image = match term {
                Variable::Bool(term) => images.define_bool(term).map(NodeImage::Bool),
                Variable::Int(term) => images.define_int(term).map(NodeImage::Int),
            };
            images.done.insert(term, image);
            // If a part has no image, the root has none either.
            if image.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(Ok(())) }
        });
        end.break_value().unwrap_or(Ok(()))
    }

    fn of_bool(&self, term: Bool) -> Option<Bool> {
        let (id, negated) = term.node();
        match self.done.get(&Variable::Bool(id.positive())) {
            Some(Some(NodeImage::Bool(image))) => Some(if negated { !*image } else { *image }),
            _ => None,
        }
    }

    fn of_int(&self, term: Int) -> Option<Image> {
        match self.done.get(&Variable::Int(term)) {
            Some(Some(NodeImage::Int(image))) => Some(*image),
            _ => None,
        }
    }

    fn define_bool(&mut self, term: Bool) -> Option<Bool> {
        let node = self.problem.bool_node(term.node().0);
        if *node == BoolNode::Variable {
            return Some(*self.exchange.bools.get(&term).unwrap_or(&term));
        }
        match self.operands(Variable::Bool(term))? {
            // Most terms are their own images and need not be built.
            Operands::Unchanged => Some(term),
            Operands::Moved => {
                let node = node.map(self);
                Some(self.scratch.normal_bool(node))
            }
            Operands::Exchanged => self.exchanged_bool(node),
        }
    }

    /// Returns the strongest effect of the exchange on the operands of a term; `None` if some have no image.
    fn operands(&self, term: Variable) -> Option<Operands> {
        let (mut is_known, mut operands) = (true, Operands::Unchanged);
        self.problem.operands(term, &mut |operand| {
            let done = match operand {
                Variable::Bool(term) => {
                    self.of_bool(term).map(|image| if image == term { Operands::Unchanged } else { Operands::Moved })
                }
                Variable::Int(term) => self.of_int(term).map(|image| match image {
                    Image::Equal(image) if image == term => Operands::Unchanged,
                    Image::Equal(_) => Operands::Moved,
                    Image::Exchanged(_) => Operands::Exchanged,
                }),
            };
            is_known &= done.is_some();
            operands = operands.max(done.unwrap_or(operands));
        });
        is_known.then_some(operands)
    }

    /// Returns the image of a node with exchanged values in its operands: the node must treat all values alike.
    fn exchanged_bool(&mut self, node: &BoolNode) -> Option<Bool> {
        match node {
            BoolNode::Equals(term, value) => {
                let (image, value) = (self.exchanged_int(*term)?, self.exchanged(*value));
                Some(self.scratch.equals_constant(image, value))
            }
            BoolNode::Same(left, right) => {
                let (left, right) = (self.exchanged_int(*left)?, self.exchanged_int(*right)?);
                Some(self.scratch.equal(left, right))
            }
            BoolNode::Global(Global::AllDifferent(all)) => {
                let images: Option<Vec<Int>> = all.terms.iter().map(|term| self.exchanged_int(*term)).collect();
                Some(self.scratch.all_different(images?))
            }
            // All other constraints compare values by size or add them up, so exchanged values change their meaning.
            _ => None,
        }
    }

    /// Returns the image of a term with exchanged values.
    fn exchanged_int(&mut self, term: Int) -> Option<Int> {
        match (self.of_int(term)?, self.problem.int_constant(term)) {
            (Image::Exchanged(image), _) => Some(image),
            (Image::Equal(_), Some(value)) => {
                let value = self.exchanged(value);
                // Both operands of an equation must be exchanged, which is always possible for a constant.
                Some(self.scratch.constant(value))
            }
            // An equation between a term with exchanged values and a term without them is not symmetric.
            (Image::Equal(_), None) => None,
        }
    }

    fn define_int(&mut self, term: Int) -> Option<Image> {
        let node = self.problem.int_node(term);
        match node {
            IntNode::Constant(_) => return Some(Image::Equal(term)),
            IntNode::Variable => {
                let image = *self.exchange.ints.get(&term).unwrap_or(&term);
                let exchanged = self.exchange.valued.contains(&term);
                return Some(if exchanged { Image::Exchanged(image) } else { Image::Equal(image) });
            }
            IntNode::Choice(alternatives) => return self.choice(alternatives),
            _ => {}
        }
        match self.operands(Variable::Int(term))? {
            Operands::Unchanged => Some(Image::Equal(term)),
            Operands::Moved => {
                let node = node.map(self);
                Some(Image::Equal(self.scratch.normal_int(node)))
            }
            // Arithmetic and comparisons by size do not commute with an exchange of values.
            Operands::Exchanged => None,
        }
    }

    /// A lookup in a list has its alternatives in the order of the indices, which the exchange may change.
    fn choice(&mut self, alternatives: &[(Bool, Int)]) -> Option<Image> {
        let is_exchanged = |(_, term): &(Bool, Int)| matches!(self.of_int(*term), Some(Image::Exchanged(_)));
        let exchanged = alternatives.iter().any(is_exchanged);
        let mut chosen = Vec::with_capacity(alternatives.len());
        for (condition, term) in alternatives {
            // The last condition is `TRUE`, whose image is itself.
            let condition = if *condition == Bool::TRUE { Bool::TRUE } else { self.of_bool(*condition)? };
            let image = match self.of_int(*term)? {
                Image::Equal(image) if !exchanged => image,
                _ => self.exchanged_int(*term)?,
            };
            chosen.push((condition, image));
        }
        // The builder sorts lookups by index, so only an image in this order is the same node.
        self.sort_by_index(&mut chosen);
        let image = self.scratch.choice(chosen);
        Some(if exchanged { Image::Exchanged(image) } else { Image::Equal(image) })
    }

    /// Sorts alternatives for the values of one term by these values. The last alternative is for the remaining value.
    fn sort_by_index(&mut self, alternatives: &mut [(Bool, Int)]) {
        let index_and_value = |condition: Bool| match (self.scratch.bool_node(condition.node().0), condition.node().1) {
            (BoolNode::Equals(index, value), false) => Some((*index, *value)),
            _ => None,
        };
        let Some((index, _)) = alternatives.first().and_then(|(condition, _)| index_and_value(*condition)) else {
            return;
        };
        let mut values = Vec::with_capacity(alternatives.len());
        for (condition, _) in &alternatives[..alternatives.len() - 1] {
            match index_and_value(*condition) {
                Some((other, value)) if other == index => values.push(value),
                _ => return,
            }
        }
        let left = self.scratch.values(index).intersect(&without(&values));
        let (Some(1), Some(last)) = (left.size(), IntSet::min(&left)) else { return };
        // The condition of the last alternative is `TRUE`, so its value is the only one left.
        values.push(last);
        let mut sorted: Vec<(i64, Int)> = values.into_iter().zip(alternatives.iter().map(|(_, term)| *term)).collect();
        sorted.sort_unstable();
        for (position, (value, term)) in alternatives.iter_mut().zip(sorted) {
            *position = (self.scratch.equals_constant(index, value), term);
        }
    }

    fn exchanged(&self, value: i64) -> i64 {
        match self.exchange.values {
            Some((one, other)) if value == one => other,
            Some((one, other)) if value == other => one,
            _ => value,
        }
    }
}

/// The images of terms that have been built.
impl Images for Imaging<'_> {
    fn bool(&mut self, term: Bool) -> Bool {
        self.of_bool(term).unwrap_or(Bool::FALSE)
    }

    fn int(&mut self, term: Int) -> Int {
        match self.of_int(term) {
            Some(Image::Equal(image) | Image::Exchanged(image)) => image,
            None => term,
        }
    }
}
