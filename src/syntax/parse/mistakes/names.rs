//! Reserved words as names.

use super::{
    Mistake, Stuck,
    row::{Row, row},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::parse::{Rule, is_reserved, reading::words},
};

pub(super) const ROWS: &[Row] = &[
    row("reserved word again", "", "").by(renamed_word).was(57),
    row("reserved word", "", "").by(reserved_word).was(58),
];

/// A reserved word that has been reported before as a name.
fn renamed_word(stuck: &Stuck) -> Option<Mistake> {
    let (found, previous) = (stuck.found(), stuck.previous_word());
    let renamed = stuck.parser.renamed.borrow();
    let end = stuck.before().len();
    let (range, (name, report)) = match (renamed.get(found), renamed.get(previous)) {
        (Some(known), _) if !stuck.text[stuck.at + found.len()..].starts_with('(') => {
            (stuck.found_range(), known.clone())
        }
        (_, Some(known)) if stuck.expected.contains(&Rule::open_parenthesis) => {
            (end - previous.len()..end, known.clone())
        }
        _ => return None,
    };
    let span = stuck.span(range.start, range.end);
    let what = Diagnostic::error(Code::RESERVED_WORD, "a reserved word").at(span, "used here");
    Some(Mistake { also: Some((report, span)), ..Mistake::from(what).change(range, name) })
}

fn reserved_word(stuck: &Stuck) -> Option<Mistake> {
    let (found, previous) = (stuck.found(), stuck.previous_word());
    let end = stuck.before().len();
    let as_operator = stuck.expected.contains(&Rule::open_parenthesis) && is_reserved(previous) && found != "(";
    let name_needed =
        stuck.expects_expression() || stuck.expects(&[Rule::name, Rule::names, Rule::pattern, Rule::patterns]);
    let (word, range) = match as_operator {
        true => (previous, end - previous.len()..end),
        false if name_needed && found.starts_with(char::is_alphabetic) && is_reserved(found) => {
            (found, stuck.found_range())
        }
        false => return None,
    };
    let what = Diagnostic::error(Code::RESERVED_WORD, format!("`{word}` is a reserved word"))
        .at(stuck.span(range.start, range.end), "cannot be a name");
    let [first, second, third] = free_names(stuck.parser.text, word)?;
    let what = if as_operator { what.note(format!("as an operator it is written `{word}(…)`")) } else { what };
    let declares = matches!(stuck.keyword, "find" | "given" | "letting") && !as_operator && !stuck.expects_expression();
    if as_operator || declares || stuck.in_quantifier_head() {
        let report = stuck.parser.faults.borrow().len();
        stuck.parser.renamed.borrow_mut().insert(word.to_owned(), (first.clone(), report));
        let what = if as_operator { what } else { what.note(format!("`{second}` and `{third}` are free, too")) };
        let fits_data = stuck.keyword == "given" && first.strip_suffix('_') == Some(word);
        let what = match fits_data {
            true => what.note(format!("in JSON, the key `\"{word}\"` gives `{first}` its value")),
            false => what,
        };
        return Some(Mistake::from(what).change(range, first));
    }
    Some(Mistake::from(what.help(format!("choose another name, such as `{first}`, `{second}` or `{third}`"))))
}

/// Three names that resemble a word and do not occur in the file.
fn free_names(file: &str, word: &str) -> Option<[String; 3]> {
    let capital = word.get(..1)?.to_uppercase() + &word[1..];
    let candidates = [
        format!("{word}_"),
        format!("my{capital}"),
        format!("the{capital}"),
        format!("{word}1"),
        format!("{word}2"),
        format!("{word}__"),
    ];
    let mut free = candidates.into_iter().filter(|name| words(file).all(|(_, used)| used != name));
    Some([free.next()?, free.next()?, free.next()?])
}
