//! A review as blocks, which every format renders: headings, sentences, code and pictures.

use super::{ComparedVersions, InstanceReview, ModelReview, SolvedVersion, kind_of_declaration};
use conjure_like::{
    Difference, DifferenceKind, InterfaceChange, Picture, PictureFormat, Refusal, Report, Review, Sheet, counted,
    still_page, visible,
};
use std::{fmt::Write, time::Duration};

/// Differences of time are mentioned if they exceed both this share of the longer time and this duration. Chosen: a
/// shorter difference is noise.
const SAID_SHARE: f64 = 0.2;
const SAID_TIME: Duration = Duration::from_millis(50);

/// A part of a review.
pub(super) enum Block {
    Title(String),
    Heading(String),
    Line(String),
    /// An item of a list.
    Item(String),
    Code(String),
    Pictures(Vec<Picture>),
}

/// The review as blocks.
pub(super) fn blocks(review: &ModelReview) -> Vec<Block> {
    let [old, new] = &review.names;
    let mut blocks = vec![Block::Title(format!("Review of {new} against {old}")), Block::Line(summary(review))];
    if !review.interface.is_empty() {
        blocks.push(Block::Heading("Parameters and decision variables".to_owned()));
        blocks.extend(review.interface.iter().map(|change| Block::Item(change_in_words(change))));
    }
    for instance in &review.instances {
        let name = if instance.name.is_empty() { "Solutions" } else { &instance.name };
        blocks.push(Block::Heading(name.to_owned()));
        blocks.extend(instance.made_up.as_ref().map(|data| Block::Code(data_alone(data))));
        instance_blocks(instance, &mut blocks);
    }
    blocks
}

/// The statements of the data, without the language declaration and empty lines.
fn data_alone(data: &str) -> String {
    data.lines().filter(|line| !line.starts_with("language") && !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A summary in one sentence: the findings, with the number of instances for each.
fn summary(review: &ModelReview) -> String {
    let mut parts = Vec::new();
    let mut say = |what: &str, holds: &dyn Fn(&ComparedVersions) -> bool| match review
        .instances
        .iter()
        .filter(|one| holds(&one.compared))
        .count()
    {
        0 => {}
        count => parts.push(format!("{what} {count}")),
    };
    let reviewed = |compared: &ComparedVersions, holds: &dyn Fn(&Review) -> bool| match compared {
        ComparedVersions::Reviewed(review, _) => holds(review),
        _ => false,
    };
    say("solutions gained on", &|one| reviewed(one, &|review| review.gained.is_some()));
    say("solutions lost on", &|one| reviewed(one, &|review| review.lost.is_some()));
    say("another objective on", &|one| reviewed(one, &|review| review.objective.is_some()));
    say("the same solutions on", &|one| reviewed(one, &|review| review.is_empty() && review.complete));
    say("no difference found, without certainty, on", &|one| {
        reviewed(one, &|review| review.is_empty() && !review.complete)
    });
    say("data that do not fit both versions on", &|one| matches!(one, ComparedVersions::Unfit(_)));
    say("not comparable on", &|one| matches!(one, ComparedVersions::Incomparable(..)));
    match parts.is_empty() {
        true => "Nothing was compared: there is no instance.".to_owned(),
        false => format!("Of {}: {}.", counted(review.instances.len(), "instance"), parts.join(", ")),
    }
}

fn change_in_words(change: &InterfaceChange) -> String {
    let (kind, name) = (kind_of_declaration(change), &change.name);
    let domain = |text: &String| if text.is_empty() { String::new() } else { format!(": `{text}`") };
    match (&change.old, &change.new) {
        (None, Some(new)) => format!("new {kind} `{name}`{}", domain(new)),
        (Some(_), None) => format!("the {kind} `{name}` has gone"),
        (Some(old), Some(new)) => format!("the {kind} `{name}` is `{new}`, and was `{old}`"),
        (None, None) => String::new(),
    }
}

fn instance_blocks(instance: &InstanceReview, blocks: &mut Vec<Block>) {
    match &instance.compared {
        ComparedVersions::Unfit(reports) => {
            for (version, report) in ["old", "new"].into_iter().zip(reports) {
                if let Some(report) = report {
                    blocks.push(Block::Line(format!("The data do not fit the {version} version.")));
                    blocks.push(Block::Code(said(report)));
                }
            }
        }
        ComparedVersions::Incomparable(report, solved) => {
            blocks.push(Block::Line("The solutions of the two versions cannot be compared.".to_owned()));
            blocks.push(Block::Code(said(report)));
            blocks.extend(solved_lines(solved).map(Block::Line));
        }
        ComparedVersions::Reviewed(review, solved) => {
            let says = [
                (&review.gained, "Gained: the new version allows this, and the old one refuses it.", "The old version"),
                (&review.lost, "Lost: the old version allows this, and the new one refuses it.", "The new version"),
                (&review.objective, "The solutions are the same, but the objective differs.", ""),
            ];
            for (difference, sentence, who) in says {
                if let Some(difference) = difference {
                    blocks.push(Block::Line(sentence.to_owned()));
                    difference_blocks(difference, who, blocks);
                }
            }
            if review.is_empty() {
                blocks.push(Block::Line(match review.complete {
                    true => "The solutions are the same.".to_owned(),
                    false => "No difference was found. This is not certain: there are too many solutions to look at \
                              all of them, or a limit ended the search."
                        .to_owned(),
                }));
            }
            blocks.extend(solved_lines(solved).map(Block::Line));
        }
    }
}

/// A report without the line break at its end.
fn said(report: &Report) -> String {
    report.to_terminal(false).trim_end().to_owned()
}

fn difference_blocks(difference: &Difference, who: &str, blocks: &mut Vec<Block>) {
    blocks.push(Block::Code(difference.solution.trim_end().to_owned()));
    if !difference.pictures.is_empty() {
        blocks.push(Block::Pictures(difference.pictures.clone()));
    }
    if let DifferenceKind::Objective(new, old) = &difference.kind {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "no objective".to_owned());
        blocks.push(Block::Line(match new {
            Some(value) if new == old => {
                format!("Both have the value {value}, but one version minimises it, and the other maximises it.")
            }
            _ => format!("Its value is {}; before, it was {}.", value(new), value(old)),
        }));
    }
    match &difference.because {
        Some(Refusal::Requirements(answer)) => {
            blocks.push(Block::Line(format!("{who} says:")));
            blocks.push(Block::Code(answer.to_text(false).trim_end().to_owned()));
        }
        Some(Refusal::Domain(report)) => {
            blocks.push(Block::Line(format!("{who} says:")));
            blocks.push(Block::Code(said(report)));
        }
        None => {}
    }
}

/// The best values, if they differ, and the times, if they differ enough.
fn solved_lines([old, new]: &[SolvedVersion; 2]) -> impl Iterator<Item = String> {
    let of = |solved: &SolvedVersion| match &solved.objective {
        Some(value) if solved.status.is_definite() => value.clone(),
        Some(value) => format!("{value} so far"),
        None => solved.status.to_string(),
    };
    let (was, is) = (of(old), of(new));
    let values = match (&old.objective, &new.objective) {
        (None, None) if was == is => None,
        _ if was == is => Some(format!("Best value: {is}, as before.")),
        (None, None) => Some(format!("Answer: {is} ({was} before).")),
        _ => Some(format!("Best value: {is} ({was} before).")),
    };
    let longer = old.time.max(new.time);
    let between = old.time.abs_diff(new.time);
    let is_said = between > SAID_TIME && between.as_secs_f64() > SAID_SHARE * longer.as_secs_f64();
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    let word = if new.time < old.time { "Faster" } else { "Slower" };
    let times =
        is_said.then(|| format!("{word}: {} of processor time ({} before).", seconds(new.time), seconds(old.time)));
    values.into_iter().chain(times)
}

fn drawn(pictures: &[Picture], format: PictureFormat, bold: bool) -> String {
    format.render("", &[Sheet { pictures: pictures.to_vec(), ..Sheet::default() }], bold)
}

/// The review for terminals.
pub(super) fn plain(blocks: &[Block], bold: bool) -> String {
    let mut text = String::new();
    let indented =
        |text: &str| text.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect::<String>();
    for block in blocks {
        let _ = match block {
            Block::Title(title) => writeln!(text, "{}\n", visible::line(title)),
            Block::Heading(heading) => writeln!(text, "\n{}\n", visible::line(heading)),
            Block::Line(line) => writeln!(text, "{line}"),
            Block::Item(item) => writeln!(text, "- {item}"),
            Block::Code(code) => writeln!(text, "\n{}", indented(code)),
            Block::Pictures(pictures) => writeln!(text, "{}", indented(&drawn(pictures, PictureFormat::Text, bold))),
        };
    }
    text
}

/// The review for a pull request.
pub(super) fn markdown(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        let _ = match block {
            Block::Title(title) => writeln!(text, "## {}\n", visible::line(title)),
            Block::Heading(heading) => writeln!(text, "\n### {}\n", visible::line(heading)),
            Block::Line(line) => writeln!(text, "{line}\n"),
            Block::Item(item) => writeln!(text, "- {item}"),
            Block::Code(code) => writeln!(text, "```text\n{code}\n```\n"),
            Block::Pictures(pictures) => {
                writeln!(text, "```text\n{}\n```\n", drawn(pictures, PictureFormat::Text, false).trim_end())
            }
        };
    }
    text
}

/// The review as a page.
pub(super) fn page(blocks: &[Block], title: &str) -> String {
    let mut body = String::new();
    for block in blocks {
        let _ = match block {
            Block::Title(title) => writeln!(body, "<h1>{}</h1>", visible::markup(&visible::line(title))),
            Block::Heading(heading) => writeln!(body, "<h2>{}</h2>", visible::markup(&visible::line(heading))),
            Block::Line(line) => writeln!(body, "<p>{}</p>", with_code(line)),
            Block::Item(item) => writeln!(body, "<p class=\"item\">{}</p>", with_code(item)),
            Block::Code(code) => writeln!(body, "<pre class=\"surface\">{}</pre>", visible::markup(code)),
            Block::Pictures(pictures) => {
                writeln!(body, "<figure class=\"surface\">{}</figure>", drawn(pictures, PictureFormat::Svg, false))
            }
        };
    }
    let body = format!("<main class=\"sheet\">\n{body}</main>\n");
    still_page(&format!("Review of {title}"), include_str!("review.css"), &body)
}

/// A sentence as markup, in which backticks become code.
fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(position, part)| {
            let part = visible::markup(part);
            if position % 2 == 1 { format!("<code>{part}</code>") } else { part }
        })
        .collect()
}
