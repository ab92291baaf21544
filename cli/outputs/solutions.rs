//! The destinations of solutions: standard output, or files with Conjure's names, so that its clients find them.
//!
//! Files of earlier runs under these names are removed first, so that no old file looks new.

use crate::{
    inputs::{
        conjure::{self, is_on},
        digest::Digest,
    },
    runtime::{
        files::{self, FileKind, Pending, output_file, stem, unwritable},
        numbers::whole_number,
        stdout::{self, Failure},
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{Code, Diagnostic, JsonShape, Model, PictureFormat, Sheet, TableLayout, Text, to_json};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Conjure's default folder for files, and its name for the first model that it makes of a specification.
const FOLDER: &str = "conjure-output";
const MODEL: &str = "model000001";
/// The file by which Conjure recognises that the models in a folder belong to a specification.
const CHECKSUM: &str = ".conjure-checksum";

#[derive(Args, Clone, Debug)]
pub(crate) struct OutputOptions {
    /// The format of the solutions: Essence, one JSON document, one JSON object per line, or the value of one decision
    /// variable as a table
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    pub output_format: SolutionFormat,
    /// The shape of JSON (--json alone: --output-format=json). In `plain`, matrices indexed from 1 are arrays and all
    /// others are objects; `conjure` is Conjure's own format
    #[arg(long, value_name = "SHAPE", num_args = 0..=1, require_equals = true, default_missing_value = "conjure",
        conflicts_with = "picture")]
    json: Option<WrittenJson>,
    /// Write only these decision variables, separated by commas: --show board,cost
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "picture")]
    pub show: Vec<String>,
    /// With --output-format=csv, the layout of matrices of two dimensions and functions of two arguments
    #[arg(long, value_name = "LAYOUT", default_value = "long")]
    pub table_layout: WrittenLayout,
    /// Draw the solutions instead: as text, as SVG, or as an HTML page. Comments in the model can choose the shapes
    #[arg(long, value_name = "FORMAT", conflicts_with = "output_format")]
    pub picture: Option<PictureOption>,
    /// Write the solutions into files in this folder instead of standard output:
    /// model000001-PARAM-solution000001.solution and so on, also in JSON if that is the format. With --picture:
    /// MODEL-PARAM.svg, or the name of a file, such as board.svg
    #[arg(short, long, value_name = "DIR", value_parser = output_file)]
    output_directory: Option<PathBuf>,
    /// Write all solutions of an instance into one file, model000001-PARAM.solutions, in the folder conjure-output
    /// unless -o names another
    #[arg(long)]
    solutions_in_one_file: bool,
    /// With -o or --solutions-in-one-file, also write the solutions beside the model: MODEL-PARAM.solution
    #[arg(long, value_name = "WHETHER", default_value = "yes", default_missing_value = "yes", num_args = 0..=1,
        require_equals = true, value_parser = is_on)]
    copy_solutions: bool,
    /// Break the lines of solutions at this width
    #[arg(long, value_name = "COLUMNS", default_value = "120", value_parser = whole_number::<usize>(0..))]
    pub line_width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolutionFormat {
    Plain,
    Json,
    Jsonstream,
    /// The value of one decision variable as a table
    Csv,
    /// A workbook for Excel and LibreOffice, with a sheet for each decision variable
    Xlsx,
    /// Lines of the protocol, for `--lines`
    #[value(skip)]
    Lines,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WrittenLayout {
    /// A row for each entry
    #[default]
    Long,
    /// A row and a column for each pair of indices
    Wide,
}

impl From<WrittenLayout> for TableLayout {
    fn from(layout: WrittenLayout) -> Self {
        match layout {
            WrittenLayout::Long => TableLayout::Long,
            WrittenLayout::Wide => TableLayout::Wide,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WrittenJson {
    Conjure,
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum PictureOption {
    Text,
    Svg,
    Html,
}

impl PictureOption {
    fn extension(self) -> &'static str {
        match self {
            PictureOption::Text => "txt",
            PictureOption::Svg => "svg",
            PictureOption::Html => "html",
        }
    }

    fn format(self) -> PictureFormat {
        match self {
            PictureOption::Text => PictureFormat::Text,
            PictureOption::Svg => PictureFormat::Svg,
            PictureOption::Html => PictureFormat::Html,
        }
    }

    /// The contents of a file.
    pub(crate) fn render(self, title: &str, sheets: &[Sheet], bold: bool) -> String {
        self.format().render(title, sheets, bold)
    }
}

/// The solutions of one instance on their way to the output.
pub(crate) struct SolutionOutput {
    format: SolutionFormat,
    extension: &'static str,
    picture: Option<PictureOption>,
    /// True if the solutions are numbered, because more than one was requested.
    numbered: bool,
    count: usize,
    target: Target,
    /// The files written so far.
    files: Vec<PathBuf>,
    /// The text of the last solution with a separate file.
    last: String,
}

/// The names of an instance's files.
#[derive(Clone, Debug)]
pub(crate) struct FileNames {
    folder: PathBuf,
    /// The common prefix of the names in the folder.
    base: String,
    /// The common prefix of the names of copies, with their folder.
    copies: Option<PathBuf>,
}

type OutputResult<T> = std::result::Result<T, Failure>;

enum Target {
    StandardOutput,
    /// Pictures in the last line of the protocol.
    LastLine(String),
    OneFile(Pending),
    /// A file for each solution, with names of this form.
    Files(FileNames),
}

impl OutputOptions {
    pub(crate) fn writes_files(&self) -> bool {
        self.folder().is_some()
    }

    /// The value of `-o`.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.output_directory.as_deref()
    }

    /// The folder for files, if files are written.
    fn folder(&self) -> Option<&Path> {
        // Conjure writes files even if -o is missing.
        let usual = || (self.solutions_in_one_file || conjure::is_called_conjure()).then_some(Path::new(FOLDER));
        self.output_directory.as_deref().or_else(usual)
    }

    /// True if Conjure would write files as well, so that its clients may wait for them.
    pub(crate) fn is_for_clients(&self) -> bool {
        self.writes_files() && self.picture.is_none()
    }

    /// Writes the files that Conjure writes for a model, which servers keep and return for the next instance: the model
    /// itself, since nothing is refined here, and its digest. Files that Conjure has written are not replaced.
    pub(crate) fn keep_model(&self, model: &Text) -> std::result::Result<(), Diagnostic> {
        let Some(folder) = self.folder().filter(|_| conjure::is_called_conjure() && self.is_for_clients()) else {
            return Ok(());
        };
        make_folder(folder)?;
        // Servers compare the digest of the model before they refine a specification again.
        let digest = format!("{}\n", Digest::of([&*model.text]));
        for (name, text) in [(format!("{MODEL}.eprime"), &model.text), (CHECKSUM.to_owned(), &digest)] {
            let path = folder.join(name);
            // A file from Conjure itself does not have this program's mark, so it is kept.
            if files::check_writable(&path, FileKind::Essence).is_ok() {
                Pending::whole(&path, FileKind::Essence, text)?;
            }
        }
        Ok(())
    }

    /// The requested format.
    pub(crate) fn format(&self) -> SolutionFormat {
        match (self.output_format, self.json) {
            (SolutionFormat::Plain, Some(_)) => SolutionFormat::Json,
            (format, _) => format,
        }
    }

    /// The shape of solutions in JSON.
    pub(crate) fn shape(&self) -> JsonShape {
        if self.json == Some(WrittenJson::Plain) { JsonShape::Plain } else { JsonShape::Conjure }
    }

    /// The formats in which solutions are written; files are always written in Essence, too.
    pub(crate) fn formats(&self) -> Vec<SolutionFormat> {
        // Clients of Conjure need Essence even if they have asked for JSON.
        match self.format() {
            format if format == SolutionFormat::Plain || !self.is_for_clients() => vec![format],
            format => vec![SolutionFormat::Plain, format],
        }
    }

    /// The names of an instance's files, unless the output is standard output or one named file.
    pub(crate) fn names(&self, model: &Path, parameters: Option<&Path>) -> Option<FileNames> {
        let with_parameters = |model: &str| match parameters {
            Some(path) => format!("{model}-{}", stem(path)),
            None => model.to_owned(),
        };
        let own = with_parameters(&stem(model));
        // A model from standard input has no folder for the copies.
        let copies = self.is_for_clients() && self.copy_solutions && model != Path::new("-");
        Some(FileNames {
            folder: self.folder().filter(|_| self.file().is_none())?.to_owned(),
            base: if self.picture.is_some() { own.clone() } else { with_parameters(MODEL) },
            copies: copies.then(|| model.with_file_name(own)),
        })
    }

    /// The file that `-o` names, unless it names a folder.
    fn file(&self) -> Option<&Path> {
        // Readers of solutions expect certain file names, so only a picture may get another one.
        let extension = self.picture?.extension();
        self.output_directory.as_deref().filter(|path| path.extension().is_some_and(|other| other == extension))
    }

    /// The decision variable that is written as a table.
    pub(crate) fn table<'m>(&'m self, model: &'m Model) -> std::result::Result<Option<&'m str>, Diagnostic> {
        let format = self.format();
        if !matches!(format, SolutionFormat::Csv | SolutionFormat::Xlsx) {
            return Ok(None);
        }
        let error = |message: &str| Diagnostic::error(Code::COMMAND_LINE, message);
        if self.writes_files() {
            let to = if format == SolutionFormat::Csv { "--show x > x.csv" } else { "> plan.xlsx" };
            return Err(error("a table goes to standard output").help(format!("leave out -o, and write `{to}`")));
        }
        if format == SolutionFormat::Xlsx {
            // A workbook is binary, so a terminal would show garbage.
            return match stdout::is_terminal() {
                true => {
                    Err(error("a workbook cannot be shown in a terminal").help("write it into a file: `> plan.xlsx`"))
                }
                false => Ok(None),
            };
        }
        let finds: Vec<&str> = match &self.show[..] {
            [] => model.finds().collect(),
            names => names.iter().map(String::as_str).collect(),
        };
        match finds.as_slice() {
            // Several goals form a separate table, which needs no variable.
            _ if self.show.is_empty() && model.has_trade_offs() => Ok(None),
            [only] => Ok(Some(only)),
            all => {
                let variables = all.iter().map(|name| format!("`--show {name}`")).collect::<Vec<_>>().join(", ");
                Err(error("a table holds the value of one decision variable")
                    .help(format!("choose one of them: {variables}")))
            }
        }
    }

    /// Checks that the solutions of this many instances can be written with these options.
    pub(crate) fn check(&self, instances: usize) -> std::result::Result<(), Diagnostic> {
        let Some(picture) = self.picture else { return Ok(()) };
        let error = |message: String| Err(Diagnostic::error(Code::COMMAND_LINE, message));
        let folder = "name a folder after -o; each instance gets a file there";
        match &self.output_directory {
            Some(path) if self.file().is_some() => match instances {
                0 | 1 => Ok(()),
                _ => {
                    error(format!("cannot write the pictures of several instances into one file, `{}`", path.display()))
                        .map_err(|error| error.help(folder))
                }
            },
            // If the path has the extension of another format, it is probably not meant as a folder.
            Some(path) if path.extension().is_some() && !path.is_dir() => {
                error(format!("`{}` does not fit the format of the picture", path.display())).map_err(|error| {
                    error.help(format!("name a file that ends in .{}, or a folder", picture.extension()))
                })
            }
            None if instances > 1 && picture != PictureOption::Text => {
                error("each instance needs its own picture file".to_owned()).map_err(|error| error.help(folder))
            }
            _ => Ok(()),
        }
    }
}

impl SolutionFormat {
    /// The extension of solution files.
    fn extension(self) -> &'static str {
        match self {
            SolutionFormat::Plain => "solution",
            SolutionFormat::Json | SolutionFormat::Jsonstream | SolutionFormat::Lines => "solution.json",
            SolutionFormat::Csv => "csv",
            SolutionFormat::Xlsx => "xlsx",
        }
    }
}

impl FileNames {
    /// The file of a solution.
    fn solution(&self, number: Option<usize>, extension: &str, of_pictures: bool) -> PathBuf {
        // Conjure numbers its solutions even if there is only one.
        let number = match (number, of_pictures) {
            (Some(number), true) => format!("-{number:06}"),
            (None, true) => String::new(),
            (number, false) => format!("-solution{:06}", number.unwrap_or(1)),
        };
        self.folder.join(format!("{}{number}.{extension}", self.base))
    }

    /// The file of all solutions, or of information about them.
    pub(crate) fn whole(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.base))
    }

    /// The name of the copy of a file. The number is omitted if only one solution was requested.
    fn copy(&self, file: &Path, numbered: bool) -> Option<PathBuf> {
        let rest = file.file_name()?.to_str()?.strip_prefix(&*self.base)?;
        let rest = match rest.strip_prefix("-solution") {
            Some(rest) if numbered => format!("-{rest}"),
            Some(rest) => rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).to_owned(),
            None => rest.to_owned(),
        };
        let mut name = self.copies.as_ref()?.clone().into_os_string();
        name.push(rest);
        Some(name.into())
    }

    /// Copies files to the folder of the model, as Conjure does, and returns the messages about this. Files of other
    /// programs are not replaced.
    pub(crate) fn copied(&self, files: &[PathBuf], numbered: bool) -> Vec<String> {
        let copied = files.iter().filter_map(|file| {
            let to = self.copy(file, numbered)?;
            let kind = if file.extension()? == "json" { FileKind::Json } else { FileKind::Essence };
            Some(match files::copy(file, &to, kind) {
                Ok(to) => format!("Copied to {}", to.display()),
                Err(refused) => format!("note: no copy of {} was made: {}", file.display(), refused.message),
            })
        });
        copied.collect()
    }

    /// Makes the folder, and removes the files that an earlier run has written for this instance.
    pub(crate) fn prepare(&self, picture: Option<PictureOption>) -> OutputResult<()> {
        make_folder(&self.folder)?;
        // Files from an earlier run would look like solutions of this one. The names of pictures and copies do not
        // contain the word `solution`.
        let prefix = if picture.is_some() { "-" } else { "-solution" };
        remove_stale(&self.folder, &self.base, prefix, picture)?;
        if let Some(copies) = &self.copies {
            // If the prefix has no folder, the copies are in the current folder.
            let (Some(folder), Some(base)) = (copies.parent(), copies.file_name()) else { return Ok(()) };
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            remove_stale(folder, &base.to_string_lossy(), "-", picture)?;
        }
        Ok(())
    }
}

impl SolutionOutput {
    pub(crate) fn new(
        options: &OutputOptions,
        names: Option<&FileNames>,
        format: SolutionFormat,
        numbered: bool,
    ) -> OutputResult<Self> {
        let extension = options.picture.map_or(format.extension(), PictureOption::extension);
        let kind = kind_of_format(options.picture, format);
        let target = match (options.file(), names) {
            // A file that the user names takes precedence over Conjure's names.
            (Some(file), _) => Target::OneFile(Pending::new(file, kind)?),
            (None, None) if format == SolutionFormat::Lines && options.picture.is_some() => {
                Target::LastLine(String::new())
            }
            (None, None) => Target::StandardOutput,
            (None, Some(names)) => match options.solutions_in_one_file {
                true => Target::OneFile(Pending::new(&names.whole(&extension.replace("solution", "solutions")), kind)?),
                false => Target::Files(names.clone()),
            },
        };
        let picture = options.picture;
        // In one file, numbers separate the solutions.
        let numbered = numbered || options.solutions_in_one_file;
        let (files, last) = (Vec::new(), String::new());
        let mut output = SolutionOutput { format, extension, picture, numbered, count: 0, target, files, last };
        if output.is_array() {
            // The array is opened now, so that the output is JSON even without solutions.
            output.write("[")?;
        }
        Ok(output)
    }

    /// Writes the name of the instance for the following solutions; files have it in their names, and JSON has no
    /// comments.
    pub(crate) fn instance(&mut self, name: &str) -> OutputResult<()> {
        match (&self.target, self.format) {
            (Target::StandardOutput, SolutionFormat::Plain) if !self.is_one_document() => {
                self.write(&format!("$ Instance: {name}\n"))
            }
            _ => Ok(()),
        }
    }

    /// True if all pictures form one text, which is complete only at the end.
    pub(crate) fn is_one_document(&self) -> bool {
        !matches!(self.target, Target::Files(..))
            && matches!(self.picture, Some(PictureOption::Svg | PictureOption::Html))
    }

    /// Writes all pictures together.
    pub(crate) fn document(&mut self, text: &str) -> OutputResult<()> {
        self.count += 1;
        self.write(text)
    }

    /// Writes the next solution at once.
    pub(crate) fn solution(&mut self, text: &str) -> OutputResult<()> {
        self.count += 1;
        let number = self.count;
        if let Target::Files(names) = &self.target {
            let path = names.solution(self.numbered.then_some(number), self.extension, self.picture.is_some());
            self.files.push(Pending::whole(&path, self.kind(), text)?);
            // A limit may add a remark to the last solution later.
            text.clone_into(&mut self.last);
            return Ok(());
        }
        // A limit may end the run after any solution, so each one is complete in itself.
        let framed = match self.format {
            SolutionFormat::Plain if self.numbered => format!("$ Solution: {number:06}\n{text}\n"),
            SolutionFormat::Plain | SolutionFormat::Csv | SolutionFormat::Xlsx => text.to_owned(),
            // It is not known if another solution follows, so the comma is written before each further one.
            SolutionFormat::Json if self.numbered => format!("{}\n{text}", if number > 1 { "," } else { "" }),
            SolutionFormat::Json | SolutionFormat::Jsonstream | SolutionFormat::Lines => format!("{text}\n"),
        };
        self.write(&framed)
    }

    /// Adds a remark that these are not all requested solutions: after the solutions, or in the file of the last one.
    pub(crate) fn remark(&mut self, remark: &Remark) -> OutputResult<()> {
        let kind = self.kind();
        match (&self.target, self.files.last()) {
            // There is no file for the remark, but the status line has it.
            (Target::Files(..), None) => Ok(()),
            // The last file is already complete, so it is written again.
            (Target::Files(..), Some(path)) => Ok(files::amend(path, kind, &remark.added_to(&self.last, kind))?),
            _ if matches!(self.format, SolutionFormat::Csv | SolutionFormat::Xlsx) => Ok(()),
            // In JSON, the remark is a further element.
            _ if kind == FileKind::Json => self.solution(&remark.json()),
            // If there is no picture, there is no document.
            _ if self.is_one_document() && self.count == 0 => Ok(()),
            _ => self.write(&remark.comment(kind)),
        }
    }

    pub(crate) fn kind(&self) -> FileKind {
        kind_of_format(self.picture, self.format)
    }

    /// The text for the last line of the protocol, if there is any.
    pub(crate) fn for_last_line(&self) -> Option<&str> {
        if let Target::LastLine(text) = &self.target { Some(text) } else { None }
    }

    /// Completes the output; returns the files that were written.
    pub(crate) fn end(mut self) -> OutputResult<Vec<PathBuf>> {
        if self.is_array() {
            self.write(if self.count > 0 { "\n]\n" } else { "]\n" })?;
        }
        if let Target::OneFile(mut file) = self.target {
            match self.picture {
                // Without a solution, no file is written, and an older file is removed.
                Some(_) if self.count == 0 => file.give_up()?,
                _ => self.files.push(file.complete()?),
            }
        }
        Ok(self.files)
    }

    fn is_array(&self) -> bool {
        self.format == SolutionFormat::Json && self.numbered && !matches!(self.target, Target::Files(..))
    }

    fn write(&mut self, text: &str) -> OutputResult<()> {
        match &mut self.target {
            Target::StandardOutput => stdout::write(text),
            Target::LastLine(kept) => {
                kept.push_str(text);
                Ok(())
            }
            Target::OneFile(file) => Ok(file.add(text)?),
            // Each solution is already in its own file.
            Target::Files(..) => Ok(()),
        }
    }
}

/// A number in its unit, as a JSON number if it is one.
pub(crate) fn json_number(shown: &str) -> serde_json::Value {
    serde_json::from_str(shown).unwrap_or_else(|_| json!(shown))
}

/// A remark that a limit has ended the search, for readers of the output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remark {
    /// The cause that ended the search, such as "the time limit".
    pub by: String,
    /// True if there is an objective.
    pub optimising: bool,
    /// True if there is a solution.
    pub found: bool,
    /// The bounds of the optimal value in its unit, if they are known.
    pub between: Option<(String, String)>,
}

impl Remark {
    /// The remark in words.
    fn words(&self) -> String {
        let stopped = format!("stopped by {}", self.by);
        match (self.found, self.optimising, &self.between) {
            (false, ..) => format!("no solution found: {stopped}"),
            (_, true, Some((low, high))) => format!("not proved optimal: between {low} and {high} ({stopped})"),
            (_, true, None) => format!("not proved optimal: {stopped}"),
            (_, false, _) => format!("not all solutions: {stopped}"),
        }
    }

    fn comment(&self, kind: FileKind) -> String {
        match kind {
            // XML does not allow `--` inside a comment.
            FileKind::Markup => format!("<!-- {} -->\n", self.words().replace("--", "- -")),
            _ => format!("$ {}\n", self.words()),
        }
    }

    /// Adds the remark to a solution in its format.
    pub(crate) fn added_to(&self, solution: &str, kind: FileKind) -> String {
        match kind {
            FileKind::Json => self.inside(solution),
            // Tables have no comments, but the status line has the remark.
            FileKind::Grades => solution.to_owned(),
            _ => format!("{solution}{}", self.comment(kind)),
        }
    }

    /// An object with the member `$stopped`, which cannot be the name of a variable.
    fn json(&self) -> String {
        let mut stopped = json!({"by": self.by, "complete": false});
        if let Some((low, high)) = &self.between {
            stopped["between"] = json!([json_number(low), json_number(high)]);
        }
        to_json(&json!({"$stopped": stopped}))
    }

    /// Appends the member to the object of a solution.
    fn inside(&self, object: &str) -> String {
        // Only the members are inserted, without the braces around them.
        let remark = self.json();
        with_members(object, &remark[1..remark.len() - 1])
    }
}

/// Appends members to a JSON object; their names cannot be names of variables.
pub(crate) fn with_members(object: &str, members: &str) -> String {
    match object.trim_end().strip_suffix('}') {
        // In an empty object, no comma is needed.
        Some("{") | None => format!("{{{members}}}"),
        Some(before) => format!("{before}, {members}}}"),
    }
}

/// The kind of file for a format.
fn kind_of_format(picture: Option<PictureOption>, format: SolutionFormat) -> FileKind {
    match (picture, format) {
        (Some(PictureOption::Svg | PictureOption::Html), _) => FileKind::Markup,
        (Some(PictureOption::Text), _) | (None, SolutionFormat::Plain) => FileKind::Essence,
        (None, SolutionFormat::Csv | SolutionFormat::Xlsx) => FileKind::Grades,
        (None, SolutionFormat::Json | SolutionFormat::Jsonstream | SolutionFormat::Lines) => FileKind::Json,
    }
}

fn make_folder(folder: &Path) -> std::result::Result<(), Diagnostic> {
    if folder.exists() && !folder.is_dir() {
        let help = "name a folder after -o; conjure-like makes it if it does not exist";
        return Err(unwritable(folder, "it is not a folder").help(help));
    }
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, error))
}

/// Removes the files that an earlier run has written for this instance.
fn remove_stale(folder: &Path, base: &str, before_number: &str, picture: Option<PictureOption>) -> OutputResult<()> {
    let wrong = |error| unwritable(folder, error);
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let name = entry.map_err(wrong)?.file_name();
        let belongs = |name: &&str| belongs_to(name, base, before_number, picture);
        let Some(name) = name.to_str().filter(belongs) else { continue };
        let kind = match name.rsplit_once('.') {
            Some((_, "eprime-info")) => FileKind::Numbers,
            Some((_, "json")) => FileKind::Json,
            _ => kind_of_format(picture, SolutionFormat::Plain),
        };
        // Files of other programs are kept; they cause an error only if this run would overwrite them.
        let path = folder.join(name);
        if files::check_writable(&path, kind).is_ok() {
            files::remove_ours(&path, kind)?;
        }
    }
    Ok(())
}

fn belongs_to(name: &str, base: &str, before_number: &str, picture: Option<PictureOption>) -> bool {
    let Some(rest) = name.strip_prefix(base) else { return false };
    let (rest, kinds) = match picture {
        Some(picture) => (rest, [picture.extension(); 4]),
        None => (rest.strip_suffix(".json").unwrap_or(rest), ["solution", "solutions", "stats", "eprime-info"]),
    };
    // The names are `BASE-solution000001.solution`, `BASE.solutions` and similar ones.
    let Some((number, extension)) = rest.rsplit_once('.') else { return false };
    let number = if extension == kinds[0] { number.strip_prefix(before_number) } else { None };
    rest.strip_prefix('.').is_some_and(|rest| kinds.contains(&rest))
        || number.is_some_and(|digits| digits.len() >= 6 && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of two solutions in one file.
    fn in_one_file(format: SolutionFormat) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let options = OutputOptions {
            output_format: format,
            output_directory: Some(folder.path().to_owned()),
            solutions_in_one_file: true,
            copy_solutions: false,
            line_width: 120,
            picture: None,
            json: None,
            table_layout: WrittenLayout::Long,
            show: Vec::new(),
        };
        let names = options.names(Path::new("m.essence"), None);
        let output = || -> OutputResult<Vec<PathBuf>> {
            let mut output = SolutionOutput::new(&options, names.as_ref(), format, true)?;
            output.solution("one")?;
            output.solution("two")?;
            output.end()
        };
        let files = output().unwrap_or_default();
        fs::read_to_string(&files[0]).expect("a file")
    }

    #[test]
    fn solutions_in_one_file_are_told_apart() {
        assert_eq!(
            in_one_file(SolutionFormat::Plain),
            "$ Written by conjure-like\n$ Solution: 000001\none\n$ Solution: 000002\ntwo\n"
        );
        assert_eq!(in_one_file(SolutionFormat::Json), " \t [\none,\ntwo\n]\n");
        assert_eq!(in_one_file(SolutionFormat::Jsonstream), " \t one\ntwo\n");
    }

    #[test]
    fn only_files_of_the_same_instance_are_stale() {
        for stale in ["m.solution", "m.solutions.json", "m-000012.solution", "m-000001.solution.json", "m.stats.json"] {
            assert!(belongs_to(stale, "m", "-", None), "{stale}");
        }
        for other in ["m-p.solution", "m-p-000001.solution", "m.essence", "m-12.solution", "n.solution", "m.param"] {
            assert!(!belongs_to(other, "m", "-", None), "{other}");
        }
        let first = |name: &str| belongs_to(name, "model000001-p", "-solution", None);
        assert!(first("model000001-p-solution000001.solution.json") && first("model000001-p.eprime-info"));
        assert!(!first("model000001-p-q-solution000001.solution") && !first("model000001-p.eprime"));
    }

    #[test]
    fn only_pictures_of_the_same_format_are_stale() {
        let svg = Some(PictureOption::Svg);
        assert!(belongs_to("m.svg", "m", "-", svg) && belongs_to("m-000001.svg", "m", "-", svg));
        assert!(
            !belongs_to("m.html", "m", "-", svg)
                && !belongs_to("m.solution", "m", "-", svg)
                && !belongs_to("m-1.svg", "m", "-", svg)
        );
    }

    #[test]
    fn a_remark_stays_readable() {
        let remark = Remark {
            by: "the time limit".to_owned(),
            optimising: true,
            found: true,
            between: Some(("14".to_owned(), "177".to_owned())),
        };
        assert_eq!(
            remark.comment(FileKind::Essence),
            "$ not proved optimal: between 14 and 177 (stopped by the time limit)\n"
        );
        let stopped = r#""$stopped":{"by":"the time limit","complete":false,"between":[14,177]}"#;
        assert_eq!(remark.inside("{\"x\":1}\n"), format!("{{\"x\":1, {stopped}}}"));
        assert_eq!(remark.inside("{}"), format!("{{{stopped}}}"));
        let none = Remark { by: "the time limit".to_owned(), optimising: true, found: false, between: None };
        let all = Remark { found: true, optimising: false, ..none.clone() };
        assert_eq!(all.comment(FileKind::Essence), "$ not all solutions: stopped by the time limit\n");
        assert_eq!(none.comment(FileKind::Essence), "$ no solution found: stopped by the time limit\n");
    }
}
