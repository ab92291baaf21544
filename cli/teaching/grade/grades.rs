//! Grades: the points for a verdict.

use super::{exercise::Exercise, job::InstanceResult, submissions::SubmittedFile, supervisor::WorkerVerdict};
use conjure_like::{Shortcoming, counted};
use std::path::PathBuf;

/// The results of the reference, with which submissions are compared.
pub(super) struct Measures {
    pub constraints: usize,
    pub results: Vec<InstanceResult>,
}

impl Measures {
    /// Remarks for the lecturer about instances that distinguish few submissions.
    pub(super) fn remarks(&self, exercise: &Exercise) -> Vec<String> {
        let remark = |says: &str, shows: fn(&InstanceResult) -> bool, least: usize| {
            let named = self.results.iter().zip(&exercise.instances).filter(|(result, _)| !shows(result));
            let names: Vec<String> = named.map(|(_, instance)| format!("`{}`", instance.name)).collect();
            let all = counted(exercise.instances.len(), "instance");
            let sentence = format!("The reference {says} on {} of {all}: {}.", names.len(), names.join(", "));
            (names.len() >= least).then_some(sentence)
        };
        // The smallest instances often have only one solution or allow everything, so the second remark needs a
        // majority.
        let half = exercise.instances.len() / 2 + 1;
        let remarks = [
            remark("has no solution", InstanceResult::is_solvable, 1),
            remark("allows everything that its declarations allow", InstanceResult::is_selective, half),
        ];
        remarks.into_iter().flatten().collect()
    }
}

/// The instances of a kind on which a submission is right.
#[derive(Clone, Copy, PartialEq)]
struct Share {
    /// An instance with the right solutions and a wrong objective counts as one half.
    halves: u32,
    all: u32,
}

impl Share {
    /// The share among the instances that `is_chosen` selects from the reference's results.
    fn of(results: &[InstanceResult], reference: &[InstanceResult], is_chosen: fn(&InstanceResult) -> bool) -> Self {
        let mut share = Share { halves: 0, all: 0 };
        for (at, measured) in reference.iter().enumerate().filter(|(_, measured)| is_chosen(measured)) {
            share.all += 1;
            share.halves += match results.get(at).map(InstanceResult::kind) {
                Some(None) => 2,
                // If the reference allows everything here, only the objective distinguishes submissions, so a wrong
                // objective gets nothing.
                Some(Some(Shortcoming::Objective)) if measured.is_selective() => 1,
                _ => 0,
            };
        }
        share
    }

    /// The points for this share, out of `points`, in tenths.
    fn tenths(self, points: u32) -> u32 {
        // Points are rounded down, so full points need every instance. A half is worth 5 tenths of a whole.
        (u64::from(points) * 5 * u64::from(self.halves) / u64::from(self.all.max(1))) as u32
    }
}

/// A graded submission.
pub(super) struct Grade {
    pub name: String,
    /// The student's number in the learning system.
    pub number: Option<String>,
    pub path: PathBuf,
    /// The text, if it was read.
    pub text: Option<String>,
    pub verdict: WorkerVerdict,
    /// Tenths of points.
    tenths: u32,
    /// The shares of right instances: among the solvable ones, among those on which the reference refuses something,
    /// and among all.
    shares: [Share; 3],
    /// The results of the reference on each instance.
    pub reference: Vec<InstanceResult>,
    pub reference_constraints: usize,
}

impl Grade {
    pub(super) fn new(exercise: &Exercise, file: &SubmittedFile, verdict: WorkerVerdict, measures: &Measures) -> Self {
        let results: &[InstanceResult] = match &verdict {
            WorkerVerdict::Compared { results, .. } => results,
            _ => &[],
        };
        let kinds: [fn(&InstanceResult) -> bool; 3] =
            [InstanceResult::is_solvable, InstanceResult::is_selective, |_| true];
        let shares = kinds.map(|kind| Share::of(results, &measures.results, kind));
        // A model that refuses everything is right on each instance without a solution, and a model that allows
        // everything is right on each instance on which nothing is refused. Taking the smallest share gives both of
        // them 0 points. A kind without instances is ignored.
        let counted = shares.iter().filter(|share| share.all > 0);
        let tenths = counted.map(|share| share.tenths(exercise.settings.points)).min().unwrap_or_default();
        Grade {
            name: file.name.clone(),
            number: file.number.clone(),
            path: file.path.clone(),
            text: file.text.as_ref().ok().cloned(),
            verdict,
            tenths,
            shares,
            reference: measures.results.clone(),
            reference_constraints: measures.constraints,
        }
    }

    /// The points, with one decimal if they are not a whole number.
    pub(super) fn points(&self) -> String {
        match self.tenths % 10 {
            0 => (self.tenths / 10).to_string(),
            tenths => format!("{}.{tenths}", self.tenths / 10),
        }
    }

    /// The way the points follow from the results, unless they are simply the share of right instances.
    pub(super) fn weighing(&self, exercise: &Exercise) -> String {
        let [solvable, selective, all] = self.shares;
        let is_half = self.results().iter().any(|result| result.kind() == Some(Shortcoming::Objective));
        let mut text = String::new();
        if is_half && all.halves > 0 {
            text += "An instance counts half if the solutions are right and the objective is not.\n";
        }
        if all.tenths(exercise.settings.points) != self.tenths {
            let counts = |share: Share| (f64::from(share.halves) / 2.0, share.all);
            let ((right, of), (also, others)) = (counts(solvable), counts(selective));
            text += &format!(
                "It is right on {right} of the {of} instances with a solution, and on {also} of the {others} on which \
                the \
                 exercise refuses something. The smaller share counts.\n"
            );
        }
        text
    }

    pub(super) fn tenths(&self) -> u32 {
        self.tenths
    }

    /// The result on each instance; none if the submission was not compared.
    pub(super) fn results(&self) -> &[InstanceResult] {
        match &self.verdict {
            WorkerVerdict::Compared { results, .. } => results,
            _ => &[],
        }
    }

    /// The first shortcoming; nothing if the submission is right.
    pub(super) fn shortcoming(&self) -> Option<Shortcoming> {
        match &self.verdict {
            WorkerVerdict::Rejected(kind, _) => Some(*kind),
            WorkerVerdict::Compared { results, .. } => results.iter().find_map(InstanceResult::kind),
            WorkerVerdict::Unfit(_) | WorkerVerdict::Fault(_) => None,
        }
    }

    /// The grade in one word.
    pub(super) fn result(&self) -> &'static str {
        match (&self.verdict, self.shortcoming()) {
            (WorkerVerdict::Fault(_), _) => "not graded",
            (WorkerVerdict::Unfit(unfit), _) => unfit.result,
            (_, Some(shortcoming)) => shortcoming.name(),
            (_, None) => "right",
        }
    }
}
