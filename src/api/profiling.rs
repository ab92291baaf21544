//! Profiles a model by its parts.

use super::{Compiled, Count, Instance, Report, SolveOptions, SolveStatus, compiled::wanted_part, stack::deep};
use crate::{
    diagnostic::{Code, Diagnostic},
    halt::StopReason,
    instance::symmetry::SymmetryDetection,
    language::Sense,
    lowering::StatementOrigin,
    pipeline::{self, SearchSpace},
    solver::{self, Cost, Costs, SolverName},
    source::Span,
};
use std::{
    ops::{AddAssign, ControlFlow},
    time::Duration,
};

/// The cost of an instance by the parts of its model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Profile {
    /// The decision variables, the constraints and the objective in the order of the model, followed by the costs that
    /// belong to no statement.
    pub parts: Vec<PartCost>,
    /// The number of clauses that the solver learnt; each is counted for every part from which it was derived.
    pub learnt: u64,
    /// The time for encoding: from terms to clauses.
    pub encoding: Duration,
    /// The time for the search.
    pub search: Duration,
    /// The recognised global constraints, such as `circuits`, with their numbers; `None` if unknown.
    pub recognised: Option<Vec<(&'static str, u64)>>,
    /// The status of the search.
    pub status: SolveStatus,
}

/// The cost of a part of a model.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PartCost {
    /// The span of the part in the model; `None` for the search itself.
    pub span: Option<Span>,
    /// The first and the last line of the part, counted from 1; 0 for the search.
    pub lines: (usize, usize),
    /// The text of the part.
    pub says: String,
    /// The number of bindings of quantified names.
    pub instances: u64,
    /// The number of Boolean and integer terms that this part needed first.
    pub terms: u64,
    /// The time for lowering: from Essence to terms.
    pub lowering: Duration,
    /// The number of variables of the SAT solver that this part needed first.
    pub variables: u64,
    /// The number of clauses of the SAT solver that this part needed first.
    pub clauses: u64,
    /// The number of learnt clauses that were derived from a clause of this part.
    pub learnt: u64,
}

impl AddAssign<&Cost> for PartCost {
    fn add_assign(&mut self, cost: &Cost) {
        self.variables += cost.variables;
        self.clauses += cost.clauses;
        self.learnt += cost.learnt;
    }
}

impl Instance {
    /// Solves the instance with CaDiCaL and counts the costs of each part of the model. The problem is not simplified
    /// first, so that every clause belongs to a part.
    ///
    /// ```
    /// use conjure_like::{Model, SolveOptions, Text};
    ///
    /// let text = "find x, y : int(1..9)\nsuch that x + y = 9,\n    forAll i : int(1..9) . x * y != i";
    /// let instance = Model::read(&Text::new("nine.essence", text))?.instance(&[])?;
    /// let profile = instance.profile(&SolveOptions::default())?;
    /// let dear = profile.parts.iter().max_by_key(|part| part.instances).expect("parts");
    /// assert_eq!((dear.lines, dear.instances), ((3, 3), 9));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the instance is too large, or if this build has no CaDiCaL.
    pub fn profile(&self, options: &SolveOptions) -> Result<Profile, Report> {
        let (solver, symmetry) = (SolverName::Cadical, SymmetryDetection::Off);
        let options = SolveOptions { solver, symmetry, ..options.clone() };
        self.compile(&options)?.on_whole(&options, |whole| whole.profiled(&options))
    }
}

impl Compiled {
    fn profiled(&self, options: &SolveOptions) -> Result<Profile, Report> {
        let bound = &self.instance.bound;
        let mut profile = Profile {
            parts: Vec::new(),
            learnt: 0,
            encoding: Duration::ZERO,
            search: Duration::ZERO,
            recognised: None,
            status: StopReason::TimeLimit.into(),
        };
        let compiled = match &self.compiled {
            Ok(compiled) => compiled,
            Err(stopped) => {
                profile.status = stopped.clone().into();
                return Ok(profile);
            }
        };
        let origins = compiled.lowered.as_ref().map_or(&[][..], |lowered| &lowered.origins);
        profile.recognised = compiled.lowered.as_ref().and_then(|lowered| {
            // The search uses the original problem; simplification is only needed to count the global constraints.
            let problem = lowered.problem.simplify().problem;
            let mut recognised = solver::recognised(&problem, &options.search)?;
            let cardinalities = problem.cardinalities();
            recognised.extend((cardinalities > 0).then_some(("cardinalities", cardinalities as u64)));
            Some(recognised)
        });
        let missing = || Report::from(Diagnostic::error(Code::COMMAND_LINE, "this build does not have CaDiCaL"));
        let mut solver = solver::backend(SolverName::Cadical).ok_or_else(missing)?;
        // The solver assigns each clause to the constraint that was being encoded.
        if !solver.keep_costs(origins.iter().map(|origin| origin.end).collect()) {
            return Err(missing());
        }
        // The search includes the encoding, whose time is subtracted below.
        let start = std::time::Instant::now();
        let searched = deep(|| {
            let part = wanted_part(options, &self.instance, compiled.lowered.as_ref())?;
            // One optimal solution is enough, even if more are requested.
            let one = bound.model.objective.as_ref().map(|_| options.clone().solutions(Count::First(1)));
            let options = one.as_ref().unwrap_or(options);
            let space = SearchSpace { instance: bound, compiled, part: part.as_ref(), start: None };
            pipeline::search_solutions(&space, options, Some(&mut *solver), &mut |_| ControlFlow::Continue(()))
        });
        let searched = searched.map_err(|halt| self.instance.report(halt.into_diagnostics()))?;
        profile.status = searched.into();
        profile.encoding = solver.statistics().encoding;
        profile.search = start.elapsed().saturating_sub(profile.encoding);
        let costs = solver.costs().unwrap_or_default();
        profile.learnt = costs.learnt;
        profile.parts = self.parts(origins, &costs);
        Ok(profile)
    }

    /// The keyword before the text of a part that is not a constraint.
    fn keyword(&self, span: Span) -> &'static str {
        let model = &self.instance.bound.model;
        match &model.objective {
            Some(objective) if objective.value.span == span => match objective.sense {
                Sense::Minimise => "minimising ",
                Sense::Maximise => "maximising ",
            },
            _ if model.declarations.iter().any(|declaration| declaration.span == span) => "find ",
            _ => "",
        }
    }

    /// Returns the parts of the model with their costs.
    fn parts(&self, origins: &[StatementOrigin], costs: &Costs) -> Vec<PartCost> {
        let sources = &self.instance.sources;
        let mut parts: Vec<PartCost> = Vec::new();
        for (origin, cost) in origins.iter().zip(&costs.constraints) {
            let source = sources.get(origin.span.source);
            let line = |offset: u32| source.line_and_column(offset as usize).0;
            let mut part = PartCost {
                span: Some(origin.span),
                lines: (line(origin.span.start), line(origin.span.end)),
                says: format!("{}{}", self.keyword(origin.span), sources.text(origin.span)),
                instances: u64::try_from(origin.bindings).unwrap_or(u64::MAX),
                terms: origin.terms as u64,
                lowering: origin.time,
                ..PartCost::default()
            };
            part += cost;
            parts.push(part);
        }
        let decisions = PartCost { says: "the values of decision variables".to_owned(), ..PartCost::default() };
        let search = PartCost { says: "bounds and blocking clauses of the search".to_owned(), ..PartCost::default() };
        for (mut part, cost) in [(decisions, &costs.decisions), (search, &costs.search)] {
            part += cost;
            parts.push(part);
        }
        parts
    }
}
