//! Warnings about an instance that need no solver: empty domains, constant objectives, and very many instances.

use crate::{
    analysis::model::{
        Category, Comprehension, DeclarationId, DeclarationKind, Expr, ExprDomain, ExprKind, GeneratorRange, Ints,
        LocalId, Pattern, Qualifier, TypedModel, expressions_in_domain,
    },
    diagnostic::{Code, Diagnostic, Diagnostics},
    instance::{Environment, GroundInstance, domain_of, ground},
    language::{
        GroundDomain, IntSet,
        domain::{self, Amount},
    },
    lowering::Lowered,
};
use rustc_hash::FxHashMap;

/// At this number, the instances of a constraint take seconds and gigabytes. Chosen.
const MANY: u128 = 2_000_000;

/// Warns about empty domains, a constant objective, and indices out of range.
pub(crate) fn warn_of_instance(instance: &GroundInstance) -> Diagnostics {
    let mut found = Diagnostics::new();
    for find in instance.finds.iter().filter(|find| find.domain.size() == Some(0)) {
        let declaration = instance.model.declaration(find.id);
        // For some data, the empty domain may be the intended answer.
        if !matches!(&declaration.kind, DeclarationKind::Find(domain) if is_constant_domain(domain, &instance.model)) {
            continue;
        }
        let name = &declaration.name;
        found.push(
            Diagnostic::warning(Code::EMPTY_DOMAIN, format!("the domain of `{name}` has no value"))
                .at(declaration.span, "declared here")
                .note("so there is no solution"),
        );
    }
    if let Some(objective) = &instance.model.objective
        && objective.value.category == Category::Decision
        && let GroundDomain::Int(values) = domain_of(&objective.value, &mut instance.environment.clone())
        && values.size() == Some(1)
        && let Some(value) = IntSet::min(&values)
    {
        found.push(
            Diagnostic::warning(Code::CONSTANT_OBJECTIVE, "the objective is the same for every solution")
                .at(objective.value.span, format!("always {value}")),
        );
    }
    super::indices::warn_of_indices(instance, &mut found);
    super::ranges::warn_of_ranges(instance, &mut found);
    found
}

/// Returns true if a domain is the same for all data.
fn is_constant_domain(domain: &ExprDomain, model: &TypedModel) -> bool {
    let mut constant = true;
    expressions_in_domain(domain, &mut |expr| constant = constant && expr.category == Category::Constant);
    constant && !names_type_of_data(domain, model)
}

/// Returns true if a domain contains values of a type that the data define.
pub(super) fn names_type_of_data(domain: &ExprDomain, model: &TypedModel) -> bool {
    let mut found = false;
    let _ = domain.try_map(
        &mut |ints: &Ints| -> Result<(), ()> {
            if let Ints::Named(id, _) = ints {
                found |= match &model.declaration(*id).kind {
                    DeclarationKind::GivenEnum => true,
                    DeclarationKind::Unnamed(size) => size.category > Category::Constant,
                    _ => false,
                };
            }
            Ok(())
        },
        &mut |_| Ok(()),
    );
    found
}

/// Warns about a constraint or an objective with very many instances.
pub(crate) fn of_lowered(instance: &GroundInstance, lowered: &Lowered) -> Option<Diagnostic> {
    let model = &instance.model;
    let largest =
        lowered.origins.iter().max_by_key(|origin| origin.bindings).filter(|origin| origin.bindings >= MANY)?;
    let objective = model.objective.iter().map(|objective| ("objective", &objective.value));
    let mut exprs = model.constraints.iter().map(|constraint| ("constraint", constraint)).chain(objective);
    let (what, expr) = exprs.find(|(_, expr)| expr.span == largest.span)?;
    let mut path = Vec::new();
    widest(expr, &mut instance.environment.clone(), &mut path);
    let message = format!("this {what} is instantiated {} times", Amount::exactly(largest.bindings));
    let warning = Diagnostic::warning(Code::MANY_INSTANCES, message).at(expr.span, format!("the whole {what}"));
    let warning = path.into_iter().fold(warning, |warning, (local, count)| {
        let local = &model.local_names[local.0 as usize];
        match count.words() {
            Some(words) => warning.at(local.span, format!("`{}` has {words}", local.name)),
            None => warning,
        }
    });
    Some(warning.help("quantify over fewer values, or over the members of a collection that has only those you need"))
}

/// The number of instances of all comprehensions in an expression, without filtering by conditions.
pub(super) fn instances_of(expr: &Expr, env: &mut Environment) -> u128 {
    instances_in(expr, env, &mut FxHashMap::default())
}

/// The number of instances; `counted` caches the numbers for lettings.
fn instances_in(expr: &Expr, env: &mut Environment, counted: &mut FxHashMap<DeclarationId, u128>) -> u128 {
    let (mut inner, mut factor) = (0u128, 1u128);
    match &expr.kind {
        ExprKind::Comprehension(comprehension) => {
            for (_, count) in value_counts(comprehension, env) {
                factor = factor.saturating_mul(count.most);
            }
        }
        ExprKind::Global(id) => {
            let model = env.model().clone();
            if let DeclarationKind::Letting(value) = &model.declaration(*id).kind {
                // Each letting is counted once, because a chain of lettings has exponentially many uses.
                if let Some(instances) = counted.get(id) {
                    return *instances;
                }
                let instances = instances_in(value, env, counted);
                counted.insert(*id, instances);
                return instances;
            }
        }
        _ => {}
    }
    expr.for_each_part(&mut |part| inner = inner.saturating_add(instances_in(part, env, counted)));
    match expr.kind {
        // If the body has no comprehensions, it is one instance for each binding.
        ExprKind::Comprehension(_) => factor.saturating_mul(inner.max(1)),
        _ => inner,
    }
}

/// The quantified names along the nested comprehensions with the most instances, with the numbers of their values.
fn widest(expr: &Expr, env: &mut Environment, path: &mut Vec<(LocalId, ValueCount)>) {
    if let ExprKind::Comprehension(comprehension) = &expr.kind {
        path.extend(value_counts(comprehension, env).into_iter().filter_map(|(name, count)| Some((name?, count))));
    }
    let mut parts = Vec::new();
    expr.for_each_part(&mut |part| parts.push(part));
    if let Some(largest) = parts.into_iter().max_by_key(|part| instances_of(part, env)) {
        widest(largest, env, path);
    }
}

/// The number of values of a generator.
#[derive(Clone, Copy)]
struct ValueCount {
    /// The largest number; `u128::MAX` if it is unknown.
    most: u128,
    /// True if the number does not depend on decisions and surrounding names.
    is_exact: bool,
}

impl ValueCount {
    /// Returns the number in words, `3 values` or `up to 3 values`; `None` if it is unknown.
    fn words(self) -> Option<String> {
        let plural = if self.most == 1 { "" } else { "s" };
        let amount = format!("{} value{plural}", Amount::exactly(self.most));
        (self.most < u128::MAX).then(|| if self.is_exact { amount } else { format!("up to {amount}") })
    }
}

/// The names of a comprehension's generators, with the numbers of their values.
fn value_counts(comprehension: &Comprehension, env: &mut Environment) -> Vec<(Option<LocalId>, ValueCount)> {
    let mut counts = Vec::new();
    for qualifier in &comprehension.qualifiers {
        if let Qualifier::Generator(pattern, over) = qualifier {
            counts.push((pattern.first_name(), count(pattern, over, env)));
        }
    }
    counts
}

fn count(pattern: &Pattern, over: &GeneratorRange, env: &mut Environment) -> ValueCount {
    let collection = match over {
        GeneratorRange::Domain(domain) => {
            let known = ground(domain, env).ok().and_then(|domain| domain.size());
            // The bounds may depend on surrounding names, so the widest domain that these allow is counted.
            let most = known.or_else(|| pattern_value_count(pattern, env));
            return ValueCount { most: most.unwrap_or(u128::MAX), is_exact: known.is_some() };
        }
        GeneratorRange::Members(collection) => collection,
        GeneratorRange::Subsets(_) => return ValueCount { most: u128::MAX, is_exact: false },
    };
    let most = members(&domain_of(collection, env)).unwrap_or(u128::MAX);
    ValueCount { most, is_exact: collection.category < Category::Quantified }
}

/// The number of values of a pattern that is a single name.
fn pattern_value_count(pattern: &Pattern, env: &mut Environment) -> Option<u128> {
    let Pattern::Name(local) = pattern else { return None };
    let ty = env.model().local_names.get(local.0 as usize)?.ty.clone();
    let kind = ExprKind::Local(*local);
    domain_of(&Expr { kind, ty, category: Category::Quantified, span: Default::default() }, env).size()
}

/// The largest number of members of a collection in a domain.
fn members(domain: &GroundDomain) -> Option<u128> {
    match domain {
        GroundDomain::Matrix(index, _) => index.size(),
        _ => domain::shapes::most_members(domain).and_then(|most| u128::try_from(most).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pipeline, source::Sources};

    const TEXT: &str = "find x : matrix indexed by [int(1..4), int(1..4)] of int(1..9)\n\
        such that x[1, 1] > 2, forAll i, j : int(1..4), i < j . (sum k : int(i..4) . x[i, k]) > x[j, j],\n\
        (forAll s subsetEq {1, 2} . and([x[a, c] > |s| | a : int(1..3), c <- {a}]))\n\
        minimising max([x[i, i] | i : int(1..4)])\n";

    /// The warning about the instance after `more` bindings are added to a constraint or the objective.
    fn warned(place: &str, more: u128) -> Option<Diagnostic> {
        let mut sources = Sources::default();
        let source = sources.add("m.essence", TEXT);
        let mut diagnostics = Diagnostics::new();
        let read = pipeline::read_model_text(&sources, source, &mut diagnostics).expect("a model");
        let instance = pipeline::read_instance(&read.model, &sources, &[], &mut diagnostics).expect("an instance");
        let mut lowered = pipeline::lower_instance(&instance, &Default::default()).expect("a problem");
        let place = TEXT.find(place).expect("a place") as u32;
        let origin = lowered.origins.iter_mut().find(|origin| origin.span.start == place).expect("an origin");
        origin.bindings += more;
        of_lowered(&instance, &lowered)
    }

    fn labels(warning: &Diagnostic) -> Vec<&str> {
        warning.labels.iter().map(|label| label.text.as_str()).collect()
    }

    #[test]
    fn the_constraint_and_its_names_are_told() {
        assert_eq!(warned("forAll", 1000), None);
        let warning = warned("forAll", 5 * MANY).expect("a warning");
        assert!(warning.message.starts_with("this constraint is instantiated 100000"), "{}", warning.message);
        let names = ["`i` has 4 values", "`j` has 4 values", "`k` has up to 4 values"];
        assert_eq!(labels(&warning), [&["the whole constraint"][..], &names].concat());
        assert_eq!(labels(&warned("x[1, 1] >", MANY).expect("a warning")), ["the whole constraint"]);
        let subsets = ["`a` has 3 values", "`c` has up to 1 value"];
        assert_eq!(
            labels(&warned("(forAll s", MANY).expect("a warning")),
            [&["the whole constraint"][..], &subsets].concat()
        );
        assert_eq!(labels(&warned("max", MANY).expect("a warning")), ["the whole objective", "`i` has 4 values"]);
    }
}
