//! Simplification: a smaller problem with the same solutions, before any solver sees it.
//!
//! Several analyses examine a problem: [`root_propagation`] finds values that variables cannot take, and conditions
//! that hold or do not; [`aliases`] finds variables that are equal to others; [`cliques`] finds constraints that are
//! better joined; [`occurrences`] finds sums that several constraints imply. [`rebuild`] then rebuilds the problem with
//! the results. Construction folds constants, normalises terms and shares equal ones, and builds only terms that are
//! needed; so constant folding, common subexpressions and dead terms need no passes.
//!
//! The decisions keep their values: each solution of the simplified problem is a solution of the given problem and vice
//! versa, see [`Simplified::restore`].
//!
//! You may add analyses. All engines rely on this phase: no engine can find a solution that it loses
//! (`simplify/tests.rs` compares with all assignments of the given problem).

mod aliases;
mod cliques;
mod definitions;
mod functions;
mod linear;
mod occurrences;
mod rebuild;
mod root_propagation;
#[cfg(feature = "cpsat")]
mod seen_through;

#[cfg(test)]
mod tests;

use crate::problem::tuning::simplify::ROUNDS;
pub(crate) use root_propagation::RootPropagation;
#[cfg(feature = "cpsat")]
pub(crate) use seen_through::{DefinedSum, SeenThrough};

use super::*;
use aliases::Aliases;
use cliques::Cliques;
use definitions::Definitions;
use std::sync::Arc;

/// A simplified problem, and the images of the variables of the given one.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The problem, shared with the engines that solve it.
    pub problem: Arc<Problem>,
    /// The variables of the given problem that the constraints or the decisions need, with their images.
    variables: Vec<(Variable, Variable)>,
}

impl Problem {
    /// Returns the problem as it is, as a [`Simplified`].
    pub fn unsimplified(&self) -> Simplified {
        rebuild::unchanged(self)
    }

    /// Simplifies the problem in time linear in its size.
    pub fn simplify(&self) -> Simplified {
        let mut simplified = round(self);
        for _ in 1..ROUNDS {
            if !simplified.1 {
                break;
            }
            let next = round(&simplified.0.problem);
            simplified = (simplified.0.then(next.0), next.1);
        }
        simplified.0
    }

    /// Returns the problem without the variables of these groups that its constraints define, as far as a whole group
    /// can be removed; `None` if there are none. For `Σ … = x`, the sum replaces `x`.
    pub fn without_defined(&self, groups: &[Vec<Variable>]) -> Option<Simplified> {
        let root = RootPropagation::of(self)?;
        let definitions = definitions::find_definitions(self, &root, groups);
        if definitions.is_empty() {
            return None;
        }
        let rebuilt = rebuild::rebuild(self, &root, &Aliases::default(), Cliques::default(), &[], &definitions);
        rebuilt.map(|(simplified, _)| simplified)
    }

    /// Returns the number of global cardinality constraints whose counts are decision variables.
    pub fn cardinalities(&self) -> usize {
        RootPropagation::of(self).map_or(0, |root| occurrences::cardinalities(self, &root).len())
    }
}

/// Runs one round; returns true if another one may find more.
fn round(problem: &Problem) -> (Simplified, bool) {
    let Some(root) = RootPropagation::of(problem) else { return (rebuild::unsatisfiable(), false) };
    let aliases = aliases::find_aliases(problem, &root);
    let cliques = cliques::find_cliques(problem, &root);
    let sums = occurrences::find_implied_sums(problem, &root);
    let more = !aliases.is_empty() || !cliques.is_empty() || root.narrowed().next().is_some();
    match rebuild::rebuild(problem, &root, &aliases, cliques, &sums, &Definitions::default()) {
        Some((simplified, has_new_sums)) => (simplified, more || has_new_sums),
        // If normal forms would exceed the range of integers, the problem stays as it is.
        None => (rebuild::unchanged(problem), false),
    }
}

impl Simplified {
    /// Returns the assignment of the given problem for an assignment of the simplified one.
    pub fn restore(&self, assignment: &Assignment) -> Assignment {
        let mut restored = Assignment::default();
        for (variable, image) in &self.variables {
            match (*variable, *image) {
                (Variable::Bool(variable), Variable::Bool(image)) => {
                    restored.set_bool(variable.node().0, self.problem.bool_value(image, assignment));
                }
                (Variable::Int(variable), Variable::Int(image)) => {
                    restored.set_int(variable, self.problem.int_value(image, assignment));
                }
                _ => {}
            }
        }
        restored
    }

    /// Returns true if simplification has shown that there is no solution; the images of variables are then missing.
    pub fn is_refuted(&self) -> bool {
        self.problem.constraints().contains(&Bool::FALSE)
    }

    /// Returns the images of the variables of the given problem.
    pub fn images(&self) -> FxHashMap<Variable, Variable> {
        self.variables.iter().copied().collect()
    }

    /// Composes two simplifications; returns only the first one if the images of variables would be too large.
    fn then(self, next: Simplified) -> Simplified {
        let bools: FxHashMap<BoolId, Bool> = next
            .variables
            .iter()
            .filter_map(|(variable, image)| match (*variable, *image) {
                (Variable::Bool(variable), Variable::Bool(image)) => Some((variable.node().0, image)),
                _ => None,
            })
            .collect();
        let ints: FxHashMap<Int, Int> = next
            .variables
            .iter()
            .filter_map(|(variable, image)| match (*variable, *image) {
                (Variable::Int(variable), Variable::Int(image)) => Some((variable, image)),
                _ => None,
            })
            .collect();
        let mut problem = Builder::from(Arc::unwrap_or_clone(next.problem));
        let mut variables = Vec::with_capacity(self.variables.len());
        for &(variable, image) in &self.variables {
            // A variable that is no longer needed may have any of its values.
            let image = match image {
                Variable::Bool(image) => {
                    let (id, negated) = image.node();
                    let moved = if image.constant().is_some() { Some(&Bool::TRUE) } else { bools.get(&id) };
                    let moved = moved.copied().unwrap_or(Bool::FALSE);
                    Variable::Bool(if negated { !moved } else { moved })
                }
                Variable::Int(image) => {
                    let moved = |problem: &mut Builder, term: Int| match ints.get(&term) {
                        Some(moved) => *moved,
                        None => problem.constant(self.problem.bounds(term).0),
                    };
                    Variable::Int(match self.problem.int_node(image) {
                        // The image may be a view of another variable.
                        IntNode::Linear(terms, constant) => {
                            let terms: Vec<(i64, Int)> =
                                terms.iter().map(|(factor, term)| (*factor, moved(&mut problem, *term))).collect();
                            problem.linear(terms, *constant)
                        }
                        _ => moved(&mut problem, image),
                    })
                }
            };
            variables.push((variable, image));
        }
        match problem.finish() {
            Ok(problem) => Simplified { problem: problem.into(), variables },
            Err(_) => self,
        }
    }
}
