//! Dependent domains, such as `set (size |s|) of int(1..9)`, have bounds or sizes that depend on decisions, or on names
//! that stand for variables. Each of them is split into all domains that it can be, with a condition for each.

use super::*;
use crate::{
    analysis::model::{Category, ExprDomain, Ints, Range, expressions_in_domain},
    instance::ground,
    language::{GroundDomain, Stop, Type},
    problem::Int,
    source::Span,
};
use std::{collections::BTreeMap, convert::Infallible};

/// The maximum number of domains into which a dependent domain is split. Chosen.
const MOST_DOMAINS: usize = 1_000;

/// The domains that a dependent domain can be.
pub(super) struct PossibleDomains {
    /// The possible domains with their conditions.
    pub domains: Vec<(Bool, GroundDomain)>,
    /// The condition under which the domain is undefined.
    pub undefined: Bool,
}

impl Lowering<'_> {
    /// Splits a dependent domain according to the values of the numbers on which it depends.
    pub(super) fn possible_domains(
        &mut self,
        domain: &ExprDomain,
        span: Span,
        context: &Context,
    ) -> LoweringResult<PossibleDomains> {
        let mut open = Vec::new();
        expressions_in_domain(domain, &mut |expr| {
            if !self.is_fixed(expr, context) {
                open.push(expr);
            }
        });
        // The same number may occur twice: `size n` is both a minimum and a maximum size.
        let (mut numbers, mut places): (Vec<Int>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut undefined = Vec::new();
        for expr in &open {
            let number = self.expression(expr, &context.mixed())?;
            undefined.push(!number.defined);
            // Equal terms count as one number; otherwise, every pair of their values would be a case.
            let number = self.symbolic.int(&number.term);
            places.push(numbers.iter().position(|other| *other == number).unwrap_or(numbers.len()));
            if places.last() == Some(&numbers.len()) {
                numbers.push(number);
            }
        }
        // A case is a choice of values for the numbers so far, so each further number multiplies the cases.
        let mut cases: Vec<(Bool, Vec<i64>)> = vec![(context.guard(&mut self.symbolic.problem), Vec::new())];
        for number in &numbers {
            let mut longer = Vec::new();
            for (condition, before) in &cases {
                let values = self.symbolic.problem.values(*number).clone();
                if values.size().is_none_or(|size| size + longer.len() as u128 > MOST_DOMAINS as u128) {
                    let message =
                        format!("this domain depends on too many values: it has more than {MOST_DOMAINS} variants");
                    return Err(Box::new(
                        Diagnostic::error(Code::TOO_LARGE, message)
                            .at(span, "the domain of a name here")
                            .help("use smaller domains for the variables that its bounds and sizes depend on"),
                    ));
                }
                for value in values.iter() {
                    let is_value = self.symbolic.problem.equals_constant(*number, value);
                    let condition = self.symbolic.problem.and([*condition, is_value]);
                    // The guard or the earlier numbers may exclude this value.
                    if condition != Bool::FALSE {
                        longer.push((condition, [&before[..], &[value]].concat()));
                    }
                }
            }
            cases = longer;
        }
        // Different values may give the same domain, as in `int(1..min([n, 3]))`, which then has several conditions.
        let mut domains: BTreeMap<GroundDomain, Vec<Bool>> = BTreeMap::new();
        for (condition, values) in cases {
            match ground(&with_values_of_open(domain, &open, &|place| values[places[place]]), &mut self.environment) {
                Ok(domain) => domains.entry(domain).or_default().push(condition),
                Err(Stop::Undefined) => undefined.push(condition),
                Err(Stop::Fault(fault)) => return Err(fault),
            }
        }
        let problem = &mut self.symbolic.problem;
        let undefined = problem.or(undefined);
        let domains = domains.into_iter().map(|(domain, conditions)| {
            let condition = problem.or(conditions);
            (problem.and([condition, !undefined]), domain)
        });
        Ok(PossibleDomains { domains: domains.collect(), undefined })
    }
}

/// Returns true if a dependent domain can be split: it may depend on numbers, but not on collections.
pub(super) fn depends_on_numbers(domain: &ExprDomain) -> bool {
    let mut found = true;
    expressions_in_domain(domain, &mut |expr| found = found && matches!(expr.ty, Type::Int(_) | Type::Named(_)));
    found
}

/// Returns the domain with its open expressions replaced by values.
fn with_values_of_open(domain: &ExprDomain, open: &[&Expr], value: &dyn Fn(usize) -> i64) -> ExprDomain {
    // Two equal expressions may be on different sides of a bound, so expressions are compared by address.
    let replaced = |expr: &Expr| match open.iter().position(|other| std::ptr::eq(*other, expr)) {
        Some(place) => {
            let kind = ExprKind::Constant(Value::Int(value(place)));
            Expr { kind, category: Category::Constant, ..expr.clone() }
        }
        None => expr.clone(),
    };
    let range = |range: &Range| match range {
        Range::Single(value) => Range::Single(replaced(value)),
        Range::Interval(low, high) => Range::Interval(low.as_ref().map(replaced), high.as_ref().map(replaced)),
    };
    let ints = |ints: &Ints| match ints {
        Ints::Ranges(ranges) => Ints::Ranges(ranges.iter().map(range).collect()),
        Ints::Named(declaration, ranges) => Ints::Named(*declaration, ranges.iter().map(range).collect()),
        Ints::Members(collection) => Ints::Members(collection.clone()),
    };
    let Ok(domain) = domain.try_map::<_, _, Infallible>(&mut |set| Ok(ints(set)), &mut |number| Ok(replaced(number)));
    domain
}
