//! The values of local decision variables, `{ e @ find x : D such that c }`.
//!
//! They are decision variables of the whole model: it has a solution if values can be found for them that
//! satisfy `c`, wherever the expression is reached, and make the constraint around it hold. So a constraint
//! with such variables is evaluated again and again, with one sequence of choices after the other, until it holds.

use super::{Environment, evaluate};
use crate::{
    analysis::model::Expr,
    diagnostic::{Code, Diagnostic},
    language::{Evaluated, Value},
};
use std::ops::ControlFlow;

/// How often an expression is evaluated with other choices.
const MOST_SEQUENCES: u64 = 1_000_000;

/// What was chosen for the local decision variables of an expression, in the order in which they were reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    made: Vec<Choice>,
    /// How many of them have been asked for in this evaluation.
    asked: usize,
    /// The first place where nothing was left to choose, so that this evaluation is void.
    pub(super) void: Option<usize>,
}

#[derive(Clone, Debug)]
struct Choice {
    number: u64,
    is_last: bool,
}

impl Choices {
    /// Which of the possible choices is to be made next, and its place.
    pub(super) fn next(&mut self) -> (u64, usize) {
        let place = self.asked;
        self.asked += 1;
        if place == self.made.len() {
            self.made.push(Choice { number: 0, is_last: false });
        }
        (self.made[place].number, place)
    }

    /// There are not so many choices at this place.
    pub(super) fn none_left(&mut self, place: usize) {
        self.made[place].is_last = true;
        self.void.get_or_insert(place);
    }

    /// Goes on to the next sequence of choices, if there is one.
    fn advance(&mut self) -> bool {
        self.made.truncate(self.void.map_or(self.asked, |place| place + 1));
        (self.asked, self.void) = (0, None);
        while let Some(choice) = self.made.last_mut() {
            if !choice.is_last {
                choice.number += 1;
                return true;
            }
            self.made.pop();
        }
        false
    }
}

/// Whether a constraint holds, with some choice for its local decision variables.
pub fn holds(constraint: &Expr, env: &mut Environment) -> Evaluated<bool> {
    if !env.model().has_local_finds {
        return Ok(evaluate(constraint, env)?.as_bool());
    }
    let mut holds = false;
    for_each_choice(constraint, env, &mut |value| {
        holds = value? == Value::TRUE;
        Ok(if holds { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(holds)
}

/// The best value of an objective, with some choice for its local decision variables.
pub fn best(objective: &Expr, maximising: bool, env: &mut Environment) -> Evaluated {
    if !env.model().has_local_finds {
        return evaluate(objective, env);
    }
    let mut best: Evaluated = Err(crate::language::Stop::Undefined);
    for_each_choice(objective, env, &mut |value| {
        let better = match (&value, &best) {
            (Ok(value), Ok(best)) => {
                if maximising {
                    value > best
                } else {
                    value < best
                }
            }
            (Ok(_), Err(_)) => true,
            (Err(_), _) => false,
        };
        if better {
            best = value;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    best
}

/// Visits the values of an expression for all choices that are possible.
fn for_each_choice(
    expr: &Expr,
    env: &mut Environment,
    visit: &mut dyn FnMut(Evaluated) -> Evaluated<ControlFlow<()>>,
) -> Evaluated<()> {
    env.choices = Some(Choices::default());
    let mut sequences = 0;
    let result = loop {
        env.forget_lettings();
        env.restart_witnesses();
        let value = evaluate(expr, env);
        let choices = env.choices.get_or_insert_default();
        if choices.void.is_none() {
            match visit(value) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break Ok(()),
                Err(stop) => break Err(stop),
            }
        }
        if !choices.advance() {
            break Ok(());
        }
        sequences += 1;
        if sequences > MOST_SEQUENCES {
            let message = "the local decision variables have too many values to try";
            break Err(Diagnostic::error(Code::TOO_LARGE, message).into());
        }
    };
    env.choices = None;
    env.forget_lettings();
    result
}
