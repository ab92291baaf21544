//! Reference formulas of random models, read as text and looked at assignment by assignment: a formula accepts exactly
//! the solutions that trying all values finds, and each in one way; its function differs from the objective by a
//! constant. All of this is computed here, with 128 bits, and shares nothing with what makes certificates.

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

/// Formulas with more literals, for all assignments together, are left out.
const MOST_LOOKS: usize = 20_000_000;

/// Nanoseconds, and 0 for never: twice such a number, or a sum of three, does not fit into 64 bits.
pub(crate) const TIMESTAMPS: [&str; 4] = [
    "find x, y : int(0, 1700000000000000000..1700000000000000020) find b : bool such that x > y \\/ b",
    "find x : int(0, 1700000000000000000..1700000000000000029) such that x > 5 maximising x",
    "find x, y : int(0, 1700000000000000000..1700000000000000019) such that x - y = 3 minimising y - x",
    "find x : int(1700000000000000000..1700000000000000002, 4600000000000000000) find b : bool \
     such that b <-> 4600000000000000000 * toInt(b) >= x minimising x - 2 * toInt(b)",
];

/// `Σ coefficient · literal >= least`; a literal is the position of a variable, and the value that it is true for.
struct ReadSum {
    terms: Vec<(i128, (usize, bool))>,
    least: i128,
}

/// The formula, as its text says.
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

    /// The values of all variables that follow from these; `None` if a constraint cannot hold.
    fn propagated(&self, literals: &[(usize, bool)]) -> Option<Vec<Option<bool>>> {
        let mut values = vec![None; self.positions.len()];
        for (variable, value) in literals {
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

/// The number of assignments that the reference formula of a model was tried with, or what is wrong with it; nothing where
/// it is not made, or where trying all values fails.
pub(crate) fn tried(model: &Generated) -> Option<Result<usize, String>> {
    let instance = check::instance_of(model)?;
    let mut sources = Sources::default();
    sources.add("model", print::print_file(&model.file, 120));
    sources.add("parameters", model.parameters.clone());
    let reference = Reference::of(&instance, &sources, &mut || Ok(())).ok()?;
    let mut formula = ReadFormula::new(&reference.formula.text(&[]));
    let mut solutions: BTreeMap<Vec<Value>, Option<Value>> = BTreeMap::new();
    let step = || ControlFlow::<()>::Continue(());
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
        // A constant literal that does not hold excludes the values.
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

/// All assignments of values to decision variables.
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
