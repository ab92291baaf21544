//! `conjure-like explore`

use super::{
    Exit,
    files::{FileKind, Pending, output_file, shown_path, stem},
    instances::Instances,
    interrupt,
    numbers::whole_number,
    session::Session,
};
use clap::{Args, ValueEnum};
use conjure_like::{
    Code, Diagnostic, Exploration, ExploreOptions, ExplorePage, ExploredPart, Extent, Possibility, counted, to_json,
    visible,
};
use serde_json::json;
use std::{fmt::Write, path::PathBuf};

/// The most parts that the summary shows.
const MOST_PARTS: usize = 100;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like explore models/n-queens.essence params/n-queens-6.param --html space.html

Exit code: 0 for a definite answer; 2 for a mistake in the command line, the files, the model or the data; 3 if a limit
ended the search. What is known until then is shown.")]
pub(super) struct ExploreCommand {
    #[command(flatten)]
    instances: Instances,
    /// Enumerate at most this many solutions, but always up to 72; of more, estimate the number and take a random
    /// sample
    #[arg(long, value_name = "N", default_value = "10000", value_parser = whole_number::<u32>(1..))]
    most: u32,
    /// The size of the random sample
    #[arg(long, value_name = "N", default_value = "500", value_parser = whole_number::<u32>(1..))]
    sample: u32,
    /// The seed of the estimate and of the sample
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<u64>(0..))]
    seed: u64,
    /// Write an HTML page that shows the solutions, and filters them by the values that you click
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    html: Option<PathBuf>,
    /// The format of the answer: text for people, or an object for each instance
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: ExploreFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ExploreFormat {
    Plain,
    Json,
}

impl ExploreCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        if self.html.is_some() && self.instances.are_several() {
            let error = Diagnostic::error(Code::COMMAND_LINE, "--html shows the solutions of one instance only");
            return session.fail(error.help("name one parameter file"));
        }
        let model = self.instances.read_model(session)?;
        let page = match &self.html {
            Some(_) => {
                let pictures = session.accept(model.pictures())?;
                Some(ExplorePage::default().title(stem(&self.instances.model)).pictures(pictures))
            }
            None => None,
        };
        let options = ExploreOptions::default()
            .most(self.most as usize)
            .sample(self.sample as usize)
            .seed(self.seed)
            .page(page)
            .search(interrupt::engine_options(None));
        self.instances.each(session, |session, data, path| {
            let instance = session.accept(model.instance(data))?;
            session.keep(instance.warnings());
            let space =
                session.accept(interrupt::during(options.search.limits.deadline, || instance.explore(&options)))?;
            if let (Some(path), Some(page)) = (&self.html, &space.page)
                && let Err(error) = Pending::whole(path, FileKind::Markup, page)
            {
                return session.fail(error);
            }
            let several = path.filter(|_| self.instances.are_several());
            match self.output_format {
                ExploreFormat::Plain => {
                    let heading = several.map_or(String::new(), |path| format!("{}:\n", shown_path(path)));
                    session.print(&(heading + &space_summary(&space, model.has_objective())))?;
                }
                ExploreFormat::Json => drop(session.print(&(to_json(&space_object(&space)) + "\n"))?),
            }
            if let Some(why) = space.stopped.as_ref().and_then(interrupt::cause) {
                session.reporting.status(&format!("{}.", why.ended_the_search()));
                return Some(Exit::Limit);
            }
            Some(Exit::Answer)
        })
    }
}

/// A number of solutions in words.
fn solutions_in_words(number: usize, best: bool) -> String {
    let kind = if best { "best solution" } else { "solution" };
    counted(number, kind)
}

/// An estimate with three digits.
fn rounded(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{number:.2e}") }
}

/// The space of solutions for people.
pub(super) fn space_summary(space: &Exploration, best: bool) -> String {
    let mut text = String::new();
    let here = space.solutions.len();
    let _ = match space.extent {
        Extent::All if here == 0 => writeln!(text, "There is no solution."),
        Extent::All if here == 1 => writeln!(text, "There is 1 {}.", if best { "best solution" } else { "solution" }),
        Extent::All => writeln!(text, "There are {}.", solutions_in_words(here, best)),
        _ if space.found == 0 => writeln!(text, "No solution is known yet."),
        _ => writeln!(text, "There are at least {}.", solutions_in_words(space.found, best)),
    };
    if let Some(estimate) = &space.estimate {
        let (low, high) = (estimate.solutions / estimate.factor, estimate.solutions * estimate.factor);
        let percent = estimate.confidence * 100.0;
        let _ = writeln!(
            text,
            "Estimate: {}; with a probability of at least {percent:.0}%, the number is between {} and {}.",
            rounded(estimate.solutions),
            rounded(low.max(space.found as f64)),
            rounded(high.max(space.found as f64))
        );
    }
    if here == 0 {
        return text;
    }
    let fixed = space.parts.iter().filter(|part| part.backbone().is_some()).count();
    let have = if fixed == 1 { "has" } else { "have" };
    let is_unknown = |part: &ExploredPart| part.values.iter().any(|value| value.possible == Possibility::Unknown);
    let least = if space.parts.iter().any(is_unknown) { "At least " } else { "" };
    let _ = writeln!(text, "\n{least}{fixed} of {} parts {have} the same value in all solutions.", space.parts.len());
    let of = match space.extent {
        Extent::All => String::new(),
        Extent::Sample => format!(" of {here} in a random sample"),
        Extent::First => format!(" of the first {here}"),
    };
    if here > 1 && !space.parts.is_empty() {
        let _ = writeln!(text, "Possible values, with the number of solutions{of}:");
    }
    let width = space.parts.iter().take(MOST_PARTS).map(|part| part.name.chars().count()).max().unwrap_or(0);
    for part in space.parts.iter().take(MOST_PARTS) {
        let _ = writeln!(text, "  {:width$}  {}", visible::line(&part.name), values_of_part(part, here));
    }
    if space.parts.len() > MOST_PARTS {
        let _ = writeln!(text, "  and {} more parts", space.parts.len() - MOST_PARTS);
    }
    if let Some(classes) = space.classes.as_ref().filter(|classes| classes.len() < here) {
        let classes = if classes.len() == 1 { "1 class".to_owned() } else { format!("{} classes", classes.len()) };
        let _ = writeln!(text, "\nUnder the symmetries that the model shows, the solutions form {classes}.");
    }
    if let [first, second, ..] = space.different[..] {
        let of = match space.extent {
            Extent::All => "solutions",
            Extent::Sample => "solutions of the sample",
            Extent::First => "of these solutions",
        };
        let _ = writeln!(text, "\nTwo {of} that differ most:\n");
        let essence = [first, second].map(|number| {
            let text = space.solutions[number].to_string();
            text.trim_start_matches("language Essence 1.3").trim().to_owned()
        });
        let _ = writeln!(text, "{}", essence.join("\n\n"));
    }
    text
}

/// The possible values of a part.
fn values_of_part(part: &ExploredPart, here: usize) -> String {
    let left = part.values.iter().filter(|value| value.possible != Possibility::Impossible);
    let shown = left.map(|value| {
        let shown = visible::line(&value.shown);
        match value.possible {
            Possibility::Unknown => format!("{shown} (unknown)"),
            _ if value.solutions == here => shown.into_owned(),
            _ => format!("{shown} ({})", value.solutions),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// The space of solutions as data.
pub(super) fn space_object(space: &Exploration) -> serde_json::Value {
    let parts = space.parts.iter().map(|part| {
        let values = part.values.iter().map(|value| {
            let possible = match value.possible {
                Possibility::Possible => Some(true),
                Possibility::Impossible => Some(false),
                Possibility::Unknown => None,
            };
            json!({"value": value.shown, "constraint": value.says, "possible": possible, "solutions": value.solutions})
        });
        json!({
            "name": part.name,
            "backbone": part.backbone().map(|value| &value.shown),
            "values": values.collect::<Vec<_>>(),
        })
    });
    json!({
        "extent": match space.extent {
            Extent::All => "all",
            Extent::Sample => "sample",
            Extent::First => "first",
        },
        "found": space.found,
        "estimate": space.estimate.map(|estimate| json!({
            "solutions": estimate.solutions,
            "factor": estimate.factor,
            "confidence": estimate.confidence,
        })),
        "parts": parts.collect::<Vec<_>>(),
        "different": space.different,
        "classes": space.classes,
        "symmetries": space.symmetries,
        "complete": space.stopped.is_none(),
        "solutions": space.solutions.iter().map(|solution| solution.to_value()).collect::<Vec<_>>(),
    })
}
