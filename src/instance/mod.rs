//! The instance of a model (`GroundInstance`: the model with the values of its parameters), and the evaluator of
//! expressions on values.
//!
//! [`mod@evaluate`] computes expressions, [`mod@ground`] domains; both need an [`Environment`] with the values of
//! names. Lowering, the check of every solution (`solution/verify.rs`) and the certificates (`reference`) share this
//! evaluator, so none of the program's own checks detects a wrong value here. You may make it faster. The language
//! fixes the value of each expression, and the cases in which it is undefined.

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
mod pruning;
mod reads;
mod recheck;
pub(crate) mod symmetry;
mod transform;

pub(crate) use attribute::{first_value, points_of};
pub(crate) use bind::{bound_in_part, instantiate, values_of_names};
pub(crate) use blame::{has_result, innermost_undefined, locate, report_of_undefined, why_undefined};
pub(crate) use choices::{best_choice, holds};
pub(crate) use comprehension::{bind, for_each_binding, generate, unbind};
pub(crate) use domain_of::domain_of;
pub(crate) use environment::Environment;
#[cfg(test)]
pub(crate) use evaluate::collection_of_members;
pub(crate) use evaluate::{evaluate, index_of_literal};
pub(crate) use ground::ground;
pub(crate) use places::{IndexPlaces, PlaceKind, places};
pub(crate) use pruning::PruningRun;
pub(crate) use recheck::{PartValues, Recheck};

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
    /// The decision variables in the order of their declarations, except one whose domain is undefined.
    pub finds: Vec<Find>,
    pub names: MemberNames,
    /// The values of the parameters as written.
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
