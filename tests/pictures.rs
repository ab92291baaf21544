//! Pictures of solutions. Each file in `tests/pictures` names a model, perhaps a parameter file, and a solution in comments,
//! and has below them the picture that comes out as text. `UPDATE=1 cargo test --lib inside::pictures` writes what comes out
//! now; look at it.

use conjure_like::{
    diagnostic::{Diagnostics, short},
    instance::{Instance, Solution},
    picture::{Directive, Picture, Sheet, draw, html, svg, text},
    pipeline, solution,
    source::Sources,
};
use std::{env, fs, path::PathBuf, rc::Rc};

struct Case {
    file: PathBuf,
    /// The comments at the top.
    head: String,
    picture: String,
}

fn cases() -> Vec<Case> {
    let entries = fs::read_dir("tests/pictures").expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    let case = |file: PathBuf| {
        let text = fs::read_to_string(&file).expect("a case");
        let end = text.find("\n\n").map_or(text.len(), |end| end + 2);
        Case { head: text[..end].to_owned(), picture: text[end..].to_owned(), file }
    };
    files.into_iter().map(case).collect()
}

impl Case {
    fn comment(&self, key: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix("$ ")?.strip_prefix(key)?.strip_prefix(": "))
    }

    /// The instance with its solution, and what the model says about pictures.
    fn read(&self) -> (Instance, Solution, Vec<Directive>) {
        let mut sources = Sources::default();
        let mut diagnostics = Diagnostics::new();
        let read = |sources: &mut Sources, path: &str| {
            let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
            sources.add(path, text)
        };
        let model = read(&mut sources, self.comment("model").expect("a model"));
        let mut data: Vec<_> = self.comment("param").map(|path| read(&mut sources, path)).into_iter().collect();
        let listed = sources.add("solution", self.comment("solution").expect("a solution"));
        let result = (|| {
            let read = pipeline::read(&sources, model, &mut diagnostics)?;
            let directives = pipeline::pictures(&read, &mut diagnostics)?;
            let instance = pipeline::instance(&read.model, &sources, &data, &mut diagnostics)?;
            // The same declarations in the same order, with values for the decision variables.
            let file = solution::with_finds_given(read.file, |_| true);
            let given = Rc::new(conjure_like::analysis::analyse(&file, &mut diagnostics));
            data.push(listed);
            let mut solved = pipeline::instance(&given, &sources, &data, &mut diagnostics)?;
            let value = |find: &conjure_like::instance::Find| Some((find.id, solved.environment.global(find.id).ok()?));
            let solution: Solution = instance.finds.iter().filter_map(value).collect();
            Some((instance, solution, directives))
        })();
        result.unwrap_or_else(|| {
            let mistakes: Vec<String> = diagnostics.iter().map(|mistake| short::render(mistake, &sources)).collect();
            panic!("{}: {}", self.file.display(), mistakes.join("\n"))
        })
    }

    fn pictures(&self) -> Vec<Picture> {
        let (instance, solution, directives) = self.read();
        draw(&instance, &solution, &directives)
    }
}

#[test]
fn pictures_are_as_kept() {
    let mut wrong = Vec::new();
    for case in cases() {
        let drawn = text::render(&case.pictures(), false);
        if drawn == case.picture {
            continue;
        }
        if env::var_os("UPDATE").is_some() {
            fs::write(&case.file, case.head.clone() + &drawn).expect("the updated case");
        } else {
            wrong.push(format!("{}: expected\n{}\nfound\n{drawn}", case.file.display(), case.picture));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// With the found numbers rubbed out and the marks of the given ones removed, the drawing is the puzzle's.
#[test]
fn a_solved_futoshiki_is_the_drawing_of_the_puzzle_filled_in() {
    for name in ["futoshiki-7-picture", "futoshiki-5-picture"] {
        let case =
            cases().into_iter().find(|case| case.file.file_stem().is_some_and(|stem| stem == name)).expect("a case");
        let drawn = text::render(&case.pictures(), false);
        let puzzle = fs::read_to_string(format!("params/{name}.txt")).expect("a puzzle");
        let drawn: Vec<&str> = drawn.lines().collect();
        for (number, line) in puzzle.lines().enumerate() {
            let mut emptied = String::new();
            let mut characters = drawn[number].chars().peekable();
            while let Some(character) = characters.next() {
                let given = characters.peek() == Some(&'*');
                emptied.push(if character.is_ascii_digit() && !given { '0' } else { character });
            }
            let emptied = emptied.replace('*', " ");
            assert_eq!(emptied.trim_end(), line.trim_end(), "{name}, line {}", number + 1);
        }
    }
}

/// Every element is closed, texts are escaped, and nothing is loaded from elsewhere.
#[test]
fn documents_are_well_formed_and_stand_alone() {
    for case in cases() {
        let sheet = Sheet { heading: "Solution <1> & \"more\"".to_owned(), pictures: case.pictures() };
        let sheets = [sheet.clone(), sheet];
        for (kind, document) in [("svg", svg::document(&sheets)), ("html", html::page("<title> & more", &sheets))] {
            let what = format!("{}, {kind}", case.file.display());
            let mut open: Vec<&str> = Vec::new();
            for (at, _) in document.match_indices('<') {
                let tag = &document[at + 1..at + document[at..].find('>').expect("the end of a tag")];
                let name = tag.split([' ', '\n']).next().unwrap_or_default();
                match name.strip_prefix('/') {
                    Some(name) => assert_eq!(open.pop(), Some(name), "{what}: {tag}"),
                    None if tag.ends_with('/') || ["!DOCTYPE", "meta"].contains(&name) => {}
                    None => open.push(name),
                }
                assert_eq!(tag.matches('"').count() % 2, 0, "{what}: {tag}");
            }
            assert!(open.is_empty(), "{what}: {open:?} not closed");
            let links = document.replace("http://www.w3.org/2000/svg", "");
            assert!(!links.contains("http") && !links.contains("url(") && !links.contains("NaN"), "{what}");
        }
    }
}

#[test]
fn bold_letters_take_the_place_of_marks() {
    let case = cases().into_iter().find(|case| case.file.ends_with("sudoku-easy.txt")).expect("a case");
    let (marked, bold) = (text::render(&case.pictures(), false), text::render(&case.pictures(), true));
    let plain = bold.replace("\x1b[1m", "").replace("\x1b[0m", "");
    let without_legend = |text: &str| text.lines().take(13).map(|line| line.replace('*', " ")).collect::<Vec<_>>();
    assert_eq!(without_legend(&marked), without_legend(&plain));
}
