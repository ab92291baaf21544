//! Sessions: an instance that stays loaded while requirements and data change.

use super::{
    Instance, Model, Report, Solution, Summary, Text,
    members::data_without_value,
    stack::{Deep, deep},
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::Halt,
    instance::GroundInstance,
    pipeline::{self, KeptInstance},
    solver::EngineOptions,
    source::Sources,
    syntax::{self, ast::StatementKind, json},
};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, mem, ops::ControlFlow};

/// The number of instances with earlier data that are kept in case the data return. Chosen.
const MOST_INSTANCES: usize = 4;

/// An instance that is solved repeatedly while requirements and data change. A session reuses the checked model, the
/// problem, the learnt clauses and bounds, and the solutions. Independent searches give the same answers, except for
/// the choice among several (optimal) solutions.
///
/// ```
/// use conjure_like::{EngineOptions, Model, SolveSession, Text};
/// use std::ops::ControlFlow;
///
/// let text = "given n : int find x, y : int(0..n) such that x + y = n maximising x";
/// let model = Model::read(&Text::new("m.essence", text))?;
/// let mut session = SolveSession::new(&model, &[Text::new("data", "letting n be 6")])?;
/// let best = |session: &mut SolveSession| {
///     let mut best = None;
///     session.solve(&EngineOptions::default(), &mut |solution| {
///         best = solution.objective().and_then(|value| value.as_int());
///         ControlFlow::Continue(())
///     })?;
///     Ok::<_, conjure_like::Report>(best)
/// };
/// assert_eq!(best(&mut session)?, Some(6));
/// session.require(&["x <= 4", "y != 2"])?;
/// assert_eq!(best(&mut session)?, Some(3));
/// assert!(session.undo());
/// session.set(&[Text::new("data", "letting n be 9")])?;
/// assert_eq!(best(&mut session)?, Some(9));
/// # Ok::<(), conjure_like::Report>(())
/// ```
pub struct SolveSession {
    model: Model,
    data: Vec<Text>,
    steps: Vec<SessionStep>,
    /// The instances, the most recently used one last.
    instances: Vec<SessionInstance>,
    /// The last solution, from which a search with other data starts.
    last: Option<Text>,
}

/// A step that can be undone.
enum SessionStep {
    Require(Vec<String>),
    /// The data before a change of values.
    Set(Vec<Text>),
}

/// The instance of the model for some data.
struct SessionInstance {
    data: Vec<Text>,
    /// The model in which the members from the data have names.
    model: Model,
    instance: Instance,
    /// The problem; `None` before the first search.
    kept: Option<Deep<KeptInstance>>,
    /// The indices of the requirements in the problem.
    known: BTreeMap<String, usize>,
}

impl SolveSession {
    /// Starts a session with these data.
    ///
    /// # Errors
    ///
    /// Returns the errors in the data, or an error if the model has competing goals (`pareto`) or a dominance relation,
    /// because then there is no single optimal solution.
    pub fn new(model: &Model, data: &[Text]) -> Result<Self, Report> {
        model.must_be_without_dominance("a session cannot find what a dominance relation chooses")?;
        model.must_be_without_trade_offs("a session cannot find trade-offs")?;
        // If a file has several instances, this one is copied out, so that its values can be replaced.
        let (model, data) = (model.clone(), data.iter().cloned().map(Text::alone).collect());
        let mut session = SolveSession { model, data, steps: Vec::new(), instances: Vec::new(), last: None };
        session.instance()?;
        Ok(session)
    }

    /// Adds requirements as one step.
    ///
    /// # Errors
    ///
    /// Returns the errors in an expression; then no requirement is added.
    pub fn require(&mut self, requirements: &[&str]) -> Result<(), Report> {
        let instance = self.instance()?;
        for requirement in requirements {
            if !instance.known.contains_key(*requirement) {
                // This only checks the requirement; the next search adds it to the problem.
                deep(|| instance.read(requirement).map(Deep::new))?;
            }
        }
        let requirements = requirements.iter().map(|&requirement| requirement.to_owned());
        self.steps.push(SessionStep::Require(requirements.collect()));
        Ok(())
    }

    /// Sets parameters to other values as one step, from parameter files in Essence or JSON, or tables.
    ///
    /// # Errors
    ///
    /// Returns the errors in the data; then nothing changes.
    pub fn set(&mut self, values: &[Text]) -> Result<(), Report> {
        let mut data = self.data.clone();
        for name in deep(|| values.iter().flat_map(given_names).collect::<Vec<String>>()) {
            let rest = data_without_value(data, &name);
            data = rest.ok_or_else(|| {
                let error = format!("the value of `{name}` cannot be replaced: it is part of a statement with others");
                let error = Diagnostic::error(Code::COMMAND_LINE, error);
                Report::from(error.help(format!("write `letting {name} be …` as a separate statement")))
            })?;
        }
        data.extend_from_slice(values);
        let before = mem::replace(&mut self.data, data);
        // The new data are bound now, so that an error leaves the session unchanged.
        if let Err(wrong) = self.instance() {
            self.data = before;
            return Err(wrong);
        }
        self.steps.push(SessionStep::Set(before));
        Ok(())
    }

    /// Undoes the last step; returns false if there is none.
    pub fn undo(&mut self) -> bool {
        match self.steps.pop() {
            Some(SessionStep::Set(before)) => self.data = before,
            Some(SessionStep::Require(_)) => {}
            None => return false,
        }
        true
    }

    /// The number of steps that can be undone.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The active requirements that are not in the model, in the order in which they were added.
    pub fn requirements(&self) -> impl Iterator<Item = &str> {
        let requirements = self.steps.iter().filter_map(|step| match step {
            SessionStep::Require(requirements) => Some(requirements),
            SessionStep::Set(_) => None,
        });
        requirements.flatten().map(String::as_str)
    }

    /// Finds a solution; with an objective, better and better ones, the last of which is optimal. The search starts at
    /// the last solution, which is reported first if it still satisfies everything. Another thread can end the search
    /// through the limits in the options.
    ///
    /// # Errors
    ///
    /// Returns an error if the instance is too large, or if a requirement is wrong for the current data.
    pub fn solve(
        &mut self,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<Summary, Report> {
        let requirements: Vec<String> = self.requirements().map(str::to_owned).collect();
        let last = self.last.clone();
        let mut newest = None;
        let instance = self.instance()?;
        let searched = deep(|| {
            instance.solve(&requirements, last.as_ref(), options, &mut |solution| {
                newest = Some(Text::new("the last solution", solution.to_json()));
                found(solution)
            })
        });
        // If a search finds no solution, the previous one remains the start.
        self.last = newest.or(last);
        searched
    }

    /// Returns the instance for the current data.
    fn instance(&mut self) -> Result<&mut SessionInstance, Report> {
        match self.instances.iter().position(|instance| instance.data == self.data) {
            Some(position) => {
                let instance = self.instances.remove(position);
                self.instances.push(instance);
            }
            None => {
                let (model, data) = self.model.with_members(&self.data, &[])?;
                let instance = model.instance(&data)?;
                // The instances are in the order of their last use, so the first one is the least recently used.
                if self.instances.len() == MOST_INSTANCES {
                    self.instances.remove(0);
                }
                let (data, known) = (self.data.clone(), BTreeMap::new());
                self.instances.push(SessionInstance { data, model, instance, kept: None, known });
            }
        }
        let last = self.instances.len() - 1;
        Ok(&mut self.instances[last])
    }
}

impl SessionInstance {
    /// Returns the instance with a requirement as its last constraint.
    fn read(&self, requirement: &str) -> Result<GroundInstance, Report> {
        let mut sources = self.instance.sources.clone();
        let source = Text::new("requirement", requirement).add_to(&mut sources);
        let read = syntax::parse_expression(source, requirement)
            .and_then(|expression| pipeline::with_constraint(&self.instance.bound, &self.model.read.file, expression));
        read.map_err(|halt| Report::halted(&sources, Diagnostics::new(), halt))
    }

    fn solve(
        &mut self,
        requirements: &[String],
        last: Option<&Text>,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<Summary, Report> {
        let bound = self.instance.bound.clone();
        // A kept problem already has the last solution, so only a new problem needs a start.
        let plan = match (&self.kept, last) {
            // The last solution may belong to other data, so values that do not fit are left out.
            (None, Some(last)) => self.instance.values_of_plan(last).ok(),
            _ => None,
        };
        let searched = self.with_requirements(requirements, options)?.and_then(|(kept, in_force)| {
            kept.solve(&bound, &in_force, plan.as_ref(), options, &mut |values| {
                found(&Solution::new(bound.clone(), values.clone()))
            })
        });
        match searched {
            Ok(searched) => Ok(Summary { solutions: searched.solutions, status: searched.into(), statistics: None }),
            Err(halt) => {
                let stopped = self.instance.limit(halt)?;
                Ok(Summary { status: stopped.into(), solutions: 0, statistics: None })
            }
        }
    }

    /// Returns the problem with all requirements, and their indices in it; or the limit that was reached.
    fn with_requirements(
        &mut self,
        requirements: &[String],
        options: &EngineOptions,
    ) -> Result<Result<(&mut KeptInstance, Vec<usize>), Halt>, Report> {
        if self.kept.is_none() {
            match KeptInstance::new(&self.instance.bound, options) {
                Ok(kept) => self.kept = Some(Deep::new(kept)),
                Err(halt) => return Ok(Err(halt)),
            }
        }
        // Requirements are added once and never removed; assumptions select the ones that are in force.
        let mut in_force = Vec::with_capacity(requirements.len());
        for requirement in requirements {
            let number = match self.known.get(requirement) {
                Some(number) => *number,
                None => {
                    let read = self.read(requirement)?;
                    let Some(kept) = &mut self.kept else { continue };
                    match kept.add(read, options) {
                        Ok(number) => number,
                        Err(halt) => return Ok(Err(halt)),
                    }
                }
            };
            // If a requirement is undone and added again, it keeps its number, so its clauses and all that was learnt
            // from them are used again.
            self.known.insert(requirement.clone(), number);
            in_force.push(number);
        }
        match &mut self.kept {
            Some(kept) => Ok(Ok((&mut **kept, in_force))),
            None => Ok(Err(options.limits.at_stop().into())),
        }
    }
}

/// Returns the parameters that a text of data sets.
fn given_names(data: &Text) -> Vec<String> {
    if !data.sheets().is_empty() {
        return data.sheets().iter().flat_map(given_names).collect();
    }
    if let Some(table) = data.table_use() {
        return vec![table.parameter.clone()];
    }
    if json::is_json(&data.text) {
        let object = serde_json::from_str::<Map<String, Value>>(&data.text);
        return object.map_or(Vec::new(), |object| object.into_iter().map(|(name, _)| name).collect());
    }
    let mut sources = Sources::default();
    let source = data.add_to(&mut sources);
    let file = pipeline::parse_text(&sources, source, &mut Diagnostics::new());
    let statements = file.map_or(Vec::new(), |file| file.statements);
    let names = statements.into_iter().filter_map(|statement| match statement.kind {
        StatementKind::Letting { names, .. } => Some(names),
        _ => None,
    });
    names.flatten().map(|name| name.text.to_string()).collect()
}
