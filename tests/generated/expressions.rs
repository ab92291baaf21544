//! Random expressions of a given type.

use super::{
    domains::BINARY,
    generator::{Generator, QUANTIFIERS, Variable, quantified},
    tree::*,
};
use conjure_like::{
    language::{Collection, Name, Type},
    operators::symbols,
    syntax::ast::{Expr, ExprKind, Index, Over, Pattern, PatternKind, Qualifier, Quantified},
};
use std::rc::Rc;

/// A way from a value to a part of it.
#[derive(Clone)]
enum Step {
    Component(usize),
    Field(Name),
    /// Of a matrix; the type of the index.
    Index(Type),
    /// Of a function, sequence or permutation; the type of the argument.
    Image(Type),
}

impl Generator {
    /// An expression of a type, with operators nested about so deep.
    pub fn expression(&mut self, ty: &Type, depth: usize) -> Expr {
        if depth == 0 || self.fuel == 0 {
            return self.leaf(ty);
        }
        self.fuel -= 1;
        for _ in 0..5 {
            let way = self.random.weighted(&[(20, 'n'), (55, 'o'), (7, 'l'), (18, 's')]);
            let made = match way {
                'n' => self.named(ty, depth),
                'o' => self.operator(ty, depth),
                'l' => Some(self.literal(ty, depth - 1)),
                _ => self.special(ty, depth),
            };
            if let Some(made) = made {
                return made;
            }
        }
        self.leaf(ty)
    }

    fn leaf(&mut self, ty: &Type) -> Expr {
        if self.random.percent(75)
            && let Some(made) = self.named(ty, 0)
        {
            return made;
        }
        self.literal(ty, 0)
    }

    /// The names that mean something here.
    pub fn visible(&self) -> Vec<&Variable> {
        let mut seen: Vec<&Name> = Vec::new();
        let mut visible = Vec::new();
        for variable in self.scope.iter().rev() {
            if !seen.contains(&&variable.name) {
                seen.push(&variable.name);
                if self.decisions || !variable.decision {
                    visible.push(variable);
                }
            }
        }
        visible
    }

    /// A name, or a part of what a name stands for.
    fn named(&mut self, ty: &Type, depth: usize) -> Option<Expr> {
        let mut ways: Vec<(Variable, Vec<Step>)> = Vec::new();
        for variable in self.visible() {
            if fits(&variable.ty, ty) {
                ways.push((variable.clone(), Vec::new()));
                ways.push((variable.clone(), Vec::new()));
            }
            for (first, part) in steps(&variable.ty) {
                if fits(&part, ty) {
                    ways.push((variable.clone(), vec![first.clone()]));
                }
                for (second, part) in steps(&part) {
                    if fits(&part, ty) {
                        ways.push((variable.clone(), vec![first.clone(), second]));
                    }
                }
            }
        }
        if self.fuel == 0 {
            // An argument may need others, without end.
            ways.retain(|(_, path)| path.iter().all(|step| matches!(step, Step::Component(_) | Step::Field(_))));
        }
        if ways.is_empty() {
            return None;
        }
        let (variable, path) = self.random.pick(&ways).clone();
        self.depends |= variable.decision;
        let mut value = name(&variable.name);
        for step in path {
            value = match step {
                Step::Component(position) => index(value, int(position as i64 + 1)),
                Step::Field(field) => index(value, name(&field)),
                Step::Index(ty) => {
                    let at = self.argument(&ty, depth);
                    match value.kind {
                        ExprKind::Index(base, mut indices) if self.random.percent(50) => {
                            indices.push(Index::At(at));
                            expr(ExprKind::Index(base, indices))
                        }
                        _ => index(value, at),
                    }
                }
                Step::Image(ty) => {
                    let argument = self.argument(&ty, depth);
                    expr(ExprKind::Call(Box::new(value), vec![argument]))
                }
            };
        }
        Some(value)
    }

    /// What a function is applied to, or an index.
    fn argument(&mut self, ty: &Type, depth: usize) -> Expr {
        self.fuel = self.fuel.saturating_sub(1);
        self.expression(ty, depth.saturating_sub(1))
    }

    /// A type that has something to do with the names in scope.
    pub fn related_type(&mut self) -> Type {
        let mut types = vec![Type::INT, Type::Bool];
        for variable in self.visible() {
            types.extend([variable.ty.clone(), variable.ty.clone()]);
            for (_, part) in steps(&variable.ty) {
                types.extend(part.member());
                types.push(part);
            }
            types.extend(variable.ty.member());
        }
        if self.random.percent(5) {
            return self.random_type(1);
        }
        self.random.pick(&types).clone()
    }

    /// The type of a collection.
    fn collection_type(&mut self) -> Type {
        let mut types: Vec<Type> = Vec::new();
        for variable in self.visible() {
            let parts = steps(&variable.ty).into_iter().map(|(_, part)| part);
            types.extend(parts.chain([variable.ty.clone(), variable.ty.clone()]).filter(|ty| ty.member().is_some()));
        }
        if types.is_empty() || self.random.percent(20) {
            let member = Rc::new(self.related_type());
            return match self.random.below(3) {
                0 => Type::List(member),
                1 => Type::MSet(member),
                _ => Type::Set(member),
            };
        }
        self.random.pick(&types).clone()
    }

    /// Forms that are no operators.
    fn special(&mut self, ty: &Type, depth: usize) -> Option<Expr> {
        let general = self.random.percent(25);
        match ty {
            Type::Bool if !general => match self.random.below(10) {
                0..=5 => Some(self.quantified(ty, depth)),
                6..=8 => self.attribute_constraint(depth),
                _ => self.active(depth),
            },
            Type::Int(None) if !general => Some(self.quantified(ty, depth)),
            Type::List(element) if !general => Some(self.comprehension(element, depth)),
            Type::Matrix(parts) if !general => match parts.0 {
                Type::Int(None) if self.random.percent(50) => Some(self.comprehension(&parts.1, depth)),
                _ => Some(self.slice(parts, depth)),
            },
            Type::Relation(columns) if !general => Some(self.projection(columns, depth)),
            _ => match self.random.below(4) {
                0 | 1 => {
                    let (value, default) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                    Some(apply(symbols::CATCH_UNDEFINED, vec![value, default]))
                }
                2 => {
                    let value = self.expression(ty, depth - 1);
                    Some(typed(value, ty))
                }
                _ => {
                    let point = self.simple_type();
                    let permutation = self.expression(&Type::Permutation(Rc::new(point)), depth - 1);
                    let list = expr(ExprKind::Matrix(vec![permutation], None));
                    let value = self.expression(ty, depth - 1);
                    Some(apply(symbols::TRANSFORM, vec![list, value]))
                }
            },
        }
    }

    fn slice(&mut self, parts: &Rc<(Type, Type)>, depth: usize) -> Expr {
        let bound =
            |this: &mut Self| this.random.percent(50).then(|| this.expression(&parts.0, depth.saturating_sub(2)));
        let slice = Index::Slice(bound(self), bound(self));
        let (base, indices) = match self.random.below(3) {
            0 => (Type::Matrix(parts.clone()), vec![slice]),
            outer => {
                let other = self.simple_type();
                let at = Index::At(self.expression(&other, depth.saturating_sub(2)));
                if outer == 1 {
                    (Type::Matrix(Rc::new((other, Type::Matrix(parts.clone())))), vec![at, slice])
                } else {
                    let inner = Type::Matrix(Rc::new((other, parts.1.clone())));
                    (Type::Matrix(Rc::new((parts.0.clone(), inner))), vec![slice, at])
                }
            }
        };
        let base = self.expression(&base, depth - 1);
        expr(ExprKind::Index(Box::new(base), indices))
    }

    fn projection(&mut self, columns: &Rc<[Type]>, depth: usize) -> Expr {
        let mut all = columns.to_vec();
        let place = self.random.below(all.len() + 1);
        let ty = self.related_type();
        all.insert(place, ty.clone());
        let base = self.expression(&Type::Relation(all.clone().into()), depth - 1);
        let fixed = self.expression(&ty, depth.saturating_sub(2));
        let mut operands: Vec<Expr> = columns.iter().map(|_| expr(ExprKind::Wildcard)).collect();
        operands.insert(place, fixed);
        expr(ExprKind::Call(Box::new(base), operands))
    }

    fn attribute_constraint(&mut self, depth: usize) -> Option<Expr> {
        let ty = self.collection_type();
        const SIZES: [&str; 3] = ["size", "minSize", "maxSize"];
        const NUMBERS: [&str; 6] = ["numParts", "minNumParts", "maxNumParts", "partSize", "minPartSize", "maxPartSize"];
        let (with_number, alone): (Vec<&str>, &[&str]) = match &ty {
            Type::Set(_) => (SIZES.to_vec(), &[]),
            Type::MSet(_) => ([&SIZES[..], &["minOccur", "maxOccur"]].concat(), &[]),
            Type::Function(_) => (SIZES.to_vec(), &["total", "injective", "surjective", "bijective"]),
            Type::Sequence(_) => (SIZES.to_vec(), &["injective", "surjective", "bijective"]),
            Type::Relation(columns) if columns.len() == 2 && columns[0] == columns[1] => (SIZES.to_vec(), &BINARY),
            Type::Relation(_) => (SIZES.to_vec(), &[]),
            Type::Partition(_) => (NUMBERS.to_vec(), &["regular"]),
            Type::Permutation(_) => (vec!["numMoved", "minNumMoved", "maxNumMoved"], &[]),
            _ => return None,
        };
        let word = if alone.is_empty() || self.random.percent(40) {
            *self.random.pick(&with_number)
        } else {
            *self.random.pick(alone)
        };
        let declared: Vec<Variable> =
            self.visible().into_iter().filter(|known| known.ty == ty && known.declared).cloned().collect();
        let operand = if !declared.is_empty() && self.random.percent(80) {
            let known = self.random.pick(&declared).clone();
            self.depends |= known.decision;
            name(&known.name)
        } else {
            self.expression(&ty, depth - 1)
        };
        let mut operands = vec![operand];
        if with_number.contains(&word) {
            operands.push(self.expression(&Type::INT, depth.saturating_sub(2)));
        }
        Some(expr(ExprKind::Attribute(identifier(word), operands)))
    }

    fn active(&mut self, depth: usize) -> Option<Expr> {
        let is_variant = |ty: &Type| matches!(ty, Type::Variant(_));
        let types: Vec<Type> = self
            .visible()
            .iter()
            .flat_map(|known| steps(&known.ty).into_iter().map(|(_, part)| part).chain([known.ty.clone()]))
            .filter(is_variant)
            .collect();
        let ty = if types.is_empty() { return None } else { self.random.pick(&types).clone() };
        let Type::Variant(alternatives) = &ty else { return None };
        let alternative = self.random.pick(alternatives).0.clone();
        let value = self.expression(&ty, depth - 1);
        Some(apply(symbols::ACTIVE, vec![value, name(&alternative)]))
    }

    // ---- quantifiers and comprehensions ----

    fn quantified(&mut self, ty: &Type, depth: usize) -> Expr {
        let which = self.random.below(2) + if *ty == Type::Bool { 0 } else { 2 };
        let (quantifier, _) = QUANTIFIERS[which];
        let scope = self.scope.len();
        let (over, member, decision) = self.over(depth, true);
        let count = if self.random.percent(20) { 2 } else { 1 };
        let patterns = (0..count).map(|_| self.pattern(&member, decision)).collect();
        let guard = self.random.percent(25).then(|| self.expression(&Type::Bool, depth.saturating_sub(2)));
        let body = self.expression(ty, depth - 1);
        self.scope.truncate(scope);
        quantified(Quantified { quantifier, patterns, over, guard, body })
    }

    pub fn comprehension(&mut self, element: &Type, depth: usize) -> Expr {
        let scope = self.scope.len();
        let mut qualifiers = Vec::new();
        for number in 0..self.random.weighted(&[(45, 1), (40, 2), (15, 3)]) {
            let form = if number == 0 && self.random.percent(90) { 'g' } else { *self.random.pick(&['g', 'c', 'l']) };
            qualifiers.push(match form {
                'g' => {
                    let (over, member, decision) = self.over(depth.max(1), false);
                    let count = if self.random.percent(10) { 2 } else { 1 };
                    let patterns = (0..count).map(|_| self.pattern(&member, decision)).collect();
                    Qualifier::Generator(patterns, over)
                }
                'c' => {
                    let condition = self.expression(&Type::Bool, depth.saturating_sub(1));
                    // Before a generator, a name alone would be one of its patterns.
                    Qualifier::Condition(match condition.kind {
                        ExprKind::Name(_) => apply(symbols::NOT, vec![condition]),
                        _ => condition,
                    })
                }
                _ => {
                    let ty = self.related_type();
                    let (value, decision) = self.tracked(|this| this.expression(&ty, depth.saturating_sub(1)));
                    Qualifier::Letting(self.pattern(&ty, decision), value)
                }
            });
        }
        let body = self.expression(element, depth.saturating_sub(1));
        self.scope.truncate(scope);
        expr(ExprKind::Comprehension(Box::new(body), qualifiers))
    }

    /// Makes something, and says whether it depends on a decision.
    fn tracked<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = std::mem::replace(&mut self.depends, false);
        let made = make(self);
        let depends = self.depends;
        self.depends |= before;
        (made, depends)
    }

    /// What a generator ranges over, the type of its members, and whether they depend on a decision.
    fn over(&mut self, depth: usize, subsets: bool) -> (Over, Type, bool) {
        match self.random.weighted(&[(40, 'd'), (45, 'm'), (10, 's')]) {
            'd' => {
                let ty = if self.random.percent(60) { self.simple_type() } else { self.related_type() };
                let (domain, size) = self.domain(&ty, 6);
                if size <= 8 {
                    return (Over::Domain(domain), ty, false);
                }
                (Over::Domain(self.domain(&Type::INT, 4).0), Type::INT, false)
            }
            's' => {
                let member = self.related_type();
                let ty = Type::Set(Rc::new(member));
                let (set, decision) = self.tracked(|this| this.expression(&ty, depth.saturating_sub(2)));
                if subsets && self.random.percent(70) {
                    return (Over::Subsets(set), ty, decision);
                }
                let power_set = conjure_like::operators::function("powerSet").expect("an operator");
                (Over::Members(apply(power_set, vec![set])), ty, decision)
            }
            _ => {
                let ty = self.collection_type();
                let (collection, decision) = self.tracked(|this| this.expression(&ty, depth - 1));
                let member = ty.member().expect("the type of a collection");
                (Over::Members(collection), member, decision)
            }
        }
    }

    fn pattern(&mut self, ty: &Type, decision: bool) -> Pattern {
        let parts = match ty {
            Type::Tuple(items) if self.random.percent(60) => {
                let items = items.iter().map(|item| self.pattern(item, decision)).collect();
                return pattern(PatternKind::Tuple(items));
            }
            Type::Set(inner) if self.random.percent(25) => Some(((**inner).clone(), true)),
            Type::List(inner) if self.random.percent(15) => Some(((**inner).clone(), false)),
            Type::Matrix(parts) if self.random.percent(15) => Some((parts.1.clone(), false)),
            _ => None,
        };
        if let Some((inner, set)) = parts {
            let count = self.random.between(1, 2);
            let items = (0..count).map(|_| self.pattern(&inner, decision)).collect();
            return pattern(if set { PatternKind::Set(items) } else { PatternKind::Matrix(items) });
        }
        if self.random.percent(6) {
            return pattern(PatternKind::Wildcard);
        }
        // Sometimes a name hides another one.
        let text: Name = if self.random.percent(8) && !self.scope.is_empty() {
            self.random.pick(&self.scope).name.clone()
        } else {
            self.fresh += 1;
            format!("q{}", self.fresh).into()
        };
        self.scope.push(Variable { name: text.clone(), ty: ty.clone(), decision, declared: false, value: None });
        pattern(PatternKind::Name(text))
    }

    // ---- literals ----

    pub fn literal(&mut self, ty: &Type, depth: usize) -> Expr {
        let inner_depth = depth.saturating_sub(1);
        match ty {
            Type::Any | Type::Bool => expr(ExprKind::Bool(self.random.percent(50))),
            Type::Int(_) => {
                let value = self.random.weighted(&[(3, 0), (4, 1), (4, 2), (2, 3), (1, 4), (1, 6), (1, -1), (1, -2)]);
                int(value)
            }
            Type::Named(named) => {
                let known = self.named.iter().find(|known| known.ty == *named).expect("a declared type");
                if known.listed {
                    return name(self.random.pick(&known.members));
                }
                self.fresh += 1;
                let bound: Name = format!("q{}", self.fresh).into();
                let over = Over::Domain(domain_of_type(ty));
                let all = Qualifier::Generator(vec![pattern(PatternKind::Name(bound.clone()))], over);
                let list = expr(ExprKind::Comprehension(Box::new(name(&bound)), vec![all]));
                let at = self.random.between(1, known.members.len() as i64);
                index(list, int(at))
            }
            Type::Tuple(items) => {
                expr(ExprKind::Tuple(items.iter().map(|item| self.expression(item, inner_depth)).collect()))
            }
            Type::Record(fields) => {
                let fields = fields.iter().map(|(name, ty)| (identifier(name), self.expression(ty, inner_depth)));
                expr(ExprKind::Record(fields.collect()))
            }
            Type::Variant(alternatives) => {
                let (name, inner) = self.random.pick(alternatives).clone();
                let value = self.expression(&inner, inner_depth);
                typed(expr(ExprKind::Variant(identifier(&name), Box::new(value))), ty)
            }
            Type::Matrix(parts) => {
                let (index, count) = self.domain(&parts.0, 3);
                if parts.0 == Type::INT && self.random.percent(50) {
                    return self.list(&parts.1, inner_depth);
                }
                let elements = (0..count).map(|_| self.expression(&parts.1, inner_depth)).collect();
                expr(ExprKind::Matrix(elements, Some(Box::new(index))))
            }
            Type::List(inner) => self.list(inner, inner_depth),
            Type::Set(inner) => self.members(Collection::Set, inner, ty, inner_depth),
            Type::MSet(inner) => self.members(Collection::MSet, inner, ty, inner_depth),
            Type::Sequence(inner) => self.members(Collection::Sequence, inner, ty, inner_depth),
            Type::Relation(columns) => {
                let count = self.random.below(4);
                let tuples = (0..count).map(|_| {
                    expr(ExprKind::Tuple(columns.iter().map(|column| self.expression(column, inner_depth)).collect()))
                });
                let tuples: Vec<Expr> = tuples.collect();
                self.maybe_typed(expr(ExprKind::Collection(Collection::Relation, tuples)), count == 0, ty)
            }
            Type::Function(parts) => {
                let count = self.random.below(4);
                let points = self.different(&parts.0, count, inner_depth);
                let empty = points.is_empty();
                let pairs = points.into_iter().map(|point| (point, self.expression(&parts.1, inner_depth))).collect();
                self.maybe_typed(expr(ExprKind::Function(pairs)), empty, ty)
            }
            Type::Partition(inner) => {
                let count = self.random.below(4);
                let members = self.different(inner, count, inner_depth);
                let empty = members.is_empty();
                let cut = self.random.below(members.len() + 1);
                let (left, right) = members.split_at(cut);
                let parts = [left, right].into_iter().filter(|part| !part.is_empty()).map(<[Expr]>::to_vec).collect();
                self.maybe_typed(expr(ExprKind::Partition(parts)), empty, ty)
            }
            Type::Permutation(inner) => {
                let count = self.random.below(4);
                let points = self.different(inner, count, inner_depth);
                let cycles = if points.len() < 2 { Vec::new() } else { vec![points] };
                let empty = cycles.is_empty();
                self.maybe_typed(expr(ExprKind::Permutation(cycles)), empty, ty)
            }
            Type::Domain(inner) => expr(ExprKind::Domain(Box::new(self.domain(inner, 6).0))),
        }
    }

    fn list(&mut self, element: &Type, depth: usize) -> Expr {
        let count = self.random.weighted(&[(1, 0), (2, 1), (4, 2), (3, 3)]);
        let elements: Vec<Expr> = (0..count).map(|_| self.expression(element, depth)).collect();
        self.maybe_typed(expr(ExprKind::Matrix(elements, None)), count == 0, &Type::List(Rc::new(element.clone())))
    }

    fn members(&mut self, kind: Collection, member: &Type, ty: &Type, depth: usize) -> Expr {
        let count = self.random.weighted(&[(1, 0), (3, 1), (4, 2), (2, 3)]);
        let members: Vec<Expr> = (0..count).map(|_| self.expression(member, depth)).collect();
        self.maybe_typed(expr(ExprKind::Collection(kind, members)), count == 0, ty)
    }

    /// What is empty does not show its type.
    fn maybe_typed(&mut self, value: Expr, empty: bool, ty: &Type) -> Expr {
        if empty { typed(value, ty) } else { value }
    }

    /// So many expressions, mostly literals that differ.
    fn different(&mut self, ty: &Type, count: usize, depth: usize) -> Vec<Expr> {
        let mut made: Vec<Expr> = Vec::new();
        for _ in 0..count {
            let one = if self.random.percent(80) { self.literal(ty, 0) } else { self.expression(ty, depth) };
            if !made.contains(&one) {
                made.push(one);
            }
        }
        made
    }
}

pub fn index(value: Expr, at: Expr) -> Expr {
    expr(ExprKind::Index(Box::new(value), vec![Index::At(at)]))
}

/// Whether something of a type can stand where a type is wanted.
pub fn fits(ty: &Type, wanted: &Type) -> bool {
    match (ty, wanted) {
        (Type::Matrix(parts), Type::List(inner)) => parts.0 == Type::INT && parts.1 == **inner,
        _ => ty == wanted,
    }
}

/// The parts of a value that expressions can name, with their types.
fn steps(ty: &Type) -> Vec<(Step, Type)> {
    match ty {
        Type::Tuple(items) => {
            items.iter().enumerate().map(|(position, item)| (Step::Component(position), item.clone())).collect()
        }
        Type::Record(fields) | Type::Variant(fields) => {
            fields.iter().map(|(name, item)| (Step::Field(name.clone()), item.clone())).collect()
        }
        Type::Matrix(parts) => vec![(Step::Index(parts.0.clone()), parts.1.clone())],
        Type::List(inner) => vec![(Step::Index(Type::INT), (**inner).clone())],
        Type::Function(parts) => vec![(Step::Image(parts.0.clone()), parts.1.clone())],
        Type::Sequence(inner) => vec![(Step::Image(Type::INT), (**inner).clone())],
        Type::Permutation(inner) => vec![(Step::Image((**inner).clone()), (**inner).clone())],
        _ => Vec::new(),
    }
}
