//! `--solver=external`: a SAT solver that is a command of the system, as in SAT competitions. The size of its output is
//! limited.

use crate::runtime::{
    files::TemporaryFolder,
    memory,
    processes::{self, ChildId, ChildProcess},
};
use conjure_like::{Code, Diagnostic, EngineOptions, SatAnswer, SatProgram};
use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

/// The interval at which a running solver is polled. Chosen.
const INTERVAL: Duration = Duration::from_millis(5);
/// The time limit for reading the rest of the output after a solver has ended. Chosen.
const PATIENCE: Duration = Duration::from_secs(1);
/// The largest answer in bytes: the values of some twenty million variables. Chosen.
const LARGEST_ANSWER: u64 = 256_000_000;
/// The largest proof in bytes, if the memory limit allows it. Chosen.
const LARGEST_PROOF: u64 = 2_000_000_000;

/// A command line with `{cnf}` for the file of the clauses, and `{proof}` for the file of a proof if one is wanted.
#[derive(Clone, Debug)]
pub(crate) struct SolverCommand {
    words: Vec<String>,
}

impl SolverCommand {
    /// Parses a command as a shell would: words, with quotes around blanks.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let words = shell_words::split(text).map_err(|error| error.to_string())?;
        if !words.iter().any(|word| word.contains("{cnf}")) {
            return Err("the command must have `{cnf}` where the file with the clauses goes: 'kissat {cnf}'".to_owned());
        }
        Ok(SolverCommand { words })
    }

    /// The command as a solver, which is ended together with the search.
    pub(crate) fn program(&self, search: &EngineOptions) -> Result<SatProgram, Diagnostic> {
        let folder = TemporaryFolder::new().map_err(|error| {
            Diagnostic::error(Code::FILE_UNWRITABLE, format!("there is no folder for the clauses: {error}"))
        })?;
        let (words, search) = (self.words.clone(), search.clone());
        Ok(Box::new(move |cnf| run_solver(&words, folder.path(), cnf, &search).unwrap_or_else(SatAnswer::Unknown)))
    }
}

/// Runs the command on clauses; an error is the reason why there is no answer.
fn run_solver(words: &[String], folder: &Path, cnf: &str, search: &EngineOptions) -> Result<SatAnswer, String> {
    let [clauses, proof] = ["clauses.cnf", "proof"].map(|name| folder.join(name));
    fs::write(&clauses, cnf).map_err(|error| format!("the clauses cannot be written: {error}"))?;
    // The solver may write no proof, and then an older file would be taken for one.
    let _ = fs::remove_file(&proof);
    let filled = |word: &String| {
        word.replace("{cnf}", &clauses.display().to_string()).replace("{proof}", &proof.display().to_string())
    };
    let has_proof = words.iter().any(|word| word.contains("{proof}"));
    let words: Vec<String> = words.iter().map(filled).collect();
    let (name, arguments) = words.split_first().ok_or("there is no command")?;
    let cannot = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no command `{name}`"),
        _ => format!("`{name}` cannot be run: {error}"),
    };
    let mut command = Command::new(name);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = processes::start_child(&mut command).map_err(cannot)?;
    let output = child.stdout.take().map(|output| read_printed(output, LARGEST_ANSWER, child.id()));
    wait(&child, search, &proof).map_err(|why| format!("`{name}` {why}"))?;
    // A child of the solver may keep the pipe open, so the wait for the end of the output is limited.
    let text = match output.map(|output| output.recv_timeout(PATIENCE)) {
        Some(Ok(text)) => text.map_err(|why| format!("`{name}` {why}"))?,
        _ => return Err(format!("`{name}` has ended, but its output has not")),
    };
    parse_printed(&String::from_utf8_lossy(&text), name, || match has_proof {
        false => Ok(None),
        true => written_proof(&proof, largest_proof()).map(Some).map_err(|why| format!("`{name}` {why}")),
    })
}

/// Waits for the end of the solver, and ends it when the search has to end. An error describes the solver's fault.
fn wait(child: &ChildProcess, search: &EngineOptions, proof: &Path) -> Result<(), String> {
    let most = largest_proof();
    while child.try_wait().map_err(|error| format!("is lost: {error}"))?.is_none() {
        // A proof may fill the disk before the solver ends, so its size is checked while the solver runs.
        if fs::symlink_metadata(proof).is_ok_and(|proof| proof.len() > most) {
            return Err(too_large_output(most));
        }
        if search.reached().is_some() {
            // The loop continues until the process has ended.
            child.id().end();
        }
        thread::sleep(INTERVAL);
    }
    Ok(())
}

/// Reads the solver's output without comments, and ends the solver if it prints too much.
fn read_printed(output: impl Read + Send + 'static, most: u64, solver: ChildId) -> Receiver<Result<Vec<u8>, String>> {
    let (give, text) = channel();
    thread::spawn(move || {
        let read = lines_without_comments(BufReader::new(output), most);
        if read.is_err() {
            solver.end();
        }
        let _ = give.send(read);
    });
    text
}

/// The lines that are not comments; only these count for the limit.
fn lines_without_comments(mut output: impl BufRead, most: u64) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    loop {
        let wrong = |error: io::Error| format!("has printed something that cannot be read: {error}");
        match output.fill_buf().map_err(wrong)?.first() {
            None => return Ok(text),
            Some(b'c') => output.skip_until(b'\n').map_err(wrong)?,
            Some(_) => {
                // If one byte more than the limit can be read, the limit is exceeded.
                let rest = (most + 1).saturating_sub(text.len() as u64);
                output.by_ref().take(rest).read_until(b'\n', &mut text).map_err(wrong)?
            }
        };
        if text.len() as u64 > most {
            return Err(format!("has printed more than {} MB", most / 1_000_000));
        }
    }
}

/// The largest proof to read, in bytes.
fn largest_proof() -> u64 {
    memory::memory_limit().map_or(LARGEST_PROOF, |limit| LARGEST_PROOF.min(limit / 2))
}

fn too_large_output(most: u64) -> String {
    let memory = if most < LARGEST_PROOF { ", half of --limit-memory" } else { "" };
    format!("has written a proof of more than {} MB{memory}", most / 1_000_000)
}

/// Reads the proof of a solver.
fn written_proof(proof: &Path, most: u64) -> Result<Vec<u8>, String> {
    let metadata = fs::symlink_metadata(proof).map_err(|_| "has not written a proof".to_owned())?;
    // Reading a link, a device or a pipe may never end.
    if !metadata.is_file() {
        return Err("has written a proof that is not a file".to_owned());
    }
    let mut steps = Vec::new();
    let read = File::open(proof).and_then(|file| file.take(most + 1).read_to_end(&mut steps));
    match read {
        Ok(length) if length as u64 > most => Err(too_large_output(most)),
        Ok(_) => Ok(steps),
        Err(error) => Err(format!("has written a proof that cannot be read: {error}")),
    }
}

/// The answer in a solver's output, with its proof if the clauses are unsatisfiable.
fn parse_printed(
    text: &str,
    name: &str,
    proof: impl FnOnce() -> Result<Option<Vec<u8>>, String>,
) -> Result<SatAnswer, String> {
    match SatAnswer::read(text) {
        Ok(SatAnswer::Unsatisfiable(_)) => Ok(SatAnswer::Unsatisfiable(proof()?)),
        Ok(SatAnswer::Unknown(reason)) => Err(format!("`{name}`: {reason}")),
        Ok(answer) => Ok(answer),
        Err(missing) => Err(format!("`{name}` has ended without an answer: {missing}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_not_kept() {
        let read = |text: &str, most| {
            lines_without_comments(text.as_bytes(), most).map(|text| String::from_utf8_lossy(&text).into())
        };
        let text: Result<String, String> = read("c 1\ns SATISFIABLE\nc 2\nv 1 0\nc", 22);
        assert_eq!(text.as_deref(), Ok("s SATISFIABLE\nv 1 0\n"));
        assert!(read("s SATISFIABLE\nv 1 0\n", 18).is_err_and(|why| why.contains("more than 0 MB")));
        assert!(read("endless", 3).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_proof_is_a_file_of_bounded_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let proof = folder.path().join("proof");
        assert!(written_proof(&proof, 9).is_err_and(|why| why == "has not written a proof"));
        fs::write(&proof, "1 0\n2 0\n").expect("a file");
        assert_eq!(written_proof(&proof, 8).as_deref(), Ok("1 0\n2 0\n".as_bytes()));
        assert!(written_proof(&proof, 7).is_err_and(|why| why.contains("a proof of more than 0 MB")));
        fs::remove_file(&proof).expect("a file");
        std::os::unix::fs::symlink("/dev/zero", &proof).expect("a link");
        assert!(written_proof(&proof, 7).is_err_and(|why| why.contains("not a file")));
    }

    #[test]
    fn answers_are_those_of_competitions() {
        let answer = |text| parse_printed(text, "solver", || Ok(None));
        assert_eq!(answer("c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n"), Ok(SatAnswer::Satisfiable(vec![1, -2, 3])));
        assert_eq!(answer("s UNSATISFIABLE\n"), Ok(SatAnswer::Unsatisfiable(None)));
        assert_eq!(answer("s UNKNOWN\n"), Err("`solver`: the solver says `UNKNOWN`".to_owned()));
        assert!(answer("segmentation fault").is_err());
        assert!(SolverCommand::parse("kissat --quiet").is_err());
    }
}
