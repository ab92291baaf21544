//! Tours: a sum over neighbours in a permutation, such as the length of a round trip, becomes a sum over the arcs of a
//! circuit. CP-SAT has cutting planes for circuits, while the linear relaxation of sums over the positions of a
//! permutation is useless. The same holds for sequences whose length is a decision variable ([`mod@path`]); a value
//! that is left out gets an arc to itself.

use super::{
    messages::{BoolArgument, Circuit, ConstraintKind, LinearExpression},
    path,
    translation::{SumBuilder, Translation, Untranslatable, not, of_constant, of_literal, of_variable},
};
use crate::solver::tuning::cpsat::{TOUR_STEPS, TOUR_VALUES};
use crate::{
    IntSet,
    problem::{Assignment, Bool, BoolNode, Global, Int, IntNode, Problem, Variable},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of `allDifferent` constraints that have as many values as variables.
pub(super) struct PermutedVariables {
    of: FxHashMap<Int, usize>,
    sizes: Vec<usize>,
}

/// A sum over neighbours in a permutation or in an injective sequence.
pub(super) struct TourSum {
    /// The variables of the sequence in its order.
    pub stops: Vec<Int>,
    /// The conditions that the sequence reaches each stop, and the condition that there is a sequence.
    pub reached: Vec<Bool>,
    pub exists: Bool,
    pub values: Vec<i64>,
    /// True if the last stop is a neighbour of the first; the tour then reaches all stops and takes all values.
    pub closed: bool,
    /// The costs of the values of two neighbours.
    pub costs: CostMatrix,
    /// The cost of each value, wherever it is in an open tour.
    pub visits: Vec<i64>,
    /// The additional costs of the values of the first and of the last stop in an open tour.
    pub ends: [Vec<i64>; 2],
    /// The cost if there is no stop.
    pub empty: i64,
}

/// The tours in a sum.
pub(super) struct ToursInSum {
    pub tours: Vec<TourSum>,
    pub constant: i64,
    /// The remaining addends.
    pub others: Vec<(i64, Int)>,
}

/// The variables of the model that describe a tour, so that a hint can assign them.
pub(super) struct TourVariables {
    tour: TourSum,
    /// The literals of "the sequence reaches this stop" that represent no term of the problem.
    reached: Vec<(usize, i32)>,
    /// For each value, the literals of "the value is at this stop".
    at: Vec<Vec<i32>>,
    /// The literals of "the value is left out" and of "the value is the last one", if these are not certain.
    left_out: Vec<i32>,
    last: Vec<i32>,
    /// The variable with the position of each value.
    places: Vec<i32>,
    /// The literal of the arc between two values.
    arcs: FxHashMap<[usize; 2], i32>,
}

impl TourVariables {
    /// Passes on the variables with their values in an assignment.
    pub(super) fn values(&self, problem: &Problem, assignment: &Assignment, set: &mut dyn FnMut(i32, i64)) {
        let TourSum { stops, reached, exists, values, closed, .. } = &self.tour;
        let positions: FxHashMap<i64, usize> =
            values.iter().enumerate().map(|(position, value)| (*value, position)).collect();
        let exists = problem.bool_value(*exists, assignment);
        let count = reached.iter().take_while(|reached| exists && problem.bool_value(**reached, assignment)).count();
        let here = stops.iter().take(count).map(|stop| positions.get(&problem.int_value(*stop, assignment)).copied());
        let Some(order) = here.collect::<Option<Vec<usize>>>() else { return };
        self.reached.iter().for_each(|(stop, literal)| set(*literal, (*stop < count).into()));
        for (value, literals) in self.at.iter().enumerate() {
            let place = order.iter().position(|position| *position == value);
            for (stop, literal) in literals.iter().enumerate() {
                set(*literal, (place == Some(stop)).into());
            }
            set(self.places[value], place.unwrap_or(0) as i64);
            self.left_out.get(value).iter().for_each(|literal| set(**literal, place.is_none().into()));
            let is_last = order.last() == Some(&value);
            self.last.get(value).iter().for_each(|literal| set(**literal, is_last.into()));
        }
        let next = |place: usize| match order.get(place + 1) {
            None if *closed => order.first(),
            next => next,
        };
        let taken: FxHashSet<[usize; 2]> =
            (0..order.len()).filter_map(|place| Some([order[place], *next(place)?])).collect();
        for (arc, literal) in &self.arcs {
            set(*literal, taken.contains(arc).into());
        }
    }
}

/// A row for each value of a stop, a column for each value of the next one.
pub(super) type CostMatrix = Vec<Vec<i64>>;

impl PermutedVariables {
    pub(super) fn of(problem: &Problem) -> Self {
        let mut permutations = PermutedVariables { of: FxHashMap::default(), sizes: Vec::new() };
        for constraint in problem.constraints() {
            let BoolNode::Global(Global::AllDifferent(all)) = problem.bool_node(constraint.node().0) else { continue };
            let values = all.terms.first().map(|term| problem.values(*term));
            let is_stop =
                |term: &Int| problem.is_variable(Variable::Int(*term)) && Some(problem.values(*term)) == values;
            if !constraint.node().1
                && (3..=TOUR_VALUES).contains(&all.terms.len())
                && values.and_then(IntSet::size) == Some(all.terms.len() as u128)
                && all.terms.iter().all(is_stop)
            {
                permutations.of.extend(all.terms.iter().map(|term| (*term, permutations.sizes.len())));
                permutations.sizes.push(all.terms.len());
            }
        }
        permutations
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }
}

impl Translation<'_> {
    /// Returns the sum of the terms if it contains tours.
    pub(super) fn tour(
        &mut self,
        terms: &[(i64, Int)],
        constant: i64,
    ) -> Result<Option<LinearExpression>, Untranslatable> {
        let found = self.tours_in(terms);
        found.map(|tours| self.length(tours, constant)).transpose()
    }

    /// Returns a constant and the tours in a sum as a sum over the arcs of circuits.
    pub(super) fn length(&mut self, tours: ToursInSum, constant: i64) -> Result<LinearExpression, Untranslatable> {
        let ToursInSum { tours, constant: more, others } = tours;
        let mut sum = SumBuilder::new(constant);
        sum.add(1, &of_constant(more));
        for (factor, term) in &others {
            sum.add(*factor, &self.affine(*term)?);
        }
        for tour in tours {
            self.circuit(tour, &mut sum)?;
        }
        sum.finish()
    }

    /// Finds tours in a sum. Round trips in permutations come first, because they need no residuals.
    pub(super) fn tours_in(&mut self, terms: &[(i64, Int)]) -> Option<ToursInSum> {
        let round_trip = Finder::find(self.problem, &self.permutations, terms);
        round_trip.or_else(|| path::find_paths(self.problem, &self.sequences, terms, &mut self.steps))
    }

    /// Returns a literal that is equivalent to the conjunction; `None` if both terms are always true.
    fn both(&mut self, [left, right]: [Bool; 2]) -> Result<Option<i32>, Untranslatable> {
        Ok(match [left, right] {
            [Bool::TRUE, Bool::TRUE] => None,
            [term, Bool::TRUE] | [Bool::TRUE, term] => Some(self.equivalent(term)?),
            _ => {
                let [left, right] = [self.equivalent(left)?, self.equivalent(right)?];
                let both = self.new_literal()?;
                let all = BoolArgument { literals: vec![left, right] };
                self.require(ConstraintKind::BoolAnd(all), &[both])?;
                let any = BoolArgument { literals: vec![both, not(left), not(right)] };
                self.require(ConstraintKind::BoolOr(any), &[])?;
                Some(both)
            }
        })
    }

    /// Adds the circuit of a tour, and the costs of its arcs to a sum. The depot of an open tour is node 0.
    fn circuit(&mut self, tour: TourSum, sum: &mut SumBuilder) -> Result<(), Untranslatable> {
        let TourStops { at, reached, own } = self.stops(&tour)?;
        let count = tour.stops.len();
        let takes_all = tour.values.len() == count && reached.iter().all(Option::is_none);
        let depot = i32::from(!tour.closed);
        let mut circuit = Circuit::default();
        let (places, left_out) = self.places(&at, count, takes_all)?;
        for (value, literal) in (depot..).zip(&left_out) {
            circuit.add_arc(value, value, *literal);
        }
        let mut arcs = FxHashMap::default();
        for (from, costs) in tour.costs.iter().enumerate() {
            for (to, cost) in costs.iter().enumerate().filter(|(to, _)| *to != from) {
                let literal = self.new_literal()?;
                arcs.insert([from, to], literal);
                circuit.add_arc(from as i32 + depot, to as i32 + depot, literal);
                sum.add(*cost, &of_literal(literal));
                sum.add(tour.visits[to], &of_literal(literal));
                // The positions force the circuit to follow the order of the variables, and exclude subtours from the
                // relaxation.
                let mut step = SumBuilder::new(0);
                step.add(1, &of_variable(places[to]));
                step.add(-1, &of_variable(places[from]));
                // In a closed tour, the arc back to the first stop must not increase the position.
                let enforced_by = if tour.closed { vec![literal, not(at[to][0])] } else { vec![literal] };
                self.require_in(step.finish()?, &[(1, 1)], &enforced_by)?;
            }
        }
        let mut last = Vec::new();
        if !tour.closed {
            // If a tour may be shorter than the sequence, its last value needs literals.
            let reaches_all = reached.last().is_none_or(Option::is_none);
            for (value, literals) in at.iter().enumerate() {
                let ends = match reaches_all {
                    true => literals[count - 1],
                    false => {
                        last.push(self.new_literal()?);
                        last[value]
                    }
                };
                circuit.add_arc(0, value as i32 + depot, literals[0]);
                circuit.add_arc(value as i32 + depot, 0, ends);
                sum.add(tour.ends[0][value], &of_literal(literals[0]));
                sum.add(tour.visits[value], &of_literal(literals[0]));
                sum.add(tour.ends[1][value], &of_literal(ends));
            }
            if let Some(first) = reached[0] {
                circuit.add_arc(0, 0, not(first));
                sum.add(tour.empty, &of_literal(not(first)));
            }
        }
        self.tours.push(TourVariables { tour, reached: own, at, left_out, last, places, arcs });
        self.require(ConstraintKind::Circuit(circuit), &[])
    }

    /// Makes the literals of the stops of a tour.
    fn stops(&mut self, tour: &TourSum) -> Result<TourStops, Untranslatable> {
        let count = tour.stops.len();
        let mut at: Vec<Vec<i32>> = vec![Vec::with_capacity(count); tour.values.len()];
        let (mut reached, mut own) = (Vec::with_capacity(count), Vec::new());
        for (stop, is_reached) in tour.stops.iter().zip(&tour.reached) {
            let variable = self.affine(*stop)?;
            let conditions = [*is_reached, tour.exists];
            let is_reached = self.both(conditions)?;
            if let Some(literal) = is_reached.filter(|_| !conditions.contains(&Bool::TRUE)) {
                own.push((reached.len(), literal));
            }
            let mut once = SumBuilder::new(0);
            for (value, literals) in tour.values.iter().zip(&mut at) {
                let here = self.new_literal()?;
                self.require_in(variable.clone(), &[(*value, *value)], &[here])?;
                // If a stop may be missing, it has one of the values only if it is reached.
                match is_reached {
                    None => self.require_in(variable.clone(), &IntSet::single(*value).gaps(), &[not(here)])?,
                    Some(_) => once.add(1, &of_literal(here)),
                }
                literals.push(here);
            }
            if let Some(literal) = is_reached {
                self.require_equal(&once.finish()?, &of_literal(literal), &[])?;
            }
            reached.push(is_reached);
        }
        Ok(TourStops { at, reached, own })
    }

    /// Makes a variable for the position of each value in the tour, and a literal of "the value is left out" if a tour
    /// need not have all values.
    fn places(
        &mut self,
        at: &[Vec<i32>],
        count: usize,
        takes_all: bool,
    ) -> Result<(Vec<i32>, Vec<i32>), Untranslatable> {
        let (mut places, mut left_out) = (Vec::new(), Vec::new());
        for literals in at {
            let place = self.new_variable(vec![0, count as i64 - 1])?;
            places.push(place);
            let (mut position, mut once) = (SumBuilder::new(0), SumBuilder::new(0));
            for (stop, literal) in (0..).zip(literals) {
                position.add(stop, &of_literal(*literal));
                once.add(1, &of_literal(*literal));
            }
            if !takes_all {
                let literal = self.new_literal()?;
                once.add(1, &of_literal(literal));
                left_out.push(literal);
            }
            self.require_equal(&position.finish()?, &of_variable(place), &[])?;
            self.require_in(once.finish()?, &[(1, 1)], &[])?;
        }
        Ok((places, left_out))
    }
}

/// The literals of the stops of a tour.
struct TourStops {
    /// For each value, the literals of "the value is at this stop".
    at: Vec<Vec<i32>>,
    /// For each stop, the literal of "the stop is reached"; `None` if that is certain.
    reached: Vec<Option<i32>>,
    /// The literals of reached stops that represent no term of the problem.
    own: Vec<(usize, i32)>,
}

impl Circuit {
    fn add_arc(&mut self, tail: i32, head: i32, literal: i32) {
        self.tails.push(tail);
        self.heads.push(head);
        self.literals.push(literal);
    }
}

/// The search for a tour in a sum.
struct Finder<'p> {
    problem: &'p Problem,
    permutations: &'p PermutedVariables,
    values: Vec<i64>,
    steps: usize,
}

impl<'p> Finder<'p> {
    fn find(problem: &'p Problem, permutations: &'p PermutedVariables, terms: &[(i64, Int)]) -> Option<ToursInSum> {
        if permutations.is_empty() || terms.len() < 2 {
            return None;
        }
        // The addends by the stops that they depend on.
        let mut by_stops: FxHashMap<Vec<Int>, Vec<(i64, Int)>> = FxHashMap::default();
        for (factor, term) in terms {
            let stops = stops(problem, permutations, *term).unwrap_or_default();
            by_stops.entry(stops).or_default().push((*factor, *term));
        }
        // The order of a hash map varies, so the smallest candidate is taken.
        let (permutation, ..) =
            by_stops.keys().filter(|stops| stops.len() == 2).map(|stops| (permutations.of[&stops[0]], stops)).min()?;
        let mut next: FxHashMap<Int, Vec<Int>> = FxHashMap::default();
        for stops in by_stops.keys().filter(|stops| stops.len() == 2 && permutations.of[&stops[0]] == permutation) {
            next.entry(stops[0]).or_default().push(stops[1]);
            next.entry(stops[1]).or_default().push(stops[0]);
        }
        // The pairs of stops must form one path or cycle through all variables of the permutation.
        let (stops, closed) = path(&mut next, permutations.sizes[permutation])?;
        let values: Vec<i64> = problem.values(stops[0]).iter().collect();
        let mut finder = Finder { problem, permutations, values, steps: 0 };
        let mut pairs: Vec<[Int; 2]> = stops.windows(2).map(|two| [two[0], two[1]]).collect();
        if closed {
            pairs.push([stops[stops.len() - 1], stops[0]]);
        }
        // The costs must be the same between all neighbours.
        let mut costs: Option<CostMatrix> = None;
        for pair in pairs {
            let mut key = pair.to_vec();
            key.sort_unstable();
            let addends = by_stops.remove(&key)?;
            let here = finder.costs(pair, &addends)?;
            if costs.get_or_insert_with(|| here.clone()) != &here {
                return None;
            }
        }
        let mut ends = [vec![0; finder.values.len()], vec![0; finder.values.len()]];
        if !closed {
            for (end, stop) in ends.iter_mut().zip([stops[0], stops[stops.len() - 1]]) {
                if let Some(addends) = by_stops.remove(&vec![stop]) {
                    *end = finder.end_costs(stop, &addends)?;
                }
            }
        }
        let others = by_stops.into_values().flatten().collect();
        let tour = TourSum {
            reached: vec![Bool::TRUE; stops.len()],
            exists: Bool::TRUE,
            visits: vec![0; finder.values.len()],
            empty: 0,
            values: finder.values,
            stops,
            closed,
            costs: costs?,
            ends,
        };
        Some(ToursInSum { tours: vec![tour], constant: 0, others })
    }

    /// Returns the costs of each pair of values of two stops.
    fn costs(&mut self, [left, right]: [Int; 2], addends: &[(i64, Int)]) -> Option<CostMatrix> {
        let count = self.values.len();
        let mut costs = vec![vec![0i64; count]; count];
        for (factor, term) in addends {
            let value = self.numbers([left, right], *term)?;
            for (row, one) in costs.iter_mut().enumerate() {
                for (column, cost) in one.iter_mut().enumerate().filter(|(column, _)| *column != row) {
                    *cost = cost.checked_add(factor.checked_mul(value(row, column))?)?;
                }
            }
        }
        Some(costs)
    }

    /// Returns the value of a term as a function of the positions of the values of two stops.
    fn numbers(&mut self, [left, right]: [Int; 2], term: Int) -> Option<impl Fn(usize, usize) -> i64> {
        let problem = self.problem;
        let entries = match problem.int_node(term) {
            IntNode::Choice(alternatives) => problem.entries_of_choice(alternatives),
            _ => None,
        };
        // If a part depends on one stop, it is evaluated only once for each value of that stop.
        let (mut parts, mut visits) = (Vec::new(), 0);
        problem.visit(entries.is_none().then_some(Variable::Int(term)), |part| {
            visits += 1;
            if let Variable::Int(part) = part
                && let Some([stop]) = stops(problem, self.permutations, part).as_deref()
            {
                parts.push((part, *stop == left, self.along(*stop, part)));
                return false;
            }
            true
        });
        self.steps += self.values.len().pow(2) * visits.max(1);
        let values = self.values.clone();
        (self.steps <= TOUR_STEPS).then_some(move |row: usize, column: usize| match &entries {
            Some(entries) if entries.indices == [left, right] => entries.number([values[row], values[column]]),
            Some(entries) => entries.number([values[column], values[row]]),
            None => {
                let mut assignment = Assignment::default();
                assignment.set_int(left, values[row]);
                assignment.set_int(right, values[column]);
                for (part, of_left, numbers) in &parts {
                    assignment.suppose(*part, numbers[if *of_left { row } else { column }]);
                }
                problem.int_value(term, &assignment)
            }
        })
    }

    /// Returns the values of a term that depends on one stop, for each value of the stop.
    fn along(&self, stop: Int, term: Int) -> Vec<i64> {
        let value = |value: &i64| {
            let mut assignment = Assignment::default();
            assignment.set_int(stop, *value);
            self.problem.int_value(term, &assignment)
        };
        self.values.iter().map(value).collect()
    }

    fn end_costs(&self, stop: Int, addends: &[(i64, Int)]) -> Option<Vec<i64>> {
        let mut costs = vec![0i64; self.values.len()];
        for (factor, term) in addends {
            for (cost, number) in costs.iter_mut().zip(self.along(stop, *term)) {
                *cost = cost.checked_add(factor.checked_mul(number)?)?;
            }
        }
        Some(costs)
    }
}

/// Returns the one or two stops, of the same permutation, that a term depends on; `None` if it depends on more.
fn stops(problem: &Problem, permutations: &PermutedVariables, term: Int) -> Option<Vec<Int>> {
    let (mut stops, mut others) = (Vec::new(), false);
    problem.visit([Variable::Int(term)], |part| {
        match part {
            Variable::Int(stop) if permutations.of.contains_key(&stop) => stops.push(stop),
            _ => others |= problem.is_variable(part),
        }
        !others && stops.len() <= 2
    });
    if others || stops.len() > 2 {
        return None;
    }
    stops.sort_unstable();
    let permutation = permutations.of.get(stops.first()?);
    stops.iter().all(|stop| permutations.of.get(stop) == permutation).then_some(stops)
}

/// Returns the stops in an order in which neighbours are adjacent, and true if the first and the last one are
/// neighbours; `None` if there is no such order.
fn path(next: &mut FxHashMap<Int, Vec<Int>>, count: usize) -> Option<(Vec<Int>, bool)> {
    if next.len() != count || next.values().any(|neighbours| neighbours.len() > 2) {
        return None;
    }
    next.values_mut().for_each(|neighbours| neighbours.sort_unstable());
    // Starting at the smallest end or stop makes the direction the same in each run.
    let ends = next.iter().filter(|(_, neighbours)| neighbours.len() == 1).map(|(stop, _)| *stop).min();
    let start = ends.or_else(|| next.keys().copied().min())?;
    let (mut path, mut last) = (vec![start], None);
    loop {
        let at = path[path.len() - 1];
        match next[&at].iter().find(|neighbour| Some(**neighbour) != last) {
            Some(neighbour) if *neighbour == start => break,
            Some(neighbour) => {
                path.push(*neighbour);
                last = Some(at);
            }
            None => break,
        }
    }
    (path.len() == count).then_some((path, ends.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{
        EngineOptions, Solver,
        test_problems::{Legs, random_path, random_tour, random_tour_with},
    };

    /// The constraints over many variables in the model of a problem with an objective.
    fn globals(problem: &Problem) -> Vec<(&'static str, u64)> {
        crate::solver::cpsat::recognised_constraints(problem, &EngineOptions::default()).expect("a small problem")
    }

    #[test]
    fn tours_become_circuits() {
        for (seed, (problem, _)) in (0..20).flat_map(|seed| [(seed, random_tour(seed)), (seed, random_path(seed))]) {
            assert!(globals(&problem).contains(&("circuits", 1)), "seed {seed}\n{problem}");
        }
    }

    #[test]
    fn the_model_of_a_tour_is_the_same_if_its_legs_are_decisions() {
        for seed in 0..20 {
            let inline = globals(&random_tour(seed).0.simplify().problem);
            let with = |legs| globals(&random_tour_with(seed, legs).0.simplify().problem);
            assert_eq!(with(Legs::Decisions), inline, "seed {seed}");
            assert!(with(Legs::Used).contains(&("circuits", 1)), "seed {seed}");
        }
    }

    /// CP-SAT starts with a hint only if it is complete, so a hint gives the variables of a tour their values.
    #[test]
    fn hints_describe_tours() {
        for (seed, (problem, _)) in (0..20).flat_map(|seed| [(seed, random_tour(seed)), (seed, random_path(seed))]) {
            let options = EngineOptions::default();
            let Ok(mut translation) = Translation::new(&problem, &options) else { panic!("a small problem") };
            for term in &problem.objective().expect("a cost").terms {
                assert!(translation.sum(*term).is_ok());
            }
            let mut assignment = None;
            let mut solver = crate::solver::batsat::BatSat::default();
            let _ = solver.solve(&problem, &options, &mut |found| {
                assignment = Some(found.clone());
                std::ops::ControlFlow::Break(())
            });
            let hint = translation.hint(&assignment.expect("a tour"));
            assert_eq!(hint.vars.iter().collect::<FxHashSet<_>>().len(), hint.vars.len(), "a variable has two values");
            let hinted: FxHashMap<i32, i64> = hint.vars.iter().copied().zip(hint.values.iter().copied()).collect();
            let arcs = translation.model.constraints.iter().find_map(|constraint| match &constraint.kind {
                Some(ConstraintKind::Circuit(circuit)) => Some(circuit.clone()),
                _ => None,
            });
            let Circuit { tails, heads, literals } = arcs.expect("a circuit");
            // Each node has exactly one incoming and one outgoing arc.
            for ends in [tails, heads] {
                let is_true =
                    |literal: i32| if literal < 0 { hinted[&not(literal)] == 0 } else { hinted[&literal] == 1 };
                let taken = ends.iter().zip(&literals).filter(|(_, literal)| is_true(**literal));
                let mut taken: Vec<i32> = taken.map(|(end, _)| *end).collect();
                taken.sort_unstable();
                let mut nodes = ends.clone();
                nodes.sort_unstable();
                nodes.dedup();
                assert_eq!(taken, nodes, "seed {seed}");
            }
        }
    }
}
