//! Indices and arguments at which there is nothing: what asks for them is false.
//!
//! An index that its domain does not show to be in range is looked at in all instances of the quantifiers around it,
//! as far as the data determine these. What the data never reach is left out, such as `x[i - 1]` in `i > 1 -> x[i - 1]
//! < x[i]` for `i = 1`. There are two reasons to warn: a constraint requires something that is undefined, so it cannot
//! hold; or an index is outside in all instances.

use crate::{
    analysis::model::{
        Category, Declaration, DeclarationId, DeclarationKind, Expr, ExprKind, Index, LocalId, Qualifier,
        expressions_in_domain,
    },
    diagnostic::{Code, Diagnostic, Diagnostics},
    instance::{Environment, GroundInstance, IndexPlaces, PlaceKind, bind, domain_of, evaluate, generate, places},
    language::{GroundDomain, IntSet, Type, Value, print::MemberNames},
    operators::{Lookup, Operator},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of bindings of quantified names that are looked at.
const MOST_BINDINGS: u64 = 100_000;
/// From this number of instances on, it is not a coincidence of the data that an index is always outside.
const ENOUGH: u64 = 2;

/// Warns of indices outside in the constraints, the objective, and the domains of decision variables.
pub(super) fn warn(instance: &GroundInstance, found: &mut Diagnostics) {
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
        left: MOST_BINDINGS,
    };
    for (root, asker) in roots {
        if search.scan(root) {
            search.visit(root, Reach::Required(asker));
        }
    }
    let mut suspects: Vec<Suspect> = search.suspects.into_values().collect();
    suspects.sort_by_key(|suspect| suspect.index.span);
    let enumerated = search.left > 0;
    found.extend(suspects.into_iter().filter_map(|suspect| suspect.warning(enumerated)));
}

/// Who asks for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RequiringPart {
    Constraint,
    Objective,
    Domain,
}

/// How an expression is reached in an instance of the quantifiers around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Perhaps not at all: decisions guard it.
    Guarded,
    Reached,
    /// If it is undefined, so that the nearest Boolean expression is false, there is no solution.
    Required(RequiringPart),
}

impl Reach {
    /// How a part is reached whose truth alone decides nothing.
    fn of_boolean_part(self) -> Self {
        self.min(Reach::Reached)
    }
}

/// Something looked up at one index.
#[derive(Clone, Copy)]
struct IndexUse<'m> {
    /// The expression that looks it up.
    whole: &'m Expr,
    collection: &'m Expr,
    /// The number of indices before this one in the same brackets.
    depth: usize,
    index: &'m Expr,
    /// The number of indices that a matrix has after this one.
    further: usize,
}

/// An index that may be outside.
struct Suspect<'m> {
    index: &'m Expr,
    /// The number of instances that reach it, and of those in which it is outside.
    reached: u64,
    outside: u64,
    /// Whether some instance could not be told.
    unclear: bool,
    /// The first instance outside, and who requires it; one that is required comes first.
    case: Option<OutsideIndex>,
    /// The least and the greatest integer outside.
    ends: Option<(i64, i64)>,
}

struct IndexSearch<'m> {
    declarations: &'m [Declaration],
    env: Environment,
    names: &'m MemberNames,
    /// By the addresses of the indices.
    suspects: FxHashMap<*const Expr, Suspect<'m>>,
    /// The expressions with suspects inside.
    leads: FxHashSet<*const Expr>,
    /// The lettings that were looked at, with whether there are suspects inside.
    lettings: FxHashMap<DeclarationId, bool>,
    left: u64,
}

impl<'m> IndexSearch<'m> {
    /// Collects the indices that may be outside; whether there are some.
    fn scan(&mut self, expr: &'m Expr) -> bool {
        let mut any = false;
        if let Some(value) = self.letting(expr) {
            let ExprKind::Global(id) = expr.kind else { return false };
            any = match self.lettings.get(&id) {
                Some(any) => *any,
                None => {
                    let any = self.scan(value);
                    self.lettings.insert(id, any);
                    any
                }
            };
        }
        for asked in uses(expr) {
            if self.is_suspect(&asked) {
                any = true;
                self.suspects.insert(asked.index, Suspect::new(asked.index));
            }
        }
        expr.for_each_part(&mut |part| any |= self.scan(part));
        if any {
            self.leads.insert(expr);
        }
        any
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
                !places.domain().is_some_and(|places| covers(&places, &at))
            }
            // Its names have no values here.
            None => asked.collection.category == Category::Quantified,
        }
    }

    fn visit(&mut self, expr: &'m Expr, reach: Reach) {
        if !self.leads.contains(&std::ptr::from_ref(expr)) {
            return;
        }
        if let Some(value) = self.letting(expr) {
            return self.visit(value, reach);
        }
        for asked in uses(expr) {
            if self.suspects.contains_key(&std::ptr::from_ref(asked.index)) {
                self.record(&asked, reach);
            }
        }
        match &expr.kind {
            ExprKind::Apply(row, operands) => self.operands(row, operands, reach),
            ExprKind::Comprehension(comprehension) => {
                let mut names = Vec::new();
                for qualifier in &comprehension.qualifiers {
                    if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
                        pattern.names(&mut |name| names.push(name));
                    }
                }
                self.bindings(&comprehension.qualifiers, &comprehension.body, reach);
                names.into_iter().for_each(|name| self.env.unbind_local(name));
            }
            // What its conditions do not allow is undefined.
            ExprKind::Bubble(_) => expr.for_each_part(&mut |part| self.visit(part, Reach::Guarded)),
            _ => expr.for_each_part(&mut |part| self.visit(part, reach)),
        }
    }

    fn operands(&mut self, row: &Operator, operands: &'m [Expr], reach: Reach) {
        let truths: Vec<Option<bool>> = operands.iter().map(|operand| self.truth(operand)).collect();
        for (position, operand) in operands.iter().enumerate() {
            if let Some(reach) = of_operand(row, &truths, position, &operand.ty, reach) {
                self.visit(operand, reach);
            }
        }
    }

    /// The truth of a condition on data.
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
                // Where the value is undefined, only its uses are.
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
                    // A generator that is undefined reaches nothing.
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

    /// Notes whether an index is outside in this instance.
    fn record(&mut self, asked: &IndexUse<'m>, reach: Reach) {
        if !self.may_exist(asked.collection) {
            // The index before this one is told.
            return;
        }
        let places = places(asked.collection, asked.depth, &mut self.env);
        let values = places.as_ref().and_then(|places| self.outside(asked.index, places, reach));
        let key = std::ptr::from_ref(asked.index);
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
        let is_news = suspect.case.as_ref().is_none_or(|case| case.reach < reach && case.reach <= Reach::Reached);
        if is_news && let Some(places) = places {
            let case = self.case(asked, &value, &places, reach);
            self.suspects.entry(key).and_modify(|suspect| suspect.case = Some(case));
        }
    }

    /// Whether a row that is indexed further may be there.
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

    /// The value of an index that is outside, or the least and the greatest one if decisions determine it; nothing if
    /// it is inside, `None` if that is not clear.
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

    fn case(&mut self, asked: &IndexUse, value: &Value, places: &IndexPlaces, reach: Reach) -> OutsideIndex {
        let mut locals = Vec::new();
        names_in(asked.collection, &mut locals);
        let in_collection = locals.len();
        names_in(asked.index, &mut locals);
        let is_quantified = locals.len() > in_collection;
        let model = self.env.model().clone();
        let mut bindings = Vec::new();
        for local in locals {
            let Some(declared) = model.local_names.get(local.0 as usize) else { continue };
            if let Some(value) = self.env.local(local) {
                let binding = format!("{} = {}", declared.name, self.names.show_briefly(value, &declared.ty));
                if !bindings.contains(&binding) {
                    bindings.push(binding);
                }
            }
        }
        let shown = self.names.show_briefly(value, &asked.index.ty);
        let warning = self.warning(asked, &shown, places);
        OutsideIndex { warning, reach, shown, bindings, is_quantified }
    }

    fn warning(&mut self, asked: &IndexUse, shown: &str, places: &IndexPlaces) -> Diagnostic {
        let (name, place) = match self.path(asked.collection) {
            Some((name, mut path)) => {
                path.extend((0..asked.depth).map(|_| "..".to_owned()));
                path.push(shown.to_owned());
                path.extend((0..asked.further).map(|_| "..".to_owned()));
                (name, if path.len() == 1 { path.remove(0) } else { format!("[{}]", path.join(", ")) })
            }
            None => (unnamed(asked.collection), shown.to_owned()),
        };
        let ty = &asked.index.ty;
        let domain = places.domain().map(|domain| self.names.domain(&domain, ty).on_one_line().to_string());
        let domain = domain.unwrap_or_default();
        let (message, label) = match places.kind() {
            Some(PlaceKind::Index) if place.starts_with('[') => {
                (format!("{name} has no element {place}"), format!("the indices at this position are `{domain}`"))
            }
            Some(PlaceKind::Argument) => {
                (format!("{name} has no image of {shown}"), format!("its arguments are `{domain}`"))
            }
            Some(PlaceKind::MappedArgument) => {
                let defined = places.shown(ty, self.names);
                let label = if defined.is_empty() { "nowhere".to_owned() } else { format!("only for {defined}") };
                (format!("{name} has no image of {shown}"), format!("it is defined {label}"))
            }
            Some(PlaceKind::Position) => {
                let last = match places.domain() {
                    Some(GroundDomain::Int(positions)) => IntSet::max(&positions),
                    _ => None,
                };
                let label = last.map(|last| format!("its members are counted from 1 to {last}"));
                let label = label.unwrap_or_else(|| "it has no members".to_owned());
                (format!("{name} has no member {shown}"), label)
            }
            _ => (format!("{name} has no element {place}"), format!("its indices are `{domain}`")),
        };
        let span = if asked.depth > 0 { asked.index.span } else { asked.whole.span };
        let warning = Diagnostic::warning(Code::NO_SUCH_ELEMENT, message).at(span, label);
        match (places.kind(), &asked.collection.kind, &asked.index.kind) {
            (Some(PlaceKind::Index), ExprKind::Constant(_), _) if shown == "0" => {
                warning.help("elements are counted from 1; to count from 0, write the indices: `[1, 2, 3; int(0..2)]`")
            }
            (Some(PlaceKind::MappedArgument), ExprKind::Global(_), ExprKind::Local(local)) => {
                let local = self.env.model().local_names.get(local.0 as usize).map(|local| local.name.clone());
                let local = local.unwrap_or_default();
                warning.help(format!(
                    "write `{local} in defined({}) -> …` to leave out the others",
                    name.trim_matches('`')
                ))
            }
            _ => warning,
        }
    }

    /// The name of what is indexed, and the indices before this one as far as they have values.
    fn path(&mut self, collection: &Expr) -> Option<(String, Vec<String>)> {
        match &collection.kind {
            ExprKind::Global(id) => Some((format!("`{}`", self.declarations[id.0 as usize].name), Vec::new())),
            ExprKind::Apply(row, operands) if row.lookup == Some(Lookup::Element) => {
                let [matrix, index] = &operands[..] else { return None };
                let (name, mut path) = self.path(matrix)?;
                let value = evaluate_known(index, &mut self.env)?;
                path.push(self.names.show_briefly(&value, &index.ty));
                Some((name, path))
            }
            _ => None,
        }
    }
}

/// An instance in which an index is outside.
struct OutsideIndex {
    warning: Diagnostic,
    reach: Reach,
    /// The index.
    shown: String,
    /// The values of the quantified names, `i = 4`.
    bindings: Vec<String>,
    /// Whether the index mentions a quantified name.
    is_quantified: bool,
}

impl<'m> Suspect<'m> {
    fn new(index: &'m Expr) -> Self {
        Suspect { index, reached: 0, outside: 0, unclear: false, case: None, ends: None }
    }

    /// The warning, if the index is outside where something requires it, or in all instances.
    fn warning(self, is_complete: bool) -> Option<Diagnostic> {
        let OutsideIndex { warning, reach, shown, bindings, is_quantified } = self.case?;
        let always = is_complete && !self.unclear && self.outside == self.reached;
        if reach <= Reach::Reached && !(always && (self.outside >= ENOUGH || !is_quantified)) {
            return None;
        }
        let varies = is_quantified || self.index.category == Category::Decision;
        let label = match self.ends {
            _ if !varies => None,
            Some((first, last)) if always && first == last => Some(format!("always {first}")),
            Some((first, last)) if always => Some(format!("always {first} to {last}")),
            _ if bindings.is_empty() => None,
            _ if matches!(self.index.kind, ExprKind::Local(_)) => Some(format!("where {}", bindings.join(", "))),
            _ => Some(format!("{shown} where {}", bindings.join(", "))),
        };
        let warning = match label {
            Some(label) => warning.at(self.index.span, label),
            None => warning,
        };
        Some(warning.note(match reach {
            Reach::Required(RequiringPart::Domain) => {
                "a domain without a value has no members, so there is no solution"
            }
            Reach::Required(RequiringPart::Objective) => "an objective without a value allows no solution",
            Reach::Required(RequiringPart::Constraint) => {
                "an expression without a value makes the condition around it false, so there is no solution"
            }
            Reach::Reached | Reach::Guarded => "an expression without a value makes the condition around it false",
        }))
    }
}

/// What an expression looks up by itself.
fn uses(expr: &Expr) -> Vec<IndexUse<'_>> {
    match &expr.kind {
        ExprKind::Apply(row, operands) if row.lookup.is_some() => match &operands[..] {
            [collection, index] => {
                vec![IndexUse { whole: expr, collection, depth: 0, index, further: dimensions(&expr.ty) }]
            }
            _ => Vec::new(),
        },
        ExprKind::Slice(collection, indices) => {
            let mut found = Vec::new();
            for (depth, index) in indices.iter().enumerate() {
                if let Index::At(index) = index {
                    let further = dimensions(&collection.ty).saturating_sub(depth + 1);
                    found.push(IndexUse { whole: expr, collection, depth, index, further });
                }
            }
            found
        }
        _ => Vec::new(),
    }
}

/// How an operand is reached; `None` if it may be undefined, or the truth of the others makes it irrelevant.
fn of_operand(row: &Operator, truths: &[Option<bool>], position: usize, ty: &Type, reach: Reach) -> Option<Reach> {
    let guarded_by = |guard: Option<bool>| match guard {
        Some(holds) => holds.then_some(reach),
        None => Some(Reach::Guarded),
    };
    if row.catches_undefined {
        // What is caught may well be undefined.
        return (position > 0).then_some(Reach::Guarded);
    }
    if row.is_implication() && position == 1 {
        return guarded_by(truths[0]);
    }
    let mut others = (0..truths.len()).filter(|other| *other != position).map(|other| truths[other]);
    match row.absorbing {
        Some(false) if others.any(|truth| truth == Some(false)) => None,
        Some(false) => Some(reach),
        Some(true) if truths.len() > 1 && !row.is_implication() => {
            let all = others.try_fold(true, |all, truth| match truth {
                Some(true) => None,
                truth => Some(all && truth == Some(false)),
            });
            all.map(|all| if all { reach } else { Reach::Guarded })
        }
        _ if ty.is_boolean() => Some(reach.of_boolean_part()),
        _ => Some(reach),
    }
}

/// The number of indices of a matrix; other values have none.
fn dimensions(ty: &Type) -> usize {
    match ty {
        Type::Matrix(types) => 1 + dimensions(&types[1]),
        _ => 0,
    }
}

/// Whether all values of a domain are known to be among some places.
fn covers(places: &GroundDomain, values: &GroundDomain) -> bool {
    match (places, values) {
        (GroundDomain::Int(places), GroundDomain::Int(values)) => values.is_subset(places),
        (GroundDomain::Bool, _) => true,
        (GroundDomain::Tuple(places), GroundDomain::Tuple(values)) => {
            places.len() == values.len() && places.iter().zip(values).all(|(places, values)| covers(places, values))
        }
        _ => false,
    }
}

fn evaluate_known(expr: &Expr, env: &mut Environment) -> Option<Value> {
    if expr.category < Category::Decision { evaluate(expr, env).ok() } else { None }
}

/// The quantified names in an expression.
fn names_in(expr: &Expr, found: &mut Vec<LocalId>) {
    if let ExprKind::Local(local) = expr.kind {
        found.push(local);
    }
    expr.for_each_part(&mut |part| names_in(part, found));
}

fn unnamed(collection: &Expr) -> String {
    match (&collection.kind, &collection.ty) {
        (ExprKind::Apply(..), Type::Matrix(_)) => "this row".to_owned(),
        (_, Type::Collection(kind, _)) => format!("this {}", kind.row().noun()),
        _ => "this matrix".to_owned(),
    }
}
