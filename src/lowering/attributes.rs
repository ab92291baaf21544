//! Attributes as constraints: `injective(f)`, `size(s, 3)`, `reflexive(r)`.

use super::*;
use crate::{
    analysis::model::AttributeUse,
    instance::{domain_of, first_value, points_of},
    language::{
        Stop,
        attributes::{Limit, Meaning, Property},
    },
    symbolic::attributes,
};

impl Lowering<'_> {
    /// Lowers the test of an attribute, such as `injective(f)`.
    pub(super) fn has_attribute(
        &mut self,
        value: &Expr,
        attribute: &AttributeUse,
        context: &Context,
    ) -> LoweringResult {
        let target = self.expression(value, context)?;
        let mut defined = vec![target.defined];
        let number = match &attribute.number {
            // If the bound is undefined, the test is undefined, too.
            Some(number) => {
                let number = self.expression(number, context)?;
                defined.push(number.defined);
                Some(self.symbolic.int(&number.term))
            }
            None => None,
        };
        let mut parts = Vec::new();
        if let (Meaning::Bound(measure, limit), Some(bound)) = (&attribute.row.meaning, number) {
            // The size of a part matters only under the condition that the part exists.
            for (condition, number) in attributes::measured_numbers(&mut self.symbolic, *measure, &target.term) {
                let problem = &mut self.symbolic.problem;
                let within = match limit {
                    Limit::Exactly => problem.equal(number, bound),
                    Limit::AtLeast => problem.at_most(bound, number),
                    Limit::AtMost => problem.at_most(number, bound),
                };
                parts.push(problem.implies(condition, within));
            }
        }
        for property in attribute.row.properties() {
            parts.push(self.has_property(value, &target.term, attribute, *property)?);
        }
        let holds = self.symbolic.problem.and(parts);
        Ok(Partial { term: holds.into(), defined: self.symbolic.problem.and(defined) })
    }

    fn has_property(
        &mut self,
        value: &Expr,
        term: &Term,
        attribute: &AttributeUse,
        property: Property,
    ) -> LoweringResult<Bool> {
        // These two properties compare only members; all others need the domain of the value.
        if property == Property::Injective || property == Property::Regular {
            return Ok(attributes::term_has_property(&mut self.symbolic, property, term, &[]));
        }
        let domain = domain_of(value, &mut self.environment);
        let sides = domain.sides();
        // A finite value cannot have a property such as `total` on an infinite domain.
        if property.asks_too_much(&sides) {
            return Ok(Bool::FALSE);
        }
        let Some(clause) = property.clause() else {
            return Ok(attributes::term_has_property(&mut self.symbolic, property, term, &sides));
        };
        let points = match points_of(value, attribute, &sides) {
            Ok(Some(points)) => points.into_iter().map(Term::Value).collect(),
            // If the domain is infinite, only the points that occur in pairs can violate the property.
            Ok(None) | Err(Stop::Undefined) => {
                let pairs = self.symbolic.members(term);
                pairs.members.iter().flat_map(|pair| [pair.term.item(0), pair.term.item(1)]).collect::<Vec<_>>()
            }
            Err(Stop::Fault(fault)) => return Err(fault),
        };
        Ok(attributes::has_clause(&mut self.symbolic, term, &points, clause))
    }

    /// Lowers `dontCare(e)`, which holds if the expression has the first value of its domain.
    pub(super) fn does_not_care(&mut self, value: &Expr, context: &Context) -> LoweringResult {
        let target = self.expression(value, context)?;
        let holds = match first_value(value, &mut self.environment) {
            Ok(Some(first)) => self.symbolic.equal(&target.term, &Term::Value(first)),
            Ok(None) | Err(Stop::Undefined) => Bool::FALSE,
            Err(Stop::Fault(fault)) => return Err(fault),
        };
        Ok(Partial { term: holds.into(), defined: target.defined })
    }
}
