//! The representations of decision variables, for `--representation` and `--emit representations`.

use crate::{
    diagnostic::{Code, Diagnostic, nearest},
    instance::{Find, GroundInstance},
    language::GroundDomain,
    lowering::{Representations, plans},
    symbolic::representation::{self, Path, Representation, choice_report, choose, inner_domains},
};

/// Returns the decision variables with the names of the representations that their collections can have.
pub(crate) fn possible_for_variables(instance: &GroundInstance) -> Vec<(&str, Vec<&'static str>)> {
    let names = |find: &Find| representation::possible(&find.domain).into_iter().map(Representation::name).collect();
    instance.finds.iter().map(|find| (variable_name(instance, find), names(find))).collect()
}

/// Parses `VARIABLE=NAME` and `VARIABLE.PATH=NAME` from the command line.
pub(crate) fn wanted_representations(
    instance: &GroundInstance,
    texts: &[String],
) -> Result<Representations, Diagnostic> {
    let mut wanted = Representations::new();
    for text in texts {
        let error = |message: String| Diagnostic::error(Code::COMMAND_LINE, message);
        let Some((target, name)) = text.rsplit_once('=') else {
            return Err(error(format!("`--representation {text}` names no representation"))
                .help("write a variable and a representation: --representation x=explicit"));
        };
        let Some((find, path)) = instance.finds.iter().find_map(|find| Some((find, path_in(instance, find, target)?)))
        else {
            let names = instance.finds.iter().map(|find| variable_name(instance, find));
            let variable = target.split('.').next().unwrap_or(target);
            let error = error(format!("`--representation {text}`: there is no decision variable `{variable}`"));
            return Err(match nearest(variable, names.clone()) {
                Some(name) => error.help(format!("did you mean `{name}`?")),
                None => error.help(format!("the decision variables are {}", listed_names(names))),
            });
        };
        let Some(domain) = domain_at_path(&find.domain, &path) else {
            let mut paths = Vec::new();
            collections(variable_name(instance, find), &find.domain, &mut paths);
            let error = error(format!("`--representation {text}`: `{target}` is not a part of its variable"));
            return Err(match paths.is_empty() {
                true => error.note("only collections have several representations"),
                false => {
                    error.help(format!("the collections in it are {}", listed_names(paths.iter().map(String::as_str))))
                }
            });
        };
        let possible = representation::possible(domain);
        let known = Representation::OF_COLLECTIONS.into_iter().find(|representation| representation.name() == name);
        match known.filter(|representation| possible.contains(representation)) {
            Some(representation) => wanted.insert((find.id, path), representation),
            None if possible.is_empty() => {
                return Err(error(format!(
                    "`--representation {text}`: the domain of `{target}` has only one representation"
                ))
                .note("only collections have several representations"));
            }
            None => {
                return Err(error(format!("`--representation {text}`: `{target}` cannot have this representation"))
                    .help(format!("its domain can have {}", listed_names(possible.iter().map(|one| one.name())))));
            }
        };
    }
    // A later text may give the outer collection a representation with variables, so the check follows all texts.
    for ((id, path), representation) in &wanted {
        let Some(find) = instance.finds.iter().find(|find| find.id == *id) else { continue };
        if let Some(outer) = without_variables(instance, find, path, &wanted) {
            let name = variable_name(instance, find);
            let (outer, target) = (joined_path(name, outer), joined_path(name, path));
            return Err(Diagnostic::error(
                Code::COMMAND_LINE,
                format!("`--representation {target}={representation}`: there are no variables for `{target}`"),
            )
            .help(format!("ask for another representation of `{outer}`, too, such as {outer}=explicit")));
        }
    }
    Ok(wanted)
}

/// Returns the start of `path` up to the first collection whose representation has no variables for the rest; `None` if
/// the whole path has variables.
fn without_variables<'p>(
    instance: &GroundInstance,
    find: &Find,
    path: &'p [String],
    wanted: &Representations,
) -> Option<&'p [String]> {
    let mut plan = plans(&instance.model, wanted).remove(&find.id).unwrap_or_default();
    let mut domain: &GroundDomain = &find.domain;
    for (position, step) in path.iter().enumerate() {
        // A domain that is too large is reported at its declaration.
        let chosen = choose(domain, &plan).ok()?.representation;
        match inner_domains(domain, Some(chosen)).into_iter().find(|(word, _)| word == step) {
            Some((_, inner)) => {
                plan = plan.part(domain, chosen, step);
                domain = inner;
            }
            None => return Some(&path[..position]),
        }
    }
    None
}

/// Describes the representations of all decision variables for users.
pub(crate) fn describe(instance: &GroundInstance, wanted: &Representations) -> String {
    let mut plans = plans(&instance.model, wanted);
    let mut text = String::new();
    for find in &instance.finds {
        let ty = &instance.model.declaration(find.id).ty;
        let name = variable_name(instance, find);
        let plan = plans.remove(&find.id).unwrap_or_default();
        text += &choice_report::describe_variable(name, &find.domain, ty, &instance.names, &plan);
    }
    text
}

fn variable_name<'a>(instance: &'a GroundInstance, find: &Find) -> &'a str {
    &instance.model.declaration(find.id).name
}

/// Returns the path after the name of the variable if `target` starts with that name.
fn path_in(instance: &GroundInstance, find: &Find, target: &str) -> Option<Path> {
    match target.strip_prefix(variable_name(instance, find))? {
        "" => Some(Path::new()),
        rest => Some(rest.strip_prefix('.')?.split('.').map(str::to_owned).collect()),
    }
}

fn domain_at_path<'d>(domain: &'d GroundDomain, path: &[String]) -> Option<&'d GroundDomain> {
    path.iter().try_fold(domain, |domain, step| {
        Some(inner_domains(domain, None).into_iter().find(|(word, _)| word == step)?.1)
    })
}

/// Adds the paths to all collections in a domain.
fn collections(path: &str, domain: &GroundDomain, paths: &mut Vec<String>) {
    let is_collection = !matches!(
        domain,
        GroundDomain::Bool
            | GroundDomain::Int(_)
            | GroundDomain::Tuple(_)
            | GroundDomain::Record(_)
            | GroundDomain::Variant(_)
            | GroundDomain::Matrix(..)
    );
    if is_collection {
        paths.push(path.to_owned());
    }
    for (step, inner) in inner_domains(domain, None) {
        collections(&format!("{path}.{step}"), inner, paths);
    }
}

fn joined_path(name: &str, path: &[String]) -> String {
    std::iter::once(name).chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join(".")
}

fn listed_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
