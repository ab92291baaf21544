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
    language::Value,
    reference::{PbConstraint, PbLiteral, Reference},
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
    Best(&'a SolutionValues, &'a Value),
    /// There are no other solutions.
    All(&'a [SolutionValues]),
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
    let reference = match (reference, stopped) {
        (_, Some(reason)) => return Err(reason.into()),
        (reference, None) => reference?,
    };
    let literals = |solution: &SolutionValues| {
        reference.literals(solution).ok_or_else(|| differs("a solution has a value that the formula does not know"))
    };
    let mut excluded = Vec::new();
    if let CertifiedClaim::All(solutions) = claim {
        for (position, solution) in solutions.iter().enumerate() {
            let clause = PbConstraint::clause(literals(solution)?.into_iter().map(|literal| !literal));
            excluded.push((format!("not solution {}", position + 1), clause));
        }
    }
    let constraints = reference.formula.constraints.len() + excluded.len();
    let names = reference.formula.names();
    let log = Rc::new(RefCell::new(ProofLog::new(proof, constraints, Box::new(names))));
    let Some(sat) = stepwise(options, log.clone()) else {
        let missing = Diagnostic::error(Code::NOT_CERTIFIED, "this build writes no certificates: it has no CaDiCaL");
        return Err(missing.help("build with the feature `cadical`").into());
    };
    let mut translation = ClauseTranslation::new(log.clone(), sat, options, reference.formula.variables());
    for (number, constraint) in (1..).zip(&reference.formula.constraints) {
        translation.constraint(constraint, number);
        translation.must_go_on()?;
    }
    let mut conclusion = None;
    match claim {
        CertifiedClaim::NoSolution => {}
        CertifiedClaim::All(solutions) => {
            for solution in *solutions {
                accepts(&mut translation, &literals(solution)?, options)?;
                translation.must_go_on()?;
            }
            for (number, (_, clause)) in (reference.formula.constraints.len() as u64 + 1..).zip(&excluded) {
                translation.constraint(&clause.clone().normal(), number);
            }
        }
        CertifiedClaim::Best(solution, value) => {
            let Some(least) = reference.minimised(value.as_int()) else {
                return Err(differs("the formula has no objective").into());
            };
            accepts(&mut translation, &literals(solution)?, options)?;
            let bound = better(&mut translation, &reference, least)?;
            translation.constraint(&bound.0, bound.1);
            conclusion = Some(least);
        }
    }
    translation.must_go_on()?;
    match translation.sat.solve(&[]) {
        Some(false) => {}
        Some(true) => {
            let what = match claim {
                CertifiedClaim::NoSolution => "there is no solution, but the reference formula has one",
                CertifiedClaim::Best(..) => "this solution is the best one, but the reference formula has a better one",
                CertifiedClaim::All(_) => "these are all solutions, but the reference formula has others",
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
    let conclusion = match conclusion {
        Some(least) => format!("BOUNDS {least} : {contradiction} {least}"),
        None if reference.formula.objective.is_some() => format!("BOUNDS INF : {contradiction} INF"),
        None => format!("UNSAT : {contradiction}"),
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
        formula: reference.formula.text(&introduction, &excluded),
        explanation: explanation(&claimed, &reference),
        proof_length,
        constraints,
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

/// Writes the solution that the solver has, and returns the constraint that another one is better, with its number.
fn better(translation: &mut ClauseTranslation, reference: &Reference, least: i64) -> Result<(PbConstraint, u64), Halt> {
    let function = reference.formula.objective.clone().unwrap_or_default();
    let mut line = "soli".to_owned();
    for variable in 1..=reference.formula.variables() as i32 {
        let literal = PbLiteral::numbered(variable);
        let literal = if translation.sat.is_true(variable) { literal } else { !literal };
        line += " ";
        line += &translation.log.borrow().name(literal);
    }
    let reached: i64 = function
        .iter()
        .map(|(factor, literal)| {
            let holds = translation.sat.is_true(literal.number().abs()) == (literal.number() > 0);
            if holds { *factor } else { 0 }
        })
        .sum();
    if reached != least {
        return Err(differs("the objective of the best solution has another value in the reference formula").into());
    }
    let number = translation.log.borrow_mut().step(&format!("{line};"));
    let terms = function.into_iter().map(|(factor, literal)| (-factor, literal)).collect();
    Ok((PbConstraint::new(terms, 1 - least).without_constants(), number))
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
            format!("no solution of the formula is better than one with the objective {}.", value.as_int())
        }
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
