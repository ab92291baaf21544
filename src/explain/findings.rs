//! The values inside a constraint that make it false.
//!
//! Each finding is an expression of Essence with its truth value. The findings about a quantifier are its instances,
//! about a negation its operand, about anything else the operands' values.

use super::{
    Describer,
    literal::literal,
    statement::{Put, printed},
};
use crate::{
    analysis::model::{Comprehension, Expr, ExprKind, LocalId, Qualifier},
    instance::{domain_of, evaluate, for_each_binding, innermost_undefined},
    language::{GroundDomain, Stop, Type, Value, domain::DomainRole},
    operators::{Lookup, Operator, Polarity},
    syntax::ast,
};

/// Further findings are counted only.
const MOST: usize = 50;
/// The elements of these aggregates may be shown without the indices.
const LONGEST_LIST: usize = 70;

/// The findings about a constraint.
#[derive(Clone, Debug, Default)]
pub struct ComesTo {
    pub findings: Vec<Finding>,
    /// The number of further findings.
    pub more: usize,
}

/// A part of a constraint with the values of its names.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The values of the quantified names inside the constraint; may be empty.
    pub with: String,
    pub says: String,
    pub is: Is,
    /// Why it is undefined, if that can be said.
    pub because: Option<String>,
}

/// A finding about an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Is {
    True,
    False,
    Undefined,
    /// The list has no elements.
    Empty,
}

impl Is {
    /// The finding in one word, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Is::True => "true",
            Is::False => "false",
            Is::Undefined => "undefined",
            Is::Empty => "empty",
        }
    }
}

impl From<bool> for Is {
    fn from(holds: bool) -> Self {
        if holds { Is::True } else { Is::False }
    }
}

impl ComesTo {
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    fn add(&mut self, finding: Finding) {
        if self.findings.len() < MOST {
            self.findings.push(finding);
        } else {
            self.more += 1;
        }
    }
}

impl Describer<'_> {
    /// The values that make a constraint false, with the values of all names; or the part that is undefined whatever
    /// the decisions are.
    pub(super) fn comes_to(&mut self, expr: &Expr) -> ComesTo {
        let mut found = ComesTo::default();
        self.with_all_values(|this| {
            if this.is_known(expr) && !matches!(evaluate(expr, &mut this.env), Ok(Value::TRUE) | Err(Stop::Fault(_))) {
                this.inside(expr, false, &mut Vec::new(), &mut found);
            }
        });
        if found.is_empty() {
            self.missing(expr, &mut found);
        }
        // It is already known that the constraint itself is false.
        let says = self.statement(expr, &[]);
        if let [only] = found.findings.as_slice()
            && only.is == Is::False
            && only.says == says
        {
            found.findings.clear();
        }
        found
    }

    /// The undefined part of an expression.
    pub(super) fn undefined_part(&mut self, expr: &Expr) -> ComesTo {
        let mut found = ComesTo::default();
        self.with_all_values(|this| {
            if this.is_known(expr) && evaluate(expr, &mut this.env) == Err(Stop::Undefined) {
                this.undefined(expr, &[], &mut found);
            }
        });
        if found.is_empty() {
            self.missing(expr, &mut found);
        }
        found
    }

    /// Runs something with the values of the names that are kept otherwise.
    fn with_all_values(&mut self, run: impl FnOnce(&mut Self)) {
        let (kept, unstated) = (std::mem::take(&mut self.kept), std::mem::take(&mut self.unstated));
        run(self);
        (self.kept, self.unstated) = (kept, unstated);
    }

    /// Says why each operand is what the operator's result needs of it.
    fn each_inside(
        &mut self,
        operator: &Operator,
        operands: &[Expr],
        holds: bool,
        with: &mut Vec<LocalId>,
        found: &mut ComesTo,
    ) {
        for (operand, polarity) in operands.iter().zip(operator.polarity) {
            self.inside(operand, holds == (*polarity == Polarity::Positive), with, found);
        }
    }

    /// Says why an expression holds or does not.
    fn inside(&mut self, expr: &Expr, holds: bool, with: &mut Vec<LocalId>, found: &mut ComesTo) {
        let ExprKind::Apply(operator, operands) = &expr.kind else { return self.leaf(expr, holds, with, found) };
        match (operator.absorbing, operands.as_slice()) {
            (Some(false), sides @ [_, _]) if !holds => {
                for side in sides {
                    if !self.is_true(side) {
                        self.inside(side, false, with, found);
                    }
                }
            }
            (Some(true), sides @ [_, _]) if !holds => self.each_inside(operator, sides, holds, with, found),
            (None, [_]) if operator.is_negation() => self.each_inside(operator, operands, holds, with, found),
            (Some(decisive), [list]) => match &list.kind {
                ExprKind::Comprehension(comprehension) => {
                    // An operand that holds shows that a disjunction does; an operand that does not, that a conjunction
                    // does not.
                    match (decisive, holds) {
                        (true, false) => self.instances(list, comprehension, false, usize::MAX, with, found),
                        (false, false) => self.instances(list, comprehension, false, usize::MAX, with, found),
                        (true, true) => self.instances(list, comprehension, true, 1, with, found),
                        (false, true) => self.leaf(expr, holds, with, found),
                    }
                }
                ExprKind::Matrix(elements, _) if !holds => {
                    for element in elements {
                        if !self.is_true(element) {
                            self.inside(element, false, with, found);
                        }
                    }
                }
                _ => self.leaf(expr, holds, with, found),
            },
            _ => self.leaf(expr, holds, with, found),
        }
    }

    fn is_true(&mut self, expr: &Expr) -> bool {
        evaluate(expr, &mut self.env) == Ok(Value::TRUE)
    }

    /// The instances of a comprehension's body that hold, or do not.
    fn instances(
        &mut self,
        list: &Expr,
        comprehension: &Comprehension,
        wanted: bool,
        most: usize,
        with: &mut Vec<LocalId>,
        found: &mut ComesTo,
    ) {
        let mut names = Vec::new();
        for qualifier in &comprehension.qualifiers {
            if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
                pattern.names(&mut |local| names.push(local));
            }
        }
        let (mut any, mut chosen, mut more) = (false, Vec::new(), 0);
        let mut env = self.env.clone();
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
            return self.undefined(list, with, found);
        }
        if !any {
            if let Some(tree) = self.tree_of_parts(list, Put::Values) {
                let says = printed(&as_list(tree));
                found.add(Finding { with: self.values_of(with), says, is: Is::Empty, because: None });
            }
            return;
        }
        let outer = with.len();
        with.extend(&names);
        for values in chosen {
            for (local, value) in names.iter().zip(values) {
                if let Some(value) = value {
                    self.env.bind_local(*local, value.clone());
                    self.bound.insert(*local, value);
                }
            }
            self.inside(&comprehension.body, wanted, with, found);
            names.iter().for_each(|local| {
                self.bound.remove(local);
            });
        }
        with.truncate(outer);
        if most > 1 {
            found.more += more;
        }
    }

    /// `i = 1, j = 2`
    fn values_of(&self, names: &[LocalId]) -> String {
        let show = |local: &LocalId| {
            let (name, ty) = self.local(*local);
            Some(format!("{name} = {}", self.instance.names.show_briefly(self.bound.get(local)?, ty)))
        };
        names.iter().filter_map(show).collect::<Vec<_>>().join(", ")
    }

    /// Adds a finding about an expression that is not taken apart further.
    fn leaf(&mut self, expr: &Expr, holds: bool, with: &[LocalId], found: &mut ComesTo) {
        if !holds && self.has_undefined_part(expr) {
            return self.undefined(expr, with, found);
        }
        let equal = if holds { None } else { self.equal_elements(expr) };
        let (tree, is) = match equal {
            Some(tree) => (Some(tree), Is::True),
            None => (self.tree_of_parts(expr, Put::Values), holds.into()),
        };
        if let Some(tree) = tree {
            found.add(Finding { with: self.values_of(with), says: printed(&tree), is, because: None });
        }
    }

    fn has_undefined_part(&mut self, expr: &Expr) -> bool {
        if matches!(expr.kind, ExprKind::Comprehension(_) | ExprKind::Bubble(_)) {
            return false;
        }
        let mut undefined = evaluate(expr, &mut self.env) == Err(Stop::Undefined);
        expr.for_each_part(&mut |part| {
            undefined = undefined
                || !matches!(part.kind, ExprKind::Comprehension(_) | ExprKind::Bubble(_))
                    && evaluate(part, &mut self.env) == Err(Stop::Undefined);
        });
        undefined
    }

    /// Adds the innermost undefined part, and why it is undefined.
    fn undefined(&mut self, expr: &Expr, with: &[LocalId], found: &mut ComesTo) {
        let part = innermost_undefined(expr, &mut self.env).clone();
        let tree = match &part.kind {
            // Its operands show why.
            ExprKind::Apply(operator, _) if operator.lookup.is_none() => self.tree_of_parts(&part, Put::Values),
            _ => self.tree(&part, Put::Names),
        };
        let because = self.why_undefined(&part);
        // A part without a place of its own in the source is described by the expression around it.
        let is_literal = |tree: &ast::Expr| matches!(tree.kind, ast::ExprKind::Int(_) | ast::ExprKind::Bool(_));
        let tree = match tree {
            Some(tree) if is_literal(&tree) => self.tree(expr, Put::Names),
            tree => tree,
        };
        if let Some(tree) = tree {
            found.add(Finding { with: self.values_of(with), says: printed(&tree), is: Is::Undefined, because });
        }
    }

    /// An index outside a matrix and an argument outside a function's domain, which no decision can mend.
    fn missing(&mut self, expr: &Expr, found: &mut ComesTo) {
        if let ExprKind::Apply(operator, operands) = &expr.kind
            && operator.lookup.is_some()
            && let [whole, at] = operands.as_slice()
            && self.is_known(at)
            && !self.is_known(whole)
            && self.can_be_described(whole)
            && let Some(because) = self.why_undefined(expr)
        {
            let says = self.tree(expr, Put::Data).map(|tree| printed(&tree));
            if let Some(says) = says {
                found.add(Finding { with: String::new(), says, is: Is::Undefined, because: Some(because) });
            }
            return;
        }
        // Names that are bound inside have no values here.
        if !matches!(expr.kind, ExprKind::Comprehension(_) | ExprKind::Bubble(_)) && found.is_empty() {
            expr.for_each_part(&mut |part| {
                if found.is_empty() {
                    self.missing(part, found);
                }
            });
        }
    }

    /// Whether the domain of the indexed expression comes from a declaration.
    fn can_be_described(&self, whole: &Expr) -> bool {
        match &whole.kind {
            ExprKind::Global(_) => true,
            ExprKind::Apply(operator, operands) if operator.lookup == Some(Lookup::Element) => {
                self.can_be_described(&operands[0]) && self.is_known(&operands[1])
            }
            _ => false,
        }
    }

    /// "the indices of `x` are 1..3"
    fn why_undefined(&mut self, part: &Expr) -> Option<String> {
        let ExprKind::Apply(operator, operands) = &part.kind else { return None };
        let [whole, at] = operands.as_slice() else { return None };
        let value = evaluate(at, &mut self.env).ok()?;
        let name = printed(&self.tree(whole, Put::Names)?);
        let domain = domain_of(whole, &mut self.env);
        let names = &self.instance.names;
        let members = |domain: &GroundDomain, ty: &Type| match (domain, ty) {
            (GroundDomain::Int(values), Type::Int(_)) => {
                let range = |(low, high): &(i64, i64)| {
                    if low == high { low.to_string() } else { format!("{low}..{high}") }
                };
                values.ranges().iter().map(range).collect::<Vec<_>>().join(", ")
            }
            _ => names.domain(domain, ty).on_one_line(),
        };
        match (&domain, &whole.ty) {
            (GroundDomain::Matrix(index, _), Type::Matrix(types))
                if operator.lookup.is_some() && index.check(&value, DomainRole::Decision).is_err() =>
            {
                let indices = members(index, &types.0);
                Some(format!("the indices of `{name}` are {indices}"))
            }
            (GroundDomain::Function(_, from, _), Type::Function(types))
                if operator.lookup.is_some() && from.check(&value, DomainRole::Decision).is_err() =>
            {
                let arguments = members(from, &types.0);
                Some(format!("the arguments of `{name}` are {arguments}"))
            }
            _ => None,
        }
    }

    /// Two elements of a long list that should all differ, and the value of both.
    fn equal_elements(&mut self, expr: &Expr) -> Option<ast::Expr> {
        let ExprKind::Apply(operator, operands) = &expr.kind else { return None };
        let [list] = operands.as_slice() else { return None };
        if operator.symbol.text != "allDiff" {
            return None;
        }
        let Ok(Value::Matrix(values)) = evaluate(list, &mut self.env) else { return None };
        if self.shown(&Value::Matrix(values.clone()), &list.ty).chars().count() <= LONGEST_LIST {
            return None;
        }
        let first = |position: &usize| {
            values.elements[..*position].iter().position(|other| *other == values.elements[*position])
        };
        let (second, first) = (1..values.elements.len()).find_map(|position| Some((position, first(&position)?)))?;
        let value = literal(&values.elements[first], &list.ty.member()?, &self.instance.names);
        let mut equation = |position| Some(ast::Expr::equal(self.element(list, position)?, value.clone()));
        Some(ast::Expr::and(equation(first)?, equation(second)?))
    }

    /// The element of a list at a 0-based position as it would be written.
    fn element(&mut self, list: &Expr, position: usize) -> Option<ast::Expr> {
        match &list.kind {
            ExprKind::Matrix(elements, _) => self.tree(&elements[position], Put::Names),
            ExprKind::Comprehension(comprehension) => {
                let mut names = Vec::new();
                for qualifier in &comprehension.qualifiers {
                    if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
                        pattern.names(&mut |local| names.push(local));
                    }
                }
                let (mut at, mut values) = (0, Vec::new());
                let mut env = self.env.clone();
                for_each_binding(&comprehension.qualifiers, &mut env, &mut |env| {
                    if at == position {
                        values = names.iter().map(|local| env.local(*local).cloned()).collect();
                    }
                    at += 1;
                    Ok(())
                })
                .ok()?;
                for (local, value) in names.iter().zip(values) {
                    self.env.bind_local(*local, value.clone()?);
                    self.bound.insert(*local, value?);
                }
                let tree = self.tree(&comprehension.body, Put::Names);
                names.iter().for_each(|local| {
                    self.bound.remove(local);
                });
                tree
            }
            ExprKind::Global(_) => {
                let Ok(Value::Matrix(values)) = evaluate(list, &mut self.env) else { return None };
                let index = values.index.members().nth(position)?;
                let Type::Matrix(types) = &list.ty else { return None };
                let at = literal(&index, &types.0, &self.instance.names);
                let base = Box::new(self.tree(list, Put::Names)?);
                Some(ast::Expr::made(ast::ExprKind::Index(base, vec![ast::WrittenIndex::At(at)])))
            }
            ExprKind::Slice(..) => {
                let Ok(Value::Matrix(values)) = evaluate(list, &mut self.env) else { return None };
                let index = values.index.members().nth(position)?;
                let Type::Matrix(types) = &list.ty else { return None };
                let mut tree = self.tree(list, Put::Names)?;
                let ast::ExprKind::Index(_, indices) = &mut tree.kind else { return None };
                let mut slices = indices.iter_mut().filter(|index| matches!(index, ast::WrittenIndex::Slice(..)));
                let slice = slices.next()?;
                *slice = ast::WrittenIndex::At(literal(&index, &types.0, &self.instance.names));
                slices.next().is_none().then_some(tree)
            }
            _ => None,
        }
    }
}

/// A quantifier as the list of its instances.
fn as_list(tree: ast::Expr) -> ast::Expr {
    let ast::ExprKind::Quantified(quantified) = tree.kind else { return tree };
    let ast::Quantified { patterns, over, guard, body, .. } = *quantified;
    let mut qualifiers = vec![ast::Qualifier::Generator(patterns, over)];
    qualifiers.extend(guard.map(ast::Qualifier::Condition));
    ast::Expr::made(ast::ExprKind::Comprehension(Box::new(body), qualifiers))
}
