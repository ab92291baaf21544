//! Lowers expressions, with a case for each kind.

use super::*;
use crate::{
    instance::{evaluate, ground, index_of_literal},
    language::Stop,
    operators::Operator,
};

impl Lowering<'_> {
    /// Lowers an expression to a term. A term of Boolean type is always defined.
    pub(super) fn expression(&mut self, expr: &Expr, context: &Context) -> LoweringResult {
        if self.is_fixed(expr, context) {
            match evaluate(expr, &mut self.environment) {
                Ok(value) => return Ok(Term::Value(value).into()),
                Err(Stop::Undefined) => return Ok(undefined_term(&expr.ty)),
                // A Boolean or a power set that is too large to be evaluated may still be easy for the solver.
                Err(Stop::Fault(fault))
                    if fault.code == Code::TOO_LARGE && (expr.ty == Type::Bool || is_power_set(expr)) => {}
                Err(Stop::Fault(fault)) => return Err(fault),
            }
        }
        // Only collections have keys. They are large, and the builder already shares equal Booleans and integers.
        let key = self.key(expr);
        if let Some(known) = key.as_ref().and_then(|key| self.collections.get(key)) {
            return Ok(known.clone());
        }
        let constraints = self.symbolic.problem.constraints().len();
        let partial = self.decision(expr, context)?;
        self.check(expr.span)?;
        // If lowering has added constraints, for example on local decision variables, these belong to this use, so the
        // term is not shared.
        if let Some(key) = key.filter(|_| self.symbolic.problem.constraints().len() == constraints) {
            self.collections.insert(key, &partial);
        }
        if partial.defined == Bool::FALSE {
            // The term of an undefined expression does not matter, and it may be large.
            return Ok(undefined_term(&expr.ty));
        }
        // An undefined Boolean is false, so definedness becomes a conjunct here and nowhere else.
        if expr.ty == Type::Bool && partial.defined != Bool::TRUE {
            let term = partial.term.bool();
            return Ok(self.symbolic.problem.and([term, partial.defined]).into());
        }
        Ok(partial)
    }

    /// Lowers an expression that depends on decisions. Only operators pass their polarity on to their operands.
    fn decision(&mut self, expr: &Expr, outer: &Context) -> LoweringResult {
        let context = &outer.mixed();
        match &expr.kind {
            ExprKind::Apply(operator, operands) => self.apply(operator, operands, expr, outer),
            ExprKind::Constant(value) => Ok(Term::Value(value.clone()).into()),
            ExprKind::Wrong => unreachable!("a model with mistakes is not lowered"),
            ExprKind::Global(id) => self.global(*id, context),
            ExprKind::Local(LocalId(id)) => Ok(self.local(LocalId(*id))),
            ExprKind::Tuple(items) => {
                let (items, defined) = self.all(items, context)?;
                Ok(Partial { term: Term::tuple(items), defined })
            }
            ExprKind::Component(tuple, position) => {
                let tuple = self.expression(tuple, context)?;
                Ok(Partial { term: tuple.term.item(*position as usize), defined: tuple.defined })
            }
            ExprKind::Variant(tag, value) => {
                let value = self.expression(value, context)?;
                // The earlier alternatives come first in the list, but this value does not have them.
                let mut alternatives = vec![None; *tag as usize];
                alternatives.push(Some(value.term));
                let tag = self.symbolic.problem.constant(i64::from(*tag));
                Ok(Partial { term: Term::Variant(tag, alternatives.into()), defined: value.defined })
            }
            ExprKind::Alternative(variant, position) => {
                let variant = self.expression(variant, context)?;
                let (tag, alternatives) = self.symbolic.variant_parts(&variant.term);
                let active = self.symbolic.problem.equals_constant(tag, i64::from(*position));
                let defined = self.symbolic.problem.and([variant.defined, active]);
                match alternatives.into_iter().nth(*position as usize).flatten() {
                    Some(term) => Ok(Partial { term, defined }),
                    // No possible value of the variant has this alternative.
                    None => Ok(undefined_term(&expr.ty)),
                }
            }
            ExprKind::Active(variant, position) => {
                let variant = self.expression(variant, context)?;
                let (tag, _) = self.symbolic.variant_parts(&variant.term);
                let active = self.symbolic.problem.equals_constant(tag, i64::from(*position));
                Ok(Partial { term: active.into(), defined: variant.defined })
            }
            ExprKind::Matrix(elements, index) => {
                let (elements, defined) = self.all(elements, context)?;
                let term = match index {
                    None => Term::list(elements),
                    Some(index) => match index_of_literal(index, elements.len(), expr.span, &mut self.environment) {
                        Ok(index) => Term::matrix(index, elements),
                        Err(Stop::Undefined) => return Ok(undefined_term(&expr.ty)),
                        Err(Stop::Fault(fault)) => return Err(fault),
                    },
                };
                Ok(Partial { term, defined })
            }
            ExprKind::Slice(matrix, indices) => self.slice(matrix, indices, context),
            ExprKind::Projection(relation, columns) => self.projection(relation, columns, context),
            ExprKind::Collection(kind, members) => self.collection_literal(*kind, members, context),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, expr.span, context),
            ExprKind::Domain(domain) => match ground(domain, &mut self.environment) {
                Ok(domain) => Ok(Term::Value(Value::Domain(domain.into())).into()),
                Err(Stop::Undefined) => Ok(undefined_term(&expr.ty)),
                Err(Stop::Fault(fault)) => Err(fault),
            },
            ExprKind::Transform(permutations, value) => self.transform(permutations, value, context),
            ExprKind::HasAttribute(value, attribute) => self.has_attribute(value, attribute, context),
            ExprKind::DoesNotCare(value) => self.does_not_care(value, context),
            ExprKind::Bubble(bubble) => self.bubble(bubble, expr.span, context),
        }
    }

    fn global(&mut self, id: DeclarationId, context: &Context) -> LoweringResult {
        if let Some(partial) = self.globals.get(&id) {
            return Ok(partial.clone());
        }
        let DeclarationKind::Letting(value) = &self.model.declaration(id).kind else {
            unreachable!("only decision variables and lettings depend on decisions")
        };
        let partial = self.expression(value, context)?;
        // Each use needs new local decision variables, so the letting is lowered again.
        if !self.model.has_local_finds_in(value) {
            self.globals.insert(id, partial.clone());
        }
        Ok(partial)
    }

    fn local(&self, id: LocalId) -> Partial {
        match (&self.locals[id.0 as usize], self.environment.local(id)) {
            (Some(partial), _) => partial.clone(),
            (None, Some(value)) => Term::Value(value.clone()).into(),
            (None, None) => unreachable!("a name is bound before its scope is entered"),
        }
    }

    /// Returns the terms of several expressions, and the condition under which all of them are defined.
    pub(super) fn all(&mut self, exprs: &[Expr], context: &Context) -> LoweringResult<(Vec<Term>, Bool)> {
        self.all_by(exprs, |lowering, _, expr| lowering.expression(expr, context))
    }

    fn all_by(
        &mut self,
        exprs: &[Expr],
        mut lower: impl FnMut(&mut Self, usize, &Expr) -> LoweringResult,
    ) -> LoweringResult<(Vec<Term>, Bool)> {
        let mut terms = Vec::with_capacity(exprs.len());
        let mut defined = Vec::new();
        for (position, expr) in exprs.iter().enumerate() {
            // The closure may change `assumed` for later operands, so operands are lowered from left to right.
            let partial = lower(self, position, expr)?;
            terms.push(partial.term);
            if partial.defined != Bool::TRUE {
                defined.push(partial.defined);
            }
        }
        Ok((terms, self.symbolic.problem.and(defined)))
    }

    fn apply(&mut self, operator: &Operator, operands: &[Expr], expr: &Expr, context: &Context) -> LoweringResult {
        // In `catchUndef(e, d)`, the definedness of `e` selects an operand and does not become part of the condition.
        if operator.catches_undefined {
            let value = self.expression(&operands[0], context)?;
            let default = self.expression(&operands[1], context)?;
            let chosen = self.symbolic.choose(vec![(value.defined, value.term), (!value.defined, default.term)]);
            let defined = self.symbolic.problem.or([value.defined, default.defined]);
            return Ok(Partial { term: chosen, defined });
        }
        let mut assumed = Bool::TRUE;
        let (terms, defined) = self.all_by(operands, |lowering, position, operand| {
            let context = context.of_operand(operator, position);
            if position > 0 {
                return lowering.expression(operand, &context.assuming(assumed));
            }
            let first = lowering.first_operand(operator, operand, &context)?;
            // The right side of an implication is reached only if the left side holds.
            if operator.is_implication() {
                assumed = first.term.bool();
            }
            Ok(first)
        })?;
        // The lowering of an operator may assume that its operands are defined.
        if defined == Bool::FALSE {
            return Ok(undefined_term(&expr.ty));
        }
        // Operands can become constant when decisions cancel out, or when a generator over a decision binds a constant.
        if terms.iter().all(|term| term.as_value().is_some()) {
            let values: Vec<Value> = terms.iter().filter_map(Term::as_value).cloned().collect();
            return match (operator.eval)(&values) {
                Ok(value) => Ok(Partial { term: Term::Value(value), defined }),
                Err(Stop::Undefined) => Ok(undefined_term(&expr.ty)),
                // A power set that is too large to list stays symbolic, as in `x in powerSet(s)`.
                Err(Stop::Fault(fault)) if fault.code == Code::TOO_LARGE && operator.is_power_set() => {
                    Ok((operator.lower)(&mut self.symbolic, &terms))
                }
                Err(Stop::Fault(fault)) => {
                    Err(if fault.labels.is_empty() { Box::new(fault.at(expr.span, "here")) } else { fault })
                }
            };
        }
        let result = (operator.lower)(&mut self.symbolic, &terms);
        let defined = match result.defined == Bool::TRUE {
            true => defined,
            false => self.symbolic.problem.and([defined, result.defined]),
        };
        Ok(Partial { term: result.term, defined })
    }
}

fn is_power_set(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Apply(operator, _) if operator.is_power_set())
}

/// Returns the term of an undefined expression, which is false if it is a Boolean.
pub(super) fn undefined_term(ty: &Type) -> Partial {
    let defined = if *ty == Type::Bool { Bool::TRUE } else { Bool::FALSE };
    Partial { term: Term::Value(default_value(ty)), defined }
}
