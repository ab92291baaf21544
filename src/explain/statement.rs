//! Instances of constraints as Essence.
//!
//! A statement is the syntax tree of a constraint in which values replace quantified names and expressions that the
//! data determine. It is wrapped in what the constraint depends on: surrounding conditions become the left side of an
//! implication, and quantifiers whose names have no values before the decisions stay. The tree is then printed, so that
//! the statement can be parsed.

use super::{
    Describer,
    literal::{literal, parsed},
};
use crate::{
    analysis::model::{
        self, DeclarationId, DeclarationKind, Expr, ExprKind, GeneratorRange, Ints, LocalId, Pattern, PatternForm,
        Qualifier, Range, expressions_in_domain,
    },
    instance::evaluate,
    language::{Name, PartName, Type, Value},
    lowering::EnclosingLayer,
    operators::Lookup,
    source::Span,
    syntax::{
        ast::{self, Quantified, Quantifier},
        binding::NameBinding,
        parts::{for_each_part, for_each_part_mut, for_each_pattern_mut},
        print,
    },
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The maximum length of a value that replaces an expression; quantified names are always replaced. Chosen.
const LONGEST_VALUE: usize = 40;
/// The same limit for the values of a solution. Chosen.
const LONGEST_SHOWN: usize = 70;
/// Statements are printed on one line.
const ONE_LINE: usize = 1_000_000;

/// The expressions that values replace, in addition to quantified names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Substitution {
    /// Quantified names only.
    Names,
    /// Numbers, truth values, members of types, and tuples.
    Data,
    /// Every expression with a value that is not too long.
    Values,
}

/// The parts of a typed expression by their spans.
type TypedParts<'e> = FxHashMap<Span, &'e Expr>;

pub(super) fn printed(tree: &ast::ExprTree) -> String {
    print::expr(tree, ONE_LINE)
}

impl Describer<'_> {
    /// The constraint without conditions that the data determine.
    pub(super) fn conclusion<'e>(&self, expr: &'e Expr) -> &'e Expr {
        match &expr.kind {
            ExprKind::Apply(operator, sides)
                if operator.is_implication() && self.is_known(&sides[0]) && !self.is_known(&sides[1]) =>
            {
                self.conclusion(&sides[1])
            }
            _ => expr,
        }
    }

    /// An instance of a constraint, wrapped in the conditions and quantifiers on which it depends.
    pub(super) fn statement(&mut self, expr: &Expr, context: &[EnclosingLayer]) -> String {
        self.name_apart(expr, context);
        // In a constraint without decisions, names explain more than values.
        let put = if self.is_known(expr) { Substitution::Names } else { Substitution::Data };
        let tree = self.tree(expr, put).and_then(|tree| self.within(tree, context));
        match tree.or_else(|| self.trees.around(expr.span)) {
            Some(tree) => printed(&tree),
            None => super::describe::with_single_blanks(self.sources.text(expr.span)),
        }
    }

    /// The statement that an expression (a quantifier or an objective) is defined, with values instead of names.
    pub(super) fn definition(&mut self, expr: &Expr, context: &[EnclosingLayer]) -> String {
        let free = context.iter().any(|layer| match layer {
            EnclosingLayer::Assumed(_) => false,
            EnclosingLayer::Qualifier(qualifier) => match &**qualifier {
                Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) => {
                    !self.quantified.all_stated(pattern)
                }
                Qualifier::Condition(_) => false,
            },
        });
        let tree = if free { self.trees.around(expr.span) } else { self.tree(expr, Substitution::Names) };
        match tree {
            Some(tree) => printed(&tree),
            None => super::describe::with_single_blanks(self.sources.text(expr.span)),
        }
    }

    /// Renames quantified names around a statement that would capture a name in it: a member of an enumerated type that
    /// replaces a name, or a declared name in an expanded `letting`.
    fn name_apart(&mut self, expr: &Expr, context: &[EnclosingLayer]) {
        self.quantified.renamed.clear();
        let (mut declared, mut locals) = (BTreeSet::new(), Vec::new());
        globals_in(expr, &mut declared);
        for layer in context {
            match layer {
                EnclosingLayer::Assumed(condition) => globals_in(condition, &mut declared),
                EnclosingLayer::Qualifier(qualifier) => {
                    qualifier.for_each_part(&mut |part| globals_in(part, &mut declared));
                    if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = &**qualifier {
                        pattern.names(&mut |local| locals.push(local));
                    }
                }
            }
        }
        let model = &self.instance.model;
        let mut taken: BTreeSet<&str> = declared.iter().map(|id| &*model.declaration(*id).name).collect();
        for local in locals {
            let name = self.local(local).0;
            if self.instance.names.is_member(name) || !taken.insert(name) {
                self.quantified.renamed.insert(local, self.unused_name(name));
            }
        }
    }

    /// A variant of this name that is not in use.
    fn unused_name(&self, name: &str) -> Name {
        let model = &self.instance.model;
        let is_taken = |other: &str| {
            self.instance.names.is_member(other)
                || model.local_names.iter().any(|local| *local.name == *other)
                || model.declarations.iter().any(|declaration| *declaration.name == *other)
                || self.quantified.renamed.values().any(|renamed| **renamed == *other)
        };
        let mut other = format!("{name}_");
        while is_taken(&other) {
            other.push('_');
        }
        Name::from(other)
    }

    /// A quantified name as it is written in statements.
    pub(super) fn written_name(&self, local: LocalId) -> Name {
        self.quantified.renamed.get(&local).cloned().unwrap_or_else(|| self.local(local).0.into())
    }

    /// The syntax tree of an expression with values substituted.
    pub(super) fn tree(&mut self, expr: &Expr, put: Substitution) -> Option<ast::ExprTree> {
        if let ExprKind::Apply(_, sides) = &expr.kind
            && let [left, right] = sides.as_slice()
            && left.span == right.span
            && let Some(left) = self.spelled(left)
        {
            // This equation was made from a literal with blanks, for a part of a variable, so the source has no tree
            // for it.
            let right = self.tree(right, put)?;
            return Some(ast::ExprTree::equal(parsed(&left.to_string())?, right));
        }
        let mut tree = self.trees.at(expr.span)?;
        let typed = by_span(expr);
        let inner = self.without_capture(&mut tree, &typed);
        self.substitute_in(&mut tree, &typed, &inner, put);
        Some(tree)
    }

    /// The tree of an expression whose parts may be replaced, but not the expression itself.
    pub(super) fn tree_of_parts(&mut self, expr: &Expr, put: Substitution) -> Option<ast::ExprTree> {
        let mut tree = self.trees.at(expr.span)?;
        let typed = by_span(expr);
        let inner = self.without_capture(&mut tree, &typed);
        self.substitute_parts(&mut tree, &typed, &inner, put);
        Some(tree)
    }

    /// Renames names bound inside that are also members of enumerated types, because a substituted member would be
    /// captured there. Returns the names bound inside.
    fn without_capture(&self, tree: &mut ast::ExprTree, typed: &TypedParts) -> BTreeSet<Name> {
        let mut inner = inner_names(tree);
        let clashing: Vec<Name> = inner.iter().filter(|name| self.instance.names.is_member(name)).cloned().collect();
        for name in clashing {
            let other = self.unused_name(&name);
            let is_bound_inside = |tree: &ast::ExprTree| match typed.get(&tree.span).map(|expr| &expr.kind) {
                Some(ExprKind::Local(local)) => {
                    self.value_of(*local).is_none() && !self.quantified.renamed.contains_key(local)
                }
                _ => false,
            };
            rename_bound(tree, &name, &other, &is_bound_inside);
            inner.insert(other);
        }
        inner
    }

    fn substitute_in(
        &mut self,
        tree: &mut ast::ExprTree,
        typed: &TypedParts,
        inner: &BTreeSet<Name>,
        put: Substitution,
    ) {
        let expr = typed.get(&tree.span).copied();
        if let Some(value) = expr.and_then(|expr| self.amount(expr).or_else(|| self.replacement(expr, put))) {
            *tree = value;
            return;
        }
        if let ast::ExprTreeKind::Name(name) = &tree.kind {
            // The typed model has no counterpart for this part (for example, for the domain in the annotation of a
            // literal), so the name is found by its text.
            if expr.is_none()
                && !inner.contains(name)
                && let Some(local) =
                    self.quantified.bound.keys().rev().find(|local| *self.local(**local).0 == **name).copied()
                && let Some(value) = self.value_of(local)
            {
                *tree = value;
            }
            return;
        }
        self.substitute_parts(tree, typed, inner, put);
    }

    fn substitute_parts(
        &mut self,
        tree: &mut ast::ExprTree,
        typed: &TypedParts,
        inner: &BTreeSet<Name>,
        put: Substitution,
    ) {
        // In `m[i]`, the value of the whole matrix would not help, so the base keeps its name.
        if let ast::ExprTreeKind::Index(base, _) | ast::ExprTreeKind::Call(base, _) = &mut tree.kind
            && matches!(base.kind, ast::ExprTreeKind::Name(_))
        {
            let name = ast::ExprTree::clone(base);
            for_each_part_mut(tree, &mut |part| self.substitute_in(part, typed, inner, put));
            if let ast::ExprTreeKind::Index(base, _) | ast::ExprTreeKind::Call(base, _) = &mut tree.kind {
                **base = name;
                self.substitute_in(base, typed, inner, Substitution::Names);
            }
            return;
        }
        // A property such as `total(f)` refers to the declared domain, which a value lacks.
        let is_property = typed.get(&tree.span).is_some_and(|expr| matches!(expr.kind, ExprKind::HasAttribute(..)));
        let put = if is_property { Substitution::Names } else { put };
        for_each_part_mut(tree, &mut |part| self.substitute_in(part, typed, inner, put));
    }

    /// The value of an amount in its unit.
    fn amount(&mut self, expr: &Expr) -> Option<ast::ExprTree> {
        let ty = self.amounts.get(&expr.span)?.clone();
        // A table of amounts is too large to show, so its name is used.
        let is_table = matches!(expr.kind, ExprKind::Global(_)) && !matches!(ty, Type::Int(_) | Type::Tuple(_));
        if is_table || mentions_quantified(expr, &self.quantified.generic) {
            return None;
        }
        let value = evaluate(expr, &mut self.env).ok()?;
        let text = self.instance.names.in_units().show(&value, &ty);
        Some(ast::ExprTree::made(ast::ExprTreeKind::Name(text.into())))
    }

    /// The value that replaces an expression.
    fn replacement(&mut self, expr: &Expr, put: Substitution) -> Option<ast::ExprTree> {
        if let ExprKind::Local(local) = expr.kind {
            let renamed =
                || Some(ast::ExprTree::made(ast::ExprTreeKind::Name(self.quantified.renamed.get(&local)?.clone())));
            if let Some(tree) = self.value_of(local).or_else(renamed) {
                return Some(tree);
            }
        }
        let is_simple = matches!(expr.ty, Type::Bool | Type::Int(_) | Type::Named(_) | Type::Tuple(_));
        let (wanted, longest) = match put {
            Substitution::Names => (false, 0),
            Substitution::Data => (is_simple, LONGEST_VALUE),
            Substitution::Values => (!matches!(expr.ty, Type::Domain(_)), LONGEST_SHOWN),
        };
        let is_constant = matches!(expr.kind, ExprKind::Constant(_) | ExprKind::Local(_));
        // A literal of a variant does not show its other alternatives.
        let wanted = wanted && !expr.ty.mentions_variant();
        if !wanted || is_constant || !self.is_known(expr) || mentions_quantified(expr, &self.quantified.generic) {
            return None;
        }
        let value = evaluate(expr, &mut self.env).ok()?;
        let tree = literal(&value, &expr.ty, &self.instance.names);
        (printed(&tree).chars().count() <= longest).then_some(tree)
    }

    /// The literal of a quantified name's value, if it has one; its name if the statement stands for several instances.
    fn value_of(&self, local: LocalId) -> Option<ast::ExprTree> {
        if self.quantified.generic.contains(&local) {
            return Some(ast::ExprTree::made(ast::ExprTreeKind::Name(self.written_name(local))));
        }
        let value = self.quantified.value(local)?;
        let ty = self.local(local).1;
        let tree = literal(value, ty, &self.instance.names);
        // Without a type annotation, a literal of a variant would not show the other alternatives.
        let typed = if ty.mentions_variant() { parsed(&format!("({} : `{ty}`)", printed(&tree))) } else { None };
        Some(typed.unwrap_or(tree))
    }

    /// A value as text.
    pub(super) fn shown(&self, value: &Value, ty: &Type) -> String {
        printed(&literal(value, ty, &self.instance.names))
    }

    /// The name of a part of a variable for which the source has no expression.
    fn spelled(&mut self, expr: &Expr) -> Option<PartName> {
        match &expr.kind {
            ExprKind::Global(id) => Some(PartName::of(&*self.instance.model.declaration(*id).name)),
            ExprKind::Component(tuple, position) => Some(self.spelled(tuple)?.component(position + 1)),
            ExprKind::Apply(operator, operands) => {
                let [target, argument] = operands.as_slice() else { return None };
                let target = self.spelled(target)?;
                let value = evaluate(argument, &mut self.env).ok()?;
                let argument = self.instance.names.show(&value, &argument.ty);
                Some(match operator.lookup? {
                    Lookup::Element => target.element(argument),
                    Lookup::Image => target.image(&argument),
                })
            }
            _ => None,
        }
    }

    /// Wraps a statement in the conditions and quantifiers on which it depends; `None` if that cannot be written.
    fn within(&mut self, mut tree: ast::ExprTree, context: &[EnclosingLayer]) -> Option<ast::ExprTree> {
        // The context starts with the outermost layer, which must be added last.
        for layer in context.iter().rev() {
            tree = match layer {
                EnclosingLayer::Assumed(condition) => self.under(condition, tree)?,
                EnclosingLayer::Qualifier(qualifier) => match &**qualifier {
                    Qualifier::Condition(condition) => self.under(condition, tree)?,
                    Qualifier::Letting(_, value) if self.is_known(value) => tree,
                    Qualifier::Letting(pattern, value) => {
                        let letting =
                            ast::QualifierTree::Letting(self.pattern(pattern), self.tree(value, Substitution::Data)?);
                        let list = ast::ExprTree::made(ast::ExprTreeKind::Comprehension(Box::new(tree), vec![letting]));
                        ast::ExprTree::made(ast::ExprTreeKind::Apply(Quantifier::ForAll.aggregate(), vec![list]))
                    }
                    Qualifier::Generator(pattern, over) => self.ranging(pattern, over, tree)?,
                },
            };
        }
        Some(tree)
    }

    /// A statement under a condition, unless the data determine the condition.
    fn under(&mut self, condition: &Expr, tree: ast::ExprTree) -> Option<ast::ExprTree> {
        match self.is_known(condition) {
            true => Some(tree),
            false => Some(implied(self.tree(condition, Substitution::Data)?, tree)),
        }
    }

    /// A statement for the values of a generator.
    fn ranging(&mut self, pattern: &Pattern, over: &GeneratorRange, tree: ast::ExprTree) -> Option<ast::ExprTree> {
        if self.is_settled(over) {
            return Some(tree);
        }
        if self.quantified.all_stated(pattern) {
            return Some(implied(self.membership(pattern, over)?, tree));
        }
        // If some names have no values, the quantifier stays and binds them.
        let over = self.over(over)?;
        let (pattern, guard) = self.matched(pattern);
        let patterns = vec![pattern];
        Some(match tree.kind {
            // The new quantifier may be merged with one in the source without a change of meaning.
            ast::ExprTreeKind::Quantified(inner)
                if guard.is_none() && inner.quantifier == Quantifier::ForAll && inner.over == over =>
            {
                let patterns = patterns.into_iter().chain(inner.patterns).collect();
                ast::ExprTree::made(ast::ExprTreeKind::Quantified(Box::new(Quantified { patterns, ..*inner })))
            }
            _ => {
                let (guard, body) = match guard {
                    // `forAll p in s . c -> e` is easier to read with `c` as a guard.
                    None => {
                        tree.into_implication().map_or_else(|tree| (None, tree), |(guard, body)| (Some(guard), body))
                    }
                    guard => (guard, tree),
                };
                quantified(Quantifier::ForAll, patterns, over, guard, body)
            }
        })
    }

    /// The condition that the value of a pattern is in the range of a generator.
    fn membership(&mut self, pattern: &Pattern, over: &GeneratorRange) -> Option<ast::ExprTree> {
        match (over, self.pattern_value(pattern)) {
            (GeneratorRange::Members(collection), Some(value)) => {
                Some(ast::ExprTree::is_in(value, self.tree(collection, Substitution::Data)?))
            }
            (GeneratorRange::Subsets(set), Some(value)) => {
                Some(ast::ExprTree::is_subset(value, self.tree(set, Substitution::Data)?))
            }
            (GeneratorRange::Domain(model::ExprDomain::Int(Ints::Ranges(ranges))), Some(value)) => {
                let mut either: Option<ast::ExprTree> = None;
                for range in ranges {
                    let (low, high) = match range {
                        Range::Single(only) => (only, only),
                        Range::Interval(low, high) => (low.as_ref()?, high.as_ref()?),
                    };
                    let low = ast::ExprTree::at_most(self.tree(low, Substitution::Data)?, value.clone());
                    let high = ast::ExprTree::at_most(value.clone(), self.tree(high, Substitution::Data)?);
                    let both = ast::ExprTree::and(low, high);
                    either = Some(match either {
                        Some(other) => ast::ExprTree::or(other, both),
                        None => both,
                    });
                }
                either
            }
            (GeneratorRange::Members(_) | GeneratorRange::Subsets(_), None) => {
                let over = self.over(over)?;
                let (pattern, body) = self.matched(pattern);
                let body = body.unwrap_or_else(|| ast::ExprTree::made(ast::ExprTreeKind::Bool(true)));
                Some(quantified(Quantifier::Exists, vec![pattern], over, None, body))
            }
            (GeneratorRange::Domain(_), _) => None,
        }
    }

    fn over(&mut self, over: &GeneratorRange) -> Option<ast::GeneratorSource> {
        Some(match over {
            GeneratorRange::Members(collection) => {
                ast::GeneratorSource::Members(self.tree(collection, Substitution::Data)?)
            }
            GeneratorRange::Subsets(set) => ast::GeneratorSource::Subsets(self.tree(set, Substitution::Data)?),
            GeneratorRange::Domain(_) => return None,
        })
    }

    /// The tree of a pattern, and `i = 1 /\ j = 2` for its names with values.
    fn matched(&mut self, pattern: &Pattern) -> (ast::PatternTree, Option<ast::ExprTree>) {
        let mut values = Vec::new();
        pattern.names(&mut |local| values.extend(self.value_of(local).map(|value| (local, value))));
        let outer = self.quantified.renamed.clone();
        // In a statement for several instances, this name stands for its values, so the pattern must not bind the same
        // name.
        for (local, _) in values.iter().filter(|(local, _)| self.quantified.generic.contains(local)) {
            self.quantified.renamed.insert(*local, self.unused_name(self.local(*local).0));
        }
        let equation = |(local, value)| {
            let name = ast::ExprTree::made(ast::ExprTreeKind::Name(self.written_name(local)));
            ast::ExprTree::equal(name, value)
        };
        let equations = values.into_iter().map(equation).reduce(ast::ExprTree::and);
        let pattern = self.pattern(pattern);
        self.quantified.renamed = outer;
        (pattern, equations)
    }

    /// The value that a pattern matched; `None` if it does not name all parts.
    fn pattern_value(&self, pattern: &Pattern) -> Option<ast::ExprTree> {
        let all = |items: &[Pattern]| items.iter().map(|item| self.pattern_value(item)).collect::<Option<Vec<_>>>();
        Some(match pattern {
            Pattern::Name(local) => self.value_of(*local)?,
            Pattern::Wildcard => return None,
            Pattern::Parts(PatternForm::Tuple, items) => ast::ExprTree::made(ast::ExprTreeKind::Tuple(all(items)?)),
            Pattern::Parts(PatternForm::Members, items) => ast::ExprTree::made(ast::ExprTree::set(all(items)?)),
            // The index domain of the matrix is unknown.
            Pattern::Parts(PatternForm::Matrix, _) => return None,
        })
    }

    /// The tree of a pattern.
    pub(super) fn pattern(&self, pattern: &Pattern) -> ast::PatternTree {
        let kind = match pattern {
            Pattern::Name(local) => ast::PatternKind::Name(self.written_name(*local)),
            Pattern::Wildcard => ast::PatternKind::Wildcard,
            Pattern::Parts(form, items) => {
                ast::PatternKind::Parts(*form, items.iter().map(|item| self.pattern(item)).collect())
            }
        };
        ast::PatternTree { kind, span: Span::default() }
    }

    /// Returns true if the range of a generator is known.
    fn is_settled(&self, over: &GeneratorRange) -> bool {
        match over {
            GeneratorRange::Members(value) | GeneratorRange::Subsets(value) => self.is_known(value),
            GeneratorRange::Domain(domain) => {
                let mut known = true;
                expressions_in_domain(domain, &mut |bound| known = known && self.is_known(bound));
                known
            }
        }
    }

    /// Returns true if all names in an expression have values and may be replaced by them.
    pub(super) fn is_known(&self, expr: &Expr) -> bool {
        let mut inner = BTreeSet::new();
        !self.instance.model.has_part(expr, &mut |part| match &part.kind {
            ExprKind::Global(id) => {
                let declaration = self.instance.model.declaration(*id);
                let has_value = match declaration.kind {
                    DeclarationKind::Find(_) | DeclarationKind::Given(_) => self.env.is_known(*id),
                    _ => true,
                };
                self.kept.contains(id) || !has_value
            }
            ExprKind::Local(local) => !inner.contains(local) && !self.quantified.is_stated(*local),
            ExprKind::Bubble(_) => true,
            ExprKind::Comprehension(comprehension) => {
                for qualifier in &comprehension.qualifiers {
                    if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
                        pattern.names(&mut |local| {
                            inner.insert(local);
                        });
                    }
                }
                false
            }
            _ => false,
        })
    }
}

/// The declarations that an expression mentions.
fn globals_in(expr: &Expr, found: &mut BTreeSet<DeclarationId>) {
    if let ExprKind::Global(id) = expr.kind {
        found.insert(id);
    }
    expr.for_each_part(&mut |part| globals_in(part, found));
}

/// `condition -> tree`; if `tree` is an implication, its condition is joined with this one.
fn implied(condition: ast::ExprTree, tree: ast::ExprTree) -> ast::ExprTree {
    match tree.into_implication() {
        Ok((assumed, conclusion)) => ast::ExprTree::implies(ast::ExprTree::and(condition, assumed), conclusion),
        Err(tree) => ast::ExprTree::implies(condition, tree),
    }
}

fn quantified(
    quantifier: Quantifier,
    patterns: Vec<ast::PatternTree>,
    over: ast::GeneratorSource,
    guard: Option<ast::ExprTree>,
    body: ast::ExprTree,
) -> ast::ExprTree {
    ast::ExprTree::made(ast::ExprTreeKind::Quantified(Box::new(Quantified { quantifier, patterns, over, guard, body })))
}

/// Returns true if an expression mentions one of these quantified names.
fn mentions_quantified(expr: &Expr, names: &BTreeSet<LocalId>) -> bool {
    if let ExprKind::Local(local) = expr.kind {
        return names.contains(&local);
    }
    let mut found = false;
    if !names.is_empty() {
        expr.for_each_part(&mut |part| found = found || mentions_quantified(part, names));
    }
    found
}

/// The parts of an expression by their spans; among parts with equal spans, the outermost.
fn by_span(expr: &Expr) -> TypedParts<'_> {
    fn collect<'e>(expr: &'e Expr, typed: &mut TypedParts<'e>) {
        typed.entry(expr.span).or_insert(expr);
        match &expr.kind {
            // The syntax tree has no separate nodes for the pairs and parts of a literal.
            ExprKind::Collection(kind, members) if !kind.form().writes_members() => {
                for member in members {
                    member.for_each_part(&mut |part| collect(part, typed));
                }
            }
            _ => expr.for_each_part(&mut |part| collect(part, typed)),
        }
    }
    let mut typed = TypedParts::default();
    collect(expr, &mut typed);
    typed
}

/// Renames names bound inside a tree, at the occurrences for which a predicate holds.
fn rename_bound(tree: &mut ast::ExprTree, from: &Name, to: &Name, is_bound_inside: &dyn Fn(&ast::ExprTree) -> bool) {
    fn in_pattern(pattern: &mut ast::PatternTree, from: &Name, to: &Name) {
        match &mut pattern.kind {
            ast::PatternKind::Name(name) if name == from => *name = to.clone(),
            ast::PatternKind::Name(_) | ast::PatternKind::Wildcard => {}
            ast::PatternKind::Parts(_, items) => {
                items.iter_mut().for_each(|item| in_pattern(item, from, to));
            }
        }
    }
    if matches!(&tree.kind, ast::ExprTreeKind::Name(name) if name == from) && is_bound_inside(tree) {
        tree.kind = ast::ExprTreeKind::Name(to.clone());
    }
    if let ast::ExprTreeKind::Bubble(_, statements) = &mut tree.kind {
        for statement in statements {
            if let ast::StatementKind::Find { names, .. } = &mut statement.kind {
                names.iter_mut().filter(|name| name.text == *from).for_each(|name| name.text = to.clone());
            }
        }
    }
    for_each_pattern_mut(tree, &mut |pattern| in_pattern(pattern, from, to));
    for_each_part_mut(tree, &mut |part| rename_bound(part, from, to, is_bound_inside));
}

/// The names that are bound inside a tree.
fn inner_names(tree: &ast::ExprTree) -> BTreeSet<Name> {
    fn collect(tree: &ast::ExprTree, names: &mut BTreeSet<Name>) {
        for step in NameBinding::of(tree).map_or(Vec::new(), |binding| binding.steps) {
            step.for_each_name(&mut |name, _| _ = names.insert(name.clone()));
        }
        for_each_part(tree, &mut |part| collect(part, names));
    }
    let mut names = BTreeSet::new();
    collect(tree, &mut names);
    names
}
