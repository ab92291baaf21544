//! What a submission's process is told, and what it tells.

use conjure_like::Shortcoming;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// The name of a text, and the text.
pub(super) type NamedText = (String, String);

/// What is to be graded.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Job {
    pub reference: NamedText,
    pub submission: NamedText,
    pub instances: Vec<NamedText>,
    /// Seconds for reading, and for each instance.
    pub seconds: f64,
    /// Whether the submission is the reference itself, of which more is asked.
    pub is_reference: bool,
}

impl Job {
    pub(super) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

/// What the process has found out.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WorkerEvent {
    /// The submission cannot be compared, and why.
    Rejected { kind: String, text: String, diagnostics: Vec<Value> },
    /// The submission has this many constraints.
    Read { constraints: usize },
    /// The result for the next instance.
    Instance(Box<InstanceResult>),
    /// Something is wrong with the exercise.
    Fault { text: String },
}

/// The result for one instance.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct InstanceResult {
    /// The name of a [`Shortcoming`]; nothing if no difference was found.
    pub shortcoming: Option<String>,
    pub complete: bool,
    /// The solution that shows a difference.
    pub solution: Option<String>,
    /// The values of the submission's objective and of the reference's.
    pub objectives: Option<[Option<String>; 2]>,
    /// The picture of the solution, in SVG.
    pub picture: Option<String>,
    /// Why the solution is refused.
    pub because: Option<String>,
    /// The reasons why the solution is refused, as in the answers of `why`.
    pub reasons: Vec<Value>,
    /// The constraints and declarations that refuse it, as they are written.
    pub broken: Vec<String>,
    pub hint: Option<String>,
    /// What is wrong with the data for this submission.
    pub report: Option<String>,
    /// What is wrong with the data for this submission, or which domain the solution is outside of.
    pub diagnostics: Vec<Value>,
    pub terms: u64,
    pub seconds: Option<f64>,
    /// Whether there is a solution, if that is known.
    pub has_solution: Option<bool>,
    /// For the reference, whether its constraints refuse something, if that is known.
    pub refuses_something: Option<bool>,
}

impl InstanceResult {
    /// The result if a limit was reached.
    pub(super) fn slow() -> Self {
        InstanceResult { shortcoming: Some(Shortcoming::Slow.name().to_owned()), ..InstanceResult::default() }
    }

    /// Whether a model that refuses everything is wrong here.
    pub(super) fn is_solvable(&self) -> bool {
        self.has_solution != Some(false)
    }

    /// Whether a model that allows everything is wrong here.
    pub(super) fn is_selective(&self) -> bool {
        self.refuses_something != Some(false)
    }

    pub(super) fn is_slow(&self) -> bool {
        self.kind() == Some(Shortcoming::Slow)
    }

    pub(super) fn kind(&self) -> Option<Shortcoming> {
        self.shortcoming.as_deref().and_then(shortcoming_named)
    }
}

/// The shortcoming of this name.
pub(super) fn shortcoming_named(name: &str) -> Option<Shortcoming> {
    Shortcoming::ALL.into_iter().find(|shortcoming| shortcoming.name() == name)
}
