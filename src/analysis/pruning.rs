//! Finds where the bindings of a comprehension can be cut before all names are bound: conditions that can be checked
//! earlier than they are written, equations that leave few values for a name, and comparisons that bound it.
//!
//! Lowering uses the parts that do not depend on decisions, the evaluator uses all. The conditions also stay where they
//! are written, so a comprehension means the same without its [`Pruning`]. A condition moves before a generator only if
//! the range of this generator is always defined: an undefined range makes the whole comprehension undefined, and the
//! condition would hide that.
//!
//! A new kind of narrowing is a variant of [`Narrowing`], found in [`Narrowing::of`] and followed in
//! `instance/pruning.rs`.

use super::model::{
    Comprehension, DeclarationKind, Expr, ExprDomain, ExprKind, GeneratorBound, GeneratorRange, Ints, LocalId,
    LocalOrigin, Narrowing, Pattern, Pruning, Qualifier, Range, SignedSummand, TypedModel,
};
use crate::{language::Type, operators::symbols};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Comprehension {
    /// Returns the comprehension with its pruning.
    pub(crate) fn new(body: Expr, qualifiers: Vec<Qualifier>, model: &TypedModel) -> Self {
        let pruning = |guards: &[&Expr]| Pruning::of(&qualifiers, guards, model).map(Arc::new);
        let pruning_under = guards(&body).and_then(|(absorbing, guards)| Some((absorbing, pruning(&guards)?)));
        Comprehension { pruning: pruning(&[]), pruning_under, body, qualifiers }
    }
}

impl Pruning {
    /// Returns the pruning by the conditions among the qualifiers and by `guards` after them; `None` if there is none.
    fn of(qualifiers: &[Qualifier], guards: &[&Expr], model: &TypedModel) -> Option<Pruning> {
        let names = NamePositions::of(qualifiers);
        let count = qualifiers.len();
        let mut pruning = Pruning {
            checks: vec![Vec::new(); count + 1],
            narrowings: vec![None; count],
            bounds: vec![Vec::new(); count],
        };
        for (written, qualifier) in qualifiers.iter().enumerate() {
            if let Qualifier::Condition(condition) = qualifier {
                pruning.add(condition, written, qualifiers, &names, model);
            }
        }
        for guard in guards {
            pruning.add(guard, qualifiers.len(), qualifiers, &names, model);
        }
        let cuts = pruning.checks.iter().any(|checks| !checks.is_empty())
            || pruning.narrowings.iter().any(Option::is_some)
            || pruning.bounds.iter().any(|bounds| !bounds.is_empty());
        cuts.then_some(pruning)
    }

    /// Adds a condition that is written before the qualifier at `written`, or each part of a conjunction.
    fn add(
        &mut self,
        condition: &Expr,
        written: usize,
        qualifiers: &[Qualifier],
        names: &NamePositions,
        model: &TypedModel,
    ) {
        if let ExprKind::Apply(operator, parts) = &condition.kind
            && operator.symbol == symbols::AND
        {
            return parts.iter().for_each(|part| self.add(part, written, qualifiers, names, model));
        }
        // A condition can be checked after the last qualifier that binds one of its names, but not earlier.
        let earliest = names.last_in(condition);
        let first = earliest.map_or(0, |position| position + 1);
        if first > written {
            return;
        }
        // If the range of a generator may be undefined, the condition must not move before it.
        let between = &qualifiers[first..written];
        let place = between.iter().rposition(|one| !is_surely_defined(one, model)).map_or(first, |at| first + at + 1);
        // A condition narrows the name that is bound last before it only if it reaches its earliest position.
        if let Some(position) = earliest.filter(|_| place == first)
            && let Some(Qualifier::Generator(Pattern::Name(name), GeneratorRange::Domain(ExprDomain::Int(_)))) =
                qualifiers.get(position)
        {
            self.bounds[position].extend(GeneratorBound::of(condition, *name, names));
            let narrowing = &mut self.narrowings[position];
            *narrowing = narrowing.take().or_else(|| Narrowing::of(condition, *name, names));
        }
        // Moving the condition only across other conditions saves nothing.
        if qualifiers[place..written].iter().any(|one| !matches!(one, Qualifier::Condition(_))) {
            self.checks[place].push(condition.clone());
        }
    }
}

/// The qualifier that binds each name.
struct NamePositions(FxHashMap<LocalId, usize>);

impl NamePositions {
    fn of(qualifiers: &[Qualifier]) -> Self {
        let mut names = FxHashMap::default();
        for (position, qualifier) in qualifiers.iter().enumerate() {
            if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
                pattern.names(&mut |name| {
                    names.insert(name, position);
                });
            }
        }
        NamePositions(names)
    }

    /// The last qualifier that binds a name of the expression.
    fn last_in(&self, expr: &Expr) -> Option<usize> {
        let mut last = None;
        for_each_local(expr, &mut |name| last = last.max(self.0.get(&name).copied()));
        last
    }

    /// Classifies the use of a name in an expression.
    fn use_of(&self, name: LocalId, expr: &Expr) -> NameUse {
        let (mut has_name, mut has_others) = (false, false);
        for_each_local(expr, &mut |local| {
            has_name |= local == name;
            has_others |= local != name && self.0.contains_key(&local);
        });
        match (has_name, has_others) {
            (false, _) => NameUse::Without,
            (true, false) => NameUse::Alone,
            (true, true) => NameUse::WithOthers,
        }
    }
}

/// The use of a name in an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameUse {
    Without,
    /// The expression mentions the name and no other name of the comprehension.
    Alone,
    WithOthers,
}

fn for_each_local(expr: &Expr, visit: &mut dyn FnMut(LocalId)) {
    if let ExprKind::Local(name) = expr.kind {
        visit(name);
    }
    expr.for_each_part(&mut |part| for_each_local(part, visit));
}

impl Narrowing {
    /// Returns the narrowing of a name by a condition whose other names are all bound before it.
    fn of(condition: &Expr, name: LocalId, names: &NamePositions) -> Option<Narrowing> {
        let ExprKind::Apply(operator, operands) = &condition.kind else { return None };
        match (operator.symbol, operands.as_slice()) {
            (symbols::EQUAL, [left, right]) => Self::equation(left, right, name, names),
            (symbols::IN, [member, collection]) => match &member.kind {
                _ if member.is_local(name) => {
                    (names.use_of(name, collection) == NameUse::Without).then(|| Narrowing::Member(collection.clone()))
                }
                ExprKind::Tuple(items) => {
                    let at = items.iter().position(|item| item.is_local(name))?;
                    let mut others = items.iter().enumerate().filter(|(position, _)| *position != at);
                    let is_known = others.all(|(_, item)| names.use_of(name, item) == NameUse::Without);
                    let is_row = is_known && names.last_in(collection).is_none();
                    is_row.then(|| Narrowing::Row { items: items.clone(), at, collection: collection.clone() })
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn equation(left: &Expr, right: &Expr, name: LocalId, names: &NamePositions) -> Option<Narrowing> {
        // Only an equation of integers can have summands moved to its other side, with the opposite sign.
        let is_sum = matches!(left.ty, Type::Int(_));
        let (mut summands, mut own, mut others) = (Vec::new(), Vec::new(), Vec::new());
        add_summands(left, false, &mut summands);
        add_summands(right, is_sum, &mut summands);
        for SignedSummand { value, is_negative } in summands {
            match names.use_of(name, &value) {
                NameUse::Alone => own.push(SignedSummand { value, is_negative }),
                NameUse::Without => others.push(SignedSummand { value, is_negative: is_negative != is_sum }),
                NameUse::WithOthers => return None,
            }
        }
        // With a positive first summand, equal equations have the same form.
        if own.first().is_some_and(|first| first.is_negative) {
            let all = own.iter_mut().chain(&mut others);
            all.for_each(|summand| summand.is_negative = !summand.is_negative);
        }
        (!own.is_empty()).then_some(Narrowing::Equation { own, others })
    }
}

impl GeneratorBound {
    /// Returns the bound that a comparison gives a name, if its other names are bound before.
    fn of(condition: &Expr, name: LocalId, names: &NamePositions) -> Option<GeneratorBound> {
        let ExprKind::Apply(operator, operands) = &condition.kind else { return None };
        let [left, right] = operands.as_slice() else { return None };
        let (is_at_most, is_strict) = match operator.symbol {
            symbols::LESS => (true, true),
            symbols::AT_MOST => (true, false),
            symbols::GREATER => (false, true),
            symbols::AT_LEAST => (false, false),
            _ => return None,
        };
        if !matches!((&left.ty, &right.ty), (Type::Int(_), Type::Int(_))) {
            return None;
        }
        let mut others = Vec::new();
        add_summands(left, false, &mut others);
        add_summands(right, true, &mut others);
        let at = others.iter().position(|summand| summand.value.is_local(name))?;
        let own = others.remove(at);
        if others.iter().any(|summand| names.use_of(name, &summand.value) != NameUse::Without) {
            return None;
        }
        // In `name + others <= 0`, the negated sum is a bound of the name.
        if !own.is_negative {
            others.iter_mut().for_each(|summand| summand.is_negative = !summand.is_negative);
        }
        Some(GeneratorBound { is_upper: is_at_most != own.is_negative, is_strict, others })
    }
}

/// Adds the summands of an integer expression, or the expression itself.
fn add_summands(expr: &Expr, is_negative: bool, found: &mut Vec<SignedSummand>) {
    if let (ExprKind::Apply(operator, operands), Type::Int(_)) = (&expr.kind, &expr.ty) {
        match (operator.symbol, operands.as_slice()) {
            (symbols::PLUS, [left, right]) => {
                add_summands(left, is_negative, found);
                return add_summands(right, is_negative, found);
            }
            (symbols::MINUS, [left, right]) => {
                add_summands(left, is_negative, found);
                return add_summands(right, !is_negative, found);
            }
            (symbols::NEGATE, [inner]) => return add_summands(inner, !is_negative, found),
            _ => {}
        }
    }
    found.push(SignedSummand { value: expr.clone(), is_negative });
}

/// Returns conditions for the body of a comprehension to matter, with the absorbing element of the operator around the
/// comprehension: if a condition is false, the body is the operator's neutral element. Under `and`, these are the
/// premises of an implication; under `or`, the operands of a conjunction.
fn guards(body: &Expr) -> Option<(bool, Vec<&Expr>)> {
    let ExprKind::Apply(operator, operands) = &body.kind else { return None };
    match (operator.symbol, operands.as_slice()) {
        (symbols::IMPLIES, [condition, inner]) => {
            let inner = guards(inner).filter(|(absorbing, _)| !absorbing);
            Some((false, std::iter::once(condition).chain(inner.into_iter().flat_map(|(_, more)| more)).collect()))
        }
        (symbols::AND, operands) => Some((true, operands.iter().collect())),
        _ => None,
    }
}

/// Returns true if the range of a qualifier is defined whatever its names stand for. May return false for a defined
/// range.
pub(crate) fn is_surely_defined(qualifier: &Qualifier, model: &TypedModel) -> bool {
    let has_value = |expr: &Expr| has_value(expr, model);
    match qualifier {
        Qualifier::Condition(_) | Qualifier::Letting(..) => true,
        Qualifier::Generator(_, GeneratorRange::Members(value) | GeneratorRange::Subsets(value)) => has_value(value),
        Qualifier::Generator(_, GeneratorRange::Domain(domain)) => match domain {
            ExprDomain::Bool => true,
            ExprDomain::Int(Ints::Ranges(ranges) | Ints::Named(_, ranges)) => ranges.iter().all(|range| match range {
                Range::Single(value) => has_value(value),
                Range::Interval(low, high) => low.iter().chain(high).all(has_value),
            }),
            _ => false,
        },
    }
}

fn has_value(expr: &Expr, model: &TypedModel) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) => true,
        ExprKind::Global(id) => match &model.declaration(*id).kind {
            DeclarationKind::Letting(value) => has_value(value, model),
            _ => true,
        },
        // The name of a generator always has a value, but the value of a `letting` inside may be undefined.
        ExprKind::Local(name) => matches!(model.locals[name.0 as usize], LocalOrigin::Domain(_)),
        ExprKind::Apply(operator, operands) => {
            expr.ty == Type::Bool || operator.is_total && operands.iter().all(|operand| has_value(operand, model))
        }
        _ => expr.ty == Type::Bool,
    }
}
