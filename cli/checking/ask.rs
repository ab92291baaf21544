//! `conjure-like ask`: questions that determine which of several models is meant.

use super::compare::mapping;
use crate::{
    inputs::invocation::Invocation,
    runtime::{
        Exit,
        files::{FileKind, Pending},
        interrupt,
        numbers::whole_number,
        stdin::next_answer,
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{
    Code, Diagnostic, Inquiry, InquiryOptions, Outline, Question, QuestionAnswer, Text, counted, to_json,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "\
Examples: conjure-like ask first.essence second.essence third.essence
          conjure-like ask model.essence --mutants --cases model-cases.essence

Exit code: 0 when no question remains or the answers end, whichever models remain; 2 for a mistake in the command line,
the files, the models or the answers; 3 if a limit ended the run.")]
pub(crate) struct AskCommand {
    /// The models, whose names may differ, and parameter files, one for each instance. Without parameter files, small
    /// instances are generated
    #[arg(value_name = "MODEL", required = true)]
    files: Vec<PathBuf>,
    /// Also use mutants of the first model as candidates, each with one planted mistake
    #[arg(long)]
    mutants: bool,
    /// A variable or parameter of the first model as a name or an expression of another one: --map 'queens = toSet(q)'
    #[arg(long, value_name = "NAME = EXPRESSION", value_parser = mapping)]
    map: Vec<(String, String)>,
    /// The number of instances to generate
    #[arg(long, value_name = "N", default_value = "8", value_parser = whole_number::<usize>(1..))]
    instances: usize,
    /// The seed for generated instances
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<u32>(0..))]
    seed: u32,
    /// Take the answers from this file, one on each line, instead of standard input
    #[arg(long, value_name = "FILE", conflicts_with = "reference")]
    answers: Option<PathBuf>,
    /// Take the answers from this model, which is known to be right
    #[arg(long, value_name = "MODEL")]
    reference: Option<PathBuf>,
    /// Write the answers as test cases
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// The format of questions and of the result: text for people, or one JSON object per line
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: QuestionFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum QuestionFormat {
    Plain,
    Json,
}

/// The source of answers.
enum Answers {
    /// The name of a file, and its lines with their numbers.
    File(String, std::vec::IntoIter<(usize, String)>),
    Input,
    Reference(Text),
}

/// The words that people can type.
const WORDS: &str = "yes, no, cannot happen (this instance), don't know, quit";

impl AskCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let (mut models, mut instances) = (Vec::new(), Vec::new());
        for path in &self.files {
            let text = invocation.read(path)?;
            // The first text counts as a model even if it does not look like one: its errors then show why.
            if Outline::read(&text).is_model || models.is_empty() {
                models.push(text);
            } else {
                instances.extend(text.instances().map(|text| vec![text]));
            }
        }
        // Questions and answers refer to models by file name, so each name may occur only once.
        if let Some(twice) = models
            .iter()
            .enumerate()
            .find_map(|(at, text)| models[..at].iter().any(|other| other.name == text.name).then(|| text.name.clone()))
        {
            let error = Diagnostic::error(Code::COMMAND_LINE, format!("the file `{twice}` is given twice"));
            return invocation.fail(error.help("name each model once"));
        }
        let mut answers = self.source(invocation)?;
        let options = InquiryOptions::default()
            .mapping(self.map.clone())
            .mutants(self.mutants)
            .instances(instances)
            .made_up(self.instances)
            .seed(self.seed)
            // The seed is fixed, so that a file with answers fits the questions of another run.
            .search(interrupt::engine_options(Some(1)));
        let mut inquiry = invocation.accept(Inquiry::new(&models, options))?;
        loop {
            let next = interrupt::during(interrupt::deadline(), || inquiry.next_question());
            // A limit may have ended the search for the best question early, so this question is not asked.
            let Some(question) = next.filter(|_| interrupt::limits().reached().is_none()) else { break };
            self.show(invocation, &inquiry, &question)?;
            let Some(answer) = self.answer(invocation, &inquiry, &question, &mut answers)? else { break };
            let refuted = inquiry.answer(&question, answer);
            if self.output_format == QuestionFormat::Plain {
                let verb = if answer == QuestionAnswer::Yes { "refuses" } else { "allows" };
                let lines = refuted.iter().map(|name| format!("Refuted, as it {verb} this: {name}\n"));
                invocation.print(&(lines.collect::<String>() + "\n"))?;
            }
        }
        self.finish(invocation, &inquiry)
    }

    fn source(&self, invocation: &mut Invocation) -> Option<Answers> {
        if let Some(path) = &self.reference {
            return Some(Answers::Reference(invocation.read(path)?));
        }
        let Some(path) = &self.answers else { return Some(Answers::Input) };
        let text = invocation.read(path)?;
        let lines: Vec<(usize, String)> = (1..).zip(text.text.lines().map(str::to_owned)).collect();
        Some(Answers::File(text.name, lines.into_iter()))
    }

    fn show(&self, invocation: &mut Invocation, inquiry: &Inquiry, question: &Question) -> Option<Exit> {
        let number = inquiry.answered() + 1;
        match self.output_format {
            QuestionFormat::Json => {
                let mut object = question.to_value();
                object["question"] = number.into();
                invocation.print(&(to_json(&object) + "\n"))
            }
            QuestionFormat::Plain => {
                let left = inquiry.left().count();
                let about = match left {
                    1 => "to confirm the remaining model".to_owned(),
                    _ => format!("{} remain", counted(left, "model")),
                };
                let text = question.to_text(invocation.reporting.styled_output());
                invocation.print(&format!("Question {number} ({about})\n\n{text}\n"))
            }
        }
    }

    /// Returns the next answer; `None` if there are no more answers.
    fn answer(
        &self,
        invocation: &mut Invocation,
        inquiry: &Inquiry,
        question: &Question,
        answers: &mut Answers,
    ) -> Option<Option<QuestionAnswer>> {
        let is_plain = self.output_format == QuestionFormat::Plain;
        let said = match answers {
            Answers::Reference(reference) => {
                Some(invocation.accept(inquiry.answer_of(reference, question, &self.map))?)
            }
            Answers::File(name, lines) => match lines.find(|(_, line)| !is_skipped(line)) {
                None => None,
                Some((number, line)) => match read_answer(&line) {
                    Some(answer) => Some(answer),
                    None => {
                        let message = format!("line {number} of `{name}` is not an answer: `{}`", line.trim());
                        let error = Diagnostic::error(Code::COMMAND_LINE, message);
                        return invocation.fail(error.help("write `yes`, `no`, `cannot happen` or `don't know`"));
                    }
                },
            },
            Answers::Input => loop {
                if is_plain {
                    invocation.print(&format!("{WORDS}: "))?;
                }
                let Some(line) = next_answer() else {
                    if is_plain {
                        invocation.print("\n")?;
                    }
                    return Some(None);
                };
                match read_answer(&line) {
                    Some(answer) => return Some(Some(answer)),
                    None if is_plain => {}
                    // A program that sends a wrong line gets an object and can answer again.
                    None => invocation.print(&(to_json(&json!({"not_an_answer": line})) + "\n")).map(drop)?,
                }
            },
        };
        if let Some(answer) = said.filter(|_| is_plain) {
            invocation.print(&format!("Answer: {}\n", answer.name()))?;
        }
        Some(said)
    }

    fn finish(&self, invocation: &mut Invocation, inquiry: &Inquiry) -> Option<Exit> {
        let mut says = inquiry.says();
        let beside = |name: &str| model_from(self.cases.as_deref().unwrap_or(Path::new("")), name);
        if let Some(path) = &self.cases {
            match Pending::whole(path, FileKind::Essence, &inquiry.cases(beside)) {
                Ok(path) => says += &format!("The answers are test cases in {}.\n", path.display()),
                Err(error) => return invocation.fail(error),
            }
        }
        let text = match self.output_format {
            QuestionFormat::Plain => says,
            QuestionFormat::Json => {
                let refuted = inquiry.refuted().map(|(model, by)| json!({"model": model, "question": by}));
                let result = json!({
                    "left": inquiry.left().collect::<Vec<_>>(),
                    "refuted": refuted.collect::<Vec<_>>(),
                    "says": says,
                    "cases": inquiry.cases(beside),
                });
                to_json(&result) + "\n"
            }
        };
        invocation.print(&text)?;
        Some(if interrupt::limits().reached().is_some() { Exit::Limit } else { Exit::Answer })
    }
}

/// Returns true if a line of a file with answers is empty or a comment.
fn is_skipped(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('$') || line.starts_with('#')
}

/// Reads an answer: a word, a string in JSON, or an object with the member `answer`.
fn read_answer(line: &str) -> Option<QuestionAnswer> {
    let value: Option<Value> = serde_json::from_str(line).ok();
    let word = value.as_ref().and_then(|value| value["answer"].as_str().or(value.as_str()));
    QuestionAnswer::read(word.unwrap_or(line))
}

/// The name of a file as a file of test cases must name it.
fn model_from(cases: &Path, name: &str) -> String {
    let model = Path::new(name);
    let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
    if folder(cases) == folder(model) {
        return model.file_name().map_or(name.to_owned(), |name| name.to_string_lossy().into_owned());
    }
    if folder(cases).as_os_str().is_empty() {
        return name.to_owned();
    }
    model.canonicalize().map_or(name.to_owned(), |path| path.display().to_string())
}
