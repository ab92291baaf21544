//! The neighbours of an assignment: small changes of the values that it stands for, written back into the variables.

use super::{Lowered, moves};
use crate::{
    instance::{Find, GroundInstance, SolutionValues},
    language::Value,
    problem::{Assignment, IntNode, Neighbours, Problem, Simplified, Variable, Walk},
    symbolic::write::Writing,
};
use fastrand::Rng;

/// One proposal in eight changes two decision variables of the model, if there are several.
const DOUBLE: u32 = 8;

/// The neighbours of the assignments of an instance's simplified problem.
pub(crate) struct ModelNeighbours<'a> {
    lowered: &'a Lowered,
    simplified: &'a Simplified,
    finds: Vec<WrittenFind<'a>>,
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
    /// `None` if there are variables that do not belong to the model's decision variables.
    pub(crate) fn new(instance: &'a GroundInstance, lowered: &'a Lowered, simplified: &'a Simplified) -> Option<Self> {
        let images = simplified.images();
        let mut finds = Vec::new();
        let mut known = 0;
        for find in &instance.finds {
            let (_, term) = lowered.layout.iter().find(|(id, _)| *id == find.id)?;
            let writing = Writing::of(&lowered.problem, term, &find.domain)?;
            known += writing.variables().len();
            let image = |variable: &Variable| image(&simplified.problem, images.get(variable).copied());
            let images = writing.variables().iter().map(image).collect();
            finds.push(WrittenFind { find, writing, images });
        }
        let all = lowered.problem.variables().count();
        (known == all && all > 0).then_some(ModelNeighbours { lowered, simplified, finds })
    }
}

impl ModelNeighbours<'_> {
    /// The assignment that a solution means; `None` if the problem rules it out.
    pub(crate) fn assignment(&self, solution: &SolutionValues) -> Option<Assignment> {
        let walk =
            self.walk_from(|find| solution.iter().find(|(id, _)| *id == find.id).map(|(_, value)| value.clone()))?;
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
        let known = start.map(|start| self.lowered.read_back(&self.simplified.restore(start))).unwrap_or_default();
        let value = |find: &Find| known.iter().find(|(id, _)| *id == find.id).map(|(_, value)| value.clone());
        Some(Box::new(self.walk_from(value)?))
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
