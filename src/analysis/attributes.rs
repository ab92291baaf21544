//! The attributes of domains: their numbers, which of them go together, and the properties of binary relations.

use super::{
    Analysis,
    domains::Typed,
    model::{self, Category, Domain, Expr, ExprKind, Ints, Range},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::{
        Type,
        domain::{BinaryProperty, FunctionAttributes, Size},
    },
    syntax::ast::{self, Attribute, Identifier},
};

/// The attributes of one domain.
pub(super) struct Attributes<'a> {
    given: Vec<(&'a Identifier, Option<Expr>)>,
    /// The highest category of the numbers.
    pub category: Category,
}

impl<'a> Attributes<'a> {
    pub fn has(&self, word: &str) -> bool {
        self.given.iter().any(|(name, _)| *name.text == *word)
    }

    fn take(&mut self, word: &str) -> Option<(&'a Identifier, Expr)> {
        let (name, number) = self.given.iter_mut().find(|(name, _)| *name.text == *word)?;
        Some((name, number.take()?))
    }

    pub fn function(&self, size: Size<Expr>) -> FunctionAttributes<Expr> {
        let bijective = self.has("bijective");
        FunctionAttributes {
            size,
            total: self.has("total"),
            injective: bijective || self.has("injective"),
            surjective: bijective || self.has("surjective"),
        }
    }
}

fn takes_number(word: &str) -> bool {
    let word = word.trim_start_matches("min").trim_start_matches("max");
    ["size", "Size", "Occur", "numParts", "NumParts", "partSize", "PartSize", "numMoved", "NumMoved"].contains(&word)
}

impl Analysis<'_> {
    /// The attributes of a domain, each with its number; their words are known to be allowed.
    pub(super) fn attributes<'a>(&mut self, attributes: &'a [Attribute]) -> Attributes<'a> {
        let mut found = Attributes { given: Vec::new(), category: Category::Constant };
        for attribute in attributes {
            let word = &*attribute.name.text;
            if let Some((first, _)) = found.given.iter().find(|(first, _)| first.text == attribute.name.text) {
                let first = first.span;
                self.report(
                    Diagnostic::error(Code::BAD_ATTRIBUTE, format!("the attribute `{word}` stands twice"))
                        .at(attribute.name.span, "again")
                        .at(first, "first here"),
                );
                continue;
            }
            let number = match (&attribute.value, takes_number(word)) {
                (Some(value), true) => {
                    Some(self.datum(value, &Type::INT, &format!("the number of the attribute `{word}`")))
                }
                (None, false) => None,
                (None, true) => {
                    self.report(
                        Diagnostic::error(Code::BAD_ATTRIBUTE, format!("the attribute `{word}` needs a number"))
                            .at(attribute.name.span, "a number is missing")
                            .help(format!("write `{word} 3`")),
                    );
                    continue;
                }
                (Some(value), false) => {
                    self.report(
                        Diagnostic::error(Code::BAD_ATTRIBUTE, format!("the attribute `{word}` takes no number"))
                            .at(value.span, "leave this out"),
                    );
                    None
                }
            };
            found.category = found.category.max(number.as_ref().map_or(Category::Constant, |number| number.category));
            found.given.push((&attribute.name, number));
        }
        found
    }

    /// The bounds that three attributes set: the exact number, the least, the most.
    pub(super) fn size(&mut self, attributes: &mut Attributes, [exact, least, most]: [&str; 3]) -> Size<Expr> {
        let (min, max) = (attributes.take(least), attributes.take(most));
        let Some((place, number)) = attributes.take(exact) else {
            return Size { min: min.map(|(_, number)| number), max: max.map(|(_, number)| number) };
        };
        if let Some((other, _)) = min.or(max) {
            let (place, other) = (place.clone(), other.clone());
            self.report(
                Diagnostic::error(
                    Code::BAD_ATTRIBUTE,
                    format!("`{}` and `{}` cannot stand together", place.text, other.text),
                )
                .at(other.span, "a bound on what is fixed")
                .at(place.span, "fixed here"),
            );
        }
        Size { min: Some(number.clone()), max: Some(number) }
    }

    pub(super) fn function_attributes(&mut self, attributes: &[Attribute]) -> (FunctionAttributes<Expr>, Category) {
        let mut numbers = self.attributes(attributes);
        let size = self.size(&mut numbers, ["size", "minSize", "maxSize"]);
        (numbers.function(size), numbers.category)
    }

    /// The elementary properties that the attributes of a relation stand for.
    pub(super) fn properties(
        &mut self,
        attributes: &[Attribute],
        columns: &[ast::Domain],
        typed: &[Typed],
    ) -> Vec<BinaryProperty> {
        let mut properties: Vec<BinaryProperty> = Vec::new();
        for attribute in attributes {
            let Some(elementary) = BinaryProperty::of_attribute(&attribute.name.text) else { continue };
            properties.extend(elementary);
            let same = match typed {
                [left, right] => {
                    left.ty == Type::Any || right.ty == Type::Any || same_domain(&left.domain, &right.domain)
                }
                _ => false,
            };
            if !same {
                let mistake = Diagnostic::error(
                    Code::BAD_ATTRIBUTE,
                    format!("`{}` needs a relation between a domain and itself", attribute.name.text),
                )
                .at(attribute.name.span, "a property of binary relations on one domain");
                self.report(match columns {
                    [left, right] => mistake.at(left.span.to(right.span), "two different domains"),
                    _ => mistake.note(format!("this relation has {} columns", columns.len())),
                });
                break;
            }
        }
        properties.sort_unstable();
        properties.dedup();
        properties
    }
}

/// Whether two domains are written the same, apart from names that stand for domains.
fn same_domain(left: &Domain, right: &Domain) -> bool {
    without_places(left) == without_places(right)
}

/// A text that is the same for domains that differ in places only.
fn without_places(domain: &Domain) -> String {
    let mut parts = Vec::new();
    model::expressions_in_domain(domain, &mut |part| parts.push(shape(part)));
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

fn shape(expr: &Expr) -> String {
    let mut parts = Vec::new();
    expr.for_each_part(&mut |part| parts.push(shape(part)));
    let head = match &expr.kind {
        ExprKind::Constant(value) => format!("{value:?}"),
        ExprKind::Global(id) => format!("{id:?}"),
        ExprKind::Local(id) => format!("{id:?}"),
        ExprKind::Apply(row, _) => format!("{row:?}"),
        ExprKind::Tuple(_) => "tuple".to_owned(),
        ExprKind::Matrix(_, None) => "matrix".to_owned(),
        ExprKind::Component(_, position) => format!("component {position}"),
        ExprKind::Collection(kind, _) => format!("{kind:?}"),
        // Other expressions are the same only if they stand in the same place.
        _ => format!("{:?}", expr.span),
    };
    format!("{head}{parts:?}")
}
