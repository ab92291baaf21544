//! `conjure-like streamline`: streamliners of a model, and the choice among them on training instances.

use super::compare::given_instances;
use crate::{
    inputs::invocation::Invocation,
    runtime::{
        Exit,
        files::{FileKind, Pending, output_file, shown_path},
        interrupt,
        numbers::whole_number,
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{
    Code, Diagnostic, Model, StreamlineOptions, Streamliner, StreamlinerPortfolio, Training, TrainingInstance,
    TrainingUse, TriedCombination, counted, to_json,
};
use serde_json::{Value, json};
use std::{fmt::Write, path::PathBuf};

#[derive(Args)]
#[command(after_help = "\
Examples: conjure-like streamline models/social-golfers.essence
          conjure-like streamline golfers.essence train/*.param -o golfers.streamliners
          conjure-like solve golfers.essence large.param --streamliners golfers.streamliners

Exit code: 0 when the streamliners are listed or chosen; 2 for a mistake in the command line, the files, the model or
the data; 3 if a limit ended the run.")]
pub(crate) struct StreamlineCommand {
    /// The model
    model: PathBuf,
    /// Parameter files, one for each training instance. Without any, the streamliners are listed
    #[arg(value_name = "PARAM")]
    parameters: Vec<PathBuf>,
    /// Add these statements to the parameters: -D 'letting n be 4'
    #[arg(short = 'D', value_name = "STATEMENTS")]
    define: Vec<String>,
    /// Write the chosen streamliners into this file, for `solve --streamliners`
    #[arg(short, long, value_name = "FILE", value_parser = output_file)]
    output: Option<PathBuf>,
    /// The number of combinations of streamliners to try
    #[arg(long, value_name = "N", default_value = "300", value_parser = whole_number::<usize>(1..))]
    combinations: usize,
    /// The largest number of combinations to choose
    #[arg(long, value_name = "N", default_value = "3", value_parser = whole_number::<usize>(1..))]
    entries: usize,
    /// Give up the search on a training instance after this many conflicts
    #[arg(long, value_name = "N", default_value = "100000", value_parser = whole_number::<u64>(1..))]
    conflicts: u64,
    /// The seed of the solver
    #[arg(long, value_name = "N", value_parser = whole_number::<u32>(0..))]
    seed: Option<u32>,
    /// The format of the streamliners: text for people, or a JSON object
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: StreamlineFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum StreamlineFormat {
    Plain,
    Json,
}

impl StreamlineCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let text = invocation.read(&self.model)?;
        let model = invocation.accept(Model::read(&text))?;
        let mut instances = given_instances(&self.parameters, &self.define, invocation)?;
        let has_parameters = model.givens().next().is_some();
        if instances.is_empty() && !has_parameters && self.output.is_some() {
            // Without parameters, the model itself is the instance.
            instances.push(Vec::new());
        }
        let name = shown_path(&self.model);
        if instances.is_empty() {
            if let Some(output) = &self.output {
                let error = Diagnostic::error(Code::COMMAND_LINE, "streamliners are chosen on training instances");
                let output = shown_path(output);
                let help = format!("name parameter files: conjure-like streamline {name} PARAM… -o {output}");
                return invocation.fail(error.help(help));
            }
            return self.list(&model.streamliners(), has_parameters, invocation);
        }
        let options = StreamlineOptions::default()
            .combinations(self.combinations)
            .entries(self.entries)
            .conflicts(self.conflicts)
            .search(interrupt::engine_options(self.seed));
        let deadline = options.search.limits.deadline;
        let training = interrupt::during(deadline, || model.train_streamliners(&instances, &options));
        let training = invocation.accept(training)?;
        let portfolio = training.portfolio();
        match self.output_format {
            StreamlineFormat::Plain => invocation.print(&self.plain(&training, portfolio.as_ref()))?,
            StreamlineFormat::Json => {
                invocation.print(&(to_json(&training_object(&training, portfolio.as_ref())) + "\n"))?
            }
        };
        // Writing the file takes time, but is not limited, so the limit is checked before.
        let is_over = options.search.reached().is_some();
        if let Some(output) = &self.output {
            match &portfolio {
                Some(portfolio) => {
                    let on = counted(training.training(), "training instance");
                    let comment = format!("Streamliners for {name}, chosen on {on}.");
                    let text = invocation.accept(model.portfolio_text(portfolio, &comment))?;
                    let path = invocation.accept(Pending::whole(output, FileKind::Essence, &text))?;
                    let number = counted(portfolio.entries.len(), "combination");
                    invocation.reporting.status(&format!("Wrote {number} into {}.", shown_path(&path)));
                }
                None => invocation.reporting.status(&format!("{} was not written.", shown_path(output))),
            }
        }
        Some(if is_over { Exit::Limit } else { Exit::Answer })
    }

    /// Prints all streamliners.
    fn list(&self, found: &[Streamliner], has_parameters: bool, invocation: &mut Invocation) -> Option<Exit> {
        if self.output_format == StreamlineFormat::Json {
            let objects: Value = found.iter().map(streamliner_object).collect();
            return invocation.print(&(to_json(&json!({"streamliners": objects})) + "\n"));
        }
        if found.is_empty() {
            return invocation.print("No streamliner fits the types of the decision variables.\n");
        }
        let mut text = format!("{}:\n", counted(found.len(), "streamliner"));
        for Streamliner { says, constraint, .. } in found {
            let _ = write!(text, "\n{says}\n    {constraint}\n");
        }
        let (model, with) = (shown_path(&self.model), if has_parameters { " PARAM…" } else { "" });
        let _ = writeln!(text, "\nTo choose the best ones: conjure-like streamline {model}{with} -o FILE");
        invocation.print(&text)
    }

    fn plain(&self, training: &Training, portfolio: Option<&StreamlinerPortfolio>) -> String {
        let mut text = format!("{}:\n", counted(training.instances.len(), "training instance"));
        for TrainingInstance { name, use_for, .. } in &training.instances {
            let use_for = match use_for {
                TrainingUse::Solved(conflicts) => format!("solved with {}", counted_conflicts(*conflicts)),
                TrainingUse::Unsolved => format!("not solved with {}", counted_conflicts(self.conflicts)),
                TrainingUse::NoSolution => "left out: it has no solution".to_owned(),
                TrainingUse::Easy(conflicts) => format!("left out: too easy, {}", counted_conflicts(*conflicts)),
                _ => "left out".to_owned(),
            };
            let _ = writeln!(text, "    {name}: {use_for}");
        }
        let on = training.training();
        let _ = writeln!(
            text,
            "Tried {} of {} with {} in all.",
            counted(training.tried.len(), "combination"),
            counted(training.streamliners.len(), "streamliner"),
            counted_conflicts(training.conflicts),
        );
        let Some(portfolio) = portfolio else {
            text += &format!("\n{}\n", self.no_choice(training));
            return text;
        };
        for (number, (entry, tried)) in portfolio.entries.iter().zip(&training.chosen).enumerate() {
            let TriedCombination { saved, solved, .. } = tried;
            let (number, saved) = (number + 1, (saved * 100.0).round());
            let _ = writeln!(text, "\n{number}. {}", entry.says);
            let _ = writeln!(text, "   Solves {solved} of {on}, and saves {saved} % of the conflicts.");
            for constraint in &entry.constraints {
                let _ = writeln!(text, "    {constraint}");
            }
        }
        text
    }

    /// The reason why no combination was chosen, and what helps.
    fn no_choice(&self, training: &Training) -> String {
        let uses = || training.instances.iter().map(|instance| instance.use_for);
        if training.streamliners.is_empty() {
            return "No streamliner fits the types of the decision variables.".to_owned();
        }
        if interrupt::limits().reached().is_some() {
            return "A limit ended the run before a combination was chosen.".to_owned();
        }
        if uses().all(|use_for| use_for == TrainingUse::NoSolution) {
            return "No training instance has a solution, so there is nothing to find sooner.".to_owned();
        }
        if training.training() == 0 {
            let instances = format!("conjure-like instances {} PARAM…", shown_path(&self.model));
            return format!("No training instance is hard enough. To make harder ones: {instances}");
        }
        let none_solved = training.tried.iter().all(|tried| tried.solved == 0);
        // If the whole search fails on all instances, too, the budget is probably too small.
        if none_solved && !uses().any(|use_for| matches!(use_for, TrainingUse::Solved(_))) {
            let conflicts = counted_conflicts(self.conflicts);
            return format!(
                "No training instance is solved with {conflicts}, with or without streamliners. Train on smaller \
                 instances, or allow more: --conflicts={}",
                self.conflicts.saturating_mul(10)
            );
        }
        "No combination saves a tenth of the conflicts on these instances.".to_owned()
    }
}

fn counted_conflicts(conflicts: u64) -> String {
    counted(usize::try_from(conflicts).unwrap_or(usize::MAX), "conflict")
}

fn streamliner_object(streamliner: &Streamliner) -> Value {
    json!({"name": streamliner.says, "constraint": streamliner.constraint, "group": streamliner.group})
}

/// A training as data.
fn training_object(training: &Training, portfolio: Option<&StreamlinerPortfolio>) -> Value {
    let instance = |TrainingInstance { name, use_for, .. }: &TrainingInstance| {
        let (status, conflicts) = match use_for {
            TrainingUse::Solved(conflicts) => ("solved", Some(*conflicts)),
            TrainingUse::Unsolved => ("unsolved", None),
            TrainingUse::NoSolution => ("no solution", None),
            TrainingUse::Easy(conflicts) => ("too easy", Some(*conflicts)),
            _ => ("left out", None),
        };
        json!({"name": name, "status": status, "conflicts": conflicts})
    };
    let chosen = portfolio.iter().flat_map(|portfolio| &portfolio.entries).zip(&training.chosen);
    let chosen = chosen.map(|(entry, tried)| {
        json!({
            "name": entry.says,
            "constraints": entry.constraints,
            "budget": entry.conflicts,
            "solved": tried.solved,
            "saved": (tried.saved * 1e4).round() / 1e4,
        })
    });
    json!({
        "streamliners": training.streamliners.len(),
        "tried": training.tried.len(),
        "conflicts": training.conflicts,
        "instances": training.instances.iter().map(instance).collect::<Value>(),
        "chosen": chosen.collect::<Value>(),
    })
}
