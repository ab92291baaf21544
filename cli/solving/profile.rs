//! `conjure-like profile`

use crate::{
    inputs::{instances::Instances, invocation::Invocation},
    runtime::{
        Exit,
        files::{FileKind, Pending, output_file, shown_path},
        interrupt,
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{
    Code, Count, Diagnostic, PartCost, Profile as Costs, SolveOptions, Text, still_page, to_json, visible,
};
use serde_json::json;
use std::{collections::BTreeMap, fmt::Write, path::PathBuf, time::Duration};

/// The width of the text of a part in the table. Chosen.
const WIDTH: usize = 60;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like profile models/futoshiki.essence params/futoshiki-9-hard.param --html costs.html

Exit code: 0 if the search was completed; 2 for a mistake in the command line, the files, the model or the data; 3 if a
limit ended the search. The costs so far are shown.")]
pub(crate) struct ProfileCommand {
    #[command(flatten)]
    instances: Instances,
    /// The number of solutions to find, or `all`
    #[arg(short, long, value_name = "N", default_value = "1")]
    number_of_solutions: Count,
    /// Write an HTML page that shows the model with the costs beside the lines
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    html: Option<PathBuf>,
    /// The format of the costs: a table for people, or a JSON object for each instance
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: ProfileFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ProfileFormat {
    Plain,
    Json,
}

impl ProfileCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        if self.html.is_some() && self.instances.are_several() {
            let error = Diagnostic::error(Code::COMMAND_LINE, "--html shows the costs of one instance only");
            return invocation.fail(error.help("name one parameter file"));
        }
        let model = self.instances.read_model(invocation)?;
        let text = model.text();
        let options =
            SolveOptions::default().solutions(self.number_of_solutions).search(interrupt::engine_options(None));
        self.instances.each(invocation, |invocation, data, path| {
            let instance = invocation.accept(model.instance(data))?;
            invocation.keep(instance.warnings());
            let profile =
                invocation.accept(interrupt::during(options.search.limits.deadline, || instance.profile(&options)))?;
            if let Some(path) = &self.html
                && let Err(error) = Pending::whole(path, FileKind::Markup, &profile_page(&text, &profile))
            {
                return invocation.fail(error);
            }
            // A single instance needs no name.
            let several = path.filter(|_| self.instances.are_several());
            match self.output_format {
                ProfileFormat::Plain => {
                    let heading = several.map_or(String::new(), |path| format!("{}:\n", shown_path(path)));
                    invocation.print(&(heading + &profile_table(&profile)))?;
                }
                ProfileFormat::Json => drop(invocation.print(&profile_object(&profile))?),
            }
            let stopped = !profile.status.is_definite();
            Some(if stopped { Exit::Limit } else { Exit::Answer })
        })
    }
}

/// The lines of a part: `3`, `3-5`, or nothing for the search.
fn lines_of_part(part: &PartCost) -> String {
    match part.lines {
        (0, _) => String::new(),
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    }
}

/// The text of a part on one line.
fn part_on_one_line(says: &str) -> String {
    let line = visible::line(&says.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned();
    if line.chars().count() <= WIDTH { line } else { line.chars().take(WIDTH - 1).chain(['…']).collect() }
}

/// A share in percent; empty if it is 0.
fn share_in_percent(part: u64, all: u64) -> String {
    // If the whole is 0, there is no percentage.
    match (part * 100).checked_div(all) {
        None | Some(0) => String::new(),
        Some(percent) => format!("{percent}%"),
    }
}

/// Seconds with three decimals; empty if they are 0.
fn shown_seconds(time: Duration) -> String {
    if time.as_millis() == 0 { String::new() } else { format!("{:.3}", time.as_secs_f64()) }
}

/// The costs of a part as cells of the table.
fn cells(part: &PartCost, all: &PartCost, learnt: u64) -> [String; 8] {
    let number = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    [
        lines_of_part(part),
        number(part.instances),
        number(part.terms),
        number(part.variables),
        number(part.clauses),
        share_in_percent(part.clauses, all.clauses),
        number(part.learnt),
        share_in_percent(part.learnt, learnt),
    ]
}

const HEADINGS: [&str; 8] = ["line", "instances", "terms", "variables", "clauses", "", "learnt", ""];

/// The sum of all parts. Learnt clauses are not added up, because a clause counts for each part that it was derived
/// with.
fn total(profile: &Costs) -> PartCost {
    // The sum includes parts that the table does not show, so the shares add up to the whole.
    let mut all = PartCost::default();
    all.learnt = profile.learnt;
    for part in &profile.parts {
        all.instances += part.instances;
        all.terms += part.terms;
        all.lowering += part.lowering;
        all.variables += part.variables;
        all.clauses += part.clauses;
    }
    all
}

fn profile_times(profile: &Costs) -> String {
    let [lowering, encoding, search] =
        [total(profile).lowering, profile.encoding, profile.search].map(|time| format!("{:.3} s", time.as_secs_f64()));
    format!("Lowering took {lowering}, encoding {encoding}, the search {search}: {}.", profile.status.as_clause())
}

fn profile_table(profile: &Costs) -> String {
    let all = total(profile);
    let mut rows: Vec<([String; 8], String)> = vec![(HEADINGS.map(str::to_owned), String::new())];
    // A part without a place in the model is shown only if it has clauses.
    let is_shown = |part: &&PartCost| part.span.is_some() || part.clauses > 0;
    rows.extend(
        profile
            .parts
            .iter()
            .filter(is_shown)
            .map(|part| (cells(part, &all, profile.learnt), part_on_one_line(&part.says))),
    );
    // The shares of the whole are always 100 %, so they are left out.
    rows.push((cells(&all, &PartCost::default(), 0), "all".to_owned()));
    let widths: Vec<usize> = (0..HEADINGS.len())
        .map(|at| rows.iter().map(|(cells, _)| cells[at].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for (cells, says) in rows {
        let mut line = String::new();
        // A column without entries is not shown.
        for (cell, width) in cells.iter().zip(&widths).filter(|(_, width)| **width > 0) {
            let _ = write!(line, "{cell:>width$}  ");
        }
        let _ = writeln!(text, "{}", format!("{line}{says}").trim_end());
    }
    format!("{text}\n{}\n{}", profile_times(profile), recognised(profile).map_or(String::new(), |line| line + "\n"))
}

/// The recognised structures, if there are any.
fn recognised(profile: &Costs) -> Option<String> {
    let found = profile.recognised.as_ref().filter(|found| !found.is_empty())?;
    let counts: Vec<String> = found.iter().map(|(name, count)| format!("{name} {count}")).collect();
    Some(format!("Recognised: {}.", counts.join(", ")))
}

fn profile_object(profile: &Costs) -> String {
    let parts = profile.parts.iter().map(|part| {
        json!({
            "line": part.span.map(|_| part.lines.0),
            "end_line": part.span.map(|_| part.lines.1),
            "says": part.says,
            "instances": part.instances,
            "terms": part.terms,
            "lowering_seconds": part.lowering.as_secs_f64(),
            "variables": part.variables,
            "clauses": part.clauses,
            "learnt": part.learnt,
        })
    });
    let object = json!({
        "status": profile.status.as_clause(),
        "learnt": profile.learnt,
        "encoding_seconds": profile.encoding.as_secs_f64(),
        "search_seconds": profile.search.as_secs_f64(),
        "recognised": profile.recognised.as_ref().map(|found| found.iter().copied().collect::<BTreeMap<_, _>>()),
        "parts": parts.collect::<Vec<_>>(),
    });
    to_json(&object) + "\n"
}

/// The model with the costs beside its lines. A part of several lines has its costs beside the first one.
fn profile_page(model: &Text, profile: &Costs) -> String {
    let all = total(profile);
    let mut rows = String::new();
    let bar = |part: u64, all: u64| match part {
        0 => String::new(),
        _ => format!("<span class=\"bar\"><i style=\"--share: {}%\"></i></span>{part}", bar_width(part, all)),
    };
    let row = |line: &str, parts: &[&PartCost], text: &str| {
        let mut sum = PartCost::default();
        for part in parts {
            sum.instances += part.instances;
            sum.terms += part.terms;
            sum.lowering += part.lowering;
            sum.clauses += part.clauses;
            sum.learnt += part.learnt;
        }
        let comment = if text.trim_start().starts_with('$') { " class=\"comment\"" } else { "" };
        let count = |count: u64| if count == 0 { String::new() } else { count.to_string() };
        format!(
            "<tr{comment}><td class=\"number learnt\">{}</td><td class=\"number\">{}</td><td \
            class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td>{line}<td><code>{}</code></td></tr>\n",
            bar(sum.learnt, profile.learnt),
            bar(sum.clauses, all.clauses),
            count(sum.terms),
            count(sum.instances),
            shown_seconds(sum.lowering),
            visible::markup(&visible::line(text))
        )
    };
    for (at, text) in model.text.lines().enumerate() {
        let parts: Vec<&PartCost> = profile.parts.iter().filter(|part| part.lines.0 == at + 1).collect();
        rows += &row(&format!("<th scope=\"row\" class=\"number\">{}</th>", at + 1), &parts, text);
    }
    for part in profile.parts.iter().filter(|part| part.span.is_none() && part.clauses > 0) {
        rows += &row("<td></td>", &[part], &part.says);
    }
    let title = format!("Costs of {}", model.name);
    let summary = format!(
        "{} terms, {} variables, {} clauses, {} learnt clauses. {} {}",
        all.terms,
        all.variables,
        all.clauses,
        profile.learnt,
        profile_times(profile),
        recognised(profile).unwrap_or_default()
    );
    let body = format!(
        "<main class=\"sheet\">\n<h1>{}</h1>\n<p>{summary}</p>\n{ABOUT}{rows}</tbody>\n</table>\n</div>\n</main>\n",
        visible::markup(&visible::line(&title))
    );
    still_page(&title, include_str!("profile.css"), &body)
}

/// The introduction of the page.
const ABOUT: &str = "\
<p class=\"lead\">The costs of a constraint stand beside its first line. <em>Learnt</em> counts the clauses that the \
solver derived with the help of the constraint: where it is large, the search has its work. A bar shows the share of \
the whole.</p>
<div class=\"surface scrolled\" role=\"region\" aria-label=\"The model with its costs\" tabindex=\"0\">
<table class=\"costs\">
<thead><tr><th scope=\"col\" class=\"number\">Learnt</th><th scope=\"col\" class=\"number\">Clauses</th>\
<th scope=\"col\" class=\"number\">Terms</th><th scope=\"col\" class=\"number\">Instances</th>\
<th scope=\"col\" class=\"number\">Lowering</th><th scope=\"col\" class=\"number\">Line</th>\
<th scope=\"col\">Model</th></tr></thead>
<tbody>
";

/// The width of the bar of a part in percent; even small parts are visible.
fn bar_width(part: u64, all: u64) -> f64 {
    let percent = if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 };
    (percent.clamp(2.0, 100.0) * 10.0).round() / 10.0
}
