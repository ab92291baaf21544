//! Certificates that start at the model: the reference formula, a proof about it, and their meaning in words.
//!
//! Only `reference` generates the formula. The rest generates the proof and need not be trusted, because an independent
//! checker of VeriPB's format verifies it. The clauses here come from the reference formula and not from `lowering`, so
//! a bug in the search for solutions cannot get into a certificate. If the formula and the answer disagree, one of them
//! is wrong.
//!
//! You may add methods of proof, because a checker replays each proof before it is returned. Everything that a
//! certificate claims must follow from the reference formula.

mod bounds;
mod duality;
mod enumeration;
mod log;
mod swaps;
mod translation;

use crate::{
    diagnostic::{Code, Diagnostic},
    halt::Halt,
    instance::{GroundInstance, SolutionValues},
    reference::{PbConstraint, PbLiteral, PbNumber, Reference, ReferenceGoal},
    solver::{EngineOptions, stepwise},
    source::Sources,
};
pub(crate) use duality::LinearRelaxation;
use enumeration::{EnumerationEnd, ProofEnumeration};
use log::ProofLog;
use std::{cell::RefCell, collections::BTreeSet, io::Write, ops::Range, rc::Rc};
use swaps::symmetry_steps;
use translation::ClauseTranslation;

/// The claim of a certificate.
pub(crate) enum CertifiedClaim<'a> {
    /// There is no solution.
    NoSolution,
    /// This solution has this value of the objective, and no other solution has a better one.
    Best(&'a SolutionValues, i64),
    /// The solution, if one is known, has the first value of the first goal. No solution is better than the second
    /// value, if that is known.
    Bounds(Option<(&'a SolutionValues, i64)>, Option<i64>),
    /// There are no other solutions.
    All(&'a [SolutionValues]),
    /// The goals have these values in these solutions, and every other solution is, in all goals, at most as good as
    /// one of these.
    Front(&'a [SolutionValues], &'a [Vec<i64>]),
}

impl CertifiedClaim<'_> {
    fn solutions(&self) -> &[SolutionValues] {
        match self {
            CertifiedClaim::NoSolution | CertifiedClaim::Bounds(None, _) => &[],
            CertifiedClaim::Best(solution, _) | CertifiedClaim::Bounds(Some((solution, _)), _) => {
                std::slice::from_ref(solution)
            }
            CertifiedClaim::All(solutions) | CertifiedClaim::Front(solutions, _) => solutions,
        }
    }

    /// The values of the goals in each solution, as far as they are part of the claim.
    fn values(&self) -> Vec<&[i64]> {
        match self {
            CertifiedClaim::Best(_, value) | CertifiedClaim::Bounds(Some((_, value)), _) => {
                vec![std::slice::from_ref(value)]
            }
            CertifiedClaim::Front(_, values) => values.iter().map(Vec::as_slice).collect(),
            CertifiedClaim::NoSolution | CertifiedClaim::Bounds(None, _) | CertifiedClaim::All(_) => {
                vec![&[]; self.solutions().len()]
            }
        }
    }
}

/// The formula of a claim as text, and the statement that a proof must establish.
pub(crate) struct StatedFormula {
    /// The reference formula, in the format OPB.
    pub text: String,
    /// The statement that the proof establishes, as a sentence.
    pub claim: String,
    /// The verdict of a checker of the proof.
    pub verdict: String,
    /// The relation between the objective of the model and the function that the formula minimises.
    pub objective: Option<String>,
    /// The proved bound, if the claim has bounds that may differ: no solution is better than this value.
    pub proved: Option<i64>,
    /// The value of the objective (or of the first goal) in the solution, if the claim is about bounds.
    pub found: Option<i64>,
    pub variables: usize,
    pub constraints: usize,
}

/// A claim with its formula. If the claim is true, the formula has no solution, or no solution better than the claimed
/// one.
struct StatedClaim<'a> {
    claim: &'a CertifiedClaim<'a>,
    reference: Reference,
    /// The literals of each solution of the claim.
    solutions: Vec<Vec<PbLiteral>>,
    /// The number of constraints that come from the model; the others exclude the known solutions.
    of_model: usize,
}

impl<'a> StatedClaim<'a> {
    fn new(
        instance: &GroundInstance,
        sources: &Sources,
        claim: &'a CertifiedClaim,
        options: &EngineOptions,
    ) -> Result<Self, Halt> {
        let mut stopped = None;
        // After a limit, the translation ends with an error, and `stopped` has the reason.
        let mut watch = || match options.reached() {
            Some(reason) => {
                stopped = Some(reason);
                Err(Box::new(Diagnostic::error(Code::TOO_LARGE, "a limit was reached")))
            }
            None => Ok(()),
        };
        let reference = Reference::of(instance, sources, &mut watch);
        let mut reference = match (reference, stopped) {
            (_, Some(reason)) => return Err(reason.into()),
            (reference, None) => reference?,
        };
        // A bound applies to one function, so goals that break ties are left out.
        if matches!(claim, CertifiedClaim::Bounds(..)) {
            reference.keep_first_goal();
        }
        let mut solutions = Vec::new();
        for solution in claim.solutions() {
            let literals = reference.literals(solution);
            solutions.push(literals.ok_or_else(|| differs("a solution has a value that the formula does not know"))?);
        }
        // Later constraints exclude solutions and do not belong to the model, so counting comes first.
        let of_model = reference.formula.constraints.len();
        match claim {
            // For these claims, no solution is excluded, because the verdict bounds the objective.
            CertifiedClaim::NoSolution | CertifiedClaim::Best(..) | CertifiedClaim::Bounds(..) => {}
            CertifiedClaim::All(_) => {
                for (position, solution) in (1..).zip(&solutions) {
                    reference.formula.note(Some(format!("not solution {position}")));
                    reference.formula.require(&[], PbConstraint::clause(solution.iter().map(|literal| !*literal)));
                }
            }
            CertifiedClaim::Front(_, values) => {
                for (position, values) in (1..).zip(*values) {
                    reference.require_better(format!("better than solution {position} in one goal"), values);
                }
            }
        }
        Ok(StatedClaim { claim, reference, solutions, of_model })
    }

    /// The goal, with its value in the solution if there is one; `None` unless the claim is about a single goal.
    fn incumbent(&self) -> Option<(&ReferenceGoal, Option<i64>)> {
        match (self.claim, &self.reference.goals[..]) {
            (CertifiedClaim::Best(_, value), [goal]) => Some((goal, Some(*value))),
            (CertifiedClaim::Bounds(found, _), [goal]) => Some((goal, found.map(|(_, value)| value))),
            _ => None,
        }
    }

    /// The text of the formula; `lower` is the proved bound on its function.
    fn formula(&self, lower: Option<PbNumber>) -> Result<StatedFormula, Box<Diagnostic>> {
        let formula = &self.reference.formula;
        let objective = self.reference.function();
        let mut proved = None;
        let verdict = match self.incumbent() {
            Some((goal, value)) => {
                let upper = value.map(|value| goal.minimised(value));
                let lower = lower.or(upper).unwrap_or(PbNumber::ZERO);
                if Some(lower) != upper || matches!(self.claim, CertifiedClaim::Bounds(..)) {
                    let too_large = || refused("bounds of the objective that are larger than 2^63");
                    proved = Some(goal.goal(lower).ok_or_else(too_large)?);
                }
                format!("BOUNDS {lower} <= obj <= {}", or_infinity(upper))
            }
            None if formula.objective.is_some() => "BOUNDS INF <= obj <= INF".to_owned(),
            None => "UNSATISFIABLE".to_owned(),
        };
        let claim = claimed(self.claim, proved);
        let introduction: Vec<String> = [
            "The reference formula of an instance, in the format OPB. Each variable is 0 or 1.".to_owned(),
            format!("The proof beside it shows: {claim}"),
        ]
        .into_iter()
        .chain(objective.clone())
        .collect();
        Ok(StatedFormula {
            text: formula.text(&introduction),
            claim,
            verdict,
            objective,
            proved,
            found: self.incumbent().and_then(|(_, value)| value).filter(|_| proved.is_some()),
            variables: formula.variables(),
            constraints: formula.constraints.len(),
        })
    }
}

/// The formula of a claim, without a proof.
pub(crate) fn stated(
    instance: &GroundInstance,
    sources: &Sources,
    claim: &CertifiedClaim,
    options: &EngineOptions,
) -> Result<StatedFormula, Halt> {
    let stated = StatedClaim::new(instance, sources, claim, options)?;
    let lower = match (claim, stated.incumbent()) {
        (CertifiedClaim::Bounds(_, Some(proved)), Some((goal, _))) => Some(goal.minimised(*proved)),
        _ => None,
    };
    Ok(stated.formula(lower)?)
}

/// Proves a claim, and writes the proof. If a limit ends a proof of optimality, only bounds are claimed.
pub(crate) fn certify(
    instance: &GroundInstance,
    sources: &Sources,
    claim: &CertifiedClaim,
    proof: Box<dyn Write>,
    options: &EngineOptions,
) -> Result<StatedFormula, Halt> {
    let stated = StatedClaim::new(instance, sources, claim, options)?;
    let reference = &stated.reference;
    let names = reference.formula.names();
    let log = Rc::new(RefCell::new(ProofLog::new(proof, reference.formula.constraints.len(), Box::new(names))));
    let Some(sat) = stepwise(options, log.clone()) else {
        let missing = Diagnostic::error(Code::NOT_CERTIFIED, "this build writes no certificates: it has no CaDiCaL");
        return Err(missing.help("build with the feature `cadical`").into());
    };
    let translation = ClauseTranslation::new(log.clone(), sat, options, reference.formula.variables());
    let mut prover = ClaimProver { stated: &stated, translation, log: log.clone(), options };
    let (conclusion, lower) = match stated.incumbent() {
        Some((goal, value)) => {
            let (lower, number) = prover.bounds(goal, value)?;
            let upper = or_infinity(value.map(|value| goal.minimised(value)));
            (format!("BOUNDS {lower} : {number} {upper}"), Some(lower))
        }
        None => {
            let number = prover.contradiction()?;
            match reference.formula.objective {
                Some(_) => (format!("BOUNDS INF : {number} INF"), None),
                None => (format!("UNSAT : {number}"), None),
            }
        }
    };
    let mut log = log.borrow_mut();
    if log.unclear {
        return Err(Diagnostic::error(Code::SOLVER_FAILED, "the solver has not written a complete proof").into());
    }
    log.end(&conclusion)
        .map_err(|error| Diagnostic::error(Code::FILE_UNWRITABLE, format!("the proof cannot be written: {error}")))?;
    Ok(stated.formula(lower)?)
}

/// A claim with the state of its proof.
struct ClaimProver<'a> {
    stated: &'a StatedClaim<'a>,
    translation: ClauseTranslation<'a>,
    log: Rc<RefCell<ProofLog>>,
    options: &'a EngineOptions,
}

impl ClaimProver<'_> {
    /// Derives a contradiction of the formula, and returns its number.
    fn contradiction(&mut self) -> Result<u64, Halt> {
        // If the claim has no solutions and the sums contradict each other, no clauses are needed.
        let solutions = &self.stated.solutions;
        let mut symmetry = Vec::new();
        if solutions.is_empty() {
            let before = self.log.borrow().last();
            if let Some(number) = self.contradiction_of_sums() {
                return Ok(number);
            }
            let of_half = self.for_half_of_the_time();
            let log = &mut self.log.borrow_mut();
            // A swap must map all constraints to others, and nothing needs the ones derived for the sums.
            (before + 1..=log.last()).for_each(|number| log.delete(number));
            symmetry = symmetry_steps(&self.stated.reference, log, &of_half);
        }
        // A solution without variables is excluded by several constraints, not by one.
        let excluding = self.stated.reference.formula.constraints.len() - self.stated.of_model;
        let is_about_all = matches!(self.stated.claim, CertifiedClaim::All(_)) && excluding == solutions.len();
        self.translation.clauses = is_about_all.then(Vec::new);
        self.clauses(0..self.stated.of_model)?;
        let mut unvisited: Vec<usize> = (0..solutions.len()).collect();
        if is_about_all {
            match self.enumerated()? {
                Ok(number) => return Ok(number),
                Err(left) => unvisited = left,
            }
        }
        for position in unvisited {
            self.accepts(&solutions[position], self.stated.claim.values()[position])?;
        }
        self.clauses(self.stated.of_model..self.stated.reference.formula.constraints.len())?;
        self.derived_clauses(&symmetry);
        match self.refuted()? {
            Some(number) => Ok(number),
            None => Err(self.limit()),
        }
    }

    /// Visits the known solutions one after the other. Returns the number of the contradiction if there are no others;
    /// if solutions are rare, the positions of those that were not visited.
    fn enumerated(&mut self) -> Result<Result<u64, Vec<usize>>, Halt> {
        let StatedClaim { solutions, of_model, .. } = self.stated;
        let literals = solutions.iter().flatten().filter(|literal| !literal.is_constant());
        let variables: BTreeSet<i32> = literals.map(|literal| literal.number().abs()).collect();
        let decisions = self.translation.exclusive_groups(variables.into_iter());
        let exclusions = (1 + *of_model as u64..).take(solutions.len()).collect();
        let clauses = self.translation.clauses.take().unwrap_or_default();
        let mut log = self.log.borrow_mut();
        let search = ProofEnumeration::new(&mut log, self.options, exclusions, &decisions, &clauses);
        let end = search.run(solutions);
        drop(log);
        match end {
            EnumerationEnd::Refuted(number, None) => Ok(Ok(number)),
            EnumerationEnd::Refuted(_, Some(_)) => Err(rejected().into()),
            EnumerationEnd::Other(values) => Err(other(self.stated, &mut |variable| values[2 * variable as usize] > 0)),
            EnumerationEnd::GivenUp(clauses, left) => {
                self.derived_clauses(&clauses);
                self.translation.must_go_on()?;
                Ok(Err(left))
            }
        }
    }

    /// Gives derived clauses, each with its number, to the solver.
    fn derived_clauses(&mut self, clauses: &[(Vec<i32>, u64)]) {
        for (literals, number) in clauses {
            self.log.borrow_mut().next = *number;
            self.translation.sat.clause(literals);
        }
    }

    /// Gives constraints of the formula to the solver.
    fn clauses(&mut self, which: Range<usize>) -> Result<(), Halt> {
        let constraints = &self.stated.reference.formula.constraints;
        for (number, constraint) in (1..).zip(constraints).skip(which.start).take(which.len()) {
            self.translation.constraint(constraint, number);
            self.translation.must_go_on()?;
        }
        Ok(())
    }

    /// The number of the empty clause, after a search without assumptions; `None` if a limit was reached.
    fn refuted(&mut self) -> Result<Option<u64>, Halt> {
        match self.translation.sat.solve(&[]) {
            Some(false) => {
                let contradiction = self.log.borrow().contradiction;
                let unclear = || Diagnostic::error(Code::SOLVER_FAILED, "the solver has not written a complete proof");
                Ok(Some(contradiction.ok_or_else(unclear)?))
            }
            Some(true) => {
                let ClaimProver { stated, translation, .. } = self;
                Err(other(stated, &mut |variable| translation.sat.is_true(variable)))
            }
            None => Ok(None),
        }
    }

    /// Checks that the formula accepts a solution, with these values of the goals.
    fn accepts(&mut self, literals: &[PbLiteral], values: &[i64]) -> Result<(), Halt> {
        let literals = literals.iter().filter(|literal| !literal.is_constant());
        let numbers: Vec<i32> = literals.map(|literal| literal.number()).collect();
        match self.translation.sat.solve(&numbers) {
            Some(true) => {}
            Some(false) => {
                return Err(rejected().into());
            }
            None => return Err(self.limit()),
        }
        for (goal, value) in self.stated.reference.goals.iter().zip(values) {
            if self.sum_of(&goal.terms) != goal.minimised(*value) {
                let what = "the objective of a solution has another value in the reference formula";
                return Err(differs(what).into());
            }
        }
        Ok(())
    }

    /// The value of a sum in the solver's solution.
    fn sum_of(&mut self, terms: &[(PbNumber, PbLiteral)]) -> PbNumber {
        let sat = &mut self.translation.sat;
        let mut holds = |literal: PbLiteral| sat.is_true(literal.number().abs()) == (literal.number() > 0);
        terms.iter().filter(|(_, literal)| holds(*literal)).map(|(factor, _)| *factor).sum()
    }

    /// The limit that ended the work.
    fn limit(&self) -> Halt {
        match self.options.reached() {
            Some(reason) => reason.into(),
            None => differs("the solver gave up").into(),
        }
    }
}

/// The error that the formula has a solution that contradicts the claim.
fn other(stated: &StatedClaim<'_>, is_true: &mut dyn FnMut(i32) -> bool) -> Halt {
    let what = match stated.claim {
        CertifiedClaim::NoSolution => "there is no solution, but the reference formula has one",
        CertifiedClaim::Best(..) | CertifiedClaim::Bounds(..) => {
            "this solution is the best one, but the reference formula has a better one"
        }
        CertifiedClaim::All(_) => "these are all solutions, but the reference formula has others",
        CertifiedClaim::Front(..) => "there are no other trade-offs, but the reference formula has some",
    };
    let shown = stated.reference.formula.decided_true(is_true);
    differs(&format!("the answer says that {what}")).note(shown.join(", ")).into()
}

/// The error that the formula does not have a solution of the claim.
fn rejected() -> Diagnostic {
    differs("a solution that was found does not satisfy the reference formula")
}

/// A bound as VeriPB writes it.
fn or_infinity(bound: Option<PbNumber>) -> String {
    bound.map_or("INF".to_owned(), |bound| bound.to_string())
}

fn refused(what: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::NOT_CERTIFIED, format!("certificates do not cover {what}")))
}

fn differs(what: &str) -> Diagnostic {
    Diagnostic::error(Code::CERTIFICATE_DIFFERS, format!("the certificate contradicts the answer: {what}"))
        .note("this is a bug in conjure-like, in the search or in the certificate; do not rely on either")
        .help("please report it with the model and the data")
}

fn claimed(claim: &CertifiedClaim, proved: Option<i64>) -> String {
    if let Some(proved) = proved {
        return match claim.values().first().and_then(|values| values.first()) {
            Some(value) => {
                format!("a solution of the formula has the objective {value}, and none is better than {proved}.")
            }
            None => format!("no solution of the formula has an objective that is better than {proved}."),
        };
    }
    match claim {
        CertifiedClaim::NoSolution => "the formula has no solution.".to_owned(),
        CertifiedClaim::Bounds(None, _) => "the formula has an objective.".to_owned(),
        CertifiedClaim::Best(_, value) | CertifiedClaim::Bounds(Some((_, value)), _) => {
            format!("no solution of the formula is better than one with the objective {value}.")
        }
        CertifiedClaim::Front(solutions, _) => match solutions.len() {
            1 => "the formula has no solution; its end asks for one that is better in one goal than the one that was \
                  found."
                .to_owned(),
            count => format!(
                "the formula has no solution; its end asks for one that is better, in one goal, than each of the \
                 {count} that were found."
            ),
        },
        CertifiedClaim::All(solutions) => match solutions.len() {
            1 => "the formula has no solution; the last constraint excludes the one that was found.".to_owned(),
            count => {
                format!("the formula has no solution; the last {count} constraints exclude those that were found.")
            }
        },
    }
}
