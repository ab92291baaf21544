//! `--emit`: the texts for other solvers.

use crate::runtime::files::FileKind;
use clap::ValueEnum;
use conjure_like::ExportFormat;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum EmittedText {
    /// The finite-domain variables, terms and constraints
    Problem,
    /// How the decision variables are represented, and why
    Representations,
    /// For SAT solvers: clauses, in the format DIMACS, without the objective
    Dimacs,
    /// For MaxSAT solvers: clauses, in the format WCNF, with the objective
    Wcnf,
    /// For pseudo-Boolean solvers: sums of literals, in the format OPB
    Opb,
    /// For SMT solvers: terms, in the format SMT-LIB 2
    SmtLib,
    /// For constraint solvers: FlatZinc
    Flatzinc,
}

impl EmittedText {
    pub(super) fn kind(self) -> FileKind {
        match self {
            EmittedText::Problem | EmittedText::Representations => FileKind::Essence,
            EmittedText::Dimacs | EmittedText::Wcnf => FileKind::Dimacs,
            EmittedText::Opb => FileKind::Opb,
            EmittedText::SmtLib => FileKind::SmtLib,
            EmittedText::Flatzinc => FileKind::FlatZinc,
        }
    }

    /// The format, if the answers of solvers to this text can be read.
    pub(super) fn format(self) -> Option<ExportFormat> {
        match self {
            EmittedText::Problem | EmittedText::Representations => None,
            EmittedText::Dimacs => Some(ExportFormat::Dimacs),
            EmittedText::Wcnf => Some(ExportFormat::Wcnf),
            EmittedText::Opb => Some(ExportFormat::Opb),
            EmittedText::SmtLib => Some(ExportFormat::SmtLib),
            EmittedText::Flatzinc => Some(ExportFormat::FlatZinc),
        }
    }
}
