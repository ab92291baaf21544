//! Random literals of given types.

use super::{expressions::index, generator::Generator, tree::*};
use conjure_like::{
    language::{Collection, Name, Type},
    syntax::ast::{ExprTree, ExprTreeKind, GeneratorSource, PatternKind, QualifierTree},
};
use std::sync::Arc;

impl Generator {
    pub(crate) fn literal(&mut self, ty: &Type, depth: usize) -> ExprTree {
        let inner_depth = depth.saturating_sub(1);
        match ty {
            Type::Any | Type::Bool => expr(ExprTreeKind::Bool(self.random.percent(50))),
            Type::Int(_) => {
                let value = self.random.weighted(&[(3, 0), (4, 1), (4, 2), (2, 3), (1, 4), (1, 6), (1, -1), (1, -2)]);
                int(value)
            }
            Type::Named(named) => {
                let known = self.named.iter().find(|known| known.ty == *named).expect("a declared type");
                if known.listed {
                    return name(self.random.pick(&known.members));
                }
                // The members have no names in the model, so take an element of the list of all members.
                self.fresh += 1;
                let bound: Name = format!("q{}", self.fresh).into();
                let over = GeneratorSource::Domain(domain_of_type(ty));
                let all = QualifierTree::Generator(vec![pattern(PatternKind::Name(bound.clone()))], over);
                let list = expr(ExprTreeKind::Comprehension(Box::new(name(&bound)), vec![all]));
                let at = self.random.between(1, known.members.len() as i64);
                index(list, int(at))
            }
            Type::Tuple(items) => {
                expr(ExprTreeKind::Tuple(items.iter().map(|item| self.expression(item, inner_depth)).collect()))
            }
            Type::Record(fields) => {
                let fields = fields.iter().map(|(name, ty)| (identifier(name), self.expression(ty, inner_depth)));
                expr(ExprTreeKind::Record(fields.collect()))
            }
            Type::Variant(alternatives) => {
                let (name, inner) = self.random.pick(alternatives).clone();
                let value = self.expression(&inner, inner_depth);
                typed(expr(ExprTreeKind::Variant(identifier(&name), Box::new(value))), ty)
            }
            Type::Matrix(parts) => {
                let (index, count) = self.domain(&parts[0], 3);
                if parts[0] == Type::INT && self.random.percent(50) {
                    return self.list(&parts[1], inner_depth);
                }
                let elements = (0..count).map(|_| self.expression(&parts[1], inner_depth)).collect();
                expr(ExprTreeKind::Matrix(elements, Some(Box::new(index))))
            }
            Type::List(inner) => self.list(inner, inner_depth),
            Type::Collection(Collection::Set, inner) => self.members(Collection::Set, &inner[0], ty, inner_depth),
            Type::Collection(Collection::MSet, inner) => self.members(Collection::MSet, &inner[0], ty, inner_depth),
            Type::Collection(Collection::Sequence, inner) => {
                self.members(Collection::Sequence, &inner[0], ty, inner_depth)
            }
            Type::Collection(Collection::Relation, columns) => {
                let count = self.random.below(4);
                let tuples = (0..count).map(|_| {
                    expr(ExprTreeKind::Tuple(
                        columns.iter().map(|column| self.expression(column, inner_depth)).collect(),
                    ))
                });
                let mut tuples: Vec<ExprTree> = tuples.collect();
                self.repeat(&mut tuples);
                self.maybe_typed(expr(ExprTreeKind::Collection(Collection::Relation, tuples)), count == 0, ty)
            }
            Type::Collection(Collection::Function, parts) => {
                let count = self.random.below(4);
                let points = self.different(&parts[0], count, inner_depth);
                let empty = points.is_empty();
                let pairs = points.into_iter().map(|point| (point, self.expression(&parts[1], inner_depth)));
                let mut pairs: Vec<(ExprTree, ExprTree)> = pairs.collect();
                self.repeat(&mut pairs);
                self.maybe_typed(expr(ExprTreeKind::Pairs(Collection::Function, pairs)), empty, ty)
            }
            Type::Collection(Collection::Partition, inner) => {
                let count = self.random.below(4);
                let members = self.different(&inner[0], count, inner_depth);
                let empty = members.is_empty();
                let cut = self.random.below(members.len() + 1);
                let (left, right) = members.split_at(cut);
                let parts = [left, right].into_iter().filter(|part| !part.is_empty()).map(<[ExprTree]>::to_vec);
                let mut parts: Vec<Vec<ExprTree>> = parts.collect();
                parts.iter_mut().for_each(|part| self.repeat(part));
                self.repeat(&mut parts);
                self.maybe_typed(expr(ExprTreeKind::Grouped(Collection::Partition, parts)), empty, ty)
            }
            Type::Collection(Collection::Permutation, inner) => {
                let count = self.random.below(4);
                let points = self.different(&inner[0], count, inner_depth);
                let cycles = if points.len() < 2 { Vec::new() } else { vec![points] };
                let empty = cycles.is_empty();
                self.maybe_typed(expr(ExprTreeKind::Grouped(Collection::Permutation, cycles)), empty, ty)
            }
            Type::Domain(inner) => expr(ExprTreeKind::Domain(Box::new(self.domain(inner, 6).0))),
        }
    }

    fn list(&mut self, element: &Type, depth: usize) -> ExprTree {
        let count = self.random.weighted(&[(1, 0), (2, 1), (4, 2), (3, 3)]);
        let elements: Vec<ExprTree> = (0..count).map(|_| self.expression(element, depth)).collect();
        self.maybe_typed(expr(ExprTreeKind::Matrix(elements, None)), count == 0, &Type::List(Arc::new(element.clone())))
    }

    fn members(&mut self, kind: Collection, member: &Type, ty: &Type, depth: usize) -> ExprTree {
        let count = self.random.weighted(&[(1, 0), (3, 1), (4, 2), (2, 3)]);
        let mut members: Vec<ExprTree> = (0..count).map(|_| self.expression(member, depth)).collect();
        self.repeat(&mut members);
        self.maybe_typed(expr(ExprTreeKind::Collection(kind, members)), count == 0, ty)
    }

    /// Sometimes repeats an item.
    fn repeat<T: Clone>(&mut self, items: &mut Vec<T>) {
        if !items.is_empty() && self.random.percent(15) {
            let again = self.random.pick(items).clone();
            items.push(again);
        }
    }

    /// Adds a type to an empty literal, whose type is not evident.
    fn maybe_typed(&mut self, value: ExprTree, empty: bool, ty: &Type) -> ExprTree {
        if empty { typed(value, ty) } else { value }
    }

    /// At most this many different expressions, mostly literals.
    fn different(&mut self, ty: &Type, count: usize, depth: usize) -> Vec<ExprTree> {
        let mut made: Vec<ExprTree> = Vec::new();
        for _ in 0..count {
            let one = if self.random.percent(80) { self.literal(ty, 0) } else { self.expression(ty, depth) };
            if !made.contains(&one) {
                made.push(one);
            }
        }
        made
    }
}
