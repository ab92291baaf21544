//! Mutation testing: plants mistakes in a model and checks that its test cases notice them.

use super::{
    find::TestJob,
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
use conjure_like::{DifferenceKind, FoundDifference, Model, Mutant, MutantDifference, TestVerdict, Text, counted};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

/// The number of small instances on which a mutant is compared with the model.
const INSTANCES: usize = 8;

/// The result for a mutant.
enum MutantStatus {
    Noticed,
    /// The number of instances on which the mutant is equivalent.
    Same(usize),
    Unknown,
    Survives(Box<FoundDifference>),
}

/// The cases of a model with their times.
type TimedCases<'p> = Vec<(&'p TestJob, Duration)>;

/// The outputs besides the text.
pub(super) struct MutationOutput<'a> {
    pub html: Option<&'a Path>,
    pub badge: Option<&'a Path>,
    /// True if the user is asked about each case that would notice a mutant.
    pub add: bool,
}

/// The number of mutants that a case notices, of those that count.
#[derive(Clone, Copy, Default)]
struct Score {
    noticed: usize,
    all: usize,
}

impl Score {
    fn percent(self) -> Option<usize> {
        (self.noticed * 100).checked_div(self.all)
    }
}

/// The results for the mutants of a model.
struct ModelReport {
    blocks: Vec<Block>,
    score: Score,
    exit: Exit,
}

/// Runs the cases against the mutants of each model.
pub(super) fn run(run: &TestRun, output: &MutationOutput, invocation: &mut Invocation) -> Option<Exit> {
    let mut exit = Exit::Answer;
    let mut models: BTreeMap<&PathBuf, TimedCases> = BTreeMap::new();
    let plan = run.plan;
    let is_whole = interrupt::during(None, || {
        run.each(|job, result| {
            let cases = models.entry(&job.file(&plan.files).model).or_default();
            if result.verdict == TestVerdict::Passed {
                cases.push((job, result.time));
            } else {
                let title = job.title(&plan.files);
                invocation.reporting.status(&format!("{title}: {}, so this case is left out", result.verdict.word()));
                exit = exit.worse(Exit::UserError);
            }
            true
        })
    });
    if !is_whole {
        return Some(Exit::Fault);
    }
    let (mut blocks, mut score) = (Vec::new(), Score::default());
    for (path, mut cases) in models {
        // If a fast case notices a mutant, slow cases need not run, so fast ones come first.
        cases.sort_by_key(|(_, time)| *time);
        let Some(model) =
            cases.first().and_then(|(job, _)| plan.model(job).ok()).and_then(|text| Model::read(text).ok())
        else {
            continue;
        };
        let report = of_model(run, output, invocation, (path, &model), &cases)?;
        exit = exit.worse(report.exit);
        blocks.extend(report.blocks);
        score = Score { noticed: score.noticed + report.score.noticed, all: score.all + report.score.all };
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
    cases: &TimedCases,
) -> Option<ModelReport> {
    let mutants = model.mutants();
    // Generating instances is slow, and only mutants that no case notices need them.
    let made = OnceLock::new();
    // With a fixed seed, the score of a model changes only with its cases.
    let instances = || made.get_or_init(|| model.small_instances(INSTANCES, 1).unwrap_or_default());
    let of_cases = instances_of_cases(run, cases);
    let status = |mutant: &Mutant| {
        if cases.iter().any(|(job, time)| notices(run, job, *time, mutant)) {
            return MutantStatus::Noticed;
        }
        match model.difference_of(mutant, instances(), &of_cases, run.options) {
            MutantDifference::Same(compared) => MutantStatus::Same(compared),
            MutantDifference::Found(found) => MutantStatus::Survives(found),
            _ => MutantStatus::Unknown,
        }
    };
    let (mut noticed, mut same, mut unknown, mut survivors) = (0_usize, Vec::new(), Vec::new(), Vec::new());
    let is_whole = interrupt::during(None, || {
        in_order(mutants.len(), run.at_once, &|at| status(&mutants[at]), |at, status| {
            match status {
                MutantStatus::Noticed => noticed += 1,
                MutantStatus::Same(compared) => same.push((&mutants[at], compared)),
                MutantStatus::Unknown => unknown.push(&mutants[at]),
                MutantStatus::Survives(found) => survivors.push((&mutants[at], found)),
            }
            true
        })
    });
    let name = path.display().to_string();
    let styled = invocation.reporting.styled_output();
    let mut blocks = vec![Block::Title(format!("Planted mistakes in {name}"))];
    let mut asks = output.add;
    for (mutant, found) in &survivors {
        let shown = survivor(&name, mutant, found);
        let text = plain(&shown, styled);
        // Headings start with a blank line, which separates the mutants.
        let text = if blocks.len() == 1 { text.trim() } else { text.trim_end() };
        invocation.print(&format!("{text}\n"))?;
        blocks.extend(shown);
        if let Some(case) = found.case.as_ref().filter(|_| asks) {
            asks = asks_to_add(invocation, file_for_cases(run, cases), case)?;
        }
    }
    if !same.is_empty() || !unknown.is_empty() {
        let mut uncounted = vec![Block::Heading("Not counted".to_owned())];
        let tried = instances().len() + of_cases.len();
        for (mutant, compared) in &same {
            let number = counted(tried, "instance");
            let on = if *compared == tried { number } else { format!("{compared} of {number}") };
            let says = format!("means the same (all solutions were compared on {on})");
            uncounted.push(Block::Item(format!("{}: {says}", at_line(&name, mutant))));
        }
        let says = format!("no difference on {}, but there are too many solutions for all", counted(tried, "instance"));
        for mutant in &unknown {
            uncounted.push(Block::Item(format!("{}: not certain ({says})", at_line(&name, mutant))));
        }
        invocation.print(&plain(&uncounted, styled))?;
        blocks.extend(uncounted);
    }
    let score = Score { noticed, all: noticed + survivors.len() };
    let says = score_in_words(&name, score, [same.len(), unknown.len()]);
    // In the page, the score follows the title.
    blocks.insert(1, Block::Line(says.clone()));
    invocation.print(&if blocks.len() > 2 { format!("\n{says}\n") } else { says + "\n" })?;
    let left = mutants.len() - score.all - same.len() - unknown.len();
    let exit = match (is_whole, left) {
        (false, _) => Exit::Fault,
        (true, 0) => Exit::Answer,
        (true, _) => Exit::Limit,
    };
    Some(ModelReport { blocks, score, exit })
}

/// The result for a model in a line; the mutants that do not count are those that mean the same, and those for which
/// this is not certain.
fn score_in_words(name: &str, score: Score, [same, unknown]: [usize; 2]) -> String {
    let percent = score.percent().map_or_else(String::new, |percent| format!(" ({percent} %)"));
    let mut text = format!("{name}: the cases notice {} of {}{percent}.", score.noticed, counted(score.all, "mutant"));
    if same > 0 {
        let mean = if same == 1 { "means" } else { "mean" };
        text += &format!(" {} {mean} the same as the model.", counted(same, "further mutant"));
    }
    if unknown > 0 {
        let number = counted(unknown, "further mutant");
        text += &format!(" For {number}, no difference was found, but this is not certain.");
    }
    text
}

/// The file that gets new cases: a file without data that has cases of the model already, or else the model.
fn file_for_cases<'a>(run: &'a TestRun, cases: &TimedCases<'a>) -> &'a Path {
    let mut files = cases.iter().map(|(job, _)| job.file(&run.plan.files));
    let own = files.clone().next();
    let found = files.find(|found| found.file.model.is_some() && !found.file.text.text.lines().any(is_data));
    found.map(|found| found.path.as_path()).or(own.map(|found| found.model.as_path())).unwrap_or(Path::new(""))
}

/// Asks the user if a case is to be added to a file, and adds it. Returns false if no more questions are wanted.
fn asks_to_add(invocation: &mut Invocation, path: &Path, case: &str) -> Option<bool> {
    loop {
        invocation.print(&format!("\nAdd this case to {}? yes, no or quit: ", shown_path(path)))?;
        let Some(answer) = next_answer() else {
            invocation.print("\n")?;
            return Some(false);
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
                return Some(true);
            }
            "no" | "n" => return Some(true),
            _ => {}
        }
    }
}

/// A mutant with its place: "m.essence:3: `<` becomes `<=`".
fn at_line(name: &str, mutant: &Mutant) -> String {
    format!("{name}:{}: {}", mutant.line, mutant.says)
}

/// The data of the cases, each once.
fn instances_of_cases(run: &TestRun, cases: &TimedCases) -> Vec<Vec<Text>> {
    let mut instances: Vec<Vec<Text>> = Vec::new();
    for (job, _) in cases {
        let Ok(files) = &job.data else { continue };
        let data = job.file(&run.plan.files).file.data_of(job.case(&run.plan.files), files);
        if !data.is_empty() && !instances.contains(&data) {
            instances.push(data);
        }
    }
    instances
}

/// True if a case does not pass with a mutant.
fn notices(run: &TestRun, job: &TestJob, time: Duration, mutant: &Mutant) -> bool {
    let found = job.file(&run.plan.files);
    let Ok(data) = &job.data else { return false };
    // A run that was interrupted shows nothing about the mutant.
    found.file.notices(job.case(&run.plan.files), mutant, data, time, run.options) && !interrupt::stopping()
}

/// A mutant that no case notices: a solution that shows the difference, and a case that would notice it.
fn survivor(name: &str, mutant: &Mutant, found: &FoundDifference) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(format!("Not noticed: {}", at_line(name, mutant)))];
    let lines = found.data.iter().flat_map(|text| text.text.lines()).filter(|line| is_data(line));
    let data: Vec<&str> = lines.collect();
    if !data.is_empty() {
        blocks.push(Block::Line("On this instance:".to_owned()));
        blocks.push(Block::Code(data.join("\n")));
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

fn is_data(line: &str) -> bool {
    line.starts_with("letting") || line.starts_with(' ')
}
