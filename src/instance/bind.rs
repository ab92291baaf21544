//! Binds parameters: every `given` gets a value in its domain, and the bounds of every domain become numbers.

use super::{
    Environment, Find, GroundInstance, blame, entry, evaluate, ground, holds, index_of_literal,
    positional::{with_declared_indices, with_inferred_indices},
};
use crate::{
    analysis::{
        Parameters,
        model::{self, Category, DeclarationId, DeclarationKind, Expr, ExprKind, TypedModel},
    },
    diagnostic::{Code, Diagnostic, Diagnostics, Severity, counted},
    halt::Halt,
    language::{
        Evaluated, GroundDomain, LARGEST_TYPE, MemberForm, Name, Stop, Type, Value,
        attributes::{Measure, Property},
        domain::{DomainRole, OutsideReason, ValueStep, Violation},
        print::MemberNames,
    },
    source::Span,
    syntax::ast::{self, Positional},
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The largest number of wrong entries of a parameter that are shown; the others are counted. Chosen.
const MOST_ENTRIES: usize = 5;

/// Binds the parameters of a model and adds suspicious data to `warnings`. A halt without an error means that a
/// parameter is missing, which analysis has reported. `files` are the files that the parameters were read from; they
/// have the spans of the entries of literals.
pub(crate) fn instantiate(
    model: Arc<TypedModel>,
    parameters: Parameters,
    files: &[ast::File],
    warnings: &mut Diagnostics,
) -> Result<GroundInstance, Halt> {
    let before = warnings.len();
    let mut binder = Binder::bound(&model, &parameters, files, warnings);
    if !binder.failed {
        model.wheres.iter().for_each(|condition| binder.check_where(condition));
        binder.check_literals(&model);
    }
    let Binder { env: environment, names, finds, undefined_domain, failed, .. } = binder;
    if failed {
        return Err(Halt::Wrong(warnings.split_off(before)));
    }
    let parameters = Arc::new(parameters);
    Ok(GroundInstance { parameters, model, environment, finds, names, undefined_domain })
}

/// The values of the parameters and the names of the members, as far as they are known; errors are ignored.
pub(crate) fn bound_in_part(
    model: &Arc<TypedModel>,
    parameters: &Parameters,
    files: &[ast::File],
) -> (Environment, MemberNames) {
    let mut ignored = Diagnostics::new();
    let Binder { env, names, .. } = Binder::bound(model, parameters, files, &mut ignored);
    (env, names)
}

struct Binder<'a> {
    env: Environment,
    names: MemberNames,
    /// The values in the parameter file.
    given: FxHashMap<DeclarationId, &'a Expr>,
    positional: &'a FxHashMap<DeclarationId, Positional>,
    /// The members of unnamed types that the data list.
    listed: &'a [(DeclarationId, Vec<Name>, Span)],
    files: &'a [ast::File],
    finds: Vec<Find>,
    undefined_domain: Option<DeclarationId>,
    /// True if an error was reported, or a parameter is missing.
    failed: bool,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Binder<'a> {
    /// Binds all declarations.
    fn bound(
        model: &Arc<TypedModel>,
        parameters: &'a Parameters,
        files: &'a [ast::File],
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let mut binder = Binder {
            env: Environment::new(model.clone()),
            names: MemberNames::default(),
            given: parameters.values.iter().map(|(id, value)| (*id, value)).collect(),
            positional: &parameters.positional,
            listed: &parameters.unnamed,
            files,
            finds: Vec::new(),
            undefined_domain: None,
            failed: false,
            diagnostics,
        };
        binder.bind_types(model, parameters);
        // Values may mention each other and the sizes of types in any order, so the first pass evaluates only the
        // values that it can.
        let later = parameters.values.iter().filter(|(id, value)| !binder.evaluate_parameter(*id, value, true));
        let later: Vec<&(DeclarationId, Expr)> = later.collect();
        if !later.is_empty() {
            binder.bind_known_sizes(model);
            for (id, value) in later {
                binder.evaluate_parameter(*id, value, false);
            }
        }
        for (position, declaration) in model.declarations.iter().enumerate() {
            binder.bind(DeclarationId(position as u32), declaration);
        }
        binder
    }

    /// Binds enumerated types, whose members everything else may mention.
    fn bind_types(&mut self, model: &TypedModel, parameters: &Parameters) {
        for (position, declaration) in model.declarations.iter().enumerate() {
            let id = DeclarationId(position as u32);
            match &declaration.kind {
                DeclarationKind::Enum(members) => self.names.add(id.0, members.as_slice().into()),
                DeclarationKind::GivenEnum => match parameters.enums.iter().find(|(given, ..)| *given == id) {
                    Some((_, members, _)) => {
                        self.env.set_size_of_type(id, members.len() as i64);
                        self.names.add(id.0, members.as_slice().into());
                    }
                    None => self.failed = true,
                },
                _ => {}
            }
        }
    }

    /// Binds the sizes of unnamed types, as far as they are known: values may be indexed by these types, and the sizes
    /// may depend on other values. Wrong sizes are reported later.
    fn bind_known_sizes(&mut self, model: &TypedModel) {
        for (id, declaration) in model.declared() {
            if let DeclarationKind::Unnamed(size) = &declaration.kind
                && let Ok(size) = evaluate(size, &mut self.env).map(|size| size.as_int())
                && (0..=LARGEST_TYPE).contains(&size)
            {
                self.env.set_size_of_type(id, size);
            }
        }
    }

    /// Evaluates the value of a parameter. Returns false if it has to wait for another parameter or the size of a type;
    /// unless `later`, that is an error.
    fn evaluate_parameter(&mut self, id: DeclarationId, value: &Expr, later: bool) -> bool {
        match evaluate(value, &mut self.env) {
            Ok(result) => self.env.bind_global(id, result),
            Err(Stop::Fault(fault)) if later && fault.code == Code::MISSING_PARAMETER => return false,
            Err(stop) => {
                let name = &self.env.model().declaration(id).name;
                let what = format!("the parameter `{name}`");
                self.report_expression(stop, &what, value);
            }
        }
        true
    }

    fn bind(&mut self, id: DeclarationId, declaration: &model::Declaration) {
        let name = &declaration.name;
        match &declaration.kind {
            DeclarationKind::Given(domain) => {
                let Some(value) = self.given.get(&id).copied() else {
                    self.failed = true;
                    return;
                };
                if let Some(domain) = self.ground(domain, declaration) {
                    if let (Some(which), Ok(value)) = (self.positional.get(&id), self.env.global(id)) {
                        let indexed = with_declared_indices(&value, &domain, &declaration.ty, *which);
                        self.env.bind_global(id, indexed);
                    }
                    let domain = match self.env.global(id) {
                        Ok(value) => with_inferred_indices(&domain, &value),
                        Err(_) => domain,
                    };
                    self.env.set_domain(id, Arc::new(domain));
                    self.check_given(id, value, declaration);
                }
            }
            DeclarationKind::Find(domain) => match ground(domain, &mut self.env) {
                Ok(domain) if !domain.is_finite() => self.report(
                    Diagnostic::error(Code::INFINITE_DOMAIN, format!("the domain of `{name}` is infinite"))
                        .at(declaration.span, "a decision variable needs a finite domain")
                        .help("give every `int` bounds, as in `int(1..9)`"),
                ),
                Ok(domain) => {
                    let domain = Arc::new(domain);
                    self.env.set_domain(id, domain.clone());
                    self.finds.push(Find { id, domain });
                }
                // If the domain is undefined, the variable has no value.
                Err(Stop::Undefined) => self.undefined_domain = Some(id),
                Err(stop) => self.report_domain(stop, declaration),
            },
            DeclarationKind::Letting(value) if value.category < Category::Decision => {
                // An undefined parameter is harmless as long as nothing needs it.
                if let Err(Stop::Fault(fault)) = self.env.global(id) {
                    self.report_fault(*fault);
                }
            }
            DeclarationKind::Unnamed(size) => self.bind_unnamed(id, size, declaration),
            DeclarationKind::Letting(_)
            | DeclarationKind::LettingDomain(_)
            | DeclarationKind::Enum(_)
            | DeclarationKind::GivenEnum => {}
        }
    }

    fn bind_unnamed(&mut self, id: DeclarationId, written: &Expr, declaration: &model::Declaration) {
        match evaluate(written, &mut self.env).map(|size| size.as_int()) {
            Ok(size) if (0..=LARGEST_TYPE).contains(&size) => {
                self.env.set_size_of_type(id, size);
                // If the data belong to an earlier plan, they may list another number of members.
                if self.env.model().takes_strangers {
                    return;
                }
                let Some((_, members, span)) = self.listed.iter().find(|(of, ..)| *of == id) else { return };
                self.names.add(id.0, members.as_slice().into());
                if i64::try_from(members.len()) != Ok(size) {
                    let message = format!("the type `{}` has {}", declaration.name, counted(size as usize, "member"));
                    let here = format!("{} listed here", members.len());
                    let error = Diagnostic::error(Code::PARAMETER_TYPE, message).at(*span, here);
                    self.report(error.at(declaration.span, "declared here"));
                }
            }
            Ok(size) => self.report(
                Diagnostic::error(
                    if size < 0 { Code::UNDEFINED_VALUE } else { Code::TOO_LARGE },
                    format!("the type `{}` cannot have {size} members", declaration.name),
                )
                .at(written.span, format!("this is {size}")),
            ),
            Err(stop) => {
                self.report_expression(stop, &format!("the size of `{}`", declaration.name), written);
            }
        }
    }

    fn ground(&mut self, domain: &model::ExprDomain, declaration: &model::Declaration) -> Option<GroundDomain> {
        match ground(domain, &mut self.env) {
            Ok(domain) => Some(domain),
            Err(stop) => {
                self.report_domain(stop, declaration);
                None
            }
        }
    }

    fn check_given(&mut self, id: DeclarationId, written: &Expr, declaration: &model::Declaration) {
        if !self.env.is_known(id) {
            return;
        }
        let (Ok(value), Some(domain)) = (self.env.global(id), self.env.domain(id)) else { return };
        let is_decided = self.env.model().decided.contains(&declaration.name);
        let role = if is_decided { DomainRole::Decision } else { DomainRole::Parameter };
        let (violations, count) = domain.violations(&value, role, MOST_ENTRIES);
        // The reference implementation ignores the attributes of partitions in parameters, so these violations are
        // tolerated.
        let (tolerated, wrong): (Vec<Violation>, Vec<Violation>) = violations.into_iter().partition(|violation| {
            role == DomainRole::Parameter
                && matches!(
                    violation.reason,
                    OutsideReason::Measure(Measure::PartSize | Measure::Parts, ..)
                        | OutsideReason::Property(Property::Regular, _)
                )
        });
        let message = format!("the value of `{}` is outside its domain", declaration.name);
        let further = count - tolerated.len() - wrong.len();
        if !wrong.is_empty() {
            let diagnostic = Diagnostic::error(Code::OUTSIDE_DOMAIN, message.clone());
            let diagnostic = self.with_entries(diagnostic, &wrong, &value, written, declaration);
            let diagnostic = match further {
                0 => diagnostic,
                1 => diagnostic.note("1 more entry is wrong"),
                _ => diagnostic.note(format!("{further} more entries are wrong")),
            };
            let diagnostic = self.about_index(diagnostic, id, &wrong[0]);
            self.report(diagnostic);
        }
        if !tolerated.is_empty() {
            let diagnostic = Diagnostic::warning(Code::BROKEN_ATTRIBUTE, message);
            let diagnostic = self.with_entries(diagnostic, &tolerated, &value, written, declaration);
            self.report(diagnostic.note(
                "conjure-like accepts the value: for a parameter, it does not enforce these attributes of a partition",
            ));
        }
    }

    /// Adds the spans of the wrong entries of a parameter.
    fn with_entries(
        &mut self,
        mut diagnostic: Diagnostic,
        violations: &[Violation],
        value: &Value,
        written: &Expr,
        declaration: &model::Declaration,
    ) -> Diagnostic {
        let tree = entry::written_letting(self.files, written.span);
        let known = self.files.iter().flat_map(|file| &file.known).find(|known| known.name.text == declaration.name);
        for (number, violation) in violations.iter().enumerate() {
            let path = path_to_violation(violation, &declaration.ty);
            if let Some(place) = known.and_then(|known| known.origin.place(value, &path)) {
                let what = violation.describe(&declaration.ty, &self.names);
                if number == 0 {
                    diagnostic.message = format!("`{}`, {}: {}", place.text, place.words, diagnostic.message);
                }
                diagnostic = diagnostic.at(place.span, format!("{}: {what}", place.words));
                if number == 0 {
                    diagnostic = diagnostic.at(declaration.span, "declared here");
                }
                continue;
            }
            // The spans of constants are in the syntax tree, because the typed model does not keep them.
            let part = tree.map(|tree| entry::place_of_entry(tree, value, &declaration.ty, &path, &self.names));
            let span = match part.filter(|span| path.is_empty() || *span != written.span) {
                Some(span) => span,
                None => blame::locate(written, &path, &mut self.env),
            };
            diagnostic = diagnostic.at(span, violation.describe(&declaration.ty, &self.names));
            if number == 0 {
                diagnostic = diagnostic.at(declaration.span, "declared here");
            }
        }
        diagnostic
    }

    /// Adds help if a matrix has the right number of elements, but other indices.
    fn about_index(&self, diagnostic: Diagnostic, id: DeclarationId, violation: &Violation) -> Diagnostic {
        let OutsideReason::Index(found, wanted) = &violation.reason else { return diagnostic };
        if found.size() != wanted.size() {
            return diagnostic;
        }
        let index = self.names.domain(wanted, &Type::Any).on_one_line();
        if self.positional.contains_key(&id) {
            diagnostic
                .help("write every index, as in `{\"0\": …, \"1\": …}`, or none")
                .note("the elements of an array are indexed from 1, even next to such objects")
        } else {
            diagnostic
                .help(format!("write the index after the elements: `[…; {index}]`"))
                .note("a matrix without an index domain is indexed from 1")
        }
    }

    fn check_where(&mut self, condition: &Expr) {
        match holds(condition, &mut self.env) {
            Ok(true) => {}
            Ok(false) => {
                let mut diagnostic = Diagnostic::error(Code::WHERE_FALSE, "a `where` rules out these parameters")
                    .at(condition.span, "this is false");
                for note in values_of_names(condition, &mut self.env, &self.names) {
                    diagnostic = diagnostic.note(note);
                }
                self.report(diagnostic);
            }
            Err(stop) => self.report_expression(stop, "this condition", condition),
        }
    }

    /// Checks that each matrix literal with known indices has one element for each index, even if it is never
    /// evaluated.
    fn check_literals(&mut self, model: &TypedModel) {
        let lettings = model.declarations.iter().filter_map(|declaration| match &declaration.kind {
            // The lettings without decisions have been evaluated.
            DeclarationKind::Letting(value) if value.category == Category::Decision => Some(value),
            _ => None,
        });
        for expr in lettings.chain(&model.constraints).chain(model.preferences()) {
            self.check_literals_in(expr);
        }
    }

    fn check_literals_in(&mut self, expr: &Expr) {
        if let ExprKind::Matrix(elements, Some(index)) = &expr.kind {
            let mut bounds = Vec::new();
            model::expressions_in_domain(index, &mut |bound| bounds.push(bound));
            if bounds.iter().all(|bound| bound.category <= Category::Parameter)
                && let Err(Stop::Fault(mut fault)) = index_of_literal(index, elements.len(), expr.span, &mut self.env)
            {
                for note in bounds.iter().flat_map(|bound| values_of_names(bound, &mut self.env, &self.names)) {
                    if !fault.notes.contains(&note) {
                        *fault = fault.note(note);
                    }
                }
                self.report_fault(*fault);
            }
        }
        expr.for_each_part(&mut |part| self.check_literals_in(part));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.failed |= diagnostic.severity == Severity::Error;
        self.diagnostics.push(diagnostic);
    }

    fn report_expression(&mut self, stop: Stop, what: &str, expr: &Expr) {
        match stop {
            Stop::Undefined => {
                let diagnostic = blame::report_of_undefined(what, expr, &mut self.env);
                self.report(diagnostic);
            }
            Stop::Fault(fault) => self.report_fault(*fault),
        }
    }

    fn report_domain(&mut self, stop: Stop, declaration: &model::Declaration) {
        match stop {
            Stop::Undefined => self.report(
                Diagnostic::error(Code::UNDEFINED_VALUE, format!("the domain of `{}` is undefined", declaration.name))
                    .at(declaration.span, "a bound or an attribute in this declaration has no value"),
            ),
            Stop::Fault(fault) => self.report_fault(*fault),
        }
    }

    /// A missing parameter is reported once, not wherever it is mentioned.
    fn report_fault(&mut self, fault: Diagnostic) {
        if fault.code == Code::MISSING_PARAMETER {
            self.failed = true;
        } else if !self.diagnostics.contains(&fault) {
            // The fault recurs wherever the letting is mentioned, so it is reported here once.
            self.report(fault);
        }
    }
}

/// The path to the subject of a violation: one of two equal images, or a part of a partition.
fn path_to_violation(violation: &Violation, ty: &Type) -> Vec<ValueStep> {
    let mut path = violation.path.clone();
    match &violation.reason {
        OutsideReason::Measure(_, Some(member), ..) => path.push(ValueStep::Member(member.clone())),
        OutsideReason::Property(property, witness) => match (property, witness.as_slice()) {
            (Property::Injective, [_, Value::Int(place), _]) if ty.form() == Some(MemberForm::Positions) => {
                path.push(ValueStep::Place(*place as usize));
            }
            (Property::Injective, [_, second, _]) => path.push(ValueStep::Argument(second.clone())),
            (Property::Regular, [_, part]) => path.push(ValueStep::Member(part.clone())),
            _ => {}
        },
        _ => {}
    }
    path
}

/// Returns equations such as `n = 4`, one for each parameter, letting or decision variable that an expression mentions.
pub(crate) fn values_of_names(expr: &Expr, env: &mut Environment, names: &MemberNames) -> Vec<String> {
    let mut ids = Vec::new();
    collect_globals(expr, &mut ids);
    let model = env.model().clone();
    let describe = |id: &DeclarationId| {
        let declaration = model.declaration(*id);
        let value: Evaluated = env.global(*id);
        Some(format!("{} = {}", declaration.name, names.show_briefly(&value.ok()?, &declaration.ty)))
    };
    ids.iter().filter_map(describe).collect()
}

fn collect_globals(expr: &Expr, ids: &mut Vec<DeclarationId>) {
    if let ExprKind::Global(id) = expr.kind
        && !ids.contains(&id)
    {
        ids.push(id);
    }
    expr.for_each_part(&mut |part| collect_globals(part, ids));
}
