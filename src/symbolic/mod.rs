//! Values of Essence that depend on decisions: their shape is known, their leaves are terms of a problem.
//!
//! Every collection that is not constant is a list of *members with conditions*: its possible members, each with the
//! condition that it is present. Operators use only the primitives of this module, whatever the representation of the
//! decision variable that the members come from. Constant parts stay values, so that an operator whose operands are all
//! constant is simply evaluated.
//!
//! You may add representations and change their choice. Operators rely on the members: a possible member that is
//! missing from the list is a lost solution.

pub(crate) mod attributes;
mod choose;
mod collection;
mod distance;
mod domain;
mod equality;
mod matrix;
mod members;
mod order;
pub(crate) mod power_set;
pub(crate) mod read;
pub(crate) mod representation;
mod transform;
pub(crate) mod write;

use crate::{
    diagnostic::{Code, Diagnostic},
    language::{Collection, GroundDomain, IntSet, MemberForm, Value},
    problem::{Bool, Builder, Fault, Int, Problem, Role},
};
pub(crate) use collection::MemberCounts;
pub(crate) use matrix::{IndexKind, Indexed};
pub(crate) use members::{Key, Member, Members, Repetition, collection_kind_of};
use rustc_hash::FxHashMap;
use std::sync::Arc;
pub(crate) use transform::transformed;

/// A value of Essence that may depend on decisions.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    Value(Value),
    Bool(Bool),
    /// An integer or the position of a member of an enumerated or unnamed type.
    Int(Int),
    /// Tuples, and records with their fields sorted by name.
    Tuple(Arc<[Term]>),
    /// The active alternative (0-based), and the value that each alternative would have. An alternative that the tag
    /// cannot take may be `None`.
    Variant(Int, Arc<[Option<Term>]>),
    /// The index domain (`Bool` or `Int`) and the elements. A list whose length is fixed is a matrix indexed from 1.
    Matrix(Arc<GroundDomain>, Arc<[Term]>),
    /// A comprehension whose guards depend on decisions: the elements whose conditions hold, in order.
    List(Arc<[Member]>),
    /// A matrix whose index domain depends on decisions, such as a slice: all possible indices, each with its element
    /// and the condition that it is present. Either Boolean may be missing; the other one then counts as 0 or 1.
    Slice(Arc<GroundDomain>, Arc<[Member]>),
    Collection(Collection, Arc<Members>),
    /// The set of all subsets of a set.
    PowerSet(Arc<Term>),
}

impl From<Bool> for Term {
    fn from(term: Bool) -> Self {
        match term.constant() {
            Some(value) => Term::Value(Value::Bool(value)),
            None => Term::Bool(term),
        }
    }
}

impl From<Value> for Term {
    fn from(value: Value) -> Self {
        Term::Value(value)
    }
}

impl Term {
    /// The term as a Boolean.
    pub(crate) fn bool(&self) -> Bool {
        match self {
            Term::Value(Value::Bool(value)) => Bool::from(*value),
            Term::Bool(term) => *term,
            other => unreachable!("a Boolean was expected, not {other:?}"),
        }
    }

    /// The elements of a list or matrix with their conditions.
    pub(crate) fn list_members(&self) -> Vec<Member> {
        match self {
            Term::List(members) | Term::Slice(_, members) => members.to_vec(),
            Term::Matrix(_, elements) => elements.iter().cloned().map(Member::always).collect(),
            Term::Value(Value::Matrix(matrix)) => {
                matrix.elements.iter().cloned().map(|value| Member::always(Term::Value(value))).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn as_value(&self) -> Option<&Value> {
        match self {
            Term::Value(value) => Some(value),
            _ => None,
        }
    }

    /// A tuple of these items; a value if all items are values.
    pub(crate) fn tuple(items: Vec<Term>) -> Term {
        match constant_terms(&items) {
            Some(values) => Term::Value(Value::Tuple(values.into())),
            None => Term::Tuple(items.into()),
        }
    }

    pub(crate) fn pair(first: Term, second: Term) -> Term {
        Term::tuple(vec![first, second])
    }

    /// A matrix with this index domain; a value if all elements are.
    pub(crate) fn matrix(index: GroundDomain, elements: Vec<Term>) -> Term {
        match constant_terms(&elements) {
            Some(elements) => Term::Value(Value::Matrix(Arc::new(crate::language::value::Matrix { index, elements }))),
            None => Term::Matrix(Arc::new(index), elements.into()),
        }
    }

    /// A list of exactly these elements.
    pub(crate) fn list(elements: Vec<Term>) -> Term {
        Term::matrix(GroundDomain::Int(IntSet::range(1, elements.len() as i64)), elements)
    }

    /// The list of the members whose conditions hold.
    pub(crate) fn guarded_list(members: Vec<Member>) -> Term {
        if members.iter().all(|member| member.condition == Bool::TRUE) {
            Term::list(members.into_iter().map(|member| member.term).collect())
        } else {
            Term::List(members.into_iter().filter(|member| member.condition != Bool::FALSE).collect())
        }
    }

    /// Returns true if the term is a matrix or list.
    pub(crate) fn is_matrix(&self) -> bool {
        matches!(self, Term::Value(Value::Matrix(_)) | Term::Matrix(..) | Term::List(_) | Term::Slice(..))
    }

    /// The items of a tuple or record.
    pub(crate) fn items(&self) -> Vec<Term> {
        match self {
            Term::Value(Value::Tuple(items)) => items.iter().cloned().map(Term::Value).collect(),
            Term::Tuple(items) => items.to_vec(),
            other => unreachable!("a tuple was expected, not {other:?}"),
        }
    }

    /// One item (0-based) of a tuple or record.
    pub(crate) fn item(&self, position: usize) -> Term {
        match self {
            Term::Value(Value::Tuple(items)) => Term::Value(items[position].clone()),
            Term::Tuple(items) => items[position].clone(),
            other => unreachable!("a tuple was expected, not {other:?}"),
        }
    }

    /// The index domain and the elements of a matrix; `None` if its indices depend on decisions.
    pub(crate) fn as_matrix(&self) -> Option<(Arc<GroundDomain>, Vec<Term>)> {
        match self {
            Term::Value(Value::Matrix(matrix)) => {
                Some((Arc::new(matrix.index.clone()), matrix.elements.iter().cloned().map(Term::Value).collect()))
            }
            Term::Matrix(index, elements) => Some((index.clone(), elements.to_vec())),
            _ => None,
        }
    }
}

/// The values of the terms, if all are constant.
fn constant_terms(terms: &[Term]) -> Option<Vec<Value>> {
    terms
        .iter()
        .all(|term| matches!(term, Term::Value(_)))
        .then(|| terms.iter().filter_map(Term::as_value).cloned().collect())
}

/// A term with the condition under which it is defined.
#[derive(Clone, Debug)]
pub(crate) struct Partial {
    pub term: Term,
    pub defined: Bool,
}

impl<T: Into<Term>> From<T> for Partial {
    fn from(term: T) -> Self {
        Partial { term: term.into(), defined: Bool::TRUE }
    }
}

/// A problem under construction, with the first construct that was refused and the members of constant collections.
#[derive(Default)]
pub(crate) struct Symbolic {
    pub problem: Builder,
    /// The first construct that could not be expressed.
    refusal: Option<Diagnostic>,
    /// The members of constant collections, built once.
    constant_members: FxHashMap<Value, Arc<Members>>,
    /// The constraints that put the slots of collections in order.
    pub slot_order: Vec<Bool>,
}

/// The reason why something cannot be expressed in a problem.
#[derive(Debug)]
pub(crate) enum LoweringRefusal {
    /// The construct that could not be expressed; the caller adds its span.
    Inexpressible(Diagnostic),
    Unbuildable(Fault),
}

impl From<Fault> for LoweringRefusal {
    fn from(fault: Fault) -> Self {
        LoweringRefusal::Unbuildable(fault)
    }
}

/// Continues the construction of a problem.
impl From<Problem> for Symbolic {
    fn from(problem: Problem) -> Self {
        Symbolic { problem: problem.into(), ..Symbolic::default() }
    }
}

impl Symbolic {
    pub(crate) fn new() -> Self {
        Symbolic::default()
    }

    /// Records a refusal. The caller continues with a placeholder of the same type.
    pub(crate) fn refuse(&mut self, why: impl FnOnce() -> Diagnostic) {
        self.refusal.get_or_insert_with(why);
    }

    /// Returns the first refusal since the last call, for callers that know the span.
    pub(crate) fn check(&mut self) -> Result<(), LoweringRefusal> {
        match self.refusal.take() {
            Some(refusal) => Err(LoweringRefusal::Inexpressible(refusal)),
            None => self.problem.check().map_err(LoweringRefusal::from),
        }
    }

    /// The finished problem, if everything could be expressed.
    pub(crate) fn finish(mut self) -> Result<Problem, LoweringRefusal> {
        self.check()?;
        self.problem.finish().map_err(LoweringRefusal::from)
    }

    /// Returns a term as an integer; a Boolean counts as 0 or 1.
    pub(crate) fn int(&mut self, term: &Term) -> Int {
        match term {
            Term::Value(Value::Int(value)) => self.problem.constant(*value),
            Term::Int(term) => *term,
            Term::Value(Value::Bool(value)) => self.problem.constant(i64::from(*value)),
            Term::Bool(term) => self.problem.int_of(*term),
            other => unreachable!("an integer was expected, not {other:?}"),
        }
    }

    /// The term for an integer; a value if it is constant.
    pub(crate) fn int_term(&self, term: Int) -> Term {
        match self.problem.int_constant(term) {
            Some(value) => Term::Value(Value::Int(value)),
            None => Term::Int(term),
        }
    }

    /// The elements over which a generator `x <- term` ranges, with their conditions. A multiset lists an element once
    /// for each occurrence.
    pub(crate) fn elements(&mut self, term: &Term) -> Vec<Member> {
        match term {
            _ if term.is_matrix() => term.list_members(),
            _ => {
                let members = self.members(term);
                let mut members = self.distinct(term, &members).members.clone();
                // A generator over a permutation ranges over the points that move.
                if collection_kind_of(term).is_some_and(|kind| kind.form() == MemberForm::Cycles) {
                    for member in &mut members {
                        let fixed = self.equal(&member.term.item(0), &member.term.item(1));
                        member.condition = self.problem.and([member.condition, !fixed]);
                    }
                }
                members
            }
        }
    }
}
