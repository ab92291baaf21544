//! A requirement of a model, with its origin.

use super::*;
use crate::{
    analysis::model::{GeneratorRange, Qualifier},
    language::{attributes::Limit, domain::ValueStep},
};
use std::sync::Arc;

/// A part of what a model requires.
#[derive(Clone, Debug)]
pub(crate) struct Requirement {
    pub origin: RequirementOrigin,
    /// The requirement as a term over the problem's variables.
    pub condition: Bool,
    /// The number that it bounds, if it does.
    pub bound: Option<StatedBound>,
    /// The parts that must have a value, or it is false; known if they are asked for.
    pub needs: Vec<RequiredValue>,
}

/// A part of a requirement that must have a value wherever the requirement is reached, because nothing around it
/// catches that it has none.
#[derive(Clone, Debug)]
pub(crate) struct RequiredValue {
    pub expr: Arc<Expr>,
    /// The names bound around the part, inside the requirement, too.
    pub bindings: Vec<(LocalId, Option<Value>)>,
    /// That the part has a value, where the requirement is reached.
    pub defined: Bool,
}

/// The origin of a requirement.
#[derive(Clone, Debug)]
pub(crate) enum RequirementOrigin {
    /// A conjunct of a constraint.
    Constraint {
        expr: Arc<Expr>,
        /// The names bound around it, the outermost first; without a value where that depends on decisions.
        bindings: Vec<(LocalId, Option<Value>)>,
        /// Members of constant collections to which generators have bound names.
        entries: Vec<KnownMember>,
        /// The enclosing expressions, the outermost first.
        context: Vec<EnclosingLayer>,
    },
    /// The expression has a value: an objective, or the generators of a quantifier.
    Defined { expr: Arc<Expr>, bindings: Vec<(LocalId, Option<Value>)>, context: Vec<EnclosingLayer> },
    /// A part of a decision variable that has this value, and the way to the part.
    Value { variable: DeclarationId, path: Vec<ValueStep>, value: Value, ty: Type },
    /// A bound or an attribute of a decision variable's domain: in words, and its place.
    Domain {
        variable: DeclarationId,
        says: String,
        /// The sentence with the bound in its unit.
        reads: String,
        span: Option<Span>,
        word: &'static str,
    },
}

/// A layer around a constraint, under which it is required.
#[derive(Clone, Debug)]
pub(crate) enum EnclosingLayer {
    /// The left side of an implication.
    Assumed(Arc<Expr>),
    /// A generator, a condition or a `letting` of a quantifier.
    Qualifier(Arc<Qualifier>),
}

impl EnclosingLayer {
    /// Calls `visit` for the condition that it is, or for each bound that it has.
    pub(crate) fn for_each_condition<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            EnclosingLayer::Assumed(condition) => visit(condition),
            EnclosingLayer::Qualifier(qualifier) => match &**qualifier {
                // The member that is taken tells more than the collection.
                Qualifier::Generator(_, GeneratorRange::Members(_) | GeneratorRange::Subsets(_))
                | Qualifier::Letting(..) => {}
                qualifier => qualifier.for_each_part(visit),
            },
        }
    }

    pub(super) fn address(&self) -> *const () {
        match self {
            EnclosingLayer::Assumed(condition) => Arc::as_ptr(condition).cast(),
            EnclosingLayer::Qualifier(qualifier) => Arc::as_ptr(qualifier).cast(),
        }
    }
}

/// A member of a collection that was known before solving.
#[derive(Clone, Debug)]
pub(crate) struct KnownMember {
    pub collection: Arc<Expr>,
    pub member: Value,
    /// The names around the collection.
    pub bindings: Arc<[(LocalId, Option<Value>)]>,
}

/// A number that a requirement bounds: what becomes of the requirement with another number is known without lowering
/// it again.
#[derive(Clone, Debug)]
pub(crate) struct StatedBound {
    pub side: Limit,
    pub number: i64,
    /// The written number is the bound plus this: `x < 5` bounds `x` by 4.
    pub offset: i64,
}
