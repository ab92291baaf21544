//! Competing goals on a page: a plot for each pair of goals. Its points link to the pictures of the solutions.

use super::{GoalValue, Sheet, svg::escaped};
use std::fmt::Write;

// These lengths are in pixels and were chosen by eye.
const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 320.0;
/// The room for the labels of the axes.
const LEFT: f64 = 70.0;
const BELOW: f64 = 50.0;
const MARGIN: f64 = 20.0;

/// Returns the plots and a table of the values; `None` if the solutions have no competing goals.
pub(super) fn front(sheets: &[Sheet]) -> Option<String> {
    let goals = sheets.first().filter(|sheet| sheet.goals.len() > 1)?.goals.len();
    let mut text = String::from("<section class=\"front\">\n<div class=\"plots\">\n");
    for first in 0..goals {
        for second in first + 1..goals {
            text += &plot(sheets, first, second);
        }
    }
    text += "</div>\n<table>\n<thead><tr><th></th>";
    for goal in &sheets[0].goals {
        let _ = write!(text, "<th>{}</th>", escaped(&goal.goal));
    }
    text += "</tr></thead>\n<tbody>\n";
    for (number, sheet) in (1..).zip(sheets) {
        let _ = write!(text, "<tr><td><a href=\"#{}\">{}</a></td>", anchor(number), escaped(&sheet.heading));
        for goal in &sheet.goals {
            let _ = write!(text, "<td>{}</td>", escaped(&goal.shown));
        }
        text += "</tr>\n";
    }
    Some(text + "</tbody>\n</table>\n</section>\n")
}

/// The anchor of a solution on the page.
pub(super) fn anchor(number: usize) -> String {
    format!("solution-{number}")
}

/// Plots two goals, the first one on the horizontal axis.
fn plot(sheets: &[Sheet], first: usize, second: usize) -> String {
    let (across, up) = (Axis::of(sheets, first), Axis::of(sheets, second));
    let x = |sheet: &Sheet| LEFT + across.share(sheet) * (WIDTH - LEFT - MARGIN);
    // In SVG, y grows downwards.
    let y = |sheet: &Sheet| HEIGHT - BELOW - up.share(sheet) * (HEIGHT - BELOW - MARGIN);
    let (floor, end) = (HEIGHT - BELOW + 10.0, WIDTH - MARGIN);
    let (wall, middle) = (LEFT - 10.0, (HEIGHT - BELOW + MARGIN) / 2.0);
    let mut text = format!(
        "<svg class=\"surface\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" \
         aria-label=\"{0} and {1}\">\n<path class=\"axis\" d=\"M{wall} {MARGIN}V{floor}H{end}\"/>\n\
         <text x=\"{2}\" y=\"{3}\" text-anchor=\"middle\">{0}</text>\n\
         <text transform=\"translate(16 {middle}) rotate(-90)\" text-anchor=\"middle\">{1}</text>\n",
        escaped(across.name),
        escaped(up.name),
        (LEFT + end) / 2.0,
        HEIGHT - 10.0,
    );
    for goal in across.ends() {
        let (place, shown) = (LEFT + across.place(goal) * (end - LEFT), escaped(&goal.shown));
        let _ = writeln!(text, "<text x=\"{place:.1}\" y=\"{}\" text-anchor=\"middle\">{shown}</text>", floor + 14.0);
    }
    for goal in up.ends() {
        let (place, shown) = (HEIGHT - BELOW - up.place(goal) * (HEIGHT - BELOW - MARGIN), escaped(&goal.shown));
        let _ =
            writeln!(text, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{shown}</text>", wall - 6.0, place + 4.0);
    }
    for (number, sheet) in (1..).zip(sheets) {
        let values: Vec<String> = sheet.goals.iter().map(|goal| format!("{} = {}", goal.goal, goal.shown)).collect();
        let _ = writeln!(
            text,
            "<a href=\"#{}\"><circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"6\"><title>{}: {}</title></circle></a>",
            anchor(number),
            x(sheet),
            y(sheet),
            escaped(&sheet.heading),
            escaped(&values.join(", "))
        );
    }
    text + "</svg>\n"
}

/// A goal with the range of its values.
struct Axis<'a> {
    at: usize,
    name: &'a str,
    least: &'a GoalValue,
    greatest: &'a GoalValue,
}

impl<'a> Axis<'a> {
    fn of(sheets: &'a [Sheet], at: usize) -> Self {
        let values = || sheets.iter().map(|sheet| &sheet.goals[at]);
        let first = &sheets[0].goals[at];
        let least = values().min_by_key(|goal| goal.value).unwrap_or(first);
        let greatest = values().max_by_key(|goal| goal.value).unwrap_or(first);
        Axis { at, name: &first.goal, least, greatest }
    }

    /// The smallest and the largest value, or a single one if they are equal.
    fn ends(&self) -> Vec<&'a GoalValue> {
        if self.least.value == self.greatest.value { vec![self.least] } else { vec![self.least, self.greatest] }
    }

    /// The position of a value on the axis, from 0 (smallest) to 1 (largest).
    fn place(&self, goal: &GoalValue) -> f64 {
        let range = self.greatest.value.saturating_sub(self.least.value);
        if range == 0 { 0.5 } else { goal.value.saturating_sub(self.least.value) as f64 / range as f64 }
    }

    fn share(&self, sheet: &Sheet) -> f64 {
        self.place(&sheet.goals[self.at])
    }
}
