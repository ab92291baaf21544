//! The values of a model's names while its expressions are evaluated.

use super::{
    choices::Choices,
    reads::{DecisionPart, ReadLog},
};
use crate::{
    analysis::model::{Category, DeclarationId, DeclarationKind, Expr, LocalId, TypedModel},
    diagnostic::{Code, Diagnostic},
    language::{Evaluated, GroundDomain, Stop, Value},
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximum number of parts that the value of a letting may have. A few lettings, each with two copies of the one
/// before it, can stand for more than fits in memory. Chosen.
const MOST_PARTS: usize = 20_000_000;

/// The values of parameters, decision variables, lettings and names bound by patterns.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    model: Arc<TypedModel>,
    globals: Vec<GlobalValue>,
    locals: Vec<Option<Value>>,
    /// The number of members of the enumerated or unnamed type of each declaration.
    sizes: Vec<Option<i64>>,
    /// The domains of parameters and decision variables.
    domains: Vec<Option<Arc<GroundDomain>>>,
    /// The lettings to evaluate again when a decision variable gets another value.
    decision_lettings: Arc<[usize]>,
    /// The lettings with local decision variables: each use makes its own choices.
    lettings_with_choices: Arc<[usize]>,
    /// The number of bindings that comprehensions have made since the outermost one started, and the depth of their
    /// nesting.
    pub(super) bindings: u64,
    pub(super) depth: u32,
    /// The number of bindings that all comprehensions have made, and of instances that were checked alone.
    pub(super) visited: u64,
    /// The parts of decisions that are read, while this is logged.
    pub(super) reads: ReadLog,
    /// The choices for local decision variables, while an expression with some is evaluated. All parts are evaluated
    /// then, even if they do not affect the result, because one of them may have no possible choice.
    pub(super) choices: Option<Choices>,
    witnesses: FxHashMap<LocalId, Witnesses>,
}

/// Values that names are known to have, such as the values of a solver's auxiliary variables. They are tried first.
#[derive(Clone, Debug, Default)]
struct Witnesses {
    /// The values for each time that the names are bound, in any order.
    candidates: Vec<Vec<Value>>,
    /// The position of the next candidate to try, after the last one that was used.
    next: usize,
}

#[derive(Clone, Debug)]
enum GlobalValue {
    /// No value yet, or a `letting` that has not been evaluated.
    Unknown,
    Known(Value),
    Undefined,
    Fault(Box<Diagnostic>),
}

impl Environment {
    /// An environment that knows only the enumerated types that the model lists.
    pub(crate) fn new(model: Arc<TypedModel>) -> Self {
        let count = model.declarations.len();
        let decides = |value: &Expr| value.category == Category::Decision;
        let depends_on_decisions =
            |kind: &DeclarationKind| matches!(kind, DeclarationKind::Letting(value) if decides(value));
        let decision_lettings =
            (0..count).filter(|position| depends_on_decisions(&model.declarations[*position].kind)).collect();
        let has_choices =
            |kind: &DeclarationKind| matches!(kind, DeclarationKind::Letting(value) if model.has_local_finds_in(value));
        let lettings_with_choices =
            (0..count).filter(|position| has_choices(&model.declarations[*position].kind)).collect();
        let size = |kind: &DeclarationKind| match kind {
            DeclarationKind::Enum(members) => Some(members.len() as i64),
            _ => None,
        };
        Environment {
            globals: vec![GlobalValue::Unknown; count],
            locals: vec![None; model.locals.len()],
            sizes: model.declarations.iter().map(|declaration| size(&declaration.kind)).collect(),
            domains: vec![None; count],
            decision_lettings,
            lettings_with_choices,
            bindings: 0,
            depth: 0,
            visited: 0,
            reads: ReadLog::default(),
            witnesses: FxHashMap::default(),
            choices: None,
            model,
        }
    }

    /// The same values for another model that declares the same names in the same order, and may declare more.
    pub(crate) fn with_model(&self, model: Arc<TypedModel>) -> Environment {
        let (count, mut all) = (model.declarations.len(), self.clone());
        debug_assert!(count >= all.globals.len());
        all.globals.resize(count, GlobalValue::Unknown);
        all.sizes.resize(count, None);
        all.domains.resize(count, None);
        Environment { locals: vec![None; model.locals.len()], model, ..all }
    }

    pub(crate) fn model(&self) -> &Arc<TypedModel> {
        &self.model
    }

    /// The value of a parameter, a decision variable or a letting; a letting is evaluated at the first use.
    pub(crate) fn global(&mut self, id: DeclarationId) -> Evaluated {
        // If only a part of the value is looked up, `reads` logs this part; here, the whole value is read.
        if self.reads.is_on() && self.is_decided(id) {
            self.reads.add(DecisionPart::whole(id));
        }
        self.unlogged_global(id)
    }

    /// Returns true if the value of a name depends on decisions.
    fn is_decided(&self, id: DeclarationId) -> bool {
        match &self.model.declaration(id).kind {
            DeclarationKind::Find(_) => true,
            DeclarationKind::Letting(value) => value.category == Category::Decision,
            _ => false,
        }
    }

    /// The value of a name, without logging it as read; the parts that a letting reads are not logged either.
    pub(super) fn unlogged_global(&mut self, id: DeclarationId) -> Evaluated {
        match &self.globals[id.0 as usize] {
            GlobalValue::Known(value) => Ok(value.clone()),
            GlobalValue::Undefined => Err(Stop::Undefined),
            GlobalValue::Fault(fault) => Err(Stop::Fault(fault.clone())),
            GlobalValue::Unknown => {
                // The log is about the current expression, not about the letting that it mentions, so it is switched
                // off.
                let was_on = self.reads.switch(false);
                let value = self.evaluate_letting(id);
                self.reads.switch(was_on);
                value
            }
        }
    }

    fn evaluate_letting(&mut self, id: DeclarationId) -> Evaluated {
        let model = self.model.clone();
        let declaration = model.declaration(id);
        let DeclarationKind::Letting(value) = &declaration.kind else {
            // Analysis has reported the missing value, so this error only ends the evaluation.
            let message = format!("`{}` has no value", declaration.name);
            return Err(Diagnostic::error(Code::MISSING_PARAMETER, message).into());
        };
        // Each letting may double the value of the one before it, so the size of each value is checked.
        let result = match super::evaluate(value, self) {
            Ok(value) if value.has_more_parts_than(MOST_PARTS) => {
                let message = format!("the value of `{}` has more than {MOST_PARTS} parts", declaration.name);
                Err(Diagnostic::error(Code::TOO_LARGE, message).at(declaration.span, "declared here").into())
            }
            result => result,
        };
        // With choices, the next evaluation may choose differently, so the value is not kept.
        if self.choices.is_some() && self.lettings_with_choices.contains(&(id.0 as usize)) {
            return result;
        }
        self.globals[id.0 as usize] = match &result {
            Ok(value) => GlobalValue::Known(value.clone()),
            Err(Stop::Undefined) => GlobalValue::Undefined,
            // The bindings of an enclosing comprehension count towards the limit; outside it, the value may be within
            // the limit.
            Err(Stop::Fault(_)) if self.depth > 0 => GlobalValue::Unknown,
            Err(Stop::Fault(fault)) => GlobalValue::Fault(fault.clone()),
        };
        result
    }

    /// Returns true if a parameter or a decision variable has a value, or a letting was evaluated to one.
    pub(crate) fn is_known(&self, id: DeclarationId) -> bool {
        matches!(self.globals[id.0 as usize], GlobalValue::Known(_))
    }

    /// Gives a value to a parameter or a decision variable.
    pub(crate) fn bind_global(&mut self, id: DeclarationId, value: Value) {
        // The other lettings depend on parameters only, so they keep their values.
        if matches!(self.model.declaration(id).kind, DeclarationKind::Find(_)) {
            self.forget_lettings();
        }
        self.globals[id.0 as usize] = GlobalValue::Known(value);
    }

    /// Marks the lettings that depend on decisions for another evaluation.
    pub(super) fn forget_lettings(&mut self) {
        for letting in self.decision_lettings.iter() {
            self.globals[*letting] = GlobalValue::Unknown;
        }
    }

    /// The value of a name bound by a pattern, if it has one.
    pub(crate) fn local(&self, id: LocalId) -> Option<&Value> {
        self.locals.get(id.0 as usize)?.as_ref()
    }

    /// Binds a local name. Names in the expressions of a parameter file come after the model's names.
    pub(crate) fn bind_local(&mut self, id: LocalId, value: Value) {
        let position = id.0 as usize;
        if position >= self.locals.len() {
            self.locals.resize(position + 1, None);
        }
        self.locals[position] = Some(value);
    }

    pub(crate) fn unbind_local(&mut self, id: LocalId) {
        if let Some(local) = self.locals.get_mut(id.0 as usize) {
            *local = None;
        }
    }

    /// Adds values that names may have, under the first of these names.
    pub(crate) fn add_witness(&mut self, first: LocalId, values: Vec<Value>) {
        self.witnesses.entry(first).or_default().candidates.push(values);
    }

    /// Forgets the values that names may have.
    pub(crate) fn clear_witnesses(&mut self) {
        self.witnesses.clear();
    }

    /// The number of bindings that all comprehensions have made, and of instances that were checked alone.
    pub(crate) fn visited(&self) -> u64 {
        self.visited
    }

    /// The known values of names, the likeliest first.
    pub(super) fn witnesses_of(&mut self, first: LocalId) -> Vec<Vec<Value>> {
        let Some(known) = self.witnesses.get_mut(&first) else { return Vec::new() };
        let mut candidates = known.candidates.clone();
        // The candidate that was used last probably belongs to another binding, so the next one comes first.
        candidates.rotate_left(known.next);
        known.next = (known.next + 1) % candidates.len().max(1);
        candidates
    }

    /// Starts with the first candidates again, for another evaluation of an expression.
    pub(super) fn restart_witnesses(&mut self) {
        self.witnesses.values_mut().for_each(|known| known.next = 0);
    }

    /// Tries the known values of names until one of them works.
    pub(super) fn first_witness<T>(
        &mut self,
        first: LocalId,
        mut serves: impl FnMut(&mut Environment, &[Value]) -> Evaluated<Option<T>>,
    ) -> Evaluated<Option<T>> {
        let count = self.witnesses.get(&first).map_or(0, |known| known.candidates.len());
        for _ in 0..count {
            let Some(known) = self.witnesses.get_mut(&first) else { break };
            // The values are cloned, because trying a candidate changes the environment.
            let values = known.candidates[known.next].clone();
            let served = serves(self, &values)?;
            if let Some(known) = self.witnesses.get_mut(&first) {
                known.next = (known.next + 1) % count;
            }
            if served.is_some() {
                return Ok(served);
            }
        }
        Ok(None)
    }

    /// The number of members of the named type that this declaration introduces.
    pub(crate) fn size_of_type(&self, declaration: u32) -> Option<i64> {
        self.sizes[declaration as usize]
    }

    pub(crate) fn set_size_of_type(&mut self, declaration: DeclarationId, size: i64) {
        self.sizes[declaration.0 as usize] = Some(size);
    }

    /// The domain of a parameter or a decision variable, if it is known by now.
    pub(crate) fn domain(&self, id: DeclarationId) -> Option<&Arc<GroundDomain>> {
        self.domains[id.0 as usize].as_ref()
    }

    pub(crate) fn set_domain(&mut self, id: DeclarationId, domain: Arc<GroundDomain>) {
        self.domains[id.0 as usize] = Some(domain);
    }
}
