//! `conjure-like compare`

use crate::{
    inputs::{
        instances::{common, files_among},
        invocation::Invocation,
    },
    runtime::{Exit, interrupt, numbers::whole_number},
};
use clap::{Args, ValueEnum};
use conjure_like::{CompareOptions, Comparison, Difference, DifferenceKind, Model, Refusal, Report, Text, to_json};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like compare mine.essence reference.essence 4.param

Exit code: 0 for a definite answer; 2 for a mistake in the command line, the files, the models or the data; 3 if a limit
ended the search.")]
pub(crate) struct CompareCommand {
    /// The model
    model: PathBuf,
    /// The model that it should be equivalent to
    reference: PathBuf,
    /// Parameter files, one for each instance. Without any, small instances are generated
    #[arg(value_name = "PARAM")]
    parameters: Vec<PathBuf>,
    #[command(flatten)]
    data: ComparedDataOptions,
    /// A decision variable of the reference as an expression over the variables of the model: --map 'queens = toSet(q)'
    #[arg(long, value_name = "NAME = EXPRESSION", value_parser = mapping)]
    map: Vec<(String, String)>,
    /// Exit with 10 if the models differ
    #[arg(long)]
    exit_status: bool,
    /// The format of the answer: text for people, or a JSON object for each instance
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: ComparisonFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ComparisonFormat {
    Plain,
    Json,
}

#[derive(Args)]
pub(super) struct ComparedDataOptions {
    /// Add these statements to the parameters: -D 'letting n be 4'
    #[arg(short = 'D', value_name = "STATEMENTS")]
    define: Vec<String>,
    /// The number of instances to generate
    #[arg(long, value_name = "N", default_value = "8", value_parser = whole_number::<usize>(0..))]
    instances: usize,
    /// The seed for generated instances
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<u32>(0..))]
    seed: u32,
}

/// The instances on which two models are compared, each as its texts.
pub(super) struct ComparedData {
    pub instances: Vec<Vec<Text>>,
    /// True if there were no data, so that small instances were generated.
    pub are_made_up: bool,
}

impl ComparedDataOptions {
    /// Reads the instances. Without data, generates small ones for the first of these models for which this is
    /// possible.
    pub(super) fn read(
        &self,
        parameters: &[PathBuf],
        models: &[&Model],
        invocation: &mut Invocation,
    ) -> Option<ComparedData> {
        let mut instances = given_instances(parameters, &self.define, invocation)?;
        let are_made_up = instances.is_empty();
        if are_made_up {
            let make = |model: &&Model| model.small_instances(self.instances, self.seed);
            let (first, others) = models.split_first()?;
            // For some domains, no data can be generated, but another model may have other domains.
            let made_up = others.iter().fold(make(first), |made, model| made.or_else(|_| make(model)));
            instances = invocation.accept(made_up)?;
        }
        Some(ComparedData { instances, are_made_up })
    }

    /// Generates small instances of a model, in addition to the given data.
    pub(super) fn made_up(&self, model: &Model) -> Result<Vec<Vec<Text>>, Report> {
        model.small_instances(self.instances, self.seed)
    }
}

/// Reads the instances of parameter files, each with the common data. Common data alone are an instance.
pub(super) fn given_instances(
    parameters: &[PathBuf],
    define: &[String],
    invocation: &mut Invocation,
) -> Option<Vec<Vec<Text>>> {
    let defined = common(parameters, define, invocation)?;
    let mut instances: Vec<Vec<Text>> = Vec::new();
    for path in files_among(parameters) {
        let texts = invocation.read(path)?;
        instances.extend(texts.instances().map(|text| [text].into_iter().chain(defined.iter().cloned()).collect()));
    }
    // The statements of `-D` are an instance if there are no parameter files.
    if instances.is_empty() && !defined.is_empty() {
        instances.push(defined);
    }
    Some(instances)
}

/// Reads `NAME = EXPRESSION`.
pub(super) fn mapping(text: &str) -> Result<(String, String), &'static str> {
    let (name, expression) = text.split_once('=').ok_or("write `name = expression`")?;
    Ok((name.trim().to_owned(), expression.trim().to_owned()))
}

impl CompareCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let model = self.read(&self.model, invocation)?;
        let reference = self.read(&self.reference, invocation)?;
        let ComparedData { instances, are_made_up } = self.data.read(&self.parameters, &[&reference], invocation)?;
        let options = CompareOptions::default().mapping(self.map.clone()).search(interrupt::engine_options(None));
        let mut is_complete = true;
        for data in &instances {
            let compared =
                interrupt::during(options.search.limits.deadline, || model.compare(&reference, data, &options));
            let compared = invocation.accept(compared)?;
            if self.output_format == ComparisonFormat::Json {
                invocation.print(&(to_json(&comparison_object(&compared, data)) + "\n"))?;
            }
            if compared.difference.is_some() {
                if self.output_format == ComparisonFormat::Plain {
                    invocation.print(&compared.to_text(
                        data.first(),
                        are_made_up,
                        invocation.reporting.styled_output(),
                    ))?;
                }
                return Some(if self.exit_status { Exit::Satisfiable } else { Exit::Answer });
            }
            is_complete &= compared.complete;
        }
        if self.output_format == ComparisonFormat::Plain {
            invocation.print(&Comparison::same(instances.len(), is_complete))?;
        }
        Some(if options.search.reached().is_some() { Exit::Limit } else { Exit::Answer })
    }

    fn read(&self, path: &std::path::Path, invocation: &mut Invocation) -> Option<Model> {
        let text = invocation.read(path)?;
        invocation.accept(Model::read(&text))
    }
}

/// A difference as JSON.
pub(super) fn difference_object(difference: &Difference) -> Value {
    let (kind, objectives) = match &difference.kind {
        DifferenceKind::Allowed => ("allowed", None),
        DifferenceKind::Refused => ("refused", None),
        DifferenceKind::Objective(own, other) => ("objective", Some(json!([own, other]))),
    };
    let because = difference.because.as_ref().map(|because| match because {
        Refusal::Requirements(answer) => answer.to_value(),
        Refusal::Domain(report) => json!({"verdict": "outside", "says": report.to_lines().trim_end()}),
    });
    json!({"kind": kind, "solution": difference.solution, "because": because, "objectives": objectives})
}

/// The comparison on an instance as JSON.
fn comparison_object(compared: &Comparison, data: &[Text]) -> Value {
    let difference = compared.difference.as_ref().map(difference_object);
    let instance = data.first().map(|data| json!({"name": data.name, "text": data.text}));
    json!({"instance": instance, "difference": difference, "complete": compared.complete})
}
