//! Small cases for the parser, its messages and the printer. Each is a text of one of the suites in `tests/syntax`,
//! below its title.

use crate::{
    Verdict, compare,
    suite::{Section, Suite},
};
use conjure_like::{Report, Text, format};
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};

/// Separates a text from its expected layout.
const ARROW: &str = "$ ---->";

pub(crate) fn tests() -> Vec<Trial> {
    [cases("layout", layout), cases("mistakes", mistakes)].into_iter().flatten().collect()
}

/// The cases of a suite; `today` computes the actual result.
fn cases(kind: &str, today: fn(&str) -> String) -> Vec<Trial> {
    let folder = PathBuf::from(format!("tests/syntax/{kind}"));
    let path = folder.with_extension("essence");
    let suite = Suite::read(&path);
    assert!(suite.sections.len() > 10, "{} has {} cases only", path.display(), suite.sections.len());
    let test = |section: Section| {
        let file = folder.join(&section.name);
        Trial::test(format!("syntax::{kind}::{}", section.name), move || check(&file, &section.text, today))
    };
    suite.sections.into_iter().map(test).collect()
}

fn check(file: &Path, case: &str, today: fn(&str) -> String) -> Verdict {
    compare(file, case, &format!("{}\n", today(case).trim_end()))
}

fn formatted(text: &str, width: usize) -> Result<String, Report> {
    format(&Text::new("case", text), width)
}

/// The text in the canonical layout. Checks that narrow layouts have the same meaning, and that formatting is
/// idempotent.
fn layout(case: &str) -> String {
    let text = case.split(ARROW).next().unwrap_or_default().trim_end();
    let printed = |text: &str, width| formatted(text, width).unwrap_or_else(|report| panic!("{report}\n{text}"));
    let wide = printed(text, 100);
    assert_eq!(printed(&wide, 100), wide);
    assert_eq!(printed(&printed(text, 20), 100), wide);
    format!("{text}\n{ARROW}\n{wide}")
}

/// A text with its diagnostics.
fn mistakes(case: &str) -> String {
    let text: String = case.split_inclusive('\n').filter(|line| !line.starts_with("$!")).collect();
    let text = text.trim_end();
    let report = formatted(text, 100).expect_err("a mistake");
    format!("{text}\n{}", said(&report, text))
}

/// Line, column, code and all texts of each diagnostic.
fn said(report: &Report, text: &str) -> String {
    let mut lines = String::new();
    for diagnostic in &report.diagnostics {
        for (number, label) in diagnostic.labels.iter().enumerate() {
            let (line, column) = report.sources.get(label.span.source).line_and_column(label.span.start as usize);
            let marked = &text[label.span.start as usize..label.span.end as usize];
            match number {
                0 => lines.push_str(&format!("$! {line}:{column} {} {}\n", diagnostic.code, diagnostic.message)),
                _ => lines.push_str(&format!("$!     {line}:{column}")),
            }
            let lead = if number == 0 { "$!     at" } else { "" };
            lines.push_str(&format!("{lead} `{marked}`: {}\n", label.text));
        }
        for help in &diagnostic.help {
            lines.push_str(&format!("$!     help: {help}\n"));
        }
        for note in &diagnostic.notes {
            lines.push_str(&format!("$!     note: {note}\n"));
        }
    }
    lines
}
