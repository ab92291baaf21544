//! The neighbours of an assignment: small changes of the values that it stands for, written back into the variables.

use super::{Lowered, moves};
use crate::{
    instance::{Find, GroundInstance, SolutionValues},
    language::Value,
    problem::{Assignment, IntNode, Neighbours, Problem, Simplified, Variable, Walk},
    symbolic::write::Writing,
};
use fastrand::Rng;
use rustc_hash::FxHashSet;

/// One proposal in eight changes two decision variables of the model, if there are several.
const DOUBLE: u32 = 8;

/// What an earlier plan says of today's decision variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanValues {
    pub values: SolutionValues,
    /// The same, with other values in the places of which the plan says nothing.
    pub otherwise: SolutionValues,
}

/// The neighbours of the assignments of an instance's simplified problem.
pub(crate) struct ModelNeighbours<'a> {
    lowered: &'a Lowered,
    simplified: &'a Simplified,
    finds: Vec<WrittenFind<'a>>,
    /// The values with which walks begin.
    first: Option<&'a SolutionValues>,
    whole: bool,
}

/// A decision variable of the model.
struct WrittenFind<'a> {
    find: &'a Find,
    writing: Writing,
    /// What each variable has become.
    images: Vec<VariableImage>,
}

/// What simplification has made of a variable.
enum VariableImage {
    /// It has one value.
    Fixed(i64),
    /// Nothing needs it, or it follows from others.
    Gone,
    /// `factor · variable + constant`
    View { variable: Variable, factor: i64, constant: i64 },
}

impl<'a> ModelNeighbours<'a> {
    /// The neighbours of an instance's assignments; walks begin with these values, or with the first ones.
    pub(crate) fn new(
        instance: &'a GroundInstance,
        lowered: &'a Lowered,
        simplified: &'a Simplified,
        first: Option<&'a SolutionValues>,
    ) -> Self {
        let images = simplified.images();
        let image = |variable: &Variable| image(&simplified.problem, images.get(variable).copied());
        let find = |find: &'a Find| {
            let (_, term) = lowered.layout.iter().find(|(id, _)| *id == find.id)?;
            let writing = Writing::of(&lowered.problem, term, &find.domain)?;
            let images = writing.variables().iter().map(image).collect();
            Some(WrittenFind { find, writing, images })
        };
        let finds: Vec<WrittenFind> = instance.finds.iter().filter_map(find).collect();
        let known: usize = finds.iter().map(|find| find.writing.variables().len()).sum();
        let all = lowered.problem.variables().count();
        let whole = finds.len() == instance.finds.len() && known == all && all > 0;
        ModelNeighbours { lowered, simplified, finds, first, whole }
    }

    /// Whether all variables belong to the model's decision variables, so that a walk can change all of them.
    pub(crate) fn are_whole(&self) -> bool {
        self.whole
    }

    /// What an earlier plan means for the variables of the simplified problem.
    pub(crate) fn hint(&self, plan: &PlanValues) -> Vec<(Variable, i64)> {
        let (mut hint, mut known) = (Vec::new(), FxHashSet::default());
        for WrittenFind { find, writing, images } in &self.finds {
            let written = |values: &SolutionValues| writing.write(&value_of(values, find)?);
            let Some((numbers, others)) = written(&plan.values).zip(written(&plan.otherwise)) else { continue };
            for ((image, number), other) in images.iter().zip(numbers).zip(others) {
                let value = image.value(&self.simplified.problem, number).flatten();
                // Two variables that have become one may have had two values.
                hint.extend(value.filter(|(variable, _)| number == other && known.insert(*variable)));
            }
        }
        hint
    }

    fn first(&self, find: &Find) -> Option<Value> {
        self.first.and_then(|first| value_of(first, find)).filter(|value| find.domain.contains(value))
    }

    /// The assignment that a solution means; `None` if the problem rules it out.
    pub(crate) fn assignment(&self, solution: &SolutionValues) -> Option<Assignment> {
        let walk = self.walk_from(|find| value_of(solution, find))?;
        let mut assignment = Assignment::default();
        for (variable, value) in walk.values() {
            match variable {
                Variable::Bool(term) => assignment.set_bool(term.node().0, value == 1),
                Variable::Int(term) => assignment.set_int(term, value),
            }
        }
        Some(assignment)
    }

    /// A walk that begins with these values of the decision variables, and with the first one where there is none.
    fn walk_from(&self, value: impl Fn(&Find) -> Option<Value>) -> Option<ModelWalk<'_>> {
        let mut values = Vec::with_capacity(self.finds.len());
        let mut written = Vec::with_capacity(self.finds.len());
        for WrittenFind { find, writing, .. } in &self.finds {
            let value = value(find).or_else(|| find.domain.members().next())?;
            written.push(writing.write(&value)?);
            values.push(value);
        }
        let sizes: Vec<f64> = written.iter().map(|written| (1.0 + written.len() as f64).sqrt()).collect();
        Some(ModelWalk { neighbours: self, values, written, sizes, proposed: Vec::new() })
    }
}

/// The value of a decision variable.
fn value_of(solution: &SolutionValues, find: &Find) -> Option<Value> {
    solution.iter().find(|(id, _)| *id == find.id).map(|(_, value)| value.clone())
}

fn image(problem: &Problem, image: Option<Variable>) -> VariableImage {
    let view = |variable, factor, constant| VariableImage::View { variable, factor, constant };
    match image {
        Some(Variable::Bool(term)) => match (term.constant(), term.node()) {
            (Some(value), _) => VariableImage::Fixed(value.into()),
            (None, (id, negated)) if problem.is_variable(Variable::Bool(id.positive())) => {
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
    /// The value of the variable that it has become, if there is one; `None` if the problem rules the value out.
    fn value(&self, problem: &Problem, value: i64) -> Option<Option<(Variable, i64)>> {
        match self {
            VariableImage::Fixed(fixed) => (*fixed == value).then_some(None),
            VariableImage::Gone => Some(None),
            VariableImage::View { variable, factor, constant } => {
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
    fn walk(&self, start: Option<&Assignment>) -> Option<Box<dyn Walk + '_>> {
        Some(Box::new(match start.map(|start| self.lowered.read_back(&self.simplified.restore(start))) {
            Some(known) => self.walk_from(|find| value_of(&known, find))?,
            None => self.walk_from(|find| self.first(find))?,
        }))
    }
}

/// A walk among the values of the model's decision variables.
struct ModelWalk<'a> {
    neighbours: &'a ModelNeighbours<'a>,
    values: Vec<Value>,
    written: Vec<Vec<i64>>,
    /// How often each decision variable is changed.
    sizes: Vec<f64>,
    /// The new values, and what is written for them.
    proposed: Vec<(usize, Value, Vec<i64>)>,
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

    /// Changes a decision variable; adds what differs.
    fn change(&mut self, place: usize, random: &mut Rng, differing: &mut Vec<(Variable, i64)>) -> Option<()> {
        let ModelNeighbours { finds, simplified, .. } = self.neighbours;
        let WrittenFind { find, writing, images } = &finds[place];
        let value = moves::near(&find.domain, &self.values[place], random)?;
        let written = writing.write(&value)?;
        let (before, problem) = (&self.written[place], &simplified.problem);
        for ((new, old), image) in written.iter().zip(before).zip(images) {
            if new != old {
                differing.extend(image.value(problem, *new)?);
            }
        }
        self.proposed.push((place, value, written));
        Some(())
    }
}

impl Walk for ModelWalk<'_> {
    fn values(&self) -> Vec<(Variable, i64)> {
        let problem = &self.neighbours.simplified.problem;
        let finds = self.neighbours.finds.iter().zip(&self.written);
        let numbers = finds.flat_map(|(find, written)| find.images.iter().zip(written));
        numbers.filter_map(|(image, number)| image.value(problem, *number).flatten()).collect()
    }

    fn propose(&mut self, random: &mut Rng) -> Option<Vec<(Variable, i64)>> {
        self.proposed.clear();
        let mut differing = Vec::new();
        let first = self.any(random);
        self.change(first, random, &mut differing)?;
        if self.values.len() > 1 && random.u32(0..DOUBLE) == 0 {
            let second = self.any(random);
            if second != first {
                self.change(second, random, &mut differing)?;
            }
        }
        (!differing.is_empty()).then_some(differing)
    }

    fn accept(&mut self) {
        for (place, value, written) in self.proposed.drain(..) {
            self.values[place] = value;
            self.written[place] = written;
        }
    }
}
