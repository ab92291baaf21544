//! Requests, as `PROTOCOL.md` describes them.

use conjure_like::{Code, Count, Diagnostic, EngineOptions, Limits, Report, Text};
use serde::{Deserialize, Deserializer, de::Error};
use std::{
    num::NonZeroUsize,
    time::{Duration, Instant},
};

/// A request: what is asked, and the texts that it is about.
#[derive(Deserialize)]
pub(crate) struct Request {
    model: Option<NamedText>,
    #[serde(default)]
    data: Vec<NamedText>,
    #[serde(flatten)]
    pub verb: Verb,
}

/// What is asked, with the members that only this question has.
#[derive(Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub(crate) enum Verb {
    Check(Check),
    Complete(Place),
    Hover(Place),
    Signature(Place),
    Definition(Place),
    References(Place),
    Rename(Rename),
    Symbols(Subject),
    Tokens(Subject),
    InlayHints(Part),
    Folding(Subject),
    Format(Format),
    Solve(Solve),
    Why(Why),
    Forced(Forced),
    Hint(Hint),
    Search(Search),
    Explore(Explore),
    Validate(Validate),
    Evaluate(Evaluate),
    Grade(Grade),
    Compare(Compare),
    Instance,
    Form,
    Board(Board),
    Session(Session),
    Explain(Explain),
    Import(Import),
    Instances(Instances),
    About,
}

/// A text with its name.
#[derive(Clone, Deserialize)]
pub(crate) struct NamedText {
    name: String,
    text: String,
    /// The parameter that the text, a table, gives its value.
    parameter: Option<String>,
    /// The columns of the table.
    #[serde(default)]
    columns: String,
}

impl From<&NamedText> for Text {
    fn from(named: &NamedText) -> Text {
        match &named.parameter {
            Some(parameter) => Text::table(&named.name, &named.text, parameter, &named.columns),
            None => Text::new(&named.name, &named.text),
        }
    }
}

/// A text of the request: the model, if no name is given.
#[derive(Deserialize)]
pub(crate) struct Subject {
    pub text: Option<String>,
}

/// A position in a text.
#[derive(Deserialize)]
pub(crate) struct Place {
    #[serde(flatten)]
    pub subject: Subject,
    pub at: usize,
}

#[derive(Deserialize)]
pub(crate) struct Rename {
    #[serde(flatten)]
    pub place: Place,
    pub name: String,
}

/// A part of a text; all of it, if no positions are given.
#[derive(Deserialize)]
pub(crate) struct Part {
    #[serde(flatten)]
    pub subject: Subject,
    pub from: Option<usize>,
    pub to: Option<usize>,
}

#[derive(Deserialize)]
pub(crate) struct Format {
    #[serde(flatten)]
    pub subject: Subject,
    #[serde(default = "width")]
    pub width: usize,
}

fn width() -> usize {
    80
}

/// When to end before there is an answer: a number of seconds.
#[derive(Deserialize)]
pub(crate) struct Limit {
    limit: Option<f64>,
}

impl Limit {
    /// The options of a search on one thread, as there is no other in a page.
    pub(crate) fn options(&self, seed: Option<u32>) -> EngineOptions {
        let limit = self.limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        EngineOptions::default()
            .limits(Limits::default().deadline(deadline))
            .seed(seed)
            .threads(Some(NonZeroUsize::MIN))
    }
}

fn optional_count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Count>, D::Error> {
    count(from).map(Some)
}

#[derive(Deserialize)]
pub(crate) struct Solve {
    #[serde(flatten)]
    pub limit: Limit,
    #[serde(default, deserialize_with = "count")]
    pub solutions: Count,
    pub seed: Option<u32>,
    pub solver: Option<String>,
    #[serde(default)]
    pub symmetry: Symmetry,
    pub unnamed_symmetry: Option<String>,
    #[serde(default = "yes")]
    pub pictures: bool,
}

/// Symmetry breaking where the model shows that parts of it can be exchanged.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Symmetry {
    #[default]
    Auto,
    On,
    Off,
}

fn yes() -> bool {
    true
}

/// Reads a number of solutions, or `"all"`.
fn count<'de, D: Deserializer<'de>>(from: D) -> Result<Count, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse().map_err(|wanted| D::Error::custom(format!("`solutions` is {wanted}")))
}

/// The set values of a board, and what is asked about it.
#[derive(Deserialize)]
pub(crate) struct Board {
    #[serde(flatten)]
    pub limit: Limit,
    #[serde(default)]
    pub set: Vec<String>,
    #[serde(default, deserialize_with = "optional_count")]
    pub solutions: Option<Count>,
    #[serde(default)]
    pub possible: bool,
    #[serde(default)]
    pub first: Vec<String>,
    pub better: Option<NamedText>,
    #[serde(default)]
    pub different: Vec<NamedText>,
    pub seed: Option<u32>,
    #[serde(default = "yes")]
    pub pictures: bool,
}

/// What is to happen in a session.
#[derive(Deserialize)]
pub(crate) struct Session {
    #[serde(default)]
    pub steps: Vec<Step>,
    pub solve: Option<SessionSolve>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Step {
    Require(Vec<String>),
    Set(Vec<NamedText>),
    Undo(usize),
}

#[derive(Deserialize)]
pub(crate) struct SessionSolve {
    #[serde(flatten)]
    pub limit: Limit,
    pub seed: Option<u32>,
    #[serde(default = "yes")]
    pub pictures: bool,
}

#[derive(Deserialize)]
pub(crate) struct Why {
    #[serde(flatten)]
    pub limit: Limit,
    pub expected: Option<NamedText>,
    #[serde(default)]
    pub better: bool,
}

#[derive(Deserialize)]
pub(crate) struct Forced {
    #[serde(flatten)]
    pub limit: Limit,
    pub constraint: String,
}

#[derive(Deserialize)]
pub(crate) struct Hint {
    #[serde(flatten)]
    pub limit: Limit,
    pub known: Option<NamedText>,
    #[serde(default)]
    pub all: bool,
}

#[derive(Deserialize)]
pub(crate) struct Search {
    #[serde(flatten)]
    pub limit: Limit,
    #[serde(default)]
    pub strategies: Strategies,
    #[serde(default)]
    pub binary: bool,
    #[serde(default)]
    pub transcript: bool,
    #[serde(default = "yes")]
    pub page: bool,
}

/// Strategies by their names, or `"compare"`.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Strategies {
    Named(Vec<String>),
    Compared(Compared),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Compared {
    Compare,
}

impl Default for Strategies {
    fn default() -> Self {
        Strategies::Named(Vec::new())
    }
}

#[derive(Deserialize)]
pub(crate) struct Check {
    #[serde(flatten)]
    pub limit: Limit,
    /// Whether a solver is asked about the constraints, too.
    #[serde(default)]
    pub examine: bool,
}

#[derive(Deserialize)]
pub(crate) struct Explore {
    #[serde(flatten)]
    pub limit: Limit,
    /// The most solutions to enumerate.
    #[serde(default = "two_thousand")]
    pub most: usize,
    /// The size of a random sample, if there are more.
    #[serde(default = "two_hundred")]
    pub sample: usize,
    #[serde(default = "one")]
    pub seed: u64,
}

fn two_thousand() -> usize {
    2000
}

fn two_hundred() -> usize {
    200
}

fn one() -> u64 {
    1
}

#[derive(Deserialize)]
pub(crate) struct Validate {
    pub solution: NamedText,
}

#[derive(Deserialize)]
pub(crate) struct Evaluate {
    pub expression: String,
    pub solution: Option<NamedText>,
}

#[derive(Deserialize)]
pub(crate) struct Compare {
    #[serde(flatten)]
    pub limit: Limit,
    pub reference: NamedText,
    /// The number of small instances to make up, if there are no data.
    #[serde(default = "eight")]
    pub instances: usize,
}

fn eight() -> usize {
    8
}

#[derive(Deserialize)]
pub(crate) struct Grade {
    /// The seconds for each instance.
    #[serde(flatten)]
    pub limit: Limit,
    pub reference: NamedText,
    #[serde(default)]
    pub instances: Vec<NamedText>,
    /// The number of small instances to make up.
    #[serde(default)]
    pub made_up: usize,
}

#[derive(Deserialize)]
pub(crate) struct Explain {
    pub word: String,
}

#[derive(Deserialize)]
pub(crate) struct Instances {
    pub file: NamedText,
}

#[derive(Deserialize)]
pub(crate) struct Import {
    pub format: String,
    pub puzzle: NamedText,
}

pub(crate) fn read(text: &str) -> Result<Request, Report> {
    serde_json::from_str(text).map_err(|error| refusal(format!("this is not a request: {error}")))
}

/// The report that a request asks for something that does not exist.
pub(crate) fn refusal(message: impl Into<String>) -> Report {
    Diagnostic::error(Code::COMMAND_LINE, message).into()
}

impl Request {
    pub(crate) fn model(&self) -> Result<Text, Report> {
        self.optional_model().ok_or_else(|| refusal("this request needs a `model`"))
    }

    pub(crate) fn optional_model(&self) -> Option<Text> {
        self.model.as_ref().map(Text::from)
    }

    pub(crate) fn data(&self) -> Vec<Text> {
        self.data.iter().map(Text::from).collect()
    }
}
