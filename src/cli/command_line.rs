//! The command line: read, or answered with what to type instead.

use super::{Arguments, Exit, files::FORGOTTEN, report, roles::Files, stdout};
use clap::{
    CommandFactory, FromArgMatches,
    error::{ContextKind, ErrorKind},
};
use conjure_like::visible;
use std::{
    env,
    error::Error,
    ffi::OsString,
    io::{self, IsTerminal},
    path::Path,
};

/// The strategies of Conjure that `-a` and `-q` are followed by.
const STRATEGIES: [&str; 7] = ["c", "x", "f", "l", "r", "i", "ai"];

/// The solvers that Conjure knows and that are not built in here under these names.
const SOLVERS_OF_CONJURE: [&str; 19] = [
    "minion",
    "chuffed",
    "kissat",
    "glucose",
    "glucose-syrup",
    "lingeling",
    "plingeling",
    "treengeling",
    "minisat",
    "bc_minisat_all",
    "nbc_minisat_all",
    "open-wbo",
    "gecode",
    "or-tools",
    "coin-or",
    "cplex",
    "yices",
    "boolector",
    "z3-bv",
];

/// The arguments of the program and the files that they name, or how the program ends without them.
pub(super) fn read() -> Result<(Arguments, Option<Files>), Exit> {
    let (words, notes) = from_conjure(env::args_os().collect());
    if let Some(exit) = one_dash(&words) {
        return Err(exit);
    }
    let matches = Arguments::command().try_get_matches_from(&words);
    let read = matches.and_then(|mut matches| {
        let files = Files::of(&words, &matches);
        Ok((Arguments::from_arg_matches_mut(&mut matches)?, files))
    });
    let read = read.map_err(|error| answer(&error, &words))?;
    notes.iter().for_each(|note| read.0.reporting.status(&format!("note: {note}")));
    Ok(read)
}

/// The words of `solve` without Conjure's strategies and with the solvers that there are here, and notes about the
/// changes.
fn from_conjure(words: Vec<OsString>) -> (Vec<OsString>, Vec<String>) {
    let mut notes = Vec::new();
    if words.get(1).is_none_or(|word| word != "solve") {
        return (words, notes);
    }
    let instead = |name: &str| match name {
        "or-tools" => ("--solver=cp-sat", "the solver `or-tools` is called `cp-sat` here".to_owned()),
        name => (
            "--solver=auto",
            format!("the solver `{name}` is not built in; `auto` is used, a portfolio of z3, cadical and cp-sat"),
        ),
    };
    let mut kept: Vec<OsString> = Vec::new();
    let mut strategies = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        let next = words.peek().and_then(|next| next.to_str()).unwrap_or_default().to_owned();
        if text == "--" {
            kept.push(word);
            kept.extend(words.by_ref());
            break;
        }
        let glued = ["-a", "-q"].iter().find_map(|option| text.strip_prefix(option));
        let long = ["--strategy-a=", "--strategy-q="].iter().any(|option| text.starts_with(option));
        if glued.is_some_and(|strategy| STRATEGIES.contains(&strategy)) || long {
            strategies.push(text.to_owned());
        } else if ["-a", "-q"].contains(&text) && STRATEGIES.contains(&&*next) && !Path::new(&next).exists() {
            strategies.push(format!("{text} {next}"));
            words.next();
        } else if let Some(name) = text.strip_prefix("--solver=").filter(|name| SOLVERS_OF_CONJURE.contains(name)) {
            let (solver, note) = instead(name);
            notes.push(note);
            kept.push(solver.into());
        } else if text == "--solver" && SOLVERS_OF_CONJURE.contains(&&*next) {
            let (solver, note) = instead(&next);
            notes.push(note);
            words.next();
            kept.push(solver.into());
        } else {
            kept.push(word);
        }
    }
    if !strategies.is_empty() {
        let written: Vec<String> = strategies.iter().map(|strategy| format!("`{strategy}`")).collect();
        notes.push(format!("{} has no effect: conjure-like has no refinement strategies", written.join(" and ")));
    }
    (kept, notes)
}

/// Words as they are typed into a shell, with quotation marks where they are needed.
pub(super) fn typed(words: impl IntoIterator<Item = OsString>) -> String {
    let is_plain = |character: char| "-_./=:+,@".contains(character) || character.is_alphanumeric();
    let quoted = |word: OsString| {
        let word = visible::line(&word.to_string_lossy()).into_owned();
        match word.chars().all(is_plain) && !word.is_empty() {
            true => word,
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    };
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Prints the help, the version, or the error.
fn answer(error: &clap::Error, words: &[OsString]) -> Exit {
    let text = error.render();
    let wants_colours = env::var_os("NO_COLOR").is_none();
    if !matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        if let Some((what, help)) = forgotten_name(error, words) {
            report::error(&what, &[help], &[]);
            return Exit::UserError;
        }
        let plain = text.to_string();
        match wants_colours && io::stderr().is_terminal() && visible::text(&plain) == plain {
            true => report::styled(&text.ansi().to_string()),
            false => report::say(plain.trim_end()),
        }
        return Exit::UserError;
    }
    let text = if wants_colours && io::stdout().is_terminal() { text.ansi().to_string() } else { text.to_string() };
    match stdout::write(&text) {
        Ok(()) | Err(stdout::Failure::NoReader) => Exit::Answer,
        Err(stdout::Failure::Refused(refused)) => {
            report::error(&refused.message, &[], &[]);
            Exit::UserError
        }
    }
}

/// An option that takes a file name is followed by the model.
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
    // Named once only, it is the file that the command wants.
    let with_value =
        |words: Vec<OsString>| if elsewhere { words } else { [words, vec![value.clone().into()]].concat() };
    let command = words.iter().enumerate().skip(1).flat_map(|(at, word)| match word.to_str() {
        Some(word) if word == value && follows_option(at) => with_value(vec![placeholder.into()]),
        Some(word) if word == long => with_value(vec![names.into(), placeholder.into()]),
        _ => vec![word.clone()],
    });
    let command = typed(["conjure-like".into()].into_iter().chain(command));
    let what = format!("`{names}` needs a name of its own, but `{value}` looks like a model, parameters or a solution");
    Some((what, format!("did you forget the file name after `{names}`? {command}")))
}

/// `-limit-time=5` would be read as `-l` and other options of one letter.
fn one_dash(words: &[OsString]) -> Option<Exit> {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let behind_dash = |word: &OsString| {
        let rest = word.to_str()?.strip_prefix('-').filter(|rest| !rest.starts_with('-') && rest.len() > 1)?;
        Some(rest.to_owned())
    };
    // Most command lines have no such word, and the options need not be listed.
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
    let what = format!("a long option begins with two dashes, not one: `{}`", wrong.to_string_lossy());
    report::error(&what, &[format!("write {command}")], &[]);
    Some(Exit::UserError)
}
