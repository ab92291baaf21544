//! Random quantifiers, comprehensions, and patterns.

use super::{
    generator::{Generator, QUANTIFIERS, Variable, quantified},
    tree::*,
};
use conjure_like::{
    language::{Collection, Name, Type},
    operators::symbols,
    syntax::ast::{
        DomainKind, DomainTree, ExprTree, ExprTreeKind, GeneratorSource, PatternForm, PatternKind, PatternTree,
        QualifierTree, Quantified, WrittenRange,
    },
};
use std::sync::Arc;

impl Generator {
    pub(crate) fn quantified(&mut self, ty: &Type, depth: usize) -> ExprTree {
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

    pub(crate) fn comprehension(&mut self, element: &Type, depth: usize) -> ExprTree {
        let scope = self.scope.len();
        let mut qualifiers = Vec::new();
        for number in 0..self.random.weighted(&[(45, 1), (40, 2), (15, 3)]) {
            let form = if number == 0 && self.random.percent(90) { 'g' } else { *self.random.pick(&['g', 'c', 'l']) };
            qualifiers.push(match form {
                'g' => {
                    let (over, member, decision) = self.over(depth.max(1), false);
                    let count = if self.random.percent(10) { 2 } else { 1 };
                    let patterns = (0..count).map(|_| self.pattern(&member, decision)).collect();
                    QualifierTree::Generator(patterns, over)
                }
                'c' => {
                    let condition = self.expression(&Type::Bool, depth.saturating_sub(1));
                    // Before a generator, a single name would be parsed as one of its patterns.
                    QualifierTree::Condition(match condition.kind {
                        ExprTreeKind::Name(_) => apply(symbols::NOT, vec![condition]),
                        _ => condition,
                    })
                }
                _ => {
                    let ty = self.related_type();
                    let (value, decision) = self.tracked(|this| this.expression(&ty, depth.saturating_sub(1)));
                    QualifierTree::Letting(self.pattern(&ty, decision), value)
                }
            });
        }
        let body = self.expression(element, depth.saturating_sub(1));
        self.scope.truncate(scope);
        expr(ExprTreeKind::Comprehension(Box::new(body), qualifiers))
    }

    /// Makes something, and returns whether it depends on a decision variable.
    fn tracked<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = std::mem::replace(&mut self.depends, false);
        let made = make(self);
        let depends = self.depends;
        self.depends |= before;
        (made, depends)
    }

    /// The source of a generator, the type of its members, and whether they depend on a decision variable.
    fn over(&mut self, depth: usize, subsets: bool) -> (GeneratorSource, Type, bool) {
        match self.random.weighted(&[(40, 'd'), (45, 'm'), (10, 's')]) {
            'd' if self.random.percent(25) => {
                let (domain, decision) = self.tracked(|this| this.computed_ints(depth));
                (GeneratorSource::Domain(domain), Type::INT, decision)
            }
            'd' if self.random.percent(15) => {
                let ((domain, ty), decision) = self.tracked(|this| this.computed_collection(depth));
                (GeneratorSource::Domain(domain), ty, decision)
            }
            'd' => {
                let ty = if self.random.percent(50) { self.simple_type() } else { self.related_type() };
                // Only small domains, because nested generators multiply.
                let (domain, size) = self.domain(&ty, 6);
                if size <= 8 {
                    return (GeneratorSource::Domain(domain), ty, false);
                }
                (GeneratorSource::Domain(self.domain(&Type::INT, 4).0), Type::INT, false)
            }
            's' => {
                let member = self.related_type();
                let ty = Type::of(Collection::Set, [member]);
                let (set, decision) = self.tracked(|this| this.expression(&ty, depth.saturating_sub(2)));
                if subsets && self.random.percent(70) {
                    return (GeneratorSource::Subsets(set), ty, decision);
                }
                let power_set = conjure_like::operators::function("powerSet").expect("an operator");
                (GeneratorSource::Members(apply(power_set, vec![set])), ty, decision)
            }
            _ => {
                let ty = self.collection_type();
                let (collection, decision) = self.tracked(|this| this.expression(&ty, depth - 1));
                let member = ty.member().expect("the type of a collection");
                (GeneratorSource::Members(collection), member, decision)
            }
        }
    }

    /// Integers whose bounds depend on quantified names or decision variables, and may be undefined.
    fn computed_ints(&mut self, depth: usize) -> DomainTree {
        let before = self.decisions;
        let depth = depth.saturating_sub(2);
        let range = if self.random.percent(30) {
            // Bounds may depend on decision variables, but a collection of the values may not.
            self.decisions = false;
            let ty = if self.random.percent(50) { Type::set(Type::INT) } else { Type::List(Arc::new(Type::INT)) };
            WrittenRange::Single(self.expression(&ty, depth))
        } else {
            self.decisions &= self.random.percent(60);
            // Limit the number of values.
            let value = self.expression(&Type::INT, depth);
            let high = apply(symbols::MODULO, vec![value, int(4)]);
            let low = if self.random.percent(50) { int(0) } else { self.expression(&Type::INT, 0) };
            WrittenRange::Interval(Some(low), Some(high))
        };
        self.decisions = before;
        ints(vec![range])
    }

    /// Collections whose sizes, or integers, depend on quantified names or decision variables.
    fn computed_collection(&mut self, depth: usize) -> (DomainTree, Type) {
        let before = self.decisions;
        self.decisions &= self.random.percent(50);
        let value = self.expression(&Type::INT, depth.saturating_sub(2));
        self.decisions = before;
        let number = apply(symbols::MODULO, vec![value, int(3)]);
        let word = *self.random.pick(&["size", "maxSize"]);
        let sized = vec![attribute(word, Some(number.clone()))];
        let upto = ints(vec![WrittenRange::Interval(Some(int(1)), Some(number))]);
        let small = self.domain(&Type::INT, 3).0;
        match self.random.below(7) {
            0 => (
                domain(DomainKind::Collection(Collection::Set, sized, vec![small])),
                Type::of(Collection::Set, [Type::INT]),
            ),
            1 => (
                domain(DomainKind::Collection(Collection::Set, Vec::new(), vec![upto])),
                Type::of(Collection::Set, [Type::INT]),
            ),
            2 => (
                domain(DomainKind::Collection(Collection::MSet, sized, vec![small])),
                Type::of(Collection::MSet, [Type::INT]),
            ),
            3 => (
                domain(DomainKind::Collection(Collection::Sequence, sized, vec![small])),
                Type::of(Collection::Sequence, [Type::INT]),
            ),
            4 => {
                let kind = DomainKind::Collection(
                    Collection::Function,
                    self.words(&["total", "injective"], 60),
                    vec![upto, small],
                );
                (domain(kind), Type::of(Collection::Function, [Type::INT, Type::INT]))
            }
            5 => (
                domain(DomainKind::Collection(Collection::Partition, Vec::new(), vec![upto])),
                Type::of(Collection::Partition, [Type::INT]),
            ),
            _ => {
                let kind = DomainKind::Matrix(vec![upto], Box::new(domain(DomainKind::Bool)));
                (domain(kind), Type::matrix(Type::INT, Type::Bool))
            }
        }
    }

    fn pattern(&mut self, ty: &Type, decision: bool) -> PatternTree {
        let parts = match ty {
            Type::Tuple(items) if self.random.percent(60) => {
                let items = items.iter().map(|item| self.pattern(item, decision)).collect();
                return pattern(PatternKind::Parts(PatternForm::Tuple, items));
            }
            Type::Collection(Collection::Set, inner) if self.random.percent(25) => Some((inner[0].clone(), true)),
            Type::List(inner) if self.random.percent(30) => Some(((**inner).clone(), false)),
            Type::Matrix(parts) if self.random.percent(30) => Some((parts[1].clone(), false)),
            _ => None,
        };
        if let Some((inner, set)) = parts {
            let count = self.random.between(1, 2);
            let items = (0..count).map(|_| self.pattern(&inner, decision)).collect();
            return pattern(PatternKind::Parts(if set { PatternForm::Members } else { PatternForm::Matrix }, items));
        }
        if self.random.percent(6) {
            return pattern(PatternKind::Wildcard);
        }
        // Sometimes hide an outer name.
        let text: Name = if self.random.percent(8) && !self.scope.is_empty() {
            self.random.pick(&self.scope).name.clone()
        } else {
            self.fresh += 1;
            format!("q{}", self.fresh).into()
        };
        self.scope.push(Variable { name: text.clone(), ty: ty.clone(), decision, declared: false, value: None });
        pattern(PatternKind::Name(text))
    }
}
