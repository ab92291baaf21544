//! The instance of a model: its expressions on values, and its parameters bound.
//!
//! [`mod@evaluate`] computes expressions, [`mod@ground`] domains; both need an [`Environment`] with the values of
//! names. The same evaluation folds expressions that do not depend on decisions and checks every solution against the
//! model as it was written.

mod attribute;
mod bind;
mod blame;
mod choices;
mod comprehension;
mod domain_of;
pub(crate) mod entry;
mod environment;
mod evaluate;
mod ground;
pub(crate) mod oracle;
mod places;
mod positional;
mod power_set;
pub(crate) mod symmetry;
mod transform;

pub(crate) use attribute::{first_value, points_of};
pub(crate) use bind::{bound_in_part, instantiate, values_of_names};
pub(crate) use blame::{innermost_undefined, locate, undefined};
pub(crate) use choices::{best, holds};
pub(crate) use comprehension::{bind, for_each_binding, generate};
pub(crate) use domain_of::domain_of;
pub(crate) use environment::Environment;
#[cfg(test)]
pub(crate) use evaluate::collection;
pub(crate) use evaluate::{evaluate, index_of_literal};
pub(crate) use ground::ground;
pub(crate) use places::{IndexPlaces, PlaceKind, places};

use crate::{
    analysis::{
        Parameters,
        model::{DeclarationId, TypedModel},
    },
    language::{GroundDomain, Value, print::MemberNames},
};
use std::sync::Arc;

/// A model whose parameters have values.
#[derive(Clone, Debug)]
pub(crate) struct GroundInstance {
    pub model: Arc<TypedModel>,
    /// The environment, in which all parameters have values and the sizes of all named types are known.
    pub environment: Environment,
    /// The decision variables in the order of their declarations; without one whose domain is undefined.
    pub finds: Vec<Find>,
    pub names: MemberNames,
    /// The values of the parameters as they are written.
    pub parameters: Arc<Parameters>,
    /// A decision variable whose domain is undefined, so that there is no solution.
    pub undefined_domain: Option<DeclarationId>,
}

/// A decision variable.
#[derive(Clone, Debug)]
pub(crate) struct Find {
    pub id: DeclarationId,
    pub domain: Arc<GroundDomain>,
}

/// A value for each decision variable.
pub(crate) type SolutionValues = Vec<(DeclarationId, Value)>;
