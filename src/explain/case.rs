//! The case to explain, and the parts of an explanation: a conflict, and the changes that resolve it.

use super::Reason;
use crate::{
    analysis::model::{DeclarationId, Expr, LocalId},
    diagnostic::Edit,
    halt::Halt,
    instance::GroundInstance,
    language::Value,
    lowering::{
        DomainOverrides, EnclosingLayer, Parts, Requirement, RequirementOptions, RequirementOrigin, requirements,
    },
    problem::Bool,
    solver::EngineOptions,
    source::{Sources, Span},
};

/// Requirements that cannot hold together.
#[derive(Clone, Debug)]
pub(crate) struct Explanation {
    pub reasons: Vec<Reason>,
    /// True if each reason is known to be needed.
    pub minimal: bool,
    /// Changes, each of which makes the instance solvable; each has been tried.
    pub changes: Vec<Change>,
    /// True if it is known that leaving out any single reason is not enough.
    pub none_is_enough: bool,
    pub notes: Vec<String>,
}

impl Explanation {
    /// Requirements that are known to contradict each other, before shrinking has shown which are needed.
    pub(super) fn so_far(reasons: Vec<Reason>) -> Self {
        Explanation { reasons, minimal: false, changes: Vec::new(), none_is_enough: false, notes: Vec::new() }
    }
}

/// The case to explain.
#[derive(Clone, Copy)]
pub(crate) struct ExplainedCase<'a> {
    pub instance: &'a GroundInstance,
    /// The values that decision variables must have.
    pub values: &'a [(DeclarationId, Value)],
    /// The spans where these values are written.
    pub written: &'a [(DeclarationId, Expr)],
    /// The facts that must be false; a conflict then shows why they are forced.
    pub denied: &'a [Expr],
    pub engine_options: &'a EngineOptions,
    /// A callback for each better explanation, with which the run can end early.
    pub so_far: Option<&'a dyn Fn(Explanation)>,
    /// Reads the case from changed texts; without it, no changes are looked for.
    pub again: Option<&'a CaseReader<'a>>,
}

/// Reads a case from copies of its texts that have one change.
pub(crate) type CaseReader<'a> = dyn Fn(&Sources) -> Option<PartlySolved> + 'a;

/// An instance with the known values of its solution.
pub(crate) struct PartlySolved {
    pub instance: GroundInstance,
    pub values: Vec<(DeclarationId, Value)>,
    /// The written values.
    pub written: Vec<(DeclarationId, Expr)>,
}

impl PartlySolved {
    /// This instance with its known values, as a case to explain.
    pub(crate) fn case<'a>(&'a self, engine_options: &'a EngineOptions) -> ExplainedCase<'a> {
        ExplainedCase {
            values: &self.values,
            written: &self.written,
            ..ExplainedCase::of(&self.instance, engine_options)
        }
    }
}

impl From<GroundInstance> for PartlySolved {
    fn from(instance: GroundInstance) -> Self {
        PartlySolved { instance, values: Vec::new(), written: Vec::new() }
    }
}

impl<'a> ExplainedCase<'a> {
    /// The case of an instance as it is.
    pub(crate) fn of(instance: &'a GroundInstance, engine_options: &'a EngineOptions) -> Self {
        ExplainedCase { instance, values: &[], written: &[], denied: &[], engine_options, so_far: None, again: None }
    }

    pub(super) fn parts(&self, domains: Option<&DomainOverrides>) -> Result<Parts, Halt> {
        let options = RequirementOptions { domains, values: self.values, facts: self.denied, needs: true };
        requirements(&self.instance.environment, &options)
    }
}

/// A change after which there are solutions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub kind: ChangeKind,
    /// The 0-based positions of the reasons that it changes.
    pub reasons: Vec<usize>,
    /// The replacement.
    pub edit: Edit,
    /// The instruction for people: `change 3 to 5 in line 2 (all instances of (1))`.
    pub says: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ChangeKind {
    /// Leave out a requirement with all its instances.
    LeaveOut,
    /// Add an exception for one instance of several.
    Exception,
    /// Leave out an entry of the data, given by its text.
    LeaveOutEntry(String),
    /// Replace the first number with the second.
    Number(i64, i64),
}

/// A minimal conflict in which bounds and attributes of domains take part.
pub(super) struct DomainConflict {
    /// The requirements in the declared domains.
    pub plain: Parts,
    /// The requirements in domains without bounds and attributes, if variables can be declared without these.
    pub widened: Option<Parts>,
    /// The members of the conflict; their terms belong to the widened problem if there is one.
    pub members: Vec<Requirement>,
    pub minimal: bool,
}

pub(super) fn conditions(parts: &[Requirement]) -> Vec<Bool> {
    parts.iter().map(|part| part.condition).collect()
}

/// The key by which requirements of two lowerings of one instance are matched.
pub(super) type OriginKey = (u8, Option<Span>, Vec<(LocalId, Option<Value>)>, String);

pub(super) fn key(origin: &RequirementOrigin) -> OriginKey {
    match origin {
        RequirementOrigin::Constraint { expr, bindings, context, .. } => {
            let condition = |enclosing: &EnclosingLayer| match enclosing {
                // The address of a condition changes when it is lowered again, but its span does not.
                EnclosingLayer::Assumed(condition) => Some(format!("{}-{}", condition.span.start, condition.span.end)),
                // A qualifier needs no key, because `bindings` has the values of the names that it binds.
                EnclosingLayer::Qualifier(_) => None,
            };
            let assumed: Vec<String> = context.iter().filter_map(condition).collect();
            (0, Some(expr.span), bindings.clone(), assumed.join(" "))
        }
        RequirementOrigin::Defined { expr, bindings, .. } => (1, Some(expr.span), bindings.clone(), String::new()),
        RequirementOrigin::Value { variable, path, .. } => (2, None, Vec::new(), format!("{variable:?} {path:?}")),
        RequirementOrigin::Domain { says, span, .. } => (3, *span, Vec::new(), says.clone()),
    }
}
