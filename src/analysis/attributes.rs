//! The attributes of domains: their numbers, the combinations that are allowed, and the properties of binary relations.

use super::{
    Reports,
    domains::{Domains, TypedDomain},
    model::{self, Category, Expr, ExprDomain, ExprKind, Ints, Range},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::{
        Collection, Type,
        attributes::{Attribute, Attributes, Limit, Meaning, Measure, Size},
    },
    syntax::ast::{self, Identifier},
};

/// The bounds on one measure as written, indexed by [`Limit`].
type WrittenBounds<'a> = [Option<(&'a Identifier, Expr)>; 3];

impl Domains<'_, '_> {
    /// Returns the attributes of a domain, and the highest category of their numbers. The parser has checked that the
    /// words are known.
    pub(super) fn attributes(
        &mut self,
        kind: Collection,
        attributes: &[ast::WrittenAttribute],
    ) -> (Attributes<Expr>, Category) {
        let mut given: Vec<&Identifier> = Vec::new();
        let mut bounds: Vec<(Measure, WrittenBounds)> = Vec::new();
        let mut category = Category::Constant;
        let mut found = Attributes::default();
        for ast::WrittenAttribute { name, value } in attributes {
            let word = &*name.text;
            let Some(row) = Attribute::find(word, kind) else { unreachable!("the parser knows `{word}`") };
            if let Some(first) = given.iter().find(|first| first.text == name.text) {
                let first = first.span;
                self.analysis.reports.add(
                    Diagnostic::error(Code::BAD_ATTRIBUTE, format!("the attribute `{word}` is given twice"))
                        .at(name.span, "again")
                        .at(first, "first here"),
                );
                continue;
            }
            given.push(name);
            match (&row.meaning, value) {
                (Meaning::Bound(measure, limit), Some(value)) => {
                    let number = self.datum(value, &Type::INT, &format!("the number of the attribute `{word}`"));
                    category = category.max(number.category);
                    // `minSize` and `maxSize` are bounds of the same measure.
                    let known = bounds.iter().position(|(other, _)| other == measure).unwrap_or_else(|| {
                        bounds.push((*measure, WrittenBounds::default()));
                        bounds.len() - 1
                    });
                    bounds[known].1[*limit as usize] = Some((name, number));
                }
                (Meaning::Bound(..), None) => self.analysis.reports.add(
                    Diagnostic::error(Code::BAD_ATTRIBUTE, format!("the attribute `{word}` needs a number"))
                        .at(name.span, "a number is missing")
                        .help(format!("write `{word} 3`")),
                ),
                (_, value) => {
                    if let Some(value) = value {
                        self.analysis.reports.add(
                            Diagnostic::error(Code::BAD_ATTRIBUTE, format!("the attribute `{word}` takes no number"))
                                .at(value.span, "leave the number out"),
                        );
                    }
                    found = found.with(row.properties());
                }
            }
        }
        for (measure, written) in bounds {
            let size = self.analysis.reports.size(written);
            // The size of a partition follows from its members, so `size` is accepted but ignored.
            if measure != Measure::Size || !kind.row().has_fixed_size() {
                found = found.bounding(measure, size);
            }
        }
        (found, category)
    }
}

impl Reports<'_> {
    /// Reports a property of binary relations (such as `reflexive`) on a relation that is not between a domain and
    /// itself.
    pub(super) fn check_properties(
        &mut self,
        kind: Collection,
        attributes: &[ast::WrittenAttribute],
        columns: &[ast::DomainTree],
        typed: &[TypedDomain],
    ) {
        let is_property = |attribute: &&ast::WrittenAttribute| {
            Attribute::find(&attribute.name.text, kind).is_some_and(Attribute::is_of_binary_relations)
        };
        let Some(ast::WrittenAttribute { name, .. }) = attributes.iter().find(is_property) else { return };
        let same = match typed {
            // An unknown type has already been reported and must not cause a second error.
            [left, right] => left.ty == Type::Any || right.ty == Type::Any || same_domain(&left.domain, &right.domain),
            _ => false,
        };
        if !same {
            let mistake = Diagnostic::error(
                Code::BAD_ATTRIBUTE,
                format!("`{}` needs a relation between a domain and itself", name.text),
            )
            .at(name.span, "a property of binary relations on one domain");
            self.add(match columns {
                [left, right] => mistake.at(left.span.to(right.span), "two different domains"),
                _ => mistake.note(format!("this relation has {} columns", columns.len())),
            });
        }
    }

    /// Returns the bounds on a measure. A fixed size excludes other bounds.
    fn size(&mut self, [exactly, least, most]: WrittenBounds) -> Size<Expr> {
        let Some((fixed, number)) = exactly else {
            return Size { min: least.map(|(_, number)| number), max: most.map(|(_, number)| number) };
        };
        if let Some((other, _)) = least.or(most) {
            self.add(
                Diagnostic::error(
                    Code::BAD_ATTRIBUTE,
                    format!("`{}` and `{}` cannot be combined", fixed.text, other.text),
                )
                .at(other.span, "a bound on the same number")
                .at(fixed.span, "this fixes the number"),
            );
        }
        Size::of(Limit::Exactly, number)
    }
}

/// Returns true if two domains are equal, after names that stand for domains have been expanded.
fn same_domain(left: &ExprDomain, right: &ExprDomain) -> bool {
    without_places(left) == without_places(right)
}

/// Renders a domain without its spans, so that domains that differ only in their positions have equal texts.
fn without_places(domain: &ExprDomain) -> String {
    let mut parts = Vec::new();
    // The bounds and numbers are compared as expressions, in the order of the domain.
    model::expressions_in_domain(domain, &mut |part| parts.push(shape_in_words(part)));
    // `parts` already contains the numbers in ranges, so only the form is missing, such as `int(1..)` or `int(1..3)`.
    let shape = domain.try_map::<String, (), std::convert::Infallible>(
        &mut |ints| {
            Ok(match ints {
                Ints::Ranges(ranges) => format!("ranges {}", openness(ranges)),
                Ints::Members(_) => "members".to_owned(),
                Ints::Named(id, ranges) => format!("{id:?} {}", openness(ranges)),
            })
        },
        &mut |_| Ok(()),
    );
    match shape {
        Ok(shape) => format!("{shape:?} {parts:?}"),
    }
}

fn openness(ranges: &[Range]) -> String {
    ranges
        .iter()
        .map(|range| match range {
            Range::Single(_) => "x ".to_owned(),
            Range::Interval(low, high) => format!("{}..{} ", low.is_some(), high.is_some()),
        })
        .collect()
}

fn shape_in_words(expr: &Expr) -> String {
    let mut parts = Vec::new();
    expr.for_each_part(&mut |part| parts.push(shape_in_words(part)));
    let head = match &expr.kind {
        ExprKind::Constant(value) => format!("{value:?}"),
        ExprKind::Global(id) => format!("{id:?}"),
        ExprKind::Local(id) => format!("{id:?}"),
        ExprKind::Apply(row, _) => format!("{row:?}"),
        ExprKind::Tuple(_) => "tuple".to_owned(),
        ExprKind::Matrix(_, None) => "matrix".to_owned(),
        ExprKind::Component(_, position) => format!("component {position}"),
        ExprKind::Collection(kind, _) => format!("{kind:?}"),
        // Other expressions are equal only if they have the same span. This is safe: a missing equality causes an
        // error, but never a wrong model.
        _ => format!("{:?}", expr.span),
    };
    format!("{head}{parts:?}")
}
