//! Visits the direct subexpressions of an expression, including subexpressions in domains and statements, for reading
//! or for changing.

use super::ast::{
    DomainKind, DomainTree, ExprTree, ExprTreeKind, GeneratorSource, LettingValue, QualifierTree, Statement,
    StatementKind, WrittenAttribute, WrittenIndex, WrittenRange,
};
use crate::language::Name;
use std::collections::BTreeSet;

macro_rules! visitors {
    (
        $each_part:ident, $in_domain:ident, $in_over:ident, $in_statement:ident, $beside_domains:ident,
        $($mutability:tt)?
    ) => {
        /// Calls `visit` for each direct subexpression.
        pub(crate) fn $each_part<'a>(
            expr: &'a $($mutability)? ExprTree,
            visit: &mut dyn FnMut(&'a $($mutability)? ExprTree),
        ) {
            match &$($mutability)? expr.kind {
                ExprTreeKind::Bool(_)
                | ExprTreeKind::Int(_)
                | ExprTreeKind::TaggedInt(..)
                | ExprTreeKind::Name(_)
                | ExprTreeKind::Wildcard => {}
                ExprTreeKind::Apply(_, items)
                | ExprTreeKind::Attribute(_, items)
                | ExprTreeKind::Tuple(items)
                | ExprTreeKind::Collection(_, items) => {
                    for item in items {
                        visit(item);
                    }
                }
                ExprTreeKind::Index(base, indices) => {
                    visit(base);
                    for index in indices {
                        match index {
                            WrittenIndex::At(index) => visit(index),
                            WrittenIndex::Slice(low, high) => {
                                for end in [low, high] {
                                    if let Some(end) = end {
                                        visit(end);
                                    }
                                }
                            }
                        }
                    }
                }
                ExprTreeKind::Call(function, arguments) => {
                    visit(function);
                    for argument in arguments {
                        visit(argument);
                    }
                }
                ExprTreeKind::Record(fields) => {
                    for (_, value) in fields {
                        visit(value);
                    }
                }
                ExprTreeKind::Variant(_, value) => visit(value),
                ExprTreeKind::Matrix(elements, index) => {
                    for element in elements {
                        visit(element);
                    }
                    if let Some(index) = index {
                        $in_domain(index, visit);
                    }
                }
                ExprTreeKind::Pairs(_, pairs) => {
                    for (argument, image) in pairs {
                        visit(argument);
                        visit(image);
                    }
                }
                ExprTreeKind::Grouped(_, groups) => {
                    for group in groups {
                        for member in group {
                            visit(member);
                        }
                    }
                }
                ExprTreeKind::Comprehension(body, qualifiers) => {
                    for qualifier in qualifiers {
                        match qualifier {
                            QualifierTree::Generator(_, over) => $in_over(over, visit),
                            QualifierTree::Condition(value) | QualifierTree::Letting(_, value) => visit(value),
                        }
                    }
                    visit(body);
                }
                ExprTreeKind::Quantified(quantified) => {
                    let quantified = &$($mutability)? **quantified;
                    $in_over(&$($mutability)? quantified.over, visit);
                    if let Some(guard) = &$($mutability)? quantified.guard {
                        visit(guard);
                    }
                    visit(&$($mutability)? quantified.body);
                }
                ExprTreeKind::Domain(domain) => $in_domain(domain, visit),
                ExprTreeKind::Typed(value, domain) => {
                    visit(value);
                    $in_domain(domain, visit);
                }
                ExprTreeKind::Bubble(value, statements) => {
                    for statement in statements {
                        $in_statement(statement, visit);
                    }
                    visit(value);
                }
            }
        }

        /// Calls `visit` for each outermost expression in the range of a generator.
        pub(crate) fn $in_over<'a>(
            over: &'a $($mutability)? GeneratorSource,
            visit: &mut dyn FnMut(&'a $($mutability)? ExprTree),
        ) {
            match over {
                GeneratorSource::Domain(domain) => $in_domain(domain, visit),
                GeneratorSource::Members(value) | GeneratorSource::Subsets(value) => visit(value),
            }
        }

        /// Calls `visit` for each outermost expression of a statement.
        pub(crate) fn $in_statement<'a>(
            statement: &'a $($mutability)? Statement,
            visit: &mut dyn FnMut(&'a $($mutability)? ExprTree),
        ) {
            match &$($mutability)? statement.kind {
                StatementKind::Given { domain, .. } | StatementKind::Find { domain, .. } => $in_domain(domain, visit),
                StatementKind::GivenEnum { .. } | StatementKind::Heuristic(_) => {}
                StatementKind::Letting { value, .. } => match value {
                    LettingValue::Expr(value) | LettingValue::Unnamed(value) => visit(value),
                    LettingValue::Domain(domain) => $in_domain(domain, visit),
                    LettingValue::Enum(_) => {}
                },
                StatementKind::SuchThat(items) | StatementKind::Where(items) | StatementKind::BranchingOn(items) => {
                    for item in items {
                        visit(item);
                    }
                }
                StatementKind::Objective { value, .. }
                | StatementKind::Incomparability { value, .. }
                | StatementKind::Dominance { relation: value, .. } => visit(value),
            }
        }

        /// Calls `visit` for each bound and attribute of a domain.
        pub(crate) fn $in_domain<'a>(
            domain: &'a $($mutability)? DomainTree,
            visit: &mut dyn FnMut(&'a $($mutability)? ExprTree),
        ) {
            for inner in $beside_domains(domain, visit) {
                $in_domain(inner, visit);
            }
        }

        /// Calls `visit` for each bound and attribute of a domain, and returns its direct parts without visiting them.
        pub(crate) fn $beside_domains<'a>(
            domain: &'a $($mutability)? DomainTree,
            visit: &mut dyn FnMut(&'a $($mutability)? ExprTree),
        ) -> Vec<&'a $($mutability)? DomainTree> {
            let (attributes, inner): (Option<&'a $($mutability)? Vec<WrittenAttribute>>, Vec<_>) =
                match &$($mutability)? domain.kind {
                    DomainKind::Bool => (None, Vec::new()),
                    DomainKind::Int { ranges, .. } | DomainKind::Named(_, ranges) => {
                        for range in ranges.into_iter().flatten() {
                            match range {
                                WrittenRange::Single(value) => visit(value),
                                WrittenRange::Interval(low, high) => {
                                    for end in [low, high] {
                                        if let Some(end) = end {
                                            visit(end);
                                        }
                                    }
                                }
                            }
                        }
                        (None, Vec::new())
                    }
                    DomainKind::Tuple(items) => (None, items.into_iter().collect()),
                    DomainKind::Record(fields) | DomainKind::Variant(fields) => {
                        (None, fields.into_iter().filter_map(|(_, field)| field.into()).collect())
                    }
                    DomainKind::Matrix(indices, element) => {
                        let element = std::iter::once(&$($mutability)? **element);
                        (None, indices.into_iter().chain(element).collect())
                    }
                    DomainKind::Collection(_, attributes, parts) => (Some(attributes), parts.into_iter().collect()),
                };
            for attribute in attributes.into_iter().flatten() {
                if let Some(value) = &$($mutability)? attribute.value {
                    visit(value);
                }
            }
            inner
        }
    };
}

// Shared and mutable access have one definition, so both visit the same parts.
visitors!(for_each_part, in_domain, in_over, for_each_in_statement, beside_domains,);
visitors!(for_each_part_mut, in_domain_mut, in_over_mut, for_each_in_statement_mut, beside_domains_mut, mut);

/// Adds the alternatives that occur in the variant literals of an expression.
pub(crate) fn add_alternatives(expr: &ExprTree, found: &mut BTreeSet<Name>) {
    if let ExprTreeKind::Variant(name, _) = &expr.kind {
        found.insert(name.text.clone());
    }
    for_each_part(expr, &mut |part| add_alternatives(part, found));
}

/// Calls `visit` for each pattern of an expression, without the patterns in its subexpressions.
pub(crate) fn for_each_pattern_mut(expr: &mut ExprTree, visit: &mut dyn FnMut(&mut super::ast::PatternTree)) {
    match &mut expr.kind {
        ExprTreeKind::Quantified(quantified) => quantified.patterns.iter_mut().for_each(visit),
        ExprTreeKind::Comprehension(_, qualifiers) => {
            for qualifier in qualifiers {
                match qualifier {
                    QualifierTree::Generator(patterns, _) => patterns.iter_mut().for_each(&mut *visit),
                    QualifierTree::Letting(pattern, _) => visit(pattern),
                    QualifierTree::Condition(_) => {}
                }
            }
        }
        _ => {}
    }
}
