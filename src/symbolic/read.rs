//! Reads values back from an assignment.

use super::members::constant_collection;
use super::*;
use crate::problem::Assignment;

/// The value that a term has under an assignment.
pub(crate) fn value(problem: &Problem, term: &Term, assignment: &Assignment) -> Value {
    match term {
        Term::Value(value) => value.clone(),
        Term::Bool(term) => Value::Bool(problem.bool_value(*term, assignment)),
        Term::Int(term) => Value::Int(problem.int_value(*term, assignment)),
        Term::Tuple(items) => Value::Tuple(items.iter().map(|item| value(problem, item, assignment)).collect()),
        Term::Variant(tag, alternatives) => {
            let tag = problem.int_value(*tag, assignment);
            let active = match alternatives.get(tag as usize) {
                Some(Some(active)) => value(problem, active, assignment),
                _ => Value::Int(0),
            };
            Value::Variant(tag as u32, Arc::new(active))
        }
        Term::Matrix(index, elements) => Value::Matrix(Arc::new(crate::language::value::Matrix {
            index: GroundDomain::clone(index),
            elements: elements.iter().map(|element| value(problem, element, assignment)).collect(),
        })),
        Term::List(members) => {
            Value::list(present(problem, members, assignment).map(|term| value(problem, term, assignment)).collect())
        }
        Term::Slice(index, members) => {
            let indices = index.members().zip(members.iter());
            let there = indices.filter(|(_, member)| problem.bool_value(member.condition, assignment));
            let (indices, elements): (Vec<Value>, Vec<Value>) =
                there.map(|(index, member)| (index, value(problem, &member.term, assignment))).unzip();
            // If one of the two Booleans is missing, the other one counts as 0 or 1.
            let index = match indices.len() == members.len() {
                true => GroundDomain::clone(index),
                false => GroundDomain::Int(IntSet::from_values(indices.iter().map(Value::as_int))),
            };
            Value::Matrix(Arc::new(crate::language::value::Matrix { index, elements }))
        }
        Term::PowerSet(set) => match value(problem, set, assignment) {
            Value::Collection(_, members) => {
                Value::set(crate::language::subsets_of(members.to_vec(), &Default::default()).collect())
            }
            other => unreachable!("a set was expected, not {other:?}"),
        },
        Term::Collection(kind, members) => {
            let members: Vec<Member> = present(problem, &members.members, assignment)
                .map(|term| Member::always(Term::Value(value(problem, term, assignment))))
                .collect();
            constant_collection(*kind, &members).unwrap_or(Value::FALSE)
        }
    }
}

fn present<'a>(
    problem: &'a Problem,
    members: &'a [Member],
    assignment: &'a Assignment,
) -> impl Iterator<Item = &'a Term> {
    members.iter().filter(|member| problem.bool_value(member.condition, assignment)).map(|member| &member.term)
}
