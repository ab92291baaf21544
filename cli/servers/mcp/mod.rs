//! `conjure-like mcp`: a server for assistants, which speaks the Model Context Protocol on standard input and output.
//!
//! Each tool call runs in a separate process ([`worker`]), which gets its texts on standard input and has limits on
//! time and memory. A call that is cancelled or exceeds its limits does not affect the server or other calls.

mod guide;
mod reply;
mod tools;
mod worker;

pub(crate) use worker::McpWorker;

use crate::runtime::{
    Exit, interrupt,
    limits::parse_seconds,
    numbers::whole_number,
    processes::{self, ChildId},
    report,
};
use clap::Args;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
        GetPromptResponse, Implementation, ListPromptsResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
        Tool as ListedTool, ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::{Map, Value};
use std::{
    env, io,
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};
use tokio::{
    runtime::Builder,
    sync::{Semaphore, oneshot},
    task,
};
use tools::{McpTool, TOOLS};

/// The maximum number of bytes that are read from the output of a call. Chosen.
const MOST_OUTPUT: u64 = 4_000_000;

/// The extra time for a call that should stop at its limit by itself. Chosen.
const GRACE: Duration = Duration::from_secs(5);

/// The instructions that assistants get for the server as a whole.
const INSTRUCTIONS: &str = "\
Essence is a declarative language for combinatorial problems: `given` declares parameters, `find` decision \
variables, `such that` constraints, `minimising` or `maximising` an objective. The resource essence://guide has the \
language on one page: read it before you write a model. Write a model, `fix` and `check` it, solve it with data, and \
ask `why` if there is no solution. Every solution has been checked against the model. If a text can be read in two \
ways, write a model for each reading and let `ask` find the question for the user; do not guess. `manual` explains \
words, operators and error codes.";

#[derive(Args)]
#[command(after_help = "\
Example, as assistants are configured: {\"command\": \"conjure-like\", \"args\": [\"mcp\"]}

The page docs/mcp.md of the manual says where to put this for each assistant.")]
pub(crate) struct McpCommand {
    /// The time limit for a call, in seconds; the assistant may choose a smaller one
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    call_time: Duration,
    /// The memory limit of a call
    #[arg(long, value_name = "MB", default_value = "2000", value_parser = whole_number::<u64>(1..))]
    call_memory: u64,
    /// The number of calls that run at the same time; others wait
    #[arg(long, value_name = "N", default_value = "2", value_parser = whole_number::<u16>(1..))]
    at_once: u16,
}

impl McpCommand {
    pub(crate) fn run(self) -> Option<Exit> {
        interrupt::doing("the server was waiting for requests");
        match serve(self) {
            Ok(()) => Some(Exit::Answer),
            Err(error) => {
                report::report_error(&format!("the server ended: {error}"), &[], &[]);
                Some(Exit::Fault)
            }
        }
    }
}

/// Answers until standard input ends.
fn serve(command: McpCommand) -> io::Result<()> {
    // Each call has its own process, so one thread is enough.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let calls = Arc::new(Semaphore::new(command.at_once.into()));
        let server = McpServer { command: Arc::new(command), calls };
        let streams = (tokio::io::stdin(), tokio::io::stdout());
        let running = server.serve(streams).await.map_err(io::Error::other)?;
        running.waiting().await.map_err(io::Error::other)
    });
    // Threads that wait for calls must not keep the server alive; the processes of the calls end with the server.
    runtime.shutdown_background();
    served.map(drop)
}

struct McpServer {
    command: Arc<McpCommand>,
    /// A permit for each call that may run.
    calls: Arc<Semaphore>,
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let mut config = ServerConfig::new(capabilities).with_instructions(INSTRUCTIONS);
        config.server_info = Implementation::new("conjure-like", env!("CARGO_PKG_VERSION"));
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(listed_tool).collect()))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(guide::listed_resources())
    }

    async fn read_resource(
        &self,
        wanted: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let missing = || ErrorData::resource_not_found(format!("there is no resource `{}`", wanted.uri), None);
        guide::read_resource(&wanted.uri).map(Into::into).ok_or_else(missing)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(guide::listed_prompts())
    }

    async fn get_prompt(
        &self,
        asked: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        guide::prompt(&asked).map(Into::into).map_err(|wrong| ErrorData::invalid_params(wrong, None))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == call.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", call.name), None));
        };
        let arguments = call.arguments.unwrap_or_default();
        // A wrong argument is not a protocol error, but has an answer that helps the assistant.
        if let Err(wrong) = tool.check(&arguments) {
            return Ok(refused_call(&wrong).into());
        }
        let (started, child) = oneshot::channel();
        // A call may be cancelled while it waits for its permit.
        let permit = tokio::select! {
            permit = self.calls.clone().acquire_owned() => permit.map_err(|_| internal("the server ends"))?,
            () = context.ct.cancelled() => return Err(internal("cancelled")),
        };
        let command = self.command.clone();
        let answering = task::spawn_blocking(move || {
            let answer = answer_call(tool, arguments, &command, |child| {
                // If the call was cancelled, the receiver is gone.
                let _ = started.send(child);
            });
            // The permit is released only after the process has ended, even if the client gets its answer earlier.
            drop(permit);
            answer
        });
        tokio::select! {
            answered = answering => {
                let answered = answered.map_err(|_| internal("a thread has ended"))?;
                answered.map(Into::into).map_err(|error| internal(&error.to_string()))
            }
            () = context.ct.cancelled() => {
                // If the process has not started, the sender is dropped, and there is nothing to end.
                if let Ok(child) = child.await {
                    child.end();
                }
                Err(internal("cancelled"))
            }
        }
    }
}

fn internal(what: &str) -> ErrorData {
    ErrorData::internal_error(format!("the call cannot be answered: {what}"), None)
}

/// The description of a tool for assistants. No tool changes anything or accesses more than its texts.
fn listed_tool(tool: &McpTool) -> ListedTool {
    let hints = ToolAnnotations::with_title(tool.title).read_only(true).idempotent(true).open_world(false);
    ListedTool::new(tool.name, tool.description, Arc::new(tool.schema())).with_annotations(hints)
}

fn refused_call(wrong: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(wrong)])
}

/// Answers a call in a separate process.
fn answer_call(
    tool: &McpTool,
    mut arguments: Map<String, Value>,
    command: &McpCommand,
    started: impl FnOnce(ChildId),
) -> io::Result<CallToolResult> {
    let wanted = arguments.remove("seconds").and_then(|seconds| Duration::try_from_secs_f64(seconds.as_f64()?).ok());
    // The assistant may reduce the time, but not extend it.
    let time = wanted.map_or(command.call_time, |wanted| wanted.min(command.call_time));
    let mut worker = Command::new(env::current_exe()?);
    worker
        .args(["mcp-worker", tool.name])
        .arg(format!("--limit-time={}", time.as_secs_f64()))
        .arg(format!("--limit-memory={}", command.call_memory))
        .stderr(Stdio::piped());
    let input = serde_json::to_vec(&Value::Object(arguments))?;
    let output = processes::output(&mut worker, &input, MOST_OUTPUT, time + GRACE, started)?;
    Ok(match serde_json::from_slice::<reply::ToolReply>(&output.stdout) {
        Ok(reply) => {
            let content = vec![ContentBlock::text(reply.text)];
            let mut result =
                if reply.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
            result.structured_content = Some(reply.structured);
            result
        }
        // If the process ends without an answer, standard error shows the reason.
        Err(_) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.trim();
            refused_call(if said.is_empty() { "The call was ended before there was an answer." } else { said })
        }
    })
}
