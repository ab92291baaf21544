//! Compares submissions to an exercise with its reference.
//!
//! You may add shortcomings. Exercises name the existing ones in their feedback.

use crate::{
    api::{Instance, Model, Report, SolveOptions, Text},
    comparison::{CompareOptions, Comparison, Difference, DifferenceKind, Refusal},
    diagnostic::{Code, Diagnostic, Diagnostics, Severity},
    solver::EngineOptions,
    source::Span,
    syntax::ast::StatementKind,
};
use std::{
    error::Error,
    fmt::{self, Display, Formatter},
    ops::ControlFlow,
    time::{Duration, Instant},
};

/// The ways in which a submission is worse than the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shortcoming {
    /// The text is not Essence.
    Syntax,
    /// Names or types are wrong.
    Types,
    /// A parameter or a decision variable of the exercise is missing, or has another type.
    Interface,
    /// The submission allows a solution that the reference refuses.
    Allows,
    /// The submission refuses a solution that the reference allows.
    Refuses,
    /// The solutions are the same, but not the objective.
    Objective,
    /// There is no answer within the limits.
    Slow,
}

impl Shortcoming {
    /// All shortcomings, the worst first.
    pub const ALL: [Self; 7] =
        [Self::Syntax, Self::Types, Self::Interface, Self::Allows, Self::Refuses, Self::Objective, Self::Slow];

    /// The name in files: `allows`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Types => "types",
            Self::Interface => "interface",
            Self::Allows => "allows",
            Self::Refuses => "refuses",
            Self::Objective => "objective",
            Self::Slow => "slow",
        }
    }
}

/// A submission that can be compared with the reference.
///
/// ```
/// use conjure_like::{EngineOptions, Model, Shortcoming, Submission, Text};
///
/// let text = "find x, y : int(1..3)\nsuch that\n    $ hint: May both be equal?\n    x < y";
/// let reference = Model::read(&Text::new("reference.essence", text))?;
/// let anna = Text::new("anna.essence", "find x, y : int(1..3)\nsuch that x <= y");
/// let submission = Submission::read(&reference, &anna);
/// let graded = submission.expect("it has both variables").on(&[], &EngineOptions::default())?;
/// assert_eq!(graded.shortcoming, Some(Shortcoming::Allows));
/// assert_eq!(graded.hint.as_deref(), Some("May both be equal?"));
/// # Ok::<(), conjure_like::Report>(())
/// ```
#[derive(Clone, Debug)]
pub struct Submission<'a> {
    reference: &'a Model,
    model: Model,
}

/// The reason why a submission cannot be compared with the reference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RejectedSubmission {
    /// The kind of the mistake.
    pub shortcoming: Shortcoming,
    /// The mistakes in the text.
    pub report: Report,
}

impl Display for RejectedSubmission {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}

impl Error for RejectedSubmission {}

/// The result of a submission on one instance.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GradedInstance {
    /// The shortcoming; `None` if no difference was found.
    pub shortcoming: Option<Shortcoming>,
    /// True if the answer is certain. It is not if there were too many solutions to judge all.
    pub complete: bool,
    /// The difference, with the solution that shows it.
    pub difference: Option<Difference>,
    /// The hint in the reference for the requirement that the solution breaks.
    pub hint: Option<String>,
    /// The constraints and declarations that the solution breaks, as written: of the reference if the submission allows
    /// too much, of the submission if it refuses too much.
    pub broken: Vec<String>,
    /// The report if the data do not fit the submission.
    pub report: Option<Report>,
    /// The Boolean and integer terms of the problem for the solver; 0 if there is none.
    pub terms: u64,
    /// The time to find one solution or the best one; `None` if the submission was not solved.
    pub time: Option<Duration>,
    /// True if the submission has a solution; `None` if it was not solved.
    pub has_solution: Option<bool>,
}

impl<'a> Submission<'a> {
    /// Reads a submission and checks that it has the parameters and decision variables of the reference.
    ///
    /// # Errors
    ///
    /// The mistakes in the text, with their kind.
    pub fn read(reference: &'a Model, text: &Text) -> Result<Self, RejectedSubmission> {
        let model = Model::read(text).map_err(|report| {
            // The codes below 200 concern tokens and syntax.
            let is_syntax = |diagnostic: &&Diagnostic| diagnostic.code.number < 200;
            let errors = || report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
            let shortcoming =
                if errors().any(|error| is_syntax(&error)) { Shortcoming::Syntax } else { Shortcoming::Types };
            RejectedSubmission { shortcoming, report }
        })?;
        let interface = |report| RejectedSubmission { shortcoming: Shortcoming::Interface, report };
        let mapping = model.mapping(&[]).map_err(interface)?;
        let report = model.lacks(reference, &mapping);
        if report.has_errors() {
            return Err(interface(report));
        }
        Ok(Submission { reference, model })
    }

    /// The number of constraints of the submission.
    pub fn constraints(&self) -> usize {
        self.model.typed().constraints.len()
    }

    /// Compares the submission with the reference on one instance, and solves it if no difference was found.
    ///
    /// # Errors
    ///
    /// Returns an error if the data do not fit the reference.
    pub fn on(&self, data: &[Text], search: &EngineOptions) -> Result<GradedInstance, Report> {
        self.reference.instance(data)?;
        let mut graded = GradedInstance {
            shortcoming: None,
            complete: true,
            difference: None,
            hint: None,
            broken: Vec::new(),
            report: None,
            terms: 0,
            time: None,
            has_solution: None,
        };
        let instance = match self.model.instance(data) {
            Ok(instance) => instance,
            Err(report) => {
                return Ok(GradedInstance {
                    shortcoming: Some(Shortcoming::Interface),
                    report: Some(report),
                    ..graded
                });
            }
        };
        let options = CompareOptions { search: search.clone(), ..CompareOptions::default() };
        match self.model.compare(self.reference, data, &options) {
            Ok(Comparison { difference: Some(difference), .. }) => {
                graded.shortcoming = Some(match difference.kind {
                    DifferenceKind::Allowed => Shortcoming::Allows,
                    DifferenceKind::Refused => Shortcoming::Refuses,
                    DifferenceKind::Objective(..) => Shortcoming::Objective,
                });
                if let Some(because) = &difference.because {
                    let is_allowed = difference.kind == DifferenceKind::Allowed;
                    let judge = if is_allowed { self.reference } else { &self.model };
                    graded.broken = judge.broken(because);
                    graded.hint = is_allowed.then(|| self.reference.hint_for(because)).flatten();
                }
                graded.difference = Some(difference);
            }
            Ok(compared) => graded.complete = compared.complete,
            Err(report) => return Ok(graded.refused(search, report)),
        }
        // The deadline of `search` covers both steps, so after a slow comparison no time is left for solving.
        if search.reached().is_some() {
            graded.shortcoming.get_or_insert(Shortcoming::Slow);
        } else if graded.shortcoming.is_none()
            && let Err(report) = graded.solve(&instance, search)
        {
            return Ok(graded.refused(search, report));
        }
        Ok(graded)
    }
}

impl GradedInstance {
    /// The result of a submission that cannot be solved.
    fn refused(self, search: &EngineOptions, report: Report) -> Self {
        match search.reached() {
            Some(_) => GradedInstance { shortcoming: Some(Shortcoming::Slow), ..self },
            // If the problem is too large, other instances would also exceed the limits; errors such as an undefined
            // value are in the report.
            None => {
                let too_large = report.diagnostics.iter().any(|error| error.code == Code::TOO_LARGE);
                let kind = if too_large { Shortcoming::Slow } else { Shortcoming::Interface };
                GradedInstance { shortcoming: Some(kind), report: Some(report), ..self }
            }
        }
    }

    fn solve(&mut self, instance: &Instance, search: &EngineOptions) -> Result<(), Report> {
        let options = SolveOptions { search: search.clone(), ..SolveOptions::default() };
        let start = Instant::now();
        let compiled = instance.compile(&options)?;
        let is_term = |(name, _): &&(&str, u64)| name.ends_with(" terms");
        self.terms = compiled.sizes().iter().filter(is_term).map(|(_, number)| number).sum();
        let solved = compiled.solve(&options, &mut |_| ControlFlow::Continue(()))?;
        match search.reached() {
            Some(_) => self.shortcoming = Some(Shortcoming::Slow),
            None => {
                self.time = Some(start.elapsed());
                self.has_solution = Some(solved.solutions > 0);
            }
        }
        Ok(())
    }
}

impl Model {
    /// True if the constraints of this model refuse a solution that its declarations allow; `None` if that is unknown.
    pub fn refuses_something(&self, data: &[Text], search: &EngineOptions) -> Option<bool> {
        let declarations = self.declarations_alone().ok()?;
        let options = CompareOptions { search: search.clone(), ..CompareOptions::default() };
        let compared = declarations.compare(self, data, &options).ok()?;
        match compared.difference {
            Some(difference) => Some(difference.kind == DifferenceKind::Allowed),
            None => compared.complete.then_some(false),
        }
    }

    /// The parameters and decision variables of a reference that this model does not have.
    fn lacks(&self, reference: &Model, mapping: &[(String, String)]) -> Report {
        let mut diagnostics = Diagnostics::new();
        let mut error = |message: String, help: String| {
            diagnostics.push(Diagnostic::error(Code::EXERCISE, message).help(help));
        };
        let kinds: [(&str, Vec<&str>, Vec<&str>); 2] = [
            ("given", reference.givens().collect(), self.givens().collect()),
            ("find", reference.finds().collect(), self.finds().collect()),
        ];
        for (keyword, wanted, own) in kinds {
            for name in &wanted {
                if keyword == "find" && mapping.iter().any(|(mapped, _)| mapped == name) {
                    continue;
                }
                let ty = reference.type_of(name).unwrap_or_default();
                if !own.contains(name) {
                    error(
                        format!("the model has no `{keyword} {name}`"),
                        format!("declare `{name}` as the exercise says: its type is {ty}"),
                    );
                } else if let Some(other) = self.type_of(name).filter(|other| *other != ty) {
                    error(
                        format!("`{name}` has the type {other}"),
                        format!("declare `{name}` as the exercise says: its type is {ty}"),
                    );
                }
            }
            // The instances of the exercise have no values for additional parameters.
            for name in own.iter().filter(|name| keyword == "given" && !wanted.contains(name)) {
                error(
                    format!("the exercise has no parameter `{name}`"),
                    format!("give `{name}` its value with `letting {name} be …`"),
                );
            }
        }
        if diagnostics.is_empty()
            && let Err(report) = self.correspond(reference, mapping)
        {
            return report;
        }
        Report::of(&self.sources, diagnostics)
    }

    /// The constraints and declarations that refuse a solution, each on one line, without the rest of the statement.
    fn broken(&self, because: &Refusal) -> Vec<String> {
        let mut broken: Vec<String> = Vec::new();
        for whole in because.places().filter_map(|span| self.whole(span)) {
            let text = self.on_one_line(whole);
            if !broken.contains(&text) {
                broken.push(text);
            }
        }
        broken
    }

    /// The hint for the first of these requirements that has one: comments `$ hint: …` above a constraint or a
    /// declaration.
    fn hint_for(&self, because: &Refusal) -> Option<String> {
        because.places().find_map(|span| self.hint_above(span))
    }

    /// The constraint or statement that contains this span.
    fn whole(&self, span: Span) -> Option<Span> {
        let statement = self.read.file.statements.iter().find(|statement| statement.span.contains(span))?;
        match &statement.kind {
            StatementKind::SuchThat(constraints) | StatementKind::Where(constraints) => {
                constraints.iter().map(|constraint| constraint.span).find(|constraint| constraint.contains(span))
            }
            _ => Some(statement.span),
        }
    }

    /// The hint in the comments above the constraint or statement that contains this span: the rest of the last line
    /// with `hint:`, and the lines below.
    fn hint_above(&self, span: Span) -> Option<String> {
        let whole = self.whole(span)?;
        let comments = self.read.file.comments.iter();
        let above = comments.filter(|comment| comment.own_line && comment.subject.span() == Some(whole));
        let mut lines: Vec<&str> = Vec::new();
        for comment in above {
            let words = comment.text.trim_start_matches('$').trim();
            match words.strip_prefix("hint:") {
                Some(first) => lines = vec![first.trim()],
                None if lines.is_empty() => {}
                None => lines.push(words),
            }
        }
        (!lines.is_empty()).then(|| lines.join(" "))
    }
}
