//! `transform`: applies a permutation to every occurrence of its type inside a term.

use super::*;
use crate::language::Type;

/// The image of a term of type `ty` under a permutation of the members of the type `points`.
pub(crate) fn transformed(
    symbolic: &mut Symbolic,
    ty: &Type,
    term: &Term,
    points: &Type,
    permutation: &Arc<Members>,
) -> Term {
    Transform { symbolic, points, permutation }.term(ty, term)
}

struct Transform<'s> {
    symbolic: &'s mut Symbolic,
    /// The type of the points that the permutation moves.
    points: &'s Type,
    permutation: &'s Arc<Members>,
}

impl Transform<'_> {
    fn term(&mut self, ty: &Type, term: &Term) -> Term {
        // The points themselves move; anything else moves with its parts.
        if ty == self.points {
            return self.symbolic.permuted(self.permutation, term);
        }
        match ty {
            Type::Tuple(types) => self.items(types, term),
            Type::Record(fields) => {
                let types: Vec<Type> = fields.iter().map(|(_, ty)| ty.clone()).collect();
                self.items(&types, term)
            }
            Type::Variant(alternatives) => {
                let (tag, terms) = self.symbolic.variant_parts(term);
                let moved = alternatives.iter().zip(terms).map(|((_, ty), term)| term.map(|term| self.term(ty, &term)));
                // Inactive alternatives move, too, because their values do not matter.
                Term::Variant(tag, moved.collect())
            }
            Type::Matrix(parts) if parts[0] == *self.points => self.indices(&parts[1], term),
            Type::Matrix(_) | Type::List(_) => {
                let element = match ty {
                    Type::Matrix(parts) => &parts[1],
                    Type::List(element) => element,
                    _ => ty,
                };
                if let Term::List(members) = term {
                    let moved =
                        members.iter().map(|member| Member::new(member.condition, self.term(element, &member.term)));
                    return Term::guarded_list(moved.collect());
                }
                let Indexed { mut entries, boolean } = self.symbolic.indexed(term);
                for (_, member) in &mut entries {
                    member.term = self.term(element, &member.term);
                }
                Term::slice(IndexKind::of(boolean), entries)
            }
            // The type `Any` stands for the indices of a sequence, which do not move.
            Type::Collection(kind, parts) => match kind.form().components(parts, Type::Any) {
                Some(types) => self.tuples(term, &types),
                None => {
                    let member = kind.form().member(parts, Type::Any);
                    self.members(term, |this, item| this.term(&member, item))
                }
            },
            _ => term.clone(),
        }
    }

    /// Transforms each component of a tuple.
    fn items(&mut self, types: &[Type], tuple: &Term) -> Term {
        let items = tuple.items();
        let moved = types.iter().zip(&items);
        Term::tuple(moved.map(|(ty, item)| self.term(ty, item)).collect())
    }

    /// Moves the element at an index to the image of the index.
    fn indices(&mut self, element: &Type, term: &Term) -> Term {
        let Indexed { entries, boolean } = self.symbolic.indexed(term);
        // An absent index may be the image of a present one, so every index is a candidate.
        let indices = IntSet::from_values(entries.iter().map(|(index, _)| *index));
        // If all elements are present, the image has all of them, too.
        let fixed = entries.iter().all(|(_, member)| member.condition == Bool::TRUE);
        let mut images = IntSet::empty();
        let mut moved = Vec::with_capacity(entries.len());
        for (index, member) in entries {
            let index = if *self.points == Type::Bool { Value::Bool(index == 1) } else { Value::Int(index) };
            let image = self.symbolic.permuted(self.permutation, &Term::Value(index));
            let image = self.symbolic.int(&image);
            images = images.union(self.symbolic.problem.values(image));
            let item = self.term(element, &member.term);
            moved.push((image, Member::new(member.condition, item)));
        }
        // A permutation is injective, so if all images are among the indices, every index gets an element.
        let all_there = fixed && images.is_subset(&indices);
        let mut placed = Vec::new();
        for index in images.iter() {
            let mut alternatives = Vec::with_capacity(moved.len());
            for (image, member) in &moved {
                // Several elements may have this image, but only one of them under each assignment.
                let here = self.symbolic.problem.equals_constant(*image, index);
                alternatives.push((self.symbolic.problem.and([here, member.condition]), member.term.clone()));
            }
            let there = match all_there {
                true => Bool::TRUE,
                false => self.symbolic.problem.or(alternatives.iter().map(|alternative| alternative.0)),
            };
            placed.push((index, Member::new(there, self.symbolic.choose(alternatives))));
        }
        Term::slice(IndexKind::of(boolean), placed)
    }

    /// Transforms the components of the pairs of a function or the tuples of a relation; the tuples are not values
    /// themselves.
    fn tuples(&mut self, term: &Term, types: &[Type]) -> Term {
        self.members(term, |this, tuple| this.items(types, tuple))
    }

    fn members(&mut self, term: &Term, transformed: impl Fn(&mut Self, &Term) -> Term) -> Term {
        let Some(kind) = collection_kind_of(term) else { return term.clone() };
        let members = self.symbolic.members(term);
        let moved = members
            .members
            .iter()
            .map(|member| Member::new(member.condition, transformed(self, &member.term)))
            .collect();
        // A permutation is injective, so distinct members stay distinct.
        self.symbolic.collection(kind, moved, members.repetition)
    }
}
