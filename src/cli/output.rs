//! Where solutions go: to standard output, or into files with the names that Conjure gives them.
//!
//! A file appears under its name when it is complete, and what an earlier run left under these names goes
//! away first, so that nothing old looks new.

use clap::{Args, ValueEnum};
use conjure_like::{
    diagnostic::{Code, Diagnostic},
    picture,
};
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
    /// Draw the solutions instead: for the terminal, as SVG, or as a page of HTML; comments in the model can say how
    #[arg(long, value_name = "FORMAT", conflicts_with = "output_format")]
    pub picture: Option<Picture>,
    /// Write MODEL-PARAM.solution, or MODEL-PARAM-000001.solution and so on, into this folder instead of
    /// writing to standard output; with --picture, this may also be a file, such as board.svg
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

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Picture {
    Text,
    Svg,
    Html,
}

impl Picture {
    fn extension(self) -> &'static str {
        match self {
            Picture::Text => "txt",
            Picture::Svg => "svg",
            Picture::Html => "html",
        }
    }

    /// The text of a file.
    pub fn render(self, title: &str, sheets: &[picture::Sheet], bold: bool) -> String {
        match self {
            Picture::Text => sheets.iter().map(|sheet| picture::text::render(&sheet.pictures, bold)).collect(),
            Picture::Svg => picture::svg::document(sheets),
            Picture::Html => picture::html::page(title, sheets),
        }
    }
}

/// The solutions of one instance on their way out.
pub struct Output {
    format: Format,
    extension: &'static str,
    picture: Option<Picture>,
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

    /// The file that `-o` names, if it is none of a folder.
    fn file(&self) -> Option<&Path> {
        let extension = self.picture?.extension();
        self.output_directory.as_deref().filter(|path| path.extension().is_some_and(|other| other == extension))
    }

    /// What is wrong with where the solutions of so many instances shall go.
    pub fn check(&self, instances: usize) -> Result<(), Diagnostic> {
        let Some(picture) = self.picture else { return Ok(()) };
        let error = |message: String| Err(Diagnostic::error(Code::COMMAND_LINE, message));
        let folder = "name a folder after -o: it gets a file for each instance";
        match &self.output_directory {
            Some(path) if self.file().is_some() => match instances {
                0 | 1 => Ok(()),
                _ => error(format!("the pictures of several instances do not go into one file, `{}`", path.display()))
                    .map_err(|error| error.help(folder)),
            },
            Some(path) if path.extension().is_some() && !path.is_dir() => {
                error(format!("`{}` is not a name for this picture", path.display())).map_err(|error| {
                    error.help(format!("name a file that ends in .{}, or a folder", picture.extension()))
                })
            }
            None if instances > 1 && picture != Picture::Text => {
                error("the pictures of several instances need a file each".to_owned())
                    .map_err(|error| error.help(folder))
            }
            _ => Ok(()),
        }
    }

    /// What the names of files end with.
    fn extension(&self) -> &'static str {
        match (self.picture, self.output_format) {
            (Some(picture), _) => picture.extension(),
            (None, Format::Plain) => "solution",
            (None, Format::Json | Format::Jsonstream) => "solution.json",
        }
    }
}

impl Output {
    /// `base` is the name of the instance's files, without extension.
    pub fn new(options: &Options, base: &str, numbered: bool) -> io::Result<Self> {
        let extension = options.extension();
        let target = match (&options.output_directory, options.file()) {
            (None, _) => Target::StandardOutput,
            (_, Some(file)) => Target::OneFile(Pending::new(file.to_owned())?),
            (Some(folder), None) => {
                fs::create_dir_all(folder)?;
                remove_stale(folder, base, options.picture)?;
                let all = match options.picture {
                    Some(_) => format!("{base}.{extension}"),
                    None => format!("{base}.{}", extension.replace("solution", "solutions")),
                };
                match options.solutions_in_one_file {
                    true => Target::OneFile(Pending::new(folder.join(all))?),
                    false => Target::Files(folder.clone(), base.to_owned()),
                }
            }
        };
        let (format, picture) = (options.output_format, options.picture);
        let numbered = numbered || options.solutions_in_one_file;
        let mut output = Output { format, extension, picture, numbered, count: 0, target, files: Vec::new() };
        if output.is_array() {
            output.write("[")?;
        }
        Ok(output)
    }

    /// Says which instance the solutions that follow belong to; files say it by their names, and JSON has no comments.
    pub fn instance(&mut self, name: &str) -> io::Result<()> {
        match (&self.target, self.format) {
            (Target::StandardOutput, Format::Plain) if !self.is_one_document() => {
                self.write(&format!("$ Instance: {name}\n"))
            }
            _ => Ok(()),
        }
    }

    /// All pictures become one text, which is complete only at the end.
    pub fn is_one_document(&self) -> bool {
        !matches!(self.target, Target::Files(..)) && matches!(self.picture, Some(Picture::Svg | Picture::Html))
    }

    /// Writes all pictures together.
    pub fn document(&mut self, text: &str) -> io::Result<()> {
        self.count += 1;
        self.write(text)
    }

    /// Writes the next solution, so that it can be seen at once.
    pub fn solution(&mut self, text: &str) -> io::Result<()> {
        self.count += 1;
        let number = self.count;
        if let Target::Files(folder, base) = &self.target {
            let number = if self.numbered { format!("-{number:06}") } else { String::new() };
            let path = folder.join(format!("{base}{number}.{}", self.extension));
            self.files.push(Pending::write(path, text)?);
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
        if let Target::OneFile(file) = &mut self.target {
            match self.picture {
                // There is nothing to be seen, not even what was there before.
                Some(_) if self.count == 0 => file.give_up()?,
                _ => self.files.push(file.complete()?),
            }
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
fn remove_stale(folder: &Path, base: &str, picture: Option<Picture>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| belongs_to(name, base, picture)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn belongs_to(name: &str, base: &str, picture: Option<Picture>) -> bool {
    let Some(rest) = name.strip_prefix(base) else { return false };
    let (rest, kinds) = match picture {
        Some(picture) => (rest, [picture.extension(); 2]),
        None => (rest.strip_suffix(".json").unwrap_or(rest), ["solution", "solutions"]),
    };
    let Some((number, extension)) = rest.rsplit_once('.') else { return false };
    let number = if extension == kinds[0] { number.strip_prefix('-') } else { None };
    rest.strip_prefix('.').is_some_and(|rest| kinds.contains(&rest))
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

    /// Writes a whole file; its path.
    pub fn write(path: PathBuf, text: &str) -> io::Result<PathBuf> {
        let mut file = Pending::new(path)?;
        file.writer.write_all(text.as_bytes())?;
        file.complete()
    }

    pub fn complete(&mut self) -> io::Result<PathBuf> {
        self.writer.flush()?;
        fs::rename(&self.temporary, &self.path)?;
        Ok(self.path.clone())
    }

    /// There will be no such file, and no older one of this name.
    fn give_up(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
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
            picture: None,
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
            assert!(belongs_to(stale, "m", None), "{stale}");
        }
        for other in ["m-p.solution", "m-p-000001.solution", "m.essence", "m-12.solution", "n.solution", "m.param"] {
            assert!(!belongs_to(other, "m", None), "{other}");
        }
    }

    #[test]
    fn only_pictures_of_the_same_format_are_stale() {
        let svg = Some(Picture::Svg);
        assert!(belongs_to("m.svg", "m", svg) && belongs_to("m-000001.svg", "m", svg));
        assert!(
            !belongs_to("m.html", "m", svg) && !belongs_to("m.solution", "m", svg) && !belongs_to("m-1.svg", "m", svg)
        );
    }
}
