//! The authors of submissions, by the names that learning systems give to folders and files, and names for tables.

use super::{
    found::{FileContent, FoundFile},
    text::Unfit,
};
use conjure_like::visible;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};
use unicode_normalization::UnicodeNormalization;

/// A unique name, the student's number in the learning system, the path, and the text.
type LabelParts = (String, Option<String>, PathBuf, Result<String, Unfit>);

/// Submissions with names for the tables.
pub(super) struct Labelled {
    pub labels: Vec<LabelParts>,
    /// The files of unknown kinds that belong to no student.
    pub ignored: Vec<PathBuf>,
}

/// The part that Moodle puts between the number of a student and the name of a file (or nothing, for a folder).
const MOODLE: &str = "_assignsubmission_";

/// A student, as Moodle names folders and files: `Anna Meier_123456_assignsubmission_file_`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Student {
    name: String,
    number: Option<String>,
}

fn moodle(step: &str) -> Option<Student> {
    let (before, _) = step.split_once(MOODLE)?;
    let (name, number) = before.rsplit_once('_')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Student { name: name.to_owned(), number: Some(number.to_owned()) })
}

/// True if a file is evidence of a submission: a model, or a folder of a learning system.
pub(super) fn is_submission(found: &FoundFile) -> bool {
    matches!(found.content, FileContent::Model(_) | FileContent::Text(_)) || is_learning_system(&found.steps)
}

/// True if a learning system has named one of these folders.
fn is_learning_system(steps: &[String]) -> bool {
    steps.iter().any(|step| moodle(step).is_some())
}

/// The name of a file without its extension (and without `.txt` after it).
fn author_stem(name: &str) -> &str {
    let name = [".txt", ".TXT"].into_iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Gives each submission a name. A student without a model gets one, too.
pub(super) fn labelled(mut found: Vec<FoundFile>) -> Labelled {
    without_common_folders(&mut found);
    found.retain(|one| !one.steps.is_empty());
    let mut by_student: BTreeMap<Student, Vec<FoundFile>> = BTreeMap::new();
    // The submissions stay in the order in which they were found.
    let mut order: Vec<Student> = Vec::new();
    for one in found {
        let student = student(&one);
        if !order.contains(&student) {
            order.push(student.clone());
        }
        by_student.entry(student).or_default().push(one);
    }
    let is_model = |one: &FoundFile| matches!(one.content, FileContent::Model(_));
    // If some folders contain models, a folder without one still belongs to a student.
    let has_folders = by_student.values().flatten().any(|one| is_model(one) && one.steps.len() > 1);
    let mut labels: Vec<LabelParts> = Vec::new();
    let mut ignored = Vec::new();
    let alone = by_student.len() == 1;
    for student in order {
        let Some(files) = by_student.remove(&student) else { continue };
        let is_folder = files.iter().any(|one| one.steps.len() > 1 || matches!(one.content, FileContent::Folder));
        let is_student = student.number.is_some() || has_folders && is_folder;
        // Other texts count only if the student has not handed in a model.
        let chosen = if files.iter().any(is_model) {
            is_model
        } else {
            |one: &FoundFile| matches!(one.content, FileContent::Text(_))
        };
        let (models, others): (Vec<FoundFile>, Vec<FoundFile>) = files.into_iter().partition(chosen);
        let others: Vec<FoundFile> =
            others.into_iter().filter(|one| !matches!(one.content, FileContent::Folder) || models.is_empty()).collect();
        match models.len() {
            0 if is_student => labels.push(without_model(&student, others)),
            0 => ignored.extend(others.into_iter().filter_map(|one| {
                let is_file = !matches!(one.content, FileContent::Folder);
                is_file.then_some(one.path)
            })),
            number => labels.extend(models.into_iter().map(|one| {
                // If a student has several models, the file names distinguish them.
                let is_long = number > 1 || alone && student.number.is_none();
                let name = if is_long { long_name(&student, &one.steps) } else { student.name.clone() };
                let (FileContent::Model(text) | FileContent::Text(text)) = one.content else {
                    return (name, None, one.path, Err(Unfit::no_model(&[])));
                };
                (name, student.number.clone(), one.path, text)
            })),
        }
    }
    distinguish(&mut labels);
    Labelled { labels, ignored }
}

/// Removes the leading folders that all files share, unless Moodle named them for a student.
fn without_common_folders(found: &mut [FoundFile]) {
    loop {
        let files = || found.iter().filter(|one| !matches!(one.content, FileContent::Folder));
        let Some(first) = files().next().and_then(|one| one.steps.first()).cloned() else { return };
        // If there is only one file, its folder may have the student's name.
        let is_common = files().count() > 1
            && moodle(&first).is_none()
            && files().all(|one| one.steps.len() > 1)
            && found.iter().all(|one| one.steps.first() == Some(&first));
        if !is_common {
            return;
        }
        for one in found.iter_mut() {
            one.steps.remove(0);
        }
    }
}

/// The student whom a learning system names; otherwise named after the first folder, or the file.
fn student(one: &FoundFile) -> Student {
    if let Some(student) = one.steps.iter().find_map(|step| moodle(step)) {
        return student;
    }
    // A file on the command line may be inside a student's folder.
    let folder = one.path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    if let (Some(student), 1) = (folder.as_deref().and_then(moodle), one.steps.len()) {
        return student;
    }
    let first = one.steps.first().map_or("", String::as_str);
    let is_file = one.steps.len() == 1 && !matches!(one.content, FileContent::Folder);
    Student { name: if is_file { author_stem(first) } else { first }.to_owned(), number: None }
}

/// The folders and the file, with the student's name in place of Moodle's.
fn long_name(student: &Student, steps: &[String]) -> String {
    let last = steps.len().saturating_sub(1);
    let named = steps.iter().enumerate().map(|(at, step)| match moodle(step) {
        Some(_) => {
            let file =
                step.split_once(MOODLE).map_or("", |(_, rest)| rest.split_once('_').map_or("", |(_, file)| file));
            [student.name.as_str(), author_stem(file)].join("-").trim_end_matches('-').to_owned()
        }
        None if at == last => author_stem(step).to_owned(),
        None => step.clone(),
    });
    named.collect::<Vec<_>>().join("-")
}

/// A student without a model, and the files that were found instead.
fn without_model(student: &Student, others: Vec<FoundFile>) -> LabelParts {
    let is_file = |one: &&FoundFile| !matches!(one.content, FileContent::Folder);
    let names: Vec<String> = others.iter().filter(is_file).filter_map(|one| one.steps.last().cloned()).collect();
    let path = others.iter().find(is_file).or(others.first()).map_or(PathBuf::new(), |one| one.path.clone());
    (student.name.clone(), student.number.clone(), path, Err(Unfit::no_model(&names)))
}

/// Makes the names portable and unique: students with the same name get their numbers, files with the same name get
/// their folders, and names that are still equal are numbered.
fn distinguish(labels: &mut [LabelParts]) {
    let key = |name: &str| identity_of_name(&plain(name));
    let repeated = |labels: &[LabelParts]| -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        labels.iter().map(|label| key(&label.0)).filter(|name| !seen.insert(name.clone())).collect()
    };
    let twice = repeated(labels);
    for (name, number, path, _) in labels.iter_mut().filter(|label| twice.contains(&key(&label.0))) {
        let folder = path.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy().into_owned());
        match (number, folder) {
            (Some(number), _) => *name = format!("{name} {number}"),
            (None, Some(folder)) if !name.starts_with(&*folder) => *name = format!("{folder}-{name}"),
            _ => {}
        }
    }
    let mut taken = BTreeSet::new();
    for label in labels {
        let name = plain(&label.0);
        let counted = (2..).map(|count| format!("{name}-{count}"));
        let free = [name.clone()].into_iter().chain(counted).find(|name| taken.insert(identity_of_name(name)));
        label.0 = free.unwrap_or(name);
    }
}

/// A key that is equal for all names that some system takes for the same file: names in other letter cases, and an
/// umlaut as one character or as two.
fn identity_of_name(name: &str) -> String {
    name.nfc().collect::<String>().to_lowercase().nfc().collect()
}

/// Reserved names of devices on Windows, with any extension.
fn is_device_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let numbered = |port: &str| {
        let number = stem.get(..3).filter(|word| word.eq_ignore_ascii_case(port)).and_then(|_| stem.get(3..));
        number.is_some_and(|number| {
            let mut digits = number.chars();
            digits.next().is_some_and(|digit| "123456789¹²³".contains(digit)) && digits.next().is_none()
        })
    };
    let is_word = ["con", "prn", "aux", "nul", "conin$", "conout$"].iter().any(|word| stem.eq_ignore_ascii_case(word));
    is_word || numbered("com") || numbered("lpt")
}

/// A name that is valid for a file on each system, and harmless in each table.
fn plain(name: &str) -> String {
    // An umlaut may be a letter followed by a combining mark.
    let is_mark = |character: char| matches!(character, '\u{300}'..='\u{36f}');
    let is_plain =
        |char: char| char.is_alphanumeric() || is_mark(char) || matches!(char, '-' | '_' | '.' | ',' | '\'' | ' ');
    let shown: String = visible::line(name).chars().map(|char| if is_plain(char) { char } else { '_' }).collect();
    // A leading `.` would hide the file, and a leading `-` would be an option or, in a spreadsheet, a formula.
    let shown: String = shown.trim().trim_start_matches(['-', '.']).chars().take(80).collect();
    let shown = shown.trim_end_matches(['.', ' ']);
    match shown {
        "" => "unnamed".to_owned(),
        _ if is_device_name(shown) => format!("_{shown}"),
        _ => shown.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str) -> FoundFile {
        let steps: Vec<String> = path.split('/').filter(|step| !step.is_empty()).map(str::to_owned).collect();
        let content = match steps.last() {
            _ if path.ends_with('/') => FileContent::Folder,
            Some(name) if name.ends_with(".essence") => FileContent::Model(Ok(String::new())),
            Some(name) if name.ends_with(".txt") => FileContent::Text(Ok(String::new())),
            _ => FileContent::Other,
        };
        FoundFile { path: Path::new("handed-in").join(path), steps, content }
    }

    fn names(paths: &[&str]) -> Vec<String> {
        labelled(paths.iter().map(|path| found(path)).collect()).labels.into_iter().map(|label| label.0).collect()
    }

    #[test]
    fn names_are_different_and_harmless() {
        assert_eq!(names(&["anna.essence", "ben.essence"]), ["anna", "ben"]);
        assert_eq!(names(&["anna/q.essence", "ben/r.essence", "c.essence"]), ["anna", "ben", "c"]);
        assert_eq!(names(&["anna/q.essence", "anna/r.essence", "ben/q.essence"]), ["anna-q", "anna-r", "ben"]);
        assert_eq!(names(&["all/anna.essence", "all/ben.essence"]), ["anna", "ben"]);
        assert_eq!(names(&["week/anna.essence"]), ["week-anna"]);
        assert_eq!(names(&["a.essence", "A.essence", "a-2.essence"]), ["handed-in-a", "handed-in-A-2", "a-2"]);
        assert_eq!(
            names(&["=cmd|'A0.essence", "-x.essence", "<b>.essence", "--.essence"]),
            ["_cmd_'A0", "x", "_b_", "unnamed"]
        );
        assert_eq!(names(&["Mu\u{308}ller.essence", "a b.essence"]), ["Mu\u{308}ller", "a b"]);
    }

    #[test]
    fn names_are_different_files_on_every_system() {
        assert_eq!(
            names(&["x/Mu\u{308}ller.essence", "y/M\u{fc}ller.essence", "m\u{fc}LLER.essence"]),
            ["x", "y", "m\u{fc}LLER"]
        );
        let umlauts = names(&["Mu\u{308}ller.essence", "M\u{fc}ller.essence"]);
        assert_eq!(umlauts, ["handed-in-Mu\u{308}ller", "handed-in-M\u{fc}ller-2"]);
        assert_eq!(
            names(&[
                "NUL.essence",
                "con.txt.essence",
                "Com1.essence",
                "LPT\u{b9}.essence",
                "COM10.essence",
                "console.essence"
            ]),
            ["_NUL", "_con.txt", "_Com1", "_LPT\u{b9}", "COM10", "console"]
        );
    }

    #[test]
    fn folders_of_learning_systems_name_students() {
        let anna = "Anna Meier_123_assignsubmission_file_";
        let ben = "Ben_9_assignsubmission_file_";
        assert_eq!(names(&[&format!("{anna}/queens.essence"), &format!("{ben}/model.essence")]), ["Anna Meier", "Ben"]);
        assert_eq!(
            names(&[&format!("{anna}/a.essence"), &format!("{anna}/b/c.essence")]),
            ["Anna Meier-a", "Anna Meier-b-c"]
        );
        assert_eq!(names(&[&format!("{anna}model.essence"), &format!("{ben}model.essence")]), ["Anna Meier", "Ben"]);
        let other = "Anna Meier_124_assignsubmission_file_";
        assert_eq!(
            names(&[&format!("{anna}/m.essence"), &format!("{other}/m.essence")]),
            ["Anna Meier 123", "Anna Meier 124"]
        );
    }

    #[test]
    fn who_has_no_model_has_a_row() {
        let anna = "Anna_1_assignsubmission_file_";
        let text = "Anna_1_assignsubmission_onlinetext_";
        let all = labelled(vec![
            found(&format!("{anna}/m.essence")),
            found(&format!("{text}/onlinetext.html")),
            found("Ben_2_assignsubmission_file_/"),
            found("Carla_3_assignsubmission_file_/model.docx"),
            found("Dora_4_assignsubmission_file_/model.txt"),
            found("grades.csv"),
        ]);
        let rows: Vec<(String, Option<String>)> = all
            .labels
            .into_iter()
            .map(|(name, _, _, text)| (name, text.err().map(|unfit| format!("{}: {}", unfit.result, unfit.says))))
            .collect();
        let [anna, ben, carla, dora] = &rows[..] else { panic!("{rows:?}") };
        assert_eq!(anna, &("Anna".to_owned(), None));
        assert_eq!(ben.1.as_deref(), Some("no-model: The folder is empty."));
        assert!(carla.1.as_deref().is_some_and(|says| says.contains("`model.docx`")), "{carla:?}");
        assert_eq!(dora, &("Dora".to_owned(), None));
        assert_eq!(all.ignored, [Path::new("handed-in/grades.csv")]);
    }
}
