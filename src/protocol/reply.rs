//! Replies to requests. The comments on the members are the documentation of the protocol: they are copied to the
//! schema and to the types in TypeScript.
//!
//! You may add members. Installed clients read them, so do not rename members or change their units.

use super::shapes::{Diagnostic, Edit, Explanation, Form, ObjectiveValue, Place, Places, Space};
use crate::SolveStatus;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A line of an answer. The last one is a result or a failure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Line {
    /// The members of the request's `verb`.
    Result(Reply),
    /// The errors and warnings about the request and its texts, at least one error.
    Failure {
        /// The diagnostics.
        #[schemars(with = "Vec<Diagnostic>")]
        diagnostics: Value,
    },
    /// A solution as soon as it is found.
    Solution(SolutionLine),
    /// The state of the search so far.
    Progress(ProgressLine),
    /// The cells of a board.
    Cells(Cells),
}

/// The members of a result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each is the result of the verb of its name")]
pub enum Reply {
    Check(CheckResult),
    Complete(CompletionsResult),
    Hover(HoverResult),
    Signature(SignatureResult),
    Definition(DefinitionResult),
    References(ReferencesResult),
    Edits(EditsResult),
    Symbols(SymbolsResult),
    Tokens(TokensResult),
    InlayHints(InlayHintsResult),
    Folding(FoldingResult),
    Tree(TreeResult),
    Fit(FitResult),
    Format(FormatResult),
    Solve(SolveResult),
    Explain(ExplainResult),
    Search(SearchResult),
    Explore(ExploreResult),
    Validate(ValidateResult),
    Evaluate(EvaluateResult),
    Shape(ShapeResult),
    Grade(GradeResult),
    Compare(CompareResult),
    Review(ReviewResult),
    Ask(AskResult),
    Test(TestResult),
    Fix(FixResult),
    Instance(InstanceResult),
    Declare(DeclareResult),
    Form(FormResult),
    Board(BoardResult),
    Session(SessionResult),
    Puzzle(PuzzleResult),
    Ended(SearchEnded),
    Text(TextResult),
    Instances(InstancesResult),
    Operators(OperatorsResult),
    About(AboutResult),
}

/// A solution.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Solution")]
pub struct SolutionLine {
    /// Its number, counted from 1.
    pub number: usize,
    /// The solution in Essence.
    pub essence: String,
    /// The solution in Conjure's simple JSON.
    #[schemars(with = "BTreeMap<String, Value>")]
    pub json: Value,
    /// The value of each decision variable in Essence, on one line.
    #[schemars(with = "BTreeMap<String, String>")]
    pub values: Map<String, Value>,
    /// The value of the objective in its unit, or of several, which are compared one after the other; `null` without
    /// one.
    #[schemars(with = "Option<ObjectiveValue>")]
    pub objective: Option<Value>,
    /// The value of the objective as people read it, such as `12.50`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective_shown: Option<String>,
    /// The solution in the wanted shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shaped: Option<Value>,
    /// A drawing of the solution, if that is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// On a board: a drawing of the variables that the cells do not show, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// On a board: the position of the value of each cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Vec<Option<usize>>>,
    /// On a board: the displayed values of the cells that cannot be set, keyed by the positions of the cells.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub shown: BTreeMap<String, String>,
    /// On a board with `different`: the number of differing places.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub distance: Option<Value>,
    /// For a model with wishes: the names of the broken ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken_wishes: Option<Vec<String>>,
}

/// The state of the search so far.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each has its own description")]
pub enum ProgressLine {
    Answer(Progress),
    Graded(GradeProgress),
    Tested(Box<TestProgress>),
    Found(SearchProgress),
}

/// The state of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchProgress {
    /// The seconds since its start.
    pub seconds: f64,
    /// The number of solutions.
    pub solutions: usize,
    /// The best value of the objective in its unit, or of several; `null` without one.
    #[schemars(with = "Option<ObjectiveValue>")]
    pub objective: Option<Value>,
}

/// An explanation so far.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Progress {
    /// The explanation.
    #[schemars(with = "Explanation")]
    pub answer: Value,
    /// The same as text for people.
    pub text: String,
}

/// The number of instances of an exercise that have been tried.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GradeProgress {
    /// The number of instances that have been tried.
    pub graded: usize,
    /// The number of all instances.
    pub of: usize,
}

/// A test case or a mutant that has been tested.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TestProgress {
    /// The test case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<TestedCase>,
    /// The mutant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutant: Option<TestedMutant>,
    /// The number of all cases, or of all mutants.
    pub of: usize,
}

/// The cells of a board; the first line of its answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Cells {
    /// The cells.
    pub cells: Vec<BoardCell>,
    /// The drawing of the board, if that is wanted and there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<BoardStage>,
}

/// A drawing of a board without values, with the places of its cells.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardStage {
    /// The drawing.
    pub svg: String,
    /// The places that show the values of cells.
    pub slots: Vec<BoardSlot>,
    /// The outline of the sign `queen`, in a square of 45.
    pub queen: &'static str,
}

/// A place in the drawing of a board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardSlot {
    /// The position of the cell.
    pub cell: usize,
    /// If the place only shows whether the cell has one value: the position of this value.
    pub value: Option<usize>,
    /// The position of the value that the data give the cell as a hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<usize>,
    /// The way to show a value: `text`, `tone`, `dot`, `queen` or `fill`.
    pub mark: &'static str,
    /// The left and the upper edge, the width and the height.
    pub rectangle: [f64; 4],
    /// The text that is written there for every value; empty if there is none.
    pub label: String,
    /// If values are shown as colours: the fill and the text colour for each value of the cell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paints: Vec<(&'static str, &'static str)>,
}

/// A line of the answer to `board` before the last one.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the schema has them")]
pub(super) enum BoardLine {
    Cells(Cells),
    Solution(Box<SolutionLine>),
}

/// A cell of a board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardCell {
    /// The part of a decision variable, such as `rota[Ada, 1]`.
    pub name: String,
    /// The decision variable.
    pub variable: String,
    /// The indices, arguments, fields and members that lead to it, as people read them, such as `Ada` and `1`.
    pub labels: Vec<String>,
    /// The values as people read them, each with its constraint. A cell with one value is already known; a cell without
    /// values is shown and cannot be set.
    pub values: Vec<[String; 2]>,
}

/// The result of `check` and of `examine`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckResult {
    /// The errors and warnings of the model and the data.
    #[schemars(with = "Vec<Diagnostic>")]
    pub diagnostics: Value,
}

/// The result of `complete`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompletionsResult {
    /// The completions, the likeliest first.
    pub items: Vec<CompletionItem>,
}

/// A completion at a position.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompletionItem {
    /// The word.
    pub label: String,
    /// A kind of name, or `field`, `function`, `operator`, `attribute`, `keyword`, `snippet`.
    pub kind: &'static str,
    /// The text to insert, with placeholders such as `${1:name}` for the parts to fill in next.
    pub snippet: String,
    /// The first position that is replaced.
    pub from: usize,
    /// The position after the last one that is replaced.
    pub to: usize,
    /// A type or a domain.
    pub detail: String,
    /// The explanation in Markdown.
    pub documentation: String,
    /// True if the type of the completion fits at the position.
    pub fits: bool,
}

/// The result of `hover`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HoverResult {
    /// The explanation at the position.
    pub hover: Option<HoverText>,
}

/// The explanation of a part of a text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HoverText {
    /// The first position of the part.
    pub from: usize,
    /// The position after the part.
    pub to: usize,
    /// The explanation in Markdown.
    pub markdown: String,
}

/// The result of `signature`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SignatureResult {
    /// The call around the position.
    pub signature: Option<CallSignatures>,
}

/// The signatures of a call.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CallSignatures {
    /// The operand that is being written, counted from 0.
    pub active: usize,
    /// The signatures that fit so far.
    pub signatures: Vec<Signature>,
}

/// A signature of an operator.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Signature {
    /// The whole signature.
    pub label: String,
    /// The operands, as substrings of the label.
    pub operands: Vec<String>,
    /// The explanation in Markdown.
    pub documentation: String,
}

/// The result of `definition`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DefinitionResult {
    /// The declaration.
    pub place: Option<Place>,
}

/// The result of `references`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReferencesResult {
    /// The places in all texts of the request, the declaration included.
    pub places: Places,
}

/// The result of `rename`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EditsResult {
    /// The changes of all texts of the request.
    #[schemars(with = "Vec<Edit>")]
    pub edits: Places,
}

/// The result of `symbols`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SymbolsResult {
    /// The statements.
    pub symbols: Vec<Symbol>,
}

/// A part of an outline.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Outline")]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// A kind of name; `null` for statements that declare nothing.
    pub kind: Option<&'static str>,
    /// A type or a domain.
    pub detail: String,
    /// The first position.
    pub from: usize,
    /// The position after the last one.
    pub to: usize,
    /// The positions of the name.
    pub selection: (usize, usize),
    /// The parts inside.
    pub children: Vec<Symbol>,
}

/// The result of `tokens`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokensResult {
    /// `[from, to, kind, declaration]`, in the order of the text; `declaration` is true for the name in its
    /// declaration. `kind` is a kind of name, or `keyword`, `attribute`, `function`, `operator`, `number`, `comment`.
    pub tokens: Vec<(usize, usize, &'static str, bool)>,
}

/// The result of `inlay-hints`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InlayHintsResult {
    /// The hints that an editor may show between the characters.
    pub hints: Vec<InlayHint>,
}

/// A hint that an editor may show at a position.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InlayHint {
    /// The position.
    pub at: usize,
    /// The text.
    pub text: String,
}

/// The result of `folding`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FoldingResult {
    /// The ranges that an editor may fold.
    pub ranges: Vec<FoldingRange>,
}

/// A part of a text that can be folded.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FoldingRange {
    /// The first position.
    pub from: usize,
    /// The position after the last one.
    pub to: usize,
    /// True for comments.
    pub comment: bool,
}

/// The result of `tree`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TreeResult {
    /// The statements that could be read. A statement that could only be read by guessing has no parts.
    pub statements: Vec<TreePart>,
    /// The first position of each comment, and the position after it.
    pub comments: Vec<(usize, usize)>,
}

/// A part of a text. The characters between its inner parts belong to the part itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TreePart {
    /// `statement`, `declaration` (a name in its declaration), `domain`, `operator` (an application), `literal`,
    /// `name`, `hole` (`_`, for a missing expression), `quantified` or `expression` (any other one).
    pub kind: &'static str,
    /// The keyword of a statement, the sign of an operator, a name, a number; empty if there is none.
    pub word: String,
    /// The type of an expression; empty if it is not known.
    pub of_type: String,
    /// True if the part is an element of a list that can be extended, with a comma between its elements.
    pub listed: bool,
    /// The first position, with parentheses.
    pub from: usize,
    /// The position after the last one.
    pub to: usize,
    /// The parts inside, in the order of the text.
    pub parts: Vec<TreePart>,
}

/// The result of `fit`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FitResult {
    /// For each text, the places that it may replace without a further mistake; holes are not counted as mistakes.
    pub fitting: Vec<Vec<(usize, usize)>>,
}

/// The result of `format`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FormatResult {
    /// The whole text in the canonical layout.
    pub formatted: String,
}

/// The result of `solve`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SolveResult {
    /// The end of the search.
    #[serde(flatten)]
    pub end: SearchEnded,
    /// The costs of the search.
    pub statistics: Statistics,
    /// The warnings.
    #[schemars(with = "Vec<Diagnostic>")]
    pub warnings: Value,
}

/// The costs of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Statistics {
    /// The solver that was asked for.
    pub solver: &'static str,
    /// The solver that searched.
    pub method: String,
    /// The time of all phases.
    pub seconds: f64,
    /// With an objective, the best value that has not been ruled out, in steps of its unit.
    pub bound: Option<i64>,
    /// The phases in their order.
    pub phases: Vec<Phase>,
}

/// A phase of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Phase {
    /// Its name.
    pub phase: String,
    /// Its time.
    pub seconds: f64,
    /// Its sizes and counters by their names.
    #[schemars(with = "BTreeMap<String, u64>")]
    pub counts: Map<String, Value>,
}

/// The result of `why`, `forced` and `hint`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExplainResult {
    /// The explanation.
    #[schemars(with = "Explanation")]
    pub answer: Value,
    /// The same as text for people.
    pub text: String,
    /// A solution in Essence, if the answer has one.
    pub solution: Option<String>,
    /// True if no limit ended the search.
    pub complete: bool,
    /// If a limit ended the search: the answer so far.
    pub says: String,
    /// The warnings.
    #[schemars(with = "Vec<Diagnostic>")]
    pub warnings: Value,
}

/// The result of `search`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchResult {
    /// A run of each strategy.
    pub searched: Vec<SearchRun>,
    /// A page with the trees and the domains at each step.
    pub page: Option<String>,
    /// The warnings.
    #[schemars(with = "Vec<Diagnostic>")]
    pub warnings: Value,
}

/// A search with one strategy.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Searched")]
pub struct SearchRun {
    /// The strategy, such as `fc+mrv`.
    pub strategy: String,
    /// `solved`, `unsatisfiable` or `stopped`.
    pub verdict: &'static str,
    /// The number of assignments that were tried.
    pub nodes: u64,
    /// The number of dead ends.
    pub dead_ends: u64,
    /// The number of constraint checks.
    pub checks: u64,
    /// The number of values that propagation has removed.
    pub prunings: u64,
    /// The time.
    pub seconds: f64,
    /// The solution in Essence.
    pub solution: Option<String>,
    /// The steps as text, if they are wanted; otherwise empty.
    pub transcript: String,
}

/// The result of `explore`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExploreResult {
    /// `all`, `sample` or `first`.
    pub extent: &'static str,
    /// The number of solutions that were enumerated.
    pub found: usize,
    /// The estimated number of all solutions, if not all were enumerated.
    pub estimate: Option<f64>,
    /// True if no limit ended the search.
    pub complete: bool,
    /// The same for people, with the values that the parts of the decision variables can have.
    pub text: String,
    /// The parts of the decision variables, with the possible values of each, and the estimate with its confidence.
    #[schemars(with = "Space")]
    pub space: Value,
    /// An HTML page; `null` if there is no solution, or if no page was requested.
    pub page: Option<String>,
    /// The warnings.
    #[schemars(with = "Vec<Diagnostic>")]
    pub warnings: Value,
}

/// The result of `validate`; a failure has the diagnostics of the solution.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ValidateResult {
    /// True.
    pub valid: bool,
    /// A drawing of the solution.
    pub svg: String,
    /// The warnings.
    #[schemars(with = "Vec<Diagnostic>")]
    pub warnings: Value,
}

/// The result of `evaluate`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvaluateResult {
    /// The value and its type for people.
    pub text: String,
    /// The value in Essence.
    pub essence: String,
    /// Its type.
    pub of_type: String,
    /// The value in Conjure's simple JSON.
    pub json: Value,
    /// The warnings.
    #[schemars(with = "Vec<Diagnostic>")]
    pub warnings: Value,
}

/// The result of `grade`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GradeResult {
    /// Why the answer cannot be compared: `syntax`, `types` or `interface`; `null` if it can.
    pub rejected: Option<String>,
    /// The diagnostics of an answer that cannot be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Diagnostic>>")]
    pub diagnostics: Option<Value>,
    /// The number of instances.
    pub instances: usize,
    /// The result for each instance. After an instance that is too slow, no further instance is tried.
    pub results: Vec<GradedInstance>,
}

/// The result for an instance of an exercise.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Graded")]
pub struct GradedInstance {
    /// The name of the instance.
    pub name: String,
    /// The data of the instance.
    pub data: String,
    /// `right`, `allows`, `refuses`, `objective`, `interface` or `slow`.
    pub result: String,
    /// True if all solutions were compared.
    pub complete: bool,
    /// A solution about which the answer and the reference differ.
    pub solution: Option<String>,
    /// The values of the answer and of the reference, if these differ.
    pub objectives: Option<[Option<String>; 2]>,
    /// Why the answer refuses the solution.
    pub because: Option<Refusal>,
    /// The requirements of the reference that the answer lacks.
    pub hint: Option<String>,
    /// The diagnostics of the answer for these data.
    #[schemars(with = "Option<Vec<Diagnostic>>")]
    pub diagnostics: Option<Value>,
}

/// Why a model refuses a solution: the requirements that it breaks, or a value outside of its domain.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Refusal {
    /// The requirements that the solution breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Explanation>")]
    pub answer: Option<Value>,
    /// The diagnostics of a value outside of its domain.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Diagnostic>>")]
    pub diagnostics: Option<Value>,
}

/// The result of `compare`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompareResult {
    /// True if no difference was found.
    pub same: bool,
    /// True if this answer is certain.
    pub complete: bool,
    /// The same as text for people.
    pub text: String,
    /// The number of instances on which the models were compared.
    pub instances: usize,
    /// The data on which the models differ; `null` without data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<Option<ComparedInstance>>,
    /// The difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// The result of `ask`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AskResult {
    /// The next question; `null` if the remaining models agree, or none remains.
    pub question: Option<AskedQuestion>,
    /// The names of the remaining models.
    pub left: Vec<String>,
    /// The models that an answer refutes.
    pub refuted: Vec<RefutedModel>,
    /// For people: the models that remain, and the extent of the checks.
    pub says: String,
    /// The answers as test cases.
    pub cases: String,
}

/// A question about several models.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AskedQuestion {
    /// The question in a sentence.
    pub asks: &'static str,
    /// The data of the instance.
    pub data: Vec<InstanceText>,
    /// The candidate solution.
    pub solution: String,
    /// True if the question is about a best solution.
    pub best: bool,
    /// The remaining models that say yes.
    pub yes: Vec<String>,
    /// The remaining models that say no.
    pub no: Vec<String>,
    /// The question for people, with the instance and the candidate solution.
    pub text: String,
    /// A drawing of the candidate solution, if it is best shown so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
}

/// A model that an answer refutes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RefutedModel {
    /// Its name.
    pub model: String,
    /// The number of the answer, counted from 1.
    pub answer: usize,
}

/// The result of `test`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TestResult {
    /// The cases, in the order of the texts.
    pub cases: Vec<TestedCase>,
    /// The mutants, in the order of the text, if they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutants: Option<Vec<TestedMutant>>,
    /// For people: the number of mutants that the cases notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
}

/// A mutant of the model: a planted mistake.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TestedMutant {
    /// The line of the mistake, counted from 1.
    pub line: usize,
    /// The mistake in a few words.
    pub says: String,
    /// `noticed`, `not noticed`, `means the same` or `not certain`.
    pub status: &'static str,
    /// The instance on which no case notices the mutant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<InstanceText>,
    /// The difference that no case notices, with the mutant compared with the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// A test case that the model passes and the mutant fails, if one can be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
}

/// The result of a test case.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TestedCase {
    /// The name of the text.
    pub file: String,
    /// The name of the case; empty if it has none.
    pub name: String,
    /// The line on which the case starts, counted from 1.
    pub line: usize,
    /// `passed`, `not decided`, `failed` or `broken`.
    pub verdict: &'static str,
    /// The time of the case in seconds.
    pub seconds: f64,
    /// A finding for each line of the case that does not hold.
    pub findings: Vec<TestFinding>,
}

/// A line of a test case that does not hold.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TestFinding {
    /// `not decided`, `failed` or `broken`.
    pub verdict: &'static str,
    /// The line of the text with the cases, counted from 1.
    pub line: usize,
    /// The expected and the found answer, on one line.
    pub says: String,
    /// The evidence for people: a solution, an explanation, errors.
    pub text: String,
    /// The text and the line that are to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blames: Option<BlamedLine>,
    /// The solution in the evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
    /// A drawing of the solution, if it is best shown so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// The explanation that shows why the line does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<Refusal>,
}

/// A line that is to blame for a test case that failed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BlamedLine {
    /// The name of the text.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
}

/// The result of `fix`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FixResult {
    /// The model after all certain fixes.
    pub text: String,
    /// The fixes that were made.
    pub fixes: Vec<FixedMistake>,
    /// The remaining mistakes.
    #[schemars(with = "Vec<Diagnostic>")]
    pub diagnostics: Value,
}

/// A fix that was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FixedMistake {
    /// The line of the mistake when it was fixed, counted from 1.
    pub line: usize,
    /// The mistake.
    pub message: String,
    /// The fix in words.
    pub help: String,
}

/// The data on which two models differ.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparedInstance {
    /// The name.
    pub name: String,
    /// The data.
    pub text: String,
    /// True if the data were generated.
    pub made_up: bool,
}

/// The difference of two models.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Difference {
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The solution.
    pub solution: String,
    /// Why the other model refuses the solution.
    pub because: Option<Refusal>,
    /// The two values of the objectives, if these differ.
    pub objectives: Option<[Option<String>; 2]>,
    /// A drawing of the solution, if it is best shown so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
}

/// The result of `review`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReviewResult {
    /// True if anything has changed, or could not be compared.
    pub different: bool,
    /// The summary for people.
    pub says: String,
    /// The changed parameters, decision variables and types, in words.
    pub interface: Vec<String>,
    /// The instances.
    pub instances: Vec<ReviewedInstance>,
}

/// The review of an instance.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReviewedInstance {
    /// The name of the data; empty for a model without parameters.
    pub name: String,
    /// The data, if they were generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_up: Option<String>,
    /// A solution that the new version allows, and the old one refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gained: Option<Difference>,
    /// A solution that the old version allows, and the new one refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Difference>,
    /// If nothing was gained or lost: a solution with another value or direction of the objective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<Difference>,
    /// Sentences about the instance as a whole.
    pub says: Vec<String>,
    /// The reason why the data do not fit a version, or why the versions cannot be compared.
    #[schemars(with = "Vec<Diagnostic>")]
    pub diagnostics: Value,
}

/// The kind of difference between a model and a reference.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceKind {
    /// The model allows the solution, and the reference refuses it.
    Allows,
    /// The reference allows the solution, and the model refuses it.
    Refuses,
    /// The values of the objectives.
    Objective,
}

/// The result of `instance`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InstanceResult {
    /// The parameters.
    pub givens: Vec<String>,
    /// The decision variables.
    pub finds: Vec<String>,
    /// True if there is an objective.
    pub optimising: bool,
    /// The warnings.
    #[schemars(with = "Vec<Diagnostic>")]
    pub warnings: Value,
}

/// The result of `declare`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DeclareResult {
    /// The declarations of the model, in its order.
    pub declared: Vec<Declared>,
}

/// A declaration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Declared {
    /// `given`, `find`, `given type` or `letting`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// The domain as the model writes it.
    pub text: Option<String>,
    /// The structure of the domain.
    pub domain: DeclaredDomain,
}

/// The structure of a domain, without attributes and bounds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DeclaredDomain {
    /// `bool`, `int`, `enum`, `unnamed`, `tuple`, `record`, `variant`, `matrix`, or the word of a collection.
    pub kind: &'static str,
    /// The domains inside; a matrix has those for its indices and, last, its elements.
    pub parts: Vec<DeclaredDomain>,
    /// The fields of a record or variant, or the members of a type, as far as they are known.
    pub names: Vec<String>,
    /// The name of a type.
    pub name: String,
    /// The first and the last value of each range in `colour(red..green, blue)` or `int(0..n)`.
    pub limits: Vec<[String; 2]>,
    /// The size of a step of integers, such as `0.01`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// The result of `form`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct FormResult(#[schemars(with = "Form")] pub Value);

/// The result of `board`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardResult {
    /// For each value of each cell: true if it occurs in a solution that keeps the other set cells; `null` if that is
    /// not known.
    pub possible: Vec<Vec<Option<bool>>>,
    /// A minimal set of set constraints that no solution satisfies together.
    pub conflict: Option<Vec<String>>,
    /// As for `solve`; `null` if no solutions were requested.
    pub status: Option<String>,
    /// The number of solutions.
    pub solutions: usize,
    /// True if the possibility of each value is known.
    pub complete: bool,
}

/// The result of `session`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SessionResult {
    /// The number of steps that can be taken back.
    pub steps: usize,
    /// The end of the search, if there was one.
    #[serde(flatten)]
    pub end: Option<SearchEnded>,
}

/// The end of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchEnded {
    /// `satisfied` (as many solutions as were wanted), `all solutions`, `optimal` (the last solution is a best one),
    /// `unsatisfiable`, `time limit`, `interrupted` or `unknown`.
    pub status: String,
    /// The reason why the solver gave up, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same as a sentence for people.
    pub says: String,
    /// The number of solutions.
    pub solutions: usize,
    /// The cause that ended the search early, such as `the time limit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    /// With an objective and an early end: the bounds of its best value, in its unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<[ObjectiveValue; 2]>")]
    pub between: Option<[Value; 2]>,
    /// The drawing of the solutions, if the command has `--picture`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl SearchEnded {
    /// Describes the end of a search that found this many solutions.
    pub fn new(status: &SolveStatus, solutions: usize) -> SearchEnded {
        SearchEnded {
            status: status.to_string(),
            reason: status.reason().map(str::to_owned),
            says: status.says(solutions),
            solutions,
            stopped_by: status.stopped_by(),
            between: None,
            text: None,
        }
    }
}

/// The result of `explain` and `draw` (for people) and of `import` (a parameter file).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TextResult {
    /// The text.
    pub text: String,
}

/// The result of `shape`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ShapeResult {
    /// The solution in the wanted shape.
    pub shaped: Value,
}

/// The result of `puzzle`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PuzzleResult {
    /// The parameters whose clues are chosen.
    pub clues: Vec<String>,
    /// The puzzles.
    pub puzzles: Vec<MadePuzzle>,
    /// False if a limit ended the search before all puzzles were made.
    pub complete: bool,
}

/// A puzzle, and the steps of `hint` that lead to its solution.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MadePuzzle {
    /// The data, as a parameter file.
    pub data: String,
    /// The number of clues.
    pub clues: usize,
    /// The number of steps.
    pub steps: usize,
    /// The number of steps that combine several requirements.
    pub combined: usize,
    /// The largest number of requirements that a step combines.
    pub requirements: usize,
    /// The length of the longest chain of steps.
    pub depth: usize,
}

/// The result of `instances`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InstancesResult {
    /// The instances that a text of data holds.
    pub instances: Vec<InstanceText>,
}

/// The data of an instance.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InstanceText {
    /// The name.
    pub name: String,
    /// The data.
    pub text: String,
}

/// The result of `operators`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OperatorsResult {
    /// The rows of the table of operators, in the order of the manual: one for each signature of an operator.
    pub operators: Vec<OperatorAbout>,
}

/// A row of the table of operators.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OperatorAbout {
    /// The word or the sign.
    pub word: &'static str,
    /// The family, such as `sets`.
    pub family: &'static str,
    /// An application with `_` for each operand, such as `_ + _`.
    pub form: String,
    /// The operands' types and the result's, such as `(T, set of T) -> bool`, in which a capital letter is any type.
    pub signature: String,
    /// The meaning in one sentence.
    pub sentence: String,
    /// The precedence of an operator between or before its operands; a higher number binds tighter.
    pub precedence: Option<u16>,
    /// The grouping of a chain of operators: `left`, `right`, or `none` if parentheses are needed; `null` if the
    /// operator is not written between operands.
    pub associativity: Option<&'static str>,
}

/// The result of `about`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AboutResult {
    /// The version of conjure-like.
    pub version: &'static str,
    /// The solvers of this build.
    pub solvers: Vec<SolverAbout>,
    /// The formats of puzzles.
    pub formats: Vec<FormatAbout>,
    /// The strategies that `compare` compares.
    pub strategies: Vec<&'static str>,
}

/// A solver of this build.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SolverAbout {
    /// Its name.
    pub name: &'static str,
}

/// A format of puzzles.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FormatAbout {
    /// Its name.
    pub name: &'static str,
    /// The description.
    pub description: &'static str,
    /// The model that takes data in this format.
    pub model: &'static str,
}
