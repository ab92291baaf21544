//! The messages of CP-SAT's interface that are used here. The fields have the names and numbers of OR-tools'
//! `cp_model.proto` and `sat_parameters.proto`.
//!
//! A variable is given by its index. As a literal, `-1 - index` is its negation. A domain is a list of pairs, the least
//! and the greatest value of each range.

use prost::{Message, Oneof};

#[derive(Clone, PartialEq, Message)]
pub(super) struct IntegerVariable {
    #[prost(int64, repeated, tag = "2")]
    pub domain: Vec<i64>,
}

impl IntegerVariable {
    /// The largest absolute value.
    pub(super) fn largest(&self) -> u128 {
        let ends = [self.domain.first(), self.domain.last()].into_iter().flatten();
        ends.map(|end| end.unsigned_abs().into()).max().unwrap_or(0)
    }
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct BoolArgument {
    #[prost(int32, repeated, tag = "1")]
    pub literals: Vec<i32>,
}

/// `Σ coeffs · vars + offset`
#[derive(Clone, PartialEq, Message)]
pub(super) struct LinearExpression {
    #[prost(int32, repeated, tag = "1")]
    pub vars: Vec<i32>,
    #[prost(int64, repeated, tag = "2")]
    pub coeffs: Vec<i64>,
    #[prost(int64, tag = "3")]
    pub offset: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LinearArgument {
    #[prost(message, optional, tag = "1")]
    pub target: Option<LinearExpression>,
    #[prost(message, repeated, tag = "2")]
    pub exprs: Vec<LinearExpression>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AllDifferentProto {
    #[prost(message, repeated, tag = "1")]
    pub exprs: Vec<LinearExpression>,
}

/// `Σ coeffs · vars` lies in the domain.
#[derive(Clone, PartialEq, Message)]
pub(super) struct LinearProto {
    #[prost(int32, repeated, tag = "1")]
    pub vars: Vec<i32>,
    #[prost(int64, repeated, tag = "2")]
    pub coeffs: Vec<i64>,
    #[prost(int64, repeated, tag = "3")]
    pub domain: Vec<i64>,
}

/// `exprs[index] = target`
#[derive(Clone, PartialEq, Message)]
pub(super) struct ElementConstraint {
    #[prost(message, optional, tag = "4")]
    pub linear_index: Option<LinearExpression>,
    #[prost(message, optional, tag = "5")]
    pub linear_target: Option<LinearExpression>,
    #[prost(message, repeated, tag = "6")]
    pub exprs: Vec<LinearExpression>,
}

/// The arcs with true literals form one circuit through all nodes.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Circuit {
    #[prost(int32, repeated, tag = "3")]
    pub tails: Vec<i32>,
    #[prost(int32, repeated, tag = "4")]
    pub heads: Vec<i32>,
    #[prost(int32, repeated, tag = "5")]
    pub literals: Vec<i32>,
}

/// The time from `start` to `end = start + size`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct IntervalProto {
    #[prost(message, optional, tag = "4")]
    pub start: Option<LinearExpression>,
    #[prost(message, optional, tag = "5")]
    pub end: Option<LinearExpression>,
    #[prost(message, optional, tag = "6")]
    pub size: Option<LinearExpression>,
}

/// No two of the intervals overlap; intervals are given by the positions of their constraints.
#[derive(Clone, PartialEq, Message)]
pub(super) struct NoOverlapProto {
    #[prost(int32, repeated, tag = "1")]
    pub intervals: Vec<i32>,
}

/// The intervals never need more than the capacity at the same time; they are given by the positions of their
/// constraints.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CumulativeProto {
    #[prost(message, optional, tag = "1")]
    pub capacity: Option<LinearExpression>,
    #[prost(int32, repeated, tag = "2")]
    pub intervals: Vec<i32>,
    #[prost(message, repeated, tag = "3")]
    pub demands: Vec<LinearExpression>,
}

/// The expressions form a row of the table, whose rows are concatenated in `values`, or no row if `negated`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TableProto {
    #[prost(int64, repeated, tag = "2")]
    pub values: Vec<i64>,
    #[prost(bool, tag = "3")]
    pub negated: bool,
    #[prost(message, repeated, tag = "4")]
    pub exprs: Vec<LinearExpression>,
}

/// A constraint that must hold if all its enforcement literals are true.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ConstraintProto {
    #[prost(int32, repeated, tag = "2")]
    pub enforcement_literal: Vec<i32>,
    #[prost(oneof = "ConstraintKind", tags = "3, 4, 7, 8, 11, 12, 13, 14, 15, 16, 19, 20, 22, 27")]
    pub kind: Option<ConstraintKind>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum ConstraintKind {
    #[prost(message, tag = "3")]
    BoolOr(BoolArgument),
    #[prost(message, tag = "4")]
    BoolAnd(BoolArgument),
    /// The quotient of two expressions, rounded towards 0.
    #[prost(message, tag = "7")]
    IntDiv(LinearArgument),
    #[prost(message, tag = "8")]
    IntMod(LinearArgument),
    #[prost(message, tag = "11")]
    IntProd(LinearArgument),
    #[prost(message, tag = "12")]
    Linear(LinearProto),
    #[prost(message, tag = "13")]
    AllDiff(AllDifferentProto),
    #[prost(message, tag = "14")]
    Element(ElementConstraint),
    #[prost(message, tag = "15")]
    Circuit(Circuit),
    #[prost(message, tag = "16")]
    Table(TableProto),
    #[prost(message, tag = "19")]
    Interval(IntervalProto),
    #[prost(message, tag = "20")]
    NoOverlap(NoOverlapProto),
    #[prost(message, tag = "22")]
    Cumulative(CumulativeProto),
    /// The largest of some expressions.
    #[prost(message, tag = "27")]
    LinMax(LinearArgument),
}

/// The sum to be minimised.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ObjectiveProto {
    #[prost(int32, repeated, tag = "1")]
    pub vars: Vec<i32>,
    #[prost(int64, repeated, tag = "4")]
    pub coeffs: Vec<i64>,
    /// The values that the sum may have; all if it is empty.
    #[prost(int64, repeated, tag = "5")]
    pub domain: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PartialAssignment {
    #[prost(int32, repeated, tag = "1")]
    pub vars: Vec<i32>,
    #[prost(int64, repeated, tag = "2")]
    pub values: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ModelProto {
    #[prost(message, repeated, tag = "2")]
    pub variables: Vec<IntegerVariable>,
    #[prost(message, repeated, tag = "3")]
    pub constraints: Vec<ConstraintProto>,
    #[prost(message, optional, tag = "4")]
    pub objective: Option<ObjectiveProto>,
    #[prost(message, optional, tag = "6")]
    pub solution_hint: Option<PartialAssignment>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ParametersProto {
    #[prost(int32, optional, tag = "31")]
    pub random_seed: Option<i32>,
    #[prost(int64, optional, tag = "40")]
    pub max_memory_in_mb: Option<i64>,
    /// The limit in deterministic seconds, which are about as long as a second and the same on every machine.
    #[prost(double, optional, tag = "67")]
    pub max_deterministic_time: Option<f64>,
    /// True if propagation may detect variables that are at least one of several others by the clauses for that.
    #[prost(bool, optional, tag = "95")]
    pub auto_detect_greater_than_at_least_one_of: Option<bool>,
    #[prost(bool, optional, tag = "135")]
    pub catch_sigint_signal: Option<bool>,
    #[prost(int32, optional, tag = "206")]
    pub num_workers: Option<i32>,
    /// True if one thread interleaves the strategies that several threads would follow at the same time.
    #[prost(bool, optional, tag = "136")]
    pub interleave_search: Option<bool>,
    /// The gap between the best objective value and the best bound at which a search ends with the status `Optimal`.
    #[prost(double, optional, tag = "159")]
    pub absolute_gap_limit: Option<f64>,
    /// The budget of presolve steps that compare constraints with each other; 0 leaves them out.
    #[prost(int64, optional, tag = "201")]
    pub presolve_inclusion_work_limit: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, prost::Enumeration)]
#[repr(i32)]
pub(super) enum Status {
    Unknown = 0,
    ModelInvalid = 1,
    Feasible = 2,
    Infeasible = 3,
    Optimal = 4,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Response {
    #[prost(enumeration = "Status", tag = "1")]
    pub status: i32,
    /// The values of the variables.
    #[prost(int64, repeated, tag = "2")]
    pub solution: Vec<i64>,
    #[prost(double, tag = "4")]
    pub best_objective_bound: f64,
    #[prost(int64, tag = "11")]
    pub num_conflicts: i64,
    #[prost(int64, tag = "12")]
    pub num_branches: i64,
    #[prost(int64, tag = "13")]
    pub num_binary_propagations: i64,
    #[prost(int64, tag = "14")]
    pub num_integer_propagations: i64,
    #[prost(int64, tag = "24")]
    pub num_restarts: i64,
    #[prost(int64, tag = "25")]
    pub num_lp_iterations: i64,
    /// `best_objective_bound` as an integer.
    #[prost(int64, tag = "29")]
    pub inner_objective_lower_bound: i64,
}
