//! Grades: what a verdict is worth.

use super::{exercise::Exercise, job::InstanceResult, supervisor::Verdict};
use conjure_like::Shortcoming;
use std::path::{Path, PathBuf};

/// What the reference needs.
pub(super) struct Measures {
    pub constraints: usize,
    pub results: Vec<InstanceResult>,
}

/// A submission with its verdict.
pub(super) struct Grade {
    pub name: String,
    pub path: PathBuf,
    pub verdict: Verdict,
    /// Tenths of points.
    tenths: u32,
    /// What the reference needs on each instance.
    pub reference: Vec<InstanceResult>,
    pub reference_constraints: usize,
}

impl Grade {
    pub(super) fn new(exercise: &Exercise, name: &str, path: &Path, verdict: Verdict, measures: &Measures) -> Self {
        let right = match &verdict {
            Verdict::Compared { results, .. } => results.iter().filter(|result| result.shortcoming.is_none()).count(),
            _ => 0,
        };
        // Rounded down: only what is right everywhere gets all points.
        let tenths = exercise.settings.points * 10 * right as u32 / exercise.instances.len() as u32;
        Grade {
            name: name.to_owned(),
            path: path.to_owned(),
            verdict,
            tenths,
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

    pub(super) fn tenths(&self) -> u32 {
        self.tenths
    }

    /// The result on each instance; none if the submission was not compared.
    pub(super) fn results(&self) -> &[InstanceResult] {
        match &self.verdict {
            Verdict::Compared { results, .. } => results,
            _ => &[],
        }
    }

    /// The first shortcoming; nothing if the submission is right.
    pub(super) fn shortcoming(&self) -> Option<Shortcoming> {
        match &self.verdict {
            Verdict::Rejected(kind, _) => Some(*kind),
            Verdict::Compared { results, .. } => results.iter().find_map(InstanceResult::kind),
            Verdict::Fault(_) => None,
        }
    }

    /// The grade in one word.
    pub(super) fn result(&self) -> &'static str {
        match (&self.verdict, self.shortcoming()) {
            (Verdict::Fault(_), _) => "not graded",
            (_, Some(shortcoming)) => shortcoming.name(),
            (_, None) => "right",
        }
    }
}
