//! `campaign submit`: the tasks as jobs of a scheduler.

use super::{plan::CampaignPlan, read_plan, results::CampaignResults};
use crate::{
    inputs::invocation::Invocation,
    runtime::{
        Exit,
        files::{FileKind, Pending, unwritable},
        numbers::whole_number,
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{Code, Diagnostic, counted, visible};
use std::{
    env, fs,
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

#[derive(Args)]
#[command(after_help = "\
Examples:
  conjure-like campaign submit plan.toml --on slurm
  conjure-like campaign submit plan.toml --on parallel --workers 16
  conjure-like campaign submit plan.toml --on command --template 'qsub -v TASK={task} job.sh'

If a task has died, the same command submits it again.")]
pub(super) struct SubmitCommand {
    /// The plan, a TOML file
    plan: PathBuf,
    /// The scheduler: one Slurm job array, one call of GNU parallel, or a command for each task
    #[arg(long, value_name = "SCHEDULER")]
    on: Scheduler,
    /// The command for each task, with `{task}` for its number
    #[arg(long, value_name = "COMMAND", required_if_eq("on", "command"))]
    template: Option<String>,
    /// The maximum number of parallel tasks
    #[arg(long, value_name = "N", value_parser = whole_number::<NonZeroUsize>(1..))]
    workers: Option<NonZeroUsize>,
    /// Write the job and show how to submit it, but do not submit it
    #[arg(long)]
    dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Scheduler {
    Slurm,
    Parallel,
    Command,
}

impl SubmitCommand {
    pub(super) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let (plan, results) = read_plan(&self.plan, invocation)?;
        let done = match results.done(&plan) {
            Ok(done) => done,
            Err(error) => return invocation.fail(error),
        };
        if let Some(says) = done.out_of_date.says(&plan) {
            invocation.reporting.status(&format!("{says} These tasks are submitted again."));
        }
        let open: Vec<usize> = (1..=plan.len()).filter(|number| !done.tasks[*number - 1]).collect();
        if open.is_empty() {
            return invocation.print("All tasks have a result.\n");
        }
        let submitted = match self.on {
            Scheduler::Slurm => self.slurm(&plan, &results, &open),
            Scheduler::Parallel => self.parallel(&open),
            Scheduler::Command => self.commands(&open),
        };
        match submitted {
            Ok(said) => invocation.print(&visible::text(&said)),
            Err(error) => invocation.fail(error),
        }
    }

    /// Submits job arrays with the open tasks: one, unless they exceed the size of an array.
    fn slurm(&self, plan: &CampaignPlan, results: &CampaignResults, open: &[usize]) -> Result<String, Diagnostic> {
        let task = plan.task(0);
        let most = self.workers.map_or(String::new(), |workers| format!("%{workers}"));
        // Starting and ending the process takes up to a minute.
        let minutes = (task.time / 60.0).ceil() as u64 + 1;
        let mut said = String::new();
        for (array, open) in open.chunks(LARGEST_ARRAY).enumerate() {
            let script = results.folder().join(format!("job.sh.{}", array + 1));
            fs::create_dir_all(results.folder()).map_err(|error| unwritable(results.folder(), error))?;
            // The open tasks may not be consecutive, so the script maps indices of the array to task numbers.
            let numbers: Vec<String> = open.iter().map(usize::to_string).collect();
            let text = format!(
                "#SBATCH --job-name=conjure-like\n#SBATCH --array=1-{}{most}\n#SBATCH --time={minutes}\n\
                 #SBATCH --mem={}M\n#SBATCH --output=/dev/null\nset -- {}\nshift $((SLURM_ARRAY_TASK_ID - 1))\n\
                 exec {} campaign task {} \"$1\"\n",
                open.len(),
                task.memory + 200,
                numbers.join(" "),
                quoted_path(&program()?),
                quoted_path(&absolute_path(&self.plan))
            );
            Pending::whole(&script, FileKind::Script, &text)?;
            let job = script.display().to_string();
            said += &self.start(&["sbatch", &job], None, &counted(open.len(), "task"))?;
        }
        Ok(said)
    }

    /// Submits one call that runs all open tasks.
    fn parallel(&self, open: &[usize]) -> Result<String, Diagnostic> {
        let jobs = self.workers.map_or("100%".to_owned(), |workers| workers.to_string());
        let (program, plan) = (quoted_path(&program()?), quoted_path(&absolute_path(&self.plan)));
        let numbers: String = open.iter().map(|number| format!("{number}\n")).collect();
        let task = format!("{program} campaign task {plan} {{}}");
        self.start(&["parallel", "--jobs", &jobs, &task], Some(&numbers), &counted(open.len(), "task"))
    }

    /// Submits a command for each open task.
    fn commands(&self, open: &[usize]) -> Result<String, Diagnostic> {
        let template = self.template.as_deref().unwrap_or_default();
        let words = shell_words::split(template)
            .ok()
            .filter(|words| words.iter().any(|word| word.contains("{task}")))
            .ok_or_else(|| {
                let message = "the template must be a command with `{task}` for the number of a task";
                Diagnostic::error(Code::COMMAND_LINE, message)
            })?;
        let mut said = String::new();
        for number in open {
            let words: Vec<String> = words.iter().map(|word| word.replace("{task}", &number.to_string())).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            said += &self.start(&words, None, &format!("task {number}"))?;
        }
        Ok(said)
    }

    /// Runs a command of the scheduler, or prints it.
    fn start(&self, words: &[&str], input: Option<&str>, what: &str) -> Result<String, Diagnostic> {
        let shown = shell_words::join(words);
        if self.dry_run {
            return Ok(format!("{shown}\n"));
        }
        let failed = |why: &str| {
            Diagnostic::error(Code::PLAN, format!("`{}` cannot be used: {why}", words[0]))
                .note(format!("the command was: {shown}"))
        };
        let mut child = Command::new(words[0])
            .args(&words[1..])
            .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => failed("there is no such command"),
                _ => failed(&error.to_string()),
            })?;
        if let (Some(text), Some(mut stdin)) = (input, child.stdin.take()) {
            // Dropping the pipe closes it, so that the command sees the end of its input.
            stdin.write_all(text.as_bytes()).map_err(|error| failed(&error.to_string()))?;
        }
        let output = child.wait_with_output().map_err(|error| failed(&error.to_string()))?;
        if !output.status.success() {
            return Err(failed(&output.status.to_string()));
        }
        Ok(format!("Submitted {what}. {}\n", String::from_utf8_lossy(&output.stdout).trim()))
    }
}

/// The largest job array in the default configuration of Slurm.
const LARGEST_ARRAY: usize = 1000;

/// The path of this program for other machines.
fn program() -> Result<PathBuf, Diagnostic> {
    env::current_exe()
        .map_err(|error| Diagnostic::error(Code::PLAN, format!("the path of the program is unknown: {error}")))
}

fn absolute_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn quoted_path(path: &Path) -> String {
    shell_words::quote(&path.display().to_string()).into_owned()
}
