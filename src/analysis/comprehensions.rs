//! Expressions that bind names: comprehensions, quantifiers and local decision variables. A quantifier is the `and`,
//! `or`, `sum` or `product` of a comprehension; each of its patterns becomes a generator, and its guard a condition.

use super::{
    Analysis, Reports,
    mistakes::described_type,
    model::{
        Bubble, Category, Comprehension, Expr, ExprDomain, ExprKind, GeneratorRange, LocalId, LocalOrigin, Pattern,
        Qualifier,
    },
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::Type,
    syntax::{
        ast::{self, Identifier, PatternForm, PatternKind, Quantifier},
        binding::{NameBinding, NameStep},
    },
};
use std::sync::Arc;

impl Analysis<'_> {
    /// A comprehension, a quantifier, or `{ e @ find x : D such that c }`.
    pub(super) fn binding(&mut self, expr: &ast::ExprTree, NameBinding { steps, body }: NameBinding) -> Expr {
        let (span, reported, scope) = (expr.span, self.reports.diagnostics.len(), self.names.known.enter());
        let (mut qualifiers, mut locals, mut category) = (Vec::new(), Vec::new(), Category::Constant);
        for step in steps {
            category = category.max(self.step(step, &mut qualifiers, &mut locals));
        }
        let quantifier = match &expr.kind {
            ast::ExprTreeKind::Quantified(quantified) => Some(quantified.quantifier),
            _ => None,
        };
        let word = quantifier.map_or("", Quantifier::word);
        let body = match quantifier {
            Some(Quantifier::ForAll | Quantifier::Exists) => self.condition(body, &format!("the body of `{word}`")),
            Some(Quantifier::Sum | Quantifier::Product) => self.summand(body, word),
            None => self.expr(body),
        };
        self.names.known.leave(scope);
        // The type of `sum i in {} . i` is unknown although nothing is wrong, so an unknown type is an error only if a
        // diagnostic was reported.
        if quantifier.is_some() && body.is_wrong() && self.reports.diagnostics.len() > reported {
            return Expr::wrong(span);
        }
        category = category.max(body.category);
        if let ast::ExprTreeKind::Bubble(..) = expr.kind {
            self.model.has_local_finds |= !locals.is_empty();
            let condition =
                |qualifier| if let Qualifier::Condition(condition) = qualifier { Some(condition) } else { None };
            let constraints = qualifiers.into_iter().filter_map(condition).collect();
            let (ty, bubble) = (body.ty.clone(), Bubble { value: body, locals, constraints });
            return Expr::new(ExprKind::Bubble(Box::new(bubble)), ty, category, span);
        }
        // Outside all other binders, only the bound names vary, and they are bound here.
        if category == Category::Quantified && self.names.known.enter() == 0 {
            category = Category::Parameter;
        }
        let ty = Type::List(Arc::new(body.ty.clone()));
        let list = Comprehension::new(body, qualifiers, &self.model);
        let list = Expr::new(ExprKind::Comprehension(Box::new(list)), ty, category, span);
        match quantifier {
            Some(quantifier) => self.resolve(quantifier.aggregate(), vec![list], span),
            None => list,
        }
    }

    /// Appends a step with its types, binds its names, and returns its category.
    fn step(
        &mut self,
        step: NameStep,
        qualifiers: &mut Vec<Qualifier>,
        locals: &mut Vec<(LocalId, ExprDomain)>,
    ) -> Category {
        match step {
            NameStep::Generator(patterns, over) => self.generator(patterns, over, qualifiers),
            NameStep::Condition(condition, what) => {
                let condition = self.condition(condition, what);
                let category = condition.category;
                qualifiers.push(Qualifier::Condition(condition));
                category
            }
            NameStep::Letting(pattern, value) => {
                let value = self.expr(value);
                let origin = LocalOrigin::Value(Arc::new(value.clone()));
                let category = value.category;
                // The name exists only inside this comprehension, so it counts as quantified even if its value is a
                // constant.
                let pattern = self.pattern(pattern, &value.ty, category.max(Category::Quantified), origin);
                qualifiers.push(Qualifier::Letting(pattern, value));
                category
            }
            NameStep::Find(names, domain) => {
                let domain = self.domains().finite(domain, "the domain of a decision variable");
                let origin = LocalOrigin::Domain(Arc::new(domain.domain.clone()));
                for name in names {
                    let id = self.new_local(name, &domain.ty, Category::Decision, origin.clone());
                    locals.push((id, domain.domain.clone()));
                }
                Category::Decision
            }
            NameStep::Misplaced(statement) => {
                self.reports.add(
                    Diagnostic::error(Code::WRONG_KIND_OF_NAME, "only `find` and `such that` are allowed after `@`")
                        .at(statement.span, "not allowed in an expression"),
                );
                Category::Constant
            }
        }
    }

    fn summand(&mut self, body: &ast::ExprTree, word: &str) -> Expr {
        let typed = self.expr(body);
        if typed.ty.join(&Type::INT).is_some() {
            return typed;
        }
        let mistake = Diagnostic::error(
            Code::TYPE_MISMATCH,
            format!("`{word}` needs integers, but this is {}", described_type(&typed.ty)),
        )
        .at(typed.span, format!("this is `{}`", typed.ty));
        // The parser reads `sum i : D . m[i] = 3` as a sum of comparisons, but the user probably wanted to compare the
        // sum.
        let mistake = match (&typed.ty, &body.kind) {
            (Type::Bool, ast::ExprTreeKind::Apply(comparison, operands)) if operands.len() == 2 => mistake
                .help(format!("write `({word} … . …) {} …`, with parentheses around the {word}", comparison.text))
                .help("write `toInt(…)` around the comparison to count how often it holds")
                .note(format!("the body of a `{word}` extends as far to the right as possible")),
            (Type::Bool, _) => mistake.help("write `toInt(…)` to count true as 1 and false as 0"),
            _ => mistake,
        };
        self.reports.add(mistake);
        Expr::wrong(typed.span)
    }

    /// Appends a generator for each pattern, and returns the category of the expression that they range over.
    fn generator(
        &mut self,
        patterns: &[ast::PatternTree],
        over: &ast::GeneratorSource,
        qualifiers: &mut Vec<Qualifier>,
    ) -> Category {
        let (over, member, category) = self.over(over);
        // A name that ranges over constants still has several values.
        let varies = if category == Category::Decision { Category::Decision } else { Category::Quantified };
        let origin = match &over {
            GeneratorRange::Domain(domain) => LocalOrigin::Domain(Arc::new(domain.clone())),
            GeneratorRange::Members(collection) => LocalOrigin::Member(Arc::new(collection.clone())),
            GeneratorRange::Subsets(set) => LocalOrigin::Subset(Arc::new(set.clone())),
        };
        for pattern in patterns {
            let pattern = self.pattern(pattern, &member, varies, origin.clone());
            qualifiers.push(Qualifier::Generator(pattern, over.clone()));
        }
        category
    }

    /// Returns the range of a generator, the type of its members, and its category.
    fn over(&mut self, over: &ast::GeneratorSource) -> (GeneratorRange, Type, Category) {
        match over {
            ast::GeneratorSource::Domain(domain) => {
                // Only a name can be a value by mistake; the syntax distinguishes all other domains.
                if let Some(members) = self.collection_as_domain(domain) {
                    return members;
                }
                let domain = self.domains().of_generator(domain);
                (GeneratorRange::Domain(domain.domain), domain.ty, domain.category)
            }
            ast::GeneratorSource::Members(collection) => {
                let collection = self.expr(collection);
                let member = match collection.ty.member() {
                    Some(member) => member,
                    None => {
                        let mistake = Diagnostic::error(
                            Code::NOT_A_COLLECTION,
                            format!("{} has no members to range over", described_type(&collection.ty)),
                        )
                        .at(collection.span, format!("this is `{}`", collection.ty));
                        self.reports.add(match collection.ty {
                            Type::Domain(_) => {
                                mistake.help("write `:` instead of `in` (or `<-`) for a domain: `x : D`")
                            }
                            _ => mistake,
                        });
                        Type::Any
                    }
                };
                let category = collection.category;
                (GeneratorRange::Members(collection), member, category)
            }
            ast::GeneratorSource::Subsets(set) => {
                let set = self.expr(set);
                let member = match &set.ty {
                    Type::Any => Type::Any,
                    ty if ty.as_set().is_some() => ty.clone(),
                    other => {
                        self.reports.add(
                            Diagnostic::error(
                                Code::NOT_A_COLLECTION,
                                format!("`subsetEq` needs a set, but this is {}", described_type(other)),
                            )
                            .at(set.span, format!("this is `{other}`")),
                        );
                        Type::Any
                    }
                };
                let category = set.category;
                (GeneratorRange::Subsets(set), member, category)
            }
        }
    }

    /// Handles `x : S` for a value `S`: reports that `x in S` was meant, and continues with the members of `S`.
    fn collection_as_domain(&mut self, domain: &ast::DomainTree) -> Option<(GeneratorRange, Type, Category)> {
        let ast::DomainKind::Named(name, None) = &domain.kind else { return None };
        self.names.get(&name.text)?;
        let value = self.name(&name.text, name.span);
        if matches!(value.ty, Type::Domain(_)) {
            return None;
        }
        let member = value.ty.member();
        if !value.is_wrong() {
            let mistake = Diagnostic::error(Code::WRONG_KIND_OF_NAME, format!("`{}` is not a domain", name.text))
                .at(name.span, format!("this is `{}`", value.ty));
            self.reports.add(match member {
                Some(_) => mistake.help(format!("write `in {}` to range over its members", name.text)),
                None => mistake,
            });
        }
        let category = value.category;
        Some((GeneratorRange::Members(value), member.unwrap_or(Type::Any), category))
    }

    /// Binds the names of a pattern to the parts of a value of type `ty`.
    fn pattern(&mut self, pattern: &ast::PatternTree, ty: &Type, category: Category, origin: LocalOrigin) -> Pattern {
        match &pattern.kind {
            PatternKind::Wildcard => Pattern::Wildcard,
            PatternKind::Name(name) => {
                let name = Identifier { text: name.clone(), span: pattern.span };
                Pattern::Name(self.new_local(&name, ty, category, origin))
            }
            PatternKind::Parts(form @ PatternForm::Tuple, items) => {
                let types = match ty {
                    Type::Tuple(types) if types.len() == items.len() => types.to_vec(),
                    _ => self.reports.no_match(pattern, items.len(), "tuple", ty),
                };
                let whole = Arc::new(origin);
                let parts = items.iter().zip(&types).enumerate().map(|(position, (item, ty))| {
                    self.pattern(item, ty, category, LocalOrigin::Component(whole.clone(), position))
                });
                Pattern::Parts(*form, parts.collect())
            }
            PatternKind::Parts(form @ PatternForm::Matrix, items) => {
                let element = match ty {
                    Type::Matrix(_) | Type::List(_) => ty.member().unwrap_or(Type::Any),
                    _ => self.reports.no_match(pattern, 1, "matrix", ty).remove(0),
                };
                Pattern::Parts(*form, self.parts(items, &element, category, origin))
            }
            PatternKind::Parts(form @ PatternForm::Members, items) => {
                let member = match ty.as_set() {
                    Some(member) => member.clone(),
                    None => self.reports.no_match(pattern, 1, "set", ty).remove(0),
                };
                Pattern::Parts(*form, self.parts(items, &member, category, origin))
            }
        }
    }

    /// Returns the patterns of the elements of a matrix, or of the members of a set.
    fn parts(
        &mut self,
        items: &[ast::PatternTree],
        ty: &Type,
        category: Category,
        origin: LocalOrigin,
    ) -> Vec<Pattern> {
        // The positions of elements and members are unknown, so they share one origin.
        let origin = LocalOrigin::Inner(Arc::new(origin));
        items.iter().map(|item| self.pattern(item, ty, category, origin.clone())).collect()
    }
}

impl Reports<'_> {
    /// Reports a pattern that does not match values of the type. Returns unknown types for its names, so that they
    /// cause no further errors.
    fn no_match(&mut self, pattern: &ast::PatternTree, count: usize, what: &str, ty: &Type) -> Vec<Type> {
        if *ty != Type::Any {
            let message = match (ty, what) {
                (Type::Tuple(types), "tuple") => {
                    format!("this pattern has {count} components, but the tuples have {}", types.len())
                }
                _ => format!("the pattern of a {what} does not match {}", described_type(ty)),
            };
            self.add(
                Diagnostic::error(Code::PATTERN_MISMATCH, message)
                    .at(pattern.span, format!("the values are of type `{ty}`")),
            );
        }
        // Patterns of matrices and sets use the first type for each part.
        vec![Type::Any; count.max(1)]
    }
}
