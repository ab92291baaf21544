//! Paths through optional places: a sum over neighbours in an injective sequence whose length is a decision variable.
//! Such sums are recognised by their residuals for each length: costs of neighbours, of places and of the ends, which
//! must be the same for all lengths.

use super::tour::{CostMatrix, TourSum, ToursInSum};
use crate::problem::{Assignment, Bool, BoolId, BoolNode, Global, Int, IntNode, Problem, Residuals, Terms, Variable};
use crate::solver::tuning::cpsat::{TOUR_STEPS, TOUR_VALUES};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The injective sequences of integer variables that have equal domains.
pub(super) struct InjectiveSequences {
    places: Vec<Vec<(Bool, Int)>>,
    /// The sequence of each variable.
    of: FxHashMap<Variable, usize>,
}

impl InjectiveSequences {
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn of(problem: &Problem) -> Self {
        let mut sequences = InjectiveSequences { places: Vec::new(), of: FxHashMap::default() };
        for places in problem.sequences() {
            let places: Vec<(Bool, Int)> =
                places.iter().copied().take_while(|(reached, _)| *reached != Bool::FALSE).collect();
            sequences.add(problem, places);
        }
        for constraint in problem.constraints() {
            let (id, negated) = constraint.node();
            if let (BoolNode::Global(Global::AllDifferent(all)), false) = (problem.bool_node(id), negated) {
                sequences.add(problem, all.terms.iter().map(|term| (Bool::TRUE, *term)).collect());
            }
        }
        sequences
    }

    fn add(&mut self, problem: &Problem, places: Vec<(Bool, Int)>) {
        let Some((_, first)) = places.first() else { return };
        let values = problem.values(*first);
        let is_place = |(reached, term): &(Bool, Int)| {
            (reached.constant().is_some() || problem.is_variable(Variable::Bool(*reached)))
                && problem.is_variable(Variable::Int(*term))
                && problem.values(*term) == values
        };
        let variables: Vec<Variable> = places
            .iter()
            .flat_map(|(reached, term)| [Variable::Bool(*reached).positive(), Variable::Int(*term)])
            .filter(|variable| *variable != Variable::Bool(Bool::TRUE))
            .collect();
        if (3..=TOUR_VALUES).contains(&places.len())
            && values.size().is_some_and(|size| size <= TOUR_VALUES as u128)
            && places.iter().all(is_place)
            && !variables.iter().any(|variable| self.of.contains_key(variable))
        {
            self.of.extend(variables.into_iter().map(|variable| (variable, self.places.len())));
            self.places.push(places);
        }
    }

    /// Returns the only sequence that a term depends on, and the only Boolean variable, if any, that it also depends
    /// on; `None` if it depends on more.
    fn owner(&self, problem: &Problem, term: Int, steps: &mut usize) -> Option<(usize, Option<BoolId>)> {
        let (mut owner, mut others, mut refused) = (None, FxHashSet::default(), false);
        problem.visit([Variable::Int(term)], |part| {
            *steps += 1;
            match (self.of.get(&part), part) {
                (Some(place), _) => refused |= owner.replace(*place).is_some_and(|known| known != *place),
                (None, Variable::Bool(part)) if problem.is_variable(Variable::Bool(part)) => {
                    others.insert(part.node().0);
                }
                (None, part) => refused |= problem.is_variable(part),
            }
            refused |= others.len() > 1 || *steps > TOUR_STEPS;
            !refused
        });
        if refused { None } else { Some((owner?, others.into_iter().next())) }
    }
}

/// Finds the paths in a sum. All sums of a problem share the budget of steps.
pub(super) fn find_paths(
    problem: &Problem,
    sequences: &InjectiveSequences,
    terms: &[(i64, Int)],
    steps: &mut usize,
) -> Option<ToursInSum> {
    if sequences.is_empty() || terms.len() < 2 {
        return None;
    }
    let (mut groups, mut others) = (BTreeMap::<usize, (Vec<(i64, Int)>, FxHashSet<BoolId>)>::new(), Vec::new());
    for (factor, term) in terms {
        match sequences.owner(problem, *term, steps) {
            Some((owner, other)) => {
                let (addends, besides) = groups.entry(owner).or_default();
                addends.push((*factor, *term));
                besides.extend(other);
            }
            None => others.push((*factor, *term)),
        }
    }
    let (mut tours, mut constant) = (Vec::new(), 0i64);
    for (owner, (addends, besides)) in groups {
        // A single Boolean besides the sequence may decide whether the path exists, as in an optional tour.
        let path = match besides.len() {
            0 | 1 => {
                PathFinder::new(problem, &sequences.places[owner], &addends, besides.iter().next().copied(), steps)
                    .find()
                    .and_then(|(path, more)| Some((path, constant.checked_add(more)?)))
            }
            _ => None,
        };
        match path {
            Some((path, sum)) => {
                tours.push(path);
                constant = sum;
            }
            None => others.extend(addends),
        }
    }
    (!tours.is_empty()).then_some(ToursInSum { tours, constant, others })
}

/// The search for a path in addends.
struct PathFinder<'p> {
    places: &'p [(Bool, Int)],
    addends: &'p [(i64, Int)],
    /// The Boolean variable that means that there is a path, or that there is none.
    besides: Option<BoolId>,
    residuals: Residuals<'p>,
    values: Vec<i64>,
    steps: &'p mut usize,
}

/// Addends that depend on the same places.
type Addends = Vec<(i64, Int)>;

/// The residual of a sum for one length.
struct RestOfSum {
    constant: i64,
    /// The addends that depend on one place, and those that depend on this place and the next one.
    single: Vec<Addends>,
    pairs: Vec<Addends>,
}

impl<'p> PathFinder<'p> {
    fn new(
        problem: &'p Problem,
        places: &'p [(Bool, Int)],
        addends: &'p [(i64, Int)],
        besides: Option<BoolId>,
        steps: &'p mut usize,
    ) -> Self {
        let terms: Vec<Int> = addends.iter().map(|(_, term)| *term).collect();
        let reached = places.iter().filter(|(reached, _)| reached.constant().is_none());
        let variables = reached.map(|(reached, _)| reached.node().0).chain(besides).collect();
        let values = problem.values(places[0].1).iter().collect();
        let residuals = Residuals::of(problem, &terms, &variables);
        PathFinder { places, addends, besides, residuals, values, steps }
    }

    /// Returns the path, and a constant to be added to its cost.
    fn find(mut self) -> Option<(TourSum, i64)> {
        let most = self.places.len();
        let least = self.places.iter().take_while(|(reached, _)| *reached == Bool::TRUE).count();
        let (exists, mut empty) = self.existence()?;
        let longest = self.rest(most, exists)?;
        let (steps, inner) = (self.matrix(&longest.pairs[0], 0)?, self.row(&longest.single[1], 1)?);
        // If neighbours have no costs, a circuit would not help the sum.
        if steps.iter().flatten().all(|cost| *cost == 0) {
            return None;
        }
        let minus = |row: Vec<i64>, other: &[i64]| {
            row.into_iter().zip(other).map(|(one, other)| one.checked_sub(*other)).collect::<Option<Vec<i64>>>()
        };
        // The costs of an inner place also count at an end, so the difference is the additional cost of the end.
        let first = minus(self.row(&longest.single[0], 0)?, &inner)?;
        let last = minus(self.row(&longest.single[most - 1], most - 1)?, &inner)?;
        // Each further place adds this part of the constant.
        let each = match least.max(1) < most {
            true => longest.constant.checked_sub(self.rest(most - 1, exists)?.constant)?,
            false => 0,
        };
        let constant = longest.constant.checked_sub(each.checked_mul(most as i64)?)?;
        // Residuals are hash-consed, so equal addends at the same place are compared only once.
        let (mut known_rows, mut known_matrices) = (FxHashSet::default(), FxHashSet::default());
        for length in least.max(1)..=most {
            let rest = self.rest(length, exists)?;
            if rest.constant != constant.checked_add(each.checked_mul(length as i64)?)? {
                return None;
            }
            for (place, addends) in rest.single.into_iter().enumerate() {
                let ends = [place == 0, place + 1 == length];
                if place < length && known_rows.insert((place, ends, addends.clone())) {
                    let costs = self.row(&addends, place)?;
                    let end = |end: bool, costs: &[i64], value: usize| if end { costs[value] } else { 0 };
                    for (value, cost) in costs.iter().enumerate() {
                        let expected = i128::from(inner[value])
                            + i128::from(end(ends[0], &first, value))
                            + i128::from(end(ends[1], &last, value));
                        if i128::from(*cost) != expected {
                            return None;
                        }
                    }
                }
            }
            for (place, addends) in rest.pairs.into_iter().enumerate().take(length - 1) {
                if known_matrices.insert((place, addends.clone())) && self.matrix(&addends, place)? != steps {
                    return None;
                }
            }
        }
        // The empty path may have any constant, but it must be the constant for a missing path, too.
        if least == 0 {
            let none = self.rest(0, exists)?.constant;
            if empty.replace(none).is_some_and(|empty| empty != none) {
                return None;
            }
        }
        let visits = inner.iter().map(|cost| cost.checked_add(each)).collect::<Option<Vec<i64>>>()?;
        let tour = TourSum {
            stops: self.places.iter().map(|(_, stop)| *stop).collect(),
            reached: self.places.iter().map(|(reached, _)| *reached).collect(),
            exists,
            values: self.values.clone(),
            closed: false,
            costs: steps,
            visits,
            ends: [first, last],
            empty: empty.unwrap_or(constant).checked_sub(constant)?,
        };
        (self.residuals.are_whole() && *self.steps <= TOUR_STEPS).then_some((tour, constant))
    }

    /// Returns the condition that there is a path, and the cost if there is none.
    fn existence(&mut self) -> Option<(Bool, Option<i64>)> {
        let Some(besides) = self.besides else { return Some((Bool::TRUE, None)) };
        [true, false].into_iter().find_map(|value| {
            // If there is no path, all addends are constants.
            self.residuals.suppose(|id| (id == besides).then_some(value));
            let constant = |(factor, term): &(i64, Int)| {
                factor.checked_mul(self.residuals.terms().int_constant(self.residuals.term(*term)?)?)
            };
            let addends = self.addends.iter().map(constant).collect::<Option<Vec<i64>>>()?;
            let exists = if value { !besides.positive() } else { besides.positive() };
            Some((exists, Some(addends.iter().try_fold(0i64, |sum, addend| sum.checked_add(*addend))?)))
        })
    }

    /// Returns the residual of the sum if the sequence has this length.
    fn rest(&mut self, length: usize, exists: Bool) -> Option<RestOfSum> {
        let mut known: FxHashMap<BoolId, bool> = FxHashMap::default();
        let reached = self.places.iter().enumerate().map(|(place, (reached, _))| (*reached, place < length));
        for (literal, value) in reached.chain([(exists, true)]) {
            known.insert(literal.node().0, value != literal.node().1);
        }
        self.residuals.suppose(|id| known.get(&id).copied());
        let at: FxHashMap<Int, usize> = (self.places.iter().enumerate())
            .filter_map(|(place, (_, stop))| Some((self.residuals.term(*stop)?, place)))
            .collect();
        let count = self.places.len();
        let mut rest = RestOfSum { constant: 0, single: vec![Vec::new(); count], pairs: vec![Vec::new(); count] };
        for (factor, term) in self.addends {
            let term = self.residuals.term(*term)?;
            let terms = self.residuals.terms();
            if let Some(value) = terms.int_constant(term) {
                rest.constant = rest.constant.checked_add(factor.checked_mul(value)?)?;
                continue;
            }
            let mut places = Vec::new();
            let (mut steps, mut others) = (0, false);
            terms.visit([Variable::Int(term)], |part| {
                steps += 1;
                match part {
                    Variable::Int(part) if at.contains_key(&part) => places.push(at[&part]),
                    part => others |= terms.is_variable(part),
                }
                places.len() <= 2 && !others
            });
            *self.steps += steps;
            if others || *self.steps > TOUR_STEPS {
                return None;
            }
            places.sort_unstable();
            match places[..] {
                [place] if place < length => rest.single[place].push((*factor, term)),
                [place, next] if place + 1 == next && next < length => rest.pairs[place].push((*factor, term)),
                _ => return None,
            }
        }
        Some(rest)
    }

    /// Returns the costs of addends for each value at a place.
    fn row(&mut self, addends: &Addends, place: usize) -> Option<Vec<i64>> {
        let mut costs = vec![0i64; self.values.len()];
        for (factor, term) in addends {
            let stop = self.residuals.term(self.places[place].1)?;
            for (cost, value) in costs.iter_mut().zip(&self.values) {
                let number = value_under(self.residuals.terms(), *term, &[(stop, *value)]);
                *cost = cost.checked_add(factor.checked_mul(number)?)?;
            }
        }
        Some(costs)
    }

    /// Returns the costs of addends for each pair of values at a place and at the next one.
    fn matrix(&mut self, addends: &Addends, place: usize) -> Option<CostMatrix> {
        let count = self.values.len();
        let mut costs = vec![vec![0i64; count]; count];
        for (factor, term) in addends {
            let [left, right] = [place, place + 1].map(|place| self.residuals.term(self.places[place].1));
            let (left, right, terms) = (left?, right?, self.residuals.terms());
            let entries = match terms.int_node(*term) {
                IntNode::Choice(alternatives) => terms.entries_of_choice(alternatives),
                _ => None,
            };
            // Each pair of values is evaluated, so all sums share one budget.
            *self.steps += count * count;
            for (row, first) in self.values.iter().enumerate() {
                for (column, second) in self.values.iter().enumerate().filter(|(column, _)| *column != row) {
                    let number = match &entries {
                        Some(entries) if entries.indices == [left, right] => entries.number([*first, *second]),
                        Some(entries) if entries.indices == [right, left] => entries.number([*second, *first]),
                        _ => value_under(terms, *term, &[(left, *first), (right, *second)]),
                    };
                    costs[row][column] = costs[row][column].checked_add(factor.checked_mul(number)?)?;
                }
            }
        }
        Some(costs)
    }
}

/// Returns the value of a term if some variables have these values.
pub(super) fn value_under(terms: &Terms, term: Int, values: &[(Int, i64)]) -> i64 {
    let mut assignment = Assignment::default();
    values.iter().for_each(|(stop, value)| assignment.set_int(*stop, *value));
    terms.int_value(term, &assignment)
}
