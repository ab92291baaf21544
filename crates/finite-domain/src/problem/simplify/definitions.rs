//! Variables that constraints define, such as `cost` in `cost = Σ …`, `open` in `open <-> …`, and the minimised
//! makespan in `makespan >= end` for each `end`. Their definitions can replace them; their domains stay.
//!
//! An engine may gain or lose by that: a variable for a long sum has a single encoding for all its uses. Local search
//! only gains, because otherwise no change of a single variable satisfies the equation.

use super::*;
use crate::problem::tuning::simplify::{ALLOWANCE, MOST_WORK};

/// The term that replaces a variable.
#[derive(Clone, Debug)]
pub(super) enum Substitute {
    /// `Σ coefficient · term + constant`
    Sum(Vec<(i64, Int)>, i64),
    /// The smallest or the largest of some sums and a constant.
    Extreme(Extreme, Vec<(Vec<(i64, Int)>, i64)>, i64),
    Condition(Bool),
}

/// Definitions without a cycle.
#[derive(Default)]
pub(super) struct Definitions {
    /// The variables with their definitions; each variable comes after those that its definition uses.
    pub ordered: Vec<(Variable, CandidateDefinition)>,
    /// The constraints that the definitions make redundant.
    pub covered: FxHashSet<BoolId>,
}

/// The definition of a variable, and the constraints that it makes redundant.
pub(super) struct CandidateDefinition {
    pub substitute: Substitute,
    pub constraints: Vec<BoolId>,
}

/// Finds definitions of the variables of some groups. A group is defined as a whole or not at all; earlier groups come
/// first.
pub(super) fn find_definitions(problem: &Problem, root: &RootPropagation, groups: &[Vec<Variable>]) -> Definitions {
    let wanted: FxHashSet<Variable> = groups.iter().flatten().copied().collect();
    let mut candidates = candidates(problem, root, &wanted);
    let mut covered: FxHashSet<BoolId> = FxHashSet::default();
    let mut chosen: FxHashMap<Variable, (usize, CandidateDefinition)> = FxHashMap::default();
    let mut constraints_of: Vec<Vec<BoolId>> = vec![Vec::new(); groups.len()];
    for (position, group) in groups.iter().enumerate() {
        let mut taken: FxHashSet<BoolId> = FxHashSet::default();
        let mut definitions = Vec::new();
        let is_defined = group.iter().all(|variable| {
            if chosen.contains_key(variable) || is_known(root, *variable) {
                return true;
            }
            // Each constraint can define only one variable.
            let free = |candidate: &CandidateDefinition| {
                candidate
                    .constraints
                    .iter()
                    .all(|constraint| !covered.contains(constraint) && !taken.contains(constraint))
            };
            let Some(list) = candidates.get_mut(variable) else { return false };
            let Some(found) = list.iter().position(free) else { return false };
            let candidate = list.swap_remove(found);
            taken.extend(candidate.constraints.iter().copied());
            definitions.push((*variable, candidate));
            true
        });
        // If a part of the group remains undefined, its constraints stay available for other groups.
        if is_defined {
            covered.extend(taken.iter().copied());
            constraints_of[position] = taken.into_iter().collect();
            chosen.extend(definitions.into_iter().map(|(variable, definition)| (variable, (position, definition))));
        }
    }
    let (ordered, dropped) = without_cycles(problem, &mut chosen);
    for position in dropped {
        for constraint in &constraints_of[position] {
            covered.remove(constraint);
        }
    }
    Definitions { ordered, covered }
}

impl Definitions {
    pub(super) fn is_empty(&self) -> bool {
        self.ordered.is_empty()
    }

    pub(super) fn variables(&self) -> FxHashSet<Variable> {
        self.ordered.iter().map(|(variable, _)| *variable).collect()
    }
}

impl Substitute {
    /// Visits the operands of the definition.
    pub(super) fn operands(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Substitute::Sum(terms, _) => terms.iter().for_each(|(_, term)| visit(Variable::Int(*term))),
            Substitute::Extreme(_, sums, _) => {
                sums.iter().flat_map(|(terms, _)| terms).for_each(|(_, term)| visit(Variable::Int(*term)));
            }
            Substitute::Condition(term) => visit(Variable::Bool(*term)),
        }
    }
}

fn is_known(root: &RootPropagation, variable: Variable) -> bool {
    match variable {
        Variable::Bool(term) => root.bool(term).is_some(),
        Variable::Int(term) => root.single(term).is_some(),
    }
}

fn candidates(
    problem: &Problem,
    root: &RootPropagation,
    wanted: &FxHashSet<Variable>,
) -> FxHashMap<Variable, Vec<CandidateDefinition>> {
    let mut candidates: FxHashMap<Variable, Vec<CandidateDefinition>> = FxHashMap::default();
    let mut add = |variable: Variable, substitute: Substitute, constraint: BoolId| {
        if wanted.contains(&variable) && !is_known(root, variable) {
            let constraints = vec![constraint];
            candidates.entry(variable).or_default().push(CandidateDefinition { substitute, constraints });
        }
    };
    for id in root.known_bools() {
        let holds = root.bool(id.positive()) == Some(true);
        match *problem.bool_node(id) {
            BoolNode::Equivalent(left, right) => {
                let other = |term: Bool| Substitute::Condition(if holds { term } else { !term });
                add(Variable::Bool(left), other(right), id);
                add(Variable::Bool(right), other(left), id);
            }
            BoolNode::Same(left, right) if holds => {
                add(Variable::Int(left), Substitute::Sum(vec![(1, right)], 0), id);
                add(Variable::Int(right), Substitute::Sum(vec![(1, left)], 0), id);
            }
            BoolNode::LinearEquals(ref terms, bound) if holds => {
                for (at, (factor, term)) in terms.iter().enumerate() {
                    if factor.abs() == 1
                        && wanted.contains(&Variable::Int(*term))
                        && let Some((others, constant)) = solved_for(terms, at, bound)
                    {
                        add(Variable::Int(*term), Substitute::Sum(others, constant), id);
                    }
                }
            }
            _ => {}
        }
    }
    if let Some((variable, candidate)) = extreme(problem, root).filter(|(variable, _)| wanted.contains(variable)) {
        candidates.entry(variable).or_default().push(candidate);
    }
    candidates
}

/// Solves `Σ coefficient · term = bound` for a term with the coefficient 1 or −1.
fn solved_for(terms: &[(i64, Int)], at: usize, bound: i64) -> Option<(Vec<(i64, Int)>, i64)> {
    let sign = terms[at].0;
    let others = terms.iter().enumerate().filter(|(position, _)| *position != at);
    let others = others.map(|(_, (factor, term))| Some((factor.checked_mul(-sign)?, *term)));
    Some((others.collect::<Option<_>>()?, bound.checked_mul(sign)?))
}

/// Finds a minimised variable that must only be at least some sums, or vice versa. Its best value is the largest of the
/// sums.
fn extreme(problem: &Problem, root: &RootPropagation) -> Option<(Variable, CandidateDefinition)> {
    let Objective { sense, terms } = problem.objective()?;
    let [objective] = **terms else { return None };
    let values = root.values(objective);
    // A hole in the domain is a further condition, which the extreme of the sums would ignore.
    if !problem.is_variable(Variable::Int(objective)) || values.ranges().len() != 1 {
        return None;
    }
    // If a variable is at least the other sums, it has the coefficient -1 in `Σ coefficient · term <= bound`.
    let (extreme, sign) = match sense {
        Sense::Minimise => (Extreme::Maximum, -1),
        Sense::Maximise => (Extreme::Minimum, 1),
    };
    let (bools, ints) = problem.needed();
    let is_operand = |term: Variable| {
        let mut found = false;
        problem.operands(term, &mut |operand| found |= operand == Variable::Int(objective));
        found
    };
    // If the variable is used elsewhere, values other than the best one may be needed.
    if problem.ints().zip(&ints).any(|(term, needed)| *needed && is_operand(Variable::Int(term))) {
        return None;
    }
    let (mut sums, mut constraints) = (Vec::new(), Vec::new());
    for id in (0..).zip(&bools).filter(|(_, needed)| **needed).map(|(id, _)| BoolId(id)) {
        if !is_operand(Variable::Bool(id.positive())) {
            continue;
        }
        // The variable may be used only in bounds by sums.
        let BoolNode::LinearAtMost(terms, bound) = problem.bool_node(id) else { return None };
        let at = terms.iter().position(|(factor, term)| *term == objective && *factor == sign)?;
        // A constraint that is part of another one does not always hold.
        if root.bool(id.positive()) != Some(true) {
            return None;
        }
        // `others - x <= bound` means `x >= others - bound`, and `x + others <= bound` means `x <= bound - others`.
        let (others, constant) = solved_for(terms, at, *bound)?;
        sums.push((others, constant));
        constraints.push(id);
    }
    // The domain bounds the variable like one more sum.
    let end = if *sense == Sense::Minimise { values.min()? } else { values.max()? };
    let substitute = Substitute::Extreme(extreme, sums, end);
    (!constraints.is_empty()).then_some((Variable::Int(objective), CandidateDefinition { substitute, constraints }))
}

/// Orders the chosen definitions so that each comes after those that it uses; also returns the groups that are left out
/// because their definitions form a cycle.
fn without_cycles(
    problem: &Problem,
    chosen: &mut FxHashMap<Variable, (usize, CandidateDefinition)>,
) -> (Vec<(Variable, CandidateDefinition)>, FxHashSet<usize>) {
    let mut dropped: FxHashSet<usize> = FxHashSet::default();
    let mut work = (problem.size() + ALLOWANCE) * MOST_WORK;
    let mut mentioned: FxHashMap<Variable, Vec<Variable>> = FxHashMap::default();
    let mut variables: Vec<(usize, Variable)> =
        chosen.iter().map(|(variable, (position, _))| (*position, *variable)).collect();
    // The order decides which group of a cycle is left out, so it must be fixed.
    variables.sort_unstable_by_key(|(group, variable)| (*group, position(problem, *variable)));
    for (position, variable) in &variables {
        // If the work is used up, the group may be part of a cycle, so it is left out.
        if work == 0 {
            dropped.insert(*position);
            mentioned.insert(*variable, Vec::new());
            continue;
        }
        let mut seen: FxHashSet<Variable> = FxHashSet::default();
        let mut open = Vec::new();
        chosen[variable].1.substitute.operands(&mut |operand| open.push(operand.positive()));
        let mut leaves = Vec::new();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match chosen.contains_key(&term) {
                true => leaves.push(term),
                false => problem.operands(term, &mut |operand| open.push(operand.positive())),
            }
        }
        // Definitions may share large operands, so their visits share one budget.
        work = work.saturating_sub(seen.len());
        mentioned.insert(*variable, leaves);
    }
    // In a depth-first search, an edge to a variable that is still being visited closes a cycle.
    let mut ordered: Vec<Variable> = Vec::new();
    let mut states: FxHashMap<Variable, bool> = FxHashMap::default();
    for (_, root) in &variables {
        let mut open = vec![(*root, false)];
        while let Some((variable, is_entered)) = open.pop() {
            if is_entered {
                states.insert(variable, true);
                ordered.push(variable);
                continue;
            }
            if states.contains_key(&variable) {
                continue;
            }
            states.insert(variable, false);
            open.push((variable, true));
            for next in &mentioned[&variable] {
                match states.get(next) {
                    // The edge closes a cycle. Leaving out the group of its end breaks this cycle; every other cycle
                    // has such an edge, too.
                    Some(false) => drop(dropped.insert(chosen[next].0)),
                    Some(true) => {}
                    None => open.push((*next, false)),
                }
            }
        }
    }
    let kept = ordered.into_iter().filter_map(|variable| {
        let (position, definition) = chosen.remove(&variable)?;
        (!dropped.contains(&position)).then_some((variable, definition))
    });
    (kept.collect(), dropped)
}

/// The position of a variable among the terms.
fn position(problem: &Problem, variable: Variable) -> usize {
    match variable {
        Variable::Bool(term) => term.node().0.0 as usize,
        Variable::Int(term) => problem.bool_count() + term.index(),
    }
}
