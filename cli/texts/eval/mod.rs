//! `conjure-like eval`

mod interactive;

use crate::{inputs::invocation::Invocation, runtime::Exit};
use clap::{Args, ValueEnum};
use conjure_like::{EvaluatedExpression, Text, Workbench};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "\
Examples: conjure-like eval 'sum([i ** 2 | i : int(1..10)])'
          conjure-like eval -m futoshiki.essence -p 4.param -s 4.solution 'board[1, ..]'
          conjure-like eval")]
pub(crate) struct EvalCommand {
    /// The expression. Without one, expressions and statements are read from standard input
    #[arg(allow_hyphen_values = true)]
    expression: Option<String>,
    /// The model, whose names the expression may mention
    #[arg(short, long)]
    model: Option<PathBuf>,
    /// The parameter files
    #[arg(short, long = "param", requires = "model")]
    parameters: Vec<PathBuf>,
    /// A solution, which gives the decision variables their values
    #[arg(short, long, requires = "model")]
    solution: Option<PathBuf>,
    /// The format of the value: text for people, or JSON
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: ValueFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ValueFormat {
    /// The value and its type
    Plain,
    /// An object on one line
    Json,
}

impl EvalCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let mut bench = Workbench::default();
        if let Some(path) = &self.model {
            bench.model = Some(invocation.read(path)?);
        }
        for path in &self.parameters {
            bench.data.push(invocation.read(path)?);
        }
        if let Some(path) = &self.solution {
            bench.solution = Some(invocation.read(path)?);
        }
        match &self.expression {
            Some(expression) => {
                let evaluated = invocation.accept(bench.evaluate(&Text::new("the expression", expression.as_str())))?;
                invocation.keep(evaluated.warnings.clone());
                invocation.print(&self.output_format.shown(&evaluated))
            }
            None => interactive::run_interactive(bench, self.output_format, invocation),
        }
    }
}

impl ValueFormat {
    /// Formats a value for output.
    fn shown(self, evaluated: &EvaluatedExpression) -> String {
        match self {
            ValueFormat::Plain => format!("{} : {}\n", evaluated.essence, evaluated.ty),
            ValueFormat::Json => evaluated.to_json() + "\n",
        }
    }
}
