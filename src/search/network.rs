//! Variables with domains, constraints with scopes: a finite-domain problem as the textbooks see it.

use super::names::{Names, ValueNames};
use crate::{
    diagnostic::{Code, Diagnostic},
    instance::Instance,
    lowering::Lowered,
    problem::{Assignment, Bool, BoolNode, Int, IntNode, Problem, Variable},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most values that all domains together may have.
pub const MOST_VALUES: u128 = 1_000_000;

/// A position among the variables of a network.
pub type VariableId = usize;
/// A position among its constraints.
pub type ConstraintId = usize;

pub struct Network<'p> {
    pub problem: &'p Problem,
    pub variables: Vec<NetworkVariable>,
    pub constraints: Vec<Constraint>,
    /// The constraints that each variable is in.
    pub constraints_of: Vec<Vec<ConstraintId>>,
    pub by_term: FxHashMap<Variable, VariableId>,
    /// Whether it is maximised, and what.
    pub objective: Option<(bool, &'p [Int])>,
}

pub struct NetworkVariable {
    pub name: String,
    /// Ascending; Booleans are 0 and 1.
    pub values: Vec<i64>,
    pub value_names: ValueNames,
    term: Variable,
}

pub struct Constraint {
    pub scope: Vec<VariableId>,
    pub kind: Kind,
    pub text: String,
}

#[derive(Debug, PartialEq)]
pub enum Kind {
    /// The variables of the scope differ pairwise.
    AllDifferent,
    /// Any condition; [`super::consistency`] evaluates it.
    Condition(Bool),
}

impl<'p> Network<'p> {
    /// The network of a lowered instance; with `binary`, `allDiff` is as many inequalities of two variables. Fails
    /// if the domains are too large to be searched value by value.
    pub fn new(instance: &Instance, lowered: &'p Lowered, binary: bool) -> Result<Self, Diagnostic> {
        let problem = &lowered.problem;
        let names = Names::new(instance, lowered);
        let mut network = Network {
            problem,
            variables: Vec::new(),
            constraints: Vec::new(),
            constraints_of: Vec::new(),
            by_term: FxHashMap::default(),
            objective: problem.objective(),
        };
        let mut needed: FxHashSet<Variable> = problem.decisions().iter().copied().collect();
        problem.constraints().iter().for_each(|constraint| collect(problem, Variable::Bool(*constraint), &mut needed));
        for term in network.objective.into_iter().flat_map(|(_, terms)| terms) {
            collect(problem, Variable::Int(*term), &mut needed);
        }
        network.add_variables(needed, &names)?;
        let mut wanted = Vec::new();
        problem.constraints().iter().for_each(|constraint| conjuncts(problem, *constraint, &mut wanted));
        for condition in wanted {
            network.add_constraint(condition, binary, &names);
        }
        network.constraints_of = vec![Vec::new(); network.variables.len()];
        for (id, constraint) in network.constraints.iter().enumerate() {
            constraint.scope.iter().for_each(|variable| network.constraints_of[*variable].push(id));
        }
        Ok(network)
    }

    /// The model's variables in the order of the model, then those that lowering has added.
    fn add_variables(&mut self, needed: FxHashSet<Variable>, names: &Names) -> Result<(), Diagnostic> {
        let mut total = 0u128;
        let mut rest: Vec<Variable> = needed.iter().copied().filter(|term| !names.order.contains(term)).collect();
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
            if total > MOST_VALUES {
                let size = size.map_or("infinitely many".to_owned(), |size| size.to_string());
                return Err(Diagnostic::error(
                    Code::TOO_LARGE,
                    "the domains are too large to be searched value by value",
                )
                .note(format!("`{name}` has {size} values, and all variables together may have {MOST_VALUES}"))
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

    fn add_constraint(&mut self, condition: Bool, binary: bool, names: &Names) {
        let problem = self.problem;
        let (node, negated) = condition.node();
        if let (BoolNode::AllDifferent(terms), false) = (problem.bool_node(node), negated)
            && let Some(scope) = terms.iter().map(|term| self.plain(*term)).collect::<Option<Vec<_>>>()
        {
            if !binary {
                let text = names.condition(problem, condition);
                return self.constraints.push(Constraint { scope, kind: Kind::AllDifferent, text });
            }
            for (position, first) in scope.iter().enumerate() {
                for second in &scope[position + 1..] {
                    let text = format!("{} != {}", self.variables[*first].name, self.variables[*second].name);
                    let scope = vec![*first, *second];
                    self.constraints.push(Constraint { scope, kind: Kind::AllDifferent, text });
                }
            }
            return;
        }
        let mut terms = FxHashSet::default();
        collect(problem, Variable::Bool(condition), &mut terms);
        let mut scope: Vec<VariableId> = terms.iter().map(|term| self.by_term[term]).collect();
        scope.sort_unstable();
        let different = matches!((problem.bool_node(node), negated), (BoolNode::Same(left, right), true)
            if self.plain(*left).is_some() && self.plain(*right).is_some());
        let kind = if different { Kind::AllDifferent } else { Kind::Condition(condition) };
        self.constraints.push(Constraint { scope, kind, text: names.condition(problem, condition) });
    }

    /// The variable that a term is.
    fn plain(&self, term: Int) -> Option<VariableId> {
        self.by_term.get(&Variable::Int(term)).copied()
    }

    /// How a value of a variable is shown.
    pub fn value_name(&self, variable: VariableId, value: i64) -> String {
        self.variables[variable].value_names.show(value)
    }

    /// The values of all variables as an assignment of the problem.
    pub fn assignment(&self, value: impl Fn(VariableId) -> i64) -> Assignment {
        let mut assignment = Assignment::default();
        for (id, variable) in self.variables.iter().enumerate() {
            match variable.term {
                Variable::Bool(term) => assignment.set_bool(term.node().0, value(id) == 1),
                Variable::Int(term) => assignment.set_int(term, value(id)),
            }
        }
        assignment
    }
}

/// The variables that a term is made of; Booleans without their sign.
fn collect(problem: &Problem, term: Variable, found: &mut FxHashSet<Variable>) {
    let mut seen = FxHashSet::default();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        let term = match term {
            Variable::Bool(term) => Variable::Bool(term.node().0.positive()),
            other => other,
        };
        if !seen.insert(term) {
            continue;
        }
        match term {
            Variable::Bool(term) => match problem.bool_node(term.node().0) {
                BoolNode::Variable => {
                    found.insert(Variable::Bool(term));
                }
                node => node.operands(&mut |operand| open.push(operand)),
            },
            Variable::Int(term) => match problem.int_node(term) {
                IntNode::Variable => {
                    found.insert(Variable::Int(term));
                }
                node => node.operands(&mut |operand| open.push(operand)),
            },
        }
    }
}

/// A conjunction is as many constraints.
fn conjuncts(problem: &Problem, condition: Bool, found: &mut Vec<Bool>) {
    match (problem.bool_node(condition.node().0), condition.node().1) {
        (BoolNode::And(parts), false) => parts.iter().for_each(|part| conjuncts(problem, *part, found)),
        (BoolNode::True, false) => {}
        _ => found.push(condition),
    }
}
