//! Puzzles on a printable page, with their solutions at the end.

use conjure_like::{Model, Pictures, Puzzle, counted, still_page, visible};
use std::fmt::Write;

/// The style sheet: the size of a page, with as many puzzles on it as fit.
const STYLE: &str = include_str!("sheet.css");

/// The title of a sheet: the first comment of the model, or its name.
pub(super) fn title(model: &Model, name: &str) -> String {
    let text = model.text().text;
    let first = text.lines().next().and_then(|line| line.strip_prefix('$')).map(str::trim).unwrap_or_default();
    if first.is_empty() || first.ends_with('.') { name.to_owned() } else { first.to_owned() }
}

/// The sheet with all puzzles.
pub(super) fn sheet(title: &str, puzzles: &[Puzzle], pictures: &Pictures) -> String {
    let mut body = format!("<main>\n<h1>{}</h1>\n<div class=\"puzzles\">\n", visible::markup(title));
    for (number, puzzle) in (1..).zip(puzzles) {
        let drawing = puzzle.drawing(pictures);
        let undrawn = for_people(&puzzle.undrawn(pictures));
        let clues = match undrawn.trim() {
            "" => String::new(),
            clues => format!("<pre>{}</pre>", visible::markup(clues)),
        };
        let _ = writeln!(
            body,
            "<figure><figcaption>{number}<small>{}</small></figcaption>{}{clues}</figure>",
            visible::markup(&difficulty(puzzle)),
            drawing.unwrap_or_default()
        );
    }
    body += "</div>\n<h2 class=\"end\">Solutions</h2>\n<div class=\"solutions\">\n";
    for (number, puzzle) in (1..).zip(puzzles) {
        let solution = puzzle.solved_drawing(pictures).unwrap_or_else(|| {
            let text = puzzle.solution.to_string();
            format!("<pre>{}</pre>", visible::markup(text.trim_start_matches("language Essence 1.3").trim()))
        });
        let _ = writeln!(body, "<figure><figcaption>{number}</figcaption>{solution}</figure>");
    }
    still_page(title, STYLE, &(body + "</div>\n</main>\n"))
}

/// Statements in the form for paper: `same: (Ada, red), (Ben, dog)` for a relation; empty values are left out.
fn for_people(statements: &str) -> String {
    let mut lines = String::new();
    for statement in statements.split("letting ").skip(1) {
        let Some((name, value)) = statement.split_once(" be ") else { continue };
        let value = value.trim();
        let inner = ["relation(", "function(", "{"].into_iter().find_map(|start| value.strip_prefix(start));
        let shown = inner.map_or(value, |inner| &inner[..inner.len() - 1]);
        if !shown.is_empty() {
            let _ = writeln!(lines, "{}: {}", name.trim().replace('_', " "), shown.replace("-->", "→"));
        }
    }
    lines
}

/// The difficulty in words.
pub(super) fn difficulty(puzzle: &Puzzle) -> String {
    let measured = puzzle.difficulty;
    let clues = if puzzle.clues == 0 { String::new() } else { format!("{}, ", counted(puzzle.clues, "clue")) };
    let steps = counted(measured.steps, "step");
    match (measured.steps, measured.combined) {
        (0 | 1, 0) => format!("{clues}{steps}"),
        (_, 0) => format!("{clues}{steps}, each from one requirement"),
        (_, combined) => format!(
            "{clues}{steps}, {combined} of them from several requirements (at most {}), the longest chain has {}",
            measured.requirements, measured.depth
        ),
    }
}
