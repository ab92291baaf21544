//! The engine of the web pages: answers one request, and ends (see `PROTOCOL.md`).
//!
//! It is an ordinary program, so that each request gets a process of its own: in a page, a new instance of the
//! WebAssembly module. The instance that has begun a session is asked again.

mod answer;
mod grading;
mod instances;
mod places;
mod request;
mod sessions;
mod texts;

use answer::{Outcome, diagnostics, write};
use request::{Request, Verb};
use serde_json::json;
use std::io;

fn main() {
    conjure_like_system::export_again(answer);
    answer();
}

/// Answers the request on standard input.
fn answer() {
    let answered = io::read_to_string(io::stdin())
        .map_err(|error| request::refusal(format!("the request cannot be read: {error}")))
        .and_then(|text| request::read(&text))
        .and_then(|request| answered(&request));
    match answered {
        Ok(result) => write("result", &result),
        Err(report) => write("failure", &json!({"diagnostics": diagnostics(&report)})),
    }
}

/// The members of the last line; the lines before it have been written then.
fn answered(request: &Request) -> Outcome {
    match &request.verb {
        Verb::Check(check) => texts::check(request, check),
        Verb::Complete(place) => texts::complete(request, place),
        Verb::Hover(place) => texts::hover(request, place),
        Verb::Signature(place) => texts::signature(request, place),
        Verb::Definition(place) => texts::definition(request, place),
        Verb::References(place) => texts::references(request, place),
        Verb::Rename(rename) => texts::rename(request, rename),
        Verb::Symbols(subject) => texts::symbols(request, subject),
        Verb::Tokens(subject) => texts::tokens(request, subject),
        Verb::InlayHints(part) => texts::inlay_hints(request, part),
        Verb::Folding(subject) => texts::folding(request, subject),
        Verb::Format(format) => texts::format(request, format),
        Verb::Solve(solve) => instances::solve(request, solve),
        Verb::Why(why) => instances::why(request, why),
        Verb::Forced(forced) => instances::forced(request, forced),
        Verb::Hint(hint) => instances::hint(request, hint),
        Verb::Search(search) => instances::search(request, search),
        Verb::Explore(explore) => instances::explore(request, explore),
        Verb::Validate(validate) => instances::validate(request, validate),
        Verb::Evaluate(evaluate) => instances::evaluate(request, evaluate),
        Verb::Compare(compare) => grading::compare(request, compare),
        Verb::Grade(grade) => grading::grade(request, grade),
        Verb::Instance => instances::instance(request),
        Verb::Form => instances::form(request),
        Verb::Board(board) => instances::board(request, board),
        Verb::Session(session) => sessions::session(request, session),
        Verb::Explain(explain) => answer::explain(explain),
        Verb::Import(import) => answer::import(import),
        Verb::Instances(instances) => Ok(texts::instances(instances)),
        Verb::About => Ok(answer::about()),
    }
}
