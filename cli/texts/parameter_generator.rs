//! `conjure-like parameter-generator`

use crate::{
    inputs::{instances::defined, invocation::Invocation},
    runtime::{Exit, numbers::whole_number},
};
use clap::Args;
use conjure_like::{GeneratorOptions, Model};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: conjure-like parameter-generator models/job-shop.essence > jobs.essence")]
pub(crate) struct ParameterGeneratorCommand {
    /// The model, or `-` for standard input
    model: PathBuf,
    /// Fix the values of these parameters: -D 'letting n be 4'
    #[arg(short = 'D', value_name = "STATEMENTS")]
    define: Vec<String>,
    /// The smallest integer for domains without a lower bound
    #[arg(long = "MININT", value_name = "INTEGER", default_value = "0", allow_negative_numbers = true)]
    #[arg(value_parser = whole_number::<i64>(..))]
    least: i64,
    /// The largest integer for domains without an upper bound, and the largest size of a collection
    #[arg(long = "MAXINT", value_name = "INTEGER", default_value = "100", allow_negative_numbers = true)]
    #[arg(value_parser = whole_number::<i64>(..))]
    most: i64,
    /// The number of members of each enumerated type that is a parameter
    #[arg(long, value_name = "N", default_value = "3", value_parser = whole_number::<u32>(0..))]
    members: u32,
    /// Break lines at this width
    #[arg(long, value_name = "COLUMNS", default_value = "120", value_parser = whole_number::<usize>(0..))]
    line_width: usize,
    /// Conjure's option
    #[arg(long = "output-format", hide = true, value_parser = ["plain"])]
    _output_format: Option<String>,
}

impl ParameterGeneratorCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let ParameterGeneratorCommand { model, define, least, most, members, line_width, .. } = self;
        let text = invocation.read(&model)?;
        let model = invocation.accept(Model::read(&text))?;
        let options = GeneratorOptions::default().least(least).most(most).members(members);
        let generator = invocation.accept(model.parameter_generator(&defined(&define), options, line_width))?;
        invocation.print(&generator)
    }
}
