//! Renders diagnostics for people: the message, an excerpt of the source with labels, help and notes.
//!
//! ariadne draws only the excerpt. It gets the lines with labels instead of the whole file, and positions that may
//! confuse it (inside a character, past the end, on a line of a megabyte) are corrected first. Positions are passed in
//! characters, because ariadne 0.6 mixes up bytes and characters in the heading of a second file.

use super::{Diagnostic, Label, Severity, visible};
use crate::source::{Source, SourceId, Sources};
use ariadne::{CharSet, Color, Config, IndexType, Report, ReportKind};
use std::{borrow::Cow, fmt::Write, ops::Range};

/// The maximum length of a line that is shown whole. Chosen.
const LONGEST_LINE: usize = 160;
/// The number of characters of a long line before and after a label. Chosen.
const CONTEXT: usize = 50;
/// The number of characters around a label if the line has several. Chosen.
const NARROW_CONTEXT: usize = 15;

/// Renders a diagnostic as text with a trailing line break.
pub(crate) fn render_terminal(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    let mut text = String::new();
    let (word, ansi) = match diagnostic.severity {
        Severity::Error => ("error", "\x1b[1;31m"),
        Severity::Warning => ("warning", "\x1b[1;33m"),
    };
    let heading = format!("{word}[{}]", diagnostic.code);
    text += &format!(
        "{}: {}\n",
        painted(&heading, ansi, color),
        painted(&visible::text(&diagnostic.message), "\x1b[1m", color)
    );
    text += &source_excerpt(&diagnostic.labels, sources, color);
    for help in &diagnostic.help {
        text += &remark("help", help, color);
    }
    for note in &diagnostic.notes {
        text += &remark("note", note, color);
    }
    text
}

fn painted(text: &str, ansi: &str, color: bool) -> String {
    if color { format!("{ansi}{text}\x1b[0m") } else { text.to_owned() }
}

/// Renders a help message or a note; its further lines are aligned with the first.
fn remark(word: &str, text: &str, color: bool) -> String {
    let lines = visible::text(text).lines().collect::<Vec<_>>().join("\n          ");
    format!("    {}: {lines}\n", painted(word, "\x1b[1;36m", color))
}

/// The lines of one file that a diagnostic shows; long lines are cut around the labels.
struct SourceView<'a> {
    id: SourceId,
    source: &'a Source,
    /// The text for ariadne: empty lines for the line numbers, and the visible lines.
    text: String,
    /// The visible parts of the file, each with its start in `text`, in characters.
    pieces: Vec<(Range<usize>, usize)>,
    /// True if a line is cut before a label.
    cut: bool,
}

impl<'a> SourceView<'a> {
    fn new(id: SourceId, source: &'a Source, labels: &[&Label]) -> Self {
        let text = &*source.text;
        let ranges: Vec<Range<usize>> = labels.iter().map(|label| on_one_line(text, label)).collect();
        let first = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let last = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let begin = line_around(text, first).start;
        let end = line_around(text, last).end;
        let line = text[..begin].matches('\n').count();
        // ariadne numbers lines from the start of its text, so the hidden lines above are empty ones.
        let mut view = SourceView { id, source, text: "\n".repeat(line), pieces: Vec::new(), cut: false };
        let mut characters = line;
        let mut start = begin;
        loop {
            let line = line_around(text, start);
            for (number, piece) in shown_of(text, &line, &ranges).into_iter().enumerate() {
                let dots = if number > 0 || piece.start > line.start { "…" } else { "" };
                view.cut |= !dots.is_empty();
                view.text += dots;
                characters += dots.chars().count();
                view.pieces.push((piece.clone(), characters));
                let shown = excerpt(&text[piece]);
                characters += shown.chars().count();
                view.text += &shown;
            }
            if view.pieces.last().is_some_and(|(piece, _)| piece.end < line.end) {
                view.text.push('…');
                characters += 1;
            }
            if line.end >= end {
                break;
            }
            view.text.push('\n');
            characters += 1;
            start = line.end + 1;
        }
        view
    }

    /// The range of a label in `text`, in characters, if it is visible.
    fn place(&self, label: &Label) -> Option<Range<usize>> {
        let range = on_one_line(&self.source.text, label);
        let (piece, begins) =
            self.pieces.iter().find(|(piece, _)| piece.start <= range.start && range.start <= piece.end)?;
        let characters = |range: Range<usize>| excerpt(&self.source.text[range]).chars().count();
        let start = begins + characters(piece.start..range.start);
        Some(start..start + characters(range.start..range.end.min(piece.end)))
    }

    /// The column of a position in `text`, from 1.
    fn column(&self, position: usize) -> usize {
        let before: Vec<char> = self.text.chars().take(position).collect();
        before.iter().rev().take_while(|character| **character != '\n').count() + 1
    }
}

/// Returns the visible parts of a line: the whole line, or the text around the labels.
fn shown_of(text: &str, line: &Range<usize>, labels: &[Range<usize>]) -> Vec<Range<usize>> {
    if line.len() <= LONGEST_LINE {
        return vec![line.clone()];
    }
    let mut here: Vec<&Range<usize>> =
        labels.iter().filter(|label| line.start <= label.start && label.start <= line.end).collect();
    here.sort_by_key(|label| (label.start, label.end));
    // Several labels on one line share its width, so each of them gets less context.
    let around = if here.len() > 1 { NARROW_CONTEXT } else { CONTEXT };
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for label in here {
        let start = text.floor_char_boundary(label.start.saturating_sub(around).max(line.start));
        let end = text.ceil_char_boundary((label.end.min(label.start + CONTEXT) + around).min(line.end));
        // Parts that overlap are joined, so that no character is shown twice.
        match pieces.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => pieces.push(start..end),
        }
    }
    if pieces.is_empty() {
        let end = text.ceil_char_boundary((line.start + CONTEXT).min(line.end));
        pieces.push(line.start..end);
    }
    pieces
}

/// Converts source text for display, without carriage returns at line ends.
fn excerpt(text: &str) -> String {
    let lines: Vec<Cow<str>> =
        text.split('\n').map(|line| visible::text(line.strip_suffix('\r').unwrap_or(line))).collect();
    lines.join("\n")
}

/// The part of a label's span on its first line, rounded to whole characters.
fn on_one_line(text: &str, label: &Label) -> Range<usize> {
    // A label may point past the end of the text, or into a character.
    let start = text.floor_char_boundary((label.span.start as usize).min(text.len()));
    let end = text.ceil_char_boundary((label.span.end as usize).clamp(start, text.len()));
    let line = text[start..end].lines().next().unwrap_or("").trim_end();
    start..start + line.len()
}

/// The line around an offset, without its line break.
fn line_around(text: &str, offset: usize) -> Range<usize> {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    start..end
}

/// Renders the source lines with labels; the first label is the main one.
pub(crate) fn source_excerpt(labels: &[Label], sources: &Sources, color: bool) -> String {
    let Some(primary) = labels.first() else { return String::new() };
    let mut views: Vec<SourceView> = Vec::new();
    for label in labels {
        let id = label.span.source;
        // The excerpts of several files are in the order of the labels.
        if views.iter().all(|view| view.id != id) {
            let labels: Vec<&Label> = labels.iter().filter(|label| label.span.source == id).collect();
            views.push(SourceView::new(id, sources.get(id), &labels));
        }
    }
    let config = Config::new().with_index_type(IndexType::Char).with_char_set(CharSet::Unicode).with_color(color);
    let place = |label: &Label| {
        let view = views.iter().find(|view| view.id == label.span.source)?;
        Some((label.span.source.0, view.place(label)?))
    };
    let Some(start) = place(primary) else { return String::new() };
    let mut report = Report::build(ReportKind::Error, start).with_config(config);
    // ariadne starts a new excerpt for a label above the previous one, so the labels are sorted by position.
    let mut drawn_labels: Vec<&Label> = labels.iter().collect();
    drawn_labels.sort_by_key(|label| (label.span.source != primary.span.source, label.span));
    for label in drawn_labels {
        let Some(place) = place(label) else { continue };
        let shade = if label == primary { Color::Red } else { Color::Blue };
        let drawn = ariadne::Label::new(place).with_color(shade);
        report.add_label(if label.text.is_empty() { drawn } else { drawn.with_message(visible::text(&label.text)) });
    }
    let mut cache = Cache(
        views
            .iter()
            .map(|view| (view.id.0, (visible::line(&view.source.name), ariadne::Source::from(view.text.clone()))))
            .collect(),
    );
    let mut drawn = Vec::new();
    if report.finish().write(&mut cache, &mut drawn).is_err() {
        return String::new();
    }
    let drawn = String::from_utf8_lossy(&drawn);
    // The first line is ariadne's heading, which ours replaces. Trailing blanks are removed.
    let mut text = String::new();
    for line in drawn.lines().skip(1) {
        let _ = writeln!(text, "{}", line.trim_end());
    }
    correct_columns(text, &views, labels)
}

/// Corrects the column in the heading: for a cut line, ariadne counts in the visible text.
fn correct_columns(mut text: String, views: &[SourceView], labels: &[Label]) -> String {
    for view in views.iter().filter(|view| view.cut) {
        let Some(label) = labels.iter().find(|label| label.span.source == view.id) else { continue };
        let Some(place) = view.place(label) else { continue };
        let shown = view.column(place.start);
        let (line, column) = view.source.line_and_column(label.span.start as usize);
        let name = visible::line(&view.source.name);
        text = text.replacen(&format!("{name}:{line}:{shown} "), &format!("{name}:{line}:{column} "), 1);
    }
    text
}

/// The names and texts of files for ariadne.
struct Cache<'a>(Vec<(u32, ShownSource<'a>)>);

/// The name and text of a file for display.
type ShownSource<'a> = (Cow<'a, str>, ariadne::Source<String>);

impl ariadne::Cache<u32> for &mut Cache<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &u32) -> Result<&ariadne::Source<String>, impl std::fmt::Debug> {
        self.0.iter().find(|(known, _)| known == id).map(|(_, (_, source))| source).ok_or("no such source")
    }

    fn display<'a>(&self, id: &'a u32) -> Option<impl std::fmt::Display + 'a> {
        self.0.iter().find(|(known, _)| known == id).map(|(_, (name, _))| name.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostic::Code, source::Span};

    fn shown(text: &str, labels: &[(usize, usize, &str)]) -> String {
        let mut sources = Sources::default();
        let id = sources.add("m.essence", text);
        let mut diagnostic = Diagnostic::error(Code::TYPE_MISMATCH, "a `set of int` where an `int` is needed");
        for (start, end, text) in labels {
            diagnostic = diagnostic.at(Span::new(id, *start, *end), *text);
        }
        render_terminal(&diagnostic.help("write `|s|`").note("sizes are integers"), &sources, false)
    }

    #[test]
    fn labels_stand_under_what_they_mean() {
        let text = "find s : set of int(1..3)\nsuch that\n    s + 1 = 3\n";
        let expected = "\
error[E0301]: a `set of int` where an `int` is needed
   ╭─[ m.essence:3:5 ]
   │
 1 │ find s : set of int(1..3)
   │      ┬
   │      ╰── declared here
   │
 3 │     s + 1 = 3
   │     ┬
   │     ╰── this is a `set of int`
───╯
    help: write `|s|`
    note: sizes are integers
";
        assert_eq!(shown(text, &[(40, 41, "this is a `set of int`"), (5, 6, "declared here")]), expected);
    }

    #[test]
    fn odd_places_are_brought_into_order() {
        for (text, start, end) in [
            ("", 0, 0),
            ("x", 1, 1),
            ("x\n", 2, 9),
            ("aäb", 2, 2),
            ("aäb", 2, 3),
            ("letting\r\nx", 0, 9),
            ("a\n\n\nb", 0, 4),
            ("\u{2028}x\u{b}y", 1, 5),
        ] {
            let rendered = shown(text, &[(start, end, "here")]);
            assert!(rendered.contains("here"), "{text:?} {start}..{end}\n{rendered}");
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        let text = "letting x\u{1b}[2J\u{202e} be y\0\r\n";
        let rendered = shown(text, &[(20, 21, "this \u{9b} y")]);
        assert!(rendered.contains("letting x\\u{1b}[2J\\u{202e} be y\\u{0}\n"), "{rendered}");
        assert!(rendered.contains("this \\u{9b} y"), "{rendered}");
        assert!(!rendered.contains(visible::is_hidden), "{rendered}");
        let lines: Vec<&str> = rendered.lines().collect();
        let column = |line: &str, wanted: char| line.chars().position(|character| character == wanted);
        assert_eq!(column(lines[3], 'y'), column(lines[4], '┬'), "{rendered}");
    }

    #[test]
    fn a_second_file_has_a_picture_of_its_own() {
        let mut sources = Sources::default();
        let parameters = sources.add("p.param", "$ ä\nletting ä be ü\n");
        let model = sources.add("m.essence", "$ äö\ngiven ä : int(1..3)\n");
        let diagnostic = Diagnostic::error(Code::OUTSIDE_DOMAIN, "`ä` lies outside its domain")
            .at(Span::new(parameters, 19, 21), "this value")
            .at(Span::new(model, 18, 27), "the domain");
        let expected = "\
error[E0403]: `ä` lies outside its domain
   ╭─[ p.param:2:14 ]
   │
 2 │ letting ä be ü
   │              ┬
   │              ╰── this value
   │
   ├─[ m.essence:2:11 ]
   │
 2 │ given ä : int(1..3)
   │           ────┬────
   │               ╰────── the domain
───╯
";
        assert_eq!(render_terminal(&diagnostic, &sources, false), expected);
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let text = format!("letting x be {}y{}\n", "(".repeat(5000), ")".repeat(5000));
        let rendered = shown(&text, &[(5013, 5014, "here"), (0, 7, "there")]);
        assert!(rendered.contains("m.essence:1:5014 "), "{rendered}");
        assert!(rendered.lines().all(|line| line.chars().count() < 2 * LONGEST_LINE), "{rendered}");
        assert!(rendered.contains(" here") && rendered.contains(" there"), "{rendered}");
    }

    #[test]
    fn long_lines_are_cut_around_each_label() {
        let entries: Vec<String> = (1..=100).map(|number| format!("{number} --> 7")).collect();
        let text = format!("letting f be function({})\n", entries.join(", "));
        let at =
            |entry: &str| text.find(entry).map(|start| (start, start + entry.len(), "read here")).expect("an entry");
        let rendered = shown(&text, &[at("90 --> 7"), at("20 --> 7"), at("55 --> 7")]);
        for entry in ["…, 89 --> 7, 90 --> 7, 91 --> 7", " 20 --> 7, ", " 55 --> 7, "] {
            assert!(rendered.contains(entry.trim_start_matches("…, 89 --> 7, ")), "{entry}\n{rendered}");
        }
        assert_eq!(rendered.matches("read here").count(), 3, "{rendered}");
        let column = text.find("90 --> 7").expect("an entry") + 1;
        assert!(rendered.contains(&format!("m.essence:1:{column} ")), "{rendered}");
    }
}
