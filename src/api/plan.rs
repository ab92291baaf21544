//! Earlier plans as values of today's decision variables.

use super::{
    Instance, Model, Report, Solution, Text, Value,
    model::GoalOfPlans,
    stack::{Deep, deep},
};
use crate::{
    analysis::model::DeclarationId,
    diagnostic::{Code, Diagnostic, Diagnostics, nearest},
    explain,
    instance::{Find, GroundInstance},
    language::{Name, Sense, differences, print::MemberNames},
    lowering::PlanValues,
    pipeline::{self, ModelValues, ReadModel},
    solution::Fitting,
    syntax::{
        ast::EarlierPlans,
        tokens::{Token, TokenKind, tokens},
    },
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The value of a part of an earlier plan.
pub(super) struct PlanPart {
    /// The value for display, in its units.
    pub shown: String,
    /// The value as text for the model; `None` if a member in the value, or in the text of the part, no longer exists.
    pub literal: Option<String>,
}

impl Instance {
    /// Returns the value of a part of an earlier plan, such as `board[2, 3]`.
    pub(super) fn part_of_plan(&self, plan: &Text, part: &Text) -> Result<PlanPart, Report> {
        deep(|| {
            // If the plan has errors, the part has no value, so the errors are reported first.
            let read = self.plan(plan)?;
            if let Some(shown) = self.member_that_has_gone(&read.names, &part.text) {
                return Ok(PlanPart { shown, literal: None });
            }
            let mut sources = self.sources.clone();
            let part = part.add_to(&mut sources);
            let mut warnings = Diagnostics::new();
            let (file, bound) = (&self.read.file, &**self.bound);
            let bound = pipeline::with_decided_values(file, bound, &read.values, &sources, part, &mut warnings);
            let valued = bound.and_then(|mut bound| Ok((bound.value()?, bound)));
            let (value, bound) = valued.map_err(|halt| Report::halted(&sources, warnings, halt))?;
            let literal = self.bound.names.known_literal(&value, bound.ty());
            let ty = explain::read_type(&bound.instance.model, bound.expr());
            let shown = read.names.in_units().show(&value, &ty);
            let shown = if literal.is_some() { shown } else { format!("{shown}: the types have other members today") };
            Ok(PlanPart { shown, literal })
        })
    }

    /// Returns a message if the text names a member that a type had in a plan and does not have today.
    fn member_that_has_gone(&self, names: &MemberNames, text: &str) -> Option<String> {
        let is_name = |token: &&Token| matches!(token.kind, TokenKind::Word | TokenKind::Quoted);
        let tokens = tokens(text, &[]);
        let mut words = tokens.iter().filter(is_name).map(|token| &text[token.start..token.end]);
        words.find_map(|word| {
            let ty = names.type_of_member(word)?;
            let is_known = self.bound.names.is_member(word) || self.bound.model.id_of(word).is_some();
            let ty = &self.bound.model.declaration(DeclarationId(ty)).name;
            (!is_known).then(|| format!("as it was: `{word}` is no longer a member of `{ty}`"))
        })
    }

    /// Returns the values of decision variables in an earlier plan.
    fn plan(&self, plan: &Text) -> Result<ModelValues, Report> {
        let mut sources = self.sources.clone();
        let source = plan.add_to(&mut sources);
        let mut warnings = Diagnostics::new();
        let (model, bound) = (&*self.read.model, Some(&**self.bound));
        let read = pipeline::values_of_model(&sources, model, bound, source, &mut warnings);
        let mut read = read.map_err(|halt| Report::halted(&sources, warnings, halt))?;
        let finds: Vec<&str> =
            self.bound.finds.iter().map(|find| &*self.bound.model.declaration(find.id).name).collect();
        let known: FxHashSet<&str> = finds.iter().copied().collect();
        // The plan may belong to another version of the model with more variables. But if a name is similar to a
        // variable without a value, it is a misspelling.
        let undeclared = read.file.undeclared.iter().map(|name| &name.text);
        let given: FxHashSet<Name> = read.values.iter().map(|(name, ..)| name).chain(undeclared).cloned().collect();
        for name in given.iter().filter(|name| self.bound.model.id_of(name).is_none()) {
            if let Some(meant) = nearest(name, finds.iter().copied().filter(|find| !given.contains(*find))) {
                let message = format!("`{}` gives a value to `{name}`, which the model does not have", plan.name);
                let error = Diagnostic::error(Code::UNEXPECTED_PARAMETER, message);
                return Err(error.help(format!("did you mean `{meant}`?")).into());
            }
        }
        read.values.retain(|(name, ..)| known.contains(&**name));
        if read.values.is_empty() && !finds.is_empty() {
            let message = format!("`{}` has no value for a decision variable of the model", plan.name);
            let error = Diagnostic::error(Code::COMMAND_LINE, message);
            return Err(error.help(format!("the variables are {}", finds.join(", "))).into());
        }
        Ok(read)
    }

    /// Returns the values of today's decision variables in an earlier plan; values that do not fit are left out.
    pub(super) fn values_of_plan(&self, plan: &Text) -> Result<PlanValues, Report> {
        deep(|| {
            let read = self.plan(plan)?;
            let known: FxHashMap<&Name, Value> =
                read.values.iter().map(|(name, ty, value)| (name, Value::new(value, ty, &read.names))).collect();
            let (model, names) = (&self.bound.model, &self.bound.names);
            let fitted = |find: &Find, fitting: &Fitting| {
                let declaration = model.declaration(find.id);
                let value = known.get(&declaration.name)?;
                Some((find.id, value.fitted(&declaration.ty, &find.domain, fitting)?))
            };
            let values = |place| {
                let fitting = Fitting::new(names, place);
                self.bound.finds.iter().filter_map(|find| fitted(find, &fitting)).collect()
            };
            // If the plan has no value here, the two fill in different values of the domain.
            Ok(PlanValues { values: values(0), otherwise: values(1) })
        })
    }

    /// Returns the instance of the model in which the distance to earlier plans is a goal.
    pub(super) fn with_plans(self, goal: &GoalOfPlans) -> Result<Instance, Report> {
        deep(|| {
            let mut names = self.bound.names.clone();
            let mut values = Vec::with_capacity(goal.texts.len());
            for plan in &goal.texts {
                let plan = self.plan(plan)?;
                values.push(plan.values.into_iter().map(|(name, _, value)| (name, value)).collect());
                names = plan.names;
            }
            let mut file = self.read.file.clone();
            file.earlier = Some(EarlierPlans { plans: values, sense: goal.sense, most: goal.most });
            let mut warnings = Diagnostics::new();
            let model = pipeline::analyse(&file, &mut warnings).map(Arc::new);
            let model = model.map_err(|halt| Report::halted(&self.sources, warnings, halt))?;
            // The model with the new goal declares the same names in the same order, so the values of the parameters
            // stay valid.
            let environment = self.bound.environment.with_model(model.clone());
            let bound = GroundInstance { environment, model: model.clone(), names, ..(**self.bound).clone() };
            let read = Arc::new(Deep::new(ReadModel { file, model }));
            Ok(Instance { bound: Arc::new(Deep::new(bound)), read, ..self })
        })
    }
}

impl Model {
    /// Returns the model whose optimal solutions are, among the optimal ones of this model, the nearest to a plan in
    /// Essence or JSON. The plan need not be a solution, and may leave variables out. The number of changes is the last
    /// goal of its instances.
    ///
    /// ```
    /// use conjure_like::{Model, SolveOptions, Text};
    /// use std::ops::ControlFlow;
    ///
    /// let model = Model::read(&Text::new("m.essence", "find s : set (minSize 2) of int(1..3)"))?;
    /// let near = model.nearest_to(&Text::new("plan", "letting s be {1}"))?;
    /// let mut changes = Vec::new();
    /// near.instance(&[])?.solve(&SolveOptions::default(), &mut |solution| {
    ///     changes = solution.changes();
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(changes.len(), 1);
    /// assert!(changes[0].starts_with("s gets "));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if goals compete (`pareto`), or if there is a dominance relation. Errors in the plan are
    /// reported for the instance.
    pub fn nearest_to(&self, plan: &Text) -> Result<Model, Report> {
        self.must_be_without_dominance("a model with a dominance relation has no distance to a plan")?;
        self.must_be_without_trade_offs("the distance to a plan is not one of the trade-offs")?;
        let goal = GoalOfPlans { texts: vec![plan.clone()], sense: Sense::Minimise, most: None };
        Ok(Model { plans: Some(goal), ..self.clone() })
    }

    /// Limits the number of changes of the solutions of [`Model::nearest_to`].
    pub fn with_most_changes(mut self, most: i64) -> Model {
        if let Some(goal) = &mut self.plans {
            goal.most = Some(most);
        }
        self
    }

    /// Returns true if the model has a plan from [`Model::nearest_to`].
    pub fn is_near_to_plan(&self) -> bool {
        self.plans.as_ref().is_some_and(|goal| goal.sense == Sense::Minimise)
    }

    /// Returns the model whose optimal solutions differ most from the plans, which are excluded from its solutions. Its
    /// objective is the number of changes from the nearest plan.
    ///
    /// ```
    /// use conjure_like::{Model, SolveOptions, Text};
    /// use std::ops::ControlFlow;
    ///
    /// let model = Model::read(&Text::new("m.essence", "find s : set of int(1..3)"))?;
    /// let other = model.farthest_from(&[Text::new("plan", "letting s be {1}")])?;
    /// let mut differences = None;
    /// other.instance(&[])?.solve(&SolveOptions::default(), &mut |solution| {
    ///     differences = solution.objective().and_then(|value| value.as_int());
    ///     ControlFlow::Continue(())
    /// })?;
    /// // One member goes, and two come.
    /// assert_eq!(differences, Some(3));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is a dominance relation. Errors in a plan are reported for the instance.
    pub fn farthest_from(&self, plans: &[Text]) -> Result<Model, Report> {
        self.must_be_without_dominance("a model with a dominance relation has no distance to a plan")?;
        let goal = GoalOfPlans { texts: plans.to_vec(), sense: Sense::Maximise, most: None };
        Ok(Model { plans: Some(goal), ..self.clone() })
    }
}

impl Solution {
    /// The changes from the plan of [`Model::nearest_to`], one per line; empty without a plan.
    pub fn changes(&self) -> Vec<String> {
        deep(|| {
            let (instance, values) = (self.instance(), self.decided());
            let names = instance.names.in_units();
            let plans = instance.model.earlier.as_ref().map_or(&[][..], |earlier| &earlier.plans);
            let plan: FxHashMap<&Name, &crate::language::Value> =
                plans.first().into_iter().flatten().map(|(name, value)| (name, value)).collect();
            let changes = values.iter().filter_map(|(id, new)| {
                let declaration = instance.model.declaration(*id);
                let old = plan.get(&declaration.name)?;
                let ty = instance.model.type_in_units(declaration);
                Some(differences::variable_changes(&declaration.name, old, new, &ty, &names))
            });
            changes.flatten().collect()
        })
    }
}
