//! The command line: one file per command, and what they share. All reading and writing happens here.
//!
//! A command gets a [`Session`], into which it reads files and in which errors gather; it returns its
//! exit code, or `None` after an error of the user's. Standard output carries results alone; everything
//! said about them goes to standard error.

mod answer;
mod bug;
mod command_line;
mod completion;
mod explain;
mod files;
mod found;
mod hint;
mod import;
mod instances;
mod interrupt;
mod output;
mod pretty;
mod proof;
mod report;
mod roles;
mod search;
mod session;
mod solve;
mod statistics;
mod stdout;
mod system;
mod type_check;
mod validate_solution;
mod why;

use clap::{Parser, Subcommand};
use session::Session;
use std::{process::ExitCode, sync::LazyLock, thread};

/// Compiles Essence models and solves them.
///
/// A model says what is given, what to find and what must hold. A parameter file has the data of one
/// instance.
#[derive(Parser)]
#[command(name = "conjure-like", version = VERSION.as_str(), max_term_width = 100)]
#[command(after_help = "Example: conjure-like solve models/futoshiki.essence params/futoshiki-4.param")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    limits: interrupt::LimitOptions,
    #[command(flatten)]
    reporting: report::ReportOptions,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Solve),
    #[command(visible_alias = "check")]
    TypeCheck(type_check::TypeCheck),
    Search(search::Search),
    Pretty(pretty::Pretty),
    Fmt(pretty::Fmt),
    ValidateSolution(validate_solution::ValidateSolution),
    Why(why::Why),
    Hint(hint::Hint),
    Import(import::Import),
    Explain(explain::Explain),
    Proof(proof::ProofCommand),
    Completion(completion::Completion),
}

impl Command {
    fn run(self, session: &mut Session) -> Option<Exit> {
        match self {
            Command::Solve(solve) => solve.run(session),
            Command::TypeCheck(check) => check.run(session),
            Command::ValidateSolution(validate) => validate.run(session),
            Command::Search(search) => search.run(session),
            Command::Why(why) => why.run(session),
            Command::Hint(hint) => hint.run(session),
            Command::Pretty(pretty) => pretty.run(session),
            Command::Fmt(fmt) => fmt.run(session),
            Command::Import(import) => import.run(session),
            Command::Explain(explain) => explain.run(session),
            Command::Proof(proof) => proof.run(session),
            Command::Completion(completion) => completion.run(session),
        }
    }
}

/// The version, with the solvers' own versions, so that an unexpected library is noticed.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let versions: Vec<String> = conjure_like::solver_versions().collect();
    let with = if versions.is_empty() { String::new() } else { format!(" ({})", versions.join(", ")) };
    format!("{}{with}", env!("CARGO_PKG_VERSION"))
});

/// The exit codes of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// A definite answer, "there is no solution" included.
    Answer = 0,
    /// A bug in conjure-like.
    Fault = 1,
    /// A mistake of the user's: command line, files, syntax, types, data.
    UserError = 2,
    /// A limit ended the search before it had an answer.
    Limit = 3,
    /// With `--exit-status`, as SAT solvers do.
    Satisfiable = 10,
    Unsatisfiable = 20,
    Optimal = 30,
}

impl Exit {
    /// The exit code of two runs together.
    fn worse(self, other: Exit) -> Exit {
        let order = |exit: &Exit| match exit {
            Exit::Fault => 3,
            Exit::UserError => 2,
            Exit::Limit => 1,
            _ => 0,
        };
        std::cmp::max_by_key(self, other, order)
    }
}

/// Nesting is limited by the parser, to what fits into such a stack many times over. It takes memory as it is used.
const STACK: usize = 512 << 20;

/// Reads the command line and runs the command.
pub(crate) fn main() -> ExitCode {
    bug::install_hook();
    let run = || {
        let (arguments, files) = match command_line::read() {
            Ok(read) => read,
            Err(exit) => return exit,
        };
        interrupt::start(&arguments.limits, &arguments.reporting);
        Session::new(arguments.reporting, files).run(|session| arguments.command.run(session))
    };
    let exit = match thread::Builder::new().stack_size(STACK).spawn(run) {
        // A panic has been reported by the hook.
        Ok(running) => running.join().unwrap_or(Exit::Fault),
        Err(error) => {
            let message = format!("the system refuses a thread with a stack of {} MB: {error}", STACK >> 20);
            report::error(&message, &[], &[]);
            Exit::Fault
        }
    };
    ExitCode::from(exit as u8)
}
