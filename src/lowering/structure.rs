//! Lowers literals, slices, projections and the other forms that are not operators.

use super::*;
use crate::{
    analysis::model::{Bubble, Index},
    instance::ground,
    language::{Collection, MemberForm, Stop},
    problem::Int,
    symbolic::{IndexKind, Indexed, Member, Repetition, transformed},
};

/// One index of a slice, lowered.
enum LoweredSliceIndex {
    At(Term),
    /// The bounds of the indices to keep; Booleans count as 0 and 1.
    Between(Option<Int>, Option<Int>),
}

impl Lowering<'_> {
    pub(super) fn slice(&mut self, matrix: &Expr, indices: &[Index], context: &Context) -> LoweringResult {
        let matrix = self.expression(matrix, context)?;
        let mut defined = vec![matrix.defined];
        let mut positions = Vec::with_capacity(indices.len());
        for index in indices {
            positions.push(match index {
                Index::At(index) => {
                    let index = self.expression(index, context)?;
                    defined.push(index.defined);
                    LoweredSliceIndex::At(index.term)
                }
                Index::Slice(low, high) => {
                    let mut bound = |bound: &Option<Expr>| -> LoweringResult<Option<Int>> {
                        let Some(bound) = bound else { return Ok(None) };
                        let bound = self.expression(bound, context)?;
                        defined.push(bound.defined);
                        Ok(Some(self.symbolic.int(&bound.term)))
                    };
                    LoweredSliceIndex::Between(bound(low)?, bound(high)?)
                }
            });
        }
        let partial = self.sliced(&matrix.term, &positions);
        defined.push(partial.defined);
        Ok(Partial { term: partial.term, defined: self.symbolic.problem.and(defined) })
    }

    fn sliced(&mut self, matrix: &Term, positions: &[LoweredSliceIndex]) -> Partial {
        let Some((position, rest)) = positions.split_first() else { return matrix.clone().into() };
        let (low, high) = match position {
            LoweredSliceIndex::At(at) => {
                let element = self.symbolic.element_of(matrix, at);
                if element.defined == Bool::FALSE {
                    // An empty matrix has only a placeholder as an element, which cannot be sliced further.
                    return element;
                }
                let inner = self.sliced(&element.term, rest);
                let defined = self.symbolic.problem.and([element.defined, inner.defined]);
                return Partial { term: inner.term, defined };
            }
            LoweredSliceIndex::Between(low, high) => (low, high),
        };
        let Indexed { entries, boolean } = self.symbolic.indexed(matrix);
        let mut kept = Vec::with_capacity(entries.len());
        let mut defined = Vec::new();
        for (index, member) in entries {
            let problem = &mut self.symbolic.problem;
            let mut parts = vec![member.condition];
            parts.extend(high.map(|high| !problem.at_most_constant(high, index - 1)));
            // A missing bound leaves the slice open at that end.
            parts.extend(low.map(|low| problem.at_most_constant(low, index)));
            let condition = problem.and(parts);
            if condition != Bool::FALSE {
                let inner = self.sliced(&member.term, rest);
                defined.push(self.symbolic.problem.implies(condition, inner.defined));
                if inner.defined != Bool::FALSE {
                    kept.push((index, Member::new(condition, inner.term)));
                }
            }
        }
        Partial { term: Term::slice(IndexKind::of(boolean), kept), defined: self.symbolic.problem.and(defined) }
    }

    /// Lowers a projection. The result has the free columns of the tuples that agree with the given ones.
    pub(super) fn projection(
        &mut self,
        relation: &Expr,
        columns: &[Option<Expr>],
        context: &Context,
    ) -> LoweringResult {
        let Some(kind) = relation.ty.collection() else { unreachable!("only relations are projected") };
        let relation = self.expression(relation, context)?;
        let mut defined = vec![relation.defined];
        let mut fixed = Vec::with_capacity(columns.len());
        for column in columns {
            fixed.push(match column {
                Some(column) => {
                    let partial = self.expression(column, context)?;
                    defined.push(partial.defined);
                    Some(partial.term)
                }
                None => None,
            });
        }
        let members = self.symbolic.members(&relation.term);
        let mut kept = Vec::new();
        for member in &members.members {
            let mut parts = vec![member.condition];
            let mut free = Vec::new();
            // The given columns select tuples, and the other columns are the result.
            for (item, fixed) in member.term.items().into_iter().zip(&fixed) {
                match fixed {
                    Some(fixed) => parts.push(self.symbolic.equal(&item, fixed)),
                    None => free.push(item),
                }
            }
            let condition = self.symbolic.problem.and(parts);
            kept.push(Member::new(condition, Term::tuple(free)));
        }
        // Tuples that agree in the given columns differ in the free ones. But if a given column depends on decisions,
        // several tuples may have the same free columns.
        let distinct =
            members.repetition == Repetition::Never && fixed.iter().flatten().all(|fixed| fixed.as_value().is_some());
        let term = self.symbolic.collection(kind, kept, Repetition::unless(distinct));
        Ok(Partial { term, defined: self.symbolic.problem.and(defined) })
    }

    /// Lowers a literal of a collection. Repeated members count only in multisets, sequences and cycles. A
    /// contradictory literal such as `function(1 --> 2, 1 --> 3)` is undefined.
    pub(super) fn collection_literal(
        &mut self,
        kind: Collection,
        members: &[Expr],
        context: &Context,
    ) -> LoweringResult {
        let (mut terms, defined) = self.all(members, context)?;
        let mut consistent = vec![defined];
        let symbolic = &mut self.symbolic;
        let (members, repetition) = match kind.form() {
            MemberForm::Values | MemberForm::Tuples => {
                (terms.into_iter().map(Member::always).collect(), Repetition::Possible)
            }
            MemberForm::Positions => {
                let pairs = (1..).zip(terms).map(|(index, term)| Term::pair(Term::Value(Value::Int(index)), term));
                (pairs.map(Member::always).collect(), Repetition::Never)
            }
            MemberForm::Cycles => {
                // A point cannot occur twice in the cycles.
                for (position, pair) in terms.iter().enumerate() {
                    for earlier in &terms[..position] {
                        consistent.push(!symbolic.equal(&earlier.item(0), &pair.item(0)));
                    }
                }
                (terms.into_iter().map(Member::always).collect(), Repetition::Never)
            }
            MemberForm::Pairs => {
                let members = symbolic.once(terms, |symbolic, earlier, pair| {
                    let same = symbolic.equal(&earlier.item(0), &pair.item(0));
                    if same != Bool::FALSE {
                        let agree = symbolic.equal(&earlier.item(1), &pair.item(1));
                        consistent.push(symbolic.problem.implies(same, agree));
                    }
                    same
                });
                (members, Repetition::Never)
            }
            MemberForm::Blocks => {
                // The parts of a partition must be nonempty and disjoint.
                for part in &mut terms {
                    let distinct = symbolic.members(part);
                    let distinct = symbolic.distinct(part, &distinct);
                    consistent.push(symbolic.problem.or(distinct.members.iter().map(|member| member.condition)));
                    if let Term::Collection(_, members) = part {
                        *members = distinct;
                    }
                }
                let members = symbolic.once(terms, |symbolic, earlier, part| {
                    let same = symbolic.equal(earlier, part);
                    let apart = symbolic.disjoint(earlier, part);
                    consistent.push(symbolic.problem.or([same, apart]));
                    same
                });
                (members, Repetition::Never)
            }
        };
        let defined = symbolic.problem.and(consistent);
        Ok(Partial { term: symbolic.collection(kind, members, repetition), defined })
    }

    /// Applies permutations to a value one after the other. Each of them moves every occurrence of its type in the
    /// value.
    pub(super) fn transform(&mut self, permutations: &Expr, value: &Expr, context: &Context) -> LoweringResult {
        // An empty list may have an unknown type, and it changes nothing.
        let Some(Type::Collection(_, points)) = permutations.ty.member() else {
            return self.expression(value, context);
        };
        let list = self.expression(permutations, context)?;
        let target = self.expression(value, context)?;
        let mut term = target.term;
        // In a guarded list, an absent permutation leaves the value unchanged.
        for permutation in list.term.list_members() {
            let members = self.symbolic.members(&permutation.term);
            let moved = transformed(&mut self.symbolic, &value.ty, &term, &points[0], &members);
            term = self.symbolic.choose(vec![(permutation.condition, moved), (!permutation.condition, term)]);
        }
        let defined = self.symbolic.problem.and([list.defined, target.defined]);
        Ok(Partial { term, defined })
    }

    /// Lowers a bubble. If it has local decision variables, its conditions must hold wherever the expression is
    /// reached; otherwise, they are part of its definedness.
    pub(super) fn bubble(&mut self, bubble: &Bubble, span: Span, context: &Context) -> LoweringResult {
        // The conditions mention the local decision variables, so these are declared first.
        let (mut demanded, mut bound) = (Vec::new(), Vec::new());
        for (LocalId(id), domain) in &bubble.locals {
            match ground(domain, &mut self.environment) {
                Ok(domain) => {
                    let (term, demands) = self.auxiliary(&domain, span)?;
                    demanded.push(demands);
                    self.environment.unbind_local(LocalId(*id));
                    self.locals[*id as usize] = Some(term.clone().into());
                    bound.push((Pattern::Name(LocalId(*id)), term));
                }
                Err(Stop::Undefined) => return Ok(super::expression_terms::undefined_term(&bubble.value.ty)),
                Err(Stop::Fault(fault)) => return Err(fault),
            }
        }
        // Conditions on local decision variables must hold wherever they are reached, even inside a negation.
        let polarity = if bubble.locals.is_empty() { context.polarity } else { Polarity::Positive };
        for condition in &bubble.constraints {
            demanded.push(self.condition(condition, &context.with(polarity))?);
        }
        let demanded = self.symbolic.problem.and(demanded);
        let value = self.expression(&bubble.value, context)?;
        if bubble.locals.is_empty() {
            return Ok(Partial { term: value.term, defined: self.symbolic.problem.and([demanded, value.defined]) });
        }
        self.local_terms.push(bound);
        let problem = &mut self.symbolic.problem;
        let reached = context.reached(problem);
        let wherever_reached = problem.implies(reached, demanded);
        problem.require(wherever_reached);
        Ok(value)
    }
}
