//! `conjure-like review`: the effects of a change to a model, for a pull request or a person.
//!
//! A review states what was checked, and calls two versions the same only if the check was complete.

mod blocks;

use super::compare::{ComparedData, ComparedDataOptions, mapping};
use crate::{
    inputs::invocation::Invocation,
    outputs::blocks::{markdown, page, plain},
    runtime::{
        Exit,
        files::{FileKind, Pending, output_file, shown_path, stem},
        interrupt,
        limits::parse_seconds,
        processes,
    },
};
use blocks::blocks;
use clap::{Args, ValueEnum};
use conjure_like::{
    COMMAND_LINE, Code, CompareOptions, ComparedVersions, Diagnostic, EngineOptions, Instance, InstanceReview, Model,
    ModelReview, Report, SolveOptions, SolvedVersion, Text, to_json,
};
use conjure_like_system::processor_time;
use serde_json::{Value, json};
use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The maximum size of a model from git in bytes. Chosen.
const MOST_OUTPUT: u64 = 10_000_000;
/// The time limit for git. Chosen.
const GIT_TIME: Duration = Duration::from_secs(30);

#[derive(Args)]
#[command(after_help = "\
Examples: conjure-like review old.essence new.essence params/*.param
          conjure-like review --git HEAD~1 models/futoshiki.essence params/futoshiki-4.param --output-format=markdown

Exit code: 0 when the review is done, whatever it found (with --exit-status, 10 if it found a difference); 2 for a
mistake in the command line, the files or the models; 3 if a limit ended the run.")]
pub(crate) struct ReviewCommand {
    /// The old version of the model; with --git, the new one
    #[arg(value_name = "OLD")]
    first: PathBuf,
    /// The new version, without --git; then parameter files, one for each instance. Without any, small instances are
    /// generated
    #[arg(value_name = "NEW [PARAM]")]
    others: Vec<PathBuf>,
    /// Take the old version of the model from this revision in git, such as HEAD~1 or main
    #[arg(long, value_name = "REVISION")]
    git: Option<String>,
    #[command(flatten)]
    data: ComparedDataOptions,
    /// A decision variable of the old version as an expression over the variables of the new one: --map 'x = y + 1'
    #[arg(long, value_name = "NAME = EXPRESSION", value_parser = mapping)]
    map: Vec<(String, String)>,
    /// The time for each search on an instance, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    instance_time: Duration,
    /// The format of the review: text for people, Markdown for a pull request, or a JSON object
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: ReviewFormat,
    /// Also write the review as an HTML page with pictures
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    html: Option<PathBuf>,
    /// Exit with 10 if the review found a difference
    #[arg(long)]
    exit_status: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ReviewFormat {
    Plain,
    Markdown,
    Json,
}

impl ReviewCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let (old, new, parameters) = self.versions(invocation)?;
        let ComparedData { instances, are_made_up } = self.data.read(parameters, &[&old, &new], invocation)?;
        let names = [&old, &new].map(|model| shown_path(Path::new(&model.text().name)));
        let mut review = ModelReview { interface: new.interface_changes(&old), instances: Vec::new() };
        for (number, data) in (1..).zip(&instances) {
            let name = match data.first() {
                None => String::new(),
                Some(_) if are_made_up => format!("small instance {number}"),
                Some(text) if text.name == COMMAND_LINE => "the command line".to_owned(),
                Some(text) => text.name.clone(),
            };
            let compared = invocation.accept(self.compared(&old, &new, data))?;
            let made_up = data.first().filter(|_| are_made_up).map(|text| text.text.clone());
            review.instances.push(InstanceReview { name, made_up, compared });
            if interrupt::limits().reached().is_some() {
                break;
            }
        }
        self.print(invocation, &review, &names)?;
        if interrupt::limits().reached().is_some() {
            return Some(Exit::Limit);
        }
        Some(if self.exit_status && review.has_differences() { Exit::Satisfiable } else { Exit::Answer })
    }

    /// The old version, the new version, and the parameter files.
    fn versions(&self, invocation: &mut Invocation) -> Option<(Model, Model, &[PathBuf])> {
        let (old, new, parameters) = match (&self.git, &self.others[..]) {
            (Some(revision), parameters) => {
                let new = invocation.read(&self.first)?;
                let old = invocation.accept(of_revision(revision, &self.first).map_err(Report::from))?;
                (old, new, parameters)
            }
            (None, [new, parameters @ ..]) => (invocation.read(&self.first)?, invocation.read(new)?, parameters),
            (None, []) => {
                let error = Diagnostic::error(Code::COMMAND_LINE, "a review is about two versions of a model");
                return invocation.fail(error.help("name the new version, too, or a revision: `--git HEAD~1`"));
            }
        };
        Some((invocation.accept(Model::read(&old))?, invocation.accept(Model::read(&new))?, parameters))
    }

    /// Compares two versions on one instance.
    fn compared(&self, old: &Model, new: &Model, data: &[Text]) -> Result<ComparedVersions, Report> {
        let options = CompareOptions::default().mapping(self.map.clone()).search(self.search());
        let review = || interrupt::during(options.search.limits.deadline, || new.review(old, data, &options));
        // The time applies to each version separately.
        let solve = |instance: &Instance| solved(instance, &SolveOptions::default().search(self.search()));
        ComparedVersions::on([old, new], data, review, solve)
    }

    fn search(&self) -> EngineOptions {
        let options = interrupt::engine_options(Some(1));
        // The time applies to each search separately.
        let deadline = Instant::now().checked_add(self.instance_time);
        let limits = options.limits.clone().deadline(options.limits.deadline.into_iter().chain(deadline).min());
        options.limits(limits)
    }

    fn print(&self, invocation: &mut Invocation, review: &ModelReview, names: &[String; 2]) -> Option<()> {
        let styled = invocation.reporting.styled_output();
        let shown = blocks(review, names);
        let text = match self.output_format {
            ReviewFormat::Plain => plain(&shown, styled),
            ReviewFormat::Markdown => markdown(&shown),
            ReviewFormat::Json => to_json(&review_object(review, names)) + "\n",
        };
        if let Some(path) = &self.html
            && let Err(error) = Pending::whole(
                path,
                FileKind::Markup,
                &page(&shown, &format!("Review of {}", stem(Path::new(&names[1])))),
            )
        {
            return invocation.fail(error);
        }
        invocation.print(&text).map(drop)
    }
}

/// Searches for a solution, or a best one, and measures the processor time.
pub(super) fn solved(instance: &Instance, options: &SolveOptions) -> Result<SolvedVersion, Report> {
    let start = processor_time();
    let mut objective = None;
    let solve = || {
        instance.solve(options, &mut |solution| {
            objective = solution.objective_shown();
            ControlFlow::Continue(())
        })
    };
    let summary = interrupt::during(options.search.limits.deadline, solve)?;
    Ok(SolvedVersion { status: summary.status, objective, time: processor_time().saturating_sub(start) })
}

/// The text of a model in a revision.
fn of_revision(revision: &str, path: &Path) -> Result<Text, Diagnostic> {
    let wrong = |what: String| Diagnostic::error(Code::FILE_UNREADABLE, what);
    let (folder, name) = (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default());
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // Without `./`, Git would look for the path in the top folder of the repository.
    let spelled = format!("{revision}:./{}", name.to_string_lossy());
    let mut git = Command::new("git");
    // A revision may start with `-`, but must not become an option of Git.
    git.arg("-C").arg(folder).args(["show", "--end-of-options", &spelled]).stderr(Stdio::piped());
    let output = processes::output(&mut git, b"", MOST_OUTPUT, GIT_TIME, |_| {})
        .map_err(|error| wrong(format!("git cannot be started: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said =
            said.lines().next().unwrap_or("git ended without a message").trim_start_matches("fatal: ").to_owned();
        return Err(wrong(format!("git has no `{}` in `{revision}`", path.display())).note(said));
    }
    let text = String::from_utf8(output.stdout)
        .map_err(|_| wrong(format!("`{}` in `{revision}` is not text in UTF-8", path.display())))?;
    Ok(Text::new(format!("{revision}:{}", path.display()), text))
}

/// A review as JSON.
fn review_object(review: &ModelReview, names: &[String; 2]) -> Value {
    let interface = review.interface.iter().map(
        |change| json!({"kind": change.kind_in_words(), "name": change.name, "old": change.old, "new": change.new}),
    );
    let instances = review.instances.iter().map(|instance| {
        let mut value = json!({"instance": instance.name, "made_up": instance.made_up});
        match &instance.compared {
            ComparedVersions::Unfit(reports) => {
                value["unfit"] = ["old", "new"]
                    .into_iter()
                    .zip(reports)
                    .map(|(version, report)| (version.to_owned(), json!(report.as_ref().map(Report::to_values))))
                    .collect();
            }
            ComparedVersions::Incomparable(report, solved) => {
                value["incomparable"] = json!(report.to_values());
                add_solved(&mut value, solved);
            }
            ComparedVersions::Reviewed(review, solved) => {
                for (name, difference) in
                    [("gained", &review.gained), ("lost", &review.lost), ("objective", &review.objective)]
                {
                    value[name] = json!(difference.as_ref().map(super::compare::difference_object));
                }
                value["complete"] = review.complete.into();
                add_solved(&mut value, solved);
            }
        }
        value
    });
    json!({
        "old": names[0],
        "new": names[1],
        "interface": interface.collect::<Vec<_>>(),
        "instances": instances.collect::<Vec<_>>(),
        "different": review.has_differences(),
    })
}

fn add_solved(value: &mut Value, solved: &[SolvedVersion; 2]) {
    for (version, solved) in ["old", "new"].into_iter().zip(solved) {
        value[version] = json!({
            "status": solved.status.to_string(),
            "objective": solved.objective,
            "seconds": (solved.time.as_secs_f64() * 1e3).round() / 1e3,
        });
    }
}
