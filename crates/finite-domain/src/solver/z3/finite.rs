//! Z3's finite-domain solver as a SAT solver with pseudo-Boolean constraints.
//!
//! Z3 never deletes a variable or a clause by itself, and visits all variables for each model. So during an enumeration
//! it is replaced from time to time by a new solver, which gets the clauses that are still needed: 100,000 solutions
//! take 26 s instead of 67.

use super::{Work, ask, ask_once, counters, megabytes, set_up};
use crate::solver::tuning::{
    self,
    z3::{CLAUSES_PER_FOUND, MOST_FOUND, MOST_IN_TRIAL},
};
use crate::solver::{
    CheckResult, EngineOptions,
    clauses::Sat,
    encoding::{ClauseSink, Literal},
};
use ::z3::{Model, Params, Solver, ast};
use rustc_hash::FxHashSet;

/// A condition that implies `Σ weight · literal <= bound`.
struct ConditionalSum {
    condition: Literal,
    terms: Vec<(i64, Literal)>,
    bound: i64,
}

/// The encoded problem. Z3 receives it at the first check, so that it gets nothing of a problem that is refused
/// half-way.
pub(crate) struct Finite {
    /// The literals of all clauses, concatenated.
    clauses: Vec<Literal>,
    /// The end of each clause in `clauses`.
    ends: Vec<usize>,
    sums: Vec<ConditionalSum>,
    /// The numbers of clauses and sums that Z3 has received.
    handed: (usize, usize),
    /// Literals that are false for good, so that clauses with their negations are dropped.
    retired: FxHashSet<Literal>,
    /// The number of assignments that this solver has found.
    found: usize,
    /// The budget of conflicts for the next check.
    allowed: Option<u32>,
    options: EngineOptions,
    work: Work,
    /// The total statistics of the solvers before this one.
    before: Vec<(&'static str, u64)>,
    solver: Solver,
    model: Option<Model>,
    /// The variables by number, each with its negation.
    terms: Vec<(ast::Bool, ast::Bool)>,
}

impl Finite {
    pub(super) fn new(options: &EngineOptions, work: Work) -> Self {
        Finite {
            work,
            clauses: Vec::new(),
            ends: Vec::new(),
            sums: Vec::new(),
            handed: (0, 0),
            retired: FxHashSet::default(),
            found: 0,
            allowed: None,
            options: options.clone(),
            before: Vec::new(),
            solver: solver(options.seed),
            model: None,
            terms: Vec::new(),
        }
    }

    /// Continues with a new solver, without retired clauses.
    fn renew(&mut self) {
        // A new solver starts counting at 0.
        self.before = self.counters();
        let (mut clauses, mut ends, mut start) = (Vec::with_capacity(self.clauses.len()), Vec::new(), 0);
        for end in std::mem::take(&mut self.ends) {
            let clause = &self.clauses[start..end];
            if !clause.iter().any(|literal| self.retired.contains(&!*literal)) {
                clauses.extend_from_slice(clause);
                ends.push(clauses.len());
            }
            start = end;
        }
        (self.clauses, self.ends, self.handed) = (clauses, ends, (0, 0));
        self.retired.clear();
        self.found = 0;
        self.model = None;
        self.solver = solver(self.options.seed);
    }

    /// Passes the pending clauses and sums to Z3.
    fn flush(&mut self) {
        let (first, first_sum) = self.handed;
        let sums = &self.sums[first_sum..];
        let mut start = first.checked_sub(1).map_or(0, |last| self.ends[last]);
        let in_sums = sums.iter().flat_map(|sum| sum.terms.iter().map(|(_, literal)| literal).chain([&sum.condition]));
        let literals = self.clauses[start..].iter().chain(in_sums);
        let largest = literals.map(|literal| literal.number().unsigned_abs()).max().unwrap_or(0);
        self.reach(largest);
        let mut clause: Vec<&ast::Bool> = Vec::new();
        for &end in &self.ends[first..] {
            clause.clear();
            clause.extend(self.clauses[start..end].iter().map(|literal| self.term(*literal)));
            match clause.as_slice() {
                [single] => self.solver.assert(*single),
                several => self.solver.assert(ast::Bool::or(several)),
            }
            start = end;
        }
        for ConditionalSum { condition, terms, bound } in &self.sums[first_sum..] {
            let terms: Vec<(&ast::Bool, i32)> =
                terms.iter().map(|(weight, literal)| (self.term(*literal), *weight as i32)).collect();
            let sum = ast::Bool::pb_le(&terms, *bound as i32);
            if *condition == Literal::TRUE {
                self.solver.assert(sum);
            } else {
                self.solver.assert(ast::Bool::or(&[self.term(!*condition), &sum]));
            }
        }
        self.handed = (self.ends.len(), self.sums.len());
    }

    fn limit_conflicts(&self, conflicts: u32) {
        let mut params = Params::new();
        params.set_u32("max_conflicts", conflicts);
        self.solver.set_params(&params);
    }

    /// The number of variables in the clauses.
    fn variables(&self) -> usize {
        self.clauses.iter().map(|literal| literal.number().unsigned_abs()).max().unwrap_or(0) as usize
    }

    /// Makes the terms of the variables up to this number.
    fn reach(&mut self, number: u32) {
        while self.terms.len() <= number as usize {
            let variable = ast::Bool::new_const(self.terms.len() as u32);
            let negation = !&variable;
            self.terms.push((variable, negation));
        }
    }

    fn term(&self, literal: Literal) -> &ast::Bool {
        let (variable, negation) = &self.terms[literal.number().unsigned_abs() as usize];
        if literal.number() > 0 { variable } else { negation }
    }
}

fn solver(seed: Option<u32>) -> Solver {
    // Z3 returns `None` for the name of a logic that it does not know.
    let solver = Solver::new_for_logic("QF_FD").unwrap_or_default();
    set_up(&solver, seed, |params| {
        // Without this option, Z3 turns cardinality constraints, and sums with small weights that it treats alike, into
        // sorting networks, which can be enormous.
        params.set_bool("cardinality.solver", true);
        params.set_u32("max_memory", megabytes());
    });
    solver
}

impl ClauseSink for Finite {
    const FOOTPRINT: tuning::Footprint = tuning::z3::FOOTPRINT;

    fn is_stopped(&self) -> bool {
        self.options.reached().is_some()
    }

    fn clause(&mut self, literals: &[Literal]) {
        self.clauses.extend_from_slice(literals);
        self.ends.push(self.clauses.len());
    }

    fn takes_sums(&self) -> bool {
        true
    }

    fn at_most(&mut self, condition: Literal, terms: &[(i64, Literal)], bound: i64) {
        self.sums.push(ConditionalSum { condition, terms: terms.to_vec(), bound });
    }
}

impl Sat for Finite {
    const MOST_BLOCKED: usize = tuning::z3::MOST_BLOCKED;

    const IN_SLICES: bool = false;

    fn solve(&mut self, assumptions: &[Literal]) -> CheckResult {
        if self.work.left.is_some() && (self.ends.len() + self.variables()) as u64 > MOST_IN_TRIAL {
            return CheckResult::Unknown("handing over the clauses would take longer than the trial".into());
        }
        // In tests, the number is small, so that solvers are replaced.
        let most = if cfg!(test) { 5 } else { MOST_FOUND.max(self.ends.len() / CLAUSES_PER_FOUND) };
        if self.found >= most {
            self.renew();
        }
        self.flush();
        for literal in assumptions {
            self.reach(literal.number().unsigned_abs());
        }
        let assumptions: Vec<ast::Bool> = assumptions.iter().map(|literal| self.term(*literal).clone()).collect();
        let answer = match self.allowed.take() {
            Some(conflicts) => {
                self.limit_conflicts(conflicts);
                let answer = ask_once(&self.solver, &mut Work::default(), &self.options, &assumptions);
                self.limit_conflicts(u32::MAX);
                answer
            }
            None => ask(&self.solver, &mut self.work, &self.options, &assumptions),
        };
        self.model = if answer == CheckResult::Satisfiable { self.solver.get_model() } else { None };
        self.found += usize::from(answer == CheckResult::Satisfiable);
        answer
    }

    fn retire(&mut self, activation: Literal) {
        self.clause(&[!activation]);
        self.retired.insert(activation);
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        let model = self.model.as_ref()?;
        match self.terms.get(literal.number().unsigned_abs() as usize) {
            Some(_) => model.eval(self.term(literal), true)?.as_bool(),
            // A variable that occurs in no clause may have any value.
            None => Some(false),
        }
    }

    /// A check in a trial keeps the budget of the trial.
    fn allow(&mut self, conflicts: u64) -> bool {
        let can = self.work.left.is_none();
        self.allowed = can.then(|| u32::try_from(conflicts).unwrap_or(u32::MAX));
        can
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let before = self.before.iter().map(|(_, number)| *number).chain(std::iter::repeat(0));
        counters(&self.solver).into_iter().zip(before).map(|((name, now), before)| (name, before + now)).collect()
    }
}
