//! The table of Conjure's commands and options in the manual is complete, and each row is true.

use crate::{
    Verdict,
    workplace::{Workplace, command},
};
use libtest_mimic::Trial;
use std::{collections::BTreeSet, fs, process::Output};

const MANUAL: &str = "docs/coming-from-conjure.md";

/// Conjure's commands with their options.
const COMMANDS: [(&str, &str); 16] = [
    (
        "solve",
        "validate-solutions output-directory o numbering-start smart-filenames responses responses-representation \
         solutions-in-one-file runsolver-cpu-time-limit runsolver-wall-time-limit runsolver-memory-limit log-level verbose-trail \
         rewrites-trail log-rule-fails log-rule-successes log-rule-attempts log-choices portfolio strategy-q q strategy-a a \
         representations representations-finds representations-givens representations-auxiliaries \
         representations-quantifieds representations-cuts channelling representation-levels unnamed-symmetry-breaking \
         follow-model seed limit-models limit-time use-existing-models savilerow-options solver-options solver graph-solver \
         cgroups number-of-solutions copy-solutions output-format line-width generate-streamliners",
    ),
    ("pretty", "normalise-quantified remove-unused log-level limit-time output-format line-width"),
    ("ide", "dump-declarations dump-representations log-level limit-time line-width"),
    ("validate-solution", "essence param solution log-level limit-time output-format line-width"),
    ("type-check", "log-level limit-time"),
    ("diff", "log-level limit-time output-format line-width"),
    ("parameter-generator", "MININT MAXINT log-level limit-time output-format line-width"),
    ("lsp", ""),
    ("modelling", ""),
    ("translate-parameter", ""),
    ("translate-solution", ""),
    ("split", ""),
    ("symmetry-detection", ""),
    ("autoig", ""),
    ("boost", ""),
    ("streamlining", ""),
];

/// A row: a command, an option or nothing, and the manual's statement.
type Row = (String, String, String);

pub(crate) fn tests() -> Vec<Trial> {
    let complete = Trial::test("conjure_options::the_table_is_complete", is_complete);
    let row = |row: Row| Trial::test(format!("conjure_options::{} {}", row.0, row.1), move || is_true(&row));
    rows().into_iter().map(row).chain([complete]).collect()
}

fn rows() -> Vec<Row> {
    let manual = fs::read_to_string(MANUAL).expect("the manual");
    let table = manual.lines().skip_while(|line| *line != "| command | option | here |").skip(2);
    let cell = |text: &str| text.trim().trim_matches('`').to_owned();
    let row = |line: &str| -> Option<Row> {
        let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.splitn(3, " |").collect();
        let [command, option, here] = cells.as_slice() else { return None };
        Some((cell(command), cell(option), here.trim().to_owned()))
    };
    table.map_while(row).collect()
}

/// Checks that the table has all of Conjure's options, and no others.
fn is_complete() -> Verdict {
    let name = |option: &str| match option.strip_prefix("--") {
        Some(long) => long.split('=').next().unwrap_or_default().to_owned(),
        None => option.trim_start_matches('-').chars().take(1).collect(),
    };
    let in_manual: BTreeSet<(String, String)> =
        rows().into_iter().map(|(command, option, _)| (command, name(&option))).collect();
    let with_options = |(command, options): &(&str, &str)| -> Vec<(String, String)> {
        // The empty option is the row of the command itself.
        let options = options.split_whitespace().chain([""]);
        options.map(|option| ((*command).to_owned(), option.to_owned())).collect()
    };
    let in_conjure: BTreeSet<(String, String)> = COMMANDS.iter().flat_map(with_options).collect();
    let different: Vec<_> = in_manual.symmetric_difference(&in_conjure).collect();
    if different.is_empty() { Ok(()) } else { Err(format!("{different:?}").into()) }
}

/// Checks that the program treats an option as the manual says.
fn is_true((name, option, here): &Row) -> Verdict {
    let place = Workplace::empty();
    let write = |file: &str, text: &str| fs::write(place.folder().join(file), text).expect("a file");
    write("m.essence", "given n : int(1..9)\nfind x : int(1..9)\nsuch that x = n");
    write("1.param", "letting n be 4");
    write("1.solution", "letting x be 4");
    let operands = match (name.as_str(), option.as_str()) {
        ("solve", _) => "m.essence 1.param",
        ("validate-solution", "--essence=m.essence") => "--param=1.param --solution=1.solution",
        ("validate-solution", "--param=1.param") => "--essence=m.essence --solution=1.solution",
        ("validate-solution", "--solution=1.solution") => "--essence=m.essence --param=1.param",
        ("validate-solution", _) => "m.essence 1.param 1.solution",
        ("diff", _) => "1.param 1.param",
        // The language server would wait for a client.
        ("lsp", _) => "--help",
        _ => "m.essence",
    };
    let Output { status, stderr, .. } =
        command(&format!("$ conjure-like {name} {operands} {option}"), place.folder()).output()?;
    let said = String::from_utf8_lossy(&stderr);
    let (code, has_note) = (status.code(), said.contains("note: "));
    let holds = match here.split([',', ':']).next().unwrap_or_default() {
        "same" => code == Some(0) && !has_note,
        "ignored" => code == Some(0) && has_note == here.contains("with a note"),
        "refused" => code == Some(2) && said.contains("error: ") && said.contains("help: ") || said.contains("help:"),
        _ => false,
    };
    if holds { Ok(()) } else { Err(format!("the manual says: {here}\nexit code {code:?}\n{said}").into()) }
}
