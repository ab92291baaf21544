//! Warnings about models.
//!
//! A model in `tests/warnings` states its expected warnings in comments:
//!
//! - `$ warnings: W0203:4, W0601:5` the codes with their lines, in the order of their positions, or `none`;
//! - `$ data: letting n be 3` an instance (repeated for further ones);
//! - `$ deep: yes` to include the checks that take longer.
//!
//! Nothing that ships may cause a warning: the models, the benchmarks, the references of the course, and the listings
//! in the manual. For the fixtures, warnings about constraints are verified by replacing these constraints.

use crate::{Verdict, comments, compare, files, model_of, name, none, read, slashed, text};
use conjure_like::{
    Code, Count, Diagnostic, Edit, ExamineOptions, Instance, Model, Report, Severity, SolveOptions, SolveStatus, Text,
};
use libtest_mimic::Trial;
use std::{
    collections::BTreeSet,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

pub(crate) fn tests() -> Vec<Trial> {
    let fixture = |file: PathBuf| Trial::test(name(&file), move || fixture(&file));
    let shipped = |file: PathBuf| Trial::test(format!("warnings::none::{}", slashed(&file)), move || shipped(&file));
    let listing = |page: PathBuf| Trial::test(format!("warnings::none::{}", slashed(&page)), move || listings(&page));
    let right = |file: PathBuf| Trial::test(format!("warnings::right::{}", slashed(&file)), move || right(&file));
    let models = ["models", "benches"].into_iter().flat_map(|folder| files(folder, &["essence"]));
    let references = files("course", &["essence"]).into_iter().filter(|file| file.ends_with("reference.essence"));
    let kept = files("tests/fixtures", &["essence"])
        .into_iter()
        .filter(|file| comments(&read(file), "solutions").next().is_some());
    (files("tests/warnings", &["essence"]).into_iter().map(fixture))
        .chain(models.chain(references).map(shipped))
        .chain(files("docs", &["md"]).into_iter().map(listing))
        .chain(kept.map(right))
        .chain(files("course", &["essence"]).into_iter().filter_map(leveled))
        .collect()
}

/// All warnings about a model and its instances, in the order of their positions.
fn warnings(model: &Model, instances: &[Instance], deep: bool) -> Result<Report, Report> {
    let mut found = model.warnings();
    for instance in instances {
        let options = SolveOptions::default();
        for report in [instance.warnings(), instance.compile(&options)?.warnings()] {
            found.diagnostics.extend(report.diagnostics);
        }
    }
    found.diagnostics.extend(model.examine(instances, &ExamineOptions::default().deep(deep)).diagnostics);
    found.diagnostics.sort_by_key(Diagnostic::span);
    Ok(found)
}

/// The instances of a model for these data; without data, the only instance if the model has no parameters.
fn instances(model: &Model, data: &[Text]) -> Result<Vec<Instance>, Report> {
    match data {
        [] if model.givens().next().is_some() => Ok(Vec::new()),
        [] => Ok(vec![model.instance(&[])?]),
        data => data.iter().map(|data| model.instance(std::slice::from_ref(data))).collect(),
    }
}

/// The codes with their lines.
fn listed(report: &Report) -> String {
    let listed = report.diagnostics.iter().map(|warning| {
        assert_eq!(warning.severity, Severity::Warning);
        assert_eq!(warning.code.severity, Severity::Warning);
        let span = warning.span().expect("a place");
        format!("{}:{}", warning.code, report.sources.get(span.source).line_and_column(span.start as usize).0)
    });
    let listed: Vec<String> = listed.collect();
    if listed.is_empty() { "none".to_owned() } else { listed.join(", ") }
}

fn fixture(file: &Path) -> Verdict {
    let expected = read(file);
    let found = warned(file).map_err(|report| report.to_string())?;
    let listed = listed(&found);
    let told = comments(&expected, "warnings").next().ok_or("a comment `$ warnings: none` is lacking")?;
    compare(file, &expected, &expected.replace(&format!("$ warnings: {told}\n"), &format!("$ warnings: {listed}\n")))?;
    let fixed = found.diagnostics.iter().filter(|warning| !warning.edits.is_empty()).filter_map(|warning| {
        let fixed = edited(&expected, &warning.edits);
        let model = Model::read(&Text::new("the fixed model", fixed.as_str()));
        let what = match &model {
            Err(report) => report.to_string(),
            Ok(model) => {
                let count =
                    |report: Report| report.diagnostics.iter().filter(|other| other.code == warning.code).count();
                let before = Model::read(&text(file)).expect("a legal model");
                let before = count(before.warnings());
                // The solver finds these warnings; do not run it again.
                if before == 0 || count(model.warnings()) < before {
                    return None;
                }
                "the warning stays".to_owned()
            }
        };
        Some(format!("{}: {what} in\n{fixed}", warning.code))
    });
    none(fixed.collect())
}

fn warned(file: &Path) -> Result<Report, Report> {
    let text = text(file);
    let model = Model::read(&text)?;
    let data: Vec<Text> = comments(&text.text, "data").map(|data| Text::new("data", data)).collect();
    let deep = comments(&text.text, "deep").next().is_some();
    warnings(&model, &instances(&model, &data)?, deep)
}

/// Checks a model with all of its parameter files.
fn shipped(file: &Path) -> Verdict {
    let data: Vec<Text> = files("params", &["param"])
        .into_iter()
        .chain(files("benches", &["param"]))
        .filter(|data| comments(&read(data), "model").next().is_some_and(|name| model_of(data, name) == file))
        .chain(file.starts_with("course").then(|| files(file.with_file_name(""), &["param"])).into_iter().flatten())
        .map(text)
        .collect();
    let report = Model::read(&text(file)).and_then(|model| {
        // Neither the model nor one of its instances may cause a warning.
        let mut wrong = warnings(&model, &[], false)?;
        for data in data.iter().map(std::slice::from_ref).chain(data.is_empty().then_some(&[][..])) {
            wrong.diagnostics.extend(warnings(&model, &instances(&model, data)?, false)?.diagnostics);
        }
        Ok(wrong)
    });
    match report {
        Ok(report) if report.diagnostics.is_empty() => Ok(()),
        Ok(report) | Err(report) => Err(report.to_string().into()),
    }
}

/// Checks the models among the listings of a page. A warning is intended if the output of a following command shows it.
fn listings(page: &Path) -> Verdict {
    let text = read(page);
    let mut wrong = Vec::new();
    let blocks: Vec<&str> = text.split("```").skip(1).step_by(2).collect();
    for (position, block) in blocks.iter().enumerate() {
        let Some((opening, listing)) = block.split_once('\n') else { continue };
        // The blocks up to the next listing that replaces this file, or up to the next unnamed listing.
        let is_next = |block: &&&str| block.lines().next().is_some_and(|line| line == opening || line == "essence");
        let answers: String = blocks[position + 1..].iter().take_while(|block| !is_next(block)).copied().collect();
        let is_model =
            opening.split(' ').next() == Some("essence") && !opening.ends_with("mistake") && !opening.ends_with("deep");
        if is_model && let Ok(model) = Model::read(&Text::new(page.display().to_string(), listing)) {
            let mut found = instances(&model, &[]).and_then(|instances| warnings(&model, &instances, false));
            if let Ok(report) = &mut found {
                report.diagnostics.retain(|warning| !answers.contains(&format!("warning[{}]", warning.code)));
            }
            wrong.extend(found.iter().filter(|report| !report.diagnostics.is_empty()).map(Report::to_string));
        }
    }
    none(wrong)
}

/// The text with the edits applied.
fn edited(text: &str, edits: &[Edit]) -> String {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    text
}

/// Hard limits on the solutions that are compared, and on the time of each search.
const MOST: usize = 300;
const TIME: Duration = Duration::from_secs(2);

/// Checks that warnings about constraints and conditions are true: replacing these with `true` or `false` must not
/// change the solutions.
fn right(file: &Path) -> Verdict {
    let original = text(file);
    let told = Model::read(&original).and_then(|model| {
        let instances = instances(&model, &[])?;
        let warnings = warnings(&model, &instances, true)?;
        Ok(if model.has_objective() || instances.is_empty() { Vec::new() } else { warnings.diagnostics })
    });
    let told = told.map_err(|report| report.to_string())?;
    let Some(before) = told.first().and_then(|_| solutions(&original)) else { return Ok(()) };
    let mut wrong = Vec::new();
    for warning in told {
        let span = warning.span().expect("a place");
        let replaced = |text: &str| vec![Edit { span, text: text.to_owned() }];
        let edits = match warning.code {
            Code::ALWAYS_TRUE | Code::IMPLIED => replaced("true"),
            Code::NEVER_TRUE | Code::EMPTY_DOMAIN | Code::NO_SUCH_ELEMENT => {
                let is_certain = warning.code != Code::NO_SUCH_ELEMENT
                    || warning.notes.iter().any(|note| note.ends_with("no solution"));
                if is_certain && !before.is_empty() {
                    wrong.push(format!("{}: there are solutions", warning.message));
                }
                continue;
            }
            Code::USELESS_GUARD if warning.message.ends_with("never true") => replaced("false"),
            Code::USELESS_GUARD => replaced("true"),
            Code::UNUSED_LOCAL | Code::SIZE_AS_CONSTRAINT => warning.edits.clone(),
            _ => continue,
        };
        if edits.is_empty() {
            continue;
        }
        let changed = Text::new("the changed model", edited(&original.text, &edits));
        if solutions(&changed).is_some_and(|after| after != before) {
            wrong.push(format!("{}: other solutions of\n{}", warning.message, changed.text));
        }
    }
    none(wrong)
}

/// The solutions of a model, if all of them are found within the limits.
fn solutions(text: &Text) -> Option<BTreeSet<String>> {
    let instance = Model::read(text).and_then(|model| model.instance(&[])).ok()?;
    let mut options = SolveOptions::default().solutions(Count::First(MOST));
    options.search.limits.deadline = Some(Instant::now() + TIME);
    let mut found = BTreeSet::new();
    let summary = instance.solve(&options, &mut |solution| {
        found.insert(solution.to_string());
        ControlFlow::Continue(())
    });
    let is_complete = matches!(summary.ok()?.status, SolveStatus::AllSolutions | SolveStatus::Unsatisfiable);
    is_complete.then_some(found)
}

/// A test that a reference of the course needs no word that a later step introduces.
fn leveled(file: PathBuf) -> Option<Trial> {
    let path = slashed(&file);
    let step: usize = path.strip_prefix("course/")?.split('-').next()?.parse().ok()?;
    path.ends_with("/reference.essence").then(|| {
        Trial::test(format!("warnings::level::{path}"), move || {
            let model = Model::read(&text(&file)).map_err(|report| report.to_string())?;
            let beyond = model.beyond_level(step);
            none(beyond.diagnostics.iter().map(|warning| warning.message.clone()).collect())
        })
    })
}
