//! Explains why an instance has no solution, with single changes that would make it solvable.

use super::{
    Describer, Findings, Reason,
    case::{Change, DomainConflict, ExplainedCase, Explanation, OriginKey, conditions, key},
    conflict::{Conditions, ConflictingConditions},
    group, needs,
    repair::Repairs,
};
use crate::{
    analysis::model::{DeclarationId, DeclarationKind, expressions_in_domain},
    diagnostic::Label,
    halt::{Halt, StopReason},
    instance::{
        Find, GroundInstance, SolutionValues,
        symmetry::{self, SymmetryBreaking},
    },
    language::{GroundDomain, Type},
    lowering::{
        DomainOverrides, DomainRelaxation, Lowered, Parts, Requirement, RequirementOptions, RequirementOrigin,
        break_symmetries, requirements, widened,
    },
    pipeline::Search,
    problem::{Bool, Builder, Problem, Role},
    solver::{self, AssumptionResult, EngineOptions, SearchEnd, incremental},
    source::Sources,
    symbolic::{
        Symbolic,
        representation::{Plan, variable_count},
    },
};
use std::ops::ControlFlow;

/// The work limit of the search for values far beyond the bounds: about a second in the integer theory. Chosen.
const BEYOND: u64 = 10_000;
/// The largest conflict that is reported as an intermediate explanation. Chosen.
const MOST_SO_FAR: usize = 1000;
/// A distance beyond any number that is likely in the solutions of a model.
const FAR: i64 = 1 << 40;
/// The limit on terms for a domain without its bounds. Chosen.
const MOST_TERMS: usize = 300_000;

/// The verdict about an instance.
#[derive(Debug)]
pub(crate) enum WhyVerdict {
    Solvable(SolutionValues),
    Conflict(Explanation),
}

/// Explains why a case has no solution, if it has none.
pub(crate) fn why_unsatisfiable(case: &ExplainedCase, sources: &Sources) -> Result<WhyVerdict, Halt> {
    let mut describer = Describer::new(case.instance, sources);
    if let Some(variable) = case.instance.undefined_domain {
        return Ok(WhyVerdict::Conflict(Explanation {
            reasons: vec![undefined_domain(&mut describer, variable)],
            minimal: true,
            changes: Vec::new(),
            none_is_enough: false,
            notes: vec!["a bound or an attribute in it is undefined, and an undefined domain has no values".into()],
        }));
    }
    describer.written = case.written;
    let mut smallest = usize::MAX;
    let contradiction = minimal_contradiction(case, &mut |members| {
        // Wording takes time, so a conflict is reported only if it is smaller by a quarter.
        if let Some(so_far) = case.so_far
            && members.len() <= (smallest - smallest / 4).min(MOST_SO_FAR)
            && !members.is_empty()
        {
            smallest = members.len();
            so_far(Explanation::so_far(group::reasons_in_words(&mut describer, members).0));
        }
    })?;
    let contradiction = match contradiction {
        ConflictResult::No(solution) => return Ok(WhyVerdict::Solvable(solution)),
        ConflictResult::Yes(contradiction) => contradiction,
    };
    let (mut reasons, reason_of) = group::reasons_in_words(&mut describer, &contradiction.members);
    needs::add(&mut describer, case, &contradiction, &mut reasons, &reason_of);
    let mut explanation = Explanation { minimal: contradiction.minimal, ..Explanation::so_far(reasons) };
    if contradiction.widened.is_none() && case.engine_options.reached().is_none() {
        explanation
            .notes
            .push("the bounds and attributes of all domains hold, too; which of them matter is not known".into());
    }
    let mut report = |changes: &[Change]| {
        if let Some(so_far) = case.so_far {
            so_far(Explanation { changes: changes.to_vec(), ..explanation.clone() });
        }
    };
    report(&[]);
    if case.denied.is_empty() {
        let repairs = Repairs::new(case, &contradiction, &reason_of, sources, &mut report);
        (explanation.changes, explanation.none_is_enough) = repairs.changes(&mut describer);
        // A limit was reached, so some changes may be untried. The answer so far is reported.
        if let (Some(status), Some(_)) = (case.engine_options.reached(), case.so_far) {
            return Err(status.into());
        }
    }
    Ok(WhyVerdict::Conflict(explanation))
}

/// The reason that an undefined domain must have a value.
pub(super) fn undefined_domain(describer: &mut Describer, variable: DeclarationId) -> Reason {
    let declaration = describer.instance.model.declaration(variable);
    let says = format!("the domain of `{}` has a value", declaration.name);
    let labels = vec![Label { span: declaration.span, text: String::new() }];
    let mut findings = Findings::default();
    if let DeclarationKind::Find(domain) = &declaration.kind {
        expressions_in_domain(domain, &mut |expr| {
            if findings.is_empty() {
                findings = describer.undefined_part(expr);
            }
        });
    }
    Reason { says, labels, findings, ..Reason::default() }
}

#[expect(clippy::large_enum_variant, reason = "there is one")]
pub(super) enum ConflictResult {
    No(SolutionValues),
    Yes(DomainConflict),
}

/// A minimal conflict among the requirements of a case, or a solution; calls `smaller` with each smaller conflict.
pub(super) fn minimal_contradiction(
    case: &ExplainedCase,
    smaller: &mut dyn FnMut(&[Requirement]),
) -> Result<ConflictResult, Halt> {
    let mut plain = case.parts(None)?;
    let conditions = conditions(&plain.requirements);
    let always = always(case, &mut plain);
    let required: Vec<Bool> = conditions.iter().chain(&always).copied().collect();
    if let Some(solution) = solution_with(case, &plain.lowered, &required)? {
        return Ok(ConflictResult::No(solution));
    }
    let mut report = |members: &[usize]| {
        smaller(&members.iter().map(|position| plain.requirements[*position].clone()).collect::<Vec<_>>());
    };
    let all: Vec<usize> = (0..conditions.len()).collect();
    // If a limit ends the search for a smaller conflict, all members are still a conflict.
    report(&all);
    // These conditions have just been refuted, so there is a conflict.
    let Some(conflict) = smallest(&plain, &always, &all, case.engine_options, &mut report)? else {
        return Err(Halt::Stopped(StopReason::Unknown("the solver contradicts itself".into())));
    };
    let members: Vec<Requirement> =
        conflict.members.iter().map(|position| plain.requirements[*position].clone()).collect();
    report(&conflict.members);
    Ok(ConflictResult::Yes(match with_bounds(case, &members, &conflict) {
        Some((widened, members, minimal)) => DomainConflict { plain, widened: Some(widened), members, minimal },
        None => DomainConflict { plain, widened: None, members, minimal: false },
    }))
}

/// The assumptions of every check: the denied facts, and symmetry breaking for unnamed types, which makes refutations
/// much faster.
fn always(case: &ExplainedCase, parts: &mut Parts) -> Vec<Bool> {
    let mut always: Vec<Bool> = parts.facts.iter().map(|fact| !*fact).collect();
    let ty = |id: &DeclarationId| &case.instance.model.declaration(*id).ty;
    // Symmetry breaking is sound only if each requirement keeps its meaning when members are exchanged.
    let is_about_a_member = |requirement: &Requirement| match &requirement.origin {
        RequirementOrigin::Constraint { bindings, .. } | RequirementOrigin::Defined { bindings, .. } => {
            bindings.iter().any(|(local, value)| {
                value.is_some() && case.instance.model.local_names[local.0 as usize].ty.mentions_unnamed()
            })
        }
        RequirementOrigin::Domain { variable, .. } => has_part_of_a_member(ty(variable)),
        RequirementOrigin::Value { .. } => true,
    };
    if !parts.facts.is_empty() || parts.requirements.iter().any(is_about_a_member) {
        return always;
    }
    let Ok(symmetries) = symmetry::symmetries(case.instance, SymmetryBreaking::FAST) else { return always };
    let before = parts.lowered.problem.constraints().len();
    if let Ok(lowered) = break_symmetries(case.instance, &symmetries, parts.lowered.clone()) {
        parts.lowered = lowered;
        always.extend(parts.lowered.problem.take_constraints(before));
    }
    always
}

/// Returns true if bounds of this type may belong to one member of an unnamed type.
fn has_part_of_a_member(ty: &Type) -> bool {
    match ty {
        Type::Matrix(parts) => parts[0].mentions_unnamed() || has_part_of_a_member(&parts[1]),
        // The bounds of these types concern the value as a whole.
        Type::Collection(kind, _) if !kind.form().is_keyed() => false,
        other => other.mentions_unnamed(),
    }
}

/// Finds a minimal conflict: first the constraints of the source are minimised, then the instances of those that
/// remain. Reports each smaller conflict.
fn smallest(
    parts: &Parts,
    always: &[Bool],
    members: &[usize],
    engine_options: &EngineOptions,
    report: &mut dyn FnMut(&[usize]),
) -> Result<Option<ConflictingConditions>, StopReason> {
    let candidates: Vec<Requirement> = members.iter().map(|member| parts.requirements[*member].clone()).collect();
    let groups = group::groups(&candidates);
    let ask = |problem: &Problem, conditions: &[Bool], among: &[usize], smaller: &mut dyn FnMut(&[usize])| {
        let mut solver = incremental(problem, engine_options);
        Conditions { problem, solver: &mut *solver, conditions, always, engine_options, smaller }.smallest(among)
    };
    let in_groups = |found: &[usize]| {
        let mut found: Vec<usize> =
            found.iter().flat_map(|group| &groups[*group]).map(|member| members[*member]).collect();
        found.sort_unstable();
        found
    };
    let mut few: Vec<usize> = members.to_vec();
    let mut minimal = true;
    if groups.len() < members.len() {
        // Each constraint has one condition, the conjunction of its instances.
        let mut problem = Builder::from(parts.lowered.problem.clone());
        let whole = |group: &Vec<usize>| problem.and(group.iter().map(|member| candidates[*member].condition));
        let wholes: Vec<Bool> = groups.iter().map(whole).collect();
        let all: Vec<usize> = (0..wholes.len()).collect();
        let Ok(problem) = problem.finish() else { return Ok(None) };
        let Some(found) = ask(&problem, &wholes, &all, &mut |found| report(&in_groups(found)))? else {
            return Ok(None);
        };
        minimal = found.minimal;
        few = in_groups(&found.members);
    }
    let found = ask(&parts.lowered.problem, &conditions(&parts.requirements), &few, report)?;
    Ok(found.map(|found| ConflictingConditions { minimal: found.minimal && minimal, ..found }))
}

/// A solution under these conditions, if there is one. They are required rather than assumed, which is faster.
fn solution_with(case: &ExplainedCase, lowered: &Lowered, conditions: &[Bool]) -> Result<Option<SolutionValues>, Halt> {
    let mut required = lowered.problem.clone();
    conditions.iter().for_each(|condition| required.require(*condition));
    let search = Search { part: Some(&required), ..Search::new(case.instance, lowered, case.engine_options) };
    let mut found = None;
    let end = search.assignments(&mut *solver::together(), &mut |assignment| {
        found = Some(assignment.clone());
        ControlFlow::Break(())
    });
    let found = match (found, end) {
        (Some(found), _) => found,
        (None, Ok(SearchEnd::Stopped(stopped))) => return Err(stopped.into()),
        (None, Ok(_)) => return Ok(None),
        // The problem is too large for this solver, but not for the incremental one.
        (None, Err(_)) => match incremental(&lowered.problem, case.engine_options).check(conditions)? {
            AssumptionResult::Satisfiable(assignment) => assignment,
            AssumptionResult::Refuted(_) => return Ok(None),
        },
    };
    Ok(Some(search.checked(&found)?))
}

/// The bounds and attributes that a conflict needs, and the constraints that remain in it.
fn with_bounds(
    case: &ExplainedCase,
    plain: &[Requirement],
    conflict: &ConflictingConditions,
) -> Option<(Parts, Vec<Requirement>, bool)> {
    let mut beyond = first_window(case.instance);
    let keys: Vec<OriginKey> = plain.iter().map(|part| key(&part.origin)).collect();
    // A conflict in domains widened by `beyond` may disappear if a solution lies farther out. If there is such a
    // solution, the domains are widened more.
    for _ in 0..3 {
        let domains = relaxed(case.instance, beyond);
        let mut widened = case.parts(Some(&domains)).ok()?;
        let always = always(case, &mut widened);
        let all = &widened.requirements;
        // A wider collection may have other terms, and a quantifier over it other instances, so these are matched by
        // constraint.
        let wider_keys: Vec<OriginKey> = all.iter().map(|part| key(&part.origin)).collect();
        let unmatched: Vec<OriginKey> =
            keys.iter().filter(|key| !wider_keys.contains(key)).cloned().map(without_bindings).collect();
        let candidate = |part: &Requirement| {
            let key = key(&part.origin);
            let is_domain = matches!(part.origin, RequirementOrigin::Domain { .. });
            is_domain || keys.contains(&key) || unmatched.contains(&without_bindings(key))
        };
        let members: Vec<usize> = (0..all.len()).filter(|position| candidate(&all[*position])).collect();
        let found = smallest(&widened, &always, &members, case.engine_options, &mut |_| {}).ok()??;
        let chosen: Vec<Requirement> = found.members.iter().map(|position| all[*position].clone()).collect();
        let wider = beyond.saturating_mul(8).max(leaves(case.instance));
        let minimal = found.minimal && conflict.minimal;
        let far = if found.minimal { solvable_beyond(case, &widened, &chosen, FAR) } else { None };
        let near = far.or_else(|| solvable_beyond(case, &widened, &chosen, wider));
        if near != Some(true) {
            return Some((widened, chosen, minimal));
        }
        beyond = wider;
    }
    None
}

/// The part of a key that all instances of a quantifier share.
fn without_bindings((kind, span, _, text): OriginKey) -> OriginKey {
    (kind, span, Vec::new(), text)
}

/// Returns true if requirements have a solution in wider domains; `None` if that cannot be decided.
fn solvable_beyond(case: &ExplainedCase, near: &Parts, chosen: &[Requirement], beyond: i64) -> Option<bool> {
    let domains = relaxed(case.instance, beyond);
    let widened = case.parts(Some(&domains)).ok()?;
    let bounds = |parts: &Parts| {
        parts.requirements.iter().filter(|part| matches!(part.origin, RequirementOrigin::Domain { .. })).count()
    };
    if bounds(near) != bounds(&widened) {
        // The wide domains need other bounds, so the requirements do not correspond.
        return None;
    }
    let keys: Vec<OriginKey> = chosen.iter().map(|part| key(&part.origin)).collect();
    let chosen = widened.requirements.iter().filter(|part| keys.contains(&key(&part.origin)));
    let conditions: Vec<Bool> =
        chosen.map(|part| part.condition).chain(widened.facts.iter().map(|fact| !*fact)).collect();
    let mut solver = incremental(&widened.lowered.problem, case.engine_options);
    solver.allow(Some(BEYOND));
    Some(solver.refute(&conditions).ok()?.is_none())
}

/// The domains without bounds and attributes, for variables that can be declared without these.
fn relaxed(instance: &GroundInstance, beyond: i64) -> DomainOverrides {
    let one = |find: &Find| {
        // If possible, a domain loses both its bounds and its attributes, but some variables cannot be declared without
        // one of them.
        [(true, true), (false, true), (true, false)].into_iter().find_map(|(bounds, attributes)| {
            let widened = without_bound(instance, find, beyond, DomainRelaxation { bounds, attributes })?;
            (widened != *find.domain && is_declarable(&widened)).then_some((find.id, widened))
        })
    };
    instance.finds.iter().filter_map(one).collect()
}

/// The domains without attributes, for variables that have some and can be declared without them.
pub(super) fn without_attributes(instance: &GroundInstance) -> DomainOverrides {
    let one = |find: &Find| {
        let widened = without_bound(instance, find, 0, DomainRelaxation { bounds: false, attributes: true })?;
        (widened != *find.domain && is_declarable(&widened)).then_some((find.id, widened))
    };
    instance.finds.iter().filter_map(one).collect()
}

fn without_bound(instance: &GroundInstance, find: &Find, beyond: i64, what: DomainRelaxation) -> Option<GroundDomain> {
    match &instance.model.declaration(find.id).kind {
        DeclarationKind::Find(written) => Some(widened(&find.domain, written, &instance.environment, beyond, what)),
        _ => None,
    }
}

fn is_declarable(domain: &GroundDomain) -> bool {
    if variable_count(domain, &Plan::default()) > MOST_TERMS as u128 {
        return false;
    }
    let mut symbolic = Symbolic::new();
    symbolic.declare(domain, Role::Auxiliary).is_ok()
        && symbolic.finish().is_ok_and(|problem| problem.size() < MOST_TERMS)
}

/// The first distance beyond the bounds: the width of the widest integer domain, between 8 and 64.
fn first_window(instance: &GroundInstance) -> i64 {
    let mut widest = 0;
    for find in &instance.finds {
        find.domain.for_each_set(&mut |values| {
            widest = widest.max(values.size().and_then(|size| i64::try_from(size).ok()).unwrap_or(i64::MAX));
        });
    }
    widest.clamp(8, 64)
}

/// The number of integers in the decision variables, capped: a solution can need this many different values.
fn leaves(instance: &GroundInstance) -> i64 {
    fn count(domain: &GroundDomain) -> u128 {
        if let Some((from, to)) = domain.as_map() {
            return from.size().unwrap_or(1).saturating_mul(count(to));
        }
        match domain {
            GroundDomain::Tuple(items) => items.iter().map(count).sum(),
            _ => 1,
        }
    }
    instance.finds.iter().map(|find| count(&find.domain)).sum::<u128>().min(1000) as i64
}

/// The requirements that an instance without decisions violates; names for which `is_find` returns true are not
/// replaced by values.
pub(crate) fn broken_requirements(
    instance: &GroundInstance,
    sources: &Sources,
    engine_options: &EngineOptions,
    is_find: impl Fn(&str) -> bool,
) -> Result<Vec<Reason>, Halt> {
    let parts = requirements(&instance.environment, &RequirementOptions::default())?;
    let mut describer = Describer::new(instance, sources);
    for (id, declaration) in instance.model.declared() {
        if is_find(&declaration.name) {
            describer.kept.insert(id);
        }
    }
    // The data may leave a condition with local decision variables undecided.
    let mut solver = incremental(&parts.lowered.problem, engine_options);
    let (mut broken, mut open) = (Vec::new(), Vec::new());
    for requirement in &parts.requirements {
        let fails = match requirement.condition {
            Bool::FALSE => true,
            Bool::TRUE => false,
            condition => solver.refute(&[condition])?.is_some(),
        };
        if fails {
            broken.push(requirement.clone());
        } else {
            open.push(requirement.clone());
        }
    }
    if broken.is_empty() && solver.refute(&conditions(&open))?.is_some() {
        // Each condition can hold on its own, but they share local decision variables and cannot all hold together.
        broken = open;
    }
    Ok(group::reasons_in_words(&mut describer, &broken).0)
}
