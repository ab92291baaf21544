//! Ranges such as `5..1`, which are empty because the first number is greater than the last.
//!
//! `int(1..0)` is a deliberate empty domain, and a bound such as `n - 1` may give an empty range for small data. So
//! apart from literal bounds, only ranges that miss a value by more than one are reported, and for bounds from the data
//! only `int(n..1)`, which counts down.

use crate::{
    analysis::model::{
        Category, DeclarationKind, Expr, ExprDomain, ExprKind, GeneratorRange, Index, Ints, Qualifier, Range,
        expressions_in_domain,
    },
    diagnostic::{Code, Diagnostic, Diagnostics, Edit},
    instance::{Environment, GroundInstance, evaluate},
    language::Value,
    source::Span,
};

/// Warns about the ranges in constraints, lettings, the objective, and non-empty domains.
pub(super) fn warn_of_ranges(instance: &GroundInstance, found: &mut Diagnostics) {
    let model = &*instance.model;
    let mut search = RangeSearch { env: instance.environment.clone(), found: Vec::new() };
    for declaration in &model.declarations {
        match &declaration.kind {
            DeclarationKind::Letting(value) => search.expr(value),
            DeclarationKind::LettingDomain(domain) => search.domain(domain),
            _ => {}
        }
    }
    // A variable with an empty domain gets a different warning.
    for find in instance.finds.iter().filter(|find| find.domain.size() != Some(0)) {
        if let DeclarationKind::Find(domain) = &model.declaration(find.id).kind {
            search.domain(domain);
        }
    }
    model.constraints.iter().for_each(|constraint| search.expr(constraint));
    model.preferences().for_each(|expr| search.expr(expr));
    // A named domain is found at each of its uses, but reported once.
    search.found.sort_by_key(|(span, _)| *span);
    search.found.dedup_by_key(|(span, _)| *span);
    found.extend(search.found.into_iter().map(|(_, warning)| warning));
}

struct RangeSearch {
    env: Environment,
    found: Vec<(Span, Diagnostic)>,
}

impl RangeSearch {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Comprehension(comprehension) => {
                for qualifier in &comprehension.qualifiers {
                    if let Qualifier::Generator(_, GeneratorRange::Domain(domain)) = qualifier {
                        self.ranges(domain);
                    }
                }
            }
            ExprKind::Domain(domain) => self.ranges(domain),
            ExprKind::Slice(_, indices) => {
                for index in indices {
                    if let Index::Slice(Some(first), Some(last)) = index {
                        self.range(first, last);
                    }
                }
            }
            _ => {}
        }
        expr.for_each_part(&mut |part| self.expr(part));
    }

    fn domain(&mut self, domain: &ExprDomain) {
        self.ranges(domain);
        expressions_in_domain(domain, &mut |expr| self.expr(expr));
    }

    fn ranges(&mut self, domain: &ExprDomain) {
        if let ExprDomain::Int(Ints::Ranges(ranges)) = domain {
            for range in ranges {
                if let Range::Interval(Some(first), Some(last)) = range {
                    self.range(first, last);
                }
            }
        }
        domain.for_each_part(&mut |part| self.ranges(part));
    }

    fn range(&mut self, first: &Expr, last: &Expr) {
        let [from, to] = [first, last].map(|bound| match bound.category {
            Category::Constant | Category::Parameter => evaluate(bound, &mut self.env).ok(),
            _ => None,
        });
        let (Some(Value::Int(from)), Some(Value::Int(to))) = (from, to) else { return };
        let counts_down = match (is_literal(first), is_literal(last)) {
            // `int(1..0)` is a usual way to write the empty domain.
            (true, true) => from > to && (from, to) != (1, 0),
            // With such a last bound, as in `int(n..1)`, the range was meant to count down.
            (_, true) if to <= 1 => from > to + 1,
            _ => from > to + 1 && first.category == Category::Constant && last.category == Category::Constant,
        };
        if !counts_down {
            return;
        }
        let span = first.span.to(last.span);
        let warning = Diagnostic::warning(Code::EMPTY_RANGE, format!("there are no values from {from} to {to}"))
            .at(span, "ranges count upwards")
            .help("write the smaller bound first");
        let exchanged =
            [(first.span, to), (last.span, from)].map(|(span, value)| Edit { span, text: value.to_string() });
        let edits = if is_literal(first) && is_literal(last) { exchanged.to_vec() } else { Vec::new() };
        self.found.push((span, Diagnostic { edits, ..warning }));
    }
}

/// Returns true if an expression is a number or computed from numbers.
fn is_literal(expr: &Expr) -> bool {
    let mut literal = expr.category == Category::Constant && !matches!(expr.kind, ExprKind::Global(_));
    expr.for_each_part(&mut |part| literal = literal && is_literal(part));
    literal
}
