//! The outline of a text, whatever is wrong with it.

use super::{
    Text,
    stack::{Deep, deep},
};
use crate::{
    source::{SourceId, Sources},
    syntax::{
        self,
        ast::{File, LettingValue, Statement, StatementKind},
        json, print,
    },
};
use std::collections::BTreeSet;

/// The names that a text declares, as far as it can be read.
///
/// ```
/// use conjure_like::{Outline, Text};
///
/// let model = Outline::read(&Text::new("m.essence", "given n : int\nfind x : int(1..n)\nsuch that x >"));
/// assert!(model.is_model);
/// assert!(model.finds.contains("x"));
/// let solution = Outline::read(&Text::new("1.solution", "letting x be 3"));
/// assert!(!solution.is_model);
/// assert!(solution.values.contains("x"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// Whether the text declares parameters or decision variables: parameter files and solutions do not.
    pub is_model: bool,
    /// The decision variables.
    pub finds: BTreeSet<String>,
    /// The names that it gives values to, with `letting` or as the keys of a JSON object.
    pub values: BTreeSet<String>,
}

impl Outline {
    /// Reads what can be read of a text in Essence or JSON.
    pub fn read(text: &Text) -> Self {
        deep(|| {
            let mut outline = Outline::default();
            if json::is_json(&text.text) {
                let mut sources = Sources::default();
                for instance in text.instances().take(1) {
                    let source = instance.add_to(&mut sources);
                    let object = json::instance(source, sources.get(source), &mut Vec::new());
                    let keys = object.into_iter().flat_map(|(members, _)| members).map(|(key, _)| key.text);
                    outline.values.extend(keys);
                }
                return outline;
            }
            let file = Deep::new(syntax::parse(SourceId::default(), &text.text, &mut Vec::new()));
            outline.add(&file);
            outline
        })
    }

    fn add(&mut self, file: &File) {
        for Statement { kind, .. } in &file.statements {
            match kind {
                StatementKind::Find { names, .. } => {
                    self.is_model = true;
                    self.finds.extend(names.iter().map(|name| name.text.to_string()));
                }
                StatementKind::Given { .. } => self.is_model = true,
                StatementKind::Letting { names, .. } => {
                    self.values.extend(names.iter().map(|name| name.text.to_string()));
                }
                _ => {}
            }
        }
    }
}

/// A declaration of a model, as it is written there.
///
/// ```
/// use conjure_like::{DeclaredKind, DeclaredName, Text};
///
/// let declared = DeclaredName::all(&Text::new("m.essence", "given n : int(1..9)\nfind x : set of int(1..n)"));
/// assert_eq!(declared[1].kind, DeclaredKind::Find);
/// assert_eq!(declared[1].name, "x");
/// assert_eq!(declared[1].text.as_deref(), Some("set of int(1..n)"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredName {
    /// The kind of the declaration.
    pub kind: DeclaredKind,
    /// The name that is declared.
    pub name: String,
    /// Its domain, value, members or size, on one line; a domain as a value stands between backticks. `None` for an
    /// enumerated type whose members are data.
    pub text: Option<String>,
}

/// The kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// A parameter.
    Given,
    /// A decision variable.
    Find,
    /// A name for a value or a domain.
    Letting,
    /// A type with named members.
    EnumeratedType,
    /// A type whose members have no names.
    UnnamedType,
}

impl DeclaredName {
    /// The declarations of a text in their order, as far as it can be read.
    pub fn all(text: &Text) -> Vec<Self> {
        deep(|| {
            let file = Deep::new(syntax::parse(SourceId::default(), &text.text, &mut Vec::new()));
            file.statements.iter().flat_map(Self::in_statement).collect()
        })
    }

    fn in_statement(statement: &Statement) -> Vec<Self> {
        use DeclaredKind::{EnumeratedType, Find, Given, Letting, UnnamedType};
        let (names, kind, text) = match &statement.kind {
            StatementKind::Given { names, domain } => (names, Given, Some(print::domain(domain, usize::MAX))),
            StatementKind::Find { names, domain } => (names, Find, Some(print::domain(domain, usize::MAX))),
            StatementKind::GivenEnum { names } => (names, EnumeratedType, None),
            StatementKind::Letting { names, value } => {
                let (kind, text) = match value {
                    LettingValue::Expr(value) => (Letting, print::expr(value, usize::MAX)),
                    LettingValue::Domain(domain) => (Letting, format!("`{}`", print::domain(domain, usize::MAX))),
                    LettingValue::Enum(members) => {
                        let members: Vec<&str> = members.iter().map(|member| &*member.text).collect();
                        (EnumeratedType, members.join(", "))
                    }
                    LettingValue::Unnamed(size) => (UnnamedType, print::expr(size, usize::MAX)),
                };
                (names, kind, Some(text))
            }
            _ => return Vec::new(),
        };
        let named = names.iter().map(|name| DeclaredName { kind, name: name.text.to_string(), text: text.clone() });
        named.collect()
    }
}
