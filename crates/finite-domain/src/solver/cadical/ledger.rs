//! The costs of the parts of a problem: their variables and clauses, and the clauses that were learnt with them.
//!
//! CaDiCaL reports the antecedents of each derived clause. So a derived clause counts once for every part of the
//! problem that has an original clause among its antecedents.

use crate::solver::{
    Cost, Costs,
    encoding::{Literal, Section},
};
use cadical_sys::ProofTracer;
use rustc_hash::FxHashMap;
use std::{cell::RefCell, rc::Rc};

/// The costs so far, which the owner of the search reads at its end.
#[derive(Clone)]
pub(crate) struct Ledger(Rc<RefCell<CostEntries>>);

#[derive(Default)]
struct CostEntries {
    costs: Costs,
    /// The groups of constraints, by the positions at which they end.
    ends: Vec<usize>,
    /// The part of the clauses that are being added.
    part: Part,
    /// The parts of the original clauses, by CaDiCaL's numbers.
    given: FxHashMap<i64, Part>,
    /// The largest variable so far.
    variables: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// A group of constraints, by its number.
    Constraints(usize),
    Decisions,
    #[default]
    Search,
}

impl Costs {
    fn of(&mut self, part: Part) -> &mut Cost {
        match part {
            Part::Constraints(group) => &mut self.constraints[group],
            Part::Decisions => &mut self.decisions,
            Part::Search => &mut self.search,
        }
    }
}

impl Ledger {
    pub(crate) fn new(ends: Vec<usize>) -> Self {
        let costs = Costs { constraints: vec![Cost::default(); ends.len()], ..Costs::default() };
        Ledger(Rc::new(RefCell::new(CostEntries { costs, ends, ..CostEntries::default() })))
    }

    /// Returns the tracer that CaDiCaL reports its steps to.
    pub(crate) fn tracer(&self) -> impl ProofTracer + use<> {
        self.0.clone()
    }

    pub(crate) fn section(&self, section: &Section) {
        let entries = &mut *self.0.borrow_mut();
        entries.part = match section {
            Section::Constraint(position) => match entries.ends.partition_point(|end| end <= position) {
                group if group < entries.ends.len() => Part::Constraints(group),
                _ => Part::Search,
            },
            Section::Decisions => Part::Decisions,
            _ => Part::Search,
        };
    }

    /// Counts a clause that is about to be added.
    pub(crate) fn clause(&self, literals: &[Literal]) {
        let entries = &mut *self.0.borrow_mut();
        let largest = literals.iter().map(|literal| literal.number().unsigned_abs()).max().unwrap_or(0);
        let cost = entries.costs.of(entries.part);
        cost.clauses += 1;
        // Variables are numbered by first use, so all numbers above the largest one so far are new.
        cost.variables += u64::from(largest.saturating_sub(entries.variables));
        entries.variables = entries.variables.max(largest);
    }

    pub(crate) fn costs(&self) -> Costs {
        self.0.borrow().costs.clone()
    }
}

impl ProofTracer for CostEntries {
    fn add_derived_clause(&mut self, _: i64, _: bool, _: i32, _: &[i32], antecedents: &[i64]) {
        let mut parts: Vec<Part> = antecedents.iter().filter_map(|id| self.given.get(id).copied()).collect();
        parts.sort_unstable();
        parts.dedup();
        self.costs.learnt += 1;
        for part in parts {
            self.costs.of(part).learnt += 1;
        }
    }

    fn add_original_clause(&mut self, id: i64, _: bool, _: &[i32], restored: bool) {
        if !restored {
            self.given.insert(id, self.part);
        }
    }

    fn delete_clause(&mut self, _: i64, _: bool, _: &[i32]) {}
    super::ignores_assumptions!();
    super::ignores_the_rest!();
}
