//! Mutation testing: plants mistakes in a model and checks that its test cases notice them.

use super::{
    find::{CaseFile, TestJob},
    run::{TestRun, in_order},
};
use crate::{
    inputs::invocation::Invocation,
    outputs::blocks::{Block, page, plain},
    runtime::{
        Exit,
        files::{FileKind, Pending, rewrite, shown_path, unwritable},
        interrupt,
        stdin::next_answer,
    },
};
use conjure_like::{
    DifferenceKind, FoundDifference, Model, Mutant, MutantStatus, MutationScore, MutationTest, PassedCase, TestVerdict,
    counted, data_statements,
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The number of small instances on which a mutant is compared with the model.
const INSTANCES: usize = 8;

/// The cases that a model passes.
#[derive(Default)]
struct PassedCases<'p> {
    jobs: Vec<&'p TestJob>,
    cases: Vec<PassedCase<'p>>,
}

/// The outputs besides the text.
pub(super) struct MutationOutput<'a> {
    pub html: Option<&'a Path>,
    pub badge: Option<&'a Path>,
    /// True if the user is asked about each case that would notice a mutant.
    pub add: bool,
}

/// The results for the mutants of a model.
struct ModelReport {
    blocks: Vec<Block>,
    score: MutationScore,
    exit: Exit,
}

/// Runs the cases against the mutants of each model.
pub(super) fn run(run: &TestRun, output: &MutationOutput, invocation: &mut Invocation) -> Option<Exit> {
    let mut exit = Exit::Answer;
    let mut models: BTreeMap<&PathBuf, PassedCases> = BTreeMap::new();
    let plan = run.plan;
    let is_whole = interrupt::during(None, || {
        run.each(|job, result| {
            let found = job.file(&plan.files);
            let passed = models.entry(&found.model).or_default();
            match &job.data {
                Ok(data) if result.verdict == TestVerdict::Passed => {
                    passed.jobs.push(job);
                    passed.cases.push(PassedCase::new(&found.file, job.case(&plan.files), data.clone(), result.time));
                }
                _ => {
                    let title = job.title(&plan.files);
                    let says = format!("{title}: {}, so this case is left out", result.verdict.word());
                    invocation.reporting.status(&says);
                    exit = exit.worse(Exit::UserError);
                }
            }
            true
        })
    });
    if !is_whole {
        return Some(Exit::Fault);
    }
    let (mut blocks, mut score) = (Vec::new(), MutationScore::default());
    for (path, passed) in models {
        let Some(model) =
            passed.jobs.first().and_then(|job| plan.model(job).ok()).and_then(|text| Model::read(text).ok())
        else {
            continue;
        };
        let report = of_model(run, output, invocation, (path, &model), passed)?;
        exit = exit.worse(report.exit);
        blocks.extend(report.blocks);
        score = score.plus(report.score);
    }
    let html = output.html.map(|path| (path, page(&blocks, "Planted mistakes")));
    let percent = || score.percent().map_or("none".to_owned(), |percent| format!("{percent} %"));
    let badge = output.badge.map(|path| (path, badge("mutants noticed", &percent())));
    for (path, text) in html.into_iter().chain(badge) {
        if let Err(error) = Pending::whole(path, FileKind::Markup, &text) {
            return invocation.fail(error);
        }
    }
    Some(exit)
}

fn of_model(
    run: &TestRun,
    output: &MutationOutput,
    invocation: &mut Invocation,
    (path, model): (&Path, &Model),
    passed: PassedCases,
) -> Option<ModelReport> {
    let mutants = model.mutants();
    let file = file_for_cases(run, &passed.jobs);
    let mutation = MutationTest::new(model, passed.cases, INSTANCES);
    let mut results = Vec::new();
    let is_whole = interrupt::during(None, || {
        let status = |at: usize| mutation.status(&mutants[at], run.options);
        in_order(mutants.len(), run.at_once, &status, |at, status| {
            results.extend(status.map(|status| (&mutants[at], status)));
            true
        })
    });
    let name = path.display().to_string();
    let styled = invocation.reporting.styled_output();
    let mut blocks = vec![Block::Title(format!("Planted mistakes in {name}"))];
    let mut asks = output.add;
    let mut added: Vec<FoundDifference> = Vec::new();
    for (mutant, result) in &mut results {
        let MutantStatus::NotNoticed(found) = result else { continue };
        // A case that was just added may notice further mutants.
        if added.iter().any(|added| added.is_noticed_in(mutant, run.options)) {
            *result = MutantStatus::Noticed;
            continue;
        }
        let shown = survivor(&name, mutant, found);
        let text = plain(&shown, styled);
        // Headings start with a blank line, which separates the mutants.
        let text = if blocks.len() == 1 { text.trim() } else { text.trim_end() };
        invocation.print(&format!("{text}\n"))?;
        blocks.extend(shown);
        if let Some(case) = found.case.as_ref().filter(|_| asks) {
            match asks_to_add(invocation, file, case)? {
                AddCase::Yes => {
                    added.push((**found).clone());
                    *result = MutantStatus::Noticed;
                }
                AddCase::No => {}
                AddCase::Quit => asks = false,
            }
        }
    }
    let mut uncounted = Vec::new();
    for (mutant, result) in &results {
        let says = match result {
            MutantStatus::Same(compared) => {
                let number = counted(mutation.instances(), "instance");
                let all = *compared == mutation.instances();
                let on = if all { number } else { format!("{compared} of {number}") };
                format!("means the same (all solutions were compared on {on})")
            }
            MutantStatus::Unknown => {
                let number = counted(mutation.instances(), "instance");
                format!("not certain (no difference on {number}, but there are too many solutions for all)")
            }
            _ => continue,
        };
        uncounted.push(Block::Item(format!("{}: {says}", at_line(&name, mutant))));
    }
    if !uncounted.is_empty() {
        uncounted.insert(0, Block::Heading("Not counted".to_owned()));
        invocation.print(&plain(&uncounted, styled))?;
        blocks.extend(uncounted);
    }
    let mut score = MutationScore::default();
    results.iter().for_each(|(_, status)| score.count(status));
    let says = format!("{name}: {}", score.in_words());
    // In the page, the score follows the title.
    blocks.insert(1, Block::Line(says.clone()));
    invocation.print(&if blocks.len() > 2 { format!("\n{says}\n") } else { says + "\n" })?;
    let exit = match (is_whole, score.tested() == mutants.len()) {
        (false, _) => Exit::Fault,
        (true, true) => Exit::Answer,
        (true, false) => Exit::Limit,
    };
    Some(ModelReport { blocks, score, exit })
}

/// The answer to the question if a case is to be added.
enum AddCase {
    Yes,
    No,
    /// No more questions are wanted.
    Quit,
}

/// The file that gets new cases: a file without data that has cases of the model already, or else the model.
fn file_for_cases<'a>(run: &'a TestRun, jobs: &[&'a TestJob]) -> &'a Path {
    let mut files = jobs.iter().map(|job| job.file(&run.plan.files));
    let own = files.clone().next();
    let has_data = |found: &CaseFile| !data_statements(&found.file.text.text).is_empty();
    let found = files.find(|found| found.file.model.is_some() && !has_data(found));
    found.map(|found| found.path.as_path()).or(own.map(|found| found.model.as_path())).unwrap_or(Path::new(""))
}

/// Asks the user if a case is to be added to a file, and adds it.
fn asks_to_add(invocation: &mut Invocation, path: &Path, case: &str) -> Option<AddCase> {
    loop {
        invocation.print(&format!("\nAdd this case to {}? yes, no or quit: ", shown_path(path)))?;
        let Some(answer) = next_answer() else {
            invocation.print("\n")?;
            return Some(AddCase::Quit);
        };
        match answer.to_lowercase().as_str() {
            "yes" | "y" => {
                // A case may have been added to the file since it was read.
                let added = fs::read_to_string(path)
                    .and_then(|text| rewrite(path, &format!("{}\n\n{}\n", text.trim_end(), case.trim())));
                match added {
                    Ok(()) => invocation.print("Added.\n")?,
                    Err(error) => return invocation.fail(unwritable(path, error)),
                };
                return Some(AddCase::Yes);
            }
            "no" | "n" => return Some(AddCase::No),
            "quit" | "q" => return Some(AddCase::Quit),
            _ => {}
        }
    }
}

/// A mutant with its place: "m.essence:3: `<` becomes `<=`".
fn at_line(name: &str, mutant: &Mutant) -> String {
    format!("{name}:{}: {}", mutant.line, mutant.says)
}

/// A mutant that no case notices: a solution that shows the difference, and a case that would notice it.
fn survivor(name: &str, mutant: &Mutant, found: &FoundDifference) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(format!("Not noticed: {}", at_line(name, mutant)))];
    let data: String = found.data.iter().map(|text| data_statements(&text.text)).collect();
    if !data.is_empty() {
        blocks.push(Block::Line("On this instance:".to_owned()));
        blocks.push(Block::Code(data.trim_end().to_owned()));
    }
    let says = match &found.difference.kind {
        DifferenceKind::Allowed => "Only the mutant allows this:",
        DifferenceKind::Refused => "Only the mutant refuses this:",
        DifferenceKind::Objective(..) => "The objective differs for this:",
    };
    blocks.push(Block::Line(says.to_owned()));
    blocks.push(Block::Code(found.difference.solution.trim_end().to_owned()));
    if !found.difference.pictures.is_empty() {
        blocks.push(Block::Pictures(found.difference.pictures.clone()));
    }
    if let Some(case) = &found.case {
        blocks.push(Block::Line("This case notices it:".to_owned()));
        blocks.push(Block::Code(case.trim_end().to_owned()));
    }
    blocks
}

/// A badge as SVG: a label, and a value on the colour of the score.
fn badge(label: &str, value: &str) -> String {
    // The mean width of a letter in the font, with a margin on both sides.
    let width = |text: &str| text.chars().count() * 7 + 12;
    let colour = match value.trim_end_matches(" %").parse::<usize>() {
        Ok(90..) => "#2e7d32",
        Ok(70..) => "#8a6d00",
        _ => "#b3261e",
    };
    let (left, right) = (width(label), width(value));
    let all = left + right;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"20\" role=\"img\" \
         aria-label=\"{label}: {value}\">\n<title>{label}: {value}</title>\n\
         <rect width=\"{left}\" height=\"20\" fill=\"#444\"/>\n\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{colour}\"/>\n\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana, DejaVu Sans, sans-serif\" font-size=\"11\">\n\
         <text x=\"{}\" y=\"14\">{label}</text>\n<text x=\"{}\" y=\"14\">{value}</text>\n</g>\n</svg>\n",
        left / 2,
        left + right / 2,
    )
}
