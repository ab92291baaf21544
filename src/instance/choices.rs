//! The values of local decision variables, `{ e @ find x : D such that c }`.
//!
//! They are decision variables of the whole model: a solution needs values for them that satisfy `c` wherever the
//! expression is reached, and make the constraint around it hold. So a constraint with such variables is evaluated
//! repeatedly, with one sequence of choices after the other, until it holds.

use super::{Environment, evaluate};
use crate::{
    analysis::model::Expr,
    diagnostic::{Code, Diagnostic},
    language::{Evaluated, Sense, Stop, Value},
};
use std::{
    fmt,
    ops::ControlFlow,
    sync::{Arc, Mutex},
};

/// The maximum number of values that are tried for the local decision variables of one expression. Chosen.
const MOST_TRIED: u64 = 1_000_000;

/// The choices for the local decision variables of an expression, in the order in which they were reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    made: Vec<LocalChoice>,
    /// The number of choices that this evaluation has reached.
    asked: usize,
    /// The first position whose choice is impossible, so that this evaluation is void.
    void: Option<usize>,
    tried: u64,
}

/// The values for the variables of a bubble, and the values that are left to try.
#[derive(Clone)]
struct LocalChoice {
    values: Option<Vec<Value>>,
    others: Arc<Mutex<dyn Iterator<Item = Vec<Value>> + Send>>,
}

impl fmt::Debug for LocalChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(formatter)
    }
}

impl Choices {
    /// Returns the position of the next choice; a new choice is among these values.
    pub(super) fn ask(&mut self, mut values: impl Iterator<Item = Vec<Value>> + Send + 'static) -> usize {
        let place = self.asked;
        self.asked += 1;
        if place == self.made.len() {
            self.tried += 1;
            self.made.push(LocalChoice { values: values.next(), others: Arc::new(Mutex::new(values)) });
        }
        place
    }

    /// The choice at a position; `None` if no value is left.
    pub(super) fn at(&mut self, position: usize) -> Evaluated<Option<Vec<Value>>> {
        if self.tried > MOST_TRIED {
            let message = "the local decision variables have too many values to try";
            return Err(Diagnostic::error(Code::TOO_LARGE, message).into());
        }
        Ok(self.made[position].values.clone())
    }

    /// Moves to the next choice at a position and returns true. If there were later choices, it returns false, because
    /// those change first.
    pub(super) fn change_last(&mut self, position: usize) -> bool {
        let is_last = self.asked == position + 1;
        if is_last {
            self.change(position);
        } else {
            self.reject(self.asked - 1);
        }
        is_last
    }

    fn change(&mut self, position: usize) {
        self.tried += 1;
        let choice = &mut self.made[position];
        choice.values = choice.others.lock().expect("no search panics").next();
    }

    /// Rejects the choice at this position, given the choices before it.
    pub(super) fn reject(&mut self, position: usize) {
        self.void.get_or_insert(position);
    }

    /// Advances to the next sequence of choices, if there is one.
    fn advance(&mut self) -> bool {
        // The choices after a changed one must be made again.
        self.made.truncate(self.void.map_or(self.asked, |place| place + 1));
        (self.asked, self.void) = (0, None);
        while let Some(place) = self.made.len().checked_sub(1) {
            self.change(place);
            if self.made[place].values.is_some() {
                return true;
            }
            self.made.pop();
        }
        false
    }
}

/// Returns true if a constraint holds for some choice of its local decision variables.
pub(crate) fn holds(constraint: &Expr, env: &mut Environment) -> Evaluated<bool> {
    // Without local decision variables, the constraint has only one evaluation.
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

/// The best value of an objective over all choices for its local decision variables.
pub(crate) fn best_choice(objective: &Expr, sense: Sense, env: &mut Environment) -> Evaluated {
    if !env.model().has_local_finds {
        // Without local decision variables, the objective has only one value.
        return evaluate(objective, env);
    }
    let mut best: Evaluated = Err(Stop::Undefined);
    for_each_choice(objective, env, &mut |value| {
        let better = match (&value, &best) {
            (Ok(value), Ok(best)) => sense.is_better(value, best),
            // Any defined value is better than an undefined one.
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

/// The value of an expression with the first choices that are possible.
pub(super) fn first_choice(expr: &Expr, env: &mut Environment) -> Evaluated {
    let mut first = Err(Stop::Undefined);
    for_each_choice(expr, env, &mut |value| {
        first = value;
        Ok(ControlFlow::Break(()))
    })?;
    first
}

/// Visits the values of an expression for all choices that are possible.
fn for_each_choice(
    expr: &Expr,
    env: &mut Environment,
    visit: &mut dyn FnMut(Evaluated) -> Evaluated<ControlFlow<()>>,
) -> Evaluated<()> {
    env.choices = Some(Choices::default());
    let result = loop {
        // A letting may contain choices, so the next sequence must not see its value.
        env.forget_lettings();
        env.restart_witnesses();
        let value = evaluate(expr, env);
        let choices = env.choices.get_or_insert_default();
        // If a choice was impossible, the value of the evaluation does not count.
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
    };
    env.choices = None;
    env.forget_lettings();
    result
}
