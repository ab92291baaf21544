//! Sessions: an instance that stays loaded from one request to the next.

use crate::{
    answer::{Outcome, write},
    instances::{says, shown},
    request::{Request, Session, Step, refusal},
};
use conjure_like::{Model, Pictures, Report, SolveSession, Text};
use serde_json::json;
use std::{cell::RefCell, ops::ControlFlow};

thread_local! {
    /// The session that the request before has left, with what draws its solutions.
    static SESSION: RefCell<Option<(SolveSession, Pictures)>> = const { RefCell::new(None) };
}

/// Begins a session if the request has a model, takes the steps, and solves.
pub(crate) fn session(request: &Request, asked: &Session) -> Outcome {
    SESSION.with_borrow_mut(|kept| answered(kept, request, asked))
}

fn answered(kept: &mut Option<(SolveSession, Pictures)>, request: &Request, asked: &Session) -> Outcome {
    if let Some(text) = request.optional_model() {
        let model = Model::read(&text)?;
        *kept = Some((SolveSession::new(&model, &request.data())?, model.pictures()?));
    }
    let Some((session, pictures)) = kept else {
        return Err(refusal("there is no session; a request with a `model` begins one"));
    };
    for step in &asked.steps {
        take(session, step)?;
    }
    let mut result = json!({ "steps": session.steps() });
    if let Some(solve) = &asked.solve {
        let pictures = solve.pictures.then_some(&*pictures);
        let mut number = 0;
        let summary = session.solve(&solve.limit.options(solve.seed), &mut |solution| {
            number += 1;
            let mut line = shown(solution, pictures);
            line.insert("number".to_owned(), number.into());
            write("solution", &line.into());
            ControlFlow::Continue(())
        })?;
        result["status"] = summary.status.to_string().into();
        result["says"] = says(&summary).into();
        result["solutions"] = summary.solutions.into();
    }
    Ok(result)
}

fn take(session: &mut SolveSession, step: &Step) -> Result<(), Report> {
    match step {
        Step::Require(requirements) => session.require(&requirements.iter().map(String::as_str).collect::<Vec<_>>()),
        Step::Set(values) => session.set(&values.iter().map(Text::from).collect::<Vec<_>>()),
        Step::Undo(steps) if *steps > session.steps() => {
            Err(refusal(format!("there are {} steps to take back, not {steps}", session.steps())))
        }
        Step::Undo(steps) => {
            for _ in 0..*steps {
                session.undo();
            }
            Ok(())
        }
    }
}
