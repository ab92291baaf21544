//! The rules behind reasons, for readers who have no model: the instances of one rule share a sentence, and so do the
//! two bounds of one domain.

use super::{
    Reason,
    merging::{FilledTemplate, cut, merged, run},
    words::{DomainClaim, DomainInWords, InWords},
};
use crate::language::attributes::Limit;
use std::collections::{BTreeMap, BTreeSet};

/// The limit on sentences on one line. Chosen.
const MOST_ON_A_LINE: usize = 3;

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
    /// The domain that states the rule.
    pub(crate) domain: Option<RuleOfDomain>,
}

/// Returns the rules behind reasons, in the order of their first instances. Reasons without words are left out.
pub(super) fn rules(reasons: &[Reason]) -> Vec<RuleInWords> {
    let mut found: Vec<(RuleInWords, Vec<&InWords>, Vec<&DomainInWords>)> = Vec::new();
    for (position, reason) in reasons.iter().enumerate() {
        let words = instances_of([reason]);
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
            let (says, domain) = DomainInWords::rule(&domains).unzip();
            return RuleInWords { says: says.into_iter().collect(), domain, ..rule };
        }
        let (says, names) = joined(&words);
        let languages: BTreeSet<&String> =
            words.iter().flat_map(|words| &words.translations).map(|(language, _)| language).collect();
        let translations = languages.into_iter().map(|language| (language.clone(), sentences(&words, language)));
        RuleInWords { says, names, translations: translations.collect(), ..rule }
    };
    found.into_iter().map(in_words).collect()
}

/// Returns true if two reasons are about one rule, which has words.
pub(super) fn is_same_rule(one: &Reason, other: &Reason) -> bool {
    !one.words.is_empty() && !other.words.is_empty() && one.words.rule == other.words.rule
}

/// The words of the instances of reasons.
fn instances_of<'r>(reasons: impl IntoIterator<Item = &'r Reason>) -> Vec<&'r InWords> {
    let of = |reason: &'r Reason| match reason.instances.as_slice() {
        [] => vec![&reason.words],
        instances => instances.iter().map(|instance| &instance.words).collect(),
    };
    reasons.into_iter().flat_map(of).filter(|words| !words.is_empty()).collect()
}

/// The words for reasons of one rule.
pub(super) fn together<'r>(reasons: impl IntoIterator<Item = &'r Reason>) -> InWords {
    let instances = instances_of(reasons);
    let Some(first) = instances.first() else { return InWords::default() };
    let (mut says, names) = joined(&instances);
    if says.len() > MOST_ON_A_LINE {
        says.truncate(MOST_ON_A_LINE);
        says.push("…".to_owned());
    }
    let names = if names.is_empty() { Vec::new() } else { vec![names] };
    let (translations, filled) = (Vec::new(), Vec::new());
    InWords { says: says.join("; "), names, translations, filled, ..(*first).clone() }
}

/// The sentences for several instances of one rule, and their names.
fn joined(instances: &[&InWords]) -> (Vec<String>, String) {
    let mut rows: Vec<&[String]> = Vec::new();
    for instance in instances.iter().filter(|instance| !instance.names.is_empty()) {
        if !rows.contains(&&*instance.names) {
            rows.push(&instance.names);
        }
    }
    (sentences(instances, ""), listed_rows(&rows))
}

/// The sentences for several instances of one rule in a language: filled templates are merged where they can be.
fn sentences(instances: &[&InWords], language: &str) -> Vec<String> {
    let filled: Vec<&FilledTemplate> = instances.iter().filter_map(|instance| instance.filled_in(language)).collect();
    let mut says = merged(&filled, language);
    // Instances whose template has no values here have the comment above the rule.
    for instance in instances.iter().filter(|instance| language.is_empty() && !instance.is_filled) {
        if !says.contains(&instance.says) {
            says.push(instance.says.clone());
        }
    }
    cut(says)
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
    match run(&values) {
        Some(run) => format!("{name}{run}"),
        None => format!("{name}{}", cut(values.into_iter().map(str::to_owned).collect()).join(", ")),
    }
}

/// The domain behind a sentence, for readers of other languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleOfDomain {
    /// The restricted part: "each value of `board`".
    pub what: String,
    /// The attribute, such as `total`; empty for bounds and for lists of values.
    pub attribute: &'static str,
    /// The singular noun for the counted things; empty if the bounds are the number's own.
    pub counted: &'static str,
    pub least: Option<String>,
    pub most: Option<String>,
}

impl DomainInWords {
    /// Returns true if two claims share a sentence: the bounds of one number or of one size, or the same attribute.
    fn joins(&self, other: &DomainInWords) -> bool {
        let is_alike = match (&self.claim, &other.claim) {
            (DomainClaim::Bound { counted, .. }, DomainClaim::Bound { counted: other, .. }) => counted == other,
            (one, other) => one == other,
        };
        is_alike && self.what == other.what
    }

    /// The rule of claims that share a sentence, and the sentence in English.
    fn rule(all: &[&DomainInWords]) -> Option<(String, RuleOfDomain)> {
        let first = all.first()?;
        let what = &first.what;
        let mut rule = RuleOfDomain { what: what.clone(), attribute: "", counted: "", least: None, most: None };
        let mut says = String::new();
        for one in all {
            match &one.claim {
                DomainClaim::Attribute { word, says: stated } => {
                    rule.attribute = word;
                    says = match *word {
                        "total" => format!("{what} has a value everywhere"),
                        "injective" => format!("no value occurs twice in {what}"),
                        "surjective" => format!("every value occurs in {what}"),
                        "bijective" => format!("every value occurs once in {what}"),
                        _ => stated.clone(),
                    };
                }
                DomainClaim::Bound { side, number, counted, says: stated } => {
                    rule.counted = counted.unwrap_or_default();
                    says.clone_from(stated);
                    match side {
                        Limit::AtLeast => rule.least = Some(number.clone()),
                        Limit::AtMost => rule.most = Some(number.clone()),
                        Limit::Exactly => (rule.least, rule.most) = (Some(number.clone()), Some(number.clone())),
                    }
                }
            }
        }
        let counted = |number: &str| match (rule.counted, number) {
            ("", _) => String::new(),
            (noun, "1") => format!(" {noun}"),
            (noun, _) => format!(" {noun}s"),
        };
        let verb = match rule.counted {
            "" => "is",
            "point" => "moves",
            _ => "has",
        };
        match (&rule.least, &rule.most) {
            (Some(least), Some(most)) if least == most => {
                says = format!("{what} {verb} {least}{}", counted(most));
            }
            (Some(least), Some(most)) => says = format!("{what} {verb} from {least} to {most}{}", counted(most)),
            (Some(least), None) => says = format!("{what} {verb} {least} or more{}", counted("")),
            (None, Some(most)) => says = format!("{what} {verb} {most} or less{}", counted("")),
            (None, None) => {}
        }
        if !rule.counted.is_empty() {
            says = says.replace("or less", "or fewer");
        }
        Some((says, rule))
    }
}
