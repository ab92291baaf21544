//! The tools of the server: what each is called with, and how it is answered.
//!
//! Answers are small and exact: a text as the command line prints it, and the same as data.

use super::reply::{ToolReply, diagnostics_as_data};
use crate::cli::{compare, explore, interrupt};
use conjure_like::{
    Answer, CALL_DATA, CompareOptions, Comparison, Count, EngineOptions, ExamineOptions, ExplainOptions,
    ExploreOptions, Instance, Model, Report, SolveOptions, SolveStatus, StopReason, Text, Workbench, check,
    manual_entry,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::{fmt::Write, ops::ControlFlow};

/// A tool.
pub(super) struct McpTool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// The names of the arguments that it needs, and of those that it takes.
    needs: &'static [&'static str],
    takes: &'static [&'static str],
    pub answer: fn(&ToolArguments) -> Result<ToolReply, Report>,
}

/// The most solutions of a call.
const MOST_SOLUTIONS: u64 = 100;
/// Beyond this many bytes of values, further solutions are only counted.
const MOST_VALUES: usize = 100_000;
/// The width of solutions in Essence.
const WIDTH: usize = 120;
/// The number of small instances that are made up where there are no data.
const MADE_UP: usize = 8;

pub(super) const TOOLS: [McpTool; 8] = [
    McpTool {
        name: "check",
        title: "Check a model",
        description: "\
            Finds mistakes and suspicious places in an Essence model, and in data for it: syntax, names, types, \
            domains, constraints that always or never hold. Call it before `solve`. The answer has each diagnostic \
            with its code, line, column and help.",
        needs: &["model"],
        takes: &["data", "seconds"],
        answer: call_check,
    },
    McpTool {
        name: "solve",
        title: "Solve a model",
        description: "\
            Solves an Essence model with data for its parameters. The answer has the status and the solutions, each \
            as values by name; with an objective, one best solution. Status `time limit` means that there may be \
            more, or better, solutions than those found.",
        needs: &["model"],
        takes: &["data", "solutions", "seconds"],
        answer: call_solve,
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
        answer: call_why,
    },
    McpTool {
        name: "hint",
        title: "Show the next step",
        description: "\
            Shows the next step towards the solution, and from which requirements it follows, as a teacher would. \
            With `all_steps`, the whole way.",
        needs: &["model"],
        takes: &["data", "known", "all_steps", "seconds"],
        answer: call_hint,
    },
    McpTool {
        name: "explore",
        title: "Explore the space of solutions",
        description: "\
            Says how many solutions there are (exactly, or an estimate with its confidence), which values each \
            variable can have, which are the same in all solutions, and which two solutions differ most.",
        needs: &["model"],
        takes: &["data", "seconds"],
        answer: call_explore,
    },
    McpTool {
        name: "compare",
        title: "Compare two models",
        description: "\
            Looks for a solution of one model that the other one refuses, and shows which requirements refuse it. \
            Without data, small instances are made up.",
        needs: &["model", "reference"],
        takes: &["data", "seconds"],
        answer: call_compare,
    },
    McpTool {
        name: "evaluate",
        title: "Evaluate an expression",
        description: "\
            Evaluates an expression of Essence, such as `sum([i ** 2 | i : int(1..10)])`. With a model, data and a \
            solution, the expression may use their names. The answer has the value and its type.",
        needs: &["expression"],
        takes: &["model", "data", "solution", "seconds"],
        answer: call_evaluate,
    },
    McpTool {
        name: "manual",
        title: "Read the manual",
        description: "\
            Explains a word, an operator or an attribute of Essence (`allDiff`, `preImage`, `/\\`, `injective`, \
            `branching on`), or the code of an error or a warning (`E0301`, `W0203`), with examples.",
        needs: &["word"],
        takes: &[],
        answer: call_manual,
    },
];

/// The arguments of all tools, with their descriptions and schemas.
const ARGUMENTS: [(&str, &str, &str); 12] = [
    ("model", "string", "The model in Essence"),
    (
        "data",
        "string or object",
        "Values for the parameters: statements such as `letting n be 4`, or an object in JSON such as {\"n\": 4}",
    ),
    ("reference", "string", "The model that `model` should mean the same as"),
    ("expression", "string", "The expression"),
    ("solution", "string", "A solution in Essence, which gives the decision variables their values"),
    (
        "expected",
        "string",
        "A supposed solution in Essence, such as `letting x be 3`; it may leave out variables, and `_` is an unknown \
         part",
    ),
    ("forced", "string", "A constraint, such as `x > 3`"),
    ("known", "string", "What is known already, as statements such as `letting x be 3`; `_` is an unknown part"),
    ("word", "string", "The word, the sign or the code"),
    ("all_steps", "boolean", "Whether to show all steps and not only the next one"),
    ("steps", "boolean", "Whether to show the contradiction in small steps; without `forced` only"),
    ("solutions", "number of solutions", "How many solutions to look for; without an objective only"),
];

/// The last argument: the server takes it, as it ends the call.
const SECONDS: (&str, &str) = ("seconds", "The time limit in seconds; the server has a limit of its own");

/// The arguments of a call, of whichever tool.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolArguments {
    #[serde(default)]
    model: String,
    data: Option<Value>,
    #[serde(default)]
    reference: String,
    #[serde(default)]
    expression: String,
    solution: Option<String>,
    expected: Option<String>,
    forced: Option<String>,
    known: Option<String>,
    #[serde(default)]
    word: String,
    #[serde(default)]
    all_steps: bool,
    #[serde(default)]
    steps: bool,
    solutions: Option<usize>,
}

impl McpTool {
    /// The JSON schema of the arguments.
    pub(super) fn schema(&self) -> Map<String, Value> {
        let named = |name: &&str| {
            let (_, kind, description) = ARGUMENTS.iter().find(|argument| *argument.0 == **name)?;
            let mut schema = match *kind {
                "string or object" => json!({"type": ["string", "object"]}),
                "number of solutions" => json!({"type": "integer", "minimum": 1, "maximum": MOST_SOLUTIONS}),
                kind => json!({"type": kind}),
            };
            schema["description"] = (*description).into();
            Some(((**name).to_owned(), schema))
        };
        let mut properties: Map<String, Value> = self.needs.iter().chain(self.takes).filter_map(named).collect();
        if self.takes.contains(&SECONDS.0) {
            properties.insert(
                SECONDS.0.to_owned(),
                json!({"type": "number", "exclusiveMinimum": 0, "description": SECONDS.1}),
            );
        }
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": self.needs,
            "additionalProperties": false,
        });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// What is wrong with the arguments of a call, in words.
    pub(super) fn check(&self, arguments: &Map<String, Value>) -> Result<(), String> {
        let known = || self.needs.iter().chain(self.takes);
        if let Some(missing) = self.needs.iter().find(|name| !arguments.contains_key(**name)) {
            return Err(format!("`{}` needs the argument `{missing}`.", self.name));
        }
        for (name, value) in arguments {
            if !known().any(|known| known == name) {
                let known: Vec<String> = known().map(|name| format!("`{name}`")).collect();
                return Err(format!("`{}` has no argument `{name}`; it takes {}.", self.name, known.join(", ")));
            }
            let kind = ARGUMENTS.iter().find(|argument| argument.0 == name).map_or("number", |argument| argument.1);
            let fits = match kind {
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "string or object" => value.is_string() || value.is_object(),
                "number of solutions" => value.as_u64().is_some_and(|count| (1..=MOST_SOLUTIONS).contains(&count)),
                _ => value.as_f64().is_some_and(|seconds| seconds > 0.0),
            };
            if !fits {
                let wanted = match kind {
                    "number of solutions" => format!("number from 1 to {MOST_SOLUTIONS}"),
                    "number" => "number above 0".to_owned(),
                    kind => kind.to_owned(),
                };
                return Err(format!("The argument `{name}` is a {wanted}."));
            }
        }
        Ok(())
    }
}

impl ToolArguments {
    fn model_text(&self) -> Text {
        Text::new("the model", self.model.as_str())
    }

    fn data(&self) -> Vec<Text> {
        let data = self.data.as_ref().map(|data| data.as_str().map_or_else(|| data.to_string(), str::to_owned));
        data.into_iter().filter(|data| !data.trim().is_empty()).map(|data| Text::new(CALL_DATA, data)).collect()
    }

    /// The model. If it has a mistake, those in the data are told, too.
    fn model(&self) -> Result<Model, Report> {
        let text = self.model_text();
        Model::read(&text).map_err(|_| check(&text, std::slice::from_ref(&self.data())))
    }

    fn instance(&self) -> Result<(Model, Instance), Report> {
        let model = self.model()?;
        let instance = model.instance(&self.data())?;
        Ok((model, instance))
    }
}

/// Runs a search that the limits of the call end.
fn searching<T>(search: impl FnOnce(&EngineOptions) -> T) -> T {
    interrupt::doing("the solver was at work");
    let options = interrupt::engine_options(Some(1));
    interrupt::during(options.limits.deadline, || search(&options))
}

fn call_check(arguments: &ToolArguments) -> Result<ToolReply, Report> {
    let (text, data) = (arguments.model_text(), arguments.data());
    let mut reports = vec![check(&text, if data.is_empty() { &[] } else { std::slice::from_ref(&data) })];
    if let (Ok(model), false) = (Model::read(&text), reports[0].has_errors()) {
        reports.push(model.warnings());
        let instance = model.instance(&data).ok();
        reports.extend(instance.as_ref().map(Instance::warnings));
        let instances: Vec<Instance> = instance.into_iter().collect();
        let examine =
            |search: &EngineOptions| model.examine(&instances, &ExamineOptions::default().search(search.clone()));
        reports.push(searching(examine));
    }
    let (mut lines, mut found) = (Vec::new(), Vec::new());
    for report in &reports {
        // Several reports begin with what was noticed while the model was read.
        for (at, value) in diagnostics_as_data(report).into_iter().enumerate() {
            if !found.contains(&value) {
                let alone =
                    Report { sources: report.sources.clone(), diagnostics: vec![report.diagnostics[at].clone()] };
                lines.push(alone.to_terminal(false));
                found.push(value);
            }
        }
    }
    let is_right = !reports.iter().any(Report::has_errors);
    let text = if lines.is_empty() { "No mistakes found.\n".to_owned() } else { lines.join("\n") };
    Ok(ToolReply::new(text, json!({"ok": is_right, "diagnostics": found})))
}

fn call_solve(arguments: &ToolArguments) -> Result<ToolReply, Report> {
    let (model, instance) = arguments.instance()?;
    let count = match arguments.solutions {
        Some(count) if !model.has_objective() => Count::First(count),
        _ => Count::First(1),
    };
    let mut found = SolutionsSoFar { optimising: model.has_objective(), ..SolutionsSoFar::default() };
    found.reply(&StopReason::Interrupted.into()).leave();
    let summary = searching(|search| {
        let options = SolveOptions::default().solutions(count).search(search.clone());
        instance.solve(&options, &mut |solution| {
            // Each is better than the one before.
            if found.optimising {
                found.solutions.clear();
                found.text.clear();
            }
            found.count += 1;
            if found.text.len() <= MOST_VALUES {
                let essence = solution.to_essence(WIDTH);
                found.text += essence.trim_start_matches("language Essence 1.3").trim_start();
                found.text += "\n";
                let mut values = json!({"values": solution.to_value()});
                if let Some(objective) = solution.objective_json() {
                    values["objective"] = objective;
                }
                found.solutions.push(values);
            }
            found.reply(&StopReason::Interrupted.into()).leave();
            ControlFlow::Continue(())
        })
    })?;
    let is_unsatisfiable = summary.status.is_unsatisfiable();
    let mut reply = found.reply(&summary.status);
    if is_unsatisfiable {
        reply.text += "Ask `why` which requirements contradict each other.\n";
    }
    Ok(reply)
}

/// The solutions so far.
#[derive(Default)]
struct SolutionsSoFar {
    optimising: bool,
    count: usize,
    solutions: Vec<Value>,
    text: String,
}

impl SolutionsSoFar {
    fn reply(&self, status: &SolveStatus) -> ToolReply {
        let text = format!("{}{}\n", self.text, status.says(self.count));
        ToolReply::new(text, json!({"status": status.to_string(), "solutions": self.solutions}))
    }
}

/// Asks for an explanation, and leaves what is known so far.
fn asked(ask: impl FnOnce(&ExplainOptions) -> Result<Answer, Report>) -> Result<ToolReply, Report> {
    let reply = |answer: &Answer| ToolReply::new(answer.to_text(false), answer.to_value());
    let so_far = |answer: &Answer| reply(answer).leave();
    let answer = searching(|search| ask(&ExplainOptions::default().search(search.clone()).so_far(Some(&so_far))))?;
    let mut reply = reply(&answer);
    if !answer.complete {
        let _ = writeln!(reply.text, "A limit ended the search; {}.", answer.known);
    }
    reply.structured["complete"] = answer.complete.into();
    Ok(reply)
}

fn call_why(arguments: &ToolArguments) -> Result<ToolReply, Report> {
    let (model, data) = (arguments.model()?, arguments.data());
    let text = |name: &'static str, text: &Option<String>| text.as_ref().map(|text| Text::new(name, text.as_str()));
    let (expected, forced) =
        (text("the expected solution", &arguments.expected), text("the constraint", &arguments.forced));
    asked(|options| {
        let options = &options.clone().in_steps(arguments.steps);
        match (&expected, &forced) {
            (Some(expected), _) => model.why_not(&data, expected, options),
            (None, Some(forced)) => model.forced(&data, forced, options),
            (None, None) => model.why(&data, options),
        }
    })
}

fn call_hint(arguments: &ToolArguments) -> Result<ToolReply, Report> {
    let (model, data) = (arguments.model()?, arguments.data());
    let known = arguments.known.as_ref().map(|known| Text::new("what is known", known.as_str()));
    asked(|options| model.hint(&data, known.as_ref(), arguments.all_steps, options))
}

fn call_explore(arguments: &ToolArguments) -> Result<ToolReply, Report> {
    let (model, instance) = arguments.instance()?;
    let space = searching(|search| {
        instance.explore(&ExploreOptions::default().most(2_000).sample(200).search(search.clone()))
    })?;
    let mut structured = explore::space_object(&space);
    // The solutions are many; `solve` tells some.
    if let Some(members) = structured.as_object_mut() {
        members.retain(|name, _| !["solutions", "different", "classes"].contains(&&**name));
    }
    Ok(ToolReply::new(explore::space_summary(&space, model.has_objective()), structured))
}

fn call_compare(arguments: &ToolArguments) -> Result<ToolReply, Report> {
    let model = arguments.model()?;
    let reference = Model::read(&Text::new("the reference", arguments.reference.as_str()))?;
    let data = arguments.data();
    let are_made_up = data.is_empty();
    let instances = if are_made_up { reference.small_instances(MADE_UP, 1)? } else { vec![data] };
    let mut is_complete = true;
    for data in &instances {
        let compared =
            searching(|search| model.compare(&reference, data, &CompareOptions::default().search(search.clone())))?;
        if compared.difference.is_some() {
            let text = compared.to_text(data.first(), are_made_up, false);
            return Ok(ToolReply::new(text, compare::comparison_object(&compared, data)));
        }
        is_complete &= compared.complete;
    }
    let structured = json!({"difference": null, "complete": is_complete, "instances": instances.len()});
    Ok(ToolReply::new(Comparison::same(instances.len(), is_complete), structured))
}

fn call_evaluate(arguments: &ToolArguments) -> Result<ToolReply, Report> {
    let mut bench = Workbench::default();
    bench.model = Some(arguments.model_text()).filter(|model| !model.text.is_empty());
    bench.data = arguments.data();
    bench.solution = arguments.solution.as_ref().map(|text| Text::new("the solution", text.as_str()));
    let evaluated = bench.evaluate(&Text::new("the expression", arguments.expression.as_str()))?;
    let text = format!("{} : {}\n", evaluated.essence, evaluated.ty);
    Ok(ToolReply::new(text, json!({"value": evaluated.value.to_value(), "type": evaluated.ty})))
}

fn call_manual(arguments: &ToolArguments) -> Result<ToolReply, Report> {
    let entry = manual_entry(&arguments.word)?;
    let structured = json!({"word": arguments.word});
    Ok(ToolReply::new(entry, structured))
}
