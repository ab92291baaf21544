//! Counts nested quantifiers that range over the same variable.
//!
//! `forAll a, b in s` visits all pairs of possible members of `s`, and `forAll {a, b, c} subsetEq s` visits all
//! triples. If there are many possible members, a representation with one slot per present member is smaller, so
//! `symbolic/representation` reads these counts. A wrong count costs speed, but does not change answers. Each name
//! keeps the collection that it came from: in `forAll a in s . forAll x, y in a`, two quantifiers range over the
//! contents of the members of `s`.

use crate::{
    analysis::model::{
        Comprehension, DeclarationId, DeclarationKind, Expr, ExprKind, GeneratorRange, LocalId, Pattern, PatternForm,
        Qualifier, TypedModel, expressions_in_domain,
    },
    operators::Lookup,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Returns the largest number of nested quantifiers for each decision variable: over its outermost collections, then
/// over the collections inside them, and so on.
pub(crate) fn uses(model: &TypedModel) -> BTreeMap<DeclarationId, Arc<[u32]>> {
    let mut usage = Usage {
        model,
        origins: BTreeMap::new(),
        open: BTreeMap::new(),
        most: BTreeMap::new(),
        lettings: BTreeMap::new(),
    };
    // An objective visits collections like a constraint does, so preferences count, too.
    model.constraints.iter().chain(model.preferences()).for_each(|expr| usage.visit(expr));
    let mut uses: BTreeMap<DeclarationId, Vec<u32>> = BTreeMap::new();
    for (CollectionPlace(id, level), most) in usage.most {
        let levels = uses.entry(id).or_default();
        // A level without quantifiers counts 0.
        levels.resize(levels.len().max(level + 1), 0);
        levels[level] = most;
    }
    uses.into_iter().map(|(id, levels)| (id, levels.into())).collect()
}

/// A collection in the value of a variable: the variable, and the number of collections around this one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CollectionPlace(DeclarationId, usize);

struct Usage<'m> {
    model: &'m TypedModel,
    origins: BTreeMap<LocalId, Vec<CollectionPlace>>,
    /// The number of enclosing quantifiers over each collection.
    open: BTreeMap<CollectionPlace, u32>,
    most: BTreeMap<CollectionPlace, u32>,
    lettings: BTreeMap<DeclarationId, LettingUsage>,
}

/// The counts that each use of a `letting` contributes.
struct LettingUsage {
    most: BTreeMap<CollectionPlace, u32>,
    origins: Vec<CollectionPlace>,
}

impl<'m> Usage<'m> {
    fn visit(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Global(id) => {
                // Each use of a `letting` repeats its value.
                for (position, inside) in self.inside_letting(*id) {
                    let around = self.open.get(&position).copied().unwrap_or_default();
                    let most = self.most.entry(position).or_default();
                    *most = (*most).max(around + inside);
                }
            }
            _ => expr.for_each_part(&mut |part| self.visit(part)),
        }
    }

    /// The largest number of nested quantifiers over each collection in the value of a `letting`.
    fn inside_letting(&mut self, id: DeclarationId) -> BTreeMap<CollectionPlace, u32> {
        let DeclarationKind::Letting(value) = &self.model.declaration(id).kind else {
            return BTreeMap::new();
        };
        if !self.lettings.contains_key(&id) {
            // The quantifiers around the `letting` differ between its uses, so its own count starts from zero.
            let around = (std::mem::take(&mut self.open), std::mem::take(&mut self.most));
            self.visit(value);
            self.open = around.0;
            let inside =
                LettingUsage { most: std::mem::replace(&mut self.most, around.1), origins: self.origins(value) };
            self.lettings.insert(id, inside);
        }
        self.lettings[&id].most.clone()
    }

    fn comprehension(&mut self, comprehension: &'m Comprehension) {
        // A collection counts as open only inside the comprehension that ranges over it.
        let mut entered = Vec::new();
        for qualifier in &comprehension.qualifiers {
            match qualifier {
                Qualifier::Condition(condition) => self.visit(condition),
                Qualifier::Letting(pattern, value) => {
                    self.visit(value);
                    let origins = self.origins(value);
                    self.bind(pattern, origins);
                }
                Qualifier::Generator(_, GeneratorRange::Domain(domain)) => {
                    expressions_in_domain(domain, &mut |expr| self.visit(expr));
                }
                Qualifier::Generator(pattern, GeneratorRange::Members(value) | GeneratorRange::Subsets(value)) => {
                    self.visit(value);
                    // `{a, b, c} subsetEq s` counts as three quantifiers over `s`.
                    let (times, members) = match (pattern, set_of_generator(qualifier)) {
                        (Pattern::Parts(PatternForm::Members, parts), Some(_)) => (parts.len() as u32, false),
                        (_, set) => (1, set.is_none()),
                    };
                    let mut origins = self.origins(set_of_generator(qualifier).unwrap_or(value));
                    for origin in &origins {
                        let open = self.open.entry(*origin).or_default();
                        *open += times;
                        let most = self.most.entry(*origin).or_default();
                        *most = (*most).max(*open);
                        entered.push((*origin, times));
                    }
                    // The members of a subset are also members of the set.
                    if members || matches!(pattern, Pattern::Parts(PatternForm::Members, _)) {
                        origins.iter_mut().for_each(|origin| origin.1 += 1);
                    }
                    self.bind(pattern, origins);
                }
            }
        }
        self.visit(&comprehension.body);
        for (origin, times) in entered {
            *self.open.entry(origin).or_default() -= times;
        }
    }

    fn bind(&mut self, pattern: &Pattern, origins: Vec<CollectionPlace>) {
        pattern.names(&mut |name| {
            self.origins.insert(name, origins.clone());
        });
    }

    /// Returns the collections from which the value of an expression may come.
    fn origins(&self, expr: &Expr) -> Vec<CollectionPlace> {
        match &expr.kind {
            ExprKind::Local(name) => self.origins.get(name).cloned().unwrap_or_default(),
            ExprKind::Global(id) => match &self.model.declaration(*id).kind {
                DeclarationKind::Find(_) => vec![CollectionPlace(*id, 0)],
                DeclarationKind::Letting(_) => {
                    self.lettings.get(id).map(|letting| letting.origins.clone()).unwrap_or_default()
                }
                _ => Vec::new(),
            },
            ExprKind::Component(inner, _)
            | ExprKind::Alternative(inner, _)
            | ExprKind::Slice(inner, _)
            | ExprKind::Projection(inner, _) => self.origins(inner),
            ExprKind::Apply(operator, operands) => match (operator.lookup, operands.as_slice()) {
                (Some(Lookup::Element), [matrix, ..]) => self.origins(matrix),
                (Some(Lookup::Image), [function, _]) => self
                    .origins(function)
                    .into_iter()
                    .map(|CollectionPlace(id, level)| CollectionPlace(id, level + 1))
                    .collect(),
                // The result of any other operator may come from any of its operands.
                (_, operands) => {
                    let all: BTreeSet<_> = operands.iter().flat_map(|operand| self.origins(operand)).collect();
                    all.into_iter().collect()
                }
            },
            _ => Vec::new(),
        }
    }
}

/// Returns the set over whose subsets a generator ranges.
fn set_of_generator(qualifier: &Qualifier) -> Option<&Expr> {
    match qualifier {
        Qualifier::Generator(_, GeneratorRange::Subsets(set)) => Some(set),
        Qualifier::Generator(_, GeneratorRange::Members(Expr { kind: ExprKind::Apply(operator, sets), .. }))
            if operator.is_power_set() =>
        {
            sets.first()
        }
        _ => None,
    }
}
