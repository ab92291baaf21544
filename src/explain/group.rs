//! Groups the instances of a constraint if there are too many to read one by one.

use super::{Describer, Reason, rules};
use crate::{
    analysis::model::{Expr, LocalId},
    diagnostic::Label,
    language::{Name, Type, Value},
    lowering::{EnclosingLayer, Requirement, RequirementOrigin},
    source::Span,
};
use std::collections::BTreeSet;

/// Up to this number of instances, each is a separate reason. Chosen.
const MOST_APART: usize = 3;
/// The maximum length of a list of values; longer ones are truncated. Chosen.
const MOST_VALUES: usize = 12;
/// The limit on marked entries of the data for one group. Chosen.
const MOST_LABELS: usize = 8;
/// Runs of at least this many numbers are abbreviated, `1, …, 18`. Chosen.
const SHORTEST_RUN: usize = 4;

/// The identity of a constraint in the source: its span, and the spans of its conditions.
pub(super) type SourceConstraint = (Span, Vec<Span>);

/// The source constraint of an instance.
pub(super) fn constraint_of(requirement: &Requirement) -> Option<SourceConstraint> {
    let RequirementOrigin::Constraint { expr, context, .. } = &requirement.origin else { return None };
    let assumed = context.iter().filter_map(|enclosing| match enclosing {
        EnclosingLayer::Assumed(condition) => Some(condition.span),
        EnclosingLayer::Qualifier(_) => None,
    });
    Some((expr.span, assumed.collect()))
}

/// The positions of the instances of each constraint, in order of first occurrence.
pub(super) fn groups(requirements: &[Requirement]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Option<SourceConstraint>, Vec<usize>)> = Vec::new();
    for (position, requirement) in requirements.iter().enumerate() {
        let constraint = constraint_of(requirement);
        match groups.iter_mut().find(|(known, _)| constraint.is_some() && *known == constraint) {
            Some((_, members)) => members.push(position),
            None => groups.push((constraint, vec![position])),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// The reasons for requirements, and for each requirement the position of its reason.
pub(super) fn reasons_in_words(describer: &mut Describer, requirements: &[Requirement]) -> (Vec<Reason>, Vec<usize>) {
    let groups = groups(requirements);
    let rule_of = |requirement: &Requirement| match &requirement.origin {
        RequirementOrigin::Constraint { expr, .. } | RequirementOrigin::Defined { expr, .. } => {
            describer.instance.model.words_for(expr.span).map(|words| words.rule)
        }
        _ => None,
    };
    // Reasons of one rule share a heading, so they follow its first one.
    let rules: Vec<Option<Span>> = requirements.iter().map(rule_of).collect();
    let first_of_rule = |position: &usize| match rules[*position] {
        None => *position,
        rule => rules.iter().position(|other| *other == rule).unwrap_or(*position),
    };
    let mut order: Vec<usize> = (0..requirements.len()).collect();
    order.sort_by_cached_key(first_of_rule);
    let mut in_group = vec![0; requirements.len()];
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|position| in_group[*position] = number);
    }
    let (mut reasons, mut reason_of) = (Vec::new(), vec![0; requirements.len()]);
    for position in order {
        let requirement = &requirements[position];
        // The reason for a group appears at its first instance.
        let group = &groups[in_group[position]];
        if group.len() <= MOST_APART {
            reason_of[position] = reasons.len();
            reasons.push(describer.reason(requirement));
        } else if group[0] == position {
            group.iter().for_each(|member| reason_of[*member] = reasons.len());
            let members: Vec<&Requirement> = group.iter().map(|member| &requirements[*member]).collect();
            reasons.push(describer.together(&members));
        }
    }
    (reasons, reason_of)
}

/// A source constraint, its context, and the bindings of its instances.
type ConstraintInstances<'r> = (&'r Expr, &'r [EnclosingLayer], Vec<&'r [(LocalId, Option<Value>)]>);

fn constraint_instances<'r>(members: &[&'r Requirement]) -> Option<ConstraintInstances<'r>> {
    let (mut first, mut bindings) = (None, Vec::new());
    for member in members {
        let RequirementOrigin::Constraint { expr, bindings: own, context, .. } = &member.origin else { return None };
        first.get_or_insert((&**expr, context.as_slice()));
        bindings.push(own.as_slice());
    }
    first.map(|(expr, context)| (expr, context, bindings))
}

impl Describer<'_> {
    /// The reason for several instances of one constraint.
    fn together(&mut self, members: &[&Requirement]) -> Reason {
        let Some((expr, context, bindings)) = constraint_instances(members) else { return Reason::default() };
        let mut reason = Reason::default();
        for (member, bindings) in members.iter().zip(&bindings) {
            for label in self.reason(member).labels {
                if !reason.labels.contains(&label) {
                    reason.labels.push(label);
                }
            }
            reason.instances.push(self.instance_of(expr, bindings, context));
        }
        // The constraint comes first, then its conditions, then the data.
        reason.labels.sort_by_key(|label: &Label| (label.span != expr.span, label.text.is_empty()));
        if reason.labels.len() > MOST_LABELS {
            // If there are too many labels, the labels of the data are dropped, because they have no text.
            reason.labels.retain(|label| label.span == expr.span || !label.text.is_empty());
        }
        // If a quantified name has a value in all instances, the common statement still uses the name.
        let names: Vec<(LocalId, Option<Value>)> = bindings[0].iter().map(|(local, _)| (*local, None)).collect();
        self.enter(&names, context);
        let has_values = |local: &LocalId| {
            let position = bindings[0].iter().position(|(other, _)| other == local);
            position.is_some_and(|position| bindings.iter().all(|binding| binding[position].1.is_some()))
        };
        self.quantified.generic = names.iter().map(|(local, _)| *local).filter(has_values).collect();
        self.quantified.generic.retain(|local| !self.quantified.unstated.contains(local));
        reason.says = self.statement(expr, context);
        reason.with = self.ranges(&bindings);
        reason.words = rules::together([&reason]);
        self.quantified.generic.clear();
        reason
    }

    /// The values of quantified names in several instances: `a = b = 1, …, 18`.
    fn ranges(&self, bindings: &[&[(LocalId, Option<Value>)]]) -> String {
        let locals: Vec<LocalId> = bindings[0].iter().map(|(local, _)| *local).collect();
        let column = |position: usize| -> Option<Vec<Value>> {
            bindings.iter().map(|binding| binding.get(position)?.1.clone()).collect()
        };
        let columns: Vec<(LocalId, Vec<Value>)> =
            locals.iter().enumerate().filter_map(|(position, local)| Some((*local, column(position)?))).collect();
        let (fixed, varying): (Vec<_>, Vec<_>) =
            columns.into_iter().partition(|(_, values)| values.iter().all(|value| *value == values[0]));
        let name = |local: LocalId| self.written_name(local);
        let mut parts: Vec<String> = fixed
            .iter()
            .map(|(local, values)| format!("{} = {}", name(*local), self.list(&values[..1], self.local(*local).1)))
            .collect();
        match varying.as_slice() {
            [] => {}
            [(first, values), rest @ ..] if rest.iter().all(|(_, other)| other == values) => {
                let names: Vec<Name> = varying.iter().map(|(local, _)| name(*local)).collect();
                parts.push(format!("{} = {}", names.join(" = "), self.list(values, self.local(*first).1)));
            }
            several => {
                let sets: Vec<BTreeSet<&Value>> = several.iter().map(|(_, values)| values.iter().collect()).collect();
                // If all combinations occur, the names are independent: `each i = 1, 2 and each j = 3, 4`.
                if sets.iter().map(BTreeSet::len).product::<usize>() == bindings.len() {
                    let each = several.iter().zip(&sets).map(|((local, _), values)| {
                        let values: Vec<Value> = values.iter().map(|value| (*value).clone()).collect();
                        format!("each {} = {}", name(*local), self.list(&values, self.local(*local).1))
                    });
                    parts.push(each.collect::<Vec<_>>().join(" and "));
                } else {
                    let names: Vec<Name> = several.iter().map(|(local, _)| name(*local)).collect();
                    let tuples = (0..bindings.len()).map(|row| {
                        let values =
                            several.iter().map(|(local, values)| self.shown(&values[row], self.local(*local).1));
                        format!("({})", values.collect::<Vec<_>>().join(", "))
                    });
                    parts.push(format!("({}) = {}", names.join(", "), cut_list(tuples.collect())));
                }
            }
        }
        parts.join(", ")
    }

    /// A list of values, `1, …, 18` for a run of numbers.
    fn list(&self, values: &[Value], ty: &Type) -> String {
        let number = |value: &Value| match (value, ty) {
            (Value::Int(value), Type::Int(_)) => Some(*value),
            _ => None,
        };
        let numbers: Option<Vec<i64>> = values.iter().map(number).collect();
        if let Some(numbers) = numbers
            && numbers.len() >= SHORTEST_RUN
            && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1)
        {
            return format!("{}, …, {}", numbers[0], numbers[numbers.len() - 1]);
        }
        cut_list(values.iter().map(|value| self.shown(value, ty)).collect())
    }
}

fn cut_list(mut items: Vec<String>) -> String {
    let count = items.len();
    if count <= MOST_VALUES {
        return items.join(", ");
    }
    items.truncate(MOST_VALUES);
    format!("{}, … ({count} in all)", items.join(", "))
}
