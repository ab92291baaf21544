//! The process that grades one submission. It gets all texts on standard input, reads and writes no files, and prints a line of
//! JSON for each thing that it has found out, so that a limit that ends it loses nothing.

use super::job::{Event, InstanceResult, Job};
use crate::cli::{Exit, interrupt, stdout};
use clap::Args;
use conjure_like::{Difference, DifferenceKind, GradedInstance, Model, Refusal, SolverOptions, Submission, Text};
use std::{
    io::{self, Read},
    num::NonZeroUsize,
    time::Instant,
};

#[derive(Args)]
pub(in crate::cli) struct GradeWorker {}

impl GradeWorker {
    pub(in crate::cli) fn run(self) -> Option<Exit> {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).ok()?;
        let job: Job = serde_json::from_str(&text).ok()?;
        write_no_files();
        let text = |(name, text): &(String, String)| Text::new(name.as_str(), text.as_str());
        interrupt::allow(job.time());
        let reference = Model::read(&text(&job.reference)).ok()?;
        let submission = match Submission::read(&reference, &text(&job.submission)) {
            Ok(submission) => submission,
            Err((kind, report)) => {
                return say(&Event::Rejected { kind: kind.name().to_owned(), text: report.to_terminal(false) });
            }
        };
        say(&Event::Read { constraints: submission.constraints() })?;
        for instance in &job.instances {
            let deadline = Instant::now() + job.time();
            interrupt::allow(job.time());
            let search = SolverOptions {
                deadline: Some(deadline),
                threads: NonZeroUsize::new(1),
                ..interrupt::solver_options(Some(1))
            };
            let data = [text(instance)];
            let graded = interrupt::during(Some(deadline), || submission.on(&data, &search));
            let result = match graded {
                Ok(graded) => result(graded),
                Err(report) => return say(&Event::Fault { text: report.to_terminal(false) }),
            };
            let is_slow = result.is_slow();
            say(&Event::Instance(Box::new(result)))?;
            if is_slow {
                break;
            }
        }
        Some(Exit::Answer)
    }
}

fn say(event: &Event) -> Option<Exit> {
    let line = serde_json::to_string(event).ok()?;
    stdout::write(&(line + "\n")).ok().map(|()| Exit::Answer)
}

fn result(graded: GradedInstance) -> InstanceResult {
    let GradedInstance { shortcoming, complete, difference, hint, report, terms, time } = graded;
    let (kind, solution, because) = match difference {
        Some(Difference { kind, solution, because }) => (Some(kind), Some(solution), because),
        None => (None, None, None),
    };
    let objectives = match kind {
        Some(DifferenceKind::Objective(own, reference)) => Some([own, reference]),
        _ => None,
    };
    let because = because.map(|because| match because {
        Refusal::Requirements(answer) => answer.to_text(false),
        Refusal::Domain(report) => report.to_terminal(false),
    });
    InstanceResult {
        shortcoming: shortcoming.map(|shortcoming| shortcoming.name().to_owned()),
        complete,
        solution,
        objectives,
        because,
        hint,
        report: report.map(|report| report.to_terminal(false)),
        terms,
        seconds: time.map(|time| time.as_secs_f64()),
    }
}

/// Whatever happens from here on, this process leaves no files behind.
#[cfg(unix)]
fn write_no_files() {
    use rlimit::Resource;
    // Where the system refuses, the process still opens no files.
    let _ = Resource::FSIZE.set(0, 0);
    let _ = Resource::CORE.set(0, 0);
}

#[cfg(not(unix))]
fn write_no_files() {}
