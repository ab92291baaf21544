//! BatSat as a backend: a SAT solver in Rust, after MiniSat (Eén and Sörensson, "An extensible SAT-solver", 2003). It
//! serves builds without a C++ compiler, and comparisons.

use super::{
    CheckResult, EngineOptions, Guidance, SearchEnd, Solver, SolverName, Statistics,
    clauses::{self, CoreSat, Sat},
    encoding::{ClauseSink, Literal},
    incumbent::Incumbent,
};
use crate::solver::tuning::{self, batsat::INTERVAL};
use crate::{
    SolverError,
    problem::{Assignment, Problem},
};
use ::batsat::{Callbacks, Lit, SolverInterface, SolverOpts, Var, lbool};
use std::{cell::Cell, ops::ControlFlow, sync::Arc};

/// BatSat as a backend.
#[derive(Default)]
pub(crate) struct BatSat {
    statistics: Statistics,
    incumbent: Arc<Incumbent>,
}

impl BatSat {
    /// A backend that shares its incumbent and bounds with other engines.
    pub(super) fn sharing(incumbent: Arc<Incumbent>) -> Self {
        BatSat { incumbent, ..BatSat::default() }
    }
}

impl Solver for BatSat {
    fn solve(
        &mut self,
        problem: &Problem,
        solver_options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        let (status, statistics) = clauses::solve(
            BatSatEngine::new(solver_options),
            "batsat",
            problem,
            solver_options,
            &self.incumbent,
            found,
        )?;
        self.statistics = Statistics { claimed_by: vec![SolverName::BatSat.title()], ..statistics };
        Ok(status)
    }

    fn prepare(&mut self, problem: &Problem, guidance: &Guidance) {
        self.incumbent.prepare(problem, guidance);
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// The solver as a sink of clauses.
pub(super) struct BatSatEngine {
    solver: ::batsat::Solver<BatSatWatch>,
    clause: Vec<Lit>,
}

impl BatSatEngine {
    pub(super) fn new(solver_options: &EngineOptions) -> Self {
        let mut options = SolverOpts::default();
        if let Some(seed) = solver_options.seed {
            // BatSat does not accept 0 as a seed, and uses seeds only to break ties.
            options.random_seed = f64::from(seed) + 1.0;
            options.rnd_init_act = true;
        }
        BatSatEngine { solver: ::batsat::Solver::new(options, BatSatWatch::new(solver_options)), clause: Vec::new() }
    }
}

/// Converts a literal; BatSat numbers variables from 0.
fn lit(literal: Literal) -> Lit {
    let number = literal.number();
    Lit::new(Var::unsafe_from_idx(number.unsigned_abs() - 1), number > 0)
}

/// Callbacks of BatSat that check the limits.
struct BatSatWatch {
    solver_options: EngineOptions,
    /// The number of calls since the last check of the limits.
    calls: Cell<u32>,
    reached: Cell<bool>,
    /// The remaining budget of conflicts of this call.
    allowed: Option<u64>,
}

impl BatSatWatch {
    fn new(solver_options: &EngineOptions) -> Self {
        BatSatWatch {
            solver_options: solver_options.clone(),
            calls: Cell::new(0),
            reached: Cell::new(false),
            allowed: None,
        }
    }
}

impl Callbacks for BatSatWatch {
    fn stop(&self) -> bool {
        self.calls.set(self.calls.get() + 1);
        if self.calls.get() >= INTERVAL {
            self.calls.set(0);
            self.reached.set(self.solver_options.reached().is_some());
        }
        self.reached.get() || self.allowed == Some(0)
    }

    /// Counts conflicts: each one gives a learnt clause.
    fn on_new_clause(&mut self, _: &[Lit], kind: ::batsat::ClauseKind) {
        if kind == ::batsat::ClauseKind::Learnt {
            self.allowed = self.allowed.map(|allowed| allowed.saturating_sub(1));
        }
    }
}

impl ClauseSink for BatSatEngine {
    const MOST_CLAUSES: u64 = tuning::batsat::MOST_CLAUSES;

    const FOOTPRINT: tuning::Footprint = tuning::batsat::FOOTPRINT;

    fn is_stopped(&self) -> bool {
        self.solver.cb().solver_options.reached().is_some()
    }

    fn clause(&mut self, literals: &[Literal]) {
        self.clause.clear();
        for literal in literals {
            self.solver.var_of_int(literal.number().unsigned_abs() - 1);
            self.clause.push(lit(*literal));
        }
        self.solver.add_clause_reuse(&mut self.clause);
    }
}

impl Sat for BatSatEngine {
    const MOST_BLOCKED: usize = tuning::batsat::MOST_BLOCKED;

    fn solve(&mut self, assumptions: &[Literal]) -> CheckResult {
        for literal in assumptions {
            self.solver.var_of_int(literal.number().unsigned_abs() - 1);
        }
        let assumptions: Vec<Lit> = assumptions.iter().map(|literal| lit(*literal)).collect();
        let answer = self.solver.solve_limited(&assumptions);
        // The budget applies to a single call.
        self.solver.cb_mut().allowed = None;
        if answer == lbool::TRUE {
            CheckResult::Satisfiable
        } else if answer == lbool::FALSE {
            CheckResult::Unsatisfiable
        } else {
            CheckResult::Unknown("BatSat gave up".into())
        }
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        Some(self.solver.value_lit(lit(literal)) == lbool::TRUE)
    }

    fn allow(&mut self, conflicts: u64) -> bool {
        self.solver.cb_mut().allowed = Some(conflicts);
        true
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("decisions", self.solver.num_decisions()),
            ("conflicts", self.solver.num_conflicts()),
            ("propagations", self.solver.num_propagations()),
            ("restarts", self.solver.num_restarts()),
        ]
    }
}

impl CoreSat for BatSatEngine {
    /// BatSat keeps the clause that is derived from the unsat core: the negations of its assumptions.
    fn failed(&mut self, assumption: Literal) -> bool {
        self.solver.unsat_core_contains_lit(!lit(assumption))
    }

    fn watch(&mut self, options: &EngineOptions) {
        *self.solver.cb_mut() = BatSatWatch::new(options);
    }
}
