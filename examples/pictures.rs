//! Checks a model, gives it data, and draws its first two solutions.

use conjure_like::{Count, Model, PictureFormat, Report, Sheet, SolveOptions, Text};
use std::ops::ControlFlow;

const MODEL: &str = "
$ picture: queen as chessboard
given n : int(1..)
find queen : matrix indexed by [int(1..n)] of int(1..n)
such that
    allDiff(queen),
    forAll i, j : int(1..n) . i < j -> |queen[i] - queen[j]| != j - i
";

/// The pictures of the solutions, as text.
pub(crate) fn drawn(data: &str) -> Result<String, Report> {
    let model = Model::read(&Text::new("queens.essence", MODEL))?;
    let pictures = model.pictures()?;
    let instance = model.instance(&[Text::new("data", data)])?;
    let options = SolveOptions::default().solutions(Count::First(2));
    let mut sheets = Vec::new();
    instance.solve(&options, &mut |solution| {
        sheets.push(Sheet {
            heading: "A solution".to_owned(),
            pictures: solution.pictures(&pictures),
            ..Sheet::default()
        });
        ControlFlow::Continue(())
    })?;
    Ok(PictureFormat::Text.render("Queens", &sheets, false))
}

#[allow(dead_code)] // The tests call `drawn`.
fn main() {
    let data = std::env::args().nth(1).unwrap_or_else(|| "letting n be 6".to_owned());
    match drawn(&data) {
        Ok(pictures) => print!("{pictures}"),
        Err(report) => eprintln!("{}", report.to_terminal(false)),
    }
}
