//! Candidates: several models for one text, translated to the names of the first one.

use crate::{
    api::{DeclaredKind, DeclaredName, Model, Report, Text},
    diagnostic::{Code, Diagnostic},
};

/// A candidate.
pub(super) struct CandidateModel {
    /// The name of its text.
    pub name: String,
    /// The model with the names of the first candidate.
    pub model: Model,
    /// The names of the first candidate and the corresponding names of this one, if these differ.
    pub renamed: Vec<(String, String)>,
    /// Variables of the first candidate as expressions over this one.
    pub expressions: Vec<(String, String)>,
}

impl CandidateModel {
    /// The first candidate, whose names are used for all.
    pub(super) fn first(model: Model) -> CandidateModel {
        CandidateModel { name: model.text().name, model, renamed: Vec::new(), expressions: Vec::new() }
    }

    /// A further candidate. A mapping defines variables and parameters of the first candidate as expressions over this
    /// one. Otherwise, equal names correspond; if no variable has the same name, the types decide.
    pub(super) fn like(first: &Model, own: Model, mapping: &[(String, String)]) -> Result<CandidateModel, Report> {
        let name = own.text().name;
        let (mut renamed, mut expressions) = (Vec::new(), Vec::new());
        for (wanted, expression) in own.mapping(mapping)? {
            if !names(first).any(|known| known == wanted) {
                let message = format!("`{}` has no variable `{wanted}`", first.text().name);
                let help = "a mapping gives a variable of the first model: `$ map: x = y + 1`";
                return Err(Diagnostic::error(Code::COMMAND_LINE, message).help(help).into());
            }
            if names(&own).any(|known| known == expression) {
                renamed.push((wanted, expression));
            } else if own.finds().all(|known| known != wanted) {
                expressions.push((wanted, expression));
            }
        }
        let has_shared = first.finds().any(|name| own.finds().any(|known| known == name));
        let has_all = has_shared || !renamed.is_empty() || !expressions.is_empty();
        // All models get the same data, so every parameter needs a counterpart.
        found_by_type(first, &own, [first.givens().collect(), own.givens().collect()], &mut renamed)?;
        // If some variables correspond, the others may be auxiliary, and their common type is not evidence.
        if !has_all {
            found_by_type(first, &own, [first.finds().collect(), own.finds().collect()], &mut renamed)?;
        }
        let is_unknown = |given: &&str| {
            first.givens().all(|known| known != *given) && renamed.iter().all(|(_, theirs)| theirs != given)
        };
        if let Some(given) = own.givens().find(is_unknown) {
            let message = format!("the parameter `{given}` of `{name}` is not in `{}`", first.text().name);
            let help = "give all models the same parameters, or say which one it is: `--map 'NAME = OTHER'`";
            return Err(Diagnostic::error(Code::COMMAND_LINE, message).help(help).into());
        }
        let model = with_expressions(first, own, &expressions)?;
        let back: Vec<(String, String)> = renamed.iter().map(|(wanted, own)| (own.clone(), wanted.clone())).collect();
        // Renaming comes last, because the expressions use the model's own names.
        let model = if back.is_empty() { model } else { model.renamed(&back)? };
        model.correspond(first, &[])?;
        Ok(CandidateModel { name, model, renamed, expressions })
    }

    /// A candidate solution with the names of this model, as in the lines of a test case; `None` if it cannot be
    /// written as values.
    pub(super) fn in_own_names(&self, solution: &str, as_values: bool) -> Option<String> {
        let mut text = String::new();
        for line in solution.lines() {
            let Some((name, value)) = line.strip_prefix("letting ").and_then(|rest| rest.split_once(" be ")) else {
                text += &format!("{line}\n");
                continue;
            };
            let own = self.renamed.iter().find(|(wanted, _)| wanted == name).map_or(name, |(_, own)| own.as_str());
            match self.expressions.iter().find(|(wanted, _)| wanted == name) {
                // The value of an expression does not determine the values of its variables.
                Some(_) if as_values => return None,
                Some((_, expression)) => text += &format!("such that ({expression}) = {value}\n"),
                None => text += &format!("letting {own} be {value}\n"),
            }
        }
        Some(text)
    }
}

/// The names of parameters and decision variables.
fn names(model: &Model) -> impl Iterator<Item = &str> {
    model.finds().chain(model.givens())
}

/// Finds counterparts for the names that a model lacks: the only other name of the same type, or else the only one with
/// the same domain.
fn found_by_type(
    first: &Model,
    own: &Model,
    [wanted, known]: [Vec<&str>; 2],
    renamed: &mut Vec<(String, String)>,
) -> Result<(), Report> {
    let is_open = |name: &&&str| !known.contains(*name) && renamed.iter().all(|(wanted, _)| wanted != **name);
    let is_extra = |name: &&&str| !wanted.contains(*name) && renamed.iter().all(|(_, own)| own != **name);
    let (open, extra): (Vec<&str>, Vec<&str>) =
        (wanted.iter().filter(is_open).copied().collect(), known.iter().filter(is_extra).copied().collect());
    let (first_domains, own_domains) = (DeclaredName::all(&first.text()), DeclaredName::all(&own.text()));
    let domain = |domains: &[DeclaredName], name: &str| {
        let declared = domains.iter().find(|one| one.name == name && one.kind != DeclaredKind::Letting)?;
        declared.text.as_ref().map(|text| text.split_whitespace().collect::<String>())
    };
    for name in &open {
        let of_type = |model: &Model, names: &[&str]| -> Vec<String> {
            let same = names.iter().filter(|other| model.type_of(other) == first.type_of(name));
            same.map(|other| (*other).to_owned()).collect()
        };
        let (rivals, fitting) = (of_type(first, &open), of_type(own, &extra));
        let own_domain = domain(&first_domains, name);
        let rivals_in_domain = rivals.iter().filter(|rival| domain(&first_domains, rival) == own_domain).count();
        let in_domain: Vec<&String> = fitting.iter().filter(|one| domain(&own_domains, one) == own_domain).collect();
        match (fitting.as_slice(), in_domain.as_slice()) {
            ([], _) => {}
            ([one], _) if rivals.len() == 1 => renamed.push(((*name).to_owned(), one.clone())),
            (_, [one]) if rivals_in_domain == 1 => renamed.push(((*name).to_owned(), (*one).clone())),
            ([one, ..], _) => {
                let list: Vec<String> = fitting.iter().map(|one| format!("`{one}`")).collect();
                let message = format!(
                    "`{name}` of `{}` may be {} in `{}`",
                    first.text().name,
                    list.join(" or "),
                    own.text().name
                );
                let help = format!("say which one it is in a comment of that model: `$ map: {name} = {one}`");
                return Err(Diagnostic::error(Code::COMMAND_LINE, message).help(help).into());
            }
        }
    }
    Ok(())
}

/// The model with variables of the first candidate, which are defined by expressions.
fn with_expressions(first: &Model, own: Model, expressions: &[(String, String)]) -> Result<Model, Report> {
    if expressions.is_empty() {
        return Ok(own);
    }
    let Text { name, mut text, .. } = own.text();
    let declared = DeclaredName::all(&first.text());
    for (wanted, expression) in expressions {
        let domain = declared.iter().find(|one| one.name == *wanted).and_then(|one| one.text.clone());
        let domain = domain.unwrap_or_default();
        text += &format!("\nfind {wanted} : {domain}\nsuch that {wanted} = ({expression})");
    }
    Model::read(&Text::new(name, text))
}
