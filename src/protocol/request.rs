//! Requests, with the members of each verb.

use super::refusal;
use crate::api::{Count, Report, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error};
use std::{
    collections::BTreeMap,
    num::{NonZeroU64, NonZeroUsize},
    time::{Duration, Instant},
};

/// A request: the question, and the texts that it is about.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Request {
    /// The model.
    model: Option<NamedText>,
    /// The texts of parameter files and tables that together give one instance its values.
    #[serde(default)]
    data: Vec<NamedText>,
    #[serde(flatten)]
    pub(super) verb: Verb,
}

/// The question, with the members that only this question has.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub(super) enum Verb {
    Check(Check),
    Examine(Examine),
    Complete(Position),
    Hover(Position),
    Signature(Position),
    Definition(Position),
    References(Position),
    Rename(Rename),
    Symbols(Subject),
    Tokens(Subject),
    InlayHints(Part),
    Folding(Subject),
    Tree(Subject),
    Fit(Fit),
    Format(Format),
    Solve(Solve),
    Why(Why),
    Forced(Forced),
    Hint(Hint),
    Search(Search),
    Explore(Explore),
    Validate(Validate),
    Draw(Draw),
    Shape(Shape),
    Evaluate(Evaluate),
    Grade(Grade),
    Compare(Compare),
    Review(Review),
    Ask(Ask),
    Test(Test),
    Fix,
    Instance,
    Declare,
    Form,
    Board(Board),
    Session(Session),
    Puzzle(Puzzle),
    Operators,
    Explain(Explain),
    Import(Import),
    Instances(DataFile),
    About,
}

/// A text with its name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Text")]
pub(super) struct NamedText {
    /// The name in messages, which identifies the text.
    pub name: String,
    /// The content, which decides if the text is Essence or JSON; the name does not.
    text: String,
    /// The parameter that gets its value from the text, which is then a table.
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
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Subject {
    /// The name of the text.
    pub text: Option<String>,
}

/// A position in a text.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Position {
    #[serde(flatten)]
    pub subject: Subject,
    /// The position, in units of UTF-16.
    pub at: usize,
}

/// A name that is changed everywhere.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Rename {
    #[serde(flatten)]
    pub place: Position,
    /// The new name.
    pub name: String,
}

/// A part of a text; the whole text if no positions are given.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Part {
    #[serde(flatten)]
    pub subject: Subject,
    /// The first position.
    pub from: Option<usize>,
    /// The position after the last one.
    pub to: Option<usize>,
}

/// Texts that may replace parts of the model.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Fit {
    /// The parts of the model to try, each with its first position and the position after its last one (default: all
    /// expressions and domains).
    pub places: Option<Vec<(usize, usize)>>,
    /// Expressions, in parentheses if they are more than a name or a number, and domains.
    pub texts: Vec<String>,
}

/// A text in the canonical layout.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Format {
    #[serde(flatten)]
    pub subject: Subject,
    /// The length of its lines.
    #[serde(default = "default_width")]
    pub width: usize,
}

fn default_width() -> usize {
    80
}

/// A time limit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Limit {
    /// A number of seconds.
    limit: Option<f64>,
    /// The threads of the search; a page has one.
    pub threads: Option<NonZeroUsize>,
}

impl Limit {
    /// The number of seconds.
    pub(super) fn time(&self) -> Option<Duration> {
        self.limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// The time at which the search ends.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.time().and_then(|limit| Instant::now().checked_add(limit))
    }
}

fn optional_count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Count>, D::Error> {
    read_count(from).map(Some)
}

/// Solutions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Solve {
    #[serde(flatten)]
    pub limit: Limit,
    /// The number of solutions (default 1), or `"all"`. With an objective, 1 asks for a best solution, with a line for
    /// each better one on the way, and a larger number for several best solutions.
    #[serde(default, deserialize_with = "read_count")]
    #[schemars(with = "CountShape")]
    pub solutions: Count,
    pub seed: Option<u32>,
    /// `auto` (default), or the name of another solver of this build.
    pub solver: Option<String>,
    #[serde(default)]
    pub symmetry: Symmetry,
    /// `none` (default), `fast` or `full`.
    pub unnamed_symmetry: Option<String>,
    /// True to draw the solutions.
    #[serde(default = "yes")]
    pub pictures: bool,
    /// The shape of the wanted result: JSON in which each string is an expression, or `$objective`.
    pub shape: Option<serde_json::Value>,
}

/// Symmetry breaking if the model shows that parts can be exchanged.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Symmetry {
    #[default]
    Auto,
    On,
    Off,
}

fn yes() -> bool {
    true
}

/// A number of solutions, or `"all"`.
#[derive(JsonSchema)]
#[schemars(rename = "Count")]
#[serde(untagged)]
#[expect(dead_code, reason = "the schema has them")]
enum CountShape {
    Number(NonZeroU64),
    All(AllSolutions),
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "the schema has them")]
enum AllSolutions {
    All,
}

/// Reads a number of solutions, or `"all"`.
fn read_count<'de, D: Deserializer<'de>>(from: D) -> Result<Count, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse().map_err(|wanted| D::Error::custom(format!("`solutions` is {wanted}")))
}

/// The values that are set on a board, and the questions about it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Board {
    #[serde(flatten)]
    pub limit: Limit,
    /// The constraints of the values that are set, as the cells have them.
    #[serde(default)]
    pub set: Vec<String>,
    /// The number of solutions to find that keep these values (default: none).
    #[serde(default, deserialize_with = "optional_count")]
    #[schemars(with = "Option<CountShape>")]
    pub solutions: Option<Count>,
    /// True to find out the possible values.
    #[serde(default)]
    pub possible: bool,
    /// The names of cells that are asked about first.
    #[serde(default)]
    pub first: Vec<String>,
    /// A solution; only better ones are searched for.
    pub better: Option<NamedText>,
    /// Solutions; the search is for one that is at least as good as the first of them and differs as much as possible
    /// from the most similar one.
    #[serde(default)]
    pub different: Vec<NamedText>,
    pub seed: Option<u32>,
    /// True to draw the solutions.
    #[serde(default = "yes")]
    pub pictures: bool,
}

/// The steps of a session.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Session {
    /// The steps, taken one after the other.
    #[serde(default)]
    pub steps: Vec<SessionStep>,
    /// The solve options, if the instance is to be solved after the steps.
    pub solve: Option<SessionSolve>,
}

/// A step of a session, which can be taken back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum SessionStep {
    /// Further constraints: an expression in Essence, or a list of them.
    Require(Expressions),
    /// New values of parameters.
    Set(NewValues),
    /// Takes back this many steps.
    Undo(usize),
}

/// An expression in Essence, or a list of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "`require` takes an expression in Essence, or a list of them")]
pub(super) enum Expressions {
    One(String),
    Several(Vec<String>),
}

/// Values of parameters: parameter files and tables, statements in Essence, or an object with a member for each
/// parameter.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "`set` takes a list of texts, statements in Essence, or an object with values")]
pub(super) enum NewValues {
    Texts(Vec<NamedText>),
    Statements(String),
    Values(serde_json::Map<String, serde_json::Value>),
}

/// The solve options of a session.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct SessionSolve {
    #[serde(flatten)]
    pub limit: Limit,
    pub seed: Option<u32>,
    /// True to draw the solutions.
    #[serde(default = "yes")]
    pub pictures: bool,
}

/// Explains why there is no solution, or why `expected` is not one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Why {
    #[serde(flatten)]
    pub limit: Limit,
    /// The expected solution, which may leave variables out or have `_` for unknown parts.
    pub expected: Option<NamedText>,
    /// True to explain why no solution is better than the best one.
    #[serde(default)]
    pub better: bool,
    /// True to show in small, checked steps that there is no solution, or no expected one.
    #[serde(default)]
    pub steps: bool,
}

/// Decides if a constraint holds in every solution, and explains it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Forced {
    #[serde(flatten)]
    pub limit: Limit,
    /// A constraint as in `such that`.
    pub constraint: String,
}

/// The next step.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Hint {
    #[serde(flatten)]
    pub limit: Limit,
    /// The known part of the solution, as for `why`.
    pub known: Option<NamedText>,
    /// True for all steps.
    #[serde(default)]
    pub all: bool,
}

/// Textbook searches.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Search {
    #[serde(flatten)]
    pub limit: Limit,
    /// A list such as `["bt", "fc+mrv"]`; an empty one takes forward checking with the model's `heuristic`, and
    /// `"compare"` the strategies that `--compare` compares.
    #[serde(default)]
    pub strategies: Strategies,
    /// True to replace `allDiff` with inequalities between two variables.
    #[serde(default)]
    pub binary: bool,
    /// True for the steps as text.
    #[serde(default)]
    pub transcript: bool,
    /// True for a page with the trees and the domains at each step.
    #[serde(default = "yes")]
    pub page: bool,
}

/// Strategies by their names, or `"compare"`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Strategies {
    Named(Vec<String>),
    All(AllStrategies),
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum AllStrategies {
    Compare,
}

impl Default for Strategies {
    fn default() -> Self {
        Strategies::Named(Vec::new())
    }
}

/// Diagnoses errors and warnings.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Check {
    #[serde(flatten)]
    pub limit: Limit,
    /// True to ask a solver about the constraints, too.
    #[serde(default)]
    pub examine: bool,
    /// The step of the course, such as 3; words that are introduced later get a warning.
    pub level: Option<usize>,
}

/// Asks a solver for constraints that always hold or never hold.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Examine {
    #[serde(flatten)]
    pub limit: Limit,
    /// Parameter files, each for a separate instance. Those with mistakes are left out.
    #[serde(default)]
    pub instances: Vec<NamedText>,
}

/// The space of solutions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Explore {
    #[serde(flatten)]
    pub limit: Limit,
    /// The maximum number of solutions to enumerate.
    #[serde(default = "two_thousand")]
    pub most: usize,
    /// The size of a random sample, if there are more.
    #[serde(default = "two_hundred")]
    pub sample: usize,
    /// The seed of the estimate and of the sample.
    #[serde(default = "one")]
    pub seed: u64,
    /// True for a page.
    #[serde(default = "yes")]
    pub page: bool,
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

/// Checks a solution.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Validate {
    /// A solution.
    pub solution: NamedText,
}

/// A drawing of a solution.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Draw {
    /// The solution.
    pub solution: NamedText,
    pub format: DrawingFormat,
}

/// A solution in a wanted shape.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Shape {
    /// The solution.
    pub solution: NamedText,
    /// JSON in which each string is an expression, or `$objective`.
    pub shape: serde_json::Value,
}

/// The format of a drawing.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum DrawingFormat {
    Text,
    Svg,
    Html,
}

/// The value of an expression.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Evaluate {
    /// An expression, which may mention the names of the model, if there is one.
    pub expression: String,
    /// The values of the decision variables; they need not satisfy the model.
    pub solution: Option<NamedText>,
}

/// Compares the model with another one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Compare {
    #[serde(flatten)]
    pub limit: Limit,
    /// The model to compare with.
    pub reference: NamedText,
    /// The number of small instances to generate if there are no data.
    #[serde(default = "eight")]
    pub instances: usize,
}

fn eight() -> usize {
    8
}

/// Reviews the model against an older version: the solutions that it has gained and lost.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Review {
    /// The seconds for each instance.
    #[serde(flatten)]
    pub limit: Limit,
    /// The older version.
    pub old: NamedText,
    /// Decision variables of the old version as expressions over the variables of the new one.
    #[serde(default)]
    pub mapping: BTreeMap<String, String>,
    /// The number of small instances to generate if there are no data.
    #[serde(default = "eight")]
    pub instances: usize,
}

/// Asks which of several models is meant: returns the next question.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Ask {
    #[serde(flatten)]
    pub limit: Limit,
    /// The other models. If names differ, those in the model of the request are used.
    #[serde(default)]
    pub candidates: Vec<NamedText>,
    /// True if mutants of the model, each with one planted mistake, are candidates, too.
    #[serde(default)]
    pub mutants: bool,
    /// Variables and parameters of the model as expressions of another candidate; needed if the names differ.
    #[serde(default)]
    pub mapping: BTreeMap<String, String>,
    /// The answers so far, in their order.
    #[serde(default)]
    pub answers: Vec<GivenAnswer>,
    /// The number of small instances to generate if there are no data.
    #[serde(default = "eight")]
    pub instances: usize,
}

/// The answer to a question, with the members of the question that it answers.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct GivenAnswer {
    /// The data of the instance.
    #[serde(default)]
    pub data: Vec<NamedText>,
    /// The candidate solution.
    pub solution: String,
    /// True if the question was about a best solution.
    #[serde(default)]
    pub best: bool,
    /// `yes`, `no`, `cannot happen` (the instance) or `don't know`.
    pub answer: String,
}

/// Runs the test cases of a model.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Test {
    /// The seconds for each case (default 60).
    #[serde(flatten)]
    pub limit: Limit,
    /// The text with the cases, in its comments; the model, if it is not given.
    pub cases: Option<NamedText>,
    /// The texts that the cases name with `$ data: NAME`.
    #[serde(default)]
    pub files: Vec<NamedText>,
    /// Run only the cases whose name contains this.
    pub only: Option<String>,
    /// True to run the cases in the comments of `files`, too.
    #[serde(default)]
    pub all: bool,
    /// True to plant mistakes in the model, and to find out which of them no case notices.
    #[serde(default)]
    pub mutants: bool,
    /// The number of small instances to generate for mutants that no case notices.
    #[serde(default = "eight")]
    pub instances: usize,
}

/// Grades an answer to an exercise.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Grade {
    /// The seconds for each instance.
    #[serde(flatten)]
    pub limit: Limit,
    /// The model to compare with.
    pub reference: NamedText,
    /// Parameter files.
    #[serde(default)]
    pub instances: Vec<NamedText>,
    /// The number of small instances to generate.
    #[serde(default)]
    pub made_up: usize,
}

/// Explains a word.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Explain {
    /// A word or sign of Essence, or an error code such as `E0301`.
    pub word: String,
}

/// The instances in a text of data.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct DataFile {
    /// The data; JSON may hold several instances.
    pub file: NamedText,
}

/// Makes puzzles: data with exactly one solution. The data of the request keep their values, except for the clues.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Puzzle {
    #[serde(flatten)]
    pub limit: Limit,
    /// The number of puzzles (default 1); 0 only finds out which parameters hold clues.
    #[serde(default = "one")]
    pub number: u64,
    /// The parameters whose clues are chosen (default: those that fix parts of the answer).
    #[serde(default)]
    pub clues: Vec<String>,
    /// The wanted difficulty (default: any).
    pub difficulty: Option<WantedDifficulty>,
    /// True if a half turn of the board must map the pattern of the clues to itself.
    #[serde(default)]
    pub symmetric: bool,
    /// The same seed makes the same puzzles.
    pub seed: Option<u32>,
}

/// A third of the puzzles of one kind, by their difficulty.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum WantedDifficulty {
    Easy,
    Medium,
    Hard,
}

/// A puzzle as a parameter file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Import {
    /// The name of a format.
    pub format: String,
    /// The puzzle.
    pub puzzle: NamedText,
}

impl Request {
    pub(super) fn model(&self) -> Result<Text, Report> {
        self.optional_model().ok_or_else(|| refusal("this request needs a `model`"))
    }

    pub(super) fn optional_model(&self) -> Option<Text> {
        self.model.as_ref().map(Text::from)
    }

    pub(super) fn data(&self) -> Vec<Text> {
        self.data.iter().map(Text::from).collect()
    }
}
