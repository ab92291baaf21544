//! Lowers an instance to a finite-domain problem, with a layout for reading its variables back.
//!
//! Expressions without decisions are evaluated; the others become terms ([`crate::symbolic`]) with the condition under
//! which they are defined. Operators are lowered by their rows in [`crate::operators`]. This folder lowers the
//! structure (names, literals, comprehensions) and applies the rule of definedness: an undefined term makes the nearest
//! enclosing Boolean false.
//!
//! You may change the terms of an expression if they keep the value that `eval` computes. Solutions are verified
//! against `eval`, but a lost solution shows only in tests (`tests/generated`, `tests/cases`).

mod attributes;
mod bounds;
mod comprehensions;
mod context;
mod dependent;
mod expression_terms;
mod facts;
mod interchangeable;
mod memo;
mod moves;
mod neighbours;
mod pairs;
mod patterns;
mod places;
pub(crate) mod representations;
mod requirement;
mod requirements;
mod sizes;
mod skolem;
mod structure;
mod symmetry;
mod usage;

use crate::{
    analysis::model::{
        Declaration, DeclarationId, DeclarationKind, DominanceExpr, DominanceForm, Expr, ExprKind, LocalId, Pattern,
        TypedModel,
    },
    diagnostic::{Code, Diagnostic},
    halt::{Halt, Limits},
    instance::{Environment, Find, SolutionValues},
    language::{
        GroundDomain, Type, Value,
        attributes::{Measure, Size},
        domain::Amount,
    },
    memory,
    operators::Polarity,
    problem::{Assignment, Bool, Fault, Int, Problem, Role},
    source::Span,
    symbolic::{
        LoweringRefusal, Partial, Symbolic, Term, read,
        representation::{Path, Plan, Representation, variable_count},
    },
};
pub(crate) use bounds::{DomainRelaxation, widened};
use context::Context;
pub(crate) use facts::{Facts, facts};
pub(crate) use interchangeable::{break_interchangeable, exchanges};
use memo::LoweredCollections;
pub(crate) use neighbours::{ModelNeighbours, PlanValues};
pub(crate) use pairs::MemberPairs;
pub(crate) use places::decision_families;
pub(crate) use requirement::{DomainBound, EnclosingLayer, KnownMember, RequiredValue, Requirement, RequirementOrigin};
pub(crate) use requirements::{Parts, RequirementOptions, requirements};
pub(crate) use sizes::LargerSizes;
use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};
pub(crate) use symmetry::break_symmetries;

/// The maximum number of bindings of nested quantifiers. Chosen.
pub(crate) const INSTANCE_LIMIT: u128 = 20_000_000;

/// The representations that the user wants for collections in decision variables, by their paths. The empty path means
/// the outermost collections. The compiler chooses the representations of all others.
pub(crate) type Representations = BTreeMap<(DeclarationId, Path), Representation>;

/// The plan for the collections in each decision variable: the wanted representations and the uses.
pub(crate) fn plans(model: &TypedModel, wanted: &Representations) -> BTreeMap<DeclarationId, Plan> {
    let mut uses = usage::uses(model);
    let finds = model.declared();
    let finds = finds.filter(|(_, declaration)| matches!(declaration.kind, DeclarationKind::Find(_)));
    finds
        .map(|(id, _)| {
            let wanted = wanted.iter().filter(|((find, _), _)| *find == id);
            let wanted = wanted.map(|((_, path), representation)| (path.clone(), *representation));
            (id, Plan::new(wanted, uses.remove(&id).unwrap_or_default()))
        })
        .collect()
}

/// Domains that replace the declared domains of some decision variables.
pub(crate) type DomainOverrides = BTreeMap<DeclarationId, GroundDomain>;

/// The only members that some collections may have, or the only arguments of some functions, in ascending order.
pub(crate) type PossibleMembers = BTreeMap<DeclarationId, Arc<[Value]>>;

/// Returns a domain with a bounded size for a decision variable; `None` if its domain is not a collection.
fn with_size(find: &Find, size: Size<i64>) -> Option<DomainOverrides> {
    let GroundDomain::Collection(kind, attributes, parts) = &*find.domain else { return None };
    let attributes = attributes.clone().bounding(Measure::Size, size);
    Some(DomainOverrides::from([(find.id, GroundDomain::Collection(*kind, attributes, parts.clone()))]))
}

/// A problem, and the term of each decision variable of the model.
#[derive(Clone, Debug)]
pub(crate) struct Lowered {
    pub problem: Problem,
    pub layout: Vec<(DeclarationId, Term)>,
    /// The number of bindings of quantified names that lowering made.
    pub bindings: u128,
    /// The origins of the problem's constraints in the model, in the order of the constraints.
    pub origins: Vec<StatementOrigin>,
    /// The terms that stand for local names.
    pub local_terms: Vec<LocalTerms>,
    /// The constraints that put the slots of collections in order. Without them, a value has one assignment for each
    /// order of its members.
    pub slot_order: Vec<Bool>,
}

/// A declaration, a constraint or an objective, with the bindings and terms that lowering it needed.
#[derive(Clone, Debug)]
pub(crate) struct StatementOrigin {
    /// The place in the model.
    pub span: Span,
    /// The end of its constraints in the problem: the constraints before this position belong to this origin or an
    /// earlier one.
    pub end: usize,
    /// The number of bindings of quantified names that lowering made.
    pub bindings: u128,
    /// The number of new terms.
    pub terms: usize,
    /// The time that lowering took.
    pub time: Duration,
}

impl Lowered {
    /// The values of the model's decision variables under an assignment.
    pub(crate) fn read_back(&self, assignment: &Assignment) -> Vec<(DeclarationId, Value)> {
        self.layout.iter().map(|(id, term)| (*id, read::value(&self.problem, term, assignment))).collect()
    }

    /// Returns the values of the Skolem variables and local decision variables under an assignment. With these values,
    /// each quantifier or bubble is true.
    pub(crate) fn witnesses<'a>(
        &'a self,
        assignment: &'a Assignment,
    ) -> impl Iterator<Item = (LocalId, Vec<Value>)> + 'a {
        self.witnesses_in(&self.local_terms, assignment)
    }

    /// Like [`Lowered::witnesses`], for the local names of further constraints.
    pub(crate) fn witnesses_in<'a>(
        &'a self,
        local_terms: &'a [LocalTerms],
        assignment: &'a Assignment,
    ) -> impl Iterator<Item = (LocalId, Vec<Value>)> + 'a {
        let value = |term: &Term| read::value(&self.problem, term, assignment);
        local_terms.iter().filter_map(move |bound| {
            let (pattern, _) = bound.first()?;
            Some((pattern.first_name()?, bound.iter().map(|(_, term)| value(term)).collect()))
        })
    }

    /// Lowers further constraints under a new activation literal: they exclude solutions only if the literal is true.
    /// Returns the literal and the terms for the local names of the constraints. The constraints must belong to a model
    /// with the same declarations, and the environment must have the same values.
    pub(crate) fn add_assumable(
        &mut self,
        environment: &Environment,
        constraints: &[Expr],
        limits: Limits,
    ) -> LoweringResult<(Bool, Vec<LocalTerms>), Halt> {
        let mut lowering = Lowering::new(environment);
        lowering.symbolic = Symbolic::from(self.problem.clone());
        lowering.symbolic.problem.stop_at(limits.clone());
        lowering.globals = self.layout.iter().map(|(id, term)| (*id, Partial::from(term.clone()))).collect();
        // The literal guards each constraint like the left side of an implication.
        let activation = lowering.symbolic.problem.new_bool(Role::Auxiliary);
        for constraint in constraints {
            lowering.require(constraint, &Context::CONSTRAINT.assuming(activation))?;
            lowering.check(constraint.span)?;
        }
        if lowering.symbolic.problem.is_stopped() {
            return Err(limits.at_stop().into());
        }
        let Lowered { problem, local_terms, .. } = lowering.finish(Vec::new())?;
        self.problem = problem;
        Ok((activation, local_terms))
    }

    /// Adds the term of an integer expression of the model.
    pub(crate) fn add_int(
        &mut self,
        environment: &Environment,
        expr: &Expr,
        limits: Limits,
    ) -> LoweringResult<Int, Halt> {
        let mut lowering = Lowering::new(environment);
        lowering.globals = self.layout.iter().map(|(id, term)| (*id, Partial::from(term.clone()))).collect();
        self.extend(lowering, limits, |lowering| {
            let value = lowering.expression(expr, &Context::CONSTRAINT.mixed())?;
            lowering.check(expr.span)?;
            Ok(lowering.symbolic.int(&value.term))
        })
    }

    /// Adds the term that a known solution dominates the new one, or is dominated by it.
    pub(crate) fn domination(
        &mut self,
        environment: &Environment,
        dominance: &DominanceExpr,
        known: &SolutionValues,
        side: KnownSide,
        limits: Limits,
    ) -> LoweringResult<Bool, Halt> {
        let mut lowering = Lowering::new(environment);
        // In the relation, names may refer to the known solution and `fromSolution(…)` to the new one, or the reverse.
        let swaps = (dominance.form == DominanceForm::Dominates) == (side == KnownSide::Dominates);
        for ((id, term), (_, value)) in self.layout.iter().zip(known) {
            let (term, value) = (Partial::from(term.clone()), Partial::from(Term::Value(value.clone())));
            let (own, other) = if swaps { (value, term) } else { (term, value) };
            lowering.globals.insert(*id, own);
            if let Some((_, LocalId(local))) = dominance.others.iter().find(|(find, _)| find == id) {
                lowering.locals[*local as usize] = Some(other);
            }
        }
        let relation = &dominance.relation;
        let holds = self.extend(lowering, limits, |lowering| {
            let holds = lowering.condition(relation, &Context::CONSTRAINT.mixed())?;
            lowering.check(relation.span)?;
            Ok(holds)
        })?;
        Ok(if dominance.form == DominanceForm::Dominates { holds } else { !holds })
    }

    /// Adds terms to the problem. If this fails, the problem is lost.
    fn extend<T>(
        &mut self,
        mut lowering: Lowering,
        limits: Limits,
        add: impl FnOnce(&mut Lowering) -> LoweringResult<T>,
    ) -> LoweringResult<T, Halt> {
        lowering.symbolic = Symbolic::from(std::mem::take(&mut self.problem));
        lowering.symbolic.problem.stop_at(limits.clone());
        let added = add(&mut lowering);
        if lowering.symbolic.problem.is_stopped() {
            return Err(limits.at_stop().into());
        }
        let added = added?;
        self.problem = lowering.finish(Vec::new())?.problem;
        Ok(added)
    }
}

/// The side of a known solution in a dominance relation with the wanted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownSide {
    Dominates,
    IsDominated,
}

/// The terms of local names that are bound together, with the patterns that bind them.
pub(crate) type LocalTerms = Vec<(Pattern, Term)>;

/// Lowers the model of an environment in which all parameters are bound. Each expression that cannot be lowered is
/// reported with its span.
pub(crate) fn lower(
    environment: &Environment,
    wanted: &Representations,
    limits: Limits,
) -> LoweringResult<Lowered, Halt> {
    lower_within(environment, wanted, &DomainOverrides::new(), limits)
}

/// Like [`lower`], with other domains for some decision variables.
pub(crate) fn lower_within(
    environment: &Environment,
    wanted: &Representations,
    domains: &DomainOverrides,
    limits: Limits,
) -> LoweringResult<Lowered, Halt> {
    run_lowering(Lowering::new(environment), wanted, domains, limits)
}

/// Like [`lower`], with only some of the members that collections may have.
pub(crate) fn lower_with_members(
    environment: &Environment,
    members: &PossibleMembers,
    limits: Limits,
) -> LoweringResult<Lowered, Halt> {
    let lowering = Lowering { members: members.clone(), ..Lowering::new(environment) };
    run_lowering(lowering, &Representations::new(), &DomainOverrides::new(), limits)
}

/// Lowers with Skolem variables for every quantified name that can have one, even if its domain is small. Tests compare
/// the solutions.
#[cfg(test)]
pub(crate) fn lower_with_auxiliaries(
    environment: &Environment,
    wanted: &Representations,
    limits: Limits,
) -> LoweringResult<Lowered, Halt> {
    let domains = DomainOverrides::new();
    run_lowering(Lowering { skolemise_all: true, ..Lowering::new(environment) }, wanted, &domains, limits)
}

fn run_lowering(
    mut lowering: Lowering,
    wanted: &Representations,
    domains: &DomainOverrides,
    limits: Limits,
) -> LoweringResult<Lowered, Halt> {
    lowering.symbolic.problem.stop_at(limits.clone());
    let layout = statements(&mut lowering, wanted, domains);
    if lowering.symbolic.problem.is_stopped() {
        return Err(limits.at_stop().into());
    }
    Ok(lowering.finish(layout?)?)
}

/// Lowers the statements of the model. Returns the terms of the decision variables.
fn statements(
    lowering: &mut Lowering,
    wanted: &Representations,
    domains: &DomainOverrides,
) -> LoweringResult<Vec<(DeclarationId, Term)>, Halt> {
    let model = lowering.model;
    let layout = lowering.declare_finds(wanted, domains)?;
    let mut diagnostics = Vec::new();
    for constraint in &model.constraints {
        if let Err(diagnostic) = lowering.require(constraint, &Context::CONSTRAINT) {
            diagnostics.push(*diagnostic);
        }
        // The problem has no room for the remaining constraints either.
        if lowering.symbolic.problem.is_full() {
            break;
        }
        lowering.origin(constraint.span);
    }
    if let Some(objective) = &model.objective
        && !lowering.symbolic.problem.is_full()
    {
        match lowering.expression(&objective.value, &Context::CONSTRAINT.mixed()) {
            Ok(value) => {
                lowering.symbolic.problem.require(value.defined);
                lowering.origin(objective.value.span);
                let terms = lowering.objective(&value.term);
                lowering.symbolic.problem.set_objective(objective.sense, terms);
                if let Err(diagnostic) = lowering.check(objective.value.span) {
                    diagnostics.push(*diagnostic);
                }
            }
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    if diagnostics.is_empty() { Ok(layout) } else { Err(Halt::Wrong(diagnostics)) }
}

/// The result of lowering. The error is boxed because it is rare.
type LoweringResult<T = Partial, E = Box<Diagnostic>> = std::result::Result<T, E>;

struct Lowering<'m> {
    model: &'m TypedModel,
    symbolic: Symbolic,
    /// The values of parameters, and of the local names that are constants in the current binding.
    environment: Environment,
    /// The terms of decision variables, and of the lettings that mention them.
    globals: BTreeMap<DeclarationId, Partial>,
    /// The terms of the local names that may depend on decisions.
    locals: Vec<Option<Partial>>,
    /// The collections that were lowered before.
    collections: LoweredCollections,
    /// The number of bindings of quantified names so far.
    bindings: u128,
    /// True if names become Skolem variables even if their domains are small.
    skolemise_all: bool,
    members: PossibleMembers,
    /// See [`Lowered::local_terms`].
    local_terms: Vec<LocalTerms>,
    /// See [`Lowered::origins`].
    origins: Vec<StatementOrigin>,
    /// The time of the last recorded origin, and the numbers of bindings and terms at that time.
    recorded: (Instant, u128, usize),
}

impl<'m> Lowering<'m> {
    fn new(environment: &'m Environment) -> Self {
        let model = &**environment.model();
        Lowering {
            model,
            symbolic: Symbolic::new(),
            environment: environment.clone(),
            globals: BTreeMap::new(),
            locals: vec![None; model.locals.len()],
            collections: LoweredCollections::default(),
            bindings: 0,
            skolemise_all: false,
            members: PossibleMembers::new(),
            local_terms: Vec::new(),
            origins: Vec::new(),
            recorded: (Instant::now(), 0, 0),
        }
    }

    /// Records the origin of the constraints that were required since the last call.
    fn origin(&mut self, span: Span) {
        // This statement took the difference from the last record.
        let (now, bindings, terms) = (Instant::now(), self.bindings, self.symbolic.problem.size());
        let (before, bindings_before, terms_before) = std::mem::replace(&mut self.recorded, (now, bindings, terms));
        self.origins.push(StatementOrigin {
            span,
            end: self.symbolic.problem.constraints().len(),
            bindings: bindings - bindings_before,
            terms: terms.saturating_sub(terms_before),
            time: now - before,
        });
    }

    fn declare_finds(
        &mut self,
        wanted: &Representations,
        others: &DomainOverrides,
    ) -> LoweringResult<Vec<(DeclarationId, Term)>> {
        // The plan of a variable depends on its uses in the whole model, so all plans are made before the first
        // declaration.
        let mut plans = plans(self.model, wanted);
        for (id, members) in &self.members {
            plans.entry(*id).and_modify(|plan| plan.members = Some(members.clone()));
        }
        let mut layout = Vec::new();
        for (id, declaration) in self.model.declared() {
            if !matches!(declaration.kind, DeclarationKind::Find(_)) {
                continue;
            }
            let term = match others.get(&id).or(self.environment.domain(id).map(|domain| &**domain)).cloned() {
                Some(domain) => {
                    let variables = variable_count(&domain, &plans[&id]);
                    // `u128::MAX` means an unbounded domain, which is refused below.
                    if variables > memory::most_terms() as u128 && variables < u128::MAX {
                        return Err(Box::new(too_many_variables(declaration, variables)));
                    }
                    let declared = self.symbolic.declare_as(&domain, &plans[&id], Role::Decision);
                    declared.map_err(|refusal| refused_at(refusal, declaration.span))?
                }
                // A variable with an undefined domain has no value, so there is no solution.
                None => {
                    self.symbolic.problem.require(Bool::FALSE);
                    Term::Value(default_value(&declaration.ty))
                }
            };
            self.origin(declaration.span);
            self.globals.insert(id, Partial::from(term.clone()));
            layout.push((id, term));
        }
        Ok(layout)
    }

    /// Requires a constraint in its context. The conjuncts of a conjunction are required separately, and the left side
    /// of an implication becomes part of the context.
    fn require(&mut self, constraint: &Expr, context: &Context) -> LoweringResult<()> {
        if let ExprKind::Apply(operator, operands) = &constraint.kind
            && !self.is_fixed(constraint, context)
        {
            match operands.as_slice() {
                [Expr { kind: ExprKind::Comprehension(comprehension), .. }] if operator.is_conjunction() => {
                    return self.require_each(comprehension, constraint.span, context);
                }
                [left, right] if operator.is_conjunction() => {
                    self.require(left, context)?;
                    return self.require(right, context);
                }
                [assumption, consequence] if operator.is_implication() => {
                    let assumed = self.condition(assumption, &context.of_operand(operator, 0))?;
                    return match context.and(assumed) {
                        Some(context) => self.require(consequence, &context),
                        None => Ok(()),
                    };
                }
                _ => {}
            }
        }
        let condition = self.condition(constraint, context)?;
        self.require_condition(condition, context);
        Ok(())
    }

    fn require_condition(&mut self, condition: Bool, context: &Context) {
        if condition != Bool::TRUE {
            let problem = &mut self.symbolic.problem;
            let violated = context.guard_and(problem, &[!condition]);
            problem.require(!violated);
        }
    }

    /// Returns the integers of an objective, the most important one first.
    fn objective(&mut self, term: &Term) -> Vec<Int> {
        let parts = match term {
            Term::Tuple(_) | Term::Value(Value::Tuple(_)) => term.items(),
            _ if term.is_matrix() => term.list_members().into_iter().map(|part| part.term).collect(),
            _ => return vec![self.symbolic.int(term)],
        };
        parts.iter().flat_map(|part| self.objective(part)).collect()
    }

    /// Lowers a Boolean expression, which is false if it is undefined.
    fn condition(&mut self, expr: &Expr, context: &Context) -> LoweringResult<Bool> {
        let partial = self.expression(expr, context)?;
        let term = partial.term.bool();
        Ok(self.symbolic.problem.and([term, partial.defined]))
    }

    /// Reports the first refusal since the last check.
    fn check(&mut self, span: Span) -> LoweringResult<()> {
        self.symbolic.check().map_err(|refusal| refused_at(refusal, span))
    }

    fn finish(mut self, layout: Vec<(DeclarationId, Term)>) -> LoweringResult<Lowered> {
        Ok(Lowered {
            slot_order: std::mem::take(&mut self.symbolic.slot_order),
            problem: self.symbolic.finish().map_err(|refusal| Box::new(refused_lowering(refusal)))?,
            layout,
            bindings: self.bindings,
            origins: self.origins,
            local_terms: self.local_terms,
        })
    }
}

/// Returns the diagnostic for a refusal, with a span and help.
fn refused_at(refusal: LoweringRefusal, span: Span) -> Box<Diagnostic> {
    let (label, help) = match refusal {
        LoweringRefusal::Inexpressible(_) | LoweringRefusal::Unbuildable(Fault::Stopped) => ("this", None),
        LoweringRefusal::Unbuildable(Fault::Terms) => {
            ("the limit is reached here", Some("use smaller domains, or quantify over fewer values"))
        }
        LoweringRefusal::Unbuildable(Fault::Numbers) => {
            ("may leave the range -(2^62-1)..2^62-1", Some("give the decision variables in it smaller domains"))
        }
    };
    let diagnostic = refused_lowering(refusal).at(span, label);
    Box::new(help.into_iter().fold(diagnostic, Diagnostic::help))
}

/// Returns the diagnostic for a refusal, without a span.
pub(crate) fn refused_lowering(refusal: LoweringRefusal) -> Diagnostic {
    match refusal {
        LoweringRefusal::Inexpressible(diagnostic) => diagnostic,
        LoweringRefusal::Unbuildable(Fault::Terms) => {
            let (terms, bytes) = (memory::most_terms(), memory::gigabytes(memory::for_terms()));
            let message = format!("the problem would have more than {terms} terms, or take more than {bytes}");
            Diagnostic::error(Code::TOO_LARGE, message)
        }
        LoweringRefusal::Unbuildable(Fault::Stopped) => Diagnostic::error(Code::TOO_LARGE, "a limit was reached"),
        LoweringRefusal::Unbuildable(Fault::Numbers) => {
            Diagnostic::error(Code::OVERFLOW, "the values of this expression can be too large to compute with")
        }
    }
}

impl From<LoweringRefusal> for Halt {
    fn from(refusal: LoweringRefusal) -> Self {
        Halt::from(refused_lowering(refusal))
    }
}

fn too_many_variables(declaration: &Declaration, variables: u128) -> Diagnostic {
    let amount = Amount::exactly(variables);
    Diagnostic::error(Code::TOO_LARGE, format!("`{}` would take {amount} variables", declaration.name))
        .at(declaration.span, format!("more than the limit of {}", memory::most_terms()))
        .help("use smaller domains, or bound the sizes of the collections in it with `maxSize`")
        .note("`--emit representations` shows the size of each part")
}

/// Returns a value of a type, for an undefined expression whose value does not matter.
fn default_value(ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::FALSE,
        Type::Any | Type::Int(_) | Type::Named(_) | Type::Domain(_) => Value::Int(1),
        Type::Tuple(items) => Value::Tuple(items.iter().map(default_value).collect()),
        Type::Record(fields) => Value::Tuple(fields.iter().map(|(_, field)| default_value(field)).collect()),
        Type::Variant(alternatives) => {
            let first = alternatives.first().map_or(Value::Int(0), |(_, first)| default_value(first));
            Value::Variant(0, first.into())
        }
        Type::Matrix(_) | Type::List(_) => Value::list(Vec::new()),
        Type::Collection(kind, _) => Value::empty(*kind),
    }
}
