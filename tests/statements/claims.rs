//! Checks of the statements that explanations print: each is parsed, typed and evaluated as a constraint of its model.

use conjure_like::{
    analysis::model::{DeclarationId, DeclarationKind, Expr, ExprKind, LocalId},
    diagnostic::{Code, Diagnostics, short},
    explain::{
        self, ConstraintInstance, Describer, ExplainedCase, Explanation, FindingKind, Findings, Reason, WhyVerdict,
        why_unsatisfiable,
    },
    halt::Halt,
    instance::{self, Environment, GroundInstance, SolutionValues},
    language::{Collection, GroundDomain, Stop, Type, Value, domain::DomainRole},
    lowering::{self, RequirementOptions, RequirementOrigin},
    operators::symbols,
    pipeline, solution,
    solver::EngineOptions,
    source::{SourceId, Sources, Span},
    syntax::{
        self,
        ast::{self, File, StatementKind},
        parts::{for_each_in_statement, for_each_part},
    },
};
use std::{collections::BTreeSet, sync::Arc};

/// A model with its data, as texts and as an instance.
pub(crate) struct Subject {
    pub name: String,
    pub sources: Sources,
    pub file: File,
    pub data: Vec<SourceId>,
    pub instance: GroundInstance,
}

/// A printed statement, and the truth value that is claimed for it.
pub(crate) struct Claim {
    pub says: String,
    pub holds: bool,
}

fn messages(diagnostics: &Diagnostics, sources: &Sources) -> String {
    diagnostics.iter().map(|diagnostic| short::render_short(diagnostic, sources)).collect::<Vec<_>>().join("\n")
}

impl Subject {
    pub(crate) fn new(name: &str, model: &str, data: &str) -> Result<Subject, String> {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let source = sources.add("model", model);
        let data = if data.is_empty() { Vec::new() } else { vec![sources.add("data", data)] };
        let read = |diagnostics: &mut Diagnostics| {
            let file = pipeline::parse_text(&sources, source, diagnostics)?;
            let model = Arc::new(pipeline::analyse(&file, diagnostics)?);
            Ok((file, pipeline::read_instance(&model, &sources, &data, diagnostics)?))
        };
        match read(&mut diagnostics) {
            Ok((file, instance)) => Ok(Subject { name: name.to_owned(), file, instance, data, sources }),
            Err::<_, Halt>(halt) => Err(messages(&halt.into_diagnostics(), &sources)),
        }
    }

    /// The declarations of the model, and the claims as its only constraints. Each claim must be one expression.
    fn with_claims(&self, claims: &[Claim]) -> Result<(File, File, Sources), String> {
        let mut sources = self.sources.clone();
        let mut model = self.file.clone();
        model.statements.retain(|statement| {
            !matches!(
                statement.kind,
                StatementKind::SuchThat(_)
                    | StatementKind::Where(_)
                    | StatementKind::Objective { .. }
                    | StatementKind::Dominance { .. }
                    | StatementKind::Incomparability { .. }
                    | StatementKind::BranchingOn(_)
                    | StatementKind::Heuristic(_)
            )
        });
        for comment in &mut model.comments {
            // Without an objective, a unit for it would be an error.
            comment.text = comment.text.replace(", objective:", ":").into();
        }
        let mut text = File::default();
        for claim in claims {
            let mut diagnostics = Diagnostics::new();
            let source = sources.add("claim", format!("such that {}", claim.says));
            let file = syntax::parse_file(source, &sources.get(source).text, &mut diagnostics);
            if !diagnostics.is_empty() {
                return Err(format!("`{}` does not parse:\n{}", claim.says, messages(&diagnostics, &sources)));
            }
            match file.statements.as_slice() {
                [only] if matches!(&only.kind, StatementKind::SuchThat(items) if items.len() == 1) => {
                    text.statements.push(only.clone());
                }
                _ => return Err(format!("`{}` is not one constraint", claim.says)),
            }
        }
        Ok((model, text, sources))
    }

    /// Checks the truth value of each claim for these values.
    pub(crate) fn check(&self, claims: &[Claim], values: &str) -> Result<(), String> {
        let (model, text, mut sources) = self.with_claims(claims)?;
        let mut model = solution::with_finds_given(model, |_| true);
        let mut diagnostics = Diagnostics::new();
        let mut data = self.data.clone();
        data.push(sources.add("values", values));
        // The types are needed to read the data, and the data to write their members into the model; then the claims
        // can be analysed.
        let mut read = || {
            let typed = Arc::new(pipeline::analyse(&model, &mut diagnostics)?);
            let mut files = pipeline::read_parameters(&typed, &sources, &data, &mut diagnostics)?;
            pipeline::with_named_members(&mut model, &typed, &files, None, &text);
            pipeline::with_known_members(&mut model, &mut files, &text);
            model.statements.extend(text.statements.clone());
            let typed = Arc::new(pipeline::analyse(&model, &mut diagnostics)?);
            pipeline::instance_of(&typed, &files, &mut diagnostics)
        };
        let instance = read().map_err(|halt: Halt| {
            let all: Vec<&str> = claims.iter().map(|claim| &*claim.says).collect();
            format!("{}\namong\n{}", messages(&halt.into_diagnostics(), &sources), all.join("\n"))
        })?;
        for (claim, constraint) in claims.iter().zip(&instance.model.constraints) {
            let holds = match instance::holds(constraint, &mut instance.environment.clone()) {
                Ok(holds) => holds,
                Err(Stop::Undefined) => false,
                Err(Stop::Fault(_)) => continue,
            };
            // `(a) = (b)` is true if both sides are undefined Booleans, because these are false.
            let is_boolean = || match &constraint.kind {
                ExprKind::Apply(_, sides) => {
                    claim.says.contains(") = (")
                        && sides.iter().all(|side| side.ty == Type::Bool)
                        && sides.iter().all(|side| instance::holds(side, &mut instance.environment.clone()) != Ok(true))
                }
                _ => false,
            };
            if holds != claim.holds && !is_boolean() {
                return Err(format!("`{}` is said to be {}, which is wrong, for\n{values}", claim.says, claim.holds));
            }
        }
        Ok(())
    }

    /// Checks that the claims have no solution together.
    pub(crate) fn check_contradiction(&self, claims: &[Claim]) -> Result<(), String> {
        let (mut model, text, sources) = self.with_claims(claims)?;
        let mut diagnostics = Diagnostics::new();
        let mut solve = || {
            let typed = Arc::new(pipeline::analyse(&model, &mut diagnostics)?);
            let mut files = pipeline::read_parameters(&typed, &sources, &self.data, &mut diagnostics)?;
            pipeline::with_named_members(&mut model, &typed, &files, None, &text);
            pipeline::with_known_members(&mut model, &mut files, &text);
            model.statements.extend(text.statements.clone());
            let typed = Arc::new(pipeline::analyse(&model, &mut diagnostics)?);
            let instance = pipeline::instance_of(&typed, &files, &mut diagnostics)?;
            Ok(solve(&instance))
        };
        match solve() {
            Err::<_, Halt>(halt) => Err(messages(&halt.into_diagnostics(), &sources)),
            Ok(None) => Ok(()),
            Ok(Some(solution)) => {
                let all: Vec<&str> = claims.iter().map(|claim| &*claim.says).collect();
                let printed = solution::print(&self.instance, &solution, 120);
                Err(format!("these can hold together:\n{}\n{printed}", all.join("\n")))
            }
        }
    }

    /// Checks the answer of `why --expect` for these values. Returns the number of violations.
    pub(crate) fn check_expectation(&self, values: &SolutionValues) -> Result<usize, String> {
        let printed = solution::print(&self.instance, values, 120);
        let mut sources = self.sources.clone();
        let mut diagnostics = Diagnostics::new();
        let mut data = self.data.clone();
        data.push(sources.add("values", printed.as_str()));
        let given = solution::with_finds_given(self.file.clone(), |_| true);
        let read = |diagnostics: &mut Diagnostics| {
            let model = Arc::new(pipeline::analyse(&given, diagnostics)?);
            pipeline::read_instance(&model, &sources, &data, diagnostics)
        };
        let instance = read(&mut diagnostics).map_err(|halt: Halt| messages(&halt.into_diagnostics(), &sources))?;
        let model = &self.instance.model;
        let is_find = |name: &str| {
            let declared = model.declarations.iter().find(|declaration| *declaration.name == *name);
            declared.is_some_and(|declared| matches!(declared.kind, DeclarationKind::Find(_)))
        };
        let found = match explain::broken_requirements(&instance, &sources, &EngineOptions::default(), is_find) {
            Ok(found) => found,
            // An overflow is reported, but not explained.
            Err(Halt::Wrong(found)) if found.iter().all(|found| found.code == Code::OVERFLOW) => return Ok(0),
            Err(trouble) => return Err(format!("{trouble:?}")),
        };
        let claims: Vec<Claim> = found.iter().flat_map(claims).collect();
        self.check(&claims, &printed).map_err(|error| format!("{error}\n{printed}"))?;
        let told: usize = found.iter().map(|reason| reason.instances.len().max(1)).sum();
        // Count the violations independently, by evaluation.
        let mut broken = BTreeSet::new();
        for constraint in &instance.model.constraints {
            violations(constraint, &mut instance.environment.clone(), &mut Vec::new(), &mut broken);
        }
        if let Some(objective) = &instance.model.objective
            && solution::objective_value(&instance, &Vec::new()) == Ok(None)
        {
            broken.insert((objective.value.span, Vec::new()));
        }
        // Local decision variables get values for the constraint as a whole, whereas its parts may want different ones;
        // so only compare with "broken or not".
        let is_right = match model.has_local_finds {
            true => (told > 0) == self.breaks_something(&instance),
            false => told == broken.len(),
        };
        if !is_right {
            let says: Vec<&str> = found.iter().map(|reason| &*reason.says).collect();
            return Err(format!("{told} violations instead of {} for\n{printed}\n{}", broken.len(), says.join("\n")));
        }
        Ok(told)
    }

    /// The statements of an explanation. Those about domains are left out, because every model with claims has its
    /// domains.
    fn statements(&self, explanation: &Explanation) -> Vec<Claim> {
        let is_of_a_domain = |span: Span| {
            self.file.statements.iter().any(|statement| {
                let outer = statement.span;
                let is_around = outer.source == span.source && outer.start <= span.start && span.end <= outer.end;
                is_around
                    && matches!(
                        statement.kind,
                        StatementKind::Find { .. } | StatementKind::Letting { value: ast::LettingValue::Domain(_), .. }
                    )
            })
        };
        let mut claims = Vec::new();
        for reason in &explanation.reasons {
            let span = reason.labels.first().map(|label| label.span);
            if span.is_some_and(is_of_a_domain) {
                continue;
            }
            let says: Vec<String> = match (span.and_then(|span| self.attribute_with(span)), reason.instances.as_slice())
            {
                (Some(attribute), _) => vec![attribute],
                (None, []) => vec![reason.says.clone()],
                (None, instances) => instances.iter().map(|said| said.says.clone()).collect(),
            };
            let statement = |says: String| with_a_value(&says).map(has_a_value).unwrap_or(says);
            claims.extend(says.into_iter().map(|says| Claim { says: statement(says), holds: true }));
        }
        claims
    }

    /// The constraint with the attribute that has this number, such as `minOccur(x, 2)`.
    fn attribute_with(&self, number: Span) -> Option<String> {
        let mut open = Vec::new();
        self.file.statements.iter().for_each(|statement| for_each_in_statement(statement, &mut |expr| open.push(expr)));
        while let Some(expr) = open.pop() {
            if matches!(&expr.kind, ast::ExprTreeKind::Attribute(_, items) if items.iter().any(|item| item.span == number))
            {
                return Some(self.sources.text(expr.span).to_owned());
            }
            for_each_part(expr, &mut |part| open.push(part));
        }
        None
    }

    /// Checks that the reported conflict has no solution.
    pub(crate) fn check_conflict(&self) -> Result<(), String> {
        let engine_options = EngineOptions::default();
        match why_unsatisfiable(&ExplainedCase::of(&self.instance, &engine_options), &self.sources) {
            Ok(WhyVerdict::Conflict(explanation)) => self.check_contradiction(&self.statements(&explanation)),
            other => Err(format!("{other:?}")),
        }
    }

    /// Checks that a fact follows from its reasons, or is false in the reported solution. Returns true if it is forced,
    /// and `None` if it cannot be a constraint of the model because it mentions unnamed members.
    pub(crate) fn check_forced(&self, fact: &str) -> Result<Option<bool>, String> {
        let Ok((instance, denied, sources)) = self.with_fact(fact) else { return Ok(None) };
        let engine_options = EngineOptions::default();
        let case = ExplainedCase { denied: &denied, ..ExplainedCase::of(&instance, &engine_options) };
        let claim = |says: String, holds: bool| Claim { says, holds };
        match why_unsatisfiable(&case, &sources) {
            Ok(WhyVerdict::Conflict(explanation)) => {
                let mut claims = self.statements(&explanation);
                // A constraint may be a list, which `!` does not accept.
                let denial = Some(format!("!({fact})")).filter(|denial| self.with_fact(denial).is_ok());
                claims.push(claim(denial.unwrap_or_else(|| format!("!and({fact})")), true));
                let checked = self.check_contradiction(&claims).map(|()| Some(true));
                checked.map_err(|fault| format!("--forced '{fact}': {fault}"))
            }
            Ok(WhyVerdict::Solvable(solution)) => {
                let printed = solution::print(&self.instance, &solution, 120);
                self.check(&[claim(fact.to_owned(), false)], &printed).map(|()| Some(false))
            }
            Err(trouble) => Err(format!("--forced '{fact}': {trouble:?}")),
        }
    }

    /// The instance of the model with one more constraint, which is then split off.
    fn with_fact(&self, fact: &str) -> Result<(GroundInstance, Vec<Expr>, Sources), Halt> {
        let mut diagnostics = Diagnostics::new();
        let mut sources = self.sources.clone();
        let source = sources.add("--forced", format!("such that {fact}"));
        let facts = pipeline::parse_text(&sources, source, &mut diagnostics)?;
        let mut file = self.file.clone();
        let typed = pipeline::analyse(&file, &mut diagnostics)?;
        let mut files = pipeline::read_parameters(&typed, &sources, &self.data, &mut diagnostics)?;
        pipeline::with_known_members(&mut file, &mut files, &facts);
        let count = explain::with_constraints(&mut file, facts);
        let mut model = pipeline::analyse(&file, &mut diagnostics)?;
        let denied = explain::split_off(&mut model, count);
        let instance = pipeline::instance_of(&Arc::new(model), &files, &mut diagnostics)?;
        Ok((instance, denied, sources))
    }

    /// True if a constraint is violated, or if the objective is undefined.
    fn breaks_something(&self, instance: &GroundInstance) -> bool {
        let holds = |constraint| instance::holds(constraint, &mut instance.environment.clone()) == Ok(true);
        !instance.model.constraints.iter().all(holds)
            || instance.model.objective.is_some() && solution::objective_value(instance, &Vec::new()) == Ok(None)
    }

    /// All requirements of the model as statements, unless there are more than `most`.
    pub(crate) fn requirements(&self, most: usize) -> Option<Vec<String>> {
        let parts = lowering::requirements(&self.instance.environment, &RequirementOptions::default()).ok()?;
        if parts.requirements.len() > most {
            return None;
        }
        let mut describer = Describer::new(&self.instance, &self.sources);
        let constraint = |origin: &RequirementOrigin| matches!(origin, RequirementOrigin::Constraint { .. });
        let all = parts.requirements.iter().all(|requirement| constraint(&requirement.origin));
        all.then(|| parts.requirements.iter().map(|requirement| describer.reason(requirement).says).collect())
    }
}

/// A solution, if there is one.
pub(crate) fn solve(instance: &GroundInstance) -> Option<SolutionValues> {
    let options = EngineOptions::default();
    let lowered = pipeline::lower_instance(instance, &options).ok()?;
    let mut solver = (conjure_like::solver::BACKENDS[0].make)();
    let mut solution = None;
    let search = pipeline::Search::new(instance, &lowered, &options);
    let searched = search.solutions(&mut *solver, &mut |found, _| {
        solution = Some(found.clone());
        std::ops::ControlFlow::Break(())
    });
    searched.ok()?;
    solution
}

/// The expression of a statement "`…` has a value".
fn with_a_value(says: &str) -> Option<&str> {
    says.strip_suffix("` has a value")?.strip_prefix('`')
}

/// The constraint that an expression is defined. For a quantifier, this means that its generators are.
fn has_a_value(expression: &str) -> String {
    let mut diagnostics = Diagnostics::new();
    let file = syntax::parse_file(SourceId::default(), &format!("such that {expression}"), &mut diagnostics);
    let Some(StatementKind::SuchThat(items)) = file.statements.into_iter().next().map(|statement| statement.kind)
    else {
        return format!("({expression}) = ({expression})");
    };
    let qualifiers = match items.into_iter().next().map(|item| item.kind) {
        Some(ast::ExprTreeKind::Quantified(quantified)) => {
            let ast::Quantified { patterns, over, guard, .. } = *quantified;
            let generator = ast::QualifierTree::Generator(patterns, over);
            [generator].into_iter().chain(guard.map(ast::QualifierTree::Condition)).collect()
        }
        Some(ast::ExprTreeKind::Apply(_, operands)) => match operands.into_iter().next().map(|operand| operand.kind) {
            Some(ast::ExprTreeKind::Comprehension(_, qualifiers)) => qualifiers,
            _ => return format!("({expression}) = ({expression})"),
        },
        _ => return format!("({expression}) = ({expression})"),
    };
    let one = Box::new(ast::ExprTree::made(ast::ExprTreeKind::Int(1)));
    let list = ast::ExprTree::made(ast::ExprTreeKind::Comprehension(one, qualifiers));
    format!("|{}| >= 0", syntax::print::expr(&list, 1_000))
}

/// The claims in a reason about violated requirements.
pub(crate) fn claims(reason: &Reason) -> Vec<Claim> {
    let mut claims = Vec::new();
    let statement = |says: &str| match with_a_value(says) {
        // Undefinedness shows in a comparison, which is false then.
        Some(undefined) => Claim { says: format!("({undefined}) = ({undefined})"), holds: false },
        None => Claim { says: says.to_owned(), holds: false },
    };
    let mut findings = |comes_to: &Findings| {
        for finding in &comes_to.shown {
            let says = &finding.says;
            claims.push(match finding.kind {
                FindingKind::True => Claim { says: says.clone(), holds: true },
                FindingKind::False => Claim { says: says.clone(), holds: false },
                FindingKind::Undefined => Claim { says: format!("({says}) = ({says})"), holds: false },
                FindingKind::Required => Claim { says: format!("({says}) = ({says})"), holds: true },
                FindingKind::Empty => Claim { says: format!("|{says}| = 0"), holds: true },
            });
        }
    };
    findings(&reason.findings);
    reason.instances.iter().for_each(|said| findings(&said.findings));
    match reason.instances.as_slice() {
        [] => claims.push(statement(&reason.says)),
        instances => {
            claims.extend(instances.iter().map(|said| statement(&said.says)));
            let instance =
                |said: &ConstraintInstance| Some(Claim { says: with_values(&reason.says, &said.with)?, holds: false });
            claims.extend(instances.iter().filter_map(instance));
        }
    }
    claims
}

/// The common form of several instances with these values of its quantified names, `i = 1, j = 2`; `None` if a value is
/// not a plain word.
fn with_values(says: &str, with: &str) -> Option<String> {
    let letting = |equation: &str| {
        let (name, value) = equation.split_once(" = ")?;
        let is_plain = value.chars().all(|character| character.is_alphanumeric() || character == '_');
        // The common form may rename a quantified name to avoid capture.
        let words = says.split(|character: char| !character.is_alphanumeric() && character != '_');
        let renamed = words.filter(|word| word.trim_end_matches('_') == name).max_by_key(|word| word.len());
        let name = renamed.unwrap_or(name);
        is_plain.then(|| format!("letting {name} be {value}"))
    };
    let lettings: Vec<String> = with.split(", ").map(letting).collect::<Option<_>>()?;
    // If a name hides another one, this notation cannot distinguish them.
    let names = with.split(", ").filter_map(|equation| equation.split_once(" = "));
    if names.map(|(name, _)| name).collect::<BTreeSet<_>>().len() < lettings.len() {
        return None;
    }
    Some(format!("and([{says} | {}])", lettings.join(", ")))
}

/// A violation: its place, and the values of the quantified names.
type Violation = (Span, Vec<(LocalId, Option<Value>)>);

/// The false instances of a constraint, found by evaluation only.
fn violations(
    expr: &Expr,
    env: &mut Environment,
    names: &mut Vec<(LocalId, Option<Value>)>,
    found: &mut BTreeSet<Violation>,
) {
    match &expr.kind {
        ExprKind::Apply(operator, parts) if operator.symbol == symbols::AND => {
            parts.iter().for_each(|part| violations(part, env, names, found));
        }
        ExprKind::Apply(operator, parts) if operator.symbol == symbols::IMPLIES => {
            if instance::holds(&parts[0], env) == Ok(true) {
                violations(&parts[1], env, names, found);
            }
        }
        ExprKind::Apply(operator, parts) if operator.symbol == symbols::ALL => match &parts[0].kind {
            ExprKind::Matrix(elements, _) => {
                elements.iter().for_each(|element| violations(element, env, names, found));
            }
            ExprKind::Comprehension(comprehension) => {
                let mut bound = Vec::new();
                for qualifier in &comprehension.qualifiers {
                    use conjure_like::analysis::model::Qualifier::{Condition, Generator, Letting};
                    match qualifier {
                        Generator(pattern, _) | Letting(pattern, _) => pattern.names(&mut |local| bound.push(local)),
                        Condition(_) => {}
                    }
                }
                let outer = names.len();
                let mut inside = BTreeSet::new();
                let ended = instance::for_each_binding(&comprehension.qualifiers, env, &mut |env| {
                    names.extend(bound.iter().map(|local| (*local, env.local(*local).cloned())));
                    violations(&comprehension.body, env, names, &mut inside);
                    names.truncate(outer);
                    Ok(())
                });
                found.append(&mut inside);
                // A generator is undefined, so the whole quantifier is the violation.
                if ended == Err(Stop::Undefined) {
                    found.insert((expr.span, names.clone()));
                }
            }
            _ => leaf(expr, env, names, found),
        },
        ExprKind::Global(id) => {
            let model = env.model().clone();
            match &model.declarations[id.0 as usize].kind {
                DeclarationKind::Letting(value) if value.ty == Type::Bool => violations(value, env, names, found),
                _ => leaf(expr, env, names, found),
            }
        }
        _ => leaf(expr, env, names, found),
    }
}

fn leaf(expr: &Expr, env: &mut Environment, names: &[(LocalId, Option<Value>)], found: &mut BTreeSet<Violation>) {
    if matches!(instance::holds(expr, env), Ok(false) | Err(Stop::Undefined)) {
        found.insert((expr.span, names.to_vec()));
    }
}

/// A changed copy of a solution. It depends only on the numbers from `below`.
pub(crate) fn corrupted(
    instance: &GroundInstance,
    values: &SolutionValues,
    below: &mut dyn FnMut(usize) -> usize,
) -> SolutionValues {
    let mut values = values.clone();
    for _ in 0..=below(4) {
        let chosen = below(instance.finds.len());
        let find = &instance.finds[chosen];
        let Some(entry) = values.iter_mut().find(|(id, _): &&mut (DeclarationId, Value)| *id == find.id) else {
            continue;
        };
        // A changed value is often outside the domain, so try several.
        for _ in 0..20 {
            let other = changed(&entry.1, &find.domain, below);
            if find.domain.check(&other, DomainRole::Decision).is_ok() {
                entry.1 = other;
                break;
            }
        }
    }
    values
}

fn some(domain: &GroundDomain, below: &mut dyn FnMut(usize) -> usize) -> Option<Value> {
    let at = below(30);
    domain.members().take(at + 1).last()
}

/// A value with one part changed; it may be outside the domain.
fn changed(value: &Value, domain: &GroundDomain, below: &mut dyn FnMut(usize) -> usize) -> Value {
    let one = |items: &[Value], domain: &GroundDomain, below: &mut dyn FnMut(usize) -> usize| {
        let mut items = items.to_vec();
        if !items.is_empty() {
            let at = below(items.len());
            items[at] = changed(&items[at], domain, below);
        }
        items
    };
    match (value, domain) {
        (Value::Bool(value), _) => Value::Bool(!value),
        (Value::Int(_), domain) => some(domain, below).unwrap_or_else(|| value.clone()),
        (Value::Tuple(items), GroundDomain::Tuple(domains)) => {
            let at = below(items.len());
            let mut items = items.to_vec();
            items[at] = changed(&items[at], &domains[at], below);
            Value::tuple(items)
        }
        (Value::Matrix(matrix), GroundDomain::Matrix(_, element)) => {
            let elements = one(&matrix.elements, element, below);
            Value::Matrix(Arc::new(conjure_like::language::value::Matrix { elements, index: matrix.index.clone() }))
        }
        (Value::Collection(Collection::Sequence, items), GroundDomain::Collection(Collection::Sequence, _, inner)) => {
            Value::Collection(Collection::Sequence, one(items, &inner[0], below).into())
        }
        (Value::Collection(Collection::Set, items), GroundDomain::Collection(Collection::Set, _, inner)) => {
            let mut items = items.to_vec();
            if !items.is_empty() && below(3) > 0 {
                items.remove(below(items.len()));
            }
            if below(3) > 0 {
                items.extend(some(&inner[0], below));
            }
            items.sort();
            items.dedup();
            Value::set(items)
        }
        (
            Value::Collection(Collection::Relation, items),
            GroundDomain::Collection(Collection::Relation, _, columns),
        ) => {
            let mut items = items.to_vec();
            if !items.is_empty() && below(3) > 0 {
                items.remove(below(items.len()));
            }
            if below(3) > 0 {
                let tuple: Option<Vec<Value>> = columns.iter().map(|column| some(column, below)).collect();
                items.extend(tuple.map(Value::tuple));
            }
            items.sort();
            items.dedup();
            Value::of(Collection::Relation, items).expect("a relation")
        }
        (Value::Mapping(Collection::Function, pairs), GroundDomain::Collection(_, _, sides)) if !pairs.is_empty() => {
            let mut pairs = pairs.to_vec();
            let at = below(pairs.len());
            pairs[at].1 = changed(&pairs[at].1, &sides[1], below);
            Value::Mapping(Collection::Function, pairs.into())
        }
        (Value::Collection(Collection::Partition, parts), _) if parts.len() > 1 => {
            let mut parts: Vec<Vec<Value>> = parts
                .iter()
                .map(
                    |part| {
                        if let Value::Collection(Collection::Set, items) = part { items.to_vec() } else { Vec::new() }
                    },
                )
                .collect();
            let (from, to) = (below(parts.len()), below(parts.len()));
            if from != to && !parts[from].is_empty() && !parts[to].is_empty() {
                let (left, right) = (below(parts[from].len()), below(parts[to].len()));
                let moved = parts[from][left].clone();
                parts[from][left] = std::mem::replace(&mut parts[to][right], moved);
            }
            Value::of(Collection::Partition, parts.into_iter().map(Value::set).collect())
                .unwrap_or_else(|| value.clone())
        }
        _ => value.clone(),
    }
}
