//! `--solver=external`: a SAT solver that is a command of the system, as in SAT competitions.

use super::interrupt;
use conjure_like::{Code, Diagnostic, SatAnswer, SatProgram, SolverOptions};
use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// The interval at which a running solver is looked at.
const INTERVAL: Duration = Duration::from_millis(5);

/// A command line with `{cnf}` for the file with the clauses, and `{proof}` for the file of a proof if one is wanted.
#[derive(Clone, Debug)]
pub(super) struct SolverCommand {
    words: Vec<String>,
}

impl SolverCommand {
    /// Reads a command as a shell would: words, and quotes around words with blanks.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let words = shell_words::split(text).map_err(|error| error.to_string())?;
        if !words.iter().any(|word| word.contains("{cnf}")) {
            return Err("the command must have `{cnf}` where the file with the clauses goes: 'kissat {cnf}'".to_owned());
        }
        Ok(SolverCommand { words })
    }

    /// The command as a solver, which ends when the search is to end.
    pub(super) fn program(&self, search: &SolverOptions) -> Result<SatProgram, Diagnostic> {
        let folder = TempDir::new().map_err(|error| {
            Diagnostic::error(Code::FILE_UNWRITABLE, format!("there is no folder for the clauses: {error}"))
        })?;
        let (words, search) = (self.words.clone(), search.clone());
        Ok(Box::new(move |cnf| answer(&words, folder.path(), cnf, &search).unwrap_or_else(SatAnswer::Unknown)))
    }
}

/// Runs the command on some clauses; an error says why there is no answer.
fn answer(words: &[String], folder: &Path, cnf: &str, search: &SolverOptions) -> Result<SatAnswer, String> {
    let [clauses, proof, output] = ["clauses.cnf", "proof", "output"].map(|name| folder.join(name));
    fs::write(&clauses, cnf).map_err(|error| format!("the clauses cannot be written: {error}"))?;
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
    // A file, as nobody reads a pipe while the solver works.
    let output_file = File::create(&output).map_err(cannot)?;
    let mut child = Command::new(name)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(output_file)
        .stderr(Stdio::null())
        .spawn()
        .map_err(cannot)?;
    wait(&mut child, search).map_err(cannot)?;
    let mut text = Vec::new();
    File::open(&output).and_then(|mut file| file.read_to_end(&mut text)).map_err(cannot)?;
    understood(&String::from_utf8_lossy(&text), name, || match has_proof {
        false => Ok(None),
        true => match fs::read(&proof) {
            Ok(steps) => Ok(Some(steps)),
            Err(_) => Err(format!("`{name}` has not written a proof")),
        },
    })
}

/// Waits until the solver has ended, or ends it.
fn wait(child: &mut Child, search: &SolverOptions) -> io::Result<()> {
    while child.try_wait()?.is_none() {
        if search.reached().is_some() || interrupt::ending() {
            child.kill()?;
            child.wait()?;
            return Ok(());
        }
        thread::sleep(INTERVAL);
    }
    Ok(())
}

/// The answer that a solver has printed, with its proof if there is no solution.
fn understood(
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
    fn answers_are_those_of_competitions() {
        let answer = |text| understood(text, "solver", || Ok(None));
        assert_eq!(answer("c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n"), Ok(SatAnswer::Satisfiable(vec![1, -2, 3])));
        assert_eq!(answer("s UNSATISFIABLE\n"), Ok(SatAnswer::Unsatisfiable(None)));
        assert_eq!(answer("s UNKNOWN\n"), Err("`solver`: the solver says `UNKNOWN`".to_owned()));
        assert!(answer("segmentation fault").is_err());
        assert!(SolverCommand::parse("kissat --quiet").is_err());
    }
}
