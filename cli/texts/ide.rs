//! `conjure-like ide`: the questions of Conjure's clients about a model.

use crate::{
    inputs::{conjure::LayoutOptions, invocation::Invocation},
    runtime::Exit,
};
use clap::Args;
use conjure_like::{DeclaredKind, DeclaredName, Model, Rewriting, Text, protocol::Declared, to_json};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Args)]
#[command(group(clap::ArgGroup::new("what")))]
#[command(after_help = "Example: conjure-like ide models/futoshiki.essence --dump-declarations")]
pub(crate) struct IdeCommand {
    /// The model, or with --dump-instances a parameter file; standard input for `-` or without a file
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Print the declarations: kind, name, and domain or value
    #[arg(long, group = "what")]
    dump_declarations: bool,
    /// Print the representations of the parameters and decision variables, as far as they can be chosen without data
    #[arg(long, group = "what")]
    dump_representations: bool,
    /// Print the structure of the domains in a model or a parameter file: kind, name and domain
    #[arg(long, group = "what")]
    dump_domains: bool,
    /// Print the instances in a parameter file: name and text
    #[arg(long, group = "what")]
    dump_instances: bool,
    #[command(flatten)]
    _layout: LayoutOptions,
}

impl IdeCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let text = invocation.read(&self.file)?;
        // The file may be a parameter file, so this comes before the model is read.
        if self.dump_instances {
            let instances = text.instances().map(Text::alone);
            let instances = instances.map(|text| json!({"name": text.name, "text": text.text})).collect();
            return invocation.print(&(to_json(&instances) + "\n"));
        }
        if self.dump_domains {
            // Domains need no types, so only the syntax is checked.
            invocation.accept(Rewriting::default().to_essence(&text, usize::MAX))?;
            let domains =
                DeclaredName::all(&text).iter().filter_map(Declared::of).map(|declared| json!(declared)).collect();
            return invocation.print(&(to_json(&domains) + "\n"));
        }
        let model = invocation.accept(Model::read(&text))?;
        let answer = if self.dump_declarations {
            to_json(&DeclaredName::all(&text).iter().map(declaration).collect())
        } else if self.dump_representations {
            to_json(&representations(&model, &DeclaredName::all(&text)).into())
        } else {
            invocation.accept(Rewriting::default().to_conjure_tree(&text))?
        };
        invocation.print(&(answer + "\n"))
    }
}

/// A declaration in Conjure's words.
fn declaration(declared: &DeclaredName) -> Value {
    let (kind, key) = match declared.kind {
        // Conjure capitalises these words.
        DeclaredKind::Given => ("Given", "domain"),
        DeclaredKind::Find => ("Find", "domain"),
        DeclaredKind::Letting => ("letting", "value"),
        DeclaredKind::EnumeratedType => ("enumerated type", "values"),
        DeclaredKind::UnnamedType => ("unnamed type", "size"),
    };
    let mut object = json!({"kind": kind, "name": declared.name});
    if let Some(text) = &declared.text {
        object[key] = json!(text);
    }
    object
}

/// The representations to choose from. In a model with parameters they depend on the data, so each name has one: its
/// domain.
fn representations(model: &Model, declarations: &[DeclaredName]) -> Vec<Value> {
    // Without parameters, the model is an instance, so its representations are known.
    let instance = model.instance(&[]).ok();
    let known = instance.as_ref().map_or(Vec::new(), |instance| instance.possible_representations());
    let named =
        declarations.iter().filter(|declared| matches!(declared.kind, DeclaredKind::Given | DeclaredKind::Find));
    let of = |declared: &DeclaredName| {
        let domain = declared.text.clone().unwrap_or_default();
        let names = known.iter().find(|(name, _)| *name == declared.name).map_or(&[][..], |(_, names)| names);
        let described = match names {
            [] => vec![domain],
            names => names.iter().map(|name| format!("{domain} ({name})")).collect(),
        };
        let representations: Vec<Value> = (1..)
            .zip(described)
            .map(|(answer, description): (usize, String)| json!({"description": description, "answer": answer}))
            .collect();
        json!({"name": declared.name, "representations": representations})
    };
    named.map(of).collect()
}
