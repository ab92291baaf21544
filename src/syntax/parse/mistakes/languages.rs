//! Texts that are entirely in another language: one message replaces a message for each line.

use crate::{
    diagnostic::{Code, Diagnostic},
    source::{SourceId, Span},
};

/// A language in which users write instead of Essence.
struct ForeignLanguage {
    /// The kind of text, as messages call it.
    name: &'static str,
    /// The starts of its lines.
    starts: &'static [&'static str],
    /// The texts that occur only in lines of this language.
    holds: &'static [&'static str],
    help: &'static str,
}

/// The starts of lines of Essence.
const ESSENCE: [&str; 6] = ["find ", "given ", "letting ", "such that", "minimising ", "maximising "];

/// A text is in a language if it has at least this number of its marks. Chosen.
const LEAST: usize = 2;

const LANGUAGES: [ForeignLanguage; 4] = [
    ForeignLanguage {
        name: "a model in MiniZinc",
        starts: &[
            "constraint ",
            "solve ",
            "var ",
            "array[",
            "array [",
            "include \"",
            "output [",
            "int: ",
            "set of int:",
        ],
        holds: &["] of var "],
        help: "write `find x : int(1..9)` for `var 1..9: x;`, `such that` with commas for `constraint …;`, and \
               `minimising e` for `solve minimize e;`",
    },
    ForeignLanguage {
        name: "a program in Python",
        starts: &["import ", "from ", "def ", "print(", "class ", "for ", "while ", "if __name__"],
        holds: &["model.Add", "model.add", ".NewIntVar(", ".new_int_var(", "in range(", "(self"],
        help: "write the model in Essence: `find x : int(1..9)` for a variable, and constraints after `such that`",
    },
    ForeignLanguage {
        name: "an answer set program",
        starts: &["#const ", "#show ", "#minimize", "#maximize", ":- "],
        holds: &[" :- "],
        help: "write `given` for facts, `find` with a set or a relation for choice rules, and `such that !(…)` for a \
               rule without a head",
    },
    ForeignLanguage {
        name: "a model in OPL",
        starts: &["using CP", "using CPLEX", "dvar ", "dexpr ", "subject to", "range ", "constraints {", "execute {"],
        holds: &[],
        help: "write `find x : int(1..9)` for `dvar int x in 1..9;`, and `such that` with commas for \
               `subject to { …; }`",
    },
];

/// Returns the message that a text is in another language, unless the messages about its parts correct all of it.
pub(in crate::syntax::parse) fn foreign_text(source: SourceId, text: &str, found: &[Diagnostic]) -> Option<Diagnostic> {
    if found.iter().all(|diagnostic| !diagnostic.edits.is_empty()) {
        return None;
    }
    let lines = || {
        text.split_inclusive('\n').scan(0, |offset, line| {
            let start = *offset + line.len() - line.trim_start().len();
            *offset += line.len();
            Some((start, line.trim()))
        })
    };
    if lines().any(|(_, line)| ESSENCE.iter().any(|word| line.starts_with(word))) {
        return None;
    }
    LANGUAGES.iter().find_map(|language| {
        let mark = |line: &str| {
            let start = language.starts.iter().find(|start| line.starts_with(**start));
            start.or_else(|| language.holds.iter().find(|part| line.contains(**part)))
        };
        let marked: Vec<(usize, &str, &&str)> =
            lines().filter_map(|(start, line)| Some((start, line, mark(line)?))).collect();
        let (start, line, first) = *marked.first()?;
        let is_clear = marked.len() >= LEAST && marked.iter().any(|(_, _, other)| *other != first);
        is_clear.then(|| {
            let message = format!("this is {}, not a model in Essence", language.name);
            let span = Span::new(source, start, start + line.len());
            Diagnostic::error(Code::SYNTAX, message).at(span, "from here on").help(language.help)
        })
    })
}
