//! Texts that are entirely in another language: one message replaces a message for each line.

use super::minizinc;
use crate::{
    diagnostic::{Code, Diagnostic, Edit},
    source::{SourceId, Span},
};

/// A language in which users write instead of Essence.
struct ForeignLanguage {
    name: &'static str,
    /// The starts of its statements.
    starts: &'static [&'static str],
    /// The texts that occur only in statements of this language.
    holds: &'static [&'static str],
    /// The starts and ends of further statements.
    shapes: &'static [fn(&str) -> bool],
    /// The form of statements that occur in this language and in others; they count beside one that is in no other.
    usual: fn(&str) -> bool,
    help: &'static str,
    /// The translation of simple texts.
    translate: Option<fn(&str) -> Option<String>>,
    /// The sentence about the page of the manual for users of this language.
    page: &'static str,
}

/// A text is in a language if it has at least this number of its marks. Chosen.
const LEAST: usize = 2;

const LANGUAGES: [ForeignLanguage; 4] = [
    ForeignLanguage {
        name: "OPL",
        starts: &["using CP", "dvar ", "dexpr ", "subject to {", "constraints {", "execute {", "{string} ", "float "],
        holds: &["] = ..."],
        shapes: &[|line| line == "subject to"],
        usual: |line| line.ends_with(';'),
        help: "write `find x : int(1..9)` for `dvar int x in 1..9;`, and `such that` with commas for \
               `subject to { …; }`",
        translate: None,
        page: "`docs/tutorial.md` introduces Essence",
    },
    ForeignLanguage {
        name: "MiniZinc",
        starts: &["array[", "array [", "include \"", "output [", "int: ", "set of int:", "predicate "],
        holds: &["] of var "],
        shapes: &[
            |line| line.starts_with("var ") && line.contains(':'),
            |line| line == "constraint" || line.starts_with("constraint "),
            |line| line.starts_with("solve ") && !line.contains('('),
            |line| line.starts_with("solve ::"),
        ],
        usual: |line| line.ends_with(';'),
        help: "write `find x : int(1..9)` for `var 1..9: x;`, `such that` with commas for `constraint …;`, and \
               `minimising e` for `solve minimize e;`",
        translate: Some(minizinc::in_essence),
        page: "`docs/coming-from-minizinc.md` has the same models in both languages",
    },
    ForeignLanguage {
        name: "Python",
        starts: &["import ", "print(", "class ", "if __name__", "return "],
        holds: &["model.Add", "model.add", ".NewIntVar(", ".new_int_var(", " in range(", "= range(", "(self"],
        shapes: &[
            |line| line.starts_with("from ") && line.contains(" import "),
            |line| {
                let opens = ["def ", "for ", "while ", "if ", "elif "].iter().any(|word| line.starts_with(word));
                (opens || line == "else:") && line.ends_with(':')
            },
        ],
        usual: |line| [" = ", " += "].iter().any(|sign| line.contains(sign)),
        help: "write `find x : int(1..9)` for a variable, and constraints after `such that`",
        translate: None,
        page: "`docs/python-models.md` says how a program in Python builds models, and `docs/tutorial.md` introduces \
               Essence",
    },
    ForeignLanguage {
        name: "an answer set program",
        starts: &["#const ", "#show ", "#minimize", "#maximize", "#include ", "#defined ", ":- "],
        holds: &[" :- "],
        shapes: &[
            // Facts and choices: `edge(a,b).`
            |line| {
                let is_closed = line.ends_with(").") || line.ends_with("}.");
                is_closed && line.starts_with(|first: char| first.is_ascii_lowercase() || first == '{')
            },
        ],
        usual: |line| line.ends_with('.'),
        help: "write `given` for facts, `find` with a set or a relation for choice rules, and `such that !(…)` for a \
               rule without a head",
        translate: None,
        page: "`docs/tutorial.md` introduces Essence",
    },
];

/// Returns the message that a text is in another language, with the same text in Essence if that is certain; `is_read`
/// checks that it has no mistakes.
pub(in crate::syntax::parse) fn foreign_text(
    source: SourceId,
    text: &str,
    found: &[Diagnostic],
    is_read: impl Fn(&str) -> bool,
) -> Option<Diagnostic> {
    if found.is_empty() || statements(text).any(|(_, line)| is_essence(line)) {
        return None;
    }
    let (language, (start, line)) = LANGUAGES.iter().find_map(|language| {
        let first = statements(text).find(|(_, line)| language.marks(line))?;
        let counts = |line: &str| language.marks(line) || (language.usual)(line);
        (statements(text).filter(|(_, line)| counts(line)).count() >= LEAST).then_some((language, first))
    })?;
    let message = format!("this looks like {}, not Essence", language.name);
    let span = Span::new(source, start, start + line.len());
    let error = Diagnostic::error(Code::SYNTAX, message).at(span, "from here on");
    let is_certain = |essence: &String| statements(essence).any(|(_, line)| is_essence(line)) && is_read(essence);
    let essence = language.translate.and_then(|translate| translate(text)).filter(is_certain);
    let error = match essence {
        Some(essence) => {
            let whole = Edit { span: Span::new(source, 0, text.len()), text: essence.clone() };
            let help = format!("the same in Essence:\n{}", essence.trim_end());
            Diagnostic { edits: vec![whole], ..error.help(help) }
        }
        None => error.help(language.help),
    };
    Some(error.note(language.page))
}

impl ForeignLanguage {
    /// Returns true if a statement is in this language only.
    fn marks(&self, line: &str) -> bool {
        self.starts.iter().any(|start| line.starts_with(start))
            || self.holds.iter().any(|part| line.contains(part))
            || self.shapes.iter().any(|shape| shape(line))
    }
}

/// The statements of a text, one on each line or with a semicolon between them, with their positions.
fn statements(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive(['\n', ';']).scan(0, |offset, line| {
        let start = *offset + line.len() - line.trim_start().len();
        *offset += line.len();
        Some((start, line.trim()))
    })
}

/// Returns true if a line starts a statement of Essence.
fn is_essence(line: &str) -> bool {
    let starts = |word: &str| line.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    (starts("find") || starts("given")) && [":", " new type", " enum"].iter().any(|part| line.contains(part))
        || starts("letting") && [" be ", "="].iter().any(|part| line.contains(part))
        || ["such that", "minimising", "maximising", "language", "where"].into_iter().any(starts)
}

#[cfg(test)]
mod tests {
    use crate::{diagnostic::Diagnostics, source::SourceId, syntax::parse::parse_file};

    #[test]
    fn a_text_in_another_language_gets_one_message() {
        let texts = include_str!("../../../../tests/foreign-texts.txt").split("==== ").skip(1);
        let mut count = 0;
        for (title, text) in texts.filter_map(|text| text.split_once('\n')) {
            let language = title.split_once(':').map_or(title, |(language, _)| language);
            let name = if language == "ASP" { "an answer set program" } else { language };
            let mut found = Diagnostics::new();
            parse_file(SourceId(0), text, &mut found);
            let messages: Vec<&str> = found.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
            assert_eq!(messages, [format!("this looks like {name}, not Essence")], "{title}");
            count += 1;
        }
        assert_eq!(count, 42);
    }
}
