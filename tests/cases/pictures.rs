//! Pictures of solutions. Each file in `tests/pictures` names a model, possibly a parameter file, and a solution in
//! comments, followed by the picture as text.

use crate::{Verdict, comments, compare, files, function, name, read, text};
use conjure_like::{Model, Picture, PictureFormat, Sheet, Text};
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};

pub(crate) fn tests() -> Vec<Trial> {
    let cases = cases().into_iter().map(|case| Trial::test(name(&case.file), move || check(&case)));
    let own: [(&str, fn()); 2] = [
        (
            "a_solved_futoshiki_is_the_drawing_of_the_puzzle_filled_in",
            a_solved_futoshiki_is_the_drawing_of_the_puzzle_filled_in,
        ),
        ("bold_letters_take_the_place_of_marks", bold_letters_take_the_place_of_marks),
    ];
    cases.chain(own.map(|(name, test)| function("pictures", name, test))).collect()
}

struct Case {
    file: PathBuf,
    /// The comments at the top.
    head: String,
    picture: String,
}

impl Case {
    fn read(file: &Path) -> Self {
        let text = read(file);
        let end = text.find("\n\n").map_or(text.len(), |end| end + 2);
        Case { head: text[..end].to_owned(), picture: text[end..].to_owned(), file: file.to_owned() }
    }

    fn comment(&self, key: &str) -> Option<&str> {
        comments(&self.head, key).next()
    }

    fn pictures(&self) -> Vec<Picture> {
        let data: Vec<_> = self.comment("param").map(text).into_iter().collect();
        let solution = Text::new("the solution", self.comment("solution").expect("a solution"));
        let drawn = Model::read(&text(self.comment("model").expect("a model")))
            .and_then(|model| Ok(model.solution(&data, &solution)?.pictures(&model.pictures()?)));
        drawn.unwrap_or_else(|report| panic!("{}: {report}", self.file.display()))
    }
}

fn cases() -> Vec<Case> {
    files("tests/pictures", &["txt"]).iter().map(|file| Case::read(file)).collect()
}

fn check(case: &Case) -> Verdict {
    let pictures = case.pictures();
    is_well_formed(&pictures);
    let drawn = as_text(pictures, false);
    compare(&case.file, &(case.head.clone() + &case.picture), &(case.head.clone() + &drawn))
}

fn as_text(pictures: Vec<Picture>, bold: bool) -> String {
    PictureFormat::Text.render("", &[Sheet { pictures, ..Sheet::default() }], bold)
}

/// Checks the picture as SVG and as a page: elements are closed, texts are escaped, and nothing is loaded from
/// elsewhere.
fn is_well_formed(pictures: &[Picture]) {
    let heading = "Solution <1> & \"more\"".to_owned();
    let sheet = Sheet { heading, pictures: pictures.to_vec(), ..Sheet::default() };
    let sheets = [sheet.clone(), sheet];
    for format in [PictureFormat::Svg, PictureFormat::Html] {
        let document = format.render("<title> & more", &sheets, false);
        let mut open: Vec<&str> = Vec::new();
        for (at, _) in document.match_indices('<') {
            let tag = &document[at + 1..at + document[at..].find('>').expect("the end of a tag")];
            let name = tag.split([' ', '\n']).next().unwrap_or_default();
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{tag}"),
                None if tag.ends_with('/') || ["!DOCTYPE", "meta"].contains(&name) => {}
                None => open.push(name),
            }
            // An unescaped quote would leave an attribute open.
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        }
        assert!(open.is_empty(), "{open:?} not closed");
        let links = document.replace("http://www.w3.org/2000/svg", "");
        assert!(!links.contains("://") && !links.contains("url(") && !links.contains("NaN"));
    }
}

/// If the found numbers are erased and the marks of the given ones removed, the drawing is the puzzle again.
fn a_solved_futoshiki_is_the_drawing_of_the_puzzle_filled_in() {
    for name in ["futoshiki-7-picture", "futoshiki-5-picture"] {
        let case = Case::read(Path::new(&format!("tests/pictures/{name}.txt")));
        let drawn = as_text(case.pictures(), false);
        let puzzle = read(format!("params/{name}.txt"));
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

fn bold_letters_take_the_place_of_marks() {
    let case = Case::read(Path::new("tests/pictures/sudoku-easy.txt"));
    let (marked, bold) = (as_text(case.pictures(), false), as_text(case.pictures(), true));
    let plain = bold.replace("\x1b[1m", "").replace("\x1b[0m", "");
    let without_legend = |text: &str| text.lines().take(13).map(|line| line.replace('*', " ")).collect::<Vec<_>>();
    assert_eq!(without_legend(&marked), without_legend(&plain));
}
