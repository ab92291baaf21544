//! Variables with domains, and constraints with scopes: a finite-domain problem as textbooks draw it. The command
//! `search` uses it to show how strategies work; answers to users come from other solvers.
//!
//! A conjunction becomes several constraints. Domains with too many values are refused; an `allDiff` with too many
//! pairs remains one condition, which is checked when its variables are assigned.

use super::naming::{ValueNames, VariableNames};
use crate::{
    diagnostic::{Code, Diagnostic},
    instance::GroundInstance,
    lowering::Lowered,
    problem::{Assignment, Bool, BoolNode, Global, Int, IntNode, Objective, Problem, Variable},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The limit on values of all domains together. Chosen.
pub(crate) const MOST_VALUES: u128 = 1_000_000;

/// An `allDiff` of more terms stays one condition, because it would have too many pairs.
const MOST_DIFFERENT: usize = 2000;

/// The position of a variable in a network.
pub(crate) type VariableId = usize;
/// The position of a constraint in a network.
pub(crate) type ConstraintId = usize;

pub(crate) struct Network<'p> {
    pub problem: &'p Problem,
    pub variables: Vec<NetworkVariable>,
    pub constraints: Vec<Constraint>,
    /// The constraints of each variable.
    pub constraints_of: Vec<Vec<ConstraintId>>,
    pub by_term: FxHashMap<Variable, VariableId>,
    pub objective: Option<&'p Objective>,
    /// The terms of the objective as text, with the names of the model.
    pub objective_text: String,
    /// The parts of the model's variables with values known before the search.
    pub fixed: Vec<(String, String)>,
}

pub(crate) struct NetworkVariable {
    pub name: String,
    /// The values, ascending; Booleans are 0 and 1.
    pub values: Vec<i64>,
    pub value_names: ValueNames,
    term: Variable,
}

pub(crate) struct Constraint {
    pub scope: Vec<VariableId>,
    pub kind: NetworkConstraintKind,
    pub text: String,
}

#[derive(Debug, PartialEq)]
pub(crate) enum NetworkConstraintKind {
    /// These differ pairwise: one view for each variable of the scope, in the same order.
    AllDifferent(Vec<LinearView>),
    /// Two terms differ.
    Different(Int, Int),
    /// Any condition; [`super::consistency`] evaluates it.
    Condition(Bool),
}

/// A linear function of one variable: `factor * variable + constant`, with a factor other than 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinearView {
    pub variable: VariableId,
    factor: i128,
    constant: i128,
}

impl LinearView {
    /// The value of the view for a value of the variable.
    pub(crate) fn of(&self, value: i64) -> i128 {
        self.factor * i128::from(value) + self.constant
    }

    /// The value of the variable for a value of the view, if there is one.
    pub(crate) fn inverse(&self, image: i128) -> Option<i64> {
        let scaled = image - self.constant;
        if scaled % self.factor != 0 {
            return None;
        }
        i64::try_from(scaled / self.factor).ok()
    }

    fn times(self, factor: i64) -> LinearView {
        let factor = i128::from(factor);
        LinearView { variable: self.variable, factor: self.factor * factor, constant: self.constant * factor }
    }

    fn plus(self, constant: i64) -> LinearView {
        LinearView { constant: self.constant + i128::from(constant), ..self }
    }
}

/// The allowed numbers of variables in a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arity {
    Any,
    /// `allDiff` becomes binary inequalities.
    Binary,
}

impl<'p> Network<'p> {
    /// The network of a lowered instance. Fails if the domains are too large for a search value by value.
    pub(crate) fn new(instance: &GroundInstance, lowered: &'p Lowered, arity: Arity) -> Result<Self, Diagnostic> {
        let problem = &lowered.problem;
        let mut names = VariableNames::new(instance, lowered);
        let mut network = Network {
            problem,
            variables: Vec::new(),
            constraints: Vec::new(),
            constraints_of: Vec::new(),
            by_term: FxHashMap::default(),
            objective: problem.objective(),
            objective_text: problem
                .objective()
                .map_or(String::new(), |objective| names.terms(problem, &objective.terms)),
            fixed: std::mem::take(&mut names.fixed),
        };
        // A solution also has values for decision variables without constraints.
        let mut needed: FxHashSet<Variable> = problem.decisions().iter().copied().collect();
        problem
            .constraints()
            .iter()
            .for_each(|constraint| collect_variables(problem, Variable::Bool(*constraint), &mut needed));
        for term in network.objective.into_iter().flat_map(|objective| &objective.terms) {
            collect_variables(problem, Variable::Int(*term), &mut needed);
        }
        network.add_variables(needed, &names)?;
        let mut wanted = Vec::new();
        problem.constraints().iter().for_each(|constraint| conjuncts(problem, *constraint, &mut wanted));
        for condition in wanted {
            network.add_constraint(condition, arity, &names);
        }
        network.constraints_of = vec![Vec::new(); network.variables.len()];
        for (id, constraint) in network.constraints.iter().enumerate() {
            constraint.scope.iter().for_each(|variable| network.constraints_of[*variable].push(id));
        }
        Ok(network)
    }

    /// Adds the model's variables in the order of the model, then those introduced by lowering.
    fn add_variables(&mut self, needed: FxHashSet<Variable>, names: &VariableNames) -> Result<(), Diagnostic> {
        let mut total = 0u128;
        let mut rest: Vec<Variable> = needed.iter().copied().filter(|term| !names.order.contains(term)).collect();
        // The variables are sorted, because their order must not depend on the hash set.
        rest.sort_by_key(|term| match term {
            Variable::Int(term) => (0, term.index() as u32),
            Variable::Bool(term) => (1, term.node().0.0),
        });
        let named = names.order.iter().copied().filter(|term| needed.contains(term));
        for term in named.chain(rest) {
            let name = names.variable(term);
            let size = match term {
                Variable::Bool(_) => Some(2),
                Variable::Int(term) => self.problem.values(term).size(),
            };
            total = total.saturating_add(size.unwrap_or(u128::MAX));
            // The size is checked before the values are listed.
            if total > MOST_VALUES {
                let size = size.map_or("infinitely many".to_owned(), |size| size.to_string());
                return Err(Diagnostic::error(
                    Code::TOO_LARGE,
                    "the domains are too large to be searched value by value",
                )
                .note(format!("`{name}` has {size} values; the limit for all variables together is {MOST_VALUES}"))
                .help("give the decision variables smaller domains, or use `solve`"));
            }
            let values = match term {
                Variable::Bool(_) => vec![0, 1],
                Variable::Int(term) => self.problem.values(term).iter().collect(),
            };
            self.by_term.insert(term, self.variables.len());
            let value_names = names.values(term);
            self.variables.push(NetworkVariable { name, values, value_names, term });
        }
        Ok(())
    }

    fn add_constraint(&mut self, condition: Bool, arity: Arity, names: &VariableNames) {
        let problem = self.problem;
        let (node, negated) = condition.node();
        match (problem.bool_node(node), negated) {
            (BoolNode::Global(Global::AllDifferent(constraint)), false) if constraint.terms.len() <= MOST_DIFFERENT => {
                self.add_all_different(condition, &constraint.terms, arity, names);
            }
            (BoolNode::Same(left, right), true) => match (self.view(*left), self.view(*right)) {
                (Some(left), Some(right)) if left.variable != right.variable => {
                    self.add_views(vec![left, right], names.condition(problem, condition));
                }
                _ => self.add_condition(condition, names),
            },
            // `x + y != c` means that `x` differs from `c - y`.
            (BoolNode::LinearEquals(terms, bound), true) => match **terms {
                [(first, left), (second, right)] => match (self.view(left), self.view(right)) {
                    (Some(left), Some(right)) if left.variable != right.variable => {
                        let views = vec![left.times(first), right.times(second).times(-1).plus(*bound)];
                        self.add_views(views, names.condition(problem, condition));
                    }
                    _ => self.add_condition(condition, names),
                },
                _ => self.add_condition(condition, names),
            },
            _ => self.add_condition(condition, names),
        }
    }

    /// Terms that are views of different variables form one constraint, unless binary constraints are wanted. Each
    /// remaining pair becomes a constraint.
    fn add_all_different(&mut self, condition: Bool, terms: &[Int], arity: Arity, names: &VariableNames) {
        let mut together: Vec<(usize, LinearView)> = Vec::new();
        if arity == Arity::Any {
            // Each variable has one view in the constraint. A second view, such as x + 1 beside x, becomes a separate
            // inequality.
            for (position, term) in terms.iter().enumerate() {
                if let Some(view) = self.view(*term)
                    && together.iter().all(|(_, other)| other.variable != view.variable)
                {
                    together.push((position, view));
                }
            }
        }
        let mut is_together = vec![false; terms.len()];
        together.iter().for_each(|(position, _)| is_together[*position] = true);
        if together.len() > 1 {
            let text = match together.len() == terms.len() {
                true => names.condition(self.problem, condition),
                false => names.all_different(self.problem, together.iter().map(|(position, _)| terms[*position])),
            };
            self.add_views(together.into_iter().map(|(_, view)| view).collect(), text);
        }
        for (position, first) in terms.iter().enumerate() {
            for (second, is_in) in terms[position + 1..].iter().zip(&is_together[position + 1..]) {
                if is_together[position] && *is_in {
                    continue;
                }
                let text = names.different(self.problem, *first, *second);
                match (self.view(*first), self.view(*second)) {
                    (Some(first), Some(second)) if first.variable != second.variable => {
                        self.add_views(vec![first, second], text);
                    }
                    _ => {
                        let scope = self.scope([Variable::Int(*first), Variable::Int(*second)]);
                        self.constraints.push(Constraint {
                            scope,
                            kind: NetworkConstraintKind::Different(*first, *second),
                            text,
                        });
                    }
                }
            }
        }
    }

    fn add_views(&mut self, views: Vec<LinearView>, text: String) {
        let scope = views.iter().map(|view| view.variable).collect();
        self.constraints.push(Constraint { scope, kind: NetworkConstraintKind::AllDifferent(views), text });
    }

    fn add_condition(&mut self, condition: Bool, names: &VariableNames) {
        let scope = self.scope([Variable::Bool(condition)]);
        let text = names.condition(self.problem, condition);
        self.constraints.push(Constraint { scope, kind: NetworkConstraintKind::Condition(condition), text });
    }

    /// The variables in these terms, ascending.
    fn scope(&self, terms: impl IntoIterator<Item = Variable>) -> Vec<VariableId> {
        let mut found = FxHashSet::default();
        terms.into_iter().for_each(|term| collect_variables(self.problem, term, &mut found));
        let mut scope: Vec<VariableId> = found.iter().map(|term| self.by_term[term]).collect();
        scope.sort_unstable();
        scope
    }

    /// The term as a view, if it depends linearly on one variable.
    fn view(&self, term: Int) -> Option<LinearView> {
        match self.problem.int_node(term) {
            IntNode::Variable => Some(self.variable_itself(Variable::Int(term))?),
            IntNode::FromBool(condition) => {
                let (node, negated) = condition.node();
                let truth = self.variable_itself(Variable::Bool(node.positive()))?;
                // As an integer, `not b` is 1 - b.
                Some(if negated { truth.times(-1).plus(1) } else { truth })
            }
            IntNode::Linear(terms, constant) => match **terms {
                [(factor, inner)] => Some(self.view(inner)?.times(factor).plus(*constant)),
                _ => None,
            },
            _ => None,
        }
    }

    fn variable_itself(&self, term: Variable) -> Option<LinearView> {
        let variable = *self.by_term.get(&term)?;
        Some(LinearView { variable, factor: 1, constant: 0 })
    }

    /// The text of a value of a variable.
    pub(crate) fn value_name(&self, variable: VariableId, value: i64) -> String {
        self.variables[variable].value_names.show(value)
    }

    /// The values of all variables as an assignment of the problem.
    pub(crate) fn assignment(&self, value: impl Fn(VariableId) -> i64) -> Assignment {
        let mut assignment = Assignment::default();
        for (id, variable) in self.variables.iter().enumerate() {
            assignment.set(variable.term, value(id));
        }
        assignment
    }
}

/// Collects the variables in a term; Booleans without sign.
fn collect_variables(problem: &Problem, term: Variable, found: &mut FxHashSet<Variable>) {
    problem.visit([term], |part| {
        if problem.is_variable(part) {
            found.insert(part);
        }
        true
    });
}

/// Collects the conjuncts of a condition.
fn conjuncts(problem: &Problem, condition: Bool, found: &mut Vec<Bool>) {
    match (problem.bool_node(condition.node().0), condition.node().1) {
        (BoolNode::And(parts), false) => parts.iter().for_each(|part| conjuncts(problem, *part, found)),
        (BoolNode::True, false) => {}
        _ => found.push(condition),
    }
}
