//! Indices and arguments out of range, and operators without a result, such as division by 0: the surrounding condition
//! is false.
//!
//! An index that is not in range by its domain is checked in all instances of the surrounding quantifiers, as far as
//! the data determine these. Instances that the data never reach are skipped, such as `i = 1` for `x[i - 1]` in `i > 1
//! -> x[i - 1] < x[i]`. There are two reasons to warn: a constraint requires an undefined part, so it cannot hold; or
//! an index is out of range in all instances.

use super::{
    outside::{IndexUse, OutsideIndex, SuspectPart, evaluate_known},
    reach::{Reach, RequiringPart},
};
use crate::{
    analysis::model::{
        Category, Declaration, DeclarationId, DeclarationKind, Expr, ExprKind, Qualifier, expressions_in_domain,
    },
    diagnostic::{Diagnostic, Diagnostics},
    instance::{
        Environment, GroundInstance, IndexPlaces, bind, domain_of, evaluate, generate, has_result, places, unbind,
        why_undefined,
    },
    language::{GroundDomain, IntSet, Stop, Type, Value, print::MemberNames},
    operators::{Lookup, Operator},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The limit on bindings of quantified names. Chosen.
const MOST_BINDINGS: u64 = 100_000;
/// The minimum number of instances for which an index that is always out of range cannot be an accident of the data.
/// Chosen.
const ENOUGH: u64 = 2;

/// Warns about indices out of range in the constraints, the objective, and the domains of decision variables.
pub(super) fn warn_of_indices(instance: &GroundInstance, found: &mut Diagnostics) {
    let model = &*instance.model;
    let mut roots: Vec<(&Expr, RequiringPart)> = Vec::new();
    for declaration in &model.declarations {
        if let DeclarationKind::Find(domain) = &declaration.kind {
            expressions_in_domain(domain, &mut |expr| roots.push((expr, RequiringPart::Domain)));
        }
    }
    roots.extend(model.constraints.iter().map(|constraint| (constraint, RequiringPart::Constraint)));
    roots.extend(model.objective.iter().map(|objective| (&objective.value, RequiringPart::Objective)));
    let mut search = IndexSearch {
        declarations: &model.declarations,
        env: instance.environment.clone(),
        names: &instance.names,
        suspects: FxHashMap::default(),
        leads: FxHashSet::default(),
        lettings: FxHashMap::default(),
        visited: FxHashMap::default(),
        left: MOST_BINDINGS,
    };
    for (root, asker) in roots {
        // The bindings are enumerated only if the expression contains something suspicious.
        if search.scan(root) {
            search.visit(root, Reach::Required(asker));
        }
    }
    let mut suspects: Vec<Suspect> = search.suspects.into_values().collect();
    suspects.sort_by_key(|suspect| suspect.part.expr().span);
    let enumerated = search.left > 0;
    found.extend(suspects.into_iter().filter_map(|suspect| suspect.warning(enumerated)));
}

/// An index that may be out of range, or an operation that may have no result.
struct Suspect<'m> {
    part: SuspectPart<'m>,
    /// The number of instances that reach the part, and the number of those that are out of range.
    reached: u64,
    outside: u64,
    /// True if some instance could not be decided.
    unclear: bool,
    /// The first instance out of range; an instance in a required part takes precedence.
    case: Option<OutsideIndex>,
    /// The least and the greatest integer out of range.
    ends: Option<(i64, i64)>,
}

struct IndexSearch<'m> {
    declarations: &'m [Declaration],
    env: Environment,
    names: &'m MemberNames,
    /// The suspects by the keys of their parts.
    suspects: FxHashMap<(*const Expr, bool), Suspect<'m>>,
    /// The expressions that contain suspects.
    leads: FxHashSet<*const Expr>,
    /// The scanned lettings, with true for those that contain suspects.
    lettings: FxHashMap<DeclarationId, bool>,
    /// The visited lettings, each with its highest reach.
    visited: FxHashMap<DeclarationId, Reach>,
    left: u64,
}

impl<'m> IndexSearch<'m> {
    /// Collects the parts that may be undefined; returns true if there are any.
    fn scan(&mut self, expr: &'m Expr) -> bool {
        let mut any = false;
        if let Some(value) = self.letting(expr) {
            let ExprKind::Global(id) = expr.kind else { return false };
            // A letting may have many uses, but is scanned once.
            any = match self.lettings.get(&id) {
                Some(any) => *any,
                None => {
                    let any = self.scan(value);
                    self.lettings.insert(id, any);
                    any
                }
            };
        }
        for asked in IndexUse::of(expr) {
            if self.is_suspect(&asked) {
                any = true;
                self.suspect(SuspectPart::Index(asked.index));
            }
        }
        if is_suspicious(expr) {
            any = true;
            self.suspect(SuspectPart::Operation(expr));
        }
        expr.for_each_part(&mut |part| any |= self.scan(part));
        if any {
            self.leads.insert(expr);
        }
        any
    }

    fn suspect(&mut self, part: SuspectPart<'m>) {
        let new = Suspect { part, reached: 0, outside: 0, unclear: false, case: None, ends: None };
        self.suspects.insert(part.key(), new);
    }

    fn letting(&self, expr: &Expr) -> Option<&'m Expr> {
        let ExprKind::Global(id) = expr.kind else { return None };
        match &self.declarations[id.0 as usize].kind {
            DeclarationKind::Letting(value) => Some(value),
            _ => None,
        }
    }

    fn is_suspect(&mut self, asked: &IndexUse) -> bool {
        match places(asked.collection, asked.depth, &mut self.env) {
            Some(places) => {
                let at = domain_of(asked.index, &mut self.env);
                !places.domain().is_some_and(|places| are_among(&places, &at))
            }
            // The collection depends on quantified names, whose values are not known here.
            None => asked.collection.category == Category::Quantified,
        }
    }

    fn visit(&mut self, expr: &'m Expr, reach: Reach) {
        if !self.leads.contains(&std::ptr::from_ref(expr)) {
            return;
        }
        if let Some(value) = self.letting(expr) {
            let ExprKind::Global(id) = expr.kind else { return };
            // The result for a letting does not depend on its use, and a chain of lettings has exponentially many uses.
            let visited = self.visited.get(&id).copied();
            if visited.is_none_or(|visited| visited < reach) {
                self.visited.insert(id, reach);
                self.visit(value, reach);
            }
            return;
        }
        for asked in IndexUse::of(expr) {
            if self.suspects.contains_key(&SuspectPart::Index(asked.index).key()) {
                self.record(&asked, reach);
            }
        }
        if self.suspects.contains_key(&SuspectPart::Operation(expr).key()) {
            self.record_operation(expr, reach);
        }
        match &expr.kind {
            ExprKind::Apply(row, operands) => self.operands(row, operands, reach),
            ExprKind::Comprehension(comprehension) => {
                self.bindings(&comprehension.qualifiers, &comprehension.body, reach);
                unbind(&comprehension.qualifiers, &mut self.env);
            }
            // If its conditions do not hold, a bubble is undefined.
            ExprKind::Bubble(_) => expr.for_each_part(&mut |part| self.visit(part, Reach::Guarded)),
            _ => expr.for_each_part(&mut |part| self.visit(part, reach)),
        }
    }

    fn operands(&mut self, row: &Operator, operands: &'m [Expr], reach: Reach) {
        let truths: Vec<Option<bool>> = operands.iter().map(|operand| self.truth(operand)).collect();
        for (position, operand) in operands.iter().enumerate() {
            if let Some(reach) = reach.of_operand(row, &truths, position, &operand.ty) {
                self.visit(operand, reach);
            }
        }
    }

    /// The truth of a condition on data; `None` if it depends on decisions or is undefined.
    fn truth(&mut self, condition: &Expr) -> Option<bool> {
        if condition.ty != Type::Bool || condition.category == Category::Decision {
            return None;
        }
        evaluate(condition, &mut self.env).ok().map(|value| value.as_bool())
    }

    /// Visits the body of a comprehension for all bindings of its names.
    fn bindings(&mut self, qualifiers: &'m [Qualifier], body: &'m Expr, reach: Reach) {
        let Some((first, rest)) = qualifiers.split_first() else { return self.visit(body, reach) };
        match first {
            Qualifier::Condition(condition) => {
                self.visit(condition, reach.of_boolean_part());
                match self.truth(condition) {
                    Some(true) => self.bindings(rest, body, reach),
                    Some(false) => {}
                    None => self.bindings(rest, body, Reach::Guarded),
                }
            }
            Qualifier::Letting(pattern, value) => {
                // If the value is undefined, only its uses are undefined.
                self.visit(value, reach.of_boolean_part());
                match evaluate_known(value, &mut self.env) {
                    Some(value) if !bind(pattern, &value, &mut self.env) => return,
                    Some(_) => {}
                    None => pattern.names(&mut |name| self.env.unbind_local(name)),
                }
                self.bindings(rest, body, reach);
            }
            Qualifier::Generator(pattern, over) => {
                first.for_each_part(&mut |part| self.visit(part, reach));
                let mut is_known = true;
                first.for_each_part(&mut |part| is_known &= part.category < Category::Decision);
                let values = if is_known { generate(pattern, over, &mut self.env).ok() } else { None };
                let Some((values, _)) = values else {
                    pattern.names(&mut |name| self.env.unbind_local(name));
                    // If the generator is undefined, it reaches nothing.
                    if !is_known {
                        self.bindings(rest, body, reach.of_boolean_part());
                    }
                    return;
                };
                for value in values {
                    if self.left == 0 {
                        return;
                    }
                    self.left -= 1;
                    if bind(pattern, &value, &mut self.env) {
                        self.bindings(rest, body, reach);
                    }
                }
            }
        }
    }

    /// Records an instance of an index.
    fn record(&mut self, asked: &IndexUse<'m>, reach: Reach) {
        if !self.may_exist(asked.collection) {
            // An earlier index is out of range; it gets its own warning.
            return;
        }
        let places = places(asked.collection, asked.depth, &mut self.env);
        let values = places.as_ref().and_then(|places| self.outside(asked.index, places, reach));
        let key = SuspectPart::Index(asked.index).key();
        let Some(suspect) = self.suspects.get_mut(&key) else { return };
        suspect.reached += 1;
        let Some(values) = values else {
            suspect.unclear = true;
            return;
        };
        let Some(value) = values.first().cloned() else { return };
        suspect.outside += 1;
        for value in &values {
            if let Value::Int(value) = value {
                let (first, last) = suspect.ends.unwrap_or((*value, *value));
                suspect.ends = Some((first.min(*value), last.max(*value)));
            }
        }
        if is_news(suspect, reach)
            && let Some(places) = places
        {
            let case = OutsideIndex::new(asked, &value, &places, reach, &mut self.env, self.names);
            self.suspects.entry(key).and_modify(|suspect| suspect.case = Some(case));
        }
    }

    /// Records an instance of an operation.
    fn record_operation(&mut self, expr: &'m Expr, reach: Reach) {
        let has_result = has_result(expr, &mut self.env);
        let key = SuspectPart::Operation(expr).key();
        let Some(suspect) = self.suspects.get_mut(&key) else { return };
        suspect.reached += 1;
        suspect.unclear |= has_result.is_none();
        if has_result != Some(false) {
            return;
        }
        suspect.outside += 1;
        if is_news(suspect, reach) {
            let case = OutsideIndex::of_operation(expr, reach, &mut self.env, self.names);
            self.suspects.entry(key).and_modify(|suspect| suspect.case = Some(case));
        }
    }

    /// Returns false if an index before the last one is out of range, so that there is no row.
    fn may_exist(&mut self, row: &Expr) -> bool {
        match &row.kind {
            ExprKind::Apply(operator, operands) if operator.lookup == Some(Lookup::Element) => match &operands[..] {
                [matrix, index] => {
                    let is_outside = places(matrix, 0, &mut self.env)
                        .zip(evaluate_known(index, &mut self.env))
                        .is_some_and(|(places, index)| !places.contain(&index));
                    !is_outside && self.may_exist(matrix)
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// The value of an index out of range, or the least and the greatest one if decisions determine it; empty if it is
    /// in range, `None` if that is unknown.
    fn outside(&mut self, index: &Expr, places: &IndexPlaces, reach: Reach) -> Option<Vec<Value>> {
        if index.category < Category::Decision {
            let value = evaluate(index, &mut self.env).ok()?;
            return Some(if places.contain(&value) { Vec::new() } else { vec![value] });
        }
        let (GroundDomain::Int(values), GroundDomain::Int(known)) = (domain_of(index, &mut self.env), places.domain()?)
        else {
            return None;
        };
        let is_outside = reach > Reach::Guarded && values.is_finite() && values.intersect(&known).is_empty();
        let ends = IntSet::min(&values).zip(IntSet::max(&values)).filter(|_| is_outside);
        ends.map(|(first, last)| vec![Value::Int(first), Value::Int(last)])
    }
}

impl Suspect<'_> {
    /// The warning, if the index is out of range in a required part or in all instances.
    fn warning(self, is_complete: bool) -> Option<Diagnostic> {
        let case = self.case?;
        let always = is_complete && !self.unclear && self.outside == self.reached;
        if case.reach <= Reach::Reached && !(always && (self.outside >= ENOUGH || !case.is_quantified)) {
            return None;
        }
        Some(case.warning(&self.part, self.ends, always))
    }
}

/// Returns true if a new instance out of range should replace the recorded one.
fn is_news(suspect: &Suspect, reach: Reach) -> bool {
    suspect.case.as_ref().is_none_or(|case| case.reach < reach && case.reach <= Reach::Reached)
}

/// Returns true for operations that may have no result, and alternatives that may not be active.
fn is_suspicious(expr: &Expr) -> bool {
    let (operator, operands) = match &expr.kind {
        ExprKind::Apply(operator, operands) => (operator, operands),
        ExprKind::Alternative(variant, _) => return variant.category < Category::Decision,
        _ => return false,
    };
    if operator.lookup.is_some() || why_undefined(expr).is_none() {
        return false;
    }
    match operands.last().map(|operand| &operand.kind) {
        Some(ExprKind::Constant(value)) => {
            // The last operand shows the reason whatever the first one is, as 0 does in `x / 0`.
            let values = if operands.len() > 1 { vec![Value::Int(1), value.clone()] } else { vec![value.clone()] };
            (operator.eval)(&values) == Err(Stop::Undefined)
        }
        Some(ExprKind::Matrix(elements, _) | ExprKind::Collection(_, elements)) => elements.is_empty(),
        _ => true,
    }
}

/// Returns true if all values of a domain are known to be among these places.
fn are_among(places: &GroundDomain, values: &GroundDomain) -> bool {
    match (places, values) {
        (GroundDomain::Int(places), GroundDomain::Int(values)) => values.is_subset(places),
        (GroundDomain::Bool, _) => true,
        (GroundDomain::Tuple(places), GroundDomain::Tuple(values)) => {
            places.len() == values.len() && places.iter().zip(values).all(|(places, values)| are_among(places, values))
        }
        _ => false,
    }
}
