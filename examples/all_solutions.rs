//! Iterates over all solutions. The search runs on a separate thread and continues when the next solution is requested.

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

/// Returns the solutions of an instance, each searched for on request, or the errors. Dropping the iterator ends the
/// search.
fn solutions(instance: Instance, options: SolveOptions) -> impl Iterator<Item = Result<Solution, Report>> {
    // The channel has no buffer, so the search waits with each solution until the iterator takes it.
    let (found, solutions) = mpsc::sync_channel(0);
    thread::spawn(move || {
        let searched = instance.solve(&options, &mut |solution| match found.send(Ok(solution.clone())) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
        if let Err(report) = searched {
            // The receiver may be gone, because the iterator was dropped.
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
