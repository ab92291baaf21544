//! `transform`: a permutation applied to every occurrence of its type inside a term.

use super::*;
use crate::language::Type;

impl Symbolic {
    /// What a permutation of the members of the type `points` makes of a term of type `ty`.
    pub fn transformed(&mut self, ty: &Type, term: &Term, points: &Type, permutation: &Rc<Members>) -> Term {
        if ty == points {
            return self.permuted(permutation, term);
        }
        let inner = |types: &[Type]| Type::Tuple(types.into());
        match ty {
            Type::Tuple(types) => {
                let items = term.items();
                let moved = types.iter().zip(&items);
                Term::tuple(moved.map(|(ty, item)| self.transformed(ty, item, points, permutation)).collect())
            }
            Type::Record(fields) => {
                let items = term.items();
                let moved = fields.iter().zip(&items);
                Term::tuple(moved.map(|((_, ty), item)| self.transformed(ty, item, points, permutation)).collect())
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
                match term.as_matrix() {
                    Some((index, elements)) => {
                        let moved =
                            elements.iter().map(|item| self.transformed(element, item, points, permutation)).collect();
                        Term::matrix(GroundDomain::clone(&index), moved)
                    }
                    None => {
                        let members = self.list_members(term).into_iter().map(|member| {
                            Member::new(member.condition, self.transformed(element, &member.term, points, permutation))
                        });
                        Term::guarded_list(members.collect())
                    }
                }
            }
            Type::Set(element) | Type::MSet(element) => self.transformed_members(term, element, points, permutation),
            Type::Sequence(element) => {
                let pair = inner(&[Type::Any, Type::clone(element)]);
                self.transformed_members(term, &pair, points, permutation)
            }
            Type::Function(parts) => {
                let pair = inner(&[parts.0.clone(), parts.1.clone()]);
                self.transformed_members(term, &pair, points, permutation)
            }
            Type::Permutation(element) => {
                let pair = inner(&[Type::clone(element), Type::clone(element)]);
                self.transformed_members(term, &pair, points, permutation)
            }
            Type::Relation(columns) => {
                let tuple = Type::Tuple(columns.clone());
                self.transformed_members(term, &tuple, points, permutation)
            }
            Type::Partition(element) => {
                let part = Type::Set(element.clone());
                self.transformed_members(term, &part, points, permutation)
            }
            _ => term.clone(),
        }
    }

    /// The element at an index goes to the image of the index.
    fn transformed_indices(&mut self, element: &Type, term: &Term, points: &Type, permutation: &Rc<Members>) -> Term {
        let Some((index, elements)) = term.as_matrix() else {
            return self.refuse("`transform` of a list whose length depends on decisions");
        };
        let indices: Vec<Term> = index.members().map(Term::Value).collect();
        let mut moved = Vec::with_capacity(elements.len());
        for (index, item) in indices.iter().zip(&elements) {
            let image = self.permuted(permutation, index);
            moved.push((image, self.transformed(element, item, points, permutation)));
        }
        let mut placed = Vec::with_capacity(elements.len());
        for index in &indices {
            let alternatives: Vec<(Bool, Term)> =
                moved.iter().map(|(image, item)| (self.equal(image, index), item.clone())).collect();
            if alternatives.iter().all(|(here, _)| *here == Bool::FALSE) {
                return self.refuse("`transform` of a matrix to other indices than it has");
            }
            placed.push(self.choose(alternatives));
        }
        Term::matrix(GroundDomain::clone(&index), placed)
    }

    fn transformed_members(&mut self, term: &Term, ty: &Type, points: &Type, permutation: &Rc<Members>) -> Term {
        let Some(kind) = kind(term) else { return term.clone() };
        let members = self.members(term);
        let moved = members
            .members
            .iter()
            .map(|member| Member::new(member.condition, self.transformed(ty, &member.term, points, permutation)))
            .collect();
        // A permutation is injective, so that what differs stays different.
        self.collection(kind, moved, members.distinct)
    }
}
