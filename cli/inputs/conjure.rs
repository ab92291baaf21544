//! Compatibility with Conjure's command line: its options without a meaning here, its names of solvers, and its other
//! commands.
//!
//! Scripts written for Conjure run unchanged: an option that chooses *how* Conjure works is accepted with a note, and
//! one that would change *what* is answered is refused, with the counterpart to type instead.

use crate::runtime::numbers::whole_number;
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    parser::ValueSource,
};
use conjure_like::{Code, Diagnostic, SolverName};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// An option of Conjure's `solve`.
struct ForeignOption {
    name: &'static str,
    short: Option<char>,
    takes: OptionArgument,
    effect: Effect,
}

#[derive(Clone, Copy, PartialEq)]
enum OptionArgument {
    Value,
    /// `--channelling` or `--channelling=no`.
    Switch,
    /// A refinement strategy; checked, so that a file name is not taken for one.
    Strategy,
}

#[derive(Clone, Copy)]
enum Effect {
    /// The option asks for something that happens anyway, or that no answer shows.
    None,
    /// The option chooses between ways to refine or solve a model that do not exist here.
    OtherWay,
    /// The option would change the answer; the text gives the counterpart.
    Refused(&'static str),
}

const fn option(name: &'static str, takes: OptionArgument, effect: Effect) -> ForeignOption {
    ForeignOption { name, short: None, takes, effect }
}

const fn strategy(name: &'static str, short: Option<char>) -> ForeignOption {
    ForeignOption { name, short, takes: OptionArgument::Strategy, effect: Effect::OtherWay }
}

const OPTIONS: [ForeignOption; 34] = [
    strategy("strategy-a", Some('a')),
    strategy("strategy-q", None),
    strategy("representations", None),
    strategy("representations-finds", None),
    strategy("representations-givens", None),
    strategy("representations-auxiliaries", None),
    strategy("representations-quantifieds", None),
    strategy("representations-cuts", None),
    option("channelling", OptionArgument::Switch, Effect::OtherWay),
    option("representation-levels", OptionArgument::Switch, Effect::OtherWay),
    option("responses", OptionArgument::Value, Effect::OtherWay),
    option("responses-representation", OptionArgument::Value, Effect::OtherWay),
    option("choices", OptionArgument::Value, Effect::OtherWay),
    option("portfolio", OptionArgument::Value, Effect::OtherWay),
    option("limit-models", OptionArgument::Value, Effect::OtherWay),
    option("numbering-start", OptionArgument::Value, Effect::OtherWay),
    option("smart-filenames", OptionArgument::Switch, Effect::OtherWay),
    option("savilerow-options", OptionArgument::Value, Effect::OtherWay),
    option("solver-options", OptionArgument::Value, Effect::OtherWay),
    option("use-existing-models", OptionArgument::Value, Effect::OtherWay),
    option("follow-model", OptionArgument::Value, Effect::OtherWay),
    option("validate-solutions", OptionArgument::Switch, Effect::None),
    option("verbose-trail", OptionArgument::Switch, Effect::None),
    option("rewrites-trail", OptionArgument::Switch, Effect::None),
    option("log-rule-fails", OptionArgument::Switch, Effect::None),
    option("log-rule-successes", OptionArgument::Switch, Effect::None),
    option("log-rule-attempts", OptionArgument::Switch, Effect::None),
    option("log-choices", OptionArgument::Switch, Effect::None),
    option("cgroups", OptionArgument::Switch, Effect::None),
    option(
        "generate-streamliners",
        OptionArgument::Value,
        Effect::Refused(
            "choose streamliners with `conjure-like streamline`, and try them first with --streamliners FILE",
        ),
    ),
    option("graph-solver", OptionArgument::Switch, Effect::Refused("leave it out: there is no graph solver here")),
    option(
        "runsolver-cpu-time-limit",
        OptionArgument::Value,
        Effect::Refused("use --limit-time=SECONDS, a limit on elapsed time"),
    ),
    option("runsolver-wall-time-limit", OptionArgument::Value, Effect::Refused("use --limit-time=SECONDS")),
    option("runsolver-memory-limit", OptionArgument::Value, Effect::Refused("use --limit-memory=MB")),
];

impl ForeignOption {
    /// The usual form of the option.
    fn typed(&self) -> String {
        self.short.map_or_else(|| format!("--{}", self.name), |letter| format!("-{letter}"))
    }

    /// Returns true if a word may be this option, also with a single dash or among short options.
    fn may_be(&self, word: &str) -> bool {
        let Some(name) = word.strip_prefix('-') else { return false };
        let letter = self.name.strip_prefix("strategy-");
        name.trim_start_matches('-').starts_with(self.name) || letter.is_some_and(|letter| name.contains(letter))
    }

    fn argument(&self) -> Arg {
        let arg = Arg::new(self.name).long(self.name).short(self.short).hide(true).action(ArgAction::Append);
        match self.takes {
            OptionArgument::Value => arg.allow_hyphen_values(true),
            OptionArgument::Switch => switch(arg),
            OptionArgument::Strategy => arg.value_parser(is_strategy),
        }
    }
}

/// Makes an option a switch that is `yes` alone or takes `=yes` or `=no`, as in Conjure.
pub(crate) fn switch(arg: Arg) -> Arg {
    arg.num_args(0..=1).require_equals(true).default_missing_value("yes").value_parser(is_on)
}

/// The first lines of the version, which clients of Conjure look for: the release whose command line is understood.
pub(crate) const VERSION: &str = "\
Conjure: The Automated Constraint Modelling Tool
Conjure v2.6.1 (Repository version: none, this is conjure-like)";

/// True if the program was called as `conjure`, by programs and people who use that name.
pub(crate) fn is_called_conjure() -> bool {
    let name = env::args_os().next().map(PathBuf::from);
    name.is_some_and(|name| name.file_stem().is_some_and(|stem| stem == "conjure"))
}

/// Conjure's words for on and off.
pub(crate) fn is_on(text: &str) -> Result<bool, &'static str> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "on" | "true" | "1" => Ok(true),
        "no" | "off" | "false" | "0" => Ok(false),
        _ => Err("`yes` or `no`"),
    }
}

/// The message for a wrong value of `-a`.
pub(crate) const NO_STRATEGY: &str = "not a strategy of Conjure";

fn is_strategy(text: &str) -> Result<String, &'static str> {
    let strategy = text.strip_prefix('a').filter(|rest| !rest.is_empty()).unwrap_or(text);
    match ["c", "s", "x", "f", "l", "r", "i"].contains(&strategy) {
        true => Ok(text.to_owned()),
        false => Err(NO_STRATEGY),
    }
}

// Some of Conjure's commands have these options for the layout of Essence and JSON. A doc comment here would become the
// description of the command.
#[derive(Args)]
pub(crate) struct LayoutOptions {
    #[arg(long = "output-format", hide = true, value_name = "FORMAT")]
    _output_format: Option<String>,
    #[arg(long = "line-width", hide = true, value_name = "COLUMNS", value_parser = whole_number::<usize>(0..))]
    _line_width: Option<usize>,
}

/// The options of Conjure on the command line.
pub(crate) struct ConjureOptions {
    given: Vec<&'static ForeignOption>,
}

/// Rewrites `-qf` and `-q f` after `solve` as `--strategy-q=f`, because `-q` has another meaning here.
pub(crate) fn without_short_strategy(words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_none_or(|word| word != "solve") {
        return words;
    }
    let mut written: Vec<OsString> = Vec::new();
    for word in words {
        let text = word.to_str().unwrap_or_default();
        let before = written.last().is_some_and(|before| before == "-q");
        // If there is a file `f`, `-q f` means the option -q and this file.
        if before && is_strategy(text).is_ok() && !Path::new(text).exists() {
            written.pop();
            written.push(format!("--strategy-q={text}").into());
        } else if let Some(strategy) = text.strip_prefix("-q").filter(|rest| is_strategy(rest).is_ok()) {
            written.push(format!("--strategy-q={strategy}").into());
        } else {
            written.push(word);
        }
    }
    written
}

/// Describes to clap only the options that occur on the command line: each costs time, and help does not show them.
impl Args for ConjureOptions {
    fn augment_args(command: Command) -> Command {
        let words: Vec<String> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let typed = OPTIONS.iter().filter(|option| words.iter().any(|word| option.may_be(word)));
        command.args(typed.map(ForeignOption::argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ConjureOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given = |option: &&ForeignOption| {
            // `value_source` panics for an option without a description.
            let is_described = matches.try_contains_id(option.name).is_ok();
            is_described && matches.value_source(option.name) == Some(ValueSource::CommandLine)
        };
        Ok(ConjureOptions { given: OPTIONS.iter().filter(is_given).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ConjureOptions {
    /// The note about options without effect, or the error about one that would change the answer.
    pub(crate) fn note(&self) -> Result<Option<String>, Diagnostic> {
        let mut without_effect = Vec::new();
        for option in &self.given {
            match option.effect {
                Effect::None => {}
                Effect::OtherWay => without_effect.push(format!("`{}`", option.typed())),
                Effect::Refused(instead) => {
                    let message = format!("conjure-like does not have Conjure's option `{}`", option.typed());
                    return Err(Diagnostic::error(Code::COMMAND_LINE, message).help(instead));
                }
            }
        }
        Ok(match without_effect.as_slice() {
            [] => None,
            [one] => Some(format!("{one} has no effect: {OTHER_WAY}")),
            [others @ .., last] => Some(format!("{} and {last} have no effect: {OTHER_WAY}", others.join(", "))),
        })
    }
}

/// The reason why options for refinement have no effect.
const OTHER_WAY: &str = "conjure-like translates a model and its data in its own way";

/// A solver, by its name here or in Conjure.
#[derive(Clone, Debug)]
pub(crate) struct NamedSolver {
    pub solver: SolverName,
    typed: String,
}

/// The name of a solver that is a command of the system.
const EXTERNAL: &str = "external";

/// The names of Conjure's solvers that are not built in under these names, with the nearest built-in ones.
const SOLVERS: [(&str, SolverName); 26] = [
    ("minion", SolverName::Auto),
    ("gecode", SolverName::Auto),
    ("chuffed", SolverName::Auto),
    ("or-tools", SolverName::CpSat),
    ("glucose", SolverName::Auto),
    ("glucose-syrup", SolverName::Auto),
    ("lingeling", SolverName::Auto),
    ("plingeling", SolverName::Auto),
    ("treengeling", SolverName::Auto),
    ("kissat", SolverName::Auto),
    ("minisat", SolverName::Auto),
    ("bc_minisat_all", SolverName::Auto),
    ("nbc_minisat_all", SolverName::Auto),
    ("bdd_minisat_all", SolverName::Auto),
    ("open-wbo", SolverName::Auto),
    ("wmaxcdcl", SolverName::Auto),
    ("coin-or", SolverName::Auto),
    ("cplex", SolverName::Auto),
    ("boolector", SolverName::Auto),
    ("boolector-bv", SolverName::Auto),
    ("yices", SolverName::Auto),
    ("yices-bv", SolverName::Auto),
    ("yices-lia", SolverName::Auto),
    ("yices-idl", SolverName::Auto),
    ("z3-bv", SolverName::Z3),
    ("z3-lia", SolverName::Z3),
];

impl NamedSolver {
    /// The value parser, which offers the built-in solvers and accepts Conjure's names, too.
    pub(crate) fn parser() -> impl TypedValueParser<Value = NamedSolver> {
        let ours = SolverName::all().map(|solver| PossibleValue::new(solver.name()));
        let external = PossibleValue::new(EXTERNAL).help("the command of --solver-command");
        let theirs = SOLVERS.map(|(name, _)| PossibleValue::new(name).hide(true));
        PossibleValuesParser::new(ours.chain([external]).chain(theirs)).map(|typed| {
            let nearest = || SOLVERS.iter().find(|(name, _)| *name == typed).map(|(_, solver)| *solver);
            // The nearest solver may be missing in this build.
            let there_is = |solver: &SolverName| SolverName::all().any(|other| other == *solver);
            let solver = typed.parse().ok().or_else(|| nearest().filter(there_is));
            NamedSolver { solver: solver.unwrap_or_default(), typed }
        })
    }

    /// True if the solver is a command of the system.
    pub(crate) fn is_external(&self) -> bool {
        self.typed == EXTERNAL
    }

    /// The name for statistics.
    pub(crate) fn name(&self) -> &'static str {
        if self.is_external() { EXTERNAL } else { self.solver.name() }
    }

    /// The note about the solver that is used in place of the named one.
    pub(crate) fn note(&self) -> Option<String> {
        let (typed, name) = (&self.typed, self.solver.name());
        match self.solver {
            _ if self.is_external() => None,
            SolverName::Auto if SolverName::Z3.library().is_some_and(|library| library.is_err()) => Some(
                "Z3 was not found; the other solvers search without it, and `conjure-like solvers` says how to get it"
                    .to_owned(),
            ),
            _ if typed == name => None,
            SolverName::Auto => Some(format!(
                "the solver `{typed}` is not built in; `auto` is used, a portfolio of z3, cadical and cp-sat"
            )),
            _ => Some(format!("the solver `{typed}` is called `{name}` here")),
        }
    }
}

/// Conjure's commands without a counterpart, with the way to get the same effect here.
const COMMANDS: [(&str, &str); 7] = [
    (
        "modelling",
        "`conjure-like solve MODEL PARAM` solves at once; --emit representations and --representation show and choose \
         what Conjure calls a model, and --emit essence-prime writes the instance in Essence′",
    ),
    ("translate-parameter", "give the parameter file to `conjure-like solve MODEL PARAM`"),
    ("translate-solution", "`conjure-like solve MODEL PARAM --emit essence-prime --read-assignment FILE`"),
    (
        "symmetry-detection",
        "`conjure-like improve` shows symmetries of a model, and `solve --symmetry=auto` breaks them",
    ),
    ("split", "keep the parts of a model in separate files"),
    ("boost", "`conjure-like improve MODEL` proposes what follows from the constraints, and --apply writes it"),
    ("autoig", "solve the model that `conjure-like parameter-generator` writes, with -n"),
];

/// The error for one of Conjure's other commands, and what to do instead.
pub(crate) fn foreign_command(words: &[OsString]) -> Option<(String, String)> {
    let word = words.get(1)?;
    let (name, instead) = COMMANDS.iter().find(|(name, _)| *word == **name)?;
    let what = format!("`{name}` belongs to Conjure's translation for Savile Row, which does not exist here");
    Some((what, (*instead).to_owned()))
}
