//! `conjure-like session`: the protocol of `conjure-like serve` for the instance on the command line.

use super::serve::answer_requests;
use crate::{
    inputs::{instances::Instances, invocation::Invocation},
    runtime::Exit,
};
use clap::Args;
use conjure_like::{Code, Diagnostic, protocol::Service};
use serde_json::{Map, Value};
use std::path::Path;

#[derive(Args)]
#[command(after_help = "\
Example: printf '{\"solve\": {}}\\n{\"steps\": [{\"require\": \"x > 3\"}], \"solve\": {}}\\n' | \
    conjure-like session MODEL PARAM

Exit code: 0 when standard input ends, whatever the answers were; 2 for a mistake in the command line, the files, the
model or the data.")]
pub(crate) struct SessionCommand {
    #[command(flatten)]
    instances: Instances,
}

impl SessionCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        if self.instances.model == Path::new("-") {
            let error = Diagnostic::error(Code::COMMAND_LINE, "a session reads its requests from standard input");
            return invocation.fail(error.help("name a file with the model"));
        }
        if self.instances.are_several() {
            let error = Diagnostic::error(Code::COMMAND_LINE, "a session works on one instance");
            return invocation.fail(error.help("name one parameter file, and tables if you like"));
        }
        let model = self.instances.read_model(invocation)?;
        self.instances.each(invocation, |invocation, data, _| {
            let mut service = Service::default();
            invocation.accept(service.start_session(&model, data))?;
            answer_requests(invocation, service, complete_request)
        })
    }
}

/// Completes a request: the default verb is `session`, and pictures are left out, because they are for pages.
fn complete_request(request: &mut Map<String, Value>) {
    request.entry("verb").or_insert_with(|| "session".into());
    if let Some(Value::Object(solve)) = request.get_mut("solve") {
        solve.entry("pictures").or_insert(Value::Bool(false));
    }
}
