//! The process that grades one submission. It gets all texts on standard input, reads and writes no files, and prints
//! each finding at once as a line of JSON, so that findings before a limit are kept.

use super::job::{InstanceResult, Job, WorkerEvent};
use crate::runtime::{Exit, interrupt, stdout};
use clap::Args;
use conjure_like::{
    Difference, DifferenceKind, GradedInstance, Model, Picture, PictureFormat, Refusal, RejectedSubmission, Report,
    Sheet, Submission, Text,
};
use std::{
    io::{self, Read},
    num::NonZeroUsize,
    time::Instant,
};

#[derive(Args)]
pub(crate) struct GradeWorker {}

impl GradeWorker {
    pub(crate) fn run(self) -> Option<Exit> {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).ok()?;
        let job: Job = serde_json::from_str(&text).ok()?;
        // From here on, even a flaw in the parser or the engine cannot reach files; the texts are not parsed yet.
        conjure_like_system::write_no_files();
        let text = |(name, text): &(String, String)| Text::new(name.as_str(), text.as_str());
        // If reading the submission takes too long, the watchdog ends the process; a search has its own deadline.
        interrupt::allow(job.time());
        // The supervisor has already read the reference without errors.
        let reference = Model::read(&text(&job.reference)).ok()?;
        let submission = match Submission::read(&reference, &text(&job.submission)) {
            Ok(submission) => submission,
            Err(RejectedSubmission { shortcoming, report, .. }) => {
                let (kind, text) = (shortcoming.name().to_owned(), report.to_terminal(false));
                return say_event(&WorkerEvent::Rejected { kind, text, diagnostics: report.to_values() });
            }
        };
        say_event(&WorkerEvent::Read { constraints: submission.constraints() })?;
        for instance in &job.instances {
            let deadline = Instant::now() + job.time();
            interrupt::allow(job.time());
            // With one seed and one thread, a submission always gets the same grade.
            let search = interrupt::engine_options(Some(1))
                .limits(interrupt::limits().deadline(Some(deadline)))
                .threads(NonZeroUsize::new(1))
                .repeatable(true);
            let data = [text(instance)];
            let graded = interrupt::during(Some(deadline), || submission.on(&data, &search));
            let mut result = match graded {
                Ok(graded) => instance_result(graded),
                Err(report) => return say_event(&WorkerEvent::Fault { text: report.to_terminal(false) }),
            };
            if job.is_reference {
                let refuses = || reference.refuses_something(&data, &search);
                result.refuses_something = interrupt::during(Some(deadline), refuses);
            }
            let is_slow = result.is_slow();
            say_event(&WorkerEvent::Instance(Box::new(result)))?;
            // A slow submission would use up the time limit of each remaining instance.
            if is_slow {
                break;
            }
        }
        Some(Exit::Answer)
    }
}

fn say_event(event: &WorkerEvent) -> Option<Exit> {
    let line = serde_json::to_string(event).ok()?;
    stdout::write(&(line + "\n")).ok().map(|()| Exit::Answer)
}

fn instance_result(graded: GradedInstance) -> InstanceResult {
    let GradedInstance { shortcoming, complete, difference, hint, broken, report, terms, time, has_solution, .. } =
        graded;
    let mut result = InstanceResult {
        shortcoming: shortcoming.map(|shortcoming| shortcoming.name().to_owned()),
        complete,
        hint,
        broken,
        diagnostics: report.as_ref().map(Report::to_values).unwrap_or_default(),
        report: report.map(|report| report.to_terminal(false)),
        terms,
        seconds: time.map(|time| time.as_secs_f64()),
        has_solution,
        ..InstanceResult::default()
    };
    if let Some(Difference { kind, solution, because, pictures, .. }) = difference {
        result.solution = Some(solution);
        result.picture = pictures_as_svg(pictures);
        if let DifferenceKind::Objective(own, reference) = kind {
            result.objectives = Some([own, reference]);
        }
        match because {
            Some(Refusal::Requirements(answer)) => {
                result.because = Some(answer.to_text(false));
                result.reasons = answer.to_value()["reasons"].as_array().cloned().unwrap_or_default();
            }
            Some(Refusal::Domain(report)) => {
                result.because = Some(report.to_terminal(false));
                result.diagnostics = report.to_values();
            }
            None => {}
        }
    }
    result
}

/// The maximum size of a picture in bytes; larger ones are left out. Chosen.
const LARGEST_PICTURE: usize = 200_000;

fn pictures_as_svg(pictures: Vec<Picture>) -> Option<String> {
    let sheet = Sheet { pictures, ..Sheet::default() };
    let is_drawn = !sheet.pictures.is_empty();
    is_drawn.then(|| PictureFormat::Svg.render("", &[sheet], false)).filter(|svg| svg.len() <= LARGEST_PICTURE)
}
