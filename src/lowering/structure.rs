//! Literals, slices, projections and the other forms that are not operators.

use super::*;
use crate::{
    analysis::model::{Attribute, Bubble, Index},
    instance::{domain_of, ground, points_of},
    language::{Collection, GroundDomain, IntSet, Stop, domain::BinaryProperty},
    problem::Int,
    symbolic::{Member, Members},
};
use std::rc::Rc;

/// One index of a slice, lowered.
enum Position {
    At(Term),
    /// The bounds of the indices that are kept.
    Between(i64, i64),
}

impl Lowering<'_> {
    pub(super) fn slice(&mut self, matrix: &Expr, indices: &[Index]) -> Result {
        let matrix = self.expression(matrix)?;
        let mut defined = vec![matrix.defined];
        let mut positions = Vec::with_capacity(indices.len());
        for index in indices {
            match index {
                Index::At(index) => {
                    let index = self.expression(index)?;
                    defined.push(index.defined);
                    positions.push(Position::At(index.term));
                }
                Index::Slice(low, high) => {
                    let mut bound = |bound: &Option<Expr>, open: i64| -> Result<i64> {
                        let Some(bound) = bound else { return Ok(open) };
                        let partial = self.expression(bound)?;
                        defined.push(partial.defined);
                        match partial.term {
                            Term::Value(value) => Ok(value.as_int()),
                            _ => Err(Box::new(
                                Diagnostic::error(Code::NOT_SUPPORTED, "a slice with decision bounds cannot be solved")
                                    .at(bound.span, "this depends on a decision variable")
                                    .help("use a comprehension with a condition: `[m[i] | i : D, i <= b]`"),
                            )),
                        }
                    };
                    let (low, high) = (bound(low, i64::MIN)?, bound(high, i64::MAX)?);
                    positions.push(Position::Between(low, high));
                }
            }
        }
        let partial = self.sliced(&matrix.term, &positions);
        defined.push(partial.defined);
        Ok(Partial { term: partial.term, defined: self.symbolic.problem.and(defined) })
    }

    fn sliced(&mut self, matrix: &Term, positions: &[Position]) -> Partial {
        let Some((position, rest)) = positions.split_first() else { return matrix.clone().into() };
        let Some((index, elements)) = matrix.as_matrix() else {
            return self.symbolic.refuse("a slice of a list whose length depends on decisions").into();
        };
        match position {
            Position::At(at) => {
                let element = self.symbolic.element(&index, &elements, at);
                let inner = self.sliced(&element.term, rest);
                let defined = self.symbolic.problem.and([element.defined, inner.defined]);
                Partial { term: inner.term, defined }
            }
            Position::Between(low, high) => {
                let values = match &*index {
                    GroundDomain::Int(values) => values.clone(),
                    _ => IntSet::range(0, 1),
                };
                let wanted = values.intersect(&IntSet::range(*low, *high));
                let kept: Vec<Term> = values
                    .iter()
                    .zip(elements)
                    .filter(|(value, _)| wanted.contains(*value))
                    .map(|(_, element)| element)
                    .collect();
                // A part of the Booleans is indexed by 0 for false or 1 for true.
                let index = match &*index {
                    GroundDomain::Bool if kept.len() == 2 => GroundDomain::Bool,
                    _ => GroundDomain::Int(wanted),
                };
                let mut defined = Vec::new();
                let elements = kept
                    .iter()
                    .map(|element| {
                        let inner = self.sliced(element, rest);
                        defined.push(inner.defined);
                        inner.term
                    })
                    .collect();
                Partial { term: Term::matrix(index, elements), defined: self.symbolic.problem.and(defined) }
            }
        }
    }

    /// The free columns of the tuples that agree with the given ones.
    pub(super) fn projection(&mut self, relation: &Expr, columns: &[Option<Expr>]) -> Result {
        let relation = self.expression(relation)?;
        let mut defined = vec![relation.defined];
        let mut fixed = Vec::with_capacity(columns.len());
        for column in columns {
            fixed.push(match column {
                Some(column) => {
                    let partial = self.expression(column)?;
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
            for (item, fixed) in member.term.items().into_iter().zip(&fixed) {
                match fixed {
                    Some(fixed) => parts.push(self.symbolic.equal(&item, fixed)),
                    None => free.push(item),
                }
            }
            let condition = self.symbolic.problem.and(parts);
            kept.push(Member::new(condition, Term::tuple(free)));
        }
        // Tuples that agree in the given columns differ in the free ones; but with decisions for the given
        // columns equal constant projections come from several tuples.
        let distinct = members.distinct && fixed.iter().flatten().all(|fixed| fixed.as_value().is_some());
        let term = self.symbolic.collection(Collection::Relation, kept, distinct);
        Ok(Partial { term, defined: self.symbolic.problem.and(defined) })
    }

    pub(super) fn collection_literal(&mut self, kind: Collection, members: &[Expr], distinct: bool) -> Result {
        let (terms, mut defined) = self.all(members)?;
        let mut require_different = |lowering: &mut Self, keys: &[Term]| {
            let mut parts = vec![defined];
            for left in 0..keys.len() {
                for right in left + 1..keys.len() {
                    parts.push(!lowering.symbolic.equal(&keys[left], &keys[right]));
                }
            }
            defined = lowering.symbolic.problem.and(parts);
        };
        let mut unique = false;
        match kind {
            Collection::Set if distinct => {
                require_different(self, &terms);
                unique = true;
            }
            Collection::Function | Collection::Permutation => {
                let keys: Vec<Term> = terms.iter().map(|pair| pair.item(0)).collect();
                require_different(self, &keys);
                unique = true;
            }
            Collection::Partition => {
                // Parts are not empty and share no element.
                let mut parts = vec![defined];
                let sets: Vec<Rc<Members>> = terms.iter().map(|part| self.symbolic.members(part)).collect();
                for (position, set) in sets.iter().enumerate() {
                    parts.push(self.symbolic.problem.or(set.members.iter().map(|member| member.condition)));
                    for other in &sets[position + 1..] {
                        for member in &set.members {
                            let shared = self.symbolic.contains(other, &member.term);
                            parts.push(!self.symbolic.problem.and([member.condition, shared]));
                        }
                    }
                }
                defined = self.symbolic.problem.and(parts);
                unique = true;
            }
            _ => {}
        }
        let terms = match kind {
            Collection::Sequence => {
                unique = true;
                (1..).zip(terms).map(|(index, term)| Term::pair(Term::Value(Value::Int(index)), term)).collect()
            }
            _ => terms,
        };
        let members = terms.into_iter().map(Member::always).collect();
        Ok(Partial { term: self.symbolic.collection(kind, members, unique), defined })
    }

    /// Each permutation in turn, applied to every occurrence of its type inside the value.
    pub(super) fn transform(&mut self, permutations: &Expr, value: &Expr) -> Result {
        let points = match &permutations.ty {
            Type::Matrix(parts) => parts.1.clone(),
            Type::List(inner) => Type::clone(inner),
            other => other.clone(),
        };
        let Type::Permutation(points) = points else {
            return Ok(self.symbolic.refuse("`transform` by something that is not a permutation").into());
        };
        let list = self.expression(permutations)?;
        let target = self.expression(value)?;
        let permutations = match &permutations.ty {
            Type::Permutation(_) => vec![Member::always(list.term)],
            _ => self.symbolic.list_members(&list.term),
        };
        let mut term = target.term;
        for permutation in permutations {
            let members = self.symbolic.members(&permutation.term);
            let moved = self.symbolic.transformed(&value.ty, &term, &points, &members);
            term = self.symbolic.choose(vec![(permutation.condition, moved), (!permutation.condition, term)]);
        }
        let defined = self.symbolic.problem.and([list.defined, target.defined]);
        Ok(Partial { term, defined })
    }

    /// An attribute as a constraint.
    pub(super) fn has_attribute(&mut self, value: &Expr, attribute: &Attribute) -> Result {
        let target = self.expression(value)?;
        let mut defined = vec![target.defined];
        let number = match &attribute.value {
            Some(number) => {
                let number = self.expression(number)?;
                defined.push(number.defined);
                Some(self.symbolic.int(&number.term))
            }
            None => None,
        };
        let term = target.term;
        let holds = match (&value.ty, &*attribute.name, number) {
            (_, "size" | "minSize" | "maxSize" | "numParts" | "minNumParts" | "maxNumParts", Some(number)) => {
                let size = self.symbolic.size(&term);
                self.compare(&attribute.name, size, number)
            }
            (Type::Permutation(_), "numMoved" | "minNumMoved" | "maxNumMoved", Some(number)) => {
                let moved = self.symbolic.elements(&term);
                let count = self.symbolic.problem.count(moved.iter().map(|member| member.condition));
                self.compare(&attribute.name, count, number)
            }
            (Type::MSet(_), "minOccur" | "maxOccur", Some(number)) => {
                let members = self.symbolic.members(&term);
                let mut parts = Vec::new();
                for member in &members.members {
                    let frequency = self.symbolic.frequency(&members.members, &member.term);
                    let within = self.compare(&attribute.name, frequency, number);
                    parts.push(self.symbolic.problem.implies(member.condition, within));
                }
                self.symbolic.problem.and(parts)
            }
            (Type::Partition(_), "partSize" | "minPartSize" | "maxPartSize", Some(number)) => {
                let members = self.symbolic.members(&term);
                let mut parts = Vec::new();
                for part in &members.members {
                    let size = self.symbolic.size(&part.term);
                    let within = self.compare(&attribute.name, size, number);
                    parts.push(self.symbolic.problem.implies(part.condition, within));
                }
                self.symbolic.problem.and(parts)
            }
            (Type::Partition(_), "regular", None) => {
                let members = self.symbolic.members(&term);
                let sizes: Vec<Int> = members.members.iter().map(|part| self.symbolic.size(&part.term)).collect();
                let mut parts = Vec::new();
                for left in 0..sizes.len() {
                    for right in left + 1..sizes.len() {
                        let same = self.symbolic.problem.equal(sizes[left], sizes[right]);
                        let (one, other) = (members.members[left].condition, members.members[right].condition);
                        parts.push(self.symbolic.problem.or([!one, !other, same]));
                    }
                }
                self.symbolic.problem.and(parts)
            }
            (Type::Function(_) | Type::Sequence(_), "total" | "injective" | "surjective" | "bijective", None) => {
                self.function_attribute(value, &term, &attribute.name)?
            }
            (Type::Relation(_), word, None) if BinaryProperty::of_attribute(word).is_some() => {
                let points = match domain_of(value, &self.environment).as_deref() {
                    Some(GroundDomain::Relation(_, columns)) => points_of(columns),
                    _ => return Err(self.no_domain(value, word)),
                };
                let members = self.symbolic.members(&term);
                let properties = BinaryProperty::of_attribute(word).unwrap_or_default();
                let parts: Vec<Bool> = properties
                    .iter()
                    .map(|property| self.symbolic.has_property(&members, &points, *property))
                    .collect();
                self.symbolic.problem.and(parts)
            }
            (_, word, _) => {
                return Err(Box::new(
                    Diagnostic::error(Code::NOT_SUPPORTED, format!("`{word}` as a constraint cannot be solved yet"))
                        .at(value.span, "on this"),
                ));
            }
        };
        Ok(Partial { term: holds.into(), defined: self.symbolic.problem.and(defined) })
    }

    /// `min…` and `max…` attributes bound a number, the others fix it.
    fn compare(&mut self, attribute: &str, term: Int, number: Int) -> Bool {
        if attribute.starts_with("min") {
            self.symbolic.problem.at_most(number, term)
        } else if attribute.starts_with("max") {
            self.symbolic.problem.at_most(term, number)
        } else {
            self.symbolic.problem.equal(term, number)
        }
    }

    fn function_attribute(&mut self, value: &Expr, term: &Term, word: &str) -> Result<Bool> {
        let members = self.symbolic.members(term);
        let mut parts = Vec::new();
        if matches!(word, "injective" | "bijective") {
            for (position, left) in members.members.iter().enumerate() {
                for right in &members.members[position + 1..] {
                    let same = self.symbolic.equal(&left.term.item(1), &right.term.item(1));
                    parts.push(!self.symbolic.problem.and([left.condition, right.condition, same]));
                }
            }
        }
        if matches!(word, "total" | "surjective" | "bijective") {
            let domain = domain_of(value, &self.environment);
            let side = match (domain.as_deref(), word) {
                (Some(GroundDomain::Function(_, from, _)), "total") => from,
                (Some(GroundDomain::Function(_, _, to)), _) => to,
                (Some(GroundDomain::Sequence(_, inner)), "surjective" | "bijective") => inner,
                _ => return Err(self.no_domain(value, word)),
            };
            let column = usize::from(word != "total");
            for point in side.members() {
                let point = Term::Value(point);
                let mut reached = Vec::new();
                for member in &members.members {
                    let same = self.symbolic.equal(&member.term.item(column), &point);
                    reached.push(self.symbolic.problem.and([member.condition, same]));
                }
                parts.push(self.symbolic.problem.or(reached));
            }
        }
        Ok(self.symbolic.problem.and(parts))
    }

    fn no_domain(&self, value: &Expr, word: &str) -> Box<Diagnostic> {
        Box::new(
            Diagnostic::error(Code::NOT_SUPPORTED, format!("`{word}` of an expression cannot be solved yet"))
                .at(value.span, "this is not a decision variable's name, so that it has no declared domain")
                .help(format!("write `{word}` as an attribute in the domain of a decision variable")),
        )
    }

    /// What must hold for the decision variables of one expression must hold wherever it is reached; conditions
    /// without decision variables are part of when it is defined.
    pub(super) fn bubble(&mut self, bubble: &Bubble) -> Result {
        let (mut demanded, mut witness) = (Vec::new(), Vec::new());
        for (LocalId(id), domain) in &bubble.locals {
            match ground(domain, &mut self.environment) {
                Ok(domain) => {
                    let (term, demands) = self.auxiliary(&domain);
                    demanded.push(demands);
                    self.environment.unbind_local(LocalId(*id));
                    self.locals[*id as usize] = Some(term.clone().into());
                    witness.push(term);
                }
                Err(Stop::Undefined) => return Ok(super::expressions::undefined(&bubble.value.ty)),
                Err(Stop::Fault(fault)) => return Err(fault),
            }
        }
        let polarity = if bubble.locals.is_empty() { self.polarity } else { Polarity::Positive };
        for condition in &bubble.constraints {
            demanded.push(self.within(polarity, |lowering| lowering.condition(condition))?);
        }
        let demanded = self.symbolic.problem.and(demanded);
        let value = self.expression(&bubble.value)?;
        let Some((first, _)) = bubble.locals.first() else {
            return Ok(Partial { term: value.term, defined: self.symbolic.problem.and([demanded, value.defined]) });
        };
        self.witnesses.push((*first, witness));
        let wherever_reached = self.symbolic.problem.implies(self.reached, demanded);
        self.symbolic.problem.require(wherever_reached);
        Ok(value)
    }
}
