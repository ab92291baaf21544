//! The requirements of a model for explanations, each with its origin.
//!
//! Lowering for a solver puts all constraints into one problem. This module takes them apart into the smallest parts of
//! the source: the conjuncts of a constraint, the instances of a quantifier (also of nested ones and on the right of an
//! implication), and the bounds and attributes of the decision variables' domains. Each part becomes a Boolean term
//! that the problem itself does not require. The terms are the same as for `solve`.

use super::{
    bounds::BoundRequirements,
    requirement::{EnclosingLayer, KnownMember, RequiredValue, Requirement, RequirementOrigin, StatedBound},
    *,
};
use crate::{
    analysis::model::{Category, Comprehension, GeneratorRange, Pattern, PatternForm, Qualifier},
    language::{attributes::Limit, domain::ValueStep},
    operators::{Lookup, OperatorSymbol, symbols},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The options of [`requirements()`].
#[derive(Clone, Copy, Default)]
pub(crate) struct RequirementOptions<'a> {
    /// Domains that replace the declared domains of some decision variables; the bounds and attributes that they lack
    /// become requirements.
    pub domains: Option<&'a DomainOverrides>,
    /// Values that decision variables must have; each part of a value is one requirement.
    pub values: &'a [(DeclarationId, Value)],
    /// Conditions that the caller will deny.
    pub facts: &'a [Expr],
    /// True to collect the parts that must be defined.
    pub needs: bool,
}

/// The requirements of a model, with the problem of their terms. The problem itself contains only the structure of the
/// representations.
#[derive(Debug)]
pub(crate) struct Parts {
    pub lowered: Lowered,
    pub requirements: Vec<Requirement>,
    pub facts: Vec<Bool>,
}

/// Takes an instance apart into its requirements.
pub(crate) fn requirements(environment: &Environment, question: &RequirementOptions) -> LoweringResult<Parts, Halt> {
    let mut lowering = Lowering::new(environment);
    let model = lowering.model;
    let (wanted, none) = (Representations::new(), DomainOverrides::new());
    let domains = question.domains.unwrap_or(&none);
    let layout = lowering.declare_finds(&wanted, domains)?;
    // Each need lowers an expression again, so needs are collected only on demand.
    let mut recorder = RequirementRecorder { with_needs: question.needs, ..RequirementRecorder::default() };
    let mut diagnostics = Vec::new();
    for (variable, term) in &layout {
        if let (Some(other), Some(own)) = (domains.get(variable), lowering.environment.domain(*variable).cloned()) {
            let bounds = BoundRequirements::of(&mut lowering, *variable, term, &own, other);
            recorder.requirements.extend(bounds);
        }
    }
    for (variable, value) in question.values {
        if let Some((_, term)) = layout.iter().find(|(id, _)| id == variable) {
            let ty = &model.declaration(*variable).ty;
            recorder.value(&mut lowering, *variable, &mut Vec::new(), term, value, ty);
        }
    }
    for constraint in &model.constraints {
        if let Err(diagnostic) = recorder.constraint(&mut lowering, constraint, &Context::CONSTRAINT) {
            diagnostics.push(*diagnostic);
        }
        if lowering.symbolic.problem.is_full() {
            return Err(Halt::Wrong(diagnostics));
        }
    }
    if let Some(objective) = &model.objective {
        let context = Context::CONSTRAINT.mixed();
        match with_demands(&mut lowering, |lowering| lowering.expression(&objective.value, &context)) {
            Ok((value, mut demanded)) => {
                demanded.push(value.defined);
                let has_value = lowering.symbolic.problem.and(demanded);
                recorder.defined(&objective.value, has_value);
            }
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    let mut facts = Vec::new();
    for fact in question.facts {
        match lowering.denied(fact) {
            Ok(fact) => facts.push(fact),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    if !diagnostics.is_empty() {
        return Err(Halt::Wrong(diagnostics));
    }
    let lowered = lowering.finish(layout)?;
    Ok(Parts { lowered, requirements: recorder.requirements, facts })
}

/// Returns the result of `run` and the constraints that it has added. These restrict local decision variables and
/// belong to the same requirement.
pub(super) fn with_demands<T>(
    lowering: &mut Lowering,
    run: impl FnOnce(&mut Lowering) -> LoweringResult<T>,
) -> LoweringResult<(T, Vec<Bool>)> {
    let before = lowering.symbolic.problem.constraints().len();
    let result = run(lowering)?;
    Ok((result, lowering.symbolic.problem.take_constraints(before)))
}

/// The identity of an instance of a constraint: the address of its expression, the bindings of its names, and the
/// addresses of the layers around it.
type RequirementKey = (*const Expr, Vec<(LocalId, Option<Value>)>, Vec<*const ()>);

#[derive(Default)]
struct RequirementRecorder {
    requirements: Vec<Requirement>,
    with_needs: bool,
    bindings: Vec<(LocalId, Option<Value>)>,
    entries: Vec<KnownMember>,
    layers: Vec<EnclosingLayer>,
    /// The expressions of the model by address, so that they are copied once and not for each instance.
    copies: FxHashMap<*const Expr, Arc<Expr>>,
    qualifiers: FxHashMap<*const Qualifier, Arc<Qualifier>>,
    /// The positions of the requirements by instance. An instance is visited several times if its names depend on
    /// decisions or are wildcards, or if a named constraint is used twice.
    known: FxHashMap<RequirementKey, usize>,
    /// The lettings that were taken apart inside the current layers.
    lettings: FxHashSet<DeclarationId>,
}

impl RequirementRecorder {
    fn copy(&mut self, expr: &Expr) -> Arc<Expr> {
        self.copies.entry(std::ptr::from_ref(expr)).or_insert_with(|| Arc::new(expr.clone())).clone()
    }

    /// Takes a required constraint apart.
    fn constraint(&mut self, lowering: &mut Lowering, constraint: &Expr, context: &Context) -> LoweringResult<()> {
        match &constraint.kind {
            ExprKind::Apply(operator, parts) if operator.is_implication() && has_parts(&parts[1]) => {
                let left = context.of_operand(operator, 0);
                let (assumed, demanded) = with_demands(lowering, |lowering| lowering.condition(&parts[0], &left))?;
                let met = lowering.symbolic.problem.and(demanded);
                self.defined(&parts[0], met);
                // If the assumption is false in all solutions, nothing is required.
                let Some(context) = context.and(assumed) else { return Ok(()) };
                let assumed = self.copy(&parts[0]);
                self.layers.push(EnclosingLayer::Assumed(assumed));
                // Under another layer, the conjuncts of the same letting are different requirements.
                let lettings = std::mem::take(&mut self.lettings);
                let result = self.constraint(lowering, &parts[1], &context);
                self.lettings = lettings;
                self.layers.pop();
                result
            }
            ExprKind::Apply(operator, parts) if operator.is_conjunction() => match parts.as_slice() {
                [Expr { kind: ExprKind::Comprehension(comprehension), .. }] => {
                    self.instances(lowering, comprehension, constraint, context)
                }
                [Expr { kind: ExprKind::Matrix(elements, _), .. }] => {
                    elements.iter().try_for_each(|element| self.constraint(lowering, element, context))
                }
                [_] => self.leaf(lowering, constraint, context),
                parts => parts.iter().try_for_each(|part| self.constraint(lowering, part, context)),
            },
            ExprKind::Global(id) => match &lowering.model.declaration(*id).kind {
                DeclarationKind::Letting(value) if value.ty == Type::Bool => {
                    // Each use of the letting has its own local decision variables.
                    match self.lettings.insert(*id) || lowering.model.has_local_finds_in(value) {
                        true => self.constraint(lowering, value, context),
                        false => Ok(()),
                    }
                }
                _ => self.leaf(lowering, constraint, context),
            },
            _ => self.leaf(lowering, constraint, context),
        }
    }

    /// Takes the instances of a quantifier apart.
    fn instances(
        &mut self,
        lowering: &mut Lowering,
        comprehension: &Comprehension,
        whole: &Expr,
        context: &Context,
    ) -> LoweringResult<()> {
        let (bindings, entries, layers) = (self.bindings.len(), self.entries.len(), self.layers.len());
        let mut visit = |lowering: &mut Lowering, context: &Context| {
            for qualifier in &comprehension.qualifiers {
                self.enter(lowering, qualifier);
            }
            let lettings = std::mem::take(&mut self.lettings);
            let result = self.constraint(lowering, &comprehension.body, context);
            self.lettings = lettings;
            self.bindings.truncate(bindings);
            self.entries.truncate(entries);
            self.layers.truncate(layers);
            result
        };
        let (defined, mut demanded) =
            with_demands(lowering, |lowering| lowering.instances(comprehension, whole.span, context, &mut visit))?;
        demanded.push(!context.guard_and(&mut lowering.symbolic.problem, &[!defined]));
        let has_value = lowering.symbolic.problem.and(demanded);
        self.defined(whole, has_value);
        Ok(())
    }

    /// Records a qualifier as a layer, and the bindings of its names.
    fn enter(&mut self, lowering: &Lowering, qualifier: &Qualifier) {
        let copy = self.qualifiers.entry(std::ptr::from_ref(qualifier)).or_insert_with(|| Arc::new(qualifier.clone()));
        self.layers.push(EnclosingLayer::Qualifier(copy.clone()));
        let (Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _)) = qualifier else { return };
        pattern.names(&mut |local| self.bindings.push((local, lowering.environment.local(local).cloned())));
        if let Qualifier::Generator(pattern, GeneratorRange::Members(collection)) = qualifier
            && collection.category < Category::Decision
            && let Some(member) = bound_constant(pattern, lowering)
        {
            let collection = self.copy(collection);
            let bindings = self.bindings.clone().into();
            self.entries.push(KnownMember { collection, member, bindings });
        }
    }

    fn leaf(&mut self, lowering: &mut Lowering, constraint: &Expr, context: &Context) -> LoweringResult<()> {
        let (condition, mut demanded) = with_demands(lowering, |lowering| lowering.condition(constraint, context))?;
        let problem = &mut lowering.symbolic.problem;
        demanded.push(!context.guard_and(problem, &[!condition]));
        let condition = problem.and(demanded);
        if condition == Bool::TRUE {
            return Ok(());
        }
        let next = self.requirements.len();
        let layers = self.layers.iter().map(EnclosingLayer::address).collect();
        let instance = (std::ptr::from_ref(constraint), self.bindings.clone(), layers);
        let known = *self.known.entry(instance).or_insert(next);
        // Names that depend on decisions have other values in this visit, so both conditions must hold.
        if let Some(requirement) = self.requirements.get_mut(known) {
            requirement.condition = lowering.symbolic.problem.and([requirement.condition, condition]);
            return Ok(());
        }
        // Under a guard, the term depends on more than the number.
        let always = context.guard(&mut lowering.symbolic.problem) == Bool::TRUE;
        let bound = if always { lowering.bound(constraint, context)? } else { None };
        let origin = RequirementOrigin::Constraint {
            expr: self.copy(constraint),
            bindings: self.bindings.clone(),
            entries: self.entries.clone(),
            context: self.layers.clone(),
        };
        let mut needs = Vec::new();
        if self.with_needs {
            self.needs(lowering, constraint, context, &mut needs)?;
        }
        self.requirements.push(Requirement { origin, condition, bound, needs });
        Ok(())
    }

    /// Collects the parts of an expression that must be defined. Boolean parts are left out, because they are false
    /// instead of undefined.
    fn needs(
        &mut self,
        lowering: &mut Lowering,
        expr: &Expr,
        context: &Context,
        found: &mut Vec<RequiredValue>,
    ) -> LoweringResult<()> {
        // A sum may contain thousands of lookups, so the number of parts is limited for each requirement.
        if found.len() >= MOST_NEEDS || !may_lack_value(expr) {
            return Ok(());
        }
        match &expr.kind {
            ExprKind::Comprehension(comprehension) => {
                return self.needs_of_elements(lowering, comprehension, context, found);
            }
            // The conditions of a bubble belong to its own requirement, and `catchUndef` catches undefined values
            // inside.
            ExprKind::Bubble(_) => return Ok(()),
            ExprKind::Apply(operator, _) if operator.catches_undefined => return Ok(()),
            _ => {}
        }
        let mut parts = Vec::new();
        expr.for_each_part(&mut |part| parts.push(part));
        for part in parts.into_iter().filter(|part| !part.ty.is_boolean()) {
            self.needs(lowering, part, context, found)?;
        }
        if is_partial(expr) && !expr.ty.is_boolean() {
            let (value, _) = with_demands(lowering, |lowering| lowering.expression(expr, &context.mixed()))?;
            let defined = !context.guard_and(&mut lowering.symbolic.problem, &[!value.defined]);
            if defined != Bool::TRUE {
                found.push(RequiredValue { expr: self.copy(expr), bindings: self.bindings.clone(), defined });
            }
        }
        Ok(())
    }

    /// Collects the parts of the elements of a list that must be defined, unless a condition on decisions may leave out
    /// elements.
    fn needs_of_elements(
        &mut self,
        lowering: &mut Lowering,
        comprehension: &Comprehension,
        context: &Context,
        found: &mut Vec<RequiredValue>,
    ) -> LoweringResult<()> {
        let is_known = |qualifier: &Qualifier| {
            let mut known = true;
            qualifier.for_each_part(&mut |part| known &= part.category < Category::Decision);
            known
        };
        if comprehension.body.ty.is_boolean() || !comprehension.qualifiers.iter().all(is_known) {
            return Ok(());
        }
        let bindings = self.bindings.len();
        let mut visit = |lowering: &mut Lowering, context: &Context| {
            for qualifier in &comprehension.qualifiers {
                if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
                    pattern.names(&mut |local| self.bindings.push((local, lowering.environment.local(local).cloned())));
                }
            }
            let result = self.needs(lowering, &comprehension.body, context, found);
            self.bindings.truncate(bindings);
            result
        };
        let span = comprehension.body.span;
        with_demands(lowering, |lowering| lowering.instances(comprehension, span, context, &mut visit)).map(drop)
    }

    /// Requires a term to have this value. Each part of the value is one requirement.
    fn value(
        &mut self,
        lowering: &mut Lowering,
        variable: DeclarationId,
        path: &mut Vec<ValueStep>,
        term: &Term,
        value: &Value,
        ty: &Type,
    ) {
        let mut part = |recorder: &mut Self, step: ValueStep, term: &Term, value: &Value, ty: &Type| {
            path.push(step);
            recorder.value(lowering, variable, path, term, value, ty);
            path.pop();
        };
        match (value, ty) {
            (Value::Matrix(matrix), Type::Matrix(parts)) => {
                // A matrix with other indices is never equal to the value, so it gives one requirement that is false.
                if let Some((index, elements)) = term.as_matrix()
                    && *index == matrix.index
                {
                    for ((index, term), value) in index.members().zip(&elements).zip(&matrix.elements) {
                        part(self, ValueStep::Element(index), term, value, &parts[1]);
                    }
                    return;
                }
            }
            (Value::Tuple(values), Type::Tuple(types)) => {
                for (position, (value, ty)) in values.iter().zip(types.iter()).enumerate() {
                    part(self, ValueStep::Component(position), &term.item(position), value, ty);
                }
                return;
            }
            (Value::Tuple(values), Type::Record(fields)) => {
                for (position, (value, (_, ty))) in values.iter().zip(fields.iter()).enumerate() {
                    part(self, ValueStep::Component(position), &term.item(position), value, ty);
                }
                return;
            }
            _ => {}
        }
        let condition = lowering.symbolic.equal(term, &Term::Value(value.clone()));
        if condition != Bool::TRUE {
            let origin =
                RequirementOrigin::Value { variable, path: path.clone(), value: value.clone(), ty: ty.clone() };
            self.requirements.push(Requirement { origin, condition, bound: None, needs: Vec::new() });
        }
    }

    fn defined(&mut self, expr: &Expr, condition: Bool) {
        if condition != Bool::TRUE {
            let origin = RequirementOrigin::Defined {
                expr: self.copy(expr),
                bindings: self.bindings.clone(),
                context: self.layers.clone(),
            };
            self.requirements.push(Requirement { origin, condition, bound: None, needs: Vec::new() });
        }
    }
}

impl Lowering<'_> {
    /// Returns the bound that is stated by a comparison with a constant.
    fn bound(&mut self, constraint: &Expr, context: &Context) -> LoweringResult<Option<StatedBound>> {
        let ExprKind::Apply(operator, operands) = &constraint.kind else { return Ok(None) };
        let [left, right] = operands.as_slice() else { return Ok(None) };
        // If the constant is on the left, the sides change: `5 > x` is an upper bound of `x`.
        let turned = left.category < Category::Decision;
        let (subject, number) = if turned { (right, left) } else { (left, right) };
        if !matches!((&subject.ty, &number.ty), (Type::Int(_), Type::Int(_)))
            || subject.category < Category::Decision
            || number.category == Category::Decision
        {
            return Ok(None);
        }
        let Some((limit, strictly)) = operator.limit else { return Ok(None) };
        let side = if turned { limit.turned() } else { limit };
        let subject = self.expression(subject, &context.mixed())?;
        let number = self.expression(number, &context.mixed())?;
        // A number can be replaced only if it is constant under these bindings.
        let (Term::Int(_), Term::Value(Value::Int(number)), Bool::TRUE) = (subject.term, number.term, subject.defined)
        else {
            return Ok(None);
        };
        // A strict bound excludes its number: `x < 5` means at most 4.
        let offset = match side {
            Limit::AtMost if strictly => 1,
            Limit::AtLeast if strictly => -1,
            _ => 0,
        };
        Ok(Some(StatedBound { side, number: number - offset, offset }))
    }
}

/// The maximum number of parts that are collected for one requirement. Chosen.
const MOST_NEEDS: usize = 200;

/// The partial operators whose operands often depend on decisions; lookups are handled separately.
const PARTIAL: [OperatorSymbol; 5] = [symbols::DIVIDE, symbols::MODULO, symbols::POWER, symbols::MIN, symbols::MAX];

/// Returns true if an expression is undefined for some values of the decisions in its parts.
fn is_partial(expr: &Expr) -> bool {
    expr.category == Category::Decision
        && match &expr.kind {
            ExprKind::Apply(operator, operands) => match operator.lookup {
                // An index that is known and outside the matrix is reported elsewhere.
                Some(Lookup::Element) => operands[1].category == Category::Decision,
                Some(Lookup::Image) => true,
                None => PARTIAL.contains(&operator.symbol),
            },
            ExprKind::Alternative(..) => true,
            _ => false,
        }
}

/// Returns true if an expression has a part that may be undefined.
fn may_lack_value(expr: &Expr) -> bool {
    let mut found = is_partial(expr);
    expr.for_each_part(&mut |part| found = found || may_lack_value(part));
    found
}

/// Returns true if a constraint consists of several requirements.
fn has_parts(constraint: &Expr) -> bool {
    match &constraint.kind {
        ExprKind::Apply(operator, parts) => {
            operator.is_implication() && has_parts(&parts[1])
                || operator.is_conjunction()
                    && (parts.len() > 1 || matches!(parts[0].kind, ExprKind::Comprehension(_) | ExprKind::Matrix(..)))
        }
        _ => false,
    }
}

/// Returns the constant to which a pattern is bound if all of its parts have names.
fn bound_constant(pattern: &Pattern, lowering: &Lowering) -> Option<Value> {
    let all = |patterns: &[Pattern]| -> Option<Vec<Value>> {
        patterns.iter().map(|pattern| bound_constant(pattern, lowering)).collect()
    };
    match pattern {
        Pattern::Name(local) => lowering.environment.local(*local).cloned(),
        Pattern::Wildcard => None,
        Pattern::Parts(form, patterns) => {
            let parts = all(patterns)?;
            Some(match form {
                PatternForm::Tuple => Value::tuple(parts),
                PatternForm::Matrix => Value::list(parts),
                PatternForm::Members => Value::set(parts),
            })
        }
    }
}
