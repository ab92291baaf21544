//! Constraints and conditions that say nothing, or that rule out everything, whatever else the model says.

use super::{
    Finding, ModelText, pairs,
    proofs::{Prover, exists, for_all, is_reached, not},
};
use crate::{
    analysis::model::{
        Category, DeclarationKind, Domain, Expr, ExprKind, Local, Model, Pattern, Qualifier, expressions_in_domain,
    },
    diagnostic::{Code, Diagnostic},
    instance::{Environment, Instance, values_of_names},
    language::Name,
    solver::SolverOptions,
    source::Span,
    syntax::{
        ast::{self, StatementKind},
        parts,
    },
};

/// With fewer bindings of its names, a condition may be the same for all of them because the data are small.
const ENOUGH_BINDINGS: u128 = 8;

/// A condition in a constraint, under the qualifiers around it.
struct Candidate {
    condition: Expr,
    qualifiers: Vec<Qualifier>,
    kind: CandidateKind,
}

enum CandidateKind {
    /// A conjunct of a constraint.
    Constraint,
    /// The left side of an implication, or a condition of a comprehension.
    Guard,
    /// The body of `forAll a, b in s`, where `b` is `a`.
    EqualPair(usize),
}

/// Looks for constraints that always hold or never hold, for conditions that make no difference, and for quantifiers over pairs that
/// equal members break.
pub(crate) fn trivial(subject: &ModelText, instance: &Instance, options: &SolverOptions) -> Vec<Finding> {
    let pairs = pairs_of(subject);
    let mut search = Search { model: &instance.model, pairs: &pairs, found: Vec::new(), around: Vec::new() };
    instance.model.constraints.iter().for_each(|constraint| search.constraint(constraint));
    let objective = instance.model.objective.iter();
    objective.for_each(|objective| search.guards(&objective.value));
    let candidates = search.found;
    let prover = Prover { instance, options };

    let extremes: Vec<Expr> = candidates.iter().flat_map(|candidate| candidate.always_and_never()).collect();
    let certain = prover.certain(&extremes);
    let suspects: Vec<(&Candidate, bool)> = (candidates.iter().zip(certain.chunks(2)))
        .filter_map(|(candidate, certain)| match (&candidate.kind, certain) {
            (CandidateKind::EqualPair(_), [_, true]) => Some((candidate, false)),
            (CandidateKind::EqualPair(_), _) => None,
            (_, [true, _]) => Some((candidate, true)),
            (_, [_, true]) => Some((candidate, false)),
            _ => None,
        })
        .collect();
    // What is never reached is neither true nor false.
    let reached: Vec<Expr> = suspects.iter().map(|(candidate, _)| not(is_reached(&candidate.qualifiers))).collect();
    let unreached = prover.certain(&reached);
    let mut findings: Vec<Finding> = Vec::new();
    for ((candidate, always), unreached) in suspects.into_iter().zip(unreached) {
        if !unreached || candidate.qualifiers.is_empty() {
            findings.push(candidate.finding(subject, instance, &pairs, always));
        }
    }
    // What is wrong with the equal pairs of a quantifier is all that is wrong with the constraint.
    let pairs: Vec<Span> = (findings.iter().filter(|finding| finding.warning.code == Code::EQUAL_PAIR))
        .filter_map(|finding| finding.warning.labels.get(1).map(|label| label.span))
        .collect();
    findings.retain(|finding| {
        finding.warning.code == Code::EQUAL_PAIR
            || !finding.warning.span().is_some_and(|span| pairs.iter().any(|pair| span.contains(*pair)))
    });
    findings
}

/// The quantifiers over pairs in the constraints of a text, without those that the text alone tells enough about.
fn pairs_of<'a>(subject: &ModelText<'a>) -> Vec<(&'a ast::Quantified, [&'a Name; 2])> {
    fn look<'a>(expr: &'a ast::Expr, found: &mut Vec<(&'a ast::Quantified, [&'a Name; 2])>) {
        if let ast::ExprKind::Quantified(quantified) = &expr.kind
            && let Some(names) = pairs::pair(quantified)
            && pairs::conflict(quantified).is_none()
        {
            found.push((quantified, names));
        }
        parts::for_each_part(expr, &mut |part| look(part, found));
    }
    let mut found = Vec::new();
    for statement in &subject.file.statements {
        if let StatementKind::SuchThat(items) = &statement.kind {
            items.iter().for_each(|item| look(item, &mut found));
        }
    }
    found
}

struct Search<'a> {
    model: &'a Model,
    pairs: &'a [(&'a ast::Quantified, [&'a Name; 2])],
    found: Vec<Candidate>,
    /// The qualifiers around the place of the search.
    around: Vec<Qualifier>,
}

impl Search<'_> {
    /// Takes a constraint apart into its conjuncts.
    fn constraint(&mut self, constraint: &Expr) {
        if has_local_variables(constraint, self.model) {
            return;
        }
        match &constraint.kind {
            ExprKind::Apply(row, operands) if row.is_conjunction() => match operands.as_slice() {
                [Expr { kind: ExprKind::Comprehension(comprehension), .. }] => {
                    self.equal_pair(&comprehension.qualifiers, &comprehension.body);
                    let outside = self.around.len();
                    for qualifier in &comprehension.qualifiers {
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
        self.found.push(Candidate { condition: condition.clone(), qualifiers: self.around.clone(), kind });
    }

    /// Looks for conditions in an expression.
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
            // Local variables belong to the place of their expression.
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

    /// A condition on data alone is a switch.
    fn guard(&mut self, condition: &Expr) {
        if condition.category > Category::Parameter && !has_local_variables(condition, self.model) {
            self.add(condition, CandidateKind::Guard);
        }
    }

    fn equal_pair(&mut self, qualifiers: &[Qualifier], body: &Expr) {
        let [Qualifier::Generator(Pattern::Name(first), over), Qualifier::Generator(Pattern::Name(second), _), ..] =
            qualifiers
        else {
            return;
        };
        let local = |id: crate::analysis::model::LocalId| -> &Local { &self.model.local_names[id.0 as usize] };
        let spans = [local(*first).span, local(*second).span];
        let written = |(quantified, _): &(&ast::Quantified, [&Name; 2])| {
            quantified.patterns.iter().map(|pattern| pattern.span).eq(spans)
        };
        let Some(position) = self.pairs.iter().position(written) else { return };
        let ty = local(*first).ty.clone();
        let same = Expr { kind: ExprKind::Local(*first), ty, category: Category::Decision, span: spans[0] };
        let outside = self.around.len();
        self.around.push(Qualifier::Generator(Pattern::Name(*first), over.clone()));
        self.around.push(Qualifier::Letting(Pattern::Name(*second), same));
        self.add(body, CandidateKind::EqualPair(position));
        self.around.truncate(outside);
    }
}

impl Candidate {
    /// The conditions that it holds for all bindings, and for none.
    fn always_and_never(&self) -> [Expr; 2] {
        let always = for_all(&self.qualifiers, &self.condition);
        let never = match self.kind {
            // A constraint is broken by one instance that is false.
            CandidateKind::Constraint => not(always.clone()),
            _ => not(exists(&self.qualifiers, &self.condition)),
        };
        [always, never]
    }

    fn finding(
        &self,
        subject: &ModelText,
        instance: &Instance,
        pairs: &[(&ast::Quantified, [&Name; 2])],
        always: bool,
    ) -> Finding {
        let span = self.condition.span;
        let warning = match (&self.kind, always) {
            (CandidateKind::EqualPair(position), _) => {
                let (quantified, names) = pairs[*position];
                let reason = format!("false where `{}` and `{}` are equal", names[0], names[1]);
                pairs::about(subject, quantified, names, (span, &reason))
            }
            (CandidateKind::Constraint, true) => Diagnostic::warning(Code::ALWAYS_TRUE, "this constraint always holds")
                .at(span, "true for all values in the domains")
                .help("remove it, or check whether it says what you mean"),
            (CandidateKind::Constraint, false) => {
                Diagnostic::warning(Code::NEVER_TRUE, "this constraint can never hold")
                    .at(span, "false for all values in the domains")
                    .note("so there is no solution")
            }
            (CandidateKind::Guard, true) => Diagnostic::warning(Code::USELESS_GUARD, "this condition is always true")
                .at(span, "true for all values that reach it")
                .help("remove the condition, or check whether it says what you mean"),
            (CandidateKind::Guard, false) => Diagnostic::warning(Code::USELESS_GUARD, "this condition is never true")
                .at(span, "false for all values that reach it")
                .note("what depends on it has no effect"),
        };
        let mut env = instance.environment.clone();
        let model = &instance.model;
        let is_small = matches!(self.kind, CandidateKind::Guard)
            && !self.qualifiers.is_empty()
            && super::instances::instances_of(&exists(&self.qualifiers, &self.condition), &mut env) < ENOUGH_BINDINGS;
        let by_data = mentions_data(&self.condition, model);
        let depends_on_data = match (&self.kind, always) {
            (CandidateKind::EqualPair(_), _) | (CandidateKind::Constraint, false) => false,
            _ => is_small || by_data,
        };
        Finding { warning: with_values(warning, &self.condition, &mut env, instance), depends_on_data }
    }
}

/// The values of the data in a condition, as a note.
fn with_values(warning: Diagnostic, condition: &Expr, env: &mut Environment, instance: &Instance) -> Diagnostic {
    if warning.code == Code::EQUAL_PAIR {
        return warning;
    }
    let values = values_of_names(condition, env, &instance.names);
    if values.is_empty() { warning } else { warning.note(format!("here {}", values.join(", "))) }
}

/// Whether an expression mentions a parameter, or a decision variable whose values depend on one.
fn mentions_data(expr: &Expr, model: &Model) -> bool {
    let mut found = match &expr.kind {
        ExprKind::Global(id) => match &model.declarations[id.0 as usize].kind {
            DeclarationKind::Given(_) => true,
            DeclarationKind::Letting(value) => mentions_data(value, model),
            DeclarationKind::Find(domain) => values_mention_data(domain, model),
            _ => false,
        },
        _ => false,
    };
    expr.for_each_part(&mut |part| found = found || mentions_data(part, model));
    found
}

/// Whether the values in a domain depend on data; the places of a matrix are not among the values.
fn values_mention_data(domain: &Domain, model: &Model) -> bool {
    let mut found = false;
    match domain {
        Domain::Matrix(_, element) => found = values_mention_data(element, model),
        _ => expressions_in_domain(domain, &mut |expr| found = found || mentions_data(expr, model)),
    }
    found
}

fn has_local_variables(expr: &Expr, model: &Model) -> bool {
    fn look(expr: &Expr) -> bool {
        let mut found = matches!(expr.kind, ExprKind::Bubble(_));
        expr.for_each_part(&mut |part| found = found || look(part));
        found
    }
    model.has_local_finds && look(expr)
}
