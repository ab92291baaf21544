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

/// One proposal in eight changes two decision variables of the model if there are several. Chosen.
const DOUBLE: u32 = 8;

/// The maximum number of terms of a problem that is simplified again without the order of slots, which takes a few
/// tenths of a second and cannot be interrupted. Larger problems are only stripped of the order.
const MOST_TERMS: usize = if cfg!(test) { 100 } else { 500_000 };

/// The values of an earlier plan for the current decision variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanValues {
    pub values: SolutionValues,
    /// Values that differ from the plan exactly in the parts that the plan leaves open.
    pub otherwise: SolutionValues,
}

/// The neighbours of the assignments of an instance's simplified problem.
pub(crate) struct ModelNeighbours<'a> {
    lowered: &'a Lowered,
    /// The problem before it was simplified.
    problem: &'a Problem,
    simplified: &'a Simplified,
    finds: Vec<WrittenFind<'a>>,
    /// The problem in which walks move, built for the first walk.
    walked: OnceLock<WalkProblem>,
    /// The values at which walks start.
    first: Option<&'a SolutionValues>,
    whole: bool,
}

/// A decision variable of the model, with the variables to which its values are written.
struct WrittenFind<'a> {
    find: &'a Find,
    writing: Writing,
    /// The image of each variable in the simplified problem.
    images: Vec<VariableImage>,
}

/// The problem in which walks move. It has no order of slots, so a new member of a set does not move the other members.
/// It has no variables that constraints define, because changing one variable would violate its equation.
struct WalkProblem {
    problem: Arc<Problem>,
    /// The images of the variables of each decision variable.
    images: Vec<Vec<VariableImage>>,
    defined: Option<DefinedFinds>,
}

/// The decision variables of the model that other variables define.
struct DefinedFinds {
    /// True for each decision variable that other variables define.
    are_defined: Vec<bool>,
    /// The problem without the defined variables before simplification, and after it in the field `simplified`.
    without: Simplified,
    simplified: Simplified,
}

/// The image of a variable under simplification.
enum VariableImage {
    /// The variable has one value.
    Fixed(i64),
    /// The variable is not needed, or other variables define it.
    Gone,
    /// `factor · variable + constant`
    View { variable: Variable, factor: i64, constant: i64 },
}

impl<'a> ModelNeighbours<'a> {
    /// Returns the neighbours of the assignments of an instance. Walks start at the given values, or at the first value
    /// of each domain.
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
        // Decision variables that cannot be written are missing here, so the two numbers differ.
        let known: usize = finds.iter().map(|find| find.writing.variables().len()).sum();
        let all = lowered.problem.variables().count();
        // A problem with Skolem or auxiliary variables has further variables, which a walk could not set.
        let whole = finds.len() == instance.finds.len() && known == all && all > 0;
        ModelNeighbours { lowered, problem, simplified, finds, walked: OnceLock::new(), first, whole }
    }

    fn walked(&self) -> &WalkProblem {
        self.walked.get_or_init(|| {
            let simplify = |problem: &Problem| {
                // Simplification cannot be interrupted, and may take as long as the whole search of a short run.
                if problem.size() <= MOST_TERMS { problem.simplify() } else { problem.unsimplified() }
            };
            let order = &self.lowered.slot_order;
            // Without the order of slots, a walk may add the members of a value in any order.
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

    /// Builds the problem for walks from a problem without defined variables.
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

    /// Returns the variables of each decision variable of the model. The objective comes first, then small groups
    /// before large ones, because sums and choices usually define small groups.
    fn groups(&self) -> Vec<Vec<Variable>> {
        // If the objective is defined, it is computed from the other variables, and walks need not update it.
        let objective: FxHashSet<Variable> = match self.problem.objective() {
            Some(objective) => objective.terms.iter().map(|term| Variable::Int(*term)).collect(),
            None => FxHashSet::default(),
        };
        let mut groups: Vec<Vec<Variable>> = self.finds.iter().map(|find| find.writing.variables().to_vec()).collect();
        // The sort is stable, so the last declared of several equal groups comes first.
        groups.reverse();
        groups.sort_by_key(|group| (!group.iter().any(|variable| objective.contains(variable)), group.len()));
        groups
    }

    /// Returns true if a walk can change every variable: all of them belong to decision variables of the model.
    pub(crate) fn are_whole(&self) -> bool {
        self.whole
    }

    /// Translates an earlier plan into values for the variables of the simplified problem.
    pub(crate) fn hint(&self, plan: &PlanValues) -> Vec<(Variable, i64)> {
        let (mut hint, mut known) = (Vec::new(), FxHashSet::default());
        for WrittenFind { find, writing, images } in &self.finds {
            let written = |values: &SolutionValues| writing.write(&value_of(values, find)?);
            let Some((numbers, others)) = written(&plan.values).zip(written(&plan.otherwise)) else { continue };
            for ((image, number), other) in images.iter().zip(numbers).zip(others) {
                let value = image.value(&self.simplified.problem, number).flatten();
                // If the two numbers differ, the plan leaves this part open. If two variables have the same image, the
                // first value counts.
                hint.extend(value.filter(|(variable, _)| number == other && known.insert(*variable)));
            }
        }
        hint
    }

    fn first(&self, find: &Find) -> Option<Value> {
        self.first.and_then(|first| value_of(first, find)).filter(|value| find.domain.contains(value))
    }

    /// Returns the assignment of a solution; `None` if the problem excludes it.
    pub(crate) fn assignment(&self, solution: &SolutionValues) -> Option<Assignment> {
        let value = |find: &WrittenFind| value_of(solution, find.find).or_else(|| find.find.domain.members().next());
        let numbers = |find: &WrittenFind| find.writing.write(&value(find)?);
        self.assigned(self.finds.iter().map(numbers))
    }

    /// Returns the assignment with these numbers for the variables of each decision variable of the model.
    fn assigned(&self, numbers: impl Iterator<Item = Option<Vec<i64>>>) -> Option<Assignment> {
        let mut assignment = Assignment::default();
        for (WrittenFind { images, .. }, numbers) in self.finds.iter().zip(numbers) {
            // If the simplified domain excludes a number, no solution has this value, so the whole plan is given up.
            for (image, number) in images.iter().zip(numbers?) {
                if let Some((variable, value)) = image.value(&self.simplified.problem, number)? {
                    assignment.set(variable, value);
                }
            }
        }
        Some(assignment)
    }

    /// Starts a walk at these values of the decision variables. A variable without a value starts at the first value of
    /// its domain.
    fn walk_from(&self, value: impl Fn(&Find) -> Option<Value>) -> Option<ModelWalk<'_>> {
        let mut values = Vec::with_capacity(self.finds.len());
        let mut written = Vec::with_capacity(self.finds.len());
        for WrittenFind { find, writing, .. } in &self.finds {
            let value = value(find).or_else(|| find.domain.members().next())?;
            written.push(WrittenValue::new(writing, &value, &[])?);
            values.push(value);
        }
        let size = |(written, images): (&WrittenValue, &Vec<VariableImage>)| {
            // A decision variable that others define is never chosen.
            let is_free = images.iter().any(|image| matches!(image, VariableImage::View { .. }));
            // With the square root, small variables still have a chance beside a large matrix.
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
    /// Returns the image with its value; `Some(None)` if the variable has no image, and `None` if the problem excludes
    /// the value.
    fn value(&self, problem: &Problem, value: i64) -> Option<Option<(Variable, i64)>> {
        match self {
            VariableImage::Fixed(fixed) => (*fixed == value).then_some(None),
            VariableImage::Gone => Some(None),
            VariableImage::View { variable, factor, constant } => {
                // If the division is not exact, as in `2x + 1 = 4`, the problem excludes the value.
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

/// A value as numbers for its variables.
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
    /// The weights with which decision variables are chosen for a change.
    sizes: Vec<f64>,
    /// The proposed values, and the numbers to write for them.
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

    /// Proposes a change of a decision variable, and adds the variables whose values differ.
    fn change(&mut self, position: usize, random: &mut Rng, differing: &mut Vec<(Variable, i64)>) -> Option<()> {
        let WrittenFind { find, writing, .. } = &self.neighbours.finds[position];
        let WalkProblem { problem, images, .. } = self.neighbours.walked();
        let value = moves::near(&find.domain, &self.values[position], random)?;
        let before = &self.written[position];
        let written = WrittenValue::new(writing, &value, &before.numbers)?;
        // The network of terms updates everything that depends on the given variables, so only changed ones are passed
        // on.
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
        // Large variables have more values to change, so they are chosen more often.
        let first = self.any(random);
        self.change(first, random, &mut differing)?;
        // Some local optima can be left only by changing two variables at the same time.
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
        // The defined variables are computed from the others.
        let all = without.restore(&simplified.restore(&assignment));
        let numbers = |((find, value), is_defined): ((&WrittenFind, &Value), &bool)| match is_defined {
            true => Some(find.writing.variables().iter().map(|term| neighbours.problem.value(*term, &all)).collect()),
            false => find.writing.write(value),
        };
        neighbours.assigned(neighbours.finds.iter().zip(&self.values).zip(are_defined).map(numbers))
    }
}
