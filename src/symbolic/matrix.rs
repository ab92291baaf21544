//! Matrices by their indices, which may depend on decisions: slices with such bounds, choices between matrices with
//! different index domains, and lists.

use super::*;
use std::collections::BTreeMap;

/// A matrix or list by its possible indices.
pub(crate) struct Indexed {
    /// The possible indices in ascending order (Booleans as 0 and 1), each with its element and the condition that it
    /// is present.
    pub entries: Vec<(i64, Member)>,
    /// The condition that the index domain is `bool`.
    pub boolean: Bool,
}

/// The kind of a matrix's indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexKind {
    Integers,
    /// Booleans, as 0 and 1.
    Booleans,
}

impl IndexKind {
    /// The kind of indices that are Booleans if this condition holds.
    pub(crate) fn of(boolean: Bool) -> Self {
        if boolean == Bool::FALSE { IndexKind::Integers } else { IndexKind::Booleans }
    }
}

impl Term {
    /// A matrix with the indices whose conditions hold. If the indices are Booleans, its index domain is `bool` if both
    /// are present. The result is a plain matrix if no condition depends on decisions.
    pub(crate) fn slice(kind: IndexKind, mut entries: Vec<(i64, Member)>) -> Term {
        entries.retain(|(_, member)| member.condition != Bool::FALSE);
        let index = match kind {
            IndexKind::Booleans if entries.len() == 2 => GroundDomain::Bool,
            _ => GroundDomain::Int(IntSet::from_values(entries.iter().map(|(index, _)| *index))),
        };
        let members = entries.into_iter().map(|(_, member)| member);
        let members: Vec<Member> = members.collect();
        if members.iter().all(|member| member.condition == Bool::TRUE) {
            return Term::matrix(index, members.into_iter().map(|member| member.term).collect());
        }
        Term::Slice(Arc::new(index), members.into())
    }
}

/// The indices of an index domain, Booleans as 0 and 1.
fn index_numbers(index: &GroundDomain) -> Vec<i64> {
    index.members().map(|index| index.as_int()).collect()
}

/// Returns true if an index domain is `int(1..length)`.
fn is_from_one(index: &GroundDomain, length: usize) -> bool {
    *index == GroundDomain::Int(IntSet::range(1, length as i64))
}

impl Symbolic {
    pub(crate) fn indexed(&mut self, matrix: &Term) -> Indexed {
        let (index, members) = match matrix {
            Term::Slice(index, members) => (index.clone(), members.to_vec()),
            _ => match matrix.as_matrix() {
                Some((index, elements)) => (index, elements.into_iter().map(Member::always).collect()),
                None => {
                    // The present elements of a list have the indices 1, 2, … without gaps.
                    let entries = (1..).zip(self.compact(matrix)).collect();
                    return Indexed { entries, boolean: Bool::FALSE };
                }
            },
        };
        let boolean = match &*index {
            GroundDomain::Bool => self.problem.and(members.iter().map(|member| member.condition)),
            _ => Bool::FALSE,
        };
        Indexed { entries: index_numbers(&index).into_iter().zip(members).collect(), boolean }
    }

    /// The element of a matrix or list at an index; undefined if the index is absent.
    pub(crate) fn element_of(&mut self, matrix: &Term, at: &Term) -> Partial {
        if let Term::Matrix(index, elements) = matrix {
            return self.element(index, elements, at);
        }
        if let Some((index, elements)) = matrix.as_matrix() {
            return self.element(&index, &elements, at);
        }
        let entries = self.indexed(matrix).entries;
        let index = GroundDomain::Int(IntSet::from_values(entries.iter().map(|(index, _)| *index)));
        // The condition that an index is present is looked up like an element.
        let present: Vec<Term> = entries.iter().map(|(_, member)| member.condition.into()).collect();
        let elements: Vec<Term> = entries.into_iter().map(|(_, member)| member.term).collect();
        let element = self.element(&index, &elements, at);
        let present = self.element(&index, &present, at);
        let there = present.term.bool();
        Partial { term: element.term, defined: self.problem.and([element.defined, there]) }
    }

    /// The condition that two matrices have the same indices with the same elements.
    pub(super) fn equal_matrices(&mut self, left: &Term, right: &Term) -> Bool {
        match (left.as_matrix(), right.as_matrix()) {
            (Some(left), Some(right)) if left.0 == right.0 => return self.all_equal(&left.1, &right.1),
            (Some(_), Some(_)) => return Bool::FALSE,
            // Lists have no indices to compare: the indices follow from the length.
            (None, None) if !matches!((left, right), (Term::Slice(..), _) | (_, Term::Slice(..))) => {
                return self.equal_elements(left, right);
            }
            _ => {}
        }
        let (left, right) = (self.indexed(left), self.indexed(right));
        // Both matrices may have the indices 0 and 1, once as integers and once as Booleans.
        let mut parts = vec![self.problem.equivalent(left.boolean, right.boolean)];
        let mut others: BTreeMap<i64, Member> = right.entries.into_iter().collect();
        for (index, member) in left.entries {
            match others.remove(&index) {
                Some(other) => {
                    parts.push(self.problem.equivalent(member.condition, other.condition));
                    let same = self.equal(&member.term, &other.term);
                    parts.push(self.problem.implies(member.condition, same));
                }
                None => parts.push(!member.condition),
            }
        }
        parts.extend(others.into_values().map(|other| !other.condition));
        self.problem.and(parts)
    }

    /// The condition `left .< right`. The elements decide; matrices with the same elements are ordered by their
    /// indices.
    pub(super) fn less_matrices(&mut self, left: &Term, right: &Term) -> Bool {
        if let (Term::List(_), Term::List(_)) = (left, right) {
            return self.less_lists(left, right);
        }
        let (left_indices, right_indices) = (self.index_list(left), self.index_list(right));
        // If the order of the index domains is constant, one comparison of the elements is enough.
        match self.less_lists(&left_indices, &right_indices) {
            Bool::FALSE => self.less_lists(left, right),
            Bool::TRUE => !self.less_lists(right, left),
            before => {
                let (less, same) = (self.less_lists(left, right), self.equal_elements(left, right));
                let before = self.problem.and([same, before]);
                self.problem.or([less, before])
            }
        }
    }

    /// The sort key of an index domain: Booleans come before integers, then the indices decide.
    fn index_list(&mut self, matrix: &Term) -> Term {
        let Indexed { entries, boolean } = self.indexed(matrix);
        let kind = self.int(&Term::from(!boolean));
        let kind = Member::always(self.int_term(kind));
        let indices =
            entries.into_iter().map(|(index, member)| Member::new(member.condition, Value::Int(index).into()));
        Term::guarded_list([kind].into_iter().chain(indices).collect())
    }

    /// The matrix whose condition holds.
    pub(super) fn choose_matrix(&mut self, alternatives: &[(Bool, Term)]) -> Term {
        let matrices: Option<Vec<_>> = alternatives
            .iter()
            .map(|(condition, term)| term.as_matrix().map(|(index, elements)| (*condition, index, elements)))
            .collect();
        if let Some(matrices) = matrices
            && matrices.iter().all(|matrix| matrix.1 == matrices[0].1)
        {
            let chosen = (0..matrices[0].2.len())
                .map(|position| {
                    self.choose(matrices.iter().map(|matrix| (matrix.0, matrix.2[position].clone())).collect())
                })
                .collect();
            return Term::matrix(GroundDomain::clone(&matrices[0].1), chosen);
        }
        let is_list = |term: &Term| match term.as_matrix() {
            Some((index, elements)) => is_from_one(&index, elements.len()),
            None => matches!(term, Term::List(_)),
        };
        if alternatives.iter().all(|(_, term)| is_list(term)) {
            // Only one of the lists is present, so concatenating them keeps the order of its elements.
            let mut members = Vec::new();
            for (condition, term) in alternatives {
                for member in term.list_members() {
                    members.push(Member::new(self.problem.and([*condition, member.condition]), member.term));
                }
            }
            return Term::guarded_list(members);
        }
        // An index is present if the chosen matrix has it, so all indices of all matrices are candidates.
        let mut kind = IndexKind::Integers;
        let mut choices: BTreeMap<i64, Vec<(Bool, Term)>> = BTreeMap::new();
        // The number of alternatives that do not always have an index.
        let mut absent: BTreeMap<i64, usize> = BTreeMap::new();
        for (condition, term) in alternatives {
            let indexed = self.indexed(term);
            if indexed.boolean != Bool::FALSE {
                kind = IndexKind::Booleans;
            }
            for (index, member) in indexed.entries {
                let here = self.problem.and([*condition, member.condition]);
                choices.entry(index).or_default().push((here, member.term));
                *absent.entry(index).or_insert(alternatives.len()) -= usize::from(member.condition == Bool::TRUE);
            }
        }
        let mut entries = Vec::with_capacity(choices.len());
        for (index, choices) in choices {
            let present = match absent[&index] {
                0 => Bool::TRUE,
                _ => self.problem.or(choices.iter().map(|choice| choice.0)),
            };
            entries.push((index, Member::new(present, self.choose(choices))));
        }
        Term::slice(kind, entries)
    }
}
