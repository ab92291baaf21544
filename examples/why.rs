//! Explains why a plan is impossible, and suggests changes that make it possible.

use conjure_like::{EngineOptions, ExplainOptions, Model, Report, Text};
use std::{
    error::Error,
    time::{Duration, Instant},
};

const MODEL: &str = "
letting TALK be new type enum {opening, types, solvers, closing}
find slot : function (total, injective) TALK --> int(1..4)
such that
    slot(opening) = 1,
    slot(closing) = 4,
    slot(types) > slot(solvers),
    slot(types) < 3
";

/// The explanation for people, found within ten seconds.
pub(crate) fn explanation() -> Result<String, Report> {
    let model = Model::read(&Text::new("talks.essence", MODEL))?;
    let search = EngineOptions::default().limits(Instant::now() + Duration::from_secs(10));
    let answer = model.why(&[], &ExplainOptions::default().search(search))?;
    Ok(answer.to_text(false))
}

#[allow(dead_code)] // The tests call `explanation`.
fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", explanation()?);
    Ok(())
}
