//! The commands that search: each runs on a thread of its own, so that the server goes on answering.

use super::{
    mistakes,
    transport::{self, Answered, Event, answer, refusal, send},
    workspace::Workspace,
};
use conjure_like::{
    EngineOptions, ExplainOptions, Limits, Model, ModelCommand, PictureFormat, Report, Sheet, Solution, SolveOptions,
    SolverName, Summary, Text,
};
use lsp_server::{ErrorCode, Notification, RequestId, ResponseError};
use lsp_types::{
    ExecuteCommandParams, ProgressToken,
    notification::{Notification as _, Progress},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    num::NonZeroUsize,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc::Sender,
    },
    thread,
    time::{Duration, Instant},
};

/// The client's settings for commands. 0 and an empty name stand for a setting that is not made.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct SearchSettings {
    solver: String,
    /// A number of seconds.
    limit_time: f64,
    threads: usize,
}

impl SearchSettings {
    /// The options of a command that begins now, and can be ended with the flag.
    fn options(&self, interrupted: Arc<AtomicBool>) -> Result<SolveOptions, ResponseError> {
        let solver = match &*self.solver {
            "" => SolverName::default(),
            name => name.parse().map_err(|unknown: String| refusal(ErrorCode::RequestFailed, unknown))?,
        };
        let limit = Duration::try_from_secs_f64(self.limit_time).ok().filter(|limit| !limit.is_zero());
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let threads = NonZeroUsize::new(self.threads);
        let search = EngineOptions::default()
            .limits(Limits::default().deadline(deadline).interrupted(interrupted))
            .threads(threads);
        Ok(SolveOptions::default().solver(solver).search(search))
    }
}

/// The commands that run.
pub(super) struct Commands {
    pub settings: SearchSettings,
    results: Sender<Event>,
    /// For each command what asks it to end, and where the client shows its progress.
    running: HashMap<RequestId, (Arc<AtomicBool>, Option<ProgressToken>)>,
}

/// What the names of the commands begin with.
const PREFIX: &str = "conjure-like.";

/// The name of a command in the protocol.
pub(super) fn name(command: ModelCommand) -> String {
    format!("{PREFIX}{command}")
}

/// The command that says what is wrong with the tables among the data of a model.
pub(super) const TABLES: &str = "conjure-like.tables";

impl Commands {
    pub(super) fn new(results: Sender<Event>) -> Self {
        Commands { settings: SearchSettings::default(), results, running: HashMap::new() }
    }

    /// Starts a command; its result comes as an event.
    pub(super) fn start(
        &mut self,
        id: &RequestId,
        params: ExecuteCommandParams,
        workspace: &Workspace,
    ) -> Result<(), ResponseError> {
        let invalid = |what: &str| refusal(ErrorCode::InvalidParams, what);
        let command = ModelCommand::ALL.into_iter().find(|command| name(*command) == params.command);
        if command.is_none() && params.command != TABLES {
            return Err(invalid(&format!("there is no command `{}`", params.command)));
        }
        let uri =
            params.arguments.first().and_then(Value::as_str).ok_or_else(|| invalid("the model's URI is missing"))?;
        let data: Vec<&str> = match params.arguments.get(1) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(uris)) => uris.iter().filter_map(Value::as_str).collect(),
            Some(_) => return Err(invalid("the data are a list of URIs and tables")),
        };
        let failed = |why: String| refusal(ErrorCode::RequestFailed, why);
        let model = workspace.content(uri).ok_or_else(|| failed(format!("cannot read `{uri}`")))?;
        let data = data.into_iter().map(|named| workspace.data(uri, named)).collect::<Result<Vec<_>, _>>();
        let data = data.map_err(failed)?;
        let encoding = workspace.encoding;
        let token = params.work_done_progress_params.work_done_token;
        let cancelled = Arc::new(AtomicBool::new(false));
        let options = self.settings.options(cancelled.clone())?;
        let (results, request) = (self.results.clone(), id.clone());
        let run = move || {
            let texts: Vec<Text> = data.iter().map(|(text, _)| text.clone()).collect();
            let result = catch_unwind(AssertUnwindSafe(|| match command {
                Some(command) => run(command, &model, &texts, options),
                None => transport::result(mistakes::of_tables(&model, &data, encoding)),
            }));
            let bug = || Err(refusal(ErrorCode::InternalError, "this is a bug in conjure-like"));
            // The server may have ended.
            let _ = results.send(Event::Done(request, result.unwrap_or_else(|_| bug())));
        };
        let refused = |error| refusal(ErrorCode::InternalError, format!("the system refuses a thread: {error}"));
        let title = params.command.replacen(PREFIX, "conjure-like ", 1);
        thread::Builder::new().name(title.clone()).spawn(run).map_err(refused)?;
        progress(token.as_ref(), json!({ "kind": "begin", "title": title, "cancellable": true }));
        self.running.insert(id.clone(), (cancelled, token));
        Ok(())
    }

    /// Answers the request of a command that has ended, unless it has been cancelled.
    pub(super) fn finish(&mut self, id: &RequestId, result: Answered) {
        if let Some((_, token)) = self.running.remove(id) {
            progress(token.as_ref(), json!({ "kind": "end" }));
            answer(id.clone(), result);
        }
    }

    /// Ends a command; its request is answered at once.
    pub(super) fn cancel(&mut self, id: &RequestId) {
        if let Some((cancelled, _)) = self.running.get(id) {
            cancelled.store(true, SeqCst);
            self.finish(id, Err(refusal(ErrorCode::RequestCanceled, "cancelled")));
        }
    }

    pub(super) fn cancel_all(&mut self) {
        self.running.drain().for_each(|(_, (cancelled, _))| cancelled.store(true, SeqCst));
    }
}

fn progress(token: Option<&ProgressToken>, value: Value) {
    if let Some(token) = token {
        let params = json!({ "token": token, "value": value });
        send(Notification { method: Progress::METHOD.to_owned(), params });
    }
}

/// The result of a command.
fn run(command: ModelCommand, model: &Text, data: &[Text], options: SolveOptions) -> Answered {
    let failed = |report: Report| refusal(ErrorCode::RequestFailed, report.to_lines().trim_end());
    let model = Model::read(model).map_err(failed)?;
    let (text, format) = match command {
        ModelCommand::Solve => match solution(&model, data, &options).map_err(failed)? {
            (Some(found), summary) => (format!("{}{found}", remark(&summary)), "essence"),
            (None, summary) => (summary.says(), "text"),
        },
        ModelCommand::Picture => match solution(&model, data, &options).map_err(failed)? {
            (Some(found), _) => {
                let pictures = found.pictures(&model.pictures().map_err(failed)?);
                let sheet = Sheet { heading: "Solution".to_owned(), pictures, ..Sheet::default() };
                (PictureFormat::Svg.render("", &[sheet], false), "svg")
            }
            (None, summary) => (summary.says(), "text"),
        },
        ModelCommand::Why | ModelCommand::Hint => {
            let options = ExplainOptions::default().search(options.search);
            let answer = match command {
                ModelCommand::Why => model.why(data, &options),
                _ => model.hint(data, None, false, &options),
            };
            (answer.map_err(failed)?.to_text(false), "text")
        }
    };
    transport::result(json!({ "text": text, "format": format }))
}

/// The last solution that a search finds, which is the first one or a best one, and how the search ended.
fn solution(model: &Model, data: &[Text], options: &SolveOptions) -> Result<(Option<Solution>, Summary), Report> {
    let mut last = None;
    let summary = model.instance(data)?.solve(options, &mut |solution| {
        last = Some(solution.clone());
        ControlFlow::Continue(())
    })?;
    Ok((last, summary))
}

/// A comment above a solution that need not be a best one.
fn remark(summary: &Summary) -> &'static str {
    if summary.status.is_definite() { "" } else { "$ The search has ended early: there may be better solutions.\n" }
}
