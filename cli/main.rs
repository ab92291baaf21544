//! The program `conjure-like`: the table of its commands and the layers below them.
//!
//! A command gets an [`Invocation`], reads files into it and collects errors in it; it returns an exit code, or `None`
//! after a user error. The program is a separate crate, which uses the public interface of the library. Its rooms are
//! layered: commands use `outputs`, `inputs` and `runtime`, in this order (`tests/architecture.rs` checks it).

mod about;
mod bug;
mod checking;
mod command_line;
mod explaining;
mod inputs;
mod outputs;
mod runtime;
mod servers;
mod solving;
mod teaching;
mod texts;

use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand};
use inputs::invocation::Invocation;
use runtime::{Exit, NAME, WIDTH, interrupt, report};
use std::{process::ExitCode, thread};

/// Compiles Essence models and solves them.
///
/// A model says what is given, what to find and what must hold. A parameter file has the data of one
/// instance.
#[derive(Parser)]
#[command(name = NAME, version = env!("CARGO_PKG_VERSION"), max_term_width = WIDTH, arg_required_else_help = true)]
#[command(after_help = "Example: conjure-like solve models/futoshiki.essence params/futoshiki-4.param")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    limits: runtime::limits::LimitOptions,
    #[command(flatten)]
    reporting: runtime::report::ReportOptions,
}

#[derive(Subcommand)]
enum Command {
    /// Finds solutions of a model and prints them
    ///
    /// Each parameter file is a separate instance. Solutions go to standard output, everything else to standard error.
    Solve(Box<Deferred<solving::solve::SolveCommand>>),
    /// Solves an instance repeatedly while its requirements and data change
    ///
    /// Reads requests in JSON from standard input, one per line, and answers each on a line of standard output. The
    /// solver keeps what it has learnt from one request to the next. docs/sessions.md lists the requests.
    Session(Deferred<servers::session::SessionCommand>),
    /// Answers requests of other programs, one per line in JSON
    ///
    /// Requests come on standard input. Each answer consists of lines of JSON on standard output; the last one is a
    /// result or a failure. docs/protocol.md lists the requests.
    Serve(Deferred<servers::serve::ServeCommand>),
    /// Checks a model, and parameter files against it
    ///
    /// Prints the mistakes, or nothing if there are none. Comments about pictures are checked, too.
    #[command(visible_alias = "check")]
    TypeCheck(Deferred<checking::type_check::TypeCheckCommand>),
    /// Searches with textbook algorithms, and shows the steps
    ///
    /// The search assigns one variable after another. A strategy consists of words joined by `+`. Propagation: bt
    /// (backtracking alone), fc (forward checking), mac (arc consistency after each assignment), ac3 (arc consistency
    /// before the search). Variable order: mrv (fewest remaining values first), mrv-degree (the same, then most
    /// constraints), dom/wdeg. Value order: lcv (least constraining value first).
    Search(Deferred<solving::search::SearchCommand>),
    /// Profiles a model: the cost of each part
    ///
    /// For each declaration and constraint: instances of quantified names, terms, variables and clauses of the SAT
    /// solver, and how many of the clauses that it learnt were derived with their help.
    Profile(Deferred<solving::profile::ProfileCommand>),
    /// Prints a model or parameter file in the canonical layout
    ///
    /// Comments and blank lines are kept. The text goes to standard output.
    Pretty(Deferred<texts::pretty::PrettyCommand>),
    /// Formats files in the canonical layout
    ///
    /// The files are rewritten in place. Comments and blank lines are kept. A file with a mistake stays as it is.
    Fmt(Deferred<texts::pretty::FmtCommand>),
    /// Compares two parameter files or solutions by their values
    ///
    /// Prints the names whose values differ. Layout and the order of members and statements are ignored.
    Diff(Deferred<checking::diff::DiffCommand>),
    /// Checks that a solution satisfies a model
    ///
    /// Names the violated constraint, or the value outside its domain.
    ValidateSolution(Deferred<checking::validate_solution::ValidateSolutionCommand>),
    /// Runs the test cases of models
    ///
    /// Cases are comments such as `$ solutions: 4` or `$ refuses: letting x be 3` in models, in parameter files that
    /// name their model, and in separate files. For each failed case, shows the expected and the actual result, with a
    /// solution or the requirements that are to blame.
    Test(Deferred<checking::test::TestCommand>),
    /// Explains why a model has no solution
    ///
    /// Shows requirements that cannot hold together: constraints, with the values of their quantified names, entries
    /// of the data, bounds and attributes of domains. All of them are needed. Then shows single changes that make a
    /// solution possible.
    Why(Deferred<explaining::why::WhyCommand>),
    /// Shows the next step towards the solution, and why it follows
    ///
    /// The next step is the value that follows from the fewest requirements. If every value needs too many
    /// requirements, the step says which value a part cannot have.
    Hint(Deferred<explaining::hint::HintCommand>),
    /// Shows the number of solutions and the possible values
    ///
    /// For each part of the decision variables, shows the values that it takes in solutions, and how often. Also shows
    /// the solutions that differ most, and the number of solutions up to symmetry.
    Explore(Deferred<explaining::explore::ExploreCommand>),
    /// Turns a model into a web page for people who do not know Essence
    ///
    /// They enter data in forms and set values by clicking; the solver in the page fills in the rest. The page is one
    /// file that works offline.
    App(Deferred<teaching::app::AppCommand>),
    /// Makes puzzles: data with exactly one solution, as hard as you want
    ///
    /// Chooses clues for a random solution until it is the only one and no clue can be left out. Measures the
    /// difficulty by the steps that `hint` shows, and writes parameter files or a printable sheet.
    Puzzle(Deferred<teaching::puzzle::PuzzleCommand>),
    /// Checks if two models allow the same solutions
    ///
    /// Looks for a solution of one model that the other refuses, on the given instances or on generated small ones, and
    /// shows the requirements that refuse it.
    Compare(Deferred<checking::compare::CompareCommand>),
    /// Reviews a change of a model: the solutions that it lost and gained
    ///
    /// For each instance, shows a new and a lost solution with a picture and the deciding requirements, changed best
    /// values, and changes in solving time. The report says what was checked; it is text, Markdown, JSON or a page.
    Review(Deferred<checking::review::ReviewCommand>),
    /// Improves a model: edits that keep its solutions, and what each saves
    ///
    /// Looks for attributes and bounds that follow from constraints, for global constraints, quantifiers that can do
    /// less, implied requirements and symmetries. Says why each holds and for which data, and measures it.
    Improve(Box<Deferred<checking::improve::ImproveCommand>>),
    /// Lists streamliners of a model, and chooses the best ones on training instances
    ///
    /// A streamliner is a constraint that may exclude solutions but makes the search short: only odd values, the lower
    /// half of a range, increasing values. `solve --streamliners` tries the chosen ones before the whole space.
    #[command(alias = "streamlining")]
    Streamline(Deferred<checking::streamline::StreamlineCommand>),
    /// Asks which of several models is meant, by small examples
    ///
    /// Shows an instance and a candidate solution on which the models disagree, and asks if that is allowed. Each
    /// answer refutes models and becomes a test case, until the remaining models agree on all small instances.
    Ask(Deferred<checking::ask::AskCommand>),
    /// Grades submissions to an exercise
    ///
    /// Compares each submission with the reference of the exercise, on its instances and on generated small ones.
    /// Writes a table and, for each submission, its mistakes, each with a solution that shows it.
    Grade(Deferred<teaching::grade::GradeCommand>),
    /// Grades one submission from standard input
    #[command(hide = true)]
    GradeWorker(Deferred<teaching::grade::GradeWorker>),
    /// Turns an exercise into HTML for your own page
    ///
    /// Students check their answers in the browser. The page contains the reference, compressed and encoded against
    /// accidental reading; it is not secret.
    Embed(Deferred<teaching::grade::Embed>),
    /// Runs an experiment: models, instances, settings and seeds
    ///
    /// Runs locally or on a scheduler, stores each result as a line, and resumes where it was stopped.
    Campaign(Deferred<solving::campaign::CampaignCommand>),
    /// Makes instances of a wanted difficulty, similar to examples
    ///
    /// Makes data that fit the model, with sizes and densities as in the examples, solves them, and keeps what is
    /// wanted: with or without a solution, answered within a range of times, fast with one solver and slow with
    /// another one.
    Instances(Deferred<solving::instances::InstancesCommand>),
    /// Solves one instance from standard input
    #[command(hide = true)]
    InstancesWorker(Deferred<solving::instances::worker::InstancesWorker>),
    /// Splits a hard instance into parts for many machines
    ///
    /// The parts are conditions in Essence such as `board[1, 1] = 3`. Each solution is in exactly one of them.
    Cubes(Deferred<solving::cubes::CubesCommand>),
    /// Evaluates an expression, or starts an interactive session
    ///
    /// The expression may refer to the names of a model, if there are data and a solution that give them values.
    /// Prints the value and its type.
    Eval(Deferred<texts::eval::EvalCommand>),
    /// Turns a puzzle in a common notation into a parameter file
    ///
    /// The parameter file goes to standard output.
    Import(Deferred<texts::import::ImportCommand>),
    /// Writes a model whose solutions are parameters of a model
    ///
    /// Its solutions are parameter files. Parameters become decision variables, and `where` becomes `such that`.
    ParameterGenerator(Deferred<texts::parameter_generator::ParameterGeneratorCommand>),
    /// Runs the language server for editors
    ///
    /// The server speaks the Language Server Protocol on standard input and output: mistakes and quick fixes while you
    /// type, explanations, completion, definitions, references, new names, outlines, formatting, solving.
    Lsp(Deferred<servers::lsp::LspCommand>),
    /// Runs the server for AI assistants (Model Context Protocol)
    ///
    /// The server uses standard input and output. Its tools receive models and data as text, do not access files, and
    /// have limits for each call.
    Mcp(Deferred<servers::mcp::McpCommand>),
    /// Answers one request of an assistant from standard input
    #[command(hide = true)]
    McpWorker(Deferred<servers::mcp::McpWorker>),
    /// Ends the child processes that this program leaves behind if it is killed
    #[command(hide = true)]
    Guard,
    /// Explains an error, an operator, an attribute or a keyword
    Explain(Deferred<about::explain::ExplainCommand>),
    /// Checks proofs that `solve --proof` has written
    Proof(Deferred<checking::proof::ProofCommand>),
    /// Checks certificates that `solve --certify` has written
    Certificate(Deferred<checking::certificate::CertificateCommand>),
    /// Lists the solvers, and shows how to install missing ones
    ///
    /// Z3 and CP-SAT are libraries, loaded when a search needs them. They are looked for beside the program, in a
    /// folder in the user's home, and in the system's library folders.
    Solvers(Deferred<about::solvers::SolversCommand>),
    /// Prints a completion script for a shell
    Completion(Deferred<about::completion::CompletionCommand>),
    /// Writes the pages of the manual for `man` into a folder
    #[command(hide = true)]
    Man(Deferred<about::man::ManCommand>),
    /// Prints a model or its declarations as JSON
    ///
    /// For programs that work with models; the format is Conjure's. The default is the syntax tree.
    #[command(hide = true)]
    Ide(Deferred<texts::ide::IdeCommand>),
}

/// The arguments of a command, which are described to clap only if the command is given or the whole help is printed.
struct Deferred<T>(T);

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.defer(T::augment_args)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command.defer(T::augment_args_for_update)
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches(matches).map(Deferred)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches_mut(matches).map(Deferred)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl Command {
    fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        match self {
            Command::Solve(solve) => solve.0.run(invocation),
            Command::Session(Deferred(command)) => command.run(invocation),
            Command::Serve(Deferred(command)) => command.run(invocation),
            Command::TypeCheck(Deferred(check)) => check.run(invocation),
            Command::ValidateSolution(Deferred(validate)) => validate.run(invocation),
            Command::Search(Deferred(search)) => search.run(invocation),
            Command::Test(Deferred(test)) => test.run(invocation),
            Command::Why(Deferred(why)) => why.run(invocation),
            Command::Hint(Deferred(hint)) => hint.run(invocation),
            Command::Explore(Deferred(explore)) => explore.run(invocation),
            Command::App(Deferred(app)) => app.run(invocation),
            Command::Puzzle(Deferred(puzzle)) => puzzle.run(invocation),
            Command::Profile(Deferred(profile)) => profile.run(invocation),
            Command::Pretty(Deferred(pretty)) => pretty.run(invocation),
            Command::Fmt(Deferred(fmt)) => fmt.run(invocation),
            Command::Diff(Deferred(diff)) => diff.run(invocation),
            Command::Compare(Deferred(compare)) => compare.run(invocation),
            Command::Review(Deferred(review)) => review.run(invocation),
            Command::Improve(improve) => improve.0.run(invocation),
            Command::Streamline(Deferred(streamline)) => streamline.run(invocation),
            Command::Ask(Deferred(ask)) => ask.run(invocation),
            Command::Grade(Deferred(grade)) => grade.run(invocation),
            Command::Embed(Deferred(embed)) => embed.run(invocation),
            Command::GradeWorker(Deferred(worker)) => worker.run(),
            Command::Campaign(Deferred(campaign)) => campaign.run(invocation),
            Command::Instances(Deferred(instances)) => instances.run(invocation),
            Command::InstancesWorker(Deferred(worker)) => worker.run(),
            Command::Cubes(Deferred(cubes)) => cubes.run(invocation),
            Command::Eval(Deferred(eval)) => eval.run(invocation),
            Command::Import(Deferred(import)) => import.run(invocation),
            Command::ParameterGenerator(Deferred(generator)) => generator.run(invocation),
            Command::Lsp(Deferred(lsp)) => lsp.run(),
            Command::Mcp(Deferred(mcp)) => mcp.run(),
            Command::McpWorker(Deferred(worker)) => worker.run(),
            Command::Guard => Some(runtime::processes::guard()),
            Command::Explain(Deferred(explain)) => explain.run(invocation),
            Command::Proof(Deferred(proof)) => proof.run(invocation),
            Command::Certificate(Deferred(certificate)) => certificate.run(invocation),
            Command::Solvers(Deferred(solvers)) => solvers.run(invocation),
            Command::Completion(Deferred(completion)) => completion.run(invocation),
            Command::Man(Deferred(man)) => man.run(invocation),
            Command::Ide(Deferred(ide)) => ide.run(invocation),
        }
    }
}

/// Runs the program on a thread with a deep stack.
fn main() -> ExitCode {
    bug::install_hook();
    // When a command ends, all its output has been written. Skipping the thread's destructors saves the time that Z3
    // needs to free its terms.
    let run = || -> Exit { interrupt::quit(run_program() as i32) };
    let exit = match thread::Builder::new().stack_size(conjure_like::DEEP_STACK).spawn(run) {
        // The hook has already reported a panic.
        Ok(running) => running.join().unwrap_or(Exit::Fault),
        Err(error) => {
            let message =
                format!("there is not enough memory for a stack of {} MB: {error}", conjure_like::DEEP_STACK >> 20);
            report::report_error(&message, &["allow more memory (`ulimit -v`)".to_owned()], &[]);
            Exit::Limit
        }
    };
    ExitCode::from(exit as u8)
}

/// Reads the command line and runs the command.
fn run_program() -> Exit {
    conjure_like_system::show_colours();
    let (mut arguments, files) = match command_line::parse_command_line() {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    if let Command::Solve(solve) = &mut arguments.command {
        if arguments.reporting.lines {
            solve.0.output.output_format = outputs::solutions::SolutionFormat::Lines;
        }
        // For clients of Conjure, any byte on standard error means a failure.
        arguments.reporting.notices_to_stdout = solve.0.output.is_for_clients();
    }
    // The guard lives as long as the process that has started it, so it has no limits.
    if !matches!(arguments.command, Command::Guard) {
        runtime::limits::start_limits(&arguments.limits, &arguments.reporting);
    }
    Invocation::new(arguments.reporting, files).run(|invocation| arguments.command.run(invocation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// A doc comment on a group of options would replace the description.
    #[test]
    fn commands_have_descriptions_of_their_own() {
        let descriptions: Vec<&str> = include_str!("main.rs").lines().map(|line| line.trim()).collect();
        let mut arguments = Arguments::command();
        arguments.build();
        for command in arguments.get_subcommands().filter(|command| command.get_name() != "help") {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let line = format!("/// {about}");
            let described = descriptions.iter().position(|known| *known == line);
            let names = descriptions.iter().skip(described.unwrap_or(descriptions.len()));
            let variant = names.copied().find(|line| !line.starts_with("///") && !line.starts_with("#["));
            let variant = variant.and_then(|line| line.split(['(', ',']).next()).unwrap_or_default();
            let name: String = command
                .get_name()
                .split('-')
                .flat_map(|word| {
                    let (first, rest) = word.split_at(1);
                    [first.to_uppercase(), rest.to_owned()]
                })
                .collect();
            assert_eq!(variant, name, "the help of `{}` begins with: {about}", command.get_name());
        }
    }

    /// clap checks this itself, but only in builds with debug assertions.
    #[test]
    fn options_of_a_command_have_names_of_their_own() {
        let mut arguments = Arguments::command();
        arguments.build();
        for command in arguments.get_subcommands() {
            let mut seen = BTreeSet::new();
            for argument in command.get_arguments() {
                let (id, command) = (argument.get_id().as_str(), command.get_name());
                assert!(seen.insert(id), "{command} has two options {id}");
            }
        }
    }
}
