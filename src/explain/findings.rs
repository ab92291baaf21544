//! The values inside a constraint that make it false.
//!
//! Each finding is an Essence expression with its truth value, or with the reason why it is undefined. The findings
//! about a quantifier come from its instances, those about a logical operator from its operands
//! ([`FindingCollector::inside`] lists which); any other expression is a single finding with the values of its operands
//! ([`FindingCollector::leaf`]). If nothing is found, [`FindingCollector::missing`] looks for a part that is undefined
//! whatever the decisions are. Code that binds the names of an instance must unbind them when it leaves the instance.

use super::{
    Describer, Finding, FindingKind, Findings,
    finding::MOST,
    literal::literal,
    statement::{Substitution, printed},
};
use crate::{
    analysis::model::{Category, Comprehension, DeclarationKind, Expr, ExprKind, LocalId, Qualifier},
    instance::{PlaceKind, evaluate, for_each_binding, has_result, innermost_undefined, places, why_undefined},
    language::{Stop, Type, Value},
    operators::{Lookup, Operator, Polarity},
    syntax::ast,
};

/// Up to this number of characters a list is shown whole, even if only two equal elements matter. Chosen.
const LONGEST_LIST: usize = 70;
/// The limit on instances of a list's body that are searched for an undefined part. Chosen.
const MOST_INSTANCES: usize = 1000;

/// Names, with their values in each of several instances.
type ListInstances = (Vec<LocalId>, Vec<Vec<Option<Value>>>);

impl Describer<'_> {
    /// The values that make a constraint false, with the values of quantified names; or the part that is undefined
    /// whatever the decisions are.
    pub(super) fn findings(&mut self, expr: &Expr) -> Findings {
        let mut found = FindingCollector::about(self, expr, |findings| {
            let result = evaluate(expr, &mut findings.describer.env);
            if !matches!(result, Ok(Value::TRUE) | Err(Stop::Fault(_))) {
                findings.inside(expr, false);
            }
        });
        // If the only finding is the constraint itself, repeating it says nothing new.
        let says = self.statement(expr, &[]);
        if let [only] = found.shown.as_slice()
            && only.kind == FindingKind::False
            && only.says == says
        {
            found.shown.clear();
        }
        found
    }

    /// The names of a list's generators with their values in the first instances, if these do not depend on decisions.
    pub(super) fn instances_of_list(&self, comprehension: &Comprehension) -> Option<ListInstances> {
        let mut is_known = true;
        for qualifier in &comprehension.qualifiers {
            qualifier.for_each_part(&mut |part| is_known &= part.category < Category::Decision);
        }
        if !is_known {
            return None;
        }
        let (names, mut instances) = (bound_names(comprehension), Vec::new());
        let mut env = self.env.clone();
        // An undefined guard ends the enumeration; the instances up to there are kept.
        let _ = for_each_binding(&comprehension.qualifiers, &mut env, &mut |env| {
            instances.push(names.iter().map(|local| env.local(*local).cloned()).collect::<Vec<_>>());
            if instances.len() < MOST_INSTANCES { Ok(()) } else { Err(Stop::Undefined) }
        });
        Some((names, instances))
    }

    /// Binds the names of an instance to their values.
    pub(super) fn bind(&mut self, names: &[LocalId], values: Vec<Option<Value>>) {
        for (local, value) in names.iter().zip(values) {
            if let Some(value) = value {
                self.env.bind_local(*local, value.clone());
                self.quantified.bound.insert(*local, value);
            }
        }
    }

    pub(super) fn unbind(&mut self, names: &[LocalId]) {
        names.iter().for_each(|local| {
            self.quantified.bound.remove(local);
        });
    }

    /// The undefined part of an expression.
    pub(super) fn undefined_part(&mut self, expr: &Expr) -> Findings {
        FindingCollector::about(self, expr, |findings| {
            if findings.is_undefined(expr) {
                findings.undefined(expr);
            }
        })
    }
}

/// The search for findings about a constraint.
struct FindingCollector<'d, 'a> {
    describer: &'d mut Describer<'a>,
    /// The quantified names inside the constraint that have values.
    with: Vec<LocalId>,
    found: Findings,
}

impl FindingCollector<'_, '_> {
    /// The findings of a search, if the expression is known once all names have values. Otherwise, or if there are
    /// none, the parts that are undefined whatever the decisions are.
    fn about(describer: &mut Describer, expr: &Expr, search: impl FnOnce(&mut FindingCollector)) -> Findings {
        let (kept, unstated) =
            (std::mem::take(&mut describer.kept), std::mem::take(&mut describer.quantified.unstated));
        let mut findings = FindingCollector { describer, with: Vec::new(), found: Findings::default() };
        if findings.describer.is_known(expr) {
            search(&mut findings);
        }
        (findings.describer.kept, findings.describer.quantified.unstated) = (kept, unstated);
        if findings.found.is_empty() {
            findings.missing(expr);
        }
        findings.found
    }

    /// Explains each operand, with the truth value that the operator needs.
    fn each_inside(&mut self, operator: &Operator, operands: &[Expr], holds: bool) {
        for (operand, polarity) in operands.iter().zip(operator.polarity) {
            self.inside(operand, holds == (*polarity == Polarity::Positive));
        }
    }

    /// Explains why an expression holds or fails.
    fn inside(&mut self, expr: &Expr, holds: bool) {
        let ExprKind::Apply(operator, operands) = &expr.kind else { return self.leaf(expr, holds) };
        match (operator.absorbing, operands.as_slice()) {
            // The false sides make a conjunction false.
            (Some(false), sides @ [_, _]) if !holds => {
                for side in sides {
                    if !self.is_true(side) {
                        self.inside(side, false);
                    }
                }
            }
            // A disjunction is false only because all its sides are.
            (Some(true), sides @ [_, _]) if !holds => self.each_inside(operator, sides, holds),
            (None, [_]) if operator.is_negation() => self.each_inside(operator, operands, holds),
            (Some(decisive), [list]) => match &list.kind {
                ExprKind::Comprehension(comprehension) => {
                    // One true instance is enough for a disjunction to hold, and one false instance for a conjunction
                    // to fail.
                    match (decisive, holds) {
                        (_, false) => self.instances(list, comprehension, false, usize::MAX),
                        (true, true) => self.instances(list, comprehension, true, 1),
                        (false, true) => self.leaf(expr, holds),
                    }
                }
                ExprKind::Matrix(elements, _) if !holds => {
                    for element in elements {
                        if !self.is_true(element) {
                            self.inside(element, false);
                        }
                    }
                }
                _ => self.leaf(expr, holds),
            },
            _ => self.leaf(expr, holds),
        }
    }

    fn is_true(&mut self, expr: &Expr) -> bool {
        evaluate(expr, &mut self.describer.env) == Ok(Value::TRUE)
    }

    /// Explains the instances of a comprehension whose body has the wanted truth value.
    fn instances(&mut self, list: &Expr, comprehension: &Comprehension, wanted: bool, most: usize) {
        let names = bound_names(comprehension);
        let (mut any, mut chosen, mut more) = (false, Vec::new(), 0);
        let mut env = self.describer.env.clone();
        let ended = for_each_binding(&comprehension.qualifiers, &mut env, &mut |env| {
            any = true;
            if (evaluate(&comprehension.body, env) == Ok(Value::TRUE)) == wanted {
                if chosen.len() < most.min(MOST) {
                    chosen.push(names.iter().map(|local| env.local(*local).cloned()).collect::<Vec<_>>());
                } else {
                    more += 1;
                }
            }
            Ok(())
        });
        if ended == Err(Stop::Undefined) {
            return self.undefined(list);
        }
        // `or([])` is false without any instance, so the empty list is the finding.
        if !any {
            if let Some(tree) = self.describer.tree_of_parts(list, Substitution::Values) {
                let says = printed(&as_list(tree));
                self.found.add(Finding { with: self.values(), says, kind: FindingKind::Empty, because: None });
            }
            return;
        }
        // Nested instances show the values of all enclosing names.
        let outer = self.with.len();
        self.with.extend(&names);
        for values in chosen {
            self.describer.bind(&names, values);
            self.inside(&comprehension.body, wanted);
            self.describer.unbind(&names);
        }
        self.with.truncate(outer);
        if most > 1 {
            self.found.more += more;
        }
    }

    /// The values of the quantified names: `i = 1, j = 2`.
    fn values(&self) -> String {
        let show = |local: &LocalId| {
            let (name, ty) = self.describer.local(*local);
            Some(format!(
                "{name} = {}",
                self.describer.instance.names.show_briefly(self.describer.quantified.bound.get(local)?, ty)
            ))
        };
        self.with.iter().filter_map(show).collect::<Vec<_>>().join(", ")
    }

    /// Adds a finding about an expression that is not split further.
    fn leaf(&mut self, expr: &Expr, holds: bool) {
        if !holds && self.has_undefined_part(expr) {
            return self.undefined(expr);
        }
        let equal = if holds { None } else { self.equal_elements(expr) };
        let (tree, kind) = match equal {
            Some(tree) => (Some(tree), FindingKind::True),
            None => (self.describer.tree_of_parts(expr, Substitution::Values), holds.into()),
        };
        if let Some(tree) = tree {
            self.found.add(Finding { with: self.values(), says: printed(&tree), kind, because: None });
        }
    }

    fn is_undefined(&mut self, expr: &Expr) -> bool {
        evaluate(expr, &mut self.describer.env) == Err(Stop::Undefined)
    }

    fn has_undefined_part(&mut self, expr: &Expr) -> bool {
        let binds = |expr: &Expr| matches!(expr.kind, ExprKind::Comprehension(_) | ExprKind::Bubble(_));
        let mut undefined = !binds(expr) && self.is_undefined(expr);
        if !binds(expr) {
            expr.for_each_part(&mut |part| undefined = undefined || !binds(part) && self.is_undefined(part));
        }
        undefined
    }

    /// Adds the innermost undefined part and the reason why it is undefined.
    fn undefined(&mut self, expr: &Expr) {
        let part = innermost_undefined(expr, &mut self.describer.env).clone();
        let tree = match &part.kind {
            // The reason is in the values of the operands.
            ExprKind::Apply(operator, _) if operator.lookup.is_none() => {
                self.describer.tree_of_parts(&part, Substitution::Values)
            }
            _ => self.describer.tree(&part, Substitution::Names),
        };
        let because = self.why_undefined(&part);
        // A part without a place in the source is described by the expression around it.
        let is_literal =
            |tree: &ast::ExprTree| matches!(tree.kind, ast::ExprTreeKind::Int(_) | ast::ExprTreeKind::Bool(_));
        let tree = match tree {
            Some(tree) if is_literal(&tree) => self.describer.tree(expr, Substitution::Names),
            tree => tree,
        };
        if let Some(tree) = tree {
            self.found.add(Finding {
                with: self.values(),
                says: printed(&tree),
                kind: FindingKind::Undefined,
                because,
            });
        }
    }

    /// Finds what no decision can mend: an index outside a matrix, an argument outside a function's domain, an operator
    /// without a result, or an alternative that is not active.
    fn missing(&mut self, expr: &Expr) {
        if !is_lookup(expr)
            && let Some(because) = why_undefined(expr)
            && has_result(expr, &mut self.describer.env) == Some(false)
        {
            if let Some(tree) = self.describer.tree(expr, Substitution::Data) {
                let (with, says, because) = (self.values(), printed(&tree), Some(because.to_owned()));
                self.found.add(Finding { with, says, kind: FindingKind::Undefined, because });
            }
            return;
        }
        if let ExprKind::Apply(operator, operands) = &expr.kind
            && operator.lookup.is_some()
            && let [whole, at] = operands.as_slice()
            && self.describer.is_known(at)
            && self.can_be_described(whole)
            && let Some(because) = self.why_undefined(expr)
        {
            let says = self.describer.tree(expr, Substitution::Data).map(|tree| printed(&tree));
            if let Some(says) = says {
                let with = self.values();
                self.found.add(Finding { with, says, kind: FindingKind::Undefined, because: Some(because) });
            }
            return;
        }
        match &expr.kind {
            // Decision variables that are chosen inside have no values here.
            ExprKind::Bubble(_) => {}
            ExprKind::Comprehension(comprehension) => self.missing_in_instances(comprehension),
            ExprKind::Global(id) => {
                let model = self.describer.instance.model.clone();
                if let DeclarationKind::Letting(value) = &model.declaration(*id).kind {
                    self.missing(value);
                }
            }
            _ => expr.for_each_part(&mut |part| {
                if self.found.is_empty() {
                    self.missing(part);
                }
            }),
        }
    }

    /// Finds the first instance of a list's body with an undefined part. A Boolean body is false rather than undefined.
    fn missing_in_instances(&mut self, comprehension: &Comprehension) {
        if comprehension.body.ty == Type::Bool {
            return;
        }
        let Some((names, instances)) = self.describer.instances_of_list(comprehension) else { return };
        let outer = self.with.len();
        self.with.extend(&names);
        for values in instances {
            self.describer.bind(&names, values);
            self.missing(&comprehension.body);
            self.describer.unbind(&names);
            if !self.found.is_empty() {
                break;
            }
        }
        self.with.truncate(outer);
    }

    /// Returns true if the indexed expression is known, or a declaration gives its domain.
    fn can_be_described(&self, whole: &Expr) -> bool {
        match &whole.kind {
            _ if self.describer.is_known(whole) => true,
            ExprKind::Global(_) => true,
            ExprKind::Apply(operator, operands) if operator.lookup == Some(Lookup::Element) => {
                self.can_be_described(&operands[0]) && self.describer.is_known(&operands[1])
            }
            _ => false,
        }
    }

    /// "the indices of `x` are 1..3"
    fn why_undefined(&mut self, part: &Expr) -> Option<String> {
        let ExprKind::Apply(operator, operands) = &part.kind else { return why_undefined(part).map(str::to_owned) };
        let [whole, at] = operands.as_slice() else { return None };
        operator.lookup?;
        let value = evaluate(at, &mut self.describer.env).ok()?;
        let places = places(whole, 0, &mut self.describer.env).filter(|places| !places.contain(&value))?;
        let is_row = matches!(&whole.kind, ExprKind::Apply(row, _) if row.lookup == Some(Lookup::Element));
        let name = printed(&self.describer.tree(whole, Substitution::Names)?);
        let is_short = name.chars().count() <= LONGEST_LIST;
        let (name, of) = match is_short {
            true => (format!("`{name}`"), format!(" of `{name}`")),
            false => ("it".to_owned(), String::new()),
        };
        let shown = places.shown(&at.ty, &self.describer.instance.names);
        Some(match places.kind()? {
            PlaceKind::Index | PlaceKind::Position if shown.is_empty() => format!("{name} is empty"),
            PlaceKind::Index if is_row => format!("the indices at this position are {shown}"),
            PlaceKind::Index | PlaceKind::Position => format!("the indices{of} are {shown}"),
            PlaceKind::Argument => format!("the arguments{of} are {shown}"),
            PlaceKind::MappedArgument if shown.is_empty() => format!("{name} is empty"),
            PlaceKind::MappedArgument => format!("{name} is defined only for {shown}"),
        })
    }

    /// An equation for two elements of a long `allDiff` that have the same value.
    fn equal_elements(&mut self, expr: &Expr) -> Option<ast::ExprTree> {
        let ExprKind::Apply(operator, operands) = &expr.kind else { return None };
        let [list] = operands.as_slice() else { return None };
        if operator.symbol.text != "allDiff" {
            return None;
        }
        let Ok(Value::Matrix(values)) = evaluate(list, &mut self.describer.env) else { return None };
        // A short list is shown in full, so its elements need no finding.
        if self.describer.shown(&Value::Matrix(values.clone()), &list.ty).chars().count() <= LONGEST_LIST {
            return None;
        }
        let first = |position: &usize| {
            values.elements[..*position].iter().position(|other| *other == values.elements[*position])
        };
        let (second, first) = (1..values.elements.len()).find_map(|position| Some((position, first(&position)?)))?;
        let value = literal(&values.elements[first], &list.ty.member()?, &self.describer.instance.names);
        let mut equation = |position| Some(ast::ExprTree::equal(self.element(list, position)?, value.clone()));
        Some(ast::ExprTree::and(equation(first)?, equation(second)?))
    }

    /// The element of a list at a 0-based position as Essence.
    fn element(&mut self, list: &Expr, position: usize) -> Option<ast::ExprTree> {
        match &list.kind {
            ExprKind::Matrix(elements, _) => self.describer.tree(&elements[position], Substitution::Names),
            ExprKind::Comprehension(comprehension) => {
                let names = bound_names(comprehension);
                let (mut at, mut values) = (0, Vec::new());
                let mut env = self.describer.env.clone();
                for_each_binding(&comprehension.qualifiers, &mut env, &mut |env| {
                    if at == position {
                        values = names.iter().map(|local| env.local(*local).cloned()).collect();
                    }
                    at += 1;
                    Ok(())
                })
                .ok()?;
                for (local, value) in names.iter().zip(values) {
                    self.describer.env.bind_local(*local, value.clone()?);
                    self.describer.quantified.bound.insert(*local, value?);
                }
                let tree = self.describer.tree(&comprehension.body, Substitution::Names);
                names.iter().for_each(|local| {
                    self.describer.quantified.bound.remove(local);
                });
                tree
            }
            ExprKind::Global(_) => {
                let Ok(Value::Matrix(values)) = evaluate(list, &mut self.describer.env) else { return None };
                let index = values.index.members().nth(position)?;
                let Type::Matrix(types) = &list.ty else { return None };
                let at = literal(&index, &types[0], &self.describer.instance.names);
                let base = Box::new(self.describer.tree(list, Substitution::Names)?);
                Some(ast::ExprTree::made(ast::ExprTreeKind::Index(base, vec![ast::WrittenIndex::At(at)])))
            }
            ExprKind::Slice(..) => {
                let Ok(Value::Matrix(values)) = evaluate(list, &mut self.describer.env) else { return None };
                let index = values.index.members().nth(position)?;
                let Type::Matrix(types) = &list.ty else { return None };
                let mut tree = self.describer.tree(list, Substitution::Names)?;
                let ast::ExprTreeKind::Index(_, indices) = &mut tree.kind else { return None };
                let mut slices = indices.iter_mut().filter(|index| matches!(index, ast::WrittenIndex::Slice(..)));
                let slice = slices.next()?;
                *slice = ast::WrittenIndex::At(literal(&index, &types[0], &self.describer.instance.names));
                // With a second slice, a single index would not select an element.
                slices.next().is_none().then_some(tree)
            }
            _ => None,
        }
    }
}

fn is_lookup(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Apply(operator, _) if operator.lookup.is_some())
}

/// The names that the qualifiers of a comprehension bind.
fn bound_names(comprehension: &Comprehension) -> Vec<LocalId> {
    let mut names = Vec::new();
    for qualifier in &comprehension.qualifiers {
        if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
            pattern.names(&mut |local| names.push(local));
        }
    }
    names
}

/// Turns a quantifier into the list of its instances.
fn as_list(tree: ast::ExprTree) -> ast::ExprTree {
    let ast::ExprTreeKind::Quantified(quantified) = tree.kind else { return tree };
    let ast::Quantified { patterns, over, guard, body, .. } = *quantified;
    let mut qualifiers = vec![ast::QualifierTree::Generator(patterns, over)];
    qualifiers.extend(guard.map(ast::QualifierTree::Condition));
    ast::ExprTree::made(ast::ExprTreeKind::Comprehension(Box::new(body), qualifiers))
}
