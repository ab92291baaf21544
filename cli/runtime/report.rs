//! Messages on standard error: diagnostics in the chosen format, and status lines.

use super::stdout;
use clap::{Args, ValueEnum};
use conjure_like::{Diagnostic, Report, Severity, protocol::Line, visible};
use std::io::{self, IsTerminal, Write};

/// Further errors are only counted. Chosen.
pub(crate) const MOST: usize = 20;

#[derive(Args, Clone, Debug)]
pub(crate) struct ReportOptions {
    /// Colours on standard error, and bold letters in pictures. `auto` uses them only in a terminal, and not if
    /// NO_COLOR is set
    #[arg(long, global = true, display_order = 100, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// The format of errors: excerpts of the file for people, one line each for editors, or JSON
    #[arg(long, global = true, display_order = 100, value_name = "FORMAT", default_value = "human")]
    error_format: ErrorFormat,
    /// Print answers and errors as lines of JSON on standard output, in the format of `conjure-like serve`
    /// (docs/protocol.md)
    #[arg(long, global = true, display_order = 100, conflicts_with = "error_format")]
    pub lines: bool,
    /// Print only errors on standard error
    #[arg(short, long, global = true, display_order = 100)]
    quiet: bool,
    /// Conjure's option, which has no effect
    #[arg(long = "log-level", global = true, hide = true, value_name = "LEVEL")]
    _log_level: Option<String>,
    /// True if everything but errors goes to standard output: clients of Conjure treat any byte on standard error
    /// as a failure.
    #[arg(skip)]
    pub notices_to_stdout: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ErrorFormat {
    Human,
    Short,
    Json,
}

/// Writes a line to standard error. If that is closed or full, there is nowhere to report it.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().write_all(format!("{}\n", visible::text(text)).as_bytes());
}

/// Prints a text with its styles as colours.
pub(crate) fn print_styled(text: &str) {
    let _ = io::stderr().write_all(visible::styled(text).as_bytes());
}

/// Reports an error of the program or the machine, which has no code.
pub(crate) fn report_error(what: &str, help: &[String], notes: &[String]) {
    let remarks =
        |word: &str, texts: &[String]| texts.iter().map(|text| format!("\n    {word}: {text}")).collect::<String>();
    say(&format!("error: {what}{}{}", remarks("help", help), remarks("note", notes)));
}

impl ReportOptions {
    /// Reports a status, which is not an error.
    pub(crate) fn status(&self, text: &str) {
        match (self.quiet, self.notices_to_stdout) {
            (true, _) => {}
            (_, true) => drop(stdout::write(&format!("{}\n", visible::text(text)))),
            _ => say(text),
        }
    }

    /// True if warnings about models are shown; clients of Conjure do not expect them.
    pub(crate) fn shows_warnings(&self) -> bool {
        !self.quiet && !self.notices_to_stdout
    }

    /// True if messages are for people; programs get every message.
    pub(crate) fn is_for_people(&self) -> bool {
        self.error_format != ErrorFormat::Json && !self.lines
    }

    /// Prints diagnostics in the order of their spans.
    pub(crate) fn diagnostics(&self, report: &Report) {
        let mut shown = report.clone();
        shown.diagnostics.retain(|diagnostic| !self.quiet || diagnostic.severity == Severity::Error);
        shown.diagnostics.sort_by_key(Diagnostic::span);
        if self.lines {
            // Warnings alone are not a failure.
            if shown.has_errors() {
                // If this fails, there is no reader to report it to.
                let _ = stdout::write_line(&Line::failure(&shown));
            }
            return;
        }
        let most = if self.error_format == ErrorFormat::Json { usize::MAX } else { MOST };
        let more = shown.diagnostics.len().saturating_sub(most);
        shown.diagnostics.truncate(most);
        let mut text = match self.error_format {
            ErrorFormat::Human => shown.to_terminal(self.colored()),
            ErrorFormat::Short => shown.to_lines(),
            ErrorFormat::Json => shown.to_json_lines(),
        };
        if more > 0 {
            text += &format!("\nand {more} more\n");
        }
        match self.notices_to_stdout && !report.has_errors() {
            true => drop(stdout::write(&text)),
            false => drop(io::stderr().write_all(text.as_bytes())),
        }
    }

    /// True if text on standard output may be bold.
    pub(crate) fn styled_output(&self) -> bool {
        self.styled(io::stdout().is_terminal())
    }

    fn colored(&self) -> bool {
        self.styled(io::stderr().is_terminal())
    }

    fn styled(&self, terminal: bool) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
                terminal && !set("NO_COLOR") && !dumb
            }
        }
    }
}
