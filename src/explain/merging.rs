//! Filled templates of one rule that differ in one place become one sentence: "Ada, Bea and Cyd cannot share r101".
//!
//! A list replaces the values only where a reader expects one. The rule's author wrote the sentence for one
//! value, so a verb in the singular gets "each of", and a place before a noun gets slashes.

/// The limit on sentences and values in a list. Chosen.
const MOST_LISTED: usize = 8;
/// Runs of at least this many numbers are abbreviated, `1, …, 18`. Chosen.
const SHORTEST_RUN: usize = 4;
/// The texts that join values into one subject or object.
const BETWEEN: [&str; 9] = [" and ", " und ", " & ", " or ", " oder ", "/", "–", " with ", " mit "];
/// The number of texts at the start of [`BETWEEN`] that join values of equal rank.
const SYMMETRIC: usize = 3;
/// The words that may follow a list inside a sentence.
const AFTER_LISTS: [&str; 27] = [
    "in", "at", "on", "for", "with", "to", "by", "from", "and", "or", "because", "when", "if", "are", "have", "cannot",
    "must", "um", "auf", "für", "mit", "bis", "von", "und", "oder", "weil", "wenn",
];
/// German verbs in the singular that do not end in "t".
const GERMAN_SINGULAR: [&str; 8] = ["kann", "darf", "muss", "soll", "will", "war", "wird", "braucht"];

/// A template with the values of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FilledTemplate(pub Vec<FilledPart>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FilledPart {
    Text(String),
    Value(String),
}

impl FilledPart {
    fn text(&self) -> &str {
        match self {
            FilledPart::Text(text) | FilledPart::Value(text) => text,
        }
    }
}

impl FilledTemplate {
    pub(super) fn text(&self) -> String {
        self.0.iter().map(FilledPart::text).collect()
    }

    /// The phrases: single values, and values that a word such as "and" joins, as ranges of parts.
    fn phrases(&self) -> Vec<std::ops::Range<usize>> {
        let mut phrases: Vec<std::ops::Range<usize>> = Vec::new();
        for at in (0..self.0.len()).filter(|at| matches!(self.0[*at], FilledPart::Value(_))) {
            match phrases.last_mut() {
                Some(last) if last.end + 1 == at && BETWEEN.contains(&self.0[last.end].text()) => last.end = at + 1,
                _ => phrases.push(at..at + 1),
            }
        }
        phrases
    }
}

/// The sentences for filled templates of one rule in a language.
pub(super) fn merged(instances: &[&FilledTemplate], language: &str) -> Vec<String> {
    let mut rows: Vec<&FilledTemplate> = Vec::new();
    for instance in instances {
        if !rows.contains(instance) {
            rows.push(instance);
        }
    }
    let Some(first) = rows.first() else { return Vec::new() };
    // Merging over this phrase leaves the fewest sentences.
    let grouped = first.phrases().into_iter().map(|phrase| (groups(&rows, &phrase), phrase));
    let best = grouped.min_by_key(|(groups, _)| groups.len()).filter(|(groups, _)| groups.len() < rows.len());
    let Some((groups, phrase)) = best else { return rows.iter().map(|row| row.text()).collect() };
    groups.iter().flat_map(|group| in_one_sentence(group, &phrase, language)).collect()
}

/// The groups of instances that differ only in this phrase, in order of first occurrence.
fn groups<'t>(rows: &[&'t FilledTemplate], phrase: &std::ops::Range<usize>) -> Vec<Vec<&'t FilledTemplate>> {
    let mut groups: Vec<Vec<&FilledTemplate>> = Vec::new();
    for row in rows {
        let is_same = |other: &FilledTemplate| {
            other.0.len() == row.0.len()
                && other.0[..phrase.start] == row.0[..phrase.start]
                && other.0[phrase.end..] == row.0[phrase.end..]
        };
        match groups.iter_mut().find(|group| is_same(group[0])) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// One sentence for instances that differ only in a phrase; several if a list would break its grammar.
fn in_one_sentence(group: &[&FilledTemplate], phrase: &std::ops::Range<usize>, language: &str) -> Vec<String> {
    let texts = |row: &FilledTemplate, range: std::ops::Range<usize>| {
        row.0[range].iter().map(FilledPart::text).collect::<String>()
    };
    let [first, _, ..] = group else { return group.iter().map(|row| row.text()).collect() };
    let (before, after) = (texts(first, 0..phrase.start), texts(first, phrase.end..first.0.len()));
    let phrases: Vec<String> = group.iter().map(|row| texts(row, phrase.clone())).collect();
    let phrases: Vec<&str> = phrases.iter().map(String::as_str).collect();
    if phrase.len() > 1 {
        let list = match all_pairs(group, phrase) {
            Some(members) => listed(&members, language),
            None => cut(phrases.iter().map(|&phrase| phrase.to_owned()).collect()).join(", "),
        };
        return vec![format!("{before}{list}{after}")];
    }
    let next = after.trim_start().split(|sign: char| !sign.is_alphabetic()).next().unwrap_or_default();
    let is_subject = before.trim().is_empty();
    let list = match language {
        "" | "en" if is_subject && next.ends_with('s') && after.starts_with(' ') => {
            format!("each of {}", listed(&phrases, language))
        }
        "de" if is_subject && (next.ends_with('t') || GERMAN_SINGULAR.contains(&next)) => {
            return group.iter().map(|row| row.text()).collect();
        }
        _ if is_subject && after.starts_with(' ')
            || AFTER_LISTS.contains(&next) && after.starts_with(' ')
            || after.starts_with([',', '.', ';', ':', ')'])
            || after.is_empty() =>
        {
            listed(&phrases, language)
        }
        _ => cut(phrases.iter().map(|&phrase| phrase.to_owned()).collect()).join(" / "),
    };
    vec![format!("{before}{list}{after}")]
}

/// Returns the members of a set if the values of a phrase are exactly its pairs. The phrase must have two values of
/// equal rank.
fn all_pairs<'t>(group: &[&'t FilledTemplate], phrase: &std::ops::Range<usize>) -> Option<Vec<&'t str>> {
    let joins = group[0].0.get(phrase.start + 1)?.text();
    if phrase.len() != 3 || !BETWEEN[..SYMMETRIC].contains(&joins) {
        return None;
    }
    let mut members: Vec<&str> = Vec::new();
    for row in group {
        for at in [phrase.start, phrase.start + 2] {
            if !members.contains(&row.0[at].text()) {
                members.push(row.0[at].text());
            }
        }
    }
    let has = |one: &str, other: &str| {
        let is_pair = |row: &FilledTemplate| {
            let ends = [row.0[phrase.start].text(), row.0[phrase.start + 2].text()];
            ends == [one, other] || ends == [other, one]
        };
        group.iter().any(|row| is_pair(row))
    };
    let mut pairs = (0..members.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    (members.len() > 2 && pairs.all(|(one, other)| has(members[one], members[other]))).then_some(members)
}

/// Joins values into a list: `Berta, Clara and Dora`.
fn listed(values: &[&str], language: &str) -> String {
    let and = match language {
        "" | "en" => " and ",
        "de" => " und ",
        _ => ", ",
    };
    match (run(values), values) {
        (Some(run), _) => run,
        (None, [before @ .., last]) if !before.is_empty() && values.len() <= MOST_LISTED => {
            format!("{}{and}{last}", before.join(", "))
        }
        _ => cut(values.iter().map(|&value| value.to_owned()).collect()).join(", "),
    }
}

/// Shortens a list that is too long to read.
pub(super) fn cut(mut items: Vec<String>) -> Vec<String> {
    let count = items.len();
    if count > MOST_LISTED {
        items.truncate(MOST_LISTED - 1);
        items.push(format!("… ({count})"));
    }
    items
}

/// Abbreviates a run of numbers: `1, …, 18`. Returns `None` for other values.
pub(super) fn run(values: &[&str]) -> Option<String> {
    let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    let is_run = |numbers: &Vec<i64>| {
        numbers.len() >= SHORTEST_RUN && numbers.windows(2).all(|pair| pair[1] == pair[0].saturating_add(1))
    };
    numbers.filter(is_run).map(|numbers| format!("{}, …, {}", numbers[0], numbers[numbers.len() - 1]))
}

#[cfg(test)]
mod tests {
    use super::{FilledPart, FilledTemplate, merged};

    /// The sentences for a template whose values are in braces: `{Ann} is here`.
    fn says(language: &str, rows: &[&str]) -> Vec<String> {
        let filled = |row: &&str| {
            let parts = row.split_inclusive(['{', '}']).map(|part| match part.strip_suffix('}') {
                Some(value) => FilledPart::Value(value.to_owned()),
                None => FilledPart::Text(part.trim_end_matches('{').to_owned()),
            });
            FilledTemplate(parts.filter(|part| !part.text().is_empty()).collect())
        };
        let filled: Vec<FilledTemplate> = rows.iter().map(filled).collect();
        merged(&filled.iter().collect::<Vec<_>>(), language)
    }

    #[test]
    fn instances_that_differ_in_one_place_become_one_sentence() {
        let pairs = ["{A} and {B} cannot share {r1}", "{A} and {C} cannot share {r1}", "{B} and {C} cannot share {r1}"];
        assert_eq!(says("", &pairs), ["A, B and C cannot share r1"]);
        assert_eq!(says("", &pairs[..2]), ["A and B, A and C cannot share r1"]);
        let rooms = ["{A} and {B} cannot share {r1}", "{A} and {B} cannot share {r2}"];
        assert_eq!(says("", &rooms), ["A and B cannot share r1 and r2"]);
        let away = ["{A} is away on day {1}", "{B} is away on day {1}"];
        assert_eq!(says("", &away), ["each of A and B is away on day 1"]);
        assert_eq!(says("", &["on day {1}, {A} rests", "on day {2}, {A} rests"]), ["on day 1 and 2, A rests"]);
        assert_eq!(says("", &["the {red} van is full", "the {blue} van is full"]), ["the red / blue van is full"]);
        let four = ["it ends at {1}", "it ends at {2}", "it ends at {3}", "it ends at {4}"];
        assert_eq!(says("", &four), ["it ends at 1, …, 4"]);
        // Two places differ.
        assert_eq!(says("", &["{A} has {1} seat", "{B} has {2} seats"]), ["A has 1 seat", "B has 2 seats"]);
        assert_eq!(says("", &["{A} rests", "{A} rests"]), ["A rests"]);
    }

    #[test]
    fn german_sentences_keep_their_grammar() {
        let rooms = ["{A} und {B} passen nicht in {r1}", "{A} und {B} passen nicht in {r2}"];
        assert_eq!(says("de", &rooms), ["A und B passen nicht in r1 und r2"]);
        let pairs = ["{A} und {B} streiten", "{B} und {C} streiten", "{A} und {C} streiten"];
        assert_eq!(says("de", &pairs), ["A, B und C streiten"]);
        // The verb would need its plural.
        assert_eq!(says("de", &["{A} ist voll", "{B} ist voll"]), ["A ist voll", "B ist voll"]);
    }
}
