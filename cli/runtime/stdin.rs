//! Standard input as a text. A program that runs this one can keep it open, so that the run ends with that program.

use super::interrupt::{self, KILLED};
use std::{
    io::{self, BufRead, BufReader, Read},
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver},
    },
    thread,
};

/// The maximum size of an input: larger ones are rarely written by hand, or never end. Chosen.
pub(crate) const LARGEST_INPUT: u64 = 64_000_000;

/// Receives the text if the run ends with standard input.
static TEXT: Mutex<Option<Receiver<io::Result<Vec<u8>>>>> = Mutex::new(None);

/// Ends the run when standard input ends, which happens when the program at the other end of a pipe ends for any
/// reason. The text comes first, after a line with its length in bytes.
pub(crate) fn end_with_it() {
    let (give, text) = mpsc::channel();
    *TEXT.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    // If the thread cannot be started, the reader gets no text.
    let _ = thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut input = BufReader::new(io::stdin());
        let _ = give.send(read_measured(&mut input));
        // When the sender is gone, a second reader gets an empty text instead of waiting.
        drop(give);
        // Copying ends when the other end closes the pipe.
        let _ = io::copy(&mut input, &mut io::sink());
        interrupt::quit(KILLED)
    });
}

/// Reads the text after a line with its length in bytes.
fn read_measured(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = String::new();
    input.take(20).read_line(&mut line)?;
    let length: u64 = line.trim().parse().map_err(|_| io::Error::other("it does not start with its length"))?;
    let mut text = Vec::new();
    input.take(length.min(LARGEST_INPUT + 1)).read_to_end(&mut text)?;
    Ok(text)
}

/// Reads a line that answers a question, without the spaces around it; `None` if the input ends or the line is `quit`.
pub(crate) fn next_answer() -> Option<String> {
    let mut line = String::new();
    let count = io::stdin().lock().read_line(&mut line).unwrap_or_default();
    let answer = line.trim();
    // A script may close its input instead of sending `quit`.
    (count > 0 && !["quit", "q"].contains(&answer)).then(|| answer.to_owned())
}

/// Reads the text; if it is too large, only one byte beyond the limit, so that the caller notices.
pub(crate) fn read_stdin() -> io::Result<Vec<u8>> {
    if let Some(text) = &*TEXT.lock().unwrap_or_else(PoisonError::into_inner) {
        // The text is delivered only once; a second reader gets an empty one.
        return text.recv().unwrap_or(Ok(Vec::new()));
    }
    let mut text = Vec::new();
    io::stdin().lock().take(LARGEST_INPUT + 1).read_to_end(&mut text)?;
    Ok(text)
}
