//! Relations: by occurrence of their tuples, or by ascending slots.

use super::*;
use crate::language::domain::{BinaryProperty, RelationAttributes};

impl Symbolic {
    pub(super) fn declare_relation(
        &mut self,
        chosen: Candidate,
        attributes: &RelationAttributes<i64>,
        columns: &[GroundDomain],
        plan: &Plan,
        decision: bool,
    ) -> Term {
        let tuples = GroundDomain::Tuple(columns.to_vec());
        let members = if chosen.representation == Representation::Occurrence {
            let members: Vec<Member> = tuples
                .members()
                .map(|value| Member::new(self.problem.new_bool(decision), Term::Value(value)))
                .collect();
            self.require_size(&attributes.size, members.iter().map(|member| member.condition));
            members
        } else {
            let members = self.declare_slots(&attributes.size, chosen.slots(), &tuples, &plan.tuples(), decision);
            self.require_ascending(&members, true, Term::clone);
            members
        };
        let members = Rc::new(Members::ascending(members, true));
        if let ([column, _], false) = (columns, attributes.properties.is_empty()) {
            let points: Vec<Term> = column.members().map(Term::Value).collect();
            for property in &attributes.properties {
                let holds = self.has_property(&members, &points, *property);
                self.problem.require(holds);
            }
        }
        Term::Collection(Collection::Relation, members)
    }

    /// Whether a binary relation on these points, which need not be different, has a property.
    pub fn has_property(&mut self, relation: &Rc<Members>, points: &[Term], property: BinaryProperty) -> Bool {
        let size = points.len();
        // The relation as a square of conditions.
        let mut holds = Vec::with_capacity(size * size);
        for x in points {
            for y in points {
                holds.push(self.contains(relation, &Term::tuple(vec![x.clone(), y.clone()])));
            }
        }
        let related = |x: usize, y: usize| holds[x * size + y];
        let mut parts = Vec::new();
        for x in 0..size {
            let problem = &mut self.problem;
            match property {
                BinaryProperty::Reflexive => parts.push(related(x, x)),
                BinaryProperty::Irreflexive => parts.push(!related(x, x)),
                BinaryProperty::LeftTotal => parts.push(problem.or((0..size).map(|y| related(x, y)))),
                BinaryProperty::RightTotal => parts.push(problem.or((0..size).map(|y| related(y, x)))),
                _ => {}
            }
            for y in 0..size {
                let (forth, back) = (related(x, y), related(y, x));
                let same = match property {
                    BinaryProperty::Coreflexive | BinaryProperty::AntiSymmetric | BinaryProperty::Connex => {
                        self.equal(&points[x], &points[y])
                    }
                    _ => Bool::FALSE,
                };
                let problem = &mut self.problem;
                match property {
                    BinaryProperty::Coreflexive => parts.push(problem.implies(forth, same)),
                    BinaryProperty::Symmetric => parts.push(problem.implies(forth, back)),
                    BinaryProperty::AntiSymmetric => parts.push(problem.or([!forth, !back, same])),
                    BinaryProperty::ASymmetric => parts.push(!problem.and([forth, back])),
                    BinaryProperty::Total => parts.push(problem.or([forth, back])),
                    BinaryProperty::Connex => parts.push(problem.or([forth, back, same])),
                    BinaryProperty::Transitive => {
                        for z in 0..size {
                            let path = problem.and([forth, related(y, z)]);
                            parts.push(problem.implies(path, related(x, z)));
                        }
                    }
                    BinaryProperty::Euclidean => {
                        for z in 0..size {
                            let fork = problem.and([forth, related(x, z)]);
                            parts.push(problem.implies(fork, related(y, z)));
                        }
                    }
                    _ => {}
                }
            }
        }
        self.problem.and(parts)
    }
}
