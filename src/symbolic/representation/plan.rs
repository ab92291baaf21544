//! The wanted representations and the uses of the collections in a domain, and paths to the parts of a domain.
//!
//! A path is a list of words. Tuples and relations have numbers, records and variants the names of their fields.
//! Matrices and sequences have `element`, sets and multisets `member`. Functions have `argument` and `image`,
//! permutations `image` alone. So `x.1.member` is any member of the set that is the first item of the tuple `x`.
//! [`inner_domains`] lists the words that a path may have; for collections they come from `MemberForm::part_name`.
//!
//! The code that declares the variables of a part passes on the plan for that part: [`Plan::component`] stays at the
//! same depth of collections; [`Plan::content`], [`Plan::tuples`] and [`Plan::inside`] go one collection deeper.

use super::{Representation, representation_row};
use crate::language::{Collection, GroundDomain, MemberForm, Value};
use std::sync::Arc;

pub(crate) type Path = Vec<String>;

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The representation of the outermost collections.
    pub wanted: Option<Representation>,
    /// The wanted representations of collections at deeper levels, with their paths.
    inside: Vec<(Path, Representation)>,
    /// The only members that a set or a relation may have, or the only arguments of a function, in ascending order. By
    /// default, all members of the domain are possible.
    pub members: Option<Arc<[Value]>>,
    /// The number of nested quantifiers over the outermost collections, over the collections in them, and so on.
    uses: Arc<[u32]>,
    level: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Plan::new([], [].into())
    }
}

impl Plan {
    pub(crate) fn new(wanted: impl IntoIterator<Item = (Path, Representation)>, uses: Arc<[u32]>) -> Self {
        let mut plan = Plan { wanted: None, inside: Vec::new(), members: None, uses, level: 0 };
        for (path, representation) in wanted {
            plan.add(path, representation);
        }
        plan
    }

    /// A plan that wants this representation for all outermost collections.
    #[cfg(test)]
    pub(crate) fn wanting(representation: Representation) -> Self {
        Plan::new([(Path::new(), representation)], [].into())
    }

    fn add(&mut self, path: Path, representation: Representation) {
        match path.is_empty() {
            true => self.wanted = Some(representation),
            false => self.inside.push((path, representation)),
        }
    }

    /// The number of nested quantifiers that range over the outermost collections.
    pub(crate) fn depth(&self) -> u32 {
        self.uses.get(self.level).copied().unwrap_or(1).max(1)
    }

    /// The members of a domain that the collection may have.
    pub(super) fn members_of<'d>(&'d self, domain: &'d GroundDomain) -> Box<dyn Iterator<Item = Value> + 'd> {
        match &self.members {
            Some(members) => Box::new(members.iter().cloned()),
            None => Box::new(domain.members()),
        }
    }

    /// The plan for a component of a tuple, record, variant or matrix.
    pub(super) fn component(&self, step: impl ToString) -> Plan {
        // A component belongs to the same outermost collections, so a wanted representation remains.
        let mut plan = Plan { inside: Vec::new(), members: None, ..self.clone() };
        self.continue_in(&mut plan, step);
        plan
    }

    /// The plan for the contents of a collection.
    pub(super) fn content(&self, step: impl ToString) -> Plan {
        // The members are one level deeper, where other quantifiers range over them.
        let mut plan = Plan { level: self.level + 1, ..Plan::new([], self.uses.clone()) };
        self.continue_in(&mut plan, step);
        plan
    }

    /// The plan for the tuples in a relation, and the pairs in a function.
    pub(super) fn tuples(&self) -> Plan {
        // In a plan for relations, the columns of a function have numbers.
        let item = |path: &Path| match path[0].as_str() {
            "argument" => [vec!["1".to_owned()], path[1..].to_vec()].concat(),
            "image" => [vec!["2".to_owned()], path[1..].to_vec()].concat(),
            _ => path.clone(),
        };
        let inside = self.inside.iter().map(|(path, representation)| (item(path), *representation)).collect();
        Plan { inside, level: self.level + 1, ..Plan::new([], self.uses.clone()) }
    }

    /// The plan for a part of a collection of this kind.
    pub(super) fn inside(&self, kind: Collection, part: usize) -> Plan {
        let step = kind.form().part_name(part);
        match kind.form() {
            MemberForm::Tuples => self.tuples().component(step),
            _ => self.content(step),
        }
    }

    /// The plan for one of the [`inner_domains`] of a domain that has this representation.
    pub(crate) fn part(&self, domain: &GroundDomain, representation: Representation, step: &str) -> Plan {
        match (domain, representation) {
            (_, Representation::Components) => self.component(step),
            (GroundDomain::Collection(kind, ..), _) if kind.form() == MemberForm::Tuples => {
                self.tuples().component(step)
            }
            _ => self.content(step),
        }
    }

    fn continue_in(&self, plan: &mut Plan, step: impl ToString) {
        if self.inside.is_empty() {
            return;
        }
        let step = step.to_string();
        for (path, representation) in self.inside.iter().filter(|(path, _)| path[0] == step) {
            plan.add(path[1..].to_vec(), *representation);
        }
    }
}

/// The domains inside a domain, each with its word in a path. If a representation is given, only the parts of a
/// collection that have variables in it are listed.
pub(crate) fn inner_domains(
    domain: &GroundDomain,
    representation: Option<Representation>,
) -> Vec<(String, &GroundDomain)> {
    match domain {
        GroundDomain::Tuple(items) => {
            (1..).zip(items).map(|(number, item): (usize, _)| (number.to_string(), item)).collect()
        }
        GroundDomain::Record(items) | GroundDomain::Variant(items) => {
            items.iter().map(|(name, item)| (name.to_string(), item)).collect()
        }
        GroundDomain::Matrix(_, element) => vec![("element".to_owned(), element)],
        GroundDomain::Collection(kind, _, parts) => {
            let has_variables = |part: usize| match representation {
                Some(representation) => representation_row(*kind).has_variables(part, representation),
                None => Representation::OF_COLLECTIONS
                    .iter()
                    .any(|some| representation_row(*kind).has_variables(part, *some)),
            };
            let all = (0..).zip(parts).filter(|(part, _)| has_variables(*part));
            all.map(|(part, domain)| (kind.form().part_name(part), domain)).collect()
        }
        GroundDomain::Bool | GroundDomain::Int(_) => Vec::new(),
    }
}
