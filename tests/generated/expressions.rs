//! Random expressions of given types.

use super::{
    domains::BINARY,
    generator::{Generator, Variable},
    tree::*,
};
use conjure_like::{
    language::{Collection, Name, Type},
    operators::symbols,
    syntax::ast::{ExprTree, ExprTreeKind, WrittenIndex},
};
use std::sync::Arc;

/// A step from a value to one of its parts.
#[derive(Clone)]
enum Step {
    Component(usize),
    Field(Name),
    /// An element of a matrix, with the type of the index.
    Index(Type),
    /// An image under a function, sequence or permutation, with the type of the argument.
    Image(Type),
}

impl Generator {
    /// An expression of a type, with operators nested about `depth` deep.
    pub(crate) fn expression(&mut self, ty: &Type, depth: usize) -> ExprTree {
        if depth == 0 || self.fuel == 0 {
            return self.leaf(ty);
        }
        self.fuel -= 1;
        // Not every way is possible for every type, so try several.
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

    fn leaf(&mut self, ty: &Type) -> ExprTree {
        if self.random.percent(75)
            && let Some(made) = self.named(ty, 0)
        {
            return made;
        }
        self.literal(ty, 0)
    }

    /// The names in scope that are not hidden.
    pub(crate) fn visible(&self) -> Vec<&Variable> {
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

    /// A name, or a part of its value.
    fn named(&mut self, ty: &Type, depth: usize) -> Option<ExprTree> {
        let mut ways: Vec<(Variable, Vec<Step>)> = Vec::new();
        for variable in self.visible() {
            if fits(&variable.ty, ty) {
                // Twice, so that whole values are as likely as their parts.
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
            // Arguments are expressions themselves, so without fuel they could recurse without end.
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
                        ExprTreeKind::Index(base, mut indices) if self.random.percent(50) => {
                            indices.push(WrittenIndex::At(at));
                            expr(ExprTreeKind::Index(base, indices))
                        }
                        _ => index(value, at),
                    }
                }
                Step::Image(ty) => {
                    let argument = self.argument(&ty, depth);
                    expr(ExprTreeKind::Call(Box::new(value), vec![argument]))
                }
            };
        }
        Some(value)
    }

    /// An argument of a function, or an index.
    fn argument(&mut self, ty: &Type, depth: usize) -> ExprTree {
        self.fuel = self.fuel.saturating_sub(1);
        self.expression(ty, depth.saturating_sub(1))
    }

    /// A type that occurs in the scope, so that names in scope get used.
    pub(crate) fn related_type(&mut self) -> Type {
        let mut types = vec![Type::INT, Type::Bool];
        for variable in self.visible() {
            types.extend([variable.ty.clone(), variable.ty.clone()]);
            for (_, part) in steps(&variable.ty) {
                types.extend(part.member());
                types.push(part);
            }
            types.extend(variable.ty.member());
            // The name in the spotlight is often the value of a rare operator.
            if Some(&variable.name) == self.spotlight.as_ref() {
                types.extend([variable.ty.clone(), variable.ty.clone(), variable.ty.clone()]);
            }
        }
        if self.random.percent(5) {
            return self.random_type(1);
        }
        self.random.pick(&types).clone()
    }

    /// The type of a collection.
    pub(crate) fn collection_type(&mut self) -> Type {
        let mut types: Vec<Type> = Vec::new();
        for variable in self.visible() {
            let parts = steps(&variable.ty).into_iter().map(|(_, part)| part);
            types.extend(parts.chain([variable.ty.clone(), variable.ty.clone()]).filter(|ty| ty.member().is_some()));
        }
        if types.is_empty() || self.random.percent(20) {
            let member = self.related_type();
            return match self.random.below(3) {
                0 => Type::List(Arc::new(member)),
                1 => Type::of(Collection::MSet, [member]),
                _ => Type::of(Collection::Set, [member]),
            };
        }
        self.random.pick(&types).clone()
    }

    /// Expressions that are not operators.
    fn special(&mut self, ty: &Type, depth: usize) -> Option<ExprTree> {
        let general = self.random.percent(20);
        match ty {
            Type::Bool if !general => match self.random.below(10) {
                0..=4 => Some(self.quantified(ty, depth)),
                5..=7 => self.attribute_constraint(depth),
                _ => self.active(depth),
            },
            Type::Int(_) if *ty == Type::INT && !general => Some(self.quantified(ty, depth)),
            Type::List(element) if !general => Some(self.comprehension(element, depth)),
            Type::Matrix(parts) if !general => match parts[0] {
                Type::Int(_) if parts[0] == Type::INT && self.random.percent(50) => {
                    Some(self.comprehension(&parts[1], depth))
                }
                _ => Some(self.slice(parts, depth)),
            },
            Type::Collection(Collection::Relation, columns) if !general => Some(self.projection(columns, depth)),
            _ => match self.random.below(10) {
                0 | 1 => {
                    let (value, default) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                    Some(apply(symbols::CATCH_UNDEFINED, vec![value, default]))
                }
                2 => {
                    let value = self.expression(ty, depth - 1);
                    Some(typed(value, ty))
                }
                3 => {
                    let point = if self.random.percent(70) { self.simple_type() } else { self.related_type() };
                    let permutation = self.expression(&Type::of(Collection::Permutation, [point]), depth - 1);
                    let list = expr(ExprTreeKind::Matrix(vec![permutation], None));
                    let value = self.expression(ty, depth - 1);
                    Some(apply(symbols::TRANSFORM, vec![list, value]))
                }
                4 if self.random.percent(60) => Some(self.bubble(ty, depth)),
                _ => None,
            },
        }
    }

    fn slice(&mut self, parts: &Arc<[Type]>, depth: usize) -> ExprTree {
        let bound =
            |this: &mut Self| this.random.percent(50).then(|| this.expression(&parts[0], depth.saturating_sub(2)));
        let slice = WrittenIndex::Slice(bound(self), bound(self));
        let (base, indices) = match self.random.below(3) {
            0 => (Type::Matrix(parts.clone()), vec![slice]),
            outer => {
                let other = self.simple_type();
                let at = WrittenIndex::At(self.expression(&other, depth.saturating_sub(2)));
                if outer == 1 {
                    (Type::matrix(other, Type::Matrix(parts.clone())), vec![at, slice])
                } else {
                    let inner = Type::matrix(other, parts[1].clone());
                    (Type::matrix(parts[0].clone(), inner), vec![slice, at])
                }
            }
        };
        let base = self.expression(&base, depth - 1);
        expr(ExprTreeKind::Index(Box::new(base), indices))
    }

    fn projection(&mut self, columns: &Arc<[Type]>, depth: usize) -> ExprTree {
        let mut all = columns.to_vec();
        // The relation has one more column, which the projection fixes.
        let place = self.random.below(all.len() + 1);
        let ty = self.related_type();
        all.insert(place, ty.clone());
        let base = self.expression(&Type::Collection(Collection::Relation, all.clone().into()), depth - 1);
        let fixed = self.expression(&ty, depth.saturating_sub(2));
        let mut operands: Vec<ExprTree> = columns.iter().map(|_| expr(ExprTreeKind::Wildcard)).collect();
        operands.insert(place, fixed);
        expr(ExprTreeKind::Call(Box::new(base), operands))
    }

    fn attribute_constraint(&mut self, depth: usize) -> Option<ExprTree> {
        let declared: Vec<Type> =
            self.visible().iter().filter(|known| known.declared).map(|known| known.ty.clone()).collect();
        let ty = match declared.is_empty() || self.random.percent(30) {
            true => self.collection_type(),
            false => self.random.pick(&declared).clone(),
        };
        const SIZES: [&str; 3] = ["size", "minSize", "maxSize"];
        const NUMBERS: [&str; 6] = ["numParts", "minNumParts", "maxNumParts", "partSize", "minPartSize", "maxPartSize"];
        let (with_number, alone): (Vec<&str>, &[&str]) = match &ty {
            Type::Collection(Collection::Set, _) => (SIZES.to_vec(), &[]),
            Type::Collection(Collection::MSet, _) => ([&SIZES[..], &["minOccur", "maxOccur"]].concat(), &[]),
            Type::Collection(Collection::Function, _) => {
                (SIZES.to_vec(), &["total", "injective", "surjective", "bijective"])
            }
            Type::Collection(Collection::Sequence, _) => (SIZES.to_vec(), &["injective", "surjective", "bijective"]),
            Type::Collection(Collection::Relation, columns) if columns.len() == 2 && columns[0] == columns[1] => {
                (SIZES.to_vec(), &BINARY)
            }
            Type::Collection(Collection::Relation, _) => (SIZES.to_vec(), &[]),
            Type::Collection(Collection::Partition, _) => (NUMBERS.to_vec(), &["regular"]),
            Type::Collection(Collection::Permutation, _) => (vec!["numMoved", "minNumMoved", "maxNumMoved"], &[]),
            _ => return None,
        };
        let word = if alone.is_empty() || self.random.percent(if alone.len() > 4 { 10 } else { 40 }) {
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
        Some(expr(ExprTreeKind::Attribute(identifier(word), operands)))
    }

    fn active(&mut self, depth: usize) -> Option<ExprTree> {
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
}

pub(crate) fn index(value: ExprTree, at: ExprTree) -> ExprTree {
    expr(ExprTreeKind::Index(Box::new(value), vec![WrittenIndex::At(at)]))
}

/// True if a value of a type is allowed for the wanted type.
pub(crate) fn fits(ty: &Type, wanted: &Type) -> bool {
    match (ty, wanted) {
        (Type::Matrix(parts), Type::List(inner)) => parts[0] == Type::INT && parts[1] == **inner,
        _ => ty == wanted,
    }
}

/// The parts of a value that expressions can denote, with their types.
fn steps(ty: &Type) -> Vec<(Step, Type)> {
    match ty {
        Type::Tuple(items) => {
            items.iter().enumerate().map(|(position, item)| (Step::Component(position), item.clone())).collect()
        }
        Type::Record(fields) | Type::Variant(fields) => {
            fields.iter().map(|(name, item)| (Step::Field(name.clone()), item.clone())).collect()
        }
        Type::Matrix(parts) => vec![(Step::Index(parts[0].clone()), parts[1].clone())],
        Type::List(inner) => vec![(Step::Index(Type::INT), (**inner).clone())],
        Type::Collection(Collection::Function, parts) => vec![(Step::Image(parts[0].clone()), parts[1].clone())],
        Type::Collection(Collection::Sequence, inner) => vec![(Step::Image(Type::INT), inner[0].clone())],
        Type::Collection(Collection::Permutation, inner) => vec![(Step::Image(inner[0].clone()), inner[0].clone())],
        _ => Vec::new(),
    }
}
