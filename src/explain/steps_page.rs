//! A web page with steps, each with a picture of the facts known after it. The page needs no script.

use super::{
    ProofStep,
    propagate::{Derivation, Fact, Knowledge},
    requirement_board::RequirementBoard,
};
use crate::{
    diagnostic::visible::markup,
    page,
    picture::stage::Stage,
    picture::svg::{Mark, SlotBox},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// The limit on pictures, which keeps pages small; later steps have none. Chosen.
const MOST_PICTURES: usize = 400;

/// The texts of a page beside its steps.
pub(crate) struct StepsHeading<'a> {
    pub title: &'a str,
    pub says: &'a str,
    /// The values that are known before the first step.
    pub given: &'a [String],
    /// The text below the steps.
    pub ending: &'a str,
}

/// The page for a list of steps, with pictures if there is a board and a stage.
pub(crate) fn steps_page(
    heading: &StepsHeading,
    steps: &[ProofStep],
    board: Option<&RequirementBoard>,
    stage: Option<&Stage>,
) -> String {
    let title = markup(heading.title);
    let mut body = format!("<main>\n<h1>{title}</h1>\n<p>{}</p>\n", markup(heading.says));
    let drawn = board.zip(stage);
    if drawn.is_some() {
        body += "<p class=\"key\">In the pictures:<i class=\"new\"></i>new in this step<i class=\"used\"></i>used in it\
                 </p>\n";
    }
    body += "<ol class=\"steps\">\n";
    let mut writer = StepsWriter { drawn, pictures: 0, body };
    let mut known = Vec::new();
    if let Some(board) = board {
        for (number, cell) in board.cells.iter().enumerate() {
            let given = cell.options.iter().enumerate().filter(|(_, option)| heading.given.contains(&option.is));
            known.extend(given.map(|(option, _)| Fact::Is(number, option)));
        }
    }
    writer.write(steps, &mut known, 0);
    let mut body = writer.body + "</ol>\n";
    for line in heading.ending.lines() {
        let _ = writeln!(body, "<p>{}</p>", markup(line));
    }
    page::still(heading.title, include_str!("page.css"), &(body + "</main>\n"))
}

struct StepsWriter<'a> {
    drawn: Option<(&'a RequirementBoard, &'a Stage)>,
    pictures: usize,
    body: String,
}

impl StepsWriter<'_> {
    fn write(&mut self, steps: &[ProofStep], known: &mut Vec<Fact>, depth: usize) {
        for step in steps {
            match step {
                ProofStep::Taken(number, step) => {
                    known.extend(&step.learnt);
                    let is_end = step.learnt.is_empty();
                    let lines: Vec<&str> = step.lines.iter().map(|line| line.text.as_str()).collect();
                    let lines = match lines.as_slice() {
                        // If there is only one sentence, it starts with the conclusion, which is not repeated.
                        [line] if line.starts_with(&step.says) => (*line, &[][..]),
                        lines => (step.says.as_str(), lines),
                    };
                    self.item((*number, depth, is_end), lines, known, &step.learnt, &step.used);
                }
                ProofStep::Supposed(number, says, supposed, inside) => {
                    // Facts under a supposition hold only within this case.
                    let mut inner = known.clone();
                    inner.push(*supposed);
                    let says = format!("Suppose that {says}.");
                    self.item((*number, depth + 1, false), (&says, &[]), &inner, &[*supposed], &BTreeSet::new());
                    self.write(inside, &mut inner, depth + 1);
                }
            }
        }
    }

    fn item(
        &mut self,
        (number, depth, is_end): (usize, usize, bool),
        (says, lines): (&str, &[&str]),
        known: &[Fact],
        learnt: &[Fact],
        used: &BTreeSet<Fact>,
    ) {
        let class = match (is_end, depth) {
            (true, 0) => "surface end",
            (true, _) => "surface end inside",
            (false, 0) => "surface",
            (false, _) => "surface inside",
        };
        let _ = write!(
            self.body,
            "<li class=\"{class}\" style=\"--depth: {depth}\"><div>\
             <p class=\"says\"><span class=\"number\">{number}.</span>{}</p>",
            markup(says)
        );
        if !lines.is_empty() {
            let items: String = lines.iter().map(|line| format!("<li>{}</li>", markup(line))).collect();
            let _ = write!(self.body, "<ul class=\"lines\">{items}</ul>");
        }
        self.body += "</div>";
        if let Some((board, stage)) = self.drawn
            && self.pictures < MOST_PICTURES
        {
            self.pictures += 1;
            let label = format!("Known after step {number}");
            let picture = stage_picture(board, stage, known, learnt, used);
            let _ = write!(self.body, "<figure role=\"img\" aria-label=\"{label}\">{picture}</figure>");
        }
        self.body += "</li>\n";
    }
}

/// The stage with the remaining options of each cell.
fn stage_picture(
    board: &RequirementBoard,
    stage: &Stage,
    known: &[Fact],
    learnt: &[Fact],
    used: &BTreeSet<Fact>,
) -> String {
    let mut knowledge = Knowledge::new(&board.cells);
    known.iter().for_each(|fact| _ = knowledge.learn(*fact, Derivation::default()));
    let names: BTreeMap<&str, usize> =
        board.cells.iter().enumerate().map(|(number, cell)| (cell.name.as_str(), number)).collect();
    let mut marks = String::new();
    let mut texts = String::new();
    for one in &stage.boxes {
        let Some(number) = names.get(one.slot.part.as_str()).copied() else { continue };
        let class =
            match (learnt.iter().any(|fact| fact.cell() == number), used.iter().any(|fact| fact.cell() == number)) {
                (true, _) => "new",
                (false, true) => "used",
                (false, false) => "",
            };
        if !class.is_empty() {
            let ((x, y), (width, height)) = (one.corner, one.size);
            let _ = write!(
                marks,
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                x + 1.5,
                y + 1.5,
                (width - 3.0).max(1.0),
                (height - 3.0).max(1.0)
            );
        }
        texts += &slot_words(one, number, board, &knowledge);
    }
    // Marks and texts must be on top of the stage, so they come last.
    let Some(end) = stage.svg.rfind("</svg>") else { return String::new() };
    format!("{}{marks}{texts}</svg>", &stage.svg[..end])
}

/// The value of a slot, or its remaining values.
fn slot_words(one: &SlotBox, number: usize, board: &RequirementBoard, knowledge: &Knowledge) -> String {
    let options = &board.cells[number].options;
    let left: Vec<&str> = knowledge.open(number).map(|option| options[option].shown.as_str()).collect();
    let (class, lines) = match (&one.slot.value, left.as_slice()) {
        // A slot with a value shows only this option: a queen, or a cross if the option is excluded.
        (Some(value), [only]) if only == value => {
            ("one", vec![if one.mark == Mark::Queen { "♛" } else { "●" }.to_owned()])
        }
        (Some(value), left) if !left.contains(&value.as_str()) => ("left", vec!["×".to_owned()]),
        (Some(_), _) => return String::new(),
        (None, []) => ("none", vec!["✗".to_owned()]),
        (None, [only]) => ("one", vec![(*only).to_owned()]),
        // If all options are left, there is nothing to show.
        (None, left) if left.len() == options.len() => return String::new(),
        (None, left) => ("left", text_rows(left)),
    };
    let ((x, y), (width, height)) = (one.corner, one.size);
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(1).max(1);
    let count = lines.len() as f64;
    let most = if class == "left" { 0.34 * height } else { 0.52 * height };
    let size = (width * 0.86 / (0.6 * longest as f64)).min(height * 0.86 / count).min(most);
    // Smaller letters would be unreadable.
    if size < 3.0 {
        return String::new();
    }
    let top = y + height / 2.0 - size * 1.05 * (count - 1.0) / 2.0;
    let line = |(row, line): (usize, &String)| {
        format!(
            "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\">{}</text>",
            x + width / 2.0,
            top + size * (1.05 * row as f64 + 0.35),
            markup(line)
        )
    };
    lines.iter().enumerate().map(line).collect()
}

/// Arranges texts in about as many rows as columns.
fn text_rows(texts: &[&str]) -> Vec<String> {
    let columns = (1..).find(|columns| columns * columns >= texts.len()).unwrap_or(1);
    texts.chunks(columns).map(|row| row.join(" ")).collect()
}
