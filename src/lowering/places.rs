//! The places of a model at which values of a domain appear in decision variables: as indices of a dimension, as
//! elements of a set, or as values of a variable. The places on the path to a variable of the problem identify the
//! variable.

use super::Lowered;
use crate::{
    analysis::model::TypedModel,
    language::{MemberForm, Type, Value},
    problem::{Bool, Int, Problem, Simplified, Variable},
    symbolic::{Member, Term},
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of values of a variable that are recorded at its place. Chosen.
pub(super) const MOST_VALUES: usize = 400;

/// A step from a decision variable of the model to a variable of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Step {
    /// The value at a place.
    At(Place, i64),
    /// An item of a tuple or record, a member of a collection without constants, or a number that makes the path
    /// unique.
    Item(usize),
}

/// A place in the type of a decision variable at which values of a domain appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place(pub usize);

/// A variable of the problem.
#[derive(Clone, Copy, Debug)]
pub(super) enum ProblemVariable {
    Bool(Bool),
    Int(Int, Place),
}

/// The families of decisions ([`Problem::families`]) that are visible in a model: for each place, the decisions at each
/// value; for each collection, the decisions in each member.
pub(crate) fn decision_families(
    model: &TypedModel,
    lowered: &Lowered,
    simplified: &Simplified,
) -> Vec<Vec<Vec<Variable>>> {
    let images = simplified.images();
    let mut families: BTreeMap<FamilyOrigin, BTreeMap<i64, Vec<Variable>>> = BTreeMap::new();
    let leaves: BTreeMap<Vec<Step>, ProblemVariable> = Variables::new(model, lowered).leaves.into_iter().collect();
    for (steps, leaf) in &leaves {
        let Some(variable) = images.get(&leaf.variable()) else { continue };
        let root = steps[0];
        // The last step only makes the path unique.
        for (depth, step) in steps[..steps.len() - 1].iter().enumerate().skip(1) {
            let (origin, value) = match *step {
                Step::At(place, value) => (FamilyOrigin::Place(place), value),
                Step::Item(position) => (FamilyOrigin::Items(root, depth), position as i64),
            };
            let group = families.entry(origin).or_default().entry(value).or_default();
            // Several leaves may be images of the same variable.
            if group.last() != Some(&variable.positive()) {
                group.push(variable.positive());
            }
        }
    }
    let families = families.into_values().filter(|family| family.len() > 1);
    families.map(|family| family.into_values().collect()).collect()
}

/// The origin of a family of decisions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FamilyOrigin {
    Place(Place),
    /// The items at a certain depth below a decision variable of the model.
    Items(Step, usize),
}

impl ProblemVariable {
    fn variable(&self) -> Variable {
        match self {
            ProblemVariable::Bool(term) => Variable::Bool(*term),
            ProblemVariable::Int(term, _) => Variable::Int(*term),
        }
    }
}

/// The variables of the problem by their paths, and the places on these paths.
#[derive(Default)]
pub(super) struct Variables {
    /// The current decision variable of the model.
    root: usize,
    pub leaves: FxHashMap<Vec<Step>, ProblemVariable>,
    /// The places by decision variable and path in its type.
    places: FxHashMap<(usize, Vec<usize>), Place>,
    /// The type and the values of each place.
    pub values: Vec<(Type, BTreeSet<i64>)>,
    /// The paths that contain a value at a place.
    pub at: FxHashMap<(Place, i64), Vec<Vec<Step>>>,
    /// The paths to the integer variables whose values are at a place.
    pub valued: FxHashMap<Place, Vec<Vec<Step>>>,
    /// The current path in the type.
    path: Vec<usize>,
}

impl Variables {
    pub(super) fn new(model: &TypedModel, lowered: &Lowered) -> Self {
        let mut variables = Variables::default();
        for (id, term) in &lowered.layout {
            variables.root = id.0 as usize;
            variables.walk(&lowered.problem, &model.declaration(*id).ty, term, &mut Vec::new());
        }
        variables
    }

    fn place(&mut self, ty: &Type) -> Place {
        let next = Place(self.values.len());
        let place = *self.places.entry((self.root, self.path.clone())).or_insert(next);
        if place == next {
            self.values.push((ty.clone(), BTreeSet::new()));
        }
        place
    }

    fn step(&mut self, ty: &Type, value: i64) -> Step {
        let place = self.place(ty);
        self.values[place.0].1.insert(value);
        Step::At(place, value)
    }

    fn leaf(&mut self, mut steps: Vec<Step>, leaf: ProblemVariable) {
        // The last step numbers variables with the same path, for example the occurrences of a value.
        steps.insert(0, Step::Item(self.root));
        steps.push(Step::Item(0));
        // Paths are keys, and exchanges map paths to paths, so paths must be unique.
        while self.leaves.contains_key(&steps) {
            if let Some(Step::Item(number)) = steps.last_mut() {
                *number += 1;
            }
        }
        for step in &steps {
            if let Step::At(place, value) = step {
                self.at.entry((*place, *value)).or_default().push(steps.clone());
            }
        }
        if let ProblemVariable::Int(_, place) = leaf {
            self.valued.entry(place).or_default().push(steps.clone());
        }
        self.leaves.insert(steps, leaf);
    }

    /// Collects the variables in a term of this type.
    fn walk(&mut self, problem: &Problem, ty: &Type, term: &Term, steps: &mut Vec<Step>) {
        match (ty, term) {
            // A Boolean has no domain of places, so its leaf is the variable alone.
            (_, Term::Bool(variable)) => self.condition(problem, *variable, steps),
            (_, Term::Int(variable)) if problem.is_variable(Variable::Int(*variable)) => {
                let place = self.place(ty);
                self.values[place.0].1.extend(problem.values(*variable).iter().take(MOST_VALUES));
                self.leaf(steps.clone(), ProblemVariable::Int(*variable, place));
            }
            (Type::Tuple(types), Term::Tuple(_)) => self.items(problem, types, &term.items(), steps),
            (Type::Record(fields), Term::Tuple(_)) => {
                let types: Vec<Type> = fields.iter().map(|(_, ty)| ty.clone()).collect();
                self.items(problem, &types, &term.items(), steps);
            }
            (Type::Matrix(parts), Term::Matrix(index, elements)) => {
                let indices: Vec<Value> = index.members().collect();
                for (value, element) in indices.iter().zip(elements.iter()) {
                    let before = steps.len();
                    self.within(0, |this| this.constant(&parts[0], value, steps));
                    self.within(1, |this| this.walk(problem, &parts[1], element, steps));
                    steps.truncate(before);
                }
            }
            (Type::Collection(kind, parts), Term::Collection(_, members)) if kind.form() != MemberForm::Blocks => {
                let types = match kind.form().components(parts, Type::Any) {
                    Some(types) => types,
                    None => [kind.form().member(parts, Type::Any)].into(),
                };
                self.members(problem, &types, &members.members, steps);
            }
            // Variables in other values have no place.
            _ => {}
        }
    }

    fn within(&mut self, position: usize, run: impl FnOnce(&mut Self)) {
        self.path.push(position);
        run(self);
        self.path.pop();
    }

    fn condition(&mut self, problem: &Problem, condition: Bool, steps: &[Step]) {
        // A negated variable is the same decision, which must not be counted twice.
        if !condition.node().1 && problem.is_variable(Variable::Bool(condition)) {
            self.leaf(steps.to_vec(), ProblemVariable::Bool(condition));
        }
    }

    fn items(&mut self, problem: &Problem, types: &[Type], items: &[Term], steps: &mut Vec<Step>) {
        for (position, (ty, item)) in types.iter().zip(items).enumerate() {
            steps.push(Step::Item(position));
            self.within(position, |this| this.walk(problem, ty, item, steps));
            steps.pop();
        }
    }

    /// Collects the variables in the members of a collection. A member is identified by its constant parts, or else by
    /// its position.
    fn members(&mut self, problem: &Problem, types: &[Type], members: &[Member], steps: &mut Vec<Step>) {
        for (position, member) in members.iter().enumerate() {
            let before = steps.len();
            let items = if types.len() == 1 { vec![member.term.clone()] } else { member.term.items() };
            let constants = items.iter().filter(|item| matches!(item, Term::Value(_))).count();
            // Without constant parts, only the position identifies a member.
            if constants == 0 {
                steps.push(Step::Item(position));
            }
            for (position, (ty, item)) in types.iter().zip(&items).enumerate() {
                if let Term::Value(value) = item {
                    self.within(position, |this| this.constant(ty, value, steps));
                }
            }
            self.condition(problem, member.condition, steps);
            for (position, (ty, item)) in types.iter().zip(&items).enumerate() {
                if !matches!(item, Term::Value(_)) {
                    self.within(position, |this| this.walk(problem, ty, item, steps));
                }
            }
            steps.truncate(before);
        }
    }

    /// Adds the steps of a constant part.
    fn constant(&mut self, ty: &Type, value: &Value, steps: &mut Vec<Step>) {
        match (ty, value) {
            (_, Value::Int(value)) => {
                let step = self.step(ty, *value);
                steps.push(step);
            }
            (_, Value::Bool(value)) => {
                let step = self.step(ty, i64::from(*value));
                steps.push(step);
            }
            (Type::Tuple(types), Value::Tuple(items)) => {
                for (position, (ty, item)) in types.iter().zip(items.iter()).enumerate() {
                    self.within(position, |this| this.constant(ty, item, steps));
                }
            }
            // Larger values add no steps; only the last step of a path distinguishes them.
            _ => {}
        }
    }
}
