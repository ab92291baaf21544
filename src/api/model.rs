//! Models: texts that are well-typed Essence.

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
        parameter_generator::{GeneratorOptions, parameter_generator},
    },
    source::{SourceId, Sources, Span},
    syntax::{ast, print},
};
use std::sync::Arc;

/// The distance to earlier plans as a goal.
#[derive(Clone, Debug)]
pub(super) struct GoalOfPlans {
    pub texts: Vec<Text>,
    /// Whether the solutions shall be near to the plans or far from them.
    pub sense: Sense,
    /// The largest distance to the first plan.
    pub most: Option<i64>,
}

/// A model whose names and types are right.
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
    /// The model comes first among its sources.
    pub(crate) const SOURCE: SourceId = SourceId(0);

    /// Reads a model and checks it.
    ///
    /// # Errors
    ///
    /// All that is wrong with the text, with a way out for each mistake where one is known.
    pub fn read(text: &Text) -> Result<Self, Report> {
        Model::read_as(text, &[], 0, false)
    }

    /// This model without the units that its comments declare, for programs that know nothing of them: data and answers
    /// in JSON and tables are integers.
    ///
    /// # Errors
    ///
    /// None: the model was read before.
    pub fn in_steps(&self) -> Result<Self, Report> {
        Model::read_as(&self.text(), &self.read.file.decided, self.read.file.prices, true)
    }

    /// Reads a model with the names of what solutions list beside the decision variables, the number of goals that are
    /// prices of wishes, and with or without units.
    fn read_as(text: &Text, decided: &[Name], prices: usize, in_steps: bool) -> Result<Self, Report> {
        deep(|| {
            let mut sources = Sources::default();
            let source = text.add_to(&mut sources);
            let mut warnings = Diagnostics::new();
            match pipeline::read_model_text(&sources, source, &mut warnings) {
                Ok(mut read) => {
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

    /// This model with another text, which declares the same.
    pub(super) fn with_text(&self, text: String) -> Result<Self, Report> {
        self.with_text_and(text, &self.read.file.decided, self.read.file.prices)
    }

    /// This model with another text, the names of what solutions list beside the decision variables, and the number of
    /// goals that are prices of wishes.
    pub(super) fn with_text_and(&self, text: String, decided: &[Name], prices: usize) -> Result<Self, Report> {
        let in_steps = self.typed().units.is_empty();
        let model = Model::read_as(&Text::new(self.text().name, text), decided, prices, in_steps)?;
        let mut model = Model { plans: self.plans.clone(), ..model };
        let (old, new) = (&self.sources.get(Self::SOURCE).text, &model.sources.get(Self::SOURCE).text);
        let stays = self.sources.added().iter().all(|part| old.get(part.clone()) == new.get(part.clone()));
        if stays {
            model.sources.note_added(self.sources.added().to_vec());
        }
        Ok(model)
    }

    /// Gives the parameters their values, from the texts of parameter files, in Essence or JSON, that together make one
    /// instance.
    ///
    /// # Errors
    ///
    /// All that is wrong with the data: parameters without values, values outside their domains, a `where` that is
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
    /// What is wrong with the texts, or which constraint the solution violates.
    pub fn validate(&self, data: &[Text], solution: &Text) -> Result<(), Report> {
        self.solved(data, solution).map(drop)
    }

    /// Reads a solution, in Essence or JSON, and checks it as [`Model::validate`] does.
    ///
    /// # Errors
    ///
    /// What is wrong with the texts, or which constraint the solution violates.
    pub fn solution(&self, data: &[Text], solution: &Text) -> Result<Solution, Report> {
        let mut solved = self.solved(data, solution)?;
        let bound = self.instance(data)?.bound;
        // The declarations are the same ones in the same order.
        let value = |find: &Find| Some((find.id, solved.environment.global(find.id).ok()?));
        let values = bound.finds.iter().filter_map(value).collect();
        Ok(Solution::new(bound, values))
    }

    /// A model whose solutions are parameters of this one, in Essence. The values in `data` are decided already.
    ///
    /// # Errors
    ///
    /// What is wrong with the data; parameters whose domains depend on others that have no value.
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

    /// What the comments in the model say about how its variables are to be drawn.
    ///
    /// # Errors
    ///
    /// Mistakes in these comments.
    pub fn pictures(&self) -> Result<Pictures, Report> {
        let mut warnings = Diagnostics::new();
        match pipeline::pictures(&self.read, &mut warnings) {
            Ok(directives) => Ok(Pictures { directives }),
            Err(halt) => Err(Report::halted(&self.sources, warnings, halt)),
        }
    }

    /// The pictures of a solution of this model, or of a model that was made from it; none of variables that are best
    /// shown as text.
    pub(crate) fn drawn(&self, solution: &Solution) -> Vec<Picture> {
        let mut pictures = solution.pictures(&self.pictures().unwrap_or_default());
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

    /// Whether the model asks for a best solution, with `minimising` or `maximising`, or for its distance to a plan.
    pub fn has_objective(&self) -> bool {
        self.plans.is_some() || self.typed().objective.is_some()
    }

    /// With an objective, whether large values of it are better; of several ones, the first.
    pub fn maximises(&self) -> Option<bool> {
        let own = self.typed().objective.as_ref().map(|objective| objective.sense);
        let sense = match self.plans.as_ref().map(|goal| goal.sense) {
            Some(Sense::Maximise) => Some(Sense::Maximise),
            Some(Sense::Minimise) => own.or(Some(Sense::Minimise)),
            None => own,
        };
        sense.map(|sense| sense == Sense::Maximise)
    }

    /// Whether the goals of the model compete (`pareto(…)`), so that it has several best solutions.
    pub fn has_trade_offs(&self) -> bool {
        self.typed().competing_goals().is_some()
    }

    /// Whether the objective has several goals, in order of importance or in competition.
    pub fn has_several_goals(&self) -> bool {
        self.typed().goal_units().len() > 1
    }

    /// Whether a dominance relation chooses among the solutions, so that those are wanted that no other one dominates.
    pub fn has_dominance(&self) -> bool {
        self.typed().dominance.is_some()
    }

    /// Refuses what knows nothing of dominance relations.
    pub(crate) fn must_be_without_dominance(&self, message: &str) -> Result<(), Report> {
        let Some(dominance) = &self.typed().dominance else { return Ok(()) };
        let error = Diagnostic::error(Code::COMMAND_LINE, message);
        let error = error.at(dominance.relation.span, "this chooses among the solutions");
        Err(Report::of(&self.sources, vec![error]))
    }

    /// Refuses what knows nothing of goals that compete.
    pub(crate) fn must_be_without_trade_offs(&self, message: &str) -> Result<(), Report> {
        let Some(objective) = self.typed().competing_goals() else { return Ok(()) };
        let error = Diagnostic::error(Code::COMMAND_LINE, message);
        let error = error.at(objective.value.span, "these goals compete");
        let error = error.help("put the goals in order of importance: `minimising (a, b)`");
        Err(Report::of(&self.sources, vec![error]))
    }

    /// A value of the objective, or of the first goal, as people write it: in its unit, if the model declares one.
    pub fn objective_shown(&self, value: i64) -> String {
        match self.first_unit() {
            Some(unit) => unit.shown(value),
            None => value.to_string(),
        }
    }

    /// The unit of the first goal.
    fn first_unit(&self) -> Option<Unit> {
        match self.plans.as_ref().map(|goal| goal.sense) {
            Some(Sense::Maximise) => None,
            _ => self.typed().goal_units().first().copied().flatten(),
        }
    }

    /// The number that a decimal text is for the objective, or for the first goal: whole steps of its unit.
    pub fn objective_steps(&self, text: &str) -> Option<i64> {
        match self.first_unit() {
            Some(unit) => unit.steps(text).ok(),
            None => text.parse().ok(),
        }
    }

    /// The whole steps that a decimal number has for the objective, or for the first goal, and whether there is a rest.
    /// The number is not negative.
    pub fn whole_objective_steps(&self, text: &str) -> Option<(i64, bool)> {
        self.first_unit().unwrap_or(Unit::WHOLE).whole_steps(text).ok()
    }

    /// Whether the model says with `branching on` what to search first.
    pub fn has_branching(&self) -> bool {
        !self.typed().branching.is_empty()
    }

    /// The text that was read.
    pub fn text(&self) -> Text {
        let source = self.sources.get(Self::SOURCE);
        Text::new(&*source.name, &*source.text)
    }

    /// The model of all solutions for which the objective has a value.
    pub(crate) fn without_objective(&self) -> Result<Model, Report> {
        let mut objectives = self.read.file.statements.iter().filter_map(|statement| match &statement.kind {
            ast::StatementKind::Objective { value, .. } => Some((statement.span, self.sources.text(value.span))),
            _ => None,
        });
        let Some((span, value)) = objectives.next() else { return Ok(self.clone()) };
        let sources = self.sources.edited(span, &rewriting::value_required(value));
        self.with_text(sources.get(Self::SOURCE).text.to_string())
    }

    /// The model without constraints, and without what is wanted of solutions.
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

    /// The text of a part of the model on one line, without comments.
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

/// All that is wrong with a model and, as far as it can be told beside mistakes in the model, with the data of its
/// instances, each of them one or more texts.
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
                None => pipeline::data_of_broken_model(&sources, source, &data, &mut diagnostics),
            }
        }
        Report::of(&sources, diagnostics)
    })
}

/// The parameter file for a puzzle as people write it down.
///
/// # Errors
///
/// The text does not have this format.
pub fn import_puzzle(format: ImportFormat, puzzle: &Text) -> Result<String, Report> {
    let mut sources = Sources::default();
    let source = puzzle.add_to(&mut sources);
    import::import_puzzle_text(format, source, &puzzle.text).map_err(|error| Report::of(&sources, vec![error]))
}
