//! Requests and answers as data, with one function that answers: [`Service::answer`].
//!
//! All front ends that are not in Rust speak this protocol: the pages run it in WebAssembly, and other programs use a
//! process that reads and writes lines of JSON. A request has a `verb`, a model and data; an answer consists of lines,
//! the last of which is a result or a failure. Front ends only transport them, and choose which parts to show.
//!
//! You may add verbs and members; the schema ([`schema()`]) and the types in TypeScript are generated from the types
//! here. The meaning of a request belongs in `api`.

mod grading;
mod instances;
mod members;
mod places;
mod positions;
mod reply;
mod request;
mod schema;
mod sessions;
mod shapes;
mod testing;
mod texts;
mod words;

use crate::{
    api::{Model, Report, Text},
    diagnostic::{Code, Diagnostic},
    halt::Limits,
    solver::EngineOptions,
};
pub use members::read_request;
pub(crate) use members::takes_member;
use places::with_positions;
pub(crate) use positions::{Encoding, Positions};
pub use reply::{
    Declared, DeclaredDomain, ExplainResult, Line, ProgressLine, Reply, SearchEnded, SearchProgress, SolutionLine,
    TextResult,
};
pub use request::Request;
use request::{Limit, Verb};
pub use schema::schema;
use serde_json::Value;
pub(crate) use shapes::read_diagnostic;
use std::num::NonZeroUsize;

/// The callback for the lines of an answer before the last one.
type Listener<'a> = &'a mut dyn FnMut(Line);

/// Answers requests, one after the other. A session is kept from one request to the next.
#[derive(Default)]
pub struct Service {
    /// The limits of all searches, in addition to the limits in the requests.
    pub limits: Limits,
    /// The number of threads of a search.
    pub threads: Option<NonZeroUsize>,
    session: Option<sessions::KeptSession>,
}

impl Service {
    /// Starts a session for an instance.
    pub fn start_session(&mut self, model: &Model, data: &[Text]) -> Result<(), Report> {
        self.session = Some(sessions::KeptSession::new(model, data)?);
        Ok(())
    }

    /// Answers a request, which is a JSON object. Each line is reported as soon as it is known; the last one is a
    /// result or a failure.
    pub fn answer(&mut self, request: Value, tell: &mut dyn FnMut(Line)) {
        let answered = members::check_request(&request)
            .and_then(|()| {
                serde_json::from_value::<Request>(request).map_err(|error| refusal(format!("in a request, {error}")))
            })
            .and_then(|request| self.reply(&request, tell));
        tell(match answered {
            Ok(reply) => Line::Result(reply),
            Err(report) => Line::failure(&report),
        });
    }

    /// Returns the last line; the earlier ones have been reported.
    fn reply(&mut self, request: &Request, tell: Listener) -> Result<Reply, Report> {
        Ok(match &request.verb {
            Verb::Check(check) => Reply::Check(texts::answer_check(self, request, check)?),
            Verb::Examine(examine) => Reply::Check(texts::answer_examine(self, request, examine)?),
            Verb::Complete(place) => Reply::Complete(texts::answer_complete(request, place)?),
            Verb::Hover(place) => Reply::Hover(texts::answer_hover(request, place)?),
            Verb::Signature(place) => Reply::Signature(texts::answer_signature(request, place)?),
            Verb::Definition(place) => Reply::Definition(texts::answer_definition(request, place)?),
            Verb::References(place) => Reply::References(texts::answer_references(request, place)?),
            Verb::Rename(rename) => Reply::Edits(texts::answer_rename(request, rename)?),
            Verb::Symbols(subject) => Reply::Symbols(texts::answer_symbols(request, subject)?),
            Verb::Tokens(subject) => Reply::Tokens(texts::answer_tokens(request, subject)?),
            Verb::InlayHints(part) => Reply::InlayHints(texts::answer_inlay_hints(request, part)?),
            Verb::Folding(subject) => Reply::Folding(texts::answer_folding(request, subject)?),
            Verb::Tree(subject) => Reply::Tree(texts::answer_tree(request, subject)?),
            Verb::Fit(fit) => Reply::Fit(texts::answer_fit(request, fit)?),
            Verb::Format(format) => Reply::Format(texts::answer_format(request, format)?),
            Verb::Solve(solve) => Reply::Solve(instances::answer_solve(self, request, solve, tell)?),
            Verb::Why(why) => Reply::Explain(instances::answer_why(self, request, why, tell)?),
            Verb::Forced(forced) => Reply::Explain(instances::answer_forced(self, request, forced, tell)?),
            Verb::Hint(hint) => Reply::Explain(instances::answer_hint(self, request, hint, tell)?),
            Verb::Search(search) => Reply::Search(instances::answer_search(self, request, search)?),
            Verb::Explore(explore) => Reply::Explore(instances::answer_explore(self, request, explore)?),
            Verb::Validate(validate) => Reply::Validate(instances::answer_validate(request, validate)?),
            Verb::Draw(draw) => Reply::Text(instances::answer_draw(request, draw)?),
            Verb::Shape(shape) => Reply::Shape(instances::answer_shape(request, shape)?),
            Verb::Evaluate(evaluate) => Reply::Evaluate(instances::answer_evaluate(request, evaluate)?),
            Verb::Compare(compare) => Reply::Compare(grading::answer_compare(self, request, compare)?),
            Verb::Grade(grade) => Reply::Grade(grading::answer_grade(self, request, grade, tell)?),
            Verb::Review(review) => Reply::Review(grading::answer_review(self, request, review)?),
            Verb::Ask(ask) => Reply::Ask(testing::answer_ask(self, request, ask)?),
            Verb::Test(test) => Reply::Test(testing::answer_test(self, request, test, tell)?),
            Verb::Fix => Reply::Fix(texts::answer_fix(request)?),
            Verb::Instance => Reply::Instance(instances::answer_instance(request)?),
            Verb::Declare => Reply::Declare(texts::answer_declare(request)?),
            Verb::Form => Reply::Form(instances::answer_form(request)?),
            Verb::Board(board) => Reply::Board(instances::answer_board(self, request, board, tell)?),
            Verb::Session(session) => Reply::Session(sessions::answer_session(self, request, session, tell)?),
            Verb::Puzzle(puzzle) => Reply::Puzzle(instances::answer_puzzle(self, request, puzzle)?),
            Verb::Operators => Reply::Operators(words::answer_operators()),
            Verb::Explain(explain) => Reply::Text(words::answer_explain(explain)?),
            Verb::Import(import) => Reply::Text(words::answer_import(import)?),
            Verb::Instances(instances) => Reply::Instances(texts::answer_instances(instances)),
            Verb::About => Reply::About(words::answer_about()),
        })
    }

    /// Returns the options of a search.
    fn options(&self, limit: &Limit, seed: Option<u32>) -> EngineOptions {
        // The earlier deadline applies, so that a request cannot extend the limit of the process.
        let deadlines = limit.deadline().into_iter().chain(self.limits.deadline);
        let limits = self.limits.clone().deadline(deadlines.min());
        EngineOptions::default().limits(limits).seed(seed).threads(limit.threads.or(self.threads))
    }
}

impl Line {
    /// Returns the failure of a request.
    pub fn failure(report: &Report) -> Line {
        Line::Failure { diagnostics: diagnostics(report) }
    }
}

/// Returns the error that a request names something that does not exist.
fn refusal(message: impl Into<String>) -> Report {
    Diagnostic::error(Code::COMMAND_LINE, message).into()
}

/// Returns the diagnostics of a report.
fn diagnostics(report: &Report) -> Value {
    with_positions(report.to_values().into(), &report.sources)
}
