//! The messages between the supervisor and the process that grades a submission.

use conjure_like::Shortcoming;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// The name of a text, and the text.
pub(super) type NamedText = (String, String);

/// A submission to be graded.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Job {
    pub reference: NamedText,
    pub submission: NamedText,
    pub instances: Vec<NamedText>,
    /// The time limit for reading, and for each instance, in seconds.
    pub seconds: f64,
    /// True if the submission is the reference itself; then the process also finds out if its constraints refuse
    /// something.
    pub is_reference: bool,
}

impl Job {
    pub(super) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

/// A finding of the process.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WorkerEvent {
    /// The submission cannot be compared; `kind` and `text` say why.
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
    /// The name of a [`Shortcoming`]; `None` if no difference was found.
    pub shortcoming: Option<String>,
    pub complete: bool,
    /// The solution that shows a difference.
    pub solution: Option<String>,
    /// The values of the submission's objective and of the reference's.
    pub objectives: Option<[Option<String>; 2]>,
    /// The picture of the solution, in SVG.
    pub picture: Option<String>,
    /// The explanation why the solution is refused, as text.
    pub because: Option<String>,
    /// The same explanation as `reasons`, as in the answers of `why`.
    pub reasons: Vec<Value>,
    /// The constraints and declarations that refuse the solution, as written.
    pub broken: Vec<String>,
    pub hint: Option<String>,
    /// The mistakes in the data for this submission, as text.
    pub report: Option<String>,
    /// The mistakes in the data for this submission, or the domain that the solution is outside of.
    pub diagnostics: Vec<Value>,
    pub terms: u64,
    pub seconds: Option<f64>,
    /// True if there is a solution; `None` if that is unknown.
    pub has_solution: Option<bool>,
    /// For the reference, true if its constraints refuse something; `None` if that is unknown.
    pub refuses_something: Option<bool>,
}

impl InstanceResult {
    /// The result after a limit was reached.
    pub(super) fn slow() -> Self {
        InstanceResult { shortcoming: Some(Shortcoming::Slow.name().to_owned()), ..InstanceResult::default() }
    }

    /// True if a model that refuses everything is wrong here.
    pub(super) fn is_solvable(&self) -> bool {
        self.has_solution != Some(false)
    }

    /// True if a model that allows everything is wrong here.
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
