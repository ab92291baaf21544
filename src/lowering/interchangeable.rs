//! Symmetries that a model shows: values, rows and columns that can be exchanged.
//!
//! The values of a domain appear in decision variables at several *places*: as the indices of a dimension, as elements of a set, as
//! values of a variable. Candidates are exchanges of two values at one or more places that have the same values. A candidate that maps the
//! problem to itself ([`Automorphisms`]) is broken by a lex-leader constraint: the decisions, in the order of the problem, are not
//! greater than their images. One order serves all symmetries, so that the least solution of each class stays.

use super::Lowered;
use crate::{
    analysis::model::Model,
    language::{Type, Value},
    problem::{Automorphisms, Bool, Exchange, Int, OutOfWork, Problem, Simplified, Variable},
    symbolic::{Member, Symbolic, Term},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The most terms that are looked at in search of symmetries.
const WORK: usize = 1_000_000;

/// The most terms that are looked at in vain before other places get their turn.
const IN_VAIN: usize = 100_000;

/// The largest number of places that are exchanged together.
const TOGETHER: usize = 3;

/// The most decisions that a lex-leader constraint compares; a prefix of the order is a weaker condition.
const COMPARED: usize = 400;

/// The most decisions that all lex-leader constraints compare.
const COMPARED_IN_ALL: usize = 40_000;

/// A step from a decision variable of the model to a variable of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Step {
    /// The value at a place.
    At(Place, i64),
    /// An item of a tuple, or the like.
    Item(usize),
}

/// A place in the type of a decision variable where values of a domain appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Place(usize);

/// A variable of the problem.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    Bool(Bool),
    Int(Int, Place),
}

/// The problem of an instance, simplified, with constraints that break the symmetries that its model shows.
pub(crate) fn break_interchangeable(model: &Model, lowered: &Lowered, simplified: &Simplified) -> Problem {
    let images = simplified.images();
    let mut symbolic = Symbolic::from(simplified.problem.clone());
    let mut breaking = Vec::new();
    let mut left = COMPARED_IN_ALL;
    for exchange in exchanges(model, lowered) {
        let (decisions, moved) = compared(&mut symbolic, lowered.problem.decisions(), &exchange, &images);
        left = match left.checked_sub(decisions.len()) {
            Some(left) => left,
            None => break,
        };
        breaking.push(!symbolic.less(&Term::tuple(moved), &Term::tuple(decisions)));
    }
    // A problem that would become too large is solved as it is.
    match symbolic.finish() {
        Ok(mut problem) => {
            breaking.into_iter().for_each(|constraint| problem.break_symmetry(constraint));
            problem
        }
        Err(_) => simplified.problem.clone(),
    }
}

/// The exchanges that map the problem to itself.
pub(crate) fn exchanges(model: &Model, lowered: &Lowered) -> Vec<Exchange> {
    let mut variables = Variables::default();
    for (id, term) in &lowered.layout {
        variables.root = id.0 as usize;
        variables.walk(&lowered.problem, &model.declarations[id.0 as usize].ty, term, &mut Vec::new());
    }
    let mut found = Vec::new();
    if let Some(automorphisms) = Automorphisms::new(&lowered.problem, WORK) {
        // What has been found when the work runs out are symmetries all the same.
        let _ = Search { variables: &variables, automorphisms, found: &mut found }.run();
    }
    found
}

/// The variables of the problem by the steps to them, and the places in the steps.
#[derive(Default)]
struct Variables {
    /// The decision variable of the model.
    root: usize,
    leaves: FxHashMap<Vec<Step>, Leaf>,
    /// The places by the decision variable and the path in its type.
    places: FxHashMap<(usize, Vec<usize>), Place>,
    /// The type and the values of each place.
    values: Vec<(Type, BTreeSet<i64>)>,
    /// The steps with a value at a place.
    at: FxHashMap<(Place, i64), Vec<Vec<Step>>>,
    /// The steps to the integer variables whose values are at a place.
    valued: FxHashMap<Place, Vec<Vec<Step>>>,
    /// The path in the type.
    path: Vec<usize>,
}

impl Variables {
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

    fn leaf(&mut self, mut steps: Vec<Step>, leaf: Leaf) {
        // Occurrences of the same value are told apart by their number.
        steps.insert(0, Step::Item(self.root));
        steps.push(Step::Item(0));
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
        if let Leaf::Int(_, place) = leaf {
            self.valued.entry(place).or_default().push(steps.clone());
        }
        self.leaves.insert(steps, leaf);
    }

    /// Collects the variables in a term of this type.
    fn walk(&mut self, problem: &Problem, ty: &Type, term: &Term, steps: &mut Vec<Step>) {
        match (ty, term) {
            (_, Term::Bool(variable)) => self.condition(problem, *variable, steps),
            (_, Term::Int(variable)) if problem.is_variable(Variable::Int(*variable)) => {
                let place = self.place(ty);
                self.values[place.0].1.extend(problem.values(*variable).iter().take(COMPARED));
                self.leaf(steps.clone(), Leaf::Int(*variable, place));
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
                    self.within(0, |this| this.constant(&parts.0, value, steps));
                    self.within(1, |this| this.walk(problem, &parts.1, element, steps));
                    steps.truncate(before);
                }
            }
            (Type::Set(element) | Type::MSet(element), Term::Collection(_, members)) => {
                self.members(problem, &[Type::clone(element)], &members.members, steps);
            }
            (Type::Sequence(element), Term::Collection(_, members)) => {
                self.members(problem, &[Type::Any, Type::clone(element)], &members.members, steps);
            }
            (Type::Function(parts), Term::Collection(_, members)) => {
                self.members(problem, &[parts.0.clone(), parts.1.clone()], &members.members, steps);
            }
            (Type::Permutation(element), Term::Collection(_, members)) => {
                self.members(problem, &[Type::clone(element), Type::clone(element)], &members.members, steps);
            }
            (Type::Relation(columns), Term::Collection(_, members)) => {
                self.members(problem, columns, &members.members, steps);
            }
            // The variables of other values belong to no place.
            _ => {}
        }
    }

    fn within(&mut self, position: usize, run: impl FnOnce(&mut Self)) {
        self.path.push(position);
        run(self);
        self.path.pop();
    }

    fn condition(&mut self, problem: &Problem, condition: Bool, steps: &[Step]) {
        if !condition.node().1 && problem.is_variable(Variable::Bool(condition)) {
            self.leaf(steps.to_vec(), Leaf::Bool(condition));
        }
    }

    fn items(&mut self, problem: &Problem, types: &[Type], items: &[Term], steps: &mut Vec<Step>) {
        for (position, (ty, item)) in types.iter().zip(items).enumerate() {
            steps.push(Step::Item(position));
            self.within(position, |this| this.walk(problem, ty, item, steps));
            steps.pop();
        }
    }

    /// The members of a collection, whose constant parts tell them apart; if there are none, their positions do.
    fn members(&mut self, problem: &Problem, types: &[Type], members: &[Member], steps: &mut Vec<Step>) {
        for (position, member) in members.iter().enumerate() {
            let before = steps.len();
            let items = if types.len() == 1 { vec![member.term.clone()] } else { member.term.items() };
            let constants = items.iter().filter(|item| matches!(item, Term::Value(_))).count();
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

    /// The steps of a constant part.
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
            // Larger values are told apart by the order in which they come.
            _ => {}
        }
    }
}

/// The search for exchanges that map a problem to itself.
struct Search<'a> {
    variables: &'a Variables,
    automorphisms: Automorphisms<'a>,
    found: &'a mut Vec<Exchange>,
}

impl Search<'_> {
    fn run(mut self) -> Result<(), OutOfWork> {
        let mut groups: Vec<Vec<Place>> = Vec::new();
        for place in (0..self.variables.values.len()).map(Place) {
            let values = |place: Place| &self.variables.values[place.0];
            match groups.iter_mut().find(|group| values(group[0]) == values(place)) {
                Some(group) => group.push(place),
                None => groups.push(vec![place]),
            }
        }
        let mut settled: FxHashSet<Place> = FxHashSet::default();
        for size in 1..=TOGETHER {
            for group in &groups {
                for places in subsets(group, size) {
                    if !places.iter().any(|place| settled.contains(place)) && self.exchange_values(&places)? {
                        settled.extend(places);
                    }
                }
            }
        }
        for group in groups.iter().filter(|group| group.len() > TOGETHER) {
            if !group.iter().any(|place| settled.contains(place)) {
                self.exchange_values(group)?;
            }
        }
        Ok(())
    }

    /// Looks for classes of values that can be exchanged at these places, and says whether there are any.
    fn exchange_values(&mut self, places: &[Place]) -> Result<bool, OutOfWork> {
        // The last value of each class.
        let mut classes: Vec<i64> = Vec::new();
        let before = self.found.len();
        let mut success = self.automorphisms.work();
        for value in &self.variables.values[places[0].0].1 {
            let mut class = None;
            for (position, last) in classes.iter().enumerate() {
                let exchange = self.variables.exchange(places, *last, *value);
                if let Some(exchange) = exchange
                    && self.automorphisms.is_automorphism(&exchange)?
                {
                    self.found.push(exchange);
                    success = self.automorphisms.work();
                    class = Some(position);
                    break;
                }
            }
            if success - self.automorphisms.work() > IN_VAIN {
                break;
            }
            match class {
                Some(position) => classes[position] = *value,
                None => classes.push(*value),
            }
        }
        Ok(self.found.len() > before)
    }
}

/// The subsets of this size, in the order of their elements.
fn subsets(all: &[Place], size: usize) -> Vec<Vec<Place>> {
    match (size, all) {
        (0, _) => vec![Vec::new()],
        (_, []) => Vec::new(),
        (_, [first, rest @ ..]) => {
            let mut with: Vec<Vec<Place>> = subsets(rest, size - 1);
            with.iter_mut().for_each(|subset| subset.insert(0, *first));
            with.extend(subsets(rest, size));
            with
        }
    }
}

impl Variables {
    /// The exchange of two values at some places; `None` if it moves no variable, or one to where none is.
    fn exchange(&self, places: &[Place], one: i64, other: i64) -> Option<Exchange> {
        let mut exchange = Exchange { values: Some((one, other)), ..Exchange::default() };
        let moving = places.iter().flat_map(|place| [one, other].map(|value| self.at.get(&(*place, value))));
        let valued = places.iter().map(|place| self.valued.get(place));
        for steps in moving.chain(valued).flatten().flatten() {
            let leaf = self.leaves[steps];
            let image: Vec<Step> = steps.iter().map(|step| moved(*step, places, one, other)).collect();
            match (leaf, self.leaves.get(&image)?) {
                (Leaf::Bool(term), Leaf::Bool(image)) => {
                    if term != *image {
                        exchange.bools.insert(term, *image);
                    }
                }
                (Leaf::Int(term, place), Leaf::Int(image, _)) => {
                    if term != *image {
                        exchange.ints.insert(term, *image);
                    }
                    if places.contains(&place) {
                        exchange.valued.insert(term);
                    }
                }
                _ => return None,
            }
        }
        let moves = !(exchange.bools.is_empty() && exchange.ints.is_empty() && exchange.valued.is_empty());
        moves.then_some(exchange)
    }
}

fn moved(step: Step, places: &[Place], one: i64, other: i64) -> Step {
    match step {
        Step::At(place, value) if places.contains(&place) && value == one => Step::At(place, other),
        Step::At(place, value) if places.contains(&place) && value == other => Step::At(place, one),
        step => step,
    }
}

/// The decisions that an exchange changes, and what has their places in the image; each pair of exchanged variables once.
fn compared(
    symbolic: &mut Symbolic,
    decisions: &[Variable],
    exchange: &Exchange,
    images: &FxHashMap<Variable, Variable>,
) -> (Vec<Term>, Vec<Term>) {
    let (mut terms, mut moved) = (Vec::new(), Vec::new());
    let mut seen: FxHashSet<Variable> = FxHashSet::default();
    for decision in decisions {
        seen.insert(*decision);
        let partner = match decision {
            Variable::Bool(term) => exchange.bools.get(term).copied().map(Variable::Bool),
            Variable::Int(term) => exchange.ints.get(term).copied().map(Variable::Int),
        };
        let values =
            exchange.values.filter(|_| matches!(decision, Variable::Int(term) if exchange.valued.contains(term)));
        if partner.is_some_and(|partner| seen.contains(&partner)) || (partner, values) == (None, None) {
            continue;
        }
        // A shorter comparison is a weaker condition.
        let (Some(term), Some(image)) = (images.get(decision), images.get(&partner.unwrap_or(*decision))) else {
            break;
        };
        if terms.len() >= COMPARED {
            break;
        }
        let (term, image) = match (*term, *image, values) {
            // The image is less where the variable has the greater value, and greater where it has the lesser one.
            (Variable::Int(term), _, Some((one, other))) if partner.is_none() => {
                let mut has = |value| symbolic.problem.equals_constant(term, value);
                (Term::from(has(one.max(other))), Term::from(has(one.min(other))))
            }
            (Variable::Int(term), Variable::Int(image), Some((one, other))) => {
                let problem = &mut symbolic.problem;
                let [is_one, is_other] = [one, other].map(|value| problem.equals_constant(image, value));
                let [one, other] = [one, other].map(|value| problem.constant(value));
                (Term::Int(term), Term::Int(problem.choice([(is_one, other), (is_other, one), (Bool::TRUE, image)])))
            }
            (Variable::Int(term), Variable::Int(image), None) => (Term::Int(term), Term::Int(image)),
            (Variable::Bool(term), Variable::Bool(image), _) => (Term::from(term), Term::from(image)),
            _ => break,
        };
        terms.push(term);
        moved.push(image);
    }
    (terms, moved)
}
