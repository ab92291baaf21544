//! Whether a problem is small enough to be encoded by Booleans.

use super::*;

/// The most values of a term that needs a literal for each.
const MOST_VALUES: u128 = 5_000;

/// The most clauses for one operation.
const MOST_COMBINATIONS: u128 = 200_000;

/// The largest weight and bound of a pseudo-Boolean constraint.
const LARGEST_WEIGHT: i128 = i32::MAX as i128 / 2;

/// Whether every term of the problem that needs literals has few enough values.
pub fn fits(problem: &Problem) -> bool {
    (0..problem.bool_count() as u32).all(|id| match problem.bool_node(BoolId(id)) {
        BoolNode::Equals(term, _) | BoolNode::AtMost(term, _) => is_small(problem, *term),
        BoolNode::Same(left, right) => is_small(problem, *left) && is_small(problem, *right),
        BoolNode::LinearAtMost(terms, _) | BoolNode::LinearEquals(terms, _) => sum_fits(problem, terms),
        BoolNode::AllDifferent(terms) | BoolNode::Table(terms, _) => terms.iter().all(|term| is_small(problem, *term)),
        _ => true,
    }) && problem.ints().all(|term| match problem.int_node(term) {
        IntNode::Variable => is_small(problem, term),
        IntNode::Product(left, right)
        | IntNode::Quotient(left, right)
        | IntNode::Remainder(left, right)
        | IntNode::Power(left, right) => {
            is_small(problem, term)
                && values(problem, *left).saturating_mul(values(problem, *right)) <= MOST_COMBINATIONS
        }
        IntNode::Absolute(_) | IntNode::Minimum(_) | IntNode::Maximum(_) | IntNode::Choice(_) => {
            is_small(problem, term)
        }
        IntNode::Constant(_) | IntNode::FromBool(_) | IntNode::Linear(..) => true,
    }) && problem.objective().is_none_or(|(_, objective)| match problem.int_node(objective) {
        IntNode::Linear(terms, _) => sum_fits(problem, terms),
        _ => is_small(problem, objective),
    })
}

fn values(problem: &Problem, term: Int) -> u128 {
    problem.values(term).size().unwrap_or(u128::MAX)
}

fn is_small(problem: &Problem, term: Int) -> bool {
    values(problem, term) <= MOST_VALUES
        && match problem.int_node(term) {
            IntNode::Linear(terms, _) => sum_fits(problem, terms),
            _ => true,
        }
}

/// The weights of a sum over the bounds of its terms stay small.
fn sum_fits(problem: &Problem, terms: &[(i64, Int)]) -> bool {
    let total: i128 = terms
        .iter()
        .map(|(factor, term)| {
            let (low, high) = problem.bounds(*term);
            i128::from(*factor).abs().saturating_mul(i128::from(high) - i128::from(low))
        })
        .fold(0, i128::saturating_add);
    total <= LARGEST_WEIGHT && terms.iter().all(|(_, term)| values(problem, *term) <= MOST_VALUES)
}
