//! Certificates that begin at the model: the reference formula, a proof about it, and what both say in words.
//!
//! The formula is made by `reference` alone. The proof is made by the rest, and need not be believed: an independent
//! checker of VeriPB's format says whether it is right. So the clauses here come from the reference formula, and not
//! from `lowering`: a mistake in the way by which the solution was found cannot be in a certificate. What the formula
//! says must agree with the answer that was found; where it does not, there is a mistake in one of them.

mod log;
mod translation;

use crate::{
    diagnostic::{Code, Diagnostic, counted},
    halt::Halt,
    instance::{GroundInstance, SolutionValues},
    reference::{PbConstraint, PbLiteral, PbNumber, Reference},
    solver::{EngineOptions, stepwise},
    source::Sources,
};
use log::ProofLog;
use std::{cell::RefCell, io::Write, rc::Rc};
use translation::ClauseTranslation;

/// What a certificate is to show.
pub(crate) enum CertifiedClaim<'a> {
    /// There is no solution.
    NoSolution,
    /// This solution has this value of the objective, and no other has a better one.
    Best(&'a SolutionValues, i64),
    /// There are no other solutions.
    All(&'a [SolutionValues]),
    /// The goals have these values in these solutions, and each other solution is, in all goals, no better than one of
    /// these.
    Front(&'a [SolutionValues], &'a [Vec<i64>]),
}

impl CertifiedClaim<'_> {
    fn solutions(&self) -> &[SolutionValues] {
        match self {
            CertifiedClaim::NoSolution => &[],
            CertifiedClaim::Best(solution, _) => std::slice::from_ref(solution),
            CertifiedClaim::All(solutions) | CertifiedClaim::Front(solutions, _) => solutions,
        }
    }

    /// The values of the goals in each of the solutions, as far as they are a part of what is claimed.
    fn values(&self) -> Vec<&[i64]> {
        match self {
            CertifiedClaim::Best(_, value) => vec![std::slice::from_ref(value)],
            CertifiedClaim::Front(_, values) => values.iter().map(Vec::as_slice).collect(),
            CertifiedClaim::NoSolution | CertifiedClaim::All(_) => vec![&[]; self.solutions().len()],
        }
    }
}

/// A certificate, but for its proof, which has been written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Certificate {
    /// The reference formula, in the format OPB.
    pub formula: String,
    /// What is proved, and what is still believed, in words.
    pub explanation: String,
    /// The number of bytes of the proof.
    pub proof_length: u64,
    /// The number of constraints in the formula.
    pub constraints: usize,
}

/// Makes a certificate, and writes its proof.
pub(crate) fn certify(
    instance: &GroundInstance,
    sources: &Sources,
    claim: &CertifiedClaim,
    proof: Box<dyn Write>,
    options: &EngineOptions,
) -> Result<Certificate, Halt> {
    let mut stopped = None;
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
    let mut solutions = Vec::new();
    for solution in claim.solutions() {
        let literals = reference.literals(solution);
        solutions.push(literals.ok_or_else(|| differs("a solution has a value that the formula does not know"))?);
    }
    let of_model = reference.formula.constraints.len();
    match claim {
        CertifiedClaim::NoSolution | CertifiedClaim::Best(..) => {}
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
    let names = reference.formula.names();
    let log = Rc::new(RefCell::new(ProofLog::new(proof, reference.formula.constraints.len(), Box::new(names))));
    let Some(sat) = stepwise(options, log.clone()) else {
        let missing = Diagnostic::error(Code::NOT_CERTIFIED, "this build writes no certificates: it has no CaDiCaL");
        return Err(missing.help("build with the feature `cadical`").into());
    };
    let mut translation = ClauseTranslation::new(log.clone(), sat, options, reference.formula.variables());
    for (number, constraint) in (1..).zip(&reference.formula.constraints[..of_model]) {
        translation.constraint(constraint, number);
        translation.must_go_on()?;
    }
    for (solution, values) in solutions.iter().zip(claim.values()) {
        accepts(&mut translation, solution, options)?;
        for (goal, value) in reference.goals.iter().zip(values) {
            if sum_of(&mut translation, &goal.terms) != goal.minimised(*value) {
                let what = "the objective of a solution has another value in the reference formula";
                return Err(differs(what).into());
            }
        }
    }
    if let (CertifiedClaim::Best(_, value), [goal]) = (claim, &reference.goals[..]) {
        let number = logged_solution(&mut translation, reference.formula.variables());
        translation.constraint(&goal.better(*value).without_constants(), number);
    }
    for (number, constraint) in (1..).zip(&reference.formula.constraints).skip(of_model) {
        translation.constraint(constraint, number);
        translation.must_go_on()?;
    }
    translation.must_go_on()?;
    match translation.sat.solve(&[]) {
        Some(false) => {}
        Some(true) => {
            let what = match claim {
                CertifiedClaim::NoSolution => "there is no solution, but the reference formula has one",
                CertifiedClaim::Best(..) => "this solution is the best one, but the reference formula has a better one",
                CertifiedClaim::All(_) => "these are all solutions, but the reference formula has others",
                CertifiedClaim::Front(..) => "there are no other trade-offs, but the reference formula has some",
            };
            let shown = reference.formula.decided_true(&mut |variable| translation.sat.is_true(variable));
            return Err(differs(&format!("the answer says that {what}")).note(shown.join(", ")).into());
        }
        None => {
            return Err(match options.reached() {
                Some(reason) => reason.into(),
                None => differs("the solver gave up").into(),
            });
        }
    }
    let mut log = log.borrow_mut();
    let (Some(contradiction), false) = (log.contradiction, log.unclear) else {
        return Err(Diagnostic::error(Code::SOLVER_FAILED, "the solver has not written a complete proof").into());
    };
    let conclusion = match (claim, &reference.goals[..]) {
        (CertifiedClaim::Best(_, value), [goal]) => {
            let least = goal.minimised(*value);
            format!("BOUNDS {least} : {contradiction} {least}")
        }
        _ if reference.formula.objective.is_some() => format!("BOUNDS INF : {contradiction} INF"),
        _ => format!("UNSAT : {contradiction}"),
    };
    let proof_length = log
        .end(&conclusion)
        .map_err(|error| Diagnostic::error(Code::FILE_UNWRITABLE, format!("the proof cannot be written: {error}")))?;
    let claimed = claimed(claim);
    let introduction: Vec<String> = [
        "The reference formula of an instance, in the format OPB. Each variable is 0 or 1.".to_owned(),
        format!("The proof beside it shows: {claimed}"),
    ]
    .into_iter()
    .chain(reference.function())
    .collect();
    Ok(Certificate {
        formula: reference.formula.text(&introduction),
        explanation: explanation(&claimed, &reference),
        proof_length,
        constraints: reference.formula.constraints.len(),
    })
}

/// Checks that the formula accepts a solution.
fn accepts(translation: &mut ClauseTranslation, literals: &[PbLiteral], options: &EngineOptions) -> Result<(), Halt> {
    let numbers: Vec<i32> =
        literals.iter().filter(|literal| !literal.is_constant()).map(|literal| literal.number()).collect();
    match translation.sat.solve(&numbers) {
        Some(true) => Ok(()),
        Some(false) => Err(differs("a solution that was found does not satisfy the reference formula").into()),
        None => Err(match options.reached() {
            Some(reason) => reason.into(),
            None => differs("the solver gave up").into(),
        }),
    }
}

/// The value of a sum in the solution that the solver has.
fn sum_of(translation: &mut ClauseTranslation, terms: &[(PbNumber, PbLiteral)]) -> PbNumber {
    let mut holds = |literal: PbLiteral| translation.sat.is_true(literal.number().abs()) == (literal.number() > 0);
    terms.iter().filter(|(_, literal)| holds(*literal)).map(|(factor, _)| *factor).sum()
}

/// Writes the solution that the solver has, and returns the number of the constraint that another one is better.
fn logged_solution(translation: &mut ClauseTranslation, variables: usize) -> u64 {
    let mut log = translation.log.borrow_mut();
    let mut line = "soli".to_owned();
    for literal in (1..=variables as i32).map(PbLiteral::numbered) {
        let literal = if translation.sat.is_true(literal.number()) { literal } else { !literal };
        line += " ";
        line += &log.name(literal);
    }
    log.step(&format!("{line};"))
}

fn differs(what: &str) -> Diagnostic {
    Diagnostic::error(Code::CERTIFICATE_DIFFERS, format!("the certificate contradicts the answer: {what}"))
        .note("this is a bug in conjure-like, in the search or in the certificate; do not rely on either")
        .help("please report it with the model and the data")
}

fn claimed(claim: &CertifiedClaim) -> String {
    match claim {
        CertifiedClaim::NoSolution => "the formula has no solution.".to_owned(),
        CertifiedClaim::Best(_, value) => {
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

fn explanation(claimed: &str, reference: &Reference) -> String {
    format!(
        "A certificate of conjure-like\n\n\
         What is proved\n\n\
         formula.opb is the reference formula: what the model says about this data, as sums of variables that are 0\n\
         or 1. Its comments say what each variable means, and from which line of the model each constraint comes.\n\
         proof.pbp is a proof in VeriPB's format. It shows: {claimed}\n\n\
         To check it\n\n    cargo install veripb\n    veripb formula.opb proof.pbp\n\n\
         The checker was written by others and knows nothing of Essence.\n\n\
         What is still believed\n\n\
         - That the reference formula says what the model says: it has {} and {}.\n\
         \x20 It is made by the folder src/reference, from the typed model and the definition of each operator on\n\
         \x20 values, without the code that has found the answer. You can read the formula, and compare its comments.\n\
         - That the model was parsed and typed as you mean it, and that the data were read right.\n\
         - That the checker is right.\n\n\
         What need not be believed\n\n\
         The way by which the answer was found: the translation to clauses, simplification, symmetry breaking,\n\
         and the solvers. If one of them were wrong, there would be no proof that the checker accepts.\n",
        counted(reference.formula.variables() as u64, "variable"),
        counted(reference.formula.constraints.len() as u64, "constraint"),
    )
}
