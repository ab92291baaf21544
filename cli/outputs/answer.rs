//! The output of `why` and `hint`: text, or one line of JSON; and the answer so far if a limit ends the run.

use crate::{
    inputs::{instances::Instances, invocation::Invocation},
    runtime::{
        Exit,
        files::{FileKind, Pending, output_file, shown_path, stem},
        interrupt, stdout,
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{
    Answer, Code, Diagnostic, ExplainOptions, ExplorePage, Model, Report,
    protocol::{ExplainResult, Line, Reply},
    to_json,
};
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct AnswerOptions {
    /// The format of the answer: text for people, or JSON
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: AnswerFormat,
    /// Write an HTML page that shows the steps, each with a picture of the known values
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    html: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// For people
    Plain,
    /// One object per line for each instance
    Json,
}

impl AnswerOptions {
    /// The options of the page, if a page is wanted.
    pub(crate) fn page(
        &self,
        invocation: &mut Invocation,
        instances: &Instances,
        model: &Model,
    ) -> Option<Option<ExplorePage>> {
        // The pictures are needed only for a page.
        if self.html.is_none() {
            return Some(None);
        }
        if instances.are_several() {
            let error = Diagnostic::error(Code::COMMAND_LINE, "--html shows the steps for one instance only");
            invocation.fail(error.help("name one parameter file"))?;
        }
        let pictures = invocation.accept(model.pictures())?;
        Some(Some(ExplorePage::default().title(stem(&instances.model)).pictures(pictures)))
    }

    /// Computes and prints the answer, with the name of the instance if there are several.
    pub(crate) fn answer(
        &self,
        invocation: &mut Invocation,
        instance: Option<&Path>,
        ask: impl FnOnce(&ExplainOptions) -> Result<Answer, Report>,
    ) -> Option<Exit> {
        let bold = invocation.reporting.styled_output();
        let lines = invocation.reporting.lines;
        let text = |answer: &Answer| match (self.output_format, instance) {
            // In the mode with lines, the format does not matter.
            _ if lines => {
                let result = ExplainResult::new(answer, &Report::default());
                to_json(&json!(Line::Result(Reply::Explain(result)))) + "\n"
            }
            (AnswerFormat::Json, instance) => {
                answer.to_json(instance.map(|path| path.display().to_string()).as_deref()) + "\n"
            }
            (AnswerFormat::Plain, Some(path)) => format!("{}:\n{}", shown_path(path), answer.to_text(bold)),
            (AnswerFormat::Plain, None) => answer.to_text(bold),
        };
        let so_far = |answer: &Answer| {
            let text = text(answer);
            interrupt::leave(move |_| text, answer.known)
        };
        let options = ExplainOptions::default().search(interrupt::engine_options(None)).so_far(Some(&so_far));
        // If a limit is reached before the first part of the answer is known, the run reports that nothing is known.
        interrupt::leave(|_| String::new(), Answer::NOTHING);
        let answer = interrupt::during(options.search.limits.deadline, || ask(&options));
        let answer = invocation.accept(answer)?;
        invocation.keep(Report { sources: answer.sources.clone(), diagnostics: answer.warnings.clone() });
        match (&self.html, &answer.page) {
            (Some(path), Some(page)) => {
                if let Err(error) = Pending::whole(path, FileKind::Markup, page) {
                    return invocation.fail(error);
                }
            }
            (Some(_), None) => invocation.reporting.status("There are no steps, so no page is written."),
            (None, _) => {}
        }
        // In the mode with lines, the text is already a line of the protocol, which `print` would wrap again.
        match lines {
            true => invocation.written(stdout::write(&text(&answer)))?,
            false => invocation.print(&text(&answer))?,
        };
        // The answer has been printed, so a limit must not print the partial one after it.
        interrupt::forget_last_words();
        if let Some(status) = &answer.stopped {
            let why = interrupt::cause(status).unwrap_or(interrupt::Cause::Time).ended_the_search();
            invocation.reporting.status(&format!("{why}; {}.", answer.known));
        }
        Some(if answer.complete { Exit::Answer } else { Exit::Limit })
    }
}
