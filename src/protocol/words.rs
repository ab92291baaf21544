//! Questions that are about no model: words, puzzles, and this build.

use super::{
    refusal,
    reply::{AboutResult, FormatAbout, SolverAbout, TextResult},
    request::{Explain, Import},
};
use crate::{ImportFormat, Report, SolverName, Strategy, Text, api};

/// The text of a manual: what an error code, a word or a sign means.
pub(super) fn explain(explain: &Explain) -> Result<TextResult, Report> {
    Ok(TextResult { text: api::manual_entry(&explain.word)? })
}

pub(super) fn import(import: &Import) -> Result<TextResult, Report> {
    let format = import.format.parse().map_err(|_| refusal(format!("there is no format `{}`", import.format)))?;
    Ok(TextResult { text: api::import_puzzle(format, &Text::from(&import.puzzle))? })
}

/// What this build has.
pub(super) fn about() -> AboutResult {
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
