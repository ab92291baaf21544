//! All solutions as an iterator: the search runs on a thread of its own, and goes on when the next one is wanted.

use conjure_like::{Count, Instance, JsonShape, Model, Report, Solution, SolveOptions, Text};
use std::{error::Error, ops::ControlFlow, sync::mpsc, thread};

/// Magic squares of order 3: all rows, columns and diagonals have the same sum.
const MODEL: &str = "
letting n be 3
find square : matrix indexed by [int(1..n), int(1..n)] of int(1..n ** 2)
such that
    allDiff(flatten(square)),
    forAll i : int(1..n) .
        sum([square[i, j] | j : int(1..n)]) = 15 /\\ sum([square[j, i] | j : int(1..n)]) = 15,
    sum([square[i, i] | i : int(1..n)]) = 15,
    sum([square[i, n + 1 - i] | i : int(1..n)]) = 15
";

/// The solutions of an instance, each looked for when it is wanted, or what is wrong. Dropping the iterator ends the
/// search.
fn solutions(instance: Instance, options: SolveOptions) -> impl Iterator<Item = Result<Solution, Report>> {
    // The channel holds nothing, so the search waits with each solution until somebody takes it.
    let (found, solutions) = mpsc::sync_channel(0);
    thread::spawn(move || {
        let searched = instance.solve(&options, &mut |solution| match found.send(Ok(solution.clone())) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
        if let Err(report) = searched {
            // If nobody listens any more, nobody misses it.
            let _ = found.send(Err(report));
        }
    });
    solutions.into_iter()
}

/// The magic squares.
pub(crate) fn squares() -> Result<impl Iterator<Item = Result<Solution, Report>>, Report> {
    let instance = Model::read(&Text::new("magic-square.essence", MODEL))?.instance(&[])?;
    Ok(solutions(instance, SolveOptions::default().solutions(Count::All)))
}

#[allow(dead_code)] // The tests call `squares`.
fn main() -> Result<(), Box<dyn Error>> {
    for square in squares()? {
        println!("{}", square?.shaped(JsonShape::Plain));
    }
    Ok(())
}
