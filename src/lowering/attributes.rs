//! Attributes as constraints: `injective(f)`, `size(s, 3)`, `reflexive(r)`.

use super::*;
use crate::{
    analysis::model::Attribute,
    instance::{domain_of, first_value, points_of},
    language::{GroundDomain, Stop, domain::BinaryProperty},
    problem::Int,
};

impl Lowering<'_> {
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
                let properties = BinaryProperty::of_attribute(word).unwrap_or_default();
                let members = self.symbolic.members(&term);
                let points: Vec<Term> = match points_of(value, word, &mut self.environment) {
                    Ok(Some(points)) => points.into_iter().map(Term::Value).collect(),
                    // No relation has infinitely many pairs.
                    Ok(None) if properties.iter().any(|property| property.is_about_all_points()) => {
                        return Ok(Partial { term: Bool::FALSE.into(), defined: self.symbolic.problem.and(defined) });
                    }
                    Ok(None) | Err(Stop::Undefined) => {
                        members.members.iter().flat_map(|pair| [pair.term.item(0), pair.term.item(1)]).collect()
                    }
                    Err(Stop::Fault(fault)) => return Err(fault),
                };
                let parts: Vec<Bool> = properties
                    .iter()
                    .map(|property| self.symbolic.has_property(&members, &points, *property))
                    .collect();
                self.symbolic.problem.and(parts)
            }
            (ty, word, _) => unreachable!("`{word}` is no property of `{ty}`"),
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
        let mut parts = Vec::new();
        if matches!(word, "injective" | "bijective") {
            parts.push(self.injective(term));
        }
        if matches!(word, "total" | "surjective" | "bijective") {
            let side = match (domain_of(value, &mut self.environment), word) {
                (GroundDomain::Function(_, from, _), "total") => from,
                (GroundDomain::Function(_, _, to), _) => to,
                (GroundDomain::Sequence(_, inner), _) => inner,
                (other, _) => unreachable!("the domain of a function was expected, not {other:?}"),
            };
            parts.push(self.reaches(term, usize::from(word != "total"), &side));
        }
        Ok(self.symbolic.problem.and(parts))
    }

    /// No two pairs of a function or a sequence have the same image.
    pub(super) fn injective(&mut self, term: &Term) -> Bool {
        let members = self.symbolic.members(term);
        let mut parts = Vec::new();
        for (position, left) in members.members.iter().enumerate() {
            for right in &members.members[position + 1..] {
                let same = self.symbolic.equal(&left.term.item(1), &right.term.item(1));
                parts.push(!self.symbolic.problem.and([left.condition, right.condition, same]));
            }
        }
        self.symbolic.problem.and(parts)
    }

    /// Every value of a domain stands in a column of the pairs of a function or a sequence.
    pub(super) fn reaches(&mut self, term: &Term, column: usize, side: &GroundDomain) -> Bool {
        let members = self.symbolic.members(term);
        if side.size().is_none_or(|size| size > members.members.len() as u128) {
            return Bool::FALSE;
        }
        let mut parts = Vec::new();
        for point in side.members() {
            let point = Term::Value(point);
            let mut reached = Vec::new();
            for member in &members.members {
                let same = self.symbolic.equal(&member.term.item(column), &point);
                reached.push(self.symbolic.problem.and([member.condition, same]));
            }
            parts.push(self.symbolic.problem.or(reached));
        }
        self.symbolic.problem.and(parts)
    }

    /// `dontCare(e)`: the expression has the first value of its domain.
    pub(super) fn does_not_care(&mut self, value: &Expr) -> Result {
        let target = self.expression(value)?;
        let holds = match first_value(value, &mut self.environment) {
            Ok(Some(first)) => self.symbolic.equal(&target.term, &Term::Value(first)),
            Ok(None) | Err(Stop::Undefined) => Bool::FALSE,
            Err(Stop::Fault(fault)) => return Err(fault),
        };
        Ok(Partial { term: holds.into(), defined: target.defined })
    }
}
