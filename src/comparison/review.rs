//! Reviews: the solutions and the declarations that a new version of a model has gained, lost or changed.

use super::{CompareOptions, Comparison, Difference};
use crate::api::{DeclaredKind, DeclaredName, Model, Report, Text};

/// A solution that a new version of a model has gained on one instance, and one that it has lost.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Review {
    /// A solution that the new version allows, and the old one refuses.
    pub gained: Option<Difference>,
    /// A solution that the old version allows, and the new one refuses.
    pub lost: Option<Difference>,
    /// If nothing was gained or lost: a solution with another value or direction of the objective.
    pub objective: Option<Difference>,
    /// True if the comparison was complete, so that there are no other differences.
    pub complete: bool,
}

impl Review {
    /// True if no difference was found.
    pub fn is_empty(&self) -> bool {
        self.gained.is_none() && self.lost.is_none() && self.objective.is_none()
    }
}

/// A change of a declaration: a parameter, a decision variable or a type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InterfaceChange {
    /// The kind of the declaration.
    pub kind: DeclaredKind,
    /// The declared name.
    pub name: String,
    /// The domain in the old version; `None` if the declaration is new.
    pub old: Option<String>,
    /// The domain in the new version; `None` if the declaration was removed.
    pub new: Option<String>,
}

impl InterfaceChange {
    /// The kind of the declaration in words.
    pub fn kind_in_words(&self) -> &'static str {
        match self.kind {
            DeclaredKind::Given => "parameter",
            DeclaredKind::Find => "decision variable",
            DeclaredKind::EnumeratedType | DeclaredKind::UnnamedType => "type",
            DeclaredKind::Letting => "name",
        }
    }

    /// The change in a few words.
    pub fn says(&self) -> String {
        let (kind, name) = (self.kind_in_words(), &self.name);
        let domain = |text: &String| if text.is_empty() { String::new() } else { format!(": `{text}`") };
        match (&self.old, &self.new) {
            (None, Some(new)) => format!("new {kind} `{name}`{}", domain(new)),
            (Some(_), None) => format!("the {kind} `{name}` is gone"),
            (Some(old), Some(new)) => format!("the {kind} `{name}` is `{new}`, and was `{old}`"),
            (None, None) => String::new(),
        }
    }
}

impl Model {
    /// Finds a solution that this version of a model has gained since an older version, and one that it has lost, on
    /// one instance. Unlike [`Model::compare`], it continues after the first difference.
    ///
    /// ```
    /// use conjure_like::{CompareOptions, Model, Text};
    ///
    /// let old = Model::read(&Text::new("old.essence", "find x : int(1..3) such that x != 2"))?;
    /// let new = Model::read(&Text::new("new.essence", "find x : int(1..3) such that x != 3"))?;
    /// let review = new.review(&old, &[], &CompareOptions::default())?;
    /// assert_eq!(review.gained.map(|gained| gained.solution), Some("letting x be 2\n".to_owned()));
    /// assert_eq!(review.lost.map(|lost| lost.solution), Some("letting x be 3\n".to_owned()));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the data do not fit one of the versions, or if the decision variables do not correspond.
    pub fn review(&self, old: &Model, data: &[Text], options: &CompareOptions) -> Result<Review, Report> {
        self.comparing(old, data, options, |pair| {
            let (gained, lost) = (pair.allowed()?, pair.refused()?);
            let are_same = gained.difference.is_none() && lost.difference.is_none();
            let unasked = || Ok(Comparison { difference: None, complete: true });
            // Objectives can be compared only on the same solutions.
            let objective = if are_same { pair.objective() } else { unasked() }?;
            let complete = [&gained, &lost, &objective].iter().all(|compared| compared.complete);
            Ok(Review { gained: gained.difference, lost: lost.difference, objective: objective.difference, complete })
        })
    }

    /// The declarations that are new or changed since an older version, in the order of the new version, then the
    /// removed ones.
    pub fn interface_changes(&self, old: &Model) -> Vec<InterfaceChange> {
        let declared = |model: &Model| -> Vec<DeclaredName> {
            // Callers cannot set a `letting`, so it does not belong to the interface.
            let all = DeclaredName::all(&model.text());
            all.into_iter().filter(|declared| declared.kind != DeclaredKind::Letting).collect()
        };
        let (was, is) = (declared(old), declared(self));
        let mut changes = Vec::new();
        for new in &is {
            let same = was.iter().find(|old| old.name == new.name && old.kind == new.kind);
            let domain = |declared: &DeclaredName| declared.text.clone().unwrap_or_default();
            let (before, after) = (same.map(domain), domain(new));
            if before.as_ref() != Some(&after) {
                let (kind, name) = (new.kind, new.name.clone());
                changes.push(InterfaceChange { kind, name, old: before, new: Some(after) });
            }
        }
        let gone = was.into_iter().filter(|old| !is.iter().any(|new| new.name == old.name && new.kind == old.kind));
        changes.extend(gone.map(|DeclaredName { kind, name, text, .. }| InterfaceChange {
            kind,
            name,
            old: Some(text.unwrap_or_default()),
            new: None,
        }));
        changes
    }
}
