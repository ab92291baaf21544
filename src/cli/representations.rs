//! `--representation` and `--emit representations`: how decision variables are represented.

use conjure_like::{
    diagnostic::{Code, Diagnostic, nearest},
    instance::{Find, Instance},
    lowering::Representations,
    symbolic::representation::{Representation, possible, report},
};

/// What `VARIABLE=NAME` on the command line asks for.
pub fn wanted(instance: &Instance, texts: &[String]) -> Result<Representations, Diagnostic> {
    let mut wanted = Representations::new();
    for text in texts {
        let error = |message: String| Diagnostic::error(Code::COMMAND_LINE, message);
        let Some((variable, name)) = text.split_once('=') else {
            return Err(error(format!("`--representation {text}` names no representation"))
                .help("write a variable and a representation: --representation x=explicit"));
        };
        let Some(find) = instance.finds.iter().find(|find| variable_name(instance, find) == variable) else {
            let names = instance.finds.iter().map(|find| variable_name(instance, find));
            let error = error(format!("`--representation {text}`: there is no decision variable `{variable}`"));
            return Err(match nearest(variable, names.clone()) {
                Some(name) => error.help(format!("perhaps `{name}` is meant")),
                None => error.help(format!("there are {}", listed(names))),
            });
        };
        let possible = possible(&find.domain);
        let known = Representation::OF_COLLECTIONS.into_iter().find(|representation| representation.name() == name);
        match known.filter(|representation| possible.contains(representation)) {
            Some(representation) => wanted.insert(find.id, representation),
            None if possible.is_empty() => {
                return Err(error(format!("`--representation {text}`: the domain of `{variable}` has no choice"))
                    .note("collections alone have several representations"));
            }
            None => {
                return Err(error(format!("`--representation {text}`: `{variable}` cannot have this representation"))
                    .help(format!("its domain can have {}", listed(possible.iter().map(|one| one.name())))));
            }
        };
    }
    Ok(wanted)
}

/// The text for people about all decision variables.
pub fn describe(instance: &Instance, wanted: &Representations) -> String {
    let mut text = String::new();
    for find in &instance.finds {
        let ty = &instance.model.declarations[find.id.0 as usize].ty;
        let name = variable_name(instance, find);
        text += &report::describe(name, &find.domain, ty, &instance.names, wanted.get(&find.id).copied());
    }
    text
}

fn variable_name<'a>(instance: &'a Instance, find: &Find) -> &'a str {
    &instance.model.declarations[find.id.0 as usize].name
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
