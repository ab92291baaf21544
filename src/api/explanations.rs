//! Questions about an instance.

use super::{
    ExplorePage, Model, Report, Text,
    stack::{Deep, deep},
};
use crate::{
    diagnostic::Diagnostics,
    explain::Answer,
    explain::questions::{self, ExplainedTexts},
    halt::Halt,
    instance::GroundInstance,
    solver::EngineOptions,
    source::SourceId,
};
use std::cell::RefCell;

with_setters! {
    /// Options for answering a question.
    #[derive(Clone, Default)]
    #[non_exhaustive]
    pub struct ExplainOptions<'a> {
        /// The limits of the search. An answer that is reached within them does not depend on the time.
        pub search: EngineOptions,
        /// Show a contradiction in small steps, instead of as a set of requirements that cannot hold together.
        pub in_steps: bool,
        /// The words and pictures of a page of HTML that shows the steps, if one is requested.
        pub page: Option<ExplorePage>,
        /// A callback for intermediate answers, called each time the answer improves.
        pub so_far: Option<&'a dyn Fn(&Answer)>,
    }
}

/// Explanations: why there is no solution, properties of all solutions, and the next step. The data are the same as for
/// [`Model::instance`].
///
/// If a limit ends the search, the answer is the best so far, and [`Answer::stopped`] names the limit.
impl Model {
    /// Returns the instance in which the decision variables are parameters with the values of a solution.
    pub(super) fn solved(&self, data: &[Text], solution: &Text) -> Result<Deep<GroundInstance>, Report> {
        self.ask(data, [solution], &ExplainOptions::default(), |subject, [solution], warnings| {
            questions::validated_instance(subject, solution, warnings).map(Deep::new)
        })
    }

    /// Explains why there is no solution: requirements that cannot hold together, and repairs. If there is a solution,
    /// it is the answer.
    ///
    /// ```
    /// use conjure_like::{ExplainOptions, Model, Text};
    ///
    /// let model = Model::read(&Text::new("m.essence", "find x : int(1..9)\nsuch that x > 5, x < 4, x != 7"))?;
    /// let answer = model.why(&[], &ExplainOptions::default())?;
    /// assert_eq!(answer.says, "There is no solution: these 2 requirements cannot hold together.");
    /// assert_eq!(answer.reasons[0].says, "x > 5");
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns all errors in the data, or an error if the instance is too large.
    pub fn why(&self, data: &[Text], options: &ExplainOptions) -> Result<Answer, Report> {
        let why = |model: &Model, none| {
            model.ask(data, [], options, |subject, [], warnings| questions::explain_why(subject, none, warnings))
        };
        // If there are wishes, the requirements are examined without them first. If these have a solution, the wishes
        // are the reason.
        let Some(requirements) = self.without_wishes()? else { return why(self, questions::NO_SOLUTION) };
        let answer = why(&requirements, questions::NO_SOLUTION)?;
        match answer.verdict {
            "solution" => why(self, ("wishes", "No solution meets all wishes")),
            _ => Ok(answer),
        }
    }

    /// Explains why a text is not a solution: the requirements that it violates; or, if it leaves variables out or has
    /// `_` for values, why it cannot be extended to a solution.
    ///
    /// # Errors
    ///
    /// Returns all errors in the texts, or an error if the instance is too large.
    pub fn why_not(&self, data: &[Text], expected: &Text, options: &ExplainOptions) -> Result<Answer, Report> {
        self.ask(data, [expected], options, |subject, [expected], warnings| {
            questions::expected(subject, expected, warnings)
        })
    }

    /// Explains why no solution is better than the optimal one: requirements that rule out a better one, and repairs.
    ///
    /// # Errors
    ///
    /// Returns all errors in the data, or an error if the instance is too large or if the model has no objective.
    pub fn why_nothing_better(&self, data: &[Text], options: &ExplainOptions) -> Result<Answer, Report> {
        self.must_be_without_trade_offs("if goals compete, no single solution is the best one")?;
        self.ask(data, [], options, |subject, [], warnings| questions::nothing_better(subject, warnings))
    }

    /// Explains why a constraint, written as in `such that`, holds in every solution; or returns a solution in which it
    /// does not hold.
    ///
    /// # Errors
    ///
    /// Returns all errors in the texts, or an error if the instance is too large.
    pub fn forced(&self, data: &[Text], constraint: &Text, options: &ExplainOptions) -> Result<Answer, Report> {
        // Texts consist of statements, so the constraint is made into one.
        let statement = Text::new(constraint.name.as_str(), format!("such that {}", constraint.text));
        self.ask(data, [&statement], options, |subject, [fact], warnings| questions::forced(subject, fact, warnings))
    }

    /// Returns the next step towards the solution, or all steps, each with its reasons. A part of a solution may be
    /// known already, as in [`Model::why_not`].
    ///
    /// # Errors
    ///
    /// Returns all errors in the texts, or an error if the instance is too large.
    pub fn hint(
        &self,
        data: &[Text],
        known: Option<&Text>,
        all: bool,
        options: &ExplainOptions,
    ) -> Result<Answer, Report> {
        match known {
            Some(known) => self.ask(data, [known], options, |subject, [known], warnings| {
                questions::hints(subject, Some(known), all, warnings)
            }),
            None => self.ask(data, [], options, |subject, [], warnings| questions::hints(subject, None, all, warnings)),
        }
    }

    /// Asks a question about the data and other texts.
    pub(crate) fn ask<T, const OTHERS: usize>(
        &self,
        data: &[Text],
        others: [&Text; OTHERS],
        options: &ExplainOptions,
        ask: impl FnOnce(&ExplainedTexts, [SourceId; OTHERS], &mut Diagnostics) -> Result<T, Halt>,
    ) -> Result<T, Report> {
        deep(|| {
            let mut sources = self.sources.clone();
            let data: Vec<SourceId> = data.iter().map(|text| text.add_to(&mut sources)).collect();
            let others = others.map(|text| text.add_to(&mut sources));
            let subject = ExplainedTexts {
                sources: &sources,
                model: Self::SOURCE,
                read: &self.read,
                data: &data,
                options: &options.search,
                in_steps: options.in_steps,
                page: options.page.as_ref().map(|page| (page.title.as_str(), page.pictures.directives.as_slice())),
                so_far: &|answer: &Answer| {
                    if let Some(so_far) = options.so_far {
                        so_far(answer);
                    }
                },
                last: &RefCell::new(Answer::unknown()),
            };
            let mut warnings = Diagnostics::new();
            ask(&subject, others, &mut warnings).map_err(|halt| Report::halted(&sources, warnings, halt))
        })
    }
}
