//! Where solutions go: to standard output, or into files with the names that Conjure gives them.
//!
//! A file appears under its name when it is complete, and what an earlier run left under these names goes
//! away first, so that nothing old looks new.

use clap::{Args, ValueEnum};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Essence, a JSON document, or one JSON object a line
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    pub output_format: Format,
    /// Write MODEL-PARAM.solution, or MODEL-PARAM-000001.solution and so on, into this folder instead of
    /// writing to standard output
    #[arg(short, long, value_name = "DIR")]
    output_directory: Option<PathBuf>,
    /// With -o: all solutions of an instance go into MODEL-PARAM.solutions
    #[arg(long, requires = "output_directory")]
    solutions_in_one_file: bool,
    /// The width that solutions are broken to
    #[arg(long, value_name = "COLUMNS", default_value = "120")]
    pub line_width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Format {
    Plain,
    Json,
    Jsonstream,
}

/// The solutions of one instance on their way out.
pub struct Output {
    format: Format,
    /// More than one solution is asked for, so that each is numbered.
    numbered: bool,
    count: usize,
    target: Target,
    /// What was written, if files were.
    files: Vec<PathBuf>,
}

enum Target {
    StandardOutput,
    OneFile(Pending),
    /// The folder and what the names begin with.
    Files(PathBuf, String),
}

impl Options {
    /// Where solutions go, for messages.
    pub fn place(&self) -> String {
        match &self.output_directory {
            Some(folder) => format!("`{}`", folder.display()),
            None => "standard output".to_owned(),
        }
    }

    pub fn writes_files(&self) -> bool {
        self.output_directory.is_some()
    }
}

impl Output {
    /// `base` is the name of the instance's files, without extension.
    pub fn new(options: &Options, base: &str, numbered: bool) -> io::Result<Self> {
        let extension = if options.output_format == Format::Plain { "" } else { ".json" };
        let target = match &options.output_directory {
            None => Target::StandardOutput,
            Some(folder) => {
                fs::create_dir_all(folder)?;
                remove_stale(folder, base)?;
                match options.solutions_in_one_file {
                    true => Target::OneFile(Pending::new(folder.join(format!("{base}.solutions{extension}")))?),
                    false => Target::Files(folder.clone(), base.to_owned()),
                }
            }
        };
        let numbered = numbered || options.solutions_in_one_file;
        let mut output = Output { format: options.output_format, numbered, count: 0, target, files: Vec::new() };
        if output.is_array() {
            output.write("[")?;
        }
        Ok(output)
    }

    /// Says which instance the solutions that follow belong to; files say it by their names, and JSON has no comments.
    pub fn instance(&mut self, name: &str) -> io::Result<()> {
        match (&self.target, self.format) {
            (Target::StandardOutput, Format::Plain) => self.write(&format!("$ Instance: {name}\n")),
            _ => Ok(()),
        }
    }

    /// Writes the next solution, so that it can be seen at once.
    pub fn solution(&mut self, text: &str) -> io::Result<()> {
        self.count += 1;
        let number = self.count;
        if let Target::Files(folder, base) = &self.target {
            let number = if self.numbered { format!("-{number:06}") } else { String::new() };
            let extension = if self.format == Format::Plain { "" } else { ".json" };
            let mut file = Pending::new(folder.join(format!("{base}{number}.solution{extension}")))?;
            file.writer.write_all(text.as_bytes())?;
            self.files.push(file.complete()?);
            return Ok(());
        }
        let framed = match self.format {
            Format::Plain if self.numbered => format!("$ Solution: {number:06}\n{text}\n"),
            Format::Plain => text.to_owned(),
            Format::Json if self.numbered => format!("{}\n{text}", if number > 1 { "," } else { "" }),
            Format::Json | Format::Jsonstream => format!("{text}\n"),
        };
        self.write(&framed)
    }

    /// There are no more solutions; the files that were written.
    pub fn end(mut self) -> io::Result<Vec<PathBuf>> {
        if self.is_array() {
            self.write(if self.count > 0 { "\n]\n" } else { "]\n" })?;
        }
        if let Target::OneFile(file) = self.target {
            self.files.push(file.complete()?);
        }
        Ok(self.files)
    }

    fn is_array(&self) -> bool {
        self.format == Format::Json && self.numbered && !matches!(self.target, Target::Files(..))
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        match &mut self.target {
            Target::StandardOutput => {
                let mut output = io::stdout().lock();
                output.write_all(text.as_bytes())?;
                output.flush()
            }
            Target::OneFile(file) => file.writer.write_all(text.as_bytes()),
            Target::Files(..) => Ok(()),
        }
    }
}

/// Removes the files that an earlier run on the same instance has written.
fn remove_stale(folder: &Path, base: &str) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| belongs_to(name, base)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn belongs_to(name: &str, base: &str) -> bool {
    let Some(rest) = name.strip_prefix(base) else { return false };
    let rest = rest.strip_suffix(".json").unwrap_or(rest);
    let number = rest.strip_suffix(".solution").and_then(|rest| rest.strip_prefix('-'));
    [".solution", ".solutions"].contains(&rest)
        || number.is_some_and(|digits| digits.len() >= 6 && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// A file that gets its name when it is complete, and does not stay otherwise.
pub struct Pending {
    path: PathBuf,
    temporary: PathBuf,
    pub writer: BufWriter<File>,
}

impl Pending {
    pub fn new(path: PathBuf) -> io::Result<Self> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let temporary = path.with_file_name(name);
        let writer = BufWriter::new(File::create(&temporary)?);
        Ok(Pending { path, temporary, writer })
    }

    pub fn complete(mut self) -> io::Result<PathBuf> {
        self.writer.flush()?;
        fs::rename(&self.temporary, &self.path)?;
        Ok(self.path.clone())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // Gone already if the file is complete.
        let _ = fs::remove_file(&self.temporary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What two solutions look like in one file.
    fn in_one_file(format: Format) -> String {
        let folder = std::env::temp_dir().join(format!("conjure-like-output-{}-{format:?}", std::process::id()));
        let options = Options {
            output_format: format,
            output_directory: Some(folder.clone()),
            solutions_in_one_file: true,
            line_width: 120,
        };
        let mut output = Output::new(&options, "m", true).expect("a folder");
        for solution in ["one", "two"] {
            output.solution(solution).expect("a file");
        }
        let files = output.end().expect("a complete file");
        let text = fs::read_to_string(&files[0]).expect("a file");
        fs::remove_dir_all(folder).expect("a folder");
        text
    }

    #[test]
    fn solutions_in_one_file_are_told_apart() {
        assert_eq!(in_one_file(Format::Plain), "$ Solution: 000001\none\n$ Solution: 000002\ntwo\n");
        assert_eq!(in_one_file(Format::Json), "[\none,\ntwo\n]\n");
        assert_eq!(in_one_file(Format::Jsonstream), "one\ntwo\n");
    }

    #[test]
    fn only_files_of_the_same_instance_are_stale() {
        for stale in ["m.solution", "m.solutions.json", "m-000012.solution", "m-000001.solution.json"] {
            assert!(belongs_to(stale, "m"), "{stale}");
        }
        for other in ["m-p.solution", "m-p-000001.solution", "m.essence", "m-12.solution", "n.solution", "m.param"] {
            assert!(!belongs_to(other, "m"), "{other}");
        }
    }
}
