//! `conjure-like grade`
//!
//! The process that the user starts reads the exercise and the submissions and writes the results; it never parses a
//! submission. It starts another process (`worker`) for each submission, with limits on time, memory and output. That
//! process reads and writes no files.

mod embed;
mod exercise;
mod feedback;
mod grades;
mod job;
mod learning_systems;
mod page;
mod statistics;
mod submissions;
mod supervisor;
mod table;
mod worker;

pub(crate) use embed::Embed;
pub(crate) use worker::GradeWorker;

use crate::{
    inputs::invocation::Invocation,
    runtime::{
        Exit,
        files::{FileKind, Pending, unwritable},
        interrupt,
        numbers::whole_number,
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{Code, Diagnostic};
use exercise::Exercise;
use grades::{Grade as Graded, Measures};
use job::{Job, NamedText};
use std::{
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    thread,
};
use submissions::{SubmissionSearch, Submissions, SubmittedFile};
use supervisor::WorkerVerdict;

#[derive(Args)]
#[command(after_help = "\
Examples:
  conjure-like grade course/1-first-constraints/2-race anna.essence
  conjure-like grade course/1-first-constraints/2-race submissions.zip -o graded

Exit code: 0 if all submissions were graded; 2 for a mistake in the command line or in the exercise; 3 if the run was
interrupted.")]
pub(crate) struct GradeCommand {
    /// The folder of the exercise
    exercise: PathBuf,
    /// Submissions: models, notebooks, or folders and zip archives to search
    #[arg(value_name = "SUBMISSION", required = true)]
    submissions: Vec<PathBuf>,
    /// Write the table (grades.csv, grades.json, grades.html) and feedback for each submission into this folder
    #[arg(short, long, value_name = "FOLDER")]
    output_directory: Option<PathBuf>,
    /// The number of submissions to grade at once. The default is the number of processors
    #[arg(long, value_name = "N", value_parser = whole_number::<NonZeroUsize>(1..))]
    jobs: Option<NonZeroUsize>,
    /// The seed for generated instances
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<u32>(0..))]
    seed: u32,
    /// The format of the output: text (the feedback for one submission, a table for several), or the table
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: GradeFormat,
}

/// The folder with the feedback, in the folder with the results.
const FEEDBACK: &str = "feedback";

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum GradeFormat {
    Plain,
    Csv,
    Json,
    /// A page with the table and the feedback
    Html,
    /// The file `results.json` of Gradescope, for one student
    Gradescope,
    /// The feedback and the points as a grader of A+ prints them, for one student
    APlus,
}

impl GradeCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let exercise = Exercise::read(&self.exercise, self.seed, invocation)?;
        let of_one_student = matches!(self.output_format, GradeFormat::Gradescope | GradeFormat::APlus);
        let search = SubmissionSearch { cell: exercise.settings.cell.as_deref(), of_one_student };
        let submissions = match submissions::collect_submissions(&self.submissions, &search) {
            Ok(submissions) => submissions,
            Err(error) => return invocation.fail(error),
        };
        let Submissions { files, ignored } = submissions;
        for file in ignored {
            invocation.reporting.status(&format!("`{}` is not a submission.", file.display()));
        }
        // A folder that cannot be written should be reported before the work starts.
        let output = match &self.output_directory {
            Some(folder) => Some(self.prepared(folder, invocation)?),
            None => None,
        };
        let at_once = self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let Some(measures) = self.measured(&exercise, invocation)? else { return Some(Exit::Limit) };
        for remark in measures.remarks(&exercise) {
            invocation.reporting.status(&remark);
        }
        let (grades, interrupted) = graded(&exercise, &files, &measures, at_once);
        let written = match self.output_format {
            // If there is one submission and no folder, the user wants to read the feedback.
            GradeFormat::Plain if files.len() == 1 && output.is_none() => {
                grades.iter().map(|grade| feedback::markdown(&exercise, grade)).collect()
            }
            GradeFormat::Plain => table::grades_text(&grades),
            GradeFormat::Csv => table::grades_as_csv(&exercise, &grades),
            GradeFormat::Json => table::grades_as_json(&exercise, &grades),
            GradeFormat::Html => page::overview(&exercise, &grades, None),
            GradeFormat::Gradescope => learning_systems::gradescope(&exercise, &grades),
            GradeFormat::APlus => learning_systems::a_plus(&exercise, &grades),
        };
        // The files are written before printing, so that they exist even if the output is closed.
        if let Some(folder) = output
            && let Err(error) = write_results(folder, &exercise, &grades)
        {
            return invocation.fail(error);
        }
        invocation.print(&written)?;
        for grade in &grades {
            if let WorkerVerdict::Fault(text) = &grade.verdict {
                invocation.reporting.status(&format!("`{}` was not graded: {}", grade.name, text.trim_end()));
            }
        }
        if interrupted {
            let (graded, all) = (grades.len(), files.len());
            invocation.reporting.status(&format!("Interrupted: {graded} of {all} submissions were graded."));
            return Some(Exit::Limit);
        }
        // A fault of the program must not look like a grade.
        Some(if grades.iter().any(|grade| matches!(grade.verdict, WorkerVerdict::Fault(_))) {
            Exit::Fault
        } else {
            Exit::Answer
        })
    }

    /// The folder for the results, which is created if necessary.
    fn prepared<'a>(&self, folder: &'a Path, invocation: &mut Invocation) -> Option<&'a Path> {
        match fs::create_dir_all(folder.join(FEEDBACK)) {
            Ok(()) => Some(folder),
            Err(error) => invocation.fail(unwritable(folder, error)),
        }
    }

    /// Grades the reference as a submission to its own exercise. The inner `None` means that the run was interrupted.
    fn measured(&self, exercise: &Exercise, invocation: &mut Invocation) -> Option<Option<Measures>> {
        let job = job(exercise, (exercise.reference.name.clone(), exercise.reference.text.clone()));
        // Points depend on the instances that refuse something, which only the reference shows.
        let job = Job { is_reference: true, ..job };
        let wrong = |what: &str| {
            let message = format!("the exercise in `{}` cannot be used: {what}", self.exercise.display());
            Diagnostic::error(Code::EXERCISE, message)
        };
        match supervisor::grade(&[job], exercise.settings.memory, 1).pop().flatten() {
            None => Some(None),
            Some(WorkerVerdict::Compared { constraints, results }) => {
                // If the reference is wrong on one of its own instances, no submission can be graded.
                let bad = results.iter().zip(&exercise.instances).find(|(result, _)| result.shortcoming.is_some());
                if let Some((result, instance)) = bad {
                    let what = match result.is_slow() {
                        true => "within its limits, its own reference has no answer",
                        false => "its own reference is not right",
                    };
                    return invocation.fail(wrong(&format!("{what} on {}", instance.name)));
                }
                Some(Some(Measures { constraints, results }))
            }
            Some(WorkerVerdict::Rejected(_, report)) => invocation.fail(wrong(report.text.trim_end())),
            Some(WorkerVerdict::Fault(text)) => invocation.fail(wrong(text.trim_end())),
            Some(WorkerVerdict::Unfit(unfit)) => invocation.fail(wrong(&unfit.says)),
        }
    }
}

fn job(exercise: &Exercise, submission: NamedText) -> Job {
    let text = |text: &conjure_like::Text| (text.name.clone(), text.text.clone());
    Job {
        reference: text(&exercise.reference),
        submission,
        instances: exercise.instances.iter().map(text).collect(),
        seconds: exercise.settings.time().as_secs_f64(),
        is_reference: false,
    }
}

/// The grades of the submissions that were graded, and true if the run was interrupted.
fn graded(exercise: &Exercise, files: &[SubmittedFile], measures: &Measures, at_once: usize) -> (Vec<Graded>, bool) {
    let readable = |file: &SubmittedFile| {
        // Authors know their file by its name only, so messages use this name.
        let name = file.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        file.text.as_ref().ok().map(|text| job(exercise, (name, text.clone())))
    };
    let jobs: Vec<Job> = files.iter().filter_map(readable).collect();
    let verdicts = interrupt::during(None, || supervisor::grade(&jobs, exercise.settings.memory, at_once));
    // Only readable files have jobs, so there is a verdict for each of them, in their order.
    let mut verdicts = verdicts.into_iter();
    let mut grades = Vec::new();
    for file in files {
        let verdict = match &file.text {
            Ok(_) => verdicts.next().flatten(),
            Err(unfit) => Some(WorkerVerdict::Unfit(unfit.clone())),
        };
        grades.extend(verdict.map(|verdict| Graded::new(exercise, file, verdict, measures)));
    }
    let interrupted = grades.len() < files.len();
    (grades, interrupted)
}

/// Writes the tables and the feedback.
fn write_results(folder: &Path, exercise: &Exercise, grades: &[Graded]) -> Result<(), Diagnostic> {
    let csv = table::grades_as_csv(exercise, grades);
    // `Pending` writes the mark, with which the table already starts.
    Pending::whole(&folder.join("grades.csv"), FileKind::Grades, csv.trim_start_matches(FileKind::Grades.mark()))?;
    Pending::whole(&folder.join("grades.json"), FileKind::Json, &table::grades_as_json(exercise, grades))?;
    Pending::whole(&folder.join("grades.html"), FileKind::Markup, &page::overview(exercise, grades, Some(FEEDBACK)))?;
    for grade in grades {
        let path = |ending: &str| folder.join(FEEDBACK).join(format!("{}.{ending}", grade.name));
        Pending::whole(&path("md"), FileKind::Markup, &feedback::markdown(exercise, grade))?;
        Pending::whole(&path("html"), FileKind::Markup, &page::feedback(exercise, grade))?;
    }
    Ok(())
}
