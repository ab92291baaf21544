//! Standard output. Every write is checked and flushed, so that a full disk is noticed and readers see results at once.

use conjure_like::{Code, Diagnostic, to_json, visible};
use serde::Serialize;
use serde_json::json;
use std::io::{self, IsTerminal, Write};

/// The reasons why nothing more can be written.
pub(crate) enum Failure {
    /// The reader has closed the pipe (`| head`), because it has enough.
    NoReader,
    Refused(Diagnostic),
}

impl From<Diagnostic> for Failure {
    fn from(refused: Diagnostic) -> Self {
        Failure::Refused(refused)
    }
}

/// True if standard output is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes bytes.
pub(crate) fn write_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let written = output.write_all(bytes).and_then(|()| output.flush());
    output_result(written)
}

/// Writes a text. For a terminal, control characters are removed, except for bold and colours.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let text = if output.is_terminal() { visible::styled(text) } else { text.into() };
    let written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    output_result(written)
}

/// Writes a line of the protocol.
pub(crate) fn write_line(line: &impl Serialize) -> Result<(), Failure> {
    write(&(to_json(&json!(line)) + "\n"))
}

fn output_result(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::NoReader),
        Err(error) => {
            let message = format!("cannot write to standard output: {error}");
            Err(Failure::Refused(Diagnostic::error(Code::FILE_UNWRITABLE, message)))
        }
    }
}
