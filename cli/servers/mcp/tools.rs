//! The tools of the server, as a table over the protocol. Each tool is a verb: its arguments become members of a
//! request, and [`tool_reply`] selects the parts of the reply for an assistant.
//!
//! An answer is short and exact: the text that the command line prints, and the same as data.

use super::reply::{ToolReply, has_errors, rendered, without_positions};
use crate::runtime::interrupt::{self, Cause};
use conjure_like::{
    CALL_DATA, StopReason,
    protocol::{Line, ProgressLine, Reply, SearchEnded, Service, SolutionLine},
    to_spaced_json,
};
use serde_json::{Map, Value, json};

/// A tool.
pub(super) struct McpTool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// The verb of the request, and members that are the same for each call.
    request: fn() -> Value,
    /// The names of the required arguments, and of the optional ones.
    needs: &'static [&'static str],
    takes: &'static [&'static str],
}

/// The maximum number of solutions for a call. Chosen.
const MOST_SOLUTIONS: u64 = 100;
/// The number of bytes of solutions after which further solutions are only counted. Chosen.
const MOST_VALUES: usize = 100_000;

pub(super) const TOOLS: [McpTool; 11] = [
    McpTool {
        name: "check",
        title: "Check a model",
        description: "\
            Finds mistakes and suspicious places in an Essence model, and in data for it: syntax, names, types, \
            domains, constraints that always or never hold. Call it before `solve`. The answer has each diagnostic \
            with its code, line, column and help.",
        needs: &["model"],
        takes: &["data", "seconds"],
        request: || json!({"verb": "check", "examine": true}),
    },
    McpTool {
        name: "fix",
        title: "Fix a model",
        description: "\
            Makes every certain fix of a model: signs and words of other languages, missing commas, parentheses and \
            keywords. The answer has the text after the fixes, each fix with its line, and the remaining mistakes.",
        needs: &["model"],
        takes: &["seconds"],
        request: || json!({"verb": "fix"}),
    },
    McpTool {
        name: "test",
        title: "Run test cases",
        description: "\
            Runs the test cases of a model: comments such as `$ solutions: 4`, `$ accepts: letting x be 1` and \
            `$ refuses: letting x be 3` below lines `$ case: NAME`, in `cases` or in the model itself. `$ with: \
            letting n be 4` gives a case its data. The answer has a verdict for each case and shows what is wrong.",
        needs: &["model"],
        takes: &["cases", "seconds"],
        request: || json!({"verb": "test"}),
    },
    McpTool {
        name: "ask",
        title: "Find a question for the user",
        description: "\
            Finds out which of several models, each a reading of the same text, is meant: the smallest instance and \
            candidate solution on which they disagree and which splits them best. Show the question with its text to \
            the user and wait for the answer (yes, no, cannot happen, don't know); do not answer yourself. Then call \
            `ask` again with all answers so far, each the question with the member `answer`, until `question` is null. \
            With `mutants`, copies of `model` with a planted mistake are candidates, too.",
        needs: &["model"],
        takes: &["candidates", "mutants", "answers", "data", "seconds"],
        request: || json!({"verb": "ask"}),
    },
    McpTool {
        name: "solve",
        title: "Solve a model",
        description: "\
            Solves an Essence model with data for its parameters. The answer has the status and the solutions, each \
            as values by name; with an objective, a best one. With `shape`, each solution also has the member \
            `shaped`: the result with the keys that the task requires. Status `time limit` means that there may be \
            more, or better, solutions than those found.",
        needs: &["model"],
        takes: &["data", "shape", "solutions", "seconds"],
        request: || json!({"verb": "solve", "pictures": false, "seed": 1}),
    },
    McpTool {
        name: "why",
        title: "Explain why there is no solution",
        description: "\
            Explains why a model has no solution with these data: the smallest set of requirements that contradict \
            each other, and single changes that make a solution possible. With `expected`, why that is not a \
            solution. With `forced`, whether a constraint holds in every solution, and why. With `steps`, small \
            steps, each of them checked, show that there is no solution, or that `expected` is not a part of one.",
        needs: &["model"],
        takes: &["data", "expected", "forced", "steps", "seconds"],
        request: || json!({"verb": "why"}),
    },
    McpTool {
        name: "hint",
        title: "Show the next step",
        description: "\
            Shows the next step towards the solution, and from which requirements it follows, as a teacher would. \
            With `all_steps`, shows all steps.",
        needs: &["model"],
        takes: &["data", "known", "all_steps", "seconds"],
        request: || json!({"verb": "hint"}),
    },
    McpTool {
        name: "explore",
        title: "Explore the space of solutions",
        description: "\
            Says how many solutions there are (exactly, or an estimate with its confidence), which values each \
            variable can have, which are the same in all solutions, and which two solutions differ most.",
        needs: &["model"],
        takes: &["data", "seconds"],
        request: || json!({"verb": "explore", "page": false}),
    },
    McpTool {
        name: "compare",
        title: "Compare two models",
        description: "\
            Looks for a solution of one model that the other one refuses, and shows which requirements refuse it. \
            Without data, small instances are generated.",
        needs: &["model", "reference"],
        takes: &["data", "seconds"],
        request: || json!({"verb": "compare"}),
    },
    McpTool {
        name: "evaluate",
        title: "Evaluate an expression",
        description: "\
            Evaluates an expression of Essence, such as `sum([i ** 2 | i : int(1..10)])`. With a model, data and a \
            solution, the expression may use their names. The answer has the value and its type.",
        needs: &["expression"],
        takes: &["model", "data", "solution", "seconds"],
        request: || json!({"verb": "evaluate"}),
    },
    McpTool {
        name: "manual",
        title: "Read the manual",
        description: "\
            Explains a word, an operator or an attribute of Essence (`allDiff`, `preImage`, `/\\`, `injective`, \
            `branching on`), or the code of an error or a warning (`E0301`, `W0203`), with examples.",
        needs: &["word"],
        takes: &[],
        request: || json!({"verb": "explain"}),
    },
];

/// An argument of tools.
struct ToolArgument {
    name: &'static str,
    kind: ArgumentKind,
    /// The member of the request.
    member: &'static str,
    description: &'static str,
}

/// The kind of an argument's value.
#[derive(Clone, Copy, PartialEq)]
enum ArgumentKind {
    /// A text, with its name in messages.
    Text(&'static str),
    /// Data in Essence or JSON.
    Data,
    /// Texts to which messages refer by number.
    Texts,
    /// Questions with their answers.
    Answers,
    /// Any JSON.
    Json,
    Word,
    Flag,
    Solutions,
    Seconds,
}

use ArgumentKind::{Answers, Data, Flag, Json, Seconds, Solutions, Texts, Word};

const fn argument(
    name: &'static str,
    kind: ArgumentKind,
    member: &'static str,
    description: &'static str,
) -> ToolArgument {
    ToolArgument { name, kind, member, description }
}

/// The arguments of all tools.
const ARGUMENTS: [ToolArgument; 18] = [
    argument("model", ArgumentKind::Text("the model"), "model", "The model in Essence"),
    argument(
        "data",
        Data,
        "data",
        "Values for the parameters: statements such as `letting n be 4`, or a JSON object such as {\"n\": 4}",
    ),
    argument(
        "reference",
        ArgumentKind::Text("the reference"),
        "reference",
        "The model to which `model` should be equivalent",
    ),
    argument(
        "candidates",
        Texts,
        "candidates",
        "The other models, as a list of texts; messages call them `candidate 1`, `candidate 2` and so on",
    ),
    argument("mutants", Flag, "mutants", "Whether copies of the model with one planted mistake each are candidates"),
    argument(
        "answers",
        Answers,
        "answers",
        "The answers so far: each question that was asked, with the member `answer`: `yes`, `no`, `cannot happen` or \
         `don't know`",
    ),
    argument("cases", ArgumentKind::Text("the cases"), "cases", "A text with test cases, if the model has none"),
    argument("expression", Word, "expression", "The expression"),
    argument(
        "solution",
        ArgumentKind::Text("the solution"),
        "solution",
        "A solution in Essence, which gives the decision variables their values",
    ),
    argument(
        "expected",
        ArgumentKind::Text("the expected solution"),
        "expected",
        "A supposed solution in Essence, such as `letting x be 3`; it may leave out variables, and `_` is an unknown \
         part",
    ),
    argument("forced", Word, "constraint", "A constraint, such as `x > 3`; only without `expected` and `steps`"),
    argument(
        "known",
        ArgumentKind::Text("what is known"),
        "known",
        "The known part, as statements such as `letting x be 3`; `_` is an unknown part",
    ),
    argument("word", Word, "word", "The word, the sign or the code"),
    argument("all_steps", Flag, "all", "Whether to show all steps and not only the next one"),
    argument("steps", Flag, "steps", "Whether to show the contradiction in small steps; only without `forced`"),
    argument(
        "solutions",
        Solutions,
        "solutions",
        "How many solutions to look for; with an objective, one best solution (1) or all best ones (more)",
    ),
    argument(
        "shape",
        Json,
        "shape",
        "The wanted result: a JSON object in which each string is an expression over the model's names, or \
         `$objective`, such as {\"cost\": \"$objective\", \"route\": \"route\", \
         \"open\": \"[i | i : int(1..n), isOpen[i]]\"}",
    ),
    argument(
        "seconds",
        Seconds,
        // The argument sets the limits of the worker, so the server removes it before the worker gets the call.
        "limit",
        "The time limit in seconds; the server has its own limit",
    ),
];

impl ArgumentKind {
    /// The type in a JSON schema.
    fn schema(self) -> Value {
        match self {
            ArgumentKind::Text(_) | Word => json!({"type": "string"}),
            Json => json!({"type": ["object", "array", "string"]}),
            Data => json!({"type": ["string", "object"]}),
            Texts => json!({"type": "array", "items": {"type": "string"}}),
            Answers => json!({"type": "array", "items": {"type": "object"}}),
            Flag => json!({"type": "boolean"}),
            Solutions => json!({"type": "integer", "minimum": 1, "maximum": MOST_SOLUTIONS}),
            Seconds => json!({"type": "number", "exclusiveMinimum": 0}),
        }
    }

    /// The name of the expected type, if the value does not fit.
    fn refuses(self, value: &Value) -> Option<String> {
        let (fits, wanted) = match self {
            ArgumentKind::Text(_) | Word => (value.is_string(), "string".to_owned()),
            Data => (value.is_string() || value.is_object(), "string or object".to_owned()),
            Json => (value.is_object() || value.is_array() || value.is_string(), "object, list or string".to_owned()),
            Texts => (is_list(value, Value::is_string), "list of strings".to_owned()),
            Answers => (is_list(value, Value::is_object), "list of objects".to_owned()),
            Flag => (value.is_boolean(), "boolean".to_owned()),
            Solutions => (
                value.as_u64().is_some_and(|count| (1..=MOST_SOLUTIONS).contains(&count)),
                format!("number from 1 to {MOST_SOLUTIONS}"),
            ),
            Seconds => (value.as_f64().is_some_and(|seconds| seconds > 0.0), "number above 0".to_owned()),
        };
        (!fits).then_some(wanted)
    }

    /// The value as a member of a request.
    fn in_request(self, value: Value) -> Value {
        match self {
            ArgumentKind::Text(name) => json!({"name": name, "text": value}),
            Data => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                if text.trim().is_empty() { json!([]) } else { json!([{"name": CALL_DATA, "text": text}]) }
            }
            Texts => {
                let texts = value.as_array().cloned().unwrap_or_default().into_iter().zip(1..);
                texts.map(|(text, number)| json!({"name": format!("candidate {number}"), "text": text})).collect()
            }
            // An assistant may send back the whole question, whose other members are not part of an answer.
            Answers => {
                let answers = value.as_array().cloned().unwrap_or_default().into_iter();
                let known = |name: &String| ["data", "solution", "best", "answer"].contains(&name.as_str());
                let kept = |answer: Value| -> Value {
                    let members = answer.as_object().cloned().unwrap_or_default().into_iter();
                    members.filter(|(name, _)| known(name)).collect::<Map<String, Value>>().into()
                };
                answers.map(kept).collect()
            }
            Json | Word | Flag | Solutions | Seconds => value,
        }
    }
}

fn is_list(value: &Value, is_item: fn(&Value) -> bool) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(is_item))
}

fn argument_named(name: &str) -> Option<&'static ToolArgument> {
    ARGUMENTS.iter().find(|argument| argument.name == name)
}

impl McpTool {
    /// The JSON schema of the arguments.
    pub(super) fn schema(&self) -> Map<String, Value> {
        let named = |name: &&str| {
            let argument = argument_named(name)?;
            let mut schema = argument.kind.schema();
            schema["description"] = argument.description.into();
            Some(((**name).to_owned(), schema))
        };
        let properties: Map<String, Value> = self.needs.iter().chain(self.takes).filter_map(named).collect();
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": self.needs,
            "additionalProperties": false,
        });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// Checks the arguments of a call; the error says what is wrong.
    pub(super) fn check(&self, arguments: &Map<String, Value>) -> Result<(), String> {
        let known = || self.needs.iter().chain(self.takes);
        if let Some(missing) = self.needs.iter().find(|name| !arguments.contains_key(**name)) {
            return Err(format!("`{}` needs the argument `{missing}`.", self.name));
        }
        for (name, value) in arguments {
            let Some(argument) = known().find(|known| *known == name).and_then(|name| argument_named(name)) else {
                let known: Vec<String> = known().map(|name| format!("`{name}`")).collect();
                return Err(format!("`{}` has no argument `{name}`; it takes {}.", self.name, known.join(", ")));
            };
            if let Some(wanted) = argument.kind.refuses(value) {
                return Err(format!("The argument `{name}` is a {wanted}."));
            }
        }
        // `forced` is another verb of the protocol and does not have these members.
        let excluded = ["expected", "steps"].into_iter().find(|name| arguments.contains_key(*name));
        match excluded {
            Some(excluded) if arguments.contains_key("forced") => {
                Err(format!("`{}` takes either `forced` or `{excluded}`.", self.name))
            }
            _ => Ok(()),
        }
    }

    /// The request of the protocol for a call.
    fn request(&self, arguments: Map<String, Value>) -> Value {
        let mut request = (self.request)();
        if arguments.contains_key("forced") {
            request["verb"] = "forced".into();
        }
        for (name, value) in arguments {
            if let Some(argument) = argument_named(&name) {
                request[argument.member] = argument.kind.in_request(value);
            }
        }
        request
    }

    /// Answers a call. Partial answers are kept in case a limit ends it.
    pub(super) fn answer(&self, arguments: Map<String, Value>) -> ToolReply {
        let request = self.request(arguments);
        let are_several = request["solutions"].as_u64().is_some_and(|wanted| wanted > 1);
        let mut found = SolutionsSoFar { are_several, ..SolutionsSoFar::default() };
        if request["verb"] == "solve" {
            // If a limit is reached before the first solution, the answer has the same form as others.
            found.leave();
        }
        let mut reply = None;
        interrupt::doing("the solver was running");
        let options = interrupt::engine_options(None);
        let (deadline, threads) = (options.limits.deadline, options.threads);
        let mut service = Service::default();
        (service.limits, service.threads) = (options.limits, threads);
        interrupt::during(deadline, || {
            service.answer(request, &mut |line| match line {
                Line::Solution(solution) => {
                    found.add(solution);
                    found.leave();
                }
                Line::Progress(ProgressLine::Answer(progress)) => {
                    ToolReply::new(progress.text, without_positions(progress.answer)).leave();
                }
                Line::Progress(_) | Line::Cells(_) => {}
                Line::Failure { diagnostics } => reply = Some(ToolReply::refusal(diagnostics)),
                Line::Result(result) => reply = Some(tool_reply(&found, result)),
            });
        });
        reply.unwrap_or_else(|| ToolReply::new("There was no answer.", Value::Null))
    }
}

/// The solutions so far.
#[derive(Clone, Default)]
struct SolutionsSoFar {
    /// True if several solutions are wanted. Otherwise each line contains a better solution than the last.
    are_several: bool,
    count: usize,
    solutions: Vec<Value>,
    text: String,
}

impl SolutionsSoFar {
    fn add(&mut self, solution: SolutionLine) {
        if solution.objective.is_some() && !self.are_several {
            self.solutions.clear();
            self.text.clear();
        }
        self.count += 1;
        if self.text.len() <= MOST_VALUES {
            self.text += solution.essence.trim_start_matches("language Essence 1.3").trim_start();
            self.text += "\n";
            let mut values = json!({"values": solution.json});
            if let Some(objective) = solution.objective {
                values["objective"] = objective;
            }
            if let Some(shaped) = solution.shaped {
                self.text += &format!("$ shaped: {}\n", to_spaced_json(&shaped));
                values["shaped"] = shaped;
            }
            self.solutions.push(values);
        }
    }

    /// Keeps the solutions in case a limit ends the call; the reply names the time limit.
    fn leave(&self) {
        let found = self.clone();
        let reply = move |cause| {
            let stopped = match cause {
                Cause::Time => StopReason::TimeLimit,
                Cause::Memory | Cause::Interrupt => StopReason::Interrupted,
            };
            found.reply(&SearchEnded::new(&stopped.into(), found.count)).line()
        };
        interrupt::leave(reply, "an answer so far");
    }

    fn reply(&self, end: &SearchEnded) -> ToolReply {
        let text = format!("{}{}\n", self.text, end.says);
        ToolReply::new(text, json!({"status": end.status, "solutions": self.solutions}))
    }
}

/// Selects the parts of a reply for an assistant.
fn tool_reply(found: &SolutionsSoFar, reply: Reply) -> ToolReply {
    match reply {
        Reply::Check(checked) => {
            let (text, is_right) = (rendered(&checked.diagnostics), !has_errors(&checked.diagnostics));
            let text = if text.is_empty() { "No mistakes found.\n".to_owned() } else { text };
            let diagnostics = without_positions(checked.diagnostics);
            ToolReply::new(text, json!({"ok": is_right, "diagnostics": diagnostics}))
        }
        Reply::Solve(solved) => {
            let end = &solved.end;
            let mut reply = found.reply(end);
            if end.solutions == 0 && end.stopped_by.is_none() && end.reason.is_none() {
                reply.text += "Ask `why` which requirements contradict each other.\n";
            }
            reply
        }
        Reply::Explain(explained) => {
            let mut text = explained.text;
            if !explained.complete {
                text += &format!("A limit ended the search; {}.\n", explained.says);
            }
            let mut structured = without_positions(explained.answer);
            structured["complete"] = explained.complete.into();
            ToolReply::new(text, structured)
        }
        Reply::Explore(explored) => ToolReply::new(explored.text, explored.space),
        Reply::Compare(mut compared) => {
            let text = std::mem::take(&mut compared.text);
            ToolReply::new(text, without_positions(json!(compared)))
        }
        Reply::Ask(asked) => {
            let mut text = match &asked.question {
                Some(question) => format!("{}\nModels that are left: {}\n", question.text, asked.left.join(", ")),
                None => asked.says.clone(),
            };
            if asked.question.is_none() && !asked.cases.is_empty() {
                text += &format!("\nThe answers as test cases:\n\n{}", asked.cases);
            }
            // Assistants read text, and a picture would only fill their context.
            let mut structured = json!(asked);
            if let Some(question) = structured["question"].as_object_mut() {
                question.remove("svg");
            }
            ToolReply::new(text, structured)
        }
        Reply::Test(tested) => {
            let texts = tested.cases.iter().map(|case| {
                let findings = case.findings.iter();
                let findings =
                    findings.map(|finding| format!("\nline {}: {}\n{}\n", finding.line, finding.says, finding.text));
                format!("{}: {}\n{}", case.name, case.verdict, findings.collect::<String>())
            });
            let text: String = texts.collect();
            let text = if text.is_empty() { "There are no test cases.\n".to_owned() } else { text };
            ToolReply::new(text, json!(tested))
        }
        Reply::Fix(fixed) => {
            // The fixed model follows, so the fixes are comments of Essence.
            let fixes = fixed.fixes.iter().map(|fix| format!("$ line {}: {} ({})\n", fix.line, fix.message, fix.help));
            let fixes: String = fixes.collect();
            let said = if fixes.is_empty() { "$ nothing was fixed\n".to_owned() } else { fixes };
            let text = format!("{said}{}\n{}", fixed.text.trim_end(), rendered(&fixed.diagnostics));
            let structured = json!({
                "text": fixed.text,
                "fixes": fixed.fixes,
                "ok": !has_errors(&fixed.diagnostics),
                "diagnostics": without_positions(fixed.diagnostics),
            });
            ToolReply::new(text, structured)
        }
        Reply::Evaluate(evaluated) => {
            let structured = json!({"value": evaluated.json, "type": evaluated.of_type});
            ToolReply::new(evaluated.text + "\n", structured)
        }
        Reply::Text(text) => ToolReply::new(text.text, json!({})),
        reply => ToolReply::new(String::new(), json!(reply)),
    }
}
