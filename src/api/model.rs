//! Models: well-typed texts in Essence.

use super::{
    Instance, Pictures, Report, Solution, Text,
    stack::{Deep, deep},
};
use crate::{
    analysis::{self, model::DeclarationKind, units::is_about_units},
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::reported,
    import::{self, ImportFormat},
    instance::Find,
    language::{Name, Sense, unit::Unit},
    picture::Picture,
    pipeline,
    rewriting::{
        self,
        parameter_generator::{GeneratorOptions, parameter_generator, with_open_parameters},
    },
    source::{SourceId, Sources, Span},
    syntax::{ast, print},
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The distance to earlier plans as a goal.
#[derive(Clone, Debug)]
pub(super) struct GoalOfPlans {
    pub texts: Vec<Text>,
    /// `Minimise` to stay near the plans, `Maximise` to differ from them.
    pub sense: Sense,
    /// The largest distance to the first plan.
    pub most: Option<i64>,
}

/// A model without errors in names or types.
///
/// ```
/// use conjure_like::{Model, Text};
///
/// let model = Model::read(&Text::new("more.essence", "given n : int\nfind x : int(1..n)\nmaximising x"))?;
/// assert_eq!(model.givens().collect::<Vec<_>>(), ["n"]);
/// assert_eq!(model.finds().collect::<Vec<_>>(), ["x"]);
/// assert!(model.has_objective());
/// # Ok::<(), conjure_like::Report>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) sources: Sources,
    pub(crate) read: Arc<Deep<pipeline::ReadModel>>,
    pub(super) warnings: Diagnostics,
    pub(super) plans: Option<GoalOfPlans>,
}

impl Model {
    /// The id of the model, which is the first of its sources.
    pub(crate) const SOURCE: SourceId = SourceId(0);

    /// Reads a model and checks it.
    ///
    /// # Errors
    ///
    /// Returns all errors in the text, with help where one is known.
    pub fn read(text: &Text) -> Result<Self, Report> {
        Model::read_as(text, &[], 0, false)
    }

    /// Returns this model without the units in its comments, for programs that do not know units: in JSON and tables,
    /// its data and answers are integers.
    ///
    /// # Errors
    ///
    /// Does not fail: the model was read before.
    pub fn in_steps(&self) -> Result<Self, Report> {
        Model::read_as(&self.text(), &self.read.file.decided, self.read.file.prices, true)
    }

    /// Reads a model with the names of the variables and types that solutions decide, the number of goals that are
    /// prices of wishes, and with or without units.
    fn read_as(text: &Text, decided: &[Name], prices: usize, in_steps: bool) -> Result<Self, Report> {
        deep(|| {
            let mut sources = Sources::default();
            let source = text.add_to(&mut sources);
            let mut warnings = Diagnostics::new();
            match pipeline::read_model_text(&sources, source, &mut warnings) {
                Ok(mut read) => {
                    // The parsed file and the typed model both contain units, prices and decided names, so both are
                    // changed.
                    if in_steps {
                        read.file.comments.retain(|comment| !is_about_units(comment));
                        Arc::make_mut(&mut read.model).units.clear();
                    }
                    if prices > 0 {
                        read.file.prices = prices;
                        Arc::make_mut(&mut read.model).prices = prices;
                    }
                    if !decided.is_empty() {
                        read.file.decided.extend_from_slice(decided);
                        Arc::make_mut(&mut read.model).decided.extend(decided.iter().cloned());
                    }
                    Ok(Model { sources, read: Arc::new(Deep::new(read)), warnings, plans: None })
                }
                Err(halt) => Err(Report::halted(&sources, warnings, halt)),
            }
        })
    }

    /// Returns this model with another text that declares the same names.
    pub(super) fn with_text(&self, text: String) -> Result<Self, Report> {
        self.with_text_and(text, &self.read.file.decided, self.read.file.prices)
    }

    /// Returns this model with another text, the names that solutions decide, and the number of goals that are prices
    /// of wishes.
    pub(super) fn with_text_and(&self, text: String, decided: &[Name], prices: usize) -> Result<Self, Report> {
        let in_steps = self.typed().units.is_empty();
        // The text does not contain the decided names, the prices, the missing units and the plans, so these are kept
        // separately.
        let model = Model::read_as(&Text::new(self.text().name, text), decided, prices, in_steps)?;
        let mut model = Model { plans: self.plans.clone(), ..model };
        let (old, new) = (&self.sources.get(Self::SOURCE).text, &model.sources.get(Self::SOURCE).text);
        // The ranges of added requirements are valid only if their text has kept its offset.
        let stays = self.sources.added().iter().all(|part| old.get(part.clone()) == new.get(part.clone()));
        if stays {
            model.sources.note_added(self.sources.added().to_vec());
        }
        Ok(model)
    }

    /// Gives values to the parameters, from parameter files in Essence or JSON, which together describe one instance.
    ///
    /// # Errors
    ///
    /// Returns all errors in the data: parameters without values, values outside their domains, a `where` that is
    /// false.
    pub fn instance(&self, data: &[Text]) -> Result<Instance, Report> {
        let instance = deep(|| {
            let mut sources = self.sources.clone();
            let files: Vec<SourceId> = data.iter().map(|text| text.add_to(&mut sources)).collect();
            let mut warnings = Diagnostics::new();
            match pipeline::read_instance(self.typed(), &sources, &files, &mut warnings) {
                Ok(bound) => {
                    Ok(Instance { sources, bound: Arc::new(Deep::new(bound)), read: self.read.clone(), warnings })
                }
                Err(halt) => Err(Report::halted(&sources, warnings, halt)),
            }
        })?;
        match &self.plans {
            None => Ok(instance),
            Some(goal) => instance.with_plans(goal),
        }
    }

    /// Checks that a solution, in Essence or JSON, satisfies the model with these data.
    ///
    /// # Errors
    ///
    /// Returns the errors in the texts, or the constraint that the solution violates.
    pub fn validate(&self, data: &[Text], solution: &Text) -> Result<(), Report> {
        self.solved(data, solution).map(drop)
    }

    /// Reads a solution, in Essence or JSON, and checks it as [`Model::validate`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors in the texts, or the constraint that the solution violates.
    pub fn solution(&self, data: &[Text], solution: &Text) -> Result<Solution, Report> {
        let mut solved = self.solved(data, solution)?;
        let bound = self.instance(data)?.bound;
        // Both instances declare the same names in the same order, so their ids agree.
        let value = |find: &Find| Some((find.id, solved.environment.global(find.id).ok()?));
        let values = bound.finds.iter().filter_map(value).collect();
        Ok(Solution::new(bound, values))
    }

    /// Generates a model in Essence whose solutions are parameters of this one. The values in `data` are fixed.
    ///
    /// # Errors
    ///
    /// Returns the errors in the data, or an error if the domain of a parameter depends on another one without a value.
    pub fn parameter_generator(
        &self,
        data: &[Text],
        options: GeneratorOptions,
        width: usize,
    ) -> Result<String, Report> {
        deep(|| {
            let mut sources = self.sources.clone();
            let mut diagnostics = Diagnostics::new();
            let data: Vec<SourceId> = data.iter().map(|text| text.add_to(&mut sources)).collect();
            let parse = |source| pipeline::parse_text(&sources, source, &mut diagnostics);
            let decided = data.into_iter().map(parse).collect::<Result<Vec<_>, _>>();
            let generator = decided.map(|decided| {
                let text = &sources.get(Self::SOURCE).text;
                parameter_generator(&self.read.file, text, &decided, options, &mut diagnostics)
            });
            match generator {
                Ok(generator) if diagnostics.is_empty() => Ok(print::print_file(&generator, width)),
                Ok(_) => Err(Report::of(&sources, diagnostics)),
                Err(halt) => Err(Report::halted(&sources, diagnostics, halt)),
            }
        })
    }

    /// The model in which all parameters but the fixed ones are decision variables.
    pub(super) fn with_open_parameters(
        &self,
        fixed: &FxHashSet<Name>,
        options: GeneratorOptions,
    ) -> Result<Model, Report> {
        let text = deep(|| {
            let mut diagnostics = Diagnostics::new();
            let text = &self.sources.get(Self::SOURCE).text;
            let file = with_open_parameters(&self.read.file, text, fixed, options, &mut diagnostics);
            match diagnostics.is_empty() {
                true => Ok(print::print_file(&file, 1_000)),
                false => Err(Report::of(&self.sources, diagnostics)),
            }
        })?;
        Model::read(&Text::new(self.text().name, text))
    }

    /// The directives for pictures in the comments of the model.
    ///
    /// # Errors
    ///
    /// Returns the errors in these comments.
    pub fn pictures(&self) -> Result<Pictures, Report> {
        let mut warnings = Diagnostics::new();
        match pipeline::pictures(&self.read, &mut warnings) {
            Ok(directives) => Ok(Pictures { directives }),
            Err(halt) => Err(Report::halted(&self.sources, warnings, halt)),
        }
    }

    /// Draws a solution of this model, or of a model derived from it. Variables that are best shown as text are left
    /// out.
    pub(crate) fn drawn(&self, solution: &Solution) -> Vec<Picture> {
        let mut pictures = solution.pictures(&self.pictures().unwrap_or_default());
        // A picture that consists of text shows no more than the solution.
        pictures.retain(Picture::is_drawn);
        pictures
    }

    /// The names of the parameters, in the order of their declarations.
    pub fn givens(&self) -> impl Iterator<Item = &str> {
        self.names(|kind| matches!(kind, DeclarationKind::Given(_) | DeclarationKind::GivenEnum))
    }

    /// The names of the decision variables, in the order of their declarations.
    pub fn finds(&self) -> impl Iterator<Item = &str> {
        self.names(|kind| matches!(kind, DeclarationKind::Find(_)))
    }

    /// The number of names that the model declares, of any kind.
    pub fn declarations(&self) -> usize {
        self.typed().declarations.len()
    }

    /// The names of the unnamed types, in the order of their declarations.
    pub(crate) fn unnamed_types(&self) -> impl Iterator<Item = &str> {
        self.names(|kind| matches!(kind, DeclarationKind::Unnamed(_)))
    }

    /// Returns true if the model asks for an optimal solution, with `minimising` or `maximising`, or by its distance to
    /// a plan.
    pub fn has_objective(&self) -> bool {
        self.plans.is_some() || self.typed().objective.is_some()
    }

    /// Returns true if larger values of the objective, or of the first of several goals, are better; `None` without an
    /// objective.
    pub fn maximises(&self) -> Option<bool> {
        let own = self.typed().objective.as_ref().map(|objective| objective.sense);
        let sense = match self.plans.as_ref().map(|goal| goal.sense) {
            // If the distance is maximised, it is the only goal.
            Some(Sense::Maximise) => Some(Sense::Maximise),
            // The model's own goals precede the distance, so they decide the direction.
            Some(Sense::Minimise) => own.or(Some(Sense::Minimise)),
            None => own,
        };
        sense.map(|sense| sense == Sense::Maximise)
    }

    /// Returns true if the goals of the model compete (`pareto(…)`), so that there may be several optimal solutions.
    pub fn has_trade_offs(&self) -> bool {
        self.typed().competing_goals().is_some()
    }

    /// Returns true if the objective has several goals, lexicographic or competing.
    pub fn has_several_goals(&self) -> bool {
        self.typed().goal_units().len() > 1
    }

    /// Returns true if the model has a dominance relation, so that only undominated solutions are wanted.
    pub fn has_dominance(&self) -> bool {
        self.typed().dominance.is_some()
    }

    /// Returns an error with this message if the model has a dominance relation.
    pub(crate) fn must_be_without_dominance(&self, message: &str) -> Result<(), Report> {
        let Some(dominance) = &self.typed().dominance else { return Ok(()) };
        let error = Diagnostic::error(Code::COMMAND_LINE, message);
        let error = error.at(dominance.relation.span, "this chooses among the solutions");
        Err(Report::of(&self.sources, vec![error]))
    }

    /// Returns an error with this message if the goals compete.
    pub(crate) fn must_be_without_trade_offs(&self, message: &str) -> Result<(), Report> {
        let Some(objective) = self.typed().competing_goals() else { return Ok(()) };
        let error = Diagnostic::error(Code::COMMAND_LINE, message);
        let error = error.at(objective.value.span, "these goals compete");
        let error = error.help("put the goals in order of importance: `minimising (a, b)`");
        Err(Report::of(&self.sources, vec![error]))
    }

    /// Renders a value of the objective, or of the first goal, in its unit if the model declares one.
    pub fn objective_shown(&self, value: i64) -> String {
        match self.first_unit() {
            Some(unit) => unit.shown(value),
            None => value.to_string(),
        }
    }

    /// The unit of the first goal.
    fn first_unit(&self) -> Option<Unit> {
        match self.plans.as_ref().map(|goal| goal.sense) {
            // In this case, the only goal is a number of changes, which has no unit.
            Some(Sense::Maximise) => None,
            _ => self.typed().goal_units().first().copied().flatten(),
        }
    }

    /// Parses a decimal text as a value of the objective, or of the first goal, in whole steps of its unit.
    pub fn objective_steps(&self, text: &str) -> Option<i64> {
        match self.first_unit() {
            Some(unit) => unit.steps(text).ok(),
            None => text.parse().ok(),
        }
    }

    /// Returns the number of whole steps in a decimal text for the objective, or for the first goal, and true if there
    /// is a remainder. The number must not be negative.
    pub fn whole_objective_steps(&self, text: &str) -> Option<(i64, bool)> {
        self.first_unit().unwrap_or(Unit::WHOLE).whole_steps(text).ok()
    }

    /// Returns true if the model has `branching on`.
    pub fn has_branching(&self) -> bool {
        !self.typed().branching.is_empty()
    }

    /// The text that was read.
    pub fn text(&self) -> Text {
        let source = self.sources.get(Self::SOURCE);
        Text::new(&*source.name, &*source.text)
    }

    /// Returns the model without its objective. Its solutions are all solutions for which the objective is defined.
    pub(crate) fn without_objective(&self) -> Result<Model, Report> {
        let mut objectives = self.read.file.statements.iter().filter_map(|statement| match &statement.kind {
            ast::StatementKind::Objective { value, .. } => Some((statement.span, self.sources.text(value.span))),
            _ => None,
        });
        let Some((span, value)) = objectives.next() else { return Ok(self.clone()) };
        let sources = self.sources.edited(span, &rewriting::value_required(value));
        self.with_text(sources.get(Self::SOURCE).text.to_string())
    }

    /// Returns the model without constraints, objectives and other preferences.
    pub(crate) fn declarations_alone(&self) -> Result<Model, Report> {
        let is_declaration = |statement: &&ast::Statement| {
            !matches!(
                statement.kind,
                ast::StatementKind::SuchThat(_)
                    | ast::StatementKind::Objective { .. }
                    | ast::StatementKind::Dominance { .. }
                    | ast::StatementKind::Incomparability { .. }
                    | ast::StatementKind::BranchingOn(_)
                    | ast::StatementKind::Heuristic(_)
            )
        };
        let declarations = self.read.file.statements.iter().filter(is_declaration);
        let lines: Vec<&str> = declarations.map(|statement| self.sources.text(statement.span)).collect();
        Model::read(&Text::new("", lines.join("\n")))
    }

    /// Returns the text of a part of the model on one line, without comments.
    pub(crate) fn on_one_line(&self, span: Span) -> String {
        let code = self.sources.text(span).lines().map(|line| line.split('$').next().unwrap_or_default());
        code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn typed(&self) -> &Arc<analysis::model::TypedModel> {
        &self.read.model
    }

    fn names(&self, wanted: impl Fn(&DeclarationKind) -> bool) -> impl Iterator<Item = &str> {
        let declarations = self.typed().declarations.iter();
        declarations.filter(move |declaration| wanted(&declaration.kind)).map(|declaration| &*declaration.name)
    }
}

/// Returns all errors in a model and in the data of its instances, each of which is one or more texts. If the model has
/// errors, the data are checked as far as possible.
///
/// ```
/// use conjure_like::{Text, check};
///
/// let model = Text::new("m.essence", "given n : int\nfind x : int(1..n)\nsuch that x > y");
/// let report = check(&model, &[vec![Text::new("1.param", "letting n be true")]]);
/// assert_eq!(report.diagnostics.len(), 2);
/// ```
pub fn check(model: &Text, instances: &[Vec<Text>]) -> Report {
    deep(|| {
        let mut sources = Sources::default();
        let source = model.add_to(&mut sources);
        let mut diagnostics = Diagnostics::new();
        let read = pipeline::read_model_text(&sources, source, &mut diagnostics).map(Deep::new);
        let read = reported(read, &mut diagnostics);
        for data in instances {
            let data: Vec<SourceId> = data.iter().map(|text| text.add_to(&mut sources)).collect();
            match &read {
                Some(read) => {
                    let bound = pipeline::read_instance(&read.model, &sources, &data, &mut diagnostics).map(Deep::new);
                    reported(bound, &mut diagnostics);
                }
                // Without a typed model, only the syntax of the data and the names of parameters can be checked.
                None => pipeline::data_of_broken_model(&sources, source, &data, &mut diagnostics),
            }
        }
        Report::of(&sources, diagnostics)
    })
}

/// Converts a puzzle in a common notation to a parameter file.
///
/// # Errors
///
/// Returns an error if the text does not have this format.
pub fn import_puzzle(format: ImportFormat, puzzle: &Text) -> Result<String, Report> {
    let mut sources = Sources::default();
    let source = puzzle.add_to(&mut sources);
    import::import_puzzle_text(format, source, &puzzle.text).map_err(|error| Report::of(&sources, vec![error]))
}
