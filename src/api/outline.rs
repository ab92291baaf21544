//! The outline of a text, whatever is wrong with it.

use super::{
    Text,
    stack::{Deep, deep},
};
use crate::{
    source::SourceId,
    syntax::{
        self,
        ast::{File, Statement, StatementKind},
        json,
    },
};
use std::collections::BTreeSet;

/// The names that a text declares, as far as it can be read.
///
/// ```
/// use conjure_like::{Outline, Text};
///
/// let model = Outline::of(&Text::new("m.essence", "given n : int\nfind x : int(1..n)\nsuch that x >"));
/// assert!(model.is_model);
/// assert!(model.finds.contains("x"));
/// let solution = Outline::of(&Text::new("1.solution", "letting x be 3"));
/// assert!(!solution.is_model);
/// assert!(solution.values.contains("x"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    pub fn of(text: &Text) -> Self {
        deep(|| {
            let mut outline = Outline::default();
            let source = SourceId::default();
            if json::is_json(&text.text) {
                let document = json::parse(source, &text.text, &mut Vec::new());
                if let Some(json::JsonKind::Object(members)) = document.map(|document| document.kind) {
                    outline.values.extend(members.into_iter().map(|(key, _)| key.text.to_string()));
                }
                return outline;
            }
            let file = Deep::new(syntax::parse(source, &text.text, &mut Vec::new()));
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
