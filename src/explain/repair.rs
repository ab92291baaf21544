//! Single changes that would give an instance a solution, each of them tried.

use super::{
    Describer,
    describe::on_one_line,
    why::{Case, Contradiction, TRIAL, at_most, key},
};
use crate::{
    lowering::{Origin, Parts, Requirement, Side},
    problem::{Bool, Problem},
    solver::{self, Answer, Incremental, Limits, Outcome, incremental},
    source::Sources,
};
use std::{ops::ControlFlow, time::Duration};

/// How long all changes together may be tried.
const ALL: Duration = Duration::from_secs(6);

/// A change after which there are solutions, by the 0-based position of the reason that it changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    LeaveOut(usize),
    /// An entry of the data, by its text.
    LeaveOutEntry(usize, String),
    /// The bound that is written, and the nearest one that works.
    Bound(usize, i64, i64),
}

impl Change {
    /// The same change where requirements are told together: `reason_of` says which reason each one belongs to.
    pub fn of_reason(self, reason_of: &[usize]) -> Change {
        let of = |position: usize| reason_of.get(position).copied().unwrap_or(position);
        match self {
            Change::LeaveOut(position) => Change::LeaveOut(of(position)),
            Change::LeaveOutEntry(position, entry) => Change::LeaveOutEntry(of(position), entry),
            Change::Bound(position, from, to) => Change::Bound(of(position), from, to),
        }
    }
}

/// What changes are tried on.
pub(super) struct Repairs<'a> {
    pub case: &'a Case<'a>,
    /// The requirements in the declared domains.
    pub plain: &'a Parts,
}

impl Repairs<'_> {
    /// The single changes of a contradiction's members that are enough, and whether all were tried to the end.
    pub fn of(&self, found: &Contradiction, describer: &mut Describer, sources: &Sources) -> (Vec<Change>, bool) {
        let mut changes = Vec::new();
        let mut complete = true;
        let mut asked = incremental(&self.plain.lowered.problem, &at_most(self.case.limits, ALL));
        for (position, member) in found.members.iter().enumerate() {
            let limits = at_most(self.case.limits, TRIAL);
            if let Origin::Domain { .. } = member.origin {
                let Some(wide) = &found.wide else { continue };
                match nearest(&wide.lowered.problem, &others(&wide.requirements, member), member, &limits) {
                    Nearest::Bound(from, to) => changes.push(Change::Bound(position, from, to)),
                    Nearest::Anything => changes.push(Change::LeaveOut(position)),
                    Nearest::Nothing => {}
                    Nearest::Unknown => complete = false,
                }
                continue;
            }
            let entry = self.entry(member, describer, sources, &mut *asked);
            let rest = others(&self.plain.requirements, member);
            match asked.check(&rest) {
                Ok(Answer::Satisfiable(_)) => {
                    changes.push(match &entry {
                        Some(entry) => Change::LeaveOutEntry(position, entry.clone()),
                        None => Change::LeaveOut(position),
                    });
                    let own = key(&member.origin);
                    let same = self.plain.requirements.iter().find(|part| key(&part.origin) == own);
                    if let Some(same) = same
                        && let Nearest::Bound(from, to) = nearest(&self.plain.lowered.problem, &rest, same, &limits)
                    {
                        changes.push(Change::Bound(position, from, to));
                    }
                }
                // Several requirements may read one entry.
                Ok(Answer::Refuted(_)) => {
                    changes.extend(entry.map(|entry| Change::LeaveOutEntry(position, entry)));
                }
                Err(_) => complete = false,
            }
        }
        (changes, complete)
    }

    /// The text of the entry of the data that a requirement comes from, if leaving it out is enough.
    fn entry(
        &self,
        member: &Requirement,
        describer: &mut Describer,
        sources: &Sources,
        asked: &mut dyn Incremental,
    ) -> Option<String> {
        let Origin::Constraint { entries, .. } = &member.origin else { return None };
        let entry = entries.first()?;
        let span = describer.place_of_entry(entry)?;
        let mut rest = Vec::new();
        for other in &self.plain.requirements {
            let entries = match &other.origin {
                Origin::Constraint { entries, .. } => entries.as_slice(),
                _ => &[],
            };
            let mut reads = entries
                .iter()
                .filter(|other| other.member == entry.member)
                .map(|other| describer.place_of_entry(other));
            if !reads.any(|place| place == Some(span)) {
                rest.push(other.condition);
            }
        }
        let works = matches!(asked.check(&rest), Ok(Answer::Satisfiable(_)));
        works.then(|| on_one_line(sources.text(span)))
    }
}

/// The conditions of all requirements but one.
fn others(all: &[Requirement], without: &Requirement) -> Vec<Bool> {
    let own = key(&without.origin);
    all.iter().filter(|other| key(&other.origin) != own).map(|other| other.condition).collect()
}

enum Nearest {
    /// The number that is written, and the one that works in its place.
    Bound(i64, i64),
    /// There is a solution without the requirement, but no number that could be named.
    Anything,
    Nothing,
    Unknown,
}

/// The value nearest to a bound with which the other conditions have a solution.
fn nearest(problem: &Problem, rest: &[Bool], member: &Requirement, limits: &Limits) -> Nearest {
    let mut problem = problem.clone();
    rest.iter().for_each(|condition| problem.require(*condition));
    if let Some(bound) = &member.bound {
        match bound.side {
            Side::AtMost => problem.set_objective(false, vec![bound.term]),
            Side::AtLeast => problem.set_objective(true, vec![bound.term]),
            Side::Exactly => {
                let distance = problem.linear([(1, bound.term)], -bound.number);
                let distance = problem.absolute(distance);
                problem.set_objective(false, vec![distance]);
            }
        }
    }
    let mut best = None;
    let outcome = (solver::BACKENDS[0].make)().solve(&problem, limits, &mut |assignment| {
        let written = |bound: &crate::lowering::Bound| {
            (bound.number + bound.offset, problem.int_value(bound.term, assignment) + bound.offset)
        };
        best = Some(member.bound.as_ref().map(written));
        if member.bound.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match (best, outcome) {
        (Some(Some((from, to))), Ok(Outcome::Complete)) => Nearest::Bound(from, to),
        (Some(_), _) => Nearest::Anything,
        (None, Ok(Outcome::Complete)) => Nearest::Nothing,
        (None, _) => Nearest::Unknown,
    }
}
