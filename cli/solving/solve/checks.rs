//! Checks of options that are valid on their own but not together.

use super::SolveCommand;
use crate::{
    checking::proof::ProofFiles,
    inputs::invocation::Invocation,
    outputs::solutions::SolutionFormat,
    runtime::files::{self, stem},
};
use conjure_like::{Code, Count, Diagnostic, Model, SolverName, nearest};
use std::path::Path;

/// An error in the command line, with the right options as help.
fn refused_options<T>(message: impl Into<String>, help: impl Into<String>) -> Result<T, Diagnostic> {
    Err(Diagnostic::error(Code::COMMAND_LINE, message).help(help))
}

impl SolveCommand {
    /// Checks the options together, and against the model.
    pub(super) fn check_together(&self, invocation: &mut Invocation, model: &Model) -> Option<()> {
        invocation.accept(self.check_exit_status())?;
        invocation.accept(self.check_external_solver())?;
        invocation.accept(self.check_assignment())?;
        invocation.accept(self.check_dominance(model))?;
        invocation.accept(self.check_shown(model))?;
        invocation.accept(self.check_shape())?;
        invocation.accept(self.output.check(self.instances.count()))?;
        if let Some(file) = &self.proof {
            invocation.accept(self.check_proof(file, model))?;
        }
        if self.certify.is_some() {
            self.check_certify(invocation, model)?;
        }
        invocation.accept(self.check_file_names())
    }

    fn check_exit_status(&self) -> Result<(), Diagnostic> {
        match self.exit_status && self.instances.are_several() {
            true => refused_options("--exit-status works for one instance only", "run the parameter files one by one"),
            false => Ok(()),
        }
    }

    fn check_external_solver(&self) -> Result<(), Diagnostic> {
        match (&self.solver_command, self.solver.is_external()) {
            (None, true) => refused_options(
                "--solver=external needs a command",
                "add --solver-command 'kissat {cnf}', or another solver's command",
            ),
            (Some(_), false) => refused_options("--solver-command is for --solver=external", "add --solver=external"),
            _ => Ok(()),
        }
    }

    fn check_assignment(&self) -> Result<(), Diagnostic> {
        if self.read_assignment.is_none() {
            if self.emit.is_some() && self.double_check {
                let help = "leave out --double-check, or read the answer of a solver with --read-assignment";
                return refused_options("--emit writes a text, so there is no answer to check", help);
            }
            return Ok(());
        }
        if self.emit.is_some_and(|emit| emit.format().is_none()) {
            let help = "name the format of the text that was solved, such as --emit flatzinc";
            return refused_options("no solver answers this text of --emit", help);
        }
        if self.instances.are_several() {
            let help = "read the answers one by one, each with its parameter file";
            return refused_options("an answer belongs to one instance", help);
        }
        Ok(())
    }

    fn check_dominance(&self, model: &Model) -> Result<(), Diagnostic> {
        let asks_others = self.proof.is_some() || self.certify.is_some() || self.solver_command.is_some();
        let is_exported = self.read_assignment.is_some() || self.emit.is_some_and(|emit| emit.format().is_some());
        if model.has_dominance() && (asks_others || is_exported) {
            let message = "proofs, certificates and other solvers do not support a dominance relation";
            return refused_options(message, "solve the model without these options");
        }
        Ok(())
    }

    fn check_shown(&self, model: &Model) -> Result<(), Diagnostic> {
        let unknown = self.output.show.iter().find(|name| !model.finds().any(|find| find == **name));
        let Some(unknown) = unknown else { return Ok(()) };
        let help = match nearest(unknown, model.finds()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the variables are {}", model.finds().collect::<Vec<_>>().join(", ")),
        };
        refused_options(format!("there is no decision variable `{unknown}` to show"), help)
    }

    fn check_shape(&self) -> Result<(), Diagnostic> {
        let is_json =
            matches!(self.output.format(), SolutionFormat::Json | SolutionFormat::Jsonstream | SolutionFormat::Lines);
        match self.shape.is_some() {
            true if !is_json => refused_options("--shape is for solutions in JSON", "add --output-format=json"),
            true if self.output.writes_files() => {
                refused_options("solutions with --shape go to standard output", "leave out -o, and write `> FILE`")
            }
            _ => Ok(()),
        }
    }

    fn check_proof(&self, file: &Path, model: &Model) -> Result<(), Diagnostic> {
        // The data are read later, but the proof must not overwrite them.
        self.instances.files().for_each(|path| files::reads(path));
        ProofFiles::check(file)?;
        if self.solver.solver != SolverName::Cadical {
            let message = format!("the solver `{}` writes no proofs", self.solver.name());
            return refused_options(message, "add --solver=cadical");
        }
        if self.wanted() != Count::First(1) && model.has_objective() {
            let help = "leave out -n and --number-of-solutions";
            return refused_options("--proof works for one best solution only", help);
        }
        if self.instances.are_several() {
            return refused_options("--proof works for one instance only", "run the parameter files one by one");
        }
        Ok(())
    }

    fn check_file_names(&self) -> Result<(), Diagnostic> {
        let mut names: Vec<String> = self.instances.files().map(|path| stem(path)).collect();
        names.sort();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(twice) if self.output.writes_files() => {
                let error = format!("two parameter files have the name `{}`", twice[0]);
                let error = Diagnostic::error(Code::COMMAND_LINE, error);
                Err(error.note("the names of the parameter files become the names of the solution files"))
            }
            _ => Ok(()),
        }
    }
}
