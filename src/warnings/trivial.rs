//! Constraints and conditions that hold for all values in the domains, or for none.

use super::{
    InstanceWarning, ModelText,
    instances::names_type_of_data,
    pairs::{self, Pair},
    proofs::{Prover, exists, for_all_bindings, is_reached, not},
};
use crate::{
    analysis::model::{
        Category, DeclarationId, DeclarationKind, Expr, ExprDomain, ExprKind, LocalId, LocalOrigin, Pattern, Qualifier,
        TypedModel, expressions_in_domain,
    },
    diagnostic::{Code, Diagnostic, Diagnostics},
    instance::{Environment, GroundInstance, values_of_names},
    source::Span,
};
use std::collections::BTreeSet;

/// The minimum number of bindings of a reported condition: with fewer, it may be constant only because the data are
/// small.
const ENOUGH_BINDINGS: u128 = 8;

/// A condition in a constraint, with the surrounding qualifiers.
struct SuspectCondition {
    condition: Expr,
    qualifiers: Vec<Qualifier>,
    kind: CandidateKind,
}

enum CandidateKind {
    /// A conjunct of a constraint.
    Constraint,
    /// The left side of an implication, or a condition of a comprehension.
    Guard,
    /// The body of `forAll a, b in s` with `b` equal to `a`.
    EqualPair(usize),
}

/// The truth of a condition that is the same for all values of the decision variables.
#[derive(Clone, Copy, PartialEq)]
enum FixedTruth {
    /// True for all bindings of the surrounding names.
    Always,
    /// False for all bindings.
    Never,
    /// False for all bindings if there are any; decisions determine the bindings.
    NeverIfReached,
    /// False for at least one binding.
    SomewhereNot,
}

/// Finds constraints that always hold or never hold, conditions without effect, and quantifiers over pairs that are
/// false for equal members.
pub(crate) fn trivial(subject: &ModelText, prover: &Prover) -> Vec<InstanceWarning> {
    let instance = prover.instance;
    // If the text shows that a pair is in conflict, the pair has a warning already.
    let (pairs, reported): (Vec<Pair>, Vec<Pair>) =
        pairs::pairs_in_constraints(subject).into_iter().partition(|pair| pair.conflict.is_none());
    let mut search = ConditionSearch { model: &instance.model, pairs: &pairs, found: Vec::new(), around: Vec::new() };
    instance.model.constraints.iter().for_each(|constraint| search.constraint(constraint));
    // A dominance relation compares two solutions, so only the objective is searched.
    let objective = instance.model.objective.iter();
    objective.for_each(|objective| search.guards(&objective.value));
    let candidates = search.found;

    let extremes: Vec<Expr> = candidates.iter().flat_map(SuspectCondition::extremes).collect();
    let certain = prover.certain(&extremes);
    // Each triple is in the order of `extremes`: always, not always, never.
    let extreme = |candidate: &SuspectCondition, certain: &[bool]| match (&candidate.kind, certain) {
        (CandidateKind::EqualPair(_), [_, _, never]) => never.then_some(FixedTruth::Never),
        (_, [true, ..]) => Some(FixedTruth::Always),
        (CandidateKind::Constraint, [_, false, true]) => Some(FixedTruth::NeverIfReached),
        (_, [_, _, true]) => Some(FixedTruth::Never),
        (CandidateKind::Constraint, [_, true, _]) => Some(FixedTruth::SomewhereNot),
        _ => None,
    };
    // Each candidate has three statements (see [`SuspectCondition::extremes`]).
    let suspects: Vec<(&SuspectCondition, FixedTruth)> = (candidates.iter().zip(certain.chunks(3)))
        .filter_map(|(candidate, certain)| Some((candidate, extreme(candidate, certain)?)))
        .collect();
    // If a condition is never reached, it is vacuously always and never true.
    let reached: Vec<Expr> = suspects.iter().map(|(candidate, _)| not(is_reached(&candidate.qualifiers))).collect();
    let unreached = prover.certain(&reached);
    let mut findings: Vec<InstanceWarning> = Vec::new();
    for ((candidate, extreme), unreached) in suspects.into_iter().zip(unreached) {
        if !unreached || candidate.qualifiers.is_empty() {
            findings.push(candidate.finding(subject, instance, &pairs, extreme));
        }
    }
    without_consequences(&mut findings, &reported, instance);
    findings
}

/// Removes constraints that are always or never true because of a part that has a warning.
fn without_consequences(findings: &mut Vec<InstanceWarning>, reported: &[Pair], instance: &GroundInstance) {
    let mut causes: Vec<Span> = reported.iter().filter_map(|pair| Some(pair.conflict?.span)).collect();
    let mut indices = Diagnostics::new();
    super::indices::warn_of_indices(instance, &mut indices);
    causes.extend(indices.iter().filter_map(Diagnostic::span));
    for finding in findings.iter() {
        causes.extend(match finding.warning.code {
            Code::EQUAL_PAIR => finding.warning.labels.last().map(|label| label.span),
            Code::USELESS_GUARD => finding.warning.span(),
            _ => None,
        });
    }
    findings.retain(|finding| {
        ![Code::ALWAYS_TRUE, Code::NEVER_TRUE].contains(&finding.warning.code)
            || !finding.warning.span().is_some_and(|span| causes.iter().any(|cause| span.contains(*cause)))
    });
}

struct ConditionSearch<'a> {
    model: &'a TypedModel,
    pairs: &'a [Pair<'a>],
    found: Vec<SuspectCondition>,
    /// The qualifiers around the current position.
    around: Vec<Qualifier>,
}

impl ConditionSearch<'_> {
    /// Splits a constraint into its conjuncts.
    fn constraint(&mut self, constraint: &Expr) {
        if has_local_variables(constraint, self.model) {
            return;
        }
        match &constraint.kind {
            ExprKind::Apply(row, operands) if row.is_conjunction() => match operands.as_slice() {
                [Expr { kind: ExprKind::Comprehension(comprehension), .. }] => {
                    let outside = self.around.len();
                    for (position, qualifier) in comprehension.qualifiers.iter().enumerate() {
                        self.equal_pairs(&comprehension.qualifiers[position..], &comprehension.body);
                        self.qualifier(qualifier);
                        self.around.push(qualifier.clone());
                    }
                    self.constraint(&comprehension.body);
                    self.around.truncate(outside);
                }
                [left, right] => [left, right].into_iter().for_each(|part| self.constraint(part)),
                _ => self.conjunct(constraint),
            },
            _ => self.conjunct(constraint),
        }
    }

    fn conjunct(&mut self, constraint: &Expr) {
        if constraint.category == Category::Decision {
            self.add(constraint, CandidateKind::Constraint);
        }
        self.guards(constraint);
    }

    fn add(&mut self, condition: &Expr, kind: CandidateKind) {
        self.found.push(SuspectCondition { condition: condition.clone(), qualifiers: self.around.clone(), kind });
    }

    /// Collects the conditions in an expression.
    fn guards(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Comprehension(comprehension) => {
                let outside = self.around.len();
                for qualifier in &comprehension.qualifiers {
                    self.qualifier(qualifier);
                    self.around.push(qualifier.clone());
                }
                self.guards(&comprehension.body);
                self.around.truncate(outside);
            }
            ExprKind::Apply(row, operands) if row.is_implication() => {
                self.guard(&operands[0]);
                operands.iter().for_each(|operand| self.guards(operand));
            }
            // Local decision variables exist only where their expression is evaluated, so bubbles are skipped.
            ExprKind::Bubble(_) => {}
            _ => expr.for_each_part(&mut |part| self.guards(part)),
        }
    }

    fn qualifier(&mut self, qualifier: &Qualifier) {
        if let Qualifier::Condition(condition) = qualifier {
            self.guard(condition);
        }
        qualifier.for_each_part(&mut |part| self.guards(part));
    }

    /// Adds a condition; one on data alone is a deliberate switch.
    fn guard(&mut self, condition: &Expr) {
        if condition.category > Category::Parameter && !has_local_variables(condition, self.model) {
            self.add(condition, CandidateKind::Guard);
        }
    }

    /// Adds the pairs that the name of a generator forms with surrounding names.
    fn equal_pairs(&mut self, qualifiers: &[Qualifier], body: &Expr) {
        let [Qualifier::Generator(Pattern::Name(second), _), rest @ ..] = qualifiers else { return };
        let names = &self.model.local_names;
        let span = |id: &LocalId| names[id.0 as usize].span;
        for (position, pair) in self.pairs.iter().enumerate().filter(|(_, pair)| pair.patterns[1] == span(second)) {
            let first = self.around.iter().find_map(|qualifier| match qualifier {
                Qualifier::Generator(Pattern::Name(first), _) => Some(*first).filter(|id| span(id) == pair.patterns[0]),
                _ => None,
            });
            let Some(first) = first else { continue };
            let ty = names[first.0 as usize].ty.clone();
            // In `forAll a, b in s`, b becomes another name for a.
            let same = Expr { kind: ExprKind::Local(first), ty, category: Category::Decision, span: span(&first) };
            let same = Qualifier::Letting(Pattern::Name(*second), same);
            let qualifiers = self.around.iter().cloned().chain([same]).chain(rest.iter().cloned()).collect();
            let kind = CandidateKind::EqualPair(position);
            self.found.push(SuspectCondition { condition: body.clone(), qualifiers, kind });
        }
    }
}

impl SuspectCondition {
    /// Three statements: the condition holds for all bindings, it does not, it holds for none.
    fn extremes(&self) -> [Expr; 3] {
        let always = for_all_bindings(&self.qualifiers, &self.condition);
        [always.clone(), not(always), not(exists(&self.qualifiers, &self.condition))]
    }

    fn finding(
        &self,
        subject: &ModelText,
        instance: &GroundInstance,
        pairs: &[Pair],
        extreme: FixedTruth,
    ) -> InstanceWarning {
        let span = self.condition.span;
        let warning = match (&self.kind, extreme) {
            (CandidateKind::EqualPair(position), _) => pairs::warning_about_pair(subject, &pairs[*position], span),
            (CandidateKind::Constraint, FixedTruth::Always) => {
                Diagnostic::warning(Code::ALWAYS_TRUE, "this constraint always holds")
                    .at(span, "true for all values in the domains")
                    .help("remove it, or check whether it says what you mean")
            }
            (CandidateKind::Constraint, _) => {
                let warning = Diagnostic::warning(Code::NEVER_TRUE, "this constraint can never hold");
                let names = self.names(instance);
                match extreme {
                    FixedTruth::NeverIfReached => {
                        let name = names.last().map_or("instance", |name| name);
                        warning
                            .at(span, "false for all values in the domains")
                            .note(format!("so a solution has no {name} that reaches this"))
                    }
                    FixedTruth::SomewhereNot if !names.is_empty() => warning
                        .at(span, format!("no values in the domains make this true for all {}", names.join(" and ")))
                        .note("so there is no solution"),
                    _ => warning.at(span, "false for all values in the domains").note("so there is no solution"),
                }
            }
            (CandidateKind::Guard, FixedTruth::Always) => {
                Diagnostic::warning(Code::USELESS_GUARD, "this condition is always true")
                    .at(span, "true for all values that reach it")
                    .help("remove the condition, or check whether it says what you mean")
            }
            (CandidateKind::Guard, _) => Diagnostic::warning(Code::USELESS_GUARD, "this condition is never true")
                .at(span, "false for all values that reach it")
                .note("so nothing that depends on it has an effect"),
        };
        let mut env = instance.environment.clone();
        let depends_on_data = match self.kind {
            CandidateKind::EqualPair(_) => false,
            CandidateKind::Constraint => self.depends_on_data(instance, extreme),
            CandidateKind::Guard => self.depends_on_data(instance, extreme) || self.has_few_bindings(&mut env),
        };
        InstanceWarning { warning: with_values(warning, &self.condition, &mut env, instance), depends_on_data }
    }

    /// The quantified names around the condition, in backticks.
    fn names(&self, instance: &GroundInstance) -> Vec<String> {
        let mut names = Vec::new();
        for qualifier in &self.qualifiers {
            if let Qualifier::Generator(pattern, _) = qualifier {
                pattern.names(&mut |id| names.push(format!("`{}`", instance.model.local_names[id.0 as usize].name)));
            }
        }
        names
    }

    /// Returns true if the truth of the condition may depend on the data.
    fn depends_on_data(&self, instance: &GroundInstance, extreme: FixedTruth) -> bool {
        let mut data = DataMentions::new(&instance.model);
        let mut depends = data.in_expr(&self.condition);
        if extreme == FixedTruth::SomewhereNot {
            // For other data, the failing instance may not exist.
            self.qualifiers.iter().for_each(|qualifier| {
                qualifier.for_each_part(&mut |part| depends = depends || data.in_expr(part));
            });
        }
        depends
    }

    fn has_few_bindings(&self, env: &mut Environment) -> bool {
        !self.qualifiers.is_empty()
            && super::instances::instances_of(&exists(&self.qualifiers, &self.condition), env) < ENOUGH_BINDINGS
    }
}

/// Adds the values of the data in a condition as a note.
fn with_values(warning: Diagnostic, condition: &Expr, env: &mut Environment, instance: &GroundInstance) -> Diagnostic {
    if warning.code == Code::EQUAL_PAIR {
        return warning;
    }
    let values = values_of_names(condition, env, &instance.names);
    if values.is_empty() { warning } else { warning.note(format!("here {}", values.join(", "))) }
}

/// Decides if other data could give an expression other values.
struct DataMentions<'a> {
    model: &'a TypedModel,
    /// The names that have been visited.
    globals: BTreeSet<DeclarationId>,
    locals: BTreeSet<LocalId>,
}

impl<'a> DataMentions<'a> {
    fn new(model: &'a TypedModel) -> Self {
        DataMentions { model, globals: BTreeSet::new(), locals: BTreeSet::new() }
    }

    fn in_expr(&mut self, expr: &Expr) -> bool {
        let model = self.model;
        let mut found = match &expr.kind {
            ExprKind::Global(id) if !self.globals.insert(*id) => false,
            ExprKind::Global(id) => match &model.declaration(*id).kind {
                DeclarationKind::Given(_) => true,
                DeclarationKind::Letting(value) => self.in_expr(value),
                DeclarationKind::Find(domain) => self.in_values(domain),
                _ => false,
            },
            ExprKind::Local(id) => self.locals.insert(*id) && self.in_origin(&model.locals[id.0 as usize]),
            // An element does not depend on the set of indices.
            ExprKind::Apply(row, operands) if row.lookup.is_some() => {
                return operands.iter().enumerate().any(|(position, operand)| {
                    !(position == 1 && matches!(operand.kind, ExprKind::Local(_))) && self.in_expr(operand)
                });
            }
            _ => false,
        };
        expr.for_each_part(&mut |part| found = found || self.in_expr(part));
        found
    }

    /// Returns true if the values in a domain depend on data; the indices of a matrix are not values.
    fn in_values(&mut self, domain: &ExprDomain) -> bool {
        match domain {
            ExprDomain::Matrix(_, element) => self.in_values(element),
            _ => self.in_domain(domain),
        }
    }

    fn in_domain(&mut self, domain: &ExprDomain) -> bool {
        let mut found = false;
        expressions_in_domain(domain, &mut |expr| found = found || self.in_expr(expr));
        found || names_type_of_data(domain, self.model)
    }

    fn in_origin(&mut self, origin: &LocalOrigin) -> bool {
        match origin {
            LocalOrigin::Domain(domain) => self.in_domain(domain),
            LocalOrigin::Value(value) | LocalOrigin::Member(value) | LocalOrigin::Subset(value) => self.in_expr(value),
            LocalOrigin::Component(whole, _) | LocalOrigin::Inner(whole) => self.in_origin(whole),
        }
    }
}

/// Returns true if the model has local decision variables and the expression, or a `letting` that it mentions, contains
/// some.
fn has_local_variables(expr: &Expr, model: &TypedModel) -> bool {
    model.has_local_finds && model.has_part(expr, &mut |part| matches!(part.kind, ExprKind::Bubble(_)))
}
