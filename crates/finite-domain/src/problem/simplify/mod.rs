//! A smaller problem with the same solutions, before any solver sees it.
//!
//! Two analyses look at a problem: [`root_propagation`] finds what must be true of its terms (values that variables
//! cannot take, conditions that hold or do not), [`aliases`] finds variables that are equal to others. [`cliques`]
//! finds constraints that are better said together, and [`occurrences`] sums that follow from several ones. [`rebuild`]
//! then builds the problem anew with what they found; as building folds constants, brings terms into normal form and
//! shares equal ones, and as nothing is built that is not needed, constant folding, common subexpressions and dead
//! terms are done there for all of them.
//!
//! The decisions keep their values: every solution of the simplified problem is one of the given problem and
//! the reverse, see [`Simplified::restore`].
//!
//! You may add analyses. All engines rely on this phase: a solution that it loses is lost for each of them
//! (`simplify/tests.rs` compares with all assignments of the given problem).

mod aliases;
mod cliques;
mod definitions;
mod functions;
mod linear;
mod occurrences;
mod rebuild;
mod root_propagation;

#[cfg(test)]
mod tests;

pub(crate) use root_propagation::RootPropagation;

use super::*;
use aliases::Aliases;
use cliques::Cliques;
use definitions::Definitions;
use std::sync::Arc;

/// Terms in a new form may show more known values, aliases and cliques; after this many rounds little is gained.
const ROUNDS: usize = 3;

/// A simplified problem, and what the variables of the given one have become.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// Shared with the engines that solve it.
    pub problem: Arc<Problem>,
    /// The variables of the given problem that the constraints or the decisions need.
    variables: Vec<(Variable, Variable)>,
}

impl Problem {
    /// The problem as it is, in the shape of a simplified one.
    pub fn unsimplified(&self) -> Simplified {
        rebuild::unchanged(self)
    }

    /// Takes time linear in the size of the problem.
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

    /// The problem without the variables that its constraints define, of the groups that can be left out as a whole;
    /// `None` if there are none. With `Σ … = x`, the sum replaces `x`.
    pub fn without_defined(&self, groups: &[Vec<Variable>]) -> Option<Simplified> {
        let root = RootPropagation::of(self)?;
        let definitions = definitions::find_definitions(self, &root, groups);
        if definitions.is_empty() {
            return None;
        }
        let rebuilt = rebuild::rebuild(self, &root, &Aliases::default(), Cliques::default(), &[], &definitions);
        rebuilt.map(|(simplified, _)| simplified)
    }

    /// How many times the constraints say how often each of some values occurs among some terms, if that is decided.
    pub fn cardinalities(&self) -> usize {
        RootPropagation::of(self).map_or(0, |root| occurrences::cardinalities(self, &root).len())
    }
}

/// One round, and whether another one may find more.
fn round(problem: &Problem) -> (Simplified, bool) {
    let Some(root) = RootPropagation::of(problem) else { return (rebuild::unsatisfiable(), false) };
    let aliases = aliases::find_aliases(problem, &root);
    let cliques = cliques::find_cliques(problem, &root);
    let sums = occurrences::find_implied_sums(problem, &root);
    let more = !aliases.is_empty() || !cliques.is_empty() || root.narrowed().next().is_some();
    match rebuild::rebuild(problem, &root, &aliases, cliques, &sums, &Definitions::default()) {
        Some((simplified, has_new_sums)) => (simplified, more || has_new_sums),
        // Normal forms would have left the range of integers.
        None => (rebuild::unchanged(problem), false),
    }
}

impl Simplified {
    /// The assignment of the given problem that an assignment of the simplified one means.
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

    /// Whether simplification has shown that there is no solution; then it does not say what becomes of the variables.
    pub fn is_refuted(&self) -> bool {
        self.problem.constraints().contains(&Bool::FALSE)
    }

    /// What the variables of the given problem have become.
    pub fn images(&self) -> FxHashMap<Variable, Variable> {
        self.variables.iter().copied().collect()
    }

    /// First this, then that; only this if the views of variables that have become others would be too large.
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
            // What nothing needs any longer may have any of its values.
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
                        // A view of another variable.
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
