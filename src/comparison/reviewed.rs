//! The review of a change of a model: the interface and the instances, with the sentences that every format shows.
//!
//! A review states what was checked, and calls two versions the same only if the check was complete.

use super::{InterfaceChange, Review};
use crate::{
    api::{Instance, Model, Report, SolveStatus, Text},
    diagnostic::counted,
};
use std::time::Duration;

/// A difference in time is mentioned if it exceeds both this share of the longer time and this duration. Chosen:
/// smaller differences are noise.
const SAID_SHARE: f64 = 0.2;
const SAID_TIME: Duration = Duration::from_millis(50);

/// The review of all instances.
#[derive(Clone, Debug)]
pub struct ModelReview {
    /// The changed declarations.
    pub interface: Vec<InterfaceChange>,
    /// The reviewed instances.
    pub instances: Vec<InstanceReview>,
}

/// The review of one instance.
#[derive(Clone, Debug)]
pub struct InstanceReview {
    /// The name of the data; empty for a model without parameters.
    pub name: String,
    /// The data, if they were generated.
    pub made_up: Option<String>,
    /// The result.
    pub compared: ComparedVersions,
}

/// The comparison of two versions of a model on one instance; the old version comes first.
#[derive(Clone, Debug)]
pub enum ComparedVersions {
    /// The data do not fit the old version or the new one.
    Unfit([Option<Report>; 2]),
    /// The decision variables do not correspond.
    Incomparable(Report, [SolvedVersion; 2]),
    /// The solutions were compared.
    Reviewed(Box<Review>, [SolvedVersion; 2]),
}

/// A search for a best solution, or for one solution.
#[derive(Clone, Debug)]
pub struct SolvedVersion {
    /// The end of the search.
    pub status: SolveStatus,
    /// The value of the objective.
    pub objective: Option<String>,
    /// The processor time; zero if it was not measured.
    pub time: Duration,
}

impl ComparedVersions {
    /// Compares two versions on an instance: `review` looks for lost and gained solutions, and `solve` solves each
    /// version. The caller sets their limits.
    ///
    /// # Errors
    ///
    /// Returns an error if one of the versions is too large to be solved.
    pub fn on(
        [old, new]: [&Model; 2],
        data: &[Text],
        review: impl FnOnce() -> Result<Review, Report>,
        solve: impl Fn(&Instance) -> Result<SolvedVersion, Report>,
    ) -> Result<Self, Report> {
        let instances = [old, new].map(|model| model.instance(data));
        let [Ok(before), Ok(after)] = &instances else {
            return Ok(ComparedVersions::Unfit(instances.map(Result::err)));
        };
        let review = review();
        let solved = [solve(before)?, solve(after)?];
        Ok(match review {
            Ok(review) => ComparedVersions::Reviewed(Box::new(review), solved),
            Err(report) => ComparedVersions::Incomparable(report, solved),
        })
    }

    /// The sentences about the instance as a whole: if the comparison was incomplete or empty, the best values if they
    /// differ, and the times if they differ enough.
    pub fn sentences(&self) -> Vec<String> {
        let (first, solved) = match self {
            ComparedVersions::Unfit(reports) => {
                let versions = ["old", "new"].into_iter().zip(reports).filter(|(_, report)| report.is_some());
                return versions.map(|(version, _)| format!("The data do not fit the {version} version.")).collect();
            }
            ComparedVersions::Incomparable(_, solved) => {
                (Some("The solutions of the two versions cannot be compared."), solved)
            }
            ComparedVersions::Reviewed(review, solved) => match (review.is_empty(), review.complete) {
                (false, _) => (None, solved),
                (true, true) => (Some("The solutions are the same."), solved),
                (true, false) => {
                    let uncertain = "No difference was found. This is not certain: there are too many solutions to \
                                     look at all of them, or a limit ended the search.";
                    (Some(uncertain), solved)
                }
            },
        };
        first.map(str::to_owned).into_iter().chain(solved_sentences(solved)).collect()
    }
}

/// The best values, if they differ, and the times, if they differ enough.
fn solved_sentences([old, new]: &[SolvedVersion; 2]) -> impl Iterator<Item = String> {
    let of = |solved: &SolvedVersion| match &solved.objective {
        Some(value) if solved.status.is_definite() => value.clone(),
        Some(value) => format!("{value} so far"),
        None => solved.status.to_string(),
    };
    let (was, is) = (of(old), of(new));
    let values = match (&old.objective, &new.objective) {
        (None, None) if was == is => None,
        _ if was == is => Some(format!("Best value: {is}, as before.")),
        (None, None) => Some(format!("Answer: {is} ({was} before).")),
        _ => Some(format!("Best value: {is} ({was} before).")),
    };
    let longer = old.time.max(new.time);
    let between = old.time.abs_diff(new.time);
    let is_said = between > SAID_TIME && between.as_secs_f64() > SAID_SHARE * longer.as_secs_f64();
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    let word = if new.time < old.time { "Faster" } else { "Slower" };
    let times =
        is_said.then(|| format!("{word}: {} of processor time ({} before).", seconds(new.time), seconds(old.time)));
    values.into_iter().chain(times)
}

impl ModelReview {
    /// True if anything has changed, or could not be compared.
    pub fn has_differences(&self) -> bool {
        !self.interface.is_empty()
            || self.instances.iter().any(|instance| match &instance.compared {
                ComparedVersions::Unfit(_) | ComparedVersions::Incomparable(..) => true,
                ComparedVersions::Reviewed(review, _) => !review.is_empty(),
            })
    }

    /// Summarises the findings in one sentence, with the number of instances for each.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        let mut say = |what: &str, holds: &dyn Fn(&ComparedVersions) -> bool| match self
            .instances
            .iter()
            .filter(|one| holds(&one.compared))
            .count()
        {
            0 => {}
            count => parts.push(format!("{what} {count}")),
        };
        let reviewed = |compared: &ComparedVersions, holds: &dyn Fn(&Review) -> bool| match compared {
            ComparedVersions::Reviewed(review, _) => holds(review),
            _ => false,
        };
        say("solutions gained on", &|one| reviewed(one, &|review| review.gained.is_some()));
        say("solutions lost on", &|one| reviewed(one, &|review| review.lost.is_some()));
        say("another objective on", &|one| reviewed(one, &|review| review.objective.is_some()));
        say("the same solutions on", &|one| reviewed(one, &|review| review.is_empty() && review.complete));
        say("no difference found, without certainty, on", &|one| {
            reviewed(one, &|review| review.is_empty() && !review.complete)
        });
        say("data that do not fit both versions on", &|one| matches!(one, ComparedVersions::Unfit(_)));
        say("not comparable on", &|one| matches!(one, ComparedVersions::Incomparable(..)));
        match parts.is_empty() {
            true => "Nothing was compared: there is no instance.".to_owned(),
            false => format!("Of {}: {}.", counted(self.instances.len(), "instance"), parts.join(", ")),
        }
    }
}
