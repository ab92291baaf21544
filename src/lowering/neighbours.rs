//! Neighbours of an assignment for local search: small changes of the model's values, written back to the problem's
//! variables.

use super::{Lowered, moves};
use crate::{
    instance::{Find, GroundInstance, SolutionValues},
    language::Value,
    problem::{Assignment, IntNode, Neighbours, Problem, Simplified, Variable, Walk},
    symbolic::write::Writing,
};
use fastrand::Rng;
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

/// One proposal in eight changes two decision variables of the model, if there are several. Chosen.
const DOUBLE: u32 = 8;

/// The maximum number of terms of a problem that is simplified again without the order of slots. That takes a few
/// tenths of a second and cannot be interrupted. Larger problems lose the order, but are not simplified.
const MOST_TERMS: usize = if cfg!(test) { 100 } else { 500_000 };

/// The values of an earlier plan for the current decision variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanValues {
    pub values: SolutionValues,
    /// The same values, with different ones in the parts that the plan leaves open.
    pub otherwise: SolutionValues,
}

/// The neighbours of the assignments of an instance's simplified problem.
pub(crate) struct ModelNeighbours<'a> {
    lowered: &'a Lowered,
    /// The problem before it was simplified.
    problem: &'a Problem,
    simplified: &'a Simplified,
    finds: Vec<WrittenFind<'a>>,
    /// The problem that walks change, built for the first walk.
    walked: OnceLock<WalkProblem>,
    /// The values that walks start with.
    first: Option<&'a SolutionValues>,
    whole: bool,
}

/// A decision variable of the model, with the variables that its values are written to.
struct WrittenFind<'a> {
    find: &'a Find,
    writing: Writing,
    /// The image of each variable in the simplified problem.
    images: Vec<VariableImage>,
}

/// The problem that walks change. It has no order of slots, so that a new member of a set does not move the others. It
/// has no variables that constraints define, because a change of one variable cannot keep an equation.
struct WalkProblem {
    problem: Arc<Problem>,
    /// The images of the variables of each decision variable.
    images: Vec<Vec<VariableImage>>,
    defined: Option<DefinedFinds>,
}

/// The decision variables of the model that are defined by the others.
struct DefinedFinds {
    /// True for each decision variable that is defined by others.
    are_defined: Vec<bool>,
    /// The problem without the defined variables, before simplification; `simplified` is the problem after it.
    without: Simplified,
    simplified: Simplified,
}

/// The image of a variable under simplification.
enum VariableImage {
    /// The variable has one value.
    Fixed(i64),
    /// The variable is not needed, or is defined by others.
    Gone,
    /// `factor · variable + constant`
    View { variable: Variable, factor: i64, constant: i64 },
}

impl<'a> ModelNeighbours<'a> {
    /// The neighbours of an instance's assignments. Walks start with these values, or with the first value of each
    /// domain.
    pub(crate) fn new(
        instance: &'a GroundInstance,
        lowered: &'a Lowered,
        problem: &'a Problem,
        simplified: &'a Simplified,
        first: Option<&'a SolutionValues>,
    ) -> Self {
        let images = variable_images(simplified);
        let find = |find: &'a Find| {
            let (_, term) = lowered.layout.iter().find(|(id, _)| *id == find.id)?;
            let writing = Writing::of(&lowered.problem, term, &find.domain)?;
            let images = images(writing.variables());
            Some(WrittenFind { find, writing, images })
        };
        let finds: Vec<WrittenFind> = instance.finds.iter().filter_map(find).collect();
        // A find that cannot be written is missing here, so the two numbers differ.
        let known: usize = finds.iter().map(|find| find.writing.variables().len()).sum();
        let all = lowered.problem.variables().count();
        // A problem with Skolem or auxiliary variables has more variables than the finds; a walk could not set them.
        let whole = finds.len() == instance.finds.len() && known == all && all > 0;
        ModelNeighbours { lowered, problem, simplified, finds, walked: OnceLock::new(), first, whole }
    }

    fn walked(&self) -> &WalkProblem {
        self.walked.get_or_init(|| {
            let simplify = |problem: &Problem| {
                // Simplification can take as long as the whole search of a short run, and it has no point where it can
                // stop.
                if problem.size() <= MOST_TERMS { problem.simplify() } else { problem.unsimplified() }
            };
            let order = &self.lowered.slot_order;
            // Without the order of slots, a walk can reach a value in any order of its members.
            let unordered = (!order.is_empty()).then(|| self.problem.without(order));
            let whole = unordered.as_ref().unwrap_or(self.problem);
            if whole.size() <= MOST_TERMS
                && let Some(without) = whole.without_defined(&self.groups())
            {
                return self.without_defined(without);
            }
            let unordered = unordered.as_ref().map(simplify);
            let simplified = unordered.as_ref().unwrap_or(self.simplified);
            let images = variable_images(simplified);
            WalkProblem {
                images: self.finds.iter().map(|find| images(find.writing.variables())).collect(),
                problem: simplified.problem.clone(),
                defined: None,
            }
        })
    }

    /// Builds the walk problem from a problem without the variables that constraints define.
    fn without_defined(&self, without: Simplified) -> WalkProblem {
        let simplified = without.problem.simplify();
        let outer = without.images();
        let kept =
            |variable: &Variable| outer.get(variable).copied().filter(|image| without.problem.is_variable(*image));
        let images = {
            let inner = variable_images(&simplified);
            let image = |variable: &Variable| match kept(variable) {
                Some(image) => inner(&[image]).pop().unwrap_or(VariableImage::Gone),
                None => VariableImage::Gone,
            };
            let images = |find: &WrittenFind| find.writing.variables().iter().map(image).collect();
            self.finds.iter().map(images).collect()
        };
        let is_defined = |find: &WrittenFind| {
            let mut variables = find.writing.variables().iter();
            variables.any(|variable| outer.contains_key(variable) && kept(variable).is_none())
        };
        let are_defined = self.finds.iter().map(is_defined).collect();
        let problem = simplified.problem.clone();
        WalkProblem { problem, images, defined: Some(DefinedFinds { are_defined, without, simplified }) }
    }

    /// The variables of each decision variable of the model. The objective comes first and small groups before large
    /// ones, because a sum or a choice more often defines a small group.
    fn groups(&self) -> Vec<Vec<Variable>> {
        // A defined objective is computed from the other variables, so a walk need not keep it in step.
        let objective: FxHashSet<Variable> = match self.problem.objective() {
            Some(objective) => objective.terms.iter().map(|term| Variable::Int(*term)).collect(),
            None => FxHashSet::default(),
        };
        let mut groups: Vec<Vec<Variable>> = self.finds.iter().map(|find| find.writing.variables().to_vec()).collect();
        // The sort below is stable: of equal groups, the one that was declared last comes first.
        groups.reverse();
        groups.sort_by_key(|group| (!group.iter().any(|variable| objective.contains(variable)), group.len()));
        groups
    }

    /// Returns true if all variables belong to the model's decision variables, so that a walk can change each of them.
    pub(crate) fn are_whole(&self) -> bool {
        self.whole
    }

    /// Translates an earlier plan to values for the variables of the simplified problem.
    pub(crate) fn hint(&self, plan: &PlanValues) -> Vec<(Variable, i64)> {
        let (mut hint, mut known) = (Vec::new(), FxHashSet::default());
        for WrittenFind { find, writing, images } in &self.finds {
            let written = |values: &SolutionValues| writing.write(&value_of(values, find)?);
            let Some((numbers, others)) = written(&plan.values).zip(written(&plan.otherwise)) else { continue };
            for ((image, number), other) in images.iter().zip(numbers).zip(others) {
                let value = image.value(&self.simplified.problem, number).flatten();
                // A number that differs between the two is not from the plan. If two variables have the same image, the
                // first value counts.
                hint.extend(value.filter(|(variable, _)| number == other && known.insert(*variable)));
            }
        }
        hint
    }

    fn first(&self, find: &Find) -> Option<Value> {
        self.first.and_then(|first| value_of(first, find)).filter(|value| find.domain.contains(value))
    }

    /// The assignment of a solution; `None` if the problem rules it out.
    pub(crate) fn assignment(&self, solution: &SolutionValues) -> Option<Assignment> {
        let value = |find: &WrittenFind| value_of(solution, find.find).or_else(|| find.find.domain.members().next());
        let numbers = |find: &WrittenFind| find.writing.write(&value(find)?);
        self.assigned(self.finds.iter().map(numbers))
    }

    /// The assignment with these numbers for the variables of each decision variable of the model.
    fn assigned(&self, numbers: impl Iterator<Item = Option<Vec<i64>>>) -> Option<Assignment> {
        let mut assignment = Assignment::default();
        for (WrittenFind { images, .. }, numbers) in self.finds.iter().zip(numbers) {
            // A number outside the simplified domain means that no solution has this value, so the plan is given up.
            for (image, number) in images.iter().zip(numbers?) {
                if let Some((variable, value)) = image.value(&self.simplified.problem, number)? {
                    assignment.set(variable, value);
                }
            }
        }
        Some(assignment)
    }

    /// Starts a walk with these values of the decision variables; a variable without one gets the first value of its
    /// domain.
    fn walk_from(&self, value: impl Fn(&Find) -> Option<Value>) -> Option<ModelWalk<'_>> {
        let mut values = Vec::with_capacity(self.finds.len());
        let mut written = Vec::with_capacity(self.finds.len());
        for WrittenFind { find, writing, .. } in &self.finds {
            let value = value(find).or_else(|| find.domain.members().next())?;
            written.push(WrittenValue::new(writing, &value, &[])?);
            values.push(value);
        }
        let size = |(written, images): (&WrittenValue, &Vec<VariableImage>)| {
            // A decision variable that is defined by others is never chosen.
            let is_free = images.iter().any(|image| matches!(image, VariableImage::View { .. }));
            // The square root keeps a large matrix from taking all changes while a small variable still matters.
            if is_free { (1.0 + written.assigned.len() as f64).sqrt() } else { 0.0 }
        };
        let sizes: Vec<f64> = written.iter().zip(&self.walked().images).map(size).collect();
        Some(ModelWalk { neighbours: self, values, written, sizes, proposed: Vec::new() })
    }
}

/// The value of a decision variable in a solution.
fn value_of(solution: &SolutionValues, find: &Find) -> Option<Value> {
    solution.iter().find(|(id, _)| *id == find.id).map(|(_, value)| value.clone())
}

/// Returns a function from variables to their images.
fn variable_images(simplified: &Simplified) -> impl Fn(&[Variable]) -> Vec<VariableImage> {
    let images = simplified.images();
    move |variables| {
        let image = |variable| variable_image(&simplified.problem, images.get(variable).copied());
        variables.iter().map(image).collect()
    }
}

fn variable_image(problem: &Problem, image: Option<Variable>) -> VariableImage {
    let view = |variable, factor, constant| VariableImage::View { variable, factor, constant };
    match image {
        Some(Variable::Bool(term)) => match (term.constant(), term.node()) {
            (Some(value), _) => VariableImage::Fixed(value.into()),
            (None, (id, negated)) if problem.is_variable(Variable::Bool(id.positive())) => {
                // A negated Boolean is 1 minus its variable.
                let (factor, constant) = if negated { (-1, 1) } else { (1, 0) };
                view(Variable::Bool(id.positive()), factor, constant)
            }
            _ => VariableImage::Gone,
        },
        Some(Variable::Int(term)) => match (problem.int_constant(term), problem.int_node(term)) {
            (Some(value), _) => VariableImage::Fixed(value),
            (None, IntNode::Variable) => view(Variable::Int(term), 1, 0),
            (None, IntNode::Linear(terms, constant)) => match **terms {
                [(factor, term)] if problem.is_variable(Variable::Int(term)) => {
                    view(Variable::Int(term), factor, *constant)
                }
                _ => VariableImage::Gone,
            },
            _ => VariableImage::Gone,
        },
        None => VariableImage::Gone,
    }
}

impl VariableImage {
    /// The image with its value, or `Some(None)` if the variable has no image; `None` if the problem rules the value
    /// out.
    fn value(&self, problem: &Problem, value: i64) -> Option<Option<(Variable, i64)>> {
        match self {
            VariableImage::Fixed(fixed) => (*fixed == value).then_some(None),
            VariableImage::Gone => Some(None),
            VariableImage::View { variable, factor, constant } => {
                // The division must be exact: `2x + 1 = 4` has no solution, so the problem excludes the value.
                let rest = value.checked_sub(*constant)?;
                let (value, exact) = (rest / factor, rest % factor == 0);
                let possible = match variable {
                    Variable::Bool(_) => (0..=1).contains(&value),
                    Variable::Int(term) => problem.values(*term).contains(value),
                };
                (exact && possible).then_some(Some((*variable, value)))
            }
        }
    }
}

impl Neighbours for ModelNeighbours<'_> {
    fn problem(&self) -> &Problem {
        &self.walked().problem
    }

    fn walk(&self, start: Option<&Assignment>) -> Option<Box<dyn Walk + '_>> {
        Some(Box::new(match start.map(|start| self.lowered.read_back(&self.simplified.restore(start))) {
            Some(known) => self.walk_from(|find| value_of(&known, find))?,
            None => self.walk_from(|find| self.first(find))?,
        }))
    }
}

/// A value as it is written to variables.
struct WrittenValue {
    numbers: Vec<i64>,
    /// The numbers for the variables.
    assigned: Vec<i64>,
}

impl WrittenValue {
    fn new(writing: &Writing, value: &Value, near: &[i64]) -> Option<WrittenValue> {
        let numbers = writing.numbers(value, near)?;
        Some(WrittenValue { assigned: writing.assigned(&numbers)?, numbers })
    }
}

/// A walk among the values of the model's decision variables.
struct ModelWalk<'a> {
    neighbours: &'a ModelNeighbours<'a>,
    values: Vec<Value>,
    written: Vec<WrittenValue>,
    /// The weight with which each decision variable is chosen for a change.
    sizes: Vec<f64>,
    /// The proposed values, and the numbers that are written for them.
    proposed: Vec<(usize, Value, WrittenValue)>,
}

impl ModelWalk<'_> {
    fn any(&self, random: &mut Rng) -> usize {
        let mut left = random.f64() * self.sizes.iter().sum::<f64>();
        let chosen = self.sizes.iter().position(|size| {
            left -= size;
            left < 0.0
        });
        chosen.unwrap_or(0)
    }

    /// Proposes a change of a decision variable, and adds the variables that differ.
    fn change(&mut self, position: usize, random: &mut Rng, differing: &mut Vec<(Variable, i64)>) -> Option<()> {
        let WrittenFind { find, writing, .. } = &self.neighbours.finds[position];
        let WalkProblem { problem, images, .. } = self.neighbours.walked();
        let value = moves::near(&find.domain, &self.values[position], random)?;
        let before = &self.written[position];
        let written = WrittenValue::new(writing, &value, &before.numbers)?;
        // Only the variables that differ are passed on: the network of terms updates what depends on them.
        for ((new, old), image) in written.assigned.iter().zip(&before.assigned).zip(&images[position]) {
            if new != old {
                differing.extend(image.value(problem, *new)?);
            }
        }
        self.proposed.push((position, value, written));
        Some(())
    }
}

impl Walk for ModelWalk<'_> {
    fn values(&self) -> Vec<(Variable, i64)> {
        let WalkProblem { problem, images, .. } = self.neighbours.walked();
        let numbers =
            images.iter().zip(&self.written).flat_map(|(images, written)| images.iter().zip(&written.assigned));
        numbers.filter_map(|(image, number)| image.value(problem, *number).flatten()).collect()
    }

    fn propose(&mut self, random: &mut Rng) -> Option<Vec<(Variable, i64)>> {
        self.proposed.clear();
        let mut differing = Vec::new();
        // Large variables are chosen more often, because they have more values to change.
        let first = self.any(random);
        self.change(first, random, &mut differing)?;
        // Two changes at a time leave local optima in which two variables must change together.
        if self.values.len() > 1 && random.u32(0..DOUBLE) == 0 {
            let second = self.any(random);
            if second != first {
                self.change(second, random, &mut differing)?;
            }
        }
        (!differing.is_empty()).then_some(differing)
    }

    fn accept(&mut self) {
        for (position, value, written) in self.proposed.drain(..) {
            self.values[position] = value;
            self.written[position] = written;
        }
    }

    fn assignment(&self) -> Option<Assignment> {
        let neighbours = self.neighbours;
        let Some(DefinedFinds { are_defined, without, simplified }) = &neighbours.walked().defined else {
            let numbers = |(find, value): (&WrittenFind, &Value)| find.writing.write(value);
            return neighbours.assigned(neighbours.finds.iter().zip(&self.values).map(numbers));
        };
        let mut assignment = Assignment::default();
        self.values().into_iter().for_each(|(variable, value)| assignment.set(variable, value));
        // Restoring computes the defined variables from the others.
        let all = without.restore(&simplified.restore(&assignment));
        let numbers = |((find, value), is_defined): ((&WrittenFind, &Value), &bool)| match is_defined {
            true => Some(find.writing.variables().iter().map(|term| neighbours.problem.value(*term, &all)).collect()),
            false => find.writing.write(value),
        };
        neighbours.assigned(neighbours.finds.iter().zip(&self.values).zip(are_defined).map(numbers))
    }
}
