//! Sessions: an instance that stays loaded between requests.

use super::{
    Listener, Service,
    instances::solution_line,
    refusal,
    reply::{Line, SearchEnded, SessionResult},
    request::{Expressions, NewValues, Request, Session, SessionStep},
};
use crate::{CALL_DATA, Model, Pictures, Report, SolveSession, Text, json::compact};
use serde_json::{Number, Value, json};
use std::ops::ControlFlow;

/// A session of an earlier request.
pub(super) struct KeptSession {
    session: SolveSession,
    pictures: Pictures,
}

impl KeptSession {
    pub(super) fn new(model: &Model, data: &[Text]) -> Result<Self, Report> {
        Ok(KeptSession { session: SolveSession::new(model, data)?, pictures: model.pictures()? })
    }
}

/// Starts a session if the request has a model, applies the steps, and solves.
pub(super) fn answer_session(
    service: &mut Service,
    request: &Request,
    asked: &Session,
    tell: Listener,
) -> Result<SessionResult, Report> {
    if let Some(text) = request.optional_model() {
        service.session = Some(KeptSession::new(&Model::read(&text)?, &request.data())?);
    }
    // The options come from the service, so they are made before its session is borrowed.
    let options = asked.solve.as_ref().map(|solve| service.options(&solve.limit, solve.seed));
    let Some(KeptSession { session, pictures }) = &mut service.session else {
        return Err(refusal("there is no session; a request with a `model` starts one"));
    };
    for step in &asked.steps {
        // After an error, the request ends, but the steps before it remain.
        take(session, step)?;
    }
    let mut end = None;
    if let Some((solve, options)) = asked.solve.as_ref().zip(options) {
        let pictures = solve.pictures.then_some(&*pictures);
        let mut number = 0;
        let summary = session.solve(&options, &mut |solution| {
            number += 1;
            tell(Line::Solution(solution_line(solution, number, pictures)));
            ControlFlow::Continue(())
        })?;
        end = Some(SearchEnded::new(&summary.status, summary.solutions));
    }
    Ok(SessionResult { steps: session.steps(), end })
}

/// Returns the text of values in a request.
fn values_text(text: impl Into<String>) -> Text {
    Text::new(CALL_DATA, text)
}

/// Finds a decimal number that may have been rounded by a JSON parser: a double keeps only 15 digits reliably.
fn inexact(value: &Value) -> Option<&Number> {
    let digits = |text: String| text.bytes().filter(u8::is_ascii_digit).count();
    match value {
        Value::Number(number) if number.is_f64() => (digits(number.to_string()) > 15).then_some(number),
        Value::Array(items) => items.iter().find_map(inexact),
        Value::Object(members) => members.values().find_map(inexact),
        _ => None,
    }
}

/// Applies a step.
fn take(session: &mut SolveSession, step: &SessionStep) -> Result<(), Report> {
    match step {
        SessionStep::Require(Expressions::One(requirement)) => session.require(&[requirement]),
        SessionStep::Require(Expressions::Several(requirements)) => {
            session.require(&requirements.iter().map(String::as_str).collect::<Vec<_>>())
        }
        SessionStep::Set(NewValues::Texts(texts)) => session.set(&texts.iter().map(Text::from).collect::<Vec<_>>()),
        SessionStep::Set(NewValues::Statements(statements)) => session.set(&[values_text(statements.as_str())]),
        SessionStep::Set(NewValues::Values(members)) => {
            let text = compact(&json!(members));
            match members.values().find_map(inexact) {
                Some(number) => Err(refusal(format!(
                    "`{number}` has more digits than programs that read JSON keep: write the number in quotation marks"
                ))),
                None => session.set(&[values_text(text)]),
            }
        }
        // The number is checked before the first step, so that an error undoes nothing.
        SessionStep::Undo(steps) if *steps > session.steps() => {
            Err(refusal(format!("there are {} steps to take back, not {steps}", session.steps())))
        }
        SessionStep::Undo(steps) => {
            for _ in 0..*steps {
                session.undo();
            }
            Ok(())
        }
    }
}
