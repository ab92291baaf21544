//! Searches for the best solution on a separate thread, until the caller has waited long enough.

use conjure_like::{Model, Report, SolveOptions, Text};
use std::{
    ops::ControlFlow,
    sync::{atomic::Ordering, mpsc},
    thread,
    time::Duration,
};

/// A shortest ruler with this number of marks whose distances all differ.
const MODEL: &str = "
given marks : int(2..)
letting longest be marks * marks
find mark : matrix indexed by [int(1..marks)] of int(0..longest)
minimising mark[marks]
such that
    mark[1] = 0,
    forAll i : int(2..marks) . mark[i - 1] < mark[i],
    allDiff([mark[j] - mark[i] | i : int(1..marks), j : int(1..marks), i < j])
";

/// Returns the lengths that are found, each better than the one before, until none is found within this time.
pub(crate) fn lengths(marks: u32, time: Duration) -> Vec<i64> {
    let options = SolveOptions::default();
    let interrupted = options.search.limits.interrupted.clone();
    let (found, lengths) = mpsc::channel();
    let searching = thread::spawn(move || -> Result<(), Report> {
        let model = Model::read(&Text::new("ruler.essence", MODEL))?;
        let instance = model.instance(&[Text::new("data", format!("letting marks be {marks}"))])?;
        instance.solve(&options, &mut |solution| match found
            .send(solution.objective().and_then(|value| value.as_int()))
        {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        })?;
        Ok(())
    });
    // The search has ended by itself.
    let mut seen = Vec::new();
    while let Ok(length) = lengths.recv_timeout(time) {
        seen.extend(length);
    }
    interrupted.store(true, Ordering::SeqCst);
    match searching.join().expect("no panic") {
        Ok(()) => {}
        Err(report) => eprintln!("{report}"),
    }
    seen
}

#[allow(dead_code)] // The tests call `lengths`.
fn main() {
    let lengths = lengths(9, Duration::from_secs(2));
    println!("{lengths:?}");
}
