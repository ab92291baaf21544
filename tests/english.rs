//! Phrases to avoid in messages, comments and the manual. Messages are the string literals of the sources; the help of
//! the command line consists of comments.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A phrase to avoid, its replacement, and the longer phrases that are allowed. `^` matches the capital letter at the
/// start of a sentence, `*` after a word any ending.
type Rule = (&'static str, &'static str, &'static [&'static str]);

const RULES: &[Rule] = &[
    ("is no", "is not a", &["there is no", "is no longer"]),
    ("are no", "are not", &["there are no", "are no longer", "here are no"]),
    ("was no", "was not a", &["there was no", "was no longer"]),
    ("were no", "were not", &["there were no", "were no longer"]),
    ("is none of", "is not one of", &["there is none of"]),
    ("that of", "the name of the thing", &[]),
    ("those of", "the name of the things", &[]),
    ("such a one", "the name of the thing", &[]),
    ("the same with", "a sentence of its own", &[]),
    ("no further one", "no further NOUN", &[]),
    ("so many", "a number", &[]),
    ("so much", "a number", &[]),
    ("so few", "a number", &[]),
    ("^and", "a sentence with a subject", &[]),
    ("^one that", "the name of the thing", &[]),
    ("^one which", "the name of the thing", &[]),
    ("^those that", "the name of the things", &[]),
    ("^of such", "the subject first", &[]),
    ("^of those", "the subject first", &[]),
    ("^of what", "the subject first", &[]),
    ("^in what", "the subject first", &[]),
    ("^with what", "the subject first", &[]),
    ("^in brackets stands", "the subject first", &[]),
    ("in the place of", "instead of", &[]),
    ("for the reason", "run … to see why", &[]),
    ("belongs into", "belongs in", &[]),
    ("belong into", "belong in", &[]),
    (", for it", "because it", &[]),
    (", for they", "because they", &[]),
    (", for there", "because there", &[]),
    (", for these", "because these", &[]),
    ("go through", "try, visit, range over", &[]),
    ("goes through", "tries, visits, ranges over", &[]),
    ("going through", "trying, visiting, ranging over", &[]),
    ("gone through", "tried, visited, instantiated", &[]),
    ("loops", "quantifiers, or the values of their names", &[]),
    ("refuting", "assumption, unsat core", &[]),
    ("lifted", "Skolemised", &[]),
    ("lifting", "Skolemisation", &[]),
    ("outcome*", "status, result", &[]),
    ("put off", "deferred", &[]),
    ("would help", "the repair", &[]),
    ("your business", "what the reader can do", &[]),
    ("e.g.", "for example, such as", &[]),
    ("i.e.", "that is", &[]),
    ("etc.", "and so on", &[]),
    ("behavior*", "behaviour", &[]),
    ("center*", "centre", &[]),
    ("color*", "colour", &[]),
    ("favor*", "favour", &[]),
    ("neighbor*", "neighbour", &[]),
    ("initializ*", "initialis…", &[]),
    ("maximiz*", "maximis…", &[]),
    ("minimiz*", "minimis…", &[]),
    ("normaliz*", "normalis…", &[]),
    // Exception: the title of a paper.
    ("optimiz*", "optimis…", &["subset optimization"]),
    ("recogniz*", "recognis…", &[]),
    ("visualiz*", "visualis…", &[]),
];

/// Hard limit on the words of a sentence.
const LONGEST_SENTENCE: usize = 40;

/// Words that are never doubled on purpose.
const NEVER_DOUBLED: [&str; 12] = ["a", "an", "and", "are", "in", "is", "it", "of", "or", "that", "the", "to"];

/// A paragraph with the number of its first line.
type Prose = (usize, String);

#[test]
fn messages_comments_and_the_manual_speak_plainly() {
    let mut wrong = Vec::new();
    for path in files() {
        let text = fs::read_to_string(&path).expect("a text");
        let prose = match extension(&path) {
            "md" => page(&text),
            "rs" => source(&text, !path.iter().any(|part| part == "tests" || part == "tests.rs")),
            _ => comments_of_model(&text),
        };
        for (line, paragraph) in prose {
            wrong.extend(
                mistakes(&paragraph).into_iter().map(|mistake| format!("{}:{line}: {mistake}", path.display())),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The pages of the manual, the models, the sources and the tests.
fn files() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].into_iter().map(PathBuf::from).collect();
    let folders = [
        "benches",
        "cli",
        "clients/web/engine",
        "course",
        "crates",
        "docs",
        "examples",
        "fuzz/src",
        "models",
        "src",
        "tests",
    ];
    let mut folders: Vec<PathBuf> = folders.into_iter().map(PathBuf::from).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let has_models = path.starts_with("models") || path.starts_with("course");
            let is_model = has_models && extension(&path) == "essence";
            // Feedback on wrong answers quotes messages, which the sources contain already.
            let is_feedback = path.starts_with("course") && path.iter().any(|folder| folder == "wrong");
            if path.is_dir() {
                folders.push(path);
            } else if is_feedback && extension(&path) == "md" {
            } else if is_model || ["md", "rs"].contains(&extension(&path)) {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 200, "the texts are not where this test looks for them");
    found.sort();
    found
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// The comments of a model.
fn comments_of_model(text: &str) -> Vec<Prose> {
    let mut prose = Vec::new();
    let mut commented = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(comment) = line.trim_start().strip_prefix('$').map(str::trim).filter(|comment| !comment.is_empty())
        else {
            continue;
        };
        add(&mut prose, number, comment, commented + 1 == number);
        commented = number;
    }
    prose
}

/// The paragraphs of a page, and the cells of its tables.
fn page(text: &str) -> Vec<Prose> {
    let mut prose = Vec::new();
    let mut in_code = false;
    let mut continues = false;
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        let fence = line.starts_with("```");
        in_code ^= fence;
        if in_code || fence || line.is_empty() {
            continues = false;
        } else if line.starts_with('|') {
            prose.extend(line.split('|').map(|cell| (number, cell.trim().to_owned())));
            continues = false;
        } else {
            let begins = line.starts_with(['-', '*', '#', '>'])
                || line.split_once(". ").is_some_and(|(start, _)| start.parse::<u32>().is_ok());
            add(&mut prose, number, line, continues && !begins);
            continues = !line.starts_with('#');
        }
    }
    prose
}

/// The comments of a source file, and its string literals outside tests if it has messages.
fn source(text: &str, has_messages: bool) -> Vec<Prose> {
    let mut comments = Vec::new();
    let mut literals = Vec::new();
    let mut commented = 0;
    let mut rest = text;
    let line_of = |rest: &str| text[..text.len() - rest.len()].matches('\n').count() + 1;
    // A small lexer, because quotes and slashes also occur inside literals: `'"'`, `"//"`.
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let line = line_of(&rest[at..]);
        let is_raw = rest[..at].trim_end_matches('#').ends_with('r');
        // A raw string ends with the number of `#` that it starts with.
        let hashes = rest[..at].len() - rest[..at].trim_end_matches('#').len();
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("//") {
            let end = comment.find('\n').unwrap_or(comment.len());
            let words = comment[..end].trim_start_matches(['/', '!']).trim();
            match words.split('|').collect::<Vec<_>>().as_slice() {
                [_, cells @ ..] if words.starts_with('|') => {
                    comments.extend(cells.iter().map(|cell| (line, (*cell).to_owned())))
                }
                _ if words.is_empty() => {}
                _ => {
                    add(&mut comments, line, words, commented + 1 == line);
                    commented = line;
                }
            }
            rest = &comment[end..];
        } else if rest.starts_with('\'') {
            // A character, or else a lifetime, of which only the quote is skipped.
            let escaped = usize::from(rest.starts_with("'\\"));
            let character = rest[1 + escaped..].chars().next().map_or(0, char::len_utf8);
            rest = rest
                .get(1 + escaped + character..)
                .filter(|after| after.starts_with('\''))
                .map_or(&rest[1..], |after| &after[1..]);
        } else if rest.starts_with('"') {
            let (length, skipped) = if is_raw {
                let close = format!("\"{}", "#".repeat(hashes));
                (rest[1..].find(&close).unwrap_or(rest.len() - 1), close.len())
            } else {
                let mut escaped = false;
                let end = rest[1..].find(|character| {
                    let ends = character == '"' && !escaped;
                    escaped = character == '\\' && !escaped;
                    ends
                });
                (end.unwrap_or(rest.len() - 1), 1)
            };
            let literal = &rest[1..1 + length];
            // A line break in a message separates two sentences; an escaped one in the source does not.
            literals.extend(literal.split("\\n").map(|part| (line, part.replace("\\\n", ""))));
            rest = rest.get(1 + length + skipped..).unwrap_or_default();
        } else {
            rest = &rest[1..];
        }
    }
    let tests = text.find("#[cfg(test)]\nmod tests {").map_or(usize::MAX, |at| line_of(&text[at..]));
    literals.retain(|(line, literal)| has_messages && *line < tests && is_prose(literal));
    comments.extend(literals);
    comments
}

/// True if a literal is a text for users: words in lower case, and not a style sheet or a picture.
fn is_prose(literal: &str) -> bool {
    let words =
        literal.split(' ').filter(|word| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_lowercase()));
    words.count() > 1 && !literal.contains("=\\\"") && !literal.contains(": {") && !literal.contains(";\n")
}

/// Appends a line to the last paragraph, or starts a new one.
fn add(prose: &mut Vec<Prose>, number: usize, line: &str, continues: bool) {
    match prose.last_mut() {
        Some((_, last)) if continues => {
            last.push(' ');
            last.push_str(line);
        }
        _ => prose.push((number, line.to_owned())),
    }
}

/// The mistakes in a paragraph.
fn mistakes(paragraph: &str) -> Vec<String> {
    let text = without_code(paragraph);
    let mut wrong = Vec::new();
    for sentence in split(&text, ".?!") {
        let start = if sentence.starts_with(char::is_uppercase) { "^" } else { "" };
        let sentence = format!("{start}{}", sentence.to_lowercase());
        // `^` is added before a capital letter, so that rules about the start of a sentence match only there.
        for (phrase, instead, except) in RULES {
            let excused = |at: usize| {
                except.iter().any(|longer| {
                    occurrences(&sentence, longer).any(|start| (start..start + longer.len()).contains(&at))
                })
            };
            wrong.extend(
                occurrences(&sentence, phrase)
                    .filter(|at| !excused(*at))
                    .map(|_| format!("`{phrase}`; write: {instead}: {sentence}")),
            );
        }
        let words: Vec<&str> = sentence.split_whitespace().collect();
        let doubled = words.windows(2).find(|pair| pair[0] == pair[1] && NEVER_DOUBLED.contains(&pair[0]));
        wrong.extend(doubled.map(|pair| format!("`{}` twice: {sentence}", pair[0])));
    }
    for sentence in split(&text, ".?!:;") {
        let length = sentence.split_whitespace().count();
        if length > LONGEST_SENTENCE {
            wrong.push(format!("{length} words in a sentence: {sentence}"));
        }
    }
    wrong
}

/// The text with a letter in place of each piece of code and each URL.
fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "x" });
    let text: String = parts.collect();
    text.split(' ').map(|word| if word.contains("://") { "x" } else { word }).collect::<Vec<_>>().join(" ")
}

/// Splits a text after each mark that is followed by a space.
fn split<'t>(text: &'t str, marks: &str) -> Vec<&'t str> {
    let ends =
        text.match_indices(' ').filter(|(at, _)| text[..*at].ends_with(|last| marks.contains(last))).map(|(at, _)| at);
    let mut start = 0;
    let mut parts = Vec::new();
    for end in ends.chain([text.len()]) {
        parts.push(text[start..end].trim());
        start = end;
    }
    parts
}

/// The positions of a phrase in a sentence, as whole words.
fn occurrences<'t>(sentence: &'t str, phrase: &'t str) -> impl Iterator<Item = usize> + 't {
    let (words, open) = match phrase.strip_suffix('*') {
        Some(words) => (words, true),
        None => (phrase, false),
    };
    let is_letter =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || "-_".contains(letter));
    sentence.match_indices(words).map(|(at, _)| at).filter(move |at| {
        let (before, after) = (sentence[..*at].chars().next_back(), sentence[at + words.len()..].chars().next());
        let begins = !is_letter(words.chars().next()) || !is_letter(before);
        let ends = open || !is_letter(words.chars().next_back()) || !is_letter(after);
        begins && ends
    })
}

#[test]
fn planted_mistakes_are_found() {
    for (phrase, _, except) in RULES {
        let planted = match phrase.strip_prefix('^') {
            Some(start) => format!("{}{} it.", start[..1].to_uppercase(), &start[1..]),
            None => format!("This {} too.", phrase.trim_end_matches('*')),
        };
        assert!(!mistakes(&planted).is_empty(), "{planted}");
        for longer in *except {
            assert_eq!(mistakes(&format!("Now {longer}, too.")), [""; 0]);
        }
    }
    assert_eq!(mistakes("It is is so.").len(), 1);
    assert_eq!(mistakes(&"word ".repeat(LONGEST_SENTENCE)).len(), 0);
    assert_eq!(mistakes(&"word ".repeat(LONGEST_SENTENCE + 1)).len(), 1);
    assert_eq!(mistakes("`is no` is `the color`"), [""; 0]);
}

#[test]
fn comments_and_messages_are_read() {
    let text = "/// A name\n/// of `a` thing.\nfn f<'a>() {\n    let a = ['\"', '\\''];\n    // Why.\n    error(\"it is \\\n        no domain\\nhelp it\", r#\"a \"raw one\" here\"#);\n}\n";
    let texts = ["A name of `a` thing.", "Why.", "it is         no domain", "help it", "a \"raw one\" here"];
    let lines = [1, 5, 6, 6, 7];
    let expected: Vec<Prose> = lines
        .into_iter()
        .zip(texts.map(str::to_owned))
        .filter(|(_, text)| is_prose(text) || text.ends_with('.'))
        .collect();
    assert_eq!(source(text, true), expected);
    let text = "# Title\nA line\nand one.\n\n```\ncode\n```\n- item\n- item\n| a | b |\n";
    let texts: Vec<String> = page(text).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["# Title", "A line and one.", "- item", "- item", "", "a", "b", ""]);
}
