//! Parses the command line, or answers with the right command to type.

use crate::{
    Arguments,
    inputs::{
        conjure,
        roles::{Files, typed},
    },
    runtime::{Exit, NAME, VERSION, WIDTH, files::FORGOTTEN, report, stdout},
};
use clap::{
    Command, CommandFactory, FromArgMatches,
    error::{ContextKind, ErrorKind},
};
use conjure_like::visible;
use std::{
    env,
    error::Error,
    ffi::OsString,
    io::{self, IsTerminal},
};

/// The arguments of the program and its files, or the exit code if there is nothing to run.
pub(crate) fn parse_command_line() -> Result<(Arguments, Option<Files>), Exit> {
    let mut words = conjure::without_short_strategy(env::args_os().collect());
    // On some systems, program files have an extension, which messages leave out.
    let plain = words.first().and_then(|name| name.to_str()?.strip_suffix(env::consts::EXE_SUFFIX).map(OsString::from));
    words.splice(..usize::from(plain.is_some()), plain);
    if let Some((what, help)) = conjure::foreign_command(&words) {
        report::report_error(&what, &[help], &[]);
        return Err(Exit::UserError);
    }
    if let Some(exit) = one_dash(&words) {
        return Err(exit);
    }
    let matches = clap_command(&words).try_get_matches_from(&words);
    let read = matches.and_then(|mut matches| {
        let files = Files::of(&words, &matches);
        Ok((Arguments::from_arg_matches_mut(&mut matches)?, files))
    });
    read.map_err(|error| answer_clap_error(&error, &words))
}

/// The command line for clap: if the first word names a command, only that command. Clap copies the common options for
/// each command, which takes longer than parsing the words.
fn clap_command(words: &[OsString]) -> Command {
    let all = Arguments::command();
    match words.get(1).and_then(|word| all.find_subcommand(word)) {
        Some(typed) => {
            let common = all.get_arguments().cloned();
            let alone = Command::new(NAME).version("").max_term_width(WIDTH).disable_help_subcommand(true);
            alone.args(common).subcommand(typed.clone())
        }
        None => all,
    }
}

/// Prints the help, the version, or the error.
fn answer_clap_error(error: &clap::Error, words: &[OsString]) -> Exit {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand) {
        return print_help(error);
    }
    if let Some((what, help)) = forgotten_name(error, words).or_else(|| all_by_letter(error, words)) {
        report::report_error(&what, &[help], &[]);
        return Exit::UserError;
    }
    let text = error.render();
    let plain = text.to_string();
    // The message quotes the command line, whose control characters must not reach the terminal.
    match wants_colours() && io::stderr().is_terminal() && visible::text(&plain) == plain {
        true => report::print_styled(&text.ansi().to_string()),
        false => report::say(plain.trim_end()),
    }
    Exit::UserError
}

/// Prints the help or the version.
fn print_help(error: &clap::Error) -> Exit {
    if error.kind() == ErrorKind::DisplayVersion {
        let ours = format!("{NAME} {}\n", *VERSION);
        let before = if conjure::is_called_conjure() { conjure::VERSION.to_owned() + "\n" } else { String::new() };
        return wrote(stdout::write(&(before + &ours)));
    }
    let text = error.render();
    let text = if wants_colours() && io::stdout().is_terminal() { text.ansi().to_string() } else { text.to_string() };
    wrote(stdout::write(&text))
}

fn wrote(written: Result<(), stdout::Failure>) -> Exit {
    match written {
        Ok(()) | Err(stdout::Failure::NoReader) => Exit::Answer,
        Err(stdout::Failure::Refused(refused)) => {
            report::report_error(&refused.message, &[], &[]);
            Exit::UserError
        }
    }
}

fn wants_colours() -> bool {
    env::var_os("NO_COLOR").is_none()
}

/// The error for `-a` without a strategy of Conjure; in other programs, it asks for all solutions.
fn all_by_letter(error: &clap::Error, words: &[OsString]) -> Option<(String, String)> {
    let option = error.get(ContextKind::InvalidArg)?.to_string();
    if !option.starts_with("--strategy-a") {
        return None;
    }
    let with_all = |word: &OsString| match word == "-a" {
        true => vec!["-n".into(), "all".into()],
        false => vec![word.clone()],
    };
    let command = typed(["conjure-like".into()].into_iter().chain(words.iter().skip(1).flat_map(with_all)));
    let what = "`-a` is followed by a strategy of Conjure, such as `-ac`, and has no effect";
    Some((what.to_owned(), format!("to find all solutions, write {command}")))
}

/// The error for an option that needs a file name and is followed by the model.
fn forgotten_name(error: &clap::Error, words: &[OsString]) -> Option<(String, String)> {
    if error.source().is_none_or(|source| source.to_string() != FORGOTTEN) {
        return None;
    }
    let option = error.get(ContextKind::InvalidArg)?.to_string();
    let value = error.get(ContextKind::InvalidValue)?.to_string();
    let placeholder = option.split(['<', '>']).nth(1).unwrap_or("FILE");
    let names = option.split_whitespace().next().unwrap_or_default();
    let long = format!("{names}={value}");
    let follows_option = |at: usize| at > 0 && words[at - 1].to_str().is_some_and(|word| word.starts_with('-'));
    let elsewhere = words.iter().enumerate().any(|(at, word)| *word == *value && !follows_option(at));
    // If the name occurs nowhere else, it is also the file that the command needs.
    let with_value =
        |words: Vec<OsString>| if elsewhere { words } else { [words, vec![value.clone().into()]].concat() };
    let command = words.iter().enumerate().skip(1).flat_map(|(at, word)| match word.to_str() {
        Some(word) if word == value && follows_option(at) => with_value(vec![placeholder.into()]),
        Some(word) if word == long => with_value(vec![names.into(), placeholder.into()]),
        _ => vec![word.clone()],
    });
    let command = typed(["conjure-like".into()].into_iter().chain(command));
    let what = format!("`{names}` needs its own name, but `{value}` looks like a model, parameters or a solution");
    Some((what, format!("did you forget the file name after `{names}`? {command}")))
}

/// Reports a long option with one dash: `-limit-time=5` would be parsed as `-l` and other short options.
fn one_dash(words: &[OsString]) -> Option<Exit> {
    // Words after `--` are not options.
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let behind_dash = |word: &OsString| {
        let rest = word.to_str()?.strip_prefix('-').filter(|rest| !rest.starts_with('-') && rest.len() > 1)?;
        Some(rest.to_owned())
    };
    // Most command lines have no such word, so their options need not be listed.
    words[..end].iter().skip(1).find_map(behind_dash)?;
    let mut command = Arguments::command();
    command.build();
    let named = words.get(1).and_then(|word| word.to_str()).and_then(|word| command.find_subcommand(word));
    let options: Vec<&str> = [Some(&command), named]
        .into_iter()
        .flatten()
        .flat_map(|command| command.get_arguments())
        .filter_map(|argument| argument.get_long())
        .chain(["help", "version"])
        .collect();
    let with_two = |word: &OsString| {
        let rest = behind_dash(word)?;
        options.contains(&rest.split('=').next()?).then(|| format!("--{rest}"))
    };
    let wrong = words[..end].iter().skip(1).find(|word| with_two(word).is_some())?;
    let right = words[..end].iter().map(|word| with_two(word).map_or(word.clone(), OsString::from));
    let command = typed(["conjure-like".into()].into_iter().chain(right.chain(words[end..].iter().cloned()).skip(1)));
    let what = format!("a long option starts with two dashes, not one: `{}`", wrong.to_string_lossy());
    report::report_error(&what, &[format!("write {command}")], &[]);
    Some(Exit::UserError)
}
