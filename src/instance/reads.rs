//! The parts of decisions that an evaluation reads: `m[2, 3]`, `f(4)`, `5 in s`, or the whole value of a decision
//! variable or of a `letting` that depends on some.

use super::{Environment, evaluate};
use crate::{
    analysis::model::{Category, DeclarationId, Expr, ExprKind},
    language::{Evaluated, Value},
    operators::{Operator, symbols},
};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

/// A part of the value of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct DecisionPart {
    pub root: DeclarationId,
    steps: Vec<LookupStep>,
}

/// An operator that looks something up, with what it looks up.
#[derive(Clone, Debug)]
struct LookupStep {
    operator: &'static Operator,
    wanted: Value,
}

impl PartialEq for LookupStep {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.operator, other.operator) && self.wanted == other.wanted
    }
}

impl Eq for LookupStep {}

impl Hash for LookupStep {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.operator, state);
        self.wanted.hash(state);
    }
}

impl LookupStep {
    fn value_in(&self, whole: Value) -> Evaluated {
        let wanted = self.wanted.clone();
        let operands = if is_membership(self.operator) { [wanted, whole] } else { [whole, wanted] };
        (self.operator.eval)(&operands)
    }
}

impl DecisionPart {
    pub(super) fn whole(root: DeclarationId) -> Self {
        DecisionPart { root, steps: Vec::new() }
    }

    /// The value of the part; `None` where it is undefined.
    pub(super) fn value(&self, env: &mut Environment) -> Option<Value> {
        let whole = env.unlogged_global(self.root);
        self.steps.iter().try_fold(whole.ok()?, |whole, step| step.value_in(whole).ok())
    }
}

/// The parts of decisions that have been read since a log was started, each known by a number.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadLog {
    numbers: FxHashMap<DecisionPart, u32>,
    pub parts: Vec<DecisionPart>,
    read: Vec<u32>,
    is_on: bool,
}

impl ReadLog {
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Switches the log, and returns true if it was on.
    pub(super) fn switch(&mut self, is_on: bool) -> bool {
        std::mem::replace(&mut self.is_on, is_on)
    }

    pub(super) fn number(&mut self, part: DecisionPart) -> u32 {
        let next = self.parts.len() as u32;
        *self.numbers.entry(part).or_insert_with_key(|part| {
            self.parts.push(part.clone());
            next
        })
    }

    pub(super) fn add(&mut self, part: DecisionPart) {
        let number = self.number(part);
        // A comprehension often reads the same part repeatedly, so comparing with the last entry removes most
        // repetitions; the rest disappear when the log is sorted.
        if self.read.last() != Some(&number) {
            self.read.push(number);
        }
    }

    /// The numbers of the parts that have been read, ascending, each once.
    pub(super) fn take(&mut self) -> Vec<u32> {
        self.read.sort_unstable();
        self.read.dedup();
        std::mem::take(&mut self.read)
    }
}

fn is_membership(operator: &Operator) -> bool {
    operator.symbol == symbols::IN
}

/// The value that an operator looks up in a decision, logged as one part; `None` if it looks up nothing.
pub(super) fn looked_up(operator: &'static Operator, operands: &[Expr], env: &mut Environment) -> Option<Evaluated> {
    let mut chain = Vec::new();
    let root = lookup_chain(operator, operands, &mut chain)?;
    let steps = chain.into_iter().map(|(operator, wanted)| Ok(LookupStep { operator, wanted: evaluate(wanted, env)? }));
    let part = match steps.collect::<Evaluated<Vec<_>>>() {
        Ok(steps) => DecisionPart { root, steps },
        Err(stop) => return Some(Err(stop)),
    };
    let mut value = env.unlogged_global(root);
    for step in &part.steps {
        value = value.and_then(|whole| step.value_in(whole));
    }
    env.reads.add(part);
    Some(value)
}

/// The decision in which a chain of operators looks something up; the operators with their other operands, from the
/// inside out.
fn lookup_chain<'e>(
    operator: &'static Operator,
    operands: &'e [Expr],
    chain: &mut Vec<(&'static Operator, &'e Expr)>,
) -> Option<DeclarationId> {
    let [first, second] = operands else { return None };
    let (whole, wanted) = match is_membership(operator) {
        true => (second, first),
        false if operator.lookup.is_some() => (first, second),
        false => return None,
    };
    let root = match &whole.kind {
        ExprKind::Global(id) if whole.category == Category::Decision => *id,
        ExprKind::Apply(operator, operands) => lookup_chain(operator, operands, chain)?,
        _ => return None,
    };
    chain.push((operator, wanted));
    Some(root)
}
