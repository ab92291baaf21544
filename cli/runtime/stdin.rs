//! Standard input: a text. Programs that run this one can hold on to it, so that a run ends with the program that
//! wants its results.

use super::interrupt::{self, KILLED};
use std::{
    io::{self, BufRead, BufReader, Read},
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver},
    },
    thread,
};

/// A larger input is refused: it is hardly a text that somebody has written, or it never ends.
pub(crate) const LARGEST_INPUT: u64 = 64_000_000;

/// The text, where the run ends with standard input.
static TEXT: Mutex<Option<Receiver<io::Result<Vec<u8>>>>> = Mutex::new(None);

/// Ends the run when standard input ends, as it does when the program at the other end of a pipe is gone, whatever has
/// ended it. The text comes first, after a line with the number of its bytes.
pub(crate) fn end_with_it() {
    let (give, text) = mpsc::channel();
    *TEXT.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    // Without the thread, there is no text.
    let _ = thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut input = BufReader::new(io::stdin());
        let _ = give.send(read_measured(&mut input));
        drop(give);
        let _ = io::copy(&mut input, &mut io::sink());
        interrupt::quit(KILLED)
    });
}

/// The text after a line with the number of its bytes.
fn read_measured(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = String::new();
    input.take(20).read_line(&mut line)?;
    let length: u64 = line.trim().parse().map_err(|_| io::Error::other("it does not begin with its length"))?;
    let mut text = Vec::new();
    input.take(length.min(LARGEST_INPUT + 1)).read_to_end(&mut text)?;
    Ok(text)
}

/// The text. Of a text that is larger than an input may be, one byte more than the bound is read.
pub(crate) fn read_stdin() -> io::Result<Vec<u8>> {
    if let Some(text) = &*TEXT.lock().unwrap_or_else(PoisonError::into_inner) {
        // It has an end, so that who reads again gets nothing more.
        return text.recv().unwrap_or(Ok(Vec::new()));
    }
    let mut text = Vec::new();
    io::stdin().lock().take(LARGEST_INPUT + 1).read_to_end(&mut text)?;
    Ok(text)
}
