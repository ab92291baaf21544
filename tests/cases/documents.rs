//! The README and the pages in `docs` and `course` show the program's real output. In their code blocks:
//!
//! - `essence NAME`, `json NAME` and `text NAME` create a file; `essence NAME mistake` creates one that causes
//!   warnings;
//! - `console` contains commands after `$`, each with its output below; a line `…` matches any number of lines, and a
//!   `…` at the end of a line matches the rest of it;
//! - `sh` contains lines to be pasted: those that start with `conjure-like` are run and must succeed;
//! - `essence` without a name is Essence, or a part of it that can be parsed;
//! - `text` and `json` without a name are skipped.
//!
//! Commands in the text, and those with a placeholder such as `MODEL`, must name an existing subcommand and existing
//! options. The commands run in a folder with the repository's `models` and `params`.

use crate::{
    Verdict, comparable, compare, files, name, none, read,
    workplace::{PROMPT, Workplace, command, copy},
};
use libtest_mimic::Trial;
use std::{
    fs,
    io::{self, Read},
    path::Path,
};

const NAME: &str = "conjure-like";

pub(crate) fn tests() -> Vec<Trial> {
    let mut pages = files("docs", &["md"]);
    pages.push("README.md".into());
    // The pages beside wrong answers are their feedback, which the tests of the course compare.
    pages.extend(files("course", &["md"]).into_iter().filter(|page| !page.iter().any(|folder| folder == "wrong")));
    let pages = pages.into_iter().map(|page| Trial::test(name(&page), move || none(check(&page))));
    let own: [(&str, fn()); 2] = [
        ("what_is_left_out_may_be_anything", what_is_left_out_may_be_anything),
        ("options_of_commands_in_the_text_exist", options_of_commands_in_the_text_exist),
    ];
    pages.chain(own.map(|(name, test)| crate::function("documents", name, test))).collect()
}

/// A folder with the example models and their parameters.
fn workplace() -> Workplace {
    let place = Workplace::empty();
    for folder in ["models", "params"] {
        copy(Path::new(folder), &place.folder().join(folder));
    }
    place
}

/// Runs a command line, which may end in `> FILE`. Returns its exit code and its output on a terminal.
fn on_terminal(line: &str, folder: &Path) -> (Option<i32>, String) {
    let (line, file) = match line.split_once(" > ") {
        Some((line, file)) => (line, Some(folder.join(file.trim()))),
        None => (line, None),
    };
    let (mut output, input) = io::pipe().expect("a pipe");
    let mut command = command(line, folder);
    match file {
        Some(file) => command.stdout(fs::File::create(file).expect("the file for standard output")),
        None => command.stdout(input.try_clone().expect("the same pipe")),
    };
    let mut running = command.stderr(input).spawn().expect("the program");
    // The command holds the write ends of the pipe; reading would never end while they are open.
    drop(command);
    let mut text = String::new();
    output.read_to_string(&mut text).expect("text");
    (running.wait().expect("an end").code(), text.trim_end().to_owned())
}

/// The text with all times replaced by zero.
fn untimed(text: &str) -> String {
    let word = |word: &str| match word.split_once('.') {
        Some((seconds, rest)) if rest.len() == 3 && format!("{seconds}{rest}").parse::<u32>().is_ok() => "0.000".into(),
        _ => word.to_owned(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// True if the output matches the page, in which `…` stands for omitted text.
fn is_shown(shown: &[&str], found: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return found.is_empty() };
    if first.trim() == "…" {
        return (0..=found.len()).any(|skipped| is_shown(rest, &found[skipped..]));
    }
    let Some((line, others)) = found.split_first() else { return false };
    let alike = match first.strip_suffix('…') {
        Some(beginning) => line.starts_with(beginning),
        None => line == first,
    };
    alike && is_shown(rest, others)
}

/// Runs the commands of a block. Returns the block with the actual output wherever that does not match.
fn console(block: &str, folder: &Path, wrong: &mut Vec<String>) -> String {
    let mut shown: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block.lines() {
        match (line.starts_with(PROMPT), shown.last_mut()) {
            (true, _) => shown.push((line, Vec::new())),
            (false, Some((_, output))) => output.push(line),
            (false, None) => wrong.push(format!("`{line}` stands before the first command")),
        }
    }
    let mut text = String::new();
    for (line, output) in shown {
        let (code, found) = on_terminal(line, folder);
        // A page may show a command that fails, with the exit code 2.
        let failed = ["error", "failed"].iter().any(|word| found.starts_with(word));
        if code != Some(if failed { 2 } else { 0 }) {
            wrong.push(format!("{line} ends with {code:?}:\n{found}"));
        }
        let (times, found_times) =
            (untimed(comparable(output.join("\n").trim_end()).as_ref()), untimed(&comparable(&found)));
        let same = is_shown(&times.lines().collect::<Vec<_>>(), &found_times.lines().collect::<Vec<_>>());
        text += &format!("{line}\n");
        match same {
            true => text.extend(output.iter().map(|line| format!("{line}\n"))),
            false if found.is_empty() => {}
            false => text += &format!("{found}\n"),
        }
    }
    text
}

/// True for placeholders such as `MODEL` or `[PARAM]`.
fn is_placeholder(word: &str) -> bool {
    let word = word.trim_matches(['[', ']', '.', '…']);
    word.len() > 1 && word.chars().all(|character| character.is_ascii_uppercase() || character == '-')
        || word.split_once('=').is_some_and(|(_, value)| is_placeholder(value))
}

/// The error in a command that cannot be run because of its placeholders: an unknown subcommand or option.
fn pattern(line: &str) -> Option<String> {
    let mut words = line.split_whitespace().skip(1).map(|word| word.trim_matches(['[', ']'])).peekable();
    let subcommand = words.next_if(|word| !word.starts_with('-')).unwrap_or_default();
    if is_placeholder(subcommand) {
        return None;
    }
    let below = words.next_if(|_| ["campaign", "proof"].contains(&subcommand)).unwrap_or_default();
    let subcommand = format!("{subcommand} {below}");
    let (code, help) = on_terminal(&format!("$ {NAME} {subcommand} --help"), Path::new("."));
    if code != Some(0) {
        return Some(format!("`{line}`: there is no command {subcommand}"));
    }
    let mut options = words.filter(|word| word.starts_with('-')).map(|word| word.split('=').next().unwrap_or(word));
    let unknown = options.find(|option| {
        !help.split_whitespace().any(|word| word.trim_end_matches([',', '.']).split(['=', '[']).next() == Some(option))
    })?;
    Some(format!("`{line}`: there is no option {unknown}"))
}

/// Runs the lines of a block that call the program.
fn pasted(block: &str, folder: &Path, wrong: &mut Vec<String>) {
    let lines = block.lines().map(|line| line.strip_prefix("target/release/").unwrap_or(line));
    for line in lines.filter(|line| line.starts_with(NAME)) {
        if line.split_whitespace().any(is_placeholder) {
            wrong.extend(pattern(line));
            continue;
        }
        let (code, text) = on_terminal(&format!("$ {line}"), folder);
        if code != Some(0) {
            wrong.push(format!("`{line}` ends with {code:?}:\n{text}"));
        }
    }
}

/// The errors of a page.
fn check(page: &Path) -> Vec<String> {
    let expected = read(page);
    let place = workplace();
    let folder = place.folder();
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        path.parent().map(fs::create_dir_all).transpose().expect("a folder in the folder");
        fs::write(path, text).expect("a file in the folder");
    };
    let mut wrong = Vec::new();
    let mut parts: Vec<String> = expected.split("```").map(str::to_owned).collect();
    for (position, part) in parts.iter_mut().enumerate() {
        // Outside code blocks, only check the commands in code spans.
        if position % 2 == 0 {
            let inline = part.split('`').skip(1).step_by(2).filter(|code| code.starts_with(&format!("{NAME} ")));
            wrong.extend(inline.filter_map(|code| pattern(&code.replace('\n', " "))));
            continue;
        }
        let (opening, text) = part.split_once('\n').expect("the end of a line");
        match opening.split_once(' ').unwrap_or((opening, "")) {
            // `tests/errors_reference.rs` checks these.
            ("essence", "mistake" | "deep") | ("essence" | "param", "")
                if page.ends_with("errors.md") || page.ends_with("warnings.md") => {}
            ("essence", "") => {
                write("unnamed.essence", text);
                let (code, text) = on_terminal(&format!("$ {NAME} pretty unnamed.essence"), folder);
                if code != Some(0) {
                    wrong.push(text);
                }
            }
            ("text" | "json", "") => {}
            // They are doc tests of the crate.
            ("rust" | "toml", "") if page.ends_with("library.md") => {}
            // The tests of the Python package run the examples of the first page; the programs of the second page are
            // in its folder of examples.
            ("pycon" | "python", "") if page.ends_with("python-models.md") || page.ends_with("python-beside.md") => {}
            ("essence" | "text" | "json", name) => write(name.trim_end_matches(" mistake"), text),
            ("sh", _) => pasted(text, folder, &mut wrong),
            ("console", _) => *part = format!("console\n{}", console(text, folder, &mut wrong)),
            _ => wrong.push(format!("a block of code opens with `{opening}`, which says nothing about it")),
        }
    }
    let found = parts.join("```");
    wrong.extend(trouble(compare(page, &expected, &found)));
    wrong.extend(pictures(page, &expected, folder));
    wrong
}

/// The errors in the pictures of the page's folder, which must be the files that its commands have written.
fn pictures(page: &Path, text: &str, written: &Path) -> Vec<String> {
    let name = page.file_stem().and_then(|name| name.to_str()).expect("a name");
    let start = format!("]({name}/");
    let names = text.split(&start).skip(1).filter_map(|rest| rest.split_once(')'));
    let wrong = names.filter_map(|(picture, _)| {
        let kept = page.with_extension("").join(picture);
        match fs::read_to_string(written.join(picture)) {
            Ok(found) => trouble(compare(&kept, &fs::read_to_string(&kept).unwrap_or_default(), &found)),
            Err(error) => Some(format!("{}: {picture}: {error}", page.display())),
        }
    });
    wrong.collect()
}

/// The message of a failed test, if it has failed.
fn trouble(verdict: Verdict) -> Option<String> {
    verdict.err().and_then(|failed| failed.message().map(str::to_owned))
}

fn what_is_left_out_may_be_anything() {
    assert!(is_shown(&["a", "…", "c"], &["a", "b", "b", "c"]));
    assert!(is_shown(&["a", "b…"], &["a", "b and more"]));
    assert!(!is_shown(&["a", "c"], &["a", "b", "c"]));
    assert!(!is_shown(&["a", "…", "d"], &["a", "b", "c"]));
}

fn options_of_commands_in_the_text_exist() {
    assert_eq!(pattern("conjure-like solve MODEL --seed=N"), None);
    assert!(pattern("conjure-like solve MODEL --nonsense").is_some());
    assert!(pattern("conjure-like resolve").is_some());
}
