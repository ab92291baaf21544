//! The prompt for expressions and statements.

use super::ValueFormat;
use crate::{
    inputs::invocation::Invocation,
    runtime::{Exit, files::unwritable},
};
use conjure_like::{
    Code, Diagnostic, Document, EntryOutcome, ExplainOptions, Model, Outline, Text, Workbench, manual_entry,
};
use rustyline::{
    Config, Context, Editor, Helper,
    completion::{Completer, Pair},
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::FileHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};
use std::{
    env, fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

/// A command, its operand, and its description in the help.
const COMMANDS: [(&str, &str, &str); 7] = [
    (":type", "EXPRESSION", "the type of an expression"),
    (":domain", "EXPRESSION", "the values that an expression can have, as far as they are known"),
    (":why", "", "why there is no solution, or what is wrong with the one that is loaded"),
    (":load", "FILE", "load a model, a parameter file or a solution"),
    (":doc", "WORD", "explain an operator, an attribute, a keyword or an error"),
    (":help", "", "show the commands"),
    (":quit", "", "end, as Ctrl-D does"),
];

/// Reads and answers lines until the end of the input.
pub(super) fn run_interactive(bench: Workbench, format: ValueFormat, invocation: &mut Invocation) -> Option<Exit> {
    let at_terminal = io::stdin().is_terminal();
    if at_terminal {
        invocation.reporting.status("Type an expression, a statement such as `letting n be 3`, or :help.");
    }
    let config = Config::builder().auto_add_history(true).max_history_size(1000);
    let editor = config.and_then(|config| Editor::with_config(config.build()));
    let mut editor: Editor<Bench, FileHistory> = match editor {
        Ok(editor) => editor,
        Err(error) => return invocation.fail(unread(&error)),
    };
    let history = if at_terminal { history() } else { None };
    if let Some(history) = &history {
        // In the first session, the file does not exist.
        let _ = editor.load_history(history);
    }
    editor.set_helper(Some(Bench { bench, format, inputs: 0 }));
    // A mistake does not end the session, but the exit code must show it.
    let mut exit = Exit::Answer;
    loop {
        let line = match editor.readline("> ") {
            Ok(line) => line,
            // At a terminal, Ctrl-C discards the line; in a script, it ends the session.
            Err(ReadlineError::Interrupted) if at_terminal => continue,
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => break,
            Err(error) => return invocation.fail(unread(&error)),
        };
        let Some(bench) = editor.helper_mut() else { break };
        match bench.entered(line.trim(), invocation) {
            Some(PromptFlow::Quit) => break,
            Some(PromptFlow::Continue) => {}
            None => {
                invocation.report();
                // In a script, a mistake sets the exit code; at a terminal, it does not.
                if !at_terminal {
                    exit = Exit::UserError;
                }
            }
        }
        invocation.report();
    }
    // The folder may be missing, but a history that cannot be saved is not worth an error.
    if let Some(history) = history
        && history.parent().is_some_and(|folder| fs::create_dir_all(folder).is_ok())
        && let Err(error) = editor.save_history(&history)
    {
        let error = io::Error::other(error.to_string());
        return invocation.fail(unwritable(&history, error));
    }
    Some(exit)
}

/// The history file.
fn history() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("conjure-like/eval-history"))
}

fn unread(error: &ReadlineError) -> Diagnostic {
    Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read the input: {error}"))
}

/// The effect of a line on the prompt.
enum PromptFlow {
    Continue,
    Quit,
}

/// The state of the prompt, which also completes and checks a line while it is typed.
struct Bench {
    bench: Workbench,
    format: ValueFormat,
    /// The number of texts so far, which is a part of their names in messages.
    inputs: usize,
}

impl Bench {
    fn text(&mut self, text: &str) -> Text {
        self.inputs += 1;
        Text::new(format!("input {}", self.inputs), text)
    }

    /// Evaluates or executes a line.
    fn entered(&mut self, line: &str, invocation: &mut Invocation) -> Option<PromptFlow> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            ":type" => {
                let text = self.text(rest);
                let ty = invocation.accept(self.bench.type_of(&text))?;
                invocation.print(&(ty + "\n"))?;
            }
            ":domain" => {
                let text = self.text(rest);
                let domain = invocation.accept(self.bench.domain_of(&text))?;
                invocation.print(&(domain + "\n"))?;
            }
            ":why" => self.why(invocation)?,
            ":load" => self.load(Path::new(rest), invocation)?,
            ":doc" => {
                let entry = invocation.accept(manual_entry(rest))?;
                invocation.print(&entry)?;
            }
            ":help" => invocation.print(&help_text()).map(drop)?,
            ":quit" => return Some(PromptFlow::Quit),
            _ if word.starts_with(':') => {
                let error = Diagnostic::error(Code::COMMAND_LINE, format!("there is no command `{word}`"));
                let words = COMMANDS.iter().map(|(word, ..)| *word);
                let help = match conjure_like::nearest(word, words) {
                    Some(known) => format!("did you mean `{known}`?"),
                    None => "`:help` shows the commands".to_owned(),
                };
                return invocation.fail(error.help(help));
            }
            _ => {
                let text = self.text(line);
                if let EntryOutcome::Value(evaluated) = invocation.accept(self.bench.enter(&text))? {
                    invocation.keep(evaluated.warnings.clone());
                    invocation.print(&self.format.shown(&evaluated))?;
                }
            }
        }
        Some(PromptFlow::Continue)
    }

    fn why(&self, invocation: &mut Invocation) -> Option<()> {
        let model = invocation.accept(Model::read(&self.bench.model_text()))?;
        let options = ExplainOptions::default();
        let answer = match &self.bench.solution {
            Some(solution) => model.why_not(&self.bench.data, solution, &options),
            None => model.why(&self.bench.data, &options),
        };
        let answer = invocation.accept(answer)?;
        let bold = invocation.reporting.styled_output();
        invocation.print(&answer.to_text(bold)).map(drop)
    }

    /// Loads a model, a parameter file or a solution, depending on its content.
    fn load(&mut self, path: &Path, invocation: &mut Invocation) -> Option<()> {
        let text = invocation.read(path)?;
        let outline = Outline::read(&text);
        // Values can only be read with the types of a model.
        if !outline.is_model && self.bench.model.is_none() {
            let message = format!("`{}` has values for a model, and no model is loaded", path.display());
            return invocation.fail(Diagnostic::error(Code::COMMAND_LINE, message).help("load the model first"));
        }
        let finds = self.bench.model.as_ref().map(|model| Outline::read(model).finds).unwrap_or_default();
        // All changes are made to a copy, so a wrong file does not change the workbench.
        let mut changed = self.bench.clone();
        let what = if outline.is_model {
            // The names of a new model may clash with the old data, so everything else is dropped.
            changed = Workbench::default();
            changed.model = Some(text);
            "model"
        } else if !outline.values.is_disjoint(&finds) {
            changed.solution = Some(text);
            "solution"
        } else {
            changed.data = vec![text];
            "parameter file"
        };
        // The parameters of a model get their values from the next file, so only the model is checked now.
        if !outline.is_model {
            invocation.accept(changed.evaluate(&Text::new("", "true")))?;
        } else if let Some(model) = &changed.model {
            invocation.accept(Model::read(model))?;
        }
        self.bench = changed;
        invocation.reporting.status(&format!("The {what} `{}` is loaded.", path.display()));
        Some(())
    }

    /// The model followed by a line, which becomes an expression, and the offset of the line.
    fn with_line(&self, line: &str) -> (Document, usize) {
        let before = self.bench.model_text().text + "\nletting it be ";
        (Document::model(&Text::new("", format!("{before}{line}"))), before.len())
    }
}

fn help_text() -> String {
    let width = COMMANDS.iter().map(|(word, operand, _)| word.len() + operand.len() + 1).max().unwrap_or(0);
    let commands =
        COMMANDS.iter().map(|(word, operand, what)| format!("{:width$}   {what}\n", format!("{word} {operand}")));
    let first = "An expression is evaluated. A statement such as `letting n be 3` is remembered.\n\n".to_owned();
    std::iter::once(first).chain(commands).collect()
}

impl Completer for Bench {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context) -> rustyline::Result<(usize, Vec<Pair>)> {
        let pair = |text: &str| Pair { display: text.to_owned(), replacement: text.to_owned() };
        if let Some(file) = line[..at].strip_prefix(":load ") {
            let begin = at - file.len();
            return Ok((begin, paths_beginning_with(file).iter().map(|file| pair(file)).collect()));
        }
        if line.starts_with(':') && !line[..at].contains(' ') {
            let words = COMMANDS.iter().map(|(word, ..)| *word).filter(|word| word.starts_with(&line[..at]));
            return Ok((0, words.map(pair).collect()));
        }
        let command = if line.starts_with(':') { line.find(' ').map_or(0, |blank| blank + 1) } else { 0 };
        let (document, begin) = self.with_line(&line[command..]);
        let offset = begin + at - command;
        let mut from = at;
        let mut found = Vec::new();
        for item in document.completions(offset) {
            let start = item.span.start as usize;
            let written = document.text().get(start..offset).unwrap_or("");
            // A label with several words is a form with placeholders. Completions that start before the line belong to
            // the model, so they are not offered.
            if start >= begin && item.label.starts_with(written) && !item.label.contains(' ') {
                from = start - begin + command;
                found.push(pair(&item.label));
            }
        }
        Ok((from, found))
    }
}

/// The files and folders whose paths start with this text.
fn paths_beginning_with(begin: &str) -> Vec<String> {
    let (folder, name) = begin.rsplit_once('/').map_or(("", begin), |(folder, name)| (&begin[..=folder.len()], name));
    let entries = fs::read_dir(if folder.is_empty() { "." } else { folder });
    let mut found = Vec::new();
    for entry in entries.into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if let Ok(entry) = entry.file_name().into_string()
            && entry.starts_with(name)
            // Hidden files are offered only after a dot, as in a shell.
            && (!entry.starts_with('.') || name.starts_with('.'))
        {
            found.push(format!("{folder}{entry}{}", if is_folder { "/" } else { "" }));
        }
    }
    found.sort();
    found
}

impl Validator for Bench {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let line = context.input().trim_start();
        let typed = match line.split_once(char::is_whitespace) {
            Some((":type" | ":domain", expression)) => expression,
            // All other commands take a word or a file, so their line is complete.
            _ if line.starts_with(':') => "",
            _ => line,
        };
        Ok(match conjure_like::is_unfinished(typed) {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

impl Hinter for Bench {
    type Hint = String;
}

impl Highlighter for Bench {}

impl Helper for Bench {}
