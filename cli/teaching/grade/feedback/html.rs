//! Feedback as the body of a page, with the cards that the pages for the browser use to answer *Why?*.

use super::{Feedback, FeedbackCase, FeedbackPart, InstanceVerdict, verdict_in_words};
use crate::teaching::grade::{exercise::Exercise, grades::Grade};
use conjure_like::{Shortcoming, visible::markup};
use serde_json::Value;
use std::fmt::Write;

/// The feedback for a submission. Excerpts from its text show the mistakes.
pub(in crate::teaching::grade) fn html(exercise: &Exercise, grade: &Grade) -> String {
    let Feedback { opening, cases, instances, closing } = Feedback::new(exercise, grade);
    let writer = HtmlWriter { source: grade.text.as_deref().unwrap_or_default() };
    let mut text = writer.parts(&opening);
    for FeedbackCase { kind, parts } in &cases {
        let _ = writeln!(
            text,
            "<section class=\"case surface\"><h2>{}</h2>{}</section>",
            title(*kind),
            writer.parts(parts)
        );
    }
    if !instances.is_empty() {
        let items: String = instances.into_iter().map(|(name, verdict)| instance_as_html(name, verdict)).collect();
        let _ = writeln!(text, "<h2>Instances</h2>\n<ul class=\"instances\">{items}</ul>");
    }
    text + &writer.parts(&closing)
}

fn title(kind: Shortcoming) -> &'static str {
    match kind {
        Shortcoming::Syntax => "Not Essence",
        Shortcoming::Types => "Mistakes in names or types",
        Shortcoming::Interface => "It does not fit the data",
        Shortcoming::Allows => "It allows too much",
        Shortcoming::Refuses => "It refuses too much",
        Shortcoming::Objective => "Another objective",
        Shortcoming::Slow => "Too slow",
    }
}

fn instance_as_html(name: &str, verdict: Option<InstanceVerdict>) -> String {
    let (class, sign) = match verdict {
        Some(Ok(())) => ("right", "✓"),
        None | Some(Err(Shortcoming::Slow)) => ("slow", "…"),
        Some(Err(_)) => ("wrong", "✗"),
    };
    let (name, words) = (markup(name), verdict_in_words(verdict));
    format!("<li><b class=\"{class}\" aria-hidden=\"true\">{sign}</b> <code>{name}</code> <span>{words}</span></li>")
}

/// A sentence with names in backquotes.
fn prose(text: &str) -> String {
    let mut shown = String::new();
    for (at, part) in text.split('`').enumerate() {
        let part = markup(part);
        // Parts at odd positions were between backquotes.
        if at % 2 == 0 {
            shown += &part;
        } else {
            let _ = write!(shown, "<code>{part}</code>");
        }
    }
    shown
}

/// A requirement: a constraint, or a sentence about a domain.
pub(in crate::teaching::grade) fn code(says: &str) -> String {
    // In a sentence, Essence is in backquotes; a constraint has none.
    if says.contains('`') { prose(says) } else { format!("<code>{}</code>", markup(says)) }
}

/// Writes the parts of the feedback; `source` is the text of the submission.
struct HtmlWriter<'a> {
    source: &'a str,
}

impl HtmlWriter<'_> {
    fn parts(&self, parts: &[FeedbackPart]) -> String {
        parts.iter().map(|part| self.part(part) + "\n").collect()
    }

    fn part(&self, part: &FeedbackPart) -> String {
        let block = |text: &str| format!("<pre class=\"block\"><code>{}</code></pre>", markup(text.trim_end()));
        match part {
            FeedbackPart::Says(says) => format!("<p>{}</p>", prose(says)),
            FeedbackPart::Hint(hint) => format!("<blockquote>{}</blockquote>", prose(hint)),
            FeedbackPart::Data(text) => block(text),
            FeedbackPart::Solution(text, None) => block(text),
            FeedbackPart::Solution(text, Some(svg)) => {
                format!("<div class=\"pictured\">{}{}</div>", image_element(svg), block(text))
            }
            FeedbackPart::Requirements(reasons, _) => {
                let items: String = reasons.iter().map(|reason| format!("<li>{}</li>", self.reason(reason))).collect();
                format!("<ol class=\"reasons\">{items}</ol>")
            }
            FeedbackPart::Mistakes([], text) => {
                format!(
                    "<ul class=\"diagnostics\"><li class=\"error\"><div class=\"diagnostic\">{}</div></li></ul>",
                    prose(text.trim_end())
                )
            }
            FeedbackPart::Mistakes(mistakes, _) => {
                let items: String = mistakes.iter().map(|mistake| self.mistake(mistake)).collect();
                format!("<ul class=\"diagnostics\">{items}</ul>")
            }
        }
    }

    fn reason(&self, reason: &Value) -> String {
        let with = match string_of(&reason["with"]) {
            "" => String::new(),
            with => format!("<span class=\"with\">{}</span>", markup(with)),
        };
        let line = reason["places"][0]["line"].as_u64();
        let place = line.map_or(String::new(), |line| format!("<span class=\"at\">line {line}</span>"));
        let mut shown = format!("<div class=\"reason\">{}{with}{place}</div>", code(string_of(&reason["says"])));
        let findings: String = items_of(&reason["comes_to"]).map(finding_as_html).collect();
        if !findings.is_empty() {
            let _ = write!(shown, "<ul class=\"findings\">{findings}</ul>");
        }
        shown
    }

    fn mistake(&self, mistake: &Value) -> String {
        let mut shown = format!("<p>{}</p>", prose(string_of(&mistake["message"])));
        let place = &mistake["labels"][0];
        shown += &self.excerpt(place);
        if !string_of(&place["text"]).is_empty() {
            let _ = write!(shown, "<p class=\"label\">{}</p>", prose(string_of(&place["text"])));
        }
        for help in items_of(&mistake["help"]) {
            let _ = write!(shown, "<p class=\"help\"><strong>Try:</strong> {}</p>", prose(string_of(help)));
        }
        for note in items_of(&mistake["notes"]) {
            let _ = write!(shown, "<p class=\"note\">{}</p>", prose(string_of(note)));
        }
        let line = place["line"].as_u64().map_or(String::new(), |line| format!("<span>line {line}</span>"));
        format!(
            "<li class=\"{}\"><div class=\"diagnostic\">{shown}</div><div class=\"origin\"><span \
            class=\"code\">{}</span>{line}</div></li>",
            markup(string_of(&mistake["severity"])),
            markup(string_of(&mistake["code"]))
        )
    }

    /// The line of the submission with a mistake, which is highlighted.
    fn excerpt(&self, place: &Value) -> String {
        let number = |key: &str| place[key].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
        let (line, column) = (number("line"), number("column"));
        let Some(shown) = self.source.lines().nth(line.wrapping_sub(1)).filter(|_| column > 0) else {
            return String::new();
        };
        let end = if number("end_line") == line { number("end_column") } else { usize::MAX };
        let part = |from: usize, to: usize| -> String {
            markup(&shown.chars().skip(from).take(to.saturating_sub(from)).collect::<String>())
        };
        // An empty span would be invisible, so at least one character is highlighted.
        let (before, marked) = (part(0, column - 1), part(column - 1, end.max(column + 1) - 1));
        format!(
            "<pre class=\"excerpt\"><code>{before}<mark>{marked}</mark>{}</code></pre>",
            part(end.max(column + 1) - 1, usize::MAX)
        )
    }
}

/// The value of a part of a requirement: `5 <= 3 is false`.
fn finding_as_html(finding: &Value) -> String {
    let with = match string_of(&finding["with"]) {
        "" => String::new(),
        with => format!(" <span class=\"with\">{}</span>", markup(with)),
    };
    let because = match string_of(&finding["because"]) {
        "" => String::new(),
        because => format!(": {}", prose(because)),
    };
    let is = match string_of(&finding["is"]) {
        "required" => "must be defined".to_owned(),
        is => format!("is {}", markup(is)),
    };
    format!("<li>{} {is}{with}{because}</li>", code(string_of(&finding["says"])))
}

fn string_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items_of(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A picture as an `img` element: whatever the SVG contains, it runs no scripts and loads nothing.
fn image_element(svg: &str) -> String {
    let escaped: String = svg.bytes().fold(String::with_capacity(svg.len() * 2), |mut text, byte| {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b' '
            | b'-'
            | b'.'
            | b'/'
            | b':'
            | b'='
            | b','
            | b';'
            | b'('
            | b')' => {
                text.push(char::from(byte));
            }
            byte => drop(write!(text, "%{byte:02X}")),
        }
        text
    });
    format!(
        "<div class=\"paper\"><img class=\"picture\" alt=\"The solution as a picture\" \
        src=\"data:image/svg+xml,{escaped}\"></div>"
    )
}
