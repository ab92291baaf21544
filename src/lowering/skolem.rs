//! Decides which quantifiers get Skolem variables instead of instances, and declares auxiliary variables.
//!
//! You may change the limits: they affect only the size of the problem. `can_be_skolemised` and `is_fixed` must be
//! cautious: a wrong "yes" evaluates an expression whose names have no values, or loses solutions, which no check
//! finds. The caller, `comprehensions.rs`, asks only if one instance is enough. It records the variables, and the
//! checker of solutions takes the values of the quantified names from them.

use super::{dependent::depends_on_numbers, *};
use crate::{
    analysis::model::{
        Category, Comprehension, ExprDomain, GeneratorRange, Ints, Pattern, Qualifier, Range, expressions_in_domain,
    },
    instance::ground,
    language::{GroundDomain, Stop},
};
use rustc_hash::FxHashSet;

/// Domains with more values are not enumerated if a Skolem variable is possible; this applies to integers and to values
/// made of them. Chosen.
const MOST_INTEGERS: u128 = 1_000_000;
const MOST_STRUCTURED: u128 = 10_000;

impl Lowering<'_> {
    /// Returns true if an expression can be evaluated: it contains no decision and no name that stands for a variable.
    pub(super) fn is_fixed(&self, expr: &Expr, context: &Context) -> bool {
        has_fixed_value(expr, &self.locals, context)
    }

    /// Returns true if the values of a domain depend on decisions, or on a name that stands for a variable.
    pub(super) fn is_dependent(&self, domain: &ExprDomain, context: &Context) -> bool {
        let mut found = false;
        expressions_in_domain(domain, &mut |expr| found = found || !self.is_fixed(expr, context));
        found
    }

    /// Returns true if the domains of a comprehension are too large to instantiate, or much larger than a variable
    /// would be.
    pub(super) fn is_worth_skolemising(
        &mut self,
        comprehension: &Comprehension,
        context: &Context,
    ) -> LoweringResult<bool> {
        let (mut bindings, mut structured, mut open) = (1u128, false, self.skolemise_all);
        let mut names = UnknownNames::default();
        for qualifier in &comprehension.qualifiers {
            let Qualifier::Generator(pattern, GeneratorRange::Domain(domain)) = qualifier else { continue };
            // If a domain depends on another name of this comprehension, its values cannot be counted here.
            if names.are_in_domain(domain) || self.is_dependent(domain, context) {
                // The number of values is unknown, but ranges with two ends are visited value by value and need no
                // Skolem variable.
                open = open || closed_ranges(domain).is_none();
                names.add(pattern);
                continue;
            }
            names.add(pattern);
            match ground(domain, &mut self.environment) {
                Ok(domain) => {
                    bindings = bindings.saturating_mul(domain.size().unwrap_or(u128::MAX));
                    structured = structured || !matches!(domain, GroundDomain::Bool | GroundDomain::Int(_));
                }
                Err(Stop::Undefined) => return Ok(false),
                Err(Stop::Fault(fault)) => return Err(fault),
            }
        }
        Ok(open || bindings > if structured { MOST_STRUCTURED } else { MOST_INTEGERS })
    }

    /// Returns true if Skolem variables can replace the names of a comprehension. A local decision variable in it
    /// prevents this, because it needs a value for every binding of the names.
    pub(super) fn can_be_skolemised(&self, comprehension: &Comprehension) -> bool {
        let mut found = false;
        // Each binding may need another value of a local decision variable, so one value for all would be too strong.
        comprehension.for_each_part(&mut |part| found = found || self.model.has_local_finds_in(part));
        !found && can_be_skolemised(comprehension)
    }

    /// Declares an auxiliary variable. Returns its term, and the constraints of its domain as one condition.
    pub(super) fn auxiliary(&mut self, domain: &GroundDomain, span: Span) -> LoweringResult<(Term, Bool)> {
        // The constraints of the domain must hold only if the variable is used, so they are taken out of the problem.
        let before = self.symbolic.problem.constraints().len();
        let declared = self.symbolic.declare(domain, Role::Auxiliary);
        let term = declared.map_err(|refusal| refused_at(refusal, span))?;
        let demands = self.symbolic.problem.take_constraints(before);
        Ok((term, self.symbolic.problem.and(demands)))
    }
}

/// Returns true if an expression can be evaluated although some local names stand for terms.
pub(super) fn has_fixed_value(expr: &Expr, locals: &[Option<Partial>], context: &Context) -> bool {
    match expr.category {
        Category::Decision => false,
        // Outside Skolem variables, all quantified names have values.
        Category::Quantified if context.skolemised => !mentions_variable(expr, locals),
        _ => true,
    }
}

fn mentions_variable(expr: &Expr, locals: &[Option<Partial>]) -> bool {
    if let ExprKind::Local(LocalId(id)) = expr.kind {
        return locals[id as usize].is_some();
    }
    let mut found = false;
    expr.for_each_part(&mut |part| found = found || mentions_variable(part, locals));
    found
}

/// Returns true if the names that range over domains can become Skolem variables. Everything that must be known
/// beforehand must be independent of them, such as the index domain of a matrix or the definedness of another
/// generator.
fn can_be_skolemised(comprehension: &Comprehension) -> bool {
    let mut names = UnknownNames::default();
    for qualifier in &comprehension.qualifiers {
        match qualifier {
            Qualifier::Generator(pattern, GeneratorRange::Domain(domain)) => {
                if !names.enter(pattern, domain) {
                    return false;
                }
                names.add(pattern);
            }
            // The members of a collection in a Skolem variable are terms, so the generator needs no values.
            Qualifier::Generator(_, GeneratorRange::Members(Expr { kind: ExprKind::Local(_), .. })) => {}
            Qualifier::Generator(_, GeneratorRange::Members(_) | GeneratorRange::Subsets(_)) => return false,
            _ => {}
        }
    }
    !names.all.is_empty() && !names.are_in_domains_of_comprehension(comprehension)
}

/// Returns the ranges of a domain of integers if all of them have two ends. The ends may depend on variables.
pub(super) fn closed_ranges(domain: &ExprDomain) -> Option<Vec<(&Expr, &Expr)>> {
    let ExprDomain::Int(Ints::Ranges(ranges)) = domain else { return None };
    let ends = ranges.iter().map(|range| match range {
        Range::Single(value) => Some((value, value)),
        Range::Interval(low, high) => low.as_ref().zip(high.as_ref()),
    });
    ends.collect()
}

/// Names whose values are not known.
#[derive(Default)]
struct UnknownNames {
    all: FxHashSet<LocalId>,
    /// The names whose domains depend on other names.
    open: FxHashSet<LocalId>,
}

impl UnknownNames {
    fn add(&mut self, pattern: &Pattern) {
        pattern.names(&mut |name| {
            self.all.insert(name);
        });
    }

    /// Enters a generator. If its domain depends on unknown names, its own names become open. Returns false if that
    /// domain cannot be split.
    fn enter(&mut self, pattern: &Pattern, domain: &ExprDomain) -> bool {
        if !self.are_in_domain(domain) {
            return true;
        }
        self.add_open(pattern);
        depends_on_numbers(domain)
    }

    fn add_open(&mut self, pattern: &Pattern) {
        pattern.names(&mut |name| {
            self.open.insert(name);
        });
    }

    /// Returns true if the value of an expression depends on these names.
    fn are_in(&self, expr: &Expr) -> bool {
        if let ExprKind::Local(id) = &expr.kind {
            return self.all.contains(id);
        }
        let mut found = false;
        expr.for_each_part(&mut |part| found = found || self.are_in(part));
        found
    }

    /// Returns true if the domain of an expression may depend on these names.
    fn are_open_in(&self, expr: &Expr) -> bool {
        if let ExprKind::Local(id) = &expr.kind {
            return self.open.contains(id);
        }
        let mut found = false;
        expr.for_each_part(&mut |part| found = found || self.are_open_in(part));
        found
    }

    fn are_in_domain(&self, domain: &ExprDomain) -> bool {
        let mut found = false;
        expressions_in_domain(domain, &mut |expr| found = found || self.are_in(expr));
        found
    }

    /// Returns true if any domain in the expression depends on these names, or on names whose values come from them.
    fn are_in_domains_of(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Comprehension(inner) => return self.are_in_domains_of_comprehension(inner),
            // Attributes and `dontCare` need the domain of their expression.
            ExprKind::HasAttribute(value, _) | ExprKind::DoesNotCare(value) if self.are_open_in(value) => return true,
            ExprKind::Domain(domain) if self.are_in_domain(domain) => return true,
            ExprKind::Matrix(_, Some(index)) if self.are_in_domain(index) => return true,
            ExprKind::Bubble(bubble) if bubble.locals.iter().any(|(_, domain)| self.are_in_domain(domain)) => {
                return true;
            }
            _ => {}
        }
        let mut found = false;
        expr.for_each_part(&mut |part| found = found || self.are_in_domains_of(part));
        found
    }

    fn are_in_domains_of_comprehension(&mut self, comprehension: &Comprehension) -> bool {
        for qualifier in &comprehension.qualifiers {
            let found = match qualifier {
                Qualifier::Generator(pattern, GeneratorRange::Domain(domain)) => !self.enter(pattern, domain),
                Qualifier::Generator(pattern, GeneratorRange::Members(value) | GeneratorRange::Subsets(value))
                // A name is unknown if its value comes from a Skolem variable.
                | Qualifier::Letting(pattern, value) => {
                    if self.are_in(value) {
                        self.add(pattern);
                    }
                    if self.are_open_in(value) {
                        self.add_open(pattern);
                    }
                    self.are_in_domains_of(value)
                }
                Qualifier::Condition(value) => self.are_in_domains_of(value),
            };
            if found {
                return true;
            }
        }
        self.are_in_domains_of(&comprehension.body)
    }
}
