//! Terms seen through the variables that constraints define, for engines that recognise a sum by its terms.

use super::{
    definitions::{CandidateDefinition, Definitions, Substitute, find_definitions},
    *,
};
use crate::problem::tuning::simplify::MOST_ADDENDS;
use std::iter;

impl Problem {
    /// Returns the sum that a term equals in every solution, seen through the variables that constraints define: for
    /// `cost = Σ leg` and `leg = distance[…]`, the sum of the distances. `None` if nothing defines the term.
    pub(crate) fn seen_through(&self, term: Int) -> Option<SeenThrough> {
        let root = RootPropagation::of(self)?;
        // If a constraint could define several variables, the first one gets it, so the term comes first.
        let variables = self.variables().filter(|variable| matches!(variable, Variable::Int(_)));
        let groups: Vec<Vec<Variable>> =
            iter::once(Variable::Int(term)).chain(variables).map(|one| vec![one]).collect();
        find_definitions(self, &root, &groups).seen_through(self, term)
    }
}

impl Definitions {
    /// Returns a term as a sum in which sums replace the variables that they define; `None` if there are none, or if
    /// the sum becomes too large.
    fn seen_through(self, problem: &Problem, root: Int) -> Option<SeenThrough> {
        let mut sums: Vec<DefinedSum> = Vec::new();
        for (variable, CandidateDefinition { substitute, constraints }) in self.ordered {
            if let (Variable::Int(variable), Substitute::Sum(terms, constant), [constraint]) =
                (variable, substitute, &constraints[..])
            {
                sums.push(DefinedSum { variable, terms, constant, constraint: *constraint });
            }
        }
        let place: FxHashMap<Int, usize> = sums.iter().enumerate().map(|(place, sum)| (sum.variable, place)).collect();
        let (mut sum, mut constant, mut is_replaced) = (Vec::new(), 0_i64, FxHashSet::default());
        let mut open = vec![(1_i64, root)];
        // Sums that share variables may be expanded many times, so the number of steps is limited.
        for _ in 0..MOST_ADDENDS {
            let Some((factor, term)) = open.pop() else {
                sums.retain(|sum| is_replaced.contains(&sum.variable));
                let private = private_sums(problem, root, sums);
                return (!is_replaced.is_empty()).then_some(SeenThrough { terms: sum, constant, private });
            };
            let (terms, more) = match (place.get(&term), problem.int_node(term)) {
                (Some(place), _) => {
                    is_replaced.insert(term);
                    (&sums[*place].terms[..], sums[*place].constant)
                }
                (None, IntNode::Linear(terms, more)) => (&**terms, *more),
                (None, _) => {
                    sum.push((factor, term));
                    continue;
                }
            };
            constant = constant.checked_add(more.checked_mul(factor)?)?;
            for (own, term) in terms {
                open.push((own.checked_mul(factor)?, *term));
            }
        }
        None
    }
}

/// A term as a sum, seen through the variables that constraints define.
pub(crate) struct SeenThrough {
    pub terms: Vec<(i64, Int)>,
    pub constant: i64,
    /// The replaced variables that nothing else uses, with their definitions; each comes after the variables that its
    /// definition uses.
    pub private: Vec<DefinedSum>,
}

/// `variable = Σ coefficient · term + constant`
pub(crate) struct DefinedSum {
    pub variable: Int,
    pub terms: Vec<(i64, Int)>,
    pub constant: i64,
    /// The constraint that states the definition.
    pub constraint: BoolId,
}

/// Returns the definitions of the variables that occur only in returned definitions and in a term of the objective.
/// Their domains contain all values of their definitions.
fn private_sums(problem: &Problem, term: Int, mut sums: Vec<DefinedSum>) -> Vec<DefinedSum> {
    let mut required: FxHashSet<BoolId> = FxHashSet::default();
    required.extend(problem.constraints().iter().filter(|term| !term.node().1).map(|term| term.node().0));
    // If the domain excludes some values of the sum, it is a constraint, which must not be lost with the variable.
    sums.retain(|DefinedSum { variable, terms, constant, constraint }| {
        required.contains(constraint)
            && sum_values(problem, terms, *constant).is_some_and(|all| all.is_subset(problem.values(*variable)))
    });
    let objective = problem.objective().into_iter().flat_map(|objective| &objective.terms);
    let objective: Vec<Variable> = objective.filter(|other| **other != term).map(|term| Variable::Int(*term)).collect();
    // If a definition stays, the variables in it are used, so more definitions may have to stay.
    loop {
        let covered: FxHashSet<BoolId> = sums.iter().map(|sum| sum.constraint).collect();
        let others = problem.constraints().iter().chain(problem.symmetry_breaking()).copied();
        let others = others.filter(|term| !covered.contains(&term.node().0)).map(Variable::Bool);
        let mut used = FxHashSet::default();
        problem.visit(others.chain(objective.iter().copied()), |term| {
            used.insert(term);
            true
        });
        let before = sums.len();
        sums.retain(|sum| !used.contains(&Variable::Int(sum.variable)));
        if sums.len() == before {
            return sums;
        }
    }
}

/// Returns the values of a sum, of which only the first and the last one are known if it has several terms.
fn sum_values(problem: &Problem, terms: &[(i64, Int)], constant: i64) -> Option<IntSet> {
    if let ([(1, term)], 0) = (terms, constant) {
        return Some(problem.values(*term).clone());
    }
    let (mut low, mut high) = (constant, constant);
    for (factor, term) in terms {
        let values = problem.values(*term);
        let ends = [values.min()?.checked_mul(*factor)?, values.max()?.checked_mul(*factor)?];
        low = low.checked_add(ends[0].min(ends[1]))?;
        high = high.checked_add(ends[0].max(ends[1]))?;
    }
    Some(IntSet::range(low, high))
}
