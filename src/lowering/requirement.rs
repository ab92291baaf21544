//! A requirement of a model, with its origin.

use super::*;
use crate::{
    analysis::model::{GeneratorRange, Qualifier},
    language::{attributes::Limit, domain::ValueStep},
};
use std::sync::Arc;

/// A part of a model that can be required on its own.
#[derive(Clone, Debug)]
pub(crate) struct Requirement {
    pub origin: RequirementOrigin,
    /// The requirement as a term over the problem's variables.
    pub condition: Bool,
    /// The bound that the requirement states, if it states one.
    pub bound: Option<StatedBound>,
    /// The parts that must be defined, because otherwise the requirement is false; collected only on demand.
    pub needs: Vec<RequiredValue>,
}

/// A part of a requirement that must be defined whenever the requirement is reached, because no expression around it
/// catches an undefined value.
#[derive(Clone, Debug)]
pub(crate) struct RequiredValue {
    pub expr: Arc<Expr>,
    /// The names that are bound around the part, including names inside the requirement.
    pub bindings: Vec<(LocalId, Option<Value>)>,
    /// The condition that the part is defined if the requirement is reached.
    pub defined: Bool,
}

/// The origin of a requirement.
#[derive(Clone, Debug)]
pub(crate) enum RequirementOrigin {
    /// A conjunct of a constraint.
    Constraint {
        expr: Arc<Expr>,
        /// The names that are bound around it, from the outside in. A name has no value if the value depends on
        /// decisions.
        bindings: Vec<(LocalId, Option<Value>)>,
        /// The members of constant collections to which generators have bound names.
        entries: Vec<KnownMember>,
        /// The enclosing expressions, from the outside in.
        context: Vec<EnclosingLayer>,
    },
    /// The definedness of an expression: an objective, or the generators of a quantifier.
    Defined { expr: Arc<Expr>, bindings: Vec<(LocalId, Option<Value>)>, context: Vec<EnclosingLayer> },
    /// A part of a decision variable has this value; `path` leads to the part.
    Value { variable: DeclarationId, path: Vec<ValueStep>, value: Value, ty: Type },
    /// A bound or an attribute of a decision variable's domain, with its wording and span.
    Domain {
        variable: DeclarationId,
        says: String,
        /// The wording with the bound in its unit.
        reads: String,
        span: Option<Span>,
        word: &'static str,
        /// The bound of an integer.
        bound: Option<DomainBound>,
    },
}

/// A bound of the integers in a domain.
#[derive(Clone, Debug)]
pub(crate) struct DomainBound {
    /// The bounded part: "each element of `board`".
    pub what: String,
    pub side: Limit,
    /// The number in its unit, or the member of an enumerated type.
    pub number: String,
}

/// A layer around a constraint: the constraint is required only under it.
#[derive(Clone, Debug)]
pub(crate) enum EnclosingLayer {
    /// The left side of an implication.
    Assumed(Arc<Expr>),
    /// A generator, a condition or a `letting` of a quantifier.
    Qualifier(Arc<Qualifier>),
}

impl EnclosingLayer {
    /// Calls `visit` for the condition of the layer, or for each bound in it.
    pub(crate) fn for_each_condition<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            EnclosingLayer::Assumed(condition) => visit(condition),
            EnclosingLayer::Qualifier(qualifier) => match &**qualifier {
                // The value of the name already shows which member of the collection was chosen.
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

/// A member of a collection that is known before the search.
#[derive(Clone, Debug)]
pub(crate) struct KnownMember {
    pub collection: Arc<Expr>,
    pub member: Value,
    /// The bindings of the names around the collection.
    pub bindings: Arc<[(LocalId, Option<Value>)]>,
}

/// A bound with a constant number. For another number, the requirement need not be lowered again.
#[derive(Clone, Debug)]
pub(crate) struct StatedBound {
    pub side: Limit,
    pub number: i64,
    /// The difference between the number in the source and the bound: `x < 5` bounds `x` by 4.
    pub offset: i64,
}
