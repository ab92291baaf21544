//! CaDiCaL on plain clauses, with a receiver of its steps that writes a proof in its own format.

use super::CadicalWatch;
use crate::solver::tuning::cadical::LARGEST_SEED;
use crate::solver::{EngineOptions, SatSteps, StepwiseSat};
use cadical_sys::{CaDiCal, ProofTracer, Status};
use std::{cell::RefCell, rc::Rc};

pub(crate) struct CadicalSteps {
    solver: CaDiCal,
}

impl CadicalSteps {
    pub(crate) fn new(options: &EngineOptions, steps: Rc<RefCell<dyn SatSteps>>) -> Self {
        let mut solver = CaDiCal::new();
        if let Some(seed) = options.seed {
            solver.set("seed", seed.min(LARGEST_SEED) as i32);
        }
        solver.connect_terminator(CadicalWatch(options.clone()));
        solver.connect_proof_tracer1(StepTracer(steps), true, false);
        CadicalSteps { solver }
    }
}

impl StepwiseSat for CadicalSteps {
    fn clause(&mut self, literals: &[i32]) {
        literals.iter().for_each(|literal| self.solver.add(*literal));
        self.solver.add(0);
    }

    fn solve(&mut self, assumptions: &[i32]) -> Option<bool> {
        assumptions.iter().for_each(|literal| self.solver.assume(*literal));
        match self.solver.solve() {
            Status::SATISFIABLE => Some(true),
            Status::UNSATISFIABLE => Some(false),
            Status::UNKNOWN => None,
        }
    }

    fn is_true(&mut self, variable: i32) -> bool {
        self.solver.val(variable) == variable
    }

    fn limit(&mut self, options: &EngineOptions) {
        self.solver.connect_terminator(CadicalWatch(options.clone()));
    }
}

struct StepTracer(Rc<RefCell<dyn SatSteps>>);

impl ProofTracer for StepTracer {
    fn add_derived_clause(&mut self, id: i64, _: bool, witness: i32, clause: &[i32], antecedents: &[i64]) {
        // The antecedents of a step with a witness are useless in a proof.
        let antecedents = if witness == 0 { antecedents } else { &[] };
        self.0.borrow_mut().derived(id, clause, antecedents);
    }

    fn add_assumption_clause(&mut self, _: i64, clause: &[i32], antecedents: &[i64]) {
        self.0.borrow_mut().refuted(clause, antecedents);
    }

    fn delete_clause(&mut self, id: i64, redundant: bool, _: &[i32]) {
        if redundant {
            self.0.borrow_mut().deleted(id);
        }
    }

    fn add_original_clause(&mut self, id: i64, _: bool, clause: &[i32], restored: bool) {
        if !restored {
            self.0.borrow_mut().given(id, clause);
        }
    }

    super::ignores_the_rest!();
}
