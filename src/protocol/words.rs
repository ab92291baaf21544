//! Requests without a model: words, puzzles, and this build.

use super::{
    refusal,
    reply::{AboutResult, FormatAbout, OperatorAbout, OperatorsResult, SolverAbout, TextResult},
    request::{Explain, Import},
};
use crate::{Associativity, ImportFormat, Report, SolverName, Strategy, Text, api};

/// Answers `explain`: the entry of the manual for an error code, a word or a sign.
pub(super) fn answer_explain(explain: &Explain) -> Result<TextResult, Report> {
    Ok(TextResult { text: api::manual_entry(&explain.word)? })
}

pub(super) fn answer_import(import: &Import) -> Result<TextResult, Report> {
    let format = import.format.parse().map_err(|_| refusal(format!("there is no format `{}`", import.format)))?;
    Ok(TextResult { text: api::import_puzzle(format, &Text::from(&import.puzzle))? })
}

/// Answers `operators`: the table of operators.
pub(super) fn answer_operators() -> OperatorsResult {
    let operators = api::operators().into_iter().map(|operator| {
        let binding = operator.meaning.binding;
        let associativity =
            binding.and_then(|binding| binding.associativity).map(|associativity| match associativity {
                Associativity::Left => "left",
                Associativity::Right => "right",
                Associativity::None => "none",
            });
        OperatorAbout {
            word: operator.word,
            family: operator.family,
            form: operator.form,
            signature: operator.meaning.form,
            sentence: operator.meaning.sentence,
            precedence: binding.map(|binding| binding.precedence),
            associativity,
        }
    });
    OperatorsResult { operators: operators.collect() }
}

/// Answers `about`: the version and features of this build.
pub(super) fn answer_about() -> AboutResult {
    let format = |format: &ImportFormat| FormatAbout {
        name: format.name(),
        description: format.description(),
        model: format.model(),
    };
    AboutResult {
        version: env!("CARGO_PKG_VERSION"),
        solvers: SolverName::all().map(|solver| SolverAbout { name: solver.name() }).collect(),
        formats: ImportFormat::ALL.iter().map(format).collect(),
        strategies: Strategy::COMPARED.to_vec(),
    }
}
