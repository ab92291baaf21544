//! `transform`: a permutation applied to every occurrence of its type inside a term.

use super::*;
use crate::language::Type;

impl Symbolic {
    /// The image of a term of type `ty` under a permutation of the members of the type `points`.
    pub(crate) fn transformed(&mut self, ty: &Type, term: &Term, points: &Type, permutation: &Rc<Members>) -> Term {
        if ty == points {
            return self.permuted(permutation, term);
        }
        match ty {
            Type::Tuple(types) => self.transformed_items(types, term, points, permutation),
            Type::Record(fields) => {
                let types: Vec<Type> = fields.iter().map(|(_, ty)| ty.clone()).collect();
                self.transformed_items(&types, term, points, permutation)
            }
            Type::Variant(alternatives) => {
                let (tag, terms) = self.variant_parts(term);
                let moved = alternatives
                    .iter()
                    .zip(terms)
                    .map(|((_, ty), term)| term.map(|term| self.transformed(ty, &term, points, permutation)));
                Term::Variant(tag, moved.collect())
            }
            Type::Matrix(parts) if parts.0 == *points => self.transformed_indices(&parts.1, term, points, permutation),
            Type::Matrix(_) | Type::List(_) => {
                let element = match ty {
                    Type::Matrix(parts) => &parts.1,
                    Type::List(element) => element,
                    _ => ty,
                };
                if let Term::List(members) = term {
                    let moved = members.iter().map(|member| {
                        Member::new(member.condition, self.transformed(element, &member.term, points, permutation))
                    });
                    return Term::guarded_list(moved.collect());
                }
                let Indexed { mut entries, boolean } = self.indexed(term);
                for (_, member) in &mut entries {
                    member.term = self.transformed(element, &member.term, points, permutation);
                }
                Term::slice(IndexKind::of(boolean), entries)
            }
            Type::Set(element) | Type::MSet(element) => {
                self.transformed_members(term, |this, member| this.transformed(element, member, points, permutation))
            }
            Type::Partition(element) => {
                let part = Type::Set(element.clone());
                self.transformed_members(term, |this, member| this.transformed(&part, member, points, permutation))
            }
            Type::Sequence(element) => {
                self.transformed_tuples(term, &[Type::Any, Type::clone(element)], points, permutation)
            }
            Type::Function(parts) => {
                self.transformed_tuples(term, &[parts.0.clone(), parts.1.clone()], points, permutation)
            }
            Type::Permutation(element) => {
                self.transformed_tuples(term, &[Type::clone(element), Type::clone(element)], points, permutation)
            }
            Type::Relation(columns) => self.transformed_tuples(term, columns, points, permutation),
            _ => term.clone(),
        }
    }

    /// The components of a tuple, each transformed.
    fn transformed_items(&mut self, types: &[Type], tuple: &Term, points: &Type, permutation: &Rc<Members>) -> Term {
        let items = tuple.items();
        let moved = types.iter().zip(&items);
        Term::tuple(moved.map(|(ty, item)| self.transformed(ty, item, points, permutation)).collect())
    }

    /// The element at an index goes to the image of the index.
    fn transformed_indices(&mut self, element: &Type, term: &Term, points: &Type, permutation: &Rc<Members>) -> Term {
        let Indexed { entries, boolean } = self.indexed(term);
        let indices = IntSet::from_values(entries.iter().map(|(index, _)| *index));
        let fixed = entries.iter().all(|(_, member)| member.condition == Bool::TRUE);
        let mut images = IntSet::empty();
        let mut moved = Vec::with_capacity(entries.len());
        for (index, member) in entries {
            let index = if *points == Type::Bool { Value::Bool(index == 1) } else { Value::Int(index) };
            let image = self.permuted(permutation, &Term::Value(index));
            let image = self.int(&image);
            images = images.union(self.problem.values(image));
            let item = self.transformed(element, &member.term, points, permutation);
            moved.push((image, Member::new(member.condition, item)));
        }
        // A permutation is injective: if the indices stay among themselves, all of them are taken.
        let all_there = fixed && images.is_subset(&indices);
        let mut placed = Vec::new();
        for index in images.iter() {
            let mut alternatives = Vec::with_capacity(moved.len());
            for (image, member) in &moved {
                let here = self.problem.equals_constant(*image, index);
                alternatives.push((self.problem.and([here, member.condition]), member.term.clone()));
            }
            let there = match all_there {
                true => Bool::TRUE,
                false => self.problem.or(alternatives.iter().map(|alternative| alternative.0)),
            };
            placed.push((index, Member::new(there, self.choose(alternatives))));
        }
        Term::slice(IndexKind::of(boolean), placed)
    }

    /// The pairs of a function and the tuples of a relation are not values of their own: only their parts are moved.
    fn transformed_tuples(&mut self, term: &Term, types: &[Type], points: &Type, permutation: &Rc<Members>) -> Term {
        self.transformed_members(term, |this, tuple| this.transformed_items(types, tuple, points, permutation))
    }

    fn transformed_members(&mut self, term: &Term, transformed: impl Fn(&mut Self, &Term) -> Term) -> Term {
        let Some(kind) = kind(term) else { return term.clone() };
        let members = self.members(term);
        let moved = members
            .members
            .iter()
            .map(|member| Member::new(member.condition, transformed(self, &member.term)))
            .collect();
        // A permutation is injective, so that what differs stays different.
        self.collection(kind, moved, members.repetition)
    }
}
