//! Questions and answers as data, with one function that answers: [`Service::answer`].
//!
//! Every front end that is not Rust speaks this protocol: the pages run it in WebAssembly, and other programs have a
//! process that reads and writes lines of JSON. A request has a `verb`, a model and data; an answer is lines, the last
//! of which is a result or a failure. Front ends only carry them, and choose what to show.
//!
//! You may add verbs and members; the schema ([`schema()`]) and the types in TypeScript follow from the types here.
//! What a question means belongs in `api`.

mod grading;
mod instances;
mod places;
mod reply;
mod request;
mod schema;
mod sessions;
mod shapes;
mod texts;
mod words;

use crate::{
    api::Report,
    diagnostic::{Code, Diagnostic},
    halt::Limits,
    solver::EngineOptions,
};
use places::with_positions;
pub use reply::{Declared, DeclaredDomain, Line, Reply};
pub use request::Request;
use request::{Limit, Verb};
pub use schema::schema;
use serde_json::Value;
use std::num::NonZeroUsize;

/// Who hears the lines of an answer before the last one.
type Listener<'a> = &'a mut dyn FnMut(Line);

/// Answers requests, one after the other. A session stays from one request to the next.
#[derive(Default)]
pub struct Service {
    /// The limits of all searches, besides those in the requests.
    pub limits: Limits,
    /// The threads of a search.
    pub threads: Option<NonZeroUsize>,
    session: Option<sessions::KeptSession>,
}

impl Service {
    /// Answers a request, an object in JSON; hands on each line as soon as it is known. The last one is a result or a
    /// failure.
    pub fn answer(&mut self, request: Value, tell: &mut dyn FnMut(Line)) {
        let answered = Some(request)
            .filter(Value::is_object)
            .ok_or_else(|| refusal("a request is an object in JSON"))
            .and_then(|request| {
                serde_json::from_value::<Request>(request).map_err(|error| refusal(format!("in a request, {error}")))
            })
            .and_then(|request| self.reply(&request, tell));
        tell(match answered {
            Ok(reply) => Line::Result(reply),
            Err(report) => Line::failure(&report),
        });
    }

    /// The last line, if nothing is wrong; the lines before it have been handed on then.
    fn reply(&mut self, request: &Request, tell: Listener) -> Result<Reply, Report> {
        Ok(match &request.verb {
            Verb::Check(check) => Reply::Check(texts::check(self, request, check)?),
            Verb::Complete(place) => Reply::Complete(texts::complete(request, place)?),
            Verb::Hover(place) => Reply::Hover(texts::hover(request, place)?),
            Verb::Signature(place) => Reply::Signature(texts::signature(request, place)?),
            Verb::Definition(place) => Reply::Definition(texts::definition(request, place)?),
            Verb::References(place) => Reply::References(texts::references(request, place)?),
            Verb::Rename(rename) => Reply::Edits(texts::rename(request, rename)?),
            Verb::Symbols(subject) => Reply::Symbols(texts::symbols(request, subject)?),
            Verb::Tokens(subject) => Reply::Tokens(texts::tokens(request, subject)?),
            Verb::InlayHints(part) => Reply::InlayHints(texts::inlay_hints(request, part)?),
            Verb::Folding(subject) => Reply::Folding(texts::folding(request, subject)?),
            Verb::Format(format) => Reply::Format(texts::format(request, format)?),
            Verb::Solve(solve) => Reply::Solve(instances::solve(self, request, solve, tell)?),
            Verb::Why(why) => Reply::Explain(instances::why(self, request, why, tell)?),
            Verb::Forced(forced) => Reply::Explain(instances::forced(self, request, forced, tell)?),
            Verb::Hint(hint) => Reply::Explain(instances::hint(self, request, hint, tell)?),
            Verb::Search(search) => Reply::Search(instances::search(self, request, search)?),
            Verb::Explore(explore) => Reply::Explore(instances::explore(self, request, explore)?),
            Verb::Validate(validate) => Reply::Validate(instances::validate(request, validate)?),
            Verb::Draw(draw) => Reply::Text(instances::draw(request, draw)?),
            Verb::Evaluate(evaluate) => Reply::Evaluate(instances::evaluate(request, evaluate)?),
            Verb::Compare(compare) => Reply::Compare(grading::compare(self, request, compare)?),
            Verb::Grade(grade) => Reply::Grade(grading::grade(self, request, grade, tell)?),
            Verb::Instance => Reply::Instance(instances::instance(request)?),
            Verb::Declare => Reply::Declare(texts::declare(request)?),
            Verb::Form => Reply::Form(instances::form(request)?),
            Verb::Board(board) => Reply::Board(instances::board(self, request, board, tell)?),
            Verb::Session(session) => Reply::Session(sessions::session(self, request, session, tell)?),
            Verb::Explain(explain) => Reply::Text(words::explain(explain)?),
            Verb::Import(import) => Reply::Text(words::import(import)?),
            Verb::Instances(instances) => Reply::Instances(texts::instances(instances)),
            Verb::About => Reply::About(words::about()),
        })
    }

    /// The options of a search.
    fn options(&self, limit: &Limit, seed: Option<u32>) -> EngineOptions {
        let deadlines = limit.deadline().into_iter().chain(self.limits.deadline);
        let limits = self.limits.clone().deadline(deadlines.min());
        EngineOptions::default().limits(limits).seed(seed).threads(limit.threads.or(self.threads))
    }
}

impl Line {
    /// What is wrong with a request.
    pub fn failure(report: &Report) -> Line {
        Line::Failure { diagnostics: diagnostics(report) }
    }
}

/// The report that a request asks for something that does not exist.
fn refusal(message: impl Into<String>) -> Report {
    Diagnostic::error(Code::COMMAND_LINE, message).into()
}

/// The diagnostics of a report.
fn diagnostics(report: &Report) -> Value {
    with_positions(report.to_values().into(), &report.sources)
}
