//! The rules behind reasons, for readers who have no model: the instances of one rule share a sentence, and so do the
//! two bounds of one domain.

use super::{
    Reason,
    words::{DomainInWords, InWords},
};
use crate::language::attributes::Limit;
use std::collections::BTreeMap;

/// The limit on sentences and names of instances in a list. Chosen.
const MOST_LISTED: usize = 8;
/// The limit on sentences on one line. Chosen.
const MOST_ON_A_LINE: usize = 3;
/// Runs of at least this many numbers are abbreviated, `1, …, 18`. Chosen.
const SHORTEST_RUN: usize = 4;

/// A rule in words, with the reasons that state its instances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleInWords {
    /// The comment above the rule, or the filled templates of its instances. Names of the model are in backquotes.
    pub says: Vec<String>,
    /// The names of the instances; empty for templates.
    pub names: String,
    /// The filled templates for readers of other languages, such as `de`.
    pub translations: BTreeMap<String, Vec<String>>,
    /// The positions of the reasons.
    pub reasons: Vec<usize>,
}

/// Returns the rules behind reasons, in the order of their first instances. Reasons without words are left out.
pub(super) fn rules(reasons: &[Reason]) -> Vec<RuleInWords> {
    let mut found: Vec<(RuleInWords, Vec<&InWords>, Vec<&DomainInWords>)> = Vec::new();
    for (position, reason) in reasons.iter().enumerate() {
        let words: Vec<&InWords> = match reason.instances.as_slice() {
            [] => vec![&reason.words],
            instances => instances.iter().map(|instance| &instance.words).collect(),
        };
        let words: Vec<&InWords> = words.into_iter().filter(|words| !words.is_empty()).collect();
        let domain = reason.domain.as_ref();
        let known = found.iter_mut().find(|(_, other, domains)| match (words.first(), domain) {
            (Some(words), _) => other.first().is_some_and(|other| other.rule == words.rule),
            (None, Some(domain)) => domains.first().is_some_and(|other| other.joins(domain)),
            (None, None) => false,
        });
        match known {
            Some((rule, all, domains)) => {
                rule.reasons.push(position);
                all.extend(words);
                domains.extend(domain);
            }
            None if words.is_empty() && domain.is_none() => {}
            None => {
                let rule = RuleInWords { reasons: vec![position], ..RuleInWords::default() };
                found.push((rule, words, domain.into_iter().collect()));
            }
        }
    }
    let in_words = |(rule, words, domains): (RuleInWords, Vec<&InWords>, Vec<&DomainInWords>)| {
        if words.is_empty() {
            return RuleInWords { says: vec![DomainInWords::sentence(&domains)], ..rule };
        }
        let (says, names) = joined(&words);
        let mut translations: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (language, text) in words.iter().flat_map(|words| &words.translations) {
            let texts = translations.entry(language.clone()).or_default();
            if !texts.contains(text) {
                texts.push(text.clone());
            }
        }
        translations.values_mut().for_each(|texts| *texts = cut(std::mem::take(texts)));
        RuleInWords { says, names, translations, ..rule }
    };
    found.into_iter().map(in_words).collect()
}

/// The words for several instances of one rule, without their names.
pub(super) fn together(instances: &[&InWords]) -> InWords {
    let Some(first) = instances.first().filter(|first| !first.is_empty()) else { return InWords::default() };
    let (mut says, _) = joined(instances);
    if says.len() > MOST_ON_A_LINE {
        says.truncate(MOST_ON_A_LINE);
        says.push("…".to_owned());
    }
    InWords { says: says.join("; "), names: Vec::new(), translations: Vec::new(), ..(*first).clone() }
}

/// The sentences for several instances of one rule, and their names.
fn joined(instances: &[&InWords]) -> (Vec<String>, String) {
    let mut says: Vec<String> = Vec::new();
    for instance in instances {
        if !says.contains(&instance.says) {
            says.push(instance.says.clone());
        }
    }
    let mut rows: Vec<&[String]> = Vec::new();
    for instance in instances.iter().filter(|instance| !instance.names.is_empty()) {
        if !rows.contains(&&*instance.names) {
            rows.push(&instance.names);
        }
    }
    (cut(says), listed_rows(&rows))
}

/// A list that is not too long to read.
fn cut(mut items: Vec<String>) -> Vec<String> {
    let count = items.len();
    if count > MOST_LISTED {
        items.truncate(MOST_LISTED - 1);
        items.push(format!("… ({count})"));
    }
    items
}

/// The names of several instances: those that all instances share come first, `r101: Berta, Clara, Dora`.
fn listed_rows(rows: &[&[String]]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let width = first.len();
    if rows.len() == 1 || rows.iter().any(|row| row.len() != width) {
        let rows = rows.iter().map(|row| row.join(", ")).collect();
        return cut(rows).join("; ");
    }
    let values = |column: usize| {
        let mut values: Vec<&str> = Vec::new();
        for row in rows {
            if !values.contains(&&*row[column]) {
                values.push(&row[column]);
            }
        }
        values
    };
    let columns: Vec<Vec<&str>> = (0..width).map(values).collect();
    let (fixed, varying): (Vec<usize>, Vec<usize>) = (0..width).partition(|column| columns[*column].len() == 1);
    let is_product = varying.iter().map(|column| columns[*column].len()).product::<usize>() == rows.len();
    let varying = match is_product {
        true => varying.iter().map(|column| listed_values(&columns[*column])).collect::<Vec<_>>().join("; "),
        false => {
            let row = |row: &&[String]| varying.iter().map(|column| &*row[*column]).collect::<Vec<_>>().join(", ");
            cut(rows.iter().map(row).collect()).join("; ")
        }
    };
    match fixed.is_empty() {
        true => varying,
        false => {
            format!("{}: {varying}", fixed.iter().map(|column| columns[*column][0]).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The values of one name, which is written once: `day = 1, 2, 5`.
fn listed_values(values: &[&str]) -> String {
    let (name, values): (&str, Vec<&str>) = match values[0].find(" = ") {
        Some(at) => (&values[0][..at + 3], values.iter().map(|value| &value[at + 3..]).collect()),
        None => ("", values.to_vec()),
    };
    let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    let is_run = |numbers: &Vec<i64>| {
        numbers.len() >= SHORTEST_RUN && numbers.windows(2).all(|pair| pair[1] == pair[0].saturating_add(1))
    };
    match numbers.filter(is_run) {
        Some(numbers) => format!("{name}{}, …, {}", numbers[0], numbers[numbers.len() - 1]),
        None => format!("{name}{}", cut(values.into_iter().map(str::to_owned).collect()).join(", ")),
    }
}

impl DomainInWords {
    /// Returns true if two bounds belong to one sentence.
    fn joins(&self, other: &DomainInWords) -> bool {
        match (self, other) {
            (DomainInWords::Bound { what, .. }, DomainInWords::Bound { what: other, .. }) => what == other,
            (DomainInWords::Sentence(one), DomainInWords::Sentence(other)) => one == other,
            _ => false,
        }
    }

    /// The sentence for the bounds of one domain.
    fn sentence(all: &[&DomainInWords]) -> String {
        let (mut subject, mut least, mut most) = ("", None, None);
        for one in all {
            match one {
                DomainInWords::Sentence(says) => return says.clone(),
                DomainInWords::Bound { what, side, number } => {
                    subject = what;
                    match side {
                        Limit::AtLeast => least = Some(number),
                        Limit::AtMost => most = Some(number),
                        Limit::Exactly => (least, most) = (Some(number), Some(number)),
                    }
                }
            }
        }
        match (least, most) {
            (Some(least), Some(most)) if least == most => format!("{subject} is {least}"),
            (Some(least), Some(most)) => format!("{subject} is from {least} to {most}"),
            (Some(least), None) => format!("{subject} is {least} or more"),
            (None, Some(most)) => format!("{subject} is {most} or less"),
            (None, None) => String::new(),
        }
    }
}
