//! Sessions: an instance that stays loaded from one request to the next.

use super::{
    Listener, Service,
    instances::shown,
    refusal,
    reply::{Line, SearchEnded, SessionResult},
    request::{Request, Session, SessionStep},
};
use crate::{Model, Pictures, Report, SolveSession, Text};
use std::ops::ControlFlow;

/// A session that the request before has left.
pub(super) struct KeptSession {
    session: SolveSession,
    pictures: Pictures,
}

/// Begins a session if the request has a model, takes the steps, and solves.
pub(super) fn session(
    service: &mut Service,
    request: &Request,
    asked: &Session,
    tell: Listener,
) -> Result<SessionResult, Report> {
    if let Some(text) = request.optional_model() {
        let model = Model::read(&text)?;
        let session = SolveSession::new(&model, &request.data())?;
        service.session = Some(KeptSession { session, pictures: model.pictures()? });
    }
    let options = asked.solve.as_ref().map(|solve| service.options(&solve.limit, solve.seed));
    let Some(KeptSession { session, pictures }) = &mut service.session else {
        return Err(refusal("there is no session; a request with a `model` begins one"));
    };
    for step in &asked.steps {
        take(session, step)?;
    }
    let mut end = None;
    if let Some((solve, options)) = asked.solve.as_ref().zip(options) {
        let pictures = solve.pictures.then_some(&*pictures);
        let mut number = 0;
        let summary = session.solve(&options, &mut |solution| {
            number += 1;
            tell(Line::Solution(shown(solution, number, pictures)));
            ControlFlow::Continue(())
        })?;
        end = Some(SearchEnded {
            status: summary.status.to_string(),
            reason: summary.status.reason().map(str::to_owned),
            says: summary.says(),
            solutions: summary.solutions,
        });
    }
    Ok(SessionResult { steps: session.steps(), end })
}

fn take(session: &mut SolveSession, step: &SessionStep) -> Result<(), Report> {
    match step {
        SessionStep::Require(requirements) => {
            session.require(&requirements.iter().map(String::as_str).collect::<Vec<_>>())
        }
        SessionStep::Set(values) => session.set(&values.iter().map(Text::from).collect::<Vec<_>>()),
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
