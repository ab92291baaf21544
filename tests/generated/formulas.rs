//! Reference formulas of random models, parsed as text and evaluated for each assignment. A formula must accept exactly
//! the solutions that trying all values finds, each in exactly one way, and its objective must differ from the model's
//! by a constant. The computation here uses 128 bits and shares no code with the certificates.

use super::{check, generator::Generated};
use conjure_like::{
    instance::{GroundInstance, SolutionValues, oracle},
    language::{Sense, Value},
    reference::Reference,
    source::Sources,
    syntax::print,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

/// Skip formulas with more literals, counted over all assignments.
const MOST_LOOKS: usize = 20_000_000;

/// Timestamps in nanoseconds, with 0 for "never". Twice such a number, or a sum of three, does not fit into 64 bits.
pub(crate) const TIMESTAMPS: [&str; 4] = [
    "find x, y : int(0, 1700000000000000000..1700000000000000020) find b : bool such that x > y \\/ b",
    "find x : int(0, 1700000000000000000..1700000000000000029) such that x > 5 maximising x",
    "find x, y : int(0, 1700000000000000000..1700000000000000019) such that x - y = 3 minimising y - x",
    "find x : int(1700000000000000000..1700000000000000002, 4600000000000000000) find b : bool \
     such that b <-> 4600000000000000000 * toInt(b) >= x minimising x - 2 * toInt(b)",
];

/// `Σ coefficient · literal >= least`. A literal is the position of a variable, and the value that makes it true.
struct ReadSum {
    terms: Vec<(i128, (usize, bool))>,
    least: i128,
}

/// A formula as its text states it.
#[derive(Default)]
struct ReadFormula {
    positions: BTreeMap<String, usize>,
    constraints: Vec<ReadSum>,
    objective: Option<Vec<(i128, (usize, bool))>>,
}

impl ReadFormula {
    fn new(text: &str) -> Self {
        let mut formula = ReadFormula::default();
        for line in text.lines().filter(|line| !line.starts_with('*')) {
            let line = line.trim_end_matches(';').trim();
            if let Some(objective) = line.strip_prefix("min:") {
                formula.objective = Some(formula.terms(objective));
            } else {
                let (terms, least) = line.split_once(">=").expect("a constraint");
                let terms = formula.terms(terms);
                formula.constraints.push(ReadSum { terms, least: least.trim().parse().expect("a number") });
            }
        }
        formula
    }

    fn terms(&mut self, text: &str) -> Vec<(i128, (usize, bool))> {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.chunks(2).map(|pair| (pair[0].parse().expect("a coefficient"), self.literal(pair[1]))).collect()
    }

    fn literal(&mut self, text: &str) -> (usize, bool) {
        let (name, holds) = text.strip_prefix('~').map_or((text, true), |name| (name, false));
        let next = self.positions.len();
        (*self.positions.entry(name.to_owned()).or_insert(next), holds)
    }

    /// The consequences of literals by propagation to a fixed point; `None` on a conflict.
    fn propagated(&self, literals: &[(usize, bool)]) -> Option<Vec<Option<bool>>> {
        let mut values = vec![None; self.positions.len()];
        for (variable, value) in literals {
            // Two parts of the assignment contradict each other.
            if values[*variable].is_some_and(|known| known != *value) {
                return None;
            }
            values[*variable] = Some(*value);
        }
        loop {
            let mut changed = false;
            for ReadSum { terms, least } in &self.constraints {
                let open = |value: Option<bool>, holds: bool| value.is_none_or(|value| value == holds);
                let reached = terms.iter().filter(|(_, (variable, holds))| open(values[*variable], *holds));
                // The slack is the surplus if all open literals are true. A larger coefficient forces its literal.
                let slack = reached.map(|(factor, _)| factor).sum::<i128>() - least;
                if slack < 0 {
                    return None;
                }
                for (factor, (variable, holds)) in terms {
                    if values[*variable].is_none() && *factor > slack {
                        values[*variable] = Some(*holds);
                        changed = true;
                    }
                }
            }
            if !changed {
                return Some(values);
            }
        }
    }
}

/// The number of assignments with which a model's reference formula was tried, or a fault; `None` if there is no
/// formula, or if trying all values fails.
pub(crate) fn tried(model: &Generated) -> Option<Result<usize, String>> {
    let instance = check::instance_of(model)?;
    let mut sources = Sources::default();
    sources.add("model", print::print_file(&model.file, 120));
    sources.add("parameters", model.parameters.clone());
    let reference = Reference::of(&instance, &sources, &mut || Ok(())).ok()?;
    let mut formula = ReadFormula::new(&reference.formula.text(&[]));
    let mut solutions: BTreeMap<Vec<Value>, Option<Value>> = BTreeMap::new();
    let step = || ControlFlow::<()>::Continue(());
    // All solutions are needed with their objectives, not only the optimal ones.
    let searched = oracle::try_all_values(&instance, step, |solution, value| {
        solutions.insert(solution.iter().map(|(_, value)| value.clone()).collect(), value.cloned());
        Ok(ControlFlow::Continue(()))
    });
    let _ = searched.ok()?;
    let size: usize = formula.constraints.iter().map(|constraint| constraint.terms.len()).sum();
    let combinations = usize::try_from(oracle::combinations(&instance)?).ok()?;
    if combinations.saturating_mul(size.max(1)) > MOST_LOOKS {
        return None;
    }
    Some(compared(&instance, &reference, &mut formula, &solutions).map(|()| combinations))
}

/// Tries all assignments.
fn compared(
    instance: &GroundInstance,
    reference: &Reference,
    formula: &mut ReadFormula,
    solutions: &BTreeMap<Vec<Value>, Option<Value>>,
) -> Result<(), String> {
    let mut offsets = BTreeSet::new();
    for assignment in assignments(instance) {
        let shown = || format!("{:?}", assignment.iter().map(|(_, value)| value).collect::<Vec<_>>());
        let expected = solutions.get(&assignment.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
        let Some(literals) = reference.literals(&assignment) else {
            return Err(format!("the formula does not know the values {}", shown()));
        };
        // A constant literal that is false excludes the assignment.
        let accepted = match literals.iter().any(|literal| literal.is_constant() && literal.number() < 0) {
            true => None,
            false => {
                let names = literals.iter().filter(|one| !one.is_constant()).map(|one| reference.formula.name(*one));
                let literals: Vec<(usize, bool)> = names.map(|name| formula.literal(&name)).collect();
                formula.propagated(&literals)
            }
        };
        match (accepted, expected) {
            (None, None) => {}
            (None, Some(_)) => return Err(format!("the formula refuses the solution {}", shown())),
            (Some(_), None) => return Err(format!("the formula accepts {}, which is not a solution", shown())),
            (Some(values), Some(value)) => {
                // Each other variable must follow from the decision variables; otherwise solutions would be counted
                // several times.
                if values.contains(&None) {
                    return Err(format!("the formula accepts {} in several ways", shown()));
                }
                if let (Some(objective), Some(Value::Int(value))) = (&formula.objective, value) {
                    let held = objective.iter().filter(|(_, (variable, holds))| values[*variable] == Some(*holds));
                    let function: i128 = held.map(|(factor, _)| factor).sum();
                    let sense = instance.model.objective.as_ref().map(|objective| objective.sense);
                    let value = i128::from(*value);
                    offsets.insert(if sense == Some(Sense::Maximise) { -value } else { value } - function);
                }
            }
        }
    }
    match offsets.len() {
        0 | 1 => Ok(()),
        _ => Err(format!("the function is not the objective plus a constant: {offsets:?}")),
    }
}

/// All assignments of the decision variables.
fn assignments(instance: &GroundInstance) -> Vec<SolutionValues> {
    let mut all: Vec<SolutionValues> = vec![Vec::new()];
    for find in &instance.finds {
        let extended = |partial: &SolutionValues| {
            let partial = partial.clone();
            find.domain.members().map(move |value| [partial.clone(), vec![(find.id, value)]].concat())
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}
